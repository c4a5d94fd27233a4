//! What loading leaves to recompute when a model is complete.

use core::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::describe::Describe as _;
use super::keys::keys_of;
use super::text::Sources;
use field::{Address, Error, Fault, Place, Result, Step, Value};

/// A field whose rule belongs to its container: its stated value is compared when everything is loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// The steps to the field.
    pub steps: Vec<Step>,
    /// The value that the rule computed when the value was preserved, or `None` if the value is to be used unchanged.
    pub computed: Option<Vec<u8>>,
    /// The value.
    pub value: Vec<u8>,
}

/// The values to recompute in a model, by the offset of the field in the resulting file.
#[derive(Clone, Debug, Default)]
pub struct Recomputation {
    /// Values that are preserved as long as their rule computes the same value as before, or unconditionally.
    pub kept: FxHashMap<u64, Kept>,
    /// Ranges that must stay unchanged, in file order.
    pub as_they_are: Vec<Range<u64>>,
    /// Names that were given for indices, by the offsets of these.
    pub references: FxHashMap<u64, Reference>,
    /// Labels and stated numbers that follow from the model.
    pub stated: FxHashMap<(u64, &'static str), Value>,
    /// Facts that are not stored in bytes, by the offset at which their entry begins and the steps to them. Labels of entries are
    /// unsuitable: in the exchange format they are file names.
    pub facts: FxHashMap<(u64, Vec<Step>), Value>,
    /// Values that have been replaced as a whole, by the same: a fact inside one, such as that of an item that has moved in a list, is not
    /// compared.
    pub renewed: FxHashSet<(u64, Vec<Step>)>,
    /// Preserved values that a rule has replaced.
    pub replaced: Vec<ReplacedValue>,
    /// Places at which every value that has a rule is recomputed, whether it was preserved or its rule is only compared.
    pub recompute: Vec<Address>,
    /// The offsets of values that follow rules of their own records again.
    pub stale: FxHashSet<u64>,
    /// The texts of the documents, for errors: by the offset at which the entry of each begins, and the number of entries around it.
    pub sources: FxHashMap<(u64, usize), Sources>,
}

impl Recomputation {
    /// Checks that every name given for an index has been looked up.
    pub(crate) fn all_looked_up(&self, looked_up: &FxHashSet<u64>) -> Result {
        let lost = self.references.iter().filter(|(at, _)| !looked_up.contains(at)).min_by_key(|(at, _)| **at);
        let Some((_, Reference { place, name })) = lost else { return Ok(()) };
        let fault = Fault::Unknown { found: Value::Text(name.clone()).describe(), expected: "a number".to_owned() };
        Err(self.located(0, Error::in_exchange(place.clone(), fault)))
    }

    /// Returns an error in an entry that begins at an offset, with its position in the text from which the entry was loaded.
    pub(crate) fn located(&self, entered: u64, error: Error) -> Error {
        let place = error.place();
        let sources = self.sources.get(&(entered, place.labels().len()));
        let spot = sources.and_then(|sources| sources.spot_of(&keys_of(place), false));
        error.with_spot(spot)
    }
}

/// A name that was given for an index.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The field.
    pub place: Place,
    /// The name.
    pub name: SmolStr,
}

/// A preserved value that was replaced because its rule now computes a different value.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplacedValue {
    /// The field.
    pub place: Place,
    /// The preserved value.
    pub was: Value,
    /// The current value.
    pub now: Value,
}
