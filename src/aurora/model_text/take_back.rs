//! Edits of a compiled model, taken back into the text that it was compiled from: only lines about what has changed are written anew.
//!
//! The model is printed before and after the edits. What differs between the two is replaced in the text: values by their keywords, all
//! lists of a mesh together, since their rows depend on each other. Remarks stay: at the end of a line that stays one line, and else on
//! lines of their own before what replaces it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use crate::controllers::NodeType;
use crate::model::Model;
use field::{GAME_TEXT, decode};
use json::unmarked;

use super::lists::TextList;
use super::print::print;
use super::syntax::{Item, Lines, ModelText, NodeText, TreeText};
use super::words::{self, Control, Word, float};
use super::{model, text_of};

/// The first words of lines that hold the name of the model.
const WITH_TITLE: [&str; 8] = [
    "newmodel",
    "setsupermodel",
    "beginmodelgeom",
    "endmodelgeom",
    "newanim",
    "doneanim",
    "donemodel",
    "beginwalkmeshgeom",
];

/// Returns a text with the changes between two models, the first of which was compiled from it.
///
/// # Errors
/// Returns a reason if the text cannot have these changes.
pub(super) fn take_back(text: &[u8], before: &[u8], after: &[u8]) -> Result<Vec<u8>, String> {
    let printed = |file: &[u8]| {
        let model = decode::<Model>(file.to_vec()).map_err(|error| error.to_string())?.model;
        String::from_utf8(print(&model).text).map_err(|error| format!("internal error: {error}"))
    };
    let (before, after) = (printed(before)?, printed(after)?);
    let body = unmarked(text)?;
    let own = text_of(body);
    let edited = {
        let (was, now) = (ModelText::of(&before)?, ModelText::of(&after)?);
        let mut edit = Edit::of(ModelText::of_any(&own)?, &own, &after);
        edit.title(&was, &now);
        edit.tree(&edit.text.geometry.clone(), (&was, &was.geometry), (&now, &now.geometry))?;
        let counts = [edit.text.animations.len(), was.animations.len(), now.animations.len()];
        if counts.iter().any(|count| *count != was.animations.len()) {
            return Err("animations that come or go cannot be taken back into a text; edit the text".to_owned());
        }
        for ((own, was_tree), now_tree) in edit.text.animations.clone().iter().zip(&was.animations).zip(&now.animations)
        {
            edit.animation(own, (&was, was_tree), (&now, now_tree));
            edit.tree(own, (&was, was_tree), (&now, now_tree))?;
        }
        edit.done()
    };
    let mark = text.get(..text.len() - body.len()).unwrap_or_default();
    let bytes = match core::str::from_utf8(body) {
        Ok(_) => edited.into_bytes(),
        Err(_) => GAME_TEXT.encode(&edited).ok_or("a name has characters that the encoding of the text lacks")?,
    };
    // The text gives what the edited model shows.
    let again = print(&model(&bytes)?).text;
    let again = core::str::from_utf8(&again).map_err(|error| format!("internal error: {error}"))?;
    match is_same(&ModelText::of(again)?, &ModelText::of(&after)?) {
        true => Ok([mark, &bytes].concat()),
        false => {
            Err("the text would not become the edited model; compile it with `bitexact pack`, and import into that"
                .to_owned())
        }
    }
}

/// A text that is edited line by line.
struct Edit<'t> {
    text: ModelText<'t>,
    /// The lines of the text with their ends, and those of the edited model.
    raw: Vec<&'t str>,
    new: Vec<&'t str>,
    end: &'static str,
    /// What ranges of lines become. Insertions have empty ranges.
    changes: BTreeMap<(usize, usize), String>,
}

impl<'t> Edit<'t> {
    fn of(text: ModelText<'t>, own: &'t str, after: &'t str) -> Self {
        let end = if own.contains("\r\n") { "\r\n" } else { "\n" };
        let raw = own.split_inclusive('\n').collect();
        Self { text, raw, new: after.split_inclusive('\n').collect(), end, changes: BTreeMap::new() }
    }

    fn replace(&mut self, lines: Range<usize>, with: String) {
        self.changes.entry((lines.start, lines.end)).or_default().push_str(&with);
    }

    /// Returns the edited text.
    fn done(self) -> String {
        let (mut text, mut at) = (String::new(), 0);
        for ((from, to), new) in self.changes {
            text.extend(self.raw.get(at..from).into_iter().flatten().copied());
            if !new.is_empty() && !text.is_empty() && !text.ends_with('\n') {
                text.push_str(self.end);
            }
            text.push_str(&new);
            at = at.max(to);
        }
        text.extend(self.raw.get(at..).into_iter().flatten().copied());
        text
    }

    /// Returns the lines of the edited model in a range, with the line ends of the text.
    fn lines_of(&self, lines: Range<usize>) -> String {
        let lines = self.new.get(lines).into_iter().flatten();
        lines.flat_map(|line| [line.trim_end_matches('\n'), self.end]).collect()
    }

    /// Returns the lines of an item of the edited model, indented like an item of the text: a line, and the rows after it.
    fn indented(&self, lines: Range<usize>, like: Option<&Range<usize>>) -> String {
        let new = self.new.get(lines.clone()).unwrap_or_default();
        let (Some(first), Some(own)) = (new.first(), like.and_then(|like| self.raw.get(like.clone()))) else {
            return self.lines_of(lines);
        };
        let [of_line, own_line] = [first, own.first().unwrap_or(first)].map(|line| indent(line));
        let is_row = |line: &&&str| {
            line.trim_start().starts_with(|it: char| it.is_ascii_digit() || matches!(it, '-' | '+' | '.'))
        };
        let own_row = own.iter().skip(1).find(is_row).map(|line| indent(line));
        let mut all = String::new();
        for line in new {
            // How much deeper than the first line it is.
            let deeper = indent(line).strip_prefix(of_line).unwrap_or_default();
            match own_row.filter(|_| !deeper.is_empty()) {
                Some(row) => all.push_str(row),
                None => all.extend([own_line, deeper]),
            }
            all.extend([line.trim(), self.end]);
        }
        all
    }

    /// Returns the remarks of lines that are replaced, on lines of their own.
    fn remarks(&self, lines: Range<usize>) -> String {
        let mut all = String::new();
        for line in self.raw.get(lines).unwrap_or_default() {
            let text = line.trim();
            let remark = match text.starts_with('#') {
                true => text,
                false => remark(text).trim_start(),
            };
            if !remark.is_empty() {
                all.extend([indent(line), remark, self.end]);
            }
        }
        all
    }

    /// Replaces words of a line, which keeps its beginning and the remark at its end.
    fn words(&mut self, line: usize, words: &[&str]) {
        let Some(raw) = self.raw.get(line) else { return };
        // Words that were taken from the line itself have its remark.
        let new = words.join(" ");
        let new = new.strip_suffix(remark(&new)).unwrap_or(&new);
        let with = format!("{}{new}{}{}", indent(raw), remark(raw), self.end);
        self.replace(line..line + 1, with);
    }

    /// Replaces the name of the model where the frame has it.
    fn title(&mut self, was: &ModelText<'_>, now: &ModelText<'_>) {
        let title = |text: &ModelText<'_>| text.lines.words(text.geometry.line).get(1).map(|it| (*it).to_owned());
        let (Some(was), Some(now)) = (title(was), title(now)) else { return };
        if was == now {
            return;
        }
        let mut lines = Vec::new();
        for line in 0..self.text.lines.count() {
            let own = self.text.lines.words(line);
            let is_frame = own.first().is_some_and(|it| WITH_TITLE.iter().any(|known| it.eq_ignore_ascii_case(known)));
            // The second word of an animation is its own name.
            let own_name = own.first().is_some_and(|it| it.to_ascii_lowercase().ends_with("anim"));
            let is_it = |(at, word): (usize, &&str)| word.eq_ignore_ascii_case(&was) && !(own_name && at == 1);
            if is_frame && own.iter().enumerate().any(is_it) {
                let new = own.iter().enumerate().map(|it| if is_it(it) { now.clone() } else { (*it.1).to_owned() });
                lines.push((raw(&self.text.lines, line), new.collect::<Vec<_>>()));
            }
        }
        for (line, words) in lines {
            self.words(line, &words.iter().map(String::as_str).collect::<Vec<_>>());
        }
    }

    /// Replaces the values of an animation.
    fn animation(
        &mut self,
        own: &TreeText,
        (was, was_tree): (&ModelText<'_>, &TreeText),
        (now, now_tree): (&ModelText<'_>, &TreeText),
    ) {
        let name =
            |text: &ModelText<'_>, tree: &TreeText| text.lines.words(tree.line).get(1).map(|it| (*it).to_owned());
        if let Some(new) = name(now, now_tree).filter(|it| Some(it) != name(was, was_tree).as_ref()) {
            let end = (own.line..self.text.lines.count()).find(|line| self.text.lines.is(*line, "doneanim"));
            for line in [Some(own.line), end].into_iter().flatten() {
                let words: Vec<String> = self.text.lines.words(line).iter().map(|it| (*it).to_owned()).collect();
                let words: Vec<&str> =
                    words.iter().enumerate().map(|(at, word)| if at == 1 { new.as_str() } else { word }).collect();
                self.words(raw(&self.text.lines, line), &words);
            }
        }
        let key = |lines: &Lines<'_>, item: &Item| match Word::of(words::ANIMATION, lines.keyword(item.line)) {
            Some(word) => word.keyword.to_owned(),
            None => lines.keyword(item.line).to_ascii_lowercase(),
        };
        let items = (&own.items[..], &was_tree.items[..], &now_tree.items[..]);
        self.items(items, (&was.lines, &now.lines), raw(&self.text.lines, own.line) + 1, &key);
    }

    /// Replaces what differs in the nodes of a tree.
    fn tree(
        &mut self,
        own: &TreeText,
        (was, was_tree): (&ModelText<'_>, &TreeText),
        (now, now_tree): (&ModelText<'_>, &TreeText),
    ) -> Result<(), String> {
        let own_names = numbered(&self.text.lines, &own.nodes);
        let own_nodes: HashMap<&(String, usize), &NodeText> = own_names.iter().zip(&own.nodes).collect();
        let was_names = numbered(&was.lines, &was_tree.nodes);
        let now_names = numbered(&now.lines, &now_tree.nodes);
        let by_index = was_names.len() == now_names.len();
        let known: HashMap<&(String, usize), usize> = now_names.iter().zip(0..).collect();
        let mut taken = BTreeSet::new();
        for (nth, (name, node)) in was_names.iter().zip(&was_tree.nodes).enumerate() {
            let partner = if by_index { Some(nth) } else { known.get(name).copied() };
            taken.extend(partner);
            // The root of a walkmesh is not in the text.
            let Some(own) = own_nodes.get(name) else { continue };
            match partner.and_then(|nth| now_tree.nodes.get(nth)) {
                Some(new) => self.node(own, (was, node), (now, new)),
                None => {
                    let (first, last) =
                        (raw(&self.text.lines, own.line), raw(&self.text.lines, end(&self.text.lines, own)));
                    self.replace(first..last + 1, String::new());
                }
            }
        }
        let last = own.nodes.last().map(|node| raw(&self.text.lines, end(&self.text.lines, node)) + 1);
        for (_, node) in now_tree.nodes.iter().enumerate().filter(|(nth, _)| !taken.contains(nth)) {
            let at = last.ok_or("a text without nodes cannot get any; edit the text")?;
            let new = self.lines_of(raw(&now.lines, node.line)..raw(&now.lines, end(&now.lines, node)) + 1);
            self.replace(at..at, new);
        }
        Ok(())
    }

    fn node(
        &mut self,
        own: &NodeText,
        (was, old): (&ModelText<'_>, &NodeText),
        (now, new): (&ModelText<'_>, &NodeText),
    ) {
        if was.lines.words(old.line) != now.lines.words(new.line) {
            self.words(raw(&self.text.lines, own.line), now.lines.words(new.line));
        }
        let kind = now.lines.words(new.line).get(1).copied().unwrap_or_default();
        let of = NodeType::of(words::flags_of(kind));
        let key = |lines: &Lines<'_>, item: &Item| key_of(lines.keyword(item.line), of);
        let at = raw(&self.text.lines, end(&self.text.lines, own));
        self.items((&own.items, &old.items, &new.items), (&was.lines, &now.lines), at, &key);
    }

    /// Replaces items that differ. Those that the text does not have yet come to a line.
    fn items(
        &mut self,
        (own, old, new): (&[Item], &[Item], &[Item]),
        (was, now): (&Lines<'_>, &Lines<'_>),
        at: usize,
        key: &dyn Fn(&Lines<'_>, &Item) -> String,
    ) {
        let group = |lines: &Lines<'_>, items: &[Item]| -> Vec<(String, Vec<Vec<String>>)> {
            let one = |item: &Item| {
                let rows = core::iter::once(item.line).chain(item.rows.clone());
                rows.map(|line| lines.words(line).iter().map(|word| (*word).to_owned()).collect()).collect()
            };
            items.iter().map(|item| (key(lines, item), one(item))).collect()
        };
        let (old_items, new_items) = (group(was, old), group(now, new));
        let of = |all: &[(String, Vec<Vec<String>>)], wanted: &str| -> Vec<Vec<Vec<String>>> {
            all.iter().filter(|(key, _)| key == wanted).map(|(_, rows)| rows.clone()).collect()
        };
        let keys: BTreeSet<&String> = old_items.iter().chain(&new_items).map(|(key, _)| key).collect();
        let changed: BTreeSet<&String> =
            keys.into_iter().filter(|key| of(&old_items, key) != of(&new_items, key)).collect();
        let beside = own.first().map(|item| range(&self.text.lines, item));
        for wanted in changed {
            let ranges: Vec<Range<usize>> = own
                .iter()
                .filter(|item| key(&self.text.lines, item) == *wanted)
                .map(|item| range(&self.text.lines, item))
                .collect();
            let like = ranges.first().or(beside.as_ref());
            let news: Vec<String> = new
                .iter()
                .filter(|item| key(now, item) == *wanted)
                .map(|item| self.indented(range(now, item), like))
                .collect();
            match (ranges.split_first(), news.as_slice()) {
                (None, []) => {}
                (None, news) => self.replace(at..at, news.concat()),
                // A line that stays one has its remark at its end.
                (Some((first, [])), [one]) if first.len() == 1 && one.lines().count() == 1 => {
                    let remark = self.raw.get(first.start).copied().map(remark).unwrap_or_default();
                    self.replace(first.clone(), [one.trim_end(), remark, self.end].concat());
                }
                (Some((first, others)), news) => {
                    self.replace(first.clone(), self.remarks(first.clone()) + &news.concat());
                    others.iter().for_each(|range| self.replace(range.clone(), self.remarks(range.clone())));
                }
            }
        }
    }
}

/// Returns what items with one meaning have in common: the keyword of a value in all its spellings, or all lists of a mesh.
fn key_of(keyword: &str, of: NodeType) -> String {
    let tables = [words::NODE, words::LIGHT, words::EMITTER, words::REFERENCE, words::MESH, words::ANIM, words::DANGLY];
    let keyword = keyword.to_ascii_lowercase();
    if keyword == "aabb" || TextList::named(&keyword).is_some_and(|list| list.is_of_mesh) {
        return "mesh".to_owned();
    }
    let word = tables.iter().find_map(|words| Word::of(words, &keyword));
    match (Control::named(&keyword, of), word) {
        (Some((control, _)), _) => control.keyword.to_owned(),
        (None, Some(word)) => word.keyword.to_owned(),
        (None, None) => keyword,
    }
}

/// Returns the white space that a line begins with.
fn indent(line: &str) -> &str {
    let text = line.trim_start();
    line.strip_suffix(text).filter(|_| !text.is_empty()).unwrap_or_default()
}

/// Returns the remark at the end of a line with the white space before it. Names can have a number: `Mtl #1`.
fn remark(line: &str) -> &str {
    let line = line.trim_end();
    let rest = |at: usize| {
        let (words, remark) = line.split_at_checked(at)?;
        let before = words.trim_end();
        let is_it = before.len() < words.len() && !before.is_empty();
        let is_name = remark.get(1..)?.starts_with(|it: char| it.is_ascii_digit());
        line.get(before.len()..).filter(|_| is_it && !is_name)
    };
    line.match_indices('#').find_map(|(at, _)| rest(at)).unwrap_or_default()
}

/// Returns the place of a line in the text, from 0. The numbers of lines begin at 1.
fn raw(lines: &Lines<'_>, line: usize) -> usize {
    lines.number(line) - 1
}

/// Returns the lines in the text of an item with its rows and the end of its list.
fn range(lines: &Lines<'_>, item: &Item) -> Range<usize> {
    let last = (item.rows.end - 1).max(item.line);
    let last = if lines.is(last + 1, "endlist") { last + 1 } else { last };
    raw(lines, item.line)..raw(lines, last) + 1
}

/// Returns the line that ends a node.
fn end(lines: &Lines<'_>, node: &NodeText) -> usize {
    (node.line..lines.count()).find(|line| lines.is(*line, "endnode")).unwrap_or(node.line)
}

/// Returns the name of each node, and how many nodes before have it.
fn numbered(lines: &Lines<'_>, nodes: &[NodeText]) -> Vec<(String, usize)> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut one = |node: &NodeText| {
        let name = lines.words(node.line).get(2).copied().unwrap_or_default().to_ascii_lowercase();
        let count = seen.entry(name.clone()).or_default();
        *count += 1;
        (name, *count)
    };
    nodes.iter().map(&mut one).collect()
}

/// Returns `true` if two printed models have the same nodes with the same values; numbers can differ in their last digits.
fn is_same(one: &ModelText<'_>, other: &ModelText<'_>) -> bool {
    let near = |one: &str, other: &str| match (float(one), float(other)) {
        (Ok(one), Ok(other)) => one.to_bits() == other.to_bits() || (one - other).abs() <= 1e-3 * other.abs().max(1.0),
        _ => one.eq_ignore_ascii_case(other),
    };
    let trees = |text: &ModelText<'_>| -> Vec<TreeText> {
        core::iter::once(&text.geometry).chain(&text.animations).cloned().collect()
    };
    let (ones, others) = (trees(one), trees(other));
    ones.len() == others.len()
        && ones.iter().zip(&others).all(|(a, b)| {
            let sorted = |text: &ModelText<'_>, tree: &TreeText| -> BTreeMap<(String, usize), Vec<Vec<String>>> {
                let rows = |node: &NodeText| {
                    (node.line..end(&text.lines, node))
                        .map(|line| text.lines.words(line).iter().map(|it| (*it).to_owned()).collect())
                        .collect()
                };
                numbered(&text.lines, &tree.nodes).into_iter().zip(tree.nodes.iter().map(rows)).collect()
            };
            let (a, b) = (sorted(one, a), sorted(other, b));
            a.len() == b.len()
                && a.iter().zip(&b).all(|((name, a), (other, b))| {
                    name == other
                        && a.len() == b.len()
                        && a.iter().zip(b).all(|(a, b)| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| near(a, b)))
                })
        })
}
