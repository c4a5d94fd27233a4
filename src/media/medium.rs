//! Images, sounds and text that other programs edit. A family declares where its kinds contain them, and the exchange
//! format stores each in a separate file.

use core::fmt::{self, Display};

use bytes::Bytes;

use field::{Error, Lay, Place, Record, Result as Laid, Tape, Value};
use json::{NoFiles, load};

/// The declaration of the images, sounds or text in documents of a kind.
#[derive(Clone, Copy, Debug)]
pub struct Medium {
    /// The kind of the entry, or of the whole file.
    pub kind: &'static str,
    /// `true` if the meaning of the files depends on the container.
    pub looks_around: bool,
    /// `true` if the only file can hold all of a document. The document then has no JSON, and the file has the name of the entry.
    pub is_whole: bool,
    /// Returns the places of such parts in a document.
    pub parts: fn(&Value) -> Vec<Location>,
    /// The files of a part: the member that names each, and the ending of its path. The first file is always present.
    pub files: &'static [(&'static str, &'static str)],
    /// Members of a part that its files determine. The JSON need not repeat them; if it does, both must agree.
    pub determined: &'static [&'static str],
    /// Returns the remaining JSON and the files, or `None` if the files could not hold the part losslessly.
    pub export: fn(&Around<'_>) -> Option<(Value, Files)>,
    /// Returns the JSON completed with the contents of the files.
    ///
    /// # Errors
    /// Returns an error if the files cannot be such a part.
    pub import: fn(&Files, &Around<'_>) -> Result<Imported, MediumError>,
}

/// A reason why files cannot be a part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediumError {
    /// The keys that lead from the part to a wrong value of the JSON, or `None` if a file is wrong.
    pub keys: Option<Vec<String>>,
    /// `true` if the keys lead from the document instead, because the wrong value is not in the part.
    pub is_around: bool,
    /// The keys that lead on from there to an extra member.
    pub surplus: Vec<String>,
    /// The reason, in words.
    pub why: String,
}

impl MediumError {
    /// Creates an error in the value at a pointer in the part.
    #[must_use]
    pub fn at(pointer: &str, why: impl Into<String>) -> Self {
        let keys = pointer.split('/').filter(|key| !key.is_empty()).map(str::to_owned).collect();
        Self { keys: Some(keys), is_around: false, surplus: Vec::new(), why: why.into() }
    }

    /// States that the value is not in the part: its keys lead from the document.
    #[must_use]
    pub fn around(self) -> Self {
        Self { is_around: true, ..self }
    }

    /// Moves the error to a document in which the part is at a pointer.
    #[must_use]
    pub fn within(mut self, pointer: &str) -> Self {
        let outer = pointer.split('/').filter(|key| !key.is_empty()).map(str::to_owned);
        self.keys = self.keys.map(|keys| outer.chain(keys).collect());
        self
    }
}

impl Display for MediumError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(keys) = &self.keys {
            write!(f, "/{}: ", keys.join("/"))?;
        }
        f.write_str(&self.why)
    }
}

impl From<String> for MediumError {
    fn from(why: String) -> Self {
        Self { keys: None, is_around: false, surplus: Vec::new(), why }
    }
}

impl From<&str> for MediumError {
    fn from(why: &str) -> Self {
        Self::from(why.to_owned())
    }
}

/// Converts an error of loading the JSON of a part as a model.
impl From<Error> for MediumError {
    fn from(error: Error) -> Self {
        let place = Place::default().with(error.place().pointer().iter().copied());
        Self { surplus: error.surplus().to_vec(), ..Self::at(&place.to_string(), error.fault().to_string()) }
    }
}

/// The result of importing the files of a part.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The part, completed with the contents of the files.
    pub part: Value,
    /// JSON values that the files have replaced because they were outdated.
    pub replaced: Vec<Replaced>,
}

impl From<Value> for Imported {
    fn from(part: Value) -> Self {
        Self { part, replaced: Vec::new() }
    }
}

/// A value that was replaced because the value it depends on has changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Replaced {
    /// The place of the value.
    pub place: String,
    /// The old value.
    pub was: Value,
    /// The new value.
    pub now: Value,
}

/// The contents of each file of a medium.
pub type Files = Vec<Option<Bytes>>;

/// Returns the first file, which every medium has.
///
/// # Errors
/// Returns an error if it is missing.
pub fn first(files: &Files) -> Result<&Bytes, MediumError> {
    files.first().and_then(Option::as_ref).ok_or_else(|| "the file is missing".into())
}

/// A place in a document, and the name of its files in the document's folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The keys that lead to the place.
    pub way: Vec<String>,
    /// A name unique among the parts, or `None` if the files take the name of the document.
    pub name: Option<String>,
}

/// A part of a document and its context.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// The part.
    pub part: &'a Value,
    /// The keys that lead to it in the document.
    pub way: &'a [String],
    /// The document.
    pub document: &'a Value,
    /// The table row of the part in its container.
    pub row: &'a Value,
    /// The container.
    pub container: &'a Value,
}

/// Returns the record whose members a document contains, ignoring its other members.
///
/// # Errors
/// Returns an error if a member is missing or does not fit.
pub fn record<R: Record + Default>(json: &Value) -> Result<R, MediumError> {
    #[derive(Default)]
    struct Loose<R>(R);
    impl<R: Record> Lay for Loose<R> {
        fn lay(&mut self, t: &mut Tape<'_>) -> Laid {
            t.fields(&mut self.0)
        }
    }
    let members = R::LAYOUT.fields.iter().filter_map(|field| Some((field.name.into(), json.get(field.name)?.clone())));
    let given = load::<Loose<R>>(&Value::Object(members.collect()), &mut NoFiles);
    Ok(given.map(|given| given.model.0)?)
}
