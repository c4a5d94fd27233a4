//! The project's claims about itself are true: the blocks in the README and the guide, the picture, the manifest of the sample install.

use std::fs;
use std::process::Command;

use bitexact::install;
use bitexact::passes::Sha;

use crate::{harness, programs};

fn said(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_bitexact"))
        .current_dir(harness::root())
        .env_remove("COLUMNS")
        .args(args)
        .output()
        .unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    // The documents show paths as on Unix.
    if cfg!(windows) { text.replace('\\', "/") } else { text }
}

/// Returns the text of a document between `<!-- name -->` and `<!-- /name -->`, without an enclosing code fence.
fn block(document: &str, name: &str) -> String {
    let text = fs::read_to_string(harness::root().join(document)).unwrap().replace("\r\n", "\n");
    let (_, rest) = text.split_once(&format!("<!-- {name} -->\n")).expect("the block begins");
    let (block, _) = rest.split_once(&format!("<!-- /{name} -->")).expect("the block ends");
    let block = block.strip_prefix("```text\n").unwrap_or(block);
    block.strip_suffix("```\n").unwrap_or(block).to_owned()
}

/// Checks that a block of a document is what the program prints.
fn is_said(document: &str, name: &str, args: &[&str]) {
    let (kept, printed) = (block(document, name), said(args));
    assert_eq!(kept, printed, "the block {name} of {document} is what `cargo run -q -- {}` prints", args.join(" "));
}

#[test]
fn matrix_matches_the_registry() {
    is_said("src/guide/games.md", "matrix", &["formats", "--markdown"]);
}

#[test]
fn help_block_matches_the_program() {
    is_said("src/guide/commands.md", "help", &["--help"]);
}

#[test]
fn sample_run_matches_the_program() {
    is_said("README.md", "verify", &["verify", "golden/install/m2"]);
}

#[test]
fn readme_is_short_and_its_picture_is_drawn_by_the_program() {
    let readme = fs::read_to_string(harness::root().join("README.md")).unwrap();
    assert!(readme.lines().count() <= 120, "{} lines", readme.lines().count());
    assert!(readme.contains("golden/level.svg"));
    let folder = tempfile::tempdir().unwrap();
    let drawn = folder.path().join("level.svg");
    said(&["export", "golden/install/m2/Map.sceA", drawn.to_str().unwrap()]);
    let kept = fs::read(harness::root().join("golden/level.svg")).unwrap();
    assert!(fs::read(drawn).unwrap() == kept, "export golden/install/m2/Map.sceA golden/level.svg --force");
}

#[test]
fn forge_generates_the_sample_install_bit_for_bit() {
    let manifest = fs::read_to_string(harness::root().join("golden/install.sha256")).unwrap();
    let install = forge::install(forge::INSTALL_SEED);
    let forged: Vec<_> = install.iter().map(|(path, bytes)| format!("{}  {path}", Sha::of(bytes))).collect();
    assert_eq!(manifest.lines().collect::<Vec<_>>(), forged);
    let folder = harness::golden_install();
    for (path, bytes) in &install {
        let kept = fs::read(folder.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(kept == *bytes, "{path} is not what the forge makes");
    }
    assert_eq!(install::files(&folder).unwrap().len(), install.len(), "nothing else lies there");
}

/// Returns the manual pages of all commands, by file name.
fn manual() -> Vec<(std::path::PathBuf, String)> {
    let folder = tempfile::tempdir().unwrap();
    said(&["man", folder.path().to_str().unwrap()]);
    let mut pages: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|page| page.unwrap().path()).collect();
    pages.sort();
    let words = programs::other_program("mandoc", &["-T", "lint", "-W", "style", pages[0].to_str().unwrap()]);
    if words.is_some() {
        for page in &pages {
            let lint =
                programs::other_program("mandoc", &["-T", "lint", "-W", "style", page.to_str().unwrap()]).unwrap();
            let lint = String::from_utf8(lint.stdout).unwrap();
            // Each paragraph is one line, as written by clap_mangen.
            let wrong: Vec<_> = lint.lines().filter(|line| !line.contains("longer than 80 bytes")).collect();
            assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        }
    }
    pages.into_iter().map(|page| (page.file_name().unwrap().into(), fs::read_to_string(&page).unwrap())).collect()
}

#[test]
fn manual_pages_are_dated_and_have_no_warnings() {
    let pages = manual();
    assert!(pages.len() > 8);
    assert_eq!(pages, manual(), "two calls write the same");
    let changelog = fs::read_to_string(harness::root().join("CHANGELOG.md")).unwrap();
    let newest = changelog.lines().find_map(|line| line.strip_prefix("## ")).expect("a release");
    let (_, released) = newest.split_once(" - ").expect("a date");
    for (name, page) in pages {
        let title = page.lines().find_map(|line| line.strip_prefix(".TH ")).expect("a title");
        let date = title.split(' ').nth(2).unwrap();
        let is_date = |date: &str| {
            let numbers: Vec<Option<u32>> = date.split('-').map(|part| part.parse().ok()).collect();
            matches!(numbers[..], [Some(2026..), Some(1..=12), Some(1..=31)])
        };
        assert!(is_date(date), "{}: .TH {title}", name.display());
        assert!(!is_date(released) || date == released, "{}: .TH {title}, released {released}", name.display());
        assert_eq!(name.with_extension("").to_str().unwrap().to_uppercase(), title.split(' ').next().unwrap());
    }
}

/// Returns the lines before the change of each hunk of a patch, with the file that they are in.
fn lines_before(patch: &str) -> Vec<(String, String)> {
    let mut hunks: Vec<(String, String)> = Vec::new();
    let mut file = String::new();
    for line in patch.lines().skip_while(|line| !line.starts_with("diff ")) {
        if let Some(path) = line.strip_prefix("--- a/") {
            file = path.to_owned();
        } else if line.starts_with("@@") {
            hunks.push((file.clone(), String::new()));
        } else if let Some((_, before)) = hunks.last_mut()
            && let Some(line) = line.strip_prefix(' ').or_else(|| line.strip_prefix('-'))
        {
            before.push_str(line);
            before.push('\n');
        }
    }
    hunks
}

#[test]
fn planted_bugs_still_fit_the_code() {
    let root = harness::root();
    let mut count = 0;
    for patch in std::fs::read_dir(root.join("tools/plant")).unwrap().map(|it| it.unwrap().path()) {
        if patch.extension().is_some_and(|it| it == "patch") {
            for (file, before) in lines_before(&std::fs::read_to_string(&patch).unwrap()) {
                let code = std::fs::read_to_string(root.join(&file)).unwrap();
                assert!(code.replace('\r', "").contains(&before), "{}: {file} has changed", patch.display());
                count += 1;
            }
        }
    }
    assert!(count >= 5, "only {count} changes were found");
}
