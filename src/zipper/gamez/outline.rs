//! The nodes of a world as a tree of lines.

use core::fmt::Write as _;

use super::games::Layouts;
use super::models::Link;
use super::{Body, Gamez, World};
use field::{Style as _, Windows, decode_text};
use kind::{Outline, counted};

/// Returns the tree of nodes, one line per node: name, class, model with its polygons, children, place.
pub(super) fn tree(world: &Gamez) -> Vec<String> {
    match &world.body {
        Body::RecoilDemo(world) => lines(world),
        Body::Recoil(world) => lines(world),
        Body::MechWarrior3(world) => lines(world),
        Body::PiratesMoon(world) => lines(world),
        Body::CrimsonSkies(world) => lines(world),
    }
}

fn lines<G: Layouts>(world: &World<G>) -> Vec<String> {
    let tree = world.nodes.tree();
    let mut depths: Vec<usize> = Vec::with_capacity(tree.len());
    let mut outline = Outline::default();
    for (slot, parent) in tree {
        let depth = parent.and_then(|parent| depths.get(parent)).map_or(0, |depth| depth + 1);
        depths.push(depth);
        if let Some(line) = line(world, slot) {
            outline.line(depth, line);
        }
    }
    outline.finish()
}

fn line<G: Layouts>(world: &World<G>, slot: usize) -> Option<String> {
    let node = world.nodes.slots.get(slot)?;
    let head = &node.base.head;
    let class = head.class.name().unwrap_or("unknown").to_ascii_lowercase();
    let mut line = format!("{} ({class}", decode_text(Windows::PAGE, head.name.bytes()));
    if let Ok(index) = usize::try_from(head.model_index.get()) {
        let model = world.models.slots.get(index).filter(|slot| matches!(slot.link, Link::Data(_)));
        let polygons = model.map(|slot| slot.model.mesh.polygons.len());
        let polygons =
            polygons.map_or("is missing".to_owned(), |count| format!("of {}", counted(count, "polygon", "s")));
        let _ = write!(line, ", model {index} {polygons}");
    }
    if !node.children.is_empty() {
        let _ = write!(line, ", {}", counted(node.children.len(), "child", "ren"));
    }
    let _ = write!(line, ") /nodes/slots/{slot}");
    Some(line)
}
