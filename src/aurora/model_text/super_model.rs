//! The super model of a text: the part numbers of its nodes, and their number.
//!
//! Source: `nwn-mdl.md`, section 3.4; `nwn-mdl-text.md`, section 10.

use std::collections::HashMap;

use bytes::Bytes;

use crate::model::Model;
use crate::node::Node;
use crate::numbers::preorder;
use field::decode;

/// A super model, as far as a model that is compiled depends on it.
pub(super) struct SuperModel {
    name: String,
    /// The part numbers of its nodes and of those of its own super models, by name in lower case.
    numbers: HashMap<Vec<u8>, i32>,
    /// The number of nodes that it states.
    nodes: u32,
}

impl SuperModel {
    /// Takes the first of some files, compiled or as text, whose own super models are the others, and adds what there is to say of them.
    /// Returns `None` without files.
    ///
    /// # Errors
    /// Returns an error if a file is no model, or not the super model of the one before.
    pub(super) fn of(files: &[Bytes], notes: &mut Vec<String>) -> Result<Option<Self>, String> {
        // Each builds upon the one after it.
        files.iter().rev().try_fold(None, |next, file| Self::over(file, next, notes).map(Some))
    }

    /// Takes a file, given its own super model if that is known.
    fn over(file: &Bytes, next: Option<Self>, notes: &mut Vec<String>) -> Result<Self, String> {
        let (file, own, is_said) = match super::is_text(file) {
            true => {
                let wrong = |why: String| match &next {
                    Some(next) => format!("the super model over {}: {why}", next.name),
                    None => format!("the last super model: {why}"),
                };
                let made = super::made_over(file, next.as_ref()).map_err(wrong)?;
                // A text that does not name its compiler says itself that its super model is missing.
                (made.file, made.notes, super::stays(file))
            }
            false => (file.to_vec(), Vec::new(), false),
        };
        let wrong = |error: field::Error| format!("expected a super model: {error}");
        let model = decode::<Model>(file).map_err(wrong)?.model;
        let title = model.geometry.head.name.to_string();
        notes.extend(own.into_iter().map(|note| format!("super model {title}: {note}")));
        let mut numbers = HashMap::new();
        for node in preorder(&model.root) {
            // If several nodes have one name, the first counts.
            numbers.entry(name(node)).or_insert(node.head.part_number.get());
        }
        match next {
            Some(next) => {
                next.check(&model)?;
                for (name, number) in next.numbers {
                    numbers.entry(name).or_insert(number);
                }
            }
            None if !model.is_alone() && !is_said => notes.push(missing(&model)),
            None => {}
        }
        Ok(Self { name: title, numbers, nodes: model.geometry.head.nodes.get() })
    }

    /// Checks that a model has this super model.
    ///
    /// # Errors
    /// Returns an error with the name of the super model that it has.
    pub(super) fn check(&self, model: &Model) -> Result<(), String> {
        let named = model.head.super_model.to_string();
        match named.eq_ignore_ascii_case(&self.name) {
            true => Ok(()),
            false => {
                let (title, found) = (model.geometry.head.name, &self.name);
                Err(format!("expected {named}, which {title} names as its super model, found {found}"))
            }
        }
    }

    /// Returns the part number of the namesake of a node, if there is one.
    pub(super) fn number(&self, node: &Node) -> Option<i32> {
        self.numbers.get(&name(node)).copied()
    }

    /// Returns what a model adds to the number of its own nodes.
    pub(super) fn nodes_with_its_own(&self) -> u32 {
        self.nodes.wrapping_add(1)
    }
}

fn name(node: &Node) -> Vec<u8> {
    node.head.name.bytes().to_ascii_lowercase()
}

/// Returns what is to be said of a model whose super model is not known.
pub(super) fn note(model: &Model) -> String {
    let (title, named) = (model.geometry.head.name, model.head.super_model);
    format!(
        "{title}: without its super model {named}, its nodes have no part numbers, by which the game binds the animations of the super model; \
         give it with --super FILE"
    )
}

/// Returns what is to be said of the last super model given if it has one itself.
fn missing(model: &Model) -> String {
    let (title, named) = (model.geometry.head.name, model.head.super_model);
    format!(
        "super model {title}: without its own super model {named}, nodes that only {named} has get no part numbers; give it with --super FILE \
         after {title}"
    )
}
