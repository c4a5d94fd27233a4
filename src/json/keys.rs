//! Places as keys of pointers.

use field::{LoadError, Place, Step};

/// Returns the keys that lead to a place from the beginning of its document.
pub(super) fn keys_of(place: &Place) -> Vec<String> {
    place.pointer().iter().map(key).collect()
}

/// Returns the keys of a value that does not fit.
pub(super) fn keys_to(misfit: &LoadError) -> Vec<String> {
    let mut keys: Vec<String> = misfit.steps.iter().map(key).collect();
    if let Some((depth, name)) = misfit.of_kept {
        keys.splice(depth..depth, [name.to_owned()]);
    }
    keys.extend_from_slice(&misfit.surplus);
    keys
}

/// Returns a step as a key of a pointer.
pub(super) fn key(step: &Step) -> String {
    match step {
        Step::Name(name) => (*name).to_owned(),
        Step::Index(index) => index.to_string(),
        Step::Entry => String::new(),
    }
}
