//! Bytes as hexadecimal text.

use super::limits;

/// Returns bytes as hexadecimal text, in pairs.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
    let mut text = String::with_capacity(bytes.len() * 3);
    for (index, byte) in bytes.iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        text.push(digit(byte >> 4));
        text.push(digit(byte & 0xF));
    }
    text
}

/// Returns the bytes of hexadecimal text, with or without white space between them.
#[must_use]
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u32> =
        text.chars().filter(|it| !it.is_ascii_whitespace()).map(|it| it.to_digit(16)).collect::<Option<_>>()?;
    let pair = |pair: &[u32]| if let [high, low] = pair { u8::try_from(high * 16 + low).ok() } else { None };
    digits.chunks(2).map(pair).collect()
}

/// Describes bytes for people: their number, and the first few.
#[must_use]
pub fn quote(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "no bytes".to_owned();
    }
    let s = if bytes.len() == 1 { "" } else { "s" };
    // Rows for programs have it too, where nothing ends in dots.
    match bytes.split_at_checked(limits::QUOTE) {
        Some((first, [_, ..])) => format!("{} bytes that begin with {}", bytes.len(), hex(first)),
        _ => format!("{} byte{s}: {}", bytes.len(), hex(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_bytes_are_limited() {
        assert_eq!(quote(&[]), "no bytes");
        assert_eq!(quote(&[0, 0xA1]), "2 bytes: 00 a1");
        let most = vec![0; limits::QUOTE];
        assert_eq!(quote(&most), format!("24 bytes: {}", hex(&most)));
        assert_eq!(quote(&[0; 25]), format!("25 bytes that begin with {}", hex(&most)));
    }
}
