//! Compiled scripts: every jump ends at the instruction where it ended before an edit, and other jumps are reported.
//! Source: `nwn-ncs.md`.

use bitexact::edit::Batch;
use bitexact::exchange::About;
use bitexact::field::Address;
use bitexact::json::Compact;
use bitexact::kind::Model;
use bitexact::passes::Sha;
use forge::nwn::scripts::{jump, ncs, script, string};

use super::*;

/// An instruction as another program sees it: its offset in the file, and its bytes.
pub(super) type One<'f> = (usize, &'f [u8]);

/// Returns the instructions of a script, or `None` if it has bytes that are none. Written from the format spec, without the library.
pub(super) fn disassemble(file: &[u8]) -> Option<Vec<One<'_>>> {
    let (mut at, mut all) = (13, Vec::new());
    while at < file.len() {
        let rest = &file[at..];
        let (code, kind) = (rest[0], *rest.get(1)?);
        let length = match code {
            0x01 | 0x03 | 0x21 | 0x26 | 0x27 => 8,
            0x04 if [3, 4, 6, 0x12].contains(&kind) => 6,
            0x04 => 4 + usize::from(u16::from_be_bytes([*rest.get(2)?, *rest.get(3)?])),
            0x05 => 5,
            0x0B | 0x0C if kind == 0x24 => 4,
            0x1B | 0x1C | 0x1D | 0x1E | 0x1F | 0x23 | 0x24 | 0x25 | 0x28 | 0x29 => 6,
            0x2C => 10,
            0x02..=0x2D => 2,
            _ => return None,
        };
        all.push((at, rest.get(..length)?));
        at += length;
    }
    Some(all)
}

/// Returns for each instruction the index of the one where it jumps.
///
/// # Panics
/// Panics if a jump does not end at an instruction.
pub(super) fn jumps(file: &[u8]) -> Vec<Option<usize>> {
    let all = disassemble(file).expect("instructions");
    assert_eq!(u32::from_be_bytes(file[9..13].try_into().unwrap()) as usize, file.len(), "the size of the file");
    let end = |(at, bytes): &One<'_>| {
        let distance = match bytes[0] {
            0x1D..=0x1F | 0x25 => i32::from_be_bytes(bytes[2..6].try_into().unwrap()),
            0x2C => i32::from(bytes[1]),
            _ => return None,
        };
        let target = usize::try_from(i64::try_from(*at).unwrap() + i64::from(distance)).unwrap();
        Some(all.binary_search_by_key(&target, |(at, _)| *at).expect("a jump ends at an instruction"))
    };
    all.iter().map(end).collect()
}

/// Returns the indices of the constant strings.
pub(super) fn strings(file: &[u8]) -> Vec<usize> {
    let all = disassemble(file).expect("instructions");
    all.iter().enumerate().filter(|(_, (_, bytes))| bytes.starts_with(&[4, 5])).map(|(nth, _)| nth).collect()
}

/// Makes edits in a script.
fn edited(file: &[u8], batch: &Batch) -> Result<Vec<u8>, String> {
    let (kind, name) = (kind("ncs"), "a.ncs");
    let model: Model = (kind.decode)(file.to_vec().into()).unwrap().model;
    let about = About { kind, games: &[], sha256: Sha::of(file), deviations: &[] };
    batch.apply(KINDS, (about, &model, name), None).map(|it| it.bytes.to_vec()).map_err(|why| why.to_string())
}

/// Returns the address of a member of an instruction.
fn place(nth: usize, member: &str) -> Address {
    Address::from(format!("/code/{nth}{member}").as_str())
}

/// Returns the scripts beside the project, in folders and containers.
pub(super) fn real_scripts() -> Vec<(String, Vec<u8>)> {
    let Some(corpora) = harness::corpora() else {
        eprintln!("no corpora beside the project: only the scripts of the forge are tested");
        return Vec::new();
    };
    let mut all = Vec::new();
    for folder in ["nwn-ncs", "nwn-install", "nwn", "wild"] {
        let Ok(found) = files(&corpora.join(folder)) else { continue };
        for file in found {
            let bytes = file.read().unwrap();
            if bytes.starts_with(b"NCS V1.0") {
                all.push((file.shown(), bytes.to_vec()));
            } else if let Ok(erf) = decode::<Erf>(bytes.to_vec()) {
                let entries = erf.model.entries().filter(|entry| entry.kind() == "ncs");
                all.extend(entries.map(|entry| (entry.name(), entry.bytes().unwrap())));
            }
        }
    }
    all
}

/// A script with a jump of each kind over a string, forth and back.
pub(super) fn around_a_string() -> Vec<u8> {
    // 0: JSR 5, 1: RETN, 2: JMP 4, 3: CONST.S, 4: JZ 7, 5: STORESTATE 7, 6: JMP 8, 7: CONST.S, 8: JNZ 2, 9: JSR 9, 10: RETN
    let (text, state) = (string(b"X0_APPRAISERANK"), [0x2C, 16, 0, 0, 0, 8, 0, 0, 0, 0]);
    let parts: [&[u8]; 11] = [
        &jump(0x1E, 6 + 2 + 6 + 19 + 6),
        &[0x20, 0],
        &jump(0x1D, 6 + 19),
        &text,
        &jump(0x1F, 6 + 10 + 6),
        &state,
        &jump(0x1D, 6 + 19),
        &text,
        &jump(0x25, -(19 + 6 + 10 + 6 + 19 + 6)),
        &jump(0x1E, 0),
        &[0x20, 0],
    ];
    ncs(&parts.concat())
}

/// Where these jumps end.
pub(super) const ENDS: [Option<usize>; 11] =
    [Some(5), None, Some(4), None, Some(7), Some(7), Some(8), None, Some(2), Some(9), None];

/// No byte holds whether a jump was written as a distance or as a label.
#[test]
fn a_distance_to_what_a_label_names_is_replaced_with_a_report() {
    let script = around_a_string();
    let end = disassemble(&script).unwrap().last().map(|(at, bytes)| at + bytes.len()).unwrap();
    let at = |nth: usize| i64::try_from(disassemble(&script).unwrap()[nth].0).unwrap();
    // The jump at 6 leads to instruction 4, to the end, to the middle of an instruction, and past the end.
    let ways =
        [(at(4) - at(6), Some("L4")), (end as i64 - at(6), Some("end")), (1, None), (end as i64 - at(6) + 1, None)];
    for (distance, label) in ways {
        let (kind, name, written) = (kind("ncs"), "a.ncs", format!("@{distance:+}"));
        let model: Model = (kind.decode)(script.clone().into()).unwrap().model;
        let about = About { kind, games: &[], sha256: Sha::of(&script), deviations: &[] };
        let batch = set(&[(6, "/to", written.as_str().into())]);
        let done = batch.apply(KINDS, (about, &model, name), None).unwrap();
        let again = (kind.decode)(done.bytes.clone()).unwrap().model;
        let shown = bitexact::exchange::show(&again, "/code", usize::MAX).unwrap().unwrap();
        assert_eq!(shown.items().unwrap()[6].get("to"), Some(&Value::from(label.unwrap_or(&written))), "{written}");
        let told: Vec<_> = done.recomputed.iter().filter(|it| it.place.ends_with("code/6/to")).collect();
        assert_eq!(told.len(), usize::from(label.is_some()), "{written}: {:?}", done.recomputed);
        assert!(told.iter().all(|it| it.was == written.as_str()), "{written}: {told:?}");
    }
}

/// Report: nwn-translator-ai 174e302 and 76f4f3e, translated scripts with wrong jumps.
#[test]
fn every_jump_of_an_edited_script_ends_where_it_did() {
    let ours = [("around".to_owned(), around_a_string()), ("script".to_owned(), script())];
    assert_eq!(jumps(&around_a_string()), ENDS);
    let (mut scripts, mut edits, mut over) = (0, 0, 0);
    for (path, file) in ours.into_iter().chain(real_scripts()) {
        if disassemble(&file).is_none()
            || usize::try_from(u32::from_be_bytes(file[9..13].try_into().unwrap())) != Ok(file.len())
        {
            eprintln!("{path}: with bytes after its end");
            continue;
        }
        let (before, strings) = (jumps(&file), strings(&file));
        scripts += 1;
        // The first string of each script becomes longer, the last one empty.
        let longer = strings.first().map(|nth| (nth, "A longer text: é".repeat(9)));
        for (nth, new) in longer.into_iter().chain(strings.last().map(|nth| (nth, String::new()))) {
            let after = edited(&file, &set(&[(*nth, "/value", new.as_str().into())]));
            let after = after.unwrap_or_else(|why| panic!("{path}: {why}"));
            assert_eq!(jumps(&after), before, "{path}: {nth}");
            let (old, new) = (disassemble(&file).unwrap(), disassemble(&after).unwrap());
            let is_moved =
                |(old, new): (&One<'_>, &One<'_>)| [0x1D, 0x1E, 0x1F, 0x25].contains(&old.1[0]) && old.1 != new.1;
            over += usize::from(old.iter().zip(&new).any(is_moved));
            edits += 1;
        }
    }
    eprintln!("{scripts} scripts, {edits} edits, {over} of them with a jump over the string");
    assert!(over >= 2 && (harness::corpora().is_none() || (scripts > 100 && over > 100)), "{scripts}, {over}");
}

/// Returns the edit of some members.
fn set(values: &[(usize, &str, Value)]) -> Batch {
    let mut batch = Batch::default();
    batch.set = values.iter().map(|(nth, member, value)| (place(*nth, member), value.clone())).collect();
    batch
}

/// Returns an instruction.
fn object(text: &str) -> Value {
    parse(text.as_bytes()).unwrap()
}

#[test]
fn jumps_follow_inserted_and_deleted_instructions() {
    let file = around_a_string();
    let before = disassemble(&file).unwrap();
    for nth in 0..=before.len() {
        let mut batch = Batch::default();
        batch.insert = vec![(place(nth, ""), object(r#"{"op": "CONST.S", "value": "new"}"#))];
        let after = edited(&file, &batch).unwrap();
        // A label belongs to the instruction that has it, so a new one before it is not where the jump ends.
        let moved = |index: usize| if index >= nth { index + 1 } else { index };
        let mut expected: Vec<_> = ENDS.iter().map(|end| end.map(moved)).collect();
        expected.insert(nth, None);
        assert_eq!(jumps(&after), expected, "{nth}");
        let mut batch = Batch::default();
        batch.delete = vec![place(nth, "")];
        let again = edited(&after, &batch).unwrap();
        assert_eq!(again, file, "{nth}");
    }
    // An instruction where a jump ends can only go when the jump does.
    let mut batch = Batch::default();
    batch.delete = vec![place(4, "")];
    let why = edited(&file, &batch).unwrap_err();
    assert!(
        why.contains("/code/2/to: expected the label of an instruction; give it this \"label\", found \"L4\""),
        "{why}"
    );
    // The only jump that leads there is at 2, to which the one at 8 leads, to which the one at 6 leads.
    batch.delete.extend([place(2, ""), place(8, ""), place(6, "")]);
    assert_eq!(disassemble(&edited(&file, &batch).unwrap()).unwrap().len(), before.len() - 4);
}

#[test]
fn jump_can_lead_elsewhere_and_must_lead_to_an_instruction() {
    let file = around_a_string();
    let label = |nth, label: &str| (nth, "/label", Value::from(label));
    let to = |nth, to: &str| (nth, "/to", Value::from(to));
    let after = edited(&file, &set(&[label(3, "here"), to(9, "here")])).unwrap();
    assert_eq!(jumps(&after)[9], Some(3));
    for (values, expected) in [
        (vec![to(9, "nowhere")], "/code/9/to: expected the label of an instruction"),
        (vec![to(9, "@6")], "/code/9/to: expected a distance such as @+6 or @-6, found \"@6\""),
        (vec![label(3, "L2")], "/code/3/label: expected the label of one instruction, found two of them"),
        (vec![label(3, "end")], "/code/3/label: expected a name that does not begin with @, and is not \"end\""),
        (
            vec![(3, "/value", "x".repeat(65_536).as_str().into())],
            "/code/3/value: expected a string of at most 65535 bytes",
        ),
        (vec![(3, "/value", "日".into())], "/code/3/value: expected characters of windows-1252"),
        (vec![(3, "/op", "CONST.X".into())], "/code/3/op: expected an instruction such as JSR or CONST.S"),
        (vec![(1, "/size", 4.into())], "/code/1: expected no member size"),
    ] {
        let why = edited(&file, &set(&values)).unwrap_err();
        assert!(why.contains(expected), "{why}");
    }
    // The place of a delayed action is stored in one byte.
    let mut batch = Batch::default();
    let long = Value::from([("op", "CONST.S".into()), ("value", "x".repeat(300).as_str().into())]);
    batch.insert = vec![(place(7, ""), long)];
    let why = edited(&file, &batch).unwrap_err();
    assert!(why.contains("/code/5/to: expected a distance of 0 to 255 bytes, found 320 bytes"), "{why}");
}

#[test]
fn jump_to_no_instruction_deviates_and_is_preserved() {
    for (name, op, found) in [
        ("ncs_middle.ncs", "JSR", "@+8"),
        ("ncs_before.ncs", "JSR", "@-6"),
        ("ncs_outside.ncs", "JSR", "@+2147483647"),
        ("ncs_end.ncs", "JSR", "end"),
        ("ncs_state.ncs", "STORESTATE", "@+9"),
    ] {
        let file = sample(name);
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.ncs"), &file).unwrap();
        let (code, out, err) = run(folder.path(), &["inspect", "a.ncs", "/code/0/to"]);
        assert!(code == 0 && out.contains(found), "{name}: {out}{err}");
        let (code, out, err) = run(folder.path(), &["verify", "-v", "a.ncs"]);
        let deviation = "/code/0/to: expected \"the beginning of an instruction\", found";
        assert!(code == 0 && out.contains(deviation), "{name}: {out}{err}");
        let (code, out, err) = run(folder.path(), &["lint", "a.ncs"]);
        assert!(
            code == 1 && out.contains("/code/0/to: a jump does not end at") && out.contains(op),
            "{name}: {out}{err}"
        );
        let (code, _, err) = run(folder.path(), &["unpack", "a.ncs", "b"]);
        assert_eq!(code, 0, "{name}: {err}");
        let (code, _, err) = run(folder.path(), &["pack", "b", "c.ncs"]);
        assert_eq!((code, fs::read(folder.path().join("c.ncs")).unwrap()), (0, file), "{name}: {err}");
    }
}

#[test]
fn string_of_a_script_can_be_found_and_set() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.ncs"), around_a_string()).unwrap();
    let (code, out, err) = run(folder.path(), &["inspect", "a.ncs", "--find", "APPRAISE"]);
    assert!(code == 0 && out.contains("/code/3/value") && out.contains("/code/7/value"), "{out}{err}");
    let (code, _, err) = run(folder.path(), &["patch", "a.ncs", "--set", "/code/3/value=\"ABC\"", "-o", "b.ncs"]);
    assert_eq!(code, 0, "{err}");
    let after = fs::read(folder.path().join("b.ncs")).unwrap();
    assert_eq!((after.len(), &jumps(&after)[..]), (around_a_string().len() - 12, &ENDS[..]));
    let (code, out, err) = run(folder.path(), &["verify", "-v", "b.ncs"]);
    assert!(code == 0 && !out.contains("/code"), "{out}{err}");
    let (code, out, err) = run(folder.path(), &["diff", "a.ncs", "b.ncs"]);
    assert!(code == 1 && out.contains("/code/3/value: \"X0_APPRAISERANK\" → \"ABC\""), "{out}{err}");
    assert!(!out.contains("/to"), "no jump changed: {out}");
}

#[test]
fn bytes_that_are_no_instructions_are_kept() {
    for (name, rest) in
        [("ncs_code.ncs", "fe 00 20 00"), ("ncs_constant.ncs", "04 07 01 02 03 04 20 00"), ("ncs_odd.ncs", "20")]
    {
        let file = sample(name);
        let report = verify(KINDS, name, file.clone());
        let said = report.deviations.iter().map(|it| format!("{it:?}")).collect::<String>();
        assert!(said.contains("a complete instruction"), "{name}: {said}");
        let after = edited(&file, &{
            let mut batch = Batch::default();
            batch.insert = vec![(place(0, ""), object(r#"{"op": "NOP"}"#))];
            batch
        });
        assert_eq!(after.unwrap()[13..], [&[0x2D, 0], &file[13..]].concat(), "{name}");
        let json = tree_of(name, &file);
        assert_eq!(
            json.get("rest").and_then(|it| it.text()).map(str::to_owned),
            Some(rest.to_owned()),
            "{}",
            Compact(&json)
        );
    }
}

/// Returns the model of a script as JSON.
fn tree_of(name: &str, file: &[u8]) -> Value {
    let files = unpacked(kind("ncs"), file);
    parse(&files[MANIFEST]).unwrap().get("data").unwrap_or_else(|| panic!("{name}")).clone()
}
