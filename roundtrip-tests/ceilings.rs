//! Counters of the sources and of the work of commands, whose ceilings only fall.
//!
//! A counter above its ceiling fails, and a ceiling is only raised with a reason beside it. A counter below its ceiling fails too, so that
//! the ceiling falls with it; lines of code may be fewer by [`SLACK`].

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::harness;

/// The number of lines of code by which a directory may be below its ceiling.
const SLACK: usize = 300;

/// The methods, which the section "Silent defaults" of `.github/CONTRIBUTING.md` explains. Each use that remains is under its rule there:
///
/// * `saturating_add`, `saturating_mul`: a sum that is charged to memory, compared with a limit or reserves capacity; the end of a range that
///   `peek`, `room`, `window` or `get` refuses beyond the end.
/// * `saturating_sub`: none is meant if there is less: what remains, the index of the last item, the beginning of an excerpt.
/// * `saturating_` with another ending: a power that memory must hold, and the distance of two numbers.
/// * `unwrap_or_default`: an optional list or text that is empty if absent, the slice of a range just found, a number that only reading or
///   writing uses, writing to memory.
const SILENT: [&str; 5] = ["saturating_add", "saturating_mul", "saturating_sub", "saturating_", "unwrap_or_default"];

/// How often each directory or file of `src` calls the methods in [`SILENT`], in their order; the fourth counts the calls that none of the
/// first three counts. The last number is that of lines of code, rounded up, without comments, blank lines and tests.
#[rustfmt::skip]
const ROOMS: &[(&str, [usize; 6])] = &[
    // Text of scripts is written to memory. A list of a model as text that has no lines is empty, a line without a word has an empty one,
    // and the index of a line is its number less one. Raised for containers from loose files, trees of fields as JSON, spreadsheets, models
    // as text both ways, and rows of two tables; for the traits of methods of tapes, which only `field` can add without one; and for
    // values that name the form in which they are printed.
    // Raised for words of a text model that are named because they are skipped, and for default values of tables.
    // Raised for texts beyond the last one of a talk table.
    // Raised for floats that no float is near to, and for models that say whether their traps are signs of damage.
    // Raised for the line and column of what does not fit in the JSON of a resource.
    ("aurora", [9, 8, 22, 0, 95, 16844]),
    // Lines of files that silence warnings can be empty. The memory of files of an install that are packed or unpacked at once is a sum
    // that is compared with a limit. Raised for tar archives, values that are set in all files of a folder, one image, sound or text of a
    // file, encodings, merges, and drawings of all levels; and for backups, which stay as they were; and for values that name the form in
    // which they are printed, as in `edit`, `exchange`, `marathon` and `zipper`.
    // Raised for drawings that are written in pieces.
    // Raised for options before a path alone, and for verdicts that name what a copy lacks.
    // Raised for zips whose list is missing, and for files that differ and do not decode.
    // Raised for what shells of Windows do to arguments, and for projects of nasher without sources.
    // Raised for edits that are written before their changes are printed.
    // Raised for `/?`.
    ("cli", [6, 3, 6, 0, 24, 8310]),
    // A list without changes is empty. Raised for the editor, which was in `field`, places that lead through lists by name, values as
    // people type them, entries that change in the model or stay as they are, models that are changed in Rust, and edits that say
    // themselves what they have changed; and for lists that are looked at once for all places in them, and members of
    // large objects that are found by their names; and for renames that say themselves what they have changed.
    // Raised for changes that show the words in which texts differ.
    // Raised for words as new texts among other items, and for fields that a new one may have meant.
    // Raised for what records give themselves after a change in Rust.
    ("edit", [1, 2, 4, 0, 29, 5790]),
    // Raised for documents that name their schema when they are printed, raw entries that share the file, and the files of cut containers;
    // for documents that are recorded before the facts about their file are known, and media that several threads import; and for folders
    // that state the encoding of their texts; and for the proof that an unpacked file packs again, which the program and Python both had.
    // Raised for documents, whose fields other crates read one by one.
    // Raised for entries whose kind is not stated.
    // Raised for files that are named twice.
    ("exchange", [10, 8, 1, 0, 11, 3485]),
    // Raised for tables, by which the formats have 340 lines fewer, and for lists and texts with tails that are printed and loaded at once;
    // for words of ASCII, which are written and read in one pass; for encodings that are chosen; and for entries that stay as they are.
    // What reads JSON values and orders their members came from `json`, and what macros use from `lib.rs`; `payloads!` went to `kind`.
    // Raised for lists of a list that stay encoded: their memory is compared with a limit. What makes them came from `zipper`, with the
    // number of items that the exchange format has for the next of them.
    // Raised for the same.
    // Raised for the rows of a table among the items, which `wad` had.
    // Raised for items that are added to a table in another order, or removed from one.
    // Raised for a colon after a name, and for parts in order, which were written four times.
    ("field", [6, 10, 15, 1, 30, 7372]),
    // What users see of the crates below, name by name.
    ("faces.rs", [0, 0, 0, 0, 0, 80]),
    ("guide", [0, 0, 0, 0, 0, 100]),
    // Raised for certificates of installs of all families, for lists of every kind, for required files in whose place is something else,
    // and for facts that workers of the page exchange. Rows of installs and findings came from `cli`, for Python.
    // The installs of each family came from the families, with what they share.
    // Raised for links, by which alone a folder can be met twice.
    // Raised for places that hold one kind, groups of which one file is needed, lists that name themselves, files that two names claim or
    // that cannot be read, and wrong checksums: all that keeps a copy from being complete.
    ("install", [4, 1, 2, 0, 23, 3730]),
    // The index of the text of documents, the loader, and what reads values from text, which were in `field`. Raised for blanks and digits
    // that are scanned eight at a time, and for an index with one number for a value. Tests of `field` that load or recompute came here.
    // `recompute` came here: with the loader it is what drives tapes for JSON. Raised for all text of JSON, which was in `field`.
    // What refuses a part of another kind, and how deep values are nested, came from `field`.
    // Raised for texts in another encoding, which are told with their line.
    // Raised for numbers that no float is near to.
    // Raised for the same, and for the position of a value that does not fit.
    // Raised for records in an array in a record, each of which has its own offset.
    ("json", [0, 1, 13, 0, 26, 3854]),
    // Raised for `AnyModel: Lint`, by which a model of any type reports warnings, and for containers that are named with what to do; for
    // the entries of cut containers, and images that have a place on a sheet; and for the proof of a text, which five formats had; for
    // texts that build upon other files, and that are compiled to be drawn. `payloads!` came from `field`.
    // The spans of entries came from `passes`; the factors of memory went to `verify`.
    // Raised for drawings that are not written yet.
    ("kind", [0, 0, 0, 0, 0, 1100]),
    // Raised for `json` and `recompute`, which were in `field`; for six pages of the guide, and for `loose`. A page of the guide for each
    // game.
    ("lib.rs", [0, 0, 0, 0, 0, 100]),
    // Raised for watched values, which are found in a walk that others share, and for entries that an edit leaves as they are, which are not looked at.
    // Raised for signs of damage, which are looked for without all other traps.
    ("lint", [0, 0, 0, 0, 1, 560]),
    // Containers from loose files, and loose files from them. Raised for several containers in one: a tree without a type has an empty one,
    // and tables whose rows nothing names have none that followed. Raised for resources that cannot follow moved rows, which are named; for
    // containers that are written without a copy, fields in which a number is none, and what follows moved rows in mods too.
    // Scenarios of Marathon from folders came from `marathon`.
    // Raised for deviations of new containers.
    // Raised for conflicts of Git in texts, and for trees of fields with the extension of another one.
    ("loose", [0, 0, 0, 0, 5, 1285]),
    ("main.rs", [0, 0, 0, 0, 0, 16]),
    // Paths of installs can have no folder or ending, and a polygon without an outline has an empty ring. Raised for installs, rules of
    // whole levels, BinHex, patches of sounds, scenarios from levels, levels as pictures, physics in both forms, and a trait for polygons
    // of all games, of which a level can have none.
    // Raised for edited palettes and loops of sounds.
    ("marathon", [0, 7, 19, 0, 64, 13030]),
    // Raised for PNG files that are not compressed, sounds with other channels and bits, and CSV; and for new materials, merged vertices,
    // and encodings that CSV states, which is nothing if none is chosen.
    // Raised for `.glb` files that are written in pieces: at most three blanks align the text.
    // Raised for palettes that were edited, and for loops of WAV files.
    // Raised for lines with any line ends.
    // Raised for the line before a table that states its separator.
    ("media", [2, 1, 0, 0, 29, 4833]),
    // A merge without changes has an empty list. Raised for mods in memory and as archives, which the page makes and applies, rows that
    // several mods append to one table, what a mod says about itself, merges of two copies, games whose files a browser writes, and values of a mod that follow its rows.
    // Raised for merges of rows that both copies add and remove, and for mods that are called by their paths.
    // Raised for errors of the system, which Python knew by their texts.
    ("mods", [0, 0, 3, 0, 19, 4460]),
    // Files of any kind, opened in Rust.
    // Raised for why a file cannot be saved.
    ("opened", [0, 0, 0, 0, 1, 310]),
    // Raised for the question whether another program has a file open.
    ("output", [0, 0, 0, 0, 2, 404]),
    // Raised for runs of bytes and words, for the first CR of a file in text mode, for hashes that a browser computes, and for the strings
    // of a model, by which resources refer to each other; for the encoding that texts seem to have; and for a visitor that needs nothing,
    // which was in `edit`; and for the bytes of a value.
    ("passes", [3, 6, 4, 0, 7, 1730]),
    // Raised for the models of all kinds as one type, and for media, exports and imports, which formats named.
    ("registry.rs", [0, 0, 0, 0, 0, 150]),
    // Raised for images on pages of their own.
    // Raised for lists that certificates name.
    ("report", [2, 4, 11, 0, 4, 1485]),
    // Raised for files that are no texture settings, which have no warnings of them.
    // Files with known digests came from `zipper`.
    // Raised for threads that are woken only if they wait, and pass on the results of small files together.
    // Raised for results that say whether a file could be read.
    ("verify", [8, 2, 6, 0, 5, 1630]),
    // A text without a font tag has an empty one. Raised for images in cut files, known files that count only where they belong, messages
    // in spreadsheets, colors and new materials, nodes that animations are attached to, lists of soils, and the only install of a folder.
    // Raised for parts whose container says how to lay them out, which were methods of a tape.
    // Raised for messages that stay encoded until one is changed: any message of its length parses.
    // Raised for lists of text readers that are judged without finding each word.
    // Raised for opacities that two files state, and for archives that end within their table.
    ("zipper", [1, 2, 36, 0, 79, 17374]),
];

/// How often the last of some calls of the program builds and walks models. `IN` is `golden/install`.
const PASSES: &[(&str, &str, [usize; 2])] = &[
    ("verify", "verify IN/rc/maps/m1.zmap", [1, 1]),
    ("lint", "lint --allow map-points IN/rc/maps/m1.zmap", [1, 2]),
    ("unpack", "unpack IN/rc/maps/m1.zmap x", [4, 3]),
    ("pack", "unpack IN/rc/maps/m1.zmap x && pack x y.zmap", [3, 1]),
    ("patch of an integer", "patch IN/rc/maps/m1.zmap -o x.zmap --set /features/0/objective=7", [4, 4]),
    ("patch of a float", "patch IN/rc/zbd/m1/gamez.zbd -o x.zbd --set /nodes/slots/28/light/diffuse=0.25", [4, 4]),
    ("rename in an archive", "patch IN/pm/zbd/reader.zbd -o x.zbd --rename objectives.zrd=goals.zrd", [4, 7]),
];

/// The directories that are crates.
const CRATES: &[&str] =
    &["aurora", "exchange", "field", "json", "kind", "lint", "marathon", "media", "output", "passes", "zipper"];

/// The macros that are taken from the root of their crate.
const MACROS: [&str; 10] =
    ["at_to_build", "at_to_walk", "flags", "lay", "lint_as", "names", "no_traps", "packed", "record", "traps"];

/// Counts over all sources.
const SOURCES: &[(&str, usize)] = &[
    // Raised for the number of index lists, which a model needs before the node that has it is loaded.
    // Three that only tables called are public, since tests of `json` call them from another crate.
    // Raised for lists of a list that stay encoded, as are those of messages.
    // Raised for a look that takes no share of the file, for each line of a script.
    // Raised for sections whose numbers have a meaning, so that none is added to a stored order.
    ("methods of a tape in field", 105),
    ("methods of a tape in formats", 15),
    // Two are of models, which are read, loaded and written in three ways, one of events, which are read as bytes.
    ("questions of formats about the mode of a tape", 3),
    // `when_whole`, `when_asked`, `for_labels` and `judge_each` are counted too; they are 13, and take the place of as many questions.
    ("closures and values for some modes of a tape", 385),
    // Raised for `Places`, which a container needs whose table is among its items.
    ("public names of field", 61),
    // Raised for super models as text, which are compiled to number the nodes of a text that is compiled.
    ("files in the largest circle of aurora", 5),
    ("files in the largest circle of cli", 0),
    ("files in the largest circle of edit", 0),
    ("files in the largest circle of exchange", 0),
    ("files in the largest circle of field", 0),
    ("files in the largest circle of guide", 0),
    // The circle of an install of the Zipper games was in `zipper`, whose largest is another.
    ("files in the largest circle of install", 3),
    ("files in the largest circle of json", 0),
    ("files in the largest circle of kind", 0),
    ("files in the largest circle of lint", 0),
    ("files in the largest circle of loose", 0),
    ("files in the largest circle of marathon", 8),
    ("files in the largest circle of media", 0),
    ("files in the largest circle of mods", 3),
    ("files in the largest circle of opened", 0),
    ("files in the largest circle of output", 0),
    ("files in the largest circle of passes", 0),
    ("files in the largest circle of report", 0),
    ("files in the largest circle of tests", 0),
    ("files in the largest circle of verify", 0),
    ("files in the largest circle of zipper", 17),
];

/// The questions by which a format asks a tape what it is doing.
const QUESTIONS: &[&str] =
    &["judging", "reading", "loading", "computing", "sizing", "labelling", "building", "counting", "recomputes"];
/// The methods of a tape with a closure or value that only some of its modes use.
const SOME_MODES: &[&str] = &[
    "fact",
    "seen_fact",
    "rules",
    "rules_from_sizes",
    "fields_ruled",
    "read_or",
    "seen",
    "load",
    "build",
    "when_recomputing",
    "choose",
    "given",
    "read",
    "computed",
    "computed_by",
    "from_sizes",
    "recompute",
    "when_whole",
    "when_asked",
    "for_labels",
    "judge_each",
    "follow",
    "item_places",
    "find_arranged",
];
/// The directories with formats.
const FORMATS: [&str; 3] = ["aurora", "marathon", "zipper"];

/// The sources of the library, by their paths below `src`.
struct Sources(BTreeMap<String, String>);

impl Sources {
    fn read() -> Self {
        let mut sources = Self(BTreeMap::new());
        sources.add(&harness::root().join("src"), "");
        sources
    }

    fn add(&mut self, folder: &Path, path: &str) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let inner = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
            if entry.file_type().unwrap().is_dir() {
                self.add(&entry.path(), &inner);
            } else if name.ends_with(".rs") {
                self.0.insert(inner, fs::read_to_string(entry.path()).unwrap());
            }
        }
    }

    /// Returns the text of all sources in some directories, without tests.
    fn text<'a>(&'a self, rooms: &'a [&str]) -> impl Iterator<Item = &'a str> {
        let inside = |path: &str| rooms.iter().any(|room| room_of(path) == *room);
        self.0.iter().filter(move |(path, _)| inside(path) && !is_test(path)).map(|(_, text)| code(text))
    }

    /// Returns the distinct names of methods of tapes that a format can call, in sources for which `is_here` returns `true`.
    fn tape_methods(&self, is_here: impl Fn(&str) -> bool) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for (path, text) in &self.0 {
            if !is_here(path) || is_test(path) {
                continue;
            }
            let (mut is_inside, mut is_trait) = (false, false);
            for line in code(text).lines() {
                let trimmed = line.trim_start();
                if let Some(head) = trimmed.strip_prefix("impl").filter(|_| trimmed.ends_with('{')) {
                    is_inside = head.split(" for ").last().is_some_and(|of| of.contains("Tape<"));
                } else if trimmed.ends_with(": Direction {") {
                    // A trait by which a family adds methods to tapes.
                    (is_inside, is_trait) = (true, true);
                } else if line == "}" {
                    (is_inside, is_trait) = (false, false);
                }
                let (visible, name) = trimmed.split_once("fn ").unwrap_or_default();
                // What only the vocabulary itself calls is not public.
                let is_inner = room_of(path) == "field" && visible.starts_with("pub(");
                let is_declared = !name.is_empty() && (is_trait || visible.starts_with("pub") && !is_inner);
                let declared = Some(name).filter(|_| is_declared);
                names.extend(declared.filter(|_| is_inside).map(|it| it.split(['(', '<']).next().unwrap().to_owned()));
            }
        }
        names
    }

    /// Returns the files in the largest circle of imports of a directory.
    fn circle(&self, room: &str) -> Vec<&str> {
        let files: Vec<(&str, &str)> = self
            .0
            .iter()
            .filter(|(path, _)| room_of(path) == room && !is_test(path))
            .map(|(path, text)| (path.as_str(), code(text)))
            .collect();
        let modules = Modules::new(&files);
        let leads = files.iter().enumerate().map(|(index, (path, text))| {
            let paths = imports(&module_of(path), text);
            paths.iter().filter_map(|path| modules.target(path, 4).filter(|to| *to != index)).collect()
        });
        let leads: Vec<BTreeSet<usize>> = leads.collect();
        // Two files are in one circle if each is reached from the other. A file in none is not reached from itself.
        let reached: &Vec<BTreeSet<usize>> = &(0..files.len()).map(|from| reached(&leads, from)).collect();
        let circle = |from: usize| reached[from].iter().filter(move |to| reached[**to].contains(&from));
        let largest = (0..files.len()).max_by_key(|from| circle(*from).count());
        largest.into_iter().flat_map(circle).map(|index| files[*index].0).collect()
    }
}

/// Returns the directory or file of `src` that contains a source.
fn room_of(path: &str) -> &str {
    path.split_once('/').map_or(path, |(room, _)| room)
}

/// Returns `true` for a file that only has tests.
fn is_test(path: &str) -> bool {
    path.split('/').any(|part| part == "tests" || part == "tests.rs") || path == "mods/model.rs"
}

/// Returns a source without the tests at its end.
fn code(text: &str) -> &str {
    text.split_once("#[cfg(test)]\nmod tests {").map_or(text, |(code, _)| code)
}

/// Counts the lines of a source that have code.
fn lines(text: &str) -> usize {
    code(text).lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

/// Returns the path of the module in a file.
fn module_of(path: &str) -> String {
    let path = path.strip_suffix(".rs").unwrap();
    let path = path.strip_suffix("/mod").or_else(|| path.strip_suffix("/lib")).unwrap_or(path);
    path.replace('/', "::")
}

/// The modules of a directory, and what each of them names.
struct Modules {
    files: BTreeMap<String, usize>,
    /// The path of each name that a module takes from another.
    names: BTreeMap<(usize, String), String>,
}

impl Modules {
    fn new(files: &[(&str, &str)]) -> Self {
        let modules: BTreeMap<String, usize> =
            files.iter().enumerate().map(|(index, (path, _))| (module_of(path), index)).collect();
        let mut names = BTreeMap::new();
        for (path, text) in files {
            let module = module_of(path);
            for path in imports(&module, text) {
                let name = path.rsplit("::").next().unwrap_or_default().to_owned();
                names.insert((modules[&module], name), path);
            }
        }
        Self { files: modules, names }
    }

    /// Returns the file that a path leads to: that of the deepest module in it, or of where that module takes the next name from.
    fn target(&self, path: &str, depth: usize) -> Option<usize> {
        let mut module = path;
        let index = loop {
            if let Some(index) = self.files.get(module) {
                break *index;
            }
            module = module.rsplit_once("::")?.0;
        };
        let name = path[module.len()..].trim_start_matches("::").split("::").next().unwrap_or_default();
        match self.names.get(&(index, name.to_owned())).filter(|from| *from != path && depth > 0) {
            Some(from) => self.target(from, depth - 1),
            None => Some(index),
        }
    }
}

/// Returns the files that can be reached from a file in one step or more.
fn reached(leads: &[BTreeSet<usize>], from: usize) -> BTreeSet<usize> {
    let (mut found, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(at) = next.pop() {
        next.extend(leads[at].iter().filter(|to| found.insert(**to)));
    }
    found
}

/// Returns the paths that a module imports or names, from the root of the library on.
fn imports(module: &str, text: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let starts = text.match_indices("crate::").chain(text.match_indices("super::")).map(|(at, _)| at);
    for at in starts {
        // `use crate::record` takes a macro from the root, not a module; `$crate::macros` is for the expansions of a macro.
        let rest = text[at..].strip_prefix("crate::").unwrap_or_default();
        if MACROS.iter().any(|name| rest.strip_prefix(name).is_some_and(|rest| rest.starts_with([';', '!', ' '])))
            || text[..at].ends_with('$') && rest.starts_with("macros::")
        {
            continue;
        }
        let before = text[..at].chars().next_back();
        // `super::super::` begins once, and `pub(in crate::field)` imports nothing.
        if before.is_some_and(|it| it == ':' || it.is_alphanumeric() || it == '_')
            || text[..at].ends_with("pub(in ")
            || text[..at].lines().last().is_some_and(|it| it.contains("//"))
        {
            continue;
        }
        let mut rest = &text[at..];
        let mut base = if let Some(inner) = rest.strip_prefix("crate::") {
            rest = inner;
            let room = module.split("::").next().unwrap_or_default();
            if CRATES.contains(&room) { room.to_owned() } else { String::new() }
        } else {
            module.to_owned()
        };
        while let Some(inner) = rest.strip_prefix("super::") {
            rest = inner;
            base = base.rsplit_once("::").map_or_else(String::new, |(outer, _)| outer.to_owned());
        }
        spread(&base, rest, &mut paths);
    }
    // `pub use inner::Type;` names a module inside this one, or a crate, which leads to no other module.
    for (at, _) in text.match_indices("use ") {
        let (before, path) = (text[..at].rsplit('\n').next().unwrap_or_default(), &text[at + "use ".len()..]);
        let is_inner = ["", "pub", "pub(crate)", "pub(super)"].contains(&before.trim());
        if is_inner && !["crate::", "super::", "core::", "std::"].iter().any(|root| path.starts_with(root)) {
            spread(module, path, &mut paths);
        }
    }
    paths
}

/// Adds the paths at the beginning of a text: one, or all those in braces.
fn spread(base: &str, text: &str, paths: &mut Vec<String>) {
    let joined = |name: &str| if base.is_empty() { name.to_owned() } else { format!("{base}::{name}") };
    if let Some(inner) = text.strip_prefix('{') {
        let (mut depth, mut begin) = (0_usize, 0);
        for (at, it) in inner.char_indices() {
            match it {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' | '}' if depth == 0 => {
                    spread(base, inner[begin..at].trim(), paths);
                    begin = at + 1;
                    if it == '}' {
                        return;
                    }
                }
                _ => {}
            }
        }
        return;
    }
    let end = text.find(|it: char| !it.is_alphanumeric() && it != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    match rest.strip_prefix("::") {
        Some(rest) => spread(&joined(name), rest, paths),
        None if name == "self" || name.is_empty() => paths.push(base.to_owned()),
        None => paths.push(joined(name)),
    }
}

/// Says what is above its ceiling, and what is below it.
#[derive(Default)]
struct Verdict {
    above: Vec<String>,
    below: Vec<String>,
}

impl Verdict {
    fn compare(&mut self, what: &str, now: usize, most: usize, slack: usize) {
        let said = format!("{what}: {now}, the ceiling is {most}");
        match now {
            _ if now > most => self.above.push(said),
            _ if now + slack < most => self.below.push(said),
            _ => {}
        }
    }

    fn end(self, rows: &str) {
        assert!(self.above.is_empty(), "above its ceiling:\n{}\n{rows}", self.above.join("\n"));
        assert!(self.below.is_empty(), "lower the ceiling:\n{}\n{rows}", self.below.join("\n"));
    }
}

#[test]
fn rooms_only_become_smaller() {
    let mut found = BTreeMap::<String, [usize; 6]>::new();
    for (path, text) in &Sources::read().0 {
        let counts = found.entry(room_of(path).to_owned()).or_default();
        let [add, mul, sub, all, missing] = SILENT.map(|method| text.matches(method).count());
        let length = if is_test(path) { 0 } else { lines(text) };
        for (count, more) in counts.iter_mut().zip([add, mul, sub, all - add - mul - sub, missing, length]) {
            *count += more;
        }
    }
    let ceilings: BTreeMap<String, _> = ROOMS.iter().map(|(room, most)| ((*room).to_owned(), *most)).collect();
    let mut verdict = Verdict::default();
    for room in found.keys().chain(ceilings.keys()).collect::<BTreeSet<_>>() {
        let [now, most] = [&found, &ceilings].map(|counts| counts.get(room).copied().unwrap_or_default());
        for (index, name) in SILENT.into_iter().chain(["lines of code"]).enumerate() {
            let slack = if index == SILENT.len() { SLACK } else { 0 };
            verdict.compare(&format!("src/{room}: {name}"), now[index], most[index], slack);
        }
    }
    let rows: String = found.iter().map(|(room, counts)| format!("    (\"{room}\", {counts:?}),\n")).collect();
    verdict.end(&rows);
}

/// Returns the counts over all sources.
fn counts() -> Vec<(String, usize)> {
    let sources = Sources::read();
    let in_formats = |names: &[&str], opens: &str| {
        let calls =
            |text: &str| names.iter().map(|name| text.matches(&format!(".{name}{opens}")).count()).sum::<usize>();
        sources.text(&FORMATS).map(calls).sum()
    };
    let in_field = |path: &str| room_of(path) == "field";
    let interface = fs::read_to_string(harness::root().join("golden/interface/bitexact.txt")).unwrap();
    let mut counts = vec![
        ("methods of a tape in field".to_owned(), sources.tape_methods(in_field).len()),
        (
            "methods of a tape in formats".to_owned(),
            sources.tape_methods(|path| FORMATS.contains(&room_of(path))).len(),
        ),
        ("questions of formats about the mode of a tape".to_owned(), in_formats(QUESTIONS, "()")),
        ("closures and values for some modes of a tape".to_owned(), in_formats(SOME_MODES, "(")),
        (
            "public names of field".to_owned(),
            interface.lines().filter(|line| line.starts_with("pub use bitexact::field::")).count(),
        ),
    ];
    let rooms: BTreeSet<&str> = sources.0.keys().filter(|path| path.contains('/')).map(|path| room_of(path)).collect();
    for room in rooms {
        let circle = sources.circle(room);
        eprintln!("{room}: {}", circle.join(", "));
        counts.push((format!("files in the largest circle of {room}"), circle.len()));
    }
    counts
}

#[test]
fn sources_only_become_simpler() {
    let ceilings: BTreeMap<&str, usize> = SOURCES.iter().copied().collect();
    let mut verdict = Verdict::default();
    let counts = counts();
    for (what, now) in &counts {
        verdict.compare(what, *now, ceilings.get(what.as_str()).copied().unwrap_or(0), 0);
    }
    assert!(
        SOURCES.iter().all(|(what, _)| counts.iter().any(|(other, _)| other == what)),
        "a counter has another name"
    );
    verdict.end(&counts.iter().map(|(what, now)| format!("    (\"{what}\", {now}),\n")).collect::<String>());
}

#[test]
fn commands_only_take_fewer_passes() {
    if cfg!(not(debug_assertions)) {
        return eprintln!("skipped: the program counts its passes only in a build with debug assertions");
    }
    let folder = tempfile::tempdir().unwrap();
    let counted = folder.path().join("passes");
    let mut verdict = Verdict::default();
    let mut rows = String::new();
    for (name, calls, most) in PASSES {
        let folder = folder.path().join(name.replace(' ', "-"));
        fs::create_dir(&folder).unwrap();
        for call in calls.split(" && ") {
            let call = call.split(' ').map(|it| match it.strip_prefix("IN/") {
                Some(file) => harness::golden_install().join(file).into_os_string(),
                None => it.into(),
            });
            let mut program = Command::new(env!("CARGO_BIN_EXE_bitexact"));
            program.args(call).env("BITEXACT_TEST_PASSES", &counted).current_dir(&folder);
            let output = program.output().unwrap();
            assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        }
        let passes = fs::read_to_string(&counted).unwrap();
        let passes: Vec<usize> = passes.split(' ').map(|it| it.parse().unwrap()).collect();
        for ((now, most), what) in passes.iter().zip(most).zip(["models built", "models walked"]) {
            verdict.compare(&format!("{name}: {what}"), *now, *most, 0);
        }
        rows += &format!("    ({name:?}, {calls:?}, {passes:?}),\n");
    }
    verdict.end(&rows);
}

/// A counter that is blind would never rise.
#[test]
fn counters_see_what_they_count() {
    let files = [
        ("field/lib.rs", "mod a;\nmod b;\npub use a::A;\n"),
        (
            "field/a.rs",
            "use super::{b::{self, B}, c};\nimpl Tape<'_> {\n    pub fn one(&self) {}\n    pub(crate) fn inner(&self) {}\n    fn own(&self) {}\n}\n",
        ),
        ("field/b.rs", "// use super::c::C;\npub(in crate::c) fn b() { crate::a::a(); x.saturating_add(1) }\n"),
        (
            "field/c.rs",
            "use zipper::Z;\n\n/// C.\npub(super) trait C: Direction {\n    fn two<T>(&self);\n}\n#[cfg(test)]\nmod tests {\n    use super::super::a;\n}\n",
        ),
    ];
    let sources = Sources(files.map(|(path, text)| (path.to_owned(), text.to_owned())).into());
    assert_eq!(sources.circle("field"), ["field/a.rs", "field/b.rs"]);
    assert_eq!(sources.tape_methods(|_| true).into_iter().collect::<Vec<_>>(), ["one", "two"]);
    assert_eq!(files.map(|(_, text)| lines(text)), [3, 6, 1, 4]);
    assert_eq!(imports("field::a", files[1].1), ["field::b", "field::b::B", "field::c"]);
    let are_crates = |room: &&str| harness::root().join("src").join(room).join("Cargo.toml").is_file();
    let rooms: BTreeSet<&str> = ROOMS.iter().map(|(room, _)| *room).collect();
    assert_eq!(rooms.into_iter().filter(are_crates).collect::<Vec<_>>(), CRATES);
    let mut verdict = Verdict::default();
    [(1, 0), (2, 2), (3, 4)].into_iter().for_each(|(now, most)| verdict.compare("it", now, most, 0));
    assert_eq!((verdict.above.len(), verdict.below.len()), (1, 1));
}
