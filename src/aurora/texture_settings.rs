//! The traps of texture settings: TXI with lists that are shorter than they say, MTR with names that no resource has.
//!
//! Source: `nwn-other.md`, section 7.

use field::{Place, Step, wide};
use lint::{Warning, Warnings, traps, warnings};

use super::payload::PlainText;

traps! { TRAPS:
    SHORT = "settings-list-short" in File:
        "a list of texture settings has fewer values than it says" => "the game crashes when it loads the texture",
        "nwn-other.md, section 7 (checked)";
}

traps! { OF_MATERIALS:
    LONG = "material-resource-name" in File:
        "a material names a resource with more than 16 letters" => "no resource has such a name, so that the game does not find it",
        "nwn-erf.md, Key (checked)";
}

/// The longest name of a resource, in bytes.
const NAME: usize = 16;

/// Reports the names of resources in the lines of a material that are too long: `texture0 NAME`, `customshaderVS NAME`.
fn lint_material(text: &[u8]) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for (at, line) in (0..).zip(text.split(|byte| *byte == b'\n')) {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let (Some(keyword), Some(name)) = (words.next(), words.next()) else { continue };
        let keyword = keyword.to_ascii_lowercase();
        let is_texture = keyword.strip_prefix(b"texture").is_some_and(|number| number.iter().all(u8::is_ascii_digit));
        if (is_texture || keyword.starts_with(b"customshader")) && name.len() > NAME {
            let name = String::from_utf8_lossy(name).into_owned();
            warnings.push(Warning::of(&LONG, Place::default().with([Step::Index(at)]), name));
        }
    }
    warnings
}

/// The keywords of lists: a number on their line, then so many values, each on a line of its own.
const LISTS: [&[u8]; 4] = [b"channelscale", b"channeltranslate", b"upperleftcoords", b"lowerrightcoords"];

/// Reports the lists of a text.
pub(super) fn lint(text: &[u8], out: &mut Warnings<'_>) {
    let words = |line: &[u8]| -> Vec<Vec<u8>> {
        let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words.map(<[u8]>::to_ascii_lowercase).collect()
    };
    let lines: Vec<Vec<Vec<u8>>> = text.split(|byte| *byte == b'\n').map(words).collect();
    for (at, line) in lines.iter().enumerate() {
        let [keyword, count] = &line[..] else { continue };
        let count = core::str::from_utf8(count).ok().and_then(|count| count.parse::<usize>().ok());
        let Some(count) = count.filter(|_| LISTS.contains(&&keyword[..])) else { continue };
        let is_value = |line: &&Vec<Vec<u8>>| {
            let first = line.first().and_then(|word| word.first());
            first.is_some_and(|first| first.is_ascii_digit() || matches!(first, b'-' | b'+' | b'.'))
        };
        let values = lines.iter().skip(at + 1).filter(|line| !line.is_empty()).take_while(is_value).count();
        if values < count {
            out.warn(&SHORT, &[Step::Index(wide(at))], format!("{values} of {count}"));
        }
    }
}

/// Returns the warnings of a file with texture settings, TXI or MTR, or `None` if its name is not that of one.
pub fn of_file(name: &str, file: &bytes::Bytes) -> Option<Vec<Warning>> {
    let is = |ending: &str| name.to_ascii_lowercase().ends_with(ending) && !file.contains(&0);
    if is(".mtr") {
        return Some(lint_material(file));
    }
    is(".txi").then(|| warnings(&PlainText { text: field::Block::from(file.to_vec()) }))
}
