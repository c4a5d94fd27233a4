//! `bitexact verify --against`: the changes of an install since a snapshot or a list of hashes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anstyle::AnsiColor;
use anyhow::{Context as _, bail};
use bitexact::field::Json;
use bitexact::install::snapshot::{Aspect, Difference, Finding, Snapshot, path_below};
use bitexact::install::{Found, lossless};
use bitexact::verify::{Report, Row, SCHEMA};

use super::out::Out;

/// A snapshot that an install is compared with.
pub(crate) struct Against {
    root: PathBuf,
    snapshot: Snapshot,
}

impl Against {
    /// Reads the snapshot in `file`, to be compared with the files below the one path.
    pub(crate) fn read(file: &Path, paths: &[PathBuf]) -> anyhow::Result<Self> {
        let [root] = paths else { bail!("--against needs exactly one PATH: the folder or file that FILE describes") };
        std::fs::metadata(root).with_context(|| root.display().to_string())?;
        let text = super::read(file).with_context(|| file.display().to_string())?;
        let snapshot = Snapshot::parse(&text).with_context(|| file.display().to_string())?;
        Ok(Self { root: root.clone(), snapshot })
    }

    /// Returns how a file differs from the snapshot, or `None` if it is unchanged.
    pub(crate) fn compare(&mut self, file: &Found, report: &Report) -> Option<Finding> {
        let path = path_below(&self.root, &file.path);
        self.snapshot.compare(&Row::of_snapshot(lossless(&path), report))
    }

    /// Returns the files of the snapshot that have not been compared, because they no longer exist.
    pub(crate) fn missing(self) -> impl Iterator<Item = Finding> {
        self.snapshot.missing()
    }
}

/// Returns the JSON row of a finding.
pub(crate) fn row(finding: &Finding) -> Json {
    let difference = |it: &Difference| {
        let aspect = [("aspect", Some(it.aspect.name().into())), ("at", it.at.as_deref().map(Json::from))];
        let known = aspect.into_iter().chain([("was", it.was.clone()), ("now", it.now.clone())]);
        Json::Object(known.filter_map(|(key, value)| Some((key.into(), value?))).collect())
    };
    Json::from([
        ("schema", SCHEMA.into()),
        ("finding", finding.change.name().into()),
        ("path", finding.path.as_str().into()),
        ("differences", finding.differences.iter().map(difference).collect()),
    ])
}

/// Prints a finding for people, without the hashes.
pub(crate) fn print(finding: &Finding, out: &mut Out) {
    let style = AnsiColor::Red.on_default().bold();
    out.marked(style, finding.change.name(), &finding.path);
    for difference in finding.differences.iter().filter(|it| it.aspect != Aspect::Sha256) {
        out.line(format_args!("  {difference}"));
    }
}

/// Returns the counts of all findings in words.
pub(crate) fn sum(findings: &BTreeMap<String, u64>) -> String {
    let findings: Vec<_> = findings.iter().map(|(change, count)| format!("{count} {change}")).collect();
    if findings.is_empty() { "no changes".to_owned() } else { findings.join(", ") }
}
