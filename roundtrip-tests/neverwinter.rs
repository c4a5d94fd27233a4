//! Neverwinter Nights except for binary models: the files beside the project, edits of trees of fields, and the traps that users of
//! other tools met.

mod joined;
mod links;
mod loose;
mod model_reader;
mod model_texts;
mod reports;
mod script_texts;
mod scripts;
mod text_models;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bitexact::aurora::erf::Erf;
use bitexact::exchange::{MANIFEST, parse, print};
use bitexact::field::{Class, Value, decode};
use bitexact::install::files;
use bitexact::json::Compact;
use bitexact::kind::Container as _;
use bitexact::recompute::encode_edited;
use bitexact::registry::KINDS;
use bitexact::verify::{Report, Status, VerifyOptions, verify, verify_with};
use forge::nwn::gff::{self, Spec, Struct, build, localized, resref, string, void};

use crate::harness::{self, kind, packed, sample, unpacked};

/// The kinds that this module tests.
const NEW: [&str; 13] =
    ["2da", "bif", "binary-2da", "erf", "gff", "key", "ltr", "ncs", "plt", "set", "ssf", "text-model", "tlk"];

fn reports(folder: &Path, via: bool) -> Vec<(String, Report)> {
    let how = VerifyOptions::default().entries(true).via_exchange(via);
    let report = |file: &bitexact::install::Found| verify_with(KINDS, &file.name(), file.read().unwrap(), how);
    files(folder).unwrap().iter().map(|file| (file.shown(), report(file))).collect()
}

/// Source: `nwn-install/SOURCES.md`.
#[test]
fn corpus_is_identical_and_damaged_files_are_refused() {
    let Some(corpora) = harness::corpora() else {
        return eprintln!("no corpora beside the project: nothing is tested");
    };
    for via in [false, true] {
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        let mut others: BTreeMap<&str, usize> = BTreeMap::new();
        for (path, report) in reports(&corpora.join("nwn-install"), via) {
            match report.status {
                Status::Identical => {
                    let kind = report.kind.unwrap();
                    assert_eq!(report.rewritten, report.sha256, "{path}");
                    assert!(report.undecoded.is_empty(), "{path}: {:?}", report.undecoded);
                    // Containers have resources of foreign kinds; the cells of binary tables are not understood.
                    if !["erf", "binary-2da"].contains(&kind) {
                        assert_eq!(report.census.unwrap().of(Class::Opaque), 0, "{path}");
                    }
                    *kinds.entry(kind).or_default() += 1;
                }
                Status::Refused => {
                    assert!(
                        path.contains("/hostile/") || path.ends_with("bif-header-only.bif"),
                        "{path}: {:?}",
                        report.failure
                    );
                    let why = format!("{:?}", report.failure);
                    assert!(path.contains("/hostile/") || why.contains("2013313 bytes are missing"), "{why}");
                    *others.entry("refused").or_default() += 1;
                }
                Status::Foreign => *others.entry(report.kind.unwrap()).or_default() += 1,
                status => {
                    assert!(path.ends_with("SOURCES.md"), "{path}: {status:?} {:?}", report.failure);
                }
            }
        }
        let counts = [
            ("2da", 56),
            ("binary-2da", 2),
            ("erf", 42),
            ("gff", 182),
            ("key", 3),
            ("ltr", 1),
            ("ncs", 18),
            ("plt", 6),
            ("ssf", 13),
            ("text-model", 6),
            ("tlk", 12),
        ];
        assert_eq!(kinds, BTreeMap::from(counts), "through exchange: {via}");
        assert_eq!(others, BTreeMap::from([("dds", 6), ("refused", 4)]));
    }
}

#[test]
fn no_file_of_another_game_is_taken_for_one_of_these() {
    let Some(corpora) = harness::corpora() else {
        return eprintln!("no corpora beside the project: nothing is tested");
    };
    let mut seen = 0;
    for folder in ["marathon", "zipper", "nwn"] {
        for (path, report) in reports(&corpora.join(folder), false) {
            let kind = report.kind.unwrap_or_default();
            // Text models were recognized before, but not decoded.
            assert!(!NEW.contains(&kind) || (kind == "text-model" && path.ends_with(".mdl")), "{path}: {kind}");
            seen += 1;
        }
    }
    assert!(seen > 300, "only {seen} files");
}

#[test]
fn forged_files_of_other_games_keep_their_kinds() {
    for sample in forge::samples(harness::SEED, forge::Size::Small) {
        let report = verify(KINDS, &sample.name, sample.bytes);
        assert_eq!(report.kind, Some(sample.kind), "{}", sample.name);
    }
}

/// Returns the tree of a GFF as JSON.
fn tree(bytes: &[u8]) -> Value {
    let files = unpacked(kind("gff"), bytes);
    let manifest = parse(&files[MANIFEST]).unwrap();
    manifest.get("data").unwrap().clone()
}

/// Packs a tree in place of that of a file.
fn with_tree(bytes: &[u8], tree: Value) -> Result<Vec<u8>, String> {
    let mut files = unpacked(kind("gff"), bytes);
    let mut manifest = parse(&files[MANIFEST]).unwrap();
    *manifest.step_mut("data").unwrap() = tree;
    files.insert(MANIFEST.to_owned(), print(&manifest).into());
    packed(files)
}

/// Returns a tree without the order of its file, which an edit gives up.
fn without_layout(tree: &Value) -> Value {
    tree.without(&["__layout"])
}

/// Changes the first value of a type below a struct, and returns `true` if there is one.
fn change_first(json: &mut Value, change: &mut dyn FnMut(&str, &mut Value) -> bool) -> bool {
    let Value::Object(members) = json else { return false };
    for (_, field) in members.iter_mut() {
        let Some(of) = field.get("type").and_then(Value::text).map(str::to_owned) else { continue };
        if change(&of, field) {
            return true;
        }
        let is_changed = match field.step_mut("value") {
            Some(Value::List(items)) => items.iter_mut().any(|item| change_first(item, change)),
            Some(inner) => of == "struct" && change_first(inner, change),
            None => false,
        };
        if is_changed {
            return true;
        }
    }
    false
}

/// Changes a field, given its type. Returns `true` if it did.
type Change = Box<dyn FnMut(&str, &mut Value) -> bool>;

/// Edits of a tree: a text in a language, an item of a list added and removed, a float, a reference emptied.
fn edits() -> Vec<(&'static str, Change)> {
    fn set(field: &mut Value, key: &str, value: Value) -> bool {
        *field.step_mut(key).unwrap() = value;
        true
    }
    fn items(field: &mut Value) -> Option<&mut Vec<Value>> {
        match field.step_mut("value") {
            Some(Value::List(items)) if !items.is_empty() => Some(items),
            _ => None,
        }
    }
    vec![
        (
            "text",
            Box::new(|of, field| {
                of == "cexolocstring"
                    && field.step_mut("value").is_some_and(|value| {
                        // The number of the text is shown after the texts.
                        let id = value.take_member("id");
                        value.put("4", "Größe – ß".into());
                        id.into_iter().for_each(|id| value.put("id", id));
                        true
                    })
            }),
        ),
        (
            "added",
            Box::new(|of, field| {
                of == "list"
                    && items(field).is_some_and(|items| {
                        items.push(items[0].clone());
                        true
                    })
            }),
        ),
        ("removed", Box::new(|of, field| of == "list" && items(field).is_some_and(|items| items.pop().is_some()))),
        (
            "float",
            Box::new(|of, field| {
                of == "float" && field.get("value").is_some() && set(field, "value", Value::from(-0.0_f32))
            }),
        ),
        (
            "emptied",
            Box::new(|of, field| {
                let is_filled = field.get("value").and_then(Value::text).is_some_and(|text| !text.is_empty());
                of == "resref" && is_filled && set(field, "value", "".into())
            }),
        ),
    ]
}

/// Returns generated trees, and 20 of the corpus.
fn trees() -> Vec<(String, Vec<u8>)> {
    let names =
        ["boar.utc", "area.git", "gff_languages.utp", "gff_lists_last.git", "gff_double_labels.uti", "gff_packed.git"];
    let mut all: Vec<_> = names.iter().map(|name| ((*name).to_owned(), sample(name))).collect();
    if let Some(corpora) = harness::corpora() {
        let found = files(&corpora.join("nwn-install")).unwrap();
        let is_tree = |name: &str| {
            ["are", "git", "ifo", "utc", "uti", "utp", "dlg", "jrl", "utm", "bic"].iter().any(|it| name.ends_with(it))
        };
        let found = found.iter().filter(|file| is_tree(&file.name()) && !file.shown().contains("/hostile/"));
        let found = found.filter(|file| file.size.clone().unwrap() < 60_000).step_by(5).take(20);
        all.extend(found.map(|file| (file.shown(), file.read().unwrap())));
    }
    all
}

#[test]
fn edited_trees_contain_exactly_the_edit() {
    let mut made: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, bytes) in trees() {
        let before = tree(&bytes);
        for (name, mut edit) in edits() {
            let mut wanted = without_layout(&before);
            if !change_first(&mut wanted, &mut edit) {
                continue;
            }
            let mut edited = before.clone();
            change_first(&mut edited, &mut edits().into_iter().find(|(it, _)| *it == name).unwrap().1);
            let packed = with_tree(&bytes, edited).unwrap_or_else(|why| panic!("{path}: {name}: {why}"));
            assert_eq!(without_layout(&tree(&packed)), wanted, "{path}: {name}");
            let report = verify(KINDS, "edited.utc", packed.clone());
            assert_eq!((report.status, report.kind), (Status::Identical, Some("gff")), "{path}: {name}");
            // Without the edit, the game's own files come back.
            let restored = with_tree(&packed, before.clone()).unwrap();
            assert!(restored == bytes, "{path}: {name} is undone");
            *made.entry(name).or_default() += 1;
        }
    }
    assert!(made.len() == 5 && made.values().all(|count| *count >= 3), "{made:?}");
}

/// The edited trees that another reader is asked about.
const ASKED: usize = 20;

/// Runs a script beside this file, which asks another reader about files. Returns whether it found nothing, and what it printed.
fn ask_reader(python: &OsStr, script: &str, folder: &Path, paths: &[PathBuf]) -> (bool, String, String) {
    let script = harness::root().join("roundtrip-tests").join(script);
    let output = Command::new(python).current_dir(folder).arg(script).args(paths).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

/// Another reader: `pip install pykotor` in a virtual environment, whose Python `BITEXACT_PYKOTOR` names. It must read every field of the
/// edited files as their JSON has it, and a wrong value must be noticed.
#[test]
fn edited_trees_are_read_by_an_independent_reader() {
    let Some(python) = std::env::var_os("BITEXACT_PYKOTOR") else {
        return eprintln!("BITEXACT_PYKOTOR names no Python with pykotor: no independent reader is asked");
    };
    let folder = tempfile::tempdir().unwrap();
    let ask = |paths: &[PathBuf]| {
        let (is_agreed, said, err) = ask_reader(&python, "neverwinter.py", folder.path(), paths);
        (is_agreed, said.lines().count(), err)
    };
    // The reader has a dictionary of labels, so it cannot have two of the same name.
    let trees: Vec<_> = trees().into_iter().rev().filter(|(path, _)| !path.contains("double_labels")).collect();
    let mut paths = Vec::new();
    for kind in 0..edits().len() {
        let edited = trees.iter().filter_map(|(_, bytes)| {
            let mut edited = without_layout(&tree(bytes));
            change_first(&mut edited, &mut edits().remove(kind).1).then(|| with_tree(bytes, edited).unwrap())
        });
        for (nth, bytes) in edited.take(ASKED / edits().len()).enumerate() {
            let path = folder.path().join(format!("{kind}-{nth}.gff"));
            let json = path.with_extension("json");
            fs::write(&json, print(&tree(&bytes))).unwrap();
            fs::write(&path, bytes).unwrap();
            paths.extend([path, json]);
        }
    }
    let (is_read, said, why) = ask(&paths);
    assert!(is_read && said * 2 == paths.len(), "{why}");
    assert_eq!(said, if harness::corpora().is_some() { ASKED } else { said.max(ASKED / 2) });
    let wrong = fs::read_to_string(&paths[1]).unwrap().replacen("\"value\": \"", "\"value\": \"x", 1);
    fs::write(&paths[1], wrong).unwrap();
    let (is_read, _, why) = ask(&paths[..2]);
    assert!(!is_read && why.contains("pykotor reads"), "{why}");
}

/// Returns the tree of a file with one field.
fn one(value: gff::Value) -> (Vec<u8>, Value) {
    let bytes = build(&Spec::new(b"GFF ", vec![("A", value)]));
    let field = tree(&bytes).get("A").unwrap().clone();
    (bytes, field)
}

/// Packs a tree of one field, given as JSON.
fn packed_field(field: &str) -> Result<Vec<u8>, String> {
    let text = format!(r#"{{"__data_type": "GFF ", "A": {field}}}"#);
    with_tree(&build(&Spec::new(b"GFF ", vec![])), parse(text.as_bytes()).unwrap())
}

/// Source: `nwn-gff.md`, section 7.
#[test]
fn values_that_other_tools_lost_are_preserved() {
    for (value, shown) in [
        (void(&[0xFF, 0, 0xFF, 0]), r#"{"type":"void","value64":"/wD/AA=="}"#),
        (gff::Value::Word(4, u32::MAX), r#"{"type":"dword","value":4294967295}"#),
        (gff::Value::Word(8, 0x8000_0000), r#"{"type":"float","value":-0.0}"#),
        (gff::Value::Word(8, 0x3F80_0000), r#"{"type":"float","value":1.0}"#),
        (gff::Value::Word(8, 0x7FC0_0001), r#"{"type":"float","bits":"7fc00001"}"#),
        (gff::Value::List(vec![]), r#"{"type":"list","value":[]}"#),
        (localized(1234, &[]), r#"{"type":"cexolocstring","value":{"id":1234}}"#),
        (localized(u32::MAX, &[(6, b"b"), (0, b"a")]), r#"{"type":"cexolocstring","value":{"6":"b","0":"a"}}"#),
        (resref(b"Capitals"), r#"{"type":"resref","value":"Capitals"}"#),
        (string(b""), r#"{"type":"cexostring","value":""}"#),
        (gff::Value::Word(1, 0xFFFF_FF80), r#"{"type":"char","value":-128}"#),
        (gff::Value::Data(6, u64::MAX.to_le_bytes().into()), r#"{"type":"dword64","value":"18446744073709551615"}"#),
        (gff::Value::Struct(Struct { id: 3, fields: vec![] }), r#"{"type":"struct","value":{"__struct_id":3}}"#),
    ] {
        let (bytes, field) = one(value);
        assert_eq!(Compact(&field).to_string(), shown);
        assert_eq!(packed_field(shown).as_deref(), Ok(&bytes[..]), "{shown}");
    }
}

/// Source: `nwn-gff.md`, sections 7 and 8: neverwinter.nim 4 and 48.
#[test]
fn forms_of_neverwinter_nim_are_read() {
    for (form, value) in [
        (r#"{"type":"cexolocstring","id":7,"value":{"0":"a"}}"#, localized(7, &[(0, b"a")])),
        (r#"{"type":"cexolocstring","value":{"0":"a","id":7}}"#, localized(7, &[(0, b"a")])),
        (r#"{"type":"cexolocstring","id":7,"value":{"id":7}}"#, localized(7, &[])),
        (r#"{"type":"void","value":"\u00ff\u0000a"}"#, void(&[0xFF, 0, b'a'])),
        (
            r#"{"type":"struct","__struct_id":3,"value":{"__struct_id":3}}"#,
            gff::Value::Struct(Struct { id: 3, fields: vec![] }),
        ),
        (r#"{"type":"struct","__struct_id":3,"value":{}}"#, gff::Value::Struct(Struct { id: 3, fields: vec![] })),
        (r#"{"type":"list","value":[{}]}"#, gff::Value::List(vec![Struct { id: -1, fields: vec![] }])),
        (r#"{"type":"float","value":1}"#, gff::Value::Word(8, 0x3F80_0000)),
    ] {
        assert_eq!(packed_field(form).unwrap(), one(value).0, "{form}");
    }
}

/// Source: `nwn-gff.md`, section 8: nasher 67, neverwinter.nim 35.
#[test]
fn json_of_another_form_is_refused_with_its_place() {
    for (form, place) in [
        (r#"5"#, "/A"),
        (r#"{"value":5}"#, "/A/type"),
        (r#"{"type":"byte"}"#, "/A/value"),
        (r#"{"type":"byte","value":256}"#, "/A/value"),
        (r#"{"type":"resref","value":5}"#, "/A/value"),
        (r#"{"type":"list","value":{}}"#, "/A/value"),
        (r#"{"type":"list","value":[{"B":{"type":"word","value":-1}}]}"#, "/A/value/0/B/value"),
        (r#"{"type":"void","value64":"?"}"#, "/A/value64"),
        (r#"{"type":"cexolocstring","value":{"x":"a"}}"#, "x"),
        (r#"{"type":"cexolocstring","id":1,"value":{"id":2}}"#, "/A/value/id"),
        (r#"{"type":"struct","__struct_id":1,"value":{"__struct_id":2}}"#, "__struct_id"),
        (r#"{"type":"byte","value":5,"other":1}"#, "other"),
    ] {
        let why = packed_field(form).expect_err(form);
        assert!(why.contains(place) && why.contains("bitexact.json"), "{form}: {why}");
    }
}

/// Source: `nwn-gff.md`, section 8: neverwinter.nim 32 and 40, nasher 119.
#[test]
fn order_labels_and_languages_are_kept() {
    let fields = vec![
        ("Zeta", gff::Value::Word(0, 1)),
        ("Alpha", gff::Value::Word(0, 2)),
        ("Zeta", gff::Value::Word(0, 3)),
        ("#", gff::Value::Word(0, 4)),
        ("Name", localized(u32::MAX, &[(2, b"\xE9t\xE9"), (10, b"\xB3\xF3d\x9F")])),
    ];
    let bytes = build(&Spec::new(b"GFF ", fields));
    let Value::Object(members) = tree(&bytes) else { panic!("an object") };
    let keys: Vec<&str> = members.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["__data_type", "Zeta", "Alpha", "Zeta#2", "#0", "Name"]);
    assert_eq!(Compact(members[5].1.get("value").unwrap()).to_string(), r#"{"2":"été","10":"łódź"}"#);
    let report = verify(KINDS, "a.gff", bytes);
    assert_eq!(report.deviations.len(), 1, "the label that a struct has twice: {:?}", report.deviations);
}

#[test]
fn containers_are_taken_apart_by_the_types_of_their_resources() {
    let erf = decode::<Erf>(sample("content.hak")).unwrap().model;
    let kinds: Vec<(String, &str)> = erf.entries().map(|entry| (entry.name(), entry.kind())).collect();
    for (name, kind) in [
        ("Repute.fac", "gff"),
        ("start.nss", "script"),
        ("start.ncs", "ncs"),
        ("racialtypes.2da", "2da"),
        ("c_boar.utc", "gff"),
        ("plc_doll.mdl", "text-model"),
        ("plc_marker.mdl", "mdl"),
        ("sixteen_letters_.txi", "texture-settings"),
        ("picture.tga", "targa"),
        ("unknown.777", "opaque"),
    ] {
        assert!(kinds.contains(&(name.to_owned(), kind)), "{name}: {kinds:?}");
    }
}

/// Runs the program in a folder.
fn run(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bitexact"));
    let output = harness::output_of(command.current_dir(folder).args(args));
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Runs the program in a folder, and returns all that it prints if it exits with this code.
fn prints(code: i32, folder: &Path, args: &[&str]) -> String {
    let (found, out, err) = run(folder, args);
    assert_eq!(found, code, "{args:?}: {out}{err}");
    out + &err
}

#[test]
fn commands_go_into_the_resources_of_a_module() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = sample("module.mod");
    fs::write(folder.path().join("module.mod"), &bytes).unwrap();
    let place = "c_boar.utc:/ChallengeRating/value";
    let (code, out, err) = run(folder.path(), &["inspect", "module.mod", place]);
    assert_eq!((code, out.trim()), (0, "0.1"), "{err}");
    let (code, out, err) = run(folder.path(), &["inspect", "--find", "boar", "module.mod"]);
    assert!(code == 0 && out.contains("c_boar.utc:/FirstName"), "{out}{err}");
    let set = |place: &str, value: &str| format!("{place}={value}");
    let edits = [set(place, "0.25"), set("c_boar.utc:/FirstName/value/0", "\"Wild boar\"")];
    let mut args = vec!["patch", "module.mod", "--output", "new.mod"];
    args.extend(edits.iter().flat_map(|edit| ["--set", edit]));
    let (code, out, err) = run(folder.path(), &args);
    assert_eq!(code, 0, "{out}{err}");
    let (_, out, err) = run(folder.path(), &["diff", "module.mod", "new.mod"]);
    for changed in ["c_boar.utc:/ChallengeRating/value", "c_boar.utc:/FirstName/value/0"] {
        assert!(out.contains(changed), "{changed}: {out}{err}");
    }
    let (code, out, err) =
        run(folder.path(), &["patch", "module.mod", "--remove", "start.nss", "--output", "less.mod"]);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(verify(KINDS, "less.mod", fs::read(folder.path().join("less.mod")).unwrap()).status, Status::Identical);
}

#[test]
fn resources_are_added_and_renamed_by_name_and_type() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("module.mod", &sample("module.mod"));
    let boar = fs::read(harness::golden_install().join("nwn/override/c_boar.utc")).unwrap();
    write("wolf.utc", &boar);
    write("hello.txt", b"void main() {}\r\n");
    let args = ["patch", "module.mod", "--rename", "start.nss=begin.nss", "--add", "wolf.utc=wolf.utc"];
    let args = [&args[..], &["--add", "hello.nss=hello.txt", "--output", "more.mod"]].concat();
    let (code, out, err) = run(folder.path(), &args);
    assert_eq!(code, 0, "{out}{err}");
    let erf = decode::<Erf>(fs::read(folder.path().join("more.mod")).unwrap()).unwrap().model;
    let keys: Vec<_> =
        erf.entries.iter().map(|it| (it.name.name.to_string(), it.key.kind_of_resource.extension())).collect();
    for (name, kind) in [("begin", "nss"), ("wolf", "utc"), ("hello", "nss")] {
        assert!(keys.contains(&(name.to_owned(), kind.to_owned())), "{name}.{kind}: {keys:?}");
    }
    assert!(!keys.contains(&("start".to_owned(), "nss".to_owned())), "{keys:?}");
    let (code, out, err) = run(folder.path(), &["unpack", "more.mod", "parts"]);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(fs::read(folder.path().join("parts/hello.nss")).unwrap(), b"void main() {}\r\n");
    let (code, out, err) = run(folder.path(), &["inspect", "more.mod", "wolf.utc:/ChallengeRating/value"]);
    assert_eq!((code, out.trim()), (0, "0.1"), "{err}");
    // Contents of the same kind replace a script.
    let args = ["patch", "module.mod", "--replace", "start.nss=hello.txt", "--output", "other.mod"];
    let (code, out, err) = run(folder.path(), &args);
    assert_eq!(code, 0, "{out}{err}");
    // A type that the game does not know.
    let (code, _, err) =
        run(folder.path(), &["patch", "module.mod", "--add", "wolf.xyz=wolf.utc", "--output", "no.mod"]);
    assert!(code != 0 && err.contains("XYZ") && !folder.path().join("no.mod").exists(), "{err}");
}

/// A blank entry has neither a name nor a type, so a new name needs an extension.
///
/// Source: `nwn-erf.md`, section 2.
#[test]
fn blank_entry_is_renamed_with_a_type() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.mod"), sample("blank_entries.mod")).unwrap();
    let rename = |to: &str| {
        let to = format!("#2={to}");
        run(folder.path(), &["patch", "a.mod", "--rename", &to, "--output", "b.mod", "--force"])
    };
    let (code, _, err) = rename("wolf");
    assert!(code != 0 && err.contains("needs an extension") && !folder.path().join("b.mod").exists(), "{err}");
    let (code, _, err) = rename("wolf.xyz");
    assert!(code != 0 && !folder.path().join("b.mod").exists(), "{err}");
    let (code, out, err) = rename("wolf.utc");
    assert_eq!(code, 0, "{out}{err}");
    let erf = decode::<Erf>(fs::read(folder.path().join("b.mod")).unwrap()).unwrap().model;
    let named = erf.entries.iter().filter(|it| it.name.name.bytes() == b"wolf");
    let types: Vec<_> = named.map(|it| it.key.kind_of_resource.extension()).collect();
    assert_eq!(types, ["utc"]);
}

/// Source: `nwn-mdl.md`, section 6.
#[test]
fn number_of_index_lists_is_not_cut() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.mdl"), sample("bone_map.mdl")).unwrap();
    let (code, _, err) = run(folder.path(), &["patch", "a.mdl", "--set", "/root/children/2/index_lists=70000"]);
    assert!(code != 0 && err.contains("/root/children/2/index_lists: expected at most 65535"), "{err}");
}

/// Source: `nwn-erf.md`, section 1.
#[test]
fn new_resource_gets_slack_if_the_others_have_some() {
    for (name, each) in [("module.mod", 32), ("content.hak", 24)] {
        let mut erf = decode::<Erf>(sample(name)).unwrap().model;
        erf.entries.push(erf.entries[0].clone());
        let bytes = encode_edited(&mut erf).unwrap();
        let head = decode::<Erf>(bytes.clone()).unwrap().model.head;
        assert_eq!(head.resources_offset.get() - head.keys_offset.get(), each * head.entry_count.get(), "{name}");
        let report = verify(KINDS, name, bytes);
        assert_eq!(report.status, Status::Identical);
    }
}

/// Source: `nwn-2da.md`, section 6.
#[test]
fn table_edits_leave_other_words_and_spaces() {
    let folder = tempfile::tempdir().unwrap();
    let text = "2DA V2.0 \r\n\r\n      Label      Cost\t\"My Column\"\r\n0     sword      0.10\t\"a b\"  \r\n\r\n9     ****       12\t\"\"";
    fs::write(folder.path().join("a.2da"), text).unwrap();
    for (edit, old, new) in [
        ("/rows/0/cells/Cost=\"15\"", "0.10", "15"),
        ("/rows/1/cells/Label=\"bow\"", "****       12", "bow        12"),
        ("/rows/0/label=\"1000\"", "0     sword", "1000  sword"),
        ("/rows/0/cells/Label=\"two_handed_sword\"", "sword      0.10", "two_handed_sword 0.10"),
        // A cell of two words needs quotes.
        ("/rows/0/cells/Cost=\"two words\"", "0.10", "\"two words\""),
    ] {
        let (code, out, err) = run(folder.path(), &["patch", "a.2da", "--set", edit, "--output", "b.2da", "--force"]);
        assert_eq!(code, 0, "{edit}: {out}{err}");
        let patched = fs::read_to_string(folder.path().join("b.2da")).unwrap();
        assert_eq!(patched, text.replacen(old, new, 1), "{edit}");
    }
    let (code, _, err) =
        run(folder.path(), &["patch", "a.2da", "--set", "/rows/0/cells/Cost=\"two \\\"words\"", "--dry-run"]);
    assert!(code != 0 && err.contains("text without quotes and line ends"), "{err}");
}
