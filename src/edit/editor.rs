//! The driver that edits: it loads parts of a model again in place, and leaves everything else unchanged.
//!
//! A part is anything that a layout function names: a record, a row of a block, a value, or the target of a step. A visitor has
//! shown it before, an edit has changed the shown value, and the loader of the exchange format loads it here, so that edits of parts
//! and of whole files are checked in the same way.

use core::ops::Range;
use std::collections::VecDeque;

use bytes::Bytes;

#[cfg(feature = "exchange")]
use field::Address;
use field::driver::{Driver, Fact, FromDocuments, Given, Here, Role};
use field::{
    Codec, Error, Fault, Group, Label, Lay, Layout, LoadError, Loaded, Place, Result, Rule, Shape, Spot, Step, Value,
    What, drive, memory, wide,
};
use json::{Files, JsonText, Kept, Loader, NoFiles, Recomputation};

/// A part of a model, and its new value.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// The entry that contains it, counted from 1 in the order in which entries begin; 0 for the file itself. Labels are unsuitable,
    /// since an edit can change them.
    pub entry: usize,
    /// The steps to it in that entry.
    pub steps: Vec<Step>,
    /// The part at that place.
    pub which: Which,
    /// Its new value.
    pub json: Value,
}

impl Piece {
    /// Returns the place of the part in an entry.
    #[cfg(feature = "exchange")]
    pub(super) fn address(&self, entry: String) -> Address {
        let row = if let Which::Row(row) = self.which { Some(Step::Index(row)) } else { None };
        let steps = self.steps.iter().copied().chain(row);
        Address { entry, keys: Address::from(Place::default().with(steps).to_string().as_str()).keys }
    }
}

/// The type of part at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// The record whose first field has this name, among those whose fields are members of the object there.
    Fields(&'static str),
    /// A row of the block there.
    Row(u64),
    /// The value, text, block or bytes there.
    Datum,
    /// Everything that the step lays out.
    Step,
}

/// Preserved derived values, by the number of the record or block that contains them.
///
/// Only data for which [`counts`] returns `true` are numbered, except for parts that a step lays out. Their offsets are known only
/// when the parts have been loaded.
pub(super) type Deviating = VecDeque<(u64, Vec<(u64, Kept)>)>;

/// Returns `true` if data are numbered in [`Deviating`].
#[must_use]
pub(super) fn counts(what: What<'_>) -> bool {
    matches!(what, What::Fields(..) | What::Block(..))
}

/// The entry that is being laid out, counted as in [`Piece`].
#[derive(Debug, Default)]
pub(super) struct Entries {
    open: Vec<usize>,
    begun: usize,
}

impl Entries {
    pub(super) fn enter(&mut self) {
        self.begun += 1;
        self.open.push(self.begun);
    }

    pub(super) fn leave(&mut self) {
        self.open.pop();
    }

    pub(super) fn last(&self) -> usize {
        self.open.last().copied().unwrap_or_default()
    }
}

struct Editor<'t> {
    /// The loader of parts.
    loader: Loader<'t>,
    /// The number of steps to the part that the loader lays out, if that is everything that a step does.
    lent: Option<usize>,
    pieces: Vec<Waiting>,
    /// The pieces in the entry that is being laid out.
    here: Vec<usize>,
    entries: Entries,
    deviating: Deviating,
    /// The number of data numbered so far.
    numbered: u64,
    /// Ranges of entries that stay unchanged.
    as_they_are: Vec<Range<u64>>,
    kept: Vec<(u64, Kept)>,
    facts: Vec<((u64, Vec<Step>), Value)>,
}

/// A part that has been loaded, or waits to be.
struct Waiting {
    piece: Piece,
    text: JsonText,
    is_loaded: bool,
}

/// Loads parts of a model. The values that depend on them must be recomputed afterward.
///
/// # Errors
/// Returns an error if a part does not fit or does not exist. The model must not be used then.
pub(super) fn edit<M: Lay + ?Sized>(model: &mut M, pieces: Vec<Piece>, deviating: Deviating) -> Result<Recomputation> {
    let mut nothing = NoFiles;
    let files = Files::new(&mut nothing);
    let waiting = |piece: Piece| Waiting { text: JsonText::of(&piece.json), piece, is_loaded: false };
    let mut editor = Editor {
        loader: Loader::new(&files, 1),
        lent: None,
        pieces: pieces.into_iter().map(waiting).collect(),
        here: Vec::new(),
        entries: Entries::default(),
        deviating,
        numbered: 0,
        as_they_are: Vec::new(),
        kept: Vec::new(),
        facts: Vec::new(),
    };
    editor.look();
    drive(model, &mut editor, memory::allowed())?;
    let Editor { loader, pieces, deviating, as_they_are, kept, facts, .. } = editor;
    if let Some(missed) = pieces.iter().find(|it| !it.is_loaded) {
        let place = Place::default().with(missed.piece.steps.iter().copied());
        let fault = Fault::Unknown { found: "none".to_owned(), expected: "a value at this place".to_owned() };
        return Err(Error::in_exchange(place, fault));
    }
    if !deviating.is_empty() {
        let (found, expected) = ("another".to_owned(), "a model of this structure".to_owned());
        return Err(Error::in_exchange(Place::default(), Fault::Unknown { found, expected }));
    }
    let mut recomputation = loader.recomputation();
    recomputation.as_they_are.extend(as_they_are);
    recomputation.kept.extend(kept);
    recomputation.facts.extend(facts);
    Ok(recomputation)
}

impl<'t> Editor<'t> {
    /// Finds the parts in the entry that is being laid out.
    fn look(&mut self) {
        let entry = self.entries.last();
        self.here.clear();
        let pieces = self.pieces.iter().enumerate();
        self.here.extend(pieces.filter(|(_, it)| it.piece.entry == entry).map(|(index, _)| index));
    }

    /// Returns the part at a place that satisfies a condition.
    fn find(&mut self, place: &Place, is_it: impl Fn(Which) -> bool) -> Option<usize> {
        if self.here.is_empty() {
            return None;
        }
        let pointer = place.pointer();
        let is_here = |index: &usize| {
            self.pieces.get(*index).is_some_and(|it| it.piece.steps == pointer && is_it(it.piece.which))
        };
        self.here.iter().copied().find(is_here)
    }

    /// Loads a part by the loader of the exchange format.
    fn load<T>(&mut self, piece: usize, load: impl FnOnce(&mut Loader<'_>) -> Loaded<T>) -> Loaded<Option<T>> {
        let Some(waiting) = self.pieces.get_mut(piece) else { return Ok(None) };
        waiting.is_loaded = true;
        self.loader.begin_part(waiting.text.clone());
        let outcome = load(&mut self.loader)?;
        self.loader.end_part()?;
        Ok(Some(outcome))
    }

    /// Collects the preserved values of the record or block that is being laid out.
    fn number(&mut self, what: What<'_>, at: u64) {
        if !counts(what) {
            return;
        }
        let number = self.numbered;
        self.numbered = number + 1;
        if self.deviating.front().is_some_and(|(it, _)| *it == number)
            && let Some((_, kept)) = self.deviating.pop_front()
        {
            self.kept.extend(kept.into_iter().map(|(offset, kept)| (at + offset, kept)));
        }
    }

    /// Loads a value of fixed size if it is a part.
    fn edit_fixed(&mut self, what: What<'_>, bytes: &mut [u8], at: u64, place: &Place) -> Loaded {
        self.number(what, at);
        let piece = self.find(place, |which| match (which, what) {
            (Which::Fields(first), What::Fields(layout, _)) => {
                layout.fields.first().is_some_and(|field| field.name == first)
            }
            (Which::Datum, What::Value(_)) => true,
            _ => false,
        });
        let Some(piece) = piece else { return Ok(()) };
        let before = bytes.to_vec();
        self.load(piece, |loader| loader.load_fixed(what, bytes, at, place))?;
        if let (What::Fields(layout, _), Some(it)) = (what, self.pieces.get(piece)) {
            leave_to_recompute(layout, &it.piece.json, &before, bytes);
        }
        Ok(())
    }

    /// Returns the new bytes of a block, text or raw bytes, if they are a part.
    fn edit_blob(&mut self, what: What<'_>, bytes: &[u8], at: u64, place: &Place) -> Loaded<Option<Bytes>> {
        self.number(what, at);
        if let What::Block(item, _) = what {
            return match self.find(place, |which| which == Which::Datum) {
                Some(piece) => self.load(piece, |loader| loader.load_blob(what, at, place)),
                None => self.rows(item.shape, bytes, at, place),
            };
        }
        match (self.find(place, |which| which == Which::Datum), what) {
            (None, _) => Ok(None),
            (Some(piece), What::Coded(Codec { merge: Some(merge), .. }, _)) => {
                let Some(waiting) = self.pieces.get_mut(piece) else { return Ok(None) };
                waiting.is_loaded = true;
                merge(bytes, &waiting.piece.json).map(|bytes| Some(bytes.into()))
            }
            (Some(piece), _) => self.load(piece, |loader| loader.load_blob(what, at, place)),
        }
    }

    /// Returns the new bytes of a block, if some of its rows are parts.
    fn rows(&mut self, shape: Shape, bytes: &[u8], at: u64, place: &Place) -> Loaded<Option<Bytes>> {
        let mut edited: Option<Vec<u8>> = None;
        while let Some(piece) = self.find_row(place) {
            let Some(waiting) = self.pieces.get_mut(piece) else { break };
            waiting.is_loaded = true;
            let Which::Row(index) = waiting.piece.which else { break };
            let begin = index.saturating_mul(wide(shape.size()));
            let bytes = edited.get_or_insert_with(|| bytes.to_vec());
            let range = usize::try_from(begin).ok().map(|begin| begin..begin.saturating_add(shape.size()));
            let row = range.and_then(|range| bytes.get_mut(range));
            let row = row.ok_or_else(|| LoadError::plain("a row", format!("none at {index}")))?;
            let before = row.to_vec();
            self.loader.row(shape, &waiting.text, row, (index, at + begin), place)?;
            if let Shape::Record(layout) = shape {
                leave_to_recompute(layout, &waiting.piece.json, &before, row);
            }
        }
        Ok(edited.map(Bytes::from))
    }

    /// Returns a row of the block at a place that is a part, and has not been loaded.
    fn find_row(&mut self, place: &Place) -> Option<usize> {
        if self.here.is_empty() {
            return None;
        }
        let pointer = place.pointer();
        let is_here = |index: &usize| {
            let waiting = |it: &Waiting| !it.is_loaded && matches!(it.piece.which, Which::Row(_));
            self.pieces.get(*index).is_some_and(|it| it.piece.steps == pointer && waiting(it))
        };
        self.here.iter().copied().find(is_here)
    }
}

/// Restores the values of fields that are recomputed at the end: a length that is zero in the meantime would remove the items that
/// it counts.
fn leave_to_recompute(layout: &Layout, json: &Value, before: &[u8], record: &mut [u8]) {
    let waits = layout.waits_for_container();
    for field in layout.fields {
        let is_recomputed = match field.rule {
            Rule::Outside => json.get(field.name).is_none(),
            Rule::Exact(_) => waits,
            _ => false,
        };
        let now = record.get_mut(field.offset..).and_then(|rest| rest.get_mut(..field.shape.size()));
        if let (true, Some(now), Some(before)) = (is_recomputed, now, field.of(before)) {
            now.copy_from_slice(before);
        }
    }
}

impl Driver for Editor<'_> {
    fn role(&self) -> Role {
        if self.lent.is_some() { Role::Load } else { Role::Edit }
    }

    fn fixed(&mut self, what: What<'_>, bytes: &mut [u8], here: Here<'_>) -> Result {
        match self.lent {
            Some(_) => self.loader.fixed(what, bytes, here),
            None => self.edit_fixed(what, bytes, here.at, here.place).map_err(|error| error.at(here.place)),
        }
    }

    fn blob(&mut self, what: What<'_>, bytes: &[u8], here: Here<'_>) -> Result<Option<Bytes>> {
        match self.lent {
            Some(_) => self.loader.blob(what, bytes, here),
            None => self.edit_blob(what, bytes, here.at, here.place).map_err(|error| error.at(here.place)),
        }
    }

    fn go(&mut self, step: Step, place: &Place) -> Result {
        if self.lent.is_some() {
            return self.loader.go(step, place);
        }
        if let Some(piece) = self.find(place, |which| which == Which::Step)
            && let Some(waiting) = self.pieces.get_mut(piece)
        {
            waiting.is_loaded = true;
            self.loader.begin_part(waiting.text.clone());
            self.lent = Some(place.steps().len());
        }
        Ok(())
    }

    fn back(&mut self, place: &Place) -> Result {
        match self.lent {
            Some(steps) if steps == place.steps().len() => {
                self.lent = None;
                self.loader.end_part().map_err(|error| error.at(place))
            }
            Some(_) => self.loader.back(place),
            None => Ok(()),
        }
    }

    fn enter(&mut self, group: Group) {
        if let (Group::Entry { .. }, None) = (group, self.lent) {
            self.entries.enter();
            self.look();
        }
    }

    fn leave(&mut self, group: Group, bytes: Range<u64>) {
        if let (Group::Entry { raw, .. }, None) = (group, self.lent) {
            let is_edited = !self.here.is_empty();
            self.entries.leave();
            self.look();
            if raw.is_some() && !is_edited {
                self.as_they_are.push(bytes);
            }
        }
    }

    /// Records a fact that is not stored in bytes, and must not change without a report.
    fn fact(&mut self, fact: &mut Fact<'_>, here: Here<'_>) -> Result<Given> {
        if self.lent.is_some() {
            return self.loader.fact(fact, here);
        }
        if !fact.is_default {
            self.facts.push(((here.entered, here.member(fact.name).steps().to_vec()), fact.shown()));
        }
        Ok(Given::Stays)
    }

    fn lent(&mut self) -> Option<&mut dyn Driver> {
        if self.lent.is_some() { Some(&mut self.loader) } else { None }
    }

    fn has(&self, name: &str) -> bool {
        self.lent.is_some() && self.loader.has(name)
    }

    fn spot(&self, place: &Place) -> Option<Spot> {
        self.lent.and_then(|_| self.loader.spot(place))
    }

    fn spot_in_row(&self, place: &Place, label: &Label, steps: &[Step]) -> Option<Spot> {
        self.lent.and_then(|_| self.loader.spot_in_row(place, label, steps))
    }

    fn loader(&mut self) -> Option<&mut dyn FromDocuments> {
        if self.lent.is_some() { self.loader.loader() } else { None }
    }
}
