//! Part numbers and node counts, by their rules ([`nwn-mdl.md`](formats::nwn_mdl), section 3.4).
//!
//! A geometry without a super model numbers its nodes in preorder. With one, a node has the number of its namesake in the
//! super model, which is another file. A node of an animation has the number of its namesake in the geometry.

use std::collections::HashMap;

use super::node::Node;

/// Returns the nodes of a tree in preorder.
pub fn preorder(root: &Node) -> impl Iterator<Item = &Node> {
    let mut waiting = vec![root];
    core::iter::from_fn(move || {
        let node = waiting.pop()?;
        waiting.extend(node.children.iter().rev());
        Some(node)
    })
}

/// Calls a function for every node of a tree in preorder.
pub(super) fn each_node<E>(root: &mut Node, visit: &mut impl FnMut(&mut Node) -> Result<(), E>) -> Result<(), E> {
    visit(root)?;
    root.children.iter_mut().try_for_each(|child| each_node(child, visit))
}

/// An index of the nodes of the geometry by name.
struct Names<'a> {
    nodes: Vec<(&'a [u8], i32)>,
    /// The node after the one found last: animations have most nodes in the order of the geometry.
    next: usize,
    /// Made on first use.
    by_name: HashMap<Vec<u8>, (usize, i32)>,
}

impl Names<'_> {
    fn number(&mut self, name: &[u8]) -> Option<i32> {
        if let Some((known, number)) = self.nodes.get(self.next)
            && known.eq_ignore_ascii_case(name)
        {
            self.next += 1;
            return Some(*number);
        }
        if self.by_name.is_empty() {
            // If several nodes have one name, the first counts.
            let nodes = self.nodes.iter().enumerate().rev();
            self.by_name = nodes.map(|(at, (name, number))| (name.to_ascii_lowercase(), (at, *number))).collect();
        }
        let (at, number) = self.by_name.get(&name.to_ascii_lowercase()).copied()?;
        self.next = at + 1;
        Some(number)
    }
}

fn name(node: &Node) -> &[u8] {
    node.head.name.bytes()
}

/// Returns the part numbers by the rules in preorder, those of the animations before those of the geometry. `alone` is set
/// if the model has no super model.
pub(super) fn numbers<'a>(
    animations: impl Iterator<Item = &'a Node>,
    geometry: &'a Node,
    alone: bool,
    read: bool,
) -> Vec<Option<i32>> {
    let own: Vec<Option<i32>> = (0..).zip(preorder(geometry)).map(|(number, _)| alone.then_some(number)).collect();
    let nodes = preorder(geometry).zip(&own).map(|(node, rule)| {
        let kept = read || node.part_number.kept.get() != 0;
        let number = match rule {
            Some(number) if !kept => *number,
            _ if read => node.head.part_number.get(),
            _ => node.part_number.number.get(),
        };
        (name(node), number)
    });
    let mut names = Names { nodes: nodes.collect(), next: 0, by_name: HashMap::new() };
    let mut numbers: Vec<Option<i32>> = Vec::new();
    for animation in animations {
        names.next = 0;
        numbers.extend(preorder(animation).map(|node| names.number(name(node))));
    }
    numbers.extend(own);
    numbers
}
