//! A model as an ordinary text: what other programs and the game read.
//!
//! Source: `nwn-mdl-text.md`, sections 3 to 5 and 9.

use std::collections::HashMap;

use bitflags::Flags as _;

use crate::controllers::{self, Key, NodeType};
use crate::flags::NodeFlags;
use crate::header::Animation;
use crate::mesh::{Face, Mesh};
use crate::mesh_types::{MeshType, Skin};
use crate::model::Model;
use crate::node::Node;
use crate::numbers::preorder;
use field::{F32, bytes_of};
use json::put_whole;

use super::arithmetic::axis_angle;
use super::compile::{has_area, sharing};
use super::marks::Marked as _;
use super::mesh_text::{TextFace, TextMesh};
use super::profile::Profile;
use super::smoothing::Lists;
use super::syntax::MARK;
use super::usual;
use super::words::{self, Control, Rows, Word, name, name_in, put_float};

/// A text, with the offsets where more lines about a tree or a node can be inserted.
pub(super) struct Printed {
    pub(super) text: Vec<u8>,
    /// For each tree: that of the tree, and those of its nodes in preorder. The first tree is the geometry.
    pub(super) trees: Vec<(usize, Vec<usize>)>,
}

/// The words that stand inside the geometry.
const IN_GEOMETRY: [&str; 3] = ["bmin", "bmax", "radius"];

/// A text that is written line by line.
struct Writer {
    text: Vec<u8>,
    profile: Profile,
}

/// Writes a model as text.
pub(super) fn print(model: &Model) -> Printed {
    let profile = Profile::of(model.geometry.head.functions);
    let mut out = Writer { text: Vec::new(), profile };
    let title = name_in(&model.geometry.head.name).unwrap_or("model");
    out.line(0, format_args!("{MARK} compiler {}", profile.name()));
    out.line(0, format_args!("newmodel {title}"));
    let super_model = name_in(&model.head.super_model).unwrap_or("NULL");
    out.line(0, format_args!("setsupermodel {title} {super_model}"));
    let has_emitter = preorder(&model.root).any(|node| node.emitter.is_some());
    let usual = usual::model(profile, has_emitter);
    let (head, usual) = (bytes_of(&model.head), bytes_of(&usual.head));
    let of_model = words::MODEL.iter().filter(|word| word.keyword != "setsupermodel");
    let (inside, before): (Vec<&Word>, Vec<&Word>) = of_model.partition(|word| IN_GEOMETRY.contains(&word.keyword));
    out.words(0, before, (head, usual), true);
    let at = out.text.len();
    out.line(0, format_args!("beginmodelgeom {title}"));
    out.words(1, inside, (head, usual), true);
    let nodes = out.tree(&model.root, false);
    let mut trees = vec![(at, nodes)];
    out.line(0, format_args!("endmodelgeom {title}"));
    for animation in &model.animations {
        trees.push(out.animation(animation, title));
    }
    out.line(0, format_args!("donemodel {title}"));
    Printed { text: out.text, trees }
}

/// Returns the nodes of a tree in the order of a text: that of their part numbers if these number the nodes, or else preorder.
fn order(root: &Node, animated: bool) -> Vec<(usize, &Node)> {
    let mut nodes: Vec<(usize, &Node)> = preorder(root).enumerate().collect();
    let number = |node: &Node| usize::try_from(node.head.part_number.get()).ok();
    let mut sorted: Vec<Option<usize>> = nodes.iter().map(|(_, node)| number(node)).collect();
    sorted.sort_unstable();
    let numbers_all = sorted.iter().enumerate().all(|(nth, number)| *number == Some(nth));
    let is_downward = |node: &Node| {
        let children = || node.children.iter().map(number);
        let first = children().next().is_none_or(|first| first > number(node));
        first && children().zip(children().skip(1)).all(|(one, other)| one < other)
    };
    if !animated && numbers_all && nodes.iter().all(|(_, node)| is_downward(node)) {
        nodes.sort_by_key(|(_, node)| number(node));
    }
    nodes
}

/// Returns the tangent of each vertex of a text with the sign of its bitangent, or nothing if vertices that are made from it differ in theirs.
fn tangents(mesh: &Mesh, text: &TextMesh, from: &[usize]) -> Vec<[f32; 4]> {
    let (all, signs) = (&mesh.streams.tangents.values, &mesh.streams.bitangent_signs.values);
    let of = |vertex: usize| {
        let ([x, y, z], sign) = (all.get(vertex)?.map(F32::get), signs.get(vertex)?.get());
        Some([x, y, z, sign])
    };
    let bits = |vertex: usize| of(vertex).map(|it| it.map(f32::to_bits));
    let agrees = |(face, made): (&Face, &TextFace)| {
        face.vertices.iter().zip(made.vertices).all(|(vertex, text)| {
            let first = from.get(text).and_then(|first| bits(*first));
            first.is_some() && bits(vertex.get().into()) == first
        })
    };
    match mesh.faces.iter().zip(&text.faces).all(agrees) {
        true => from.iter().map_while(|vertex| of(*vertex)).collect(),
        false => Vec::new(),
    }
}

impl Writer {
    fn indent(&mut self, level: usize) {
        self.text.extend(core::iter::repeat_n(b' ', level * 2));
    }

    fn line(&mut self, level: usize, line: core::fmt::Arguments<'_>) {
        self.indent(level);
        self.text.extend_from_slice(line.to_string().as_bytes());
        self.text.push(b'\n');
    }

    /// Writes the words of a record that differ from the usual ones, and those that are always written.
    fn words<'w>(
        &mut self,
        level: usize,
        words: impl IntoIterator<Item = &'w Word>,
        (record, usual): (&[u8], &[u8]),
        has_all: bool,
    ) {
        for word in words {
            if word.is_same(record, usual) && !(has_all && word.always) {
                continue;
            }
            let Some(value) = word.show(record) else { continue };
            self.indent(level);
            self.text.extend_from_slice(word.keyword.as_bytes());
            self.text.push(b' ');
            self.text.extend_from_slice(&value);
            self.text.push(b'\n');
        }
    }

    /// Writes numbers on a line.
    fn row(&mut self, level: usize, values: impl IntoIterator<Item = f32>) {
        self.indent(level);
        for (nth, value) in values.into_iter().enumerate() {
            if nth > 0 {
                self.text.push(b' ');
            }
            put_float(value, &mut self.text);
        }
        self.text.push(b'\n');
    }

    fn animation(&mut self, animation: &Animation, title: &str) -> (usize, Vec<usize>) {
        let own = name_in(&animation.geometry.head.name).unwrap_or("animation");
        self.line(0, format_args!("newanim {own} {title}"));
        let usual = usual::animation(self.profile);
        self.words(1, words::ANIMATION, (bytes_of(&animation.head), bytes_of(&usual.head)), true);
        for event in animation.events.iter() {
            self.indent(1);
            self.text.extend_from_slice(b"event ");
            put_float(event.time.get(), &mut self.text);
            self.text.push(b' ');
            self.text.extend_from_slice(name_in(&event.name).unwrap_or("event").as_bytes());
            self.text.push(b'\n');
        }
        let nodes = self.tree(&animation.root, true);
        let at = self.text.len();
        self.line(0, format_args!("doneanim {own} {title}"));
        (at, nodes)
    }

    /// Writes the nodes of a tree, and returns the offsets of their ends in preorder.
    fn tree(&mut self, root: &Node, animated: bool) -> Vec<usize> {
        let order = order(root, animated);
        let nodes: Vec<&Node> = preorder(root).collect();
        let mut ends = vec![0; order.len()];
        // The parents of nodes, and the numbers of nodes in the text.
        let (mut parents, mut numbers) = (HashMap::new(), HashMap::new());
        let address = |node: &Node| core::ptr::from_ref(node).addr();
        for (number, (_, node)) in order.iter().enumerate() {
            numbers.insert(address(node), number);
            for child in &node.children {
                parents.insert(address(child), *node);
            }
        }
        // The name NULL means no node.
        let own = |node: &'_ Node| {
            name_in(&node.head.name).filter(|name| !name.eq_ignore_ascii_case("NULL")).map(str::to_owned)
        };
        let names: Vec<Option<String>> = order.iter().map(|(_, node)| own(node)).collect();
        let named = |number: usize| match names.get(number).and_then(Option::as_ref) {
            Some(name) => name.clone(),
            None => format!("node_{number}"),
        };
        let mut first: HashMap<String, usize> = HashMap::new();
        for (number, (index, node)) in order.iter().enumerate() {
            first.entry(named(number).to_ascii_lowercase()).or_insert(number);
            let flags = node.head.flags;
            let kind = words::kind_of(flags);
            self.line(1, format_args!("node {kind} {}", named(number)));
            if words::flags_of(kind) != flags {
                self.line(2, format_args!("{MARK} flags {kind} {:x}", flags.bits()));
            }
            match parents.get(&address(node)).and_then(|parent| numbers.get(&address(parent))) {
                None => self.line(2, format_args!("parent NULL")),
                Some(parent) => {
                    let name = named(*parent);
                    self.line(2, format_args!("parent {name}"));
                    if first.get(&name.to_ascii_lowercase()) != Some(parent) {
                        self.line(2, format_args!("{MARK} parent {name} {parent}"));
                    }
                }
            }
            self.node(node, animated, &nodes);
            if let Some(end) = ends.get_mut(*index) {
                *end = self.text.len();
            }
            self.line(1, format_args!("endnode"));
        }
        ends
    }

    fn node(&mut self, node: &Node, animated: bool, nodes: &[&Node]) {
        self.controllers(node);
        // Otherwise it is leftover memory.
        let is_live = !animated || bool::from(node.live);
        if !is_live {
            return;
        }
        let usual = usual::node(self.profile, node.head.flags);
        for part in Node::RECORDS {
            if let (Some(record), Some(usual)) = ((part.get)(node), (part.get)(&usual)) {
                self.words(2, part.words, (record, usual), !animated);
            }
        }
        if let Some(it) = &node.light {
            let names: Option<Vec<&str>> = it.flares.iter().map(|flare| name(&flare.name)).collect();
            if let Some(names) = names.filter(|names| !names.is_empty()) {
                self.line(2, format_args!("texturenames {}", names.len()));
                names.iter().for_each(|name| self.line(3, format_args!("{name}")));
            }
            self.list("flaresizes", it.flare_sizes.iter().map(|it| [it.get()]));
            self.list("flarepositions", it.flare_positions.iter().map(|it| [it.get()]));
            self.list("flarecolorshifts", it.flare_shifts.iter().map(|it| it.map(F32::get)));
        }
        if let Some(it) = node.mesh.as_ref().filter(|_| !animated) {
            self.mesh(it, node.head.flags, nodes);
        }
    }

    /// Writes the controllers of a node, except for those that a text cannot have.
    fn controllers(&mut self, node: &Node) {
        if !controllers::is_regular(&node.keys, &node.data) {
            return;
        }
        let of = NodeType::of(node.head.flags);
        let mut data = node.data.iter().map(|it| it.get());
        for key in node.keys.iter() {
            let times: Vec<f32> = data.by_ref().take(key.height()).collect();
            let values: Vec<f32> = data.by_ref().take(key.height() * key.width()).collect();
            if let Some(control) = Control::numbered(key.kind.get(), of, self.profile) {
                self.controller(control, key, &times, &values);
            }
        }
    }

    fn controller(&mut self, control: &Control, key: &Key, times: &[f32], values: &[f32]) {
        if key.columns.get() == 0xFF && control.keyword == "detonate" && times.iter().all(|it| it.to_bits() == 0) {
            times.iter().for_each(|_| self.line(2, format_args!("detonate")));
        }
        // Nobody knows how a text has the handles of rotations.
        let shape = [Rows::Timed, Rows::Bezier].into_iter().find(|rows| control.columns_of(*rows) == key.columns.get());
        let Some(shape) = shape.filter(|rows| *rows == Rows::Timed || !control.is_turn()) else { return };
        let rows = values.chunks_exact(key.width().max(1)).map(|row| match <[f32; 4]>::try_from(row) {
            Ok(turn) if control.is_turn() => axis_angle(turn).to_vec(),
            _ => row.to_vec(),
        });
        match times {
            [] => {}
            [time] if time.to_bits() == 0 && shape == Rows::Timed => {
                self.indent(2);
                self.text.extend_from_slice(control.keyword.as_bytes());
                self.row_after(rows.flatten());
            }
            times => {
                let end = if shape == Rows::Bezier { "bezierkey" } else { "key" };
                self.line(2, format_args!("{}{end} {}", control.keyword, times.len()));
                for (time, row) in times.iter().zip(rows) {
                    self.row(3, core::iter::once(*time).chain(row));
                }
            }
        }
    }

    fn row_after(&mut self, values: impl IntoIterator<Item = f32>) {
        self.text.push(b' ');
        self.row(0, values);
    }

    /// Writes a list with its number of rows, if it has any.
    fn list<const N: usize>(&mut self, keyword: &str, rows: impl ExactSizeIterator<Item = [f32; N]>) {
        if rows.len() == 0 {
            return;
        }
        self.line(2, format_args!("{keyword} {}", rows.len()));
        for row in rows {
            self.row(3, row);
        }
    }

    fn mesh(&mut self, mesh: &Mesh, flags: NodeFlags, nodes: &[&Node]) {
        if mesh.faces.is_empty() {
            return;
        }
        let Lists { text, from } = Lists::of(mesh, self.profile, sharing(flags), has_area(flags));
        let TextMesh { vertices, faces, places, normals, colors, constraints } = &text;
        self.list("verts", vertices.iter().copied());
        self.list("normals", normals.iter().copied());
        self.list("tangents", tangents(mesh, &text, &from).into_iter());
        self.list(
            "colors",
            colors.iter().map(|[red, green, blue, _]| [*red, *green, *blue].map(|it| f32::from(it) / 255.0)),
        );
        self.list("tverts", places.iter().map(|[u, v]| [*u, *v, 0.0]));
        self.line(2, format_args!("faces {}", faces.len()));
        for face in faces {
            self.indent(3);
            let numbers = face.vertices.into_iter().chain(face.places);
            let numbers: Vec<i64> = numbers.map(|it| i64::try_from(it).unwrap_or(i64::MAX)).collect();
            let (vertices, places) = numbers.split_at(3);
            let after = [i64::from(face.surface)];
            let smooth = [i64::from(face.smooth)];
            for (nth, number) in vertices.iter().chain(&smooth).chain(places).chain(&after).enumerate() {
                if nth > 0 {
                    self.text.push(b' ');
                }
                put_whole(*number, &mut self.text);
            }
            self.text.push(b'\n');
        }
        self.list("constraints", constraints.iter().map(|it| [*it]));
        if let MeshType::Skin(skin) = &mesh.mesh_type {
            self.weights(skin, &from, nodes);
        }
        if let MeshType::Aabb(tree) = &mesh.mesh_type
            && !tree.entries.is_empty()
        {
            // Other programs read the first box on the line of the keyword.
            self.indent(2);
            self.text.extend_from_slice(b"aabb ");
            for (nth, entry) in tree.entries.iter().enumerate() {
                self.indent(if nth == 0 { 0 } else { 3 });
                for value in entry.head.min.into_iter().chain(entry.head.max) {
                    put_float(value.get(), &mut self.text);
                    self.text.push(b' ');
                }
                put_whole(entry.head.face.get(), &mut self.text);
                self.text.push(b'\n');
            }
        }
    }

    /// Writes the weights of the vertices of a skin, each with the name of its bone among the nodes in preorder.
    fn weights(&mut self, skin: &Skin, from: &[usize], nodes: &[&Node]) {
        self.line(2, format_args!("weights {}", from.len()));
        for vertex in from {
            self.indent(3);
            let (slots, weights) = (skin.slots.get(*vertex), skin.weights.get(*vertex));
            let mut is_first = true;
            for (slot, weight) in slots.into_iter().flatten().zip(weights.into_iter().flatten()) {
                let bone = usize::try_from(slot.get()).ok().and_then(|slot| skin.bones.get(slot));
                let bone = bone.and_then(|bone| nodes.get(usize::try_from(bone.get()).ok()?));
                let Some(bone) = bone.and_then(|bone| name_in(&bone.head.name)) else { continue };
                if !is_first {
                    self.text.push(b' ');
                }
                is_first = false;
                self.text.extend_from_slice(bone.as_bytes());
                self.text.push(b' ');
                put_float(weight.get(), &mut self.text);
            }
            if is_first {
                // A vertex without bones needs a row too.
                self.text.extend_from_slice(b"NULL 0.0");
            }
            self.text.push(b'\n');
        }
    }
}
