//! Calling, stopping and resetting sequences and animations.

use bitflags::Flags as _;

use crate::Vec3;
use field::{I16, I32, Judge, Result, Text, U16, lay};
use field::{flags, record};

use super::super::arrays::{Arrays, refer};
use super::super::expect::{gates, judge};
use super::super::trial::Trial;
use super::{AnimRefIndex, Body, NodeIndex};

record! {
    /// Calls or stops a sequence, 36 bytes. Source: `zipper-anim-events.md`, sections 22 and 23.
    pub struct SequenceCall: 36 {
        sequence: Text<32>,
        sequence_index: I32 = -1,
    }
}

flags! {
    /// The parameters of an animation call. Source: `zipper-anim-events.md`, section 24.
    pub struct CallAnimationFlags(U16: u16) {
        /// At the position of a node.
        AT_NODE = 0x1;
        /// At a position.
        POSITION = 0x2;
        /// With an offset.
        TRANSLATE = 0x4;
        /// Along with a node.
        WITH_NODE = 0x8;
        /// Waits until it has finished.
        WAIT_FOR_COMPLETION = 0x10;
    }
}

record! {
    /// The beginning of a call, 38 bytes.
    pub struct CallAnimationHeader: 38 {
        animation: Text<32>,
        operand_node: NodeIndex,
        flags: CallAnimationFlags,
        definition: I16 = 0,
    }
}

record! {
    /// The animation to wait for, 2 bytes.
    pub struct AnimationWait: 2 {
        /// Reference to an animation, counted from 0.
        wait: AnimRefIndex,
    }
}

record! {
    /// The unused field of a call that does not wait, 2 bytes.
    pub struct NoWait: 2 {
        wait: I16 as Stale = -1,
    }
}

record! {
    /// The end of a call, 28 bytes.
    pub struct CallAnimationEnd: 28 {
        node: NodeIndex,
        pad: U16 = 0,
        position: Vec3,
        translate: Vec3,
    }
}

/// Calls an animation, 68 bytes. Source: `zipper-anim-events.md`, section 24.
#[derive(Clone, Debug, Default)]
pub struct CallAnimation {
    /// The animation and the flags.
    pub head: CallAnimationHeader,
    /// The animation to wait for.
    pub wait: AnimationWait,
    /// The node and positions.
    pub end: CallAnimationEnd,
}

const SIZE: usize = size_of::<CallAnimationHeader>() + size_of::<AnimationWait>() + size_of::<CallAnimationEnd>();
const _: () = assert!(SIZE == 68);

gates! { CallAnimationEnd, CallAnimationFlags:
    AT_NODE | WITH_NODE => node;
    POSITION => position;
    TRANSLATE => translate;
}

lay! {
    impl Lay for CallAnimation {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fields(at!(self.head))?;
            let flags = self.head.flags;
            if flags.contains(CallAnimationFlags::WAIT_FOR_COMPLETION) {
                t.fields(at!(self.wait))?;
            } else {
                t.fields(recast::<NoWait, _>(at!(self.wait)))?;
            }
            t.fields(at!(self.end))?;
            t.judge(|t| judge(t, &self.end, flags));
            Ok(())
        }
    }
}

impl Body for CallAnimation {
    fn fits(bytes: &[u8]) -> bool {
        bytes.len() == SIZE
    }

    fn tried(it: &mut Trial<'_>) -> Option<()> {
        let head = it.record::<CallAnimationHeader>()?;
        it.indices(head)?;
        if head.flags.contains(CallAnimationFlags::WAIT_FOR_COMPLETION) {
            let wait = it.record::<AnimationWait>()?;
            it.indices(wait)?;
        } else {
            it.record::<NoWait>()?;
        }
        let end = it.record::<CallAnimationEnd>()?;
        it.gates(end, head.flags)?;
        it.indices(end)
    }

    fn refer(&self, t: &mut Judge<'_>, arrays: Arrays<'_>) {
        refer(t, &self.head, arrays);
        if self.head.flags.contains(CallAnimationFlags::WAIT_FOR_COMPLETION) {
            refer(t, &self.wait, arrays);
        }
        refer(t, &self.end, arrays);
    }
}

record! {
    /// Stops an animation in Recoil and MechWarrior 3, 36 bytes. Source: `zipper-anim-events.md`, section 25.
    pub struct StopAnimation: 36 {
        animation: Text<32>,
        anim_ref: I16 = 0,
        definition: I16 = 0,
    }
}

record! {
    /// Stops an animation in Pirate's Moon, 36 bytes. Source: `zipper-anim-events.md`, section 25.
    pub struct StopAnimationNewer: 36 {
        animation: Text<32>,
        anim_ref: I16 = -1,
        definition: I16 = -1,
    }
}

record! {
    /// Stops an animation in Crimson Skies, whose indices have not been measured, 36 bytes. Source: `zipper-anim-events.md`,
    /// section 25.
    pub struct StopAnimationUnmeasured: 36 {
        animation: Text<32>,
        anim_ref: I16 as Reserved,
        definition: I16 as Reserved,
    }
}

record! {
    /// Resets or invalidates an animation, 36 bytes. Source: `zipper-anim-events.md`, sections 26 and 27.
    pub struct ResetAnimation: 36 {
        animation: Text<32>,
        definition: I32 = 0,
    }
}

record! {
    /// Invalidates an animation in Crimson Skies, 36 bytes. Source: `zipper-anim-events.md`, section 27.
    pub struct InvalidateAnimation: 36 {
        animation: Text<32>,
        /// 0 or -100.
        definition: I32 as Reserved,
    }
}
