//! New and deleted nodes of 'Mech libraries. Each model of a library is a tree of nodes, each followed by its children.
//!
//! Source: `zipper-mechlib.md`, section 3.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::new_material::Materials;
use super::new_model;
use super::new_node::{ADDRESS, Kind, base_of, count_boxes, original, shown_base};
use super::shown;
use crate::Payload;
use crate::archive::Archive;
use crate::gamez::games::Layouts;
use crate::gamez::nodes::NodePlace as _;
use crate::mechlib::{Mech, MechNode};
use field::{Address, I32, Value};
use kind::{Container as _, Imported, ImportedEdit};
use media::gltf::Scene;
use media::gltf::compare;
use media::gltf::edits::{Edits, NewNode, Parent};

/// Adds and deletes nodes.
pub(super) fn edit_trees(
    library: &Archive,
    (drawn, materials): (&Scene, &Materials<'_>),
    edits: &Edits,
    to: &mut Imported,
) -> Result<(), String> {
    if edits.deleted.is_empty() && edits.added.is_empty() {
        return Ok(());
    }
    let entries = library.labeled().into_iter().map(|(label, _)| label.to_string());
    let (mut early, mut late) = (Trees::new(), Trees::new());
    for (label, entry) in entries.zip(&library.entries) {
        match &entry.payload {
            Payload::Mech(mech) => drop(early.insert(label, mech)),
            Payload::LaterMech(mech) => drop(late.insert(label, mech)),
            _ => {}
        }
    }
    Changes { trees: &early, drawn, materials, edits }.edit(to)?;
    Changes { trees: &late, drawn, materials, edits }.edit(to)
}

/// The models of a library by their entries.
type Trees<'l, G> = BTreeMap<String, &'l Mech<G>>;

/// The changes of the trees with the records of a game.
struct Changes<'l, G: Layouts> {
    trees: &'l Trees<'l, G>,
    drawn: &'l Scene,
    materials: &'l Materials<'l>,
    edits: &'l Edits,
}

/// A node of an edited tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    /// A node by its number before the edit.
    Old(usize),
    /// A new node by its number.
    New(usize),
}

impl<'l, G: Layouts> Changes<'l, G> {
    fn edit(&self, to: &mut Imported) -> Result<(), String> {
        let mut deleted: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for (entry, number, node) in self.edits.deleted.iter().filter_map(|&node| self.found(node)) {
            if number == 0 {
                return Err(format!(
                    "node {:?} ({entry}:/nodes/0) has been deleted, but it is the root of its model; keep it, or remove the \
                     entry with `bitexact patch --remove`",
                    node.base.head.name.to_string()
                ));
            }
            deleted.entry(entry).or_default().insert(number);
        }
        // A new node is in the entry of its parent.
        let mut added: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut of: Vec<Option<String>> = Vec::with_capacity(self.edits.added.len());
        for (number, new) in self.edits.added.iter().enumerate() {
            let entry = match new.parent {
                Parent::Known(parent) => self.found(parent).map(|(entry, ..)| entry),
                Parent::New(parent) => of.get(parent).cloned().flatten(),
            };
            if let Some(entry) = &entry {
                added.entry(entry.clone()).or_default().push(number);
            }
            of.push(entry);
        }
        let (none, nothing) = (BTreeSet::new(), Vec::new());
        for (entry, mech) in self.trees {
            let (deleted, added) = (deleted.get(entry).unwrap_or(&none), added.get(entry).unwrap_or(&nothing));
            if !deleted.is_empty() || !added.is_empty() {
                self.edit_tree((entry, mech), deleted, added, to)?;
            }
        }
        Ok(())
    }

    /// Returns the entry, the number and the node of a node of the scene, or `None` if it is in no tree of this game.
    fn found(&self, node: usize) -> Option<(String, usize, &'l MechNode<G>)> {
        self.at(self.drawn.nodes.get(node)?.place.as_deref()?)
    }

    /// Returns the entry, the number and the node at a place.
    fn at(&self, place: &str) -> Option<(String, usize, &'l MechNode<G>)> {
        let at = Address::from(place);
        let number = at.keys.get(1)?.parse().ok()?;
        let node = self.trees.get(&at.entry)?.nodes.get(number)?;
        Some((at.entry, number, node))
    }

    fn edit_tree(
        &self,
        (entry, mech): (&str, &Mech<G>),
        deleted: &BTreeSet<usize>,
        added: &[usize],
        to: &mut Imported,
    ) -> Result<(), String> {
        let place = |number: usize| Address::from(format!("{entry}:/nodes/{number}"));
        let parents = parents(mech);
        let mut below: HashMap<Part, Vec<Part>> = HashMap::new();
        for (number, parent) in parents.iter().enumerate().filter(|(number, _)| !deleted.contains(number)) {
            if let Some(parent) = *parent {
                below.entry(Part::Old(parent)).or_default().push(Part::Old(number));
            }
        }
        let mut changed: BTreeSet<usize> = deleted.iter().filter_map(|&number| *parents.get(number)?).collect();
        for &number in added {
            let Some(new) = self.edits.added.get(number) else { continue };
            let parent = match new.parent {
                Parent::New(parent) => Part::New(parent),
                Parent::Known(parent) => {
                    let (_, parent, _) = self.found(parent).ok_or("internal error: no such parent")?;
                    changed.insert(parent);
                    Part::Old(parent)
                }
            };
            below.entry(parent).or_default().push(Part::New(number));
        }
        for &number in deleted {
            to.edits.push(ImportedEdit::Delete(place(number)));
        }
        let count = |part: Part| below.get(&part).map_or(0, Vec::len);
        for number in changed.into_iter().filter(|number| !deleted.contains(number)) {
            let Some(node) = mech.nodes.get(number) else { continue };
            let left = count(Part::Old(number));
            if usize::try_from(node.children.get()) != Ok(left) {
                to.set(place(number).with("children"), i64::try_from(left).unwrap_or(i64::MAX));
            }
            let [_, address] = node.base.place.pointers();
            match (left, address.get()) {
                (0, 1..) => to.set(place(number).with("child_array_ptr"), 0),
                (1.., 0) => to.set(place(number).with("child_array_ptr"), i64::from(ADDRESS)),
                _ => {}
            }
            to.ignore("boxes of nodes around new and deleted ones, which stay unchanged", 1);
        }
        // The new nodes come between those that are left, in the order of the tree.
        let (mut waiting, mut number) = (vec![Part::Old(0)], 0_usize);
        while let Some(part) = waiting.pop() {
            if let Part::New(new) = part
                && let Some(new) = self.edits.added.get(new)
            {
                let json =
                    self.made(new, count(part), to).map_err(|why| format!("node {:?} is new: {why}", new.name))?;
                to.edits.push(ImportedEdit::Insert(place(number), json));
            }
            number += 1;
            waiting.extend(below.get(&part).into_iter().flatten().rev());
        }
        Ok(())
    }

    /// Returns a new node with this number of children.
    fn made(&self, new: &NewNode, children: usize, to: &mut Imported) -> Result<Value, String> {
        let like = original(new, self.drawn)?;
        let node = like.and_then(|like| self.at(like.place.as_deref()?)).map(|(.., node)| node);
        let kind = Kind::of(new, node.map(|node| &node.class))?;
        let (mut bounds, mut model) = (None, None);
        if let Some(mesh) = new.shared {
            // Every node of a library has a model of its own.
            if self.edits.meshes.iter().any(|edit| edit.mesh == mesh) {
                return Err("its mesh, which it shares with another node, has been edited too; make the mesh of the copy \
                            its own (in Blender: Object > Relations > Make Single User), or import the edit of the mesh \
                            and the copy one after the other"
                    .to_owned());
            }
            let place = self.drawn.meshes.get(mesh).and_then(|mesh| mesh.place.as_deref());
            let of = place.and_then(|place| self.at(place)).and_then(|(.., node)| node.model.as_ref());
            model = Some(shown::model(of.ok_or("internal error: no such model")?));
        } else if let Some(faces) = &new.faces {
            let all = self.trees.values().flat_map(|mech| mech.nodes.iter().filter_map(|node| node.model.as_deref()));
            let (json, extent) = new_model::model(&all.collect::<Vec<_>>(), (self.drawn, self.materials), faces, &[])?;
            (bounds, model) = (Some(extent), Some(json));
        } else if let Some(of) = node.and_then(|node| node.model.as_ref()) {
            // A model without triangles is not drawn.
            model = Some(shown::model(of));
        }
        let own = node.map(|node| node.base.head.data_ptr.get()).filter(|address| *address != 0);
        let address = own.unwrap_or(ADDRESS);
        let mut made = base_of(new, (node.map(|node| &node.base), children == 0), bounds, address)?;
        // An address in memory, or 0 without a model. Source: `zipper-mechlib.md`, section 3.1.
        made.head.model_index = match (&model, made.head.model_index.get()) {
            (None, _) => I32::new(0),
            (Some(_), 0) => I32::new(i32::from_le_bytes(ADDRESS.to_le_bytes())),
            (Some(_), known) => I32::new(known),
        };
        let mut json = shown_base(new, &made);
        json.put("parent_array_ptr", i64::from(address).into());
        json.put("child_array_ptr", i64::from(if children == 0 { 0 } else { address }).into());
        json.put("children", i64::try_from(children).unwrap_or(i64::MAX).into());
        let was = like.map(|like| like.transform).unwrap_or_default();
        kind.put(&mut json, &compare::moved(new.copy_of.unwrap_or_default(), was, new.transform))?;
        if let Some(model) = model {
            json.put("model", model);
        }
        count_boxes(&made.head, to);
        Ok(json)
    }
}

/// Returns the number of the parent of each node, which is `None` for the root.
fn parents<G: Layouts>(mech: &Mech<G>) -> Vec<Option<usize>> {
    let mut parents = Vec::with_capacity(mech.nodes.len());
    // The incomplete nodes, and the number of nodes still to come below them.
    let mut open: Vec<(usize, u32)> = Vec::new();
    for (number, node) in mech.nodes.iter().enumerate() {
        while open.pop_if(|(_, pending)| *pending == 0).is_some() {}
        let parent = open.last_mut().map(|(parent, pending)| {
            *pending -= 1;
            *parent
        });
        parents.push(parent);
        open.push((number, node.children.get()));
    }
    parents
}
