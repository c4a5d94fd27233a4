//! The nodes of a world as lines of text.

use core::fmt::Write as _;

use super::games::Layouts;
use super::models::Link;
use super::{Body, Gamez, World};
use crate::field::{Style as _, Windows, decode_text};

/// How far lines are indented at most; what is deeper says how deep it is.
const INDENT: usize = 32;

/// The tree of nodes, a line each, indented by how deep it lies: name, class, number of the slot, model with its polygons,
/// children.
#[must_use]
pub fn tree(world: &Gamez) -> Vec<String> {
    match &world.body {
        Body::Recoil(world) => lines(world),
        Body::MechWarrior3(world) => lines(world),
        Body::PiratesMoon(world) => lines(world),
        Body::CrimsonSkies(world) => lines(world),
    }
}

fn lines<G: Layouts>(world: &World<G>) -> Vec<String> {
    let tree = world.nodes.tree();
    let mut depths: Vec<usize> = Vec::with_capacity(tree.len());
    let mut lines = Vec::with_capacity(tree.len());
    for (slot, parent) in tree {
        let depth = parent.and_then(|parent| depths.get(parent)).map_or(0, |depth| depth.saturating_add(1));
        depths.push(depth);
        lines.extend(line(world, slot, depth));
    }
    lines
}

fn line<G: Layouts>(world: &World<G>, slot: usize, depth: usize) -> Option<String> {
    let node = world.nodes.slots.get(slot)?;
    let head = &node.base.head;
    let mut line = "  ".repeat(depth.min(INDENT));
    if depth > INDENT {
        let _ = write!(line, "({depth} deep) ");
    }
    let class = head.class.name().unwrap_or("unknown").to_ascii_lowercase();
    let _ = write!(line, "{} ({class}, node {slot}", decode_text(Windows::PAGE, head.name.bytes()));
    if let Ok(index) = usize::try_from(head.model_index.get()) {
        let model = world.models.slots.get(index).filter(|slot| matches!(slot.link, Link::Data(_)));
        let polygons = model.map(|slot| slot.model.mesh.polygons.len());
        let polygons =
            polygons.map_or("is not there".to_owned(), |count| format!("of {}", counted(count, "polygon", "s")));
        let _ = write!(line, ", model {index} {polygons}");
    }
    match node.children.len() {
        0 => {}
        children => {
            let _ = write!(line, ", {}", counted(children, "child", "ren"));
        }
    }
    line.push(')');
    Some(line)
}

fn counted(count: usize, what: &str, many: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { many })
}
