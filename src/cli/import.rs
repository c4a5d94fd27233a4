//! `bitexact import`: changes that another program has made in an export. Either all succeed, or the file is left unchanged.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use bitexact::edit::{Batch, node_names};
use bitexact::field::Address;
use bitexact::field::wide;
use bitexact::kind::{Imported, ImportedEdit};
use bitexact::output::printable::grouped;
use bitexact::registry::KINDS;

use super::back::Back;
use super::examples;
use super::out::Out;
use super::source::{Source, name_of, parts};

/// Take changes of an exported model back into the file
///
/// The file is exported again and compared with MODEL. What is the same keeps its bytes.
#[derive(clap::Args)]
#[command(after_help = examples::IMPORT)]
pub(crate) struct Args {
    /// File that MODEL was exported from, or FILE!ENTRY
    file: PathBuf,
    /// Edited export, .glb or .gltf
    model: PathBuf,
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
    let Some(import) = own.kind.import else {
        bail!("{path}: {} has no models; see `bitexact import --help`", own.kind.name)
    };
    let file = super::read_input(&args.model).with_context(|| model.to_string())?;
    let imported = import(&own.model, &file);
    drop(file);
    let Imported { edits, ignored, .. } = imported.map_err(|why| anyhow!("{model}: {why}"))?;
    for (what, count) in ignored {
        out.say(format_args!("not imported: {what} ({})", grouped(wide(count))));
    }
    let batch = batch(edits, own, &args.model)?.inside(entry.as_deref().unwrap_or_default());
    let about = (source.about(), &source.model, &*name_of(&target));
    let edited = batch.apply(KINDS, about, None).with_context(|| path.to_string())?;
    args.back.write(&target, &source, &edited, out)
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
