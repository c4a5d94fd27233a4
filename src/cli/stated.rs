//! The KEYs that state the size of a BIF. They follow when a BIF is written to where they name it.
//!
//! Source: `nwn-key-bif.md`, section 3.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use anyhow::Context as _;
use bitexact::aurora::key::Key;
use bitexact::field::{U32, decode, encode};
use bitexact::kind::Format as _;
use bitexact::output;
use bytes::Bytes;

use super::out::Out;
use super::source::name_of;
use super::target;

/// KEYs that state another size of a BIF than the one it will have, with their new contents.
#[derive(Default)]
pub(crate) struct Stated {
    keys: Vec<(PathBuf, Vec<u8>)>,
}

impl Stated {
    /// Finds the KEYs that name a BIF at this path, sets its size in them, and prints that. Nothing is written yet.
    pub(crate) fn of(bif: &Path, bytes: &[u8], out: &Out) -> anyhow::Result<Self> {
        let size = u32::try_from(bytes.len()).context("a KEY states sizes below 4 GB")?;
        let folder = output::folder_of(bif);
        let real = fs::canonicalize(folder).with_context(|| bif.display().to_string())?;
        let name = name_of(bif).to_lowercase();
        let inner = format!("{}/{name}", name_of(&real).to_lowercase());
        let above = match folder.components().next_back() {
            Some(Component::Normal(_)) => folder.parent().unwrap_or(folder).to_owned(),
            Some(Component::CurDir) => PathBuf::from(".."),
            _ => folder.join(".."),
        };
        let mut keys = Vec::new();
        // The Enhanced Edition has its KEYs beside the BIFs, but they name those from the folder of the game as well.
        for at in found(&above).into_iter().chain(found(folder)) {
            keys.extend(following(at, &[&inner, &name], size, out)?);
        }
        Ok(Self { keys })
    }

    /// Writes the KEYs, each after its backup if `backup`.
    pub(crate) fn write(&self, backup: bool) -> io::Result<()> {
        for (path, bytes) in &self.keys {
            if backup {
                output::back_up(path)?;
            }
            output::write(path, bytes)?;
        }
        Ok(())
    }
}

/// Returns the files in a folder that have the ending of a KEY. No KEY is at hand in a folder that cannot be listed.
fn found(folder: &Path) -> Vec<PathBuf> {
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names = fs::read_dir(listed).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let is_key = |path: &PathBuf| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("key")) && path.is_file();
    let mut found: Vec<PathBuf> = names.map(|name| folder.join(name)).filter(is_key).collect();
    found.sort();
    found
}

/// Returns the KEY at a path with the size of the BIF that has one of these paths in it, or `None` if it does not name the BIF, states that size already, or cannot
/// be edited.
fn following(at: PathBuf, bif: &[&str], size: u32, out: &Out) -> anyhow::Result<Option<(PathBuf, Vec<u8>)>> {
    let shown = at.display();
    let bytes = Bytes::from(super::read(&at).with_context(|| shown.to_string())?);
    // Certificates have the same ending.
    if Key::recognize(&bytes).is_none() {
        return Ok(None);
    }
    let why = Key::uneditable(&bytes);
    let mut key = match decode::<Key>(bytes) {
        Ok(decoded) => decoded.model,
        Err(error) => {
            out.say(format_args!("warning: {shown}: {error}; the size of the BIF in it is not set"));
            return Ok(None);
        }
    };
    let mut is_behind = false;
    for (nth, file) in key.files.iter_mut().enumerate().filter(|(_, file)| bif.contains(&file.path().as_str())) {
        let was = file.slot.file_size.get();
        if was == size {
            continue;
        }
        match why {
            Some(why) => {
                out.say(format_args!("warning: {shown}:/files/{nth}/file_size: expected {size}, found {was}; {why}"))
            }
            None => out.say(format_args!("recomputed: {shown}:/files/{nth}/file_size: {was} → {size}")),
        }
        file.slot.file_size = U32::from(size);
        is_behind = why.is_none();
    }
    if !is_behind {
        return Ok(None);
    }
    target::has_room(&at)?;
    let bytes = encode(&key).with_context(|| at.display().to_string())?;
    Ok(Some((at, bytes)))
}
