//! Objects in the world.

use bitflags::Flags as _;

use crate::Vec3;
use crate::gamez::arithmetic::{Turn, rotation};
use crate::gamez::games::Layouts;
use field::{Change, F32, Judge, Result, Shaped as _, change, lay};
use field::{flags, record};

use super::Ruled;

flags! {
    /// The flags of an object. Source: `zipper-nodes.md`, section 6.4.
    pub struct ObjectFlags(U32: u32) {
        /// Changed since the last update; only while the game runs.
        DIRTY = 0x01;
        /// It has an opacity.
        OPACITY = 0x02;
        /// It has a color.
        COLOR = 0x04;
        /// It is not transformed: it has the position and orientation of its parent.
        INITIAL = 0x08;
        /// The matrix was set directly, not computed from the angles.
        MATRIX = 0x10;
        /// The world matrix is stale; always set in files.
        WORLD_MATRIX_STALE = 0x20;
    }
}

record! {
    /// The beginning of an object, 48 bytes. Source: `zipper-nodes.md`, section 6.4.
    pub struct ObjectHeader: 48 {
        flags: ObjectFlags,
        opacity: F32,
        color: [F32; 3],
        color_alpha: F32,
        /// Radians around x, y, z.
        rotate: Vec3,
        scale: Vec3,
    }
}

record! {
    /// The position of an object in Recoil's demos of 1998, 12 bytes. Source: `zipper-nodes.md`, section 14.
    pub struct ObjectTranslate: 12 {
        /// The translation of the matrix, or zeros for an object that is not transformed.
        translate: Vec3 as Outside,
    }
}

record! {
    /// The matrices of an object, 96 bytes. Source: `zipper-nodes.md`, section 6.4.
    pub struct ObjectMatrices: 96 {
        /// Three rows and the translation. Computed only when the user asks for it, because the last bits of sines depend on the machine.
        transform: [F32; 12],
        world_matrix: [F32; 12] = [F32::new(0.0); 12],
    }
}

/// An object.
#[derive(Clone, Debug, Default)]
pub struct Object<G: Layouts> {
    /// Its flags, color and angles.
    pub head: ObjectHeader,
    /// The copy of its position, in the demos of 1998.
    pub translate: G::ObjectTranslate,
    /// Its matrices.
    pub matrices: ObjectMatrices,
}

impl Ruled<Vec3> for ObjectTranslate {
    fn by_rule(&self, translation: &Vec3) -> Self {
        Self { translate: *translation }
    }
}

/// The tolerance between a matrix and its angles: far more than the last bits, far less than a different angle.
const NEAR: f32 = 1e-4;

lay! {
    impl<G: Layouts> Lay for Object<G> {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.recompute("transform", at!(*self), |object, _| Ok(object.follow_angles()))?;
            t.fields(at!(self.head))?;
            t.judge(|t| self.head.judge(t));
            let translation = self.translation();
            t.fields_ruled(at!(self.translate), |translate| translate.by_rule(&translation))?;
            t.fields(at!(self.matrices))?;
            t.judge(|t| self.judge(t));
            Ok(())
        }
    }
}

impl ObjectHeader {
    /// Reports values without their flag.
    fn judge(&self, t: &mut Judge<'_>) {
        let has = |flag| self.flags.contains(flag);
        let zero = |values: &[F32]| bytemuck::cast_slice::<_, u8>(values).iter().all(|&byte| byte == 0);
        let unset = |flag, zero: bool| (!has(flag) && !zero).then(|| (0.into(), "a value without its flag".into()));
        t.expect("opacity", || unset(ObjectFlags::OPACITY, zero(&[self.opacity])));
        t.expect("color", || unset(ObjectFlags::COLOR, zero(&self.color)));
        t.expect("color_alpha", || unset(ObjectFlags::COLOR, zero(&[self.color_alpha])));
    }
}

impl<G: Layouts> Object<G> {
    /// Reports a matrix that neither formula gives for the angles.
    fn judge(&self, t: &mut Judge<'_>) {
        t.expect("transform", || {
            let show = |rows: [f32; 9]| <[F32; 9]>::SHAPE.show(field::bytes_of(&rows.map(F32::new)));
            (!self.follows_angles()).then(|| (show(self.by_angles(Turn::A)), show(self.rows())))
        });
    }

    /// Returns `true` if one of the formulas gives the matrix for the angles, or if it does not depend on them.
    fn follows_angles(&self) -> bool {
        let rows = self.rows();
        let near = |other: [f32; 9]| rows.iter().zip(other).all(|(a, b)| (a - b).abs() <= NEAR * b.abs().max(1.0));
        let is_own = self.head.flags.contains(ObjectFlags::MATRIX);
        is_own || near(self.by_angles(Turn::A)) || near(self.by_angles(Turn::B))
    }

    /// Computes the matrix from the angles if neither formula gives it.
    fn follow_angles(&mut self) -> Change {
        if self.follows_angles() {
            return None;
        }
        let mut matrix = self.matrices.transform;
        matrix.iter_mut().zip(self.by_angles(Turn::A)).for_each(|(to, from)| *to = F32::new(from));
        change(&mut self.matrices.transform, matrix)
    }

    /// Returns the position: that of the matrix, or zeros if the object is not transformed.
    fn translation(&self) -> Vec3 {
        let [.., x, y, z] = self.matrices.transform;
        if self.head.flags.contains(ObjectFlags::INITIAL) { Vec3::default() } else { [x, y, z] }
    }

    /// Returns the rows that rotate and scale.
    fn rows(&self) -> [f32; 9] {
        let mut rows = [0.0; 9];
        rows.iter_mut().zip(self.matrices.transform).for_each(|(to, from)| *to = from.get());
        rows
    }

    fn by_angles(&self, turn: Turn) -> [f32; 9] {
        rotation(turn, self.head.rotate.map(F32::get), self.head.scale.map(F32::get))
    }
}
