//! `bitexact merge`: what two copies of a file have changed since a common original, in one file; the merge driver of Git.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use bitexact::edit::BifKeys;
use bitexact::field::wide;
use bitexact::mods::{self, Conflict, Favor, Merge, Merged};
use bitexact::output::printable::counted;
use bitexact::passes::Sha;
use bitexact::registry::{KINDS, recognize};
use bytes::Bytes;
use clap::ValueEnum;

use super::out::Out;
use super::source::{name_of, say_deviations};
use super::{Code, examples, target};

/// Merge the changes of two copies of a file
///
/// What BASE and THEIRS differ in is changed in OURS. If both copies have changed the same value in different ways, or what they have changed
/// does not fit together, all such places are listed, nothing is written, and the exit code is 1.
#[derive(clap::Args)]
#[command(after_help = examples::MERGE)]
pub(crate) struct Args {
    /// The common original (%O in Git); an empty file if there is none
    base: PathBuf,
    /// The copy to merge into (%A)
    ours: PathBuf,
    /// The copy to merge (%B)
    theirs: PathBuf,
    /// Write the result to FILE and leave OURS unchanged
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Name of the file, for messages and for kinds that are known by their names, if that of OURS is another one (%P)
    #[arg(long, value_name = "PATH")]
    path: Option<PathBuf>,
    /// Take the values of this copy where both have changed the same
    #[arg(long, value_name = "COPY")]
    favor: Option<Favored>,
    /// Print the conflicts as JSON, one object per line
    #[arg(long)]
    json: bool,
    /// Allow --output to overwrite a file
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Favored {
    Ours,
    Theirs,
}

impl From<Favored> for Favor {
    fn from(favored: Favored) -> Self {
        match favored {
            Favored::Ours => Self::Ours,
            Favored::Theirs => Self::Theirs,
        }
    }
}

/// The schema version of [`Row`].
const SCHEMA: u32 = 1;

/// A conflict as data.
#[derive(serde::Serialize)]
struct Row<'a> {
    schema: u32,
    path: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    ours: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    theirs: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    match &args.output {
        Some(target) => target::game_file(target, args.force)?,
        None => {
            target::has_room(&args.ours)?;
            target::finish(&args.ours, None, out)?;
        }
    }
    let read = |path: &Path| -> anyhow::Result<Bytes> {
        Ok(super::read(path).with_context(|| path.display().to_string())?.into())
    };
    let (base, ours, theirs) = (read(&args.base)?, read(&args.ours)?, read(&args.theirs)?);
    let path = args.path.as_deref().unwrap_or(&args.ours);
    let (shown, name) = (path.display().to_string(), name_of(path));
    let merge = mods::merge(&name, &base, [&ours, &theirs], args.favor.map(Favor::from));
    match merge.map_err(|refusal| anyhow!("{shown}: {}", refusal.why))? {
        Merge::Merged(merged) => write(args, (&shown, &name), [&ours, &theirs], &merged, out),
        Merge::Conflicts(conflicts) => {
            out.comes_to(Code::Finding);
            conflicts.iter().for_each(|conflict| say(args, &shown, conflict, out));
            let favor = match args.output {
                Some(_) => "--favor ours or --favor theirs decides",
                None => "the file is unchanged; --favor ours or --favor theirs decides",
            };
            let count = counted(wide(conflicts.len()), "conflict");
            out.say(format_args!("{shown}: not merged, {count}; {favor}"));
            Ok(())
        }
    }
}

/// Prints a conflict.
fn say(args: &Args, shown: &str, conflict: &Conflict, out: &mut Out) {
    let Conflict { ours, theirs, why, .. } = conflict;
    match args.json {
        true => out.json(&Row { schema: SCHEMA, path: shown, ours, theirs, why: why.as_deref() }),
        false if ours.is_empty() => out.line(format_args!("{shown}: conflict: {conflict}")),
        false => {
            out.line(format_args!("{shown}: conflict"));
            conflict.to_string().lines().for_each(|line| out.line(format_args!("  {line}")));
        }
    }
}

/// Prints what has changed in the copy that is merged into, and writes it.
fn write(
    args: &Args,
    (shown, name): (&str, &str),
    [ours, theirs]: [&Bytes; 2],
    merged: &Merged,
    out: &mut Out,
) -> anyhow::Result<()> {
    merged.decided.iter().for_each(|conflict| say(args, shown, conflict, out));
    if !out.is_quiet() && !args.json {
        merged.changes.iter().for_each(|change| out.lines(change));
    }
    say_deviations("", &merged.deviations, out);
    let target = args.output.as_deref().unwrap_or(&args.ours);
    if args.output.is_none() && merged.bytes == *ours {
        out.say(format_args!("{shown}: nothing to merge, file not written"));
        return Ok(());
    }
    // Git merges copies outside of the game, whose names no KEY states.
    let keys = match recognize(KINDS, name, &merged.bytes).filter(|_| args.path.is_none()) {
        Some((kind, _)) => target::bif_keys(kind, target, &merged.bytes, out)?,
        None => BifKeys::default(),
    };
    let before = args.output.is_none().then(|| Sha::of(ours));
    let undo = target::write(target, core::slice::from_ref(&merged.bytes), before, &keys, None)?;
    let size = counted(wide(merged.bytes.len()), "byte");
    // A copy that is taken whole may be of any format, so that it has no list of changes.
    let changes = match merged.changes.is_empty() && merged.bytes == *theirs {
        true => "the same as THEIRS".to_owned(),
        false => counted(wide(merged.changes.len()), "change"),
    };
    let decided = match merged.decided.len() {
        0 => String::new(),
        count => format!(", {} decided", counted(wide(count), "conflict")),
    };
    // Git names a temporary file, and by --path the one that it is for.
    let written = match (&args.output, &args.path) {
        (None, Some(_)) => shown.to_owned(),
        _ => target.display().to_string(),
    };
    out.say(format_args!("{written}: {changes}{decided}, {size}{undo}"));
    Ok(())
}
