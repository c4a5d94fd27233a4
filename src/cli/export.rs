//! `bitexact export`: images, models and levels for viewing.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use bitexact::field::wide;
use bitexact::kind::{Drawing, ExportOptions, Format as _};
use bitexact::output::{
    self,
    printable::{counted, grouped},
};
use bitexact::zipper::texture::Package;
use bytes::Bytes;

use super::out::Out;
use super::source::Source;
use super::target;

/// Export images, models or levels for viewing (cannot be packed)
#[derive(clap::Args)]
pub(crate) struct Args {
    /// File to export
    file: PathBuf,
    /// File to write; its extension selects the format: .png (all images of a texture package, all bitmaps of shapes, all
    /// pictures of a resource fork), .svg (a level from above), .glb or .gltf (worlds, 'Mech libraries, models)
    output: PathBuf,
    /// Texture package for the images of a world or library (repeatable)
    #[arg(long, value_name = "FILE")]
    textures: Vec<PathBuf>,
    /// Wad entry to draw, counting from 0
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
        let hint = match forms.as_slice() {
            [] => "; see `bitexact export --help`".to_owned(),
            forms => format!(", only as {}", forms.join(", ")),
        };
        bail!("{path}: cannot export {} as .{form}{hint}", kind.name)
    };
    let textures = args.textures.iter().map(|file| package(file)).collect::<anyhow::Result<_>>()?;
    let options = ExportOptions::default().textures(textures).level(args.level);
    let Drawing { file, left_out, .. } = (export.draw)(source.bytes, &options).with_context(|| path.to_string())?;
    for (what, count) in left_out {
        out.say(format_args!("omitted: {what} ({})", grouped(wide(count))));
    }
    output::write(&args.output, &file).with_context(|| args.output.display().to_string())?;
    let size = counted(wide(file.len()), "byte");
    out.say(format_args!("{}: wrote {size} (for viewing only)", args.output.display()));
    Ok(())
}

/// Reads a texture package.
fn package(file: &Path) -> anyhow::Result<Bytes> {
    let source = Source::read(file)?;
    match source.kind.name {
        Package::NAME => Ok(source.bytes),
        kind => bail!("{}: expected a texture package, found {kind}", file.display()),
    }
}
