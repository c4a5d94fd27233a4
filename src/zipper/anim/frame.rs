//! Frames of scripts: where an object is between two times, and how it gets there.

use core::fmt::Debug;

use bitflags::Flags as _;

use crate::field::{F32, Result, Tape, U32, wide};
use crate::zipper::{Quaternion, Vec3};
use crate::{flags, record};

flags! {
    /// Which blocks a frame has, in file order. Source: `zipper-anim.md`, section 14.3.
    pub struct FrameFlags(U32: u32) {
        /// Where it is.
        TRANSLATE = 1;
        /// How it is turned.
        ROTATE = 2;
        /// How large it is.
        SCALE = 4;
    }
}

record! {
    /// The head of a frame, 12 bytes. Source: `zipper-anim.md`, section 14.3.
    pub struct FrameHead: 12 {
        flags: FrameFlags,
        /// Seconds.
        start_time: F32,
        /// Seconds.
        end_time: F32,
    }
}

record! {
    /// A place or a size at the beginning of a frame, 28 bytes. Source: `zipper-anim.md`, section 14.3.
    pub struct Move: 28 {
        base: Vec3,
        leftover: U32 as Stale,
        /// Per second.
        delta: Vec3,
    }
}

record! {
    /// A direction at the beginning of a frame, 28 bytes. Source: `zipper-anim.md`, section 14.3.
    pub struct Turn: 28 {
        base: Quaternion,
        /// Per second.
        delta: Vec3,
    }
}

record! {
    /// A curve for x, y and z: value, and factors of time, its square and its cube; 48 bytes. Source: `zipper-anim.md`, section
    /// 14.3.
    pub struct Spline: 48 {
        spline: [[F32; 4]; 3],
    }
}

record! {
    /// What stands in its place where curves are not used, 48 bytes.
    pub struct NoSpline: 48 {
        spline: [[F32; 4]; 3] as Stale,
    }
}

/// What stands behind a block.
pub trait Curve: Clone + Debug + Default + Send + 'static {
    /// Lays it.
    ///
    /// # Errors
    /// When the file ends inside it, or the visitor stops.
    fn lay(&mut self, t: &mut Tape<'_>, used: bool) -> Result;
}

impl Curve for Spline {
    fn lay(&mut self, t: &mut Tape<'_>, used: bool) -> Result {
        if used { t.fields(self) } else { t.fields(bytemuck::must_cast_mut::<Self, NoSpline>(self)) }
    }
}

/// Nothing: Recoil.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCurve;

impl Curve for NoCurve {
    fn lay(&mut self, _: &mut Tape<'_>, _: bool) -> Result {
        Ok(())
    }
}

/// Bytes of a block.
const fn block<C: Curve>() -> usize {
    size_of::<Move>() + size_of::<C>()
}

const _: () = assert!(block::<NoCurve>() == 28 && block::<Spline>() == 76);

/// A frame. Of its blocks only those are in the file that its flags name.
#[derive(Clone, Debug, Default)]
pub struct Frame<C> {
    /// Flags and times.
    pub head: FrameHead,
    /// Where it is.
    pub translate: Option<Box<(Move, C)>>,
    /// How it is turned.
    pub rotate: Option<Box<(Turn, C)>>,
    /// How large it is.
    pub scale: Option<Box<(Move, C)>>,
}

impl<C: Curve> Frame<C> {
    fn lay(&mut self, t: &mut Tape<'_>, curves: bool) -> Result {
        t.fields(&mut self.head)?;
        let flags = self.head.flags;
        if flags.contains(FrameFlags::TRANSLATE) {
            let (place, curve) = boxed(t, &mut self.translate)?;
            t.group("translate", |t| t.fields(place).and_then(|()| curve.lay(t, curves)))?;
        }
        if flags.contains(FrameFlags::ROTATE) {
            let (turn, curve) = boxed(t, &mut self.rotate)?;
            t.group("rotate", |t| t.fields(turn).and_then(|()| curve.lay(t, curves)))?;
        }
        if flags.contains(FrameFlags::SCALE) {
            let (size, curve) = boxed(t, &mut self.scale)?;
            t.group("scale", |t| t.fields(size).and_then(|()| curve.lay(t, curves)))?;
        }
        Ok(())
    }
}

/// Returns what a frame has of a block, made if there is none yet.
fn boxed<'b, B: Default>(t: &Tape<'_>, block: &'b mut Option<Box<B>>) -> Result<&'b mut B> {
    if block.is_none() {
        t.charge(wide(size_of::<B>()))?;
    }
    Ok(block.get_or_insert_default())
}

/// Lays so many frames; curves that are not used are leftover memory.
pub(super) fn lay<C: Curve>(t: &mut Tape<'_>, count: u64, frames: &mut Vec<Frame<C>>, curves: bool) -> Result {
    t.list("frames", count, wide(size_of::<FrameHead>()), frames, |t, frame| frame.lay(t, curves))
}

/// Whether some bytes are just so many frames.
pub(super) fn fill<C: Curve>(mut bytes: &[u8], count: u64) -> bool {
    for _ in 0..count {
        let head: Option<FrameHead> = bytes.get(..size_of::<FrameHead>()).and_then(crate::macros::read_pod);
        let Some(flags) = head.map(|head| head.flags).filter(|flags| FrameFlags::all().contains(*flags)) else {
            return false;
        };
        let blocks = usize::try_from(flags.bits().count_ones()).unwrap_or(0).saturating_mul(block::<C>());
        let Some(rest) = bytes.get(size_of::<FrameHead>().saturating_add(blocks)..) else { return false };
        bytes = rest;
    }
    bytes.is_empty()
}
