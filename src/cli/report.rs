//! `verify --html` and `--junit`: reports of a run.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use bitexact::field::wide;
use bitexact::install::Found;
use bitexact::install::certificate::{Certificate, Inventory};
use bitexact::install::snapshot::Finding;
use bitexact::kind::{Drawing, ExportOptions, named};
use bitexact::output::printable::counted;
use bitexact::output::{self, folder_of, is_stdout, name_of};
use bitexact::registry::KINDS;
use bitexact::report::{About, Excerpt, HtmlReport, Junit, is_page_of};
use bitexact::verify::{Counted, Failure, Report, Status};
use bytes::Bytes;

use super::out::Out;
use super::target;

/// The files that reports are written to.
#[derive(clap::Args)]
pub(crate) struct Targets {
    /// Write an HTML report
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Show the images of texture packages, shapes and pictures in the HTML report
    #[arg(long, requires = "html")]
    images: bool,
    /// Write a JUnit report with one test case per file
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Let a report overwrite a file that is not an earlier report
    #[arg(long)]
    force: bool,
}

/// The reports while the files are being verified.
pub(crate) struct Reports<'a> {
    targets: &'a Targets,
    strict: bool,
    html: HtmlReport,
    junit: Junit,
}

impl Targets {
    fn targets(&self) -> impl Iterator<Item = &Path> {
        [&self.html, &self.junit].into_iter().filter_map(|target| target.as_deref())
    }

    /// Returns `true` if an HTML report is written.
    pub(crate) fn has_html(&self) -> bool {
        self.html.is_some()
    }

    /// Returns all images of a file on one PNG, if they are wanted and it has any.
    pub(crate) fn sheet(&self, report: &Report, file: &Bytes) -> Option<Drawing> {
        let kind = report.kind.filter(|_| self.images && report.status == Status::Identical)?;
        let export = named(KINDS, kind)?.exports.iter().find(|export| export.extension == "png")?;
        // A file without images has no sheet.
        (export.draw)(file.clone(), &ExportOptions::default()).ok()
    }

    /// Returns `true` if this file is a report of an earlier run, or a page of images beside it.
    pub(crate) fn is(&self, file: &Found) -> bool {
        let is_beside = |html: &PathBuf| {
            is_page_of(&file.name(), &name_of(html)) && super::is_same(folder_of(&file.path), folder_of(html))
        };
        self.html.as_ref().is_some_and(is_beside) || self.targets().any(|target| super::is_same(&file.path, target))
    }

    /// Begins the reports. Targets that cannot be written are reported at once.
    pub(crate) fn begin(&self, strict: bool) -> anyhow::Result<Reports<'_>> {
        if let (Some(html), Some(junit)) = (&self.html, &self.junit)
            && output::is_one_place(html, junit)
        {
            bail!("--html {} and --junit {} name the same file; choose two", html.display(), junit.display());
        }
        for target in self.targets() {
            target::report(target, self.force)?;
        }
        Ok(Reports { targets: self, strict, html: HtmlReport::default(), junit: Junit::default() })
    }
}

/// Returns the bytes around the error in a file.
pub(crate) fn excerpt(report: &Report, file: &[u8]) -> Option<Excerpt> {
    Excerpt::around(report.failure.as_ref().and_then(Failure::offset)?, file)
}

impl Reports<'_> {
    /// Adds a file, with the bytes around its error.
    pub(crate) fn file(&mut self, path: &str, report: &Report, excerpt: Option<Excerpt>) {
        if self.targets.html.is_some() {
            self.html.file(path, report, excerpt);
        }
        if self.targets.junit.is_some() {
            self.junit.file(path, report, self.strict);
        }
    }

    /// Counts a file, once the game of the install around it is known.
    pub(crate) fn count(&mut self, file: &Counted) {
        if self.targets.html.is_some() {
            self.html.count(file);
        }
    }

    /// Adds all images of a file.
    pub(crate) fn sheet(&mut self, path: &str, sheet: Drawing) {
        self.html.sheet(path, sheet);
    }

    /// Adds a change since a snapshot, after its file if that exists.
    pub(crate) fn finding(&mut self, finding: &Finding) {
        if self.targets.html.is_some() {
            self.html.finding(finding);
        }
        if self.targets.junit.is_some() {
            self.junit.finding(finding);
        }
    }

    /// Adds the reason why a file is known to differ from the one that was sold, if that makes the exit code 1.
    pub(crate) fn differs(&mut self, path: &str, why: &str) {
        if self.targets.junit.is_some() && self.strict {
            self.junit.differs(path, why);
        }
    }

    /// Takes a file that bitexact does not read for one of an install, if that would make the exit code 1.
    pub(crate) fn expected(&mut self, path: &str) {
        if self.targets.junit.is_some() && self.strict {
            self.junit.expected(path);
        }
    }

    /// Adds a file that an install must have and lacks, if that makes the exit code 1.
    pub(crate) fn missing(&mut self, path: &str, why: &str) {
        if self.targets.junit.is_some() && self.strict {
            self.junit.missing(path, why);
        }
    }

    /// Adds an install.
    pub(crate) fn install(&mut self, install: &Certificate) {
        if self.targets.html.is_some() {
            self.html.install(install);
        }
    }

    /// Adds a folder without an install.
    pub(crate) fn folder(&mut self, folder: &Inventory) {
        if self.targets.html.is_some() {
            self.html.folder(folder);
        }
    }

    /// Writes the reports.
    pub(crate) fn write(self, about: &About<'_>, out: &mut Out) -> anyhow::Result<()> {
        match &self.targets.html {
            Some(file) if is_stdout(file) => write(file, &self.html.page(about), out)?,
            Some(file) => {
                let pages = self.html.pages(about, &name_of(file));
                let pages = pages.into_iter().map(|(name, page)| (file.with_file_name(name), page));
                let pages: Vec<(PathBuf, String)> = pages.collect();
                // That of the report itself was checked before the work.
                pages.iter().skip(1).try_for_each(|(path, _)| target::report(path, self.targets.force))?;
                // The page that links to the others is last.
                pages.iter().rev().try_for_each(|(path, page)| write(path, page, out))?;
            }
            None => {}
        }
        if let Some(file) = &self.targets.junit {
            write(file, &self.junit.xml()?, out)?;
        }
        // A certificate says how to hash the files of a copy, of which it should not be one.
        let is_among = |file: &&PathBuf| about.paths.iter().any(|path| target::is_inside(file, Path::new(path)));
        if let Some(file) = self.targets.html.as_ref().filter(is_among) {
            let shown = file.display();
            out.say(format_args!("hint: {shown} is among the files that it is about; move it out of their folder"));
        }
        Ok(())
    }
}

fn write(file: &Path, text: &str, out: &mut Out) -> anyhow::Result<()> {
    output::write(file, text.as_bytes()).with_context(|| file.display().to_string())?;
    out.say(format_args!("{}: wrote {}", file.display(), counted(wide(text.len()), "byte")));
    Ok(())
}
