//! Values of the exchange format as objects of Python, and shapes as types of numpy.

use std::collections::HashMap;
use std::sync::Mutex;

use ::field::{Leaf, Shape, Takes, hex, limits};
use bitexact::field::Value;
use bitexact::json::Describe as _;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::failure::{Done, Failure};
use crate::work::locked;

/// Returns a value as an object of Python.
pub(crate) fn to_python<'py>(py: Python<'py>, json: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match json {
        Value::Null => py.None().into_bound(py),
        Value::Bool(value) => PyBool::new(py, *value).to_owned().into_any(),
        Value::Integer(value) | Value::Named(None, value) => value.into_pyobject(py)?.into_any(),
        Value::Float(value) => value.into_pyobject(py)?.into_any(),
        Value::Fixed(parts) => (*parts as f64 / 65536.0).into_pyobject(py)?.into_any(),
        Value::Text(text) | Value::Named(Some(text), _) => text.as_str().into_pyobject(py)?.into_any(),
        Value::Bytes(bytes) => PyBytes::new(py, bytes).into_any(),
        Value::List(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(to_python(py, item)?)?;
            }
            list.into_any()
        }
        Value::Object(members) => {
            let dict = PyDict::new(py);
            for (name, value) in members {
                let number = if name == "value" { wide(py, json, value)? } else { None };
                dict.set_item(name.as_str(), number.map_or_else(|| to_python(py, value), Ok)?)?;
            }
            dict.into_any()
        }
    })
}

/// Returns the number of a field of a GFF that JSON has as text, because readers of JSON would round it.
fn wide<'py>(py: Python<'py>, field: &Value, value: &Value) -> PyResult<Option<Bound<'py, PyAny>>> {
    let (Some(of), Value::Text(text)) = (field.get("type").and_then(Value::text), value) else { return Ok(None) };
    Ok(match of {
        "double" => text.parse::<f64>().ok().map(|value| PyFloat::new(py, value).into_any()),
        "int64" => text.parse::<i64>().ok().map(|value| value.into_pyobject(py)).transpose()?.map(Bound::into_any),
        "dword64" => text.parse::<u64>().ok().map(|value| value.into_pyobject(py)).transpose()?.map(Bound::into_any),
        _ => None,
    })
}

/// Returns `true` if a value is a field of a GFF whose number can be too large for 63 bits.
pub(crate) fn is_dword64(field: &Value) -> bool {
    field.get("type").and_then(Value::text).is_some_and(|of| of == "dword64")
}

/// Returns an object of Python as a value. Arrays and numbers of numpy become lists and numbers.
pub(crate) fn from_python(value: &Bound<'_, PyAny>) -> PyResult<Value> {
    nested(value, 0)
}

/// Does the same for an object in this number of lists and dictionaries.
fn nested(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    let py = value.py();
    if depth > limits::NESTING {
        return Err(PyValueError::new_err(format!("expected lists in at most {} others, found more", limits::NESTING)));
    }
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(truth.is_true().into());
    }
    if value.is_instance_of::<PyInt>() {
        return value.extract::<i64>().map(Value::from).map_err(|_| match value.str() {
            Ok(digits) => PyOverflowError::new_err(format!(
                "expected a number of at most 64 bits, found {digits}; write one of a dword64 as text"
            )),
            Err(error) => error,
        });
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(of_float(value.extract()?));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_cow()?.as_ref().into());
    }
    if value.is_instance_of::<PyBytes>() || value.is_instance_of::<PyByteArray>() {
        return Ok(hex(&value.extract::<Vec<u8>>()?).into());
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        let member = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok((name.extract::<String>()?.into(), nested(&value, depth + 1)?))
        };
        return Ok(Value::Object(dict.iter().map(member).collect::<PyResult<_>>()?));
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        return value.try_iter()?.map(|item| nested(&item?, depth + 1)).collect();
    }
    // Arrays and scalars of numpy.
    match value.getattr(pyo3::intern!(py, "tolist")) {
        Ok(listed) => nested(&listed.call0()?, depth + 1),
        Err(_) => Err(PyTypeError::new_err(format!("no value of a file: {}", value.get_type().name()?))),
    }
}

/// Returns a float; what JSON cannot represent becomes text. Whether a field can hold it is for the field to say, with its place.
fn of_float(value: f64) -> Value {
    if value.is_finite() { Value::Float(value) } else { Value::from(value as f32) }
}

/// Returns the value for a place. An integer that only a `dword64` can hold is text, as there.
pub(crate) fn placed(place: &str, value: &Bound<'_, PyAny>, is_dword64: bool) -> PyResult<Value> {
    let py = value.py();
    if is_dword64
        && value.is_instance_of::<PyInt>()
        && value.extract::<i64>().is_err()
        && value.extract::<u64>().is_ok()
    {
        return Ok(value.str()?.to_cow()?.as_ref().into());
    }
    from_python(value).map_err(|error| match error.is_instance_of::<PyOverflowError>(py) {
        true => Failure::at(place, &error.value(py).to_string()).raise(py),
        false => error,
    })
}

/// Sets bytes of fixed shape to a value. Returns `false` if the value needs the rest of the file, such as the name of what an index
/// refers to.
pub(crate) fn put(shape: &Shape, value: &Value, bytes: &mut [u8]) -> Done<bool> {
    let misfit = |expected: &str| Failure::new(format!("expected {expected}, found {}", value.describe()));
    match (shape, value) {
        (Shape::Leaf(leaf), _) => match leaf.set(value, bytes) {
            Ok(()) => Ok(true),
            Err(_) if leaf.refers => Ok(false),
            Err(expected) => Err(misfit(&expected)),
        },
        (Shape::Array(of, count), Value::List(items)) if items.len() == *count => {
            let rows = items.iter().zip(bytes.chunks_exact_mut(of.size().max(1)));
            rows.map(|(item, row)| put(of, item, row)).try_fold(true, |all, one| Ok(all && one?))
        }
        (Shape::Array(_, count), _) => Err(misfit(&format!("a list of {count}"))),
        // The rules of a record can compute some of its fields.
        (Shape::Record(_), _) => Ok(false),
    }
}

/// Returns the type of numpy for values of a shape, and the dimensions of an array of arrays.
pub(crate) fn dtype<'py>(py: Python<'py>, shape: &Shape) -> PyResult<(Bound<'py, PyAny>, Vec<usize>)> {
    match shape {
        Shape::Leaf(leaf) => {
            let (code, dimensions) = code(leaf);
            let code = code.into_pyobject(py)?.into_any();
            match meaning(py, leaf)? {
                Some(meaning) => {
                    let with = PyDict::new(py);
                    with.set_item("metadata", meaning)?;
                    Ok((py.import("numpy")?.getattr("dtype")?.call((code,), Some(&with))?, dimensions))
                }
                None => Ok((code, dimensions)),
            }
        }
        Shape::Array(of, count) => {
            let (inner, mut dimensions) = dtype(py, of)?;
            dimensions.insert(0, *count);
            Ok((inner, dimensions))
        }
        Shape::Record(layout) => {
            let fields = PyList::empty(py);
            for field in layout.fields {
                let (inner, dimensions) = dtype(py, &field.shape)?;
                match dimensions.is_empty() {
                    true => fields.append((field.name, inner))?,
                    false => fields.append((field.name, inner, PyTuple::new(py, dimensions)?))?,
                }
            }
            Ok((fields.into_any(), Vec::new()))
        }
    }
}

/// Returns what numbers of this type mean, as the metadata of a type of numpy: `names`, `flags` (the numbers by name), or `fixed` (the
/// number that stands for 1). `None` if they are only numbers.
fn meaning<'py>(py: Python<'py>, leaf: &Leaf) -> PyResult<Option<Bound<'py, PyDict>>> {
    let (key, listed) = match leaf.takes {
        Takes::Names(names) => ("names", names()),
        Takes::Flags(names) => ("flags", names()),
        Takes::Fixed => ("fixed", Vec::new()),
        _ => return Ok(None),
    };
    static KNOWN: Mutex<Option<HashMap<usize, Py<PyDict>>>> = Mutex::new(None);
    let id = std::ptr::from_ref(leaf) as usize;
    if let Some(known) = locked(&KNOWN).as_ref().and_then(|known| known.get(&id)) {
        return Ok(Some(known.bind(py).clone()));
    }
    let stored = |value: &Value| {
        let mut bytes = vec![0; leaf.size];
        leaf.set(value, &mut bytes).ok()?;
        whole(leaf, &bytes)
    };
    let meaning = PyDict::new(py);
    if key == "fixed" {
        meaning.set_item(key, stored(&Value::Fixed(1 << 16)))?;
    } else {
        let numbers = PyDict::new(py);
        for name in listed {
            if let Some(number) = stored(&name.into()) {
                numbers.set_item(name, number)?;
            }
        }
        if numbers.is_empty() {
            return Ok(None);
        }
        meaning.set_item(key, numbers)?;
    }
    locked(&KNOWN).get_or_insert_default().insert(id, meaning.clone().unbind());
    Ok(Some(meaning))
}

/// Returns the whole number that bytes of a type hold, as numpy reads it.
fn whole(leaf: &Leaf, bytes: &[u8]) -> Option<i64> {
    let (code, _) = code(leaf);
    let little = code.starts_with('<');
    let mut wide = [if code.contains('i') && is_negative(bytes, little) { 0xFF } else { 0 }; 8];
    for (at, byte) in bytes.iter().enumerate() {
        let place = if little { at } else { bytes.len() - 1 - at };
        *wide.get_mut(place)? = *byte;
    }
    Some(i64::from_le_bytes(wide))
}

fn is_negative(bytes: &[u8], little: bool) -> bool {
    let last = if little { bytes.last() } else { bytes.first() };
    last.is_some_and(|byte| *byte >= 0x80)
}

/// Returns the code of numpy for a value, and its dimensions: bytes are arrays of them.
fn code(leaf: &Leaf) -> (String, Vec<usize>) {
    let size = leaf.size;
    match leaf.takes {
        Takes::Text if leaf.name != "u64" => (format!("S{size}"), Vec::new()),
        Takes::Hex => ("u1".to_owned(), vec![size]),
        _ if !matches!(size, 1 | 2 | 4 | 8) => ("u1".to_owned(), vec![size]),
        takes => {
            // The bytes that it writes for a number show their order, and whether there are negative ones.
            let stored = |value: Value| {
                let mut bytes = vec![0; size];
                leaf.set(&value, &mut bytes).ok().map(|()| bytes)
            };
            let (one, sign) = match takes {
                Takes::Float => (stored(Value::Float(1.0)), 'f'),
                Takes::Text => (stored("0x1".into()), 'u'),
                Takes::Truth => (stored(true.into()), 'u'),
                Takes::Fixed => (stored(Value::Fixed(1)), if stored(Value::Fixed(-1)).is_some() { 'i' } else { 'u' }),
                _ => (stored(1.into()), if stored((-1_i64).into()).is_some() { 'i' } else { 'u' }),
            };
            // The last byte of a little-endian 1 is 0, and that of a little-endian 1.0 is not.
            let last = one.as_ref().and_then(|one| one.last()).copied().unwrap_or(0);
            let is_little = if matches!(takes, Takes::Float) { last != 0 } else { last == 0 };
            let order = if size == 1 || is_little { '<' } else { '>' };
            (format!("{order}{sign}{size}"), Vec::new())
        }
    }
}
