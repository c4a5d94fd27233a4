//! Lists of known files that a user has: of `sha256sum`, `sha1sum`, `md5sum` or with CRC-32, of `git ls-tree`, Logiqx DAT, snapshots or
//! tables of bitexact.

mod dat;
mod digest;
mod line;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use super::snapshot::{BadLine, Snapshot, TEXTS, charge};
use super::utf8;
use crate::install::aurora;
use crate::install::zipper::{Install, KnownFile, KnownFiles, Why};
use field::memory::{self, Meter};
use field::wide;
use kind::Game;
use passes::Sha;

pub use digest::Digest;
pub(super) use line::parse;

/// What a list of known files is, so that others can judge what it proves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Origin {
    /// The name of its file.
    pub name: String,
    /// The number of files in it.
    pub entries: u64,
    /// The SHA-256 of the list itself.
    pub sha256: Option<Sha>,
    /// The sources that its rows state.
    pub sources: Vec<String>,
}

/// A list of known files.
#[derive(Clone, Debug, Default)]
pub struct KnownList {
    files: KnownFiles,
    origin: Origin,
    /// The folder of the list in which the install of each file is, which is not part of its path.
    folders: Vec<String>,
    /// The kinds of the digests in it.
    digests: Vec<Digest>,
}

impl KnownList {
    /// Parses a list, whose files are described by `source`.
    ///
    /// # Errors
    /// Returns an error for the first line that is not part of a list, or for which there is no more memory.
    pub fn parse(text: &[u8], source: &str) -> Result<Self, BadLine> {
        let meter = Meter::new(memory::allowed(), wide(text.len()));
        let sha256 = Some(Sha::of(text));
        let text = utf8(text).map_err(|why| BadLine { line: 1, why: why.to_owned() })?;
        let files = match text.trim_ascii_start().first() {
            Some(b'<') => dat::files(&text, source, &meter)?,
            Some(b'{') => Snapshot::parse(&text)?.known(source),
            _ => lines(&text, source, &meter)?,
        };
        if files.is_empty() {
            return Err(BadLine { line: 1, why: "expected a list of digests and paths, or a DAT file".to_owned() });
        }
        let mut digests: Vec<Digest> = files.iter().filter_map(|file| Digest::kind(&file.digest)).collect();
        digests.sort_unstable();
        digests.dedup();
        let roots: HashSet<String> = files.iter().filter_map(|file| root_of(&file.path.replace('\\', "/"))).collect();
        let mut seen = HashSet::new();
        let sources = files.iter().map(|it| &it.source).filter(|it| *it != source && seen.insert(*it));
        let sources = sources.cloned().collect();
        let name = source.rsplit(['/', '\\']).next().unwrap_or(source).to_owned();
        let origin = Origin { name, entries: wide(files.len()), sha256, sources };
        let split = files.into_iter().map(|file| {
            let (folder, path) = below_root(&file.path, &roots);
            (folder, KnownFile { path, ..file })
        });
        let (folders, files): (Vec<_>, Vec<_>) = split.unzip();
        Ok(Self { files: KnownFiles::new(files), origin, folders, digests })
    }

    /// Returns what the list is.
    #[must_use]
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Returns the files of the list that a copy of a game lacks, given its paths in lower case, each with the digest by which the list knows
    /// the file. Of a list with several copies or editions, that with most of these files counts, and of those with equally many, that with
    /// most of the paths. If several are left, only the files that all of them have are lacking.
    pub(crate) fn lacking(&self, game: Option<Game>, copy: &HashMap<String, Option<&str>>) -> Vec<&KnownFile> {
        let has = |file: &KnownFile| copy.contains_key(&file.path.to_lowercase());
        let has_same = |file: &KnownFile| {
            copy.get(&file.path.to_lowercase()).is_some_and(|digest| digest.is_some_and(|it| it == file.digest))
        };
        let all = self.files.files().iter().zip(&self.folders);
        let all: Vec<_> = all.filter(|(file, _)| file.can_be_of(game) && !file.is_altered()).collect();
        let mut counts: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
        for (file, folder) in all.iter().filter(|(file, _)| has(file) && !file.is_of_every_edition()) {
            let (same, named) = counts.entry((folder, &file.edition)).or_default();
            *same += usize::from(has_same(file));
            *named += 1;
        }
        let most = counts.values().max().copied();
        let best = counts.into_iter().filter(|(_, count)| Some(*count) == most).map(|(edition, _)| edition);
        let best: Vec<(&str, &str)> = best.collect();
        // The number of the best editions that have each lacking file.
        let mut lacking: HashMap<String, (&KnownFile, HashSet<_>)> = HashMap::new();
        let mut order = Vec::new();
        for (file, folder) in all.into_iter().filter(|(file, _)| !has(file)) {
            let is_of = |(own, edition): &(&str, &str)| {
                folder == own && (file.edition == *edition || file.is_of_every_edition())
            };
            for edition in best.iter().filter(|it| is_of(it)) {
                let path = file.path.to_lowercase();
                let (_, of) = lacking.entry(path.clone()).or_insert_with(|| {
                    order.push(path);
                    (file, HashSet::new())
                });
                of.insert(*edition);
            }
        }
        let of_all = order.iter().filter_map(|path| lacking.get(path)).filter(|(_, of)| of.len() == best.len());
        of_all.map(|(file, _)| *file).collect()
    }

    /// Returns the files.
    #[must_use]
    pub fn files(&self) -> &KnownFiles {
        &self.files
    }

    /// Returns the file of the list with this content, or `None` if there is none; of several, the first whose path ends with this name
    /// (the last part of a path). Only the digests that the list has are computed.
    #[must_use]
    pub fn find(&self, name: &str, bytes: &[u8], sha256: Option<&Sha>) -> Option<&KnownFile> {
        self.digests.iter().find_map(|kind| {
            let digest = kind.of(bytes, sha256);
            let size = Some(wide(bytes.len()));
            let same = || self.files.with_digest(&digest).filter(|file| file.bytes.is_none() || file.bytes == size);
            same().find(|file| file.is_named(name)).or_else(|| same().next())
        })
    }
}

/// Returns the file of the table of this crate with this content whose SHA-256 is not known, only another digest, or `None` if there is
/// none. Only files of such a size, or of such a name (the last part of a path) if the size is not known, are hashed again.
#[must_use]
pub fn of_other_digest(name: &str, bytes: &[u8]) -> Option<&'static KnownFile> {
    let size = wide(bytes.len());
    let may_be = |file: &KnownFile| file.bytes.map_or_else(|| file.is_named(name), |bytes| bytes == size);
    let same = OTHERS.iter().find(|(kind, file)| may_be(file) && kind.of(bytes, None) == file.digest);
    same.map(|(_, file)| *file)
}

/// The files of the table of this crate whose SHA-256 is not known, with the kinds of their digests.
static OTHERS: LazyLock<Vec<(Digest, &KnownFile)>> = LazyLock::new(|| {
    // The digests of most files are SHA-256.
    let others = KnownFiles::table().files().iter().filter(|file| file.digest.len() != 2 * size_of::<Sha>());
    others.filter_map(|file| Some((Digest::kind(&file.digest)?, file))).collect()
});

/// The memory that a file of a list takes besides its texts: in the list, and by digest and path. A test measures it.
const FILE: usize = 640;

/// Returns the files of a list with one of them per line.
fn lines(text: &[u8], source: &str, meter: &Meter) -> Result<Vec<KnownFile>, BadLine> {
    let mut files = Vec::new();
    for (line, text) in (1..).zip(text.split(|&byte| byte == b'\n')) {
        let bad = |why: String| BadLine { line, why };
        let is_comment = text.starts_with(b"#") || text.starts_with(b";");
        if is_comment || text.trim_ascii().is_empty() {
            continue;
        }
        charge(meter, line, FILE + TEXTS * text.len() + source.len())?;
        if let Some((digest, path)) = line::of_git(text) {
            files.push(KnownFile::listed(digest, path, source.to_owned()));
            continue;
        }
        files.push(match core::str::from_utf8(text).ok().filter(|text| text.contains('\t')) {
            Some(row) => KnownFile::of_row(row).map_err(|column| {
                bad(format!("column {column}: expected digest, game, edition, path and source with tabs between them"))
            })?,
            None => {
                let why = "expected a digest and a path, as of sha256sum, sha1sum, md5sum or an SFV file";
                let (digest, path) = line::parse(text).ok_or_else(|| bad(why.to_owned()))?;
                KnownFile::listed(digest, path, source.to_owned())
            }
        });
    }
    Ok(files)
}

/// The files and the folder by which the root of an install is known in a list.
const MARKS: [&str; 5] = ["chitin.key", "data/nwn_base.key", "map.scen", "map.scea", "map.sce2"];

/// Returns the part of a path, with `/` between its parts, before the folder `zbd` or a file that is in the root of an install.
fn root_of(path: &str) -> Option<String> {
    let lower = path.to_ascii_lowercase();
    let before_folder = || match lower.starts_with("zbd/") {
        true => Some(0),
        false => lower.find("/zbd/").and_then(|at| at.checked_add(1)),
    };
    let before_file =
        |mark: &&str| lower.strip_suffix(*mark).filter(|root| root.is_empty() || root.ends_with('/')).map(str::len);
    let end = before_folder().or_else(|| MARKS.iter().find_map(before_file))?;
    path.get(..end).map(str::to_owned)
}

/// Returns the deepest of these roots that is above a path, and the path from there, with `/` between their parts.
fn below_root(path: &str, roots: &HashSet<String>) -> (String, String) {
    let path = path.replace('\\', "/");
    let own = root_of(&path).map(|root| root.len());
    let ends = path.rmatch_indices('/').map(|(at, folder)| at + folder.len()).chain([0]);
    let end = own.or_else(|| ends.into_iter().find(|end| path.get(..*end).is_some_and(|root| roots.contains(root))));
    let (root, inner) = end.and_then(|end| path.split_at_checked(end)).unwrap_or(("", &path));
    (root.to_owned(), inner.to_owned())
}

/// The files of an install that belong to the game: what others can add to their tables.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sold {
    /// The game.
    pub game: Game,
    /// The edition, or an empty text if it is not identified.
    pub edition: String,
    /// The folder of the install, as a prefix of the paths.
    root: String,
    files: Vec<String>,
}

impl Sold {
    /// Returns the files of an install, or `None` if its game is unknown.
    #[must_use]
    pub fn of(install: &Install) -> Option<Self> {
        let files = install.files.iter().filter(|(_, why)| !matches!(why, None | Some(Why::Written | Why::Added)));
        let files = files.map(|(path, _)| path.clone()).collect();
        Some(Self { game: install.game?, edition: install.edition.to_string(), root: install.root.clone(), files })
    }

    /// Returns the files of an install of Neverwinter Nights.
    #[must_use]
    pub fn of_keys(install: &aurora::Install) -> Self {
        let (root, files) = (install.root.clone(), install.sold.clone());
        Self { game: Game::Neverwinter, edition: install.edition.to_string(), root, files }
    }

    /// Returns the rows of a table, for the files whose hashes are known.
    pub fn table<'a>(
        &'a self,
        edition: &'a str,
        source: &'a str,
        sha256: impl Fn(&str) -> Option<Sha> + 'a,
    ) -> impl Iterator<Item = String> + 'a {
        let game = self.game.code();
        self.files.iter().filter_map(move |path| {
            let inner = path.strip_prefix(&self.root).unwrap_or(path).to_lowercase();
            Some(format!("{}\t{game}\t{edition}\t{inner}\t{source}\n", sha256(path)?))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Digests of `abc`, as published in FIPS 180, in RFC 1321, and by every CRC-32 calculator.
    const DIGESTS: [&str; 4] = [
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "a9993e364706816aba3e25717850c26c9cd0d89d",
        "900150983cd24fb0d6963f7d28e17f72",
        "352441c2",
    ];

    fn found(list: &str, bytes: &[u8]) -> Option<String> {
        let list = KnownList::parse(list.as_bytes(), "list").expect("a list");
        list.find("", bytes, None).map(|file| format!("{} {} {}", file.path, file.edition, file.source))
    }

    #[test]
    fn lists_with_any_digest_find_their_files() {
        for digest in DIGESTS {
            for line in [
                format!("# by hand\n{digest}  ZBD/interp.zbd\n"),
                format!("{} *games\\mw\\zbd\\interp.zbd\r\n", digest.to_uppercase()),
                format!("{digest}\tmw\t1.1\tzbd/interp.zbd\tme\n"),
            ] {
                let file = found(&line, b"abc").expect(digest).to_lowercase();
                assert!(file.starts_with("zbd/interp.zbd "), "{file}");
                assert_eq!(found(&line, b"abd"), None);
            }
        }
        assert!(found(&format!("; sfv\nzbd\\a b.zbd {}\n", DIGESTS[3]), b"abc").is_some());
        assert!(found(&format!("MD5 (zbd/a.zbd) = {}\n", DIGESTS[2]), b"abc").is_some());
        assert_eq!(
            found(&format!("{}\tmw\t1.1 German\tzbd/a.zbd\tme\n", DIGESTS[1]), b"abc").as_deref(),
            Some("zbd/a.zbd 1.1 German me")
        );
    }

    #[test]
    fn edition_with_most_of_the_files_tells_what_a_copy_lacks() {
        let [_, sha1, md5, crc] = DIGESTS;
        let row = |digest: &str, edition: &str, path: &str| format!("{digest}\tmw\t{edition}\t{path}\tme\n");
        let (first, second) = ("a first", "the second");
        let text = [
            row(sha1, first, "zbd/interp.zbd"),
            row(md5, second, "ZBD/interp.zbd"),
            row(crc, first, "zbd/c1/gamez.zbd"),
            row(crc, second, "zbd/c1/gamez.zbd"),
            row(crc, first, "zbd/of_both.zbd"),
            row(crc, second, "zbd/Of_both.zbd"),
            row(crc, first, "zbd/of_first.zbd"),
            row(crc, second, "zbd/of_second.zbd"),
        ];
        let list = KnownList::parse(text.concat().as_bytes(), "list").expect("a list");
        let lacking = |interp: Option<&str>| -> Vec<String> {
            let copy = [("zbd/interp.zbd".to_owned(), interp), ("zbd/c1/gamez.zbd".to_owned(), None)];
            let lacking = list.lacking(Some(Game::MechWarrior3), &HashMap::from(copy));
            lacking.into_iter().map(|file| file.path.clone()).collect()
        };
        assert_eq!(lacking(Some(sha1)), ["zbd/of_both.zbd", "zbd/of_first.zbd"]);
        assert_eq!(lacking(Some(md5)), ["zbd/Of_both.zbd", "zbd/of_second.zbd"]);
        assert_eq!(lacking(None), ["zbd/of_both.zbd"], "both have as many of its paths");
    }

    #[test]
    fn dat_files_name_the_game_as_edition() {
        let [_, sha1, md5, crc] = DIGESTS;
        let dat = |digest: &str| {
            format!(
                "\u{FEFF}<?xml version=\"1.0\"?>\n<!DOCTYPE datafile>\n<datafile><header><name>Zipper</name></header>\n\
                 <game name=\"MechWarrior 3 (Germany) &amp; more\"><rom name=\"zbd\\interp.zbd\" size=\"3\" {digest}/>\n\
                 <rom name=\"lost\" size=\"1\" status=\"nodump\"/></game></datafile>\n"
            )
        };
        for digest in [format!("crc=\"{crc}\""), format!("md5=\"{md5}\" crc=\"0\""), format!("sha1=\"{sha1}\"")] {
            assert_eq!(
                found(&dat(&digest), b"abc").as_deref(),
                Some("zbd/interp.zbd MechWarrior 3 (Germany) & more list"),
                "{digest}"
            );
        }
        let other_size = dat(&format!("crc=\"{crc}\"")).replace("size=\"3\"", "size=\"4\"");
        assert_eq!(found(&other_size, b"abc"), None);
    }

    #[test]
    fn other_files_are_refused_with_the_line() {
        let why = |text: &str| KnownList::parse(text.as_bytes(), "list").expect_err("refused").to_string();
        assert_eq!(why(""), "line 1: expected a list of digests and paths, or a DAT file");
        assert!(why("# a\nhello\n").starts_with("line 2: expected a digest and a path"));
        assert!(why("00\tmw\n").starts_with("line 1: column "));
        assert!(why("<html>\n</html>").starts_with("line 1: expected a DAT file"));
        assert!(
            why("<datafile>\n<game name=\"a\"><rom size=\"x\" name=\"b\" md5=\"12\"/></game></datafile>")
                .starts_with("line 2: ")
        );
        assert!(why("<datafile>\n<game>").starts_with("line 2: "), "{}", why("<datafile>\n<game>"));
    }
}
