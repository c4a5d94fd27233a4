//! Save games of MechWarrior 3, as far as they are known: a header, and the states of animations.
//!
//! Several entries of a file can have the same name. The nodes are not yet understood. They may be those of Recoil, because
//! they have the same length.
//!
//! Source: [`zipper-saves.md`](formats::zipper_saves), section 3.

use field::{Block, F32, I32, Opaque, Result, Text, U8, U32, lay, wide};
use field::{names, record};
use kind::lay_record;

use super::is_activation;

record! {
    /// `zSaveHeader`, 8 bytes. Source: `zipper-saves.md`, section 3.
    pub struct Header: 8 {
        version: U32 = 8,
        format: U32 = 2,
    }
}

names! {
    /// The outcome of an animation.
    pub struct Status(U8: u8) {
        /// The animation has run.
        EXECUTED = 3;
        /// The animation cannot run.
        INVALID = 4;
    }
}

record! {
    /// The state of an animation, 88 bytes. Source: `zipper-saves.md`, section 3.
    pub struct ActivationHeader: 88 {
        /// 1, 2 or 5.
        kind: I32,
        unk04: I32 = 0,
        /// The name of the entry in the table of the archive.
        name: Text<32>,
        node_index: I32,
        /// Zeros; in kinds 2 and 5 often leftover memory, in kind 2 from the fourth value onward.
        values: [F32; 9],
        /// 0 if `unk86` is 0.
        ptr: U32 as Pointer,
        status: Status,
        count: U8 as Outside,
        /// 0 or 25.
        unk86: U8 as Stale,
        unk87: U8 = 0,
    }
}

/// The state of an animation.
#[derive(Clone, Debug, Default)]
pub struct Activation {
    /// The header of the state.
    pub head: ActivationHeader,
    /// The states of the nodes.
    pub nodes: Block<Opaque<68>>,
}

lay! {
    lay_record!(Header);

    impl Lay for Activation {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.computed("count", at!(self.head.count), wide(self.nodes.len()))?;
            t.fields(at!(self.head))?;
            let head = self.head;
            let odd = |odd: bool, expected: &str, found: i64| odd.then(|| (expected.into(), found.into()));
            let kind = head.kind.get();
            t.expect("kind", || odd(!matches!(kind, 1 | 2 | 5), "1, 2 or 5", kind.into()));
            let node = head.node_index.get();
            t.expect("node_index", || odd(!matches!(node, -1..20_000), "-1, or below 20000", node.into()));
            t.expect("values", || {
                let zeros = match kind {
                    1 => 9,
                    2 => 3,
                    _ => 0,
                };
                let found = head.values.iter().take(zeros).find(|value| value.get().to_bits() != 0)?;
                Some(("zeros".into(), found.get().to_string().as_str().into()))
            });
            let (ptr, unk86) = (head.ptr.get(), head.unk86.get());
            t.expect("ptr", || odd((ptr == 0) != (unk86 == 0), "0 if unk86 is 0, and only then", ptr.into()));
            t.expect("unk86", || odd(!matches!(unk86, 0 | 25), "0 or 25", unk86.into()));
            let status = head.status.get();
            t.expect("status", || odd(!matches!(status, 1 | 3 | 4), "1, 3 or 4", status.into()));
            let count = t.stated("count", head.count)?;
            t.block("nodes", count, at!(self.nodes))?;
            t.expect("nodes", || (kind == 5 && count > 0).then(|| ("none for kind 5".into(), count.into())));
            Ok(())
        }
    }
}

/// Returns the kind of an entry with this name and content, or `None` if it is not known.
pub(super) fn kind_of(name: &[u8], bytes: &[u8]) -> Option<&'static str> {
    let own = bytes.get(8..40).and_then(|own| own.split(|&byte| byte == 0).next());
    match (name, bytes.len()) {
        (b"zSaveHeader", 8) => Some("save-header"),
        _ if is_activation(bytes) && own == Some(name) => Some("save-mech-activation"),
        _ => None,
    }
}
