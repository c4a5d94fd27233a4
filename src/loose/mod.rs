//! Modules, HAKs and other containers of Neverwinter Nights from loose files, and loose files from them, so that a module can be kept in
//! version control.
//!
//! The same files give the same container on every machine and day. A file has the name and the extension of its resource; one in
//! text form has the extension of the form after it, such as `c_boar.utc.json`. Folders are only for people.
//!
//! Source: `nwn-erf.md`, section 8.2.

mod build;
mod container;
mod join;
pub(crate) mod moved_rows;
pub(crate) mod references;
mod resource;
pub mod scenario;

use std::collections::BTreeMap;

use bytes::Bytes;

use exchange::fold;

pub use build::Loose;
use build::Taken;
pub use container::{CONTAINER, Date, DateError};
pub use join::{FavorIn, JoinOptions, Joined, MovedRows, join};
pub use resource::{LooseForm, Resource, file_of};

/// The resources of a container, to be written as loose files.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Loosened {
    /// The resources, with their names as paths.
    pub resources: Vec<Resource>,
    /// The content of [`CONTAINER`].
    pub container: Bytes,
    /// The names of resources that the container lists again with the same content.
    pub repeated: Vec<String>,
}

/// The changes of a folder of loose files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changes {
    /// The files to write, by their paths.
    pub files: BTreeMap<String, Bytes>,
    /// The files whose resources are not in the container.
    pub gone: Vec<String>,
    /// The number of files that hold the same resource already.
    pub same: usize,
}

impl Loosened {
    /// Takes a container apart.
    ///
    /// # Errors
    /// Returns an error for each resource whose name no file can have, or that differs from another one with its name.
    pub fn of(file: &Bytes) -> Result<Self, Vec<String>> {
        const CLASH: &str = "a folder can hold only one; use `unpack` without --loose";
        let Taken { container, resources, repeated, mut errors } = Taken::of(file, CLASH)?;
        let is_unpackable = |it: &&Resource| !resource::is_packable(&it.path, it.kind);
        errors.extend(
            resources.iter().filter(is_unpackable).map(|it| {
                format!("{:?}: a file of this name would not be packed; use `unpack` without --loose", it.path)
            }),
        );
        if errors.is_empty() { Ok(Self { resources, container, repeated }) } else { Err(errors) }
    }

    /// Returns the files of a new folder.
    #[must_use]
    pub fn files(&self, form: LooseForm) -> BTreeMap<String, Bytes> {
        let files = self.resources.iter().map(|it| it.written(&it.path, form));
        files.chain([(CONTAINER.to_owned(), self.container.clone())]).collect()
    }

    /// Returns the changes of a folder that has such files already, in any folders below: they stay where they are, and in their form. New
    /// files come into `root`, or into the folder there that is called as their extension.
    ///
    /// # Errors
    /// Returns an error if two files are the same resource, or if one that would be replaced cannot be read.
    pub fn over(&self, old: &BTreeMap<String, Bytes>, form: LooseForm, root: &str) -> Result<Changes, Vec<String>> {
        let (mut changes, mut errors) = (Changes::default(), Vec::new());
        let mut known: BTreeMap<String, &str> = BTreeMap::new();
        for path in old.keys().filter(|path| *path != CONTAINER && !resource::is_for_people(path)) {
            let Some((name, _)) = file_of(path) else { continue };
            if let Some(other) = known.insert(fold(&name), path) {
                errors.push(format!("{other} and {path}: are the same resource; move one away"));
            }
        }
        for it in &self.resources {
            let Some(path) = known.remove(&fold(&it.path)) else {
                let below = format!("{root}{}/", it.kind.extension());
                let is_there = old.keys().any(|path| path.starts_with(&below));
                let folder = if is_there { below.as_str() } else { root };
                let (path, bytes) = it.written(&format!("{folder}{}", it.path), form);
                changes.files.insert(path, bytes);
                continue;
            };
            let before = old.get(path).map(|bytes| Resource::of(path.to_owned(), bytes.clone(), &mut Vec::new()));
            match before {
                Some(Ok(before)) if before.bytes == it.bytes => changes.same += 1,
                _ => match it.rewritten(path, old.get(path).map_or(&[], |bytes| bytes)) {
                    Ok(bytes) => drop(changes.files.insert(path.to_owned(), bytes)),
                    Err(why) => errors.push(why),
                },
            }
        }
        changes.gone = known.into_values().map(str::to_owned).collect();
        match old.get(CONTAINER) == Some(&self.container) {
            true => changes.same += 1,
            false => drop(changes.files.insert(CONTAINER.to_owned(), self.container.clone())),
        }
        if errors.is_empty() { Ok(changes) } else { Err(errors) }
    }
}
