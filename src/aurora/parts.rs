//! Lights, emitters and references.

use field::record;
use field::{Block, F32, Result, Stale, Style as _, Text, U8, U16, U32, Windows, as_read, lay, wide};

use super::Vec3;
use super::flags::{PieceKind, Things};
use super::pointers::{NO_ARRAY, Parts, Visit, Visited, key};

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
        fn parts<'a, E>(it: at!('a Self), visit: &mut impl Visit<'a, Tape<'t>, E>) -> Visited<E> {
            let Light { head, flares, flare_sizes, flare_positions, flare_shifts } = it;
            let counts = [Some(at!(head.flares_used)), Some(at!(head.flares_allocated))];
            visit.table(key!(FLARES), at!(head.flares_at), counts, flares.len())?;
            for (index, flare) in flares.into_iter().enumerate() {
                let bytes = flare.bytes();
                let pointer = at!(flare.pointer);
                visit.item((PieceKind::FLARE, index), pointer, (bytes, 0), Some(at!(flare.name)))?;
            }
            let counts = [Some(at!(head.flare_sizes_used)), Some(at!(head.flare_sizes_allocated))];
            visit.array(key!(FLARE_SIZES, "flare_sizes"), at!(head.flare_sizes_at), counts, 4, flare_sizes)?;
            let counts = [Some(at!(head.flare_positions_used)), Some(at!(head.flare_positions_allocated))];
            visit.array(key!(FLARE_POSITIONS, "flare_positions"), at!(head.flare_positions_at), counts, 4, flare_positions)?;
            let counts = [Some(at!(head.flare_shifts_used)), Some(at!(head.flare_shifts_allocated))];
            visit.array(key!(FLARE_SHIFTS, "flare_shifts"), at!(head.flare_shifts_at), counts, 12, flare_shifts)
        }
    }
}
