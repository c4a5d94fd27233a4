//! `bitexact import`: changes that have been made in an export. Either all succeed, or the file is left unchanged.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use bitexact::edit::{Batch, Batched, node_names};
use bitexact::exchange::About;
use bitexact::field::wide;
use bitexact::field::{Address, CodePage};
use bitexact::json::Document;
use bitexact::kind::{Compiles, Import, Imported, ImportedEdit, named};
use bitexact::output::printable::grouped;
use bitexact::registry::KINDS;

use super::back::Back;
use super::examples;
use super::out::Out;
use super::pack::compiled;
use super::source::{Source, name_of, parts};

/// Take changes of an exported model, table or text back into the file
///
/// The file is exported again and compared with MODEL. What is the same keeps its bytes. A text is the whole file.
#[derive(clap::Args)]
#[command(after_help = examples::IMPORT)]
pub(crate) struct Args {
    /// File that MODEL was exported from, or FILE!ENTRY
    file: PathBuf,
    /// Edited export: .glb, .gltf, .csv, or the text form of the file
    model: PathBuf,
    /// Super model of a model as text, compiled or as text, and then the super model of that (repeatable)
    #[arg(long = "super", value_name = "FILE")]
    super_models: Vec<PathBuf>,
    #[command(flatten)]
    back: Back,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let (target, entry) = parts(&args.file);
    args.back.check(&target, out)?;
    let source = Source::read(&target, out)?;
    let (path, model) = (args.file.display(), args.model.display());
    let inner = entry.as_ref().map(|entry| source.entry(entry)).transpose();
    let inner = inner.with_context(|| target.display().to_string())?;
    let own = inner.as_ref().unwrap_or(&source);
    if let Some(compiles) = own.kind.compiles {
        no_super_model(args)?;
        let edited = through(compiles, (&path.to_string(), own), (&args.model, &file(&args.model)?), out)?;
        let edited = replaced((&source, entry.as_deref()), &name_of(&target), edited);
        return args.back.write(&target, &source, &edited.with_context(|| path.to_string())?, out);
    }
    if own.kind.import.is_none() && own.kind.text.is_none() {
        bail!(
            "{path}: {} has no export that can be imported; `bitexact patch` changes its values and entries, and `bitexact unpack` writes \
             files to edit",
            own.kind.name
        );
    }
    let file = file(&args.model)?;
    let page = match (bitexact::media::csv::encoding(&file), CodePage::chosen()) {
        (Some(stated), Some(chosen)) if stated.name() != chosen.name() => bail!(
            "{model}: expected --encoding {}, that of its texts, found {}; leave the option out",
            stated.name(),
            chosen.name()
        ),
        (stated, chosen) => stated.or(chosen),
    };
    CodePage::during_or(page, || take(args, (&source, entry.as_deref()), own, file, out))
}

/// Takes the changes of a file that has been read.
fn take(
    args: &Args,
    (source, entry): (&Source, Option<&str>),
    own: &Source,
    file: Vec<u8>,
    out: &mut Out,
) -> anyhow::Result<()> {
    let (path, model) = (args.file.display(), args.model.display());
    let (target, _) = parts(&args.file);
    if let Some(text) = own.kind.text.filter(|text| (text.is_text)(&file)) {
        let bytes = compiled(text, (&args.model, &file), &args.super_models, out)?;
        let edited = replaced((source, entry), &name_of(&target), bytes).with_context(|| path.to_string())?;
        return args.back.write(&target, source, &edited, out);
    }
    let Some(import) = own.kind.import else {
        let form = own.kind.text.map_or("", |text| text.extension);
        bail!("{model}: expected {} as text, which `bitexact export {path} NAME.{form}` writes", own.kind.name)
    };
    no_super_model(args)?;
    let batch = imported(import, own, (&args.model, &file), out)?.inside(entry.unwrap_or_default());
    drop(file);
    let about = (source.about(), &source.model, &*name_of(&target));
    let edited = batch.apply(KINDS, about, None).with_context(|| path.to_string())?;
    args.back.write(&target, source, &edited, out)
}

/// Refuses super models, which only a text that is compiled builds upon.
fn no_super_model(args: &Args) -> anyhow::Result<()> {
    if args.super_models.is_empty() { Ok(()) } else { bail!("--super is for a model as text") }
}

fn file(model: &Path) -> anyhow::Result<Vec<u8>> {
    super::read_input(model).with_context(|| model.display().to_string())
}

/// Returns the edits that an export shows, and prints what of it is not imported.
fn imported(import: Import, own: &Source, (path, file): (&Path, &[u8]), out: &Out) -> anyhow::Result<Batch> {
    let Imported { edits, ignored, .. } =
        import(&own.model, file).map_err(|why| anyhow!("{}: {why}", path.display()))?;
    for (what, count) in ignored {
        out.say(format_args!("not imported: {what} ({})", grouped(wide(count))));
    }
    batch(edits, own, path)
}

/// Returns a text with the edits of what is compiled from it.
fn through(
    compiles: &Compiles,
    (shown, own): (&str, &Source),
    (path, file): (&Path, &[u8]),
    out: &Out,
) -> anyhow::Result<Vec<u8>> {
    let model = path.display();
    let kind = named(KINDS, compiles.kind).with_context(|| format!("internal error: no kind {}", compiles.kind))?;
    let import = kind.import.with_context(|| format!("{model}: {} has no export that can be imported", kind.name))?;
    let before = (compiles.compile)(&own.bytes).map_err(|why| anyhow!("{shown}: {why}"))?;
    let name = format!("compiled.{}", kind.name);
    let source = Source::of(&model.to_string(), &name, before.clone().into())?;
    let batch = imported(import, &source, (path, file), out)?;
    let edited = batch.apply(KINDS, (source.about(), &source.model, &*name), None).with_context(|| shown.to_owned())?;
    (compiles.take_back)(&own.bytes, &before, &edited.bytes).map_err(|why| anyhow!("{model}: {why}"))
}

/// Returns a file that is replaced as a whole, or in which an entry is.
fn replaced((source, entry): (&Source, Option<&str>), name: &str, bytes: Vec<u8>) -> anyhow::Result<Batched> {
    let Some(entry) = entry else {
        return Ok(Batched::whole(KINDS, (source.kind, name), bytes.into())?);
    };
    let about: About<'_> = source.about();
    let contents = Document::Raw(bytes.into());
    Ok(Batch::default().apply(
        KINDS,
        (about, &source.model, name),
        Some(&|edit| Ok(edit.replace(entry, contents.clone())?)),
    )?)
}

/// Returns the edits as those of `patch`.
fn batch(edits: Vec<ImportedEdit>, source: &Source, model: &Path) -> anyhow::Result<Batch> {
    let mut batch = Batch::default();
    for edit in edits {
        match edit {
            ImportedEdit::Set(place, value) => batch.set.push((place, value)),
            ImportedEdit::Delete(place) => batch.delete.push(place),
            ImportedEdit::Insert(place, value) => batch.insert.push((place, value)),
            ImportedEdit::Recompute(place) => batch.recompute.push(place),
            ImportedEdit::Rename(place, old, new) => {
                for place in names(source, place, &old)? {
                    batch.set.push((place, new.clone().into()));
                }
            }
            _ => bail!("{}: internal error: an unknown edit", model.display()),
        }
    }
    Ok(batch)
}

/// Returns the places of the name of a node and of all names that refer to it; only the first if several nodes have the name.
fn names(source: &Source, place: Address, old: &str) -> anyhow::Result<Vec<Address>> {
    // Nothing refers to the names of some kinds.
    let Ok(all) = node_names(&source.model, (source.kind, KINDS), old)? else { return Ok(vec![place]) };
    let others = bitexact::passes::names(&source.model, source.kind, KINDS)?;
    let nodes = others.iter().filter(|it| it.of == bitexact::kind::Named::Node && it.text == old).count();
    Ok(if nodes == 1 { all } else { vec![place] })
}
