//! The tape: the one place through which every byte of every format is read and written.
//!
//! A format has one function, [`Lay::lay`], that names its parts in file order. In read mode the tape fills the model
//! from a file; in visit mode it tells a [`Visitor`] every byte of the model, which is how files are written, hashed,
//! compared, counted and shown; in size mode nobody looks. The tape knows position and place, so errors say both.

use bytemuck::Pod;
use bytes::Bytes;
use encoding_rs::Encoding;

use super::block::Block;
use super::error::{Error, Fault, Result};
use super::layout::{Item, Layout, Record, Shaped};
use super::limits;
use super::number::Whole;
use super::pad::Pad;
use super::place::{Label, Place, Step};
use super::visit::{Datum, Detail, Group, Payload, Run, Visitor, What};

/// A model that can be laid on a tape.
pub trait Lay {
    /// Names every part of the model once, in file order.
    ///
    /// # Errors
    /// In read mode, when the bytes cannot be laid out so; in visit mode, when the model cannot be written (a list that is
    /// longer than its count field holds), or when the visitor stops.
    fn lay(&mut self, t: &mut Tape<'_>) -> Result;
}

/// Position, place and mode of a lay.
pub struct Tape<'t> {
    mode: Mode<'t>,
    detail: Detail,
    at: u64,
    place: Place,
    containers: usize,
    /// Entries kept as they are so far.
    undecoded: Vec<Undecoded>,
    /// Where the part laid last began.
    begun: u64,
    /// The record laid last and where it began, to find the offsets of its fields for errors.
    last: Option<(&'static Layout, u64)>,
}

enum Mode<'t> {
    Read(Source),
    Visit(&'t mut dyn Visitor),
    Size,
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
    let file = file.into();
    // Places are kept only where something is wrong, and then in a second run: nearly every file needs none.
    match read(file.clone(), Detail::Entries) {
        Ok(decoded) if decoded.undecoded.is_empty() => Ok(decoded),
        _ => read(file, Detail::Places),
    }
}

fn read<M: Lay + Default>(file: Bytes, detail: Detail) -> Result<Decoded<M>> {
    let end = wide(file.len());
    let mut model = M::default();
    let mut tape = Tape::new(Mode::Read(Source { file, end }), detail);
    model.lay(&mut tape)?;
    tape.finish()?;
    Ok(Decoded { model, undecoded: tape.undecoded })
}

/// Tells a visitor every byte of a model.
///
/// # Errors
/// When the model cannot be written, or the visitor stops.
pub fn visit<M: Lay + ?Sized>(model: &mut M, visitor: &mut dyn Visitor) -> Result<u64> {
    let detail = visitor.detail();
    let mut tape = Tape::new(Mode::Visit(visitor), detail);
    model.lay(&mut tape)?;
    Ok(tape.at)
}

/// The bytes of a model.
///
/// # Errors
/// When the model cannot be written.
pub fn encode<M: Lay + ?Sized>(model: &mut M) -> Result<Vec<u8>> {
    struct Writer(Vec<u8>);
    impl Visitor for Writer {
        fn data(&mut self, datum: &Datum<'_>) -> Result {
            self.0.extend_from_slice(datum.bytes);
            Ok(())
        }
    }
    let mut writer = Writer(Vec::new());
    visit(model, &mut writer)?;
    Ok(writer.0)
}

/// How many bytes something takes on a tape. What cannot be written is refused when it is laid, with its place, not here.
///
/// Nobody sees the bytes, so what is expensive to fill in need not be: see [`Tape::filling`].
pub fn size(lay: impl FnOnce(&mut Tape<'_>) -> Result) -> u64 {
    let mut tape = Tape::new(Mode::Size, Detail::Bytes);
    let _ = lay(&mut tape);
    tape.at
}

impl<'t> Tape<'t> {
    fn new(mode: Mode<'t>, detail: Detail) -> Self {
        Self {
            mode,
            detail,
            at: 0,
            place: Place::default(),
            containers: 0,
            undecoded: Vec::new(),
            begun: 0,
            last: None,
        }
    }

    /// Whether the model is being filled from a file.
    #[must_use]
    pub fn reading(&self) -> bool {
        matches!(self.mode, Mode::Read(_))
    }

    /// Whether lengths and offsets that follow from the sizes of other parts are to be filled in.
    ///
    /// They are not while a size is taken: else a container in a container would be sized once for each that it is in,
    /// and for each of those again.
    #[must_use]
    pub fn filling(&self) -> bool {
        matches!(self.mode, Mode::Visit(_))
    }

    /// Whether entries need labels.
    #[must_use]
    pub fn labelling(&self) -> bool {
        self.detail >= Detail::Entries
    }

    /// Whether rules of a container should be computed for the visitor.
    #[must_use]
    pub fn judging(&self) -> bool {
        matches!(&self.mode, Mode::Visit(visitor) if visitor.judges())
    }

    /// Where in the file the tape is.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.at
    }

    /// Bytes between the position and the end of what is being read; 0 in visit mode.
    #[must_use]
    pub fn remaining(&self) -> u64 {
        match &self.mode {
            Mode::Read(source) => source.end.saturating_sub(self.at),
            Mode::Visit(_) | Mode::Size => 0,
        }
    }

    /// An error here.
    #[must_use]
    pub fn error(&self, fault: Fault) -> Error {
        Error::new(self.at, self.place.clone(), fault)
    }

    /// An error in a field of the record laid last, or in a part of the model about to be laid.
    #[must_use]
    pub fn error_in(&self, name: &'static str, fault: Fault) -> Error {
        let offset = self.last.and_then(|(layout, start)| {
            let field = layout.fields.iter().find(|field| field.name == name)?;
            start.checked_add(wide(field.offset))
        });
        Error::new(offset.unwrap_or(self.at), self.place.with([Step::Name(name)]), fault)
    }

    /// An error elsewhere: at an offset, so many steps in from here.
    #[must_use]
    pub fn error_at(&self, offset: u64, steps: impl IntoIterator<Item = Step>, fault: Fault) -> Error {
        Error::new(offset, self.place.with(steps), fault)
    }

    /// Lays a record whose fields are members of the object here.
    ///
    /// # Errors
    /// When the file ends inside it, or the visitor stops.
    pub fn fields<R: Record>(&mut self, record: &mut R) -> Result {
        self.fields_by(record, None)
    }

    /// The same, with the record as the container's rules would have it (of which only the outside fields count).
    ///
    /// # Errors
    /// When the file ends inside it, or the visitor stops.
    pub fn fields_by<R: Record>(&mut self, record: &mut R, rules: Option<&R>) -> Result {
        self.last = Some((R::LAYOUT, self.at));
        self.fixed(record, What::Fields(R::LAYOUT, rules.map(bytemuck::bytes_of)))
    }

    /// Lays a record as a member of its own.
    ///
    /// # Errors
    /// When the file ends inside it, or the visitor stops.
    pub fn record<R: Record>(&mut self, name: &'static str, record: &mut R) -> Result {
        self.group(name, |t| t.fields(record))
    }

    /// Lays one value of fixed shape.
    ///
    /// # Errors
    /// When the file ends inside it, or the visitor stops.
    pub fn value<T: Shaped>(&mut self, name: &'static str, value: &mut T) -> Result {
        self.step(Step::Name(name), |t| t.fixed(value, What::Value(const { &Item::of::<T>() })))
    }

    /// Lays a number that only says what the model says, where it does; elsewhere it is a value like any other.
    ///
    /// # Errors
    /// When the file ends inside it, what the model says does not fit it, or the visitor stops.
    pub fn counted<W: Whole>(&mut self, name: &'static str, number: &mut W, says: Option<u64>) -> Result {
        if let Some(says) = says {
            self.fill(name, number, says)?;
        }
        let what = if says.is_some() { What::Count(W::LEAF) } else { What::Value(const { &Item::of::<W>() }) };
        self.step(Step::Name(name), |t| t.fixed(number, what))
    }

    /// Lays `count` values of fixed shape as one block.
    ///
    /// # Errors
    /// When fewer remain in the file, or the model holds another number of them.
    pub fn block<T: Shaped>(&mut self, name: &'static str, count: u64, block: &mut Block<T>) -> Result {
        self.step(Step::Name(name), |t| t.blob(count, block, What::Block(const { &Item::of::<T>() })))
    }

    /// Lays raw bytes.
    ///
    /// # Errors
    /// When fewer remain in the file, or the model holds another number of them.
    pub fn run(&mut self, name: &'static str, run: Run, length: u64, bytes: &mut Block) -> Result {
        self.step(Step::Name(name), |t| {
            // What is not there is not told: a gap of no bytes is no gap.
            let nothing = length == 0 && bytes.is_empty() && !matches!(run, Run::Overlap(1..));
            if nothing { Ok(()) } else { t.blob(length, bytes, What::Run(run)) }
        })
    }

    /// Lays what is left up to the end of what is being read.
    ///
    /// # Errors
    /// When the visitor stops.
    pub fn rest(&mut self, name: &'static str, run: Run, bytes: &mut Block) -> Result {
        let length = if self.reading() { self.remaining() } else { wide(bytes.len()) };
        self.run(name, run, length, bytes)
    }

    /// Lays zeros up to the next multiple of `of`, counted from `start`; in a file that ends before, what is there.
    ///
    /// # Errors
    /// When the visitor stops.
    pub fn pad(&mut self, name: &'static str, start: u64, of: u64, pad: &mut Pad) -> Result {
        let wanted = self.at.saturating_sub(start).checked_next_multiple_of(of).unwrap_or(self.at);
        let wanted = wanted.saturating_sub(self.at.saturating_sub(start));
        let mut bytes = if self.reading() { Block::default() } else { pad.bytes(wanted) };
        let length = if self.reading() { wanted.min(self.remaining()) } else { wide(bytes.len()) };
        if wanted > 0 {
            self.step(Step::Name(name), |t| t.blob(length, &mut bytes, What::Run(Run::Padding(wanted))))?;
        }
        if self.reading() {
            *pad = Pad::read(bytes, wanted);
        }
        Ok(())
    }

    /// Lays a text with its length before it; the length is kept only as that of the text.
    ///
    /// # Errors
    /// When the file ends inside it, or the length does not fit its field.
    pub fn text<L: Whole>(
        &mut self,
        length_name: &'static str,
        name: &'static str,
        page: &'static Encoding,
        text: &mut Block,
    ) -> Result {
        let mut length = L::default();
        self.counted(length_name, &mut length, Some(wide(text.len())))?;
        let length = self.stated(length_name, length)?;
        self.text_of(name, page, length, text)
    }

    /// Lays a record that stands for its one free field, as the item that is being laid.
    ///
    /// # Errors
    /// When the file ends inside it, or the visitor stops.
    pub fn bare<R: Record>(&mut self, record: &mut R) -> Result {
        self.last = Some((R::LAYOUT, self.at));
        self.fixed(record, What::Bare(R::LAYOUT))
    }

    /// Lays a text as the item that is being laid.
    ///
    /// # Errors
    /// When fewer bytes remain in the file, or the model holds another number of them.
    pub fn bare_text(&mut self, page: &'static Encoding, length: u64, text: &mut Block) -> Result {
        self.blob(length, text, What::Text(page))
    }

    /// Lays something as the item at an index, or in the place of the whole.
    ///
    /// # Errors
    /// Those of `lay`.
    pub fn at(&mut self, index: Option<u64>, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        match index {
            Some(index) => self.step(Step::Index(index), lay),
            None => lay(self),
        }
    }

    /// Begins a list that is the item at an index, or the whole; for formats that nest without recursion.
    pub fn open(&mut self, index: Option<u64>) {
        if self.detail == Detail::Places {
            index.into_iter().for_each(|index| self.place.push(Step::Index(index)));
            if let Mode::Visit(visitor) = &mut self.mode {
                visitor.enter(Group::List, &self.place, self.at);
            }
        }
    }

    /// Ends the list begun last, and says whether it was an item.
    pub fn close(&mut self, item: bool) {
        if self.detail == Detail::Places {
            if let Mode::Visit(visitor) = &mut self.mode {
                visitor.leave(Group::List, self.at);
            }
            if item {
                self.place.pop();
            }
        }
    }

    /// Lays a text whose length is told elsewhere.
    ///
    /// # Errors
    /// When fewer bytes remain in the file, or the model holds another number of them.
    pub fn text_of(&mut self, name: &'static str, page: &'static Encoding, length: u64, text: &mut Block) -> Result {
        self.step(Step::Name(name), |t| t.blob(length, text, What::Text(page)))
    }

    /// Lays the text that is left up to the end of what is being read.
    ///
    /// # Errors
    /// When the visitor stops.
    pub fn rest_text(&mut self, name: &'static str, page: &'static Encoding, text: &mut Block) -> Result {
        let length = if self.reading() { self.remaining() } else { wide(text.len()) };
        self.text_of(name, page, length, text)
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
            if t.reading() {
                t.room(count, smallest)?;
                items.clear();
                return (0..count).try_for_each(|index| t.item(index, items, &mut each));
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
            if t.reading() {
                items.clear();
                let mut index = 0;
                while more(t) {
                    t.item(index, items, &mut each)?;
                    index += 1;
                }
                return Ok(());
            }
            t.items(items, each)
        })
    }

    /// Lays members of an object of their own.
    ///
    /// # Errors
    /// Those of `lay`.
    pub fn group(&mut self, name: &'static str, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        self.nest(Step::Name(name), Group::Object, lay)
    }

    /// Lays one item of a list that the format itself goes through, in file order.
    ///
    /// # Errors
    /// Those of `lay`.
    pub fn nth(&mut self, name: &'static str, index: usize, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        self.group(name, |t| t.nest(Step::Index(wide(index)), Group::Object, lay))
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
        self.nest(Step::Name(name), Group::List, |t| t.items(items, each))
    }

    /// Lays a part of the file that is an entry with a structure of its own, known by its table.
    ///
    /// # Errors
    /// Those of `lay`.
    pub fn part(&mut self, label: Label, kind: &'static str, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        self.at_entry(label, kind, lay)
    }

    /// Lays an entry of `length` bytes by its payload. One that does not decode is kept as it is, and noted.
    ///
    /// # Errors
    /// When fewer bytes remain; in visit mode, those of the payload.
    pub fn entry<P: Payload>(&mut self, label: Label, length: u64, payload: &mut P) -> Result {
        if !self.reading() {
            return self.at_entry(label, payload.kind(), |t| payload.lay(t));
        }
        let (start, depth, noted) = (self.at, self.place.steps().len(), self.undecoded.len());
        let bytes = self.peek(start, length);
        let bytes = bytes.map_err(|fault| Error::new(start, self.place.with_entry(label.clone()), fault))?;
        *payload = P::recognise(&label, &bytes);
        self.within(label.clone(), length, payload).or_else(|error| {
            self.at = start;
            self.place.truncate(depth);
            let entry = self.place.with_entry(label.clone());
            self.undecoded.truncate(noted);
            self.undecoded.push(Undecoded { entry, error });
            *payload = P::opaque();
            self.within(label, length, payload)
        })
    }

    /// Reads a payload from exactly `length` bytes.
    fn within<P: Payload>(&mut self, label: Label, length: u64, payload: &mut P) -> Result {
        self.containers += 1;
        let outcome = self.window(length, |t| {
            t.at_entry(label, payload.kind(), |t| {
                if t.containers > limits::CONTAINERS && payload.kind() != P::opaque().kind() {
                    return Err(t.error(Fault::TooDeep { limit: limits::CONTAINERS }));
                }
                payload.lay(t)?;
                t.finish()
            })
        });
        self.containers -= 1;
        outcome
    }

    /// Reads with `length` bytes as all there is; in visit mode just lays.
    ///
    /// # Errors
    /// When fewer bytes remain; those of `lay`.
    pub fn window(&mut self, length: u64, lay: impl FnOnce(&mut Self) -> Result) -> Result {
        self.room(length, 1)?;
        let end = match &mut self.mode {
            Mode::Visit(_) | Mode::Size => None,
            Mode::Read(source) => {
                let outer = source.end;
                source.end = self.at.saturating_add(length);
                Some(outer)
            }
        };
        let outcome = lay(self);
        if let (Some(end), Mode::Read(source)) = (end, &mut self.mode) {
            source.end = end;
        }
        outcome
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

    /// In read mode, the next bytes, at most so many, without moving.
    #[must_use]
    pub fn ahead(&self, length: u64) -> &[u8] {
        match &self.mode {
            Mode::Read(source) => {
                slice(&source.file, self.at, length.min(self.remaining()), source.end).unwrap_or_default()
            }
            Mode::Visit(_) | Mode::Size => &[],
        }
    }

    /// In visit mode, makes a count, length or offset say what the model says. Nothing in read mode.
    ///
    /// # Errors
    /// When the value does not fit the field.
    pub fn fill<W: Whole>(&self, name: &'static str, field: &mut W, value: u64) -> Result {
        if !self.reading() {
            *field = W::of(value).ok_or_else(|| self.error_in(name, Fault::TooLarge { value, field: W::LEAF.name }))?;
        }
        Ok(())
    }

    /// A count, length or offset of the record laid last.
    ///
    /// # Errors
    /// When it is negative.
    pub fn stated<W: Whole>(&self, name: &'static str, value: W) -> Result<u64> {
        value.wide().ok_or_else(|| {
            self.error_in(name, Fault::Outside { found: value.signed(), expected: "a number from 0".to_owned() })
        })
    }

    /// Where the visitor judges, reports what is expected and found when an invariant that no field has alone does not
    /// hold in the part laid last.
    pub fn expect(
        &mut self,
        name: &'static str,
        broken: impl FnOnce() -> Option<(serde_json::Value, serde_json::Value)>,
    ) {
        if self.judging()
            && let (Some((expected, found)), Mode::Visit(visitor)) = (broken(), &mut self.mode)
        {
            visitor.deviates(&self.place.with([Step::Name(name)]), self.begun, expected, found);
        }
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

    /// In visit mode, checks a number of records against what the rest of the model says.
    fn count(&self, expected: u64, found: u64) -> Result {
        if expected == found { Ok(()) } else { Err(self.error(Fault::Count { expected, found })) }
    }

    #[inline]
    fn step<T>(&mut self, step: Step, lay: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.detail < Detail::Places {
            return lay(self);
        }
        self.place.push(step);
        let outcome = lay(self)?;
        self.place.pop();
        Ok(outcome)
    }

    #[inline]
    fn nest<T>(&mut self, step: Step, group: Group, lay: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.step(step, |t| t.grouped(group, lay))
    }

    fn at_entry<T>(&mut self, label: Label, kind: &'static str, lay: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.detail < Detail::Entries {
            return lay(self);
        }
        let depth = self.place.steps().len();
        self.place.enter(label);
        let outcome = self.grouped(Group::Entry(kind), lay)?;
        self.place.truncate(depth);
        Ok(outcome)
    }

    /// Tells the visitor where a group begins and ends.
    #[inline]
    fn grouped<T>(&mut self, group: Group, lay: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let told = self.detail == Detail::Places || matches!(group, Group::Entry(_));
        if let (true, Mode::Visit(visitor)) = (told, &mut self.mode) {
            visitor.enter(group, &self.place, self.at);
        }
        let outcome = lay(self)?;
        if let (true, Mode::Visit(visitor)) = (told, &mut self.mode) {
            visitor.leave(group, self.at);
        }
        Ok(outcome)
    }

    /// Reads one more item.
    fn item<T: Default>(
        &mut self,
        index: u64,
        items: &mut Vec<T>,
        each: &mut impl FnMut(&mut Self, &mut T) -> Result,
    ) -> Result {
        // Filled where it stays, for an item can be large.
        items.push(T::default());
        match items.last_mut() {
            Some(item) => self.step(Step::Index(index), |t| each(t, item)),
            None => Ok(()),
        }
    }

    fn items<T>(&mut self, items: &mut [T], mut each: impl FnMut(&mut Self, &mut T) -> Result) -> Result {
        for (index, item) in (0..).zip(items) {
            self.nest(Step::Index(index), Group::Object, |t| each(t, item))?;
        }
        Ok(())
    }

    /// Lays something of fixed size.
    #[inline]
    fn fixed<T: Pod>(&mut self, value: &mut T, what: What<'_>) -> Result {
        let bytes = bytemuck::bytes_of_mut(value);
        let length = wide(bytes.len());
        match &mut self.mode {
            Mode::Size => {}
            Mode::Visit(visitor) => {
                visitor.data(&Datum { place: &self.place, offset: self.at, bytes, what })?;
            }
            Mode::Read(source) => match slice(&source.file, self.at, length, source.end) {
                Some(found) => bytes.copy_from_slice(found),
                None => return Err(self.error(Fault::Ends { count: 1, each: length, remain: self.remaining() })),
            },
        }
        self.begun = self.at;
        self.at = self.at.saturating_add(length);
        Ok(())
    }

    /// Lays a block.
    #[inline]
    fn blob<T: Pod>(&mut self, count: u64, block: &mut Block<T>, what: What<'_>) -> Result {
        let each = wide(size_of::<T>());
        self.room(count, each)?;
        let length = count.saturating_mul(each);
        if !self.reading() {
            self.count(count, wide(block.len()))?;
        }
        match &mut self.mode {
            Mode::Size => {}
            Mode::Visit(visitor) => {
                visitor.data(&Datum { place: &self.place, offset: self.at, bytes: block.bytes(), what })?;
            }
            Mode::Read(source) => {
                *block = match cut(&source.file, self.at, length, source.end) {
                    Some(bytes) if length > 0 => Block::shared(bytes),
                    _ => Block::default(),
                };
            }
        }
        self.begun = self.at;
        self.at = self.at.saturating_add(length);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::U8;

    /// `(`, then a boxed payload to the end; `)` ends it; anything else is bytes.
    #[derive(Clone, Debug, Default, PartialEq)]
    struct Nest {
        open: U8,
        inner: Inner,
    }

    #[derive(Clone, Debug, PartialEq)]
    enum Inner {
        Nest(Box<Nest>),
        Bytes(Block),
    }

    impl Default for Inner {
        fn default() -> Self {
            Self::Bytes(Block::default())
        }
    }

    impl Lay for Inner {
        fn lay(&mut self, t: &mut Tape<'_>) -> Result {
            match self {
                Self::Nest(nest) => nest.lay(t),
                Self::Bytes(bytes) => t.rest("bytes", Run::Opaque, bytes),
            }
        }
    }

    impl Payload for Inner {
        fn kind(&self) -> &'static str {
            if matches!(self, Self::Nest(_)) { "nest" } else { "opaque" }
        }

        fn recognise(_: &Label, bytes: &Bytes) -> Self {
            if bytes.starts_with(b"(") { Self::Nest(Box::default()) } else { Self::opaque() }
        }

        fn opaque() -> Self {
            Self::default()
        }
    }

    impl Lay for Nest {
        fn lay(&mut self, t: &mut Tape<'_>) -> Result {
            t.value("open", &mut self.open)?;
            if t.reading() && t.remaining() == 1 {
                return Err(t.error(Fault::Surplus { bytes: 1 }));
            }
            let length = t.remaining();
            t.entry(Label::role("in"), length, &mut self.inner)
        }
    }

    #[test]
    fn containers_nest_to_the_limit_and_the_rest_is_kept_and_noted() {
        let file = vec![b'('; 20];
        let mut decoded = decode::<Nest>(file.clone()).expect("the outermost decodes");
        let [undecoded] = decoded.undecoded.as_slice() else { panic!("one entry is noted: {:?}", decoded.undecoded) };
        assert_eq!(undecoded.entry.steps().len(), limits::CONTAINERS + 1);
        assert_eq!(undecoded.error.fault(), &Fault::TooDeep { limit: limits::CONTAINERS });
        assert_eq!(encode(&mut decoded.model).expect("encodes"), file);
    }

    #[test]
    fn an_entry_that_does_not_decode_is_kept_and_its_own_notes_are_forgotten() {
        let decoded = decode::<Nest>(b"((x".to_vec()).expect("decodes");
        assert_eq!(decoded.model.inner, Inner::Bytes(vec![b'(', b'x'].into_iter().collect::<Vec<u8>>().into()));
        let [undecoded] = decoded.undecoded.as_slice() else { panic!("one entry is noted: {:?}", decoded.undecoded) };
        assert_eq!(undecoded.entry.entry(), "in");
        assert_eq!(undecoded.error.to_string(), "0x00000002: in:/: expected the end, found 1 more bytes");
    }

    #[test]
    fn a_count_is_checked_before_anything_is_allocated() {
        #[derive(Default)]
        struct Many(Vec<U8>);
        impl Lay for Many {
            fn lay(&mut self, t: &mut Tape<'_>) -> Result {
                t.list("items", u64::MAX, 2, &mut self.0, |t, item| t.value("item", item))
            }
        }
        let error = decode::<Many>(vec![0; 5]).err().expect("refused");
        assert_eq!(error.to_string(), "0x00000000: /items: 18446744073709551615 records of 2 bytes, 5 bytes remain");
    }
}
