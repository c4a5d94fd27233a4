//! A file of a game, opened: its model by its kind, values by place, its entries, and saving it.

mod error;

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use crate::edit::{Batch, BifKeys, Edit, Entries, Preserved, prove, resolve, why_nothing};
use crate::marathon::{applesingle::AppleSingle, macbinary::MacBinary};
use crate::mods;
use crate::registry::{Game, KINDS, Kind, Model, Typed, TypedMut, named};
use crate::verify::{Candidate, Failure, VerifyOptions, lint};
use exchange::{About, show};
use field::{Address, Value, encode, memory};
use json::{Document, ReplacedValue};
use lint::Warning;
use media::Replaced;
use output::{folder_of, name_of};
use passes::{Sha, Spans, spans};

pub use error::{FileError, Why};

/// What to do about a file that something else has changed.
const CHANGED: &str =
    "something else has changed the file since it was opened; open it again, or `save_over` replaces it";

/// The result of something done with a file.
pub type Done<T = ()> = Result<T, FileError>;

/// Opens a file of a supported kind, which is proven to come back bit for bit.
///
/// ```
/// use bitexact::{field::Value, registry::Typed};
///
/// let mut world = bitexact::open("golden/install/rc/zbd/m1/gamez.zbd")?;
/// if let Typed::Gamez(gamez) = world.typed() {
///     println!("{} nodes", gamez.nodes().count());
/// }
/// assert_eq!(world.get("/nodes/slots/28/light/diffuse")?, Value::from(0.75));
/// world.set("/nodes/slots/28/light/diffuse", 0.25)?;
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// world.save(folder.join("gamez.zbd"))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if the file cannot be read, if it is of no supported kind, or if it cannot be decoded.
pub fn open(path: impl AsRef<Path>) -> Done<GameFile> {
    let path = path.as_ref();
    let shown = || path.display().to_string();
    let read = || {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        memory::read_to_end(file, Some(size))
    };
    let bytes = read().map_err(|error| FileError::new(shown(), error))?;
    let mut file = GameFile::from_bytes(name_of(path), bytes).map_err(|error| FileError { file: shown(), ..error })?;
    file.on_disk = Some((path.to_owned(), file.sha256));
    Ok(file)
}

/// A file of a game, or an entry of one.
pub struct GameFile {
    /// The path that it was opened or saved at, and the hash that the file has there.
    on_disk: Option<(PathBuf, Sha)>,
    /// The last part of its path, or the label of the entry that it is, by which files without a magic are recognized.
    name: String,
    kind: &'static Kind,
    games: Vec<Game>,
    /// The bytes that the model was read from, and their hash.
    bytes: Bytes,
    sha256: Sha,
    model: Model,
    /// What to preserve if the model has been changed since.
    changed: Option<Preserved>,
    /// The values that have been recomputed since it was opened.
    recomputed: Vec<Replaced>,
}

impl GameFile {
    /// Opens the bytes of a file with this name, by which some kinds are recognized.
    ///
    /// # Errors
    /// Returns an error if they are of no supported kind, or if they cannot be decoded.
    pub fn from_bytes(name: impl Into<String>, bytes: impl Into<Bytes>) -> Done<Self> {
        let (name, bytes) = (name.into(), bytes.into());
        let candidate = Candidate::new(KINDS, &name, bytes.clone());
        let (report, model) = candidate.take_apart(VerifyOptions::default().spread(true));
        let kind = report.kind.and_then(|kind| named(KINDS, kind));
        let why = match (kind, report.sha256, report.failure, model) {
            (Some(kind), Some(sha256), None, Some(model)) => {
                let (on_disk, games, changed, recomputed) = (None, report.games, None, Vec::new());
                return Ok(Self { on_disk, name, kind, games, bytes, sha256, model, changed, recomputed });
            }
            (_, _, Some(Failure::Decode(error)), _) => Why::Format(error),
            // It takes more memory than allowed.
            (_, _, Some(Failure::Read(why)), _) => Why::Io(io::Error::new(ErrorKind::OutOfMemory, why)),
            (_, _, Some(failure), _) => Why::Unproven(failure.to_string()),
            (None, ..) => Why::Unsupported(match report.kind {
                Some(other) => format!("unsupported format: {other}"),
                None => "unknown format; the table of formats in the guide lists the supported ones".to_owned(),
            }),
            (Some(_), ..) => Why::Unproven(report.status.name().to_owned()),
        };
        Err(FileError::new(name, why))
    }

    /// Returns its kind.
    #[must_use]
    pub fn kind(&self) -> &'static Kind {
        self.kind
    }

    /// Returns the games that it can belong to.
    #[must_use]
    pub fn games(&self) -> &[Game] {
        &self.games
    }

    /// Returns its name: the last part of its path, or the label of the entry that it is.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the model by its kind, for a `match`.
    #[must_use]
    pub fn typed(&self) -> Typed<'_> {
        Typed::of(&self.model)
    }

    /// Returns the model if it is of this type.
    #[must_use]
    pub fn model<M: 'static>(&self) -> Option<&M> {
        let model: &dyn core::any::Any = &*self.model;
        model.downcast_ref()
    }

    /// Returns the model by its kind for changing. What follows from the changes, such as counts, offsets and checksums, is recomputed when
    /// the file is [encoded](Self::encode) or saved.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn typed_mut(&mut self) -> Done<TypedMut<'_>> {
        self.begin()?;
        Ok(TypedMut::of(&mut self.model))
    }

    /// Returns the model for changing if it is of this type, as [`typed_mut`](Self::typed_mut) does.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn model_mut<M: 'static>(&mut self) -> Done<Option<&mut M>> {
        self.begin()?;
        let model: &mut dyn core::any::Any = &mut *self.model;
        Ok(model.downcast_mut())
    }

    /// Notes what must be preserved before the model is changed.
    fn begin(&mut self) -> Done {
        if self.changed.is_none() {
            self.changed = Some(Preserved::of(&self.model).map_err(|error| self.failed(error))?);
        }
        Ok(())
    }

    /// Returns the value at a place, in the notation of [`places`](crate::guide::places): a number, a text, or the object or list that is
    /// there, in full.
    ///
    /// # Errors
    /// Returns an error if there is nothing at the place.
    pub fn get(&self, place: &str) -> Done<Value> {
        let at = self.resolved(&place.into())?;
        let found = show(&self.model, &at.to_string(), usize::MAX).map_err(|error| self.failed(error))?;
        found.map_or_else(|| Err(self.nothing(&at)?), Ok)
    }

    /// Returns the values that a rule has replaced since the file was opened, because what they follow from was changed: those that were
    /// preserved although they differed from their rules, or that are no longer at their places. Counts, offsets and checksums that
    /// simply follow are not among them; [`changes_between`](crate::edit::changes_between) lists those too.
    #[must_use]
    pub fn recomputed(&self) -> &[Replaced] {
        &self.recomputed
    }

    /// Sets the value at a place. Returns the values that have been [recomputed](Self::recomputed) because of it.
    ///
    /// # Errors
    /// Returns an error if there is nothing at the place, or if the value does not fit it. The value is then unchanged.
    pub fn set(&mut self, place: &str, value: impl Into<Value>) -> Done<&[Replaced]> {
        let mut batch = Batch::default();
        batch.set.push((place.into(), value.into()));
        self.edit(batch)
    }

    /// Makes several edits together. Returns the values that have been [recomputed](Self::recomputed) because of them.
    ///
    /// # Errors
    /// Returns an error if one does not fit. None is then made.
    pub fn edit(&mut self, mut batch: Batch) -> Done<&[Replaced]> {
        self.settle()?;
        for at in batch.places_mut() {
            *at = self.resolved(at)?;
        }
        self.apply(&batch, None)
    }

    /// Replaces the contents of an entry by the bytes of a file of its kind. Returns the values that have been
    /// [recomputed](Self::recomputed) because of it.
    ///
    /// # Errors
    /// Returns an error if there is no such entry, or if the bytes are of another kind. The entry is then unchanged.
    pub fn replace(&mut self, entry: &str, bytes: impl Into<Bytes>) -> Done<&[Replaced]> {
        self.settle()?;
        let bytes = bytes.into();
        let edit = |edit: &mut Edit| Ok(edit.replace(entry, Document::Raw(bytes.clone()))?);
        self.apply(&Batch::default(), Some(&edit))
    }

    fn apply(&mut self, batch: &Batch, entries: Option<Entries<'_>>) -> Done<&[Replaced]> {
        let about = About { kind: self.kind, games: &self.games, sha256: self.sha256, deviations: &[] };
        let made = batch.apply(KINDS, (about, &self.model, &self.name), entries).map_err(|error| self.failed(error))?;
        (self.sha256, self.bytes, self.model) = (Sha::of(&made.bytes), made.bytes, made.model);
        let before = self.recomputed.len();
        self.recomputed.extend(made.recomputed);
        Ok(self.recomputed.get(before..).unwrap_or_default())
    }

    /// Returns the entries at any depth by their places (`maps!m1.zmap`), with their kinds and where they lie in the bytes.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn entries(&self) -> Done<Spans> {
        spans(&self.model).map_err(|error| self.failed(error))
    }

    /// Opens an entry as a file of its own. An edit of it is an edit of the copy: [`replace`](Self::replace) puts it back, and
    /// [`set`](Self::set) edits a value of an entry where it is (`ENTRY:/place`).
    ///
    /// # Errors
    /// Returns an error if there is no such entry, or if it is not a file of its own.
    pub fn entry(&mut self, entry: &str) -> Done<Self> {
        self.settle()?;
        let Some(span) = self.entries()?.remove(entry) else { return Err(self.nothing(&Address::of_entry(entry))?) };
        let shown = format!("{}!{entry}", self.shown());
        let Some(bytes) = span.of(&self.bytes) else {
            return Err(FileError::new(shown, Why::Nothing("the entry is not in one piece".to_owned())));
        };
        if named(KINDS, span.kind).is_none() {
            let why = format!("{} is a part of its container and no file of its own; read it by its place", span.kind);
            return Err(FileError::new(shown, Why::Unsupported(why)));
        }
        let label = entry.rsplit('!').next().unwrap_or(entry);
        Self::from_bytes(label, self.bytes.slice_ref(bytes)).map_err(|error| FileError { file: shown, ..error })
    }

    /// Opens what a Mac's wrapper holds: the data fork of a MacBinary or AppleSingle file, or its resource fork if it has no other. A file
    /// that is not wrapped is returned as it is.
    ///
    /// # Errors
    /// Returns an error if the file in the wrapper is of no supported kind.
    pub fn unwrapped(mut self) -> Done<Self> {
        if self.model::<MacBinary>().is_none() && self.model::<AppleSingle>().is_none() {
            return Ok(self);
        }
        let entries = self.entries()?;
        let fork = ["data", "resource"].into_iter().find(|fork| {
            entries.get(*fork).is_some_and(|span| span.end > span.begin && named(KINDS, span.kind).is_some())
        });
        match fork {
            Some(fork) => self.entry(fork),
            None => Err(self.failed(Why::Nothing("no fork of a supported kind is in this wrapper".to_owned()))),
        }
    }

    /// Returns what the games choke on in the model as it is now.
    ///
    /// # Errors
    /// Returns an error if the changes made do not fit the format.
    pub fn warnings(&mut self) -> Done<Vec<Warning>> {
        self.settle()?;
        lint(self.kind, &self.name, &self.model, &self.bytes).map_err(|error| self.failed(error))
    }

    /// Returns the bytes of the file with all changes, proven to be a file that comes back bit for bit.
    ///
    /// # Errors
    /// Returns an error if the changes do not fit the format.
    pub fn encode(&mut self) -> Done<Bytes> {
        self.settle()?;
        Ok(self.bytes.clone())
    }

    /// Writes the file with all changes, to where it was opened or to a new file, which is complete or absent. The KEY of a BIF states the new
    /// size, and a change of a game with mods is recorded there, so that `bitexact mod undo` undoes it.
    ///
    /// # Errors
    /// Returns an error if the changes do not fit the format, if the file cannot be written, if something else has changed it since it was
    /// opened, or if another file is at the path: [`save_over`](Self::save_over) replaces that.
    pub fn save(&mut self, path: impl AsRef<Path>) -> Done {
        let path = path.as_ref();
        let own = self.on_disk.as_ref().filter(|(own, _)| same_file::is_same_file(own, path).unwrap_or(false));
        match own.map(|(_, sha256)| *sha256) {
            None if path.exists() => {
                let why = "is another file than the one that was opened; `save_over` replaces it".to_owned();
                Err(FileError::new(path.display().to_string(), Why::Exists(why)))
            }
            before => self.write(path, before),
        }
    }

    /// Does what [`save`](Self::save) does, and replaces any other file at the path.
    ///
    /// # Errors
    /// Returns an error if the changes do not fit the format, or if the file cannot be written.
    pub fn save_over(&mut self, path: impl AsRef<Path>) -> Done {
        self.write(path.as_ref(), None)
    }

    /// Writes the file to a path, at which a file with this hash must be if one is given.
    fn write(&mut self, path: &Path, before: Option<Sha>) -> Done {
        self.settle()?;
        let failed = |why: Why| FileError::new(path.display().to_string(), why);
        let folder = folder_of(path);
        if !folder.is_dir() {
            let why = format!("the folder {} does not exist; make it first", folder.display());
            return Err(failed(io::Error::new(ErrorKind::NotFound, why).into()));
        }
        let keys = BifKeys::of(self.kind, path, &self.bytes, &|path| fs::read(path))
            .map_err(|refusal| failed(Why::NotWritten(refusal.to_string())))?;
        mods::write(path, core::slice::from_ref(&self.bytes), before, &keys, None).map_err(|refusal| {
            let is_other = |before| fs::read(path).is_ok_and(|bytes| Sha::of(&bytes) != before);
            failed(match refusal.system {
                _ if before.is_some_and(is_other) => Why::Changed(CHANGED.to_owned()),
                Some(error) => io::Error::new(error.kind(), refusal.why).into(),
                None => Why::NotWritten(refusal.why),
            })
        })?;
        self.on_disk = Some((path.to_owned(), self.sha256));
        Ok(())
    }

    /// Recomputes what follows from changes of the model, and proves the bytes.
    fn settle(&mut self) -> Done {
        let Some(before) = &self.changed else { return Ok(()) };
        let mut model = self.model.copy();
        let replaced = before.settle(&mut model).map_err(|error| self.failed(error))?;
        let bytes = Bytes::from(encode(&model).map_err(|error| self.failed(error))?);
        let proven = prove(KINDS, self.kind, &model, (&self.name, &bytes));
        self.model = proven.map_err(|why| self.failed(Why::Unproven(why)))?;
        (self.sha256, self.bytes, self.changed) = (Sha::of(&bytes), bytes, None);
        let said = |it: ReplacedValue| Replaced { place: it.place.to_string(), was: it.was, now: it.now };
        self.recomputed.extend(replaced.into_iter().map(said));
        Ok(())
    }

    /// Returns a place without names of nodes and keys in it.
    fn resolved(&self, at: &Address) -> Done<Address> {
        resolve(&self.model, (self.kind, KINDS), at)
            .map_err(|error| self.failed(error))?
            .map_err(|why| self.failed(Why::Nothing(format!("{at}: {why}"))))
    }

    /// Returns the error for a place with nothing.
    fn nothing(&self, at: &Address) -> Done<FileError> {
        let why = why_nothing(&self.model, at).map_err(|error| self.failed(error))?;
        Ok(self.failed(Why::Nothing(format!("{at}: {why}"))))
    }

    fn failed(&self, why: impl Into<Why>) -> FileError {
        FileError::new(self.shown(), why)
    }

    fn shown(&self) -> String {
        self.on_disk.as_ref().map_or_else(|| self.name.clone(), |(path, _)| path.display().to_string())
    }
}
