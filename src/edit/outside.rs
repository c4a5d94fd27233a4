//! What an edit of a part must leave as it is: which other parts there are.
//!
//! A value can decide what follows it: how many there are of something, or what it is. Such an edit is no edit of a part, so
//! it must not pass as one.

use core::hash::{Hash as _, Hasher as _};

use rustc_hash::FxHasher;

use crate::field::{Class, Datum, Entries, Group, Json, Piece, Place, Result, Run, Shape, Visitor, What, Which};

use super::survey::shown;

/// Of the parts of a model that are not edited: what they are, in their order.
#[derive(Default)]
pub(super) struct Print {
    hasher: FxHasher,
}

impl Print {
    pub(super) fn add(&mut self, datum: &Datum<'_>) {
        // Paddings come and go with what is before them, and so do other bytes that need not be there.
        match datum.what {
            What::Run(Run::Padding(_)) => return,
            What::Fields(..) => {}
            _ if datum.bytes.is_empty() => return,
            _ => {}
        }
        (datum.place.steps(), sort(datum.what)).hash(&mut self.hasher);
    }

    pub(super) fn finish(&self) -> u64 {
        self.hasher.finish()
    }
}

/// What some bytes are, whatever they hold: the same can be a value, or leftover memory.
pub(crate) fn sort(what: What<'_>) -> impl core::hash::Hash {
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

/// Looks at a model that has been read again after an edit: whether the parts that were edited say it, and whether the others
/// are what they were.
pub(super) struct Again {
    pieces: Vec<Piece>,
    print: Print,
    entries: Entries,
    /// How deep the place of the part is that a step lays, and which is being laid.
    inside: Option<usize>,
}

impl Again {
    /// Looks for parts; what each holds is found then.
    pub(super) fn of(mut pieces: Vec<Piece>) -> Self {
        pieces.iter_mut().for_each(|piece| piece.json = Json::Null);
        Self { pieces, print: Print::default(), entries: Entries::default(), inside: None }
    }

    fn part(&mut self, place: &Place, is_it: impl Fn(Which) -> bool) -> Option<&mut Piece> {
        let entry = self.entries.last();
        self.pieces.iter_mut().find(|it| it.entry == entry && is_it(it.which) && it.steps == place.pointer())
    }

    /// The print of the other parts, and the parts as they are.
    pub(super) fn finish(self) -> (u64, Vec<Piece>) {
        (self.print.finish(), self.pieces)
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
            self.print.add(datum);
        }
        Ok(())
    }

    fn enter(&mut self, group: Group, place: &Place, _: u64) {
        if let Group::Entry { .. } = group {
            self.entries.enter();
        } else if self.inside.is_none() && self.part(place, |it| it == Which::Step).is_some() {
            self.inside = Some(place.steps().len());
        }
    }

    fn leave(&mut self, group: Group, place: &Place, _: u64) {
        if let Group::Entry { .. } = group {
            self.entries.leave();
        }
        self.inside.take_if(|depth| *depth == place.steps().len());
    }

    fn judges(&self) -> bool {
        true
    }
}
