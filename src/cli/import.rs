//! `bitexact import`: changes that have been made in an export. Either all succeed, or the file is left unchanged.

use std::path::PathBuf;

use anyhow::{Context as _, anyhow, bail};
use bitexact::edit::{Exported, NotTaken, take_back};
use bitexact::exchange::unmarked;
use bitexact::field::{CodePage, wide};
use bitexact::output::printable::grouped;
use bitexact::registry::KINDS;

use super::back::Back;
use super::examples;
use super::out::Out;
use super::pack::super_models;
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
    let (text, is_drawn) = (own.kind.text, own.kind.import.is_some() || own.kind.compiles.is_some());
    if !is_drawn && text.is_none() {
        bail!(
            "{path}: {} has no export that can be imported; `bitexact patch` changes its values and entries, and `bitexact unpack` writes \
             files to edit",
            own.kind.name
        );
    }
    let export = super::read_input(&args.model).with_context(|| model.to_string())?;
    // No export begins like UTF-16.
    unmarked(&export).map_err(|why| anyhow!("{model}: {why}"))?;
    if let Some(text) = text.filter(|text| !is_drawn && !(text.is_text)(&export)) {
        bail!(
            "{model}: expected {} as text, which `bitexact export {path} NAME.{}` writes",
            own.kind.name,
            text.extension
        )
    }
    if !args.super_models.is_empty() && !text.is_some_and(|text| (text.is_text)(&export)) {
        bail!("--super is for a model as text");
    }
    let of = Exported { entry: entry.as_deref(), kind: own.kind, model: &own.model, bytes: &own.bytes };
    let others = super_models(&args.super_models)?;
    let taken = take_back(KINDS, (source.about(), &source.model, &name_of(&target)), of, export.into(), &others);
    let taken = taken.map_err(|why| match why {
        NotTaken::Export(why) => anyhow!("{model}: {why}"),
        NotTaken::File(why) => anyhow::Error::new(why).context(path.to_string()),
    })?;
    for note in &taken.notes {
        out.say(format_args!("{model}: {note}"));
    }
    for (what, count) in &taken.ignored {
        out.say(format_args!("not imported: {what} ({})", grouped(wide(*count))));
    }
    CodePage::during_or(taken.page, || args.back.write(&target, &source, &taken.edited, out))
}
