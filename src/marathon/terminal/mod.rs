//! Terminals, `term`: the texts on the computers of a level.
//!
//! | part | bytes |
//! |---|---|
//! | [`TerminalHeader`] | 10 |
//! | [`Group`]s | 12 each |
//! | [`Face`]s | 6 each |
//! | text, mostly masked | |
//!
//! A chunk holds terminals to its end. Bytes that cannot be another terminal are kept as raw bytes.
//!
//! Source: [`marathon-terminals.md`](formats::marathon_terminals).

#[cfg(feature = "exchange")]
mod markup;

use bitflags::Flags as _;
use json::Describe as _;

use field::{
    Block, Class, Codec, Fault, I16be, Judge, LoadError, Loaded, Mac, Result, Run, Step, Style as _, Tape, U16be,
    Value, decode_text, encode_text, lay, wide,
};
use field::{flags, names, record};

use super::tables::Tables;

#[cfg(feature = "exchange")]
pub use markup::MEDIUM;

flags! {
    /// Storage of a terminal. Other bits are leftover memory. Source: `marathon-terminals.md`.
    pub struct TerminalFlags(U16be: u16) {
        /// See [`mask`].
        TEXT_IS_MASKED = 0x0001;
    }
}

names! {
    /// The purpose of a group. Source: `marathon-enums.md`, Terminals.
    pub struct GroupKind(I16be: i16) {
        /// Shown until the player is logged on.
        LOGON = 0;
        /// Shown while the mission is not finished.
        UNFINISHED = 1;
        /// Shown when the mission is finished.
        SUCCESS = 2;
        /// Shown when the mission has failed.
        FAILURE = 3;
        /// Text alone.
        INFORMATION = 4;
        /// The end of the groups before.
        END = 5;
        /// Leads to the level in the permutation.
        INTERLEVEL_TELEPORT = 6;
        /// Leads to the polygon in the permutation.
        INTRALEVEL_TELEPORT = 7;
        /// Shows the goal in the permutation.
        CHECKPOINT = 8;
        /// Plays a sound.
        SOUND = 9;
        /// Plays a movie.
        MOVIE = 10;
        /// Plays music.
        TRACK = 11;
        /// Shows the picture in the permutation.
        PICTURE = 12;
        /// Shown until the player is logged off.
        LOGOFF = 13;
        /// Shows the view from the object in the permutation.
        CAMERA = 14;
        /// Noise, for the duration in the permutation.
        STATIC = 15;
        /// Activates the tag in the permutation.
        TAG = 16;
    }
}

flags! {
    /// The position of a group's picture. Source: `marathon-enums.md`, Terminals.
    pub struct GroupFlags(U16be: u16) {
        /// On the right.
        OBJECT_ON_RIGHT = 0x0001;
        /// In the middle.
        CENTERED = 0x0002;
        /// As in Marathon; set in a running game.
        MARATHON = 0x0100;
    }
}

flags! {
    /// The style of letters. Source: `marathon-enums.md`, Terminals.
    pub struct FaceFlags(U16be: u16) {
        /// Bold.
        BOLD = 1;
        /// Italic.
        ITALIC = 2;
        /// Underlined.
        UNDERLINE = 4;
    }
}

names! {
    /// The color of letters, by convention. Source: `marathon-enums.md`, Terminals.
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
    /// The header of a terminal, 10 bytes. Source: `marathon-terminals.md`.
    pub struct TerminalHeader: 10 {
        /// Length of the whole terminal.
        length: U16be as Outside,
        flags: TerminalFlags,
        lines_per_page: I16be,
        group_count: U16be as Outside,
        face_count: U16be as Outside,
    }
}

record! {
    /// A part of a terminal, 12 bytes. Source: `marathon-terminals.md`.
    pub struct Group: 12 {
        flags: GroupFlags,
        kind: GroupKind,
        permutation: I16be,
        /// The start of its text.
        text_start: U16be,
        text_length: U16be,
        /// As laid out by the editor.
        maximum_line_count: I16be,
    }
}

record! {
    /// The style of letters from an index onward, 6 bytes. Source: `marathon-terminals.md`.
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
    pub head: TerminalHeader,
    /// The parts of the terminal.
    pub groups: Block<Group>,
    /// The styles of its letters.
    pub faces: Block<Face>,
    /// The text as stored, with a NUL at its end.
    text: Block,
}

/// The terminals of a level.
#[derive(Clone, Debug, Default)]
pub struct Terminals {
    /// In order of the number that control panels refer to.
    pub terminals: Vec<Terminal>,
    /// Bytes that cannot be another terminal.
    pub rest: Block,
}

/// Masks or unmasks a text: the third and fourth of every four bytes, and each byte after the last complete four.
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

/// Conversion of masked texts.
static MASKED: Codec = Codec {
    name: "masked text",
    owners: |bytes, tell| tell(&[], Class::Semantic, bytes),
    show: |bytes| decode_text(Mac::PAGE, &mask(bytes)).into(),
    print: Some(|bytes, sink| sink.encoded(Mac::PAGE, &mask(bytes))),
    load: |json, _| load(json),
    merge: None,
    dense: Some(|bytes| bytes),
};

fn load(json: Value) -> Loaded<Vec<u8>> {
    let text = match &json {
        Value::Null => Some(Vec::new()),
        json => json.text().and_then(|text| encode_text(Mac::PAGE, text)),
    };
    text.map(|text| mask(&text)).ok_or_else(|| {
        LoadError::new(Vec::new(), format!("a string of {} characters", Mac::PAGE.name()), json.describe_text())
    })
}

impl TerminalHeader {
    /// Returns the bytes of the text, or `None` if groups and faces exceed the length.
    fn text_length(&self) -> Option<u64> {
        let groups = wide(size_of::<Group>()) * u64::from(self.group_count.get());
        let faces = wide(size_of::<Face>()) * u64::from(self.face_count.get());
        u64::from(self.length.get()).checked_sub(wide(size_of::<Self>()))?.checked_sub(groups)?.checked_sub(faces)
    }

    fn masks(&self) -> bool {
        self.flags.contains(TerminalFlags::TEXT_IS_MASKED)
    }
}

impl Terminals {
    /// Judges the indices in the groups of terminals that begin at an offset.
    pub(super) fn judge(&self, t: &mut Judge<'_>, tables: &Tables, mut start: u64) {
        for (nth, terminal) in self.terminals.iter().enumerate() {
            let mut at = start + wide(size_of::<TerminalHeader>());
            for (group, it) in terminal.groups.iter().enumerate() {
                let steps =
                    [Step::Name("terminals"), Step::Index(wide(nth)), Step::Name("groups"), Step::Index(wide(group))];
                tables.judge_one(t, at, &steps, it);
                at += wide(size_of::<Group>());
            }
            start += u64::from(terminal.head.length.get());
        }
    }

    /// Returns `true` if another terminal follows in the file.
    fn follow(t: &Tape<'_>) -> bool {
        Self::begins(t.ahead(wide(size_of::<TerminalHeader>())), t.remaining())
    }

    /// Returns `true` if `remain` bytes, which begin like this, begin with another terminal.
    fn begins(bytes: &[u8], remain: u64) -> bool {
        let head: Option<TerminalHeader> = field::macros::read_head(bytes);
        head.is_some_and(|head| u64::from(head.length.get()) <= remain && head.text_length().is_some())
    }
}

lay! {
    impl Lay for Terminals {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.list_while("terminals", Self::follow, at!(self.terminals), |t, terminal| terminal.lay(t))?;
            t.rest("rest", Run::Opaque, at!(self.rest))?;
            let rest = self.rest.len();
            if Self::begins(&self.rest, wide(rest)) {
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
            let tables = groups.bytes().len() + faces.bytes().len();
            let length = size_of::<TerminalHeader>() + tables + text.len();
            t.computed("length", at!(head.length), wide(length))?;
            t.computed("group_count", at!(head.group_count), wide(groups.len()))?;
            t.computed("face_count", at!(head.face_count), wide(faces.len()))?;
            t.fields(head)?;
            t.block("groups", head.group_count.get(), groups)?;
            t.block("faces", head.face_count.get(), faces)?;
            let length = t.read_or(head.text_length().unwrap_or(0), wide(text.len()));
            if head.masks() {
                let census = [usize::try_from(length).unwrap_or(usize::MAX), 0, 0, 0, 0, 0, 0];
                t.coded_of("text", &MASKED, census, text)?;
            } else {
                t.text_of("text", Mac::PAGE, length, text)?;
            }
            let end = |group: &Group| u32::from(group.text_start.get()) + u32::from(group.text_length.get());
            t.expect("groups", || {
                let end = groups.iter().map(end).max().filter(|end| u64::from(*end) > wide(text.len()))?;
                Some((format!("strings within {} bytes", text.len()).into(), format!("one up to {end}").into()))
            });
            Ok(())
        }
    }
}

impl Terminal {
    /// Returns the unmasked text, in Mac OS Roman.
    #[must_use]
    pub fn text(&self) -> Vec<u8> {
        if self.head.masks() { mask(&self.text) } else { self.text.to_vec() }
    }

    /// Replaces the text. Groups and faces are unchanged.
    pub fn set_text(&mut self, text: &[u8]) {
        self.text = if self.head.masks() { mask(text) } else { text.to_vec() }.into();
    }
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn masking_twice_changes_nothing() {
        assert_eq!(mask(b"\0\0\0\0\0\0\0"), [0, 0, 0xFE, 0xED, 0xFE, 0xFE, 0xFE]);
        assert_eq!(mask(&mask(b"Frog blast the vent core")), b"Frog blast the vent core");
    }
}
