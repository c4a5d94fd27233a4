//! Scans values straight from JSON text, fastest in its most common forms: numbers without an exponent, strings without escapes.

use std::borrow::Cow;

use serde_core::de::Deserialize;

use field::{Source, Value, fixed, single};

use super::read::Parsed;

/// A value that text begins with; the rest of a document may follow.
pub struct Token<'t>(pub &'t [u8]);

impl Source for Token<'_> {
    fn truth(&self) -> Option<bool> {
        match self.0 {
            [b't', b'r', b'u', b'e', ..] => Some(true),
            [b'f', b'a', b'l', b's', b'e', ..] => Some(false),
            _ => None,
        }
    }

    fn whole(&self) -> Option<i64> {
        whole(self.0)
    }

    fn float(&self) -> Option<f32> {
        float(self.0)
    }

    fn fixed(&self) -> Option<i64> {
        fixed(self.0)
    }

    fn text(&self) -> Option<Cow<'_, str>> {
        string(self.0)
    }

    fn value(&self) -> Cow<'_, Value> {
        Cow::Owned(json(self.0))
    }
}

/// The powers of ten that are exact in 64 bits.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Returns a number of digits and their count, or `None` if there are more than fit.
fn digits(text: &[u8], before: u64) -> Option<(u64, usize)> {
    let mut value = before;
    for (count, byte) in text.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return Some((value, count));
        }
        value = value.checked_mul(10)?.checked_add(digit.into())?;
    }
    Some((value, text.len()))
}

/// Returns `true` if the number continues with a point or an exponent.
fn goes_on(rest: &[u8]) -> bool {
    matches!(rest.first(), Some(b'.' | b'e' | b'E'))
}

fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        rest => (false, rest),
    }
}

/// Returns the integer of a token, if it is one.
fn whole(text: &[u8]) -> Option<i64> {
    let (is_negative, text) = sign(text);
    let (value, count) = digits(text, 0)?;
    // `-0` is a float.
    if count == 0 || goes_on(text.get(count..)?) || (is_negative && value == 0) {
        return None;
    }
    let value = i64::try_from(value).ok()?;
    Some(if is_negative { -value } else { value })
}

/// Returns the nearest float of a token, if it is written as a float.
fn float(text: &[u8]) -> Option<f32> {
    decimal(text).or_else(|| parsed(text))
}

/// Returns the nearest float of a token, parsed by the standard library.
fn parsed(text: &[u8]) -> Option<f32> {
    let number = decimal_text(text)?;
    let value = core::str::from_utf8(number).ok()?.parse().ok().filter(|value: &f32| value.is_finite())?;
    // A number too small for a float would become zero, so it is refused.
    let mantissa = number.iter().take_while(|byte| !matches!(byte, b'e' | b'E'));
    let is_lost = value == 0.0 && mantissa.copied().any(|byte| matches!(byte, b'1'..=b'9'));
    (!is_lost).then_some(value)
}

/// Returns the text of a token that is written as a float.
fn decimal_text(text: &[u8]) -> Option<&[u8]> {
    let length = text.iter().take_while(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E')).count();
    let number = text.get(..length)?;
    number.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')).then_some(number)
}

/// Returns the number of a token in parts of 65,536, if it is written as a float.
fn fixed(text: &[u8]) -> Option<i64> {
    let (is_negative, digits) = sign(text);
    let near = match double(digits) {
        Some((near, _)) => near,
        None => core::str::from_utf8(decimal_text(digits)?).ok()?.parse().ok()?,
    };
    Some(fixed::nearest(if is_negative { -near } else { near }))
}

/// Computes a float that has a point, no exponent and few digits, if rounding twice is certain to be correct.
fn decimal(text: &[u8]) -> Option<f32> {
    let (is_negative, text) = sign(text);
    let (near, is_zero) = double(text)?;
    // It is rounded a second time below, which matters only if the first result is exactly between two floats.
    if near.to_bits() & 0x1FFF_FFFF == 0x1000_0000 {
        return None;
    }
    let value = single(near);
    if !(is_zero || value.is_normal() && near >= f64::from(f32::MIN_POSITIVE)) {
        return None;
    }
    Some(if is_negative { -value } else { value })
}

/// Returns the 64-bit float nearest to a number without a sign that has a point, no exponent and few digits, and whether it is zero.
fn double(text: &[u8]) -> Option<(f64, bool)> {
    let (before, count) = digits(text, 0)?;
    let [b'.', rest @ ..] = text.get(count..)? else { return None };
    let (mantissa, places) = digits(rest, before)?;
    if count == 0 || places == 0 || goes_on(rest.get(places..)?) {
        return None;
    }
    // Both are exact in 64 bits, so their quotient is rounded once.
    if mantissa >> 53 != 0 {
        return None;
    }
    let (high, low) = (u32::try_from(mantissa >> 32).ok()?, u32::try_from(mantissa & u64::from(u32::MAX)).ok()?);
    let exact = f64::from(high) * 4_294_967_296.0 + f64::from(low);
    Some((exact / POWERS.get(places)?, mantissa == 0))
}

/// Returns the contents of a string without escapes, if they are all ASCII.
fn ascii(text: &[u8]) -> Option<&[u8]> {
    let [b'"', rest @ ..] = text else { return None };
    let end = rest.iter().position(|byte| *byte == b'"' || *byte == b'\\' || !byte.is_ascii())?;
    (rest.get(end) == Some(&b'"')).then_some(rest.get(..end)?)
}

/// Returns a string.
fn string(text: &[u8]) -> Option<Cow<'_, str>> {
    match ascii(text) {
        Some(plain) => core::str::from_utf8(plain).ok().map(Cow::Borrowed),
        None => text.starts_with(b"\"").then(|| first(text)).flatten().map(Cow::Owned),
    }
}

/// Returns the value that a text begins with, or null, which no field takes, if it does not begin with any.
fn json(text: &[u8]) -> Value {
    first(text).map_or(Value::Null, |Parsed(value)| value)
}

fn first<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Option<T> {
    T::deserialize(&mut serde_json::Deserializer::from_slice(text)).ok()
}

/// Returns `true` if a text begins with a value as printed on one line, apart from white space around its tokens.
pub(super) fn is_said(text: &[u8], value: &[u8]) -> bool {
    let (mut rest, mut in_string, mut is_escaped) = (text.iter(), false, false);
    value.iter().all(|byte| {
        if in_string {
            in_string = is_escaped || *byte != b'"';
            is_escaped = !is_escaped && *byte == b'\\';
            return rest.next() == Some(byte);
        }
        in_string = *byte == b'"';
        *byte == b' ' || rest.find(|byte| !byte.is_ascii_whitespace()) == Some(byte)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_scan_as_the_standard_library_parses_them() {
        let mut buffer = zmij::Buffer::new();
        let mut scanned = 0_u32;
        let odd = (0..400_000_u32).map(|nth| f32::from_bits(nth.wrapping_mul(0x9E37_79B1)));
        let near = (0..400_000_u32).map(|nth| f32::from_bits(0x3000_0000 + nth.wrapping_mul(0x9E37_79B1) / 8));
        for value in odd.chain(near).filter(|value| value.is_finite()) {
            let text = buffer.format_finite(value);
            assert_eq!(float(text.as_bytes()).map(f32::to_bits), Some(value.to_bits()), "{text}");
            scanned += u32::from(decimal(text.as_bytes()).is_some());
        }
        assert!(scanned > 100_000, "{scanned}");
    }

    #[test]
    #[allow(clippy::float_cmp, reason = "exact values")]
    fn decimals_of_few_digits_are_scanned_at_once() {
        for (text, value) in [("1.5", 1.5), ("0.0", 0.0), ("00.25", 0.25), ("123456789.125", 123_456_789.125)] {
            assert_eq!(double(text.as_bytes()), Some((value, value == 0.0)), "{text}");
        }
        assert_eq!([&b"1.5"[..], b"-0.5", b"0.0"].map(fixed), [Some(0x18000), Some(-0x8000), Some(0)]);
        for text in ["1", "1.", ".5", "1.5e3", "1.5.5", "9007199254740992.0"] {
            assert_eq!(double(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn floats_of_more_digits_than_needed_are_rounded_once() {
        // Exactly between two floats, slightly above that, and slightly below.
        for text in
            ["16777217.0", "16777217.0000001", "16777216.9999999", "0.1000000014901161193", "1.00000017881393432"]
        {
            let expected: f32 = text.parse().expect("is a float");
            assert_eq!(float(text.as_bytes()).map(f32::to_bits), Some(expected.to_bits()), "{text}");
        }
        assert_eq!(decimal(b"16777217.0"), None);
        assert_eq!(float(b"-0.0, 1").map(f32::to_bits), Some(0x8000_0000));
        assert_eq!([float(b"1e3"), float(b"-1.5E-3]")], [Some(1000.0), Some(-0.0015)]);
        for text in ["1", "\"1.5\"", "-", "1e39", ""] {
            assert_eq!(float(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn integers_scan_unless_they_are_floats() {
        for (text, value) in [("0,", Some(0)), ("-12]", Some(-12)), ("9223372036854775807", Some(i64::MAX))] {
            assert_eq!(whole(text.as_bytes()), value);
        }
        for text in ["-0", "1.0", "1e3", "99999999999999999999", "\"1\"", "", "-"] {
            assert_eq!(whole(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn text_says_a_value_with_any_white_space_between_its_tokens() {
        let value = br#"{"text": "a \" b", "tail": "00 01"}"#;
        for text in [&value[..], b"{\"text\" :\n  \"a \\\" b\",\n\t\"tail\":\"00 01\"\n}, 1"] {
            assert!(is_said(text, value), "{}", String::from_utf8_lossy(text));
        }
        for text in [&br#"{"text": "a \"  b", "tail": "00 01"}"#[..], br#"{"text": "a \" b", "tail": "0001"}"#, b"{"] {
            assert!(!is_said(text, value), "{}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn strings_scan_if_they_are_plain() {
        assert_eq!(ascii(b"\"a b\", 1"), Some(&b"a b"[..]));
        for text in ["\"a\\n\"", "\"\u{e9}\"", "1", "\"a"] {
            assert_eq!(ascii(text.as_bytes()), None, "{text}");
        }
    }
}
