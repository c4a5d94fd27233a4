//! Numbers of JSON.

use super::read::{Parsed, too_large};
use field::{Value, single};

/// Parses a number.
pub(super) fn number(text: &[u8]) -> Result<Value, String> {
    let (minus, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if let Some(why) = why_not(text) {
        return Err(why);
    }
    // Most numbers are short integers; the parser handles all others.
    if let [first, rest @ ..] = digits
        && (*first != b'0' || (rest.is_empty() && !minus))
        && digits.len() <= 18
        && digits.iter().all(u8::is_ascii_digit)
    {
        let value = digits.iter().fold(0_i64, |value, digit| value * 10 + i64::from(digit - b'0'));
        return Ok(Value::Integer(if minus { -value } else { value }));
    }
    if is_decimal(digits)
        && let Ok(text) = core::str::from_utf8(text)
        && let Ok(value) = text.parse::<f64>()
        && single(value).is_finite()
    {
        return Ok(Value::Float(value));
    }
    let Parsed(json) = serde_json::from_slice(text).map_err(|error| {
        // The text has no lines.
        let error = error.to_string();
        error.rsplit_once(" at line ").map_or_else(|| error.clone(), |(why, _)| why.to_owned())
    })?;
    Ok(json)
}

/// Returns why a valid number is refused: no value equals it closely.
pub(super) fn why_not(number: &[u8]) -> Option<String> {
    /// Most numbers are shorter, and fit.
    const SHORT: usize = 18;
    let is_whole = number.iter().all(|byte| !matches!(byte, b'.' | b'e' | b'E'));
    if is_whole && number.len() <= SHORT && number != b"-0" {
        return None;
    }
    let text = core::str::from_utf8(number).ok()?;
    if is_whole {
        return match text.parse::<i64>() {
            Ok(0) if text.starts_with('-') => {
                Some("expected an integer or a float, found -0; write 0 or -0.0".to_owned())
            }
            Ok(_) => None,
            Err(_) => Some(too_large(text)),
        };
    }
    let value = single(text.parse().ok()?);
    let mantissa = text.split(['e', 'E']).next()?;
    let is_lost = value == 0.0 && mantissa.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    match value.is_finite() {
        true => is_lost.then(|| format!("{text} is too small: the nearest float is 0.0")),
        false => Some(format!("{text} is too large for a float")),
    }
}

/// Returns `true` if it is digits, a point and digits, without a needless zero.
fn is_decimal(text: &[u8]) -> bool {
    let whole = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let no_zero = whole == 1 || text.first() != Some(&b'0');
    let fraction = text.get(whole..).and_then(|rest| rest.strip_prefix(b"."));
    let fraction = fraction.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit));
    whole > 0 && no_zero && fraction
}

/// Returns `true` for a byte that a number can contain.
pub(super) fn is_of_number(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_have_no_needless_zero() {
        for (text, is) in [
            ("1.5", true),
            ("0.5", true),
            ("10.25", true),
            ("01.5", false),
            ("00.5", false),
            (".5", false),
            ("5", false),
            ("5.", false),
            ("1.5e3", false),
            ("-1.5", false),
        ] {
            assert_eq!(is_decimal(text.as_bytes()), is, "{text}");
        }
    }
}
