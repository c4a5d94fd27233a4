//! `bitexact pack`: a file from an unpacked folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use bitexact::edit::diff::diff;
use bitexact::exchange::{Form, read};
use bitexact::field::{Scope, wide};
use bitexact::output::printable::counted;
use bitexact::passes::Sha;
use bitexact::registry::KINDS;
use bitexact::verify::lint;

use super::examples;
use super::out::Out;
use super::source::{name_of, prove, warn};
use super::unpack::UNPACKED;
use super::{target, whole};

/// Build a file from an unpacked folder
///
/// From a whole unpacked install, only the files of INSTALL that differ are replaced, all or none.
#[derive(clap::Args)]
#[command(after_help = examples::PACK)]
pub(crate) struct Args {
    /// Folder written by `unpack`
    dir: PathBuf,
    /// File to write, or the install [default: DIR without .unpacked]
    file: Option<PathBuf>,
    /// Overwrite an existing file, or files of the install that have changed since they were unpacked
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let file = &match &args.file {
        Some(file) => file.clone(),
        None => default_target(&args.dir)?,
    };
    if whole::is_whole(&args.dir) {
        return whole::pack(&args.dir, file, args.force, out);
    }
    let (dir, shown) = (args.dir.display(), file.display());
    target::game_file(file, args.force)?;
    target::is_outside(file, &args.dir)?;
    target::recover(&args.dir, out)?;
    // Reading a pipe or a device might never end.
    let before = file.is_file().then(|| fs::read(file).ok()).flatten();
    let inside = read(&args.dir).map_err(|(path, error)| anyhow::anyhow!("{}: {error}", path.display()))?;
    out.ignored(inside.litter.iter().map(|path| path.display().to_string()));
    let form = Form::parse(inside.files).map_err(|why| anyhow::anyhow!("{}{why}", within(&args.dir)))?;
    let packed = form.pack(KINDS).map_err(|error| match error.spot() {
        Some(_) => anyhow::anyhow!("{}{error}", within(&args.dir)),
        None => anyhow::Error::new(error).context(dir.to_string()),
    })?;
    let bytes: bytes::Bytes = bitexact::field::encode(&packed.model).with_context(|| dir.to_string())?.into();
    let sha256 = Sha::of(&bytes);
    // `unpack` has proven that the original round-trips.
    let is_original = packed.original.as_ref() == Some(&sha256.to_string());
    let name = name_of(file);
    let again = match is_original {
        true => None,
        false => Some(prove(packed.kind, &packed.model, &bytes, &name).with_context(|| dir.to_string())?),
    };
    bitexact::output::write(file, &bytes).with_context(|| shown.to_string())?;
    for it in &packed.recomputed {
        out.say(format_args!("recomputed: {}: {} → {}", it.place, it.was, it.now));
    }
    let before = before.map(bytes::Bytes::from);
    let original = before.as_ref().filter(|before| packed.original == Some(Sha::of(before).to_string()));
    if let Some(after) = &again {
        match original {
            Some(before) => {
                let old = (packed.kind.decode)(before.clone())?.model;
                warn(packed.kind, &name, [(&old, before), (after, &bytes)], out)?;
            }
            // Without the original, all warnings of the file may come from the edit.
            None => {
                let warnings = lint(packed.kind, &name, after, &bytes)?.into_iter();
                warnings
                    .filter(|it| it.trap.scope == Scope::File)
                    .for_each(|warning| out.say(format_args!("warning: {warning}")));
            }
        }
    }
    let count = counted(wide(bytes.len()), "byte");
    let edited = match original.cloned() {
        _ if is_original => "identical to the original".to_owned(),
        Some(before) => format!("edited: {}", counted(wide(diff(packed.kind, before, bytes)?.len()), "place")),
        None => "edited".to_owned(),
    };
    out.say(format_args!("{shown}: {edited}, {count}, SHA-256 {sha256}"));
    Ok(())
}

/// Returns the path from which `unpack` has made the name of a folder.
fn default_target(dir: &Path) -> anyhow::Result<PathBuf> {
    let name = name_of(dir);
    let name = name.strip_suffix(UNPACKED).filter(|name| !name.is_empty());
    name.map(PathBuf::from).with_context(|| {
        format!("{}: the folder is not called NAME{UNPACKED}, so also name the file to write", dir.display())
    })
}

/// Returns a folder as the beginning of a path in it.
fn within(dir: &Path) -> String {
    dir.join("").display().to_string()
}
