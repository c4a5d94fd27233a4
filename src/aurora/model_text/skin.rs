//! The bones of skins: slots, and the rest pose of every node.
//!
//! Source: `nwn-mdl-text.md`, section 8.6; `nwn-mdl.md`, section 4.6.

use std::collections::HashMap;

use crate::mesh_types::{Constant, MORE_BONES, Skin};
use crate::node::Node;
use crate::numbers::{each_node, preorder};
use field::{F32, I16, single};

use super::words::ORIENTATION;

/// The weights of each vertex, with the names of their bones.
pub(super) type Weights = Vec<Vec<(String, f32)>>;

/// The maximum number of poses of all skins of a model: 34 bytes each.
const MOST_POSES: usize = 1 << 22;

/// A rotation x, y, z, w and a translation.
type Pose = ([f64; 4], [f64; 3]);

/// Binds the skins of a tree, given the weights of its nodes in preorder.
///
/// # Errors
/// Returns the index of a node, and why its skin cannot be bound.
pub(super) fn bind(root: &mut Node, weights: Vec<Option<Weights>>) -> Result<(), (usize, String)> {
    if weights.iter().all(Option::is_none) {
        return Ok(());
    }
    let mut names: HashMap<Vec<u8>, i16> = HashMap::new();
    // Only the first 32,768 nodes can be bones.
    for (index, node) in (0..=i16::MAX).zip(preorder(root)) {
        names.entry(node.head.name.bytes().to_ascii_lowercase()).or_insert(index);
    }
    let mut poses = Vec::new();
    collect(root, &([0.0, 0.0, 0.0, 1.0], [0.0; 3]), &mut poses);
    let skins = weights.iter().flatten().count();
    if skins.checked_mul(poses.len()).is_none_or(|all| all > MOST_POSES) {
        return Err((
            0,
            format!("expected at most {MOST_POSES} poses of all skins: each skin has a pose of every node"),
        ));
    }
    let mut index = 0;
    each_node(root, &mut |node: &mut Node| {
        let at = index;
        index += 1;
        let weights = weights.get(at).and_then(Option::as_ref);
        match (weights, node.skin_mut()) {
            (Some(weights), Some(skin)) => {
                fill(skin, weights, &names, poses.len()).map_err(|why| (at, why))?;
                let own = poses.get(at).copied().unwrap_or_default();
                let inverse: Vec<Pose> = poses.iter().map(|bone| relative(bone, &own)).collect();
                skin.rotations = inverse.iter().map(|([x, y, z, w], _)| stored([*w, *x, *y, *z])).collect();
                skin.translations = inverse.iter().map(|(_, at)| at.map(|it| F32::new(single(it)))).collect();
                skin.constants = poses.iter().map(|_| Constant::default()).collect();
                Ok(())
            }
            _ => Ok(()),
        }
    })
}

/// Returns a rotation w, x, y, z as files have it.
fn stored(turn: [f64; 4]) -> [F32; 4] {
    turn.map(|it| F32::new(single(-it)))
}

fn fill(skin: &mut Skin, weights: &Weights, names: &HashMap<Vec<u8>, i16>, nodes: usize) -> Result<(), String> {
    let mut bones: Vec<i16> = Vec::new();
    // More bones than the game of 2002 has make a skin of the Enhanced Edition.
    let most = usize::try_from(MORE_BONES).unwrap_or(usize::MAX);
    let (mut all_slots, mut all_weights) = (Vec::with_capacity(weights.len()), Vec::with_capacity(weights.len()));
    for row in weights {
        let (mut slots, mut shares) = ([I16::new(-1); 4], [F32::default(); 4]);
        for ((slot, share), (bone, weight)) in slots.iter_mut().zip(&mut shares).zip(row) {
            let node = names.get(bone.to_ascii_lowercase().as_bytes()).copied();
            let node = node.ok_or_else(|| format!("expected the name of a node as a bone, found {bone}"))?;
            let at = bones.iter().position(|known| *known == node).unwrap_or_else(|| {
                bones.push(node);
                bones.len() - 1
            });
            if bones.len() > most {
                return Err(format!("expected at most {most} bones of a skin, found another one: {bone}"));
            }
            slot.set(i16::try_from(at).unwrap_or(-1));
            share.set(*weight);
        }
        all_slots.push(slots);
        all_weights.push(shares);
    }
    let slot = |node: usize| {
        let of = bones.iter().position(|bone| usize::try_from(*bone) == Ok(node));
        I16::new(of.and_then(|slot| i16::try_from(slot).ok()).unwrap_or(-1))
    };
    skin.map = (0..nodes).map(slot).collect();
    let room = if bones.len() > skin.bones.len() { most } else { skin.bones.len() };
    skin.bones = bones.iter().copied().chain(core::iter::repeat(0)).take(room).map(I16::new).collect();
    (skin.slots, skin.weights) = (all_slots.into(), all_weights.into());
    Ok(())
}

/// Collects the poses of a node and all nodes below in preorder.
fn collect(node: &Node, above: &Pose, poses: &mut Vec<Pose>) {
    let first = |number: i32| {
        let key = node.keys.iter().find(|key| key.kind.get() == number)?;
        let at = usize::try_from(key.data_index.get()).ok()?;
        node.data.get(at..at.checked_add(key.width())?)
    };
    let turn = first(ORIENTATION).and_then(|it| <[F32; 4]>::try_from(it).ok());
    let turn = turn.map_or([0.0, 0.0, 0.0, 1.0], |it| it.map(|it| f64::from(it.get())));
    let at =
        first(8).and_then(|it| <[F32; 3]>::try_from(it).ok()).map_or([0.0; 3], |it| it.map(|it| f64::from(it.get())));
    let here = within(&(turn, at), above);
    poses.push(here);
    for child in &node.children {
        collect(child, &here, poses);
    }
}

fn product([a, b, c, d]: [f64; 4], [x, y, z, w]: [f64; 4]) -> [f64; 4] {
    [
        d * x + a * w + b * z - c * y,
        d * y - a * z + b * w + c * x,
        d * z + a * y - b * x + c * w,
        d * w - a * x - b * y - c * z,
    ]
}

fn turned(turn: [f64; 4], [x, y, z]: [f64; 3]) -> [f64; 3] {
    let [a, b, c, d] = turn;
    let [x, y, z, _] = product(product(turn, [x, y, z, 0.0]), [-a, -b, -c, d]);
    [x, y, z]
}

/// Returns a pose within another one as a pose within what that is in.
fn within((turn, at): &Pose, (above, from): &Pose) -> Pose {
    let [x, y, z] = turned(*above, *at);
    let [a, b, c] = *from;
    (product(*above, *turn), [a + x, b + y, c + z])
}

/// Returns the pose of the second within the first.
fn relative((turn, from): &Pose, (own, at): &Pose) -> Pose {
    let [a, b, c, d] = *turn;
    let back = [-a, -b, -c, d];
    let ([x, y, z], [a, b, c]) = (*at, *from);
    (product(back, *own), turned(back, [x - a, y - b, z - c]))
}
