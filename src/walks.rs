//! Whether walking a model tells what the tape that builds tells of it, for as long as there are both.

use std::hash::BuildHasher as _;
use std::path::Path;

use rustc_hash::FxBuildHasher;

use crate::field::{Datum, Detail, Group, Json, Place, Result, Visitor, What, build, decode, encode, visit, walk};
use crate::registry::{KINDS, recognise};
use crate::zipper::archive::Archive;
use crate::zipper::avi::Avi;
use crate::zipper::bm::Bm;
use crate::zipper::gamez::Gamez;
use crate::zipper::interp::Interp;
use crate::zipper::motion::Motion;
use crate::zipper::reader::Reader;
use crate::zipper::rof::Rof;
use crate::zipper::text_reader::TextReader;
use crate::zipper::texture::Package;
use crate::zipper::wave::Wave;
use crate::zipper::zmap::Zmap;

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
        "archive" => is_walked_as_before::<Archive>(name, bytes),
        "avi" => is_walked_as_before::<Avi>(name, bytes),
        "bm" => is_walked_as_before::<Bm>(name, bytes),
        "gamez" => is_walked_as_before::<Gamez>(name, bytes),
        "interp" => is_walked_as_before::<Interp>(name, bytes),
        "motion" => is_walked_as_before::<Motion>(name, bytes),
        "reader" => is_walked_as_before::<Reader>(name, bytes),
        "rof" => is_walked_as_before::<Rof>(name, bytes),
        "text-reader" => is_walked_as_before::<TextReader>(name, bytes),
        "texture" => is_walked_as_before::<Package>(name, bytes),
        "wave" => is_walked_as_before::<Wave>(name, bytes),
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
