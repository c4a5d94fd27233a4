//! The worked files of the format specs, and edits.

use forge::anim::{Game, build, worked};

use super::events::{Callback, Payload};
use super::games::Game as _;
use super::*;
use field::{U32, decode};
use json::recompute::encode_edited;
use passes::Sha;

fn read(bytes: &[u8]) -> Anim {
    decode::<Anim>(bytes.to_vec()).expect("decodes").model
}

fn crimson(anim: &mut Anim) -> &mut Animations<CrimsonSkies> {
    match &mut anim.body {
        Body::CrimsonSkies(body) => body,
        other => panic!("{other:?}"),
    }
}

fn mech(anim: &mut Anim) -> &mut Animations<MechWarrior3> {
    match &mut anim.body {
        Body::MechWarrior3(body) => body,
        other => panic!("{other:?}"),
    }
}

/// Encodes the model and reads it again.
fn again(anim: &mut Anim) -> Anim {
    let bytes = encode_edited(anim).expect("encodes");
    let mut again = read(&bytes);
    assert_eq!(encode_edited(&mut again).expect("encodes"), bytes);
    again
}

/// Source: `zipper-anim.md`, section 21.1.
#[test]
fn worked_file_decodes_and_round_trips() {
    let file = build(&worked(Game::CrimsonSkies, true));
    assert_eq!(Sha::of(&file).to_string(), "2a1986e6c48e83dad6ebbe0f688253846a5710f8c69eeb1f193e6c8ab80d9ec0");
    let mut anim = read(&file);
    let body = crimson(&mut anim);
    assert_eq!(body.bases[1].path.bytes(), b"zbd\\planes.zbd");
    assert_eq!(body.info.def_count.get(), 2);
    let door = &body.definitions[1];
    assert_eq!((door.nodes.len(), door.nodes[1].node.get()), (2, 5));
    assert_eq!(door.script_ids[0].get(), 0);
    let events: Vec<_> = door.sequences[0].events.iter().collect();
    let [active, callback] = &events[..] else { panic!("two events") };
    assert!(matches!(&active.payload, Payload::ObjectActiveState(it) if it.state.get() == 1 && it.node.get() == 1));
    assert_eq!((callback.head.event_type, callback.head.start_offset), (EventType::CALLBACK, StartOffset::SEQUENCE));
    assert_eq!(callback.head.start_time.get(), 1.0);
    assert!(matches!(&callback.payload, Payload::Callback(it) if it.value.get() == 7));
    let script = &body.scripts[0];
    assert_eq!((&*script.script_name, &*script.object_name), (&b"a.zan\0"[..], &b"door\0"[..]));
    assert!(matches!(&script.data, Data::Frames(frames) if frames[0].head.end_time.get() == 1.0));
    assert_eq!(encode_edited(&mut anim).expect("encodes"), file);
}

#[test]
fn event_types_have_the_names_of_the_table() {
    assert_eq!(EventType::new(10), EventType::OBJECT_MOTION);
    assert_eq!(format!("{:?}", EventType::new(42)), "PUFFER_STATE");
    assert_eq!(EventType::new(200).name(), None);
    assert!(Payload::known(EventType::PUFFER_STATE, Recoil::TITLE).is_none());
    let empty = |kind, game| Payload::known(kind, game).map(|known| (known.empty)());
    assert!(matches!(empty(EventType::IF, Recoil::TITLE), Some(Payload::Condition12(_))));
    assert!(matches!(empty(EventType::IF, CrimsonSkies::TITLE), Some(Payload::Condition16(_))));
}

#[test]
fn counts_and_sizes_are_updated_after_an_edit() {
    let file = build(&worked(Game::CrimsonSkies, true));
    let mut anim = read(&file);
    let body = crimson(&mut anim);
    let door = &mut body.definitions[1];
    let payload = Payload::Callback(Callback { value: 8.into() });
    let head =
        EventHeader { event_type: EventType::CALLBACK, start_offset: StartOffset::EVENT, ..EventHeader::default() };
    door.sequences[0].events.to_mut().push(Event { head, payload });
    let second = door.sequences[0].clone();
    door.sequences.push(second);
    door.nodes.edit(|nodes| nodes.push(nodes[1]));
    door.script_ids.edit(|ids| ids.push(U32::new(0)));
    door.damage_sequence = Some(door.sequences[0].clone());
    let other = door.clone();
    body.definitions.push(other);
    let Data::Frames(frames) = &mut body.scripts[0].data else { panic!("frames") };
    frames[0].head.flags = FrameFlags::SCALE;
    frames.push(frames[0].clone());
    let mut read_again = again(&mut anim);
    let body = crimson(&mut read_again);
    assert_eq!(body.definitions.len(), 3);
    let door = &body.definitions[2];
    assert_eq!((door.nodes.len(), door.script_ids.len(), door.sequences.len()), (3, 2, 2));
    assert_eq!(door.sequences[1].size.size.get(), 36 + 16);
    assert_eq!(door.blocks.damage_seq_ptr.get(), u32::MAX);
    assert_eq!(door.damage_sequence.as_ref().map(|it| it.events.len()), Some(3));
    assert!(matches!(&body.scripts[0].data, Data::Frames(frames) if frames.len() == 2));

    body.definitions[2].damage_sequence = None;
    let mut read_again = again(&mut read_again);
    assert_eq!(crimson(&mut read_again).definitions[2].blocks.damage_seq_ptr.get(), 0);
}

#[test]
fn frame_count_of_an_event_is_updated_after_an_edit() {
    let samples = forge::samples(7, forge::Size::Tiny);
    let sample = samples.into_iter().find(|it| it.name == "mw_every_type_anim.zbd").expect("forged");
    let mut anim = read(&sample.bytes);
    let script = |anim: &mut Anim| {
        let sequences = mech(anim).definitions[1].sequences.iter_mut();
        let mut events = sequences.flat_map(|it| it.events.to_mut());
        let script = events.find_map(|event| match &mut event.payload {
            Payload::InlineScript24(script) => Some(script),
            _ => None,
        });
        script.expect("a script").clone()
    };
    assert_eq!(script(&mut anim).head.frame_count.get(), 3);
    for event in mech(&mut anim).definitions[1].sequences.iter_mut().flat_map(|it| it.events.to_mut()) {
        if let Payload::InlineScript24(script) = &mut event.payload {
            script.frames.truncate(1);
            script.head.node = super::events::NodeIndex32::MAIN_ROOT_NODE;
        }
    }
    let edited = script(&mut again(&mut anim));
    assert_eq!((edited.head.frame_count.get(), edited.frames.len(), edited.head.node.get()), (1, 1, -100));
}

#[test]
fn array_too_long_for_its_count_is_refused() {
    let mut anim = read(&build(&worked(Game::CrimsonSkies, false)));
    let nodes = &mut crimson(&mut anim).definitions[1].nodes;
    nodes.edit(|nodes| nodes.resize(256, nodes[0]));
    let error = encode_edited(&mut anim).expect_err("refused");
    assert!(error.to_string().ends_with("/node_count: 256 does not fit in u8"), "{error}");
}
