//! Controllers: values of a node that change over time.

use bitflags::Flags as _;

use crate::field::build::Tape;
use crate::field::{Block, F32, I16, Stale, Step, U8};
use crate::{names, record};

use super::flags::NodeFlags;

names! {
    /// The value that a controller controls. The same number has different meanings for meshes, lights and emitters. Source:
    /// `nwn-mdl.md`, section 4.2.
    pub struct Controller(I32: i32) {
        /// The position of the node.
        POSITION = 8;
        /// Its rotation: x, y, z, w.
        ORIENTATION = 20;
        /// Its scale.
        SCALE = 36;
    }
}

/// Values of emitters, by number.
const EMITTER: &[(i32, &str)] = &[
    (80, "alpha end"),
    (84, "alpha start"),
    (88, "birth rate"),
    (92, "bounce"),
    (96, "color end"),
    (108, "color start"),
    (120, "combine time"),
    (124, "drag"),
    (128, "fps"),
    (132, "frame end"),
    (136, "frame start"),
    (140, "grav"),
    (144, "life"),
    (148, "mass"),
    (152, "p2p bezier"),
    (156, "p2p bezier"),
    (160, "particle rotation"),
    (164, "random velocity"),
    (168, "size start"),
    (172, "size end"),
    (176, "size start y"),
    (180, "size end y"),
    (184, "spread"),
    (188, "threshold"),
    (192, "velocity"),
    (196, "x size"),
    (200, "y size"),
    (204, "blur length"),
    (208, "lightning delay"),
    (212, "lightning radius"),
    (216, "lightning scale"),
];
/// Values of lights, by number.
const LIGHT: &[(i32, &str)] = &[(76, "color"), (88, "radius"), (140, "multiplier")];
/// Values of meshes, by number.
const MESH: &[(i32, &str)] = &[(100, "self illumination color"), (128, "alpha")];
/// Values of every node, by number.
const NODE: &[(i32, &str)] = &[(8, "position"), (20, "orientation"), (36, "scale")];

impl Controller {
    /// Returns the name of the value for a node with these flags, or `None` if the number is unknown.
    #[must_use]
    pub fn title(self, node: NodeFlags) -> Option<&'static str> {
        let own = match node {
            node if node.contains(NodeFlags::EMITTER) => EMITTER,
            node if node.contains(NodeFlags::LIGHT) => LIGHT,
            node if node.contains(NodeFlags::MESH) => MESH,
            _ => &[],
        };
        NODE.iter().chain(own).find(|(number, _)| *number == self.get()).map(|(_, title)| *title)
    }
}

record! {
    /// A controller, 12 bytes. Source: `nwn-mdl.md`, section 4.2.
    pub struct Key: 12 {
        kind: Controller,
        rows: I16,
        /// The index of the first time in the values.
        time_index: I16 as Derived,
        /// The index of the first row in the values.
        data_index: I16 as Derived,
        /// The number of values in a row. With 0x10 set, rows are points of a Bézier curve with three times as many. -1: none.
        columns: U8,
        unk_0b: Stale<1>,
    }
}

impl Key {
    /// Returns `true` if its rows are points of Bézier curves, with three times as many values.
    #[must_use]
    pub fn is_bezier(&self) -> bool {
        self.columns.get() != 0xFF && self.columns.get() & 0x10 != 0
    }

    /// Returns the number of floats in a row.
    #[must_use]
    pub fn width(&self) -> usize {
        match self.columns.get() {
            0xFF => 0,
            columns if self.is_bezier() => usize::from(columns & 0x0F).saturating_mul(3),
            columns => (columns & 0x0F).into(),
        }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.rows.get().try_into().unwrap_or(0)
    }
}

/// Returns the keys with the indices that they have if the values of each follow those of the one before.
fn in_order(keys: &[Key]) -> impl Iterator<Item = (&Key, I16, I16)> {
    let index = |at: usize| I16::new(i16::try_from(at).unwrap_or(i16::MAX));
    let mut at = 0_usize;
    keys.iter().map(move |key| {
        let times = at;
        let data = times.saturating_add(key.height());
        at = data.saturating_add(key.height().saturating_mul(key.width()));
        (key, index(times), index(data))
    })
}

/// Returns `true` if the values of each key follow those of the one before.
pub(super) fn ordered(keys: &[Key]) -> bool {
    in_order(keys).all(|(key, times, data)| key.time_index == times && key.data_index == data)
}

/// Updates the indices so that the values of each key follow those of the one before, and reports the changes.
pub(super) fn order(t: &mut Tape<'_>, keys: &mut Block<Key>) {
    if ordered(keys) {
        return;
    }
    let in_order = in_order(keys).map(|(key, time_index, data_index)| Key { time_index, data_index, ..*key });
    let in_order: Vec<Key> = in_order.collect();
    for (index, (was, now)) in (0..).zip(keys.iter().zip(&in_order)) {
        t.tell(|here| here.with([Step::Name("keys"), Step::Index(index)]), was, now);
    }
    *keys = in_order.into();
}

/// Returns what is expected and found if controllers do not match their values.
pub(super) fn mismatch(keys: &[Key], data: &[F32]) -> Option<(&'static str, String)> {
    let mut end = 0;
    for (key, times, data_index) in in_order(keys) {
        if key.time_index != times || key.data_index != data_index {
            return Some(("values in the order of the controllers", format!("{} at {:?}", key.data_index.get(), key)));
        }
        let begin = usize::try_from(times.get()).unwrap_or(0);
        let rows = data.get(begin..).and_then(|data| data.get(..key.height())).unwrap_or_default();
        if let Some((_, late)) = rows.iter().zip(rows.iter().skip(1)).find(|(before, after)| before.get() > after.get())
        {
            return Some(("ascending times", late.get().to_string()));
        }
        end = begin.saturating_add(key.height().saturating_mul(key.width().saturating_add(1)));
    }
    // Values without a controller are dead. Four files seen have such values, which is no mismatch.
    (!keys.is_empty() && end != data.len()).then(|| ("as many values as the controllers have", data.len().to_string()))
}
