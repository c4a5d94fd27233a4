//! Contents of forks and chunks of this family.

use bytes::Bytes;

use field::{Label, Result, lay};
use kind::{Container as _, Format, lay_record, payloads};
use lint::no_traps;

use super::applesingle::{AppleSingle, FinderInfo};
use super::film::Film;
use super::macbinary::MacBinary;
use super::resources::ResourceFork;
use super::wad::Wad;

no_traps!(FinderInfo);

payloads! {
    /// The contents of a fork or chunk.
    pub enum Payload {
        Wad(Box<Wad>) = Wad::NAME;
        Resources(Box<ResourceFork>) = ResourceFork::NAME;
        Film(Box<Film>) = Film::NAME;
        FinderInfo(FinderInfo) = "finder-information";
    }
}

/// A file that is a payload or contains payloads.
pub trait Forks: Format {
    /// Returns the payloads.
    fn forks(self) -> Vec<Payload>;

    /// Returns the beginning of the places in the first wad: empty, or the name of its fork and `!`.
    fn place_of_wad(&self) -> String {
        String::new()
    }
}

/// Returns the name of the first fork that is a wad, and `!`.
fn place_of_wad(forks: Vec<(Label, &Payload)>) -> String {
    let wad = forks.into_iter().find(|(_, payload)| matches!(payload, Payload::Wad(_)));
    wad.map_or_else(String::new, |(label, _)| format!("{label}!"))
}

impl Forks for Wad {
    fn forks(self) -> Vec<Payload> {
        vec![Payload::Wad(Box::new(self))]
    }
}

impl Forks for ResourceFork {
    fn forks(self) -> Vec<Payload> {
        vec![Payload::Resources(Box::new(self))]
    }
}

impl Forks for MacBinary {
    fn forks(self) -> Vec<Payload> {
        let Self { data, resource, .. } = self;
        data.content.into_iter().chain(resource.content).collect()
    }

    fn place_of_wad(&self) -> String {
        place_of_wad(self.labeled())
    }
}

impl Forks for AppleSingle {
    fn forks(self) -> Vec<Payload> {
        self.entries.into_iter().flatten().collect()
    }

    fn place_of_wad(&self) -> String {
        place_of_wad(self.labeled())
    }
}

lay! {
    lay_record!(FinderInfo);
}

impl Payload {
    /// Returns an empty payload of the kind that the name and content of a fork indicate.
    fn fitting(label: &Label, bytes: &Bytes) -> Self {
        if *label.name == *FinderInfo::ENTRY.as_bytes() && bytes.len() == size_of::<FinderInfo>() {
            Self::FinderInfo(FinderInfo::default())
        } else if Wad::recognize(bytes).is_some() || (*label.name == *b"data" && Wad::begins(bytes)) {
            Self::Wad(Box::default())
        } else if ResourceFork::recognize(bytes).is_some()
            || (*label.name == *b"resource" && ResourceFork::begins(bytes))
        {
            Self::Resources(Box::default())
        } else if Film::recognize(bytes).is_some() {
            Self::Film(Box::default())
        } else {
            Self::default()
        }
    }
}
