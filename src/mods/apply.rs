//! Applies the changes of one file in memory, and proves the result.

use std::borrow::Cow;
use std::io;

use bytes::Bytes;

use crate::edit::diff::{self, Change, Held};
use crate::edit::{Edit, apply_to_parts, prove};
use crate::registry::{KINDS, recognize};
use crate::verify::{Candidate, Failure, Status, VerifyOptions};
use exchange::About;
use field::{CodePage, encode, memory};
use kind::{Kind, Model};
use passes::{Deviation, Sha};

use super::contents::Contents;
use super::disk::Disk;
use super::journal::Journal;
use super::{FileEdit, Result, placed, refusal};

/// The result of an edit: the file, `None` if the edit removes it, or the reason why it does not fit the file.
pub(super) type Applied = core::result::Result<Option<Contents>, String>;

/// Returns the file after an edit without the changes for which `made` is true, or the reason if the file is not the one expected, or if the
/// result does not round-trip.
///
/// # Errors
/// Returns an error if contents cannot be read, or are damaged, or if the memory limit does not allow them.
pub(super) fn apply<D: Disk>(
    edit: &FileEdit,
    old: Option<&Contents>,
    made: impl Fn(&Change) -> bool,
    journal: &Journal<D>,
) -> Result<Applied> {
    let bytes = |contents| journal.bytes(contents).map_err(placed(|error| refusal(&edit.path, error)));
    let hash = old.map(|old| &old.sha256);
    if let Some(changes) = &edit.changes {
        let Some(old) = old else { return Ok(Err("expected a file, found none".to_owned())) };
        let changes: Cow<'_, [Change]> = match changes.iter().any(&made) {
            false => Cow::Borrowed(changes),
            true => changes.iter().filter(|change| !made(change)).cloned().collect(),
        };
        let new = match change(edit, &bytes(old)?, &changes) {
            Ok(new) => Contents::of(new),
            Err(unfit) => return unfit.at(&edit.path).map(Err),
        };
        // With the same original, a different result would be that of a bug or of a different version.
        let is_wrong = hash == edit.before.as_ref() && Some(&new.sha256) != edit.after.as_ref();
        return Ok(match is_wrong {
            true => Err(format!("expected a result with SHA-256 {}, found {}", shown(edit.after.as_ref()), new.sha256)),
            false => Ok(Some(new)),
        });
    }
    let is_as_expected = hash == edit.before.as_ref() || hash == edit.after.as_ref();
    let Some(after) = &edit.after else {
        return Ok(match is_as_expected {
            true => Ok(None),
            false => Err(format!("expected to remove SHA-256 {}, found {}", shown(edit.before.as_ref()), shown(hash))),
        });
    };
    if !is_as_expected {
        return Ok(Err(match &edit.before {
            Some(before) => format!("the whole file is replaced: expected SHA-256 {before}, found {}", shown(hash)),
            None => format!("the file is added: expected none of its name, found SHA-256 {}", shown(hash)),
        }));
    }
    let Some(packed) = &edit.content else { return journal.stored(after).map(|stored| Ok(Some(stored))) };
    let new = Contents::packed(journal.text(packed, &edit.path)?, after, edit.bytes);
    let Some(kind) = &edit.kind else {
        // It is written in pieces later.
        let checked = journal.write(&new, &mut io::sink());
        return Ok(checked.map(|()| Some(new)).map_err(|error| error.to_string()));
    };
    memory::fits(new.size).map_err(|error| refusal(&edit.path, error))?;
    let new = match journal.bytes(&new) {
        Ok(bytes) => bytes,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let decoded = match decoded(kind, edit.name(), &new) {
        Ok(decoded) => decoded,
        Err(unfit) => return unfit.at(&edit.path).map(Err),
    };
    // A file that is too large to be read is of no kind.
    if let Some(old) = old.filter(|old| memory::fits(old.size).is_ok())
        && let Some(why) = misplaced(edit.name(), &bytes(old)?, decoded.kind)
    {
        return Ok(Err(why));
    }
    Ok(Ok(Some(Contents::of(new))))
}

/// Returns the reason why a file of a kind cannot replace another one, if there is one: the game does not find its kind under this name.
pub(super) fn misplaced(name: &str, old: &Bytes, new: &Kind) -> Option<String> {
    let (old, _) = recognize(KINDS, name, old)?;
    let is_other = old.name != new.name && !new.claims(name);
    is_other.then(|| format!("is of kind {}, and no file of kind {} has such a name", old.name, new.name))
}

fn shown(hash: Option<&String>) -> &str {
    hash.map_or("no file", String::as_str)
}

/// The reason why an edit cannot be made.
pub(super) enum Unfit {
    /// The memory limit does not allow it.
    Memory(String),
    /// The file or the edit is not as expected.
    Other(String),
}

impl From<String> for Unfit {
    fn from(why: String) -> Self {
        Self::Other(why)
    }
}

impl From<field::Error> for Unfit {
    fn from(error: field::Error) -> Self {
        if error.is_memory() { Self::Memory(error.to_string()) } else { Self::Other(error.to_string()) }
    }
}

impl Unfit {
    /// Returns the reason, or the error if more memory would do.
    pub(super) fn at(self, place: impl core::fmt::Display) -> Result<String> {
        match self {
            Self::Memory(why) => Err(refusal(place, why)),
            Self::Other(why) => Ok(why),
        }
    }
}

/// A file that is of the expected kind and round-trips.
struct Decoded {
    kind: &'static Kind,
    model: Model,
    deviations: Vec<Deviation>,
}

fn decoded(kind: &str, name: &str, file: &Bytes) -> core::result::Result<Decoded, Unfit> {
    let found = recognize(KINDS, name, file).map(|(kind, _)| kind);
    let Some(kind) = found.filter(|found| found.name == kind) else {
        let found = found.map_or("an unknown format", |it| it.name);
        return Err(Unfit::Other(format!("expected a file of kind {kind}, found {found}")));
    };
    let how = VerifyOptions::default().spread(true).only_proof(true);
    let (report, model) = Candidate::new(KINDS, name, file.clone()).take_apart(how);
    match (report.failure, model) {
        (None, Some(model)) if report.status == Status::Identical => {
            Ok(Decoded { kind, model, deviations: report.deviations })
        }
        (Some(Failure::Read(why)), _) => Err(Unfit::Memory(why)),
        (Some(failure), _) => Err(Unfit::Other(format!("does not round-trip: {failure}"))),
        (None, _) => Err(Unfit::Other(format!("does not round-trip: {}", report.status.name()))),
    }
}

impl FileEdit {
    /// Returns the file after the edit, or `None` if the edit removes it, for programs that have the file in memory: nothing is read or
    /// written, and mods that are applied already are not known.
    ///
    /// # Errors
    /// Returns an error if the file is not the one expected, if the contents are damaged, or if the result does not round-trip.
    pub fn apply_to(&self, old: Option<&Bytes>) -> Result<Option<Bytes>> {
        let refuse = |why: String| refusal(&self.path, why);
        if let Some(changes) = &self.changes {
            let old = old.ok_or_else(|| refuse("expected a file, found none".to_owned()))?;
            let new = match change(self, old, changes) {
                Ok(new) => new,
                Err(Unfit::Memory(why) | Unfit::Other(why)) => return Err(refuse(why)),
            };
            let is_known = self.before == Some(Sha::of(old).to_string());
            return match self.after == Some(Sha::of(&new).to_string()) {
                false if is_known => {
                    Err(refuse(format!("expected a result with SHA-256 {}", shown(self.after.as_ref()))))
                }
                _ => Ok(Some(new)),
            };
        }
        let found = old.map(|old| Sha::of(old).to_string());
        if found != self.before && found != self.after {
            let (expected, found) = (shown(self.before.as_ref()), shown(found.as_ref()));
            return Err(refuse(format!("expected SHA-256 {expected}, found {found}")));
        }
        let Some(content) = &self.content else { return Ok(None) };
        let new = Bytes::from(content.unpacked(self.bytes).map_err(|why| refuse(why.to_string()))?);
        let sha256 = Sha::of(&new).to_string();
        if self.after.as_ref() != Some(&sha256) {
            let expected = shown(self.after.as_ref());
            return Err(refuse(format!("content: expected SHA-256 {expected}, found {sha256}")));
        }
        if let Some(kind) = &self.kind
            && let Err(Unfit::Memory(why) | Unfit::Other(why)) = proven(kind, self.name(), &new)
        {
            return Err(refuse(why));
        }
        Ok(Some(new))
    }
}

/// Checks that a file of this name is of the kind and round-trips.
pub(super) fn proven(kind: &str, name: &str, file: &Bytes) -> core::result::Result<(), Unfit> {
    decoded(kind, name, file).map(drop)
}

/// Makes changes by place, each where its old value matches.
pub(super) fn change(edit: &FileEdit, old: &Bytes, changes: &[Change]) -> core::result::Result<Bytes, Unfit> {
    // The texts of a mod are in its own encoding, whatever is chosen now.
    let page = match &edit.encoding {
        None => None,
        Some(name) => {
            Some(CodePage::named(name).ok_or_else(|| format!("its texts are in {name}, which is not known"))?)
        }
    };
    CodePage::during_or(page, || changed(edit, old, changes))
}

/// Returns the file after changes whose texts are in the chosen encoding.
fn changed(edit: &FileEdit, old: &Bytes, changes: &[Change]) -> core::result::Result<Bytes, Unfit> {
    let Decoded { kind, model, deviations } = decoded(edit.kind.as_deref().unwrap_or_default(), edit.name(), old)?;
    if let Some(edited) = apply_to_parts(KINDS, (kind, &model, edit.name()), changes)? {
        return Ok(edited.bytes);
    }
    let about = About { kind, games: &[], sha256: Sha::of(old), deviations: &deviations };
    let (whole, entries) = (Held::of(kind.name, old), diff::held(&model, old)?);
    let held = |entry: &str| if entry.is_empty() { Some(whole) } else { entries.get(entry).copied() };
    let mut draft = Edit::of(&model, about)?;
    diff::apply(changes, &mut draft, held).map_err(|refusal| refusal.to_string())?;
    let packed = draft.pack(KINDS)?;
    let new = Bytes::from(encode(&packed.model)?);
    prove(KINDS, kind, &packed.model, (edit.name(), &new))?;
    Ok(new)
}
