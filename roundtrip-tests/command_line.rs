//! The program from the user's point of view: rows, tables, exit codes, places, pipes and signals.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::harness::{self, sample};

fn bitexact(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bitexact"));
    command.current_dir(harness::root()).env_remove("NO_COLOR").args(args);
    command
}

fn run(args: &[&str]) -> Output {
    harness::output_of(&mut bitexact(args))
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("not killed")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn rows(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Creates a folder with these files.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, bytes) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn sample_install_is_identical() {
    let output = run(&["verify", "golden/install"]);
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    let files = forge::install(forge::INSTALL_SEED).len();
    let proven = format!("\nproven:  all {files} files come back bit for bit; whether they are as sold is not known\n");
    assert!(stdout(&output).contains(&proven), "{}", stdout(&output));
}

#[test]
fn rows_have_the_documented_members() {
    let output = run(&["verify", "--json", "golden/install"]);
    assert_eq!((code(&output), stderr(&output)), (0, String::new()));
    let rows = rows(&output);
    let (summary, files) = rows.split_last().unwrap();
    let (installs, files): (Vec<_>, Vec<_>) = files.iter().partition(|row| row.get("install").is_some());
    assert_eq!(
        installs.len(),
        9,
        "the games and the demo that have a folder zbd, one with KEYs, and the Marathon trilogy"
    );
    let install = forge::install(forge::INSTALL_SEED);
    assert_eq!(files.len(), install.len());
    for row in files {
        assert_eq!(row["schema"], 1);
        assert_eq!(row["status"], "identical");
        assert_eq!(row["sha256"], row["rewritten_sha256"]);
        let census = row["census"].as_object().unwrap();
        assert_eq!(census.len(), 7);
        assert_eq!(census.values().map(|it| it.as_u64().unwrap()).sum::<u64>(), row["bytes"].as_u64().unwrap());
        let path = row["path"].as_str().unwrap().strip_prefix("golden/install/").expect("the path as it was given");
        let (_, bytes) = install.iter().find(|(it, _)| it == path).expect("a file of the install");
        assert_eq!(row["bytes"], bytes.len());
        assert!(row.as_object().unwrap().values().all(|value| !value.is_null()), "unknown keys are left out: {row}");
    }
    assert_eq!(summary["schema"], 1);
    assert_eq!(summary["summary"]["files"], install.len());
    assert_eq!(summary["summary"]["status"]["identical"], install.len());
    let counted: u64 = summary["summary"]["kind"].as_object().unwrap().values().map(|it| it.as_u64().unwrap()).sum();
    assert_eq!(counted, install.len() as u64);
}

#[test]
fn deviations_and_errors_have_their_members() {
    let wrong = sample("checksum_wrong.sceA");
    let map = sample("m1.zmap");
    let folder = folder(&[("a.sceA", &wrong), ("m1.zmap", &map[..map.len() - 5])]);
    let output = run(&["verify", "--json", text(folder.path())]);
    assert_eq!(code(&output), 1);
    let rows = rows(&output);
    let deviation = &rows[0]["deviations"][0];
    assert_eq!(deviation["place"], "/checksum");
    assert_eq!(deviation["first_place"], "/checksum");
    assert_eq!(deviation["count"], 1);
    assert_eq!(deviation["found"], u32::from_be_bytes(wrong[68..72].try_into().unwrap()));
    assert_eq!(rows[1]["status"], "refused");
    assert_eq!(rows[1]["kind"], "zmap");
    assert!(rows[1]["error"]["place"].as_str().unwrap().starts_with("/features/"), "{}", rows[1]);
    assert!(rows[1]["error"]["offset"].as_u64().unwrap() <= map.len() as u64);
    assert!(rows[1].get("rewritten_sha256").is_none() && rows[1].get("census").is_none());
    assert_eq!(rows[2]["summary"]["status"], serde_json::json!({"identical": 1, "refused": 1}));
}

#[test]
fn refused_file_is_named_with_offset_and_place() {
    let map = sample("m1.zmap");
    let folder = folder(&[("m1.zmap", &map[..map.len() - 5]), ("m2.zmap", &sample("m2.zmap"))]);
    let output = run(&["verify", text(folder.path())]);
    assert_eq!(code(&output), 1);
    let line = stdout(&output).lines().next().unwrap().to_owned();
    assert!(line.starts_with("refused") && line.contains("m1.zmap: 0x") && line.contains(": /features/"), "{line}");
    let verdict = "failed:  1 of 2 files does not decode; the other one comes back bit for bit\n";
    let damaged = "damaged: 1 file with lost or changed bytes; compare it with another copy\n";
    assert!(stdout(&output).ends_with(&[verdict, damaged].concat()), "{}", stdout(&output));
}

#[test]
fn usage_errors_exit_with_2_and_print_one_line() {
    let empty = folder(&[]);
    let unknown = folder(&[("readme", b"hello")]);
    for (path, words) in [
        ("no/such/path", "no/such/path: "),
        (text(empty.path()), "nothing to verify: no files in "),
        (text(unknown.path()), "nothing to verify: no supported files in "),
    ] {
        let output = run(&["verify", path]);
        assert_eq!(code(&output), 2, "{path}");
        let said = stderr(&output);
        assert!(said.starts_with("bitexact: ") && said.contains(words) && said.lines().count() == 1, "{said}");
    }
    assert_eq!(code(&run(&["verify"])), 2);
    assert_eq!(code(&run(&["no-such-command"])), 2);
    assert_eq!(code(&run(&["inspect", "no/such/file"])), 2);
    assert_eq!(code(&run(&["--help"])), 0);
}

#[test]
fn missing_path_does_not_stop_the_others() {
    let folder = folder(&[("m1.zmap", &sample("m1.zmap"))]);
    let output = run(&["verify", "no/such/path", text(folder.path())]);
    assert_eq!(code(&output), 2);
    let verdict = "failed:  1 of 2 files cannot be read; the other one comes back bit for bit\n";
    assert!(stdout(&output).ends_with(verdict), "{}", stdout(&output));
    assert_eq!(stderr(&output).lines().count(), 1);
    let page = folder.path().join("page.html");
    let with_page = run(&["verify", "--html", text(&page), "no/such/path", text(folder.path())]);
    assert_eq!(stdout(&with_page), stdout(&output), "the sum depends on no report");
}

#[cfg(unix)]
#[test]
fn unreadable_files_are_listed_and_the_rest_verified() {
    let folder = folder(&[("m1.zmap", &sample("m1.zmap"))]);
    std::os::unix::fs::symlink("nowhere", folder.path().join("dangling.zmap")).unwrap();
    std::os::unix::fs::symlink(folder.path(), folder.path().join("loop")).unwrap();
    let output = run(&["verify", "--json", text(folder.path())]);
    assert_eq!(code(&output), 2);
    let rows = rows(&output);
    let statuses: Vec<_> = rows.iter().filter_map(|row| row["status"].as_str()).collect();
    assert_eq!(statuses, ["unreadable", "unreadable", "identical"]);
    assert!(rows[0]["error"]["message"].as_str().is_some());
}

#[test]
fn foreign_and_unknown_files_are_findings_only_when_strict() {
    let files: [(&str, &[u8]); 3] = [("m1.zmap", &sample("m1.zmap")), ("logo.bmp", b"BM000000"), ("what", b"?")];
    let folder = folder(&files);
    let output = run(&["verify", text(folder.path())]);
    assert_eq!(code(&output), 0);
    assert!(
        stdout(&output)
            .contains("proven:  1 supported file comes back bit for bit; whether it is as sold is not known\n"),
        "{}",
        stdout(&output)
    );
    assert!(
        stdout(&output).ends_with("skipped: 1 foreign file, 1 unknown file (not supported)\n"),
        "{}",
        stdout(&output)
    );
    assert!(stdout(&output).contains("logo.bmp (bmp)"));
    assert_eq!(code(&run(&["verify", "--strict", text(folder.path())])), 1);
}

#[test]
fn undecoded_entry_is_listed_and_a_finding_only_when_strict() {
    let mut wrapped = sample("Map.scen");
    // The first chunk of the first level, after both headers, points back at itself.
    wrapped[128 + 128 + 4..][..4].copy_from_slice(&1_i32.to_be_bytes());
    let folder = folder(&[("Map.scen", &wrapped)]);
    let path = folder.path().join("Map.scen");
    let output = run(&["verify", "--json", text(&path)]);
    assert_eq!(code(&output), 0);
    let row = &rows(&output)[0];
    assert_eq!((row["status"].as_str(), row["undecoded"][0]["entry"].as_str()), (Some("identical"), Some("data")));
    assert_eq!(row["undecoded"][0]["place"], "data!0:/chunks/0/next");
    assert_eq!(row["undecoded"][0]["offset"], 128 + 128 + 4);
    assert_eq!(code(&run(&["verify", "--strict", text(&path)])), 1);
}

#[test]
fn order_of_rows_does_not_depend_on_jobs() {
    let one = run(&["verify", "--json", "-j1", "golden/install"]);
    let four = run(&["verify", "--json", "-j4", "golden/install"]);
    assert_eq!(stdout(&one), stdout(&four));
}

#[test]
fn name_changes_no_verdict_on_content() {
    let wad = sample("m2_map_a.sceA");
    let folder = folder(&[("m2_map_a.sceA", &wad), ("x7f3", &wad)]);
    let rows = rows(&run(&["verify", "--json", text(folder.path())]));
    let strip = |row: &Value| {
        let mut row = row.clone();
        row.as_object_mut().unwrap().remove("path");
        row
    };
    assert_eq!(strip(&rows[0]), strip(&rows[1]));
}

#[test]
fn game_narrows_only_the_label() {
    let folder = folder(&[("a.sceA", &sample("m2_map_a.sceA"))]);
    let open = rows(&run(&["verify", "--json", text(folder.path())]));
    assert_eq!(open[0]["games"], serde_json::json!(["m2", "mi"]));
    let told = rows(&run(&["verify", "--json", "--game", "m2", text(folder.path())]));
    assert_eq!((&told[0]["game"], told[0].get("games")), (&"m2".into(), None));
    assert_eq!(open[0]["rewritten_sha256"], told[0]["rewritten_sha256"]);
}

#[test]
fn entries_have_their_own_rows() {
    let rows = rows(&run(&["verify", "--json", "--entries", "golden/install/m1/Map.scen"]));
    let entries: Vec<_> = rows.iter().filter_map(|row| row["entry"].as_str()).collect();
    assert_eq!(&entries[..3], ["data", "data!0", "data!0!iidx"]);
    assert!(entries.contains(&"resource"));
    let whole = &rows[1]["census"];
    assert_eq!(
        whole.as_object().unwrap().values().map(|it| it.as_u64().unwrap()).sum::<u64>(),
        rows[1]["bytes"].as_u64().unwrap()
    );
}

#[test]
fn stdin_is_a_file_like_any_other() {
    let folder = folder(&[("m1.zmap", &sample("m1.zmap"))]);
    let file = fs::File::open(folder.path().join("m1.zmap")).unwrap();
    let output = bitexact(&["verify", "-"]).stdin(file).output().unwrap();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(
        stdout(&output).ends_with("proven:  1 file comes back bit for bit; whether it is as sold is not known\n"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn closed_pipe_ends_quietly_but_is_no_success() {
    let mut child = bitexact(&["verify", "--json", "golden/install"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((code(&output), stderr(&output)), (1, String::new()));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_after_the_current_rows() {
    use std::io::{BufRead as _, BufReader};

    let folder = folder(&[("a.zmap", &sample("m1.zmap")), ("b.zmap", &sample("m1.zmap"))]);
    let (a, b) = (folder.path().join("a.zmap"), folder.path().join("b.zmap"));
    // With one thread, the second file does not begin before stdin ends.
    let mut child = bitexact(&["verify", "--json", "-j1", text(&a), "-", text(&b)])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(first["status"], "identical");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    // A separate thread handles signals; this gives it time to see this one.
    std::thread::sleep(std::time::Duration::from_millis(300));
    drop(child.stdin.take());
    let rest: Vec<Value> = lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(rest.last().unwrap()["summary"]["interrupted"], true);
    // The signal may arrive before the second file begins, but the third must not begin after it.
    let files = rest.last().unwrap()["summary"]["files"].as_u64().unwrap();
    assert!((1..=2).contains(&files), "the third file was begun: {rest:?}");
}

#[test]
fn inspect_shows_files_and_places() {
    let inspect = |args: &[&str]| {
        let output = run(&[&["inspect", "golden/install/rc/maps/m1.zmap"], args].concat());
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        stdout(&output)
    };
    insta::with_settings!({snapshot_path => "../golden/snapshots", prepend_module_to_snapshot => false}, {
        insta::assert_snapshot!("inspect_zmap", inspect(&[]));
        insta::assert_snapshot!("inspect_zmap_place", inspect(&["/features/1/points/0"]));
        insta::assert_snapshot!("inspect_fork", stdout(&run(&["inspect", "golden/install/m2/Resources/texts.rsrc"])));
        insta::assert_snapshot!("inspect_fork_map", stdout(&run(&["inspect", "--map", "golden/install/m2/Resources/gap.rsrc"])));
    });
    assert_eq!(inspect(&["/version"]), "5\n");
    let json: Value = serde_json::from_str(&inspect(&["--json", "/features/1"])).unwrap();
    assert!(json["value"]["points"].is_array());
    let missing = run(&["inspect", "golden/install/rc/maps/m1.zmap", "/no/such"]);
    assert_eq!((code(&missing), stderr(&missing).contains("/no/such: no no at the top level, which has ")), (2, true));
}

#[test]
fn inspect_shows_a_list_without_its_tag() {
    let archive = "golden/install/mw/zbd/c1/readerm1.zbd";
    let list = run(&["inspect", archive, "objectives.zrd:/0/5"]);
    assert_eq!((code(&list), stdout(&list).contains("tag")), (0, false));
}

#[test]
fn inspect_finds_strings() {
    let output = run(&["inspect", "golden/install/mw/zbd/motion/vulture_walk.motion", "--find", "TORSO"]);
    assert_eq!((code(&output), stdout(&output)), (0, "/parts/1/name: torso\n".to_owned()));
}

#[test]
fn rules_count_matching_values() {
    let good = sample("mw_c1_gamez.zbd");
    let (diagonal, matrix) = (sample("cell_diagonal.zbd"), sample("object_matrix.zbd"));
    let folder = folder(&[("c.zbd", &diagonal), ("g.zbd", &good), ("o.zbd", &matrix)]);
    let path = folder.path().to_str().unwrap();
    let rows = rows(&run(&["verify", "--json", "--rules", path]));
    let [cells, matrices] = ["world/cells/*/diagonal", "object/transform"].map(|of| format!("/nodes/slots/*/{of}"));
    let count = |row: usize, rule: &str| {
        let rule = &rows[row]["rules"][rule];
        (rule["follow"].as_u64().unwrap(), rule["differ"].as_u64().unwrap())
    };
    for (row, rule) in [(0, &cells), (2, &matrices)] {
        let ((follow, differ), (all, none)) = (count(row, rule), count(1, rule));
        assert!(all > 1 && none == 0 && differ == 1 && follow > 0, "{rule}: {follow}, {differ}; {all}");
    }
    let (brief, full) = (stdout(&run(&["verify", "-v", path])), stdout(&run(&["verify", "--rules", path])));
    let (follow, _) = count(0, &cells);
    let line = format!(
        "  rule {cells}: {follow} {} 1 does not\n",
        if follow == 1 { "value matches," } else { "values match," }
    );
    assert_eq!([&brief, &full].map(|out| out.matches(&line).count()), [1, 1], "{brief}");
    assert_eq!(brief.matches("  rule ").count(), 2, "{brief}");
    assert!(full.contains("/camera/fov_cot: 1 value matches, 0 do not"), "{full}");
}

#[test]
fn hash_of_a_large_file_does_not_depend_on_jobs() {
    let samples = vec![0x55; 5 << 20];
    let long = |bytes: usize| u32::try_from(bytes).unwrap().to_le_bytes();
    let format = [&[1, 0, 1, 0][..], &long(22050), &long(22050), &[1, 0, 8, 0]].concat();
    let chunks = [&b"WAVEfmt "[..], &long(format.len()), &format, b"data", &long(samples.len()), &samples].concat();
    let wave = [&b"RIFF"[..], &long(chunks.len()), &chunks].concat();
    let folder = folder(&[("good.wav", &wave), ("short.wav", &wave[..wave.len() - 1])]);
    let rows = |jobs| stdout(&run(&["verify", "--json", "-j", jobs, folder.path().to_str().unwrap()]));
    let (aside, alone) = (rows("2"), rows("1"));
    assert_eq!(aside, alone);
    let hash = bitexact::passes::Sha::of(&wave).to_string();
    assert_eq!(aside.matches(&hash).count(), 2, "{aside}");
    assert!(aside.contains("\"refused\""), "{aside}");
}

#[test]
fn color_is_used_only_on_request() {
    let escapes = |args: &[&str]| run(args).stdout.contains(&0x1B);
    assert!(!escapes(&["verify", "-v", "golden/install"]));
    assert!(escapes(&["verify", "-v", "--color", "always", "golden/install"]));
    assert!(!escapes(&["verify", "-v", "--color", "never", "golden/install"]));
    let args = ["verify", "-v", "golden/install"];
    let forced =
        |name| bitexact(&args).env("CLICOLOR_FORCE", "1").env(name, "1").output().unwrap().stdout.contains(&0x1B);
    assert!(forced("TERM_PROGRAM") && !forced("NO_COLOR"));
}

#[test]
fn text_is_found_in_a_whole_install() {
    let output = run(&["inspect", "golden/install/pm", "--find", "weapon"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let lines = stdout(&output);
    let files: std::collections::BTreeSet<_> = lines.lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert!(files.len() > 1, "{lines}");
    for row in rows(&run(&["inspect", "golden/install/pm", "--find", "weapon", "--json"])) {
        assert!(row["text"].as_str().unwrap().to_lowercase().contains("weapon"), "{row}");
    }
    let output = run(&["inspect", "golden/install/pm"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("--find"), "{}", stderr(&output));
}

#[test]
fn installs_are_listed_with_missing_files() {
    let output = run(&["verify", "golden/install/pm", "--json"]);
    let all = rows(&output);
    let install = &all.iter().find(|row| row.get("install").is_some()).unwrap()["install"];
    assert_eq!((&install["game"], &install["root"]), (&"pm".into(), &"golden/install/pm".into()));
    let there = all.iter().filter(|row| row.get("path").is_some()).count();
    assert_eq!(install["files"], there);
    let missing = install["missing"].as_array().unwrap();
    assert!(missing.iter().any(|it| it["path"] == "mech3.exe"), "{install}");
    let all = rows(&run(&["verify", "golden/install", "--json"]));
    let roots = all.iter().filter_map(|row| row.get("install"));
    let strangers = roots.flat_map(|it| it["unlisted"].as_array().unwrap());
    let strangers: Vec<_> = strangers.map(|it| it.as_str().unwrap()).collect();
    assert!(!strangers.is_empty() && strangers.iter().all(|it| it.starts_with("zbd/")), "{strangers:?}");
    let shown = stdout(&run(&["verify", "golden/install/pm"]));
    assert!(
        shown.contains("\nincomplete    golden/install/pm: Pirate's Moon, edition not identified: 17 required files"),
        "{shown}"
    );
    let all = stdout(&run(&["verify", "golden/install"]));
    let line = all
        .lines()
        .find(|line| line.starts_with("golden/install/pm       Pirate's Moon "))
        .expect("a row of the table");
    assert!(line.ends_with("  0"), "none has moved: {line}");
    assert!(shown.contains(&format!(" {there} ")) && shown.contains("proven:  all "), "{shown}");
    for part in ["golden/install/pm/zbd", "golden/install/pm/zbd/interp.zbd"] {
        assert!(!stdout(&run(&["verify", part])).contains("Pirate's Moon"), "{part} is no install");
    }
}

#[test]
fn sheet_shows_every_image_of_a_package() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = folder.path().join("sheet.png");
    let output = bitexact(&["export", "golden/install/mw/zbd/rimage.zbd"]).arg(&sheet).output().unwrap();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let sheet = image::load_from_memory(&fs::read(sheet).unwrap()).unwrap();
    assert!(sheet.width() > 64 && sheet.height() > 16);
    let output = bitexact(&["export", "golden/install/mw/zbd/interp.zbd", "x.png"]).output().unwrap();
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("cannot export interp as .png"), "{}", stderr(&output));
    assert!(!harness::root().join("x.png").exists());
}

#[test]
fn worlds_models_and_levels_are_exported() {
    let folder = tempfile::tempdir().unwrap();
    for (file, name) in [
        ("golden/install/mw/zbd/c1/gamez.zbd", "world.glb"),
        ("golden/install/nwn/override/vff_howl.mdl", "model.gltf"),
        ("golden/install/m1/Map.scen", "level.svg"),
    ] {
        let drawn = folder.path().join(name);
        let output = bitexact(&["export", file]).arg(&drawn).output().unwrap();
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let note = if name.ends_with("svg") { "(for viewing only)" } else { "; `import` takes changes back" };
        assert!(stderr(&output).contains(note), "{}", stderr(&output));
        let bytes = fs::read(drawn).unwrap();
        match name.split_once('.').unwrap().1 {
            "svg" => assert!(bytes.starts_with(b"<svg") || bytes.starts_with(b"<?xml"), "{file}"),
            _ => assert!(gltf::Gltf::from_slice(&bytes).unwrap().nodes().count() > 0, "{file}"),
        }
    }
    let output = bitexact(&["export", "golden/install/m1/Map.scen", "x.svg", "--level", "9999"]).output().unwrap();
    assert_eq!(
        (code(&output), stderr(&output).contains("no entry 9999, the wad has")),
        (2, true),
        "{}",
        stderr(&output)
    );
}

#[test]
fn inspect_shows_trees_and_scripts() {
    for (file, wanted) in [
        ("mw/zbd/c1/gamez.zbd", "\nworld1 (world, 12 children) /nodes/slots/0\n"),
        ("mw/zbd/c1/anim.zbd", "\n  sequence open0 (INITIAL, reset to ON_CALL)\n    "),
        ("nwn/override/c_boar.mdl", "\n  c_boar (dummy, part 0, 4 children) /root\n    c_boar_torso ("),
    ] {
        let file = format!("golden/install/{file}");
        let lines = |args: &[&str]| {
            let output = run(&[&["inspect", &file], args].concat());
            assert_eq!(code(&output), 0, "{}", stderr(&output));
            stdout(&output)
        };
        let outline = lines(&[]);
        assert!(outline.starts_with(&format!("{file}: ")) && outline.contains(wanted), "{outline}");
        assert!(!lines(&["--fields"]).contains(wanted) && lines(&["--json"]).starts_with('{'), "{file}");
    }
}

/// Returns a map of only empty features, which takes seven times its size in memory.
fn empty_features() -> Vec<u8> {
    let mut map = vec![0; 32 + 11 * 200_000];
    map[0] = 5;
    map
}

#[test]
fn file_that_takes_more_memory_than_allowed_is_unreadable() {
    let folder = folder(&[("a.zmap", &empty_features()), ("m1.zmap", &sample("m1.zmap")), ("readme.txt", b"hello")]);
    let output = run(&["verify", "--json", "--memory", "8MiB", text(folder.path())]);
    let rows = rows(&output);
    let statuses: Vec<_> = rows.iter().filter_map(|row| row["status"].as_str()).collect();
    // A file that takes little memory passes, however much the worst file of its size would take.
    assert_eq!((code(&output), statuses), (2, vec!["unreadable", "identical", "foreign"]));
    assert_eq!(rows[0].get("sha256"), None, "nothing is proven of it");
    let message = rows[0]["error"]["message"].as_str().unwrap();
    assert!(message.contains(": /features: "), "{message}");
    let asks = ": takes more memory than the limit of 8.0 MiB; use --memory 1GiB or more to allow it";
    assert!(message.ends_with(asks), "{message}");

    let path = folder.path().join("a.zmap");
    assert_eq!(code(&run(&["verify", "--memory", "1GiB", text(&path)])), 0);
    let output = run(&["snapshot", "--memory", "8MiB", text(&path)]);
    assert_eq!((code(&output), stderr(&output).contains(asks)), (2, true), "{}", stderr(&output));
    let output = run(&["verify", "--memory", "1MiB", text(&path)]);
    let larger = "a.zmap: has 2.1 MiB, more than the memory limit of 1.0 MiB; use --memory 1GiB or more to allow it";
    assert_eq!((code(&output), stdout(&output).contains(larger)), (2, true), "{}", stdout(&output));
}

#[test]
fn file_that_takes_more_memory_through_exchange_is_unreadable() {
    let folder = folder(&[("a.zmap", &empty_features())]);
    let path = folder.path().join("a.zmap");
    let verify = |options: &[&str]| run(&[&["verify", "--memory", "32MiB", text(&path)], options].concat());
    assert_eq!(code(&verify(&[])), 0);
    let output = verify(&["--via", "exchange"]);
    assert_eq!(stdout(&verify(&["--through", "exchange"])), stdout(&output), "the earlier name");
    assert_eq!(code(&output), 2, "{}", stdout(&output));
    assert!(stdout(&output).contains("takes more memory than the limit of 32.0 MiB"), "{}", stdout(&output));
}

#[test]
fn file_with_entry_that_takes_more_memory_than_allowed_is_unreadable() {
    let drawing = forge::amplified(1 << 17).into_iter().find(|sample| sample.name == "drawing.scea").unwrap();
    let folder = folder(&[("drawing.scea", &drawing.bytes)]);
    let verify = |memory| run(&["verify", "--memory", memory, text(folder.path())]);
    // Its opcodes are zeros, which are a sign of damage.
    let output = verify("1GiB");
    assert_eq!((code(&output), stdout(&output).contains("does not decode")), (0, false), "{}", stdout(&output));
    let output = verify("4MiB");
    assert_eq!(code(&output), 2, "{}", stdout(&output));
    assert!(stdout(&output).contains("!PICT:/opcodes: "), "the message contains the place: {}", stdout(&output));
}

#[test]
fn every_command_obeys_the_memory_limit() {
    let mut other = empty_features();
    other[4] = 1;
    let folder = folder(&[("a.zmap", &empty_features()), ("b.zmap", &other)]);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (a, b, unpacked) = (path("a.zmap"), path("b.zmap"), path("unpacked"));
    assert_eq!(code(&run(&["unpack", &a, &unpacked])), 0);
    // A sparse file takes no space on the disk.
    let (large, large_folder) = (path("large"), path("large-folder"));
    fs::create_dir(&large_folder).unwrap();
    for file in [&large, &path("large-folder/bitexact.json")] {
        fs::File::create(file).unwrap().set_len(1 << 29).unwrap();
    }
    for args in [
        &["inspect", &a][..],
        &["inspect", "--find", "x", text(folder.path())],
        &["unpack", &a, &path("new")],
        &["pack", &unpacked, &path("new.zmap")],
        &["patch", &a, "--set", "/unk04=2", "--output", &path("new.zmap")],
        &["pack", &large_folder, &path("new.zmap")],
        &["patch", &a, "--apply", &large, "--output", &path("new.zmap")],
        &["diff", &a, &b],
    ] {
        let output = run(&[args, &["--memory", "8MiB"]].concat());
        let said = stderr(&output);
        assert!(matches!(code(&output), 1 | 2) && said.contains("use --memory 1GiB"), "{args:?}: {said}");
        assert!(!Path::new(&path("new")).exists() && !Path::new(&path("new.zmap")).exists(), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn run_continues_after_a_file_that_exceeds_the_limit_of_the_shell() {
    let folder = folder(&[("a.zmap", &[5]), ("m1.zmap", &sample("m1.zmap"))]);
    fs::File::options().write(true).open(folder.path().join("a.zmap")).unwrap().set_len(11 * 27_000_000 + 32).unwrap();
    let program = "ulimit -v 2000000 && exec \"$0\" \"$@\"";
    let args = ["-c", program, env!("CARGO_BIN_EXE_bitexact"), "verify", "--json", "-j2", text(folder.path())];
    let Ok(output) = Command::new("bash").args(args).output() else {
        eprintln!("there is no bash, so a limit of the shell was not tried");
        return;
    };
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let rows = rows(&output);
    assert_eq!((&rows[0]["status"], &rows[1]["status"]), (&"unreadable".into(), &"identical".into()));
    assert!(rows[0]["error"]["message"].as_str().unwrap().contains("use --memory"), "{}", rows[0]);
}

#[test]
fn first_command_or_path_decides_whether_a_call_verifies() {
    let folder =
        folder(&[("games/m2/readme.txt", b"hello"), ("reader.zbd", b"x"), ("snapshot", b"{}"), ("pack", b"x")]);
    let run = |args: &[&str]| {
        let output = harness::output_of(bitexact(args).current_dir(folder.path()));
        (code(&output), stdout(&output), stderr(&output))
    };
    let (code, _, said) = run(&["unpak", "reader.zbd", "out"]);
    assert!(code == 2 && said.contains("unrecognized subcommand") && said.contains("'unpack'"), "{said}");
    let (code, _, said) = run(&["qqqq", "reader.zbd"]);
    let message = "bitexact: qqqq: no such file or folder, and no such command; see `bitexact help`\n";
    assert_eq!((code, &*said), (2, message));
    for args in [
        &["games/m2"][..],
        &["-v", "games/m2"],
        &["--json", "games/m2"],
        &["--color", "never", "games/m2"],
        &["games/m2", "--against", "snapshot"],
        &["reader.zbd", "pack"],
    ] {
        assert_eq!(run(args), run(&[&["verify"], args].concat()), "{args:?}");
    }
    // A command comes before a file of its name.
    assert!(run(&["pack", "nowhere"]).2.contains("nowhere"));
}
