//! The traps of trees of fields. Source: `nwn-gff.md`, section 8.

use rustc_hash::FxHashMap;

use lint::{Lint, Warnings, traps};

use super::Gff;
use super::sections::{Sections, each_place, index};

traps! { TRAPS:
    ARMOR_PART = "armor-part-twice" in File:
        "a part of an armor has two numbers: `ArmorPart_Robe` and `xArmorPart_Robe`, or those of another part, differ" =>
        "the Enhanced Edition writes both; set the other one as well, or one of the two editions shows another part",
        "nwn-gff.md, section 8 (checked)";
}

/// The types of the two fields.
const BYTE: u32 = 0;
const WORD: u32 = 2;
/// The beginning of the labels of parts with a byte; those with a word have one more letter before it.
const PART: &[u8] = b"ArmorPart_";

impl Lint for Gff {
    /// Reports parts of an armor whose byte differs from their word.
    fn lint(&self, out: &mut Warnings<'_>) {
        // Few files have such labels at all.
        if memchr::memmem::find(&self.file, PART).is_none() {
            return;
        }
        let Ok(it) = Sections::of(&self.file) else { return };
        let mut odd = FxHashMap::default();
        for number in 0..it.struct_count() {
            let fields = it.fields_of(it.structure(number)).map(|field| (index(field), it.row(index(field))));
            let fields: Vec<_> = fields.map(|(field, row)| (field, row, it.label(row.label))).collect();
            let words = fields.iter().filter(|(_, row, _)| row.kind == WORD).filter_map(|(_, row, label)| {
                let part = label.strip_prefix(b"x").filter(|part| part.starts_with(PART))?;
                Some((part, row.value))
            });
            let words: FxHashMap<&[u8], u32> = words.collect();
            for (field, row, label) in fields.iter().filter(|(_, row, _)| row.kind == BYTE) {
                // The shorter label ends with one more NUL. A byte cannot have the larger numbers.
                let part = label.strip_suffix(b"\0").filter(|part| part.starts_with(PART));
                if let Some(word) =
                    part.and_then(|part| words.get(part)).filter(|word| **word != row.value && **word <= 255)
                {
                    odd.insert(*field, format!("{}, and {word} in the other", row.value));
                }
            }
        }
        if odd.is_empty() {
            return;
        }
        each_place(&it, |_, field, steps| {
            if let Some(found) = field.and_then(|field| odd.remove(&field)) {
                out.warn(&ARMOR_PART, steps, found);
            }
        });
    }
}
