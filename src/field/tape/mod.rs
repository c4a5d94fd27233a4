//! The tape that builds: the one place through which every byte of every format is read.
//!
//! A format has one text, [`lay!`](crate::lay), that names its parts in file order; from it come the function that builds a
//! model on this tape, and the one that [walks](super::walk) it. In read mode the tape fills the model from a file, in load
//! mode from its exchange form; settling makes values that rules of a container give say what they should; in edit mode parts of a
//! model are loaded anew. The tape knows position and place, so errors say both.

mod apart;
mod edit;
mod entry;
mod load;
mod parts;
mod settle;
#[cfg(test)]
mod tests;

use bytemuck::Pod;
use bytes::Bytes;

use super::block::Block;
use super::error::{Error, Fault, Result};
use super::json::Json;
use super::layout::Layout;
use super::memory::{self, Meter};
use super::number::Whole;
use super::place::{Place, Step};
use super::visit::{Detail, Group, What};

pub use apart::Prepared;
pub(crate) use edit::Entries;
pub use edit::{Deviating, Piece, Which, counts, edit};
pub use load::{Amiss, Content, Document, Documents, Given, Media, NoFiles, load, load_text};
pub use settle::{Settlement, Told, encode_edited, fill_in, settle};

/// A model that can be built on a tape.
pub trait Lay {
    /// Names every part of the model once, in file order.
    ///
    /// # Errors
    /// When the bytes cannot be laid out so, or the exchange form does not say such a model.
    fn lay(&mut self, t: &mut Tape<'_>) -> Result;
}

/// A part of a model that is laid with what its container says of it.
pub trait LayBy<By> {
    /// Names every part once, in file order.
    ///
    /// # Errors
    /// Those of [`Lay::lay`].
    fn lay_by(&mut self, t: &mut Tape<'_>, by: By) -> Result;
}

/// `&mut` before a part of a model that is built; see [`lay!`](super::lay).
#[doc(hidden)]
#[macro_export]
macro_rules! at_to_build {
    ($life:lifetime $($part:tt)*) => { &$life mut $($part)* };
    ($($part:tt)*) => { &mut $($part)* };
}

/// Position, place and mode of a lay.
pub struct Tape<'t> {
    mode: Mode<'t>,
    pub(in crate::field) detail: Detail,
    pub(in crate::field) at: u64,
    pub(in crate::field) place: Place,
    containers: usize,
    /// Where the entry begins that is being laid.
    entered: u64,
    /// Entries kept as they are so far.
    undecoded: Vec<Undecoded>,
    /// Where the part laid last began.
    pub(in crate::field) begun: u64,
    /// The record laid last and where it began, to find the offsets of its fields for errors.
    pub(in crate::field) last: Option<(&'static Layout, u64)>,
    /// The memory of the model that is being filled.
    memory: Meter,
}

enum Mode<'t> {
    Read(Source),
    Load(Box<load::Loader<'t>>),
    Settle(Box<settle::Settler<'t>>),
    Edit(Box<edit::Editor<'t>>),
    /// Nothing, while something else has the mode.
    Idle,
}

struct Source {
    file: Bytes,
    /// Where the part being read ends.
    end: u64,
}

/// An entry that looked like a known kind but did not decode; its bytes are kept as they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Undecoded {
    /// The entry.
    pub entry: Place,
    /// Why it did not decode.
    pub error: Error,
}

impl Undecoded {
    /// About how many bytes of memory it takes.
    fn memory(&self) -> u64 {
        wide(size_of::<Self>() + self.entry.memory() + self.error.place().memory()).saturating_add(256)
    }
}

/// A model read from a file.
#[derive(Clone, Debug)]
pub struct Decoded<M> {
    /// The model.
    pub model: M,
    /// Entries that are kept as opaque bytes because they did not decode.
    pub undecoded: Vec<Undecoded>,
}

/// Reads a model from a whole file.
///
/// # Errors
/// When the bytes cannot be laid out as this model, or some are left over.
pub fn decode<M: Lay + Default>(file: impl Into<Bytes>) -> Result<Decoded<M>> {
    decode_within(file, memory::allowed())
}

/// Reads a model from a whole file, with so much memory for both together.
///
/// # Errors
/// Returns an error if the bytes cannot be laid out as this model, some are left over, or the model takes more memory.
pub fn decode_within<M: Lay + Default>(file: impl Into<Bytes>, memory: u64) -> Result<Decoded<M>> {
    let file = file.into();
    // Places are kept only where something is wrong, and then in a second run: nearly every file needs none.
    if let Ok(decoded) = read(file.clone(), Detail::Entries, memory)
        && decoded.undecoded.is_empty()
    {
        return Ok(decoded);
    }
    // Here the first model is dropped: two need not be in memory at once.
    read(file, Detail::Places, memory)
}

fn read<M: Lay + Default>(file: Bytes, detail: Detail, memory: u64) -> Result<Decoded<M>> {
    let end = wide(file.len());
    let mut model = M::default();
    let mut tape = Tape::new(Mode::Read(Source { file, end }), detail);
    tape.memory = Meter::new(memory, end);
    model.lay(&mut tape)?;
    tape.finish()?;
    // A format that tries something else when a part fails may have gone on without it.
    match tape.memory.refused() {
        None => Ok(Decoded { model, undecoded: tape.undecoded }),
        Some(fault) => Err(tape.error(fault)),
    }
}

/// Reads a part of a model whose bytes were [passed](Tape::pass) when the rest was read.
///
/// # Errors
/// Returns an error if the bytes cannot be laid out so, or some are left over.
pub(crate) fn read_part<M: Default>(bytes: Bytes, lay: impl FnOnce(&mut M, &mut Tape<'_>) -> Result) -> Result<M> {
    let end = wide(bytes.len());
    let mut part = M::default();
    let mut tape = Tape::new(Mode::Read(Source { file: bytes, end }), Detail::Entries);
    lay(&mut part, &mut tape)?;
    tape.finish()?;
    Ok(part)
}

impl<'t> Tape<'t> {
    fn new(mode: Mode<'t>, detail: Detail) -> Self {
        Self {
            mode,
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

    /// Whether the model is being filled from a file. Only then is there something to look at ahead.
    #[must_use]
    pub fn reading(&self) -> bool {
        matches!(self.mode, Mode::Read(_))
    }

    /// Whether the model is being filled from its exchange form, in which no count or length stands that follows from
    /// what it counts: lists and blocks are as long as they are there.
    #[must_use]
    pub fn loading(&self) -> bool {
        matches!(self.mode, Mode::Load(_))
    }

    /// Returns an error in the exchange form, with its position in the text.
    pub(in crate::field) fn in_exchange(&self, place: Place, fault: Fault) -> Error {
        let spot = if let Mode::Load(loader) = &self.mode { loader.spot(&place) } else { None };
        Error::in_exchange(place, fault).with_spot(spot)
    }

    /// Whether what has just been laid can have come from the exchange form, all of it or a part.
    fn loaded(&self) -> bool {
        matches!(self.mode, Mode::Load(_) | Mode::Edit(_))
    }

    /// Whether the model is being filled, from either: where variants are made.
    #[must_use]
    pub fn building(&self) -> bool {
        self.reading() || self.loading()
    }

    /// Whether lengths and offsets that follow from the sizes of other parts are to be filled in: where a model is settled.
    #[must_use]
    pub fn filling(&self) -> bool {
        matches!(self.mode, Mode::Settle(_))
    }

    /// Whether what follows from the sizes of other parts is filled in.
    #[must_use]
    pub fn planning(&self) -> bool {
        self.filling()
    }

    /// Whether entries need labels.
    #[must_use]
    pub fn labelling(&self) -> bool {
        self.detail >= Detail::Entries
    }

    /// Whether rules of a container should be computed: where a model is settled.
    #[must_use]
    pub fn judging(&self) -> bool {
        matches!(&self.mode, Mode::Settle(settler) if settler.judges())
    }

    /// Bytes between the position and the end of what is being read; 0 where nothing is read.
    #[must_use]
    pub fn remaining(&self) -> u64 {
        if let Mode::Read(source) = &self.mode { source.end.saturating_sub(self.at) } else { 0 }
    }

    /// In read mode, bytes elsewhere in what is being read, without moving.
    ///
    /// # Errors
    /// When they lie outside.
    pub fn peek(&self, offset: u64, length: u64) -> core::result::Result<Bytes, Fault> {
        let Mode::Read(source) = &self.mode else { return Ok(Bytes::new()) };
        let remain = source.end.saturating_sub(offset);
        cut(&source.file, offset, length, source.end).ok_or(Fault::Ends { count: length, each: 1, remain })
    }

    /// In read mode, goes on after so many bytes: what they hold is read when it is wanted.
    ///
    /// # Errors
    /// Returns an error if fewer remain.
    #[inline]
    pub(crate) fn pass(&mut self, length: u64) -> Result {
        self.room(length, 1)?;
        self.begun = self.at;
        self.at = self.at.saturating_add(length);
        Ok(())
    }

    /// Lays something that is dropped at once, and then takes no memory.
    ///
    /// # Errors
    /// Those of `lay`.
    pub(crate) fn for_now(&mut self, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        let taken = self.memory.taken();
        lay(self)?;
        self.memory.release_to(taken);
        Ok(())
    }

    /// In read mode, the next bytes, at most so many, without moving.
    #[must_use]
    pub fn ahead(&self, length: u64) -> &[u8] {
        match &self.mode {
            Mode::Read(source) => {
                slice(&source.file, self.at, length.min(self.remaining()), source.end).unwrap_or_default()
            }
            _ => &[],
        }
    }

    /// Makes a count, length or offset say what the model says. Nothing where the model is being filled.
    ///
    /// # Errors
    /// When the value does not fit the field.
    pub fn fill<W: Whole>(&self, name: &'static str, field: &mut W, value: u64) -> Result {
        self.fill_by(name, field, || value)
    }

    /// Makes a count, length or offset say what is worth computing only where it is filled in.
    ///
    /// # Errors
    /// Returns an error if the value does not fit the field.
    #[inline]
    pub fn fill_by<W: Whole>(&self, name: &'static str, field: &mut W, value: impl FnOnce() -> u64) -> Result {
        if self.building() {
            return Ok(());
        }
        let value = value();
        if field.wide() == Some(value) {
            return Ok(());
        }
        *field = W::of(value).ok_or_else(|| self.error_in(name, Fault::TooLarge { value, field: W::LEAF.name }))?;
        if let Mode::Settle(settler) = &self.mode {
            settler.fills();
        }
        Ok(())
    }

    /// Nobody is told what deviates where a model is built.
    pub fn expect(&mut self, name: &'static str, broken: impl FnOnce() -> Option<(Json, Json)>) {
        let _ = (name, broken);
    }

    /// Nobody is told what deviates where a model is built.
    pub fn judged(&mut self, offset: u64, steps: &[Step], broken: Option<(Json, Json)>) {
        let _ = (offset, steps, broken);
    }

    /// Nobody counts where a model is built.
    #[must_use]
    pub fn counting(&self) -> bool {
        false
    }

    /// In read mode, everything must have been read.
    fn finish(&self) -> Result {
        match self.remaining() {
            0 => Ok(()),
            bytes => Err(self.error(Fault::Surplus { bytes })),
        }
    }

    /// In read mode, checks that `count` things of at least `each` bytes can lie in what remains.
    ///
    /// # Errors
    /// When they cannot.
    pub fn room(&self, count: u64, each: u64) -> Result {
        let remain = self.remaining();
        match count.checked_mul(each) {
            Some(bytes) if bytes <= remain || !self.reading() => Ok(()),
            _ => Err(self.error(Fault::Ends { count, each, remain })),
        }
    }

    /// In read mode, what the file says, else what the model says.
    pub fn told<T>(&self, file: T, model: T) -> T {
        if self.reading() { file } else { model }
    }

    /// In read mode, what looking at the file tells.
    pub fn seen<T>(&self, see: impl FnOnce(&Self) -> T) -> Option<T> {
        self.reading().then(|| see(self))
    }

    /// Where variants are made, chooses one for a part.
    pub fn choose<T>(&self, part: &mut T, choose: impl FnOnce() -> T) {
        if self.building() {
            *part = choose();
        }
    }

    /// Notes where a part begins, for what tells it elsewhere. Where a model is settled, that has to be told again if it has
    /// moved.
    ///
    /// # Errors
    /// None.
    pub fn begins(&mut self, noted: &mut u64) -> Result {
        let was = core::mem::replace(noted, self.at);
        if let Mode::Settle(settler) = &mut self.mode
            && was != self.at
        {
            settler.moved(&self.place, was, self.at);
        }
        Ok(())
    }

    /// Returns a part that has to be there, made if it is not.
    ///
    /// # Errors
    /// Those of `make`.
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

    /// Takes what reading ahead has found.
    pub fn take<T: Default>(&self, part: &mut T) -> T {
        core::mem::take(part)
    }

    /// Where the model is made, from either form, does something to a part.
    ///
    /// # Errors
    /// Those of `build`.
    pub fn build<T>(&mut self, part: &mut T, build: impl FnOnce(&mut T, &mut Self) -> Result) -> Result {
        if self.building() { build(part, self) } else { Ok(()) }
    }

    /// In read mode, does something to a part that takes the file.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn read<T>(&mut self, part: &mut T, read: impl FnOnce(&mut T, &mut Self) -> Result) -> Result {
        if self.reading() { read(part, self) } else { Ok(()) }
    }

    /// In load mode, does something to a part that takes the exchange form.
    ///
    /// # Errors
    /// Those of `load`.
    pub fn load<T>(&mut self, part: &mut T, load: impl FnOnce(&mut T, &mut Self) -> Result) -> Result {
        if self.loading() { load(part, self) } else { Ok(()) }
    }

    /// Where a part has been loaded, by itself or with all the rest, does something that follows from it.
    ///
    /// # Errors
    /// Those of `follow`.
    pub fn follow<T>(&mut self, part: &mut T, follow: impl FnOnce(&mut T, &mut Self) -> Result) -> Result {
        if self.loaded() { follow(part, self) } else { Ok(()) }
    }

    /// Where lengths and offsets are filled in, does something to a part before that.
    ///
    /// # Errors
    /// Those of `settle`.
    pub fn settle<T>(&mut self, part: &mut T, settle: impl FnOnce(&mut T, &mut Self) -> Result) -> Result {
        if self.filling() { settle(part, self) } else { Ok(()) }
    }

    /// Counts memory that the model is about to take besides the bytes of its file. [Lists](Self::list) are counted by the tape.
    ///
    /// # Errors
    /// Returns an error if more memory would be needed than is allowed.
    pub fn charge(&self, bytes: u64) -> Result {
        self.memory.charge(bytes).map_err(|fault| self.error(fault))
    }

    /// Returns so many items for a list that the format itself goes through, all of them as they are by default.
    ///
    /// # Errors
    /// Returns an error if more memory would be needed than is allowed.
    pub fn make<T: Default>(&self, count: usize) -> Result<Vec<T>> {
        self.memory.items(count).map_err(|fault| self.error(fault))
    }

    /// Checks a number of records against what the rest of the model says.
    fn count(&self, expected: u64, found: u64) -> Result {
        if expected == found || self.editing() { Ok(()) } else { Err(self.error(Fault::Count { expected, found })) }
    }

    #[inline]
    pub(in crate::field) fn step<T>(&mut self, step: Step, lay: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.detail < Detail::Places {
            return lay(self);
        }
        self.place.push(step);
        if let Mode::Load(loader) = &mut self.mode {
            loader.go(step).map_err(|misfit| loader.error(misfit, &self.place))?;
        }
        let outcome = match self.lent() {
            Some(piece) => self.lend(piece, lay)?,
            None => lay(self)?,
        };
        if let Mode::Load(loader) = &mut self.mode {
            loader.back();
        }
        self.place.pop();
        Ok(outcome)
    }

    #[inline]
    pub(in crate::field) fn nest<T>(
        &mut self,
        step: Step,
        group: Group,
        lay: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let _ = group;
        self.step(step, lay)
    }

    /// Lays something of fixed size.
    #[inline]
    pub(in crate::field) fn fixed<T: Pod>(&mut self, value: &mut T, what: What<'_>) -> Result {
        let bytes = bytemuck::bytes_of_mut(value);
        let length = wide(bytes.len());
        match &mut self.mode {
            Mode::Idle => {}
            Mode::Read(source) => match slice(&source.file, self.at, length, source.end) {
                Some(found) => bytes.copy_from_slice(found),
                None => return Err(self.error(Fault::Ends { count: 1, each: length, remain: self.remaining() })),
            },
            Mode::Load(loader) => {
                loader.fixed(what, bytes, self.at, &self.place).map_err(|misfit| loader.error(misfit, &self.place))?
            }
            Mode::Settle(settler) => settler.fixed(what, bytes, self.at, &self.place),
            Mode::Edit(editor) => {
                editor.fixed(what, bytes, self.at, &self.place).map_err(|misfit| misfit.at(&self.place))?
            }
        }
        self.begun = self.at;
        self.at = self.at.saturating_add(length);
        Ok(())
    }

    /// Lays a block.
    #[inline]
    pub(in crate::field) fn blob<T: Pod>(&mut self, count: u64, block: &mut Block<T>, what: What<'_>) -> Result {
        let each = wide(size_of::<T>());
        self.room(count, each)?;
        if !self.building() {
            self.count(count, wide(block.len()))?;
        }
        match &mut self.mode {
            Mode::Idle => {}
            Mode::Settle(settler) => {
                if let What::Block(item, Some(rules)) = what {
                    let (at, place) = (self.at, &self.place);
                    block.edit(|rows| settler.rows(item, rules, bytemuck::must_cast_slice_mut(rows), at, place));
                }
            }
            Mode::Read(source) => {
                let length = count.saturating_mul(each);
                *block = cut(&source.file, self.at, length, source.end).map_or_else(Block::default, Block::shared);
            }
            Mode::Load(loader) => {
                let bytes = loader.blob(what, self.at, &self.place);
                *block = Block::shared(bytes.map_err(|misfit| loader.error(misfit, &self.place))?);
            }
            Mode::Edit(editor) => {
                let edited = editor.blob(what, block.bytes(), self.at, &self.place);
                if let Some(bytes) = edited.map_err(|misfit| misfit.at(&self.place))? {
                    *block = Block::shared(bytes);
                }
            }
        }
        self.begun = self.at;
        self.at = self.at.saturating_add(wide(block.bytes().len()));
        Ok(())
    }
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
    (range.end <= file.len()).then(|| file.slice(range))
}

/// A length in memory as a length in a file.
#[must_use]
pub fn wide(length: usize) -> u64 {
    // No machine that Rust runs on has addresses of more than 64 bits.
    length.try_into().unwrap_or(u64::MAX)
}
