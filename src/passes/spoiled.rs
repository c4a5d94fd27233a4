//! What has happened to a file as a whole: it is empty, a web page is in its place, other bytes follow it, or a program has converted it
//! as if it were text.
//!
//! A conversion is certain if the file decodes once it is undone, and one to UTF-8 is likely if a file that is no text is UTF-8.

use core::ops::Range;

use bytes::Bytes;

use field::walk::visit_fresh;
use field::{Datum, Error, Fault, Place, Result, Run, Step, Visitor, WINDOWS_1252, What, encode_text, wide};
use kind::{Kind, Model, foreign};
use lint::{Warning, traps};
use output::printable::counted;

use super::check::{Check, Deviation};
use super::zeros::is_lost_end;

traps! { TRAPS:
    EMPTY = "file-empty" in Damage:
        "the file is empty" => "its bytes are lost: take another copy of it", "zipper-installs.md, section 8 (checked)";
    WEB_PAGE = "file-is-web-page" in Damage:
        "a web page is in place of the file" => "a server has sent it instead of the file: download the file again",
        "zipper-installs.md, section 8 (checked)";
    ARCHIVE = "file-is-archive" in Damage:
        "an archive or another container is in place of the file" => "unpack it, and put the file that is in it in this place",
        "zipper-installs.md, section 8 (checked)";
    TEXT_MODE = "file-in-text-mode" in Damage:
        "every LF has a CR before it, as after a transfer of text" => "transfer the file again in binary mode",
        "zipper-installs.md, section 8 (checked)";
    UTF_8 = "file-as-unicode" in Damage:
        "the bytes are UTF-8, as after a conversion of text" => "copy the file again, with a program that does not convert it",
        "zipper-installs.md, section 8 (checked)";
    EXTRA = "extra-bytes" in Extra:
        "other bytes follow the file" => "without them the file decodes: `bitexact patch --trim` removes them",
        "zipper-installs.md, section 8 (checked)";
}

/// The least number of traces of a conversion to be told from chance.
const TRACES: usize = 4;
/// The most zeros that a file can end with itself, before zeros that follow it.
const OWN_ZEROS: usize = 16;

/// How a file is decoded: its kind, and the memory for it in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Decoder<'a> {
    /// The kind of the file.
    pub kind: &'a Kind,
    /// The memory for it, in bytes.
    pub memory: u64,
}

impl Decoder<'_> {
    fn decode(self, file: Bytes) -> Result<Model> {
        (self.kind.decode_within)(file, self.memory).map(|decoded| decoded.model)
    }
}

/// Returns the range of the bytes that follow the end of a file of this kind, if there are any and the file decodes without them, given
/// the most memory in bytes for that.
#[must_use]
pub fn extra(kind: &Kind, file: &Bytes, memory: u64) -> Option<Range<usize>> {
    let decoder = Decoder { kind, memory };
    match decoder.decode(file.clone()) {
        Ok(model) => extra_of(decoder, &model, file),
        Err(error) => extra_by(decoder, file, &error),
    }
}

/// Returns the range of the bytes that follow the end of a file that decodes.
fn extra_of(decoder: Decoder<'_>, model: &Model, file: &Bytes) -> Option<Range<usize>> {
    after(decoder, file, trailing(model, file).into_iter())
}

/// Returns the range of the bytes that follow the end of a file that decodes, unless they are rather its lost end: so many zeros that do
/// not fill a sector.
pub fn extra_alone(decoder: Decoder<'_>, model: &Model, file: &Bytes) -> Option<Range<usize>> {
    let zeros = file.iter().rev().take_while(|byte| **byte == 0).count();
    let is_lost = is_lost_end(wide(zeros), wide(file.len()));
    extra_of(decoder, model, file).filter(|extra| !is_lost || fills_sector(extra, file))
}

/// Returns `true` if the bytes after a file fill the last sector of a disc.
fn fills_sector(extra: &Range<usize>, file: &[u8]) -> bool {
    const SECTOR: usize = 2048;
    file.len().is_multiple_of(SECTOR) && extra.len() < SECTOR
}

/// Returns the range of the bytes that follow the end of a file that does not decode.
fn extra_by(decoder: Decoder<'_>, file: &Bytes, error: &Error) -> Option<Range<usize>> {
    let stated = match *error.fault() {
        Fault::Surplus { bytes } if error.place().labels().is_empty() => {
            usize::try_from(bytes).ok().and_then(|bytes| file.len().checked_sub(bytes))
        }
        _ => None,
    };
    // Not all zeros at the end need be extra: the last number of the file can end with some. Too many are rather its lost end.
    let filled = file.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let is_lost = is_lost_end(wide(file.len() - filled), wide(file.len()));
    let zeros = if is_lost { 0..0 } else { filled..filled + OWN_ZEROS };
    after(decoder, file, stated.into_iter().chain(zeros))
}

/// Returns the length of a whole file of this kind, if its content tells that it is cut.
pub(crate) fn whole(kind: &Kind, file: &[u8]) -> Option<usize> {
    if kind.tells_cut { (kind.ends_at)(file).filter(|end| *end > file.len()) } else { None }
}

/// Returns the range from the first of these ends, or from that which the format tells, that is the end of a file.
fn after(decoder: Decoder<'_>, file: &Bytes, ends: impl Iterator<Item = usize>) -> Option<Range<usize>> {
    let told = (decoder.kind.ends_at)(file);
    // The last bytes of a file that is cut begin a part of it.
    if told.is_some_and(|end| end > file.len()) {
        return None;
    }
    let told = told.into_iter();
    let is_end = |end: &usize| {
        let part = file.slice(..*end);
        decoder.decode(part.clone()).is_ok_and(|model| trailing(&model, &part).is_none())
    };
    let end = told.chain(ends).filter(|end| (1..file.len()).contains(end)).find(is_end)?;
    Some(end..file.len())
}

/// Returns `true` if some bytes are what a model keeps after everything else.
fn is_after(datum: &Datum<'_>) -> bool {
    let is_own = matches!(datum.place.steps(), [Step::Name("trailing" | "tail")]) && datum.place.labels().is_empty();
    is_own && matches!(datum.what, What::Run(Run::Surplus | Run::Opaque))
}

/// Returns where the bytes begin that a model keeps after everything else.
fn trailing(model: &Model, file: &[u8]) -> Option<usize> {
    struct Last {
        begin: Option<u64>,
    }
    impl Visitor for Last {
        fn data(&mut self, datum: &Datum<'_>) -> Result {
            self.begin = (is_after(datum) && !datum.bytes.is_empty()).then_some(datum.offset);
            Ok(())
        }
    }
    let mut last = Last { begin: None };
    visit_fresh(model, file, &mut last).ok()?;
    last.begin.and_then(|begin| usize::try_from(begin).ok())
}

/// Returns what has happened to a file that does not decode as the kind that its content or its name tells.
pub(crate) fn of_error(decoder: Decoder<'_>, file: &Bytes, error: &Error) -> Option<Warning> {
    let decodes = |bytes: &[u8]| decoder.decode(Bytes::copy_from_slice(bytes)).is_ok();
    of_claimed(file)
        .or_else(|| of_conversion(file, decodes))
        .or_else(|| likely_utf_8(file))
        .or_else(|| extra_by(decoder, file, error).map(|extra| of_extra(file, &extra)))
}

/// Returns the conversion that a file has been through which decodes with these deviations, but with far fewer once it is undone, or
/// which has lost so many bytes that it cannot be undone.
pub fn of_deviating(decoder: Decoder<'_>, file: &Bytes, deviations: &[Deviation]) -> Option<Warning> {
    // To undo a conversion takes as long as to verify the file.
    if deviations.is_empty() {
        return None;
    }
    let sum = |deviations: &[Deviation]| deviations.iter().map(|it| it.count).sum::<u64>();
    let most = sum(deviations) / 2;
    of_conversion(file, |bytes| {
        let Ok(model) = decoder.decode(Bytes::copy_from_slice(bytes)) else { return false };
        let mut check = Check::default();
        visit_fresh(&model, bytes, &mut check).is_ok() && sum(&check.finish().0) <= most
    })
    .or_else(|| likely_utf_8(file).filter(|_| text_of(file).map_or(0, marks) >= TRACES))
}

/// Returns the warning of these bytes after a file.
pub fn of_extra(file: &[u8], extra: &Range<usize>) -> Warning {
    let is_zeros = file.iter().skip(extra.start).all(|byte| *byte == 0);
    let what = if is_zeros { "extra zero byte" } else { "extra byte" };
    let found = format!("{} from {:#x}", counted(wide(extra.len()), what), extra.start);
    Warning::of(&EXTRA, Place::default(), found)
}

/// Returns what has happened to a file whose name tells that it holds something else.
pub fn of_claimed(file: &[u8]) -> Option<Warning> {
    let warning = |trap, found: &str| Some(Warning::of(trap, Place::default(), found.to_owned()));
    match file {
        [] => warning(&EMPTY, ""),
        _ if foreign::is_web_page(file) => {
            let text = file.trim_ascii_start();
            let line = text.iter().take(32).take_while(|byte| !matches!(byte, b'\r' | b'\n')).copied();
            let line: Vec<u8> = line.collect();
            warning(&WEB_PAGE, &format!("it begins with {}", line.escape_ascii()))
        }
        _ => {
            let kind = foreign::recognize("", file).filter(|kind| foreign::advice(kind).is_some())?;
            warning(&ARCHIVE, &format!("it begins like a {kind}"))
        }
    }
}

/// Returns the conversion of text that a file has been through, if it is sound once that is undone.
fn of_conversion(file: &[u8], is_sound: impl Fn(&[u8]) -> bool) -> Option<Warning> {
    let warning = |trap, found: String| Some(Warning::of(trap, Place::default(), found));
    if let Some((without, count)) = without_returns(file)
        && is_sound(&without)
    {
        let first = memchr::memchr(b'\n', file).unwrap_or(0).saturating_sub(1);
        return warning(
            &TEXT_MODE,
            format!("without {}, the first at {first:#x}, it decodes", counted(count, "such CR")),
        );
    }
    let text = text_of(file)?;
    let latin = text.chars().map(|it| u8::try_from(it).ok()).collect::<Option<Vec<u8>>>();
    let windows = encode_text(WINDOWS_1252, text);
    let (bytes, page) = [(latin, "ISO 8859-1"), (windows, "windows-1252")]
        .into_iter()
        .find_map(|(bytes, page)| Some((bytes.filter(|bytes| is_sound(bytes))?, page)))?;
    let count = counted(wide(text.chars().count().min(bytes.len())), "character");
    let first = first_of(text, |it| !it.is_ascii());
    warning(&UTF_8, format!("as {page}, its {count} decode; the first of several bytes is at {first:#x}"))
}

/// Returns a file as text, if it is UTF-8 and not ASCII.
fn text_of(file: &[u8]) -> Option<&str> {
    core::str::from_utf8(file).ok().filter(|text| !text.is_ascii())
}

/// Returns the number of marks that a conversion has left in place of bytes.
fn marks(text: &str) -> usize {
    text.chars().filter(|it| *it == char::REPLACEMENT_CHARACTER).count()
}

/// Returns the offset of the first character for which this holds.
fn first_of(text: &str, is: impl Fn(char) -> bool) -> usize {
    text.find(is).unwrap_or(text.len())
}

/// Returns the warning of UTF-8 in a file that is no text.
fn likely_utf_8(file: &[u8]) -> Option<Warning> {
    let text = text_of(file).filter(|text| text.contains('\0'))?;
    let others = text.chars().filter(|it| !it.is_ascii()).count();
    let lost = marks(text);
    let found = match lost {
        0 => {
            let first = first_of(text, |it| !it.is_ascii());
            format!("{} of several bytes, the first at {first:#x}", counted(wide(others), "character"))
        }
        _ => {
            let first = first_of(text, |it| it == char::REPLACEMENT_CHARACTER);
            let (lost, others) = (counted(wide(lost), "mark"), counted(wide(others), "character"));
            format!("{lost} of lost bytes, the first at {first:#x}, among {others}")
        }
    };
    (others >= TRACES).then(|| Warning::of(&UTF_8, Place::default(), found))
}

/// Returns a file without the CR before each LF, and the number of LFs, or `None` if an LF has none before it.
fn without_returns(file: &[u8]) -> Option<(Vec<u8>, u64)> {
    let mut without = Vec::new();
    let (mut begin, mut count) = (0, 0_u64);
    for feed in memchr::memchr_iter(b'\n', file) {
        let line = file.get(begin..feed)?.strip_suffix(b"\r")?;
        without.extend_from_slice(line);
        (begin, count) = (feed, count + 1);
    }
    without.extend_from_slice(file.get(begin..)?);
    (count > 0).then_some((without, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Said = Option<(&'static str, String)>;

    fn said(warning: Option<Warning>) -> Said {
        warning.map(|it| (it.trap.id, it.found))
    }

    #[test]
    fn conversions_are_certain_once_undone() {
        let certain = |file: &[u8], wanted: &[u8]| said(of_conversion(file, |bytes| bytes == wanted));
        let found = Some(("file-in-text-mode", "without 2 such CRs, the first at 0x1, it decodes".to_owned()));
        assert_eq!(certain(b"\0\r\n\x01\r\r\n", b"\0\n\x01\r\n"), found);
        assert_eq!(certain(b"\n\r\n", b"\n\n"), None, "an LF without CR");
        let found = Some((
            "file-as-unicode",
            "as ISO 8859-1, its 3 characters decode; the first of several bytes is at 0x1".to_owned(),
        ));
        assert_eq!(certain("\0\u{80}\u{ff}".as_bytes(), b"\0\x80\xFF"), found);
        let found = Some((
            "file-as-unicode",
            "as windows-1252, its 3 characters decode; the first of several bytes is at 0x1".to_owned(),
        ));
        assert_eq!(certain("\0€ÿ".as_bytes(), b"\0\x80\xFF"), found);
        assert_eq!(certain("\0€ÿ".as_bytes(), b""), None);
    }

    #[test]
    fn conversion_to_utf_8_is_likely_by_many_traces() {
        let utf_8 = |file: &[u8]| said(likely_utf_8(file));
        let found = "3 marks of lost bytes, the first at 0x1, among 4 characters".to_owned();
        assert_eq!(utf_8("\0\u{fffd}\u{fffd}é\u{fffd}".as_bytes()), Some(("file-as-unicode", found)));
        assert_eq!(
            utf_8("\0éééé".as_bytes()),
            Some(("file-as-unicode", "4 characters of several bytes, the first at 0x1".to_owned()))
        );
        for other in ["éééé".as_bytes(), "\0ééé".as_bytes(), b"\0\xE9\xE9\xE9\xE9\xE9"] {
            assert_eq!(utf_8(other), None, "{other:?}");
        }
    }

    #[test]
    fn empty_file_web_page_and_archive_are_named() {
        let found = "it begins with <!DOCTYPE html>".to_owned();
        assert_eq!(said(of_claimed(b"")), Some(("file-empty", String::new())));
        assert_eq!(said(of_claimed(b"\n<!DOCTYPE html>\n<html>404</html>")), Some(("file-is-web-page", found)));
        let found = "it begins like a zip-archive".to_owned();
        assert_eq!(said(of_claimed(b"PK\x03\x04\x14\0")), Some(("file-is-archive", found)));
        assert_eq!(said(of_claimed(b"<x>")), None);
    }
}
