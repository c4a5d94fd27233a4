//! Places: one notation for positions in errors, deviations, `inspect`, `diff` and `patch`.
//!
//! `ENTRY!ENTRY:/json/pointer`. A file without entries starts at `/`.

use core::fmt::{self, Display, Write as _};
use std::collections::HashMap;
use std::hash::{Hash, Hasher as _};
use std::sync::Arc;

use rustc_hash::FxHasher;

/// One step into a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Into an entry of a container; pointers start again after it. The [`Place`] stores its label.
    Entry,
    /// Into a field.
    Name(&'static str),
    /// Into an item of a list.
    Index(u64),
}

/// The name of an entry, as listed in its container.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Label {
    /// The bytes of the name.
    pub name: Arc<[u8]>,
    /// The number among the entries with this name, from 1 in table order; 0 if there is only one.
    pub twin: u32,
    /// `true` if the entry is one of many alike (lists of deviations then show it as `*`).
    pub listed: bool,
    /// The position of its file and kind in the exchange format.
    pub described_in: DescribedIn,
}

/// The position in the exchange format that states the file and kind of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DescribedIn {
    /// In a member with its name, because it is one of few that have roles.
    #[default]
    Member,
    /// In the item that it is part of.
    Here,
    /// In an item of a list of the container.
    Item(&'static str, usize),
}

impl Label {
    /// Creates the label of an entry whose name is its role, like the forks of a wrapper.
    #[must_use]
    pub fn role(name: &str) -> Self {
        Self { name: name.as_bytes().into(), ..Self::default() }
    }

    /// Creates the label of an entry that is part of an item and needs no name.
    #[must_use]
    pub fn here() -> Self {
        Self { described_in: DescribedIn::Here, ..Self::default() }
    }

    /// Creates the label of an entry without a name, at this index of the list that is its table.
    #[must_use]
    pub fn nth(table: &'static str, index: usize) -> Self {
        Self { listed: true, described_in: DescribedIn::Item(table, index), ..Self::role(&index.to_string()) }
    }

    /// Creates the labels of a table of similar entries, with duplicate names numbered in order; `table` is the list that is the table.
    #[must_use]
    pub fn table(table: &'static str, names: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<Self> {
        Self::numbered(names, true, table)
    }

    /// Creates the labels of a table of entries whose names are their roles.
    #[must_use]
    pub fn table_of_roles(table: &'static str, names: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<Self> {
        Self::numbered(names, false, table)
    }

    /// Creates the labels of entries whose names are their roles, each part of an item, with duplicate names numbered in table
    /// order. They are created one at a time: there can be millions.
    pub fn roles<N: AsRef<[u8]> + Clone + Eq + Hash>(names: Vec<N>) -> impl Iterator<Item = Self> {
        let mut seen: HashMap<N, (u32, u32)> = HashMap::new();
        for name in &names {
            let (all, _) = seen.entry(name.clone()).or_default();
            *all += 1;
        }
        names.into_iter().map(move |name| {
            let twin = match seen.get_mut(&name) {
                Some((2.., so_far)) => {
                    *so_far += 1;
                    *so_far
                }
                _ => 0,
            };
            Self { name: name.as_ref().into(), twin, listed: false, described_in: DescribedIn::Here }
        })
    }

    /// Parses a label as places show it.
    fn shown(text: &str) -> Self {
        let (name, twin) = text.split_once('#').unwrap_or((text, ""));
        let (mut bytes, mut rest) = (Vec::new(), name.as_bytes());
        while let [first, after @ ..] = rest {
            let digits =
                after.first_chunk::<2>().filter(|_| *first == b'%').and_then(|digits| str::from_utf8(digits).ok());
            let odd = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
            bytes.push(odd.unwrap_or(*first));
            rest = if odd.is_some() { after.get(2..).unwrap_or_default() } else { after };
        }
        Self { name: bytes.into(), twin: twin.parse().unwrap_or(0), ..Self::default() }
    }

    fn numbered<N: AsRef<[u8]>>(names: impl IntoIterator<Item = N>, listed: bool, table: &'static str) -> Vec<Self> {
        let label = |(index, name): (usize, N)| Self {
            name: name.as_ref().into(),
            twin: 0,
            listed,
            described_in: DescribedIn::Item(table, index),
        };
        let mut labels: Vec<Self> = names.into_iter().enumerate().map(label).collect();
        let mut seen: HashMap<Arc<[u8]>, (u32, u32)> = HashMap::new();
        for label in &labels {
            seen.entry(label.name.clone()).or_default().0 += 1;
        }
        for label in &mut labels {
            if let Some((all, so_far)) = seen.get_mut(&label.name)
                && *all > 1
            {
                *so_far += 1;
                label.twin = *so_far;
            }
        }
        labels
    }
}

impl Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, &byte) in self.name.iter().enumerate() {
            match byte {
                // `@` at the beginning of a place is followed by a name.
                b'@' if at == 0 => f.write_str("%40")?,
                b'%' | b'#' | b'!' | b':' | b'=' => write!(f, "%{byte:02X}")?,
                b' '..=b'~' => f.write_char(byte.into())?,
                _ => write!(f, "%{byte:02X}")?,
            }
        }
        match self.twin {
            // An entry without a name is the first of those.
            0 if self.name.is_empty() => f.write_str("#1"),
            0 => Ok(()),
            twin => write!(f, "#{twin}"),
        }
    }
}

/// A position in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    steps: Vec<Step>,
    /// The labels of the entries among the steps. Stored separately, so that entering and leaving fields costs nothing.
    labels: Vec<Label>,
}

impl Place {
    /// Returns the place of an entry, given as places show it; that of the file itself if `entry` is empty.
    #[must_use]
    pub fn of_entry(entry: &str) -> Self {
        let labels: Vec<Label> = entry.split('!').filter(|label| !label.is_empty()).map(Label::shown).collect();
        Self { steps: vec![Step::Entry; labels.len()], labels }
    }

    /// Goes one step in, but not into an entry.
    #[inline]
    pub(super) fn push(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Goes one step out, but not out of an entry.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.steps.pop();
    }

    /// Goes into an entry.
    pub(super) fn enter(&mut self, label: Label) {
        self.steps.push(Step::Entry);
        self.labels.push(label);
    }

    /// Goes out until `depth` steps are left.
    pub(super) fn truncate(&mut self, depth: usize) {
        self.steps.truncate(depth);
        let entries = self.steps.iter().filter(|step| **step == Step::Entry).count();
        self.labels.truncate(entries);
    }

    /// Returns the place these steps further in, none of them into an entry.
    #[must_use]
    pub fn with(&self, steps: impl IntoIterator<Item = Step>) -> Self {
        let mut place = self.clone();
        place.steps.extend(steps);
        place
    }

    /// Returns a place that counts from here.
    #[must_use]
    pub(crate) fn join(&self, inner: &Self) -> Self {
        let mut place = self.with(inner.steps.iter().copied());
        place.labels.extend(inner.labels.iter().cloned());
        place
    }

    /// Returns the place of an entry here.
    #[must_use]
    pub fn with_entry(&self, label: Label) -> Self {
        let mut place = self.clone();
        place.enter(label);
        place
    }

    /// Returns the place one step out.
    #[must_use]
    pub fn parent(&self) -> Self {
        let mut place = self.clone();
        place.truncate(self.steps.len().saturating_sub(1));
        place
    }

    /// Returns the place without this many of its outer entries.
    #[must_use]
    pub fn inside(&self, entries: usize) -> Self {
        let labels = self.labels.get(entries..).unwrap_or_default().to_vec();
        let ends = self.steps.iter().enumerate().filter(|(_, step)| **step == Step::Entry);
        let begin = entries.checked_sub(1).and_then(|last| ends.map(|(at, _)| at + 1).nth(last));
        Self { steps: self.steps.get(begin.unwrap_or(0)..).unwrap_or_default().to_vec(), labels }
    }

    /// Returns the approximate memory that it takes in addition to itself, in bytes.
    #[must_use]
    pub fn memory(&self) -> usize {
        let labels = self.labels.iter().map(|label| label.name.len() + 32).sum::<usize>();
        let labels = labels + self.labels.capacity() * size_of::<Label>();
        labels + self.steps.capacity() * size_of::<Step>()
    }

    /// Returns all steps, from the file inward.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the labels of the entries on the way, from the file inward.
    #[must_use]
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// Returns the steps after the last entry.
    #[must_use]
    pub fn pointer(&self) -> &[Step] {
        let entry = self.steps.iter().rposition(|step| *step == Step::Entry);
        self.steps.get(entry.map_or(0, |entry| entry + 1)..).unwrap_or_default()
    }

    /// Returns the place with every index, and every entry of a table, as `*`: the common form of similar places.
    #[must_use]
    pub fn starred(&self) -> String {
        self.text(true)
    }

    /// Returns `true` if a label is missing because none were requested, so that the place cannot be shown.
    #[must_use]
    pub fn lacks_labels(&self) -> bool {
        self.steps.iter().filter(|step| **step == Step::Entry).count() != self.labels.len()
    }

    /// Returns a hash of the common form of a place these steps further in: [`starred`](Self::starred) without the text.
    pub fn kind(&self, more: &[Step]) -> u64 {
        let mut hash = FxHasher::default();
        for label in &self.labels {
            let shown = (!label.listed).then_some((&label.name, label.twin));
            shown.hash(&mut hash);
        }
        for step in self.pointer().iter().chain(more) {
            match step {
                Step::Name(name) => name.hash(&mut hash),
                Step::Index(_) | Step::Entry => hash.write_u8(0),
            }
        }
        hash.finish()
    }

    /// Returns `true` if a place has the same common form as the one these steps further in from here.
    pub fn is_kind_of(&self, more: &[Step], other: &Self) -> bool {
        let labels = self.labels.iter().zip(&other.labels);
        let is_same = |one: &Label, other: &Label| match (one.listed, other.listed) {
            (true, true) => true,
            (false, false) => (&one.name, one.twin) == (&other.name, other.twin),
            _ => false,
        };
        let steps = self.pointer().iter().chain(more);
        self.labels.len() == other.labels.len()
            && labels.into_iter().all(|(one, other)| is_same(one, other))
            && self.pointer().len() + more.len() == other.pointer().len()
            && steps.zip(other.pointer()).all(|steps| match steps {
                (Step::Name(one), Step::Name(other)) => one == other,
                (Step::Index(_), Step::Index(_)) | (Step::Entry, Step::Entry) => true,
                _ => false,
            })
    }

    /// Returns the place of the document that contains this one: the entry that it is in, or the file.
    pub fn document(&self) -> Self {
        let mut document = self.clone();
        document.truncate(self.steps().len() - self.pointer().len());
        document
    }

    /// Returns the entry that the place is in, without the pointer, or `/` if it is in none.
    #[must_use]
    pub fn entry(&self) -> String {
        if self.labels.is_empty() { "/".to_owned() } else { self.entries(false) }
    }

    /// Returns the entry that the place is in, without the pointer, or an empty string if it is in none.
    #[must_use]
    pub fn container(&self) -> String {
        self.entries(false)
    }

    fn entries(&self, starred: bool) -> String {
        let name = |label: &Label| if starred && label.listed { "*".to_owned() } else { label.to_string() };
        self.labels.iter().map(name).collect::<Vec<_>>().join("!")
    }

    fn text(&self, starred: bool) -> String {
        let mut text = self.entries(starred);
        if !text.is_empty() {
            text.push(':');
        }
        for step in self.pointer() {
            // Writing to a string cannot fail.
            let _ = match step {
                Step::Entry => Ok(()),
                Step::Name(name) => write!(text, "/{name}"),
                Step::Index(_) if starred => write!(text, "/*"),
                Step::Index(index) => write!(text, "/{index}"),
            };
        }
        if self.pointer().is_empty() {
            text.push('/');
        }
        text
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_print_as_documented() {
        let mut place = Place::default();
        assert_eq!(place.to_string(), "/");
        place.push(Step::Name("parts"));
        place.push(Step::Index(199));
        place.push(Step::Name("rotations"));
        assert_eq!(place.to_string(), "/parts/199/rotations");
        assert_eq!(place.starred(), "/parts/*/rotations");
        let [twin, _] = Label::table("entries", [b"p\x8C#", b"p\x8C#"]).try_into().expect("two labels");
        assert_eq!(Label::role("a%b#c!d:e=f g~").to_string(), "a%25b%23c%21d%3Ae%3Df g~");
        assert_eq!(Label::role("").to_string(), "#1");
        place.enter(twin);
        place.push(Step::Name("next"));
        assert_eq!(place.to_string(), "p%8C%23#1:/next");
        assert_eq!(place.starred(), "*:/next");
    }

    #[test]
    fn labels_contain_the_duplicate_number_and_the_row() {
        let shown = |labels: &[Label]| labels.iter().map(|it| (it.to_string(), it.listed)).collect::<Vec<_>>();
        let roles: Vec<_> = Label::roles(vec!["a", "b", "a"]).collect();
        assert_eq!(shown(&roles), [("a#1".into(), false), ("b".into(), false), ("a#2".into(), false)]);
        assert!(roles.iter().all(|it| it.described_in == DescribedIn::Here));
        assert_eq!(shown(&[Label::nth("levels", 3)]), [("3".into(), true)]);
        assert_eq!(
            [Label::nth("levels", 3).described_in, Label::here().described_in],
            [DescribedIn::Item("levels", 3), DescribedIn::Here]
        );
    }

    #[test]
    fn parent_is_one_step_out() {
        let place = Place::default().with_entry(Label::role("in")).with([Step::Name("a"), Step::Index(1)]);
        assert_eq!(place.parent().to_string(), "in:/a");
        assert_eq!(place.parent().parent().parent().to_string(), "/");
        assert_eq!([place.inside(0).to_string(), place.inside(1).to_string()], ["in:/a/1", "/a/1"]);
        assert_eq!(place.with_entry(Label::role("on")).inside(1).to_string(), "on:/");
    }

    #[test]
    fn first_at_sign_of_a_label_is_escaped() {
        assert_eq!(["@a", "a@b"].map(|name| Label::role(name).to_string()), ["%40a", "a@b"]);
    }

    #[test]
    fn places_of_entries_are_read_as_they_are_shown() {
        for entry in ["", "data", "data!0", "data#2!a%21b"] {
            let place = Place::of_entry(entry);
            assert_eq!(place.to_string(), if entry.is_empty() { "/".to_owned() } else { format!("{entry}:/") });
        }
    }

    #[test]
    fn places_of_one_kind_are_those_with_one_common_form() {
        let of = |label: &Label, steps: &[Step]| Place::default().with_entry(label.clone()).with(steps.iter().copied());
        let [first, second] = [0, 1].map(|nth| Label::nth("levels", nth));
        let (role, twin) = (Label::role("in"), Label { twin: 2, ..Label::role("in") });
        let [a, b] = ["a", "b"].map(Step::Name);
        let mut places = vec![Place::default().with([a]), Place::default()];
        for label in [&first, &second, &role, &twin, &Label::role("on")] {
            for steps in [&[a][..], &[b], &[a, Step::Index(0)], &[a, Step::Index(7)], &[a, b], &[]] {
                places.push(of(label, steps));
            }
        }
        for one in &places {
            for other in &places {
                let is = one.starred() == other.starred();
                assert_eq!(one.is_kind_of(&[], other), is, "{one} {other}");
                // It is a hash, so it can be the same for different places.
                assert!(!is || one.kind(&[]) == other.kind(&[]), "{one} {other}");
                // The same with the last step given separately.
                if let Some(last) = one.pointer().last().copied() {
                    assert_eq!(one.parent().is_kind_of(&[last], other), is, "{one} {other}");
                    assert_eq!(one.parent().kind(&[last]), one.kind(&[]), "{one}");
                }
            }
        }
        let kinds: std::collections::BTreeSet<_> = places.iter().map(|place| place.kind(&[])).collect();
        assert!(kinds.len() > 10, "{}", kinds.len());
    }

    #[test]
    fn memory_of_a_place_grows_with_its_labels_and_steps() {
        let short = Place::default().with_entry(Label::role("in"));
        let long = Place::default().with_entry(Label::role(&"in".repeat(500)));
        assert_eq!(Place::default().memory(), 0);
        assert!(long.memory() >= short.memory() + 998, "{} {}", long.memory(), short.memory());
        assert!(short.with([Step::Index(0); 100]).memory() >= 100 * size_of::<Step>());
    }

    #[test]
    fn entry_without_its_label_cannot_be_shown() {
        let labeled = Place::default().with_entry(Label::role("in"));
        assert!(!Place::default().lacks_labels() && !labeled.lacks_labels());
        assert!(Place::default().with([Step::Entry]).lacks_labels() && labeled.with([Step::Entry]).lacks_labels());
    }
}
