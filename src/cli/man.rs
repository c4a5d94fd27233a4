//! `bitexact man`: manual pages, from the declaration of the command line.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use bitexact::output;
use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use super::Call;
use super::out::Out;

/// Print the manual page of this program, or write those of all commands
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A folder for the pages of all commands
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let mut call = Call::command().disable_help_subcommand(true);
    call.build();
    match &args.folder {
        None => out.bytes(&page(&man(&call))?),
        Some(folder) => {
            std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            for command in call.get_subcommands().chain([&call]) {
                write(command, folder)?;
            }
        }
    }
    Ok(())
}

fn write(command: &Command, folder: &Path) -> anyhow::Result<()> {
    let man = man(command);
    let path = folder.join(man.get_filename());
    output::write(&path, &page(&man)?).with_context(|| path.display().to_string())
}

/// The page of a command. It has no date, so that it is the same whenever it is made.
fn man(command: &Command) -> Man {
    Man::new(command.clone()).source(concat!("bitexact ", env!("CARGO_PKG_VERSION")))
}

fn page(man: &Man) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    man.render(&mut page)?;
    Ok(page)
}
