//! A mod as a `.zip`, which any program for archives opens: what it is, a picture, and its changes.

use std::io::{Cursor, Write as _};
use std::path::Path;

use anyhow::{Context as _, bail};
use bitexact::exchange::print;
use bitexact::field::Json;
use bitexact::mods::ModFile;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipWriter};

use super::super::inside::Archive;
use super::super::read_input;
use super::super::zipped::Zip;

/// The file for people and for lists of mods. The program takes everything from [`CHANGES`].
const MANIFEST: &str = "mod.json";
/// The text of the mod.
const CHANGES: &str = "changes.jsonl";
/// The extensions of such archives. `.mod` is that of modules of Neverwinter Nights, too.
const EXTENSIONS: [&str; 2] = ["bxmod", "zip"];

/// A picture of a mod: its extension, and the file.
pub(super) type Picture = (&'static str, Vec<u8>);

/// Returns `true` if a mod of this name is an archive.
pub(super) fn is_package(path: &Path) -> bool {
    path.extension().is_some_and(|end| EXTENSIONS.iter().any(|it| end.eq_ignore_ascii_case(it)))
}

/// Reads the picture of a mod.
pub(super) fn picture(path: &Path) -> anyhow::Result<Picture> {
    let bytes = read_input(path).with_context(|| path.display().to_string())?;
    match bytes.as_slice() {
        [0x89, b'P', b'N', b'G', ..] => Ok(("png", bytes)),
        [0xFF, 0xD8, 0xFF, ..] => Ok(("jpg", bytes)),
        _ => bail!("{}: expected a picture as PNG or JPEG", path.display()),
    }
}

/// Returns what a mod is, for people and lists of mods.
pub(super) fn manifest(file: &ModFile) -> anyhow::Result<Json> {
    let mut members = match serde_json::to_value(&file.about)? {
        serde_json::Value::Object(members) => members,
        _ => serde_json::Map::new(),
    };
    let changes = file.files.iter().map(|edit| edit.to_string().into()).collect();
    members.insert("files".to_owned(), serde_json::Value::Array(changes));
    let text = serde_json::to_vec(&members)?;
    Ok(bitexact::exchange::parse(&text)?)
}

/// Returns a mod as an archive. The same mod gives the same bytes.
pub(super) fn write(file: &ModFile, picture: Option<&Picture>) -> anyhow::Result<Vec<u8>> {
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
    add(MANIFEST, &print(&manifest(file)?))?;
    if let Some((end, bytes)) = picture {
        add(&format!("picture.{end}"), bytes)?;
    }
    add(CHANGES, file.print()?.as_bytes())?;
    Ok(zip.finish()?.into_inner())
}

/// Returns the text of a mod, which may be in an archive.
pub(super) fn text(path: &Path) -> anyhow::Result<Vec<u8>> {
    if path.is_dir() {
        bail!("{}: expected a mod, found a folder; the game comes before its mods", path.display());
    }
    if !matches!(Archive::of(path), Some(Archive::Zip)) {
        return read_input(path).with_context(|| path.display().to_string());
    }
    let mut zip = Zip::open(path)?;
    match zip.has(CHANGES) {
        true => zip.read(CHANGES).with_context(|| path.display().to_string()),
        false => bail!(
            "{}: expected a mod, found an archive without {CHANGES}; unpack it, and look for a mod inside",
            path.display()
        ),
    }
}
