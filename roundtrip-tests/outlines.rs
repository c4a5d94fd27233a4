//! The default output of `inspect` for worlds, models and animations is complete.

use bitexact::aurora::model::Model;
use bitexact::aurora::numbers::preorder;
use bitexact::exchange::show;
use bitexact::field::{Value, decode};
use bitexact::json::Compact;
use bitexact::kind::Format as _;
use bitexact::zipper::anim::Anim;
use bitexact::zipper::gamez::Gamez;
use bitexact::zipper::scene::of_world;
use forge::Size;

use crate::harness;

#[test]
fn outlines_have_every_node() {
    for sample in forge::samples(harness::SEED, Size::Small) {
        let nodes = match sample.kind {
            "gamez" => of_world(&decode::<Gamez>(sample.bytes.clone()).unwrap().model, &[]).nodes.len(),
            "mdl" => {
                let model = decode::<Model>(sample.bytes.clone()).unwrap().model;
                let roots = model.animations.iter().map(|animation| &animation.root).chain([&model.root]);
                roots.map(|root| preorder(root).count()).sum()
            }
            _ => continue,
        };
        let kind = harness::kind(sample.kind);
        let lines = (kind.outline)(sample.bytes.into()).unwrap().unwrap();
        let found = lines.iter().filter(|line| line.contains(") /nodes/slots/") || line.contains(", part ")).count();
        assert_eq!(found, nodes, "{}", sample.name);
    }
}

#[test]
fn scripts_have_every_event() {
    let kind = harness::kind(Anim::NAME);
    for sample in forge::samples(harness::SEED, Size::Small).into_iter().filter(|it| it.kind == Anim::NAME) {
        let model = decode::<Anim>(sample.bytes.clone()).unwrap().model;
        let json = show(&model, "", usize::MAX).unwrap().unwrap();
        let list = |json: &Value, name| json.get(name).and_then(Value::items).unwrap_or_default().to_vec();
        let sequences = list(&json, "definitions").into_iter().flat_map(|it| {
            let special = ["reset_sequence", "damage_sequence"].map(|name| it.get(name).cloned());
            special.into_iter().flatten().chain(list(&it, "sequences")).collect::<Vec<_>>()
        });
        let events = sequences.flat_map(|it| list(&it, "events"));
        let wanted: Vec<String> = events.map(|it| Compact(it.get("event_type").unwrap()).to_string()).collect();
        let lines = (kind.outline)(sample.bytes.into()).unwrap().unwrap();
        let found = lines.iter().filter(|line| line.starts_with("    "));
        let found: Vec<&String> = found.filter(|line| !line.trim_start().starts_with("rest: ")).collect();
        assert_eq!(found.len(), wanted.len(), "{}", sample.name);
        for (line, kind) in found.iter().zip(&wanted) {
            let rest = line.split_once(": ").map_or(line.trim_start(), |(start, rest)| match start.contains(" + ") {
                true => rest,
                false => line.trim_start(),
            });
            assert!(rest.starts_with(kind.trim_matches('"')), "{}: {line} for {kind}", sample.name);
        }
    }
}
