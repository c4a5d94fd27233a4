//! Entries of containers that have none, contents of new entries, and empty entries.

use forge::bytes::field;
use forge::interp::{self, Line};
use forge::nwn::resources::{Erf, build_erf, resource};

use super::{Desk, archive};

/// A creature, as neverwinter.nim writes it.
const CREATURE: &[u8] = br#"{"__data_type":"UTC ","HP":{"type":"short","value":12}}"#;

/// Returns a container without entries.
fn empty(version: &[u8; 4]) -> Vec<u8> {
    build_erf(&Erf { version: *version, ..Erf::new(b"MOD ", vec![]) })
}

/// The report Radoub 2268 and neverwinter.nim 30: 8 of 97 known containers are empty.
#[test]
fn container_without_entries_takes_some() {
    for version in [b"V1.0", b"V1.1"] {
        let desk = Desk::of(&[("a.mod", &empty(version)), ("x.nss", b"void main(){}"), ("p.json", CREATURE)]);
        let name = if version == b"V1.1" { "a_name_of_more_than_16_letters" } else { "new" };
        let (script, creature) = (format!("{name}.nss=x.nss"), format!("{name}.utc=p.json"));
        desk.ok(&["patch", "a.mod", "--add", &script, "--add", &creature, "-o", "b.mod"]);
        let listed = desk.ok(&["ls", "b.mod"]).out;
        assert!(listed.contains(&format!("script            {name}.nss")), "{listed}");
        let value = desk.ok(&["inspect", &format!("b.mod!{name}.utc"), "/HP/value"]).out;
        assert_eq!(value.trim(), "12");
        desk.ok(&[
            "patch",
            "b.mod",
            "--remove",
            &format!("{name}.nss"),
            "--remove",
            &format!("{name}.utc"),
            "-o",
            "c.mod",
        ]);
        assert_eq!(desk.read("c.mod"), desk.read("a.mod"));
        desk.ok(&["patch", "c.mod", "--add", &script, "-o", "d.mod"]);
        let one = Erf { version: *version, ..Erf::new(b"MOD ", vec![]) };
        let one = Erf { resources: vec![resource("new", 2009, b"void main(){}".to_vec())], ..one };
        assert!(version == b"V1.1" || desk.read("d.mod") == build_erf(&one));
        let refused = desk.run(&["patch", "a.mod", "--add", "new=x.nss", "-o", "e.mod"]);
        assert!(refused.code == 2 && refused.err.contains("needs an extension in lower case"), "{}", refused.err);
    }
}

#[test]
fn container_inside_another_takes_a_first_entry() {
    let outer = build_erf(&Erf::new(b"HAK ", vec![resource("inner", 2011, empty(b"V1.0"))]));
    let desk = Desk::of(&[("a.hak", &outer), ("x.nss", b"void main(){}")]);
    desk.ok(&["patch", "a.hak", "--add", "inner.mod!new.nss=x.nss"]);
    assert!(desk.ok(&["ls", "a.hak"]).out.contains("inner.mod!new.nss"));
}

#[test]
fn emptied_containers_take_a_first_entry() {
    let scripts = interp::build(&interp::Spec::new(vec![(field(b"a.gw", b""), 7, vec![Line::new(&[b"Quit"])])]));
    let desk =
        Desk::of(&[("interp.zbd", &scripts), ("reader.zbd", &archive()), ("a.txt", b"Quit now\n"), ("r.json", b"[1]")]);
    for (file, removed, added) in [
        ("interp.zbd", &["a.gw"][..], "b.gw=a.txt"),
        ("reader.zbd", &["objectives.zrd", "weapons.zrd", "hud.zrd"], "new.zrd=r.json"),
    ] {
        let mut args = vec!["patch", file, "--add", added, "-o", "at_once.zbd", "--force"];
        removed.iter().for_each(|entry| args.extend(["--remove", entry]));
        desk.ok(&args);
        let name = added.split('=').next().unwrap();
        let listed = desk.ok(&["ls", "at_once.zbd"]).out;
        assert!(listed.contains(name) && listed.lines().count() == 1, "{file}: {listed}");
    }
}

/// The report neverwinter.nim 30: an empty script takes text.
#[test]
fn empty_text_is_text() {
    let names = [("s", 2009, "nss"), ("t", 2022, "txi"), ("u", 10, "txt"), ("v", 2016, "wok.mdl"), ("w", 2013, "set")];
    let empty = names.map(|(name, kind, _)| resource(name, kind, vec![])).to_vec();
    let mut all = empty.clone();
    // A picture cannot be empty.
    all.push(resource("p", 3, vec![]));
    let file = build_erf(&Erf::new(b"MOD ", all));
    let desk = Desk::of(&[("a.mod", &file)]);
    desk.ok(&["unpack", "a.mod", "d"]);
    for (name, _, end) in names {
        assert_eq!(desk.read(&format!("d/{name}.{end}")), b"", "{name}");
    }
    assert_eq!(desk.read("d/p.tga.bin"), b"");
    desk.ok(&["pack", "d", "b.mod"]);
    assert_eq!(desk.read("b.mod"), file);
    desk.write("d/s.nss", b"void main(){}");
    desk.ok(&["pack", "d", "c.mod"]);
    let mut filled = empty;
    filled[0].data = b"void main(){}".to_vec();
    filled.push(resource("p", 3, vec![]));
    assert_eq!(desk.read("c.mod"), build_erf(&Erf::new(b"MOD ", filled)));
    // And back.
    desk.ok(&["unpack", "c.mod", "e"]);
    desk.write("e/s.nss", b"");
    desk.ok(&["pack", "e", "f.mod"]);
    assert_eq!(desk.read("f.mod"), file);
    // It can be bytes of no kind too.
    let manifest = String::from_utf8(desk.read("d/bitexact.json")).unwrap();
    let opaque = manifest.replace(r#""kind": "script", "file": "s.nss""#, r#""kind": "opaque", "file": "s.nss.bin""#);
    assert_ne!(opaque, manifest);
    desk.write("d/bitexact.json", opaque.as_bytes());
    fs_rename(&desk, "d/s.nss", "d/s.nss.bin");
    desk.write("d/s.nss.bin", b"");
    desk.ok(&["pack", "d", "g.mod"]);
    assert_eq!(desk.read("g.mod"), file);
}

fn fs_rename(desk: &Desk, from: &str, to: &str) {
    std::fs::rename(desk.path(from), desk.path(to)).unwrap();
}

#[test]
fn empty_text_file_has_the_kind_of_its_name() {
    let desk = Desk::of(&[("a.set", b""), ("b.mdl", b""), ("c.wok", b"")]);
    for (file, kind) in [("a.set", "set"), ("b.mdl", "text-model"), ("c.wok", "text-model")] {
        let said = desk.ok(&["verify", "--json", file]).out;
        assert!(said.contains(&format!("\"kind\":\"{kind}\"")) && said.contains("\"status\":\"identical\""), "{said}");
    }
}
