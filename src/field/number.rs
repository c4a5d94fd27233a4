//! Numbers stored as bytes: at any offset, in both byte orders, on any host.
//!
//! A [`U32`] is four bytes with alignment 1, so a record of them is exactly its bytes on disk and a block of records is a slice of
//! the file. Only `get` and `set` depend on the byte order.

use super::decimal::float_of_bits;
use super::fixed;
use super::layout::{Class, Leaf, Shape, Shaped, Takes};
use super::sink::{Sink, Source};
use bytemuck::{Pod, Zeroable};

/// An integer that can hold a count, a length or an offset.
pub trait Integer: Shaped + Default {
    /// Its leaf, whose name messages use for its type.
    const LEAF: &'static Leaf;
    /// Returns the value, if it is not negative.
    fn wide(self) -> Option<u64>;
    /// Returns the value as stored, for messages.
    fn signed(self) -> i128;
    /// Creates this number from `value`, if it fits.
    fn of(value: u64) -> Option<Self>;
}

macro_rules! number {
    ($(#[$meta:meta])* $name:ident, $title:expr, $takes:expr, $of:ty, $to:ident, $from:ident, $put:expr, $load:expr, $nan:expr) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
        #[repr(transparent)]
        pub struct $name([u8; size_of::<$of>()]);

        impl $name {
            /// Its leaf: its name and size, and how it is put, loaded and compared.
            pub const OF: &'static Leaf = &Leaf {
                name: $title,
                size: size_of::<$of>(),
                takes: $takes,
                put: |bytes, sink| {
                    let put: fn($of, &mut dyn Sink) = $put;
                    if let Ok(it) = bytemuck::try_pod_read_unaligned::<Self>(bytes) {
                        put(it.get(), sink);
                    }
                },
                load: |source, bytes| {
                    let load: fn(&dyn Source) -> Result<$of, String> = $load;
                    let value = load(source)?;
                    let field = <&mut [u8; size_of::<$of>()]>::try_from(bytes);
                    *field.map_err(|_| format!("a field of {} bytes", size_of::<$of>()))? = Self::new(value).0;
                    Ok(())
                },
                number: None,
                tail: None,
                nan: |bytes| {
                    let nan: fn($of) -> bool = $nan;
                    bytemuck::try_pod_read_unaligned::<Self>(bytes).is_ok_and(|it| nan(it.get()))
                },
                refers: false,
            };

            /// Creates the number from a value.
            #[must_use]
            pub const fn new(value: $of) -> Self {
                Self(value.$to())
            }

            /// Returns the value.
            #[must_use]
            pub const fn get(self) -> $of {
                <$of>::$from(self.0)
            }

            /// Stores `value`.
            pub const fn set(&mut self, value: $of) {
                self.0 = value.$to();
            }
        }

        impl From<$of> for $name {
            fn from(value: $of) -> Self {
                Self::new(value)
            }
        }

        impl From<$name> for $of {
            fn from(number: $name) -> Self {
                number.get()
            }
        }

        impl PartialEq<$of> for $name {
            fn eq(&self, value: &$of) -> bool {
                self.get() == *value
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                self.get().fmt(f)
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                self.get().fmt(f)
            }
        }

        impl Shaped for $name {
            const SHAPE: Shape = Shape::Leaf(Self::OF);
            const CLASS: Class = Class::Semantic;
        }
    };
}

macro_rules! whole {
    ($($(#[$meta:meta])* $name:ident $of:ty, $to:ident, $from:ident;)*) => { $(
        number! {
            $(#[$meta])* $name, stringify!($of), Takes::Whole(<$of>::LEAST, <$of>::MOST), $of, $to, $from,
            |value, sink| sink.whole(value.into()), load_whole, |_| false
        }

        impl Integer for $name {
            const LEAF: &'static Leaf = Self::OF;

            fn wide(self) -> Option<u64> {
                self.get().try_into().ok()
            }

            fn signed(self) -> i128 {
                self.get().into()
            }

            fn of(value: u64) -> Option<Self> {
                <$of>::try_from(value).ok().map(Self::new)
            }
        }
    )* };
}

whole! {
    /// Unsigned 16 bits, little endian.
    U16 u16, to_le_bytes, from_le_bytes;
    /// Signed 16 bits, little endian.
    I16 i16, to_le_bytes, from_le_bytes;
    /// Unsigned 32 bits, little endian.
    U32 u32, to_le_bytes, from_le_bytes;
    /// Signed 32 bits, little endian.
    I32 i32, to_le_bytes, from_le_bytes;
    /// Unsigned 16 bits, big endian.
    U16be u16, to_be_bytes, from_be_bytes;
    /// Signed 16 bits, big endian.
    I16be i16, to_be_bytes, from_be_bytes;
    /// Unsigned 32 bits, big endian.
    U32be u32, to_be_bytes, from_be_bytes;
    /// Signed 32 bits, big endian.
    I32be i32, to_be_bytes, from_be_bytes;
    /// One unsigned byte.
    U8 u8, to_le_bytes, from_le_bytes;
}

number! {
    /// A Windows FILETIME: steps of 100 ns since 1601-01-01 UTC, little endian, at any offset. Any value is preserved.
    FileTime, "u64", Takes::Text, u64, to_le_bytes, from_le_bytes,
        |value, sink| sink.text(&format!("{value:#018x}")), load_hexadecimal, |_| false
}

number! {
    /// IEEE 754 binary32, little endian. All 32 bits are preserved, including NaN patterns and -0.0.
    F32, "f32", Takes::Float, f32, to_le_bytes, from_le_bytes, |value, sink| sink.float(value), load_f32, f32::is_nan
}

number! {
    /// IEEE 754 binary32, big endian. All 32 bits are preserved, including NaN patterns and -0.0.
    F32be, "f32", Takes::Float, f32, to_be_bytes, from_be_bytes, |value, sink| sink.float(value), load_f32, f32::is_nan
}

macro_rules! fixed {
    ($($(#[$meta:meta])* $name:ident $title:literal $of:ty;)*) => { $(
        number! {
            $(#[$meta])* $name, $title, Takes::Fixed, $of, to_be_bytes, from_be_bytes,
            |parts, sink| sink.fixed(parts.into()), load_fixed, |_| false
        }
    )* };
}

fixed! {
    /// Signed 32 bits, big endian, in parts of 65,536: 98,304 is 1.5. It is shown as a decimal.
    Fixed16be "fixed16" i32;
    /// Unsigned 32 bits, big endian, in parts of 65,536.
    UnsignedFixed16be "unsigned fixed16" u32;
}

/// Returns an integer that fits the type.
fn load_whole<N: TryFrom<i64> + Limits>(source: &dyn Source) -> Result<N, String> {
    let whole = source.whole().and_then(|value| N::try_from(value).ok());
    whole.ok_or_else(|| format!("a whole number from {} to {}", N::LEAST, N::MOST))
}

/// The minimum and maximum of a type, for messages.
pub(super) trait Limits {
    const LEAST: i64;
    const MOST: i64;
}

macro_rules! limits {
    ($($of:ident)*) => { $(
        #[allow(clippy::as_conversions, reason = "none has more than 32 bits")]
        impl Limits for $of {
            const LEAST: i64 = $of::MIN as i64;
            const MOST: i64 = $of::MAX as i64;
        }
    )* };
}
limits! { u8 u16 i16 u32 i32 }

fn load_hexadecimal(source: &dyn Source) -> Result<u64, String> {
    let text = source.text();
    let digits = text.as_deref().and_then(|text| text.strip_prefix("0x"));
    digits
        .filter(|digits| digits.len() <= 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
        .and_then(|digits| u64::from_str_radix(digits, 16).ok())
        .ok_or_else(|| "64 bits in hexadecimal, such as \"0x01bf53eb256d4000\"".to_owned())
}

/// Returns the float that equals a whole number, if there is one among the floats that are written without an exponent.
pub fn whole_f32(whole: i64) -> Option<f32> {
    let exact = f64::from(i32::try_from(whole).ok()?);
    let float: f32 = whole.to_string().parse().ok()?;
    (f64::from(float).total_cmp(&exact).is_eq()).then_some(float)
}

/// Returns any float, including those that are given by their bits; an integer only if the float equals it exactly.
fn load_f32(source: &dyn Source) -> Result<f32, String> {
    let whole = || whole_f32(source.whole()?);
    let bits = || float_of_bits(source.text()?.strip_prefix("f32:")?);
    let float = source.float().or_else(whole).or_else(bits);
    float.ok_or_else(|| "a float, such as 1.5 or \"f32:7fc00000\"".to_owned())
}

/// Returns the number nearest to a decimal.
fn load_fixed<N: TryFrom<i64> + Limits>(source: &dyn Source) -> Result<N, String> {
    let parts = source.fixed().or_else(|| source.whole().map(fixed::whole));
    parts.and_then(|parts| N::try_from(parts).ok()).ok_or_else(|| {
        let [least, most] = [N::LEAST, N::MOST].map(fixed::shortest);
        format!("a decimal from {least:?} to {most:?}, such as 1.5")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_orders() {
        assert_eq!(crate::bytes_of(&U32::new(0x0102_0304)), [4, 3, 2, 1]);
        assert_eq!(crate::bytes_of(&I16be::new(-2)), [0xFF, 0xFE]);
        assert_eq!(F32::new(-0.0).get().to_bits(), 0x8000_0000);
    }

    #[test]
    fn numbers_convert_both_ways_and_display_their_value() {
        let number = U32be::from(7);
        assert!(number == 7 && u32::from(number) == 7);
        assert_eq!(format!("{number:>3} {} {:.2} {:?}", I16::new(-2), F32::new(0.5), U8::new(9)), "  7 -2 0.50 9");
        // Numbers compare by their bytes, except to a primitive.
        let nan = f32::from_bits(0x7FC0_0000);
        assert!(F32::new(nan) == F32::new(nan) && F32::new(nan) != nan);
    }

    #[test]
    fn every_float_round_trips_to_the_bit() {
        for bits in [0_u32, 0x8000_0000, 1, 0x3DCC_CCCD, 0x7F80_0000, 0x7FA0_0001, 0xFFFF_FFFF] {
            let mut back = F32::default();
            let json = F32::OF.show(&bits.to_le_bytes());
            F32::OF.set(&json, crate::bytes_of_mut(&mut back)).expect("loads");
            assert_eq!(back.get().to_bits(), bits, "{json:?}");
        }
    }

    #[test]
    fn values_that_do_not_fit_are_not_loaded() {
        let mut field = U8::new(7);
        let error = U8::OF.set(&256.into(), crate::bytes_of_mut(&mut field));
        assert_eq!(error, Err("a whole number from 0 to 255".to_owned()));
        assert!(F32::OF.set(&"1.5".into(), &mut [0; 4]).is_err());
        let mut float = F32::default();
        F32::OF.set(&(-3).into(), crate::bytes_of_mut(&mut float)).expect("is exactly a float");
        assert_eq!(float.get(), -3.0);
        assert!(F32::OF.set(&16_777_217.into(), crate::bytes_of_mut(&mut float)).is_err());
        assert!(FileTime::OF.set(&5.into(), &mut [0; 8]).is_err());
        for time in ["0x00000000000000001", "0x+1", "0xg", "1"] {
            assert!(FileTime::OF.set(&time.into(), &mut [0; 8]).is_err(), "{time}");
        }
        assert!(FileTime::OF.set(&"0x01bf53eb256d4000".into(), &mut [0; 8]).is_ok());
    }

    #[test]
    fn integers_refuse_values_that_do_not_fit() {
        assert_eq!(I16be::of(32768), None);
        assert_eq!(U16::of(65535), Some(U16::new(65535)));
        assert_eq!(I32::new(-1).wide(), None);
    }
}
