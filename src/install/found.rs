//! Finds the files of an install: all files below some paths, in a fixed order.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use field::WINDOWS_1252;
use json::unmarked;

/// A file that was found, or the error that prevented it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Found {
    /// The path, starting with the given one.
    pub path: PathBuf,
    /// Its size, or the reason why it cannot be read.
    pub size: Result<u64, String>,
    /// How it is read if it is inside an archive.
    inside: Option<Inside>,
}

/// How a file inside an archive is read.
struct Inside(Box<dyn Fn() -> Result<Vec<u8>, String> + Send + Sync>);

impl core::fmt::Debug for Inside {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Inside")
    }
}

impl Found {
    /// Creates a file that was found elsewhere, with its size or the reason why it cannot be read.
    #[must_use]
    pub fn new(path: PathBuf, size: Result<u64, String>) -> Self {
        Self { path, size, inside: None }
    }

    /// Creates a file of this size inside an archive, which `read` reads.
    #[must_use]
    pub fn inside(
        path: PathBuf,
        size: u64,
        read: impl Fn() -> Result<Vec<u8>, String> + Send + Sync + 'static,
    ) -> Self {
        Self { path, size: Ok(size), inside: Some(Inside(Box::new(read))) }
    }

    /// Returns the path with `/` between its parts, on every system; a non-Unicode path is written by [`lossless`].
    #[must_use]
    pub fn shown(&self) -> String {
        let shown = match self.path.to_str() {
            Some(shown) => shown.to_owned(),
            None => lossless(self.path.as_os_str().as_encoded_bytes()),
        };
        if cfg!(windows) { shown.replace('\\', "/") } else { shown }
    }

    /// Returns the last part of the path.
    #[must_use]
    pub fn name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Returns the bytes of the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn read(&self) -> Result<Vec<u8>, String> {
        self.size.clone()?;
        if let Some(Inside(read)) = &self.inside {
            return read();
        }
        fs::read(&self.path).map_err(|error| error.to_string())
    }
}

/// Returns a path as text such that different paths always differ: a byte that is not UTF-8 becomes `%XX`, and a `%` that could
/// begin such a sequence becomes `%25`.
#[must_use]
pub fn lossless(path: &[u8]) -> String {
    let mut text = String::with_capacity(path.len());
    for chunk in path.utf8_chunks() {
        let valid = chunk.valid();
        for (at, it) in valid.char_indices() {
            let rest = valid.as_bytes().get(at..).unwrap_or_default();
            let is_like_one =
                matches!(rest, [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit());
            text.push(it);
            text.push_str(if is_like_one { "25" } else { "" });
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

/// Returns a list in Windows-1252 as UTF-8, or `None` for any other. Names of files are UTF-8 or UTF-16 on Windows, whose lists have its line
/// ends; elsewhere they are any bytes.
fn of_windows(list: &[u8]) -> Option<Vec<u8>> {
    let mut lines = list.split_inclusive(|byte| *byte == b'\n');
    let is_of_windows = cfg!(windows) || lines.all(|line| line.ends_with(b"\r\n"));
    let is_sums = !matches!(list.trim_ascii_start().first(), Some(b'{' | b'<'));
    let is_it = is_of_windows && is_sums && core::str::from_utf8(list).is_err();
    is_it.then(|| WINDOWS_1252.decode(list).into_bytes())
}

/// Returns the text of a list in UTF-8 without the byte order mark. PowerShell 5 writes UTF-16.
///
/// # Errors
/// Returns an error if the text begins as UTF-16 and is not.
pub(super) fn utf8(list: &[u8]) -> Result<Cow<'_, [u8]>, &'static str> {
    let (units, is_little) = match list {
        [0xFF, 0xFE, units @ ..] => (units, true),
        [0xFE, 0xFF, units @ ..] => (units, false),
        _ => return unmarked(list).map(|list| of_windows(list).map_or(Cow::Borrowed(list), Cow::Owned)),
    };
    let of = |unit: [u8; 2]| if is_little { u16::from_le_bytes(unit) } else { u16::from_be_bytes(unit) };
    let (units, rest) = units.as_chunks::<2>();
    let text = char::decode_utf16(units.iter().map(|unit| of(*unit))).collect::<Result<String, _>>();
    let text = text
        .ok()
        .filter(|_| rest.is_empty())
        .ok_or("expected UTF-16, as its first two bytes say, found other bytes")?;
    Ok(Cow::Owned(text.into_bytes()))
}

/// Checks that a file can be read to its end, unlike a pipe, which would wait forever.
///
/// # Errors
/// Returns an error with the reason if it cannot.
pub fn is_readable(about: &fs::Metadata) -> Result<(), String> {
    match about {
        _ if about.is_file() => Ok(()),
        _ if about.is_dir() => Err("is a folder; name a file".to_owned()),
        _ => Err("not a regular file".to_owned()),
    }
}

/// The folder beside the files of a game with the journal of mods: [`walk`] skips it.
pub const JOURNAL: &str = ".bitexact-mods";

/// Returns all files below `path`, or `path` itself if it is a file; links are followed, folders are sorted by name.
///
/// A folder is visited once, even if several links lead to it: one below `path` under its own name, any other under the first
/// link.
///
/// # Errors
/// Returns an error if `path` does not exist.
pub fn files(path: &Path) -> io::Result<Vec<Found>> {
    Ok(walk(path)?.collect())
}

/// Finds [`files`] one by one, so that work can begin before the last one is found.
///
/// # Errors
/// Returns an error at once if `path` does not exist.
pub fn walk(path: &Path) -> io::Result<impl Iterator<Item = Found> + Send> {
    fs::symlink_metadata(path)?;
    let root = fs::canonicalize(path).ok();
    // The depth of the outermost link on the way to an entry. Without one, a folder is below `path` under its own name.
    let mut link: Option<usize> = None;
    let mut seen = HashSet::new();
    let mut is_new = move |folder: &Path| match (&root, fs::canonicalize(folder)) {
        (Some(root), Ok(real)) => match real.strip_prefix(root) {
            Ok(inner) => folder.strip_prefix(path) == Ok(inner),
            Err(_) => seen.insert(real),
        },
        // Errors of this path are reported when it is visited.
        _ => true,
    };
    let mut walk = WalkDir::new(path).follow_links(true).sort_by_file_name().into_iter();
    let next = move || loop {
        let found = walk.next()?;
        if let Ok(entry) = &found {
            let depth = entry.depth();
            link = link.filter(|outer| *outer < depth).or((depth > 0 && entry.path_is_symlink()).then_some(depth));
        }
        match found {
            Ok(entry) if entry.file_type().is_dir() => {
                let is_journal = entry.depth() > 0 && entry.file_name() == JOURNAL;
                if is_journal || link.is_some() && !is_new(entry.path()) {
                    walk.skip_current_dir();
                }
            }
            Ok(entry) => {
                let about = entry.metadata().map_err(|error| error.to_string());
                let size = about.and_then(|about| is_readable(&about).map(|()| about.len()));
                return Some(Found::new(entry.into_path(), size));
            }
            Err(error) => {
                let path = error.path().unwrap_or(path).to_owned();
                let why = match (error.loop_ancestor(), error.io_error()) {
                    (Some(ancestor), _) => format!("a link back to {}", ancestor.display()),
                    (None, Some(error)) => error.to_string(),
                    (None, None) => error.to_string(),
                };
                return Some(Found::new(path, Err(why)));
            }
        }
    };
    Ok(iter::from_fn(next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_paths_have_different_text() {
        for (path, expected) in [
            (&b"maps/m1.zmap"[..], "maps/m1.zmap"),
            (b"a\xFF", "a%FF"),
            (b"a\xFE", "a%FE"),
            (b"a%FF", "a%25FF"),
            (b"a%25FF", "a%2525FF"),
            (b"100% %z %", "100% %z %"),
            (b"%\xC3%4\xFF", "%%C3%4%FF"),
            ("für 50%".as_bytes(), "für 50%"),
        ] {
            assert_eq!(lossless(path), expected);
        }
    }
}
