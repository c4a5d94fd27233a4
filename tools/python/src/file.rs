//! A file in memory: values by their places, arrays that share memory with it, edits, and how it is written.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ::field::Shape;
use bitexact::edit::{self, has_names, resolve, why_nothing};
use bitexact::field::{Address, Value, encode};
use bitexact::kind::Named;
use bitexact::passes::{NameAt, names, spans};
use bitexact::registry::KINDS;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt as _;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyList, PyString, PyTuple};

use crate::edits::Wishes;
use crate::failure::{BitexactError, Failure};
use crate::folders::{is_usual, row};
use crate::index::{Holds, Index, Spot};
use crate::source::Source;
use crate::state::{State, range, seen};
use crate::value::{is_dword64, placed, put, to_python};
use crate::warned::warn;
use crate::work::{locked, work};

/// A file in memory.
#[pyclass(frozen, module = "bitexact._bitexact")]
pub(crate) struct File {
    path: PathBuf,
    state: Mutex<State>,
    /// The items of lists that edits have moved, in order: the entry, the list and the first index. Parts compare it with their age.
    moves: Py<PyList>,
    /// Held during an edit, from the look at what Python has changed until the edited file has replaced the other.
    edits: Mutex<()>,
}

type Any<'py> = Bound<'py, PyAny>;

#[pymethods]
impl File {
    /// Reads a file.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let moves = PyList::empty(py).unbind();
        work(py, move || {
            let seen = seen(&path);
            let source = Source::read(&path)?;
            let on_disk = source.bytes.clone();
            let (index, names, open) = (None, None, HashMap::new());
            let state = State { source, on_disk, seen, index, names, open };
            Ok(Self { path, state: Mutex::new(state), moves, edits: Mutex::new(()) })
        })
    }

    #[getter]
    fn path(&self) -> &Path {
        &self.path
    }

    #[getter]
    fn moves(&self, py: Python<'_>) -> Py<PyList> {
        self.moves.clone_ref(py)
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
            bytes.ok_or_else(|| Failure::at(place, "no entry of this name").of(&self.path))
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
        let Some((spot, decoded)) = state.there(py, &index, &Address::from(place)) else { return Ok(None) };
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
                let value = match decoded.unwrap_or_else(|| state.value(py, &index, &spot)) {
                    // What JSON cannot represent is a float all the same.
                    Value::Text(text) if spot.is_float() => {
                        let bits = text.strip_prefix("f32:").and_then(::field::float_of_bits);
                        bits.unwrap_or(f32::NAN).into_pyobject(py)?.into_any()
                    }
                    // Leftover memory after a text stays when the text is set.
                    Value::Object(members) if spot.is_text() => {
                        let text = members.iter().find(|(name, _)| name == "text");
                        to_python(py, text.map_or(&Value::Null, |(_, text)| text))?
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
            let there = state.there(py, &index, &place);
            there.map(|(spot, decoded)| decoded.unwrap_or_else(|| state.value(py, &index, &spot)))
        };
        match found {
            Some(value) => to_python(py, &value),
            None => Err(self.nothing(py, &place)),
        }
    }

    /// Returns the place that one with names leads to; others stay as they are.
    fn resolve(&self, py: Python<'_>, place: &str) -> PyResult<String> {
        Ok(self.resolved(py, place)?.to_string())
    }

    /// Returns the rows of the warnings of the file with all edits, as JSON. `all` also tells those that are usual in unedited files.
    fn lint(&self, py: Python<'_>, all: bool) -> PyResult<Vec<String>> {
        self.apply(py, Wishes::default())?;
        let path = self.path.display().to_string();
        work(py, || {
            let state = locked(&self.state);
            let Source { name, bytes, kind, model, .. } = &state.source;
            let warnings = bitexact::verify::lint(kind, name, model, bytes)?;
            let told = warnings.iter().filter(|it| all || !is_usual(it));
            Ok(told.map(|it| row(&path, Some(kind.name), it)).collect())
        })
    }

    /// Sets the value at a place.
    fn set(&self, py: Python<'_>, place: &str, value: &Any<'_>, retype: bool) -> PyResult<()> {
        let place = self.resolved(py, place)?;
        // Such a float is written as text where a float is.
        if let Ok(number) = value.cast::<PyFloat>()
            && !number.value().is_finite()
            && let Some(found) = self.look(py, &place.to_string())?
            && found.get_item(1)?.is_instance_of::<PyString>()
        {
            let why = format!("expected text, found {}", number.value());
            return Err(Failure::at(place.to_string(), &why).of(&self.path).raise(py));
        }
        let json =
            placed(&place.to_string(), value, self.is_dword64(py, &place)?).map_err(|error| self.in_file(py, error))?;
        if !retype {
            let (mut state, index) = self.ready(py)?;
            if let Some(Spot::Bytes(slot, at, shape)) = state.find(py, &index, &place) {
                let mut bytes = state.bytes(py, &index, slot, at, shape.size());
                let mut fitted = shape.show_all(&bytes);
                edit::set(&mut fitted, &[], json.clone(), false)
                    .map_err(|why| Failure::at(place.to_string(), &why).of(&self.path).raise(py))?;
                let fits = put(shape, &fitted, &mut bytes);
                if fits.map_err(|why| why.placed(&place).of(&self.path).raise(py))? {
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
        let wishes = edits.map(Wishes::of).transpose().map_err(|error| self.in_file(py, error))?;
        self.apply(py, wishes.unwrap_or_default())
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
        let written = work(py, || {
            let mut state = locked(&self.state);
            let target = path.as_deref().unwrap_or(&self.path);
            state.write(target, (&self.path, force, backup)).map_err(|failure| failure.of(target))
        })?;
        let is_written = written.is_some();
        warn(py, written.unwrap_or_default())?;
        Ok(is_written)
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

    /// Returns the place that one with names leads to.
    fn resolved(&self, py: Python<'_>, place: &str) -> PyResult<Address> {
        let address = Address::from(place);
        // Most places have none, and need no thread of their own.
        if !has_names(&address) {
            return Ok(address);
        }
        work(py, || {
            let state = locked(&self.state);
            let found = resolve(&state.source.model, (state.source.kind, KINDS), &address)?;
            found.map_err(|why| Failure::at(address.to_string(), &why).of(&self.path))
        })
    }

    /// Returns `true` if a place is a field of a GFF of type `dword64`, or the value of one: they hold larger integers than all others.
    fn is_dword64(&self, py: Python<'_>, place: &Address) -> PyResult<bool> {
        let (state, index) = self.ready(py)?;
        let mut place = place.clone();
        if place.keys.last().is_some_and(|key| key == "value") {
            place.keys.pop();
        }
        let there = state.there(py, &index, &place);
        // Only what has an encoding of its own.
        Ok(there.is_some_and(|(_, decoded)| decoded.is_some_and(|value| is_dword64(&value))))
    }

    /// Adds the path of the file to an error about a value.
    fn in_file(&self, py: Python<'_>, error: PyErr) -> PyErr {
        match error.is_instance_of::<BitexactError>(py) {
            true => {
                let value = error.value(py);
                let place = value.getattr("place").and_then(|place| place.extract::<String>()).unwrap_or_default();
                let why = value.to_string();
                let why = why.strip_prefix(&format!("{place}: ")).unwrap_or(&why);
                Failure::at(place, why).of(&self.path).raise(py)
            }
            false => error,
        }
    }

    /// Returns the error for a place where nothing is.
    fn nothing(&self, py: Python<'_>, place: &Address) -> PyErr {
        let why = work(py, || Ok(why_nothing(&locked(&self.state).source.model, place)?));
        match why {
            Ok(why) => Failure::at(place.to_string(), &why).of(&self.path).raise(py),
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
            let refused = |failure: Failure| failure.in_entries(&state.source.model, &wishes.places()).of(&self.path);
            let (edited, recomputed, mut warnings) = wishes.apply(&state.source).map_err(refused)?;
            warnings.extend(edited.warnings(&edited.compared(&state.source)?)?);
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
        warn(py, warnings)?;
        for it in recomputed {
            told.append((it.place, to_python(py, &it.was)?, to_python(py, &it.now)?))?;
        }
        Ok(told)
    }
}
