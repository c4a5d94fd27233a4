//! What a run of `verify` comes to, to be looked at: a page for people, a JUnit file for CI systems.
//!
//! An [`Account`] is told of every file as its row is printed, and keeps sums, and of what can be long only so much as a
//! page shows. Nothing in either form depends on the clock.
//!
//! ```
//! use bitexact::registry::KINDS;
//! use bitexact::report::{About, Account, Junit};
//! use bitexact::verify::verify;
//!
//! let report = verify(KINDS, "m1.zmap", vec![5, 0, 0, 0]);
//! let mut account = Account::default();
//! account.file("<maps>/m1.zmap", &report, None);
//! let page = account.page(&About { paths: &["<maps>".to_owned()], through_exchange: false });
//! assert!(page.contains("1 of 1 file failed") && page.contains("&lt;maps&gt;/m1.zmap"));
//!
//! let mut junit = Junit::default();
//! junit.file("<maps>/m1.zmap", &report, false);
//! assert!(junit.xml()?.contains(r#"name="&lt;maps&gt;/m1.zmap" classname="zmap""#));
//! # Ok::<(), std::io::Error>(())
//! ```

mod bounded;
mod excerpt;
mod installs;
mod junit;
mod page;

use std::collections::BTreeMap;

use crate::install::snapshot::Finding;
use crate::output::printable::printable;
use crate::passes::{Deviation, Followed};
use crate::verify::{Report, Status, Summary};
use crate::zipper::install::Install;

use bounded::Bounded;
pub use excerpt::Excerpt;
pub use installs::{unlisted, why_missing};
pub use junit::Junit;
pub use page::About;

/// What a run comes to.
#[derive(Debug, Default)]
pub struct Account {
    summary: Summary,
    failed: Bounded<Failed, 60>,
    rules: BTreeMap<(&'static str, String), Rule>,
    /// Where it was asked for, how many values follow rules that compute them, by kind and place.
    computed: BTreeMap<(&'static str, String), Followed>,
    undecoded: Bounded<Undecoded, 100>,
    foreign: BTreeMap<&'static str, Bounded<String, 40>>,
    unrecognised: Bounded<String, 200>,
    findings: Bounded<Finding, 200>,
    installs: Bounded<(String, Install), 20>,
}

/// A file that is different, refused or unreadable.
#[derive(Debug)]
struct Failed {
    path: String,
    report: Report,
    excerpt: Option<Excerpt>,
}

/// All deviations of one kind of file at one place, but for indices.
#[derive(Debug, Default)]
struct Rule {
    /// In how many places.
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
    field: String,
    message: String,
}

impl Account {
    /// Takes a file into the account, with its bytes around what went wrong.
    pub fn file(&mut self, path: &str, report: &Report, excerpt: Option<Excerpt>) {
        self.summary.count(report);
        let kind = report.kind.unwrap_or_default();
        match report.status {
            Status::Foreign => self.foreign.entry(kind).or_default().push(|| path.to_owned()),
            Status::Unrecognised => self.unrecognised.push(|| path.to_owned()),
            status if status.is_failure() => self.failed.push(|| {
                // What a page shows of it is told below or not at all.
                let report =
                    Report { deviations: Vec::new(), undecoded: Vec::new(), entries: Vec::new(), ..report.clone() };
                Failed { path: path.to_owned(), report, excerpt }
            }),
            _ => {}
        }
        for deviation in &report.deviations {
            let rule = self.rules.entry((kind, deviation.path.clone())).or_default();
            rule.count = rule.count.saturating_add(deviation.count);
            rule.files.push(|| (path.to_owned(), deviation.clone()));
        }
        for (place, followed) in report.rules.iter().flatten() {
            self.computed.entry((kind, place.clone())).or_default().add(followed);
        }
        for crate::field::Undecoded { entry, error } in &report.undecoded {
            self.undecoded.push(|| Undecoded {
                path: path.to_owned(),
                entry: entry.entry(),
                offset: error.offset(),
                field: error.place().to_string(),
                message: error.fault().to_string(),
            });
        }
    }

    /// Takes into the account what has become of a file since a snapshot.
    pub fn finding(&mut self, finding: &Finding) {
        self.summary.find(finding.change.name());
        self.findings.push(|| finding.clone());
    }

    /// Takes into the account an install among the files, and where it is.
    pub fn install(&mut self, root: &str, install: &Install) {
        self.installs.push(|| (root.to_owned(), install.clone()));
    }
}

/// A share in tenths of a percent, rounded up so that nothing opaque shows as none.
#[must_use]
pub fn percent(part: u64, whole: u64) -> String {
    let tenths = part.saturating_mul(1000).div_ceil(whole.max(1));
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// A text without what would move the cursor, and without what XML cannot hold, escaped or not.
fn plain(text: &str) -> String {
    printable(text).replace(['\u{FFFE}', '\u{FFFF}'], "\u{FFFD}")
}
