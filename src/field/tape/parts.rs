//! What a lay can name: records, values, blocks, texts, raw bytes, lists, groups, facts.

use super::super::block::Block;
use super::super::error::{Fault, Result};
use super::super::json::Json;
use super::super::layout::{Item, Record, Shaped};
use super::super::number::Whole;
use super::super::pad::Pad;
use super::super::place::{Label, Place, Step};
use super::super::raw::quote;
use super::super::visit::{Group, Run, What};
use super::{Mode, Tape, wide};

impl Tape<'_> {
    /// Lays a record by another layout of its size, `As`.
    ///
    /// # Errors
    /// When the file ends inside it, or the visitor stops.
    pub fn fields_as<As: Record, R: Record>(&mut self, record: &mut R) -> Result {
        self.fields(bytemuck::must_cast_mut::<R, As>(record))
    }

    /// Lays one value by another shape of its size, `As`.
    ///
    /// # Errors
    /// When the file ends inside it, or the visitor stops.
    pub fn value_as<As: Shaped, T: Shaped>(&mut self, name: &'static str, value: &mut T) -> Result {
        self.value(name, bytemuck::must_cast_mut::<T, As>(value))
    }

    /// Lays a number that only says what the model says, where it does; elsewhere it is a value like any other.
    ///
    /// # Errors
    /// When the file ends inside it, what the model says does not fit it, or the visitor stops.
    pub fn counted<W: Whole>(&mut self, name: &'static str, number: &mut W, says: Option<u64>) -> Result {
        if let Some(says) = says {
            self.fill(name, number, says)?;
        }
        match (&mut self.mode, says) {
            // What is not loaded yet may say the number once it is: then both have to agree.
            (Mode::Load(loader), None) => {
                loader.claim(name, self.at).map_err(|misfit| loader.error(misfit, &self.place))?;
            }
            (Mode::Settle(settler), Some(says)) => settler.remark(name, self.at, &self.place, || Some(says.into())),
            _ => {}
        }
        // The exchange form has the number only where it says more than the model.
        let what = if says.is_some() || (self.loading() && !self.is_given(name)) {
            What::Count(W::LEAF)
        } else {
            What::Value(const { &Item::of::<W>() })
        };
        self.step(Step::Name(name), |t| t.fixed(number, what))
    }

    /// Lays raw bytes.
    ///
    /// # Errors
    /// When fewer remain in the file, or the model holds another number of them.
    pub fn run(&mut self, name: &'static str, run: Run, length: u64, bytes: &mut Block) -> Result {
        self.step(Step::Name(name), |t| {
            // What is not there is not told: a gap of no bytes is no gap.
            let nothing = length == 0 && bytes.is_empty() && !matches!(run, Run::Overlap(1..));
            if nothing && !t.loading() { Ok(()) } else { t.blob(length, bytes, What::Run(run)) }
        })
    }

    /// Lays zeros up to the next multiple of `of`, counted from `start`; in a file that ends before, what is there.
    ///
    /// # Errors
    /// When the visitor stops.
    pub fn pad(&mut self, name: &'static str, start: u64, of: u64, pad: &mut Pad) -> Result {
        let wanted = Pad::wanted(self.at, start, of);
        if let Mode::Settle(settler) = &mut self.mode
            && let Some(was) = pad.given_up(wanted)
        {
            settler.tell(self.place.with([Step::Name(name)]), quote(was).into(), format!("{wanted} zeros").into());
        }
        if wanted == 0 && !self.loading() {
            return Ok(());
        }
        self.step(Step::Name(name), |t| {
            if let Mode::Load(loader) = &mut t.mode {
                *pad = loader.pad().map_err(|misfit| loader.error(misfit, &t.place))?;
            }
            let bytes = if t.reading() { Ok(Block::default()) } else { pad.bytes(wanted) };
            let mut bytes = bytes.map_err(|fault| t.error(fault))?;
            if t.loading() {
                t.at = t.at.saturating_add(wide(bytes.len()));
                return Ok(());
            }
            let length = if t.reading() { wanted.min(t.remaining()) } else { wide(bytes.len()) };
            t.blob(length, &mut bytes, What::Run(Run::Padding(wanted)))?;
            if t.reading() {
                *pad = Pad::read(bytes, wanted);
            }
            Ok(())
        })
    }

    /// Lays a list of `count` items, each at least `smallest` bytes long.
    ///
    /// # Errors
    /// When so many cannot lie in what remains, or the model holds another number of them, or an item fails.
    pub fn list<T: Default>(
        &mut self,
        name: &'static str,
        count: u64,
        smallest: u64,
        items: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> Result,
    ) -> Result {
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

    /// Lays a list that goes on as long as `more` says in read mode.
    ///
    /// # Errors
    /// When an item fails.
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

    /// Lays the items of a list that is there already, in read mode too.
    ///
    /// # Errors
    /// Those of `each`.
    pub fn each<T>(
        &mut self,
        name: &'static str,
        items: &mut [T],
        each: impl FnMut(&mut Self, &mut T) -> Result,
    ) -> Result {
        self.nest(Step::Name(name), Group::List, |t| {
            // Where the list has been laid before, nothing may be left of it.
            if let Some(given) = t.items_here()?
                && given != items.len()
            {
                return Err(t.error(Fault::Count { expected: wide(items.len()), found: wide(given) }));
            }
            t.items(items, each)
        })
    }

    /// Lays something that no byte of the file tells: a variant, an order. The exchange form has it where it is not as usual.
    ///
    /// # Errors
    /// When the exchange form has something else there.
    pub fn fact<T: Shaped + Default + PartialEq>(&mut self, name: &'static str, fact: &mut T) -> Result {
        if self.detail < super::Detail::Places {
            return Ok(());
        }
        match &mut self.mode {
            Mode::Load(loader) => {
                let place = || self.place.with([Step::Name(name)]);
                let said = loader.fact(name, self.entered, place);
                *fact = said.map_err(|misfit| loader.error(misfit, &place()))?.unwrap_or_default();
            }
            Mode::Edit(editor) if *fact != T::default() => {
                let place = self.place.with([Step::Name(name)]);
                editor.fact(self.entered, place, T::SHAPE.show(bytemuck::bytes_of(fact)));
            }
            Mode::Settle(settler) if settler.knows_facts() => {
                let place = self.place.with([Step::Name(name)]);
                settler.fact(self.entered, place, T::SHAPE.show(bytemuck::bytes_of(fact)));
            }
            _ => {}
        }
        Ok(())
    }

    /// Says something for people beside a field, as the name that an index stands for. What packs the exchange form
    /// again refuses a remark that is no longer true.
    pub fn remark(&mut self, name: &'static str, remark: impl FnOnce() -> Option<Json>) {
        if self.detail < super::Detail::Places {
            return;
        }
        match &mut self.mode {
            Mode::Load(loader) => loader.remark(name, self.at),
            Mode::Settle(settler) => settler.remark(name, self.at, &self.place, remark),
            _ => {}
        }
    }

    /// In load and settle mode, says of a record what a format itself has made of it, so that it can be written.
    pub fn tell<R: Record>(&mut self, place: impl FnOnce(&Place) -> Place, was: &R, now: &R) {
        let (was, now) = (bytemuck::bytes_of(was), bytemuck::bytes_of(now));
        if was == now || !(self.loading() || self.filling()) {
            return;
        }
        let place = place(&self.place);
        for field in R::LAYOUT.fields {
            if let (Some(was), Some(now)) = (field.of(was), field.of(now)) {
                let place = place.with([Step::Name(field.name)]);
                self.tell_value(place, field.shape.show(was), field.shape.show(now));
            }
        }
    }

    /// The same of anything that can be shown.
    pub fn tell_value(&mut self, place: Place, was: Json, now: Json) {
        match &mut self.mode {
            _ if was == now => {}
            Mode::Load(loader) => loader.tell(place, was, now),
            Mode::Settle(settler) => settler.change(place, was, now),
            _ => {}
        }
    }

    /// In load mode, whether the exchange form has something of this name here.
    #[must_use]
    pub fn is_given(&self, name: &str) -> bool {
        if let Mode::Load(loader) = &self.mode { loader.has(name) } else { false }
    }

    /// In load mode, whether the exchange form has a file for an entry.
    ///
    /// # Errors
    /// When a name stands twice where it is said.
    pub fn has_entry(&mut self, label: &Label) -> Result<bool> {
        let Mode::Load(loader) = &mut self.mode else { return Ok(false) };
        loader.has_entry(label).map_err(|misfit| loader.error(misfit, &self.place))
    }

    /// In load mode, how many items the exchange form has in a list of this name here.
    ///
    /// # Errors
    /// When a name stands here twice.
    pub fn given(&mut self, name: &str) -> Result<usize> {
        let Mode::Load(loader) = &mut self.mode else { return Ok(0) };
        loader.items(name).map_err(|misfit| loader.error(misfit, &self.place))
    }

    /// In load mode, how many items the list has that is being laid; 0 where there is none.
    fn given_here(&mut self) -> Result<Option<u64>> {
        Ok(if self.loading() { Some(wide(self.items_here()?.unwrap_or_default())) } else { None })
    }

    /// In load mode, how many items the list has that is being laid; nothing where there is none.
    pub(super) fn items_here(&mut self) -> Result<Option<usize>> {
        let Mode::Load(loader) = &mut self.mode else { return Ok(None) };
        loader.items_here().map_err(|misfit| loader.error(misfit, &self.place))
    }

    /// Reads one more item of a list that will have `count` if that is known.
    fn item<T: Default>(
        &mut self,
        index: u64,
        count: Option<u64>,
        items: &mut Vec<T>,
        each: &mut impl FnMut(&mut Self, &mut T) -> Result,
    ) -> Result {
        let count = count.and_then(|count| usize::try_from(count).ok());
        self.memory.grow(items, count).map_err(|fault| self.error(fault))?;
        // Filled where it stays, for an item can be large.
        items.push(T::default());
        match items.last_mut() {
            Some(item) => self.step(Step::Index(index), |t| each(t, item)),
            None => Ok(()),
        }
    }
}
