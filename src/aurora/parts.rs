//! Lights, emitters and references.

use field::record;
use field::{Block, F32, Fault, Result, Stale, Style as _, Text, U8, U16, U32, Windows, as_read, lay, wide};

use super::Vec3;
use super::flags::{PieceKind, Things};
use super::pointers::{Binder, Empties, NO_ARRAY};

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

impl Light {
    /// Returns `true` if it has only settings.
    pub(super) fn is_empty(&self) -> bool {
        let Self { flares, flare_sizes, flare_positions, flare_shifts, .. } = self;
        flares.is_empty() && flare_sizes.is_empty() && flare_positions.is_empty() && flare_shifts.is_empty()
    }

    pub(super) fn bind(&mut self, empties: &mut Empties, b: &mut Binder<'_>) -> core::result::Result<(), Fault> {
        let head = &mut self.head;
        let array = [&mut head.flares_at, &mut head.flares_used, &mut head.flares_allocated];
        let flares = wide(self.flares.len());
        b.array(empties, Things::FLARES, PieceKind::FLARES, array, (flares, 4))?;
        if b.sized() {
            for (index, flare) in self.flares.iter_mut().enumerate() {
                let (bytes, mut none) = (flare.bytes(), Empties::default());
                b.pointer(&mut none, Things::FLARES, (PieceKind::FLARE, index), &mut flare.pointer, bytes)?;
            }
        }
        let array = [&mut head.flare_sizes_at, &mut head.flare_sizes_used, &mut head.flare_sizes_allocated];
        b.array(empties, Things::FLARE_SIZES, PieceKind::FLARE_SIZES, array, (wide(self.flare_sizes.len()), 4))?;
        let array = [&mut head.flare_positions_at, &mut head.flare_positions_used, &mut head.flare_positions_allocated];
        b.array(
            empties,
            Things::FLARE_POSITIONS,
            PieceKind::FLARE_POSITIONS,
            array,
            (wide(self.flare_positions.len()), 4),
        )?;
        let array = [&mut head.flare_shifts_at, &mut head.flare_shifts_used, &mut head.flare_shifts_allocated];
        b.array(empties, Things::FLARE_SHIFTS, PieceKind::FLARE_SHIFTS, array, (wide(self.flare_shifts.len()), 12))
    }
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
}
