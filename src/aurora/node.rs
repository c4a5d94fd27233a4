//! Nodes: the header that every node has, and the parts that its flags list.

use bitflags::Flags as _;

use field::build::Tape;
use field::record;
use field::{self, Block, Direction, F32, Fault, I32, Judge, Result, Text, Truth, U16, U32, lay, wide};

use super::aabb_tree::LayBoxes as _;
use super::controllers::{self, EmitterKey, Key, LightKey, MeshKey, NodeType};
use super::flags::{Kinds, PieceKind, Things};
use super::geometry;
use super::mesh::{LayMesh as _, List, Mesh};
use super::mesh_types::{Kin, MeshType, Skin};
use super::parts::{Emitter, Flare, Light, Reference};
use super::pointers::{Access as _, Binder, Empties, Part, Parts, Visited, Walking, each_part};
use super::vectors::{LayVectors as _, Named, Vector};

pub use super::flags::NodeFlags;

record! {
    /// The header of a node, 112 bytes. Source: `nwn-mdl.md`, section 4.1.
    pub struct NodeHeader: 112 {
        functions: [U32; 6] as Pointer,
        inherit_color: U32,
        /// The number of the node in its geometry, or in that of the super model.
        part_number: I32 as Outside,
        name: Text<32>,
        geometry: U32 = 0,
        parent: U32 = 0,
        children_at: U32 as Outside,
        children_used: U32 as Outside,
        children_allocated: U32 as Outside,
        keys_at: U32 as Outside,
        keys_used: U32 as Outside,
        keys_allocated: U32 as Outside,
        data_at: U32 as Outside,
        data_used: U32 as Outside,
        data_allocated: U32 as Outside,
        flags: NodeFlags,
    }
}

record! {
    /// A part number that does not follow from a rule.
    pub struct PartNumber: 8 {
        /// 1, or 0 if the rule computes the number.
        kept: U32,
        /// The number.
        number: I32,
    }
}

/// A node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Its header.
    pub head: NodeHeader,
    /// Values of its structure that do not follow from the model.
    pub empties: Empties,
    /// Its part number, if no rule computes it.
    pub part_number: PartNumber,
    /// Set in an animation if it has more than its header.
    pub live: Truth,
    /// Set if its values are not in the order of its controllers.
    pub unordered: Truth,
    /// Its light.
    pub light: Option<Box<Light>>,
    /// Its emitter.
    pub emitter: Option<Box<Emitter>>,
    /// Its reference.
    pub reference: Option<Box<Reference>>,
    /// Its mesh.
    pub mesh: Option<Box<Mesh>>,
    /// The nodes below it.
    pub children: Vec<Node>,
    /// Its controllers.
    pub keys: Block<Key>,
    /// The values of its controllers, controller by controller: first the times, then the rows.
    pub data: Block<F32>,
}

/// The context of the structure of a node.
pub(super) struct Aspect<'a> {
    pub(super) animated: bool,
    /// The node without its odd values.
    pub(super) rules: Option<&'a Node>,
    /// The part number by the rules.
    pub(super) number: Option<i32>,
}

impl Node {
    /// The size of the header in bytes, which is also that of the smallest node.
    pub(super) const HEAD: u64 = 112;

    /// Returns the size of the structure in bytes.
    pub(super) fn size(&self) -> u64 {
        let mut size = Self::HEAD;
        let mut add = |has: bool, bytes: usize| size += if has { wide(bytes) } else { 0 };
        add(self.light.is_some(), 92);
        add(self.emitter.is_some(), size_of::<Emitter>());
        add(self.reference.is_some(), size_of::<Reference>());
        add(self.mesh.is_some(), 512);
        self.mesh.as_ref().map_or(size, |mesh| size + mesh.mesh_type.size())
    }

    /// Returns `true` if it has only its structure, children and controllers.
    pub(super) fn is_bare(&self) -> bool {
        let is_skin = matches!(self.mesh.as_deref(), Some(Mesh { mesh_type: MeshType::Skin(_), .. }));
        let mut is_empty = |_, _, part: Part<'_, Walking>| if part.length == 0 { Ok(()) } else { Err(()) };
        !is_skin && Walking::each_part(self, self.payload(true), &mut is_empty).is_ok()
    }

    /// Returns `true` if the parts that its flags list have been made.
    fn is_made(&self) -> bool {
        self.light.is_some() || self.emitter.is_some() || self.reference.is_some() || self.mesh.is_some()
    }

    /// Makes the parts that the flags list.
    pub(super) fn make_parts(&mut self, t: &Tape<'_>) -> Result {
        let flags = self.head.flags;
        if !flags.is_known() {
            let fault = Fault::Unknown { found: format!("{flags:?}"), expected: "parts whose size is known".into() };
            return Err(t.error_in("flags", fault));
        }
        // Twice the size, because a list of nodes that grows is in memory twice.
        let part = |has: NodeFlags, bytes: usize| if flags.contains(has) { bytes } else { 0 };
        let bytes = [
            part(NodeFlags::LIGHT, size_of::<Light>()),
            part(NodeFlags::EMITTER, size_of::<Emitter>()),
            part(NodeFlags::REFERENCE, size_of::<Reference>()),
            part(NodeFlags::MESH, size_of::<Mesh>()),
        ];
        t.charge(wide((bytes.into_iter().sum::<usize>() + size_of::<Self>()) * 2))?;
        self.light = flags.contains(NodeFlags::LIGHT).then(Box::default);
        self.emitter = flags.contains(NodeFlags::EMITTER).then(Box::default);
        self.reference = flags.contains(NodeFlags::REFERENCE).then(Box::default);
        self.mesh = flags
            .contains(NodeFlags::MESH)
            .then(|| Box::new(Mesh { mesh_type: MeshType::of(flags), ..Mesh::default() }));
        Ok(())
    }

    /// Returns the node without its odd values, for a binder at the same position.
    pub(super) fn ideal(&self, b: &mut Binder<'_>) -> core::result::Result<Self, Fault> {
        let empties = Empties { at_cursor: self.empties.at_cursor, ..Empties::default() };
        let (light, mesh) = (self.light.clone(), self.mesh.clone());
        let mut ideal =
            Self { head: self.head, light, mesh, keys: self.keys.clone(), data: self.data.clone(), ..Self::default() };
        (b.empties, b.lacking) = (empties, self.children.len());
        Tape::bind(&mut ideal, b)?;
        Ok(ideal)
    }

    /// Returns its skin, or `None` if it has none.
    pub(super) fn skin_mut(&mut self) -> Option<&mut Skin> {
        match &mut self.mesh.as_mut()?.mesh_type {
            MeshType::Skin(skin) => Some(skin),
            _ => None,
        }
    }

    /// Returns the part number by the rules, and whether the node has more than a header.
    fn recomputed(&self, animated: bool, number: Option<i32>) -> (I32, Truth) {
        let number = match self.part_number.kept.get() {
            // A node without a namesake has no number.
            0 => number.unwrap_or(-1).into(),
            _ => self.part_number.number,
        };
        (number, self.is_live(animated))
    }

    /// Returns whether the node has more than its header in an animation.
    pub(super) fn is_live(&self, animated: bool) -> Truth {
        (animated && (self.empties.odd() || !self.is_bare())).into()
    }

    /// Returns `true` if its part number and `live` follow the rules.
    pub(super) fn is_recomputed(&self, animated: bool, number: Option<i32>) -> bool {
        (self.head.part_number, self.live) == self.recomputed(animated, number)
    }

    /// Returns the values of a part, or of one item of it.
    pub(super) fn content(&self, kind: PieceKind, item: usize) -> Option<&dyn Vector> {
        Walking::values(self, kind, item).map(|(_, values)| values)
    }

    /// Returns the values of a part, or of one item of it, to change them.
    pub(super) fn content_mut(&mut self, kind: PieceKind, item: usize) -> Option<&mut dyn Vector> {
        self.make_streams(kind);
        Tape::values(self, kind, item).map(|(_, values)| values)
    }

    /// Makes the streams of its mesh if a part is one of them.
    fn make_streams(&mut self, kind: PieceKind) {
        if let Some(mesh) = self.mesh.as_mut().filter(|_| kind.is_raw()) {
            mesh.streams.make();
        }
    }

    /// Updates its part number and `live`.
    pub(super) fn recompute(&mut self, animated: bool, number: Option<i32>) {
        (self.head.part_number, self.live) = self.recomputed(animated, number);
    }

    /// Returns the kinds that its parts can have, even of parts that are empty, except for children and controllers. Streams that have not
    /// been made can be left out.
    pub(super) fn payload(&self, only_made: bool) -> Kinds {
        let mesh = self.mesh.as_ref().map_or(Kinds::NONE, |mesh| mesh.kinds(only_made));
        Kinds::LIGHT.only_if(self.light.is_some()).and(mesh)
    }

    /// Returns the number of bytes of its parts in the model data and in the raw data, except for children and controllers.
    pub(super) fn payload_bytes(&self) -> [u64; 2] {
        let [mut data, mut raw] = [0; 2];
        each_part(self, self.payload(true), |kind, _, part| {
            *(if kind.is_raw() { &mut raw } else { &mut data }) += part.length;
        });
        [data, raw]
    }
}

/// Lays out the parts of a node.
pub(super) trait LayNode: Direction {
    /// Lays out the controllers of a node with their values, which follow them.
    fn controllers(&mut self, it: Self::At<'_, Node>) -> Result;

    /// Lays out a part of a node, or one item of it, if the node has such a part.
    fn node_part(&mut self, it: Self::At<'_, Node>, part: PieceKind, item: Option<usize>) -> Result;
}

lay! {
    /// Lays out the structure.
    impl LayBy<&Aspect<'_>> for Node {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, aspect: &Aspect<'_>) -> Result {
            let rules = aspect.rules;
            t.fields_by(at!(self.head), rules.map(|rules| &rules.head))?;
            self.empties.lay(t)?;
            t.fact("own_part_number", at!(self.part_number))?;
            t.fact("live", at!(self.live))?;
            t.fact("unordered", at!(self.unordered))?;
            let (found, number) = (self.head.part_number.get(), aspect.number);
            t.expect("part_number", || {
                let expected = number.filter(|&number| number != found)?;
                Some((expected.into(), found.into()))
            });
            // If the node was found by a pointer or is a piece, its parts exist already.
            t.build(at!(*self), |it, t| if it.is_made() { Ok(()) } else { it.make_parts(t) })?;
            // In an animation, the rest of a node is leftover memory unless the node has more than a header.
            let is_stale = aspect.animated && !bool::from(self.live);
            if let Some(light) = at!(self.light) {
                let rules = rules.and_then(|rules| rules.light.as_ref()).map(|light| &light.head);
                t.structure("light", at!(light.head), is_stale, rules)?;
            }
            if let Some(emitter) = at!(self.emitter) {
                t.structure("emitter", at!(**emitter), is_stale, None)?;
            }
            if let Some(reference) = at!(self.reference) {
                t.structure("reference", at!(**reference), is_stale, None)?;
            }
            if let Some(mesh) = at!(self.mesh) {
                t.when_asked(at!(**mesh), |mesh, t| if is_stale { Ok(()) } else { geometry::recompute(mesh, t) })?;
                let rules = rules.and_then(|rules| rules.mesh.as_ref());
                t.structure("mesh", at!(mesh.head), is_stale, rules.map(|mesh| &mesh.head))?;
                if !is_stale {
                    t.judge(|t| {
                        // It names nothing, so it cannot fail.
                        let judged = |t: &mut Judge<'_>| {
                            mesh.judge(t);
                            Ok(())
                        };
                        drop(t.group("mesh", judged));
                    });
                }
                list_number(mesh, t)?;
                let kin = Kin { is_stale, rules: rules.map(|mesh| &mesh.mesh_type) };
                mesh.mesh_type.lay_by(t, kin)?;
                if let MeshType::Skin(skin) = &mesh.mesh_type {
                    t.expect("bones", || skin.mismatch().map(|(expected, found)| (expected.into(), found.into())));
                }
            }
            Ok(())
        }
    }

    fn judge_controllers(t: &mut Tape<'_>, name: &'static str, it: &Node) {
        t.expect(name, || {
            let mismatch = controllers::mismatch(&it.keys, &it.data);
            mismatch.map(|(expected, found)| (expected.into(), found.into()))
        });
    }

    /// Lays out the number of index lists. In the exchange format, the lists themselves follow only in the raw data.
    fn list_number(it: at!(Mesh), t: &mut Tape<'_>) -> Result {
        let lists = at!(U32::new(it.lists.len().try_into().unwrap_or(u32::MAX)));
        t.fact("index_lists", lists)?;
        let lists = lists.get();
        t.load(at!(it.lists), |all, t| {
            // The raw data must have as many lists. Until that is checked, the number must not use much memory.
            let number = u16::try_from(lists).map_err(|_| {
                let expected = format!("at most {} index lists", u16::MAX);
                t.error_in("index_lists", Fault::Outside { found: lists.into(), expected })
            })?;
            // Lists without vertices may have been loaded from a piece before the node.
            let found = all.iter().rposition(|list| list.stray.get() != 0).map_or(0, |last| wide(last + 1));
            if found > number.into() {
                return Err(t.error_in("index_lists", Fault::Count { expected: found, found: lists.into() }));
            }
            all.resize(number.into(), List::default());
            Ok(())
        })
    }

    /// Lays out the lengths of the index lists of a mesh.
    fn list_counts(it: at!(Mesh), t: &mut Tape<'_>) -> Result {
        for list in at!(it.lists) {
            t.number::<U32>("list_count", wide(list.vertices.len()))?;
        }
        Ok(())
    }

    /// Lays out the pointers of lists without vertices: such a list has no piece of its own.
    fn strays(it: at!(Mesh), t: &mut Tape<'_>) -> Result {
        let strays = it.lists.iter().filter(|list| list.stray.get() != 0).count();
        // A list that an edit has emptied is read too, as no strays.
        if t.exists("strays", strays > 0) {
            for (index, list) in at!(it.lists).into_iter().enumerate() {
                t.nth("strays", index, |t| t.fact("stray", at!(list.stray)))?;
            }
        }
        Ok(())
    }

    impl<'t> Parts<Tape<'t>> for Node {
        fn kinds(it: &Self) -> Kinds {
            Kinds::NODE.and(it.payload(false))
        }

        fn part<'a: 'a>(it: at!('a Self), kind: PieceKind, item: usize) -> Option<Part<'a, Tape<'t>>> {
            let Node { head, light, mesh, children, keys, data, .. } = it;
            Some(match (kind, light, mesh) {
                (PieceKind::CHILDREN, ..) => {
                    let table = [at!(head.children_at), at!(head.children_used), at!(head.children_allocated)];
                    Tape::table(Things::CHILDREN, table, children.len())
                }
                (PieceKind::KEYS, ..) => {
                    let array = [at!(head.keys_at), at!(head.keys_used), at!(head.keys_allocated)];
                    Tape::array((Things::KEYS, "keys"), array, size_of::<Key>(), keys)
                }
                (PieceKind::DATA, ..) => {
                    let array = [at!(head.data_at), at!(head.data_used), at!(head.data_allocated)];
                    Tape::array((Things::DATA, "data"), array, 4, data)
                }
                (kind, Some(light), _) if Kinds::LIGHT.has(kind) => return Light::part(at!(**light), kind, item),
                (kind, _, Some(mesh)) => return Mesh::part(at!(**mesh), kind, item),
                _ => return None,
            })
        }

        fn rest(it: at!(Node), b: &mut Binder<'_>) -> Visited<Fault> {
            let Some(mesh) = at!(it.mesh) else { return Ok(()) };
            if !b.fills() {
                let [counts, lists] = [mesh.head.list_counts_used, mesh.head.lists_used].map(U32::get);
                let expected = || format!("{counts} index lists");
                let fault = || Fault::Unknown { found: lists.to_string(), expected: expected() };
                return if counts == lists { Ok(()) } else { Err(fault()) };
            }
            let count = mesh.vertex_count();
            if count.is_some() || !b.empties.miscounted.contains(Things::VERTICES) {
                let value = wide(count.unwrap_or(0));
                let value = u16::try_from(value).map_err(|_| Fault::TooLarge { value, field: "u16" })?;
                b.put::<Tape<'t>, _>(at!(mesh.head.vertices_used), U16::new(value));
            }
            if let MeshType::Aabb(tree) = at!(mesh.mesh_type) { Tape::link(tree, b) } else { Ok(()) }
        }
    }

    impl LayNode for Tape<'_> {
        fn controllers(&mut self, it: at!(Node)) -> Result {
            let has_rows = self.exists("controllers", controllers::is_regular(&it.keys, &it.data));
            // Only people need the rows.
            if has_rows && self.shows() {
                let (mut joined, census) = controllers::joined(&it.keys, &it.data);
                self.coded_of("controllers", NodeType::of(it.head.flags).codec(), census, at!(joined))?;
                self.follow(at!(*it), |it, _| {
                    (it.keys, it.data) = controllers::split(&joined);
                    Ok(())
                })?;
                judge_controllers(self, "controllers", it);
                return Ok(());
            }
            self.node_part(at!(*it), PieceKind::KEYS, None)?;
            judge_controllers(self, if has_rows { "controllers" } else { "keys" }, it);
            self.node_part(at!(*it), PieceKind::DATA, None)
        }

        fn node_part(&mut self, it: at!(Node), part: PieceKind, item: Option<usize>) -> Result {
            match (part, at!(it.light), at!(it.mesh)) {
                (PieceKind::FLARES, Some(light), _) => {
                    self.load(at!(light.flares), |flares, t| {
                        if flares.is_empty() {
                            flares.resize_with(t.given("flares", 0)?, Flare::default);
                        }
                        Ok(())
                    })?;
                    for flare in at!(light.flares) {
                        let stored = flare.pointer.get().into();
                        self.counted("flare", at!(flare.pointer), Some(stored))?;
                    }
                    Ok(())
                }
                (PieceKind::FLARE, Some(light), _) => self.items_of("flares", item, at!(light.flares)),
                (PieceKind::LIST_COUNTS, _, Some(mesh)) => list_counts(mesh, self),
                (PieceKind::LISTS, _, Some(mesh)) => {
                    // As a piece, the table also has the pointers of lists without vertices. Otherwise the raw data has them.
                    if item.is_some() {
                        strays(at!(*mesh), self)?;
                    }
                    self.mesh_lists(mesh)
                }
                (PieceKind::LIST, _, Some(mesh)) => self.items_of("lists", item, at!(mesh.lists)),
                (PieceKind::BOX, _, Some(mesh)) => match at!(mesh.mesh_type) {
                    MeshType::Aabb(tree) => self.items_of("boxes", item, at!(tree.entries)),
                    _ => Ok(()),
                },
                _ => {
                    self.when_recomputing(at!(*it), |it, t| {
                        if part == PieceKind::KEYS && !bool::from(it.unordered) {
                            controllers::order(t, &mut it.keys)?;
                        }
                        Ok(())
                    })?;
                    // The numbers of controllers have different names for each type of node.
                    match (part, NodeType::of(it.head.flags)) {
                        (PieceKind::KEYS, NodeType::Emitter) => self.vector_as::<EmitterKey, _>("keys", at!(it.keys))?,
                        (PieceKind::KEYS, NodeType::Light) => self.vector_as::<LightKey, _>("keys", at!(it.keys))?,
                        (PieceKind::KEYS, NodeType::Mesh) => self.vector_as::<MeshKey, _>("keys", at!(it.keys))?,
                        _ => {
                            self.build(at!(*it), |it, _| {
                                it.make_streams(part);
                                Ok(())
                            })?;
                            if let Some((name, values)) = Self::values(at!(*it), part, 0) {
                                values.lay_by(self, Named(name))?;
                            }
                        }
                    }
                    // Otherwise, the values come next.
                    if part == PieceKind::KEYS && item.is_some() {
                        judge_controllers(self, "keys", it);
                    }
                    Ok(())
                }
            }
        }
    }
}
