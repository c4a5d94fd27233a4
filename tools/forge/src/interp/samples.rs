//! Ordinary interpreter files, others with traps, and broken files.

use super::{Entry, Line, Script, Spec, build};
use crate::bytes::field;
use crate::random::Random;
use crate::sample::{LIES, Trap, cuts, kept, reported};
use crate::{Broken, Sample, Size};

/// Typical lines of scripts. Source: zipper-interp.md, section 3.
const LINES: [&[&[u8]]; 10] = [
    &[b"set", b"CHAPTER", b"c1"],
    &[b"ifdef", b"%SOFTWARE%"],
    &[b"SetTextureDirectory", b"..\\data\\%CHAPTER%\\textures"],
    &[b"endif"],
    &[b"source", b"support\\bft1.gw"],
    &[b"NewWorld", b"world1", b"-2048.0", b"-2048.0", b"4096", b"4096"],
    &[b"CameraSetFOV", b"camera1", b"1.0471976", b"0.78539816"],
    &[b"LightSetAmbient", b"sun", b"0.35"],
    &[b"GameZReadZBDFile", b"gamez.zbd"],
    &[b"Quit"],
];

/// Returns a typical interpreter file.
pub fn ordinary(random: &mut Random, size: Size) -> Spec {
    let (scripts, lines) = match size {
        Size::Tiny => (2, 2),
        Size::Small => (6, 12),
        Size::Retail => (98, 100),
    };
    let script = |at: u32| {
        let path = if at % 4 == 3 { format!("c{at}.gs") } else { format!("support\\bft{at}.gw") };
        let time = 0x3600_0000 + random.below(0x0100_0000);
        let count = 1 + random.below(lines);
        (field(path.as_bytes(), b""), time, (0..count).map(|_| Line::new(random.one_of(&LINES))).collect())
    };
    Spec::new((0..scripts).map(script).collect())
}

/// Returns interpreter files of a size class. Source of the traps: zipper-interp.md, sections 1, 2 and 4.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, size, trap: Option<&Trap<Spec>>| {
        Sample::of(
            name,
            "interp",
            &["rc", "mw", "pm", "cs"],
            ordinary(&mut Random::named(seed, name), size),
            trap,
            build,
        )
    };
    let names = ["rc_interp.zbd", "mw_interp.zbd", "pm_interp.zbd", "cs_interp.zbd"];
    let plain = names.into_iter().map(|name| sample(name, size, None));
    let odd = TRAPS.iter().map(|trap| sample(trap.name, size.of_traps(), Some(trap)));
    plain.chain(odd).collect()
}

const TRAPS: [Trap<Spec>; 30] = [
    kept("interp_no_scripts.zbd", "no script", |spec| {
        spec.entries.clear();
        spec.scripts.clear();
    }),
    kept("interp_no_lines.zbd", "a script without lines, in the middle and at the end", |spec| {
        spec.scripts[0].lines.clear();
        add(spec, b"empty.gw", Script::default());
    }),
    kept("interp_empty_line.zbd", "a line of one empty token", |spec| push(spec, Line::new(&[b""]))),
    kept("interp_empty_tokens.zbd", "empty tokens at both ends of a line and in it", |spec| {
        push(spec, Line::new(&[b"", b"lead", b"", b"double", b""]));
    }),
    kept("interp_only_empty_tokens.zbd", "a line of nothing but empty tokens", |spec| {
        push(spec, Line::raw(vec![0; 9]))
    }),
    kept("interp_many_tokens.zbd", "a line of 300 tokens", |spec| push(spec, Line::raw(b"on\0".repeat(300)))),
    kept("interp_long_token.zbd", "a token of 2,000 bytes", |spec| push(spec, Line::new(&[&b"long".repeat(500)]))),
    kept("interp_high_bytes.zbd", "tokens that are not ASCII", |spec| {
        push(spec, Line::new(&[b"set", b"Gel\xE4nde", b"\x80\xFF"]))
    }),
    kept("interp_control.zbd", "tokens with control bytes, commas and quotation marks", |spec| {
        push(spec, Line::new(&[b"set", b"\x01\x1B\x7F", b"a,b", b"\"#\""]));
    }),
    kept("interp_times.zbd", "times before 1970 was over and after 2038", |spec| {
        (spec.entries[0].time, spec.entries[1].time) = (0, u32::MAX);
    }),
    kept("interp_path_119.zbd", "a path that leaves room for its NUL only", |spec| {
        spec.entries[0].path = field(&b"support\\".repeat(15)[..119], b"");
    }),
    kept("interp_path_tail.zbd", "an older path behind the path", |spec| {
        spec.entries[0].path = field(b"c1.gs", b"ort\\bft1.gw");
    }),
    kept("interp_path_tail_only.zbd", "no path, and an older one behind it", |spec| {
        spec.entries[1].path = field(b"", b"upport\\bft1.gw");
    }),
    kept("interp_path_twice.zbd", "a path twice, in other case, for two scripts", |spec| {
        (spec.entries[0].path, spec.entries[1].path) = (field(b"m13_zbd.gs", b""), field(b"M13_ZBD.GS", b""));
    }),
    reported("interp_path_full.zbd", "a path without room for its NUL", |spec| {
        spec.entries[0].path = field(&b"support\\".repeat(15), b"");
    }),
    reported("interp_version.zbd", "version 8", |spec| spec.version = 8),
    reported("interp_token_count.zbd", "a line that counts one token more than it has", |spec| {
        spec.scripts[0].lines[0].token_count = Some(20);
    }),
    reported("interp_token_count_0.zbd", "a line that counts no token", |spec| {
        spec.scripts[0].lines[0].token_count = Some(0);
    }),
    reported("interp_token_count_largest.zbd", "a line that counts the most tokens there can be", |spec| {
        spec.scripts[0].lines[0].token_count = Some(u32::MAX);
    }),
    reported("interp_no_nul.zbd", "a line whose last token has no NUL", |spec| {
        push(spec, Line::raw(b"set\0A\0B".into()));
    }),
    reported("interp_no_nul_at_all.zbd", "a line without any NUL", |spec| push(spec, Line::raw(b"Quit".into()))),
    reported("interp_spaces.zbd", "tokens with blanks and line ends in them", |spec| {
        push(spec, Line::new(&[b"set", b"two words", b" ", b"line\r\nend"]));
    }),
    reported("interp_file_order.zbd", "scripts that lie in another order than the index's", |spec| {
        (spec.entries[0].script, spec.entries[1].script) = (1, 0);
    }),
    reported("interp_shared.zbd", "two entries for the same script", |spec| {
        let entry = Entry { path: field(b"again.gs", b""), ..spec.entries[0].clone() };
        spec.entries.push(entry);
    }),
    reported("interp_shared_end.zbd", "an entry for the last lines of the script before it", |spec| {
        let offset = 12 + 128 * (spec.entries.len() + 1) + 8 + spec.scripts[0].lines[0].data.len();
        let entry = Entry { path: field(b"end.gs", b""), offset: Some(offset as u32), ..spec.entries[0].clone() };
        spec.entries.insert(1, entry);
    }),
    reported("interp_gap_before_first.zbd", "a gap between index and first script", |spec| {
        spec.scripts[0].gap = vec![0; 8];
    }),
    reported("interp_gap_between.zbd", "a script between two others that no entry names", |spec| {
        let mut orphan = Script { gap: vec![], lines: vec![Line::new(&[b"Quit"])] };
        std::mem::swap(&mut orphan, &mut spec.scripts[1]);
        spec.scripts.insert(2, orphan);
        spec.entries.iter_mut().skip(1).for_each(|entry| entry.script += 1);
    }),
    reported("interp_gap_odd.zbd", "a gap of three bytes between two scripts", |spec| {
        spec.scripts[1].gap = b"gap".into();
    }),
    reported("interp_trailing.zbd", "bytes after the last script", |spec| spec.trailing = b"left over".into()),
    reported("interp_no_scripts_trailing.zbd", "bytes after the header, and no script", |spec| {
        spec.entries.clear();
        spec.scripts.clear();
        spec.trailing = vec![0; 4];
    }),
];

/// Adds a line to the first script.
fn push(spec: &mut Spec, line: Line) {
    spec.scripts[0].lines.push(line);
}

/// Appends a script.
fn add(spec: &mut Spec, path: &[u8], script: Script) {
    let entry = Entry { path: field(path, b""), time: 0x36A0_B000, script: spec.scripts.len(), offset: None };
    spec.entries.push(entry);
    spec.scripts.push(script);
}

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    let plain = ordinary(&mut Random::named(seed, "broken interp.zbd"), Size::Tiny);
    let end = build(&plain).len() as u32;
    let broken = |name: &str, why: &str, edit: &dyn Fn(&mut Spec)| {
        let mut spec = plain.clone();
        edit(&mut spec);
        Broken::new("interp", &format!("interp_{name}.zbd"), build(&spec), why)
    };
    let lies = LIES.into_iter().flat_map(|lie| {
        [
            broken(&format!("count_{lie:08x}"), "more scripts than the file has room for", &|spec| {
                spec.count = Some(lie)
            }),
            broken(&format!("offset_{lie:08x}"), "a script outside the file", &|spec| {
                spec.entries[1].offset = Some(lie)
            }),
            broken(&format!("size_{lie:08x}"), "a line longer than the file", &|spec| {
                spec.scripts[1].lines[0].size = Some(lie);
            }),
        ]
    });
    let others = [
        broken("offset_at_end", "a script without room for its end", &|spec| spec.entries[1].offset = Some(end)),
        broken("offset_near_end", "a script without room for its end", &|spec| spec.entries[1].offset = Some(end - 3)),
        broken("size_to_end", "a line up to the end of the file, and no end of its script", &|spec| {
            let last = spec.scripts[1].lines.last_mut().expect("every script has a line");
            last.size = Some(last.data.len() as u32 + 4);
        }),
        broken("size_one_more", "a line of one byte more than there is", &|spec| {
            let last = spec.scripts[1].lines.last_mut().expect("every script has a line");
            last.size = Some(last.data.len() as u32 + 5);
        }),
    ];
    let file = build(&plain);
    // A file that ends in its signature is recognized only by its name.
    let signature = Broken::new("interp", "interp.zbd", file[..3].into(), "the file ends in the signature");
    let places = [
        (7, "in the version"),
        (11, "in the count"),
        (12, "before the index"),
        (131, "in a path"),
        (12 + 255, "in the last offset"),
        (12 + 256, "before the scripts"),
        (12 + 256 + 3, "in a line size"),
        (12 + 256 + 9, "in a line"),
        (file.len() - 4, "before its last line end"),
        (file.len() - 1, "before its last byte"),
    ];
    let cuts = cuts("interp", "zbd", &file, &places)
        .into_iter()
        .map(|cut| Broken { name: format!("interp_{}", cut.name), ..cut });
    lies.chain(others).chain([signature]).chain(cuts).collect()
}
