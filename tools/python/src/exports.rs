//! `export` and `import`: files for other programs, and the changes that they have made.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use bitexact::aurora::erf::Erf;
use bitexact::edit::{Batch, Batched, Edit, node_names, why_nothing};
use bitexact::field::Address;
use bitexact::json::Document;
use bitexact::kind::{ExportOptions, Format as _, Images, Imported, ImportedEdit, Kind, Named, named};
use bitexact::output::{self, folder_of};
use bitexact::passes::{names, spans};
use bitexact::registry::KINDS;
use bitexact::zipper::texture::Package;
use bytes::Bytes;
use pyo3::prelude::*;

use crate::commands::{Target, may_overwrite};
use crate::failure::{Done, Failure};
use crate::source::{Source, bytes_of, name_of};
use crate::warned::{Warned, warn};
use crate::work::work;

/// Splits a path into a file and an entry or place in it, after `!`, if the path itself does not exist.
fn parts(path: &Path) -> (PathBuf, Option<String>) {
    let text = path.to_string_lossy();
    let splits = text.match_indices('!').filter_map(|(at, _)| Some((text.get(..at)?, text.get(at + 1..)?)));
    let found = splits.into_iter().find(|(file, entry)| !entry.is_empty() && Path::new(file).is_file());
    match found.filter(|_| !path.exists()) {
        Some((file, entry)) => (file.into(), Some(entry.trim_end_matches(':').to_owned())),
        None => (path.to_owned(), None),
    }
}

/// Returns the kind and the bytes of an entry.
fn entry_of(source: &Source, entry: &str) -> Done<(&'static str, Bytes)> {
    let Some(span) = spans(&source.model)?.remove(entry) else {
        return Err(Failure::at(entry, &why_nothing(&source.model, &Address::of_entry(entry))?));
    };
    let bytes = span.of(&source.bytes).ok_or_else(|| Failure::at(entry, "the entry is not in one piece"))?;
    Ok((span.kind, source.bytes.slice_ref(bytes)))
}

/// Writes a file for other programs; the extension of `target` selects what. Returns what it does not show, with counts.
#[pyfunction]
pub(crate) fn export(
    py: Python<'_>,
    path: PathBuf,
    target: PathBuf,
    textures: Vec<PathBuf>,
    how: (usize, bool, bool),
) -> PyResult<BTreeMap<String, usize>> {
    let (level, no_skins, force) = how;
    work(py, || {
        may_overwrite(&target, force)?;
        let (file, place) = parts(&path);
        let source = Source::read(&file)?;
        let at = match &place {
            None => Address::default(),
            Some(entry) if spans(&source.model)?.contains_key(entry) => Address::of_entry(entry.as_str()),
            Some(place) => Address::from(place.as_str()),
        };
        let (name, bytes) = match at.entry.as_str() {
            "" => (source.kind.name, source.bytes.clone()),
            entry => entry_of(&source, entry).map_err(|failure| failure.of(&file))?,
        };
        let form = extension(&target);
        let kind = named(KINDS, name).filter(|_| at.keys.is_empty());
        let put = |bytes: &[u8]| output::write(&target, bytes).map_err(|error| Failure::from(error).of(&target));
        if let Some(text) = kind.and_then(|kind| kind.text).filter(|text| text.extension == form) {
            let text = text.write(&bytes).map_err(|why| Failure::new(why).of(&path))?;
            return put(&text).map(|()| BTreeMap::new());
        }
        let drawing = kind.and_then(|kind| kind.exports.iter().find(|export| export.extension == form));
        // A picture in a container is not the file of its own that other programs write.
        let is_file = at.entry.is_empty() || kind.is_some_and(|kind| (kind.decode)(bytes.clone()).is_ok());
        let Some(export) = drawing.filter(|_| is_file) else {
            let piece = piece(&source, &at, (name, &bytes), &form).map_err(|failure| failure.of(&path))?;
            put(&piece)?;
            return Ok(BTreeMap::new());
        };
        let (mut packages, mut containers) = (Vec::new(), Vec::new());
        if place.is_some() {
            containers.push(source);
        }
        for file in &textures {
            let source = Source::read(file)?;
            match source.kind.name {
                Package::NAME => packages.push(source.bytes),
                Erf::NAME => containers.push(source),
                kind => {
                    let why = format!("expected a texture package or a container of textures, found {kind}");
                    return Err(Failure::new(why).of(file));
                }
            }
        }
        let images = images(folder_of(&file), &containers)?;
        let options = ExportOptions::default().textures(packages).level(level).unbound(no_skins).images(images);
        let drawn = (export.draw)(bytes, &options).map_err(|why| Failure::new(why.to_string()).of(&path))?;
        put(&drawn.file)?;
        Ok(drawn.left_out.into_iter().map(|(what, count)| (what.to_owned(), count)).collect())
    })
}

fn extension(path: &Path) -> String {
    path.extension().map(|end| end.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Returns the only image, sound or text with this extension at a place, or the bytes of an entry under its own extension.
fn piece(source: &Source, at: &Address, (kind, bytes): (&str, &Bytes), form: &str) -> Done<Bytes> {
    let mut edit = Edit::of(&source.model, source.about())?;
    let shown = edit.shown(&at.entry)?;
    let inside = shown.into_iter().filter(|it| it.at.keys.starts_with(&at.keys));
    let mut fitting: Vec<_> = inside.filter(|it| it.extension == form).collect();
    if let (Some(one), true) = (fitting.pop(), fitting.is_empty()) {
        return Ok(one.content);
    }
    if let Some(first) = fitting.first() {
        let why = format!("has {} parts as .{form}; name one, such as {}", fitting.len() + 1, first.at);
        return Err(Failure::new(why));
    }
    let own = extension(Path::new(at.entry.rsplit('!').next().unwrap_or_default()));
    if at.keys.is_empty() && !at.entry.is_empty() && (own == form || form == "bin") {
        return Ok(bytes.clone());
    }
    let forms = named(KINDS, kind).map(forms).unwrap_or_default();
    let forms = if forms.is_empty() { "nothing".to_owned() } else { forms.join(", ") };
    Err(Failure::new(format!("{kind} cannot be exported as .{form}, only as {forms}")))
}

/// Returns the extensions of the files that can be made of a kind.
fn forms(kind: &Kind) -> Vec<String> {
    let drawings = kind.exports.iter().map(|it| it.extension);
    drawings.chain(kind.text.map(|it| it.extension)).map(|it| format!(".{it}")).collect()
}

/// The extensions of textures, the preferred ones first, as for the program.
const TEXTURES: [&str; 3] = ["png", "dds", "tga"];

/// Returns how textures are found: in this folder, then in these containers.
fn images(folder: &Path, containers: &[Source]) -> Done<Images> {
    let mut beside: HashMap<String, PathBuf> = HashMap::new();
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        beside.insert(file.file_name().to_string_lossy().to_lowercase(), file.path());
    }
    let mut inside: HashMap<String, Bytes> = HashMap::new();
    for source in containers {
        for (entry, span) in spans(&source.model)? {
            if let Some(bytes) = span.of(&source.bytes) {
                inside.entry(entry.to_lowercase()).or_insert_with(|| source.bytes.slice_ref(bytes));
            }
        }
    }
    Ok(Images::new(move |name: &str| {
        let names = TEXTURES.map(|end| format!("{name}.{end}"));
        let file = names.iter().filter_map(|name| beside.get(name)).find_map(|path| bytes_of(path).ok());
        file.or_else(|| names.iter().find_map(|name| inside.get(name).cloned()))
    }))
}

/// Takes the changes of an exported file back. Returns the changes as JSON, and what was not taken, with counts.
#[pyfunction]
pub(crate) fn import_(
    py: Python<'_>,
    path: PathBuf,
    drawing: PathBuf,
    output: Option<PathBuf>,
    back: (bool, bool, bool),
) -> PyResult<(String, BTreeMap<String, usize>)> {
    let (dry_run, backup, force) = back;
    let how = Target { output, dry_run, backup, force };
    let (text, ignored, warnings) = work(py, || {
        how.check()?;
        let (file, entry) = parts(&path);
        let source = Source::read(&file)?;
        let (edited, recomputed, ignored) =
            imported(&source, entry.as_deref(), (&file, &drawing)).map_err(|failure| failure.of(&path))?;
        let (text, warnings) = how.put(&file, (&source, &edited), recomputed)?;
        Ok((text, ignored, warnings))
    })?;
    warn(py, warnings)?;
    Ok((text, ignored))
}

/// The edited file, warnings of what was recomputed, and what was not taken.
type Taken = (Source, Vec<Warned>, BTreeMap<String, usize>);

fn imported(source: &Source, entry: Option<&str>, (path, drawing): (&Path, &Path)) -> Done<Taken> {
    let inner = match entry {
        None => None,
        Some(entry) => {
            let name = entry.rsplit('!').next().unwrap_or(entry).to_owned();
            Some(Source::of(name, entry_of(source, entry)?.1)?)
        }
    };
    let own = inner.as_ref().unwrap_or(source);
    let bytes = bytes_of(drawing)?;
    let in_drawing = |why: String| Failure::new(why).of(drawing);
    let (batched, ignored) = if let Some(text) = own.kind.text.filter(|text| (text.is_text)(&bytes)) {
        let bytes: Bytes = (text.read)(&bytes).map_err(in_drawing)?.into();
        (replaced((source, entry), &name_of(path), bytes)?, BTreeMap::new())
    } else {
        let Some(import) = own.kind.import else {
            return Err(Failure::new(format!("{} has no export that can be imported", own.kind.name)));
        };
        let Imported { edits, ignored, .. } = import(&own.model, &bytes).map_err(|why| in_drawing(why.to_string()))?;
        let batch = batch(edits, own)?.inside(entry.unwrap_or_default());
        let batched = batch.apply(KINDS, (source.about(), &source.model, &name_of(path)), None)?;
        (batched, ignored.into_iter().map(|(what, count)| (what.to_owned(), count)).collect())
    };
    let warnings = batched.recomputed.iter().map(Warned::replaced).collect();
    Ok((source.edited(batched.bytes, batched.model), warnings, ignored))
}

/// Returns a file that is replaced as a whole, or in which an entry is.
fn replaced((source, entry): (&Source, Option<&str>), name: &str, bytes: Bytes) -> Done<Batched> {
    let Some(entry) = entry else { return Ok(Batched::whole(KINDS, (source.kind, name), bytes)?) };
    let contents = Document::Raw(bytes);
    let edit = |edit: &mut Edit| Ok(edit.replace(entry, contents.clone())?);
    Ok(Batch::default().apply(KINDS, (source.about(), &source.model, name), Some(&edit))?)
}

/// Returns the edits as those of `patch`.
fn batch(edits: Vec<ImportedEdit>, source: &Source) -> Done<Batch> {
    let mut batch = Batch::default();
    for edit in edits {
        match edit {
            ImportedEdit::Set(place, value) => batch.set.push((place, value)),
            ImportedEdit::Delete(place) => batch.delete.push(place),
            ImportedEdit::Insert(place, value) => batch.insert.push((place, value)),
            ImportedEdit::Recompute(place) => batch.recompute.push(place),
            ImportedEdit::Rename(place, old, new) => {
                let places = renamed(source, place, &old)?.into_iter();
                batch.set.extend(places.map(|place| (place, new.as_str().into())));
            }
            _ => return Err(Failure::new("internal error: an unknown edit; please report this")),
        }
    }
    Ok(batch)
}

/// Returns the places of the name of a node and of all names that refer to it; only the first if several nodes have the name.
fn renamed(source: &Source, place: Address, old: &str) -> Done<Vec<Address>> {
    // Nothing refers to the names of some kinds.
    let Ok(all) = node_names(&source.model, (source.kind, KINDS), old)? else { return Ok(vec![place]) };
    let others = names(&source.model, source.kind, KINDS)?;
    let nodes = others.iter().filter(|it| it.of == Named::Node && it.text == old).count();
    Ok(if nodes == 1 { all } else { vec![place] })
}
