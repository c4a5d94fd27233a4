//! Taking and freeing slots of the pools of nodes and models, as the engine does.
//!
//! Source: `zipper-nodes.md`, sections 1.2 to 1.4, and `zipper-models.md`, section 1.

use field::wide;

use super::World;
use super::free::broken_list;
use super::games::Layouts;

/// The slots of a pool.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    /// For each slot the next free one, or `None` if it is in use.
    links: Vec<Option<u32>>,
    /// The number of slots up to the last one that was ever used.
    stored: usize,
    head: u32,
    end: u32,
    /// `true` if the list has all free slots.
    is_valid: bool,
}

impl Pool {
    pub(super) fn of(links: Vec<Option<u32>>, stored: usize, head: u32, end: u32) -> Self {
        let is_valid = broken_list(&links, head, end).is_none();
        Self { links, stored, head, end, is_valid }
    }

    /// Returns the number of slots.
    pub(crate) fn len(&self) -> usize {
        self.links.len()
    }

    /// Returns the number of slots up to the last one that was ever used.
    pub(crate) fn stored(&self) -> usize {
        self.stored
    }

    /// Returns the first free slot.
    pub(crate) fn head(&self) -> i64 {
        self.number(self.head)
    }

    /// Returns the number of free slots that can be taken.
    pub(crate) fn free_slots(&self) -> usize {
        let from = if self.is_valid { 0 } else { self.stored };
        self.links.iter().skip(from).flatten().count()
    }

    /// Returns the next free slot after a free one as a number in the file, or `None` if it is in use or missing.
    pub(crate) fn next(&self, slot: usize) -> Option<i64> {
        self.links.get(slot).copied().flatten().map(|next| self.number(next))
    }

    /// Returns a link as a number in the file: those of models have a sign.
    fn number(&self, link: u32) -> i64 {
        if self.end == u32::MAX { i64::from(i32::from_le_bytes(link.to_le_bytes())) } else { i64::from(link) }
    }

    /// Makes a used slot the first of the free list.
    pub(crate) fn free(&mut self, slot: usize) {
        if let (Some(link), Ok(head)) = (self.links.get_mut(slot), u32::try_from(slot)) {
            *link = Some(self.head);
            self.head = head;
        }
    }

    /// Takes the first slot of the free list. If the list is broken, takes the first slot that was never used. If there is none, makes
    /// the pool larger.
    ///
    /// # Errors
    /// Returns an error if links cannot reach another slot.
    pub(crate) fn take(&mut self) -> Result<usize, String> {
        let first = match self.is_valid {
            true => usize::try_from(self.head).ok().filter(|_| self.head != self.end),
            false => (self.stored..self.links.len()).find(|&slot| self.links.get(slot).is_some_and(Option::is_some)),
        };
        let taken = first.and_then(|slot| Some((slot, self.links.get_mut(slot)?.take()?)));
        let Some((slot, next)) = taken else {
            let slot = self.links.len();
            if wide(slot) >= u64::from(self.end) {
                return Err(format!("there are {slot} slots, and links reach no others"));
            }
            self.links.push(None);
            return Ok(slot);
        };
        let is_it = |link: &u32| usize::try_from(*link) == Ok(slot);
        self.links
            .iter_mut()
            .flatten()
            .chain([&mut self.head])
            .filter(|link| is_it(link))
            .for_each(|link| *link = next);
        Ok(slot)
    }
}

impl<G: Layouts> World<G> {
    /// Returns the pool of nodes; from Pirate's Moon onward, it has no list, and new nodes are appended.
    pub(crate) fn node_pool(&self) -> Pool {
        let stored = self.nodes.slots.len();
        match G::NODE_POOL {
            true => self.nodes.pool(self.sections.node_free_head.get()),
            false => Pool::of(vec![None; stored], stored, super::nodes::END, super::nodes::END),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const END: u32 = 0x00FF_FFFF;

    /// Source: the worked check of `zipper-nodes.md`, section 1.4.
    #[test]
    fn deleted_slots_come_first() {
        let mut pool = Pool::of(vec![None, None, None, None, None, Some(6), Some(7), Some(END)], 5, 5, END);
        pool.free(3);
        assert_eq!((pool.head(), pool.next(3), pool.free_slots()), (3, Some(5), 4));
        let taken: Vec<usize> = (0..5).map(|_| pool.take().unwrap()).collect();
        assert_eq!(taken, [3, 5, 6, 7, 8]);
        assert_eq!((pool.head(), pool.len()), (i64::from(END), 9));
    }

    #[test]
    fn broken_list_gives_slots_that_were_never_used() {
        // Slot 1 leads to one in use.
        let mut pool = Pool::of(vec![None, Some(0), Some(3), Some(END)], 2, 2, END);
        assert_eq!((pool.free_slots(), pool.take(), pool.head()), (2, Ok(2), 3));
        pool.free(0);
        assert_eq!((pool.take(), pool.head(), pool.next(0)), (Ok(3), 0, Some(i64::from(END))));
        assert_eq!(pool.take(), Ok(4));
    }

    #[test]
    fn links_of_models_have_a_sign() {
        let mut pool = Pool::of(vec![None, Some(u32::MAX)], 1, 1, u32::MAX);
        assert_eq!((pool.next(1), pool.take(), pool.head()), (Some(-1), Ok(1), -1));
    }
}
