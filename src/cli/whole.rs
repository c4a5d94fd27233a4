//! `unpack` and `pack` of a whole install: a folder for each file, and a list of them.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use bitexact::exchange::{Form, read, write};
use bitexact::field::{encode, wide};
use bitexact::mods::{Game, Replacement};
use bitexact::output;
use bitexact::output::printable::{counted, json};
use bitexact::passes::Sha;
use bitexact::registry::KINDS;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::Code;
use super::out::Out;
use super::signals::Gentle;
use super::source::{Source, name_of, prove, warn};
use super::work::wanted;

/// The list of the unpacked files, in the folder that holds their folders.
const LIST: &str = "bitexact-install.json";
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

/// Returns `true` if a folder holds a whole unpacked install.
pub(crate) fn is_whole(dir: &Path) -> bool {
    dir.join(LIST).is_file()
}

/// Unpacks every supported file of an install.
pub(crate) fn unpack(install: &Path, dir: &Path, out: &mut Out) -> anyhow::Result<()> {
    let shown = dir.display();
    if fs::read_dir(dir).is_ok_and(|mut inside| inside.next().is_some()) {
        bail!("{shown}: is not empty; choose a new folder");
    }
    let found = wanted(install, out)?;
    fs::create_dir_all(dir).with_context(|| shown.to_string())?;
    let (mut list, mut left_out) = (List { schema: SCHEMA, files: Vec::new() }, 0_u64);
    let real = fs::canonicalize(dir).with_context(|| shown.to_string())?;
    for file in found {
        let inner = file.path.strip_prefix(install).unwrap_or(&file.path);
        let parts: Option<Vec<&str>> = inner.iter().map(|part| part.to_str()).collect();
        let is_own = fs::canonicalize(&file.path).is_ok_and(|path| path.starts_with(&real));
        let Some(parts) = parts.filter(|_| !is_own) else { continue };
        let source = match Source::read(&file.path) {
            Ok(source) => source,
            Err(error) => {
                left_out = left_out.saturating_add(1);
                if out.verbose {
                    out.say(format_args!("left out: {error:#}"));
                }
                continue;
            }
        };
        let path = parts.join("/");
        let contents = source.contents().with_context(|| path.clone())?.files;
        let failed = |(path, error): (std::path::PathBuf, std::io::Error)| anyhow!("{}: {error}", path.display());
        let written = write(&dir.join(inner), &contents).map_err(failed)?;
        source.prove(contents).with_context(|| path.clone())?;
        written.put().map_err(failed)?;
        list.files.push(Unpacked { path, sha256: source.sha256.to_string() });
    }
    if list.files.is_empty() {
        bail!("{}: no supported files", install.display());
    }
    // Without the list, an unfinished folder cannot be packed.
    save(dir, &list)?;
    let count = counted(wide(list.files.len()), "file");
    out.say(format_args!("{shown}: unpacked {count}; packing reproduces each of them"));
    if left_out > 0 {
        out.say(format_args!("left out: {}, not supported or not decoded; -v lists them", counted(left_out, "file")));
    }
    Ok(())
}

fn save(dir: &Path, list: &List) -> anyhow::Result<()> {
    let path = dir.join(LIST);
    output::write(&path, json(list)?.as_bytes()).with_context(|| path.display().to_string())
}

/// Packs every folder, and replaces the files of the install that differ, all or none.
pub(crate) fn pack(dir: &Path, install: &Path, force: bool, out: &mut Out) -> anyhow::Result<()> {
    let (shown, path) = (install.display(), dir.join(LIST));
    if !install.is_dir() {
        bail!("{shown}: expected the folder of the install, because {} holds a whole one", dir.display());
    }
    let mut list: List = serde_json::from_slice(&fs::read(&path)?).with_context(|| path.display().to_string())?;
    if list.schema != SCHEMA {
        bail!("{}: expected schema {SCHEMA}, found {}", path.display(), list.schema);
    }
    // Ctrl-C does not end a transaction halfway.
    let _gentle = Gentle::new();
    let mut game = Game::open(install)?;
    let (mut changed, mut litter) = (Vec::new(), Vec::new());
    for file in &mut list.files {
        let folder = dir.join(&file.path);
        let at = |why: &dyn core::fmt::Display| anyhow!("{}{why}", folder.join("").display());
        let inside = read(&folder).map_err(|(path, error)| anyhow!("{}: {error}", path.display()))?;
        litter.extend(inside.litter.iter().map(|path| path.display().to_string()));
        let packed = Form::parse(inside.files).map_err(|why| at(&why))?.pack(KINDS).map_err(|error| at(&error))?;
        let bytes = Bytes::from(encode(&packed.model).map_err(|error| at(&error))?);
        let sha256 = Sha::of(&bytes);
        let target = install.join(&file.path);
        let before = Bytes::from(fs::read(&target).with_context(|| target.display().to_string())?);
        let now = Sha::of(&before);
        if sha256.to_string() == file.sha256 {
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
        save(dir, &list)?;
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
    save(dir, &list)?;
    out.say(format_args!("{shown}: replaced {}", counted(wide(plan.files.len()), "file")));
    Ok(())
}
