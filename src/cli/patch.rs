//! `bitexact patch`: edits in one step. Either all succeed, or the file is left unchanged.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use bitexact::edit::diff::{self, Held};
use bitexact::edit::{self, Edit, Recomputed, Values, created, node_names, recompute, why_nothing};
use bitexact::exchange::{Packed, parse, show};
use bitexact::field::{Address, Document, Error, Json, Label, Told, encode, wide};
use bitexact::kind::named;
use bitexact::media::Replaced;
use bitexact::output;
use bitexact::output::printable::{counted, grouped};
use bitexact::passes::{Span, spans};
use bitexact::registry::{KINDS, Model};
use bytes::Bytes;

use super::out::Out;
use super::source::{Source, name_of, prove, warn};
use super::target;

/// Change values and entries of a file, and update what depends on them
///
/// Edits are applied in this order: --apply, --rename, --remove, --replace, --add, --rename-node, --set, --delete, --insert, --recompute.
/// In a PLACE, @NAME is the node, entry or definition with this name in the original file.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// File to change, or - for stdin
    file: PathBuf,
    /// Set a value, given as JSON of the current type (1, 1.0, '"text"'); end PLACE in /- to append to a list
    #[arg(long, value_name = "PLACE=VALUE")]
    set: Vec<String>,
    /// Delete an item of a list; all places are those before any deletion
    #[arg(long, value_name = "PLACE")]
    delete: Vec<Address>,
    /// Insert an item into a list, before the one at PLACE
    #[arg(long, value_name = "PLACE=VALUE")]
    insert: Vec<String>,
    /// Allow --set to change a value's type
    #[arg(long, requires = "set")]
    retype: bool,
    /// Replace an entry's contents with FILE: raw bytes, unpacked JSON, a PNG (image), a WAV (Marathon sound) or text (script, reader
    /// data)
    #[arg(long, value_name = "ENTRY=FILE")]
    replace: Vec<String>,
    /// Append an entry
    #[arg(long, value_name = "NAME=FILE")]
    add: Vec<String>,
    /// Remove an entry
    #[arg(long, value_name = "ENTRY")]
    remove: Vec<String>,
    /// Rename an entry
    #[arg(long, value_name = "OLD=NEW")]
    rename: Vec<String>,
    /// Rename a node, and all names in the file that refer to it
    #[arg(long, value_name = "OLD=NEW")]
    rename_node: Vec<String>,
    /// Recompute all values at PLACE that have a rule, even if the rule is normally only checked; / is the whole file
    #[arg(long, value_name = "PLACE")]
    recompute: Vec<Address>,
    /// Apply a mod written by `diff --json`
    #[arg(long, value_name = "MOD")]
    apply: Vec<PathBuf>,
    /// Write the result to FILE and leave the original unchanged
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show what would change without writing anything
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Back up the original as FILE.bak
    #[arg(long, conflicts_with = "output")]
    backup: bool,
    /// Allow an entry to change kind, and --output to overwrite a file
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let path = args.file.display().to_string();
    if args.file == Path::new("-") && args.output.is_none() && !args.dry_run {
        bail!("cannot write back to stdin; add --output FILE");
    }
    if let Some(target) = args.output.as_deref().filter(|_| !args.dry_run) {
        target::game_file(target, args.force)?;
    } else if !args.dry_run {
        target::has_room(&args.file)?;
    }
    let source = Source::read(&args.file)?;
    let name = name_of(&args.file);
    let Edited { recomputed, bytes, after } = edited(args, &source, &name).with_context(|| path.clone())?;
    are_alike(args, (&source.model, &after)).with_context(|| path.clone())?;
    let changes = diff::between(source.kind, (source.bytes.clone(), &source.model), (bytes.clone(), &after))?;
    for change in &changes {
        out.lines(change);
    }
    for it in &recomputed {
        out.say(format_args!("recomputed: {}: {} → {}", it.place, it.was, it.now));
    }
    for it in created(&source.model, &after)? {
        let (expected, found) = (it.expected.describe(), it.found.describe());
        out.say(format_args!("deviation: {}: expected {expected}, found {found}", it.first_place));
    }
    warn(source.kind, &name, [(&source.model, &source.bytes), (&after, &bytes)], out)?;
    if args.dry_run {
        for (offset, old, new) in ranges(&source.bytes, &bytes) {
            let become_ = if old == new { String::new() } else { format!(" become {}", grouped(wide(new))) };
            out.line(format_args!("{offset:#010x}: {}{become_}", counted(wide(old), "byte")));
        }
        return Ok(());
    }
    let target = args.output.as_ref().unwrap_or(&args.file);
    if bytes == source.bytes && args.output.is_none() {
        out.say(format_args!("{path}: no changes, file not written"));
        return Ok(());
    }
    if args.backup {
        let (copy, is_new) = output::back_up(&args.file).with_context(|| path.clone())?;
        let is = if is_new { "backup written" } else { "already exists, left unchanged" };
        out.say(format_args!("{}: {is}", copy.display()));
    }
    output::write(target, &bytes).with_context(|| target.display().to_string())?;
    let (changes, size) = (counted(wide(changes.len()), "change"), counted(wide(bytes.len()), "byte"));
    out.say(format_args!("{}: {changes}, {size}", target.display()));
    Ok(())
}

/// A file after all edits, proven to round-trip.
struct Edited {
    /// The values that have been recomputed because of the edits.
    recomputed: Vec<Replaced>,
    bytes: Bytes,
    /// The model of the edited file.
    after: Model,
}

/// Applies all edits. Values are edited in the model if possible. Otherwise, and for entries, the edits are applied to the
/// exchange format of the whole file, which also gives the reason if an edit is rejected.
fn edited(args: &Args, source: &Source, name: &str) -> anyhow::Result<Edited> {
    let lists = [&args.set, &args.replace, &args.add, &args.remove, &args.rename, &args.rename_node, &args.insert];
    let places = [&args.recompute, &args.delete];
    if lists.iter().all(|list| list.is_empty()) && places.iter().all(|list| list.is_empty()) && args.apply.is_empty() {
        bail!("no edits given; see `bitexact patch --help`");
    }
    let wishes = Wishes::of(args, source)?;
    if let Some(edited) = of_values(args, &wishes, source, name)? {
        return Ok(edited);
    }
    let Packed { mut model, mut recomputed, .. } = in_form(args, &wishes, source)?;
    recomputed.extend(recompute_in(&mut model, &wishes.recompute)?);
    let bytes = Bytes::from(encode(&model)?);
    let after = prove(source.kind, &model, &bytes, name)?;
    Ok(Edited { recomputed, bytes, after })
}

/// The edits of values, at places without names.
struct Wishes {
    set: Vec<(Address, Json)>,
    delete: Vec<Address>,
    insert: Vec<(Address, Json)>,
    recompute: Vec<Address>,
}

impl Wishes {
    /// Finds the places of all edits in the original file.
    fn of(args: &Args, source: &Source) -> anyhow::Result<Self> {
        let find = |place: &Address| super::resolved(&source.model, source.kind, place);
        let find_all = |places: &[Address]| places.iter().map(find).collect::<anyhow::Result<_>>();
        let values = |options: &[String]| {
            values(options)?.into_iter().map(|(place, value)| Ok((find(&place)?, value))).collect::<anyhow::Result<_>>()
        };
        let mut set: Vec<(Address, Json)> = Vec::new();
        for (old, new) in pairs(&args.rename_node, "OLD=NEW")? {
            let places = node_names(&source.model, (source.kind, KINDS), old)?;
            let places = places.map_err(|why| anyhow!("{old}: {why}"))?;
            set.extend(places.into_iter().map(|place| (place, Json::from(new))));
        }
        set.extend::<Vec<_>>(values(&args.set)?);
        let (delete, recompute) = (find_all(&args.delete)?, find_all(&args.recompute)?);
        Ok(Self { set, delete, insert: values(&args.insert)?, recompute })
    }
}

/// Applies the edits if all are of values that can be loaded alone, or returns `None`.
fn of_values(args: &Args, wishes: &Wishes, source: &Source, name: &str) -> anyhow::Result<Option<Edited>> {
    let others = [&args.replace, &args.add, &args.remove, &args.rename];
    // The exchange format, which explains why an edit is rejected, has no values of a file that it stores as raw bytes.
    let is_raw = source.kind.raw.is_some();
    let has_items = !args.insert.is_empty() || !args.delete.is_empty();
    if others.iter().any(|list| !list.is_empty()) || !args.apply.is_empty() || has_items && !is_raw {
        return Ok(None);
    }
    let edited = wishes.set.iter().map(|(place, _)| place).chain(&wishes.delete);
    let places: Vec<_> = edited.chain(wishes.insert.iter().map(|(place, _)| place)).cloned().collect();
    let Some(mut values) = Values::open(&source.model, &places)? else { return Ok(None) };
    if has_items {
        values.edit(0, |whole| edit_whole(wishes, args.retype, whole)).map_err(anyhow::Error::msg)?;
    }
    let sets = if has_items { &[] } else { wishes.set.as_slice() };
    for (number, (place, value)) in sets.iter().enumerate() {
        match values.set(number, value.clone(), args.retype) {
            Ok(()) => {}
            Err(why) if is_raw => bail!("{place}: {why}"),
            Err(_) => return Ok(None),
        }
    }
    let mut model = source.model.copy();
    let made = match values.load(&mut model) {
        Ok(made) => made,
        Err(error) if is_raw => return Err(error.into()),
        Err(_) => return Ok(None),
    };
    let by_wish = recompute_in(&mut model, &wishes.recompute)?;
    let Ok(bytes) = encode(&model).map(Bytes::from) else { return Ok(None) };
    let Ok(after) = prove(source.kind, &model, &bytes, name) else { return Ok(None) };
    if !made.is_said_by(&after)? {
        return Ok(None);
    }
    let recomputed = made.told.into_iter().map(replaced).chain(by_wish).collect();
    Ok(Some(Edited { recomputed, bytes, after }))
}

/// Applies the edits to the value of a whole file.
fn edit_whole(wishes: &Wishes, retype: bool, whole: &mut Json) -> Result<(), String> {
    for (place, value) in &wishes.set {
        edit::set(whole, &place.keys, value.clone(), retype).map_err(|why| format!("{place}: {why}"))?;
    }
    for place in last_first(&wishes.delete) {
        edit::delete(whole, &place.keys).map_err(|why| format!("{place}: {why}"))?;
    }
    for (place, value) in &wishes.insert {
        edit::insert(whole, &place.keys, value.clone()).map_err(|why| format!("{place}: {why}"))?;
    }
    Ok(())
}

/// Applies the edits to the exchange format.
fn in_form(args: &Args, wishes: &Wishes, source: &Source) -> anyhow::Result<Packed> {
    let held = match args.apply.is_empty() {
        true => Entries::new(),
        false => diff::held(&source.model, &source.bytes)?,
    };
    let mut edit = Edit::of(&source.model, source.about())?;
    edit_all(args, wishes, &mut edit, source, &held)?;
    let given = given(args, &edit)?;
    edit.pack(KINDS).map_err(|error| blame(error, &given))
}

/// Returns an error if an entry has been replaced by one of a different kind without `--force`.
fn are_alike(args: &Args, (before, after): (&Model, &Model)) -> anyhow::Result<()> {
    if args.force || args.replace.is_empty() {
        return Ok(());
    }
    let (before, after) = (spans(before)?, spans(after)?);
    for (entry, _) in pairs(&args.replace, "ENTRY=FILE")? {
        if let (Some(Span { kind: old, .. }), Some(Span { kind: new, .. })) = (before.get(entry), after.get(entry))
            && old != new
        {
            bail!("{entry}: would change from {old} to {new}; use --force to allow it");
        }
    }
    Ok(())
}

/// Returns the values to set or to insert.
fn values(options: &[String]) -> anyhow::Result<Vec<(Address, Json)>> {
    let value = |(place, value): (&str, &str)| {
        let json: Json = parse(value.as_bytes()).map_err(|error| {
            let is_number = |part: &str| part.parse::<i64>().is_ok();
            let hint = match value.split_once(',') {
                Some((whole, fraction)) if is_number(whole) && is_number(fraction) => {
                    format!("write a decimal point: {whole}.{fraction}")
                }
                _ => "write a string as '\"…\"'".to_owned(),
            };
            anyhow!("{place}: {value} is not valid JSON: {error}; {hint}")
        })?;
        Ok((Address::from(place), json))
    };
    pairs(options, "PLACE=VALUE")?.into_iter().map(value).collect()
}

/// Returns places with later items of a list before earlier ones, so that deleting one does not move the next.
fn last_first(places: &[Address]) -> Vec<&Address> {
    let key = |place: &&Address| {
        let keys = place.keys.iter().map(|key| (key.parse::<u64>().ok(), key.clone()));
        (place.entry.clone(), keys.collect::<Vec<_>>())
    };
    let mut places: Vec<&Address> = places.iter().collect();
    places.sort_by_key(|place| core::cmp::Reverse(key(place)));
    places
}

type Entries = std::collections::BTreeMap<String, Held>;

/// Applies all edits.
fn edit_all(args: &Args, wishes: &Wishes, edit: &mut Edit, source: &Source, entries: &Entries) -> anyhow::Result<()> {
    for path in &args.apply {
        let shown = path.display();
        let text = super::read_input(path).with_context(|| shown.to_string())?;
        let changes = diff::read(&text).map_err(|why| anyhow!("{shown}: {why}"))?;
        if changes.kind != source.kind.name {
            bail!("{shown}: expected a mod for {}, found one for {}", source.kind.name, changes.kind);
        }
        let whole = Held { sha256: source.sha256, ..Held::of(source.kind.name, &source.bytes) };
        let held = |entry: &str| if entry.is_empty() { Some(whole) } else { entries.get(entry).copied() };
        diff::apply(&changes.changes, edit, held).with_context(|| shown.to_string())?;
    }
    for (old, new) in pairs(&args.rename, "OLD=NEW")? {
        edit.rename(old, new)?;
    }
    for entry in &args.remove {
        edit.remove(entry)?;
    }
    for (entry, file) in pairs(&args.replace, "ENTRY=FILE")? {
        let path = Path::new(file);
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let document = of_text(edit, entry, document(path)?).map_err(|why| anyhow!("{file}: {why}"))?;
        let shown = match &document {
            Document::Raw(bytes) => edit.show(entry, &extension, bytes.clone())?,
            Document::Json(_) => false,
        };
        if !shown && extension.eq_ignore_ascii_case("png") {
            bail!("{entry}: not an image, so a PNG cannot replace it");
        }
        if !shown {
            edit.replace(entry, document)?;
        }
    }
    for (name, file) in pairs(&args.add, "NAME=FILE")? {
        edit.add(name, document(Path::new(file))?)?;
    }
    for (place, value) in &wishes.set {
        edit.set(place, value.clone(), args.retype)?;
    }
    for place in last_first(&wishes.delete) {
        edit.delete(place)?;
    }
    for (place, value) in &wishes.insert {
        edit.insert(place, value.clone())?;
    }
    Ok(())
}

/// Returns the contents of an entry in its own form, if they are given in the text form of its kind.
fn of_text(edit: &mut Edit, entry: &str, document: Document) -> Result<Document, String> {
    let text = edit.kind_of(entry).and_then(|kind| named(KINDS, &kind)).and_then(|kind| kind.text);
    match (text, document) {
        (Some(text), Document::Raw(bytes)) if (text.is_text)(&bytes) => {
            (text.read)(&bytes).map(|bytes| Document::Raw(bytes.into()))
        }
        (_, document) => Ok(document),
    }
}

/// Returns the files that the user gave for entries, by their labels in the exchange format.
fn given<'a>(args: &'a Args, edit: &Edit) -> anyhow::Result<Vec<(String, &'a str)>> {
    let pairs = [pairs(&args.replace, "ENTRY=FILE")?, pairs(&args.add, "NAME=FILE")?].concat();
    let given = |(entry, file)| Some((Label::role(edit.file(entry)?).to_string(), file));
    Ok(pairs.into_iter().filter_map(given).collect())
}

/// Returns the error, with the name of the user's file if it is in one.
fn blame(error: Error, given: &[(String, &str)]) -> anyhow::Error {
    let entry = error.place().entry();
    let outer = |label: &str| {
        let ends = entry.match_indices('!').map(|(end, _)| end).chain([entry.len()]);
        ends.filter_map(|end| entry.get(..end)).find(|outer| outer.rsplit('!').next() == Some(label))
    };
    match given.iter().find_map(|(label, file)| Some((outer(label)?, file))) {
        // The rest of the place is inside the user's file: a pointer, or more entries.
        Some((outer, file)) => {
            let text = error.to_string().replacen(&format!("{outer}:"), "", 1).replacen(&format!("{outer}!"), "", 1);
            anyhow!("{file}: {text}")
        }
        None => error.into(),
    }
}

/// Recomputes the values at these places, or returns an error if no rule computes one of them.
fn recompute_in(model: &mut Model, places: &[Address]) -> anyhow::Result<Vec<Replaced>> {
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let Recomputed { told, idle, .. } = recompute(model, places)?;
    if let Some(place) = idle.first() {
        let is_there = show(model, &place.to_string(), 0)?.is_some();
        let why = if is_there { "no rule computes a value here".to_owned() } else { why_nothing(model, place)? };
        bail!("{place}: {why}");
    }
    Ok(told.into_iter().map(replaced).collect())
}

fn replaced(Told { place, was, now }: Told) -> Replaced {
    Replaced { place: place.to_string(), was, now }
}

/// Splits options of two parts.
fn pairs<'a>(options: &'a [String], form: &str) -> anyhow::Result<Vec<(&'a str, &'a str)>> {
    let pair = |option: &'a String| option.split_once('=').ok_or_else(|| anyhow!("{option}: expected {form}"));
    options.iter().map(pair).collect()
}

/// Returns a file as the contents of an entry: JSON by its extension, otherwise bytes.
fn document(path: &Path) -> anyhow::Result<Document> {
    let bytes = super::read_input(path).with_context(|| path.display().to_string())?;
    match path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json")) {
        true => Ok(Document::Json(parse(&bytes).with_context(|| path.display().to_string())?)),
        false => Ok(Document::Raw(Bytes::from(bytes))),
    }
}

/// Returns the ranges that differ if the lengths are equal, otherwise the one range between the common beginning and end.
fn ranges(old: &[u8], new: &[u8]) -> Vec<(usize, usize, usize)> {
    let first = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    if old.len() != new.len() {
        let rest = |bytes: &[u8]| bytes.len().saturating_sub(first);
        let most = rest(old).min(rest(new));
        let last = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
        return vec![(first, rest(old).saturating_sub(last), rest(new).saturating_sub(last))];
    }
    let mut ranges: Vec<(usize, usize, usize)> = Vec::new();
    for (offset, _) in old.iter().zip(new).enumerate().skip(first).filter(|(_, (old, new))| old != new) {
        match ranges.last_mut() {
            // Equal bytes inside one value do not split it.
            Some((begin, old, new)) if offset.saturating_sub(*begin) < old.saturating_add(4) => {
                *old = offset.saturating_sub(*begin).saturating_add(1);
                *new = *old;
            }
            _ => ranges.push((offset, 1, 1)),
        }
    }
    ranges
}
