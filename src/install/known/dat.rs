//! DAT files in the XML of Logiqx, as of No-Intro and Redump: files by game, with size and digests.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::FILE;
use crate::install::snapshot::{BadLine, TEXTS};
use crate::install::zipper::KnownFile;
use field::memory::Meter;
use field::wide;

/// The digests of a file, the strongest first, with their numbers of digits.
const DIGESTS: [(&str, usize); 4] = [("sha256", 64), ("sha1", 40), ("md5", 32), ("crc", 8)];

/// Returns the files of a DAT file. Files without a good dump are left out.
///
/// # Errors
/// Returns an error for the first line that is not part of a DAT file.
pub(super) fn files(text: &[u8], source: &str, meter: &Meter) -> Result<Vec<KnownFile>, BadLine> {
    let text = core::str::from_utf8(text).map_err(|error| {
        let before = text.get(..error.valid_up_to()).unwrap_or_default();
        BadLine { line: line_of(before), why: "expected UTF-8".to_owned() }
    })?;
    let mut reader = Reader::from_str(text);
    let (mut files, mut game, mut open, mut is_dat) = (Vec::new(), String::new(), 0_u64, false);
    loop {
        let event = reader.read_event();
        let at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let bad = |why: String| BadLine { line: line_of(text.as_bytes().get(..at).unwrap_or(text.as_bytes())), why };
        let event = event.map_err(|error| bad(error.to_string()))?;
        match &event {
            Event::Start(element) | Event::Empty(element) => {
                let of = |name| attribute(element, name).map_err(bad);
                match element.name().as_ref() {
                    "datafile" => is_dat = true,
                    _ if !is_dat => return Err(bad("expected a DAT file, with the element datafile".to_owned())),
                    "game" | "machine" => game = of("name")?.unwrap_or_default(),
                    "rom" if !matches!(of("status")?.as_deref(), Some("nodump" | "baddump")) => {
                        let bytes = FILE + TEXTS * element.len() + game.len() + source.len();
                        meter.charge(wide(bytes)).map_err(|fault| bad(fault.to_string()))?;
                        files.push(file(&game, source, of).and_then(|file| file.map_err(bad))?);
                    }
                    _ => {}
                }
                open = open.saturating_add(matches!(event, Event::Start(_)).into());
            }
            Event::End(_) => open = open.saturating_sub(1),
            Event::Eof if open > 0 => {
                return Err(bad("expected the end of an element; the file is cut off".to_owned()));
            }
            Event::Eof => return Ok(files),
            _ => {}
        }
    }
}

/// Returns the file of an element `rom`.
fn file<E>(
    game: &str,
    source: &str,
    of: impl Fn(&'static str) -> Result<Option<String>, E>,
) -> Result<Result<KnownFile, String>, E> {
    let Some(path) = of("name")? else { return Ok(Err("expected the name of a file".to_owned())) };
    let bytes = of("size")?;
    let size = bytes.as_deref().map(str::parse::<u64>).transpose();
    let Ok(size) = size else { return Ok(Err(format!("expected a size, found {}", bytes.unwrap_or_default()))) };
    for (name, digits) in DIGESTS {
        let digest = of(name)?.unwrap_or_default().to_ascii_lowercase();
        if digest.len() == digits && digest.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            let known = KnownFile::listed(digest, path, source.to_owned());
            return Ok(Ok(KnownFile { bytes: size, edition: game.to_owned(), ..known }));
        }
    }
    Ok(Err(format!("expected a SHA-256, SHA-1, MD5 or CRC-32 of {path}")))
}

fn attribute(element: &BytesStart<'_>, name: &'static str) -> Result<Option<String>, String> {
    let found = element.try_get_attribute(name).map_err(|error| error.to_string())?;
    let value = found.map(|it| it.normalized_value(XmlVersion::Implicit1_0).map(|value| value.into_owned()));
    value.transpose().map_err(|error| error.to_string())
}

/// Returns the number of the line after these bytes.
fn line_of(before: &[u8]) -> usize {
    before.iter().filter(|&&byte| byte == b'\n').count().saturating_add(1)
}
