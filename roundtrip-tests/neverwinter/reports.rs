//! The traps that users of other tools reported, a test each, named for what must hold. Source: `nwn-gff.md`, section 8.

use super::*;
use bitexact::json::Compact;

/// Checks that a value is shown as this JSON, and that the JSON is packed to the same bytes.
fn is_preserved(value: gff::Value, shown: &str) {
    let (bytes, field) = one(value);
    assert_eq!(Compact(&field).to_string(), shown);
    assert_eq!(packed_field(shown).as_deref(), Ok(&bytes[..]), "{shown}");
}

/// The report neverwinter.nim 4 and 10, about `Mod_ID`.
#[test]
fn raw_data_of_any_bytes_survives_json() {
    is_preserved(void(&[0xFF, 0].repeat(8)), r#"{"type":"void","value64":"/wD/AP8A/wD/AP8A/wD/AA=="}"#);
    is_preserved(void(&[]), r#"{"type":"void","value64":""}"#);
}

/// The report neverwinter.nim 8.
#[test]
fn json_that_was_written_can_be_read() {
    for (path, bytes) in trees() {
        let written = print(&tree(&bytes));
        let read = parse(written.as_ref()).unwrap_or_else(|why| panic!("{path}: {why}"));
        assert_eq!(with_tree(&bytes, read).as_deref(), Ok(&bytes[..]), "{path}");
    }
}

/// The report neverwinter.nim 29.
#[test]
fn text_of_a_float_gives_its_bits_back() {
    let steps = (0..0x7F80_0000_u32).step_by(0x0012_3457).flat_map(|bits| [bits, bits | 0x8000_0000]);
    for bits in steps.chain([1, 0x8000_0000, 0x007F_FFFF, 0x3DCC_CCCD, 0x7F7F_FFFF]) {
        let (bytes, field) = one(gff::Value::Word(8, bits));
        assert_eq!(
            packed_field(&Compact(&field).to_string()).as_deref(),
            Ok(&bytes[..]),
            "{bits:#010x}: {}",
            Compact(&field)
        );
    }
}

/// The report neverwinter.nim 32.
#[test]
fn order_of_fields_is_kept() {
    let fields = ["Zeta", "Alpha", "Mid"].map(|label| (label, gff::Value::Word(0, 1)));
    let bytes = build(&Spec::new(b"GFF ", fields.into()));
    let Value::Object(members) = tree(&bytes) else { panic!("an object") };
    let keys: Vec<&str> = members.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["__data_type", "Zeta", "Alpha", "Mid"]);
    assert_eq!(with_tree(&bytes, tree(&bytes)), Ok(bytes));
}

/// The report neverwinter.nim 40.
#[test]
fn label_that_a_struct_has_twice_is_kept_and_reported() {
    let bytes = build(&Spec::new(b"GFF ", vec![("A", gff::Value::Word(0, 1)), ("A", gff::Value::Word(0, 2))]));
    let tree = tree(&bytes);
    let value = |key: &str| tree.get(key).unwrap().get("value").unwrap().whole();
    assert_eq!([value("A"), value("A#2")], [Some(1), Some(2)]);
    let report = verify(KINDS, "a.gff", bytes);
    assert_eq!((report.status, report.deviations.len()), (Status::Identical, 1), "{:?}", report.deviations);
}

/// The report neverwinter.nim 48.
#[test]
fn number_of_a_text_without_strings_survives_json_at_both_places() {
    is_preserved(localized(1234, &[]), r#"{"type":"cexolocstring","value":{"id":1234}}"#);
    let beside = packed_field(r#"{"type":"cexolocstring","id":1234,"value":{}}"#);
    assert_eq!(beside, Ok(one(localized(1234, &[])).0));
}

/// A note on version 1.5.5 of neverwinter.nim.
#[test]
fn largest_dword_survives_json() {
    is_preserved(gff::Value::Word(4, u32::MAX), r#"{"type":"dword","value":4294967295}"#);
}

/// The report nasher 32.
#[test]
fn floats_are_not_rounded_by_an_edit_of_another_field() {
    let bits = 0x3F80_0001;
    let fields = |word| vec![("Float", gff::Value::Word(8, bits)), ("Byte", gff::Value::Word(0, word))];
    let [bytes, wanted] = [1, 2].map(|word| build(&Spec::new(b"GFF ", fields(word))));
    let mut edited = tree(&bytes);
    *edited.step_mut("Byte").unwrap().step_mut("value").unwrap() = 2_u32.into();
    assert_eq!(with_tree(&bytes, edited), Ok(wanted));
}

/// The report nasher 66.
#[test]
fn empty_lists_are_kept() {
    is_preserved(gff::Value::List(vec![]), r#"{"type":"list","value":[]}"#);
    let empty = || Struct { id: 0, fields: vec![("Inner", gff::Value::List(vec![]))] };
    is_preserved(
        gff::Value::List(vec![empty(), empty()]),
        r#"{"type":"list","value":[{"__struct_id":0,"Inner":{"type":"list","value":[]}},{"__struct_id":0,"Inner":{"type":"list","value":[]}}]}"#,
    );
}

/// The reports nasher 67 and neverwinter.nim 35.
#[test]
fn json_of_another_form_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.utc"), sample("boar.utc")).unwrap();
    let (code, _, err) = run(folder.path(), &["unpack", "a.utc", "form"]);
    assert_eq!(code, 0, "{err}");
    let manifest = folder.path().join("form").join(MANIFEST);
    let text = fs::read_to_string(&manifest).unwrap();
    for (wrong, place) in [
        (text.replacen(r#""type": "byte""#, r#""type": "bite""#, 1), "/type"),
        (text.replacen(r#""type": "byte""#, r#""tipe": "byte""#, 1), "/type"),
        (text[..text.len() / 2].to_owned(), "bitexact.json"),
    ] {
        assert_ne!(wrong, text);
        fs::write(&manifest, wrong).unwrap();
        let (code, _, err) = run(folder.path(), &["pack", "form", "b.utc"]);
        assert!(code == 2 && err.contains(place) && err.contains("bitexact.json:"), "{place}: {err}");
        assert!(!folder.path().join("b.utc").exists());
    }
}

/// The report Radoub 2244, and every other length in a localized string that its field contradicts.
#[test]
fn wrong_lengths_in_a_localized_string_are_reported() {
    let gff::Value::Data(kind, data) = localized(u32::MAX, &[(0, b"Boar"), (4, b"Eber")]) else { panic!("data") };
    // The size, the number of texts, and the sizes of the texts.
    for (at, value, expected, found) in [
        (0x10, 4000_u32, "4 bytes", 4000_u32),
        (0x1C, 9, "4 bytes", 9),
        (0x1C, 3, "31 bytes", 32),
        (8, 1, "20 bytes", 32),
        (8, 3, "2 strings", 3),
        (8, 900, "at most 3 strings", 900),
    ] {
        let mut broken = data.clone();
        broken[at..at + 4].copy_from_slice(&value.to_le_bytes());
        let bytes = build(&Spec::new(
            b"UTC ",
            vec![("FirstName", gff::Value::Data(kind, broken.clone())), ("HP", gff::Value::Word(0, 1))],
        ));
        let report = verify(KINDS, "a.utc", bytes.clone());
        assert_eq!(report.status, Status::Identical, "{at:#x}");
        let [deviation] = &report.deviations[..] else { panic!("{at:#x}: {:?}", report.deviations) };
        assert_eq!(deviation.first_place.to_string(), "/FirstName/value");
        assert_eq!((&deviation.expected, &deviation.found), (&expected.into(), &found.into()), "{at:#x}");
        let start = bytes.windows(broken.len()).position(|it| it == broken).unwrap();
        // If less is used than the size says, the size is wrong.
        let word = if expected.ends_with("1 bytes") || expected == "20 bytes" { 0 } else { at };
        assert_eq!(deviation.offset, (start + word) as u64);
        assert_eq!(report.census.unwrap().of(Class::Opaque), broken.len() as u64 - 4, "{at:#x}");
    }
    let fine = build(&Spec::new(b"UTC ", vec![("FirstName", gff::Value::Data(kind, data))]));
    assert!(verify(KINDS, "a.utc", fine).deviations.is_empty());
}

/// The report nasher 105.
#[test]
fn case_of_references_is_kept_and_names_are_found_without_it() {
    is_preserved(resref(b"Capitals"), r#"{"type":"resref","value":"Capitals"}"#);
    let folder = tempfile::tempdir().unwrap();
    let erf = forge::nwn::resources::Erf::new(
        b"MOD ",
        vec![forge::nwn::resources::resource("C_Boar", 2027, sample("boar.utc"))],
    );
    fs::write(folder.path().join("a.mod"), forge::nwn::resources::build_erf(&erf)).unwrap();
    let (_, out, err) = run(folder.path(), &["ls", "a.mod"]);
    assert!(out.contains("C_Boar.utc"), "{out}{err}");
}

/// The report nwn-issues 633.
#[test]
fn edit_of_one_of_two_fields_of_an_armor_part_warns_of_the_other() {
    let part = |byte, word| {
        let fields = vec![
            ("ArmorPart_Robe", gff::Value::Word(0, byte)),
            ("xArmorPart_Robe", gff::Value::Word(2, word)),
            ("ArmorPart_Neck", gff::Value::Word(0, byte)),
            ("xArmorPart_Belt", gff::Value::Word(2, word)),
        ];
        build(&Spec::new(b"UTI ", fields))
    };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.uti"), part(5, 5)).unwrap();
    // A byte cannot have the number of the word.
    fs::write(folder.path().join("b.uti"), part(44, 300)).unwrap();
    let (code, out, err) = run(folder.path(), &["lint", "a.uti", "b.uti"]);
    assert!(code == 0 && !out.contains("armor-part"), "{out}{err}");
    for label in ["ArmorPart_Robe", "xArmorPart_Robe"] {
        let set = format!("/{label}/value=6");
        let (code, _, err) = run(folder.path(), &["patch", "a.uti", "--dry-run", "--set", &set]);
        assert!(code == 0 && err.contains("/ArmorPart_Robe") && err.contains("[armor-part-twice; "), "{label}: {err}");
    }
    let (code, _, err) = run(folder.path(), &["patch", "a.uti", "--dry-run", "--set", "/ArmorPart_Neck/value=6"]);
    assert!(code == 0 && !err.contains("armor-part"), "{err}");
}

/// The report nasher 119: texts of one string are in the code pages of their languages, not in one for the file.
#[test]
fn texts_have_the_code_pages_of_their_languages() {
    is_preserved(
        localized(u32::MAX, &[(2, b"\xE9t\xE9"), (10, b"\xB3\xF3d\x9F")]),
        r#"{"type":"cexolocstring","value":{"2":"été","10":"łódź"}}"#,
    );
}

/// A survey of files of the game and of its tools.
#[test]
fn oddities_of_real_files_are_kept() {
    is_preserved(gff::Value::Word(1, 0xFFFF_FF80), r#"{"type":"char","value":-128}"#);
    is_preserved(localized(u32::MAX, &[(6, b"b"), (0, b"a")]), r#"{"type":"cexolocstring","value":{"6":"b","0":"a"}}"#);
    for name in ["gff_packed.git", "gff_struct_none.utc", "gff_root_id.utc", "gff_short.utc"] {
        let bytes = sample(name);
        let report = verify(KINDS, name, bytes.clone());
        assert_eq!(report.status, Status::Identical, "{name}");
        assert_eq!(with_tree(&bytes, tree(&bytes)), Ok(bytes), "{name}");
    }
}
