//! Entry names that a file system cannot hold, or that lead elsewhere.

use bitexact::exchange::parse;
use bitexact::field::Value;
use forge::archive::{Content, Spec, build};
use forge::reader::{self, list};

use super::recompute_option::{FILE, forged};
use super::{Desk, data, entry};

#[test]
fn odd_names_stay_in_the_folder_and_round_trip() {
    let names: [&[u8]; 16] = [
        b"..\\evil",
        b"../evil",
        b"..",
        b".",
        b"/evil",
        b"C:\\evil",
        b"CON",
        b"nul.zrd",
        b"AUX.txt",
        b"com1",
        b"a/b",
        b"A.zrd",
        b"a.zrd",
        b"a.zrd",
        b"",
        b"tail. ",
    ];
    let entries = names.iter().zip(0..).map(|(name, at)| entry(name, data(list([reader::Value::Int(at)]))));
    let file = build(&Spec::new(1, Content::Readers, entries.collect()));
    let desk = Desk::of(&[("work/names.zbd", &file)]);
    desk.ok(&["unpack", "work/names.zbd", "work/names"]);
    assert_eq!(
        desk.all(""),
        [&["work".to_owned(), "work/names".to_owned()][..], &below(&desk), &["work/names.zbd".to_owned()]].concat()
    );
    let files = desk.all("work/names");
    let folders = 2;
    assert!(
        files.contains(&"%2E%2E/evil.json".to_owned()) && files.contains(&"C%3A/evil.json".to_owned()),
        "{files:?}"
    );
    assert_eq!(files.len(), names.len() + 1 + folders, "{files:?}");
    let lower: std::collections::HashSet<_> = files.iter().map(|file| file.to_lowercase()).collect();
    assert_eq!(lower.len(), files.len(), "none differs from another by case only: {files:?}");
    for file in files.iter().flat_map(|file| file.split('/')) {
        assert!(!file.contains(['\\', ':']) && !file.starts_with('.') && !file.ends_with([' ', '.']), "{file}");
        let device = file.split('.').next().unwrap().to_lowercase();
        assert!(!["con", "nul", "aux", "com1"].contains(&device.as_str()), "{file}");
    }
    desk.ok(&["pack", "work/names", "work/again.zbd"]);
    assert!(desk.read("work/again.zbd") == file);

    // A patch treats duplicate and odd names like any others.
    desk.ok(&["patch", "work/names.zbd", "--set", "a.zrd#2:/0=99", "--rename", "a/b=b", "--remove", "..\\evil"]);
    let shown = desk.ok(&["inspect", "work/names.zbd", "a.zrd#2:/0"]);
    assert_eq!(shown.out, "99\n");
    assert_eq!(desk.ok(&["inspect", "work/names.zbd", "b:/0"]).out, "10\n");
    assert_eq!(desk.run(&["inspect", "work/names.zbd", "..\\evil"]).code, 2);
}

#[test]
fn entry_named_like_the_manifest_round_trips() {
    let desk = Desk::of(&[("r.zbd", &super::archive())]);
    desk.ok(&["patch", "r.zbd", "--rename", "objectives.zrd=bitexact", "--rename", "hud.zrd=BITEXACT"]);
    desk.ok(&["verify", "--via", "exchange", "r.zbd"]);
    desk.ok(&["unpack", "r.zbd", "r"]);
    assert_eq!(desk.all("r"), ["BITEXACT~3.json", "bitexact.json", "bitexact~2.json", "weapons.zrd.json"]);
    desk.ok(&["pack", "r", "again.zbd"]);
    assert!(desk.read("again.zbd") == desk.read("r.zbd"));
    // An edited file of that name belongs to the entry, not to the manifest.
    desk.edit("r/bitexact~2.json", |json| json.push(7.into()));
    desk.ok(&["pack", "r", "edited.zbd"]);
    let shown = desk.ok(&["inspect", "edited.zbd", "bitexact:/2"]);
    assert_eq!(shown.out, "7\n");
}

#[test]
fn folder_with_renamed_files_is_packed() {
    let desk = Desk::of(&[("r.zbd", &super::archive())]);
    desk.ok(&["unpack", "r.zbd", "r"]);
    std::fs::rename(desk.path("r/hud.zrd.json"), desk.path("r/HUD of mine.json")).unwrap();
    desk.replace("r/bitexact.json", "\"hud.zrd.json\"", "\"HUD of mine.json\"");
    desk.ok(&["pack", "r", "again.zbd"]);
    assert!(desk.read("again.zbd") == super::archive());
}

#[test]
fn names_with_accents_are_written_as_typed() {
    let samples = forge::samples(super::harness::SEED, forge::Size::Small);
    let textures = samples.into_iter().find(|it| it.name == "rc_m1_texture8.zbd").unwrap().bytes;
    let desk = Desk::of(&[("texture.zbd", &textures)]);
    let listed = desk.ok(&["inspect", "--json", "texture.zbd"]).out;
    let json = parse(listed.as_bytes()).unwrap();
    let names = json.get("value").unwrap().step("directory").and_then(Value::items).unwrap();
    let name = names[0].get("name").and_then(Value::text).expect("a name");
    desk.ok(&["patch", "texture.zbd", "--rename", &format!("{name}=Gelände%FC€")]);
    let listed = desk.ok(&["inspect", "--json", "texture.zbd"]).out;
    assert!(listed.contains("\"Geländeü€\"") && listed.contains("\"Gel%E4nde%FC%80!\""), "{listed}");
    let said = desk.run(&["patch", "texture.zbd", "--rename", "Gel%E4nde%FC%80=λ"]);
    assert_eq!((said.code, said.err.contains("found \"λ\"")), (2, true), "{}", said.err);
}

fn below(desk: &Desk) -> Vec<String> {
    desk.all("work/names").into_iter().map(|file| format!("work/names/{file}")).collect()
}

#[test]
fn entry_of_a_table_in_mac_roman_gets_the_bytes_of_its_name() {
    let desk = forged("m2_map_a.sceA");
    desk.write("new", &[1, 2]);
    desk.ok(&["patch", FILE, "--add", "0!%C3%A9~2=new"]);
    let said = desk.run(&["inspect", FILE, "0!%C3%A9~2"]);
    assert_eq!(said.code, 0, "no such entry: {}", said.err);
}

#[test]
fn renamed_entry_of_a_table_in_mac_roman_gets_the_bytes_of_its_name() {
    let desk = forged("m2_map_a.sceA");
    desk.write("new", &[1, 2]);
    desk.ok(&["patch", FILE, "--add", "0!abcd=new"]);
    desk.ok(&["patch", FILE, "--rename", "0!abcd=p%8Cth"]);
    desk.ok(&["patch", FILE, "--rename", "0!p%8Cth=%C3%A9~2"]);
    let said = desk.run(&["inspect", FILE, "0!%C3%A9~2"]);
    assert_eq!(said.code, 0, "no such entry: {}", said.err);
}
