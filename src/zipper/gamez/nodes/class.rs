//! The data of each class of node.

use bitflags::Flags as _;

use crate::Vec3;
use crate::gamez::free::null_where_nothing;
use crate::gamez::games::Layouts;
use field::record;
use field::{Block, F32, I32, Opaque, Result, Text, U32, lay, wide};

use super::base::NodeClass;
use super::{Camera, Display, Lod as _, Object, ObjectFlags, Sun, Window, World};

record! {
    /// A sound, which only Recoil's engine can read, 148 bytes. Source: `zipper-nodes.md`, section 6.7.
    pub struct SoundHeader: 148 {
        sample_ptr: U32 as Pointer,
        handle: U32 as Stale,
        name: Text<36>,
        flags: U32,
        position: Vec3,
        world_position: Vec3,
        unk_48: Opaque<48>,
        falloff_mode: U32,
        range_near: F32,
        range_far: F32,
        range_far_sq: F32,
        range_inv: F32,
        attached_count: I32 as Outside,
        attached_ptr: U32 as Pointer,
    }
}

/// A sound.
#[derive(Clone, Debug, Default)]
pub struct Sound {
    /// The record of the sound.
    pub head: SoundHeader,
    /// The nodes that it belongs to.
    pub attached: Block<I32>,
}

/// The data of a node, by class.
#[derive(Clone, Debug, Default)]
pub enum Class<G: Layouts> {
    /// No data.
    #[default]
    Empty,
    /// A camera.
    Camera(Box<Camera>),
    /// The world.
    World(Box<World<G>>),
    /// A window.
    Window(Box<Window>),
    /// A display.
    Display(Display),
    /// An object in the world.
    Object(Object<G>),
    /// A level of detail.
    Lod(G::Lod),
    /// The sun.
    Light(Box<Sun<G>>),
    /// A sound.
    Sound(Box<Sound>),
}

impl<G: Layouts> Class<G> {
    /// Returns the matrix of an object, or `None` if the node has the position and orientation of its parent.
    pub(super) fn matrix(&self) -> Option<&[F32; 12]> {
        let Self::Object(object) = self else { return None };
        (!object.head.flags.contains(ObjectFlags::INITIAL)).then_some(&object.matrices.transform)
    }

    /// Returns `true` if the data of such a node have a known size.
    pub(super) fn is_known(class: NodeClass) -> bool {
        match class {
            NodeClass::SOUND => G::SOUNDS,
            _ => class.name().is_some(),
        }
    }

    /// Returns the empty data of a node of a class.
    pub(crate) fn of(class: NodeClass) -> Self {
        match class {
            NodeClass::CAMERA => Self::Camera(Box::default()),
            NodeClass::WORLD => Self::World(Box::default()),
            NodeClass::WINDOW => Self::Window(Box::default()),
            NodeClass::DISPLAY => Self::Display(Display::default()),
            NodeClass::OBJECT_3D => Self::Object(Object::default()),
            NodeClass::LOD => Self::Lod(G::Lod::default()),
            NodeClass::LIGHT => Self::Light(Box::default()),
            NodeClass::SOUND => Self::Sound(Box::default()),
            _ => Self::Empty,
        }
    }
}

lay! {
    impl<G: Layouts> Lay for Class<G> {
        /// Lays out the data of the node's class, including its lists.
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            match self {
                Self::Empty => Ok(()),
                Self::Camera(camera) => t.record("camera", at!(**camera)),
                Self::World(world) => t.group("world", |t| world.lay(t)),
                Self::Window(window) => t.record("window", at!(**window)),
                Self::Display(display) => t.record("display", display),
                Self::Object(object) => t.group("object", |t| object.lay(t)),
                Self::Lod(lod) => t.group("lod", |t| {
                    t.fields(at!(*lod))?;
                    if let Some((name, address, something)) = lod.address() {
                        t.judge(|t| null_where_nothing(t, name, address, something));
                    }
                    Ok(())
                }),
                Self::Light(sun) => t.group("light", |t| sun.lay(t)),
                Self::Sound(sound) => t.group("sound", |t| sound.lay(t)),
            }
        }
    }

    impl Lay for Sound {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.computed("attached_count", at!(self.head.attached_count), wide(self.attached.len()))?;
            t.fields(at!(self.head))?;
            let count = t.stated("attached_count", self.head.attached_count)?;
            t.judge(|t| null_where_nothing(t, "attached_ptr", self.head.attached_ptr, count > 0));
            t.block("attached", count, at!(self.attached))
        }
    }
}
