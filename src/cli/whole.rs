//! `unpack` and `pack` of a whole install: a folder for each file, and a list of them, in a folder or a `.zip`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::{fs, io};

use anyhow::{Context as _, anyhow, bail};
use bitexact::exchange::schema::SCHEMAS;
use bitexact::exchange::{Form, MANIFEST, Packed, fold, is_safe, read, write};
use bitexact::field::{CodePage, encode, limits, memory, wide};
use bitexact::install::Found;
use bitexact::mods::Replacement;
use bitexact::output;
use bitexact::output::printable::{counted, json};
use bitexact::passes::Sha;
use bitexact::registry::{KINDS, recognize};
use bitexact::verify::VerifyOptions;
use bitexact::verify::jobs::{self, Budget};
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::mods;
use super::out::Out;
use super::signals::Gentle;
use super::source::{Source, agree, name_of, prove, say_packed, say_rest, unsupported};
use super::target;
use super::work::{Job, Jobs, size, wanted};
use super::zipped::{self, LIST, Zip};
use super::{Code, below, within};

const SCHEMA: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    schema: u32,
    files: Vec<Unpacked>,
}

/// A file of the install, whose folder has the same path.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Unpacked {
    path: String,
    /// The hash of the file when it was unpacked.
    sha256: String,
    /// The hash of the edited file that was packed last, unless it is the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    packed: Option<String>,
}

impl Unpacked {
    /// Returns `true` if this is the hash of the file that was unpacked, or of the one that was packed last.
    fn is_own(&self, sha256: Sha) -> bool {
        let sha256 = sha256.to_string();
        self.sha256 == sha256 || self.packed.as_ref() == Some(&sha256)
    }

    /// Returns `true` unless the file with this hash was packed last, or unpacked and not packed since.
    fn is_new(&self, sha256: Sha) -> bool {
        *self.packed.as_ref().unwrap_or(&self.sha256) != sha256.to_string()
    }

    /// Notes the hash of the file that is packed. Returns `true` if that is new.
    fn note(&mut self, sha256: Sha) -> bool {
        let packed = Some(sha256.to_string()).filter(|it| *it != self.sha256);
        std::mem::replace(&mut self.packed, packed.clone()) != packed
    }
}

/// Where a whole unpacked install is.
pub(crate) enum Unpackeds<'a> {
    Folder(&'a Path),
    Zip(&'a Path, Box<Zip>),
}

impl<'a> Unpackeds<'a> {
    /// Returns the whole unpacked install at a path, or `None` if it is something else.
    pub(crate) fn at(path: &'a Path) -> anyhow::Result<Option<Self>> {
        if !zipped::is_zip(path) {
            return Ok(path.join(LIST).is_file().then_some(Self::Folder(path)));
        }
        let zip = Zip::open(path)?;
        Ok(zip.has(LIST).then(|| Self::Zip(path, Box::new(zip))))
    }

    fn path(&self) -> &'a Path {
        match self {
            Self::Folder(path) | Self::Zip(path, _) => path,
        }
    }

    fn list(&mut self) -> anyhow::Result<List> {
        let shown = self.path().join(LIST).display().to_string();
        let text = match self {
            Self::Folder(dir) if dir.join(LIST).is_symlink() => {
                bail!("{shown}: expected a file, found a link; put a copy of the file there")
            }
            Self::Folder(dir) => super::read(&dir.join(LIST)).with_context(|| shown.clone())?,
            Self::Zip(_, zip) => zip.read(LIST).with_context(|| shown.clone())?,
        };
        let list: List = serde_json::from_slice(&text).with_context(|| shown.clone())?;
        if list.schema != SCHEMA {
            bail!("{shown}: expected schema {SCHEMA}, found {}", list.schema);
        }
        let mut known = BTreeSet::new();
        for Unpacked { path, .. } in &list.files {
            if !path.split('/').all(is_safe) {
                bail!("{shown}: expected a path inside the install, found {path:?}");
            }
            if !known.insert(path) {
                bail!("{shown}: expected each path once, found {path:?} twice");
            }
        }
        Ok(list)
    }

    /// Returns the names of all files, and prints what is ignored.
    fn names(&self, out: &Out) -> anyhow::Result<Vec<String>> {
        match self {
            Self::Folder(dir) => {
                let inner = |file: Found| file.path.strip_prefix(dir).unwrap_or(&file.path).to_owned();
                let name = |path: PathBuf| path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
                Ok(wanted(dir, out)?.into_iter().map(inner).map(name).collect())
            }
            Self::Zip(path, zip) => {
                out.ignored(zip.litter.iter().map(|inner| super::below(path, inner).display().to_string()));
                Ok(zip.names().cloned().collect())
            }
        }
    }

    /// Prints which files belong to no listed one: those of an unpacked folder as one.
    fn say_surplus(&self, list: &List, out: &Out) -> anyhow::Result<()> {
        let listed: BTreeSet<&str> = list.files.iter().map(|file| &*file.path).collect();
        let above = |path: &str| -> Vec<String> {
            path.match_indices('/').filter_map(|(end, _)| path.get(..end).map(ToOwned::to_owned)).collect()
        };
        let has = |path: &str| match self {
            Self::Folder(dir) => below(dir, path).is_file(),
            Self::Zip(_, zip) => zip.has(path),
        };
        let mut surplus = BTreeSet::new();
        for name in self.names(out)? {
            let above = above(&name);
            if name == LIST || above.iter().any(|folder| folder == SCHEMAS || listed.contains(&**folder)) {
                continue;
            }
            let folder = above.into_iter().find(|folder| has(&format!("{folder}/{MANIFEST}")));
            surplus.insert(folder.unwrap_or(name));
        }
        let rest = "; `bitexact pack FOLDER FILE` makes a new file of an unpacked folder";
        out.paths(&format!("not in {LIST}, so not packed"), surplus.into_iter(), rest);
        Ok(())
    }

    /// Replaces the list.
    fn save(self, list: &List) -> anyhow::Result<()> {
        match self {
            Self::Folder(dir) => {
                let path = dir.join(LIST);
                output::write(&path, json(list)?.as_bytes()).with_context(|| path.display().to_string())
            }
            Self::Zip(path, zip) => zip.replace(path, LIST, json(list)?.into()),
        }
    }
}

/// The folders of a whole unpacked install, which several threads read. They read a `.zip` one after the other.
enum Folders<'a> {
    Folder(&'a Path),
    Zip(Mutex<&'a mut Zip>),
}

impl Folders<'_> {
    /// Returns the files of an unpacked file.
    fn inside(&self, path: &str) -> anyhow::Result<BTreeMap<String, Bytes>> {
        match self {
            Self::Folder(dir) => {
                let folder = below(dir, path);
                let links = folder.ancestors().take_while(|it| it != dir).find(|it| it.is_symlink());
                if let Some(link) = links {
                    bail!("{}: expected a folder, found a link; put a copy of the folder there", link.display());
                }
                Ok(read(&folder).map_err(|(path, error)| anyhow!("{}: {error}", path.display()))?.files)
            }
            Self::Zip(zip) => zip.lock().unwrap_or_else(PoisonError::into_inner).folder(path),
        }
    }
}

/// The number of files that are not unpacked, by reason.
#[derive(Default)]
struct LeftOut {
    unsupported: u64,
    undecoded: u64,
    unreadable: u64,
    /// The name cannot be written everywhere.
    unnamed: u64,
}

impl LeftOut {
    fn say(&self, out: &Out) {
        let reasons = [
            (self.unsupported, "file", "not supported"),
            (self.undecoded, "file", "not decoded"),
            (self.unreadable, "path", "not readable"),
            (self.unnamed, "file", "whose name is not possible on every system"),
        ];
        let reasons = reasons.into_iter().filter(|(count, ..)| *count > 0);
        let reasons: Vec<_> = reasons.map(|(count, unit, why)| format!("{} {why}", counted(count, unit))).collect();
        if !reasons.is_empty() {
            let hint = if self.unsupported > 0 { "; -v lists all" } else { "" };
            out.say(format_args!("left out: {}{hint}", reasons.join(", ")));
        }
    }
}

/// Unpacks every supported file of an install.
pub(crate) fn unpack(install: &Path, target: &Path, force: bool, out: &mut Out) -> anyhow::Result<()> {
    let mut kept = Vec::new();
    let (list, left_out) = match zipped::is_zip(target) {
        true => {
            let old = zipped::may_write(target, force)?;
            let mut found = wanted(install, out)?;
            found.retain(|file| !super::is_same(&file.path, target));
            let (done, rest) = zipped::create(target, old, |zip| {
                let prove = |_: &str, source: &Source, contents: BTreeMap<String, Bytes>| {
                    source.prove(contents.clone())?;
                    Ok(contents)
                };
                let hold = |contents: &BTreeMap<String, Bytes>| wide(contents.values().map(Bytes::len).sum());
                let done = each((install, true), found, out, (prove, hold), |path, contents| zip.add(path, &contents))?;
                zip.add("", &BTreeMap::from([(LIST.to_owned(), json(&done.0)?.into())]))?;
                Ok(done)
            })?;
            kept = rest;
            done
        }
        false if force => bail!("{}: --force is for single files and .zip", install.display()),
        false => into_folder(install, target, out)?,
    };
    let (shown, count) = (target.display(), counted(wide(list.files.len()), "file"));
    out.say(format_args!("{shown}: unpacked {count}; packing reproduces each of them"));
    out.paths("kept", kept.into_iter(), "");
    left_out.say(out);
    Ok(())
}

fn into_folder(install: &Path, dir: &Path, out: &mut Out) -> anyhow::Result<(List, LeftOut)> {
    let shown = dir.display();
    if fs::read_dir(dir).is_ok_and(|mut inside| inside.next().is_some()) {
        bail!("{shown}: is not empty; choose a new folder");
    }
    if fs::metadata(dir).is_ok_and(|about| !about.is_dir()) {
        bail!("{shown}: is a file; choose a new folder");
    }
    let found = wanted(install, out)?;
    let whole = write(dir, &BTreeMap::new()).map_err(|(path, error)| anyhow!("{}: {error}", path.display()))?;
    let inside = whole.inside();
    // Errors name the final paths.
    let failed = |(path, error): (PathBuf, io::Error)| {
        anyhow!("{}: {error}", path.strip_prefix(&inside).map_or(path.clone(), |path| dir.join(path)).display())
    };
    let write = |path: &str, source: &Source, contents: BTreeMap<String, Bytes>| {
        let written = write(&below(&inside, path), &contents).map_err(failed)?;
        source.prove(contents)?;
        written.put().map(drop).map_err(failed)
    };
    let done = each((install, false), found, out, (write, |()| 0), |_, ()| Ok(()))?;
    output::write(&inside.join(LIST), json(&done.0)?.as_bytes())
        .with_context(|| dir.join(LIST).display().to_string())?;
    whole.put().map_err(failed)?;
    Ok(done)
}

/// What has come of a file: if it could be unpacked, its hash and what was made of its contents.
enum Taken<T> {
    Unreadable(anyhow::Error),
    Unsupported(String),
    Undecoded(anyhow::Error),
    Unpacked(Sha, T),
}

/// Unpacks every supported file of an install, several at once, and returns the list and what is left out. Each file that is left out
/// although it is supported, or may be, is reported as an error. In a `.zip`, no two names differ only in case.
///
/// `make` is called for the contents of each file, and `put` for what it returns, in the order of the files. What waits for that takes as
/// much memory as `hold` says.
fn each<T: Send>(
    (install, is_zip): (&Path, bool),
    found: Vec<Found>,
    out: &mut Out,
    (make, hold): (impl Fn(&str, &Source, BTreeMap<String, Bytes>) -> anyhow::Result<T> + Sync, fn(&T) -> u64),
    mut put: impl FnMut(&str, T) -> anyhow::Result<()>,
) -> anyhow::Result<(List, LeftOut)> {
    let (mut list, mut left_out) = (List { schema: SCHEMA, files: Vec::new() }, LeftOut::default());
    let mut folded = is_zip.then(BTreeMap::new);
    let budget = Budget::of(memory::allowed());
    let take = |file: &Found| taken(install, Job::within(&budget, file), &make);
    let held = |taken: &anyhow::Result<Taken<T>>| match taken {
        Ok(Taken::Unpacked(_, made)) => hold(made),
        _ => 0,
    };
    let mut note = |file: &Found, taken: anyhow::Result<Taken<T>>| -> anyhow::Result<()> {
        let shown = file.shown();
        let unpacked = match taken? {
            Taken::Unreadable(error) => {
                left_out.unreadable += 1;
                out.error(Code::Failed, format_args!("{shown}: {error:#}"));
                return Ok(());
            }
            Taken::Unsupported(why) => {
                left_out.unsupported += 1;
                if out.verbose {
                    out.say(format_args!("left out: {shown}: {why}"));
                }
                return Ok(());
            }
            Taken::Undecoded(error) => Err(error),
            Taken::Unpacked(sha256, made) => Ok((sha256, made)),
        };
        let path = match path_of(install, &file.path, folded.as_mut()) {
            Ok(path) => path,
            Err(why) => {
                left_out.unnamed += 1;
                out.error(Code::Failed, format_args!("{shown}: {why}"));
                return Ok(());
            }
        };
        match unpacked {
            Ok((sha256, made)) => {
                put(&path, made).with_context(|| path.clone())?;
                list.files.push(Unpacked { path, sha256: sha256.to_string(), packed: None });
            }
            Err(error) => {
                left_out.undecoded += 1;
                out.error(Code::Finding, format_args!("{error:#}"));
            }
        }
        Ok(())
    };
    let mut end = Ok(());
    let never = AtomicBool::new(false);
    let threads = Jobs::default().threads();
    jobs::ordered(found.into_iter(), threads, &never, size, held, take, |file, taken| {
        end = note(file, taken);
        end.is_ok()
    })
    .context("cannot start a thread")?;
    end?;
    match list.files.is_empty() {
        true => bail!("{}: no supported files", install.display()),
        false => Ok((list, left_out)),
    }
}

/// Unpacks a file of an install, and makes something of its contents.
fn taken<T>(
    install: &Path,
    mut job: Job<'_>,
    make: &impl Fn(&str, &Source, BTreeMap<String, Bytes>) -> anyhow::Result<T>,
) -> anyhow::Result<Taken<T>> {
    let (file, shown, name) = (job.file, job.file.shown(), job.file.name());
    // The proof is a round trip through the exchange format.
    let bytes = match job.candidate(VerifyOptions::default().via_exchange(true)) {
        Ok(candidate) => candidate.file().clone(),
        Err(why) => return Ok(Taken::Unreadable(anyhow::Error::msg(why))),
    };
    if recognize(KINDS, &name, &bytes).is_none() {
        return Ok(Taken::Unsupported(unsupported(&name, &bytes)));
    }
    // A file that cannot be named is not unpacked.
    let named = path_of(install, &file.path, None);
    let (path, source) = match named.and_then(|path| Ok((path, Source::of(&shown, &name, bytes)?))) {
        Ok(unpacked) => unpacked,
        Err(error) => return Ok(Taken::Undecoded(error)),
    };
    let contents = source.contents().with_context(|| path.clone())?.files;
    let made = make(&path, &source, contents).with_context(|| path.clone())?;
    Ok(Taken::Unpacked(source.sha256, made))
}

/// Returns the path of a file in the install with `/` between its parts, if every system accepts it, also beside those in `folded`.
pub(crate) fn path_of(
    install: &Path,
    file: &Path,
    folded: Option<&mut BTreeMap<String, String>>,
) -> anyhow::Result<String> {
    let inner = file.strip_prefix(install).unwrap_or(file);
    let parts: Option<Vec<&str>> = inner.iter().map(|part| part.to_str()).collect();
    let parts = parts.context("the name is not valid Unicode")?;
    if let Some(part) = parts.iter().find(|part| !is_safe(part)) {
        bail!("the name {part:?} is not possible on every system");
    }
    let path = parts.join("/");
    match folded.and_then(|folded| folded.insert(fold(&path), path.clone())) {
        Some(other) => {
            bail!("the name differs from {other} only in case or form, which is not possible on every system")
        }
        None => Ok(path),
    }
}

/// A file of an install, packed from its folder.
struct Made {
    /// Its model, unless the install has this file already.
    packed: Option<Packed>,
    /// The encoding that the folder states.
    page: Option<&'static CodePage>,
    bytes: Bytes,
    sha256: Sha,
    /// The file in the install, and its hash.
    before: io::Result<(Bytes, Sha)>,
    /// The files of the folder that belong to no entry.
    surplus: Vec<String>,
}

impl Made {
    /// Returns the memory that it takes while it waits.
    fn memory(&self) -> u64 {
        let model = self.packed.as_ref().map_or(0, |_| limits::MEMORY_FACTOR);
        let before = self.before.as_ref().map_or(0, |(before, _)| wide(before.len()));
        wide(self.bytes.len()) * (1 + model) + before
    }
}

/// Packs the folder of a file.
fn made((dir, folders): (&Path, &Folders<'_>), install: &Path, path: &str, budget: &Budget) -> anyhow::Result<Made> {
    let folder = below(dir, path);
    let at = |why: &dyn core::fmt::Display| anyhow!("{}", within(&folder, why));
    let files = folders.inside(path)?;
    // The kind is known only later, so this is the estimate of most kinds for a file as long as the text, which is longer than the file.
    let text = wide(files.values().map(Bytes::len).sum());
    let _share = budget.share(limits::MEMORY_BASE + text * limits::MEMORY_FACTOR_OF_EXCHANGE);
    let form = Form::parse(files).map_err(|why| at(&why))?;
    let page = form.encoding();
    agree(&folder, page)?;
    let (packed, surplus) = form.pack_rest(KINDS).map_err(|error| at(&error))?;
    let bytes = Bytes::from(encode(&packed.model).map_err(|error| at(&error))?);
    let sha256 = Sha::of(&bytes);
    let before = super::read(&below(install, path)).map(Bytes::from).map(|before| (before.clone(), Sha::of(&before)));
    let is_same = before.as_ref().is_ok_and(|(_, now)| *now == sha256);
    Ok(Made { packed: Some(packed).filter(|_| !is_same), page, bytes, sha256, before, surplus })
}

/// Packs every folder, and replaces the files of the install that differ, all or none. If `dry_run`, none is.
pub(crate) fn pack(
    mut from: Unpackeds<'_>,
    install: &Path,
    (force, dry_run): (bool, bool),
    out: &mut Out,
) -> anyhow::Result<()> {
    let (shown, dir) = (install.display(), from.path());
    if !install.is_dir() {
        bail!("{shown}: expected the folder of the install, because {} holds a whole one", dir.display());
    }
    let mut list = from.list()?;
    if !dry_run {
        // The list is replaced at the end.
        target::has_room(&if dir.is_dir() { dir.join(LIST) } else { dir.to_owned() })?;
        mods::recover(install, out)?;
    }
    target::say_interrupted(install, out);
    let (mut changed, mut refused, mut rest, mut is_behind) = (Vec::new(), Vec::new(), Vec::new(), false);
    let paths: Vec<_> = list.files.iter().map(|file| file.path.clone()).enumerate().collect();
    let size = |(_, path): &(usize, String)| fs::metadata(below(install, path)).map_or(0, |about| about.len());
    let folders = match &mut from {
        Unpackeds::Folder(dir) => Folders::Folder(dir),
        Unpackeds::Zip(_, zip) => Folders::Zip(Mutex::new(&mut **zip)),
    };
    let budget = Budget::of(memory::allowed());
    let make = |(_, path): &(usize, String)| made((dir, &folders), install, path, &budget);
    let held = |made: &anyhow::Result<Made>| made.as_ref().map_or(0, Made::memory);
    let mut note = |index: usize, made: Made| -> anyhow::Result<()> {
        let Some(file) = list.files.get_mut(index) else { return Ok(()) };
        let Made { packed, page, bytes, sha256, before, surplus } = made;
        rest.extend(surplus.into_iter().map(|inner| format!("{}/{inner}", file.path)));
        let (folder, target) = (below(dir, &file.path), below(install, &file.path));
        let (place, is_edited) = (target.display(), sha256.to_string() != file.sha256);
        let before = match before {
            Err(error) if error.kind() == io::ErrorKind::NotFound && !force => {
                match is_edited {
                    true => refused.push(format!("{place}: is missing; use --force to write it")),
                    false => out.say(format_args!("{place}: is missing; --force writes it again")),
                }
                return Ok(());
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            before => Some(before.with_context(|| place.to_string())?),
        };
        let now = before.as_ref().map(|(_, sha256)| *sha256);
        let Some(packed) = packed.filter(|_| now != Some(sha256)) else {
            // An earlier call has replaced it, but was interrupted before it could update the list.
            is_behind |= file.note(sha256);
            return Ok(());
        };
        let before = before.map(|(before, _)| before);
        if now.is_some_and(|now| !file.is_own(now)) {
            let why = "has changed since it was unpacked, and is left unchanged, because the folder holds no";
            if !is_edited {
                out.say(format_args!("{place}: {why} edit of it"));
                return Ok(());
            }
            if !force && !file.is_new(sha256) {
                out.say(format_args!("{place}: {why} new edit of it; --force replaces it"));
                return Ok(());
            }
            if !force {
                let why = "something else has changed the file since it was unpacked; use --force to replace it";
                refused.push(format!("{place}: {why}"));
                return Ok(());
            }
        }
        let name = name_of(&target);
        let after = CodePage::during_or(page, || prove(packed.kind, &packed.model, &bytes, &name))
            .with_context(|| file.path.clone())?;
        let other = before.as_ref().and_then(|before| recognize(KINDS, &name, before));
        if let Some((kind, _)) = other.filter(|(kind, _)| kind.name != packed.kind.name && !force) {
            refused.push(format!(
                "{place}: is of kind {}, but {} holds a file of kind {}; use --force to replace it",
                kind.name,
                folder.display(),
                packed.kind.name
            ));
            return Ok(());
        }
        let path = format!("{}: ", file.path);
        CodePage::during_or(page, || {
            say_packed((&path, &name), &packed, before.as_ref(), (&after, &bytes, sha256), out)
        })?;
        if dry_run {
            out.line(format_args!("{}: SHA-256 {sha256}", file.path));
        }
        changed.push(Replacement::new(&file.path, now, bytes)?);
        file.note(sha256);
        Ok(())
    };
    let (mut end, never, threads) = (Ok(()), AtomicBool::new(false), Jobs::default().threads());
    jobs::ordered(paths.into_iter(), threads, &never, size, held, make, |(index, _), made| {
        end = made.and_then(|made| note(*index, made));
        end.is_ok()
    })
    .context("cannot start a thread")?;
    end?;
    say_rest(rest, out);
    from.say_surplus(&list, out)?;
    if !refused.is_empty() {
        refused.into_iter().for_each(|why| out.error(Code::Failed, why));
        bail!("{shown}: no file was replaced");
    }
    if changed.is_empty() {
        match is_behind && !dry_run {
            true => {
                from.save(&list)?;
                out.say(format_args!("{shown}: no changes; {LIST} now lists those of an earlier call"));
            }
            false => out.say(format_args!("{shown}: no changes, no file written")),
        }
        return Ok(());
    }
    if dry_run {
        out.say(format_args!("{shown}: would replace {}", counted(wide(changed.len()), "file")));
        return Ok(());
    }
    // Ctrl-C does not end a transaction halfway; a second one does, and the next call finishes it.
    let _gentle = Gentle::new();
    let name = fs::canonicalize(dir).map_or_else(|_| name_of(dir), |dir| name_of(&dir));
    let (name, plan) = mods::lock(install, out)?.replace(&name, &changed)?;
    mods::refuse(&plan, &shown.to_string(), out)?;
    plan.notes.iter().for_each(|note| out.say(note));
    for file in &plan.files {
        out.line(format_args!("{}: SHA-256 {}", file.path, file.sha256.as_deref().unwrap_or_default()));
    }
    let count = counted(wide(plan.files.len()), "file");
    from.save(&list).with_context(|| format!("{shown}: replaced {count}, but cannot list them; run this again"))?;
    out.say(format_args!("{shown}: replaced {count}{}", target::undone_by(install, name.as_deref())));
    Ok(())
}
