//! Images and sounds as people speak of them, by size and palette or by length: hundreds of changed pixels, samples and colors are one
//! change to them.

use std::collections::BTreeMap;

use crate::field::{Address, Datum, Error, Json, Layout, Result as Laid, Step, Visitor, What, visit, walk, wide};
use crate::output::printable::counted;

use super::Change;

/// The images and sounds in two models, in words.
#[derive(Clone, Debug, Default)]
pub struct MediaSummaries {
    /// The words for the old and the new one, by its place.
    words: BTreeMap<(String, Vec<String>), [Option<String>; 2]>,
}

/// Several changes in a row of one image or sound.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MediaSummary {
    /// The number of changes.
    pub changes: usize,
    /// The line that stands for them.
    pub line: String,
}

impl MediaSummaries {
    /// Finds the images and sounds in two models.
    ///
    /// # Errors
    /// Returns an error if one of them cannot be laid out.
    pub fn of<M: walk::Lay + ?Sized>(old: &M, new: &M) -> Result<Self, Error> {
        let mut summaries = Self::default();
        for (side, model) in [old, new].into_iter().enumerate() {
            visit(model, &mut Summarizer { side, summaries: &mut summaries })?;
        }
        Ok(summaries)
    }

    /// Returns the line for the first of some changes and those after it that are in the same image or sound, or `None` if the first is
    /// in none, or is a change of a single value that says more than the line would.
    #[must_use]
    pub fn first(&self, changes: &[Change]) -> Option<MediaSummary> {
        let first = place_of(changes.first()?)?;
        let (place, [old, new]) = (0..=first.keys.len()).find_map(|depth| {
            let keys = first.keys.get(..depth)?.to_vec();
            let words = self.words.get(&(first.entry.clone(), keys.clone()))?;
            Some((Address { entry: first.entry.clone(), keys }, words.clone()))
        })?;
        let (old, new) = (old?, new?);
        let is_inside = |at: &&Address| at.entry == place.entry && at.keys.starts_with(&place.keys);
        let inside: Vec<&Address> = changes.iter().map_while(place_of).take_while(is_inside).collect();
        let key = |at: &&Address| at.keys.get(place.keys.len()).cloned();
        let mut parts: Vec<String> = inside.iter().filter_map(key).collect();
        parts.dedup();
        if old != new {
            return Some(MediaSummary { changes: inside.len(), line: format!("{place}: {old} → {new}") });
        }
        if let ([_], Change::Set { old: Some(old), .. }) = (inside.as_slice(), changes.first()?) {
            // A single number says more by itself, but not how large the image is of which some bytes differ.
            let change = changes.first()?.to_string();
            let (text, key) = (first.to_string(), first.keys.get(place.keys.len()..)?.join("/"));
            let rest = change.strip_prefix(&text).filter(|_| matches!(old, Json::Bytes(_)))?;
            return Some(MediaSummary { changes: 1, line: format!("{place}: {new}; {key}{rest}") });
        }
        let line = format!("{place}: {new}; {} in {}", counted(wide(inside.len()), "change"), parts.join(", "));
        Some(MediaSummary { changes: inside.len(), line })
    }
}

/// Returns the place of a change of values.
fn place_of(change: &Change) -> Option<&Address> {
    match change {
        Change::Set { at, .. } | Change::Insert { at, .. } | Change::Delete { at, .. } => Some(at),
        _ => None,
    }
}

/// A visitor that finds the images and sounds of one of the models.
struct Summarizer<'l> {
    side: usize,
    summaries: &'l mut MediaSummaries,
}

impl Visitor for Summarizer<'_> {
    fn data(&mut self, datum: &Datum<'_>) -> Laid {
        if let What::Fields(layout, _) = datum.what
            && let Some(words) = image(layout, datum.bytes).or_else(|| sound(layout, datum.bytes))
        {
            let key = |step: &Step| match step {
                Step::Name(name) => Some((*name).to_owned()),
                Step::Index(index) => Some(index.to_string()),
                Step::Entry => None,
            };
            let place = (datum.place.container(), datum.place.pointer().iter().filter_map(key).collect());
            if let Some(slot) = self.summaries.words.entry(place).or_default().get_mut(self.side) {
                *slot = Some(words);
            }
        }
        Ok(())
    }
}

/// Returns the number in a field of a record.
fn number(layout: &Layout, record: &[u8], name: &str) -> Option<f64> {
    let field = layout.fields.iter().find(|field| field.name == name)?;
    field.shape.show(field.of(record)?).to_string().parse().ok()
}

/// Returns the size and the palette of an image with this header.
fn image(layout: &Layout, record: &[u8]) -> Option<String> {
    let number = |name| number(layout, record, name);
    let size = format!("{} × {}", number("width")?, number("height")?);
    Some(match number("palette_count") {
        Some(colors) if colors > 0.0 => format!("{size}, palette of {colors} colors"),
        _ => size,
    })
}

/// Returns the length of a sound with this header.
fn sound(layout: &Layout, record: &[u8]) -> Option<String> {
    let number = |name| number(layout, record, name);
    let (samples, rate) = (number("length").or_else(|| number("frames"))?, number("rate")?);
    (rate > 0.0).then(|| format!("{:.2} s at {rate:.0} Hz", samples / rate))
}
