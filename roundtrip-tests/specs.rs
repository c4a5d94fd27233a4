//! The format specs are pages of the guide. Every page is listed, and every citation of one names a section that exists.
//!
//! A citation is the name of a page, then `, section 6.6`, `, sections 2 and 3`, `, sections 2 to 4`, `, introduction`, the titles of
//! sections, or nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::harness;

/// What must not be in a page: folders that the project does not have, and words of notes.
const FORBIDDEN: &[&str] = &["shared/", "corpora", "corpus", "/findings", "mech3ax", "TODO"];

/// A page: the numbers and the titles of its sections.
#[derive(Default)]
struct Page {
    numbers: Vec<String>,
    titles: Vec<String>,
}

impl Page {
    fn of(text: &str) -> Self {
        let mut page = Self::default();
        for heading in outside_of_blocks(text).filter(|line| line.starts_with('#')) {
            let heading = heading.trim_start_matches(['#', ' ']).replace('`', "");
            // One section can describe several things with numbers: "31 IF, 33 ELSEIF".
            for title in heading.split(", ") {
                let number = title.split(' ').next().unwrap_or_default().trim_end_matches('.');
                if is_number(number) {
                    page.numbers.push(number.to_owned());
                }
            }
            let title = heading.split([':', '(']).next().unwrap_or_default().trim_end();
            page.titles.push(title.to_owned());
        }
        page
    }
}

/// Returns the pages by name, such as `zipper-nodes.md`, with their texts.
fn pages() -> BTreeMap<String, String> {
    let folder = harness::root().join("src/guide/formats");
    let pages = fs::read_dir(folder).unwrap().map(|page| page.unwrap().path());
    let is_page = |path: &PathBuf| {
        path.extension().is_some_and(|it| it == "md") && !path.ends_with("index.md") && !path.ends_with("links.md")
    };
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    pages.filter(is_page).map(|path| (name(&path), read(&path))).collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).replace("\r\n", "\n")
}

/// Returns the lines of a page that are not in blocks of code.
fn outside_of_blocks(text: &str) -> impl Iterator<Item = &str> {
    let mut is_inside = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_inside ^= is_fence;
        !is_inside && !is_fence
    })
}

/// Returns `true` for the number of a section, such as `6` or `6.6`.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns a text on one line, without the marks of comments.
fn flattened(text: &str) -> String {
    let line = |line: &str| {
        let line = line.trim();
        let comment = ["///", "//!", "//", "#"].iter().find_map(|mark| line.strip_prefix(mark));
        comment.unwrap_or(line).trim().to_owned()
    };
    text.lines().map(line).collect::<Vec<_>>().join(" ")
}

/// Returns the names of Markdown files with a hyphen in a text, each with the text after it.
fn names(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_part = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '-';
    text.match_indices(".md").filter_map(move |(end, _)| {
        let start = text[..end].rfind(|it| !is_part(it)).map_or(0, |at| at + 1);
        let (name, rest) = (&text[start..end + 3], &text[end + 3..]);
        let is_path = text[..start].ends_with(['/', '.', '_']);
        (name.contains('-') && !is_path && !rest.starts_with(is_part)).then_some((name, rest))
    })
}

/// Takes numbers of sections from the beginning of a text: one, or several with commas, `and` and `to` between them.
fn numbers(text: &str, one: bool) -> Vec<&str> {
    let mut numbers = Vec::new();
    let mut rest = text;
    loop {
        let end = rest.find(|it: char| !(it.is_ascii_digit() || it == '.')).unwrap_or(rest.len());
        let number = rest[..end].trim_end_matches('.');
        if !is_number(number) || rest[number.len()..].starts_with(|it: char| it.is_alphanumeric() || it == '%') {
            return numbers;
        }
        numbers.push(number);
        rest = &rest[number.len()..];
        let next = [", and ", ", ", " and ", " to "].iter().find_map(|between| rest.strip_prefix(between));
        match next {
            Some(next) if !one => rest = next,
            _ => return numbers,
        }
    }
}

/// Returns what is wrong with a citation, from the text after the name of its page.
fn wrong(page: &Page, rest: &str) -> Option<String> {
    let rest = rest.strip_prefix('`').unwrap_or(rest);
    let rest = rest.strip_prefix(']').unwrap_or(rest);
    // The target of a link.
    let rest = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, rest)| rest);
    let rest = rest.strip_prefix(", ")?.replace(['`', '"', '['], "");
    let cited = match rest.strip_prefix("section") {
        Some(rest) => match rest.strip_prefix("s ") {
            Some(several) => numbers(several, false),
            None => numbers(rest.strip_prefix(' ').unwrap_or_default(), true),
        },
        None => {
            let rest = rest.strip_prefix("and ").unwrap_or(&rest);
            let is_another = names(rest).next().is_some_and(|(name, _)| rest.starts_with(name));
            let is_title = page.titles.iter().any(|title| rest.starts_with(title.as_str()));
            let fits = is_another || is_title || rest.starts_with("introduction");
            return (!fits).then(|| format!("no section has the title {:?}", excerpt(rest)));
        }
    };
    if cited.is_empty() {
        return Some(format!("expected the number of a section, found {:?}", excerpt(&rest)));
    }
    let missing = cited.into_iter().find(|number| !page.numbers.iter().any(|it| it == number))?;
    Some(format!("no section has the number {missing}"))
}

/// Returns the sections of all pages.
fn sections() -> BTreeMap<String, Page> {
    pages().into_iter().map(|(name, text)| (name, Page::of(&text))).collect()
}

/// Returns the wrong citations in a text as lines.
pub(crate) fn wrong_citations(path: &str, text: &str) -> Vec<String> {
    citations(&sections(), path, text).0
}

fn excerpt(text: &str) -> &str {
    text.char_indices().nth(40).map_or(text, |(at, _)| &text[..at])
}

/// Returns the wrong citations in a file as lines, and the number of all.
fn citations(pages: &BTreeMap<String, Page>, path: &str, text: &str) -> (Vec<String>, usize) {
    let text = flattened(text);
    let families: Vec<&str> = pages.keys().filter_map(|name| name.split('-').next()).collect();
    let (mut lines, mut count) = (Vec::new(), 0);
    for (name, rest) in names(&text) {
        let found = match pages.get(name) {
            Some(page) => wrong(page, rest),
            None if families.iter().any(|family| name.split('-').next() == Some(family)) => Some("no such page".into()),
            None => continue,
        };
        count += 1;
        lines.extend(found.map(|why| format!("{path}: {name}: {why}")));
    }
    (lines, count)
}

/// Lists the files below a folder, except for what is built.
fn files(folder: &Path) -> Vec<PathBuf> {
    let inner = |path: PathBuf| match path.is_dir() {
        true if path.ends_with("target") => Vec::new(),
        true => files(&path),
        false => vec![path],
    };
    fs::read_dir(folder).unwrap().flat_map(|entry| inner(entry.unwrap().path())).collect()
}

#[test]
fn citations_of_the_format_specs_name_sections_that_exist() {
    let root = harness::root();
    let pages = sections();
    let mut paths: Vec<_> = ["src", "tools", "roundtrip-tests"].iter().flat_map(|it| files(&root.join(it))).collect();
    let others =
        ["README.md", "CHANGELOG.md", "golden/known.tsv", ".github/CONTRIBUTING.md", ".github/ARCHITECTURE.md"];
    paths.extend(others.map(|name| root.join(name)));
    let (mut all, mut count) = (Vec::new(), 0);
    for path in paths {
        let shown = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
        // Names of pages that do not exist are planted below.
        if [".rs", ".py", ".md", ".toml", ".tsv"].iter().any(|end| shown.ends_with(end))
            && !shown.ends_with("/specs.rs")
        {
            let (lines, found) = citations(&pages, &shown, &read(&path));
            all.extend(lines);
            count += found;
        }
    }
    assert!(count > 1000, "only {count} citations were found");
    assert!(all.is_empty(), "wrong citations:\n{}", all.join("\n"));
}

#[test]
fn wrong_citations_are_found() {
    let page = Page::of(
        "# Nodes\n## 1. Slots\n### 1.2 The word\n## 3. IF, 4 ELSE (0)\n## POLY: polygon\n## LITE, data version 0: light\n```text\n# 9. Code\n```\n",
    );
    let pages = BTreeMap::from([("zipper-nodes.md".to_owned(), page)]);
    let found = |text: &str| citations(&pages, "a.rs", text).0;
    for right in [
        "/// Source: `zipper-nodes.md`.",
        "/// Source: `zipper-nodes.md`, section 1.2.",
        "/// (`zipper-nodes.md`, sections 1, 1.2\n/// and 3), 7 bytes",
        "//! Source: [`zipper-nodes.md`](crate::guide::formats::zipper_nodes), section 4, 228 bytes.",
        "\"zipper-nodes.md, section 1 (engine)\"",
        "// `zipper-nodes.md`, `POLY`, and `zipper-nodes.md`, introduction",
        "// `zipper-nodes.md`, `LITE`, data version 0.",
        "// `zipper-nodes.md`, `zipper-nodes.md`, sections 1 to 3.",
        "src/guide/zipper-models.md, read-me.md, zipper-nodes.mdx",
    ] {
        assert_eq!(found(right), [""; 0], "{right}");
    }
    for (text, why) in [
        ("`zipper-nodes.md`, section 2.", "zipper-nodes.md: no section has the number 2"),
        ("`zipper-nodes.md`, section 9.", "zipper-nodes.md: no section has the number 9"),
        ("/// `zipper-nodes.md`, sections 1 and\n/// 1.3.", "zipper-nodes.md: no section has the number 1.3"),
        ("`zipper-nodes.md`, sections 1 to 5", "zipper-nodes.md: no section has the number 5"),
        ("[`zipper-nodes.md`](a::b), section 7", "zipper-nodes.md: no section has the number 7"),
        ("`zipper-nodes.md`, `SIDS`.", "zipper-nodes.md: no section has the title \"SIDS.\""),
        ("`zipper-nodes.md`, section six", "zipper-nodes.md: expected the number of a section, found \"section six\""),
        ("\"zipper-models.md, section 1\"", "zipper-models.md: no such page"),
    ] {
        assert_eq!(found(text), [format!("a.rs: {why}")], "{text}");
    }
}

#[test]
fn every_format_spec_is_a_page_of_the_guide() {
    let folder = harness::root().join("src/guide/formats");
    let [module, index, links] = ["lib.rs", "index.md", "links.md"].map(|name| read(&folder.join(name)));
    for (name, text) in pages() {
        let item = name.trim_end_matches(".md").replace('-', "_");
        assert!(module.contains(&format!("\"{name}\" => {item},")), "{name} is not in formats/lib.rs");
        assert!(index.contains(&format!("[`{name}`]: ")), "{name} is not in formats/index.md");
        let link = format!("[`{name}`]: crate::{item}\n");
        assert!(links.contains(&link), "{name} is not in formats/links.md");
        assert!(text.starts_with("# "), "{name} has no title");
        for (line, number) in text.lines().zip(1..) {
            let words: Vec<_> = FORBIDDEN.iter().filter(|word| line.contains(**word)).collect();
            assert!(words.is_empty(), "{name}:{number}: {words:?}");
        }
        // A block without a language would be tested as Rust.
        let fences: Vec<&str> = text.lines().map(str::trim).filter(|line| line.starts_with("```")).collect();
        assert!(fences.len().is_multiple_of(2), "{name}: a block does not end");
        assert!(fences.iter().step_by(2).all(|fence| *fence == "```text"), "{name}: a block is not ```text");
    }
}

#[test]
fn references_within_a_format_spec_name_sections_that_exist() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (name, text) in pages() {
        let page = Page::of(&text);
        let text = outside_of_blocks(&text).collect::<Vec<_>>().join(" ");
        for (at, _) in text.match_indices("section") {
            let (before, after) = (&text[..at], &text[at + "section".len()..]);
            // Sections of other pages are citations.
            let is_other = before.ends_with(".md`], ");
            let (after, one) = after.strip_prefix('s').map_or((after, true), |after| (after, false));
            for number in after.strip_prefix(' ').map(|it| numbers(it, one)).unwrap_or_default() {
                count += 1;
                if !is_other && !page.numbers.iter().any(|it| it == number) {
                    wrong.push(format!("{name}: section {number}"));
                }
            }
        }
    }
    assert!(count > 100, "only {count} references were found");
    assert!(wrong.is_empty(), "no such sections:\n{}", wrong.join("\n"));
}
