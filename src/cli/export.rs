//! `bitexact export`: what is in a file, for programs that only look at it.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use bitexact::field::decode;
use bitexact::marathon::{Payload, applesingle::AppleSingle, macbinary::MacBinary, plan, wad::Wad};
use bitexact::output;
use bitexact::zipper::texture::{Package, sheet};

use super::out::Out;
use super::source::Source;

/// Draw what is in a file; one way, nothing reads it back
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file
    file: PathBuf,
    /// What to write; the extension says in which form: .png (all images of a texture package), .svg (a level from above)
    output: PathBuf,
    /// Which entry of a wad, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    level: usize,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let source = Source::read(&args.file)?;
    let path = args.file.display();
    let form = args.output.extension().map(|end| end.to_string_lossy().to_lowercase()).unwrap_or_default();
    let drawn = match (source.kind.name, form.as_str()) {
        ("texture", "png") => {
            let package: Package = decode(source.bytes)?.model;
            sheet::contact_sheet(&package).with_context(|| path.to_string())?
        }
        ("wad" | "macbinary" | "applesingle", "svg") => {
            let wad = wad(source)?.with_context(|| format!("{path}: there is no wad in it"))?;
            let entries = wad.entries.len();
            let plan = plan::svg(&wad, args.level);
            plan.with_context(|| format!("{path}: no entry {} among {entries}", args.level))?.into_bytes()
        }
        (kind, form) => bail!("{path}: no .{form} can be drawn of {kind}"),
    };
    output::write(&args.output, &drawn).with_context(|| args.output.display().to_string())?;
    out.say(format_args!("{}: {} bytes; nothing reads this back", args.output.display(), drawn.len()));
    Ok(())
}

/// The wad that a file is, or that is in its wrapper.
fn wad(source: Source) -> anyhow::Result<Option<Wad>> {
    let payloads = match source.kind.name {
        "wad" => return Ok(Some(decode(source.bytes)?.model)),
        "macbinary" => vec![decode::<MacBinary>(source.bytes)?.model.data.content],
        _ => decode::<AppleSingle>(source.bytes)?.model.entries,
    };
    Ok(payloads.into_iter().flatten().find_map(|payload| match payload {
        Payload::Wad(wad) => Some(*wad),
        _ => None,
    }))
}
