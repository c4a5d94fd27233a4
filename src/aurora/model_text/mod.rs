//! Compiled models as text: the text that other programs and the game read, from which the same file is compiled again.
//!
//! What an ordinary text cannot say stands in lines that are remarks for all others. Texts without such lines are compiled as one of the
//! compilers of the game does.
//!
//! Source: `nwn-mdl-text.md`, sections 9 and 10.

mod arithmetic;
mod boxes;
mod compile;
mod lint;
mod marks;
mod mesh_text;
mod print;
pub(in crate::aurora) mod profile;
mod skin;
mod smoothing;
mod syntax;
mod usual;
mod words;

use crate::field::{GAME_TEXT, decode};
use crate::json::unmarked;
use crate::kind::TextForm;
use crate::recompute::encode_edited;

use super::model::Model;
use super::node::Node;
use super::numbers::preorder;

pub(super) use lint::{TRAPS, lint};

use compile::{Compiled, compile, is_about_a_part};
use print::{Printed, print};
use syntax::{MARK, ModelText, NodeText};

/// Compiled models as text.
pub(super) static TEXT: TextForm = TextForm::new("mdl", is_text, write, read).with_files(stays);

/// Returns `true` if a line of a text begins a model.
fn is_text(bytes: &[u8]) -> bool {
    let is_first = |line: &[u8]| {
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words.next().is_some_and(|word| word.eq_ignore_ascii_case(b"newmodel")) && words.next().is_some()
    };
    bytes.first() != Some(&0) && bytes.split(|byte| *byte == b'\n').any(is_first)
}

/// Returns `true` for a text that does not name its compiler, as [`write`] does: the game reads it as it is.
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
    let Compiled { model: mut compiled, .. } = settled(compile(&ModelText::of(plain)?)?)?;
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
    let Compiled { mut model, orders } = compiled;
    let bytes = encode_edited(&mut model).map_err(|error| error.to_string())?;
    let model = decode::<Model>(bytes).map_err(|error| error.to_string())?.model;
    Ok(Compiled { model, orders })
}

/// Compiles a text.
fn read(text: &[u8]) -> Result<Vec<u8>, String> {
    let text = unmarked(text)?;
    let decoded;
    let text = match core::str::from_utf8(text) {
        Ok(text) => text,
        Err(_) => {
            decoded = GAME_TEXT.decode(text);
            &decoded
        }
    };
    let text = ModelText::of(text)?;
    let mut compiled = compile(&text)?;
    let has_marks = |node: &NodeText| node.marks.iter().any(|line| is_about_a_part(text.lines.words(*line)));
    let trees = || core::iter::once(&text.geometry).chain(&text.animations);
    let of_trees = trees().any(|tree| tree.marks.iter().any(|line| is_about_a_part(text.lines.words(*line))));
    if of_trees || trees().any(|tree| tree.nodes.iter().any(has_marks)) {
        compiled = settled(compiled)?;
        apply(&text, &mut compiled)?;
    }
    let model = &mut compiled.model;
    let file = encode_edited(model);
    // Parts that were the same bytes in the file can differ in the edited text, which then has the usual order.
    let file = match file.is_err() && !model.order.is_empty() {
        true => {
            model.order.clear();
            encode_edited(model)
        }
        false => file,
    };
    file.map_err(|error| error.to_string())
}

/// Applies the lines with what the text cannot say.
fn apply(text: &ModelText<'_>, Compiled { model, orders }: &mut Compiled) -> Result<(), String> {
    let lines = &text.lines;
    let joined = |marks: &[usize]| {
        let about = marks.iter().map(|line| (*line, lines.words(*line))).filter(|(_, words)| is_about_a_part(words));
        let joined = marks::joined(about).map_err(|(line, why)| lines.wrong(line, why))?;
        Ok::<Vec<_>, String>(joined.into_iter().map(|(line, name, payload)| (line, name.to_owned(), payload)).collect())
    };
    let wrong = |line: usize| move |why: String| lines.wrong(line, why);
    model.each_node(|(tree, index), node: &mut Node| {
        let of = match tree {
            0 => Some(&text.geometry),
            tree => text.animations.get(tree - 1),
        };
        let number = orders.get(tree).and_then(|order| order.get(index));
        let Some(of) = of.zip(number).and_then(|(of, number)| of.nodes.get(*number)) else { return Ok(()) };
        marks::apply_to_node(node, &joined(&of.marks)?).map_err(|(line, why)| lines.wrong(line, why))
    })?;
    for (line, name, payload) in joined(&text.geometry.marks)? {
        marks::apply(model, &name, &payload).map_err(wrong(line))?;
    }
    for (animation, of) in model.animations.iter_mut().zip(&text.animations) {
        for (line, name, payload) in joined(&of.marks)? {
            marks::apply(animation, &name, &payload).map_err(wrong(line))?;
        }
    }
    Ok(())
}
