//! Coordinates that arithmetic and decimal digits lose easily: negative zeros and numbers below the smallest normal one. A retail model
//! of Crimson Skies has both. Source: `zipper-models.md`, section 8.

use bitexact::field::{Datum, Result, Visitor, encode, visit};
use bitexact::kind::Kind;
use bitexact::media::gltf::Scene;
use bitexact::registry::{KINDS, named, recognize};

use super::import::{differing, import, is_unedited, move_vertex};
use super::{sample, scene};
use crate::harness;

/// The bits that model 447 of C3 has, and those of -0.0.
const BITS: [u32; 3] = [0x0000_0003, 0x8000_0006, 0x8000_0000];

/// Files with models: one of each game, and of each kind.
const FILES: [&str; 7] = [
    "rc_m1_gamez.zbd",
    "mw_c1_gamez.zbd",
    "pm_c1_gamez.zbd",
    "cs_c1_gamez.zbd",
    "mw_mechlib.zbd",
    "pm_mechlib.zbd",
    "c_boar.mdl",
];

/// The lists of points and directions in models, and the positions of nodes.
const LISTS: [&str; 8] =
    ["vertices", "normals", "uv_coords", "translate", "position", "texture_vertices", "colors", "textures"];

/// Collects the offsets of the coordinates in lists.
#[derive(Default)]
struct Coordinates(Vec<(String, u64)>);

impl Visitor for Coordinates {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        let mut offset = datum.offset;
        datum.owners(&mut |owner| {
            let place = owner.place.to_string();
            let is_in = |list: &&str| place.split('/').any(|step| step == *list);
            if owner.bytes.len() == 4 && place.ends_with(|it: char| it.is_ascii_digit()) && LISTS.iter().any(is_in) {
                self.0.push((place, offset));
            }
            offset += owner.bytes.len() as u64;
        });
        Ok(())
    }
}

/// Returns a file with such values in place of every second coordinate that is a small number already, and the number of them.
fn planted(name: &str) -> (&'static Kind, Vec<u8>, usize) {
    let mut bytes = sample(name);
    let (kind, _) = recognize(KINDS, name, &bytes).unwrap();
    let mut found = Coordinates::default();
    visit(&(kind.decode)(bytes.clone().into()).unwrap().model, &mut found).unwrap();
    let is_float = |bytes: &[u8]| {
        let value = f32::from_le_bytes(bytes.try_into().unwrap()).abs();
        value == 0.0 || (1e-6..1e6).contains(&value)
    };
    let mut count = 0;
    for (number, (_, offset)) in found.0.iter().enumerate().step_by(2) {
        let at = usize::try_from(*offset).unwrap();
        if is_float(&bytes[at..at + 4]) {
            bytes[at..at + 4].copy_from_slice(&BITS[number / 2 % BITS.len()].to_le_bytes());
            count += 1;
        }
    }
    (kind, bytes, count)
}

#[test]
fn tiny_coordinates_survive_the_exchange_format() {
    for name in FILES {
        let (kind, bytes, count) = planted(name);
        assert!(count > 20, "{name}: {count} coordinates");
        let model = (kind.decode)(bytes.clone().into()).unwrap().model;
        assert!(encode(&model).unwrap() == bytes, "{name}");
        let files = harness::unpacked(kind, &bytes);
        let text: String = files.values().map(|it| String::from_utf8_lossy(it).into_owned()).collect();
        assert!(["4e-45", "-8e-45", "-0.0"].iter().all(|it| text.contains(it)), "{name}");
        assert!(harness::packed(files).unwrap() == bytes, "{name}");
    }
}

#[test]
fn tiny_coordinates_survive_export_and_import() {
    for name in FILES {
        let (_, bytes, _) = planted(name);
        assert!(is_unedited(name, &bytes), "{name}");
    }
}

/// Returns a scene as a program writes it that has neither negative zeros nor numbers below the normal ones.
fn flushed(mut scene: Scene) -> Scene {
    let flush = |value: &mut f32| {
        if value.abs() < f32::MIN_POSITIVE {
            *value = 0.0;
        }
    };
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.positions.iter_mut().flatten().for_each(flush);
        primitive.normals.iter_mut().flatten().for_each(flush);
        primitive.coordinates.iter_mut().flatten().for_each(flush);
    }
    for node in &mut scene.nodes {
        node.transform.translation.iter_mut().for_each(flush);
    }
    scene
}

#[test]
fn programs_without_tiny_numbers_change_none() {
    for name in FILES {
        let (_, bytes, _) = planted(name);
        let scene = flushed(scene(name, bytes.clone(), &[]).unwrap());
        let (code, said, result) = import(name, &bytes, &scene);
        assert_eq!(code, 0, "{name}: {said}");
        assert!(result.unwrap() == bytes, "{name}: {said}");
    }
}

#[test]
fn edit_beside_tiny_coordinates_keeps_their_bits() {
    for name in &FILES[..4] {
        let (_, bytes, _) = planted(name);
        let mut scene = flushed(scene(name, bytes.clone(), &[]).unwrap());
        let mesh = scene.nodes.iter().find_map(|node| node.mesh).unwrap();
        move_vertex(&mut scene, mesh, 2.5);
        let (code, said, result) = import(name, &bytes, &scene);
        assert_eq!(code, 0, "{name}: {said}");
        assert!(differing(&bytes, &result.unwrap()).len() <= 4, "{name}: {said}");
    }
}

#[test]
fn tiny_numbers_of_readers_survive_their_text() {
    let text = named(KINDS, "reader").and_then(|kind| kind.text).unwrap();
    for bits in BITS {
        let values = forge::reader::list([forge::reader::Value::Float(bits)]);
        let bytes = forge::reader::build(&forge::reader::Spec::new(values));
        let written = text.write(&bytes).unwrap();
        assert_eq!((text.read)(&written).as_ref(), Ok(&bytes), "{}", String::from_utf8_lossy(&written));
    }
}
