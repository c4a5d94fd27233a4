//! A player's actions in a tick: flags, some of which an absolute mode replaces by a number.
//!
//! Source: `marathon-enums.md`, Wad level.

use bitflags::Flags as _;
use bytemuck::{Pod, Zeroable};

use field::macros::load_flags;
use field::{Class, Expected, Leaf, Shape, Shaped, Sink, Source, Takes, U32be, Value};

use super::super::names::ActionFlags;

/// A player's actions in a tick. In JSON `FORWARD | RUN`, or with an absolute mode `ABSOLUTE_YAW=67 | RUN`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Actions(U32be);

/// An absolute mode: its flag, and the bits that it turns into a number.
struct Mode {
    name: &'static str,
    flag: u32,
    mask: u32,
}

const MODES: [Mode; 3] = [
    Mode { name: "ABSOLUTE_YAW", flag: 1 << 0, mask: 0x0000_00FE },
    Mode { name: "ABSOLUTE_PITCH", flag: 1 << 8, mask: 0x0000_3E00 },
    Mode { name: "ABSOLUTE_POSITION", flag: 1 << 14, mask: 0x003F_8000 },
];

impl Actions {
    /// Creates actions from bits.
    #[must_use]
    pub const fn new(bits: u32) -> Self {
        Self(U32be::new(bits))
    }

    /// Returns all bits.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0.get()
    }

    fn put(bytes: &[u8], sink: &mut dyn Sink) {
        let number = field::macros::read_pod::<Self>(bytes).unwrap_or_default().get();
        let mut bits = number;
        let mut words = Vec::new();
        for mode in MODES.iter().filter(|mode| bits & mode.flag != 0) {
            words.push(format!("{}={}", mode.name, (bits & mode.mask) >> mode.mask.trailing_zeros()));
        }
        for mode in MODES {
            bits &= if bits & mode.flag == 0 { u32::MAX } else { !(mode.flag | mode.mask) };
        }
        if bits != 0 {
            words.push(format!("{:?}", ActionFlags::from_bits_retain(bits)));
        }
        match words.as_slice() {
            [] => sink.whole(number.into()),
            words => sink.text(&words.join(" | ")),
        }
    }

    fn load(source: &dyn Source, bytes: &mut [u8]) -> Result<(), Expected> {
        let Some(text) = source.text() else { return load_flags::<ActionFlags>(source, bytes) };
        let (mut number, mut flags) = (0, Vec::new());
        for word in text.split('|').map(str::trim) {
            let Some((name, value)) = word.split_once('=') else {
                flags.push(word);
                continue;
            };
            let mode = MODES.iter().find(|mode| mode.name == name).ok_or_else(|| format!("no {name}="))?;
            let most = mode.mask >> mode.mask.trailing_zeros();
            let value = value.parse::<u32>().ok().filter(|value| *value <= most);
            let value = value.ok_or_else(|| format!("{name} from 0 to {most}"))?;
            number |= mode.flag | value << mode.mask.trailing_zeros();
        }
        let mut word = ActionFlags::empty();
        load_flags::<ActionFlags>(&Value::from(flags.join(" | ")), field::bytes_of_mut(&mut word))?;
        field::macros::put(&Self::new(number | word.bits()), bytes);
        Ok(())
    }
}

const LEAF: &Leaf = &Leaf {
    name: "actions",
    size: size_of::<Actions>(),
    takes: Takes::Words,
    put: Actions::put,
    load: Actions::load,
    number: Some(U32be::OF),
    tail: None,
    nan: |_| false,
    refers: false,
};

impl Shaped for Actions {
    const SHAPE: Shape = Shape::Leaf(LEAF);
    const CLASS: Class = Class::Semantic;
}

#[cfg(test)]
mod tests {
    use super::*;
    use json::{Flat, Token};

    fn shown(bits: u32) -> String {
        String::from_utf8(Flat::of(LEAF, &bits.to_be_bytes())).expect("is UTF-8")
    }

    #[test]
    fn numbers_of_absolute_modes_are_shown() {
        assert_eq!(shown(0), "0");
        assert_eq!(shown(1 << 15 | 1 << 17), r#""FORWARD | RUN""#);
        assert_eq!(shown(1 | 67 << 1 | 1 << 26), r#""ABSOLUTE_YAW=67 | ACTION""#);
        assert_eq!(
            shown(1 << 8 | 1 << 14 | 1 << 15 | 1),
            r#""ABSOLUTE_YAW=0 | ABSOLUTE_PITCH=0 | ABSOLUTE_POSITION=1""#
        );
    }

    #[test]
    fn all_bits_round_trip() {
        for bits in (0..32).map(|bit| 1 << bit).chain([0, u32::MAX, 0x8000_0001, 0x0123_4567, 0x89AB_CDEF]) {
            for bits in [bits, bits | 1, bits | 1 << 8, bits | 1 << 14] {
                let mut back = [0; 4];
                Actions::load(&Token(shown(bits).as_bytes()), &mut back).expect("loads");
                assert_eq!(u32::from_be_bytes(back), bits, "{}", shown(bits));
            }
        }
    }

    #[test]
    fn unknown_actions_are_refused() {
        for text in ["ABSOLUTE_YAW=128", "ABSOLUTE_ROLL=1", "DANCE", "ABSOLUTE_YAW=x"] {
            assert!(Actions::load(&Value::from(text), &mut [0; 4]).is_err(), "{text}");
        }
    }
}
