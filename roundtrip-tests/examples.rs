//! The examples print the documented output over the sample install.

use std::fs;

use bitexact::edit::diff::Change;
use bitexact::field::decode;
use bitexact::kind::Container as _;
use bitexact::verify::Status;
use bitexact::zipper::gamez::Gamez;

use crate::harness;

#[allow(dead_code, reason = "each has a main function, which takes its arguments from the command line")]
#[path = "../tools/examples"]
mod example {
    pub(super) mod draw_level;
    pub(super) mod halve_explosions;
    pub(super) mod list_meshes;
    pub(super) mod rename_node;
    pub(super) mod texture_census;
    pub(super) mod verify_folder;
    pub(super) mod walk_archive;
}

use example::{draw_level, halve_explosions, list_meshes, rename_node, texture_census, verify_folder, walk_archive};

/// Returns the output of an example for a file of the sample install.
fn written(
    path: &str,
    example: impl Fn(&std::path::Path, &mut Vec<u8>) -> Result<(), Box<dyn std::error::Error>>,
) -> String {
    let mut text = Vec::new();
    example(&harness::golden_install().join(path), &mut text).unwrap_or_else(|error| panic!("{path}: {error}"));
    String::from_utf8(text).expect("it is UTF-8")
}

#[test]
fn rename_node_changes_only_the_name() {
    let folder = tempfile::tempdir().unwrap();
    let (world, output) = (harness::golden_install().join("mw/zbd/c1/gamez.zbd"), folder.path().join("gamez.zbd"));
    let names = |file: Vec<u8>| -> Vec<String> {
        decode::<Gamez>(file).unwrap().model.nodes().map(|node| node.name()).collect()
    };
    let mut expected = names(fs::read(&world).unwrap());
    let old = expected[0].clone();
    rename_node::rename(&world, &old, "renamed", &output).unwrap();
    expected[0] = "renamed".to_owned();
    assert_eq!(names(fs::read(&output).unwrap()), expected);

    rename_node::rename(&output, "renamed", &old, &output).unwrap();
    assert!(fs::read(&output).unwrap() == fs::read(&world).unwrap(), "renamed back, it is the same file");
    let error = rename_node::rename(&world, &old, &"long".repeat(10), &output).unwrap_err();
    assert_eq!(error.to_string(), "expected text of at most 36 bytes, found 40");
    assert_eq!(rename_node::rename(&world, "nobody", "a", &output).unwrap_err().to_string(), "no node has this name");
}

#[test]
fn list_meshes_lists_worlds_libraries_and_models() {
    insta::with_settings!({snapshot_path => "../golden/snapshots", prepend_module_to_snapshot => false}, {
        let lists = ["mw/zbd/c1/gamez.zbd", "mw/zbd/mechlib.zbd", "pm/zbd/mechlib.zbd", "nwn/override/c_boar.mdl"]
            .map(|path| format!("{path}\n{}", written(path, list_meshes::list)));
        insta::assert_snapshot!("example_list_meshes", lists.join("\n"));
    });
    let error = list_meshes::list(&harness::golden_install().join("rc/maps/m1.zmap"), &mut Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), "no meshes in files of the kind zmap");
}

#[test]
fn texture_census_lists_the_textures_of_all_packages() {
    let census = written("rc", texture_census::census);
    let mut expected = vec!["package,texture,width,height,colors".to_owned()];
    for file in bitexact::install::files(&harness::golden_install().join("rc")).unwrap() {
        let bytes = fs::read(&file.path).unwrap();
        let Some((kind, _)) = bitexact::registry::recognize(bitexact::registry::KINDS, &file.name(), &bytes) else {
            continue;
        };
        if kind.name != "texture" {
            continue;
        }
        let package: bitexact::zipper::texture::Package = decode(bytes).unwrap().model;
        let name = file.path.strip_prefix(harness::golden_install().join("rc")).unwrap().display().to_string();
        for (slot, image) in package.directory.iter().zip(&package.images) {
            let (width, height, colors) = (image.head.width, image.head.height, image.head.palette_count);
            expected.push(format!("{name},{},{width},{height},{colors}", slot.name));
        }
    }
    assert!(expected.len() > 10);
    assert_eq!(census.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn halve_explosions_changes_only_their_damage() {
    let folder = tempfile::tempdir().unwrap();
    let (model, output) = (harness::golden_install().join("m1/Physics.phys"), folder.path().join("halved.phys"));
    let halved = halve_explosions::halve(&model, &output).unwrap();
    assert!(halved > 0);
    let (old, new) = (fs::read(&model).unwrap(), fs::read(&output).unwrap());
    let kind = bitexact::registry::named(bitexact::registry::KINDS, "physics").unwrap();
    let changes = bitexact::edit::changes_between(kind, old.into(), new.into()).unwrap();
    assert!(!changes.is_empty());
    for change in &changes {
        let Change::Set { at, .. } = change else { panic!("{change:?}") };
        let place = at.to_string();
        assert!(place.ends_with("/damage/base") || place.ends_with("/damage/random"), "{place}");
    }
    let error = halve_explosions::halve(&harness::golden_install().join("rc/maps/m1.zmap"), &output).unwrap_err();
    assert_eq!(error.to_string(), "expected a physics model of Marathon");
}

#[test]
fn draw_level_draws_all_lines_also_of_wrapped_maps() {
    for map in ["m2/Map.sceA", "m1/Maps/Comment.scen"] {
        let svg = written(map, draw_level::draw);
        let drawn = roxmltree::Document::parse(&svg).unwrap();
        let lines = drawn.descendants().filter(|node| node.has_tag_name("line")).count();
        let file = bitexact::open(harness::golden_install().join(map)).unwrap().unwrapped().unwrap();
        let wad: &bitexact::marathon::wad::Wad = file.model().unwrap();
        let level = wad.levels().next().unwrap();
        assert_eq!(lines, level.entry.entry("LINS").unwrap().content.lines().unwrap().len(), "{map}");
        assert!(lines > 0, "{map}");
    }
}

#[test]
fn walk_archive_lists_the_entries() {
    insta::with_settings!({snapshot_path => "../golden/snapshots", prepend_module_to_snapshot => false}, {
        let lists = ["mw/zbd/mechlib.zbd", "mw/zbd/motion.zbd", "rc/zbd/soundsl.zbd"]
            .map(|path| format!("{path}\n{}", written(path, walk_archive::walk)));
        insta::assert_snapshot!("example_walk_archive", lists.join("\n"));
    });
}

#[test]
fn verify_folder_verifies_every_file_in_order() {
    let (mut paths, mut counts) = (Vec::new(), Vec::new());
    let folder = harness::golden_install().join("rc");
    let statuses = verify_folder::verify(&folder, |done, file, _| {
        paths.push(file.shown());
        counts.push(done);
    })
    .unwrap();
    assert_eq!(statuses.into_iter().collect::<Vec<_>>(), [(Status::Identical, paths.len())]);
    assert!(paths.len() > 20 && paths.is_sorted());
    assert_eq!(counts, (1..=paths.len()).collect::<Vec<_>>());
}
