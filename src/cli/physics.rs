//! Physics models of Marathon in the form of later games, and back.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use bitexact::edit::Batch;
use bitexact::exchange::About;
use bitexact::field::wide;
use bitexact::json::Document;
use bitexact::kind::Format as _;
use bitexact::marathon::physics::{Physics, to_early, to_later};
use bitexact::marathon::wad::Wad;
use bitexact::output::{
    self,
    printable::{counted, grouped},
};
use bitexact::registry::KINDS;

use super::out::Out;
use super::source::{Source, name_of};

/// The extensions of physics models, in lower case.
const EARLY: &str = "phys";
const LATER: &str = "phya";

/// Returns `true` if a file is a physics model and the extension that of the other form.
pub(crate) fn is_other_form(source: &Source, form: &str) -> bool {
    match form {
        LATER => source.kind.name == Physics::NAME,
        EARLY => source.kind.name == Wad::NAME,
        _ => false,
    }
}

/// Writes a physics model in the other form.
pub(crate) fn export(
    (file, source): (&Path, &Source),
    (target, form): (&Path, &str),
    like: &[PathBuf],
    out: &mut Out,
) -> anyhow::Result<()> {
    let path = file.display();
    let mut early: Option<Source> = None;
    let mut later: Option<Source> = None;
    for like in like {
        let read = Source::read(like, out)?;
        let place = match read.kind.name {
            Physics::NAME => &mut early,
            Wad::NAME => &mut later,
            kind => bail!("--like {}: expected a physics model, found {kind}", like.display()),
        };
        if place.replace(read).is_some() {
            bail!("--like {}: expected one of each form, found two", like.display());
        }
    }
    let Some(base) = later else {
        bail!(
            "{path}: the physics of Marathon and of later games each have values that the other lacks; `--like LATER.phyA` says from which \
             model those of later games are{}",
            if form == EARLY { ", and a second `--like EARLY.phys` those of Marathon" } else { "" }
        )
    };
    let bytes = if form == LATER {
        if early.is_some() {
            bail!("{path}: expected one --like, of a later physics model, found an early one too");
        }
        let made = to_later(&source.bytes, &base.bytes).map_err(|why| anyhow!("{path}: {why}"))?;
        for (what, count) in &made.left_out {
            out.say(format_args!("omitted: {what} ({})", grouped(wide(*count))));
        }
        for (what, count) in &made.kept {
            out.say(format_args!("unchanged: the last {} of --like ({what})", counted(wide(*count), "record")));
        }
        let about: About<'_> = base.about();
        let name = name_of(target);
        let edited = Batch::default().apply(
            KINDS,
            (about, &base.model, &name),
            Some(&|edit| {
                for (entry, contents) in &made.entries {
                    edit.replace(entry, Document::Raw(contents.clone().into()))?;
                }
                Ok(())
            }),
        );
        edited.with_context(|| path.to_string())?.bytes
    } else {
        let Some(like) = early else {
            bail!(
                "{path}: the physics of Marathon have values that later ones lack; a second `--like EARLY.phys` says from which model \
                 they are"
            )
        };
        to_early(&source.bytes, &base.bytes, &like.bytes).map_err(|why| anyhow!("{path}: {why}"))?.into()
    };
    output::write(target, &bytes).with_context(|| target.display().to_string())?;
    out.say(format_args!("{}: wrote {}", target.display(), counted(wide(bytes.len()), "byte")));
    Ok(())
}
