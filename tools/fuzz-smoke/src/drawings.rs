//! Attacks on models and tables that other programs edit: an export is changed, and `import` takes it back or refuses it.

use bitexact::edit::{Exported, take_back};
use bitexact::exchange::About;
use bitexact::field::{encode, limits};
use bitexact::kind::ExportOptions;
use bitexact::passes::Sha;
use bitexact::registry::KINDS;
use serde_json::Value;

use crate::draw::Draw;
use crate::finding::{Finding, What};
use crate::prove::{Proven, bounded, edited_to};
use crate::seed::Seed;
use crate::texts::changed_text;

/// The parts of a `.glb`: its header, and the header of each chunk (glTF 2.0, section 4.4).
const HEADER: usize = 12;
const CHUNK: usize = 8;

/// Changes the export of a file, if its kind has one that is imported, and proves what it becomes.
///
/// # Errors
/// Returns an error if a law is violated.
pub fn drawings(seeds: &[Seed], draw: Draw<'_>) -> Result<Proven, Finding> {
    let Some(seed) = seeds.get(draw(seeds.len() as u64) as usize) else { return Ok(Proven::default()) };
    if seed.kind.import.is_none() {
        return Ok(Proven::default());
    }
    let taken = |extension: &str| extension == "csv" || extension == "glb";
    let Some(export) = seed.kind.exports.iter().find(|it| taken(it.extension)) else { return Ok(Proven::default()) };
    let options = ExportOptions::default().unbound(true);
    let Ok(drawing) = (export.draw)(seed.file.bytes.clone().into(), &options) else { return Ok(Proven::default()) };
    let changed = match export.extension {
        "csv" => changed_text(&drawing.file, &drawing.file, draw),
        _ => changed_model(&drawing.file, draw),
    };
    bounded(seed.kind, &changed, limits::MEMORY_FACTOR_OF_EXCHANGE, 16, || {
        becomes_an_edit(seed, &changed).map_err(|words| (What::Form, format!("{}: {words}", seed.name)))
    })
}

/// Proves that an export becomes edits after which the file round-trips, or is refused in words.
fn becomes_an_edit(seed: &Seed, drawing: &[u8]) -> Result<bool, String> {
    let bytes = &seed.file.bytes;
    let model = (seed.kind.decode)(bytes.clone().into()).map_err(|error| error.to_string())?.model;
    let about = About { kind: seed.kind, games: seed.kind.games, sha256: Sha::of(bytes), deviations: &[] };
    let name = seed.name.rsplit('/').next().unwrap_or_default();
    let of = Exported { entry: None, kind: seed.kind, model: &model, bytes };
    match take_back(KINDS, (about, &model, name), of, drawing.to_vec().into(), &[]) {
        Err(why) if why.to_string().trim().is_empty() => Err("refused without a reason".to_owned()),
        Err(why) if why.to_string().contains("internal error") => Err(why.to_string()),
        Err(_) => Ok(false),
        Ok(taken) => {
            let edited = taken.edited.bytes;
            edited_to(edited.len());
            let again = (seed.kind.decode)(edited.clone())
                .map_err(|error| format!("becomes a file that does not decode: {error}"))?
                .model;
            match encode(&again).map_err(|error| error.to_string())? == edited {
                true => Ok(true),
                false => Err("becomes a file that does not come back".to_owned()),
            }
        }
    }
}

/// Returns a `.glb` with up to four changes: of its document, of its buffer, or of any byte.
fn changed_model(model: &[u8], draw: Draw<'_>) -> Vec<u8> {
    let length = |at: usize| model.get(at..at + 4).and_then(|it| it.try_into().ok()).map_or(0, u32::from_le_bytes);
    let end = (HEADER + CHUNK + length(HEADER) as usize).min(model.len());
    let document = model.get(HEADER + CHUNK..end).and_then(|text| serde_json::from_slice::<Value>(text).ok());
    let (Some(mut document), mut buffer) = (document, model.get(end + CHUNK..).unwrap_or_default().to_vec()) else {
        return model.to_vec();
    };
    for _ in 0..=draw(3) {
        match draw(3) {
            0 => number_of_buffer(&mut buffer, draw),
            1 if draw(8) == 0 => buffer.truncate(draw(buffer.len() as u64 + 1) as usize),
            _ => value_of_document(&mut document, draw),
        }
    }
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    buffer.resize(buffer.len().next_multiple_of(4), 0);
    let size = |bytes: usize| (bytes as u32).to_le_bytes();
    let mut made = [&b"glTF"[..], &size(2), &size(HEADER + 2 * CHUNK + text.len() + buffer.len())].concat();
    made.extend([&size(text.len())[..], b"JSON", &text, &size(buffer.len()), b"BIN\0", &buffer].concat());
    if draw(16) == 0 {
        let at = draw(made.len() as u64) as usize;
        made[at] ^= 1 << draw(8);
    }
    made
}

/// Sets four bytes of a buffer to a float or an index that is extreme.
fn number_of_buffer(buffer: &mut [u8], draw: Draw<'_>) {
    let at = draw(buffer.len() as u64 / 4) as usize * 4;
    let floats = [0.0, -0.0, 1.0, f32::NAN, f32::INFINITY, f32::MAX, f32::MIN_POSITIVE, 1e-40, -65536.0];
    let Some(word) = buffer.get_mut(at..at + 4) else { return };
    match draw(12) {
        nth @ 0..=8 => word.copy_from_slice(&floats[nth as usize].to_le_bytes()),
        9 => word.fill(0xFF),
        10 => word[draw(4) as usize] ^= 1 << draw(8),
        _ => word.copy_from_slice(&(draw(1 << 16) as u32).to_le_bytes()),
    }
}

/// Changes a value of the document: removes, repeats or swaps items, or sets a number or a text.
fn value_of_document(document: &mut Value, draw: Draw<'_>) {
    let mut value = document;
    loop {
        // One level deeper each time, and sometimes not to the end.
        let inner = match value {
            Value::Array(items) if !items.is_empty() && draw(6) > 0 => draw(items.len() as u64) as usize,
            Value::Object(members) if !members.is_empty() && draw(6) > 0 => draw(members.len() as u64) as usize,
            _ => break,
        };
        value = match value {
            Value::Array(items) => &mut items[inner],
            Value::Object(members) => members.values_mut().nth(inner).expect("a member"),
            _ => unreachable!("only these have items"),
        };
    }
    const NUMBERS: [f64; 9] = [0.0, 1.0, -1.0, 0.5, 4294967295.0, 4294967296.0, 1e30, -1e308, 3.0];
    match value {
        Value::Array(items) if !items.is_empty() => {
            let (at, to) = (draw(items.len() as u64) as usize, draw(items.len() as u64) as usize);
            match draw(4) {
                0 => drop(items.remove(at)),
                1 => items.insert(to, items[at].clone()),
                2 => items.swap(at, to),
                _ => items.truncate(at),
            }
        }
        Value::Object(members) => {
            let names: Vec<String> = members.keys().cloned().collect();
            let Some(name) = names.get(draw(names.len() as u64) as usize) else { return };
            match draw(3) {
                0 => drop(members.remove(name)),
                1 => drop(members.insert(name.clone(), Value::Null)),
                _ => {
                    let other = names[draw(names.len() as u64) as usize].clone();
                    let copy = members[name].clone();
                    members.insert(other, copy);
                }
            }
        }
        Value::String(text) => match draw(4) {
            0 => text.clear(),
            1 => *text = text.repeat(2),
            2 => *text = "x".repeat(300),
            _ => text.insert(0, 'ß'),
        },
        value => {
            let whole = draw(2) == 0;
            let number = NUMBERS[draw(9) as usize];
            *value = if whole { (number as i64).into() } else { number.into() };
        }
    }
}
