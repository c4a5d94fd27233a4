//! `bitexact patch`: edits in one step, all of them or none.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use bitexact::edit::diff::{self, Held};
use bitexact::edit::{Edit, Values};
use bitexact::exchange::{Packed, parse, show};
use bitexact::field::{Address, Document, Error, Json, Label, Told, encode};
use bitexact::media::Replaced;
use bitexact::output;
use bitexact::passes::{Span, spans};
use bitexact::registry::{KINDS, Model};
use bytes::Bytes;

use super::out::Out;
use super::source::{Source, name_of, prove};
use super::target;

/// Change values and entries of a file; what follows from them is settled
///
/// Changes are made in this order: --apply, --rename, --remove, --replace, --add, --set, --recompute.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file
    file: PathBuf,
    /// Set a value: JSON of the type that is there (1, 1.0, '"text"'); a last key of - adds to a list
    #[arg(long, value_name = "PLACE=VALUE")]
    set: Vec<String>,
    /// Let --set change the type of a value
    #[arg(long, requires = "set")]
    retype: bool,
    /// Replace what an entry holds by a file: its bytes, JSON of the exchange form, a PNG for an image, or a WAV
    /// for a sound of Marathon
    #[arg(long, value_name = "ENTRY=FILE")]
    replace: Vec<String>,
    /// Add an entry behind the others
    #[arg(long, value_name = "NAME=FILE")]
    add: Vec<String>,
    /// Take an entry away
    #[arg(long, value_name = "ENTRY")]
    remove: Vec<String>,
    /// Give an entry another name
    #[arg(long, value_name = "OLD=NEW")]
    rename: Vec<String>,
    /// Let a rule give a value anew, also one that is only compared otherwise
    #[arg(long, value_name = "PLACE")]
    recompute: Vec<Address>,
    /// Make the changes that `diff --json` told
    #[arg(long, value_name = "MOD.json")]
    apply: Vec<PathBuf>,
    /// Write another file, and leave this one as it is
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Say what would change, and write nothing
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Keep the file as it was beside it, as FILE.bak
    #[arg(long, conflicts_with = "output")]
    backup: bool,
    /// Let an entry become another kind than it was, and --output replace a file
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let path = args.file.display().to_string();
    if args.file == Path::new("-") && args.output.is_none() && !args.dry_run {
        bail!("what comes from stdin needs a file to go to: --output");
    }
    if let Some(target) = args.output.as_deref().filter(|_| !args.dry_run) {
        target::game_file(target, args.force)?;
    }
    let source = Source::read(&args.file)?;
    let name = name_of(&args.file);
    let Edited { told, bytes, after } = edited(args, &source, &name).with_context(|| path.clone())?;
    are_alike(args, (&source.model, &after)).with_context(|| path.clone())?;
    let changes = diff::between(source.kind, (source.bytes.clone(), &source.model), (bytes.clone(), &after))?;
    for change in &changes {
        out.lines(change);
    }
    for told in &told {
        out.say(format_args!("settled: {}: {} → {}", told.place, told.was, told.now));
    }
    if args.dry_run {
        for (offset, old, new) in ranges(&source.bytes, &bytes) {
            let become_ = if old == new { String::new() } else { format!(" become {new}") };
            out.line(format_args!("{offset:#010x}: {old} bytes{become_}"));
        }
        return Ok(());
    }
    let target = args.output.as_ref().unwrap_or(&args.file);
    if bytes == source.bytes && args.output.is_none() {
        out.say(format_args!("{path}: nothing changes"));
        return Ok(());
    }
    if args.backup {
        let (copy, is_new) = output::back_up(&args.file).with_context(|| path.clone())?;
        let is = if is_new { "the file as it was" } else { "there already, and older, so it stays" };
        out.say(format_args!("{}: {is}", copy.display()));
    }
    output::write(target, &bytes).with_context(|| target.display().to_string())?;
    let (places, s) = (changes.len(), if changes.len() == 1 { "" } else { "s" });
    out.say(format_args!("{}: {places} change{s}, {} bytes", target.display(), bytes.len()));
    Ok(())
}

/// A file with all edits made, proven to come back from its model.
struct Edited {
    /// The values that have been replaced because of the edits.
    told: Vec<Replaced>,
    bytes: Bytes,
    /// What the file is read as.
    after: Model,
}

/// Makes all edits. Those of values are made in the model; where that cannot be, and for those of entries, in the exchange
/// form of all of it, which says of any edit why it cannot be made.
fn edited(args: &Args, source: &Source, name: &str) -> anyhow::Result<Edited> {
    let lists = [&args.set, &args.replace, &args.add, &args.remove, &args.rename];
    if lists.iter().all(|list| list.is_empty()) && args.recompute.is_empty() && args.apply.is_empty() {
        bail!("nothing is to be changed; see --help");
    }
    if let Some(edited) = of_values(args, source, name)? {
        return Ok(edited);
    }
    let Packed { model, told, .. } = in_form(args, source)?;
    are_there(&args.recompute, &model)?;
    let bytes = Bytes::from(encode(&model)?);
    let after = prove(source.kind, &model, &bytes, name)?;
    Ok(Edited { told, bytes, after })
}

/// Makes edits that are all of values which can be loaded alone.
fn of_values(args: &Args, source: &Source, name: &str) -> anyhow::Result<Option<Edited>> {
    let others = [&args.replace, &args.add, &args.remove, &args.rename];
    if others.iter().any(|list| !list.is_empty()) || !args.apply.is_empty() || source.kind.raw.is_some() {
        return Ok(None);
    }
    let sets = sets(args)?;
    let places: Vec<_> = sets.iter().map(|(place, _)| place).chain(&args.recompute).cloned().collect();
    let Some(mut values) = Values::open(&source.model, &places)? else { return Ok(None) };
    for (number, (_, value)) in sets.into_iter().enumerate() {
        if values.set(number, value, args.retype).is_err() {
            return Ok(None);
        }
    }
    for number in places.len().saturating_sub(args.recompute.len())..places.len() {
        if values.recompute(number).is_err() {
            return Ok(None);
        }
    }
    let mut model = source.model.copy();
    let Ok(made) = values.load(&mut model) else { return Ok(None) };
    are_there(&args.recompute, &model)?;
    let Ok(bytes) = encode(&model).map(Bytes::from) else { return Ok(None) };
    let Ok(after) = prove(source.kind, &model, &bytes, name) else { return Ok(None) };
    if !made.is_said_by(&after)? {
        return Ok(None);
    }
    let told = made.told.into_iter();
    let told = told.map(|Told { place, was, now }| Replaced { place: place.to_string(), was, now }).collect();
    Ok(Some(Edited { told, bytes, after }))
}

/// Makes edits in the exchange form.
fn in_form(args: &Args, source: &Source) -> anyhow::Result<Packed> {
    let held = match args.apply.is_empty() {
        true => Entries::new(),
        false => diff::held(&source.model, &source.bytes)?,
    };
    let mut edit = Edit::of(&source.model, source.about())?;
    edit_all(args, &mut edit, source, &held)?;
    let given = given(args, &edit)?;
    edit.pack(KINDS).map_err(|error| blame(error, &given))
}

/// Refuses entries that have been replaced by something of another kind, unless that is meant.
fn are_alike(args: &Args, (before, after): (&Model, &Model)) -> anyhow::Result<()> {
    if args.force || args.replace.is_empty() {
        return Ok(());
    }
    let (before, after) = (spans(before)?, spans(after)?);
    for (entry, _) in pairs(&args.replace, "ENTRY=FILE")? {
        if let (Some(Span { kind: old, .. }), Some(Span { kind: new, .. })) = (before.get(entry), after.get(entry))
            && old != new
        {
            bail!("{entry}: it would be {new} instead of {old}; --force lets it");
        }
    }
    Ok(())
}

/// The values to be set.
fn sets(args: &Args) -> anyhow::Result<Vec<(Address, Json)>> {
    let set = |(place, value): (&str, &str)| {
        let json = parse(value.as_bytes());
        let json: Json = json.map_err(|error| anyhow!("{place}: {value}: {error}; a text needs quotes: '\"…\"'"))?;
        Ok((Address::from(place), json))
    };
    pairs(&args.set, "PLACE=VALUE")?.into_iter().map(set).collect()
}

type Entries = std::collections::BTreeMap<String, Held>;

/// Makes all edits.
fn edit_all(args: &Args, edit: &mut Edit, source: &Source, entries: &Entries) -> anyhow::Result<()> {
    for path in &args.apply {
        let shown = path.display();
        let text = super::read_input(path).with_context(|| shown.to_string())?;
        let changes = diff::read(&text).map_err(|why| anyhow!("{shown}: {why}"))?;
        if changes.kind != source.kind.name {
            bail!("{shown}: it is for {}, and this is {}", changes.kind, source.kind.name);
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
        let document = document(path)?;
        let shown = match &document {
            Document::Raw(bytes) => edit.show(entry, &extension, bytes.clone())?,
            Document::Json(_) => false,
        };
        if !shown && extension.eq_ignore_ascii_case("png") {
            bail!("{entry}: it is no image that a picture can replace");
        }
        if !shown {
            edit.replace(entry, document)?;
        }
    }
    for (name, file) in pairs(&args.add, "NAME=FILE")? {
        edit.add(name, document(Path::new(file))?)?;
    }
    for (place, value) in sets(args)? {
        edit.set(&place, value, args.retype)?;
    }
    for place in &args.recompute {
        edit.recompute(place)?;
    }
    Ok(())
}

/// The files that have been given for entries, by what the exchange form calls each.
fn given<'a>(args: &'a Args, edit: &Edit) -> anyhow::Result<Vec<(String, &'a str)>> {
    let pairs = [pairs(&args.replace, "ENTRY=FILE")?, pairs(&args.add, "NAME=FILE")?].concat();
    let given = |(entry, file)| Some((Label::role(edit.file(entry)?).to_string(), file));
    Ok(pairs.into_iter().filter_map(given).collect())
}

/// What is wrong; if it is in a file that has been given, by its name.
fn blame(error: Error, given: &[(String, &str)]) -> anyhow::Error {
    let entry = error.place().entry();
    let outer = |label: &str| {
        let ends = entry.match_indices('!').map(|(end, _)| end).chain([entry.len()]);
        ends.filter_map(|end| entry.get(..end)).find(|outer| outer.rsplit('!').next() == Some(label))
    };
    match given.iter().find_map(|(label, file)| Some((outer(label)?, file))) {
        // Behind it stands what is in the file: a pointer, or more entries.
        Some((outer, file)) => {
            let text = error.to_string().replacen(&format!("{outer}:"), "", 1).replacen(&format!("{outer}!"), "", 1);
            anyhow!("{file}: {text}")
        }
        None => error.into(),
    }
}

/// Makes sure that there are places, whether a rule gives what is at them or not.
fn are_there(places: &[Address], model: &Model) -> anyhow::Result<()> {
    for place in places {
        if show(model, &place.to_string(), 0)?.is_none() {
            bail!("{place}: no such place");
        }
    }
    Ok(())
}

/// Options of two parts.
fn pairs<'a>(options: &'a [String], form: &str) -> anyhow::Result<Vec<(&'a str, &'a str)>> {
    let pair = |option: &'a String| option.split_once('=').ok_or_else(|| anyhow!("{option}: expected {form}"));
    options.iter().map(pair).collect()
}

/// What a file says of an entry: JSON by its name, else bytes.
fn document(path: &Path) -> anyhow::Result<Document> {
    let bytes = super::read_input(path).with_context(|| path.display().to_string())?;
    match path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json")) {
        true => Ok(Document::Json(parse(&bytes).with_context(|| path.display().to_string())?)),
        false => Ok(Document::Raw(Bytes::from(bytes))),
    }
}

/// Bytes that differ as long as the files are of one length; else what lies between what they begin and end with.
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
            // Bytes of one value that happen to be the same do not part it.
            Some((begin, old, new)) if offset.saturating_sub(*begin) < old.saturating_add(4) => {
                *old = offset.saturating_sub(*begin).saturating_add(1);
                *new = *old;
            }
            _ => ranges.push((offset, 1, 1)),
        }
    }
    ranges
}
