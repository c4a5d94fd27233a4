//! The lines of a text model: its frame, its nodes, and the rows of lists.
//!
//! Source: `nwn-mdl-text.md`, sections 2 to 5.

use core::ops::Range;

use super::lists::TextList;

/// The first word of a line that only compiles to what its text cannot say. For all other programs, it is a remark.
pub(super) const MARK: &str = "#bitexact";

/// A line with words, without remarks and blank lines.
#[derive(Clone, Copy, Debug)]
struct Line {
    number: usize,
    from: usize,
    to: usize,
}

/// The words of a text.
pub(super) struct Lines<'t> {
    words: Vec<&'t str>,
    lines: Vec<Line>,
}

/// A line with a keyword, and the rows after it.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// Its line.
    pub(super) line: usize,
    /// The lines of the rows.
    pub(super) rows: Range<usize>,
}

/// A node of a text.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeText {
    pub(super) line: usize,
    pub(super) items: Vec<Item>,
    /// Lines with what the text cannot say.
    pub(super) marks: Vec<usize>,
}

/// A tree of nodes in a text: the geometry or an animation.
#[derive(Clone, Debug, Default)]
pub(super) struct TreeText {
    /// The line that begins it.
    pub(super) line: usize,
    pub(super) items: Vec<Item>,
    pub(super) nodes: Vec<NodeText>,
    pub(super) marks: Vec<usize>,
}

/// A text model.
pub(super) struct ModelText<'t> {
    pub(super) lines: Lines<'t>,
    pub(super) frame: Frame,
    /// The geometry, with the lines of the model.
    pub(super) geometry: TreeText,
    pub(super) animations: Vec<TreeText>,
}

/// What a text has around its nodes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// `true` if it names the model.
    pub(super) has_name: bool,
    /// `true` if it says that the model ends.
    pub(super) is_done: bool,
    /// The line after the last that was read.
    pub(super) at: usize,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let mut all = Self { words: Vec::with_capacity(text.len() / 6), lines: Vec::new() };
        for (number, line) in (1..).zip(text.split('\n')) {
            let from = all.words.len();
            all.words.extend(line.split([' ', '\t', '\r', '\0']).filter(|word| !word.is_empty()));
            let first = all.words.get(from).copied().unwrap_or("#");
            if first.starts_with('#') && first != MARK {
                all.words.truncate(from);
            } else {
                all.lines.push(Line { number, from, to: all.words.len() });
            }
        }
        all
    }

    /// Returns the words of a line.
    pub(super) fn words(&self, line: usize) -> &[&'t str] {
        self.lines.get(line).and_then(|line| self.words.get(line.from..line.to)).unwrap_or_default()
    }

    /// Returns the number of a line in the text, from 1.
    pub(super) fn number(&self, line: usize) -> usize {
        self.lines.get(line).or(self.lines.last()).map_or(1, |line| line.number)
    }

    /// Returns the first word of a line.
    pub(super) fn keyword(&self, line: usize) -> &'t str {
        self.words(line).first().copied().unwrap_or_default()
    }

    /// Returns a reason with the number of a line.
    pub(super) fn wrong(&self, line: usize, why: impl core::fmt::Display) -> String {
        format!("line {}: {why}", self.number(line))
    }

    /// Returns the number of lines with words.
    pub(super) fn count(&self) -> usize {
        self.lines.len()
    }

    /// Returns `true` if a line begins with a keyword.
    pub(super) fn is(&self, line: usize, keyword: &str) -> bool {
        self.keyword(line).eq_ignore_ascii_case(keyword)
    }

    /// Returns a line with its rows, and the line after them.
    fn item(&self, line: usize) -> Result<(Item, usize), String> {
        let (keyword, words) = (self.keyword(line).to_ascii_lowercase(), self.words(line));
        let first = line + 1;
        let is_row = |line: &usize| begins_number(self.keyword(*line));
        let is_key = keyword.ends_with("key");
        if keyword == "aabb" {
            let end = (first..).find(|line| !is_row(line)).unwrap_or(first);
            return Ok((Item { line, rows: first..end }, end));
        }
        if !is_key && TextList::named(&keyword).is_none() {
            return Ok((Item { line, rows: first..first }, first));
        }
        let count = words.get(1).and_then(|word| word.parse::<usize>().ok());
        let end = match count {
            Some(count) => first.checked_add(count).filter(|end| *end <= self.lines.len()),
            None if is_key => (first..self.lines.len()).find(|line| !is_row(line)),
            None => return Err(self.wrong(line, format_args!("expected the number of rows after {keyword}"))),
        };
        let short = || self.wrong(line, format_args!("expected all rows of {keyword}, found the end of the text"));
        let end = end.ok_or_else(short)?;
        let ends_early = (first..end).find(|row| self.is(*row, "endnode") || self.is(*row, MARK));
        if let Some(row) = ends_early {
            let (expected, found) = (end - first, row - first);
            return Err(self.wrong(row, format_args!("expected {expected} rows of {keyword}, found {found}")));
        }
        let next = if is_key && self.is(end, "endlist") { end + 1 } else { end };
        Ok((Item { line, rows: first..end }, next))
    }
}

impl<'t> ModelText<'t> {
    /// Reads the nodes and animations of a model.
    ///
    /// # Errors
    /// Returns an error if it is a walkmesh, or not complete.
    pub(super) fn of(text: &'t str) -> Result<Self, String> {
        let model = Self::of_any(text)?;
        match model.frame {
            Frame { has_name: false, .. } => {
                Err("expected a line newmodel NAME: only models can be compiled, not walkmeshes".to_owned())
            }
            Frame { is_done: false, at, .. } => Err(model.lines.wrong(at, "expected donemodel at the end")),
            _ => Ok(model),
        }
    }

    /// Returns `true` if it names its compiler, as a model does that was decompiled.
    pub(super) fn names_compiler(&self) -> bool {
        self.geometry.marks.iter().any(|line| self.lines.words(*line).get(1) == Some(&"compiler"))
    }

    /// Reads the nodes and animations of a text, even if it is a walkmesh, which has no frame, or if the frame is not complete.
    pub(super) fn of_any(text: &'t str) -> Result<Self, String> {
        let lines = Lines::of(text);
        let mut model = Self { lines, frame: Frame::default(), geometry: TreeText::default(), animations: Vec::new() };
        let (mut at, mut has_name, mut is_done) = (0, false, false);
        while at < model.lines.lines.len() && !is_done {
            let lines = &model.lines;
            match lines.keyword(at).to_ascii_lowercase().as_str() {
                "newmodel" if has_name => return Err(lines.wrong(at, "expected newmodel once")),
                "newmodel" => {
                    has_name = true;
                    model.geometry.line = at;
                    at += 1;
                }
                "donemodel" => is_done = true,
                "newanim" => {
                    let (tree, next) = model.lines.animation(at)?;
                    model.animations.push(tree);
                    at = next;
                }
                "node" => {
                    let (node, next) = lines.node(at)?;
                    model.geometry.nodes.push(node);
                    at = next;
                }
                MARK => {
                    model.geometry.marks.push(at);
                    at += 1;
                }
                _ => {
                    model.geometry.items.push(Item { line: at, rows: at + 1..at + 1 });
                    at += 1;
                }
            }
        }
        model.frame = Frame { has_name, is_done, at };
        Ok(model)
    }
}

impl Lines<'_> {
    /// Reads an animation, and returns the line after it.
    fn animation(&self, line: usize) -> Result<(TreeText, usize), String> {
        let (mut tree, mut at) = (TreeText { line, ..TreeText::default() }, line + 1);
        while at < self.lines.len() {
            match self.keyword(at).to_ascii_lowercase().as_str() {
                "doneanim" => return Ok((tree, at + 1)),
                "node" => {
                    let (node, next) = self.node(at)?;
                    tree.nodes.push(node);
                    at = next;
                }
                MARK => {
                    tree.marks.push(at);
                    at += 1;
                }
                _ => {
                    tree.items.push(Item { line: at, rows: at + 1..at + 1 });
                    at += 1;
                }
            }
        }
        Err(self.wrong(line, "expected doneanim after this animation"))
    }

    /// Reads a node, and returns the line after it.
    fn node(&self, line: usize) -> Result<(NodeText, usize), String> {
        if self.words(line).len() < 3 {
            return Err(self.wrong(line, "expected node TYPE NAME"));
        }
        let (mut node, mut at) = (NodeText { line, ..NodeText::default() }, line + 1);
        while at < self.lines.len() {
            match self.keyword(at).to_ascii_lowercase().as_str() {
                "endnode" => return Ok((node, at + 1)),
                "node" | "newanim" | "donemodel" => break,
                MARK => {
                    node.marks.push(at);
                    at += 1;
                }
                _ => {
                    let (item, next) = self.item(at)?;
                    node.items.push(item);
                    at = next;
                }
            }
        }
        Err(self.wrong(line, "expected endnode after this node"))
    }
}

/// Returns `true` for a word that begins like a number, as those of rows do.
pub(super) fn begins_number(word: &str) -> bool {
    word.starts_with(|it: char| it.is_ascii_digit() || matches!(it, '-' | '+' | '.'))
}
