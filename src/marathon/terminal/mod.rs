//! Terminals, `term`: what the computers of a level have to say.
//!
//! | part | bytes |
//! |---|---|
//! | [`TerminalHead`] | 10 |
//! | [`Group`]s | 12 each |
//! | [`Face`]s | 6 each |
//! | text, mostly masked | |
//!
//! A chunk holds terminals to its end. What cannot be another one is kept as it is.
//!
//! Source: `marathon-terminals.md`.

mod markup;

use bitflags::Flags as _;

use crate::field::{
    Block, Class, Coding, Fault, I16be, Json, Judge, Loaded, Mac, Misfit, Result, Run, Step, Style as _, Tape, U16be,
    decode_text, encode_text, lay, put_encoded, wide,
};
use crate::{flags, names, record};

use super::references::Tables;

pub use markup::MEDIUM;

flags! {
    /// How a terminal is stored. Other bits are leftover memory. Source: `marathon-terminals.md`.
    pub struct TerminalFlags(U16be: u16) {
        /// See [`mask`].
        TEXT_IS_MASKED = 0x0001;
    }
}

names! {
    /// What a group shows or does. Source: `marathon-enums.md`, Terminals.
    pub struct GroupKind(I16be: i16) {
        /// Until who reads is logged on.
        LOGON = 0;
        /// While the mission is not finished.
        UNFINISHED = 1;
        /// When it is finished.
        SUCCESS = 2;
        /// When it has failed.
        FAILURE = 3;
        /// Text alone.
        INFORMATION = 4;
        /// The end of the groups before.
        END = 5;
        /// Leads to the level that the permutation says.
        INTERLEVEL_TELEPORT = 6;
        /// Leads to the polygon that the permutation says.
        INTRALEVEL_TELEPORT = 7;
        /// Shows the goal that the permutation says.
        CHECKPOINT = 8;
        /// Plays a sound.
        SOUND = 9;
        /// Plays a movie.
        MOVIE = 10;
        /// Plays music.
        TRACK = 11;
        /// Shows the picture that the permutation says.
        PICTURE = 12;
        /// Until who reads is logged off.
        LOGOFF = 13;
        /// Looks from the object that the permutation says.
        CAMERA = 14;
        /// Noise, for as long as the permutation says.
        STATIC = 15;
        /// Sets off the tag that the permutation says.
        TAG = 16;
    }
}

flags! {
    /// Where a group shows its picture. Source: `marathon-enums.md`, Terminals.
    pub struct GroupFlags(U16be: u16) {
        /// On the right.
        OBJECT_ON_RIGHT = 0x0001;
        /// In the middle.
        CENTERED = 0x0002;
        /// As in Marathon; of a running game.
        MARATHON = 0x0100;
    }
}

flags! {
    /// How letters look. Source: `marathon-enums.md`, Terminals.
    pub struct FaceFlags(U16be: u16) {
        /// Thick.
        BOLD = 1;
        /// Slanted.
        ITALIC = 2;
        /// With a line below.
        UNDERLINE = 4;
    }
}

names! {
    /// The color of letters, as it is by convention. Source: `marathon-enums.md`, Terminals.
    pub struct Color(U16be: u16) {
        /// Green.
        GREEN = 0;
        /// White.
        WHITE = 1;
        /// Red.
        RED = 2;
        /// Dark green.
        DIM_GREEN = 3;
        /// Light blue.
        LIGHT_BLUE = 4;
        /// Yellow.
        YELLOW = 5;
        /// Dark red.
        DIM_RED = 6;
        /// Dark blue.
        DIM_BLUE = 7;
    }
}

record! {
    /// What stands before a terminal, 10 bytes. Source: `marathon-terminals.md`.
    pub struct TerminalHead: 10 {
        /// Of all of it.
        length: U16be as Outside,
        flags: TerminalFlags,
        lines_per_page: I16be,
        group_count: U16be as Outside,
        face_count: U16be as Outside,
    }
}

record! {
    /// A piece of a terminal, 12 bytes. Source: `marathon-terminals.md`.
    pub struct Group: 12 {
        flags: GroupFlags,
        kind: GroupKind,
        permutation: I16be,
        /// Where its text begins.
        text_start: U16be,
        text_length: U16be,
        /// As the editor laid it out.
        maximum_line_count: I16be,
    }
}

record! {
    /// How letters look from an index on, 6 bytes. Source: `marathon-terminals.md`.
    pub struct Face: 6 {
        text_index: U16be,
        face: FaceFlags,
        color: Color,
    }
}

/// A terminal.
#[derive(Clone, Debug, Default)]
pub struct Terminal {
    /// Length, flags, counts.
    pub head: TerminalHead,
    /// What it shows and does.
    pub groups: Block<Group>,
    /// How its letters look.
    pub faces: Block<Face>,
    /// The text as it is stored, a NUL at its end.
    text: Block,
}

/// The terminals of a level.
#[derive(Clone, Debug, Default)]
pub struct Terminals {
    /// By the number that control panels refer to.
    pub terminals: Vec<Terminal>,
    /// What cannot be another one.
    pub rest: Block,
}

/// Masks a text, or takes the mask away: of four bytes, the third and the fourth; of what is left behind the last four, each.
#[must_use]
pub fn mask(text: &[u8]) -> Vec<u8> {
    let whole = text.len() - text.len() % 4;
    let masked = text.iter().enumerate().map(|(index, byte)| match index % 4 {
        _ if index >= whole => byte ^ 0xFE,
        2 => byte ^ 0xFE,
        3 => byte ^ 0xED,
        _ => *byte,
    });
    masked.collect()
}

/// How masked texts are looked into.
static MASKED: Coding = Coding {
    name: "masked text",
    owners: |bytes, tell| tell(&[], Class::Semantic, bytes),
    show: |bytes| decode_text(Mac::PAGE, &mask(bytes)).into(),
    print: Some(|bytes, text| put_encoded(Mac::PAGE, &mask(bytes), text)),
    load,
};

fn load(json: Json) -> Loaded<Vec<u8>> {
    let text = match &json {
        Json::Null => Some(Vec::new()),
        json => json.text().and_then(|text| encode_text(Mac::PAGE, text)),
    };
    text.map(|text| mask(&text))
        .ok_or_else(|| Misfit::new(Vec::new(), format!("a string of {} characters", Mac::PAGE.name()), json.describe()))
}

impl TerminalHead {
    /// Bytes of the text, where groups and faces leave some.
    fn text_length(&self) -> Option<u64> {
        let groups = wide(size_of::<Group>()).saturating_mul(self.group_count.get().into());
        let faces = wide(size_of::<Face>()).saturating_mul(self.face_count.get().into());
        u64::from(self.length.get()).checked_sub(wide(size_of::<Self>()))?.checked_sub(groups)?.checked_sub(faces)
    }

    fn masks(&self) -> bool {
        self.flags.contains(TerminalFlags::TEXT_IS_MASKED)
    }
}

impl Terminals {
    /// Judges the indices in the groups of terminals that begin at an offset.
    pub(super) fn judge(&self, t: &mut impl Judge, tables: &Tables, mut start: u64) {
        if !t.judging() {
            return;
        }
        for (nth, terminal) in self.terminals.iter().enumerate() {
            let mut at = start.saturating_add(wide(size_of::<TerminalHead>()));
            for (group, it) in terminal.groups.iter().enumerate() {
                let steps =
                    [Step::Name("terminals"), Step::Index(wide(nth)), Step::Name("groups"), Step::Index(wide(group))];
                tables.judge_one(t, at, &steps, it);
                at = at.saturating_add(wide(size_of::<Group>()));
            }
            start = start.saturating_add(terminal.head.length.get().into());
        }
    }

    /// Whether another terminal follows in the file.
    fn follow(t: &Tape<'_>) -> bool {
        Self::begins(t.ahead(wide(size_of::<TerminalHead>())), t.remaining())
    }

    /// Whether so many bytes, which begin like this, begin with another terminal.
    fn begins(bytes: &[u8], remain: u64) -> bool {
        let head: Option<TerminalHead> = crate::macros::read_head(bytes);
        head.is_some_and(|head| u64::from(head.length.get()) <= remain && head.text_length().is_some())
    }
}

lay! {
    impl Lay for Terminals {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.list_while("terminals", Self::follow, at!(self.terminals), |t, terminal| terminal.lay(t))?;
            t.rest("rest", Run::Opaque, at!(self.rest))?;
            let rest = self.rest.len();
            if !t.reading() && Self::begins(&self.rest, wide(rest)) {
                let expected = "bytes that are not the beginning of a terminal".to_owned();
                return Err(t.error_in("rest", Fault::Outside { found: i128::from(wide(rest)), expected }));
            }
            t.expect("rest", || (rest > 0).then(|| ("terminals up to the end".into(), format!("{rest} bytes after the last").into())));
            Ok(())
        }
    }

    impl Lay for Terminal {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let Self { head, groups, faces, text } = self;
            let tables = groups.bytes().len().saturating_add(faces.bytes().len());
            let length = size_of::<TerminalHead>().saturating_add(tables).saturating_add(text.len());
            t.fill("length", at!(head.length), wide(length))?;
            t.fill("group_count", at!(head.group_count), wide(groups.len()))?;
            t.fill("face_count", at!(head.face_count), wide(faces.len()))?;
            t.fields(head)?;
            t.block("groups", head.group_count.get().into(), groups)?;
            t.block("faces", head.face_count.get().into(), faces)?;
            let length = t.told(head.text_length().unwrap_or(0), wide(text.len()));
            if head.masks() {
                let census = [usize::try_from(length).unwrap_or(usize::MAX), 0, 0, 0, 0, 0, 0];
                t.coded_of("text", &MASKED, census, text)?;
            } else {
                t.text_of("text", Mac::PAGE, length, text)?;
            }
            let end = |group: &Group| u32::from(group.text_start.get()).saturating_add(group.text_length.get().into());
            t.expect("groups", || {
                let end = groups.iter().map(end).max().filter(|end| u64::from(*end) > wide(text.len()))?;
                Some((format!("strings within {} bytes", text.len()).into(), format!("one up to {end}").into()))
            });
            Ok(())
        }
    }
}

impl Terminal {
    /// The text as people read it, in Mac OS Roman.
    #[must_use]
    pub fn text(&self) -> Vec<u8> {
        if self.head.masks() { mask(&self.text) } else { self.text.to_vec() }
    }

    /// Replaces the text. Groups and faces stay as they are.
    pub fn set_text(&mut self, text: &[u8]) {
        self.text = if self.head.masks() { mask(text) } else { text.to_vec() }.into();
    }
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn masking_twice_is_nothing() {
        assert_eq!(mask(b"\0\0\0\0\0\0\0"), [0, 0, 0xFE, 0xED, 0xFE, 0xFE, 0xFE]);
        assert_eq!(mask(&mask(b"Frog blast the vent core")), b"Frog blast the vent core");
    }
}
