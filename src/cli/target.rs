//! The output files of a subcommand. Obstacles are reported before the work, not after it.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};
use bitexact::exchange;
use bitexact::output::folder_of;
use bitexact::registry::{KINDS, recognize};

use super::out::Out;
use super::source::name_of;

/// Makes sure that a report does not overwrite a game file.
pub(crate) fn report(target: &Path) -> anyhow::Result<()> {
    has_room(target)?;
    // The user has probably forgotten the option's argument, so that a game file takes its place.
    if target.is_file()
        && let Ok(bytes) = fs::read(target)
        && let Some((kind, _)) = recognize(KINDS, &name_of(target), &bytes)
    {
        bail!("{}: refusing to overwrite a game file ({}); choose another name", target.display(), kind.name);
    }
    Ok(())
}

/// Makes sure that an existing file is replaced only by `force`.
pub(crate) fn game_file(target: &Path, force: bool) -> anyhow::Result<()> {
    has_room(target)?;
    if target.is_file() && !force {
        bail!("{}: already exists; use --force to overwrite it", target.display());
    }
    Ok(())
}

/// Makes sure that a file is not in a folder nor below it, with links resolved.
pub(crate) fn is_outside(target: &Path, folder: &Path) -> anyhow::Result<()> {
    let real = fs::canonicalize(target).or_else(|_| fs::canonicalize(folder_of(target)));
    if real.is_ok_and(|real| fs::canonicalize(folder).is_ok_and(|folder| real.starts_with(folder))) {
        bail!("{}: is inside {}, the folder being packed; choose another location", target.display(), folder.display());
    }
    Ok(())
}

/// Restores a folder whose replacement was interrupted.
pub(crate) fn recover(folder: &Path, out: &Out) -> anyhow::Result<()> {
    let shown = folder.display();
    if exchange::recover(folder).with_context(|| shown.to_string())? {
        out.say(format_args!("{shown}: restored, because an earlier unpack was interrupted"));
    }
    Ok(())
}

/// Makes sure that a file can be written: its folder exists and is writable, and no folder or read-only file has its path.
pub(crate) fn has_room(target: &Path) -> anyhow::Result<()> {
    let (shown, folder) = (target.display(), folder_of(target));
    if !folder.is_dir() {
        bail!("{shown}: folder {} does not exist", folder.display());
    }
    if target.is_dir() {
        bail!("{shown}: is a folder; name a file");
    }
    if target.is_symlink() && fs::metadata(target).is_err() {
        bail!("{shown}: is a broken link; delete it or choose another name");
    }
    match fs::metadata(target) {
        Ok(about) if about.is_file() && about.permissions().readonly() => {
            bail!("{shown}: is read-only; make it writable to replace it")
        }
        // Pipes and devices are not replaced, so that their folder does not matter.
        Ok(about) if !about.is_file() => Ok(()),
        _ => {
            let probe = tempfile::tempfile_in(folder);
            probe.map(drop).with_context(|| format!("{shown}: cannot write to folder {}", folder.display()))
        }
    }
}
