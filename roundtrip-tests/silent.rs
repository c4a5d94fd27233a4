//! Sums that stop at a limit and defaults for what is missing only become fewer: each can hide a wrong value.

use std::collections::BTreeMap;
use std::fs;

use crate::harness;

/// The methods, which the section "Silent defaults" of `.github/CONTRIBUTING.md` explains. Each use that remains is under its rule there:
///
/// * `saturating_add`, `saturating_mul`: a sum that is charged to memory, compared with a limit or reserves capacity; the end of a range that
///   `peek`, `room`, `window` or `get` refuses beyond the end.
/// * `saturating_sub`: none is meant if there is less: what remains, the index of the last item, the beginning of an excerpt.
/// * `saturating_` with another ending: a power that memory must hold, and the distance of two numbers.
/// * `unwrap_or_default`: an optional list or text that is empty if absent, the slice of a range just found, a number that only reading or
///   writing uses, writing to memory.
const METHODS: [&str; 5] = ["saturating_add", "saturating_mul", "saturating_sub", "saturating_", "unwrap_or_default"];

/// How often the source calls each of the methods.
type Counts = [usize; METHODS.len()];

/// How often each directory or file of `src` calls the methods, in their order; the fourth counts the calls that none of the first three counts.
/// A number may only become lower.
#[rustfmt::skip]
const CEILINGS: &[(&str, Counts)] = &[
    ("aurora", [9, 7, 21, 0, 40]),
    ("cli", [3, 2, 7, 0, 15]),
    ("edit", [0, 1, 3, 0, 21]),
    ("exchange", [12, 8, 11, 0, 14]),
    ("field", [7, 10, 25, 1, 58]),
    ("install", [4, 1, 1, 0, 7]),
    ("marathon", [0, 7, 19, 0, 56]),
    ("media", [2, 1, 0, 0, 23]),
    ("mods", [0, 0, 0, 0, 12]),
    ("output", [0, 0, 0, 0, 2]),
    ("passes", [3, 6, 3, 0, 8]),
    ("report", [2, 4, 11, 0, 3]),
    ("verify", [10, 2, 7, 0, 4]),
    ("zipper", [1, 2, 37, 0, 70]),
];

/// Counts the methods in a file, or in all files of a directory.
fn count(path: &std::path::Path, counts: &mut Counts) {
    if path.is_dir() {
        fs::read_dir(path).unwrap().for_each(|entry| count(&entry.unwrap().path(), counts));
    } else if path.extension().is_some_and(|it| it == "rs") {
        let text = fs::read_to_string(path).unwrap();
        let [add, mul, sub, all, missing] = METHODS.map(|method| text.matches(method).count());
        for (count, more) in counts.iter_mut().zip([add, mul, sub, all - add - mul - sub, missing]) {
            *count += more;
        }
    }
}

#[test]
fn silent_defaults_only_become_fewer() {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(harness::root().join("src")).unwrap() {
        let entry = entry.unwrap();
        let mut counts = Counts::default();
        count(&entry.path(), &mut counts);
        if counts != Counts::default() {
            found.insert(entry.file_name().into_string().unwrap(), counts);
        }
    }
    let ceilings: BTreeMap<String, Counts> = CEILINGS.iter().map(|(room, most)| ((*room).to_owned(), *most)).collect();
    let (mut more, mut fewer) = (Vec::new(), Vec::new());
    for room in found.keys().chain(ceilings.keys()).collect::<std::collections::BTreeSet<_>>() {
        let [now, most] = [&found, &ceilings].map(|counts| counts.get(room).copied().unwrap_or_default());
        for ((now, most), method) in now.into_iter().zip(most).zip(METHODS) {
            let said = format!("src/{room}: {method} {now} times, {most} are known");
            match now.cmp(&most) {
                std::cmp::Ordering::Greater => more.push(said),
                std::cmp::Ordering::Less => fewer.push(said),
                std::cmp::Ordering::Equal => {}
            }
        }
    }
    assert!(more.is_empty(), "see \"Silent defaults\" in .github/CONTRIBUTING.md\n{}", more.join("\n"));
    let rows: String = found.iter().map(|(room, counts)| format!("    (\"{room}\", {counts:?}),\n")).collect();
    assert!(fewer.is_empty(), "there are fewer: lower the ceilings\n{}\n{rows}", fewer.join("\n"));
}
