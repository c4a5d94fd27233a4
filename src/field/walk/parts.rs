//! The parts that a layout function can name in a walk. Each has its counterpart on the [tape that builds](build::Tape).

use core::convert::Infallible;
use std::rc::Rc;

use bytes::Bytes;

use super::super::build;
use super::super::count::Count;
use super::super::error::{Error, Fault, Result};
use super::super::layout::{Item, Record, Shaped};
use super::super::number::Integer;
use super::super::pad::Pad;
use super::super::payload::Payload;
use super::super::place::{Label, Place, Step};
use super::super::referents::Referents;
use super::super::tape::Change;
use super::super::value::Value;
use super::super::visit::{Detail, Group, Run, What};
use super::super::wide::wide;
use super::{Lay, Tape};

/// Declares actions that run only when a model is built.
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
    /// Does nothing: a walk builds no parts.
    build;
    /// Does nothing: a walk reads no file.
    read;
    /// Does nothing: a walk loads no values.
    load;
    /// Does nothing: a walk loads no values.
    follow;
    /// Does nothing: a walk recomputes no values.
    when_recomputing;
    /// Does nothing: a walk recomputes no values.
    when_asked;
}

impl Tape<'_> {
    /// Returns `false`: a walk reads no file.
    #[must_use]
    pub fn reading(&self) -> bool {
        false
    }

    /// Returns `false`: a walk loads no values.
    #[must_use]
    pub fn loading(&self) -> bool {
        false
    }

    /// Does nothing: a walk recomputes no values.
    ///
    /// # Errors
    /// None.
    pub fn recompute<T>(
        &mut self,
        name: &'static str,
        part: &T,
        rule: impl FnOnce(&mut T, &mut build::Tape<'_>) -> Result<Change>,
    ) -> Result {
        let _ = (name, part, rule);
        Ok(())
    }

    /// Returns an error in the exchange format, without a position in the text.
    #[expect(clippy::unused_self, reason = "the tape that builds knows where it is in the text")]
    pub(crate) fn in_exchange(&self, place: Place, fault: Fault) -> Error {
        Error::in_exchange(place, fault)
    }

    /// Returns 0: a walk reads no file.
    #[must_use]
    pub fn remaining(&self) -> u64 {
        0
    }

    /// Returns no bytes: a walk reads no file.
    #[must_use]
    pub fn ahead(&self, length: u64) -> &[u8] {
        let _ = length;
        &[]
    }

    /// Returns no bytes: a walk reads no file.
    ///
    /// # Errors
    /// None.
    pub fn peek(&self, offset: u64, length: u64) -> core::result::Result<Bytes, Fault> {
        let _ = (offset, length);
        Ok(Bytes::new())
    }

    /// Returns `None`: a walk reads no file.
    pub fn seen<T>(&self, see: impl FnOnce(&build::Tape<'_>) -> T) -> Option<T> {
        let _ = see;
        None
    }

    /// Does nothing: the model already contains the part.
    pub fn choose<T>(&self, part: &T, choose: impl FnOnce(&build::Tape<'_>) -> T) {
        let _ = (part, choose);
    }

    /// Checks that a part begins at the offset that its container has noted. It does unless the model was changed and not recomputed.
    ///
    /// # Errors
    /// Returns an error if it begins elsewhere.
    pub fn begins(&self, noted: &u64) -> Result {
        if self.computing() && *noted != self.position() {
            let expected = format!("{noted}; recompute the model after a change");
            return Err(self.error(Fault::Outside { found: self.position().into(), expected }));
        }
        Ok(())
    }

    /// Returns a required part.
    ///
    /// # Errors
    /// Returns an error if it is missing.
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

    /// Does nothing: a walk changes no values.
    pub(crate) fn put<T>(&self, part: &T, now: T) {
        let _ = (part, now);
    }

    /// Returns the default value: a walk reads no file.
    pub(crate) fn take<T: Default>(&self, part: &T) -> T {
        let _ = part;
        T::default()
    }

    /// Visits a number that follows from the model if `says` is given; otherwise it is a value like any other.
    ///
    /// # Errors
    /// Returns an error if it does not match the model, or if the visitor stops.
    pub fn counted<W: Integer>(&mut self, name: &'static str, number: &W, says: Option<u64>) -> Result {
        let what = match says {
            Some(says) => {
                self.computed(name, number, says)?;
                What::Count(W::LEAF)
            }
            None => What::Value(const { &Item::of::<W>() }),
        };
        self.step(Step::Name(name), |t| t.fixed(number, what))
    }

    /// Returns `true` if the visitor needs no places, so that records without deviations can be visited
    /// [in one piece](Self::as_expected).
    pub(crate) fn is_coarse(&self) -> bool {
        self.detail <= Detail::Steps && !self.counts
    }

    /// Returns `true` if the visitor needs neither places nor classes, or if there is none.
    pub(crate) fn wants_bytes_only(&self) -> bool {
        self.detail == Detail::Bytes && !self.judging()
    }

    /// Visits records without deviations in one piece, with their bytes by class; the last part begins `last` bytes in.
    ///
    /// # Errors
    /// Returns an error if the visitor stops.
    pub(crate) fn as_expected(&mut self, bytes: &[u8], census: [usize; 7], last: usize) -> Result {
        if !bytes.is_empty() {
            self.bytes(bytes, What::AsExpected(&census))?;
            self.begun += wide(last);
        }
        Ok(())
    }

    /// Visits zeros up to the next multiple of `of`, counted from `start`, or the bytes that the file contains instead.
    ///
    /// # Errors
    /// Returns an error if the visitor stops.
    pub fn pad(&mut self, name: &'static str, start: u64, of: u64, pad: &Pad) -> Result {
        let wanted = Pad::wanted(self.at, start, of);
        if wanted == 0 {
            return Ok(());
        }
        self.step(Step::Name(name), |t| {
            let what = What::Run(Run::Padding(wanted));
            match pad.zeros(wanted) {
                Some(zeros) => t.bytes(zeros, what),
                None => t.bytes(pad.bytes(wanted).map_err(|fault| t.error(fault))?.bytes(), what),
            }
        })
    }

    /// Walks a list of `count` items.
    ///
    /// # Errors
    /// Returns an error if the model holds a different number of them, or if an item fails.
    pub fn list<T>(
        &mut self,
        name: &'static str,
        count: impl Into<Count>,
        smallest: u64,
        items: &[T],
        each: impl FnMut(&mut Self, &T) -> Result,
    ) -> Result {
        let _ = smallest;
        let count = self.count_of(count, items.len());
        self.nest(Step::Name(name), Group::List, |t| {
            t.count(count, wide(items.len()))?;
            t.items(items, each)
        })
    }

    /// Walks a list that was read while `more` returned `true`.
    ///
    /// # Errors
    /// Returns an error if an item fails.
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
    /// Returns an error if an item fails.
    pub fn each<T>(&mut self, name: &'static str, items: &[T], each: impl FnMut(&mut Self, &T) -> Result) -> Result {
        self.nest(Step::Name(name), Group::List, |t| t.items(items, each))
    }

    /// Walks the items of a list, each created just before it is walked.
    ///
    /// # Errors
    /// Returns an error if an item fails.
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

    /// Walks a list of `count` independent items.
    ///
    /// # Errors
    /// Returns an error if the model holds a different number of them, or if an item fails.
    pub fn list_apart<T>(
        &mut self,
        name: &'static str,
        count: u64,
        smallest: u64,
        items: &[T],
        each: impl Fn(&mut Self, usize, &T) -> Result,
    ) -> Result {
        let mut next = 0..;
        self.list(name, count, smallest, items, |t, item| next.next().map_or(Ok(()), |nth| each(t, nth, item)))
    }

    /// Walks the independent items of a list.
    ///
    /// # Errors
    /// Returns an error if an item fails.
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

    /// Prepares nothing: the model already contains the entries.
    ///
    /// # Errors
    /// None.
    pub(crate) fn prepare<P>(
        &self,
        labels: &[Label],
        recognize: fn(&Label, &Bytes) -> P,
    ) -> Result<Vec<Option<Infallible>>> {
        let _ = recognize;
        Ok(vec![None; labels.len()])
    }

    /// Walks an entry by its payload.
    ///
    /// # Errors
    /// Returns an error if the payload fails.
    pub(crate) fn entry_prepared<P: Payload + Lay>(
        &mut self,
        label: Label,
        length: u64,
        payload: &P,
        recognize: fn(&Label, &Bytes) -> P,
        prepared: Option<Infallible>,
    ) -> Result {
        let _ = (recognize, prepared);
        self.entry(label, length, payload)
    }

    /// Does nothing: a walk prepares no entries.
    ///
    /// # Errors
    /// None.
    pub(crate) fn all_laid(&self, prepared: &[Option<Infallible>]) -> Result {
        let _ = prepared;
        Ok(())
    }

    /// Visits a fact that no byte stores, such as a variant or an order. The exchange format contains it if it differs from the default.
    ///
    /// # Errors
    /// None.
    pub fn fact<T: Shaped + Default + PartialEq>(&mut self, name: &'static str, fact: &T) -> Result {
        if self.detail == Detail::Places
            && let Some(visitor) = &mut self.visitor
            && *fact != T::default()
        {
            visitor.fact(&self.place.with([Step::Name(name)]), T::SHAPE.show(crate::bytes_of(fact)));
        }
        Ok(())
    }

    /// Names a part for people, such as the message of an id.
    pub fn label(&mut self, name: &'static str, label: impl FnOnce() -> Option<Value>) {
        if self.detail == Detail::Places
            && let Some(visitor) = &mut self.visitor
            && visitor.wants_facts()
            && let Some(label) = label()
        {
            visitor.fact(&self.place.with([Step::Name(name)]), label);
        }
    }

    /// Visits parts whose indices refer to these things, or to none with names.
    ///
    /// # Errors
    /// Returns an error if `lay` does.
    pub fn refer_to<T>(
        &mut self,
        referents: impl FnOnce() -> Option<Rc<dyn Referents>>,
        lay: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let wants = self.detail == Detail::Places && self.visitor.as_ref().is_some_and(|it| it.wants_facts());
        let before = if wants { core::mem::replace(&mut self.referents, referents()) } else { None };
        let outcome = lay(self)?;
        self.referents = before;
        Ok(outcome)
    }

    /// Judges what has just been laid out, if the visitor judges: `judge` reports what it finds by [`judged`](Self::judged) and
    /// [`expect`](Self::expect).
    pub fn judge(&mut self, judge: impl FnOnce(&mut Self)) {
        if self.judging() {
            judge(self);
        }
    }

    /// Judges many invariants alike, one by one: `judge` reports each by [`judged`](Self::judged). If all are known to hold, that is
    /// only done for a visitor that counts them.
    pub fn judge_each(&mut self, all_hold: impl FnOnce() -> bool, judge: impl FnOnce(&mut Self)) {
        if self.counts || !all_hold() {
            judge(self);
        }
    }

    /// Reports an invariant at an offset, these steps further in, if the visitor judges; `broken` contains the expected and the
    /// found value if it does not hold.
    pub fn judged(&mut self, offset: u64, steps: &[Step], broken: Option<(Value, Value)>) {
        let Some(visitor) = self.visitor.as_mut().filter(|_| self.judges) else { return };
        match broken {
            Some((expected, found)) => {
                visitor.deviates(&self.place.with(steps.iter().copied()), offset, expected, found);
            }
            None if self.counts => visitor.holds(&self.place.with(steps.iter().copied())),
            None => {}
        }
    }

    /// Reports the expected and the found value if the visitor judges and an invariant over several fields of the last part does
    /// not hold.
    pub fn expect(&mut self, name: &'static str, broken: impl FnOnce() -> Option<(Value, Value)>) {
        if self.judging() {
            self.judged(self.begun, &[Step::Name(name)], broken());
        }
    }

    /// Does nothing: a walk needs no space.
    ///
    /// # Errors
    /// None.
    pub fn room(&self, count: u64, each: u64) -> Result {
        let _ = (count, each);
        Ok(())
    }

    /// Returns what `says` states about an optional part: a walk loads no values.
    #[must_use]
    pub fn exists(&self, name: &str, says: bool) -> bool {
        let _ = name;
        says
    }

    /// Returns `has`: a walk loads no values.
    ///
    /// # Errors
    /// None.
    pub fn given(&self, name: &str, has: usize) -> Result<usize> {
        let _ = name;
        Ok(has)
    }

    /// Does nothing: a walk changes no values.
    pub fn report_replaced_value(&self, place: Place, was: Value, now: Value) {
        let _ = (place, was, now);
    }

    /// Does nothing: a walk changes no records.
    pub fn report_replaced<R: Record>(&self, place: impl FnOnce(&Place) -> Place, was: &R, now: &R) {
        let _ = (place, was, now);
    }

    /// Walks a part of the file that is an entry with its own structure, given by its table.
    ///
    /// # Errors
    /// Returns an error if `lay` does.
    pub fn part(&mut self, label: Label, kind: &'static str, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        self.at_entry(label, Group::Entry { kind, raw: None, is_part: true }, lay)
    }

    /// Walks an entry by its payload if the container, not the content, determines its layout.
    ///
    /// # Errors
    /// Returns an error if `lay` does.
    pub fn entry_by<P: Payload>(
        &mut self,
        label: Label,
        length: u64,
        payload: &P,
        recognize: impl FnOnce(&Label, &Bytes) -> P,
        lay: impl Fn(&P, &mut Self) -> Result,
    ) -> Result {
        let _ = (length, recognize);
        self.at_entry(label, Group::Entry { kind: payload.kind(), raw: payload.raw(), is_part: false }, |t| {
            lay(payload, t)
        })
    }

    /// Walks a part that was read as if the file ended `length` bytes in.
    ///
    /// # Errors
    /// Returns an error if `lay` does.
    pub fn window(&mut self, length: u64, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        let _ = length;
        lay(self)
    }

    fn at_entry<T>(&mut self, label: Label, group: Group, lay: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let told = self.detail >= Detail::Entries;
        // Labels that cost nothing are passed even to a visitor that does not ask for any: then deviations have them without a second walk.
        let is_known = !label.name.is_empty() && !self.place.lacks_labels();
        if !(told || self.detail.steps() && is_known) {
            return self.step(Step::Entry, lay);
        }
        let depth = self.place.steps().len();
        self.place.enter(label);
        let outcome = if told { self.grouped(group, lay)? } else { lay(self)? };
        self.place.truncate(depth);
        Ok(outcome)
    }
}
