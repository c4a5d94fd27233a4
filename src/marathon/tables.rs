//! The tables of a level, physics model or collection, indices into them, and checks that these refer to entries.
//!
//! An index into an unknown table is not judged: a physics model can lack its effects, and most maps keep their terminals elsewhere.
//!
//! Source: `marathon-map.md`, `marathon-physics.md`, `marathon-shapes.md`, `marathon-terminals.md`.

use core::ops::Range;

use bytemuck::Pod;

use field::{I16be, Judge, Step, U32be, Value, wide};

/// Declares the tables: the field with their number of entries, and the name of an entry.
macro_rules! tables {
    ($($table:ident, $count:ident = $entry:literal;)*) => {
        /// A table that an index can lead into.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Table {
            $($table,)*
        }

        /// The number of entries of every known table.
        #[derive(Clone, Copy, Debug, Default)]
        pub(super) struct Tables {
            $($count: Option<usize>,)*
        }

        impl Table {
            /// Returns the name of an entry.
            const fn entry(self) -> &'static str {
                match self {
                    $(Self::$table => $entry,)*
                }
            }
        }

        impl Tables {
            /// Returns the number of entries of a table, or `None` if it is unknown.
            const fn count(&self, table: Table) -> Option<usize> {
                match table {
                    $(Table::$table => self.$count,)*
                }
            }

            /// Sets the number of entries of a table, unless some are known already: the first of several chunks counts.
            pub(super) fn set(&mut self, table: Table, entries: usize) {
                let known = match table {
                    $(Table::$table => &mut self.$count,)*
                };
                if known.is_none_or(|known| known == 0) {
                    *known = Some(entries);
                }
            }
        }
    };
}

tables! {
    Points, points = "a point";
    Lines, lines = "a line";
    Sides, sides = "a side";
    Polygons, polygons = "a polygon";
    Lights, lights = "a light";
    Platforms, platforms = "a platform";
    Liquids, liquids = "a liquid";
    AmbientSounds, ambient_sounds = "an ambient sound";
    RandomSounds, random_sounds = "a random sound";
    Objects, objects = "an object";
    Terminals, terminals = "a terminal";
    Effects, effects = "an effect";
    Projectiles, projectiles = "a projectile";
    Sequences, sequences = "a sequence";
    Frames, frames = "a frame";
    Bitmaps, bitmaps = "a bitmap";
}

/// The target of an index.
#[derive(Clone, Copy, Debug)]
pub(super) struct To {
    table: Table,
    /// `true` if -1 is allowed and means none.
    or_none: bool,
    /// The number of array slots in use.
    slots: usize,
}

/// Returns an index into the table.
pub(super) const fn to(table: Table) -> To {
    To { table, or_none: false, slots: usize::MAX }
}

/// Returns an index into the table, or -1.
pub(super) const fn or_none(table: Table) -> To {
    To { table, or_none: true, slots: usize::MAX }
}

impl To {
    /// Limits the target to the first slots of an array; the other slots hold arbitrary values.
    pub(super) fn first(self, slots: impl Into<usize>) -> Option<Self> {
        Some(Self { slots: slots.into(), ..self })
    }
}

/// A field that is an index, or an array of indices.
pub(super) struct Reference<R: 'static> {
    /// The path of the field in the record.
    pub(super) steps: &'static [Step],
    /// The bytes of the field in the record.
    pub(super) at: Range<usize>,
    pub(super) leads: Leads<R>,
}

/// The target of a field.
pub(super) enum Leads<R: 'static> {
    /// A fixed target for all records.
    Always(To),
    /// A target that depends on the record; with `None` the field is not an index.
    By(fn(&R) -> Option<To>),
}

/// A record with indices.
pub(super) trait Refers: Pod {
    /// The fields that are indices.
    const REFERENCES: &'static [Reference<Self>];
}

/// Declares which fields of records are indices, and the target of each.
macro_rules! references {
    ($($record:ty { $($($field:ident).+ => $leads:ident($to:expr);)* })*) => { $(
        impl Refers for $record {
            const REFERENCES: &'static [Reference<Self>] = &[$(Reference {
                steps: &[$(Step::Name(stringify!($field))),+],
                at: {
                    let begin = core::mem::offset_of!($record, $($field).+);
                    begin..begin + size_of_field(|record: &$record| &record.$($field).+)
                },
                leads: Leads::$leads($to),
            }),*];
        }
    )* };
}
pub(super) use references;

/// Returns the size of a field.
pub(super) const fn size_of_field<R, F>(_: fn(&R) -> &F) -> usize {
    size_of::<F>()
}

impl Tables {
    /// Returns the range of valid indices, or `None` if the table is unknown.
    #[inline]
    fn bounds(&self, to: To) -> Option<Range<i32>> {
        let count = i32::try_from(self.count(to.table)?).unwrap_or(i32::MAX);
        Some(if to.or_none { -1..count } else { 0..count })
    }

    /// Returns the expected and the found value if a table has no entry for a 32-bit index.
    pub(super) fn lack(&self, table: Table, index: U32be) -> Option<(Value, Value)> {
        let count = self.count(table)?;
        let leads = usize::try_from(index.get()).is_ok_and(|index| index < count);
        (!leads).then(|| (expected(to(table), 0..i32::try_from(count).unwrap_or(i32::MAX)), index.get().into()))
    }

    /// Judges the indices of a record at an offset. `steps` are its path from here.
    pub(super) fn judge_one<R: Refers>(&self, t: &mut Judge<'_>, offset: u64, steps: &[Step], record: &R) {
        self.judge_at(t, offset, core::slice::from_ref(record), |_| steps.to_vec());
    }

    /// Judges the indices of the records of a block at an offset.
    pub(super) fn judge<R: Refers>(&self, t: &mut Judge<'_>, name: &'static str, start: u64, records: &[R]) {
        self.judge_at(t, start, records, |nth| vec![Step::Name(name), Step::Index(wide(nth))]);
    }

    /// Judges the indices of records at an offset, each with its place, field by field.
    fn judge_at<R: Refers>(&self, t: &mut Judge<'_>, start: u64, records: &[R], place: impl Fn(usize) -> Vec<Step>) {
        for reference in R::REFERENCES {
            let all_lead = || self.all_lead(reference, records);
            t.judge_each(all_lead, |t| self.judge_reference(t, start, reference, records, &place));
        }
    }

    /// Judges the indices in a field of records.
    fn judge_reference<R: Refers>(
        &self,
        t: &mut Judge<'_>,
        start: u64,
        reference: &Reference<R>,
        records: &[R],
        place: &impl Fn(usize) -> Vec<Step>,
    ) {
        let Reference { steps, at, leads } = reference;
        let always = if let Leads::Always(to) = leads { self.bounds(*to) } else { None };
        for (nth, record) in records.iter().enumerate() {
            let (to, bounds) = match leads {
                Leads::Always(to) => (*to, always.clone()),
                Leads::By(leads) => match leads(record) {
                    Some(to) => (to, self.bounds(to)),
                    None => continue,
                },
            };
            let (Some(bounds), Some(bytes)) = (bounds, field::bytes_of(record).get(at.clone())) else {
                continue;
            };
            for (slot, index) in bytes.as_chunks::<2>().0.iter().take(to.slots).enumerate() {
                let index = i16::from_be_bytes(*index);
                let leads = bounds.contains(&index.into());
                // Only an index that is reported or counted needs its place.
                t.judge_each(
                    || leads,
                    |t| {
                        let mut place = place(nth);
                        place.extend(*steps);
                        place.extend((at.len() > size_of_val(&index)).then_some(Step::Index(wide(slot))));
                        let offset = nth * size_of::<R>() + at.start + slot * 2;
                        let broken = (!leads).then(|| (expected(to, bounds.clone()), index.into()));
                        t.judged(start + wide(offset), &place, broken);
                    },
                );
            }
        }
    }

    /// Returns `true` if all indices in a field of some records are known to lead to entries.
    fn all_lead<R: Refers>(&self, reference: &Reference<R>, records: &[R]) -> bool {
        match reference.at.len() {
            2 => self.all_slots_lead::<R, 1>(reference, records),
            4 => self.all_slots_lead::<R, 2>(reference, records),
            16 => self.all_slots_lead::<R, 8>(reference, records),
            _ => false,
        }
    }

    /// Checks a field of this many slots for all records, and all slots at once.
    fn all_slots_lead<R: Refers, const SLOTS: usize>(&self, reference: &Reference<R>, records: &[R]) -> bool {
        let Reference { at, leads, .. } = reference;
        let lead = |record: &R, slots: usize, bounds: &Range<i32>| {
            let bytes = field::bytes_of(record).get(at.clone()).unwrap_or_default();
            let Some(indices) = bytes.as_chunks().0.first_chunk::<SLOTS>() else { return false };
            let lacks = |(slot, index): (usize, &[u8; 2])| {
                (slot < slots) & !bounds.contains(&i16::from_be_bytes(*index).into())
            };
            !indices.iter().enumerate().map(lacks).fold(false, |one, other| one | other)
        };
        match leads {
            Leads::Always(to) => match self.bounds(*to) {
                Some(bounds) => records.iter().all(|record| lead(record, to.slots, &bounds)),
                None => true,
            },
            Leads::By(leads) => records.iter().all(|record| match leads(record) {
                Some(to) => self.bounds(to).is_none_or(|bounds| lead(record, to.slots, &bounds)),
                None => true,
            }),
        }
    }

    /// Judges a block of indices at an offset. Each of `listed` is a stored value, the index that it means, and its target.
    pub(super) fn judge_listed(
        &self,
        t: &mut Judge<'_>,
        name: &'static str,
        start: u64,
        listed: impl IntoIterator<Item = (I16be, i16, Option<To>)>,
    ) {
        for (nth, (stored, index, to)) in listed.into_iter().enumerate() {
            let Some((to, bounds)) = to.and_then(|to| Some((to, self.bounds(to)?))) else { continue };
            let leads = bounds.contains(&index.into());
            let broken = (!leads).then(|| (expected(to, bounds), stored.get().into()));
            t.judged(start + wide(nth) * 2, &[Step::Name(name), Step::Index(wide(nth))], broken);
        }
    }
}

/// Describes the expected index in words.
#[cold]
fn expected(to: To, bounds: Range<i32>) -> Value {
    let entry = match bounds.end {
        ..=0 => format!("{} (none exist)", to.table.entry()),
        end => format!("{} from 0 to {}", to.table.entry(), end - 1),
    };
    if to.or_none { format!("-1 or {entry}").into() } else { entry.into() }
}
