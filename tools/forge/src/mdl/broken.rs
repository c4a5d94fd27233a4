//! Broken files. Source: nwn-mdl.md, section 9.

use super::file::File;
use super::traps::breakable;
use crate::Broken;
use crate::sample::{LIES, cuts};

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    let [family, walk, flares, mesh] = breakable(seed);
    let broken = |name: &str, why: &str, file: &File, edit: &dyn Fn(&mut File)| {
        let mut file = file.clone();
        edit(&mut file);
        Broken::new("mdl", &format!("mdl_{name}.mdl"), file.write(), why)
    };
    let lies = LIES.into_iter().flat_map(|lie| {
        let name = |field: &str| format!("{field}_{lie:08x}");
        let word = |field: &str, why: &str, file: &File, region: &'static str, at: usize| {
            broken(&name(field), why, file, &|file| _ = file.region(region).unlink(at, lie))
        };
        [
            word("animations", "more animations than the file has room for", &family, "model", 0x7C),
            word("root", "a root outside the model data", &family, "model", 0x48),
            word("children", "more children than the file has room for", &family, "geometry", 0x4C),
            word("child", "a child outside the model data", &family, "geometry/children", 0),
            word("keys", "more controllers than the file has room for", &family, "geometry/0", 0x58),
            word("data", "more floats than the file has room for", &family, "geometry/0", 0x64),
            word("faces", "more faces than the file has room for", &mesh, "geometry/0", 0x7C),
            word("list", "more vertices in a list than the file has room for", &mesh, "geometry/0/counts", 0),
            word("box", "a box outside the model data", &walk, "geometry/0", 0x270),
            word("flare", "a name outside the model data", &flares, "geometry/0/flares", 0),
            broken(&name("model_size"), "model data larger than the file", &family, &|file| file.lies[0] = lie),
            broken(&name("raw_size"), "raw data larger than the file", &family, &|file| file.lies[1] = lie),
        ]
    });
    let link = |name: &str, why: &str, file: &File, region: &str, at: usize, to: &str| {
        broken(name, why, file, &|file| _ = file.region(region).unlink(at, 0).link(at, to))
    };
    let others = [
        broken("zero", "something else, by its first word", &family, &|file| file.zero = 1),
        broken("no_root", "no root", &family, &|file| _ = file.region("model").unlink(0x48, 0)),
        link(
            "child_of_itself",
            "a table of children that lies in the node itself",
            &family,
            "geometry",
            0x48,
            "geometry",
        ),
        link("own_child", "a node that is its own child", &family, "geometry/children", 0, "geometry"),
        link("grandparent", "a node that is its child's child", &family, "geometry/0/children", 0, "geometry/0"),
        link("two_parents", "a node with two parents", &family, "geometry/children", 4, "geometry/0/0"),
        link("animation_twice", "an animation that is the geometry", &family, "animation/0", 0x48, "geometry"),
        link("box_to_parent", "a box in itself", &walk, "geometry/0/aabb/1", 0x18, "geometry/0/aabb/0"),
        link("box_twice", "a box in two boxes", &walk, "geometry/0/aabb/0", 0x1C, "geometry/0/aabb/1"),
        link("keys_in_node", "controllers that lie in a node", &family, "geometry/0", 0x54, "geometry/0"),
        link("other_type", "faces that lie where boxes are", &walk, "geometry/0", 0x78, "geometry/0/aabb/0"),
        broken("overlap", "vectors that overlap", &mesh, &|file| _ = file.region("geometry/1").unlink(0x22C, 4)),
        broken("null_keys", "a null pointer to controllers", &family, &|file| {
            _ = file.region("geometry/0").unlink(0x54, 0)
        }),
        broken("null_list", "a list of vertices that is nowhere", &mesh, &|file| {
            file.region("geometry/0/lists").unlink(0, u32::MAX);
        }),
        broken("camera", "a camera, whose size nobody knows", &family, &|file| {
            _ = file.region("geometry").word(0x6C, 9)
        }),
        broken("unknown_flag", "a flag of a part that nobody knows", &family, &|file| {
            file.region("geometry").word(0x6C, 0x401);
        }),
        broken("skin_without_mesh", "a skin without a mesh", &family, &|file| {
            file.region("geometry").word(0x6C, 0x41);
        }),
        broken("two_meshes", "a dangling skin", &mesh, &|file| _ = file.region("geometry/0").word(0x6C, 0x161)),
        broken("lists_differ", "more lists of vertices than are counted", &mesh, &|file| {
            file.region("geometry/0").word(0x214, 0);
        }),
        broken("name_without_end", "a name without a NUL", &flares, &|file| {
            let at = file.regions.iter().position(|region| region.name == "geometry/0/flare/0").expect("a name");
            for region in &mut file.regions[at..] {
                region.links.clear();
                region.bytes.fill(b'x');
            }
        }),
        broken("raw_past_end", "vertices past the end", &mesh, &|file| {
            file.region("geometry/0").unlink(0x22C, 0x7000);
        }),
        broken("deep", "nodes in nodes in nodes", &family, &|file| *file = deep(2000)),
    ];
    let file = mesh.write();
    let places = [
        (3, "in the first word"),
        (11, "in the header"),
        (12, "before the model data"),
        (12 + 0x50, "in the model"),
        (12 + 0xE8, "before the geometry"),
        (12 + 0xE8 + 0x80, "in a node"),
        (file.len() - 1, "before its last byte"),
    ];
    let cuts = cuts("mdl", "mdl", &file, &places);
    let cuts = cuts.into_iter().map(super::broken::named);
    lies.chain(others).chain(cuts).collect()
}

/// Prefixes the name, because names of broken files are unique among all kinds.
fn named(broken: Broken) -> Broken {
    Broken { name: format!("mdl_{}", broken.name), ..broken }
}

/// Returns a model with nested nodes.
fn deep(levels: usize) -> File {
    use super::Profile;
    use super::file::{Region, Section};
    use super::geometry::regions;
    use super::samples::plain;
    use crate::random::Random;
    let mut random = Random::new(0);
    let spec = plain(&mut random, Profile::B);
    let mut file = regions(&spec, random);
    for level in 0..levels {
        let (table, child) = (format!("table/{level}"), format!("child/{level}"));
        let parent = if level == 0 { "geometry".into() } else { format!("child/{}", level - 1) };
        file.region(&parent).array(0x48, &table, 1);
        let mut region = Region::new(table, Section::Model, 4);
        region.link(0, &child);
        file.regions.push(region);
        let mut node = Region::new(child, Section::Model, 0x70);
        node.word(0x6C, 1);
        file.regions.push(node);
    }
    file
}
