//! Law 5: a deviating value is kept while its computed value is unchanged; an edit that changes the computed value recomputes it, and
//! reports that. The generator builds the expected file from the edited spec.

use bitexact::field::Value;
use bitexact::json::Compact;

use super::{Desk, readers};
use crate::harness;

/// A computed value that is stored wrong in a file.
struct Lie {
    /// Builds the file, edited or not, with the given value; `None` is the computed value.
    build: fn(edited: bool, value: Option<u32>) -> Vec<u8>,
    name: &'static str,
    /// The field, in the manifest.
    field: &'static str,
    value: u32,
    /// The edit: file of the unpacked folder, old text, new text.
    edit: [&'static str; 3],
}

const LIES: &[Lie] = &[
    Lie {
        build: |edited, value| {
            let mut spec = readers(if edited { 7.5 } else { 5.0 });
            spec.checksum = value;
            forge::archive::build(&spec)
        },
        name: "reader.zbd",
        field: "checksum",
        value: 0x1234_5678,
        edit: ["weapons.zrd.json", "5.0", "7.5"],
    },
    Lie {
        build: |edited, value| {
            let name: &[u8] = if edited { b"Departure" } else { b"Arrival" };
            let chunk = forge::wad::Chunk::new(b"TEXT", b"note".to_vec());
            let entry = forge::wad::Entry { chunks: vec![chunk], ..forge::wad::Entry::default() };
            let mut spec = forge::wad::Spec::new(2, 1, name, vec![entry]);
            spec.checksum = value;
            forge::wad::build(&spec)
        },
        name: "a.sceA",
        field: "checksum",
        value: 0x3C9,
        edit: ["bitexact.json", "Arrival", "Departure"],
    },
    Lie {
        build: |edited, value| {
            let mut spec = forge::macbinary::Spec::new(b"Map", vec![0xA5; 129], vec![]);
            spec.folder = if edited { 5 } else { 0 };
            spec.crc = value.map(|value| value as u16);
            forge::macbinary::build(&spec)
        },
        name: "Map.scen",
        field: "crc",
        value: 0xBEEF,
        edit: ["bitexact.json", "\"folder\": 0", "\"folder\": 5"],
    },
];

impl Lie {
    /// Returns a desk with the file unpacked.
    fn unpack(&self) -> Desk {
        let desk = Desk::of(&[(self.name, &(self.build)(false, Some(self.value)))]);
        desk.ok(&["unpack", self.name, "form"]);
        desk
    }

    fn edit(&self, desk: &Desk) {
        let [file, from, to] = self.edit;
        desk.replace(&format!("form/{file}"), from, to);
    }

    /// Sets the field in the manifest, or removes it.
    fn set(&self, desk: &Desk, value: Option<u32>) {
        desk.edit("form/bitexact.json", |head| {
            let Some(Value::Object(members)) = head.step_mut("data") else { panic!("{}", Compact(head)) };
            match value {
                Some(value) => members.iter_mut().find(|(name, _)| name == self.field).unwrap().1 = value.into(),
                None => members.retain(|(name, _)| name != self.field),
            }
        });
    }

    /// Asserts that packing returns these bytes, and reports recomputed values or not.
    fn packs_to(&self, desk: &Desk, expected: &[u8], recomputed: bool) {
        let said = desk.ok(&["pack", "form", self.name, "--force"]).err;
        assert!(desk.read(self.name) == expected, "{}: {said}", self.name);
        assert_eq!(said.contains("recomputed: "), recomputed, "{said}");
    }
}

#[test]
fn wrong_value_is_kept_until_the_computed_value_changes() {
    for lie in LIES {
        let desk = lie.unpack();
        lie.packs_to(&desk, &(lie.build)(false, Some(lie.value)), false);
    }
}

#[test]
fn edit_that_changes_the_computed_value_recomputes_and_reports_it() {
    for lie in LIES {
        let desk = lie.unpack();
        lie.edit(&desk);
        lie.packs_to(&desk, &(lie.build)(true, None), true);
        let said = desk.ok(&["pack", "form", lie.name, "--force"]).err;
        assert!(said.contains(&format!("recomputed: /{}: {} → ", lie.field, lie.value)), "{said}");
    }
}

#[test]
fn plain_value_overrides_the_rule() {
    for lie in LIES {
        let desk = lie.unpack();
        lie.set(&desk, Some(7));
        lie.packs_to(&desk, &(lie.build)(false, Some(7)), false);
        lie.edit(&desk);
        lie.packs_to(&desk, &(lie.build)(true, Some(7)), false);
    }
}

#[test]
fn deleted_key_is_computed_by_the_rule() {
    for lie in LIES {
        let desk = lie.unpack();
        lie.set(&desk, None);
        lie.packs_to(&desk, &(lie.build)(false, None), false);
    }
}

#[test]
fn patch_recomputes_and_sets_like_pack() {
    for lie in LIES {
        let desk = Desk::of(&[(lie.name, &(lie.build)(false, Some(lie.value)))]);
        let place = format!("/{}", lie.field);
        desk.ok(&["patch", lie.name, "--recompute", &place, "-o", "right"]);
        assert!(desk.read("right") == (lie.build)(false, None), "{}", lie.name);
        desk.ok(&["patch", lie.name, "--set", &format!("{place}=7"), "-o", "forced"]);
        assert!(desk.read("forced") == (lie.build)(false, Some(7)), "{}", lie.name);
    }
}

#[test]
fn padding_is_kept_until_its_length_changes() {
    let build = |data: Vec<u8>, padding| {
        let mut spec = forge::macbinary::Spec::new(b"Map", data, vec![]);
        spec.padding = padding;
        forge::macbinary::build(&spec)
    };
    let desk = Desk::of(&[("Map.scen", &build(vec![0xA5; 129], 0xE5))]);
    desk.ok(&["unpack", "Map.scen", "form"]);
    desk.write("form/data.bin", &[0x5A; 129]);
    let said = desk.ok(&["pack", "form", "out.scen"]).err;
    assert!(desk.read("out.scen") == build(vec![0x5A; 129], 0xE5) && !said.contains("recomputed"), "{said}");
    desk.write("form/data.bin", &[0x5A; 130]);
    let said = desk.ok(&["pack", "form", "out.scen", "--force"]).err;
    assert!(desk.read("out.scen") == build(vec![0x5A; 130], 0), "{said}");
    assert!(said.contains("recomputed: /data_padding: \"127 bytes that begin with e5 e5"), "{said}");
}

#[test]
fn recomputed_values_are_right_in_nested_files() {
    let sample =
        forge::samples(harness::SEED, forge::Size::Small).into_iter().find(|it| it.name == "Map.scen").unwrap();
    let desk = Desk::of(&[("Map.scen", &sample.bytes)]);
    let said = desk.ok(&["patch", "Map.scen", "--set", "data:/name=\"Arrival\"", "-o", "out.scen"]).err;
    assert!(said.contains("recomputed: data:/checksum: "), "{said}");
    let row = desk.ok(&["verify", "--json", "out.scen"]).out;
    assert!(!row.contains("checksum\""), "no checksum deviates any more: {row}");
}
