//! What the shells of Windows leave to a program: quotes that end after a `\`, single quotes, and names with `*` and `?`; and `/?`, which asks
//! for help there.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use globset::GlobBuilder;

/// Returns the arguments that a user means: `"My Games\"` is a folder, although the system takes its `\"` for a quotation mark in the name and
/// reads on to the next one, and `'a.zrd:/0=1'` is the text in the quotes, which are none for `cmd.exe`. No path contains a quotation mark.
///
/// `exists` returns `true` for an existing path, and `takes_text` for an option whose value is no path.
pub(super) fn meant(
    args: Vec<OsString>,
    exists: &dyn Fn(&str) -> bool,
    takes_text: &dyn Fn(&str) -> bool,
) -> Vec<OsString> {
    if let [before @ .., command, last] = &args[..]
        && last == "/?"
        && !command.to_str().is_some_and(takes_text)
    {
        return before.iter().chain([command]).cloned().chain(["--help".into()]).collect();
    }
    let given: Option<Vec<&str>> = args.iter().map(|arg| arg.to_str()).collect();
    let Some(given) = given.filter(|given| given.iter().any(|arg| arg.contains(['"', '\'']))) else { return args };
    let (program, given) = given.split_first().map_or(("", &[][..]), |(program, given)| (*program, given));
    let words = unquoted(split(given, exists, takes_text), exists);
    [program.to_owned()].into_iter().chain(words).map(OsString::from).collect()
}

/// Splits arguments at each quotation mark that ends a path. From there to the next one, the system has taken what is inside quotes for what is
/// outside, and the reverse: a blank in an argument is one between arguments, and the end of an argument is a blank in one.
fn split(args: &[&str], exists: &dyn Fn(&str) -> bool, takes_text: &dyn Fn(&str) -> bool) -> Vec<String> {
    let (mut words, mut is_reversed): (Vec<String>, bool) = (Vec::new(), false);
    let mut word = String::new();
    for arg in args {
        let mut letters = arg.chars().peekable();
        while let Some(letter) = letters.next() {
            let is_end = letters.peek().is_none_or(|next| next.is_whitespace());
            let is_text = || words.last().is_some_and(|before| takes_text(before));
            match letter {
                '"' if !is_text() && is_folder(&word, is_end, exists) => {
                    // The system takes the path of a drive without a `\` for the current folder on it.
                    if word.ends_with(':') {
                        word.push('\\');
                    }
                    is_reversed = !is_reversed;
                }
                _ if is_reversed && letter.is_whitespace() => {
                    if !word.is_empty() {
                        words.push(core::mem::take(&mut word));
                    }
                }
                _ => word.push(letter),
            }
        }
        match is_reversed {
            true => word.push(' '),
            false => words.push(core::mem::take(&mut word)),
        }
    }
    let rest = word.trim_end();
    if is_reversed && !rest.is_empty() {
        words.push(rest.to_owned());
    }
    words
}

/// Returns `true` if a word before a quotation mark is a path: one that exists, or one to be written, which no value of another type looks like.
/// `is_end` says that the argument, or the text inside the quotes, ends with the quotation mark.
fn is_folder(word: &str, is_end: bool, exists: &dyn Fn(&str) -> bool) -> bool {
    // An option with its value, such as `--output=DIR`.
    let path = word.split_once('=').filter(|(option, _)| option.starts_with("--")).map_or(word, |(_, path)| path);
    let is_place = || path.starts_with('/') || path.contains(":/") || path.contains(['=', '"', '{', '[']);
    let is_below = || path.rsplit_once(['\\', '/']).is_none_or(|(folder, _)| exists(folder));
    !path.is_empty() && (exists(path) || is_end && !is_place() && is_below())
}

/// Returns words without the single quotes around each, or around several that were one.
fn unquoted(words: Vec<String>, exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut made: Vec<String> = Vec::new();
    let mut rest = words.as_slice();
    while let [first, others @ ..] = rest {
        let (text, after) = quoted(rest).filter(|_| !exists(first)).unwrap_or_else(|| (first.clone(), others));
        made.push(text);
        rest = after;
    }
    made
}

/// Returns the text in single quotes at the beginning of some words, and the words after it. A word with a blank was in double quotes, which the
/// shell has removed: its single quotes belong to it.
fn quoted(words: &[String]) -> Option<(String, &[String])> {
    let is_plain = |word: &&String| !word.contains(char::is_whitespace);
    let inner = words.iter().take_while(is_plain).enumerate();
    let is_last = |(at, word): &(usize, &String)| word.ends_with('\'') && (*at > 0 || word.len() > 1);
    words.first().filter(|first| first.starts_with('\''))?;
    let (last, _) = inner.into_iter().find(is_last)?;
    let (within, after) = words.split_at_checked(last + 1)?;
    let text = within.join(" ");
    let text = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''))?.to_owned();
    Some((text, after))
}

/// Returns `true` if the last part of a path is a pattern of names. Paths that begin with `\\?\` have none.
fn is_pattern(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.contains(['*', '?'])) && !path.exists()
}

/// Returns some paths with those that each pattern among them matches in its place, sorted by name. One that matches none is kept.
pub(super) fn expanded(paths: &[PathBuf]) -> Vec<PathBuf> {
    let each = |path: &PathBuf| match matching(path) {
        found if found.is_empty() => vec![path.clone()],
        found => found,
    };
    paths.iter().flat_map(each).collect()
}

/// Returns the paths that a pattern matches; none if it is no pattern.
pub(super) fn matching(pattern: &Path) -> Vec<PathBuf> {
    let Some(name) = pattern.file_name().and_then(|name| name.to_str()).filter(|_| is_pattern(pattern)) else {
        return Vec::new();
    };
    // A name can have the other signs of patterns.
    let escaped = |sign: char| if "[]{}".contains(sign) { format!("[{sign}]") } else { sign.to_string() };
    let escaped: String = name.chars().map(escaped).collect();
    let glob = GlobBuilder::new(&escaped).case_insensitive(true).backslash_escape(false).build();
    let Ok(glob) = glob.map(|glob| glob.compile_matcher()) else { return Vec::new() };
    let folder = pattern.parent().unwrap_or(Path::new(""));
    let is_here = folder.as_os_str().is_empty();
    let inside = fs::read_dir(if is_here { Path::new(".") } else { folder }).into_iter().flatten().flatten();
    let names = inside.filter_map(|file| file.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|found| glob.is_match(found)).collect();
    names.sort();
    names.into_iter().map(|name| folder.join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(args: &[&str]) -> Vec<String> {
        let exists = |path: &str| ["C:\\My Games", "C:\\My Games\\Recoil", "C:", "a b", "C:\\o'b"].contains(&path);
        let takes_text = |option: &str| ["--set", "--title", "-m"].contains(&option);
        let args = core::iter::once(&"bitexact").chain(args).map(OsString::from).collect();
        let mut meant = meant(args, &exists, &takes_text).into_iter().map(|it| it.into_string().expect("Unicode"));
        assert_eq!(meant.next().as_deref(), Some("bitexact"));
        meant.collect()
    }

    /// Each call is what the C runtime makes of the line in the comment.
    #[test]
    fn quoted_paths_can_end_in_a_backslash() {
        // "C:\My Games\Recoil\"
        assert_eq!(said(&["C:\\My Games\\Recoil\""]), ["C:\\My Games\\Recoil"]);
        // verify "C:\My Games\Recoil\" --html x.html
        let html = ["verify", "C:\\My Games\\Recoil", "--html", "x.html"];
        assert_eq!(said(&["verify", "C:\\My Games\\Recoil\" --html x.html"]), html);
        // verify "C:\My Games\Recoil\" --html "my report.html" -v
        let blank = ["verify", "C:\\My Games\\Recoil", "--html", "my report.html", "-v"];
        assert_eq!(said(&["verify", "C:\\My Games\\Recoil\" --html my", "report.html -v"]), blank);
        // diff "C:\My Games\" "a b\" -q
        assert_eq!(said(&["diff", "C:\\My Games\" a", "b\"", "-q"]), ["diff", "C:\\My Games", "a b", "-q"]);
        // verify "C:\"
        assert_eq!(said(&["verify", "C:\""]), ["verify", "C:\\"]);
        // patch /?
        assert_eq!(said(&["patch", "/?"]), ["patch", "--help"]);
        assert_eq!(said(&["/?"]), ["--help"]);
        // patch x.tlk -m /?
        assert_eq!(said(&["patch", "x.tlk", "-m", "/?"]), ["patch", "x.tlk", "-m", "/?"]);
        // unpack x.zbd "new folder\"
        assert_eq!(said(&["unpack", "x.zbd", "new folder\""]), ["unpack", "x.zbd", "new folder"]);
        // unpack x.zbd "C:\My Games\new\" --force
        let new = ["unpack", "x.zbd", "C:\\My Games\\new", "--force"];
        assert_eq!(said(&["unpack", "x.zbd", "C:\\My Games\\new\" --force"]), new);
        // snapshot . "--output=C:\My Games\" -v
        let output = ["snapshot", ".", "--output=C:\\My Games", "-v"];
        assert_eq!(said(&["snapshot", ".", "--output=C:\\My Games\" -v"]), output);
        // patch "C:\My Games\" --set "/x={\"a\":1}"
        let json = ["patch", "C:\\My Games", "--set", "/x={\"a\":1}"];
        assert_eq!(said(&["patch", "C:\\My Games\" --set /x={\"a\":1}"]), json);
    }

    #[test]
    fn quotation_marks_in_values_stay() {
        for args in [
            &["patch", "x", "--set", "/x={\"a\":1}"][..],
            &["patch", "x", "--set", "/x=\"C:\\My Games\""],
            &["patch", "x", "--set", "/name=5\" gun"],
            &["mod", "make", "a", "b", "--title", "The 5\""],
            &["inspect", "x", "/@5\" gun/0"],
            &["inspect", "x", "a.zrd:/@5\""],
            &["patch", "x", "--set", ""],
            &["mod", "make", "-m", "it's", "done"],
            &["patch", "x", "--set", "/x='a'"],
            &["mod", "make", "--title", "'a b'"],
            &["verify", "'"],
            &["verify", "'a", "b"],
            &["verify", "C:\\o'b"],
        ] {
            assert_eq!(said(args), args);
        }
    }

    #[test]
    fn single_quotes_are_removed() {
        assert_eq!(said(&["--set", "'a.utc:/Str=18'", "-n"]), ["--set", "a.utc:/Str=18", "-n"]);
        let text = ["--set", "a:/name=Home sweet home", "-n"];
        assert_eq!(said(&["--set", "'a:/name=Home", "sweet", "home'", "-n"]), text);
        assert_eq!(said(&["verify", "''"]), ["verify", ""]);
    }

    #[test]
    fn patterns_match_the_files_of_a_folder() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = |name: &str| dir.path().join(name);
        for name in ["B.ZBD", "a.zbd", "ab.zbd", "c.txt", "[a] {b}.zmap", "a.zmap"] {
            fs::write(path(name), b"").expect("written");
        }
        let found = |names: &[&str]| expanded(&names.iter().map(|name| path(name)).collect::<Vec<_>>());
        assert_eq!(found(&["*.zbd", "c.txt"]), ["B.ZBD", "a.zbd", "ab.zbd", "c.txt"].map(path));
        assert_eq!(found(&["?.zbd"]), ["B.ZBD", "a.zbd"].map(path));
        assert_eq!(found(&["[a] *.zmap", "[a] {b}.z?ap"]), ["[a] {b}.zmap", "[a] {b}.zmap"].map(path));
        assert_eq!(found(&["*.hak"]), ["*.hak"].map(path), "no such file");
    }
}
