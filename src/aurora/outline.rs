//! A model as lines: the trees of nodes of the geometry and the animations, with types and controllers of nodes.

use core::fmt::Write as _;

use super::controllers::Key;
use super::flags::NodeFlags;
use super::model::Model;
use super::node::Node;
use bitflags::Flags as _;
use field::{F32, Style as _, Text, Windows, decode_text};
use kind::{Outline, counted};

/// Returns the lines of a model.
pub(super) fn tree(model: &Model) -> Vec<String> {
    let mut outline = Outline::default();
    let head = &model.head;
    let mut line = format!("model {} (", text(&model.geometry.head.name));
    let _ = match head.classification.name() {
        Some(name) => write!(line, "{}", name.to_ascii_lowercase()),
        None => write!(line, "classification {}", head.classification.get()),
    };
    if !model.is_alone() {
        let _ = write!(line, ", super model {}", text(&head.super_model));
    }
    let _ = write!(line, ", {})", counted(model.animations.len(), "animation", "s"));
    outline.line(0, line);
    // In a file laid out piece by piece, nodes have other places.
    let is_walked = model.order.is_empty();
    nodes(&mut outline, &model.root, is_walked.then(|| "/root".to_owned()));
    for (nth, animation) in model.animations.iter().enumerate() {
        let head = &animation.head;
        let (name, length) = (text(&animation.geometry.head.name), head.length.get());
        let (root, transition) = (text(&head.animation_root), head.transition.get());
        outline.line(0, format_args!("animation {name} ({length} s, transition {transition} s, root {root})"));
        for event in animation.events.iter() {
            outline.line(1, format_args!("event {} at {} s", text(&event.name), event.time.get()));
        }
        nodes(&mut outline, &animation.root, is_walked.then(|| format!("/animations/{nth}/root")));
    }
    outline.finish()
}

/// The depth of the last nodes with places: longer ones would be of no use, and take much memory.
const PLACES: usize = 32;

fn nodes(outline: &mut Outline, root: &Node, place: Option<String>) {
    // The nodes to come, the next one last.
    let mut open = vec![(root, 1_usize, place)];
    while let Some((node, depth, place)) = open.pop() {
        let shown = place.as_ref().map_or_else(String::new, |place| format!(" {place}"));
        outline.line(depth, format_args!("{}{shown}", title(node)));
        let inner = depth + 1;
        for key in node.keys.iter() {
            outline.line(inner, controller(node, key));
        }
        let place = place.filter(|_| depth < PLACES);
        let child = |(nth, child)| (child, inner, place.as_ref().map(|place| format!("{place}/children/{nth}")));
        open.extend(node.children.iter().enumerate().rev().map(child));
    }
}

/// Returns the line of a node: name, type, size of a mesh, part number, number of children.
fn title(node: &Node) -> String {
    let mut line = format!("{} ({}", text(&node.head.name), type_name(node.head.flags));
    if let Some(mesh) = node.mesh.as_ref().filter(|mesh| !mesh.faces.is_empty()) {
        let vertices = mesh.streams.vertices.len();
        let _ = write!(line, " of {vertices} vertices, {}", counted(mesh.faces.len(), "face", "s"));
    }
    let _ = write!(line, ", part {}", node.head.part_number.get());
    if !node.children.is_empty() {
        let _ = write!(line, ", {}", counted(node.children.len(), "child", "ren"));
    }
    line.push(')');
    line
}

/// Returns the name of the type of a node.
fn type_name(flags: NodeFlags) -> &'static str {
    const TYPES: [(NodeFlags, &str); 8] = [
        (NodeFlags::AABB, "AABB mesh"),
        (NodeFlags::DANGLY, "dangly mesh"),
        (NodeFlags::ANIM, "anim mesh"),
        (NodeFlags::SKIN, "skin"),
        (NodeFlags::MESH, "trimesh"),
        (NodeFlags::REFERENCE, "reference"),
        (NodeFlags::EMITTER, "emitter"),
        (NodeFlags::LIGHT, "light"),
    ];
    TYPES.iter().find(|(flag, _)| flags.contains(*flag)).map_or("dummy", |(_, name)| name)
}

/// Returns the line of a controller: its value, or the number of its rows and their times.
fn controller(node: &Node, key: &Key) -> String {
    let what = key.kind.title(node.head.flags).unwrap_or_else(|| format!("controller {}", key.kind.get()));
    let column = |begin: i16, length: usize| -> &[F32] {
        let begin = usize::try_from(begin).unwrap_or(usize::MAX);
        begin.checked_add(length).and_then(|end| node.data.get(begin..end)).unwrap_or_default()
    };
    let bezier = if key.is_bezier() { " of Bézier curves" } else { "" };
    match (key.height(), column(key.time_index.get(), key.height())) {
        (1, [time]) if time.get() == 0.0 => {
            let row: Vec<String> =
                column(key.data_index.get(), key.width()).iter().map(|value| value.get().to_string()).collect();
            format!("{what}: {}{bezier}", row.join(" "))
        }
        (rows, [first, .., last]) => {
            format!("{what}: {rows} rows{bezier}, {} to {} s", first.get(), last.get())
        }
        (1, [time]) => format!("{what}: 1 row{bezier}, at {} s", time.get()),
        (rows, _) => format!("{what}: {}{bezier}, without times", counted(rows, "row", "s")),
    }
}

fn text<const N: usize>(name: &Text<N>) -> String {
    decode_text(Windows::PAGE, name.bytes())
}
