//! The state of a file in memory: what it was read from, its places, and the memory that Python can change.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;
use std::{fs, mem};

use ::field::{Shape, decode_text};
use bitexact::field::{Address, Value};
use bitexact::output;
use bitexact::passes::NameAt;
use bytes::Bytes;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PySlice, PyTuple};

use crate::differing::differing;
use crate::failure::{Done, Failure};
use crate::index::{Holds, Id, Index, Slot, Spot};
use crate::source::{Source, put, stated};
use crate::value::dtype;
use crate::warned::Warned;

/// The bytes of memory that Python can change, as they were when an edit began.
pub(crate) type Sent = HashMap<u32, Vec<u8>>;

/// The state of a file.
pub(crate) struct State {
    pub(crate) source: Source,
    /// The bytes of the file on disk, and the state of it when they were read or written.
    pub(crate) on_disk: Bytes,
    pub(crate) seen: Option<Seen>,
    /// Made when the first place is looked up.
    pub(crate) index: Option<Arc<Index>>,
    pub(crate) names: Option<Arc<Vec<NameAt>>>,
    /// The slots that Python can change, each in memory of its own.
    pub(crate) open: HashMap<u32, Py<PyByteArray>>,
}

/// The size and time of a file, which tell whether another program has written it.
pub(crate) type Seen = (u64, Option<SystemTime>);

pub(crate) fn seen(path: &Path) -> Option<Seen> {
    let about = fs::metadata(path).ok()?;
    Some((about.len(), about.modified().ok()))
}

pub(crate) fn range(py: Python<'_>, begin: usize, end: usize) -> Bound<'_, PySlice> {
    PySlice::new(py, begin as isize, end as isize, 1)
}

impl State {
    pub(crate) fn index(&mut self) -> Done<Arc<Index>> {
        if let Some(index) = &self.index {
            return Ok(index.clone());
        }
        let index = Arc::new(Index::of(self.source.kind.name, &self.source.model)?);
        self.index = Some(index.clone());
        Ok(index)
    }

    pub(crate) fn find(&self, py: Python<'_>, index: &Index, place: &Address) -> Option<Spot> {
        index.find(place, &|slot, at, size| self.bytes(py, index, slot, at, size))
    }

    /// Returns the spot of a place at which something is. Keys can lead out of a value with its own encoding, so what is inside one is
    /// decoded to see it, and returned as well.
    pub(crate) fn there(&self, py: Python<'_>, index: &Index, place: &Address) -> Option<(Spot, Option<Value>)> {
        let spot = self.find(py, index, place)?;
        let decoded = match &spot {
            Spot::Inside(_, keys) if !keys.is_empty() => match self.value(py, index, &spot) {
                Value::Null => return None,
                value => Some(value),
            },
            _ => None,
        };
        Some((spot, decoded))
    }

    /// Returns the bytes of a slot as the file has them.
    fn original(&self, slot: Slot) -> &[u8] {
        self.source.bytes.get(slot.offset..slot.offset + slot.length).unwrap_or_default()
    }

    /// Returns bytes of a slot, perhaps changed.
    pub(crate) fn bytes(&self, py: Python<'_>, index: &Index, slot: u32, at: usize, size: usize) -> Vec<u8> {
        let changed = self.open.get(&slot).and_then(|open| {
            let part = open.bind(py).get_item(range(py, at, at + size)).ok()?;
            part.cast::<PyByteArray>().ok().map(|part| part.to_vec())
        });
        let original = || self.original(index.slot(slot)).get(at..at + size).unwrap_or_default().to_vec();
        changed.unwrap_or_else(original)
    }

    /// Returns the memory of a slot that Python can change.
    pub(crate) fn open<'py>(&mut self, py: Python<'py>, index: &Index, slot: u32) -> Bound<'py, PyByteArray> {
        if let Some(open) = self.open.get(&slot) {
            return open.bind(py).clone();
        }
        let open = PyByteArray::new(py, self.original(index.slot(slot)));
        self.open.insert(slot, open.clone().unbind());
        open
    }

    /// Returns a value.
    pub(crate) fn value(&self, py: Python<'_>, index: &Index, spot: &Spot) -> Value {
        match spot {
            Spot::Group(id) => self.group(py, index, *id),
            Spot::Bytes(slot, at, shape) => shape.show_all(&self.bytes(py, index, *slot, *at, shape.size())),
            Spot::Slot(slot) => self.slot(py, index, *slot),
            Spot::Inside(id, keys) => {
                let whole = match (index.fact(*id), index.held(*id)) {
                    (Some(fact), _) => fact.clone(),
                    (None, Some(slot)) => self.slot(py, index, slot),
                    (None, None) => Value::Null,
                };
                keys.iter().try_fold(&whole, |json, key| json.step(key)).cloned().unwrap_or_default()
            }
        }
    }

    fn slot(&self, py: Python<'_>, index: &Index, slot: u32) -> Value {
        let Slot { length, holds, .. } = index.slot(slot);
        let bytes = self.bytes(py, index, slot, 0, length);
        match holds {
            Holds::Fields(layout) => Value::Object(layout.show_all(&bytes)),
            Holds::Value(item) => item.shape.show_all(&bytes),
            Holds::Count(leaf) => leaf.show(&bytes),
            Holds::Block(item) => bytes.chunks_exact(item.size.max(1)).map(|row| item.shape.show_all(row)).collect(),
            Holds::Text(page) => decode_text(page, &bytes).into(),
            Holds::Coded(codec) => match (codec.show)(&bytes) {
                Value::Null => Value::of_bytes(bytes),
                value => value,
            },
            Holds::Raw => Value::of_bytes(bytes),
        }
    }

    fn group(&self, py: Python<'_>, index: &Index, id: Id) -> Value {
        let (mut items, mut members) = (Vec::new(), Vec::new());
        let is_list = index.is_list(id);
        index.each(id, &mut |name, spot| {
            let spot = match spot {
                // The names of a value can depend on the record.
                Spot::Bytes(slot, at, shape) if !is_list => self.named(py, index, (slot, at, shape), name),
                spot => spot,
            };
            let value = self.value(py, index, &spot);
            match is_list {
                true => items.push(value),
                false => members.push((name.into(), value)),
            }
        });
        if let Some(slot) = index.held(id) {
            members.push(("value".into(), self.slot(py, index, slot)));
        }
        if is_list { Value::List(items) } else { Value::Object(members) }
    }

    fn named(
        &self,
        py: Python<'_>,
        index: &Index,
        (slot, at, shape): (u32, usize, &'static Shape),
        name: &str,
    ) -> Spot {
        let Slot { length, holds, .. } = index.slot(slot);
        match holds {
            Holds::Fields(layout) => match layout.fields.iter().find(|field| field.name == name) {
                Some(field) if field.named.is_some() => {
                    Spot::Bytes(slot, at, field.shape_in(&self.bytes(py, index, slot, 0, length)))
                }
                _ => Spot::Bytes(slot, at, shape),
            },
            _ => Spot::Bytes(slot, at, shape),
        }
    }

    /// Returns the memory of an array: the buffer, the position in it, the type of numpy and the dimensions.
    pub(crate) fn array<'py>(&mut self, py: Python<'py>, index: &Index, spot: &Spot) -> PyResult<Bound<'py, PyTuple>> {
        let (slot, at, (of, dimensions)) = match spot {
            Spot::Bytes(slot, at, shape) => (*slot, *at, dtype(py, shape)?),
            Spot::Slot(slot) => {
                let Slot { length, holds, .. } = index.slot(*slot);
                let (of, dimensions) = match holds {
                    Holds::Block(item) => {
                        let (of, mut dimensions) = dtype(py, &item.shape)?;
                        dimensions.insert(0, length.checked_div(item.size).unwrap_or(0));
                        (of, dimensions)
                    }
                    Holds::Raw => ("u1".into_pyobject(py)?.into_any(), vec![length]),
                    _ => return Err(PyTypeError::new_err("not an array, but text or a value with its own encoding")),
                };
                (*slot, 0, (of, dimensions))
            }
            _ => return Err(PyTypeError::new_err("not an array, but an object or a list of objects")),
        };
        let open = self.open(py, index, slot);
        (open, at, of, PyTuple::new(py, dimensions)?).into_pyobject(py)
    }

    /// Returns the values that Python has changed, with their places, and the bytes of all memory that it can change.
    pub(crate) fn changed(&self, py: Python<'_>) -> (Vec<(Address, Value)>, Sent) {
        let Some(index) = &self.index else { return Default::default() };
        let sent: Sent = self.open.iter().map(|(slot, open)| (*slot, open.bind(py).to_vec())).collect();
        let is_changed = |slot: u32| sent.get(&slot).is_some_and(|new| new != self.original(index.slot(slot)));
        if !sent.keys().any(|slot| is_changed(*slot)) {
            return (Vec::new(), sent);
        }
        let places = index.places(is_changed);
        let mut set = Vec::new();
        // In file order, for messages that do not depend on chance.
        for (number, slot) in index.slots() {
            if let (Some(place), Some(new)) = (places.get(&number), sent.get(&number)) {
                differing(slot, place, (self.original(slot), new), &mut set);
            }
        }
        (set, sent)
    }

    /// Replaces the file by the edited one, and returns it. The memory that Python can change gets the bytes of the edited file, if it
    /// has the same places.
    pub(crate) fn replace(&mut self, py: Python<'_>, (edited, index): (Source, Index), sent: &Sent) -> Source {
        let source = mem::replace(&mut self.source, edited);
        let (open, new) = (mem::take(&mut self.open), Arc::new(index));
        self.names = None;
        let Some(old) = self.index.replace(new.clone()) else { return source };
        let places = old.places(|slot| open.contains_key(&slot));
        for (slot, memory) in open {
            let (Some(place), was) = (places.get(&slot), old.slot(slot)) else { continue };
            let Some(again) = new.slot_at(place, was) else { continue };
            let bytes = self.original(new.slot(again));
            if sent.get(&slot).is_none_or(|sent| sent != bytes) {
                // The length is the same, so memory that numpy uses stays where it is.
                let _ = memory.bind(py).set_item(range(py, 0, bytes.len()), PyBytes::new(py, bytes));
            }
            self.open.insert(again, memory);
        }
        source
    }

    /// Writes the file. Returns `None` if it has not changed, otherwise warnings.
    pub(crate) fn write(
        &mut self,
        target: &Path,
        (own, force, backup): (&Path, bool, bool),
    ) -> Done<Option<Vec<Warned>>> {
        let is_own = fs::canonicalize(target).ok().is_some_and(|target| fs::canonicalize(own).ok() == Some(target))
            || target == own;
        let bytes = self.source.bytes.clone();
        if target.is_dir() {
            return Err(Failure::of_system(ErrorKind::IsADirectory, "is a folder; name a file"));
        }
        match is_own {
            true if bytes == self.on_disk => return Ok(None),
            true if !force && seen(own) != self.seen => {
                return Err(Failure::of_system(
                    ErrorKind::AlreadyExists,
                    "has been changed since it was read; use --force to overwrite it",
                ));
            }
            false if !force && target.exists() => {
                return Err(Failure::of_system(
                    ErrorKind::AlreadyExists,
                    "already exists; use --force to overwrite it",
                ));
            }
            _ => {}
        }
        let stated = stated(self.source.kind, target, &bytes)?;
        if backup && target.exists() {
            output::back_up(target)?;
        }
        put(target, &bytes, None, (&stated, backup))?;
        if is_own {
            self.seen = seen(own);
            self.on_disk = bytes;
        }
        Ok(Some(stated.notes.into_iter().map(Warned::from).collect()))
    }
}
