//! `bitexact verify --against`: the changes of an install since a snapshot or a list of hashes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anstyle::AnsiColor;
use anyhow::{Context as _, bail};
use bitexact::exchange::litter_in;
use bitexact::field::Value;
use bitexact::install::known::Digest;
use bitexact::install::snapshot::{Aspect, Change, Finding, Moves, Snapshot, path_below};
use bitexact::install::{Found, lossless};
use bitexact::output::printable::grouped;
use bitexact::verify::{Report, Row, Status};

use super::native;
use super::out::Out;

/// A snapshot that an install is compared with.
pub(crate) struct Against {
    root: PathBuf,
    snapshot: Snapshot,
    /// The new files, which may turn out to be moved ones.
    new: Vec<Finding>,
}

impl Against {
    /// Reads the snapshot in `file`, to be compared with the files below the one path.
    pub(crate) fn read(file: &Path, paths: &[PathBuf]) -> anyhow::Result<Self> {
        let [root] = paths else { bail!("--against needs exactly one PATH: the folder or file that FILE describes") };
        std::fs::metadata(root).with_context(|| root.display().to_string())?;
        let text = super::read(file).with_context(|| file.display().to_string())?;
        let snapshot = Snapshot::parse(&text).with_context(|| file.display().to_string())?;
        Ok(Self { root: root.clone(), snapshot, new: Vec::new() })
    }

    /// Returns the kind of the digests in the snapshot, if it is not SHA-256.
    pub(crate) fn other_digest(&self) -> Option<Digest> {
        self.snapshot.other_digest()
    }

    /// Returns how a file differs from the snapshot, or `None` if it is unchanged or new. `digest` is its digest of the other kind.
    pub(crate) fn compare(&mut self, file: &Found, report: &Report, digest: Option<&str>) -> Option<Finding> {
        let path = path_below(&self.root, &file.path);
        let finding = self.snapshot.compare(&Row::of_snapshot(lossless(&path), report), digest)?;
        if finding.change == Change::New {
            self.new.push(finding);
            return None;
        }
        Some(finding)
    }

    /// Returns the moved, new and missing files, and prints a hint if another folder seems to be meant.
    pub(crate) fn finish(self, out: &mut Out) -> Vec<Finding> {
        let Moves { findings, level, .. } = self.snapshot.moves(self.new);
        if let Some(level) = level {
            out.say(format_args!("hint: {} {level}", self.root.display()));
        }
        // Litter is not looked at, so that it counts as missing in lists of other programs.
        let is_litter = |it: &Finding| it.change == Change::Missing && litter_in(Path::new(&it.path)).is_some();
        findings.into_iter().filter(|it| !is_litter(it)).collect()
    }
}

/// Prints a finding for people, without the hashes.
pub(crate) fn print(finding: &Finding, out: &mut Out) {
    let style = AnsiColor::Red.on_default().bold();
    out.marked(style, finding.change.name(), native(&finding.path));
    if let Some(words) = no_longer_decodes(finding) {
        return out.line(format_args!("  {words}"));
    }
    for difference in finding.differences.iter().filter(|it| !it.aspect.is_content()) {
        out.line(format_args!("  {difference}"));
    }
}

/// Returns what has happened to a file that decoded before and is refused now.
fn no_longer_decodes(finding: &Finding) -> Option<String> {
    let of = |aspect| finding.differences.iter().find(|it| it.aspect == aspect);
    let status = of(Aspect::Status)?.now.as_ref().and_then(Value::text);
    status.filter(|status| *status == Status::Refused.name())?;
    let size = of(Aspect::Bytes).and_then(|it| Some((it.was.as_ref()?.whole()?, it.now.as_ref()?.whole()?)));
    Some(match size {
        None => "no longer decodes".to_owned(),
        Some((was, now)) => {
            let change = match was.checked_sub(now) {
                Some(lost) => format!("{} fewer", grouped(lost)),
                None => format!("{} more", grouped(now - was)),
            };
            format!("{} → {} bytes, {change}; no longer decodes", grouped(was), grouped(now))
        }
    })
}

/// Returns the counts of all findings in words.
pub(crate) fn sum(findings: &BTreeMap<String, u64>) -> String {
    let findings: Vec<_> = findings.iter().map(|(change, count)| format!("{count} {change}")).collect();
    if findings.is_empty() { "no changes".to_owned() } else { findings.join(", ") }
}
