//! Load mode: a model from its exchange form.

use core::ops::Range;
use std::mem::{replace, take};

use bytes::Bytes;

use super::super::error::{Error, Fault, Result};
use super::super::json::Json;
use super::super::layout::{Layout, Shape, Shaped};
use super::super::load::{Loaded, Loading, Misfit, Settled};
use super::super::memory::{self, Meter};
use super::super::pad::Pad;
use super::super::place::{Label, Place, Row, Step};
use super::super::text;
use super::super::visit::{Detail, What};
use super::{Lay, Mode, Settlement, Tape, Told, Undecoded, wide};

/// The files of an exchange form.
pub trait Documents {
    /// Takes a file out; each stands for one entry.
    ///
    /// # Errors
    /// Why there is no such file, or none that can be read.
    fn take(&mut self, file: &str) -> core::result::Result<Document, String>;
}

/// A file of an exchange form.
#[derive(Clone, Debug)]
pub enum Document {
    /// What an entry holds, by name.
    Json(Json),
    /// The bytes of an entry as they are.
    Raw(Bytes),
}

impl Default for Document {
    fn default() -> Self {
        Self::Raw(Bytes::new())
    }
}

/// Takes a model's values out of JSON.
pub(super) struct Loader<'t> {
    documents: &'t mut dyn Documents,
    /// The values on the way in, taken out of those that hold them.
    open: Vec<Open>,
    loading: Loading,
    settlement: Settlement,
}

struct Open {
    value: Json,
    /// Whether it is all that a file holds.
    document: bool,
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

/// Fills a model from JSON and the files it refers to.
///
/// # Errors
/// What is missing, too much, or does not fit.
pub fn load<M: Lay + Default>(json: Json, documents: &mut dyn Documents) -> Result<Given<M>> {
    let mut model = M::default();
    let (loading, settlement) = (Loading::default(), Settlement::default());
    let loader = Loader { documents, open: Vec::new(), loading, settlement };
    let mut tape = Tape::new(Mode::Load(Box::new(loader)), Detail::Places);
    tape.memory = Meter::new(memory::allowed(), 0);
    if let Mode::Load(loader) = &mut tape.mode {
        loader.begin(json);
    }
    model.lay(&mut tape)?;
    let undecoded = take(&mut tape.undecoded);
    let Mode::Load(loader) = &mut tape.mode else { return Err(tape.error(Fault::Surplus { bytes: 0 })) };
    loader.end().map_err(|misfit| misfit.at(&tape.place))?;
    Ok(Given { model, settlement: take(&mut loader.settlement), undecoded })
}

impl Loader<'_> {
    /// Begins what a file holds.
    pub(super) fn begin(&mut self, value: Json) {
        self.open.push(Open { value, document: true });
    }

    /// Ends what a file holds; nothing may be left of it.
    pub(super) fn end(&mut self) -> Loaded {
        let mut value = self.open.pop().map(|open| open.value).unwrap_or_default();
        value.close();
        self.loading.ends(&value)
    }

    pub(super) fn go(&mut self, step: Step) {
        let value = self.open.last_mut().and_then(|open| follow(&mut open.value, step)).map(take).unwrap_or_default();
        self.open.push(Open { value, document: false });
    }

    pub(super) fn back(&mut self, step: Step) {
        if let Some(Open { value, .. }) = self.open.pop()
            && !value.is_taken()
            && let Some(slot) = self.open.last_mut().and_then(|open| follow(&mut open.value, step))
        {
            *slot = value;
        }
    }

    /// What is being laid.
    pub(super) fn here(&self) -> Option<&Json> {
        self.open.last().map(|open| &open.value)
    }

    pub(super) fn member(&self, name: &str) -> Option<&Json> {
        self.here()?.get(name).filter(|value| **value != Json::Null)
    }

    fn take_here(&mut self) -> Json {
        self.open.last_mut().map(|open| take(&mut open.value)).unwrap_or_default()
    }

    pub(super) fn fixed(&mut self, what: What<'_>, bytes: &mut [u8], at: u64, place: &Place) -> Loaded {
        let Self { open, loading, settlement, .. } = self;
        let Some(here) = open.last_mut().map(|open| &mut open.value) else { return Ok(()) };
        match what {
            What::Fields(layout, _) => {
                if !matches!(here, Json::Object(_) | Json::Null) {
                    return Err(Misfit::plain("an object", here));
                }
                layout.load(here, bytes, loading)?;
                for kept in loading.kept.drain(..) {
                    if let Some(offset) = offset_of(layout, &kept.steps) {
                        settlement.kept.insert(at.saturating_add(offset), kept);
                    }
                }
            }
            What::Value(item) => item.shape.load(here, bytes, loading)?,
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
        let mut here = self.take_here();
        match what {
            What::Coded(coding, census) => {
                // Where more stands beside the value, it is a member.
                if here.get("value").is_some() {
                    let value = here.step_mut("value").map(take).unwrap_or_default();
                    if let Some(open) = self.open.last_mut() {
                        open.value = replace(&mut here, value);
                    }
                }
                // What is not told is what zeros are shown as, where they are not.
                if here == Json::Null {
                    let zeros = vec![0; census.iter().sum()];
                    if (coding.show)(&zeros) == Json::Null {
                        return Ok(zeros.into());
                    }
                }
                (coding.load)(here).map(Bytes::from)
            }
            What::Block(item, _) => {
                let bytes = item.shape.load_block(&mut here, &mut self.loading)?;
                let Self { loading, settlement, .. } = self;
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
            _ if here == Json::Null => Ok(Bytes::new()),
            What::Text(page) => {
                let text = here.text().ok_or_else(|| Misfit::plain("a text", &here))?;
                let lacks = || Misfit::plain(&format!("characters of {}", page.name()), &here);
                text::encode(page, text).map(Bytes::from).ok_or_else(lacks)
            }
            _ => match here {
                Json::Bytes(bytes) => Ok(bytes.into()),
                other => {
                    let bytes = other.bytes().map(|bytes| Bytes::from(bytes.into_owned()));
                    bytes.ok_or_else(|| Misfit::plain("bytes in hexadecimal", &other))
                }
            },
        }
    }

    pub(super) fn pad(&mut self) -> Loaded<Pad> {
        let here = self.take_here();
        let kept = here.get("kept").and_then(Json::bytes);
        let instead_of = here.get("instead_of").and_then(Json::whole);
        match (&here, kept, instead_of) {
            (Json::Null, ..) => Ok(Pad::default()),
            (Json::Object(members), Some(bytes), Some(instead_of)) if members.len() == 2 => {
                Ok(Pad::kept(bytes.into_owned().into(), instead_of))
            }
            _ => Err(Misfit::plain("bytes kept instead of a number of zeros", &here)),
        }
    }

    pub(super) fn fact<T: Shaped>(&mut self, name: &str, entered: u64, place: impl Fn() -> Place) -> Loaded<Option<T>> {
        let fact = self.open.last_mut().and_then(|open| open.value.step_mut(name)).map(take).unwrap_or_default();
        if fact == Json::Null {
            return Ok(None);
        }
        let (mut fact, mut value) = (fact, bytemuck::Zeroable::zeroed());
        T::SHAPE.load(&mut fact, bytemuck::bytes_of_mut(&mut value), &mut self.loading)?;
        self.loading.ends(&fact)?;
        let said = T::SHAPE.show(bytemuck::bytes_of(&value));
        self.settlement.facts.insert((entered, place().steps().to_vec()), said);
        Ok(Some(value))
    }

    pub(super) fn remark(&mut self, name: &'static str, at: u64) {
        let remark = self.open.last_mut().and_then(|open| open.value.step_mut(name)).map(take);
        if let Some(remark) = remark.filter(|remark| *remark != Json::Null) {
            self.settlement.remarks.insert((at, name), remark);
        }
    }

    /// Notes what is said of a number, without taking it.
    pub(super) fn claim(&mut self, name: &'static str, at: u64) {
        if let Some(said) = self.member(name).cloned() {
            self.settlement.remarks.insert((at, name), said);
        }
    }

    /// Notes that a value has been replaced.
    pub(super) fn tell(&mut self, place: Place, was: Json, now: Json) {
        self.settlement.told.push(Told { place, was, now });
    }

    /// Notes bytes that are to stay as they are.
    pub(super) fn stays(&mut self, stretch: Range<u64>) {
        self.settlement.as_they_are.push(stretch);
    }

    /// What says of which file and kind an entry is.
    pub(super) fn row(&mut self, label: &Label) -> Option<&mut Json> {
        let root = self.open.iter().rposition(|open| open.document).unwrap_or(0);
        let last = self.open.len().saturating_sub(1);
        let from = if matches!(label.row, Row::Item(..)) { root } else { last };
        let value = self.open.get_mut(from).map(|open| &mut open.value)?;
        match label.row {
            Row::Here => Some(value),
            Row::Member => value.step_mut(&label.to_string()),
            Row::Item(list, index) => follow(value.step_mut(list)?, Step::Index(wide(index))),
        }
    }

    /// The kind of an entry if it is said, its file, and what is in that; steps of a misfit lead on from its row.
    pub(super) fn document(&mut self, label: &Label) -> Loaded<(Option<String>, String, Document)> {
        let row = self.row(label);
        let nothing = &mut Json::Null;
        let row = row.unwrap_or(nothing);
        let misfit = |name, expected: &str, found| Misfit {
            steps: vec![Step::Name(name)],
            expected: expected.to_owned(),
            found,
        };
        let mut member = |name: &'static str| match row.step_mut(name).map(take) {
            None | Some(Json::Null) => Ok(None),
            Some(Json::Text(text)) => Ok(Some(text.to_string())),
            Some(other) => Err(misfit(name, "a text", other.describe())),
        };
        let (kind, file) = (member("kind")?, member("file")?);
        let file = file.ok_or_else(|| misfit("file", "the file of an entry", Json::Null.describe()))?;
        let document = self.documents.take(&file);
        let document = document.map_err(|found| misfit("file", &format!("a file {file}"), found))?;
        Ok((kind, file, document))
    }
}

/// What a step leads to.
fn follow(value: &mut Json, step: Step) -> Option<&mut Json> {
    match (value, step) {
        (value, Step::Name(name)) => value.step_mut(name),
        (Json::List(items), Step::Index(index)) => items.get_mut(usize::try_from(index).ok()?),
        _ => None,
    }
}

/// Where in a record the field lies that steps lead to.
fn offset_of(layout: &Layout, steps: &[Step]) -> Option<u64> {
    let Some(Step::Name(name)) = steps.first() else { return None };
    layout.fields.iter().find(|field| field.name == *name).map(|field| wide(field.offset))
}

impl Misfit {
    /// A value that does not fit right here.
    pub(super) fn plain(expected: &str, found: &Json) -> Self {
        Self { steps: Vec::new(), expected: expected.to_owned(), found: found.describe() }
    }

    /// The error at a place.
    pub(super) fn at(self, place: &Place) -> Error {
        let Self { steps, expected, found } = self;
        Error::in_exchange(place.with(steps), Fault::Unknown { found, expected })
    }
}
