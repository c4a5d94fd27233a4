//! Resources `snd `: commands that play samples.
//!
//! Source: `marathon-sounds.md`, section 3.

use field::{Block, Fault, I16be, Result, Run, Truth, U16be, U32be, as_read, lay, wide};
use field::{names, record};

use super::Sound;

/// Marks a command whose second parameter is the offset of samples.
const HAS_DATA: u16 = 0x8000;

record! {
    /// The header, 2 bytes. Source: `marathon-sounds.md`, section 3.
    pub struct SoundResourceHeader: 2 {
        /// 1 or 2.
        format: U16be,
    }
}

names! {
    /// The type of data that a synthesizer plays. Source: `marathon-sounds.md`, section 3.
    pub struct DataKind(U16be: u16) {
        /// Samples.
        SAMPLED = 5;
    }
}

names! {
    /// The type of a command. Source: `marathon-sounds.md`, section 3.
    pub struct CommandKind(U16be: u16) {
        /// Plays the samples at an offset.
        BUFFER_WITH_OFFSET = 0x8051;
    }
}

record! {
    /// The synthesizer that plays the sound, 6 bytes. Source: `marathon-sounds.md`, section 3.
    pub struct DataType: 6 {
        data_type: DataKind,
        init_option: U32be,
    }
}

record! {
    /// The beginning of a command, 4 bytes. Source: `marathon-sounds.md`, section 3.
    pub struct CommandHeader: 4 {
        command: CommandKind,
        param1: I16be,
    }
}

record! {
    /// The location of a command's samples, 4 bytes. Source: `marathon-sounds.md`, section 3.
    pub struct CommandOffset: 4 {
        /// From the start of the resource.
        offset: U32be as Outside,
    }
}

/// A command.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Command {
    /// The type of command.
    pub head: CommandHeader,
    /// Its second parameter, if that is not an offset.
    pub param2: U32be,
    /// Its second parameter, if that is an offset.
    pub data: CommandOffset,
}

impl CommandHeader {
    fn has_data(self) -> bool {
        self.command.get() & HAS_DATA != 0
    }
}

/// A resource `snd `.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoundResource {
    /// Format.
    pub head: SoundResourceHeader,
    /// In format 1, the synthesizers.
    pub data_types: Block<DataType>,
    /// In format 2, the reference count.
    pub reference_count: U16be,
    /// The commands.
    pub commands: Vec<Command>,
    /// Bytes between the commands and the samples.
    pub gap: Block,
    /// `true` if no command has samples.
    pub is_silent: Truth,
    /// The samples.
    pub sound: Sound,
    /// Bytes after the samples.
    pub trailing: Block,
}

lay! {
    impl Lay for SoundResource {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let start = t.position();
            t.fields(at!(self.head))?;
            let mut header = 4_u64;
            match self.head.format.get() {
                1 => {
                    let count = wide(self.data_types.len());
                    let told = t.number::<U16be>("data_type_count", count)?;
                    t.block("data_types", as_read(told), at!(self.data_types))?;
                    header += wide(self.data_types.len()) * 6;
                }
                2 => t.value("reference_count", at!(self.reference_count))?,
                other => {
                    let (found, expected) = (other.to_string(), "1 or 2".to_owned());
                    return Err(t.error_in("format", Fault::Unknown { found, expected }));
                }
            }
            let count = t.number::<U16be>("command_count", wide(self.commands.len()))?;
            let behind = wide(self.commands.len()) * 8 + wide(self.gap.len());
            let offset = header + 2 + behind;
            let mut found = None;
            t.list("commands", count, 8, at!(self.commands), |t, command| {
                t.fields(at!(command.head))?;
                if !command.head.has_data() {
                    return t.value("param2", at!(command.param2));
                }
                t.computed("offset", at!(command.data.offset), offset)?;
                t.fields(at!(command.data))?;
                let told = u64::from(command.data.offset.get());
                let other = found.replace(told).unwrap_or(told);
                t.refuse("offset", other != told, || {
                    Fault::Outside { found: told.into(), expected: format!("{other}, as in a different command") }
                })
            })?;
            t.seen_fact("is_silent", at!(self.is_silent), |_| found.is_none().into())?;
            if !bool::from(self.is_silent) {
                let here = t.position() - start;
                let found = found.unwrap_or(here);
                let gap = found.checked_sub(here);
                t.refuse("commands", gap.is_none(), || {
                    let expected = format!("an offset from {here}, after the commands");
                    Fault::Outside { found: found.into(), expected }
                })?;
                t.run("gap", Run::Surplus, as_read(gap.unwrap_or(0)), at!(self.gap))?;
                t.group("sound", |t| self.sound.lay(t))?;
            }
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }
}
