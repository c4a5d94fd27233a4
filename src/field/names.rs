//! Numbers with names: flag words and open enumerations. A value without a name is shown as a number.

use bytemuck::{Pod, Zeroable};

use super::json::Json;
use super::json_print::put_shown;
use super::layout::{Class, Leaf, Shape, Shaped, Takes};
use super::scan;

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
        $vis struct $name($crate::field::$store);

        impl $name {
            $($(#[$bit_meta])* $vis const $bit: Self = Self($crate::field::$store::new($value));)*
        }

        impl $crate::macros::Flags for $name {
            const FLAGS: &'static [$crate::macros::Flag<Self>] =
                &[$($crate::macros::Flag::new(stringify!($bit), Self::$bit)),*];
            type Bits = $of;

            fn bits(&self) -> $of {
                self.0.get()
            }

            fn from_bits_retain(bits: $of) -> Self {
                Self($crate::field::$store::new(bits))
            }
        }

        impl $crate::field::Shaped for $name {
            const SHAPE: $crate::field::Shape = $crate::field::Shape::Leaf(&$crate::field::Leaf {
                name: stringify!($name),
                size: size_of::<$of>(),
                takes: $crate::field::Takes::Flags(|| {
                    <Self as $crate::macros::Flags>::FLAGS.iter().map($crate::macros::Flag::name).collect()
                }),
                show: |bytes| $crate::field::show_flags::<Self>(bytes),
                print: |bytes, text| $crate::field::print_flags::<Self>(bytes, text),
                load: |json, bytes| $crate::field::load_flags::<Self>(json, bytes),
                tail: None,
                nan: |_| false,
                scan: Some(|text, bytes| $crate::field::scan_flags::<Self>(text, bytes)),
                refers: false,
            });
            const CLASS: $crate::field::Class = $crate::field::Class::Semantic;
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
/// ([`Referents`](crate::field::Referents)).
#[macro_export]
macro_rules! names {
    ($(#[$meta:meta])* $vis:vis struct $name:ident($store:ident: $of:ty) $(as $role:ident)? {
        $($(#[$value_meta:meta])* $known:ident $(as $text:literal)? = $value:expr;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, $crate::macros::bytemuck::Pod, $crate::macros::bytemuck::Zeroable)]
        #[bytemuck(crate = "::bitexact::macros::bytemuck")]
        #[repr(transparent)]
        $vis struct $name($crate::field::$store);

        impl $name {
            $($(#[$value_meta])* $vis const $known: Self = Self($crate::field::$store::new($value));)*

            /// Creates a value, known or not.
            #[must_use]
            $vis const fn new(value: $of) -> Self {
                Self($crate::field::$store::new(value))
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

        impl $crate::field::Shaped for $name {
            const SHAPE: $crate::field::Shape = $crate::field::Shape::Leaf(&$crate::field::Leaf {
                name: stringify!($name),
                size: size_of::<$of>(),
                takes: $crate::field::Takes::Names(|| Self::KNOWN.iter().map(|(name, _)| *name).collect()),
                show: |bytes| {
                    let value: Self = $crate::macros::read_pod(bytes).unwrap_or_default();
                    $crate::field::Json::Named(value.name().map(Into::into), value.get().into())
                },
                print: |bytes, text| {
                    let value: Self = $crate::macros::read_pod(bytes).unwrap_or_default();
                    match value.name() {
                        Some(name) => $crate::field::put_text(name, text),
                        None => $crate::field::put_whole(value.get(), text),
                    }
                },
                load: |json, bytes| $crate::field::load_name(<$crate::field::$store>::OF, Self::KNOWN, json, bytes),
                tail: None,
                nan: |_| false,
                scan: Some(|text, bytes| {
                    $crate::field::scan_name(<$crate::field::$store>::OF, Self::KNOWN, text, bytes)
                }),
                refers: $crate::names!(@refers $($role)?),
            });
            const CLASS: $crate::field::Class = $crate::field::Class::Semantic;
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
        show: |bytes| (bytes != [0]).into(),
        print: |bytes, text| text.extend_from_slice(if bytes == [0] { b"false" } else { b"true" }),
        load: |json, bytes| {
            let Json::Bool(truth) = json else { return Err("true or false".to_owned()) };
            crate::macros::put(&Self::from(*truth), bytes);
            Ok(())
        },
        tail: None,
        nan: |_| false,
        scan: None,
        refers: false,
    });
    const CLASS: Class = Class::Semantic;
}

/// Returns a flag word as JSON: the names of its bits, then unknown bits, as in `A | B | 0x8000`; 0 if none are set.
#[must_use]
pub fn show_flags<F>(bytes: &[u8]) -> Json
where
    F: bitflags::Flags + bytemuck::AnyBitPattern,
    F::Bits: bitflags::parser::WriteHex + Into<i64>,
{
    struct Shown<F>(F);
    impl<F: bitflags::Flags> core::fmt::Display for Shown<F>
    where
        F::Bits: bitflags::parser::WriteHex,
    {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            bitflags::parser::to_writer(&self.0, f)
        }
    }
    let flags: Option<F> = bytemuck::try_pod_read_unaligned(bytes).ok();
    match flags {
        Some(flags) if !flags.is_empty() => Json::Named(Some(Shown(flags).to_string().into()), flags.bits().into()),
        _ => Json::Named(None, 0),
    }
}

/// Writes a flag word as [`show_flags`] shows it.
pub fn print_flags<F>(bytes: &[u8], text: &mut Vec<u8>)
where
    F: bitflags::Flags + bytemuck::AnyBitPattern,
    F::Bits: bitflags::parser::WriteHex,
{
    let flags: Option<F> = bytemuck::try_pod_read_unaligned(bytes).ok();
    match flags {
        Some(flags) if !flags.is_empty() => put_shown(|text| bitflags::parser::to_writer(&flags, text), text),
        _ => text.push(b'0'),
    }
}

/// Sets a flag word from the names of its bits, or from a number.
///
/// # Errors
/// Returns an error with the expected value.
pub fn load_flags<F>(json: &Json, bytes: &mut [u8]) -> Result<(), String>
where
    F: bitflags::Flags + bytemuck::NoUninit,
    F::Bits: bitflags::parser::ParseHex + TryFrom<i64>,
{
    let flags = match json {
        Json::Text(text) => bitflags::parser::from_str(text).ok(),
        number => number.integer().and_then(|bits| F::Bits::try_from(bits).ok()).map(F::from_bits_retain),
    };
    let flags: F = flags.ok_or_else(|| {
        let names: Vec<_> = F::FLAGS.iter().map(bitflags::Flag::name).collect();
        format!("a number, or names separated by | (known: {})", names.join(", "))
    })?;
    crate::macros::put(&flags, bytes);
    Ok(())
}

/// Sets a flag word straight from the text of a token. Returns `false` if that did not work.
pub fn scan_flags<F>(text: &[u8], bytes: &mut [u8]) -> bool
where
    F: bitflags::Flags + bytemuck::NoUninit,
    F::Bits: bitflags::parser::ParseHex + TryFrom<i64>,
{
    let flags: Option<F> = match scan::ascii(text) {
        Some(names) => core::str::from_utf8(names).ok().and_then(|names| bitflags::parser::from_str(names).ok()),
        None => scan::whole(text).and_then(|bits| F::Bits::try_from(bits).ok()).map(F::from_bits_retain),
    };
    flags.inspect(|flags| crate::macros::put(flags, bytes)).is_some()
}

/// Sets an enumeration straight from the text of a token. Returns `false` if that did not work.
pub fn scan_name<T: bytemuck::NoUninit>(number: &Leaf, known: &[(&str, T)], text: &[u8], bytes: &mut [u8]) -> bool {
    let Some(found) = scan::ascii(text) else { return number.scan.is_some_and(|scan| scan(text, bytes)) };
    let value = known.iter().find_map(|(name, value)| (name.as_bytes() == found).then_some(value));
    value.inspect(|value| crate::macros::put(*value, bytes)).is_some()
}

/// Sets an enumeration from a name or a number.
///
/// # Errors
/// Returns an error with the expected value.
pub fn load_name<T: bytemuck::NoUninit>(
    number: &Leaf,
    known: &[(&str, T)],
    json: &Json,
    bytes: &mut [u8],
) -> Result<(), String> {
    let Json::Text(text) = json else { return (number.load)(json, bytes) };
    let found = known.iter().find_map(|(name, value)| (*name == text).then_some(value));
    let names = || known.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    crate::macros::put(found.ok_or_else(|| format!("a number or one of {}", names()))?, bytes);
    Ok(())
}

#[cfg(test)]
mod tests {
    use bitflags::Flags as _;

    use super::{print_flags, scan_flags, scan_name};
    use crate::field::{Json, Shaped as _};

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

    #[test]
    fn unknown_bits_survive_and_show() {
        let tracks = Tracks::from_bits_retain(0x800C);
        assert!(tracks.contains(Tracks::ROTATION));
        assert_eq!(Tracks::SHAPE.show(crate::field::bytes_of(&tracks)), "ROTATION | TRANSLATION | 0x8000");
        assert_eq!(Tracks::SHAPE.show(&[0; 4]), 0);
    }

    #[test]
    fn names_and_numbers_round_trip() {
        // As it is shown, and as it is read back.
        let both = |json: Json| [crate::field::parse(json.to_string().as_bytes()).expect("JSON"), json];
        let leaf = |shape| if let crate::field::Shape::Leaf(leaf) = shape { leaf } else { panic!("a leaf") };
        for bits in [0, 4, 12, 0x800C, u32::MAX] {
            let (before, mut after) = (bits.to_le_bytes(), [0; 4]);
            let flags = leaf(Tracks::SHAPE);
            for json in both((flags.show)(&before)) {
                (flags.load)(&json, &mut after).expect("loads");
                assert_eq!(core::mem::take(&mut after), before);
            }
        }
        let mut word = [0; 4];
        (leaf(Tracks::SHAPE).load)(&0x800C.into(), &mut word).expect("a number will do, with bits that have no name");
        assert_eq!(word, 0x800C_u32.to_le_bytes());
        for value in [0_u16, 1, 2, 9] {
            let (before, mut after) = (value.to_be_bytes(), [7; 2]);
            let names = leaf(Fork::SHAPE);
            for json in both((names.show)(&before)) {
                (names.load)(&json, &mut after).expect("loads");
                assert_eq!(core::mem::replace(&mut after, [7; 2]), before);
            }
        }
        assert!((leaf(Tracks::SHAPE).load)(&"TURN".into(), &mut [0; 4]).is_err_and(|it| it.contains("ROTATION")));
        assert!((leaf(Fork::SHAPE).load)(&"FORK".into(), &mut [0; 2]).is_err_and(|it| it.contains("RESOURCE")));
    }

    #[test]
    fn unknown_values_are_numbers() {
        assert_eq!(Fork::SHAPE.show(&[0, 2]), "RESOURCE");
        assert_eq!(Fork::SHAPE.show(&[0, 9]), 9);
        assert_eq!(Fork::new(1), Fork::DATA);
    }

    #[test]
    fn names_are_set_and_printed_without_a_value_in_between() {
        let mut word = [7; 4];
        for (text, set) in [("\"ROTATION\"", Some(4)), ("12]", Some(12)), ("\"ROTATION | TRANSLATION\",", Some(12))] {
            assert_eq!(
                scan_flags::<Tracks>(text.as_bytes(), &mut word).then_some(u32::from_le_bytes(word)),
                set,
                "{text}"
            );
        }
        assert!(!scan_flags::<Tracks>(b"\"TURN\"", &mut word) && word == 12_u32.to_le_bytes());
        for bits in [0_u32, 4, 0x800C] {
            let mut text = Vec::new();
            print_flags::<Tracks>(&bits.to_le_bytes(), &mut text);
            assert_eq!(text, Tracks::SHAPE.show(&bits.to_le_bytes()).to_string().into_bytes());
        }
        let known = [("DATA", Fork::DATA), ("RESOURCE", Fork::RESOURCE)];
        let mut short = [7; 2];
        assert!(scan_name(crate::field::U16be::OF, &known, b"\"RESOURCE\"", &mut short) && short == [0, 2]);
        assert!(scan_name(crate::field::U16be::OF, &known, b"9,", &mut short) && short == [0, 9]);
        assert!(!scan_name(crate::field::U16be::OF, &known, b"\"FORK\"", &mut short) && short == [0, 9]);
    }
}
