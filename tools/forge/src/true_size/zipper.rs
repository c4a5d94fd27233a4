//! Files of the Zipper games.

use super::TrueSize;
use crate::Size;
use crate::anim::{self, Extent};
use crate::archive::{self, Content};
use crate::avi::{self, Film};
use crate::bm;
use crate::bytes::field;
use crate::gamez::{self, Game};
use crate::interp::{self, Line};
use crate::mechlib;
use crate::messages::{self, Shape};
use crate::motion;
use crate::random::Random;
use crate::reader;
use crate::rof::{self, Record};
use crate::save::entry;
use crate::text_reader;
use crate::texture::{self, Colors};
use crate::wave::{self, Format, Sound};
use crate::zmap;

pub(super) const FILES: &[TrueSize] = &[
    TrueSize {
        name: "mw_soundsH.zbd",
        kind: "archive",
        counts: "1,003 sounds (German edition), some names several times",
        source: "zipper-sounds.md, section 1",
        make: |random| sounds(random, &[Format::pcm(1, 22050, 16), Format::pcm(2, 22050, 16)], 1003),
    },
    TrueSize {
        name: "cs_soundsh.zbd",
        kind: "archive",
        counts: "2,521 sounds, compressed",
        source: "vectors-cs.md, section 4",
        make: |random| sounds(random, &[Format::ms_adpcm(1, 22050, 64), Format::pcm(1, 11025, 8)], 2521),
    },
    TrueSize {
        name: "cs_zrdr.zbd",
        kind: "archive",
        counts: "221 reader files",
        source: "vectors-cs.md, section 4",
        make: |random| archive::build(&archive::readers(random, 1, Size::Small, 221)),
    },
    TrueSize {
        name: "mw_motion.zbd",
        kind: "archive",
        counts: "258 motions",
        source: "vectors-rc-mw-pm.md, section 5",
        make: |random| archive::build(&archive::motions(random, 1, Size::Small, 258)),
    },
    TrueSize {
        name: "mw_mechlib.zbd",
        kind: "archive",
        counts: "58 entries: 55 models, format, version, materials",
        source: "zipper-mechlib.md, section 1",
        make: |random| mechlib::build(&mechlib::library(random, Game::Mw, 55, 12, 6)),
    },
    TrueSize {
        name: "Mission.102.sav",
        kind: "archive",
        counts: "143 entries, TurretList/ctur1 six times, TurretList/rtur1 four times",
        source: "vectors-cs.md, section 8",
        make: saved,
    },
    TrueSize {
        name: "rc_m1_gamez.zbd",
        kind: "gamez",
        counts: "16,000 node slots, 4,199 of them used; 6,000 slots of models, 5,000 of materials; 16 by 17 cells",
        source: "vectors-rc-mw-pm.md, section 3",
        make: |random| {
            // The mean is 3.
            let extent = gamez::Extent { polygons: 2, ..gamez::Extent::retail(Game::Rc) };
            gamez::build(&gamez::counted(random, Game::Rc, &extent))
        },
    },
    TrueSize {
        name: "cs_c5_gamez.zbd",
        kind: "gamez",
        counts: "11,438 nodes, 3,000 slots of models, 2,851 of them used; 607 materials, 582 textures, 256 cells",
        source: "vectors-cs.md, section 2",
        make: |random| {
            let extent = gamez::Extent { polygons: 1, ..gamez::Extent::retail(Game::Cs) };
            gamez::build(&gamez::counted(random, Game::Cs, &extent))
        },
    },
    TrueSize {
        name: "cs_m01_mis_anim.zbd",
        kind: "anim",
        counts: "573 records, 48 scripts of 71 frames",
        source: "vectors-cs.md, section 3",
        make: |random| {
            let extent = Extent { events: 3, ..anim::retail(anim::Game::CrimsonSkies) };
            anim::build(&anim::counted(anim::Game::CrimsonSkies, random, extent))
        },
    },
    TrueSize {
        name: "rc_m1_anim.zbd",
        kind: "anim",
        counts: "819 definitions, a script of 520 frames",
        source: "vectors-rc-mw-pm.md, section 4",
        make: |random| {
            let game = anim::Game::Recoil;
            let mut spec = anim::counted(game, random, Extent { events: 2, ..anim::retail(game) });
            spec.definitions[1].sequences[0].events.push(anim::scripted(game, 520, random));
            anim::build(&spec)
        },
    },
    TrueSize {
        name: "cs_c4_texture.zbd",
        kind: "texture",
        counts: "935 images, each with its palette",
        source: "vectors-cs.md, section 5",
        make: |random| texture::build(&texture::package(random, Colors::Own, 935, 12)),
    },
    TrueSize {
        name: "rc_m1_texture2.zbd",
        kind: "texture",
        counts: "576 images, 18 global palettes",
        source: "vectors-rc-mw-pm.md, section 1",
        make: |random| texture::build(&texture::package(random, Colors::Shared(18), 576, 12)),
    },
    TrueSize {
        name: "cs_interp.zbd",
        kind: "interp",
        counts: "98 scripts, 5,083 lines, 11,189 tokens",
        source: "vectors-cs.md, section 7",
        make: |_| scripts(98, 5083, 11_189),
    },
    TrueSize {
        name: "rc_interp.zbd",
        kind: "interp",
        counts: "122 scripts",
        source: "vectors-rc-mw-pm.md, section 2",
        make: |_| scripts(122, 4000, 9000),
    },
    TrueSize {
        name: "strings.dll",
        kind: "messages",
        counts: "112 blocks with 1,023 of 1,792 strings, ids 96 to 17,151",
        source: "zipper-messages.md, section 5",
        make: |random| strings(random, Shape::CrimsonSkies, 112, 1023, [7, 1072]),
    },
    TrueSize {
        name: "langui.dll",
        kind: "messages",
        counts: "101 blocks with 1,247 of 1,616 strings, blocks 1 to 2,511",
        source: "zipper-messages.md, section 5",
        make: |random| strings(random, Shape::Interface, 101, 1247, [1, 2511]),
    },
    TrueSize {
        name: "crimson.rof",
        kind: "rof",
        counts: "846 files, 418 of them compressed, 21 directories, two of them empty",
        source: "vectors-cs.md, section 6",
        make: members,
    },
    TrueSize {
        name: "DEV_WING.BM",
        kind: "bm",
        counts: "256 by 128 pixels, the largest",
        source: "zipper-other.md, section 2",
        make: |random| bm::ordinary(random, 256, 128),
    },
    TrueSize {
        name: "vulture_stand.motion",
        kind: "motion",
        counts: "99 frames of 20 parts",
        source: "zipper-motion.md, section 3",
        make: |random| motion::build(&motion::ordinary(random, Size::Retail, 99)),
    },
    TrueSize {
        name: "player.zrd",
        kind: "reader",
        counts: "34,711 bytes, the larger player.zrd of Crimson Skies; one list of 4,096 items",
        source: "vectors-cs.md, section 4; zipper-reader.md, section 2",
        make: lists,
    },
    TrueSize {
        name: "DefaultCtlConfig.zrd",
        kind: "text-reader",
        counts: "90 commands, 4 axes",
        source: "zipper-reader.md, section 4.3, which gives the shape; the number of commands is ours",
        make: |random| text_reader::build(&text_reader::ordinary(random, Size::Retail)),
    },
    TrueSize {
        name: "m1.zmap",
        kind: "zmap",
        counts: "420 features; the number in retail files is not stated, the samples have 654 in twelve files",
        source: "zipper-zmap.md, section 1",
        make: |random| zmap::build(&zmap::ordinary(random, Size::Retail)),
    },
    TrueSize {
        name: "mech_footfall_2s.wav",
        kind: "wave",
        counts: "120,000 bytes of samples, a cue for each of seven steps",
        source: "zipper-sounds.md, section 2",
        make: |random| {
            let noise = wave::noise(random);
            let sound = Sound { format: Format::pcm(2, 22050, 16), length: 120_000, cues: 7 };
            wave::build(&wave::ordinary(random, &noise, &sound))
        },
    },
    TrueSize {
        name: "Campaign.avi",
        kind: "avi",
        counts: "4,349 frames, as many as the longest film of Crimson Skies",
        source: "vectors-cs.md, section 6",
        make: |random| {
            avi::build(&avi::ordinary(random, Film { frames: 4349, longest: 60, sound: Some((2, 22050, 16)) }))
        },
    },
];

fn sounds(random: &mut Random, formats: &[Format], count: usize) -> Vec<u8> {
    archive::build(&archive::sounds(random, 1, formats, count, 200))
}

/// Returns a saved game of Crimson Skies.
fn saved(random: &mut Random) -> Vec<u8> {
    let header = [12_u32, 2, 0x2_0000].map(u32::to_le_bytes).concat();
    let mut entries = vec![entry("zSaveHeader", header)];
    let activations = (0..128).map(|at| entry(&format!("AnimActivation/Activation{at:04}"), random.garbage(328)));
    entries.extend(activations.collect::<Vec<_>>());
    for (name, count, size) in [("TurretList/ctur1", 6, 280), ("TurretList/rtur1", 4, 280), ("GWWorld/world1", 4, 36)] {
        entries.extend((0..count).map(|_| entry(name, random.garbage(size))));
    }
    archive::build(&archive::Spec::new(1, Content::Unknown, entries))
}

/// Returns this many scripts with these numbers of lines and tokens in all.
fn scripts(count: usize, lines: usize, tokens: usize) -> Vec<u8> {
    // Lines of two tokens, and some with a third.
    let longer = tokens - 2 * lines;
    let line = |at: usize| {
        let node = format!("node{at}");
        match at < longer {
            true => Line::new(&[b"NodeSetActive", node.as_bytes(), b"off"]),
            false => Line::new(&[b"FindNode", node.as_bytes()]),
        }
    };
    let script = |at: usize| {
        let path = if at % 4 == 3 { format!("c{at}.gs") } else { format!("support\\bft{at}.gw") };
        (field(path.as_bytes(), b""), 0x3600_0000, (at * lines / count..(at + 1) * lines / count).map(line).collect())
    };
    interp::build(&interp::Spec::new((0..count).map(script).collect()))
}

/// Returns this many blocks of strings, from the first to the last number, with this many strings in all.
fn strings(random: &mut Random, shape: Shape, blocks: u32, count: u32, [first, last]: [u32; 2]) -> Vec<u8> {
    let ids = (0..blocks).flat_map(|at| {
        let block = first + at * (last - first) / (blocks - 1);
        let strings = (at + 1) * count / blocks - at * count / blocks;
        // The last one of the last block has an id too.
        (0..strings).map(move |nth| 16 * (block - 1) + if at + 1 == blocks { 15 - nth } else { nth })
    });
    let mut ids: Vec<u32> = ids.collect();
    ids.sort_unstable();
    messages::build(&messages::with_ids(random, shape, Size::Retail, &ids, 14))
}

fn members(random: &mut Random) -> Vec<u8> {
    let mut scripts: Vec<_> =
        (0..418).map(|at| Record::packed(&format!("S{at:03}.SCRIPT"), &rof::SCRIPT.repeat(at % 5 + 1))).collect();
    let mut pictures: Vec<_> =
        (0..428).map(|at| Record::file(&format!("DEV_{at:03}.BM"), bm::ordinary(random, 4, 4))).collect();
    let mut folders = vec![Record::directory("BINARIES", vec![])];
    for at in 0..8 {
        let part = scripts.split_off(scripts.len() - 50);
        folders.push(Record::directory(&format!("SCRIPTS{at}"), part));
    }
    folders.push(Record::directory("SCRIPTS", scripts));
    let mut graphics = vec![Record::directory("MPG", vec![])];
    for at in 0..8 {
        let part = pictures.split_off(pictures.len() - 50);
        graphics.push(Record::directory(&format!("PART{at}"), part));
    }
    graphics.extend(pictures);
    folders.push(Record::directory("GRAPHICS", graphics));
    // With `ASSETS`, 21 directories.
    rof::build(&rof::Spec::new(vec![Record::directory("ASSETS", folders)]))
}

fn lists(random: &mut Random) -> Vec<u8> {
    let items = (0..4096).map(|at| reader::Value::Int(at / 3));
    let mut roots = vec![reader::list(items.collect::<Vec<_>>())];
    let file = |roots: &[reader::Value]| reader::build(&reader::Spec::new(reader::list(roots)));
    while file(&roots).len() < 34_711 {
        roots.push(reader::ordinary(random, Size::Small).root);
    }
    file(&roots)
}
