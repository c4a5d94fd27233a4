//! A mod as a `.zip`, which any program for archives opens: what it is, a picture, and its changes.

use std::io::{Cursor, Write as _};

use bytes::Bytes;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipWriter};

use serde::ser::Error as _;

use exchange::{parse, print};
use field::Value;

use super::{ModFile, Result, refusal};

/// The file for people and for lists of mods. A program takes everything from [`CHANGES`].
const MANIFEST: &str = "mod.json";
/// The name that the text of a mod has in its archive.
pub const CHANGES: &str = "changes.jsonl";

/// The picture of a mod, a PNG or a JPEG.
#[derive(Clone, Debug)]
pub struct Picture {
    extension: &'static str,
    bytes: Bytes,
}

impl Picture {
    /// Takes a picture as it is in its file.
    ///
    /// # Errors
    /// Returns an error if the file is neither a PNG nor a JPEG.
    pub fn of(name: &str, bytes: Bytes) -> Result<Self> {
        let extension = match &*bytes {
            [0x89, b'P', b'N', b'G', ..] => "png",
            [0xFF, 0xD8, 0xFF, ..] => "jpg",
            _ => return Err(refusal(name, "expected a picture as PNG or JPEG")),
        };
        Ok(Self { extension, bytes })
    }
}

impl ModFile {
    /// Returns what the mod is, for people and lists of mods: what it says about itself, and what it changes.
    ///
    /// # Errors
    /// Returns an error if a value cannot be written as JSON.
    pub fn manifest(&self) -> core::result::Result<Value, serde_json::Error> {
        let mut members = match serde_json::to_value(&self.about)? {
            serde_json::Value::Object(members) => members,
            _ => serde_json::Map::new(),
        };
        let changes = self.files.iter().map(|edit| edit.to_string().into()).collect();
        members.insert("files".to_owned(), serde_json::Value::Array(changes));
        parse(&serde_json::to_vec(&members)?).map_err(serde_json::Error::custom)
    }

    /// Returns the mod as an archive. The same mod gives the same bytes.
    ///
    /// # Errors
    /// Returns an error if a value cannot be written as JSON, or if the archive cannot be written.
    pub fn package(&self, picture: Option<&Picture>) -> std::io::Result<Vec<u8>> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let mut add = |name: &str, bytes: &[u8]| {
            let options = SimpleFileOptions::default()
                .compression_method(CompressionMethod::Deflated)
                .last_modified_time(DateTime::default())
                .system(System::Unix)
                .unix_permissions(0o644)
                .large_file(u32::try_from(bytes.len()).is_err());
            zip.start_file(name, options)?;
            zip.write_all(bytes)
        };
        add(MANIFEST, &print(&self.manifest()?))?;
        if let Some(picture) = picture {
            add(&format!("picture.{}", picture.extension), &picture.bytes)?;
        }
        add(CHANGES, self.print()?.as_bytes())?;
        Ok(zip.finish()?.into_inner())
    }
}
