//! Checksums, computed bit by bit.

/// Computes CRC-32 of zlib and PNG: reflected polynomial 0xEDB88320, initial value and final xor 0xFFFFFFFF.
/// Source: marathon-wad.md, section 6.
pub fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 })
    })
}

/// Computes CRC-16/XMODEM: polynomial 0x1021, initial value 0, not reflected, no final xor.
/// Source: marathon-images.md, section 1.
pub fn xmodem(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, &byte| {
        (0..8).fold(crc ^ u16::from(byte) << 8, |crc, _| if crc >> 15 == 1 { crc << 1 ^ 0x1021 } else { crc << 1 })
    })
}

/// Computes CRC-32 of the reader archives of Pirate's Moon: polynomial 0x04C11DB7, initial value 0, not reflected, no final xor.
/// Source: zipper-archives.md, section 5.
pub fn pirates_moon<'a>(bytes: impl IntoIterator<Item = &'a u8>) -> u32 {
    bytes.into_iter().fold(0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte) << 24, |crc, _| if crc >> 31 == 1 { crc << 1 ^ POLYNOMIAL } else { crc << 1 })
    })
}

/// Returns the four bytes that change the checksum of Pirate's Moon from `before` to `wanted`.
///
/// Each step of the CRC is reversible: the lowest bit of the polynomial is set, so the lowest bit of the result equals the bit that was
/// shifted out.
pub fn pirates_moon_ending(before: u32, wanted: u32) -> [u8; 4] {
    let start = (0..32).fold(wanted, |crc, _| if crc & 1 == 1 { (crc ^ POLYNOMIAL) >> 1 | 1 << 31 } else { crc >> 1 });
    (start ^ before).to_be_bytes()
}

/// Computes Adler-32, which ends a zlib stream. Source: RFC 1950, section 8.2.
pub fn adler32(bytes: &[u8]) -> u32 {
    let (low, high) = bytes.iter().fold((1, 0), |(low, high), &byte| {
        let low = (low + u32::from(byte)) % 65_521;
        (low, (high + low) % 65_521)
    });
    high << 16 | low
}

const POLYNOMIAL: u32 = 0x04C1_1DB7;

#[cfg(test)]
mod tests {
    use super::{crc32, pirates_moon, pirates_moon_ending, xmodem};

    #[test]
    fn checksums_match_the_published_check_values() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(xmodem(b"123456789"), 0x31C3);
    }

    #[test]
    fn checksums_of_no_bytes_are_zero() {
        assert_eq!((crc32(b""), xmodem(b"")), (0, 0));
    }

    /// The vectors of zipper-archives.md, section 5, except for that of the file in its section 8, which the module `archive` builds.
    #[test]
    fn pirates_moon_checksum_matches_the_vectors_of_the_spec() {
        let all: Vec<u8> = (0..=255).collect();
        let vectors: [(&[u8], u32); 10] = [
            (b"", 0),
            (&[0; 300], 0),
            (&[1], 0x04C1_1DB7),
            (&[0xFF], 0xB1F7_40B4),
            (b"a", 0xA864_DB20),
            (b"abc", 0x2C17_398C),
            (b"123456789", 0x89A1_897F),
            (b"The quick brown fox jumps over the lazy dog", 0xC948_7F7E),
            (&all, 0xAC14_8725),
            (&[4, 0, 0, 0, 1, 0, 0, 0], 0xB62B_F428),
        ];
        for (bytes, crc) in vectors {
            assert_eq!(pirates_moon(bytes), crc, "{bytes:x?}");
        }
        let table = [(2, 0x0982_3B6E), (5, 0x17C5_6B6B), (7, 0x1E47_5005), (128, 0x690C_E0EE)];
        assert!(table.into_iter().all(|(byte, crc)| pirates_moon(&[byte]) == crc));
    }

    #[test]
    fn pirates_moon_checksum_ignores_leading_zeros() {
        assert_eq!(pirates_moon(b"\0\0\0abc"), pirates_moon(b"abc"));
    }

    #[test]
    fn pirates_moon_checksum_can_be_forced() {
        for wanted in [0, 1, 0xDEAD_BEEF] {
            let ending = pirates_moon_ending(pirates_moon(b"abc"), wanted);
            assert_eq!(pirates_moon(b"abc".iter().chain(&ending)), wanted);
        }
    }
}
