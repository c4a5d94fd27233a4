//! Sounds as WAV files, for other programs.

use crate::field::{FourCc, Settlement, encode, settle};
use crate::zipper::wave::{Chunk, ChunkHead, Content, FormatChunk, FormatTag, SampleFormat, Wave};

use super::header::{Form, Sound};

/// A WAV file of a sound; nothing where WAV cannot say how its samples are stored.
///
/// Samples of 16 bits are taken to be big endian, as the engine reads them. A rate is rounded to whole samples a second.
#[must_use]
pub fn export(sound: &Sound) -> Option<Vec<u8>> {
    let (channels, bits) = sound.layout();
    let channels = u16::try_from(channels).ok()?;
    let block = channels.checked_mul(bits / 8).filter(|block| *block > 0)?;
    let rate = u32::try_from((u64::from(sound.rate()) + 0x8000) >> 16).ok()?;
    let is_signed = sound.form == Form::COMPRESSED;
    let samples: Vec<u8> = match bits {
        8 if is_signed => sound.samples.iter().map(|sample| sample ^ 0x80).collect(),
        8 => sound.samples.to_vec(),
        16 => sound.samples.as_chunks::<2>().0.iter().flat_map(|[high, low]| [*low, *high]).collect(),
        _ => return None,
    };
    let format = SampleFormat {
        format_tag: FormatTag::PCM,
        channels: channels.into(),
        samples_per_sec: rate.into(),
        avg_bytes_per_sec: rate.checked_mul(block.into())?.into(),
        block_align: block.into(),
    };
    let format = FormatChunk { format, bits_per_sample: Some(bits.into()), ..FormatChunk::default() };
    let chunk =
        |id, content| Chunk { head: ChunkHead { id: FourCc(id), ..ChunkHead::default() }, content, ..Chunk::default() };
    let chunks = vec![chunk(*b"fmt ", Content::Format(format)), chunk(*b"data", Content::Data(samples.into()))];
    let mut wave = Wave { chunks, ..Wave::default() };
    settle(&mut wave, &Settlement::default()).ok()?;
    encode(&mut wave).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{U16be, U32be};
    use crate::marathon::sounds::{ExtendedHead, StandardHead};

    #[test]
    fn samples_of_8_bits_are_as_they_were() {
        let standard = StandardHead::of(0x2B77_45D1);
        let file = export(&Sound { standard, samples: vec![128, 255, 0].into(), ..Sound::default() }).expect("a file");
        assert_eq!((file.len(), &file[..4], &file[8..16]), (48, &b"RIFF"[..], &b"WAVEfmt "[..]));
        assert_eq!(file[20..36], [1, 0, 1, 0, 0x77, 0x2B, 0, 0, 0x77, 0x2B, 0, 0, 1, 0, 8, 0]);
        assert_eq!((&file[40..44], &file[44..]), (&[3, 0, 0, 0][..], &[128, 255, 0, 0][..]));
    }

    #[test]
    fn samples_of_16_bits_turn_round() {
        let extended = ExtendedHead {
            channels: U32be::new(2),
            rate: U32be::new(22050 << 16),
            sample_size: U16be::new(16),
            ..ExtendedHead::default()
        };
        let sound = Sound { form: Form::EXTENDED, extended, samples: vec![1, 2, 3, 4].into(), ..Sound::default() };
        assert_eq!(export(&sound).expect("a file")[44..], [2, 1, 4, 3]);
    }
}
