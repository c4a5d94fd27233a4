//! The rows of `verify --json`, with hashes that the browser computes.

use bitexact::install::certificate::Facts;
use bitexact::passes::Sha;
use bitexact::registry::KINDS;
use bitexact::report::Excerpt;
use bitexact::verify::{Candidate, Failure, Report, Row, Status, Unhashed};
use bytes::Bytes;

/// A file that has been encoded again, and whose hashes are still to come.
pub struct Verifying {
    path: String,
    file: Bytes,
    unhashed: Unhashed,
}

/// A file that has been verified.
pub struct Verified {
    /// Its path, with `/` between the parts.
    pub path: String,
    /// What was found.
    pub report: Report,
    /// What tells the install around it.
    pub facts: Facts,
    /// The bytes around its error.
    pub excerpt: Option<Excerpt>,
}

impl Verifying {
    /// Decodes a file and encodes it again; `to` receives all re-encoded bytes. With `strip`, a report shows the owners of its bytes.
    pub fn begin(path: &str, file: Bytes, strip: bool, to: &mut dyn FnMut(&[u8])) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        let unhashed = Candidate::new(KINDS, name, file.clone()).verify_unhashed(strip, to);
        Self { path: path.to_owned(), file, unhashed }
    }

    /// Takes the hashes of the file and of the re-encoded bytes. `in_demo` is as [`in_demo`](crate::certify::in_demo) says.
    #[must_use]
    pub fn finish(self, [sha256, rewritten]: [[u8; 32]; 2], in_demo: bool) -> Verified {
        let Self { path, file, unhashed } = self;
        let mut report = unhashed.hashed(Sha::computed(sha256), Sha::computed(rewritten));
        if let (Some(Failure::Decode(_)), true) = (&report.failure, in_demo) {
            (report.status, report.kind, report.failure) = (Status::Unknown, None, None);
            report.damage.clear();
        }
        let offset = report.failure.as_ref().and_then(Failure::offset);
        let excerpt = offset.and_then(|offset| Excerpt::around(offset, &file));
        let facts = Facts::of(&path, &file, &report, None);
        facts.note(&mut report);
        Verified { path, report, facts, excerpt }
    }
}

impl Verified {
    /// Returns a file that cannot be read.
    #[must_use]
    pub fn unreadable(path: &str, why: &str) -> Self {
        let report = Report::unreadable(why.to_owned());
        Self { path: path.to_owned(), report, facts: Facts::default(), excerpt: None }
    }

    /// Returns the row of `verify --json`, a line of JSON.
    #[must_use]
    pub fn row(&self) -> String {
        line(&Row::new(self.path.clone(), &self.report))
    }

    /// Returns the facts as text for [`Survey::see`](crate::certify::Survey::see).
    #[must_use]
    pub fn facts(&self) -> String {
        line(&self.facts)
    }
}

/// Returns a row as a line of JSON.
pub(crate) fn line(row: &impl serde::Serialize) -> String {
    serde_json::to_string(row).map_or_else(|why| why.to_string(), |text| text + "\n")
}
