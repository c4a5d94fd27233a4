//! Reports of a run of `verify`: an HTML page for people, a JUnit file for CI systems.
//!
//! An [`HtmlReport`] receives every file when its row is printed, and counts it once the game of the install around it is known. It
//! keeps totals, and of long lists only the part that the page shows. Neither report depends on the clock.
//!
//! ```
//! use bitexact::registry::KINDS;
//! use bitexact::report::{About, HtmlReport, Junit};
//! use bitexact::verify::{Counted, verify};
//!
//! let report = verify(KINDS, "m1.zmap", vec![5, 0, 0, 0]);
//! let mut html = HtmlReport::default();
//! html.file("<maps>/m1.zmap", &report, None);
//! html.count(&Counted::of(&report));
//! let page = html.page(&About { paths: &["<maps>".to_owned()], via_exchange: false });
//! assert!(page.contains("1 of 1 file failed") && page.contains("&lt;maps&gt;/m1.zmap"));
//!
//! let mut junit = Junit::default();
//! junit.file("<maps>/m1.zmap", &report, false);
//! assert!(junit.xml()?.contains(r#"name="&lt;maps&gt;/m1.zmap" classname="zmap""#));
//! # Ok::<(), std::io::Error>(())
//! ```

mod about;
mod bounded;
mod excerpt;
mod installs;
mod junit;
mod page;
mod text;

use std::collections::BTreeMap;

use crate::install::certificate::{Certificate, Checked, Inventory};
use crate::install::snapshot::Finding;
use crate::verify::{Counted, Report, Status, Summary};
use kind::Drawing;
use media::Placed;
use passes::{Census, Deviation, Followed, Sha, Strip};

pub use about::About;
use bounded::Bounded;
pub use excerpt::Excerpt;
pub use installs::{how_moved, why_lacking, why_missing, why_unfound};
pub use junit::Junit;
pub use text::percent;

/// The results of a run, for an HTML page.
#[derive(Debug, Default)]
pub struct HtmlReport {
    summary: Summary,
    failed: Bounded<Failed, 60>,
    damage: Bounded<Damaged, 100>,
    rules: BTreeMap<(&'static str, String), Rule>,
    /// By `--rules`: the values that match computed rules, by kind and place.
    computed: BTreeMap<(&'static str, String), Followed>,
    undecoded: Bounded<Undecoded, 100>,
    foreign: BTreeMap<&'static str, Bounded<String, 40>>,
    unknown: Bounded<String, 200>,
    findings: Bounded<Finding, 200>,
    /// The files with pictures, the largest first.
    pictured: Bounded<Pictured, 60>,
    sheets: Bounded<Sheet, 100>,
    installs: Bounded<Certificate, 20>,
    /// A folder without an install, with its files and the digest of the whole.
    folder: Option<(String, Vec<Checked>, Option<Sha>)>,
}

/// A file that is different, refused or unreadable.
#[derive(Debug)]
struct Failed {
    path: String,
    report: Report,
    excerpt: Option<Excerpt>,
}

/// A file in which bytes are lost, or may be.
#[derive(Debug)]
struct Damaged {
    path: String,
    /// The report, of which only the damage is kept.
    report: Report,
}

/// A file of which the page shows who owns its bytes.
#[derive(Debug)]
struct Pictured {
    path: String,
    kind: &'static str,
    bytes: u64,
    census: Census,
    strip: Strip,
}

/// The images of a file.
#[derive(Debug)]
struct Sheet {
    path: String,
    png: Vec<u8>,
    /// Where each image is on it.
    images: Vec<Placed>,
}

/// The maximum size of all sheets, in bytes: they are in memory until the pages are written.
const SHEETS: usize = 48 << 20;

/// Returns `true` for the file name of a page of images beside the report with this file name.
#[must_use]
pub fn is_page_of(name: &str, report: &str) -> bool {
    let (stem, ending) = report.rsplit_once('.').map_or((report, String::new()), |(stem, it)| (stem, format!(".{it}")));
    let nth =
        name.strip_prefix(stem).and_then(|it| it.strip_prefix(".images-")).and_then(|it| it.strip_suffix(&ending));
    nth.is_some_and(|nth| !nth.is_empty() && nth.bytes().all(|digit| digit.is_ascii_digit()))
}

/// All deviations of one kind of file at one place, ignoring indices.
#[derive(Debug, Default)]
struct Rule {
    /// The number of deviations.
    count: u64,
    /// Files with it.
    files: Bounded<(String, Deviation), 3>,
}

/// An entry that does not decode.
#[derive(Debug)]
struct Undecoded {
    path: String,
    entry: String,
    offset: Option<u64>,
    place: String,
    message: String,
}

impl HtmlReport {
    /// Counts a file, once the game of the install around it is known.
    pub fn count(&mut self, file: &Counted) {
        self.summary.count(file);
    }

    /// Adds a file, with the bytes around its error.
    pub fn file(&mut self, path: &str, report: &Report, excerpt: Option<Excerpt>) {
        let kind = report.kind.unwrap_or_default();
        if !report.damage.is_empty() {
            self.damage.push(|| {
                let report = Report { damage: report.damage.clone(), ..Report::new(report.status) };
                Damaged { path: path.to_owned(), report }
            });
        }
        if let (Some(census), Some(strip)) = (report.census, &report.strip) {
            let made = || Pictured { path: path.to_owned(), kind, bytes: report.bytes, census, strip: strip.clone() };
            self.pictured.push_by(|other| other.bytes < report.bytes, made);
        }
        match report.status {
            Status::Foreign => self.foreign.entry(kind).or_default().push(|| path.to_owned()),
            Status::Unknown => self.unknown.push(|| path.to_owned()),
            status if status.is_failure() => self.failed.push(|| {
                // The page shows the rest elsewhere or not at all.
                let report =
                    Report { deviations: Vec::new(), undecoded: Vec::new(), entries: Vec::new(), ..report.clone() };
                Failed { path: path.to_owned(), report, excerpt }
            }),
            _ => {}
        }
        for deviation in &report.deviations {
            let rule = self.rules.entry((kind, deviation.place.clone())).or_default();
            rule.count += deviation.count;
            rule.files.push(|| (path.to_owned(), deviation.clone()));
        }
        for (place, followed) in report.rules.iter().flatten() {
            self.computed.entry((kind, place.clone())).or_default().add(followed);
        }
        for field::Undecoded { entry, error } in &report.undecoded {
            self.undecoded.push(|| Undecoded {
                path: path.to_owned(),
                entry: entry.entry(),
                offset: error.offset(),
                place: error.place().to_string(),
                message: error.fault().to_string(),
            });
        }
    }

    /// Adds a PNG with all images of a file, if there is space for it.
    pub fn sheet(&mut self, path: &str, Drawing { file: png, images, .. }: Drawing) {
        let held: usize = self.sheets.shown.iter().map(|sheet| sheet.png.len()).sum();
        match held.saturating_add(png.len()) <= SHEETS {
            true => self.sheets.push(|| Sheet { path: path.to_owned(), png, images }),
            false => self.sheets.pass(),
        }
    }

    /// Adds a change of a file since a snapshot.
    pub fn finding(&mut self, finding: &Finding) {
        self.summary.find(finding.change.name());
        self.findings.push(|| finding.clone());
    }

    /// Adds an install among the files.
    pub fn install(&mut self, install: &Certificate) {
        self.installs.push(|| install.clone());
    }

    /// Adds the first folder, if no install is in it.
    pub fn folder(&mut self, folder: &Inventory) {
        self.folder.get_or_insert_with(|| (folder.shown(""), folder.files().to_vec(), folder.digest()));
    }
}
