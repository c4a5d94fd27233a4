//! Every warning is planted by an edit, and untouched files have only the listed ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use bitexact::field::{decode, encode};
use bitexact::json::Recomputation;
use bitexact::lint::{Lint, Scope, warnings};
use bitexact::recompute::recompute;
use bitexact::registry::{KINDS, Kind, traps};
use bitexact::zipper::anim::{self, Anim};
use bitexact::zipper::gamez::{self, Gamez};
use bitexact::zipper::texture::Package;

use forge::Size;

use crate::{harness, lint_rules, specs};

const WORLD: &str = "rc/zbd/m1/gamez.zbd";
const LATER_WORLD: &str = "pm/zbd/c1/gamez.zbd";
const LAST_WORLD: &str = "cs/ZBD/C1/gamez.zbd";
const SCRIPTS: &str = "rc/zbd/interp.zbd";
const READERS: &str = "rc/zbd/m1/zrdr.zbd";
const TEXTURES: &str = "rc/zbd/m1/texture2.zbd";
const SOUNDS: &str = "rc/zbd/soundsl.zbd";
const STRINGS: &str = "cs/strings.dll";
const ANIMATIONS: &str = "rc/zbd/m1/anim.zbd";
const PROCESSED: &str = "mi/Maps/Processed.sceA";
const UNPROCESSED: &str = "m2/Maps/Never Burn Money.sceA";
const EARLY: &str = "m1/Maps/By the Rule.scen";
const BOAR: &str = "nwn/override/c_boar.mdl";
const WORM: &str = "nwn/override/c_worm.mdl";
const MAP: &str = "rc/maps/m1.zmap";

/// A file of the sample install, a warning, its place, edits to make first, and the edits that bring the warning.
pub(crate) type Plant = (&'static str, &'static str, &'static str, &'static [&'static str], &'static [&'static str]);

#[rustfmt::skip]
const PLANTS: &[Plant] = &[
    (WORLD, "address-changed", "/nodes/slots/7/parent_array_ptr", &[], &["--set", "/nodes/slots/7/parent_array_ptr=1234567"]),
    (WORLD, "world-value-ignored", "/nodes/slots/7/update_flags", &[], &["--set", "/nodes/slots/7/update_flags=5"]),
    (WORLD, "world-index", "/nodes/slots/7/model_index", &[], &["--set", "/nodes/slots/7/model_index=99"]),
    (WORLD, "node-box", "/nodes/slots/7/node_bbox", &[], &["--set", r#"/nodes/slots/7/flags="ACTIVE | ALTITUDE_SURFACE | INTERSECT_SURFACE | BBOX_MODEL | TREE_VALID | UNK_25 | BBOX_NODE""#, "--set", "/nodes/slots/7/node_bbox=[[0.0,0.0,0.0],[1.0,1.0,1.0]]"]),
    (WORLD, "box-flag", "/nodes/slots/7/model_bbox", &[], &["--set", r#"/nodes/slots/7/flags="ACTIVE""#]),
    (WORLD, "object-transform", "/nodes/slots/7/object", &[], &["--set", r#"/nodes/slots/7/object/flags="INITIAL | WORLD_MATRIX_STALE""#]),
    (WORLD, "landmark-in-cell", "/nodes/slots/0/world/cells/0/nodes/0", &[], &["--set", r#"/nodes/slots/13/flags="ACTIVE | ALTITUDE_SURFACE | INTERSECT_SURFACE | BBOX_MODEL | TREE_VALID | UNK_25 | LANDMARK""#]),
    (WORLD, "lod-range", "/nodes/slots/4/lod/range_far", &[], &["--set", "/nodes/slots/4/lod/range_near_sq=1e9"]),
    (WORLD, "model-count", "/models/slots/1/parent_count", &["--set", "/models/slots/1/parent_count=3"], &["--set", "/nodes/slots/5/model_index=3"]),
    (WORLD, "parent-child", "/nodes/slots/7/parents/0", &[], &["--set", "/nodes/slots/7/parents/0=8"]),
    (WORLD, "tree-valid", "/nodes/slots/7/flags", &[], &["--set", "/nodes/slots/7/parents/-=8"]),
    (WORLD, "node-name-length", "/nodes/slots/7/name", &[], &["--set", r#"/nodes/slots/7/name="xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx""#]),
    (WORLD, "node-name-repeated", "/nodes/slots/1/name", &[], &["--set", r#"/nodes/slots/28/name="window1""#]),
    (WORLD, "node-renamed", "/nodes/slots/28/name", &[], &["--set", r#"/nodes/slots/28/name="moonlight""#]),
    (WORLD, "vehicle-part", "/nodes/slots/7/name", &["--set", r#"/nodes/slots/7/name="turret""#], &["--set", r#"/nodes/slots/7/name="tower""#]),
    (WORLD, "node-moved", "/nodes/slots/1", &[], &["--set", r#"/nodes/slots/1/name="camera1""#, "--set", r#"/nodes/slots/2/name="window1""#]),
    (WORLD, "texture-moved", "/textures/0", &[], &["--set", r#"/textures/0/name="sand01.tif""#, "--set", r#"/textures/1/name="sand00.tif""#]),
    (WORLD, "world-texture-repeated", "/textures/2/name", &[], &["--set", r#"/textures/2/name="SAND01.bmp""#]),
    (WORLD, "crater-limit", "/nodes/slots/0/world/max_dec_features", &[], &["--set", "/nodes/slots/0/world/max_dec_features=256"]),
    (WORLD, "polygon-corners", "/models/slots/1/polygons/3/flags", &[], &["--delete", "/models/slots/1/polygons/3/vertices/0"]),
    (WORLD, "crater-object", "/nodes/slots/7/flags", &[], &["--set", r#"/nodes/slots/7/flags="ACTIVE | ALTITUDE_SURFACE | INTERSECT_SURFACE | BBOX_MODEL | TREE_VALID | UNK_25 | CAN_MODIFY""#]),
    (WORLD, "soil-limit", "/materials/slots/0/soil", &[], &["--set", "/materials/slots/0/soil=100"]),
    (WORLD, "cell-list", "/nodes/slots/7/area_partition_x", &[], &["--set", "/nodes/slots/7/area_partition_x=0", "--set", "/nodes/slots/7/area_partition_z=0"]),
    (WORLD, "full-pool", "/models/slots", &[], &["--delete", "/models/free/0", "--delete", "/models/free/1", "--delete", "/models/free/2", "--delete", "/models/free/3"]),
    (LATER_WORLD, "cell-height", "/nodes/slots/0/world/cells/0/nodes/0", &[], &["--set", "/nodes/slots/0/world/cells/0/nodes/0/min_y=-99.0"]),
    (LAST_WORLD, "active-box", "/nodes/slots/7/active_bbox", &[], &["--set", "/nodes/slots/7/active_bbox=3"]),
    (LAST_WORLD, "node-owners", "/nodes/slots/7/ownership", &["--set", "/nodes/slots/7/ownership=0"], &["--set", r#"/nodes/slots/7/ownership="M03=PLAYER""#]),
    (LAST_WORLD, "node-listed-once", "/nodes/slots/7/parents/0", &[], &["--set", "/nodes/slots/7/parents/0=8"]),
    (SCRIPTS, "script-line", r#"support\bft1.gw:/lines/5"#, &[], &["--set", r#"support\bft1.gw:/lines/5/words="a a a a a a a a a a a a a a a a a""#]),
    (SCRIPTS, "script-nesting", r#"support\bft1.gw:/lines/1"#, &[], &["--set", r#"support\bft1.gw:/lines/0/words="ifdef A""#, "--set", r#"support\bft1.gw:/lines/1/words="ifdef B""#]),
    (SCRIPTS, "script-build-only", r#"support\bft1.gw:/"#, &[], &["--set", r#"support\bft1.gw:/lines/0/words="Quit""#]),
    (READERS, "archive-value-ignored", "/entries/0/comment", &[], &["--set", r#"/entries/0/comment="x""#]),
    (READERS, "entry-name-repeated", "/entries/1/name", &[], &["--set", r#"/entries/1/name="OBJECTIVES.zrd""#]),
    (READERS, "reader-type", "ai.zrd:/0/11", &[], &["--set", "ai.zrd:/0/11=2", "--retype"]),
    (READERS, "reader-key", "ai.zrd:/0/5", &[], &["--set", r#"ai.zrd:/0/5="EFFECT""#]),
    (MAP, "map-points", "/features/0/points", &[], &["--set", "/features/0/points=[]"]),
    (MAP, "map-value-ignored", "/unk04", &[], &["--set", "/unk04=7"]),
    (STRINGS, "font-tag", ".rsrc:/resources/17/strings/0", &["--set", r#".rsrc:/resources/0/strings/0="[COUR9]Launch""#], &["--set", r#".rsrc:/resources/17/strings/0="[COUR8]Launch""#]),
    (SOUNDS, "sound-banks", "/entries/0", &[], &["--replace", "water_00.wav=sound.wav"]),
    (TEXTURES, "texture-name-repeated", "/directory/1/name", &[], &["--set", r#"/directory/1/name="GRND00_4""#]),
    (TEXTURES, "texture-order", "/directory/0/name", &[], &["--set", r#"/directory/0/name="Grnd00_4""#]),
    (ANIMATIONS, "definition-name-length", "/definitions/1/anim_name", &[], &["--set", r#"/definitions/1/anim_name="xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx""#]),
    (ANIMATIONS, "definition-moved", "/definitions/1", &[], &["--set", r#"/definitions/1/anim_name="open_door1""#, "--set", r#"/definitions/2/anim_name="open_door0""#]),
    (ANIMATIONS, "attach-node-changed", "/definitions/1/name", &[], &["--set", r#"/definitions/1/name="other""#]),
    (ANIMATIONS, "event-type", "/definitions/1/sequences/0/events/0/event_type", &[], &["--insert", r#"/definitions/1/sequences/0/events/0={"event_type":"DETONATE_WEAPON","start_offset":"ANIMATION","start_time":0.0,"payload":{"weapon":"w","node":-200,"position":[0.0,0.0,0.0]}}"#]),
    (ANIMATIONS, "object-state-ignored", "/definitions/1/objects/1/node_active", &[], &["--set", "/definitions/1/objects/1/node_active=0"]),
    (PROCESSED, "endpoints-ignored", "0!EPNT:/endpoints", &[], &["--add", "0!PNTS=points.bin"]),
    (PROCESSED, "index-lists-missing", "0!EPNT:/endpoints", &[], &["--remove", "0!iidx"]),
    (UNPROCESSED, "polygon-vertices", "0!POLY:/polygons/0/vertex_count", &[], &["--set", "0!POLY:/polygons/0/vertex_count=9"]),
    (UNPROCESSED, "side-flags-cleared", "0!SIDS:/sides/0/flags", &[], &["--set", r#"0!SIDS:/sides/0/flags="RESERVED | ITEM_OPTIONAL""#]),
    (UNPROCESSED, "object-index", "0!OBJS:/objects/0/index", &[], &["--set", r#"0!OBJS:/objects/0/group="MONSTER""#, "--set", "0!OBJS:/objects/0/index=47"]),
    (UNPROCESSED, "control-panel", "0!SIDS:/sides/0/control_panel", &[], &["--set", r#"0!SIDS:/sides/0/flags="CONTROL_PANEL""#, "--set", "0!SIDS:/sides/0/control_panel=54", "--retype"]),
    (UNPROCESSED, "platform-polygon", "0!plat:/platform_plans/0/polygon", &[], &["--set", "0!plat:/platform_plans/0/polygon=5"]),
    (PROCESSED, "processed-geometry", "0!EPNT:/endpoints/0/x", &[], &["--set", "0!EPNT:/endpoints/0/x=77"]),
    (UNPROCESSED, "level-collection", "0!Minf:/landscape", &[], &["--set", "0!Minf:/landscape=4"]),
    (PROCESSED, "level-value-ignored", "0!POLY:/polygons/0/first_object", &[], &["--set", "0!POLY:/polygons/0/first_object=3"]),
    (EARLY, "not-in-marathon", "0!POLY:/early_polygons/0/media", &[], &["--set", "0!POLY:/early_polygons/0/media=1"]),
    (WORM, "root-name", "/root/name", &[], &["--set", r#"/root/name="eel""#]),
    (WORM, "model-node-renamed", "/root/children/0/name", &[], &["--set", r#"/root/children/0/name="rib""#]),
    (BOAR, "animation-root", "/animations/0/animation_root", &[], &["--set", r#"/animations/0/animation_root="pig""#]),
    (BOAR, "animation-node-name", "/animations/0/root/children/0/name", &[], &["--set", r#"/animations/0/root/children/0/name="trunk""#, "--set", r#"/animations/0/root/children/0/own_part_number={"kept":1,"number":-1}"#]),
    (BOAR, "face-index", "/root/children/0/faces/1", &[], &["--set", "/root/children/0/faces/1/vertices/0=25"]),
    (BOAR, "texture-coordinates", "/root/children/0/mesh/textures/0", &[], &["--set", "/raw/0/coordinates=[]"]),
    (BOAR, "skin-weights", "/root/children/3/mesh", &[], &["--set", "/raw/4/weights/0=[2.0,0.0,0.0,0.0]"]),
    (BOAR, "resource-name-length", "/root/children/0/mesh/textures/0", &[], &["--set", r#"/root/children/0/mesh/textures/0="seventeen_letters""#]),
    (BOAR, "animation-node-ignored", "/animations/0/root/children/0/mesh/shadow", &[], &["--set", "/animations/0/root/children/0/mesh/shadow=0"]),
];

/// Warnings that tests of their own plant.
const OTHERS: &[&str] = &[
    "armor-part-twice",
    "attach-node",
    "soil-name-known",
    "text-encoding",
    "replacement-character",
    "crater-model",
    "decal",
    "event-if-nested",
    "font-letters",
    "logo-ignored",
    "reader-key-alone",
    "definition-limit",
    "frame-world",
    "jump-target",
    "loose-source",
    "resource-no-name",
    "resource-same-name",
    "material-limit",
    "plane-ammunition",
    "plane-ordnance",
    "save-result",
    "save-value-ignored",
    "texture-limit",
    "byte-in-samples",
    "extra-bytes",
    "file-as-unicode",
    "file-cut",
    "file-empty",
    "file-in-text-mode",
    "file-is-archive",
    "file-is-web-page",
    "film-stub",
    "image-no-size",
    "script-cut",
    "silence-in-samples",
    "sound-cut",
    "texture-level",
    "texture-mode",
    "texture-siblings",
    "texture-size",
    "texture-tier",
    "unowned-gap",
    "word-repeated",
    "zeros-at-end",
    "zeros-in-entry",
    "zeros-in-file",
    "zeros-in-gap",
    "zeros-in-packed",
    "zeros-in-pixels",
    "zeros-in-samples",
];

/// A sound of four samples.
const SOUND: &[u8] =
    b"RIFF\x28\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x11\x2b\0\0\x11\x2b\0\0\x01\0\x08\0data\x04\0\0\0\x80\x80\x80\x80";

/// The result of running the program in a folder.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn run(folder: &Path, args: &[&str]) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bitexact"));
    let output = harness::output_of(command.current_dir(folder).args(args));
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    Said { code: output.status.code().expect("not killed"), out, err }
}

/// Returns a member of a row.
pub(crate) fn member<'a>(row: &'a serde_json::Value, name: &str) -> &'a str {
    row.get(name).and_then(serde_json::Value::as_str).unwrap_or_default()
}

/// Returns the rows of `lint --json`.
pub(crate) fn rows(folder: &Path, args: &[&str]) -> Vec<serde_json::Value> {
    let said = run(folder, &[&["lint", "--json"], args].concat());
    said.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// Returns the number of warnings with an id that `lint` prints with an option.
fn total(folder: &Path, option: &str, path: &str, id: &str) -> u64 {
    let args: Vec<&str> = [option, path].into_iter().filter(|arg| !arg.is_empty()).collect();
    let rows = rows(folder, &args).into_iter().filter(|row| member(row, "id") == id);
    rows.map(|row| row["count"].as_u64().unwrap()).sum()
}

/// Copies a file of the sample install to a new folder, and returns its name.
fn copied(file: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let name = file.rsplit('/').next().unwrap().to_owned();
    fs::copy(harness::golden_install().join(file), folder.path().join(&name)).unwrap();
    (folder, name)
}

#[test]
fn edit_brings_its_warning() {
    let scopes: BTreeMap<&str, Scope> = traps().into_iter().map(|trap| (trap.id, trap.scope)).collect();
    for &(file, id, place, first, edit) in PLANTS.iter().chain(lint_rules::LEVELS) {
        let (desk, name) = copied(file);
        let folder = desk.path();
        fs::write(folder.join("points.bin"), [0, 1, 0, 2].repeat(8)).unwrap();
        fs::write(folder.join("sound.wav"), SOUND).unwrap();
        fs::write(folder.join("odd.bin"), [0; 73]).unwrap();
        fs::write(folder.join("many.bin"), [0; 16 * 1025]).unwrap();
        if !first.is_empty() {
            let said = run(folder, &[&["patch", &name], first].concat());
            assert_eq!(said.code, 0, "{id}: {}", said.err);
        }
        let before = ["", "--all"].map(|all| total(folder, all, &name, id));
        let said = run(folder, &[&["patch", &name, "--force", "-o", "edited"], edit].concat());
        assert_eq!(said.code, 0, "{id}: {}", said.err);
        let beginning = format!("warning: {place}: ");
        let brought = said.err.lines().any(|it| it.starts_with(&beginning) && it.contains(&format!("[{id}; ")));
        assert!(brought, "{id} at {place}: {}", said.err);
        // The name decides the kind of some files.
        let edited = folder.join("edited").join(&name);
        fs::rename(folder.join("edited"), folder.join("file")).unwrap();
        fs::create_dir(folder.join("edited")).unwrap();
        fs::rename(folder.join("file"), &edited).unwrap();
        let shown = run(folder, &["inspect", &format!("edited/{name}"), place]);
        assert_eq!(shown.code, 0, "{id}: inspect takes {place}: {}", shown.err);
        let after = ["", "--all"].map(|all| total(folder, all, "edited", id));
        let is_more: Vec<bool> = before.iter().zip(after).map(|(before, after)| *before < after).collect();
        assert_eq!(is_more, [scopes[id] == Scope::File, scopes[id] != Scope::Change], "{id}");
        let allowed = rows(folder, &["--all", "--allow", id, "edited"]);
        assert!(allowed.iter().all(|row| member(row, "id") != id), "{id}");
    }
}

#[test]
fn warning_of_a_changed_value_names_both_values() {
    let (desk, name) = copied(READERS);
    let edit = ["patch", &name, "-o", "edited.zbd", "--set", "ai.zrd:/0/11=2", "--retype"];
    let both = "warning: ai.zrd:/0/11: an integer became a float, or a float an integer (1.2 → 2); ";
    let said = run(desk.path(), &edit);
    assert!(said.err.contains(both), "{}", said.err);
    // Packing over the original, too.
    assert_eq!(run(desk.path(), &["unpack", &name, "folder"]).code, 0);
    let document = desk.path().join("folder/ai.zrd.json");
    assert_eq!(run(desk.path(), &["unpack", "edited.zbd", "other"]).code, 0);
    fs::copy(desk.path().join("other/ai.zrd.json"), document).unwrap();
    let said = run(desk.path(), &["pack", "folder", &name, "--force"]);
    assert!(said.err.contains(both), "{}", said.err);
}

#[test]
fn every_warning_is_planted_and_in_the_guide() {
    let guide = fs::read_to_string(harness::root().join("src/guide/lint.md")).unwrap();
    let plants = PLANTS.iter().chain(lint_rules::LEVELS).map(|plant| plant.1);
    let texts = lint_rules::TEXTS.iter().map(|text| text.1);
    let others = OTHERS.iter().chain(lint_rules::OTHERS).copied();
    let planted: BTreeSet<&str> = plants.chain(texts).chain(others).collect();
    let declared: BTreeSet<&str> = traps().into_iter().map(|trap| trap.id).collect();
    let [unplanted, unknown] = [&declared - &planted, &planted - &declared];
    assert!(unplanted.is_empty(), "planted by no test: {unplanted:?}; add lines to PLANTS in this file");
    assert!(unknown.is_empty(), "planted, but no warning: {unknown:?}");
    for id in declared {
        assert!(guide.contains(&format!("`{id}`")), "{id} is in no list of the guide");
        assert!(id.bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase()), "{id}");
    }
}

#[test]
fn sources_of_warnings_exist() {
    let mut wrong = Vec::new();
    for trap in traps() {
        let mark = trap.source.strip_suffix(')').and_then(|source| source.rsplit_once(" (")).map(|(_, mark)| mark);
        let is_marked = matches!(mark, Some("engine" | "measured" | "checked"));
        assert!(
            is_marked,
            "{}: expected `FILE.md, section N (engine)`, (measured) or (checked), found {}",
            trap.id, trap.source
        );
        assert!(trap.source.contains(".md, "), "{}: no section of a format spec", trap.source);
        wrong.extend(specs::wrong_citations(trap.id, trap.source));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn models_with_signs_of_damage_say_so() {
    let has_sign = |kind: &&Kind| kind.traps.iter().any(|trap| trap.scope.severity().is_some());
    let kinds: Vec<&Kind> = KINDS.iter().filter(has_sign).collect();
    assert!(kinds.len() >= 3, "{}", kinds.len());
    let samples = forge::samples(1, Size::Tiny);
    for kind in kinds {
        let sample = samples.iter().find(|it| it.kind == kind.name && it.trap.is_none()).expect(kind.name);
        let model = (kind.decode)(sample.bytes.clone().into()).expect("it decodes").model;
        let says = model.has_signs();
        assert!(
            says,
            "{}: expected `has_signs` of its model to be true, since one of its traps is a sign of damage",
            kind.name
        );
    }
}

/// The folders of real files among the corpora; a generator made the others.
const REAL: [&str; 7] = ["marathon", "nwn", "nwn-install", "nwn-ncs", "nwn-pairs", "nwn-text", "wild"];

/// The rows of the guide's tables of ids: id, scope, source, warnings in real files.
fn guide_rows() -> Vec<[String; 4]> {
    let guide = fs::read_to_string(harness::root().join("src/guide/lint.md")).unwrap();
    let rows = guide.lines().filter(|line| line.starts_with("| `") && line.matches('|').count() == 5);
    let cells = |line: &str| -> Vec<String> { line.split('|').map(|cell| cell.trim().replace('`', "")).collect() };
    let rows = rows.map(cells).map(|cells| [1, 2, 3, 4].map(|nth| cells[nth].clone()));
    rows.filter(|[_, scope, ..]| !scope.contains(' ')).collect()
}

/// Returns `true` for a warning that the guide does not count in real files.
fn is_uncounted(scope: &str, source: &str) -> bool {
    scope == "change" || source.starts_with("zipper")
}

#[test]
fn guide_lists_every_rule_as_the_registry_has_it() {
    let rows: BTreeSet<[String; 3]> =
        guide_rows().into_iter().map(|[id, scope, source, _]| [id, scope, source]).collect();
    let rules = traps().into_iter().map(|it| [it.id, it.scope.name(), it.source].map(str::to_owned));
    let rules: BTreeSet<[String; 3]> = rules.collect();
    let [missing, surplus] = [&rules - &rows, &rows - &rules];
    // A new warning is one that no real file has.
    let told = |[id, scope, source]: &[String; 3]| {
        let count = if is_uncounted(scope, source) { "–" } else { "0" };
        format!("| `{id}` | {scope} | {source} | {count} |")
    };
    let lines = |rows: &BTreeSet<_>| rows.iter().map(told).collect::<Vec<_>>().join("\n");
    assert!(missing.is_empty(), "missing in src/guide/lint.md:\n{}", lines(&missing));
    assert!(surplus.is_empty(), "in src/guide/lint.md, but no such warning:\n{}", lines(&surplus));
    assert_eq!(guide_rows().len(), traps().len(), "no id twice");
}

#[test]
fn guide_counts_the_warnings_in_real_files() {
    let Some(corpora) = harness::corpora() else {
        return eprintln!("no corpora beside the project: nothing is tested");
    };
    let (mut counts, mut files) = (BTreeMap::<String, (u64, BTreeSet<String>)>::new(), 0);
    for row in REAL.iter().flat_map(|folder| rows(&corpora, &["--all", folder])) {
        match row.get("summary") {
            Some(summary) => files += summary["files"].as_u64().unwrap(),
            None => {
                let (count, paths) = counts.entry(member(&row, "id").to_owned()).or_default();
                *count += row["count"].as_u64().unwrap();
                paths.insert(member(&row, "path").to_owned());
            }
        }
    }
    let guide = fs::read_to_string(harness::root().join("src/guide/lint.md")).unwrap();
    assert!(guide.contains(&format!("in the {files} files")), "{files} files");
    for [id, scope, source, found] in guide_rows() {
        let expected = match counts.get(&id) {
            _ if is_uncounted(&scope, &source) => "–".to_owned(),
            Some((count, paths)) => format!("{count} in {}", paths.len()),
            None => "0".to_owned(),
        };
        assert_eq!(found.replace(',', ""), expected, "{id}");
        // A rule that real files break is none that `lint` reports unasked, unless the file has lost something by it.
        let has_lost = ["texture-coordinates", "animation-node-name", "text-encoding", "replacement-character"];
        assert!(scope != "file" || expected == "0" || expected == "–" || has_lost.contains(&&*id), "{id}: {found}");
    }
}

/// Returns the ids of the warnings of a model, each with its place.
pub(crate) fn linted(model: &dyn Lint) -> Vec<(&'static str, String)> {
    warnings(model).into_iter().map(|it| (it.trap.id, it.first_place.to_string())).collect()
}

fn golden(file: &str) -> Vec<u8> {
    fs::read(harness::golden_install().join(file)).unwrap()
}

#[test]
fn world_beyond_its_limits_has_warnings() {
    let mut world: Gamez = decode(golden(WORLD)).expect("it decodes").model;
    let gamez::Body::Recoil(body) = &mut world.body else { panic!("of Recoil") };
    let (texture, material) = (body.textures[0], body.materials.slots[0]);
    body.textures.resize(4096, texture);
    body.materials.slots.resize(32_767 - body.materials.free.len(), material);
    let cycled = body.materials.cycles[0].clone();
    let slots = body.materials.slots.iter();
    let cycles =
        slots.filter(|slot| bitexact::field::Flags::contains(&slot.flags, gamez::materials::MaterialFlags::CYCLED));
    let cycles = cycles.count();
    body.materials.cycles.resize_with(cycles, || cycled.clone());
    recompute(&mut world, &Recomputation::default()).expect("it recomputes");
    let limits =
        |world: &Gamez| -> Vec<_> { linted(world).into_iter().filter(|(id, _)| id.ends_with("-limit")).collect() };
    assert_eq!(limits(&world), []);
    let gamez::Body::Recoil(body) = &mut world.body else { panic!("of Recoil") };
    body.textures.push(texture);
    body.materials.slots.push(material);
    recompute(&mut world, &Recomputation::default()).expect("it recomputes");
    let expected = [("texture-limit", "/textures".to_owned()), ("material-limit", "/materials/slots".to_owned())];
    assert_eq!(limits(&world), expected);
}

#[test]
fn model_too_large_for_craters_has_a_warning() {
    use bitexact::field::{F32, Flags as _};
    use bitexact::zipper::gamez::nodes::NodeFlags;
    let mut world: Gamez = decode(golden(WORLD)).expect("it decodes").model;
    for (vertices, expected) in [(922, vec![]), (923, vec![("crater-model", "/models/slots/3".to_owned())])] {
        let gamez::Body::Recoil(body) = &mut world.body else { panic!("of Recoil") };
        body.nodes.slots[7].base.head.flags.insert(NodeFlags::CAN_MODIFY);
        body.models.slots[3].model.mesh.vertices = vec![[F32::new(0.0); 3]; vertices].into();
        recompute(&mut world, &Recomputation::default()).expect("it recomputes");
        let found: Vec<_> = linted(&world).into_iter().filter(|(id, _)| *id == "crater-model").collect();
        assert_eq!(found, expected, "{vertices} vertices");
    }
}

#[test]
fn too_many_definitions_have_a_warning() {
    let mut animations: Anim = decode(golden(ANIMATIONS)).expect("it decodes").model;
    for (count, expected) in [(32_767, vec![]), (32_768, vec![("definition-limit", "/definitions".to_owned())])] {
        let anim::Body::Recoil(body) = &mut animations.body else { panic!("of Recoil") };
        let empty = body.definitions[0].clone();
        body.definitions.resize(count, empty);
        recompute(&mut animations, &Recomputation::default()).expect("it recomputes");
        let found: Vec<_> = linted(&animations).into_iter().filter(|(id, _)| *id == "definition-limit").collect();
        assert_eq!(found, expected, "{count} definitions");
    }
}

#[test]
fn replaced_image_has_warnings() {
    let before: Package = decode(golden("rc/zbd/m1/texture8.zbd")).expect("it decodes").model;
    let mut after = before.clone();
    let image = &mut after.images[0];
    image.head.width.set(3);
    image.head.height.set(1);
    image.head.palette_count.set(0);
    image.pixels = vec![0_u8; 6].into();
    image.palette = Vec::new().into();
    recompute(&mut after, &Recomputation::default()).expect("it recomputes");
    let after = encode(&after).expect("it is laid out");
    let brought = harness::compared("texture", &golden("rc/zbd/m1/texture8.zbd"), &after, |it| {
        it.new_warnings("texture8.zbd").expect("both are walked")
    });
    let found: Vec<_> = brought.iter().map(|it| (it.trap.id, it.first_place.to_string(), it.count)).collect();
    let place = || "/directory/0".to_owned();
    assert_eq!(found, [("texture-size", place(), 1), ("texture-mode", place(), 1), ("texture-siblings", place(), 1)]);
}

#[test]
fn package_larger_than_its_name_has_a_warning() {
    let tier = harness::kind("texture").trap_of_name;
    let id = |name, bytes| tier(name, bytes).map(|(trap, _)| trap.id);
    assert_eq!(id("RTexture2.zbd", 2 << 20), None);
    assert_eq!(id("RTexture2.zbd", (2 << 20) + 1), Some("texture-tier"));
    assert_eq!([id("rtexture.zbd", u64::MAX), id("rimage.zbd", u64::MAX)], [None; 2]);
}

#[test]
fn loose_source_in_an_install_has_a_warning() {
    let desk = tempfile::tempdir().unwrap();
    let folder = desk.path();
    for file in ["rc/zbd/m1/zrdr.zbd", "rc/zbd/m1/gamez.zbd", "mw/DefaultCtlConfig.zrd", "mw/zbd/c1/gamez.zbd"] {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, golden(file)).unwrap();
    }
    let loose = |folder: &Path| -> Vec<String> {
        let rows = rows(folder, &["."]).into_iter().filter(|row| member(row, "id") == "loose-source");
        rows.map(|row| member(&row, "path").replace('\\', "/")).collect()
    };
    assert_eq!(loose(folder), Vec::<String>::new());
    fs::write(folder.join("rc/zbd/m1/m1.GS"), "Quit\n").unwrap();
    assert_eq!(loose(folder), ["./rc/zbd/m1/m1.GS"]);
}

/// Source: `zipper-anim.md`, section 10. No mission that was sold is at hand, so the rule is tried on generated ones alone.
#[test]
fn animations_need_the_nodes_of_the_world_beside_them() {
    let desk = tempfile::tempdir().unwrap();
    let folder = desk.path();
    let edit = |from: &str, to: &str, edits: &[&str]| {
        let path = folder.join(to);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, golden(from)).unwrap();
        let said = run(folder, &[&["patch", to, "--quiet"], edits].concat());
        assert_eq!(said.code, 0, "{}", said.err);
    };
    let found = |path: &str| -> Vec<(String, String)> {
        let rows = rows(folder, &["--all", path]).into_iter().filter(|row| member(row, "id") == "attach-node");
        rows.map(|row| (member(&row, "path").replace('\\', "/"), member(&row, "message").to_owned())).collect()
    };
    let names = run(&harness::golden_install(), &["inspect", "--json", ANIMATIONS]).out;
    let shown: serde_json::Value = serde_json::from_str(&names).unwrap();
    let all = shown.pointer("/value/definitions").or_else(|| shown.pointer("/definitions")).expect("definitions");
    let mut wanted: Vec<&str> = all.as_array().unwrap().iter().skip(1).map(|it| it["name"].as_str().unwrap()).collect();
    wanted.sort_unstable();
    wanted.dedup();
    // The nodes of the world get the names that the animations are attached to.
    let renames: Vec<String> =
        (5..).zip(&wanted).map(|(slot, name)| format!("/nodes/slots/{slot}/name={name:?}")).collect();
    let edits: Vec<&str> = renames.iter().flat_map(|set| ["--set", set]).collect();
    edit(WORLD, "zbd/m1/gamez.zbd", &edits);
    fs::write(folder.join("zbd/m1/anim.zbd"), golden(ANIMATIONS)).unwrap();
    assert_eq!(found("."), []);
    edit(ANIMATIONS, "zbd/m1/anim.zbd", &["--set", r#"/definitions/1/name="nowhere""#]);
    let message = "a definition is attached to a node that the world beside it does not have (nowhere)";
    assert_eq!(found("."), [("./zbd/m1/anim.zbd".to_owned(), message.to_owned())]);
    // The game skips inactive definitions; without a world beside them, nothing is known.
    edit(ANIMATIONS, "zbd/m2/anim.zbd", &["--set", r#"/definitions/1/name="nowhere""#]);
    assert_eq!(found("zbd/m2"), []);
    edit(
        ANIMATIONS,
        "zbd/m1/anim.zbd",
        &["--set", r#"/definitions/1/name="nowhere""#, "--set", r#"/definitions/1/status="NOT_ACTIVE""#],
    );
    assert_eq!(found("."), []);
}

/// Source: `zipper-gamez.md`, section 5.
#[test]
fn soils_that_are_known_already_are_reported() {
    let (desk, name) = copied(READERS);
    let folder = desk.path();
    for (list, found) in [
        (r#"["player", "enemy", "dirt"]"#, ""),
        (r#"["player", "Water the sea", "dirt"]"#, "Water the sea"),
        (r#"["player", "dirt", "DIRT2"]"#, "DIRT2"),
    ] {
        fs::write(folder.join("soils.json"), list).unwrap();
        fs::copy(harness::golden_install().join(READERS), folder.join(&name)).unwrap();
        let edits = ["--rename", "ai.zrd=soils.zrd", "--set", "soils.zrd:/=[\"player\"]", "--quiet"];
        let said = run(folder, &[&["patch", &name], &edits[..]].concat());
        assert_eq!(said.code, 0, "{}", said.err);
        let said = run(folder, &["patch", &name, "--set", &format!("soils.zrd:/={list}"), "--retype"]);
        assert_eq!(said.code, 0, "{}", said.err);
        assert_eq!(said.err.contains("[soil-name-known; "), !found.is_empty(), "{list}: {}", said.err);
        let count = total(folder, "--all", &name, "soil-name-known");
        assert_eq!(count, u64::from(!found.is_empty()), "{list}");
        assert!(said.err.contains(found), "{}", said.err);
    }
}

/// Returns the numbers of warnings below a folder.
fn counts(folder: &Path) -> BTreeMap<String, u64> {
    let rows = rows(folder, &["."]);
    let summary = rows.last().and_then(|row| row.get("summary")).expect("a summary");
    assert_eq!(summary["failed"], 0);
    summary["warnings"].as_object().unwrap().iter().map(|(id, count)| (id.clone(), count.as_u64().unwrap())).collect()
}

#[test]
fn untouched_files_have_only_these_warnings() {
    let counted = |expected: &[(&str, u64)]| -> BTreeMap<String, u64> {
        expected.iter().map(|(id, count)| ((*id).to_owned(), *count)).collect()
    };
    // The forge draws flags of sides and platforms, commands and empty pools at random.
    let golden = [
        ("full-pool", 2),
        ("map-points", 1),
        ("platform-direction", 11),
        ("script-nesting", 9),
        ("side-flags-cleared", 470),
    ];
    assert_eq!(counts(&harness::golden_install()), counted(&golden));
    let Some(corpora) = harness::corpora() else {
        return eprintln!("no corpora beside the project: nothing is tested");
    };
    assert_eq!(counts(&corpora.join("marathon")), counted(&[]));
    // One node is named differently in its animation, and one texture has no coordinates.
    let models = [("animation-node-name", 1), ("texture-coordinates", 1)];
    assert_eq!(counts(&corpora.join("nwn")), counted(&models));
    // A generator made these files, with random numbers of points and corners.
    let worlds = [("map-points", 6), ("polygon-corners", 5)];
    assert_eq!(counts(&corpora.join("zipper")), counted(&worlds));
}

#[test]
fn packed_folder_prints_the_warnings_of_its_edit() {
    let (desk, name) = copied(MAP);
    let folder = desk.path();
    let ok = |args: &[&str]| {
        let said = run(folder, args);
        assert_eq!(said.code, 0, "{args:?}: {}", said.err);
        said.err
    };
    ok(&["unpack", &name, "map"]);
    assert!(!ok(&["pack", "map", "same.zmap"]).contains("warning: "));
    let manifest = folder.join("map/bitexact.json");
    let json = fs::read_to_string(&manifest).unwrap();
    let edited = json.replacen("\"unk04\": 25", "\"unk04\": 26", 1);
    assert_ne!(json, edited);
    fs::write(&manifest, edited).unwrap();
    // Without the original, it is not known that the value has changed.
    assert!(!ok(&["pack", "map", "new.zmap"]).contains("warning: "));
    let said = ok(&["pack", "--force", "map", &name]);
    assert!(said.contains("warning: /unk04: a value that the game does not use was changed (25 → 26); "), "{said}");
    assert!(!ok(&["pack", "--quiet", "--force", "map", &name]).contains("warning: "));
    ok(&["patch", &name, "--set", "/features/0/points=[]"]);
    fs::remove_file(&manifest).unwrap();
    ok(&["unpack", "--force", &name, "map"]);
    let json = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, json.replacen("\"unk04\": 26", "\"unk04\": 27", 1)).unwrap();
    assert!(ok(&["pack", "map", "third.zmap"]).contains("[map-points; "));
    // The original has this warning too.
    assert!(!ok(&["pack", "--force", "map", &name]).contains("[map-points; "));
}

#[test]
fn exit_code_tells_whether_there_are_warnings() {
    let install = harness::golden_install();
    let code = |args: &[&str]| run(&install, &[&["lint"], args].concat()).code;
    assert_eq!(code(&["rc/maps/m1.zmap"]), 0);
    assert_eq!(code(&["rc/maps/m5.zmap"]), 1);
    assert_eq!(code(&["--allow", "map-points", "rc/maps/m5.zmap"]), 0);
    assert_eq!(code(&["--allow", "map-point", "rc/maps/m5.zmap"]), 2);
    assert_eq!([code(&[]), code(&["--list"]), code(&["--list", "."]), code(&["missing"])], [2, 0, 2, 2]);
    let desk = tempfile::tempdir().unwrap();
    fs::write(desk.path().join("m1.zmap"), [5, 0, 0]).unwrap();
    fs::write(desk.path().join("note.txt"), "text").unwrap();
    let said = run(desk.path(), &["lint", "."]);
    assert_eq!(said.code, 1, "{}", said.err);
    assert!(said.err.contains("m1.zmap: 0x"), "{}", said.err);
    let said = run(desk.path(), &["lint", "note.txt"]);
    assert_eq!((said.code, said.err.as_str()), (2, "bitexact: nothing to check: no supported files in note.txt\n"));
}

#[test]
fn rows_have_the_documented_keys() {
    let rows = rows(&harness::golden_install(), &["rc/maps/m5.zmap"]);
    let keys: Vec<Vec<&String>> = rows.iter().map(|row| row.as_object().unwrap().keys().collect()).collect();
    let warning = ["count", "effect", "first_place", "id", "kind", "message", "path", "place", "schema", "source"];
    assert_eq!(keys, [&warning[..], &["schema", "summary"]]);
    assert_eq!((member(&rows[0], "place"), rows[0]["count"].as_u64()), ("/features/*/points", Some(1)));
    let listed = run(&harness::golden_install(), &["lint", "--list", "--json"]);
    assert_eq!(listed.out.lines().count(), traps().len());
}
