//! Known kinds that are not ours: named and hashed, never taken apart.
//!
//! Source: `zipper-installs.md`, section 1.

/// How a kind is known.
struct Foreign {
    name: &'static str,
    /// Bytes at the beginning.
    magic: &'static [u8],
    /// An ending of the file name, in lower case, that must be there as well.
    ending: &'static str,
}

const fn by_magic(name: &'static str, magic: &'static [u8]) -> Foreign {
    Foreign { name, magic, ending: "" }
}

/// In the order in which they are judged. An `.icd` is an encrypted program with the head of a plain one.
static FOREIGN: &[Foreign] = &[
    Foreign { name: "encrypted program", magic: b"", ending: ".icd" },
    by_magic("program", b"MZ"),
    by_magic("bmp", b"BM"),
    by_magic("png", b"\x89PNG\r\n\x1A\n"),
    by_magic("jpeg", b"\xFF\xD8\xFF"),
    by_magic("tiff", b"II*\0"),
    by_magic("tiff", b"MM\0*"),
    by_magic("mpeg", b"\0\0\x01\xBA"),
    by_magic("mpeg", b"\0\0\x01\xB3"),
    by_magic("ole document", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"),
    by_magic("rtf", b"{\\rtf"),
    by_magic("installshield cabinet", b"ISc("),
    by_magic("internet shortcut", b"[InternetS"),
    Foreign { name: "truetype font", magic: b"\0\x01\0\0", ending: ".ttf" },
    Foreign { name: "icon", magic: b"\0\0\x01\0", ending: ".ico" },
    // Binary models are claimed before: what is left is the text that both compilers read.
    Foreign { name: "text model", magic: b"", ending: ".mdl" },
    Foreign { name: "plain text", magic: b"", ending: ".txt" },
];

/// The foreign kind of a file, if it is one that is known.
#[must_use]
pub fn recognise(name: &str, file: &[u8]) -> Option<&'static str> {
    let name = name.to_lowercase();
    let known = FOREIGN.iter().find(|foreign| file.starts_with(foreign.magic) && name.ends_with(foreign.ending));
    known.map(|foreign| foreign.name)
}
