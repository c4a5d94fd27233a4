//! What `diff` and `patch` say of renamed entries, of offsets that only moved, and of names that do not fit.

use super::Desk;

fn golden(path: &str) -> Vec<u8> {
    std::fs::read(crate::harness::golden_install().join(path)).unwrap()
}

#[test]
fn renamed_and_edited_entry_is_renamed_and_edited() {
    let desk = Desk::of(&[("a.zbd", &golden("rc/zbd/zrdr.zbd"))]);
    let expected = "ai.zrd: renamed to other.zrd\nother.zrd:/0/1/0: -3034.2954 → 1.5\n";
    let edits = ["--rename", "ai.zrd=other.zrd", "--set", "other.zrd:/0/1/0=1.5", "-o", "b.zbd"];
    assert_eq!(desk.ok(&[&["patch", "a.zbd"][..], &edits].concat()).out, expected);
    assert_eq!(desk.run(&["diff", "a.zbd", "b.zbd"]).out, expected);
    desk.write("rename.mod", desk.run(&["diff", "--json", "a.zbd", "b.zbd"]).out.as_bytes());
    desk.ok(&["patch", "a.zbd", "--apply", "rename.mod", "-o", "c.zbd"]);
    assert!(desk.read("b.zbd") == desk.read("c.zbd"));
}

#[test]
fn offsets_that_moved_with_their_text_are_counted() {
    let desk = Desk::of(&[("map.sceA", &golden("m2/Map.sceA"))]);
    let group = |start: usize, length: usize| {
        format!(
            r#"{{"flags":0,"kind":"INFORMATION","permutation":0,"text_start":{start},"text_length":{length},"maximum_line_count":1}}"#
        )
    };
    let text = |text: &str| format!(r#"0!term:/terminals/0/text="{text}\r\u0000""#);
    let groups = |first: usize| format!("0!term:/terminals/0/groups=[{},{}]", group(0, first), group(first, 8));
    let patch = |from: &str, text: &str, groups: &str, to: &str| {
        desk.ok(&["patch", from, "--set", text, "--set", groups, "-o", to]);
    };
    patch("map.sceA", &text("Welcome to Arrival."), &groups(11), "a.sceA");
    patch("a.sceA", &text("Be welcome to Arrival."), &groups(14), "b.sceA");
    let said = desk.run(&["diff", "a.sceA", "b.sceA"]).out;
    assert!(said.contains("/groups/0/text_length: 11 → 14\n") && !said.contains("text_start"), "{said}");
    assert!(said.ends_with("0!term:/terminals/0/text: 1 offset moved with it; --full prints them\n"), "{said}");
    let full = desk.run(&["diff", "--full", "a.sceA", "b.sceA"]).out;
    assert!(full.contains("/groups/1/text_start: 11 → 14\n") && !full.contains("moved"), "{full}");
    // An offset to other text is a change of its own.
    patch("a.sceA", &text("Be welcome to Arrival."), &groups(3), "c.sceA");
    let said = desk.run(&["diff", "a.sceA", "c.sceA"]).out;
    assert!(said.contains("/groups/1/text_start: 11 → 3\n"), "{said}");
}

#[test]
fn names_of_added_resources_that_do_not_fit_are_told() {
    let desk = Desk::of(&[("a.mod", &golden("nwn/modules/Prelude.mod")), ("x.txt", b"void main() {}")]);
    let add = |name: &str| desk.run(&["patch", "a.mod", "--dry-run", "--add", &format!("{name}=x.txt")]);
    for (name, warning) in [("START.nss", "resource-same-name"), (".nss", "resource-no-name"), ("x.nss", "")] {
        let said = add(name);
        let is_told = said.err.contains(&format!("[{warning}; "));
        assert!(
            if warning.is_empty() { !said.err.contains("warning") } else { said.code == 0 && is_told },
            "{name}: {}",
            said.err
        );
    }
    let said = add("seventeen_letters.nss");
    assert!(said.code == 2 && said.err.contains("expected a string of at most 16 bytes"), "{}", said.err);
}

#[test]
fn dry_run_without_a_change_says_so() {
    let desk = Desk::of(&[("m1.zmap", &golden("rc/maps/m1.zmap"))]);
    let said = desk.run(&["patch", "m1.zmap", "--dry-run", "--set", "/features/0/objective=6"]);
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (0, "", "m1.zmap: no changes\n"));
}

#[test]
fn folder_of_single_entries_is_not_packed() {
    let desk = Desk::of(&[("a.mod", &golden("nwn/modules/Prelude.mod"))]);
    desk.ok(&["unpack", "a.mod", "some", "--only", "*.utc"]);
    let said = desk.run(&["pack", "some", "b.mod"]);
    assert!(
        said.code == 2 && said.err.contains("bitexact.json: is missing; `unpack` without --only writes it"),
        "{}",
        said.err
    );
    assert!(!desk.path("b.mod").exists());
}

#[test]
fn errors_name_entries_and_not_files_that_nobody_has() {
    let desk = Desk::of(&[("a.mod", &golden("nwn/modules/Prelude.mod"))]);
    let said = desk.run(&["patch", "a.mod", "--dry-run", "--retype", "--set", "c_boar.utc:/FirstName/value=1"]);
    assert_eq!(
        (said.code, &*said.err),
        (2, "bitexact: a.mod: c_boar.utc:/FirstName/value: expected an object of texts, found 1\n")
    );
}
