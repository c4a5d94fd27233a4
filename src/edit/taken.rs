//! Exports that have been changed, taken back into the file that they were made of: drawings, tables and texts.

use core::fmt::{self, Display};
use std::collections::BTreeMap;

use bytes::Bytes;

use super::{Batch, BatchError, Batched, Edit, node_names};
use crate::verify::{Candidate, VerifyOptions};
use exchange::About;
use field::{Address, CodePage, Error};
use json::Document;
use kind::{Compiles, Imported, ImportedEdit, Kind, Model, Named, named, recognize};
use media::csv::encoding;
use passes::names;

/// What an export was made of: a file, or an entry in it as a file of its own.
#[derive(Clone, Copy)]
pub struct Exported<'e> {
    /// The place of the entry; `None` for the file itself.
    pub entry: Option<&'e str>,
    /// Its kind.
    pub kind: &'static Kind,
    /// Its model.
    pub model: &'e Model,
    /// Its bytes.
    pub bytes: &'e [u8],
}

/// A file with the changes of an export.
#[non_exhaustive]
pub struct Taken {
    /// The edited file.
    pub edited: Batched,
    /// What differs in the export and is no edit, with counts.
    pub ignored: BTreeMap<&'static str, usize>,
    /// What of a text is not in the file, and why, a line each.
    pub notes: Vec<String>,
    /// The encoding of the texts of the game, if the export states it or one is chosen.
    pub page: Option<&'static CodePage>,
}

/// The reason why an export cannot be taken back.
#[derive(Clone, Debug, PartialEq)]
pub enum NotTaken {
    /// Something is wrong in the export.
    Export(String),
    /// The file does not take the edits.
    File(BatchError),
}

impl Display for NotTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Export(why) => why.fmt(f),
            Self::File(why) => why.fmt(f),
        }
    }
}

impl core::error::Error for NotTaken {}

impl From<BatchError> for NotTaken {
    fn from(error: BatchError) -> Self {
        Self::File(error)
    }
}

impl From<Error> for NotTaken {
    fn from(error: Error) -> Self {
        Self::File(error.into())
    }
}

/// A file of which something was exported, with its model and name.
type File<'f> = (About<'f>, &'f Model, &'f str);

/// Takes an export back into a file: the edits that a drawing or a table shows, or a text as a whole. `others` are the files that a text builds
/// upon, the nearest one first.
///
/// # Errors
/// Returns an error if the export cannot be read, or if the file does not take what it shows.
pub fn take_back(
    kinds: &'static [Kind],
    file: File<'_>,
    of: Exported<'_>,
    export: Bytes,
    others: &[Bytes],
) -> Result<Taken, NotTaken> {
    let page = match (encoding(&export), CodePage::chosen()) {
        (Some(stated), Some(chosen)) if stated.name() != chosen.name() => {
            let (stated, chosen) = (stated.name(), chosen.name());
            let why = format!("expected --encoding {stated}, that of its texts, found {chosen}; leave the option out");
            return Err(NotTaken::Export(why));
        }
        (stated, chosen) => stated.or(chosen),
    };
    CodePage::during_or(page, || {
        if let Some(compiles) = of.kind.compiles {
            if named(kinds, compiles.kind).and_then(|it| it.text).is_some_and(|text| (text.is_text)(&export)) {
                let edited = replaced(kinds, file, of, export)?;
                return Ok(Taken { edited, ignored: BTreeMap::new(), notes: Vec::new(), page });
            }
            let (text, ignored) = through(kinds, compiles, of, export)?;
            let edited = replaced(kinds, file, of, text.into())?;
            return Ok(Taken { edited, ignored, notes: Vec::new(), page });
        }
        if let Some(text) = of.kind.text.filter(|text| (text.is_text)(&export)) {
            let made = text.make(&export, others).map_err(NotTaken::Export)?;
            let edited = replaced(kinds, file, of, made.file.into())?;
            return Ok(Taken { edited, ignored: BTreeMap::new(), notes: made.notes, page });
        }
        let (batch, ignored) = shown(kinds, (of.kind, of.model), export)?;
        let edited = batch.inside(of.entry.unwrap_or_default()).apply(kinds, file, None)?;
        Ok(Taken { edited, ignored, notes: Vec::new(), page })
    })
}

/// Returns the edits that an export shows, and what of it is no edit.
fn shown(
    kinds: &'static [Kind],
    (kind, model): (&'static Kind, &Model),
    export: Bytes,
) -> Result<(Batch, BTreeMap<&'static str, usize>), NotTaken> {
    let import = kind.import.ok_or_else(|| {
        NotTaken::Export(match kind.text {
            Some(_) => format!("expected {} as text, as its export writes it", kind.name),
            None => format!("{} has no export that can be imported", kind.name),
        })
    })?;
    let Imported { edits, ignored, .. } = import(model, export).map_err(|why| NotTaken::Export(why.to_string()))?;
    Ok((batch(kinds, (kind, model), edits)?, ignored))
}

/// Returns a text with the edits of what is compiled from it, and what of the export is no edit.
fn through(
    kinds: &'static [Kind],
    compiles: &Compiles,
    of: Exported<'_>,
    export: Bytes,
) -> Result<(Vec<u8>, BTreeMap<&'static str, usize>), NotTaken> {
    let unproven = |why: String| NotTaken::File(BatchError::Unproven(why));
    let kind = named(kinds, compiles.kind);
    let kind = kind.ok_or_else(|| unproven(format!("internal error: no kind {}", compiles.kind)))?;
    let before = Bytes::from((compiles.compile)(of.bytes).map_err(unproven)?);
    let name = format!("compiled.{}", kind.name);
    let games = recognize(kinds, &name, &before).map(|(_, games)| games).unwrap_or_default();
    let how = VerifyOptions::default().spread(true);
    let (report, model) = Candidate::new(kinds, &name, before.clone()).take_apart(how);
    let (Some(sha256), Some(model)) = (report.sha256, model) else {
        let why = report.failure.map(|why| why.to_string());
        return Err(unproven(why.unwrap_or_else(|| report.status.name().to_owned())));
    };
    let (batch, ignored) = shown(kinds, (kind, &model), export)?;
    let about = About { kind, games: &games, sha256, deviations: &report.deviations };
    let edited = batch.apply(kinds, (about, &model, &name), None)?;
    let text = (compiles.take_back)(of.bytes, &before, &edited.bytes).map_err(NotTaken::Export)?;
    Ok((text, ignored))
}

/// Returns a file that is replaced as a whole, or in which an entry is.
fn replaced(
    kinds: &'static [Kind],
    (about, model, name): File<'_>,
    of: Exported<'_>,
    bytes: Bytes,
) -> Result<Batched, BatchError> {
    let Some(entry) = of.entry else { return Batched::whole(kinds, (about.kind, name), bytes) };
    let contents = Document::Raw(bytes);
    let edit = |edit: &mut Edit| Ok(edit.replace(entry, contents.clone())?);
    Batch::default().apply(kinds, (about, model, name), Some(&edit))
}

/// Returns the edits of an import as those of a batch.
fn batch(
    kinds: &'static [Kind],
    (kind, model): (&'static Kind, &Model),
    edits: Vec<ImportedEdit>,
) -> Result<Batch, NotTaken> {
    let mut batch = Batch::default();
    for edit in edits {
        match edit {
            ImportedEdit::Set(place, value) => batch.set.push((place, value)),
            ImportedEdit::Delete(place) => batch.delete.push(place),
            ImportedEdit::Insert(place, value) => batch.insert.push((place, value)),
            ImportedEdit::Recompute(place) => batch.recompute.push(place),
            ImportedEdit::Rename(place, old, new) => {
                let places = renamed(kinds, (kind, model), place, &old)?.into_iter();
                batch.set.extend(places.map(|place| (place, new.as_str().into())));
            }
        }
    }
    Ok(batch)
}

/// Returns the places of the name of a node and of all names that refer to it; only the first if several nodes have the name.
fn renamed(
    kinds: &'static [Kind],
    (kind, model): (&'static Kind, &Model),
    place: Address,
    old: &str,
) -> Result<Vec<Address>, Error> {
    // Nothing refers to the names of some kinds.
    let Ok(all) = node_names(model, (kind, kinds), old)? else { return Ok(vec![place]) };
    let others = names(model, kind, kinds)?;
    let nodes = others.iter().filter(|it| it.of == Named::Node && it.text == old).count();
    Ok(if nodes == 1 { all } else { vec![place] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn export_that_is_not_taken_says_what_is_wrong_in_it_or_in_the_file() {
        assert_eq!(NotTaken::Export("no mesh".to_owned()).to_string(), "no mesh");
        let why = BatchError::at(&"/vertices".into(), "nothing at this place");
        assert_eq!(NotTaken::from(why.clone()).to_string(), why.to_string());
        assert!(why.to_string().contains("nothing at this place"), "{why}");
    }
}
