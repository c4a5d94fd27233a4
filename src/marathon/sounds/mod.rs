//! Sounds: samples with a header, in resources of Marathon, in the sounds file of Marathon 2 and Infinity, and in patches.
//!
//! Source: [`marathon-sounds.md`](formats::marathon_sounds).

mod file;
mod header;
#[cfg(feature = "exchange")]
mod medium;
mod patch;
mod resource;

pub use file::{Behavior, Definition, Group, Header, Permutations, Slot, SoundFlags, Sounds};
pub use header::{CompressedHeader, ExtendedHeader, Form, Sound, StandardHeader};
#[cfg(feature = "exchange")]
pub use medium::MEDIA;
pub use patch::{PatchItem, PatchItemHeader, SoundsPatch};
pub use resource::{Command, CommandHeader, CommandKind, DataKind, DataType, SoundResource, SoundResourceHeader};
