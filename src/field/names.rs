//! Numbers with names: flag words and open enumerations. A value without a name is shown as a number.

use bytemuck::{Pod, Zeroable};

use super::cast::put;
use super::layout::{Class, Expected, Leaf, Shape, Shaped, Takes};
use super::sink::{Sink, Source};

/// Declares a flag word over one of the byte-backed numbers.
///
/// Unknown bits are preserved, and shown as a number after the names: `TRANSLATION | ROTATION | 0x8000`. The type implements
/// [`bitflags::Flags`], whose methods (`contains`, `iter_names`, …) test bits.
#[macro_export]
macro_rules! flags {
    ($(#[$meta:meta])* $vis:vis struct $name:ident($store:ident: $of:ty) {
        $($(#[$bit_meta:meta])* $bit:ident = $value:expr;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, $crate::macros::bytemuck::Pod, $crate::macros::bytemuck::Zeroable)]
        #[bytemuck(crate = "::bitexact::macros::bytemuck")]
        #[repr(transparent)]
        $vis struct $name($crate::macros::$store);

        impl $name {
            $($(#[$bit_meta])* $vis const $bit: Self = Self($crate::macros::$store::new($value));)*
        }

        impl $crate::macros::Flags for $name {
            const FLAGS: &'static [$crate::macros::Flag<Self>] =
                &[$($crate::macros::Flag::new(stringify!($bit), Self::$bit)),*];
            type Bits = $of;

            fn bits(&self) -> $of {
                self.0.get()
            }

            fn from_bits_retain(bits: $of) -> Self {
                Self($crate::macros::$store::new(bits))
            }
        }

        impl $crate::Shaped for $name {
            const SHAPE: $crate::Shape = $crate::Shape::Leaf(&$crate::Leaf {
                name: stringify!($name),
                size: size_of::<$of>(),
                takes: $crate::Takes::Flags(|| {
                    <Self as $crate::macros::Flags>::FLAGS.iter().map($crate::macros::Flag::name).collect()
                }),
                put: |bytes, sink| $crate::macros::put_flags::<Self>(bytes, sink),
                load: |source, bytes| $crate::macros::load_flags::<Self>(source, bytes),
                number: Some($crate::macros::$store::OF),
                tail: None,
                nan: |_| false,
                refers: false,
            });
            const CLASS: $crate::Class = $crate::Class::Semantic;
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                $crate::macros::write_flags(self, f)
            }
        }
    };
}

/// Declares an open enumeration over one of the byte-backed numbers: known values have names, others are shown as numbers.
///
/// `IDENTIFIER as "name"` declares a name that Rust does not accept as an identifier, for example because it begins with a digit.
///
/// With `as Index`, the other values are indices, for which the names of what they refer to can be given
/// ([`Referents`](crate::Referents)).
#[macro_export]
macro_rules! names {
    ($(#[$meta:meta])* $vis:vis struct $name:ident($store:ident: $of:ty) $(as $role:ident)? {
        $($(#[$value_meta:meta])* $known:ident $(as $text:literal)? = $value:expr;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, $crate::macros::bytemuck::Pod, $crate::macros::bytemuck::Zeroable)]
        #[bytemuck(crate = "::bitexact::macros::bytemuck")]
        #[repr(transparent)]
        $vis struct $name($crate::macros::$store);

        impl $name {
            $($(#[$value_meta])* $vis const $known: Self = Self($crate::macros::$store::new($value));)*

            /// Creates a value, known or not.
            #[must_use]
            $vis const fn new(value: $of) -> Self {
                Self($crate::macros::$store::new(value))
            }

            /// Returns the number.
            #[must_use]
            $vis const fn get(self) -> $of {
                self.0.get()
            }

            /// Returns the name, or `None` if the number has none.
            #[must_use]
            $vis fn name(self) -> Option<&'static str> {
                Self::KNOWN.iter().find_map(|(name, known)| (*known == self).then_some(*name))
            }

            const KNOWN: &[(&'static str, Self)] = &[$(($crate::names!(@name $known $($text)?), Self::$known)),*];
        }

        impl $crate::Shaped for $name {
            const SHAPE: $crate::Shape = $crate::Shape::Leaf(&$crate::Leaf {
                name: stringify!($name),
                size: size_of::<$of>(),
                takes: $crate::Takes::Names(|| Self::KNOWN.iter().map(|(name, _)| *name).collect()),
                put: |bytes, sink| {
                    let value: Self = $crate::macros::read_pod(bytes).unwrap_or_default();
                    match value.name() {
                        Some(name) => sink.text(name),
                        None => sink.whole(value.get().into()),
                    }
                },
                load: |source, bytes| $crate::macros::load_name($crate::macros::$store::OF, Self::KNOWN, source, bytes),
                number: Some($crate::macros::$store::OF),
                tail: None,
                nan: |_| false,
                refers: $crate::names!(@refers $($role)?),
            });
            const CLASS: $crate::Class = $crate::Class::Semantic;
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self.name() {
                    Some(name) => f.write_str(name),
                    None => self.get().fmt(f),
                }
            }
        }
    };
    (@name $known:ident) => { stringify!($known) };
    (@name $known:ident $text:literal) => { $text };
    (@refers) => { false };
    (@refers Index) => { true };
}

/// A Boolean for facts, which no file stores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Truth(u8);

impl From<bool> for Truth {
    fn from(truth: bool) -> Self {
        Self(truth.into())
    }
}

impl From<Truth> for bool {
    fn from(truth: Truth) -> Self {
        truth.0 != 0
    }
}

impl Shaped for Truth {
    const SHAPE: Shape = Shape::Leaf(&Leaf {
        name: "truth",
        size: 1,
        takes: Takes::Truth,
        put: |bytes, sink| sink.truth(bytes != [0]),
        load: |source, bytes| {
            put(&Self::from(source.truth().ok_or("true or false")?), bytes);
            Ok(())
        },
        number: None,
        tail: None,
        nan: |_| false,
        refers: false,
    });
    const CLASS: Class = Class::Semantic;
}

/// Puts a flag word: the names of its bits, then unknown bits, as in `A | B | 0x8000`; 0 if none are set.
pub fn put_flags<F>(bytes: &[u8], sink: &mut dyn Sink)
where
    F: bitflags::Flags + bytemuck::AnyBitPattern,
    F::Bits: bitflags::parser::WriteHex,
{
    let flags: Option<F> = bytemuck::try_pod_read_unaligned(bytes).ok();
    match flags {
        Some(flags) if !flags.is_empty() => {
            let mut text = String::with_capacity(64);
            // Writing to memory cannot fail.
            bitflags::parser::to_writer(&flags, &mut text).unwrap_or_default();
            sink.text(&text);
        }
        _ => sink.whole(0),
    }
}

/// Sets a flag word from the names of its bits, or from a number.
///
/// # Errors
/// Returns an error with the expected value.
pub fn load_flags<F>(source: &dyn Source, bytes: &mut [u8]) -> Result<(), Expected>
where
    F: bitflags::Flags + bytemuck::NoUninit,
    F::Bits: bitflags::parser::ParseHex + TryFrom<i64>,
{
    let flags: Option<F> = match source.text() {
        Some(names) => bitflags::parser::from_str(&names).ok(),
        None => source.whole().and_then(|bits| F::Bits::try_from(bits).ok()).map(F::from_bits_retain),
    };
    let flags = flags.ok_or_else(|| {
        let names: Vec<_> = F::FLAGS.iter().map(bitflags::Flag::name).collect();
        format!("a number, or names separated by | (known: {})", names.join(", "))
    })?;
    put(&flags, bytes);
    Ok(())
}

/// Sets an enumeration from a name or a number.
///
/// # Errors
/// Returns an error with the expected value.
pub fn load_name<T: bytemuck::NoUninit>(
    number: &Leaf,
    known: &[(&str, T)],
    source: &dyn Source,
    bytes: &mut [u8],
) -> Result<(), Expected> {
    let Some(found) = source.text() else { return (number.load)(source, bytes) };
    let value = known.iter().find_map(|(name, value)| (*name == found).then_some(value));
    put(value.ok_or(Expected::Name)?, bytes);
    Ok(())
}

#[cfg(test)]
mod tests {
    use bitflags::Flags as _;

    use crate::{Shaped as _, Value};

    flags! {
        /// Two known bits.
        struct Tracks(U32: u32) {
            ROTATION = 4;
            TRANSLATION = 8;
        }
    }
    names! {
        /// Two known values.
        struct Fork(U16be: u16) {
            DATA = 1;
            RESOURCE = 2;
        }
    }

    fn leaf(shape: crate::Shape) -> &'static crate::Leaf {
        if let crate::Shape::Leaf(leaf) = shape { leaf } else { panic!("a leaf") }
    }

    #[test]
    fn unknown_bits_survive_and_show() {
        let tracks = Tracks::from_bits_retain(0x800C);
        assert!(tracks.contains(Tracks::ROTATION));
        assert_eq!(Tracks::SHAPE.show(crate::bytes_of(&tracks)), "ROTATION | TRANSLATION | 0x8000");
        assert_eq!(Tracks::SHAPE.show(&[0; 4]), 0);
    }

    #[test]
    fn names_and_numbers_round_trip() {
        // As it is shown, and as it is read back.
        let both = |json: Value| {
            let back = match &json {
                Value::Named(Some(name), _) => name.as_str().into(),
                other => other.integer().unwrap_or(-1).into(),
            };
            [back, json]
        };
        for bits in [0, 4, 12, 0x800C, u32::MAX] {
            let (before, mut after) = (bits.to_le_bytes(), [0; 4]);
            let flags = leaf(Tracks::SHAPE);
            for json in both(flags.show(&before)) {
                flags.set(&json, &mut after).expect("loads");
                assert_eq!(core::mem::take(&mut after), before);
            }
        }
        let mut word = [0; 4];
        leaf(Tracks::SHAPE).set(&0x800C.into(), &mut word).expect("a number will do, with bits that have no name");
        assert_eq!(word, 0x800C_u32.to_le_bytes());
        for value in [0_u16, 1, 2, 9] {
            let (before, mut after) = (value.to_be_bytes(), [7; 2]);
            let names = leaf(Fork::SHAPE);
            for json in both(names.show(&before)) {
                names.set(&json, &mut after).expect("loads");
                assert_eq!(core::mem::replace(&mut after, [7; 2]), before);
            }
        }
        assert!(leaf(Tracks::SHAPE).set(&"TURN".into(), &mut [0; 4]).is_err_and(|it| it.contains("ROTATION")));
        assert!(leaf(Fork::SHAPE).set(&"FORK".into(), &mut [0; 2]).is_err_and(|it| it.contains("RESOURCE")));
    }

    #[test]
    fn unknown_values_are_numbers() {
        assert_eq!(Fork::SHAPE.show(&[0, 2]), "RESOURCE");
        assert_eq!(Fork::SHAPE.show(&[0, 9]), 9);
        assert_eq!(Fork::new(1), Fork::DATA);
    }
}
