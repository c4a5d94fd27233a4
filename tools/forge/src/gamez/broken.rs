//! Broken files.

use super::samples::{camera, sun, tree, worked_model, world};
use super::{Cycle, Game, Material, Spec, marked};
use crate::Broken;
use crate::random::Random;
use crate::sample::{LIES, cuts};

/// Returns files that cannot be laid out.
pub fn broken(seed: u64) -> Vec<Broken> {
    Game::ALL.into_iter().flat_map(|game| all(game, seed)).collect()
}

/// Returns a world with one item of each counted type.
fn plain(game: Game, seed: u64) -> Spec {
    let random = &mut Random::named(seed, "broken gamez.zbd");
    let mut spec = Spec::new(game);
    let cycle = Cycle { looping: 1, tick: 0, speed: 4.0, frames: vec![0] };
    spec.textures = vec![super::Texture { name: crate::bytes::field(b"rock", b"tif"), image_ptr: 0, mip_index: -1 }];
    spec.materials = vec![Material { cycle: Some(cycle), ..Material::textured(0) }];
    spec.material_slots = 1;
    spec.models = vec![Some(worked_model(game))];
    spec.model_slots = 1;
    spec.nodes = [vec![world(random, game, [1, 1], 0, 1), sun(game), camera(game)], tree(random, game, 2)].concat();
    spec.node_slots = spec.nodes.len();
    spec
}

fn all(game: Game, seed: u64) -> Vec<Broken> {
    let code = if game == Game::Demo { "rc_demo" } else { game.codes()[0] };
    let plain = plain(game, seed);
    let broken = |name: &str, why: &str, edit: &dyn Fn(&mut Spec)| {
        let mut spec = plain.clone();
        edit(&mut spec);
        Broken::new("gamez", &format!("gamez_{code}_{name}.zbd"), super::build(&spec), why)
    };
    let model = if game.is_recoil() { 12 } else { 16 };
    let world = game.of([144, 160, 176, 176]);
    let (grid, lights) = (world - 24, world);
    let light = game.of([220, 200, 248, 248]);
    let lists = if game < Game::Pm { (84, 92) } else { (84, 86) };
    // 32-bit words, then 16-bit ones.
    let words = [
        ("texture_count", "counts", 0),
        ("node_array_size", "counts", 16),
        ("frame_count", "cycle 0", 20),
        ("model_array_size", "models", 0),
        ("polygon_count", "model 0", model),
        ("vertex_count", "model 0", model + 4),
        ("normal_count", "model 0", model + 8),
        ("morph_count", "model 0", model + 12),
        ("light_count", "model 0", model + 16),
        ("light_vertex_count", "light 0", 12),
        ("columns", "node data 0", grid),
        ("rows", "node data 0", grid + 4),
        ("world_lights", "node data 0", lights),
        ("world_sounds", "node data 0", lights + 12),
        ("attached", "node data 1", light),
    ];
    let lies = LIES.into_iter().flat_map(|lie| {
        words.map(|(name, mark, offset)| {
            broken(&format!("{name}_{lie:08x}"), "more than the file has room for", &|spec| spec.lie(mark, offset, lie))
        })
    });
    let narrow =
        [("cell_count", "cell 0", 58), ("parent_count", "node 4", lists.0), ("child_count", "node 3", lists.1)];
    let narrow = [[0xFF, 0xFF], [0xFF, 0x7F], [0, 0x80]].into_iter().flat_map(|lie| {
        narrow.map(|(name, mark, offset)| {
            let name = format!("{name}_{:02x}{:02x}", lie[1], lie[0]);
            broken(&name, "more than the file has room for", &|spec| spec.lies.push((mark, offset, lie.into())))
        })
    });
    let others = [
        broken("class", "a class whose size nobody knows", &|spec| spec.lie("node 3", 52, 7)),
        broken("class_large", "a class whose size nobody knows", &|spec| spec.lie("node 3", 52, u32::MAX)),
        broken("version", "a version that is not", &|spec| spec.lie("header", 4, 28)),
        broken("class_changed", "a class whose data is longer", &|spec| spec.lie("node 4", 52, 1)),
    ];
    let built = marked(&plain);
    let mut places = vec![
        (0, "at its start".to_owned()),
        (6, "in the version".to_owned()),
        (built.marks["end"] - 1, "before its last byte".to_owned()),
    ];
    for (mark, &at) in &built.marks {
        if at > 8 && mark != "end" && at < built.marks["end"] {
            places.push((at, format!("before {mark}")));
            places.push((at + 2, format!("in {mark}")));
        }
    }
    let places: Vec<_> = places.iter().map(|(at, place)| (*at, place.as_str())).collect();
    let file = super::build(&plain);
    let cuts = cuts("gamez", "zbd", &file, &places).into_iter();
    let cuts = cuts.map(|cut| Broken { name: format!("gamez_{code}_{}", cut.name), ..cut });
    lies.chain(narrow).chain(others).chain(cuts).collect()
}
