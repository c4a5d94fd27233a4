//! Rules of levels of Marathon, and of texts, modules and containers of Neverwinter Nights: a good and a bad sample of each.

use std::fs;
use std::path::Path;

use bitexact::field::{decode, encode};
use bitexact::json::Recomputation;
use bitexact::lint::warnings;
use bitexact::marathon::chunk::Content;
use bitexact::marathon::map::Point;
use bitexact::marathon::wad::Wad;
use bitexact::recompute::recompute;

use crate::harness;
use crate::lint::{Plant, linted, member, rows, run};

const RAW: &str = "m2/Maps/Never Burn Money.sceA";
const PROCESSED: &str = "mi/Maps/Processed.sceA";
const PHYSICS: &str = "mi/Physics Models/Standard.phyA";

/// Edits of a level that bring a warning. The level consists of square rooms side by side; the first is between the points 0, 1, 8 and 7.
#[rustfmt::skip]
pub(crate) const LEVELS: &[Plant] = &[
    (RAW, "polygon-concave", "0!POLY:/polygons/0", &[], &["--set", "0!PNTS:/points/8/x=-1350", "--set", "0!PNTS:/points/8/y=-1350"]),
    (RAW, "polygon-winding", "0!POLY:/polygons/0", &[], &["--set", "0!PNTS:/points/1/x=-1536", "--set", "0!PNTS:/points/1/y=-1024", "--set", "0!PNTS:/points/7/x=-1024", "--set", "0!PNTS:/points/7/y=-1536"]),
    (RAW, "polygon-lines", "0!POLY:/polygons/0/lines", &[], &["--set", "0!POLY:/polygons/0/lines/1=0"]),
    (PROCESSED, "polygon-points", "0!POLY:/polygons/0/endpoints", &[], &["--set", "0!POLY:/polygons/0/endpoints/0=5"]),
    (RAW, "polygon-detached", "0!POLY:/polygons/0/flags", &[], &["--set", r#"0!POLY:/polygons/0/flags="DETACHED""#]),
    (RAW, "polygon-flat", "0!POLY:/polygons/0", &[], &["--set", "0!PNTS:/points/0/y=-1000", "--set", "0!PNTS:/points/1/y=-1000", "--set", "0!PNTS:/points/7/y=-1000", "--set", "0!PNTS:/points/8/y=-1000"]),
    (RAW, "polygon-height", "0!POLY:/polygons/0/floor_height", &[], &["--set", "0!POLY:/polygons/0/floor_height=9000"]),
    (RAW, "line-zero-length", "0!LINS:/lines/0/endpoints", &[], &["--set", "0!PNTS:/points/0={\"x\": 5, \"y\": 5}", "--set", "0!PNTS:/points/1={\"x\": 5, \"y\": 5}"]),
    (RAW, "line-twice", "0!LINS:/lines/1", &[], &["--set", "0!LINS:/lines/1/endpoints=[0, 1]"]),
    (RAW, "line-transparent", "0!LINS:/lines/0/flags", &[], &["--set", r#"0!LINS:/lines/0/flags="TRANSPARENT""#]),
    (RAW, "line-length", "0!LINS:/lines/0/endpoints", &[], &["--set", "0!PNTS:/points/0/x=-32000", "--set", "0!PNTS:/points/1/x=32000"]),
    (RAW, "line-owners", "0!LINS:/lines/0", &[], &["--set", "0!LINS:/lines/0/counterclockwise_polygon=0"]),
    (RAW, "side-orphan", "0!SIDS:/sides/0", &[], &["--set", "0!LINS:/lines/0/clockwise_side=-1"]),
    (RAW, "side-shared", "0!SIDS:/sides/0", &[], &["--set", "0!LINS:/lines/2/clockwise_side=0"]),
    (PROCESSED, "side-owner", "0!SIDS:/sides/0", &[], &["--set", "0!SIDS:/sides/0/line=2"]),
    (RAW, "side-runtime-flag", "0!SIDS:/sides/0/flags", &[], &["--set", r#"0!SIDS:/sides/0/flags="RESERVED""#]),
    (RAW, "level-index", "0!POLY:/polygons/0/floor_light", &[], &["--set", "0!POLY:/polygons/0/floor_light=99"]),
    (RAW, "level-value", "0!POLY:/polygons/0/kind", &[], &["--set", "0!POLY:/polygons/0/kind=24", "--retype"]),
    (RAW, "liquid-light", "0!POLY:/polygons/2/media_light", &[], &["--set", "0!POLY:/polygons/2/media_light=99"]),
    (RAW, "surface-collection", "0!POLY:/polygons/0/floor_texture", &[], &["--set", r#"0!POLY:/polygons/0/floor_texture="INTERFACE | SHAPE=5""#]),
    (RAW, "terminal-text", "0!term:/terminals/0/groups/0", &[], &["--set", "0!term:/terminals/0/groups/0/text_length=9999"]),
    (RAW, "trigger-target", "0!POLY:/polygons/1/permutation", &["--set", r#"0!POLY:/polygons/1/kind="NORMAL""#], &["--set", r#"0!POLY:/polygons/1/kind="PLATFORM_ON_TRIGGER""#, "--set", "0!POLY:/polygons/1/permutation=1"]),
    (RAW, "switch-target", "0!SIDS:/sides/0/permutation", &["--set", r#"0!SIDS:/sides/0/flags="LIGHTED_SWITCH""#], &["--set", r#"0!SIDS:/sides/0/flags="CONTROL_PANEL""#, "--set", r#"0!SIDS:/sides/0/control_panel="WATER_PLATFORM_SWITCH""#, "--set", "0!SIDS:/sides/0/permutation=1"]),
    (RAW, "terminal-missing", "0!SIDS:/sides/0/permutation", &[], &["--set", r#"0!SIDS:/sides/0/flags="CONTROL_PANEL""#, "--set", r#"0!SIDS:/sides/0/control_panel="WATER_TERMINAL""#, "--set", "0!SIDS:/sides/0/permutation=99"]),
    (RAW, "teleporter-in-current", "0!POLY:/polygons/2", &["--set", r#"0!POLY:/polygons/2/kind="NORMAL""#], &["--set", r#"0!POLY:/polygons/2/kind="TELEPORTER""#, "--set", "0!POLY:/polygons/2/permutation=0", "--set", "0!medi:/liquids/0/current_magnitude=50"]),
    (RAW, "object-in-void", "0!OBJS:/objects/0", &[], &["--set", "0!OBJS:/objects/0/x=20000"]),
    (RAW, "object-outside", "0!OBJS:/objects/1", &[], &["--set", "0!OBJS:/objects/1/polygon=20"]),
    (RAW, "player-outside", "0!OBJS:/objects/0", &[], &["--set", "0!OBJS:/objects/0/polygon=20"]),
    (RAW, "object-height", "0!OBJS:/objects/2/z", &[], &["--set", r#"0!OBJS:/objects/2/group="PLAYER""#, "--set", "0!OBJS:/objects/2/index=0", "--set", "0!OBJS:/objects/2/z=9000"]),
    (RAW, "platform-twice", "0!plat:/platform_plans/1/polygon", &[], &["--set", "0!plat:/platform_plans/1/polygon=0"]),
    (RAW, "platform-direction", "0!plat:/platform_plans/0/flags", &["--set", r#"0!plat:/platform_plans/0/flags="COMES_FROM_FLOOR""#], &["--set", r#"0!plat:/platform_plans/0/flags="SECRET""#]),
    (RAW, "platform-once", "0!plat:/platform_plans/0/flags", &["--set", r#"0!plat:/platform_plans/0/flags="COMES_FROM_FLOOR""#], &["--set", r#"0!plat:/platform_plans/0/flags="COMES_FROM_FLOOR | ACTIVATES_ONLY_ONCE""#]),
    (RAW, "platform-missing", "0!POLY:/polygons/3", &[], &["--set", r#"0!POLY:/polygons/3/kind="PLATFORM""#]),
    (PROCESSED, "platform-permutation", "0!POLY:/polygons/0/permutation", &[], &["--set", "0!POLY:/polygons/0/permutation=1"]),
    (RAW, "light-endless", "0!LITE:/lights/0", &[], &["--set", "0!LITE:/lights/0/flags=\"INITIALLY_ACTIVE\"", "--set", "0!LITE:/lights/0/primary_active/period=0", "--set", "0!LITE:/lights/0/primary_active/delta_period=0", "--set", "0!LITE:/lights/0/secondary_active/period=0", "--set", "0!LITE:/lights/0/secondary_active/delta_period=0"]),
    (RAW, "light-period", "0!LITE:/lights/0/primary_active/period", &[], &["--set", "0!LITE:/lights/0/primary_active/period=-5"]),
    (RAW, "light-delta", "0!LITE:/lights/0/primary_active/delta_period", &[], &["--set", "0!LITE:/lights/0/primary_active/delta_period=-1"]),
    (RAW, "liquid-upside-down", "0!medi:/liquids/0/low", &["--set", "0!medi:/liquids/0/low=-5", "--set", "0!medi:/liquids/0/high=5"], &["--set", "0!medi:/liquids/0/low=9000"]),
    (RAW, "level-chunk-missing", "0!POLY:/polygons", &[], &["--remove", "0!OBJS"]),
    (RAW, "level-chunk-length", "0!NOTE:/rest", &[], &["--replace", "0!NOTE=odd.bin"]),
    (RAW, "index-lists-count", "0!iidx:/indices", &[], &["--add", "0!iidx=points.bin"]),
    (RAW, "player-start", "0!OBJS:/objects", &[], &["--replace", "0!OBJS=points.bin"]),
    (RAW, "monster-limit", "0!OBJS:/objects", &[], &["--replace", "0!OBJS=many.bin"]),
    (RAW, "object-limit", "0!OBJS:/objects", &[], &["--replace", "0!OBJS=many.bin"]),
    (RAW, "entry-points", "0!Minf:/entry_point_flags", &["--set", r#"0!Minf:/entry_point_flags="SOLO""#], &["--set", r#"0!Minf:/entry_point_flags="""#]),
    (PHYSICS, "physics-count", "0!MNpx:/monsters", &[], &["--replace", "0!MNpx=many.bin"]),
];

/// The ids that the tests below plant.
pub(crate) const OTHERS: &[&str] = &[
    "level-count",
    "map-index-limit",
    "map-index-near",
    "material-resource-name",
    "mesh-face-limit",
    "model-node-name-length",
    "module-hak-absent",
    "module-talk-table-absent",
    "resource-name-character",
    "resource-no-type",
    "settings-list-short",
    "skin-bone-limit",
    "walkmesh-tree",
];

/// A model as text: a root and a triangle below it, which has an animation.
const MODEL: &str = "newmodel cat
setsupermodel cat NULL
classification Character
setanimationscale 1
beginmodelgeom cat
node dummy cat
  parent NULL
endnode
node skin tail
  parent cat
  position 0 0 1.5
  bitmap cat_fur
  verts 3
    0 0 0
    1 0 0
    0 1 0
  tverts 3
    0 0 0
    1 0 0
    0 1 0
  faces 1
    0 1 2 1 0 1 2 0
  weights 3
    cat 1.0
    tail 0.5 cat 0.5
    tail 1.0
endnode
endmodelgeom cat
newanim walk cat
  length 1
  transtime 0.25
  animroot cat
  node dummy cat
    parent NULL
  endnode
doneanim walk cat
donemodel cat
";

const TABLE: &str = "2DA V2.0\r\n\r\n   LABEL  NAME\r\n0  Cat    \"a cat\"\r\n1  Dog    ****\r\n";

/// A kind, an id, its place, and what is replaced in the good text to bring it.
type Spoiled = (&'static str, &'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
pub(crate) const TEXTS: &[Spoiled] = &[
    ("2da", "table-byte-order-mark", "/", "2DA", "\u{FEFF}2DA"),
    ("2da", "table-column-twice", "/columns/1", "NAME", "label"),
    ("2da", "table-cells-missing", "/rows/1", "Dog    ****", "Dog"),
    ("2da", "table-cells-too-many", "/rows/0", "\"a cat\"", "a cat"),
    ("2da", "table-quote-open", "/rows/0", "\"a cat\"", "\"a cat"),
    ("2da", "table-stars", "/rows/1", "****", "***"),
    ("2da", "table-stars-mixed", "/rows/1", "****", "***-"),
    ("2da", "table-comment", "/rows/1", "1  Dog", "// dogs\r\n1  Dog"),
    ("2da", "table-row-label", "/rows/1/label", "1  Dog", "5  Dog"),
    ("text-model", "model-text-frame", "/", "donemodel cat\n", ""),
    ("text-model", "node-parent", "/9/1", "  parent cat\n", "  parent dog\n"),
    ("text-model", "node-second-root", "/8/2", "  parent cat\n", "  parent NULL\n"),
    ("text-model", "node-twice", "/27/2", "endmodelgeom", "node dummy TAIL\n  parent cat\nendnode\nendmodelgeom"),
    ("text-model", "node-kind", "/8/1", "node skin", "node skinn"),
    ("text-model", "model-root-name", "/5/2", "newmodel cat", "newmodel kitten"),
    ("text-model", "model-resource-name", "/11/1", "cat_fur", "the_fur_of_a_brown_cat"),
    ("text-model", "model-no-coordinates", "/11/1", "  tverts 3\n    0 0 0\n    1 0 0\n    0 1 0\n", ""),
    ("text-model", "model-number", "/10/3", "1.5", "1,5"),
    ("text-model", "model-number", "/10/3", "1.5", "-1.#IND"),
    ("text-model", "face-index", "/21/2", "    0 1 2 1", "    0 1 3 1"),
    ("text-model", "face-index", "/21/6", "1 0 1 2 0", "1 0 1 3 0"),
    ("text-model", "skin-bone", "/25/0", "    tail 1.0\n", "    paw 1.0\n"),
    ("text-model", "mesh-list-length", "/22/1", "  weights 3\n    cat 1.0\n", "  weights 2\n"),
    ("text-model", "animation-node-unknown", "/32/2", "  node dummy cat\n    parent", "  node dummy dog\n    parent"),
    ("text-model", "animation-root", "/31/1", "animroot cat", "animroot dog"),
    ("text-model", "model-node-name-length", "/8/2", "skin tail", "skin the_tail_of_a_cat_with_a_long_name"),
];

/// Returns the ids and places of the warnings of a file of a kind.
fn of(name: &str, file: &[u8]) -> Vec<(&'static str, String)> {
    let model = (harness::kind(name).decode)(file.to_vec().into()).expect("it decodes").model;
    linted(&model)
}

#[test]
fn mistake_in_a_text_is_warned_of_where_it_is_and_when_it_is_made() {
    for &(name, id, place, from, to) in TEXTS {
        let (good, file) = if name == "2da" { (TABLE, "cats.2da") } else { (MODEL, "cat.mdl") };
        assert_eq!(of(name, good.as_bytes()), [], "{name}");
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good, "{id}");
        let found = of(name, bad.as_bytes());
        assert!(found.contains(&(id, place.to_owned())), "{id} at {place}: {found:?}");
        let brought =
            harness::compared(name, good.as_bytes(), bad.as_bytes(), |it| it.new_warnings(file).expect("both"));
        assert!(brought.iter().any(|it| it.trap.id == id), "{id}: {brought:?}");
    }
}

#[test]
fn model_beyond_the_limits_of_the_game_has_warnings() {
    let face = "    0 1 2 1 0 1 2 0\n";
    for (count, expected) in [(21_845, false), (21_846, true)] {
        let text =
            MODEL.replacen(&format!("  faces 1\n{face}"), &format!("  faces {count}\n{}", face.repeat(count)), 1);
        assert_eq!(of("text-model", text.as_bytes()).contains(&("mesh-face-limit", "/20/1".to_owned())), expected);
    }
    // The root and the tail are bones too.
    for (count, expected) in [(62, false), (63, true)] {
        let node = |nth: usize| format!("node dummy bone{nth}\n  parent cat\nendnode\n");
        let bones: String = (0..count).map(|nth| format!(" bone{nth} 0.01")).collect();
        let nodes: String = (0..count).map(node).collect();
        let text = MODEL.replacen("    tail 1.0\n", &format!("   {bones}\n"), 1);
        let text = text.replacen("node skin", &format!("{nodes}node skin"), 1);
        let found = of("text-model", text.as_bytes());
        assert_eq!(found.iter().any(|(id, _)| *id == "skin-bone-limit"), expected, "{found:?}");
    }
    // The name of 32 characters fills its field in a compiled model.
    let desk = tempfile::tempdir().unwrap();
    fs::copy(harness::golden_install().join("nwn/override/c_worm.mdl"), desk.path().join("c_worm.mdl")).unwrap();
    let name = "x".repeat(32);
    let said = run(desk.path(), &["patch", "c_worm.mdl", "--set", &format!("/root/children/0/name=\"{name}\"")]);
    assert!(said.code == 0 && said.err.contains("[model-node-name-length; "), "{}", said.err);
    assert!(run(desk.path(), &["lint", "c_worm.mdl"]).out.contains("[model-node-name-length; "));
}

#[test]
fn level_beyond_the_limits_of_the_engine_has_warnings() {
    let wad: Wad = decode(fs::read(harness::golden_install().join(RAW)).unwrap()).expect("it decodes").model;
    let with = |change: &dyn Fn(&mut Content)| {
        let mut wad = wad.clone();
        wad.entries[0].chunks.iter_mut().for_each(|chunk| change(&mut chunk.payload));
        linted(&wad)
    };
    assert_eq!(with(&|_| ()).into_iter().filter(|(id, _)| id.contains("count") || id.contains("map-index")).count(), 0);
    let points = |count: usize| {
        let found = with(&|content| {
            if let Content::Points(array) = content {
                array.records.edit(|points| points.resize(count, Point::default()));
            }
        });
        found.contains(&("level-count", "0!PNTS:/points".to_owned()))
    };
    assert_eq!([points(32_767), points(32_768)], [false, true]);
    // Each sound is heard in all 30 rooms.
    let sounds = |count: usize| -> Vec<&'static str> {
        let found = with(&|content| {
            if let Content::Objects(array) = content {
                let source = array.records[1];
                array.records.edit(|objects| objects.resize(count, source));
            }
        });
        found.into_iter().map(|(id, _)| id).filter(|id| id.starts_with("map-index")).collect()
    };
    assert_eq!([sounds(1900), sounds(2100), sounds(2300)], [vec![], vec!["map-index-near"], vec!["map-index-limit"]]);
}

/// Returns the ids that `lint` prints for a path.
fn ids(folder: &Path, path: &str) -> Vec<String> {
    let rows = rows(folder, &[path]).into_iter().map(|row| member(&row, "id").to_owned());
    rows.filter(|id| !id.is_empty()).collect()
}

#[test]
fn what_a_module_names_must_be_beside_it() {
    let desk = tempfile::tempdir().unwrap();
    let folder = desk.path();
    let file = |path: &str, text: &str| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let information = r#"{"__data_type": "IFO ", "__struct_id": -1,
        "Mod_HakList": {"type": "list", "value": [{"__struct_id": 8, "Mod_Hak": {"type": "cexostring", "value": "Cats"}}]},
        "Mod_CustomTlk": {"type": "cexostring", "value": "cat_words"}}"#;
    file("src/module.ifo.json", information);
    fs::create_dir_all(folder.join("user/modules")).unwrap();
    let said = run(folder, &["pack", "--new", "mod", "src", "user/modules/cats.mod"]);
    assert_eq!(said.code, 0, "{}", said.err);
    // Alone in some folder, its files may be anywhere.
    fs::copy(folder.join("user/modules/cats.mod"), folder.join("cats.mod")).unwrap();
    assert_eq!(ids(folder, "cats.mod"), [""; 0]);
    let both = ["module-hak-absent", "module-talk-table-absent"];
    assert_eq!(ids(folder, "user"), both);
    for row in rows(folder, &["user"]).iter().filter(|row| row.get("summary").is_none()) {
        let shown = run(folder, &["inspect", "user/modules/cats.mod", member(row, "first_place")]);
        assert_eq!(shown.code, 0, "{row}: {}", shown.err);
    }
    file("user/hak/CATS.HAK", "");
    assert_eq!(ids(folder, "user/modules"), both[1..]);
    file("user/tlk/cat_words.tlk", "");
    assert_eq!(ids(folder, "user/modules"), [""; 0]);
}

#[test]
fn names_of_resources_are_those_that_the_game_has() {
    use bitexact::aurora::erf::Erf;
    use bitexact::aurora::resource::ResourceType;
    let with = |name: &str, kind: ResourceType| {
        let mut erf = Erf::new(*b"HAK ");
        erf.push(name, kind, vec![1].into()).expect("a name");
        recompute(&mut erf, &Recomputation::default()).expect("it recomputes");
        let file = encode(&erf).expect("it is laid out");
        let found = warnings(&decode::<Erf>(file).expect("it decodes").model);
        found.into_iter().map(|it| (it.trap.id, it.first_place.to_string())).collect::<Vec<_>>()
    };
    let place = || "/entries/0/name".to_owned();
    assert_eq!(with("nw_ch_fm_st-11", ResourceType::new(2027)), []);
    assert_eq!(with("katzen\u{fc}ber", ResourceType::new(2027)), [("resource-name-character", place())]);
    assert_eq!(with("cat/dog", ResourceType::new(2027)), [("resource-name-character", place())]);
    assert_eq!(with("cat", ResourceType::new(65535)), [("resource-no-type", place())]);
}

#[test]
fn list_of_texture_settings_has_all_its_values() {
    let desk = tempfile::tempdir().unwrap();
    let good = "proceduretype arturo\nchannelscale 2\n1\n\n0.5\nchanneltranslate 1\n0\n";
    for (text, expected) in [(good, vec![]), (&good.replace("scale 2", "scale 8")[..], vec!["settings-list-short"])] {
        fs::write(desk.path().join("cat.txi"), text).unwrap();
        assert_eq!(ids(desk.path(), "cat.txi"), expected);
    }
    let said = run(desk.path(), &["lint", "cat.txi"]);
    assert!(
        said.out.starts_with("cat.txi: /1: a list of texture settings has fewer values than it says (2 of 8); "),
        "{}",
        said.out
    );
}

#[test]
fn resources_that_a_material_names_have_short_names() {
    let desk = tempfile::tempdir().unwrap();
    let good = "// a stone\nrenderhint NormalAndSpecMapped\ntexture0 stone_of_16_char\ncustomshaderVS vs_stone\nparameter float Specularity_of_stones 0.5\n";
    fs::write(desk.path().join("stone.mtr"), good).unwrap();
    assert_eq!(ids(desk.path(), "stone.mtr"), [""; 0]);
    fs::write(desk.path().join("stone.mtr"), good.replace("16_char", "16_chars")).unwrap();
    assert_eq!(ids(desk.path(), "stone.mtr"), ["material-resource-name"]);
    let said = run(desk.path(), &["lint", "stone.mtr"]);
    assert!(
        said.out
            .starts_with("stone.mtr: /2: a material names a resource with more than 16 letters (stone_of_16_chars); "),
        "{}",
        said.out
    );
}

#[test]
fn file_beside_an_install_silences_warnings_and_says_how_many() {
    let desk = tempfile::tempdir().unwrap();
    let folder = desk.path();
    for name in ["maps/m5.zmap", "other/m5.zmap"] {
        fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
        fs::copy(harness::golden_install().join("rc/maps/m5.zmap"), folder.join(name)).unwrap();
    }
    let said = |path: &str| {
        let said = run(folder, &["lint", path]);
        (said.code, said.out.lines().last().unwrap_or_default().to_owned(), said.err)
    };
    assert_eq!(said("."), (1, "2 warnings in 2 of 2 files".to_owned(), String::new()));
    fs::write(folder.join("bitexact.allow"), "# seen\nmap-points maps/* # by the forge\n").unwrap();
    let one = "1 warning in 1 of 2 files; 1 silenced: map-points 1";
    assert_eq!(said("."), (1, one.to_owned(), String::new()));
    let row = rows(folder, &["."]).pop().expect("a summary");
    assert_eq!(row["summary"]["silenced"]["map-points"], 1);
    // Named alone, a file is below the same folder.
    assert_eq!(said("maps/m5.zmap"), (0, "no warnings in 1 file; 1 silenced: map-points 1".to_owned(), String::new()));
    assert_eq!(said("other").0, 1);
    fs::write(folder.join("other/bitexact.allow"), "map-points").unwrap();
    assert_eq!(said("."), (0, "no warnings in 2 files; 2 silenced: map-points 2".to_owned(), String::new()));
    fs::write(folder.join("bitexact.allow"), "map-point\n").unwrap();
    let (code, out, err) = said("maps");
    assert_eq!((code, &*out), (2, "1 warning in 1 of 1 file"));
    assert!(
        err.contains("bitexact.allow: line 1: no warning has the id map-point; see `bitexact lint --list`"),
        "{err}"
    );
}
