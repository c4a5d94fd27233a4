//! Conversion between WAV files and PCM samples.

use bytemuck::bytes_of;

use field::macros::read_head;
use field::{FourCc, U16, U32, wide};
use field::{names, record};

use super::riff::{self, ChunkHeader, Chunks};

record! {
    /// The header of a WAV file, 12 bytes. Source: `zipper-sounds.md`, section 2.
    pub struct Header: 12 {
        id: FourCc = FourCc(*b"RIFF"),
        riff_size: U32 as Outside,
        form: FourCc = FourCc(*b"WAVE"),
    }
}

names! {
    /// The encoding of the samples. Source: `zipper-sounds.md`, section 2.
    pub struct FormatTag(U16: u16) {
        /// Uncompressed samples.
        PCM = 1;
        /// Microsoft ADPCM compression.
        MS_ADPCM = 2;
        /// IMA ADPCM compression.
        IMA_ADPCM = 0x11;
    }
}

record! {
    /// The fields common to every `fmt ` chunk, 14 bytes. Source: `zipper-sounds.md`, section 2.
    pub struct SampleFormat: 14 {
        format_tag: FormatTag,
        channels: U16,
        samples_per_sec: U32,
        avg_bytes_per_sec: U32,
        block_align: U16,
    }
}

record! {
    /// The `fmt ` chunk of uncompressed samples, 16 bytes.
    struct PcmFormat: 16 {
        format: SampleFormat,
        bits_per_sample: U16,
    }
}

/// Uncompressed samples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wav {
    /// The number of channels.
    pub channels: u16,
    /// The number of samples per channel and second.
    pub rate: u32,
    /// The number of bits per sample.
    pub bits: u16,
    /// `true` if the samples are floats from -1 to 1.
    pub is_float: bool,
    /// The samples, interleaved by channel: unsigned if they have 8 bits, signed little endian if more.
    pub samples: Vec<u8>,
}

/// The tag of PCM samples.
const PCM: u16 = 1;
/// The tag of samples that are floats.
const FLOAT: u16 = 3;
/// The tag of samples whose real tag is in an extension, and the offset of that one.
const EXTENSIBLE: (u16, usize) = (0xFFFE, 24);

impl Wav {
    /// Returns the number of bytes of one sample of all channels.
    fn block(&self) -> Option<u16> {
        self.channels.checked_mul(self.bits.div_ceil(8)).filter(|block| *block > 0)
    }

    /// Returns the file, or `None` if a number is too large for its header, or the samples are floats.
    #[must_use]
    pub fn write(&self) -> Option<Vec<u8>> {
        let block = self.block().filter(|_| !self.is_float)?;
        let length = u32::try_from(self.samples.len()).ok()?;
        let padded = length.checked_add(length % 2)?;
        let format = SampleFormat {
            format_tag: FormatTag::PCM,
            channels: self.channels.into(),
            samples_per_sec: self.rate.into(),
            avg_bytes_per_sec: self.rate.checked_mul(block.into())?.into(),
            block_align: block.into(),
        };
        let mut file = bytes_of(&Header { riff_size: padded.checked_add(36)?.into(), ..Header::default() }).to_vec();
        file.extend(bytes_of(&ChunkHeader { id: FourCc(*b"fmt "), size: U32::new(16) }));
        file.extend(bytes_of(&PcmFormat { format, bits_per_sample: self.bits.into() }));
        file.extend(bytes_of(&ChunkHeader { id: FourCc(*b"data"), size: length.into() }));
        file.extend(&self.samples);
        file.resize(file.len() + usize::from(length % 2 == 1), 0);
        Some(file)
    }

    /// Reads the samples of a file.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a WAV file, or the samples are compressed.
    pub fn read(file: &[u8]) -> Result<Self, String> {
        let body = riff::body(file, b"WAVE").ok_or("not a WAV file")?;
        let (mut wav, mut samples) = (None, None);
        for (head, content) in Chunks(body) {
            let (length, remain) = (head.size.get(), content.len());
            // A program that writes to a stream cannot go back to set the length: take all remaining bytes.
            if length != u32::MAX && u64::from(length) > wide(remain) {
                let name = head.id.0.escape_ascii();
                return Err(format!(
                    "the WAV file is truncated: expected {length} bytes in chunk {name}, found {remain}"
                ));
            }
            match &head.id.0 {
                b"fmt " => wav = Some(Self::format(content)?),
                b"data" => samples = Some(content),
                _ => {}
            }
        }
        let (Some(wav), Some(samples)) = (wav, samples) else {
            return Err("the WAV file has no format or no samples".to_owned());
        };
        let whole = samples.len() - samples.len() % usize::from(wav.block().unwrap_or(1)).max(1);
        Ok(Self { samples: samples.get(..whole).unwrap_or_default().to_vec(), ..wav })
    }

    /// Reads the format chunk.
    fn format(chunk: &[u8]) -> Result<Self, String> {
        let PcmFormat { format, bits_per_sample } =
            read_head(chunk).ok_or("the WAV file has a truncated format chunk")?;
        let tag = match format.format_tag.get() {
            tag if tag == EXTENSIBLE.0 => {
                let real = chunk.get(EXTENSIBLE.1..).and_then(<[u8]>::first_chunk);
                real.map_or(PCM, |real| u16::from_le_bytes(*real))
            }
            tag => tag,
        };
        let (channels, rate, bits) = (format.channels.get(), format.samples_per_sec.get(), bits_per_sample.get());
        match (tag, bits) {
            (PCM, _) | (FLOAT, 32 | 64) => {}
            _ => return Err(format!("expected a WAV file of plain samples (PCM), found format {tag:#06x}")),
        }
        Ok(Self { channels, rate, bits, is_float: tag == FLOAT, samples: Vec::new() })
    }

    /// Returns the same sound with as many channels and bits, or `None` if such samples cannot be read or written. Channels become their
    /// average, or copies of the first one; samples are rounded.
    #[must_use]
    pub fn converted(&self, channels: u16, bits: u16) -> Option<Self> {
        let (has, wide) = (usize::from(self.channels), usize::from(self.bits.div_ceil(8)));
        if has == 0 || wide == 0 || channels == 0 || !matches!(bits, 8 | 16) {
            return None;
        }
        let mut samples = Vec::new();
        for frame in self.samples.chunks_exact(has.checked_mul(wide)?) {
            let values = frame.chunks_exact(wide).map(|sample| self.value(sample)).collect::<Option<Vec<i64>>>()?;
            for nth in 0..usize::from(channels) {
                let value = match values.get(nth) {
                    Some(value) if channels >= self.channels => *value,
                    None => *values.first()?,
                    Some(_) => values.iter().sum::<i64>() / i64::from(self.channels),
                };
                put(value, bits, &mut samples)?;
            }
        }
        Some(Self { channels, rate: self.rate, bits, is_float: false, samples })
    }

    /// Returns a sample as one of 32 bits, or `None` if it has more bits than any sound.
    fn value(&self, sample: &[u8]) -> Option<i64> {
        Some(match (self.is_float, sample) {
            (true, [_, _, _, _]) => whole(f32::from_le_bytes(*sample.first_chunk()?).into()),
            (true, _) => whole(f64::from_le_bytes(*sample.first_chunk()?)),
            (false, [byte]) => (i64::from(*byte) - 128) << 24,
            (false, _) => {
                let mut word = [0; 4];
                word.get_mut(4_usize.checked_sub(sample.len())?..)?.copy_from_slice(sample);
                i64::from(i32::from_le_bytes(word))
            }
        })
    }
}

/// Returns a sample from -1 to 1 as one of 32 bits.
#[expect(clippy::as_conversions, reason = "there is no other way to round; it saturates, and no number is silence")]
fn whole(sample: f64) -> i64 {
    (sample.clamp(-1.0, 1.0) * f64::from(i32::MAX)).round() as i64
}

/// Appends a sample of 32 bits as one of 8 or 16, rounded.
fn put(sample: i64, bits: u16, samples: &mut Vec<u8>) -> Option<()> {
    let shift = 32 - u32::from(bits);
    let most = (1_i64 << (bits - 1)) - 1;
    let rounded = ((sample + (1 << (shift - 1))) >> shift).clamp(-most - 1, most);
    match bits {
        8 => samples.push(u8::try_from(rounded + 128).ok()?),
        _ => samples.extend(i16::try_from(rounded).ok()?.to_le_bytes()),
    }
    Some(())
}

/// Returns the loops that a file states, each with its first and its last sample. Most files state none.
#[must_use]
pub fn loops(file: &[u8]) -> Vec<[u32; 2]> {
    /// The bytes before the loops.
    const HEAD: usize = 36;
    /// The bytes of a loop.
    const LOOP: usize = 24;
    /// The bytes of a loop before its ends.
    const BEFORE: usize = 8;
    let chunks = riff::body(file, b"WAVE").into_iter().flat_map(Chunks);
    let samplers = chunks.filter(|(head, _)| head.id.0 == *b"smpl").map(|(_, content)| content);
    let of = |content: &[u8]| {
        let count = content.get(28..).and_then(<[u8]>::first_chunk).map_or(0, |count| u32::from_le_bytes(*count));
        let all = content.get(HEAD..).unwrap_or_default().chunks_exact(LOOP).take(usize::try_from(count).unwrap_or(0));
        let ends = |it: &[u8]| it.get(BEFORE..).and_then(|it| it.as_chunks::<4>().0.first_chunk::<2>().copied());
        all.filter_map(ends).map(|ends| ends.map(u32::from_le_bytes)).collect::<Vec<_>>()
    };
    samplers.flat_map(of).collect()
}

/// Returns the length in seconds and the rate of a sound of any encoding, or `None` if the bytes are not a WAV file or state neither.
#[must_use]
pub fn length(file: &[u8]) -> Option<(f64, u32)> {
    let (mut format, mut bytes): (Option<SampleFormat>, _) = (None, None);
    for (head, content) in Chunks(riff::body(file, b"WAVE")?) {
        match &head.id.0 {
            b"fmt " => format = read_head(content),
            b"data" => bytes = u32::try_from(content.len()).ok(),
            _ => {}
        }
    }
    let format = format.filter(|format| format.avg_bytes_per_sec.get() > 0)?;
    Some((f64::from(bytes?) / f64::from(format.avg_bytes_per_sec.get()), format.samples_per_sec.get()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_wav_is_read_back() {
        let wav = Wav { channels: 1, rate: 11127, bits: 8, is_float: false, samples: vec![128, 255, 0] };
        let file = wav.write().expect("a file");
        assert_eq!((file.len(), &file[..4], &file[8..16]), (48, &b"RIFF"[..], &b"WAVEfmt "[..]));
        assert_eq!(file[4..8], [40, 0, 0, 0]);
        assert_eq!(file[20..36], [1, 0, 1, 0, 0x77, 0x2B, 0, 0, 0x77, 0x2B, 0, 0, 1, 0, 8, 0]);
        assert_eq!((&file[40..44], &file[44..]), (&[3, 0, 0, 0][..], &[128, 255, 0, 0][..]));
        assert_eq!(Wav::read(&file), Ok(wav));
    }

    #[test]
    fn loops_of_samplers_are_found() {
        let wav = Wav { channels: 1, rate: 8000, bits: 8, is_float: false, samples: vec![1, 2] };
        let mut file = wav.write().expect("a file");
        assert_eq!(loops(&file), [[0; 2]; 0]);
        let mut sampler = vec![0; 60];
        (sampler[28], sampler[44], sampler[48]) = (1, 3, 9);
        file.extend([&b"smpl"[..], &60_u32.to_le_bytes(), &sampler].concat());
        assert_eq!(loops(&file), [[3, 9]]);
        assert_eq!(Wav::read(&file), Ok(wav));
        let end = file.len() - 24;
        assert_eq!(loops(&file[..end]), [[0; 2]; 0], "a loop that is cut off");
    }

    #[test]
    fn samples_are_converted_to_fewer_channels_and_bits() {
        let of = |channels, bits, is_float, samples: &[u8]| Wav {
            channels,
            rate: 44100,
            bits,
            is_float,
            samples: samples.to_vec(),
        };
        let stereo = of(2, 16, false, &[0, 0x40, 0, 0xC0, 0xFF, 0x7F, 0xFF, 0x7F]);
        assert_eq!(stereo.converted(1, 8), Some(of(1, 8, false, &[128, 255])));
        assert_eq!(
            of(1, 8, false, &[0, 128, 255]).converted(2, 16).map(|it| it.samples),
            Some(vec![0, 0x80, 0, 0x80, 0, 0, 0, 0, 0, 0x7F, 0, 0x7F,])
        );
        let deep = of(1, 24, false, &[0xFF, 0xFF, 0x7F, 0x80, 0x12, 0x80]);
        assert_eq!(deep.converted(1, 16).map(|it| it.samples), Some(vec![0xFF, 0x7F, 0x13, 0x80]));
        let floats: Vec<u8> = [1.0_f32, -1.0, f32::NAN, 9.0].iter().flat_map(|it| it.to_le_bytes()).collect();
        assert_eq!(of(1, 32, true, &floats).converted(1, 8).map(|it| it.samples), Some(vec![255, 0, 128, 255]));
        assert_eq!((of(0, 8, false, &[]).converted(1, 8), of(1, 8, false, &[]).converted(1, 24)), (None, None));
    }

    #[test]
    fn floats_are_read() {
        let wav = Wav { channels: 1, rate: 8000, bits: 32, is_float: false, samples: vec![0, 0, 0x80, 0x3F] };
        let mut file = wav.write().expect("a file");
        file[20] = 3;
        assert_eq!(Wav::read(&file), Ok(Wav { is_float: true, ..wav }));
    }

    #[test]
    fn chunks_of_other_programs_are_skipped() {
        let wav = Wav { channels: 2, rate: 22050, bits: 16, is_float: false, samples: vec![1, 2, 3, 4] };
        let mut file = wav.write().expect("a file");
        file.splice(12..12, *b"LIST\x03\0\0\0abc\0");
        file.extend(b"id3 \x01\0\0\0x");
        assert_eq!(Wav::read(&file), Ok(wav));
    }

    #[test]
    fn other_files_than_pcm_wav_are_refused() {
        assert!(Wav::read(b"RIFX").is_err_and(|why| why == "not a WAV file"));
        let mut file =
            Wav { channels: 1, rate: 8000, bits: 8, is_float: false, samples: vec![1] }.write().expect("a file");
        file[20] = 0x11;
        assert!(Wav::read(&file).is_err_and(|why| why.contains("0x0011")));
        assert!(Wav::read(&file[..30]).is_err_and(|why| why.contains("expected 16 bytes in chunk fmt , found 10")));
        (file[20], file[40]) = (1, 3);
        assert!(Wav::read(&file).is_err_and(|why| why.contains("expected 3 bytes in chunk data, found 2")));
    }

    #[test]
    fn data_of_unknown_length_extends_to_the_end() {
        let wav = Wav { channels: 1, rate: 8000, bits: 8, is_float: false, samples: vec![1, 2] };
        let mut file = wav.write().expect("a file");
        file[40..44].fill(0xFF);
        assert_eq!(Wav::read(&file), Ok(wav));
    }
}
