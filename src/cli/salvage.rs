//! `bitexact unpack --salvage`: the entries that are whole in a container of which bytes are lost.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use bitexact::exchange::{SalvagedFiles, Written, salvaged, write};
use bitexact::field::wide;
use bitexact::output::name_of;
use bitexact::output::printable::{argument, grouped};
use bitexact::registry::{KINDS, Kind, recognize};
use bytes::Bytes;

use super::out::Out;
use super::source::unsupported;
use super::{target, zipped};

/// Writes the whole entries of a container that does not decode.
pub(crate) fn run(file: &Path, dir: &Path, out: &mut Out) -> anyhow::Result<()> {
    if zipped::is_zip(dir) {
        bail!("{}: --salvage writes a folder, not a .zip", dir.display());
    }
    let shown = file.display();
    let bytes: Bytes = super::read(file).with_context(|| shown.to_string())?.into();
    let Some((kind, salvaged)) = found(file, &bytes) else {
        match recognize(KINDS, &name_of(file), &bytes) {
            Some((kind, _)) => bail!("{shown}: no entry of this file ({}) can be found", kind.name),
            None => bail!("{shown}: {}", unsupported(&name_of(file), &bytes)),
        }
    };
    if (kind.decode)(bytes).is_ok() {
        bail!("{shown}: decodes as a whole ({}); unpack it without --salvage", kind.name);
    }
    target::recover(dir, out)?;
    if !target::is_free(dir)? {
        bail!("{}: is not empty; choose a new folder", dir.display());
    }
    let SalvagedFiles { files, lost, unnamed, .. } = salvaged;
    let failed = |(path, error): (PathBuf, io::Error)| anyhow!("{}: {error}", path.display());
    write(dir, &files).and_then(Written::put).map_err(failed)?;
    let whole = entries(wide(files.len()), "whole ");
    out.say(format_args!("{}: wrote {whole} ({}); the folder cannot be packed", dir.display(), kind.name));
    out.paths("lost", lost.into_iter(), "");
    match unnamed {
        Some(0) => {}
        Some(count) => out.say(format_args!("lost: {} without a name", entries(count, "more "))),
        None => out.say("lost: all later entries, and the table with the names and the number of entries"),
    }
    Ok(())
}

/// Returns a number of entries.
fn entries(count: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(count), if count == 1 { "entry" } else { "entries" })
}

/// Returns the kind of a container, and its whole entries: by its content or name, or if neither is enough, by what is found.
fn found(file: &Path, bytes: &Bytes) -> Option<(&'static Kind, SalvagedFiles)> {
    match recognize(KINDS, &name_of(file), bytes) {
        Some((kind, _)) => Some((kind, salvaged(kind, bytes)?)),
        None => KINDS.iter().find_map(|kind| Some((kind, salvaged(kind, bytes)?))),
    }
}

/// Returns an error about a file, with the way to its whole entries if it has some.
pub(crate) fn advised(file: &Path, error: anyhow::Error) -> anyhow::Error {
    let found = || {
        let bytes: Bytes = super::read(file).ok()?.into();
        found(file, &bytes)
    };
    match found() {
        Some((_, SalvagedFiles { files, .. })) => anyhow!(
            "{error:#}; `bitexact unpack --salvage {}` writes {}",
            argument(&file.display().to_string()),
            entries(wide(files.len()), "whole ")
        ),
        None => error,
    }
}
