//! A list that grows without being copied and has little spare space: there can be millions of nodes, and of documents.

/// The first stretch has this many items, each further one twice as many as the one before, up to [`LAST`].
const FIRST: usize = 1;
/// The number of stretches that double, and the number of items in each of the others.
const DOUBLING: usize = 11;
const LAST: usize = FIRST << (DOUBLING - 1);

/// A list made of stretches.
#[derive(Clone, Debug)]
pub(crate) struct Shelf<T> {
    stretches: Vec<Vec<T>>,
    length: usize,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self { stretches: Vec::new(), length: 0 }
    }
}

/// Returns the stretch of an item, and its index there.
fn find(index: usize) -> (usize, usize) {
    let from = index + FIRST;
    let doubled = FIRST << DOUBLING;
    if from < doubled {
        let stretch = usize::try_from((from / FIRST).ilog2()).unwrap_or(0);
        (stretch, from - (FIRST << stretch))
    } else {
        let behind = from - doubled;
        (DOUBLING + behind / LAST, behind % LAST)
    }
}

impl<T> Shelf<T> {
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        // An index that was never given out can be the largest number.
        let (stretch, at) = (index < self.length).then(|| find(index))?;
        self.stretches.get(stretch)?.get(at)
    }

    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        let (stretch, at) = (index < self.length).then(|| find(index))?;
        self.stretches.get_mut(stretch)?.get_mut(at)
    }

    pub(crate) fn push(&mut self, thing: T) {
        let (stretch, _) = find(self.length);
        if stretch >= self.stretches.len() {
            if stretch == 0 {
                // If there are many documents, most have a single node.
                self.stretches.reserve_exact(1);
            }
            self.stretches.push(Vec::with_capacity(FIRST << stretch.min(DOUBLING - 1)));
        }
        if let Some(last) = self.stretches.last_mut() {
            last.push(thing);
            self.length += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_keep_their_positions_and_stretches_never_grow() {
        let mut shelf = Shelf::default();
        (0..10_000).for_each(|thing| shelf.push(thing));
        assert!((0..10_000).all(|index| shelf.get(index) == Some(&index)));
        assert_eq!((shelf.len(), shelf.get(10_000)), (10_000, None));
        let sizes: Vec<_> = shelf.stretches.iter().map(Vec::capacity).collect();
        assert_eq!(sizes.get(..3), Some(&[1, 2, 4][..]));
        assert!(sizes.iter().all(|size| *size <= LAST), "{sizes:?}");
        *shelf.get_mut(5_000).expect("is there") = 7;
        assert_eq!(shelf.get(5_000), Some(&7));
    }
}
