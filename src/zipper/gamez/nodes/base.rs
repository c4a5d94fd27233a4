//! The record of a node: the fields of every game, around those that differ.

use crate::gamez::free::null_where_nothing;
use crate::gamez::games::{GameRecord, Layouts, Nothing};
use crate::gamez::models::Next;
use crate::{NodeStyle, Vec3};
use field::build::Tape;
use field::{F32, Fault, I16, I32, Integer, Result, Text, U16, U32, lay};
use field::{flags, names, record};

use super::{Class, Link, NodeBoxes, NodeExtent, NodeGarbage, NodeOffset, Ownership};

names! {
    /// The class of a node. Source: `zipper-nodes.md`, section 2.
    pub struct NodeClass(U32: u32) {
        /// A slot that is free or was freed.
        EMPTY = 0;
        /// A camera.
        CAMERA = 1;
        /// The world.
        WORLD = 2;
        /// A window.
        WINDOW = 3;
        /// A display.
        DISPLAY = 4;
        /// An object in the world.
        OBJECT_3D = 5;
        /// A level of detail.
        LOD = 6;
        /// The sun.
        LIGHT = 9;
        /// A sound, which only Recoil's engine supports and no known file contains.
        SOUND = 10;
    }
}

flags! {
    /// The flags of a node. Source: `zipper-nodes.md`, section 4.
    pub struct NodeFlags(U32: u32) {
        /// It waits for an update; only while the game runs.
        QUEUED = 0x0000_0001;
        /// The node is active. In Crimson Skies, only at first.
        ACTIVE = 0x0000_0004;
        /// Collides along y.
        ALTITUDE_SURFACE = 0x0000_0008;
        /// Collides along x and z.
        INTERSECT_SURFACE = 0x0000_0010;
        /// Its box collides.
        INTERSECT_BBOX = 0x0000_0020;
        /// Never set in files.
        PROXIMITY = 0x0000_0040;
        /// It is never put in a cell of the grid, and never dropped because of its distance.
        LANDMARK = 0x0000_0080;
        /// The box of the node is valid.
        BBOX_NODE = 0x0000_0100;
        /// The box of the model is valid: the node has a model.
        BBOX_MODEL = 0x0000_0200;
        /// The box of the children is valid.
        BBOX_CHILD = 0x0000_0400;
        /// It is kept although it could not be inserted; only while the game runs.
        KEEP_AFTER_FAILED_INSERT = 0x0000_0800;
        /// Foliage that the game may leave out; Crimson Skies.
        FLUFF = 0x0000_1000;
        /// Terrain.
        TERRAIN = 0x0000_8000;
        /// Craters may be cut into it.
        CAN_MODIFY = 0x0001_0000;
        /// No crater may overlap it.
        CLIP_TO = 0x0002_0000;
        /// Weapons do not hit it; Crimson Skies, on no known node.
        NO_WEAPON_RAYS = 0x0004_0000;
        /// It has one parent.
        TREE_VALID = 0x0008_0000;
        /// It is tested for occlusion; only while the game runs.
        OCCLUSION_TEST = 0x0040_0000;
        /// Set in Crimson Skies only.
        OVERRIDE = 0x0080_0000;
        /// Its zone is checked.
        ID_ZONE_CHECK = 0x0100_0000;
        /// Set on objects, in later games also on LODs.
        UNK_25 = 0x0200_0000;
        /// A copy of it is the node itself; only while the game runs.
        COPY_IS_SELF = 0x0400_0000;
        /// Set on freed slots.
        UNK_28 = 0x1000_0000;
        /// It was drawn in this frame; only while the game runs.
        DRAWN = 0x8000_0000;
    }
}

flags! {
    /// The values of a node that the engine must update. Source: `zipper-nodes.md`, section 2.
    pub struct UpdateFlags(U32: u32) {
        /// Its model has changed.
        MODEL_CHANGED = 1;
        /// Its children have changed.
        CHILDREN_CHANGED = 2;
        /// The sphere around it is stale.
        VIEW_SPHERE_STALE = 4;
    }
}

names! {
    /// The box of a node that is used. Source: `zipper-nodes.md`, section 2.
    pub struct ActiveBox(U32: u32) {
        /// That of the node.
        NODE = 0;
        /// That of its model.
        MODEL = 1;
        /// That of its children.
        CHILD = 2;
    }
}

record! {
    /// The beginning of a node, 76 bytes. Source: `zipper-nodes.md`, section 2.
    pub struct NodeHeader: 76 {
        name: Text<36, NodeStyle>,
        flags: NodeFlags,
        unk_28: U32 = 0,
        update_flags: UpdateFlags,
        /// One byte, 255 for none; the other three bytes are 0.
        zone_id: U32,
        class: NodeClass,
        data_ptr: U32 as Pointer,
        /// -1 for none; in a library, a stale address or null.
        model_index: I32,
        environment_data: U32 = 0,
        action_priority: U32 => |node| u32::from(!is_blank(&node.name)),
        action_callback: U32 = 0,
    }
}

record! {
    /// The beginning of a node of Crimson Skies, 76 bytes: as in the other games, but with owners. Source: `zipper-nodes.md`, section 2.1.
    pub struct NodeHeaderCs: 76 {
        name: Text<36, NodeStyle>,
        flags: NodeFlags,
        ownership: Ownership,
        update_flags: UpdateFlags,
        /// 255 for all zones.
        zone_id: U32,
        class: NodeClass,
        data_ptr: U32 as Pointer,
        /// -1 for none.
        model_index: I32,
        environment_data: U32 = 0,
        action_priority: U32 => |node| u32::from(!is_blank(&node.name)),
        action_callback: U32 = 0,
    }
}

record! {
    /// The position of a node of Recoil or MechWarrior 3 in the grid and the tree, 40 bytes. Source: `zipper-nodes.md`, section 2.
    pub struct NodePlaceRc: 40 {
        area_partition_x: I32,
        area_partition_z: I32,
        parent_array_size: I32 as Outside,
        parent_array_ptr: U32 as Pointer,
        child_array_size: I32 as Outside,
        child_array_ptr: U32 as Pointer,
        bbox_mid: Vec3 = [F32::new(0.0); 3],
        bbox_diag: F32 = 0.0,
    }
}

record! {
    /// The position of a node from Pirate's Moon onward in the grid and the tree, 40 bytes. Source: `zipper-nodes.md`, section 2.
    pub struct NodePlacePm: 40 {
        area_partition_x: I16,
        area_partition_z: I16,
        virtual_partition_x: I16,
        virtual_partition_z: I16,
        parent_array_size: U16 as Outside,
        child_array_size: U16 as Outside,
        parent_array_ptr: U32 as Pointer,
        child_array_ptr: U32 as Pointer,
        bbox_mid: Vec3 = [F32::new(0.0); 3],
        bbox_diag: F32 = 0.0,
        active_bbox: ActiveBox,
    }
}

record! {
    /// The end of a node from MechWarrior 3 onward, 16 bytes. Source: `zipper-nodes.md`, section 2.
    pub struct NodeEnd: 16 {
        unk_c0: I32 = 0,
        /// 160 for objects, LODs and freed nodes.
        unk_c4: I32 as Outside,
        unk_c8: I32 = 0,
        unk_cc: I32 = 0,
    }
}

record! {
    /// A slot of Recoil that was never used, 196 bytes. Source: `zipper-nodes.md`, section 1.4.
    pub struct FreeNodeRc: 196 {
        unused: [U32; 15] = [U32::new(0); 15],
        model_index: I32 = -1,
        unused_too: [U32; 32] = [U32::new(0); 32],
        next_free: U32,
    }
}

record! {
    /// A slot of Recoil's demos of 1998 that was never used, 268 bytes. Source: `zipper-nodes.md`, sections 1.4 and 14.
    pub struct FreeNodeRcDemo: 268 {
        unused: [U32; 15] = [U32::new(0); 15],
        model_index: I32 = -1,
        unused_too: [U32; 50] = [U32::new(0); 50],
        next_free: U32,
    }
}

record! {
    /// A slot of later games that was never used, 212 bytes. Source: `zipper-nodes.md`, section 1.4.
    pub struct FreeNodeMw: 212 {
        unused: [U32; 15] = [U32::new(0); 15],
        model_index: I32 = -1,
        unused_too: [U32; 36] = [U32::new(0); 36],
        next_free: U32,
    }
}

macro_rules! next_free {
    ($($of:ty),*) => { $(
        impl Next for $of {
            fn next(&self) -> u32 {
                self.next_free.get()
            }
        }
    )* };
}
next_free!(FreeNodeRc, FreeNodeRcDemo, FreeNodeMw);

impl NodeHeader {
    /// Returns `true` if the node is in use, so that its data follow the slots.
    #[must_use]
    pub fn is_used(&self) -> bool {
        self.class != NodeClass::EMPTY
    }

    /// Returns `true` if the slot was never used.
    fn is_virgin(&self) -> bool {
        is_blank(&self.name)
    }

    /// Returns the word that follows the record of such a node.
    pub(super) fn link<G: Layouts>(&self) -> Link {
        match (G::NODE_POOL, self.is_used()) {
            (true, true) => Link::Data(NodeOffset::default()),
            (true, false) => Link::Next(U32::default()),
            (false, _) => Link::Garbage(NodeGarbage::default()),
        }
    }
}

/// Returns `true` for the name of a slot that was never used.
fn is_blank(name: &Text<36, NodeStyle>) -> bool {
    field::bytes_of(name).iter().all(|&byte| byte == 0)
}

/// The zone of a node outside all zones.
const NO_ZONE: u32 = 255;

/// Returns `true` if nodes of a class have no zone, cell or model. Source: `zipper-nodes.md`, section 5.
fn is_single(class: NodeClass) -> bool {
    matches!(class, NodeClass::CAMERA | NodeClass::WORLD | NodeClass::WINDOW | NodeClass::DISPLAY | NodeClass::LIGHT)
}

/// The record of a node.
#[derive(Clone, Debug, Default)]
pub struct Base<G: Layouts> {
    /// Name, class and flags.
    pub head: NodeHeader,
    /// The position of the node in the grid and the tree.
    pub place: G::NodePlace,
    /// The box of the node.
    pub extent: G::NodeExtent,
    /// The boxes of its model and its children.
    pub boxes: NodeBoxes,
    /// The fields that later games added.
    pub end: G::NodeEnd,
}

impl<G: Layouts> Base<G> {
    /// The size of the record in bytes.
    pub(super) const SIZE: usize = size_of::<NodeHeader>()
        + size_of::<G::NodePlace>()
        + size_of::<G::NodeExtent>()
        + size_of::<NodeBoxes>()
        + size_of::<G::NodeEnd>();
}

lay! {
    impl<G: Layouts> LayBy<Around<'_, G>> for Base<G> {
        /// Lays out the record of a node, given the other parts of the node.
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, around: Around<'_, G>) -> Result {
            let Self { head, place, extent, boxes, end } = self;
            let Around { parents, children, class: data } = around;
            t.fields(recast::<G::NodeHeader, _>(at!(*head)))?;
            if !Class::<G>::is_known(head.class) {
                let (found, expected) = (format!("{:?}", head.class), "a class whose size is known".to_owned());
                return Err(t.error_in("class", Fault::Unknown { found, expected }));
            }
            t.judge(|t| {
                null_where_nothing(t, "data_ptr", head.data_ptr, head.is_used());
                if is_single(head.class) {
                    let (zone, model) = (head.zone_id.get(), head.model_index.get());
                    t.expect("zone_id", || (zone != NO_ZONE).then(|| (NO_ZONE.into(), zone.into())));
                    t.expect("model_index", || (model != -1).then(|| ((-1).into(), model.into())));
                }
            });
            t.when_recomputing(at!(*place), |place, t| place.fill_children(t, children))?;
            match parents {
                Parents::Listed(parents) => {
                    t.when_recomputing(at!(*place), |place, t| place.fill_parents(t, parents))?;
                    t.fields(at!(*place))?;
                }
                Parents::Expected(parents) => t.fields_ruled(at!(*place), |place| place.by_rule(&parents))?,
            }
            place.stated(|name, count| t.stated(name, count))?;
            t.judge(|t| {
                for (name, expected, found) in place.partitions().into_iter().filter(|_| is_single(head.class)) {
                    t.expect(name, || (found != expected).then(|| (expected.into(), found.into())));
                }
                for (name, address, something) in place.addresses() {
                    null_where_nothing(t, name, address, something);
                }
            });
            if head.is_used() {
                let rules = t.rules(|| Ok(G::NodeExtent::by_rule(head.flags, boxes, data.matrix())))?.flatten();
                t.fields_by(at!(*extent), rules.as_ref())?;
            } else {
                t.fields(recast::<<G::NodeExtent as NodeExtent>::Freed, _>(at!(*extent)))?;
            }
            let class = head.class;
            if class == NodeClass::DISPLAY
                || class == NodeClass::WINDOW
                || class == NodeClass::CAMERA
                || class == NodeClass::WORLD
            {
                let boxed = !extent.is_empty() || field::bytes_of(boxes).iter().any(|&byte| byte != 0);
                t.expect(G::NodeExtent::NAME, || boxed.then(|| ("no boxes".into(), "boxes".into())));
            }
            t.fields(boxes)?;
            let described =
                matches!(class, NodeClass::OBJECT_3D | NodeClass::LOD) || class == NodeClass::EMPTY && !head.is_virgin();
            t.fields_ruled(end, |end| end.by_rule(&described))
        }
    }
}

/// The parts of a node on which its record depends.
#[derive(Clone, Copy, Debug)]
pub struct Around<'n, G: Layouts> {
    parents: Parents,
    children: u64,
    class: &'n Class<G>,
}

impl<'n, G: Layouts> Around<'n, G> {
    /// Creates them from the parents, the number of children and the data of the class.
    pub(crate) fn of(parents: Parents, children: u64, class: &'n Class<G>) -> Self {
        Self { parents, children, class }
    }
}

/// The number of parents of a node.
#[derive(Clone, Copy, Debug)]
pub enum Parents {
    /// This number of parents follows.
    Listed(u64),
    /// The list of parents is absent, but this number is expected in the record.
    Expected(u64),
}

/// A record with fields that depend on other parts of the file.
pub trait Ruled<From>: GameRecord {
    /// Returns the record with the values that its rules give.
    #[must_use]
    fn by_rule(&self, from: &From) -> Self;
}

impl<From> Ruled<From> for Nothing {
    fn by_rule(&self, _: &From) -> Self {
        *self
    }
}

impl Ruled<bool> for NodeEnd {
    fn by_rule(&self, described: &bool) -> Self {
        Self { unk_c4: if *described { 160 } else { 0 }.into(), ..*self }
    }
}

/// The position of a node in the grid and the tree.
pub trait NodePlace: Ruled<u64> {
    /// Returns the stored numbers of parents and children.
    fn counts(&self) -> [I32; 2];

    /// Returns them as `stated` returns each of them by its field.
    ///
    /// # Errors
    /// Returns an error if `stated` does.
    fn stated(&self, stated: impl Fn(&'static str, I32) -> Result<u64>) -> Result<[u64; 2]> {
        let [parents, children] = self.counts();
        Ok([stated("parent_array_size", parents)?, stated("child_array_size", children)?])
    }

    /// Stores the number of parents.
    ///
    /// # Errors
    /// Returns an error if the number does not fit.
    fn fill_parents(&mut self, t: &Tape<'_>, count: u64) -> Result;

    /// Stores the number of children.
    ///
    /// # Errors
    /// Returns an error if the number does not fit.
    fn fill_children(&mut self, t: &Tape<'_>, count: u64) -> Result;

    /// Returns the addresses of parents and children, and whether there are any.
    fn addresses(&self) -> [(&'static str, U32, bool); 2] {
        let [parents, children] = self.counts().map(|count| count.get() > 0);
        let [parent_ptr, child_ptr] = self.pointers();
        [("parent_array_ptr", parent_ptr, parents), ("child_array_ptr", child_ptr, children)]
    }

    /// Returns the addresses of parents and children.
    fn pointers(&self) -> [U32; 2];

    /// Returns which of its boxes is used, or `None` if the game does not store that.
    fn active_box(&self) -> Option<ActiveBox>;

    /// Returns the cells that contain it, each as a field, its value for none, and its stored value.
    fn partitions(&self) -> Vec<(&'static str, i32, i32)>;
}

macro_rules! place {
    ($of:ty, [$($virtual:ident),*], $active_box:expr) => {
        impl Ruled<u64> for $of {
            fn by_rule(&self, parents: &u64) -> Self {
                Self { parent_array_size: Integer::of(*parents).unwrap_or(self.parent_array_size), ..*self }
            }
        }

        impl NodePlace for $of {
            fn counts(&self) -> [I32; 2] {
                [self.parent_array_size.get(), self.child_array_size.get()].map(|count| I32::new(count.into()))
            }

            fn fill_parents(&mut self, t: &Tape<'_>, count: u64) -> Result {
                t.computed("parent_array_size", &mut self.parent_array_size, count)
            }

            fn fill_children(&mut self, t: &Tape<'_>, count: u64) -> Result {
                t.computed("child_array_size", &mut self.child_array_size, count)
            }

            fn pointers(&self) -> [U32; 2] {
                [self.parent_array_ptr, self.child_array_ptr]
            }

            fn active_box(&self) -> Option<ActiveBox> {
                let stored: fn(&Self) -> Option<ActiveBox> = $active_box;
                stored(self)
            }

            fn partitions(&self) -> Vec<(&'static str, i32, i32)> {
                vec![
                    ("area_partition_x", -1, self.area_partition_x.get().into()),
                    ("area_partition_z", -1, self.area_partition_z.get().into()),
                    $((stringify!($virtual), 0, self.$virtual.get().into()),)*
                ]
            }
        }
    };
}
place!(NodePlaceRc, [], |_| None);
place!(NodePlacePm, [virtual_partition_x, virtual_partition_z], |it| Some(it.active_bbox));

#[cfg(test)]
mod tests {
    use super::*;
    use field::{Shape, Shaped as _};

    /// Source: `zipper-nodes.md`, section 3.
    #[test]
    fn name_overwrites_the_default_name() {
        let shown = |front: &[u8]| {
            let mut field = [0; 36];
            field[..front.len()].copy_from_slice(front);
            let name = Text::<36, NodeStyle>::new(field);
            let json = Text::<36, NodeStyle>::SHAPE.show(&field);
            let mut again = [0; 36];
            let Shape::Leaf(leaf) = Text::<36, NodeStyle>::SHAPE else { panic!("a leaf") };
            leaf.set(&json, &mut again).expect("it loads");
            assert_eq!(again, field);
            (format!("{name:?}"), name.bytes().to_vec())
        };
        for (front, name) in [
            (&b"world1\0_node_name"[..], "world1"),
            (b"camera1\0node_name", "camera1"),
            (b"sunlight\0ode_name", "sunlight"),
            (b"a_name_of_twenty_six_bytes", "a_name_of_twenty_six_bytes"),
            (b"brigturret2 \0name", "brigturret2 "),
        ] {
            assert_eq!(shown(front), (format!("{name:?}"), name.as_bytes().to_vec()));
        }
        for front in [&b"abort_test\0ng\0ame"[..], b"geometry\x008\0e_name", b"cockpit1\x000\0e_name", b"world1"] {
            assert!(shown(front).0.contains("tail"));
        }
    }
}
