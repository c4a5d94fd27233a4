//! Snapshots, changes of an install since a snapshot, and the output for shells and manuals.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::harness::{self, sample};

fn run(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bitexact"));
    harness::output_of(command.current_dir(harness::root()).env_remove("COLUMNS").args(args))
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

/// Returns the output of a successful call that prints nothing to stderr.
fn said(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!((code(&output), stderr(&output)), (0, String::new()), "{args:?}");
    stdout(&output)
}

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A small install, in a folder with space beside it for output files.
struct Install {
    folder: tempfile::TempDir,
}

impl Install {
    fn new() -> Self {
        let install = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(install.root().join("maps")).unwrap();
        for (path, name) in
            [("maps/m1.zmap", "m1.zmap"), ("maps/m2.zmap", "m2.zmap"), ("odd.sceA", "checksum_wrong.sceA")]
        {
            install.write(path, &sample(name));
        }
        install.write("logo.bmp", b"BM000000");
        install
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("install")
    }

    fn beside(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        fs::write(self.root().join(path), bytes).unwrap();
    }

    fn snapshot(&self) -> String {
        let file = self.beside("snapshot.jsonl");
        assert_eq!(said(&["snapshot", self.root().to_str().unwrap(), "-o", &file]), "");
        file
    }

    /// Returns the findings against a file, and the exit code.
    fn against(&self, file: &str) -> (i32, Vec<Value>) {
        let output = run(&["verify", "--json", "--against", file, self.root().to_str().unwrap()]);
        let mut rows = rows(&stdout(&output));
        let summary = rows.pop().expect("a summary");
        rows.retain(|row| row.get("finding").is_some());
        let counted = summary["summary"]
            .get("finding")
            .map_or(0, |it| it.as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum::<u64>());
        assert_eq!(usize::try_from(counted).unwrap(), rows.len(), "{summary}");
        rows.iter().for_each(|row| assert_eq!(row["schema"], 1));
        (code(&output), rows)
    }
}

/// Returns the types and paths of findings, without differences.
fn brief(findings: &[Value]) -> Vec<(&str, &str)> {
    findings.iter().map(|it| (it["finding"].as_str().unwrap(), it["path"].as_str().unwrap())).collect()
}

/// Rewrites a snapshot with one row changed.
fn edit(file: &str, path: &str, change: impl Fn(&mut Value)) {
    let mut rows = rows(&fs::read_to_string(file).unwrap());
    change(rows.iter_mut().find(|row| row["path"] == path).expect(path));
    fs::write(file, rows.iter().map(|row| format!("{row}\n")).collect::<String>()).unwrap();
}

#[test]
fn snapshot_of_the_sample_install_lists_its_contents() {
    let text = said(&["snapshot", "golden/install"]);
    let rows = rows(&text);
    let (summary, files) = rows.split_last().unwrap();
    let install = forge::install(forge::INSTALL_SEED);
    assert_eq!((files.len(), &summary["summary"]["files"]), (install.len(), &json!(install.len())));
    for row in &rows {
        assert_eq!(row["schema"], 1);
        assert!(row.as_object().unwrap().values().all(|value| !value.is_null()), "unknown keys are left out: {row}");
    }
    for row in files {
        let (_, bytes) = install.iter().find(|(path, _)| *path == row["path"]).expect("a file of the install");
        assert_eq!((&row["bytes"], &row["status"]), (&json!(bytes.len()), &json!("identical")));
        let census: u64 = row["census"].as_object().unwrap().values().map(|it| it.as_u64().unwrap()).sum();
        assert_eq!(row["bytes"], census);
    }
    let of = |path: &str| files.iter().find(|row| row["path"] == path).expect(path);
    // `inspect` shows as many records as the snapshot counts.
    let shown: Value = serde_json::from_str(&said(&["inspect", "--json", "golden/install/rc/maps/m1.zmap"])).unwrap();
    let features = shown["value"]["features"].as_array().unwrap();
    let points = features.iter().map(|it| it["points"].as_array().map_or(0, Vec::len)).sum::<usize>();
    assert_eq!(of("rc/maps/m1.zmap")["records"], json!({"/features": features.len(), "/features/*/points": points}));
    let entries = said(&["verify", "--json", "--entries", "golden/install/m1/Map.scen"]);
    let entries = entries.lines().filter(|line| line.contains("\"entry\":")).count();
    let counted =
        of("m1/Map.scen")["entries"].as_object().unwrap().values().map(|it| it.as_u64().unwrap()).sum::<u64>();
    assert_eq!(usize::try_from(counted).unwrap(), entries);
}

#[test]
fn snapshot_depends_only_on_the_files() {
    let text = said(&["snapshot", "-j1", "golden/install"]);
    let install = Install::new();
    let file = install.beside("again.jsonl");
    said(&["snapshot", "-j4", "golden/install/", "-o", &file]);
    assert_eq!(fs::read_to_string(file).unwrap(), text);
    assert_eq!(said(&["snapshot", "golden/install", "-o", "-"]), text);
}

#[test]
fn unchanged_install_has_no_findings() {
    let install = Install::new();
    let file = install.snapshot();
    assert_eq!(install.against(&file), (0, vec![]));
    let output = run(&["verify", "--against", &file, install.root().to_str().unwrap()]);
    assert!(stdout(&output).ends_with(&format!("against {file}: no changes\n")), "{}", stdout(&output));
}

#[test]
fn changed_byte_is_found() {
    let install = Install::new();
    let file = install.snapshot();
    let mut map = sample("m1.zmap");
    // In the first coordinate, which may have any value.
    map[10] ^= 1;
    install.write("maps/m1.zmap", &map);
    let (code, findings) = install.against(&file);
    assert_eq!((code, brief(&findings)), (1, vec![("changed", "maps/m1.zmap")]));
    let differences = findings[0]["differences"].as_array().unwrap();
    assert_eq!(differences.len(), 1, "only the hash: {differences:?}");
    assert_eq!(differences[0]["aspect"], "sha256");
    assert_ne!(differences[0]["was"], differences[0]["now"]);
}

#[test]
fn changed_file_is_reported_in_the_terms_of_the_summary() {
    let install = Install::new();
    let file = install.snapshot();
    let before = rows(&fs::read_to_string(&file).unwrap());
    let before = |path: &str| before.iter().find(|row| row["path"] == path).unwrap().clone();
    install.write("odd.sceA", &sample("m2_map_a.sceA"));
    install.write("maps/m1.zmap", &sample("m2.zmap"));
    let (_, findings) = install.against(&file);
    assert_eq!(brief(&findings), [("changed", "maps/m1.zmap"), ("changed", "odd.sceA")]);
    let differences = findings[0]["differences"].as_array().unwrap();
    for (of, at, key) in
        [("bytes", None, "/bytes"), ("records", Some("/features/*/points"), "/records/~1features~1*~1points")]
    {
        let it =
            differences.iter().find(|it| it["aspect"] == of && it.get("at").and_then(Value::as_str) == at).expect(of);
        assert_eq!(Some(&it["was"]), before("maps/m1.zmap").pointer(key));
        assert_eq!(Some(&it["now"]), before("maps/m2.zmap").pointer(key));
    }
    let gone = findings[1]["differences"].as_array().unwrap().iter().find(|it| it["aspect"] == "deviations").unwrap();
    assert_eq!((&gone["at"], gone.get("now")), (&json!("/checksum"), None));
    assert_eq!(gone["was"]["found"], before("odd.sceA")["deviations"][0]["found"]);
    // The output for people contains the same finding.
    let output = run(&["verify", "--against", &file, install.root().to_str().unwrap()]);
    let text = stdout(&output);
    assert!(text.contains("\n  deviations /checksum: count 1 expected "), "{text}");
    assert!(text.ends_with(": 2 changed\n"), "{text}");
}

#[test]
fn removed_and_added_files_are_found() {
    let install = Install::new();
    let file = install.snapshot();
    // By a third name: Wine does nothing for a name that differs only in case.
    fs::rename(install.root().join("maps/m2.zmap"), install.root().join("third")).unwrap();
    fs::rename(install.root().join("third"), install.root().join("maps/M2.zmap")).unwrap();
    let (code, findings) = install.against(&file);
    assert_eq!((code, brief(&findings)), (1, vec![("moved", "maps/M2.zmap")]));
    let path = json!([{"aspect": "path", "was": "maps/m2.zmap", "now": "maps/M2.zmap"}]);
    assert_eq!(findings[0]["differences"], path);
    install.write("maps/new.zmap", b"new");
    fs::remove_file(install.root().join("maps/M2.zmap")).unwrap();
    let (code, findings) = install.against(&file);
    assert_eq!((code, brief(&findings)), (1, vec![("new", "maps/new.zmap"), ("missing", "maps/m2.zmap")]));
    fs::remove_dir_all(install.root()).unwrap();
    fs::create_dir(install.root()).unwrap();
    let (code, findings) = install.against(&file);
    assert_eq!((code, findings.len()), (1, 4), "an empty folder is no wrong call");
}

#[test]
fn files_that_this_version_decodes_differently_are_found() {
    let install = Install::new();
    let path = "maps/m1.zmap";
    let differences = |change: &dyn Fn(&mut Value)| {
        let file = install.snapshot();
        edit(&file, path, change);
        let (code, findings) = install.against(&file);
        assert_eq!((code, brief(&findings)), (1, vec![("decoded-differently", path)]));
        findings[0]["differences"].clone()
    };
    assert_eq!(
        differences(&|row| row["kind"] = "motion".into()),
        json!([{"aspect": "kind", "was": "motion", "now": "zmap"}])
    );
    let features = rows(&fs::read_to_string(install.snapshot()).unwrap())[1]["records"]["/features"].clone();
    assert_eq!(
        differences(&|row| row["records"]["/features"] = 999.into()),
        json!([{"aspect": "records", "at": "/features", "was": 999, "now": features}])
    );
    let deviation = json!({"place": "/far", "count": 2, "expected": 0.5, "found": "f32:7fa00001"});
    assert_eq!(
        differences(&|row| row["deviations"] = json!([deviation])),
        json!([{"aspect": "deviations", "at": "/far", "was": {"count": 2, "expected": 0.5, "found": "f32:7fa00001"}}])
    );
    let census = differences(&|row| row["census"]["opaque"] = 7.into());
    assert_eq!(census, json!([{"aspect": "census", "at": "opaque", "was": 7, "now": 0}]));
    let entries = differences(&|row| row["entries"] = json!({"reader": 1}));
    assert_eq!(entries, json!([{"aspect": "entries", "at": "reader", "was": 1}]));
    let games = differences(&|row| row["game"] = "pm".into());
    assert_eq!(games, json!([{"aspect": "games", "was": ["pm"], "now": ["rc"]}]));
}

#[test]
fn named_game_is_no_difference() {
    let install = Install::new();
    install.write("odd.sceA", &sample("m2_map_a.sceA"));
    let file = install.snapshot();
    let output = run(&["verify", "--game", "m2", "--against", &file, install.root().to_str().unwrap()]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
}

#[test]
fn other_files_are_refused_with_the_line() {
    let install = Install::new();
    let good = fs::read_to_string(install.snapshot()).unwrap();
    let root = install.root();
    let file = install.beside("bad");
    let cut = good.lines().take(2).collect::<Vec<_>>().join("\n");
    let hash = "00".repeat(32);
    for (text, words) in [
        (good.replacen("\"status\":", "\"state\":", 1), "bad: line 1: column "),
        (
            good.replace("{\"schema\":1,\"path\":\"odd", "{\"schema\":7,\"path\":\"odd"),
            "bad: line 4: expected schema 1, found 7",
        ),
        (cut, "bad: line 2: expected a summary after this line"),
        (format!("{hash}  a\n{hash} b\n"), "bad: line 2: expected a row of a snapshot or a line of sha256sum"),
        ("hello\n".to_owned(), "bad: line 1: expected a "),
        (String::new(), "bad: line 1: expected a "),
    ] {
        fs::write(&file, text).unwrap();
        let output = run(&["verify", "--against", &file, root.to_str().unwrap()]);
        assert_eq!((code(&output), stdout(&output)), (2, String::new()));
        let said = stderr(&output);
        assert!(said.contains(words) && said.lines().count() == 1, "{said}");
    }
    let output = run(&["verify", "--against", &install.beside("none"), root.to_str().unwrap()]);
    assert_eq!((code(&output), stdout(&output)), (2, String::new()));
    let output = run(&["verify", "--against", &file, "golden/install/rc", "golden/install/mw"]);
    assert!(code(&output) == 2 && stderr(&output).contains("needs exactly one PATH"));
}

#[test]
fn lists_of_sha256sum_are_written_and_read() {
    let manifest = fs::read_to_string(harness::root().join("golden/install.sha256")).unwrap();
    let sorted = |text: &str| {
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&said(&["snapshot", "--sha256sum", "golden/install"])), sorted(&manifest));
    assert!(said(&["verify", "--against", "golden/install.sha256", "golden/install"]).ends_with(": no changes\n"));
    let install = Install::new();
    let file = install.beside("sums");
    fs::write(&file, manifest.replace("  rc/maps/m1.zmap", " *rc/maps/m0.zmap")).unwrap();
    let output = run(&["verify", "--against", &file, "golden/install"]);
    assert!(code(&output) == 1 && stdout(&output).ends_with(": 1 moved\n"), "{}", stdout(&output));
}

/// Hashes of `abc` and of no bytes, as published in FIPS 180.
const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

#[test]
fn handwritten_list_is_compared() {
    let install = Install { folder: tempfile::tempdir().unwrap() };
    fs::create_dir(install.root()).unwrap();
    for (name, bytes) in [("text", "abc"), ("binary", "abc"), ("tagged", "abc"), ("empty", "")] {
        install.write(name, bytes.as_bytes());
    }
    let list = format!("# by hand\n{ABC}  ./text\n{ABC} *binary\nSHA256 (tagged) = {ABC}\r\n{EMPTY}  empty\n");
    let file = install.beside("sums");
    fs::write(&file, &list).unwrap();
    assert_eq!(install.against(&file), (0, vec![]));
    install.write("empty", b"!");
    fs::remove_file(install.root().join("binary")).unwrap();
    let (code, findings) = install.against(&file);
    assert_eq!((code, brief(&findings)), (1, vec![("changed", "empty"), ("missing", "binary")]));
    assert_eq!(
        (&findings[0]["differences"][0]["was"], findings[0]["differences"].as_array().unwrap().len()),
        (&json!(EMPTY), 1)
    );
}

#[cfg(unix)]
#[test]
fn names_escaped_in_lists_round_trip() {
    let install = Install { folder: tempfile::tempdir().unwrap() };
    fs::create_dir(install.root()).unwrap();
    for name in ["a\\b\nc", " d", "*e", "f\r"] {
        install.write(name, b"abc");
    }
    let root = install.root();
    let text = said(&["snapshot", "--sha256sum", root.to_str().unwrap()]);
    assert_eq!(text, format!("{ABC}   d\n{ABC}  *e\n\\{ABC}  a\\\\b\\nc\n\\{ABC}  f\\r\n"));
    let file = install.beside("sums");
    fs::write(&file, text).unwrap();
    assert_eq!(install.against(&file), (0, vec![]));
    let snapshot = said(&["snapshot", root.to_str().unwrap()]);
    fs::write(&file, &snapshot).unwrap();
    assert_eq!(install.against(&file), (0, vec![]));
    fs::write(&file, format!("\u{FEFF}{snapshot}")).unwrap();
    assert_eq!(install.against(&file), (0, vec![]), "the mark of an editor before it");
}

#[test]
fn output_is_written_atomically() {
    let install = Install::new();
    let root = install.root();
    let nowhere = install.beside("no/such/folder/file");
    let output = run(&["snapshot", root.to_str().unwrap(), "-o", &nowhere]);
    assert!(
        code(&output) == 2 && stderr(&output).replace('\\', "/").contains("no/such/folder/file: "),
        "{}",
        stderr(&output)
    );
    let game = root.join("maps/m1.zmap");
    let before = fs::read(&game).unwrap();
    let output = run(&["snapshot", root.to_str().unwrap(), "-o", game.to_str().unwrap()]);
    assert!(
        code(&output) == 2 && stderr(&output).contains("refusing to overwrite a game file (zmap)"),
        "{}",
        stderr(&output)
    );
    assert!(fs::read(&game).unwrap() == before);
    let output = run(&["snapshot", "no/such/path", "-o", &install.beside("x")]);
    assert!(code(&output) == 2 && !Path::new(&install.beside("x")).exists());
    // In the install itself, and twice: a snapshot never lists itself.
    let inside = root.join("bitexact.jsonl");
    for _ in 0..2 {
        said(&["snapshot", root.to_str().unwrap(), "-o", inside.to_str().unwrap()]);
    }
    assert_eq!(rows(&fs::read_to_string(&inside).unwrap()).len(), 5);
    assert_eq!(install.against(inside.to_str().unwrap()), (0, vec![]));
    let left = fs::read_dir(&root).unwrap().count();
    assert_eq!(left, 4, "no temporary file is left");
}

#[cfg(unix)]
#[test]
fn existing_file_keeps_its_mode_and_link_its_target() {
    use std::os::unix::fs::PermissionsExt as _;
    let install = Install::new();
    let (target, link) = (install.beside("target"), install.beside("link"));
    fs::write(&target, "").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    said(&["snapshot", install.root().to_str().unwrap(), "-o", &link]);
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(rows(&fs::read_to_string(&target).unwrap()).len(), 5);
    said(&["snapshot", install.root().to_str().unwrap(), "-o", "/dev/null"]);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn refused_file_is_recorded_and_named() {
    let install = Install::new();
    let map = sample("m1.zmap");
    install.write("maps/m1.zmap", &map[..map.len() - 5]);
    let output = run(&["snapshot", install.root().to_str().unwrap()]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("m1.zmap: 0x"), "{}", stderr(&output));
    let row = &rows(&stdout(&output))[1];
    assert_eq!((&row["status"], &row["kind"], row.get("census")), (&json!("refused"), &json!("zmap"), None));
}

/// Returns the subcommands listed in the help.
fn subcommands() -> Vec<String> {
    let help = said(&["--help"]);
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let commands = commands.lines().take_while(|line| line.starts_with("  "));
    let names: Vec<_> = commands
        .filter(|line| !line.starts_with("   "))
        .map(|line| line.trim().split(' ').next().unwrap().to_owned())
        .collect();
    assert!(names.iter().any(|name| name == "verify") && names.len() > 4, "{names:?}");
    names
}

/// Returns the long options that a help text names.
fn options(help: &str) -> Vec<String> {
    let words = help.split(|it: char| !it.is_ascii_alphanumeric() && it != '-');
    words.filter(|word| word.len() > 2 && word.starts_with("--")).map(str::to_owned).collect()
}

#[test]
fn completions_mention_every_subcommand() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = said(&["completions", shell]);
        for name in subcommands() {
            assert!(script.contains(&name), "{shell}: {name}");
        }
    }
    let script = said(&["completions", "bash"]);
    assert!(script.contains("--sha256sum") && script.contains("--against"));
    assert_eq!(code(&run(&["completions", "no-such-shell"])), 2);
}

#[test]
fn manual_pages_name_every_option() {
    let install = Install::new();
    let folder = install.beside("man");
    assert_eq!(said(&["man", &folder]), "");
    let page = |name: &str| fs::read_to_string(Path::new(&folder).join(name)).expect(name).replace("\\-", "-");
    let (main, names) = (page("bitexact.1"), subcommands());
    assert_eq!(said(&["man"]).replace("\\-", "-"), main);
    options(&said(&["--help"])).iter().for_each(|option| assert!(main.contains(option), "{option}"));
    // The subcommand `help` has no page.
    let names: Vec<_> = names.iter().filter(|name| *name != "help").collect();
    for name in &names {
        assert!(main.contains(&format!("bitexact-{name}(1)")), "{name}");
        let page = page(&format!("bitexact-{name}.1"));
        let options = options(&said(&[name, "--help"]));
        assert!(options.len() > 3);
        options.iter().for_each(|option| assert!(page.contains(option), "{name}: {option}"));
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), names.len() + 1);
}
