//! The byte map: which field owns which bytes.

use crate::field::{Class, Datum, Result, Visitor, What, wide};

/// A stretch of a file that one part of the model owns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Where it begins.
    pub offset: u64,
    /// How many bytes it has.
    pub bytes: u64,
    /// The class of its bytes.
    pub class: Class,
    /// The field, or with `each` the block.
    pub place: String,
    /// For a block: bytes of one record.
    pub each: Option<u64>,
}

/// Collects the stretches in file order: single fields, blocks as one.
#[derive(Debug, Default)]
pub struct Map {
    /// The stretches so far; end to end they are the file.
    pub stretches: Vec<Stretch>,
}

impl Visitor for Map {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        if let What::Block(shape, class) = datum.what {
            self.stretches.push(Stretch {
                offset: datum.offset,
                bytes: wide(datum.bytes.len()),
                class,
                place: datum.place.to_string(),
                each: Some(wide(shape.size())),
            });
        } else {
            datum.owners(&mut |owner| {
                self.stretches.push(Stretch {
                    offset: owner.offset,
                    bytes: wide(owner.bytes.len()),
                    class: owner.class,
                    place: owner.place.to_string(),
                    each: None,
                });
            });
        }
        Ok(())
    }
}
