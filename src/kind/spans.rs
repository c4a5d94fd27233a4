//! The entries of a model: their positions and kinds.

use core::ops::Range;
use std::collections::BTreeMap;

use field::{Datum, Detail, Error, Group, Place, Result, Visitor, visit, walk};

/// The span of an entry in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Span {
    /// The kind of its contents.
    pub kind: &'static str,
    /// The offset in the file at which it begins.
    pub begin: u64,
    /// The offset at which it ends.
    pub end: u64,
}

impl Span {
    /// Returns its bytes.
    #[must_use]
    pub fn of(self, file: &[u8]) -> Option<&[u8]> {
        file.get(self.range()?)
    }

    /// Returns its range in a file that is in memory.
    pub fn range(self) -> Option<Range<usize>> {
        Some(usize::try_from(self.begin).ok()?..usize::try_from(self.end).ok()?)
    }

    /// Returns `true` if it is stored as bytes whose meaning is not known.
    #[must_use]
    pub fn is_opaque(self) -> bool {
        self.kind == "opaque"
    }
}

/// The spans of entries by their places.
pub type Spans = BTreeMap<String, Span>;

/// Returns the span of every entry of a model, including nested ones.
///
/// # Errors
/// Returns an error if the model cannot be laid out.
pub fn spans<M: walk::Lay + ?Sized>(model: &M) -> core::result::Result<Spans, Error> {
    let mut finder = SpanFinder::default();
    visit(model, &mut finder)?;
    Ok(finder.spans)
}

/// A visitor that finds the spans of entries.
#[derive(Debug, Default)]
pub struct SpanFinder {
    /// The spans found so far.
    pub spans: Spans,
    /// The offsets at which the open entries begin.
    open: Vec<u64>,
}

impl Visitor for SpanFinder {
    fn data(&mut self, _: &Datum<'_>) -> Result {
        Ok(())
    }

    fn enter(&mut self, group: Group, _: &Place, offset: u64) {
        if let Group::Entry { .. } = group {
            self.open.push(offset);
        }
    }

    fn leave(&mut self, group: Group, place: &Place, offset: u64) {
        if let Group::Entry { kind, .. } = group {
            let begin = self.open.pop().unwrap_or(offset);
            self.spans.insert(place.container(), Span { kind, begin, end: offset });
        }
    }

    fn detail(&self) -> Detail {
        Detail::Entries
    }
}
