//! The files of a model in the exchange format.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::recomputation::Recomputation;
use super::text::{JsonText, Sources};
use field::{Error, Fault, Place, Value};

/// The member that holds how a file deviates from the layout that follows from its values.
pub const LAYOUT: &str = "__layout";

/// The files of a model in the exchange format.
pub trait Documents: Send {
    /// Returns the number of threads for loading.
    fn threads(&self) -> usize {
        1
    }

    /// Takes a file out; each is that of one entry, or of a part of a document.
    ///
    /// # Errors
    /// Returns an error if there is no such file, or if it cannot be read.
    fn take(&mut self, file: &str) -> core::result::Result<Content, String>;

    /// Returns `true` if there is a document that another one may name as its part, and that has not been taken out.
    fn has_part(&self, file: &str) -> bool {
        let _ = file;
        false
    }

    /// Takes a file out that a document may name as its part, or returns `None` if it is not a document.
    fn take_part(&mut self, file: &str) -> Option<JsonText> {
        let _ = file;
        None
    }

    /// Returns what importing images, sounds or text of this kind needs, or `None` if the kind has no such files.
    fn media(&self, kind: &str) -> Option<Media> {
        let _ = kind;
        None
    }

    /// Takes such files out, and returns what imports them into a document.
    fn with_media(&mut self, kind: &str, file: &str, document: Value) -> Import {
        let _ = (kind, file);
        Box::new(|_| Ok(document))
    }

    /// Returns what imports an entry whose contents are a file of its own as a document, or `None` if this kind has no such files. If the
    /// kind is not stated, the name of the file must be that of one.
    fn of_medium(&mut self, (kind, is_stated): (&str, bool), file: &str, content: &Bytes) -> Option<Import> {
        let _ = (kind, is_stated, file, content);
        None
    }
}

/// Imports images, sounds or text and returns the document that contains them, on any thread. It is given the description of the entry in
/// its container, and the container itself, if it [needs](Media) them.
///
/// # Errors
/// Returns an error if the files cannot be imported.
pub type Import = Box<dyn FnOnce(Option<(&Value, &Value)>) -> core::result::Result<Value, DocumentError> + Send + Sync>;

/// The files of a model, for all loaders that share them.
pub struct Files<'d>(Mutex<&'d mut (dyn Documents + 'd)>);

impl<'d> Files<'d> {
    /// Creates a place from which files are taken.
    pub fn new(documents: &'d mut (dyn Documents + 'd)) -> Self {
        Self(Mutex::new(documents))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, &'d mut (dyn Documents + 'd)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The reason why images, sounds or text beside a document cannot be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentError {
    /// The wrong file: the document, or one beside it.
    pub file: String,
    /// The keys to the wrong value in the document, if the document is wrong.
    pub keys: Option<Vec<String>>,
    /// `true` if they lead to an unexpected member, and not to a wrong value.
    pub is_surplus: bool,
    /// The reason.
    pub why: String,
}

impl DocumentError {
    /// Returns the error of a document at a place, with its position in the text or in that of a part if it is known.
    pub fn at(self, place: Place, sources: Option<&Sources>) -> Error {
        let Self { file, keys, is_surplus, why } = self;
        let spot = keys.zip(sources).and_then(|(keys, sources)| sources.spot_of(&keys, is_surplus));
        // A wrong value of the document can be in a part of it.
        let file = spot.as_ref().map_or(file, |spot| spot.file().to_owned());
        Error::in_exchange(place, Fault::Beside { file, why }).with_spot(spot)
    }
}

/// A source without files, for models that contain no entries.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Documents for NoFiles {
    fn take(&mut self, _: &str) -> core::result::Result<Content, String> {
        Err("no files".to_owned())
    }
}

/// The surroundings that are needed to import an image, sound or text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Media {
    /// No surroundings.
    Alone,
    /// The description of the entry in its container, and the container itself.
    InContainer,
}

/// A file of the exchange format.
#[derive(Clone, Debug)]
pub enum Document {
    /// The contents of an entry, by name.
    Json(Value),
    /// The raw bytes of an entry.
    Raw(Bytes),
}

/// A file of the exchange format that is being loaded.
#[derive(Clone, Debug)]
pub enum Content {
    /// The contents of an entry, by name.
    Text(JsonText),
    /// The raw bytes of an entry.
    Raw(Bytes),
    /// The bytes of an entry of the stated kind that no edit has touched, and what must stay in them.
    AsIs(Bytes, Box<Recomputation>),
}

impl Default for Content {
    fn default() -> Self {
        Self::Raw(Bytes::new())
    }
}

impl Default for Document {
    fn default() -> Self {
        Self::Raw(Bytes::new())
    }
}
