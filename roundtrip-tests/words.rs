//! Help, messages, guide and README avoid the words that the style guide replaces.

use std::fs;
use std::path::{Path, PathBuf};

/// Words that hide the actor, have a literal meaning different from the intended one, or use British spelling.
const WORDS: &[&str] = &[
    "anew",
    "apart",
    "as it is",
    "as it was",
    "as they are",
    "as they were",
    "behind",
    "but for",
    "colour",
    "colours",
    "comes back",
    "comes to",
    "is there",
    "laid down",
    "lays down",
    "nobody",
    "not ours",
    "nothing where",
    "of ours",
    "of which",
    "recognised",
    "settled",
    "settles",
    "stands",
    "stood",
    "tells",
    "there is no",
    "told",
    "trouble",
    "twin",
    "unrecognised",
    "whoever",
];

/// Correct uses: a part of the file's path, the word, the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("src/cli/summary.rs", "comes back", "the verdict, in the words of users"),
    ("src/report/page/mod.rs", "comes back", "the verdict, in the words of users"),
    ("src/install/certificate/sentence.rs", "comes back", "the sentence about a copy, in the words of users"),
    ("README.md", "comes back", "what the program prints"),
];

/// Returns the prose of a line of Rust: its string literals without placeholders, and doc comments that clap prints as help.
fn prose_of_rust(line: &str, is_help: bool) -> String {
    let line = line.trim();
    if let Some(comment) = line.strip_prefix("//") {
        return if is_help && comment.starts_with('/') { comment.to_owned() } else { String::new() };
    }
    if line.contains("reason = \"") {
        return String::new();
    }
    let unescaped = line.replace("\\\"", "'").replace("'\"'", "");
    let literals: Vec<&str> = unescaped.split('"').skip(1).step_by(2).collect();
    without(&literals.join(" | "), '{', '}')
}

/// Returns text without the parts between two characters.
fn without(text: &str, open: char, close: char) -> String {
    let mut is_inside = false;
    let keep = |it: &char| {
        let was_inside = is_inside;
        is_inside = if was_inside { *it != close } else { *it == open };
        !was_inside && !is_inside
    };
    text.chars().filter(keep).collect()
}

/// Returns the words in a text that are in the list.
fn words_in(text: &str) -> impl Iterator<Item = &'static str> {
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    WORDS.iter().copied().filter(move |word| {
        text.match_indices(word)
            .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part))
    })
}

/// Returns the findings in a file as lines `PATH:LINE: WORD`.
fn findings(path: &str, text: &str) -> Vec<String> {
    let is_rust = path.ends_with(".rs");
    let text = text.replace("\r\n", "\n");
    let text = if is_rust { text.split("#[cfg(test)]\nmod tests {").next().unwrap() } else { &text };
    let prose = |line: &str| match is_rust {
        true => prose_of_rust(line, path.contains("src/cli")),
        // Code and the targets of links are not prose.
        false => without(&without(line, '`', '`').replace("](", "\u{1}"), '\u{1}', ')'),
    };
    let is_exception =
        |word: &str| EXCEPTIONS.iter().any(|(part, excepted, _)| path.contains(part) && *excepted == word);
    let lines = text.lines().zip(1..).map(|(line, number)| (prose(line), number));
    let found = lines.flat_map(|(prose, number)| words_in(&prose).map(move |word| (word, number)).collect::<Vec<_>>());
    found.filter(|(word, _)| !is_exception(word)).map(|(word, number)| format!("{path}:{number}: {word}")).collect()
}

/// Returns the files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let inner = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    fs::read_dir(folder).unwrap().flat_map(|entry| inner(entry.unwrap().path())).collect()
}

#[test]
fn texts_for_users_contain_none_of_the_words() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut paths = files(&root.join("src"));
    paths.extend(
        ["README.md", "CHANGELOG.md", ".github/ARCHITECTURE.md", ".github/CONTRIBUTING.md"].map(|name| root.join(name)),
    );
    let (mut all, mut count) = (Vec::new(), 0);
    for path in paths {
        let shown = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        if !shown.contains("/tests") && [".rs", ".md"].iter().any(|end| shown.ends_with(end)) {
            all.extend(findings(&shown, &fs::read_to_string(&path).unwrap()));
            count += 1;
        }
    }
    assert!(count > 100, "only {count} files were read");
    assert!(all.is_empty(), "use the words of the style guide instead:\n{}", all.join("\n"));
}

#[test]
fn planted_words_are_found_in_every_type_of_text() {
    let message = "let why = format!(\"the summary stands behind {told}\"); // nobody\n";
    assert_eq!(findings("src/a.rs", message), ["src/a.rs:1: behind", "src/a.rs:1: stands"]);
    assert_eq!(findings("src/cli/a.rs", "\n    /// Say what is told\n"), ["src/cli/a.rs:2: told"]);
    assert_eq!(findings("src/a.rs", "/// nobody\n// told\nlet told = behind(\"\\\"\", stood_up);\n"), [""; 0]);
    assert_eq!(findings("src/a.rs", "let a = \"outstands\";\n#[cfg(test)]\nmod tests {\n\"nobody\""), [""; 0]);
    assert_eq!(
        findings("src/guide/a.md", "A table that\ntells `told` [this](x::told).\n"),
        ["src/guide/a.md:2: tells"]
    );
    assert_eq!(findings("src/cli/summary.rs", "\"comes back\""), [""; 0]);
    assert_eq!(findings("src/verify/mod.rs", "\"comes back\""), ["src/verify/mod.rs:1: comes back"]);
}
