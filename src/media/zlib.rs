//! Compressed streams of zlib (RFC 1950).

use std::io::{self, BufRead};

use miniz_oxide::inflate::stream::{InflateState, inflate as step};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};

use field::wide;
use output::printable::counted;

/// Decompresses a stream, and passes each piece to `take`, until that returns `false`. Returns the decompressed length.
///
/// # Errors
/// Returns an error if the stream cannot be read, or is damaged, cut short, not wanted to its end, or followed by other bytes.
pub fn inflate(mut stream: impl BufRead, mut take: impl FnMut(&[u8]) -> bool) -> Result<u64, String> {
    let mut inflater = InflateState::new_boxed(DataFormat::Zlib);
    let (mut out, mut length) = (vec![0; 1 << 15], 0_u64);
    let unread = |error: io::Error| error.to_string();
    loop {
        let done = step(&mut inflater, stream.fill_buf().map_err(unread)?, &mut out, MZFlush::None);
        stream.consume(done.bytes_consumed);
        length += wide(done.bytes_written);
        if !out.get(..done.bytes_written).is_some_and(&mut take) {
            return Err("the compressed stream is larger than it should be".to_owned());
        }
        match done.status {
            Ok(MZStatus::StreamEnd) => match io::copy(&mut stream, &mut io::sink()).map_err(unread)? {
                0 => return Ok(length),
                found => {
                    let found = counted(found, "byte");
                    return Err(format!("expected nothing after the compressed stream, found {found}"));
                }
            },
            Ok(_) if done.bytes_consumed > 0 || done.bytes_written > 0 => {}
            Ok(_) | Err(MZError::Buf) => return Err("the compressed stream is cut short".to_owned()),
            Err(_) => return Err("the compressed stream or its checksum is damaged".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: `zipper-other.md`, section 1.6.
    #[test]
    fn only_complete_streams_are_inflated() {
        let stream = b"\x78\xDA\xCB\x48\xCD\xC9\xC9\x57\xC8\x40\x27\xB9\x00\x70\xBE\x08\xBB";
        let inflated = |stream: &[u8]| inflate(stream, |_| true);
        assert_eq!(inflated(stream), Ok(24));
        assert!(inflated(&stream[..16]).is_err_and(|why| why.contains("cut short")));
        assert!(inflated(&[&stream[..], b"x"].concat()).is_err_and(|why| why.ends_with("found 1 byte")));
        let mut wrong = *stream;
        wrong[16] ^= 1;
        assert!(inflated(&wrong).is_err_and(|why| why.contains("damaged")));
        assert!(inflated(b"hello").is_err() && inflated(b"").is_err());
        assert!(inflate(&stream[..], |_| false).is_err());
    }
}
