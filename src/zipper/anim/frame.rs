//! Frames of scripts: the position of an object between two times, and its rate of change.

use core::fmt::Debug;

use bitflags::Flags as _;

use crate::{Quaternion, Vec3};
use field::{self, Count, F32, Record, Result, U32, lay, wide};
use field::{flags, record};

use super::trial::Trial;

flags! {
    /// The blocks of a frame, in file order. Source: `zipper-anim.md`, section 14.3.
    pub struct FrameFlags(U32: u32) {
        /// Its position.
        TRANSLATE = 1;
        /// Its rotation.
        ROTATE = 2;
        /// Its scale.
        SCALE = 4;
    }
}

record! {
    /// The header of a frame, 12 bytes. Source: `zipper-anim.md`, section 14.3.
    pub struct FrameHeader: 12 {
        flags: FrameFlags,
        /// Seconds.
        start_time: F32,
        /// Seconds.
        end_time: F32,
    }
}

record! {
    /// A position or scale at the beginning of a frame, 28 bytes. Source: `zipper-anim.md`, section 14.3.
    pub struct Move: 28 {
        base: Vec3,
        leftover: U32 as Stale,
        /// Per second.
        delta: Vec3,
    }
}

record! {
    /// A rotation at the beginning of a frame, 28 bytes. Source: `zipper-anim.md`, section 14.3.
    pub struct Turn: 28 {
        base: Quaternion,
        /// Per second.
        delta: Vec3,
    }
}

record! {
    /// A curve for x, y and z: value, and factors of time, its square and its cube, 48 bytes. Source: `zipper-anim.md`, section
    /// 14.3.
    pub struct Spline: 48 {
        spline: [[F32; 4]; 3],
    }
}

record! {
    /// The unused curve of a frame, 48 bytes.
    pub struct NoSpline: 48 {
        spline: [[F32; 4]; 3] as Stale,
    }
}

/// The curve after a block, depending on whether it is used.
pub trait Curve:
    field::build::LayBy<bool> + field::walk::LayBy<bool> + Clone + Debug + Default + Send + 'static
{
}

impl Curve for Spline {}

/// No curve, in Recoil.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCurve;

impl Curve for NoCurve {}

/// Returns the size in bytes of a frame with these flags.
fn size<C: Curve>(flags: FrameFlags) -> usize {
    let blocks = usize::try_from(flags.intersection(FrameFlags::all()).bits().count_ones()).unwrap_or(0);
    size_of::<FrameHeader>() + blocks * block::<C>()
}

/// Returns the size of frames in bytes.
pub(super) fn length<C: Curve>(frames: &[Frame<C>]) -> u64 {
    frames.iter().map(|frame| wide(size::<C>(frame.head.flags))).sum::<u64>()
}

/// Returns the size of a block in bytes.
const fn block<C: Curve>() -> usize {
    size_of::<Move>() + size_of::<C>()
}

const _: () = assert!(block::<NoCurve>() == 28 && block::<Spline>() == 76);

/// A frame. The file contains only the blocks that its flags name.
#[derive(Clone, Debug, Default)]
pub struct Frame<C> {
    /// Flags and times.
    pub head: FrameHeader,
    /// Position.
    pub translate: Option<Box<(Move, C)>>,
    /// Rotation.
    pub rotate: Option<Box<(Turn, C)>>,
    /// Scale.
    pub scale: Option<Box<(Move, C)>>,
}

/// So many frames; unused curves are leftover memory.
pub(super) struct Frames {
    pub(super) count: Count,
    pub(super) curves_are_used: bool,
}

lay! {
    impl LayBy<bool> for Spline {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, used: bool) -> Result {
            if used { t.fields(self) } else { t.fields(recast::<NoSpline, _>(self)) }
        }
    }

    impl LayBy<bool> for NoCurve {
        fn lay_by(self: at!(Self), _: &mut Tape<'_>, _: bool) -> Result {
            Ok(())
        }
    }

    impl<C: Curve> LayBy<bool> for Frame<C> {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, curves: bool) -> Result {
            t.fields(at!(self.head))?;
            let flags = self.head.flags;
            if flags.contains(FrameFlags::TRANSLATE) {
                change(t, "translate", at!(self.translate), curves)?;
            }
            if flags.contains(FrameFlags::ROTATE) {
                change(t, "rotate", at!(self.rotate), curves)?;
            }
            if flags.contains(FrameFlags::SCALE) {
                change(t, "scale", at!(self.scale), curves)?;
            }
            Ok(())
        }
    }

    /// Lays out a block that the flags of its frame name.
    fn change<R: Record + Default, C: Curve>(
        t: &mut Tape<'_>,
        name: &'static str,
        block: at!(Option<Box<(R, C)>>),
        curves: bool,
    ) -> Result {
        let block = t.present(name, block, |t| {
            t.charge(wide(size_of::<(R, C)>()))?;
            Ok(Box::default())
        })?;
        let (state, curve) = at!(**block);
        t.group(name, |t| {
            t.fields(state)?;
            curve.lay_by(t, curves)
        })
    }

    impl<C: Curve> LayBy<Frames> for Vec<Frame<C>> {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, Frames { count, curves_are_used }: Frames) -> Result {
            t.list("frames", count, wide(size_of::<FrameHeader>()), self, |t, frame| frame.lay_by(t, curves_are_used))
        }
    }
}

/// Checks this many frames, whose curves are used. Returns `None` if one has a deviation.
pub(super) fn tried<C: Curve>(it: &mut Trial<'_>, count: u32) -> Option<()> {
    (0..count).try_for_each(|_| {
        let flags = it.record::<FrameHeader>()?.flags;
        // Frames with unknown flags are kept as bytes.
        FrameFlags::all().contains(flags).then_some(())?;
        if flags.contains(FrameFlags::TRANSLATE) {
            block_tried::<Move, C>(it)?;
        }
        if flags.contains(FrameFlags::ROTATE) {
            block_tried::<Turn, C>(it)?;
        }
        if flags.contains(FrameFlags::SCALE) {
            block_tried::<Move, C>(it)?;
        }
        Some(())
    })
}

fn block_tried<R: Record, C: Curve>(it: &mut Trial<'_>) -> Option<()> {
    it.record::<R>()?;
    if size_of::<C>() > 0 {
        it.record::<Spline>()?;
    }
    Some(())
}

/// Returns `true` if some bytes are exactly `count` frames.
pub(super) fn fill<C: Curve>(mut bytes: &[u8], count: u64) -> bool {
    for _ in 0..count {
        let head: Option<FrameHeader> = field::macros::read_head(bytes);
        let Some(flags) = head.map(|head| head.flags).filter(|flags| FrameFlags::all().contains(*flags)) else {
            return false;
        };
        let Some(rest) = bytes.get(size::<C>(flags)..) else { return false };
        bytes = rest;
    }
    bytes.is_empty()
}
