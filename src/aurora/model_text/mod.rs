//! Compiled models as text: the text that other programs and the game read, from which the same file is compiled again.
//!
//! What an ordinary text cannot say stands in lines that are remarks for all others. Texts without such lines are compiled as one of the
//! compilers of the game does.
//!
//! Source: `nwn-mdl-text.md`, sections 9 and 10.

pub(crate) mod arithmetic;
mod boxes;
mod compile;
mod lint;
mod lists;
mod marks;
mod mesh_text;
mod print;
pub(crate) mod profile;
mod skin;
mod skipped;
mod smoothing;
mod super_model;
mod syntax;
mod take_back;
mod usual;
mod walkmesh;
mod words;

use std::borrow::Cow;

use bytes::Bytes;

use field::{GAME_TEXT, decode};
use json::recompute::encode_edited;
use json::unmarked;
use kind::{Compiles, Format as _, Made, TextForm};

use super::model::Model;
use super::node::Node;
use super::numbers::preorder;

pub(super) use lint::{TRAPS, lint};

use compile::{Compiled, compile, is_about_a_part};
use print::{Printed, print};
use super_model::SuperModel;
use syntax::{Frame, Lines, MARK, ModelText, NodeText};

/// Compiled models as text.
pub static TEXT: TextForm =
    TextForm::new("mdl", is_text, write, |text| Ok(made(text, &[])?.file)).with_files(stays).with_others(made);

/// Models and walkmeshes as text are drawn and edited as the models that are compiled from them.
pub static COMPILES: Compiles = Compiles { kind: Model::NAME, compile: compiled, take_back: take_back::take_back };

/// Compiles a model or a walkmesh as text.
fn compiled(text: &[u8]) -> Result<Vec<u8>, String> {
    encode_edited(&mut model(text)?).map_err(|error| error.to_string())
}

/// Returns `true` if a line of a text begins a model.
fn is_text(bytes: &[u8]) -> bool {
    let is_first = |line: &[u8]| {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words.next().is_some_and(|word| word.eq_ignore_ascii_case(b"newmodel")) && words.next().is_some()
    };
    let Ok(text) = unmarked(bytes) else { return false };
    text.first() != Some(&0) && text.split(|byte| *byte == b'\n').any(is_first)
}

/// Returns `true` for a text that does not name its compiler, as [`write()`] does: the game reads it as it is.
fn stays(bytes: &[u8]) -> bool {
    let is_named = |line: &[u8]| {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words.next() == Some(MARK.as_bytes()) && words.next() == Some(b"compiler")
    };
    !unmarked(bytes).unwrap_or(bytes).split(|byte| *byte == b'\n').any(is_named)
}

/// Writes a model as text.
fn write(file: &[u8]) -> Result<Vec<u8>, String> {
    let model = decode::<Model>(file.to_vec()).map_err(|error| error.to_string())?.model;
    let Printed { text, trees } = print(&model);
    let plain = core::str::from_utf8(&text).map_err(|error| format!("internal error: {error}"))?;
    let Compiled { model: mut compiled, .. } = settled(compile(&ModelText::of(plain)?, None)?)?;
    if shape(&model) != shape(&compiled) {
        return Err("internal error: the text has other nodes; please report this".to_owned());
    }
    // The lines about each part, with the offset where they belong.
    let mut all = Vec::new();
    let mut of_trees = vec![marks::differ(&model, &mut compiled)?];
    for (file, compiled) in model.animations.iter().zip(&mut compiled.animations) {
        of_trees.push(marks::differ(file, compiled)?);
    }
    all.extend(trees.iter().map(|(at, _)| *at).zip(of_trees));
    let files = model.animations.iter().map(|it| &it.root).chain([&model.root]);
    let mut nodes = files.flat_map(preorder);
    compiled.each_node(|(tree, index), node| {
        let Some(file) = nodes.next() else { return Ok(()) };
        let at = trees.get(tree).and_then(|(_, nodes)| nodes.get(index)).copied().unwrap_or_default();
        all.push((at, marks::differ(file, node)?));
        Ok::<_, String>(())
    })?;
    all.sort_by_key(|(at, _)| *at);
    let (mut whole, mut from) = (Vec::with_capacity(text.len()), 0);
    for (at, lines) in all {
        whole.extend_from_slice(text.get(from..at).unwrap_or_default());
        from = at;
        for line in lines {
            whole.extend_from_slice(line.as_bytes());
            whole.push(b'\n');
        }
    }
    whole.extend_from_slice(text.get(from..).unwrap_or_default());
    Ok(whole)
}

/// Returns the number of children of each node.
fn shape(model: &Model) -> Vec<Vec<usize>> {
    model.roots().map(|root| preorder(root).map(|node| node.children.len()).collect()).collect()
}

/// Returns a compiled model as a file has it: with its pointers, counts and numbers.
fn settled(compiled: Compiled) -> Result<Compiled, String> {
    let Compiled { mut model, orders, notes } = compiled;
    let bytes = encode_edited(&mut model).map_err(|error| error.to_string())?;
    let model = decode::<Model>(bytes).map_err(|error| error.to_string())?.model;
    Ok(Compiled { model, orders, notes })
}

/// Returns a text of a game, whose bytes are in its encoding unless they are UTF-8.
fn text_of(text: &[u8]) -> Cow<'_, str> {
    match core::str::from_utf8(text) {
        Ok(text) => text.into(),
        Err(_) => GAME_TEXT.decode(text).into(),
    }
}

/// Compiles a text, given its super models, the nearest one first.
fn made(text: &[u8], super_models: &[Bytes]) -> Result<Made, String> {
    let mut notes = Vec::new();
    let super_model = SuperModel::of(super_models, &mut notes)?;
    let mut made = made_over(text, super_model.as_ref())?;
    made.notes.extend(notes);
    Ok(made)
}

/// Compiles a text, given its super model if that is known.
fn made_over(text: &[u8], super_model: Option<&SuperModel>) -> Result<Made, String> {
    let text = text_of(unmarked(text)?);
    let (Compiled { mut model, notes, .. }, dropped) = whole(&ModelText::of(&text)?, super_model)?;
    let file = encode_edited(&mut model);
    // Parts that were the same bytes in the file can differ in the edited text, which then has the usual order.
    let file = match file.is_err() && !model.order.is_empty() {
        true => {
            model.order.clear();
            encode_edited(&mut model)
        }
        false => file,
    };
    let mut made = Made::from(file.map_err(|error| error.to_string())?);
    made.notes = notes.into_iter().chain(dropped).collect();
    Ok(made)
}

/// Compiles a model or a walkmesh as text. A walkmesh gets the root that its nodes belong to, which is in another file.
///
/// # Errors
/// Returns a reason, with the number of the line if it is about one.
pub(super) fn model(text: &[u8]) -> Result<Model, String> {
    let text = text_of(unmarked(text)?);
    let text = ModelText::of_any(&text)?;
    let text = match text.frame {
        Frame { has_name: true, is_done: false, at, .. } => {
            return Err(text.lines.wrong(at, "expected donemodel at the end"));
        }
        _ => text,
    };
    let (compiled, _) = whole(&text, None)?;
    Ok(settled(compiled)?.model)
}

/// Compiles a text with the lines of what it cannot say, and returns which of these no longer count.
fn whole(text: &ModelText<'_>, super_model: Option<&SuperModel>) -> Result<(Compiled, Vec<String>), String> {
    let mut compiled = compile(text, super_model)?;
    let has_marks = |node: &NodeText| node.marks.iter().any(|line| is_about_a_part(text.lines.words(*line)));
    let trees = || core::iter::once(&text.geometry).chain(&text.animations);
    let of_trees = trees().any(|tree| tree.marks.iter().any(|line| is_about_a_part(text.lines.words(*line))));
    if !of_trees && !trees().any(|tree| tree.nodes.iter().any(has_marks)) {
        return Ok((compiled, Vec::new()));
    }
    compiled = settled(compiled)?;
    let mut dropped = apply(text, &mut compiled)?;
    if super_model.is_some() {
        // The super model decides, whatever the file had.
        dropped.retain(|dropped| !dropped.is_by_super_model());
    }
    Ok((compiled, dropped.iter().map(|dropped| dropped.note(&text.lines)).collect()))
}

/// Lines about a node or a tree that no longer count, since the text beside them was edited.
struct Dropped {
    /// The first of them.
    line: usize,
    /// The parts that they are about.
    names: Vec<String>,
}

impl Dropped {
    fn is_by_super_model(&self) -> bool {
        self.names.iter().all(|name| name.starts_with("part.") || name == "inherited")
    }

    fn note(&self, lines: &Lines<'_>) -> String {
        let (count, names) = (self.names.len(), self.names.join(", "));
        let (what, count_again) = if count == 1 {
            (format!("{MARK} {names}"), "counts")
        } else {
            (format!("{count} lines {MARK} ({names})"), "count")
        };
        lines.wrong(
            self.line,
            format_args!("{what} no longer {count_again}, since the text that they depend on has changed"),
        )
    }
}

/// Applies the lines with what the text cannot say, and returns those that no longer count.
fn apply(text: &ModelText<'_>, Compiled { model, orders, .. }: &mut Compiled) -> Result<Vec<Dropped>, String> {
    let lines = &text.lines;
    let joined = |marks: &[usize]| {
        let about = marks.iter().map(|line| (*line, lines.words(*line))).filter(|(_, words)| is_about_a_part(words));
        let joined = marks::joined(about).map_err(|(line, why)| lines.wrong(line, why))?;
        Ok::<Vec<_>, String>(joined.into_iter().map(|(line, name, payload)| (line, name.to_owned(), payload)).collect())
    };
    let wrong = |line: usize| move |why: String| lines.wrong(line, why);
    let mut all: Vec<Dropped> = Vec::new();
    let mut drop = |names: Vec<(usize, String)>| {
        if let Some((line, _)) = names.first() {
            all.push(Dropped { line: *line, names: names.iter().map(|(_, name)| name.clone()).collect() });
        }
    };
    model.each_node(|(tree, index), node: &mut Node| {
        let of = match tree {
            0 => Some(&text.geometry),
            tree => text.animations.get(tree - 1),
        };
        let number = orders.get(tree).and_then(|order| order.get(index));
        let Some(of) = of.zip(number).and_then(|(of, number)| of.nodes.get(*number)) else { return Ok(()) };
        let dropped = marks::apply_to_node(node, &joined(&of.marks)?).map_err(|(line, why)| lines.wrong(line, why))?;
        drop(dropped);
        Ok::<_, String>(())
    })?;
    let mut dropped = Vec::new();
    for (line, name, payload) in joined(&text.geometry.marks)? {
        if !marks::apply(model, &name, &payload).map_err(wrong(line))? {
            dropped.push((line, name));
        }
    }
    drop(dropped);
    for (animation, of) in model.animations.iter_mut().zip(&text.animations) {
        let mut dropped = Vec::new();
        for (line, name, payload) in joined(&of.marks)? {
            if !marks::apply(animation, &name, &payload).map_err(wrong(line))? {
                dropped.push((line, name));
            }
        }
        drop(dropped);
    }
    all.sort_by_key(|dropped| dropped.line);
    Ok(all)
}
