//! Recognition of message and string DLLs.

use object::LittleEndian as LE;
use object::pe::{ImageDosHeader, ImageNtHeaders32};
use object::read::pe::{ImageNtHeaders as _, ImageOptionalHeader as _};

use kind::{Format, Game};

use super::Dll;
use super::header::DosHeader;
use super::keys::Found;
use super::resources::{MESSAGE_TABLE, STRING};

/// The properties that identify a DLL.
struct Seen {
    /// The types of its resources.
    types: Vec<u32>,
    /// The number of bytes before the keys, if there are keys.
    lead: Option<usize>,
}

impl Seen {
    /// Returns the properties of a library with resources, or `None` for other files.
    fn of(file: &[u8]) -> Option<Self> {
        let dos = ImageDosHeader::parse(file).ok()?;
        let mut offset = dos.nt_headers_offset().into();
        let (nt, directories) = ImageNtHeaders32::parse(file, &mut offset).ok()?;
        let flags = nt.file_header().characteristics.get(LE);
        if !flags.contains(object::pe::IMAGE_FILE_DLL) {
            return None;
        }
        let sections = nt.sections(file, offset).ok()?;
        let tree = directories.resource_directory(file, &sections).ok()??.root().ok()?;
        let types = tree.entries.iter().map(|entry| entry.name_or_id.get(LE)).collect();
        let base = nt.optional_header().image_base();
        let lead = sections.iter().find_map(|section| {
            let bytes = section.pe_data(file).ok()?;
            Some(Found::find(bytes, base.checked_add(section.virtual_address.get(LE).into())?)?.lead)
        });
        Some(Self { types, lead })
    }
}

impl Format for Dll {
    const NAME: &'static str = "messages";
    const TITLE: &'static str = "message or string DLL";
    const GAMES: &'static [Game] = super::super::games::ALL;
    const CLAIMS: &'static [&'static str] =
        &["messages.dll", "mech3msg.dll", "strings.dll", "langui.dll", "language.dll"];
    const TRAPS: &'static [&'static lint::Trap] = super::lint::TRAPS;

    /// Checks for a library with keys and strings, or only with strings; any program can have other resources too
    /// (`zipper-messages.md`, sections 3 and 6).
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let Seen { types, lead } = Seen::of(file)?;
        match (types.contains(&MESSAGE_TABLE), types.contains(&STRING), lead) {
            (true, _, Some(16)) => Some(vec![Game::MechWarrior3, Game::PiratesMoon]),
            (true, _, Some(48)) => Some(vec![Game::Recoil]),
            (true, _, Some(_)) => Some(vec![Game::Recoil, Game::MechWarrior3, Game::PiratesMoon]),
            (false, true, Some(_)) => Some(vec![Game::CrimsonSkies]),
            (false, true, None) if types == [STRING] => Some(vec![Game::CrimsonSkies]),
            _ => None,
        }
    }

    /// Returns `false` for files that are not programs.
    fn suits(file: &[u8]) -> bool {
        let magic = DosHeader::MAGIC.to_le_bytes();
        file.starts_with(&magic) || magic.starts_with(file)
    }
}
