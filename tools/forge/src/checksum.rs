//! The checksums of the Marathon files, bit by bit.

/// CRC-32 of zlib and PNG: reflected polynomial 0xEDB88320, initial value and final xor 0xFFFFFFFF.
/// Source: marathon-wad.md, section 6.
pub fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 })
    })
}

/// CRC-16/XMODEM: polynomial 0x1021, initial value 0, not reflected, no final xor.
/// Source: marathon-images.md, section 1.
pub fn xmodem(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, &byte| {
        (0..8).fold(crc ^ u16::from(byte) << 8, |crc, _| if crc >> 15 == 1 { crc << 1 ^ 0x1021 } else { crc << 1 })
    })
}

#[cfg(test)]
mod tests {
    use super::{crc32, xmodem};

    #[test]
    fn give_the_published_check_values() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(xmodem(b"123456789"), 0x31C3);
    }

    #[test]
    fn of_nothing_are_zero() {
        assert_eq!((crc32(b""), xmodem(b"")), (0, 0));
    }
}
