//! Motions of MechWarrior 3 and Pirate's Moon: the movement of the parts of a mech, frame by frame.
//! Source: zipper-motion.md.

mod samples;

use crate::bytes::Bytes;
pub use samples::{broken, ordinary, samples};

/// A motion file. Source: zipper-motion.md, section 1.
#[derive(Clone, Debug)]
pub struct Spec {
    /// 4.
    pub version: u32,
    /// Seconds, as bits.
    pub loop_time: u32,
    /// One less than the number of stored frames; arbitrary if there are no parts.
    pub frame_count: u32,
    /// `None`: the number of parts.
    pub part_count: Option<u32>,
    /// -1.0, as bits.
    pub unk16: u32,
    /// 1.0, as bits.
    pub unk20: u32,
    /// In file order.
    pub parts: Vec<Part>,
    /// Bytes after the last part.
    pub trailing: Vec<u8>,
}

/// A part and its tracks. Source: zipper-motion.md, section 1.
#[derive(Clone, Debug)]
pub struct Part {
    /// Not terminated.
    pub name: Vec<u8>,
    /// `None`: the length of the name.
    pub name_length: Option<u32>,
    /// [`ROTATION`] and [`TRANSLATION`].
    pub flags: u32,
    /// x, y, z of each frame, as bits.
    pub translations: Vec<[u32; 3]>,
    /// w, x, y, z of each frame, as bits.
    pub rotations: Vec<[u32; 4]>,
}

/// The flag of a part that has rotations.
pub const ROTATION: u32 = 4;
/// The flag of a part that has translations.
pub const TRANSLATION: u32 = 8;

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let mut out = Bytes::new();
    out.le_u32(spec.version).le_u32(spec.loop_time).le_u32(spec.frame_count);
    out.le_u32(spec.part_count.unwrap_or(spec.parts.len() as u32)).le_u32(spec.unk16).le_u32(spec.unk20);
    for part in &spec.parts {
        out.le_u32(part.name_length.unwrap_or(part.name.len() as u32)).raw(&part.name).le_u32(part.flags);
        for &value in part.translations.as_flattened().iter().chain(part.rotations.as_flattened()) {
            out.le_u32(value);
        }
    }
    out.raw(&spec.trailing);
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::{Part, ROTATION, Spec, TRANSLATION, build};
    use crate::bytes::bits;

    /// Source: zipper-motion.md, section 3.
    #[test]
    fn worked_example_is_built() {
        let hip = Part {
            name: b"hip".to_vec(),
            name_length: None,
            flags: ROTATION | TRANSLATION,
            translations: vec![bits([0.0, 5.5, 0.0]); 2],
            rotations: vec![bits([1.0, 0.0, 0.0, 0.0]); 2],
        };
        let spec = Spec {
            version: 4,
            loop_time: (1.0f32 / 30.0).to_bits(),
            frame_count: 1,
            part_count: None,
            unk16: (-1.0f32).to_bits(),
            unk20: 1.0f32.to_bits(),
            parts: vec![hip],
            trailing: vec![],
        };
        #[rustfmt::skip]
        let expected = [
            0x04, 0x00, 0x00, 0x00, 0x89, 0x88, 0x08, 0x3D, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
            0x00, 0x00, 0x80, 0xBF, 0x00, 0x00, 0x80, 0x3F, 0x03, 0x00, 0x00, 0x00, 0x68, 0x69, 0x70, 0x0C,
            0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xB0, 0x40, 0x00, 0x00, 0x00, 0x00, 0x00,
            0x00, 0x00, 0x00, 0x00, 0x00, 0xB0, 0x40, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x3F, 0x00,
            0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x3F, 0x00,
            0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        ];
        assert_eq!(build(&spec), expected);
    }
}
