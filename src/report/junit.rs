//! JUnit reports for CI systems, with one test case per file.
//!
//! It is valid by the schemas of Ant (windyroad) and Jenkins, except that Ant's schema of 2011 has no `skipped`.

use std::collections::HashMap;
use std::io;

use json::Compact;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::text::plain;
use crate::install::snapshot::{Change, Finding};
use crate::verify::{Report, Status};

/// The test cases of a run.
#[derive(Debug, Default)]
pub struct Junit {
    cases: Vec<Case>,
    /// The first case of each path.
    by_path: HashMap<String, usize>,
}

#[derive(Debug)]
struct Case {
    path: String,
    /// The kind, or a status without one.
    class: &'static str,
    verdicts: Vec<Verdict>,
}

/// A result of a case other than a pass.
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

/// The statuses of files that are not verified.
const SKIPPED: [Status; 2] = [Status::Foreign, Status::Unknown];

/// Attributes that Ant's schema requires. Durations are not measured, because no output of bitexact depends on the clock.
const UNTIMED: [(&str, &str); 3] = [("timestamp", "1970-01-01T00:00:00"), ("hostname", "localhost"), TIME];
const TIME: (&str, &str) = ("time", "0");

impl Junit {
    /// Adds a file: a failure if it makes the exit code 1, an error if it makes it 2 or 3.
    pub fn file(&mut self, path: &str, report: &Report, strict: bool) {
        let sort = match report.status {
            Status::Unreadable => Some(Sort::Error),
            _ if report.is_internal() => Some(Sort::Error),
            Status::Different | Status::Refused => Some(Sort::Failure),
            _ if strict && report.is_finding() => Some(Sort::Failure),
            Status::Foreign | Status::Unknown => Some(Sort::Skipped),
            Status::Identical => None,
        };
        let message = || match (&report.failure, &report.undecoded[..]) {
            (Some(failure), _) => failure.to_string(),
            (None, [first, ..]) => {
                format!("{}: does not decode, kept as raw bytes: {}", first.entry.entry(), first.error)
            }
            (None, []) if report.is_damaged() => {
                report.damage.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
            }
            (None, []) => match report.wrong_checksums().next() {
                Some(it) => {
                    let (place, expected, found) = (&it.first_place, &it.expected, &it.found);
                    format!(
                        "{place}: the checksum does not fit: expected {}, found {}",
                        Compact(expected),
                        Compact(found)
                    )
                }
                None => report.kind.map_or_else(String::new, str::to_owned),
            },
        };
        let verdict = sort.map(|sort| Verdict { sort, what: report.status.name(), message: message() });
        self.case(path, report.kind.unwrap_or(report.status.name()), verdict);
    }

    /// Adds a change since a snapshot as a failure: to the case of the file, or as a new case if the file is missing.
    pub fn finding(&mut self, finding: &Finding) {
        let change = match finding.change {
            Change::New => Some("the file is not in the snapshot".to_owned()),
            Change::Missing => Some("the file is missing".to_owned()),
            Change::Moved => Some("the file has moved".to_owned()),
            Change::Changed | Change::DecodedDifferently => None,
        };
        let told: Vec<_> = change.into_iter().chain(finding.differences.iter().map(ToString::to_string)).collect();
        let verdict = Verdict { sort: Sort::Failure, what: finding.change.name(), message: told.join("; ") };
        // The file is below the verified path. New and moved files are found out after the last case.
        let is_of = |case: &&mut Case| {
            case.path == finding.path || case.path.strip_suffix(&*finding.path).is_some_and(|it| it.ends_with('/'))
        };
        match self.cases.iter_mut().rev().find(is_of).filter(|_| finding.change != Change::Missing) {
            Some(case) => case.verdicts.push(verdict),
            None => self.case(&finding.path, "missing", Some(verdict)),
        }
    }

    /// Adds the reason why a file is known to differ from the one that was sold, as a failure of the case of the file.
    pub fn differs(&mut self, path: &str, why: &str) {
        if let Some(case) = self.by_path.get(path).and_then(|at| self.cases.get_mut(*at)) {
            case.verdicts.push(Verdict { sort: Sort::Failure, what: "differs", message: why.to_owned() });
        }
    }

    /// Changes the case of a file that bitexact does not read from failed to skipped, since an install has such a file there.
    pub fn expected(&mut self, path: &str) {
        if let Some(case) = self.by_path.get(path).and_then(|at| self.cases.get_mut(*at)) {
            for verdict in case.verdicts.iter_mut().filter(|it| SKIPPED.iter().any(|status| status.name() == it.what)) {
                verdict.sort = Sort::Skipped;
            }
        }
    }

    /// Adds a file that an install must have and lacks, as a case that fails.
    pub fn missing(&mut self, path: &str, why: &str) {
        let message = format!("the file is missing ({why})");
        self.case(path, "missing", Some(Verdict { sort: Sort::Failure, what: "missing", message }));
    }

    fn case(&mut self, path: &str, class: &'static str, verdict: Option<Verdict>) {
        self.by_path.entry(path.to_owned()).or_insert(self.cases.len());
        self.cases.push(Case { path: path.to_owned(), class, verdicts: verdict.into_iter().collect() });
    }

    /// Returns the report as XML.
    ///
    /// # Errors
    /// Returns an error if the XML cannot be written.
    pub fn xml(&self) -> io::Result<String> {
        let count = |sort| self.cases.iter().filter(|case| case.sort() == Some(sort)).count().to_string();
        let (tests, failures) = (self.cases.len().to_string(), count(Sort::Failure));
        let (errors, skipped) = (count(Sort::Error), count(Sort::Skipped));
        let mut attributes = vec![
            ("name", "verify"),
            ("package", "bitexact"),
            ("id", "0"),
            ("tests", &*tests),
            ("failures", &*failures),
            ("errors", &*errors),
        ];
        if skipped != "0" {
            attributes.push(("skipped", &*skipped));
        }
        attributes.extend(UNTIMED);
        let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        writer.create_element("testsuites").write_inner_content(|writer| {
            let suite = writer.create_element("testsuite").with_attributes(attributes);
            suite.write_inner_content(|writer| {
                let program = [("name", "bitexact"), ("value", env!("CARGO_PKG_VERSION"))];
                writer.create_element("properties").write_inner_content(|writer| {
                    writer.create_element("property").with_attributes(program).write_empty().map(drop)
                })?;
                self.cases.iter().try_for_each(|case| case.write(writer))?;
                ["system-out", "system-err"]
                    .into_iter()
                    .try_for_each(|name| writer.create_element(name).write_empty().map(drop))
            })?;
            Ok(())
        })?;
        let mut xml = String::from_utf8(writer.into_inner()).map_err(io::Error::other)?;
        xml.push('\n');
        Ok(xml)
    }
}

impl Case {
    /// Returns the worst result, which readers of JUnit take as that of the case.
    fn sort(&self) -> Option<Sort> {
        let sorts = [Sort::Error, Sort::Failure, Sort::Skipped];
        sorts.into_iter().find(|sort| self.verdicts.iter().any(|verdict| verdict.sort == *sort))
    }

    fn write(&self, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
        let path = plain(&self.path);
        let case = writer.create_element("testcase").with_attributes([("name", &*path), ("classname", self.class)]);
        let case = case.with_attribute(TIME);
        let Some(sort) = self.sort() else { return case.write_empty().map(drop) };
        // A skipped case that has also changed is a failure; a case has one outcome.
        let verdicts = || self.verdicts.iter().filter(|verdict| verdict.sort == sort);
        case.write_inner_content(|writer| {
            let element = writer.create_element(sort.tag());
            if sort == Sort::Skipped {
                let told: Vec<_> =
                    verdicts().map(|verdict| format!("{} {}", verdict.what, plain(&verdict.message))).collect();
                element.write_text_content(BytesText::new(told.join("; ").trim_end()))?;
                return Ok(());
            }
            let (mut message, mut text) = (String::new(), Vec::new());
            for verdict in verdicts() {
                let what = verdict.what;
                let told = plain(&verdict.message);
                text.push(format!("{what}: {path}: {told}"));
                message.push_str(&if message.is_empty() { told } else { format!("; {what}: {told}") });
            }
            let what = verdicts().next().map_or("", |verdict| verdict.what);
            let element = element.with_attributes([("type", what), ("message", &*message)]);
            element.write_text_content(BytesText::new(&text.join("\n")))?;
            Ok(())
        })?;
        Ok(())
    }
}
