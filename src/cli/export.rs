//! `bitexact export`: images, models and levels for other programs.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use bitexact::edit::why_nothing;
use bitexact::field::{Address, wide};
use bitexact::kind::{Drawing, ExportOptions, Format as _, named};
use bitexact::output::{
    self,
    printable::{counted, grouped},
};
use bitexact::passes::spans;
use bitexact::registry::KINDS;
use bitexact::zipper::texture::Package;
use bytes::Bytes;

use super::out::Out;
use super::source::Source;
use super::target;

/// Export images, models or levels, or reader data as text
#[derive(clap::Args)]
pub(crate) struct Args {
    /// File to export, or FILE!ENTRY
    file: PathBuf,
    /// File to write; its extension selects the format: .png (all images of a texture package, all bitmaps of shapes, all
    /// pictures of a resource fork), .svg (a level from above), .glb or .gltf (worlds, 'Mech libraries, models), .zrd (reader
    /// data as text, which `patch --replace` takes back)
    output: PathBuf,
    /// Texture package for the images of a world or library (repeatable)
    #[arg(long, value_name = "FILE")]
    textures: Vec<PathBuf>,
    /// Wad entry to draw, counting from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    level: usize,
    /// Export skins as plain meshes, without bones, as editors need them for `import`
    #[arg(long)]
    no_skins: bool,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let (file, entry) = parts(&args.file);
    let path = args.file.display();
    let form = args.output.extension().map(|end| end.to_string_lossy().to_lowercase()).unwrap_or_default();
    target::report(&args.output)?;
    let source = Source::read(&file)?;
    let (kind, bytes) = match &entry {
        None => (source.kind, source.bytes.clone()),
        Some(entry) => {
            let Some(span) = spans(&source.model)?.remove(entry) else {
                bail!("{path}: {}", why_nothing(&source.model, &Address::of_entry(entry))?)
            };
            let kind = named(KINDS, span.kind).with_context(|| format!("{path}: {} has no exports", span.kind))?;
            let bytes = span.of(&source.bytes).with_context(|| format!("{path}: the entry is not in one piece"))?;
            (kind, source.bytes.slice_ref(bytes))
        }
    };
    if let Some(text) = kind.text.filter(|text| text.extension == form) {
        let text = (text.write)(&bytes).map_err(|why| anyhow!("{path}: {why}"))?;
        output::write(&args.output, &text).with_context(|| args.output.display().to_string())?;
        let size = counted(wide(text.len()), "byte");
        out.say(format_args!("{}: wrote {size}; `patch --replace` takes it back", args.output.display()));
        return Ok(());
    }
    let Some(export) = kind.exports.iter().find(|export| export.extension == form) else {
        let text = kind.text.iter().map(|it| format!(".{} (text)", it.extension));
        let forms = kind.exports.iter().map(|it| format!(".{} ({})", it.extension, it.shows));
        let forms: Vec<_> = forms.chain(text).collect();
        let hint = match forms.as_slice() {
            [] => "; see `bitexact export --help`".to_owned(),
            forms => format!(", only as {}", forms.join(", ")),
        };
        bail!("{path}: cannot export {} as .{form}{hint}", kind.name)
    };
    let textures = args.textures.iter().map(|file| package(file)).collect::<anyhow::Result<_>>()?;
    let options = ExportOptions::default().textures(textures).level(args.level).unbound(args.no_skins);
    let Drawing { file, left_out, .. } = (export.draw)(bytes, &options).with_context(|| path.to_string())?;
    for (what, count) in left_out {
        out.say(format_args!("omitted: {what} ({})", grouped(wide(count))));
    }
    output::write(&args.output, &file).with_context(|| args.output.display().to_string())?;
    let size = counted(wide(file.len()), "byte");
    let is_import = kind.import.is_some() && export.extension.starts_with("gl");
    let note = if is_import { "; `import` takes changes back" } else { " (for viewing only)" };
    out.say(format_args!("{}: wrote {size}{note}", args.output.display()));
    Ok(())
}

/// Splits a path into a file and an entry in it, after `!`, if the path itself does not exist.
fn parts(path: &Path) -> (PathBuf, Option<String>) {
    let text = path.to_string_lossy();
    let splits =
        text.match_indices('!').filter_map(|(at, _)| Some((text.get(..at)?, text.get(at.saturating_add(1)..)?)));
    let found = splits.into_iter().find(|(file, entry)| !entry.is_empty() && Path::new(file).is_file());
    match found.filter(|_| !path.exists()) {
        Some((file, entry)) => (file.into(), Some(entry.to_owned())),
        None => (path.to_owned(), None),
    }
}

/// Reads a texture package.
fn package(file: &Path) -> anyhow::Result<Bytes> {
    let source = Source::read(file)?;
    match source.kind.name {
        Package::NAME => Ok(source.bytes),
        kind => bail!("{}: expected a texture package, found {kind}", file.display()),
    }
}
