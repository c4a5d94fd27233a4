//! The exchange form: a file as a folder of JSON for people, and back.
//!
//! `bitexact.json` says what the file is and holds what the model holds; an entry is a file of its own, in the folder that
//! has its container's name. What follows from the rest is not there: counts, offsets, constants, values that a rule gives.
//! Sounds and other things that programs know are there as themselves.

mod edit;
mod folder;
mod form;
mod media;
mod misread;
mod names;
mod print;
mod split;
mod text;

use std::collections::{BTreeMap, HashSet};

use bytes::Bytes;

use crate::check::Deviation;
use crate::entries::spans;
use crate::field::{Document, Error, Fault, Json, Layout, Members, Place, memory, visit};
use crate::format::Game;
use crate::proof::Sha;
use crate::registry::{KINDS, Kind, Model, named};
use crate::tree::{Entered, Tree};

pub use crate::field::{parse, unmarked};
pub use edit::{Edit, Edited, Refusal, page_of, rename_in};
pub use folder::{Written, read, recover, write};
pub use form::Form;
pub use media::{Around, Files, Imported, Medium, Mismatch, Part, Replaced, record};
pub use misread::{misread, misread_as};
pub use names::Names;
pub use print::{Contents, contents};
pub use text::print;

/// The file that says what the others are.
pub const HEAD: &str = "bitexact.json";
/// The version of the form.
pub const SCHEMA: u32 = 1;
/// What [`HEAD`] says to people alone: nobody reads it again.
const FOR_PEOPLE: [&str; 2] = ["games", "deviations"];

/// The exchange form of a file: paths, with `/` between folders, and what is in each.
#[derive(Clone, Debug, Default)]
pub struct Exchange {
    /// The files, [`HEAD`] among them.
    pub files: BTreeMap<String, Document>,
    /// Values that images, sounds or texts have replaced, because these have been edited.
    pub replaced: Vec<Replaced>,
    /// The names under which a mod has added entries. The row and place of each determine its name, which has to be the same.
    pub added: Vec<String>,
}

/// The records that lists of entries are made of, by the place of the container and the name of the list.
pub type Tables = BTreeMap<(String, String), &'static Layout>;

/// The exchange form of a file, and what is needed to edit it.
#[derive(Clone, Debug)]
pub struct Unpacked {
    /// The files.
    pub exchange: Exchange,
    /// The file of each entry, by the place of the entry.
    pub files: BTreeMap<String, String>,
    /// The records of its tables.
    pub tables: Tables,
}

/// What is known of a file besides its model.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// Its kind.
    pub kind: &'static Kind,
    /// The games it can be of.
    pub games: &'a [Game],
    /// Its hash.
    pub sha256: Sha,
    /// What deviates from the documents: for people, nobody reads it again.
    pub deviations: &'a [Deviation],
}

/// A file packed from its exchange form.
pub struct Packed {
    /// Its kind.
    pub kind: &'static Kind,
    /// The model.
    pub model: Model,
    /// The hash of the file that was unpacked, as the form says.
    pub original: Option<String>,
    /// Values that have been replaced, because what they follow has changed: a rule, or a file beside the JSON.
    pub told: Vec<Replaced>,
}

/// The exchange form of a model.
///
/// # Errors
/// When the model cannot be laid.
pub fn unpack(model: &Model, about: About<'_>) -> Result<Unpacked, Error> {
    unpack_within(model, about, memory::allowed(), 0)
}

/// The exchange form of a model, with so much memory for all of it, of which so much is taken by something else.
///
/// # Errors
/// Returns an error if the model cannot be laid, or the form takes more memory.
pub fn unpack_within(model: &Model, about: About<'_>, memory: u64, elsewhere: u64) -> Result<Unpacked, Error> {
    let mut tree = Tree::documents(about.kind.raw.is_some()).within(memory, elsewhere);
    let end = visit(model, &mut tree)?;
    if let Some(fault) = tree.refused() {
        return Err(Error::new(end, Place::default(), fault));
    }
    let (root, entered, tables) = tree.finish();
    let mut head = head(about);
    let mut files = BTreeMap::new();
    let mut documents: BTreeMap<_, _> = BTreeMap::new();
    for Entered { entry, file, document } in entered {
        files.insert(entry, file.clone());
        documents.insert(file, document);
    }
    match root {
        Document::Json(json) => head.push(("data".into(), json)),
        raw @ Document::Raw(_) => {
            let file = format!("data.{}", about.kind.raw.unwrap_or("bin"));
            head.push(("file".into(), file.as_str().into()));
            documents.insert(file, raw);
        }
    }
    documents.insert(HEAD.to_owned(), Document::Json(Json::Object(head)));
    Ok(Unpacked { exchange: Exchange { files: documents, ..Exchange::default() }, files, tables })
}

/// The members of [`HEAD`] that do not come from the model.
fn head(about: About<'_>) -> Members {
    let mut head = vec![
        ("schema".into(), SCHEMA.into()),
        ("kind".into(), about.kind.name.into()),
        ("games".into(), about.games.iter().map(|game| game.code()).collect()),
        ("sha256".into(), about.sha256.to_string().into()),
    ];
    if !about.deviations.is_empty() {
        head.push(("deviations".into(), about.deviations.iter().map(deviation).collect()));
    }
    head
}

fn deviation(it: &Deviation) -> Json {
    Json::from([
        ("path", it.path.as_str().into()),
        ("count", it.count.into()),
        ("first", it.first.to_string().into()),
        ("expected", it.expected.clone()),
        ("found", it.found.clone()),
    ])
}

/// The model that an exchange form says.
///
/// # Errors
/// The place of what is missing, too much, or does not fit.
pub fn pack(kinds: &'static [Kind], mut exchange: Exchange) -> Result<Packed, Error> {
    let added = std::mem::take(&mut exchange.added);
    let packed = Form::from(exchange).pack(kinds)?;
    are_named(&added, &packed.model)?;
    Ok(packed)
}

/// Refuses entries that have been added under a name that the model does not give them.
fn are_named(added: &[String], model: &Model) -> Result<(), Error> {
    if added.is_empty() {
        return Ok(());
    }
    let entries = spans(model)?;
    // The numbers of duplicate names depend on the file that the entry is added to.
    let names: HashSet<String> = entries.keys().map(|entry| unnumbered(entry)).collect();
    let Some(entry) = added.iter().find(|entry| !names.contains(&unnumbered(entry))) else { return Ok(()) };
    let expected = format!("an added entry named {entry:?}");
    let found = "none; its row and place determine its name".to_owned();
    Err(Error::in_exchange(Place::default(), Fault::Unknown { found, expected }))
}

/// The place of an entry without the numbers of duplicate names.
fn unnumbered(entry: &str) -> String {
    let name = |label: &str| label.split_once('#').map_or(label, |(name, _)| name).to_owned();
    entry.split('!').map(name).collect::<Vec<_>>().join("!")
}

impl Exchange {
    /// The text or the bytes of every file, as they are on disk; images, sounds and texts as files of their own, documents in
    /// parts.
    #[must_use]
    pub fn contents(mut self) -> BTreeMap<String, Bytes> {
        media::take_out(&mut self.files);
        let parts = match self.files.get(HEAD) {
            Some(Document::Json(head)) => {
                let kind = head.get("kind").and_then(Json::text).and_then(|name| named(KINDS, name));
                kind.map_or(&[][..], |kind| kind.parts)
            }
            _ => &[],
        };
        split::split(&mut self.files, parts);
        let content = |document| match document {
            Document::Json(json) => Bytes::from(print(&json)),
            Document::Raw(bytes) => bytes,
        };
        self.files.into_iter().map(|(path, document)| (path, content(document))).collect()
    }

    /// The exchange form of these files.
    ///
    /// # Errors
    /// The file that is no JSON, and where in it; the file that an image, sound or text cannot be.
    pub fn parse(contents: BTreeMap<String, Bytes>) -> Result<Self, String> {
        let parse = |(path, bytes): (String, Bytes)| {
            let document = match path.ends_with(".json") {
                true => {
                    let json = parse(&bytes);
                    Document::Json(json.map_err(|error| format!("{path}: {error}"))?)
                }
                false => Document::Raw(bytes),
            };
            Ok((path, document))
        };
        let mut files = contents.into_iter().map(parse).collect::<Result<_, String>>()?;
        split::join(&mut files);
        let replaced = media::put_back(&mut files)?;
        Ok(Self { files, replaced, ..Self::default() })
    }
}

/// Why a model did not go through its exchange form.
#[derive(Clone, Debug, PartialEq)]
pub enum Lost {
    /// It takes more memory than allowed.
    Memory(Error),
    /// It does not come back, and where.
    Exchange(String),
}

impl From<Error> for Lost {
    fn from(error: Error) -> Self {
        if error.is_memory() { Self::Memory(error) } else { Self::Exchange(error.to_string()) }
    }
}

/// A model that has gone through its exchange form, the text and bytes of every file, with so much memory for all of it, of which
/// so much is taken by something else.
///
/// # Errors
/// Where it does not come back.
pub fn through(
    kinds: &'static [Kind],
    model: Model,
    about: About<'_>,
    memory: u64,
    elsewhere: u64,
) -> Result<Model, Lost> {
    // Whoever verifies many files does so on all cores already.
    let contents = print::contents_within(&model, about, 1, (memory, elsewhere))?.files;
    // Two models need not be in memory at once.
    drop(model);
    let packed = Form::parse_on(1, contents).map_err(Lost::Exchange)?.pack(kinds)?;
    match packed.told.first() {
        None => Ok(packed.model),
        Some(told) => Err(Lost::Exchange(format!("{}: {} was kept, and became {}", told.place, told.was, told.now))),
    }
}
