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
        self.total += 1;
        if self.shown.len() < N {
            self.shown.push(thing());
        }
    }

    /// Counts an item, and keeps it before the first one for which `is_later` holds; the last one leaves if there is no space.
    pub(super) fn push_by(&mut self, is_later: impl FnMut(&T) -> bool, thing: impl FnOnce() -> T) {
        self.total += 1;
        let at = self.shown.iter().position(is_later).unwrap_or(self.shown.len());
        if at < N {
            self.shown.insert(at, thing());
            self.shown.truncate(N);
        }
    }

    /// Counts an item without keeping it.
    pub(super) fn pass(&mut self) {
        self.total += 1;
    }

    /// Returns the number of items that are not kept.
    pub(super) fn more(&self) -> u64 {
        self.total.saturating_sub(field::wide(self.shown.len()))
    }
}
