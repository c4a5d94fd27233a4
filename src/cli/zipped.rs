//! Unpacked folders as a `.zip`, for file systems on which thousands of small files are slow.
//!
//! The bytes depend only on the files: they are sorted, and all have the same time. Reading trusts nothing in the archive.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context as _, bail};
use bitexact::exchange::{MANIFEST, litter_in};
use bitexact::field::{memory, wide};
use bitexact::output;
use bytes::Bytes;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipArchive, ZipWriter};

use super::memory::fits;
use super::target;
use super::whole::LIST;

/// Returns `true` if a path is meant as a `.zip`, not as a folder.
pub(crate) fn is_zip(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("zip")) && !path.is_dir()
}

/// Makes sure that only an earlier unpack is replaced, and only by `force`.
pub(crate) fn may_write(path: &Path, force: bool) -> anyhow::Result<()> {
    let shown = path.display();
    target::has_room(path)?;
    if !path.exists() {
        return Ok(());
    }
    let is_own = Zip::open(path).is_ok_and(|zip| [MANIFEST, LIST].iter().any(|name| zip.has(name)));
    match (is_own, force) {
        (true, true) => Ok(()),
        (true, false) => bail!("{shown}: already holds an unpacked file; use --force to replace it"),
        (false, _) => bail!("{shown}: already exists, and holds no unpacked file; choose another name"),
    }
}

/// A file that pretends to be written once it has returned an error: a dropped `ZipWriter` still writes the end of the archive, and would
/// print an error about that.
struct Muted<'f> {
    file: BufWriter<&'f mut File>,
    has_failed: bool,
}

impl<'f> Muted<'f> {
    fn call<T>(
        &mut self,
        pretended: T,
        call: impl FnOnce(&mut BufWriter<&'f mut File>) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.has_failed {
            return Ok(pretended);
        }
        call(&mut self.file).inspect_err(|_| self.has_failed = true)
    }
}

impl Write for Muted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.call(bytes.len(), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.call((), |file| file.flush())
    }
}

impl Seek for Muted<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.call(0, |file| file.seek(to))
    }
}

/// A `.zip` that is being written.
pub(crate) struct NewZip<'f>(ZipWriter<Muted<'f>>);

impl NewZip<'_> {
    /// Adds files below a folder, or at the top for an empty name.
    pub(crate) fn add(&mut self, folder: &str, files: &BTreeMap<String, Bytes>) -> anyhow::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .system(System::Unix)
            .unix_permissions(0o644);
        for (path, bytes) in files {
            let name = if folder.is_empty() { path.clone() } else { format!("{folder}/{path}") };
            // Sizes of 4 GB and more need larger fields, which must be known before.
            let options = options.large_file(u32::try_from(bytes.len()).is_err());
            self.0.start_file(name, options).map_err(io::Error::from)?;
            self.0.write_all(bytes)?;
        }
        Ok(())
    }
}

/// Writes a `.zip` atomically.
pub(crate) fn create<T>(path: &Path, fill: impl FnOnce(&mut NewZip<'_>) -> anyhow::Result<T>) -> anyhow::Result<T> {
    output::write_by(path, |file| {
        let mut zip = NewZip(ZipWriter::new(Muted { file: BufWriter::new(file), has_failed: false }));
        let filled = fill(&mut zip)?;
        zip.0.finish().map_err(io::Error::from)?.flush()?;
        Ok::<T, anyhow::Error>(filled)
    })
    .with_context(|| path.display().to_string())
}

/// A `.zip` with an unpacked file or install.
pub(crate) struct Zip {
    archive: ZipArchive<BufReader<File>>,
    /// The number of each file in the archive.
    files: BTreeMap<String, usize>,
    /// The ignored files.
    pub(crate) litter: Vec<String>,
}

impl Zip {
    /// Opens a `.zip`. Every name in it must be a plain path inside it that every system accepts.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        Self::of(File::open(path)?).with_context(|| path.display().to_string())
    }

    fn of(mut file: File) -> anyhow::Result<Self> {
        fits(file.metadata()?.len())?;
        let stated = stated(&mut file)?;
        let mut archive = ZipArchive::new(BufReader::new(file))?;
        // The table of the archive keeps only the last of several files with one name.
        if stated.is_some_and(|stated| stated != archive.len() % (usize::from(u16::MAX) + 1)) {
            bail!("expected each name once, found a name twice, or more than one archive");
        }
        let (mut files, mut folded, mut litter) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        for index in 0..archive.len() {
            let file = archive.by_index_raw(index)?;
            let name = core::str::from_utf8(file.name_raw()).context("expected names in UTF-8")?.to_owned();
            let plain = name.strip_suffix('/').unwrap_or(&name);
            if !is_inside(plain) {
                bail!("{name}: expected a path inside the archive, with / between its parts");
            }
            if file.encrypted() {
                bail!("{name}: is encrypted; pack the files without a password");
            }
            if file.is_symlink() {
                bail!("{name}: expected the file of an entry, found a link; put a copy of the file there");
            }
            if file.is_dir() {
                continue;
            }
            if let Some(other) = folded.insert(name.to_lowercase(), name.clone()) {
                bail!(
                    "{other} and {name} differ only in case, so that they cannot be beside each other on every system"
                );
            }
            match is_litter(&name) {
                true => litter.push(name),
                false => drop(files.insert(name, index)),
            }
        }
        // Explorer and Finder put the folder itself into the archive.
        if let Some(outer) = outer(&files) {
            files =
                files.into_iter().filter_map(|(name, at)| Some((name.strip_prefix(&outer)?.to_owned(), at))).collect();
        }
        Ok(Self { archive, files, litter })
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// Returns the bytes of a file.
    pub(crate) fn read(&mut self, name: &str) -> anyhow::Result<Vec<u8>> {
        let index = *self.files.get(name).with_context(|| format!("{name}: not in the archive"))?;
        let mut left = memory::allowed();
        self.read_at(name, index, &mut left)
    }

    /// Returns the files below a folder, or all for an empty name.
    pub(crate) fn folder(&mut self, folder: &str) -> anyhow::Result<BTreeMap<String, Bytes>> {
        let outer = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let inner = |(name, at): (&String, &usize)| Some((name.strip_prefix(&outer)?.to_owned(), *at));
        let wanted: Vec<(String, usize)> = self.files.iter().filter_map(inner).collect();
        let mut left = memory::allowed();
        wanted.into_iter().map(|(name, at)| Ok((name.clone(), self.read_at(&name, at, &mut left)?.into()))).collect()
    }

    /// Reads a file within the memory that is left, whatever size it states.
    fn read_at(&mut self, name: &str, index: usize, left: &mut u64) -> anyhow::Result<Vec<u8>> {
        let file = self.archive.by_index(index).with_context(|| name.to_owned())?;
        let mut bytes = Vec::new();
        file.take(left.saturating_add(1)).read_to_end(&mut bytes).with_context(|| name.to_owned())?;
        match left.checked_sub(wide(bytes.len())) {
            Some(rest) => *left = rest,
            None => bail!("{name}: {}", memory_needed()),
        }
        Ok(bytes)
    }

    /// Writes the archive again with one file replaced.
    pub(crate) fn replace(mut self, path: &Path, name: &str, bytes: Vec<u8>) -> anyhow::Result<()> {
        create(path, |new| {
            for (other, index) in &self.files {
                match other == name {
                    true => new.add("", &BTreeMap::from([(name.to_owned(), bytes.clone().into())]))?,
                    false => new.0.raw_copy_file_rename(self.archive.by_index_raw(*index)?, other)?,
                }
            }
            // Windows does not replace a file that is open.
            drop(self);
            Ok(())
        })
    }
}

fn memory_needed() -> String {
    bitexact::field::Fault::Memory { limit: memory::allowed() }.to_string()
}

/// Returns the number of files that the end of the archive states, modulo 2^16, if there is one where it belongs.
fn stated(file: &mut File) -> anyhow::Result<Option<usize>> {
    /// The size of the end without its comment.
    const END: u64 = 22;
    let size = file.metadata()?.len();
    let Some(at) = size.checked_sub(END) else { return Ok(None) };
    file.seek(SeekFrom::Start(at))?;
    let mut end = [0; 22];
    file.read_exact(&mut end)?;
    file.rewind()?;
    Ok(match end {
        [b'P', b'K', 5, 6, _, _, _, _, _, _, low, high, ..] => Some(usize::from(u16::from_le_bytes([low, high]))),
        _ => None,
    })
}

/// Returns `true` if a path stays where it is unpacked, on every system.
fn is_inside(path: &str) -> bool {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0']);
    path.split('/').all(is_plain)
}

/// Returns `true` for the files that systems add to an archive.
fn is_litter(name: &str) -> bool {
    name.starts_with("__MACOSX/") || litter_in(Path::new(name)).is_some()
}

/// Returns the beginning of all names if they are in one folder, with the manifest or the list in it.
fn outer(files: &BTreeMap<String, usize>) -> Option<String> {
    let (first, _) = files.keys().next()?.split_once('/')?;
    let outer = format!("{first}/");
    let is_top = files.keys().all(|name| name.starts_with(&outer));
    let has = |name: &str| files.contains_key(&format!("{outer}{name}"));
    (is_top && (has(MANIFEST) || has(LIST))).then_some(outer)
}
