//! Edits by name: the arguments of `patch` and `edit`.

use std::fs;
use std::path::{Path, PathBuf};

use bitexact::edit::diff::{self, Changes, Held};
use bitexact::edit::{Batch, BatchError, Edit, Refusal, Resolver, node_names};
use bitexact::exchange::parse;
use bitexact::field::{Address, Value};
use bitexact::json::Document;
use bitexact::kind::named;
use bitexact::media::Replaced;
use bitexact::passes::spans;
use bitexact::registry::{KINDS, Model};
use bytes::Bytes;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyString};

use crate::failure::{Done, Failure};
use crate::source::Source;
use crate::value::placed as value_at;
use crate::warned::Warned;

/// The edits of one call, applied in the order of the program.
#[derive(Default)]
pub(crate) struct Wishes {
    changes: Vec<Changes>,
    rename: Vec<(String, String)>,
    remove: Vec<String>,
    replace: Vec<(String, Contents)>,
    add: Vec<(String, Contents)>,
    rename_node: Vec<(String, String)>,
    batch: Batch,
    force: bool,
}

/// New contents of an entry: a document, and the extension of the file that it comes from.
type Contents = (Document, String);

/// Returns what an entry held before any edit.
type HeldBy<'h> = dyn Fn(&str) -> Option<Held> + 'h;

impl Wishes {
    /// Returns the wish to set values.
    pub(crate) fn of_values(set: Vec<(Address, Value)>, retype: bool) -> Self {
        let mut batch = Batch::default();
        (batch.set, batch.retype) = (set, retype);
        Self { batch, ..Self::default() }
    }

    /// Returns the wishes that arguments express.
    pub(crate) fn of(arguments: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut wishes = Self::default();
        for (name, value) in arguments.iter() {
            let name: String = name.extract()?;
            if value.is_none() {
                continue;
            }
            match name.as_str() {
                "apply" => wishes.changes = listed(&value)?.iter().map(read_changes).collect::<PyResult<_>>()?,
                "rename" => wishes.rename = pairs(&value)?.iter().map(texts).collect::<PyResult<_>>()?,
                "rename_node" => wishes.rename_node = pairs(&value)?.iter().map(texts).collect::<PyResult<_>>()?,
                "remove" => wishes.remove = listed(&value)?.iter().map(|it| it.extract()).collect::<PyResult<_>>()?,
                "replace" => wishes.replace = pairs(&value)?.iter().map(contents).collect::<PyResult<_>>()?,
                "add" => wishes.add = pairs(&value)?.iter().map(contents).collect::<PyResult<_>>()?,
                "set" => wishes.batch.set = pairs(&value)?.iter().map(placed).collect::<PyResult<_>>()?,
                "insert" => wishes.batch.insert = pairs(&value)?.iter().map(placed).collect::<PyResult<_>>()?,
                "delete" => wishes.batch.delete = listed(&value)?.iter().map(place).collect::<PyResult<_>>()?,
                "recompute" => wishes.batch.recompute = listed(&value)?.iter().map(place).collect::<PyResult<_>>()?,
                "retype" => wishes.batch.retype = value.extract()?,
                "force" => wishes.force = value.extract()?,
                _ => return Err(PyTypeError::new_err(format!("unexpected argument {name}"))),
            }
        }
        Ok(wishes)
    }

    /// Returns the places whose values are edited.
    pub(crate) fn places(&self) -> Vec<&Address> {
        let Batch { set, delete, insert, recompute, .. } = &self.batch;
        let valued = set.iter().chain(insert).map(|(place, _)| place);
        valued.chain(delete).chain(recompute).collect()
    }

    /// Returns `true` if nothing is to be edited.
    pub(crate) fn is_empty(&self) -> bool {
        let Batch { set, delete, insert, recompute, .. } = &self.batch;
        let has_values = !(set.is_empty() && delete.is_empty() && insert.is_empty() && recompute.is_empty());
        !(has_values || self.has_entries() || !self.rename_node.is_empty())
    }

    fn has_entries(&self) -> bool {
        let pairs = [self.replace.is_empty(), self.add.is_empty(), self.rename.is_empty()];
        !(self.changes.is_empty() && self.remove.is_empty() && pairs.iter().all(|is_empty| *is_empty))
    }

    /// Makes the edits. Returns the edited file, the values that have been recomputed, and a warning for each of them that nobody
    /// asked to recompute: it can be one that was set.
    pub(crate) fn apply(&self, source: &Source) -> Done<(Source, Vec<Replaced>, Vec<Warned>)> {
        let (kind, model) = (source.kind, &source.model);
        let resolver = Resolver::new(model, (kind, KINDS));
        let find = |place: &Address| -> Done<Address> {
            resolver.resolve(place)?.map_err(|why| Failure::at(place.to_string(), &why))
        };
        let mut batch = Batch::default();
        for (old, new) in &self.rename_node {
            let places = node_names(model, (kind, KINDS), old)?.map_err(|why| Failure::at(old, &why))?;
            batch.set.extend(places.into_iter().map(|place| (place, Value::from(new.as_str()))));
        }
        let with_places = |values: &[(Address, Value)]| -> Done<Vec<_>> {
            values.iter().map(|(place, value)| Ok((find(place)?, value.clone()))).collect()
        };
        batch.set.extend(with_places(&self.batch.set)?);
        batch.insert = with_places(&self.batch.insert)?;
        batch.delete = self.batch.delete.iter().map(find).collect::<Done<_>>()?;
        batch.recompute = self.batch.recompute.iter().map(find).collect::<Done<_>>()?;
        batch.retype = self.batch.retype;
        let held = if self.changes.is_empty() { Default::default() } else { diff::held(model, &source.bytes)? };
        let whole = Held { sha256: source.sha256, ..Held::of(kind.name, &source.bytes) };
        let held = |entry: &str| if entry.is_empty() { Some(whole) } else { held.get(entry).copied() };
        let entries = |edit: &mut Edit| self.edit_entries(edit, (kind.name, &held));
        let entries = self.has_entries().then_some(&entries as _);
        let batched = batch.apply(KINDS, (source.about(), model, &source.name), entries)?;
        self.are_alike(model, &batched.model)?;
        let is_asked = |it: &&Replaced| {
            let place = Address::from(it.place.to_string().as_str());
            let is_below = |asked: &Address| place.entry != asked.entry || place.keys.starts_with(&asked.keys);
            batch.recompute.iter().any(|asked| place.is_inside(&asked.entry) && is_below(asked))
        };
        let others = batched.recomputed.iter().filter(|it| !is_asked(it));
        let warnings = others.map(Warned::replaced).collect();
        Ok((source.edited(batched.bytes, batched.model), batched.recomputed, warnings))
    }

    fn edit_entries(&self, edit: &mut Edit, (kind, held): (&str, &HeldBy<'_>)) -> Result<(), BatchError> {
        let refuse = |place: &str, why: String| BatchError::Refusal(Refusal::new(place, why));
        for it in &self.changes {
            if it.kind != kind {
                return Err(BatchError::Unproven(format!(
                    "expected changes of a file of kind {kind}, found those of kind {}",
                    it.kind
                )));
            }
            diff::apply(&it.changes, edit, held)?;
        }
        for (old, new) in &self.rename {
            edit.rename(old, new)?;
        }
        for entry in &self.remove {
            edit.remove(entry)?;
        }
        for (entry, (document, extension)) in &self.replace {
            let document = of_text(edit, entry, document.clone()).map_err(|why| refuse(entry, why))?;
            let shown = match &document {
                Document::Raw(bytes) => edit.show(entry, extension, bytes.clone())?,
                Document::Json(_) => false,
            };
            if !shown && extension.eq_ignore_ascii_case("png") {
                return Err(refuse(entry, "not an image, so a PNG cannot replace it".to_owned()));
            }
            if !shown {
                edit.replace(entry, document)?;
            }
        }
        for (name, (document, _)) in &self.add {
            edit.add(name, document.clone())?;
        }
        Ok(())
    }

    /// Returns an error if an entry has been replaced by one of a different kind without `force`.
    fn are_alike(&self, before: &Model, after: &Model) -> Done {
        if self.force || self.replace.is_empty() {
            return Ok(());
        }
        let (before, after) = (spans(before)?, spans(after)?);
        for (entry, _) in &self.replace {
            if let (Some(old), Some(new)) = (before.get(entry), after.get(entry))
                && old.kind != new.kind
            {
                let why = format!("would change from {} to {}; use force=True to allow it", old.kind, new.kind);
                return Err(Failure::at(entry, &why));
            }
        }
        Ok(())
    }
}

/// Returns the contents of an entry in its own form, if they are given in the text form of its kind.
fn of_text(edit: &mut Edit, entry: &str, document: Document) -> Result<Document, String> {
    let text = edit.kind_of(entry).and_then(|kind| named(KINDS, &kind)).and_then(|kind| kind.text);
    match (text, document) {
        (Some(text), Document::Raw(bytes)) if text.is_source(&bytes) => {
            (text.read)(&bytes).map(|bytes| Document::Raw(bytes.into()))
        }
        (_, document) => Ok(document),
    }
}

/// Returns the items of a list, or the only item.
fn listed<'py>(value: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let is_one = value.is_instance_of::<PyString>() || value.is_instance_of::<PyDict>() || is_path(value);
    if is_one { Ok(vec![value.clone()]) } else { value.try_iter()?.collect() }
}

type Pair<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Returns the pairs of a dictionary or of a list.
fn pairs<'py>(value: &Bound<'py, PyAny>) -> PyResult<Vec<Pair<'py>>> {
    if value.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!("expected a dictionary, such as {{\"/place\": value}}, found the text {}", value.repr()?)));
    }
    match value.cast::<PyDict>() {
        Ok(dict) => Ok(dict.iter().collect()),
        Err(_) => value.try_iter()?.map(|pair| pair?.extract()).collect(),
    }
}

fn texts((one, other): &Pair<'_>) -> PyResult<(String, String)> {
    Ok((one.extract()?, other.extract()?))
}

fn place(value: &Bound<'_, PyAny>) -> PyResult<Address> {
    Ok(Address::from(value.extract::<String>()?))
}

fn placed((at, value): &Pair<'_>) -> PyResult<(Address, Value)> {
    let at = place(at)?;
    let value = value_at(&at.to_string(), value, false)?;
    Ok((at, value))
}

fn is_path(value: &Bound<'_, PyAny>) -> bool {
    value.hasattr("__fspath__").unwrap_or(false)
}

/// Returns new contents of an entry: bytes, JSON, or a file with its extension.
fn contents((entry, value): &Pair<'_>) -> PyResult<(String, Contents)> {
    let entry: String = entry.extract()?;
    if value.is_instance_of::<PyBytes>() || value.is_instance_of::<PyByteArray>() {
        let bytes = Bytes::from(value.extract::<Vec<u8>>()?);
        return Ok((entry, (Document::Raw(bytes), String::new())));
    }
    if !value.is_instance_of::<PyString>() && !is_path(value) {
        let json = value_at(&entry, value, false)?;
        return Ok((entry, (Document::Json(json), String::new())));
    }
    let path: PathBuf = value.extract()?;
    let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
    let document = match extension.eq_ignore_ascii_case("json") {
        true => Document::Json(parse(&read(value.py(), &path)?).map_err(|why| invalid(&path, &why.to_string()))?),
        false => Document::Raw(read(value.py(), &path)?.into()),
    };
    Ok((entry, (document, extension)))
}

/// Returns changes: the result of `diff`, or a file with it.
fn read_changes(value: &Bound<'_, PyAny>) -> PyResult<Changes> {
    if let Ok(dict) = value.cast::<PyDict>() {
        let text: String = value.py().import("json")?.call_method1("dumps", (dict,))?.extract()?;
        return diff::read(text.as_bytes()).map_err(PyValueError::new_err);
    }
    let path: PathBuf = value.extract()?;
    diff::read(&read(value.py(), &path)?).map_err(|why| invalid(&path, &why))
}

fn read(py: Python<'_>, path: &Path) -> PyResult<Vec<u8>> {
    fs::read(path).map_err(|error| Failure::from(error).of(path).raise(py))
}

fn invalid(path: &Path, why: &str) -> PyErr {
    PyValueError::new_err(format!("{}: {why}", path.display()))
}

impl Wishes {
    /// Sets whether an entry may become one of a different kind.
    pub(crate) fn forced(self, force: bool) -> Self {
        Self { force, ..self }
    }

    /// Puts values to set before all others.
    pub(crate) fn set_first(&mut self, mut set: Vec<(Address, Value)>) {
        set.append(&mut self.batch.set);
        self.batch.set = set;
    }
}
