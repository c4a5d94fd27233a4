//! Changes written by `diff --json`: they turn one file into the other, and are refused if they do not match.

use ::field::Thresholds;
use bitexact::edit::Edit;
use bitexact::edit::changes_between;
use bitexact::edit::diff::{Changes, Held, apply, entries, read};
use bitexact::exchange::About;
use bitexact::field::encode;
use bitexact::passes::Sha;
use bitexact::registry::{KINDS, Kind};
use forge::Size;
use forge::archive::{Content, Spec, build};
use forge::reader::{self, float, list, string};

use super::{Desk, archive, data, entry, readers};
use crate::harness::forged;

/// Builds the second file from the first and their differences, via the text of the changes.
fn made(kind: &'static Kind, old: &[u8], new: &[u8]) -> Result<Vec<u8>, String> {
    let (old, new) = (bytes::Bytes::copy_from_slice(old), bytes::Bytes::copy_from_slice(new));
    let text = |error: bitexact::field::Error| error.to_string();
    let changes = changes_between(kind, old.clone(), new).map_err(text)?;
    let written = serde_json::to_string(&Changes::of(kind.name, changes)).unwrap();
    let changes = read(written.as_bytes())?.changes;
    let about = About { kind, games: &[], sha256: Sha::of(&old), deviations: &[] };
    let mut edit = Edit::of(&(kind.decode)(old.clone()).map_err(text)?.model, about).map_err(text)?;
    let (entries, own) = (entries(kind, &old).map_err(text)?, Held::of(kind.name, &old));
    let hash = |entry: &str| if entry.is_empty() { Some(own) } else { entries.get(entry).copied() };
    apply(&changes, &mut edit, hash).map_err(|refusal| format!("{refusal}\n{written:.600}"))?;
    let packed = edit.pack(KINDS).map_err(|error| format!("{error}\n{written:.600}"))?;
    encode(&packed.model).map_err(text)
}

#[test]
fn mod_turns_any_file_into_the_other() {
    /// Lists are compared item by item or as sequences, and moved in pieces or whole.
    static THRESHOLDS: [Thresholds; 3] = [Thresholds::SMALLEST, Thresholds::ONE, Thresholds::LARGEST];
    let mut failed = Vec::new();
    let mut pairs = 0;
    for size in [Size::Tiny, Size::Small] {
        let cases = forged(size, "");
        for kind in KINDS {
            let all: Vec<_> = cases.iter().filter(|case| case.kind.name == kind.name).collect();
            for (step, pair) in
                [1, 7].iter().flat_map(|&step| all.iter().zip(all.iter().skip(step)).map(move |it| (step, it)))
            {
                pairs += 1;
                match made(kind, &pair.0.bytes, &pair.1.bytes) {
                    Ok(bytes) if bytes == pair.1.bytes => {}
                    Ok(_) => failed.push(format!("{} -> {} ({step}): other bytes", pair.0.name, pair.1.name)),
                    Err(why) => failed.push(format!("{} -> {}: {why}", pair.0.name, pair.1.name)),
                }
                for thresholds in THRESHOLDS.iter().filter(|_| size == Size::Tiny && step == 1) {
                    let made = thresholds.during(|| made(kind, &pair.0.bytes, &pair.1.bytes));
                    if made.as_ref() != Ok(&pair.1.bytes) {
                        let why = made.err().unwrap_or_else(|| "other bytes".to_owned());
                        failed.push(format!("{} -> {} with {thresholds:?}: {why}", pair.0.name, pair.1.name));
                    }
                }
            }
        }
    }
    assert!(failed.is_empty(), "{} of {pairs} failed:\n{}", failed.len(), failed.join("\n"));
    assert!(pairs > 200);
}

#[test]
fn byte_order_mark_is_ignored() {
    let desk = Desk::of(&[("a.zbd", &archive()), ("b.zbd", &build(&readers(7.5)))]);
    let marked = |text: &[u8]| [b"\xEF\xBB\xBF", text].concat();
    desk.write("mod.json", &marked(desk.run(&["diff", "--json", "a.zbd", "b.zbd"]).out.as_bytes()));
    desk.ok(&["unpack", "a.zbd", "form"]);
    desk.ok(&["patch", "a.zbd", "--apply", "mod.json"]);
    assert!(desk.read("a.zbd") == build(&readers(7.5)));
    for file in ["form/bitexact.json", "form/weapons.zrd.json"] {
        desk.write(file, &marked(&desk.read(file)));
    }
    desk.ok(&["pack", "form", "c.zbd"]);
    assert!(desk.read("c.zbd") == archive());
}

#[test]
fn mod_that_does_not_match_reports_the_difference() {
    let row = |damage: f32| list([string(b"LASER"), float(damage), list([string(b"long ".repeat(40).as_slice())])]);
    let of = |rows: Vec<reader::Value>| build(&Spec::new(1, Content::Readers, vec![entry(b"a.zrd", data(list(rows)))]));
    let desk = Desk::of(&[
        ("a.zbd", &of(vec![row(1.0), row(2.0)])),
        ("b.zbd", &of(vec![row(2.0)])),
        ("c.zbd", &of(vec![row(3.0), row(2.0)])),
    ]);
    desk.write("mod.json", desk.run(&["diff", "--json", "a.zbd", "b.zbd"]).out.as_bytes());
    let said = desk.run(&["patch", "c.zbd", "--apply", "mod.json"]);
    assert_eq!(said.err, "bitexact: c.zbd: mod.json: a.zrd:/0/1: expected 1.0, found 3.0\n");
}

#[test]
fn mod_is_refused_if_its_old_value_differs() {
    let desk = Desk::of(&[("a.zbd", &archive()), ("b.zbd", &build(&readers(7.5))), ("c.zbd", &build(&readers(6.0)))]);
    desk.write("mod.json", desk.run(&["diff", "--json", "a.zbd", "b.zbd"]).out.as_bytes());
    let said = desk.run(&["patch", "c.zbd", "--apply", "mod.json"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("mod.json: weapons.zrd:/0/1: expected 5.0, found 6.0"), "{}", said.err);
    assert!(desk.read("c.zbd") == build(&readers(6.0)));

    // An entry to be removed or replaced is identified by its hash.
    let mut fewer = readers(5.0);
    fewer.entries.remove(1);
    desk.write("b.zbd", &build(&fewer));
    desk.write("mod.json", desk.run(&["diff", "--json", "a.zbd", "b.zbd"]).out.as_bytes());
    let said = desk.run(&["patch", "c.zbd", "--apply", "mod.json"]);
    assert_eq!(
        (said.code, said.err.contains("weapons.zrd: expected an entry with SHA-256 ")),
        (2, true),
        "{}",
        said.err
    );
    desk.ok(&["patch", "a.zbd", "--apply", "mod.json"]);
    assert!(desk.read("a.zbd") == build(&fewer));

    // Changes are for a single kind.
    desk.replace("mod.json", "\"kind\":\"archive\"", "\"kind\":\"wad\"");
    assert!(
        desk.run(&["patch", "c.zbd", "--apply", "mod.json"])
            .err
            .contains("expected changes of a file of kind archive, found those of kind wad")
    );
    for (from, to) in [("\"schema\":3", "\"schema\":2"), ("\"remove\"", "\"erase\"")] {
        desk.write("mod.json", desk.run(&["diff", "--json", "c.zbd", "b.zbd"]).out.as_bytes());
        desk.replace("mod.json", from, to);
        assert_eq!(desk.run(&["patch", "c.zbd", "--apply", "mod.json"]).code, 2);
    }
}

#[test]
fn removed_or_moved_entry_is_compared_with_the_mod() {
    let (mut fewer, mut turned) = (readers(5.0), readers(5.0));
    fewer.entries.remove(1);
    turned.entries.reverse();
    let desk = Desk::of(&[("a.zbd", &archive()), ("fewer.zbd", &build(&fewer)), ("turned.zbd", &build(&turned))]);
    for (new, from, to, why) in [
        (
            "fewer.zbd",
            "\"kind\":\"reader\"",
            "\"kind\":\"wave\"",
            "expected an entry of kind \"wave\", found \"reader\"",
        ),
        ("fewer.zbd", "\"bytes\":", "\"bytes\":1", "bytes, found "),
        ("turned.zbd", "\"from\":2", "\"from\":1", ", found at 2"),
    ] {
        desk.write("mod.json", desk.run(&["diff", "--json", "a.zbd", new]).out.as_bytes());
        desk.replace("mod.json", from, to);
        let said = desk.run(&["patch", "a.zbd", "--apply", "mod.json"]);
        assert_eq!((said.code, said.err.contains(why)), (2, true), "{}", said.err);
        assert!(desk.read("a.zbd") == archive());
    }
}

/// Returns a generated file.
fn sample(kind: &str, name: &str) -> Vec<u8> {
    let mut samples = forge::samples(1, Size::Tiny).into_iter();
    samples.find(|it| it.kind == kind && it.name == name).expect(name).bytes
}

/// Asserts that changes are refused after one text in them is replaced, and are applied without that.
fn refuses(files: [(&str, &[u8]); 2], from: &str, to: &str, why: &str) {
    let [(old, before), (new, after)] = files;
    let desk = Desk::of(&files);
    desk.write("right.json", desk.run(&["diff", "--json", old, new]).out.as_bytes());
    desk.write("wrong.json", &desk.read("right.json"));
    desk.replace("wrong.json", from, to);
    let said = desk.run(&["patch", old, "--apply", "wrong.json"]);
    assert_eq!((said.code, said.err.contains(why)), (2, true), "{}{}", said.out, said.err);
    assert!(desk.read(old) == before);
    desk.ok(&["patch", old, "--apply", "right.json"]);
    assert!(desk.read(old) == after);
}

#[test]
fn mod_that_replaces_a_whole_file_is_refused_if_its_content_has_a_different_kind() {
    let old = sample("text-reader", "text_comment_lf.zrd");
    let new = [&old[..], b"; more\n"].concat();
    let files = [("a.zrd", &old[..]), ("b.zrd", &new[..])];
    let why = "expected content of kind \"text-reader\", found \"wave\"";
    refuses(files, "\"content\":{\"kind\":\"text-reader\"", "\"content\":{\"kind\":\"wave\"", why);
    let why = "expected content of one file, found 2 files";
    refuses(files, "\"files\":[", "\"files\":[[\"more\",{\"hex\":\"00\"}],", why);
    refuses(files, "{\"hex\":", "{\"text\":", "expected content of bytes, found JSON");
}

#[test]
fn mod_that_adds_an_entry_is_refused_if_the_entry_gets_a_different_name() {
    let mut more = readers(5.0);
    more.entries.push(entry(b"ammo.zrd", data(list([]))));
    let more = build(&more);
    let named = "\"entry\":\"ammo.zrd\"";
    let why = "expected an added entry named \"other.zrd\", found none; its table row and place determine its name";
    refuses([("a.zbd", &archive()), ("b.zbd", &more)], named, "\"entry\":\"other.zrd\"", why);
    // If the table has no names, the index is the name.
    let sounds = sample("sounds", "snd_disorder.sndA");
    let desk = Desk::of(&[("a.sndA", &sounds)]);
    desk.ok(&["unpack", "a.sndA", "form"]);
    desk.edit("form/bitexact.json", |json| {
        let definitions = json.step_mut("data").unwrap().step_mut("definitions").unwrap();
        let mut items = definitions.items().unwrap().to_vec();
        items.swap(1, 2);
        *definitions = items.into();
    });
    desk.ok(&["pack", "form", "b.sndA"]);
    let why = "expected an added entry named \"7\", found none; its table row and place determine its name";
    let moved = desk.read("b.sndA");
    refuses([("a.sndA", &sounds), ("b.sndA", &moved)], "\"add\",\"entry\":\"1\"", "\"add\",\"entry\":\"7\"", why);
}

#[test]
fn mod_that_adds_a_duplicate_name_may_number_it() {
    let mut more = readers(5.0);
    more.entries.push(entry(b"ammo.zrd", data(list([]))));
    let desk = Desk::of(&[("a.zbd", &archive()), ("b.zbd", &build(&more))]);
    desk.write("mod.json", desk.run(&["diff", "--json", "a.zbd", "b.zbd"]).out.as_bytes());
    desk.replace("mod.json", "\"entry\":\"ammo.zrd\"", "\"entry\":\"ammo.zrd#2\"");
    desk.ok(&["patch", "a.zbd", "--apply", "mod.json"]);
    assert!(desk.read("a.zbd") == build(&more));
}

#[test]
fn hash_in_a_name_needs_a_number() {
    let desk = Desk::of(&[("a.zbd", &archive())]);
    let said = desk.run(&["patch", "a.zbd", "--rename", "weapons.zrd=a#b.zrd"]);
    assert_eq!(
        (said.code, said.err.contains("expected the number of a duplicate name after #")),
        (2, true),
        "{}",
        said.err
    );
    assert!(desk.read("a.zbd") == archive());
    desk.ok(&["patch", "a.zbd", "--rename", "weapons.zrd=a%23b.zrd"]);
}

#[test]
fn mod_preserves_every_character() {
    // Some of these control a terminal: none may be lost in a file or a pipe, and none may reach a terminal.
    let text: Vec<u8> = (1..=255).collect();
    let odd = |text: &[u8]| build(&Spec::new(1, Content::Readers, vec![entry(b"odd.zrd", data(list([string(text)])))]));
    let desk = Desk::of(&[("a.zbd", &odd(b"plain")), ("b.zbd", &odd(&text))]);
    desk.write("mod.json", desk.run(&["diff", "--json", "a.zbd", "b.zbd"]).out.as_bytes());
    desk.ok(&["patch", "a.zbd", "--apply", "mod.json"]);
    assert!(desk.read("a.zbd") == odd(&text));
    let shown = desk.ok(&["inspect", "--json", "b.zbd", "odd.zrd:/0"]).out;
    let value = serde_json::from_str::<serde_json::Value>(&shown).unwrap()["value"].as_str().unwrap().to_owned();
    assert!((1..=0x7F).all(|it| value.contains(char::from(it))), "{shown}");
    assert!(!shown.trim_end().chars().any(char::is_control), "{shown}");
}
