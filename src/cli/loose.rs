//! `pack --new` and `unpack --loose`: containers of Neverwinter Nights from loose files, and loose files from them; scenarios of Marathon
//! are [theirs](super::scenario).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use bitexact::aurora::erf::Erf;
use bitexact::edit::BifKeys;
use bitexact::exchange::{read, write};
use bitexact::field::wide;
use bitexact::kind::{Format as _, named};
use bitexact::loose::{Changes, Date, JoinOptions, Joined, Loose, LooseForm, Loosened, join};
use bitexact::output;
use bitexact::output::printable::counted;
use bitexact::passes::Sha;
use bitexact::registry::KINDS;
use bytes::Bytes;
use clap::ValueEnum;

use super::nasher;
use super::out::Out;
use super::signals::Gentle;
use super::source::{Source, name_of, say_new};
use super::zipped::{self, Zip};
use super::{Code, below, target, within};

/// The type of a new container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContainerType {
    /// Module
    Mod,
    /// Resources of a module
    Hak,
    /// Resources to import
    Erf,
    /// Module of the campaign
    Nwm,
    /// Scenario of Marathon 2 or Infinity, from the folders of its levels
    Scen,
}

impl ContainerType {
    /// Returns the word at the beginning of such a file.
    /// `None` for a file of another game.
    const fn word(self) -> Option<[u8; 4]> {
        match self {
            Self::Mod => Some(*b"MOD "),
            Self::Hak => Some(*b"HAK "),
            Self::Erf => Some(*b"ERF "),
            Self::Nwm => Some(*b"NWM "),
            Self::Scen => None,
        }
    }
}

/// The form of loose files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Bytes of the file
    Raw,
    /// Trees of fields (GFF) as JSON, such as NAME.utc.json
    Json,
}

impl Form {
    const fn of(self) -> LooseForm {
        match self {
            Self::Raw => LooseForm::Raw,
            Self::Json => LooseForm::Json,
        }
    }
}

/// What a new container is, and whether it is recorded or only looked at.
pub(crate) struct New<'a> {
    pub(crate) of: ContainerType,
    pub(crate) date: Option<Date>,
    /// More folders or containers whose resources it gets.
    pub(crate) with: &'a [PathBuf],
    pub(crate) join: JoinOptions,
    pub(crate) game: Option<&'a Path>,
    pub(crate) dry_run: bool,
}

/// Builds a container from the files of a folder, and those of others.
pub(crate) fn pack(dir: &Path, file: &Path, new: &New<'_>, out: &mut Out) -> anyhow::Result<()> {
    let Some(word) = new.of.word() else { bail!("{}: is of another game", dir.display()) };
    let (mut sources, mut errors) = (Vec::new(), Vec::new());
    for path in core::iter::once(dir).chain(new.with.iter().map(PathBuf::as_path)) {
        match resources(path, file, out)? {
            Ok(loose) => sources.push((path.display().to_string(), loose)),
            Err(why) => errors.extend(why),
        }
    }
    if !errors.is_empty() {
        return refuse(&errors, Clone::clone, out);
    }
    let joined = match join(sources, new.join) {
        Ok(joined) => joined,
        Err(errors) => return refuse(&errors, |why| format!("{}: {why}", file.display()), out),
    };
    if !new.with.is_empty() {
        report(&joined, out);
    }
    let loose = joined.loose;
    let pieces = match loose.pieces(word, new.date) {
        Ok(pieces) => pieces,
        Err(errors) if new.with.is_empty() => return refuse(&errors, |why| within(dir, &why), out),
        Err(errors) => return refuse(&errors, |why| format!("{}: {why}", file.display()), out),
    };
    for note in &loose.notes {
        out.say(note);
    }
    // Files that are no text come from elsewhere, and are packed as they are.
    let texts = loose.texts().pieces(word, None).map(|pieces| Bytes::from(pieces.concat())).ok();
    if let (Some(texts), Some(kind)) = (texts, named(KINDS, Erf::NAME)) {
        say_new(kind, &name_of(file), &texts, out).with_context(|| file.display().to_string())?;
    }
    out.paths("not packed", loose.others.iter().cloned(), "");
    let is_module = [ContainerType::Mod, ContainerType::Nwm].contains(&new.of);
    if is_module && !loose.resources.iter().any(|it| it.name.eq_ignore_ascii_case("module") && it.kind.get() == IFO) {
        out.say(format_args!(
            "warning: {}: has no module.ifo, without which the game does not list a module",
            dir.display()
        ));
    }
    let hash = || Sha::of_pieces(&pieces);
    let (undo, sha256) = std::thread::scope(|scope| {
        // Another core hashes while this one writes.
        let hashing = std::thread::Builder::new().spawn_scoped(scope, hash);
        let write = || target::write(file, &pieces, None, &BifKeys::default(), new.game);
        let undo = if new.dry_run { Ok(String::new()) } else { write() };
        let sha256 = hashing.map_or_else(|_| hash(), |it| it.join().unwrap_or_else(|panic| resume_unwind(panic)));
        undo.map(|undo| (undo, sha256))
    })?;
    let size = pieces.iter().map(|piece| wide(piece.len())).sum();
    let (resources, size) = (counted(wide(loose.resources.len()), "resource"), counted(size, "byte"));
    let is = if new.dry_run { "would be " } else { "" };
    out.say(format_args!("{}: {is}built from {resources}, {size}, SHA-256 {sha256}{undo}", file.display()));
    Ok(())
}

/// Returns the resources of a folder, a `.zip` or a container, or what is wrong with them. Notes and other files have the whole path.
fn resources(path: &Path, file: &Path, out: &mut Out) -> anyhow::Result<Result<Loose, Vec<String>>> {
    let placed = |errors: Vec<String>| errors.iter().map(|why| within(path, why)).collect();
    if path.is_dir() || zipped::is_zip(path) {
        let all = files(path, out)?;
        if !all.contains_key(nasher::PROJECT) {
            target::is_outside(file, path)?;
        }
        let all = nasher::sources(all).with_context(|| path.display().to_string())?;
        return Ok(Loose::of(all).map_err(placed).map(|mut loose| {
            loose.notes.iter_mut().for_each(|note| *note = within(path, note));
            loose.others.iter_mut().for_each(|other| *other = below(path, other).display().to_string());
            loose
        }));
    }
    let source = Source::read(path, out)
        .with_context(|| format!("{}: expected a folder, a .zip or a container of resources", path.display()))?;
    let placed = |why: &String| format!("{}: {why}", path.display());
    Ok(match Loose::of_container(&source.bytes) {
        Ok(mut loose) => {
            loose.notes.iter_mut().for_each(|note| *note = placed(note));
            Ok(loose)
        }
        Err(errors) => Err(errors.iter().map(placed).collect()),
    })
}

/// Prints what has come from which container, and what has been decided.
fn report(joined: &Joined, out: &Out) {
    for (source, count) in &joined.added {
        out.say(format_args!("{source}: {}", counted(wide(*count), "resource")));
    }
    if joined.same > 0 {
        out.say(format_args!("in several with the same content: {}", joined.same));
    }
    for (path, of) in &joined.longer {
        out.say(format_args!("{path}: taken from {of}, whose table has the rows of the other one and more"));
    }
    for (path, of) in &joined.decided {
        out.say(format_args!("{path}: differs; taken from {of}"));
    }
    for (path, of) in &joined.alike {
        out.say(format_args!("{path}: taken from {of}; the others differ only in spaces or line ends"));
    }
    for of in &joined.left_out {
        out.say(format_args!(
            "{of}: its date and descriptions are not taken: the new container has those of the first one"
        ));
    }
    for it in &joined.moved {
        let [first, now] = it.first;
        let rows = |first: u64| match it.rows {
            1 => first.to_string(),
            rows => format!("{first} to {}", first + rows - 1),
        };
        let (row, becomes, them) = if it.rows == 1 { ("row", "becomes", "it") } else { ("rows", "become", "them") };
        let name = if it.followed == 1 { "names" } else { "name" };
        let followed = match it.is_named {
            true => format!("{} that {name} {them} followed", counted(it.followed, "value")),
            false => format!("no field or column that names rows of this table is known; look for what names {them}"),
        };
        let (old, new) = (rows(first), rows(now));
        out.say(format_args!("{}.2da: {}: {row} {old} {becomes} {new}; {followed}", it.table, it.of));
    }
    if joined.scripts > 0 {
        out.say(format_args!(
            "numbers of these rows in scripts did not follow: {}; look for them in the sources",
            counted(wide(joined.scripts), "script")
        ));
    }
}

/// The type of `module.ifo`.
const IFO: u16 = 2014;

/// Prints errors, after which nothing is written.
pub(crate) fn refuse(errors: &[String], shown: impl Fn(&String) -> String, out: &mut Out) -> anyhow::Result<()> {
    /// The most errors that are printed.
    const MOST: usize = 20;
    errors.iter().take(MOST).for_each(|why| out.error(Code::Failed, shown(why)));
    match errors.len().checked_sub(MOST) {
        Some(more @ 1..) => bail!("{} more; nothing was written", counted(wide(more), "error")),
        _ => Ok(()),
    }
}

/// Returns the files of a folder or a `.zip`, and prints what is ignored.
pub(crate) fn files(dir: &Path, out: &Out) -> anyhow::Result<BTreeMap<String, Bytes>> {
    if zipped::is_zip(dir) {
        let mut zip = Zip::open(dir)?;
        out.ignored(zip.litter.iter().map(|path| dir.join(path).display().to_string()));
        return zip.folder("").with_context(|| dir.display().to_string());
    }
    let inside = read(dir).map_err(failed)?;
    out.ignored(inside.litter.iter().map(|path| path.display().to_string()));
    Ok(inside.files)
}

pub(crate) fn failed((path, error): (PathBuf, std::io::Error)) -> anyhow::Error {
    anyhow!("{}: {error}", path.display())
}

/// Writes the resources of a container as loose files.
pub(crate) fn unpack(
    (file, source): (&Path, &Source),
    dir: &Path,
    (form, force): (Form, bool),
    out: &mut Out,
) -> anyhow::Result<()> {
    let shown = file.display();
    if source.kind.name != Erf::NAME {
        bail!(
            "{shown}: expected a container of resources (MOD, HAK, ERF) or a scenario (wad) for --loose, found {}",
            source.kind.name
        );
    }
    let loosened = match Loosened::of(&source.bytes) {
        Ok(loosened) => loosened,
        Err(errors) => return refuse(&errors, |why| format!("{shown}: {why}"), out),
    };
    out.paths("listed twice, written once", loosened.repeated.iter().cloned(), "");
    let resources = counted(wide(loosened.resources.len()), "resource");
    if is_new(dir)? {
        let files = loosened.files(form.of());
        write(dir, &files).and_then(bitexact::exchange::Written::put).map_err(failed)?;
        out.say(format_args!(
            "{}: wrote {resources}; `bitexact pack --new` builds a container from them",
            dir.display()
        ));
        return Ok(());
    }
    if !force {
        bail!(
            "{}: is not empty; use --force to replace the resources in it, after you have saved your edits",
            dir.display()
        );
    }
    let old = files(dir, out)?;
    let root = if old.contains_key(nasher::PROJECT) { nasher::SOURCES } else { "" };
    let changes = match loosened.over(&old, form.of(), root) {
        Ok(changes) => changes,
        Err(errors) => return refuse(&errors, |why| within(dir, why), out),
    };
    let Changes { files, gone, same, .. } = changes;
    // What a project does not include is not packed again.
    let sources = nasher::sources(old).inspect_err(|why| out.say(format_args!("warning: {why:#}")));
    let sources: BTreeSet<String> = sources.map(|it| it.into_keys().collect()).unwrap_or_default();
    // Ctrl-C does not end this halfway; a second one does, and the next call writes the rest.
    let _gentle = Gentle::new();
    for (path, bytes) in &files {
        let target = below(dir, path);
        fs::create_dir_all(output::folder_of(&target)).with_context(|| target.display().to_string())?;
        output::write(&target, bytes).with_context(|| target.display().to_string())?;
    }
    let gone = gone.iter().filter(|path| sources.contains(*path)).map(|path| below(dir, path).display().to_string());
    out.paths("not in the container any more", gone, "; delete them, or they will be packed again");
    let written = counted(wide(files.len()), "file");
    out.say(format_args!("{}: wrote {written} of {resources}; {same} unchanged", dir.display()));
    Ok(())
}

/// Returns `true` if a folder does not exist, or is empty.
fn is_new(dir: &Path) -> anyhow::Result<bool> {
    match fs::read_dir(dir) {
        Ok(mut inside) => Ok(inside.next().is_none()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(error) => bail!("{}: {error}", dir.display()),
    }
}
