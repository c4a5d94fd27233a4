//! Moved and renamed files, in installs and since a snapshot.

use super::{Desk, texts};

/// Returns the findings of `verify --against`, with the exit code.
fn against(desk: &Desk, list: &str, path: &str) -> (i32, Vec<String>) {
    let (code, rows) = desk.rows(&["--against", list, path]);
    let findings = rows.iter().filter(|row| row.get("finding").is_some());
    let words = |row: &serde_json::Value| {
        let was = row["differences"].as_array().unwrap().iter().find(|it| it["aspect"] == "path");
        let was = was.map_or(String::new(), |it| format!(" was {}", it["was"].as_str().unwrap()));
        format!("{} {}{was}", row["finding"].as_str().unwrap(), row["path"].as_str().unwrap())
    };
    (code, findings.map(words).collect())
}

#[test]
fn moved_and_renamed_files_are_found_by_their_bytes() {
    let desk = Desk::golden("rc");
    for format in [&[][..], &["--sha256sum"]] {
        assert_eq!(desk.run(&[&["snapshot", "rc", "-o", "was"], format].concat()).code, 0);
        desk.rename("rc/zbd/m1/texture2.zbd", "rc/zbd/texture2.zbd");
        desk.rename("rc/zbd/m1/zrdr.zbd", "rc/zbd/m1/readers.zbd");
        desk.rename("rc/zbd/image.zbd", "rc/zbd/Image.ZBD");
        let moves = [
            "moved zbd/Image.ZBD was zbd/image.zbd",
            "moved zbd/m1/readers.zbd was zbd/m1/zrdr.zbd",
            "moved zbd/texture2.zbd was zbd/m1/texture2.zbd",
        ];
        let (code, mut findings) = against(&desk, "was", "rc");
        findings.sort();
        assert_eq!((code, findings), (1, moves.map(str::to_owned).to_vec()));
        let said = desk.run(&["verify", "--against", "was", "--html", "page.html", "--junit", "cases.xml", "rc"]);
        assert!(
            said.out.contains("moved         zbd/texture2.zbd\n  path: zbd/m1/texture2.zbd, now zbd/texture2.zbd\n"),
            "{}",
            said.out
        );
        assert!(said.out.ends_with("against was: 3 moved\n"), "{}", said.out);
        let [page, cases] = ["page.html", "cases.xml"].map(|it| std::fs::read_to_string(desk.path(it)).unwrap());
        assert!(page.contains("was zbd/m1/texture2.zbd"), "{page}");
        assert!(cases.contains("the file has moved; path: zbd/m1/texture2.zbd, now zbd/texture2.zbd"), "{cases}");
        desk.rename("rc/zbd/texture2.zbd", "rc/zbd/m1/texture2.zbd");
        desk.rename("rc/zbd/m1/readers.zbd", "rc/zbd/m1/zrdr.zbd");
        desk.rename("rc/zbd/Image.ZBD", "rc/zbd/image.zbd");
    }
}

#[test]
fn renamed_and_changed_file_is_changed() {
    let desk = Desk::golden("rc");
    desk.run(&["snapshot", "rc", "-o", "was"]);
    desk.rename("rc/zbd/image.zbd", "rc/zbd/Image.zbd");
    desk.write("rc/zbd/Image.zbd", b"other");
    assert_eq!(against(&desk, "was", "rc"), (1, vec!["changed zbd/Image.zbd was zbd/image.zbd".to_owned()]));
}

#[test]
fn folder_of_another_level_is_named() {
    let desk = Desk::golden("rc");
    desk.run(&["snapshot", "rc", "-o", "was"]);
    let said = desk.run(&["verify", "--against", "was", "rc/zbd"]);
    assert_eq!(said.code, 1);
    assert!(
        said.err.contains("hint: rc/zbd looks one level too deep: the list has its files below zbd/\n"),
        "{}",
        said.err
    );
    let said = desk.run(&["verify", "--against", "was", "."]);
    assert!(
        said.err.contains("hint: . looks one level too high: it has the files of the list below rc/\n"),
        "{}",
        said.err
    );
    let said = desk.run(&["verify", "rc/zbd"]);
    assert!(
        said.err.contains("hint: rc/zbd looks one level too deep: give the folder of Recoil that contains it\n"),
        "{}",
        said.err
    );
    let said = desk.run(&["verify", "rc"]);
    assert!(!said.err.contains("level"), "{}", said.err);
}

#[test]
fn misplaced_file_of_an_install_is_not_missing() {
    let desk = Desk::golden("rc");
    desk.rename("rc/zbd/soundsm.zbd", "rc/SOUNDSM.ZBD");
    let install = desk.install(&["rc"]);
    assert_eq!(texts(&install["moved"], "from"), ["zbd/soundsm.zbd"]);
    assert!(!texts(&install["missing"], "path").contains(&"zbd/soundsm.zbd"));
    let said = desk.run(&["verify", "rc"]);
    assert!(
        said.out.contains("rc: SOUNDSM.ZBD: perhaps moved: the game has a file of this name as zbd/soundsm.zbd\n"),
        "{}",
        said.out
    );
    // A list proves it.
    desk.rename("rc/SOUNDSM.ZBD", "rc/zbd/soundsm.zbd");
    desk.run(&["snapshot", "--known", "rc", "-o", "known.tsv"]);
    desk.rename("rc/zbd/soundsm.zbd", "rc/zbd/m1/other.zbd");
    let said = desk.run(&["verify", "--known", "known.tsv", "rc"]);
    assert!(
        said.out.contains("rc: zbd/m1/other.zbd: renamed: the same bytes are sold as zbd/soundsm.zbd\n"),
        "{}",
        said.out
    );
    assert_eq!(said.code, 0);
}

#[test]
fn folder_of_several_games_is_not_one_level_too_deep() {
    let desk = Desk::golden("mw");
    let read = |path: &str| std::fs::read(crate::harness::golden_install().join(path)).unwrap();
    desk.write("mix/interp.zbd", &read("mw/zbd/interp.zbd"));
    desk.write("mix/gamez.zbd", &read("mw/zbd/c1/gamez.zbd"));
    desk.write("mix/mechlib.zbd", &read("mw/zbd/mechlib.zbd"));
    let hint = |desk: &Desk| desk.run(&["verify", "mix"]).err.contains("one level too deep");
    assert!(hint(&desk), "most of them are those of `zbd`");
    desk.write("mix/anim.zbd", &read("rc/zbd/m2/anim.zbd"));
    assert!(!hint(&desk), "one is of another game");
    std::fs::remove_file(desk.path("mix/anim.zbd")).unwrap();
    for name in ["a.txt", "b.txt", "c.txt", "d.txt"] {
        desk.write(&format!("mix/{name}"), b"notes");
    }
    assert!(!hint(&desk), "most of them are on no list of the game");
}
