//! A saved game of Crimson Skies. Source: zipper-saves.md, section 5.

use super::record;
use crate::archive::{Content, Entry, Spec};
use crate::bytes::field;
use crate::random::Random;

/// The offset of the planes in `UIData`, the size of a plane, and their number.
const PLANES: (usize, usize, usize) = (0x44C, 204, 26);
/// The offset of the first result, the size of half of one, and their number.
const RESULTS: (usize, usize, usize) = (0x1910, 84, 24);

/// Returns the entries: one state has the length that it would have in Recoil.
pub(super) fn save(random: &mut Random) -> Spec {
    let header = [12u32, 2, 0x2_0000].map(u32::to_le_bytes).concat();
    let mut state = random.garbage(700);
    state[85] = 9;
    let entries = [
        ("zSaveHeader", header),
        ("PlayerVehicle/player", vec![4, 0, 0, 0]),
        ("AnimActivation/Activation0000", state),
        ("AnimActivation/Activation0001", random.garbage(328)),
        ("VehicleList/player", record(random, 408, 408)),
        ("TurretList/ctur1", random.garbage(280)),
        ("TurretList/ctur1", random.garbage(280)),
        ("GWWorld/world1", random.garbage(36)),
        ("InMenu/UIData", campaign(random)),
    ];
    Spec::new(1, Content::Unknown, entries.map(|(name, data)| Entry::new(name.as_bytes(), data)).into())
}

/// Returns a `UIData`.
fn campaign(random: &mut Random) -> Vec<u8> {
    let mut bytes = random.garbage(10_820);
    bytes[0x0C..0x110].fill(0);
    let (at, size, count) = PLANES;
    for index in 0..count {
        let name = if index == 0 { "Devastator".to_owned() } else { format!("plane {index}") };
        let plane = plane(random, &name);
        bytes[at + index * size..][..size].copy_from_slice(&plane);
    }
    let (at, size, count) = RESULTS;
    for index in 0..count {
        let (last, earlier) = (result(random), result(random));
        let best = merged(&last, &earlier);
        bytes[at + index * 2 * size..][..2 * size].copy_from_slice(&[last, best].concat());
    }
    bytes
}

/// Returns a plane as the hangar writes it.
fn plane(random: &mut Random, name: &str) -> Vec<u8> {
    let mut words = |count: usize, most: i32| -> Vec<u8> {
        (0..count).flat_map(|_| random.between(0, most).to_le_bytes()).collect()
    };
    let (owned, airframe, points) = (words(1, 1), words(1, 10), words(2, 4));
    let (pattern, looks) = (words(1, 13), [words(3, 26), words(3, 9), words(3, 49)].concat());
    let (armor, guns) = (words(4, 20), words(4, 5));
    let number = |bytes: &[u8], at: usize| bytes[4 * at];
    let ammunition = (0..4).flat_map(|slot| {
        let of_gun = if number(&guns, slot) == 5 { 4 } else { number(&guns, slot) % 4 };
        u32::from(of_gun).to_le_bytes()
    });
    let ordnance = (0..8).flat_map(|pylon| {
        let is_there = pylon % 4 < usize::from(number(&points, pylon / 4));
        (if is_there { 1_u32 } else { 11 }).to_le_bytes()
    });
    let (ammunition, ordnance): (Vec<u8>, Vec<u8>) = (ammunition.collect(), ordnance.collect());
    let colors: Vec<u8> = (0..3).flat_map(|_| [random.garbage(3), vec![0]].concat()).collect();
    [
        owned,
        field::<40>(name.as_bytes(), b"").into(),
        airframe,
        random.garbage(4),
        points,
        random.garbage(4),
        pattern,
        looks,
        colors,
        armor,
        random.garbage(4),
        guns,
        ammunition,
        ordnance,
        random.garbage(4),
    ]
    .concat()
}

/// Returns the result of one attempt.
fn result(random: &mut Random) -> Vec<u8> {
    let objectives = random.draw() as u32 & 0x7FFF_FFFF;
    let time = random.between(1, 900_000);
    let mut kills = |most: i32| -> Vec<u8> { (0..11).map(|_| random.between(0, most) as u8).chain([0]).collect() };
    let (kills, aces) = (kills(5), kills(1));
    let shots = random.between(1, 2_000) as u16;
    let hits = random.between(0, i32::from(shots)) as u16;
    [
        objectives.to_le_bytes().to_vec(),
        time.to_le_bytes().to_vec(),
        kills,
        aces,
        [shots, hits].map(u16::to_le_bytes).concat(),
        random.garbage(4),
        random.between(0, 50_000).to_le_bytes().to_vec(),
        random.between(0, 10).to_le_bytes().to_vec(),
        field::<36>(b"Devastator", b"").into(),
    ]
    .concat()
}

/// Returns the best of two results, as the game merges them.
fn merged(last: &[u8], earlier: &[u8]) -> Vec<u8> {
    let word = |of: &[u8], at: usize| u32::from_le_bytes(of[at..at + 4].try_into().expect("4 bytes"));
    let share = |of: &[u8]| f64::from(word(of, 32) >> 16) / f64::from(word(of, 32) & 0xFFFF);
    let mut best = earlier.to_vec();
    best[..4].copy_from_slice(&(word(last, 0) | word(earlier, 0)).to_le_bytes());
    best[4..8].copy_from_slice(&word(last, 4).min(word(earlier, 4)).to_le_bytes());
    (8..32).for_each(|at| best[at] = last[at].max(earlier[at]));
    if share(last) > share(earlier) {
        best[32..36].copy_from_slice(&last[32..36]);
    }
    best[40..44].copy_from_slice(&(word(last, 40) + word(earlier, 40)).to_le_bytes());
    best
}
