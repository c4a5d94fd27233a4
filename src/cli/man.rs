//! `bitexact man`: manual pages, from the declaration of the command line.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::anyhow;
use bitexact::exchange::add;
use bytes::Bytes;
use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use super::Call;
use super::examples;
use super::out::Out;

/// Print the manual page, or write one per command to DIR
#[derive(clap::Args)]
#[command(after_help = examples::MAN)]
pub(crate) struct Args {
    /// Folder to write all manual pages to
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let mut call = Call::command().disable_help_subcommand(true);
    call.build();
    match &args.folder {
        None => out.bytes(&page(&man(&call))?),
        Some(folder) => {
            let mans = call.get_subcommands().chain([&call]).map(man);
            let pages = mans.map(|man| Ok((man.get_filename(), page(&man)?.into())));
            let pages = pages.collect::<std::io::Result<BTreeMap<String, Bytes>>>()?;
            add(folder, &pages).map_err(|(path, error)| anyhow!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}

/// The date of the manual: that of the release, or before it that of the last change to the command line. It is a constant, so
/// that equal pages have equal bytes.
const DATE: &str = "2026-11-23";

/// Returns the page of a command.
fn man(command: &Command) -> Man {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    Man::new(command.clone())
        .title(name.to_uppercase())
        .date(DATE)
        .source(concat!("bitexact ", env!("CARGO_PKG_VERSION")))
        .manual("User Commands")
}

/// Renders a page without the constructs that mandoc warns about.
fn page(man: &Man) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    man.render(&mut page)?;
    let page = String::from_utf8(page).map_err(std::io::Error::other)?;
    // mandoc warns about an empty line between two breaks; `.sp` means the same.
    let page = page.replace("\n.br\n\n.br\n", "\n.sp\n");
    Ok(page.lines().flat_map(|line| [line.trim_end(), "\n"]).collect::<String>().into_bytes())
}
