//! Scripts: objects that follow key frames. In Recoil and MechWarrior 3 the frames lie in the event, later in a pool.

use crate::field::{Block, F32, I32, Lay, Result, Tape, U8, U16, U32, wide};
use crate::record;

use super::super::arrays::{Arrays, refer};
use super::super::container::counted;
use super::super::frame::{self, Frame, NoCurve, Spline};
use super::Body;

record! {
    /// What stands before the frames in Recoil, 20 bytes. Source: `zipper-anim-events.md`, section 12.
    pub struct ScriptHead20: 20 {
        node: I32,
        frame_count: U32 as Outside,
        script_time: F32 = 0.0,
        script_position: U32 = 0,
        frame_index: U32 = 0,
    }
}

record! {
    /// What stands before the frames in MechWarrior 3, 24 bytes. Source: `zipper-anim-events.md`, section 12.
    pub struct ScriptHead24: 24 {
        node: I32,
        frame_count: U32 as Outside,
        unk_08: F32 = 0.0,
        script_time: F32 = 0.0,
        script_position: U32 = 0,
        frame_index: U32 = 0,
    }
}

record! {
    /// Follows a script of the pool in Pirate's Moon, 24 bytes. Source: `zipper-anim-events.md`, section 12.
    pub struct PoolScript: 24 {
        node: I32,
        /// Index into the pool of the file.
        script: U32,
        unk_08: F32 = 0.0,
        script_time: F32 = 0.0,
        script_position: U32 = 0,
        frame_index: U32 = 0,
    }
}

record! {
    /// Follows a script of the pool in Crimson Skies, 64 bytes. Source: `zipper-anim-events.md`, section 12.
    pub struct ListedScript: 64 {
        zero: U32 = 0,
        node: I32,
        /// Index into the script ids of the definition.
        slot: U32,
        unk_0c: [U32; 13] = [U32::new(0); 13],
    }
}

macro_rules! inline_script {
    ($name:ident, $head:ident, $curve:ident, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Debug, Default)]
        pub struct $name {
            /// Which node follows the frames.
            pub head: $head,
            /// The frames.
            pub frames: Vec<Frame<$curve>>,
        }

        impl Lay for $name {
            fn lay(&mut self, t: &mut Tape<'_>) -> Result {
                t.fill("frame_count", &mut self.head.frame_count, wide(self.frames.len()))?;
                t.fields(&mut self.head)?;
                let count = t.stated("frame_count", self.head.frame_count)?;
                frame::lay(t, count, &mut self.frames, true)
            }
        }

        impl Body for $name {
            /// Frames of the sizes that their flags say, as many as are told, up to the end.
            fn fits(bytes: &[u8]) -> bool {
                bytes.split_at_checked(size_of::<$head>()).is_some_and(|(head, frames)| {
                    let head: Option<$head> = crate::macros::read_pod(head);
                    head.is_some_and(|head| frame::fill::<$curve>(frames, head.frame_count.get().into()))
                })
            }

            fn refer(&self, t: &mut Tape<'_>, arrays: Arrays<'_>) {
                refer(t, &self.head, arrays);
            }
        }
    };
}

inline_script! {
    InlineScript20, ScriptHead20, NoCurve,
    "Follows the frames behind it in Recoil. Source: `zipper-anim-events.md`, section 12."
}
inline_script! {
    InlineScript24, ScriptHead24, Spline,
    "Follows the frames behind it in MechWarrior 3. Source: `zipper-anim-events.md`, section 12."
}

record! {
    /// An event that follows a script, in a list of such, 76 bytes. Source: `zipper-anim-events.md`, section 47.
    pub struct ScriptOfList: 76 {
        event_type: U8 = 12,
        start_offset: U8 = 1,
        pad: U16 = 0,
        size: U32 = 76,
        start_time: F32 = 0.0,
        script: ListedScript,
    }
}

/// Follows a script for each name of a root; Crimson Skies. Source: `zipper-anim-events.md`, section 47.
#[derive(Clone, Debug, Default)]
pub struct ScriptsOfList {
    /// An event for each.
    pub scripts: Block<ScriptOfList>,
}

impl Lay for ScriptsOfList {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        let count = counted::<U32>(t, "script_count", self.scripts.len())?;
        t.block("scripts", count, &mut self.scripts)
    }
}

impl Body for ScriptsOfList {
    fn fits(bytes: &[u8]) -> bool {
        bytes.split_first_chunk().is_some_and(|(count, scripts)| {
            let count = usize::try_from(u32::from_le_bytes(*count)).unwrap_or(usize::MAX);
            count.checked_mul(size_of::<ScriptOfList>()) == Some(scripts.len())
        })
    }
}
