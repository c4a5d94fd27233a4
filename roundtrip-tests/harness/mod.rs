//! Files and helpers that the integration tests share.

#![allow(dead_code, reason = "each test target uses its part")]

pub(crate) mod form;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use bitexact::edit::Comparison;
use bitexact::exchange::{About, Form, contents};
use bitexact::field::encode;
use bitexact::install;
use bitexact::passes::Sha;
use bitexact::registry::{KINDS, Kind, named, recognize};
use bytes::Bytes;
use forge::{Sample, Size};

/// The files of an unpacked folder, by path.
pub(crate) type Files = BTreeMap<String, Bytes>;

/// The seed of the generated samples.
pub(crate) const SEED: u64 = 7;

/// A file to test the laws on.
#[derive(Clone)]
pub(crate) struct Case {
    /// The name, which includes the origin.
    pub(crate) name: String,
    /// The kind of the file.
    pub(crate) kind: &'static Kind,
    /// The bytes of the file.
    pub(crate) bytes: Vec<u8>,
    /// `true` if only a few cuts, bytes and edits are drawn, because each takes long.
    pub(crate) is_large: bool,
}

/// Returns the kind with this name.
pub(crate) fn kind(name: &str) -> &'static Kind {
    named(KINDS, name).unwrap_or_else(|| panic!("the registry has no {name}"))
}

/// Compares two files of the kind with this name.
pub(crate) fn compared<T>(name: &str, old: &[u8], new: &[u8], ask: impl FnOnce(&Comparison<'_>) -> T) -> T {
    let kind = kind(name);
    let [old, new] = [old, new].map(|bytes| Bytes::from(bytes.to_vec()));
    let [before, after] = [&old, &new].map(|bytes| (kind.decode)(bytes.clone()).expect("it decodes").model);
    ask(&Comparison::of(kind, (&old, &before), (&new, &after)).expect("both are walked"))
}

/// Returns every generated sample of a size.
pub(crate) fn forged(size: Size, word: &str) -> Vec<Case> {
    let samples = forge::samples(SEED, size).into_iter();
    samples
        .map(|sample| {
            let name = format!("forge/{word}/{}", sample.name);
            Case { name, kind: kind(sample.kind), bytes: sample.bytes, is_large: false }
        })
        .collect()
}

/// Returns the small generated sample with this name.
pub(crate) fn sample(name: &str) -> Vec<u8> {
    static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(|| forge::samples(SEED, Size::Small));
    SAMPLES.iter().find(|it| it.name == name).expect(name).bytes.clone()
}

/// Returns the unpacked folder of a file.
pub(crate) fn unpacked(kind: &'static Kind, bytes: &[u8]) -> Files {
    let model = (kind.decode)(bytes.to_vec().into()).expect("decodes").model;
    contents(&model, About { kind, games: &[], sha256: Sha::of(bytes), deviations: &[] }).expect("unpacks").files
}

/// Packs an unpacked folder.
pub(crate) fn packed(files: Files) -> Result<Vec<u8>, String> {
    let packed = Form::parse(files)?.pack(KINDS).map_err(|error| error.to_string())?;
    encode(&packed.model).map_err(|error| error.to_string())
}

/// Returns what the program prints. On Windows, the paths that begin like an argument, or with a folder of an argument or of the current folder,
/// get the separator of the tests.
pub(crate) fn output_of(command: &mut Command) -> Output {
    let mut output = command.output().expect("the program runs");
    let args: Vec<String> = command.get_args().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let here = command.get_current_dir().unwrap_or(Path::new(".")).to_owned();
    let folders: Vec<PathBuf> = args.iter().map(|arg| here.join(arg)).chain([here.clone()]).collect();
    for text in [&mut output.stdout, &mut output.stderr] {
        if let (true, Ok(words)) = (cfg!(windows), str::from_utf8(text)) {
            *text = with_slashes(words, &args, &folders).into_bytes();
        }
    }
    output
}

/// Returns a text with `/` in paths that begin with one of these arguments, if the argument itself has no `\`, or with a folder in one of these.
fn with_slashes(text: &str, args: &[String], folders: &[PathBuf]) -> String {
    let is_end = |it: char| it.is_whitespace() || ":,;()\"".contains(it);
    let native = args.iter().filter(|arg| !arg.is_empty() && !arg.contains('\\')).map(|arg| arg.replace('/', "\\"));
    let native: Vec<String> = native.collect();
    let is_below = |path: &str| {
        path.split_once('\\')
            .is_some_and(|(first, _)| !first.is_empty() && folders.iter().any(|it| it.join(first).is_dir()))
    };
    let convert = |path: &str| match native.iter().any(|arg| path.starts_with(arg.as_str())) || is_below(path) {
        true => path.replace('\\', "/"),
        false => path.to_owned(),
    };
    text.split_inclusive(is_end).map(convert).collect()
}

/// Returns the root of the project.
pub(crate) fn root() -> &'static Path {
    static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
        // Of tests that were built on Linux, Wine takes it for a path on the drive of the folder in which a program runs.
        std::path::absolute(env!("CARGO_MANIFEST_DIR")).unwrap()
    });
    &ROOT
}

/// Returns the path of the sample install.
pub(crate) fn golden_install() -> PathBuf {
    root().join("golden/install")
}

/// Returns the folder of sample files beside the project, or `None` if it is absent.
pub(crate) fn corpora() -> Option<PathBuf> {
    beside("corpora")
}

/// Returns a folder of `shared`, which lies beside the project on the machines of its developers, or `None` if it is absent.
///
/// `BITEXACT_SHARED` names another place; if it is empty, the folder counts as absent, as for a newcomer. A test that asks in vain adds its
/// name to the file `BITEXACT_ABSENT`, so that `.ci/run` can run these tests, and only these, a second time.
pub(crate) fn beside(name: &str) -> Option<PathBuf> {
    let shared = match std::env::var_os("BITEXACT_SHARED") {
        Some(hidden) if hidden.is_empty() => None,
        Some(named) => Some(PathBuf::from(named)),
        None => Some(root().join("../shared")),
    };
    let found = shared.map(|shared| shared.join(name)).filter(|folder| folder.is_dir());
    let test = std::thread::current().name().filter(|test| *test != "main").map(str::to_owned);
    if let (None, Some(list), Some(test)) = (&found, std::env::var_os("BITEXACT_ABSENT"), test) {
        let list = std::fs::OpenOptions::new().create(true).append(true).open(list);
        list.and_then(|mut list| list.write_all(format!("{test}\n").as_bytes())).expect("the list of absent folders");
    }
    found
}

/// Returns every file below a folder whose kind is known.
pub(crate) fn known_files(folder: &Path, word: &str) -> Vec<Case> {
    let files = install::files(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    files
        .into_iter()
        .filter_map(|file| {
            let bytes = file.read().unwrap_or_else(|error| panic!("{}: {error}", file.shown()));
            let (kind, _) = recognize(KINDS, &file.name(), &bytes)?;
            let path = file.path.strip_prefix(folder).expect("below the folder").to_owned();
            let path = install::Found::new(path, Ok(0)).shown();
            Some(Case { name: format!("{word}/{path}"), kind, bytes, is_large: false })
        })
        .collect()
}
