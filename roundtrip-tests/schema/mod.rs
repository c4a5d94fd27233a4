//! The JSON Schemas of the exchange format: they are those of the layout tables, and every unpacked sample fits them.

mod gather;
mod write;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use bitexact::exchange::schema::{SCHEMAS, kinds, schema};
use bitexact::exchange::{About, contents};
use bitexact::passes::Sha;
use boon::{Compiler, ErrorKind, SchemaIndex, Schemas, ValidationError};
use forge::Size;
use serde_json::{Value, json};

use crate::harness::{self, Case, Files, golden_install, known_files};
use gather::{Kinds, gather, parse};

/// All samples, and what their documents contain.
static KNOWN: LazyLock<(Vec<Case>, Kinds)> = LazyLock::new(|| {
    let mut cases = harness::forged(Size::Small, "small");
    cases.extend(known_files(&golden_install(), "golden"));
    let mut kinds = Kinds::new();
    cases.iter().for_each(|case| gather(case, &mut kinds));
    (cases, kinds)
});

#[test]
fn schemas_are_those_of_the_layout_tables_and_the_samples() {
    let is_updated = std::env::var("INSTA_UPDATE").is_ok_and(|it| it == "always");
    let mut wrong = Vec::new();
    for (kind, seen) in &KNOWN.1 {
        let text = write::write(kind, seen);
        if schema(kind) != Some(text.as_str()) {
            match is_updated {
                true => {
                    let path = harness::root().join(format!("src/exchange/schema/{kind}.json"));
                    std::fs::write(path, &text).expect("can be written");
                }
                false => wrong.push(kind.as_str()),
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "out of date: {wrong:?}; run this with INSTA_UPDATE=always, list new kinds in src/exchange/schema/mod.rs, and review"
    );
    let unknown: Vec<_> = kinds().filter(|kind| !KNOWN.1.contains_key(*kind)).collect();
    assert!(unknown.is_empty(), "no sample has {unknown:?}");
}

/// Returns the files of an unpacked folder with its schemas.
fn unpacked(case: &Case) -> Files {
    let model = (case.kind.decode)(case.bytes.clone().into()).expect("decodes").model;
    let about = About { kind: case.kind, games: &[], sha256: Sha::of(&case.bytes), deviations: &[] };
    contents(&model, about).expect("unpacks").with_schemas().files
}

/// Validates documents by the schemas that they name.
#[derive(Default)]
struct Editor {
    schemas: Schemas,
    known: BTreeMap<String, SchemaIndex>,
}

impl Editor {
    /// Returns what an editor would mark in a file of an unpacked folder, or `None` if the file names no schema.
    fn marks(&mut self, files: &Files, path: &str, document: &Value) -> Option<Vec<String>> {
        let named = document.get("$schema")?.as_str()?.trim_start_matches("../").to_owned();
        let schemas = &mut self.schemas;
        let schema = self.known.entry(named).or_insert_with_key(|named| {
            assert!(files.contains_key(named), "{path} names {named}: list its kind in src/exchange/schema/mod.rs");
            let address = |path: &str| format!("http://folder/{path}");
            let mut compiler = Compiler::new();
            for (path, text) in files.iter().filter(|(path, _)| path.starts_with(SCHEMAS) && path.ends_with(".json")) {
                compiler.add_resource(&address(path), parse(text).expect("is flat")).expect("is a schema");
            }
            compiler.compile(&address(named), schemas).unwrap_or_else(|error| panic!("{error:#}"))
        });
        let mut found = Vec::new();
        if let Err(error) = self.schemas.validate(document, *schema) {
            mark(&error, path, &mut found);
        }
        Some(found)
    }
}

/// Adds an error; if no alternative is valid, the errors of the one that goes deepest.
fn mark(error: &ValidationError<'_, '_>, path: &str, found: &mut Vec<String>) {
    fn depth(error: &ValidationError<'_, '_>) -> usize {
        error.causes.iter().map(depth).max().unwrap_or(error.instance_location.to_string().matches('/').count())
    }
    match (&error.kind, error.causes.as_slice()) {
        (_, []) => found.push(format!("{path}: {error}")),
        (ErrorKind::AnyOf, causes) => {
            let deepest = causes.iter().rev().max_by_key(|cause| depth(cause));
            deepest.into_iter().for_each(|cause| mark(cause, path, found));
        }
        (_, causes) => causes.iter().for_each(|cause| mark(cause, path, found)),
    }
}

/// Returns what an editor would mark in unpacked files, and the number of documents with a schema.
fn check(cases: &[Case]) -> (Vec<String>, usize) {
    let (mut marks, mut checked) = (Vec::new(), 0);
    let mut editor = Editor::default();
    for case in cases {
        let files = unpacked(case);
        for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".json") && !path.starts_with(SCHEMAS)) {
            if let Some(document) = parse(text)
                && let Some(found) = editor.marks(&files, path, &document)
            {
                checked += 1;
                marks.extend(found.into_iter().map(|mark| format!("{}: {}", case.name, mark)));
            }
        }
    }
    (marks, checked)
}

#[test]
fn every_unpacked_sample_fits_its_schema() {
    let (marks, checked) = check(&KNOWN.0);
    assert!(marks.is_empty(), "{} marks:\n{}", marks.len(), marks[..marks.len().min(40)].join("\n"));
    assert!(checked > 1000, "{checked}");
}

#[test]
fn every_unpacked_file_of_the_corpora_fits_its_schema() {
    let Some(corpora) = harness::corpora() else {
        return eprintln!("no corpora beside the project: nothing is tested");
    };
    let mut cases = known_files(&corpora, "corpora");
    // Some must be refused.
    cases.retain(|case| (case.kind.decode)(case.bytes.clone().into()).is_ok());
    let (marks, checked) = check(&cases);
    assert!(marks.is_empty(), "{} marks:\n{}", marks.len(), marks[..marks.len().min(40)].join("\n"));
    assert!(checked > 1000, "{checked}");
}

#[test]
fn mistakes_are_marked() {
    let case = KNOWN.0.iter().find(|case| case.kind.name == "motion").expect("there are motions");
    let files = unpacked(case);
    let manifest = parse(&files["bitexact.json"]).expect("is flat");
    let mut editor = Editor::default();
    let mut marks = |document: &Value| editor.marks(&files, "bitexact.json", document).expect("names a schema");
    assert_eq!(marks(&manifest), [""; 0]);
    let mut edited = manifest.clone();
    edited["data"]["loop_time"] = json!(2.5);
    assert_eq!(marks(&edited), [""; 0]);
    for (way, value, expected) in [
        ("loop_tyme", json!(1.5), "loop_tyme"),
        ("loop_time", json!("long"), "/data/loop_time"),
        ("parts", json!([{"flags": "ROTATOR"}]), "/data/parts/0/flags"),
    ] {
        let mut edited = manifest.clone();
        edited["data"][way] = value;
        let found = marks(&edited);
        assert!(found.len() == 1 && found[0].contains(expected), "{found:?}");
    }
}
