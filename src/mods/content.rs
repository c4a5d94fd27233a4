//! Contents of whole files in a mod: compressed bytes as text.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::deflate::compress_to_vec_zlib;

use crate::field::memory;
use crate::media::zlib::inflate;

/// The compression level: the default of zlib.
const LEVEL: u8 = 6;

/// Returns bytes as Base64 of a zlib stream.
pub(super) fn pack(bytes: &[u8]) -> String {
    STANDARD.encode(compress_to_vec_zlib(bytes, LEVEL))
}

/// Returns the bytes of such text, which must be `size` bytes.
pub(super) fn unpack(text: &str, size: u64) -> Result<Vec<u8>, String> {
    let compressed = STANDARD.decode(text).map_err(|error| format!("content: expected Base64, found {error}"))?;
    // A small stream can expand to any size.
    let most = size.min(memory::allowed());
    let mut bytes = Vec::new();
    let take = |piece: &[u8]| {
        bytes.extend_from_slice(piece);
        crate::field::wide(bytes.len()) <= most
    };
    match inflate(&compressed, take) {
        Ok(found) if found == size => Ok(bytes),
        Ok(found) => Err(format!("content: expected {size} bytes, found {found}")),
        Err(why) => Err(format!("content: expected {size} bytes: {why}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_restored_and_a_wrong_size_refused() {
        for bytes in [&b""[..], b"a", &[7; 100_000]] {
            let (text, size) = (pack(bytes), crate::field::wide(bytes.len()));
            assert_eq!(unpack(&text, size).as_deref(), Ok(bytes));
            assert!(unpack(&text, size + 1).is_err());
            assert!(size == 0 || unpack(&text, size - 1).is_err(), "a stream that expands to more than it states");
        }
        assert!(unpack("!", 1).is_err() && unpack("AAAA", 1).is_err());
        let surplus = STANDARD.encode([&compress_to_vec_zlib(b"a", LEVEL)[..], b"x"].concat());
        assert!(unpack(&surplus, 1).is_err_and(|why| why.contains("after the compressed stream")));
    }
}
