//! Conversion between WAV files and PCM samples.

/// Uncompressed samples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wav {
    /// The number of channels.
    pub channels: u16,
    /// The number of samples per channel and second.
    pub rate: u32,
    /// The number of bits per sample.
    pub bits: u16,
    /// The samples, interleaved by channel: unsigned if they have 8 bits, signed little endian if more.
    pub samples: Vec<u8>,
}

/// The length of the format chunk.
const FORMAT: u32 = 16;
/// The tag of PCM samples, and the one for samples whose real tag is in an extension.
const PCM: [u16; 2] = [1, 0xFFFE];

impl Wav {
    /// Returns the number of bytes of one sample of all channels.
    fn block(&self) -> Option<u16> {
        self.channels.checked_mul(self.bits.div_ceil(8)).filter(|block| *block > 0)
    }

    /// Returns the file, or `None` if a number is too large for its header.
    #[must_use]
    pub fn write(&self) -> Option<Vec<u8>> {
        let block = self.block()?;
        let length = u32::try_from(self.samples.len()).ok()?;
        let padded = length.checked_add(length % 2)?;
        let mut file = Vec::new();
        file.extend(b"RIFF");
        file.extend(padded.checked_add(FORMAT + 20)?.to_le_bytes());
        file.extend(b"WAVEfmt ");
        file.extend(FORMAT.to_le_bytes());
        file.extend([1, 0]);
        file.extend(self.channels.to_le_bytes());
        file.extend(self.rate.to_le_bytes());
        file.extend(self.rate.checked_mul(block.into())?.to_le_bytes());
        file.extend(block.to_le_bytes());
        file.extend(self.bits.to_le_bytes());
        file.extend(b"data");
        file.extend(length.to_le_bytes());
        file.extend(&self.samples);
        file.resize(file.len().saturating_add(usize::from(length % 2 == 1)), 0);
        Some(file)
    }

    /// Reads the samples of a file.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a WAV file, or the samples are compressed.
    pub fn read(file: &[u8]) -> Result<Self, String> {
        let mut rest = match file.split_first_chunk::<12>() {
            Some(([b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E'], rest)) => rest,
            _ => return Err("not a WAV file".to_owned()),
        };
        let (mut wav, mut samples) = (None, None);
        while let Some((&[a, b, c, d, length @ ..], behind)) = rest.split_first_chunk::<8>() {
            let length = match u32::from_le_bytes(length) {
                // A program that writes to a stream cannot go back to set the length: take all remaining bytes.
                u32::MAX => behind.len(),
                length => usize::try_from(length).unwrap_or(usize::MAX),
            };
            let chunk = behind.get(..length).ok_or_else(|| {
                let (name, remain) = ([a, b, c, d], behind.len());
                let name = name.escape_ascii();
                format!("the WAV file is truncated: expected {length} bytes in chunk {name}, found {remain}")
            })?;
            match &[a, b, c, d] {
                b"fmt " => wav = Some(Self::format(chunk)?),
                b"data" => samples = Some(chunk),
                _ => {}
            }
            rest = behind.get(length.saturating_add(length % 2)..).unwrap_or_default();
        }
        let (Some(wav), Some(samples)) = (wav, samples) else {
            return Err("the WAV file has no format or no samples".to_owned());
        };
        let whole = samples.len() - samples.len() % usize::from(wav.block().unwrap_or(1)).max(1);
        Ok(Self { samples: samples.get(..whole).unwrap_or_default().to_vec(), ..wav })
    }

    /// Reads the format chunk.
    fn format(chunk: &[u8]) -> Result<Self, String> {
        let Some(&[tag, tag_high, channels, channels_high, a, b, c, d, _, _, _, _, _, _, bits, bits_high]) =
            chunk.first_chunk::<16>()
        else {
            return Err("the WAV file has a truncated format chunk".to_owned());
        };
        let [tag, channels, bits] =
            [[tag, tag_high], [channels, channels_high], [bits, bits_high]].map(u16::from_le_bytes);
        if !PCM.contains(&tag) {
            return Err(format!("expected a WAV file of plain samples (PCM), found format {tag:#06x}"));
        }
        Ok(Self { channels, rate: u32::from_le_bytes([a, b, c, d]), bits, samples: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_wav_is_read_back() {
        let wav = Wav { channels: 1, rate: 11127, bits: 8, samples: vec![128, 255, 0] };
        let file = wav.write().expect("a file");
        assert_eq!((file.len(), &file[..4], &file[8..16]), (48, &b"RIFF"[..], &b"WAVEfmt "[..]));
        assert_eq!(file[4..8], [40, 0, 0, 0]);
        assert_eq!(file[20..36], [1, 0, 1, 0, 0x77, 0x2B, 0, 0, 0x77, 0x2B, 0, 0, 1, 0, 8, 0]);
        assert_eq!((&file[40..44], &file[44..]), (&[3, 0, 0, 0][..], &[128, 255, 0, 0][..]));
        assert_eq!(Wav::read(&file), Ok(wav));
    }

    #[test]
    fn chunks_of_other_programs_are_skipped() {
        let wav = Wav { channels: 2, rate: 22050, bits: 16, samples: vec![1, 2, 3, 4] };
        let mut file = wav.write().expect("a file");
        file.splice(12..12, *b"LIST\x03\0\0\0abc\0");
        file.extend(b"id3 \x01\0\0\0x");
        assert_eq!(Wav::read(&file), Ok(wav));
    }

    #[test]
    fn other_files_than_pcm_wav_are_refused() {
        assert!(Wav::read(b"RIFX").is_err_and(|why| why == "not a WAV file"));
        let mut file = Wav { channels: 1, rate: 8000, bits: 8, samples: vec![1] }.write().expect("a file");
        file[20] = 0x11;
        assert!(Wav::read(&file).is_err_and(|why| why.contains("0x0011")));
        assert!(Wav::read(&file[..30]).is_err_and(|why| why.contains("expected 16 bytes in chunk fmt , found 10")));
        (file[20], file[40]) = (1, 3);
        assert!(Wav::read(&file).is_err_and(|why| why.contains("expected 3 bytes in chunk data, found 2")));
    }

    #[test]
    fn data_of_unknown_length_extends_to_the_end() {
        let wav = Wav { channels: 1, rate: 8000, bits: 8, samples: vec![1, 2] };
        let mut file = wav.write().expect("a file");
        file[40..44].fill(0xFF);
        assert_eq!(Wav::read(&file), Ok(wav));
    }
}
