//! The conditions under which a definition can run.

use field::{Opaque, Result, Text, U32, lay};
use field::{flags, names, record};

names! {
    /// The type of target. Source: `zipper-anim.md`, section 9.
    pub struct PrerequisiteType(U32: u32) {
        /// An animation.
        ANIMATION = 1;
        /// The object at the end of a path.
        OBJECT = 2;
        /// The component of the path before it.
        PARENT = 3;
    }
}

record! {
    /// The beginning of a prerequisite, 8 bytes. Source: `zipper-anim.md`, section 9.
    pub struct PrerequisiteHeader: 8 {
        /// 1 if it only counts toward the minimum number.
        optional: U32,
        kind: PrerequisiteType,
    }
}

record! {
    /// An animation, 40 bytes. Source: `zipper-anim.md`, section 9, type 1.
    pub struct AnimationTarget: 40 {
        name: Text<32>,
        target_ptrs: [U32; 2] as Pointer = [U32::new(0); 2],
    }
}

flags! {
    /// The conditions for an object. Source: `zipper-anim.md`, section 9.
    pub struct PrerequisiteState(U32: u32) {
        /// It must be active.
        ACTIVE = 1;
        /// It is looked up only among the nodes of the definition.
        LOCAL = 2;
    }
}

record! {
    /// An object, or a component of the path to it, 40 bytes. Source: `zipper-anim.md`, section 9, types 2 and 3.
    pub struct ObjectTarget: 40 {
        state: PrerequisiteState,
        name: Text<32>,
        node_ptr: U32 as Pointer,
    }
}

record! {
    /// The target of an unknown type, 40 bytes.
    pub struct OpaqueTarget: 40 {
        unk_08: Opaque<40>,
    }
}

/// The target of a prerequisite.
#[derive(Clone, Debug)]
pub enum Target {
    /// An animation.
    Animation(AnimationTarget),
    /// An object.
    Object(ObjectTarget),
    /// The target of an unknown type.
    Opaque(OpaqueTarget),
}

impl Default for Target {
    fn default() -> Self {
        Self::Opaque(OpaqueTarget::default())
    }
}

/// A prerequisite, 48 bytes. Source: `zipper-anim.md`, section 9.
#[derive(Clone, Debug, Default)]
pub struct Prerequisite {
    /// The type of its target, and whether it is optional.
    pub head: PrerequisiteHeader,
    /// The target.
    pub target: Target,
}

impl Prerequisite {
    /// The size in bytes.
    pub(super) const SIZE: u64 = 48;
}

lay! {
    impl Lay for Prerequisite {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fields(at!(self.head))?;
            let kind = self.head.kind;
            t.choose(at!(self.target), |_| match kind {
                PrerequisiteType::ANIMATION => Target::Animation(AnimationTarget::default()),
                PrerequisiteType::OBJECT | PrerequisiteType::PARENT => Target::Object(ObjectTarget::default()),
                _ => Target::default(),
            });
            t.expect("kind", || {
                kind.name().is_none().then(|| ("ANIMATION, OBJECT or PARENT".into(), kind.get().into()))
            });
            match at!(self.target) {
                Target::Animation(target) => t.fields(target),
                Target::Object(target) => t.fields(target),
                Target::Opaque(target) => t.fields(target),
            }
        }
    }
}
