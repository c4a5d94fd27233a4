//! Contents of forks and chunks of this family.

use bytes::Bytes;

use crate::field::{self, Block, Label, Result, Run, U32be, lay};
use crate::kind::Format;

use super::applesingle::{AppleSingle, FinderInfo};
use super::film::Film;
use super::macbinary::MacBinary;
use super::resources::ResourceFork;
use super::wad::Wad;

/// The contents of a fork or chunk.
#[derive(Clone, Debug)]
pub enum Payload {
    /// A wad.
    Wad(Box<Wad>),
    /// A resource fork.
    Resources(Box<ResourceFork>),
    /// A game recording.
    Film(Box<Film>),
    /// Finder information of the usual length.
    FinderInfo(FinderInfo),
    /// Bytes kept as raw bytes.
    Opaque(Block),
}

/// A file that is a payload itself, or that wraps some.
pub(super) trait Forks: Format {
    /// The payloads.
    fn forks(self) -> Vec<Payload>;
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
}

impl Forks for AppleSingle {
    fn forks(self) -> Vec<Payload> {
        self.entries.into_iter().flatten().collect()
    }
}

impl Default for Payload {
    fn default() -> Self {
        Self::Opaque(Block::default())
    }
}

lay! {
    impl Lay for Payload {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            match self {
                Self::Wad(wad) => wad.lay(t),
                Self::Resources(fork) => fork.lay(t),
                Self::Film(film) => film.lay(t),
                Self::FinderInfo(info) => t.fields(info),
                Self::Opaque(bytes) => t.rest("bytes", Run::Opaque, bytes),
            }
        }
    }

    impl Tape<'_> {
        /// Lays out a fork, which exists only if it has bytes.
        pub(in crate::marathon) fn fork(&mut self, label: Label, length: U32be, fork: at!(Option<Payload>)) -> Result {
            self.build(at!(*fork), |fork, t| {
                if t.told(length.get() > 0, false) || t.has_entry(&label)? {
                    *fork = Some(Payload::default());
                }
                Ok(())
            })?;
            match fork {
                Some(fork) => self.entry(label, length.get().into(), fork),
                None => Ok(()),
            }
        }
    }
}

impl field::Payload for Payload {
    fn kind(&self) -> &'static str {
        match self {
            Self::Wad(_) => Wad::NAME,
            Self::Resources(_) => ResourceFork::NAME,
            Self::Film(_) => Film::NAME,
            Self::FinderInfo(_) => "finder-information",
            Self::Opaque(_) => "opaque",
        }
    }

    fn recognise(label: &Label, bytes: &Bytes) -> Self {
        if *label.name == *FinderInfo::ENTRY.as_bytes() && bytes.len() == size_of::<FinderInfo>() {
            Self::FinderInfo(FinderInfo::default())
        } else if Wad::recognise(bytes).is_some() || (*label.name == *b"data" && Wad::begins(bytes)) {
            Self::Wad(Box::default())
        } else if ResourceFork::recognise(bytes).is_some()
            || (*label.name == *b"resource" && ResourceFork::begins(bytes))
        {
            Self::Resources(Box::default())
        } else if Film::recognise(bytes).is_some() {
            Self::Film(Box::default())
        } else {
            Self::opaque()
        }
    }

    fn opaque() -> Self {
        Self::default()
    }

    fn of_kind(kind: &str) -> Option<Self> {
        let all = [
            Self::Wad(Box::default()),
            Self::Resources(Box::default()),
            Self::Film(Box::default()),
            Self::FinderInfo(FinderInfo::default()),
            Self::opaque(),
        ];
        all.into_iter().find(|payload| payload.kind() == kind)
    }

    fn raw(&self) -> Option<&'static str> {
        matches!(self, Self::Opaque(_)).then_some("bin")
    }
}
