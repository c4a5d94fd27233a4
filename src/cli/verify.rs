//! `bitexact verify`: decodes, encodes and compares every file below some paths.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use anyhow::Context as _;
use bitexact::field::wide;
use bitexact::install::Found;
use bitexact::install::certificate::{Certificate, Facts, Inventory};
use bitexact::install::known::KnownList;
use bitexact::install::snapshot::Finding;
use bitexact::kind::{Drawing, foreign};
use bitexact::lint::{Scope, Warning};
use bitexact::output::printable::counted;
use bitexact::passes::Followed;
use bitexact::report::{About, how_moved, why_lacking, why_unfound};
use bitexact::verify::{Counted, EntryRow, Failure, Report, Row, Status, Summary, VerifyOptions};
use json::Compact;

use super::against::{self, Against};
use super::examples;
use super::inside::Archive;
use super::installs;
use super::out::{Out, with_advice};
use super::report::{self, Reports};
use super::rows::{Around, Rows};
use super::summary::Totals;
use super::work::{Job, Jobs, Litter, found};
use super::{Code, GameName, native};

/// Prove that every file round-trips bit for bit (decode, encode, compare)
#[derive(clap::Args)]
#[command(after_help = examples::VERIFY)]
pub(crate) struct Args {
    /// Files and folders, or - for stdin
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// Print one JSON object per file, then a summary
    #[arg(long)]
    json: bool,
    /// Also list the entries of containers
    #[arg(long)]
    entries: bool,
    /// Count the values that match each computed rule, and those that do not
    #[arg(long)]
    rules: bool,
    /// Exit with 1 if a file is unexpected, damaged, known to differ or missing, an entry does not decode, a checksum does not fit, or a game is
    /// not identified
    #[arg(long)]
    strict: bool,
    /// Route the round trip through another format too
    #[arg(long, alias = "through", value_name = "FORMAT", value_enum)]
    via: Option<Via>,
    /// Report this game for files that could belong to several
    #[arg(long, value_name = "GAME", value_enum)]
    game: Option<GameName>,
    /// Report files that differ from FILE, a snapshot or `sha256sum` list of PATH
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Also compare with the files of FILE: a list with SHA-256, SHA-1, MD5 or CRC-32, a DAT file, or `snapshot --known`
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    #[command(flatten)]
    reports: report::Targets,
    #[command(flatten)]
    jobs: Jobs,
}

/// A format through which the round trip can go.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Via {
    /// The files that `unpack` writes and `pack` reads
    Exchange,
    /// The models that `export` writes and `import` reads; other files take the usual way
    Gltf,
}

pub(crate) fn run(args: &Args, out: &mut Out) -> anyhow::Result<()> {
    let mut against = args.against.as_deref().map(|file| Against::read(file, &args.paths)).transpose()?;
    let known = args.known.as_deref().map(known_list).transpose()?;
    let mut reports = args.reports.begin(args.strict)?;
    let litter = Litter::default();
    let found = found(&args.paths, &litter, out);
    let mut seen = HashSet::new();
    let lists = [&args.against, &args.known];
    let is_list = move |file: &Found| {
        lists.iter().filter_map(|list| list.as_deref()).any(|list| super::is_same(&file.path, list))
    };
    let is_wanted = move |file: &Found| seen.insert(file.path.clone()) && !args.reports.is(file) && !is_list(file);
    let found = found.filter(is_wanted);

    let mut totals = Totals::default();
    totals.list = known.as_ref().map(|list| list.origin().name.clone());
    let mut open: Vec<(PathBuf, Counted)> = Vec::new();
    let mut beyond: Vec<PathBuf> = Vec::new();
    let how = VerifyOptions::default()
        .entries(args.entries)
        .counts(against.is_some())
        .rules(args.rules || out.verbose && !args.json)
        .strip(args.reports.has_html())
        .via_exchange(args.via == Some(Via::Exchange))
        .via_gltf(args.via == Some(Via::Gltf))
        .spread(args.jobs.threads() > 1);
    // Installs are searched for below the named folders, not around them.
    let folders = args.paths.iter().filter(|path| path.is_dir() || Archive::of(path).is_some());
    let mut inventories: Vec<Inventory> = folders.map(|folder| Inventory::new(folder)).collect();
    let mut rows = Rows::new(!inventories.is_empty());
    let other_digest = against.as_ref().and_then(Against::other_digest);
    let work = |mut job: Job<'_>| match job.candidate(how) {
        Ok(candidate) => {
            let bytes = candidate.file().clone();
            let name = job.file.shown();
            let mut report = candidate.verify(how);
            if let Some(Failure::Decode(_)) = report.failure
                && installs::is_in_demo(&job.file.path)
            {
                (report.status, report.kind, report.failure) = (Status::Unknown, None, None);
                report.damage.clear();
            }
            let excerpt = report::excerpt(&report, &bytes);
            let facts = Facts::of(&name, &bytes, &report, known.as_ref());
            facts.note(&mut report);
            let digest = other_digest.map(|kind| kind.of(&bytes, None));
            let sheet = args.reports.sheet(&report, &bytes);
            (report, (facts, digest), (excerpt, sheet))
        }
        Err(why) => (Report::unreadable(with_advice(why)), Default::default(), Default::default()),
    };
    let hold = |(report, _, (_, sheet)): &(Report, _, (_, Option<Drawing>))| {
        report.memory().saturating_add(wide(sheet.as_ref().map_or(0, |sheet| sheet.file.len())))
    };
    let interrupted = args.jobs.each(
        found,
        !args.json,
        out,
        hold,
        work,
        |out, file, (mut report, (facts, digest), (excerpt, sheet))| {
            inventories.iter_mut().for_each(|it| it.see(&file.path, &facts, &report));
            let finding = against.as_mut().and_then(|against| against.compare(file, &report, digest.as_deref()));
            if let Some(GameName(game)) = args.game
                && report.games.contains(&game)
            {
                report.games = vec![game];
            }
            // Whether the game has a file that bitexact does not read is known only at the end.
            let is_open = args.strict && report.is_beyond();
            out.comes_to(code_of(&report, args.strict && !is_open));
            if is_open {
                beyond.push(file.path.clone());
            }
            match args.json {
                true => print_json(args, &mut rows, out, &file.shown(), &report),
                // That a named path does not exist is already said.
                false if is_missing(args, file, &report) => {}
                false => print(args, out, &native(&file.shown()), &report),
            }
            totals.see(&report);
            let counted = Counted::of(&report);
            // The install around a file of several games may tell whose it is, but is known only at the end.
            match counted.games.len() {
                2.. => open.push((file.path.clone(), counted)),
                _ => count(&counted, &mut totals, &mut reports),
            }
            reports.file(&file.shown(), &report, excerpt);
            sheet.into_iter().for_each(|sheet| reports.sheet(&file.shown(), sheet));
            finding.iter().for_each(|it| tell(it, args, &mut totals.summary, &mut reports, (&mut rows, &mut *out)));
            out.flush();
        },
    )?;

    litter.say(out);
    totals.summary.interrupted = interrupted;
    if interrupted {
        out.comes_to(Code::Interrupted);
    }
    if out.is_closed() {
        return unseen(out);
    }
    if let (Some(against), false) = (against, interrupted) {
        let findings = against.finish(out);
        findings.iter().for_each(|it| tell(it, args, &mut totals.summary, &mut reports, (&mut rows, &mut *out)));
    }
    let mut installs: Vec<Certificate> = Vec::new();
    let mut places: HashMap<PathBuf, Around> = HashMap::new();
    for inventory in inventories.iter().filter(|_| !interrupted) {
        for install in inventory.certificates(known.as_ref()) {
            let root = PathBuf::from(&install.root);
            let unexpected: HashSet<&str> = install.unexpected.iter().map(String::as_str).collect();
            places.extend(install.files.iter().map(|file| {
                let game = install.game.filter(|_| !unexpected.contains(&*file.path));
                let around = Around { root: install.root.clone(), edition: install.edition.clone(), game };
                (root.join(&file.path), around)
            }));
            reports.install(&install);
            if args.strict {
                strictly(args, &install, &mut reports, out);
                beyond.retain(|path| !is_expected(&install, path, &mut reports));
            }
            installs.push(install);
        }
        if let Some(game) = inventory.is_too_deep() {
            let (folder, title) = (inventory.folder().display(), game.title());
            out.say(format_args!(
                "hint: {folder} looks one level too deep: give the folder of {title} that contains it"
            ));
        }
    }
    if !beyond.is_empty() {
        out.comes_to(Code::Finding);
    }
    if installs.is_empty() && !interrupted {
        inventories.iter().for_each(|it| reports.folder(it));
    }
    for (path, mut counted) in open {
        counted.games = match places.get(&path).and_then(|it| it.game) {
            Some(game) if counted.games.contains(&game) => vec![game],
            _ => counted.games,
        };
        count(&counted, &mut totals, &mut reports);
    }
    match args.json {
        true => {
            let shown = places.into_iter().map(|(path, around)| (Found::new(path, Ok(0)).shown(), around));
            let shown: HashMap<String, Around> = shown.collect();
            rows.release(|path| shown.get(path).cloned(), out);
            if out.is_closed() {
                return unseen(out);
            }
            installs.iter().for_each(|it| out.json(&Compact(&it.row())));
            out.json(&totals.summary.row());
        }
        false => {
            if out.is_quiet() {
                installs::print_verdicts(&installs, out);
            } else {
                installs::print(&installs, out);
                totals.print(&installs, args.reports.has_html(), out);
            }
        }
    }
    if !interrupted {
        let paths: Vec<String> = args.paths.iter().map(|path| path.to_string_lossy().into_owned()).collect();
        reports.write(&About { paths: &paths, via_exchange: args.via == Some(Via::Exchange) }, out)?;
    }
    if let Some(file) = &args.against {
        if !args.json && !interrupted && !out.is_quiet() {
            out.line(format_args!("against {}: {}", file.display(), against::sum(&totals.summary.finding)));
        }
        // Files that are missing now were compared too, so an empty folder is not a usage error here.
        return Ok(());
    }
    if totals.known() == 0 && !interrupted && totals.summary.of(Status::Unreadable) == 0 {
        let paths = args.paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
        if totals.summary.files > 0 {
            anyhow::bail!("nothing to verify: no supported files in {paths}");
        } else if out.code() < Code::Failed {
            anyhow::bail!("nothing to verify: no files in {paths}");
        }
    }
    Ok(())
}

/// Ends a run whose reader has not seen all rows, so that it proves nothing.
fn unseen(out: &mut Out) -> anyhow::Result<()> {
    out.comes_to(Code::Finding);
    Ok(())
}

fn count(file: &Counted, totals: &mut Totals, reports: &mut Reports<'_>) {
    totals.summary.count(file);
    reports.count(file);
}

/// Returns `true` if the user has named a path that does not exist.
fn is_missing(args: &Args, file: &Found, report: &Report) -> bool {
    let is_named = report.status == Status::Unreadable && args.paths.contains(&file.path);
    is_named && file.path != Path::new("-") && std::fs::symlink_metadata(&file.path).is_err()
}

/// Reads a list of known files.
fn known_list(file: &Path) -> anyhow::Result<KnownList> {
    let shown = || file.display().to_string();
    let text = super::read(file).with_context(shown)?;
    KnownList::parse(&text, &shown()).with_context(shown)
}

/// Returns the exit code that a file causes.
pub(crate) fn code_of(report: &Report, strict: bool) -> Code {
    match report.status {
        _ if report.is_internal() => Code::Internal,
        Status::Unreadable => Code::Failed,
        Status::Different | Status::Refused => Code::Finding,
        _ if strict && report.is_finding() => Code::Finding,
        _ => Code::Fine,
    }
}

/// Returns the word for a file, with its color. A file that round-trips can be damaged, which is said first.
fn style_of(report: &Report) -> (Style, &'static str) {
    let red = AnsiColor::Red.on_default().bold();
    let style = match report.status {
        Status::Identical if report.is_damaged() => return (red, "damaged"),
        Status::Identical if report.severity() == Some("suspect") => {
            return (AnsiColor::Yellow.on_default(), "suspect");
        }
        Status::Identical => AnsiColor::Green.on_default(),
        status if status.is_failure() => red,
        _ => AnsiColor::Yellow.on_default(),
    };
    (style, report.status.name())
}

/// Reports what an install lacks and what differs in it as findings, which the words about the install print.
fn strictly(args: &Args, install: &Certificate, reports: &mut Reports<'_>, out: &mut Out) {
    let root = Path::new(&install.root);
    let moved = install.standing.moved.iter().map(|it| (it.path.clone(), how_moved(it)));
    let all = install.standing.differ.iter().chain(&install.resized).cloned().chain(moved);
    for (path, why) in all {
        reports.differs(&Found::new(root.join(path), Ok(0)).shown(), &why);
        out.comes_to(Code::Finding);
    }
    for (path, other) in &install.rivals {
        reports.differs(&Found::new(root.join(path), Ok(0)).shown(), &format!("differs from {other} only in case"));
        out.comes_to(Code::Finding);
    }
    if install.game.is_none() {
        out.comes_to(Code::Finding);
    }
    for file in install.files.iter().filter(|file| file.is_damaged()) {
        // What else is damaged has a report that shows it; only its place makes an empty file a damaged one.
        if file.bytes == 0 {
            reports.differs(&Found::new(root.join(&file.path), Ok(0)).shown(), "the file is empty");
        }
        out.comes_to(Code::Finding);
    }
    for it in install.unexplained() {
        let is_told = out.verbose && !out.is_quiet();
        is_missed((&install.root, &it.path), &why_unfound(it), is_told || args.json, reports, out);
    }
    for it in install.required() {
        let why = why_lacking(it);
        let is_told = out.verbose && !out.is_quiet();
        is_missed((&install.root, &it.path), &why, is_told || args.json, reports, out);
    }
}

/// Returns `true` if a file that bitexact does not read is one of an install, as the list of the game or that of the user's has it: then it is
/// no finding.
fn is_expected(install: &Certificate, path: &Path, reports: &mut Reports<'_>) -> bool {
    let inner = path.strip_prefix(&install.root).ok().map(|inner| inner.to_string_lossy().replace('\\', "/"));
    let is_expected = inner.is_some_and(|inner| install.expects(&inner));
    if is_expected {
        reports.expected(&Found::new(path.to_owned(), Ok(0)).shown());
    }
    is_expected
}

/// Reports a file that differs from the snapshot.
fn tell(
    finding: &Finding,
    args: &Args,
    summary: &mut Summary,
    reports: &mut Reports<'_>,
    (rows, out): (&mut Rows, &mut Out),
) {
    reports.finding(finding);
    out.comes_to(Code::Finding);
    summary.find(finding.change.name());
    match args.json {
        true => rows.other(&Compact(&finding.row()), out),
        false => against::print(finding, out),
    }
}

/// Reports a file that an install must have and lacks, as a finding, and prints it unless `is_told` elsewhere.
fn is_missed((root, path): (&str, &str), why: &str, is_told: bool, reports: &mut Reports<'_>, out: &mut Out) {
    let path = format!("{root}/{path}");
    reports.missing(&path, why);
    out.comes_to(Code::Finding);
    if !is_told {
        out.marked(AnsiColor::Red.on_default().bold(), "missing", format_args!("{} ({why})", native(&path)));
    }
}

/// Prints the row of a file and those of its entries.
fn print_json(args: &Args, rows: &mut Rows, out: &mut Out, path: &str, report: &Report) {
    rows.file(Row::new(path.to_owned(), report), out);
    report.entries.iter().filter(|_| args.entries).for_each(|entry| rows.other(&EntryRow::new(path, entry), out));
}

/// Returns `true` for the sign that other bytes follow a file.
fn is_extra(warning: &Warning) -> bool {
    warning.trap.scope == Scope::Extra
}

/// Prints the lines of a file for people.
fn print(args: &Args, out: &mut Out, path: &str, report: &Report) {
    let (style, status) = style_of(report);
    let kind = report.kind.map_or(String::new(), |kind| format!(" ({kind})"));
    if let Some(failure) = &report.failure {
        out.marked(style, status, format_args!("{path}: {failure}"));
    } else if report.status != Status::Identical
        || out.verbose
        || args.entries
        || args.rules
        || !report.undecoded.is_empty()
        || report.wrong_checksums().next().is_some()
        || report.damage.iter().any(|it| !is_extra(it))
    {
        let advice = report.kind.and_then(foreign::advice).map_or_else(String::new, |advice| format!(": {advice}"));
        out.marked(style, status, format_args!("{path}{kind}{advice}"));
    }
    for entry in report.entries.iter().filter(|_| args.entries) {
        let (place, kind, offset, bytes) = (entry.place.entry(), entry.kind, entry.offset, entry.bytes);
        out.line(format_args!("  {offset:#010x}  {bytes:>10}  {place}  ({kind})"));
    }
    for undecoded in &report.undecoded {
        out.line(format_args!(
            "  {}: does not decode, kept as raw bytes: {}",
            undecoded.entry.entry(),
            undecoded.error
        ));
    }
    // Nothing is lost of a file that is identical with the bytes after it, so that they are only counted.
    let is_counted = report.failure.is_none() && !out.verbose;
    for warning in report.damage.iter().filter(|it| !is_counted || !is_extra(it)) {
        out.line(format_args!("  {}: {warning}", warning.trap.scope.severity().unwrap_or_default()));
    }
    if !out.verbose {
        for it in report.wrong_checksums() {
            let (at, place) = (it.offset, &it.first_place);
            let (expected, found) = (&it.expected, &it.found);
            out.line(format_args!(
                "  {at:#010x}: {place}: the checksum does not fit: expected {}, found {}",
                Compact(expected),
                Compact(found)
            ));
        }
    }
    if out.verbose {
        for deviation in &report.deviations {
            let (first, offset, count) = (&deviation.first_place, deviation.offset, deviation.count);
            let (expected, found) = (&deviation.expected, &deviation.found);
            let times = if count > 1 { format!(" (and {} more)", count - 1) } else { String::new() };
            out.line(format_args!(
                "  {offset:#010x}: {first}: expected {}, found {}{times}",
                Compact(expected),
                Compact(found)
            ));
        }
    }
    // A rule that all values match is listed on request only.
    for (path, Followed { follow, differ }) in report.rules.iter().flatten() {
        if args.rules || *differ > 0 {
            out.line(format_args!(
                "  rule {path}: {} match{}, {differ} do{} not",
                counted(*follow, "value"),
                if *follow == 1 { "es" } else { "" },
                if *differ == 1 { "es" } else { "" },
            ));
        }
    }
}
