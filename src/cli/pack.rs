//! `bitexact pack`: a file from an unpacked folder, or from its text.

use core::slice::from_ref;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use bitexact::edit::{Batched, BifKeys, changes_between};
use bitexact::exchange::{Form, read, unmarked};
use bitexact::field::{CodePage, Fault, wide};
use bitexact::kind::TextForm;
use bitexact::loose::{Date, FavorIn, JoinOptions};
use bitexact::output::printable::counted;
use bitexact::passes::Sha;
use bitexact::registry::KINDS;
use bytes::Bytes;

use super::examples;
use super::loose::{self, ContainerType, New};
use super::out::Out;
use super::source::{UNPACKED, agree, name_of, prove, say_packed, say_rest};
use super::whole::{self, Unpackeds};
use super::zipped::{self, Zip};
use super::{scenario, target, within};

/// Build a file from an unpacked folder, from its text form, or from loose resources
///
/// From a whole unpacked install, only the files of INSTALL that differ are replaced, all or none.
#[derive(clap::Args)]
#[command(after_help = examples::PACK)]
pub(crate) struct Args {
    /// Folder or .zip written by `unpack`, a text that `export` writes (.asm, .json, .zrd), or with --new a
    /// folder of resources
    dir: PathBuf,
    /// File to write, or the install [default: DIR without .unpacked]
    file: Option<PathBuf>,
    /// Show what would be written without writing anything
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Record the change of FILE in the folder GAME, so that `mod undo GAME` can undo it
    #[arg(long, value_name = "GAME")]
    game: Option<PathBuf>,
    /// Build a new container of Neverwinter Nights from DIR, whose files are its resources, such as NAME.utc or NAME.utc.json, or a scenario
    /// of Marathon from the folders of its levels
    #[arg(long, value_name = "TYPE", requires = "file")]
    new: Option<ContainerType>,
    /// Day on which the new container says that it was built [default: that of container.json in DIR, or none]
    #[arg(long, value_name = "YYYY-MM-DD", requires = "new")]
    date: Option<Date>,
    /// More resources for the new container: a folder or another container (repeatable)
    #[arg(long, value_name = "DIR", requires = "new")]
    with: Vec<PathBuf>,
    /// Which of two different resources with one name the new container gets
    #[arg(long, value_name = "WHICH", requires = "with")]
    favor: Option<Favored>,
    /// Give rows that a later container appends to the same table the next free numbers, and what names them in it
    #[arg(long, requires = "with")]
    renumber: bool,
    /// Super model of a model as text, compiled or as text, and then the super model of that (repeatable)
    #[arg(long = "super", value_name = "FILE")]
    super_models: Vec<PathBuf>,
    /// Overwrite an existing file, or files of the install that have changed since they were unpacked
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Favored {
    First,
    Last,
}

impl From<Favored> for FavorIn {
    fn from(favored: Favored) -> Self {
        match favored {
            Favored::First => Self::First,
            Favored::Last => Self::Last,
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let file = &match &args.file {
        Some(file) => file.clone(),
        None => default_target(&args.dir)?,
    };
    if !args.super_models.is_empty() && (args.new.is_some() || args.dir.is_dir() || zipped::is_zip(&args.dir)) {
        bail!("--super is for a model as text");
    }
    if let Some(of) = args.new {
        if !args.dry_run {
            target::game_file(file, args.force)?;
            target::finish(file, args.game.as_deref(), out)?;
        }
        let join = JoinOptions::default().favor(args.favor.map(Into::into)).renumber(args.renumber);
        let new =
            New { of, date: args.date, with: &args.with, join, game: args.game.as_deref(), dry_run: args.dry_run };
        return match of {
            ContainerType::Scen => scenario::pack((&args.dir, file), &new, out),
            _ => loose::pack(&args.dir, file, &new, out),
        };
    }
    if let Some(install) = Unpackeds::at(&args.dir)? {
        if args.game.is_some() {
            bail!("{}: --game is for one file; what a whole install replaces is always recorded", args.dir.display());
        }
        return whole::pack(install, file, (args.force, args.dry_run), out);
    }
    if !args.dry_run {
        target::game_file(file, args.force)?;
        target::finish(file, args.game.as_deref(), out)?;
    }
    if !zipped::is_zip(&args.dir) && args.dir.is_file() {
        return text(args, file, out);
    }
    target::is_outside(file, &args.dir)?;
    if !zipped::is_zip(&args.dir) && !args.dry_run {
        target::recover(&args.dir, out)?;
    }
    target::say_interrupted(file, out);
    // Reading a pipe or a device might never end.
    let before = file.is_file().then(|| super::read(file).ok()).flatten();
    let form = Form::parse(files(&args.dir, out)?).map_err(|why| anyhow::anyhow!("{}", within(&args.dir, &why)))?;
    let page = form.encoding();
    agree(&args.dir, page)?;
    CodePage::during_or(page, || folder(args, file, (form, before), out))
}

/// Builds a file from an unpacked folder, in the encoding of its texts.
fn folder(args: &Args, file: &Path, (form, before): (Form, Option<Vec<u8>>), out: &mut Out) -> anyhow::Result<()> {
    let (dir, shown) = (args.dir.display(), file.display());
    let (packed, rest) = form.pack_rest(KINDS).map_err(|error| match (error.spot(), error.fault()) {
        (Some(_), _) | (None, Fault::Beside { .. }) => anyhow::anyhow!("{}", within(&args.dir, &error)),
        (None, _) => anyhow::Error::new(error).context(dir.to_string()),
    })?;
    say_rest(rest, out);
    let bytes: Bytes = bitexact::field::encode(&packed.model).with_context(|| dir.to_string())?.into();
    let sha256 = Sha::of(&bytes);
    // `unpack` has proven that the original round-trips.
    let is_original = packed.original.as_ref() == Some(&sha256.to_string());
    let name = name_of(file);
    let again = match is_original {
        true => None,
        false => Some(prove(packed.kind, &packed.model, &bytes, &name).with_context(|| dir.to_string())?),
    };
    let before = before.map(Bytes::from);
    // The sizes of a file that stays as it is are none of an edit.
    let keys = match before.as_ref() == Some(&bytes) {
        true => BifKeys::default(),
        false => target::bif_keys(packed.kind, file, &bytes, out)?,
    };
    let undo = match args.dry_run {
        true => String::new(),
        false => target::write(file, from_ref(&bytes), None, &keys, args.game.as_deref())?,
    };
    let original = before.filter(|before| packed.original == Some(Sha::of(before).to_string()));
    let after = (again.as_ref().unwrap_or(&packed.model), &bytes, sha256);
    say_packed(("", &name), &packed, original.as_ref(), after, out)?;
    let count = counted(wide(bytes.len()), "byte");
    let edited = match original {
        _ if is_original => "identical to the original".to_owned(),
        Some(before) => {
            format!("edited: {}", counted(wide(changes_between(packed.kind, before, bytes)?.len()), "place"))
        }
        None => "edited".to_owned(),
    };
    let is = if args.dry_run { "would be " } else { "" };
    out.say(format_args!("{shown}: {is}{edited}, {count}, SHA-256 {sha256}{undo}"));
    // The program ends here. To free the models part by part takes a twentieth of its time.
    std::mem::forget((packed, again));
    Ok(())
}

/// Builds a file from its text form.
fn text(args: &Args, file: &Path, out: &mut Out) -> anyhow::Result<()> {
    let (dir, name) = (args.dir.display(), name_of(file));
    let text = super::read_input(&args.dir).with_context(|| dir.to_string())?;
    unmarked(&text).map_err(|why| anyhow::anyhow!("{dir}: {why}"))?;
    let forms = KINDS.iter().filter_map(|kind| Some((kind, kind.text?)));
    let Some((kind, form)) = forms.into_iter().find(|(_, form)| (form.is_text)(&text)) else {
        bail!("{dir}: expected a folder or .zip written by `unpack`, or a text written by `export`")
    };
    let made = compiled(form, (&args.dir, &text), &args.super_models, out)?;
    let made = Batched::whole(KINDS, (kind, &name), made.into()).with_context(|| dir.to_string())?;
    let undo = match args.dry_run {
        true => String::new(),
        false => target::write(file, from_ref(&made.bytes), None, &BifKeys::default(), args.game.as_deref())?,
    };
    let count = counted(wide(made.bytes.len()), "byte");
    let is = if args.dry_run { "would be " } else { "" };
    out.say(format_args!("{}: {is}made from text, {count}, SHA-256 {}{undo}", file.display(), Sha::of(&made.bytes)));
    Ok(())
}

/// Makes a file of a text and the super models that it builds upon, and prints what of the text is not in the file.
pub(crate) fn compiled(
    form: &TextForm,
    (path, text): (&Path, &[u8]),
    paths: &[PathBuf],
    out: &Out,
) -> anyhow::Result<Vec<u8>> {
    let others = super_models(paths)?;
    let made = form.make(text, &others).map_err(|why| anyhow::anyhow!("{}: {why}", path.display()))?;
    for note in made.notes {
        out.say(format_args!("{}: {note}", path.display()));
    }
    Ok(made.file)
}

/// Reads the super models of a text, the nearest one first.
pub(crate) fn super_models(paths: &[PathBuf]) -> anyhow::Result<Vec<Bytes>> {
    let read = |path: &PathBuf| super::read(path).map(Bytes::from).with_context(|| path.display().to_string());
    paths.iter().map(read).collect()
}

/// Returns the files of a folder or a `.zip`, and prints what is ignored.
fn files(dir: &Path, out: &Out) -> anyhow::Result<BTreeMap<String, Bytes>> {
    if zipped::is_zip(dir) {
        let mut zip = Zip::open(dir)?;
        out.ignored(zip.litter.iter().map(|path| super::below(dir, path).display().to_string()));
        return zip.folder("").with_context(|| dir.display().to_string());
    }
    let inside = read(dir).map_err(|(path, error)| anyhow::anyhow!("{}: {error}", path.display()))?;
    out.ignored(inside.litter.iter().map(|path| path.display().to_string()));
    Ok(inside.files)
}

/// Returns the path from which `unpack` has made the name of a folder.
fn default_target(dir: &Path) -> anyhow::Result<PathBuf> {
    let name = name_of(dir);
    let name = name.strip_suffix(".zip").unwrap_or(&name);
    let name = name.strip_suffix(UNPACKED).filter(|name| !name.is_empty());
    name.map(PathBuf::from)
        .with_context(|| format!("{}: it is not called NAME{UNPACKED}, so also name the file to write", dir.display()))
}
