//! Contents of whole files in a mod: compressed bytes as text. Both directions work in pieces: such a file can be a video.

use std::io::{self, BufReader, Read, Write};

use base64::engine::general_purpose::STANDARD;
use base64::read::DecoderReader;
use base64::write::EncoderWriter;
use bytes::Bytes;
use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, TDEFLStatus, compress_to_output, create_comp_flags_from_zip_params,
};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use field::wide;
use media::zlib::inflate;
use passes::{Hashing, Sha};

/// The compression level: the default of zlib.
const LEVEL: u8 = 6;

/// The contents of a whole file in a mod, as Base64 of a zlib stream. Copies share the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed(pub(super) Text);

/// Where the text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Text {
    Here(Bytes),
    /// In the text of an applied mod with this SHA-256, which the journal has.
    Kept(String),
}

impl Serialize for Packed {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Text::Here(text) => to.serialize_str(core::str::from_utf8(text).map_err(S::Error::custom)?),
            Text::Kept(_) => Err(S::Error::custom("the content is only in the journal")),
        }
    }
}

impl<'de> Deserialize<'de> for Packed {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Self(Text::Here(String::deserialize(from)?.into())))
    }
}

impl Packed {
    /// Returns the contents, which must be `size` bytes.
    pub(super) fn unpacked(&self, size: u64) -> io::Result<Vec<u8>> {
        let Text::Here(text) = &self.0 else { return Err(io::Error::other("the content is only in the journal")) };
        field::memory::fits(size)?;
        let mut bytes = Vec::new();
        unpack(text, size, &mut bytes)?;
        Ok(bytes)
    }
}

/// Packs all that a source has, and returns its hash and its size too. `charge` is given the length of each piece of text before there is
/// memory for it.
///
/// # Errors
/// Returns an error if the source cannot be read, or the error of `charge`.
pub(super) fn pack(mut from: impl Read, charge: impl FnMut(usize) -> io::Result<()>) -> io::Result<(Packed, Sha, u64)> {
    let text = EncoderWriter::new(Charged { text: Vec::new(), charge }, &STANDARD);
    // The flags ask for zlib if the size of the window is not 0.
    let compressor = CompressorOxide::new(create_comp_flags_from_zip_params(LEVEL.into(), 1, 0));
    let mut to = Hashing::new(Deflate { compressor: Box::new(compressor), to: text });
    io::copy(&mut from, &mut to)?;
    let (mut deflate, sha256, bytes) = to.finish();
    deflate.step(&[], TDEFLFlush::Finish)?;
    let Charged { text, .. } = deflate.to.finish()?;
    Ok((Packed(Text::Here(text.into())), sha256, bytes))
}

/// Compresses what is written.
struct Deflate<W> {
    compressor: Box<CompressorOxide>,
    to: W,
}

impl<W: Write> Deflate<W> {
    fn step(&mut self, bytes: &[u8], flush: TDEFLFlush) -> io::Result<usize> {
        let mut written = Ok(());
        let (status, taken) = compress_to_output(&mut self.compressor, bytes, flush, |compressed| {
            written = self.to.write_all(compressed);
            written.is_ok()
        });
        written?;
        match status {
            TDEFLStatus::Okay | TDEFLStatus::Done => Ok(taken),
            status => Err(io::Error::other(format!("cannot compress: {status:?}"))),
        }
    }
}

impl<W: Write> Write for Deflate<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.step(bytes, TDEFLFlush::None)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Collects text whose memory is counted.
struct Charged<F> {
    text: Vec<u8>,
    charge: F,
}

impl<F: FnMut(usize) -> io::Result<()>> Write for Charged<F> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        (self.charge)(piece.len())?;
        self.text.write(piece)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes the bytes of such text, which must be `size` bytes.
///
/// # Errors
/// Returns an error if they are not, if the text or the stream is damaged, or if they cannot be written.
pub(super) fn unpack(text: &[u8], size: u64, to: &mut dyn Write) -> io::Result<()> {
    let (mut left, mut written) = (size, Ok(()));
    // A small stream can expand to any size.
    let take = |piece: &[u8]| match left.checked_sub(wide(piece.len())) {
        Some(rest) => {
            left = rest;
            written = to.write_all(piece);
            written.is_ok()
        }
        None => false,
    };
    let found = inflate(BufReader::new(Decoded(DecoderReader::new(text, &STANDARD))), take);
    written?;
    match found {
        Ok(found) if found == size => Ok(()),
        Ok(found) => Err(io::Error::other(format!("content: expected {size} bytes, found {found}"))),
        Err(why) => Err(io::Error::other(format!("content: expected {size} bytes: {why}"))),
    }
}

/// The bytes of a text in Base64.
struct Decoded<R>(R);

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes).map_err(|error| io::Error::other(format!("expected Base64, found {error}")))
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use miniz_oxide::deflate::compress_to_vec_zlib;

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let (packed, sha256, size) = pack(bytes, |_| Ok(())).expect("packed");
        assert_eq!((sha256, size), (Sha::of(bytes), wide(bytes.len())));
        let Text::Here(text) = packed.0 else { panic!("in memory") };
        text.to_vec()
    }

    fn unpacked(text: &[u8], size: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        unpack(text, size, &mut bytes).map(|()| bytes)
    }

    /// Returns bytes that are hard to compress.
    fn noise(length: u32) -> Vec<u8> {
        (0..length).map(|it| it.wrapping_mul(0x9E37_79B9).rotate_left(it % 31).to_le_bytes()[2]).collect()
    }

    #[test]
    fn content_is_restored_and_a_wrong_size_refused() {
        for bytes in [&b""[..], b"a", &[7; 100_000], &noise(100_000)] {
            let (text, size) = (packed(bytes), wide(bytes.len()));
            assert_eq!(text, STANDARD.encode(compress_to_vec_zlib(bytes, LEVEL)).as_bytes(), "as in one piece");
            assert_eq!(unpacked(&text, size).expect("unpacked"), bytes);
            assert!(unpacked(&text, size + 1).is_err());
            assert!(size == 0 || unpacked(&text, size - 1).is_err(), "a stream that expands to more than it states");
        }
        let refused = |text: &[u8]| unpacked(text, 1).expect_err("refused").to_string();
        assert!(refused(b"!").contains("expected Base64, found "));
        assert!(refused(b"AAAA").contains("damaged"));
        let text = packed(b"ab");
        assert!(text.ends_with(b"=") && unpacked(&text, 2).is_ok(), "it is padded");
        for wrong in [&text[..text.len() - 1], &text[..text.len() - 3], &[&text[..], b"AAAA"].concat()] {
            assert!(unpacked(wrong, 2).is_err(), "{}", String::from_utf8_lossy(wrong));
        }
        let surplus = STANDARD.encode([&compress_to_vec_zlib(b"a", LEVEL)[..], b"x"].concat());
        assert!(refused(surplus.as_bytes()).contains("after the compressed stream"));
    }

    #[test]
    fn memory_for_the_text_is_asked_for_first() {
        let (bytes, mut left) = (noise(100_000), 1000);
        let charge = |length| {
            left = usize::checked_sub(left, length).ok_or_else(|| io::Error::other("too much"))?;
            Ok(())
        };
        assert_eq!(pack(&*bytes, charge).expect_err("refused").to_string(), "too much");
    }
}
