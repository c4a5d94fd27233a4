//! The files inside an archive, as `verify` finds them: each is read when its turn comes.

mod tar;
mod zip;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use bitexact::install::Found;

/// An archive whose files are verified as if they lay in a folder of its name.
#[derive(Clone, Copy)]
pub(crate) enum Archive {
    Zip,
    Tar,
    /// A tar archive that gzip has compressed.
    CompressedTar,
}

impl Archive {
    /// Returns the kind of an archive by its first bytes, or `None` for other files and folders.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let mut first = Vec::new();
        if !path.is_file() {
            return None;
        }
        File::open(path).ok()?.take(tar::BLOCK).read_to_end(&mut first).ok()?;
        match first.as_slice() {
            [b'P', b'K', 3, 4, ..] => Some(Self::Zip),
            [0x1F, 0x8B, ..] if tar::is_compressed(path) => Some(Self::CompressedTar),
            first if tar::begins(first) => Some(Self::Tar),
            _ => None,
        }
    }

    /// Returns the files inside an archive, by their paths below that of the archive, in the order of the paths.
    ///
    /// # Errors
    /// Returns an error if the list of the archive cannot be read.
    pub(crate) fn files(self, path: &Path) -> anyhow::Result<Vec<Found>> {
        let mut found = match self {
            Self::Zip => zip::files(path)?,
            Self::Tar => tar::files(path, File::open(path)?)?,
            Self::CompressedTar => tar::compressed_files(path)?,
        };
        found.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(found)
    }
}

/// Returns the path of a file in an archive below that of the archive, or `None` if its name leads out of it. Old programs have `\`
/// between the parts.
fn below(archive: &Path, name: &str) -> Option<PathBuf> {
    let mut path = archive.to_owned();
    for part in name.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." || part.contains([':', '\0']) {
            return None;
        }
        path.push(part);
    }
    (path != archive).then_some(path)
}

/// Returns the row of a file whose name leads out of its archive. Its path has `?` between the parts, so that rows differ if names do.
fn outside(archive: &Path, name: &str) -> Found {
    Found::new(
        archive.join(name.replace(['/', '\\', ':', '\0'], "?")),
        Err(format!("{name}: expected a path inside the archive")),
    )
}
