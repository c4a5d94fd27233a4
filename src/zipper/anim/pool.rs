//! The pool of scripts: key-framed motions behind the definitions in Pirate's Moon and Crimson Skies.

use crate::field::{Block, Result, Run, Style as _, Tape, U8, U16, U32, Windows, quote, size, wide};
use crate::record;

use super::container::counted;
use super::frame::{self, Frame, Spline};

/// Bytes of the head of a script.
const HEAD: u64 = 28;

record! {
    /// Where the names were, 8 bytes. Source: `zipper-anim.md`, section 14.2.
    pub struct NamePointers: 8 {
        script_name_ptr: U32 as Pointer,
        object_name_ptr: U32 as Pointer,
    }
}

record! {
    /// Whether the curves of the frames are used, 6 bytes. Source: `zipper-anim.md`, section 14.2.
    pub struct Interpolation: 6 {
        pad: U16 = 0,
        spline_interp: U32,
    }
}

record! {
    /// Where the frames were, 4 bytes. Source: `zipper-anim.md`, section 14.2.
    pub struct DataPointer: 4 {
        script_data_ptr: U32 as Pointer,
    }
}

/// What a script holds.
#[derive(Clone, Debug)]
pub enum Data {
    /// Frames.
    Frames(Vec<Frame<Spline>>),
    /// Bytes that are not just so many frames as are told.
    Opaque(Block),
}

impl Default for Data {
    fn default() -> Self {
        Self::Frames(Vec::new())
    }
}

/// A script.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Where the names were.
    pub names: NamePointers,
    /// Whether the curves of the frames are used.
    pub interpolation: Interpolation,
    /// How many frames are told of bytes that are not just as many.
    pub frame_count: U32,
    /// Where the frames were.
    pub pointer: DataPointer,
    /// What it is called, and a NUL.
    pub script_name: Block,
    /// The object it moves, and a NUL.
    pub object_name: Block,
    /// The frames.
    pub data: Data,
}

impl Script {
    /// Whether the curves of the frames are used.
    fn has_curves(&self) -> bool {
        self.interpolation.spline_interp.get() != 0
    }

    /// Lays the head, and gives the lengths of names and data.
    fn lay_head(&mut self, t: &mut Tape<'_>) -> Result<Lengths> {
        t.fields(&mut self.names)?;
        let script_name = counted::<U8>(t, "script_name_len", self.script_name.len())?;
        let object_name = counted::<U8>(t, "object_name_len", self.object_name.len())?;
        t.fields(&mut self.interpolation)?;
        if t.is_given("frame_count") {
            self.data = Data::Opaque(Block::default());
        }
        let frames = match &self.data {
            Data::Frames(frames) if !t.loading() => Some(wide(frames.len())),
            _ => None,
        };
        t.counted("frame_count", &mut self.frame_count, frames)?;
        let told = self.frame_count.get();
        t.expect("frame_count", || frames.is_none().then(|| ("the frames that there are".into(), told.into())));
        let frames = t.stated("frame_count", self.frame_count)?;
        let bytes = if t.filling() { size(|t| self.lay_data(t, Lengths::default())) } else { 0 };
        let mut length = U32::default();
        t.counted("script_data_len", &mut length, Some(bytes))?;
        let data = t.stated("script_data_len", length)?;
        t.fields(&mut self.pointer)?;
        t.expect("script_data_len", || (data == 0).then(|| ("frames".into(), 0.into())));
        Ok(Lengths { script_name, object_name, frames, data })
    }

    fn lay_data(&mut self, t: &mut Tape<'_>, lengths: Lengths) -> Result {
        let curves = self.has_curves();
        t.room(lengths.data, 1)?;
        if t.reading() && !frame::fill::<Spline>(t.ahead(lengths.data), lengths.frames) {
            self.data = Data::Opaque(Block::default());
        }
        match &mut self.data {
            Data::Frames(frames) => {
                let count = if t.reading() { lengths.frames } else { wide(frames.len()) };
                frame::lay(t, count, frames, curves)
            }
            Data::Opaque(bytes) => {
                let length = if t.reading() { lengths.data } else { wide(bytes.len()) };
                t.run("data", Run::Opaque, length, bytes)
            }
        }
    }
}

/// What the head of a script tells.
#[derive(Clone, Copy, Default)]
struct Lengths {
    script_name: u64,
    object_name: u64,
    frames: u64,
    data: u64,
}

/// Lays all heads, then all scripts.
pub(super) fn lay(t: &mut Tape<'_>, count: u64, scripts: &mut Vec<Script>) -> Result {
    let mut lengths = Vec::with_capacity(scripts.len());
    t.list("script_heads", count, HEAD, scripts, |t, script| {
        lengths.push(script.lay_head(t)?);
        Ok(())
    })?;
    let mut lengths = lengths.into_iter();
    t.each("scripts", scripts, |t, script| {
        let lengths = lengths.next().unwrap_or_default();
        name(t, "script_name", lengths.script_name, &mut script.script_name)?;
        name(t, "object_name", lengths.object_name, &mut script.object_name)?;
        script.lay_data(t, lengths)
    })
}

/// Lays a name with its NUL.
fn name(t: &mut Tape<'_>, field: &'static str, length: u64, name: &mut Block) -> Result {
    t.text_of(field, Windows::PAGE, length, name)?;
    t.expect(field, || {
        let ends = name.iter().position(|&byte| byte == 0) == name.len().checked_sub(1);
        (!ends || name.is_empty()).then(|| ("a name and its NUL".into(), quote(name).into()))
    });
    Ok(())
}
