//! Sounds: RIFF/WAVE, alone or as the entries of a sound archive. Source: zipper-sounds.md, section 2.

mod samples;

use crate::bytes::Bytes;
pub use samples::{Sound, broken, noise, ordinary, samples};

/// A sound file. Source: zipper-sounds.md, section 2.
#[derive(Clone, Debug)]
pub struct Spec {
    /// `None`: up to the end of the last chunk, including its pad byte.
    pub riff_size: Option<u32>,
    /// `WAVE`.
    pub form: [u8; 4],
    /// In file order.
    pub chunks: Vec<Chunk>,
    /// Bytes after the last chunk.
    pub trailing: Vec<u8>,
}

/// A chunk. Source: zipper-sounds.md, section 2.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// Names the content.
    pub id: [u8; 4],
    /// `None`: the length of the payload.
    pub size: Option<u32>,
    /// The payload.
    pub data: Vec<u8>,
    /// `None`: a zero after a payload of odd length.
    pub pad: Option<Vec<u8>>,
}

/// The payload of `fmt `. Source: zipper-sounds.md, section 2.
#[derive(Clone, Debug)]
pub struct Format {
    /// [`PCM`], [`MS_ADPCM`] or [`IMA_ADPCM`].
    pub tag: u16,
    /// 1 or 2.
    pub channels: u16,
    /// Samples per second.
    pub rate: u32,
    /// Bytes of a sample of all channels, or of a block.
    pub block_align: u16,
    /// 8 or 16, or 4 if compressed.
    pub bits: u16,
    /// The bytes after the size of the extension; a `fmt ` of 16 bytes has neither.
    pub extension: Option<Vec<u8>>,
}

/// A point of `cue `. Source: zipper-sounds.md, section 2.
#[derive(Clone, Copy, Debug)]
pub struct Cue {
    /// Its number.
    pub id: u32,
    /// Its position in playing order.
    pub position: u32,
    /// The chunk that contains it.
    pub chunk: [u8; 4],
    /// The offset of that chunk.
    pub chunk_start: u32,
    /// The offset of the block.
    pub block_start: u32,
    /// The sample it points to.
    pub sample_offset: u32,
}

/// Format tag of uncompressed samples.
pub const PCM: u16 = 1;
/// Format tag of Microsoft ADPCM.
pub const MS_ADPCM: u16 = 2;
/// Format tag of IMA ADPCM.
pub const IMA_ADPCM: u16 = 0x11;

impl Spec {
    /// Creates a sound with computed values.
    pub fn new(chunks: Vec<Chunk>) -> Self {
        Self { riff_size: None, form: *b"WAVE", chunks, trailing: vec![] }
    }
}

impl Chunk {
    /// Creates a chunk with computed values.
    pub fn new(id: &[u8; 4], data: Vec<u8>) -> Self {
        Self { id: *id, size: None, data, pad: None }
    }

    /// Creates a `cue ` chunk with computed values.
    pub fn cues(points: &[Cue]) -> Self {
        let mut out = Bytes::new();
        out.le_u32(points.len() as u32);
        for point in points {
            out.le_u32(point.id).le_u32(point.position).raw(&point.chunk);
            out.le_u32(point.chunk_start).le_u32(point.block_start).le_u32(point.sample_offset);
        }
        Self::new(b"cue ", out.finish())
    }
}

impl Format {
    /// Creates the format of uncompressed samples, with a `fmt ` of 16 bytes.
    pub fn pcm(channels: u16, rate: u32, bits: u16) -> Self {
        Self { tag: PCM, channels, rate, block_align: channels * bits / 8, bits, extension: None }
    }

    /// Creates the format of Microsoft ADPCM: 32 bytes of extension.
    pub fn ms_adpcm(channels: u16, rate: u32, block_align: u16) -> Self {
        let mut extension = Bytes::new();
        extension.le_u16((block_align - 7 * channels) * 2 / channels + 2).le_u16(7);
        for coefficient in [256, 0, 512, -256, 0, 0, 192, 64, 240, 0, 460, -208, 392, -232] {
            extension.le_i16(coefficient);
        }
        Self { tag: MS_ADPCM, channels, rate, block_align, bits: 4, extension: Some(extension.finish()) }
    }

    /// Creates the format of IMA ADPCM: 2 bytes of extension.
    pub fn ima_adpcm(channels: u16, rate: u32, block_align: u16) -> Self {
        let samples = (block_align - 4 * channels) * 2 / channels + 1;
        Self { tag: IMA_ADPCM, channels, rate, block_align, bits: 4, extension: Some(samples.to_le_bytes().into()) }
    }

    /// Returns the bytes per second, as the size of one second of blocks.
    fn bytes_per_second(&self) -> u32 {
        let samples_per_block = match (&self.extension, self.tag) {
            (Some(extension), MS_ADPCM | IMA_ADPCM) => u32::from(u16::from_le_bytes([extension[0], extension[1]])),
            _ => 1,
        };
        self.rate * u32::from(self.block_align) / samples_per_block
    }

    /// Returns the chunk.
    pub fn chunk(&self) -> Chunk {
        let mut out = Bytes::new();
        out.le_u16(self.tag).le_u16(self.channels).le_u32(self.rate).le_u32(self.bytes_per_second());
        out.le_u16(self.block_align).le_u16(self.bits);
        if let Some(extension) = &self.extension {
            out.le_u16(extension.len() as u16).raw(extension);
        }
        Chunk::new(b"fmt ", out.finish())
    }
}

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(b"RIFF").fill(0, 4).raw(&spec.form);
    for chunk in &spec.chunks {
        out.raw(&chunk.id).le_u32(chunk.size.unwrap_or(chunk.data.len() as u32)).raw(&chunk.data);
        match &chunk.pad {
            Some(pad) => out.raw(pad),
            None => out.fill(0, chunk.data.len() % 2),
        };
    }
    let riff_size = spec.riff_size.unwrap_or(out.len() as u32 - 8);
    out.patch(4, &riff_size.to_le_bytes()).raw(&spec.trailing);
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::{Chunk, Format, Spec, build};

    #[test]
    fn odd_chunks_are_padded_and_the_pad_is_counted() {
        let bytes = build(&Spec::new(vec![Format::pcm(1, 11025, 8).chunk(), Chunk::new(b"data", vec![0x80; 3])]));
        #[rustfmt::skip]
        let expected = [
            0x52, 0x49, 0x46, 0x46, 0x28, 0x00, 0x00, 0x00, 0x57, 0x41, 0x56, 0x45, 0x66, 0x6D, 0x74, 0x20,
            0x10, 0x00, 0x00, 0x00, 0x01, 0x00, 0x01, 0x00, 0x11, 0x2B, 0x00, 0x00, 0x11, 0x2B, 0x00, 0x00,
            0x01, 0x00, 0x08, 0x00, 0x64, 0x61, 0x74, 0x61, 0x03, 0x00, 0x00, 0x00, 0x80, 0x80, 0x80, 0x00,
        ];
        assert_eq!(bytes, expected);
    }

    /// Source: zipper-sounds.md, section 2: 50 and 20 bytes.
    #[test]
    fn compressed_formats_have_their_retail_sizes() {
        let sizes = [Format::ms_adpcm(2, 22050, 1024), Format::ima_adpcm(1, 11025, 256)]
            .map(|format| format.chunk().data.len());
        assert_eq!(sizes, [50, 20]);
    }
}
