//! Floats of 32 bits as decimals, and back.

/// Rounds to the nearest float.
#[allow(clippy::as_conversions, reason = "the one way to round to the nearest f32")]
pub fn single(value: f64) -> f32 {
    value as f32
}

/// Returns the nearest float, or `None` if it is infinite, or 0 for a number that is not: none is near.
#[must_use]
pub fn near_single(value: f64) -> Option<f32> {
    Some(single(value)).filter(|near| near.is_finite() && (*near != 0.0 || value == 0.0))
}

/// Returns the shortest decimal of a float of 32 bits, so that no digits appear that its field does not have.
pub(super) fn decimal(value: f32) -> f64 {
    // What zmij writes is a number.
    zmij::Buffer::new().format_finite(value).parse().unwrap_or(value.into())
}

/// Returns the float of 32 bits whose shortest decimal this is, up to the error of reading it. Decimals of the two types are written
/// differently.
pub fn as_single(value: f64) -> Option<f32> {
    let single = single(value);
    let is_it = |other: f64| (other - value).abs() <= value.abs() * 4.0 * f64::EPSILON;
    (single.is_finite() && is_it(decimal(single))).then_some(single)
}

/// Returns the float of 32 bits that is nearest to a decimal as it is written, unless it is too large, or becomes zero.
pub(super) fn nearest_single(value: f64) -> Option<f32> {
    // It is rounded once, from its digits.
    let nearest = format!("{value:e}").parse().ok().filter(|nearest: &f32| nearest.is_finite())?;
    (nearest != 0.0 || value == 0.0).then_some(nearest)
}

/// Returns the float with these bits, given as exactly 8 hexadecimal digits: with one fewer it would be a different float.
#[must_use]
pub fn float_of_bits(digits: &str) -> Option<f32> {
    let all = digits.len() == 8 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    all.then(|| u32::from_str_radix(digits, 16).ok()).flatten().map(f32::from_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_of_a_float_is_told_from_others() {
        for value in [0.1_f32, -2.5, 1e-30, 16_777_216.0, 0.0] {
            assert_eq!(as_single(decimal(value)), Some(value), "{value}");
        }
        // Reading a decimal can be off by the last bit.
        assert_eq!(as_single(f64::from_bits(decimal(0.1).to_bits() + 1)), Some(0.1));
        for value in [0.100_000_001, 0.100_000_000_001, 1.000_000_000_1e-30, 1e39, 16_777_217.0] {
            assert_eq!(as_single(value), None, "{value}");
        }
    }

    #[test]
    fn float_of_bits_has_exactly_eight_digits() {
        assert_eq!(float_of_bits("7fa00001").map(f32::to_bits), Some(0x7FA0_0001));
        assert!(["", "7fa0000", "7fa000011", "+7fa0000"].into_iter().all(|it| float_of_bits(it).is_none()));
    }
}
