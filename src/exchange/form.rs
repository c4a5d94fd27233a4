//! The files of the exchange format as text, from which a model is built without a tree of values.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;

use super::media::{self, NO_FILE, medium_of};
use super::schema::SCHEMAS;
use super::whole::{ENCODING, FOR_PEOPLE, deviations_of};
use super::{Listed, MANIFEST, Packed, SCHEMA, WRITTEN, fold};
use ::media::{Medium, Replaced};
use field::work;
use field::{CodePage, Error, Fault, Label, Place, Step, Thresholds, Value};
use json::{
    At, Content, Document, Documents, Given, Import, Joined, JsonText, Media, Member, Recomputation, ReplacedValue,
};
use json::{Describe as _, recompute::recompute};
use kind::{Kind, Model, Moved, named};

/// The files of a model in the exchange format, with their documents indexed.
#[derive(Debug, Default)]
pub struct Form {
    /// The files that have not been taken yet.
    files: BTreeMap<String, Content>,
    /// `true` if images, sounds and text are separate files; `media` lists the supported ones.
    has_media: bool,
    media: &'static [&'static Medium],
    /// Entries that have been put in their places.
    replaced: Vec<Replaced>,
    /// Values that edited images, sounds or text have replaced, by the file of their document: several threads import them.
    imported: Arc<Mutex<BTreeMap<String, Vec<Replaced>>>>,
    /// The number of threads for loading.
    threads: usize,
    /// The files that have been taken, by which an error says why one is not there.
    taken: BTreeSet<String>,
    /// The files that `unpack` has written.
    written: Listed,
    /// Why files of the user's own, which no entry may need, are no JSON. They are among the files as bytes.
    invalid: BTreeMap<String, String>,
}

impl Form {
    /// Parses the files of an unpacked folder. Files that `unpack` did not write may be anything, as long as no entry names them.
    ///
    /// # Errors
    /// Returns an error with the file and the line if a file is not valid JSON.
    pub fn parse(contents: BTreeMap<String, Bytes>) -> Result<Self, String> {
        let bytes = contents.values().map(Bytes::len).sum::<usize>();
        Self::parse_on(work::cores_for(bytes), contents)
    }

    /// Creates a form from values: whole documents that include the contents of images and sounds, as
    /// [`documents`](super::documents) returns them.
    #[must_use]
    pub fn of(values: BTreeMap<String, Document>) -> Self {
        let content = |document| match document {
            Document::Json(json) => Content::Text(JsonText::of(&json)),
            Document::Raw(bytes) => Content::Raw(bytes),
        };
        let files = values.into_iter().map(|(path, document)| (path, content(document))).collect();
        Self { files, threads: 1, ..Self::default() }
    }

    /// Creates a form from values, from documents as text, which need not exist on disk, and from entries that no edit has touched.
    ///
    /// # Errors
    /// Returns an error if one of the documents is not valid JSON.
    pub fn of_texts(
        texts: Vec<(String, Bytes)>,
        values: BTreeMap<String, Document>,
        as_they_are: BTreeMap<String, Content>,
    ) -> Result<Self, serde_json::Error> {
        let mut form = Self { threads: work::cores(), ..Self::of(values) };
        let indexed = work::share(&texts, form.threads, |(_, text)| JsonText::index(text.clone()));
        for ((file, _), text) in texts.into_iter().zip(indexed) {
            form.files.insert(file, Content::Text(text?));
        }
        form.files.extend(as_they_are);
        Ok(form)
    }

    /// Parses the files on this number of threads.
    pub fn parse_on(threads: usize, mut contents: BTreeMap<String, Bytes>) -> Result<Self, String> {
        let written = contents.get(WRITTEN).map_or_else(Listed::default, |text| Listed::parse(text));
        contents.retain(|path, _| !path.strip_prefix(SCHEMAS).is_some_and(|rest| rest.starts_with('/')));
        let index = |(path, bytes): &(String, Bytes), threads| {
            let content = match path.ends_with(".json") {
                true => JsonText::index_file(threads, path, bytes.clone()).map(Content::Text),
                false => Ok(Content::Raw(bytes.clone())),
            };
            (content, bytes.clone())
        };
        // A large document takes all threads, any other one thread.
        let most = Thresholds::here().bytes_of_text;
        let is_large = |bytes: &Bytes| bytes.len() > most;
        let (large, small): (Vec<_>, Vec<_>) = contents.into_iter().partition(|(_, bytes)| is_large(bytes));
        let mut indexed: Vec<_> = large.iter().map(|one| index(one, threads)).collect();
        indexed.extend(work::share(&small, threads, |one| index(one, 1)));
        let paths = large.into_iter().chain(small).map(|(path, _)| path);
        let mut form = Self { has_media: true, threads, written, ..Self::default() };
        // In the order of their names: the first error is reported.
        let indexed: BTreeMap<_, _> = paths.zip(indexed).collect();
        for (path, (content, bytes)) in indexed {
            let content = match content {
                Err(why) if form.is_of_the_user(&path) => {
                    form.invalid.insert(path.clone(), why);
                    Content::Raw(bytes)
                }
                content => content?,
            };
            form.files.insert(path, content);
        }
        Ok(form)
    }

    /// Builds the model.
    ///
    /// # Errors
    /// Returns an error with the place of a value that is missing, unexpected or does not fit, or with a file that belongs to no entry.
    pub fn pack(self, kinds: &'static [Kind]) -> Result<Packed, Error> {
        let (packed, rest) = self.pack_rest(kinds)?;
        match rest.first() {
            Some(file) => Err(beside(file, "expected the file of an entry; move it away")),
            None => Ok(packed),
        }
    }

    /// Builds the model, and returns the files too that belong to no entry and were never unpacked.
    ///
    /// # Errors
    /// Returns an error with the place of a value that is missing, unexpected or does not fit.
    pub fn pack_rest(mut self, kinds: &'static [Kind]) -> Result<(Packed, Vec<String>), Error> {
        let head = Head::read(&mut self)?;
        let page = match head.encoding {
            // A folder without an encoding was unpacked without one, whatever is chosen now.
            None => None,
            Some(at) => {
                let page = head.text.text(at).and_then(|name| CodePage::named(&name));
                Some(page.ok_or_else(|| head.wrong(ENCODING, "the name of an encoding", head.encoding))?)
            }
        };
        CodePage::during_or(page, || self.pack_in(head, kinds))
    }

    /// Returns the code page in which the folder states that its texts are encoded.
    #[must_use]
    pub fn encoding(&self) -> Option<&'static CodePage> {
        let Some(Content::Text(text)) = self.files.get(MANIFEST) else { return None };
        let stated = text.members(text.root()).find(|member| *text.name(member) == *ENCODING)?;
        CodePage::named(&text.text(stated.value)?)
    }

    /// Builds the model in the chosen code page.
    fn pack_in(mut self, head: Head, kinds: &'static [Kind]) -> Result<(Packed, Vec<String>), Error> {
        let found = head.kind.as_ref().and_then(|kind| head.text.text(*kind));
        let kind = found.and_then(|name| named(kinds, &name));
        let kind = kind.ok_or_else(|| head.wrong("kind", "a supported kind", head.kind))?;
        self.media = if self.has_media { kind.media } else { &[] };
        let (mut model, mut recomputation) = match head.file {
            None => {
                let data = head.data.ok_or_else(|| head.wrong("data", "the values of the file", None))?;
                let Given { model, recomputation, .. } = self.load(kind, &head.text, data)?;
                (model, recomputation)
            }
            Some(at) => {
                let file = head.text.text(at).ok_or_else(|| head.wrong("file", "a file", head.file))?;
                let bytes = match self.take(&file) {
                    Ok(Content::Raw(bytes)) => bytes,
                    Ok(_) => return Err(head.wrong("file", "a file of bytes", head.file)),
                    Err(found) => {
                        let error = wrong(head_member("file"), "a file", found);
                        return Err(error.with_spot(head.text.spot(at)));
                    }
                };
                let all = 0..field::wide(bytes.len());
                ((kind.decode)(bytes)?.model, Recomputation { as_they_are: vec![all], ..Recomputation::default() })
            }
        };
        if let Some(lost) = self.files.keys().find(|file| self.written.names(file)) {
            return Err(beside(lost, "was unpacked, but no entry names it now; name it again, or delete the file"));
        }
        let rest = self.files.into_keys().collect();
        // Places in documents are those of their files.
        let of_files = core::mem::take(&mut recomputation.replaced).into_iter();
        let of_files =
            of_files.map(|ReplacedValue { place, was, now }| Replaced { place: place_in_file(&place), was, now });
        let recomputed = recompute(&mut model, &recomputation)?.into_iter();
        let recomputed =
            recomputed.map(|ReplacedValue { place, was, now }| Replaced { place: place.to_string(), was, now });
        let recomputed = of_files.into_iter().chain(recomputed);
        let imported = core::mem::take(&mut *self.imported.lock().unwrap_or_else(PoisonError::into_inner));
        let recomputed = self.replaced.into_iter().chain(imported.into_values().flatten()).chain(recomputed).collect();
        let original = head.sha256.and_then(|at| head.text.text(at)).map(Into::into);
        let deviations = head.deviations.and_then(|at| head.text.json(at).ok());
        let deviations = deviations.as_ref().map_or_else(BTreeMap::new, deviations_of);
        Ok((Packed { kind, model, original, deviations, recomputed }, rest))
    }

    /// Builds a model from the data in the manifest.
    fn load(&mut self, kind: &Kind, text: &JsonText, data: At) -> Result<Given<Model>, Error> {
        let has_media = self.media(kind.name).is_some();
        if !has_media && kind.arrange.is_none() {
            return (kind.load)(text.clone(), data, self);
        }
        let place = || Place::default().with_entry(Label::role(MANIFEST));
        let whole = text.whole(data, &mut |file| self.take_part(file));
        let whole = whole.map_err(|found| wrong(place(), "a value", found).with_spot(text.spot(data)))?;
        let Joined { mut json, sources } = whole;
        if let Some(arrange) = kind.arrange {
            self.replaced.extend(arrange(&mut json).into_iter().map(replaced));
        }
        if !has_media {
            let text = text.remade(&json, sources);
            let root = text.root();
            return (kind.load)(text, root, self);
        }
        let json = self.with_media(kind.name, MANIFEST, json)(None);
        let json = json.map_err(|amiss| amiss.at(place(), sources.as_ref()))?;
        let text = text.remade(&json, sources);
        let root = text.root();
        (kind.load)(text, root, self)
    }

    /// Returns `true` for a file that `unpack` did not write, in a folder whose list says so.
    fn is_of_the_user(&self, path: &str) -> bool {
        path != MANIFEST && self.written.names(MANIFEST) && !self.written.names(path)
    }

    /// Returns what is found in place of a file that is not there.
    fn why_absent(&self, file: &str) -> String {
        let folder = format!("{file}/");
        let folded = fold(file);
        let mut paths = self.files.keys();
        match paths.clone().find(|path| fold(path) == folded) {
            _ if self.taken.contains(file) => "one that another entry already uses".to_owned(),
            _ if paths.any(|path| path.starts_with(&folder)) => "a folder of this name".to_owned(),
            Some(other) => format!("{other}, whose name differs in case or form; rename it"),
            None if self.files.contains_key(&file.replace('\\', "/")) => "a path with \\; write / instead".to_owned(),
            None => NO_FILE.to_owned(),
        }
    }
}

impl Documents for Form {
    fn threads(&self) -> usize {
        self.threads
    }

    fn take(&mut self, file: &str) -> Result<Content, String> {
        if let Some(why) = self.invalid.get(file) {
            return Err(format!("one that is no JSON: {why}"));
        }
        let Some(content) = self.files.remove(file) else { return Err(self.why_absent(file)) };
        self.taken.insert(file.to_owned());
        Ok(content)
    }

    fn has_part(&self, file: &str) -> bool {
        matches!(self.files.get(file), Some(Content::Text(_)))
    }

    fn take_part(&mut self, file: &str) -> Option<JsonText> {
        if !self.has_part(file) {
            return None;
        }
        if let Some(Content::Text(text)) = self.files.remove(file) { Some(text) } else { None }
    }

    fn media(&self, kind: &str) -> Option<Media> {
        let medium = medium_of(self.media, kind)?;
        Some(if medium.looks_around { Media::InContainer } else { Media::Alone })
    }

    fn with_media(&mut self, kind: &str, file: &str, mut document: Value) -> Import {
        let Some(medium) = medium_of(self.media, kind) else { return Box::new(|_| Ok(document)) };
        let mut beside = HashMap::new();
        for path in media::paths(medium, &document) {
            match self.files.remove(&path) {
                Some(Content::Raw(bytes)) => _ = beside.insert(path, Ok(bytes)),
                Some(other) => _ = self.files.insert(path, other),
                // A file that is named twice is in the map.
                None => _ = beside.entry(path).or_insert_with_key(|path| Err(self.why_absent(path))),
            }
        }
        let (file, imported) = (file.to_owned(), self.imported.clone());
        Box::new(move |around| {
            let (row, container) = around.unwrap_or((&Value::Null, &Value::Null));
            let take = |path: &str| beside.remove(path).unwrap_or_else(|| Err(NO_FILE.to_owned()));
            let replaced = media::put_into(medium, &file, &mut document, row, container, take)?;
            if !replaced.is_empty() {
                imported.lock().unwrap_or_else(PoisonError::into_inner).insert(file, replaced);
            }
            Ok(document)
        })
    }

    fn of_medium(&mut self, (kind, is_stated): (&str, bool), file: &str, content: &Bytes) -> Option<Import> {
        let is_of = |medium: &&Medium| {
            let ends_with = |ending: &str| {
                let end = file.len().checked_sub(ending.len()).and_then(|at| file.as_bytes().get(at..));
                end.is_some_and(|end| end.eq_ignore_ascii_case(ending.as_bytes()))
            };
            is_stated || medium.files.iter().any(|(_, ending)| ends_with(ending))
        };
        let medium = medium_of(self.media, kind).filter(|medium| medium.is_whole).filter(is_of)?;
        let (file, content) = (file.to_owned(), content.clone());
        Some(Box::new(move |_| media::whole(medium, &file, content)))
    }
}

/// The members of [`MANIFEST`].
struct Head {
    text: JsonText,
    kind: Option<At>,
    sha256: Option<At>,
    encoding: Option<At>,
    deviations: Option<At>,
    file: Option<At>,
    data: Option<At>,
}

impl Head {
    fn read(form: &mut Form) -> Result<Self, Error> {
        let whole = || Place::default().with_entry(Label::role(MANIFEST));
        let text = match form.take(MANIFEST) {
            Ok(Content::Text(text)) => text,
            Ok(_) => return Err(wrong(whole(), "JSON", "bytes".to_owned())),
            Err(_) => {
                return Err(beside(
                    MANIFEST,
                    "is missing; `unpack` without --only writes it, and no folder packs without it",
                ));
            }
        };
        let mut head = Self {
            text: text.clone(),
            kind: None,
            sha256: None,
            encoding: None,
            deviations: None,
            file: None,
            data: None,
        };
        let mut schema = None;
        for member in text.members(text.root()) {
            let name = text.name(&member);
            let slot = match &*name {
                "schema" => &mut schema,
                "kind" => &mut head.kind,
                "sha256" => &mut head.sha256,
                "encoding" => &mut head.encoding,
                "deviations" => &mut head.deviations,
                "file" => &mut head.file,
                "data" => &mut head.data,
                name if FOR_PEOPLE.contains(&name) => continue,
                _ => return Err(head.surplus(&member)),
            };
            if slot.replace(member.value).is_some() {
                return Err(head.surplus(&member));
            }
        }
        match schema.map(|schema| text.json(schema)) {
            Some(Ok(found)) if found == i64::from(SCHEMA) => {}
            _ => {
                return Err(head.wrong(
                    "schema",
                    &format!("{SCHEMA}, as this version writes it (unpack the file again)"),
                    schema,
                ));
            }
        }
        let data = text.members(text.root()).find(|member| Some(member.value) == head.data);
        if let (Some(_), Some(data)) = (head.file, data) {
            return Err(head.surplus(&data));
        }
        Ok(head)
    }

    /// Returns the error for an unexpected member.
    fn surplus(&self, member: &Member) -> Error {
        let whole = Place::default().with_entry(Label::role(MANIFEST));
        let expected = format!("no member {}", self.text.name(member));
        wrong(whole, &expected, self.text.describe(member.value)).with_spot(self.text.spot_of_name(member))
    }

    /// Returns the error for a member of the manifest.
    fn wrong(&self, member: &'static str, expected: &str, found: Option<At>) -> Error {
        let spot = self.text.spot(found.unwrap_or(self.text.root()));
        let found = found.map_or_else(|| Value::Null.describe(), |at| self.text.describe(at));
        wrong(head_member(member), expected, found).with_spot(spot)
    }
}

/// Returns an entry that has been put in its place as a replaced value.
fn replaced(moved: Moved) -> Replaced {
    let Moved { list, name, from, to } = moved;
    Replaced {
        place: format!("/{list}"),
        was: format!("{name} at {from}").into(),
        now: format!("{name} at {to}").into(),
    }
}

/// Returns a place in a document, whose only label is its file, as the places in files beside it are written.
fn place_in_file(place: &Place) -> String {
    let pointer = || Place::default().with(place.pointer().iter().copied());
    match place.labels() {
        [file] => format!("{}: {}", String::from_utf8_lossy(&file.name), pointer()),
        _ => place.to_string(),
    }
}

/// Returns the error for a file as a whole.
fn beside(file: &str, why: &str) -> Error {
    Error::in_exchange(Place::default(), Fault::Beside { file: file.to_owned(), why: why.to_owned() })
}

/// Returns the place of a member of the manifest.
fn head_member(member: &'static str) -> Place {
    Place::default().with_entry(Label::role(MANIFEST)).with([Step::Name(member)])
}

fn wrong(place: Place, expected: &str, found: String) -> Error {
    Error::in_exchange(place, Fault::Unknown { found, expected: expected.to_owned() })
}
