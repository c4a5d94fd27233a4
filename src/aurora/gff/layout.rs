//! How a file deviates from what the game would write for its tree: `__layout` in JSON.
//!
//! Source: `nwn-gff.md`, sections 4.1 and 7.

use core::ops::Range;
use std::collections::{HashMap, HashSet};

use field::{LoadError, Loaded, ReplacedField, Step, Value};
use json::Describe as _;
use passes::Sha;

use super::keys::{Label, intern};
use super::sections::{HEAD, LABEL, ROW, Row, Sections, gaps, has_data, sharing};
use super::tree::{Numbers, Tree};
use super::write::{Order, write};
use crate::{base64, part};

/// The key of the object.
pub(crate) const KEY: &str = json::LAYOUT;
/// The sections that are kept whole if nothing else describes them, in file order.
const SECTIONS: [&str; 6] = ["structs64", "fields64", "labels64", "data64", "field_indices64", "list_indices64"];

/// Returns how a file deviates, or `None` if it does not.
pub(super) fn show(it: &Sections<'_>, tree: &Tree, numbers: &Numbers) -> Option<Value> {
    let known = it.bytes.get(..it.end()).unwrap_or(it.bytes);
    let tail = part(it.bytes, it.end()..);
    let missing = it.end().saturating_sub(it.bytes.len());
    let fits = |file: &[u8]| file.get(..file.len().saturating_sub(missing)) == Some(known);
    let mut order = Order::default();
    let mut best = write(tree, &order).unwrap_or_default();
    if !fits(&best) {
        order = find(it, tree, numbers);
        let packed = [None, Some(true), Some(false)].map(|packed| Order { packed, ..order.clone() });
        let written = packed.into_iter().filter_map(|order| Some((write(tree, &order)?, order)));
        // With fields that several structs share, an order can be written but not read back.
        let mut written: Vec<_> =
            written.filter(|(file, order)| *order == Order::default() || holds(file, tree)).collect();
        let found = written.iter().position(|(file, _)| fits(file)).unwrap_or(0);
        match written.is_empty() {
            true => order = Order::default(),
            false => (best, order) = written.swap_remove(found),
        }
    }
    let mut members = vec![("of".into(), Value::from(digest(&tree.shape())))];
    let mut put = |name: &'static str, value: Option<Value>| members.extend(value.map(|value| (name.into(), value)));
    put("labels", order.labels.as_ref().map(|labels| Value::from(base64::encode(labels.as_flattened()))));
    put("label_of", order.label_of.map(Value::from));
    put("numbers", order.fields.map(Value::from));
    put("structs", order.structs.map(Value::from));
    put("packed", order.packed.map(Value::from));
    if !fits(&best) {
        put("sections", Some(sections(it, tree, &best)));
    }
    put("missing", (missing > 0).then(|| missing.into()));
    put("tail64", (!tail.is_empty()).then(|| base64::encode(tail).into()));
    (members.len() > 1).then_some(Value::Object(members))
}

/// Returns the order of a file: its numbers and labels, as far as they are not those of a walk.
fn find(it: &Sections<'_>, tree: &Tree, numbers: &Numbers) -> Order {
    let mut order = Order::default();
    let count = u32::try_from(tree.fields.len()).unwrap_or(u32::MAX);
    if !numbers.fields.iter().copied().eq(0..count) {
        order.fields = Some(numbers.fields.clone());
    }
    // The labels in the order of first use by the numbers of fields.
    let mut by_number: Vec<usize> = (0..tree.fields.len()).collect();
    by_number.sort_by_key(|field| numbers.fields.get(*field));
    let mut used: Vec<Label> = Vec::new();
    let mut known = HashSet::new();
    for label in by_number.into_iter().filter_map(|field| Some(tree.fields.get(field)?.label)) {
        if known.insert(label) {
            used.push(label);
        }
    }
    let stored = part(it.bytes, it.labels.clone()).as_chunks::<LABEL>().0;
    if used != stored {
        order.labels = Some(stored.to_vec());
    }
    let mut firsts = HashMap::new();
    for (at, label) in (0_u32..).zip(order.labels.as_deref().unwrap_or(&used)) {
        firsts.entry(*label).or_insert(at);
    }
    let is_first = tree.fields.iter().zip(&numbers.labels).all(|(it, at)| firsts.get(&it.label) == Some(at));
    if !is_first {
        order.label_of = Some(numbers.labels.clone());
    }
    // Structs are numbered as they are created, unless the file has other numbers.
    let plain = write(tree, &order).is_some_and(|file| {
        let written = Sections::of(&file).ok().map(|it| Tree::of(&it).1);
        written.is_some_and(|written| written.structs == numbers.structs)
    });
    if !plain {
        order.structs = Some(numbers.structs.clone());
    }
    order
}

/// Returns the sections that differ from those of a written file, and the whole of those that do.
fn sections(it: &Sections<'_>, tree: &Tree, written: &[u8]) -> Value {
    let mut members = vec![("of".into(), Value::from(digest(&tree.content())))];
    let other = Sections::of(written).ok();
    let own = [&it.structs, &it.fields, &it.labels, &it.data, &it.field_indices, &it.list_indices];
    let others =
        other.as_ref().map(|it| [&it.structs, &it.fields, &it.labels, &it.data, &it.field_indices, &it.list_indices]);
    for (nth, (name, range)) in SECTIONS.into_iter().zip(own).enumerate() {
        let mut bytes = part(it.bytes, range.start..range.end.min(it.bytes.len())).to_vec();
        bytes.resize(range.len(), 0);
        let written = others.and_then(|others| written.get((*others.get(nth)?).clone()));
        if written != Some(&bytes[..]) {
            members.push((name.into(), base64::encode(&bytes).into()));
        }
    }
    Value::Object(members)
}

/// Returns the report that the order of a file has been replaced.
pub(crate) fn lost(now: &str) -> ReplacedField {
    ReplacedField { steps: vec![Step::Name(KEY)], was: "the order of the file".into(), now: now.into() }
}

/// Returns the report that fields which shared their data now have their own, and that data of no field are gone, given the order of the
/// file that has been replaced.
pub(crate) fn unshared(json: &Value) -> Option<ReplacedField> {
    let sections = json.get(KEY)?.get("sections")?;
    let bytes = |name| sections.get(name).and_then(Value::text).and_then(base64::decode);
    let (fields, data) = (bytes("fields64")?, bytes("data64")?);
    let (end, whole) = (fields.len(), [&fields[..], &data].concat());
    let none = || whole.len()..whole.len();
    let it = Sections {
        bytes: &whole,
        structs: 0..0,
        fields: 0..end,
        labels: end..end,
        data: end..whole.len(),
        field_indices: none(),
        list_indices: none(),
    };
    let shared = sharing(&it).len();
    let mut ranges = data_ranges(&it);
    ranges.sort_by_key(|range| range.start);
    ranges.dedup();
    let unowned: usize = gaps(&it.data, &ranges).into_iter().map(|gap| gap.len()).sum();
    let counted = kind::counted;
    let was = match (shared, unowned) {
        (0, 0) => return None,
        (_, 0) => format!("data of other fields in {}", counted(shared, "field", "s")),
        (0, _) => format!("{} of data that no field has", counted(unowned, "byte", "s")),
        _ => format!(
            "data of other fields in {}, and {} of data that no field has",
            counted(shared, "field", "s"),
            counted(unowned, "byte", "s")
        ),
    };
    let steps = vec![Step::Name(KEY), Step::Name("sections")];
    Some(ReplacedField { steps, was: was.into(), now: "data of its own for each field".into() })
}

/// Returns the places of the data of all fields.
fn data_ranges(it: &Sections<'_>) -> Vec<Range<usize>> {
    let of = |field| {
        let Row { kind, value, .. } = it.row(field);
        Some(kind).filter(|kind| has_data(*kind)).and_then(|kind| it.data_of(kind, value).ok())
    };
    (0..it.field_count()).filter_map(of).collect()
}

/// Writes a tree with the deviations of `__layout`, as far as they still fit, and returns whether some did not, or there are none.
pub(super) fn load(tree: &Tree, json: Option<&Value>) -> Loaded<(Vec<u8>, bool)> {
    let plain = || {
        write(tree, &Order::default())
            .ok_or_else(|| LoadError::new(Vec::new(), "a file of less than 4 GB", "more than that".to_owned()))
    };
    let Some(json) = json else { return Ok((plain()?, false)) };
    let misfit = |key: &str, expected: &str, found: &Value| {
        let steps = [KEY, key].into_iter().filter(|key| !key.is_empty()).filter_map(|key| intern(key).map(Step::Name));
        LoadError::new(steps.collect(), expected, found.describe())
    };
    let Value::Object(members) = json else { return Err(misfit("", "an object", json)) };
    let (mut order, mut whole, mut missing, mut tail, mut of) = (Order::default(), None, 0, Vec::new(), None);
    for (key, value) in members {
        let numbers = || -> Loaded<Vec<u32>> {
            let numbers = value.items().map(|items| items.iter().map(|it| u32::try_from(it.whole()?).ok()).collect());
            numbers.flatten().ok_or_else(|| misfit(key, "a list of numbers", value))
        };
        let bytes = || {
            let bytes = value.text().and_then(base64::decode);
            bytes.ok_or_else(|| misfit(key, "bytes in base64", value))
        };
        match key.as_str() {
            "of" => of = value.text(),
            "labels" => {
                let labels = bytes()?;
                let (labels, rest) = labels.as_chunks::<LABEL>();
                if !rest.is_empty() {
                    return Err(misfit(key, "labels of 16 bytes in base64", value));
                }
                order.labels = Some(labels.to_vec());
            }
            "label_of" => order.label_of = Some(numbers()?),
            "numbers" => order.fields = Some(numbers()?),
            "structs" => order.structs = Some(numbers()?),
            "packed" => match value {
                Value::Bool(packed) => order.packed = Some(*packed),
                _ => return Err(misfit(key, "true or false", value)),
            },
            "sections" => whole = Some(value),
            "missing" => match value.integer() {
                Some(1) => missing = 1,
                _ => return Err(misfit(key, "1, the only number of bytes that can be missing", value)),
            },
            "tail64" => tail = bytes()?,
            _ => return Err(LoadError::surplus(vec![Step::Name(KEY)], vec![key.to_string()], value.describe())),
        }
    }
    let Some(of) = of else { return Err(misfit("of", "a hash", &Value::Null)) };
    // A description of nothing says as little as one of another tree.
    if of != digest(&tree.shape()) || members.len() == 1 {
        return Ok((plain()?, true));
    }
    let wrong =
        || LoadError::new(vec![Step::Name(KEY)], "numbers that fit the fields and structs", "others".to_owned());
    let mut file = write(tree, &order).ok_or_else(wrong)?;
    if order != Order::default() && !holds(&file, tree) {
        return Err(wrong());
    }
    let mut is_lost = false;
    if let Some(whole) = whole {
        match put_sections(&file, tree, whole)? {
            Some(with) => file = with,
            None => is_lost = true,
        }
    }
    if !is_lost {
        file.truncate(file.len() - missing);
        file.extend(tail);
    }
    is_lost |= file == plain()?;
    Ok((file, is_lost))
}

/// Replaces sections of a written file, or returns `None` if the tree has changed.
fn put_sections(file: &[u8], tree: &Tree, json: &Value) -> Loaded<Option<Vec<u8>>> {
    let misfit = |key: &'static str, expected: &str, found: &Value| {
        let steps = [KEY, "sections", key].into_iter().filter(|key| !key.is_empty()).map(Step::Name);
        LoadError::new(steps.collect(), expected, found.describe())
    };
    let Value::Object(members) = json else { return Err(misfit("", "an object", json)) };
    let mut parts: [Option<Vec<u8>>; 6] = Default::default();
    let mut of = None;
    for (key, value) in members {
        let nth = SECTIONS.iter().position(|name| name == key);
        match nth.and_then(|nth| Some((parts.get_mut(nth)?, *SECTIONS.get(nth)?))) {
            Some((part, name)) => {
                let bytes = value.text().and_then(base64::decode);
                *part = Some(bytes.ok_or_else(|| misfit(name, "bytes in base64", value))?);
            }
            None if key == "of" => of = value.text(),
            None => {
                let steps = vec![Step::Name(KEY), Step::Name("sections")];
                return Err(LoadError::surplus(steps, vec![key.to_string()], value.describe()));
            }
        }
    }
    let Some(of) = of else { return Err(misfit("of", "a hash", &Value::Null)) };
    if of != digest(&tree.content()) || parts.iter().all(Option::is_none) {
        return Ok(None);
    }
    let Ok(it) = Sections::of(file) else { return Ok(None) };
    let own = [&it.structs, &it.fields, &it.labels, &it.data, &it.field_indices, &it.list_indices];
    let (mut head, mut rest) = (part(file, ..8).to_vec(), Vec::new());
    let mut offset = HEAD;
    for ((section, range), each) in parts.into_iter().zip(own).zip([ROW, ROW, LABEL, 1, 1, 1]) {
        let section = section.unwrap_or_else(|| part(file, range.clone()).to_vec());
        let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX).to_le_bytes();
        head.extend(number(offset));
        head.extend(number(section.len() / each));
        offset += section.len();
        rest.extend(section);
    }
    head.extend(rest);
    // They must still hold the tree.
    match holds(&head, tree) {
        true => Ok(Some(head)),
        false => Err(misfit("", "sections that hold the values", json)),
    }
}

/// Returns `true` if a file can be laid out and has this tree.
fn holds(file: &[u8], tree: &Tree) -> bool {
    super::sections::check(file).is_ok() && Sections::of(file).is_ok_and(|it| Tree::of(&it).0 == *tree)
}

/// Returns a hash as text.
fn digest(bytes: &[u8]) -> String {
    Sha::of(bytes).to_string()
}
