//! `bitexact patch`: edits in one step. Either all succeed, or the file is left unchanged.

mod everywhere;
mod given;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use bitexact::edit::diff::{self, Changes, Held};
use bitexact::edit::{Batch, BatchError, Batched, Edit, Refusal, Resolver, apply_to_parts, node_names, why_nothing};
use bitexact::exchange::{About, parse, show, unmarked};
use bitexact::field::{Address, CodePage, Error, Label, Value};
use bitexact::json::Document;
use bitexact::kind::{Kind, named};
use bitexact::passes::{Sha, Span, spans};
use bitexact::registry::{KINDS, Model};
use bytes::Bytes;

use super::back::Back;
use super::examples;
use super::out::Out;
use super::pack::compiled;
use super::source::{Source, entry_of, name_of, parts};

/// Change values and entries of a file, and update what depends on them
///
/// Edits are applied in this order: --trim, --apply, --rename, --remove, --replace, --add, --rename-node, --set, --everywhere, --delete,
/// --insert, --recompute. In a PLACE, @NAME is the node, entry or definition with this name in the original file, or in a list the item or
/// row of a table with this name, as in weapons.zrd:/@LASER/COST or appearance.2da:/rows/@Dwarf/NAME.
///
/// If FILE is the folder of a game, --everywhere and --replace change all files in it, or none; -n shows a table of what would change.
#[derive(Clone, clap::Args)]
#[command(after_help = examples::PATCH)]
pub(crate) struct Args {
    /// File to change, FILE!ENTRY, - for stdin, or a folder with --everywhere or --replace
    file: PathBuf,
    /// Remove the bytes that follow the end of the file, if it decodes without them
    #[arg(long)]
    trim: bool,
    /// Set a value: a number, a text, or any JSON of the current type; end PLACE in /- to append to a list
    #[arg(long, value_name = "PLACE=VALUE")]
    set: Vec<String>,
    /// Set a value wherever it is: /PLACE in every file and entry that has it, NAME:/PLACE in those named NAME, such as "*.utc"
    #[arg(long, value_name = "PLACE=VALUE")]
    everywhere: Vec<String>,
    /// With --everywhere, only in files and entries that have the value OLD at PLACE
    #[arg(long = "where", value_name = "PLACE=OLD", requires = "everywhere")]
    only_where: Vec<String>,
    /// Delete an item of a list; all places are those before any deletion
    #[arg(long, value_name = "PLACE")]
    delete: Vec<Address>,
    /// Insert an item into a list, before the one at PLACE
    #[arg(long, value_name = "PLACE=VALUE")]
    insert: Vec<String>,
    /// Allow --set to change a value's type
    #[arg(long)]
    retype: bool,
    /// Replace an entry's contents with FILE: raw bytes, unpacked JSON, a picture (PNG, JPEG, TGA, BMP, DDS, GIF), a WAV or text (script,
    /// reader data, terminal). ENTRY:/PLACE is one of several images, sounds or texts of an entry
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
    /// Apply the changes written by `diff --json`
    #[arg(long, value_name = "FILE")]
    apply: Vec<PathBuf>,
    #[command(flatten)]
    back: Back,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    if args.retype && args.set.is_empty() && args.everywhere.is_empty() {
        bail!("--retype is for --set and --everywhere");
    }
    if args.file.is_dir() {
        return everywhere::run(args, out);
    }
    let applied = args.apply.iter().map(|path| changes_in(path)).collect::<anyhow::Result<Vec<_>>>()?;
    CodePage::during_or(stated_page(&applied)?, || one_file(args, &applied, out))
}

/// The changes in files of the user's, with their paths.
type Applied<'a> = [(&'a Path, Changes)];

/// Reads changes. A pipe can be read only once.
fn changes_in(path: &Path) -> anyhow::Result<(&Path, Changes)> {
    let shown = path.display();
    let text = super::read_input(path).with_context(|| shown.to_string())?;
    Ok((path, diff::read(&text).map_err(|why| anyhow!("{shown}: {why}"))?))
}

/// Returns the first of the files that states the encoding of its texts, with that.
fn stated<'a>(applied: &'a Applied<'_>) -> Option<(&'a Path, &'a str)> {
    applied.iter().find_map(|(path, changes)| Some((*path, changes.encoding.as_deref()?)))
}

/// Returns the encoding that the changes state, or the chosen one.
fn stated_page(applied: &Applied<'_>) -> anyhow::Result<Option<&'static CodePage>> {
    let mut page = CodePage::chosen();
    let name = |name: &str| CodePage::named(name).map(CodePage::name);
    for (path, changes) in applied {
        let shown = path.display();
        if let (Some((other, first)), Some(own)) = (stated(applied), &changes.encoding)
            && name(first) != name(own)
        {
            bail!(
                "{shown}: its texts are in {own}, and those of {} in {first}; apply one after the other",
                other.display()
            );
        }
        page = changes.page().map_err(|why| anyhow!("{shown}: {why}"))?.or(page);
    }
    Ok(page)
}

/// Edits a file in the chosen encoding.
fn one_file(args: &Args, applied: &Applied<'_>, out: &mut Out) -> anyhow::Result<()> {
    let (file, entry) = parts(&args.file);
    args.back.check(&file, out)?;
    if args.trim && entry.is_some() {
        bail!("{}: --trim is for whole files", args.file.display());
    }
    let source = if args.trim { Source::read_trimmed(&file, out)? } else { Source::read(&file, out)? };
    let (name, shown) = (name_of(&file), || args.file.display().to_string());
    let entry = entry.as_deref().unwrap_or_default();
    let inside = args.inside(&source, entry).with_context(shown)?;
    let edited = edited((&inside, applied), (&source, entry), &name, out).with_context(shown)?;
    are_alike(&inside, (&source.model, &edited.model)).with_context(shown)?;
    say_strangers(&inside, &source, &edited, out)?;
    args.back.write(&file, &source, &edited, out)
}

impl Args {
    /// Returns the edits of entries as those of the file that holds this entry of it, which is empty for the file itself.
    fn inside(&self, source: &Source, entry: &str) -> anyhow::Result<Cow<'_, Self>> {
        if entry.is_empty() {
            return Ok(Cow::Borrowed(self));
        }
        entry_of(source, entry)?;
        if !self.apply.is_empty() {
            bail!("--apply is for whole files");
        }
        let mut args = self.clone();
        for list in [&mut args.replace, &mut args.add, &mut args.remove, &mut args.rename] {
            list.iter_mut().for_each(|name| *name = format!("{entry}!{name}"));
        }
        Ok(Cow::Owned(args))
    }
}

/// Applies all edits. Values are edited in their parts if possible. Otherwise, and for entries, the edits are made in the documents of the
/// entries that they touch, which also gives the reason if an edit is rejected.
fn edited(
    (args, applied): (&Args, &Applied<'_>),
    (source, entry): (&Source, &str),
    name: &str,
    out: &Out,
) -> anyhow::Result<Batched> {
    let of_values = [&args.set, &args.everywhere, &args.insert, &args.rename_node];
    let of_entries = [&args.replace, &args.add, &args.remove, &args.rename];
    let places = [&args.recompute, &args.delete];
    let is_empty =
        of_values.iter().chain(&of_entries).all(|list| list.is_empty()) && places.iter().all(|list| list.is_empty());
    if is_empty && args.apply.is_empty() && !args.trim {
        bail!("no edits given; see `bitexact patch --help`");
    }
    let mut batch = batch(args, source, entry)?;
    batch.typed.extend(everywhere::Wishes::of(args)?.in_file((source, entry), name)?);
    made((args, applied), &batch, (source, name), out)
}

/// Applies the edits of entries, and those of values in a batch.
fn made(
    (args, applied): (&Args, &Applied<'_>),
    batch: &Batch,
    (source, name): (&Source, &str),
    out: &Out,
) -> anyhow::Result<Batched> {
    let own = source.kind.name;
    if let Some((path, Changes { kind, .. })) = applied.iter().find(|(_, changes)| changes.kind != own) {
        bail!("{}: expected changes of a file of kind {own}, found those of kind {kind}", path.display());
    }
    let set: Vec<Address> = batch.places_set().cloned().collect();
    let unknown = |error: &Error| {
        let refusal = unknown_member(&source.model, &set, error).or_else(|| batch.meant(&source.model, error));
        refusal.map(anyhow::Error::from)
    };
    if !has_entries(args) && applied.is_empty() {
        let mut batch = batch.clone();
        let renames = pairs(&args.rename, "OLD=NEW")?.into_iter();
        batch.rename = renames.map(|(old, new)| (old.to_owned(), new.to_owned())).collect();
        let edited = batch.of_values(KINDS, (source.kind, &source.model, name)).map_err(|why| match why {
            BatchError::Error(error) => unknown(&error).unwrap_or_else(|| error.into()),
            other => other.into(),
        })?;
        if let Some(edited) = edited {
            return Ok(edited);
        }
    }
    let is_alone = !has_entries(args) && args.rename.is_empty() && batch.is_empty();
    if let ([(_, changes)], true) = (applied, is_alone)
        && let Some(edited) = apply_to_parts(KINDS, (source.kind, &source.model, name), &changes.changes)?
    {
        return Ok(edited);
    }
    let mut edit = Edit::of(&source.model, source.about())?;
    edit_entries(args, applied, &mut edit, source, out)?;
    let given = given(args, &edit)?;
    let entries: Vec<(String, String)> =
        edit.entries().map(|(entry, file)| (Label::role(file).to_string(), entry.to_owned())).collect();
    let blamed = |why| match why {
        BatchError::Error(error) => unknown(&error).unwrap_or_else(|| blame(error, &given, &entries)),
        other => other.into(),
    };
    if !edits_given(args, batch)? {
        return batch.pack(KINDS, edit, (source.kind, name)).map_err(blamed);
    }
    // Bytes have values only once they are decoded.
    let with_entries = Batch::default().pack(KINDS, edit, (source.kind, name)).map_err(blamed)?;
    let about = About { sha256: Sha::of(&with_entries.bytes), deviations: &[], ..source.about() };
    let edited = batch.apply(KINDS, (about, &with_entries.model, name), None)?;
    Ok(edited.following(with_entries))
}

/// Returns `true` if entries are edited, besides their names.
fn has_entries(args: &Args) -> bool {
    [&args.replace, &args.add, &args.remove].iter().any(|list| !list.is_empty())
}

/// Returns `true` if values are edited in an entry that is given as bytes.
fn edits_given(args: &Args, batch: &Batch) -> anyhow::Result<bool> {
    let given = [pairs(&args.replace, "ENTRY=FILE")?, pairs(&args.add, "NAME=FILE")?].concat();
    let is_given = |place: &Address| {
        let is_it = |entry: &str| place.entry == entry || place.is_inside(entry);
        given.iter().any(|(entry, file)| !extension(file).eq_ignore_ascii_case("json") && is_it(entry))
    };
    let inserted = batch.typed_insert.iter().map(|(place, _)| place);
    Ok(batch.places_set().chain(inserted).chain(&batch.delete).chain(&batch.recompute).any(is_given))
}

/// Returns the reason why a value cannot be set, if its place is none of the file.
fn unknown_member(model: &Model, set: &[Address], error: &Error) -> Option<Refusal> {
    let place = set.iter().find(|place| error.is_surplus(&place.keys))?;
    let is_there = show(model, &place.to_string(), 0).ok()?.is_some();
    let why = why_nothing(model, place).ok().filter(|_| !is_there)?;
    Some(Refusal::new(place.to_string(), why))
}

/// Finds the places of all edits in the original file; they are in this entry, unless it is empty.
fn batch(args: &Args, source: &Source, entry: &str) -> anyhow::Result<Batch> {
    let is_inside = |place: &Address| entry.is_empty() || place.is_inside(entry);
    let resolver = Resolver::new(&source.model, (source.kind, KINDS));
    let find = |place: &Address| {
        if entry.is_empty() {
            return super::resolved(&resolver, place);
        }
        let found = super::resolved(&resolver, &place.clone().inside(entry))?;
        if is_inside(&found) { Ok(found) } else { bail!("{place}: is not in {entry}, but at {found}") }
    };
    let find_all = |places: &[Address]| places.iter().map(find).collect::<anyhow::Result<_>>();
    let typed = |options: &[String]| {
        let pairs = pairs(options, "PLACE=VALUE")?.into_iter();
        pairs.map(|(place, value)| Ok((find(&Address::from(place))?, value.to_owned()))).collect::<anyhow::Result<_>>()
    };
    let mut batch = Batch::default();
    for (old, new) in pairs(&args.rename_node, "OLD=NEW")? {
        let places = node_names(&source.model, (source.kind, KINDS), old)?;
        let mut places = places.map_err(|why| anyhow!("{old}: {why}"))?;
        places.retain(is_inside);
        if places.is_empty() {
            bail!("{old}: nothing in {entry} has this name");
        }
        batch.set.extend(places.into_iter().map(|place| (place, Value::from(new))));
    }
    (batch.typed, batch.typed_insert) = (typed(&args.set)?, typed(&args.insert)?);
    let mut places = HashSet::new();
    // Each `-` is another new item.
    let is_one = |place: &Address| place.keys.iter().all(|key| key != "-");
    if let Some((twice, _)) = batch.typed.iter().find(|(place, _)| is_one(place) && !places.insert(place)) {
        bail!("{twice}: is set twice; leave one out");
    }
    (batch.delete, batch.recompute) = (find_all(&args.delete)?, find_all(&args.recompute)?);
    batch.retype = args.retype;
    Ok(batch)
}

/// Returns an error if an entry has been replaced by one of a different kind without `--force`.
fn are_alike(args: &Args, (before, after): (&Model, &Model)) -> anyhow::Result<()> {
    if args.back.force || args.replace.is_empty() {
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

/// Warns of added entries that are not what their names say.
fn say_strangers(args: &Args, source: &Source, edited: &Batched, out: &Out) -> anyhow::Result<()> {
    let spans = if args.add.is_empty() { return Ok(()) } else { spans(&edited.model)? };
    let is_of_game = |kind: &&Kind| kind.games.iter().any(|game| source.kind.games.contains(game));
    for (entry, _) in pairs(&args.add, "NAME=FILE")? {
        let name = entry.rsplit('!').next().unwrap_or(entry);
        let claims = KINDS.iter().filter(is_of_game).find(|kind| kind.claims(name));
        let (Some(span), Some(kind)) = (spans.get(entry), claims) else { continue };
        let Some(bytes) = span.of(&edited.bytes) else { continue };
        let (_, end) = name.rsplit_once('.').unwrap_or((name, ""));
        match (span.kind, bytes) {
            ("opaque", _) => out.say(format_args!(
                "warning: {entry}: its name is that of a file of kind {}, but its bytes are not; they are stored unchanged",
                kind.name
            )),
            // The files of a type of resource begin with it.
            ("gff", [one, two, three, ..]) if !end.as_bytes().eq_ignore_ascii_case(&[*one, *two, *three]) => {
                let of = String::from_utf8_lossy(&[*one, *two, *three]).into_owned();
                out.say(format_args!("warning: {entry}: its name ends in .{end}, but it holds a resource of type {of}"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Applies changes of `diff --json` and the edits of entries.
fn edit_entries(args: &Args, applied: &Applied<'_>, edit: &mut Edit, source: &Source, out: &Out) -> anyhow::Result<()> {
    let entries = match applied.is_empty() {
        true => BTreeMap::new(),
        false => diff::held(&source.model, &source.bytes)?,
    };
    for (path, changes) in applied {
        let whole = Held { sha256: source.sha256, ..Held::of(source.kind.name, &source.bytes) };
        let held = |entry: &str| if entry.is_empty() { Some(whole) } else { entries.get(entry).copied() };
        diff::apply(&changes.changes, edit, held).with_context(|| match stated(applied) {
            Some((other, page)) if changes.encoding.is_none() => {
                format!("{}, applied in {page}, which {} states", path.display(), other.display())
            }
            _ => path.display().to_string(),
        })?;
    }
    for (old, new) in pairs(&args.rename, "OLD=NEW")? {
        edit.rename(old, new)?;
    }
    for entry in &args.remove {
        edit.remove(entry)?;
    }
    for (entry, file) in pairs(&args.replace, "ENTRY=FILE")? {
        let at = if edit.has(entry) { Address::of_entry(entry) } else { Address::from(entry) };
        let kind = edit.kind_of(&at.entry);
        let document = given::contents(source.kind, (&at.entry, kind.as_deref()), file, out)?;
        let shown = match &document {
            Document::Raw(bytes) => given::show((edit, source.kind), &at, (file, bytes), out)?,
            Document::Json(_) => false,
        };
        if !shown && !at.keys.is_empty() {
            bail!("{at}: {file} cannot replace it; `--set \"{at}=VALUE\"` sets a value");
        }
        if !shown {
            given::is_possible(entry, kind.as_deref(), (file, &document))?;
            edit.replace(entry, document)?;
        }
    }
    for (name, file) in pairs(&args.add, "NAME=FILE")? {
        let kind = edit.kind_to_add(name);
        let document = given::contents(source.kind, (name, kind.as_deref()), file, out)?;
        let is_shown = match &document {
            Document::Raw(bytes) => given::add((edit, source.kind), name, (file, bytes), out)?,
            Document::Json(_) => false,
        };
        if !is_shown {
            edit.add(name, document)?;
        }
    }
    Ok(())
}

/// Returns the extension of a file.
fn extension(file: &str) -> Cow<'_, str> {
    Path::new(file).extension().unwrap_or_default().to_string_lossy()
}

/// Returns the contents of an entry of this kind in its own form, if they are given in the text form of the kind, and prints what of a text
/// is not in them.
fn of_text(kind: Option<&str>, document: Document, (file, out): (&str, &Out)) -> anyhow::Result<Document> {
    let text = kind.and_then(|kind| named(KINDS, kind)).and_then(|kind| kind.text);
    let (text, bytes) = match (text, document) {
        (Some(text), Document::Raw(bytes)) => (text, bytes),
        (_, document) => return Ok(document),
    };
    unmarked(&bytes).map_err(|why| anyhow!("{file}: {why}"))?;
    Ok(Document::Raw(match text.is_source(&bytes) {
        true => compiled(text, (Path::new(file), &bytes), &[], out)?.into(),
        false => bytes,
    }))
}

/// Returns the files that the user gave for entries, by their labels in the exchange format.
fn given<'a>(args: &'a Args, edit: &Edit) -> anyhow::Result<Vec<(String, &'a str)>> {
    let pairs = [pairs(&args.replace, "ENTRY=FILE")?, pairs(&args.add, "NAME=FILE")?].concat();
    let given = |(entry, file)| Some((Label::role(edit.file(entry)?).to_string(), file));
    Ok(pairs.into_iter().filter_map(given).collect())
}

/// Returns the error, with the name of the user's file if it is in one, and otherwise of the entry: `entries` has the labels of the
/// files that only the exchange format has, each with the entry.
fn blame(error: Error, given: &[(String, &str)], entries: &[(String, String)]) -> anyhow::Error {
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
        None => {
            let own = error.place().labels().last().map(ToString::to_string);
            let entry = own.and_then(|own| entries.iter().find(|(label, _)| *label == own)).map(|(_, entry)| entry);
            match entry {
                Some(entry) => {
                    let Address { keys, .. } = Address::from(error.place().to_string().as_str());
                    anyhow!("{}: {}", Address { entry: entry.clone(), keys }, error.fault())
                }
                None => error.into(),
            }
        }
    }
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
