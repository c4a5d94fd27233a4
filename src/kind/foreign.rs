//! Recognized but unsupported kinds: reported by name and hashed, but not decoded.
//!
//! Source: `zipper-installs.md`, section 1, and `nwn-other.md`.

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
    by_magic("bmp", b"BM"),
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
    by_magic("music", b"BMU V1.0"),
    by_ending("music", ".bmu"),
    by_magic("film", b"BIK"),
    // A container of the sister games (`nwn-erf.md`, section 6).
    by_magic("resource-image", b"RIM V1.0"),
    by_ending("plain-text", ".txt"),
];

/// Returns `true` for a Targa image, which has no magic: checks the color map flag and the image type.
fn is_targa(name: &str, file: &[u8]) -> bool {
    name.ends_with(".tga") && matches!(file, [_, 0 | 1, 1..=3 | 9..=11, ..])
}

/// Returns the foreign kind of a file, or `None` if it is not known.
#[must_use]
pub fn recognize(name: &str, file: &[u8]) -> Option<&'static str> {
    let name = name.to_lowercase();
    let known = FOREIGN.iter().find(|foreign| file.starts_with(foreign.magic) && name.ends_with(foreign.ending));
    known.map(|foreign| foreign.name).or_else(|| is_targa(&name, file).then_some("targa"))
}

#[cfg(test)]
mod tests {
    use super::recognize;

    /// Source: `zipper-installs.md`, section 1, and `zipper-other.md`, sections 5 to 7.
    #[test]
    fn files_of_other_programs_are_recognized() {
        let targa = [0, 0, 10, 0];
        for (name, file, kind) in [
            ("font.TGA", &targa[..], Some("targa")),
            ("font.bin", &targa, None),
            ("font.tga", &[0, 2, 10], None),
            ("00000409.016", b"BM\0", Some("bmp")),
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
        ] {
            assert_eq!(recognize(name, file), kind, "{name}");
        }
    }
}
