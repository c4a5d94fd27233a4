//! `bitexact ls` and `bitexact cat`: the entries of a file, and the bytes of one.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use bitexact::field::Json;
use bitexact::kind::named;
use bitexact::media::Medium;
use bitexact::output::printable::grouped;
use bitexact::passes::spans;
use bitexact::registry::KINDS;
use bitexact::verify::SCHEMA;
use bytes::Bytes;

use super::examples;
use super::out::Out;
use super::source::{Source, entry_of};

/// List the entries of a file
#[derive(clap::Args)]
#[command(after_help = examples::LS)]
pub(crate) struct Args {
    /// File to list, or - for stdin
    file: PathBuf,
    /// Print one JSON object per entry
    #[arg(long)]
    json: bool,
}

/// Write the bytes of an entry to stdout
#[derive(clap::Args)]
#[command(after_help = examples::CAT)]
pub(crate) struct CatArgs {
    /// File that holds the entry, or FILE!ENTRY
    file: PathBuf,
    /// Entry, as `ls` prints it
    entry: Option<String>,
    /// Write the entry as the text that `patch --replace` takes back, if its kind has one
    #[arg(long)]
    text: bool,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let source = Source::read(&args.file, out)?;
    let mut entries: Vec<_> = spans(&source.model)?.into_iter().collect();
    entries.sort_by_key(|(_, span)| span.begin);
    for (entry, span) in &entries {
        let bytes = span.end.saturating_sub(span.begin);
        match args.json {
            true => out.json(&Json::from([
                ("schema", SCHEMA.into()),
                ("entry", entry.as_str().into()),
                ("kind", span.kind.into()),
                ("offset", span.begin.into()),
                ("bytes", bytes.into()),
            ])),
            false => out.line(format_args!("{:>12}  {:<16}  {entry}", grouped(bytes), span.kind)),
        }
    }
    if entries.is_empty() {
        out.say(format_args!("{}: {} has no entries", args.file.display(), source.kind.name));
    }
    Ok(())
}

pub(crate) fn cat(args: &CatArgs, out: &mut Out) -> anyhow::Result<()> {
    let (file, entry) = match &args.entry {
        Some(entry) => (args.file.clone(), Some(entry.trim_end_matches(':').to_owned())),
        None => super::source::parts(&args.file),
    };
    let path = file.display();
    fs::metadata(&file).with_context(|| path.to_string())?;
    let entry = entry.with_context(|| format!("{path}: also name an entry; `bitexact ls` lists them"))?;
    let source = Source::read(&file, out)?;
    let (kind, bytes) = entry_of(&source, &entry).with_context(|| path.to_string())?;
    if !args.text {
        return out.contents(&bytes).with_context(|| format!("{path}: {entry}"));
    }
    if let Some(text) = named(KINDS, kind).and_then(|kind| kind.text) {
        let text = text.write(&bytes).map_err(|why| anyhow!("{path}: {entry}: {why}"))?;
        return out.contents(&text).with_context(|| format!("{path}: {entry}"));
    }
    let text = unpacked(&source, (kind, &entry))?;
    let text = text.with_context(|| format!("{path}: {entry} is of kind {kind}, which has no text; omit --text"))?;
    out.contents(&text).with_context(|| format!("{path}: {entry}"))
}

/// Returns the text file that `unpack` writes for an entry, if it writes one that holds all of it.
fn unpacked(source: &Source, (kind, entry): (&str, &str)) -> anyhow::Result<Option<Bytes>> {
    let is_text =
        |medium: &Medium| medium.kind == kind && medium.is_whole && medium.files.iter().all(|it| it.1 == ".txt");
    if !source.kind.media.iter().any(|medium| is_text(medium)) {
        return Ok(None);
    }
    let contents = source.contents()?;
    // A script that the text cannot hold is JSON.
    let file = contents.entries.get(entry).filter(|file| !file.ends_with(".json"));
    Ok(file.and_then(|file| contents.files.get(file)).cloned())
}
