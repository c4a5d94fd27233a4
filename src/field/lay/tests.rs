//! While both are there: the tape that builds, visiting, tells the same as the one that walks.

use std::path::{Path, PathBuf};

use super::super::visit::{Datum, Detail, Group, Visitor, What};
use super::super::{Json, Lay, Place, Result, build, decode, visit, walk};
use crate::format::Format;
use crate::registry::{KINDS, recognise};

/// A line for everything that is told.
#[derive(Default)]
struct Log(Vec<String>);

impl Visitor for Log {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        let what = match datum.what {
            What::Fields(layout, rules) => format!("{} {rules:?}", layout.name),
            What::Value(item) => format!("value of {}", item.size),
            What::Count(leaf) => format!("count {}", leaf.name),
            What::Block(item, rules) => format!("block of {} {rules:?}", item.size),
            What::Text(page) => page.name().to_owned(),
            What::Coded(_, census) => format!("coded {census:?}"),
            What::Run(run) => format!("{run:?}"),
        };
        self.0.push(format!("{} {} {:?} {what}", datum.place, datum.offset, datum.bytes));
        Ok(())
    }
    fn enter(&mut self, group: Group, place: &Place, offset: u64) {
        self.0.push(format!("{place} {offset} {group:?}"));
    }
    fn leave(&mut self, group: Group, place: &Place, offset: u64) {
        self.0.push(format!("{place} {offset} end of {group:?}"));
    }
    fn holds(&mut self, place: &Place) {
        self.0.push(format!("{place} holds"));
    }
    fn counts(&self) -> bool {
        true
    }
    fn deviates(&mut self, place: &Place, offset: u64, expected: Json, found: Json) {
        self.0.push(format!("{place} {offset} {expected} {found}"));
    }
    fn fact(&mut self, place: &Place, fact: Json) {
        self.0.push(format!("{place} {fact}"));
    }
    fn wants_facts(&self) -> bool {
        true
    }
    fn detail(&self) -> Detail {
        Detail::Places
    }
    fn judges(&self) -> bool {
        true
    }
}

fn agrees<F: Format + walk::Lay>(path: &Path, file: Vec<u8>) {
    let Ok(decoded) = decode::<F>(file) else { return };
    let mut model = decoded.model;
    let (mut walked, mut visited) = (Log::default(), Log::default());
    walk::visit(&model, &mut walked).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    visit(&mut model, &mut visited).expect("visits");
    for (walked, visited) in walked.0.iter().zip(&visited.0) {
        assert!(walked == visited, "{}:\nwalk  {walked:.400}\nvisit {visited:.400}", path.display());
    }
    assert_eq!(walked.0.len(), visited.0.len(), "{}", path.display());
    let _ = |model: &mut F, t: &mut build::Tape<'_>| Lay::lay(model, t);
}

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() { files(&path, all) } else { all.push(path) }
    }
}

#[test]
fn walking_tells_what_visiting_tells() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    files(&root.join("golden"), &mut all);
    files(&root.join("../shared/corpora"), &mut all);
    if let Some(more) = std::env::var_os("LAY_FILES") {
        files(Path::new(&more), &mut all);
    }
    let mut counts = std::collections::BTreeMap::new();
    for path in all {
        let Ok(file) = std::fs::read(&path) else { continue };
        if file.len() > 20_000_000 {
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some((kind, _)) = recognise(KINDS, &name, &file) else { continue };
        *counts.entry(kind.name).or_insert(0) += 1;
        macro_rules! kinds {
            ($($of:ty),* $(,)?) => {
                $(if kind.name == <$of>::NAME {
                    agrees::<$of>(&path, file.clone());
                })*
            };
        }
        kinds!(
            crate::zipper::zmap::Zmap,
            crate::zipper::motion::Motion,
            crate::marathon::applesingle::AppleSingle,
            crate::marathon::macbinary::MacBinary,
            crate::marathon::film::Film,
            crate::marathon::physics::Physics,
            crate::marathon::picture::PictureFile,
            crate::marathon::resources::ResourceFork,
            crate::marathon::shapes::Shapes,
            crate::marathon::shapes::ShapesPatch,
            crate::marathon::sounds::Sounds,
            crate::marathon::wad::Wad,
        );
    }
    println!("{counts:?}");
}
