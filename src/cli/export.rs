//! `bitexact export`: what is in a file, for programs that only look at it.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use bitexact::field::decode;
use bitexact::kind::Format as _;
use bitexact::marathon::{Payload, plan, sheet, wad::Wad};
use bitexact::output;
use bitexact::registry::KINDS;
use bitexact::scene;
use bitexact::zipper::texture::{self, Package};

use super::out::Out;
use super::source::{Source, name_of};
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
    let drawn = match (source.kind.name, form.as_str()) {
        ("texture", "png") => {
            let package: Package = decode(source.bytes)?.model;
            texture::contact_sheet(&package).with_context(|| path.to_string())?
        }
        ("shapes" | "shapes-patch" | "picture" | "resources" | "wad" | "macbinary" | "applesingle", "png") => {
            sheet::of(source.kind.name, source.bytes)?.with_context(|| path.to_string())?
        }
        ("wad" | "macbinary" | "applesingle", "svg") => {
            let wad = wad(source)?.with_context(|| format!("{path}: there is no wad in it"))?;
            let entries = wad.entries.len();
            let plan = plan::svg(&wad, args.level);
            plan.with_context(|| format!("{path}: no entry {} among {entries}", args.level))?.into_bytes()
        }
        ("gamez" | "archive" | "mdl", "glb" | "gltf") => {
            let packages = args.textures.iter().map(|file| package(file)).collect::<anyhow::Result<Vec<_>>>()?;
            let scene = scene::of(KINDS, &name_of(&args.file), source.bytes.clone(), &packages)
                .with_context(|| path.to_string())?;
            for (what, count) in &scene.left_out {
                out.say(format_args!("left out: {count} {what}"));
            }
            if form == "glb" { scene.glb() } else { scene.gltf() }.with_context(|| path.to_string())?
        }
        (kind, form) => bail!("{path}: no .{form} can be drawn of {kind}"),
    };
    output::write(&args.output, &drawn).with_context(|| args.output.display().to_string())?;
    out.say(format_args!("{}: {} bytes; nothing reads this back", args.output.display(), drawn.len()));
    Ok(())
}

/// A texture package.
fn package(file: &Path) -> anyhow::Result<Package> {
    let source = Source::read(file)?;
    match source.kind.name {
        Package::NAME => Ok(decode(source.bytes)?.model),
        kind => bail!("{}: a texture package was expected, found {kind}", file.display()),
    }
}

/// The wad that a file is, or that is in its wrapper.
fn wad(source: Source) -> anyhow::Result<Option<Wad>> {
    let payloads = Payload::in_file(source.kind.name, source.bytes)?;
    Ok(payloads.into_iter().find_map(|payload| match payload {
        Payload::Wad(wad) => Some(*wad),
        _ => None,
    }))
}
