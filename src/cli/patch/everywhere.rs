//! `--everywhere`, and `--replace` in all packages of a folder: all files are changed in one transaction, or none.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use bitexact::edit::{Batch, Everywhere, diff};
use bitexact::field::{Address, wide};
use bitexact::install::Found;
use bitexact::mods::Replacement;
use bitexact::output::printable::counted;
use bitexact::registry::{KINDS, recognize};
use bytes::Bytes;

use super::super::out::Out;
use super::super::signals::Gentle;
use super::super::source::{Source, say_deviations, say_recomputed, say_warnings};
use super::super::table::Table;
use super::super::target::undone_by;
use super::super::work::wanted;
use super::super::{Code, back, mods, whole};
use super::{Args, are_alike, made, pairs};

/// What is meant in a file.
#[derive(Default)]
struct Meant<'a> {
    /// The values to set.
    values: Vec<(Address, String)>,
    /// The places that it does not have, or not with the values of `--where`.
    idle: Vec<Idle<'a>>,
    /// The places of `--where` that it does not have.
    unmet: Vec<&'a str>,
}

/// The options of `--replace`, each with the entries of a file that it replaces.
type Replaced<'a> = Vec<(&'a str, Vec<String>)>;

/// What to change wherever it is.
pub(super) struct Wishes<'a> {
    /// The values to set, with the word that a person has typed, and the option.
    set: Vec<(Everywhere, &'a str, &'a str)>,
    /// The values that files and entries must have.
    only: Vec<(Everywhere, &'a str, &'a str)>,
    /// The entries to replace, and the files with their new contents.
    replace: Vec<(Everywhere, &'a str, &'a str)>,
}

impl<'a> Wishes<'a> {
    pub(super) fn of(args: &'a Args) -> anyhow::Result<Self> {
        let place = |place: &str| {
            let everywhere = Everywhere::from(place);
            if !everywhere.is_of_value() {
                bail!("{place}: expected the place of a value, such as \"*.zrd:/0/1\"");
            }
            if everywhere.needs_name() {
                bail!("{place}: @NAME in a list needs the name of the files before it, such as \"*.zrd:{place}\"");
            }
            Ok(everywhere)
        };
        let set = pairs(&args.everywhere, "PLACE=VALUE")?.into_iter();
        let only = pairs(&args.only_where, "PLACE=OLD")?.into_iter();
        let replace = pairs(&args.replace, "ENTRY=FILE")?.into_iter();
        Ok(Self {
            set: set.map(|(at, value)| Ok((place(at)?, value, at))).collect::<anyhow::Result<_>>()?,
            only: only.map(|(at, value)| Ok((place(at)?, value, at))).collect::<anyhow::Result<_>>()?,
            replace: replace.map(|(name, file)| (Everywhere::from(name), file, name)).collect(),
        })
    }

    /// Returns the values to set in a file, or in an entry of it, unless that is empty. One that is found nowhere is an error.
    pub(super) fn in_file(
        &self,
        (source, entry): (&Source, &str),
        name: &str,
    ) -> anyhow::Result<Vec<(Address, String)>> {
        let Meant { values, idle, unmet } = self.values(source, name)?;
        let is_inside = |place: &Address| entry.is_empty() || place.is_inside(entry);
        let unmet = unmet.into_iter().map(|shown| Idle { shown, is_elsewhere: false });
        if let Some(why) = unmet.chain(idle).next() {
            return Err(why.said("the file"));
        }
        Ok(values.into_iter().filter(|(place, _)| is_inside(place)).collect())
    }

    /// Returns what is meant in a file.
    fn values(&self, source: &Source, name: &str) -> anyhow::Result<Meant<'a>> {
        let find = |place: &Everywhere| place.values(&source.model, (source.kind, KINDS), name);
        let (mut values, mut idle, mut only, mut unmet) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        if self.set.is_empty() {
            return Ok(Meant::default());
        }
        for (place, old, option) in &self.only {
            let (mut fitting, mut entries) = (BTreeSet::new(), BTreeSet::new());
            let all = find(place)?;
            if all.is_empty() {
                unmet.push(*option);
            }
            for found in all {
                if found.is(&source.model, old)? {
                    entries.insert(found.at.entry.clone());
                    fitting.insert(found.at.to_string());
                }
            }
            only.push((place, fitting, entries));
        }
        for (place, value, option) in &self.set {
            let found = find(place)?;
            if found.is_empty() {
                idle.push(Idle { shown: option, is_elsewhere: false });
                continue;
            }
            let before = values.len();
            for found in found {
                let is_fit = only.iter().all(|(of, fitting, entries)| {
                    let own = if found.at.entry.is_empty() { name } else { found.at.entry.as_str() };
                    match *of == place {
                        true => fitting.contains(&found.at.to_string()),
                        // A value beside it, in the files and entries that the condition is about.
                        false => !(of.is_by_name() || of.is_meant(own)) || entries.contains(&found.at.entry),
                    }
                });
                if is_fit {
                    values.push((found.at, (*value).to_owned()));
                }
            }
            if values.len() == before {
                idle.push(Idle { shown: option, is_elsewhere: true });
            }
        }
        Ok(Meant { values, idle, unmet })
    }

    /// Returns which entries of a file each option replaces, with their new contents, as `ENTRY=FILE`.
    fn replaced(&self, source: &Source) -> anyhow::Result<Replaced<'a>> {
        let of = |(name, file, option): &(Everywhere, &'a str, &'a str)| {
            let entries = name.entries(&source.model)?.into_iter();
            Ok((*option, entries.map(|entry| format!("{entry}={file}")).collect()))
        };
        self.replace.iter().map(of).collect()
    }

    /// Returns the path of the first backup that has the place or the entry of an option, if there is one.
    fn in_backup(&self, backups: &[Found], option: &str) -> Option<String> {
        let of =
            |list: &'_ [(Everywhere, &'a str, &'a str)]| list.iter().find(|it| it.2 == option).map(|it| it.0.clone());
        let (place, entry) = (of(&self.set).or_else(|| of(&self.only)), of(&self.replace));
        let has = |file: &&Found| {
            let name = file.name();
            // The name of the file beside it.
            let name = name.rsplit_once('.').map_or(&*name, |(name, _)| name);
            let Ok(Some(source)) = source(file, name) else { return false };
            let values = place.as_ref().map(|place| place.values(&source.model, (source.kind, KINDS), name));
            let entries = entry.as_ref().map(|entry| entry.entries(&source.model));
            values.is_some_and(|found| found.is_ok_and(|it| !it.is_empty()))
                || entries.is_some_and(|found| found.is_ok_and(|it| !it.is_empty()))
        };
        backups.iter().find(has).map(Found::shown)
    }
}

/// A place at which nothing is to be set.
struct Idle<'a> {
    shown: &'a str,
    /// `true` if files have it, but not with the values of `--where`.
    is_elsewhere: bool,
}

impl Idle<'_> {
    fn said(&self, whole: &str) -> anyhow::Error {
        match self.is_elsewhere {
            true => anyhow!("{}: {whole} has it, but nowhere with the value of --where", self.shown),
            false => anyhow!("{}: nothing in {whole} has this place; `bitexact inspect` shows places", self.shown),
        }
    }
}

/// A file that will be changed.
struct Changed {
    file: Replacement,
    changes: u64,
}

/// The files of a folder, and what is known of the wishes so far.
struct Folder<'a> {
    root: &'a Path,
    wishes: Wishes<'a>,
    /// The files that stay, because they keep how others were.
    backups: Vec<Found>,
    table: Table<3>,
    changed: Vec<Changed>,
    /// The options whose places files have, and those that change something.
    known: BTreeSet<&'a str>,
    done: BTreeSet<&'a str>,
    /// The options of `--where` whose places files have.
    met: BTreeSet<&'a str>,
    refused: Vec<String>,
}

/// The warnings that an entry must also be changed in other packages.
const OF_SIBLINGS: [&str; 2] = ["texture-siblings", "sound-banks"];

/// Changes the files of a folder.
pub(super) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let (root, shown) = (args.file.as_path(), args.file.display());
    let is_dry_run = args.back.is_dry_run_of_folder()?;
    for_folders(args)?;
    let wishes = Wishes::of(args)?;
    if wishes.set.is_empty() && wishes.replace.is_empty() {
        bail!("{shown}: is a folder; --everywhere and --replace change all files in it");
    }
    if !is_dry_run {
        mods::recover(root, out)?;
    }
    let table = Table::new(["FILE ", "PLACE ", "CHANGE "]);
    let (known, done, met) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let (backups, files): (Vec<_>, Vec<_>) = wanted(root, out)?.into_iter().partition(|file| is_backup(&file.path));
    let (changed, refused) = (Vec::new(), Vec::new());
    let mut folder = Folder { root, wishes, backups, table, changed, known, done, met, refused };
    let mut left_out = 0;
    for file in files {
        match source(&file, &file.name()) {
            Ok(Some(source)) => folder.change(args, &file, &source, out)?,
            Ok(None) => {}
            Err(why) => {
                left_out += 1;
                out.error(Code::Finding, format_args!("{why:#}"));
            }
        }
    }
    if !folder.changed.is_empty() && !out.is_quiet() {
        folder.table.print(out);
    }
    if left_out > 0 {
        out.say(format_args!("{shown}: {} left out, because they cannot be read", counted(left_out, "file")));
    }
    if !folder.backups.is_empty() {
        let backups = counted(wide(folder.backups.len()), "backup");
        out.say(format_args!("{shown}: {backups} left out, because the files are beside them"));
    }
    folder.end(is_dry_run, out)
}

/// Returns an error for an option that is for one file.
fn for_folders(args: &Args) -> anyhow::Result<()> {
    let options = [
        ("--trim", args.trim),
        ("--set", !args.set.is_empty()),
        ("--delete", !args.delete.is_empty()),
        ("--insert", !args.insert.is_empty()),
        ("--add", !args.add.is_empty()),
        ("--remove", !args.remove.is_empty()),
        ("--rename", !args.rename.is_empty()),
        ("--rename-node", !args.rename_node.is_empty()),
        ("--recompute", !args.recompute.is_empty()),
        ("--apply", !args.apply.is_empty()),
    ];
    match options.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => {
            let shown = args.file.display();
            bail!(
                "{shown}: is a folder, and {option} is for one file; --everywhere and --replace change all files in it"
            )
        }
        None => Ok(()),
    }
}

/// Returns `true` for a file that keeps how the one beside it was, as `--backup` writes it.
fn is_backup(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("bak")) && path.with_extension("").is_file()
}

/// Reads a file of the folder, as one of this name, or returns `None` if it is of no supported kind.
fn source(file: &Found, name: &str) -> anyhow::Result<Option<Source>> {
    let shown = file.shown();
    file.size.clone().map_err(|why| anyhow!("{shown}: {why}"))?;
    let bytes = Bytes::from(super::super::read(&file.path).with_context(|| shown.clone())?);
    match recognize(KINDS, name, &bytes) {
        Some(_) => Source::of(&shown, name, bytes).map(Some),
        None => Ok(None),
    }
}

impl<'a> Folder<'a> {
    /// Makes the changes of a file in memory, and adds them to the table.
    fn change(&mut self, args: &Args, file: &Found, source: &Source, out: &Out) -> anyhow::Result<()> {
        let (shown, name) = (file.shown(), file.name());
        let Meant { values, idle, unmet } = self.wishes.values(source, &name).with_context(|| shown.clone())?;
        let replace = self.wishes.replaced(source).with_context(|| shown.clone())?;
        let is_idle = |shown: &str| idle.iter().find(|it| it.shown == shown);
        for &(.., option) in &self.wishes.set {
            match is_idle(option) {
                Some(it) if it.is_elsewhere => _ = self.known.insert(option),
                Some(_) => {}
                None => _ = self.done.insert(option),
            }
        }
        self.met.extend(self.wishes.only.iter().map(|it| it.2).filter(|option| !unmet.contains(option)));
        for ((place, ..), (option, entries)) in self.wishes.replace.iter().zip(&replace) {
            if !entries.is_empty() {
                self.done.insert(option);
            } else if place.is_meant(&name) {
                self.known.insert(option);
            }
        }
        let replace: Vec<String> = replace.into_iter().flat_map(|(_, entries)| entries).collect();
        if values.is_empty() && replace.is_empty() {
            return Ok(());
        }
        if let Err(why) = self.make(args, (file, source, &name), (values, replace), out) {
            self.refused.push(format!("{shown}: {why:#}"));
        }
        Ok(())
    }

    fn make(
        &mut self,
        args: &Args,
        (file, source, name): (&Found, &Source, &str),
        (typed, replace): (Vec<(Address, String)>, Vec<String>),
        out: &Out,
    ) -> anyhow::Result<()> {
        let path = whole::path_of(self.root, &file.path, None)?;
        let args = Args { replace, ..args.clone() };
        let mut batch = Batch::default();
        (batch.typed, batch.retype) = (typed, args.retype);
        let edited = made((&args, &[]), &batch, (source, name), out)?;
        are_alike(&args, (&source.model, &edited.model))?;
        if edited.bytes == source.bytes {
            return Ok(());
        }
        let compared = edited.compared(source.kind, (&source.bytes, &source.model))?;
        let changes = diff::without_layout(compared.changes()?);
        for said in back::said(&compared, &changes) {
            let line = said.split_once('\n').map_or(&*said, |(line, _)| line);
            let (place, change) = line.split_once(": ").unwrap_or((line, ""));
            self.table.row([path.clone(), place.to_owned(), change.to_owned()]);
        }
        let before = format!("{path}: ");
        edited.recomputed.iter().for_each(|it| say_recomputed(&before, it, out));
        say_deviations(&before, &compared.new_deviations()?, out);
        // What is replaced here is replaced in all packages of the folder.
        let mut warnings = compared.new_warnings(name)?;
        warnings.retain(|it| args.replace.is_empty() || !OF_SIBLINGS.contains(&it.trap.id));
        say_warnings(&before, &warnings, out);
        let file = Replacement::new(&path, Some(source.on_disk), edited.bytes.clone())?;
        self.changed.push(Changed { file, changes: wide(changes.len()) });
        Ok(())
    }

    /// Writes all files, or none.
    fn end(self, is_dry_run: bool, out: &mut Out) -> anyhow::Result<()> {
        let Self { root, wishes, backups, changed, known, done, met, refused, .. } = self;
        let shown = root.display();
        let nowhere = |option: &str| match wishes.in_backup(&backups, option) {
            Some(path) => anyhow!("{option}: only a backup in {shown} has this place: {path}"),
            None => Idle { shown: option, is_elsewhere: false }.said(&shown.to_string()),
        };
        if !refused.is_empty() {
            refused.into_iter().for_each(|why| out.error(Code::Failed, why));
            bail!("{shown}: no file was changed");
        }
        let conditions = wishes.only.iter().map(|it| it.2).filter(|_| !wishes.set.is_empty());
        if let Some(unmet) = conditions.into_iter().find(|option| !met.contains(option)) {
            return Err(nowhere(unmet));
        }
        for &(.., option) in &wishes.set {
            match (done.contains(option), known.contains(option)) {
                (true, _) => {}
                (false, true) => return Err(Idle { shown: option, is_elsewhere: true }.said(&shown.to_string())),
                (false, false) => return Err(nowhere(option)),
            }
        }
        for &(.., option) in &wishes.replace {
            match (done.contains(option), known.contains(option)) {
                (true, false) => {}
                (true, true) => out.say(format_args!(
                    "{option}: is also a file of its own, which is not replaced; copy the new one there"
                )),
                (false, true) => {
                    bail!("{option}: is a file of its own, in no package; copy the new one there to replace it")
                }
                (false, false) => match wishes.in_backup(&backups, option) {
                    Some(path) => bail!("{option}: only a backup in {shown} holds an entry of this name: {path}"),
                    None => bail!("{option}: no package in {shown} holds an entry of this name"),
                },
            }
        }
        let changes = counted(changed.iter().map(|it| it.changes).sum(), "change");
        let files = counted(wide(changed.len()), "file");
        if changed.is_empty() {
            out.say(format_args!("{shown}: no changes, no file written"));
            return Ok(());
        }
        if is_dry_run {
            out.say(format_args!("{shown}: would make {changes} in {files}; without -n, all are made, or none"));
            return Ok(());
        }
        // Ctrl-C does not end a transaction halfway; a second one does, and the next call finishes it.
        let _gentle = Gentle::new();
        let options = wishes.set.iter().map(|it| it.2).chain(wishes.replace.iter().map(|it| it.2));
        let name = options.collect::<Vec<_>>().join(", ");
        let files_changed: Vec<Replacement> = changed.into_iter().map(|it| it.file).collect();
        let (name, plan) = mods::lock(root, out)?.replace(&name, &files_changed)?;
        mods::refuse(&plan, &shown.to_string(), out)?;
        plan.notes.iter().for_each(|note| out.say(note));
        out.say(format_args!("{shown}: {changes} in {files}{}", undone_by(root, name.as_deref())));
        Ok(())
    }
}
