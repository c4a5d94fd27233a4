//! A loose file as a resource: its name and type, and its bytes without a text form.

use bytes::Bytes;

use crate::aurora::resource::ResourceType;
use crate::registry::KINDS;
use exchange::{is_litter, is_safe};
use kind::{Game, Kind};

/// How loose files are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LooseForm {
    /// Each resource as its bytes.
    Raw,
    /// Trees of fields as JSON, all others as their bytes.
    Json,
}

/// A resource from a loose file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Resource {
    /// The path of the file.
    pub path: String,
    /// The name, without an extension.
    pub name: String,
    /// The type.
    pub kind: ResourceType,
    /// The bytes in a container.
    pub bytes: Bytes,
    /// `true` if the file is text that people edit: the bytes themselves, or a form from which they were made.
    pub is_text: bool,
}

/// The beginnings of names of files that people keep beside resources, in lower case.
const FOR_PEOPLE: [&str; 6] = ["readme", "license", "changelog", "contributing", "nasher.cfg", "makefile"];

/// Returns `true` for a file that is there for people or other programs, and can be no resource.
pub(super) fn is_for_people(path: &str) -> bool {
    let name = last(path).to_ascii_lowercase();
    let extension = name.rsplit_once('.').map_or("", |(_, end)| end);
    let is_resource = ResourceType::of_extension(extension).is_some() && extension != "txt";
    name.ends_with(".md") || (FOR_PEOPLE.iter().any(|begin| name.starts_with(begin)) && !is_resource)
}

/// Returns the last part of a path.
fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the name of a resource whose file has this path, with its extension and without that of a text form, or `None` if it is none.
#[must_use]
pub fn file_of(path: &str) -> Option<(String, Option<&'static Kind>)> {
    let file = last(path);
    let (stem, end) = file.rsplit_once('.')?;
    let extension = |name: &str| name.rsplit_once('.').map(|(_, end)| end.to_owned());
    let forms =
        KINDS.iter().filter(|kind| kind.games.contains(&Game::Neverwinter)).filter_map(|kind| Some((kind, kind.text?)));
    for (kind, text) in forms.filter(|(_, text)| text.extension.eq_ignore_ascii_case(end)) {
        if extension(stem).and_then(|end| ResourceType::of_extension(&end)).is_some() {
            if kind.claims(stem) {
                return Some((stem.to_owned(), Some(kind)));
            }
        } else if text.extension != "json" && ResourceType::of_extension(kind.name).is_some() {
            // The only extension of a kind with a text form of its own is its name.
            return Some((format!("{stem}.{}", kind.name), Some(kind)));
        }
    }
    ResourceType::of_extension(end).map(|_| (file.to_owned(), None))
}

/// Returns the number of the first line of a conflict that Git has marked in a text, or `None` if it is without one.
fn conflict_in(text: &[u8]) -> Option<usize> {
    const MARKS: [&[u8]; 3] = [b"<<<<<<< ", b"=======", b">>>>>>> "];
    let mut lines = (1..).zip(text.split(|byte| *byte == b'\n'));
    let [ours, theirs, end] =
        MARKS.map(|mark| lines.find(|(_, line)| line.starts_with(mark)).map(|(number, _)| number));
    ours.filter(|_| theirs.is_some() && end.is_some())
}

/// Returns the type of a tree of fields, which is the extension of its files, or `None` for others.
fn tree_of(file: &[u8]) -> Option<&str> {
    let (of, rest) = file.split_first_chunk::<4>()?;
    let of = core::str::from_utf8(of).ok()?.strip_suffix(' ')?;
    rest.starts_with(b"V3.2").then_some(of)
}

impl Resource {
    /// Takes a file as a resource, and notes what of a text is not in it.
    pub(super) fn of(path: String, bytes: Bytes, notes: &mut Vec<String>) -> Result<Self, String> {
        let Some((file, form)) = file_of(&path) else {
            return Err(format!(
                "{path}: no resource has this extension; expected one such as .utc, .utc.json, .2da or .nss, or move the file away"
            ));
        };
        let (name, end) = file.rsplit_once('.').unwrap_or((&file, ""));
        let kind = ResourceType::of_extension(end).filter(|_| !name.is_empty());
        let kind = kind.ok_or_else(|| format!("{path}: expected a name before the extension"))?;
        // Few binary files have no zero.
        let is_text = !bytes.contains(&0);
        if let Some(line) = conflict_in(&bytes).filter(|_| is_text) {
            return Err(format!("{path}: line {line}: begins a conflict of Git; resolve it first"));
        }
        let bytes = match form.and_then(|kind| kind.text) {
            Some(text) if text.is_source(&bytes) => {
                let made = text.make(&bytes, &[]).map_err(|why| format!("{path}: {why}"))?;
                notes.extend(made.notes.iter().map(|note| format!("{path}: {note}")));
                made.file.into()
            }
            // Files of the kind and their texts have the same extension.
            Some(text) if text.extension == end.to_ascii_lowercase() => bytes,
            Some(text) => {
                let why = match bytes.trim_ascii().is_empty() {
                    true => "is empty".to_owned(),
                    // Only the text of a talk table and of a tree of fields is JSON.
                    false if text.extension == "json" && !end.eq_ignore_ascii_case("tlk") => {
                        format!("has no `__data_type`, with which the JSON of a .{end} begins")
                    }
                    false => format!("its content is not the text form of .{end}"),
                };
                return Err(format!("{path}: {why}; `bitexact export` writes this form"));
            }
            None => bytes,
        };
        if let Some(of) = tree_of(&bytes).filter(|of| !of.eq_ignore_ascii_case(end)) {
            notes.push(format!("{path}: has the fields of a .{}, by its `__data_type`", of.to_lowercase()));
        }
        Ok(Self { name: name.to_owned(), kind, bytes, path, is_text })
    }

    /// Returns the path and the content of its new file; JSON has one more extension.
    pub(super) fn written(&self, path: &str, form: LooseForm) -> (String, Bytes) {
        let kind = KINDS.iter().find(|it| it.claims(&self.path) && it.games.contains(&Game::Neverwinter));
        let json = kind.and_then(|kind| kind.text).filter(|text| form == LooseForm::Json && text.extension == "json");
        // A resource that is damaged, or of another kind than its name says, stays as it is.
        match json.and_then(|text| text.write(&self.bytes).ok()) {
            Some(text) => (format!("{path}.json"), text.into()),
            None => (path.to_owned(), self.bytes.clone()),
        }
    }

    /// Returns its content in the form of the file with this path and content.
    pub(super) fn rewritten(&self, path: &str, old: &[u8]) -> Result<Bytes, String> {
        // The old content decides only where files and their texts have the same extension.
        let text = file_of(path).and_then(|(file, form)| {
            form?.text.filter(|text| !file.eq_ignore_ascii_case(last(path)) || text.is_source(old))
        });
        match text {
            None => Ok(self.bytes.clone()),
            Some(text) => text.write(&self.bytes).map(Bytes::from).map_err(|why| format!("{path}: {why}")),
        }
    }

    /// Returns `true` if its type has this extension.
    pub(super) fn is(&self, extension: &str) -> bool {
        self.kind.extension().eq_ignore_ascii_case(extension)
    }

    /// Returns what resources are sorted by, which is the same for those that the game cannot tell apart.
    pub(super) fn order(&self) -> (String, u16) {
        (self.name.to_lowercase(), self.kind.get())
    }
}

/// Returns `true` if a file that is named as a resource would be packed as that resource.
pub(super) fn is_packable(name: &str, kind: ResourceType) -> bool {
    let is_known = ResourceType::of_extension(&kind.extension()) == Some(kind);
    is_known && is_safe(name) && !is_litter(name) && !is_for_people(name) && !name.starts_with('.')
}
