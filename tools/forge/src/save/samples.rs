//! Ordinary saved games, and some with traps. Source of the traps: zipper-saves.md, sections 1 to 3 and 6.

use super::{Activation, crimson, mine, recoil_activation, recoil_running, record};
use crate::archive::{self, Content, Entry, Spec};
use crate::bytes::field;
use crate::random::Random;
use crate::{Sample, Size};

/// Returns an entry of an archive, with the other fields of its table row zero.
pub(crate) fn entry(name: &str, data: Vec<u8>) -> Entry {
    Entry::new(name.as_bytes(), data)
}

/// Returns a saved game of Recoil: its handlers in the order in which they write.
fn recoil(random: &mut Random, size: Size) -> Spec {
    let vehicles = match size {
        Size::Tiny => 1,
        Size::Small => 12,
        Size::Retail => 80,
    };
    let mut entries = vec![
        // A mission that begins like a motion, with a 4.
        entry("Mission/MissionData", record(random, 4, 92)),
        entry("AnimActivation/Activation0000", recoil_activation(random, b"gate", 1)),
        entry("RunningAnim/Running000", recoil_running(random, &[7; 20])),
        entry("Anim/Anim0000", recoil_activation(random, b"bridge", 0)),
    ];
    entries.extend((0..vehicles).map(|at| entry(&format!("VehicleList/tank{at:02}"), record(random, 128, 128))));
    entries.push(entry("HUDTimer/TimerData", record(random, 90, 4)));
    entries.push(entry("Player/player", record(random, 320, 320)));
    entries.push(entry("Pickup/ammo01", record(random, 1, 48)));
    entries.push(entry("Mines/DummyMineData", mine(random, 1)));
    entries.push(entry("Mines/Mine0", mine(random, 0)));
    entries.push(entry("zDEClient/Dummy", [random.garbage(48), vec![1, 0, 0, 0]].concat()));
    entries.push(entry("zDEClient/Crater0", record(random, 1, 52)));
    entries.push(entry("zDEClient/QSand0", record(random, 3, 52)));
    entries.push(entry("GWWorld/world", record(random, 1, 36)));
    entries.push(entry("Weapons/WeaponData", record(random, 17, 4)));
    entries.push(entry("MissionLate/LateMissionData", record(random, 1, 4)));
    Spec::new(1, Content::Unknown, entries)
}

/// Returns a saved game of MechWarrior 3: a header, and the states of animations under their names.
fn mech(random: &mut Random, size: Size) -> Spec {
    let count = match size {
        Size::Tiny => 3,
        Size::Small => 20,
        Size::Retail => 60,
    };
    let header = [8u32.to_le_bytes(), 2u32.to_le_bytes()].concat();
    let mut entries = vec![stale(random, entry("zSaveHeader", header))];
    for at in 0..count {
        let kind = [1, 2, 5][at % 3];
        // Some names occur twice, for different states.
        let name = format!("door{:02}", if at % 8 == 7 { at - 1 } else { at });
        let nodes = if kind == 5 { 0 } else { [0, 1, 3, 17][at / 3 % 4] };
        let state = Activation::new(random, kind, &name, nodes).build();
        entries.push(stale(random, entry(&name, state)));
    }
    Spec::new(1, Content::Unknown, entries)
}

/// Adds the other fields of a MechWarrior 3 table row to an entry.
fn stale(random: &mut Random, entry: Entry) -> Entry {
    let comment = random.garbage(64).try_into().expect("64 bytes");
    Entry { flags: random.draw() as u32, comment, time: random.draw(), ..entry }
}

/// A change that makes a saved game unusual.
type Edit = fn(&mut Spec, &mut Random);

/// Returns saved games of a size class.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, size, recoils: bool, trap: Option<(&'static str, bool, Edit)>| {
        let random = &mut Random::named(seed, name);
        let mut spec = if recoils { recoil(random, size) } else { mech(random, size) };
        trap.inspect(|(_, _, edit)| edit(&mut spec, random));
        Sample {
            name: name.into(),
            kind: "archive",
            games: if recoils { &["rc"] } else { &["mw"] },
            bytes: archive::build(&spec),
            trap: trap.map(|(words, ..)| words),
            deviates: trap.is_some_and(|(_, deviates, _)| deviates),
        }
    };
    let plain = [sample("quick.sav", size, true, None), sample("quick.mw3", size, false, None)];
    let odd = size.of_traps();
    let traps = TRAPS
        .iter()
        .map(|&(name, words, deviates, edit)| sample(name, odd, name.ends_with(".sav"), Some((words, deviates, edit))));
    let mission = Sample {
        name: "Mission.102.sav".into(),
        kind: "archive",
        games: &["cs"],
        bytes: archive::build(&crimson::save(&mut Random::named(seed, "Mission.102.sav"))),
        trap: None,
        deviates: false,
    };
    plain.into_iter().chain([mission]).chain(traps).collect()
}

fn cut(spec: &mut Spec, keep: &str) {
    spec.entries.retain(|entry| entry.name.starts_with(keep.as_bytes()));
}

/// Replaces the first state of an animation.
fn state(spec: &mut Spec, random: &mut Random, edit: fn(&mut Activation)) {
    let mut state = Activation::new(random, 1, "door00", 1);
    edit(&mut state);
    spec.entries[1].data = state.build();
}

const TRAPS: [(&str, &str, bool, Edit); 22] = [
    ("save_short.sav", "a save that ends where a handler failed", false, |spec, _| spec.entries.truncate(2)),
    ("save_unknown.sav", "a section that nobody registered", false, |spec, random| {
        cut(spec, "Mission/");
        spec.entries.push(entry("Weather/Rain", random.garbage(40)));
    }),
    ("save_case.sav", "a section in other case, which is another", false, |spec, _| {
        cut(spec, "Mission/");
        let other = entry("mission/MissionData", spec.entries[0].data.clone());
        spec.entries.push(other);
    }),
    ("save_size.sav", "records of other sizes than theirs", false, |spec, random| {
        spec.entries = ["Mission/MissionData", "Player/p", "VehicleList/v", "Mines/m", "zDEClient/Crater0"]
            .map(|name| entry(name, random.garbage(60)))
            .into();
    }),
    ("save_client.sav", "a client that is neither crater nor quicksand", false, |spec, random| {
        spec.entries = vec![entry("zDEClient/Crater0", record(random, 2, 52))];
    }),
    ("save_names.sav", "twins, blanks and slashes in names", false, |spec, random| {
        spec.entries = ["VehicleList/tank", "VehicleList/tank", "VehicleList/big tank/2", "VehicleList/"]
            .map(|name| entry(name, record(random, 128, 128)))
            .into();
    }),
    ("save_garbage.sav", "a vehicle of leftover memory but for its size", false, |spec, random| {
        spec.entries = vec![entry("VehicleList/v", [&[128, 0, 0, 0], &random.garbage(124)[..]].concat())];
    }),
    ("save_activation_count.sav", "a state with fewer nodes than it says", false, |spec, random| {
        let mut data = recoil_activation(random, b"gate", 1);
        data[85] = 2;
        spec.entries = vec![entry("Anim/Anim0000", data)];
    }),
    ("save_many_nodes.sav", "a state with as many nodes as can be", false, |spec, random| {
        spec.entries = vec![entry(
            "Anim/Anim0000",
            recoil_activation(random, b"gate", if spec.entries.len() > 20 { 255 } else { 9 }),
        )];
    }),
    ("save_no_events.sav", "a running animation whose sequence has no events", false, |spec, random| {
        spec.entries = vec![entry("RunningAnim/Running000", recoil_running(random, &[]))];
    }),
    ("save_vehicle_size.sav", "a vehicle that gives another size", true, |spec, random| {
        spec.entries = vec![entry("VehicleList/v", record(random, 124, 128))];
    }),
    ("save_late.sav", "a late mission that is not 1", true, |spec, random| {
        spec.entries = vec![entry("MissionLate/LateMissionData", record(random, 2, 4))];
    }),
    ("save_unused.sav", "a state with something where nothing is used", true, |spec, random| {
        let mut data = recoil_activation(random, b"gate", 0);
        data[86] = 5;
        spec.entries = vec![entry("AnimActivation/Activation0000", data)];
    }),
    ("save_other.mw3", "entries that are no states of animations", false, |spec, random| {
        spec.entries.truncate(1);
        spec.entries.push(entry("zOther", random.garbage(30)));
        spec.entries.push(entry("zState", random.garbage(88)));
    }),
    ("save_renamed.mw3", "a state of another name than its entry's", false, |spec, _| {
        spec.entries[1].name = field(b"gate", b"");
    }),
    ("save_header_last.mw3", "the header behind a state", false, |spec, _| {
        spec.entries.truncate(2);
        spec.entries.reverse();
    }),
    ("save_version.mw3", "another version in the header", true, |spec, _| spec.entries[0].data[0] = 9),
    ("save_kind.mw3", "a kind of state that has not been seen", true, |spec, random| {
        state(spec, random, |state| state.kind = 3);
    }),
    ("save_status.mw3", "a status that has not been seen", true, |spec, random| {
        state(spec, random, |state| state.status = 2);
    }),
    ("save_values.mw3", "leftover memory where the kind has zeros", true, |spec, random| {
        state(spec, random, |state| state.values[35] = 0x80);
    }),
    ("save_ptr.mw3", "an address without its mark", true, |spec, random| {
        state(spec, random, |state| (state.ptr, state.unk86) = (0x1234, 0));
    }),
    ("save_reserved.mw3", "figures where there are zeros", true, |spec, random| {
        state(spec, random, |state| (state.unk04, state.unk87) = (1, 2));
    }),
];
