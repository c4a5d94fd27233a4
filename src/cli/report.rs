//! `verify --html` and `--junit`: what a run comes to, in files.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use bitexact::install::Found;
use bitexact::install::snapshot::Finding;
use bitexact::output;
use bitexact::report::{About, Account, Excerpt, Junit};
use bitexact::verify::{Report, Trouble};
use bitexact::zipper::install::Install;

use super::out::Out;
use super::target;

/// Where reports are written.
#[derive(clap::Args)]
pub(crate) struct Targets {
    /// Write a page about it all, to look at
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write a test case a file, for CI systems
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

/// What becomes of the reports while the files are verified.
pub(crate) struct Reports<'a> {
    targets: &'a Targets,
    strict: bool,
    account: Account,
    junit: Junit,
}

impl Targets {
    fn targets(&self) -> impl Iterator<Item = &Path> {
        [&self.html, &self.junit].into_iter().filter_map(|target| target.as_deref())
    }

    /// Whether this is a report, of an earlier run.
    pub(crate) fn is(&self, file: &Found) -> bool {
        self.targets().any(|target| super::is_same(&file.path, target))
    }

    /// Begins them; what could not be written in the end is said at once.
    pub(crate) fn begin(&self, strict: bool) -> anyhow::Result<Reports<'_>> {
        if let (Some(html), Some(junit)) = (&self.html, &self.junit)
            && output::is_one_place(html, junit)
        {
            bail!("--html {} and --junit {} name one file", html.display(), junit.display());
        }
        for target in self.targets() {
            target::report(target)?;
        }
        Ok(Reports { targets: self, strict, account: Account::default(), junit: Junit::default() })
    }
}

/// The bytes around what went wrong with a file.
pub(crate) fn excerpt(report: &Report, file: &[u8]) -> Option<Excerpt> {
    Excerpt::around(report.trouble.as_ref().and_then(Trouble::offset)?, file)
}

impl Reports<'_> {
    /// Takes a file in, with its bytes around what went wrong.
    pub(crate) fn file(&mut self, path: &str, report: &Report, excerpt: Option<Excerpt>) {
        if self.targets.html.is_some() {
            self.account.file(path, report, excerpt);
        }
        if self.targets.junit.is_some() {
            self.junit.file(path, report, self.strict);
        }
    }

    /// Takes in what has become of a file, of which it has been told before, or which is missing.
    pub(crate) fn finding(&mut self, finding: &Finding) {
        if self.targets.html.is_some() {
            self.account.finding(finding);
        }
        if self.targets.junit.is_some() {
            self.junit.finding(finding);
        }
    }

    /// Takes an install in.
    pub(crate) fn install(&mut self, root: &str, install: &Install) {
        if self.targets.html.is_some() {
            self.account.install(root, install);
        }
    }

    /// Writes them.
    pub(crate) fn write(self, about: &About<'_>, out: &mut Out) -> anyhow::Result<()> {
        if let Some(file) = &self.targets.html {
            write(file, &self.account.page(about), out)?;
        }
        if let Some(file) = &self.targets.junit {
            write(file, &self.junit.xml()?, out)?;
        }
        Ok(())
    }
}

fn write(file: &Path, text: &str, out: &mut Out) -> anyhow::Result<()> {
    output::write(file, text.as_bytes()).with_context(|| file.display().to_string())?;
    out.say(format_args!("{}: {} bytes", file.display(), text.len()));
    Ok(())
}
