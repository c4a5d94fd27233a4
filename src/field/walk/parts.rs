//! What a structure can name while it is walked. Each has its twin on the tape that builds, which says more of it.

use core::convert::Infallible;

use bytes::Bytes;

use super::super::block::Block;
use super::super::build;
use super::super::error::{Error, Fault, Result};
use super::super::json::Json;
use super::super::layout::{Item, Record, Shaped};
use super::super::number::Whole;
use super::super::pad::Pad;
use super::super::place::{Label, Place, Step};
use super::super::visit::{Detail, Group, Payload, Run, What};
use super::{Lay, Tape, wide};

/// Declares what is only done to a model that is built.
macro_rules! left_out {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        impl Tape<'_> {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// None.
                pub fn $name<T>(&self, part: &T, act: impl FnOnce(&mut T, &mut build::Tape<'_>) -> Result) -> Result {
                    let _ = (part, act);
                    Ok(())
                }
            )*
        }
    };
}

left_out! {
    /// Nothing is made.
    build;
    /// Nothing is read.
    read;
    /// Nothing is loaded.
    load;
    /// Nothing has been loaded.
    follow;
    /// Nothing is settled.
    settle;
}

impl Tape<'_> {
    /// Nothing is read where a model is walked.
    #[must_use]
    pub fn reading(&self) -> bool {
        false
    }

    /// Nothing is loaded where a model is walked.
    #[must_use]
    pub fn loading(&self) -> bool {
        false
    }

    /// Nothing is loaded where a model is walked.
    #[expect(clippy::unused_self, reason = "the tape that builds knows where it is in the text")]
    pub(in crate::field) fn in_exchange(&self, place: Place, fault: Fault) -> Error {
        Error::in_exchange(place, fault)
    }

    /// Nothing is built where a model is walked.
    #[must_use]
    pub fn building(&self) -> bool {
        false
    }

    /// Whether entries need labels.
    #[must_use]
    pub fn labelling(&self) -> bool {
        self.detail >= Detail::Entries
    }

    /// Nothing remains to be read.
    #[must_use]
    pub fn remaining(&self) -> u64 {
        0
    }

    /// There is nothing to look at ahead.
    #[must_use]
    pub fn ahead(&self, length: u64) -> &[u8] {
        let _ = length;
        &[]
    }

    /// There is nothing to look at elsewhere.
    ///
    /// # Errors
    /// None.
    pub fn peek(&self, offset: u64, length: u64) -> core::result::Result<Bytes, Fault> {
        let _ = (offset, length);
        Ok(Bytes::new())
    }

    /// What the model says.
    #[must_use]
    pub fn told<T>(&self, file: T, model: T) -> T {
        let _ = file;
        model
    }

    /// There is no file to look at.
    pub fn seen<T>(&self, see: impl FnOnce(&build::Tape<'_>) -> T) -> Option<T> {
        let _ = see;
        None
    }

    /// Nothing is chosen: it is there.
    pub fn choose<T>(&self, part: &T, choose: impl FnOnce() -> T) {
        let _ = (part, choose);
    }

    /// Makes sure that a part begins where its container has noted. It does unless the model was changed and not settled.
    ///
    /// # Errors
    /// When it begins elsewhere.
    pub fn begins(&self, noted: &u64) -> Result {
        if self.filling() && *noted != self.position() {
            let expected = format!("{noted}; recompute the model after a change");
            return Err(self.error(Fault::Outside { found: self.position().into(), expected }));
        }
        Ok(())
    }

    /// Returns a part that has to be there.
    ///
    /// # Errors
    /// When it is not.
    pub fn present<'m, T>(
        &self,
        name: &'static str,
        part: &'m Option<T>,
        make: impl FnOnce(&build::Tape<'_>) -> Result<T>,
    ) -> Result<&'m T> {
        let _ = make;
        let missing = || Fault::Unknown { found: "nothing".to_owned(), expected: "a value".to_owned() };
        part.as_ref().ok_or_else(|| self.error_in(name, missing()))
    }

    /// Nothing was found by reading ahead.
    pub fn take<T: Default>(&self, part: &T) -> T {
        let _ = part;
        T::default()
    }

    /// Tells a record by another layout of its size, `As`.
    ///
    /// # Errors
    /// When the visitor stops.
    pub fn fields_as<As: Record, R: Record>(&mut self, record: &R) -> Result {
        self.fields(bytemuck::must_cast_ref::<R, As>(record))
    }

    /// Tells one value by another shape of its size, `As`.
    ///
    /// # Errors
    /// When the visitor stops.
    pub fn value_as<As: Shaped, T: Shaped>(&mut self, name: &'static str, value: &T) -> Result {
        self.value(name, bytemuck::must_cast_ref::<T, As>(value))
    }

    /// Tells a number that only says what the model says, where it does; elsewhere it is a value like any other.
    ///
    /// # Errors
    /// When it says something else than the model, or the visitor stops.
    pub fn counted<W: Whole>(&mut self, name: &'static str, number: &W, says: Option<u64>) -> Result {
        let what = match says {
            Some(says) => {
                self.fill(name, number, says)?;
                What::Count(W::LEAF)
            }
            None => What::Value(const { &Item::of::<W>() }),
        };
        self.step(Step::Name(name), |t| t.fixed(number, what))
    }

    /// Tells raw bytes.
    ///
    /// # Errors
    /// When the model holds another number of them, or the visitor stops.
    pub fn run(&mut self, name: &'static str, run: Run, length: u64, bytes: &Block) -> Result {
        // What is not there is not told: a gap of no bytes is no gap.
        if length == 0 && bytes.is_empty() && !matches!(run, Run::Overlap(1..)) {
            return Ok(());
        }
        self.step(Step::Name(name), |t| t.blob(length, bytes, What::Run(run)))
    }

    /// Whether the visitor wants no places, so that records that hold all that is expected can be told [as one](Self::as_expected).
    pub(crate) fn is_coarse(&self) -> bool {
        self.detail <= Detail::Steps && !self.counts
    }

    /// Tells records that hold all that is expected as one, with their bytes by class; `last` bytes in, the last part begins.
    ///
    /// # Errors
    /// Returns an error if the visitor stops.
    pub(crate) fn as_expected(&mut self, bytes: &[u8], census: [usize; 7], last: usize) -> Result {
        if !bytes.is_empty() {
            self.bytes(bytes, What::AsExpected(census))?;
            self.begun = self.begun.saturating_add(wide(last));
        }
        Ok(())
    }

    /// Tells zeros up to the next multiple of `of`, counted from `start`, or what a file has instead.
    ///
    /// # Errors
    /// When the visitor stops.
    pub fn pad(&mut self, name: &'static str, start: u64, of: u64, pad: &Pad) -> Result {
        let wanted = Pad::wanted(self.at, start, of);
        if wanted == 0 {
            return Ok(());
        }
        self.step(Step::Name(name), |t| {
            let bytes = pad.bytes(wanted).map_err(|fault| t.error(fault))?;
            t.bytes(bytes.bytes(), What::Run(Run::Padding(wanted)))
        })
    }

    /// Walks a list of `count` items.
    ///
    /// # Errors
    /// When the model holds another number of them, or an item fails.
    pub fn list<T>(
        &mut self,
        name: &'static str,
        count: u64,
        smallest: u64,
        items: &[T],
        each: impl FnMut(&mut Self, &T) -> Result,
    ) -> Result {
        let _ = smallest;
        self.nest(Step::Name(name), Group::List, |t| {
            t.count(count, wide(items.len()))?;
            t.items(items, each)
        })
    }

    /// Walks a list that was read for as long as `more` said.
    ///
    /// # Errors
    /// When an item fails.
    pub fn list_while<T>(
        &mut self,
        name: &'static str,
        more: impl Fn(&build::Tape<'_>) -> bool,
        items: &[T],
        each: impl FnMut(&mut Self, &T) -> Result,
    ) -> Result {
        let _ = more;
        self.each(name, items, each)
    }

    /// Walks the items of a list.
    ///
    /// # Errors
    /// Those of `each`.
    pub fn each<T>(&mut self, name: &'static str, items: &[T], each: impl FnMut(&mut Self, &T) -> Result) -> Result {
        self.nest(Step::Name(name), Group::List, |t| t.items(items, each))
    }

    /// Walks the items of a list, each of which is made when it is walked.
    ///
    /// # Errors
    /// Those of `each`.
    pub(crate) fn each_made<T>(
        &mut self,
        name: &'static str,
        items: impl Iterator<Item = T>,
        mut each: impl FnMut(&mut Self, &T) -> Result,
    ) -> Result {
        self.nest(Step::Name(name), Group::List, |t| {
            (0..).zip(items).try_for_each(|(index, item)| t.nest(Step::Index(index), Group::Object, |t| each(t, &item)))
        })
    }

    /// Walks a list of `count` items that need nothing of each other.
    ///
    /// # Errors
    /// When the model holds another number of them, or an item fails.
    pub fn list_apart<T>(
        &mut self,
        name: &'static str,
        count: u64,
        smallest: u64,
        items: &[T],
        each: impl Fn(&mut Self, usize, &T) -> Result,
    ) -> Result {
        let mut nth = 0..;
        self.list(name, count, smallest, items, |t, item| each(t, nth.next().unwrap_or_default(), item))
    }

    /// Walks the items of a list that need nothing of each other.
    ///
    /// # Errors
    /// Those of `each`.
    pub fn each_apart<T>(
        &mut self,
        name: &'static str,
        items: &[T],
        each: impl Fn(&mut Self, &T) -> Result,
        moved: impl Fn(&mut T, u64),
    ) -> Result {
        let _ = moved;
        self.each(name, items, each)
    }

    /// Nothing is prepared: it is there.
    ///
    /// # Errors
    /// None.
    pub fn prepare(&self, labels: &[Label]) -> Result<Vec<Option<Infallible>>> {
        Ok(vec![None; labels.len()])
    }

    /// Walks an entry by its payload.
    ///
    /// # Errors
    /// Those of the payload.
    pub fn entry_prepared<P: Payload + Lay>(
        &mut self,
        label: Label,
        length: u64,
        payload: &P,
        prepared: Option<Infallible>,
    ) -> Result {
        let _ = prepared;
        self.entry(label, length, payload)
    }

    /// Nothing was prepared.
    ///
    /// # Errors
    /// None.
    pub fn all_laid(&self, prepared: &[Option<Infallible>]) -> Result {
        let _ = prepared;
        Ok(())
    }

    /// Tells something that no byte tells: a variant, an order. The exchange form has it where it is not as usual.
    ///
    /// # Errors
    /// None.
    pub fn fact<T: Shaped + Default + PartialEq>(&mut self, name: &'static str, fact: &T) -> Result {
        if self.detail == Detail::Places
            && let Some(visitor) = &mut self.visitor
            && *fact != T::default()
        {
            visitor.fact(&self.place.with([Step::Name(name)]), T::SHAPE.show(bytemuck::bytes_of(fact)));
        }
        Ok(())
    }

    /// Says something for people beside a field, as the name that an index stands for.
    pub fn remark(&mut self, name: &'static str, remark: impl FnOnce() -> Option<Json>) {
        if self.detail == Detail::Places
            && let Some(visitor) = &mut self.visitor
            && visitor.wants_facts()
            && let Some(remark) = remark()
        {
            visitor.fact(&self.place.with([Step::Name(name)]), remark);
        }
    }

    /// Where the visitor judges, reports whether an invariant holds at an offset, so many steps in from here: what is
    /// expected and found if it does not.
    pub fn judged(&mut self, offset: u64, steps: &[Step], broken: Option<(Json, Json)>) {
        let Some(visitor) = self.visitor.as_mut().filter(|_| self.judges) else { return };
        match broken {
            Some((expected, found)) => {
                visitor.deviates(&self.place.with(steps.iter().copied()), offset, expected, found);
            }
            None if self.counts => visitor.holds(&self.place.with(steps.iter().copied())),
            None => {}
        }
    }

    /// Where the visitor judges, reports what is expected and found when an invariant that no field has alone does not
    /// hold in the part laid last.
    pub fn expect(&mut self, name: &'static str, broken: impl FnOnce() -> Option<(Json, Json)>) {
        if self.judging() {
            self.judged(self.begun, &[Step::Name(name)], broken());
        }
    }

    /// There is room for anything.
    ///
    /// # Errors
    /// None.
    pub fn room(&self, count: u64, each: u64) -> Result {
        let _ = (count, each);
        Ok(())
    }

    /// Nothing is given.
    #[must_use]
    pub fn is_given(&self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// Nothing was changed.
    pub fn tell_value(&self, place: Place, was: Json, now: Json) {
        let _ = (place, was, now);
    }

    /// Nothing was made of a record.
    pub fn tell<R: Record>(&self, place: impl FnOnce(&Place) -> Place, was: &R, now: &R) {
        let _ = (place, was, now);
    }

    /// Walks a part of the file that is an entry with a structure of its own, known by its table.
    ///
    /// # Errors
    /// Those of `lay`.
    pub fn part(&mut self, label: Label, kind: &'static str, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        self.at_entry(label, Group::Entry { kind, raw: None }, lay)
    }

    /// Walks an entry by its payload, where the container knows better than the content how it is laid.
    ///
    /// # Errors
    /// Those of `lay`.
    pub fn entry_by<P: Payload>(
        &mut self,
        label: Label,
        length: u64,
        payload: &P,
        recognise: impl FnOnce(&Label, &Bytes) -> P,
        lay: impl Fn(&P, &mut Self) -> Result,
    ) -> Result {
        let _ = (length, recognise);
        self.at_entry(label, Group::Entry { kind: payload.kind(), raw: payload.raw() }, |t| lay(payload, t))
    }

    /// Walks what was read with `length` bytes as all there was.
    ///
    /// # Errors
    /// Those of `lay`.
    pub fn window(&mut self, length: u64, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        let _ = length;
        lay(self)
    }

    fn at_entry<T>(&mut self, label: Label, group: Group, lay: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.detail < Detail::Entries {
            return self.step(Step::Entry, lay);
        }
        let depth = self.place.steps().len();
        self.place.enter(label);
        let outcome = self.grouped(group, lay)?;
        self.place.truncate(depth);
        Ok(outcome)
    }
}
