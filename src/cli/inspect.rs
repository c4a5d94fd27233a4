//! `bitexact inspect`: what is in a file, for people.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use bitexact::exchange::show;
use bitexact::field::{Decoded, Json, visit, wide};
use bitexact::install::files;
use bitexact::passes::{Find, Map, Sha};
use bitexact::registry::{KINDS, Model, recognise};
use bitexact::verify::{Games, SCHEMA};
use bytes::Bytes;

use super::Code;
use super::out::Out;

/// How many items of a list are printed unless all are asked for.
const MOST: usize = 8;

/// Show what is in a file, or at a place in it; or where a text stands in the files below a folder
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file, or - for stdin; with --find also a folder
    file: PathBuf,
    /// A place in it, as errors and deviations name it: `data!0:/name`
    place: Option<String>,
    /// Everything as JSON
    #[arg(long)]
    json: bool,
    /// Which field owns which bytes
    #[arg(long, conflicts_with_all = ["place", "find"])]
    map: bool,
    /// All fields also where a file is shown as a tree or a script: worlds, models, animations
    #[arg(long, conflicts_with_all = ["map", "find"])]
    fields: bool,
    /// The places of all texts that contain TEXT, without case
    #[arg(long, value_name = "TEXT", conflicts_with = "place")]
    find: Option<String>,
    /// All items of lists, not just the first few
    #[arg(long)]
    all: bool,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let path = args.file.display();
    if args.file.is_dir() {
        let text = args.find.as_deref().with_context(|| format!("{path}: a folder, in which one can only --find"))?;
        return find_below(&args.file, text, args.json, out);
    }
    let file = super::read(&args.file).with_context(|| path.to_string())?;
    let name = args.file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let Some((kind, games)) = recognise(KINDS, &name, &file) else {
        match bitexact::kind::foreign::recognise(&name, &file) {
            Some(foreign) => bail!("{path}: {foreign}: a known kind that is not ours"),
            None => bail!("{path}: neither content nor name is known"),
        }
    };
    let (bytes, sha256) = (wide(file.len()), Sha::of(&file));
    let file = Bytes::from(file);
    let Decoded { model, undecoded } = match (kind.decode)(file.clone()) {
        Ok(decoded) => decoded,
        Err(error) => {
            out.trouble(Code::Finding, format_args!("{path}: {error}"));
            return Ok(());
        }
    };
    for entry in &undecoded {
        out.say(format_args!("{}: kept as it is: {}", entry.entry.entry(), entry.error));
    }

    if args.map {
        let mut map = Map::default();
        visit(&model, &mut map)?;
        for stretch in map.stretches {
            let (offset, bytes, class, place) = (stretch.offset, stretch.bytes, stretch.class, stretch.place);
            if args.json {
                out.json(&Json::from([
                    ("schema", SCHEMA.into()),
                    ("offset", offset.into()),
                    ("bytes", bytes.into()),
                    ("class", class.name().into()),
                    ("place", place.into()),
                ]));
            } else {
                let records = stretch.each.and_then(|each| bytes.checked_div(each));
                let records = records.map_or(String::new(), |records| format!("  ({records} records)"));
                out.line(format_args!("{offset:#010x}  {bytes:>8}  {:<8}  {place}{records}", class.name()));
            }
        }
        return Ok(());
    }
    if let Some(text) = &args.find {
        for (place, found) in find(&model, text)? {
            match args.json {
                true => {
                    out.json(&Json::from([("schema", SCHEMA.into()), ("place", place.into()), ("text", found.into())]))
                }
                false => out.line(format_args!("{place}: {found}")),
            }
        }
        return Ok(());
    }

    let title = format!(
        "{path}: {} ({}), {bytes} bytes, sha256 {sha256}",
        kind.title,
        games.iter().map(|game| game.code()).collect::<Vec<_>>().join("|")
    );
    if args.place.is_none()
        && !(args.json || args.fields || args.all)
        && let Some(lines) = (kind.outline)(file)?
    {
        out.line(title);
        lines.iter().for_each(|line| out.line(line));
        return Ok(());
    }
    let most = if args.json || args.all { usize::MAX } else { MOST };
    let place = args.place.as_deref().unwrap_or_default();
    let Some(value) = show(&model, place, most)? else { bail!("{path}: no such place: {place}") };
    if args.json {
        let (path, games, sha256) = (args.file.to_string_lossy(), Games::of(&games), sha256.to_string());
        out.json(&ValueRow { schema: SCHEMA, path: &path, kind: kind.name, games, bytes, sha256, value });
        return Ok(());
    }
    if place.is_empty() {
        out.line(title);
    }
    print(out, &value, 0);
    Ok(())
}

/// The places of texts in a model, and the texts.
fn find(model: &Model, text: &str) -> anyhow::Result<Vec<(String, String)>> {
    let mut find = Find::new(text);
    visit(model, &mut find)?;
    Ok(find.finish())
}

/// Prints where a text stands in the files below a folder. What is of no known kind is passed over.
fn find_below(folder: &Path, text: &str, json: bool, out: &mut Out) -> anyhow::Result<()> {
    for file in files(folder).with_context(|| folder.display().to_string())? {
        let path = file.shown();
        let bytes = match file.read() {
            Ok(bytes) => bytes,
            Err(why) => {
                out.trouble(Code::Failed, format_args!("{path}: {why}"));
                continue;
            }
        };
        let Some((kind, _)) = recognise(KINDS, &file.name(), &bytes) else { continue };
        let model = match (kind.decode)(bytes.into()) {
            Ok(decoded) => decoded.model,
            Err(error) => {
                out.trouble(Code::Finding, format_args!("{path}: {error}"));
                continue;
            }
        };
        for (place, found) in find(&model, text)? {
            match json {
                true => out.json(&Json::from([
                    ("schema", SCHEMA.into()),
                    ("path", file.shown().into()),
                    ("place", place.into()),
                    ("text", found.into()),
                ])),
                false => out.line(format_args!("{path}: {place}: {found}")),
            }
        }
    }
    Ok(())
}

/// What is in a file.
#[derive(serde::Serialize)]
struct ValueRow<'a> {
    schema: u32,
    path: &'a str,
    kind: &'static str,
    #[serde(flatten)]
    games: Games,
    bytes: u64,
    sha256: String,
    value: Json,
}

/// Prints a value as an indented outline.
fn print(out: &mut Out, value: &Json, depth: usize) {
    let indent = "  ".repeat(depth);
    if depth == 0 && is_short(value) {
        return out.line(short(value));
    }
    let item = |out: &mut Out, key: &dyn std::fmt::Display, value: &Json| {
        if is_short(value) {
            out.line(format_args!("{indent}{key}: {}", short(value)));
        } else {
            out.line(format_args!("{indent}{key}:"));
            print(out, value, depth.saturating_add(1));
        }
    };
    match value {
        Json::Object(members) => members.iter().for_each(|(key, value)| item(out, key, value)),
        Json::List(items) => {
            for (index, value) in items.iter().enumerate() {
                match value.text().filter(|text| text.starts_with('…')) {
                    Some(more) => out.line(format_args!("{indent}{more}")),
                    None => item(out, &index, value),
                }
            }
        }
        other => out.line(format_args!("{indent}{}", short(other))),
    }
}

/// Whether a value fits behind its key: plain, or a list of plain numbers.
fn is_short(value: &Json) -> bool {
    match value {
        Json::List(items) => {
            items.len() <= MOST && items.iter().all(|item| !matches!(item, Json::List(_) | Json::Object(_)))
        }
        Json::Object(members) => members.is_empty(),
        _ => true,
    }
}

fn short(value: &Json) -> String {
    match value {
        Json::Text(text) => text.to_string(),
        Json::Bytes(bytes) => bitexact::field::hex(bytes),
        other => other.to_string(),
    }
}
