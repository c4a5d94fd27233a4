//! The calls from JavaScript. What is returned as text is JSON, if not said otherwise; errors are texts.

use std::collections::BTreeMap;
use std::path::Path;

use bitexact::exchange::litter_in;
use bitexact::field::{Value, memory};
use bitexact::json::Compact;
use bitexact::passes::Sha;
use bytes::Bytes;
use wasm_bindgen::prelude::*;

use crate::certify;
use crate::change::{self, Mod};
use crate::open::{self, Opened};
use crate::save;
use crate::still;
use crate::verify;

type Said<T> = Result<T, JsError>;

fn error(why: impl AsRef<str>) -> JsError {
    JsError::new(why.as_ref())
}

fn print(json: Value) -> String {
    Compact(&json).to_string()
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console, js_name = error)]
    fn complain(text: &str);

    /// What receives the bytes of a re-encoded file: an object with a method `write`.
    pub type Receiver;
    #[wasm_bindgen(method)]
    fn write(this: &Receiver, bytes: &[u8]);
}

/// Sets the memory that a file and its model may take, in bytes, and how a panic is told.
#[wasm_bindgen]
pub fn begin(bytes: f64) {
    memory::allow(bytes as u64);
    std::panic::set_hook(Box::new(|panic| complain(&panic.to_string())));
}

/// Returns the version of the page.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Returns the SHA-256 of bytes, for a browser that computes none.
#[wasm_bindgen]
#[must_use]
pub fn digest(bytes: &[u8]) -> Vec<u8> {
    Sha::of(bytes).bytes().to_vec()
}

/// See [`verify::Verifying`].
#[wasm_bindgen]
pub struct Verifying(verify::Verifying);

#[wasm_bindgen]
impl Verifying {
    /// Decodes a file and encodes it again.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn begin(path: &str, file: Vec<u8>, strip: bool, to: &Receiver) -> Self {
        Self(verify::Verifying::begin(path, file.into(), strip, &mut |bytes| to.write(bytes)))
    }

    /// Takes the hashes.
    ///
    /// # Errors
    /// Returns an error if one of them is no SHA-256.
    pub fn finish(self, sha256: &[u8], rewritten: &[u8], in_demo: bool) -> Said<Verified> {
        let hash = |bytes: &[u8]| <[u8; 32]>::try_from(bytes).map_err(|_| error("expected a hash of 32 bytes"));
        Ok(Verified(self.0.finish([hash(sha256)?, hash(rewritten)?], in_demo)))
    }
}

/// See [`verify::Verified`].
#[wasm_bindgen]
pub struct Verified(verify::Verified);

#[wasm_bindgen]
impl Verified {
    /// Returns a file that cannot be read.
    #[must_use]
    pub fn unreadable(path: &str, why: &str) -> Self {
        Self(verify::Verified::unreadable(path, why))
    }

    /// Returns the row of `verify --json`.
    #[must_use]
    pub fn row(&self) -> String {
        self.0.row()
    }

    /// Returns what tells the install around the file, as text for a [`Survey`].
    #[must_use]
    pub fn facts(&self) -> String {
        self.0.facts()
    }
}

/// See [`certify::Survey`].
#[wasm_bindgen]
pub struct Survey(certify::Survey);

#[wasm_bindgen]
impl Survey {
    /// Begins with the folders that were dropped.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(folders: Vec<String>) -> Self {
        Self(certify::Survey::new(&folders))
    }

    /// Adds a file by its row and its facts.
    ///
    /// # Errors
    /// Returns an error if one of them is not what a worker has written.
    pub fn see(&mut self, row: &str, facts: &str) -> Said<()> {
        self.0.see(row, facts).map_err(error)
    }

    /// Returns the installs among the files.
    #[must_use]
    pub fn installs(&self) -> String {
        print(self.0.installs())
    }
}

/// See [`certify::Reporting`].
#[wasm_bindgen]
pub struct Reporting(certify::Reporting);

#[wasm_bindgen]
impl Reporting {
    /// Begins with the folders that were dropped.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(folders: Vec<String>) -> Self {
        Self(certify::Reporting::new(&folders))
    }

    /// Adds a file.
    pub fn see(&mut self, file: Verified) {
        self.0.see(file.0);
    }

    /// Returns the page.
    #[must_use]
    pub fn finish(self, paths: Vec<String>) -> String {
        self.0.finish(&paths)
    }
}

/// Returns for each path whether it is the litter of a system or an editor, which is ignored.
#[wasm_bindgen]
#[must_use]
pub fn litter(paths: Vec<String>) -> Vec<u8> {
    paths.iter().map(|path| u8::from(litter_in(Path::new(path)).is_some())).collect()
}

/// Returns for each path whether it is in an install of a demo whose files are not supported.
#[wasm_bindgen]
#[must_use]
pub fn in_demo(paths: Vec<String>) -> Vec<u8> {
    certify::in_demo(&paths).into_iter().map(u8::from).collect()
}

/// Returns the supported kinds.
#[wasm_bindgen]
#[must_use]
pub fn formats() -> String {
    print(open::formats())
}

/// Returns the JSON Schema of the documents of a kind.
#[wasm_bindgen]
#[must_use]
pub fn schema(kind: &str) -> Option<String> {
    open::schema_of(kind).map(str::to_owned)
}

/// Returns the changes between two files, in words.
///
/// # Errors
/// Returns an error if they cannot be compared.
#[wasm_bindgen]
pub fn compare(name: &str, old: Vec<u8>, new: Vec<u8>) -> Said<String> {
    crate::compare::compare(name, old.into(), new.into()).map(print).map_err(error)
}

/// A file in memory.
#[wasm_bindgen]
pub struct File(Opened);

#[wasm_bindgen]
#[allow(clippy::missing_errors_doc, reason = "each is one call of the type beside it, which says why it fails")]
impl File {
    /// Opens a file.
    #[wasm_bindgen(constructor)]
    pub fn open(name: &str, file: Vec<u8>) -> Said<Self> {
        Opened::open(name, file.into()).map(Self).map_err(error)
    }

    /// See [`Opened::described`].
    pub fn described(&self) -> Said<String> {
        self.0.described().map(print).map_err(error)
    }

    /// See [`Opened::outline`]. Returns lines.
    pub fn outline(&self, entry: &str) -> Said<Vec<String>> {
        self.0.outline(entry).map_err(error)
    }

    /// See [`Opened::value`].
    pub fn value(&self, place: &str, most: usize) -> Said<String> {
        self.0.value(place, most).map(print).map_err(error)
    }

    /// See [`Opened::find`].
    pub fn find(&self, text: &str) -> Said<String> {
        self.0.find(text).map(print).map_err(error)
    }

    /// See [`Opened::extent`].
    pub fn extent(&self, place: &str) -> Said<String> {
        self.0.extent(place).map(print).map_err(error)
    }

    /// See [`Opened::owner`]. Returns a place.
    pub fn owner(&self, offset: f64) -> Said<Option<String>> {
        self.0.owner(offset as u64).map_err(error)
    }

    /// Returns the owners of bytes.
    pub fn owners(&mut self, begin: f64, end: f64) -> Said<String> {
        self.0.owners(begin as u64, end as u64).map(print).map_err(error)
    }

    /// Returns the bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.0.bytes().to_vec()
    }

    /// Returns the bytes of a range, at most up to the end of the file.
    #[must_use]
    pub fn range(&self, begin: f64, end: f64) -> Vec<u8> {
        let bytes = self.0.bytes();
        let (begin, end) = ((begin as usize).min(bytes.len()), (end as usize).min(bytes.len()));
        bytes.get(begin..end).unwrap_or_default().to_vec()
    }

    /// Returns the bytes of the file as it was opened.
    #[must_use]
    pub fn original(&self) -> Vec<u8> {
        self.0.original().to_vec()
    }

    /// Returns the bytes of an entry.
    pub fn entry(&self, entry: &str) -> Said<Vec<u8>> {
        self.0.entry(entry).map(|bytes| bytes.to_vec()).map_err(error)
    }

    /// Returns the drawing of an entry. `names` and `files` are other files with textures; those without a name are packages.
    pub fn draw(
        &self,
        entry: &str,
        extension: &str,
        level: usize,
        names: Vec<String>,
        files: Vec<js_sys::Uint8Array>,
    ) -> Said<Drawing> {
        let (mut packages, mut images) = (Vec::new(), BTreeMap::new());
        for (name, file) in names.into_iter().zip(files) {
            let bytes = Bytes::from(file.to_vec());
            match name.is_empty() {
                true => packages.push(bytes),
                false => drop(images.insert(name, bytes)),
            }
        }
        let drawn = self.0.draw((entry, extension, level), packages, images).map_err(error)?;
        Ok(Drawing { file: drawn.file, about: print(drawn.about) })
    }

    /// See [`Opened::still`]. `files` are texture packages.
    pub fn still(&self, entry: &str, files: Vec<js_sys::Uint8Array>) -> Said<Option<Still>> {
        let packages = files.into_iter().map(|file| Bytes::from(file.to_vec())).collect();
        Ok(self.0.still(entry, packages).map_err(error)?.map(Still))
    }

    /// Returns the images, sounds and texts of an entry.
    pub fn media(&mut self, entry: &str) -> Said<String> {
        self.0.media(entry).map(print).map_err(error)
    }

    /// Returns one of them.
    pub fn medium(&mut self, entry: &str, path: &str) -> Said<Vec<u8>> {
        self.0.medium(entry, path).map(|bytes| bytes.to_vec()).map_err(error)
    }

    /// See [`Opened::edit`].
    pub fn edit(&mut self, wishes: &str) -> Said<String> {
        self.0.edit(wishes).map(print).map_err(error)
    }

    /// See [`Opened::replace`].
    pub fn replace(&mut self, entry: &str, extension: &str, file: Vec<u8>) -> Said<String> {
        self.0.replace(entry, extension, &file.into()).map(print).map_err(error)
    }

    /// See [`Opened::add`].
    pub fn add(&mut self, entry: &str, extension: &str, file: Vec<u8>) -> Said<String> {
        self.0.add(entry, extension, &file.into()).map(print).map_err(error)
    }

    /// See [`Opened::repack`].
    pub fn repack(&mut self, entry: &str, path: &str, file: Vec<u8>) -> Said<String> {
        self.0.repack(entry, path, file.into()).map(print).map_err(error)
    }

    /// See [`Opened::apply`].
    pub fn apply(&mut self, changes: Vec<u8>) -> Said<String> {
        self.0.apply(&changes).map(print).map_err(error)
    }

    /// Takes the last edit back.
    pub fn undo(&mut self) -> Said<bool> {
        self.0.step(false).map_err(error)
    }

    /// Makes the last edit again that was taken back.
    pub fn redo(&mut self) -> Said<bool> {
        self.0.step(true).map_err(error)
    }

    /// See [`Opened::changes`].
    pub fn changes(&self) -> Said<String> {
        self.0.changes().map_err(error)
    }
}

/// A drawing.
#[wasm_bindgen(getter_with_clone)]
pub struct Drawing {
    /// The file.
    pub file: Vec<u8>,
    /// What it lacks.
    pub about: String,
}

/// See [`still::Still`]. Each list is taken once.
#[wasm_bindgen]
pub struct Still(still::Still);

#[wasm_bindgen]
impl Still {
    /// Returns the number of the material of each part, or -1.
    #[must_use]
    pub fn materials(&self) -> Vec<i32> {
        self.0.parts.iter().map(|(material, _)| material.and_then(|it| i32::try_from(it).ok()).unwrap_or(-1)).collect()
    }

    /// Returns a list of numbers of a part: its positions, normals, coordinates or colors.
    pub fn floats(&mut self, part: usize, list: usize) -> Vec<f32> {
        let Some((_, part)) = self.0.parts.get_mut(part) else { return Vec::new() };
        let list = match list {
            0 => &mut part.positions,
            1 => &mut part.normals,
            2 => &mut part.coordinates,
            _ => &mut part.colors,
        };
        core::mem::take(list)
    }

    /// Returns the vertices of the triangles of a part.
    pub fn indices(&mut self, part: usize) -> Vec<u32> {
        self.0.parts.get_mut(part).map(|(_, part)| core::mem::take(&mut part.indices)).unwrap_or_default()
    }

    /// Returns the materials.
    #[must_use]
    pub fn surfaces(&self) -> String {
        Compact(&self.0.surfaces).to_string()
    }

    /// Returns the number of images.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.images.len()
    }

    /// Returns an image as PNG.
    pub fn image(&mut self, number: usize) -> Vec<u8> {
        self.0.images.get_mut(number).map(core::mem::take).unwrap_or_default()
    }

    /// Returns what is left out.
    #[must_use]
    pub fn about(&self) -> String {
        Compact(&self.0.about).to_string()
    }
}

/// See [`change::Making`].
#[wasm_bindgen]
#[derive(Default)]
pub struct Making(change::Making);

#[wasm_bindgen]
#[allow(clippy::missing_errors_doc, reason = "each is one call of the type beside it, which says why it fails")]
impl Making {
    /// Begins a mod.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file: its path in the game, the original, and the edited one.
    pub fn add(&mut self, path: &str, old: Option<Vec<u8>>, new: Option<Vec<u8>>) {
        self.0.add(path.to_owned(), old.map(Bytes::from), new.map(Bytes::from));
    }

    /// Takes what the mod says about itself.
    pub fn about(&mut self, text: &str) -> Said<()> {
        self.0.about(text).map_err(error)
    }

    /// Takes the picture of the mod.
    pub fn picture(&mut self, name: &str, bytes: Vec<u8>) -> Said<()> {
        self.0.picture(name, bytes.into()).map_err(error)
    }

    /// Returns the mod. `game` has the files of the game that it is made for.
    pub fn finish(&self, game: Option<Survey>) -> Said<Vec<u8>> {
        self.0.finish(game.and_then(|game| game.0.origin())).map_err(error)
    }
}

/// A mod that was read.
#[wasm_bindgen]
pub struct Reading(Mod);

#[wasm_bindgen]
#[allow(clippy::missing_errors_doc, reason = "each is one call of the type beside it, which says why it fails")]
impl Reading {
    /// Reads a mod.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, text: Vec<u8>) -> Said<Self> {
        Mod::read(name, &text).map(Self).map_err(error)
    }

    /// Returns what it says about itself, and the files that it changes. `game` has the files of the game that it is applied to.
    #[must_use]
    pub fn told(&self, game: Option<Survey>) -> String {
        print(self.0.told(game.and_then(|game| game.0.origin()).as_ref()))
    }

    /// Returns a file after the mod; nothing if the mod removes it.
    pub fn apply(&self, path: &str, old: Option<Vec<u8>>) -> Said<Option<Vec<u8>>> {
        let old = old.map(Bytes::from);
        let new = self.0.apply(path, old.as_ref()).map_err(error)?;
        Ok(new.map(|bytes| bytes.to_vec()))
    }
}

/// See [`save::Saving`].
#[wasm_bindgen]
pub struct Saving(save::Saving);

#[wasm_bindgen]
#[allow(clippy::missing_errors_doc, reason = "each is one call of the type beside it, which says why it fails")]
impl Saving {
    /// Begins at this number of seconds since 1970.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(now: f64) -> Self {
        Self(save::Saving::new(now as u64))
    }

    /// Tells that there is a folder, or a file with its bytes if they were read.
    pub fn has(&mut self, path: &str, is_folder: bool, bytes: Option<Vec<u8>>) {
        self.0.has(path, is_folder, bytes.map(Bytes::from));
    }

    /// Adds a file to be saved: its path in the game, the file that was edited, and the result.
    pub fn add(&mut self, path: &str, old: &[u8], new: Vec<u8>) -> Said<()> {
        self.0.add(path, old, new.into()).map_err(error)
    }

    /// Adds a mod to be applied.
    pub fn add_mod(&mut self, name: &str, text: Vec<u8>) {
        self.0.add_mod(name, text);
    }

    /// Returns the files whose bytes are needed, or else the operations to make: to save the files, to apply the mods, or, without any of
    /// them, to undo the last change.
    pub fn run(&mut self, folder: &str) -> Said<String> {
        self.0.run(folder).map(print).map_err(error)
    }

    /// Returns the bytes that an operation writes.
    #[must_use]
    pub fn bytes(&self, nth: usize) -> Option<Vec<u8>> {
        self.0.bytes(nth).map(|bytes| bytes.to_vec())
    }
}
