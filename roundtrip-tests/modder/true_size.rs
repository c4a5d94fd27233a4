//! Every command over files with the counts of retail files: what a modder does with one of them, from unpacking to a mod.

use std::collections::HashSet;
use std::fs;

use bitexact::exchange::show;
use bitexact::field::{Class, Datum, Place, Result, Value, Visitor, visit};
use bitexact::json::Compact;
use bitexact::kind::Model;

use super::Desk;
use crate::harness::{self, kind};

/// Most files have thousands of values; this many are tried before none can be edited.
const TRIED: usize = 24;

/// The places of values that mean something.
#[derive(Default)]
struct Semantic(Vec<String>);

impl Visitor for Semantic {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        datum.owners(&mut |owner| {
            if owner.class == Class::Semantic && owner.bytes.len() <= 8 {
                self.0.push(owner.place.to_string());
            }
        });
        Ok(())
    }
}

/// Returns a value close to another one, so that it is probably as valid.
fn close_to(value: &Value) -> Option<Value> {
    match value {
        Value::Integer(number) => Some(Value::Integer(if *number > 0 { number - 1 } else { number + 1 })),
        Value::Float(number) => Some(Value::from(*number as f32 + 0.5)),
        _ => None,
    }
}

/// Returns places of numbers, spread over the file from its middle on, each with another value.
fn numbers(model: &Model) -> Vec<(String, Value)> {
    let mut semantic = Semantic::default();
    visit(model, &mut semantic).unwrap();
    let places = semantic.0;
    let step = (places.len() / (4 * TRIED)).max(1);
    let spread = places.iter().cycle().skip(places.len() / 2).step_by(step).take(4 * TRIED);
    let number = |place: &String| {
        // Of an image, only its size is a number, which its pixels determine.
        let is_size = ["/width", "/height"].iter().any(|end| place.ends_with(end));
        let shown = show(model, place, usize::MAX).ok()??;
        // A field of a GFF has a type beside its value.
        let (place, shown) = match shown.get("value") {
            Some(value) => (format!("{place}/value"), value),
            None => (place.clone(), &shown),
        };
        Some((place, close_to(shown)?)).filter(|_| !is_size)
    };
    spread.filter_map(number).take(TRIED).collect()
}

/// Runs every command over a file.
fn every_command(name: &str) {
    let file = forge::true_size::true_size().find(|file| file.name == name).expect(name);
    let (kind, original) = (kind(file.kind), file.bytes(harness::SEED));
    let desk = Desk::of(&[]);
    desk.write(&format!("original/{name}"), &original);
    desk.write(&format!("game/{name}"), &original);
    desk.write(&format!("edited/{name}"), &original);
    let [old, new] = ["original", "edited"].map(|folder| format!("{folder}/{name}"));

    for via in [&[][..], &["--via", "exchange"], &["--via", "gltf"]] {
        desk.ok(&[&["verify", old.as_str()][..], via].concat());
    }
    for reads in [&["inspect"][..], &["ls"], &["lint"], &["snapshot"]] {
        let said = desk.run(&[reads, &[old.as_str()][..]].concat());
        // Findings of `lint`, and files without entries.
        assert!(said.code <= 2 && !said.err.contains("internal"), "{reads:?}: {}", said.err);
    }
    desk.ok(&["unpack", &old, "unpacked"]);
    desk.ok(&["pack", "unpacked", "packed"]);
    assert!(desk.read("packed") == original, "{name}: unpacked and packed, it is another file");
    fs::remove_dir_all(desk.path("unpacked")).unwrap();
    if !kind.exports.is_empty() {
        let said = desk.run(&["export", &old]);
        // Archives without models, and forks without images.
        let nothing = ["an archive without a 'Mech library has no models to export", "no bitmap or picture to export"];
        let is_nothing = said.code == 2 && nothing.iter().any(|words| said.err.contains(words));
        assert!(said.code == 0 || is_nothing, "{name}: export: {}", said.err);
    }

    let numbers = numbers(&(kind.decode)(original.clone().into()).unwrap().model);
    let (place, value) = match numbers.is_empty() {
        // Pixels and texts have no places for single numbers.
        true => {
            desk.write(&new, &with_another_digit(&original));
            Default::default()
        }
        false => edit(&desk, (&old, &new), numbers),
    };
    let edited = desk.read(&new);
    let model = (kind.decode)(edited.clone().into()).unwrap().model;
    if !place.is_empty() {
        let said = show(&model, &place, usize::MAX).unwrap().map(|it| Compact(&it).to_string());
        assert_eq!(said, Some(value.clone()), "{name}: {place}");
    }
    desk.ok(&["verify", "--via", "exchange", &new]);

    let changes = desk.run(&["diff", "--json", &old, &new]);
    let changes: serde_json::Value =
        serde_json::from_str(&changes.out).unwrap_or_else(|why| panic!("{why}: {}", changes.out));
    let mut labels = Labels::default();
    visit(&model, &mut labels).unwrap();
    let is_label = |change: &&serde_json::Value| change["at"].as_str().is_some_and(|at| labels.0.contains(at));
    let edits = changes["changes"].as_array().unwrap();
    let [change] = &edits.iter().filter(|change| !is_label(change)).collect::<Vec<_>>()[..] else {
        panic!("{name}: {place}: {changes:.2000}")
    };
    match change["do"].as_str() {
        _ if place.is_empty() => {}
        // Formats without an unpacked form of their own, such as WAV, are replaced as a whole.
        Some("replace") => assert_eq!(change["entry"], entry_of(&place), "{name}: {changes:.2000}"),
        _ => assert_eq!((change["at"].as_str(), change["new"].to_string()), (Some(&*place), value), "{name}"),
    }
    desk.write("changes.json", changes.to_string().as_bytes());
    desk.ok(&["patch", &old, "-o", "again", "--apply", "changes.json"]);
    assert!(desk.read("again") == edited, "{name}: {place}: the changes give another file");

    desk.ok(&["mod", "make", "original", "edited", "-o", "edit.mod"]);
    desk.ok(&["mod", "apply", "game", "edit.mod"]);
    assert!(desk.read(&format!("game/{name}")) == edited, "{name}: {place}: the mod gives another file");
    desk.ok(&["mod", "undo", "game"]);
    assert!(desk.read(&format!("game/{name}")) == original, "{name}: undone, it is another file");
}

/// Values that follow from others.
#[derive(Default)]
struct Labels(HashSet<String>);

impl Visitor for Labels {
    fn data(&mut self, _: &Datum<'_>) -> Result {
        Ok(())
    }

    fn fact(&mut self, place: &Place, _: Value) {
        self.0.insert(place.to_string());
    }

    fn wants_facts(&self) -> bool {
        true
    }
}

/// Returns the entry of a place.
fn entry_of(place: &str) -> &str {
    place.split_once(":/").map_or("", |(entry, _)| entry)
}

/// Returns a file with its last digit changed, or its last byte if there is none.
fn with_another_digit(file: &[u8]) -> Vec<u8> {
    let mut edited = file.to_vec();
    match edited.iter_mut().rev().find(|byte| byte.is_ascii_digit()) {
        Some(digit) => *digit = if *digit == b'1' { b'2' } else { b'1' },
        None => *edited.last_mut().unwrap() ^= 1,
    }
    edited
}

/// Changes one number, and returns its place and its new value as JSON.
fn edit(desk: &Desk, (old, new): (&str, &str), numbers: Vec<(String, Value)>) -> (String, String) {
    let mut refused = Vec::new();
    for (place, value) in numbers.into_iter().map(|(place, value)| (place, Compact(&value).to_string())) {
        fs::remove_file(desk.path(new)).ok();
        let said = desk.run(&["patch", old, "-o", new, "--set", &format!("{place}={value}")]);
        match said.code {
            0 => return (place, value),
            _ => refused.push(format!("{place}={value}: {}", said.err)),
        }
        assert!(!desk.path(new).exists(), "a refused patch writes nothing");
    }
    panic!("no number can be edited:\n{}", refused.join("\n"));
}

/// A test per file, so that they run at once and can be selected.
macro_rules! files {
    ($($test:ident: $name:literal;)*) => {
        $(
            #[test]
            fn $test() {
                every_command($name);
            }
        )*

        #[test]
        fn every_file_has_a_test() {
            let tested = [$($name),*];
            let missing: Vec<_> = forge::true_size::true_size().filter(|it| !tested.contains(&it.name)).collect();
            assert!(missing.is_empty(), "{:?}", missing.iter().map(|it| it.name).collect::<Vec<_>>());
        }
    };
}

files! {
    archive_of_sounds: "mw_soundsH.zbd";
    archive_of_compressed_sounds: "cs_soundsh.zbd";
    archive_of_readers: "cs_zrdr.zbd";
    archive_of_motions: "mw_motion.zbd";
    archive_of_models: "mw_mechlib.zbd";
    archive_of_states: "Mission.102.sav";
    gamez_of_recoil: "rc_m1_gamez.zbd";
    gamez_of_crimson_skies: "cs_c5_gamez.zbd";
    anim_of_crimson_skies: "cs_m01_mis_anim.zbd";
    anim_of_recoil: "rc_m1_anim.zbd";
    textures_with_palettes: "cs_c4_texture.zbd";
    textures_with_global_palettes: "rc_m1_texture2.zbd";
    interp_of_crimson_skies: "cs_interp.zbd";
    interp_of_recoil: "rc_interp.zbd";
    messages_of_strings: "strings.dll";
    messages_of_interface: "langui.dll";
    rof: "crimson.rof";
    bm: "DEV_WING.BM";
    motion: "vulture_stand.motion";
    reader: "player.zrd";
    text_reader: "DefaultCtlConfig.zrd";
    zmap: "m1.zmap";
    wave: "mech_footfall_2s.wav";
    avi: "Campaign.avi";
    shapes: "Shapes.shpA";
    shapes_patch: "Player.ShPa";
    macbinary: "Shapes.shps";
    applesingle: "Shapes.as";
    resources_of_sounds: "Sounds.rsrc";
    resources_of_images: "Images.imgA";
    picture: "01000.pct";
    sounds: "Sounds.sndA";
    sounds_patch: "Sounds.SnPa";
    wad_of_marathon: "Map.scen";
    wad_of_marathon_2: "Map.sceA";
    wad_at_the_limits: "limits.sceA";
    wad_at_raised_limits: "raised_limits.sceA";
    wad_of_physics: "Standard.phyA";
    physics: "Physics.phys";
    film: "demo.filA";
    key: "chitin.key";
    bif: "xp3.bif";
    erf: "xp1_templates.hak";
    gff: "dialog.dlg";
    tlk: "dialog.tlk";
    two_da: "appearance.2da";
    binary_2da: "sister.2da";
    ssf: "c_boar.ssf";
    plt: "pmh0_chest017.plt";
    ltr: "elff.ltr";
    ncs: "largest.ncs";
    mdl: "c_boar.mdl";
    text_model: "plc_hand.mdl";
    tileset: "tde01.set";
}
