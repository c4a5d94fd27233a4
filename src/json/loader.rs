//! The driver that builds a model from the exchange format.

use core::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;

use super::describe::Describe as _;
use super::documents::{Content, Documents, Files, Import, Media};
use super::keys::{key, keys_of, keys_to};
use super::opened::{OpenValue, Opened};
use super::recomputation::{Recomputation, Reference, ReplacedValue};
use super::text::{Joined, JsonText, Sources};
use super::tokens::At;
use super::values::Loading;
use field::driver::{self, Apart, Document, Driver, Fact, FromDocuments, Here, OUTER, Role};
use field::{
    DescribedIn, Error, Fault, Label, Lay, LoadError, Loaded, Pad, Place, ReplacedField, Result, Shape, Spot, Step,
    Undecoded, Value, What, drive, encode_text, memory, wide, work,
};

/// Loads the values of a model from documents.
pub struct Loader<'t> {
    documents: &'t Files<'t>,
    /// The number of threads for parts that do not depend on each other: a part itself has one.
    threads: usize,
    opened: Opened,
    loading: Loading,
    recomputation: Recomputation,
    /// What other loaders have left to recompute, until their parts have a place in the file.
    apart: Vec<Recomputation>,
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
    let mut model = M::default();
    let threads = documents.threads();
    let files = Files::new(documents);
    let mut loader = Loader::new(&files, threads);
    loader.opened.begin(text, at);
    let undecoded = drive(&mut model, &mut loader, memory::allowed())?;
    loader.end(Here { at: 0, place: &Place::default(), entered: 0 })?;
    Ok(Given { model, recomputation: loader.recomputation, undecoded })
}

/// Loads a model from a value, and from the files that it refers to.
///
/// # Errors
/// Returns an error if a value is missing, unexpected or does not fit.
pub fn load<M: Lay + Default>(json: &Value, documents: &mut dyn Documents) -> Result<Given<M>> {
    let text = JsonText::of(json);
    let root = text.root();
    load_text(text, root, documents)
}

impl<'t> Loader<'t> {
    /// Creates a loader that loads entries on at most this many threads.
    pub fn new(documents: &'t Files<'t>, threads: usize) -> Self {
        Self {
            documents,
            threads,
            opened: Opened::default(),
            loading: Loading::default(),
            recomputation: Recomputation::default(),
            apart: Vec::new(),
        }
    }

    /// Returns the values to recompute.
    pub fn recomputation(self) -> Recomputation {
        self.recomputation
    }
}

impl Loader<'_> {
    /// Sets a row of the block at a place, given its index and its offset in the file.
    pub fn row(
        &mut self,
        shape: Shape,
        text: &JsonText,
        row: &mut [u8],
        (index, at): (u64, u64),
        place: &Place,
    ) -> Loaded {
        self.loading.load(&shape, text, text.root(), row).map_err(|misfit| {
            let steps = [Step::Index(index)].into_iter().chain(misfit.steps).collect();
            let of_kept = misfit.of_kept.map(|(depth, name)| (depth + 1, name));
            LoadError { steps, of_kept, ..misfit }
        })?;
        self.leave(shape, &place.with([Step::Index(index)]), |steps| Some((at, steps)))
    }

    /// Begins a part of a model, which is all of a text.
    pub fn begin_part(&mut self, text: JsonText) {
        let root = text.root();
        self.opened.begin(text, root);
    }

    /// Ends a part of a model, which must have been read completely.
    pub fn end_part(&mut self) -> Loaded {
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
    pub(crate) fn error(&self, misfit: LoadError, place: &Place) -> Error {
        let mut keys = keys_of(place);
        keys.extend(keys_to(&misfit));
        let spot = self.opened.spot_of(&keys, !misfit.surplus.is_empty());
        misfit.at(place).with_spot(spot)
    }

    /// Sets a value of fixed size.
    pub fn load_fixed(&mut self, what: What<'_>, bytes: &mut [u8], at: u64, place: &Place) -> Loaded {
        let Self { opened, loading, documents, .. } = self;
        let shape = match what {
            What::Fields(layout, _) => {
                opened.fields(layout, bytes, loading)?;
                Shape::Record(layout)
            }
            What::Value(item) => {
                match opened.take_whole(documents)? {
                    Some(OpenValue { text, at }) => loading.load(&item.shape, text, at, bytes)?,
                    None => loading.load_nothing(&item.shape, bytes)?,
                }
                item.shape
            }
            _ => return Ok(()),
        };
        self.leave(shape, place, |steps| Some((at, steps)))
    }

    /// Records what the value at a place has left for later: fields that wait for their container, names given for indices, and preserved
    /// values that have been replaced. `record` returns the offset of the record that steps lead into, and the steps on from there.
    fn leave(&mut self, shape: Shape, place: &Place, record: impl Fn(&[Step]) -> Option<(u64, &[Step])>) -> Loaded {
        let Self { loading, recomputation, .. } = self;
        // Nearly all values leave nothing.
        if loading.kept.is_empty() && loading.references.is_empty() && loading.replaced.is_empty() {
            return Ok(());
        }
        // Also returns `true` if the field itself is meant, and not a part of it.
        let offset = |steps: &[Step]| {
            let (at, steps) = record(steps)?;
            let (Shape::Record(layout), [Step::Name(name), inner @ ..]) = (shape, steps) else { return None };
            let field = layout.fields.iter().find(|field| field.name == *name)?;
            Some((at + wide(field.offset), inner.is_empty()))
        };
        for kept in loading.kept.drain(..) {
            if let Some((offset, _)) = offset(&kept.steps) {
                recomputation.kept.insert(offset, kept);
            }
        }
        for (steps, name) in loading.references.drain(..) {
            // No name can refer to anything else.
            let Some((offset, true)) = offset(&steps) else {
                return Err(LoadError::new(steps, "a number", Value::Text(name).describe()));
            };
            recomputation.references.insert(offset, Reference { place: place.with(steps), name });
        }
        self.report_all_replaced(place);
        Ok(())
    }

    /// Records the preserved values that loading has replaced in the value at a place.
    fn report_all_replaced(&mut self, place: &Place) {
        let Self { loading, recomputation, .. } = self;
        let replaced = |ReplacedField { steps, was, now }| ReplacedValue { place: place.with(steps), was, now };
        recomputation.replaced.extend(loading.replaced.drain(..).map(replaced));
    }

    /// Returns the bytes of a block, text or raw bytes.
    pub fn load_blob(&mut self, what: What<'_>, at: u64, place: &Place) -> Loaded<Bytes> {
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
                Some(value) => (codec.load)(value, &mut self.loading.replaced).map(Bytes::from).map_err(|misfit| {
                    match misfit.steps.is_empty() {
                        true if is_member => LoadError { steps: vec![Step::Name("value")], ..misfit },
                        _ => misfit,
                    }
                }),
                None => {
                    let zeros = vec![0; census.iter().sum()];
                    match (codec.show)(&zeros) {
                        Value::Null => Ok(zeros.into()),
                        _ => (codec.load)(Value::Null, &mut self.loading.replaced).map(Bytes::from),
                    }
                }
            };
            self.report_all_replaced(place);
            return loaded;
        }
        let Self { opened, loading, documents, .. } = self;
        let Some(OpenValue { text, at: value }) = opened.take_whole(documents)? else { return Ok(Bytes::new()) };
        match what {
            What::Block(item, _) => {
                let bytes = loading.load_block(&item.shape, text, value)?;
                self.leave(item.shape, place, |steps| match steps {
                    [Step::Index(row), steps @ ..] => Some((at + row * wide(item.size), steps)),
                    _ => None,
                })?;
                Ok(Bytes::from(bytes))
            }
            What::Text(page) => {
                let found = text.text(value).ok_or_else(|| LoadError::plain("a string", text.describe_text(value)))?;
                let lacks = || LoadError::plain(&page.encodes(), text.describe_text(value));
                encode_text(page, &found).map(Bytes::from).ok_or_else(lacks)
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
        let kept = here.get("kept").and_then(Value::bytes);
        let computed = here.computed().and_then(Value::whole);
        match (&here, kept, computed) {
            (Value::Object(members), Some(bytes), Some(computed)) if members.len() == 2 => {
                Ok(Pad::kept(bytes.into_owned().into(), computed))
            }
            _ => Err(LoadError::plain("kept bytes, or a number of zeros", here.describe())),
        }
    }

    fn load_fact(&mut self, fact: &mut Fact<'_>, here: Here<'_>) -> Loaded<driver::Given> {
        let Self { opened, loading, recomputation, documents, .. } = self;
        let Some(OpenValue { text, at }) = opened.take_member(fact.name, documents)? else {
            return Ok(driver::Given::Absent);
        };
        fact.bytes.fill(0);
        loading.load(fact.shape, text, at, fact.bytes)?;
        recomputation.facts.insert((here.entered, here.member(fact.name).steps().to_vec()), fact.shown());
        Ok(driver::Given::Set)
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
        let file = file.ok_or_else(|| misfit("file", "the file of an entry", Value::Null.describe()))?;
        let document = self.documents.lock().take(&file);
        let document = document.map_err(|found| misfit("file", &format!("a file {file}"), found))?;
        Ok((kind, file, document))
    }

    /// Returns a document with its parts in place.
    fn whole(&mut self, text: &JsonText) -> core::result::Result<Joined, String> {
        text.whole(text.root(), &mut |file| self.documents.lock().take_part(file))
    }

    /// Returns the description of an entry, and its container, if importing its media needs them.
    fn around(&mut self, label: &Label, media: Media) -> Loaded<Option<(Value, Arc<Value>)>> {
        if media == Media::Alone {
            return Ok(None);
        }
        let container = self.opened.container(self.documents)?;
        let row = match label.described_in {
            DescribedIn::Item(list, index) => container.get(list).and_then(|list| list.items()?.get(index)),
            DescribedIn::Member => container.get(&label.to_string()),
            DescribedIn::Here => None,
        };
        Ok(Some((row.cloned().unwrap_or(Value::Null), container)))
    }
}

/// A document whose images, sounds or text are imported when it is loaded, on the thread that loads it.
struct Waiting {
    import: Import,
    /// The description of the entry, and its container, if they are needed.
    around: Option<(Value, Arc<Value>)>,
    /// The text beside the media, and where its parts come from; `None` if the media are all there is.
    text: Option<(JsonText, Option<Sources>)>,
}

impl Waiting {
    /// Imports the media. The place is that of the document.
    fn imported(self, place: &Place) -> Result<JsonText> {
        let Self { import, around, text } = self;
        let said = import(around.as_ref().map(|(row, container)| (row, &**container)));
        let sources = text.as_ref().and_then(|(_, sources)| sources.as_ref());
        let said = said.map_err(|error| error.at(place.clone(), sources))?;
        Ok(match text {
            Some((text, sources)) => text.remade(&said, sources),
            None => JsonText::of(&said),
        })
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

    fn fact(&mut self, fact: &mut Fact<'_>, here: Here<'_>) -> Result<driver::Given> {
        self.load_fact(fact, here).map_err(|error| self.error(error, &here.member(fact.name)))
    }

    /// Records a label. An invalid value is not taken, so it is refused at the end of the document.
    fn label(&mut self, name: &'static str, here: Here<'_>, _: &mut dyn FnMut() -> Option<Value>) {
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

    fn change(&mut self, (place, entered): (Place, u64), was: Value, now: Value) {
        self.recomputation.renewed.insert((entered, place.steps().to_vec()));
        self.recomputation.replaced.push(ReplacedValue { place, was, now });
    }

    fn has(&self, name: &str) -> bool {
        self.opened.has(name)
    }

    fn items(&mut self, name: &str, place: &Place) -> Result<usize> {
        self.opened.items(name, self.documents).map_err(|error| self.error(error, place))
    }

    fn whole(&mut self, name: &str, place: &Place) -> Result<Option<u64>> {
        let value = self.opened.member(name).and_then(|value| value.map(|value| value.json()).transpose());
        Ok(value.map_err(|error| self.error(error, place))?.and_then(|value| value.whole()))
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
        self.threads
    }

    fn loader(&mut self) -> Option<&mut dyn FromDocuments> {
        Some(self)
    }
}

impl FromDocuments for Loader<'_> {
    fn has_entry(&mut self, label: &Label, place: &Place) -> Result<bool> {
        let has = self.opened.row(label, self.documents, |row| row.member("file").is_some());
        has.map(Option::unwrap_or_default).map_err(|error| self.error(error, place))
    }

    fn open(&mut self, label: &Label, place: &Place, row: &Place) -> Result<(Option<String>, String, driver::Content)> {
        let (kind, file, content) = self.document(label).map_err(|error| {
            let spot = self.spot_in_row(place, label, &error.steps);
            error.at(row).with_spot(spot)
        })?;
        let content = match content {
            Content::Text(text) => {
                let media = kind.as_ref().and_then(|kind| self.documents.lock().media(kind));
                let (Some(kind), Some(media)) = (&kind, media) else {
                    return Ok((kind, file, driver::Content::Document(Box::new(text))));
                };
                // Documents of this kind can have images, sounds or text beside them.
                let (here, root) = (place.with_entry(Label::role(&file)), text.root());
                let wrong = |error: LoadError| error.at(&here).with_spot(text.spot(root));
                let whole = self.whole(&text).map_err(|found| wrong(LoadError::plain("a value", found)))?;
                let Joined { json, sources } = whole;
                let around = self.around(label, media).map_err(wrong)?;
                let import = self.documents.lock().with_media(kind, &file, json);
                driver::Content::Document(Box::new(Waiting { import, around, text: Some((text, sources)) }))
            }
            Content::Raw(bytes) => {
                let document = kind.as_ref().and_then(|kind| self.imported((kind, true), &file, &bytes));
                document.map_or(driver::Content::Raw(bytes), driver::Content::Document)
            }
            Content::AsIs(bytes, stays) => {
                self.apart.push(*stays);
                driver::Content::AsIs(bytes, self.apart.len() - 1)
            }
        };
        Ok((kind, file, content))
    }

    fn open_part(&mut self, label: &Label, kind: &str, place: &Place, row: &Place) -> Result<(String, Document)> {
        let (found, file, content) = self.open(label, place, row)?;
        let (member, found, expected) = match (found, content) {
            (Some(found), _) if found != kind => ("kind", found, kind.to_owned()),
            (_, driver::Content::Document(document)) => return Ok((file, document)),
            (None, _) => {
                ("file", "raw bytes, and no kind".to_owned(), format!("`kind` {kind:?} stated beside the file"))
            }
            // How a part is read depends on its container, so no part stays as it is without it.
            _ => ("file", "raw bytes".to_owned(), "JSON".to_owned()),
        };
        let fault = Fault::Unknown { found, expected };
        let error = Error::in_exchange(place.with_entry(Label::role(&file)), fault);
        Err(error.with_spot(self.spot_in_row(place, label, &[Step::Name(member)])))
    }

    fn imported(&mut self, kind: (&str, bool), file: &str, bytes: &Bytes) -> Option<Document> {
        let import = self.documents.lock().of_medium(kind, file, bytes)?;
        Some(Box::new(Waiting { import, around: None, text: None }))
    }

    fn stays(&mut self, bytes: Range<u64>) {
        self.recomputation.as_they_are.push(bytes);
    }

    fn begin(&mut self, document: Document, place: &Place) -> Result {
        let text = match document.downcast::<Waiting>() {
            Ok(waiting) => waiting.imported(place)?,
            Err(document) => *document.downcast().map_err(|_| {
                let fault = Fault::Unknown { found: "another document".to_owned(), expected: "text".to_owned() };
                Error::in_exchange(place.clone(), fault)
            })?,
        };
        self.begin_part(text);
        Ok(())
    }

    fn end(&mut self, here: Here<'_>) -> Result {
        let entry = (here.entered, here.place.labels().len());
        self.end_document(entry).map_err(|error| self.error(error, here.place))
    }

    fn apart(
        &mut self,
        parts: Apart,
        place: &Place,
        load: &(dyn Fn(usize, &mut dyn Driver) -> Result + Sync),
    ) -> Result<usize> {
        let handed = match parts {
            Apart::Entries(count) => (0..count).map(|_| None).collect(),
            Apart::Items(count) => {
                let mut item = |index| self.opened.hand_out(wide(index), self.documents).map(Some);
                (0..count).map(&mut item).collect::<Loaded<Vec<_>>>().map_err(|error| self.error(error, place))?
            }
        };
        let jobs: Vec<_> = handed.into_iter().enumerate().map(|(index, it)| (index, Mutex::new(it))).collect();
        let documents = self.documents;
        let loaded = work::share(&jobs, self.threads, |(index, item)| {
            let mut loader = Loader::new(documents, 1);
            match item.lock().unwrap_or_else(PoisonError::into_inner).take() {
                None => load(*index, &mut loader)?,
                Some(item) => {
                    loader.opened.begin_handed(item);
                    load(*index, &mut loader)?;
                    let keys = keys_of(&place.with([Step::Index(wide(*index))]));
                    loader.opened.end_within(keys).map_err(|error| loader.error(error, &place.document()))?;
                }
            }
            Ok(loader.recomputation)
        });
        let first = self.apart.len();
        for recomputation in loaded {
            self.apart.push(recomputation?);
        }
        Ok(first)
    }

    fn absorb(&mut self, part: usize, begin: u64, entered: u64) {
        let Some(part) = self.apart.get_mut(part) else { return };
        let moved = |at: u64| at + begin;
        let Recomputation {
            kept,
            as_they_are,
            references,
            stated,
            facts,
            renewed,
            replaced,
            recompute: _,
            sources,
            stale: _,
        } = core::mem::take(part);
        let whole = &mut self.recomputation;
        whole.kept.extend(kept.into_iter().map(|(at, kept)| (moved(at), kept)));
        whole.references.extend(references.into_iter().map(|(at, it)| (moved(at), it)));
        whole.stated.extend(stated.into_iter().map(|((at, name), said)| ((moved(at), name), said)));
        whole.sources.extend(sources.into_iter().map(|((at, deep), it)| ((moved(at), deep), it)));
        whole.as_they_are.extend(as_they_are.into_iter().map(|it| moved(it.start)..moved(it.end)));
        let entry = |at| if at == OUTER { entered } else { moved(at) };
        whole.facts.extend(facts.into_iter().map(|((at, steps), said)| ((entry(at), steps), said)));
        whole.renewed.extend(renewed.into_iter().map(|(at, steps)| (entry(at), steps)));
        whole.replaced.extend(replaced);
    }
}
