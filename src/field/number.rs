//! Numbers that live as bytes: any offset, both byte orders, any host.
//!
//! A [`U32`] is four bytes with alignment 1, so a record of them is exactly its bytes on disk and a block of records
//! is a slice of the file. `get` and `set` are the only places where a byte order is chosen.

use bytemuck::{Pod, Zeroable};
use serde_json::Value;

use super::layout::{Class, Leaf, Shape, Shaped};

/// A whole number that can hold a count, a length or an offset.
pub trait Whole: Shaped + Default {
    /// Its type.
    const LEAF: &'static Leaf;
    /// The value, if it is not negative.
    fn wide(self) -> Option<u64>;
    /// The value as stored, for messages.
    fn signed(self) -> i128;
    /// This number holding `value`, if it fits.
    fn of(value: u64) -> Option<Self>;
}

macro_rules! number {
    ($(#[$meta:meta])* $name:ident, $of:ty, $to:ident, $from:ident, $show:expr, $nan:expr) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
        #[repr(transparent)]
        pub struct $name([u8; size_of::<$of>()]);

        impl $name {
            const OF: &'static Leaf = &Leaf {
                name: stringify!($of),
                size: size_of::<$of>(),
                show: |bytes| {
                    let show: fn($of) -> Value = $show;
                    bytemuck::try_pod_read_unaligned::<Self>(bytes).map_or(Value::Null, |it| show(it.get()))
                },
                tail: None,
                nan: |bytes| {
                    let nan: fn($of) -> bool = $nan;
                    bytemuck::try_pod_read_unaligned::<Self>(bytes).is_ok_and(|it| nan(it.get()))
                },
            };

            /// The number in its bytes.
            #[must_use]
            pub const fn new(value: $of) -> Self {
                Self(value.$to())
            }

            /// The value.
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
        number! { $(#[$meta])* $name, $of, $to, $from, |value| Value::from(value), |_| false }

        impl Whole for $name {
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
    /// A Windows FILETIME: steps of 100 ns since 1601-01-01 UTC, little endian, at any offset. Any value is kept.
    FileTime, u64, to_le_bytes, from_le_bytes, |value| Value::from(format!("{value:#018x}")), |_| false
}

number! {
    /// IEEE 754 binary32, little endian. All 32 bits are kept, NaN patterns and -0.0 included.
    F32, f32, to_le_bytes, from_le_bytes, show_f32, f32::is_nan
}

/// A float as JSON: the shortest decimal that reads back to the same bits; what JSON cannot say as `"f32:7fa00001"`.
fn show_f32(value: f32) -> Value {
    if value.is_finite() {
        // The shortest decimal of the f32, not of the same value as f64, which would print 17 digits.
        if let Ok(wide) = format!("{value:?}").parse::<f64>() {
            return Value::from(wide);
        }
    }
    Value::from(format!("f32:{:08x}", value.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_orders() {
        assert_eq!(bytemuck::bytes_of(&U32::new(0x0102_0304)), [4, 3, 2, 1]);
        assert_eq!(bytemuck::bytes_of(&I16be::new(-2)), [0xFF, 0xFE]);
        assert_eq!(F32::new(-0.0).get().to_bits(), 0x8000_0000);
    }

    #[test]
    fn floats_are_shortest_and_exact() {
        assert_eq!(show_f32(0.1).to_string(), "0.1");
        assert_eq!(show_f32(-0.0).to_string(), "-0.0");
        assert_eq!(show_f32(f32::from_bits(0x7FA0_0001)), "f32:7fa00001");
        assert_eq!(show_f32(f32::NEG_INFINITY), "f32:ff800000");
        for bits in [1, 0x0080_0000, 0x7F7F_FFFF, 0x3DCC_CCCD, 0x4B80_0001] {
            let value = f32::from_bits(bits);
            let text = show_f32(value).to_string();
            assert_eq!(text.parse::<f32>().map(f32::to_bits), Ok(bits), "{text}");
        }
    }

    #[test]
    fn wholes_refuse_what_does_not_fit() {
        assert_eq!(I16be::of(32768), None);
        assert_eq!(U16::of(65535), Some(U16::new(65535)));
        assert_eq!(I32::new(-1).wide(), None);
    }
}
