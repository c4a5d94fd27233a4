//! The package for Python: its wheel is built, installed in a clean environment, and passes its own tests there. That its stubs are those
//! of today's formats is tested without Python.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bitexact::exchange::schema;
use bitexact::passes::Sha;
use bitexact::registry::KINDS;

use crate::harness;

/// Runs a program to its end, and panics with its output if it fails. Returns its output.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(output.status.success(), "{command:?}: {}\n{text}", output.status);
    text
}

/// Copies a file or a folder into another folder.
fn copy(from: &Path, into: &Path) {
    let to = into.join(from.file_name().expect("a name"));
    if from.is_dir() {
        fs::create_dir_all(&to).unwrap();
        fs::read_dir(from).unwrap().for_each(|inner| copy(&inner.unwrap().path(), &to));
    } else {
        fs::copy(from, to).unwrap();
    }
}

#[test]
fn wheel_passes_its_tests_in_a_clean_environment() {
    let Some(python) = env::var_os("BITEXACT_PYTHON").map(PathBuf::from) else {
        return eprintln!("skipped: BITEXACT_PYTHON names no Python with maturin");
    };
    let (package, folder) = (harness::root().join("tools/python"), tempfile::tempdir().unwrap());
    let wheels = folder.path().join("wheels");
    let mut build = Command::new(&python);
    build.args(["-m", "maturin", "build", "--profile", "dev", "--compatibility", "linux", "--out"]).arg(&wheels);
    run(build.current_dir(&package).env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("python")));
    let wheel = fs::read_dir(&wheels).unwrap().next().expect("a wheel").unwrap().path();
    assert!(wheel.to_string_lossy().contains("-cp39-abi3-"), "one for all versions: {}", wheel.display());
    let clean = folder.path().join("clean");
    run(Command::new(&python).args(["-m", "venv"]).arg(&clean));
    let python = clean.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "pytest", "mypy"]).arg(&wheel));
    // Beside the sources, Python would import these instead of the wheel.
    for name in ["tests", "examples", "stubs.py", "pyproject.toml"] {
        copy(&package.join(name), folder.path());
    }
    let mut tests = Command::new(&python);
    tests.args(["-m", "pytest", "-q", "-rs"]).current_dir(folder.path());
    tests.env("BITEXACT_GOLDEN", harness::golden_install()).env("BITEXACT_PROGRAM", env!("CARGO_BIN_EXE_bitexact"));
    if let Some(corpora) = harness::corpora() {
        tests.env("BITEXACT_CORPORA", corpora);
    }
    let text = run(&mut tests);
    assert!(text.contains(" passed"), "{text}");
    eprintln!("{text}");
}

#[test]
fn stubs_are_those_of_the_schemas() {
    let folder = harness::root().join("tools/python/bitexact");
    let stubs = fs::read_to_string(folder.join("kinds.pyi")).unwrap();
    let digest = stubs.lines().find_map(|line| line.strip_prefix("SHA-256 of their schemas: ")).expect("a digest");
    let kinds: BTreeSet<&str> = schema::kinds().collect();
    let schemas: String = kinds.into_iter().map(|kind| schema::schema(kind).expect("a schema")).collect();
    assert_eq!(
        digest,
        Sha::of(schemas.as_bytes()).to_string(),
        "run tools/python/stubs.py, as tools/python/README.md says"
    );
    let read = fs::read_to_string(folder.join("_read.pyi")).unwrap();
    let known: BTreeSet<&str> = read.split("Literal[\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(known, KINDS.iter().map(|kind| kind.name).collect(), "run tools/python/stubs.py");
}
