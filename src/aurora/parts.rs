//! Lights, emitters and references.

use field::record;
use field::{Block, F32, Result, Stale, Style as _, Text, U8, U16, U32, Windows, as_read, lay, wide};

use super::Vec3;
use super::flags::{PieceKind, Things};
use super::pointers::{Access as _, NO_ARRAY, Part, Parts};

record! {
    /// A light, 92 bytes after the node header. Source: `nwn-mdl.md`, section 4.3.
    pub struct LightHeader: 92 {
        flare_radius: F32,
        unk_74: [U32; 3] = NO_ARRAY,
        flare_sizes_at: U32 as Outside,
        flare_sizes_used: U32 as Outside,
        flare_sizes_allocated: U32 as Outside,
        flare_positions_at: U32 as Outside,
        flare_positions_used: U32 as Outside,
        flare_positions_allocated: U32 as Outside,
        flare_shifts_at: U32 as Outside,
        flare_shifts_used: U32 as Outside,
        flare_shifts_allocated: U32 as Outside,
        flares_at: U32 as Outside,
        flares_used: U32 as Outside,
        flares_allocated: U32 as Outside,
        priority: U32,
        ambient_only: U32,
        dynamic_type: U32,
        affect_dynamic: U32,
        shadow: U32,
        generate_flare: U32,
        fading: U32,
    }
}

record! {
    /// An emitter of particles, 216 bytes. In animations, `x_grid` to `texture` are leftover memory. Source:
    /// `nwn-mdl.md`, section 4.4.
    pub struct Emitter: 216 {
        dead_space: F32,
        blast_radius: F32,
        blast_length: F32,
        x_grid: U32,
        y_grid: U32,
        space_type: U32,
        update: Text<32>,
        render: Text<32>,
        blend: Text<32>,
        texture: Text<64>,
        chunk_name: Text<16>,
        two_sided: U32,
        looping: U32,
        render_order: U16,
        unk_142: Stale<2>,
        flags: U32,
    }
}

record! {
    /// A reference to another model, 68 bytes. Source: `nwn-mdl.md`, section 4.4.
    pub struct Reference: 68 {
        model: Text<64>,
        reattachable: U32,
    }
}

/// A lens flare.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flare {
    pub(super) pointer: U32,
    /// Its texture.
    pub name: Block,
}

/// A light.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Light {
    /// Its settings.
    pub head: LightHeader,
    /// Its lens flares.
    pub flares: Vec<Flare>,
    /// The size of each.
    pub flare_sizes: Block<F32>,
    /// The position of each.
    pub flare_positions: Block<F32>,
    /// The color shift of each.
    pub flare_shifts: Block<Vec3>,
}

impl Flare {
    /// Returns the length of the name with its NUL.
    pub(super) fn bytes(&self) -> u64 {
        wide(self.name.len()) + 1
    }
}

lay! {
    impl Lay for Flare {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let length = t.remaining().saturating_sub(1);
            t.text_of("name", Windows::PAGE, as_read(length), at!(self.name))?;
            t.number::<U8>("end", 0)?;
            Ok(())
        }
    }

    impl<'t> Parts<Tape<'t>> for Light {
        fn part<'a: 'a>(it: at!('a Self), kind: PieceKind, item: usize) -> Option<Part<'a, Tape<'t>>> {
            let Light { head, flares, flare_sizes: sizes, flare_positions: positions, flare_shifts: shifts } = it;
            Some(match kind {
                PieceKind::FLARES => {
                    let table = [at!(head.flares_at), at!(head.flares_used), at!(head.flares_allocated)];
                    Tape::table(Things::FLARES, table, flares.len())
                }
                PieceKind::FLARE => {
                    let flare = flares.into_iter().nth(item)?;
                    let length = flare.bytes();
                    Tape::item(at!(flare.pointer), (length, 0), at!(flare.name))
                }
                PieceKind::FLARE_SIZES => {
                    let array = [at!(head.flare_sizes_at), at!(head.flare_sizes_used), at!(head.flare_sizes_allocated)];
                    Tape::array((Things::FLARE_SIZES, "flare_sizes"), array, 4, sizes)
                }
                PieceKind::FLARE_POSITIONS => {
                    let array = [at!(head.flare_positions_at), at!(head.flare_positions_used), at!(head.flare_positions_allocated)];
                    Tape::array((Things::FLARE_POSITIONS, "flare_positions"), array, 4, positions)
                }
                PieceKind::FLARE_SHIFTS => {
                    let array = [at!(head.flare_shifts_at), at!(head.flare_shifts_used), at!(head.flare_shifts_allocated)];
                    Tape::array((Things::FLARE_SHIFTS, "flare_shifts"), array, 12, shifts)
                }
                _ => return None,
            })
        }
    }
}
