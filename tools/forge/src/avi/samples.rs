//! Ordinary videos, others with traps, and broken files.

use super::{Body, Chunk, Film, Spec, build, main_header, picture_format, stream_header};
use crate::bytes::Bytes;
use crate::random::Random;
use crate::sample::{Trap, cuts, kept, reported};
use crate::wave::Format;
use crate::{Broken, Sample, Size};

/// Returns a typical video: Indeo frames, uncompressed sound, an index.
pub(crate) fn ordinary(random: &mut Random, film: Film) -> Spec {
    let mut streams = vec![Chunk::list(
        b"LIST",
        b"strl",
        vec![stream_header(b"vids", b"iv50", 15, film.frames, 0), picture_format(b"IV50", &[])],
    )];
    if let Some((channels, rate, bits)) = film.sound {
        let format = Format::pcm(channels, rate, bits).chunk().data;
        let header = stream_header(b"auds", &[0; 4], rate, rate * film.frames / 15, u32::from(channels * bits / 8));
        streams.push(Chunk::list(b"LIST", b"strl", vec![header, Chunk::new(b"strf", format)]));
    }
    let head = [vec![main_header(film)], streams].concat();
    let mut frames = vec![];
    let mut index = Bytes::new();
    let mut offset = 4;
    for at in 0..film.frames {
        let sound = film.sound.filter(|_| at % 15 == 0).map(|_| (b"01wb", 0x10));
        for (id, flags) in [sound, Some((b"00dc", if at == 0 { 0x10 } else { 0 }))].into_iter().flatten() {
            let length = random.between(film.longest / 4, film.longest) as usize;
            let data = random.garbage(length);
            index.raw(id).le_u32(flags).le_u32(offset).le_u32(data.len() as u32);
            offset += 8 + data.len().next_multiple_of(2) as u32;
            frames.push(Chunk::new(id, data));
        }
    }
    let chunks = vec![
        Chunk::list(b"LIST", b"hdrl", head),
        Chunk::new(b"JUNK", vec![0; 20]),
        Chunk::list(b"LIST", b"movi", frames),
        Chunk::new(b"idx1", index.finish()),
    ];
    vec![Chunk::list(b"RIFF", b"AVI ", chunks)]
}

/// Returns videos of a size class.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let film = |size, sound, frames, longest| match size {
        Size::Tiny => Film { frames: 2, longest: 5, sound },
        Size::Small => Film { frames: 18, longest: 900, sound },
        Size::Retail => Film { frames, longest, sound },
    };
    let sample = |name: &str, film: Film, trap: Option<&Trap<Spec>>| {
        Sample::of(name, "avi", &["rc", "mw", "pm"], ordinary(&mut Random::named(seed, name), film), trap, build)
    };
    let plain = [
        // 17 MB, the average size in MechWarrior 3.
        sample("Campaign.avi", film(size, Some((2, 22050, 16)), 2800, 9000), None),
        sample("c1m1.avi", film(size, Some((1, 22050, 8)), 300, 6000), None),
        sample("silent.avi", film(size, None, 100, 4000), None),
    ];
    let odd = size.of_traps();
    let traps = TRAPS.iter().map(|trap| sample(trap.name, film(odd, Some((1, 22050, 8)), 0, 0), Some(trap)));
    plain.into_iter().chain(traps).collect()
}

fn chunks(spec: &mut Spec) -> &mut Vec<Chunk> {
    spec[0].chunks()
}

fn head(spec: &mut Spec) -> &mut Vec<Chunk> {
    chunks(spec)[0].chunks()
}

fn frames(spec: &mut Spec) -> &mut Vec<Chunk> {
    chunks(spec)[2].chunks()
}

const TRAPS: [Trap<Spec>; 15] = [
    kept("avi_no_index.avi", "no index", |spec| _ = chunks(spec).pop()),
    kept("avi_records.avi", "pictures and sound together in lists", |spec| {
        let all = std::mem::take(frames(spec));
        frames(spec).push(Chunk::list(b"LIST", b"rec ", all));
    }),
    kept("avi_palette.avi", "a palette behind the format of the pictures", |spec| {
        head(spec)[1].chunks()[1] = picture_format(b"CRAM", &[7; 16]);
    }),
    kept("avi_short_header.avi", "a stream header without its rectangle", |spec| {
        let Body::Data(data) = &mut head(spec)[1].chunks()[0].body else { panic!("bytes") };
        data.truncate(48);
    }),
    kept("avi_headers_cut.avi", "headers too short for what they tell", |spec| {
        for at in [0, 1] {
            let Body::Data(data) = &mut head(spec)[1].chunks()[at].body else { panic!("bytes") };
            data.truncate(20);
        }
    }),
    kept("avi_text.avi", "a list of texts, a name of a stream, and chunks of unknown use", |spec| {
        head(spec)[1].chunks().push(Chunk::new(b"strn", b"video\0".into()));
        let text = Chunk::new(b"ISFT", b"VirtualDub\0".into());
        chunks(spec).insert(1, Chunk::list(b"LIST", b"INFO", vec![text, Chunk::new(b"xyz\0", vec![1, 2, 3])]));
    }),
    kept("avi_empty.avi", "empty frames and an empty list", |spec| {
        frames(spec).insert(1, Chunk::new(b"00dc", vec![]));
        chunks(spec).insert(1, Chunk::list(b"LIST", b"odml", vec![]));
    }),
    kept("avi_more.avi", "a second list at the top, as in films of more than a gigabyte", |spec| {
        let more = Chunk::list(b"LIST", b"movi", vec![Chunk::new(b"00dc", vec![1, 2, 3])]);
        spec.push(Chunk::list(b"RIFF", b"AVIX", vec![more]));
    }),
    kept("avi_deep.avi", "lists in lists, deeper than any film has them", |spec| {
        let deep = (0..20).fold(Chunk::new(b"JUNK", vec![7]), |inner, _| Chunk::list(b"LIST", b"deep", vec![inner]));
        chunks(spec).push(deep);
    }),
    reported("avi_index_odd.avi", "an index that ends within an entry", |spec| {
        let Body::Data(index) = &mut chunks(spec).last_mut().expect("an index").body else { panic!("bytes") };
        index.extend([1, 2, 3]);
    }),
    kept("avi_sound_odd.avi", "sound of a format with more to say", |spec| {
        let format = Format::ms_adpcm(1, 22050, 512).chunk().data;
        head(spec)[2].chunks()[1] = Chunk::new(b"strf", format);
    }),
    reported("avi_pad.avi", "pads that are not zero", |spec| {
        *frames(spec) = vec![Chunk { pad: Some(vec![7]), ..Chunk::new(b"00dc", vec![1]) }];
    }),
    reported("avi_trailing.avi", "bytes behind the last chunk", |spec| {
        // Three bytes are not a chunk.
        spec.push(Chunk { pad: Some(b"end".into()), ..Chunk::new(b"JUNK", vec![]) });
    }),
    reported("avi_list_trailing.avi", "bytes in a list behind its last chunk", |spec| {
        let last = Chunk { pad: Some(vec![0; 3]), ..Chunk::new(b"JUNK", vec![]) };
        head(spec).push(last);
    }),
    reported("avi_reserved.avi", "figures where the header has zeros", |spec| {
        let Body::Data(data) = &mut head(spec)[0].body else { panic!("bytes") };
        data[40..].fill(7);
    }),
];

/// Returns videos that are cut, or whose sizes are wrong.
pub fn broken(seed: u64) -> Vec<Broken> {
    let plain = ordinary(&mut Random::named(seed, "broken.avi"), Film { frames: 1, longest: 5, sound: None });
    let broken = |name: &str, why: &str, edit: &dyn Fn(&mut Spec)| {
        let mut spec = plain.clone();
        edit(&mut spec);
        Broken::new("avi", &format!("avi_{name}.avi"), build(&spec), why)
    };
    let lies = [0xFFFF_FFFF, 0x7FFF_FFFF, 0x8000_0000].into_iter().flat_map(|lie| {
        [
            broken(&format!("riff_{lie:08x}"), "a film larger than the file", &|spec| spec[0].size = Some(lie)),
            broken(&format!("frame_{lie:08x}"), "a picture larger than the film", &|spec| {
                frames(spec)[0].size = Some(lie);
            }),
        ]
    });
    let others = [
        broken("list_short", "a list too short for its form", &|spec| chunks(spec)[2].size = Some(3)),
        broken("into_next", "a picture that ends behind its list", &|spec| frames(spec)[0].size = Some(40)),
    ];
    let file = build(&plain);
    let places = [
        (0, "at its start"),
        (10, "in the head"),
        (30, "in a list"),
        (60, "in a header"),
        (file.len() - 1, "before its last byte"),
    ];
    let cuts = cuts("avi", "avi", &file, &places).into_iter();
    let cuts = cuts.map(|cut| Broken { name: format!("avi_{}", cut.name), ..cut });
    lies.chain(others).chain(cuts).collect()
}
