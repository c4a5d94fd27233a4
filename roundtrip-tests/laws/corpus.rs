//! The laws over a folder of any files: each is read when its turn comes, on all processors, and a summary is printed at the end.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use bitexact::field::limits;
use bitexact::install::{self, Found};
use bitexact::kind::foreign;
use bitexact::registry::{KINDS, recognize};
use libtest_mimic::{Arguments, Failed};

use crate::Law;
use crate::harness::Case;

/// How often the number of files is reported.
const REPORT: Duration = Duration::from_secs(10);

/// The results for the files of one kind.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// The files of the kind, refused ones included.
    pub(crate) files: usize,
    /// The laws that were checked, over all files.
    pub(crate) laws: usize,
    /// The files for which at least one law failed.
    pub(crate) failed: usize,
    /// The files that do not decode.
    pub(crate) refused: usize,
}

/// The results for a folder.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    /// Supported files, by kind.
    pub(crate) kinds: BTreeMap<&'static str, Tally>,
    /// Files of other programs, by kind.
    pub(crate) foreign: BTreeMap<&'static str, usize>,
    /// Files of no known kind, by extension.
    pub(crate) unrecognized: BTreeMap<String, usize>,
    /// Refused files by kind and reason, in which numbers are `#`: their number, and the first path with its own reason.
    pub(crate) refused: BTreeMap<(&'static str, String), (usize, String)>,
    /// The failures: path, law and reason.
    pub(crate) failures: Vec<String>,
}

/// The result for one file.
enum Outcome {
    Foreign(&'static str),
    Unrecognized,
    Refused(&'static str, String),
    /// The kind, the number of laws, and the failed ones with their reasons.
    Checked(&'static str, usize, Vec<String>),
    /// The file cannot be read, or recognizing it panics.
    Failed(String),
}

/// Checks laws over all files of a folder and prints the summary. Returns `true` if no law failed.
///
/// The filter of the command line selects laws and paths as it selects tests: `census: corpus/area/a.git` is the name of a check.
pub(crate) fn run(folder: &Path, args: &Arguments, laws: &[(&'static str, Law)]) -> bool {
    let started = Instant::now();
    let threads = args.test_threads.unwrap_or(1).max(1);
    let summary = summary(folder, threads, laws, &|check| is_selected(args, check));
    let mut out = std::io::stdout().lock();
    // A closed pipe is no failure of a law.
    let _ = write!(out, "{}", summary.text());
    let _ = writeln!(out, "{} files in {:.1} s", summary.files(), started.elapsed().as_secs_f64());
    summary.failures.is_empty()
}

/// Returns `true` if the filters of the command line select a check.
fn is_selected(args: &Arguments, check: &str) -> bool {
    let matches = |filter: &String| if args.exact { check == filter } else { check.contains(filter.as_str()) };
    args.filter.as_ref().is_none_or(matches) && !args.skip.iter().any(matches)
}

/// Checks the selected laws over all files of a folder.
pub(crate) fn summary(
    folder: &Path,
    threads: usize,
    laws: &[(&'static str, Law)],
    is_selected: &(dyn Fn(&str) -> bool + Sync),
) -> Summary {
    let files = install::walk(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let (files, summary) = (Mutex::new(files), Mutex::new(Summary::default()));
    let reported = Mutex::new(Instant::now());
    // The message of a panic is part of its failure, so that it need not be printed in between.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|panic| PANIC.with_borrow_mut(|last| *last = Some(panic.to_string().replace('\n', " ")))));
    std::thread::scope(|scope| {
        let work = || {
            loop {
                let Some(file) = files.lock().unwrap().next() else { return };
                let relative = file.path.strip_prefix(folder).unwrap_or(&file.path).to_owned();
                let path = Found::new(relative, Ok(0)).shown();
                let outcome = outcome(&file, &path, laws, is_selected);
                let mut summary = summary.lock().unwrap();
                summary.add(&path, outcome);
                let mut reported = reported.lock().unwrap();
                if reported.elapsed() >= REPORT {
                    *reported = Instant::now();
                    eprintln!("{} files, {} failures", summary.files(), summary.failures.len());
                }
            }
        };
        for _ in 0..threads {
            let thread = std::thread::Builder::new().stack_size(limits::STACK).spawn_scoped(scope, work);
            thread.expect("a thread starts");
        }
    });
    panic::set_hook(hook);
    let mut summary = summary.into_inner().unwrap();
    summary.failures.sort();
    summary
}

thread_local! {
    /// The message of the last panic, with its place in the sources.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Returns the result of a call, or the message of its panic.
fn caught<T>(call: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|_| PANIC.take().unwrap_or_else(|| "panic".to_owned()))
}

fn outcome(
    file: &Found,
    path: &str,
    laws: &[(&'static str, Law)],
    is_selected: &(dyn Fn(&str) -> bool + Sync),
) -> Outcome {
    let bytes = match file.read() {
        Ok(bytes) => bytes,
        Err(why) => return Outcome::Failed(format!("it cannot be read: {why}")),
    };
    let kind = match caught(|| recognize(KINDS, &file.name(), &bytes)) {
        Ok(Some((kind, _))) => kind,
        Ok(None) => return foreign::recognize(&file.name(), &bytes).map_or(Outcome::Unrecognized, Outcome::Foreign),
        Err(panic) => return Outcome::Failed(format!("recognition: {panic}")),
    };
    let case = Case { name: format!("corpus/{path}"), kind, bytes, is_large: true };
    match caught(|| (kind.decode)(case.bytes.clone().into()).map(drop)) {
        Ok(Ok(())) => {}
        Ok(Err(why)) => return Outcome::Refused(kind.name, why.to_string()),
        Err(panic) => return Outcome::Checked(kind.name, 0, vec![format!("decode: {panic}")]),
    }
    let selected: Vec<_> = laws.iter().filter(|(law, _)| is_selected(&format!("{law}: {}", case.name))).collect();
    let failed = selected.iter().filter_map(|(law, check)| {
        let why = match caught(|| check(&case)) {
            Ok(Ok(())) => return None,
            Ok(Err(failed)) => said(&failed),
            Err(panic) => panic,
        };
        Some(format!("{law}: {why}"))
    });
    Outcome::Checked(kind.name, selected.len(), failed.collect())
}

/// Returns the reason of a failure.
fn said(failed: &Failed) -> String {
    failed.message().unwrap_or("no reason").replace('\n', " ")
}

impl Summary {
    /// Returns the number of files.
    pub(crate) fn files(&self) -> usize {
        let supported: usize = self.kinds.values().map(|tally| tally.files).sum();
        supported + self.foreign.values().chain(self.unrecognized.values()).sum::<usize>()
    }

    fn add(&mut self, path: &str, outcome: Outcome) {
        match outcome {
            Outcome::Foreign(kind) => *self.foreign.entry(kind).or_default() += 1,
            Outcome::Unrecognized => *self.unrecognized.entry(extension(path)).or_default() += 1,
            Outcome::Failed(why) => {
                *self.unrecognized.entry(extension(path)).or_default() += 1;
                self.failures.push(format!("{path}: {why}"));
            }
            Outcome::Refused(kind, why) => {
                let tally = self.kinds.entry(kind).or_default();
                (tally.files, tally.refused) = (tally.files + 1, tally.refused + 1);
                let first = self.refused.entry((kind, sort(&why))).or_insert_with(|| (0, format!("{path}: {why}")));
                first.0 += 1;
            }
            Outcome::Checked(kind, laws, failed) => {
                let tally = self.kinds.entry(kind).or_default();
                (tally.files, tally.laws) = (tally.files + 1, tally.laws + laws);
                tally.failed += usize::from(!failed.is_empty());
                self.failures.extend(failed.into_iter().map(|why| format!("{path}: {why}")));
            }
        }
    }

    /// Returns the summary for people.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{:<14} {:>8} {:>8} {:>8} {:>8}\n", "kind", "files", "laws", "failed", "refused");
        for (kind, tally) in &self.kinds {
            let Tally { files, laws, failed, refused } = tally;
            let _ = writeln!(text, "{kind:<14} {files:>8} {laws:>8} {failed:>8} {refused:>8}");
        }
        for (word, counts) in [
            ("foreign", self.foreign.iter().map(|(kind, count)| format!("{count} {kind}")).collect::<Vec<_>>()),
            ("unrecognized", self.unrecognized.iter().map(|(end, count)| format!("{count} {end}")).collect()),
        ] {
            if !counts.is_empty() {
                let _ = writeln!(text, "{word}: {}", counts.join(", "));
            }
        }
        if !self.refused.is_empty() {
            text += "refused, by reason:\n";
            for ((kind, _), (count, first)) in &self.refused {
                let _ = writeln!(text, "  {count} {kind}, first {first}");
            }
        }
        if self.failures.is_empty() {
            return text + "no law failed\n";
        }
        let _ = writeln!(text, "{} failures:", self.failures.len());
        for failure in &self.failures {
            let _ = writeln!(text, "  {failure}");
        }
        text
    }
}

/// Returns the extension of a path, with its dot and in lower case.
fn extension(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').map_or("without extension".to_owned(), |(_, end)| format!(".{}", end.to_lowercase()))
}

/// Returns a reason without its numbers, which differ from file to file.
fn sort(why: &str) -> String {
    let mut sort = String::new();
    for part in why.split_inclusive(|it: char| !it.is_ascii_alphanumeric()) {
        let word = part.trim_end_matches(|it: char| !it.is_ascii_alphanumeric());
        match word.starts_with(|it: char| it.is_ascii_digit()) {
            true => sort += &part.replacen(word, "#", 1),
            false => sort += part,
        }
    }
    sort
}

/// Every file is counted once: with its kind, as foreign or unrecognized, refused with its reason, or failed with its path.
pub(crate) fn every_file_is_counted() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let map = crate::harness::sample("m1.zmap");
    for (path, bytes) in [
        ("deep/er/m1.zmap", &map[..]),
        ("m2.zmap", &map),
        ("cut.zmap", &map[..map.len() - 5]),
        ("more_cut.zmap", &map[..map.len() - 9]),
        ("font.ttf", b"\0\x01\0\0"),
        ("readme.TXT", b"hello"),
        ("noise", &[7; 40]),
    ] {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(folder.path()))?;
        std::fs::write(path, bytes)?;
    }
    let panics: Law = |case| if case.name.ends_with("m2.zmap") { panic!("not this one") } else { Ok(()) };
    let laws: &[(&'static str, Law)] = &[("identity", crate::identity), ("panics", panics)];
    for threads in [1, 3] {
        let found = summary(folder.path(), threads, laws, &|_| true);
        assert_eq!(found.kinds["zmap"], Tally { files: 4, laws: 4, failed: 1, refused: 2 });
        assert_eq!(found.foreign, [("plain-text", 1), ("truetype-font", 1)].into());
        assert_eq!(found.unrecognized, [("without extension".to_owned(), 1)].into());
        assert_eq!(found.files(), 7);
        let [failure] = &found.failures[..] else { return Err(format!("{:?}", found.failures).into()) };
        assert!(failure.starts_with("m2.zmap: panics: ") && failure.ends_with("not this one"), "{failure}");
        let text = found.text();
        assert!(text.contains("zmap                  4        4        1        2\n"), "{text}");
        assert!(
            text.contains(" zmap, first cut.zmap: 0x") || text.contains(" zmap, first more_cut.zmap: 0x"),
            "{text}"
        );
        assert!(text.contains("1 failures:\n  m2.zmap: panics: "), "{text}");
    }
    let selected = summary(folder.path(), 2, laws, &|check| check == "identity: corpus/deep/er/m1.zmap");
    assert_eq!((selected.kinds["zmap"].laws, selected.failures.len()), (1, 0));
    Ok(())
}
