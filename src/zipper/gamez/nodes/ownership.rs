//! The owners of a node of Crimson Skies, and what it is.
//!
//! Source: `zipper-nodes.md`, section 2.1.

use field::packed;
use field::packed::{Part, Word};

/// The owners that a node can have; 0 leaves that to its parent.
const OWNERS: &[(u32, &str)] = &[(1, "PLAYER"), (2, "ENEMY_0"), (3, "ENEMY_1")];

/// Returns the owner in a mission of the world's group, from 1.
const fn mission(name: &'static str, number: u32) -> Part {
    Part::choice(name, 3 << (2 * number - 2), OWNERS)
}

packed! {
    /// The owner of a node in each of the eleven missions of its group, and flags: in JSON `ENEMY_0 | STRUCTURE` for one that is always
    /// an enemy's, `M03=PLAYER` for one that is the player's in the third mission. Source: `zipper-nodes.md`, section 2.1.
    pub struct Ownership(U32: u32) = Word {
        has_none: false,
        is_little: true,
        parts: &const {
            [
                Part::known("OWNER", 0x003F_FFFF, &[(0x15_5555, "PLAYER"), (0x2A_AAAA, "ENEMY_0"), (0x3F_FFFF, "ENEMY_1")]),
                mission("M01", 1),
                mission("M02", 2),
                mission("M03", 3),
                mission("M04", 4),
                mission("M05", 5),
                mission("M06", 6),
                mission("M07", 7),
                mission("M08", 8),
                mission("M09", 9),
                mission("M10", 10),
                mission("M11", 11),
                Part::number("GASBAG", 1 << 22),
                Part::number("SIBLING_1", 1 << 23),
                Part::number("SIBLING_2", 1 << 24),
                Part::number("SIBLING_3", 1 << 25),
                Part::number("SIBLING_4", 1 << 26),
                // What is left of the word of an owner in every mission.
                Part::number("FILLED_ENEMY", 1 << 27),
                Part::number("FILLED_PLAYER", 1 << 28),
                Part::number("UNK_29", 1 << 29),
                Part::number("V", 1 << 30),
                // It is a target of its own, whose owner is read from this word alone.
                Part::number("STRUCTURE", 1 << 31),
            ]
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use field::Shaped as _;

    /// Source: the words of `zipper-nodes.md`, section 2.1, and the vectors of `vectors-cs.md`, section 2.
    #[test]
    fn words_of_the_worlds_have_owners_and_flags() {
        for (word, text) in [
            (0x082A_AAAA, "ENEMY_0 | FILLED_ENEMY"),
            (0x1015_5555, "PLAYER | FILLED_PLAYER"),
            (0x0040_0000, "GASBAG"),
            (0x8000_0000, "STRUCTURE"),
            (0x8040_0000, "GASBAG | STRUCTURE"),
            (0x882A_AAAA, "ENEMY_0 | FILLED_ENEMY | STRUCTURE"),
            (0x886A_AAAA, "ENEMY_0 | GASBAG | FILLED_ENEMY | STRUCTURE"),
            (0x9015_5555, "PLAYER | FILLED_PLAYER | STRUCTURE"),
            (0x9055_5555, "PLAYER | GASBAG | FILLED_PLAYER | STRUCTURE"),
            (0x0000_0220, "M03=ENEMY_0 | M05=ENEMY_0"),
            (0x6000_0007, "M01=ENEMY_1 | M02=PLAYER | UNK_29 | V"),
        ] {
            let word = Ownership::new(word);
            let shown = Ownership::SHAPE.show(field::bytes_of(&word));
            assert_eq!(shown.text(), Some(text), "{word:?}");
        }
        assert_eq!(Ownership::SHAPE.show(&[0; 4]).integer(), Some(0));
    }
}
