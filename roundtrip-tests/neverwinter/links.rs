//! What refers to what among the resources of a module, and talk tables as files of JSON.

use forge::nwn::resources::{Erf as Container, build_erf, resource};

use super::*;

/// The type of the list of a module.
const IFO: u16 = 2014;

/// Returns a module with an area that has a creature and a missing door, and a creature that nothing names.
fn module() -> Vec<u8> {
    let tree = |fields: Vec<(&'static str, gff::Value)>| build(&Spec::new(b"UTC ", fields));
    let resources = vec![
        resource("module", IFO, tree(vec![("Mod_Entry_Area", resref(b"Field"))])),
        resource(
            "field",
            2012,
            tree(vec![("Beast", resref(b"c_boar")), ("Door", resref(b"d_gate")), ("Also", resref(b"d_gate"))]),
        ),
        resource("c_boar", 2027, tree(vec![("TemplateResRef", resref(b"c_boar"))])),
        resource("c_wolf", 2027, tree(vec![("TemplateResRef", resref(b"c_wolf"))])),
        resource("greet", 2009, b"void main() { CreateObject(1, \"nw_rat\"); }".to_vec()),
    ];
    build_erf(&Container::new(b"MOD ", resources))
}

#[test]
fn uses_of_a_resource_are_the_values_that_are_its_name() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.mod"), module()).unwrap();
    for name in ["c_boar", "C_Boar.utc"] {
        let (code, out, err) = run(folder.path(), &["inspect", "a.mod", "--uses", name]);
        let places: Vec<&str> = out.lines().map(|line| line.split(": ").next().unwrap()).collect();
        // The first one is its row in the list of resources.
        assert_eq!((code, places.len()), (0, 3), "{out}{err}");
        assert!(out.contains("field.are:/Beast") && out.contains("c_boar.utc:/TemplateResRef"), "{out}");
    }
    let (code, out, _) = run(folder.path(), &["inspect", ".", "--uses", "c_boa"]);
    assert!(code == 1 && out.is_empty(), "{out}");
    let (code, out, _) = run(folder.path(), &["inspect", ".", "--uses", "d_gate", "--only", "gff"]);
    assert_eq!((code, out.lines().count()), (0, 2), "{out}");
}

#[test]
fn links_are_resources_that_nothing_names_and_names_without_a_resource() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.mod"), module()).unwrap();
    let (code, out, err) = run(folder.path(), &["inspect", "a.mod", "--links"]);
    assert_eq!(code, 0, "{err}");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 3, "{out}");
    assert_eq!(lines[..2], ["unused: c_wolf.utc", "unused: greet.nss"]);
    assert!(lines[2].starts_with("missing: d_gate (2 places, first field.are:/Door"), "{out}");
    let (_, out, _) = run(folder.path(), &["inspect", "a.mod", "--links", "--json"]);
    assert!(out.contains("\"unused\":\"c_wolf.utc\"") && out.contains("\"missing\":\"d_gate\""), "{out}");
    fs::write(folder.path().join("b.2da"), "2DA V2.0\n\nA\n0 1\n").unwrap();
    let (code, _, err) = run(folder.path(), &["inspect", "b.2da", "--links"]);
    assert!(code == 2 && err.contains("expected a module, HAK or ERF"), "{err}");
}

#[test]
fn a_talk_table_is_one_file_of_json() {
    let form = kind("tlk").text.expect("talk tables have a text form");
    let forged = forge::samples(harness::SEED, forge::Size::Small).into_iter().filter(|it| it.kind == "tlk");
    let mut all: Vec<_> = forged.map(|it| (it.name, it.bytes)).collect();
    let count = all.len();
    let corpora = harness::corpora().map(|corpora| corpora.join("nwn-install"));
    for file in corpora.iter().filter_map(|folder| files(folder).ok()).flatten() {
        let bytes = file.read().unwrap();
        if bytes.starts_with(b"TLK V3.0") && !file.shown().contains("hostile") {
            all.push((file.shown(), bytes.to_vec()));
        }
    }
    for (name, file) in &all {
        let text = form.write(file).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert!((form.is_text)(&text) && !(form.is_text)(file), "{name}");
        assert_eq!((form.read)(&text).as_ref(), Ok(file), "{name}");
    }
    assert!(count >= 2, "{count}");
    let wrong = br#"{"language": 0, "count": 1, "entries": {"1": "a"}}"#;
    assert!((form.is_text)(wrong));
    assert!((form.read)(wrong).unwrap_err().contains("/entries: expected a number below 1"));
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.tlk"), &all[0].1).unwrap();
    for args in [&["export", "a.tlk"][..], &["pack", "a.tlk.json", "b.tlk"], &["import", "a.tlk", "a.tlk.json"]] {
        let (code, out, err) = run(folder.path(), args);
        assert_eq!(code, 0, "{args:?}: {out}{err}");
    }
    assert_eq!(fs::read(at("b.tlk")).unwrap(), all[0].1);
}
