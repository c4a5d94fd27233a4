//! `bitexact export`: what is in a file, for programs that only look at it.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use bitexact::output;
use bitexact::zipper::texture::{Package, sheet};

use super::out::Out;
use super::source::Source;

/// Draw what is in a file; one way, nothing reads it back
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file
    file: PathBuf,
    /// What to write; the extension says in which form: .png a sheet of all images of a texture package
    output: PathBuf,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let source = Source::read(&args.file)?;
    let path = args.file.display();
    let form = args.output.extension().map(|end| end.to_string_lossy().to_lowercase()).unwrap_or_default();
    let drawn = match (source.kind.name, form.as_str()) {
        ("texture", "png") => {
            let package: Package = bitexact::field::decode(source.bytes)?.model;
            sheet::contact_sheet(&package).with_context(|| path.to_string())?
        }
        (kind, form) => bail!("{path}: no .{form} can be drawn of {kind}"),
    };
    output::write(&args.output, &drawn).with_context(|| args.output.display().to_string())?;
    out.say(format_args!("{}: {} bytes; nothing reads this back", args.output.display(), drawn.len()));
    Ok(())
}
