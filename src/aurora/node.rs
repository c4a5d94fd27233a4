//! Nodes: what every node has, what it has by its flags, and the walk through it.
#![allow(clippy::multiple_bound_locations, reason = "bytemuck's derive repeats the bounds")]

use bitflags::Flags as _;

use crate::field::build::Tape;
use crate::field::{
    self, Block, Class, F32, Fault, I32, Record, Result, Run, Shape, Shaped, Step, Text, Truth, U32, lay, limits, wide,
};
use crate::{flags, record};

use super::boxes::Entry;
use super::controllers::{self, Key};
use super::mesh::Mesh;
use super::parts::{Emitter, Flare, Light, Reference};
use super::place::{Binder, Empties, Part, Things, Way, unsettled};
use super::sorts::{Bones, Kin, Sort};

flags! {
    /// What a node has. Source: `nwn-mdl.md`, section 4.
    pub struct NodeFlags(U32: u32) {
        /// The header, which every node has.
        HEADER = 1;
        /// A light.
        LIGHT = 2;
        /// An emitter.
        EMITTER = 4;
        /// A reference.
        REFERENCE = 0x10;
        /// A mesh.
        MESH = 0x20;
        /// A mesh bound to bones.
        SKIN = 0x40;
        /// A mesh of sets of vertices.
        ANIM = 0x80;
        /// A mesh that dangles.
        DANGLY = 0x100;
        /// A mesh to be walked on.
        AABB = 0x200;
    }
}

impl NodeFlags {
    /// The sorts of meshes.
    pub const SORTS: Self = Self(U32::new(0x3C0));

    /// Whether the size of everything is known, and there is a place for it.
    fn is_known(self) -> bool {
        let sorts = self.intersection(Self::SORTS).bits();
        Self::all().contains(self) && (sorts == 0 || sorts.is_power_of_two() && self.contains(Self::MESH))
    }
}

record! {
    /// The header of a node, 112 bytes. Source: `nwn-mdl.md`, section 4.1.
    pub struct NodeHead: 112 {
        functions: [U32; 6] as Pointer,
        inherit_colour: U32,
        /// The number of the node in its geometry, or in the super model's.
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
    /// A part number that no rule gives.
    pub struct PartNumber: 8 {
        /// 1, or 0 where the rule gives it.
        kept: U32,
        /// What it is.
        number: I32,
    }
}

/// A record as leftover memory: what an animation has of a node besides the header.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
struct Leftover<R: Record>(R);

impl<R: Record> Shaped for Leftover<R> {
    const SHAPE: Shape = R::SHAPE;
    const CLASS: Class = Class::Stale;
}

/// A node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// What every node has.
    pub head: NodeHead,
    /// What it says of things that are empty.
    pub empties: Empties,
    /// Its part number where no rule gives it.
    pub part_number: PartNumber,
    /// In an animation, whether it has more than its header.
    pub live: Truth,
    /// Whether its values lie otherwise than in the order of its controllers.
    pub unordered: Truth,
    /// The light it is.
    pub light: Option<Box<Light>>,
    /// The emitter it is.
    pub emitter: Option<Box<Emitter>>,
    /// The reference it is.
    pub reference: Option<Box<Reference>>,
    /// The mesh it is.
    pub mesh: Option<Box<Mesh>>,
    /// The nodes below it.
    pub children: Vec<Node>,
    /// Its controllers.
    pub keys: Block<Key>,
    /// Values of its controllers: in the order of these times, then rows, of each.
    pub data: Block<F32>,
}

/// How large a node is, with all below it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    /// Bytes in the model data.
    pub(super) bytes: u64,
    /// Those of the nodes below.
    pub(super) below: u64,
    /// Nodes, with itself.
    pub(super) nodes: usize,
}

/// A walk through the model in file order.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// Where in the file the model data begins.
    pub(super) base: u64,
    /// Where in the raw data the walk is.
    pub(super) raw: u64,
    /// Where it is writing, all nodes in its order.
    pub(super) extents: Vec<Extent>,
    /// Part numbers by the rules, likewise.
    pub(super) numbers: Vec<Option<i32>>,
    /// How many nodes it has met.
    pub(super) next: usize,
    /// Whether it is in an animation.
    pub(super) animated: bool,
    /// How long the raw data is.
    pub(super) raw_bytes: u64,
}

/// Where a structure lies, for its pointers, and what is known of it.
pub(super) struct Aspect<'a> {
    pub(super) animated: bool,
    pub(super) bones: Bones,
    /// The node as it would be if nothing in it were odd.
    pub(super) rules: Option<&'a Node>,
    /// The part number by the rules.
    pub(super) number: Option<i32>,
}

/// What lies behind the structure of a node, in this order.
pub(super) const PAYLOAD: &[Part] = &[
    Part::FLARES,
    Part::FLARE,
    Part::FLARE_SIZES,
    Part::FLARE_POSITIONS,
    Part::FLARE_SHIFTS,
    Part::MAP,
    Part::ROTATIONS,
    Part::TRANSLATIONS,
    Part::CONSTANTS,
    Part::ANIM_VERTICES,
    Part::ANIM_COORDINATES,
    Part::CONSTRAINTS,
    Part::BOX,
    Part::FACES,
    Part::LIST_COUNTS,
    Part::LISTS,
];

/// What lies in the raw data, in this order, and the index lists behind it.
pub(super) const STREAMS: &[Part] = &[
    Part::WEIGHTS,
    Part::SLOTS,
    Part::VERTICES,
    Part::COORDINATES_0,
    Part::COORDINATES_1,
    Part::COORDINATES_2,
    Part::COORDINATES_3,
    Part::NORMALS,
    Part::COLOURS,
    Part::STREAM_0,
    Part::STREAM_1,
    Part::STREAM_2,
    Part::STREAM_3,
    Part::STREAM_4,
    Part::STREAM_5,
];

/// The name of a vector, and what a record tells of its length.
#[derive(Clone, Copy)]
pub(super) struct Named {
    pub(super) name: &'static str,
    pub(super) used: u64,
}

impl Named {
    pub(super) fn of(name: &'static str, used: U32) -> Self {
        Self { name, used: used.get().into() }
    }
}

/// Any number of values of one type.
pub(super) trait Vector: field::build::LayBy<Named> + field::walk::LayBy<Named> {
    fn bytes(&self) -> &[u8];
    fn set(&mut self, bytes: &[u8]);
}

impl<T: Shaped> Vector for Block<T> {
    fn bytes(&self) -> &[u8] {
        Self::bytes(self)
    }

    fn set(&mut self, bytes: &[u8]) {
        let values = bytes.chunks_exact(size_of::<T>()).filter_map(crate::macros::read_pod::<T>);
        *self = values.collect::<Vec<T>>().into();
    }
}

/// Bytes of which no more is known.
impl Vector for Block {
    fn bytes(&self) -> &[u8] {
        self
    }

    fn set(&mut self, bytes: &[u8]) {
        *self = bytes.to_vec().into();
    }
}

impl Node {
    /// Bytes of a header, and so the least that a node takes.
    pub(super) const HEAD: u64 = 112;

    /// Bytes of everything of fixed size.
    pub(super) fn size(&self) -> u64 {
        let mut size = Self::HEAD;
        let mut add = |there: bool, bytes: usize| size = size.saturating_add(if there { wide(bytes) } else { 0 });
        add(self.light.is_some(), 92);
        add(self.emitter.is_some(), size_of::<Emitter>());
        add(self.reference.is_some(), size_of::<Reference>());
        add(self.mesh.is_some(), 512);
        self.mesh.as_ref().map_or(size, |mesh| size.saturating_add(mesh.sort.size()))
    }

    /// Whether it has anything but what is of fixed size, children and controllers.
    fn is_bare(&self) -> bool {
        self.mesh.as_ref().is_none_or(|mesh| mesh.is_empty())
            && self.light.as_ref().is_none_or(|light| light.flares.is_empty() && light.flare_sizes.is_empty())
    }

    /// Whether what its flags stand for has been made.
    fn is_made(&self) -> bool {
        self.light.is_some() || self.emitter.is_some() || self.reference.is_some() || self.mesh.is_some()
    }

    /// Makes what the flags stand for.
    pub(super) fn make_parts(&mut self, t: &Tape<'_>) -> Result {
        let flags = self.head.flags;
        if !flags.is_known() {
            let fault = Fault::Unknown { found: format!("{flags:?}"), expected: "parts whose size is known".into() };
            return Err(t.error_in("flags", fault));
        }
        // A structure of its own is read twice: on the way along the pointers, and in file order.
        let part = |has: NodeFlags, bytes: usize| if flags.contains(has) { bytes } else { 0 };
        let bytes = [
            part(NodeFlags::LIGHT, size_of::<Light>()),
            part(NodeFlags::EMITTER, size_of::<Emitter>()),
            part(NodeFlags::REFERENCE, size_of::<Reference>()),
            part(NodeFlags::MESH, size_of::<Mesh>()),
        ];
        t.charge(wide(bytes.into_iter().sum::<usize>().saturating_add(size_of::<Self>()).saturating_mul(2)))?;
        self.light = flags.contains(NodeFlags::LIGHT).then(Box::default);
        self.emitter = flags.contains(NodeFlags::EMITTER).then(Box::default);
        self.reference = flags.contains(NodeFlags::REFERENCE).then(Box::default);
        self.mesh =
            flags.contains(NodeFlags::MESH).then(|| Box::new(Mesh { sort: Sort::of(flags), ..Mesh::default() }));
        Ok(())
    }

    /// Goes through the pointers of the structure, which has so many children, and `below` the model data of these.
    pub(super) fn bind(&mut self, b: &mut Binder<'_>, children: usize, below: u64) -> core::result::Result<(), Fault> {
        let Self { head, empties, light, mesh, keys, data, .. } = self;
        if let Some(light) = light {
            light.bind(empties, b)?;
        }
        if let Some(mesh) = mesh {
            mesh.bind(empties, b)?;
        }
        let array = [&mut head.children_at, &mut head.children_used, &mut head.children_allocated];
        b.array(empties, Things::CHILDREN, Part::CHILDREN, array, (wide(children), 4))?;
        let way = b.way;
        if matches!(way, Way::Check) {
            // Where these lie is known only behind the children.
            b.way = Way::Strip;
        }
        b.model = b.model.saturating_add(below);
        let array = [&mut head.keys_at, &mut head.keys_used, &mut head.keys_allocated];
        b.array(empties, Things::KEYS, Part::KEYS, array, (wide(keys.len()), wide(size_of::<Key>())))?;
        let array = [&mut head.data_at, &mut head.data_used, &mut head.data_allocated];
        b.array(empties, Things::DATA, Part::DATA, array, (wide(data.len()), 4))?;
        b.way = way;
        Ok(())
    }

    /// The node as it would be if nothing in it were odd, for a binder at the same place.
    pub(super) fn ideal(&self, b: &mut Binder<'_>, children: usize, below: u64) -> core::result::Result<Self, Fault> {
        let empties = Empties { at_cursor: self.empties.at_cursor, ..Empties::default() };
        let mut ideal = Self { empties, children: Vec::new(), ..self.childless() };
        ideal.bind(b, children, below)?;
        Ok(ideal)
    }

    fn childless(&self) -> Self {
        Self {
            head: self.head,
            empties: self.empties,
            part_number: self.part_number,
            live: self.live,
            unordered: self.unordered,
            light: self.light.clone(),
            emitter: self.emitter.clone(),
            reference: self.reference.clone(),
            mesh: self.mesh.clone(),
            children: Vec::new(),
            keys: self.keys.clone(),
            data: self.data.clone(),
        }
    }

    /// Whether every pointer and count says what it should, for a binder at the same place.
    pub(super) fn is_bound(
        &self,
        b: &mut Binder<'_>,
        children: usize,
        below: u64,
    ) -> core::result::Result<bool, Fault> {
        let mut bound = self.childless();
        bound.bind(b, children, below)?;
        Ok(bound.head == self.head && bound.light == self.light && bound.mesh == self.mesh)
    }

    /// The part number, and whether there is more than a header, as they should be.
    fn settled(&self, animated: bool, number: Option<i32>) -> (I32, Truth) {
        let number = match self.part_number.kept.get() {
            // A node that is nowhere has no number.
            0 => number.unwrap_or(-1).into(),
            _ => self.part_number.number,
        };
        (number, (animated && (self.empties.odd() || !self.is_bare())).into())
    }

    /// Whether they are so.
    pub(super) fn is_settled(&self, animated: bool, number: Option<i32>) -> bool {
        (self.head.part_number, self.live) == self.settled(animated, number)
    }

    /// The vector that is a part of it.
    fn vector(&self, part: Part) -> Option<&dyn Vector> {
        field::walk::Tape::node_vector(self, part).map(|(_, vector)| vector)
    }

    /// The same, to change it.
    pub(super) fn vector_mut(&mut self, part: Part) -> Option<&mut dyn Vector> {
        Tape::node_vector(self, part).map(|(_, vector)| vector)
    }

    /// How many items of a part lie in the file.
    pub(super) fn items(&self, part: Part) -> usize {
        let lists = self.mesh.as_ref().map_or(0, |mesh| mesh.lists.len());
        let flares = self.light.as_ref().map_or(0, |light| light.flares.len());
        match part {
            Part::FLARES => flares.min(1),
            Part::FLARE => flares,
            Part::LIST_COUNTS | Part::LISTS => lists.min(1),
            Part::LIST => lists,
            Part::BOX => match self.mesh.as_ref().map(|mesh| &mesh.sort) {
                Some(Sort::Boxes(boxes)) => boxes.entries.len(),
                _ => 0,
            },
            _ => self.vector(part).map_or(0, |vector| usize::from(!vector.bytes().is_empty())),
        }
    }

    /// How many bytes an item of a part has.
    pub(super) fn bytes(&self, part: Part, item: usize) -> u64 {
        let lists = self.mesh.as_ref().map_or(&[][..], |mesh| &mesh.lists);
        let flares = self.light.as_ref().map_or(&[][..], |light| &light.flares);
        match part {
            Part::FLARES => wide(flares.len()).saturating_mul(4),
            Part::FLARE => flares.get(item).map_or(0, Flare::bytes),
            Part::LIST_COUNTS | Part::LISTS => wide(lists.len()).saturating_mul(4),
            Part::LIST => lists.get(item).map_or(0, |list| wide(list.vertices.bytes().len())),
            Part::BOX => Entry::SIZE,
            _ => self.vector(part).map_or(0, |vector| wide(vector.bytes().len())),
        }
    }

    /// What a part holds, or one item of it, that others can hold as well.
    pub(super) fn content(&self, part: Part, item: usize) -> Option<&dyn Vector> {
        match part {
            Part::FLARE => Some(&self.light.as_ref()?.flares.get(item)?.name),
            Part::LIST => Some(&self.mesh.as_ref()?.lists.get(item)?.vertices),
            _ => self.vector(part),
        }
    }

    /// The same, to change it.
    pub(super) fn content_mut(&mut self, part: Part, item: usize) -> Option<&mut dyn Vector> {
        match part {
            Part::FLARE => Some(&mut self.light.as_mut()?.flares.get_mut(item)?.name),
            Part::LIST => Some(&mut self.mesh.as_mut()?.lists.get_mut(item)?.vertices),
            _ => self.vector_mut(part),
        }
    }

    /// Settles the node and all below it, in preorder.
    pub(super) fn settle_all(&mut self, animated: bool, numbers: &mut impl Iterator<Item = Option<i32>>) {
        (self.head.part_number, self.live) = self.settled(animated, numbers.next().flatten());
        self.children.iter_mut().for_each(|child| child.settle_all(animated, numbers));
    }

    /// Measures the node and all below it, in preorder.
    pub(super) fn measure(&self, animated: bool, walk: &mut Walk) -> Extent {
        let index = walk.extents.len();
        walk.extents.push(Extent::default());
        let stale = animated && !bool::from(self.live);
        if let (false, Some(mesh)) = (stale, &self.mesh) {
            walk.raw_bytes = walk.raw_bytes.saturating_add(mesh.stream_bytes());
        }
        let (mut below, mut nodes) = (0_u64, 1_usize);
        for child in &self.children {
            let extent = child.measure(animated, walk);
            below = below.saturating_add(extent.bytes);
            nodes = nodes.saturating_add(extent.nodes);
        }
        let own = self.size().saturating_add(if stale { 0 } else { self.payload_bytes() });
        let table = wide(self.children.len()).saturating_mul(4);
        let values = wide(self.keys.bytes().len()).saturating_add(wide(self.data.bytes().len()));
        let bytes = [own, table, below, values].into_iter().fold(0, u64::saturating_add);
        let extent = Extent { bytes, below, nodes };
        if let Some(slot) = walk.extents.get_mut(index) {
            *slot = extent;
        }
        extent
    }

    fn payload_bytes(&self) -> u64 {
        let mut bytes = 0_u64;
        for &part in PAYLOAD {
            for item in 0..self.items(part) {
                bytes = bytes.saturating_add(self.bytes(part, item));
            }
        }
        bytes
    }

    /// In read mode, whether the records tell of anything besides children and controllers.
    fn tells(&self) -> bool {
        let mesh = self.mesh.as_ref().is_some_and(|mesh| {
            let head = &mesh.head;
            let used = head.faces_used.get() | head.list_counts_used.get() | head.lists_used.get();
            used > 0
                || match &mesh.sort {
                    Sort::Plain => false,
                    Sort::Dangly(dangly) => dangly.head.constraints_used.get() > 0,
                    _ => true,
                }
        });
        mesh || self.light.is_some()
    }
}

/// In read mode, something must lie here that a pointer points to.
pub(super) fn expect_here(t: &Tape<'_>, base: u64, pointer: u64) -> Result {
    let here = t.position().saturating_sub(base);
    if pointer == here {
        return Ok(());
    }
    let fault = Fault::Outside { found: pointer.into(), expected: here.to_string() };
    Err(t.error_at(t.position(), [Step::Name("pointer")], fault))
}

/// Where a node is laid on the way through the model.
pub(super) struct At<'w> {
    pub(super) walk: &'w mut Walk,
    /// How deep it lies.
    pub(super) level: usize,
}

lay! {
    /// One without entries is not told.
    impl<T: Shaped> LayBy<Named> for Block<T> {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, Named { name, used }: Named) -> Result {
            let count = t.told(used, wide(self.len()));
            if count == 0 && !t.loading() { Ok(()) } else { t.block(name, count, self) }
        }
    }

    impl LayBy<Named> for Block {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, Named { name, used }: Named) -> Result {
            t.run(name, Run::Opaque, t.told(used, wide(self.len())), self)
        }
    }

    /// Lays everything of fixed size.
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
            // What is found by pointers has been made already.
            t.build(at!(*self), |it, t| if it.is_made() { Ok(()) } else { it.make_parts(t) })?;
            // Nobody has written the rest of a node of an animation, unless there is something in it.
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
                let rules = rules.and_then(|rules| rules.mesh.as_ref());
                t.structure("mesh", at!(mesh.head), is_stale, rules.map(|mesh| &mesh.head))?;
                if !is_stale && t.judging() {
                    t.group("mesh", |t| {
                        mesh.judge(t);
                        Ok(())
                    })?;
                }
                t.mesh_list_number(mesh)?;
                let kin = Kin { is_stale, rules: rules.map(|mesh| &mesh.sort), bones: aspect.bones };
                mesh.sort.lay_by(t, kin)?;
                if let Sort::Skin(skin) = &mesh.sort {
                    t.expect("bones", || skin.trouble().map(|(expected, found)| (expected.into(), found.into())));
                }
            }
            Ok(())
        }
    }

    impl LayBy<At<'_>> for Node {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, At { walk, level }: At<'_>) -> Result {
            if level >= limits::NODES {
                return Err(t.error(Fault::TooDeep { limit: limits::NODES }));
            }
            let index = walk.next;
            walk.next = index.saturating_add(1);
            let number = walk.numbers.get(index).copied().flatten();
            let (children, below) = (self.children.len(), walk.extents.get(index).map_or(0, |extent| extent.below));
            let model = t.position().saturating_sub(walk.base).saturating_add(self.size());
            let mut ideal = None;
            if t.judging() && self.empties.odd() {
                let mut b = Binder::new(Way::Fill, model, walk.raw);
                ideal = Some(self.ideal(&mut b, children, below).map_err(|fault| t.error(fault))?);
            }
            t.settle(at!(*self), |it, t| {
                let mut b = Binder::new(Way::Fill, model, walk.raw);
                it.bind(&mut b, children, below).map_err(|fault| t.error(fault))
            })?;
            if t.filling() {
                let mut b = Binder::new(Way::Fill, model, walk.raw);
                let bound = self.is_bound(&mut b, children, below).map_err(|fault| t.error(fault))?;
                if !bound || !self.is_settled(walk.animated, number) {
                    return Err(t.error(unsettled()));
                }
            }
            let (rules, bones) = (ideal.as_ref(), Bones::Base(walk.base));
            self.lay_by(t, &Aspect { animated: walk.animated, bones, rules, number })?;
            if t.filling() {
                walk.raw = walk.raw.saturating_add(self.mesh.as_ref().map_or(0, |mesh| mesh.stream_bytes()));
            }
            t.read(at!(*self), |it, t| {
                let mut b = Binder::new(Way::Check, t.position().saturating_sub(walk.base), walk.raw);
                it.bind(&mut b, 0, 0).map_err(|fault| t.error(fault))?;
                walk.raw = b.raw;
                Ok(())
            })?;
            let is_stale = walk.animated && !bool::from(self.live);
            if t.seen(|_| self.tells()).unwrap_or(!is_stale) {
                for &part in PAYLOAD {
                    match (part, at!(self.mesh)) {
                        (Part::LISTS, Some(mesh)) => t.mesh_lists(mesh, Some(&mut walk.raw))?,
                        _ => t.node_part(self, part, None)?,
                    }
                }
            }
            let children = children_table(self, t, walk, index)?;
            let count = wide(children.len());
            let mut children = children.into_iter();
            t.list("children", count, Node::HEAD, at!(self.children), |t, child| {
                let pointer = children.next();
                t.seen(|t| pointer.map_or(Ok(()), |pointer| expect_here(t, walk.base, pointer))).transpose()?;
                child.lay_by(t, At { walk, level: level.saturating_add(1) })
            })?;
            t.seen(|t| found_here(t, walk.base, self.head.keys_used, self.head.keys_at)).transpose()?;
            t.node_part(self, Part::KEYS, None)?;
            t.seen(|t| found_here(t, walk.base, self.head.data_used, self.head.data_at)).transpose()?;
            t.node_part(self, Part::DATA, None)?;
            t.read(at!(*self), |it, _| {
                it.unordered = (!controllers::ordered(&it.keys)).into();
                Ok(())
            })
        }
    }

    /// Lays the table of children, and gives it.
    fn children_table(it: at!(Node), t: &mut Tape<'_>, walk: &Walk, index: usize) -> Result<Vec<u64>> {
        let mut count = t.told(it.head.children_used.get().into(), wide(it.children.len()));
        t.read(at!(*it), |_, t| t.room(count, 4))?;
        t.load(at!(*it), |_, t| {
            count = wide(t.given("children")?);
            Ok(())
        })?;
        let mut table = Vec::new();
        let mut at = t.position().saturating_sub(walk.base).saturating_add(count.saturating_mul(4));
        let mut node = index.saturating_add(1);
        for _ in 0..count {
            table.push(t.number::<U32>("child", at)?);
            let extent = walk.extents.get(node).copied().unwrap_or_default();
            at = at.saturating_add(extent.bytes);
            node = node.saturating_add(extent.nodes);
        }
        Ok(table)
    }

    impl Tape<'_> {
        /// Lays a part of a node that is of fixed size.
        pub(in crate::aurora) fn structure<R: Record>(
            &mut self,
            name: &'static str,
            record: at!(R),
            is_stale: bool,
            rules: Option<&R>,
        ) -> Result {
            if is_stale {
                self.value_as::<Leftover<R>, _>(name, record)
            } else {
                self.group(name, |t| t.fields_by(record, rules))
            }
        }

        /// The vector that is a part of a node.
        pub(in crate::aurora) fn node_vector(it: at!(Node), part: Part) -> Option<(Named, at!(dyn Vector))> {
            match (part, at!(it.light)) {
                (Part::KEYS, _) => Some((Named::of("keys", it.head.keys_used), at!(it.keys))),
                (Part::DATA, _) => Some((Named::of("data", it.head.data_used), at!(it.data))),
                (Part::FLARE_SIZES, Some(light)) => {
                    Some((Named::of("flare_sizes", light.head.flare_sizes_used), at!(light.flare_sizes)))
                }
                (Part::FLARE_POSITIONS, Some(light)) => {
                    Some((Named::of("flare_positions", light.head.flare_positions_used), at!(light.flare_positions)))
                }
                (Part::FLARE_SHIFTS, Some(light)) => {
                    Some((Named::of("flare_shifts", light.head.flare_shifts_used), at!(light.flare_shifts)))
                }
                _ => match at!(it.mesh) {
                    Some(mesh) => Self::mesh_vector(mesh, part),
                    None => None,
                },
            }
        }

        /// Lays a part of a node, or one item of that. Nothing where it has none.
        pub(in crate::aurora) fn node_part(&mut self, it: at!(Node), part: Part, item: Option<usize>) -> Result {
            match (part, at!(it.light), at!(it.mesh)) {
                (Part::FLARES, Some(light), _) => {
                    self.load(at!(light.flares), |flares, t| {
                        if flares.is_empty() {
                            flares.resize_with(t.given("flares")?, Flare::default);
                        }
                        Ok(())
                    })?;
                    for flare in at!(light.flares) {
                        let says = flare.pointer.get().into();
                        self.counted("flare", at!(flare.pointer), Some(says))?;
                    }
                    Ok(())
                }
                (Part::FLARE, Some(light), _) => self.items_of("flares", item, at!(light.flares)),
                (Part::LIST_COUNTS, _, Some(mesh)) => self.mesh_list_counts(mesh),
                (Part::LISTS, _, Some(mesh)) => {
                    self.mesh_strays(mesh)?;
                    self.mesh_lists(mesh, None)
                }
                (Part::LIST, _, Some(mesh)) => self.items_of("lists", item, at!(mesh.lists)),
                (Part::BOX, _, Some(mesh)) => match at!(mesh.sort) {
                    Sort::Boxes(boxes) => self.items_of("boxes", item, at!(boxes.entries)),
                    _ => Ok(()),
                },
                _ => {
                    self.settle(at!(*it), |it, t| {
                        if part == Part::KEYS && !bool::from(it.unordered) {
                            controllers::order(t, &mut it.keys);
                        }
                        Ok(())
                    })?;
                    if let Some((named, vector)) = Self::node_vector(at!(*it), part) {
                        vector.lay_by(self, named)?;
                    }
                    if part == Part::KEYS {
                        self.expect("keys", || {
                            let trouble = controllers::trouble(&it.keys, &it.data);
                            trouble.map(|(expected, found)| (expected.into(), found.into()))
                        });
                    }
                    Ok(())
                }
            }
        }

        /// Lays all items as a list, or one of them as what is being laid.
        pub(in crate::aurora) fn items_of<T: Default + Lay>(
            &mut self,
            name: &'static str,
            item: Option<usize>,
            items: at!(Vec<T>),
        ) -> Result {
            match item {
                Some(item) => items.into_iter().nth(item).map_or(Ok(()), |it| it.lay(self)),
                None if self.loading() => self.list(name, 0, 0, items, |t, it| it.lay(t)),
                None if items.is_empty() => Ok(()),
                None => self.each(name, items, |t, it| it.lay(t)),
            }
        }
    }
}

/// In read mode, so many things must lie here if there are any.
fn found_here(t: &Tape<'_>, base: u64, used: U32, pointer: U32) -> Result {
    if used.get() > 0 { expect_here(t, base, pointer.get().into()) } else { Ok(()) }
}
