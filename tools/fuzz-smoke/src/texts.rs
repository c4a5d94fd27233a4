//! Attacks on files as text: lines and words of the text of a file are changed, and what becomes of it is a file or a refusal.

use bitexact::field::{encode, limits};
use bitexact::kind::TextForm;

use crate::draw::Draw;
use crate::finding::{Finding, What};
use crate::prove::{Proven, bounded, edited_to};
use crate::seed::Seed;

/// What a word is replaced by.
const WORDS: [&str; 16] = [
    "0",
    "-1",
    "1",
    "-0.0",
    "1e39",
    "nan",
    "inf",
    "65536",
    "2147483648",
    "4294967296",
    "99999999999999999999",
    "NULL",
    "\"",
    "{",
    "]",
    "#",
];

/// Changes the text of a file, if its kind has one, and proves what it becomes.
///
/// # Errors
/// Returns an error if a law is violated.
pub fn texts(seeds: &[Seed], draw: Draw<'_>) -> Result<Proven, Finding> {
    let Some(seed) = seeds.get(draw(seeds.len() as u64) as usize) else { return Ok(Proven::default()) };
    let Some(form) = seed.kind.text else { return Ok(Proven::default()) };
    let Ok(text) = form.write(&seed.file.bytes) else { return Ok(Proven::default()) };
    let other = seeds.get(draw(seeds.len() as u64) as usize).and_then(|other| form.write(&other.file.bytes).ok());
    let changed = changed_text(&text, &other.unwrap_or_default(), draw);
    bounded(seed.kind, &changed, limits::MEMORY_FACTOR_OF_EXCHANGE, 16, || {
        becomes_a_file(seed, form, &changed).map_err(|words| (What::Form, format!("{}: {words}", seed.name)))
    })
}

/// Proves that a text becomes a file that round-trips and comes back from its own text, or is refused in words.
fn becomes_a_file(seed: &Seed, form: &TextForm, text: &[u8]) -> Result<bool, String> {
    let file = match (form.read)(text) {
        Ok(file) => file,
        Err(why) if why.trim().is_empty() => return Err("refused without a reason".to_owned()),
        Err(_) => return Ok(false),
    };
    edited_to(file.len());
    let model = (seed.kind.decode)(file.clone().into())
        .map_err(|error| format!("becomes a file that does not decode: {error}"))?
        .model;
    if encode(&model).map_err(|error| error.to_string())? != file {
        return Err("becomes a file that does not come back".to_owned());
    }
    match form.write(&file) {
        Err(why) if why.contains("would not become") => Err(why),
        _ => Ok(true),
    }
}

/// Returns a text with up to three changes.
pub(crate) fn changed_text(text: &[u8], other: &[u8], draw: Draw<'_>) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = text.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let others: Vec<&[u8]> = other.split(|byte| *byte == b'\n').collect();
    for _ in 0..=draw(3) {
        let at = draw(lines.len().max(1) as u64) as usize;
        let to = draw(lines.len().max(1) as u64) as usize;
        match draw(8) {
            0 if !lines.is_empty() => drop(lines.remove(at)),
            1 if !lines.is_empty() => lines.insert(to, lines[at].clone()),
            2 if !lines.is_empty() => lines.swap(at, to),
            3 => lines.insert(at, others[draw(others.len() as u64) as usize].to_vec()),
            4 => lines.truncate(at),
            5 => {
                if let Some(line) = lines.get_mut(at).filter(|line| !line.is_empty()) {
                    let byte = draw(line.len() as u64) as usize;
                    line[byte] ^= 1 << draw(8);
                }
            }
            _ => {
                if let Some(line) = lines.get_mut(at) {
                    word(line, draw);
                }
            }
        }
    }
    lines.join(&b'\n')
}

/// Replaces a word of a line.
fn word(line: &mut Vec<u8>, draw: Draw<'_>) {
    let is_part = |byte: &u8| !matches!(byte, b' ' | b'\t' | b',' | b'\r');
    let mut words = Vec::new();
    let mut begin = None;
    for (at, byte) in line.iter().enumerate().chain([(line.len(), &b' ')]) {
        match (is_part(byte), begin) {
            (true, None) => begin = Some(at),
            (false, Some(from)) => {
                words.push(from..at);
                begin = None;
            }
            _ => {}
        }
    }
    let Some(range) = words.get(draw(words.len().max(1) as u64) as usize).cloned() else { return };
    let with = match draw(18) {
        16 => b"a".repeat(40),
        17 => line[range.clone()].repeat(2),
        nth => WORDS[nth as usize % WORDS.len()].as_bytes().to_vec(),
    };
    line.splice(range, with);
}
