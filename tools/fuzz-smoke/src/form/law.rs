//! The law for changed folders.

use std::collections::{BTreeMap, HashSet};

use bitexact::exchange::{Form, MANIFEST, Packed};
use bitexact::field::{Value, encode};
use bitexact::json::{Compact, Document};
use bitexact::registry::KINDS;
use bytes::Bytes;

use super::alter::{Altered, Expected};
use super::sample::{self, Sample, documents, exchange, folders, whole};
use super::{Broken, Held};
use crate::edits::{self, Found, Taken, taken, unpacked};
use crate::harness::form::{Exchange, Unpacked};
use crate::prove::edited_to;

/// Asserts that a changed folder is refused with a place, or packs to a file with the change and no others except those that pack reports.
pub(crate) fn holds(sample: &Sample, altered: &Altered) -> Held {
    let outcome = outcome(sample, altered);
    outcome.map_err(|(law, words)| {
        let (file, keys) = &altered.site;
        Broken {
            cause: format!("{law}: {}: {}:{}", altered.class, of_alike(sample, file), starred(keys)),
            words: format!("{}:/{}: {}: {law}: {words}", file, keys.join("/"), altered.words),
        }
    })
}

/// A result, or the violated law and a description.
type Outcome<T = bool> = Result<T, (String, String)>;

fn outcome(sample: &Sample, altered: &Altered) -> Outcome {
    let broken = |law: &str| {
        let law = law.to_owned();
        move |words: String| (law, words)
    };
    let form = match Form::parse(altered.contents.clone()) {
        Ok(form) => form,
        Err(why) if has_a_place(&why, altered) => return Ok(false),
        Err(why) => return Err(broken("refused without a place")(why)),
    };
    let name = sample.case.name.rsplit('/').next().unwrap_or_default();
    // A file that consists of one value has no other place.
    let root = altered.site.1.len() <= 1 || altered.site.1 == ["data", "value"];
    let taken = taken(&sample.case, name, form.pack(KINDS), root).map_err(|why| (class_of(&why), why))?;
    let Ok(mut taken) = taken else { return Ok(false) };
    edited_to(taken.bytes.len());
    let identical = taken.bytes == sample.case.bytes;
    let ending = if identical { "the file is identical to the original" } else { "the file changed" };
    match altered.expected {
        // An earlier version wrote most files alike.
        Expected::Refused if altered.site == (MANIFEST.to_owned(), vec!["schema".to_owned()]) && altered.after == 1 => {
            return Ok(true);
        }
        Expected::Refused => return Err((format!("accepted, {ending}"), String::new())),
        Expected::Same if identical => return Ok(true),
        Expected::Same => return Err(broken("a word for people changed the file")(String::new())),
        Expected::Said => {}
    }
    let again = again(sample, &taken)?;
    let mut files = sample.files.clone();
    let changed = documents(&altered.contents).map_err(broken("not parsed again"))?;
    files.extend(changed);
    files.retain(|file, _| altered.contents.contains_key(file));
    let (file, keys) = whole(&sample::parts(&files), &altered.site);
    let keys = if file == MANIFEST { keys.get(1..).unwrap_or_default() } else { &keys };
    let edited = (format!("{file}:/{}", keys.join("/")), altered.before.clone());
    let mut says =
        |old: &Exchange, new: &Exchange| taken.says(&sample.case, (old, new), &again.unpacked, edited.clone());
    let said = says(&exchange(&files), &exchange(&again.files));
    // Editing a palette leaves the indices of a picture unchanged, although its PNG changes.
    let said = said.or_else(|why| match in_memory(sample, &file, keys, altered) {
        Some(old) => says(&old, &again.unpacked.exchange),
        None => Err(why),
    });
    // Removing colors does too, and markup can express the same text in several ways: then compare the contents of PNG or text.
    let is_beside = |why: &str| why.ends_with("picture differs") || why.ends_with("markup differs");
    let is_script = sample.case.kind.name == "interp";
    let has_same_words = is_script && has_same_words(&altered.site.0, &altered.contents, &again.contents);
    let said = said.or_else(|why| match is_beside(&why) && (!identical || is_same_text(sample, altered)) {
        true => says(&held(altered.contents.clone())?, &held(again.contents)?),
        false => Err(why),
    });
    match said {
        Ok(()) => Ok(true),
        Err(_) if has_same_words => Ok(true),
        Err(why) if altered.before != altered.after && identical => Err(("lost, identical".to_owned(), why)),
        Err(why) => {
            let place = why.split(' ').next().unwrap_or_default();
            let here = place.ends_with(&format!("/{}", keys.join("/")));
            let law = if here { "lost".to_owned() } else { format!("changes {}", starred_text(place)) };
            Err((law, why))
        }
    }
}

/// Returns `true` if a script in two folders has the same words in each line: it does not keep the white space around them, nor quotes that it does not need.
fn has_same_words(file: &str, one: &BTreeMap<String, Bytes>, other: &BTreeMap<String, Bytes>) -> bool {
    let words = |contents: &BTreeMap<String, Bytes>| -> Option<Vec<Vec<String>>> {
        let text = String::from_utf8(contents.get(file)?.to_vec()).ok()?.replace('"', "");
        let words = |line: &str| line.split_ascii_whitespace().map(str::to_owned).collect::<Vec<_>>();
        Some(text.lines().map(words).collect())
    };
    words(one).is_some_and(|one| Some(one) == words(other))
}

/// Returns the exchange format of a folder as read by `pack`: with the contents of media files in place of their names.
fn held(contents: BTreeMap<String, Bytes>) -> Found<Exchange> {
    let mut form = Exchange::parse(contents)?;
    let json = form.files.values_mut().filter_map(|document| match document {
        Document::Json(json) => Some(json),
        Document::Raw(_) => None,
    });
    json.for_each(sample::without_nulls);
    Ok(form)
}

/// Returns `true` if a text changed only in case, which has no effect.
fn is_same_text(sample: &Sample, altered: &Altered) -> bool {
    let file = &altered.site.0;
    let both = sample.contents.get(file).zip(altered.contents.get(file));
    file.ends_with(".txt") && both.is_some_and(|(old, new)| old.eq_ignore_ascii_case(new))
}

/// Applies the change to the exchange format in memory, if it has the old value.
fn in_memory(sample: &Sample, file: &str, keys: &[String], altered: &Altered) -> Option<Exchange> {
    let mut form = sample.unpacked.exchange.clone();
    let Document::Json(json) = form.files.get_mut(file)? else { return None };
    let data = if file == MANIFEST { json.step_mut("data")? } else { json };
    let value = keys.iter().try_fold(data, |json, key| json.step_mut(key))?;
    if *value != altered.before {
        return None;
    }
    *value = altered.after.clone();
    if let Value::Object(_) | Value::List(_) = value {
        sample::without_nulls(value);
    } else if *value == Value::Null {
        sample::without_nulls(form.files.get_mut(file).and_then(|document| match document {
            Document::Json(json) => Some(json),
            Document::Raw(_) => None,
        })?);
    }
    Some(form)
}

/// The folder of the packed file.
struct Again {
    unpacked: Unpacked,
    contents: BTreeMap<String, Bytes>,
    files: BTreeMap<String, Document>,
}

/// Unpacks a packed file, and asserts that its names are safe and that it packs to the same bytes.
fn again(sample: &Sample, taken: &Taken) -> Outcome<Again> {
    if taken.bytes == sample.case.bytes {
        let Sample { unpacked, contents, files, .. } = sample;
        return Ok(Again { unpacked: unpacked.clone(), contents: contents.clone(), files: files.clone() });
    }
    let unpacked =
        unpacked(&sample.case, &taken.bytes).map_err(|why| ("the result does not unpack".to_owned(), why))?;
    let contents = sample::contents_of(&sample.case, &taken.bytes)
        .map_err(|why| ("the result does not unpack".to_owned(), why))?;
    comes_back(&contents, &taken.bytes)?;
    let files = documents(&contents).map_err(|why| ("not parsed again".to_owned(), why))?;
    Ok(Again { unpacked, contents, files })
}

/// Checks an edit by name like [`again`], for the result of `patch`.
pub(super) fn made(
    sample: &Sample,
    packed: Result<Packed, bitexact::field::Error>,
) -> Outcome<Option<(Taken, Unpacked)>> {
    let name = sample.case.name.rsplit('/').next().unwrap_or_default();
    let taken = edits::taken(&sample.case, name, packed, true).map_err(|why| (class_of(&why), why))?;
    let Ok(taken) = taken else { return Ok(None) };
    let again = again(sample, &taken)?;
    Ok(Some((taken, again.unpacked)))
}

/// Asserts that the names of a folder are safe, and that it packs to these bytes.
fn comes_back(contents: &BTreeMap<String, Bytes>, bytes: &[u8]) -> Outcome<()> {
    unsafe_name(contents).map_or(Ok(()), |(why, name)| Err((format!("a file name {why}"), name)))?;
    let again = || -> Found<Vec<u8>> {
        let packed = Form::parse(contents.clone())?.pack(KINDS).map_err(|error| error.to_string())?;
        match packed.recomputed.first() {
            Some(told) => Err(format!("{}: {} became {}", told.place, Compact(&told.was), Compact(&told.now))),
            None => encode(&packed.model).map_err(|error| error.to_string()),
        }
    };
    match again() {
        Ok(again) if again == bytes => Ok(()),
        Ok(_) => Err(("the result packs to other bytes".to_owned(), String::new())),
        Err(why) => Err(("the result does not pack again".to_owned(), why)),
    }
}

/// Returns a path that is invalid or ambiguous on some file system, or `None` if all are safe.
fn unsafe_name(contents: &BTreeMap<String, Bytes>) -> Option<(&'static str, String)> {
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
    let is_device = |step: &str| {
        let stem = step.split('.').next().unwrap_or_default().trim_end().to_lowercase();
        let digit = stem.chars().last().filter(|it| it.is_ascii_digit() && *it != '0' || "¹²³".contains(*it));
        let numbered = digit.is_some_and(|digit| matches!(stem.strip_suffix(digit), Some("com" | "lpt")));
        DEVICES.contains(&stem.as_str()) || numbered
    };
    for path in contents.keys() {
        for step in path.split('/') {
            let why = match step {
                "" | "." | ".." => "leads elsewhere",
                _ if step.len() > 255 => "is longer than 255 bytes",
                _ if step.chars().any(|it| it.is_control() || "<>:\"\\|?*".contains(it)) => "has a forbidden character",
                _ if step.ends_with(['.', ' ']) => "ends in a dot or space",
                _ if is_device(step) => "is that of a device",
                _ => continue,
            };
            return Some((why, path.clone()));
        }
    }
    let mut seen: HashSet<String> = HashSet::new();
    let folders = folders(contents);
    let all = contents.keys().chain(&folders);
    let twice = all.into_iter().find(|path| !seen.insert(path.to_lowercase()));
    twice.map(|path| ("differs from another only by case", path.clone()))
}

/// Returns `true` if a refusal has a place: the file, or a key of the path.
fn has_a_place(why: &str, altered: &Altered) -> bool {
    let (file, keys) = &altered.site;
    why.contains(file.as_str()) || keys.iter().any(|key| why.contains(key.as_str())) || {
        altered.contents.keys().any(|file| why.contains(file.as_str()))
    }
}

/// Returns the type of error, without the place and the drawn values.
fn class_of(why: &str) -> String {
    let class = if why.starts_with("refused without a place") { "refused without a place" } else { "not identical" };
    class.to_owned()
}

/// Returns a name for all files like this: the place of a part, else the extension.
fn of_alike(sample: &Sample, file: &str) -> String {
    if file == MANIFEST {
        return MANIFEST.to_owned();
    }
    match sample::parts(&sample.files).get(file) {
        Some((outer, way)) => format!("{}:{}", of_alike(sample, outer), starred(way)),
        None => {
            let end = file.rsplit_once('.').map_or(file, |(_, end)| end);
            format!("{}*.{end}", "*/".repeat(file.matches('/').count()))
        }
    }
}

/// Joins keys, with `*` for indices.
pub(super) fn starred(keys: &[String]) -> String {
    let star = |key: &String| match key.parse::<usize>() {
        Ok(_) => "/*".to_owned(),
        Err(_) => format!("/{key}"),
    };
    let starred: String = keys.iter().map(star).collect();
    // All depths of a tree are alike.
    let mut shorter = starred.clone();
    while shorter.contains("/children/*/children/*") {
        shorter = shorter.replace("/children/*/children/*", "/children/*");
    }
    shorter
}

/// Replaces the indices of a place by `*`, and removes the entry.
fn starred_text(place: &str) -> String {
    let pointer = place.rsplit_once(":/").map_or(place, |(_, pointer)| pointer);
    starred(&pointer.trim_start_matches('/').split('/').map(str::to_owned).collect::<Vec<_>>())
}
