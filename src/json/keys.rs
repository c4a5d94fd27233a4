//! Places as keys of pointers.

use field::{Place, Step};

/// Returns the keys that lead to a place from the beginning of its document.
pub(super) fn keys_of(place: &Place) -> Vec<String> {
    place.pointer().iter().map(key).collect()
}

/// Returns a step as a key of a pointer.
pub(super) fn key(step: &Step) -> String {
    match step {
        Step::Name(name) => (*name).to_owned(),
        Step::Index(index) => index.to_string(),
        Step::Entry => String::new(),
    }
}
