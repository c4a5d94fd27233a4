//! Values as tokens of JSON text, written straight from their bytes.

use field::{CodePage, Nest, fixed};

/// The hexadecimal digits.
const DIGITS: [u8; 16] = *b"0123456789abcdef";

/// Writes an integer.
pub fn put_whole(value: impl itoa::Integer, text: &mut Vec<u8>) {
    text.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Writes a float as the shortest decimal that reads back to the same bits, or its bits as a string if JSON has no such number.
pub fn put_float(value: f32, text: &mut Vec<u8>) {
    if value.is_finite() {
        text.extend_from_slice(zmij::Buffer::new().format_finite(value).as_bytes());
    } else {
        put_text(&format!("f32:{:08x}", value.to_bits()), text);
    }
}

/// Writes a number in parts of 65,536 as a decimal.
pub(super) fn put_fixed(parts: i64, text: &mut Vec<u8>) {
    text.extend_from_slice(zmij::Buffer::new().format_finite(fixed::shortest(parts)).as_bytes());
}

/// Writes a string.
pub fn put_text(it: &str, text: &mut Vec<u8>) {
    // Without a branch, so that many bytes are looked at in the time of one.
    if it.bytes().fold(true, |all, byte| all & is_verbatim(byte)) {
        text.push(b'"');
        text.extend_from_slice(it.as_bytes());
        text.push(b'"');
    } else {
        // Writing to memory cannot fail.
        serde_json::to_writer(text, it).unwrap_or_default();
    }
}

/// Writes bytes of a code page as a string.
pub fn put_encoded(page: &'static CodePage, bytes: &[u8], text: &mut Vec<u8>) {
    // Nearly all text is pure ASCII.
    match core::str::from_utf8(bytes) {
        Ok(ascii) if ascii.is_ascii() && page.begins_with_ascii() => put_text(ascii, text),
        _ => put_text(&page.decode(bytes), text),
    }
}

/// Writes bytes as a string of hexadecimal pairs.
pub fn put_hex(bytes: &[u8], text: &mut Vec<u8>) {
    let digit = |value: u8| DIGITS.get(usize::from(value)).copied().unwrap_or(b'0');
    text.reserve(bytes.len() * 3 + 1);
    text.push(b'"');
    if let Some((last, before)) = bytes.split_last() {
        text.extend(before.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0xF), b' ']));
        text.extend_from_slice(&[digit(last >> 4), digit(last & 0xF)]);
    }
    text.push(b'"');
}

/// Writes the name of a member.
pub fn put_name(name: &str, text: &mut Vec<u8>) {
    put_text(name, text);
    text.extend_from_slice(b": ");
}

/// Returns the brackets around a list or an object.
pub(super) const fn brackets(nest: Nest) -> [u8; 2] {
    match nest {
        Nest::List | Nest::Plain => *b"[]",
        Nest::Object => *b"{}",
    }
}

/// Returns `true` if a JSON string contains the byte unchanged.
fn is_verbatim(byte: u8) -> bool {
    (byte >= b' ') & (byte != b'"') & (byte != b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(put: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut text = Vec::new();
        put(&mut text);
        String::from_utf8(text).expect("is UTF-8")
    }

    #[test]
    fn floats_print_as_serde_json_prints_them() {
        let some =
            [0.0, -0.0, 1.0, 1e30, -1e-30, 0.1, 16_777_216.0, 1e16, 1e15, 123_456.79, f32::MIN_POSITIVE, f32::MAX];
        let odd = (0..200_000_u32).map(|nth| f32::from_bits(nth.wrapping_mul(0x9E37_79B1)));
        for value in some.into_iter().chain(odd).filter(|value| value.is_finite()) {
            assert_eq!(text(|out| put_float(value, out)), serde_json::to_string(&value).expect("prints"));
        }
        assert_eq!(text(|out| put_float(f32::from_bits(0x7FA0_0001), out)), "\"f32:7fa00001\"");
        assert_eq!(text(|out| put_float(f32::NEG_INFINITY, out)), "\"f32:ff800000\"");
    }

    #[test]
    fn strings_print_as_serde_json_prints_them() {
        let all: Vec<u8> = (0..=255).collect();
        for page in [field::WINDOWS_1252, field::MACINTOSH, field::WORDS] {
            for bytes in all.iter().map(core::slice::from_ref).chain([
                &all[..],
                b"",
                b"plain",
                b"\"\\\n\x7F",
                b"two words",
                b"#",
            ]) {
                let decoded = page.decode(bytes);
                let expected = serde_json::to_string(&decoded).expect("prints");
                assert_eq!(text(|out| put_encoded(page, bytes, out)), expected);
            }
        }
    }

    #[test]
    fn bytes_print_in_pairs() {
        assert_eq!(text(|out| put_hex(&[], out)), "\"\"");
        assert_eq!(text(|out| put_hex(&[0, 0xA1, 0xFF], out)), "\"00 a1 ff\"");
    }
}
