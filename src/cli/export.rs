//! `bitexact export`: images, models and levels for viewing.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use bitexact::field::{decode, wide};
use bitexact::format::Format as _;
use bitexact::marathon::{Payload, plan, sheet, wad::Wad};
use bitexact::output;
use bitexact::printable::{counted, grouped};
use bitexact::registry::KINDS;
use bitexact::scene;
use bitexact::zipper::texture::{self, Package};

use super::out::Out;
use super::source::{Source, name_of};
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
    let drawn = match (source.kind.name, form.as_str()) {
        ("texture", "png") => {
            let package: Package = decode(source.bytes)?.model;
            texture::contact_sheet(&package).with_context(|| path.to_string())?
        }
        ("shapes" | "shapes-patch" | "picture" | "resources" | "wad" | "macbinary" | "applesingle", "png") => {
            sheet::of(source.kind.name, source.bytes)?.with_context(|| path.to_string())?
        }
        ("wad" | "macbinary" | "applesingle", "svg") => {
            let wad = wad(source)?.with_context(|| format!("{path}: contains no wad"))?;
            let (level, entries) = (args.level, wad.entries.len());
            let entries = if entries == 1 { "1 entry".to_owned() } else { format!("{entries} entries") };
            let plan = plan::svg(&wad, level);
            plan.with_context(|| format!("{path}: no entry {level}, the wad has {entries} (the first is 0)"))?
                .into_bytes()
        }
        ("gamez" | "archive" | "mdl", "glb" | "gltf") => {
            let packages = args.textures.iter().map(|file| package(file)).collect::<anyhow::Result<Vec<_>>>()?;
            let scene = scene::of(KINDS, &name_of(&args.file), source.bytes.clone(), &packages)
                .with_context(|| path.to_string())?;
            for (what, count) in &scene.left_out {
                out.say(format_args!("omitted: {what} ({})", grouped(wide(*count))));
            }
            if form == "glb" { scene.glb() } else { scene.gltf() }.with_context(|| path.to_string())?
        }
        (kind, form) => bail!("{path}: cannot export {kind} as .{form}; see `bitexact export --help`"),
    };
    output::write(&args.output, &drawn).with_context(|| args.output.display().to_string())?;
    let size = counted(wide(drawn.len()), "byte");
    out.say(format_args!("{}: wrote {size} (for viewing only)", args.output.display()));
    Ok(())
}

/// Reads a texture package.
fn package(file: &Path) -> anyhow::Result<Package> {
    let source = Source::read(file)?;
    match source.kind.name {
        Package::NAME => Ok(decode(source.bytes)?.model),
        kind => bail!("{}: expected a texture package, found {kind}", file.display()),
    }
}

/// Returns the wad in a file, which can be inside a wrapper.
fn wad(source: Source) -> anyhow::Result<Option<Wad>> {
    let payloads = Payload::in_file(source.kind.name, source.bytes)?;
    Ok(payloads.into_iter().find_map(|payload| match payload {
        Payload::Wad(wad) => Some(*wad),
        _ => None,
    }))
}
