//! The compiled part of the Python package `bitexact`. `bitexact/__init__.py` is its interface.

#![deny(unsafe_code)]

mod commands;
mod differing;
mod edits;
mod failure;
mod file;
mod index;
mod source;
mod state;
mod value;
mod work;

use pyo3::prelude::*;

/// Reports warnings of an edit to the module `warnings`.
fn warn(py: Python<'_>, warnings: Vec<String>) -> PyResult<()> {
    if warnings.is_empty() {
        return Ok(());
    }
    let class = py.import("bitexact")?.getattr("BitexactWarning")?;
    let warn = py.import("warnings")?.getattr("warn")?;
    warnings.into_iter().try_for_each(|warning| warn.call1((warning, &class, 3)).map(drop))
}

#[pymodule]
mod _bitexact {
    use bitexact::exchange::schema as documents;
    use bitexact::field::memory;
    use bitexact::registry::KINDS;
    use pyo3::exceptions::PyValueError;
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::commands::{diff_files, pack, patch, unpack, verify};
    #[pymodule_export]
    use super::failure::BitexactError;
    #[pymodule_export]
    use super::file::File;

    /// Returns the supported kinds: their names and titles, and the codes of their games.
    #[pyfunction]
    fn formats() -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
        let games = |kind: &bitexact::registry::Kind| kind.games.iter().map(|game| game.code()).collect();
        KINDS.iter().map(|kind| (kind.name, kind.title, games(kind))).collect()
    }

    /// Returns the JSON Schema of the documents of a kind.
    #[pyfunction]
    fn schema(kind: &str) -> PyResult<&'static str> {
        let known = || documents::kinds().collect::<Vec<_>>().join(", ");
        documents::schema(kind).ok_or_else(|| PyValueError::new_err(format!("{kind}: expected one of {}", known())))
    }

    /// Returns the kinds that have a schema, including those that are only entries.
    #[pyfunction]
    fn schemas() -> Vec<&'static str> {
        documents::kinds().collect()
    }

    /// Returns the memory that a file and its model may take, in bytes, after setting it if a number is given.
    #[pyfunction]
    fn memory_limit(bytes: Option<u64>) -> PyResult<u64> {
        match bytes {
            // Nothing could be read, which nobody wants.
            Some(0) => return Err(PyValueError::new_err("expected a number of bytes above 0, found 0")),
            Some(bytes) => memory::allow(bytes),
            None => {}
        }
        Ok(memory::allowed())
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
