//! The files of an install: everything below some paths, in a fixed order.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

/// A file that was found, or what stands in the way of one.
#[derive(Debug)]
pub struct Found {
    /// The path, as it was given and as it goes on from there.
    pub path: PathBuf,
    /// Its size, or why it cannot be read.
    pub size: Result<u64, String>,
}

impl Found {
    /// The path with `/` between its parts, on every system.
    #[must_use]
    pub fn shown(&self) -> String {
        let shown = self.path.to_string_lossy();
        if cfg!(windows) { shown.replace('\\', "/") } else { shown.into_owned() }
    }

    /// The path for people: what would move the cursor or colour the line is escaped.
    #[must_use]
    pub fn printable(&self) -> String {
        printable(&self.shown())
    }

    /// The last part of the path.
    #[must_use]
    pub fn name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn read(&self) -> Result<Vec<u8>, String> {
        self.size.clone()?;
        fs::read(&self.path).map_err(|error| error.to_string())
    }
}

/// A path for people: what would move the cursor or colour the line is escaped.
#[must_use]
pub fn printable(path: &str) -> String {
    path.chars().map(|it| if it.is_control() { it.escape_default().to_string() } else { it.to_string() }).collect()
}

/// Whether a file can be read to its end; a pipe would wait for ever.
///
/// # Errors
/// Why not.
pub fn is_readable(about: &fs::Metadata) -> Result<(), String> {
    if about.is_file() { Ok(()) } else { Err("not a regular file".to_owned()) }
}

/// Every file below `path`, or the file that it is; links are followed, folders sorted by name.
///
/// # Errors
/// When there is nothing at `path`.
pub fn files(path: &Path) -> io::Result<Vec<Found>> {
    fs::symlink_metadata(path)?;
    let walk = WalkDir::new(path).follow_links(true).sort_by_file_name();
    let found = walk.into_iter().filter_map(|entry| match entry {
        Ok(entry) if entry.file_type().is_dir() => None,
        Ok(entry) => {
            let about = entry.metadata().map_err(|error| error.to_string());
            let size = about.and_then(|about| is_readable(&about).map(|()| about.len()));
            Some(Found { path: entry.into_path(), size })
        }
        Err(error) => {
            let path = error.path().unwrap_or(path).to_owned();
            let why = match (error.loop_ancestor(), error.io_error()) {
                (Some(ancestor), _) => format!("a link back to {}", ancestor.display()),
                (None, Some(error)) => error.to_string(),
                (None, None) => error.to_string(),
            };
            Some(Found { path, size: Err(why) })
        }
    });
    Ok(found.collect())
}
