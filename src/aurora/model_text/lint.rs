//! The traps of models as text, and of walkmeshes, which have nodes without the frame of a model.
//!
//! A place is that of a line, and of a word in it. Source: `nwn-mdl-text.md`.

use std::collections::{HashMap, HashSet};

use crate::lint::{ANIMATION_ROOT, FACE, NODE_NAME};
use field::{Step, wide};
use lint::{Warnings, traps};

use super::boxes::{Row, entries};
use super::syntax::{Frame, Item, Lines, ModelText, NodeText, TreeText};
use super::text_of;
use super::walkmesh::missing_root;
use super::words::{float, is_kind, whole};

traps! { TRAPS:
    FRAME = "model-text-frame" in File:
        "a node, an animation or a list of a model does not end, or the model itself does not" =>
        "the game takes the lines after it for a part of it, or crashes", "nwn-mdl-text.md, section 10 (checked)";
    PARENT = "node-parent" in File:
        "the parent of a node is none of the nodes before it" => "the game does not attach the node, or crashes",
        "nwn-mdl-text.md, section 4 (checked)";
    ROOTS = "node-second-root" in File:
        "a second node has no parent" => "a model has one root, and the nodes below another are lost",
        "nwn-mdl-text.md, section 11 (checked)";
    TWICE = "node-twice" in Addition:
        "an earlier node has the same name" => "children, animations and skins belong to the first node of a name",
        "nwn-mdl-text.md, section 4 (checked)";
    KIND = "node-kind" in Addition:
        "the type of a node is none that the game has" => "the node is a dummy, without its mesh, light or particles",
        "nwn-mdl-text.md, section 4 (checked)";
    MODEL_ROOT = "model-root-name" in Addition:
        "the root node does not have the name of the model" => "effects do not attach to the model",
        "nwn-mdl-text.md, section 11 (checked)";
    RESOURCE = "model-resource-name" in Addition:
        "the name of a model, a texture or a super model has more than 16 characters" => "the game has no resource of this name",
        "nwn-mdl-text.md, section 2 (checked)";
    COORDINATES = "model-no-coordinates" in Addition:
        "a mesh with a texture has no texture coordinates" => "the game has no coordinates to draw the texture by",
        "nwn-mdl-text.md, section 11 (checked)";
    NUMBER = "model-number" in File:
        "a number of a model is none, or not finite" => "the game reads another number; some programs write a comma for a point",
        "nwn-mdl-text.md, section 11 (checked)";
    FACES = "mesh-face-limit" in File:
        "a mesh has more than 21,845 faces" => "the game does not draw all of them", "nwn-mdl-text.md, section 10 (engine)";
    BONE = "skin-bone" in File:
        "a weight of a skin is for a bone that is no node" => "the vertex follows no bone",
        "nwn-mdl-text.md, section 10 (checked)";
    BONES = "skin-bone-limit" in File:
        "a skin has more than 64 bones" => "the game crashes; the game of 2002 takes 17",
        "nwn-mdl-text.md, section 1 (measured)";
    BY_VERTEX = "mesh-list-length" in File:
        "a list by vertex does not have a row for each vertex" => "the game reads beyond the list",
        "nwn-mdl-text.md, section 4.1 (checked)";
    TREE = "walkmesh-tree" in File:
        "the boxes of a walkmesh are not one tree with a box for each face" => "the game finds no ground on some faces, or crashes",
        "nwn-mdl-text.md, section 8.8 (checked)";
    ANIMATED = "animation-node-unknown" in Addition:
        "a node of an animation has the name of no node of the model" => "the animation moves no node by it",
        "nwn-mdl-text.md, section 5 (checked)";
}

/// The longest name of a node, and of a resource.
const NODE: usize = 31;
const RESOURCE_NAME: usize = 16;
/// The most faces of a mesh, and the most bones of a skin, in the newest edition.
const MOST_FACES: usize = 21_845;
const MOST_BONES: usize = 64;
/// The lists with a row for each vertex.
const BY_VERTICES: [&str; 5] = ["colors", "normals", "tangents", "constraints", "weights"];

/// Reports the traps of a text.
pub(crate) fn lint(text: &[u8], out: &mut Warnings<'_>) {
    let text = text_of(text);
    let model = match ModelText::of_any(&text) {
        Ok(read) => read,
        // The reason names the line.
        Err(why) => return out.warn(&FRAME, &[], why),
    };
    let frame = model.frame;
    if frame.has_name && !frame.is_done {
        out.warn(&FRAME, &[], "no donemodel");
    }
    let root = (!frame.has_name).then(|| missing_root(&model));
    let mut it = Judged { lines: &model.lines, frame, root, names: HashSet::new(), out };
    it.names = model.geometry.nodes.iter().map(|node| it.name(node).to_ascii_lowercase()).collect();
    it.head(&model.geometry);
    it.tree(&model.geometry, true);
    for animation in &model.animations {
        it.animation(animation);
        it.tree(animation, false);
    }
}

/// A text whose parts are judged.
struct Judged<'j, 't, 'w> {
    lines: &'j Lines<'t>,
    frame: Frame,
    /// The root of a walkmesh, which is not in the text.
    root: Option<String>,
    /// The names of the nodes of the model, in lower case.
    names: HashSet<String>,
    out: &'j mut Warnings<'w>,
}

impl<'t> Judged<'_, 't, '_> {
    /// Returns the step to a line.
    fn line(&self, line: usize) -> Step {
        Step::Index(wide(self.lines.number(line).saturating_sub(1)))
    }

    /// Returns the steps to a word of a line.
    fn word(&self, line: usize, word: u64) -> [Step; 2] {
        [self.line(line), Step::Index(word)]
    }

    fn words(&self, line: usize, word: usize) -> &'t str {
        self.lines.words(line).get(word).copied().unwrap_or_default()
    }

    fn name(&self, node: &NodeText) -> &'t str {
        self.words(node.line, 2)
    }

    fn is(&self, item: &Item, keyword: &str) -> bool {
        self.lines.keyword(item.line).eq_ignore_ascii_case(keyword)
    }

    fn find<'i>(&self, items: &'i [Item], keyword: &str) -> Option<&'i Item> {
        items.iter().find(|item| self.is(item, keyword))
    }

    fn resource(&mut self, line: usize, word: usize) {
        let name = self.words(line, word);
        if name.len() > RESOURCE_NAME {
            let place = self.word(line, wide(word));
            self.out.warn(&RESOURCE, &place, name);
        }
    }

    /// Reports the names of a model.
    fn head(&mut self, model: &TreeText) {
        if !self.frame.has_name {
            return;
        }
        self.resource(model.line, 1);
        if let Some(item) = self.find(&model.items, "setsupermodel") {
            self.resource(item.line, 2);
        }
        let name = self.words(model.line, 1);
        if let Some(root) = model.nodes.first().filter(|root| !self.name(root).eq_ignore_ascii_case(name)) {
            let (place, found) = (self.word(root.line, 2), format!("{}, not {name}", self.name(root)));
            self.out.warn(&MODEL_ROOT, &place, found);
        }
    }

    fn animation(&mut self, animation: &TreeText) {
        if let Some(item) = self.find(&animation.items, "animroot") {
            let root = self.words(item.line, 1);
            if !root.eq_ignore_ascii_case("NULL") && !self.names.contains(&root.to_ascii_lowercase()) {
                let place = self.word(item.line, 1);
                self.out.warn(&ANIMATION_ROOT, &place, root);
            }
        }
    }

    /// Reports the nodes of a tree.
    fn tree(&mut self, tree: &TreeText, is_geometry: bool) {
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut roots = 0_usize;
        for node in &tree.nodes {
            let name = self.name(node);
            let place = self.word(node.line, 2);
            if name.len() > NODE {
                self.out.warn(&NODE_NAME, &place, format!("{name}, {} characters", name.len()));
            }
            if !is_geometry && !self.names.contains(&name.to_ascii_lowercase()) {
                self.out.warn(&ANIMATED, &place, name);
            }
            let parent = self.find(&node.items, "parent");
            let parent_name = parent.map_or("NULL", |item| self.words(item.line, 1));
            if parent_name.eq_ignore_ascii_case("NULL") || parent_name.is_empty() {
                roots += 1;
                // A walkmesh of a placeable has no root, and its nodes belong to one that is not in the text.
                if roots > 1 && self.frame.has_name {
                    self.out.warn(&ROOTS, &place, name);
                }
            } else if let Some(item) = parent
                && self.root.as_deref().is_none_or(|root| !root.eq_ignore_ascii_case(parent_name))
                && !known.contains_key(&parent_name.to_ascii_lowercase())
            {
                let place = self.word(item.line, 1);
                self.out.warn(&PARENT, &place, parent_name);
            }
            let number = self.lines.number(node.line);
            let first = *known.entry(name.to_ascii_lowercase()).or_insert(number);
            if first != number && is_geometry {
                self.out.warn(&TWICE, &place, format!("{name}, line {first}"));
            }
            self.node(node, is_geometry);
        }
    }

    fn node(&mut self, node: &NodeText, is_geometry: bool) {
        let kind = self.words(node.line, 1);
        if is_geometry && !is_kind(kind) {
            let place = self.word(node.line, 1);
            self.out.warn(&KIND, &place, kind);
        }
        for item in &node.items {
            self.numbers(item);
        }
        if is_geometry {
            self.mesh(node);
        }
    }

    /// Reports rows with what is no number where each row is of numbers, and numbers that are not finite.
    fn numbers(&mut self, item: &Item) {
        let keyword = self.lines.keyword(item.line).to_ascii_lowercase();
        let has_names = ["weights", "texturenames", "multimaterial"].contains(&&*keyword);
        let is_placed = ["position", "orientation", "scale"].contains(&&*keyword);
        let own = is_placed.then_some((item.line, 1));
        for (line, from) in own.into_iter().chain(item.rows.clone().filter(|_| !has_names).map(|line| (line, 0))) {
            let words = self.lines.words(line).iter().enumerate().skip(from);
            let wrong = words.into_iter().find(|(_, word)| !float(word).is_ok_and(f32::is_finite));
            if let Some((nth, word)) = wrong.filter(|(_, word)| !word.eq_ignore_ascii_case("undefined")) {
                let place = self.word(line, wide(nth));
                self.out.warn(&NUMBER, &place, *word);
            }
        }
    }

    /// Reports the mesh of a node.
    fn mesh(&mut self, node: &NodeText) {
        for item in &node.items {
            if ["bitmap", "texture0", "texture1", "texture2", "materialname"]
                .iter()
                .any(|keyword| self.is(item, keyword))
            {
                self.resource(item.line, 1);
            }
        }
        let count = |it: &Self, keyword: &str| it.find(&node.items, keyword).map_or(0, |item| item.rows.len());
        let [vertices, places] = ["verts", "tverts"].map(|keyword| count(self, keyword));
        let texture = self.find(&node.items, "bitmap").or_else(|| self.find(&node.items, "texture0"));
        let has_texture = |item: &Item| {
            let name = self.words(item.line, 1);
            !name.is_empty() && !name.eq_ignore_ascii_case("NULL")
        };
        let is_hidden = self.find(&node.items, "render").is_some_and(|item| self.words(item.line, 1) == "0");
        if let Some(item) = texture.filter(|item| has_texture(item) && !is_hidden && vertices > 0 && places == 0) {
            let (place, name) = (self.word(item.line, 1), self.words(item.line, 1));
            self.out.warn(&COORDINATES, &place, name);
        }
        for item in &node.items {
            let keyword = self.lines.keyword(item.line).to_ascii_lowercase();
            if BY_VERTICES.contains(&&*keyword) && item.rows.len() != vertices {
                let place = self.word(item.line, 1);
                self.out.warn(&BY_VERTEX, &place, format!("{} {keyword}, {vertices} verts", item.rows.len()));
            }
        }
        if let Some(faces) = self.find(&node.items, "faces").cloned() {
            self.faces(&faces, vertices, places);
        }
        if let Some(boxes) = self.find(&node.items, "aabb").cloned() {
            self.boxes(&boxes, count(self, "faces"));
        }
        if let Some(weights) = self.find(&node.items, "weights").cloned() {
            self.weights(&weights);
        }
    }

    fn faces(&mut self, faces: &Item, vertices: usize, places: usize) {
        if faces.rows.len() > MOST_FACES {
            let place = self.word(faces.line, 1);
            self.out.warn(&FACES, &place, faces.rows.len().to_string());
        }
        for line in faces.rows.clone() {
            let words = self.lines.words(line);
            let out_of = |range: core::ops::Range<usize>, count: usize| {
                let own = words.get(range.clone()).unwrap_or_default().iter().zip(range);
                let lacks =
                    |word: &&str| whole(word).ok().and_then(|it| usize::try_from(it).ok()).is_none_or(|it| it >= count);
                own.into_iter().find(|(word, _)| lacks(word)).map(|(word, nth)| (nth, *word, count))
            };
            let vertex = out_of(0..3, vertices).map(|found| ("vertex", found));
            let found = vertex.or_else(|| Some(("coordinates", out_of(4..7, places).filter(|_| places > 0)?)));
            if let Some((what, (nth, word, count))) = found {
                let place = self.word(line, wide(nth));
                self.out.warn(&FACE, &place, format!("{what} {word} of {count}"));
            }
        }
    }

    /// Reports a tree of boxes without exactly one box for each face.
    fn boxes(&mut self, boxes: &Item, faces: usize) {
        let own = self.lines.words(boxes.line).get(1..).unwrap_or_default();
        let rows = boxes.rows.clone().map(|line| self.lines.words(line));
        let rows = core::iter::once(own).filter(|own| !own.is_empty()).chain(rows);
        let numbers: Vec<Option<i64>> = rows.map(|row| row.get(6).and_then(|word| whole(word).ok())).collect();
        let row =
            |number: &Option<i64>| Some(Row { min: [0.0; 3], max: [0.0; 3], face: i32::try_from((*number)?).ok()? });
        let is_tree = numbers.iter().map(row).collect::<Option<Vec<Row>>>().is_some_and(|rows| entries(rows).is_ok());
        let mut leaves: Vec<i64> = numbers.iter().flatten().copied().filter(|number| *number != -1).collect();
        leaves.sort_unstable();
        let has_all = leaves.len() == faces && (0..).zip(&leaves).all(|(face, leaf)| face == *leaf);
        if !is_tree || !has_all {
            let place = self.word(boxes.line, 0);
            self.out.warn(&TREE, &place, format!("{} boxes, {} of faces, {faces} faces", numbers.len(), leaves.len()));
        }
    }

    fn weights(&mut self, weights: &Item) {
        let mut bones = HashSet::new();
        for line in weights.rows.clone() {
            for (nth, bone) in self.lines.words(line).iter().enumerate().step_by(2) {
                let bone = bone.to_ascii_lowercase();
                if !self.names.contains(&bone) && !bones.contains(&bone) {
                    let place = self.word(line, wide(nth));
                    self.out.warn(&BONE, &place, &*bone);
                }
                bones.insert(bone);
            }
        }
        if bones.len() > MOST_BONES {
            let place = self.word(weights.line, 1);
            self.out.warn(&BONES, &place, bones.len().to_string());
        }
    }
}
