//! Walking a model through `&` tells what visiting it through `&mut` does, as long as there are both.

use std::path::{Path, PathBuf};

use crate::field::{Datum, Detail, Group, Json, Place, Result, Visitor, What, build, decode, encode, hex, visit, walk};
use crate::format::Format;

/// Writes down all that it is told.
struct Listener {
    detail: Detail,
    judges: bool,
    lines: Vec<String>,
}

impl Visitor for Listener {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        let Datum { place, offset, bytes, what } = datum;
        let what = match what {
            What::Fields(layout, rules) => format!("{} by {:?}", layout.name, rules.map(hex)),
            What::Value(item) => format!("value of {}", item.size),
            What::Count(leaf) => format!("count in {}", leaf.name),
            What::Block(item, rules) => format!("each of {} by {:?}", item.size, rules.map(hex)),
            What::Text(page) => format!("text in {}", page.name()),
            What::Coded(coding, census) => format!("{} {census:?}", coding.name),
            What::Run(run) => format!("{run:?}"),
        };
        self.lines.push(format!("{offset} {place} {what} {}", hex(bytes)));
        Ok(())
    }

    fn enter(&mut self, group: Group, place: &Place, offset: u64) {
        self.lines.push(format!("{offset} {place} {group:?}"));
    }

    fn leave(&mut self, group: Group, place: &Place, offset: u64) {
        self.lines.push(format!("{offset} {place} {group:?} ends"));
    }

    fn holds(&mut self, place: &Place) {
        self.lines.push(format!("{place} holds"));
    }

    fn counts(&self) -> bool {
        self.judges
    }

    fn deviates(&mut self, place: &Place, offset: u64, expected: Json, found: Json) {
        self.lines.push(format!("{offset} {place} {expected:?} {found:?}"));
    }

    fn fact(&mut self, place: &Place, fact: Json) {
        self.lines.push(format!("{place} {fact:?}"));
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

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

fn walks_as_it_is_visited<M: Format + build::Lay + walk::Lay>() {
    let mut paths = Vec::new();
    for folder in ["golden/install", "golden/regressions", "../shared/corpora"] {
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut paths);
    }
    let mut known = 0;
    for path in paths {
        let Ok(file) = std::fs::read(&path) else { continue };
        if M::recognise(&file).is_none() {
            continue;
        }
        let Ok(decoded) = decode::<M>(file.clone()) else { continue };
        let mut model = decoded.model;
        known += 1;
        assert!(walk::encode(&model).expect("it is walked") == file, "{}", path.display());
        assert_eq!(walk::size(&model), file.len() as u64, "{}", path.display());
        for (detail, judges) in [(Detail::Places, true), (Detail::Places, false), (Detail::Entries, true)] {
            let listener = || Listener { detail, judges, lines: Vec::new() };
            let (mut walked, mut visited) = (listener(), listener());
            walk::visit(&model, &mut walked).expect("it is walked");
            visit(&mut model, &mut visited).expect("it is visited");
            for (walked, visited) in walked.lines.iter().zip(&visited.lines) {
                assert_eq!(walked, visited, "{}", path.display());
            }
            assert_eq!(walked.lines.len(), visited.lines.len(), "{}", path.display());
        }
        assert!(encode(&mut model).expect("it is written") == file, "{}", path.display());
    }
    assert!(known > 0, "no file of kind {}", M::NAME);
}

macro_rules! walked {
    ($($name:ident: $format:ty,)*) => { $(
        #[test]
        fn $name() {
            walks_as_it_is_visited::<$format>();
        }
    )* };
}

walked! {
    archive_walks_as_it_is_visited: super::archive::Archive,
    film_walks_as_it_is_visited: super::avi::Avi,
    map_walks_as_it_is_visited: super::zmap::Zmap,
    motion_walks_as_it_is_visited: super::motion::Motion,
    rof_archive_walks_as_it_is_visited: super::rof::Rof,
    scripts_walk_as_they_are_visited: super::interp::Interp,
    sound_walks_as_it_is_visited: super::wave::Wave,
    text_reader_walks_as_it_is_visited: super::text_reader::TextReader,
    textures_walk_as_they_are_visited: super::texture::Package,
    world_walks_as_it_is_visited: super::gamez::Gamez,
}
