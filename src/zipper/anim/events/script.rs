//! Scripts: objects that follow key frames. In Recoil and MechWarrior 3 the event contains the frames, later a pool does.

use field::record;
use field::{Block, F32, Judge, Result, U8, U16, U32, lay, wide};

use super::super::arrays::{Arrays, refer};
use super::super::frame::{self, Frame, Frames, NoCurve, Spline};
use super::super::trial::Trial;
use super::{Body, NodeIndex32};

record! {
    /// The header before the frames in Recoil, 20 bytes. Source: `zipper-anim-events.md`, section 12.
    pub struct ScriptHead20: 20 {
        node: NodeIndex32,
        frame_count: U32 as Outside,
        script_time: F32 = 0.0,
        script_position: U32 = 0,
        frame_index: U32 = 0,
    }
}

record! {
    /// The header before the frames in MechWarrior 3, 24 bytes. Source: `zipper-anim-events.md`, section 12.
    pub struct ScriptHead24: 24 {
        node: NodeIndex32,
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
        node: NodeIndex32,
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
        node: NodeIndex32,
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
            /// The node that follows the frames.
            pub head: $head,
            /// The frames.
            pub frames: Vec<Frame<$curve>>,
        }

        impl Body for $name {
            /// Returns `true` if the stated number of frames, in the sizes that their flags give, fills the bytes.
            fn fits(bytes: &[u8]) -> bool {
                bytes.split_at_checked(size_of::<$head>()).is_some_and(|(head, frames)| {
                    let head: Option<$head> = field::macros::read_pod(head);
                    head.is_some_and(|head| frame::fill::<$curve>(frames, head.frame_count.get().into()))
                })
            }

            const IS_LARGE: bool = true;

            fn tried(it: &mut Trial<'_>) -> Option<()> {
                let head = it.record::<$head>()?;
                it.indices(head)?;
                frame::tried::<$curve>(it, head.frame_count.get())
            }

            fn length(&self) -> Result<u64> {
                Ok(wide(size_of::<$head>()) + frame::length(&self.frames))
            }

            fn refer(&self, t: &mut Judge<'_>, arrays: Arrays<'_>) {
                refer(t, &self.head, arrays);
            }
        }
    };
    (@lay $name:ident) => {
        impl Lay for $name {
            fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
                t.computed("frame_count", at!(self.head.frame_count), wide(self.frames.len()))?;
                t.fields(at!(self.head))?;
                let count = t.stated("frame_count", self.head.frame_count)?;
                self.frames.lay_by(t, Frames { count: count.into(), curves_are_used: true })
            }
        }
    };
}

inline_script! {
    InlineScript20, ScriptHead20, NoCurve,
    "Follows the inline frames in Recoil. Source: `zipper-anim-events.md`, section 12."
}
inline_script! {
    InlineScript24, ScriptHead24, Spline,
    "Follows the inline frames in MechWarrior 3. Source: `zipper-anim-events.md`, section 12."
}

record! {
    /// An event that follows a script, in a list of such events, 76 bytes. Source: `zipper-anim-events.md`, section 47.
    pub struct ScriptOfList: 76 {
        event_type: U8 = 12,
        start_offset: U8 = 1,
        pad: U16 = 0,
        size: U32 = 76,
        start_time: F32 = 0.0,
        script: ListedScript,
    }
}

/// Follows a script for each root name, in Crimson Skies. Source: `zipper-anim-events.md`, section 47.
#[derive(Clone, Debug, Default)]
pub struct ScriptsOfList {
    /// One event per script.
    pub scripts: Block<ScriptOfList>,
}

lay! {
    inline_script! { @lay InlineScript20 }
    inline_script! { @lay InlineScript24 }

    impl Lay for ScriptsOfList {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let count = t.number::<U32>("script_count", wide(self.scripts.len()))?;
            t.block("scripts", count, at!(self.scripts))
        }
    }
}

impl Body for ScriptsOfList {
    fn tried(it: &mut Trial<'_>) -> Option<()> {
        let count = it.number::<U32>()?;
        it.records::<ScriptOfList>(count.get())
    }

    fn fits(bytes: &[u8]) -> bool {
        bytes.split_first_chunk().is_some_and(|(count, scripts)| {
            let count = usize::try_from(u32::from_le_bytes(*count)).unwrap_or(usize::MAX);
            count.checked_mul(size_of::<ScriptOfList>()) == Some(scripts.len())
        })
    }
}
