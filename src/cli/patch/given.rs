//! The files that `--replace` and `--add` take for entries: as they are, as text, or as pictures and sounds of usual types, which are
//! converted with a note.

use std::path::Path;

use anyhow::{anyhow, bail};
use bitexact::edit::Edit;
use bitexact::exchange::unmarked;
use bitexact::field::Address;
use bitexact::json::Document;
use bitexact::kind::{Game, Kind, named};
use bitexact::media::wav::Wav;
use bitexact::registry::KINDS;
use bytes::Bytes;

use super::super::convert::{self, Converted};
use super::super::out::Out;
use super::super::shown;
use super::{document, extension, of_text};

/// The kinds of entries that are images of other programs.
const IMAGES: [&str; 3] = ["targa", "bmp", "dds"];

/// Returns the contents of an entry of this kind, given as a file.
pub(super) fn contents(
    of: &Kind,
    (entry, kind): (&str, Option<&str>),
    file: &str,
    out: &Out,
) -> anyhow::Result<Document> {
    let extension = extension(file);
    let importing = kind.and_then(|kind| named(KINDS, kind)).filter(|kind| kind.import.is_some());
    if let (true, Some(kind)) = (extension.eq_ignore_ascii_case("csv"), importing) {
        bail!(
            "{entry}: {file} holds the texts of {}, and `bitexact import \"FILE!{entry}\" {file}` takes them",
            kind.name
        );
    }
    let document = of_text(kind, document(Path::new(file))?, (file, out))?;
    let Document::Raw(bytes) = &document else { return Ok(document) };
    let end = entry.rsplit_once('.').map_or("", |(_, end)| end);
    // A resource is what its extension says.
    let is_resource = of.games.contains(&Game::Neverwinter);
    let is = |kinds: &[&str], ends: &[&str]| match is_resource {
        true => ends.iter().any(|it| end.eq_ignore_ascii_case(it)),
        false => kind.is_some_and(|kind| kinds.contains(&kind)),
    };
    let converted = if is(&[], &["tga", "bmp", "dds"]) {
        convert::picture(&extension, bytes, end).map_err(|why| anyhow!("{file}: {why:#}"))?
    } else if is(&["wave"], &["wav"]) {
        convert::played(bytes)
    } else {
        None
    };
    Ok(match converted {
        Some(converted) => Document::Raw(said(converted, file, out)),
        None => document,
    })
}

/// Prints what was converted, and returns it.
fn said(converted: Converted, file: &str, out: &Out) -> Bytes {
    out.say(format_args!("{file}: {}", converted.note));
    converted.content
}

/// Returns the extension of the files that an image, sound or text of an entry of this kind is.
fn taken(of: &Kind, kind: Option<&str>) -> Option<&'static str> {
    let medium = of.media.iter().find(|medium| Some(medium.kind) == kind)?;
    medium.files.first()?.1.rsplit_once('.').map(|(_, end)| end)
}

/// Replaces an image, a sound or a text by a file. Returns `false` if the file is none of these.
pub(super) fn show(
    (edit, of): (&mut Edit, &Kind),
    at: &Address,
    (file, bytes): (&str, &Bytes),
    out: &Out,
) -> anyhow::Result<bool> {
    let end = extension(file);
    let kind = edit.kind_of(&at.entry);
    match taken(of, kind.as_deref()) {
        Some("png") => match picture(&end, (file, bytes), out)? {
            Some(png) => Ok(edit.show_at(at, "png", png)?),
            None => Ok(false),
        },
        Some("wav") => {
            let refused = match edit.show_at(at, &end, bytes.clone()) {
                Ok(shown) => return Ok(shown),
                Err(refused) => refused,
            };
            // The sound that it replaces says what the entry can hold.
            let mut sounds = edit.shown(&at.entry)?.into_iter().filter(|it| it.at.keys.starts_with(&at.keys));
            let (Some(now), None) = (sounds.next(), sounds.next()) else { return Err(refused.into()) };
            let fitting = Wav::read(&now.content).and_then(|now| convert::sound(bytes, Some(now.channels), now.bits));
            match fitting {
                Ok(Some(converted)) => Ok(edit.show_at(at, "wav", said(converted, file, out))?),
                _ => Err(refused.into()),
            }
        }
        _ if at.keys.is_empty() && end.eq_ignore_ascii_case("txt") => {
            let old = edit.get(at).cloned().unwrap_or_default();
            let text = str::from_utf8(unmarked(bytes).map_err(|why| anyhow!("{file}: {why}"))?);
            let new = text.ok().zip(kind).and_then(|(text, kind)| shown::value_of(&kind, &old, text));
            match new {
                Some(new) => {
                    edit.replace(&at.entry, Document::Json(new))?;
                    Ok(true)
                }
                None => Ok(edit.show_at(at, &end, bytes.clone())?),
            }
        }
        _ => Ok(edit.show_at(at, &end, bytes.clone())?),
    }
}

/// Appends an entry that is an image, a sound or a text. Returns `false` if the file is none of these.
pub(super) fn add(
    (edit, of): (&mut Edit, &Kind),
    name: &str,
    (file, bytes): (&str, &Bytes),
    out: &Out,
) -> anyhow::Result<bool> {
    let end = extension(file);
    let kind = edit.kind_to_add(name);
    match taken(of, kind.as_deref()) {
        Some("png") => match picture(&end, (file, bytes), out)? {
            Some(png) => Ok(edit.add_shown(name, "png", png)?),
            None => Ok(false),
        },
        _ => Ok(edit.add_shown(name, &end, bytes.clone())?),
    }
}

/// Returns a picture as PNG, or `None` if the file is no picture.
fn picture(end: &str, (file, bytes): (&str, &Bytes), out: &Out) -> anyhow::Result<Option<Bytes>> {
    if bytes.starts_with(b"\x89PNG") {
        return Ok(Some(bytes.clone()));
    }
    let converted = convert::picture(end, bytes, "png").map_err(|why| anyhow!("{file}: {why:#}"))?;
    Ok(converted.map(|converted| said(converted, file, out)))
}

/// Makes sure that the bytes of a picture do not replace an entry of another kind.
pub(super) fn is_possible(entry: &str, kind: Option<&str>, (file, document): (&str, &Document)) -> anyhow::Result<()> {
    let end = extension(file).to_ascii_lowercase();
    let is_image = kind.is_some_and(|kind| IMAGES.contains(&kind) || kind == "opaque");
    match (end.as_str(), document) {
        ("png" | "jpg" | "jpeg" | "gif", Document::Raw(_)) if !is_image => {
            let name = if end == "jpg" { "JPEG".to_owned() } else { end.to_uppercase() };
            bail!("{entry}: not an image, so a {name} cannot replace it")
        }
        _ => Ok(()),
    }
}
