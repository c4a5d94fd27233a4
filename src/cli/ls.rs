//! `bitexact ls` and `bitexact cat`: the entries of a file, and the bytes of one.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use bitexact::field::{Address, Value};
use bitexact::kind::named;
use bitexact::output::printable::grouped;
use bitexact::passes::spans;
use bitexact::registry::KINDS;
use bitexact::verify::SCHEMA;
use bytes::Bytes;
use json::Compact;

use super::examples;
use super::out::Out;
use super::shown::{self, Piece};
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
    /// File that holds the entry, FILE!ENTRY, or with --text any file
    file: PathBuf,
    /// Entry, as `ls` prints it
    entry: Option<String>,
    /// Write all the text of the entry or the file, in UTF-8
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
            true => out.json(&Compact(&Value::from([
                ("schema", SCHEMA.into()),
                ("entry", entry.as_str().into()),
                ("kind", span.kind.into()),
                ("offset", span.begin.into()),
                ("bytes", bytes.into()),
            ]))),
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
    if entry.is_none() && !args.text {
        bail!("{path}: also name an entry; `bitexact ls` lists them, and --text shows the whole file as text");
    }
    let source = Source::read(&file, out)?;
    let at = match &entry {
        None => Address::default(),
        Some(entry) if spans(&source.model)?.contains_key(entry) => Address::of_entry(entry.as_str()),
        Some(entry) => Address::from(entry.as_str()),
    };
    let (kind, bytes) = match at.entry.as_str() {
        "" => (source.kind.name, source.bytes.clone()),
        entry => entry_of(&source, entry).with_context(|| path.to_string())?,
    };
    let shown = || args.entry.as_deref().map_or_else(|| args.file.display().to_string(), |it| format!("{path}: {it}"));
    if !args.text {
        return out.contents(&bytes).with_context(shown);
    }
    out.contents(&text(&source, (kind, &bytes), &at, &file).with_context(shown)?).with_context(shown)
}

/// Returns all the text of a file or an entry, in the first form that it has: the text files of `unpack`, which follow each other, the text
/// form of its kind, a table.
fn text(source: &Source, (kind, bytes): (&str, &Bytes), at: &Address, file: &Path) -> anyhow::Result<Bytes> {
    let own = named(KINDS, kind);
    if let Some(text) = own.and_then(|kind| kind.text).filter(|text| text.extension != "json") {
        return text.write(bytes).map(Into::into).map_err(|why| anyhow!(why));
    }
    let pieces = shown::pieces(source, at)?;
    let texts: Vec<_> = pieces.iter().filter(|piece| piece.extension == "txt").map(Piece::content).collect();
    match texts.as_slice() {
        [] => {}
        [text] => return Ok((*text).clone()),
        texts => return Ok(texts.iter().flat_map(|text| text.iter().copied()).collect()),
    }
    if let Some(text) = own.and_then(|kind| kind.text) {
        return text.write(bytes).map(Into::into).map_err(|why| anyhow!(why));
    }
    bail!("{}", shown::refusal(source, (kind, own), at, (file, "txt"))?)
}
