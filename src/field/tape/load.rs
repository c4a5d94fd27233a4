//! Load mode: a model from its exchange form.

mod opened;

use core::ops::Range;
use std::mem::take;

use bytes::Bytes;

use super::super::error::{Error, Fault, Result};
use super::super::json::Json;
use super::super::json_text::{At, JsonText, Spot};
use super::super::layout::{Layout, Shape, Shaped};
use super::super::load::{Loaded, Loading, Misfit, Settled};
use super::super::memory::{self, Meter};
use super::super::pad::Pad;
use super::super::place::{Label, Place, Row, Step};
use super::super::text;
use super::super::visit::{Detail, What};
use super::{Lay, Mode, Settlement, Tape, Told, Undecoded, wide};

pub(super) use opened::Handed;
use opened::{Opened, Value};

/// The files of an exchange form.
pub trait Documents: Send {
    /// How many cores may load.
    fn threads(&self) -> usize {
        1
    }

    /// Takes a file out; each stands for one entry, or for a part of a document.
    ///
    /// # Errors
    /// Why there is no such file, or none that can be read.
    fn take(&mut self, file: &str) -> core::result::Result<Content, String>;

    /// Takes a file out that a document may only name: nothing where it is no document.
    fn take_part(&mut self, file: &str) -> Option<JsonText> {
        let _ = file;
        None
    }

    /// How other files say a part of what a document of this kind holds; nothing where none do.
    fn media(&self, kind: &str) -> Option<Media> {
        let _ = kind;
        None
    }

    /// A document with what such files say. What its container says of it is there where it is looked at.
    ///
    /// # Errors
    /// Why they cannot say it.
    fn with_media(
        &mut self,
        kind: &str,
        file: &str,
        document: Json,
        container: Option<(&Json, &Json)>,
    ) -> core::result::Result<Json, Amiss> {
        let _ = (kind, file, container);
        Ok(document)
    }
}

/// Why images, sounds or texts beside a document cannot be what they stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amiss {
    /// The file that is wrong: the document, or one beside it.
    pub file: String,
    /// The keys to what is wrong in the document, if it is that.
    pub keys: Option<Vec<String>>,
    /// Whether they lead to a member that is too much, and not to a value that is wrong.
    pub is_surplus: bool,
    /// What is wrong.
    pub why: String,
}

impl Amiss {
    /// The error of a document at a place, and where in its text it is if this is known.
    pub(crate) fn at(self, place: Place, (text, at): (&JsonText, At)) -> Error {
        let Self { file, keys, is_surplus, why } = self;
        let spot = keys.and_then(|keys| text.spot_of(at, &keys, is_surplus, &|_| None));
        Error::in_exchange(place, Fault::Beside { file, why }).with_spot(spot)
    }
}

/// No files: what is loaded holds no entries.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Documents for NoFiles {
    fn take(&mut self, _: &str) -> core::result::Result<Content, String> {
        Err("no files".to_owned())
    }
}

/// What it takes to know what an image or sound says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Media {
    /// Nothing else.
    Alone,
    /// What its container says of it, and the container itself.
    InContainer,
}

/// A file of an exchange form.
#[derive(Clone, Debug)]
pub enum Document {
    /// What an entry holds, by name.
    Json(Json),
    /// The bytes of an entry as they are.
    Raw(Bytes),
}

/// A file of an exchange form that is being loaded.
#[derive(Clone, Debug)]
pub enum Content {
    /// What an entry holds, by name.
    Text(JsonText),
    /// The bytes of an entry as they are.
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

/// Takes a model's values out of documents.
pub(super) struct Loader<'t> {
    documents: &'t mut dyn Documents,
    opened: Opened,
    loading: Loading,
    settlement: Settlement,
}

/// A model as its exchange form says, before its containers have had their say.
#[derive(Debug)]
pub struct Given<M> {
    /// The model.
    pub model: M,
    /// What is to be settled.
    pub settlement: Settlement,
    /// Entries that are kept as they are because they do not decode.
    pub undecoded: Vec<Undecoded>,
}

/// Fills a model from a value in a text, and from the files that it refers to.
///
/// # Errors
/// What is missing, too much, or does not fit.
pub fn load_text<M: Lay + Default>(text: JsonText, at: At, documents: &mut dyn Documents) -> Result<Given<M>> {
    let mut model = M::default();
    let mut tape = Tape::new(Mode::Load(Box::new(Loader::new(documents))), Detail::Places);
    tape.memory = Meter::new(memory::allowed(), 0);
    if let Mode::Load(loader) = &mut tape.mode {
        loader.opened.begin(text, at);
    }
    model.lay(&mut tape)?;
    let undecoded = take(&mut tape.undecoded);
    let Mode::Load(loader) = &mut tape.mode else { return Err(tape.error(Fault::Surplus { bytes: 0 })) };
    loader.end((0, 0)).map_err(|misfit| loader.error(misfit, &tape.place))?;
    Ok(Given { model, settlement: take(&mut loader.settlement), undecoded })
}

/// Fills a model from a value, and from the files that it refers to.
///
/// # Errors
/// What is missing, too much, or does not fit.
pub fn load<M: Lay + Default>(json: &Json, documents: &mut dyn Documents) -> Result<Given<M>> {
    let text = JsonText::of(json);
    let root = text.root();
    load_text(text, root, documents)
}

impl<'t> Loader<'t> {
    pub(super) fn new(documents: &'t mut dyn Documents) -> Self {
        let (opened, loading, settlement) = (Opened::default(), Loading::default(), Settlement::default());
        Self { documents, opened, loading, settlement }
    }
}

impl Loader<'_> {
    /// The files of the form.
    pub(super) fn documents(&mut self) -> &mut (dyn Documents + '_) {
        &mut *self.documents
    }

    /// How many cores may load.
    pub(super) fn threads(&self) -> usize {
        self.documents.threads()
    }

    /// What is to be settled so far.
    pub(super) fn settlement_mut(&mut self) -> &mut Settlement {
        &mut self.settlement
    }

    /// Gives an item of the list that is being laid away, to be loaded by another.
    pub(super) fn hand_out(&mut self, index: u64) -> Loaded<Handed> {
        self.opened.hand_out(index, self.documents)
    }

    /// Begins an item that another has given away.
    pub(super) fn begin_handed(&mut self, handed: Handed) {
        self.opened.begin_handed(handed);
    }

    /// Ends such an item; nothing may be left of it. These keys lead to it.
    pub(super) fn end_within(&mut self, before: Vec<String>) -> Loaded {
        self.opened.end_within(before)
    }

    /// Sets a row of the block at a place: its index and where it begins in the file.
    pub(super) fn row(
        &mut self,
        shape: Shape,
        text: &JsonText,
        row: &mut [u8],
        (index, at): (u64, u64),
        place: &Place,
    ) -> Loaded {
        let Self { loading, settlement, .. } = self;
        shape.load(text, text.root(), row, loading).map_err(|misfit| {
            let steps = [Step::Index(index)].into_iter().chain(misfit.steps).collect();
            let of_kept = misfit.of_kept.map(|(depth, name)| (depth.saturating_add(1), name));
            Misfit { steps, of_kept, ..misfit }
        })?;
        for kept in loading.kept.drain(..) {
            if let Shape::Record(layout) = shape
                && let Some(offset) = offset_of(layout, &kept.steps)
            {
                settlement.kept.insert(at.saturating_add(offset), kept);
            }
        }
        self.tell_settled(&place.with([Step::Index(index)]));
        Ok(())
    }

    /// Begins what a file holds.
    pub(super) fn begin(&mut self, text: JsonText) {
        let root = text.root();
        self.opened.begin(text, root);
    }

    /// Ends what a file holds; nothing may be left of it. Its text is found again by where its entry begins, and how many entries
    /// that is in.
    pub(super) fn end(&mut self, entry: (u64, usize)) -> Loaded {
        let sources = self.opened.sources();
        self.opened.end()?;
        self.settlement.sources.extend(sources.map(|sources| (entry, sources)));
        Ok(())
    }

    /// Returns the error of a value that does not fit, at a place or steps on from there.
    pub(super) fn error(&self, misfit: Misfit, place: &Place) -> Error {
        let mut keys: Vec<String> = misfit.steps.iter().map(key).collect();
        if let Some((depth, name)) = misfit.of_kept {
            keys.splice(depth..depth, [name.to_owned()]);
        }
        keys.splice(0..0, keys_of(place));
        keys.extend_from_slice(&misfit.surplus);
        let spot = self.opened.spot_of(&keys, !misfit.surplus.is_empty());
        misfit.at(place).with_spot(spot)
    }

    /// Returns where in its text a place is in the document that is being laid.
    pub(super) fn spot(&self, place: &Place) -> Option<Spot> {
        self.opened.spot_of(&keys_of(place), false)
    }

    /// Returns where in its text something is that is listed of an entry at a place.
    pub(super) fn spot_in_row(&self, place: &Place, label: &Label, steps: &[Step]) -> Option<Spot> {
        let mut keys = match label.row {
            Row::Here => keys_of(place),
            Row::Member => [keys_of(place), vec![label.to_string()]].concat(),
            Row::Item(list, index) => vec![list.to_owned(), index.to_string()],
        };
        keys.extend(steps.iter().map(key));
        self.opened.spot_of(&keys, false)
    }

    pub(super) fn go(&mut self, step: Step) -> Loaded {
        self.opened.go(step, self.documents)
    }

    pub(super) fn back(&mut self) {
        self.opened.back();
    }

    /// How many items the list has that is being laid; nothing where there is none.
    pub(super) fn items_here(&mut self) -> Loaded<Option<usize>> {
        self.opened.items_here()
    }

    /// How many items a list has.
    pub(super) fn items(&mut self, name: &str) -> Loaded<usize> {
        self.opened.items(name, self.documents)
    }

    /// Whether there is a member of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.opened.has(name)
    }

    pub(super) fn fixed(&mut self, what: What<'_>, bytes: &mut [u8], at: u64, place: &Place) -> Loaded {
        let Self { opened, loading, settlement, .. } = self;
        match what {
            What::Fields(layout, _) => {
                opened.fields(layout, bytes, loading)?;
                for kept in loading.kept.drain(..) {
                    if let Some(offset) = offset_of(layout, &kept.steps) {
                        settlement.kept.insert(at.saturating_add(offset), kept);
                    }
                }
            }
            What::Value(item) => match opened.take_here() {
                Some(Value { text, at }) => item.shape.load(text, at, bytes, loading)?,
                None => item.shape.load_nothing(bytes, loading)?,
            },
            _ => {}
        }
        self.tell_settled(place);
        Ok(())
    }

    /// Notes the kept values that loading has replaced in the value at a place.
    fn tell_settled(&mut self, place: &Place) {
        let Self { loading, settlement, .. } = self;
        let told = |Settled { steps, was, now }| Told { place: place.with(steps), was, now };
        settlement.told.extend(loading.settled.drain(..).map(told));
    }

    pub(super) fn blob(&mut self, what: What<'_>, at: u64, place: &Place) -> Loaded<Bytes> {
        if let What::Coded(coding, census) = what {
            // Where more stands beside the value, it is a member.
            let value = match self.opened.take_member("value")?.map(|value| value.json()) {
                Some(value) => Some(value?),
                None => self.opened.take_here().map(|value| value.json()).transpose()?,
            };
            // What is not told is what zeros are shown as, where they are not.
            return match value {
                Some(value) => (coding.load)(value).map(Bytes::from),
                None => {
                    let zeros = vec![0; census.iter().sum()];
                    match (coding.show)(&zeros) {
                        Json::Null => Ok(zeros.into()),
                        _ => (coding.load)(Json::Null).map(Bytes::from),
                    }
                }
            };
        }
        let Self { opened, loading, settlement, .. } = self;
        let Some(Value { text, at: value }) = opened.take_here() else { return Ok(Bytes::new()) };
        match what {
            What::Block(item, _) => {
                let bytes = item.shape.load_block(text, value, loading)?;
                for kept in loading.kept.drain(..) {
                    if let ([Step::Index(row), steps @ ..], Shape::Record(layout)) = (&kept.steps[..], item.shape)
                        && let Some(offset) = offset_of(layout, steps)
                    {
                        let row = row.saturating_mul(wide(item.size));
                        settlement.kept.insert(at.saturating_add(row).saturating_add(offset), kept);
                    }
                }
                self.tell_settled(place);
                Ok(Bytes::from(bytes))
            }
            What::Text(page) => {
                let found = text.text(value).ok_or_else(|| Misfit::plain("a string", text.describe(value)))?;
                let lacks = || Misfit::plain(&format!("characters of {}", page.name()), text.describe(value));
                text::encode(page, &found).map(Bytes::from).ok_or_else(lacks)
            }
            _ => {
                let bytes = text.bytes(value);
                bytes.ok_or_else(|| Misfit::plain("bytes in hexadecimal", text.describe(value)))
            }
        }
    }

    pub(super) fn pad(&mut self) -> Loaded<Pad> {
        let Some(value) = self.opened.take_here() else { return Ok(Pad::default()) };
        let here = value.json()?;
        let kept = here.get("kept").and_then(Json::bytes);
        let computed = here.computed().and_then(Json::whole);
        match (&here, kept, computed) {
            (Json::Object(members), Some(bytes), Some(computed)) if members.len() == 2 => {
                Ok(Pad::kept(bytes.into_owned().into(), computed))
            }
            _ => Err(Misfit::plain("kept bytes, or a number of zeros", here.describe())),
        }
    }

    pub(super) fn fact<T: Shaped>(&mut self, name: &str, entered: u64, place: impl Fn() -> Place) -> Loaded<Option<T>> {
        let Self { opened, loading, settlement, .. } = self;
        let Some(Value { text, at }) = opened.take_member(name)? else { return Ok(None) };
        let mut value = bytemuck::Zeroable::zeroed();
        T::SHAPE.load(text, at, bytemuck::bytes_of_mut(&mut value), loading)?;
        let said = T::SHAPE.show(bytemuck::bytes_of(&value));
        settlement.facts.insert((entered, place().steps().to_vec()), said);
        Ok(Some(value))
    }

    /// Notes what is said beside a field. What is no value is not taken, and so it is refused when the document ends.
    pub(super) fn remark(&mut self, name: &'static str, at: u64) {
        let remark = self.opened.member(name).ok().flatten().and_then(|value| value.json().ok());
        if let Some(remark) = remark
            && let Ok(Some(_)) = self.opened.take_member(name)
        {
            self.settlement.remarks.insert((at, name), remark);
        }
    }

    /// Notes what is said of a number, without taking it.
    pub(super) fn claim(&mut self, name: &'static str, at: u64) -> Loaded {
        if let Some(remark) = self.opened.member(name)?.map(|value| value.json()).transpose()? {
            self.settlement.remarks.insert((at, name), remark);
        }
        Ok(())
    }

    /// Notes that a value has been replaced.
    pub(super) fn tell(&mut self, place: Place, was: Json, now: Json) {
        self.settlement.told.push(Told { place, was, now });
    }

    /// Notes bytes that are to stay as they are.
    pub(super) fn stays(&mut self, stretch: Range<u64>) {
        self.settlement.as_they_are.push(stretch);
    }

    /// Whether the form has a file for an entry.
    pub(super) fn has_entry(&mut self, label: &Label) -> Loaded<bool> {
        Ok(self.opened.row(label, self.documents, |row| row.member("file").is_some())?.unwrap_or_default())
    }

    /// The kind of an entry if it is said, its file, and what is in that; steps of a misfit lead on from its row.
    pub(super) fn document(&mut self, label: &Label) -> Loaded<(Option<String>, String, Content)> {
        let misfit = |name, expected: &str, found: String| Misfit::new(vec![Step::Name(name)], expected, found);
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

    /// A document with what images, sounds or texts beside it say.
    pub(super) fn with_media(
        &mut self,
        label: &Label,
        kind: &str,
        file: &str,
        document: Json,
    ) -> Loaded<core::result::Result<Json, Amiss>> {
        let Some(media) = self.documents.media(kind) else { return Ok(Ok(document)) };
        if media == Media::Alone {
            return Ok(self.documents.with_media(kind, file, document, None));
        }
        let container = self.opened.container(self.documents)?;
        let row = match label.row {
            Row::Item(list, index) => container.get(list).and_then(|list| list.items()?.get(index)),
            Row::Member => container.get(&label.to_string()),
            Row::Here => None,
        };
        Ok(self.documents.with_media(kind, file, document, Some((row.unwrap_or(&Json::Null), &container))))
    }

    /// Whether images, sounds or texts beside a document of this kind say a part of it.
    pub(super) fn has_media(&self, kind: &str) -> bool {
        self.documents.media(kind).is_some()
    }
}

/// The keys from the document that a place is in to the place.
pub(super) fn keys_of(place: &Place) -> Vec<String> {
    place.pointer().iter().map(key).collect()
}

/// A step as it is in a pointer.
fn key(step: &Step) -> String {
    match step {
        Step::Name(name) => (*name).to_owned(),
        Step::Index(index) => index.to_string(),
        Step::Entry => String::new(),
    }
}

/// Where in a record the field lies that steps lead to.
fn offset_of(layout: &Layout, steps: &[Step]) -> Option<u64> {
    let Some(Step::Name(name)) = steps.first() else { return None };
    layout.fields.iter().find(|field| field.name == *name).map(|field| wide(field.offset))
}

impl Misfit {
    /// A value that does not fit right here.
    pub(super) fn plain(expected: &str, found: String) -> Self {
        Self::new(Vec::new(), expected, found)
    }

    /// The error at a place.
    pub(super) fn at(self, place: &Place) -> Error {
        let Self { steps, surplus, expected, found, .. } = self;
        Error::in_exchange(place.with(steps), Fault::Unknown { found, expected }).with_surplus(surplus)
    }
}
