//! Unusual models. Source: nwn-mdl.md, sections 7.3, 8 and 10.

use super::Profile;
use super::file::{File, Region, Section};
use super::geometry::{Spec, regions};
use super::mesh::{Mesh, Shape};
use super::node::{Body, Key, Light, Node};
use super::samples::{creature, effect, model, plain};
use crate::random::Random;
use crate::{Sample, Size};

/// An unusual model, or an unusual layout.
struct Odd {
    name: &'static str,
    words: &'static str,
    deviates: bool,
    spec: fn(&mut Random, Size) -> Spec,
    edit: fn(&mut File),
}

const fn kept(
    name: &'static str,
    words: &'static str,
    spec: fn(&mut Random, Size) -> Spec,
    edit: fn(&mut File),
) -> Odd {
    Odd { name, words, deviates: false, spec, edit }
}

const fn reported(
    name: &'static str,
    words: &'static str,
    spec: fn(&mut Random, Size) -> Spec,
    edit: fn(&mut File),
) -> Odd {
    Odd { name, words, deviates: true, spec, edit }
}

/// Returns a model of one mesh below the root.
fn one_mesh(random: &mut Random, profile: Profile, mesh: Mesh) -> Spec {
    let node = Node::new("mesh", 0, Body::Mesh(mesh));
    model(random, (profile, "plc_chest", 0), vec![node], &[], Size::Tiny)
}

fn side(size: Size) -> usize {
    if size == Size::Tiny { 0 } else { 3 }
}

fn triangle(random: &mut Random, size: Size) -> Spec {
    one_mesh(random, Profile::B, Mesh::sheet(Shape::Plain, side(size)))
}

fn two_triangles(random: &mut Random, size: Size) -> Spec {
    let mesh = || Node::new("mesh", 0, Body::Mesh(Mesh::sheet(Shape::Plain, side(size))));
    model(random, (Profile::B, "plc_chests", 0), vec![mesh(), mesh()], &[], Size::Tiny)
}

fn empties(random: &mut Random, _: Size) -> Spec {
    one_mesh(random, Profile::B, Mesh::empty(Shape::Plain))
}

fn keyed(random: &mut Random, profile: Profile, keys: Vec<Key>) -> Spec {
    let mut spec = plain(random, profile);
    spec.geometry.keys = keys;
    spec
}

fn two_keys(random: &mut Random, _: Size) -> Spec {
    let keys = vec![Key::new(8, &[0.0, 0.5], 3, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]), Key::new(36, &[0.0], 1, &[1.0])];
    keyed(random, Profile::B, keys)
}

fn flares(random: &mut Random, _: Size) -> Spec {
    let light = Light { flares: vec!["fxpa_flare", "fxpa_flareb", "fx"] };
    let node =
        Node { keys: vec![Key::new(76, &[0.0], 3, &[1.0, 1.0, 0.5])], ..Node::new("sun", 0, Body::Light(light)) };
    model(random, (Profile::A, "plc_sun", 0), vec![node], &[], Size::Tiny)
}

fn skin(random: &mut Random, profile: Profile, bones: usize, room: usize, size: Size) -> Spec {
    let count = bones + 2;
    let mut children: Vec<_> = (0..bones).map(|_| Node::new("bone", 0, Body::Dummy)).collect();
    let bones: Vec<i16> = (1..=bones as i16).collect();
    let mesh = Mesh::sheet(Shape::Skin(count, bones, room), side(size));
    children.push(Node::new("skin", 0, Body::Mesh(mesh)));
    model(random, (profile, "c_worm", 4), children, &[], Size::Tiny)
}

fn walk(random: &mut Random, _: Size) -> Spec {
    one_mesh(random, Profile::B, Mesh::sheet(Shape::Aabb, 2))
}

fn family(random: &mut Random, _: Size) -> Spec {
    let keys = || vec![Key::new(8, &[0.0], 3, &[1.0, 2.0, 3.0])];
    let node = |name| Node { keys: keys(), ..Node::new(name, 0, Body::Dummy) };
    let first = Node { children: vec![node("hand")], ..node("arm") };
    model(random, (Profile::B, "c_doll", 4), vec![first, node("leg")], &["walk"], Size::Tiny)
}

/// Moves the geometry before the animations in the model data. Source: nwn-mdl.md, section 7.3.
fn geometry_first(file: &mut File) {
    let at = |file: &File, name: &str| file.regions.iter().position(|it| it.name == name).expect("a region");
    let (first, geometry) = (at(file, "animations"), at(file, "geometry"));
    file.regions[first..].rotate_left(geometry - first);
}

fn nothing(_: &mut File) {}

const TRAPS: &[Odd] = &[
    kept("flares.mdl", "lens flares, so that what follows lies at odd offsets", flares, nothing),
    kept("aabb.mdl", "a tree of boxes", walk, nothing),
    kept(
        "anim_mesh.mdl",
        "a mesh with sets of vertices and texture coordinates",
        |random, size| one_mesh(random, Profile::B, Mesh::sheet(Shape::Anim(2, 1), side(size))),
        nothing,
    ),
    kept(
        "bezier.mdl",
        "a controller with two more points for each",
        |random, _| {
            let values: Vec<f32> = (0..18).map(|it| it as f32).collect();
            keyed(random, Profile::B, vec![Key::new(8, &[0.0, 1.0], 0x13, &values), Key::new(36, &[0.0], 1, &[1.0])])
        },
        nothing,
    ),
    kept(
        "detonate.mdl",
        "a controller of -1 columns, which has times and no values",
        |random, _| keyed(random, Profile::B, vec![Key::new(502, &[0.5], 0xFF, &[])]),
        nothing,
    ),
    kept(
        "strips.mdl",
        "triangle strips instead of triangles",
        |random, _| {
            let lists = Some(vec![vec![0, 1, 2, 0]]);
            one_mesh(random, Profile::B, Mesh { mode: 4, lists, ..Mesh::sheet(Shape::Plain, 0) })
        },
        nothing,
    ),
    reported(
        "two_lists.mdl",
        "two lists of vertices",
        |random, _| {
            let lists = Some(vec![vec![0, 1, 2], vec![2, 1, 0]]);
            one_mesh(random, Profile::B, Mesh { lists, ..Mesh::sheet(Shape::Plain, 0) })
        },
        nothing,
    ),
    reported(
        "empty_list.mdl",
        "a list of no vertices behind one of three",
        |random, _| {
            let lists = Some(vec![vec![0, 1, 2], vec![]]);
            one_mesh(random, Profile::A, Mesh { lists, ..Mesh::sheet(Shape::Plain, 0) })
        },
        nothing,
    ),
    kept(
        "four_textures.mdl",
        "four sets of texture coordinates",
        |random, size| one_mesh(random, Profile::B, Mesh { textures: 4, ..Mesh::sheet(Shape::Plain, side(size)) }),
        nothing,
    ),
    kept(
        "tangents.mdl",
        "two of the six streams behind the colors: tangents, and the signs of bitangents",
        |random, size| {
            let streams = vec![(3, 12), (5, 4)];
            one_mesh(random, Profile::B, Mesh { streams, ..Mesh::sheet(Shape::Plain, side(size)) })
        },
        nothing,
    ),
    kept("skin_18.mdl", "a skin of 18 bones", |random, size| skin(random, Profile::A, 18, 18, size), nothing),
    kept("skin_64.mdl", "a skin with room for 64 bones", |random, size| skin(random, Profile::B, 3, 64, size), nothing),
    kept(
        "dead_data.mdl",
        "floats that no controller tells of",
        |random, _| {
            let mut spec = plain(random, Profile::A);
            spec.geometry.dead = vec![0.0, 0.5, 1.0, -0.0];
            spec
        },
        nothing,
    ),
    kept(
        "twin_keys.mdl",
        "two controllers of one type",
        |random, _| {
            keyed(random, Profile::B, vec![Key::new(108, &[0.0], 3, &[1.0; 3]), Key::new(108, &[0.0], 3, &[0.5; 3])])
        },
        nothing,
    ),
    kept(
        "super_model.mdl",
        "part numbers and a node count that only the super model tells",
        |random, size| {
            let mut spec = effect(random, Profile::B, size);
            (spec.super_model, spec.inherited) = ("a_ba", 71);
            (spec.geometry.children[0].part, spec.geometry.children[1].part) = (-1, 40);
            let root = &mut spec.animations[0].root;
            (root.children[0].part, root.children[1].part) = (-1, 40);
            spec
        },
        nothing,
    ),
    kept("nan.mdl", "both sorts of NaN and -0.0 in controller data", two_keys, |file| {
        file.region("geometry/data").word(8, 0xFFC1_2345).word(12, 0x7FA0_0001).word(16, 0x8000_0000);
    }),
    kept(
        "full_name.mdl",
        "names that fill their fields",
        |random, _| plain(random, Profile::B),
        |file| {
            file.region("geometry").put(0x20, &[b'x'; 32]);
            file.region("model").put(8, &[b'y'; 64]);
        },
    ),
    kept(
        "high_bytes.mdl",
        "a name that is not ASCII",
        |random, _| plain(random, Profile::B),
        |file| {
            file.region("geometry").put(0x20, b"\x80\xFF\xE4");
        },
    ),
    kept(
        "functions.mdl",
        "function addresses of neither program",
        |random, _| plain(random, Profile::B),
        |file| {
            file.region("geometry").put(0, &[0x11; 24]);
        },
    ),
    kept(
        "two_parts.mdl",
        "a node that is a light and an emitter",
        |random, _| plain(random, Profile::B),
        |file| {
            let node = file.region("geometry");
            node.bytes.resize(0x70 + 0x5C + 0xD8, 0);
            node.word(0x6C, 7);
        },
    ),
    reported("event_order.mdl", "events that are not in order", effect_a, |file| {
        file.region("animation/0/events").floats(0, &[9.5]);
    }),
    reported(
        "node_count.mdl",
        "a node count that is one too many",
        |random, _| plain(random, Profile::B),
        |file| {
            file.region("model").word(0x4C, 2);
        },
    ),
    reported(
        "animation_count.mdl",
        "an animation that counts more nodes than it has",
        |random, size| {
            let mut spec = effect(random, Profile::A, size);
            spec.animations[0].surplus = 3;
            spec
        },
        nothing,
    ),
    reported("part_number.mdl", "a part number that is not that of preorder", family, |file| {
        file.region("geometry/1").word(0x1C, 7);
        file.region("animation/0/root/1").word(0x1C, 7);
    }),
    reported("no_such_part.mdl", "a node of an animation whose part number is not the node's", family, |file| {
        file.region("animation/0/root/0").word(0x1C, 2);
    }),
    reported("allocated.mdl", "arrays with room to spare", family, |file| {
        file.region("geometry").word(0x50, 9);
        file.region("geometry/0").word(0x5C, 0);
    }),
    reported("stray.mdl", "pointers of empty things that point anywhere", empties, |file| {
        file.region("geometry").word(0x54, 0x7000_0000);
        file.region("geometry/0").word(0x78, 0x123).word(0x204, 0xE8).word(0x22C, 0x44).word(0x234, 8);
    }),
    reported("no_streams.mdl", "vertices that are counted, but nowhere", empties, |file| {
        file.region("geometry/0").put(0x230, &[5, 0]);
    }),
    reported("reserved.mdl", "values in fields that are always zero", triangle, |file| {
        file.region("model").put(0x71, &[1]);
        file.region("geometry/0").word(0x220, 3).word(0x1EC, 0xE8).word(0x26C, 1);
    }),
    reported("geometry_type.mdl", "geometries of other types", family, |file| {
        file.region("model").put(0x6C, &[0x82]);
        file.region("animation/0").put(0x6C, &[1]);
    }),
    reported("list_differs.mdl", "a list of vertices that is not that of the faces", triangle, |file| {
        file.region("geometry/0/indices/0").put(0, &[2, 0]);
    }),
    reported("texture_count.mdl", "texture coordinates that are not counted", triangle, |file| {
        file.region("geometry/0").put(0x232, &[0, 0]);
    }),
    reported("key_indices.mdl", "a controller that points outside the floats", two_keys, |file| {
        file.region("geometry/keys").put(12 + 8, &[0xFF, 0x7F]);
    }),
    reported("times.mdl", "times that do not ascend", two_keys, |file| {
        file.region("geometry/data").floats(0, &[3.0]);
    }),
    reported(
        "bone_map.mdl",
        "a bone map that is not the inverse of the bone parts",
        |random, size| skin(random, Profile::B, 2, 18, size),
        |file| {
            file.region("geometry/2/map").put(0, &[1, 0]);
        },
    ),
    reported("box.mdl", "a box that is not that of the vertices", triangle, |file| {
        file.region("geometry/0").floats(0x84, &[-77.0]);
    }),
    reported("geometry_first.mdl", "the geometry before the animations", family, geometry_first),
    reported("keys_first.mdl", "controllers before children, as other compilers have them", family, |file| {
        for path in ["geometry", "geometry/0", "geometry/1"] {
            for name in ["keys", "data"] {
                let taken = file.regions.iter().any(|region| region.name == format!("{path}/{name}"));
                let region = if taken { file.take(&format!("{path}/{name}")) } else { continue };
                file.put_before(&format!("{path}/children"), region);
            }
        }
    }),
    reported("order.mdl", "every region in the opposite order", two_triangles, |file| {
        file.regions[1..].reverse();
    }),
    reported(
        "cursors_in_disorder.mdl",
        "empty things of program A, and the geometry first",
        |random, size| creature(random, Profile::A, size),
        geometry_first,
    ),
    reported(
        "gap.mdl",
        "a gap of zeros and one of something in the model data, one in the raw data",
        triangle,
        |file| {
            let gap = |section, bytes: &[u8]| Region { bytes: bytes.into(), ..Region::new("gap", section, 0) };
            file.put_before("geometry/0", gap(Section::Model, &[0; 4]));
            file.put_before("geometry", gap(Section::Model, b"gap"));
            file.put_before("geometry/0/normals", gap(Section::Raw, b"raw gap"));
            file.regions.push(gap(Section::Model, b"end"));
        },
    ),
    reported("trailing.mdl", "bytes behind the raw data", triangle, |file| file.trailing = b"left over".into()),
    reported(
        "trailing_dummy.mdl",
        "a byte behind a model without raw data",
        |random, _| plain(random, Profile::A),
        |file| {
            file.trailing = vec![0];
        },
    ),
    reported("shared_streams.mdl", "two meshes on the same streams", two_triangles, |file| {
        for name in ["vertices", "normals", "colors", "coordinates/0", "indices/0"] {
            file.share(&format!("geometry/1/{name}"), &format!("geometry/0/{name}"));
        }
    }),
    reported("shared_faces.mdl", "two meshes on the same faces", two_triangles, |file| {
        file.share("geometry/1/faces", "geometry/0/faces");
    }),
    reported("shared_name.mdl", "two flares of one name", flares, |file| {
        file.share("geometry/0/flare/1", "geometry/0/flare/2");
    }),
    reported("shared_keys.mdl", "two nodes on the same controllers", family, |file| {
        for name in ["keys", "data"] {
            file.share(&format!("geometry/1/{name}"), &format!("geometry/0/0/{name}"));
        }
    }),
    reported("normals_as_vertices.mdl", "normals and vertices that are the same bytes", triangle, |file| {
        file.share("geometry/0/normals", "geometry/0/vertices");
    }),
    reported("aabb_order.mdl", "boxes whose right halves come first", walk, |file| {
        let at = file.regions.iter().position(|region| region.name == "geometry/0/aabb/1").expect("a box");
        let end = file.regions.iter().rposition(|region| region.name.contains("/aabb/")).expect("a box");
        file.regions[at..=end].reverse();
    }),
];

fn effect_a(random: &mut Random, size: Size) -> Spec {
    let mut spec = effect(random, Profile::A, size);
    spec.animations[0].events = vec![(0.0, "hit"), (0.5, "cast")];
    spec
}

/// Returns the unusual models.
pub(super) fn traps(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |odd: &Odd| {
        let mut random = Random::named(seed, odd.name);
        let spec = (odd.spec)(&mut random, size);
        let mut file = regions(&spec, random);
        (odd.edit)(&mut file);
        Sample {
            name: odd.name.into(),
            kind: "mdl",
            games: &["nwn"],
            bytes: file.write(),
            trap: Some(odd.words),
            deviates: odd.deviates,
        }
    };
    TRAPS.iter().map(sample).collect()
}

/// Returns the regions of small models for broken files.
pub(super) fn breakable(seed: u64) -> [File; 4] {
    let file = |name: &str, spec: fn(&mut Random, Size) -> Spec| {
        let mut random = Random::named(seed, name);
        let spec = spec(&mut random, Size::Tiny);
        regions(&spec, random)
    };
    [file("family", family), file("walk", walk), file("flares", flares), file("mesh", two_triangles)]
}
