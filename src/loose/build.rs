//! Loose files as the resources of a new container.

use core::ops::Range;
use std::collections::BTreeMap;

use bytes::Bytes;

use crate::aurora::erf::{Erf, listed};
use exchange::fold;
use field::{Datum, Visitor, decode, visit, wide};
use json::recompute::fill_in;
use kind::Format as _;

use super::container::{self, CONTAINER, Date};
use super::resource::{self, Resource};

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
    pub(super) container: Option<Bytes>,
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

    /// Takes the resources of a container, whatever their names. One that it lists twice with the same content is taken once, with a note.
    ///
    /// # Errors
    /// Returns an error for a file that is no such container, and for each resource that differs from another one with its name.
    pub fn of_container(file: &Bytes) -> Result<Self, Vec<String>> {
        const CLASH: &str = "the new container can hold only one; `unpack` it, delete one of them, and `pack` it";
        let Taken { container, mut resources, repeated, errors } = Taken::of(file, CLASH)?;
        resources.sort_by_cached_key(Resource::order);
        let notes = repeated.iter().map(|path| format!("{path}: listed twice, taken once")).collect();
        let loose = Self { resources, notes, others: Vec::new(), container: Some(container) };
        if errors.is_empty() { Ok(loose) } else { Err(errors) }
    }

    /// Builds a container of a type such as `MOD `. Without a date, it has that of [`CONTAINER`], or none.
    ///
    /// # Errors
    /// Returns an error if a name is too long, if the files are too large, or if [`CONTAINER`] is of another type.
    pub fn build(&self, kind: [u8; 4], date: Option<Date>) -> Result<Bytes, Vec<String>> {
        self.pieces(kind, date).map(|pieces| pieces.concat().into())
    }

    /// Returns those files alone that are text, or were made of it.
    #[must_use]
    pub fn texts(&self) -> Self {
        let resources = self.resources.iter().filter(|it| it.is_text).cloned().collect();
        Self { resources, ..Self::default() }
    }

    /// Builds a container as [`build`](Self::build) does, in pieces that follow one another: its tables, the resources where they are in
    /// memory, since a copy of all of them takes longer than the rest, and what follows them.
    ///
    /// # Errors
    /// Returns an error if `build` would.
    pub fn pieces(&self, kind: [u8; 4], date: Option<Date>) -> Result<Vec<Bytes>, Vec<String>> {
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
        let begin = erf.place();
        let mut around = Around { contents: begin..begin + total, head: Vec::new(), tail: Vec::new() };
        fill_in(&mut erf).and_then(|()| visit(&erf, &mut around)).map_err(|error| one(error.to_string()))?;
        let Around { head, tail, .. } = around;
        self.follow(&head).map_err(one)?;
        let contents = self.resources.iter().map(|it| it.bytes.clone());
        Ok(core::iter::once(head.into()).chain(contents).chain([tail.into()]).collect())
    }

    /// Proves that the tables at the beginning of a container list these resources one after another behind them.
    fn follow(&self, head: &[u8]) -> Result<(), String> {
        let mut at = wide(head.len());
        let expected = self.resources.iter().map(|it| {
            let start = at;
            at += wide(it.bytes.len());
            (format!("{}.{}", it.name, it.kind.extension()), start..at)
        });
        match listed(head).is_some_and(|found| expected.eq(found)) {
            true => Ok(()),
            false => Err("internal error: the container does not hold the files; please report this".to_owned()),
        }
    }
}

/// Keeps the bytes before and after the data of the resources.
struct Around {
    contents: Range<u64>,
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl Visitor for Around {
    fn data(&mut self, datum: &Datum<'_>) -> field::Result {
        let inside = |offset: u64| offset.checked_sub(datum.offset);
        let index = |offset| inside(offset).map_or(0, |at| usize::try_from(at).unwrap_or(usize::MAX));
        self.head.extend(datum.bytes.iter().take(index(self.contents.start)));
        self.tail.extend(datum.bytes.iter().skip(index(self.contents.end)));
        Ok(())
    }
}

/// What has been taken out of a container.
pub(super) struct Taken {
    /// The content of [`CONTAINER`].
    pub(super) container: Bytes,
    /// The resources, each once, with their names as paths.
    pub(super) resources: Vec<Resource>,
    /// The names of resources that the container lists again with the same content.
    pub(super) repeated: Vec<String>,
    /// Resources that cannot be taken.
    pub(super) errors: Vec<String>,
}

impl Taken {
    /// Takes a container apart. `clash` says what to do about two different resources with one name.
    pub(super) fn of(file: &Bytes, clash: &str) -> Result<Self, Vec<String>> {
        let one = |why: String| vec![why];
        if let Some(why) = Erf::uneditable(file) {
            return Err(one(why.to_owned()));
        }
        let mut erf = decode::<Erf>(file.clone()).map_err(|error| one(error.to_string()))?.model;
        let (mut resources, mut repeated, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        let mut names = BTreeMap::new();
        for (name, kind, range) in erf.resources() {
            let path = format!("{name}.{}", kind.extension());
            let Some(bytes) = part(file, range).map(|bytes| file.slice_ref(bytes)) else {
                errors.push(format!("{path}: lies outside of the file"));
                continue;
            };
            match names.insert(fold(&path), bytes.clone()) {
                Some(before) if before == bytes => repeated.push(path),
                Some(_) => errors.push(format!("{path}: two different resources have this name, and {clash}")),
                None => resources.push(Resource { path, name, kind, bytes, is_text: false }),
            }
        }
        erf.clear();
        let container = container::write(erf).map_err(one)?;
        Ok(Self { container, resources, repeated, errors })
    }
}

/// The most bytes of resources, since offsets of 32 bits have a sign in some programs.
const MOST_BYTES: u64 = 0x7FFF_0000;

/// Returns a range of some bytes.
fn part(bytes: &[u8], range: Range<u64>) -> Option<&[u8]> {
    bytes.get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)
}
