//! The traps of saves of Crimson Skies.
//!
//! Source: `zipper-saves.md`, sections 5.2 and 5.3.

use bitflags::Flags as _;

use field::{Step, wide};
use lint::{Lint, Warnings, Watch, traps};

use super::{Ammunition, ByAirframe, Gun, MissionResult, Ordnance, Plane, PlayerVehicle, UiData};

traps! { TRAPS:
    IGNORED = "save-value-ignored" in Change:
        "a value that the game computes before each save, or does not read, was changed" =>
        "the edit has no effect; a plane has its colors from the numbers of color and shade",
        "zipper-saves.md, section 5 (engine)";
    RESULT = "save-result" in Addition:
        "the best result of a mission is worse than the last attempt" => "the game writes no such result, and replaces it after the next attempt",
        "zipper-saves.md, section 5.2 (engine)";
    AMMUNITION = "plane-ammunition" in Addition:
        "a gun has the ammunition of no gun, or no gun has other ammunition" => "the game writes no such plane",
        "zipper-saves.md, section 5.3 (measured)";
    ORDNANCE = "plane-ordnance" in Addition:
        "a pylon past the hardpoints of its wing has ordnance" => "the game writes no such plane",
        "zipper-saves.md, section 5.3 (measured)";
}

/// Returns the steps to a part of a plane.
fn plane(index: usize, more: &[Step]) -> Vec<Step> {
    [&[Step::Name("planes"), Step::Index(wide(index))], more].concat()
}

impl Lint for UiData {
    fn lint(&self, out: &mut Warnings<'_>) {
        for (index, it) in self.planes.iter().enumerate().filter(|(_, it)| it.owned.get() != 0) {
            guns(out, index, it);
            pylons(out, index, it);
        }
        for (index, [last, best]) in self.results.iter().enumerate() {
            if let Some(worse) = worse(last, best) {
                out.warn(&RESULT, &[Step::Name("results"), Step::Index(wide(index)), Step::Index(1)], worse);
            }
        }
    }

    fn watch(&self, out: &mut Watch<'_>) {
        for (index, it) in self.planes.iter().enumerate() {
            out.watch_fields(&IGNORED, &plane(index, &[]), it, &["color_rgb"]);
        }
    }
}

impl Lint for PlayerVehicle {
    /// Reports the value of what lasts from mission to mission, which the game writes but does not read.
    fn watch(&self, out: &mut Watch<'_>) {
        out.watch_fields(&IGNORED, &[], self, &["value"]);
    }
}

fn guns(out: &mut Warnings<'_>, index: usize, it: &Plane) {
    for (slot, (gun, ammunition)) in it.guns.iter().zip(&it.ammunition).enumerate() {
        if (*gun == Gun::NONE) != (*ammunition == Ammunition::NO_GUN) {
            let place = plane(index, &[Step::Name("ammunition"), Step::Index(wide(slot))]);
            out.warn(&AMMUNITION, &place, format!("{gun:?}, {ammunition:?}"));
        }
    }
}

fn pylons(out: &mut Warnings<'_>, index: usize, it: &Plane) {
    for (wing, (points, pylons)) in it.hardpoints.iter().zip(it.ordnance.chunks(PYLONS)).enumerate() {
        let points = usize::try_from(points.get()).unwrap_or(0);
        for (at, ordnance) in pylons.iter().enumerate().skip(points).filter(|(_, it)| **it != Ordnance::NONE) {
            let pylon = wing * PYLONS + at;
            let place = plane(index, &[Step::Name("ordnance"), Step::Index(wide(pylon))]);
            out.warn(&ORDNANCE, &place, format!("{ordnance:?}, {points} hardpoints"));
        }
    }
}

/// The pylons of a wing.
const PYLONS: usize = 4;

/// Returns what of the best result is worse than in the last attempt, or `None`. The money of all attempts is added up, so that it does
/// not show that of the last.
fn worse(last: &MissionResult, best: &MissionResult) -> Option<&'static str> {
    let [old, new] = [last, best].map(|it| it.time.get());
    let is_slower = old > 0 && (new <= 0 || new > old);
    let is_fewer = |of: fn(&MissionResult) -> &ByAirframe| {
        let [last, best] = [last, best].map(|it| field::bytes_of(of(it)));
        last.iter().zip(best).any(|(last, best)| best < last)
    };
    // The hits of a shot, compared without a division.
    let share =
        |hits: &MissionResult, shots: &MissionResult| u32::from(hits.gun_hits.get()) * u32::from(shots.gun_shots.get());
    let rules = [
        (!best.objectives.contains(last.objectives), "objectives"),
        (is_slower, "time"),
        (is_fewer(|it| &it.kills), "kills"),
        (is_fewer(|it| &it.ace_kills), "ace_kills"),
        (last.gun_shots.get() > 0 && share(best, last) < share(last, best), "gun_hits"),
    ];
    rules.into_iter().find_map(|(is_worse, what)| is_worse.then_some(what))
}
