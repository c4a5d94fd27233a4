//! Warnings of edits, for the module `warnings` of Python.

use bitexact::json::Compact;
use bitexact::lint::Warning;
use bitexact::media::Replaced;
use pyo3::prelude::*;

/// A warning of an edit.
#[derive(Clone, Debug)]
pub(crate) struct Warned {
    pub(crate) text: String,
    /// The place that it is about, if it is about one.
    pub(crate) place: Option<String>,
    /// The id of the warning, as `lint` names it.
    pub(crate) id: Option<&'static str>,
}

impl From<String> for Warned {
    fn from(text: String) -> Self {
        Self { text, place: None, id: None }
    }
}

impl Warned {
    /// Returns a warning of the program.
    pub(crate) fn of(warning: &Warning) -> Self {
        let place = Some(warning.first_place.to_string());
        Self { text: warning.to_string(), place, id: Some(warning.trap.id) }
    }

    /// Returns the warning of a value that a rule has replaced.
    pub(crate) fn replaced(it: &Replaced) -> Self {
        let text = format!("recomputed: {}: {} → {}", it.place, Compact(&it.was), Compact(&it.now));
        Self { text, place: Some(it.place.to_string()), id: None }
    }
}

/// Reports warnings to the module `warnings`, at the line of the user's that has called.
pub(crate) fn warn(py: Python<'_>, warnings: Vec<Warned>) -> PyResult<()> {
    if warnings.is_empty() {
        return Ok(());
    }
    let told: Vec<_> = warnings.into_iter().map(|it| (it.text, it.place, it.id)).collect();
    py.import("bitexact._warnings")?.getattr("warn")?.call1((told,)).map(drop)
}
