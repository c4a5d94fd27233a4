//! A GFF as a JSON file of its own, `c_boar.utc.json`: the tree, with large whole numbers and floats of 64 bits as numbers. Source:
//! `nwn-gff.md`, section 7.

use crate::json_text;
use field::{Value, decode};
use json::{Compact, parse, unmarked};
use kind::TextForm;

use super::{Gff, is_wide, load};

/// A GFF as JSON.
pub static TEXT: TextForm = TextForm::new("json", is_text, write, read);

/// Returns `true` for a JSON object with the type of a GFF.
fn is_text(bytes: &[u8]) -> bool {
    const TYPE: &[u8] = b"\"__data_type\"";
    let Ok(text) = unmarked(bytes) else { return false };
    // Some programs sort the members.
    text.trim_ascii_start().starts_with(b"{") && text.windows(TYPE.len()).any(|it| it == TYPE)
}

fn write(file: &[u8]) -> Result<Vec<u8>, String> {
    let gff = decode::<Gff>(file.to_vec()).map_err(|error| error.to_string())?.model;
    let mut json = gff.json();
    as_numbers(&mut json);
    Ok(json_text::print(&json))
}

fn read(text: &[u8]) -> Result<Vec<u8>, String> {
    json_text::read::<Gff>(text, load)
}

/// Writes numbers of 64 bits as such: elsewhere they are strings, because some readers of JSON lose bits of them.
fn as_numbers(json: &mut Value) {
    let is_number = is_wide(json);
    match json {
        Value::Object(members) => {
            for (key, value) in members {
                let number = value.text().filter(|_| is_number && key == "value").and_then(|text| {
                    // A number of 64 bits without sign can be larger than any integer here.
                    match text.bytes().all(|it| it.is_ascii_digit() || it == b'-') {
                        true => text.parse().ok().map(Value::Integer),
                        false => float(text),
                    }
                });
                match number {
                    Some(number) => *value = number,
                    None => as_numbers(value),
                }
            }
        }
        Value::List(items) => items.iter_mut().for_each(as_numbers),
        _ => {}
    }
}

/// Returns a number if its text is that of the same float again.
fn float(text: &str) -> Option<Value> {
    let value: f64 = text.parse().ok()?;
    let number = Value::Float(value);
    // A number that no float of 32 bits holds is not read.
    let again = parse(Compact(&number).to_string().as_bytes()).ok()?;
    matches!(again, Value::Float(again) if again.to_bits() == value.to_bits()).then_some(number)
}
