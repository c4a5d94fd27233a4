//! What changes a model on a tape instead of reading it: loading, recomputing and editing.
//!
//! A [`Driver`] is to a tape that builds what a [`Visitor`](crate::Visitor) is to one that walks. The tape knows the structure and
//! the position; the driver decides about the values.

use core::any::Any;
use core::ops::Range;
use std::rc::Rc;

use bytes::Bytes;

use super::error::Result;
use super::layout::{Item, Shape};
use super::pad::Pad;
use super::place::{Label, Place, Step};
use super::referents::Referents;
use super::spot::Spot;
use super::value::Value;
use super::visit::{Group, What};

/// What a tape that builds a model is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It fills a model from a file.
    Read,
    /// It fills a model from the exchange format.
    Load,
    /// It recomputes values of a model by the rules of their containers.
    Recompute,
    /// It replaces parts of a model.
    Edit,
}

/// The position of a tape.
#[derive(Clone, Copy)]
pub struct Here<'a> {
    /// The offset in the file.
    pub at: u64,
    /// Its place.
    pub place: &'a Place,
    /// The offset at which the current entry begins.
    pub entered: u64,
}

impl Here<'_> {
    /// Returns the place of a member.
    pub fn member(&self, name: &'static str) -> Place {
        self.place.with([Step::Name(name)])
    }
}

/// A fact that no byte of the file stores, while it is laid out.
pub struct Fact<'a> {
    /// Its name.
    pub name: &'static str,
    /// Its shape.
    pub shape: &'a Shape,
    /// Its bytes.
    pub bytes: &'a mut [u8],
    /// `true` if it has its default value, which is left out.
    pub is_default: bool,
}

impl Fact<'_> {
    /// Returns the value for people.
    pub fn shown(&self) -> Value {
        self.shape.show(self.bytes)
    }
}

/// What a driver has done about a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// The value stays.
    Stays,
    /// The exchange format has no value, so it becomes the default.
    Absent,
    /// The value has been set.
    Set,
}

/// Decides about the values of a model that a tape lays out.
pub trait Driver {
    /// Returns what it is doing. An editor loads while it replaces everything that a step lays out.
    fn role(&self) -> Role;

    /// Returns the driver that decides in its place for now.
    fn lent(&mut self) -> Option<&mut dyn Driver> {
        None
    }

    /// Changes a value of fixed size.
    ///
    /// # Errors
    /// Returns an error if the value given for it does not fit.
    fn fixed(&mut self, what: What<'_>, bytes: &mut [u8], here: Here<'_>) -> Result;

    /// Returns the new bytes of a block, text or raw bytes if they are replaced as a whole.
    ///
    /// # Errors
    /// Returns an error if the value given for them does not fit.
    fn blob(&mut self, what: What<'_>, bytes: &[u8], here: Here<'_>) -> Result<Option<Bytes>> {
        let _ = (what, bytes, here);
        Ok(None)
    }

    /// Returns `true` if it changes rows of a block in place, which may have rules of its container.
    fn changes_rows(&self, item: &Item, has_rules: bool) -> bool {
        let _ = (item, has_rules);
        false
    }

    /// Changes the rows of a block in place.
    fn rows(&mut self, item: &Item, rules: Option<&[u8]>, rows: &mut [u8], here: Here<'_>) {
        let _ = (item, rules, rows, here);
    }

    /// Takes a step, which the place already contains.
    ///
    /// # Errors
    /// Returns an error if the exchange format has nothing that a step could lead to.
    fn go(&mut self, step: Step, place: &Place) -> Result {
        let _ = (step, place);
        Ok(())
    }

    /// Goes back from the last step, which the place still contains.
    ///
    /// # Errors
    /// Returns an error if something remains that was not laid out.
    fn back(&mut self, place: &Place) -> Result {
        let _ = place;
        Ok(())
    }

    /// Begins an entry.
    fn enter(&mut self, group: Group) {
        let _ = group;
    }

    /// Ends an entry, which takes these bytes.
    fn leave(&mut self, group: Group, bytes: Range<u64>) {
        let _ = (group, bytes);
    }

    /// Learns where the current entry begins.
    fn entered(&mut self, at: u64) {
        let _ = at;
    }

    /// Decides about a fact.
    ///
    /// # Errors
    /// Returns an error if the exchange format has a value of another type there.
    fn fact(&mut self, fact: &mut Fact<'_>, here: Here<'_>) -> Result<Given> {
        let _ = (fact, here);
        Ok(Given::Stays)
    }

    /// Learns the label of a part, which follows from the model.
    fn label(&mut self, name: &'static str, here: Here<'_>, label: &mut dyn FnMut() -> Option<Value>) {
        if let Some(driver) = self.lent() {
            driver.label(name, here, label);
        }
    }

    /// Learns that a number is laid out, and the value that follows from the model, if one does.
    ///
    /// # Errors
    /// Returns an error if there are duplicate names here.
    fn number(&mut self, name: &'static str, says: Option<u64>, here: Here<'_>) -> Result {
        self.lent().map_or(Ok(()), |driver| driver.number(name, says, here))
    }

    /// Returns the padding here, if it replaces that of the model.
    ///
    /// # Errors
    /// Returns an error if the value given for it does not fit.
    fn pad(&mut self, place: &Place) -> Result<Option<Pad>> {
        self.lent().map_or(Ok(None), |driver| driver.pad(place))
    }

    /// Learns that preserved bytes are given up.
    fn gives_up(&mut self, place: Place, was: Value, now: Value) {
        let _ = (place, was, now);
    }

    /// Learns that a format itself has changed a value, at a place of the entry that begins at an offset.
    fn change(&mut self, at: (Place, u64), was: Value, now: Value) {
        if let Some(driver) = self.lent() {
            driver.change(at, was, now);
        }
    }

    /// Returns `true` if rules of containers are applied.
    fn judges(&self) -> bool {
        false
    }

    /// Begins or ends applying the rules of containers. Returns `true` if that makes a difference.
    fn judge(&mut self, judges: bool) -> bool {
        let _ = judges;
        false
    }

    /// Learns that a count, length or offset was set to another value.
    fn fills(&self) {}

    /// Learns that a part has moved after values that depend on it were recomputed.
    fn moved(&mut self, place: &Place, was: u64, now: u64) {
        let _ = (place, was, now);
    }

    /// Returns `true` if values are recomputed whose rules are otherwise only compared.
    fn recomputes(&self) -> bool {
        false
    }

    /// Returns `true` if the value with this name at a place has to be recomputed.
    fn wants(&mut self, place: &Place, name: &'static str) -> bool {
        let _ = (place, name);
        false
    }

    /// Learns that such a value has been recomputed.
    fn recomputed(&mut self, place: Place, was: Value, now: Value) {
        let _ = (place, was, now);
    }

    /// Sets what the indices of the next part refer to, and returns what those before it refer to.
    fn refer_to(&mut self, referents: &mut dyn FnMut() -> Option<Rc<dyn Referents>>) -> Option<Rc<dyn Referents>> {
        let _ = referents;
        None
    }

    /// Sets what the indices refer to again.
    fn refer_again(&mut self, referents: Option<Rc<dyn Referents>>) {
        let _ = referents;
    }

    /// Returns `true` if the exchange format has a member with this name here.
    fn has(&self, name: &str) -> bool {
        let _ = name;
        false
    }

    /// Returns the number of items that the exchange format has in a list with this name here.
    ///
    /// # Errors
    /// Returns an error if there are duplicate names here.
    fn items(&mut self, name: &str, place: &Place) -> Result<usize> {
        self.lent().map_or(Ok(0), |driver| driver.items(name, place))
    }

    /// Returns the whole number that the exchange format has under this name here, without reading it, or `None` if it has none.
    ///
    /// # Errors
    /// Returns an error if there are duplicate names here.
    fn whole(&mut self, name: &str, place: &Place) -> Result<Option<u64>> {
        self.lent().map_or(Ok(None), |driver| driver.whole(name, place))
    }

    /// Returns the number of items in the current list, or `None` if there is no list.
    ///
    /// # Errors
    /// Returns an error if something else is there.
    fn items_here(&mut self, place: &Place) -> Result<Option<usize>> {
        self.lent().map_or(Ok(None), |driver| driver.items_here(place))
    }

    /// Returns the position in the text of a place in the current document.
    fn spot(&self, place: &Place) -> Option<Spot> {
        let _ = place;
        None
    }

    /// Returns the position in the text of a member in the description of an entry at a place.
    fn spot_in_row(&self, place: &Place, label: &Label, steps: &[Step]) -> Option<Spot> {
        let _ = (place, label, steps);
        None
    }

    /// Returns the number of threads for loading.
    fn threads(&self) -> usize {
        1
    }

    /// Returns the loader of the exchange format, if it is one.
    fn loader(&mut self) -> Option<&mut dyn FromDocuments> {
        None
    }
}

/// A document of the exchange format, whose form only its loader knows.
pub type Document = Box<dyn Any + Send + Sync>;

/// The contents of an entry in the exchange format.
#[derive(Debug)]
pub enum Content {
    /// A document.
    Document(Document),
    /// Raw bytes.
    Raw(Bytes),
    /// The bytes of an entry of the stated kind that no edit has touched, and the number by which the loader
    /// [absorbs](FromDocuments::absorb) what must stay in them.
    AsIs(Bytes, usize),
}

/// Parts that do not depend on each other.
#[derive(Clone, Copy, Debug)]
pub enum Apart {
    /// So many entries.
    Entries(usize),
    /// All items of the current list.
    Items(usize),
}

/// The offset at which the entry around an item begins, while another tape lays out the item.
pub const OUTER: u64 = u64::MAX;

/// What only loading from documents needs.
pub trait FromDocuments {
    /// Returns `true` if an entry has a file.
    ///
    /// # Errors
    /// Returns an error if the description of the entry has duplicate names.
    fn has_entry(&mut self, label: &Label, place: &Place) -> Result<bool>;

    /// Returns the stated kind of an entry, its file and its contents with all that lies beside them. `row` is the place that describes it.
    ///
    /// # Errors
    /// Returns an error if one of them is missing or does not fit.
    fn open(&mut self, label: &Label, place: &Place, row: &Place) -> Result<(Option<String>, String, Content)>;

    /// Returns the document that an entry of this kind becomes whose contents are a file of its own, or `None` if they are its bytes. It says
    /// too whether the kind is stated.
    fn imported(&mut self, kind: (&str, bool), file: &str, bytes: &Bytes) -> Option<Document>;

    /// Returns the file and the document of an entry that must be of this kind, because its container says how it is laid out.
    ///
    /// # Errors
    /// Returns an error if one of them is missing, or if the entry is of another kind or no document.
    fn open_part(&mut self, label: &Label, kind: &str, place: &Place, row: &Place) -> Result<(String, Document)>;

    /// Records a range of bytes that must stay unchanged.
    fn stays(&mut self, bytes: Range<u64>);

    /// Begins a document that it has opened.
    ///
    /// # Errors
    /// Returns an error if another loader has opened it.
    fn begin(&mut self, document: Document, place: &Place) -> Result;

    /// Ends the document of a file, which must have been read completely.
    ///
    /// # Errors
    /// Returns an error if something remains.
    fn end(&mut self, here: Here<'_>) -> Result;

    /// Calls `load` for each of some parts on all cores, with the index of the part and a loader for it alone. Returns the number by which
    /// to [absorb](Self::absorb) the first; the others follow.
    ///
    /// # Errors
    /// Returns the first error of `load`, or an error if something of a part remains.
    fn apart(
        &mut self,
        parts: Apart,
        place: &Place,
        load: &(dyn Fn(usize, &mut dyn Driver) -> Result + Sync),
    ) -> Result<usize>;

    /// Adds the results for a part that begins at this offset, in an entry that begins at another.
    fn absorb(&mut self, part: usize, begin: u64, entered: u64);
}
