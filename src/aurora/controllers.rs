//! Controllers: values of a node that change over time.
#![allow(missing_docs, reason = "the names are all there is to say")]

use bitflags::Flags as _;

use crate::field::build::Tape;
use crate::field::{Block, F32, I16, Stale, Step, U8};
use crate::{names, record};

use super::flags::NodeFlags;

/// Declares the values that controllers of a type of node control: those of every node, and its own.
macro_rules! controllers {
    ($($(#[$meta:meta])* $name:ident, $key:ident { $($own:ident = $number:literal;)* })*) => { $(
        names! {
            $(#[$meta])*
            pub struct $name(I32: i32) {
                POSITION = 8;
                ORIENTATION = 20;
                SCALE = 36;
                $($own = $number;)*
            }
        }

        key! {
            /// A controller of such a node, 12 bytes. Source: `nwn-mdl.md`, section 4.2.
            $key, $name
        }
    )* };
}

/// Declares a controller: its numbers have different meanings for meshes, lights and emitters.
macro_rules! key {
    ($(#[$meta:meta])* $name:ident, $kind:ty) => {
        record! {
            $(#[$meta])*
            pub struct $name: 12 {
                kind: $kind,
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
    };
}

key! {
    /// A controller, 12 bytes. Source: `nwn-mdl.md`, section 4.2.
    Key, Controller
}

names! {
    /// The value that a controller controls, for every node. Source: `nwn-mdl.md`, section 4.2.
    pub struct Controller(I32: i32) {
        /// The position of the node.
        POSITION = 8;
        /// Its rotation: x, y, z, w.
        ORIENTATION = 20;
        /// Its scale.
        SCALE = 36;
    }
}

controllers! {
    /// The value that a controller of an emitter controls. Source: `nwn-mdl.md`, section 4.2.
    EmitterController, EmitterKey {
        ALPHA_END = 80;
        ALPHA_START = 84;
        BIRTH_RATE = 88;
        BOUNCE = 92;
        COLOR_END = 96;
        COLOR_START = 108;
        COMBINE_TIME = 120;
        DRAG = 124;
        FPS = 128;
        FRAME_END = 132;
        FRAME_START = 136;
        GRAV = 140;
        LIFE = 144;
        MASS = 148;
        P2P_BEZIER2 = 152;
        P2P_BEZIER3 = 156;
        PARTICLE_ROTATION = 160;
        RANDOM_VELOCITY = 164;
        SIZE_START = 168;
        SIZE_END = 172;
        SIZE_START_Y = 176;
        SIZE_END_Y = 180;
        SPREAD = 184;
        THRESHOLD = 188;
        VELOCITY = 192;
        X_SIZE = 196;
        Y_SIZE = 200;
        BLUR_LENGTH = 204;
        LIGHTNING_DELAY = 208;
        LIGHTNING_RADIUS = 212;
        LIGHTNING_SCALE = 216;
        DETONATE = 228;
        ALPHA_MID = 464;
        COLOR_MID = 468;
        SIZE_MID = 484;
        SIZE_MID_Y = 488;
    }
    /// The value that a controller of a light controls. Source: `nwn-mdl.md`, section 4.2.
    LightController, LightKey {
        COLOR = 76;
        RADIUS = 88;
        SHADOW_RADIUS = 96;
        VERTICAL_DISPLACEMENT = 100;
        MULTIPLIER = 140;
    }
    /// The value that a controller of a mesh controls. Source: `nwn-mdl.md`, section 4.2.
    MeshController, MeshKey {
        SELF_ILLUMINATION_COLOR = 100;
        ALPHA = 128;
    }
}

/// The type of a node, which decides what its controllers control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeType {
    Emitter,
    Light,
    Mesh,
    Other,
}

impl NodeType {
    /// Returns the type of a node with these flags.
    pub(super) fn of(node: NodeFlags) -> Self {
        match node {
            node if node.contains(NodeFlags::EMITTER) => Self::Emitter,
            node if node.contains(NodeFlags::LIGHT) => Self::Light,
            node if node.contains(NodeFlags::MESH) => Self::Mesh,
            _ => Self::Other,
        }
    }
}

impl Controller {
    /// Returns the name of the value for a node with these flags, or `None` if the number is unknown.
    #[must_use]
    pub fn title(self, node: NodeFlags) -> Option<String> {
        let number = self.get();
        let name = match NodeType::of(node) {
            NodeType::Emitter => EmitterController::new(number).name(),
            NodeType::Light => LightController::new(number).name(),
            NodeType::Mesh => MeshController::new(number).name(),
            NodeType::Other => self.name(),
        };
        name.map(|name| name.to_ascii_lowercase().replace('_', " "))
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
