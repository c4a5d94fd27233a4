//! What a container says about itself: `container.json` among loose files, with its type, date and descriptions.

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::aurora::erf::Erf;
use crate::registry::KINDS;
use exchange::{About, Form, MANIFEST, SCHEMA, contents, print};
use field::{FourCc, Value, decode, encode};
use json::{parse, recompute::encode_edited};
use kind::{Format as _, Kind, named};
use passes::Sha;

/// The name of the file with the type, the date and the descriptions of a container.
pub const CONTAINER: &str = "container.json";

/// The list that the file leaves out.
const ENTRIES: &str = "entries";

fn kind() -> Result<&'static Kind, String> {
    named(KINDS, Erf::NAME).ok_or_else(|| "internal error: no containers".to_owned())
}

/// Returns the file of a container without resources.
pub(super) fn write(mut empty: Erf) -> Result<Bytes, String> {
    let bytes: Bytes = encode_edited(&mut empty).map_err(|error| error.to_string())?.into();
    let kind = kind()?;
    let model = (kind.decode)(bytes.clone()).map_err(|error| error.to_string())?.model;
    let about = About { kind, games: &[], sha256: Sha::of(&bytes), deviations: &[] };
    let files = contents(&model, about).map_err(|error| error.to_string())?.files;
    let manifest = files.get(MANIFEST).ok_or("internal error: no manifest")?;
    let manifest = parse(manifest).map_err(|error| error.to_string())?;
    let data = manifest.get("data").ok_or("internal error: no data")?;
    Ok(print(&data.without(&[ENTRIES])).into())
}

/// Returns the container without resources that a file describes, of the type that is wanted.
pub(super) fn read(text: &[u8], wanted: [u8; 4]) -> Result<Erf, String> {
    let wrong = |why: &dyn core::fmt::Display| format!("{CONTAINER}: {why}");
    let Value::Object(mut data) = parse(text).map_err(|error| wrong(&error))? else {
        return Err(wrong(&"expected an object, as `bitexact unpack --loose` writes it"));
    };
    if !data.iter().any(|(key, _)| key == ENTRIES) {
        data.push((ENTRIES.into(), Value::List(Vec::new())));
    }
    let manifest =
        Value::from([("schema", SCHEMA.into()), ("kind", kind()?.name.into()), ("data", Value::Object(data))]);
    let files = BTreeMap::from([(MANIFEST.to_owned(), Bytes::from(print(&manifest)))]);
    let packed = Form::parse(files).and_then(|form| form.pack(KINDS).map_err(|error| error.to_string()));
    // The lines are those of the manifest around it, and the places the same.
    let packed =
        packed.map_err(|why| wrong(&why.split_once(": /").map_or(why.clone(), |(_, place)| format!("/{place}"))))?;
    let bytes = encode(&packed.model).map_err(|error| wrong(&error))?;
    let erf = decode::<Erf>(bytes).map_err(|error| wrong(&error))?.model;
    if !erf.entries.is_empty() {
        return Err(wrong(&"expected no entries: they are the files beside it"));
    }
    if erf.head.kind != FourCc(wanted) {
        let (expected, found) = (FourCc(wanted).text(), erf.head.kind.text());
        return Err(wrong(&format!(
            "expected the type {expected:?}, found {found:?}; change it there, or the argument of --new"
        )));
    }
    Ok(erf)
}

/// The day on which a container says that it was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    year: u32,
    day: u32,
}

/// A text is no day since 1900.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateError;

impl core::fmt::Display for DateError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("expected a day since 1900, such as 2026-11-30")
    }
}

impl core::error::Error for DateError {}

impl Date {
    /// Returns the year, counted from 1900.
    #[must_use]
    pub const fn year(self) -> u32 {
        self.year
    }

    /// Returns the day of the year, counted from 0.
    #[must_use]
    pub const fn day(self) -> u32 {
        self.day
    }
}

impl core::str::FromStr for Date {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        let parts: Vec<&str> = text.split('-').collect();
        let [year, month, day] = parts[..] else { return Err(DateError) };
        let number = |text: &str, digits: usize| {
            let is_plain = text.len() == digits && text.bytes().all(|it| it.is_ascii_digit());
            text.parse::<u32>().ok().filter(|_| is_plain).ok_or(DateError)
        };
        let (year, month, day) = (number(year, 4)?, number(month, 2)?, number(day, 2)?);
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let months = [31, if is_leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let before = usize::try_from(month).ok().and_then(|month| months.get(..month.checked_sub(1)?));
        let length = before.and_then(|before| months.get(before.len())).ok_or(DateError)?;
        let day = day.checked_sub(1).filter(|day| day < length).ok_or(DateError)?;
        let year = year.checked_sub(1900).ok_or(DateError)?;
        Ok(Self { year, day: before.into_iter().flatten().sum::<u32>() + day })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_from_the_first_of_the_year() {
        let date = |text: &str| text.parse::<Date>().map(|it| (it.year(), it.day()));
        for (text, expected) in [
            ("1900-01-01", (0, 0)),
            ("2026-11-30", (126, 333)),
            ("2024-12-31", (124, 365)),
            ("2023-12-31", (123, 364)),
            ("1900-03-01", (0, 59)),
            ("2000-03-01", (100, 60)),
        ] {
            assert_eq!(date(text), Ok(expected), "{text}");
        }
        for wrong in [
            "",
            "2026",
            "2026-11",
            "2026-02-29",
            "2026-00-01",
            "2026-13-01",
            "1899-01-01",
            "2026-1-1",
            "+026-01-01",
            "2026-11-31-1",
        ] {
            assert_eq!(date(wrong), Err(DateError), "{wrong}");
        }
    }
}
