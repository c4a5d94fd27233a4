//! The differences between a scene that has just been made and one that has been through another program.
//!
//! Programs change more than the user does. These are no differences:
//!
//! * noise in the last digits of transforms and coordinates; a quaternion of the opposite sign; a negative scale on another axis;
//! * vertices in another order, split or merged; polygons cut into other triangles of the same corners;
//! * `.001` after a name; names for nodes without one;
//! * nodes between two others that move nothing; colors, normals and coordinates where the file has none.

use std::collections::{BTreeMap, HashMap};

use super::faces::{self, MeshEdit};
use super::read::Given;
use super::tracks::{self, TrackEdit};
use super::vector::{HERE, Place, Vector, inverse, length, minus, within};
use super::{Node, Scene, Transform};

/// What has changed in a scene.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    pub(crate) nodes: Vec<NodeEdit>,
    pub(crate) meshes: Vec<MeshEdit>,
    pub(crate) tracks: Vec<TrackEdit>,
    /// What the other program has added or left out that is not an edit, with counts.
    pub(crate) ignored: BTreeMap<&'static str, usize>,
}

/// A changed node.
#[derive(Debug)]
pub(crate) struct NodeEdit {
    /// The node in the scene that has just been made.
    pub(crate) node: usize,
    pub(crate) name: Option<String>,
    /// The new offset, if it has changed.
    pub(crate) translation: Option<Vector>,
    /// The new transform, if its rotation or scale has changed.
    pub(crate) turned: Option<Transform>,
}

impl Edits {
    pub(super) fn ignore(&mut self, what: &'static str, count: usize) {
        if count > 0 {
            let known = self.ignored.entry(what).or_default();
            *known = known.saturating_add(count);
        }
    }
}

/// The tolerance of transforms, as a fraction of the distance.
const NEAR: f32 = 1e-5;
/// The tolerance of offsets, as a fraction of the distance from the origin: Blender computes them from positions in the world.
const NEAR_IN_WORLD: f32 = 1e-6;

/// Returns the name without the number that importers append to repeated names.
pub(super) fn stem(name: &str) -> &str {
    let numbered = name.rsplit_once('.').filter(|(stem, number)| {
        !stem.is_empty() && number.len() == 3 && number.bytes().all(|digit| digit.is_ascii_digit())
    });
    numbered.map_or(name, |(stem, _)| stem)
}

/// Returns `true` if both are the same name to programs that number repeated names.
pub(super) fn is_same_name(one: &str, other: &str) -> bool {
    one == other || stem(one) == stem(other)
}

/// Returns the differences of a scene that has been through another program.
///
/// # Errors
/// Returns the reason, as a sentence, if the scenes differ in a way that has no counterpart in the file.
pub(crate) fn compare(fresh: &Scene, file: &Given<'_>) -> Result<Edits, String> {
    let given = &file.scene;
    if given.nodes.iter().all(|node| node.place.is_none()) && fresh.nodes.iter().any(|node| node.place.is_some()) {
        return Err("it has no places of the game's file; start from a file that `bitexact export` wrote, and export \
                    with custom properties (in Blender: Include > Custom Properties)"
            .to_owned());
    }
    let mut edits = Edits::default();
    let pairs = pairs(fresh, given, &mut edits)?;
    compare_nodes(fresh, given, &pairs, &mut edits)?;
    compare_meshes(fresh, file, &pairs, &mut edits)?;
    tracks::compare(fresh, given, &pairs, &mut edits)?;
    Ok(edits)
}

/// For each node that has just been made, the one given for it; only nodes with places have one.
pub(super) type Pairs = Vec<Option<usize>>;

fn pairs(fresh: &Scene, given: &Scene, edits: &mut Edits) -> Result<Pairs, String> {
    let mut by_place: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, node) in given.nodes.iter().enumerate() {
        match &node.place {
            Some(place) => by_place.entry(place).or_default().push(index),
            None if node.mesh.is_none() => {
                let is_made = |made: &&Node| made.place.is_none() && is_same_name(&made.name, &node.name);
                edits.ignore(
                    "nodes that the file does not have",
                    usize::from(fresh.nodes.iter().find(is_made).is_none()),
                );
            }
            None => {}
        }
    }
    let mut pairs = Vec::with_capacity(fresh.nodes.len());
    for node in &fresh.nodes {
        let Some(place) = &node.place else {
            pairs.push(None);
            continue;
        };
        match by_place.remove(place.as_str()).as_deref() {
            Some([one]) => pairs.push(Some(*one)),
            Some(several) => {
                let names: Vec<&str> =
                    several.iter().filter_map(|&it| Some(given.nodes.get(it)?.name.as_str())).collect();
                return Err(format!(
                    "node {:?} ({place}) has been duplicated: {}; new nodes cannot be imported",
                    node.name,
                    names.join(", ")
                ));
            }
            None => {
                return Err(format!(
                    "node {:?} ({place}) is missing; nodes cannot be deleted by an import, use `bitexact patch --delete`",
                    node.name
                ));
            }
        }
    }
    match by_place.into_keys().min() {
        Some(place) => Err(format!("a node is from {place}, which this file does not have; is it from another file?")),
        None => Ok(pairs),
    }
}

/// The parents of nodes, and their transforms.
struct Tree<'s> {
    scene: &'s Scene,
    parents: Vec<Option<usize>>,
}

impl<'s> Tree<'s> {
    fn of(scene: &'s Scene) -> Self {
        let mut parents = vec![None; scene.nodes.len()];
        for (index, node) in scene.nodes.iter().enumerate() {
            for &child in &node.children {
                if let Some(parent) = parents.get_mut(child) {
                    *parent = Some(index);
                }
            }
        }
        Self { scene, parents }
    }

    /// Returns the nearest node around this one that has a place, and the transform of what is between them.
    fn outer(&self, node: usize) -> (Option<usize>, Place) {
        let (mut place, mut at) = (HERE, node);
        // A file can have a cycle of parents.
        for _ in 0..self.parents.len() {
            let Some(&Some(parent)) = self.parents.get(at) else { break };
            let Some(around) = self.scene.nodes.get(parent) else { break };
            if around.place.is_some() {
                return (Some(parent), place);
            }
            place = within(place, &around.transform.place());
            at = parent;
        }
        (None, place)
    }

    /// Returns the error of the offset of a node that is computed from positions in the world.
    fn noise(&self, node: usize) -> f32 {
        let (mut place, mut at, mut least) = (HERE, node, f32::INFINITY);
        let mut farthest = 0.0_f32;
        for _ in 0..self.parents.len() {
            let Some(here) = self.scene.nodes.get(at) else { break };
            let own = here.transform.place();
            if at != node {
                least = own.0.iter().map(|row| length(*row)).fold(least.min(1.0), f32::min) * least.min(1.0);
            }
            place = within(place, &own);
            farthest = farthest.max(length(place.1));
            let Some(&Some(parent)) = self.parents.get(at) else { break };
            at = parent;
        }
        let scale = if least.is_finite() { least.max(1e-6) } else { 1.0 };
        NEAR_IN_WORLD * farthest / scale
    }
}

fn compare_nodes(fresh: &Scene, given: &Scene, pairs: &Pairs, edits: &mut Edits) -> Result<(), String> {
    let (made, found) = (Tree::of(fresh), Tree::of(given));
    for (index, pair) in pairs.iter().enumerate() {
        let (Some(node), Some(other)) = (fresh.nodes.get(index), *pair) else { continue };
        let Some(now) = given.nodes.get(other) else { continue };
        let ((parent, between), (other_parent, other_between)) = (made.outer(index), found.outer(other));
        if parent.and_then(|parent| pairs.get(parent).copied().flatten()) != other_parent {
            return Err(format!("node {:?} is below another node now; nodes cannot be moved in the tree", node.name));
        }
        let place = within(now.transform.place(), &other_between);
        let was = within(node.transform.place(), &between);
        let name = Some(now.name.clone()).filter(|name| !node.name.is_empty() && !is_same_name(name, &node.name));
        let (is_moved, is_turned) = (
            length(minus(was.1, place.1)) > made.noise(index).max(NEAR * length(was.1).max(1.0)),
            !is_near_rows(&was, &place),
        );
        if name.is_none() && !is_moved && !is_turned {
            continue;
        }
        // What is between the node and the next that has a place stays.
        let back = inverse(between).ok_or("a node around others has no size")?;
        let (rows, translation) = within(place, &back);
        let transform = Transform::of_rows(rows, translation).map(|(transform, _)| transform);
        let transform = transform.ok_or_else(|| format!("node {:?} has a transform that is not finite", node.name))?;
        let mut edit = NodeEdit {
            node: index,
            name,
            translation: is_moved.then_some(translation),
            turned: is_turned.then_some(transform),
        };
        // A program that plays an animation exports the pose of the moment.
        tracks::forget_poses(&mut edit, node, (fresh, given), other);
        if edit.name.is_some() || edit.translation.is_some() || edit.turned.is_some() {
            edits.nodes.push(edit);
        }
    }
    Ok(())
}

fn is_near_rows((one, _): &Place, (other, _): &Place) -> bool {
    let near = |one: Vector, other: Vector| length(minus(one, other)) <= NEAR * length(one).max(length(other)).max(1.0);
    one.iter().zip(other).all(|(one, other)| near(*one, *other))
}

fn compare_meshes(fresh: &Scene, file: &Given<'_>, pairs: &Pairs, edits: &mut Edits) -> Result<(), String> {
    let given = &file.scene;
    let known: HashMap<&str, usize> =
        fresh.meshes.iter().enumerate().filter_map(|(index, mesh)| Some((mesh.place.as_deref()?, index))).collect();
    // The meshes given for each one that has just been made.
    let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut owners: HashMap<usize, usize> = HashMap::new();
    for (index, pair) in pairs.iter().enumerate() {
        if let Some(pair) = pair {
            owners.insert(*pair, index);
        }
    }
    for (index, node) in given.nodes.iter().enumerate() {
        let made = owners.get(&index).and_then(|&owner| fresh.nodes.get(owner));
        let expected = made.and_then(|made| made.mesh);
        let Some(mesh) = node.mesh else {
            match expected {
                Some(_) => {
                    return Err(format!(
                        "node {:?} has lost its mesh; meshes cannot be deleted by an import",
                        node.name
                    ));
                }
                None => continue,
            }
        };
        let place = given.meshes.get(mesh).and_then(|mesh| mesh.place.as_deref());
        let known = match place {
            Some(place) => known.get(place).copied(),
            None => expected,
        };
        let Some(known) = known else {
            return Err(format!(
                "node {:?} has a mesh that the file does not have; new meshes cannot be imported",
                node.name
            ));
        };
        if made.is_some() && expected.is_some_and(|expected| expected != known) {
            return Err(format!("node {:?} has another mesh now, which cannot be imported", node.name));
        }
        let all = found.entry(known).or_default();
        if !all.contains(&mesh) {
            all.push(mesh);
        }
    }
    // Meshes that no node shows.
    for (index, mesh) in given.meshes.iter().enumerate() {
        if let Some(known) = mesh.place.as_deref().and_then(|place| known.get(place)) {
            let all = found.entry(*known).or_default();
            if !all.contains(&index) {
                all.push(index);
            }
        }
    }
    for (index, mesh) in fresh.meshes.iter().enumerate() {
        let Some(others) = found.get(&index) else {
            if fresh.nodes.iter().any(|node| node.mesh == Some(index)) {
                return Err(format!(
                    "mesh {:?} is missing; meshes cannot be deleted by an import, nor all of their polygons",
                    mesh.name
                ));
            }
            continue;
        };
        let mut edit: Option<MeshEdit> = None;
        let joints: Vec<_> = joints_of(fresh, index).map(Some).collect();
        for &other in others {
            let owners = |joint| owners.get(&joint).copied();
            let other_joints: Vec<_> = joints_of(given, other).map(owners).collect();
            let other = file.mesh(other)?;
            let next = faces::compare(index, (mesh, &other), (&joints, &other_joints), (fresh, given))
                .map_err(|why| format!("mesh {:?}: {why}", mesh.name))?;
            match &edit {
                Some(known) if *known != next => {
                    return Err(format!(
                        "mesh {:?} belongs to several nodes, which have different meshes now; edit one and link it to the others",
                        mesh.name
                    ));
                }
                _ => edit = Some(next),
            }
        }
        let is_colorless = edit.as_ref().is_some_and(|edit| edit.is_colorless);
        edits.ignore("colors of meshes, which the glTF file does not have", usize::from(is_colorless));
        edits.meshes.extend(edit.filter(|edit| !edit.is_empty()));
    }
    Ok(())
}

/// Returns the nodes that a mesh is bound to.
fn joints_of(scene: &Scene, mesh: usize) -> impl Iterator<Item = usize> {
    let node = scene.nodes.iter().find(|node| node.mesh == Some(mesh) && node.skin.is_some());
    let skin = node.and_then(|node| scene.skins.get(node.skin?));
    skin.into_iter().flat_map(|skin| skin.joints.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_after_names_do_not_matter() {
        assert_eq!(["a.001", "a", "a.01", ".001", "a.b.012"].map(stem), ["a", "a", "a.01", ".001", "a.b"]);
        assert!(is_same_name("met.001", "met.002") && is_same_name("met", "met.001") && !is_same_name("met", "mat"));
    }
}
