//! Three-way merges: the changes from a common original to one copy are applied to the other.

use std::fs;

use super::Desk;
use crate::harness::golden_install;

/// Files of the sample install, and edits of different values in two copies of each.
pub(super) const EDITS: &[(&str, &[&str], &[&str])] = &[
    ("rc/maps/m1.zmap", &["--set", "/features/0/objective=7"], &["--set", "/features/1/objective=8"]),
    ("nwn/override/c_boar.utc", &["--set", "/Str=18"], &["--set", "/FirstName=Old Boar"]),
    (
        "nwn/override/appearance.2da",
        &["--set", "/rows/3/cells/Value=9.50", "--delete", "/rows/199"],
        &["--set", "/rows/4/cells/Name=7"],
    ),
    ("nwn/dialog.tlk", &["--set", "/entries/5=Neu"], &["--set", "/entries/400=Neuer"]),
    (
        "nwn/modules/Prelude.mod",
        &["--set", "c_boar.utc:/Str=18", "--remove", "empty.nss"],
        &["--set", "racialtypes.2da:/rows/1/cells/Name=1234", "--rename", "start.nss=begin.nss"],
    ),
    ("mi/Map.sceA", &["--set", "0!PNTS:/points/0/x=-1400"], &["--set", "0!term:/terminals/0/text=Welcome home."]),
];

/// Creates an original and two copies, each with an edit of its own.
fn copies(file: &str, edits: [&[&str]; 2]) -> Desk {
    let desk = Desk::of(&[("o", &fs::read(golden_install().join(file)).unwrap())]);
    for (name, edits) in ["a", "b"].into_iter().zip(edits) {
        desk.ok(&[&["patch", "o", "-q", "-o", name], edits].concat());
        let changes = desk.run(&["diff", "--json", "o", name]).out;
        desk.write(&format!("{name}.json"), changes.as_bytes());
    }
    desk
}

#[test]
fn edits_of_different_values_are_merged_whichever_comes_first() {
    for &(file, one, other) in EDITS {
        let desk = copies(file, [one, other]);
        desk.ok(&["patch", "b", "-q", "-o", "ab", "--apply", "a.json"]);
        desk.ok(&["patch", "a", "-q", "-o", "ba", "--apply", "b.json"]);
        desk.ok(&[&["patch", "o", "-q", "-o", "both"], one, other].concat());
        assert!(desk.read("ab") == desk.read("ba") && desk.read("ab") == desk.read("both"), "{file}");
        // A mod is the same changes.
        desk.write("game/o", &desk.read("o"));
        for name in ["a", "b"] {
            desk.write(&format!("mine/{name}/o"), &desk.read(name));
            desk.ok(&["mod", "make", "game", &format!("mine/{name}"), "-q", "-o", &format!("{name}.mod")]);
        }
        desk.ok(&["mod", "apply", "game", "a.mod", "b.mod", "-q"]);
        assert!(desk.read("game/o") == desk.read("both"), "{file}");
    }
}

#[test]
fn conflict_says_both_values() {
    for (file, place, [old, one, other]) in [
        ("rc/maps/m1.zmap", "/features/0/objective", ["6", "7", "8"]),
        ("nwn/override/c_boar.utc", "/Str/value", ["14", "18", "19"]),
        ("nwn/override/appearance.2da", "/rows/3/cells/Value", ["\"3.50\"", "9.50", "\"8.50\""]),
    ] {
        let set = |value: &str| format!("{place}={}", value.trim_matches('"'));
        let desk = copies(file, [&["--set", &set(one)], &["--set", &set(other)]]);
        let said = desk.run(&["patch", "b", "--apply", "a.json", "-o", "ab"]);
        assert!(said.code == 2 && !desk.path("ab").exists(), "{file}");
        assert!(said.err.contains(&format!("{place}: expected {old}, found {other}")), "{}", said.err);
    }
}
