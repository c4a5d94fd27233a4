//! Walkmeshes as text: nodes without the frame of a model, whose root is not in the text.
//!
//! Source: `nwn-mdl-text.md`, section 6.

use std::collections::HashSet;

use super::syntax::ModelText;

/// The name of a root of which the text says nothing.
const ROOT: &str = "walkmesh";

/// Returns the name of the root that the nodes of a walkmesh belong to: the first parent that is no node, or else what the text calls itself.
pub(super) fn missing_root(text: &ModelText<'_>) -> String {
    let lines = &text.lines;
    let word = |line: usize, at: usize| lines.words(line).get(at).copied();
    let is = |line: usize, keyword: &str| lines.keyword(line).eq_ignore_ascii_case(keyword);
    let names = text.geometry.nodes.iter().filter_map(|node| word(node.line, 2));
    let names: HashSet<String> = names.map(str::to_ascii_lowercase).collect();
    let parents = text.geometry.nodes.iter().flat_map(|node| &node.items).filter(|item| is(item.line, "parent"));
    let unknown = parents
        .filter_map(|item| word(item.line, 1))
        .find(|parent| !parent.eq_ignore_ascii_case("NULL") && !names.contains(&parent.to_ascii_lowercase()));
    let own = || {
        text.geometry.items.iter().find(|item| is(item.line, "beginwalkmeshgeom")).and_then(|item| word(item.line, 1))
    };
    unknown.or_else(own).unwrap_or(ROOT).to_owned()
}
