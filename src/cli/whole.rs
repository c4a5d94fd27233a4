//! `unpack` and `pack` of a whole install: a folder for each file, and a list of them, in a folder or a `.zip`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context as _, anyhow, bail};
use bitexact::exchange::{Form, read, write};
use bitexact::field::{encode, wide};
use bitexact::install::Found;
use bitexact::mods::Replacement;
use bitexact::output;
use bitexact::output::printable::{counted, json};
use bitexact::passes::Sha;
use bitexact::registry::KINDS;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::mods;
use super::out::Out;
use super::signals::Gentle;
use super::source::{Source, name_of, prove, warn};
use super::target;
use super::work::wanted;
use super::zipped::{self, Zip};
use super::{Code, below, within};

/// The list of the unpacked files, in the folder that holds their folders.
pub(crate) const LIST: &str = "bitexact-install.json";
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
    /// The hash of the file when it was unpacked or last packed.
    sha256: String,
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
            Self::Folder(dir) => fs::read(dir.join(LIST)).with_context(|| shown.clone())?,
            Self::Zip(_, zip) => zip.read(LIST).with_context(|| shown.clone())?,
        };
        let list: List = serde_json::from_slice(&text).with_context(|| shown.clone())?;
        match list.schema {
            SCHEMA => Ok(list),
            found => bail!("{shown}: expected schema {SCHEMA}, found {found}"),
        }
    }

    /// Returns the files of an unpacked file, and what is ignored.
    fn inside(&mut self, path: &str) -> anyhow::Result<(BTreeMap<String, Bytes>, Vec<String>)> {
        match self {
            Self::Folder(dir) => {
                let inside = read(&below(dir, path)).map_err(|(path, error)| anyhow!("{}: {error}", path.display()))?;
                Ok((inside.files, inside.litter.iter().map(|path| path.display().to_string()).collect()))
            }
            Self::Zip(_, zip) => Ok((zip.folder(path)?, Vec::new())),
        }
    }

    /// Replaces the list.
    fn save(self, list: &List) -> anyhow::Result<()> {
        match self {
            Self::Folder(dir) => save(dir, list),
            Self::Zip(path, zip) => zip.replace(path, LIST, json(list)?.into_bytes()),
        }
    }
}

/// Unpacks every supported file of an install.
pub(crate) fn unpack(install: &Path, target: &Path, force: bool, out: &mut Out) -> anyhow::Result<()> {
    let (list, left_out) = match zipped::is_zip(target) {
        true => {
            zipped::may_write(target, force)?;
            let mut found = wanted(install, out)?;
            found.retain(|file| !super::is_same(&file.path, target));
            zipped::create(target, |zip| {
                let (list, left_out) = each(install, found, out, |path, source, contents| {
                    zip.add(path, &contents)?;
                    source.prove(contents)
                })?;
                zip.add("", &BTreeMap::from([(LIST.to_owned(), json(&list)?.into())]))?;
                Ok((list, left_out))
            })?
        }
        false if force => bail!("{}: --force is for single files and .zip", install.display()),
        false => into_folder(install, target, out)?,
    };
    let (shown, count) = (target.display(), counted(wide(list.files.len()), "file"));
    out.say(format_args!("{shown}: unpacked {count}; packing reproduces each of them"));
    if left_out > 0 {
        out.say(format_args!("left out: {}, not supported or not decoded; -v lists them", counted(left_out, "file")));
    }
    Ok(())
}

fn into_folder(install: &Path, dir: &Path, out: &mut Out) -> anyhow::Result<(List, u64)> {
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
    let done = each(install, found, out, |path, source, contents| {
        let written = write(&below(&inside, path), &contents).map_err(failed)?;
        source.prove(contents)?;
        written.put().map_err(failed)
    })?;
    output::write(&inside.join(LIST), json(&done.0)?.as_bytes())
        .with_context(|| dir.join(LIST).display().to_string())?;
    whole.put().map_err(failed)?;
    Ok(done)
}

/// Unpacks every supported file of an install, and returns the list and the number of other files.
fn each(
    install: &Path,
    found: Vec<Found>,
    out: &Out,
    mut put: impl FnMut(&str, &Source, BTreeMap<String, Bytes>) -> anyhow::Result<()>,
) -> anyhow::Result<(List, u64)> {
    let (mut list, mut left_out) = (List { schema: SCHEMA, files: Vec::new() }, 0_u64);
    for file in found {
        let inner = file.path.strip_prefix(install).unwrap_or(&file.path);
        let parts: Option<Vec<&str>> = inner.iter().map(|part| part.to_str()).collect();
        let Some(parts) = parts else { continue };
        let source = match Source::read(&file.path) {
            Ok(source) => source,
            Err(error) => {
                left_out += 1;
                if out.verbose {
                    out.say(format_args!("left out: {error:#}"));
                }
                continue;
            }
        };
        let path = parts.join("/");
        let contents = source.contents().with_context(|| path.clone())?.files;
        put(&path, &source, contents).with_context(|| path.clone())?;
        list.files.push(Unpacked { path, sha256: source.sha256.to_string() });
    }
    match list.files.is_empty() {
        true => bail!("{}: no supported files", install.display()),
        false => Ok((list, left_out)),
    }
}

fn save(dir: &Path, list: &List) -> anyhow::Result<()> {
    let path = dir.join(LIST);
    output::write(&path, json(list)?.as_bytes()).with_context(|| path.display().to_string())
}

/// Packs every folder, and replaces the files of the install that differ, all or none.
pub(crate) fn pack(mut from: Unpackeds<'_>, install: &Path, force: bool, out: &mut Out) -> anyhow::Result<()> {
    let (shown, dir) = (install.display(), from.path());
    if !install.is_dir() {
        bail!("{shown}: expected the folder of the install, because {} holds a whole one", dir.display());
    }
    let mut list = from.list()?;
    // The list is replaced at the end.
    target::has_room(&if dir.is_dir() { dir.join(LIST) } else { dir.to_owned() })?;
    // Ctrl-C does not end a transaction halfway.
    let _gentle = Gentle::new();
    let mut game = mods::open(install, out)?;
    let (mut changed, mut litter) = (Vec::new(), Vec::new());
    for file in &mut list.files {
        let folder = below(dir, &file.path);
        let at = |why: &dyn core::fmt::Display| anyhow!("{}", within(&folder, why));
        let (files, ignored) = from.inside(&file.path)?;
        litter.extend(ignored);
        let packed = Form::parse(files).map_err(|why| at(&why))?.pack(KINDS).map_err(|error| at(&error))?;
        let bytes = Bytes::from(encode(&packed.model).map_err(|error| at(&error))?);
        let sha256 = Sha::of(&bytes);
        let target = below(install, &file.path);
        let before = Bytes::from(fs::read(&target).with_context(|| target.display().to_string())?);
        let now = Sha::of(&before);
        if sha256.to_string() == file.sha256 {
            if now != sha256 {
                out.say(format_args!(
                    "{}: has changed since it was unpacked, and is left unchanged, because the folder holds no edit of it",
                    target.display()
                ));
            }
            continue;
        }
        if now == sha256 {
            // An earlier call has replaced it, but was interrupted before it could update the list.
            file.sha256 = sha256.to_string();
            continue;
        }
        let name = name_of(&target);
        let after = prove(packed.kind, &packed.model, &bytes, &name).with_context(|| file.path.clone())?;
        if now.to_string() != file.sha256 && !force {
            bail!(
                "{}: something else has changed the file since it was unpacked; use --force to replace it",
                target.display()
            );
        }
        if let Ok(old) = (packed.kind.decode)(before.clone()) {
            warn(packed.kind, &name, [(&old.model, &before), (&after, &bytes)], out)?;
        }
        for it in &packed.recomputed {
            out.say(format_args!("recomputed: {}: {}: {} → {}", file.path, it.place, it.was, it.now));
        }
        changed.push(Replacement::new(&file.path, now, bytes)?);
        file.sha256 = sha256.to_string();
    }
    out.ignored(litter.into_iter());
    if changed.is_empty() {
        from.save(&list)?;
        out.say(format_args!("{shown}: no changes, no file written"));
        return Ok(());
    }
    let plan = game.replace(&changed)?;
    if !plan.findings.is_empty() {
        for finding in &plan.findings {
            out.error(Code::Failed, finding);
        }
        bail!("{shown}: no file was changed");
    }
    for file in &plan.files {
        out.line(format_args!("{}: SHA-256 {}", file.path, file.sha256.as_deref().unwrap_or_default()));
    }
    from.save(&list)?;
    out.say(format_args!("{shown}: replaced {}", counted(wide(plan.files.len()), "file")));
    Ok(())
}
