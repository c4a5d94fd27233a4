//! The physics of Marathon in the form of later games, and back.
//!
//! Each form has values that the other lacks, and no document says what an engine would take for them. So they come from files that the user
//! gives: those of later games from a later physics model, those of Marathon from an early one. What neither form of the file can hold is
//! never dropped: the way back is refused if it would lose a value.
//!
//! Numbers of collections, items, sounds and projectiles keep their values, which mean those of Marathon.
//!
//! Source: [`marathon-physics.md`](formats::marathon_physics), sections 1 to 6.

use core::ops::Range;
use std::collections::BTreeMap;

use bytes::Bytes;

use crate::array::Array;
use crate::chunk::Content;
use crate::wad::Wad;
use field::{FourCc, Layout, Record, Shaped, bytes_of, decode};
use passes::spans;

use super::{
    Definitions, EarlyEffect, EarlyMonster, EarlyPlayer, EarlyProjectile, EarlyWeapon, Effect, Monster, Physics,
    Player, Projectile, Trigger, Weapon,
};

/// The chunks of a later physics model after a conversion, and what they do not hold.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Later {
    /// The label of each entry, and its new contents.
    pub entries: Vec<(String, Vec<u8>)>,
    /// The values of the early model that later ones have no place for, with the number of records.
    pub left_out: BTreeMap<String, usize>,
    /// The number of records at the end of each list that the early model does not have, which stay as they were.
    pub kept: BTreeMap<&'static str, usize>,
}

/// The records of one type in both forms.
struct Table {
    /// What they are, for people.
    name: &'static str,
    tag: [u8; 4],
    chunk: [u8; 4],
    early: &'static Layout,
    later: &'static Layout,
    /// The number of early records before the first one that later models have.
    first: usize,
    /// The ranges of the values that both have.
    shared: Vec<(Range<usize>, Range<usize>)>,
    /// The ranges of later values that the early ones leave at 0.
    zeros: Vec<Range<usize>>,
}

/// The size of a block's header in an early model.
const HEADER: usize = 12;

/// Returns the bytes of a field of a record.
fn range(of: &Layout, name: &str) -> Option<Range<usize>> {
    let at = of.fields.iter().position(|field| field.name == name)?;
    let begin = of.fields.get(at)?.offset;
    Some(begin..of.fields.get(at + 1).map_or(of.size, |next| next.offset))
}

impl Table {
    fn of<E: Record, L: Record>(name: &'static str, tag: [u8; 4], chunk: [u8; 4]) -> Self {
        let (early, later) = (E::LAYOUT, L::LAYOUT);
        let shared = early.fields.iter().filter_map(|field| {
            let (was, now) = (range(early, field.name)?, range(later, field.name)?);
            (was.len() == now.len()).then_some((was, now))
        });
        Self { name, tag, chunk, early, later, first: 0, shared: shared.collect(), zeros: Vec::new() }
    }

    /// Adds a value of the early record, one of several of its field, that the later one has as a part of another field.
    fn share(&mut self, (field, nth, each): (&str, usize, usize), (outer, inner): (&str, Option<(&Layout, &str)>)) {
        let place = || {
            let early = range(self.early, field)?.start + nth * each;
            let mut later = range(self.later, outer)?;
            if let Some((layout, name)) = inner {
                later = later.start + range(layout, name)?.start..later.start + range(layout, name)?.end;
            }
            Some((early..early + each, later.start..later.start + each))
        };
        self.shared.extend(place());
    }

    /// Returns the names of the fields with bytes that no range covers.
    fn others<'l>(of: &'l Layout, ranges: &[Range<usize>]) -> Vec<&'l str> {
        let covers = |at: usize| ranges.iter().any(|range| range.contains(&at));
        let fields = of.fields.iter().map(|field| field.name);
        fields.filter(|name| range(of, name).is_some_and(|mut bytes| bytes.any(|at| !covers(at)))).collect()
    }

    fn early_ranges(&self) -> Vec<Range<usize>> {
        self.shared.iter().map(|(early, _)| early.clone()).collect()
    }

    fn later_ranges(&self) -> Vec<Range<usize>> {
        self.shared.iter().map(|(_, later)| later.clone()).chain(self.zeros.iter().cloned()).collect()
    }
}

/// Returns the five tables.
fn tables() -> [Table; 5] {
    let mut players = Table::of::<EarlyPlayer, Player>("player physics", *b"phys", *b"PXpx");
    // The first of Marathon is that of its editor.
    players.first = 1;
    let mut projectiles = Table::of::<EarlyProjectile, Projectile>("projectiles", *b"proj", *b"PRpx");
    if let (Some(early), Some(later)) = (range(EarlyProjectile::LAYOUT, "flags"), range(Projectile::LAYOUT, "flags")) {
        projectiles.shared.push((early, later.start + 2..later.end));
        projectiles.zeros.push(later.start..later.start + 2);
    }
    let mut weapons = Table::of::<EarlyWeapon, Weapon>("weapons", *b"weap", *b"WPpx");
    for (nth, outer, rounds, ammunition, offset) in [
        (0, "primary_trigger", "primary_rounds", "primary_ammunition", "primary_offset"),
        (1, "secondary_trigger", "secondary_rounds", "secondary_ammunition", "secondary_offset"),
    ] {
        let inner = |name| (outer, Some((Trigger::LAYOUT, name)));
        weapons.share((rounds, 0, 2), inner("rounds_per_magazine"));
        weapons.share((ammunition, 0, 2), inner("ammunition"));
        weapons.share((offset, 0, 2), inner("dx"));
        weapons.share((offset, 1, 2), inner("dz"));
        for name in [
            "ticks_per_round",
            "recovery_ticks",
            "charging_ticks",
            "recoil",
            "firing_sound",
            "click_sound",
            "shell_casing_sound",
            "projectile",
            "theta_error",
            "burst_count",
        ] {
            weapons.share((name, nth, 2), inner(name));
        }
        // One for both triggers.
        weapons.share(("reloading_sound", 0, 2), inner("reloading_sound"));
        weapons.share(("charging_sound", 0, 2), inner("charging_sound"));
    }
    [
        Table::of::<EarlyMonster, Monster>("monsters", *b"mons", *b"MNpx"),
        Table::of::<EarlyEffect, Effect>("effects", *b"effe", *b"FXpx"),
        projectiles,
        players,
        weapons,
    ]
}

/// Returns the bytes of each record.
fn bytes<R: Shaped>(records: &[R]) -> Vec<Vec<u8>> {
    records.iter().map(|record| bytes_of(record).to_vec()).collect()
}

/// Returns the records of an early model in the block with this tag.
fn early_records(of: &Physics, table: &Table) -> Result<Vec<Vec<u8>>, String> {
    let mut blocks = of.blocks.iter().filter(|block| block.head.tag == FourCc(table.tag));
    let (Some(block), None) = (blocks.next(), blocks.next()) else {
        return Err(format!("expected one block of {}, found none or several", table.name));
    };
    Ok(match &block.definitions {
        Definitions::Monsters(records) => bytes(records),
        Definitions::Effects(records) => bytes(records),
        Definitions::Projectiles(records) => bytes(records),
        Definitions::Players(records) => bytes(records),
        Definitions::Weapons(records) => bytes(records),
        Definitions::Opaque(_) => return Err(format!("its {} have records of another size", table.name)),
    })
}

/// The records of one chunk, and the bytes after them.
struct Chunk {
    label: String,
    records: Vec<Vec<u8>>,
    rest: Vec<u8>,
}

/// Returns the records of a later model.
fn later_records(of: &Wad, table: &Table) -> Result<Chunk, String> {
    fn split<R: Shaped>(array: &Array<R>) -> (Vec<Vec<u8>>, Vec<u8>) {
        (bytes(&array.records), array.rest.to_vec())
    }
    let mut all = Vec::new();
    for (entry, it) in of.entries.iter().enumerate() {
        all.extend(it.chunks.iter().filter(|chunk| chunk.head.tag == FourCc(table.chunk)).map(|chunk| (entry, chunk)));
    }
    let (entry, chunk) = match all[..] {
        [one] => one,
        [] => {
            return Err(format!(
                "it has no {}; expected a physics model of Marathon 2 or Marathon Infinity",
                table.name
            ));
        }
        [(first, _), (second, _), ..] => {
            return Err(format!(
                "it has {} lists of {}, in the entries {first} and {second}; expected one physics model, such as `unpack --loose` takes out \
                 of a scenario",
                all.len(),
                table.name
            ));
        }
    };
    let (records, rest) = match (&chunk.payload, &table.chunk) {
        (Content::Monsters(array), b"MNpx") => split(array),
        (Content::Effects(array), b"FXpx") => split(array),
        (Content::Projectiles(array), b"PRpx") => split(array),
        (Content::PlayerPhysics(array), b"PXpx") => split(array),
        (Content::Weapons(array), b"WPpx") => split(array),
        _ => return Err(format!("its {} are not in the form of a physics model", table.name)),
    };
    let label = format!("{entry}!{}", String::from_utf8_lossy(&table.chunk));
    Ok(Chunk { label, records, rest })
}

fn wad(file: &Bytes) -> Result<Wad, String> {
    Ok(decode::<Wad>(file.clone()).map_err(|why| why.to_string())?.model)
}

/// Returns the label and the bytes of each chunk that is not physics.
fn others(file: &Bytes) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let spans = spans(&wad(file)?).map_err(|why| why.to_string())?;
    let known = tables().map(|table| String::from_utf8_lossy(&table.chunk).into_owned());
    let is_other = |label: &str| label.split_once('!').is_some_and(|(_, tag)| !known.iter().any(|known| known == tag));
    let all = spans.into_iter().filter(|(label, _)| is_other(label));
    Ok(all.map(|(label, span)| (label, span.of(file).unwrap_or_default().to_vec())).collect())
}

/// Returns the chunks of a later physics model with the values of an early one. All other values stay, and so do the records that the early
/// one does not have.
///
/// # Errors
/// Returns the reason, as a sentence without the file, if a list is missing or there several times, or if the later one has fewer records.
pub fn to_later(early: &Bytes, like: &Bytes) -> Result<Later, String> {
    let early = &decode::<Physics>(early.clone()).map_err(|why| why.to_string())?.model;
    let like = &wad(like).map_err(|why| format!("--like: {why}"))?;
    let mut made = Later::default();
    let tables = tables();
    for block in early.blocks.iter().filter(|block| tables.iter().all(|table| block.head.tag != FourCc(table.tag))) {
        let name = format!("block {:?}", block.head.tag.text());
        *made.left_out.entry(name).or_default() += usize::from(block.count.get());
    }
    for table in tables {
        let own = early_records(early, &table)?;
        let own = own.get(table.first..).unwrap_or_default();
        let mut chunk = later_records(like, &table).map_err(|why| format!("--like: {why}"))?;
        let (count, room) = (own.len(), chunk.records.len());
        if count > room {
            return Err(format!(
                "it has {count} {}, but --like has {room}; give a model with at least as many",
                table.name
            ));
        }
        for (from, to) in own.iter().zip(&mut chunk.records) {
            for zeros in &table.zeros {
                to.get_mut(zeros.clone()).into_iter().for_each(|bytes| bytes.fill(0));
            }
            for (was, now) in &table.shared {
                copy(from, was, to, now);
            }
        }
        for name in Table::others(table.early, &table.early_ranges()) {
            made.left_out.insert(format!("`{name}` of {}", table.name), count);
        }
        if table.first > 0 {
            made.left_out.insert(format!("{} of the editor", table.name), table.first);
        }
        if room > count {
            made.kept.insert(table.name, room - count);
        }
        made.entries.push((chunk.label, [chunk.records.concat(), chunk.rest].concat()));
    }
    Ok(made)
}

fn copy(from: &[u8], was: &Range<usize>, to: &mut [u8], now: &Range<usize>) {
    if let (Some(from), Some(to)) = (from.get(was.clone()), to.get_mut(now.clone())) {
        to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    }
}

/// Returns an early physics model with the values of a later one; all others are those of `like`, an early one.
///
/// # Errors
/// Returns the reason, as a sentence without the file, if that would lose a value: one that an early model has no place for and that is
/// not that of `base`, the later model from which the values came that early ones lack.
pub fn to_early(later: &Bytes, base: &Bytes, like: &Bytes) -> Result<Vec<u8>, String> {
    let mut file = like.to_vec();
    let others_of_base = others(base).map_err(|why| format!("--like: {why}"))?;
    let early = &decode::<Physics>(like.clone()).map_err(|why| format!("--like: {why}"))?.model;
    let own_others = others(later)?;
    let later = &wad(later)?;
    let base = &wad(base).map_err(|why| format!("--like: {why}"))?;
    if let Some((label, _)) = own_others.into_iter().find(|(label, bytes)| others_of_base.get(label) != Some(bytes)) {
        return Err(format!(
            "{label} would be lost: a physics model of Marathon has no such chunk, and it is not that of the later --like"
        ));
    }
    for table in tables() {
        let (own, from) =
            (later_records(later, &table)?, later_records(base, &table).map_err(|why| format!("--like: {why}"))?);
        if own.records.len() != from.records.len() || own.rest != from.rest {
            let (count, known) = (own.records.len(), from.records.len());
            return Err(format!(
                "it has {count} {}, but --like has {known}; give the model that it was made like",
                table.name
            ));
        }
        let count = early_records(early, &table)?.len();
        let kept = table.later_ranges();
        for (nth, (now, was)) in own.records.iter().zip(&from.records).enumerate() {
            let is_kept = nth + table.first < count;
            let lost = (0..now.len()).find(|&at| {
                let (now, was) = (now.get(at), was.get(at));
                let is_zero = table.zeros.iter().any(|range| range.contains(&at));
                let expected = if is_zero { Some(&0) } else { was };
                let is_shared = kept.iter().any(|range| range.contains(&at)) && !is_zero;
                if is_kept { !is_shared && now != expected } else { now != was }
            });
            if let Some(at) = lost {
                return Err(lost_value(&table, nth, at, is_kept));
            }
        }
        let block = block(early, &table).ok_or_else(|| format!("--like: it has no {}", table.name))?;
        for (nth, record) in own.records.iter().enumerate().take(count.saturating_sub(table.first)) {
            let begin = block + (nth + table.first) * table.early.size;
            let Some(to) = file.get_mut(begin..begin + table.early.size) else { continue };
            let mut written: Vec<(Range<usize>, Vec<u8>)> = Vec::new();
            for (was, now) in &table.shared {
                let value = record.get(now.clone()).unwrap_or_default();
                if let Some((_, other)) = written.iter().find(|(range, other)| range == was && other != value) {
                    let name = field(table.early, was.start);
                    return Err(format!(
                        "{}/{nth}: `{name}` differs between the triggers ({other:?} and {value:?}), but Marathon has one for both",
                        table.name
                    ));
                }
                copy(record, now, to, was);
                written.push((was.clone(), value.to_vec()));
            }
        }
    }
    Ok(file)
}

/// Returns the offset of the first record in the block of a table.
fn block(early: &Physics, table: &Table) -> Option<usize> {
    let mut at = 0;
    for block in &early.blocks {
        if block.head.tag == FourCc(table.tag) {
            return Some(at + HEADER);
        }
        at += HEADER + usize::from(block.count.get()) * usize::from(block.size.get());
    }
    None
}

/// Returns the name of the field at an offset.
fn field(of: &Layout, at: usize) -> &'static str {
    of.fields.iter().rev().find(|field| field.offset <= at).map_or("", |field| field.name)
}

fn lost_value(table: &Table, nth: usize, at: usize, is_kept: bool) -> String {
    let (name, inner) = (table.name, field(table.later, at));
    match is_kept {
        true => format!(
            "{name}/{nth}/{inner} would be lost: a physics model of Marathon has no such value, and it is not that of the first --like; \
             give the later model that it was made like, or set the value to that of the model"
        ),
        false => format!(
            "{name}/{nth} would be lost: the early --like has fewer {name}, and it is not that of the first --like; set its `{inner}` to that \
             of the model"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: `marathon-physics.md`, section 6.
    #[test]
    fn tables_say_what_only_one_form_has() {
        let others: Vec<(&str, Vec<&str>, Vec<&str>)> = tables()
            .iter()
            .map(|table| {
                let early = Table::others(table.early, &table.early_ranges());
                (table.name, early, Table::others(table.later, &table.later_ranges()))
            })
            .collect();
        let monster = [
            "sound_pitch",
            "friendly_activation_sound",
            "clear_sound",
            "kill_sound",
            "apology_sound",
            "friendly_fire_sound",
            "contrail_effect",
            "teleport_in",
            "teleport_out",
        ];
        let weapon = [
            "powerup",
            "loading_ticks",
            "finish_loading_ticks",
            "powerup_ticks",
            "primary_trigger",
            "secondary_trigger",
        ];
        assert_eq!(
            others,
            [
                ("monsters", vec!["conversation_sound"], monster.to_vec()),
                ("effects", vec![], vec!["sound_pitch", "delay", "delay_sound"]),
                (
                    "projectiles",
                    vec![],
                    vec!["media_detonation_effect", "media_promotion", "sound_pitch", "rebound_sound"]
                ),
                ("player physics", vec![], vec!["splash_height"]),
                ("weapons", vec!["sound_activation_range", "instant_reload_tick"], weapon.to_vec()),
            ]
        );
    }
}
