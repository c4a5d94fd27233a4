//! Faults at every step of a transaction, and the files that they leave.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::faults::FAULT;
use super::{Game, Named, Replacement, Result, make};
use passes::Sha;

type Files = BTreeMap<String, Vec<u8>>;

fn write(folder: &Path, files: &Files) {
    for (path, bytes) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        std::fs::write(path, bytes).expect("a file");
    }
}

/// Returns all files and empty folders.
fn all(folder: &Path) -> Files {
    let walk = walkdir::WalkDir::new(folder).min_depth(1).into_iter().map(|it| it.expect("an entry"));
    let named = |it: walkdir::DirEntry| {
        let name = it.path().strip_prefix(folder).expect("inside").to_string_lossy().replace('\\', "/");
        (name, std::fs::read(it.path()).unwrap_or_default())
    };
    walk.map(named).collect()
}

/// Returns reader data: a list of two floats.
fn pair(one: f32, other: f32) -> Vec<u8> {
    let float = |it: f32| [2_u32.to_le_bytes(), it.to_le_bytes()].concat();
    [&[4, 0, 0, 0, 3, 0, 0, 0][..], &float(one), &float(other)].concat()
}

fn original() -> Files {
    [("a/x.zrd", pair(1.0, 2.0)), ("a/y.txt", b"text".to_vec()), ("gone.bin", vec![7; 5000])]
        .map(|(path, bytes)| (path.to_owned(), bytes))
        .into()
}

fn made(change: impl FnOnce(&mut Files)) -> String {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let mut mine = original();
    change(&mut mine);
    write(folders[0].path(), &original());
    write(folders[1].path(), &mine);
    let made = make(folders[0].path(), folders[1].path(), Path::new("none")).expect("a mod");
    made.file.print().expect("text")
}

fn mods() -> [(&'static str, String); 2] {
    let first = made(|files| {
        files.insert("a/x.zrd".into(), pair(1.5, 2.0));
        files.insert("new/deep/z.txt".into(), b"new".to_vec());
        files.remove("gone.bin");
    });
    let second = made(|files| {
        files.insert("a/x.zrd".into(), pair(1.0, 2.5));
        files.insert("a/y.txt".into(), b"other text".to_vec());
    });
    [("first.mod", first), ("second.mod", second)]
}

fn named(game: &Game, mods: &[(&str, String)]) -> Vec<Named> {
    mods.iter().map(|(name, text)| game.read(name, text.as_bytes()).expect("a mod")).collect()
}

/// Applies or undoes something, for whichever state it finds.
type Act = fn(&Path) -> Result;

fn apply_both(root: &Path) -> Result {
    let mut game = Game::lock(root)?;
    let mods = named(&game, &mods());
    let plan = game.apply(&mods)?;
    assert!(plan.findings.is_empty(), "{:?}", plan.findings);
    Ok(())
}

fn undo_first(root: &Path) -> Result {
    Game::lock(root)?.undo(Some("first")).map(drop)
}

fn undo_all(root: &Path) -> Result {
    undo_first(root)?;
    Game::lock(root)?.undo(None).map(drop)
}

#[test]
fn mods_are_applied_together_and_undone_one_by_one() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &original());
    let before = all(folder.path());
    apply_both(folder.path()).expect("applied");
    let with_both = all(folder.path());
    assert_eq!(with_both["a/x.zrd"], pair(1.5, 2.5));
    assert_eq!(with_both["a/y.txt"], b"other text");
    assert_eq!(with_both["new/deep/z.txt"], b"new");
    assert!(!with_both.contains_key("gone.bin"));
    undo_first(folder.path()).expect("undone");
    let with_second = all(folder.path());
    assert_eq!(with_second["a/x.zrd"], pair(1.0, 2.5));
    assert!(with_second.contains_key("gone.bin") && !with_second.contains_key("new"));
    Game::lock(folder.path()).expect("opened").undo(None).expect("undone");
    assert_eq!(all(folder.path()), before, "nothing is left, not even the journal");
}

/// Lets every step of an action fail, once or as if the process was killed there, and checks that the next call leaves the old or
/// the new files.
fn survives_faults(prepare: &[Act], act: Act) -> (usize, usize) {
    survives_faults_beside(prepare, act, journal)
}

/// Does the same, and compares what `kept` returns of the journal, too.
fn survives_faults_beside(prepare: &[Act], act: Act, kept: fn(&Path) -> Files) -> (usize, usize) {
    let game = |root: &Path| {
        let mut files = all(root);
        files.retain(|path, _| !path.starts_with(crate::install::JOURNAL));
        files
    };
    let build = || {
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), &original());
        prepare.iter().for_each(|act| act(folder.path()).expect("prepared"));
        folder
    };
    let folder = build();
    let old = (game(folder.path()), kept(folder.path()));
    act(folder.path()).expect("without faults");
    let new = (game(folder.path()), kept(folder.path()));
    let mut counts = (0, 0);
    for kills in [true, false] {
        for at in 0.. {
            let folder = build();
            FAULT.set(Some((at, kills)));
            let done = act(folder.path());
            let is_over = FAULT.get().is_some_and(|(left, _)| left > 0);
            FAULT.set(None);
            if !kills && done.is_err() {
                // A failure that is no kill is rolled back, before or by the next call.
                assert!(done.as_ref().is_err_and(|it| it.why.contains("injected")), "{done:?}");
            }
            drop(Game::lock(folder.path()).expect("recovered"));
            let left = (game(folder.path()), kept(folder.path()));
            assert!(left == old || left == new, "step {at}, kills {kills}: {:?}", left.1);
            *(if left == new { &mut counts.1 } else { &mut counts.0 }) += 1;
            if is_over {
                break;
            }
        }
    }
    counts
}

/// Returns what the journal holds, without the time of it.
fn journal(root: &Path) -> Files {
    let folder: PathBuf = root.join(crate::install::JOURNAL);
    if folder.exists() { all(&folder) } else { Files::new() }
}

#[test]
fn fault_at_any_step_of_apply_leaves_the_old_or_the_new_files() {
    let (old, new) = survives_faults(&[], apply_both);
    assert!(old > 10 && new > 5, "{old} {new}");
}

#[test]
fn fault_at_any_step_of_undo_leaves_the_old_or_the_new_files() {
    let (old, new) = survives_faults(&[apply_both], undo_first);
    assert!(old > 1 && new > 5, "{old} {new}");
    let (old, new) = survives_faults(&[apply_both, undo_first], |root| Game::lock(root)?.undo(None).map(drop));
    assert!(old > 1 && new > 3, "{old} {new}");
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &original());
    apply_both(folder.path()).expect("applied");
    undo_all(folder.path()).expect("undone");
    assert_eq!(all(folder.path()).len(), original().len() + 1);
}

/// Replaces two files as one edit, as `patch --everywhere` does.
fn replace_two(root: &Path) -> Result {
    let new = |path: &str, bytes: Vec<u8>| Replacement::new(path, Some(Sha::of(&original()[path])), bytes.into());
    let files = [new("a/x.zrd", pair(1.5, 2.5))?, new("a/y.txt", b"other text".to_vec())?];
    let (_, plan) = Game::lock(root)?.replace("weapons.zrd:/0/1", &files)?;
    assert!(plan.findings.is_empty(), "{:?}", plan.findings);
    Ok(())
}

#[test]
fn fault_at_any_step_of_an_edit_of_several_files_leaves_all_old_or_all_new() {
    // The journal has the time of the edit.
    let (old, new) = survives_faults_beside(&[], replace_two, |_| Files::new());
    assert!(old > 3 && new > 1, "{old} {new}");
    let (old, new) =
        survives_faults_beside(&[replace_two], |root| Game::lock(root)?.undo(None).map(drop), |_| Files::new());
    assert!(old > 1 && new > 1, "{old} {new}");
}

#[test]
fn file_of_the_user_is_never_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &original());
    apply_both(folder.path()).expect("applied");
    std::fs::write(folder.path().join("a/y.txt"), b"mine").expect("a file");
    let undone = Game::lock(folder.path()).expect("opened").undo(Some("second"));
    assert!(undone.is_err_and(|it| it.place == "a/y.txt" && it.why.contains("something else has changed")));
    assert_eq!(all(folder.path())["a/y.txt"], b"mine");
    std::fs::remove_file(folder.path().join("a/y.txt")).expect("moved away");
    undo_all(folder.path()).expect("undone");
    assert_eq!(all(folder.path())["a/y.txt"], b"text");
}

/// An empty record of a browser means that no file has changed; on a disk, it is a damaged one.
#[test]
fn damaged_record_of_a_transaction_loses_no_original() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &original());
    let before = all(folder.path());
    apply_both(folder.path()).expect("applied");
    let kept = journal(folder.path());
    std::fs::write(folder.path().join(".bitexact-mods/transaction.json"), b"").expect("damaged");
    let refused = Game::lock(folder.path());
    assert!(refused.is_err_and(|it| it.place.ends_with("transaction.json")));
    std::fs::remove_file(folder.path().join(".bitexact-mods/transaction.json")).expect("moved away");
    assert_eq!(journal(folder.path()), kept);
    undo_all(folder.path()).expect("undone");
    assert!(all(folder.path()) == before, "all originals are back");
}

#[test]
fn second_process_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &original());
    apply_both(folder.path()).expect("applied");
    let first = Game::lock(folder.path()).expect("opened");
    for second in [Game::lock(folder.path()), Game::open(folder.path())] {
        assert!(second.is_err_and(|it| it.why.contains("another bitexact")));
    }
    drop(first);
    let readers = [(); 2].map(|()| Game::open(folder.path()).expect("opened"));
    assert!(readers.iter().all(|game| game.applied().count() == 2));
}

/// Plans the first mod, and lets something else write the file that it removes before that is stored.
fn removed_while_it_changes(new: &[u8]) -> (tempfile::TempDir, Result) {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &original());
    let mut game = Game::lock(folder.path()).expect("opened");
    let mods = named(&game, &mods()[..1]);
    let planned = game.planned(&mods, &|contents| {
        if contents.size == 5000 {
            std::fs::write(folder.path().join("gone.bin"), new).expect("a file");
        }
        game.journal.keep(contents)
    });
    let done = planned.and_then(|plan| game.run(plan)).map(drop);
    drop(game);
    (folder, done)
}

#[test]
fn file_that_changes_while_it_is_stored_is_refused_and_not_lost() {
    // One that grows is stored as it was planned, and found to be another one before it is removed.
    for new in [&b"mine"[..], &[8; 5000], &[7; 4999], &[7; 5001]] {
        let (folder, done) = removed_while_it_changes(new);
        let why = done.expect_err("refused");
        assert!(why.place == "gone.bin" && why.why.contains("something else has changed the file since"), "{why}");
        let mut expected = original();
        expected.insert("gone.bin".to_owned(), new.to_vec());
        let mut found = all(folder.path());
        found.remove("a");
        assert_eq!(found, expected, "nothing is left of the journal");
    }
}

#[test]
fn content_of_a_mod_is_read_again_when_another_one_is_undone() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &original());
    let text = made(|files| {
        files.insert("a/y.txt".into(), b"other text".to_vec());
        files.insert("b.txt".into(), b"new".to_vec());
    });
    let mut game = Game::lock(folder.path()).expect("opened");
    let mods = named(&game, &[("one.mod", text.clone()), ("other.mod", text)]);
    assert!(game.apply(&mods).expect("applied").findings.is_empty());
    game.undo(Some("one")).expect("undone");
    let left = all(folder.path());
    assert_eq!((&left["a/y.txt"][..], &left["b.txt"][..]), (&b"other text"[..], &b"new"[..]));
    game.undo(None).expect("undone");
    drop(game);
    let left = all(folder.path());
    assert!(left["a/y.txt"] == b"text" && !left.contains_key("b.txt"));
}

#[test]
fn mods_of_files_in_memory_are_those_of_folders() {
    let mut edited = original();
    edited.remove("gone.bin");
    edited.insert("a/x.zrd".to_owned(), pair(1.0, 3.0));
    edited.insert("a/y.txt".to_owned(), b"other text".to_vec());
    edited.insert("new.zrd".to_owned(), pair(4.0, 5.0));
    let folder = tempfile::tempdir().expect("a folder");
    let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
    write(&old, &original());
    write(&new, &edited);
    let made = make(&old, &new, Path::new("out.mod")).expect("made").file;
    let bytes = |files: &Files, path: &str| files.get(path).cloned().map(bytes::Bytes::from);
    let paths: std::collections::BTreeSet<String> = original().into_keys().chain(edited.keys().cloned()).collect();
    let pairs: Vec<_> =
        paths.into_iter().map(|path| (path.clone(), bytes(&original(), &path), bytes(&edited, &path))).collect();
    assert_eq!(super::make_of(&pairs).expect("made").file, made);
    assert_eq!(made.files.len(), 4);
    for edit in &made.files {
        let (old, new) = (bytes(&original(), &edit.path), bytes(&edited, &edit.path));
        assert_eq!(edit.apply_to(old.as_ref()).expect("fits"), new, "{}", edit.path);
        // Any other file is refused. What is gone already need not be removed.
        let other = bytes::Bytes::from(pair(8.0, 9.0));
        let why = edit.apply_to(Some(&other)).expect_err("refused").to_string();
        assert!(why.contains("expected"), "{why}");
        let is_fine = edit.before.is_none() || edit.after.is_none();
        assert_eq!(edit.apply_to(None).is_ok(), is_fine, "{}", edit.path);
    }
    let named = |path: &str| super::make_of(&[(path.to_owned(), None, bytes(&edited, "new.zrd"))]);
    assert!(named("../new.zrd").is_err() && named("new.zrd").is_ok());
}
