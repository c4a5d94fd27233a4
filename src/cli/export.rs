//! `bitexact export`: what is in a file, for programs that only look at it.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use bitexact::kind::{Drawing, ExportOptions, Format as _};
use bitexact::output;
use bitexact::zipper::texture::Package;
use bytes::Bytes;

use super::out::Out;
use super::source::Source;
use super::target;

/// Draw what is in a file; one way, nothing reads it back
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file
    file: PathBuf,
    /// What to write; the extension says in which form: .png (all images of a texture package, all bitmaps of shapes, all
    /// pictures of a resource fork), .svg (a level from above),
    /// .glb or .gltf (worlds, 'Mech libraries, models)
    output: PathBuf,
    /// A texture package with the images of a world or library; can be given several times
    #[arg(long, value_name = "FILE")]
    textures: Vec<PathBuf>,
    /// Which entry of a wad, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    level: usize,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    target::report(&args.output)?;
    let source = Source::read(&args.file)?;
    let path = args.file.display();
    let form = args.output.extension().map(|end| end.to_string_lossy().to_lowercase()).unwrap_or_default();
    let kind = source.kind;
    let Some(export) = kind.exports.iter().find(|export| export.extension == form) else {
        let forms: Vec<_> = kind.exports.iter().map(|it| format!(".{} ({})", it.extension, it.shows)).collect();
        let only = if forms.is_empty() { String::new() } else { format!(", only {}", forms.join(", ")) };
        bail!("{path}: no .{form} can be drawn of {}{only}", kind.name)
    };
    let textures = args.textures.iter().map(|file| package(file)).collect::<anyhow::Result<_>>()?;
    let options = ExportOptions::default().textures(textures).level(args.level);
    let Drawing { file, left_out, .. } = (export.draw)(source.bytes, &options).with_context(|| path.to_string())?;
    for (what, count) in left_out {
        out.say(format_args!("left out: {count} {what}"));
    }
    output::write(&args.output, &file).with_context(|| args.output.display().to_string())?;
    out.say(format_args!("{}: {} bytes; nothing reads this back", args.output.display(), file.len()));
    Ok(())
}

/// A texture package.
fn package(file: &Path) -> anyhow::Result<Bytes> {
    let source = Source::read(file)?;
    match source.kind.name {
        Package::NAME => Ok(source.bytes),
        kind => bail!("{}: a texture package was expected, found {kind}", file.display()),
    }
}
