//! Ten changes that modders make most, each by the one call that the guide names.

use std::fs;

use forge::archive::{Content, Spec, build};
use forge::reader::{float, list, string};

use super::{Desk, data, entry};
use crate::harness::{golden_install, root};

/// Returns the calls in the list of the guide, in order.
fn calls() -> Vec<Vec<String>> {
    let page = fs::read_to_string(root().join("src/guide/patch.md")).unwrap();
    let (_, section) = page.split_once("### Ten changes, each in one call\n").expect("the section");
    let block = section.split("```").nth(1).and_then(|block| block.strip_prefix("text\n")).expect("a block of text");
    block
        .lines()
        .map(|line| {
            let (call, _) = line.split_once(" # ").expect("what it does");
            shell_words::split(call).unwrap()
        })
        .collect()
}

/// Creates the files that the calls name.
fn desk() -> Desk {
    let desk = Desk::of(&[]);
    let value = list([string(b"LASER"), list([string(b"COST"), list([float(120.0)])])]);
    desk.write("reader.zbd", &build(&Spec::new(1, Content::Readers, vec![entry(b"weapons.zrd", data(value))])));
    for (file, from) in [
        ("texture.zbd", "mw/zbd/c1/texture.zbd"),
        ("Prelude.mod", "nwn/modules/Prelude.mod"),
        ("Map.sceA", "mi/Map.sceA"),
        ("GAME/zbd/c1/texture.zbd", "mw/zbd/c1/texture.zbd"),
        ("GAME/zbd/c1/rtexture.zbd", "mw/zbd/c1/rtexture.zbd"),
        ("GAME/zbd/c1/rtexture2.zbd", "mw/zbd/c1/rtexture2.zbd"),
        ("GAME/zbd/soundsH.zbd", "mw/zbd/soundsH.zbd"),
        ("content.hak", "nwn/hak/content.hak"),
        ("dialog.tlk", "nwn/dialog.tlk"),
        ("soundsH.zbd", "mw/zbd/soundsH.zbd"),
        ("c_boar.mdl", "nwn/override/c_boar.mdl"),
    ] {
        desk.write(file, &fs::read(golden_install().join(from)).unwrap());
    }
    desk.ok(&["unpack", "GAME/zbd/c1/rtexture.zbd", "made", "-q", "--only", "fire08_4"]);
    fs::rename(desk.path("made/fire08_4.png"), desk.path("sky.png")).unwrap();
    desk.write("laser.wav", &sound(11025));
    desk.ok(&["export", "Map.sceA!0!term:/terminals/0", "terminal.txt", "-q"]);
    desk.replace("terminal.txt", "Welcome to Arrival.", "Welcome home.");
    desk
}

/// Returns a tenth of a second of silence.
fn sound(rate: u32) -> Vec<u8> {
    let samples = vec![128_u8; rate as usize / 10 * 2];
    let mut wav = b"RIFF".to_vec();
    wav.extend((36 + samples.len() as u32).to_le_bytes());
    wav.extend(b"WAVEfmt ");
    wav.extend([16_u32.to_le_bytes(), [1, 0, 1, 0], rate.to_le_bytes(), rate.to_le_bytes(), [1, 0, 8, 0]].concat());
    wav.extend(b"data");
    wav.extend((samples.len() as u32).to_le_bytes());
    wav.extend(samples);
    wav
}

#[test]
fn each_change_takes_one_call() {
    let desk = desk();
    // What each call prints first.
    let expected = [
        "weapons.zrd:/1/1/0: 120.0 → 90.0",
        "sky01_4: 16 × 16, palette of 15 colors → 2 × 6",
        "c_boar.utc:/Str/value: 14 → 18",
        "0!PNTS:/points/0/x: -1452 → -1400",
        "zbd/c1/rtexture.zbd   sky01_4  16 × 9 → 2 × 6",
        "racialtypes.2da:/rows/1/cells/Name: \"1001\" → \"1234\"",
        "/entries/5/text: \"Text 5 of the game",
        "laser_04.wav: 1,544 bytes → ",
        "/root/children/0/mesh/diffuse/1: 0.8 → 0.5",
        "0!term:/terminals/0/text: \"Welcome to Arrival.",
    ];
    let calls = calls();
    assert_eq!(calls.len(), expected.len());
    for (call, expected) in calls.iter().zip(expected) {
        assert_eq!(call[0], "bitexact");
        let args: Vec<&str> = call[1..].iter().map(String::as_str).collect();
        let said = desk.ok(&args);
        assert!(said.out.contains(expected), "{call:?}: {}{}", said.out, said.err);
        assert!(!said.err.contains("deviation:"), "{call:?}: {}", said.err);
        // Every file that was changed is a file of its kind that round-trips.
        let verified = desk.ok(&["verify", &call[2], "--json"]).out;
        assert!(verified.contains("\"status\":\"identical\""), "{call:?}: {verified}");
    }
    // The sky is the same in all packages, and nothing is left to do by hand.
    for package in ["texture", "rtexture", "rtexture2"] {
        let file = format!("GAME/zbd/c1/{package}.zbd");
        let shown = desk.ok(&["ls", &file, "--json"]).out;
        assert!(shown.contains("sky01_4"), "{shown}");
    }
    let said = desk.ok(&["patch", "GAME", "-n", "--replace", "fire08_4=sky.png"]);
    assert!(!said.err.contains("change the image in all of them"), "{}", said.err);
}
