//! No number decides about the path of the work unless the laws hold it against the smallest and the largest.

use std::fs;
use std::path::Path;

use ::field::Thresholds;
use bitexact::exchange::parse;
use bitexact::json::JsonText;
use bytes::Bytes;

use crate::harness::root;

/// The folders of the library whose constants are listed here.
const FOLDERS: [&str; 8] = ["edit", "exchange", "field", "install", "json", "mods", "passes", "verify"];

/// The constants that are no thresholds, with the reason for each.
const OTHERS: &[(&str, &[&str])] = &[
    (
        "a limit, beyond which something is refused",
        &[
            "field/code_page.rs LONGEST",
            "field/limits.rs NESTING",
            "field/limits.rs NODES",
            "field/limits.rs CONTAINERS",
            "field/limits.rs STACK",
            "field/limits.rs MEMORY",
            "field/limits.rs MEMORY_FACTOR",
            "field/limits.rs MEMORY_FACTOR_OF_EXCHANGE",
            "field/limits.rs MEMORY_FACTOR_OF_STEP_2",
            "field/limits.rs MEMORY_BASE",
            "field/limits.rs HELD",
            "field/limits.rs PADDING",
            "field/limits.rs PIXELS",
            "field/limits.rs SHEET_PIXELS",
            "field/limits.rs GLTF_VALUES",
            "exchange/document/names.rs MOST",
            "json/nesting.rs NESTING",
        ],
    ),
    (
        "a capacity or an estimate of memory",
        &[
            "json/read.rs VECTOR",
            "json/tokens.rs BYTES",
            "field/limits.rs ALLOCATION",
            "field/memory.rs FIRST",
            "field/memory.rs FIRST_BYTES",
            "mods/file.rs KEY",
            "mods/file.rs VALUE",
            "field/arrangement.rs LABEL",
            "exchange/document/record.rs PLACED",
            "exchange/print/mod.rs FORMS",
            "install/known/mod.rs FILE",
            "install/snapshot/text.rs FILE",
            "install/snapshot/text.rs TEXTS",
        ],
    ),
    (
        "the length at which something shown to people is shortened",
        &[
            "field/limits.rs QUOTE",
            "edit/advice.rs NAMES",
            "edit/diff/as_lines.rs COLUMNS",
            "edit/diff/as_lines.rs ROW",
            "edit/diff/words.rs SHORT",
            "edit/diff/words.rs LONG",
            "edit/diff/words.rs AROUND",
            "edit/diff/words.rs MOST",
            "exchange/show.rs LONG",
            "exchange/folder/written.rs MOST",
            "mods/conflicts.rs MOST",
            "passes/strip.rs PARTS",
        ],
    ),
    (
        "it tells items that are perhaps others from changed ones in a merge, which then asks",
        &["mods/merge/places.rs MANY"],
    ),
    (
        "it tells damage, a shifted text or a moved folder from chance",
        &[
            "edit/diff/shifted_offsets.rs ALIKE",
            "install/snapshot/moves.rs FEW",
            "passes/zeros.rs PIECE",
            "passes/zeros.rs LONG",
            "passes/zeros.rs END",
            "passes/damage.rs BLACK",
            "passes/damage.rs WORD",
            "passes/encodings.rs ENOUGH",
            "passes/spoiled.rs OWN_ZEROS",
            "passes/spoiled.rs SECTOR",
            "passes/spoiled.rs TRACES",
        ],
    ),
    (
        "a number of the exchange format or of a layout",
        &[
            "install/aurora.rs BUILD",
            "install/aurora.rs LARGEST",
            "edit/diff/change.rs SCHEMA",
            "edit/value.rs HAS_TEXT",
            "exchange/whole.rs SCHEMA",
            "field/fixed.rs DIGITS",
            "json/number.rs SHORT",
            "json/tokens.rs INSIDE",
            "json/lines.rs DEEPEST",
            "json/text/origin.rs PARTS",
            "field/template.rs WORD",
            "field/referents.rs MOST",
            "mods/file.rs SCHEMA",
            "mods/state.rs SCHEMA",
            "mods/disk.rs READERS",
            "verify/row.rs SCHEMA",
        ],
    ),
    (
        "a mark or a mask that no count reaches",
        &[
            "exchange/document/doc.rs NOTHING",
            "json/tokens.rs ONES",
            "json/tokens.rs HIGH",
            "field/driver.rs OUTER",
            "field/text.rs ONES",
            "field/text.rs HIGH",
            "field/text.rs MOST",
        ],
    ),
    ("when a thread passes on its results, not which", &["verify/jobs.rs SMALL", "verify/jobs.rs TOGETHER"]),
    ("how often another process may come first before a call gives up", &["mods/journal.rs ATTEMPTS"]),
    ("how much of a file is read to know whether it is of another program", &["mods/make.rs BEGINNING"]),
    (
        "a size of pieces whose boundaries are all crossed by a test beside it",
        &[
            "mods/make.rs PIECE",
            "exchange/document/shelf.rs FIRST",
            "exchange/document/shelf.rs DOUBLING",
            "exchange/document/shelf.rs LAST",
        ],
    ),
];

/// Calls `tell` for every source file below a folder of the library, with its path in `src` and its text.
fn each(folder: &Path, tell: &mut dyn FnMut(String, &str)) {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for path in files {
        if path.is_dir() {
            each(&path, tell);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let inner = path.strip_prefix(root().join("src")).unwrap().to_string_lossy().replace('\\', "/");
            let text = fs::read_to_string(&path).unwrap();
            // Tests come last in a file.
            tell(inner, text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default());
        }
    }
}

#[test]
fn every_number_is_a_threshold_or_has_a_reason_to_be_none() {
    let mut found = Vec::new();
    for folder in FOLDERS {
        each(&root().join("src").join(folder), &mut |file, text| {
            if file.contains("/tests") {
                return;
            }
            for line in text.lines() {
                let Some((before, rest)) = line.split_once("const ") else { continue };
                let is_declared = before.trim().is_empty() || before.trim_start().starts_with("pub");
                let Some((name, of)) = rest.split_once(": ").filter(|_| is_declared) else { continue };
                let is_number = ["usize", "u64", "u32"].iter().any(|sort| of.starts_with(&format!("{sort} =")));
                if is_number {
                    found.push(format!("{file} {name}"));
                }
            }
        });
    }
    let mut known: Vec<String> = OTHERS.iter().flat_map(|(_, names)| *names).map(|it| (*it).to_owned()).collect();
    known.sort();
    found.sort();
    let new: Vec<_> = found.iter().filter(|it| !known.contains(it)).collect();
    assert!(new.is_empty(), "{new:?}: make each a member of Thresholds, or say here why it is none");
    let gone: Vec<_> = known.iter().filter(|it| !found.contains(it)).collect();
    assert!(gone.is_empty(), "{gone:?} are no constants");
}

#[test]
fn every_thread_of_the_library_takes_the_thresholds_along() {
    let mut found = Vec::new();
    each(&root().join("src"), &mut |file, text| {
        // The program itself has those of the program.
        if !file.starts_with("cli/")
            && (text.contains("spawn_scoped(") || text.contains("thread::spawn(") || text.contains("scope.spawn("))
        {
            found.push(file);
        }
    });
    assert_eq!(found, ["field/work.rs"]);
}

#[test]
fn error_of_duplicate_names_does_not_depend_on_their_number() {
    static SMALLEST: Thresholds = Thresholds::SMALLEST;
    static LARGEST: Thresholds = Thresholds::LARGEST;
    let many: String = (0..40).map(|it| format!("\"m{it}\": 0, ")).collect();
    for text in
        [r#"{"zz": 1, "a": 2, "a": 3, "zz": 4}"#.to_owned(), format!(r#"{{{many}"m30": 1, "m9": 2, "m30": 3}}"#)]
    {
        let said = || {
            let indexed = JsonText::index(Bytes::copy_from_slice(text.as_bytes())).expect_err("is refused");
            (parse(text.as_bytes()).expect_err("is refused").to_string(), indexed.to_string())
        };
        let program = said();
        assert_eq!((SMALLEST.during(said), LARGEST.during(said)), (program.clone(), program));
    }
}
