//! Modules, HAKs and other containers of Neverwinter Nights from loose files, and loose files from them, so that a module can be kept in
//! version control.
//!
//! The same files give the same container on every machine and day. A file has the name and the extension of its resource; one in
//! text form has the extension of the form after it, such as `c_boar.utc.json`. Folders are only for people.
//!
//! Source: `nwn-erf.md`, section 8.2.

mod container;
mod join;
mod references;
mod resource;

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::aurora::erf::Erf;
use crate::exchange::fold;
use crate::field::{decode, wide};
use crate::kind::Format as _;
use crate::recompute::encode_edited;

pub use container::{CONTAINER, Date, DateError};
pub use join::{FavorIn, JoinOptions, Joined, MovedRows, join};
pub use resource::{LooseForm, Resource, file_of};

/// Loose files.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Loose {
    /// The resources, in the order of a container: by name without capitals, then by type.
    pub resources: Vec<Resource>,
    /// What of texts that were compiled is not in their resources, a line each with the path.
    pub notes: Vec<String>,
    /// The paths of files that are no resources, and that every folder may hold, such as `README.md`.
    pub others: Vec<String>,
    /// What [`CONTAINER`] says about the container itself.
    container: Option<Bytes>,
}

impl Loose {
    /// Takes files as resources, by their paths with `/` between the parts.
    ///
    /// # Errors
    /// Returns an error with the path for each file that cannot be a resource, and for two that would be the same one.
    pub fn of(files: BTreeMap<String, Bytes>) -> Result<Self, Vec<String>> {
        let (mut loose, mut errors) = (Self::default(), Vec::new());
        for (path, bytes) in files {
            if path == CONTAINER {
                loose.container = Some(bytes);
            } else if resource::is_for_people(&path) {
                loose.others.push(path);
            } else {
                match Resource::of(path, bytes, &mut loose.notes) {
                    Ok(resource) => loose.resources.push(resource),
                    Err(why) => errors.push(why),
                }
            }
        }
        loose.resources.sort_by_cached_key(Resource::order);
        for two in loose.resources.windows(2) {
            if let [one, other] = two
                && one.order() == other.order()
            {
                errors.push(format!("{} and {}: would be the same resource; move one away", one.path, other.path));
            }
        }
        if errors.is_empty() { Ok(loose) } else { Err(errors) }
    }

    /// Builds a container of a type such as `MOD `. Without a date, it has that of [`CONTAINER`], or none.
    ///
    /// # Errors
    /// Returns an error if a name is too long, if the files are too large, or if [`CONTAINER`] is of another type.
    pub fn build(&self, kind: [u8; 4], date: Option<Date>) -> Result<Bytes, Vec<String>> {
        let one = |why: String| vec![why];
        let mut erf = match &self.container {
            Some(text) => container::read(text, kind).map_err(one)?,
            None => Erf::new(kind),
        };
        if let Some(date) = date {
            (erf.head.build_year, erf.head.build_day) = (date.year().into(), date.day().into());
        }
        let most = erf.longest_name();
        let mut errors = Vec::new();
        for it in &self.resources {
            if let Err(why) = erf.push(&it.name, it.kind, it.bytes.clone()) {
                let (path, name) = (&it.path, &it.name);
                errors.push(format!(
                    "{path}: {name} cannot be the name of a resource, which has at most {most} characters: {why}"
                ));
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let total: u64 = self.resources.iter().map(|it| wide(it.bytes.len())).sum();
        if total > MOST_BYTES {
            return Err(one(format!(
                "expected at most {MOST_BYTES} bytes of resources, which the game can read, found {total}"
            )));
        }
        erf.place();
        let bytes: Bytes = encode_edited(&mut erf).map_err(|error| one(error.to_string()))?.into();
        self.is_in(&bytes).map_err(one)?;
        Ok(bytes)
    }

    /// Proves that a container holds these resources.
    fn is_in(&self, bytes: &Bytes) -> Result<(), String> {
        let again = decode::<Erf>(bytes.clone()).map_err(|error| format!("internal error: {error}"))?.model;
        let found = again.resources();
        let mut count = 0;
        for (it, (name, kind, range)) in self.resources.iter().zip(found) {
            count += usize::from(it.name == name && it.kind == kind && part(bytes, range) == Some(&it.bytes[..]));
        }
        let is_same = count == self.resources.len() && again.entries.len() == count;
        if is_same {
            Ok(())
        } else {
            Err("internal error: the container does not hold the files; please report this".to_owned())
        }
    }
}

/// The most bytes of resources, since offsets of 32 bits have a sign in some programs.
const MOST_BYTES: u64 = 0x7FFF_0000;

/// Returns a range of some bytes.
fn part(bytes: &[u8], range: core::ops::Range<u64>) -> Option<&[u8]> {
    bytes.get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)
}

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
        let one = |why: String| vec![why];
        if let Some(why) = Erf::uneditable(file) {
            return Err(one(why.to_owned()));
        }
        let mut erf = decode::<Erf>(file.clone()).map_err(|error| one(error.to_string()))?.model;
        let (mut loosened, mut errors, mut names) = (Self::default(), Vec::new(), BTreeMap::new());
        for (name, kind, range) in erf.resources() {
            let path = format!("{name}.{}", kind.extension());
            let Some(bytes) = part(file, range).map(|bytes| file.slice_ref(bytes)) else {
                errors.push(format!("{path}: lies outside of the file"));
                continue;
            };
            match names.insert(fold(&path), bytes.clone()) {
                Some(before) if before == bytes => loosened.repeated.push(path),
                Some(_) => errors.push(format!(
                    "{path}: two different resources have this name, and a folder can hold only one; use `unpack` without --loose"
                )),
                None => match resource::is_packable(&path, kind) {
                    true => loosened.resources.push(Resource { path, name, kind, bytes }),
                    false => errors.push(format!(
                        "{path:?}: a file of this name would not be packed; use `unpack` without --loose"
                    )),
                },
            }
        }
        erf.clear();
        loosened.container = container::write(erf).map_err(one)?;
        if errors.is_empty() { Ok(loosened) } else { Err(errors) }
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
