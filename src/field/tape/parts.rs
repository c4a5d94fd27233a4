//! The parts that a layout function can name: records, values, blocks, strings, raw bytes, lists, groups, facts.

use std::rc::Rc;

use super::super::block::Block;
use super::super::count::Count;
use super::super::driver::{Fact, Given};
use super::super::error::{Fault, Result};
use super::super::hex::quote;
use super::super::layout::{Item, Record, Shaped};
use super::super::number::Integer;
use super::super::pad::Pad;
use super::super::place::{Label, Place, Step};
use super::super::referents::Referents;
use super::super::value::Value;
use super::super::visit::{Group, Run, What};
use super::super::wide::wide;
use super::{Mode, Tape};

impl Tape<'_> {
    /// Lays out a number that follows from the model if `says` is given; otherwise it is a value like any other.
    ///
    /// # Errors
    /// Returns an error if the file ends inside it, if the number does not fit, or if the visitor stops.
    pub fn counted<W: Integer>(&mut self, name: &'static str, number: &mut W, says: Option<u64>) -> Result {
        if let Some(says) = says {
            self.computed(name, number, says)?;
        }
        if let Some((driver, here)) = self.driver() {
            driver.number(name, says, here)?;
        }
        // The exchange format contains the number only if the model does not determine it.
        let what = if says.is_some() || (self.loading() && !self.exists(name, false)) {
            What::Count(W::LEAF)
        } else {
            What::Value(const { &Item::of::<W>() })
        };
        self.step(Step::Name(name), |t| t.fixed(number, what))
    }

    /// Lays out zeros up to the next multiple of `of`, counted from `start`; if the file ends earlier, reads the remaining bytes.
    ///
    /// # Errors
    /// Returns an error if the visitor stops.
    pub fn pad(&mut self, name: &'static str, start: u64, of: u64, pad: &mut Pad) -> Result {
        let wanted = Pad::wanted(self.at, start, of);
        if let Some((driver, here)) = self.driver()
            && let Some(was) = pad.given_up(wanted)
        {
            driver.gives_up(here.member(name), quote(was).into(), format!("{wanted} zeros").into());
        }
        if wanted == 0 && !self.loading() {
            return Ok(());
        }
        self.step(Step::Name(name), |t| {
            if let Some((driver, here)) = t.driver()
                && let Some(given) = driver.pad(here.place)?
            {
                *pad = given;
            }
            if t.reading() {
                let length = wanted.min(t.remaining());
                *pad = if Pad::is_usual(t.ahead(length), wanted) {
                    Pad::default()
                } else {
                    Pad::kept(Block::shared(t.peek(t.at, length).map_err(|fault| t.error(fault))?), wanted)
                };
                return t.pass(length);
            }
            let mut bytes = pad.bytes(wanted).map_err(|fault| t.error(fault))?;
            if t.loading() {
                t.at += wide(bytes.len());
                return Ok(());
            }
            t.blob(wide(bytes.len()), &mut bytes, What::Run(Run::Padding(wanted)))
        })
    }

    /// Lays out a list of `count` items, each at least `smallest` bytes long.
    ///
    /// # Errors
    /// Returns an error if this many do not fit in the remaining bytes, if the model holds a different number, or if an item fails.
    pub fn list<T: Default>(
        &mut self,
        name: &'static str,
        count: impl Into<Count>,
        smallest: u64,
        items: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> Result,
    ) -> Result {
        let count = self.count_of(count, items.len());
        self.nest(Step::Name(name), Group::List, |t| {
            if t.building() {
                let count = t.given_here()?.unwrap_or(count);
                t.room(count, smallest)?;
                items.clear();
                return (0..count).try_for_each(|index| t.item(index, Some(count), items, &mut each));
            }
            t.count(count, wide(items.len()))?;
            t.items(items, each)
        })
    }

    /// Lays out a list that in read mode continues while `more` returns `true`.
    ///
    /// # Errors
    /// Returns an error if an item fails.
    pub fn list_while<T: Default>(
        &mut self,
        name: &'static str,
        more: impl Fn(&Self) -> bool,
        items: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> Result,
    ) -> Result {
        self.nest(Step::Name(name), Group::List, |t| {
            if t.building() {
                items.clear();
                let (mut index, given) = (0, t.given_here()?);
                while given.map_or_else(|| more(t), |given| index < given) {
                    t.item(index, given, items, &mut each)?;
                    index += 1;
                }
                return Ok(());
            }
            t.items(items, each)
        })
    }

    /// Lays out the items of an existing list, in read mode too.
    ///
    /// # Errors
    /// Returns an error if `each` does.
    pub fn each<T>(
        &mut self,
        name: &'static str,
        items: &mut [T],
        each: impl FnMut(&mut Self, &mut T) -> Result,
    ) -> Result {
        self.nest(Step::Name(name), Group::List, |t| {
            t.all_given(items.len())?;
            t.items(items, each)
        })
    }

    /// Returns nothing: a model that is read, edited or recomputed may differ from its file.
    pub fn fresh(&self, _: u64) -> Option<&[u8]> {
        None
    }

    /// Lays out a fact that no byte of the file stores: a variant, an order. The exchange format contains it unless it is the default.
    ///
    /// # Errors
    /// Returns an error if the exchange format has a value of another type there.
    pub fn fact<T: Shaped + Default + PartialEq>(&mut self, name: &'static str, fact: &mut T) -> Result {
        if self.detail < super::Detail::Places {
            return Ok(());
        }
        let Some((driver, here)) = self.driver() else { return Ok(()) };
        let is_default = *fact == T::default();
        let bytes = crate::bytes_of_mut(fact);
        if driver.fact(&mut Fact { name, shape: &T::SHAPE, bytes, is_default }, here)? == Given::Absent {
            *fact = T::default();
        }
        Ok(())
    }

    /// Names a part for people, such as the message of an id. Nothing is stored for it: if the exchange format states another name,
    /// the one that follows from the model replaces it, and that is reported.
    pub fn label(&mut self, name: &'static str, label: impl FnOnce() -> Option<Value>) {
        if self.detail < super::Detail::Places {
            return;
        }
        if let Some((driver, here)) = self.driver() {
            let mut label = Some(label);
            driver.label(name, here, &mut || label.take().and_then(|label| label()));
        }
    }

    /// Lays out parts whose indices refer to these things, or to none with names.
    ///
    /// # Errors
    /// Returns an error if `lay` does.
    pub fn refer_to<T>(
        &mut self,
        referents: impl FnOnce() -> Option<Rc<dyn Referents>>,
        lay: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let mut referents = Some(referents);
        let mut refer = || referents.take().and_then(|referents| referents());
        let before = self.driver().and_then(|(driver, _)| driver.refer_to(&mut refer));
        let outcome = lay(self)?;
        if let Some((driver, _)) = self.driver() {
            driver.refer_again(before);
        }
        Ok(outcome)
    }

    /// Reports, in load and recompute mode, the changes that a format itself has made to a record so that it can be written.
    pub fn report_replaced<R: Record>(&mut self, place: impl FnOnce(&Place) -> Place, was: &R, now: &R) {
        let (was, now) = (crate::bytes_of(was), crate::bytes_of(now));
        if was == now || !(self.loading() || self.computing()) {
            return;
        }
        let place = place(&self.place);
        for field in R::LAYOUT.fields {
            if let (Some(was), Some(now)) = (field.of(was), field.of(now)) {
                let place = place.with([Step::Name(field.name)]);
                self.report_replaced_value(place, field.shape.show(was), field.shape.show(now));
            }
        }
    }

    /// Reports such a change of any value that can be shown.
    pub fn report_replaced_value(&mut self, place: Place, was: Value, now: Value) {
        if let Some((driver, here)) = self.driver().filter(|_| was != now) {
            driver.change((place, here.entered), was, now);
        }
    }

    /// Returns `true` if an optional part exists: in load mode, if the exchange format has a member with this name here, otherwise what
    /// `says` states.
    #[must_use]
    pub fn exists(&self, name: &str, says: bool) -> bool {
        match &self.mode {
            Mode::Drive(driver) if self.loading() => driver.has(name),
            _ => says,
        }
    }

    /// Returns `true` in load mode if the exchange format has a file for an entry.
    ///
    /// # Errors
    /// Returns an error if the description of the entry has duplicate names.
    pub(crate) fn has_entry(&mut self, label: &Label) -> Result<bool> {
        self.loader().map_or(Ok(false), |(loader, here)| loader.has_entry(label, here.place))
    }

    /// Returns the number of items of a list here: in load mode what the exchange format has under this name, otherwise `has`.
    ///
    /// # Errors
    /// Returns an error if there are duplicate names here.
    pub fn given(&mut self, name: &str, has: usize) -> Result<usize> {
        let is_loading = self.loading();
        self.driver().filter(|_| is_loading).map_or(Ok(has), |(driver, here)| driver.items(name, here.place))
    }

    /// Returns in load mode the whole number that the exchange format has under this name here, which is still to be laid out.
    ///
    /// # Errors
    /// Returns an error if there are duplicate names here.
    pub fn given_number(&mut self, name: &str) -> Result<Option<u64>> {
        let is_loading = self.loading();
        self.driver().filter(|_| is_loading).map_or(Ok(None), |(driver, here)| driver.whole(name, here.place))
    }

    /// Returns the number of items in the current list, 0 if there is no list, or `None` if not in load mode.
    fn given_here(&mut self) -> Result<Option<u64>> {
        Ok(if self.loading() { Some(wide(self.items_here()?.unwrap_or_default())) } else { None })
    }

    /// Checks that the exchange format has this many items in the current list, if any: it may have been laid out before.
    pub(super) fn all_given(&mut self, items: usize) -> Result {
        match self.items_here()? {
            Some(found) if found != items => {
                Err(self.error(Fault::Count { expected: wide(items), found: wide(found) }))
            }
            _ => Ok(()),
        }
    }

    /// Returns the number of items in the current list, or `None` if there is no list or if not in load mode.
    pub(super) fn items_here(&mut self) -> Result<Option<usize>> {
        self.driver().map_or(Ok(None), |(driver, here)| driver.items_here(here.place))
    }

    /// Reads one more item of a list, whose final `count` may be known.
    fn item<T: Default>(
        &mut self,
        index: u64,
        count: Option<u64>,
        items: &mut Vec<T>,
        each: &mut impl FnMut(&mut Self, &mut T) -> Result,
    ) -> Result {
        let count = count.and_then(|count| usize::try_from(count).ok());
        self.memory.grow(items, count).map_err(|fault| self.error(fault))?;
        // Filled in place, since an item can be large.
        items.push(T::default());
        match items.last_mut() {
            Some(item) => self.step(Step::Index(index), |t| each(t, item)),
            None => Ok(()),
        }
    }
}
