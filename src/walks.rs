//! Whether walking a model tells what the tape that builds tells of it, for as long as there are both.

use std::hash::BuildHasher as _;
use std::path::Path;

use rustc_hash::FxBuildHasher;

use crate::aurora::model::Model;
use crate::field::{
    Datum, Detail, Group, Json, Place, Result, Visitor, What, build, decode, encode, fill_in, visit, walk,
};
use crate::registry::{KINDS, recognise};
use crate::zipper::{anim, anim::Anim, messages::Dll, motion::Motion, zmap::Zmap};

/// Everything that a visitor is told, compared with what another was told.
struct Recorder<'a> {
    detail: Detail,
    judges: bool,
    told: Vec<u64>,
    before: Option<&'a [u64]>,
}

impl Recorder<'_> {
    fn tell(&mut self, what: std::fmt::Arguments<'_>) {
        let what = what.to_string();
        let hash = FxBuildHasher.hash_one(&what);
        if let Some(before) = self.before {
            assert_eq!(before.get(self.told.len()), Some(&hash), "walked otherwise: {what:.600}");
        }
        self.told.push(hash);
    }
}

impl Visitor for Recorder<'_> {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        let mut owners = Vec::new();
        datum.owners(&mut |owner| owners.push(format!("{} {:?}", owner.place, owner.class)));
        let rules = match datum.what {
            What::Fields(_, rules) | What::Block(_, rules) => rules,
            _ => None,
        };
        self.tell(format_args!("{} at {}: {:?} {owners:?} {rules:?}", datum.place, datum.offset, datum.bytes));
        Ok(())
    }

    fn enter(&mut self, group: Group, place: &Place, offset: u64) {
        self.tell(format_args!("into {group:?} {place} at {offset}"));
    }

    fn leave(&mut self, group: Group, place: &Place, offset: u64) {
        self.tell(format_args!("out of {group:?} {place} at {offset}"));
    }

    fn holds(&mut self, place: &Place) {
        self.tell(format_args!("{place} holds"));
    }

    fn counts(&self) -> bool {
        self.judges
    }

    fn deviates(&mut self, place: &Place, offset: u64, expected: Json, found: Json) {
        self.tell(format_args!("{place} at {offset}: {expected}, not {found}"));
    }

    fn fact(&mut self, place: &Place, fact: Json) {
        self.tell(format_args!("{place} is {fact}"));
    }

    fn wants_facts(&self) -> bool {
        true
    }

    fn detail(&self) -> Detail {
        self.detail
    }

    fn judges(&self) -> bool {
        self.judges
    }
}

fn is_walked_as_before<M: build::Lay + walk::Lay + Default>(name: &str, bytes: &[u8]) {
    let mut model = decode::<M>(bytes.to_vec()).unwrap_or_else(|error| panic!("{name}: {error}")).model;
    assert!(walk::encode(&model).unwrap_or_else(|error| panic!("{name}: {error}")) == bytes, "{name}");
    assert!(walk::size(&model) == bytes.len() as u64, "{name}");
    for (detail, judges) in [(Detail::Places, true), (Detail::Places, false), (Detail::Entries, false)] {
        let mut walked = Recorder { detail, judges, told: Vec::new(), before: None };
        walk::visit(&model, &mut walked).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut visited = Recorder { detail, judges, told: Vec::new(), before: Some(&walked.told) };
        visit(&mut model, &mut visited).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(walked.told.len(), visited.told.len(), "{name}");
    }
    assert!(encode(&mut model).expect("encodes") == bytes, "{name}");
}

fn walk_if_converted(name: &str, kind: &str, bytes: &[u8]) -> bool {
    match kind {
        "anim" => is_walked_as_before::<Anim>(name, bytes),
        "mdl" => is_walked_as_before::<Model>(name, bytes),
        "messages" => is_walked_as_before::<Dll>(name, bytes),
        "motion" => is_walked_as_before::<Motion>(name, bytes),
        "zmap" => is_walked_as_before::<Zmap>(name, bytes),
        _ => return false,
    }
    true
}

#[test]
fn walking_tells_the_same_as_visiting() {
    let mut walked = 0;
    for size in [forge::Size::Tiny, forge::Size::Small] {
        for sample in forge::samples(7, size) {
            walked += u32::from(walk_if_converted(&sample.name, sample.kind, &sample.bytes));
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["golden", "../shared/corpora"] {
        let Ok(files) = crate::install::files(&root.join(folder)) else {
            eprintln!("{folder} is absent: its files are not walked");
            continue;
        };
        for file in files {
            let bytes = file.read().expect("readable");
            let known = recognise(KINDS, &file.name(), &bytes);
            if let Some((kind, _)) = known.filter(|(kind, _)| (kind.decode)(bytes.clone().into()).is_ok()) {
                walked += u32::from(walk_if_converted(&file.shown().to_string(), kind.name, &bytes));
            }
        }
    }
    eprintln!("{walked} files walked");
    assert!(walked > 0);
}

/// Changes the first file of a kind that is forged, and expects a walk to take it only when it says what it holds.
fn is_refused_until_filled_in<M: build::Lay + walk::Lay + Default>(kind: &str, change: impl Fn(&mut M)) {
    let samples = forge::samples(7, forge::Size::Small);
    let sample = samples.into_iter().find(|sample| sample.kind == kind).expect("forged");
    let mut model = decode::<M>(sample.bytes.clone()).expect("decodes").model;
    change(&mut model);
    walk::encode(&model).expect_err("not settled");
    fill_in(&mut model).expect("fills in");
    let walked = walk::encode(&model).expect("settled");
    assert!(walked != sample.bytes, "nothing has changed");
    assert!(walked == encode(&mut model).expect("encodes"));
    assert!(walk::encode(&decode::<M>(walked.clone()).expect("decodes").model).expect("encodes") == walked);
}

#[test]
fn walking_refuses_models_that_are_not_settled() {
    is_refused_until_filled_in::<Anim>("anim", |anim| match &mut anim.body {
        anim::Body::Recoil(body) => body.definitions.truncate(1),
        anim::Body::MechWarrior3(body) => body.definitions.truncate(1),
        anim::Body::PiratesMoon(body) => body.definitions.truncate(1),
        anim::Body::CrimsonSkies(body) => body.definitions.truncate(1),
    });
    is_refused_until_filled_in::<Dll>("messages", |dll| dll.stub.edit(|stub| stub.extend([0; 16])));
    is_refused_until_filled_in::<Model>("mdl", |model| model.root.children.clear());
}
