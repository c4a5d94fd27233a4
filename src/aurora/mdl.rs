//! The format of binary models, `.mdl`.
//!
//! | part | bytes |
//! |---|---|
//! | [`FileHeader`] | 12 |
//! | model data: header, table of animations, the animations, the geometry | |
//! | raw data: streams of values for the vertices of meshes | |
//!
//! The walk through the model gives the offset of every part: depth first, a node before the nodes below, and its
//! controllers after these. Both programs that compiled models wrote files in this way, without gaps or alignment. A file
//! is read along its pointers. If its parts are in a different order, the model keeps that order.
//!
//! Each structure names what it points to once: it returns the part of a kind and index (`Parts` in `pointers.rs`). Reading, the walk and the
//! order of pieces follow from that.
//!
//! Source: `nwn-mdl.md`.

use ::lint::Trap;
use field::{Result, lay, wide};
use kind::{Format, Game, Name, binrw_over_lay, foreign};

use super::model::{FILE_HEAD, FileHeader, MODEL, Model};
use super::node::Node;
use super::order::LayPieces as _;
use super::walk::LayWalk as _;
use super::{lint, order, outline, read};

lay! {
    impl Lay for Model {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            if t.reading() {
                return t.read(self, read::model);
            }
            if self.order.is_empty() && !t.exists("order", false) {
                return t.walk_order(at!(*self));
            }
            if t.loading() {
                return t.load(self, order::load);
            }
            t.when_recomputing(at!(*self), order::recompute)?;
            t.pieces(self)
        }
    }
}

impl Format for Model {
    const NAME: &'static str = "mdl";
    const TITLE: &'static str = "binary model";
    const GAMES: &'static [Game] = &[Game::Neverwinter];
    const CLAIMS: &'static [&'static str] = &["*.mdl"];
    /// The root node has the name of the model.
    const NAMES: &'static [Name] = &[
        Name::node("/root/**/name"),
        Name::other_node("/name"),
        Name::other_node("/animations/*/animation_root"),
        Name::other_node("/animations/*/root/**/name"),
        Name::node("/order/*/name"),
        Name::other_node("/order/*/animation_root"),
        Name::itself("/animations/*/name"),
    ];
    const TRAPS: &'static [&'static Trap] = lint::TRAPS;

    /// Checks for a zero and the sizes of two sections that fill the file, the first with space for a model and a node
    /// (`nwn-mdl.md`, section 1.2).
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let head: FileHeader = field::macros::read_head(file)?;
        let (model, raw) = (u64::from(head.model_size.get()), u64::from(head.raw_size.get()));
        let tiled = FILE_HEAD.checked_add(model)?.checked_add(raw)? == wide(file.len());
        let is_model = head.zero.get() == 0 && tiled && model >= MODEL + Node::HEAD;
        (is_model && !foreign::is_sister_model(file)).then(|| Self::GAMES.to_vec())
    }

    /// Returns `false` for models in text form, for nothing, and for those of the sister games.
    fn suits(file: &[u8]) -> bool {
        !file.is_empty() && !super::is_text(file) && !super::text::is_model(file) && !foreign::is_sister_model(file)
    }

    /// Returns the geometry, then each animation: trees of nodes with their controllers.
    fn outline(&mut self) -> Result<Option<Vec<String>>> {
        Ok(Some(outline::tree(self)))
    }
}

binrw_over_lay!(Model);
