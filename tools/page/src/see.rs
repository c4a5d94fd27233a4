//! What a file is best looked at as: images, sounds, models, maps, texts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use bitexact::exchange::contents;
use bitexact::field::{Value, wide};
use bitexact::kind::{Drawing, ExportOptions, Images};
use bitexact::passes::spans;
use bytes::Bytes;

use crate::open::{Done, Opened};

/// The extensions of textures, the preferred ones first, as for `export`.
const TEXTURES: [&str; 3] = ["png", "dds", "tga"];

/// A drawing, and the names of the textures that it lacks.
pub struct Drawn {
    /// The file of the drawing.
    pub file: Vec<u8>,
    /// What it does not show, and what it lacks.
    pub about: Value,
}

impl Opened {
    /// Draws the file or an entry: glTF, an image, a map or text. `packages` are texture packages, `images` other files with textures
    /// by their names in lower case.
    ///
    /// # Errors
    /// Returns an error if the kind has no such drawing, or if there is nothing to draw.
    pub fn draw(
        &self,
        (entry, extension, level): (&str, &str, usize),
        packages: Vec<Bytes>,
        images: BTreeMap<String, Bytes>,
    ) -> Done<Drawn> {
        let (kind, bytes) = self.part(entry)?;
        let kind = kind.ok_or_else(|| format!("{entry}: has no drawings"))?;
        if let Some(text) = kind.text.filter(|text| text.extension == extension) {
            let file = text.write(&bytes)?;
            return Ok(Drawn { file, about: Value::Object(Vec::new()) });
        }
        let export = kind.exports.iter().find(|export| export.extension == extension);
        let export = export.ok_or_else(|| format!("cannot export {} as .{extension}", kind.name))?;
        let own: BTreeMap<String, Bytes> = match entry.is_empty() {
            true => BTreeMap::new(),
            // A model in a container has its textures there.
            false => {
                let all = spans(&self.model).map_err(|why| why.to_string())?;
                let parts =
                    all.into_iter().filter_map(|(name, span)| Some((name.to_lowercase(), span.of(&self.bytes)?)));
                parts.map(|(name, part)| (name, self.bytes.slice_ref(part))).collect()
            }
        };
        let lacking = Arc::new(Mutex::new(BTreeSet::new()));
        let missed = lacking.clone();
        let find = move |name: &str| {
            let names = TEXTURES.map(|end| format!("{name}.{end}"));
            let found = names.iter().find_map(|name| images.get(name).or_else(|| own.get(name)).cloned());
            if found.is_none() {
                missed.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
            }
            found
        };
        let options = ExportOptions::default().textures(packages).level(level).images(Images::new(find));
        let Drawing { file, left_out, .. } = (export.draw)(bytes, &options).map_err(|why| why.to_string())?;
        let lacking = lacking.lock().unwrap_or_else(PoisonError::into_inner);
        let about = Value::from([
            (
                "left_out",
                Value::Object(left_out.iter().map(|(what, count)| ((*what).into(), wide(*count).into())).collect()),
            ),
            ("lacking", lacking.iter().map(String::as_str).collect()),
        ]);
        Ok(Drawn { file, about })
    }

    /// Unpacks the file, once.
    fn unpack(&mut self) -> Done<()> {
        if self.unpacked.is_none() {
            let unpacked = contents(&self.model, self.about()).map_err(|why| why.to_string())?;
            self.unpacked = Some(unpacked);
        }
        Ok(())
    }

    /// Returns an entry that can be opened as a file of its own, which takes less than to unpack the whole file.
    pub(crate) fn inner(&mut self, entry: &str) -> Done<Option<&mut Self>> {
        if entry.is_empty() {
            return Ok(None);
        }
        if self.inner.as_ref().is_none_or(|(name, _)| name != entry) {
            let (kind, bytes) = self.part(entry)?;
            let name = entry.rsplit(['!', '/', '\\']).next().unwrap_or(entry);
            let opened = kind.and_then(|kind| Self::open(name, bytes).ok().filter(|it| it.kind.name == kind.name));
            self.inner = opened.map(|opened| (entry.to_owned(), Box::new(opened)));
        }
        Ok(self.inner.as_mut().filter(|(name, _)| name == entry).map(|(_, opened)| &mut **opened))
    }

    /// Returns the paths of the images, sounds and texts that `unpack` writes for an entry, or for the file itself.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn media(&mut self, entry: &str) -> Done<Value> {
        if let Some(inner) = self.inner(entry)? {
            return inner.media("");
        }
        self.unpack()?;
        let Some(unpacked) = &self.unpacked else { return Ok(Value::Null) };
        let is_medium = |path: &str| !path.ends_with(".json");
        if entry.is_empty() {
            let of_entries: BTreeSet<&str> = unpacked.entries.values().map(|path| stem(path)).collect();
            let own = unpacked.files.keys().filter(|path| is_medium(path));
            return Ok(own.filter(|path| !of_entries.iter().any(|it| belongs(path, it))).map(String::as_str).collect());
        }
        let path = unpacked.entries.get(entry).ok_or_else(|| format!("{entry}: no entry of this name"))?;
        let those = unpacked.files.keys().filter(|it| is_medium(it) && belongs(it, stem(path)));
        Ok(those.map(String::as_str).collect())
    }

    /// Returns one of the [`media`](Self::media) of an entry.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn medium(&mut self, entry: &str, path: &str) -> Done<Bytes> {
        if let Some(inner) = self.inner(entry)? {
            return inner.medium("", path);
        }
        self.unpack()?;
        let file = self.unpacked.as_ref().and_then(|unpacked| unpacked.files.get(path)).cloned();
        file.ok_or_else(|| format!("{path}: no such file"))
    }
}

/// Returns a path without its extension.
fn stem(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// Returns `true` if a path is a file of the entry with this stem, or of a part of it.
fn belongs(path: &str, of: &str) -> bool {
    path.strip_prefix(of).is_some_and(|rest| rest.starts_with(['.', '/']))
}
