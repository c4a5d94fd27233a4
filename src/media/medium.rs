//! Images, sounds and texts that other programs edit. A family declares where its kinds have them, and the exchange form gives each
//! a file of its own.

use core::fmt::{self, Display};

use bytes::Bytes;

use crate::field::{Error, Json, Lay, NoFiles, Place, Record, Result as Laid, Tape, load};

/// What in the documents of some kind is an image, a sound or a text.
#[derive(Clone, Copy, Debug)]
pub struct Medium {
    /// The kind of the entry, or of the whole file.
    pub kind: &'static str,
    /// Whether it takes what the container says to know what the files mean.
    pub looks_around: bool,
    /// Where such things are in a document.
    pub parts: fn(&Json) -> Vec<Part>,
    /// The files of one: the member that names each, and what the path of each ends with. The first is always there.
    pub files: &'static [(&'static str, &'static str)],
    /// Members of a part that its files tell. The JSON need not repeat them; where it does, both have to agree.
    pub told: &'static [&'static str],
    /// What is left for the JSON to say, and the files: nothing where they would lose something.
    pub export: fn(&Around<'_>) -> Option<(Json, Files)>,
    /// The JSON with all that the files say.
    ///
    /// # Errors
    /// Why they cannot be such a thing.
    pub import: fn(&Files, &Around<'_>) -> Result<Imported, Mismatch>,
}

/// Why files cannot be a part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The keys that lead from the part to a value of the JSON, if that is wrong and not a file.
    pub(crate) keys: Option<Vec<String>>,
    /// The keys that lead on from there to a member that is too much.
    pub(crate) surplus: Vec<String>,
    pub(crate) why: String,
}

impl Mismatch {
    /// What is wrong with the value at a pointer in the part.
    #[must_use]
    pub fn at(pointer: &str, why: impl Into<String>) -> Self {
        let keys = pointer.split('/').filter(|key| !key.is_empty()).map(str::to_owned).collect();
        Self { keys: Some(keys), surplus: Vec::new(), why: why.into() }
    }

    /// The same of a part whose JSON is at a pointer in another.
    #[must_use]
    pub fn within(mut self, pointer: &str) -> Self {
        let outer = pointer.split('/').filter(|key| !key.is_empty()).map(str::to_owned);
        self.keys = self.keys.map(|keys| outer.chain(keys).collect());
        self
    }
}

impl Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(keys) = &self.keys {
            write!(f, "/{}: ", keys.join("/"))?;
        }
        f.write_str(&self.why)
    }
}

impl From<String> for Mismatch {
    fn from(why: String) -> Self {
        Self { keys: None, surplus: Vec::new(), why }
    }
}

impl From<&str> for Mismatch {
    fn from(why: &str) -> Self {
        Self::from(why.to_owned())
    }
}

/// What the JSON of a part has wrong, where it is loaded as a model.
impl From<Error> for Mismatch {
    fn from(error: Error) -> Self {
        let place = Place::default().with(error.place().pointer().iter().copied());
        Self { surplus: error.surplus().to_vec(), ..Self::at(&place.to_string(), error.fault().to_string()) }
    }
}

/// What the files of a part say.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The part with all that they say.
    pub part: Json,
    /// Values of the JSON that the files have replaced, since they no longer say what they did.
    pub told: Vec<Replaced>,
}

impl From<Json> for Imported {
    fn from(part: Json) -> Self {
        Self { part, told: Vec::new() }
    }
}

/// A value that has been replaced, because what it followed has changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Replaced {
    /// Where it is.
    pub place: String,
    /// What it was.
    pub was: Json,
    /// What it is now.
    pub now: Json,
}

/// What each of the files of a medium holds.
pub type Files = Vec<Option<Bytes>>;

/// A place in a document, and what its files are called in the folder of the document; nothing where they have its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The keys that lead there.
    pub way: Vec<String>,
    /// A name that no other part has.
    pub name: Option<String>,
}

/// A part of a document, and what is said of it elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// The part.
    pub part: &'a Json,
    /// The keys that lead to it in the document.
    pub way: &'a [String],
    /// The document.
    pub document: &'a Json,
    /// What the table of its container says of it.
    pub row: &'a Json,
    /// The container.
    pub container: &'a Json,
}

/// The record whose members a document has, whatever else it has.
///
/// # Errors
/// What is missing, or does not fit.
pub fn record<R: Record + Default>(json: &Json) -> Result<R, Mismatch> {
    #[derive(Default)]
    struct Loose<R>(R);
    impl<R: Record> Lay for Loose<R> {
        fn lay(&mut self, t: &mut Tape<'_>) -> Laid {
            t.fields(&mut self.0)
        }
    }
    let members = R::LAYOUT.fields.iter().filter_map(|field| Some((field.name.into(), json.get(field.name)?.clone())));
    let given = load::<Loose<R>>(&Json::Object(members.collect()), &mut NoFiles);
    Ok(given.map(|given| given.model.0)?)
}
