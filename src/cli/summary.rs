//! The summary of `verify` for people: the table of kinds, then the verdict.

use anstyle::{AnsiColor, Style};
use bitexact::field::{Class, wide};
use bitexact::install::certificate::Certificate;
use bitexact::output::printable::{counted, grouped};
use bitexact::report::percent;
use bitexact::verify::{Failure, Report, Status, Sum, Summary};

use super::out::Out;
use super::table::Table;

const GREEN: Style = AnsiColor::Green.on_default();
const YELLOW: Style = AnsiColor::Yellow.on_default();
const RED: Style = AnsiColor::Red.on_default().bold();

/// Returns the sum of a number over all installs.
fn sum(installs: &[Certificate], of: impl Fn(&Certificate) -> usize) -> u64 {
    wide(installs.iter().map(of).sum())
}

/// The totals of a run.
#[derive(Default)]
pub(crate) struct Totals {
    pub(crate) summary: Summary,
    /// The name of the list of the user's that files are compared with, too.
    pub(crate) list: Option<String>,
    /// The offset of the first error, if it has one.
    first_error: Option<u64>,
}

impl Totals {
    /// Remembers the first error.
    pub(crate) fn see(&mut self, report: &Report) {
        self.first_error = self.first_error.or_else(|| report.failure.as_ref().and_then(Failure::offset));
    }

    /// Returns the number of files of supported kinds.
    pub(crate) fn known(&self) -> u64 {
        Status::ALL.into_iter().filter(|it| it.is_ours()).map(|it| self.summary.of(it)).sum()
    }

    /// Prints the table of kinds, the verdict, and hints. `is_html` is true if an HTML report is written.
    pub(crate) fn print(&self, installs: &[Certificate], is_html: bool, out: &mut Out) {
        let total = self.print_kinds(out);
        let failed = self.print_verdict(out);
        let (damaged, suspect) = (self.summary.damaged, self.summary.suspect);
        if damaged > 0 {
            let other = if damaged == 1 { "it with another copy" } else { "them with other copies" };
            let words = format!("{} with lost or changed bytes; compare {other}", counted(damaged, "file"));
            out.worded(RED, "damaged:", words);
        }
        let review = [
            (suspect, "file", "in which bytes may be lost"),
            (self.summary.extra, "file", "followed by other bytes (`bitexact patch --trim` removes them)"),
            (total.deviating, "file", "with deviations (preserved)"),
            (total.undecoded, "file", "with undecoded entries (preserved)"),
            (sum(installs, |it| it.standing.differ.len()), "file", "known to differ"),
            (sum(installs, |it| it.resized.len()), "BIF", "of a different size than in its KEY"),
            (sum(installs, |it| it.required().count()), "required file", "missing"),
            (sum(installs, |it| it.unexpected.len()), "unexpected file", ""),
        ];
        let review = review.into_iter().filter(|(count, ..)| *count > 0);
        let review = review.map(|(count, what, how)| format!("{} {how}", counted(count, what)).trim_end().to_owned());
        let review: Vec<_> = review.collect();
        if !review.is_empty() {
            out.worded(YELLOW, "review: ", review.join(", "));
        }
        if super::watched() {
            self.hint(failed, !review.is_empty(), is_html, out);
        }
    }

    /// Prints a row for every kind, and one for all kinds. Returns their totals.
    fn print_kinds(&self, out: &mut Out) -> Sum {
        let mut total = Sum::default();
        let kinds = self.summary.tally.by_kind();
        if kinds.is_empty() {
            return total;
        }
        let mut table = Table::new(["kind ", "files", "failed", "bytes", "opaque", "deviations", "undecoded"]);
        let cells = |kind: &str, sum: &Sum| {
            let opaque = percent(sum.census.of(Class::Opaque), sum.census.total());
            let [files, failed, bytes] = [sum.files, sum.failed(), sum.bytes].map(grouped);
            [kind.to_owned(), files, failed, bytes, opaque, grouped(sum.deviating), grouped(sum.undecoded)]
        };
        for (kind, sum) in &kinds {
            table.row(cells(&kind.to_string(), sum));
            total.add(sum);
        }
        if kinds.len() > 1 {
            table.row(cells("total", &total));
        }
        table.print(out);
        total
    }

    /// Prints what is proven, what failed, and what was not verified. Returns the number of files that failed.
    fn print_verdict(&self, out: &mut Out) -> u64 {
        let of = |status| self.summary.of(status);
        let [identical, refused, different, unreadable] =
            [Status::Identical, Status::Refused, Status::Different, Status::Unreadable].map(of);
        let files = self.known() + unreadable;
        let failed = files.saturating_sub(identical);
        let is_all = files == self.summary.files;
        let supported = if is_all { "" } else { "supported " };
        // That a file comes back says nothing of whether it is undamaged.
        let sold = match self.summary.pristine {
            0 => "; whether they are as sold is not known".to_owned(),
            pristine => {
                let list = self.list.as_ref().map_or_else(String::new, |list| format!(" or as in {list}"));
                format!("; {} of {} known as sold{list}", grouped(pristine), grouped(self.summary.files))
            }
        };
        let sold = if files == 1 { sold.replace("they are", "it is") } else { sold };
        if failed > 0 {
            let s = |count| if count == 1 { "s" } else { "" };
            let reasons = [
                (refused, if refused == 1 { "does not decode" } else { "do not decode" }.to_owned()),
                (different, format!("re-encode{} differently", s(different))),
                (unreadable, "cannot be read".to_owned()),
            ];
            let reasons = reasons.into_iter().filter(|(count, _)| *count > 0);
            let mut of = format!(" of {}", counted(files, &format!("{supported}file")));
            let reasons: Vec<_> = reasons
                .map(|(count, reason)| format!("{}{} {reason}", grouped(count), core::mem::take(&mut of)))
                .collect();
            let others = match identical {
                0 => String::new(),
                1 => "; the other one comes back bit for bit".to_owned(),
                count => format!("; the other {} come back bit for bit", grouped(count)),
            };
            out.worded(RED, "failed: ", format_args!("{}{others}", reasons.join(", ")));
        } else if identical == 1 {
            out.worded(GREEN, "proven: ", format_args!("1 {supported}file comes back bit for bit{sold}"));
        } else if identical > 0 {
            let words = format!("all {} {supported}files come back bit for bit{sold}", grouped(identical));
            out.worded(GREEN, "proven: ", words);
        }
        let skipped = [(of(Status::Foreign), "foreign file"), (of(Status::Unknown), "unknown file")];
        let skipped: Vec<_> =
            skipped.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| counted(count, what)).collect();
        if !skipped.is_empty() {
            out.line(format_args!("skipped: {} (not supported)", skipped.join(", ")));
        }
        if self.summary.interrupted {
            out.line("stopped: interrupted, so the remaining files are not verified");
        }
        failed
    }

    /// Prints what to do next.
    fn hint(&self, failed: u64, is_review: bool, is_html: bool, out: &Out) {
        let html = if is_html { "" } else { "add --html report.html to see" };
        match (failed, self.first_error) {
            (1, Some(offset)) if !is_html => {
                out.say(format_args!(
                    "hint: {html} the bytes around {offset:#x}, and compare the file with another copy"
                ));
            }
            (1.., Some(_)) if !is_html => {
                out.say(format_args!(
                    "hint: {html} the bytes around each error, and compare the files with other copies"
                ));
            }
            (0, _) if is_review && !out.verbose => {
                let html = if is_html { "" } else { ", or --html report.html to browse" };
                let snapshot = "`bitexact snapshot` records this state for a later --against";
                out.say(format_args!("hint: add -v to list them{html}; {snapshot}"));
            }
            _ => {}
        }
    }
}
