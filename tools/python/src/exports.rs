//! `export` and `import`: files for other programs, and the changes that they have made.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bitexact::aurora::erf::Erf;
use bitexact::edit::{Edit, Exported, NotTaken, take_back, why_nothing};
use bitexact::field::Address;
use bitexact::kind::{ExportOptions, Format as _, Images, Kind, named};
use bitexact::output::{self, folder_of, parts};
use bitexact::passes::spans;
use bitexact::registry::KINDS;
use bitexact::zipper::texture::Package;
use bytes::Bytes;
use pyo3::prelude::*;

use crate::commands::{Target, may_overwrite};
use crate::failure::{Done, Failure};
use crate::source::{Source, bytes_of, name_of};
use crate::warned::{Warned, warn};
use crate::work::work;

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
        let containers: Vec<_> = containers.iter().map(|it| (&it.model, &it.bytes)).collect();
        let images = Images::beside(folder_of(&file), &containers, |path| bytes_of(path).ok())?;
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
    Err(Failure::new(match forms.is_empty() {
        true => format!("{kind} cannot be exported as .{form}; write its to_bytes(), or unpack it"),
        false => format!("{kind} cannot be exported as .{form}, only as {}", forms.join(", ")),
    }))
}

/// Returns the extensions of the files that can be made of a kind.
fn forms(kind: &Kind) -> Vec<String> {
    let drawings = kind.exports.iter().map(|it| it.extension);
    drawings.chain(kind.text.map(|it| it.extension)).map(|it| format!(".{it}")).collect()
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

/// The edited file, warnings of what was recomputed or is not in the file, and what was not taken.
type Changed = (Source, Vec<Warned>, BTreeMap<String, usize>);

fn imported(source: &Source, entry: Option<&str>, (path, drawing): (&Path, &Path)) -> Done<Changed> {
    let inner = match entry {
        None => None,
        Some(entry) => {
            let name = entry.rsplit('!').next().unwrap_or(entry).to_owned();
            Some(Source::of(name, entry_of(source, entry)?.1)?)
        }
    };
    let own = inner.as_ref().unwrap_or(source);
    let kind = own.kind;
    if kind.import.is_none() && kind.compiles.is_none() && kind.text.is_none() {
        return Err(Failure::new(format!("{} has no export that can be imported", kind.name)));
    }
    let of = Exported { entry, kind, model: &own.model, bytes: &own.bytes };
    let file = (source.about(), &source.model, &*name_of(path));
    let taken = take_back(KINDS, file, of, bytes_of(drawing)?, &[]).map_err(|why| match why {
        NotTaken::Export(why) => Failure::new(why).of(drawing),
        NotTaken::File(why) => why.into(),
    })?;
    let notes = taken.notes.into_iter().map(|note| Warned::from(format!("{}: {note}", drawing.display())));
    let warnings = taken.edited.recomputed.iter().map(Warned::replaced).chain(notes).collect();
    let ignored = taken.ignored.into_iter().map(|(what, count)| (what.to_owned(), count)).collect();
    Ok((source.edited(taken.edited.bytes, taken.edited.model), warnings, ignored))
}
