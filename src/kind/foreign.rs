//! Recognized but unsupported kinds: reported by name and hashed, but not decoded.
//!
//! Source: [`zipper-installs.md`](formats::zipper_installs), section 1, and
//! [`nwn-other.md`](formats::nwn_other).

/// A foreign kind, with the conditions that identify it.
struct Foreign {
    name: &'static str,
    /// The bytes at the beginning of the file.
    magic: &'static [u8],
    /// The required ending of the file name, in lower case.
    ending: &'static str,
}

const fn by_magic(name: &'static str, magic: &'static [u8]) -> Foreign {
    Foreign { name, magic, ending: "" }
}

const fn by_ending(name: &'static str, ending: &'static str) -> Foreign {
    Foreign { name, magic: b"", ending }
}

/// A mod that `bitexact mod make` has written.
pub const MOD: &str = "bitexact-mod";

/// The foreign kinds, in the order in which they are checked. An `.icd` is an encrypted program with the header of a plain one.
static FOREIGN: &[Foreign] = &[
    // Neither a module of Neverwinter Nights nor music, which have the same extension.
    by_magic(MOD, br#"{"bitexact":"mod","#),
    by_ending("encrypted-program", ".icd"),
    by_magic("program", b"MZ"),
    // `BM` alone also begins music and texts.
    Foreign { name: "bmp", magic: b"BM", ending: ".bmp" },
    by_magic("png", b"\x89PNG\r\n\x1A\n"),
    by_magic("jpeg", b"\xFF\xD8\xFF"),
    by_magic("tiff", b"II*\0"),
    by_magic("tiff", b"MM\0*"),
    by_magic("mpeg", b"\0\0\x01\xBA"),
    by_magic("mpeg", b"\0\0\x01\xB3"),
    by_magic("ole-document", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"),
    by_magic("rtf", b"{\\rtf"),
    // A film that the installer left compressed (`zipper-other.md`, section 6).
    Foreign { name: "compressed-film", magic: b"ISc(", ending: ".avi" },
    by_magic("installshield-cabinet", b"ISc("),
    by_magic("internet-shortcut", b"[InternetS"),
    Foreign { name: "truetype-font", magic: b"\0\x01\0\0", ending: ".ttf" },
    Foreign { name: "icon", magic: b"\0\0\x01\0", ending: ".ico" },
    by_magic("registry-settings", b"REGEDIT4"),
    by_magic("registry-settings", b"\xFF\xFEW\0i\0n\0d\0o\0w\0s\0 \0R\0e\0g\0"),
    by_ending("force-feedback", ".ifr"),
    by_ending("uninstaller-data", ".isu"),
    by_ending("uninstaller-data", ".ddl"),
    by_ending("installer-data", ".sem"),
    by_magic("dds", b"DDS "),
    // The texture format of Neverwinter Nights has no magic (`nwn-other.md`, section 3).
    by_ending("dds", ".dds"),
    by_ending("script", ".nss"),
    by_ending("texture-settings", ".txi"),
    // Sounds and music in frames of MP3, mostly named `.wav` (`nwn-other.md`, section 9).
    by_magic("music", b"BMU V1.0"),
    by_ending("music", ".bmu"),
    by_ending("music", ".mp3"),
    // Of the sister games (`nwn-other.md`, section 10).
    by_magic("walkmesh-of-sister-game", b"BWM V1.0"),
    by_ending("model-data-of-sister-game", ".mdx"),
    by_magic("film", b"BIK"),
    // A container of the sister games (`nwn-erf.md`, section 6).
    by_magic("resource-image", b"RIM V1.0"),
    by_ending("plain-text", ".txt"),
    // Texts of other tools for animations (`zipper-reader.md`, section 4.6).
    by_ending("animation-script", ".zan"),
    by_ending("animation-text", ".zad"),
    // What copies of games are kept in.
    by_magic("zip-archive", b"PK\x03\x04"),
    by_magic("zip-archive", b"PK\x05\x06"),
    by_magic("7z-archive", b"7z\xBC\xAF\x27\x1C"),
    by_magic("rar-archive", b"Rar!\x1A\x07"),
    by_magic("cabinet", b"MSCF"),
    by_magic("gzip-file", b"\x1F\x8B\x08"),
    by_magic("bzip2-file", b"BZh"),
    by_magic("xz-file", b"\xFD7zXZ\0"),
    by_magic("zstandard-file", b"\x28\xB5\x2F\xFD"),
    by_magic("stuffit-archive", b"SIT!"),
    by_magic("stuffit-archive", b"StuffIt (c)"),
    by_magic("binhex-file", b"(This file must be converted with BinHex"),
    by_ending("binhex-file", ".hqx"),
    // A track of a disc in sectors of 2,352 bytes begins with the mark of a sector.
    by_magic("raw-disc-image", b"\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0"),
    by_ending("cue-sheet", ".cue"),
    by_ending("mac-disk-image", ".dmg"),
];

/// The offset of the first volume descriptor of an ISO 9660 image, and the word in it.
const VOLUME: (usize, &[u8]) = (0x8001, b"CD001");
/// The offset of the mark of a tar archive in its first header.
const TAR: (usize, &[u8]) = (257, b"ustar");

/// Returns what to do with a container of files that is not read as a whole, or `None` for other kinds.
#[must_use]
pub fn advice(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "zip-archive" => "is a ZIP archive: verify it by itself, or unpack it and verify the folder",
        "tar-archive" => "is a tar archive: verify it by itself, or unpack it and verify the folder",
        "7z-archive" | "rar-archive" => "is an archive: unpack it (7-Zip does) and verify the folder",
        "cabinet" => "is a cabinet of an installer: unpack it (7-Zip or cabextract do) and verify the folder",
        "installshield-cabinet" => {
            "is a cabinet of InstallShield: install the game, or unpack it (unshield does), and verify the folder"
        }
        "gzip-file" | "bzip2-file" | "xz-file" | "zstandard-file" => {
            "is compressed: decompress it (7-Zip does) and verify what is in it"
        }
        "stuffit-archive" => "is an archive of a Mac: unpack it (The Unarchiver or unar do) and verify the folder",
        "binhex-file" => {
            "is BinHex, a file of a Mac as text: decode it (`bitexact pack FILE.hqx FILE.bin` does) and verify the file"
        }
        "disc-image" => {
            "is an image of a disc: open it as a drive (the system does on a double click; on Linux 7-Zip unpacks it) and verify the drive"
        }
        "raw-disc-image" | "cue-sheet" => {
            "is an image of a disc in raw sectors: convert it to ISO (bchunk does), open that as a drive and verify the drive"
        }
        "mac-disk-image" => {
            "is a disk image of a Mac: open it (on other systems 7-Zip unpacks it) and verify the folder"
        }
        _ => return None,
    })
}

/// Returns `true` for a Targa image, which has no magic: checks the color map flag and the image type.
fn is_targa(name: &str, file: &[u8]) -> bool {
    name.ends_with(".tga") && matches!(file, [_, 0 | 1, 1..=3 | 9..=11, ..])
}

/// Returns `true` for a bitmap of any name: `BM`, reserved zeros, and an offset of the pixels after a header of known size.
fn is_bitmap(file: &[u8]) -> bool {
    let word = |at: usize| file.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
    let header = word(14).filter(|size| matches!(size, 12 | 40 | 52 | 56 | 64 | 108 | 124));
    file.starts_with(b"BM") && word(6) == Some(0) && header.is_some_and(|size| word(10) >= size.checked_add(14))
}

/// Returns `true` for frames of MP3: after a tag, or two in a row of which the first says where the second begins
/// (`nwn-other.md`, section 9).
#[must_use]
pub fn is_mp3(file: &[u8]) -> bool {
    file.starts_with(b"ID3") || frame(file).is_some_and(|size| file.get(size..).and_then(frame).is_some())
}

/// Returns the size of the frame of MPEG audio, layer III, that some bytes begin with.
fn frame(bytes: &[u8]) -> Option<usize> {
    const RATES: [usize; 14] = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
    const LATER_RATES: [usize; 14] = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
    let [0xFF, second, third, _] = *bytes.first_chunk()? else { return None };
    let (sync, version, layer) = (second >> 5, second >> 3 & 3, second >> 1 & 3);
    let (rate, frequency, padding) =
        (usize::from(third >> 4), usize::from(third >> 2 & 3), usize::from(third >> 1 & 1));
    let (rates, samples, halved) = match version {
        3 => (RATES, 144, 0),
        2 => (LATER_RATES, 72, 1),
        0 => (LATER_RATES, 72, 2),
        _ => return None,
    };
    let rate = rates.get(rate.checked_sub(1)?)?.checked_mul(1000)?;
    let frequency = [44_100_usize, 48_000, 32_000].get(frequency)? >> halved;
    let size = rate.checked_mul(samples)?.checked_div(frequency)?.checked_add(padding)?;
    (sync == 7 && layer == 1).then_some(size)
}

/// Returns `true` for a binary model of the sister games, whose raw data are in another file: the type of the model is at another place
/// (`nwn-other.md`, section 10).
#[must_use]
pub fn is_sister_model(file: &[u8]) -> bool {
    let word = |at: usize| file.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
    let is_filled = word(4).and_then(|size| usize::try_from(size).ok()?.checked_add(12)) == Some(file.len());
    word(0) == Some(0) && is_filled && file.get(0x58) == Some(&2) && file.get(0x78) != Some(&2)
}

/// Returns `true` for a page of the web, as a server sends it in place of a file that it does not have.
#[must_use]
pub fn is_web_page(file: &[u8]) -> bool {
    let text = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file).trim_ascii_start();
    let begins = |with: &[u8]| text.get(..with.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(with));
    [&b"<!doctype html"[..], b"<html", b"<head>", b"<head ", b"<body>", b"<body "].iter().any(|with| begins(with))
}

/// The foreign kinds that are known by more than the beginning and the name of a file.
const BY_CONTENT: [&str; 7] =
    ["disc-image", "tar-archive", "web-page", "bmp", "targa", "model-of-sister-game", "music"];

/// Returns the foreign kind with this name, or `None` if there is none.
#[must_use]
pub fn named(name: &str) -> Option<&'static str> {
    let by_beginning = FOREIGN.iter().map(|foreign| foreign.name);
    by_beginning.chain(BY_CONTENT).find(|known| *known == name)
}

/// Returns the foreign kind of a file, or `None` if it is not known.
#[must_use]
pub fn recognize(name: &str, file: &[u8]) -> Option<&'static str> {
    let name = name.to_lowercase();
    let known = || FOREIGN.iter().find(|foreign| file.starts_with(foreign.magic) && name.ends_with(foreign.ending));
    let is_sound = [".wav", ".bmu", ".mp3"].iter().any(|ending| name.ends_with(ending));
    let has = |(at, mark): (usize, &[u8])| file.get(at..).is_some_and(|rest| rest.starts_with(mark));
    Some(match known() {
        None if has(VOLUME) => "disc-image",
        None if has(TAR) => "tar-archive",
        _ if is_web_page(file) => "web-page",
        _ if is_bitmap(file) => "bmp",
        Some(foreign) => foreign.name,
        None if is_targa(&name, file) => "targa",
        None if is_sister_model(file) => "model-of-sister-game",
        None if is_sound && is_mp3(file) => "music",
        None => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{named, recognize};

    /// Source: `zipper-installs.md`, section 1, and `zipper-other.md`, sections 5 to 7.
    #[test]
    fn files_of_other_programs_are_recognized() {
        let targa = [0, 0, 10, 0];
        let bitmap = [&b"BM\x3A\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0"[..], &[0; 40]].concat();
        // 96 kbit/s at 44.1 kHz: 313 bytes, then the header of the next frame.
        let frames = [&b"\xFF\xFB\x70\xC0"[..], &[0; 309], b"\xFF\xFB\x70\xC0"].concat();
        let sister = {
            let mut model = vec![0; 0x100];
            model[4..8].copy_from_slice(&0xF4_u32.to_le_bytes());
            model[0x58] = 2;
            model
        };
        for (name, file, kind) in [
            ("font.TGA", &targa[..], Some("targa")),
            ("font.bin", &targa, None),
            ("font.tga", &[0, 2, 10], None),
            ("00000409.016", &bitmap, Some("bmp")),
            ("business.txt", b"BM is a firm", Some("plain-text")),
            ("cool.bmu", b"BMU V1.0\xFF\xFB", Some("music")),
            ("voice.wav", b"BMU V1.0", Some("music")),
            ("voice.wav", b"ID3\x03", Some("music")),
            ("voice.wav", &frames, Some("music")),
            ("voice.wav", &frames[..frames.len() - 1], None),
            ("voice.dat", &frames, None),
            ("404.zbd", b"\r\n<!DOCTYPE HTML>\n<html>", Some("web-page")),
            ("a.mdl", &sister, Some("model-of-sister-game")),
            ("a.wok", b"BWM V1.0", Some("walkmesh-of-sister-game")),
            ("c1m1.avi", b"ISc(", Some("compressed-film")),
            ("data1.cab", b"ISc(", Some("installshield-cabinet")),
            ("Mech3.icd", b"MZ", Some("encrypted-program")),
            ("crimsonff.IFR", b"any", Some("force-feedback")),
            ("Uninst.isu", b"", Some("uninstaller-data")),
            ("settings.reg", b"REGEDIT4\r\n", Some("registry-settings")),
            ("intro.mpg", b"\0\0\x01\xBA", Some("mpeg")),
            ("arial.ttf", b"\0\x01\0\0", Some("truetype-font")),
            ("arial.dat", b"\0\x01\0\0", None),
            ("cool.mod", br#"{"bitexact":"mod","schema":1}"#, Some("bitexact-mod")),
            ("song.mod", b"any", None),
            ("walk.zan", b"any", Some("animation-script")),
            ("list.ZAD", b"any", Some("animation-text")),
            ("rc.zip", b"PK\x03\x04", Some("zip-archive")),
            ("rc.7z", b"7z\xBC\xAF\x27\x1C", Some("7z-archive")),
            ("rc.rar", b"Rar!\x1A\x07\x01\0", Some("rar-archive")),
            ("data.cab", b"MSCF", Some("cabinet")),
            ("rc.tar.gz", b"\x1F\x8B\x08", Some("gzip-file")),
            ("Marathon.sit", b"SIT!", Some("stuffit-archive")),
            ("Marathon.hqx", b"(This file must be converted with BinHex 4.0)", Some("binhex-file")),
            ("rc.bin", b"\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\0\x02\0\x01", Some("raw-disc-image")),
            ("rc.cue", b"FILE \"rc.bin\" BINARY", Some("cue-sheet")),
            ("rc.iso", &[&[0; 0x8001][..], b"CD001"].concat(), Some("disc-image")),
            ("rc.tar", &[&[0; 257][..], b"ustar"].concat(), Some("tar-archive")),
        ] {
            assert_eq!(recognize(name, file), kind, "{name}");
            assert_eq!(kind.and_then(named), kind, "{name}");
        }
    }
}
