//! The map of a Recoil mission: colored outlines. Source: zipper-zmap.md.

mod samples;

use crate::bytes::Bytes;
pub use samples::{broken, ordinary, samples};

/// A map file. Source: zipper-zmap.md, section 1.
#[derive(Clone, Debug)]
pub struct Spec {
    /// 5.
    pub version: u32,
    /// 1 to 31 in retail files, not understood.
    pub unk04: u32,
    /// x, y, z as bits; need not enclose the points.
    pub min: [u32; 3],
    /// x, y, z as bits.
    pub max: [u32; 3],
    /// In file order; no count is stored.
    pub features: Vec<Feature>,
    /// Bytes after the last feature.
    pub trailing: Vec<u8>,
}

/// An outline. Source: zipper-zmap.md, section 1.
#[derive(Clone, Debug)]
pub struct Feature {
    /// Red, green, blue.
    pub color: [u8; 3],
    /// `None`: the number of points.
    pub point_count: Option<i32>,
    /// x, y, z as bits.
    pub points: Vec<[u32; 3]>,
    /// Index of an objective, -1 = none.
    pub objective: i32,
}

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let mut out = Bytes::new();
    out.le_u32(spec.version).le_u32(spec.unk04);
    for value in spec.min.into_iter().chain(spec.max) {
        out.le_u32(value);
    }
    for feature in &spec.features {
        out.raw(&feature.color).le_i32(feature.point_count.unwrap_or(feature.points.len() as i32));
        for &value in feature.points.as_flattened() {
            out.le_u32(value);
        }
        out.le_i32(feature.objective);
    }
    out.raw(&spec.trailing);
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::{Feature, Spec, build};
    use crate::bytes::bits;

    /// Source: zipper-zmap.md, section 2.
    #[test]
    fn worked_example_is_built() {
        let corners = [bits([-1.0, 0.0, -1.0]), bits([1.0, 0.0, 1.0])];
        let orange = Feature { color: [0xFF, 0x80, 0], point_count: None, points: corners.to_vec(), objective: -1 };
        let spec =
            Spec { version: 5, unk04: 1, min: corners[0], max: corners[1], features: vec![orange], trailing: vec![] };
        #[rustfmt::skip]
        let expected = [
            0x05, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0xBF, 0x00, 0x00, 0x00, 0x00,
            0x00, 0x00, 0x80, 0xBF, 0x00, 0x00, 0x80, 0x3F, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x3F,
            0xFF, 0x80, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0xBF, 0x00, 0x00, 0x00, 0x00, 0x00,
            0x00, 0x80, 0xBF, 0x00, 0x00, 0x80, 0x3F, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x3F, 0xFF,
            0xFF, 0xFF, 0xFF,
        ];
        assert_eq!(build(&spec), expected);
    }
}
