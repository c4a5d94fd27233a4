//! The input file of a subcommand.

use std::collections::BTreeMap;
use std::path::Path;

use ::field::WINDOWS_1252;
use anyhow::{Context as _, bail};
use bitexact::edit::{Comparison, why_nothing};
use bitexact::exchange::{About, Contents, Form, Packed, Recording, contents, record, repacked};
use bitexact::field::{Address, CodePage, Error, Value, encode, memory, visit, wide};
use bitexact::kind::{Game, foreign, named};
use bitexact::lint::{Scope, Warning};
use bitexact::media::Replaced;
use bitexact::output::printable::grouped;
pub(crate) use bitexact::output::{name_of, parts};
use bitexact::passes::{Check, Deviation, Encodings, Sha, extra, spans};
use bitexact::registry::{KINDS, Kind, Model, recognize};
use bitexact::verify::{Candidate, Report, VerifyOptions, lint};
use bytes::Bytes;
use json::{Compact, Describe as _};

use super::out::Out;
use super::target::say_interrupted;

/// What the name of a file is followed by in the default name of its unpacked folder.
pub(crate) const UNPACKED: &str = ".unpacked";

/// A file of a supported kind that round-trips.
pub(crate) struct Source {
    pub(crate) bytes: Bytes,
    pub(crate) kind: &'static Kind,
    pub(crate) games: Vec<Game>,
    pub(crate) sha256: Sha,
    /// The hash of the file with the bytes after its end.
    pub(crate) on_disk: Sha,
    pub(crate) report: Report,
    pub(crate) model: Model,
    /// The number of bytes after the end of the file that have been left out.
    pub(crate) trimmed: usize,
}

impl Source {
    /// Reads and decodes a file.
    pub(crate) fn read(path: &Path, out: &Out) -> anyhow::Result<Self> {
        say_interrupted(path, out);
        let shown = path.display().to_string();
        let bytes: Bytes = super::read(path).with_context(|| shown.clone())?.into();
        let source = Self::of(&shown, &name_of(path), bytes)?;
        say_encoding(&shown, (source.kind, &source.model), out)?;
        Ok(source)
    }

    /// Reads and decodes a file without the bytes that follow its end.
    pub(crate) fn read_trimmed(path: &Path, out: &Out) -> anyhow::Result<Self> {
        say_interrupted(path, out);
        let (shown, name) = (path.display().to_string(), name_of(path));
        let bytes: Bytes = super::read(path).with_context(|| shown.clone())?.into();
        let extra = recognize(KINDS, &name, &bytes).and_then(|(kind, _)| extra(kind, &bytes, memory::allowed()));
        match extra {
            Some(extra) => {
                let source = Self::of(&shown, &name, bytes.slice(..extra.start))?;
                Ok(Self { trimmed: extra.len(), on_disk: Sha::of(&bytes), ..source })
            }
            None => Self::of(&shown, &name, bytes),
        }
    }

    /// Reads and decodes a file, or an entry given as FILE!ENTRY.
    pub(crate) fn read_entry(path: &Path, out: &Out) -> anyhow::Result<Self> {
        let (file, entry) = parts(path);
        let source = Self::read(&file, out)?;
        match entry {
            Some(entry) => source.entry(&entry).with_context(|| file.display().to_string()),
            None => Ok(source),
        }
    }

    /// Reads and decodes a file, or an entry given as FILE!ENTRY, and records the documents of its exchange format.
    pub(crate) fn recorded(path: &Path, out: &Out) -> anyhow::Result<(Self, Result<Recording, Error>)> {
        let (file, entry) = parts(path);
        let failed = || file.display().to_string();
        let (shown, name, bytes) = match entry {
            Some(entry) => {
                let bytes = Self::read(&file, out)?.file_of(&entry).with_context(failed)?;
                (entry.clone(), name_in(&entry).to_owned(), bytes)
            }
            None => {
                say_interrupted(&file, out);
                (failed(), name_of(&file), super::read(&file).with_context(failed)?.into())
            }
        };
        let mut recording = None;
        let recorded = Self::with(&shown, &name, bytes.clone(), |candidate, how| {
            let (report, model, made) = candidate.take_apart_beside(how, |kind, model| record(model, kind, &bytes));
            recording = made;
            (report, model)
        });
        let source = if path == file { recorded? } else { recorded.with_context(failed)? };
        say_encoding(&shown, (source.kind, &source.model), out)?;
        let recording = recording.unwrap_or_else(|| record(&source.model, source.kind, &source.bytes));
        Ok((source, recording))
    }

    /// Takes an entry out as a file.
    pub(crate) fn entry(&self, entry: &str) -> anyhow::Result<Self> {
        let bytes = self.file_of(entry)?;
        Self::of(entry, name_in(entry), bytes)
    }

    /// Returns the bytes of an entry that is a file.
    fn file_of(&self, entry: &str) -> anyhow::Result<Bytes> {
        let (kind, bytes) = entry_of(self, entry)?;
        if named(KINDS, kind).is_none() {
            bail!("{entry}: {kind} is not a file format; unpack or edit it as part of its container")
        }
        Ok(bytes)
    }

    /// Decodes a file of this name, which errors call `shown`.
    pub(crate) fn of(shown: &str, name: &str, bytes: Bytes) -> anyhow::Result<Self> {
        Self::with(shown, name, bytes, Candidate::take_apart)
    }

    /// Decodes a file of this name, which errors call `shown`, and which `take_apart` verifies.
    fn with(
        shown: &str,
        name: &str,
        bytes: Bytes,
        take_apart: impl FnOnce(Candidate, VerifyOptions) -> (Report, Option<Model>),
    ) -> anyhow::Result<Self> {
        let Some((kind, games)) = recognize(KINDS, name, &bytes) else {
            bail!("{shown}: {}", unsupported(name, &bytes));
        };
        let how = VerifyOptions::default().spread(true).only_proof(true);
        let (report, model) = take_apart(Candidate::new(KINDS, name, bytes.clone()), how);
        match (&report.failure, report.sha256, model) {
            (None, Some(sha256), Some(model)) => {
                Ok(Self { bytes, kind, games, sha256, on_disk: sha256, report, model, trimmed: 0 })
            }
            (Some(failure), ..) => {
                let sign = |it: &Warning| format!("; {}; {}", it.message(), it.trap.effect);
                bail!("{shown}: {failure}{}", report.damage.iter().map(sign).collect::<String>())
            }
            (None, ..) => bail!("{shown}: {}", report.status.name()),
        }
    }

    /// Returns the facts about the file that the manifest records.
    pub(crate) fn about(&self) -> About<'_> {
        About { kind: self.kind, games: &self.games, sha256: self.sha256, deviations: &self.report.deviations }
    }

    /// Returns the files of the exchange format. They are still to be [proven](Self::prove).
    pub(crate) fn contents(&self) -> anyhow::Result<Contents> {
        Ok(contents(&self.model, self.about())?)
    }

    /// Proves that the files of the exchange format pack to the same bytes.
    pub(crate) fn prove(&self, files: BTreeMap<String, Bytes>) -> anyhow::Result<()> {
        repacked(KINDS, files, &self.bytes).map(drop).map_err(anyhow::Error::msg)
    }
}

/// Returns the last name in the place of an entry.
fn name_in(entry: &str) -> &str {
    entry.rsplit_once('!').map_or(entry, |(_, name)| name)
}

/// Prints which encoding the texts of a file of Neverwinter Nights seem to have, if it is not the one in which they are read.
pub(crate) fn say_encoding(path: &str, (kind, model): (&Kind, &Model), out: &Out) -> anyhow::Result<()> {
    if CodePage::chosen().is_some() || !kind.games.contains(&Game::Neverwinter) {
        return Ok(());
    }
    let mut seen = Encodings::default();
    visit(model, &mut seen)?;
    if let Some(name) = seen.likely() {
        out.say(format_args!(
            "hint: {path}: its texts look like {name}; with --encoding {name}, they are read and written so"
        ));
    }
    Ok(())
}

/// Makes sure that a folder was unpacked with the texts in the encoding that is given for packing.
pub(crate) fn agree(dir: &Path, page: Option<&CodePage>) -> anyhow::Result<()> {
    let of_folder = page.unwrap_or(WINDOWS_1252).name();
    match CodePage::chosen().map(CodePage::name) {
        Some(given) if given != of_folder => bail!(
            "{}: expected --encoding {of_folder}, that of the folder, found {given}; leave the option out, or unpack the file again with it",
            dir.display()
        ),
        _ => Ok(()),
    }
}

/// Returns why a file of no supported kind is refused.
pub(crate) fn unsupported(name: &str, file: &[u8]) -> String {
    match foreign::recognize(name, file) {
        Some(foreign::MOD) => {
            "a mod by `bitexact mod make`, not a game file; `bitexact mod apply` applies it".to_owned()
        }
        Some(other) => format!("unsupported format: {other}"),
        None => "unknown format; `bitexact formats` lists the supported ones".to_owned(),
    }
}

/// Proves that the bytes of a model are a file of its kind that round-trips, and returns its own model.
pub(crate) fn prove(kind: &Kind, model: &Model, bytes: &Bytes, name: &str) -> anyhow::Result<Model> {
    bitexact::edit::prove(KINDS, kind, model, (name, bytes)).map_err(anyhow::Error::msg)
}

/// Returns `true` if the files of an unpacked folder pack to the file with this hash: it holds all edits of them.
pub(crate) fn packs_to(files: BTreeMap<String, Bytes>, sha256: Sha) -> bool {
    let packed = Form::parse(files).ok().and_then(|form| form.pack_rest(KINDS).ok());
    packed.and_then(|(packed, _)| encode(&packed.model).ok()).is_some_and(|bytes| Sha::of(&bytes) == sha256)
}

/// Prints which files of unpacked folders belong to no entry.
pub(crate) fn say_rest(rest: Vec<String>, out: &Out) {
    let hint = "; an entry needs a row that names its file, and `bitexact patch --add` makes one";
    out.paths("not packed", rest.into_iter(), hint);
}

/// Prints what packing a file brings, each after `path`: recomputed values, and unless the file is the unpacked one, the deviations and
/// warnings that the file before does not have. Without that, these are the deviations that the unpacked folder does not state, and all
/// warnings.
pub(crate) fn say_packed(
    (path, name): (&str, &str),
    packed: &Packed,
    before: Option<&Bytes>,
    (after, bytes, sha256): (&Model, &Bytes, Sha),
    out: &Out,
) -> anyhow::Result<()> {
    packed.recomputed.iter().for_each(|it| say_recomputed(path, it, out));
    if packed.original == Some(sha256.to_string()) {
        return Ok(());
    }
    let old = before.and_then(|before| Some(((packed.kind.decode)(before.clone()).ok()?.model, before)));
    if let Some((old, before)) = old {
        let compared = Comparison::of(packed.kind, (before, &old), (bytes, after))?;
        say_deviations(path, &compared.new_deviations()?, out);
        say_warnings(path, &compared.new_warnings(name)?, out);
        return Ok(());
    }
    let known = |it: &Deviation| packed.deviations.get(&it.place).is_some_and(|count| *count >= it.count);
    say_all((path, name), packed.kind, (after, bytes), known, out)
}

/// Prints the deviations and warnings of a new file with a name.
pub(crate) fn say_new(kind: &Kind, name: &str, file: &Bytes, out: &Out) -> anyhow::Result<()> {
    let model = (kind.decode)(file.clone())?.model;
    say_all(("", name), kind, (&model, file), |_| false, out)
}

/// Prints the deviations of a file that are not known, and all its warnings, each after `path`.
fn say_all(
    (path, name): (&str, &str),
    kind: &Kind,
    (model, bytes): (&Model, &Bytes),
    is_known: impl Fn(&Deviation) -> bool,
    out: &Out,
) -> anyhow::Result<()> {
    let mut check = Check::default();
    visit(model, &mut check)?;
    let mut deviations = check.finish().0;
    deviations.retain(|it| !is_known(it));
    say_deviations(path, &deviations, out);
    let mut warnings = lint(kind, name, model, bytes)?;
    warnings.retain(|it| it.trap.scope == Scope::File);
    say_warnings(path, &warnings, out);
    Ok(())
}

/// Prints warnings, each after `path`.
pub(crate) fn say_warnings(path: &str, warnings: &[Warning], out: &Out) {
    warnings.iter().for_each(|warning| out.say(format_args!("warning: {path}{warning}")));
}

/// Prints deviations that an edit creates, each after `path`.
pub(crate) fn say_deviations(path: &str, deviations: &[Deviation], out: &Out) {
    /// The most deviations of one sort that are printed.
    const MOST: usize = 5;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for it in deviations {
        let count = counts.entry(&it.place).or_default();
        *count += 1;
        if *count <= MOST {
            let (expected, found) = (brief(&it.expected), brief(&it.found));
            out.say(format_args!("deviation: {path}{}: expected {expected}, found {found}", it.first_place));
        }
    }
    for (place, count) in counts {
        if let Some(more @ 1..) = count.checked_sub(MOST) {
            out.say(format_args!("deviation: {path}{place}: and {} more", grouped(wide(more))));
        }
    }
}

/// Returns a value in full if it fits a line, such as the nine numbers of a matrix.
fn brief(value: &Value) -> String {
    /// The most characters of a value in a message of one line.
    const LINE: usize = 160;
    let text = Compact(value).to_string();
    if text.len() <= LINE { text } else { value.describe() }
}

/// Prints a value that an edit has recomputed or given up.
pub(crate) fn say_recomputed(path: &str, it: &Replaced, out: &Out) {
    match it.now {
        Value::Null => {
            out.say(format_args!("left out: {path}{}: {}, which no byte of the file holds", it.place, Compact(&it.was)))
        }
        _ => out.say(format_args!("recomputed: {path}{}: {} → {}", it.place, Compact(&it.was), Compact(&it.now))),
    }
}

/// Returns the kind and the bytes of an entry.
pub(crate) fn entry_of(source: &Source, entry: &str) -> anyhow::Result<(&'static str, Bytes)> {
    let Some(span) = spans(&source.model)?.remove(entry) else {
        bail!("{entry}: {}", why_nothing(&source.model, &Address::of_entry(entry))?)
    };
    let bytes = span.of(&source.bytes).with_context(|| format!("{entry}: the entry is not in one piece"))?;
    Ok((span.kind, source.bytes.slice_ref(bytes)))
}
