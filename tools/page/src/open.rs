//! A file in memory that has been proven to round-trip.

use std::collections::BTreeMap;

use bitexact::edit::{resolve, why_nothing};
use bitexact::exchange::{About, Contents, schema, show};
use bitexact::field::{Address, Value, visit, wide};
use bitexact::kind::{Game, Kind, Model, foreign, named, recognize};
use bitexact::passes::{Deviation, Extent, Find, Locate, Map, Sha, Stretch, spans};
use bitexact::registry::KINDS;
use bitexact::verify::{Candidate, VerifyOptions};
use bytes::Bytes;

use crate::change::History;
use crate::still::set_aside;

/// The reason why something failed, in the words of the program.
pub type Done<T> = Result<T, String>;

/// A file in memory.
pub struct Opened {
    /// The last part of its path.
    pub name: String,
    pub(crate) bytes: Bytes,
    pub(crate) kind: &'static Kind,
    games: Vec<Game>,
    sha256: Sha,
    deviations: Vec<Deviation>,
    pub(crate) model: Model,
    pub(crate) history: History,
    /// What `unpack` writes of it, once that was asked for.
    pub(crate) unpacked: Option<Contents>,
    /// The last entry that was opened as a file of its own.
    pub(crate) inner: Option<(String, Box<Opened>)>,
    /// The owners of its bytes, once they were asked for.
    map: Option<Vec<Stretch>>,
}

impl Opened {
    /// Decodes a file and proves that it round-trips.
    ///
    /// # Errors
    /// Returns an error if it is of no supported kind, or if it does not decode.
    pub fn open(name: &str, bytes: Bytes) -> Done<Self> {
        let Some((kind, games)) = recognize(KINDS, name, &bytes) else {
            return Err(match foreign::recognize(name, &bytes) {
                Some(foreign) => format!("unsupported format: {foreign}"),
                None => "unknown format".to_owned(),
            });
        };
        set_aside(kind, bytes.len());
        let (report, model) = Candidate::new(KINDS, name, bytes.clone()).take_apart(VerifyOptions::default());
        match (report.failure, report.sha256, model) {
            (None, Some(sha256), Some(model)) => Ok(Self {
                name: name.to_owned(),
                history: History::of(bytes.clone()),
                bytes,
                kind,
                games,
                sha256,
                deviations: report.deviations,
                model,
                unpacked: None,
                inner: None,
                map: None,
            }),
            (Some(failure), ..) => Err(failure.to_string()),
            (None, ..) => Err(report.status.name().to_owned()),
        }
    }

    /// Replaces the contents by those of an edit that has been proven.
    pub(crate) fn become_edited(&mut self, bytes: Bytes, model: Model) {
        self.sha256 = Sha::of(&bytes);
        (self.bytes, self.model) = (bytes, model);
        (self.unpacked, self.inner, self.map) = (None, None, None);
        self.deviations = Vec::new();
    }

    pub(crate) fn about(&self) -> About<'_> {
        About { kind: self.kind, games: &self.games, sha256: self.sha256, deviations: &self.deviations }
    }

    /// Returns the bytes of the file with all edits.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Returns what the file is and holds: its kind, games, hash, deviations, entries in file order, and the drawings that can be made.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn described(&self) -> Done<Value> {
        let mut entries: Vec<_> = spans(&self.model).map_err(|why| why.to_string())?.into_iter().collect();
        entries.sort_by_key(|(_, span)| (span.begin, u64::MAX - span.end));
        let entries = entries.into_iter().map(|(entry, span)| {
            Value::from([
                ("entry", entry.into()),
                ("kind", span.kind.into()),
                ("offset", span.begin.into()),
                ("bytes", span.end.saturating_sub(span.begin).into()),
                ("forms", named(KINDS, span.kind).map_or(Value::List(Vec::new()), forms)),
            ])
        });
        let deviations = self.deviations.iter().map(|it| {
            Value::from([
                ("place", it.first_place.to_string().into()),
                ("count", it.count.into()),
                ("expected", it.expected.clone()),
                ("found", it.found.clone()),
            ])
        });
        Ok(Value::from([
            ("name", self.name.as_str().into()),
            ("kind", self.kind.name.into()),
            ("title", self.kind.title.into()),
            ("games", self.games.iter().map(|game| game.title()).collect()),
            ("bytes", wide(self.bytes.len()).into()),
            ("sha256", self.sha256.to_string().into()),
            ("deviations", deviations.collect()),
            ("forms", forms(self.kind)),
            ("editable", (self.kind.uneditable)(&self.bytes).is_none().into()),
            ("edited", self.history.is_edited().into()),
            ("undo", wide(self.history.undone_by()).into()),
            ("redo", wide(self.history.redone_by()).into()),
            ("entries", entries.collect()),
        ]))
    }

    /// Returns the lines that `inspect` prints of a whole file, or of an entry that is a file of its own.
    ///
    /// # Errors
    /// Returns an error if there is no such entry, or if it does not decode.
    pub fn outline(&self, entry: &str) -> Done<Vec<String>> {
        let (kind, bytes) = self.part(entry)?;
        let lines = kind.map_or(Ok(None), |kind| (kind.outline)(bytes)).map_err(|why| why.to_string())?;
        Ok(lines.unwrap_or_default())
    }

    /// Returns the kind of an entry, if it is one of files, and its bytes. An empty name is that of the file itself.
    pub(crate) fn part(&self, entry: &str) -> Done<(Option<&'static Kind>, Bytes)> {
        if entry.is_empty() {
            return Ok((Some(self.kind), self.bytes.clone()));
        }
        let span = spans(&self.model).map_err(|why| why.to_string())?.remove(entry);
        let span = span.ok_or_else(|| format!("{entry}: no entry of this name"))?;
        let bytes = span.of(&self.bytes).map(|part| self.bytes.slice_ref(part));
        let bytes = bytes.ok_or_else(|| format!("{entry}: lies outside of the file"))?;
        Ok((named(KINDS, span.kind), bytes))
    }

    /// Returns the bytes of an entry.
    ///
    /// # Errors
    /// Returns an error if there is no such entry.
    pub fn entry(&self, entry: &str) -> Done<Bytes> {
        self.part(entry).map(|(_, bytes)| bytes)
    }

    /// Returns the value at a place, with at most this many items per list.
    ///
    /// # Errors
    /// Returns an error if there is nothing.
    pub fn value(&self, place: &str, most: usize) -> Done<Value> {
        let said = |why: bitexact::field::Error| why.to_string();
        let place = self.resolved(place)?;
        match show(&self.model, &place.to_string(), most).map_err(said)? {
            Some(value) => Ok(value),
            None => Err(format!("{place}: {}", why_nothing(&self.model, &place).map_err(said)?)),
        }
    }

    fn resolved(&self, place: &str) -> Done<Address> {
        let found = resolve(&self.model, (self.kind, KINDS), &Address::from(place)).map_err(|why| why.to_string())?;
        found.map_err(|why| format!("{place}: {why}"))
    }

    /// Returns the bytes of the value at a place, as ranges of offsets in file order. If it has none, they are those of the innermost value
    /// around it that has some; the place of that is returned too.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn extent(&self, place: &str) -> Done<Value> {
        let mut at = self.resolved(place)?;
        loop {
            let mut extent = Extent::of(at.clone());
            visit(&self.model, &mut extent).map_err(|why| why.to_string())?;
            let ranges = extent.ranges();
            match at.outer() {
                Some((outer, _)) if ranges.is_empty() => at = outer,
                _ => {
                    let ranges = ranges.into_iter().map(|it| -> Value { [it.start, it.end].into_iter().collect() });
                    return Ok(Value::from([("place", at.to_string().into()), ("ranges", ranges.collect())]));
                }
            }
        }
    }

    /// Returns the place of the value that owns the byte at an offset, or `None` if there is no such byte.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn owner(&self, offset: u64) -> Done<Option<String>> {
        let mut locate = Locate::at(offset);
        visit(&self.model, &mut locate).map_err(|why| why.to_string())?;
        Ok(locate.place().map(|place| place.to_string()))
    }

    /// Returns the strings and numbers that contain a text, with their places.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn find(&self, text: &str) -> Done<Value> {
        let mut find = Find::new(text);
        visit(&self.model, &mut find).map_err(|why| why.to_string())?;
        let found = find.finish().into_iter();
        Ok(found.map(|(place, text)| Value::from([("place", place.into()), ("text", text.into())])).collect())
    }

    /// Returns the owners of the bytes of a range.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn owners(&mut self, begin: u64, end: u64) -> Done<Value> {
        if self.map.is_none() {
            let mut map = Map::default();
            visit(&self.model, &mut map).map_err(|why| why.to_string())?;
            self.map = Some(map.stretches);
        }
        let all = self.map.as_deref().unwrap_or_default();
        let first = all.partition_point(|it| it.offset + it.bytes <= begin);
        let those = all.iter().skip(first).take_while(|it| it.offset < end);
        Ok(those
            .map(|it| {
                Value::from([
                    ("offset", it.offset.into()),
                    ("bytes", it.bytes.into()),
                    ("class", it.class.name().into()),
                    ("place", it.place.as_str().into()),
                    ("each", it.each.map_or(Value::Null, Value::from)),
                ])
            })
            .collect())
    }

    /// Returns the span of an entry: its offset and its length.
    ///
    /// # Errors
    /// Returns an error if there is no such entry.
    pub fn span(&self, entry: &str) -> Done<(u64, u64)> {
        if entry.is_empty() {
            return Ok((0, wide(self.bytes.len())));
        }
        let spans: BTreeMap<_, _> = spans(&self.model).map_err(|why| why.to_string())?;
        let span = spans.get(entry).ok_or_else(|| format!("{entry}: no entry of this name"))?;
        Ok((span.begin, span.end.saturating_sub(span.begin)))
    }
}

/// Returns the drawings and the text form of a kind.
fn forms(kind: &Kind) -> Value {
    let drawings = kind.exports.iter().map(|it| (it.extension, it.shows));
    let all = drawings.chain(kind.text.map(|it| (it.extension, "text")));
    all.map(|(extension, shows)| Value::from([("extension", extension.into()), ("shows", shows.into())])).collect()
}

/// Returns the JSON Schema of the documents of a kind.
#[must_use]
pub fn schema_of(kind: &str) -> Option<&'static str> {
    schema::schema(kind)
}

/// Returns the supported kinds: names, titles and games.
#[must_use]
pub fn formats() -> Value {
    let kinds = KINDS.iter().map(|kind| {
        let games: Value = kind.games.iter().map(|game| game.title()).collect();
        Value::from([("kind", kind.name.into()), ("title", kind.title.into()), ("games", games)])
    });
    kinds.collect()
}
