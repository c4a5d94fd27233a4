//! Models. Source: zipper-models.md.

use super::{Built, Game, Spec, floats, links};
use crate::bytes::Bytes;

/// The address of every model's polygons in the memory of the tool.
const POLYGONS: u32 = 0x0500_0000;
/// The address of all other data.
const ADDRESS: u32 = 0x0613_0058;

/// A model. Source: zipper-models.md, section 2.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// 0 default, 1 facade, 2 points.
    pub kind: u32,
    /// The rotation of a facade; not in Recoil.
    pub facade_mode: u32,
    /// Lighting, fog and so on.
    pub flags: u32,
    /// The number of nodes that use it.
    pub parents: u32,
    /// Points.
    pub vertices: Vec<[f32; 3]>,
    /// Normals.
    pub normals: Vec<[f32; 3]>,
    /// Morph targets of the points.
    pub morphs: Vec<[f32; 3]>,
    /// Lights.
    pub lights: Vec<Light>,
    /// Polygons.
    pub polygons: Vec<Polygon>,
    /// Center and half diagonal.
    pub bounds: [f32; 4],
}

/// A light of a model. Source: zipper-models.md, section 3.
#[derive(Clone, Debug)]
pub struct Light {
    /// Leftover memory.
    pub garbage: u32,
    /// All 16 bits.
    pub flags: u16,
    /// Red, green, blue.
    pub color: [f32; 3],
    /// The positions of the light.
    pub points: Vec<[f32; 3]>,
}

/// A polygon. Source: zipper-models.md, section 4.
#[derive(Clone, Debug)]
pub struct Polygon {
    /// The bits other than the numbers of corners and normals.
    pub bits: u32,
    /// Drawn before other polygons.
    pub priority: i32,
    /// Points of the corners.
    pub corners: Vec<u32>,
    /// Normals of the corners, if any.
    pub normals: Vec<u32>,
    /// Materials; only one before Pirate's Moon.
    pub materials: Vec<i32>,
    /// `true` if it has texture coordinates.
    pub uvs: bool,
    /// Zones.
    pub zones: u32,
}

fn points(out: &mut Bytes, points: &[[f32; 3]]) {
    points.iter().for_each(|point| floats(out, point));
}

/// Returns a stale address of `of` items: null for none.
fn address(of: usize) -> u32 {
    if of == 0 { 0 } else { ADDRESS }
}

impl Model {
    /// Returns the counts of first materials, as in Pirate's Moon and Crimson Skies. Source: zipper-models.md, section 6.
    fn references(&self, cycled: &[bool], placed: bool) -> Vec<[u32; 3]> {
        let (mut changing, mut plain): (Vec<[u32; 3]>, Vec<[u32; 3]>) = (vec![], vec![]);
        for (at, polygon) in (0..).zip(&self.polygons) {
            let material = polygon.materials[0] as u32;
            let place = if placed { POLYGONS + 40 * at } else { 0 };
            if cycled.get(material as usize) == Some(&true) {
                changing.push([material, 1, place]);
            } else if let Some(known) = plain.iter_mut().find(|known| known[0] == material) {
                known[1] += 1;
            } else {
                plain.push([material, 1, place]);
            }
        }
        [changing, plain].concat()
    }
}

/// Writes the record of a model.
pub(crate) fn record(out: &mut Bytes, game: Game, model: &Model, cycled: &[bool]) {
    let counts =
        [model.polygons.len(), model.vertices.len(), model.normals.len(), model.morphs.len(), model.lights.len()];
    out.le_u32(model.kind);
    if game >= Game::Mw {
        out.le_u32(model.facade_mode);
    }
    out.le_u32(model.flags).le_u32(model.parents);
    counts.iter().for_each(|&count| _ = out.le_u32(count as u32));
    floats(out, &[0.0, 0.25, -0.0]);
    out.le_u32(0).le_u32(if counts[0] == 0 { 0 } else { POLYGONS });
    [1, 2, 4, 3].iter().for_each(|&at| _ = out.le_u32(address(counts[at])));
    floats(out, &model.bounds);
    if game >= Game::Mw {
        out.le_u32(0);
    }
    if game >= Game::Pm {
        let references = model.references(cycled, true).len();
        out.le_u32(references as u32).le_u32(address(references));
    }
}

/// Writes the data of a model, and marks its parts. A `placed` model belongs to a world.
pub(crate) fn data(built: &mut Built, game: Game, model: &Model, cycled: &[bool], placed: bool) {
    for list in [&model.vertices, &model.normals, &model.morphs] {
        points(&mut built.out, list);
    }
    for (at, light) in model.lights.iter().enumerate() {
        built.mark(format!("light {at}"));
        let out = &mut built.out;
        out.le_i32(0).le_i32(1);
        floats(out, &[1.5]);
        out.le_u32(light.points.len() as u32).fill(0, 8).le_u32(light.garbage);
        floats(out, &light.color);
        out.le_u16(0).le_u16(light.flags).le_u32(ADDRESS);
        floats(out, &[100.0, 200.0, 1.25]);
        out.le_i32(1);
        floats(out, &[300.0, 400.0, 500.0]);
    }
    model.lights.iter().for_each(|light| points(&mut built.out, &light.points));
    for (at, polygon) in model.polygons.iter().enumerate() {
        built.mark(format!("polygon {at}"));
        self::polygon(&mut built.out, game, polygon);
    }
    for (at, polygon) in model.polygons.iter().enumerate() {
        built.mark(format!("polygon data {at}"));
        polygon_data(&mut built.out, game, polygon);
    }
    if game >= Game::Pm {
        built.mark("references");
        let references = model.references(cycled, placed);
        references.iter().flatten().for_each(|&word| _ = built.out.le_u32(word));
    }
}

fn polygon(out: &mut Bytes, game: Game, polygon: &Polygon) {
    let normals = if game >= Game::Pm { 0x1000 } else { 0x200 };
    let normals = if polygon.normals.is_empty() { 0 } else { normals };
    out.le_u32(polygon.bits | normals | polygon.corners.len() as u32).le_i32(polygon.priority);
    out.le_u32(ADDRESS).le_u32(address(polygon.normals.len()));
    let uvs = if polygon.uvs { ADDRESS } else { 0 };
    match game {
        Game::Demo | Game::Rc => out.le_u32(uvs).le_i32(polygon.materials[0]),
        Game::Mw => out.le_u32(uvs).le_u32(ADDRESS).le_u32(ADDRESS).le_i32(polygon.materials[0]),
        Game::Pm | Game::Cs => {
            out.le_u32(polygon.materials.len() as u32).le_u32(ADDRESS).le_u32(uvs).le_u32(ADDRESS).le_u32(ADDRESS)
        }
    };
    out.le_u32(polygon.zones);
}

fn polygon_data(out: &mut Bytes, game: Game, polygon: &Polygon) {
    for &index in polygon.corners.iter().chain(&polygon.normals) {
        out.le_u32(index);
    }
    let groups = if game >= Game::Pm { polygon.materials.len() } else { 1 };
    if game >= Game::Pm {
        polygon.materials.iter().for_each(|&material| _ = out.le_i32(material));
    }
    for group in 0..if polygon.uvs { groups } else { 0 } {
        for corner in 0..polygon.corners.len() {
            floats(out, &[corner as f32 / 4.0, group as f32]);
        }
    }
    if game >= Game::Mw {
        polygon.corners.iter().for_each(|&corner| floats(out, &[255.0, corner as f32, 0.0]));
    }
}

/// Writes the model section.
pub(super) fn section(spec: &Spec, built: &mut Built) {
    let cycled: Vec<bool> = spec.materials.iter().map(|material| material.cycle.is_some()).collect();
    let model = |slot: usize| spec.models.get(slot).and_then(Option::as_ref);
    let mut free: Vec<usize> = (0..spec.model_slots).filter(|&slot| model(slot).is_none()).collect();
    if !spec.model_free_list.is_empty() {
        free.clone_from(&spec.model_free_list);
    }
    let links = links(&free, spec.model_slots, -1);
    built.mark("models");
    built.out.le_u32(spec.model_slots as u32).le_u32(spec.models.iter().flatten().count() as u32);
    built.out.le_i32(free.first().map_or(-1, |&slot| slot as i32));
    let size = spec.game.of([84, 92, 100, 100]);
    for (slot, &next) in links.iter().enumerate() {
        built.mark(format!("model {slot}"));
        match model(slot) {
            Some(model) => {
                record(&mut built.out, spec.game, model, &cycled);
                built.mark(format!("model link {slot}"));
                built.out.le_u32(0);
            }
            None => _ = built.out.fill(0, size).le_i32(next),
        }
    }
    for slot in 0..spec.model_slots {
        if let Some(model) = model(slot) {
            let here = built.out.len();
            built.word(built.marks[&format!("model link {slot}")], here);
            built.mark(format!("model data {slot}"));
            data(built, spec.game, model, &cycled, true);
        }
    }
    built.mark("nodes");
}
