//! Strings by id, and ids by key.

use core::fmt;

use field::{Style as _, U32, Windows, decode_text, encode_text};
use json::recompute::fill_in;

use super::keys::Names;
use super::resources::Resource;
use super::section::Body;
use super::{Dll, strings};

/// A reason why a string could not be set.
#[derive(Clone, Debug, PartialEq)]
pub enum Unset {
    /// The DLL has no string with this id.
    Unknown,
    /// The code page lacks a character of the string.
    Lacking(&'static str),
    /// The string is too long for its count.
    TooLong,
    /// The DLL cannot be laid out in its current state.
    Unsound(field::Error),
}

impl fmt::Display for Unset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("no string with this id"),
            Self::Lacking(page) => write!(f, "a character that is not in {page}"),
            Self::TooLong => f.write_str("more than 65,535 units"),
            Self::Unsound(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Unset {}

/// A string of a DLL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The id that the game uses to look up the string.
    pub id: u32,
    /// The Windows language id.
    pub language: u32,
    /// The string, without the line end of a message.
    pub text: String,
}

impl Dll {
    /// Returns the strings of all messages and string blocks in file order, without empty block strings.
    #[must_use]
    pub fn texts(&self) -> Vec<Text> {
        let mut texts = Vec::new();
        for resource in self.resources() {
            let [_, name, language] = resource.path.map(U32::get);
            let page = resource.table.page.encoding();
            let table = resource.table.messages().map(|(id, message)| (id, decode_text(page, &message.text)));
            let strings = ids(name).zip(strings::split(&resource.strings).unwrap_or_default());
            let strings = strings.filter(|(_, units)| !units.is_empty()).map(|(id, units)| (id, strings::lossy(units)));
            texts.extend(table.chain(strings).map(|(id, text)| Text { id, language, text }));
        }
        texts
    }

    /// Returns the id of a key, or `None` if there is no such key.
    #[must_use]
    pub fn id_of(&self, key: &str) -> Option<u32> {
        self.keys().find_map(|(text, id)| (text == key.as_bytes()).then_some(id))
    }

    /// Returns the names of ids for display with messages. The result is empty if there are several resources, because
    /// their messages may change places.
    pub(super) fn names(&self) -> Names {
        if self.resources().count() > 1 {
            return Names::default();
        }
        self.keys().map(|(text, id)| (id, decode_text(Windows::PAGE, text))).collect()
    }

    fn keys(&self) -> impl Iterator<Item = (&[u8], u32)> {
        let base = u64::from(self.optional.image_base.get());
        let keys = self.sections.iter().filter_map(move |section| match &section.body {
            Body::Keys(keys) => Some(keys.named(base + section.head.begin())),
            _ => None,
        });
        keys.flatten()
    }

    /// Sets the string of an id in a language. If that changes the expected checksum, the stored one is updated.
    ///
    /// # Errors
    /// Returns an error if there is no such string, or it cannot be encoded.
    pub fn set_text(&mut self, language: u32, id: u32, text: &str) -> core::result::Result<(), Unset> {
        let before = self.recomputed_checksum().map_err(Unset::Unsound)?;
        self.put_text(language, id, text)?;
        let after = self.recomputed_checksum().map_err(Unset::Unsound)?;
        if before != after {
            self.optional.checksum.set(after);
        }
        Ok(())
    }

    /// Returns the expected checksum after space has been made for all resources.
    fn recomputed_checksum(&mut self) -> field::Result<u32> {
        if bool::from(self.checksummed) {
            fill_in(self)?;
        }
        self.expected_checksum()
    }

    fn put_text(&mut self, language: u32, id: u32, text: &str) -> core::result::Result<(), Unset> {
        let resources = self.sections.iter_mut().filter_map(|section| match &mut section.body {
            Body::Resources(resources) => Some(&mut resources.resources),
            _ => None,
        });
        for resource in resources.flatten() {
            let [_, name, of_language] = resource.path.map(U32::get);
            if of_language != language {
                continue;
            }
            let page = resource.table.page.encoding();
            if let Some(message) = resource.table.message_mut(id) {
                message.text = encode_text(page, text).ok_or(Unset::Lacking(page.name()))?.into();
                return Ok(());
            }
            let units = strings::encode(text);
            let mut all = strings::split(&resource.strings).unwrap_or_default();
            if let Some(string) = ids(name).position(|it| it == id).and_then(|index| all.get_mut(index)) {
                *string = &units;
                resource.strings = strings::join(&all).ok_or(Unset::TooLong)?.into();
                return Ok(());
            }
        }
        Err(Unset::Unknown)
    }

    fn resources(&self) -> impl Iterator<Item = &Resource> {
        let resources = self.sections.iter().filter_map(|section| match &section.body {
            Body::Resources(resources) => Some(&resources.resources),
            _ => None,
        });
        resources.flatten()
    }
}

/// Returns the ids of the strings of a block, or none if its name is not that of a block: Windows derives it from 16 bits of an id.
fn ids(name: u32) -> impl Iterator<Item = u32> {
    let first = name.checked_sub(1).and_then(|before| before.checked_mul(16));
    first.into_iter().flat_map(|first| (0..16).map(move |nth| first + nth))
}
