//! Entries renamed or added by `patch`, under names that are invalid in file systems.

use bitexact::edit::Edit;
use bitexact::field::Value;
use bitexact::json::Document;
use bitexact::registry::KINDS;

use super::law::made;
use super::sample::Sample;
use super::{Broken, Held};
use crate::draw::Draw;
use crate::harness::form::Unpacked;

/// Malicious or unusual names.
pub(super) const EVIL: [&str; 44] = [
    "bitexact",
    "BITEXACT",
    "bitexact.json",
    "BitExact.JSON",
    "bitexact.bin",
    "data",
    "data.json",
    "data.bin",
    "con",
    "CON.txt",
    "aux",
    "lpt1",
    "COM9.wav",
    "nul .zrd",
    "..",
    ".",
    "...",
    "../x",
    "",
    " ",
    "  x  ",
    "x.",
    "x. . ",
    "%2E",
    "%",
    "%%",
    "%00",
    "a%2Fb",
    "a\0b",
    "\0",
    "/",
    "a/b",
    "\\",
    "a\\b",
    "a:b",
    "a|b?*<>\"",
    "a\nb\x1b[31m",
    "\u{202e}gpj.exe",
    "a\u{200f}b",
    "é~2",
    "a~2",
    "#1",
    "a#2",
    "a!b:/c=d",
];

/// Returns a name: malicious, very long, or similar to an existing one.
fn name(sample: &Sample, draw: Draw<'_>) -> String {
    let entries: Vec<&String> = sample.unpacked.files.keys().collect();
    let other = entries.get(draw(entries.len() as u64) as usize).map_or("", |entry| entry.as_str());
    let other = other.rsplit('!').next().unwrap_or_default();
    match draw(16) {
        0 => "x".repeat(300),
        1 => format!("{}.zrd", "é".repeat(150)),
        2 => other.to_uppercase(),
        3 => other.to_lowercase(),
        4 => format!("{other} "),
        5 => format!("{other}."),
        6 => sample.contents.keys().nth(draw(sample.contents.len() as u64) as usize).cloned().unwrap_or_default(),
        _ => EVIL.get(draw(EVIL.len() as u64) as usize).copied().unwrap_or_default().to_owned(),
    }
}

/// Returns a name as it appears in a place.
fn escaped(name: &str) -> String {
    bitexact::field::Label::role(name).to_string()
}

/// Renames one to three entries.
pub(super) fn renamed(sample: &Sample, draw: Draw<'_>) -> Held {
    let mut edit = sample.unpacked.edit.clone();
    let (mut words, mut names) = (Vec::new(), Vec::new());
    for _ in 0..=draw(3) {
        let entries: Vec<&String> = sample.unpacked.files.keys().collect();
        let Some(entry) = entries.get(draw(entries.len() as u64) as usize) else { return Ok(false) };
        let name = name(sample, draw);
        let name = if draw(2) == 0 { escaped(&name) } else { name };
        if edit.rename(entry, &name).is_ok() {
            words.push(format!("--rename {entry}={name}"));
            names.push((entry.rsplit_once('!').map_or("", |(outer, _)| outer).to_owned(), name));
        }
    }
    if words.is_empty() {
        return Ok(false);
    }
    let words = words.join(" ");
    let evil = names.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(" ");
    judged(sample, edit, &names, "rename", &words, &evil)
}

/// Adds an entry with the contents of an existing one.
pub(super) fn added(sample: &Sample, draw: Draw<'_>) -> Held {
    let mut edit = sample.unpacked.edit.clone();
    let entries: Vec<(&String, &String)> = sample.unpacked.files.iter().collect();
    let Some((entry, file)) = entries.get(draw(entries.len() as u64) as usize) else { return Ok(false) };
    let (outer, _) = entry.rsplit_once('!').map_or(("", ""), |both| both);
    let name = name(sample, draw);
    let name = if draw(2) == 0 { escaped(&name) } else { name };
    let whole = if outer.is_empty() { name.clone() } else { format!("{outer}!{name}") };
    let document = match draw(3) {
        0 => Document::Raw(vec![1, 2, 3].into()),
        1 => Document::Json(Value::List(Vec::new())),
        _ => sample.unpacked.exchange.files.get(*file).cloned().unwrap_or_default(),
    };
    if edit.add(&whole, document).is_err() {
        return Ok(false);
    }
    judged(sample, edit, &[(outer.to_owned(), name.clone())], "add", &format!("--add {whole}=FILE"), &name)
}

fn judged(sample: &Sample, edit: Edit, names: &[(String, String)], class: &str, words: &str, evil: &str) -> Held {
    let broken = |(law, why): (String, String)| {
        let words = format!("{words}: {law}: {why}");
        Broken { cause: format!("{law}: {class}: {}", evil.chars().take(12).collect::<String>()), words }
    };
    let Some((_, unpacked)) = made(sample, edit.pack(KINDS)).map_err(broken)? else { return Ok(false) };
    // A later rename may move an entry again, so only the last one is checked.
    match names.last() {
        // Tables of Marathon hold names in Mac Roman, but names are read as windows-1252: step 2, "renames know the code page", see
        // `later.rs`.
        Some((outer, name)) if is_of_marathon(sample) && has_in_mac_roman(&unpacked, outer, name) => Ok(true),
        Some((outer, name)) if !has(&unpacked, outer, name) => {
            let found: Vec<_> = unpacked.files.keys().take(8).cloned().collect();
            Err(broken(("the name is another".to_owned(), format!("no {name:?} in {outer:?}: {found:?}"))))
        }
        _ => Ok(true),
    }
}

/// Returns `true` if an entry contains an entry of this name.
fn has(unpacked: &Unpacked, outer: &str, name: &str) -> bool {
    unpacked.files.keys().any(|entry| {
        let (its, label) = entry.rsplit_once('!').map_or(("", entry.as_str()), |both| both);
        its == outer && plain(label) == plain(name)
    })
}

/// Returns `true` if the names of a file are in Mac Roman.
fn is_of_marathon(sample: &Sample) -> bool {
    matches!(sample.case.kind.name, "wad" | "macbinary")
}

/// Returns `true` if there is an entry whose name is these characters in Mac Roman.
fn has_in_mac_roman(unpacked: &Unpacked, outer: &str, name: &str) -> bool {
    let bytes = plain(name);
    let (text, ..) = encoding_rs::WINDOWS_1252.decode(&bytes);
    let (bytes, ..) = encoding_rs::MACINTOSH.encode(&text);
    plain(name).iter().any(|byte| *byte > 0x7F)
        && unpacked.files.keys().any(|entry| {
            let (its, label) = entry.rsplit_once('!').map_or(("", entry.as_str()), |both| both);
            its == outer && *plain(label) == *bytes
        })
}

/// Returns the bytes of a label, without the number of a duplicate name.
fn plain(label: &str) -> Vec<u8> {
    let label = label.split_once('#').map_or(label, |(name, _)| name);
    let label = encode(label);
    let (mut bytes, mut rest) = (Vec::new(), &label[..]);
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.filter(|_| byte == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(odd) => {
                bytes.push(odd);
                rest = &after[2..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    bytes
}

/// Encodes a name as windows-1252, as in every table of entries with names.
fn encode(text: &str) -> Vec<u8> {
    text.chars()
        .flat_map(|it| u8::try_from(u32::from(it)).map_or_else(|_| it.to_string().into_bytes(), |it| vec![it]))
        .collect()
}
