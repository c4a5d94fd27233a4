//! Lists of many small items, which stay encoded until they are changed.

use core::{fmt, iter};
use std::borrow::Cow;

use bytes::Bytes;

use super::error::{Fault, Result};
use super::wide::wide;
use super::{build, walk};

/// A list of many small items.
///
/// A list that was read keeps the bytes of the file, and each item is [parsed](Self::iter) on demand, until the list is
/// [changed](Self::to_mut): separate items would take more time and memory than their bytes.
#[derive(Clone)]
pub struct LazyList<T: LazyItem>(Store<T>);

#[derive(Clone)]
enum Store<T: LazyItem> {
    Bytes { bytes: Bytes, count: usize, by: T::By },
    Items(Vec<T>),
}

/// An item of an [`LazyList`] list.
pub trait LazyItem: Clone + Default + fmt::Debug {
    /// What its encoding depends on besides its bytes.
    type By: Copy;

    /// The number of bytes of the smallest.
    const SMALLEST: u64;

    /// Returns the length of the item at the beginning of some bytes, or `None` if no complete item begins there. It is not 0.
    fn length(bytes: &[u8]) -> Option<usize>;

    /// Parses the `nth` item of a list from its bytes.
    fn parse(bytes: Bytes, by: Self::By, nth: usize) -> Self;
}

/// Returns the bytes of each complete item at the beginning of some bytes.
pub fn pieces<T: LazyItem>(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    iter::from_fn(move || {
        let (item, rest) = bytes.split_at_checked(T::length(bytes)?)?;
        bytes = rest;
        Some(item)
    })
}

/// Parses the items in some bytes.
fn parsed<T: LazyItem>(bytes: &Bytes, by: T::By) -> impl Iterator<Item = T> {
    (0..).zip(pieces::<T>(bytes)).map(move |(nth, item)| T::parse(bytes.slice_ref(item), by, nth))
}

impl<T: LazyItem> LazyList<T> {
    /// Returns the list of `count` items in some bytes.
    pub fn of(bytes: Bytes, count: usize, by: T::By) -> Self {
        Self(Store::Bytes { bytes, count, by })
    }

    /// Returns the number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Store::Bytes { count, .. } => *count,
            Store::Items(items) => items.len(),
        }
    }

    /// Returns `true` if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the items in file order. Encoded items are parsed one by one.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, T>> {
        let (encoded, items) = match &self.0 {
            Store::Bytes { bytes, by, .. } => (Some(parsed(bytes, *by)), None),
            Store::Items(items) => (None, Some(items)),
        };
        encoded.into_iter().flatten().map(Cow::Owned).chain(items.into_iter().flatten().map(Cow::Borrowed))
    }

    /// Returns the list for editing. The first call parses all items.
    pub fn to_mut(&mut self) -> &mut Vec<T> {
        match self.0 {
            Store::Bytes { ref bytes, by, .. } => {
                self.0 = Store::Items(parsed(bytes, by).collect());
                self.to_mut()
            }
            Store::Items(ref mut items) => items,
        }
    }

    /// Returns the bytes of all items, or the items if the list was changed.
    pub fn parts(&self) -> core::result::Result<&Bytes, &[T]> {
        match &self.0 {
            Store::Bytes { bytes, .. } => Ok(bytes),
            Store::Items(items) => Err(items),
        }
    }

    /// Walks the items. See [`encoded`](walk::Tape::encoded).
    pub fn walk<'l, 't>(
        &'l self,
        t: &mut walk::Tape<'t>,
        name: &'static str,
        judge: impl FnMut(&'l [u8], &mut [usize; 7]) -> Option<usize>,
        mut each: impl FnMut(&mut walk::Tape<'t>, &T) -> Result,
    ) -> Result {
        match &self.0 {
            Store::Items(items) => t.each(name, items, each),
            Store::Bytes { bytes, by, .. } if t.needs_items() => t.each_made(name, parsed(bytes, *by), each),
            Store::Bytes { bytes, by, .. } => pass_on(t, (name, 0), (bytes, *by), judge, |t, _, it| each(t, it)),
        }
    }
}

/// Walks encoded items, the first of which has this index in the list of this name, for a visitor that does not need them one by one.
fn pass_on<'l, 't, T: LazyItem>(
    t: &mut walk::Tape<'t>,
    (name, first): (&'static str, usize),
    (bytes, by): (&'l Bytes, T::By),
    mut judge: impl FnMut(&'l [u8], &mut [usize; 7]) -> Option<usize>,
    mut each: impl FnMut(&mut walk::Tape<'t>, usize, &T) -> Result,
) -> Result {
    if t.wants_bytes_only() {
        return t.as_expected(bytes, [0; 7], 0);
    }
    // The beginning and end of the items that were judged but not yet passed on, and the beginning of their last part.
    let (mut from, mut to, mut last) = (0, 0, 0);
    let mut census = [0; 7];
    for (nth, item) in pieces::<T>(bytes).enumerate() {
        let begins = to;
        to += item.len();
        match judge(item, &mut census) {
            Some(part) => last = begins - from + part,
            None => {
                let before = bytes.get(from..begins).unwrap_or_default();
                t.as_expected(before, core::mem::take(&mut census), last)?;
                t.nth(name, first + nth, |t| each(t, nth, &T::parse(bytes.slice_ref(item), by, nth)))?;
                from = to;
            }
        }
    }
    t.as_expected(bytes.get(from..).unwrap_or_default(), census, last)
}

impl<T: LazyItem> Default for LazyList<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T: LazyItem> From<Vec<T>> for LazyList<T> {
    fn from(items: Vec<T>) -> Self {
        Self(Store::Items(items))
    }
}

impl<T: LazyItem> fmt::Debug for LazyList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl build::Tape<'_> {
    /// Lays out a list that stays encoded. In read mode, it continues while `more` returns `true`.
    ///
    /// # Errors
    /// Returns an error if an item fails.
    pub fn encoded<T: LazyItem<By = ()>>(
        &mut self,
        name: &'static str,
        more: impl Fn(&Self) -> bool,
        judge: impl FnMut(&[u8], &mut [usize; 7]) -> Option<usize>,
        list: &mut LazyList<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> Result,
    ) -> Result {
        let _ = judge;
        if !self.reading() {
            return self.list_while(name, more, list.to_mut(), each);
        }
        let length = self.encoded_ahead(usize::MAX, (), list)?;
        // Parsing the items later takes memory, so the memory limit is checked now.
        self.for_now(|t| t.charge(wide(list.len()).saturating_mul(wide(size_of::<T>()))))?;
        self.pass(length)?;
        // An item that is not complete is refused with its place.
        if more(self) { self.nth(name, list.len(), |t| each(t, &mut T::default())) } else { Ok(()) }
    }

    /// Finds at most so many items ahead, and returns their length.
    fn encoded_ahead<T: LazyItem>(&self, most: usize, by: T::By, list: &mut LazyList<T>) -> Result<u64> {
        let ahead = self.peek(self.position(), self.remaining()).map_err(|fault| self.error(fault))?;
        let all = pieces::<T>(&ahead).take(most);
        let (count, length) = all.fold((0, 0), |(count, length), item| (count + 1, length + item.len()));
        *list = LazyList::of(ahead.slice(..length), count, by);
        Ok(wide(length))
    }

    /// Lays out `count` items as a list that stays encoded, the first of which has this index in the list of this name. In other modes than
    /// read mode they are parsed, so their memory is charged.
    ///
    /// # Errors
    /// Returns an error if there are fewer, if the model holds a different number of them, if an item fails, or if the items take more
    /// memory than allowed.
    pub fn encoded_from<T: LazyItem>(
        &mut self,
        (name, first): (&'static str, usize),
        (count, by): (u64, T::By),
        judge: impl FnMut(&[u8], &mut [usize; 7]) -> Option<usize>,
        list: &mut LazyList<T>,
        mut each: impl FnMut(&mut Self, usize, &mut T) -> Result,
    ) -> Result {
        let _ = judge;
        let most = usize::try_from(count).unwrap_or(usize::MAX);
        if self.reading() {
            let length = self.encoded_ahead(most, by, list)?;
            let (count, remain) = (count - wide(list.len()), self.remaining() - length);
            let missing = Fault::Ends { count, each: T::SMALLEST, remain };
            return if count == 0 { self.pass(length) } else { Err(self.error(missing)) };
        }
        let mut found = list.len();
        if self.loading() {
            found = self.given(name, 0)?.saturating_sub(first).min(most);
            *list = self.make(found)?.into();
        }
        if wide(found) != count {
            return Err(self.error_in(name, Fault::Count { expected: count, found: wide(found) }));
        }
        if list.parts().is_ok() {
            self.charge(wide(list.len()).saturating_mul(wide(size_of::<T>())))?;
        }
        list.to_mut().iter_mut().enumerate().try_for_each(|(nth, it)| self.nth(name, first + nth, |t| each(t, nth, it)))
    }
}

impl walk::Tape<'_> {
    /// Walks a list that stays encoded. If the visitor needs no places, `judge` looks at the bytes of each item first: it counts them by
    /// class and returns the offset of the last part, or counts nothing and returns `None` if `each` has to walk the item. Adjacent
    /// items without deviations are visited in one piece.
    ///
    /// # Errors
    /// Returns an error if an item fails.
    pub fn encoded<'l, T: LazyItem>(
        &mut self,
        name: &'static str,
        more: impl Fn(&build::Tape<'_>) -> bool,
        judge: impl FnMut(&'l [u8], &mut [usize; 7]) -> Option<usize>,
        list: &'l LazyList<T>,
        each: impl FnMut(&mut Self, &T) -> Result,
    ) -> Result {
        let _ = more;
        list.walk(self, name, judge, each)
    }

    /// Walks `count` items of a list, the first of which has this index in the list of this name. See [`encoded`](Self::encoded).
    ///
    /// # Errors
    /// Returns an error if the model holds a different number of them, or if an item fails.
    pub fn encoded_from<'l, T: LazyItem>(
        &mut self,
        (name, first): (&'static str, usize),
        (count, _): (u64, T::By),
        judge: impl FnMut(&'l [u8], &mut [usize; 7]) -> Option<usize>,
        list: &'l LazyList<T>,
        mut each: impl FnMut(&mut Self, usize, &T) -> Result,
    ) -> Result {
        let found = wide(list.len());
        if found != count {
            return Err(self.error_in(name, Fault::Count { expected: count, found }));
        }
        match &list.0 {
            Store::Bytes { bytes, by, .. } if !self.needs_items() => {
                pass_on(self, (name, first), (bytes, *by), judge, each)
            }
            _ => {
                let mut items = list.iter().enumerate();
                items.try_for_each(|(nth, it)| self.nth(name, first + nth, |t| each(t, nth, &it)))
            }
        }
    }

    /// Returns `true` if the visitor needs every item of a list by itself.
    fn needs_items(&self) -> bool {
        !self.wants_bytes_only() && !self.is_coarse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A length, itself included, and bytes.
    #[derive(Clone, Debug, Default, PartialEq)]
    struct Line(Vec<u8>);

    impl LazyItem for Line {
        type By = ();

        const SMALLEST: u64 = 1;

        fn length(bytes: &[u8]) -> Option<usize> {
            bytes.first().map(|it| usize::from(*it)).filter(|it| *it > 0)
        }

        fn parse(bytes: Bytes, (): (), _: usize) -> Self {
            Self(bytes.get(1..).unwrap_or_default().to_vec())
        }
    }

    #[test]
    fn items_are_parsed_on_demand() {
        let bytes = b"\x01\x02a\x03bc";
        assert_eq!(pieces::<Line>(bytes).collect::<Vec<_>>(), [&b"\x01"[..], b"\x02a", b"\x03bc"]);
        // An item that is cut off is none.
        assert_eq!(pieces::<Line>(b"\x02a\x03b").count(), 1);
        let list = LazyList::<Line>::of(Bytes::from_static(bytes), 3, ());
        let items: Vec<_> = list.iter().map(|it| it.0.clone()).collect();
        assert_eq!((list.len(), list.is_empty(), items), (3, false, vec![b"".to_vec(), b"a".to_vec(), b"bc".to_vec()]));
        assert_eq!(format!("{list:?}"), "[Line([]), Line([97]), Line([98, 99])]");
        let none = LazyList::<Line>::from(Vec::new());
        assert!(none.is_empty() && none.iter().next().is_none());
    }
}
