//! Words of several parts, shown as `WALLS1 | SHAPE=5 | COLOR_TABLE=2`. A word with bits outside its parts is shown as a number.

use super::layout::{Expected, Leaf};
use super::sink::{Sink, Source};

/// A word of several parts.
pub struct Word {
    /// `true` if a word with all bits set means none.
    pub has_none: bool,
    /// `true` if its first byte has the least significant bits.
    pub is_little: bool,
    /// Its parts. A part is left out if it shares bits with one that is shown before it.
    pub parts: &'static [Part],
}

/// A part of a word.
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// Its bits, side by side.
    pub mask: u32,
    /// The names of its values.
    pub values: &'static [(u32, &'static str)],
    /// `true` if it is shown even if all its bits are clear.
    pub is_always_shown: bool,
    /// How its values are shown.
    pub naming: Naming,
}

/// How the values of a part are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// By their names, or as numbers after the name of the part.
    Value,
    /// After the name of the part.
    Both,
    /// By their names only; a value without a name is left to other parts.
    Known,
}

/// The word with all bits set.
const NONE: &str = "NONE";

impl Part {
    /// Returns a part with named values.
    pub const fn named(name: &'static str, mask: u32, values: &'static [(u32, &'static str)]) -> Self {
        Self { name, mask, values, is_always_shown: true, naming: Naming::Value }
    }

    /// Returns a part with numbers, or a flag if it has only one bit, shown unless it is 0.
    pub const fn number(name: &'static str, mask: u32) -> Self {
        Self { name, mask, values: &[], is_always_shown: false, naming: Naming::Value }
    }

    /// Returns a part whose named values follow its name, shown unless it is 0.
    pub const fn choice(name: &'static str, mask: u32, values: &'static [(u32, &'static str)]) -> Self {
        Self { name, mask, values, is_always_shown: false, naming: Naming::Both }
    }

    /// Returns a part that is shown only for its named values.
    pub const fn known(name: &'static str, mask: u32, values: &'static [(u32, &'static str)]) -> Self {
        Self { name, mask, values, is_always_shown: false, naming: Naming::Known }
    }

    /// Returns the value of the part in a word.
    fn of(&self, bits: u32) -> u32 {
        (bits & self.mask) >> self.mask.trailing_zeros()
    }

    fn is_flag(&self) -> bool {
        self.mask.is_power_of_two()
    }

    fn largest(&self) -> u32 {
        self.of(self.mask)
    }

    /// Returns the part as shown, or `None` if it is left out.
    fn show(&self, bits: u32) -> Option<String> {
        let value = self.of(bits);
        match self.values.iter().find(|(known, _)| *known == value) {
            Some((_, name)) if self.naming == Naming::Both => Some(format!("{}={name}", self.name)),
            Some((_, name)) => Some((*name).to_owned()),
            None if self.naming == Naming::Known => None,
            None if value == 0 && !self.is_always_shown => None,
            None if self.is_flag() => Some(self.name.to_owned()),
            None => Some(format!("{}={value}", self.name)),
        }
    }

    /// Returns the value that a word of text gives the part, or `None` if it is about another part.
    fn load(&self, text: &str) -> Option<u32> {
        let named = |text: &str| self.values.iter().find_map(|(value, name)| (*name == text).then_some(*value));
        match text.split_once('=') {
            Some((name, value)) if name == self.name => {
                named(value).or_else(|| value.parse().ok().filter(|value| *value <= self.largest()))
            }
            Some(_) => None,
            None if self.naming == Naming::Both => None,
            None if self.is_flag() => (text == self.name).then_some(1),
            None => named(text),
        }
    }
}

impl Word {
    /// Puts the word, as a number if its parts do not describe it; `number` is the type of that.
    pub fn put(&self, number: &Leaf, bytes: &[u8], sink: &mut dyn Sink) {
        let more = |bits, byte: &u8| bits << 8 | u32::from(*byte);
        let bits = if self.is_little { bytes.iter().rev().fold(0, more) } else { bytes.iter().fold(0, more) };
        let known = self.parts.iter().fold(0, |known, part| known | part.mask);
        let shown = match self.has_none && bytes.iter().all(|byte| *byte == 0xFF) {
            true => vec![NONE.to_owned()],
            false if bits & !known != 0 => Vec::new(),
            false => {
                let mut taken = 0;
                let shown = self.parts.iter().filter_map(|part| {
                    let text = part.show(bits).filter(|_| part.mask & taken == 0)?;
                    taken |= part.mask;
                    Some(text)
                });
                shown.collect()
            }
        };
        match shown.as_slice() {
            [] => (number.put)(bytes, sink),
            words => sink.text(&words.join(" | ")),
        }
    }

    /// Sets the word from its parts, or from a number.
    pub fn load(&self, number: &Leaf, source: &dyn Source, bytes: &mut [u8]) -> Result<(), Expected> {
        let Some(text) = source.text() else { return (number.load)(source, bytes) };
        if self.has_none && text == NONE {
            bytes.fill(0xFF);
            return Ok(());
        }
        let (mut bits, mut given) = (0, 0);
        for word in text.split('|').map(str::trim) {
            let found = self.parts.iter().find_map(|part| Some((part, part.load(word)?)));
            let Some((part, value)) = found.filter(|(part, _)| part.mask & given == 0) else {
                return Err(self.expected().into());
            };
            bits |= value << part.mask.trailing_zeros();
            given |= part.mask;
        }
        let values = bits.to_le_bytes().into_iter();
        match self.is_little {
            true => bytes.iter_mut().zip(values).for_each(|(byte, value)| *byte = value),
            false => bytes.iter_mut().rev().zip(values).for_each(|(byte, value)| *byte = value),
        }
        Ok(())
    }

    /// Returns what is expected: its parts, and the names of their values.
    fn expected(&self) -> String {
        let part = |part: &Part| match (part.is_flag(), part.values) {
            (true, _) => part.name.to_owned(),
            (_, []) => format!("{} from 0 to {}", part.name, part.largest()),
            (_, values) => {
                let names: Vec<_> = values.iter().map(|(_, name)| *name).collect();
                format!("{} from 0 to {} or its name ({})", part.name, part.largest(), names.join(", "))
            }
        };
        let parts: Vec<_> = self.parts.iter().map(part).collect();
        format!("a number, {}or parts separated by |: {}", if self.has_none { "NONE " } else { "" }, parts.join(", "))
    }
}

/// Declares a word of several parts over a byte-backed number.
#[macro_export]
macro_rules! packed {
    ($(#[$meta:meta])* $vis:vis struct $name:ident($store:ident: $of:ty) = $word:expr) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, $crate::macros::bytemuck::Pod, $crate::macros::bytemuck::Zeroable)]
        #[bytemuck(crate = "::bitexact::macros::bytemuck")]
        #[repr(transparent)]
        $vis struct $name($crate::macros::$store);

        impl $name {
            const WORD: $crate::packed::Word = $word;

            /// Creates a value from its bits.
            #[must_use]
            pub const fn new(bits: $of) -> Self {
                Self($crate::macros::$store::new(bits))
            }

            /// Returns its bits.
            #[must_use]
            pub const fn get(self) -> $of {
                self.0.get()
            }
        }

        impl $crate::Shaped for $name {
            const SHAPE: $crate::Shape = $crate::Shape::Leaf(&$crate::Leaf {
                name: stringify!($name),
                size: size_of::<$of>(),
                takes: $crate::Takes::Words,
                put: |bytes, sink| Self::WORD.put($crate::macros::$store::OF, bytes, sink),
                load: |source, bytes| Self::WORD.load($crate::macros::$store::OF, source, bytes),
                number: Some($crate::macros::$store::OF),
                tail: None,
                nan: |_| false,
                refers: false,
            });
            const CLASS: $crate::Class = $crate::Class::Semantic;
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                self.get().fmt(f)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use crate::sink::Shown;
    use crate::{Expected, Leaf, U16, U16be, Value};

    use super::{Part, Word};

    const WORD: Word = Word {
        has_none: true,
        is_little: false,
        parts: &[
            Part::named("COLLECTION", 0x1F00, &[(17, "WALLS1")]),
            Part::number("SHAPE", 0xFF),
            Part::number("DARK", 0x2000),
        ],
    };

    fn value(word: &Word, number: &Leaf, bytes: &[u8]) -> Value {
        Shown::of(|sink| word.put(number, bytes, sink))
    }

    fn shown(bits: u16) -> Value {
        value(&WORD, U16be::OF, &bits.to_be_bytes())
    }

    #[test]
    fn all_bits_round_trip() {
        for bits in 0..=u16::MAX {
            let mut back = [0x55; 2];
            WORD.load(U16be::OF, &shown(bits), &mut back).expect("loads");
            assert_eq!(u16::from_be_bytes(back), bits, "{:?}", shown(bits));
            WORD.load(U16be::OF, &Value::from(bits), &mut back).expect("a number will do");
            assert_eq!(u16::from_be_bytes(back), bits);
        }
    }

    #[test]
    fn parts_have_names_and_numbers() {
        for (bits, text) in [
            (0x1105, "WALLS1 | SHAPE=5"),
            (0x3100, "WALLS1 | DARK"),
            (0x0301, "COLLECTION=3 | SHAPE=1"),
            (0xFFFF, "NONE"),
        ] {
            assert!(shown(bits).text().is_some_and(|it| it.contains(text)), "{:?}", shown(bits));
        }
        assert_eq!(shown(0x4000), 16384, "a bit outside the parts");
    }

    #[test]
    fn unknown_and_repeated_parts_are_refused() {
        for text in ["WALLS9", "SHAPE=256", "SHAPE=1 | SHAPE=2", "WALLS1 | COLLECTION=3", "LIGHT=1", ""] {
            let refused = WORD.load(U16be::OF, &Value::from(text), &mut [0; 2]);
            assert!(
                refused.is_err_and(|it| matches!(it, Expected::Other(it) if it.contains("SHAPE from 0 to 255"))),
                "{text}"
            );
        }
    }

    const SIDES: &[(u32, &str)] = &[(1, "OWN"), (2, "OTHER")];
    const LITTLE: Word = Word {
        has_none: false,
        is_little: true,
        parts: &[
            Part::known("SIDES", 0x0F, &[(0b0101, "OWN"), (0b1010, "OTHER")]),
            Part::choice("A", 0x03, SIDES),
            Part::choice("B", 0x0C, SIDES),
            Part::number("FLAG", 0x0800),
            Part::number("REST", 0xF7F0),
        ],
    };

    #[test]
    fn word_of_overlapping_parts_has_the_shortest_form() {
        for (bits, text) in [
            (0x0805_u16, "OWN | FLAG"),
            (0x000A, "OTHER"),
            (0x0006, "A=OTHER | B=OWN"),
            (0x0003, "A=3"),
            (0x0008, "B=OTHER"),
            (0x0010, "REST=1"),
        ] {
            assert_eq!(value(&LITTLE, U16::OF, &bits.to_le_bytes()), text);
        }
        for bits in 0..=u16::MAX {
            let mut back = [0x55; 2];
            let shown = value(&LITTLE, U16::OF, &bits.to_le_bytes());
            LITTLE.load(U16::OF, &shown, &mut back).expect("loads");
            assert_eq!(u16::from_le_bytes(back), bits, "{shown:?}");
        }
        for text in ["OWN | A=OWN", "A", "A=OTHERS", "A=4", "OWN | OTHER"] {
            assert!(LITTLE.load(U16::OF, &Value::from(text), &mut [0; 2]).is_err(), "{text}");
        }
    }
}
