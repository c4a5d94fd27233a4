//! `bitexact textconv`: all values of a file as lines, for `git diff`.

use std::path::PathBuf;

use anyhow::Context as _;
use bitexact::edit::diff::{as_lines, bytes_as_lines};
use bitexact::registry::{KINDS, recognize};
use bytes::Bytes;

use super::examples;
use super::out::Out;
use super::source::{name_of, unsupported};

/// Print all values of a file as lines, for `git diff`
///
/// The lines depend on the values alone, not on the path of the file or the order in which a program has saved them. A file that cannot be
/// decoded is printed as bytes, with the reason, so that `git diff` goes on.
#[derive(clap::Args)]
#[command(after_help = examples::TEXTCONV)]
pub(crate) struct Args {
    /// File to print, or - for stdin
    file: PathBuf,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let (shown, name) = (args.file.display(), name_of(&args.file));
    let bytes: Bytes = super::read(&args.file).with_context(|| shown.to_string())?.into();
    let lines = match recognize(KINDS, &name, &bytes) {
        Some((kind, _)) => (kind.decode)(bytes.clone()).and_then(|decoded| as_lines(kind, &bytes, &decoded.model)),
        None => {
            out.say(format_args!("{shown}: {}", unsupported(&name, &bytes)));
            Ok(bytes_as_lines(&bytes))
        }
    };
    match lines {
        Ok(lines) => out.bytes(lines.as_bytes()),
        Err(error) if error.is_memory() => return Err(error).with_context(|| shown.to_string()),
        Err(error) => {
            out.bytes(format!("not decoded: {error}\n").as_bytes());
            out.bytes(bytes_as_lines(&bytes).as_bytes());
        }
    }
    Ok(())
}
