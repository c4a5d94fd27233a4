//! Ordinary archives, others with traps, and broken files. Source: zipper-other.md, sections 1.3 to 1.7.

use super::{Body, COMPRESSED, DIRECTORY, Directory, HELLO, Order, Record, Spec, build, zlib};
use crate::bm;
use crate::random::Random;
use crate::sample::{LIES, Trap, cuts, kept, reported};
use crate::{Broken, Sample, Size};

pub(crate) const SCRIPT: &[u8] = b"; AIRFRAME\r\n\tSET POS = 1,2\r\n";

/// Returns a typical archive: compressed scripts, uncompressed images.
fn ordinary(random: &mut Random, size: Size) -> Spec {
    let (scripts, pictures, side) = match size {
        Size::Tiny => (1, 1, 1),
        Size::Small => (4, 3, 16),
        // 418 compressed files and 428 others. Source: vectors-cs.md, section 6.
        Size::Retail => (418, 426, 84),
    };
    let script = |at: usize| {
        let name = if at == 0 { "AIRFRAME.SCRIPT".into() } else { format!("S{at:02}.SCRIPT") };
        Record::packed(&name, &SCRIPT.repeat(if size == Size::Tiny { 1 } else { at % 5 + 1 }))
    };
    let picture =
        |at: usize, random: &mut Random| Record::file(&format!("DEV_{at:02}.BM"), bm::ordinary(random, side, side));
    let scripts = (0..scripts).map(script).collect();
    let mut pictures: Vec<Record> = (0..pictures).map(|at| picture(at, random)).collect();
    if size != Size::Tiny {
        pictures.push(Record::file("FONT.PNG", [b"\x89PNG\r\n\x1A\n", &random.garbage(50)[..]].concat()));
    }
    let graphics = Record::directory("GRAPHICS", vec![Record::directory("BSA", pictures)]);
    let assets = vec![Record::directory("SCRIPTS", scripts), graphics, Record::file("EMPTY.TXT", vec![])];
    Spec::new(vec![Record::directory("ASSETS", assets)])
}

/// Returns archives of a size class.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, size, trap: Option<&Trap<Spec>>| {
        Sample::of(name, "rof", &["cs"], ordinary(&mut Random::named(seed, name), size), trap, build)
    };
    let plain = ["crimson.rof", "crimptch.rof"].into_iter().map(|name| sample(name, size, None));
    plain.chain(TRAPS.iter().map(|trap| sample(trap.name, size.of_traps(), Some(trap)))).collect()
}

fn assets(spec: &mut Spec) -> &mut Directory {
    let Body::Directory(assets) = &mut spec.root.records[0].body else { panic!("a directory") };
    assets
}

fn scripts(spec: &mut Spec) -> &mut Directory {
    let Body::Directory(scripts) = &mut assets(spec).records[0].body else { panic!("a directory") };
    scripts
}

const TRAPS: [Trap<Spec>; 27] = [
    kept("rof_empty_directory.rof", "a directory without records", |spec| {
        assets(spec).records.push(Record::directory("NOTHING", vec![]));
    }),
    kept("rof_files_in_root.rof", "files beside the one directory", |spec| {
        spec.root.records.push(Record::packed("A.TXT", b"hello hello hello hello\n"));
        spec.root.records.insert(0, Record::file("B.TXT", b"b".into()));
    }),
    kept("rof_true_stream.rof", "the compressed file of the document", |spec| {
        scripts(spec).records[0].body = Body::File(HELLO.into(), 24);
    }),
    kept("rof_twins.rof", "two files of one name in a directory, and one in another", |spec| {
        scripts(spec).records.push(Record::file("AIRFRAME.SCRIPT", b"2".into()));
        assets(spec).records.push(Record::file("AIRFRAME.SCRIPT", b"3".into()));
    }),
    reported("rof_case.rof", "names in both cases, and one that is not ASCII", |spec| {
        assets(spec).records.push(Record::file("empty.txt", b"1".into()));
        assets(spec).records.push(Record { name: b"Gel\xE4nde/..\\x\0".into(), ..Record::file("", b"2".into()) });
    }),
    kept("rof_no_name.rof", "a file without a name", |spec| {
        assets(spec).records.push(Record::file("", b"1".into()));
    }),
    reported("rof_name_offsets.rof", "offsets of names that lead elsewhere", |spec| {
        assets(spec).records.iter_mut().zip([u32::MAX, 1, 7]).for_each(|(record, at)| record.name_offset = Some(at));
    }),
    kept("rof_deep.rof", "directories in directories", |spec| {
        let deep = |inner: Record, at: u32| Record::directory(&format!("D{at}"), vec![inner]);
        assets(spec).records.push((0..12).fold(Record::file("X", b"x".into()), deep));
    }),
    kept("rof_wave.rof", "a sound, as eight of the files are", |spec| {
        let sound = b"RIFF\x2A\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x11\x2B\0\0\x11\x2B\0\0\x01\0\x08\0data\x06\0\0\0\x80\x81\x82\x83\x82\x81";
        assets(spec).records.push(Record::file("CLICK.WAV", sound.into()));
    }),
    kept("rof_directories_first.rof", "all directories before all files", |spec| {
        spec.order = Order::DirectoriesFirst;
    }),
    kept("rof_backwards.rof", "files and directories from the last to the first", |spec| {
        spec.order = Order::Backwards;
    }),
    reported("rof_gap.rof", "bytes between two files", |spec| assets(spec).records[1].gap = vec![0, 1, 2]),
    reported("rof_trailing.rof", "bytes behind the last file", |spec| spec.trailing = b"left over".into()),
    reported("rof_within_directory.rof", "a file that lies within a directory", |spec| {
        let root = 8 + 24 + 7;
        spec.root.records.push(Record {
            start: Some(root + 24 + 2),
            stored_length: Some(2),
            decoded_length: Some(2),
            ..Record::file("A", vec![])
        });
    }),
    reported("rof_no_nul.rof", "a name without a NUL", |spec| _ = assets(spec).records[0].name.pop()),
    reported("rof_nul_within.rof", "a name with a NUL in it", |spec| {
        assets(spec).records[0].name = b"SCR\0IPTS\0".into();
    }),
    reported("rof_after_names.rof", "bytes behind the names", |spec| scripts(spec).after_names = b"OLD\0".into()),
    reported("rof_directory_lengths.rof", "a directory that has lengths", |spec| {
        (spec.root.records[0].decoded_length, spec.root.records[0].stored_length) = (Some(7), Some(9));
    }),
    reported("rof_decoded_plain.rof", "a file that is said to be longer than it is", |spec| {
        assets(spec).records[2].decoded_length = Some(5);
    }),
    reported("rof_decoded_packed.rof", "a compressed file that is said to be longer than it is", |spec| {
        scripts(spec).records[0].decoded_length = Some(1000);
    }),
    reported("rof_decoded_absurd.rof", "a compressed file that is said to have 4 gigabytes", |spec| {
        scripts(spec).records[0].decoded_length = Some(u32::MAX);
    }),
    reported(
        "rof_lengths_swapped.rof",
        "both lengths of a compressed file in the other order, as others describe it",
        |spec| {
            let data = zlib(SCRIPT);
            let record = &mut scripts(spec).records[0];
            record.body = Body::File(data.clone(), data.len() as u32);
        },
    ),
    reported("rof_not_packed.rof", "a file said to be compressed that is not", |spec| {
        scripts(spec).records[0].body = Body::File(SCRIPT.into(), SCRIPT.len() as u32);
    }),
    reported("rof_stream_cut.rof", "a compressed file whose stream breaks off", |spec| {
        let mut stream = zlib(SCRIPT);
        stream.truncate(20);
        scripts(spec).records[0].body = Body::File(stream, SCRIPT.len() as u32);
    }),
    reported("rof_stream_more.rof", "a compressed file with bytes behind the stream", |spec| {
        let stream = [&zlib(SCRIPT)[..], b"more"].concat();
        scripts(spec).records[0].body = Body::File(stream, SCRIPT.len() as u32);
    }),
    reported("rof_flags.rof", "flags that no file has", |spec| assets(spec).records[2].flags = 0x8000_0004),
    reported("rof_packed_directory.rof", "a compressed directory, which nobody has seen", |spec| {
        let name = Record { flags: DIRECTORY | COMPRESSED, ..Record::packed("ODD", SCRIPT) };
        assets(spec).records.push(name);
    }),
];

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    let plain = ordinary(&mut Random::named(seed, "broken.rof"), Size::Tiny);
    let broken = |name: &str, why: &str, edit: &dyn Fn(&mut Spec)| {
        let mut spec = plain.clone();
        edit(&mut spec);
        Broken::new("rof", &format!("rof_{name}.rof"), build(&spec), why)
    };
    let lies = LIES.into_iter().flat_map(|lie| {
        [
            broken(&format!("records_{lie:08x}"), "more records than there are", &|spec| {
                spec.root.entry_count = Some(lie);
            }),
            broken(&format!("names_{lie:08x}"), "more names than there are", &|spec| {
                spec.root.names_length = Some(lie);
            }),
            broken(&format!("name_{lie:08x}"), "a name longer than all", &|spec| {
                assets(spec).records[0].name_length = Some(lie);
            }),
            broken(&format!("start_{lie:08x}"), "a directory outside the file", &|spec| {
                spec.root.records[0].start = Some(lie);
            }),
            broken(&format!("length_{lie:08x}"), "a file longer than the archive", &|spec| {
                scripts(spec).records[0].stored_length = Some(lie);
            }),
        ]
    });
    let others = [
        broken("cycle_root", "a directory that holds the root", &|spec| assets(spec).records[1].start = Some(0)),
        broken("cycle", "a directory that holds itself", &|spec| {
            assets(spec).records[1].start = Some(8 + 24 + 7);
        }),
        broken("name_short", "names shorter than their lengths", &|spec| assets(spec).names_length = Some(3)),
        broken("in_root", "a file within the root", &|spec| {
            let record = &mut assets(spec).records[2];
            (record.start, record.stored_length) = (Some(4), Some(4));
        }),
    ];
    let file = build(&plain);
    let places = [
        (0, "at its start"),
        (6, "in the head"),
        (20, "in a record"),
        (8 + 24 + 3, "in a name"),
        (8 + 24 + 7, "before the first directory"),
        (file.len() - 1, "before its last byte"),
    ];
    let cuts = cuts("rof", "rof", &file, &places).into_iter();
    let cuts = cuts.map(|cut| Broken { name: format!("rof_{}", cut.name), ..cut });
    lies.chain(others).chain(cuts).collect()
}
