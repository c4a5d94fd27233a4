//! Sums that stop at a limit and defaults for what is missing only become fewer: each can hide a wrong value.

use std::collections::BTreeMap;
use std::fs;

use crate::harness;

/// The words, which the section "Silent defaults" of `.github/CONTRIBUTING.md` explains.
const WORDS: [&str; 2] = ["saturating_", "unwrap_or_default"];

/// How often each directory or file of `src` contains the words. A number may only become lower.
#[rustfmt::skip]
const CEILINGS: &[(&str, [usize; 2])] = &[
    ("aurora", [359, 108]),
    ("cli", [27, 16]),
    ("edit", [15, 27]),
    ("exchange", [88, 15]),
    ("field", [89, 58]),
    ("install", [6, 7]),
    ("marathon", [169, 70]),
    ("media", [23, 26]),
    ("mods", [0, 15]),
    ("output", [0, 2]),
    ("passes", [29, 8]),
    ("report", [18, 3]),
    ("verify", [22, 4]),
    ("zipper", [282, 87]),
];

/// Counts the words in a file, or in all files of a directory.
fn count(path: &std::path::Path, counts: &mut [usize; 2]) {
    if path.is_dir() {
        fs::read_dir(path).unwrap().for_each(|entry| count(&entry.unwrap().path(), counts));
    } else if path.extension().is_some_and(|it| it == "rs") {
        let text = fs::read_to_string(path).unwrap();
        for (count, word) in counts.iter_mut().zip(WORDS) {
            *count += text.matches(word).count();
        }
    }
}

#[test]
fn silent_defaults_only_become_fewer() {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(harness::root().join("src")).unwrap() {
        let entry = entry.unwrap();
        let mut counts = [0; 2];
        count(&entry.path(), &mut counts);
        if counts != [0; 2] {
            found.insert(entry.file_name().into_string().unwrap(), counts);
        }
    }
    let ceilings: BTreeMap<String, [usize; 2]> =
        CEILINGS.iter().map(|(room, most)| ((*room).to_owned(), *most)).collect();
    let (mut more, mut fewer) = (Vec::new(), Vec::new());
    for room in found.keys().chain(ceilings.keys()).collect::<std::collections::BTreeSet<_>>() {
        let [now, most] = [&found, &ceilings].map(|counts| counts.get(room).copied().unwrap_or_default());
        for ((now, most), word) in now.into_iter().zip(most).zip(WORDS) {
            let said = format!("src/{room}: {word} {now} times, {most} are known");
            match now.cmp(&most) {
                std::cmp::Ordering::Greater => more.push(said),
                std::cmp::Ordering::Less => fewer.push(said),
                std::cmp::Ordering::Equal => {}
            }
        }
    }
    assert!(more.is_empty(), "see \"Silent defaults\" in .github/CONTRIBUTING.md\n{}", more.join("\n"));
    let rows: String =
        found.iter().map(|(room, [sums, missing])| format!("    (\"{room}\", [{sums}, {missing}]),\n")).collect();
    assert!(fewer.is_empty(), "there are fewer: lower the ceilings\n{}\n{rows}", fewer.join("\n"));
}
