//! The entries of a model: where each lies, and what it holds.

use std::collections::BTreeMap;

use crate::field::{Datum, Detail, Error, Group, Place, Result, Visitor, visit, walk};

/// Where an entry lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// What it holds.
    pub kind: &'static str,
    /// Where it begins in the file.
    pub begin: u64,
    /// Where it ends.
    pub end: u64,
}

impl Span {
    /// Its bytes.
    #[must_use]
    pub fn of(self, file: &[u8]) -> Option<&[u8]> {
        file.get(usize::try_from(self.begin).ok()?..usize::try_from(self.end).ok()?)
    }

    /// Whether it is kept as bytes that nobody looks into.
    #[must_use]
    pub fn is_opaque(self) -> bool {
        self.kind == "opaque"
    }
}

/// The entries by their places.
pub type Spans = BTreeMap<String, Span>;

/// Where every entry of a model lies, those in entries too.
///
/// # Errors
/// When the model cannot be laid.
pub fn spans<M: walk::Lay + ?Sized>(model: &M) -> core::result::Result<Spans, Error> {
    #[derive(Default)]
    struct Gather {
        all: Spans,
        open: Vec<u64>,
    }
    impl Visitor for Gather {
        fn data(&mut self, _: &Datum<'_>) -> Result {
            Ok(())
        }

        fn enter(&mut self, _: Group, _: &Place, offset: u64) {
            self.open.push(offset);
        }

        fn leave(&mut self, group: Group, place: &Place, offset: u64) {
            let begin = self.open.pop().unwrap_or(offset);
            if let Group::Entry { kind, .. } = group {
                self.all.insert(place.container(), Span { kind, begin, end: offset });
            }
        }

        fn detail(&self) -> Detail {
            Detail::Entries
        }
    }
    let mut gather = Gather::default();
    visit(model, &mut gather)?;
    Ok(gather.all)
}
