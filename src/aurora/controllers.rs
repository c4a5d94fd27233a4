//! Controllers: how values of a node change in time.

use bitflags::Flags as _;

use crate::field::build::Tape;
use crate::field::{Block, F32, I16, Stale, Step, U8};
use crate::{names, record};

use super::node::NodeFlags;

names! {
    /// What a controller controls; the same number means different things for meshes, lights and emitters. Source:
    /// `nwn-mdl.md`, section 4.2.
    pub struct Controller(I32: i32) {
        /// Where the node is.
        POSITION = 8;
        /// How it is turned: x, y, z, w.
        ORIENTATION = 20;
        /// How large it is.
        SCALE = 36;
    }
}

/// What emitters control besides, by number.
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
/// Likewise lights.
const LIGHT: &[(i32, &str)] = &[(76, "color"), (88, "radius"), (140, "multiplier")];
/// Likewise meshes.
const MESH: &[(i32, &str)] = &[(100, "self illumination color"), (128, "alpha")];
/// What every node can control.
const NODE: &[(i32, &str)] = &[(8, "position"), (20, "orientation"), (36, "scale")];

impl Controller {
    /// What it controls at a node of this sort, in words.
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
        /// Where in the values the times begin.
        time_index: I16 as Derived,
        /// Where in the values the rows begin.
        data_index: I16 as Derived,
        /// Values in a row; with 0x10 set, points of a Bézier curve, three times as many. -1: none.
        columns: U8,
        unk_0b: Stale<1>,
    }
}

impl Key {
    /// Whether its rows are points of Bézier curves, three times as many values.
    #[must_use]
    pub fn is_bezier(&self) -> bool {
        self.columns.get() != 0xFF && self.columns.get() & 0x10 != 0
    }

    /// How many floats a row has.
    #[must_use]
    pub fn width(&self) -> usize {
        match self.columns.get() {
            0xFF => 0,
            columns if self.is_bezier() => usize::from(columns & 0x0F).saturating_mul(3),
            columns => (columns & 0x0F).into(),
        }
    }

    /// How many rows there are.
    #[must_use]
    pub fn height(&self) -> usize {
        self.rows.get().try_into().unwrap_or(0)
    }
}

/// The keys with the indices that they have when the values of each follow those of the one before.
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

/// Whether the values of each key follow those of the one before.
pub(super) fn ordered(keys: &[Key]) -> bool {
    in_order(keys).all(|(key, times, data)| key.time_index == times && key.data_index == data)
}

/// Lets the values of each key follow those of the one before, and says which did not.
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

/// What is wrong with controllers: what is expected, and what is found.
pub(super) fn trouble(keys: &[Key], data: &[F32]) -> Option<(&'static str, String)> {
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
    // Values without a controller are dead: four files seen have such, and nothing is wrong with them.
    (!keys.is_empty() && end != data.len()).then(|| ("as many values as the controllers have", data.len().to_string()))
}
