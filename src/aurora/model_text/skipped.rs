//! What is said of a text that is compiled: the words that are not in the model, each with its line.
//!
//! Source: `nwn-mdl-text.md`, sections 2 to 6.

use std::collections::{BTreeMap, HashMap};

use bitflags::Flags as _;

use crate::flags::NodeFlags;
use output::printable::first as shown;

use super::lists::TextList;
use super::syntax::{Lines, begins_number};
use super::words::{self, Control};

/// The most lines that are quoted of one word, besides the first.
const QUOTED: usize = 4;

/// The most words for which a known one is suggested.
const SUGGESTED: usize = 32;

/// The most letters by which a known word differs from the one that is skipped.
const LETTERS: usize = 2;

/// Words of frames, of exporters and of old tools, which no compiler stores. Source: `nwn-mdl-text.md`, sections 3 to 6.
const OF_TOOLS: [&str; 40] = [
    "beginmodelgeom",
    "beginwalkmeshgeom",
    "blend_sel",
    "center",
    "chunky",
    "cone_angle_manipulator",
    "danglymesh",
    "displtype",
    "donemodel",
    "dummy",
    "endlist",
    "endmodelgeom",
    "endwalkmeshgeom",
    "filedependancy",
    "filedependency",
    "gizmo",
    "iconsize",
    "leftoverfaces",
    "lensflares",
    "lightningsubdiv",
    "lightningsubdivkey",
    "lockaxes",
    "lockaxeskey",
    "mirrorlist",
    "mtl",
    "multimaterial",
    "negativelight",
    "omni_light",
    "opacity",
    "p2p_type",
    "parent",
    "render_sel",
    "showdispl",
    "spawntype_sel",
    "twosidedtext",
    "update_sel",
    "vertexindices",
    "vertexindicescount",
    "walkmesh",
    "wirecolor",
];

/// Where a word is skipped, and what it is. Rows of numbers have no word.
type Skip = (String, Option<String>);

/// What is said of a text.
#[derive(Default)]
pub(super) struct Notes {
    said: Vec<String>,
    /// The lines of each word that is skipped, with the words as they are there.
    skipped: BTreeMap<Skip, Vec<(usize, String)>>,
}

impl Notes {
    /// Adds a sentence.
    pub(super) fn push(&mut self, note: String) {
        self.said.push(note);
    }

    /// Adds a line whose word is skipped: a word of a part of the text, such as a node of a type with a name.
    pub(super) fn skip(&mut self, line: usize, keyword: &str, of: &str, name: &str) {
        if !OF_TOOLS.iter().any(|known| known.eq_ignore_ascii_case(keyword)) {
            let word = (!begins_number(keyword)).then(|| keyword.to_ascii_lowercase());
            let lines = self.skipped.entry((of.to_owned(), word)).or_default();
            lines.push((line, format!("{keyword}{name}")));
        }
    }

    /// Returns all sentences. Lines with the same word in the same type of node share one.
    pub(super) fn said(self, lines: &Lines<'_>) -> Vec<String> {
        let mut all = self.said;
        let mut skipped: Vec<_> = self.skipped.into_iter().collect();
        skipped.sort_by_key(|(_, of)| of.first().map(|(line, _)| *line));
        let mut meant: HashMap<String, Option<&str>> = HashMap::new();
        for ((of, word), found) in skipped {
            let Some(((line, first), more)) = found.split_first() else { continue };
            let why = match word {
                None => "a row that belongs to no list".to_owned(),
                Some(word) => {
                    let known = match meant.get(&word) {
                        Some(known) => *known,
                        None if meant.len() < SUGGESTED => {
                            let known = similar(&word);
                            meant.insert(word, known);
                            known
                        }
                        None => None,
                    };
                    let known = known.map(|known| format!("; did you mean {known}?")).unwrap_or_default();
                    format!("{of} has no such word{known}")
                }
            };
            let more: Vec<String> = more.iter().map(|(line, _)| lines.number(*line).to_string()).collect();
            let also =
                if more.is_empty() { String::new() } else { format!(" (also in line {})", shown(&more, QUOTED)) };
            all.push(lines.wrong(*line, format_args!("{first} is skipped: {why}{also}")));
        }
        all
    }
}

/// Returns `true` if the compiler reads a list of a node with some parts.
pub(super) fn is_read(keyword: &str, flags: NodeFlags, animated: bool) -> bool {
    let is = |known: &[&str]| known.iter().any(|known| known.eq_ignore_ascii_case(keyword));
    let part = if is(&["texturenames", "flaresizes", "flarepositions", "flarecolorshifts"]) {
        return flags.contains(NodeFlags::LIGHT);
    } else if is(&["weights"]) {
        NodeFlags::SKIN
    } else if is(&["constraints"]) {
        NodeFlags::DANGLY
    } else if is(&["aabb"]) {
        NodeFlags::AABB
    } else if is(&["bmin", "bmax"]) || TextList::named(keyword).is_some_and(|list| list.is_of_mesh) {
        NodeFlags::MESH
    } else {
        return false;
    };
    !animated && flags.contains(part)
}

/// Returns the most similar known word that differs by at most two letters.
fn similar(keyword: &str) -> Option<&'static str> {
    let known = words::keywords().chain(Control::keywords()).chain(TextList::keywords());
    let near = known.filter(|known| known.len().abs_diff(keyword.len()) <= LETTERS);
    let near = near.map(|known| (differences(keyword, known), known));
    let (count, known) = near.min_by_key(|(count, _)| *count)?;
    (count > 0 && count <= if keyword.len() < 5 { 1 } else { LETTERS }).then_some(known)
}

/// Returns how many letters have to be put in, left out or changed to make one word of the other.
fn differences(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    let mut next = Vec::with_capacity(row.len());
    for (nth, letter) in (1..).zip(one.chars()) {
        next.clear();
        next.push(nth);
        for ((above, before), known) in row.iter().skip(1).zip(&row).zip(&other) {
            let left = next.last().copied().unwrap_or(nth);
            next.push((above + 1).min(left + 1).min(before + usize::from(letter != *known)));
        }
        core::mem::swap(&mut row, &mut next);
    }
    row.last().copied().unwrap_or(0)
}
