//! A text compiled to a model.
//!
//! Source: `nwn-mdl-text.md`, sections 3 to 5, 8 and 10.

use std::collections::HashMap;

use bitflags::Flags as _;

use crate::controllers::{Controller, Key, NodeType};
use crate::flags::NodeFlags;
use crate::header::{Animation, Event, GeometryHeader};
use crate::mesh::{Corner, List, Mesh, TriangleMode};
use crate::mesh_types::MeshType;
use crate::model::Model;
use crate::node::Node;
use crate::numbers::preorder;
use crate::parts::Flare;
use field::{F32, GAME_TEXT, I16, I32, Text, U8, U16, U32, bytes_of_mut, encode_text, limits};

use super::arithmetic::{self, rotation};
use super::boxes;
use super::lists::TextList;
use super::marks::Marked as _;
use super::mesh_text::{Sharing, TextFace, TextMesh};
use super::profile::Profile;
use super::skin::{self, Weights};
use super::skipped::{self, Notes};
use super::super_model::{self, SuperModel};
use super::syntax::{Item, Lines, MARK, ModelText, NodeText, TreeText};
use super::usual;
use super::walkmesh;
use super::words::{self, Control, Rows, Word, float, whole};

/// Returns how the vertices of a mesh are shared.
pub(super) fn sharing(flags: NodeFlags) -> Sharing {
    if has_area(flags) { Sharing::ByFace } else { Sharing::ByCorner }
}

/// Returns `true` if a mesh states the area of its faces.
pub(super) fn has_area(flags: NodeFlags) -> bool {
    let others = [NodeFlags::SKIN, NodeFlags::DANGLY, NodeFlags::ANIM];
    !others.into_iter().any(|other| flags.contains(other))
}

/// A model of a text, and where its nodes are in the text.
pub(super) struct Compiled {
    pub(super) model: Model,
    /// For each tree, the geometry first: the node of the text for each node in preorder.
    pub(super) orders: Vec<Vec<usize>>,
    /// What of the text is not in the model.
    pub(super) notes: Vec<String>,
}

/// A tree of a text that is compiled.
struct Source<'s, 't> {
    lines: &'s Lines<'t>,
    text: &'s TreeText,
    profile: Profile,
    animated: bool,
    /// The name of the root, if it is not in the text.
    root: Option<&'s str>,
}

/// A node of the text, and its parent.
struct Draft {
    node: Option<Node>,
    children: Vec<usize>,
    weights: Option<Weights>,
}

/// Compiles a text, given its super model if that is known.
///
/// # Errors
/// Returns a reason with the number of the line.
pub(super) fn compile(text: &ModelText<'_>, super_model: Option<&SuperModel>) -> Result<Compiled, String> {
    let lines = &text.lines;
    let mut profile = Profile::B;
    for line in &text.geometry.marks {
        if let [_, "compiler", name, ..] = lines.words(*line) {
            let expected = || lines.wrong(*line, "expected the compiler A, B or C");
            profile = Profile::named(name).ok_or_else(expected)?;
        }
    }
    let mut notes = Notes::default();
    let missing = (!text.frame.has_name).then(|| walkmesh::missing_root(text));
    let source = Source { lines, text: &text.geometry, profile, animated: false, root: missing.as_deref() };
    let (root, order) = tree(&source, &mut notes)?;
    let has_emitter = preorder(&root).any(|node| node.emitter.is_some());
    let mut model = usual::model(profile, has_emitter);
    let title = match &missing {
        Some(root) => root.as_str(),
        None => lines.words(text.geometry.line).get(1).copied().unwrap_or_default(),
    };
    model.geometry.head.name = short(title).map_err(|why| lines.wrong(text.geometry.line, why))?;
    for item in &text.geometry.items {
        let (keyword, mut words) = split(lines.words(item.line));
        if keyword.eq_ignore_ascii_case("setsupermodel") {
            words = words.get(1..).unwrap_or_default();
        }
        let is_set = set(words::MODEL, (keyword, words), bytes_of_mut(&mut model.head));
        if !is_set.map_err(|why| lines.wrong(item.line, why))? {
            notes.skip(item.line, keyword, "a model", "");
        } else if let Some(word) = words.first()
            && let Some(instead) = words::stands_for(words::MODEL, keyword, word)
        {
            notes.push(
                lines.wrong(item.line, format_args!("{keyword} {word} is none of the game's, so it is {instead}")),
            );
        }
    }
    model.root = root;
    match super_model {
        Some(other) => other.check(&model)?,
        None if !model.is_alone() && !text.names_compiler() => notes.push(super_model::note(&model)),
        None => {}
    }
    number(&mut model, &order, super_model);
    let mut orders = vec![order];
    for animation in &text.animations {
        let (animation, order) = compile_animation(lines, animation, profile, &mut notes)?;
        model.animations.push(animation);
        orders.push(order);
    }
    if profile.has_cursors() && model.animations.is_empty() {
        model.empties.at_cursor.insert(crate::flags::Things::ANIMATIONS);
    }
    Ok(Compiled { model, orders, notes: notes.said(lines) })
}

/// Returns the first word and the others.
fn split<'w, 't>(words: &'w [&'t str]) -> (&'t str, &'w [&'t str]) {
    words.split_first().map_or(("", &[]), |(first, rest)| (first, rest))
}

/// Sets the value of a keyword in a record, if it is one of its words.
fn set(words: &[Word], (keyword, values): (&str, &[&str]), record: &mut [u8]) -> Result<bool, String> {
    match Word::of(words, keyword) {
        Some(word) => word.set(values, record).map(|()| true),
        None => Ok(false),
    }
}

/// Returns a name in a field of some bytes, which has a NUL.
fn short<const N: usize>(name: &str) -> Result<Text<N>, String> {
    let bytes = encode_text(GAME_TEXT, name).filter(|it| it.len() < N);
    let bytes = bytes.ok_or_else(|| format!("expected a name of at most {} bytes, found {name}", N - 1))?;
    let mut field = [0; N];
    field.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
    Ok(Text::new(field))
}

/// Gives each node of the geometry the number of its place in the text, or that of its namesake in the super model.
///
/// Source: `nwn-mdl.md`, section 3.4.
fn number(model: &mut Model, order: &[usize], super_model: Option<&SuperModel>) {
    let is_alone = model.is_alone();
    if let Some(other) = super_model {
        model.geometry.inherited.set(other.nodes_with_its_own());
    }
    let mut order = order.iter();
    let mut next = 0;
    let Ok(()) = crate::numbers::each_node(&mut model.root, &mut |node: &mut Node| {
        let number = order.next().and_then(|number| i32::try_from(*number).ok()).unwrap_or(-1);
        let number = match super_model {
            _ if is_alone => number,
            // The root belongs to the root, whatever their names are.
            _ if next == 0 => 0,
            Some(other) => other.number(node).unwrap_or(-1),
            // The numbers of a super model are in another file.
            None => -1,
        };
        let ruled = is_alone && number == next;
        node.part_number.kept = U32::new(u32::from(!ruled));
        node.part_number.number = I32::new(if ruled { 0 } else { number });
        next += 1;
        Ok::<_, core::convert::Infallible>(())
    });
}

fn compile_animation(
    lines: &Lines<'_>,
    text: &TreeText,
    profile: Profile,
    notes: &mut Notes,
) -> Result<(Animation, Vec<usize>), String> {
    let mut animation = usual::animation(profile);
    let title = lines.words(text.line).get(1).copied().unwrap_or_default();
    animation.geometry.head =
        GeometryHeader { name: short(title).map_err(|why| lines.wrong(text.line, why))?, ..animation.geometry.head };
    let mut events = Vec::new();
    for item in &text.items {
        let wrong = |why: String| lines.wrong(item.line, why);
        let words = split(lines.words(item.line));
        match words {
            (keyword, [time, rest @ ..]) if keyword.eq_ignore_ascii_case("event") => {
                let name = short(rest.first().copied().unwrap_or_default()).map_err(wrong)?;
                events.push(Event { time: F32::new(float(time).map_err(wrong)?), name });
            }
            // An old form names the animation first.
            (keyword, [_, length]) if keyword.eq_ignore_ascii_case("animlength") => {
                animation.head.length = F32::new(float(length).map_err(wrong)?);
            }
            words => {
                if !set(words::ANIMATION, words, bytes_of_mut(&mut animation.head)).map_err(wrong)? {
                    notes.skip(item.line, words.0, "an animation", &format!(" of {title}"));
                }
            }
        }
    }
    events.sort_by(|one, other| one.time.get().total_cmp(&other.time.get()));
    animation.events = events.into();
    let (root, order) = tree(&Source { lines, text, profile, animated: true, root: None }, notes)?;
    animation.root = root;
    Ok((animation, order))
}

/// Compiles the nodes of a tree. Also returns the node of the text for each node in preorder.
fn tree(source: &Source<'_, '_>, notes: &mut Notes) -> Result<(Node, Vec<usize>), String> {
    let Source { lines, text, profile, animated, root } = *source;
    let mut drafts: Vec<Draft> = Vec::with_capacity(text.nodes.len());
    let mut by_name: HashMap<String, usize> = HashMap::new();
    let mut levels: Vec<usize> = Vec::new();
    if let Some(name) = root {
        let mut node = usual::node(profile, words::flags_of("dummy"));
        node.head.name = short(name)?;
        drafts.push(Draft { node: Some(node), children: Vec::new(), weights: None });
        by_name.insert(name.to_ascii_lowercase(), 0);
        levels.push(0);
    }
    let first = drafts.len();
    for (index, node) in (first..).zip(&text.nodes) {
        let wrong = |line: usize, why: String| lines.wrong(line, why);
        let words = lines.words(node.line);
        let name = words.get(2).copied().unwrap_or_default();
        let (parent, line) = parent(lines, node);
        let parent = match parent {
            Parent::None => None,
            Parent::Numbered(number) => number.checked_add(first),
            Parent::Named(name) => match by_name.get(&name.to_ascii_lowercase()) {
                Some(parent) => Some(*parent),
                None if root.is_some() => {
                    let why = "is none of the nodes before this one, which belongs to the root instead";
                    notes.push(wrong(line, format!("its parent {name} {why}")));
                    None
                }
                None => {
                    let why =
                        format!("expected the name of a node before this one as its parent, or NULL, found {name}");
                    return Err(wrong(line, why));
                }
            },
        };
        // Nodes without one in the text belong to the root that is not in it.
        match (parent.or(root.map(|_| 0)), index) {
            (None, 0) => levels.push(0),
            (None, _) => return Err(wrong(line, "expected only one node with the parent NULL".to_owned())),
            (Some(parent), _) => {
                let level = levels.get(parent).map(|level| level + 1);
                let level = level.ok_or_else(|| wrong(line, "expected a parent before this node".to_owned()))?;
                if level >= limits::NODES {
                    return Err(wrong(line, format!("expected at most {} levels of nodes", limits::NODES)));
                }
                levels.push(level);
                if let Some(parent) = drafts.get_mut(parent) {
                    parent.children.push(index);
                }
            }
        }
        by_name.entry(name.to_ascii_lowercase()).or_insert(index);
        let (node, weights) = compile_node(source, node, notes)?;
        drafts.push(Draft { node: Some(node), children: Vec::new(), weights });
    }
    if drafts.is_empty() {
        return Err(lines.wrong(text.line, "expected a node, found none"));
    }
    if !animated {
        sort_children(&mut drafts);
    }
    let mut order = Vec::with_capacity(drafts.len());
    let mut waiting = vec![0];
    while let Some(index) = waiting.pop() {
        order.push(index);
        waiting.extend(drafts.get(index).into_iter().flat_map(|draft| draft.children.iter().rev()));
    }
    let weights = order.iter().map(|index| drafts.get_mut(*index).and_then(|draft| draft.weights.take())).collect();
    let mut root = assemble(&mut drafts, 0);
    // A root that is not in the text has no number in it.
    order.iter_mut().for_each(|index| *index = index.checked_sub(first).unwrap_or(usize::MAX));
    if !animated {
        skin::bind(&mut root, weights).map_err(|(index, why)| {
            let node = order.get(index).and_then(|index| text.nodes.get(*index));
            lines.wrong(node.map_or(text.line, |node| node.line), why)
        })?;
    }
    let Ok(()) = crate::numbers::each_node(&mut root, &mut |node: &mut Node| {
        usual::mark_empties(profile, node);
        Ok::<_, core::convert::Infallible>(())
    });
    Ok((root, order))
}

/// Puts meshes with a transparency hint behind the others.
///
/// Source: `nwn-mdl-text.md`, section 8.9.
fn sort_children(drafts: &mut [Draft]) {
    let hints: Vec<Option<u32>> =
        drafts.iter().map(|draft| Some(draft.node.as_ref()?.mesh.as_ref()?.head.transparency_hint.get())).collect();
    // Those of all that are shown through count alike.
    let hint = |index: &usize| hints.get(*index).copied().flatten().map(|hint| hint.min(1));
    for draft in drafts {
        let mut after = draft.children.iter().skip_while(|child| hint(child) != Some(1));
        let is_behind = after.any(|child| hint(child) == Some(0));
        if is_behind {
            draft.children.sort_by_key(hint);
        }
    }
}

/// Returns a node with all nodes below it. The tree is not deeper than [`limits::NODES`].
fn assemble(drafts: &mut [Draft], index: usize) -> Node {
    let (mut node, children) = drafts
        .get_mut(index)
        .map(|draft| (draft.node.take().unwrap_or_default(), core::mem::take(&mut draft.children)))
        .unwrap_or_default();
    node.children = children.into_iter().map(|child| assemble(drafts, child)).collect();
    node
}

/// The parent of a node in a text.
enum Parent<'t> {
    None,
    Named(&'t str),
    Numbered(usize),
}

/// Returns the parent of a node, and the line that names it.
fn parent<'t>(lines: &'t Lines<'_>, node: &NodeText) -> (Parent<'t>, usize) {
    let named = node.items.iter().find(|item| lines.keyword(item.line).eq_ignore_ascii_case("parent"));
    let Some(item) = named else { return (Parent::None, node.line) };
    let name = lines.words(item.line).get(1).copied().unwrap_or("NULL");
    if name.eq_ignore_ascii_case("NULL") {
        return (Parent::None, item.line);
    }
    for line in &node.marks {
        // Several nodes can have one name. A line about another name is of no use.
        if let [_, "parent", of, number] = lines.words(*line)
            && of.eq_ignore_ascii_case(name)
            && let Ok(number) = number.parse()
        {
            return (Parent::Numbered(number), *line);
        }
    }
    (Parent::Named(name), item.line)
}

/// Returns the parts of a node.
fn flags_of(lines: &Lines<'_>, node: &NodeText) -> Result<NodeFlags, String> {
    let kind = lines.words(node.line).get(1).copied().unwrap_or_default();
    for line in &node.marks {
        if let [_, "flags", of, flags] = lines.words(*line)
            && of.eq_ignore_ascii_case(kind)
        {
            let flags = u32::from_str_radix(flags, 16).ok().map(NodeFlags::from_bits_retain);
            return flags
                .filter(|flags| flags.is_known())
                .ok_or_else(|| lines.wrong(*line, "expected the parts of a node"));
        }
    }
    Ok(words::flags_of(kind))
}

/// Compiles a node without those below it, and the weights of its skin.
fn compile_node(
    source: &Source<'_, '_>,
    text: &NodeText,
    notes: &mut Notes,
) -> Result<(Node, Option<Weights>), String> {
    let Source { lines, profile, animated, .. } = *source;
    let flags = flags_of(lines, text)?;
    let mut node = usual::node(profile, flags);
    let name = lines.words(text.line).get(2).copied().unwrap_or_default();
    node.head.name = short(name).map_err(|why| lines.wrong(text.line, why))?;
    let kind = lines.words(text.line).get(1).copied().unwrap_or_default();
    if !words::is_kind(kind) {
        notes.push(lines.wrong(text.line, format_args!("{name} is a dummy: the game has no type of node {kind}")));
    }
    let of = NodeType::of(flags);
    let (mut keys, mut data) = (Vec::new(), Vec::new());
    let mut lists = HashMap::new();
    for item in &text.items {
        let wrong = |why: String| lines.wrong(item.line, why);
        let (keyword, values) = split(lines.words(item.line));
        let is_set = set_node(&mut node, (keyword, values)).map_err(wrong)?;
        let uncompiled = |notes: &mut Notes| {
            let why = format_args!("{keyword} of {name} is not compiled: no format spec says how");
            notes.push(lines.wrong(item.line, why));
        };
        match Control::named(keyword, of) {
            // The points of a curve between rotations are given as axes and angles, and nothing says what becomes of their handles.
            Some((control, Rows::Bezier)) if !is_set && control.is_turn() => uncompiled(notes),
            Some(control) if !is_set => controller(source, item, control, (&mut keys, &mut data))?,
            _ => {
                let is_unknown = UNCOMPILED.iter().any(|known| known.eq_ignore_ascii_case(keyword));
                if is_unknown || TextList::named(keyword).is_some_and(|list| !list.is_compiled) {
                    uncompiled(notes);
                } else if !is_set && words::is_kind(kind) && !skipped::is_read(keyword, flags, animated) {
                    notes.skip(item.line, keyword, &of_node(kind, animated), &format!(" of {name}"));
                }
                lists.insert(keyword.to_ascii_lowercase(), item);
            }
        }
    }
    node.keys = keys.into();
    node.data = data.into();
    let lists = ListsOf { lines, lists: &lists };
    if let Some(light) = &mut node.light {
        light.flares = lists
            .names("texturenames")?
            .into_iter()
            .map(|name| Flare { name: name.into(), ..Flare::default() })
            .collect();
        let one = |keyword: &str| -> Result<Vec<F32>, String> {
            Ok(lists.floats::<1>(keyword)?.into_iter().map(|[it]| F32::new(it)).collect())
        };
        light.flare_sizes = one("flaresizes")?.into();
        light.flare_positions = one("flarepositions")?.into();
        light.flare_shifts = lists.floats::<3>("flarecolorshifts")?.into_iter().map(|it| it.map(F32::new)).collect();
    }
    let mut weights = None;
    if let Some(mesh) = &mut node.mesh
        && !animated
    {
        weights = compile_mesh(mesh, flags, &lists, profile).map_err(|(item, why)| match item {
            Some(item) => lines.wrong(item.line, why),
            None => why,
        })?;
    }
    Ok((node, weights))
}

/// Returns what a node is called beside a word that it does not have.
fn of_node(kind: &str, animated: bool) -> String {
    let kind = kind.to_ascii_lowercase();
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {kind}{}", if animated { " of an animation" } else { "" })
}

/// Sets the value of a keyword in a part of a node, if one of its parts has it.
fn set_node(node: &mut Node, words: (&str, &[&str])) -> Result<bool, String> {
    let mut is_set = false;
    for part in Node::RECORDS {
        if let Some(record) = (part.get_mut)(node) {
            is_set |= set(part.words, words, record)?;
        }
    }
    Ok(is_set)
}

/// Values whose place in compiled models is unknown, besides lists. Source: `nwn-mdl-text.md`, section 12.
const UNCOMPILED: [&str; 4] = ["clipu", "clipv", "clipw", "cliph"];

/// Compiles a controller.
fn controller(
    Source { lines, profile, .. }: &Source<'_, '_>,
    item: &Item,
    (control, rows): (&Control, Rows),
    (keys, data): (&mut Vec<Key>, &mut Vec<F32>),
) -> Result<(), String> {
    // A point of a curve comes with its two handles.
    let width = usize::from(control.columns) * if rows == Rows::Bezier { 3 } else { 1 };
    let (mut times, mut values) = (Vec::new(), Vec::new());
    let mut columns = control.columns_of(rows);
    let mut row = |line: usize, words: &[&str], time: f32| {
        if words.is_empty() && control.keyword == "detonate" {
            columns = 0xFF;
        } else {
            let short = || lines.wrong(line, format_args!("expected {width} values of {}", control.keyword));
            let words = words.get(..width).ok_or_else(short)?;
            let row: Vec<f32> =
                words.iter().map(|word| float(word)).collect::<Result<_, _>>().map_err(|why| lines.wrong(line, why))?;
            match <[f32; 4]>::try_from(&row[..]) {
                Ok(turn) if control.is_turn() => values.extend(rotation(turn)),
                _ => values.extend(row),
            }
        }
        times.push(time);
        Ok::<_, String>(())
    };
    if rows == Rows::Own {
        row(item.line, split(lines.words(item.line)).1, 0.0)?;
    } else {
        for line in item.rows.clone() {
            let words = lines.words(line);
            let (time, rest) = split(words);
            row(line, rest, float(time).map_err(|why| lines.wrong(line, why))?)?;
        }
    }
    if times.is_empty() {
        return Ok(());
    }
    let index = |at: usize| {
        let wrong = |_| lines.wrong(item.line, "expected at most 32,767 values of all controllers of a node");
        i16::try_from(at).map(I16::new).map_err(wrong)
    };
    keys.push(Key {
        kind: Controller::new(control.number(*profile)),
        rows: index(times.len())?,
        time_index: index(data.len())?,
        data_index: index(data.len() + times.len())?,
        columns: U8::new(columns),
        ..bytemuck::Zeroable::zeroed()
    });
    data.extend(times.into_iter().chain(values).map(F32::new));
    index(data.len()).map(drop)
}

/// The lists of a node.
struct ListsOf<'l, 't> {
    lines: &'l Lines<'t>,
    lists: &'l HashMap<String, &'l Item>,
}

/// A reason, and the list that it is about.
type Wrong<'l> = (Option<&'l Item>, String);

impl<'l> ListsOf<'l, '_> {
    fn get(&self, keyword: &str) -> Option<&'l Item> {
        self.lists.get(keyword).copied()
    }

    fn rows(&self, keyword: &str) -> core::ops::Range<usize> {
        self.get(keyword).map_or(0..0, |item| item.rows.clone())
    }

    /// Returns the rows of a list of floats.
    fn floats<const N: usize>(&self, keyword: &str) -> Result<Vec<[f32; N]>, String> {
        let mut all = Vec::with_capacity(self.rows(keyword).len());
        for line in self.rows(keyword) {
            let words = self.lines.words(line);
            let short = || self.lines.wrong(line, format_args!("expected {N} numbers in a row of {keyword}"));
            let mut row = [0.0; N];
            for (to, word) in row.iter_mut().zip(words.get(..N).ok_or_else(short)?) {
                *to = float(word).map_err(|why| self.lines.wrong(line, why))?;
            }
            all.push(row);
        }
        Ok(all)
    }

    /// Returns the floats on the line of a keyword, if the node has it.
    fn own<const N: usize>(&self, keyword: &str) -> Result<Option<[f32; N]>, String> {
        let Some(item) = self.get(keyword) else { return Ok(None) };
        let wrong = |why: String| self.lines.wrong(item.line, why);
        let words = self.lines.words(item.line).get(1..N + 1);
        let words = words.ok_or_else(|| wrong(format!("expected {N} numbers after {keyword}")))?;
        let mut own = [0.0; N];
        for (to, word) in own.iter_mut().zip(words) {
            *to = float(word).map_err(wrong)?;
        }
        Ok(Some(own))
    }

    /// Returns the first words of the rows of a list.
    fn names(&self, keyword: &str) -> Result<Vec<Vec<u8>>, String> {
        let name = |line: usize| {
            let wrong = || self.lines.wrong(line, "expected a name that the encoding of the game has");
            encode_text(GAME_TEXT, self.lines.keyword(line)).ok_or_else(wrong)
        };
        self.rows(keyword).map(name).collect()
    }

    /// Returns the faces, whose numbers are those of vertices and places.
    fn faces(&self, vertices: usize, places: usize) -> Result<Vec<TextFace>, String> {
        let mut faces = Vec::new();
        for line in self.rows("faces") {
            let wrong = |why: String| self.lines.wrong(line, why);
            let words = self.lines.words(line);
            let mut numbers = [0_i64; 8];
            if words.len() < 7 {
                return Err(wrong("expected 8 numbers of a face".to_owned()));
            }
            for (to, word) in numbers.iter_mut().zip(words) {
                *to = whole(word).map_err(wrong)?;
            }
            let [a, b, c, smooth, u, v, w, surface] = numbers;
            let index = |number: i64, count: usize| {
                let found = usize::try_from(number).ok().filter(|number| *number < count);
                found.ok_or_else(|| {
                    wrong(format!("expected a number from 0 to {}, found {number}", count.saturating_sub(1)))
                })
            };
            let mut face = TextFace::default();
            for (to, number) in face.vertices.iter_mut().zip([a, b, c]) {
                *to = index(number, vertices)?;
            }
            for (to, number) in face.places.iter_mut().zip([u, v, w]).take(if places == 0 { 0 } else { 3 }) {
                *to = index(number, places)?;
            }
            let four = |number: i64| {
                let bytes = words::within(number, 4).map_err(wrong)?;
                Ok::<_, String>(bytes.first_chunk::<4>().copied().unwrap_or_default())
            };
            face.smooth = u32::from_le_bytes(four(smooth)?);
            face.surface = i32::from_le_bytes(four(surface)?);
            faces.push(face);
        }
        Ok(faces)
    }

    /// Returns a list that has a row for each vertex.
    fn by_vertex<const N: usize>(&self, keyword: &str, vertices: usize) -> Result<Vec<[f32; N]>, String> {
        let rows = self.floats::<N>(keyword)?;
        match self.get(keyword) {
            Some(item) if rows.len() != vertices => {
                let found = rows.len();
                Err(self.lines.wrong(item.line, format_args!("expected {vertices} rows of {keyword}, found {found}")))
            }
            _ => Ok(rows),
        }
    }
}

/// Compiles the lists of a mesh, and returns the weights of its skin.
fn compile_mesh<'l>(
    mesh: &mut Mesh,
    flags: NodeFlags,
    lists: &ListsOf<'l, '_>,
    profile: Profile,
) -> Result<Option<Weights>, Wrong<'l>> {
    let of = |keyword: &str| lists.get(keyword);
    let plain = |why: String| (None, why);
    let vertices = lists.floats::<3>("verts").map_err(plain)?;
    let places: Vec<[f32; 2]> = lists.floats::<2>("tverts").map_err(plain)?;
    let count = vertices.len();
    let byte = |value: f32| {
        let value = (value * 255.0 + 0.5).floor();
        (0..=u8::MAX).find(|byte| f32::from(*byte) >= value).unwrap_or(u8::MAX)
    };
    let colors = lists.by_vertex::<3>("colors", count).map_err(plain)?;
    let constraints = lists.by_vertex::<1>("constraints", count).map_err(plain)?;
    let is_dangly = matches!(mesh.mesh_type, MeshType::Dangly(_));
    let text = TextMesh {
        faces: lists.faces(count, places.len()).map_err(plain)?,
        normals: lists.by_vertex::<3>("normals", count).map_err(plain)?,
        colors: colors.into_iter().map(|[red, green, blue]| [byte(red), byte(green), byte(blue), 0xFF]).collect(),
        constraints: if is_dangly { constraints.into_iter().map(|[it]| it).collect() } else { Vec::new() },
        vertices,
        places,
    };
    if text.faces.is_empty() {
        return Ok(None);
    }
    let built = text.compiled(profile, sharing(flags), has_area(flags)).map_err(|why| (of("faces"), why))?;
    let head = &mut mesh.head;
    head.triangle_mode = TriangleMode::TRIANGLES;
    let corner = |keyword: &str, found: [f32; 3], pick: fn(f32, f32) -> f32| {
        let given = lists.own::<3>(keyword).map_err(plain)?;
        Ok(given.map_or(found, |given| arithmetic::zip(given, found, pick)).map(F32::new))
    };
    head.box_min = corner("bmin", built.measures.low, f32::min)?;
    head.box_max = corner("bmax", built.measures.high, f32::max)?;
    head.average = built.measures.average.map(F32::new);
    (head.radius, head.area) = (F32::new(built.measures.radius), F32::new(built.measures.area));
    let at = |vertex: usize| text.vertices.get(vertex).copied().unwrap_or_default();
    mesh.streams.vertices = built.from.iter().map(|(vertex, _)| at(*vertex).map(F32::new)).collect();
    mesh.streams.normals = built.normals.iter().map(|normal| normal.map(F32::new)).collect();
    if !text.places.is_empty() {
        head.texture_count = U16::new(1);
        let at = |place: usize| text.places.get(place).copied().unwrap_or_default();
        let [set, ..] = &mut mesh.streams.coordinates;
        *set = built.from.iter().map(|(_, place)| at(*place).map(F32::new)).collect();
    }
    let is_colored = has_area(flags) && (profile != Profile::C || !text.colors.is_empty());
    if is_colored {
        let at = |vertex: usize| text.colors.get(vertex).copied().unwrap_or([0xFF; 4]);
        mesh.streams.colors = built.from.iter().map(|(vertex, _)| at(*vertex).map(U8::new)).collect();
    }
    let tangents = lists.by_vertex::<4>("tangents", count).map_err(plain)?;
    if !tangents.is_empty() {
        let at = |vertex: usize| tangents.get(vertex).copied().unwrap_or_default();
        let all = built.from.iter().map(|(vertex, _)| at(*vertex));
        mesh.streams.tangents.values = all.clone().map(|[x, y, z, _]| [x, y, z].map(F32::new)).collect();
        mesh.streams.bitangent_signs.values = all.map(|[.., sign]| F32::new(sign)).collect();
    }
    let corners: Vec<Corner> = built.faces.iter().flat_map(|face| face.vertices).map(Corner).collect();
    mesh.lists = vec![List { vertices: corners.into(), ..List::default() }];
    mesh.faces = built.faces.into();
    match &mut mesh.mesh_type {
        MeshType::Dangly(dangly) => {
            let at = |vertex: usize| text.constraints.get(vertex).copied().unwrap_or_default();
            if !text.constraints.is_empty() {
                dangly.constraints = built.from.iter().map(|(vertex, _)| F32::new(at(*vertex))).collect();
            }
        }
        MeshType::Aabb(tree) => {
            let rows = aabb(lists).map_err(plain)?;
            let corners = text.faces.iter().map(|face| face.vertices.map(at));
            let rows = if rows.is_empty() { boxes::build(corners.collect()) } else { rows };
            tree.entries = boxes::entries(rows).map_err(|why| (of("aabb"), why))?;
        }
        MeshType::Skin(_) => return weights(lists, &built.from, count).map(Some),
        _ => {}
    }
    Ok(None)
}

/// Returns the rows of a tree of boxes, the first of which can be on the line of the keyword.
fn aabb(lists: &ListsOf<'_, '_>) -> Result<Vec<boxes::Row>, String> {
    let Some(item) = lists.get("aabb") else { return Ok(Vec::new()) };
    let own = (item.line, split(lists.lines.words(item.line)).1);
    let rows = item.rows.clone().map(|line| (line, lists.lines.words(line)));
    let mut all = Vec::new();
    for (line, words) in core::iter::once(own).filter(|(_, words)| !words.is_empty()).chain(rows) {
        let wrong = |why: String| lists.lines.wrong(line, why);
        let [x, y, z, a, b, c, face, ..] = words else { return Err(wrong("expected 7 numbers of a box".to_owned())) };
        let vector = |words: [&str; 3]| -> Result<[f32; 3], String> {
            let [x, y, z] = words.map(float);
            Ok([x?, y?, z?])
        };
        let (min, max) = (vector([x, y, z]).map_err(wrong)?, vector([a, b, c]).map_err(wrong)?);
        let face = whole(face).map_err(wrong)?;
        let face =
            i32::try_from(face).map_err(|_| wrong(format!("expected the number of a face or -1, found {face}")))?;
        all.push(boxes::Row { min, max, face });
    }
    Ok(all)
}

/// Returns the weights of each vertex, by the names of bones.
fn weights<'l>(lists: &ListsOf<'l, '_>, from: &[(usize, usize)], count: usize) -> Result<Weights, Wrong<'l>> {
    let mut rows = Vec::with_capacity(count);
    for line in lists.rows("weights") {
        let mut row = Vec::new();
        for pair in lists.lines.words(line).chunks(2) {
            let wrong = || (None, lists.lines.wrong(line, "expected bones, each with its weight"));
            let [bone, weight] = pair else { return Err(wrong()) };
            let weight = float(weight).map_err(|_| wrong())?;
            if weight != 0.0 {
                row.push(((*bone).to_owned(), weight));
            }
        }
        if row.len() > 4 {
            let why = format!("expected at most 4 bones of a vertex, found {}", row.len());
            return Err((None, lists.lines.wrong(line, why)));
        }
        rows.push(row);
    }
    if rows.len() != count {
        let found = rows.len();
        return Err((lists.get("weights"), format!("expected {count} rows of weights, found {found}")));
    }
    Ok(from.iter().map(|(vertex, _)| rows.get(*vertex).cloned().unwrap_or_default()).collect())
}

/// Returns `true` for a line with what a text cannot say, other than those that this module reads.
pub(super) fn is_about_a_part(words: &[&str]) -> bool {
    !matches!(words, [MARK, "compiler" | "flags" | "parent", ..])
}
