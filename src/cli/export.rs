//! `bitexact export`: images, models and levels for other programs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use bitexact::aurora::erf::Erf;
use bitexact::field::wide;
use bitexact::kind::{Drawing, ExportOptions, Format as _, Images, Kind, named};
use bitexact::output::{
    self, folder_of,
    printable::{counted, grouped},
};
use bitexact::passes::spans;
use bitexact::registry::KINDS;
use bitexact::zipper::texture::Package;
use bytes::Bytes;

use super::examples;
use super::out::Out;
use super::source::{Source, entry_of, name_of, parts};
use super::target;

/// Export images, models or levels, or reader data and scripts as text
#[derive(clap::Args)]
#[command(after_help = examples::EXPORT)]
pub(crate) struct Args {
    /// File to export, or FILE!ENTRY
    file: PathBuf,
    /// File to write; its extension selects the format: .png (all images of a texture package, all bitmaps of shapes, all
    /// pictures of a resource fork), .svg (a level from above), .glb or .gltf (worlds, 'Mech libraries, models), .zrd, .asm, .mdl
    /// or .json (reader data, compiled scripts, compiled models, trees of fields as text, which `import`, `pack` and `patch --replace` take back)
    /// [default: the name of FILE or ENTRY, in the first format that its kind has]
    output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
    /// Texture package for the images of a world or library, or container with the textures of a model (repeatable)
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
    if let Some(target) = &args.output {
        target::drawing(target, args.force)?;
    }
    let source = Source::read(&file, out)?;
    let (kind, bytes) = match &entry {
        None => (source.kind, source.bytes.clone()),
        Some(entry) => {
            let (kind, bytes) = entry_of(&source, entry).with_context(|| path.to_string())?;
            (named(KINDS, kind).with_context(|| format!("{path}: {kind} has no exports"))?, bytes)
        }
    };
    let target = &match &args.output {
        Some(target) => target.clone(),
        None => {
            let target = default_target(&file, entry.as_deref(), kind)?;
            target::drawing(&target, args.force)?;
            target
        }
    };
    let form = target.extension().map(|end| end.to_string_lossy().to_lowercase()).unwrap_or_default();
    if let Some(text) = kind.text.filter(|text| text.extension == form) {
        let text = text.write(&bytes).map_err(|why| anyhow!("{path}: {why}"))?;
        output::write(target, &text).with_context(|| target.display().to_string())?;
        let size = counted(wide(text.len()), "byte");
        out.say(format_args!("{}: wrote {size}; `import` takes it back", target.display()));
        return Ok(());
    }
    let Some(export) = kind.exports.iter().find(|export| export.extension == form) else {
        let text = kind.text.iter().map(|it| format!(".{} (text)", it.extension));
        let forms = kind.exports.iter().map(|it| format!(".{} ({})", it.extension, it.shows));
        let forms: Vec<_> = forms.chain(text).collect();
        let name = target.display();
        match (forms.join(", "), form.as_str()) {
            (forms, _) if forms.is_empty() => {
                bail!("{path}: cannot export {} as .{form}; see `bitexact export --help`", kind.name)
            }
            (forms, "") => bail!("{name}: the extension selects the format; {} can be exported as {forms}", kind.name),
            (forms, _) => bail!("{path}: cannot export {} as .{form}, only as {forms}", kind.name),
        }
    };
    let (mut textures, mut containers) = (Vec::new(), Vec::new());
    // Of any other file, only the bytes are needed, and its model takes more memory than they do.
    if entry.is_some() {
        containers.push(source);
    } else {
        drop(source);
    }
    for file in &args.textures {
        let source = Source::read(file, out)?;
        match source.kind.name {
            Package::NAME => textures.push(source.bytes),
            Erf::NAME => containers.push(source),
            kind => bail!("{}: expected a texture package or a container of textures, found {kind}", file.display()),
        }
    }
    let images = images(folder_of(&file), &containers)?;
    let options = ExportOptions::default().textures(textures).level(args.level).unbound(args.no_skins).images(images);
    let Drawing { file, left_out, .. } = (export.draw)(bytes, &options).with_context(|| path.to_string())?;
    for (what, count) in left_out {
        out.say(format_args!("omitted: {what} ({})", grouped(wide(count))));
    }
    output::write(target, &file).with_context(|| target.display().to_string())?;
    let size = counted(wide(file.len()), "byte");
    let is_import = kind.import.is_some() && export.extension.starts_with("gl");
    let note = if is_import { "; `import` takes changes back" } else { " (for viewing only)" };
    out.say(format_args!("{}: wrote {size}{note}", target.display()));
    Ok(())
}

/// Returns the name of the file that an export without a name goes to, in the current folder.
fn default_target(file: &Path, entry: Option<&str>, kind: &Kind) -> anyhow::Result<PathBuf> {
    let forms = kind.exports.iter().map(|it| it.extension).chain(kind.text.map(|it| it.extension));
    let Some(form) = forms.into_iter().next() else {
        bail!("{}: {} has no exports; see `bitexact export --help`", file.display(), kind.name)
    };
    let name =
        entry.and_then(|entry| entry.rsplit(['!', '\\', '/']).next()).map_or_else(|| name_of(file), str::to_owned);
    // The form that any kind can have does not say which one it is.
    if form == "json" {
        return Ok(format!("{name}.{form}").into());
    }
    let stem = Path::new(&name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    Ok(format!("{}.{form}", stem.filter(|stem| !stem.is_empty()).unwrap_or(name)).into())
}

/// The extensions of textures, the preferred ones first: a user has made the PNG, and the game takes a DDS before a TGA.
const TEXTURES: [&str; 3] = ["png", "dds", "tga"];

/// Returns how textures are found: in this folder, then in these containers.
fn images(folder: &Path, containers: &[Source]) -> anyhow::Result<Images> {
    let mut beside: HashMap<String, PathBuf> = HashMap::new();
    for file in folder.read_dir().into_iter().flatten().flatten() {
        beside.insert(file.file_name().to_string_lossy().to_lowercase(), file.path());
    }
    let mut inside: HashMap<String, Bytes> = HashMap::new();
    for source in containers {
        for (entry, span) in spans(&source.model)? {
            if let Some(bytes) = span.of(&source.bytes) {
                inside.entry(entry.to_lowercase()).or_insert_with(|| source.bytes.slice_ref(bytes));
            }
        }
    }
    let found = move |name: &str| {
        let names = TEXTURES.map(|end| format!("{name}.{end}"));
        let file = names.iter().filter_map(|name| beside.get(name)).find_map(|path| super::read(path).ok());
        file.map(Bytes::from).or_else(|| names.iter().find_map(|name| inside.get(name).cloned()))
    };
    Ok(Images::new(found))
}
