//! The compiled part of the Python package `bitexact`. `bitexact/__init__.py` is its interface.

#![deny(unsafe_code)]

mod commands;
mod differing;
mod edits;
mod exports;
mod failure;
mod file;
mod folders;
mod index;
mod mods;
mod snapshots;
mod source;
mod state;
mod value;
mod warned;
mod work;

use pyo3::prelude::*;

#[pymodule]
mod _bitexact {
    use std::path::PathBuf;

    use bitexact::exchange::schema as documents;
    use bitexact::field::memory;
    use bitexact::output;
    use bitexact::registry::KINDS;
    use pyo3::exceptions::PyValueError;
    use pyo3::prelude::*;

    use crate::failure::Failure;
    use crate::work::work;

    #[pymodule_export]
    use super::commands::{diff_files, pack, patch, unpack};
    #[pymodule_export]
    use super::exports::{export, import_};
    #[pymodule_export]
    use super::failure::BitexactError;
    #[pymodule_export]
    use super::file::File;
    #[pymodule_export]
    use super::folders::{installs, lint, verify};
    #[pymodule_export]
    use super::mods::{applied_mods, apply_mods, check_mods, finish_mods, make_mod, show_mod, undo_mod};
    #[pymodule_export]
    use super::snapshots::{compare, snapshot};

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

    /// Writes a file, complete or not at all.
    #[pyfunction]
    fn write(py: Python<'_>, path: PathBuf, bytes: Vec<u8>) -> PyResult<()> {
        work(py, || output::write(&path, &bytes).map_err(|error| Failure::from(error).of(&path)))
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
