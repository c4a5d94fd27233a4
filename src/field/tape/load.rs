//! Load mode: builds a model from the exchange format.

mod opened;

use core::ops::Range;
use std::mem::take;

use bytes::Bytes;

use super::super::effort;
use super::super::error::{Error, Fault, Result};
use super::super::json::Json;
use super::super::json_index::{At, Joined, JsonText, Sources};
use super::super::layout::{Layout, Shape};
use super::super::load::{LoadError, Loaded, Loading, ReplacedField};
use super::super::memory::{self, Meter};
use super::super::pad::Pad;
use super::super::place::{DescribedIn, Label, Place, Step};
use super::super::spot::Spot;
use super::super::text;
use super::super::visit::What;
use super::super::wide::wide;
use super::driver::{Driver, Fact, FromDocuments, Given as FactGiven, Here, Role};
use super::{Lay, Recomputation, Reference, ReplacedValue, Tape, Undecoded};

pub(super) use opened::Handed;
use opened::{Opened, Value};

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

    /// Imports such files into a document. The description of the entry in its container is available if needed.
    ///
    /// # Errors
    /// Returns an error if the files cannot be imported.
    fn with_media(
        &mut self,
        kind: &str,
        file: &str,
        document: Json,
        container: Option<(&Json, &Json)>,
    ) -> core::result::Result<Json, DocumentError> {
        let _ = (kind, file, container);
        Ok(document)
    }

    /// Returns the document of an entry whose contents are a file of its own, or `None` if this kind has no such files.
    ///
    /// # Errors
    /// Returns an error if the file cannot be imported.
    fn of_medium(
        &mut self,
        kind: &str,
        file: &str,
        content: &Bytes,
    ) -> core::result::Result<Option<Json>, DocumentError> {
        let _ = (kind, file, content);
        Ok(None)
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
    pub(crate) fn at(self, place: Place, sources: Option<&Sources>) -> Error {
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
    Json(Json),
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

/// Loads the values of a model from documents.
pub(super) struct Loader<'t> {
    documents: &'t mut dyn Documents,
    opened: Opened,
    loading: Loading,
    recomputation: Recomputation,
}

/// A model as loaded from the exchange format, before values that its containers compute are updated.
#[derive(Debug)]
pub struct Given<M> {
    /// The model.
    pub model: M,
    /// The values to recompute.
    pub recomputation: Recomputation,
    /// Entries that are kept as raw bytes because they do not decode.
    pub undecoded: Vec<Undecoded>,
}

/// Loads a model from a value in a text, and from the files that it refers to.
///
/// # Errors
/// Returns an error if a value is missing, unexpected or does not fit.
pub fn load_text<M: Lay + Default>(text: JsonText, at: At, documents: &mut dyn Documents) -> Result<Given<M>> {
    effort::build();
    let mut model = M::default();
    let mut loader = Loader::new(documents);
    loader.opened.begin(text, at);
    let mut tape = Tape::driven(&mut loader);
    tape.memory = Meter::new(memory::allowed(), 0);
    model.lay(&mut tape)?;
    let (undecoded, place) = (take(&mut tape.undecoded), take(&mut tape.place));
    loader.end(Here { at: 0, place: &place, entered: 0 })?;
    Ok(Given { model, recomputation: loader.recomputation, undecoded })
}

/// Loads a model from a value, and from the files that it refers to.
///
/// # Errors
/// Returns an error if a value is missing, unexpected or does not fit.
pub fn load<M: Lay + Default>(json: &Json, documents: &mut dyn Documents) -> Result<Given<M>> {
    let text = JsonText::of(json);
    let root = text.root();
    load_text(text, root, documents)
}

impl<'t> Loader<'t> {
    pub(super) fn new(documents: &'t mut dyn Documents) -> Self {
        let (opened, loading, recomputation) = (Opened::default(), Loading::default(), Recomputation::default());
        Self { documents, opened, loading, recomputation }
    }
}

impl Loader<'_> {
    /// Sets a row of the block at a place, given its index and its offset in the file.
    pub(super) fn row(
        &mut self,
        shape: Shape,
        text: &JsonText,
        row: &mut [u8],
        (index, at): (u64, u64),
        place: &Place,
    ) -> Loaded {
        let Self { loading, recomputation, .. } = self;
        shape.load(text, text.root(), row, loading).map_err(|misfit| {
            let steps = [Step::Index(index)].into_iter().chain(misfit.steps).collect();
            let of_kept = misfit.of_kept.map(|(depth, name)| (depth + 1, name));
            LoadError { steps, of_kept, ..misfit }
        })?;
        for kept in loading.kept.drain(..) {
            if let Shape::Record(layout) = shape
                && let Some(offset) = offset_of(layout, &kept.steps)
            {
                recomputation.kept.insert(at + offset, kept);
            }
        }
        let place = place.with([Step::Index(index)]);
        self.refer(&place, |steps| leaf_of(shape, steps).map(|offset| at + offset))?;
        self.report_all_replaced(&place);
        Ok(())
    }

    /// Ends a part of a model, which must have been read completely.
    pub(super) fn end_part(&mut self) -> Loaded {
        self.end_document((0, 0))
    }

    /// Ends a document, which must have been read completely. Its text is stored by the offset at which its entry begins, and the number of
    /// entries around it.
    fn end_document(&mut self, entry: (u64, usize)) -> Loaded {
        let sources = self.opened.sources();
        self.opened.end()?;
        self.recomputation.sources.extend(sources.map(|sources| (entry, sources)));
        Ok(())
    }

    /// Returns the error of a value that does not fit, at a place or these steps further in.
    pub(super) fn error(&self, misfit: LoadError, place: &Place) -> Error {
        let mut keys: Vec<String> = misfit.steps.iter().map(key).collect();
        if let Some((depth, name)) = misfit.of_kept {
            keys.splice(depth..depth, [name.to_owned()]);
        }
        keys.splice(0..0, keys_of(place));
        keys.extend_from_slice(&misfit.surplus);
        let spot = self.opened.spot_of(&keys, !misfit.surplus.is_empty());
        misfit.at(place).with_spot(spot)
    }

    /// Sets a value of fixed size.
    pub(super) fn load_fixed(&mut self, what: What<'_>, bytes: &mut [u8], at: u64, place: &Place) -> Loaded {
        let Self { opened, loading, recomputation, documents } = self;
        match what {
            What::Fields(layout, _) => {
                opened.fields(layout, bytes, loading)?;
                for kept in loading.kept.drain(..) {
                    if let Some(offset) = offset_of(layout, &kept.steps) {
                        recomputation.kept.insert(at + offset, kept);
                    }
                }
            }
            What::Value(item) => match opened.take_whole(*documents)? {
                Some(Value { text, at }) => item.shape.load(text, at, bytes, loading)?,
                None => item.shape.load_nothing(bytes, loading)?,
            },
            _ => {}
        }
        let shape = match what {
            What::Fields(layout, _) => Shape::Record(layout),
            What::Value(item) => item.shape,
            _ => return Ok(()),
        };
        self.refer(place, |steps| leaf_of(shape, steps).map(|offset| at + offset))?;
        self.report_all_replaced(place);
        Ok(())
    }

    /// Records the names given for indices in the value at a place. `offset` returns the offset in the file of a field, or `None` if no
    /// name can refer to it.
    fn refer(&mut self, place: &Place, offset: impl Fn(&[Step]) -> Option<u64>) -> Loaded {
        for (steps, name) in self.loading.references.drain(..) {
            match offset(&steps) {
                Some(offset) => {
                    let reference = Reference { place: place.with(steps), name };
                    self.recomputation.references.insert(offset, reference);
                }
                None => return Err(LoadError::new(steps, "a number", Json::Text(name).describe())),
            }
        }
        Ok(())
    }

    /// Records the preserved values that loading has replaced in the value at a place.
    fn report_all_replaced(&mut self, place: &Place) {
        let Self { loading, recomputation, .. } = self;
        let replaced = |ReplacedField { steps, was, now }| ReplacedValue { place: place.with(steps), was, now };
        recomputation.replaced.extend(loading.replaced.drain(..).map(replaced));
    }

    /// Returns the bytes of a block, text or raw bytes.
    pub(super) fn load_blob(&mut self, what: What<'_>, at: u64, place: &Place) -> Loaded<Bytes> {
        if let What::Coded(codec, census) = what {
            // If the value has members beside it, it is a member, too.
            let is_member = self.opened.has("value");
            if is_member {
                self.opened.go(Step::Name("value"), self.documents)?;
            }
            let value = self.opened.take_whole(self.documents)?.map(|value| value.json()).transpose()?;
            if is_member {
                self.opened.back();
            }
            // An absent value is zeros if these are not shown, and otherwise loads as null.
            let loaded = match value {
                Some(value) => (codec.load)(value, &mut self.loading).map(Bytes::from).map_err(|misfit| {
                    match misfit.steps.is_empty() {
                        true if is_member => LoadError { steps: vec![Step::Name("value")], ..misfit },
                        _ => misfit,
                    }
                }),
                None => {
                    let zeros = vec![0; census.iter().sum()];
                    match (codec.show)(&zeros) {
                        Json::Null => Ok(zeros.into()),
                        _ => (codec.load)(Json::Null, &mut self.loading).map(Bytes::from),
                    }
                }
            };
            self.report_all_replaced(place);
            return loaded;
        }
        let Self { opened, loading, recomputation, documents } = self;
        let Some(Value { text, at: value }) = opened.take_whole(*documents)? else { return Ok(Bytes::new()) };
        match what {
            What::Block(item, _) => {
                let bytes = item.shape.load_block(text, value, loading)?;
                for kept in loading.kept.drain(..) {
                    if let ([Step::Index(row), steps @ ..], Shape::Record(layout)) = (&kept.steps[..], item.shape)
                        && let Some(offset) = offset_of(layout, steps)
                    {
                        let row = row * wide(item.size);
                        recomputation.kept.insert(at + row + offset, kept);
                    }
                }
                self.refer(place, |steps| {
                    let [Step::Index(row), steps @ ..] = steps else { return None };
                    let row = row * wide(item.size);
                    leaf_of(item.shape, steps).map(|offset| at + row + offset)
                })?;
                self.report_all_replaced(place);
                Ok(Bytes::from(bytes))
            }
            What::Text(page) => {
                let found = text.text(value).ok_or_else(|| LoadError::plain("a string", text.describe_text(value)))?;
                let lacks = || LoadError::plain(&page.encodes(), text.describe_text(value));
                text::encode(page, &found).map(Bytes::from).ok_or_else(lacks)
            }
            _ => {
                let bytes = text.bytes(value);
                bytes.ok_or_else(|| LoadError::plain("bytes in hexadecimal", text.describe(value)))
            }
        }
    }

    fn load_pad(&mut self) -> Loaded<Pad> {
        let Some(value) = self.opened.take_here() else { return Ok(Pad::default()) };
        let here = value.json()?;
        let kept = here.get("kept").and_then(Json::bytes);
        let computed = here.computed().and_then(Json::whole);
        match (&here, kept, computed) {
            (Json::Object(members), Some(bytes), Some(computed)) if members.len() == 2 => {
                Ok(Pad::kept(bytes.into_owned().into(), computed))
            }
            _ => Err(LoadError::plain("kept bytes, or a number of zeros", here.describe())),
        }
    }

    fn load_fact(&mut self, fact: &mut Fact<'_>, here: Here<'_>) -> Loaded<FactGiven> {
        let Self { opened, loading, recomputation, documents } = self;
        let Some(Value { text, at }) = opened.take_member(fact.name, *documents)? else { return Ok(FactGiven::Absent) };
        fact.bytes.fill(0);
        fact.shape.load(text, at, fact.bytes, loading)?;
        recomputation.facts.insert((here.entered, here.member(fact.name).steps().to_vec()), fact.shown());
        Ok(FactGiven::Set)
    }

    /// Returns the stated kind of an entry, its file and its contents; the steps of a misfit lead on from its row.
    fn document(&mut self, label: &Label) -> Loaded<(Option<String>, String, Content)> {
        let misfit = |name, expected: &str, found: String| LoadError::new(vec![Step::Name(name)], expected, found);
        let said = self.opened.row(label, self.documents, |row| {
            let mut member = |name: &'static str| match row.take_member(name) {
                None => Ok(None),
                Some(value) => match value.text.text(value.at) {
                    Some(text) => Ok(Some(text.into_owned())),
                    None => Err(misfit(name, "a string", value.text.describe(value.at))),
                },
            };
            Ok((member("kind")?, member("file")?))
        });
        let (kind, file) = said?.unwrap_or(Ok((None, None)))?;
        let file = file.ok_or_else(|| misfit("file", "the file of an entry", Json::Null.describe()))?;
        let document = self.documents.take(&file);
        let document = document.map_err(|found| misfit("file", &format!("a file {file}"), found))?;
        Ok((kind, file, document))
    }

    /// Returns a document with its parts in place.
    fn whole(&mut self, text: &JsonText) -> core::result::Result<Joined, String> {
        text.whole(text.root(), &mut |file| self.documents.take_part(file))
    }

    /// Imports images, sounds or text beside a document into it.
    fn with_media(
        &mut self,
        label: &Label,
        kind: &str,
        file: &str,
        document: Json,
    ) -> Loaded<core::result::Result<Json, DocumentError>> {
        let Some(media) = self.documents.media(kind) else { return Ok(Ok(document)) };
        if media == Media::Alone {
            return Ok(self.documents.with_media(kind, file, document, None));
        }
        let container = self.opened.container(self.documents)?;
        let row = match label.described_in {
            DescribedIn::Item(list, index) => container.get(list).and_then(|list| list.items()?.get(index)),
            DescribedIn::Member => container.get(&label.to_string()),
            DescribedIn::Here => None,
        };
        Ok(self.documents.with_media(kind, file, document, Some((row.unwrap_or(&Json::Null), &container))))
    }
}

impl Driver for Loader<'_> {
    fn role(&self) -> Role {
        Role::Load
    }

    fn fixed(&mut self, what: What<'_>, bytes: &mut [u8], here: Here<'_>) -> Result {
        self.load_fixed(what, bytes, here.at, here.place).map_err(|error| self.error(error, here.place))
    }

    fn blob(&mut self, what: What<'_>, _: &[u8], here: Here<'_>) -> Result<Option<Bytes>> {
        self.load_blob(what, here.at, here.place).map(Some).map_err(|error| self.error(error, here.place))
    }

    fn go(&mut self, step: Step, place: &Place) -> Result {
        self.opened.go(step, self.documents).map_err(|error| self.error(error, place))
    }

    fn back(&mut self, _: &Place) -> Result {
        self.opened.back();
        Ok(())
    }

    fn fact(&mut self, fact: &mut Fact<'_>, here: Here<'_>) -> Result<FactGiven> {
        self.load_fact(fact, here).map_err(|error| self.error(error, &here.member(fact.name)))
    }

    /// Records a label. An invalid value is not taken, so it is refused at the end of the document.
    fn label(&mut self, name: &'static str, here: Here<'_>, _: &mut dyn FnMut() -> Option<Json>) {
        let label = self.opened.member(name).ok().flatten().and_then(|value| value.json().ok());
        if let Some(label) = label
            && let Ok(Some(_)) = self.opened.take_member(name, self.documents)
        {
            self.recomputation.stated.insert((here.at, name), label);
        }
    }

    /// Records the stated value of a number, without taking it. Parts that are not loaded yet may determine the number later: then both
    /// must agree.
    fn number(&mut self, name: &'static str, says: Option<u64>, here: Here<'_>) -> Result {
        if says.is_some() {
            return Ok(());
        }
        let stated = self.opened.member(name).and_then(|value| value.map(|value| value.json()).transpose());
        if let Some(stated) = stated.map_err(|error| self.error(error, here.place))? {
            self.recomputation.stated.insert((here.at, name), stated);
        }
        Ok(())
    }

    fn pad(&mut self, place: &Place) -> Result<Option<Pad>> {
        self.load_pad().map(Some).map_err(|error| self.error(error, place))
    }

    fn change(&mut self, place: Place, was: Json, now: Json) {
        self.recomputation.replaced.push(ReplacedValue { place, was, now });
    }

    fn has(&self, name: &str) -> bool {
        self.opened.has(name)
    }

    fn items(&mut self, name: &str, place: &Place) -> Result<usize> {
        self.opened.items(name, self.documents).map_err(|error| self.error(error, place))
    }

    fn items_here(&mut self, place: &Place) -> Result<Option<usize>> {
        self.opened.items_here().map_err(|error| self.error(error, place))
    }

    fn spot(&self, place: &Place) -> Option<Spot> {
        self.opened.spot_of(&keys_of(place), false)
    }

    fn spot_in_row(&self, place: &Place, label: &Label, steps: &[Step]) -> Option<Spot> {
        let mut keys = match label.described_in {
            DescribedIn::Here => keys_of(place),
            DescribedIn::Member => [keys_of(place), vec![label.to_string()]].concat(),
            DescribedIn::Item(list, index) => vec![list.to_owned(), index.to_string()],
        };
        keys.extend(steps.iter().map(key));
        self.opened.spot_of(&keys, false)
    }

    fn threads(&self) -> usize {
        self.documents.threads()
    }

    fn loader(&mut self) -> Option<&mut dyn FromDocuments> {
        Some(self)
    }
}

impl FromDocuments for Loader<'_> {
    fn documents(&mut self) -> &mut (dyn Documents + '_) {
        &mut *self.documents
    }

    fn recomputation_mut(&mut self) -> &mut Recomputation {
        &mut self.recomputation
    }

    fn has_entry(&mut self, label: &Label, place: &Place) -> Result<bool> {
        let has = self.opened.row(label, self.documents, |row| row.member("file").is_some());
        has.map(Option::unwrap_or_default).map_err(|error| self.error(error, place))
    }

    fn open(&mut self, label: &Label, place: &Place, row: &Place) -> Result<(Option<String>, String, Content)> {
        let (kind, file, content) = self.document(label).map_err(|error| {
            let spot = self.spot_in_row(place, label, &error.steps);
            error.at(row).with_spot(spot)
        })?;
        let content = match (&kind, content) {
            // Documents of this kind can have images, sounds or text beside them.
            (Some(kind), Content::Text(text)) if self.documents.media(kind).is_some() => {
                let (here, root) = (place.with_entry(Label::role(&file)), text.root());
                let wrong = |error: LoadError| error.at(&here).with_spot(text.spot(root));
                let whole = self.whole(&text).map_err(|found| wrong(LoadError::plain("a value", found)))?;
                let Joined { json, sources } = whole;
                let said = self.with_media(label, kind, &file, json).map_err(wrong)?;
                let said = said.map_err(|error| error.at(here.clone(), sources.as_ref()))?;
                Content::Text(text.remade(&said, sources))
            }
            (Some(kind), Content::Raw(bytes)) => {
                let document = self.documents.of_medium(kind, &file, &bytes).map_err(|error| {
                    let DocumentError { file, why, .. } = error;
                    Error::in_exchange(place.with_entry(Label::role(&file)), Fault::Beside { file, why })
                })?;
                document.map_or(Content::Raw(bytes), |document| Content::Text(JsonText::of(&document)))
            }
            (_, content) => content,
        };
        Ok((kind, file, content))
    }

    fn stays(&mut self, bytes: Range<u64>) {
        self.recomputation.as_they_are.push(bytes);
    }

    fn begin(&mut self, text: JsonText) {
        let root = text.root();
        self.opened.begin(text, root);
    }

    fn end(&mut self, here: Here<'_>) -> Result {
        let entry = (here.entered, here.place.labels().len());
        self.end_document(entry).map_err(|error| self.error(error, here.place))
    }

    fn hand_out(&mut self, index: u64, place: &Place) -> Result<Handed> {
        self.opened.hand_out(index, self.documents).map_err(|error| self.error(error, place))
    }

    fn begin_handed(&mut self, handed: Handed) {
        self.opened.begin_handed(handed);
    }

    fn end_within(&mut self, before: Vec<String>, document: &Place) -> Result {
        self.opened.end_within(before).map_err(|error| self.error(error, document))
    }
}

/// Returns the keys that lead to a place from the beginning of its document.
pub(super) fn keys_of(place: &Place) -> Vec<String> {
    place.pointer().iter().map(key).collect()
}

/// Returns a step as a key of a pointer.
fn key(step: &Step) -> String {
    match step {
        Step::Name(name) => (*name).to_owned(),
        Step::Index(index) => index.to_string(),
        Step::Entry => String::new(),
    }
}

/// Returns the offset in a record of the field that steps lead to, unless it is in a record inside that one.
fn leaf_of(shape: Shape, steps: &[Step]) -> Option<u64> {
    match (shape, steps) {
        (Shape::Record(layout), [_]) => offset_of(layout, steps),
        _ => None,
    }
}

fn offset_of(layout: &Layout, steps: &[Step]) -> Option<u64> {
    let Some(Step::Name(name)) = steps.first() else { return None };
    layout.fields.iter().find(|field| field.name == *name).map(|field| wide(field.offset))
}

impl LoadError {
    /// Creates a misfit for a value at the current place.
    pub(super) fn plain(expected: &str, found: String) -> Self {
        Self::new(Vec::new(), expected, found)
    }

    /// Returns the error at a place.
    pub(crate) fn at(self, place: &Place) -> Error {
        let Self { steps, surplus, expected, found, .. } = self;
        Error::in_exchange(place.with(steps), Fault::Unknown { found, expected }).with_surplus(surplus)
    }
}
