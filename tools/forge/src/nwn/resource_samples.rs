//! Ordinary containers, and containers with traps. Sources: nwn-erf.md, section 7, and nwn-key-bif.md, section 5.

use super::gff::build as gff;
use super::gff_samples::ordinary;
use super::resources::{Bif, Erf, Key, Resource, build_bif, build_erf, build_key, resource};
use super::sample;
use crate::mdl;
use crate::random::Random;
use crate::sample::cuts;
use crate::{Broken, Sample, Size};

/// Returns resources of several types.
pub(crate) fn resources(random: &mut Random, size: Size) -> Vec<Resource> {
    let creature = |random: &mut Random| gff(&ordinary(random, b"UTC ", Size::Tiny));
    let mut all = vec![
        resource("Repute", 2038, gff(&super::gff::Spec::new(b"FAC ", vec![]))),
        resource("start", 2009, b"void main()\r\n{\r\n}\r\n".to_vec()),
        resource("racialtypes", 2017, super::tables::two_da(2)),
        resource("start", 2010, super::scripts::script()),
        resource("empty", 2009, vec![]),
    ];
    if size != Size::Tiny {
        all.push(resource("c_boar", 2027, creature(random)));
        all.push(resource("plc_doll", 2002, b"# by hand\r\nnewmodel plc_doll\r\ndonemodel plc_doll".to_vec()));
        all.push(resource("sixteen_letters_", 2022, b"mipmap 0\n".to_vec()));
        all.push(resource("picture", 3, vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, 1, 2, 3]));
        all.push(resource("unknown", 777, vec![1, 2, 3]));
        let models = mdl::samples(1, Size::Tiny).into_iter().filter(|it| it.name == "plc_marker_b.mdl");
        all.extend(models.map(|it| resource("plc_marker", 2002, it.bytes)));
    }
    if size == Size::Retail {
        // As many as the templates of `xp1_templates.bif`. Source: nwn-installs.md, section 1.
        for at in all.len()..3736 {
            all.push(resource(format!("creature{at:05}"), 2027, creature(random)));
        }
    }
    all
}

type Trap = (&'static str, &'static str, bool, fn(&mut Erf));

const TRAPS: &[Trap] = &[
    ("no_entries.mod", "a container without resources", false, |spec| spec.resources.clear()),
    ("blank_entries.mod", "blank entries between others", false, |spec| {
        for at in [0, 3] {
            spec.resources.insert(at, resource("", 0, vec![]));
        }
    }),
    ("slack_zeros.hak", "8 bytes of zeros per key", false, |spec| spec.slack = Some(vec![])),
    ("slack_stale.mod", "the end of an older list of keys in the slack", true, |spec| {
        spec.slack = Some(b"old_name\0\0\0\0\0\0\0\0\x07\0\0\0".to_vec());
    }),
    ("other_gap.hak", "other bytes before the resource list", true, |spec| spec.gap = vec![1, 2, 3]),
    ("stale_strref.erf", "leftover memory in place of the number of the description", false, |spec| {
        spec.strref = u32::from_le_bytes(*b"Left");
    }),
    ("descriptions.mod", "descriptions with and without a NUL, and one of no text", false, |spec| {
        spec.descriptions = vec![
            (0, b"A module".to_vec()),
            (4, b"Ein Modul f\xFCr alle\0".to_vec()),
            (6, vec![]),
            (131, b"\x93\xFA".to_vec()),
        ];
    }),
    ("descriptions_wrong_size.mod", "a wrong size of the descriptions", true, |spec| {
        spec.descriptions = vec![(0, b"A module".to_vec())];
        spec.descriptions_size = Some(3);
    }),
    ("descriptions_nowhere.mod", "an offset of 0 for no descriptions", true, |spec| {
        spec.descriptions_offset = Some(0);
    }),
    ("reserved.erf", "reserved bytes that are not zero", true, |spec| spec.reserved = (0..116).collect()),
    ("type_invalid.erf", "a resource of the invalid type", false, |spec| {
        spec.resources.push(resource("nothing", 0xFFFF, vec![9]));
    }),
    ("same_names.hak", "resources with the same name and type", false, |spec| {
        spec.resources.extend([
            resource("twin", 2009, vec![b'a']),
            resource("TWIN", 2009, vec![b'b']),
            resource("twin", 2009, vec![b'c']),
        ]);
    }),
    ("data_order.hak", "data in another order than the keys", true, |spec| {
        spec.resources.truncate(4);
        spec.data_order = vec![2, 0, 3, 1];
    }),
    ("data_tail.mod", "bytes after the data", true, |spec| spec.trailing = vec![1, 2]),
    ("long_names.hak", "names of 32 characters, as in Neverwinter Nights 2", false, |spec| {
        spec.version = *b"V1.1";
        spec.resources.push(resource("a_name_of_32_characters_without_", 2009, vec![b'x']));
    }),
    ("enhanced.erf", "a container of the Enhanced Edition, with compressed data", false, |spec| {
        spec.version = *b"E1.0";
        spec.reserved[..24].copy_from_slice(b"0123456789abcdef01234567");
        let head = [&b"XRES"[..], &3_u32.to_le_bytes(), &2_u32.to_le_bytes(), &64_u32.to_le_bytes()].concat();
        spec.resources.push(resource(
            "packed",
            2027,
            [head, vec![1, 0, 0, 0, 0, 0, 0, 0, 0x28, 0xB5, 0x2F, 0xFD]].concat(),
        ));
    }),
    ("nested.hak", "a container in a container", false, |spec| {
        let inner = build_erf(&Erf::new(b"MOD ", vec![resource("inner", 2009, b"// in".to_vec())]));
        spec.resources = vec![resource("module", 2011, inner)];
    }),
    ("entry_damaged.mod", "a resource that does not decode", false, |spec| {
        spec.resources.push(resource("damaged", 2027, b"UTC V3.2\x38\0\0\0\xFF\xFF\0\0".to_vec()));
    }),
];

fn bif(random: &mut Random, size: Size) -> Bif {
    let resources = resources(random, size).into_iter().map(|it| (u32::from(it.kind), it.data)).collect();
    Bif { is_enhanced: false, repeats: true, resources, trailing: vec![], lies: vec![] }
}

fn key(size: Size) -> Key {
    let count = if size == Size::Tiny { 3 } else { 300 };
    let names: [&[u8]; 3] = [b"appearance", b"SIXTEEN_LETTERS_", b"c_boar"];
    let keys = (0..count).map(|at| {
        (names[at as usize % 3].into(), [2017, 2002, 2027][at as usize % 3], ((at / 100) << 20) | (at % 100))
    });
    Key {
        is_enhanced: false,
        leftover: [0; 32],
        files: vec![
            (b"data\\2da.bif\0".to_vec(), 2_115_713),
            (b"data\\models_01.bif\0".to_vec(), 72_343_110),
            (b"data\\ini.bif\0".to_vec(), 0),
        ],
        keys: keys.collect(),
        gap: vec![],
        trailing: vec![],
        lies: vec![],
    }
}

/// Returns containers of a size class.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let named = |name: &str, kind: &[u8; 4], size| Erf::new(kind, resources(&mut Random::named(seed, name), size));
    let mut samples = vec![
        sample("content.hak", "erf", build_erf(&named("content.hak", b"HAK ", size)), None),
        sample(
            "module.mod",
            "erf",
            build_erf(&Erf { slack: Some(vec![]), ..named("module.mod", b"MOD ", size) }),
            None,
        ),
        sample("saved.sav", "erf", build_erf(&named("saved.sav", b"SAV ", Size::Tiny)), None),
        sample("data_2da.bif", "bif", build_bif(&bif(&mut Random::named(seed, "bif"), size)), None),
        sample("chitin.key", "key", build_key(&key(size)), None),
    ];
    let small = size.of_traps();
    samples.extend(TRAPS.iter().map(|&(name, words, deviates, edit)| {
        let mut spec = named(name, b"MOD ", small);
        edit(&mut spec);
        sample(name, "erf", build_erf(&spec), Some((words, deviates)))
    }));
    let mut add_bif = |name: &str, words, deviates, edit: &dyn Fn(&mut Bif)| {
        let mut spec = bif(&mut Random::named(seed, name), small);
        edit(&mut spec);
        samples.push(sample(name, "bif", build_bif(&spec), Some((words, deviates))));
    };
    add_bif("patch.bif", "ids whose upper bits are 0", false, &|spec| spec.repeats = false);
    add_bif("enhanced.bif", "a BIF of the Enhanced Edition", false, &|spec| spec.is_enhanced = true);
    add_bif("bif_tail.bif", "bytes after the data", true, &|spec| spec.trailing = vec![7]);
    add_bif("bif_fixed.bif", "an offset of an empty resource that is not the running one", true, &|spec| {
        spec.resources = vec![(2009, vec![]), (2009, b"x".to_vec())];
        spec.lies = vec![(24, 0)];
    });
    let mut add_key = |name: &str, words, deviates, edit: &dyn Fn(&mut Key)| {
        let mut spec = key(small);
        edit(&mut spec);
        samples.push(sample(name, "key", build_key(&spec), Some((words, deviates))));
    };
    add_key("xp1.key", "leftover memory in the header", false, &|spec| spec.leftover = [0xD9; 32]);
    add_key("no_nul.key", "paths without a NUL, and one that is empty", false, &|spec| {
        spec.files = vec![(vec![], 0), (b"data\\xp2.bif".to_vec(), 1), (vec![], 0)];
    });
    add_key("enhanced.key", "a KEY of the Enhanced Edition", false, &|spec| spec.is_enhanced = true);
    add_key("key_gap.key", "bytes before the keys, and after them", true, &|spec| {
        spec.gap = vec![1, 2];
        spec.trailing = vec![3];
    });
    samples
}

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    let erf = Erf::new(b"HAK ", resources(&mut Random::named(seed, "broken.hak"), Size::Tiny));
    let file = build_erf(&erf);
    let mut broken = cuts(
        "erf",
        "hak",
        &file,
        &[(100, "in the header of an ERF"), (200, "in the keys of an ERF"), (file.len() - 5, "in the data of an ERF")],
    );
    let mut lie = |name: &str, why: &str, at: usize, value: u32| {
        let bytes = build_erf(&Erf { lies: vec![(at, value)], ..erf.clone() });
        broken.push(Broken::new("erf", &format!("erf_{name}.hak"), bytes, why));
    };
    for value in crate::sample::LIES {
        lie(&format!("count_{value:08x}"), "more keys than the file has room for", 16, value);
        lie(&format!("strings_{value:08x}"), "more descriptions than the file has room for", 8, value);
        lie(&format!("keys_{value:08x}"), "keys outside the file", 24, value);
        lie(&format!("list_{value:08x}"), "a resource list outside the file", 28, value);
        lie(&format!("offset_{value:08x}"), "data outside the file", 160 + 24 * 5, value);
    }
    lie("order", "keys before the end of the header", 24, 100);
    lie("version", "another version", 4, u32::from_le_bytes(*b"V2.0"));
    let bif = bif(&mut Random::named(seed, "broken.bif"), Size::Tiny);
    let file = build_bif(&bif);
    broken.extend(cuts(
        "bif",
        "bif",
        &file,
        &[(12, "in the header of a BIF"), (50, "in the table of a BIF"), (file.len() - 1, "in the data of a BIF")],
    ));
    for (name, why, at, value) in [
        ("fixed", "fixed resources, which have no known form", 12, 1),
        ("count", "more resources than the file has room for", 8, u32::MAX),
        ("table", "a table outside the file", 16, 0x7FFF_FFFF),
    ] {
        let bytes = build_bif(&Bif { lies: vec![(at, value)], ..bif.clone() });
        broken.push(Broken::new("bif", &format!("bif_{name}.bif"), bytes, why));
    }
    let file = build_key(&key(Size::Tiny));
    broken.extend(cuts(
        "key",
        "key",
        &file,
        &[(30, "in the header of a KEY"), (80, "in the file table of a KEY"), (file.len() - 1, "in the keys of a KEY")],
    ));
    for (name, why, at, value) in [
        ("files", "more files than the file has room for", 8, u32::MAX),
        ("keys", "more keys than the file has room for", 12, u32::MAX),
        ("name", "a path outside the file", 68, 0x7FFF_FFFF),
    ] {
        let bytes = build_key(&Key { lies: vec![(at, value)], ..key(Size::Tiny) });
        broken.push(Broken::new("key", &format!("key_{name}.key"), bytes, why));
    }
    broken
}
