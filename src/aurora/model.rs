//! Binary models, `.mdl`: a geometry and animations, all trees of nodes.

use field::record;
use field::{Block, Direction, Fault, I32, Result, U32, lay};

use super::flags::{PieceKind, Things};
use super::header::{Animation, Geometry, GeometryKind, Kin, ModelHeader};
use super::node::{Node, PartNumber};
use super::numbers::{self, each_node, preorder};
use super::piece::Piece;
use super::pointers::{Access as _, Empties, Part, Parts};

record! {
    /// The header of the file, 12 bytes. Source: `nwn-mdl.md`, section 2.
    pub struct FileHeader: 12 {
        zero: U32 = 0,
        model_size: U32 as Outside,
        raw_size: U32 as Outside,
    }
}

/// A model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// The sizes of both sections.
    pub file: FileHeader,
    /// The pieces of a file that is not laid out by the walk, in file order; empty in all files seen.
    pub order: Vec<Piece>,
    /// The part of its header that the headers of animations have too.
    pub geometry: Geometry,
    /// The rest of the header.
    pub head: ModelHeader,
    /// Values of the header that do not follow from the model.
    pub empties: Empties,
    /// The animations.
    pub animations: Vec<Animation>,
    /// The root node of the geometry.
    pub root: Node,
    /// Bytes after the raw data.
    pub trailing: Block,
}

/// The size of the file header in bytes, which is the offset of the model data.
pub(super) const FILE_HEAD: u64 = 12;
/// The size of the header of a model in bytes.
pub(super) const MODEL: u64 = 0xE8;

impl Model {
    /// Returns `true` if it has no super model, so that its part numbers follow from itself.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        let name = self.head.super_model.bytes();
        name.is_empty() || name.eq_ignore_ascii_case(b"NULL")
    }

    /// Calls a function for every node: those of the animations (trees from 1 onward), then the geometry (tree 0), each in
    /// preorder.
    pub(super) fn each_node<E>(
        &mut self,
        mut visit: impl FnMut((usize, usize), &mut Node) -> core::result::Result<(), E>,
    ) -> core::result::Result<(), E> {
        let animations = (1..).zip(self.animations.iter_mut().map(|animation| &mut animation.root));
        for (tree, root) in animations.chain([(0, &mut self.root)]) {
            let mut next = 0;
            each_node(root, &mut |node| {
                next += 1;
                visit((tree, next - 1), node)
            })?;
        }
        Ok(())
    }

    /// Returns the root node of every tree: the geometry, then the animations.
    pub(super) fn roots(&self) -> impl Iterator<Item = &Node> {
        core::iter::once(&self.root).chain(self.animations.iter().map(|animation| &animation.root))
    }

    /// Returns part numbers by the rules, in the order of [`each_node`](Self::each_node).
    pub(super) fn numbers(&self, read: bool) -> Vec<Option<i32>> {
        let animations = self.animations.iter().map(|animation| &animation.root);
        numbers::numbers(animations, &self.root, self.is_alone(), read)
    }

    /// Keeps the part numbers and node counts of a model that was read, if they do not follow from the rules, and finds its live nodes.
    pub(super) fn keep(&mut self) {
        let mut rules = self.numbers(true).into_iter();
        let Ok(()) = self.each_node(|(tree, _), node| {
            let number = node.head.part_number;
            let ruled = rules.next().flatten() == Some(number.get());
            node.part_number =
                PartNumber { kept: U32::new(u32::from(!ruled)), number: if ruled { I32::default() } else { number } };
            // The part number stays as it is: the rule computes it, or it is kept.
            node.live = node.is_live(tree > 0);
            Ok::<_, core::convert::Infallible>(())
        });
        self.geometry.inherit(preorder(&self.root).count());
        for animation in &mut self.animations {
            animation.geometry.inherit(preorder(&animation.root).count());
        }
    }

    /// Updates the part number and `live` of every node.
    pub(super) fn recompute_nodes(&mut self) {
        let mut numbers = self.numbers(false).into_iter();
        let Ok(()) = self.each_node(|(tree, _), node| {
            node.recompute(tree > 0, numbers.next().flatten());
            Ok::<_, core::convert::Infallible>(())
        });
    }
}

/// Lays out the parts of a model.
pub(super) trait LayModel: Direction {
    /// Lays out the header of a model with this number of nodes in the geometry.
    fn model_head(&mut self, it: Self::At<'_, Model>, nodes: u64) -> Result;
}

lay! {
    impl Lay for FileHeader {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fields(at!(*self))?;
            if self.zero.get() != 0 {
                let fault = Fault::Unknown { found: format!("{:#010x}", self.zero.get()), expected: "0".into() };
                return Err(t.error_in("zero", fault));
            }
            Ok(())
        }
    }

    impl<'t> Parts<Tape<'t>> for Model {
        fn part<'a: 'a>(it: at!('a Self), kind: PieceKind, _: usize) -> Option<Part<'a, Tape<'t>>> {
            let Model { head, animations, .. } = it;
            let table = [at!(head.animations_at), at!(head.animations_used), at!(head.animations_allocated)];
            (kind == PieceKind::ANIMATIONS).then(|| Tape::table(Things::ANIMATIONS, table, animations.len()))
        }
    }

    impl LayModel for Tape<'_> {
        fn model_head(&mut self, it: at!(Model), nodes: u64) -> Result {
            // In the exchange format, the super model comes later.
            let is_alone = it.is_alone();
            it.geometry.lay_by(self, Kin { nodes, kind: GeometryKind::MODEL, is_alone })?;
            it.empties.lay(self)?;
            let animations_at = if it.animations.is_empty() { U32::default() } else { it.head.animations_at };
            let rules = ModelHeader { animations_at, animations_allocated: it.head.animations_used, ..it.head };
            let rules = Some(&rules).filter(|_| it.empties.odd());
            self.fields_by(at!(it.head), rules)
        }
    }
}
