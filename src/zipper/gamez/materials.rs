//! Materials: a pool of slots in two doubly linked lists, and the textures that some materials cycle through.
//!
//! | part | bytes |
//! |---|---|
//! | [`MaterialsHeader`] | 16 |
//! | a [`MaterialSlot`] for each used material, a [`FreeMaterial`] for each free one | 44 |
//! | a [`Cycle`] for each cycled material, in the order of the used list | 28 + 4 per frame |
//!
//! Source: [`zipper-gamez.md`](formats::zipper_gamez), section 5.

use std::rc::Rc;

use bitflags::Flags as _;

use field::build::Tape;
use field::{Block, F32, Fault, I16, I32, Integer as _, Referents, Result, Roster, Truth, U8, U16, U32, lay, wide};
use field::{flags, names, record};

use super::free::null_where_nothing;
use super::games::{CrimsonSkies, Layouts};
use super::textures::{FileName, Texture};

/// The size of a slot in bytes.
const SLOT: u64 = 44;

flags! {
    /// The properties of a material. In Recoil their word is twice as wide. Source: `zipper-gamez.md`, section 5.
    pub struct MaterialFlags(U8: u8) {
        /// It has a texture; otherwise a color.
        TEXTURED = 0x01;
        /// Seen on textured materials only; in Crimson Skies, bullets leave holes.
        UNKNOWN = 0x02;
        /// It cycles through several textures.
        CYCLED = 0x04;
        /// Set on every used material except in Recoil.
        ALWAYS = 0x10;
        /// Set on every free slot except in Recoil.
        FREE = 0x20;
    }
}

/// Declares the soils of a game: the first six are part of every program, the others come from a list that its scripts load.
macro_rules! soils {
    ($name:ident, $doc:literal, { $($(#[$meta:meta])* $soil:ident = $number:literal;)* }) => {
        names! {
            #[doc = $doc]
            pub struct $name(U32: u32) {
                /// Default.
                DEFAULT = 0;
                /// Water.
                WATER = 1;
                /// Sea floor.
                SEAFLOOR = 2;
                /// Quicksand.
                QUICKSAND = 3;
                /// Lava.
                LAVA = 4;
                /// Fire.
                FIRE = 5;
                $($(#[$meta])* $soil = $number;)*
            }
        }
    };
}
soils! { Soil, "The surface type of a material; Crimson Skies has a [`SoilCs`] instead. Source: `zipper-gamez.md`, section 5.", {
    /// Dirt.
    DIRT = 6;
    /// Mud.
    MUD = 7;
    /// Grass.
    GRASS = 8;
    /// Concrete.
    CONCRETE = 9;
    /// Snow.
    SNOW = 10;
    /// A 'Mech.
    MECH = 11;
    /// Silt.
    SILT = 12;
    /// A surface on which nothing slips.
    NOSLIP = 13;
} }
soils! { SoilCs, "The surface type of a material in Crimson Skies. Source: `zipper-gamez.md`, section 5.", {
    /// The player.
    PLAYER = 6;
    /// An enemy.
    ENEMY = 7;
    /// An airstrip.
    AIRSTRIP = 8;
    /// Open sesame.
    OPENSESAME = 9;
    /// Death.
    DEATH = 10;
    /// Buildings.
    BUILDINGS = 11;
    /// A danger zone.
    DZONE = 12;
    /// Dirt.
    DIRT = 13;
} }

record! {
    /// The header of the section, 16 bytes. Source: `zipper-gamez.md`, section 5.
    pub struct MaterialsHeader: 16 {
        array_size: I32 as Outside,
        used: I32 as Outside,
        free_head: I32 as Outside,
        used_head: I32 as Outside,
    }
}

names! {
    /// The index of a texture. Source: `zipper-gamez.md`, section 5.
    pub struct TextureIndex(I32: i32) as Index {}
}

macro_rules! material_slot {
    ($name:ident, $soil:ty, $doc:literal) => {
        record! {
            #[doc = $doc]
            pub struct $name: 44 {
                alpha: U8,
                flags: MaterialFlags,
                rgb: U16 => |it| packed_rgb(it.flags),
                /// Red, green, blue, each up to 255.
                color: [F32; 3],
                texture_index: TextureIndex,
                unk_14: F32 = 0.0,
                unk_18: F32 = 0.5,
                unk_1c: F32 = 0.5,
                soil: $soil,
                cycle_ptr: U32 as Pointer,
                prev: I16 as Outside,
                next: I16 as Outside,
            }
        }
    };
}
material_slot! { MaterialSlot, Soil, "A used slot, 44 bytes. Source: `zipper-gamez.md`, section 5." }
material_slot! {
    MaterialSlotCs, SoilCs, "A used slot of Crimson Skies, which differs in the names of soils. Source: `zipper-gamez.md`, section 5."
}

record! {
    /// A free slot, 44 bytes. Source: `zipper-gamez.md`, section 5.
    pub struct FreeMaterial: 44 {
        alpha: U8 = 0,
        flags: MaterialFlags as Outside,
        unused: [U16; 19] = [U16::new(0); 19],
        prev: I16 as Outside,
        next: I16 as Outside,
    }
}

record! {
    /// The textures of a cycled material, without their indices, 28 bytes. Source: `zipper-gamez.md`, section 5.
    pub struct CycleHeader: 28 {
        looping: U32,
        /// The time of the last change.
        tick: I32 as Stale,
        current_index: F32 = 0.0,
        /// Frames per second.
        speed: F32,
        /// The number of frames that the engine has space for.
        capacity: I32 as Outside,
        frame_count: I32 as Outside,
        frames_ptr: U32 as Pointer,
    }
}

record! {
    /// A frame of a cycled material, 4 bytes. Source: `zipper-gamez.md`, section 5.
    pub struct Frame: 4 {
        texture_index: TextureIndex,
    }
}

/// Returns the packed color, which only depends on whether there is a texture. Source: `zipper-gamez.md`, section 5.
#[must_use]
pub fn packed_rgb(flags: MaterialFlags) -> u16 {
    if flags.contains(MaterialFlags::TEXTURED) { 0x7FFF } else { 0 }
}

impl MaterialSlot {
    /// Returns `true` if it has a texture.
    fn is_textured(&self) -> bool {
        self.flags.contains(MaterialFlags::TEXTURED)
    }

    /// Returns the name of its texture, or `None` if it has none.
    #[must_use]
    pub fn texture(&self, textures: &[impl Texture]) -> Option<FileName> {
        let index = Some(self.texture_index.get()).filter(|_| self.is_textured())?;
        textures.get(usize::try_from(index).ok()?).map(Texture::name)
    }
}

/// The names of the textures that materials refer to.
#[derive(Debug)]
struct TextureNames(Roster);

impl TextureNames {
    fn of(textures: &[impl Texture]) -> Rc<dyn Referents> {
        Rc::new(Self(textures.iter().map(|texture| Some(texture.name().shown())).collect()))
    }
}

impl Referents for TextureNames {
    fn of_field(&self, field: &str) -> Option<&Roster> {
        (field == "texture_index").then_some(&self.0)
    }
}

/// The textures of a cycled material.
#[derive(Clone, Debug, Default)]
pub struct Cycle {
    /// The speed and counts of the cycle.
    pub head: CycleHeader,
    /// The textures it shows in turn.
    pub frames: Block<Frame>,
}

/// The material section.
#[derive(Clone, Debug, Default)]
pub struct Materials {
    /// `true` if the header states the number of used slots as that of all slots, as in retail files of Crimson Skies.
    pub array_size_is_used: Truth,
    /// Counts and list heads.
    pub head: MaterialsHeader,
    /// The slots up to the last used one.
    pub slots: Vec<MaterialSlot>,
    /// The free slots after them.
    pub free: Vec<FreeMaterial>,
    /// The cycles in the order of the used list, which runs from the last slot to the first.
    pub cycles: Vec<Cycle>,
}

/// Materials over these textures; in read mode with the header's offset of the next section.
pub(super) struct MaterialsContext<'t, G: Layouts> {
    pub(super) textures: &'t [G::Texture],
    pub(super) models_offset: u32,
}

lay! {
    impl<G: Layouts> LayBy<MaterialsContext<'_, G>> for Materials {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, MaterialsContext { textures, models_offset }: MaterialsContext<'_, G>) -> Result {
            if G::VERSION == CrimsonSkies::VERSION {
                t.fact("array_size_is_used", at!(self.array_size_is_used))?;
            }
            let rules = self.head_by_rule(|name, value, stored| t.rule(name, value, stored))?;
            t.fields_by(at!(self.head), Some(&rules))?;
            let [used, free] = match t.seen(|t| slots_ahead::<G>(t, &self.head, models_offset.into())) {
                Some(found) => found?,
                None => [self.slots.len(), self.free.len()].map(wide),
            };
            let MaterialsHeader { array_size, used: said, .. } = self.head;
            t.read(at!(self.array_size_is_used), |it, _| {
                let is_used = array_size == said && array_size.wide() != used.checked_add(free);
                *it = (is_used && G::VERSION == CrimsonSkies::VERSION).into();
                Ok(())
            })?;
            let mut names: Option<Rc<dyn Referents>> = None;
            let mut links = (0..used).map(|slot| used_links(slot, used));
            t.list("slots", used, SLOT, at!(self.slots), |t, slot| {
                let mut rules = *slot;
                for (name, rule, to) in linked(&mut rules.prev, &mut rules.next, links.next()) {
                    *rule = to.map_or(Ok(NO_SLOT), |to| t.rule(name, to, *rule))?;
                }
                let is_textured = slot.is_textured();
                t.refer_to(
                    || is_textured.then(|| names.get_or_insert_with(|| TextureNames::of(textures)).clone()),
                    |t| t.fields_by(recast::<G::Material, _>(at!(*slot)), Some(bytemuck::must_cast_ref(&rules))),
                )?;
                t.judge(|t| null_where_nothing(t, "cycle_ptr", slot.cycle_ptr, slot.flags.contains(MaterialFlags::CYCLED)));
                Ok(())
            })?;
            let mut links = (0..free).map(|slot| free_links(slot, used, used + free));
            t.list("free", free, SLOT, at!(self.free), |t, slot| {
                let flags = MaterialFlags::from_bits_retain(G::FREE_MATERIAL);
                let mut rules = FreeMaterial { flags, ..*slot };
                for (name, rule, to) in linked(&mut rules.prev, &mut rules.next, links.next()) {
                    *rule = to.map_or(Ok(NO_SLOT), |to| t.rule(name, to, *rule))?;
                }
                t.fields_by(slot, Some(&rules))
            })?;
            let cycled = wide(self.cycled().count());
            t.list("cycles", cycled, wide(size_of::<CycleHeader>()), at!(self.cycles), |t, cycle| {
                t.refer_to(|| Some(names.get_or_insert_with(|| TextureNames::of(textures)).clone()), |t| cycle.lay(t))
            })?;
            // The number of cycles can differ in the exchange format.
            match wide(self.cycles.len()) {
                found if found == cycled => Ok(()),
                found => Err(t.error_in("cycles", Fault::Count { expected: cycled, found })),
            }
        }
    }

    impl Lay for Cycle {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.computed("frame_count", at!(self.head.frame_count), wide(self.frames.len()))?;
            let rules = CycleHeader { capacity: self.head.frame_count, ..self.head };
            t.fields_by(at!(self.head), Some(&rules))?;
            let frames = t.stated("frame_count", self.head.frame_count)?;
            t.judge(|t| null_where_nothing(t, "frames_ptr", self.head.frames_ptr, true));
            t.block("frames", frames, at!(self.frames))
        }
    }
}

impl Materials {
    /// Returns the slots of cycled materials, in slot order.
    fn cycled(&self) -> impl Iterator<Item = usize> {
        let cycled = |slot: &MaterialSlot| slot.flags.contains(MaterialFlags::CYCLED);
        self.slots.iter().enumerate().filter(move |(_, slot)| cycled(slot)).map(|(at, _)| at)
    }

    /// Returns for each material whether it is cycled.
    pub(super) fn changing(&self) -> Vec<bool> {
        self.slots.iter().map(|slot| slot.flags.contains(MaterialFlags::CYCLED)).collect()
    }

    /// Returns `true` if both lists of slots have all of theirs in order, so that the engine can take a free one.
    ///
    /// Source: `zipper-gamez.md`, section 5.
    #[cfg(feature = "export")]
    pub(crate) fn has_whole_lists(&self) -> bool {
        let (used, free) = (wide(self.slots.len()), wide(self.free.len()));
        let link = |to: Option<u64>| to.map_or(Some(NO_SLOT), I16::of);
        let follows =
            |[before, after]: Links, prev: I16, next: I16| link(before) == Some(prev) && link(after) == Some(next);
        let mut rest = (0..).zip(&self.slots).map(|(at, slot)| follows(used_links(at, used), slot.prev, slot.next));
        let mut spare =
            (0..).zip(&self.free).map(|(at, slot)| follows(free_links(at, used, used + free), slot.prev, slot.next));
        let head = |to: Option<u64>, stored: I32| to.map_or(Some(I32::new(-1)), I32::of) == Some(stored);
        let heads =
            head((free > 0).then_some(used), self.head.free_head) && head(used.checked_sub(1), self.head.used_head);
        heads && rest.all(|it| it) && spare.all(|it| it)
    }

    /// Returns the header with its computed values; `number` makes one of the value for a field, and of what that stores.
    fn head_by_rule(&self, mut number: impl FnMut(&'static str, u64, I32) -> Result<I32>) -> Result<MaterialsHeader> {
        let (used, free) = (wide(self.slots.len()), wide(self.free.len()));
        let (head, none) = (self.head, I32::new(-1));
        let size = if self.array_size_is_used.into() { used } else { used + free };
        Ok(MaterialsHeader {
            array_size: number("array_size", size, head.array_size)?,
            used: number("used", used, head.used)?,
            free_head: if free > 0 { number("free_head", used, head.free_head)? } else { none },
            used_head: match used.checked_sub(1) {
                Some(last) => number("used_head", last, head.used_head)?,
                None => none,
            },
        })
    }
}

/// The link of a slot to none.
const NO_SLOT: I16 = I16::new(-1);

/// The numbers of the slots that the links of a slot refer to: the one before and the one after.
type Links = [Option<u64>; 2];

/// Returns the name of each link of a slot, the link itself, and what it refers to, unless the slot is one too many.
fn linked<'s>(
    prev: &'s mut I16,
    next: &'s mut I16,
    links: Option<Links>,
) -> impl Iterator<Item = (&'static str, &'s mut I16, Option<u64>)> {
    let both = |[before, after]: Links| [("prev", prev, before), ("next", next, after)];
    links.map(both).into_iter().flatten()
}

/// Returns the links of a used slot: the list runs from the last down to the first. Source: `zipper-gamez.md`, section 5.
fn used_links(slot: u64, used: u64) -> Links {
    let prev = slot.checked_add(1).filter(|&prev| prev < used);
    [prev, slot.checked_sub(1)]
}

/// Returns the links of a free slot, counted from the end of the used ones: the list runs up to the last slot.
fn free_links(at: u64, used: u64, size: u64) -> Links {
    let slot = used + at;
    let prev = if at > 0 { slot.checked_sub(1) } else { None };
    [prev, slot.checked_add(1).filter(|&next| next < size)]
}

/// Counts the slots up to the last used one, and the free slots after it.
fn slots_ahead<G: Layouts>(t: &Tape<'_>, head: &MaterialsHeader, models_offset: u64) -> Result<[u64; 2]> {
    let size = physical_slots::<G>(t, head, models_offset)?;
    let free = wide((0..size).rev().take_while(|slot| is_free::<G>(t, *slot)).count());
    Ok([size - free, free])
}

/// Returns `true` if the slot at this index from here holds only what a free slot holds.
fn is_free<G: Layouts>(t: &Tape<'_>, slot: u64) -> bool {
    let bytes = slot.checked_mul(SLOT).and_then(|at| t.peek(t.position().checked_add(at)?, SLOT).ok());
    bytes.and_then(|bytes| field::macros::read_pod::<MaterialSlot>(&bytes)).is_some_and(|slot| {
        let free = MaterialFlags::from_bits_retain(G::FREE_MATERIAL);
        let bare = MaterialSlot { flags: MaterialFlags::default(), prev: 0.into(), next: 0.into(), ..slot };
        slot.flags == free && field::bytes_of(&bare).iter().all(|&byte| byte == 0)
    })
}

/// Counts the physical slots: the stated array size, the size in retail files, or the number that look used or free.
/// Takes the first of the three with which the section ends at the stated offset of the next section.
///
/// Source: `zipper-gamez.md`, section 5.
fn physical_slots<G: Layouts>(t: &Tape<'_>, head: &MaterialsHeader, models_offset: u64) -> Result<u64> {
    let said = t.stated("array_size", head.array_size);
    let first = t.position();
    let fits = |&size: &u64| end_of(t, first, size) == Some(models_offset);
    let look_free = || {
        let used = head.used.wide()?;
        let free = (used..).take_while(|&slot| is_free::<G>(t, slot)).count();
        used.checked_add(wide(free))
    };
    let found = said.as_ref().ok().copied().filter(fits);
    let found = found.or_else(|| Some(G::MATERIAL_SLOTS).filter(fits)).or_else(|| look_free().filter(fits));
    found.map_or(said, Ok)
}

/// Returns the end of a section of `size` slots from `first` onward, or `None` if it does not fit in the file.
fn end_of(t: &Tape<'_>, first: u64, size: u64) -> Option<u64> {
    let slots = t.peek(first, size.checked_mul(SLOT)?).ok()?;
    let slots: &[MaterialSlot] = bytemuck::try_cast_slice(&slots).ok()?;
    let mut at = first.checked_add(size.checked_mul(SLOT)?)?;
    for _ in slots.iter().filter(|slot| slot.flags.contains(MaterialFlags::CYCLED)) {
        let head: CycleHeader = field::macros::read_pod(&t.peek(at, wide(size_of::<CycleHeader>())).ok()?)?;
        at = at.checked_add(head.frame_count.wide()?.checked_mul(4)?)?.checked_add(wide(size_of::<CycleHeader>()))?;
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: the example of `zipper-gamez.md`, section 5.
    #[test]
    fn links_match_the_example_of_three_used_in_five() {
        let used = (0..3).map(|slot| used_links(slot, 3));
        let free = (0..2).map(|at| free_links(at, 3, 5));
        let links: Vec<_> = used.chain(free).collect();
        let expected = [[1, -1], [2, 0], [-1, 1], [-1, 4], [3, -1]].map(|it| it.map(|to| u64::try_from(to).ok()));
        assert_eq!(links, expected);
        let materials = Materials { slots: vec![<_>::default(); 3], free: vec![<_>::default(); 2], ..<_>::default() };
        let head = materials.head_by_rule(|_, value, _| Ok(I32::of(value).expect("a small one"))).expect("a header");
        assert_eq!([head.array_size, head.used, head.free_head, head.used_head].map(I32::get), [5, 3, 3, 2]);
    }
}
