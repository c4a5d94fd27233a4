//! Ordinary resource forks, others with traps, and broken files.

use super::{Resource, Spec, build};
use crate::bytes::Bytes;
use crate::picture;
use crate::random::Random;
use crate::sample::{Trap, cuts, kept, reported};
use crate::shapes;
use crate::sounds::{self, Sound};
use crate::{Broken, Sample, Size};

const KIND: &str = "resources";
const ALL: &[&str] = &["m1", "m2", "mi"];

fn pascal(text: &[u8]) -> Vec<u8> {
    [&[text.len() as u8], text].concat()
}

/// Returns a resource `clut`. Source: marathon-images.md, section 4.
pub(crate) fn clut(random: &mut Random, count: u16) -> Vec<u8> {
    let mut out = Bytes::new();
    out.be_u32(random.draw() as u32).be_u16(0).be_u16(count.wrapping_sub(1));
    picture::colors(random, count).iter().flatten().for_each(|word| _ = out.be_u16(*word));
    out.finish()
}

/// Returns a resource `STR#`. Source: marathon-images.md, section 4.
fn strings(texts: &[&[u8]]) -> Vec<u8> {
    let mut out = Bytes::new();
    out.be_u16(texts.len() as u16);
    texts.iter().for_each(|text| _ = out.raw(&pascal(text)));
    out.finish()
}

/// Returns images: pictures and colors, with the data in a different order from the map.
fn images(random: &mut Random, size: Size) -> Spec {
    let picture = |random: &mut Random| picture::build(&picture::ordinary(random, size));
    let purgeable = |resource| Resource { attributes: 0x20, ..resource };
    let mut resources = vec![purgeable(Resource::new(b"PICT", 1100, picture(random)))];
    if size != Size::Tiny {
        resources.push(Resource { handle: 0x00CC_BBA4, ..purgeable(Resource::new(b"PICT", 1000, picture(random))) });
    }
    let colors = if size == Size::Tiny { 2 } else { 256 };
    resources.push(Resource::new(b"clut", 1000, clut(random, colors)));
    let data_order = (0..resources.len()).rev().collect();
    Spec { data_order, ..Spec::new(random.garbage(240), resources) }
}

/// Returns sounds of Marathon.
pub(crate) fn sounds(random: &mut Random, size: Size) -> Spec {
    let (count, length) = match size {
        Size::Tiny => (2, 5),
        Size::Small => (6, 2_000),
        Size::Retail => (104, 9_000),
    };
    let sound = |nth: i16| {
        let samples = random.garbage(length + nth as usize);
        Resource::new(b"snd ", 1000 + 10 * nth, sounds::resource(&Sound::standard(samples)))
    };
    let resources = (0..count).map(sound).collect();
    Spec::new(vec![0x20; 240], resources)
}

/// Returns shapes of Marathon.
pub(crate) fn shapes(random: &mut Random, size: Size) -> Spec {
    let count = match size {
        Size::Tiny => 1,
        Size::Small => 2,
        // Source: counts-marathon.md, section 1.2: the missing ones are 11, 13, 20, 28, 30 and 31.
        Size::Retail => 26,
    };
    let ids = (0..32).filter(|id| ![11, 13, 20, 28, 30, 31].contains(id)).take(count);
    let collection = |nth: i16| Resource::new(b".256", 128 + nth, shapes::collection(random, size, true).write());
    let resources = ids.map(collection).collect();
    Spec::new(vec![0x20; 240], resources)
}

/// Returns text and unsupported data, some with names.
fn texts(random: &mut Random) -> Spec {
    let mut resources = vec![
        Resource::new(b"TEXT", 128, b"Welcome, \xA5".to_vec()).named(b"one"),
        Resource::new(b"TEXT", -7, vec![]).named(b""),
        Resource::new(b"STR ", 128, pascal(b"Marathon")),
        Resource::new(b"STR#", 129, strings(&[b"kill", b"", b"shoot"])).named(b"n\x8Cme"),
        Resource::new(b"DITL", 4004, random.garbage(9)).named(b"Input Panel"),
    ];
    resources[0].attributes = 0x70;
    Spec::new(random.garbage(240), resources)
}

/// Returns forks of a size class. Source of the traps: marathon-images.md, sections 3, 4 and 6; marathon-sounds.md, section 3;
/// marathon-shapes.md, section 6.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, spec: &Spec| Sample {
        name: name.into(),
        kind: KIND,
        games: ALL,
        bytes: build(spec),
        trap: None,
        deviates: false,
    };
    let plain = |name: &str, spec: &dyn Fn(&mut Random) -> Spec| sample(name, &spec(&mut Random::named(seed, name)));
    let ordinary = [
        plain("Images.imgA", &|random| images(random, size)),
        plain("Texts.rsrc", &texts),
        plain("Sounds.rsrc", &|random| sounds(random, size)),
        plain("Shapes.rsrc", &|random| shapes(random, size)),
    ];
    let odd = TRAPS.iter().map(|trap| {
        let spec = texts(&mut Random::named(seed, trap.name));
        Sample::of(trap.name, KIND, ALL, spec, Some(trap), build)
    });
    ordinary.into_iter().chain(odd).collect()
}

/// Replaces the last resource.
fn last(spec: &mut Spec, kind: &[u8; 4], data: Vec<u8>) {
    spec.resources.pop();
    spec.resources.push(Resource::new(kind, 4004, data));
}

const TRAPS: [Trap<Spec>; 46] = [
    kept("fork_empty.rsrc", "no resource", |spec| spec.resources.clear()),
    kept("fork_terminal.rsrc", "a terminal of Marathon", |spec| {
        last(
            spec,
            b"term",
            b"; 1\r#logon\rLogin \xA5\r#information\r$BDoors$b are shut.\r\r#checkpoint 3\rHere.\r".into(),
        );
    }),
    kept("fork_terminal_lines.rsrc", "a terminal with line ends of other systems, and none at its end", |spec| {
        last(spec, b"term", b"#logon\r\n#information\nnot Mac".into());
    }),
    kept("fork_zero_areas.rsrc", "areas of zeros", |spec| spec.garbage = vec![0; 240]),
    kept("fork_name_order.rsrc", "names in another order than the map", |spec| spec.name_order = vec![4, 3, 2, 1, 0]),
    kept("fork_data_order.rsrc", "data in another order than the map", |spec| spec.data_order = vec![2, 0, 4, 1, 3]),
    kept("fork_twins.rsrc", "two resources of one type and id", |spec| spec.resources[1].id = 128),
    kept("fork_types_twice.rsrc", "a type that stands there twice", |spec| spec.resources.swap(1, 2)),
    kept("fork_types_apart.rsrc", "an entry of its own for each resource", |spec| spec.merge_types = false),
    kept("fork_empty_type.rsrc", "types without resources", |spec| {
        spec.empty_types = vec![(*b"NONE", 0), (*b"none", 0x7FFF)]
    }),
    kept("fork_pointers.rsrc", "left-over addresses", |spec| {
        (spec.next_map, spec.file_reference, spec.fork_attributes) = (u32::MAX, 0xFFFF, 0x00FF);
        spec.resources[3].handle = 0x0801_A7A8;
    }),
    kept("fork_odd_type.rsrc", "a type that is not ASCII, and ids of all sorts", |spec| {
        spec.resources[4].kind = *b"\x8C! \0";
        (spec.resources[4].id, spec.resources[3].id) = (i16::MIN, 0);
    }),
    kept("fork_long_name.rsrc", "a name of 100 bytes", |spec| spec.resources[0].name = Some(vec![b'n'; 100])),
    reported("fork_shared_name.rsrc", "a name that is the end of another", |spec| {
        spec.resources[0].name = Some(b"one\x03two".to_vec());
        spec.resources[2].name_of = Some((0, 4));
    }),
    reported("fork_shared_data.rsrc", "two resources with the same data", |spec| spec.resources[1].data_of = Some(0)),
    reported("fork_data_length.rsrc", "a length that is not that of the data", |spec| spec.data_length = Some(1)),
    reported("fork_map_length.rsrc", "a length that is not that of the map", |spec| spec.map_length = Some(1)),
    reported("fork_copy.rsrc", "a copy of the header that is none", |spec| spec.copy = Some([0; 16])),
    reported("fork_gap.rsrc", "a gap before the data", |spec| spec.data_gap = vec![0; 16]),
    reported("fork_data_offset.rsrc", "data that count from elsewhere than where they begin", |spec| {
        spec.data_gap = vec![0; 8];
        spec.data_offset = Some(264);
    }),
    reported("fork_type_gap.rsrc", "a gap before the types", |spec| spec.type_gap = b"xy".into()),
    reported("fork_name_gap.rsrc", "a gap before the names", |spec| spec.name_gap = vec![0; 3]),
    reported("fork_name_list.rsrc", "names that count from elsewhere than where they begin", |spec| {
        spec.name_list = Some(28)
    }),
    reported("fork_map_first.rsrc", "a map before the data", |spec| spec.map_first = true),
    reported("fork_trailing.rsrc", "bytes behind the map", |spec| spec.trailing = b"left over".into()),
    reported("fork_string_trailing.rsrc", "bytes behind a text", |spec| spec.resources[2].data.push(9)),
    kept("fork_string_undecoded.rsrc", "a text longer than its resource", |spec| spec.resources[2].data[0] = 200),
    kept("fork_strings_undecoded.rsrc", "fewer texts than told", |spec| spec.resources[3].data[1] = 9),
    kept("fork_clut_none.rsrc", "a color table without colors", |spec| {
        last(spec, b"clut", vec![0, 0, 0, 0, 0x80, 0, 0xFF, 0xFF])
    }),
    reported("fork_clut_trailing.rsrc", "bytes behind colors", |spec| {
        last(spec, b"clut", vec![0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 1])
    }),
    kept("fork_clut_undecoded.rsrc", "fewer colors than told", |spec| last(spec, b"clut", vec![0; 9])),
    kept("fork_film.rsrc", "a film, and a type that is part of another", |spec| {
        last(spec, b"PIC ", vec![0; 9]);
        spec.resources[2].kind = *b"STR\0";
    }),
    reported("fork_picture_trailing.rsrc", "bytes behind a picture", |spec| {
        last(spec, b"PICT", picture::build(&picture::Spec { trailing: vec![7], ..picture::Spec::new(1, 1, vec![]) }))
    }),
    kept("fork_picture_undecoded.rsrc", "a picture without an end", |spec| {
        last(spec, b"PICT", picture::build(&picture::Spec { ends: false, ..picture::Spec::new(1, 1, vec![]) }))
    }),
    kept("fork_sound.rsrc", "a sound of 16 bits", |spec| {
        last(spec, b"snd ", sounds::resource(&Sound::extended(2, vec![1, 2, 3, 4])))
    }),
    kept("fork_sound_2.rsrc", "a sound of format 2", |spec| {
        let sound = Sound::standard(vec![1, 2, 3]).write();
        last(spec, b"snd ", [&[0, 2, 0, 0, 0, 1, 0x80, 0x51, 0, 0, 0, 0, 0, 14][..], &sound].concat())
    }),
    kept("fork_sound_commands.rsrc", "a sound of several commands", |spec| {
        let mut data = vec![0, 1, 0, 0, 0, 2, 0, 3, 0, 5, 0, 0, 0, 9, 0x80, 0x50, 0, 0, 0, 0, 0, 22];
        data.extend(Sound::standard(vec![1]).write());
        last(spec, b"snd ", data)
    }),
    kept("fork_sound_silent.rsrc", "a sound without samples", |spec| {
        last(spec, b"snd ", vec![0, 1, 0, 0, 0, 1, 0, 3, 0, 5, 0, 0, 0, 9])
    }),
    reported("fork_sound_gap.rsrc", "a gap before the samples", |spec| {
        let mut data = sounds::resource(&Sound::standard(vec![1, 2]));
        data[19] = 23;
        data.splice(20..20, [0; 3]);
        last(spec, b"snd ", data)
    }),
    reported("fork_sound_trailing.rsrc", "bytes behind the samples", |spec| {
        let data = [sounds::resource(&Sound::standard(vec![1, 2])), vec![5; 4]].concat();
        last(spec, b"snd ", data)
    }),
    kept("fork_sound_undecoded.rsrc", "samples before the commands, kept as they are", |spec| {
        let mut data = sounds::resource(&Sound::standard(vec![1, 2]));
        data[19] = 4;
        last(spec, b"snd ", data)
    }),
    kept("fork_sound_long.rsrc", "more samples than there are, kept as they are", |spec| {
        last(spec, b"snd ", sounds::resource(&Sound { count: Some(u32::MAX), ..Sound::standard(vec![1, 2]) }))
    }),
    kept("fork_shapes_size.rsrc", "shapes with their size before them", |spec| {
        let shapes = shapes::Collection::new().write();
        last(spec, b".256", [&(shapes.len() as u32).to_be_bytes()[..], &shapes].concat())
    }),
    reported("fork_shapes_size_wrong.rsrc", "shapes with another size before them", |spec| {
        last(spec, b".256", [&[0, 0, 0, 9][..], &shapes::Collection::new().write()].concat())
    }),
    kept("fork_shapes_undecoded.rsrc", "shapes that end in their definition", |spec| {
        last(spec, b".256", vec![0, 3, 0, 2])
    }),
    kept("fork_shapes_operations.rsrc", "rows of Marathon with all that they can have", |spec| {
        use shapes::{Bitmap, Operation::Put, Operation::Skip, Rows};
        let row = vec![Put(vec![0]), Put(vec![7, 0]), Skip(1), Skip(2), Put(vec![9; 3])];
        let rows = Rows::Operations(vec![row, vec![Skip(9)], vec![Put(vec![1; 9])]]);
        let bitmaps = vec![Bitmap::new([3, 9], rows)];
        last(spec, b".256", shapes::Collection { bitmaps, ..shapes::Collection::new() }.write())
    }),
];

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    let plain = texts(&mut Random::named(seed, "broken.rsrc"));
    let file = build(&plain);
    let map = u32::from_be_bytes(file[4..8].try_into().expect("4 bytes")) as usize;
    let broken = |name: &str, why: &str, at: usize, bytes: &[u8]| {
        let mut file = file.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        Broken::new(KIND, &format!("{name}.rsrc"), file, why)
    };
    let references = map + 28 + 2 + 8 * 4;
    let others = [
        broken("fork_map_7fffffff", "a map behind the file", 4, &[0x7F, 0xFF, 0xFF, 0xFF]),
        broken("fork_map_ffffffff", "a map behind the file", 4, &[0xFF; 4]),
        broken("fork_types_7fff", "more types than the file holds", map + 28, &[0x7F, 0xFF]),
        broken("fork_type_list_ffff", "types behind the file", map + 24, &[0xFF; 2]),
        broken("fork_names_ffff", "names behind the file", map + 26, &[0xFF; 2]),
        broken("fork_references_fffe", "more resources of a type than the file holds", map + 34, &[0xFF, 0xFE]),
        broken("fork_references_at_ffff", "references behind the file", map + 36, &[0xFF; 2]),
        broken("fork_references_at_0", "references in the list of types", map + 36, &[0, 0]),
        broken("fork_data_at_ffffff", "data behind the file", references + 5, &[0xFF; 3]),
        broken("fork_data_7fffffff", "data longer than the file", 256, &[0x7F, 0xFF, 0xFF, 0xFF]),
        broken("fork_name_at_7fff", "a name behind the file", references + 2, &[0x7F, 0xFF]),
    ];
    let places = [
        (9, "in its head"),
        (100, "in its areas"),
        (300, "in its data"),
        (map + 5, "in the head of the map"),
        (references + 6, "among the references"),
        (file.len() - 1, "in its last byte"),
    ];
    others.into_iter().chain(cuts(KIND, "rsrc", &file, &places)).collect()
}
