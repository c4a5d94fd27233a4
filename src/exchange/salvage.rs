//! The files of a container of which bytes are lost: one for each entry that is whole.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::document::Names;
use field::{GAME_TEXT, Label, encode_text};
use kind::{Kind, Salvage};

/// What [`salvaged`] finds in a container.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SalvagedFiles {
    /// The files, by names that every file system takes.
    pub files: BTreeMap<String, Bytes>,
    /// The names of the entries that are lost, as far as they are known.
    pub lost: Vec<String>,
    /// The number of lost entries whose names are not known, or `None` if even that is not.
    pub unnamed: Option<u64>,
}

/// Returns a file for each entry that is whole in a container of a kind, or `None` if there is none.
#[must_use]
pub fn salvaged(kind: &Kind, file: &Bytes) -> Option<SalvagedFiles> {
    let Salvage { whole, lost, unnamed } = (kind.salvage)(file)?;
    let mut names = Names::default();
    let mut path = |name: &str| {
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        // A character that the code page lacks is no part of a name of the games.
        let bytes = encode_text(GAME_TEXT, name).unwrap_or_else(|| name.escape_default().to_string().into_bytes());
        let label = Label { name: bytes.into(), ..Label::default() };
        // Names that differ only in their extensions stay as they are, since nothing else belongs to these files.
        let own = Names::default().file("", &label, extension.or(Some("bin")));
        names.beside(&own, "")
    };
    let files = whole.into_iter().map(|it| (path(&it.name), it.bytes)).collect();
    Some(SalvagedFiles { files, lost, unnamed })
}
