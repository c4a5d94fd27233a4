//! `bitexact mod make`

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use bitexact::field::wide;
use bitexact::kind::Game;
use bitexact::mods::Origin;
use bitexact::output::{self, printable::counted};

use super::super::out::Out;
use super::super::target;
use super::package;

/// Make a mod from an original and an edited copy
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Original folder or file
    original: PathBuf,
    /// Edited copy
    mine: PathBuf,
    /// Mod to write
    #[arg(short, long, value_name = "MOD")]
    output: PathBuf,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    about: AboutArgs,
}

/// What the mod says about itself.
#[derive(clap::Args)]
struct AboutArgs {
    /// Title of the mod
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Who has made it
    #[arg(long, value_name = "TEXT")]
    author: Option<String>,
    /// Version of the mod, in any form
    #[arg(long = "version", id = "mod_version", value_name = "TEXT")]
    mod_version: Option<String>,
    /// What it changes, in a few sentences
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Picture of the mod, as PNG or JPEG (only in a .bxmod)
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

pub(super) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let shown = args.output.display();
    target::game_file(&args.output, args.force)?;
    let about = &args.about;
    let is_package = package::is_package(&args.output);
    let picture = about.picture.as_ref().map(|path| package::picture(path)).transpose()?;
    if picture.is_some() && !is_package {
        bail!("{shown}: a text has no picture; call the mod NAME.bxmod, which is an archive");
    }
    let mut made = bitexact::mods::make(&args.original, &args.mine, &args.output)?;
    let said = &mut made.file.about;
    (said.title, said.author) = (about.title.clone(), about.author.clone());
    (said.version, said.description) = (about.mod_version.clone(), about.description.clone());
    let origin = Origin::of_folder(&args.original).or_else(|| Origin::of_files(&made.file));
    made.file.about.made_for = origin;
    out.ignored(made.litter.into_iter());
    if let Some(first) = made.relaid.first() {
        let more = match made.relaid.len().saturating_sub(1) {
            0 => String::new(),
            more => format!(" and {}", counted(wide(more), "more file")),
        };
        out.say(format_args!("{first}{more}: laid out differently, which is not part of the mod"));
    }
    if made.file.files.is_empty() {
        bail!("{} and {} are equal; a mod needs a difference", args.original.display(), args.mine.display());
    }
    let is_quiet = out.is_quiet();
    for file in made.file.files.iter().filter(|_| !is_quiet) {
        out.line(file);
    }
    let text = match is_package {
        true => made.file.package(picture.as_ref())?,
        false => made.file.print()?.into_bytes(),
    };
    output::write(&args.output, &text).with_context(|| shown.to_string())?;
    let files = counted(wide(made.file.files.len()), "file");
    out.say(format_args!("{shown}: {files}, {}", counted(wide(text.len()), "byte")));
    let is_neverwinter = made.file.about.made_for.as_ref().is_some_and(|it| it.game == Game::Neverwinter);
    if is_neverwinter && args.output.extension().is_some_and(|end| end.eq_ignore_ascii_case("mod")) {
        out.say("hint: modules of this game are called .mod, too; call the mod NAME.bxmod instead");
    }
    Ok(())
}
