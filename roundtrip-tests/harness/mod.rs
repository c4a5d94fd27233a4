//! What the tests of the whole share: the files they run over.

#![allow(dead_code, reason = "each test target uses its part")]

pub(crate) mod form;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use bitexact::install;
use bitexact::registry::{KINDS, Kind, named, recognise};
use forge::Size;

/// The seed of the forged samples.
pub(crate) const SEED: u64 = 7;

/// A file to run the laws over.
#[derive(Clone)]
pub(crate) struct Case {
    /// Where it comes from.
    pub(crate) name: String,
    /// Its kind.
    pub(crate) kind: &'static Kind,
    /// Its bytes.
    pub(crate) bytes: Vec<u8>,
}

/// The kind of this name.
pub(crate) fn kind(name: &str) -> &'static Kind {
    named(KINDS, name).unwrap_or_else(|| panic!("the registry has no {name}"))
}

/// Every sample the forge makes of a size.
pub(crate) fn forged(size: Size, word: &str) -> Vec<Case> {
    let samples = forge::samples(SEED, size).into_iter();
    samples
        .map(|sample| {
            let name = format!("forge/{word}/{}", sample.name);
            Case { name, kind: kind(sample.kind), bytes: sample.bytes }
        })
        .collect()
}

/// The root of the project.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The sample install.
pub(crate) fn golden_install() -> PathBuf {
    root().join("golden/install")
}

/// The sample files beside the project, where they are.
pub(crate) fn corpora() -> Option<PathBuf> {
    let corpora = root().join("../shared/corpora");
    corpora.is_dir().then_some(corpora)
}

/// Every file below a folder whose kind is known.
pub(crate) fn known_files(folder: &Path, word: &str) -> Vec<Case> {
    let files = install::files(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    files
        .into_iter()
        .filter_map(|file| {
            let bytes = file.read().unwrap_or_else(|error| panic!("{}: {error}", file.shown()));
            let (kind, _) = recognise(KINDS, &file.name(), &bytes)?;
            let path = file.path.strip_prefix(folder).expect("below the folder").to_string_lossy().into_owned();
            Some(Case { name: format!("{word}/{path}"), kind, bytes })
        })
        .collect()
}

/// Runs a test that is expected to fail with these words until a later step, and reports that it still does.
///
/// # Panics
/// Panics if the test passes, so that whoever makes it pass removes the mark, and if it fails in another way.
pub(crate) fn expected_to_fail(until: &str, words: &str, test: impl FnOnce()) {
    let Err(panic) = catch_unwind(AssertUnwindSafe(test)) else {
        panic!("{until}: this passes now: remove `expected_to_fail` around it");
    };
    let said = panic.downcast_ref::<String>().cloned();
    let said = said.or_else(|| panic.downcast_ref::<&str>().map(|it| (*it).to_owned())).unwrap_or_default();
    assert!(said.contains(words), "{until}: this fails, but without the words {words:?}: {said}");
    eprintln!("expected failure until {until}: {said}");
}
