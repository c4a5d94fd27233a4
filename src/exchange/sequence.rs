//! A sequence whose items can be found by key after they have been moved.

use std::collections::HashMap;
use std::hash::Hash;

use field::Thresholds;

/// An ordered list of items, some of which have keys. Finding, inserting or removing one takes about as long in a long sequence as
/// in a short one, while a vector would move all items after it.
#[derive(Clone, Debug)]
pub struct Sequence<K, T> {
    /// The items in order, in pieces that are neither empty nor long.
    pieces: Vec<Piece<K, T>>,
    /// The number of the piece of each key.
    homes: HashMap<K, usize>,
    /// The number of the next piece.
    next: usize,
    /// A piece is split at this length: moving its items costs less than finding the piece.
    most: usize,
}

#[derive(Clone, Debug)]
struct Piece<K, T> {
    name: usize,
    items: Vec<(Option<K>, T)>,
}

impl<K: Clone + Eq + Hash, T> Sequence<K, T> {
    /// Creates the sequence of these items.
    pub fn new(items: impl IntoIterator<Item = (Option<K>, T)>) -> Self {
        let most = Thresholds::here().items_of_piece.max(2);
        let mut sequence = Self { pieces: Vec::new(), homes: HashMap::new(), next: 0, most };
        for item in items {
            if sequence.pieces.last().is_none_or(|piece| piece.items.len() >= most / 2) {
                sequence.pieces.push(Piece { name: sequence.next, items: Vec::new() });
                sequence.next += 1;
            }
            if let Some(piece) = sequence.pieces.last_mut() {
                if let Some(key) = &item.0 {
                    sequence.homes.insert(key.clone(), piece.name);
                }
                piece.items.push(item);
            }
        }
        sequence
    }

    /// Returns the number of items.
    pub fn count(&self) -> usize {
        self.pieces.iter().map(|piece| piece.items.len()).sum()
    }

    /// Returns the items in order, with their keys.
    pub fn into_items(self) -> impl Iterator<Item = (Option<K>, T)> {
        self.pieces.into_iter().flat_map(|piece| piece.items)
    }

    /// Returns the piece that holds the item at an index, and the index in it; after the last item, the end of the last piece.
    fn find(&self, index: usize) -> Option<(usize, usize)> {
        let mut rest = index;
        let last = self.pieces.len().checked_sub(1)?;
        for (at, piece) in self.pieces.iter().enumerate() {
            let length = piece.items.len();
            if rest < length || (at == last && rest == length) {
                return Some((at, rest));
            }
            rest -= length;
        }
        None
    }

    /// Returns the key and the item at an index.
    pub fn get(&self, index: usize) -> Option<&(Option<K>, T)> {
        let (piece, inner) = self.find(index)?;
        self.pieces.get(piece)?.items.get(inner)
    }

    /// Returns the item at an index for changing.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        let (piece, inner) = self.find(index)?;
        self.pieces.get_mut(piece)?.items.get_mut(inner).map(|(_, item)| item)
    }

    /// Returns the index of the item with a key.
    pub fn position(&self, key: &K) -> Option<usize> {
        let home = *self.homes.get(key)?;
        let mut before: usize = 0;
        for piece in &self.pieces {
            if piece.name == home {
                let inner = piece.items.iter().position(|(other, _)| other.as_ref() == Some(key))?;
                return Some(before + inner);
            }
            before += piece.items.len();
        }
        None
    }

    /// Inserts an item before the one at an index, or after the last. Returns `false` if the sequence is too short.
    pub fn insert(&mut self, index: usize, key: Option<K>, item: T) -> bool {
        if self.pieces.is_empty() && index == 0 {
            *self = Self::new([(key, item)]);
            return true;
        }
        let Some((at, inner)) = self.find(index) else { return false };
        let Some(piece) = self.pieces.get_mut(at) else { return false };
        if let Some(key) = &key {
            self.homes.insert(key.clone(), piece.name);
        }
        piece.items.insert(inner, (key, item));
        if piece.items.len() >= self.most {
            let items = piece.items.split_off(self.most / 2);
            let name = self.next;
            self.next += 1;
            for key in items.iter().filter_map(|(key, _)| key.as_ref()) {
                self.homes.insert(key.clone(), name);
            }
            self.pieces.insert(at + 1, Piece { name, items });
        }
        true
    }

    /// Removes the item at an index, and returns it with its key.
    pub fn remove(&mut self, index: usize) -> Option<(Option<K>, T)> {
        let (at, inner) = self.find(index)?;
        let piece = self.pieces.get_mut(at)?;
        let (key, item) = (inner < piece.items.len()).then(|| piece.items.remove(inner))?;
        if piece.items.is_empty() {
            self.pieces.remove(at);
        }
        if let Some(key) = &key {
            self.homes.remove(key);
        }
        Some((key, item))
    }

    /// Changes the key of the item at an index.
    pub fn name(&mut self, index: usize, key: K) {
        if let Some((piece, inner)) = self.find(index)
            && let Some(piece) = self.pieces.get_mut(piece)
            && let Some((old, _)) = piece.items.get_mut(inner)
        {
            if let Some(old) = old.replace(key.clone()) {
                self.homes.remove(&old);
            }
            self.homes.insert(key, piece.name);
        }
    }

    /// Moves an item to another index. Returns `false` if there is no such index.
    pub fn shift(&mut self, from: usize, to: usize) -> bool {
        if from >= self.count() || to >= self.count() {
            return false;
        }
        self.remove(from).is_some_and(|(key, item)| self.insert(to, key, item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequence_behaves_like_a_vector_in_pieces_of_any_size() {
        static THRESHOLDS: [Thresholds; 3] = [Thresholds::PROGRAM, Thresholds::SMALLEST, Thresholds::LARGEST];
        for thresholds in &THRESHOLDS {
            thresholds.during(sequence_behaves_like_a_vector);
        }
    }

    fn sequence_behaves_like_a_vector() {
        let mut vector: Vec<(Option<u32>, u32)> = (0..1000).map(|at| ((at % 3 > 0).then_some(at), at)).collect();
        let mut sequence = Sequence::new(vector.clone());
        let mut fresh = 1000;
        for step in 0_usize..5000 {
            let (one, other) = (step * 7919 % vector.len(), step * 104_729 % vector.len());
            match step % 5 {
                0 | 1 => {
                    let item = vector.remove(one);
                    vector.insert(other, item);
                    assert!(sequence.shift(one, other));
                }
                2 => assert_eq!(sequence.remove(one), Some(vector.remove(one))),
                _ => {
                    vector.insert(one, (Some(fresh), fresh));
                    assert!(sequence.insert(one, Some(fresh), fresh));
                    fresh += 1;
                }
            }
            assert_eq!(sequence.get(other.min(vector.len() - 1)), vector.get(other.min(vector.len() - 1)));
            if let Some((Some(key), _)) = vector.get(one) {
                assert_eq!(sequence.position(key), Some(one));
            }
        }
        assert_eq!((sequence.count(), sequence.position(&9999)), (vector.len(), None));
        assert!(
            sequence.pieces.iter().all(|piece| (1..sequence.most).contains(&piece.items.len())),
            "no piece is long"
        );
        assert!(sequence.pieces.len() < 60 || sequence.most == 2);
        assert_eq!(sequence.into_items().collect::<Vec<_>>(), vector);
    }

    #[test]
    fn sequence_refuses_indices_after_its_end() {
        let mut sequence: Sequence<u32, u32> = Sequence::new([]);
        assert!(!sequence.insert(1, None, 1) && sequence.insert(0, None, 1) && sequence.insert(1, None, 2));
        assert!(!sequence.shift(0, 2) && !sequence.shift(2, 0) && sequence.remove(2).is_none());
        assert!(sequence.get(2).is_none() && sequence.get_mut(1).is_some());
    }
}
