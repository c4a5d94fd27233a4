//! The payloads of events. Source: zipper-anim-events.md.

use super::Game::{self, CrimsonSkies, MechWarrior3, PiratesMoon, Recoil};
use super::{Event, Frame};
use crate::bytes::{Bytes, field};
use crate::random::Random;

/// Returns the types with known payloads, by game. Source: section 0.4.
pub fn kinds(game: Game) -> Vec<u8> {
    let kinds = 1..=47;
    let known = |kind: &u8| match kind {
        29 | 40 | 43..=45 => false,
        3 => game != CrimsonSkies,
        37 | 39 => game != MechWarrior3,
        38 => game == Recoil,
        42 => game != Recoil,
        46 | 47 => game == CrimsonSkies,
        _ => true,
    };
    kinds.filter(known).collect()
}

/// Returns `true` if only a definition with callbacks may contain the event.
pub fn is_callback(event: &Event) -> bool {
    event.kind == 35
}

/// Returns a typical event.
pub fn event(game: Game, kind: u8, random: &mut Random) -> Event {
    let (start, time) = match random.below(3) {
        0 => (1, 0.0),
        1 => (2, random.real(0.0, 5.0)),
        _ => (3, random.one_of(&[-0.0, 0.25])),
    };
    Event { kind, start, pad: 0, size: None, time: time.to_bits(), payload: payload(game, kind, random) }
}

/// Computes a rate. Source: section 0.3, rule A.
pub fn delta(from: f32, to: f32, run_time: f32) -> f32 {
    if to == from || run_time == 0.0 { 0.0 } else { (to - from) / run_time }
}

/// Writes payloads.
struct Pen<'r> {
    out: Bytes,
    random: &'r mut Random,
}

impl Pen<'_> {
    /// Appends words.
    fn words<const N: usize>(&mut self, words: [i32; N]) -> &mut Self {
        words.iter().for_each(|&word| _ = self.out.le_i32(word));
        self
    }

    /// Appends half words.
    fn halves<const N: usize>(&mut self, halves: [i16; N]) -> &mut Self {
        halves.iter().for_each(|&half| _ = self.out.le_i16(half));
        self
    }

    /// Appends floats.
    fn floats<const N: usize>(&mut self, floats: [f32; N]) -> &mut Self {
        floats.iter().for_each(|float| _ = self.out.le_u32(float.to_bits()));
        self
    }

    /// Appends a zero-padded name.
    fn name(&mut self, name: &[u8]) -> &mut Self {
        self.out.raw(&field::<32>(name, b""));
        self
    }

    /// Appends this many floats, or zeros if their flag is not set.
    fn reals(&mut self, on: bool, count: usize, low: f32, high: f32) -> &mut Self {
        for _ in 0..count {
            let real = if on { self.random.real(low, high) } else { 0.0 };
            self.floats([real]);
        }
        self
    }

    /// Appends a word of 0 or 1, or 0 if its flag is not set.
    fn choice(&mut self, on: bool) -> &mut Self {
        let choice = if on { self.random.between(0, 1) } else { 0 };
        self.words([choice])
    }

    /// Appends this many initial values, final values and rates.
    fn change(&mut self, on: bool, count: usize, run_time: f32) -> &mut Self {
        let (mut from, mut to) = (vec![0.0; count], vec![0.0; count]);
        if on {
            from.iter_mut().chain(&mut to).for_each(|value| *value = self.random.real(-4.0, 4.0));
        }
        let rates: Vec<f32> = from.iter().zip(&to).map(|(&from, &to)| delta(from, to, run_time)).collect();
        from.iter().chain(&to).chain(&rates).for_each(|&value| _ = self.floats([value]));
        self
    }

    /// Returns random bits of a mask.
    fn flags(&mut self, mask: u32) -> u32 {
        self.random.draw() as u32 & mask
    }

    /// Returns a random bit of each mask, or none.
    fn one_each(&mut self, masks: &[u32]) -> u32 {
        let one = |mask: &u32| {
            let bits: Vec<u32> = (0..32).map(|bit| 1 << bit).filter(|bit| mask & bit != 0).chain([0]).collect();
            self.random.one_of(&bits)
        };
        masks.iter().map(one).sum()
    }
}

/// Returns a typical payload. The arrays are those of an ordinary definition: every index is 1.
pub fn payload(game: Game, kind: u8, random: &mut Random) -> Vec<u8> {
    let mut pen = Pen { out: Bytes::new(), random };
    let on = |flags: u32, bit: u32| flags & bit != 0;
    match kind {
        // Only Recoil has effects.
        3 if game != Recoil => _ = pen.halves([0, 1]).reals(true, 3, -9.0, 9.0),
        1 | 3 => _ = pen.halves([1, 1]).reals(true, 3, -9.0, 9.0),
        2 => _ = pen.name(b"engine").words([1, 3, 1, 1]).reals(true, 3, -9.0, 9.0),
        4 => light_state(game, &mut pen),
        5 => {
            pen.name(b"lamp").words([1]).floats([0.5, 2.0]).floats([0.0; 4]).reals(true, 3, -5.0, 5.0);
            pen.floats([0.0; 6]).floats([1.5]);
        }
        6 => {
            let node = pen.random.one_of(&[1, -100]);
            pen.words([1]).halves([node, 0]);
        }
        7 => _ = pen.choice(true).reals(true, 3, -90.0, 90.0).halves([1, -200]),
        8 => _ = pen.reals(true, 3, 0.1, 3.0).words([1]),
        9 => _ = pen.words([2]).reals(true, 3, -3.0, 3.0).halves([1, -200]),
        10 => object_motion(game, &mut pen),
        11 => {
            let (flags, time) = (pen.flags(0xF), pen.random.real(0.1, 4.0));
            pen.words([flags as i32, 1]).change(on(flags, 8), 1, time);
            [1, 2, 4].iter().for_each(|&bit| _ = pen.change(on(flags, bit), 3, time));
            pen.floats([time]);
        }
        12 => si_script(game, &mut pen),
        13 => _ = pen.halves([1, 1]).reals(true, 1, 0.0, 1.0).halves([1, 0]),
        14 => {
            let (from, to) = (pen.random.real(0.0, 1.0), pen.random.real(0.0, 1.0));
            pen.words([1]).halves([1, -1]).floats([from, to, delta(from, to, 0.75), 0.75]);
        }
        15 | 16 => _ = pen.halves([1, 1]),
        17 => _ = pen.words([1]).halves([1, 3]),
        18 => connector(&mut pen),
        19 => {
            let flags = pen.one_each(&[0x00F, 0x030, 0x340, 0xC00]);
            pen.words([flags as i32]).name(b"spark").halves([0, 0]);
            pen.halves([on(flags, 0x3).into(), on(flags, 0x40).into()]);
            pen.reals(on(flags, 0x10), 3, -9.0, 9.0).reals(on(flags, 0x400), 3, -9.0, 9.0);
        }
        20 => {
            let flags = pen.flags(0x7F);
            pen.words([flags as i32, 1]);
            (0..7).for_each(|bit| _ = pen.reals(on(flags, 1 << bit), 1, 0.1, 900.0));
        }
        21 => {
            let (flags, time) = (pen.flags(0x7F), 2.5);
            pen.words([flags as i32, 1]);
            (0..7).for_each(|bit| _ = pen.change(on(flags, 1 << bit), 1, time));
            pen.floats([time]);
        }
        22 | 23 => _ = pen.name(b"open").words([-1]),
        24 => {
            let flags = pen.random.one_of(&[0, 1, 3, 8, 0xA, 0x10, 0x15]);
            let wait = if on(flags, 0x10) { 0 } else { -1 };
            pen.name(b"spark").halves([1, flags as i16, 0, wait, on(flags, 9).into(), 0]);
            pen.reals(on(flags, 2), 3, -9.0, 9.0).reals(on(flags, 4), 3, -9.0, 9.0);
        }
        25 => _ = pen.name(b"spark").halves(game.of([0; 2], [0; 2], [-1; 2], [-1; 2])),
        26 | 27 => _ = pen.name(b"spark").words([0]),
        28 => {
            let flags = pen.flags(0xF);
            pen.name(b"default_fog_name").words([flags as i32, if on(flags, 1) { 2 } else { 1 }]);
            pen.reals(on(flags, 2), 3, 0.0, 1.0).reals(on(flags, 4), 2, -90.0, 90.0);
            if on(flags, 8) {
                pen.floats([10.0, 900.0])
            } else {
                pen.floats([0.0; 2])
            };
        }
        30 if pen.random.below(2) == 0 => _ = pen.words([1]).halves([-1, 0]),
        30 => _ = pen.words([2]).floats([4.5]),
        31 | 33 => condition(game, &mut pen),
        32 | 34 => {}
        35 => _ = pen.words([7]),
        36 => {
            (0..4).for_each(|_| _ = pen.change(true, 1, 0.3));
            pen.floats([0.3]);
        }
        37 => wave(&mut pen),
        38 => _ = pen.words([-1]),
        39 => _ = pen.choice(true),
        41 => {
            pen.out.raw(&field::<10>(b"missile", b""));
            pen.halves([-200]).reals(true, 3, -9.0, 9.0);
        }
        42 => puffer_state(game, &mut pen),
        46 => _ = pen.out.raw(&pen.random.garbage(176)),
        47 => {
            pen.words([2]);
            for slot in 0..2 {
                pen.out.u8(12).u8(1).le_u16(0).le_u32(76).le_u32(0).le_u32(0).le_i32(1).le_u32(slot).fill(0, 52);
            }
        }
        _ => unreachable!("no type of these games"),
    }
    pen.out.finish()
}

/// Appends the payload of a light state. Source: section 4.
fn light_state(game: Game, pen: &mut Pen<'_>) {
    let flags = pen.flags(game.of(0x1FF, 0x7FF, 0x3FFF, 0x3FFF));
    let on = |bit: u32| flags & bit != 0;
    pen.name(b"lamp").words([1, flags as i32, 1, 1]).choice(on(0x80)).choice(on(0x100));
    if game != Recoil {
        pen.choice(on(0x200));
    }
    if game.newer() {
        pen.choice(on(0x2000));
    }
    if game != Recoil {
        pen.choice(on(0x400));
    }
    if game.newer() {
        pen.choice(on(0x1000));
    }
    pen.words([if on(2) { -200 } else { 0 }]).reals(on(3), 3, -9.0, 9.0).reals(on(4), 3, -3.0, 3.0);
    if on(8) {
        pen.floats([1.0, 60.0])
    } else {
        pen.floats([0.0; 2])
    };
    pen.reals(on(0x10), 3, 0.0, 1.0);
    if game.newer() {
        pen.reals(on(0x800), 3, 0.0, 1.0);
    }
    pen.reals(on(0x20), 1, 0.0, 1.0).reals(on(0x40), 1, 0.0, 1.0);
}

/// Appends the payload of an object motion. Source: section 10.
fn object_motion(game: Game, pen: &mut Pen<'_>) {
    let range = pen.random.one_of(&[0, 0x18]);
    let forward = pen.random.one_of(&[0, 0x40, 0x80]);
    let flags = range | forward | pen.flags(0x1F27);
    let on = |bit: u32| flags & bit != 0;
    pen.words([flags as i32]).halves([1, 0]).floats([0.0]);
    pen.floats([if on(1) { -9.8 } else { 0.0 }]).reals(on(0x200), 1, 0.0, 1.0).reals(on(0x18), 8, -90.0, 90.0);
    pen.reals(on(4), 6, -9.0, 9.0).floats([0.0; 6]).reals(on(4), 3, -1.0, 1.0);
    pen.reals(on(0xC0), 1, -3.0, 3.0).reals(on(0x80), 1, -3.0, 3.0).floats([0.0]);
    pen.reals(on(0x20), 6, -3.0, 3.0).floats([0.0; 3]).reals(on(0x100), 6, -1.0, 1.0).floats([0.0; 3]);
    for surface in 0..if game == Recoil { 1 } else { 3 } {
        pen.name(if on(0x800) && surface < 2 { b"bounce" } else { b"" });
        let index = if game == Recoil && !on(0x800) { 0 } else { -1 };
        let sound = on(0x1000) && surface != 1;
        pen.halves([index, sound.into()]).reals(sound, 1, 1.0, 20.0);
    }
    pen.reals(on(0x400), 1, 0.5, 9.0);
}

/// Appends the payload of a script. Source: section 12.
fn si_script(game: Game, pen: &mut Pen<'_>) {
    match game {
        Recoil | MechWarrior3 => {
            old_script(game, 3, pen);
        }
        PiratesMoon => _ = pen.words([1, 0]).out.fill(0, 16),
        CrimsonSkies => _ = pen.words([0, 1, 0]).out.fill(0, 52),
    }
}

/// Appends the payload of a script of the older games with this many frames.
fn old_script(game: Game, frames: usize, pen: &mut Pen<'_>) {
    let flags = [7, 0, 5].into_iter().cycle().take(frames);
    let frames: Vec<_> = flags.map(|flags| frame(game, flags, pen.random)).collect();
    pen.words([1, frames.len() as i32]).out.fill(0, game.of(12, 16, 0, 0));
    pen.out.raw(&super::frames(&frames));
}

/// Returns an event of Recoil or MechWarrior 3 with a script of this many frames. Source: section 12.
pub fn scripted(game: Game, frames: usize, random: &mut Random) -> Event {
    let mut pen = Pen { out: Bytes::new(), random };
    old_script(game, frames, &mut pen);
    Event { kind: 12, start: 1, payload: pen.out.finish(), ..<_>::default() }
}

/// Returns a frame with the blocks specified by its flags. Source: zipper-anim.md, section 14.3.
pub fn frame(game: Game, flags: u32, random: &mut Random) -> Frame {
    let mut pen = Pen { out: Bytes::new(), random };
    for bit in [1, 2, 4] {
        if flags & bit == 0 {
            continue;
        }
        pen.reals(true, 3, -1.0, 1.0);
        match bit {
            2 => _ = pen.floats([0.5]),
            _ => _ = pen.out.raw(&pen.random.garbage(4)),
        }
        pen.reals(true, 3, -1.0, 1.0);
        if game != Recoil {
            pen.reals(true, 12, -1.0, 1.0);
        }
    }
    Frame { flags, times: [0.0f32.to_bits(), 1.5f32.to_bits()], blocks: pen.out.finish() }
}

/// Appends the payload of a connector. Source: section 18.
fn connector(pen: &mut Pen<'_>) {
    let flags = pen.one_each(&[0x3, 0x18, 0x60, 0x300, 0xC00, 0x3000, 0x8000]);
    let on = |bit: u32| flags & bit != 0;
    pen.words([flags as i32]).halves([1, on(1).into(), on(0x20).into(), 0]);
    pen.reals(on(8), 3, -9.0, 9.0).reals(on(0x100), 3, -9.0, 9.0);
    for (one, range, default) in [(0x400, 0x800, 0.0), (0x1000, 0x2000, 1.0)] {
        let ends = match (on(one), on(range)) {
            (true, _) => [0.5, 0.5],
            (_, true) => [0.25, 0.75],
            _ => [default; 2],
        };
        pen.floats(ends).floats([delta(ends[0], ends[1], 0.5), 0.0]);
    }
    pen.floats([0.5, if on(0x8000) { 30.0 } else { 0.0 }]);
}

/// Appends the payload of a condition. Source: section 31.
fn condition(game: Game, pen: &mut Pen<'_>) {
    let conditions: &[u32] = match game {
        CrimsonSkies => &[0x1, 0x2, 0x4, 0x10, 0x20, 0x40, 0x100, 0x800, 0x1000, 0x2000],
        _ => &[0x1, 0x2, 0x4, 0x10, 0x20, 0x40],
    };
    let mask = pen.random.one_of(conditions);
    pen.words([mask as i32, if matches!(mask, 0x10 | 0x100 | 0x2000) { 1 } else { 0 }]);
    match mask {
        0x4 | 0x20 | 0x40 => pen.words([1]),
        0x2000 => pen.words([0]),
        _ => pen.floats([0.75]),
    };
    if game.newer() {
        pen.floats([if mask == 0x1000 { 0.9 } else { 0.0 }]);
    }
}

/// Appends the payload of a sine wave. Source: section 37.
fn wave(pen: &mut Pen<'_>) {
    let (flags, time) = (pen.flags(0xF), 3.0);
    let on = |bit: u32| flags & bit != 0;
    pen.halves([flags as i16, on(2).into()]).reals(on(2), 3, -9.0, 9.0);
    pen.change(on(1), 1, time).change(on(1), 1, time).reals(on(8), 2, 0.0, 90.0).change(on(4), 1, time);
    (0..3).for_each(|_| _ = pen.change(true, 1, time));
    pen.floats([time]);
}

/// Appends the payload of a puffer state. Source: section 42.
fn puffer_state(game: Game, pen: &mut Pen<'_>) {
    let flags = match pen.random.below(8) {
        0 => 0,
        _ => 4 | pen.flags(if game == MechWarrior3 { 0x5FFFFF } else { 0x7FFFFF }),
    };
    let on = |bit: u32| flags & bit != 0;
    let active = if on(4) { pen.random.between(0, 10) } else { 0 };
    pen.name(b"smoke").words([1, flags as i32, if on(2) { 1 } else { -1 }, active]);
    for bit in [0x1, 0x8, 0x10, 0x20, 0x40, 0x10000] {
        pen.reals(on(bit), 3, -9.0, 9.0);
    }
    pen.choice(on(0x80)).floats([0.125]);
    for bit in [0x200, 0x400, 0x8000] {
        if on(bit) {
            pen.floats([0.5, 2.5])
        } else {
            pen.floats([0.0; 2])
        };
    }
    pen.reals(on(0x800), 1, 0.5, 2.0).reals(on(0x80000), 2, 0.0, 9.0);
    if on(0x1000) {
        pen.floats([100.0, 300.0])
    } else {
        pen.floats([0.0; 2])
    };
    pen.reals(on(0x20000), 1, 0.0, 1.0).reals(on(0x100000), 1, 0.0, 1.0).reals(on(0x400000), 1, 0.0, 9.0);
    if game != MechWarrior3 {
        pen.words([if on(0x200000) { 12 } else { 0 }]);
    }
    pen.words([on(0x4000).into()]);
    for slot in 0..6 {
        let used = on(0x4000) && slot < 2;
        pen.reals(used, 1, 0.0, 1.0).name(if used { b"smoke1" } else { b"" });
    }
    pen.words([if on(0x40000) { 3 } else { 0 }]);
    (0..6).for_each(|slot| _ = pen.reals(on(0x40000) && slot < 3, 5, 0.0, 1.0));
    pen.words([if on(0x2000) { 2 } else { 0 }]);
    (0..6).for_each(|slot| _ = pen.reals(on(0x2000) && slot < 2, 2, 0.0, 4.0));
}

#[cfg(test)]
mod tests {
    use super::super::Game;
    use super::{delta, kinds, payload};
    use crate::random::Random;

    /// Source: section 0.4; events with frames or records have those of the builder.
    #[test]
    fn payloads_have_the_sizes_of_the_table() {
        let sizes = |kind| match kind {
            1 | 3 | 8 => [16; 4],
            2 => [60; 4],
            4 => [112, 120, 140, 140],
            5 | 37 => [100; 4],
            6 | 17 | 30 => [8; 4],
            7 | 9 => [20; 4],
            10 => [240, 320, 320, 320],
            11 => [132; 4],
            12 => [20 + 3 * 12 + 5 * 28, 24 + 3 * 12 + 5 * 76, 24, 64],
            13 => [12; 4],
            14 | 41 => [24; 4],
            15 | 16 | 35 | 38 | 39 => [4; 4],
            18 => [76; 4],
            19 | 24 | 28 => [68; 4],
            20 | 22 | 23 | 25..=27 => [36; 4],
            21 => [96; 4],
            31 | 33 => [12, 12, 16, 16],
            32 | 34 => [0; 4],
            36 => [52; 4],
            42 => [0, 580, 584, 584],
            46 => [176; 4],
            47 => [4 + 2 * 76; 4],
            other => panic!("no size for {other}"),
        };
        for (game, at) in Game::ALL.into_iter().zip(0..) {
            for kind in kinds(game) {
                for seed in 0..20 {
                    let length = payload(game, kind, &mut Random::new(seed)).len();
                    assert_eq!(length, sizes(kind)[at], "{kind} in {}", game.code());
                }
            }
        }
    }

    /// Source: section 0.3. The three public outliers differ from the computed values.
    #[test]
    fn rule_does_not_match_the_three_outliers() {
        let stored = [(0.32f32, 0.75f32, 0x3EDA_740E), (-0.32, 1.5, 0xBE5A_740E), (-0.3, 0.3, 0xBF7F_FFFF)];
        for (difference, run_time, bits) in stored {
            // Rule B: the numbers as written, divided by the run time as stored.
            let written: f64 = format!("{difference}").parse().expect("a number");
            assert_eq!(((written / f64::from(run_time)) as f32).to_bits(), bits);
        }
        assert_eq!(delta(0.3, 0.0, 0.3).to_bits(), (-1.0f32).to_bits());
    }
}
