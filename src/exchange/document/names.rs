//! File names for entries: turns any bytes into unique names that every file system accepts.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

#[cfg(feature = "exchange")]
use unicode_normalization::UnicodeNormalization as _;

use field::{Label, Style as _, Thresholds, Windows, decode_text};
use output::PREFIX;

/// The file of the model itself, the manifest, which lists the others.
pub const MANIFEST: &str = "bitexact.json";
/// Names that Windows reserves for devices, with any extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
/// Names of numbered devices.
const NUMBERED: [&str; 2] = ["com", "lpt"];

/// The file names in use, including that of the manifest.
#[derive(Clone, Debug)]
pub struct Names {
    /// Case-folded paths of files and folders.
    taken: HashSet<String>,
    /// Case-folded paths of folders that contain files.
    leading: HashSet<String>,
    /// The folders that names of entries lead through, by their case-folded paths.
    folders: HashMap<String, String>,
    /// The number of the next duplicate, by the path of the first: none below it is free.
    twins: HashMap<String, u64>,
}

impl Default for Names {
    fn default() -> Self {
        let mut names =
            Self { taken: HashSet::new(), leading: HashSet::new(), folders: HashMap::new(), twins: HashMap::new() };
        names.take(MANIFEST);
        names
    }
}

impl Names {
    /// Returns the path of the file of an entry, in the folder named after its container's file without extension. `raw` is the
    /// extension; without it, the file is JSON. A backslash in the name of an entry separates folders, as it does in the games.
    pub(crate) fn file(&mut self, container: &str, label: &Label, raw: Option<&str>) -> String {
        let mut folder = container.rsplit_once('.').map_or(String::new(), |(stem, _)| format!("{stem}/"));
        let name = decode_text(Windows::PAGE, &label.name);
        let mut name = name.as_str();
        for _ in 0..Thresholds::here().folders_of_name {
            let Some((outer, inner)) = name.split_once('\\') else { break };
            folder = self.folder(&format!("{folder}{}", safe(outer)));
            name = inner;
        }
        let name = safe(name);
        let extension = raw.unwrap_or("json");
        let stem = match name.rsplit_once('.') {
            // A name that already has this extension needs no second one.
            Some((stem, end)) if raw.is_some() && end.eq_ignore_ascii_case(extension) && !stem.is_empty() => stem,
            _ => &name,
        };
        let own = if stem == name { extension } else { name.get(stem.len() + 1..).unwrap_or(extension) };
        self.free(&format!("{folder}{stem}"), own)
    }

    /// Returns a folder for entries, with `/` at its end: this one, unless an entry has its path.
    fn folder(&mut self, path: &str) -> String {
        let key = fold(path);
        if let Some(known) = self.folders.get(&key) {
            return known.clone();
        }
        let folder = format!("{}/", self.beside(path, ""));
        self.folders.insert(key, folder.clone());
        folder
    }

    /// Returns the path of a file that replaces the JSON of an entry at `json`: the name of the entry, or that name and `end` if it has no
    /// extension or is that of a JSON file.
    pub(crate) fn instead(&mut self, json: &str, end: &str) -> String {
        let own = json.strip_suffix(".json").unwrap_or(json);
        self.release(json);
        let extension = own.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, extension)| extension);
        let keeps = extension.is_some_and(|extension| !extension.eq_ignore_ascii_case("json"));
        self.beside(own, if keeps { "" } else { end })
    }

    /// Returns the path of a part of a document, in this folder.
    pub(crate) fn part(&mut self, folder: &str, name: &str) -> String {
        self.free(&format!("{folder}/{}", safe(name)), "json")
    }

    /// Returns a path like this one, with this extension, that is not taken.
    pub fn again(&mut self, path: &str, extension: &str) -> String {
        let (folder, name) = path.rsplit_once('/').map_or(("", path), |both| both);
        let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let stem = name.strip_suffix(".json").unwrap_or(name);
        let stem = stem.strip_suffix(&format!(".{extension}")).unwrap_or(stem);
        self.free(&format!("{folder}{}", safe(stem)), extension)
    }

    /// Returns the path of a file that belongs to another one and is named after it, with this ending. `own` is the path of the
    /// other file without its extension, which no entry shares.
    pub(crate) fn beside(&mut self, own: &str, end: &str) -> String {
        let path = |twin: u64| if twin == 1 { format!("{own}{end}") } else { format!("{own}~{twin}{end}") };
        let is_free = |path: &String| !self.leading.contains(&fold(path)) && self.taken.insert(fold(path));
        (1..).map(path).find(is_free).unwrap_or_default()
    }

    /// Marks a path as taken, and the folders that lead to it.
    pub fn take(&mut self, path: &str) {
        let inner = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        self.taken.extend([fold(path), fold(inner)]);
        self.leading.extend(path.match_indices('/').filter_map(|(end, _)| path.get(..end)).map(fold));
    }

    /// Releases the path of a file that was removed.
    pub fn release(&mut self, path: &str) {
        let inner = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        self.taken.remove(&fold(path));
        self.taken.remove(&fold(inner));
        // The number is free again, whichever name it duplicates.
        self.twins.clear();
    }

    fn free(&mut self, stem: &str, extension: &str) -> String {
        let first = fold(&format!("{stem}.{extension}"));
        for twin in self.twins.get(&first).copied().unwrap_or(1).. {
            let stem = if twin == 1 { stem.to_owned() } else { format!("{stem}~{twin}") };
            // The folder of its entries has the name without extension.
            let path = format!("{stem}.{extension}");
            if !self.taken.contains(&fold(&path)) && !self.taken.contains(&fold(&stem)) {
                self.take(&path);
                self.twins.insert(first, twin + 1);
                return path;
            }
        }
        String::new()
    }
}

/// Returns a path without case and with separate accents, as the file systems of Windows and macOS compare them: for macOS, `ß` equals
/// `ss`, and `é` is one character or two.
#[must_use]
pub fn fold(path: &str) -> String {
    if path.is_ascii() {
        return path.to_ascii_lowercase();
    }
    #[cfg(feature = "exchange")]
    let path = path.nfd().collect::<String>();
    path.to_uppercase().to_lowercase()
}

/// Returns `true` for the name of a file or folder that an editor, a system or version control puts beside the files of a user, or
/// that a killed call of this program has left there. The file of an entry never has such a name.
#[must_use]
pub fn is_litter(name: &str) -> bool {
    /// Windows and macOS ignore case. `._NAME` is not here: it can be the resource fork of a game file.
    const NAMES: [&str; 12] = [
        "thumbs.db",
        "ehthumbs.db",
        "desktop.ini",
        ".ds_store",
        ".directory",
        ".git",
        ".gitignore",
        ".gitattributes",
        ".svn",
        ".hg",
        ".vscode",
        ".idea",
    ];
    let is_swap = || name.starts_with('.') && name.ends_with(".swp");
    NAMES.contains(&name.to_lowercase().as_str()) || name.ends_with('~') || is_swap() || name.starts_with(PREFIX)
}

/// Returns the beginning of a relative path up to the first part that is [litter](is_litter), or `None` if no part is.
#[must_use]
pub fn litter_in(path: &Path) -> Option<PathBuf> {
    let mut until = PathBuf::new();
    path.iter().find_map(|part| {
        until.push(part);
        part.to_str().is_some_and(is_litter).then(|| until.clone())
    })
}

/// Returns a name that contains no path, that every file system accepts, and that is no litter. It is short, since some accept only
/// 255 bytes.
fn safe(name: &str) -> String {
    escaped(name, Thresholds::here().bytes_of_name)
}

fn escaped(name: &str, longest: usize) -> String {
    let mut safe = String::new();
    for character in name.chars() {
        let odd = character.is_control() || "<>:\"/\\|?*%".contains(character);
        if odd || (safe.is_empty() && character == '.') {
            let mut bytes = [0; 4];
            for byte in character.encode_utf8(&mut bytes).bytes() {
                safe.push_str(&format!("%{byte:02X}"));
            }
        } else {
            safe.push(character);
        }
        if safe.len() >= longest {
            break;
        }
    }
    // Windows removes dots and spaces at the end; backups of editors end with a tilde.
    if let Some(end @ ('.' | ' ' | '~')) = safe.chars().last() {
        safe.pop();
        safe.push_str(&format!("%{:02X}", u32::from(end)));
    }
    let device = safe.split_once('.').map_or(safe.as_str(), |(stem, _)| stem).trim_end().to_lowercase();
    let numbers = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"];
    let numbered = || NUMBERED.iter().any(|port| device.strip_prefix(port).is_some_and(|it| numbers.contains(&it)));
    if safe.is_empty() || DEVICES.contains(&device.as_str()) || numbered() || is_litter(&safe) {
        safe.insert(0, '_');
    }
    safe
}

/// Returns `true` if every file system accepts a name and it contains no path. It may begin with a dot.
#[cfg(feature = "exchange")]
#[must_use]
pub fn is_safe(name: &str) -> bool {
    /// The longest name in bytes that every file system accepts.
    const MOST: usize = 255;
    let plain = name.trim_start_matches('.').replace('%', "_");
    !plain.is_empty() && name.len() <= MOST && escaped(&plain, usize::MAX) == plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(names: &mut Names, name: &[u8]) -> String {
        names.file("", &Label { name: name.into(), ..Label::default() }, None)
    }

    #[test]
    fn names_never_contain_paths_or_devices() {
        let mut names = Names::default();
        for (name, expected) in [
            (&b"weapons.zrd"[..], "weapons.zrd.json"),
            (b"..\\evil", "%2E%2E/evil.json"),
            (b"\\\\host\\", "_/_/host/_.json"),
            (b"data\\aux\\tail. \\x.gw", "data/_aux/tail.%20/x.gw.json"),
            (b"a\\b\\c\\d\\e\\f\\g\\h\\i\\j", "a/b/c/d/e/f/g/h/i%5Cj.json"),
            (b"..", "%2E%2E~2.json"),
            (b"a/b", "a%2Fb.json"),
            (b"/etc/passwd", "%2Fetc%2Fpasswd.json"),
            (b"C:\\x", "C%3A/x.json"),
            (b"CON", "_CON.json"),
            (b"com1.zrd", "_com1.zrd.json"),
            (b"LPT\xB2", "_LPT².json"),
            (b"", "_~2.json"),
            (b"tail. ", "tail.%20.json"),
            (b"\x01\n", "%01%0A.json"),
            (b"backup~\\x~", "backup%7E/x%7E.json"),
            (b"thumbs.db\\x", "_thumbs.db/x.json"),
        ] {
            assert_eq!(file(&mut names, name), expected);
        }
    }

    #[test]
    fn no_file_of_an_entry_counts_as_litter() {
        for name in ["Thumbs.db", "desktop.ini", ".git", ".x.swp", "x~", ".bitexact-a1B2c3"] {
            assert!(is_litter(name) && !is_litter(&safe(name)), "{name}");
        }
        assert!(!is_litter("git") && !is_litter("x~2.json") && !is_litter("bitexact.json"));
    }

    #[test]
    fn names_that_differ_by_case_become_distinct() {
        let mut names = Names::default();
        assert_eq!(file(&mut names, b"A.zrd"), "A.zrd.json");
        assert_eq!(file(&mut names, b"a.zrd"), "a.zrd~2.json");
        assert_eq!(file(&mut names, b"a.ZRD"), "a.ZRD~3.json");
        assert_eq!(file(&mut names, b"a.zrd~2"), "a.zrd~2~2.json");
    }

    #[test]
    fn folder_and_entry_never_share_a_path() {
        let mut names = Names::default();
        for (name, expected) in [
            (&b"data\\x.gw"[..], "data/x.gw.json"),
            (b"DATA\\X.GW", "data/X.GW~2.json"),
            (b"data", "data~2.json"),
            (b"hob", "hob.json"),
            (b"hob\\y", "hob~2/y.json"),
            (b"Hob\\z", "hob~2/z.json"),
            (b"w.json\\x", "w.json/x.json"),
            (b"w", "w~2.json"),
            (b"bitexact\\x", "bitexact~2/x.json"),
        ] {
            assert_eq!(file(&mut names, name), expected);
        }
        let mut names = Names::default();
        names.take("x.png/y.json");
        assert_eq!(names.beside("x", ".png"), "x~2.png");
    }

    #[test]
    fn file_instead_of_json_has_the_name_of_its_entry() {
        let mut names = Names::default();
        for (name, expected) in [
            (&b"data\\x.gw"[..], "data/x.gw"),
            (b"x.gs", "x.gs"),
            (b"index", "index.txt"),
            (b"y.JSON", "y.JSON.txt"),
            (b"y.JSON.txt", "y.JSON.txt~2"),
        ] {
            let json = file(&mut names, name);
            assert_eq!(names.instead(&json, ".txt"), expected);
        }
    }

    #[test]
    fn no_entry_gets_the_name_of_the_manifest() {
        for name in [&b"bitexact"[..], b"BITEXACT", b"BitExact.json"] {
            let path = file(&mut Names::default(), name);
            assert!(path.contains("~2."), "{path}");
        }
        let wave = Names::default().file("", &Label::role("bitexact.wav"), Some("wav"));
        assert_eq!(wave, "bitexact~2.wav", "its folder would be that of the head");
    }

    #[test]
    fn names_that_are_equal_on_macos_become_distinct() {
        let mut names = Names::default();
        assert_eq!(file(&mut names, b"stra\xDFe"), "straße.json");
        assert_eq!(file(&mut names, b"STRASSE"), "STRASSE~2.json");
    }

    #[test]
    fn file_beside_another_never_takes_the_name_of_an_entry() {
        let mut names = Names::default();
        names.take("data.png.json");
        assert_eq!(names.beside("data", ".png"), "data~2.png");
        assert_eq!(names.beside("other", "/alpha.png"), "other/alpha.png");
    }

    #[test]
    fn many_duplicates_do_not_retry_every_number() {
        let mut names = Names::default();
        let last = (0..20_000).map(|_| file(&mut names, b"a")).last();
        assert_eq!(last.as_deref(), Some("a~20000.json"));
        names.release("a~7.json");
        assert_eq!(file(&mut names, b"A"), "A~7.json");
    }

    #[test]
    fn contents_of_an_entry_have_their_own_folder() {
        let mut names = Names::default();
        let label = Label::role("0");
        let level = names.file("", &label, None);
        assert_eq!(names.file(&level, &Label::role("PNTS"), None), "0/PNTS.json");
        assert_eq!(names.file("", &Label::role("horn.WAV"), Some("wav")), "horn.WAV");
        assert_eq!(names.file("", &Label::role("horn"), Some("wav")), "horn~2.wav");
    }
}
