//! Sounds: headers with samples, resources `snd `, the sounds file. Source: marathon-sounds.md.

mod patches;
mod samples;

use crate::bytes::Bytes;
pub use patches::{broken as broken_patches, samples as patches};
pub use samples::{broken, patch, resource, samples};

/// A sound. Source: marathon-sounds.md, section 2.
#[derive(Clone, Debug)]
pub struct Sound {
    /// 0, 0xFF or 0xFE.
    pub encoding: u8,
    /// The former address of the samples in memory.
    pub pointer: u32,
    /// 1 except for extended sounds.
    pub channels: u32,
    /// With 16 fractional bits.
    pub rate: u32,
    /// `None`: the computed value.
    pub rate_extended: Option<[u8; 10]>,
    /// `None`: the last two samples.
    pub loops: Option<[u32; 2]>,
    /// 60.
    pub base_note: u8,
    /// `None`: the number of samples or bytes.
    pub count: Option<u32>,
    /// 8 or 16.
    pub bits: u16,
    /// Bytes 50 to 63 of an extended header, 44 to 47 of a compressed one: 0.
    pub future: u8,
    /// As stored.
    pub samples: Vec<u8>,
}

impl Sound {
    /// Creates a sound of 8 bits and one channel.
    pub fn standard(samples: Vec<u8>) -> Self {
        Self {
            encoding: 0,
            pointer: 0,
            channels: 1,
            rate: 0x56EE_8BA3,
            rate_extended: None,
            loops: None,
            base_note: 60,
            count: None,
            bits: 8,
            future: 0,
            samples,
        }
    }

    /// Creates a sound of 16 bits and this many channels.
    pub fn extended(channels: u32, samples: Vec<u8>) -> Self {
        Self { encoding: 0xFF, channels, rate: 22050 << 16, bits: 16, ..Self::standard(samples) }
    }

    /// Writes the header and the samples.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Bytes::new();
        let length = self.samples.len() as u32;
        let [start, end] = self.loops.unwrap_or([length.saturating_sub(2), length.saturating_sub(1)]);
        let first = if self.encoding == 0 { self.count.unwrap_or(length) } else { self.channels };
        out.be_u32(self.pointer).be_u32(first).be_u32(self.rate).be_u32(start).be_u32(end);
        out.u8(self.encoding).u8(self.base_note);
        if self.encoding != 0 {
            let frame = self.channels * u32::from(self.bits / 8);
            out.be_u32(self.count.unwrap_or(length.checked_div(frame).unwrap_or(0)));
            out.raw(&self.rate_extended.unwrap_or(float80(self.rate))).be_u32(0);
        }
        match self.encoding {
            0xFF => _ = out.be_u32(0).be_u32(0).be_u16(self.bits).fill(self.future, 14),
            0xFE => {
                out.raw(b"twos")
                    .fill(self.future, 4)
                    .be_u32(0)
                    .be_u32(0)
                    .be_i16(-1)
                    .be_u16(0)
                    .be_u16(0)
                    .be_u16(self.bits);
            }
            _ => {}
        }
        out.raw(&self.samples);
        out.finish()
    }
}

/// Returns a rate with 16 fractional bits as an 80-bit float: biased exponent, then the bits from the highest downward.
pub fn float80(rate: u32) -> [u8; 10] {
    let mut out = [0; 10];
    if rate > 0 {
        let shift = rate.leading_zeros();
        out[..2].copy_from_slice(&(16383 + 15 - shift as u16).to_be_bytes());
        out[2..6].copy_from_slice(&(rate << shift).to_be_bytes());
    }
    out
}

/// A definition. Source: marathon-sounds.md, section 1.
#[derive(Clone, Debug)]
pub struct Definition {
    /// -1 for none.
    pub code: i16,
    /// `None`: the number of sounds.
    pub permutations: Option<i16>,
    /// The sounds of the group; empty for none.
    pub sounds: Vec<Sound>,
    /// Bytes before the group.
    pub gap: Vec<u8>,
    /// Bytes at the end of the group, after the sounds.
    pub slack: Vec<u8>,
    /// `None`: its own group; else that of the definition at this index.
    pub group_of: Option<usize>,
    /// `None`: the actual offset.
    pub group_offset: Option<u32>,
    /// `None`: the length of the first sound.
    pub single_length: Option<u32>,
    /// `None`: the total length.
    pub total_length: Option<u32>,
    /// `None`: the offset of each sound.
    pub offsets: Option<[u32; 5]>,
    /// Runtime words: played, last played, pointer, size.
    pub runtime: [u32; 4],
}

impl Definition {
    /// Creates a definition with computed values.
    pub fn new(code: i16, sounds: Vec<Sound>) -> Self {
        Self {
            code,
            permutations: None,
            sounds,
            gap: vec![],
            slack: vec![],
            group_of: None,
            group_offset: None,
            single_length: None,
            total_length: None,
            offsets: None,
            runtime: [0; 4],
        }
    }

    fn group(&self) -> Vec<u8> {
        self.sounds.iter().flat_map(Sound::write).chain(self.slack.iter().copied()).collect()
    }

    /// Returns the 64 bytes, for a group at this offset.
    fn write(&self, sounds: &[Sound], group_length: usize, group_offset: u32, out: &mut Bytes) {
        let lengths: Vec<u32> = sounds.iter().map(|sound| sound.write().len() as u32).collect();
        let mut offsets = [0; 5];
        let mut at = 0;
        for (offset, length) in offsets.iter_mut().zip(&lengths) {
            (*offset, at) = (at, at + length);
        }
        out.be_i16(self.code).be_i16(1).be_u16(0x8000).be_u16(3277).be_u32(0xE666).be_u32(0x1_199A);
        out.be_i16(self.permutations.unwrap_or(sounds.len() as i16)).be_u16(self.runtime[0] as u16);
        out.be_u32(self.group_offset.unwrap_or(group_offset));
        out.be_u32(self.single_length.unwrap_or(lengths.first().copied().unwrap_or(0)));
        out.be_u32(self.total_length.unwrap_or(group_length as u32));
        self.offsets.unwrap_or(offsets).iter().for_each(|offset| _ = out.be_u32(*offset));
        self.runtime[1..].iter().for_each(|word| _ = out.be_u32(*word));
    }
}

/// A sounds file. Source: marathon-sounds.md, section 1.
#[derive(Clone, Debug)]
pub struct Spec {
    /// 1.
    pub version: i32,
    /// All of one source, then those of the next.
    pub definitions: Vec<Definition>,
    /// `None`: 1, or in an old file the number of sounds.
    pub sources: Option<i16>,
    /// `None`: the number per source, or in an old file 0.
    pub sounds: Option<i16>,
    /// `true` if the field for the number of sources holds the number of sounds.
    pub old: bool,
    /// 248 zeros.
    pub unused: u8,
    /// Indices of the definitions in the order of their groups; empty: the order of the definitions.
    pub file_order: Vec<usize>,
    /// Bytes at the end of the file.
    pub trailing: Vec<u8>,
}

impl Spec {
    /// Creates a file with computed values.
    pub fn new(definitions: Vec<Definition>) -> Self {
        Self {
            version: 1,
            definitions,
            sources: None,
            sounds: None,
            old: false,
            unused: 0,
            file_order: vec![],
            trailing: vec![],
        }
    }
}

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let count = spec.definitions.len() as i16;
    let (sources, sounds) = if spec.old { (count, 0) } else { (1, count) };
    let sources = spec.sources.unwrap_or(sources);
    let sounds = spec.sounds.unwrap_or(if spec.old { sounds } else { count / sources.max(1) });
    let groups: Vec<Vec<u8>> = spec.definitions.iter().map(Definition::group).collect();
    let order: Vec<usize> = match spec.file_order.is_empty() {
        true => (0..groups.len()).collect(),
        false => spec.file_order.clone(),
    };
    let mut offsets = vec![0; groups.len()];
    let mut body = Bytes::new();
    let first = 260 + 64 * groups.len();
    for index in order {
        if !groups[index].is_empty() {
            body.raw(&spec.definitions[index].gap);
            offsets[index] = (first + body.len()) as u32;
            body.raw(&groups[index]);
        }
    }
    let mut out = Bytes::new();
    out.be_i32(spec.version).raw(b"snd2").be_i16(sources).be_i16(sounds).fill(spec.unused, 248);
    for (index, definition) in spec.definitions.iter().enumerate() {
        let owner = definition.group_of.unwrap_or(index);
        definition.write(&spec.definitions[owner].sounds, groups[owner].len(), offsets[owner], &mut out);
    }
    out.raw(body.written()).raw(&spec.trailing);
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::{Definition, Sound, Spec, build, float80};

    /// Source: marathon-sounds.md, sections 1 and 2.
    #[test]
    fn header_definitions_and_groups_are_laid_out() {
        let sounds = vec![Sound::standard(vec![1, 2, 3]), Sound::standard(vec![4])];
        let file = build(&Spec::new(vec![Definition::new(7, sounds)]));
        assert_eq!(&file[..12], b"\0\0\0\x01snd2\0\x01\0\x01");
        assert_eq!(
            file[260 + 20..260 + 44],
            [0, 0, 1, 68, 0, 0, 0, 25, 0, 0, 0, 48, 0, 0, 0, 0, 0, 0, 0, 25, 0, 0, 0, 0]
        );
        assert_eq!(file.len(), 324 + 25 + 23);
        assert_eq!(file[324 + 22..324 + 25], [1, 2, 3]);
    }

    #[test]
    fn rates_are_stored_as_80_bit_floats() {
        assert_eq!(float80(22050 << 16), [0x40, 0x0D, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]);
        assert_eq!(float80(0), [0; 10]);
        assert_eq!(Sound::extended(2, vec![0; 8]).write().len(), 72);
    }
}
