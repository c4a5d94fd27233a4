//! Lists that keep only their beginning.

/// The first `N` items, and the number of all.
#[derive(Debug)]
pub(super) struct Bounded<T, const N: usize> {
    pub(super) shown: Vec<T>,
    pub(super) total: u64,
}

impl<T, const N: usize> Default for Bounded<T, N> {
    fn default() -> Self {
        Self { shown: Vec::new(), total: 0 }
    }
}

impl<T, const N: usize> Bounded<T, N> {
    /// Counts an item, and keeps it if there is space.
    pub(super) fn push(&mut self, thing: impl FnOnce() -> T) {
        self.total = self.total.saturating_add(1);
        if self.shown.len() < N {
            self.shown.push(thing());
        }
    }

    /// Returns the number of items that are not kept.
    pub(super) fn more(&self) -> u64 {
        self.total.saturating_sub(crate::field::wide(self.shown.len()))
    }
}
