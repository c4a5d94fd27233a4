//! `bitexact inspect`: the contents of a file, for people.

use std::path::{Path, PathBuf};

use ::field::Decoded;
use anyhow::{Context as _, bail};
use bitexact::aurora::resource::ResourceType;
use bitexact::aurora::two_da::TwoDa;
use bitexact::edit::{Resolver, why_nothing};
use bitexact::exchange::show;
use bitexact::field::{Address, Value, visit, wide};
use bitexact::kind::{Format as _, named};
use bitexact::output::printable::counted;
use bitexact::passes::{Find, Map, Sha, spans};
use bitexact::registry::{KINDS, Model, recognize};
use bitexact::verify::{Games, SCHEMA};
use bytes::Bytes;
use json::Compact;

use super::examples;
use super::links::links;
use super::out::Out;
use super::printed::{MOST, print};
use super::source::{name_of, parts, say_encoding, unsupported};
use super::target::say_interrupted;
use super::{Code, native};

/// Show the contents of a file or of one place in it, or search files for text
#[derive(clap::Args)]
#[command(after_help = examples::INSPECT)]
pub(crate) struct Args {
    /// File to show, FILE!ENTRY, or - for stdin (with --find, also a folder)
    file: PathBuf,
    /// Place in the file, as printed in errors and deviations: `data!0:/name`; @NAME is the node, entry or definition with this name
    place: Option<String>,
    /// Print JSON, with lists in full
    #[arg(long)]
    json: bool,
    /// Print the offset, length, class and place of every field
    #[arg(long, conflicts_with_all = ["place", "find"])]
    map: bool,
    /// Print all fields even of worlds, models and animations (by default a tree or script)
    #[arg(long, conflicts_with_all = ["map", "find"])]
    fields: bool,
    /// Print the place of every string that contains TEXT, ignoring case, and of every number equal to it; exit with 1 if there is none
    #[arg(long, value_name = "TEXT", group = "wanted", conflicts_with = "place")]
    find: Option<String>,
    /// Print the place of every value that names the resource NAME (with or without an extension); exit with 1 if there is none
    #[arg(long, value_name = "NAME", group = "wanted", conflicts_with_all = ["place", "map", "fields"])]
    uses: Option<String>,
    /// Print which resources of a module, HAK or ERF no other one in it names, and which names of resources it lacks
    #[arg(long, conflicts_with_all = ["place", "map", "fields", "find", "uses"])]
    links: bool,
    /// With --find or --uses, search only files and entries of this kind (repeatable)
    #[arg(long, value_name = "KIND", requires = "wanted")]
    only: Vec<String>,
    /// Print all items of long lists, not just the first 8
    #[arg(long)]
    all: bool,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let path = args.file.display();
    are_kinds(&args.only)?;
    let wanted = Wanted::of(args);
    if args.file.is_dir() {
        let none = || format!("{path}: is a folder; name a file, or search it with --find TEXT or --uses NAME");
        find_below(&args.file, wanted.with_context(none)?, args.json, out)?;
        return Ok(());
    }
    if args.links {
        return links(&args.file, args.json, out);
    }
    let (outer, inner) = parts(&args.file);
    let inner = inner.map(|inner| Address::from(inner.as_str())).unwrap_or_default();
    say_interrupted(&outer, out);
    let file = super::read(&outer).with_context(|| path.to_string())?;
    let name = name_of(&outer);
    let Some((kind, games)) = recognize(KINDS, &name, &file) else {
        bail!("{path}: {}", unsupported(&name, &file));
    };
    let (mut kind, mut file) = (kind, Bytes::from(file));
    let mut decoded = match (kind.decode)(file.clone()) {
        Ok(decoded) => decoded,
        Err(error) => {
            out.error(Code::Finding, format_args!("{path}: {error}"));
            return Ok(());
        }
    };
    let mut typed = Address { entry: String::new(), keys: inner.keys };
    if let (Some(place), false) = (&args.place, typed.keys.is_empty()) {
        bail!("{path}: expected an entry before the place {place}, found a place");
    }
    typed = args.place.as_deref().map_or(typed, Address::from);
    if !inner.entry.is_empty() {
        let entry = &inner.entry;
        let Some(span) = spans(&decoded.model)?.remove(entry) else {
            let why = why_nothing(&decoded.model, &Address::of_entry(entry))?;
            bail!("{}: {entry}: {why}", outer.display())
        };
        let part = span.of(&file).map(|part| file.slice_ref(part));
        match (named(KINDS, span.kind), part) {
            (Some(own), Some(part)) => {
                decoded = (own.decode)(part.clone())?;
                (kind, file) = (own, part);
            }
            // Not a file format, so shown as a part of its container.
            _ => typed = typed.inside(entry),
        }
    }
    let (bytes, sha256, Decoded { model, undecoded }) = (wide(file.len()), Sha::of(&file), decoded);
    for entry in &undecoded {
        out.say(format_args!("{}: does not decode, kept as raw bytes: {}", entry.entry.entry(), entry.error));
    }

    if args.map {
        let mut map = Map::default();
        visit(&model, &mut map)?;
        for stretch in map.stretches {
            let (offset, bytes, class, place) = (stretch.offset, stretch.bytes, stretch.class, stretch.place);
            if args.json {
                out.json(&Compact(&Value::from([
                    ("schema", SCHEMA.into()),
                    ("offset", offset.into()),
                    ("bytes", bytes.into()),
                    ("class", class.name().into()),
                    ("place", place.into()),
                ])));
            } else {
                let records = stretch.each.and_then(|each| bytes.checked_div(each));
                let records = records.map_or(String::new(), |records| format!("  ({records} records)"));
                out.line(format_args!("{offset:#010x}  {bytes:>8}  {:<8}  {place}{records}", class.name()));
            }
        }
        return Ok(());
    }
    if let Some(wanted) = wanted {
        let text = wanted.text;
        let found = find((kind.name, &model), wanted)?;
        for (place, found) in &found {
            match args.json {
                true => out.json(&Compact(&Value::from([
                    ("schema", SCHEMA.into()),
                    ("place", place.as_str().into()),
                    ("text", found.as_str().into()),
                ]))),
                false => out.line(format_args!("{place}: {}", around(found, text))),
            }
        }
        if found.is_empty() {
            out.comes_to(Code::Finding);
        }
        return Ok(());
    }

    let codes = games.iter().map(|game| game.code()).collect::<Vec<_>>().join("|");
    say_encoding(&path.to_string(), (kind, &model), out)?;
    let title = format!("{path}: {} ({codes}), {}, SHA-256 {sha256}", kind.title, counted(bytes, "byte"));
    if typed == Address::default()
        && !(args.json || args.fields || args.all)
        && let Some(lines) = (kind.outline)(file)?
    {
        out.line(title);
        lines.iter().for_each(|line| out.line(line));
        return Ok(());
    }
    let place = super::resolved(&Resolver::new(&model, (kind, KINDS)), &typed).with_context(|| path.to_string())?;
    // A table has as many columns as it has.
    let is_table = place.keys.is_empty() && (kind.name == TwoDa::NAME || place.entry.to_lowercase().ends_with(".2da"));
    let most = if args.json || args.all || is_table { usize::MAX } else { MOST };
    let Some(value) = show(&model, &place.to_string(), most)? else {
        bail!("{path}: {place}: {}", why_nothing(&model, &place)?)
    };
    if args.json {
        let path = args.file.to_string_lossy();
        // Rows have `/` on every system.
        let path = if cfg!(windows) { path.replace('\\', "/").into() } else { path };
        let (games, sha256) = (Games::of(&games), sha256.to_string());
        out.json(&ValueRow { schema: SCHEMA, path: &path, kind: kind.name, games, bytes, sha256, value });
        return Ok(());
    }
    if typed.entry.starts_with('@') {
        out.line(format_args!("{place}:"));
    } else if typed == Address::default() {
        out.line(title);
    }
    print(out, &value, args.all);
    Ok(())
}

/// Makes sure that there are files or entries of these kinds.
fn are_kinds(only: &[String]) -> anyhow::Result<()> {
    let kinds: Vec<&str> = bitexact::exchange::schema::kinds().collect();
    match only.iter().find(|kind| !kinds.contains(&kind.as_str())) {
        Some(kind) => bail!("{kind}: no such kind; there are {}", kinds.join(", ")),
        None => Ok(()),
    }
}

/// What is searched for.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    text: &'a str,
    only: &'a [String],
    /// Set if strings must be the text, because it is a name.
    is_name: bool,
}

impl<'a> Wanted<'a> {
    fn of(args: &'a Args) -> Option<Self> {
        let of = |text, is_name| Self { text, only: &args.only, is_name };
        let stem = |name: &'a str| {
            let known = name.rsplit_once('.').filter(|(_, end)| ResourceType::of_extension(end).is_some());
            known.map_or(name, |(stem, _)| stem)
        };
        let text = args.find.as_deref().map(|text| of(text, false));
        text.or_else(|| args.uses.as_deref().map(|name| of(stem(name), true)))
    }
}

/// Returns the strings and numbers of a model that fit, with their places.
fn find((kind, model): (&str, &Model), wanted: Wanted<'_>) -> anyhow::Result<Vec<(String, String)>> {
    let Wanted { text, only, is_name } = wanted;
    let is_whole = only.iter().any(|it| it == kind);
    let find = if is_name { Find::uses(text) } else { Find::new(text) };
    let mut find = find.only(if is_whole { Vec::new() } else { only.to_vec() });
    visit(model, &mut find)?;
    Ok(find.finish())
}

/// Returns the part of a long string around some text in it.
fn around(found: &str, text: &str) -> String {
    /// The number of characters shown on each side.
    const SIDE: usize = 60;
    let letters: Vec<char> = found.chars().collect();
    let lower: Vec<String> = letters.iter().map(|letter| letter.to_lowercase().to_string()).collect();
    let wanted = text.to_lowercase();
    let begins = |at: &usize| {
        let rest = lower.get(*at..).unwrap_or_default();
        let wide = rest.iter().take(wanted.chars().count()).map(String::as_str).collect::<String>();
        wide.starts_with(&wanted)
    };
    let at = (0..letters.len()).find(begins).unwrap_or(0);
    let (begin, end) = (at.saturating_sub(SIDE), at + wanted.chars().count() + SIDE);
    let end = end.min(letters.len());
    let shown: String = letters.get(begin..end).unwrap_or_default().iter().collect();
    let dots = |is_cut| if is_cut { "…" } else { "" };
    format!("{}{shown}{}", dots(begin > 0), dots(end < letters.len()))
}

/// Prints the places where text occurs in the files below a folder. Unsupported files are skipped.
fn find_below(folder: &Path, wanted: Wanted<'_>, json: bool, out: &mut Out) -> anyhow::Result<()> {
    let mut is_found = false;
    for file in super::work::wanted(folder, out)? {
        let path = native(&file.shown());
        let bytes = match file.read() {
            Ok(bytes) => bytes,
            Err(why) => {
                out.error(Code::Failed, format_args!("{path}: {why}"));
                continue;
            }
        };
        let Some((kind, _)) = recognize(KINDS, &file.name(), &bytes) else { continue };
        let model = match (kind.decode)(bytes.into()) {
            Ok(decoded) => decoded.model,
            Err(error) => {
                out.error(Code::Finding, format_args!("{path}: {error}"));
                continue;
            }
        };
        for (place, found) in find((kind.name, &model), wanted)? {
            is_found = true;
            match json {
                true => out.json(&Compact(&Value::from([
                    ("schema", SCHEMA.into()),
                    ("path", file.shown().into()),
                    ("place", place.into()),
                    ("text", found.into()),
                ]))),
                false => out.line(format_args!("{path}: {place}: {}", around(&found, wanted.text))),
            }
        }
    }
    if !is_found {
        out.comes_to(Code::Finding);
    }
    Ok(())
}

/// The contents of a file.
#[derive(serde::Serialize)]
struct ValueRow<'a> {
    schema: u32,
    path: &'a str,
    kind: &'static str,
    #[serde(flatten)]
    games: Games,
    bytes: u64,
    sha256: String,
    #[serde(with = "json::serde")]
    value: Value,
}
