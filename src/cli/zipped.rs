//! Unpacked folders as a `.zip`, for file systems on which thousands of small files are slow.
//!
//! The bytes depend only on the files: they are sorted, and all have the same time. Reading trusts nothing in the archive.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, anyhow, bail};
use bitexact::exchange::{Fate, Listed, MANIFEST, WRITTEN, edited, fold, litter_in};
use bitexact::field::{memory, wide};
use bitexact::install::is_readable;
use bitexact::output;
use bitexact::output::printable::counted;
use bitexact::passes::Sha;
use bytes::Bytes;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipArchive, ZipWriter};

use super::source::packs_to;
use super::target;

/// The list of the files of an unpacked install, in the folder that holds their folders.
pub(crate) const LIST: &str = "bitexact-install.json";

/// Returns `true` if a path is meant as a `.zip`, not as a folder.
pub(crate) fn is_zip(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("zip")) && !path.is_dir()
}

/// Makes sure that only an earlier unpack is replaced, and only by `force`. Returns it.
pub(crate) fn may_write(path: &Path, force: bool) -> anyhow::Result<Option<Zip>> {
    let shown = path.display();
    target::has_room(path)?;
    if !path.exists() {
        return Ok(None);
    }
    let zip = Zip::open(path).with_context(|| format!("{shown}: already exists; choose another name"))?;
    match ([MANIFEST, LIST, WRITTEN].iter().any(|name| zip.has(name)), force) {
        (true, true) => Ok(Some(zip)),
        (true, false) => bail!("{shown}: already holds an unpacked file; use --force to replace it"),
        (false, _) => bail!("{shown}: already exists, and holds no unpacked file; choose another name"),
    }
}

/// A file that pretends to be written once it has returned an error: a dropped `ZipWriter` still writes the end of the archive, and would
/// print an error about that, or panic about a wrong position.
struct Muted<'f> {
    file: BufWriter<&'f mut File>,
    /// The position, also while it pretends.
    at: u64,
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
        let written = self.call(bytes.len(), |file| file.write(bytes))?;
        self.at += wide(written);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.call((), |file| file.flush())
    }
}

impl Seek for Muted<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let pretended = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::Current(by) => self.at.checked_add_signed(by).unwrap_or(self.at),
            SeekFrom::End(_) => self.at,
        };
        self.at = self.call(pretended, |file| file.seek(to))?;
        Ok(self.at)
    }
}

/// A `.zip` that is being written.
pub(crate) struct NewZip<'f> {
    zip: ZipWriter<Muted<'f>>,
    /// What all names begin with: a folder with `/`, or nothing.
    outer: String,
    /// The names of the added files, without that, and their hashes.
    added: BTreeMap<String, Sha>,
}

impl<'f> NewZip<'f> {
    fn new(file: &'f mut File, outer: String) -> Self {
        let zip = ZipWriter::new(Muted { file: BufWriter::new(file), at: 0, has_failed: false });
        Self { zip, outer, added: BTreeMap::new() }
    }

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
            self.zip.start_file(format!("{}{name}", self.outer), options).map_err(io::Error::from)?;
            self.zip.write_all(bytes)?;
            self.added.insert(name, Sha::of(bytes));
        }
        Ok(())
    }

    /// Copies what no unpack has written from the archive that is replaced, and returns the names of the files.
    fn keep(&mut self, mut old: Zip) -> anyhow::Result<Vec<String>> {
        let list = old.read(WRITTEN).map_or_else(|_| Listed::default(), |text| Listed::parse(&text));
        let (mut kept, mut edited_files) = (Vec::new(), Vec::new());
        for index in 0..old.archive.len() {
            let name = old.name(index)?;
            let inner = name.strip_prefix(&self.outer).unwrap_or(&name);
            let new = self.added.get(inner).copied();
            let needs_hash = !name.ends_with('/') && (new.is_some() || list.names(inner));
            let now = needs_hash.then(|| old.read(inner).map(|bytes| Sha::of(&bytes)).ok()).flatten();
            // `pack` itself updates the list of an install.
            let fate = if inner == LIST { Fate::Replaced } else { list.fate(inner, now, new) };
            if fate == Fate::Edited {
                edited_files.push(inner.to_owned());
            }
            if matches!(fate, Fate::Replaced | Fate::Edited) {
                continue;
            }
            if fate == Fate::InTheWay {
                bail!(
                    "{name}: was not written by the earlier unpack, and a new file has its name; delete it or move it away"
                );
            }
            self.zip.raw_copy_file(old.archive.by_index_raw(index)?)?;
            kept.extend((!name.ends_with('/')).then_some(name));
        }
        if !edited_files.is_empty() && !old.is_packed() {
            bail!(edited(&edited_files));
        }
        self.zip.set_raw_comment(old.archive.comment().into())?;
        Ok(kept)
    }

    fn finish(self) -> anyhow::Result<()> {
        Ok(self.zip.finish().map_err(io::Error::from)?.flush()?)
    }
}

/// Writes a `.zip` atomically. What no unpack has written is kept of the archive that it replaces; the names of that are returned, too.
pub(crate) fn create<T>(
    path: &Path,
    old: Option<Zip>,
    fill: impl FnOnce(&mut NewZip<'_>) -> anyhow::Result<T>,
) -> anyhow::Result<(T, Vec<String>)> {
    output::write_by(path, |file| {
        let mut zip = NewZip::new(file, old.as_ref().map_or_else(String::new, |old| old.outer.clone()));
        let filled = fill(&mut zip)?;
        if !zip.added.contains_key(WRITTEN) {
            let list = zip.added.iter().map(|(name, sha)| (name.clone(), *sha)).collect::<Listed>();
            zip.add("", &BTreeMap::from([(WRITTEN.to_owned(), list.print())]))?;
        }
        // Windows does not replace a file that is open.
        let kept = old.map_or_else(|| Ok(Vec::new()), |old| zip.keep(old))?;
        zip.finish()?;
        Ok::<_, anyhow::Error>((filled, kept))
    })
    .with_context(|| path.display().to_string())
}

/// The memory that a file in an archive takes for each byte of its row in the list of the archive, until all files are read. The shortest
/// row has 47 bytes. A test measures it.
const LISTED: u64 = 12;

/// A file whose bytes are charged to memory while the list of an archive is read from it: the crate keeps the whole list.
pub(crate) struct Charged {
    file: BufReader<File>,
    /// The memory that is left for the list, or [`READ`] once it has been read.
    left: Arc<AtomicU64>,
}

/// The memory that is left once the list of an archive has been read, so that nothing is charged any more.
const READ: u64 = u64::MAX;

impl Read for Charged {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        let left = self.left.load(Ordering::Relaxed);
        if left != READ {
            let rest = left.checked_sub(wide(read) * LISTED);
            self.left.store(rest.unwrap_or(0), Ordering::Relaxed);
            if rest.is_none() {
                return Err(io::Error::other(memory_needed()));
            }
        }
        Ok(read)
    }
}

impl Seek for Charged {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Opens an archive whose list fits into memory. Returns it with the memory that is left.
pub(crate) fn opened(path: &Path) -> anyhow::Result<(ZipArchive<Charged>, u64)> {
    let left = Arc::new(AtomicU64::new(memory::allowed().min(READ - 1)));
    let opened = ZipArchive::new(Charged { file: BufReader::new(File::open(path)?), left: Arc::clone(&left) });
    // After an error, the crate looks for the list in other places, and may return another error.
    match left.swap(READ, Ordering::Relaxed) {
        0 => bail!(memory_needed()),
        left => Ok((opened.map_err(in_words)?, left)),
    }
}

/// A `.zip` with an unpacked file or install.
pub(crate) struct Zip {
    archive: ZipArchive<Charged>,
    /// The memory that is left for the contents of files.
    left: u64,
    /// What all names begin with if the folder itself is in the archive, as Explorer and Finder put it there.
    outer: String,
    /// The number of each file in the archive, by its name without that.
    files: BTreeMap<String, usize>,
    /// The ignored files.
    pub(crate) litter: Vec<String>,
    /// The hash of the file that is unpacked again, if it is a single one.
    file: Option<Sha>,
}

impl Zip {
    /// Opens a `.zip`. Every name in it must be a plain path inside it that every system accepts, and every byte must belong to it.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        Self::of(path).with_context(|| path.display().to_string())
    }

    fn of(path: &Path) -> anyhow::Result<Self> {
        let about = fs::metadata(path)?;
        is_readable(&about).map_err(anyhow::Error::msg)?;
        memory::fits(about.len())?;
        let (mut archive, left) = opened(path)?;
        if archive.has_duplicate_names() {
            bail!(twice(&archive, path)?);
        }
        is_all(&archive, path, about.len())?;
        let (mut files, mut folded, mut litter) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        for index in 0..archive.len() {
            let file = archive.by_index_data(index)?;
            // PowerShell 5 writes `\` between the parts.
            let name = core::str::from_utf8(file.name_raw()).context("expected names in UTF-8")?.replace('\\', "/");
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
            if let Some(other) = folded.insert(fold(plain), name.clone()) {
                bail!(
                    "{other} and {name} differ only in case or form, so that they cannot be beside each other on every system"
                );
            }
            match is_litter(&name) {
                _ if file.is_dir() && file.size() == 0 => {}
                _ if file.is_dir() => {
                    bail!(
                        "{name}: expected a folder, found one with {}; pack the files again with another program",
                        counted(file.size(), "byte")
                    )
                }
                true => litter.push(name),
                false => drop(files.insert(name, index)),
            }
        }
        // Both lists of the archive must agree, or programs would see different files in it.
        archive.validate_header_consistency()?;
        let outer = outer(&files);
        let inner = |(name, at): (String, usize)| Some((name.strip_prefix(&outer)?.to_owned(), at));
        let files = files.into_iter().filter_map(inner).collect();
        Ok(Self { archive, left, outer, files, litter, file: None })
    }

    /// Returns the archive as that of a file with this hash.
    pub(crate) fn of_file(self, sha256: Sha) -> Self {
        Self { file: Some(sha256), ..self }
    }

    /// Returns `true` if it packs to the file that is unpacked again, which holds all edits then.
    fn is_packed(&mut self) -> bool {
        let Some(sha256) = self.file else { return false };
        self.folder("").is_ok_and(|files| packs_to(files, sha256))
    }

    /// Returns the whole name of a file or folder in the archive.
    fn name(&self, index: usize) -> anyhow::Result<String> {
        Ok(String::from_utf8_lossy(self.archive.by_index_data(index)?.name_raw()).replace('\\', "/"))
    }

    /// Returns the names of all files but the ignored ones.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.files.keys()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// Returns the bytes of a file.
    pub(crate) fn read(&mut self, name: &str) -> anyhow::Result<Vec<u8>> {
        let index = *self.files.get(name).with_context(|| format!("{name}: not in the archive"))?;
        let mut left = self.left;
        self.read_at(name, index, &mut left)
    }

    /// Returns the files below a folder, or all for an empty name.
    pub(crate) fn folder(&mut self, folder: &str) -> anyhow::Result<BTreeMap<String, Bytes>> {
        let outer = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let inner = |(name, at): (&String, &usize)| Some((name.strip_prefix(&outer)?.to_owned(), *at));
        let wanted: Vec<(String, usize)> = self.files.iter().filter_map(inner).collect();
        let mut left = self.left;
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

    /// Writes the archive again with one file replaced. Everything else in it is copied without a change.
    pub(crate) fn replace(mut self, path: &Path, name: &str, bytes: Bytes) -> anyhow::Result<()> {
        output::write_by(path, |file| {
            let mut new = NewZip::new(file, self.outer.clone());
            for index in 0..self.archive.len() {
                match self.files.get(name) == Some(&index) {
                    true => new.add("", &BTreeMap::from([(name.to_owned(), bytes.clone())]))?,
                    false => new.zip.raw_copy_file(self.archive.by_index_raw(index)?)?,
                }
            }
            new.zip.set_raw_comment(self.archive.comment().into())?;
            // Windows does not replace a file that is open.
            drop(self);
            new.finish()
        })
        .with_context(|| path.display().to_string())
    }
}

fn memory_needed() -> String {
    bitexact::field::Fault::Memory { limit: memory::allowed() }.to_string()
}

/// Returns why an archive with a name that occurs twice is refused. The crate knows only the last one of each name.
fn twice(archive: &ZipArchive<impl Read + Seek>, path: &Path) -> io::Result<String> {
    /// The size of the head of a file in the list of an archive, and the positions of the lengths of what follows it.
    const HEAD: usize = 46;
    const LENGTHS: [usize; 3] = [28, 30, 32];
    let mut file = BufReader::new(File::open(path)?);
    file.seek(SeekFrom::Start(archive.central_directory_start()))?;
    let mut names = BTreeSet::new();
    for _ in 0..=u16::MAX {
        let mut head = [0; HEAD];
        file.read_exact(&mut head)?;
        let length = |at: usize| head.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |two| u16::from_le_bytes(*two));
        let [name, extra, comment] = LENGTHS.map(length).map(usize::from);
        let mut rest = vec![0; name + extra + comment];
        file.read_exact(&mut rest)?;
        rest.truncate(name);
        let name = String::from_utf8_lossy(&rest).into_owned();
        if !names.insert(name.clone()) {
            return Ok(format!("expected each name once, found {name} twice; delete one of them"));
        }
    }
    Ok("expected each name once, found a name twice; make the archive again".to_owned())
}

/// Returns an error of the crate in the program's words.
fn in_words(error: ZipError) -> anyhow::Error {
    match error {
        ZipError::InvalidArchive(_) => {
            anyhow!("expected a whole .zip, found other or missing bytes; download or make it again")
        }
        other => other.into(),
    }
}

/// Makes sure that the file holds nothing but the archive. What another program has put around it would be lost when it is replaced.
fn is_all(archive: &ZipArchive<impl Read + Seek>, path: &Path, size: u64) -> anyhow::Result<()> {
    /// The size of the end of an archive without its comment.
    const END: u64 = 22;
    if archive.offset() > 0 {
        bail!("expected the archive at the beginning, found {} before it", counted(archive.offset(), "other byte"));
    }
    let mut end = [0; 4];
    let at = size.checked_sub(END + wide(archive.comment().len())).context("expected the end of the archive")?;
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut end)?;
    match end {
        [b'P', b'K', 5, 6] => Ok(()),
        _ => bail!("expected nothing after the end of the archive, found other bytes; make it again"),
    }
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

/// Returns the beginning of all names if they are in one folder, with the manifest or the list in it, or nothing.
fn outer(files: &BTreeMap<String, usize>) -> String {
    let first = files.keys().next().and_then(|name| name.split_once('/'));
    let outer = first.map_or_else(String::new, |(first, _)| format!("{first}/"));
    let is_top = files.keys().all(|name| name.starts_with(&outer));
    let has = |name: &str| files.contains_key(&format!("{outer}{name}"));
    if is_top && (has(MANIFEST) || has(LIST)) { outer } else { String::new() }
}
