//! Makes a mod from an original and an edited copy.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use crate::edit::changes_between;
use crate::edit::diff::{Change, without_layout};
use crate::install::{Found, files};
use crate::registry::{KINDS, recognize};
use exchange::litter_in;
use field::memory::{self, Meter};
use field::{Fault, wide};
use kind::{Kind, foreign};
use passes::Sha;

use super::apply::{self, Unfit};
use super::packed::pack;
use super::{FileEdit, ModFile, Result, at, path, refusal};

/// A mod that was made, and the files that were ignored.
#[derive(Debug)]
#[non_exhaustive]
pub struct Made {
    /// The mod.
    pub file: ModFile,
    /// Files and folders of editors and systems, which are no part of a game.
    pub litter: BTreeSet<String>,
    /// The files that are also, or only, laid out differently, which is no part of a mod that has changes of values.
    pub relaid: BTreeSet<String>,
}

/// Makes a mod that turns the folder `original` into `mine`, or one file into the other. `output` is left out if it is below `mine`.
///
/// Files are compared, hashed and packed in pieces. A new or changed one is read as a whole to recognize it, unless the memory limit forbids
/// that and its beginning shows that it is of another program.
///
/// # Errors
/// Returns an error if a file cannot be read, if its path cannot be used on every system, or if [`memory::allowed`] does not allow it.
pub fn make(original: &Path, mine: &Path, output: &Path) -> Result<Made> {
    let (mut maker, mut litter) = (Maker::default(), BTreeSet::new());
    if original.is_file() && mine.is_file() {
        let name = original.file_name().unwrap_or_default().to_string_lossy().into_owned();
        path::check(&name).map_err(at(original.display()))?;
        let [old, new] = [original, mine].map(|path| {
            let size = std::fs::metadata(path).map(|about| about.len()).map_err(|error| error.to_string());
            Found::new(path.to_owned(), size)
        });
        maker.compare(&name, Some(&old), Some(&new))?;
        return Ok(Made::of(maker.edits, litter));
    }
    if original.is_file() || mine.is_file() {
        return Err(refusal(mine.display(), "cannot compare a file with a folder"));
    }
    let [old, new] = [below(original, output, &mut litter)?, below(mine, output, &mut litter)?];
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names {
        path::check(name).map_err(at(mine.display()))?;
        maker.compare(name, old.get(name), new.get(name))?;
    }
    let paths = maker.edits.iter().map(|compared: &Compared| (compared.edit.path.as_str(), None::<()>));
    match path::clashes(paths).first() {
        Some((why, ..)) => Err(refusal(mine.display(), format!("{why}; no mod can change one into the other"))),
        None => Ok(Made::of(maker.edits, litter)),
    }
}

/// Makes a mod of files in memory: each with its path in the game, the original, and the edited file.
///
/// # Errors
/// Returns an error as [`make`] does.
pub fn make_of(files: &[(String, Option<Bytes>, Option<Bytes>)]) -> Result<Made> {
    let mut edits = Vec::new();
    for (name, old, new) in files {
        path::check(name).map_err(at(name))?;
        if old != new {
            edits.push(compared(name, old.as_ref(), new.as_ref())?);
        }
    }
    Ok(Made::of(edits, BTreeSet::new()))
}

/// Returns the edit that turns one file into the other.
fn compared(name: &str, old: Option<&Bytes>, new: Option<&Bytes>) -> Result<Compared> {
    let before = old.map(|old| Sha::of(old).to_string());
    let edit = FileEdit { path: name.to_owned(), before, ..FileEdit::default() };
    let Some(new) = new else { return Ok(Compared { edit, is_relaid: false }) };
    let whole = |edit: FileEdit| {
        let (content, sha256, bytes) = pack(&**new, |_| Ok(())).map_err(at(name))?;
        let edit = FileEdit { after: Some(sha256.to_string()), bytes, content: Some(content), ..edit };
        Ok(Compared { edit, is_relaid: false })
    };
    let Some((kind, _)) = recognize(KINDS, edit.name(), new) else { return whole(edit) };
    let known = FileEdit { kind: Some(kind.name.to_owned()), ..edit.clone() };
    if let Some(old) = old {
        if let Some(why) = apply::misplaced(edit.name(), old, kind) {
            return Err(refusal(name, format!("the file of this path in the original {why}")));
        }
        let is_alike = recognize(KINDS, edit.name(), old).is_some_and(|(before, _)| before.name == kind.name);
        if is_alike && let Some(compared) = by_place(known.clone(), kind, (old, new)).map_err(at(name))? {
            return Ok(compared);
        }
    }
    match apply::proven(kind.name, edit.name(), new) {
        Ok(()) => whole(known),
        Err(unfit) => unfit.at(name).and_then(|_| whole(edit)),
    }
}

/// The edit of a file, and whether it leaves out that the file is laid out differently.
pub(super) struct Compared {
    pub(super) edit: FileEdit,
    is_relaid: bool,
}

impl Compared {
    /// Returns `true` if the file is laid out differently, and nothing else.
    fn is_of_layout(&self) -> bool {
        self.edit.changes.as_ref().is_some_and(|changes| changes.iter().all(Change::is_of_layout))
    }
}

impl Made {
    /// Puts the edits into a mod. Files that are only laid out differently are left out, unless all are.
    fn of(edits: Vec<Compared>, litter: BTreeSet<String>) -> Self {
        let is_relaid = edits.iter().all(Compared::is_of_layout);
        let (mut file, mut relaid) = (ModFile::default(), BTreeSet::new());
        for compared in edits {
            let is_left_out = !is_relaid && compared.is_of_layout();
            if is_left_out || compared.is_relaid {
                relaid.insert(compared.edit.path.clone());
            }
            if !is_left_out {
                file.files.push(compared.edit);
            }
        }
        Self { file, litter, relaid }
    }
}

/// Returns the files below a folder by relative path.
fn below(folder: &Path, output: &Path, litter: &mut BTreeSet<String>) -> Result<BTreeMap<String, Found>> {
    let mut below = BTreeMap::new();
    // Some file systems, and Wine for long paths, name no place: no link is taken then.
    let real = std::fs::canonicalize(folder).ok();
    let is_link = |path: &Path| std::fs::symlink_metadata(path).is_ok_and(|about| about.is_symlink());
    for found in files(folder).map_err(at(folder.display()))? {
        let inner: PathBuf = found.path.strip_prefix(folder).unwrap_or(&found.path).to_owned();
        let parts: Option<Vec<&str>> = inner.iter().map(|part| part.to_str()).collect();
        let Some(parts) = parts else { return Err(refusal(found.shown(), "the name is not valid Unicode")) };
        if let Some(until) = litter_in(&inner) {
            litter.insert(folder.join(until).display().to_string());
        } else if !output::is_one_place(&found.path, output) {
            // A mod is passed on, so it has nothing of other folders in it.
            let leads_out = match &real {
                Some(real) => std::fs::canonicalize(&found.path).is_ok_and(|path| !path.starts_with(real)),
                None => found.path.ancestors().take_while(|path| *path != folder).any(is_link),
            };
            if leads_out {
                let why = "is or lies below a link that leads out of the folder; put a copy there, or move it away";
                return Err(refusal(found.shown(), why));
            }
            below.insert(parts.join("/"), found);
        }
    }
    Ok(below)
}

/// The edits so far, and the memory that they take with their text.
struct Maker {
    edits: Vec<Compared>,
    meter: Meter,
}

impl Default for Maker {
    fn default() -> Self {
        Self { edits: Vec::new(), meter: Meter::new(memory::allowed(), 0) }
    }
}

impl Maker {
    /// Adds the edit that turns one file into the other, unless they are equal.
    fn compare(&mut self, path: &str, old: Option<&Found>, new: Option<&Found>) -> Result {
        let edit = FileEdit { path: path.to_owned(), ..FileEdit::default() };
        match (old, new) {
            (Some(old), Some(new)) if is_equal(old, new)? => Ok(()),
            (old, Some(new)) => match self.recognized(&edit, new)? {
                Some((kind, file)) => self.of_kind(edit, old, (new, kind, file)),
                None => self.whole(edit, old, (new, open(new)?)),
            },
            (Some(old), None) => {
                self.edits.push(Compared { edit: FileEdit { before: Some(hash(old)?), ..edit }, is_relaid: false });
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }

    /// Returns the kind and the bytes of a file, or `None` if it is of no supported kind.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or if the memory limit does not allow it and it could be of a kind: to know that, all of it is
    /// needed.
    fn recognized(&self, edit: &FileEdit, found: &Found) -> Result<Option<(&'static Kind, Bytes)>> {
        let (size, taken, failed) = (size(found)?, self.meter.taken(), at(found.shown()));
        let is_foreign = || is_foreign(edit.name(), &mut open(found)?).map_err(at(found.shown()));
        if taken + size > memory::allowed() && is_foreign()? {
            return Ok(None);
        }
        let file = open(found)?;
        let bytes = memory::fits(size).and_then(|()| {
            // The edits so far stay.
            self.meter.charge(size).map_err(over)?;
            self.meter.release_to(taken);
            memory::read_to_end(file, Some(size))
        });
        let bytes = Bytes::from(bytes.map_err(failed)?);
        Ok(recognize(KINDS, edit.name(), &bytes).map(|(kind, _)| (kind, bytes)))
    }

    /// Adds the edit of a file that is replaced or added as a whole.
    fn whole(&mut self, edit: FileEdit, old: Option<&Found>, (new, from): (&Found, impl Read)) -> Result {
        let before = old.map(hash).transpose()?;
        // The edit has the text, and so does the mod that is printed.
        let charge = |length| self.meter.charge_all(2, length).map_err(over);
        let (content, sha256, bytes) = pack(from, charge).map_err(at(new.shown()))?;
        let edit = FileEdit { before, after: Some(sha256.to_string()), bytes, content: Some(content), ..edit };
        self.edits.push(Compared { edit, is_relaid: false });
        Ok(())
    }

    /// Adds the edit of a file of a supported kind: by place, if the old one is of that kind and the changes turn it into the new one.
    fn of_kind(
        &mut self,
        edit: FileEdit,
        old: Option<&Found>,
        (new, kind, file): (&Found, &'static Kind, Bytes),
    ) -> Result {
        let known = FileEdit { kind: Some(kind.name.to_owned()), ..edit.clone() };
        let before = old.map(|old| self.recognized(&edit, old)).transpose()?.flatten();
        if let Some(why) = before.as_ref().and_then(|(_, before)| apply::misplaced(edit.name(), before, kind)) {
            return Err(refusal(new.shown(), format!("the file of this path in the original {why}")));
        }
        if let Some((_, before)) = before.filter(|(before, _)| before.name == kind.name)
            && let Some(compared) = by_place(known.clone(), kind, (&before, &file)).map_err(at(new.shown()))?
        {
            let weight = compared.edit.weight().map_err(at(new.shown()))?;
            self.meter.charge(weight).map_err(at(new.shown()))?;
            self.edits.push(compared);
            return Ok(());
        }
        // A file that is recognized but does not decode is only bytes.
        let edit = match apply::proven(kind.name, edit.name(), &file) {
            Ok(()) => known,
            Err(unfit) => unfit.at(new.shown()).map(|_| edit)?,
        };
        self.whole(edit, old, (new, &*file))
    }
}

/// Returns `true` if a file is of another program by the bytes at its beginning, and its name is none of a game. This leaves out files that
/// only their names show to be foreign, and programs, because libraries of messages begin like those.
fn is_foreign(name: &str, file: &mut impl Read) -> io::Result<bool> {
    /// More than any of these beginnings has.
    const BEGINNING: u64 = 1 << 12;
    let mut beginning = Vec::new();
    file.take(BEGINNING).read_to_end(&mut beginning)?;
    let is_claimed = KINDS.iter().any(|kind| kind.claims(name));
    Ok(!is_claimed && !beginning.starts_with(b"MZ") && foreign::recognize("", &beginning).is_some())
}

fn over(fault: Fault) -> io::Error {
    io::Error::other(fault.to_string())
}

fn size(found: &Found) -> Result<u64> {
    found.size.clone().map_err(at(found.shown()))
}

fn open(found: &Found) -> Result<File> {
    size(found)?;
    File::open(&found.path).map_err(at(found.shown()))
}

fn hash(found: &Found) -> Result<String> {
    let (sha256, _) = Sha::of_all(&mut open(found)?).map_err(at(found.shown()))?;
    Ok(sha256.to_string())
}

/// Compares two files, of which only pieces are in memory.
fn is_equal(old: &Found, new: &Found) -> Result<bool> {
    const PIECE: usize = 1 << 16;
    if size(old)? != size(new)? {
        return Ok(false);
    }
    let (mut one, mut other) =
        (BufReader::with_capacity(PIECE, open(old)?), BufReader::with_capacity(PIECE, open(new)?));
    loop {
        let (left, right) = (one.fill_buf().map_err(at(old.shown()))?, other.fill_buf().map_err(at(new.shown()))?);
        let length = left.len().min(right.len());
        if left.get(..length) != right.get(..length) {
            return Ok(false);
        }
        if length == 0 {
            return Ok(left.len() == right.len());
        }
        one.consume(length);
        other.consume(length);
    }
}

/// Returns the edit of changes by place that turns one file into the other, apart from layout. `None` if there is none.
pub(super) fn by_place(
    edit: FileEdit,
    kind: &'static Kind,
    files: (&Bytes, &Bytes),
) -> core::result::Result<Option<Compared>, String> {
    let (old, new) = files;
    let changes = match changes_between(kind, old.clone(), new.clone()) {
        Ok(changes) => changes.into_iter().map(Change::of_any_length).collect::<Vec<_>>(),
        Err(error) if error.is_memory() => return Err(error.to_string()),
        Err(_) => return Ok(None),
    };
    let values = without_layout(changes.clone());
    let has_layout = values.len() < changes.len();
    match made(&edit, kind, files, values)? {
        None if has_layout => made(&edit, kind, files, changes),
        compared => Ok(compared),
    }
}

/// Returns the edit with these changes if their result is the new file, or differs from it in layout only.
fn made(
    edit: &FileEdit,
    kind: &'static Kind,
    (old, new): (&Bytes, &Bytes),
    changes: Vec<Change>,
) -> core::result::Result<Option<Compared>, String> {
    let edit = &edit.clone().in_chosen_encoding();
    let made = match apply::change(edit, old, &changes) {
        Ok(made) => made,
        Err(Unfit::Memory(why)) => return Err(why),
        Err(Unfit::Other(_)) => return Ok(None),
    };
    let is_relaid = made != *new;
    if is_relaid {
        // Files can have the same values and differ where no change says so: then the changes are not all.
        match changes_between(kind, made.clone(), new.clone()) {
            Ok(rest) if !rest.is_empty() && rest.iter().all(Change::is_of_layout) => {}
            Err(error) if error.is_memory() => return Err(error.to_string()),
            _ => return Ok(None),
        }
    }
    let (before, after) = (Some(Sha::of(old).to_string()), Some(Sha::of(&made).to_string()));
    let edit = FileEdit { before, after, bytes: wide(made.len()), changes: Some(changes), ..edit.clone() };
    Ok(Some(Compared { edit, is_relaid }))
}
