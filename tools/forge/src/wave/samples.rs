//! Ordinary sounds, sounds with traps, and broken files.

use super::{Chunk, Cue, Format, Spec, build};
use crate::random::Random;
use crate::sample::{LIES, Trap, cuts, kept, reported};
use crate::{Broken, Sample, Size};

/// The contents of a sound.
#[derive(Clone, Debug)]
pub struct Sound {
    /// The storage of the samples.
    pub format: Format,
    /// Bytes of samples.
    pub length: usize,
    /// The number of cue points.
    pub cues: u32,
}

/// Returns random bytes as a source of samples: drawing 80 MB takes longer than copying them.
pub fn noise(random: &mut Random) -> Vec<u8> {
    random.garbage(4096)
}

/// Returns a typical sound: `fmt `, `cue ` if it has points, `data`.
pub fn ordinary(random: &mut Random, noise: &[u8], sound: &Sound) -> Spec {
    let mut data = Vec::with_capacity(sound.length + noise.len());
    data.extend_from_slice(&noise[random.below(noise.len() as u32) as usize..]);
    while data.len() < sound.length {
        data.extend_from_slice(noise);
    }
    data.truncate(sound.length);
    let mut chunks = vec![sound.format.chunk(), Chunk::new(b"data", data)];
    if sound.cues > 0 {
        chunks.insert(1, Chunk::cues(&points(sound.cues)));
    }
    Spec::new(chunks)
}

/// Returns cue points. In the low archive of Crimson Skies position and sample offset differ by a factor of four.
fn points(count: u32) -> Vec<Cue> {
    let point = |id| {
        let position = 4 * 441 * id;
        Cue { id, position, chunk: *b"data", chunk_start: 0, block_start: 0, sample_offset: position / 4 }
    };
    (1..=count).map(point).collect()
}

/// Returns ordinary sounds: name, format, bytes of samples in a retail file, points. The first are separate files of MechWarrior 3. Source:
/// zipper-sounds.md, sections 1 and 2.
fn plain() -> [(&'static str, Format, usize, u32); 8] {
    [
        ("mech_engine_np.wav", Format::pcm(1, 22050, 16), 88_200, 0),
        ("mech_footfall_2s.wav", Format::pcm(2, 22050, 16), 120_000, 0),
        ("soil_mud_2s.wav", Format::pcm(1, 11025, 8), 22_050, 0),
        ("soil_metal_2s.wav", Format::pcm(2, 11025, 8), 44_100, 0),
        ("fmt_of_18.wav", Format { extension: Some(vec![]), ..Format::pcm(1, 22000, 16) }, 44_000, 0),
        ("engine_ima.wav", Format::ima_adpcm(1, 11025, 256), 25_600, 0),
        ("briefing.wav", Format::ms_adpcm(1, 22050, 512), 512_000, 7),
        ("ambient_stereo.wav", Format::ms_adpcm(2, 22050, 1024), 102_400, 0),
    ]
}

/// Returns sounds of a size class. Source of the traps: zipper-sounds.md, sections 2 and 3.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, sound: &Sound, trap: Option<&Trap<Spec>>| {
        let mut random = Random::named(seed, name);
        let noise = noise(&mut random);
        Sample::of(name, "wave", &["rc", "mw", "pm", "cs"], ordinary(&mut random, &noise, sound), trap, build)
    };
    let cut = |length: usize, block: u16| match size {
        Size::Tiny => usize::from(block).min(64),
        Size::Small => length.min(4096),
        Size::Retail => length,
    };
    let plain = plain().into_iter().map(|(name, format, length, cues)| {
        let length = cut(length, format.block_align);
        sample(name, &Sound { format, length, cues }, None)
    });
    let length = if size == Size::Tiny { 12 } else { 600 };
    let odd = Sound { format: Format::pcm(1, 11025, 8), length, cues: 0 };
    plain.chain(TRAPS.iter().map(|trap| sample(trap.name, &odd, Some(trap)))).collect()
}

const TRAPS: [Trap<Spec>; 29] = [
    kept("odd_data.wav", "samples of odd length and their pad byte", |spec| spec.chunks[1].data.push(0x7F)),
    kept("no_samples.wav", "no sample", |spec| spec.chunks[1].data.clear()),
    kept("no_chunks.wav", "no chunk", |spec| spec.chunks.clear()),
    kept("fmt_of_14.wav", "a format without the bits of a sample", |spec| spec.chunks[0].data.truncate(14)),
    kept("fmt_unknown_tag.wav", "a format that nobody knows", |spec| {
        spec.chunks[0].data[..2].copy_from_slice(&[0x55, 0])
    }),
    kept("fmt_odd_figures.wav", "a format of zeros and largest values", |spec| {
        spec.chunks[0].data[2..16].copy_from_slice(b"\0\0\xFF\xFF\xFF\xFF\0\0\0\0\0\0\xFF\xFF")
    }),
    kept("fact_and_list.wav", "`fact` before and `LIST` after the samples", |spec| {
        let length = spec.chunks[1].data.len() as u32;
        spec.chunks.insert(1, Chunk::new(b"fact", length.to_le_bytes().into()));
        spec.chunks.push(Chunk::new(b"LIST", b"INFOISFT\x06\0\0\0forge\0".into()));
    }),
    kept("unknown_chunk.wav", "chunks that nobody knows, one of them of odd length", |spec| {
        spec.chunks.insert(1, Chunk::new(b"smpl", vec![0x5A; 36]));
        spec.chunks.push(Chunk::new(b"\0\x01\xFF ", b"odd".into()));
    }),
    kept("empty_chunks.wav", "chunks without payload", |spec| {
        spec.chunks.insert(0, Chunk::new(b"PAD ", vec![]));
        spec.chunks.push(Chunk::new(b"LIST", vec![]));
    }),
    kept("two_data.wav", "samples in two chunks", |spec| {
        let again = spec.chunks[1].clone();
        spec.chunks.push(again);
    }),
    kept("two_fmt.wav", "two formats that contradict each other", |spec| {
        spec.chunks.insert(1, Format::pcm(2, 44100, 16).chunk())
    }),
    kept("data_first.wav", "samples before their format", |spec| spec.chunks.swap(0, 1)),
    kept("no_fmt.wav", "samples without a format", |spec| drop(spec.chunks.remove(0))),
    kept("cue.wav", "points in and after the samples", |spec| {
        spec.chunks.insert(1, Chunk::cues(&points(3)));
    }),
    kept("cue_last.wav", "points after the samples", |spec| spec.chunks.push(Chunk::cues(&points(2)))),
    kept("cue_empty.wav", "a `cue ` chunk without points", |spec| spec.chunks.push(Chunk::cues(&[]))),
    reported("cue_count.wav", "one point more than `cue ` holds", |spec| {
        let mut cues = Chunk::cues(&points(2));
        cues.data[0] = 3;
        spec.chunks.push(cues);
    }),
    reported("cue_tail.wav", "bytes after the last point of `cue `", |spec| {
        let mut cues = Chunk::cues(&points(1));
        cues.data.extend(b"tail");
        spec.chunks.push(cues);
    }),
    reported("pad_not_zero.wav", "a pad byte that is not zero", |spec| {
        spec.chunks[1].data.push(0x7F);
        spec.chunks[1].pad = Some(vec![0x80]);
    }),
    reported("pad_not_zero_between.wav", "a pad byte that is not zero, before another chunk", |spec| {
        spec.chunks.insert(1, Chunk { pad: Some(vec![0xCC]), ..Chunk::new(b"LIST", b"odd".into()) });
    }),
    reported("no_last_pad.wav", "no pad byte after a last chunk of odd length", |spec| {
        spec.chunks[1].data.push(0x7F);
        spec.chunks[1].pad = Some(vec![]);
    }),
    reported("pad_not_counted.wav", "a riff_size that leaves out the pad byte at the end", |spec| {
        spec.chunks[1].data.push(0x7F);
        spec.riff_size = Some(build(spec).len() as u32 - 9);
    }),
    reported("riff_size_0.wav", "a riff_size of 0", |spec| spec.riff_size = Some(0)),
    reported("riff_size_in_samples.wav", "a riff_size that ends within the samples", |spec| {
        spec.riff_size = Some(build(spec).len() as u32 - 8 - 5);
    }),
    reported("riff_size_one_more.wav", "a riff_size that ends one byte after the file", |spec| {
        spec.riff_size = Some(build(spec).len() as u32 - 7);
    }),
    reported("riff_size_largest.wav", "the largest riff_size", |spec| spec.riff_size = Some(u32::MAX)),
    reported("trailing.wav", "bytes after the last chunk that riff_size leaves out", |spec| {
        spec.trailing = b"left over".into()
    }),
    reported("trailing_chunk.wav", "a chunk that riff_size leaves out", |spec| {
        spec.trailing = b"LIST\x04\0\0\0INFO".into();
    }),
    reported(
        "trailing_counted.wav",
        "bytes after the last chunk that are no chunk, though riff_size counts them",
        |spec| {
            spec.trailing = b"xyz".into();
            spec.riff_size = Some(build(spec).len() as u32 - 8);
        },
    ),
];

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    let mut random = Random::named(seed, "broken.wav");
    let noise = noise(&mut random);
    let sound = Sound { format: Format::pcm(1, 11025, 8), length: 12, cues: 0 };
    let tiny = ordinary(&mut random, &noise, &sound);
    let broken = |name: &str, why: &str, edit: &dyn Fn(&mut Spec)| {
        let mut spec = tiny.clone();
        edit(&mut spec);
        Broken::new("wave", &format!("{name}.wav"), build(&spec), why)
    };
    let lies = LIES.into_iter().flat_map(|lie| {
        [
            broken(&format!("fmt_size_{lie:08x}"), "a format longer than the file", &|spec| {
                spec.chunks[0].size = Some(lie)
            }),
            broken(&format!("data_size_{lie:08x}"), "samples longer than the file", &|spec| {
                spec.chunks[1].size = Some(lie)
            }),
        ]
    });
    let others = [broken("data_size_one_more", "one byte of samples more than there is", &|spec| {
        spec.chunks[1].size = Some(13)
    })];
    let places = [
        (0, "at its start"),
        (3, "in the id"),
        (7, "in riff_size"),
        (11, "in the form"),
        (30, "in the format"),
        (44, "before the samples"),
        (55, "before its last byte"),
    ];
    lies.chain(others).chain(cuts("wave", "wav", &build(&tiny), &places)).collect()
}
