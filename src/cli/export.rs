//! `bitexact export`: images, sounds, models, levels and texts for other programs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use bitexact::aurora::erf::Erf;
use bitexact::exchange::{Written, write};
use bitexact::field::{Address, wide};
use bitexact::kind::{Drawing, ExportError, ExportOptions, Format as _, Images, Kind, named};
use bitexact::media::gltf::{Scene, write::Glb};
use bitexact::output::{
    self, folder_of,
    printable::{counted, grouped},
};
use bitexact::passes::spans;
use bitexact::registry::KINDS;
use bitexact::zipper::texture::Package;
use bytes::Bytes;

use super::examples;
use super::loose::failed;
use super::out::Out;
use super::source::{Source, entry_of, name_of, parts};
use super::{physics, shown, target};

/// Export images, sounds, models, levels, tables or texts
#[derive(clap::Args)]
#[command(after_help = examples::EXPORT)]
pub(crate) struct Args {
    /// File to export, FILE!ENTRY, or FILE!ENTRY:/PLACE for one of several images, sounds or texts of an entry
    file: PathBuf,
    /// File to write; its extension selects the format: .png (an image; all images of a texture package, all bitmaps of shapes, all
    /// pictures of a resource fork), .wav (a sound), .txt (a script, a terminal, strings), .csv (the texts of a talk table, a 2DA), .svg
    /// (a level from above), .glb or .gltf (worlds, 'Mech libraries, models), .zrd, .asm, .mdl or .json (reader data, compiled scripts,
    /// compiled models, trees of fields as text), or the extension of ENTRY for its bytes. `import`, `pack` and `patch --replace` take all
    /// but .svg and sheets of images back. With --svg or --png, it is the folder of the drawings [default: the name of FILE or ENTRY, in the
    /// first format that its kind has]
    output: Option<PathBuf>,
    /// Draw every level of a map from above, each in a file of the folder OUTPUT
    #[arg(long, requires = "output", conflicts_with_all = ["png", "level", "textures", "no_skins"])]
    svg: bool,
    /// The same as PNG
    #[arg(long, requires = "output", conflicts_with_all = ["level", "textures", "no_skins"])]
    png: bool,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
    /// Texture package for the images of a world or library, or container with the textures of a model (repeatable)
    #[arg(long, value_name = "FILE")]
    textures: Vec<PathBuf>,
    /// Wad entry to draw, counting from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    level: usize,
    /// Physics model whose values fill what the other form lacks: .phys of Marathon as .phyA of later games, and back with the model of
    /// Marathon as a second one
    #[arg(long, value_name = "FILE")]
    like: Vec<PathBuf>,
    /// Export skins as plain meshes, without bones, as editors need them for `import`
    #[arg(long)]
    no_skins: bool,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let (file, entry) = parts(&args.file);
    let path = args.file.display();
    if let (Some(folder), true) = (&args.output, args.svg || args.png) {
        return levels(args, folder, out);
    }
    if let Some(target) = &args.output {
        target::drawing(target, args.force)?;
    }
    let source = Source::read(&file, out)?;
    let at = match &entry {
        None => Address::default(),
        Some(entry) if spans(&source.model)?.contains_key(entry) => Address::of_entry(entry.as_str()),
        Some(entry) => Address::from(entry.as_str()),
    };
    let (name, bytes) = match at.entry.as_str() {
        "" => (source.kind.name, source.bytes.clone()),
        entry => entry_of(&source, entry).with_context(|| file.display().to_string())?,
    };
    let kind = named(KINDS, name);
    let target = &match &args.output {
        Some(target) => target.clone(),
        None => {
            let target = default_target((&file, &source), &at, (name, kind))?;
            target::drawing(&target, args.force)?;
            target
        }
    };
    let form = target.extension().map(|end| end.to_string_lossy().to_lowercase()).unwrap_or_default();
    if entry.is_none() && physics::is_other_form(&source, &form) {
        return physics::export((&file, &source), (target, &form), &args.like, out);
    }
    if !args.like.is_empty() {
        bail!(
            "{path}: --like is for physics models of Marathon, exported as .phyA, or those of later games, exported as .phys"
        );
    }
    let text = kind.and_then(|kind| kind.text).filter(|text| text.extension == form && at.keys.is_empty());
    if let Some(text) = text {
        let text = text.write(&bytes).map_err(|why| anyhow!("{path}: {why}"))?;
        output::write(target, &text).with_context(|| target.display().to_string())?;
        let size = counted(wide(text.len()), "byte");
        out.say(format_args!("{}: wrote {size}; `import` takes it back", target.display()));
        return Ok(());
    }
    let drawing = kind.and_then(|kind| kind.exports.iter().find(|export| export.extension == form));
    // A picture in a container is not the file of its own that other programs write.
    let is_file = at.entry.is_empty() || kind.is_some_and(|kind| (kind.decode)(bytes.clone()).is_ok());
    let Some((kind, export)) = kind.zip(drawing.filter(|_| is_file && at.keys.is_empty())) else {
        if let Some(piece) = shown::only(shown::pieces(&source, &at)?, &form, &args.file)? {
            return piece.write((&args.file, target), out);
        }
        let of = if form.is_empty() { target.display() } else { path };
        bail!("{of}: {}", shown::refusal(&source, (name, kind), &at, (&file, &form))?)
    };
    // A file of this kind can hold something else than what is drawn.
    let ways = shown::ways(&source, &at, &file)?;
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
    let containers: Vec<_> = containers.iter().map(|it| (&it.model, &it.bytes)).collect();
    let images = Images::beside(folder_of(&file), &containers, |path| super::read(path).ok().map(Bytes::from))?;
    let options = ExportOptions::default().textures(textures).level(args.level).unbound(args.no_skins).images(images);
    // The scene of a world takes memory enough without its file.
    let is_file = !output::is_stdout(target) && target.metadata().map_or(true, |target| target.is_file());
    let options = options.unwritten(is_file);
    let drawn = (export.draw)(bytes, &options).map_err(|why| match why {
        ExportError::Content(why) => anyhow!("{path}: {why}; {ways}"),
        why => anyhow::Error::new(why).context(path.to_string()),
    });
    let Drawing { file, scene, left_out, .. } = drawn?;
    for (what, count) in left_out {
        out.say(format_args!("omitted: {what} ({})", grouped(wide(count))));
    }
    let glb = scene.as_ref().map(Scene::to_glb).transpose().with_context(|| path.to_string())?;
    let size = counted(wide(glb.as_ref().map_or(file.len(), Glb::length)), "byte");
    let written = match glb {
        Some(glb) => output::write_by(target, |to| glb.write(to)),
        None => output::write(target, &file),
    };
    written.with_context(|| target.display().to_string())?;
    let is_import = (kind.import.is_some() || kind.compiles.is_some())
        && (export.extension.starts_with("gl") || export.extension == "csv");
    let note = if is_import { "; `import` takes changes back" } else { " (for viewing only)" };
    out.say(format_args!("{}: wrote {size}{note}", target.display()));
    Ok(())
}

/// Draws every level, each in a file of its own.
fn levels(args: &Args, folder: &Path, out: &Out) -> anyhow::Result<()> {
    let (form, path) = (if args.svg { "svg" } else { "png" }, args.file.display());
    let source = Source::read_entry(&args.file, out)?;
    let found = source.kind.exports.iter().find(|export| export.extension == form).and_then(|export| export.levels);
    let draw = found.with_context(|| format!("{path}: {} has no levels to draw", source.kind.name))?;
    let drawn = draw(source.bytes.clone()).with_context(|| path.to_string())?;
    let digits = drawn.iter().map(|it| it.index.to_string().len()).max().unwrap_or(1).max(2);
    let files: BTreeMap<String, Bytes> = drawn
        .into_iter()
        .map(|it| {
            let name = output::plain_name(&it.name);
            let space = if name.is_empty() { "" } else { " " };
            (format!("{:0digits$}{space}{name}.{form}", it.index), it.drawing.file.into())
        })
        .collect();
    // Nothing is written if one of them is in the way.
    if !target::is_free(folder)? {
        files.keys().try_for_each(|name| target::drawing(&folder.join(name), args.force))?;
    }
    put_all(folder, &files)?;
    out.say(format_args!("{}: wrote {} (for viewing only)", folder.display(), counted(wide(files.len()), "level")));
    Ok(())
}

/// Writes files to a folder: all, or none. In a folder with other files, all are on the disk before the first is moved to its place.
fn put_all(folder: &Path, files: &BTreeMap<String, Bytes>) -> anyhow::Result<()> {
    if let Some(around) = folder.parent().filter(|around| !around.as_os_str().is_empty()) {
        std::fs::create_dir_all(around).with_context(|| around.display().to_string())?;
    }
    if target::is_free(folder)? {
        write(folder, files).and_then(Written::put).map_err(failed)?;
        return Ok(());
    }
    let written = write(&folder.join(DRAWINGS), files).map_err(failed)?;
    for name in files.keys() {
        let target = folder.join(name);
        std::fs::rename(written.inside().join(name), &target).with_context(|| target.display().to_string())?;
    }
    Ok(())
}

/// The name of a folder that is never made: only the files in it are moved.
const DRAWINGS: &str = "drawings";

/// Returns the name of the file that an export without a name goes to, in the current folder.
fn default_target(
    (file, source): (&Path, &Source),
    at: &Address,
    (name, kind): (&str, Option<&Kind>),
) -> anyhow::Result<PathBuf> {
    // What holds the whole file comes before what a spreadsheet shows of it.
    let (tables, drawn): (Vec<_>, Vec<_>) =
        kind.into_iter().flat_map(|kind| kind.exports).map(|it| it.extension).partition(|form| *form == "csv");
    let forms = drawn.into_iter().chain(kind.and_then(|kind| kind.text).map(|it| it.extension)).chain(tables);
    // The form that any kind can have does not say which one it is.
    let own = match at.entry.rsplit(['!', '\\', '/']).next().filter(|name| !name.is_empty()) {
        Some(name) => name.to_owned(),
        None => name_of(file),
    };
    match forms.into_iter().next().filter(|_| at.keys.is_empty()) {
        Some("json") => Ok(format!("{own}.json").into()),
        Some(form) => {
            let stem = Path::new(&own).file_stem().map(|stem| stem.to_string_lossy().into_owned());
            Ok(format!("{}.{form}", stem.filter(|stem| !stem.is_empty()).unwrap_or(own)).into())
        }
        None => match shown::pieces(source, at)?.first() {
            Some(piece) => Ok(shown::default_name(file, at, &piece.extension).into()),
            None => bail!("{}: {}", file.display(), shown::refusal(source, (name, kind), at, (file, ""))?),
        },
    }
}
