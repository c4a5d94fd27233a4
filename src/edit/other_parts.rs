//! Checks that an edit of a part leaves the list of other parts unchanged.
//!
//! A value can decide how many items follow, or what they are. Such an edit affects more than one part, so it must not pass as an
//! edit of that part.

use super::editor::{Entries, Piece, Which};
use super::place_hash::PlaceHash;
use field::{Class, Datum, Group, Place, Result, Run, Shape, Value, Visitor, What};

use super::part_value::shown;

/// A hash of the types of the parts that are not edited, in their order.
#[derive(Default)]
pub(super) struct Fingerprint(PlaceHash);

impl Fingerprint {
    pub(super) fn add(&mut self, datum: &Datum<'_>) {
        // Padding depends on the data before it, and so do other optional bytes.
        match datum.what {
            What::Run(Run::Padding(_)) => return,
            What::Fields(..) => {}
            _ if datum.bytes.is_empty() => return,
            _ => {}
        }
        self.0.add(datum.place, false, type_of(datum.what));
    }

    pub(super) fn enter(&mut self, place: &Place) {
        self.0.enter(place);
    }

    pub(super) fn leave(&mut self) {
        self.0.leave();
    }

    pub(super) fn finish(&self) -> u64 {
        self.0.finish()
    }
}

/// Returns the type of some bytes, whatever their contents: the same bytes can be a value, or leftover memory.
pub(crate) fn type_of(what: What<'_>) -> impl core::hash::Hash {
    match what {
        What::Fields(layout, _) => (0_u8, Class::Semantic, layout.name),
        What::Value(item) => (1, item.class, name(item.shape)),
        What::Count(leaf) => (2, Class::Derived, leaf.name),
        What::Block(item, _) => (3, item.class, name(item.shape)),
        What::Text(page) => (4, Class::Semantic, page.name()),
        What::Coded(..) => (5, Class::Semantic, ""),
        What::Run(_) => (6, Class::Semantic, ""),
        What::AsExpected(_) => (7, Class::Semantic, ""),
    }
}

fn name(shape: Shape) -> &'static str {
    match shape {
        Shape::Leaf(leaf) => leaf.name,
        Shape::Record(layout) => layout.name,
        Shape::Array(of, _) => name(*of),
    }
}

/// Examines a model that has been read again after an edit: collects the edited parts, and hashes the types of the
/// others.
pub(super) struct Again {
    pieces: Vec<Piece>,
    fingerprint: Fingerprint,
    entries: Entries,
    /// The depth of the place of the part whose step is being walked.
    inside: Option<usize>,
}

impl Again {
    /// Prepares to find these parts and their contents.
    pub(super) fn of(mut pieces: Vec<Piece>) -> Self {
        pieces.iter_mut().for_each(|piece| piece.json = Value::Null);
        Self { pieces, fingerprint: Fingerprint::default(), entries: Entries::default(), inside: None }
    }

    fn part(&mut self, place: &Place, is_it: impl Fn(Which) -> bool) -> Option<&mut Piece> {
        let entry = self.entries.last();
        self.pieces.iter_mut().find(|it| it.entry == entry && is_it(it.which) && it.steps == place.pointer())
    }

    /// Returns the hash of the other parts, and the parts that were found.
    pub(super) fn finish(self) -> (u64, Vec<Piece>) {
        (self.fingerprint.finish(), self.pieces)
    }
}

impl Visitor for Again {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        if self.inside.is_some() {
            return Ok(());
        }
        let mut is_datum = false;
        let mut look = |which: Which, piece: Option<&mut Piece>| {
            if let Some(piece) = piece {
                is_datum |= which == Which::Datum;
                piece.json = shown(datum, which);
            }
        };
        if !self.pieces.is_empty() {
            match datum.what {
                What::Fields(layout, _) => {
                    let which = Which::Fields(layout.fields.first().map_or("", |field| field.name));
                    look(which, self.part(datum.place, |it| it == which));
                }
                _ => look(Which::Datum, self.part(datum.place, |it| it == Which::Datum)),
            }
            if let What::Block(..) = datum.what {
                let entry = self.entries.last();
                let here = |it: &&mut Piece| it.entry == entry && it.steps == datum.place.pointer();
                for piece in self.pieces.iter_mut().filter(here) {
                    if let which @ Which::Row(_) = piece.which {
                        piece.json = shown(datum, which);
                    }
                }
            }
        }
        if !is_datum {
            self.fingerprint.add(datum);
        }
        Ok(())
    }

    fn enter(&mut self, group: Group, place: &Place, _: u64) {
        self.fingerprint.enter(place);
        if let Group::Entry { .. } = group {
            self.entries.enter();
        } else if self.inside.is_none() && self.part(place, |it| it == Which::Step).is_some() {
            self.inside = Some(place.steps().len());
        }
    }

    fn leave(&mut self, group: Group, place: &Place, _: u64) {
        self.fingerprint.leave();
        if let Group::Entry { .. } = group {
            self.entries.leave();
        }
        self.inside.take_if(|depth| *depth == place.steps().len());
    }

    fn judges(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use field::{Block, F32, U32, lay, record, visit, wide};

    record! {
        struct One: 4 {
            number: U32,
        }
    }

    record! {
        struct Other: 4 {
            number: U32,
        }
    }

    /// A value of four bytes as several types, at two places.
    #[derive(Clone, Default)]
    enum Four {
        #[default]
        Nothing,
        Whole(U32),
        Float(F32),
        One(One),
        Other(Other),
        Row(Block<One>),
        RowOfOther(Block<Other>),
        Opaque(Block),
        Padding(Block),
        In(U32),
        InOther(U32),
        Fields(One),
        FieldsOfOther(Other),
    }

    lay! {
        impl Lay for Four {
            fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
                match self {
                    Self::Nothing => Ok(()),
                    Self::Whole(it) => t.value("it", it),
                    Self::Float(it) => t.value("it", it),
                    Self::One(it) => t.value("it", it),
                    Self::Other(it) => t.value("it", it),
                    Self::Row(it) => t.block("it", wide(it.len()), it),
                    Self::RowOfOther(it) => t.block("it", wide(it.len()), it),
                    Self::Opaque(it) => t.run("it", Run::Opaque, wide(it.len()), it),
                    Self::Padding(it) => t.run("it", Run::Padding(wide(it.len())), wide(it.len()), it),
                    Self::In(it) => t.group("in", |t| t.value("it", it)),
                    Self::InOther(it) => t.group("other", |t| t.value("it", it)),
                    Self::Fields(it) => t.fields(it),
                    Self::FieldsOfOther(it) => t.fields(it),
                }
            }
        }
    }

    #[test]
    fn types_and_places_of_parts_count_and_not_their_values() {
        let hash = |model: &Four| {
            let mut again = Again::of(Vec::new());
            visit(model, &mut again).expect("is laid out");
            again.finish().0
        };
        let bytes = |value: u8| Block::from(vec![value; 4]);
        let models = |value: u8| {
            let number = U32::new(value.into());
            let (one, other) = (One { number }, Other { number });
            [
                Four::Nothing,
                Four::Whole(number),
                Four::Float(F32::new(value.into())),
                Four::One(one),
                Four::Other(other),
                Four::Row(Block::from(vec![one])),
                Four::RowOfOther(Block::from(vec![other])),
                Four::Opaque(bytes(value)),
                Four::In(number),
                Four::InOther(number),
                Four::Fields(one),
                Four::FieldsOfOther(other),
            ]
        };
        let hashes = models(1).each_ref().map(hash);
        assert_eq!(hashes, models(2).each_ref().map(hash));
        let different: std::collections::HashSet<u64> = hashes.into_iter().collect();
        assert_eq!(different.len(), hashes.len(), "{hashes:?}");
        // Optional bytes are none: they depend on the data before them.
        let nothing = hash(&Four::Nothing);
        assert_eq!(hash(&Four::Padding(bytes(0))), nothing);
        assert_eq!(hash(&Four::Row(Block::default())), nothing);
    }
}
