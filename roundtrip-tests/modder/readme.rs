//! The commands in the README run as they are written there.

use std::fs;

use forge::archive::{Content, Spec, build};
use forge::reader::{float, list, string};

use super::{Desk, data, entry};
use crate::harness;

/// Returns the calls of the program in a block of shell commands, without the remarks after them.
fn calls(block: &str) -> Vec<Vec<String>> {
    let lines = block.lines().filter(|line| line.starts_with("bitexact "));
    lines.map(|line| shell_words::split(line.split("  #").next().unwrap_or(line)).unwrap()).collect()
}

#[test]
fn commands_of_the_readme_run_as_written() {
    let readme = fs::read_to_string(harness::root().join("README.md")).unwrap().replace("\r\n", "\n");
    let sample = |path: &str| fs::read(harness::golden_install().join(path)).unwrap();
    let laser = list([string(b"LASER"), list([string(b"DAMAGE"), list([float(5.0)])])]);
    let readers = build(&Spec::new(1, Content::Readers, vec![entry(b"weapons.zrd", data(laser))]));
    let desk = Desk::of(&[("reader.zbd", &readers)]);
    for (from, to) in [
        ("nwn/override/c_boar.utc", "c_boar.utc"),
        ("nwn/modules/Prelude.mod", "module.mod"),
        ("m2/Map.sceA", "Map.sceA"),
        ("rc/zbd/m1/texture2.zbd", "texture.zbd"),
        ("mw/zbd/c1/gamez.zbd", "gamez.zbd"),
        ("rc/maps/m1.zmap", "old.zbd"),
        ("rc/maps/m2.zmap", "new.zbd"),
        ("rc/maps/m1.zmap", "ORIGINAL/maps/m1.zmap"),
        ("rc/maps/m2.zmap", "MINE/maps/m1.zmap"),
        ("rc/maps/m1.zmap", "GAME/maps/m1.zmap"),
    ] {
        desk.write(to, &sample(from));
    }
    let (_, rest) = readme.split_once("## Change something\n\n```sh\n").expect("the commands");
    let calls = calls(rest.split_once("```").expect("their end").0);
    assert!(calls.len() > 8, "only {} calls were found", calls.len());
    for call in calls {
        let args: Vec<&str> = call[1..].iter().map(String::as_str).collect();
        let said = desk.run(&args);
        // `diff` exits with 1 if the files differ.
        let expected = i32::from(args[0] == "diff");
        assert_eq!(said.code, expected, "{}: {}", call.join(" "), said.err);
    }
    assert!(desk.read("GAME/maps/m1.zmap") == desk.read("MINE/maps/m1.zmap"), "the mod is applied");
    // Without a change in between, packing and importing give the same files.
    assert!(desk.read("texture.zbd") == sample("rc/zbd/m1/texture2.zbd"));
    assert!(desk.read("gamez.zbd") == sample("mw/zbd/c1/gamez.zbd"));
}
