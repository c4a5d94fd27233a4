//! `mod`: mods of an install, as texts. Python reads and writes the archives that hold them.

use std::path::PathBuf;

use bitexact::exchange::{parse, print};
use bitexact::mods::{Applied, Game, ModFile, Named, Origin, Plan, Refusal, make};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::{Value, json};

use crate::failure::{Done, Failure};
use crate::warned::{Warned, warn};
use crate::work::work;

/// What a mod says about itself: title, author, version, description.
type Said = (Option<String>, Option<String>, Option<String>, Option<String>);

/// Returns the text of a mod that turns a folder or a file into an edited copy, and its manifest.
#[pyfunction]
pub(crate) fn make_mod<'py>(
    py: Python<'py>,
    original: PathBuf,
    mine: PathBuf,
    output: PathBuf,
    about: Said,
) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
    let (text, manifest, warnings) = work(py, || {
        let mut made = make(&original, &mine, &output).map_err(refused)?;
        if made.file.files.is_empty() {
            return Err(Failure::new(format!("is equal to {}; a mod needs a difference", original.display())).of(&mine));
        }
        let said = &mut made.file.about;
        (said.title, said.author, said.version, said.description) = about;
        let origin = Origin::of_folder(&original).or_else(|| Origin::of_files(&made.file));
        made.file.about.made_for = origin;
        let litter = made
            .litter
            .iter()
            .map(|it| format!("{it}: not in the mod, because it is litter of an editor or the system"));
        let relaid = made.relaid.iter().map(|it| format!("{it}: laid out differently, which is not part of the mod"));
        let warnings: Vec<Warned> = litter.chain(relaid).map(Warned::from).collect();
        let text = made.file.print().map_err(|why| Failure::new(why.to_string()))?;
        let manifest =
            parse(manifest(&made.file)?.to_string().as_bytes()).map_err(|why| Failure::new(why.to_string()))?;
        Ok((text, print(&manifest), warnings))
    })?;
    warn(py, warnings)?;
    Ok((PyBytes::new(py, text.as_bytes()), PyBytes::new(py, &manifest)))
}

/// Returns what a mod is and changes, as JSON.
#[pyfunction]
pub(crate) fn show_mod(py: Python<'_>, name: String, text: Vec<u8>) -> PyResult<String> {
    work(py, || {
        let file = ModFile::read(&name, &text).map_err(refused)?;
        let mut shown = manifest(&file)?;
        if let Some(members) = shown.as_object_mut() {
            members.insert("name".to_owned(), name.clone().into());
        }
        Ok(shown.to_string())
    })
}

/// Returns what a mod is, for people and lists of mods.
fn manifest(file: &ModFile) -> Done<Value> {
    let mut about = serde_json::to_value(&file.about).map_err(|why| Failure::new(why.to_string()))?;
    let files: Vec<String> = file.files.iter().map(ToString::to_string).collect();
    if let Some(members) = about.as_object_mut() {
        members.insert("files".to_owned(), files.into());
    }
    Ok(about)
}

/// The names of mods with their texts.
type Mods = Vec<(String, Vec<u8>)>;

/// Returns why mods cannot be applied, and the files that they would change, as JSON.
#[pyfunction]
pub(crate) fn check_mods(py: Python<'_>, path: PathBuf, mods: Mods, renumber: bool) -> PyResult<(Vec<String>, String)> {
    let (checked, warnings) = work(py, || {
        let game = Game::open(&path).map_err(refused)?;
        let (mods, warnings) = named(&game, &path, mods, renumber)?;
        let plan = game.plan(&mods).map_err(refused)?;
        Ok(((plan.findings.clone(), files(&plan)), warnings))
    })?;
    warn(py, warnings)?;
    Ok(checked)
}

/// Applies mods, all or none. Returns the files that have changed, as JSON.
#[pyfunction]
pub(crate) fn apply_mods(py: Python<'_>, path: PathBuf, mods: Mods, renumber: bool) -> PyResult<String> {
    let (applied, warnings) = work(py, || {
        let mut game = Game::lock(&path).map_err(refused)?;
        let (mods, mut warnings) = named(&game, &path, mods, renumber)?;
        let plan = game.apply(&mods).map_err(refused)?;
        nothing_found(&plan, &path)?;
        warnings.extend(plan.notes.iter().cloned().map(Warned::from));
        Ok((files(&plan), warnings))
    })?;
    warn(py, warnings)?;
    Ok(applied)
}

/// Undoes a mod or an edit, the last one without a name. Returns its name and the files that have changed, as JSON.
#[pyfunction]
pub(crate) fn undo_mod(py: Python<'_>, path: PathBuf, which: Option<String>) -> PyResult<(String, String)> {
    let (undone, warnings) = work(py, || {
        let mut game = Game::lock(&path).map_err(refused)?;
        let (undone, plan) = game.undo(which.as_deref()).map_err(refused)?;
        nothing_found(&plan, &path)?;
        let warnings: Vec<Warned> = plan.notes.iter().cloned().map(Warned::from).collect();
        Ok(((undone.name, files(&plan)), warnings))
    })?;
    warn(py, warnings)?;
    Ok(undone)
}

/// Returns the applied mods and edits, the first one first, as JSON.
#[pyfunction]
pub(crate) fn applied_mods(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    work(py, || {
        let game = Game::open(&path).map_err(refused)?;
        let applied: Vec<&Applied> = game.applied().collect();
        serde_json::to_string(&applied).map_err(|why| Failure::new(why.to_string()))
    })
}

/// Finishes or takes back the changes of an interrupted call. Returns `true` if there was one.
#[pyfunction]
pub(crate) fn finish_mods(py: Python<'_>, path: PathBuf) -> PyResult<bool> {
    work(py, || Ok(Game::lock(&path).map_err(refused)?.recovered().is_some()))
}

/// Reads mods for a game, and moves rows of later ones behind those of others if that is wanted.
fn named(game: &Game, path: &std::path::Path, mods: Mods, renumber: bool) -> Done<(Vec<Named>, Vec<Warned>)> {
    if mods.is_empty() {
        return Err(Failure::new("no mods given"));
    }
    let mut warnings = Vec::new();
    let read = |(name, text): (String, Vec<u8>)| game.read(&name, &text).map_err(refused);
    let mut mods = mods.into_iter().map(read).collect::<Done<Vec<_>>>()?;
    if renumber {
        let (all, moved) = game.renumbered(mods).map_err(refused)?;
        (mods, warnings) = (all, moved.iter().map(|it| it.to_string().into()).collect());
    }
    let mut here = None;
    for it in &mods {
        let Some(origin) = &it.about().made_for else { continue };
        let here = here.get_or_insert_with(|| Origin::of_folder(path));
        if let Some(why) = here.as_ref().and_then(|here| origin.differs(here)) {
            warnings.push(format!("{}: {why}", it.name).into());
        }
    }
    Ok((mods, warnings))
}

/// Returns an error if a plan cannot be carried out.
fn nothing_found(plan: &Plan, path: &std::path::Path) -> Done {
    match plan.findings.is_empty() {
        true => Ok(()),
        false => Err(Failure::new(format!("no file was changed: {}", plan.findings.join("; "))).of(path)),
    }
}

/// Returns the files of a plan, as JSON.
fn files(plan: &Plan) -> String {
    let files = plan.files.iter().map(|it| match &it.sha256 {
        Some(sha256) => json!({"path": it.path, "sha256": sha256, "original": it.is_original}),
        None => json!({"path": it.path, "original": it.is_original}),
    });
    Value::Array(files.collect()).to_string()
}

/// Returns the failure of an operation on mods; its place is a file, or one in a file.
fn refused(refusal: Refusal) -> Failure {
    match refusal.system {
        Some(_) => Failure::of_file(refusal.place.clone().as_ref(), refusal),
        None => Failure::new(refusal.to_string()),
    }
}
