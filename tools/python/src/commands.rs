//! What the program does with one file: `unpack`, `pack`, `diff`, `patch`.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use bitexact::edit::diff::{self, Changes};
use bitexact::edit::{changes_between, prove};
use bitexact::exchange::schema::SCHEMAS;
use bitexact::exchange::{Contents, Form, MANIFEST, WRITTEN, contents, read, recover, write};
use bitexact::field::encode;
use bitexact::lint::Scope;
use bitexact::output;
use bitexact::passes::Sha;
use bitexact::registry::{KINDS, recognize};
use bitexact::verify::lint;
use bytes::Bytes;
use globset::{GlobBuilder, GlobMatcher};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::edits::Wishes;
use crate::failure::{Done, Failure};
use crate::source::{Source, bytes_of, name_of, put, stated};
use crate::warned::{Warned, warn};
use crate::work::work;

/// Unpacks a file into a folder. Returns the number of files written.
#[pyfunction]
pub(crate) fn unpack(
    py: Python<'_>,
    path: PathBuf,
    folder: PathBuf,
    only: Vec<String>,
    force: bool,
) -> PyResult<usize> {
    work(py, || {
        let globs = only.iter().map(|glob| {
            let glob = GlobBuilder::new(glob).case_insensitive(true).build();
            glob.map(|glob| glob.compile_matcher()).map_err(|error| Failure::new(error.to_string()))
        });
        let globs = globs.collect::<Done<Vec<_>>>()?;
        recover(&folder).map_err(|error| Failure::from(error).of(&folder))?;
        let source = Source::read(&path)?;
        let unpacked = || -> Done<Contents> { Ok(contents(&source.model, source.about())?) };
        let mut contents = unpacked().map_err(|failure| failure.of(&path))?.with_schemas();
        source.prove(contents.files.clone()).map_err(|failure| failure.of(&path))?;
        let is_schema = |path: &str| Path::new(path).starts_with(SCHEMAS);
        if !globs.is_empty() {
            let wanted = wanted(&globs, &contents);
            contents.keep_only(|path| wanted.iter().any(|file| belongs(path, file)));
            if contents.files.keys().all(|path| is_schema(path)) {
                return Err(Failure::new("no entry matches only").of(&path));
            }
        }
        may_write(&folder, force).map_err(|failure| failure.of(&folder))?;
        let failed = |(path, error): (PathBuf, std::io::Error)| Failure::from(error).of(&path);
        write(&folder, &contents.files).and_then(|written| written.put()).map_err(failed)?;
        Ok(contents.files.keys().filter(|path| !is_schema(path)).count())
    })
}

/// Returns the files of the entries that match, and of the entries in them.
fn wanted(globs: &[GlobMatcher], contents: &Contents) -> BTreeSet<String> {
    let matches = |entry: &str| globs.iter().any(|glob| glob.is_match(entry));
    let within = |entry: &str| entry.match_indices('!').filter_map(|(end, _)| entry.get(..end)).any(matches);
    let files = contents.entries.iter().filter(|(entry, _)| matches(entry) || within(entry));
    files.map(|(_, file)| file.clone()).collect()
}

/// Returns `true` if a path is the file of an entry, its image, sound or text, or a part of it.
fn belongs(path: &str, file: &str) -> bool {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let rest = path.strip_prefix(stem);
    path == file || rest.is_some_and(|rest| rest.starts_with('/') || [".png", ".wav", ".txt"].contains(&rest))
}

/// Makes sure that only an earlier unpack is replaced.
fn may_write(folder: &Path, force: bool) -> Done {
    let is_empty = match fs::read_dir(folder) {
        Ok(mut inside) => inside.next().is_none(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(error) => return Err(error.into()),
    };
    match (is_empty, [MANIFEST, WRITTEN].iter().any(|name| folder.join(name).is_file()), force) {
        (true, ..) | (_, true, true) => Ok(()),
        (_, true, false) => Err(Failure::of_system(
            ErrorKind::AlreadyExists,
            "already holds an unpacked file; use --force to replace it",
        )),
        (_, false, _) => Err(Failure::of_system(ErrorKind::AlreadyExists, "is not empty; choose a new folder")),
    }
}

/// Packs a folder into a file. Returns the hash of the file, and whether it is the original.
#[pyfunction]
pub(crate) fn pack(py: Python<'_>, folder: PathBuf, path: PathBuf, force: bool) -> PyResult<(String, bool)> {
    let (packed, warnings) = work(py, || {
        may_overwrite(&path, force)?;
        is_outside(&path, &folder)?;
        let in_folder = |failure: Failure| failure.of(&folder);
        recover(&folder).map_err(|error| in_folder(error.into()))?;
        let inside = read(&folder).map_err(|(path, error)| Failure::from(error).of(&path))?;
        let litter = inside.litter.iter();
        let mut warnings: Vec<Warned> = litter
            .map(|path| format!("{}: ignored, because it is litter of an editor or the system", path.display()).into())
            .collect();
        let form = Form::parse(inside.files).map_err(|why| in_folder(Failure::new(why)))?;
        let (packed, rest) = form.pack_rest(KINDS).map_err(|error| in_folder(error.into()))?;
        warnings.extend(rest.iter().map(|path| format!("{path}: not packed, because no row names it").into()));
        let bytes = Bytes::from(encode(&packed.model).map_err(|error| in_folder(error.into()))?);
        let sha256 = Sha::of(&bytes).to_string();
        // `unpack` has proven that the original round-trips.
        let is_original = packed.original.as_ref() == Some(&sha256);
        if !is_original {
            let name = name_of(&path);
            let proven = prove(KINDS, packed.kind, &packed.model, (&name, &bytes));
            let model = proven.map_err(|why| in_folder(Failure::new(why)))?;
            // Without the original, all warnings of the file may come from the edit.
            match Source::read(&path).ok().filter(|old| packed.original == Some(old.sha256.to_string())) {
                Some(old) => {
                    let edited = old.edited(bytes.clone(), model);
                    warnings.extend(edited.warnings(&edited.compared(&old)?)?);
                }
                None => {
                    let found = lint(packed.kind, &name, &model, &bytes)?.into_iter();
                    warnings.extend(found.filter(|it| it.trap.scope == Scope::File).map(|it| Warned::of(&it)));
                }
            }
        }
        warnings.extend(packed.recomputed.iter().map(Warned::replaced));
        // The KEYs of a BIF follow an edit of it, not a file that is already there.
        if !bytes_of(&path).is_ok_and(|old| old == bytes) {
            let stated = stated(packed.kind, &path, &bytes)?;
            warnings.extend(stated.notes.iter().cloned().map(Warned::from));
            put(&path, &bytes, None, (&stated, false))?;
        }
        Ok(((sha256, is_original), warnings))
    })?;
    warn(py, warnings)?;
    Ok(packed)
}

/// Makes sure that a file is not in a folder nor below it, with links resolved.
fn is_outside(path: &Path, folder: &Path) -> Done {
    let real = fs::canonicalize(path).or_else(|_| fs::canonicalize(output::folder_of(path)));
    match real.is_ok_and(|real| fs::canonicalize(folder).is_ok_and(|folder| real.starts_with(folder))) {
        true => Err(Failure::new("is inside the folder being packed; choose another location").of(path)),
        false => Ok(()),
    }
}

/// Makes sure that an existing file is replaced only by `force`.
pub(crate) fn may_overwrite(path: &Path, force: bool) -> Done {
    match path.exists() && !force {
        true => {
            Err(Failure::of_system(ErrorKind::AlreadyExists, "already exists; use --force to overwrite it").of(path))
        }
        false => Ok(()),
    }
}

/// Returns the changes between two files as JSON, as `diff --json` prints them.
#[pyfunction]
pub(crate) fn diff_files(py: Python<'_>, old: PathBuf, new: PathBuf) -> PyResult<String> {
    work(py, || {
        let open = |path: &Path| -> Done<_> {
            let bytes = bytes_of(path)?;
            let kind = recognize(KINDS, &name_of(path), &bytes).map(|(kind, _)| kind);
            let kind =
                kind.ok_or_else(|| Failure::new("unknown format; formats() lists the supported ones").of(path))?;
            Ok((bytes, kind))
        };
        let ((a, kind), (b, other)) = (open(&old)?, open(&new)?);
        if kind.name != other.name {
            return Err(Failure::new(format!("expected a file of kind {}, found {}", kind.name, other.name)).of(&new));
        }
        let refused = |error: bitexact::field::Error| {
            let is_old = (kind.decode)(a.clone()).is_err();
            Failure::from(error).of(if is_old { &old } else { &new })
        };
        let changes = diff::without_layout(changes_between(kind, a.clone(), b).map_err(refused)?);
        Ok(json(&Changes::of(kind.name, changes)))
    })
}

/// Where an edited file goes.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) output: Option<PathBuf>,
    pub(crate) dry_run: bool,
    pub(crate) backup: bool,
    pub(crate) force: bool,
}

impl Target {
    /// Makes sure that only a file that may be replaced is.
    pub(crate) fn check(&self) -> Done {
        let output = self.output.as_deref().filter(|_| !self.dry_run);
        output.map_or(Ok(()), |output| may_overwrite(output, self.force))
    }

    /// Writes an edited file. Returns the changes as JSON, and all warnings.
    pub(crate) fn put(
        &self,
        path: &Path,
        (source, edited): (&Source, &Source),
        mut warnings: Vec<Warned>,
    ) -> Done<(String, Vec<Warned>)> {
        let in_file = |failure: Failure| failure.of(path);
        let compared = edited.compared(source).map_err(in_file)?;
        let changes = compared.changes().map_err(|error| in_file(error.into()))?;
        warnings.extend(edited.warnings(&compared).map_err(in_file)?);
        let (target, bytes) = (self.output.as_deref().unwrap_or(path), &edited.bytes);
        if self.output.is_some() || *bytes != source.bytes {
            let stated = stated(source.kind, target, bytes)?;
            warnings.extend(stated.notes.iter().cloned().map(Warned::from));
            if !self.dry_run {
                let backup = self.backup && self.output.is_none();
                if backup {
                    output::back_up(path).map_err(|error| Failure::from(error).of(path))?;
                }
                put(target, bytes, self.output.is_none().then_some(source.sha256), (&stated, backup))?;
            }
        }
        Ok((json(&Changes::of(source.kind.name, changes)), warnings))
    }
}

/// Edits a file on disk. Returns the changes as JSON.
#[pyfunction]
#[pyo3(signature = (path, output, dry_run, backup, force, **edits))]
pub(crate) fn patch(
    py: Python<'_>,
    path: PathBuf,
    output: Option<PathBuf>,
    dry_run: bool,
    backup: bool,
    force: bool,
    edits: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let wishes = edits.map(Wishes::of).transpose()?.unwrap_or_default().forced(force);
    let target = Target { output, dry_run, backup, force };
    let (text, warnings) = work(py, || {
        if wishes.is_empty() {
            return Err(Failure::new("no edits given").of(&path));
        }
        target.check()?;
        let source = Source::read(&path)?;
        let refused = |failure: Failure| failure.in_entries(&source.model, &wishes.places()).of(&path);
        let (edited, _, warnings) = wishes.apply(&source).map_err(refused)?;
        target.put(&path, (&source, &edited), warnings)
    })?;
    warn(py, warnings)?;
    Ok(text)
}

pub(crate) fn json(row: &impl serde::Serialize) -> String {
    serde_json::to_string(row).unwrap_or_default()
}
