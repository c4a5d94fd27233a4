//! What a module names in other files: its talk table and its HAKs.
//!
//! Source: [`nwn-installs.md`](formats::nwn_installs), section 4.

use bytes::Bytes;

use field::macros::read_head;
use field::{Place, Record as _, Step, Value, decode, wide};
use lint::{Warning, traps};

use super::erf::{Header, KeyEnd, Name, Slot};
use super::gff::Gff;
use super::resource::ResourceType;

traps! { TRAPS:
    HAK = "module-hak-absent" in File:
        "a module names a HAK that is in none of the folders beside it" => "the game does not start the module",
        "nwn-installs.md, section 4 (checked)";
    TALK_TABLE = "module-talk-table-absent" in File:
        "a module names a talk table that is in none of the folders beside it" => "the game shows no text where the module means one of it",
        "nwn-installs.md, section 4 (checked)";
}

/// The name and the type of the resource that names them.
const INFORMATION: &[u8] = b"module";
const TYPE: u16 = 2014;

/// The files that a module names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Needs {
    /// The names of its HAKs, without `.hak`, the first one over the others.
    pub haks: Vec<String>,
    /// The name of its talk table, without `.tlk`.
    pub talk_table: Option<String>,
    /// The place of what names them: nothing, or `module.ifo` in the module.
    place: Place,
}

impl Needs {
    /// Returns what a module names, or a `module.ifo` alone; `None` for other files.
    #[must_use]
    pub fn of(file: &Bytes) -> Option<Self> {
        let (information, place) = match file.starts_with(b"IFO ") {
            true => (file.clone(), Place::default()),
            false => (information(file)?, Place::of_entry("module.ifo")),
        };
        let json = decode::<Gff>(information).ok()?.model.json();
        let text = |of: &Value, name: &str| {
            let text = of.get(name)?.get("value")?.text()?.trim().to_owned();
            (!text.is_empty()).then_some(text)
        };
        let list = json.get("Mod_HakList").and_then(|it| it.get("value")).and_then(Value::items).unwrap_or_default();
        let mut haks: Vec<String> = list.iter().filter_map(|it| text(it, "Mod_Hak")).collect();
        // Before the list, there was one.
        if haks.is_empty() {
            haks.extend(text(&json, "Mod_Hak"));
        }
        Some(Self { haks, talk_table: text(&json, "Mod_CustomTlk"), place })
    }

    /// Returns `true` if it names none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.haks.is_empty() && self.talk_table.is_none()
    }

    /// Returns a warning for each file that is not there, given a function that tells whether one is.
    pub fn missing(&self, mut is_there: impl FnMut(&str) -> bool) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for (index, hak) in (0..).zip(&self.haks) {
            let file = format!("{hak}.hak");
            if !is_there(&file) {
                let place = self.place.with([Step::Name("Mod_HakList"), Step::Index(index)]);
                warnings.push(Warning::of(&HAK, place, file));
            }
        }
        if let Some(table) = &self.talk_table {
            let file = format!("{table}.tlk");
            if !is_there(&file) {
                warnings.push(Warning::of(&TALK_TABLE, self.place.with([Step::Name("Mod_CustomTlk")]), file));
            }
        }
        warnings
    }
}

/// Returns the `module.ifo` of a module, without reading its other resources.
fn information(file: &Bytes) -> Option<Bytes> {
    if !file.starts_with(b"MOD V1.0") {
        return None;
    }
    let head: Header = read_head(file)?;
    let at = |offset: u32, index: u64, each: usize| {
        let begin = usize::try_from(u64::from(offset) + index * wide(each)).ok()?;
        file.get(begin..)
    };
    let key = Name::LAYOUT.size + KeyEnd::LAYOUT.size;
    for index in 0..u64::from(head.entry_count.get()) {
        let own = at(head.keys_offset.get(), index, key)?;
        let (name, end): (Name, KeyEnd) = (read_head(own)?, read_head(own.get(Name::LAYOUT.size..)?)?);
        if end.kind_of_resource == ResourceType::new(TYPE) && name.name.bytes().eq_ignore_ascii_case(INFORMATION) {
            let slot: Slot = read_head(at(head.resources_offset.get(), index, Slot::LAYOUT.size)?)?;
            let begin = usize::try_from(slot.offset.get()).ok()?;
            let end = begin.checked_add(usize::try_from(slot.size.get()).ok()?)?;
            return file.get(begin..end).map(|part| file.slice_ref(part));
        }
    }
    None
}
