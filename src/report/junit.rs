//! JUnit, as CI systems read it: a test case a file.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::plain;
use crate::snapshot::{Change, Finding};
use crate::verify::{Report, Status};

/// The test cases of a run.
#[derive(Debug, Default)]
pub struct Junit {
    cases: Vec<Case>,
}

#[derive(Debug)]
struct Case {
    path: String,
    /// The kind, or a status without one.
    class: &'static str,
    verdicts: Vec<Verdict>,
}

/// What a case comes to, where it is more than passed.
#[derive(Debug)]
struct Verdict {
    sort: Sort,
    /// The status, or the change.
    what: &'static str,
    message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Failure,
    Error,
    Skipped,
}

impl Sort {
    const fn tag(self) -> &'static str {
        match self {
            Self::Failure => "failure",
            Self::Error => "error",
            Self::Skipped => "skipped",
        }
    }
}

impl Junit {
    /// Adds a file: a failure where it makes the exit code 1, an error where it makes it 2 or 3.
    pub fn file(&mut self, path: &str, report: &Report, strict: bool) {
        let sort = match report.status {
            Status::Unreadable => Some(Sort::Error),
            _ if report.is_internal() => Some(Sort::Error),
            Status::Different | Status::Refused => Some(Sort::Failure),
            _ if strict && report.is_finding() => Some(Sort::Failure),
            Status::Foreign | Status::Unrecognised => Some(Sort::Skipped),
            Status::Identical => None,
        };
        let message = || match (&report.trouble, &report.undecoded[..]) {
            (Some(trouble), _) => trouble.to_string(),
            (None, [first, ..]) => format!("{}: kept as it is: {}", first.entry.entry(), first.error),
            (None, []) => report.kind.map_or_else(String::new, str::to_owned),
        };
        let verdict = sort.map(|sort| Verdict { sort, what: report.status.name(), message: message() });
        self.case(path, report.kind.unwrap_or(report.status.name()), verdict);
    }

    /// Adds what has become of a file since a snapshot: to the case of the file before it, or as a case of its own where
    /// there is none any more. Either is a failure.
    pub fn finding(&mut self, finding: &Finding) {
        let change = match finding.change {
            Change::New => Some("the file was not there".to_owned()),
            Change::Missing => Some("the file is not there".to_owned()),
            Change::Changed | Change::DecodedDifferently => None,
        };
        let told: Vec<_> = change.into_iter().chain(finding.differences.iter().map(ToString::to_string)).collect();
        let verdict = Verdict { sort: Sort::Failure, what: finding.change.name(), message: told.join("; ") };
        match self.cases.last_mut().filter(|_| finding.change != Change::Missing) {
            Some(case) => case.verdicts.push(verdict),
            None => self.case(&finding.path, "missing", Some(verdict)),
        }
    }

    fn case(&mut self, path: &str, class: &'static str, verdict: Option<Verdict>) {
        self.cases.push(Case { path: path.to_owned(), class, verdicts: verdict.into_iter().collect() });
    }

    /// The file.
    ///
    /// # Errors
    /// None that memory does not cause.
    pub fn xml(&self) -> io::Result<String> {
        let count = |sort| self.cases.iter().filter(|case| case.sort() == Some(sort)).count().to_string();
        let (tests, failures) = (self.cases.len().to_string(), count(Sort::Failure));
        let (errors, skipped) = (count(Sort::Error), count(Sort::Skipped));
        let sums = [("tests", &*tests), ("failures", &*failures), ("errors", &*errors)];
        let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let suites = writer.create_element("testsuites").with_attributes([("name", "bitexact")]).with_attributes(sums);
        suites.write_inner_content(|writer| {
            let suite = writer.create_element("testsuite").with_attributes([("name", "verify")]).with_attributes(sums);
            let suite = suite.with_attributes([("skipped", &*skipped)]);
            suite.write_inner_content(|writer| self.cases.iter().try_for_each(|case| case.write(writer)))?;
            Ok(())
        })?;
        let mut xml = String::from_utf8(writer.into_inner()).map_err(io::Error::other)?;
        xml.push('\n');
        Ok(xml)
    }
}

impl Case {
    /// What counts: readers of JUnit take the worst, and are told it first.
    fn sort(&self) -> Option<Sort> {
        let sorts = [Sort::Error, Sort::Failure, Sort::Skipped];
        sorts.into_iter().find(|sort| self.verdicts.iter().any(|verdict| verdict.sort == *sort))
    }

    fn write(&self, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
        let path = plain(&self.path);
        let case = writer.create_element("testcase").with_attributes([("name", &*path), ("classname", self.class)]);
        let Some(sort) = self.sort() else { return case.write_empty().map(drop) };
        case.write_inner_content(|writer| {
            // A skipped case that has also changed is a failure; a case is of one sort.
            for verdict in self.verdicts.iter().filter(|verdict| verdict.sort == sort) {
                let message = plain(&verdict.message);
                let element = writer.create_element(sort.tag());
                if sort == Sort::Skipped {
                    let message = format!("{} {message}", verdict.what);
                    element.with_attribute(("message", message.trim_end())).write_empty()?;
                } else {
                    let told = [("type", verdict.what), ("message", &*message)];
                    let text = format!("{}: {path}: {message}", verdict.what);
                    element.with_attributes(told).write_text_content(BytesText::new(&text))?;
                }
            }
            Ok(())
        })?;
        Ok(())
    }
}
