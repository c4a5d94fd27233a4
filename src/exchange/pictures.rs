//! Images as PNG files that any program edits, beside the JSON of their entries.
//!
//! What a picture tells (its size, pixels, a palette of its own) the JSON does not: it names the files instead. An image that
//! no PNG holds without losing something stays as it is.

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::field::{Document, Json};
use crate::registry::PICTURED;

use super::HEAD;

/// A kind of entry that is an image.
#[derive(Clone, Copy, Debug)]
pub struct Pictured {
    /// The kind.
    pub kind: &'static str,
    /// The members of its document that pictures tell.
    pub tells: &'static [&'static str],
    /// The pictures that an entry is: nothing where they would lose something.
    pub export: fn(&Around<'_>) -> Option<Pictures>,
    /// The document with what pictures tell in place of what it says.
    ///
    /// # Errors
    /// Why they cannot be such an image.
    pub import: fn(&Pictures, &Around<'_>) -> Result<Json, String>,
}

/// An entry, and what is said of it elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// Its own document.
    pub document: &'a Json,
    /// What the table of its container says of it.
    pub row: &'a Json,
    /// The container.
    pub container: &'a Json,
}

/// The PNG files of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pictures {
    /// What it shows.
    pub colours: Bytes,
    /// The plane of opacity, where the file of colours cannot hold it.
    pub alpha: Option<Bytes>,
}

/// Members that name files, and what stands in those behind the name of the entry: nothing that another entry can have, whose
/// own file has another stem, and its folder with it.
const COLOURS: (&str, &str) = ("picture", ".png");
const ALPHA: (&str, &str) = ("alpha_picture", "/alpha.png");

/// An entry that can have pictures: the container's file, where in that it is told, and its own file.
struct Site {
    container: String,
    list: String,
    index: usize,
    file: String,
    pictured: &'static Pictured,
}

/// What a file of the form says of a container.
fn data<'a>(file: &str, document: &'a Document) -> Option<&'a Json> {
    match document {
        Document::Json(json) if file == HEAD => json.get("data"),
        Document::Json(json) => Some(json),
        Document::Raw(_) => None,
    }
}

impl Pictured {
    /// Such entries of a kind.
    #[must_use]
    pub fn of(kind: &str) -> Option<&'static Self> {
        PICTURED.iter().copied().find(|pictured| pictured.kind == kind)
    }
}

fn sites(files: &BTreeMap<String, Document>) -> Vec<Site> {
    let mut sites = Vec::new();
    for (container, document) in files {
        let Some(Json::Object(members)) = data(container, document) else { continue };
        for (list, items) in members.iter().filter_map(|(list, value)| Some((list, value.items()?))) {
            for (index, row) in items.iter().enumerate() {
                let text = |name| row.get(name).and_then(Json::text);
                if let (Some(pictured), Some(file)) = (text("kind").and_then(Pictured::of), text("file")) {
                    let (container, list, file) = (container.clone(), list.to_string(), file.to_owned());
                    sites.push(Site { container, list, index, file, pictured });
                }
            }
        }
    }
    sites
}

impl Site {
    fn around<'a>(&self, files: &'a BTreeMap<String, Document>) -> Option<Around<'a>> {
        let container = data(&self.container, files.get(&self.container)?)?;
        let row = container.get(&self.list)?.items()?.get(self.index)?;
        let Document::Json(document) = files.get(&self.file)? else { return None };
        Some(Around { document, row, container })
    }
}

/// The path of a picture of an entry.
fn path(file: &str, end: &str) -> String {
    format!("{}{end}", file.strip_suffix(".json").unwrap_or(file))
}

/// Gives every image its pictures.
pub(super) fn take_out(files: &mut BTreeMap<String, Document>) {
    for site in sites(files) {
        let Some(around) = site.around(files) else { continue };
        let Some(pictures) = (site.pictured.export)(&around) else { continue };
        let mut document = around.document.clone();
        for name in site.pictured.tells {
            document.take_member(name);
        }
        for ((member, end), bytes) in [(COLOURS, Some(pictures.colours)), (ALPHA, pictures.alpha)] {
            if let Some(bytes) = bytes {
                let path = path(&site.file, end);
                document.put(member, path.as_str().into());
                files.insert(path, Document::Raw(bytes));
            }
        }
        files.insert(site.file, Document::Json(document));
    }
}

/// Lets every image say what its pictures tell.
///
/// # Errors
/// The file of an image whose pictures are missing, or cannot be this image.
pub(super) fn put_back(files: &mut BTreeMap<String, Document>) -> Result<(), String> {
    for site in sites(files) {
        let mut named = |(member, _): (&str, &str)| {
            let Some(Document::Json(document)) = files.get_mut(&site.file) else { return Ok(None) };
            let Some(path) = document.take_member(member) else { return Ok(None) };
            let path = path.text().ok_or_else(|| format!("{}: /{member}: expected the name of a file", site.file))?;
            match files.remove(path) {
                Some(Document::Raw(bytes)) => Ok(Some((path.to_owned(), bytes))),
                _ => Err(format!("{}: /{member}: there is no picture {path}", site.file)),
            }
        };
        let (colours, alpha) = (named(COLOURS)?, named(ALPHA)?);
        let Some((path, colours)) = colours else {
            match alpha {
                Some((path, _)) => return Err(format!("{path}: an alpha plane without a picture")),
                None => continue,
            }
        };
        let pictures = Pictures { colours, alpha: alpha.map(|(_, bytes)| bytes) };
        let Some(around) = site.around(files) else { continue };
        let document = (site.pictured.import)(&pictures, &around).map_err(|why| format!("{path}: {why}"))?;
        files.insert(site.file, Document::Json(document));
    }
    Ok(())
}
