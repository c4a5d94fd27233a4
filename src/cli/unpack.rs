//! `bitexact unpack`: a file as a folder of JSON, images, sounds and text that people can edit.

use std::collections::BTreeSet;
use std::io;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;

use ::field::Thresholds;
use anyhow::{Context as _, bail};
use bitexact::exchange::schema::SCHEMAS;
use bitexact::exchange::{About, Contents, MANIFEST, WRITTEN, read, repacked, write};
use bitexact::field::wide;
use bitexact::kind::Format as _;
use bitexact::marathon::wad::Wad;
use bitexact::output::printable::counted;
use bitexact::passes::Sha;
use bitexact::registry::KINDS;
use bytes::Bytes;
use globset::GlobBuilder;

use super::examples;
use super::out::Out;
use super::source::{Source, UNPACKED, name_of, packs_to};
use super::{loose, salvage, scenario, target, whole, zipped};

/// Unpack a file into a folder of editable JSON, images, sounds and text
#[derive(clap::Args)]
#[command(after_help = examples::UNPACK)]
pub(crate) struct Args {
    /// File to unpack, FILE!ENTRY, or a whole install
    file: PathBuf,
    /// Folder to create (may exist if empty), or a .zip [default: FILE with .unpacked]
    dir: Option<PathBuf>,
    /// Unpack only matching entries, e.g. "*.zrd" (the result cannot be packed)
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Write the resources of a container of Neverwinter Nights as loose files, or the levels of a scenario of Marathon as folders, which
    /// `pack --new` takes [default FORM: raw]
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "raw", conflicts_with = "only")]
    loose: Option<loose::Form>,
    /// Write the whole entries of a container that does not decode because bytes of it are lost (the result cannot be packed)
    #[arg(long, conflicts_with_all = ["only", "loose", "force"])]
    salvage: bool,
    /// Replace what an earlier unpack has written to the folder or .zip, unless it has edits that are not in FILE; with --loose, all
    /// resources in the folder
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let dir = &args.dir.clone().unwrap_or_else(|| format!("{}{UNPACKED}", name_of(&args.file)).into());
    if args.file.is_dir() {
        if !args.only.is_empty() {
            bail!("{}: --only is for single files", args.file.display());
        }
        return whole::unpack(&args.file, dir, args.force, out);
    }
    if args.salvage {
        return salvage::run(&args.file, dir, out);
    }
    if let Some(form) = args.loose {
        if zipped::is_zip(dir) {
            bail!("{}: --loose writes a folder, not a .zip", dir.display());
        }
        let source = Source::read_entry(&args.file, out)?;
        return match source.kind.name {
            Wad::NAME => scenario::unpack(&args.file, &source, dir, out),
            _ => loose::unpack((&args.file, &source), dir, (form, args.force), out),
        };
    }
    let is_zip = zipped::is_zip(dir);
    if !is_zip {
        target::recover(dir, out)?;
    }
    let (source, recording) = Source::recorded(&args.file, out).map_err(|error| salvage::advised(&args.file, error))?;
    let Source { bytes, kind, games, sha256, report, model, .. } = source;
    // The recording and the proof need only the bytes of the file.
    drop(model);
    let about = About { kind, games: &games, sha256, deviations: &report.deviations };
    let contents = recording.and_then(|recording| recording.print(about));
    let mut contents = contents.with_context(|| args.file.display().to_string())?;
    contents.add_schemas();
    let all = contents.files.keys().filter(|path| !is_schema(path)).count();
    let whole = contents.files.clone();
    if !args.only.is_empty() {
        let wanted = wanted(&args.only, &contents)?;
        contents.keep_only(|path| wanted.iter().any(|file| belongs(path, file)));
        if contents.files.keys().all(|path| is_schema(path)) {
            bail!("{}: no entry matches --only", args.file.display());
        }
    }
    let prove = |files| -> anyhow::Result<()> {
        let packed = repacked(KINDS, files, &bytes).map_err(anyhow::Error::msg);
        let model = packed.with_context(|| args.file.display().to_string())?;
        // The program ends soon. To free a model part by part takes a twentieth of its time.
        std::mem::forget(model);
        Ok(())
    };
    if is_zip {
        let old = zipped::may_write(dir, args.force)?.map(|old| old.of_file(sha256));
        let ((), kept) = zipped::create(dir, old, |zip| {
            prove(whole)?;
            zip.add("", &contents.listed())
        })?;
        say((dir, all, &contents), sha256, out);
        out.paths("kept", kept.into_iter(), "");
        return Ok(());
    }
    may_write(dir, args.force)?;
    // Many files are listed and written during the proof, but the folder is renamed into place only after it.
    let failed = |(path, error): (PathBuf, io::Error)| anyhow::anyhow!("{}: {error}", path.display());
    let is_small = contents.files.values().map(Bytes::len).sum::<usize>() < Thresholds::here().bytes_for_threads;
    let write = || write(dir, &contents.listed()).map_err(failed);
    let written = match is_small {
        true => prove(whole).and_then(|()| write()),
        false => thread::scope(|scope| {
            let writer = thread::Builder::new().spawn_scoped(scope, write);
            let proof = prove(whole);
            let written = writer.map_or_else(|_| write(), |it| it.join().unwrap_or_else(|panic| resume_unwind(panic)));
            proof.and(written)
        }),
    }?;
    let is_packed = || read(dir).is_ok_and(|inside| packs_to(inside.files, sha256));
    let kept = written.put_if(is_packed).map_err(failed)?;
    say((dir, all, &contents), sha256, out);
    out.paths("kept", kept.iter().map(|path| path.display().to_string()), "");
    Ok(())
}

fn is_schema(path: &str) -> bool {
    Path::new(path).starts_with(SCHEMAS)
}

/// Prints what was written, of the number of all files.
fn say((dir, all, contents): (&Path, usize, &Contents), sha256: Sha, out: &Out) {
    let written = contents.files.keys().filter(|path| !is_schema(path)).count();
    let (shown, files) = (dir.display(), counted(wide(written), "file"));
    match written == all {
        true => out.say(format_args!("{shown}: wrote {files}; packing reproduces the original, SHA-256 {sha256}")),
        false => {
            out.say(format_args!("{shown}: wrote {files}; without the other entries, the folder cannot be packed"))
        }
    }
}

/// Returns the files of the entries that match, and of the entries in them.
fn wanted(globs: &[String], contents: &Contents) -> anyhow::Result<BTreeSet<String>> {
    let matchers: Vec<_> = globs
        .iter()
        .map(|glob| Ok(GlobBuilder::new(glob).case_insensitive(true).build()?.compile_matcher()))
        .collect::<anyhow::Result<_>>()?;
    let matches = |entry: &str| matchers.iter().any(|matcher| matcher.is_match(entry));
    let within = |entry: &str| entry.match_indices('!').filter_map(|(end, _)| entry.get(..end)).any(matches);
    let files = contents.entries.iter().filter(|(entry, _)| matches(entry) || within(entry));
    Ok(files.map(|(_, file)| file.clone()).collect())
}

/// Returns `true` if a path is the file of an entry, its image, sound or text, or a part of it.
fn belongs(path: &str, file: &str) -> bool {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let rest = path.strip_prefix(stem);
    path == file || rest.is_some_and(|rest| rest.starts_with('/') || [".png", ".wav", ".txt"].contains(&rest))
}

/// Makes sure that only an earlier unpack is replaced.
fn may_write(dir: &Path, force: bool) -> anyhow::Result<()> {
    if target::is_free(dir)? {
        return Ok(());
    }
    let shown = dir.display();
    match ([MANIFEST, WRITTEN].iter().any(|name| dir.join(name).is_file()), force) {
        (true, true) => Ok(()),
        (true, false) => bail!("{shown}: already holds an unpacked file; use --force to replace it"),
        (false, _) => bail!("{shown}: is not empty; choose a new folder"),
    }
}
