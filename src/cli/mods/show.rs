//! `bitexact mod show`

use std::path::PathBuf;

use bitexact::field::{Value, wide};
use bitexact::mods::ModFile;
use bitexact::output::printable::counted;
use json::Compact;

use super::super::out::Out;
use super::super::source::name_of;
use super::package;

/// Show what a mod is, what it was made for and which files it changes; with -v, also every change
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Mod to show
    #[arg(value_name = "MOD")]
    file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let (name, text) = (name_of(&args.file), package::text(&args.file)?);
    let file = ModFile::read(&name, &text)?;
    if args.json {
        let mut row = vec![("schema".into(), Value::from(1)), ("name".into(), name.as_str().into())];
        if let Value::Object(members) = file.manifest()? {
            row.extend(members);
        }
        out.json(&Compact(&Value::Object(row)));
        return Ok(());
    }
    let about = &file.about;
    let version = about.version.as_ref().map_or(String::new(), |version| format!(" {version}"));
    let author = about.author.as_ref().map_or(String::new(), |author| format!(", by {author}"));
    out.line(format_args!("{}{version}{author}", about.title.as_deref().unwrap_or(&name)));
    if let Some(description) = &about.description {
        out.lines(description);
    }
    if let Some(origin) = &about.made_for {
        out.line(format_args!("made for {origin}"));
    }
    let files = counted(wide(file.files.len()), "file");
    out.line(format_args!("changes {files}:"));
    let is_verbose = out.verbose;
    for edit in &file.files {
        out.line(format_args!("  {edit}"));
        for change in edit.changes.iter().flatten().filter(|_| is_verbose) {
            out.lines(change.to_string().lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n"));
        }
    }
    Ok(())
}
