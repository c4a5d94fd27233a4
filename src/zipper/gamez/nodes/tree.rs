//! The tree of nodes.
//!
//! Parents and children are independent of one another, a node can have several parents, and the links can form cycles. So a
//! node is placed in the tree where it is listed first as a child, or else below the first parent in its own list.
//!
//! Source: `zipper-nodes.md`, sections 5 and 10.

use super::Nodes;
use crate::gamez::games::Layouts;
use field::I32;

impl<G: Layouts> Nodes<G> {
    /// Returns every used slot once, after its parent, with children in the order of their list. Each comes with the index of
    /// its parent in the returned list.
    #[must_use]
    pub fn tree(&self) -> Vec<(usize, Option<usize>)> {
        let used = |slot: usize| self.slots.get(slot).is_some_and(|node| node.base.head.is_used());
        let number = |index: &I32| usize::try_from(index.get()).ok().filter(|&slot| used(slot));
        let of = |lists: fn(&super::Node<G>) -> &[I32]| {
            let lists = self.slots.iter().enumerate().map(move |(slot, node)| (slot, lists(node)));
            let lists = lists.map(|(slot, list)| if used(slot) { list } else { &[] });
            lists.map(|list| list.iter().filter_map(number).collect()).collect::<Vec<Vec<usize>>>()
        };
        let used: Vec<bool> = (0..self.slots.len()).map(used).collect();
        order(&used, &of(|node| &node.children), &of(|node| &node.parents))
    }
}

/// Returns the order of the used nodes, given the nodes that each lists as children and parents.
fn order(used: &[bool], listed: &[Vec<usize>], named: &[Vec<usize>]) -> Vec<(usize, Option<usize>)> {
    let mut has_parent = vec![false; used.len()];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); used.len()];
    for (below, listed) in children.iter_mut().zip(listed) {
        for &child in listed {
            if let Some(has @ false) = has_parent.get_mut(child) {
                *has = true;
                below.push(child);
            }
        }
    }
    let mut roots = Vec::new();
    let unlisted = (0..).zip(used).zip(&has_parent).filter(|((_, used), has)| **used && !**has);
    for ((slot, _), _) in unlisted {
        let parent = named.get(slot).and_then(|named| children.get_mut(*named.first()?));
        parent.unwrap_or(&mut roots).push(slot);
    }
    let mut order = Vec::new();
    let mut waits = used.to_vec();
    // Nodes that cannot be reached from a root form cycles, which are cut at the first node in slot order.
    for root in roots.into_iter().chain(0..used.len()) {
        let mut pending = vec![(root, None)];
        while let Some((slot, parent)) = pending.pop() {
            let Some(waits @ true) = waits.get_mut(slot) else { continue };
            *waits = false;
            let below = children.get(slot).into_iter().flatten().rev();
            pending.extend(below.map(|&child| (child, Some(order.len()))));
            order.push((slot, parent));
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists<const N: usize>(lists: [&[usize]; N]) -> Vec<Vec<usize>> {
        lists.map(<[usize]>::to_vec).to_vec()
    }

    #[test]
    fn every_node_is_placed_once() {
        // 0 lists 2 and 1, 3 lists 1 once more, 4 names 3, which does not list it; 5 is free.
        let children = lists([&[2, 1], &[], &[], &[1], &[], &[]]);
        let parents = lists([&[], &[0, 3], &[0], &[], &[3, 0], &[]]);
        let used = [true, true, true, true, true, false];
        let expected = [(0, None), (2, Some(0)), (1, Some(0)), (3, None), (4, Some(3))];
        assert_eq!(order(&used, &children, &parents), expected);
    }

    #[test]
    fn cycles_are_cut() {
        let children = lists([&[], &[2], &[1, 3], &[3, 3]]);
        let parents = lists([&[0], &[], &[], &[]]);
        assert_eq!(order(&[true; 4], &children, &parents), [(0, None), (1, None), (2, Some(1)), (3, Some(2))]);
        let deep = 100_000;
        let children: Vec<Vec<usize>> = (1..=deep).map(|next| vec![next % deep]).collect();
        assert_eq!(order(&vec![true; deep], &children, &vec![Vec::new(); deep]).len(), deep);
    }
}
