//! Calls killed at random moments: each file is the old or the new one, or the next call finishes the change.
//!
//! `BITEXACT_TEST_KILLS=250 cargo test --test all -- killed --nocapture` kills 250 calls in each test.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use forge::archive::{Content, build};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use super::installs::files;
use super::{Desk, archive, entry, readers};
use crate::harness::sample;

/// Returns how many calls a test kills: the usual number, unless more are asked for.
pub(crate) fn kills(usual: u32) -> u32 {
    std::env::var("BITEXACT_TEST_KILLS").map_or(usual, |count| count.parse().expect("BITEXACT_TEST_KILLS is a number"))
}

/// Kills calls that lead from an old state to a new one and back. `look` finishes what a killed call has left, and returns `true` for
/// the new state.
fn kill(what: &str, usual: u32, call: impl Fn(bool) -> Child, look: impl Fn() -> bool) {
    let mut whole = [false, true].map(|is_new| {
        let begun = Instant::now();
        assert!(call(!is_new).wait().unwrap().success());
        let took = begun.elapsed();
        assert_eq!(look(), !is_new);
        took
    });
    let mut random = ChaCha8Rng::seed_from_u64(22);
    let (mut is_new, mut counts) = (false, [0, 0]);
    let wanted = kills(usual);
    // A few more, if it was always too early or too late so far.
    for nth in 0..10 * wanted {
        if nth >= wanted && !counts.contains(&0) {
            break;
        }
        let whole = &mut whole[usize::from(is_new)];
        let mut child = call(!is_new);
        std::thread::sleep(whole.mul_f64((random.next_u64() % 1000) as f64 / 900.0));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = look();
        counts[usize::from(now != is_new)] += 1;
        // However busy the machine is, about a quarter of the calls is killed too late.
        *whole = whole.mul_f64(if now == is_new { 1.02 } else { 0.94 }).max(Duration::from_millis(1));
        is_new = now;
    }
    eprintln!("{what}: {} kills left the state before the call, {} the state after it", counts[0], counts[1]);
    assert!(counts[0] > 0 && counts[1] > 0, "it was always too early or too late: {counts:?}");
}

fn start(desk: &Desk, args: &[&str]) -> Child {
    desk.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Returns a file that is large enough to be written in several pieces.
fn large(damage: f32) -> Vec<u8> {
    let mut spec = readers(damage);
    spec.entries.push(entry(b"large.txt", vec![b'x'; 1 << 20]));
    spec.content = Content::Unknown;
    build(&spec)
}

/// Returns `true` if a file is the new one, and checks that it is one of both.
fn is_new(desk: &Desk, old: &[u8], new: &[u8]) -> bool {
    let left = desk.read("reader.zbd");
    assert!(left == old || left == new, "half written: {} bytes", left.len());
    left == new
}

/// Checks that other commands ignore the temporary files that killed calls have left.
fn leaves_only_litter(desk: &Desk) {
    let rows = desk.ok(&["verify", "--json", "."]).out;
    assert!(rows.lines().count() > 1 && !rows.contains(".bitexact-"), "{rows}");
}

#[test]
fn killed_patch_leaves_the_old_or_the_new_file() {
    let (old, new) = (large(5.0), large(7.5));
    let desk = Desk::of(&[("reader.zbd", &old)]);
    let set = |is_new| ["weapons.zrd:/0/1=5.0", "weapons.zrd:/0/1=7.5"][usize::from(is_new)];
    let call = |to_new| start(&desk, &["patch", "reader.zbd", "-q", "--set", set(to_new)]);
    kill("patch", 40, call, || is_new(&desk, &old, &new));
    leaves_only_litter(&desk);
}

#[test]
fn killed_pack_leaves_the_old_or_the_new_file() {
    let (old, new) = (large(5.0), large(7.5));
    let desk = Desk::of(&[("reader.zbd", &old), ("new.zbd", &new)]);
    desk.ok(&["unpack", "reader.zbd", "old.form"]);
    desk.ok(&["unpack", "new.zbd", "new.form"]);
    let form = |is_new| ["old.form", "new.form"][usize::from(is_new)];
    let call = |to_new| start(&desk, &["pack", form(to_new), "reader.zbd", "-q", "--force"]);
    kill("pack of a file", 40, call, || is_new(&desk, &old, &new));
    leaves_only_litter(&desk);
}

/// Every other command that writes one file: it is always the one before the call or the one after it.
#[test]
fn killed_call_leaves_the_old_or_the_new_output() {
    let (old, new) = (large(5.0), large(7.5));
    let desk = Desk::of(&[("old.zbd", &old), ("new.zbd", &new), ("boar.mdl", &sample("c_boar.mdl"))]);
    for (name, x) in [("left", "1.0"), ("right", "2.0")] {
        let set = format!("/root/children/0/controllers/0/rows/0/1={x}");
        desk.ok(&["patch", "boar.mdl", "-q", "--set", &set, "-o", &format!("{name}.mdl")]);
        desk.ok(&["export", &format!("{name}.mdl"), &format!("{name}.glb"), "-q"]);
    }
    desk.ok(&["unpack", "old.zbd", "old.zip", "-q"]);
    desk.ok(&["unpack", "new.zbd", "new.zip", "-q"]);
    let calls: [(&str, [&[&str]; 2]); 7] = [
        ("out.glb", [&["export", "left.mdl", "out.glb", "--force"], &["export", "right.mdl", "out.glb", "--force"]]),
        (
            "out.mdl",
            [
                &["import", "boar.mdl", "left.glb", "-o", "out.mdl", "--force"],
                &["import", "boar.mdl", "right.glb", "-o", "out.mdl", "--force"],
            ],
        ),
        (
            "out.mod",
            [
                &["mod", "make", "old.zbd", "new.zbd", "-o", "out.mod", "--force"],
                &["mod", "make", "new.zbd", "old.zbd", "-o", "out.mod", "--force"],
            ],
        ),
        (
            "out.zbd",
            [
                &["patch", "old.zbd", "--set", "weapons.zrd:/0/1=1.0", "-o", "out.zbd", "--force"],
                &["patch", "old.zbd", "--set", "weapons.zrd:/0/1=2.0", "-o", "out.zbd", "--force"],
            ],
        ),
        ("out.zip", [&["unpack", "old.zbd", "out.zip", "--force"], &["unpack", "new.zbd", "out.zip", "--force"]]),
        ("packed.zbd", [&["pack", "old.zip", "packed.zbd", "--force"], &["pack", "new.zip", "packed.zbd", "--force"]]),
        ("out.jsonl", [&["snapshot", "old.zbd", "-o", "out.jsonl"], &["snapshot", "new.zbd", "-o", "out.jsonl"]]),
    ];
    for (output, calls) in calls {
        let states = calls.map(|args| {
            desk.ok(args);
            desk.read(output)
        });
        assert!(states[0] != states[1], "{output}");
        desk.ok(calls[0]);
        kill(
            &calls[0].join(" "),
            12,
            |to_new| start(&desk, calls[usize::from(to_new)]),
            || {
                let left = desk.read(output);
                let state = states.iter().position(|state| *state == left);
                state.unwrap_or_else(|| panic!("{output} is half written: {} bytes", left.len())) == 1
            },
        );
    }
    leaves_only_litter(&desk);
}

/// A BIF, and the two KEYs that state its size.
const NWN: [&str; 3] = ["data/2da.bif", "chitin.key", "xp1.key"];

/// Makes a game of Neverwinter Nights, and a copy of it. Returns its script in a short and a long form.
fn with_keys() -> (Desk, [String; 2]) {
    let desk = Desk::of(&[]);
    for folder in ["game", "original"] {
        for (path, name) in NWN.into_iter().zip(["data_2da.bif", "chitin.key", "chitin.key"]) {
            desk.write(&format!("{folder}/{path}"), &sample(name));
        }
    }
    let scripts = ["// short".to_owned(), format!("// {}", "long ".repeat(4000))];
    (desk, scripts.map(|script| format!("0001.nss:/0=\"{script}\"")))
}

/// Returns the hashes of the BIF and its KEYs, after what was interrupted is finished.
fn state(desk: &Desk) -> [String; 3] {
    desk.ok(&["mod", "finish", "game", "-q"]);
    NWN.map(|path| bitexact::passes::Sha::of(&desk.read(&format!("game/{path}"))).to_string())
}

#[test]
fn killed_patch_of_a_bif_leaves_it_and_its_keys_old_or_new() {
    let (desk, scripts) = with_keys();
    let original = files(&desk, "game");
    let states = [0, 1].map(|nth| {
        desk.ok(&["patch", "game/data/2da.bif", "-q", "--set", &scripts[nth]]);
        state(&desk)
    });
    let [short, long] = &states;
    assert!(short.iter().zip(long).all(|(short, long)| short != long), "all three files change");
    desk.ok(&["patch", "game/data/2da.bif", "-q", "--set", &scripts[0]]);
    let call = |to_new| start(&desk, &["patch", "game/data/2da.bif", "-q", "--set", &scripts[usize::from(to_new)]]);
    kill("patch of a BIF", 40, call, || {
        let state = state(&desk);
        assert!(states.contains(&state), "neither all old nor all new");
        state == states[1]
    });
    desk.ok(&["mod", "undo", "game"]);
    assert!(files(&desk, "game") == original);
}

#[test]
fn killed_patch_of_a_folder_leaves_all_files_old_or_all_new() {
    let (old, new) = (build(&readers(5.0)), build(&readers(7.5)));
    let paths = [0, 1, 2, 3].map(|nth| format!("game/{nth}/reader.zbd"));
    let desk = Desk::of(&[]);
    paths.iter().for_each(|path| desk.write(path, &old));
    let set = |is_new| ["weapons.zrd:/0/1=5.0", "weapons.zrd:/0/1=7.5"][usize::from(is_new)];
    let call = |to_new| start(&desk, &["patch", "game", "-q", "--everywhere", set(to_new)]);
    kill("patch of a folder", 20, call, || {
        desk.ok(&["mod", "finish", "game", "-q"]);
        let left = paths.each_ref().map(|path| desk.read(path));
        assert!(left.iter().all(|it| *it == old) || left.iter().all(|it| *it == new), "neither all old nor all new");
        left[0] == new
    });
}

#[test]
fn killed_pack_or_undo_leaves_the_old_or_the_new_install() {
    let (desk, scripts) = with_keys();
    let original = files(&desk, "game");
    let old = state(&desk);
    let script = |nth: usize| scripts[nth].split_once('=').unwrap().1.trim_matches('"').to_owned();
    // The first form has an edit, and packs to the new state; undoing leads back.
    desk.ok(&["unpack", "game", "form", "-q"]);
    desk.write("form/data/2da.bif/0001.nss", script(1).as_bytes());
    let list = desk.read("form/bitexact-install.json");
    desk.ok(&["pack", "form", "game", "-q"]);
    let new = state(&desk);
    assert!(old.iter().zip(&new).all(|(old, new)| old != new), "all three files change");
    desk.ok(&["mod", "undo", "game", "-q"]);
    let call = |to_new| match to_new {
        true => {
            // As if the form had not been packed yet.
            desk.write("form/bitexact-install.json", &list);
            start(&desk, &["pack", "form", "game", "-q"])
        }
        false => start(&desk, &["mod", "undo", "game", "-q"]),
    };
    kill("pack of an install and undo", 40, call, || {
        let state = state(&desk);
        assert!(state == old || state == new, "neither all old nor all new");
        state == new
    });
    desk.run(&["mod", "undo", "game", "-q"]);
    assert!(files(&desk, "game") == original);
}

/// Makes a game of twelve files, a copy of it, and another one in which all of them are edited.
fn games() -> Desk {
    let desk = Desk::of(&[]);
    for nth in 0..12 {
        for (folder, damage) in [("original", 5.0), ("game", 5.0), ("mine", 7.5)] {
            desk.write(&format!("{folder}/zbd/c{nth}/reader.zbd"), &build(&readers(damage)));
        }
    }
    desk
}

/// Returns the files of the game and what the next call prints, after it has finished what was interrupted.
fn finished(desk: &Desk, count: &Cell<u32>) -> (BTreeMap<String, Vec<u8>>, String) {
    let said = desk.ok(&["mod", "finish", "game"]);
    let was_cut = said.err.contains("game: finished the changes of an earlier call, which was interrupted");
    count.set(count.get() + u32::from(was_cut));
    let listed = desk.ok(&["mod", "list", "game"]);
    let mut left = files(desk, "game");
    left.retain(|path, _| !path.starts_with(".bitexact-mods/"));
    (left, listed.out)
}

#[test]
fn killed_mod_call_leaves_the_old_or_the_new_install() {
    let desk = games();
    for nth in 0..12 {
        desk.write(&format!("mine/new/c{nth}/notes.txt"), b"new");
    }
    desk.ok(&["mod", "make", "original", "mine", "-o", "x.mod"]);
    let (old, new) = (files(&desk, "original"), files(&desk, "mine"));
    let call = |to_new| match to_new {
        true => start(&desk, &["mod", "apply", "game", "x.mod", "-q"]),
        false => start(&desk, &["mod", "undo", "game", "-q"]),
    };
    let unfinished = Cell::new(0);
    kill("mod apply and undo", 200, call, || {
        let (left, listed) = finished(&desk, &unfinished);
        let is_new = left == new;
        assert!(is_new || left == old, "neither the old nor the new install: {:?}", left.keys());
        assert_eq!(listed.is_empty(), !is_new, "{listed}");
        assert!(is_new || !desk.path("game/.bitexact-mods").exists() && !desk.path("game/new").exists());
        is_new
    });
    eprintln!("mod apply and undo: {} of them were finished by the next call", unfinished.get());
}

/// A call that finishes the changes of another one says so, whichever of the two it is.
#[test]
fn interrupted_change_is_finished_and_reported_by_pack_too() {
    let desk = games();
    desk.ok(&["unpack", "original", "form"]);
    desk.ok(&["mod", "make", "original", "mine", "-o", "x.mod"]);
    desk.ok(&["mod", "apply", "game", "x.mod"]);
    // As if the undo was killed after the first of its files: the transaction is recorded.
    let hash = |bytes: &[u8]| bitexact::passes::Sha::of(bytes).to_string();
    let (before, after) = (hash(&build(&readers(7.5))), hash(&archive()));
    let steps: Vec<serde_json::Value> = (0..12)
        .map(|nth| serde_json::json!({"path": format!("zbd/c{nth}/reader.zbd"), "before": before, "after": after}))
        .collect();
    let next = serde_json::json!({"schema": 1, "mods": [], "files": {}, "folders": []});
    let transaction = serde_json::json!({"schema": 1, "steps": steps, "next": next, "gone": []});
    desk.write("game/.bitexact-mods/transaction.json", transaction.to_string().as_bytes());
    desk.write("game/zbd/c0/reader.zbd", &archive());
    // Reading reports it, and leaves it.
    let said = desk.ok(&["mod", "list", "game"]);
    assert!(said.out.starts_with("x.mod: 12 files") && said.err.contains("`bitexact mod finish game`"), "{}", said.err);
    let said = desk.run(&["mod", "check", "game", "x.mod"]);
    assert!(said.code == 2 && said.err.contains("`bitexact mod finish game`"), "{}", said.err);
    let note = "game: a call was interrupted; `bitexact mod finish game` finishes its changes\n";
    for (args, code) in [
        (&["patch", "game/zbd/c1/reader.zbd", "--set", "weapons.zrd:/0/1=9.5", "-o", "patched.zbd"][..], 0),
        (&["patch", "game/zbd/c1/reader.zbd", "--set", "weapons.zrd:/0/1=9.5", "-n"], 0),
        (&["unpack", "game/zbd/c1/reader.zbd", "reader"], 0),
        (&["cat", "game/zbd/c1/reader.zbd", "hud.zrd", "--text"], 0),
        (&["ls", "game/zbd/c1/reader.zbd"], 0),
        (&["export", "game/zbd/c1/reader.zbd!weapons.zrd"], 0),
        (&["inspect", "game/zbd/c1/reader.zbd", "weapons.zrd:"], 0),
        (&["diff", "game/zbd/c0/reader.zbd", "game/zbd/c1/reader.zbd"], 1),
        (&["diff", "original", "game"], 1),
        (&["verify", "game/zbd/c1/reader.zbd", "game/zbd/c2/reader.zbd"], 0),
        (&["verify", "game"], 0),
        (&["lint", "game/zbd"], 0),
        (&["snapshot", "game"], 0),
        (&["unpack", "game", "half"], 0),
        (&["pack", "form", "game", "-n"], 0),
    ] {
        let said = desk.run(args);
        assert_eq!((said.code, said.err.matches(note).count()), (code, 1), "{args:?}: {}", said.err);
    }
    // A file of another folder has nothing to do with it.
    let said = desk.ok(&["ls", "original/zbd/c1/reader.zbd"]);
    assert_eq!(said.err, "");
    assert!(desk.path("game/.bitexact-mods/transaction.json").exists());
    let said = desk.ok(&["pack", "form", "game"]);
    let expected =
        "game: finished the changes of an earlier call, which was interrupted\ngame: no changes, no file written\n";
    assert_eq!(said.err, expected);
    assert!(files(&desk, "game") == files(&desk, "original"));
}
