//! The statements that no check covers, each with the reason.

use std::fs;

use crate::harness;

/// A document, the words of a statement in it, and why it is not checked.
type Left = (&'static str, &'static str, &'static str);

const CS: &str = "vectors-cs.md";
const OTHERS: &str = "vectors-rc-mw-pm.md";

const LEFT: &[Left] = &[
    (
        CS,
        "Names: 3,872 with extension, 95 filling the field, 18 without",
        "overlapping counts of one field; the extensions are checked",
    ),
    (CS, "bit 3 set in 0 of 10,000 slots", "nine files have 9,000; that none has bit 3 is checked"),
    (
        CS,
        "event 4: `drop_fog`, color 0.69 x 3",
        "the event, its name and altitudes are checked; other events have fields of these names",
    ),
    (CS, "last word run_time", "a layout, which the laws check for every event"),
    (
        CS,
        "Level images `_1`, `_2`: 542 in all",
        "other names can end like this; lint compares the sizes of every image with its levels",
    ),
    (CS, "170 of 173 match the size of the texture of the same name", "the document does not say of which package"),
    (CS, "MPG frames", "films are not decoded; that they exist is checked"),
    (CS, "11 + 8 + 8 + 8 + 8 + 53 + 2", "the document does not name the groups"),
    (CS, "RT_STRING blocks of others", "programs and libraries of others, not data of the game"),
    (CS, "`Mission.102`: 143 entries", "the saves of one player, which other installs do not have"),
    (OTHERS, "403 of them read by no code", "about the program"),
    (OTHERS, "281 as counted by a tool, perhaps one too many (then 280)", "the source itself doubts the number"),
    (OTHERS, "185 files by scripts, 303 more inside models", "the models are not in the install"),
    (OTHERS, "largest group of cached nodes", "a list of the engine, made while it loads"),
    (OTHERS, "free after loading", "about the memory of the engine"),
    (OTHERS, "look-ups of repeated node names", "about the engine"),
    (OTHERS, "77 scripts", "the document does not say if they are counted once or for each file"),
    (OTHERS, "shortest 0.04 s", "the number and length of frames are checked; times are judged by lint"),
    (OTHERS, "470 nets, 3,717 nodes, 6,240 links", "values of readers; their meaning is not in the format specs"),
    (OTHERS, "1,838 entries; m1: 80 / 84 / 87", "values of readers"),
    (OTHERS, "m1 64; m2 56 / 53 / 56", "values of readers"),
    (OTHERS, "| turrets | 130 |", "values of readers"),
    (OTHERS, "reader definitions older than what was compiled", "compares two files without a rule"),
    (OTHERS, "455,526 polygon corners; about 35,000 polygons", "about one file that is not named, and rounded"),
    (OTHERS, "1,510 definitions with valves; 456 transform streams", "the document does not say of which files"),
    (OTHERS, "version 106; 3,741 rows with attributes", "values of readers"),
    (OTHERS, "model inline exactly when +60 is not 0", "a layout, which the laws check"),
    (OTHERS, "0x00050707", "a value of the registry of Windows"),
];

/// The list names nothing that the documents do not state.
#[test]
fn statements_that_are_not_checked_are_in_the_documents() {
    let folder = harness::root().join("src/guide/formats");
    for (document, words, reason) in LEFT {
        let text = fs::read_to_string(folder.join(document)).expect(document);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(words) && !reason.is_empty(), "{document} does not state {words:?}");
    }
}
