//! Counts, lengths, offsets and padding are updated after an edit; an edit that does not allow this is refused instead
//! of written wrongly.

use ::field::{Decoded, Lay, Shaped};
use bitexact::aurora::model::Model;
use bitexact::exchange::{About, Form, MANIFEST, documents, show};
use bitexact::field::{F32, I32, Value, decode, encode, visit};
use bitexact::json::{Document, Recomputation};
use bitexact::kind::Format;
use bitexact::marathon::chunk::Content;
use bitexact::marathon::macbinary::MacBinary;
use bitexact::marathon::wad::{Entry, Slot, Wad};
use bitexact::marathon::{Array, Payload};
use bitexact::passes::Sha;
use bitexact::recompute::{encode_edited, recompute};
use bitexact::registry::KINDS;
use bitexact::verify::{Status, verify};
use bitexact::zipper::anim::{self, Anim};
use bitexact::zipper::archive::Archive;
use bitexact::zipper::gamez::{Body, Gamez};
use bitexact::zipper::messages::Dll;
use bitexact::zipper::zmap::Zmap;

use crate::harness::{self, sample};

fn read<M: Lay + Default>(bytes: &[u8]) -> M {
    let Decoded { model, undecoded } = decode::<M>(bytes.to_vec()).unwrap_or_else(|error| panic!("{error}"));
    assert!(undecoded.is_empty(), "{undecoded:?}");
    model
}

fn first_chunk(payload: &mut Payload) -> &mut bitexact::marathon::wad::Chunk {
    match payload {
        Payload::Wad(wad) => &mut wad.entries[0].chunks[0],
        other => panic!("{other:?}"),
    }
}

/// Makes a chunk longer, even by part of a record.
fn grow(content: &mut Content, by: usize) {
    fn array<R: Shaped>(array: &mut Array<R>, by: usize) {
        let one = array.records[0];
        array.records.edit(|records| records.extend(vec![one; by / size_of::<R>()]));
        array.rest.edit(|rest| rest.extend(vec![7; by % size_of::<R>()]));
    }
    match content {
        Content::Points(points) => array(points, by),
        Content::Indices(indices) => array(indices, by),
        other => panic!("{other:?}"),
    }
}

#[test]
fn growing_fork_moves_the_next_to_a_multiple_of_128() {
    let file = sample("Map.scen");
    let mut before: MacBinary = read(&file);
    let resource = encode_edited(before.resource.content.as_mut().unwrap()).unwrap();
    for by in [1, 127, 128, 1000] {
        let mut edited: MacBinary = read(&file);
        let chunk = first_chunk(edited.data.content.as_mut().unwrap());
        grow(&mut chunk.payload, by);
        let grown = encode_edited(&mut chunk.payload).unwrap();
        let bytes = encode_edited(&mut edited).unwrap();
        assert_eq!(bytes.len() % 128, 0, "by {by}");
        let mut again: MacBinary = read(&bytes);
        assert_eq!(encode_edited(again.resource.content.as_mut().unwrap()).unwrap(), resource, "by {by}");
        let mut chunk = std::mem::take(first_chunk(again.data.content.as_mut().unwrap()));
        assert_eq!(encode_edited(&mut chunk.payload).unwrap(), grown);
        assert_eq!(again.trailing.len(), 0);
    }
}

#[test]
fn gap_keeps_its_position_when_an_entry_grows() {
    let mut wad: Wad = read(&sample("gaps_everywhere.sceA"));
    let before = encode_edited(&mut wad).unwrap().len();
    grow(&mut wad.entries[0].chunks[0].payload, 1);
    let bytes = encode_edited(&mut wad).unwrap();
    assert_eq!(bytes.len(), before + 1);
    let mut again: Wad = read(&bytes);
    assert_eq!(again.arrangement, wad.arrangement);
    assert_eq!(encode_edited(&mut again).unwrap(), bytes);
}

#[test]
fn entries_can_be_added_only_to_an_orderly_wad() {
    let mut orderly: Wad = read(&sample("m2_map_merged.sceA"));
    orderly.entries.push(Entry::default());
    orderly.directory.push(Slot { level: orderly.directory[0].level, ..Slot::default() });
    let again: Wad = read(&encode_edited(&mut orderly).unwrap());
    assert_eq!(again.entries.len(), orderly.entries.len());

    let mut disorderly: Wad = read(&sample("file_order.sceA"));
    disorderly.entries.push(Entry::default());
    disorderly.directory.push(Slot::default());
    let error = encode_edited(&mut disorderly).unwrap_err();
    assert!(error.to_string().contains("/directory: expected"), "{error}");
}

#[test]
fn overlapping_entries_are_not_moved() {
    let mut wad: Wad = read(&sample("same_range.sceA"));
    grow(&mut wad.entries[0].chunks[0].payload, 1);
    let error = encode_edited(&mut wad).unwrap_err();
    assert!(error.to_string().contains("overlaps"), "{error}");
}

#[test]
fn archive_is_updated_if_entries_change() {
    let mut archive: Archive = read(&sample("mw_reader.zbd"));
    let (mut entry, count) = (archive.entries[0].clone(), archive.entries.len());
    entry.slot.name = bitexact::field::Text::new([b'x'; 64]);
    archive.entries.insert(1, entry);
    let bytes = encode_edited(&mut archive).unwrap();
    let again: Archive = read(&bytes);
    assert_eq!(again.entries.len(), count + 1);
    assert_eq!(again.entries[1].slot.name.bytes(), [b'x'; 64]);
    assert_eq!(
        again.entries[2].slot.start.get(),
        again.entries[1].slot.start.get() + again.entries[1].slot.length.get()
    );
}

#[test]
fn lengths_in_a_motion_archive_of_pirates_moon_stay_1() {
    let mut archive: Archive = read(&sample("pm_motion.zbd"));
    let last = archive.entries.pop().unwrap();
    archive.entries.insert(0, last);
    let again: Archive = read(&encode_edited(&mut archive).unwrap());
    assert!(bool::from(again.lengths_are_one));
    assert!(again.entries.iter().all(|entry| entry.slot.length.get() == 1));
    assert_eq!(again.entries[0].slot.name, archive.entries[0].slot.name);
}

#[test]
fn number_of_points_is_updated() {
    let mut map: Zmap = read(&sample("m1.zmap"));
    let points = map.features[0].points.len();
    map.features[0].points.edit(|points| points.truncate(1));
    let again: Zmap = read(&encode_edited(&mut map).unwrap());
    assert_eq!(again.features[0].points.len(), 1);
    assert!(points > 1);
}

#[test]
fn offsets_and_squares_of_a_world_are_updated() {
    let mut gamez: Gamez = read(&sample("mw_c1_gamez.zbd"));
    let Body::MechWarrior3(world) = &mut gamez.body else { panic!("a world of MechWarrior 3") };
    let texture = world.textures[0];
    world.textures.push(texture);
    world.models.slots[0].model.mesh.vertices.edit(|vertices| vertices.push([F32::new(-0.0); 3]));
    world.nodes.slots[0].children.edit(|children| children.push(I32::new(4)));
    let grid = world.nodes.slots.iter_mut().find_map(|node| match &mut node.class {
        bitexact::zipper::gamez::nodes::Class::World(world) => Some(&mut world.grid),
        _ => None,
    });
    grid.expect("there is a world").cell_size[0] = F32::new(128.0);
    recompute(&mut gamez, &Recomputation::default()).expect("recomputes");
    let report = verify(KINDS, "gamez.zbd", encode_edited(&mut gamez).expect("encodes"));
    assert_eq!(report.status, Status::Identical);
    assert!(report.deviations.is_empty(), "{:?}", report.deviations);
}

/// Returns the bytes of each animation definition, by index.
fn definitions(file: &[u8]) -> Vec<Vec<u8>> {
    let mut map = bitexact::passes::Map::default();
    visit(&read::<Anim>(file), &mut map).unwrap();
    let mut definitions: Vec<Vec<u8>> = Vec::new();
    for stretch in map.stretches {
        let Some(rest) = stretch.place.strip_prefix("/definitions/") else { continue };
        let number: usize = rest.split('/').next().unwrap().parse().unwrap();
        definitions.resize(definitions.len().max(number + 1), Vec::new());
        let (begin, bytes) = (stretch.offset as usize, stretch.bytes as usize);
        definitions[number].extend(&file[begin..begin + bytes]);
    }
    definitions
}

#[test]
fn added_event_changes_no_other_definition() {
    let (name, file) = ("anim.zbd", sample("mw_c1_anim.zbd"));
    let kind = harness::kind("anim");
    let model = (kind.decode)(file.clone().into()).unwrap().model;
    let about = About { kind, games: &[], sha256: Sha::of(&file), deviations: &[] };
    let mut files = documents(&model, about).unwrap();
    let Some(Document::Json(head)) = files.get_mut(MANIFEST) else { panic!("JSON") };
    let list = head.step_mut("data").and_then(|data| data.step_mut("definitions")).unwrap();
    let count = list.items().unwrap().len();
    let has_events = |it: &Value| it.get("sequences").and_then(|it| it.step("0")?.get("events")?.step("0")).is_some();
    let edited = list.items().unwrap().iter().position(has_events).expect("a sequence with events");
    let events = [edited.to_string().as_str(), "sequences", "0", "events"]
        .into_iter()
        .try_fold(list, |json, key| json.step_mut(key))
        .unwrap();
    let event = events.items().unwrap()[0].clone();
    let before = events.items().unwrap().len();
    events.push(event);
    let bytes = encode_edited(&mut Form::of(files).pack(KINDS).unwrap().model).unwrap();

    let report = verify(KINDS, name, bytes.clone());
    assert_eq!((report.status, report.deviations.len()), (Status::Identical, 0), "{:?}", report.deviations);
    let (old, new) = (definitions(&file), definitions(&bytes));
    assert_eq!((old.len(), new.len()), (count, count));
    for number in (0..count).filter(|number| *number != edited) {
        assert_eq!(old[number], new[number], "definition {number}");
    }
    assert_eq!(new[edited].len() - old[edited].len(), bytes.len() - file.len());
    let again = show(&read::<Anim>(&bytes), &format!("/definitions/{edited}/sequences/0/events"), usize::MAX);
    assert_eq!(again.unwrap().unwrap().items().unwrap().len(), before + 1);
}

/// Changes the first generated file of a kind, and checks that the model is refused until dependent values are filled
/// in.
fn is_refused_until_filled_in<M: Format>(change: impl FnOnce(&mut M)) {
    let samples = forge::samples(harness::SEED, forge::Size::Small);
    let file = samples.into_iter().find(|sample| sample.kind == M::NAME).expect(M::NAME).bytes;
    let mut model = decode::<M>(file.clone()).unwrap().model;
    change(&mut model);
    encode(&model).expect_err(M::NAME);
    let edited = encode_edited(&mut model).expect(M::NAME);
    assert!(edited != file, "{}: nothing has changed", M::NAME);
    assert!(encode(&decode::<M>(edited.clone()).unwrap().model).unwrap() == edited, "{}", M::NAME);
}

#[test]
fn edited_models_are_refused_until_dependent_values_are_filled_in() {
    is_refused_until_filled_in::<Zmap>(|map| map.features[0].points.edit(|points| points.truncate(1)));
    is_refused_until_filled_in::<Wad>(|wad| wad.entries[0].chunks.truncate(1));
    is_refused_until_filled_in::<Dll>(|dll| dll.stub.edit(|stub| stub.extend([0; 16])));
    is_refused_until_filled_in::<Model>(|model| model.root.children.clear());
    is_refused_until_filled_in::<Anim>(|anim| match &mut anim.body {
        anim::Body::Recoil(body) => body.definitions.truncate(1),
        anim::Body::MechWarrior3(body) => body.definitions.truncate(1),
        anim::Body::PiratesMoon(body) => body.definitions.truncate(1),
        anim::Body::CrimsonSkies(body) => body.definitions.truncate(1),
    });
}
