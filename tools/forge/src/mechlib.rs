//! 'Mech models (`mechlib.zbd`): entries of an archive. Source: zipper-mechlib.md.

use crate::archive::{self, Content, Entry};
use crate::bytes::{Bytes, field};
use crate::gamez::{Built, class_data, material, model_data, model_record, node_base};
use crate::gamez::{Class, Game, Material, Model, Node, model, object, tree, worked_model};
use crate::random::Random;
use crate::sample::{Trap, kept, reported};
use crate::{Sample, Size};

/// A library. Source: zipper-mechlib.md, section 1.
#[derive(Clone, Debug)]
pub struct Spec {
    /// MechWarrior 3 or Pirate's Moon.
    pub game: Game,
    /// The entry `version`, which selects the records.
    pub version: u32,
    /// The entry `format`.
    pub format: u32,
    /// The entry `materials`: each with the name of its texture.
    pub materials: Vec<(Material, Vec<u8>)>,
    /// The other entries.
    pub trees: Vec<Tree>,
    /// `true` if the three entries that are not models come first.
    pub first: bool,
    /// Bytes to overwrite: entry, offset, new bytes.
    pub lies: Vec<(&'static str, usize, Vec<u8>)>,
}

/// A node, its model, and its children. Source: zipper-mechlib.md, section 3.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The base record; it has a model if its index is not 0.
    pub node: Node,
    /// The model.
    pub model: Option<Model>,
    /// The child nodes.
    pub children: Vec<Tree>,
}

/// Returns the entries of a library.
pub fn entries(spec: &Spec) -> Vec<(String, Vec<u8>)> {
    let word = |word: u32| word.to_le_bytes().to_vec();
    let others = [("format", word(spec.format)), ("version", word(spec.version)), ("materials", materials(spec))];
    let others = others.map(|(name, data)| (name.to_owned(), data));
    let trees = (0..).zip(&spec.trees).map(|(at, tree)| (format!("mech{at}.flt"), build_tree(spec.game, tree)));
    let mut entries: Vec<_> =
        if spec.first { others.into_iter().chain(trees).collect() } else { trees.chain(others).collect() };
    for (entry, offset, bytes) in &spec.lies {
        let (_, data) = entries.iter_mut().find(|(name, _)| name == entry).expect("the library has the entry");
        data[*offset..offset + bytes.len()].copy_from_slice(bytes);
    }
    entries
}

/// Writes the archive.
pub fn build(spec: &Spec) -> Vec<u8> {
    let entry = |(name, data): (String, Vec<u8>)| Entry {
        flags: 2,
        comment: field(format!("c:\\mechlib\\{name}").as_bytes(), b""),
        time: 0x01BE_9D0A_1234_5678,
        ..Entry::new(name.as_bytes(), data)
    };
    let entries = entries(spec).into_iter().map(entry).collect();
    archive::build(&archive::Spec::new(if spec.game == Game::Pm { 2 } else { 1 }, Content::Unknown, entries))
}

/// Writes the entry `materials`. Source: zipper-mechlib.md, section 2.
fn materials(spec: &Spec) -> Vec<u8> {
    let mut out = Bytes::new();
    out.le_u32(spec.materials.len() as u32);
    for (of, name) in &spec.materials {
        material(&mut out, spec.game, of, of.texture.unwrap_or(0));
        if of.texture.is_some() {
            out.le_u32(name.len() as u32).raw(name);
        }
    }
    out.finish()
}

/// Writes a tree.
fn build_tree(game: Game, tree: &Tree) -> Vec<u8> {
    let mut built = Built::default();
    node(&mut built, game, tree, 0);
    built.out.finish()
}

fn node(built: &mut Built, game: Game, tree: &Tree, parents: usize) {
    let base = Node { model: if tree.model.is_some() { 0x0123_4560 } else { 0 }, ..tree.node.clone() };
    node_base(&mut built.out, game, &base, [parents, tree.children.len()]);
    class_data(built, game, &base.class);
    if let Some(model) = &tree.model {
        model_record(&mut built.out, game, model, &[]);
        model_data(built, game, model, &[], false);
    }
    tree.children.iter().for_each(|child| node(built, game, child, 1));
}

/// Returns a tree of `nodes` nodes, each except for the first a child of the previous or of the first; objects have models.
fn ordinary_tree(random: &mut Random, game: Game, nodes: i32, polygons: u32, materials: u32) -> Tree {
    let nodes = tree(random, game, nodes);
    let with_model = |node: Node| {
        let object = matches!(node.class, Class::Object { .. });
        let model = object.then(|| model(random, game, polygons, materials));
        let flags = if object { node.flags | 0x200 } else { node.flags };
        // Models made of polygons are drawn by the hardware.
        let model = model.map(|model| Model { flags: model.flags | 0x80, ..model });
        Tree { node: Node { flags, ..node }, model, children: vec![] }
    };
    let mut trees = nodes.into_iter().map(with_model).collect::<Vec<_>>().into_iter();
    let mut root = trees.next().expect("there is a node");
    let mut deep: Option<Tree> = None;
    for mut tree in trees {
        if random.below(2) == 0 {
            root.children.push(tree);
        } else {
            tree.children.extend(deep.take());
            deep = Some(tree);
        }
    }
    root.children.extend(deep);
    root
}

/// Returns a library of a size class.
pub fn ordinary(random: &mut Random, game: Game, size: Size) -> Spec {
    let (trees, nodes, polygons) = match size {
        Size::Tiny => (1, 2, 1),
        Size::Small => (4, 7, 5),
        Size::Retail => RETAIL,
    };
    Spec { first: size == Size::Small, ..library(random, game, trees, nodes, polygons) }
}

/// The 55 models of the retail library, which has 58 entries and 2.4 MB, with nodes and polygons such that ours is as large. Source:
/// zipper-mechlib.md, section 1.
pub const RETAIL: (usize, i32, u32) = (55, 20, 26);

/// Returns a library of this many trees, nodes per tree and polygons per model.
pub fn library(random: &mut Random, game: Game, trees: usize, nodes: i32, polygons: u32) -> Spec {
    let materials = vec![
        (Material::textured(0x0181_AA00), b"met01".to_vec()),
        (Material::colored([1.0, 2.0, 3.0]), vec![]),
        (Material::textured(0), b"a_name_longer_than_twenty.tif".to_vec()),
    ];
    Spec {
        game,
        version: game.version(),
        format: 1,
        trees: (0..trees).map(|_| ordinary_tree(random, game, nodes, polygons, 3)).collect(),
        materials,
        first: false,
        lies: vec![],
    }
}

/// Returns a root without a model and a child with the model measured in the format specs. Source: zipper-mechlib.md, section 3.4.
fn worked(game: Game) -> Spec {
    let random = &mut Random::named(0, "worked tree");
    let child = Tree { node: object(random, game, 0), model: Some(worked_model(game)), children: vec![] };
    let root = Tree { node: object(random, game, -1), model: None, children: vec![child] };
    let materials = vec![(Material::colored([9.0; 3]), vec![]), (Material::textured(7), b"met01".to_vec())];
    Spec { game, version: game.version(), format: 1, materials, trees: vec![root], first: false, lies: vec![] }
}

/// Returns libraries of a size class, ordinary ones first.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, game: Game| {
        let spec = ordinary(&mut Random::named(seed, name), game, size);
        Sample::of(name, "archive", game.codes(), spec, None, build)
    };
    let ordinary = [sample("mw_mechlib.zbd", Game::Mw), sample("pm_mechlib.zbd", Game::Pm)];
    let trap =
        |game: Game, trap: &Trap<Spec>| Sample::of(trap.name, "archive", game.codes(), worked(game), Some(trap), build);
    let traps = [(Game::Mw, TRAPS), (Game::Pm, TRAPS_PM)];
    let traps = traps.iter().flat_map(|&(game, traps)| traps.iter().map(move |it| trap(game, it)));
    ordinary.into_iter().chain(traps).collect()
}

const TRAPS: &[Trap<Spec>] = &[
    kept("mechlib_first.zbd", "the version before the models", |spec| spec.first = true),
    reported("mechlib_format.zbd", "another format", |spec| spec.format = 2),
    reported("mechlib_version.zbd", "a version that is not", |spec| spec.version = 28),
    reported("mechlib_rgb.zbd", "a packed color", |spec| spec.lies.push(("materials", 6, vec![1]))),
    reported("mechlib_soil.zbd", "a soil", |spec| spec.lies.push(("materials", 36, vec![3]))),
    reported("mechlib_cycle.zbd", "a cycle", |spec| spec.lies.push(("materials", 40, vec![3]))),
    kept("mechlib_no_materials.zbd", "no materials", |spec| spec.materials.clear()),
    kept("mechlib_same_names.zbd", "two textures of one name, and one without any", |spec| {
        let twin = spec.materials[1].clone();
        spec.materials.extend([twin.clone(), (twin.0, vec![])]);
    }),
    reported("mechlib_unk196.zbd", "a number that the class does not have", |spec| {
        spec.lies.push(("mech0.flt", 196, vec![0]));
    }),
    reported("mechlib_children_null.zbd", "children without an address", |spec| {
        spec.lies.push(("mech0.flt", 96, vec![0; 4]));
    }),
    kept("mechlib_deep.zbd", "twelve levels", |spec| {
        for _ in 0..12 {
            let root = spec.trees.remove(0);
            spec.trees = vec![Tree { children: vec![root.clone()], ..root }];
            spec.trees[0].model = None;
        }
    }),
];

const TRAPS_PM: &[Trap<Spec>] = &[
    kept("mechlib_update_flags.zbd", "left-over update flags", |spec| {
        spec.lies.push(("mech0.flt", 44, vec![0x81, 0xB2]));
    }),
    kept("mechlib_without_nodes.zbd", "no model at all", |spec| spec.trees.clear()),
];

#[cfg(test)]
mod tests {
    use super::{entries, worked};
    use crate::gamez::Game;

    /// Source: zipper-mechlib.md, sections 2 and 3.4.
    #[test]
    fn entries_have_the_sizes_of_the_spec() {
        for (game, size) in [(Game::Mw, 1052), (Game::Pm, 1080)] {
            let entries = entries(&worked(game));
            let sizes: Vec<_> = entries.iter().map(|(name, data)| (name.as_str(), data.len())).collect();
            assert_eq!(sizes, [("mech0.flt", size), ("format", 4), ("version", 4), ("materials", 93)]);
        }
    }
}
