//! The tape that builds models: every byte of every format is read through it.
//!
//! A format has one source, [`lay!`](crate::lay), that names its parts in file order. It compiles to the function that builds a model
//! on this tape, and to the one that [walks](super::walk) it. The tape fills the model from a file, or asks a [driver](Driver) about
//! every value: one that loads values from the exchange format, one that recomputes what follows from other parts, or one that
//! replaces parts. What it does is called its mode: read, load, recompute or edit. It tracks the offset and the place, so errors
//! contain both.

pub(super) mod apart;

mod entry;
mod parts;
#[cfg(test)]
mod tests;

use bytemuck::Pod;
use bytes::Bytes;

use super::block::Block;
use super::effort;
use super::error::{Error, Fault, Result};
use super::layout::{Layout, Shaped};
use super::memory::{self, Meter};
use super::number::Integer;
use super::place::{Place, Step};
use super::value::Value;
use super::visit::{Detail, Group, What};
use super::walk;
use super::wide::wide;

use super::driver::{Driver, FromDocuments, Here, Role};

/// A model that can be built on a tape.
pub trait Lay {
    /// Names every part of the model once, in file order.
    ///
    /// # Errors
    /// Returns an error if the bytes do not have this layout, or if the exchange format does not contain such a model.
    fn lay(&mut self, t: &mut Tape<'_>) -> Result;
}

/// A part of a model whose layout depends on values of its container.
pub trait LayBy<By> {
    /// Names every part once, in file order.
    ///
    /// # Errors
    /// Returns an error if [`Lay::lay`] would.
    fn lay_by(&mut self, t: &mut Tape<'_>, by: By) -> Result;
}

/// `&mut` before a part of a model that is built; see [`lay!`](super::lay).
#[doc(hidden)]
#[macro_export]
macro_rules! at_to_build {
    ($life:lifetime $($part:tt)*) => { &$life mut $($part)* };
    ($($part:tt)*) => { &mut $($part)* };
}

/// The position, place and mode of building a model.
pub struct Tape<'t> {
    mode: Mode<'t>,
    /// What it is doing, as the driver has said after the last step.
    role: Role,
    pub(super) detail: Detail,
    pub(super) at: u64,
    pub(super) place: Place,
    containers: usize,
    /// The offset at which the current entry begins.
    entered: u64,
    /// Entries kept as raw bytes so far.
    undecoded: Vec<Undecoded>,
    /// The offset at which the last part began.
    pub(super) begun: u64,
    /// The last record and its offset, which locate its fields for errors.
    pub(super) last: Option<(&'static Layout, u64)>,
    /// The memory of the model that is being filled.
    memory: Meter,
}

enum Mode<'t> {
    Read(Source),
    Drive(&'t mut (dyn Driver + 't)),
}

struct Source {
    file: Bytes,
    /// The end of the part being read.
    end: u64,
}

/// An entry that was recognized but did not decode; it is kept as raw bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Undecoded {
    /// The entry.
    pub entry: Place,
    /// The reason why it did not decode.
    pub error: Error,
}

impl Undecoded {
    /// Returns the approximate memory that it takes, in bytes.
    fn memory(&self) -> u64 {
        wide(size_of::<Self>() + self.entry.memory() + self.error.place().memory()) + 256
    }
}

/// A model read from a file.
#[derive(Clone, Debug)]
pub struct Decoded<M> {
    /// The model.
    pub model: M,
    /// Entries that are kept as raw bytes because they did not decode.
    pub undecoded: Vec<Undecoded>,
}

/// Reads a model from a whole file.
///
/// # Errors
/// Returns an error if the bytes do not have the layout of this model, or if bytes remain.
pub fn decode<M: Lay + Default>(file: impl Into<Bytes>) -> Result<Decoded<M>> {
    decode_within(file, memory::allowed())
}

/// Reads a model from a whole file, with at most this much memory for both.
///
/// # Errors
/// Returns an error if the bytes do not have the layout of this model, if bytes remain, or if the model takes more memory.
pub fn decode_within<M: Lay + Default>(file: impl Into<Bytes>, memory: u64) -> Result<Decoded<M>> {
    let file = file.into();
    // Places are tracked only in a second run after an error: nearly every file needs none.
    if let Ok(decoded) = read(file.clone(), Detail::Entries, memory)
        && decoded.undecoded.is_empty()
    {
        return Ok(decoded);
    }
    // The first model has been dropped: two need not be in memory at once.
    read(file, Detail::Places, memory)
}

fn read<M: Lay + Default>(file: Bytes, detail: Detail, memory: u64) -> Result<Decoded<M>> {
    let end = wide(file.len());
    effort::build();
    let mut model = M::default();
    let mut tape = Tape::new(Mode::Read(Source { file, end }), detail);
    tape.memory = Meter::new(memory, end);
    model.lay(&mut tape)?;
    tape.finish()?;
    // A format that tries another layout when a part fails may have continued without it.
    match tape.memory.refused() {
        None => Ok(Decoded { model, undecoded: tape.undecoded }),
        Some(fault) => Err(tape.error(fault)),
    }
}

/// Reads a part of a model whose bytes were [passed](Tape::pass) when the rest was read.
///
/// # Errors
/// Returns an error if the bytes do not have this layout, or if bytes remain.
pub fn read_part<M: Default>(bytes: Bytes, lay: impl FnOnce(&mut M, &mut Tape<'_>) -> Result) -> Result<M> {
    let end = wide(bytes.len());
    let mut part = M::default();
    let mut tape = Tape::new(Mode::Read(Source { file: bytes, end }), Detail::Entries);
    lay(&mut part, &mut tape)?;
    tape.finish()?;
    Ok(part)
}

/// Lays out a model whose values a driver decides about, with at most this much more memory. Returns the entries that it keeps as raw
/// bytes.
///
/// # Errors
/// Returns an error if the model cannot be laid out, or if the driver does.
pub fn drive<M: Lay + ?Sized>(model: &mut M, driver: &mut dyn Driver, memory: u64) -> Result<Vec<Undecoded>> {
    effort::build();
    let mut tape = Tape::driven(driver);
    tape.memory = Meter::new(memory, 0);
    model.lay(&mut tape)?;
    Ok(tape.undecoded)
}

/// The previous and the current value, or `None` if they do not differ.
pub type Change = Option<(Value, Value)>;

/// Sets a value.
#[must_use]
pub fn change<T: Shaped>(value: &mut T, now: T) -> Change {
    let was = core::mem::replace(value, now);
    let (was, now) = (crate::bytes_of(&was), crate::bytes_of(&now));
    (was != now).then(|| (T::SHAPE.show(was), T::SHAPE.show(now)))
}

impl<'t> Tape<'t> {
    fn new(mode: Mode<'t>, detail: Detail) -> Self {
        let role = if let Mode::Drive(driver) = &mode { driver.role() } else { Role::Read };
        Self {
            mode,
            role,
            detail,
            at: 0,
            place: Place::default(),
            containers: 0,
            entered: 0,
            undecoded: Vec::new(),
            begun: 0,
            last: None,
            memory: Meter::new(u64::MAX, 0),
        }
    }

    /// Creates a tape on which a driver changes a model.
    fn driven(driver: &'t mut (dyn Driver + 't)) -> Self {
        Self::new(Mode::Drive(driver), Detail::Places)
    }

    /// Returns what loads from documents in load mode, with the position of the tape.
    fn loader(&mut self) -> Option<(&mut dyn FromDocuments, Here<'_>)> {
        let (driver, here) = self.driver()?;
        Some((driver.loader()?, here))
    }

    /// Returns the driver, with the position of the tape.
    #[inline]
    fn driver(&mut self) -> Option<(&mut (dyn Driver + 't), Here<'_>)> {
        let Mode::Drive(driver) = &mut self.mode else { return None };
        Some((&mut **driver, Here { at: self.at, place: &self.place, entered: self.entered }))
    }

    /// Returns `true` in read mode, the only one in which the file can be inspected ahead.
    #[must_use]
    pub fn reading(&self) -> bool {
        self.role == Role::Read
    }

    /// Returns `true` in load mode. The exchange format omits counts and lengths that follow from their items: lists and blocks have
    /// the length that they have there.
    #[must_use]
    pub fn loading(&self) -> bool {
        self.role == Role::Load
    }

    /// Returns an error in the exchange format, with its position in the text.
    pub(super) fn in_exchange(&self, place: Place, fault: Fault) -> Error {
        let spot = if let Mode::Drive(driver) = &self.mode { driver.spot(&place) } else { None };
        Error::in_exchange(place, fault).with_spot(spot)
    }

    /// Returns `true` if variants are created: in read and load mode.
    fn building(&self) -> bool {
        self.reading() || self.loading()
    }

    /// Returns `true` if all or part of the last value can come from the exchange format.
    fn loaded(&self) -> bool {
        matches!(self.role, Role::Load | Role::Edit)
    }

    /// Returns `true` in recompute mode, in which lengths and offsets that follow from the sizes of other parts are computed.
    pub(crate) fn computing(&self) -> bool {
        self.role == Role::Recompute
    }

    /// Returns `true` if values that follow from the sizes of other parts are computed.
    pub(super) fn sizing(&self) -> bool {
        self.computing()
    }

    /// Returns `true` if rules of a container must be computed, as in recompute mode.
    pub(crate) fn judging(&self) -> bool {
        matches!(&self.mode, Mode::Drive(driver) if driver.judges())
    }

    /// Returns the number of bytes between the position and the end of the data being read, or 0 if not in read mode.
    #[must_use]
    pub fn remaining(&self) -> u64 {
        if let Mode::Read(source) = &self.mode { source.end.saturating_sub(self.at) } else { 0 }
    }

    /// Returns bytes elsewhere in the data being read, without moving; they are empty if not in read mode.
    ///
    /// # Errors
    /// Returns an error if they are outside the data.
    pub fn peek(&self, offset: u64, length: u64) -> core::result::Result<Bytes, Fault> {
        let bytes = self.look(offset, length)?;
        let Mode::Read(source) = &self.mode else { return Ok(Bytes::new()) };
        Ok(source.file.slice_ref(bytes))
    }

    /// Returns the same bytes as [`peek`](Self::peek), without a share in the file, whose count of shares takes longer than a line of a script.
    ///
    /// # Errors
    /// Returns an error if they are outside the data.
    pub fn look(&self, offset: u64, length: u64) -> core::result::Result<&[u8], Fault> {
        let Mode::Read(source) = &self.mode else { return Ok(&[]) };
        let remain = source.end.saturating_sub(offset);
        slice(&source.file, offset, length, source.end).ok_or(Fault::Ends { count: length, each: 1, remain })
    }

    /// Skips this many bytes in read mode; their contents are read on demand.
    ///
    /// # Errors
    /// Returns an error if fewer remain.
    #[inline]
    pub fn pass(&mut self, length: u64) -> Result {
        self.room(length, 1)?;
        self.begun = self.at;
        self.at += length;
        Ok(())
    }

    /// Lays out a part that is dropped at once, and releases its memory.
    ///
    /// # Errors
    /// Returns an error if `lay` does.
    pub fn for_now(&mut self, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        let taken = self.memory.taken();
        lay(self)?;
        self.memory.release_to(taken);
        Ok(())
    }

    /// Returns the next bytes in read mode, at most this many, without moving.
    #[must_use]
    pub fn ahead(&self, length: u64) -> &[u8] {
        match &self.mode {
            Mode::Read(source) => {
                slice(&source.file, self.at, length.min(self.remaining()), source.end).unwrap_or_default()
            }
            _ => &[],
        }
    }

    /// Sets a count, length or offset to a value that is computed only if it is needed.
    ///
    /// # Errors
    /// Returns an error if the value does not fit the field.
    #[inline]
    pub fn computed_by<W: Integer>(
        &self,
        name: &'static str,
        field: &mut W,
        value: impl FnOnce() -> Result<u64>,
    ) -> Result {
        if self.building() {
            return Ok(());
        }
        let Some(value) = self.sized(value())? else { return Ok(()) };
        if field.wide() == Some(value) {
            return Ok(());
        }
        *field = W::of(value).ok_or_else(|| self.error_in(name, Fault::TooLarge { value, field: W::LEAF.name }))?;
        if let Mode::Drive(driver) = &self.mode {
            driver.fills();
        }
        Ok(())
    }

    /// Returns a value computed from the sizes of other parts, or `None` if one of these cannot be measured yet: it is about to be laid
    /// out, which recomputes it, or reports the error at its place. The next run computes the value again.
    #[expect(clippy::unnecessary_wraps, reason = "a walk returns the error")]
    pub(super) fn sized<T>(&self, value: Result<T>) -> Result<Option<T>> {
        let _ = self;
        Ok(value.ok())
    }

    /// Returns a value that the container computes for a field of the record that is about to be laid out. If it does not fit there,
    /// the record keeps what it stores until values are recomputed.
    ///
    /// # Errors
    /// Returns an error in recompute mode if the value does not fit the field.
    pub fn rule<W: Integer>(&self, name: &'static str, value: u64, stored: W) -> Result<W> {
        match W::of(value) {
            Some(rule) => Ok(rule),
            None if self.computing() => {
                let fault = Fault::TooLarge { value, field: W::LEAF.name };
                Err(self.error_at(self.at, [Step::Name(name)], fault))
            }
            None => Ok(stored),
        }
    }

    /// Does nothing: deviations are reported only by a walk.
    pub fn expect(&self, name: &'static str, broken: impl FnOnce() -> Option<(Value, Value)>) {
        let _ = (name, broken);
    }

    /// Does nothing: deviations are reported only by a walk.
    pub fn judge(&self, judge: impl FnOnce(&mut walk::Tape<'_>)) {
        let _ = judge;
    }

    /// Checks that everything has been read in read mode.
    fn finish(&self) -> Result {
        match self.remaining() {
            0 => Ok(()),
            bytes => Err(self.error(Fault::Surplus { bytes })),
        }
    }

    /// Checks in read mode that `count` items of at least `each` bytes fit in the remaining bytes.
    ///
    /// # Errors
    /// Returns an error if they do not fit.
    pub fn room(&self, count: u64, each: u64) -> Result {
        let remain = self.remaining();
        match count.checked_mul(each) {
            Some(bytes) if bytes <= remain || !self.reading() => Ok(()),
            _ => Err(self.error(Fault::Ends { count, each, remain })),
        }
    }

    /// Returns the result of inspecting the file, or `None` if not in read mode.
    pub fn seen<T>(&self, see: impl FnOnce(&Self) -> T) -> Option<T> {
        self.reading().then(|| see(self))
    }

    /// Chooses a variant for a part in read and load mode.
    pub fn choose<T>(&self, part: &mut T, choose: impl FnOnce(&Self) -> T) {
        if self.building() {
            *part = choose(self);
        }
    }

    /// Records where a part begins, for fields that store its offset. In recompute mode, these must be recomputed if the part has
    /// moved.
    ///
    /// # Errors
    /// Never returns an error.
    pub fn begins(&mut self, noted: &mut u64) -> Result {
        let was = core::mem::replace(noted, self.at);
        if let Some((driver, here)) = self.driver().filter(|(_, here)| here.at != was) {
            driver.moved(here.place, was, here.at);
        }
        Ok(())
    }

    /// Returns a part that must exist, and creates it if it does not.
    ///
    /// # Errors
    /// Returns an error if `make` does.
    pub fn present<'m, T>(
        &self,
        name: &'static str,
        part: &'m mut Option<T>,
        make: impl FnOnce(&Self) -> Result<T>,
    ) -> Result<&'m mut T> {
        let _ = name;
        match part {
            Some(part) => Ok(part),
            None => Ok(part.insert(make(self)?)),
        }
    }

    /// Replaces a part.
    pub(super) fn put<T>(&self, part: &mut T, now: T) {
        *part = now;
    }

    /// Takes the result of reading ahead.
    pub(super) fn take<T: Default>(&self, part: &mut T) -> T {
        core::mem::take(part)
    }

    /// Calls `build` for a part in read and load mode.
    ///
    /// # Errors
    /// Returns an error if `build` does.
    pub fn build<T>(&mut self, part: &mut T, build: impl FnOnce(&mut T, &mut Self) -> Result) -> Result {
        if self.building() { build(part, self) } else { Ok(()) }
    }

    /// Calls `read` for a part in read mode.
    ///
    /// # Errors
    /// Returns an error if `read` does.
    pub fn read<T>(&mut self, part: &mut T, read: impl FnOnce(&mut T, &mut Self) -> Result) -> Result {
        if self.reading() { read(part, self) } else { Ok(()) }
    }

    /// Calls `load` for a part in load mode.
    ///
    /// # Errors
    /// Returns an error if `load` does.
    pub fn load<T>(&mut self, part: &mut T, load: impl FnOnce(&mut T, &mut Self) -> Result) -> Result {
        if self.loading() { load(part, self) } else { Ok(()) }
    }

    /// Calls `follow` to update dependent values if a part has been loaded, alone or with the whole model.
    ///
    /// # Errors
    /// Returns an error if `follow` does.
    pub fn follow<T>(&mut self, part: &mut T, follow: impl FnOnce(&mut T, &mut Self) -> Result) -> Result {
        if self.loaded() { follow(part, self) } else { Ok(()) }
    }

    /// Calls `recompute` for a part in recompute mode, before lengths and offsets are computed.
    ///
    /// # Errors
    /// Returns an error if `recompute` does.
    pub fn when_recomputing<T>(&mut self, part: &mut T, recompute: impl FnOnce(&mut T, &mut Self) -> Result) -> Result {
        if self.computing() { recompute(part, self) } else { Ok(()) }
    }

    /// Calls `recompute` for a part if values are to be recomputed whose rules are otherwise only compared.
    ///
    /// # Errors
    /// Returns an error if `recompute` does.
    pub fn when_asked<T>(&mut self, part: &mut T, recompute: impl FnOnce(&mut T, &mut Self) -> Result) -> Result {
        let is_asked = matches!(&self.mode, Mode::Drive(driver) if driver.recomputes());
        if is_asked { recompute(part, self) } else { Ok(()) }
    }

    /// Recomputes a value of a part by a rule over several fields, if that is wanted. `rule` sets it.
    ///
    /// # Errors
    /// Returns an error if `rule` does.
    pub fn recompute<T>(
        &mut self,
        name: &'static str,
        part: &mut T,
        rule: impl FnOnce(&mut T, &mut Self) -> Result<Change>,
    ) -> Result {
        let wants = self.driver().is_some_and(|(driver, here)| driver.wants(here.place, name));
        if wants
            && let Some((was, now)) = rule(part, self)?
            && let Some((driver, here)) = self.driver()
        {
            driver.recomputed(here.member(name), was, now);
        }
        Ok(())
    }

    /// Fills in the counts, lengths and offsets of a part in recompute mode, before a rule reads its bytes, as a checksum
    /// does.
    ///
    /// # Errors
    /// Returns an error if the model cannot be written.
    pub fn fill_in<M: Lay + ?Sized>(&mut self, model: &mut M) -> Result {
        if !self.driver().is_some_and(|(driver, _)| driver.judge(false)) {
            return Ok(());
        }
        let (at, begun, last) = (self.at, self.begun, self.last);
        model.lay(self)?;
        (self.at, self.begun, self.last) = (at, begun, last);
        self.driver().map(|(driver, _)| driver.judge(true));
        Ok(())
    }

    /// Charges memory that the model is about to take besides the bytes of its file. The tape charges [lists](Self::list) itself.
    ///
    /// # Errors
    /// Returns an error if more memory would be needed than is allowed.
    pub fn charge(&self, bytes: u64) -> Result {
        self.memory.charge(bytes).map_err(|fault| self.error(fault))
    }

    /// Returns this many default items for a list that the format itself walks.
    ///
    /// # Errors
    /// Returns an error if more memory would be needed than is allowed.
    pub fn make<T: Default>(&self, count: usize) -> Result<Vec<T>> {
        self.memory.items(count).map_err(|fault| self.error(fault))
    }

    /// Returns `true` in edit mode. Counts are not checked then, since they are recomputed later.
    fn editing(&self) -> bool {
        self.role == Role::Edit
    }

    /// Checks a number of records against the one that the rest of the model states.
    fn count(&self, expected: u64, found: u64) -> Result {
        if expected == found || self.editing() { Ok(()) } else { Err(self.error(Fault::Count { expected, found })) }
    }

    #[inline]
    pub(super) fn step<T>(&mut self, step: Step, lay: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        // Every call has its own copy of this function, so it has only what a reader needs, and one call of the closure.
        let has_places = self.detail >= Detail::Places;
        if has_places {
            self.begin_step(step)?;
        }
        let outcome = lay(self)?;
        if has_places {
            self.end_step()?;
        }
        Ok(outcome)
    }

    fn begin_step(&mut self, step: Step) -> Result {
        self.place.push(step);
        if let Mode::Drive(driver) = &mut self.mode {
            driver.go(step, &self.place)?;
            self.role = driver.role();
        }
        Ok(())
    }

    fn end_step(&mut self) -> Result {
        if let Mode::Drive(driver) = &mut self.mode {
            driver.back(&self.place)?;
            self.role = driver.role();
        }
        self.place.pop();
        Ok(())
    }

    #[inline]
    pub(super) fn nest<T>(&mut self, step: Step, group: Group, lay: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let _ = group;
        self.step(step, lay)
    }

    /// Lays out a value of fixed size.
    #[inline]
    pub(super) fn fixed<T: Pod>(&mut self, value: &mut T, what: What<'_>) -> Result {
        let bytes = crate::bytes_of_mut(value);
        let length = wide(bytes.len());
        if let Mode::Read(source) = &self.mode
            && let Some(found) = slice(&source.file, self.at, length, source.end)
        {
            bytes.copy_from_slice(found);
        } else {
            match self.driver() {
                Some((driver, here)) => driver.fixed(what, bytes, here)?,
                // What can be read has been read.
                None => return Err(self.error(Fault::Ends { count: 1, each: length, remain: self.remaining() })),
            }
        }
        self.begun = self.at;
        self.at += length;
        Ok(())
    }

    /// Lays out a block.
    #[inline]
    pub(super) fn blob<T: Pod>(&mut self, count: u64, block: &mut Block<T>, what: What<'_>) -> Result {
        let each = wide(size_of::<T>());
        if let Mode::Read(source) = &self.mode
            && let Some(length) = count.checked_mul(each)
            && let Some(bytes) = cut(&source.file, self.at, length, source.end)
        {
            *block = Block::shared(bytes);
            self.begun = self.at;
            self.at += length;
            return Ok(());
        }
        if let Some(bytes) = self.changed_blob((count, wide(block.len()), each), block.bytes(), what)? {
            *block = Block::shared(bytes);
        }
        if let What::Block(item, rules) = what
            && let Some((driver, here)) = self.driver()
            && driver.changes_rows(item, rules.is_some())
        {
            block.edit(|rows| driver.rows(item, rules, bytemuck::must_cast_slice_mut(rows), here));
        }
        self.begun = self.at;
        self.at += wide(block.bytes().len());
        Ok(())
    }

    /// Returns the new bytes of a block of so many items of this size, if the mode changes them as a whole. The block has another number of
    /// items until then.
    fn changed_blob(
        &mut self,
        (count, now, each): (u64, u64, u64),
        bytes: &[u8],
        what: What<'_>,
    ) -> Result<Option<Bytes>> {
        // In read mode, this returns the error.
        self.room(count, each)?;
        if !self.building() {
            self.count(count, now)?;
        }
        self.driver().map_or(Ok(None), |(driver, here)| driver.blob(what, bytes, here))
    }
}

/// Returns a value as one of another type of its size, whose fields and names then describe it.
pub fn recast<As: Pod, T: Pod>(value: &mut T) -> &mut As {
    bytemuck::must_cast_mut(value)
}

fn range(at: u64, length: u64, end: u64) -> Option<core::ops::Range<usize>> {
    let stop = at.checked_add(length).filter(|&stop| stop <= end)?;
    Some(at.try_into().ok()?..stop.try_into().ok()?)
}

fn slice(file: &Bytes, at: u64, length: u64, end: u64) -> Option<&[u8]> {
    file.get(range(at, length, end)?)
}

fn cut(file: &Bytes, at: u64, length: u64, end: u64) -> Option<Bytes> {
    let range = range(at, length, end)?;
    match range.is_empty() {
        true => Some(Bytes::new()),
        false => (range.end <= file.len()).then(|| file.slice(range)),
    }
}
