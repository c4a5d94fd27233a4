//! Images, sounds and texts as files of their own, which other programs edit, beside the JSON of what they are in.
//!
//! What such a file tells (the size of an image, its pixels, samples) the JSON does not: it names the file instead. What no
//! such file holds without losing something stays as it is.

use core::fmt::{self, Display};

use bytes::Bytes;

use crate::document::{HEAD, Names};
use crate::field::{Amiss, Error, Json, Lay, Place, Record, Result as Laid, Tape, load};
use crate::registry::MEDIA;

use super::Form;

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
    keys: Option<Vec<String>>,
    /// The keys that lead on from there to a member that is too much.
    surplus: Vec<String>,
    why: String,
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

/// What keys lead to.
pub(super) fn follow<'a>(json: &'a Json, way: &[String]) -> Option<&'a Json> {
    way.iter().try_fold(json, |json, key| json.step(key))
}

impl Medium {
    /// The medium of a kind.
    #[must_use]
    pub fn of(kind: &str) -> Option<&'static Self> {
        MEDIA.iter().copied().find(|medium| medium.kind == kind)
    }

    /// The document with what these files say in place of its only part, which they end like.
    ///
    /// # Errors
    /// When it has no or several parts; those of [`import`](Self::import).
    pub(super) fn put(&self, files: &Files, around: Around<'_>) -> Result<Json, String> {
        let parts = (self.parts)(around.document);
        let [Part { way, .. }] = parts.as_slice() else {
            return Err(format!("there are {} in it that a file could replace, not one", parts.len()));
        };
        let part = follow(around.document, way).unwrap_or(&Json::Null);
        let said = (self.import)(files, &Around { part, way, ..around }).map_err(|mismatch| mismatch.to_string())?;
        let mut document = around.document.clone();
        if let Some(part) = way.iter().try_fold(&mut document, |json, key| json.step_mut(key)) {
            *part = said.part;
        }
        Ok(document)
    }
}

/// Returns the path of a file of a part of a document.
pub(super) fn path(file: &str, part: &Part, end: &str, names: &mut Names) -> String {
    let own = if file == HEAD { "data.json" } else { file };
    let own = own.strip_suffix(".json").unwrap_or(own);
    match (&part.name, end.rsplit_once('.')) {
        (None, _) | (_, None) => names.beside(own, end),
        (Some(name), Some((_, extension))) if file == HEAD => names.again(name, extension),
        (Some(name), Some((_, extension))) => names.again(&format!("{own}/{name}"), extension),
    }
}

/// Lets a document say what the files of its parts tell, which are taken; gives the values that they have replaced.
///
/// # Errors
/// A file that is missing, or cannot be what it should, or that contradicts the JSON beside it.
pub(super) fn put_into(
    medium: &Medium,
    file: &str,
    document: &mut Json,
    row: &Json,
    container: &Json,
    mut take: impl FnMut(&str) -> Option<Bytes>,
) -> Result<Vec<Replaced>, Amiss> {
    let beside = |file: &str, why: String| Amiss { file: file.to_owned(), keys: None, is_surplus: false, why };
    let mut told = Vec::new();
    for part in (medium.parts)(document) {
        let place: String = part.way.iter().map(|key| format!("/{key}")).collect();
        let (mut contents, mut paths) = (Files::new(), Vec::new());
        for (member, _) in medium.files {
            let wrong = |what: String| Amiss {
                keys: Some([part.way.as_slice(), &[(*member).to_owned()]].concat()),
                ..beside(file, format!("{place}/{member}: {what}"))
            };
            let path = part.way.iter().try_fold(&mut *document, |json, key| json.step_mut(key));
            contents.push(match path.and_then(|json| json.take_member(member)) {
                None => None,
                Some(path) => {
                    let path = path.text().ok_or_else(|| wrong("expected the name of a file".to_owned()))?;
                    paths.push(path.to_owned());
                    Some(take(path).ok_or_else(|| wrong(format!("there is no file {path}")))?)
                }
            });
        }
        let Some(path) = paths.into_iter().next() else { continue };
        if contents.first().is_none_or(Option::is_none) {
            let first = medium.files.first().map(|(member, _)| *member).unwrap_or_default();
            return Err(beside(&path, format!("there is no {first} to which it belongs")));
        }
        let json = follow(document, &part.way).unwrap_or(&Json::Null);
        let around = Around { part: json, way: &part.way, document, row, container };
        let said = (medium.import)(&contents, &around).map_err(|mismatch| match &mismatch.keys {
            Some(keys) => Amiss {
                keys: Some([part.way.as_slice(), keys, &mismatch.surplus].concat()),
                is_surplus: !mismatch.surplus.is_empty(),
                ..beside(file, format!("{place}{mismatch}"))
            },
            None => beside(&path, mismatch.why),
        })?;
        for name in medium.told {
            if let Some(stated) = json.get(name)
                && let told = said.part.get(name).unwrap_or(&Json::Null)
                && !covers(told, stated)
            {
                let (told, stated) = (told.describe(), stated.describe());
                let why = format!(
                    "{place}/{name}: expected {told}, as {path} has it, found {stated}; remove it to follow the file"
                );
                let keys = Some([part.way.as_slice(), &[(*name).to_owned()]].concat());
                return Err(Amiss { keys, ..beside(file, why) });
            }
        }
        let replaced = said.told.into_iter();
        told.extend(replaced.map(|it| Replaced { place: format!("{file}: {place}{}", it.place), ..it }));
        if let Some(json) = part.way.iter().try_fold(&mut *document, |json, key| json.step_mut(key)) {
            *json = said.part;
        }
    }
    Ok(told)
}

/// Whether a value holds all that another one states; of an object, that may be a part of its members.
fn covers(whole: &Json, stated: &Json) -> bool {
    match (whole, stated) {
        (Json::Object(_), Json::Object(members)) => {
            members.iter().all(|(name, stated)| whole.get(name).is_some_and(|whole| covers(whole, stated)))
        }
        _ => whole == stated,
    }
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
    let given = load::<Loose<R>>(&Json::Object(members.collect()), &mut Form::default());
    Ok(given.map(|given| given.model.0)?)
}
