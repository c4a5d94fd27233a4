//! `unpack --loose` and `pack --new scen`: scenarios of Marathon as folders of levels, and back.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, bail};
use bitexact::edit::BifKeys;
use bitexact::exchange::write;
use bitexact::field::wide;
use bitexact::loose::scenario;
use bitexact::marathon::wad::Wad;
use bitexact::output::printable::counted;
use bitexact::passes::Sha;
use bitexact::registry::KINDS;
use bitexact::verify::{Status, verify};

use super::loose::{self, New, failed};
use super::out::Out;
use super::source::{Source, name_of};
use super::{target, zipped};

/// Writes the levels of a scenario, each into a folder of its own.
pub(crate) fn unpack(file: &Path, source: &Source, dir: &Path, out: &mut Out) -> anyhow::Result<()> {
    let files = match scenario::split(&source.bytes) {
        Ok(files) => files,
        Err(errors) => return loose::refuse(&errors, |why| format!("{}: {why}", file.display()), out),
    };
    if !target::is_free(dir)? {
        bail!("{}: is not empty; choose a new folder", dir.display());
    }
    let levels = files.keys().filter_map(|path| path.split_once('/')).map(|(folder, _)| folder);
    let levels = counted(wide(levels.collect::<BTreeSet<_>>().len()), "level");
    write(dir, &files).and_then(bitexact::exchange::Written::put).map_err(failed)?;
    out.say(format_args!(
        "{}: wrote {levels} in {}; `bitexact pack --new scen` merges them to the same file",
        dir.display(),
        counted(wide(files.len()), "file")
    ));
    Ok(())
}

/// Builds a scenario from the folders of its levels.
pub(crate) fn pack((dir, file): (&Path, &Path), new: &New<'_>, out: &mut Out) -> anyhow::Result<()> {
    if !dir.is_dir() && !zipped::is_zip(dir) {
        bail!("{}: expected a folder or a .zip with the folders of the levels", dir.display());
    }
    // The options `--favor` and `--renumber` need `--with`.
    for (option, is_given) in [("--date", new.date.is_some()), ("--with", !new.with.is_empty())] {
        if is_given {
            bail!("{option} is for containers of Neverwinter Nights");
        }
    }
    target::is_outside(file, dir)?;
    let all = loose::files(dir, out)?;
    let bytes = match scenario::merge(&all) {
        Ok(bytes) => bytes,
        Err(errors) => return loose::refuse(&errors, |why| super::within(dir, &why), out),
    };
    let report = verify(KINDS, &name_of(file), bytes.to_vec());
    if report.status != Status::Identical {
        bail!("internal error: the merged scenario does not round-trip; please report this");
    }
    let levels = bitexact::field::decode::<Wad>(bytes.clone()).context("the merged scenario")?.model.entries.len();
    let undo = match new.dry_run {
        true => String::new(),
        false => target::write(file, core::slice::from_ref(&bytes), None, &BifKeys::default(), new.game)?,
    };
    let (levels, size) = (counted(wide(levels), "level"), counted(wide(bytes.len()), "byte"));
    let is = if new.dry_run { "would be " } else { "" };
    out.say(format_args!("{}: {is}merged from {levels}, {size}, SHA-256 {}{undo}", file.display(), Sha::of(&bytes)));
    Ok(())
}
