//! The pool of scripts: key-framed motions after the definitions in Pirate's Moon and Crimson Skies.

use field::record;
use field::{Block, Fault, Result, Run, Style as _, U8, U16, U32, Windows, as_read, lay, quote, wide};

use super::frame::{self, Frame, Frames, Spline};

/// The size of a script's header in bytes.
const HEAD: u64 = 28;

record! {
    /// The addresses of the names, 8 bytes. Source: `zipper-anim.md`, section 14.2.
    pub struct NamePointers: 8 {
        script_name_ptr: U32 as Pointer,
        object_name_ptr: U32 as Pointer,
    }
}

record! {
    /// The flag that enables the curves of the frames, 6 bytes. Source: `zipper-anim.md`, section 14.2.
    pub struct Interpolation: 6 {
        pad: U16 = 0,
        spline_interp: U32,
    }
}

record! {
    /// The address of the frames, 4 bytes. Source: `zipper-anim.md`, section 14.2.
    pub struct DataPointer: 4 {
        script_data_ptr: U32 as Pointer,
    }
}

/// The contents of a script.
#[derive(Clone, Debug)]
pub enum Data {
    /// Frames.
    Frames(Vec<Frame<Spline>>),
    /// Bytes that are not exactly the stated number of frames.
    Opaque(Block),
}

impl Default for Data {
    fn default() -> Self {
        Self::Frames(Vec::new())
    }
}

impl Data {
    /// Returns its length in bytes.
    fn length(&self) -> u64 {
        match self {
            Self::Frames(frames) => frame::length(frames),
            Self::Opaque(bytes) => wide(bytes.len()),
        }
    }
}

/// A script.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The addresses of the names.
    pub names: NamePointers,
    /// The flag that enables the curves of the frames.
    pub interpolation: Interpolation,
    /// The stated number of frames, if the bytes are not exactly that many.
    pub frame_count: U32,
    /// The address of the frames.
    pub pointer: DataPointer,
    /// Its name with a NUL.
    pub script_name: Block,
    /// The object that it moves, with a NUL.
    pub object_name: Block,
    /// The frames.
    pub data: Data,
}

impl Script {
    /// Returns `true` if the curves of the frames are used.
    fn has_curves(&self) -> bool {
        self.interpolation.spline_interp.get() != 0
    }
}

/// The lengths and counts in the header of a script.
#[derive(Clone, Copy, Default)]
struct Lengths {
    script_name: u64,
    object_name: u64,
    frames: u64,
    data: u64,
}

/// So many scripts.
pub(super) struct Scripts {
    pub(super) count: u64,
}

lay! {
    /// The headers of all scripts, then their contents.
    impl LayBy<Scripts> for Vec<Script> {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, Scripts { count }: Scripts) -> Result {
            let mut lengths = Vec::with_capacity(self.len());
            t.list("script_heads", count, HEAD, at!(*self), |t, script| {
                lengths.push(head(script, t)?);
                Ok(())
            })?;
            let (heads, all) = (wide(lengths.len()), wide(self.len()));
            let mut lengths = lengths.into_iter();
            t.each("scripts", self, |t, script| {
                let lengths = lengths.next().ok_or_else(|| t.error(Fault::Count { expected: heads, found: all }))?;
                let curves = script.has_curves();
                name(t, "script_name", lengths.script_name, at!(script.script_name))?;
                name(t, "object_name", lengths.object_name, at!(script.object_name))?;
                script.data.lay_by(t, (lengths, curves))
            })
        }
    }

    /// Lays out the header of a script, and returns its lengths and counts.
    fn head(it: at!(Script), t: &mut Tape<'_>) -> Result<Lengths> {
        t.fields(at!(it.names))?;
        let script_name = t.number::<U8>("script_name_len", wide(it.script_name.len()))?;
        let object_name = t.number::<U8>("object_name_len", wide(it.object_name.len()))?;
        t.fields(at!(it.interpolation))?;
        t.load(at!(it.data), |data, t| {
            if t.exists("frame_count", false) {
                *data = Data::Opaque(Block::default());
            }
            Ok(())
        })?;
        let frames = match &it.data {
            Data::Frames(frames) => Some(wide(frames.len())),
            _ => None,
        };
        t.counted("frame_count", at!(it.frame_count), frames)?;
        let told = it.frame_count.get();
        t.expect("frame_count", || frames.is_none().then(|| ("the number of frames that exist".into(), told.into())));
        let frames = t.stated("frame_count", it.frame_count)?;
        let data = t.number::<U32>("script_data_len", it.data.length())?;
        t.fields(at!(it.pointer))?;
        t.expect("script_data_len", || (data == 0).then(|| ("frames".into(), 0.into())));
        Ok(Lengths { script_name, object_name, frames, data })
    }

    impl LayBy<(Lengths, bool)> for Data {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, (lengths, curves): (Lengths, bool)) -> Result {
            t.read(at!(*self), |data, t| {
                t.room(lengths.data, 1)?;
                if !frame::fill::<Spline>(t.ahead(lengths.data), lengths.frames) {
                    *data = Self::Opaque(Block::default());
                }
                Ok(())
            })?;
            match self {
                Self::Frames(frames) => frames.lay_by(t, Frames { count: as_read(lengths.frames), curves_are_used: curves }),
                Self::Opaque(bytes) => t.run("data", Run::Opaque, as_read(lengths.data), bytes),
            }
        }
    }

    /// Lays out a name with its NUL.
    fn name(t: &mut Tape<'_>, field: &'static str, length: u64, name: at!(Block)) -> Result {
        t.text_of(field, Windows::PAGE, length, name)?;
        t.expect(field, || {
            let ends = name.iter().position(|&byte| byte == 0) == name.len().checked_sub(1);
            (!ends || name.is_empty()).then(|| ("a name and its NUL".into(), quote(name).into()))
        });
        Ok(())
    }
}
