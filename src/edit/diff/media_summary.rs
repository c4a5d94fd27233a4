//! Images and sounds as people speak of them, by size and palette or by length: hundreds of changed pixels, samples and colors are one
//! change to them.

use std::collections::BTreeMap;

use field::{Address, Datum, Layout, Result as Laid, Step, Value, Visitor, What, wide};
use json::Compact;
use output::printable::counted;

use super::Change;

/// The places of images and sounds: those of their entries, and the keys in there.
type Words = BTreeMap<(String, Vec<String>), String>;

/// The images and sounds in two models, in words.
#[derive(Clone, Debug, Default)]
pub struct MediaSummaries {
    /// The words for the old and the new ones, by their places.
    words: [Words; 2],
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
    /// Describes the images and sounds in an old and a new model.
    pub(crate) fn of(old: &MediaFinder, new: &MediaFinder) -> Self {
        Self { words: [old, new].map(|found| found.words.clone()) }
    }

    /// Returns the line for the first of some changes and those after it that are in the same image or sound, or `None` if the first is
    /// in none, or is a change of a single value that says more than the line would.
    #[must_use]
    pub fn first(&self, changes: &[Change]) -> Option<MediaSummary> {
        let first = place_of(changes.first()?)?;
        let (place, [old, new]) = (0..=first.keys.len()).find_map(|depth| {
            let place = (first.entry.clone(), first.keys.get(..depth)?.to_vec());
            let words = self.words.each_ref().map(|words| words.get(&place));
            words.iter().any(Option::is_some).then_some((Address { entry: place.0, keys: place.1 }, words))
        })?;
        let (old, new) = (old?, new?);
        let inside: Vec<&Address> = changes.iter().map_while(place_of).take_while(|at| at.is_in(&place)).collect();
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
            let rest = change.strip_prefix(&text).filter(|_| matches!(old, Value::Bytes(_)))?;
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

/// A visitor that finds the images and sounds of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct MediaFinder {
    words: Words,
    /// The last layout, and whether its records can be headers.
    last: Option<(&'static Layout, bool)>,
}

impl MediaFinder {
    /// Returns `true` if records of this layout can be the header of an image or a sound. Most records follow one of their own layout.
    fn is_header(&mut self, layout: &'static Layout) -> bool {
        if let Some((last, is_header)) = self.last
            && core::ptr::eq(last, layout)
        {
            return is_header;
        }
        let has = |name: &str| layout.fields.iter().any(|field| field.name == name);
        let is_header = has("width") && has("height") || has("rate") && (has("length") || has("frames"));
        self.last = Some((layout, is_header));
        is_header
    }
}

impl Visitor for MediaFinder {
    fn data(&mut self, datum: &Datum<'_>) -> Laid {
        if let What::Fields(layout, _) = datum.what
            && self.is_header(layout)
            && let Some(words) = image(layout, datum.bytes).or_else(|| sound(layout, datum.bytes))
        {
            let key = |step: &Step| match step {
                Step::Name(name) => Some((*name).to_owned()),
                Step::Index(index) => Some(index.to_string()),
                Step::Entry => None,
            };
            let keys = datum.place.pointer().iter().filter_map(key).collect();
            self.words.insert((datum.place.container(), keys), words);
        }
        Ok(())
    }
}

/// Returns the number in a field of a record.
fn number(layout: &Layout, record: &[u8], name: &str) -> Option<f64> {
    let field = layout.fields.iter().find(|field| field.name == name)?;
    Compact(&field.shape.show(field.of(record)?)).to_string().parse().ok()
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

#[cfg(test)]
mod tests {
    use super::*;
    use field::{F32, U16, U32, lay, record, visit};

    record! {
        struct Image: 8 {
            width: U16,
            height: U16,
            palette_count: U32,
        }
    }

    record! {
        struct Sound: 8 {
            length: U32,
            rate: U32,
        }
    }

    record! {
        struct Frames: 8 {
            frames: U32,
            rate: F32,
        }
    }

    record! {
        /// None of them.
        struct Road: 16 {
            width: U16,
            length: U16,
            height_above: U32,
            heat_rate: U32,
            frames: U32,
        }
    }

    #[derive(Clone, Default)]
    struct Media {
        image: Image,
        sound: Sound,
        frames: Frames,
        road: Road,
    }

    lay! {
        impl Lay for Media {
            fn lay(self: at!(Self), t: &mut Tape<'_>) -> Laid {
                t.group("image", |t| t.fields(at!(self.image)))?;
                t.group("sound", |t| t.fields(at!(self.sound)))?;
                t.group("frames", |t| t.fields(at!(self.frames)))?;
                t.group("road", |t| t.fields(at!(self.road)))
            }
        }
    }

    fn found(media: &Media) -> Vec<String> {
        let mut finder = MediaFinder::default();
        visit(media, &mut finder).expect("is laid out");
        finder.words.into_iter().map(|((_, keys), words)| format!("{}: {words}", keys.join("/"))).collect()
    }

    #[test]
    fn images_and_sounds_are_known_by_their_headers() {
        let mut media = Media {
            image: Image { width: U16::new(64), height: U16::new(32), palette_count: U32::new(256) },
            sound: Sound { length: U32::new(3), rate: U32::new(2) },
            frames: Frames { frames: U32::new(9), rate: F32::new(4.5) },
            road: Road { length: U16::new(3), frames: U32::new(3), ..Road::default() },
        };
        let [image, frames] = ["image: 64 × 32, palette of 256 colors", "frames: 2.00 s at 4 Hz"];
        assert_eq!(found(&media), [frames, image, "sound: 1.50 s at 2 Hz"]);
        media.image.palette_count = U32::new(0);
        media.sound.rate = U32::new(0);
        media.frames.rate = F32::new(-4.5);
        assert_eq!(found(&media), ["image: 64 × 32"]);
    }

    #[test]
    fn changes_of_an_image_are_one_line() {
        let media = |colors| Media {
            image: Image { width: U16::new(64), height: U16::new(32), palette_count: U32::new(colors) },
            ..Media::default()
        };
        let of = |media: &Media| {
            let mut finder = MediaFinder::default();
            visit(media, &mut finder).expect("is laid out");
            finder
        };
        let set = |at: &str, old: Value, new: Value| Change::Set { at: at.into(), old: Some(old), new: Some(new) };
        let inner = [
            set("/image/colors/0", 1.into(), 2.into()),
            set("/image/colors/1", 1.into(), 2.into()),
            set("/image/pixels", Value::of_bytes(vec![1; 30]), Value::of_bytes(vec![2; 30])),
            set("/other", 1.into(), 2.into()),
        ];
        let line = |old, new, changes: &[Change]| {
            let [old, new] = [old, new].map(|colors| of(&media(colors)));
            MediaSummaries::of(&old, &new).first(changes).map(|it| (it.changes, it.line))
        };
        let summary = |count, line: &str| Some((count, line.to_owned()));
        assert_eq!(line(0, 0, &inner), summary(3, "/image: 64 × 32; 3 changes in colors, pixels"));
        assert_eq!(line(0, 8, &inner), summary(3, "/image: 64 × 32 → 64 × 32, palette of 8 colors"));
        assert_eq!(line(0, 0, &inner[3..]), None);
        assert_eq!(line(0, 0, &inner[1..2]), None, "a single number says more by itself");
        assert_eq!(line(0, 8, &inner[1..2]), summary(1, "/image: 64 × 32 → 64 × 32, palette of 8 colors"));
        let pixels = line(0, 0, &inner[2..]).expect("it is in the image");
        assert!(pixels.1.starts_with("/image: 64 × 32; pixels: 30 → 30 bytes, 30 bytes differ"), "{pixels:?}");
    }
}
