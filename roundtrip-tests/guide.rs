//! The calls of the program in the guide are run, and their output must match the guide.
//!
//! A `console` block has lines `$ bitexact ARGS`, each followed by its output (stdout, then stderr), and by
//! `(exit code N)` if it is not 0. A line `…` matches any lines, and `…` at the end of a line matches the rest of it. The
//! blocks of a page are run in order, in a folder in which `games` is the sample install; `> FILE` after a call
//! redirects its stdout.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::harness;

/// A call in the guide.
#[derive(Default)]
struct Call {
    line: String,
    printed: Vec<String>,
    code: i32,
}

/// Returns the calls in the blocks of a page.
fn calls(page: &str) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match (inside, line) {
            (false, "```console") => inside = true,
            (true, "```") => inside = false,
            (true, line) => match (line.strip_prefix("$ "), line.strip_prefix("(exit code "), calls.last_mut()) {
                (Some(line), ..) => calls.push(Call { line: line.to_owned(), ..Call::default() }),
                (_, Some(code), Some(call)) => call.code = code.trim_end_matches(')').parse().unwrap(),
                (.., call) => call.expect("a call before what it prints").printed.push(line.to_owned()),
            },
            _ => {}
        }
    }
    calls
}

/// Returns `true` if the printed lines match those of the guide.
fn fits(shown: &[String], printed: &[&str]) -> bool {
    match (shown.split_first(), printed.split_first()) {
        (None, None) => true,
        (Some((line, shown)), _) if line == "…" => {
            (0..=printed.len()).any(|skip| fits(shown, printed.split_at(skip).1))
        }
        (Some((line, shown)), Some((other, printed))) => {
            let fit = line.strip_suffix('…').map_or(line == other, |start| other.starts_with(start));
            fit && fits(shown, printed)
        }
        _ => false,
    }
}

fn make(call: &Call, folder: &Path) {
    let mut args = shell_words::split(&call.line).unwrap();
    let file = args.iter().position(|arg| arg == ">").map(|at| args.split_off(at).pop().unwrap());
    assert_eq!(args.remove(0), "bitexact");
    let output = Command::new(env!("CARGO_BIN_EXE_bitexact")).current_dir(folder).args(args).output().unwrap();
    let [mut stdout, stderr] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
    if let Some(file) = file {
        fs::write(folder.join(file), std::mem::take(&mut stdout)).unwrap();
    }
    // The guide shows paths as on Unix.
    let as_on_unix = |text: &str| if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() };
    let [shown_out, shown_err] = [&stdout, &stderr].map(|text| as_on_unix(text));
    let expected: Vec<String> = call.printed.iter().map(|line| as_on_unix(line)).collect();
    let printed: Vec<&str> = shown_out.lines().chain(shown_err.lines()).map(str::trim_end).collect();
    assert_eq!(output.status.code(), Some(call.code), "$ {}\n{}", call.line, printed.join("\n"));
    assert!(fits(&expected, &printed), "$ {}\n{}", call.line, printed.join("\n"));
}

/// Returns the pages of the guide, without the format specs.
fn pages() -> impl Iterator<Item = PathBuf> {
    let folders = ["src/guide", "src/guide/games"].map(|folder| harness::root().join(folder));
    let paths = folders.into_iter().flat_map(|folder| fs::read_dir(folder).unwrap().map(|page| page.unwrap().path()));
    paths.filter(|path| path.is_file())
}

#[test]
fn calls_print_the_output_in_the_guide() {
    let mut made = 0;
    for page in pages() {
        let calls = calls(&fs::read_to_string(page).unwrap());
        if calls.is_empty() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        for (path, bytes) in forge::install(forge::INSTALL_SEED) {
            let path = folder.path().join("games").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        calls.iter().for_each(|call| make(call, folder.path()));
        made += calls.len();
    }
    assert!(made > 20, "only {made} calls were found");
}

#[test]
fn every_command_has_an_example() {
    let help = Command::new(env!("CARGO_BIN_EXE_bitexact")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let (_, commands) = help.split_once("Commands:\n").expect("the commands");
    let (commands, _) = commands.split_once("\n\n").expect("their end");
    let commands =
        commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next().filter(|it| !it.is_empty()));
    let guide: String = pages().map(|page| fs::read_to_string(page).unwrap()).collect();
    for command in commands.filter(|command| *command != "help") {
        assert!(calls(&guide).iter().any(|call| call.line.starts_with(&format!("bitexact {command}"))), "{command}");
    }
}

/// Returns `true` if a text contains lines in sequence; a line `…` matches any lines between.
fn stands(excerpt: &str, source: &str) -> bool {
    excerpt.split("…\n").try_fold(source, |rest, piece| rest.split_once(piece).map(|(_, rest)| rest)).is_some()
}

#[test]
fn excerpts_occur_in_the_files_they_name() {
    let read = |path: &str| fs::read_to_string(harness::root().join(path)).unwrap().replace("\r\n", "\n");
    let page = read(".github/CONTRIBUTING.md");
    let mut excerpts = page.split("```rust\n");
    let mut before = excerpts.next().unwrap();
    let mut count = 0;
    for part in excerpts {
        let (excerpt, after) = part.split_once("```\n").expect("it ends");
        let path = before
            .trim_end()
            .strip_suffix("`:")
            .and_then(|it| it.rsplit('`').next())
            .expect("a file is named before it");
        assert!(stands(excerpt, &read(path)), "no longer in {path}:\n{excerpt}");
        before = after;
        count += 1;
    }
    assert!(count >= 5, "only {count} excerpts were found");
}

/// Collects the words of code, without those of comments: a name that only comments mention no longer exists.
fn words_of_code(text: &str, words: &mut HashSet<String>) {
    for line in text.lines() {
        let code = line.split_once("//").map_or(line, |(code, _)| code);
        words.extend(code.split(|it: char| !(it.is_alphanumeric() || it == '_')).map(str::to_owned));
    }
}

/// Returns the Rust names in a page and the paths of the project: code in single backticks, outside blocks.
fn names_in(page: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut names, mut paths) = (Vec::new(), Vec::new());
    let outside = page.split("```").step_by(2);
    let is_type = |name: &str| name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
    for span in outside.flat_map(|text| text.split('`').skip(1).step_by(2)) {
        let is_word = |it: char| it.is_alphanumeric() || it == '_';
        if ["src/", "tools/", "roundtrip-tests/", "golden/", ".ci/", ".github/"].iter().any(|it| span.starts_with(it)) {
            paths.push(span);
        } else if let Some(name) = span.split(['(', '!', '<']).next().and_then(|path| path.rsplit("::").next())
            && !name.is_empty()
            && name.chars().all(is_word)
            && span.chars().all(|it| is_word(it) || "():!<>, &'".contains(it))
            && (span != name || name.contains('_') || is_type(name))
        {
            names.push(name);
        }
    }
    (names, paths)
}

#[test]
fn names_in_the_guide_exist_in_the_code() {
    let root = harness::root();
    let mut words = HashSet::new();
    for folder in ["src", "tools", "roundtrip-tests"] {
        for file in walk(&root.join(folder))
            .filter(|file| file.extension().is_some_and(|it| it == "rs" || it == "toml" || it == "py"))
        {
            words_of_code(&fs::read_to_string(file).unwrap(), &mut words);
        }
    }
    words_of_code(&fs::read_to_string(root.join("Cargo.lock")).unwrap(), &mut words);
    let is_known = |name: &str| words.contains(name);
    assert!(!is_known(&["no", "such", "name"].join("_")), "a name that nothing has");
    let mut count = 0;
    for page in pages().chain([
        root.join(".github/ARCHITECTURE.md"),
        root.join(".github/CONTRIBUTING.md"),
        root.join("README.md"),
    ]) {
        let text = fs::read_to_string(&page).unwrap();
        let (names, paths) = names_in(&text);
        let gone: Vec<_> = names.iter().filter(|name| !is_known(name)).collect();
        assert!(gone.is_empty(), "{}: nothing is called {gone:?}", page.display());
        let is_there =
            |path: &str| path.contains(['*', 'X', ' ', '…']) || root.join(path.trim_end_matches('/')).exists();
        let gone: Vec<_> = paths.iter().filter(|path| !is_there(path)).collect();
        assert!(gone.is_empty(), "{}: there is no {gone:?}", page.display());
        count += names.len() + paths.len();
    }
    assert!(count > 80, "only {count} names were found");
}

/// Lists the files below a folder.
fn walk(folder: &Path) -> Box<dyn Iterator<Item = PathBuf>> {
    Box::new(fs::read_dir(folder).unwrap().flat_map(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() { walk(&path) } else { Box::new(std::iter::once(path)) }
    }))
}
