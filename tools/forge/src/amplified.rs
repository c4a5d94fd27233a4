//! Files with the largest models for their size: as many of the smallest records as possible.
//!
//! They test memory budgets that depend only on the size of a file.

use crate::anim::{self, Game as Anim};
use crate::archive::{self, Content};
use crate::avi;
use crate::bytes::{Bytes, field};
use crate::gamez::{self, Game};
use crate::nwn::resources::{Bif, Erf, Key, build_bif, build_erf, build_key, resource};
use crate::nwn::{gff, tables};
use crate::random::Random;
use crate::sounds::{Definition, Sound};
use crate::{
    Sample, Size, applesingle, bm, film, interp, macbinary, mdl, mechlib, messages, motion, physics, picture, reader,
    resources, rof, shapes, sounds, texture, wad, wave, zmap,
};

/// Returns files of about this many bytes, at least one of every kind.
pub fn amplified(bytes: usize) -> Vec<Sample> {
    let file = |name: &str, kind, games, bytes| Sample {
        name: name.into(),
        kind,
        games,
        bytes,
        trap: Some("nothing but the smallest records"),
        deviates: false,
    };
    let zipper: &[&str] = &["rc", "mw", "pm", "cs"];
    let marathon: &[&str] = &["m1", "m2", "mi"];
    vec![
        file("features.zmap", "zmap", &["rc"], features(bytes / 11)),
        file("frames_rc_anim.zbd", "anim", &["rc"], frames(Anim::Recoil, bytes / 12)),
        file("frames_mw_anim.zbd", "anim", &["mw"], frames(Anim::MechWarrior3, bytes / 12)),
        file("frames_pm_anim.zbd", "anim", &["pm"], pool(bytes / 12)),
        file("events_rc_anim.zbd", "anim", &["rc"], events(Anim::Recoil, 34, bytes / 12)),
        file("unknown_cs_anim.zbd", "anim", &["cs"], events(Anim::CrimsonSkies, 99, bytes / 12)),
        file("slots_rc_gamez.zbd", "gamez", &["rc"], slots(Game::Rc, bytes)),
        file("slots_cs_gamez.zbd", "gamez", &["cs"], slots(Game::Cs, bytes)),
        file("polygons_mw_gamez.zbd", "gamez", &["mw"], polygons(Game::Mw, bytes / 48)),
        file("polygons_pm_gamez.zbd", "gamez", &["pm"], polygons(Game::Pm, bytes / 48)),
        file("empty_sounds.zbd", "archive", &["rc", "mw", "cs"], entries(bytes / 148, b"")),
        file("bytes_sounds.zbd", "archive", &["rc", "mw", "cs"], entries(bytes / 149, b"-")),
        file("lists_reader.zbd", "archive", &["rc", "mw", "cs"], archived(lists(bytes / 8))),
        file("mechlib.zbd", "archive", &["mw"], library(Game::Mw, bytes)),
        file("parts_motion.zbd", "archive", &["mw"], archived(parts(bytes / 12))),
        file("parts.motion", "motion", &["mw", "pm"], parts(bytes / 12)),
        file("lists.zrd", "reader", zipper, lists(bytes / 8)),
        file("nested.zrd", "reader", zipper, nested(bytes / 8, 1000)),
        file("words.zrd", "text-reader", zipper, words(bytes)),
        file("lines_interp.zbd", "interp", zipper, lines(bytes / 9)),
        file("counts_interp.zbd", "interp", zipper, miscounted(bytes / 9)),
        file("scripts_interp.zbd", "interp", zipper, scripts(bytes / 132)),
        file("messages.dll", "messages", &["rc"], texts(bytes / 64)),
        file("chunks.wav", "wave", zipper, chunks(bytes / 8)),
        file("chunks.avi", "avi", &["rc", "mw", "pm"], pieces(bytes / 8)),
        file("rtexture.zbd", "texture", zipper, images(bytes / 58)),
        file("shared_rtexture.zbd", "texture", zipper, shared_image(bytes / 40)),
        file("members.rof", "rof", &["cs"], members(bytes / 26)),
        file("pixels.bm", "bm", &["cs"], bm::ordinary(&mut Random::new(1), 512, (bytes / 2048) as u16)),
        file("chunks.scea", "wad", &["m2", "mi"], level(b"FULL", bytes / 16)),
        file("lines.scea", "wad", &["m2", "mi"], level_of(b"LINS", vec![0; bytes / 32 * 32])),
        file("texts.scea", "wad", &["m2", "mi"], level_of(b"NOTE", vec![0; bytes / 72 * 72])),
        file("drawing.scea", "wad", &["m2", "mi"], level_of(b"PICT", drawing(bytes))),
        file("chunks.bin", "macbinary", marathon, macbinary::build(&fork(bytes))),
        file("chunks.as", "applesingle", marathon, single(bytes)),
        file("blocks.phys", "physics", &["m1"], blocks(bytes / 12)),
        file("runs.fila", "film", marathon, runs(bytes / 6)),
        file("sounds.sndz", "sounds", &["m2", "mi"], definitions(bytes / 64)),
        file("permutations.sndz", "sounds", &["m2", "mi"], permutations(bytes / 22)),
        file("items.SnPa", "sounds-patch", &["m2", "mi"], patched_sounds(bytes / 72, 0)),
        file("permutations.SnPa", "sounds-patch", &["m2", "mi"], patched_sounds(4, bytes / 26 / 4)),
        file("pictures.imgA", "resources", marathon, pictures(bytes)),
        file("drawing.pct", "picture", marathon, later_drawing(bytes / 2)),
        file("frames.shps", "shapes", &["m2", "mi"], bitmaps(bytes)),
        file("shared.shps", "shapes", &["m2", "mi"], shared_frame(bytes)),
        file("items.shpa", "shapes-patch", &["m2", "mi"], items(bytes / 44)),
        file("blocks.shpa", "shapes-patch", &["m2", "mi"], empty_blocks(bytes / 12)),
        file("rows.mdl", "mdl", &["nwn"], rows(bytes / 4)),
        file("flares.mdl", "mdl", &["nwn"], shared_flare(bytes / 4, "")),
        // Sixteen of them take long to make, and would take sixteen times as much memory if each had its own copy.
        file("flare.mdl", "mdl", &["nwn"], shared_flare(16, &"x".repeat(bytes))),
        file("nodes.mdl", "mdl", &["nwn"], model(bytes / 112)),
        file("keys.hak", "erf", &["nwn"], empty_resources(bytes / 32)),
        file("fields.hak", "erf", &["nwn"], one_resource(2027, numbers(bytes / 16))),
        file("words.hak", "erf", &["nwn"], one_resource(2002, b"# \n".repeat(bytes / 3))),
        file("sounds.hak", "erf", &["nwn"], one_resource(2060, shared_item_of_sounds(bytes / 4))),
        file("rows.bif", "bif", &["nwn"], bif(vec![(0, vec![]); bytes / 16])),
        file("blueprints.bif", "bif", &["nwn"], bif(vec![(2027, vec![]); bytes / 16])),
        file("sounds.bif", "bif", &["nwn"], bif(vec![(2060, shared_item_of_sounds(bytes / 4))])),
        file("paths.key", "key", &["nwn"], paths(bytes / 12)),
        file("keys.key", "key", &["nwn"], keys(bytes / 22)),
        file("fields.gff", "gff", &["nwn"], numbers(bytes / 16)),
        file("shared.gff", "gff", &["nwn"], shared_string(bytes)),
        file("structs.gff", "gff", &["nwn"], structs(bytes / 16)),
        file("texts.gff", "gff", &["nwn"], localized(bytes / 9)),
        file("blank.tlk", "tlk", &["nwn"], blank_texts(bytes / 40)),
        file("texts.tlk", "tlk", &["nwn"], short_texts(bytes / 41)),
        file("exchanged.tlk", "tlk", &["nwn"], exchanged_texts(bytes / 41)),
        file("shared.tlk", "tlk", &["nwn"], shared_text(bytes)),
        file("words.2da", "2da", &["nwn"], [&b"2DA V2.0\n\n A\n"[..], &b"0 1\n".repeat(bytes / 4)].concat()),
        file("rows.2da", "2da", &["nwn"], [&b"2DA V2.0\n\n A\n"[..], &b"0\n".repeat(bytes / 2)].concat()),
        file("cells.b.2da", "binary-2da", &["nwn"], [&b"2DA V2.b\nA\t\0"[..], &vec![0; bytes]].concat()),
        file("sounds.ssf", "ssf", &["nwn"], [&b"SSF V1.1\x0C\0\0\0"[..], &vec![0; bytes]].concat()),
        file("items.ssf", "ssf", &["nwn"], items_of_sounds(bytes / 24)),
        file("shared.ssf", "ssf", &["nwn"], shared_item_of_sounds(bytes / 4)),
        file("pixels.plt", "plt", &["nwn"], pixels(bytes / 2)),
        file(
            "floats.ltr",
            "ltr",
            &["nwn"],
            [&b"LTR V1.0\x40"[..], &vec![0; 4 * 3 * (64 + 64 * 64 + 64 * 64 * 64)]].concat(),
        ),
        file(
            "codes.ncs",
            "ncs",
            &["nwn"],
            [&b"NCS V1.0\x42"[..], &(bytes as u32 / 2 * 2 + 13).to_be_bytes(), &[0x2D, 0].repeat(bytes / 2)].concat(),
        ),
        file("words.mdl", "text-model", &["nwn"], b"# ".repeat(bytes / 2)),
        file("lines.wok", "text-model", &["nwn"], [&b"#"[..], &b"\n".repeat(bytes)].concat()),
        file("lines.set", "set", &["nwn"], [&b"["[..], &b"\n".repeat(bytes)].concat()),
    ]
}

fn features(count: usize) -> Vec<u8> {
    let feature = zmap::Feature { color: [0; 3], point_count: None, points: vec![], objective: 0 };
    let features = vec![feature; count];
    zmap::build(&zmap::Spec { version: 5, unk04: 1, min: [0; 3], max: [0; 3], features, trailing: vec![] })
}

/// Returns an animation with an additional sequence of these events.
fn sequence(game: Anim, events: Vec<anim::Event>) -> Vec<u8> {
    let mut spec = anim::worked(game, false);
    let sequence = anim::Sequence { name: field(b"many", b""), states: [3, 0], events, ..<_>::default() };
    spec.definitions.last_mut().expect("a definition").sequences.push(sequence);
    anim::build(&spec)
}

fn events(game: Anim, kind: u8, count: usize) -> Vec<u8> {
    sequence(game, vec![anim::Event { kind, start: 1, ..<_>::default() }; count])
}

/// Returns an animation with a script inside an event.
fn frames(game: Anim, count: usize) -> Vec<u8> {
    let mut payload = Bytes::new();
    payload.le_u32(0).le_u32(count as u32).fill(0, game.of(12, 16, 0, 0)).fill(0, 12 * count);
    let payload = payload.finish();
    sequence(game, vec![anim::Event { kind: 12, start: 1, payload, ..<_>::default() }])
}

/// Returns an animation with a script in the pool.
fn pool(count: usize) -> Vec<u8> {
    let mut spec = anim::worked(Anim::PiratesMoon, true);
    spec.scripts[0].frames = vec![anim::Frame::default(); count];
    anim::build(&spec)
}

fn slots(game: Game, bytes: usize) -> Vec<u8> {
    let mut spec = gamez::ordinary(&mut Random::new(1), game, Size::Tiny);
    spec.model_slots = bytes / 2 / 100;
    spec.node_slots = bytes / 2 / 200;
    gamez::build(&spec)
}

fn polygons(game: Game, count: usize) -> Vec<u8> {
    let mut spec = gamez::ordinary(&mut Random::new(1), game, Size::Tiny);
    let model = spec.models.iter_mut().flatten().next().expect("a model");
    let mut polygon = model.polygons[0].clone();
    polygon.corners.truncate(3);
    polygon.normals.clear();
    polygon.uvs = false;
    model.polygons = vec![polygon; count];
    gamez::build(&spec)
}

fn library(game: Game, bytes: usize) -> Vec<u8> {
    let mut spec = mechlib::ordinary(&mut Random::new(1), game, Size::Tiny);
    let size = mechlib::build(&spec).len();
    let trees = spec.trees.clone();
    while size * spec.trees.len() < bytes {
        spec.trees.extend(trees.iter().cloned());
    }
    mechlib::build(&spec)
}

fn entry(name: &[u8], data: Vec<u8>) -> archive::Entry {
    archive::Entry { flags: 2, ..archive::Entry::new(name, data) }
}

fn entries(count: usize, data: &[u8]) -> Vec<u8> {
    let entries = (0..count).map(|at| entry(format!("{at:x}").as_bytes(), data.to_vec())).collect();
    archive::build(&archive::Spec::new(1, Content::Unknown, entries))
}

fn archived(data: Vec<u8>) -> Vec<u8> {
    archive::build(&archive::Spec::new(1, Content::Unknown, vec![entry(b"a", data)]))
}

fn lists(count: usize) -> Vec<u8> {
    reader::build(&reader::Spec::new(reader::list(vec![reader::list(vec![]); count])))
}

/// Returns lists in lists, each chain of them this deep.
fn nested(count: usize, depth: usize) -> Vec<u8> {
    let chain = (1..depth).fold(reader::list(vec![]), |inner, _| reader::list(vec![inner]));
    reader::build(&reader::Spec::new(reader::list(vec![chain; count / depth])))
}

fn parts(count: usize) -> Vec<u8> {
    let part = motion::Part { name: vec![], name_length: None, flags: 0, translations: vec![], rotations: vec![] };
    motion::build(&motion::Spec {
        version: 4,
        loop_time: 0,
        frame_count: 1,
        part_count: None,
        unk16: (-1.0f32).to_bits(),
        unk20: 1.0f32.to_bits(),
        parts: vec![part; count],
        trailing: vec![],
    })
}

fn words(bytes: usize) -> Vec<u8> {
    b"()".repeat(bytes / 2)
}

fn lines(count: usize) -> Vec<u8> {
    let lines = vec![interp::Line::new(&[b""]); count];
    interp::build(&interp::Spec::new(vec![(field(b"a.gw", b""), 1, lines)]))
}

/// Returns a script of lines whose count of words is wrong.
fn miscounted(count: usize) -> Vec<u8> {
    let line = interp::Line { token_count: Some(0x807F_FFFF), ..interp::Line::new(&[b""]) };
    interp::build(&interp::Spec::new(vec![(field(b"a.gw", b""), 1, vec![line; count])]))
}

fn scripts(count: usize) -> Vec<u8> {
    interp::build(&interp::Spec::new(vec![(field(b"a.gw", b""), 1, vec![]); count]))
}

fn texts(count: usize) -> Vec<u8> {
    let mut spec = messages::ordinary(&mut Random::new(1), messages::Shape::Recoil, Size::Tiny);
    let message = messages::Message { length: Some(4), ..<_>::default() };
    let block = messages::Block { low: 1, messages: vec![message; count], ..<_>::default() };
    let messages = messages::Messages { blocks: vec![block], ..<_>::default() };
    spec.resources().leaves[0].content = messages::Content::Messages(messages);
    messages::build(&spec)
}

fn chunks(count: usize) -> Vec<u8> {
    let mut chunks = vec![wave::Format::pcm(1, 11_025, 8).chunk(), wave::Chunk::new(b"data", vec![0; 2])];
    chunks.extend(vec![wave::Chunk::new(b"none", vec![]); count]);
    wave::build(&wave::Spec::new(chunks))
}

fn pieces(count: usize) -> Vec<u8> {
    let film = avi::Film { frames: 1, longest: 0, sound: None };
    let head = avi::Chunk::list(b"LIST", b"hdrl", vec![avi::main_header(film)]);
    let frames = avi::Chunk::list(b"LIST", b"movi", vec![avi::Chunk::new(b"00dc", vec![]); count]);
    avi::build(&vec![avi::Chunk::list(b"RIFF", b"AVI ", vec![head, frames])])
}

fn images(count: usize) -> Vec<u8> {
    let image = |at: usize| texture::Image::new(&format!("{at:x}"), 1, 1, vec![0; 2]);
    texture::build(&texture::Spec::new(vec![], (0..count).map(image).collect()))
}

/// Returns images at one place, whose names have leftover memory after them.
fn shared_image(count: usize) -> Vec<u8> {
    let image = texture::Image { name: field(b"", b"\0\0\x80"), ..texture::Image::new("", 1, 1, vec![0; 2]) };
    let shared = texture::Image { same_as: Some(0), ..image.clone() };
    texture::build(&texture::Spec::new(vec![], [vec![image], vec![shared; count]].concat()))
}

fn members(count: usize) -> Vec<u8> {
    let record = |at: usize| rof::Record::file(&format!("{at:X}"), vec![]);
    rof::build(&rof::Spec::new((0..count).map(record).collect()))
}

fn level(tag: &wad::Tag, count: usize) -> Vec<u8> {
    let chunks = vec![wad::Chunk::new(tag, vec![]); count];
    wad::build(&wad::Spec::new(2, 1, b"Map", vec![wad::Entry::new(0, chunks)]))
}

fn level_of(tag: &wad::Tag, data: Vec<u8>) -> Vec<u8> {
    wad::build(&wad::Spec::new(2, 1, b"Map", vec![wad::Entry::new(0, vec![wad::Chunk::new(tag, data)])]))
}

/// Returns a picture of `count` opcodes without effect.
fn drawing(count: usize) -> Vec<u8> {
    picture::build(&picture::Spec { version_1: true, ..picture::Spec::new(1, 1, vec![(0, vec![]); count]) })
}

/// Returns a picture file in version 2, of `count` opcodes without effect.
fn later_drawing(count: usize) -> Vec<u8> {
    let opcodes = [vec![picture::native(1, 1)], vec![(0, vec![]); count]].concat();
    [vec![0; 512], picture::build(&picture::Spec::new(1, 1, opcodes))].concat()
}

fn fork(bytes: usize) -> macbinary::Spec {
    macbinary::Spec::new(b"Map", level(b"FULL", bytes / 16), vec![])
}

fn single(bytes: usize) -> Vec<u8> {
    let data = applesingle::Entry::new(1, level(b"FULL", bytes / 16));
    applesingle::build(&applesingle::Spec::new(0x0005_1600, vec![data]))
}

fn blocks(count: usize) -> Vec<u8> {
    let block = physics::Block { tag: *b"mons", address: 0, count: None, size: 138, data: vec![] };
    physics::build(&physics::Spec { blocks: vec![block; count] })
}

fn runs(count: usize) -> Vec<u8> {
    // All flags, to make the text as long as possible.
    let runs = Some(vec![(1, 0xFFFF_BEFE); count]);
    film::build(&film::Spec { runs, ..film::Spec::new(0, 0, vec![vec![]]) })
}

fn definitions(count: usize) -> Vec<u8> {
    let mut definitions = vec![Definition::new(0, vec![Sound::standard(vec![0; 2])])];
    definitions.extend(vec![Definition::new(-1, vec![]); count.min(32_000)]);
    sounds::build(&sounds::Spec::new(definitions))
}

/// Returns definitions with thousands of empty sounds, whose numbers are long.
fn permutations(count: usize) -> Vec<u8> {
    let sound = Sound { pointer: u32::MAX, rate: 0x807F_FFFF, ..Sound::standard(vec![]) };
    let definition = |code: i16| Definition::new(code, vec![sound.clone(); count / 4]);
    sounds::build(&sounds::Spec::new((0..4).map(definition).collect()))
}

/// Returns a patch of so many items, each with so many empty sounds.
fn patched_sounds(count: usize, sounds: usize) -> Vec<u8> {
    let sound = Sound { pointer: u32::MAX, rate: 0x807F_FFFF, ..Sound::standard(vec![]) };
    let definition = Definition::new(2000, vec![sound; sounds]);
    (0..count).flat_map(|nth| sounds::patch((nth % 430) as u16, &definition)).collect()
}

/// Returns a fork of a few large pictures: the number of resources is limited to a few thousand.
fn pictures(bytes: usize) -> Vec<u8> {
    let picture = |id: i16| resources::Resource::new(b"PICT", id, drawing(bytes / 4));
    resources::build(&resources::Spec::new(vec![0; 240], (0..4).map(picture).collect()))
}

fn bitmaps(bytes: usize) -> Vec<u8> {
    let mut collection = shapes::Collection::new();
    collection.colors = 1;
    collection.tables = vec![vec![[0, 0, 0, 0]]];
    collection.frames = vec![shapes::Frame::new(-1); (bytes / 64 / 36).min(32_000)];
    let slot = shapes::Slot::new([Some(&collection), Some(&collection)]);
    shapes::build(&shapes::Spec::new(vec![slot; 32]))
}

/// Returns collections whose frames are all at one place.
fn shared_frame(bytes: usize) -> Vec<u8> {
    let mut collection = shapes::Collection { frames: vec![shapes::Frame::new(-1)], ..shapes::Collection::new() };
    let plain = collection.write().len();
    let count = (bytes / 64 / 4).min(32_000);
    // The frame is the last part of the collection, and the table of its offsets follows.
    collection.trailing = ((plain - 36) as u32).to_be_bytes().repeat(count);
    collection.frame_table = Some(plain as i32);
    collection.frame_count = Some(count as i16);
    let slot = shapes::Slot::new([Some(&collection), Some(&collection)]);
    shapes::build(&shapes::Spec::new(vec![slot; 32]))
}

fn items(count: usize) -> Vec<u8> {
    let items = (0..count).map(|at| shapes::Item::Frame(at as u32 % 100, shapes::Frame::new(0))).collect();
    shapes::build_patch(&shapes::Patch { blocks: vec![shapes::Block { collection: 0, depth: 8, items, ends: true }] })
}

fn empty_blocks(count: usize) -> Vec<u8> {
    let first = shapes::Block { collection: 0, depth: 8, items: vec![], ends: true };
    let other = shapes::Block { depth: i32::MAX as u32, ..first.clone() };
    shapes::build_patch(&shapes::Patch { blocks: [vec![first], vec![other; count]].concat() })
}

/// Returns a model of nodes with as many rows as a controller can have, which consist of a time each.
fn rows(count: usize) -> Vec<u8> {
    let node = |part: usize| {
        let times = vec![f32::MIN_POSITIVE; count.min(32_000)];
        let keys = vec![mdl::Key::new(502, &times, 255, &[])];
        mdl::Node { keys, ..mdl::Node::new("", part as i32, mdl::Body::Dummy) }
    };
    let children = (1..=count.div_ceil(32_000)).map(node).collect();
    let root = mdl::Node { children, ..mdl::Node::new("root", 0, mdl::Body::Dummy) };
    mdl::build(&model_of(root), Random::new(1))
}

/// Returns a model of a light whose lens flares have this name, which is in the file once, and nothing else.
fn shared_flare(count: usize, name: &str) -> Vec<u8> {
    let light = mdl::Node::new("", 1, mdl::Body::Light(mdl::Light { flares: vec![""; count] }));
    let root = mdl::Node { children: vec![light], ..mdl::Node::new("root", 0, mdl::Body::Dummy) };
    let mut file = mdl::regions(&model_of(root), Random::new(1));
    let first = "geometry/0/flare/0";
    file.region("geometry/0/flares").links.iter_mut().for_each(|link| link.1 = first.into());
    file.region(first).bytes = [name.as_bytes(), b"\0"].concat();
    let others = ["sizes", "positions", "shifts"].map(|array| format!("geometry/0/{array}"));
    for (at, array) in [0x80, 0x8C, 0x98].into_iter().zip(&others) {
        file.region("geometry/0").unlink(at, 0).word(at + 4, 0).word(at + 8, 0);
        file.take(array);
    }
    file.regions.retain(|region| region.name == first || !region.name.starts_with("geometry/0/flare/"));
    file.write()
}

fn model(count: usize) -> Vec<u8> {
    let children = (1..=count).map(|part| mdl::Node::new("", part as i32, mdl::Body::Dummy)).collect();
    let root = mdl::Node { children, ..mdl::Node::new("root", 0, mdl::Body::Dummy) };
    mdl::build(&model_of(root), Random::new(1))
}

fn model_of(geometry: mdl::Node) -> mdl::Spec {
    mdl::Spec {
        profile: mdl::Profile::B,
        name: "model",
        classification: 1,
        super_model: "NULL",
        inherited: 0,
        animations: vec![],
        geometry,
    }
}

fn empty_resources(count: usize) -> Vec<u8> {
    build_erf(&Erf::new(b"HAK ", vec![resource("", 0, vec![]); count]))
}

fn one_resource(kind: u16, data: Vec<u8>) -> Vec<u8> {
    build_erf(&Erf::new(b"HAK ", vec![resource("one", kind, data)]))
}

/// Returns a file of these resources, each with its type.
fn bif(resources: Vec<(u32, Vec<u8>)>) -> Vec<u8> {
    build_bif(&Bif { is_enhanced: false, repeats: false, resources, trailing: vec![], lies: vec![] })
}

fn paths(count: usize) -> Vec<u8> {
    let files = vec![(vec![], 0); count];
    build_key(&Key {
        is_enhanced: false,
        leftover: [0; 32],
        files,
        keys: vec![],
        gap: vec![],
        trailing: vec![],
        lies: vec![],
    })
}

fn keys(count: usize) -> Vec<u8> {
    let keys = vec![(b""[..].into(), 0, 0); count];
    build_key(&Key {
        is_enhanced: false,
        leftover: [0; 32],
        files: vec![],
        keys,
        gap: vec![],
        trailing: vec![],
        lies: vec![],
    })
}

/// Returns a tree of numbers with the same label.
fn numbers(count: usize) -> Vec<u8> {
    gff::build(&gff::Spec::new(b"UTC ", vec![("A", gff::Value::Word(0, 1)); count]))
}

/// Returns a tree of as many fields as may share one long string.
fn shared_string(bytes: usize) -> Vec<u8> {
    let first = ("A", gff::string(&vec![1; bytes]));
    gff::build(&gff::Spec::new(b"UTC ", [vec![first], vec![("A", gff::Value::Word(10, 0)); 6]].concat()))
}

fn structs(count: usize) -> Vec<u8> {
    let list = vec![gff::Struct { id: 0, fields: vec![] }; count];
    gff::build(&gff::Spec::new(b"UTC ", vec![("A", gff::Value::List(list))]))
}

/// Returns a tree with a localized string of empty texts in different languages.
fn localized(count: usize) -> Vec<u8> {
    let texts: Vec<(u32, &[u8])> = (0..count as u32).map(|id| (id, &b"x"[..])).collect();
    gff::build(&gff::Spec::new(b"UTC ", vec![("A", gff::localized(0, &texts))]))
}

fn blank_texts(count: usize) -> Vec<u8> {
    tables::tlk(&tables::Tlk { entries: vec![tables::Text::default(); count], ..<_>::default() })
}

fn short_texts(count: usize) -> Vec<u8> {
    let text = tables::Text { flags: 1, text: b"x".to_vec(), ..<_>::default() };
    tables::tlk(&tables::Tlk { entries: vec![text; count], ..<_>::default() })
}

/// Returns a talk table of texts that are long in JSON, of which the first two are in another order than in the table.
fn exchanged_texts(count: usize) -> Vec<u8> {
    let text = tables::Text { flags: 1, text: vec![0], length: u32::MAX, ..<_>::default() };
    let mut entries = vec![text; count];
    (entries[0].offset, entries[1].offset) = (Some(1), Some(0));
    tables::tlk(&tables::Tlk { entries, ..<_>::default() })
}

/// Returns a talk table of one text that eight entries share, which is as many as a table of this size may have.
fn shared_text(bytes: usize) -> Vec<u8> {
    let text = tables::Text { flags: 1, text: vec![1; bytes], ..<_>::default() };
    let other = tables::Text { text: vec![], offset: Some(0), size: Some(bytes as u32), ..text.clone() };
    tables::tlk(&tables::Tlk { entries: [vec![text], vec![other; 7]].concat(), ..<_>::default() })
}

fn items_of_sounds(count: usize) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(b"SSF V1.0").le_u32(count as u32).le_u32(40).fill(0, 24);
    (0..count).for_each(|at| _ = out.le_u32((40 + 4 * count + 20 * at) as u32));
    out.fill(0, 20 * count);
    out.finish()
}

/// Returns a sound set whose sounds are all at one place.
fn shared_item_of_sounds(count: usize) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(b"SSF V1.0").le_u32(count as u32).le_u32(40).fill(0, 24);
    (0..count).for_each(|_| _ = out.le_u32((40 + 4 * count) as u32));
    out.fill(0, 20);
    out.finish()
}

fn pixels(count: usize) -> Vec<u8> {
    let mut out = Bytes::new();
    out.raw(b"PLT V1  ").le_u32(10).le_u32(0).le_u32(count as u32).le_u32(1).fill(0, 2 * count);
    out.finish()
}
