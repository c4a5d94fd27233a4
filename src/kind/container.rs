//! The entries of containers: archives, forks, wads, packages.

use core::fmt::{self, Debug};
use std::collections::HashSet;

use field::{Arrangement, CodePage, GAME_TEXT, Label, Payload, Result, decode_text, encode, walk};

/// A file, or an entry of one, that contains named entries.
pub trait Container: Sized {
    /// The contents of an entry: typically a type with one variant for each kind that decodes, and one for raw bytes.
    type Content: Contents<Self>;

    /// The code page of names.
    const PAGE: &'static CodePage = GAME_TEXT;

    /// Returns the label and the contents of every entry, in the order of the table, except for entries without contents of their own:
    /// those that begin inside the bytes of another.
    fn labeled(&self) -> Vec<(Label, &Self::Content)>;

    /// Returns an iterator over the entries, in the order of the table.
    fn entries(&self) -> std::vec::IntoIter<EntryRef<'_, Self>> {
        let entries = self.labeled().into_iter().map(|(label, content)| EntryRef { label, content, container: self });
        entries.collect::<Vec<_>>().into_iter()
    }

    /// Returns the entry with this name, or `None` if there is none.
    ///
    /// Several entries can have the same name. Places distinguish them as `NAME#1`, `NAME#2` and so on, and this function accepts
    /// those forms too; for the name alone it returns the first. `%XX` works as in places.
    fn entry(&self, name: &str) -> Option<EntryRef<'_, Self>> {
        let by_label = self.entries().find(|entry| entry.label.to_string() == name);
        by_label.or_else(|| self.entries().find(|entry| entry.name() == name))
    }
}

/// The contents of an entry of a container.
pub trait Contents<C> {
    /// Returns the kind of the contents: `opaque` for bytes that do not decode.
    fn kind(&self) -> &'static str;

    /// Returns the bytes of the contents as an entry of this container.
    ///
    /// # Errors
    /// Returns an error if the contents cannot be encoded.
    fn bytes(&self, container: &C) -> Result<Vec<u8>>;
}

impl<C, P: Payload + walk::Lay> Contents<C> for P {
    fn kind(&self) -> &'static str {
        Payload::kind(self)
    }

    fn bytes(&self, _: &C) -> Result<Vec<u8>> {
        encode(self)
    }
}

/// An entry of a container.
#[non_exhaustive]
pub struct EntryRef<'a, C: Container> {
    /// The label of the entry, as [places](field::Place) write it.
    pub label: Label,
    /// The contents, decoded if possible.
    pub content: &'a C::Content,
    container: &'a C,
}

impl<C: Container> EntryRef<'_, C> {
    /// Returns the name, decoded. Several entries can have the same; their labels differ.
    #[must_use]
    pub fn name(&self) -> String {
        decode_text(C::PAGE, &self.label.name)
    }

    /// Returns the kind of the contents: `opaque` for bytes that do not decode.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.content.kind()
    }

    /// Returns the bytes of the contents.
    ///
    /// # Errors
    /// Returns an error if the contents cannot be encoded.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        self.content.bytes(self.container)
    }
}

impl<C: Container> Clone for EntryRef<'_, C> {
    fn clone(&self) -> Self {
        Self { label: self.label.clone(), ..*self }
    }
}

impl<C: Container> Debug for EntryRef<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EntryRef").field("name", &self.name()).field("kind", &self.kind()).finish_non_exhaustive()
    }
}

/// Returns the entries with contents of their own, given those of all items of a table.
pub fn own<'a, T>(table: &Arrangement, entries: impl Iterator<Item = (Label, &'a T)>) -> Vec<(Label, &'a T)> {
    let others: HashSet<usize> = table.overlapping().collect();
    (0..).zip(entries).filter(|(item, _)| !others.contains(item)).map(|(_, entry)| entry).collect()
}

/// Encodes contents that are laid out with properties of their container.
pub fn encode_with(lay: impl Fn(&mut walk::Tape<'_>) -> Result) -> Result<Vec<u8>> {
    struct With<F>(F);
    impl<F: Fn(&mut walk::Tape<'_>) -> Result> walk::Lay for With<F> {
        fn lay(&self, t: &mut walk::Tape<'_>) -> Result {
            (self.0)(t)
        }
    }
    encode(&With(lay))
}
