//! What is said of a text that is compiled: the words that are not in the model, each with its line.
//!
//! Source: `nwn-mdl-text.md`, sections 2 to 6.

use std::collections::BTreeMap;

use bitflags::Flags as _;

use crate::flags::NodeFlags;
use output::printable::first as shown;

use super::lists::TextList;
use super::syntax::Lines;
use super::words::{self, Control};

/// The most lines that are quoted of one word, besides the first.
const QUOTED: usize = 4;

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

/// What is said of a text.
#[derive(Default)]
pub(super) struct Notes {
    said: Vec<String>,
    /// The lines of each word that is skipped, by where it is and what it is.
    skipped: BTreeMap<(String, String), Vec<(usize, String)>>,
}

impl Notes {
    /// Adds a sentence.
    pub(super) fn push(&mut self, note: String) {
        self.said.push(note);
    }

    /// Adds a line whose word is skipped: a word of a part of the text, such as a node of a type with a name.
    pub(super) fn skip(&mut self, line: usize, keyword: &str, of: &str, name: &str) {
        if !OF_TOOLS.iter().any(|known| known.eq_ignore_ascii_case(keyword)) {
            let lines = self.skipped.entry((of.to_owned(), keyword.to_ascii_lowercase())).or_default();
            lines.push((line, format!("{keyword}{name}")));
        }
    }

    /// Returns all sentences. Lines with the same word in the same type of node share one.
    pub(super) fn said(self, lines: &Lines<'_>) -> Vec<String> {
        let mut all = self.said;
        let mut skipped: Vec<_> = self.skipped.into_iter().collect();
        skipped.sort_by_key(|(_, of)| of.first().map(|(line, _)| *line));
        for ((of, keyword), found) in skipped {
            let Some(((line, first), more)) = found.split_first() else { continue };
            let why = if keyword.starts_with(|it: char| it.is_ascii_digit() || matches!(it, '-' | '+' | '.')) {
                "a row that belongs to no list".to_owned()
            } else {
                let meant = similar(&keyword).map(|meant| format!("; did you mean {meant}?")).unwrap_or_default();
                format!("{of} has no such word{meant}")
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

/// Returns a known word that is as good as the same.
fn similar(keyword: &str) -> Option<&'static str> {
    let known = words::keywords().chain(Control::keywords()).chain(TextList::keywords());
    let near = known.map(|known| (differences(keyword, known), known));
    let (count, known) = near.min_by_key(|(count, _)| *count)?;
    (count > 0 && count <= if keyword.len() < 5 { 1 } else { 2 }).then_some(known)
}

/// Returns how many letters have to be put in, left out or changed to make one word of the other.
fn differences(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (nth, letter) in (1..).zip(one.chars()) {
        let mut next = vec![nth];
        for ((above, before), known) in row.iter().skip(1).zip(&row).zip(&other) {
            let left = next.last().copied().unwrap_or(nth);
            next.push((above + 1).min(left + 1).min(before + usize::from(letter != *known)));
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}
