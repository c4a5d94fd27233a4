//! Files that a subcommand is to write. What stands in the way is said before the work, not behind it.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};
use bitexact::exchange;
use bitexact::output::folder_of;
use bitexact::registry::{KINDS, recognise};

use super::out::Out;
use super::source::name_of;

/// Makes sure that nothing of a game is lost for a file that says something of games.
pub(crate) fn report(target: &Path) -> anyhow::Result<()> {
    has_room(target)?;
    // The path of a game's file has slipped in behind the option.
    if target.is_file()
        && let Ok(bytes) = fs::read(target)
        && let Some((kind, _)) = recognise(KINDS, &name_of(target), &bytes)
    {
        bail!("{}: is a file of a game ({}), which is not replaced", target.display(), kind.name);
    }
    Ok(())
}

/// Makes sure that a file of a game replaces another only by `force`.
pub(crate) fn game_file(target: &Path, force: bool) -> anyhow::Result<()> {
    has_room(target)?;
    if target.is_file() && !force {
        bail!("{}: there is a file; --force replaces it", target.display());
    }
    Ok(())
}

/// Makes sure that a file does not come to lie in a folder, nor in one below it, wherever links lead.
pub(crate) fn is_outside(target: &Path, folder: &Path) -> anyhow::Result<()> {
    let real = fs::canonicalize(target).or_else(|_| fs::canonicalize(folder_of(target)));
    if real.is_ok_and(|real| fs::canonicalize(folder).is_ok_and(|folder| real.starts_with(folder))) {
        bail!("{}: is in {}, from which it is to be made", target.display(), folder.display());
    }
    Ok(())
}

/// Puts a folder back whose replacement was interrupted.
pub(crate) fn recover(folder: &Path, out: &Out) -> anyhow::Result<()> {
    let shown = folder.display();
    if exchange::recover(folder).with_context(|| shown.to_string())? {
        out.say(format_args!("{shown}: restored what was there before an unpack that was interrupted"));
    }
    Ok(())
}

/// Makes sure that there is a folder for a file, and none in its place.
fn has_room(target: &Path) -> anyhow::Result<()> {
    let (shown, folder) = (target.display(), folder_of(target));
    if !folder.is_dir() {
        bail!("{shown}: there is no folder {}", folder.display());
    }
    if target.is_dir() {
        bail!("{shown}: is a folder");
    }
    if target.is_symlink() && fs::metadata(target).is_err() {
        bail!("{shown}: is a link to nothing");
    }
    Ok(())
}
