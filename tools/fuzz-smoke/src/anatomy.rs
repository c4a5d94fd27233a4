//! The parts of a file to mutate, located by its own decoder.

use std::ops::Range;

use bitexact::field::{Class, Datum, Group, Place, Step, Visitor, What, visit};
use bitexact::registry::Kind;

/// A file, and the locations of its parts.
#[derive(Debug)]
pub(crate) struct Anatomy {
    /// Its bytes.
    pub(crate) bytes: Vec<u8>,
    /// The locations of single values, in file order.
    pub(crate) fields: Vec<Range<usize>>,
    /// The locations of counts, lengths and offsets, and of computed values.
    pub(crate) derived: Vec<Range<usize>>,
    /// The locations of records, items and entries.
    pub(crate) parts: Vec<Range<usize>>,
}

impl AsRef<Self> for Anatomy {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl Anatomy {
    /// Locates up to `most` fields and as many parts of a file.
    pub(crate) fn of(kind: &Kind, bytes: Vec<u8>, most: usize) -> bitexact::field::Result<Self> {
        let mut parts = Parts { most, ..Parts::default() };
        visit(&(kind.decode)(bytes.clone().into())?.model, &mut parts)?;
        let Parts { fields, derived, mut parts, .. } = parts;
        parts.sort_by_key(|part| (part.start, part.end));
        parts.dedup();
        Ok(Self { bytes, fields, derived, parts })
    }
}

/// Collects the locations of parts.
#[derive(Default)]
struct Parts {
    most: usize,
    fields: Vec<Range<usize>>,
    derived: Vec<Range<usize>>,
    parts: Vec<Range<usize>>,
    open: Vec<u64>,
}

impl Parts {
    fn part(&mut self, begin: u64, end: u64) {
        if begin < end && self.parts.len() < self.most {
            self.parts.push(begin as usize..end as usize);
        }
    }
}

impl Visitor for Parts {
    fn data(&mut self, datum: &Datum<'_>) -> bitexact::field::Result {
        self.part(datum.offset, datum.offset + datum.bytes.len() as u64);
        if let What::Block(item, _) = datum.what {
            for row in 0..(datum.bytes.len() / item.size.max(1)).min(self.most) as u64 {
                let begin = datum.offset + row * item.size as u64;
                self.part(begin, begin + item.size as u64);
            }
        }
        datum.owners(&mut |owner| {
            let at = owner.offset as usize..owner.offset as usize + owner.bytes.len();
            let counts = matches!(owner.place.steps().last(), Some(Step::Name(name))
                if ["count", "length", "size", "offset", "start"].iter().any(|word| name.ends_with(word)));
            if (owner.class == Class::Derived || counts) && at.len() <= 8 && self.derived.len() < self.most {
                self.derived.push(at.clone());
            }
            if self.fields.len() < self.most {
                self.fields.push(at);
            }
        });
        Ok(())
    }

    fn enter(&mut self, _: Group, _: &Place, offset: u64) {
        self.open.push(offset);
    }

    fn leave(&mut self, _: Group, _: &Place, offset: u64) {
        let begin = self.open.pop().unwrap_or(offset);
        self.part(begin, offset);
    }
}
