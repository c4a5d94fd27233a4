//! Numbers in parts of 65,536 as decimals.

/// One, in parts of 65,536.
const ONE: i64 = 1 << 16;
/// This many digits after the point are enough for every number.
const DIGITS: u32 = 5;

/// Returns the number nearest to a decimal. Of two equally near ones, it is the even one. A number too large for any field stays too
/// large.
pub fn nearest(decimal: f64) -> i64 {
    #[allow(clippy::as_conversions, reason = "saturates")]
    let parts = (decimal * 65_536.0).round_ties_even() as i64;
    parts
}

/// Returns a whole number in parts of 65,536. A number too large for any field stays too large.
pub fn whole(value: i64) -> i64 {
    value.saturating_mul(ONE)
}

/// Returns the shortest decimal whose nearest number is this one, which has at most 33 bits.
pub fn shortest(parts: i64) -> f64 {
    let magnitude = parts.saturating_abs();
    let of_digits = |digits: u32| {
        let scale = 10_i64.pow(digits);
        // Ties cannot occur: a half of a part has more digits.
        let decimal = magnitude.saturating_mul(scale).saturating_add(ONE / 2) / ONE;
        (decimal.saturating_mul(ONE).saturating_add(scale / 2) / scale == magnitude).then_some((decimal, scale))
    };
    let (decimal, scale) = (1..=DIGITS).find_map(of_digits).unwrap_or((magnitude, ONE));
    // Both are exact in 64 bits, so the quotient is the float nearest to the decimal.
    #[allow(clippy::as_conversions, reason = "neither has more than 53 bits")]
    let value = decimal as f64 / scale as f64;
    if parts < 0 { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_the_nearest_to_its_shortest_decimal() {
        let edges = [0x10000, i32::MAX.into(), i32::MIN.into(), u32::MAX.into()];
        let odd = (0..200_000_u32).map(|nth| nth.wrapping_mul(0x9E37_79B1).into());
        for parts in edges.into_iter().chain(0..0x10000).chain(odd).flat_map(|parts: i64| [parts, -parts]) {
            let decimal = shortest(parts);
            assert_eq!(nearest(decimal), parts, "{decimal}");
            assert!(decimal.to_string().split('.').nth(1).is_none_or(|digits| digits.len() <= 5), "{decimal}");
        }
        let shown = [0x18000, -0x8000, 6554, 8091, 0x10001, i32::MIN.into(), 0x56EE_8BA3].map(shortest);
        assert_eq!(shown, [1.5, -0.5, 0.1, 0.12346, 1.00002, -32768.0, 22254.54546]);
    }

    #[test]
    fn decimals_are_rounded_to_the_nearest() {
        assert_eq!([0.1, -0.1, 32767.99998, -32768.0].map(nearest), [6554, -6554, i32::MAX.into(), i32::MIN.into()]);
        assert_eq!([1e30, f64::NEG_INFINITY].map(nearest), [i64::MAX, i64::MIN]);
        assert_eq!([2, -32768, i64::MAX].map(whole), [0x20000, i32::MIN.into(), i64::MAX]);
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(shortest(0).to_bits(), 0);
    }
}
