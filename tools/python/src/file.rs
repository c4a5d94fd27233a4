//! A file in memory: values by their places, arrays that share memory with it, edits, and how it is written.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;
use std::{fs, mem};

use bitexact::edit::{self, resolve, why_nothing};
use bitexact::field::{Address, Json, Shape, decode_text, encode, hex};
use bitexact::kind::Named;
use bitexact::output;
use bitexact::passes::{NameAt, names, spans};
use bitexact::registry::KINDS;
use bytes::Bytes;
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt as _;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PySlice, PyTuple};

use crate::edits::Wishes;
use crate::failure::{Done, Failure};
use crate::index::{Holds, Id, Index, Slot, Spot};
use crate::source::Source;
use crate::value::{dtype, from_python, put, to_python};
use crate::work::{locked, work};

/// A file in memory.
#[pyclass(frozen, module = "bitexact._bitexact")]
pub(crate) struct File {
    path: PathBuf,
    state: Mutex<State>,
    /// Held during an edit, from the look at what Python has changed until the edited file has replaced the other.
    edits: Mutex<()>,
}

struct State {
    source: Source,
    /// The bytes of the file on disk, and the state of it when they were read or written.
    on_disk: Bytes,
    seen: Option<Seen>,
    /// Made when the first place is looked up.
    index: Option<Arc<Index>>,
    names: Option<Arc<Vec<NameAt>>>,
    /// The slots that Python can change, each in memory of its own.
    open: HashMap<u32, Py<PyByteArray>>,
}

/// The size and time of a file, which tell whether another program has written it.
type Seen = (u64, Option<SystemTime>);

fn seen(path: &Path) -> Option<Seen> {
    let about = fs::metadata(path).ok()?;
    Some((about.len(), about.modified().ok()))
}

type Any<'py> = Bound<'py, PyAny>;

#[pymethods]
impl File {
    /// Reads a file.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        work(py, move || {
            let seen = seen(&path);
            let source = Source::read(&path)?;
            let on_disk = source.bytes.clone();
            let (index, names, open) = (None, None, HashMap::new());
            let state = State { source, on_disk, seen, index, names, open };
            Ok(Self { path, state: Mutex::new(state), edits: Mutex::new(()) })
        })
    }

    #[getter]
    fn path(&self) -> &Path {
        &self.path
    }

    #[getter]
    fn kind(&self, py: Python<'_>) -> &'static str {
        self.lock(py).source.kind.name
    }

    #[getter]
    fn games(&self, py: Python<'_>) -> Vec<&'static str> {
        self.lock(py).source.games.iter().map(|game| game.code()).collect()
    }

    /// Returns the labels, places and kinds of the entries in an entry, or in the file itself.
    fn entries(&self, py: Python<'_>, place: &str) -> PyResult<Vec<(String, String, &'static str)>> {
        let index = self.index(py)?;
        let Some(entry) = index.entry(place) else { return Ok(Vec::new()) };
        let inner = entry.inner.iter().map(|inner| {
            let inner = index.nth_entry(*inner);
            let label = inner.place.rsplit('!').next().unwrap_or_default();
            (label.to_owned(), inner.place.clone(), inner.kind)
        });
        Ok(inner.collect())
    }

    /// Returns the kind of an entry, or `None` if there is no such entry.
    fn entry(&self, py: Python<'_>, place: &str) -> PyResult<Option<&'static str>> {
        Ok(self.index(py)?.entry(place).map(|entry| entry.kind))
    }

    /// Returns the bytes of an entry with all edits.
    fn entry_bytes<'py>(&self, py: Python<'py>, place: &str) -> PyResult<Bound<'py, PyBytes>> {
        self.apply(py, Wishes::default())?;
        let bytes = work(py, || {
            let state = locked(&self.state);
            let span = spans(&state.source.model)?.get(place).copied();
            let bytes = span.and_then(|span| span.of(&state.source.bytes)).map(<[u8]>::to_vec);
            bytes.ok_or_else(|| Failure::at(place, "no entry of this name"))
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Returns the place of what has a name: the item of a list, or an object at any depth in another.
    fn named(&self, py: Python<'_>, within: &str, name: &str, is_list: bool) -> PyResult<String> {
        let names = self.names(py)?;
        let within = Address::from(within);
        let holders = |fits: &dyn Fn(&str) -> bool| -> Vec<String> {
            let is_in = |holder: &Address| holder.entry == within.entry && holder.keys.starts_with(&within.keys);
            let fitting = names.iter().filter(|it| it.of != Named::OtherNode && fits(&it.text));
            let fitting: Vec<_> =
                fitting.map(|it| (it.rank, it.holder())).filter(|(_, holder)| is_in(holder)).collect();
            // Of several types of names, those of the first count.
            let first = fitting.iter().map(|(rank, _)| *rank).min();
            let mut found = Vec::new();
            for (_, mut holder) in fitting.into_iter().filter(|(rank, _)| Some(*rank) == first) {
                if is_list {
                    holder.keys.truncate(within.keys.len() + 1);
                }
                found.push(holder.to_string());
            }
            found.dedup();
            found
        };
        let mut found = holders(&|text| text == name);
        if found.is_empty() {
            found = holders(&|text| text.eq_ignore_ascii_case(name));
        }
        match found.as_slice() {
            [one] => Ok(one.clone()),
            [] => Err(PyKeyError::new_err(format!("nothing in {within} has the name {name:?}"))),
            several => Err(PyKeyError::new_err(format!("several have this name: {}", several.join(", ")))),
        }
    }

    /// Returns what is at a place: its type, and its length, names, value or memory. `None` if there is nothing.
    fn look<'py>(&self, py: Python<'py>, place: &str) -> PyResult<Option<Any<'py>>> {
        let (mut state, index) = self.ready(py)?;
        let Some(spot) = state.find(py, &index, &Address::from(place)) else { return Ok(None) };
        let told = |kind: &str, more: Any<'py>| PyTuple::new(py, [kind.into_pyobject(py)?.into_any(), more]);
        let told = match spot {
            Spot::Group(id) if index.is_list(id) => told("list", index.items(id).into_pyobject(py)?.into_any()),
            Spot::Group(id) => told("object", PyList::new(py, index.names(id))?.into_any()),
            Spot::Bytes(_, _, Shape::Record(layout)) => {
                let names = layout.fields.iter().map(|field| field.name);
                told("object", PyList::new(py, names)?.into_any())
            }
            Spot::Bytes(_, _, Shape::Array(..)) => told("array", state.array(py, &index, &spot)?.into_any()),
            Spot::Slot(slot) if matches!(index.slot(slot).holds, Holds::Block(_) | Holds::Raw) => {
                told("array", state.array(py, &index, &spot)?.into_any())
            }
            spot => {
                let value = match state.value(py, &index, &spot) {
                    // What JSON cannot represent is a float all the same.
                    Json::Text(text) if spot.is_float() => {
                        let bits = text.strip_prefix("f32:").and_then(Json::float_of_bits);
                        bits.unwrap_or(f32::NAN).into_pyobject(py)?.into_any()
                    }
                    // Leftover memory after a text stays when the text is set.
                    Json::Object(members) if spot.is_text() => {
                        let text = members.iter().find(|(name, _)| name == "text");
                        to_python(py, text.map_or(&Json::Null, |(_, text)| text))?
                    }
                    value => to_python(py, &value)?,
                };
                told("value", value)
            }
        };
        Ok(Some(told?.into_any()))
    }

    /// Returns the value at a place, as the exchange format has it, with the values that rules compute.
    fn get<'py>(&self, py: Python<'py>, place: &str) -> PyResult<Any<'py>> {
        let place = self.resolved(py, place)?;
        let found = {
            let (state, index) = self.ready(py)?;
            state.find(py, &index, &place).map(|spot| state.value(py, &index, &spot))
        };
        match found {
            Some(value) => to_python(py, &value),
            None => Err(self.nothing(py, &place)),
        }
    }

    /// Sets the value at a place.
    fn set(&self, py: Python<'_>, place: &str, value: &Any<'_>, retype: bool) -> PyResult<()> {
        let (json, place) = (from_python(value)?, self.resolved(py, place)?);
        if !retype {
            let (mut state, index) = self.ready(py)?;
            if let Some(Spot::Bytes(slot, at, shape)) = state.find(py, &index, &place) {
                let mut bytes = state.bytes(py, &index, slot, at, shape.size());
                let mut fitted = shape.show_all(&bytes);
                edit::set(&mut fitted, &[], json.clone(), false)
                    .map_err(|why| Failure::at(place.to_string(), &why).raise(py))?;
                let fits = put(shape, &fitted, &mut bytes);
                if fits.map_err(|why| why.placed(&place).raise(py))? {
                    let open = state.open(py, &index, slot);
                    return open.set_item(range(py, at, at + bytes.len()), PyBytes::new(py, &bytes));
                }
            }
        }
        self.apply(py, Wishes::of_values(vec![(place, json)], retype)).map(drop)
    }

    /// Returns the memory of an array: the buffer, the position in it, the type of numpy and the dimensions.
    fn array<'py>(&self, py: Python<'py>, place: &str) -> PyResult<Bound<'py, PyTuple>> {
        let place = self.resolved(py, place)?;
        let found = {
            let (mut state, index) = self.ready(py)?;
            match state.find(py, &index, &place) {
                Some(spot) => Some(state.array(py, &index, &spot)?),
                None => None,
            }
        };
        found.ok_or_else(|| self.nothing(py, &place))
    }

    /// Makes edits. Returns the values that have been recomputed: their places, and both values.
    #[pyo3(signature = (**edits))]
    fn edit<'py>(&self, py: Python<'py>, edits: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyList>> {
        let wishes = edits.map(Wishes::of).transpose()?.unwrap_or_default();
        self.apply(py, wishes)
    }

    /// Returns the bytes of the file with all edits.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.apply(py, Wishes::default())?;
        let bytes = work(py, || Ok(encode(&locked(&self.state).source.model)?))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Writes the file with all edits, atomically. Returns `false` if nothing has changed, so that nothing was written.
    #[pyo3(signature = (path, force, backup))]
    fn save(&self, py: Python<'_>, path: Option<PathBuf>, force: bool, backup: bool) -> PyResult<bool> {
        self.apply(py, Wishes::default())?;
        work(py, || {
            let mut state = locked(&self.state);
            let target = path.as_deref().unwrap_or(&self.path);
            state.write(target, (&self.path, force, backup)).map_err(|failure| failure.of(target))
        })
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<{} {}>", self.lock(py).source.kind.name, self.path.display())
    }
}

impl File {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, State> {
        self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    fn index(&self, py: Python<'_>) -> PyResult<Arc<Index>> {
        if let Some(index) = &self.lock(py).index {
            return Ok(index.clone());
        }
        work(py, || locked(&self.state).index())
    }

    /// Locks the file together with its index.
    fn ready(&self, py: Python<'_>) -> PyResult<(MutexGuard<'_, State>, Arc<Index>)> {
        loop {
            self.index(py)?;
            let state = self.lock(py);
            // Another thread may have edited the file meanwhile.
            if let Some(index) = state.index.clone() {
                return Ok((state, index));
            }
        }
    }

    fn names(&self, py: Python<'_>) -> PyResult<Arc<Vec<NameAt>>> {
        if let Some(names) = &self.lock(py).names {
            return Ok(names.clone());
        }
        work(py, || {
            let mut state = locked(&self.state);
            let found = Arc::new(names(&state.source.model, state.source.kind, KINDS)?);
            state.names = Some(found.clone());
            Ok(found)
        })
    }

    /// Returns the place that `@NAME` leads to.
    fn resolved(&self, py: Python<'_>, place: &str) -> PyResult<Address> {
        let address = Address::from(place);
        if !address.entry.starts_with('@') {
            return Ok(address);
        }
        work(py, || {
            let state = locked(&self.state);
            let found = resolve(&state.source.model, (state.source.kind, KINDS), &address)?;
            found.map_err(|why| Failure::at(address.to_string(), &why))
        })
    }

    /// Returns the error for a place where nothing is.
    fn nothing(&self, py: Python<'_>, place: &Address) -> PyErr {
        let why = work(py, || Ok(why_nothing(&locked(&self.state).source.model, place)?));
        match why {
            Ok(why) => Failure::at(place.to_string(), &why).raise(py),
            Err(error) => error,
        }
    }

    /// Applies the edits of arrays and values, then others. If one is refused, none is made, and the arrays keep theirs.
    fn apply<'py>(&self, py: Python<'py>, mut wishes: Wishes) -> PyResult<Bound<'py, PyList>> {
        let edits = self.edits.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let sent = {
            let state = self.lock(py);
            let (set, sent) = state.changed(py);
            wishes.set_first(set);
            sent
        };
        let told = PyList::empty(py);
        if wishes.is_empty() {
            return Ok(told);
        }
        let (edited, index, recomputed, warnings) = work(py, || {
            let state = locked(&self.state);
            let (edited, recomputed) = wishes.apply(&state.source)?;
            let warnings = edited.warnings(&state.source)?;
            let index = Index::of(edited.kind.name, &edited.model)?;
            Ok((edited, index, recomputed, warnings))
        })?;
        let old = self.lock(py).replace(py, (edited, index), &sent);
        drop(edits);
        // To free a large model takes time.
        work(py, move || {
            drop(old);
            Ok(())
        })?;
        crate::warn(py, warnings)?;
        for it in recomputed {
            told.append((it.place, to_python(py, &it.was)?, to_python(py, &it.now)?))?;
        }
        Ok(told)
    }
}

fn range(py: Python<'_>, begin: usize, end: usize) -> Bound<'_, PySlice> {
    PySlice::new(py, begin as isize, end as isize, 1)
}

impl State {
    fn index(&mut self) -> Done<Arc<Index>> {
        if let Some(index) = &self.index {
            return Ok(index.clone());
        }
        let index = Arc::new(Index::of(self.source.kind.name, &self.source.model)?);
        self.index = Some(index.clone());
        Ok(index)
    }

    fn find(&self, py: Python<'_>, index: &Index, place: &Address) -> Option<Spot> {
        index.find(place, &|slot, at, size| self.bytes(py, index, slot, at, size))
    }

    /// Returns the bytes of a slot as the file has them.
    fn original(&self, slot: Slot) -> &[u8] {
        self.source.bytes.get(slot.offset..slot.offset + slot.length).unwrap_or_default()
    }

    /// Returns bytes of a slot, perhaps changed.
    fn bytes(&self, py: Python<'_>, index: &Index, slot: u32, at: usize, size: usize) -> Vec<u8> {
        let changed = self.open.get(&slot).and_then(|open| {
            let part = open.bind(py).get_item(range(py, at, at + size)).ok()?;
            part.cast::<PyByteArray>().ok().map(|part| part.to_vec())
        });
        let original = || self.original(index.slot(slot)).get(at..at + size).unwrap_or_default().to_vec();
        changed.unwrap_or_else(original)
    }

    /// Returns the memory of a slot that Python can change.
    fn open<'py>(&mut self, py: Python<'py>, index: &Index, slot: u32) -> Bound<'py, PyByteArray> {
        if let Some(open) = self.open.get(&slot) {
            return open.bind(py).clone();
        }
        let open = PyByteArray::new(py, self.original(index.slot(slot)));
        self.open.insert(slot, open.clone().unbind());
        open
    }

    /// Returns a value.
    fn value(&self, py: Python<'_>, index: &Index, spot: &Spot) -> Json {
        match spot {
            Spot::Group(id) => self.group(py, index, *id),
            Spot::Bytes(slot, at, shape) => shape.show_all(&self.bytes(py, index, *slot, *at, shape.size())),
            Spot::Slot(slot) => self.slot(py, index, *slot),
            Spot::Inside(id, keys) => {
                let whole = match (index.fact(*id), index.held(*id)) {
                    (Some(fact), _) => fact.clone(),
                    (None, Some(slot)) => self.slot(py, index, slot),
                    (None, None) => Json::Null,
                };
                keys.iter().try_fold(&whole, |json, key| json.step(key)).cloned().unwrap_or_default()
            }
        }
    }

    fn slot(&self, py: Python<'_>, index: &Index, slot: u32) -> Json {
        let Slot { length, holds, .. } = index.slot(slot);
        let bytes = self.bytes(py, index, slot, 0, length);
        match holds {
            Holds::Fields(layout) => Json::Object(layout.show_all(&bytes)),
            Holds::Value(item) => item.shape.show_all(&bytes),
            Holds::Count(leaf) => (leaf.show)(&bytes),
            Holds::Block(item) => bytes.chunks_exact(item.size.max(1)).map(|row| item.shape.show_all(row)).collect(),
            Holds::Text(page) => decode_text(page, &bytes).into(),
            Holds::Coded(coding) => match (coding.show)(&bytes) {
                Json::Null => Json::Bytes(bytes),
                value => value,
            },
            Holds::Raw => Json::Bytes(bytes),
        }
    }

    fn group(&self, py: Python<'_>, index: &Index, id: Id) -> Json {
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
        if is_list { Json::List(items) } else { Json::Object(members) }
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
    fn array<'py>(&mut self, py: Python<'py>, index: &Index, spot: &Spot) -> PyResult<Bound<'py, PyTuple>> {
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
    fn changed(&self, py: Python<'_>) -> (Vec<(Address, Json)>, HashMap<u32, Vec<u8>>) {
        let Some(index) = &self.index else { return Default::default() };
        let sent: HashMap<u32, Vec<u8>> =
            self.open.iter().map(|(slot, open)| (*slot, open.bind(py).to_vec())).collect();
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
    fn replace(&mut self, py: Python<'_>, (edited, index): (Source, Index), sent: &HashMap<u32, Vec<u8>>) -> Source {
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

    /// Writes the file.
    fn write(&mut self, target: &Path, (own, force, backup): (&Path, bool, bool)) -> Done<bool> {
        let is_own = fs::canonicalize(target).ok().is_some_and(|target| fs::canonicalize(own).ok() == Some(target))
            || target == own;
        let bytes = self.source.bytes.clone();
        if target.is_dir() {
            return Err(Failure::new("is a folder; name a file"));
        }
        match is_own {
            true if bytes == self.on_disk => return Ok(false),
            true if !force && seen(own) != self.seen => {
                return Err(Failure::new("has been changed since it was read; use --force to overwrite it"));
            }
            false if !force && target.exists() => {
                return Err(Failure::new("already exists; use --force to overwrite it"));
            }
            _ => {}
        }
        if backup && target.exists() {
            output::back_up(target)?;
        }
        output::write(target, &bytes)?;
        if is_own {
            self.seen = seen(own);
            self.on_disk = bytes;
        }
        Ok(true)
    }
}

/// The maximum number of rows of a block that are changed one by one.
const FEW: usize = 64;

/// Adds the values of a slot that differ.
fn differing(slot: Slot, place: &Address, (old, new): (&[u8], &[u8]), set: &mut Vec<(Address, Json)>) {
    match slot.holds {
        Holds::Fields(layout) => of_record(layout, place, (old, new), set),
        Holds::Value(item) => of_shape(&item.shape, place.clone(), (old, new), set),
        Holds::Block(item) => {
            let size = item.size.max(1);
            let rows = || old.chunks_exact(size).zip(new.chunks_exact(size)).enumerate();
            let many = rows().filter(|(_, (old, new))| old != new).nth(FEW).is_some();
            // What its container computes is not in a list of records, so these are changed one by one.
            if many && !matches!(item.shape, Shape::Record(_)) {
                set.push((place.clone(), new.chunks_exact(size).map(|row| item.shape.show(row)).collect()));
                return;
            }
            for (index, (old, new)) in rows().filter(|(_, (old, new))| old != new) {
                of_shape(&item.shape, place.with(index.to_string()), (old, new), set);
            }
        }
        Holds::Raw => set.push((place.clone(), hex(new).into())),
        Holds::Count(_) | Holds::Text(_) | Holds::Coded(_) => {}
    }
}

fn of_shape(shape: &Shape, place: Address, (old, new): (&[u8], &[u8]), set: &mut Vec<(Address, Json)>) {
    match shape {
        Shape::Record(layout) => of_record(layout, &place, (old, new), set),
        shape => set.push((place, shape.show(new))),
    }
}

fn of_record(
    layout: &'static bitexact::field::Layout,
    place: &Address,
    (old, new): (&[u8], &[u8]),
    set: &mut Vec<(Address, Json)>,
) {
    for field in layout.fields {
        if let (Some(was), Some(now)) = (field.of(old), field.of(new))
            && was != now
        {
            of_shape(field.shape_in(new), place.with(field.name), (was, now), set);
        }
    }
}
