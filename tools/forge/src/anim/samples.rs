//! Ordinary files, and those of the format spec.

use super::Game::{self, CrimsonSkies, MechWarrior3, PiratesMoon, Recoil};
use super::elements::{
    anim_ref, animation_prerequisite, component, effect, light, node, node_name, object, object_prerequisite,
    static_sound, zero,
};
use super::events::{event, frame, is_callback, kinds};
use super::{Definition, Event, GRAVITY, SIGNATURE, Script, Sequence, Spec, build, traps};
use crate::bytes::field;
use crate::random::Random;
use crate::{Sample, Size};

const TIME: u32 = 967_248_000;

/// Returns a file of the zero record alone. Source: zipper-anim.md, section 7.
pub fn zero_only(game: Game) -> Spec {
    Spec {
        game,
        signature: SIGNATURE,
        version: None,
        time: TIME,
        base_count: None,
        bases: vec![],
        source_count: None,
        sources: vec![],
        def_count: None,
        script_count: None,
        msg_count: None,
        gravity: GRAVITY,
        player: 0,
        info_patches: vec![],
        definitions: vec![zero_record(game)],
        messages: vec![],
        scripts: vec![],
        tail: vec![],
    }
}

fn zero_record(game: Game) -> Definition {
    let node = if game.newer() { u32::MAX } else { 0 };
    let name: &[u8] = if game == CrimsonSkies { b"reserved_anim_0" } else { b"" };
    Definition {
        anim_name: field(name, b""),
        anim_ptr: node,
        anim_root_ptr: node,
        bytes: [0, 3, 0, 0],
        ..<_>::default()
    }
}

/// Returns a definition with only a name.
fn bare(game: Game, name: &[u8]) -> Definition {
    let node = game.of(0x0280_0010, 0x0280_0010, u32::MAX, 5);
    Definition {
        anim_name: field(&[b"open_", name].concat(), b""),
        name: field(name, b""),
        anim_root_name: field(name, b""),
        anim_ptr: node,
        anim_root_ptr: node,
        bytes: [0, 3, 4, 2],
        reset_time: (-1.0f32).to_bits(),
        max_health: 100.0f32.to_bits(),
        seq_defs_ptr: 0x0200_0030,
        ..<_>::default()
    }
}

/// Returns the worked files. Source: zipper-anim.md, section 21; the script requires a pool.
pub fn worked(game: Game, script: bool) -> Spec {
    let mut spec = zero_only(game);
    spec.player = if game == CrimsonSkies { 1 } else { 0 };
    if game == CrimsonSkies {
        spec.bases = vec![(field(b"zbd\\c1\\gamez.zbd", b""), TIME), (field(b"zbd\\planes.zbd", b""), TIME)];
    }
    spec.sources = vec![(field(b"mis_anim.zrd", b""), TIME), (field(b"door.zrd", b""), TIME)];
    let mut door = bare(game, b"door");
    door.flags = 0x10;
    let nothing = &mut Random::new(0);
    let mut node = node(game, field(b"door", b""), nothing);
    match game {
        Recoil | MechWarrior3 => {}
        PiratesMoon => node[..4].fill(0),
        CrimsonSkies => {
            node[..4].fill(0);
            node[40..].copy_from_slice(&5u32.to_le_bytes());
        }
    }
    let size = game.of(40, 40, 44, 44);
    door.nodes = vec![zero(size, game.newer().then_some(40)), node];
    // The pointer to the nodes is that of the format spec, regardless of the parts before it.
    door.patches = vec![(game.pointers() + 4, 0x0200_0040u32.to_le_bytes().into())];
    let active = [1u32.to_le_bytes(), [1, 0, 0, 0]].concat();
    let events = vec![
        Event { kind: 6, start: 1, payload: active, ..<_>::default() },
        Event { kind: 35, start: 2, time: 1.0f32.to_bits(), payload: 7u32.to_le_bytes().into(), ..<_>::default() },
    ];
    door.sequences = vec![Sequence { name: field(b"open", b""), events, ..<_>::default() }];
    if script {
        door.script_ids = if game == CrimsonSkies { vec![0] } else { vec![] };
        let mut frame = frame(game, 1, nothing);
        frame.times = [0, 1.0f32.to_bits()];
        frame.blocks.fill(0);
        let (name, object) = (b"a.zan\0".into(), b"door\0".into());
        spec.scripts = vec![Script { name, object, frames: vec![frame], ..<_>::default() }];
    }
    spec.definitions.push(door);
    spec
}

/// Returns a typical file, with definitions besides the zero record, and with events of random types in each; the first definition has an
/// event of every type.
pub fn ordinary(game: Game, random: &mut Random, size: Size) -> Spec {
    counted(
        game,
        random,
        match size {
            Size::Tiny => Extent { definitions: 1, events: 2, scripts: 2, frames: 4 },
            Size::Small => Extent { definitions: 4, events: 9, scripts: 2, frames: 4 },
            Size::Retail => retail(game),
        },
    )
}

/// The numbers of items in a file.
#[derive(Clone, Copy)]
pub struct Extent {
    /// Definitions besides the zero record.
    pub definitions: u32,
    /// Events of the first sequence of each, besides those of other sequences.
    pub events: u32,
    /// Scripts, in the newer games.
    pub scripts: u32,
    /// Frames of each.
    pub frames: usize,
}

/// Returns the numbers of a large retail file. Source: vectors-cs.md, section 3: 573 records in `C1C/M01/mis_anim.zbd`, 48 scripts in
/// C1, 16 events a record, 71 frames a script; vectors-rc-mw-pm.md, section 4: at most 819 definitions.
pub fn retail(game: Game) -> Extent {
    let definitions = match game {
        Recoil => 819,
        _ => 573,
    };
    Extent { definitions: definitions - 1, events: 13, scripts: 48, frames: 71 }
}

/// Returns a typical file with these numbers of items.
pub fn counted(game: Game, random: &mut Random, extent: Extent) -> Spec {
    let mut spec = worked(game, game.newer());
    spec.definitions.truncate(1);
    spec.definitions.extend((0..extent.definitions).map(|at| definition(game, at, extent.events, random)));
    if extent.definitions > 1 {
        let [_, first, ..] = &mut spec.definitions[..] else { unreachable!("there are definitions") };
        every_type(game, first, random);
        spec.sources.push((field(b"..\\data\\common\\zrdr\\commonAnim.zrd", &random.garbage(20)), TIME + 1));
    }
    if game.newer() {
        spec.scripts = (0..extent.scripts).map(|at| script(game, at, extent.frames, random)).collect();
    }
    spec
}

/// Adds a sequence with an event of every type to a definition.
fn every_type(game: Game, definition: &mut Definition, random: &mut Random) {
    let events = kinds(game).into_iter().map(|kind| event(game, kind, random)).collect();
    definition.flags |= 0x10;
    definition.sequences.push(Sequence { name: field(b"every_type", b""), states: [3, 0], events, ..<_>::default() });
}

/// Returns a definition with an element in every array.
fn definition(game: Game, at: u32, events: u32, random: &mut Random) -> Definition {
    let mut it = bare(game, format!("door{at}").as_bytes());
    let node_at = game.newer();
    let with_zero =
        |size, node_field: usize, element: Vec<u8>| vec![zero(size, node_at.then_some(node_field)), element];
    it.objects = with_zero(game.of(96, 96, 92, 92), 36, object(game, node_name(b"hinge"), random));
    it.nodes = with_zero(game.of(40, 40, 44, 44), 40, node(game, node_name(b"hinge"), random));
    it.lights = vec![zero(44, None), light(node_name(b"lamp"), 0)];
    if game != Recoil {
        it.puffers = vec![zero(44, None), light(field(b"smoke", b""), random.one_of(&[0, 0x0200_0000, 0xFF00_0000]))];
    }
    it.dynamic_sounds = vec![zero(44, None), light(node_name(b"engine"), 0)];
    it.static_sounds = vec![zero(game.of(36, 36, 36, 40), None), static_sound(game, b"creak", random)];
    if game == Recoil {
        it.effects = vec![zero(36, None), effect(b"dust", 3)];
    }
    it.prerequisites = vec![
        animation_prerequisite(1, b"unlock"),
        object_prerequisite(game, 3, game.of(0, 0, 2, 2), b"house"),
        object_prerequisite(game, 2, game.of(1, 1, 3, 3), b"door"),
    ];
    it.prerequisites_min = 1;
    it.anim_refs = vec![anim_ref(0, b"spark", b"left over"), anim_ref(1, b"spark", b"left")];
    if game == CrimsonSkies {
        it.node_path = vec![component(b"house"), component(b"door")];
        it.script_ids = vec![0, 1];
        let adjust = event(game, 46, random);
        it.damage = Some(Sequence { name: field(b"DAMAGE_SEQUENCE", b""), events: vec![adjust], ..<_>::default() });
    }
    let known = kinds(game);
    let mut sequence = |name: &str, states, count| Sequence {
        name: field(name.as_bytes(), b""),
        states,
        events: (0..count).map(|_| event(game, random.one_of(&known), random)).collect(),
        ..<_>::default()
    };
    if at % 2 == 1 {
        it.reset = Some(sequence("RESET_SEQUENCE", [0, 0], 1));
    }
    it.sequences = (0..1 + at % 3).map(|at| sequence(&format!("open{at}"), [0, 3], 1 + events / (at + 1))).collect();
    recompute_callbacks(&mut it);
    it
}

/// Updates the flag of callbacks.
pub(super) fn recompute_callbacks(it: &mut Definition) {
    let sequences = it.reset.iter().chain(&it.damage).chain(&it.sequences);
    let calls = sequences.flat_map(|it| &it.events).any(is_callback);
    it.flags = it.flags & !0x10 | if calls { 0x10 } else { 0 };
}

fn script(game: Game, at: u32, frames: usize, random: &mut Random) -> Script {
    Script {
        name: format!("door{at}.zan\0").into(),
        object: b"hinge\0".into(),
        spline: at % 2,
        frames: [7, 0, 1, 6].into_iter().cycle().take(frames).map(|flags| frame(game, flags, random)).collect(),
        ..<_>::default()
    }
}

/// Returns the games that a file can belong to.
pub(super) fn games(game: Game) -> &'static [&'static str] {
    match game {
        Recoil => &["rc"],
        MechWarrior3 => &["mw"],
        PiratesMoon => &["pm"],
        CrimsonSkies => &["cs"],
    }
}

/// Returns files of a size class, including files with traps.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: String, spec: &Spec| Sample {
        name,
        kind: "anim",
        games: games(spec.game),
        bytes: build(spec),
        trap: None,
        deviates: false,
    };
    let plain = [("rc_m1_anim.zbd", Recoil), ("mw_c1_anim.zbd", MechWarrior3), ("pm_c1_anim.zbd", PiratesMoon)];
    let crimson = [("cs_c1_cam_anim.zbd", CrimsonSkies), ("cs_c1_m01_mis_anim.zbd", CrimsonSkies)];
    let plain = plain.into_iter().chain(crimson).map(|(name, game)| {
        let spec = ordinary(game, &mut Random::named(seed, name), size);
        sample(name.into(), &spec)
    });
    let others = Game::ALL.into_iter().flat_map(|game| {
        let name = |word: &str| format!("{}_{word}_anim.zbd", game.code());
        let mut every = zero_only(game);
        let random = &mut Random::named(seed, &name("every_type"));
        every.definitions.push(definition(game, 0, 0, random));
        every_type(game, &mut every.definitions[1], random);
        every.scripts =
            if game.newer() { vec![script(game, 0, 4, random), script(game, 1, 4, random)] } else { vec![] };
        [
            sample(name("zero_record"), &zero_only(game)),
            sample(name("worked"), &worked(game, false)),
            sample(name("every_type"), &every),
        ]
    });
    plain.chain(others).chain(traps::traps(seed, size.of_traps())).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Game::{self, CrimsonSkies, MechWarrior3, PiratesMoon, Recoil};
    use super::{worked, zero_only};
    use crate::anim::{Sequence, build, elements};
    use crate::bytes::field;
    use sha2::{Digest, Sha256};

    fn digest(bytes: &[u8]) -> String {
        Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Source: zipper-anim.md, section 21.
    #[test]
    fn worked_examples_are_built() {
        let plain = build(&worked(CrimsonSkies, false));
        assert_eq!(plain.len(), 1288);
        assert_eq!(digest(&plain), "960a4684a0ae7254319ae8862902ca0121c1bb80261aed59bcc565ceaf5ce31b");
        let scripted = build(&worked(CrimsonSkies, true));
        assert_eq!(scripted.len(), 1419);
        assert_eq!(digest(&scripted), "2a1986e6c48e83dad6ebbe0f688253846a5710f8c69eeb1f193e6c8ab80d9ec0");
        let lengths = [Recoil, MechWarrior3, PiratesMoon].map(|game| build(&worked(game, false)).len());
        assert_eq!(lengths, [1164, 1188, 1016]);
        assert_eq!(build(&worked(PiratesMoon, true)).len(), 1143);
    }

    /// Source: zipper-anim.md, sections 4, 7 and 8.
    #[test]
    fn published_sizes_are_built() {
        let mut crimson = zero_only(CrimsonSkies);
        assert_eq!(Game::ALL.map(|game| build(&zero_only(game)).len()), [444, 460, 392, 396]);
        crimson.bases = vec![([0; 128], 0); 2];
        assert_eq!(build(&crimson).len(), 660);
        for (rows, info) in [(91, 7924), (134, 11_536), (170, 14_560)] {
            crimson.sources = vec![([0; 80], 0); rows];
            assert_eq!(build(&crimson).len(), info + 108 + 272);
        }
        let before = build(&crimson).len();
        let mut zeppelin = crimson.definitions[0].clone();
        zeppelin.objects = vec![elements::zero(92, None); 2];
        zeppelin.nodes = vec![elements::zero(44, None); 2];
        zeppelin.sequences = vec![Sequence { name: field(b"place", b""), rest: vec![0; 64], ..<_>::default() }];
        crimson.definitions.push(zeppelin);
        assert_eq!(build(&crimson).len(), before + 672);
    }
}
