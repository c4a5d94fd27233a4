//! Videos: RIFF/AVI, limited to the parts that identify them. Source: zipper-other.md, section 6, for the videos of the games; the layout
//! is the public one.

mod samples;

use crate::bytes::Bytes;
pub(crate) use samples::ordinary;
pub use samples::{broken, samples};

/// A chunk, or a list of chunks.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// Names the content; `LIST` and `RIFF` are lists.
    pub id: [u8; 4],
    /// `None`: the length of the content.
    pub size: Option<u32>,
    /// The contents.
    pub body: Body,
    /// `None`: a zero after content of odd length.
    pub pad: Option<Vec<u8>>,
}

/// The contents of a chunk.
#[derive(Clone, Debug)]
pub enum Body {
    /// Bytes.
    Data(Vec<u8>),
    /// A form, and chunks.
    List([u8; 4], Vec<Chunk>),
}

/// A video: its chunks, the first of which is the list with all others.
pub type Spec = Vec<Chunk>;

impl Chunk {
    /// Creates a chunk with computed values.
    pub fn new(id: &[u8; 4], data: Vec<u8>) -> Self {
        Self { id: *id, size: None, body: Body::Data(data), pad: None }
    }

    /// Creates a list with computed values.
    pub fn list(id: &[u8; 4], form: &[u8; 4], chunks: Vec<Self>) -> Self {
        Self { id: *id, size: None, body: Body::List(*form, chunks), pad: None }
    }

    /// Returns the chunks of a list.
    pub fn chunks(&mut self) -> &mut Vec<Self> {
        let Body::List(_, chunks) = &mut self.body else { panic!("a list") };
        chunks
    }
}

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let mut out = Bytes::new();
    spec.iter().for_each(|chunk| write(&mut out, chunk));
    out.finish()
}

fn write(out: &mut Bytes, chunk: &Chunk) {
    out.raw(&chunk.id).le_u32(0);
    let begin = out.len();
    match &chunk.body {
        Body::Data(data) => _ = out.raw(data),
        Body::List(form, chunks) => {
            out.raw(form);
            chunks.iter().for_each(|chunk| write(out, chunk));
        }
    }
    let size = chunk.size.unwrap_or((out.len() - begin) as u32);
    out.patch(begin - 4, &size.to_le_bytes());
    match &chunk.pad {
        Some(pad) => _ = out.raw(pad),
        None => _ = out.pad(2, 0),
    }
}

/// The properties of a video.
#[derive(Clone, Copy, Debug)]
pub struct Film {
    /// Number of frames.
    pub frames: u32,
    /// Maximum bytes per frame.
    pub longest: i32,
    /// The format of the sound, if there is any.
    pub sound: Option<(u16, u32, u16)>,
}

/// Returns `avih`: 15 frames per second of 640 by 480 pixels.
pub fn main_header(film: Film) -> Chunk {
    let mut out = Bytes::new();
    out.le_u32(66_667).le_u32(300_000).le_u32(0).le_u32(0x110).le_u32(film.frames).le_u32(0);
    out.le_u32(1 + u32::from(film.sound.is_some())).le_u32(0x1_0000).le_u32(640).le_u32(480).fill(0, 16);
    Chunk::new(b"avih", out.finish())
}

/// Returns `strh`: the type of a stream.
pub fn stream_header(kind: &[u8; 4], handler: &[u8; 4], rate: u32, length: u32, sample_size: u32) -> Chunk {
    let mut out = Bytes::new();
    out.raw(kind).raw(handler).le_u32(0).le_u16(0).le_u16(0).le_u32(0).le_u32(1).le_u32(rate).le_u32(0);
    out.le_u32(length).le_u32(0x1_0000).le_i32(-1).le_u32(sample_size);
    out.le_i16(0).le_i16(0).le_i16(640).le_i16(480);
    Chunk::new(b"strh", out.finish())
}

/// Returns `strf` of a video stream.
pub fn picture_format(codec: &[u8; 4], extra: &[u8]) -> Chunk {
    let mut out = Bytes::new();
    out.le_u32(40 + extra.len() as u32).le_i32(640).le_i32(480).le_u16(1).le_u16(24).raw(codec);
    out.le_u32(640 * 480 * 3).le_i32(0).le_i32(0).le_u32(0).le_u32(0).raw(extra);
    Chunk::new(b"strf", out.finish())
}

#[cfg(test)]
mod tests {
    use super::{Chunk, build};

    #[test]
    fn list_size_includes_its_form_and_pads() {
        let list = Chunk::list(b"LIST", b"movi", vec![Chunk::new(b"00dc", vec![7])]);
        assert_eq!(build(&vec![list]), *b"LIST\x0E\0\0\0movi00dc\x01\0\0\0\x07\0");
    }
}
