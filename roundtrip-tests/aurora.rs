//! Models of Neverwinter Nights are updated after an edit, and undoing the edit restores the file bit for bit.

use bitexact::aurora::controllers::Key;
use bitexact::aurora::header::Event;
use bitexact::aurora::model::Model;
use bitexact::aurora::node::{Node, NodeFlags, NodeHeader};
use bitexact::aurora::numbers::preorder;
use bitexact::edit::changes_between;
use bitexact::edit::diff::Change;
use bitexact::exchange::{About, Form, MANIFEST, documents};
use bitexact::field::{F32, Text, Value, decode};
use bitexact::json::Document;
use bitexact::passes::Sha;
use bitexact::recompute::encode_edited;
use bitexact::registry::KINDS;
use bitexact::verify::{Status, verify};
use forge::Size;

use crate::harness::{self, sample};

/// Corpus files of different kinds: creatures and effects of both compilers, a tile, skins, unused values,
/// danglymeshes.
const CORPUS: [&str; 20] = [
    "a_ba2.mdl",
    "a_ba_non_combat.mdl",
    "c_Phy_Neg.mdl",
    "c_a_bat125.mdl",
    "c_aribeth.mdl",
    "c_cornugon.mdl",
    "c_drggold75.mdl",
    "c_elemairl.mdl",
    "c_elemashm.mdl",
    "c_gzhorb.mdl",
    "c_hagatha.mdl",
    "c_kenku_b.mdl",
    "c_rednose.mdl",
    "plc_dustmotes.mdl",
    "ttd01_a04_03.mdl",
    "vPR_magmisl_blk.2c2a326.mdl",
    "vdr_eleshield02.mdl",
    "vff_dragacid.mdl",
    "vim_bonblue.mdl",
    "vim_magbreach.mdl",
];

fn model(bytes: &[u8]) -> Model {
    decode::<Model>(bytes.to_vec()).unwrap_or_else(|error| panic!("{error}")).model
}

/// Returns generated models that are laid out by the walk, and models of the corpus.
fn orderly() -> Vec<(String, Vec<u8>)> {
    let samples = forge::samples(harness::SEED, Size::Small).into_iter().filter(|sample| sample.kind == "mdl");
    let forged = samples.map(|sample| (sample.name, sample.bytes));
    let mut files: Vec<_> = forged.filter(|(_, bytes)| model(bytes).order.is_empty()).collect();
    match harness::corpora() {
        Some(corpora) => files.extend(CORPUS.iter().map(|name| {
            let path = corpora.join("nwn").join(name);
            ((*name).to_owned(), std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
        })),
        None => eprintln!("corpora: not found next to the project, their models are skipped"),
    }
    files
}

/// Returns the paths of the deviations of a file.
fn deviations(bytes: &[u8]) -> Vec<String> {
    let report = verify(KINDS, "model.mdl", bytes.to_vec());
    assert_eq!(report.status, Status::Identical, "{:?}", report.failure);
    assert_eq!(report.census.unwrap().total(), bytes.len() as u64);
    report.deviations.into_iter().map(|it| it.place).collect()
}

/// Edits every orderly model, checks the new file, undoes the edit in that and expects the original file.
fn edited<Undo>(edit: impl Fn(&mut Model) -> Undo, look: impl Fn(&Model, &str), undo: impl Fn(&mut Model, Undo)) {
    for (name, bytes) in orderly() {
        let mut before = model(&bytes);
        let kept = edit(&mut before);
        let after = encode_edited(&mut before).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(after != bytes, "{name} is edited");
        let mut again = model(&after);
        // The layout has no gap and no overlap.
        assert!(again.order.is_empty() && again.trailing == before.trailing, "{name}");
        let known = deviations(&bytes);
        assert!(deviations(&after).iter().all(|it| known.contains(it)), "{name}: no new deviation");
        look(&again, &name);
        undo(&mut again, kept);
        assert!(encode_edited(&mut again).unwrap() == bytes, "{name} is restored");
    }
}

fn text<const N: usize>(text: &str) -> Text<N> {
    let mut bytes = [0; N];
    bytes[..text.len()].copy_from_slice(text.as_bytes());
    Text::new(bytes)
}

#[test]
fn root_can_be_renamed_and_events_added() {
    edited(
        |model| {
            let geometry = (model.geometry.head.name, model.root.head.name);
            (model.geometry.head.name, model.root.head.name) = (text("renamed"), text("renamed"));
            let animations = model.animations.iter_mut().map(|animation| {
                let was = (animation.root.head.name, animation.events.clone());
                animation.root.head.name = text("renamed");
                animation.events.edit(|events| events.push(Event { time: animation.head.length, name: text("hit") }));
                was
            });
            (geometry, animations.collect::<Vec<_>>())
        },
        |model, name| {
            assert_eq!(model.root.head.name.bytes(), b"renamed", "{name}");
            assert!(model.animations.iter().all(|it| it.events.last().unwrap().name.bytes() == b"hit"), "{name}");
        },
        |model, (geometry, animations)| {
            (model.geometry.head.name, model.root.head.name) = geometry;
            for (animation, (name, events)) in model.animations.iter_mut().zip(animations) {
                (animation.root.head.name, animation.events) = (name, events);
            }
        },
    );
}

/// Replaces the first letter of a name. A different length would change the leftover memory after it.
fn rename(json: &mut Value, at: &[&str], changes: &mut Vec<String>) {
    let mut text = at.iter().try_fold(&mut *json, |json, key| json.step_mut(key)).expect("a name");
    if text.get("text").is_some() {
        text = text.step_mut("text").unwrap();
    }
    let name = text.text().expect("a text");
    let Some(rest) = name.get(1..) else { return };
    *text = format!("Q{rest}").into();
    changes.push(format!("/{}", at.join("/")));
}

#[test]
fn exchange_format_can_be_edited_and_diff_lists_the_edits() {
    let kind = harness::kind("mdl");
    for (name, file) in orderly() {
        let before = (kind.decode)(file.clone().into()).unwrap().model;
        let about = About { kind, games: &[], sha256: Sha::of(&file), deviations: &[] };
        let mut files = documents(&before, about).unwrap();
        let Some(Document::Json(head)) = files.get_mut(MANIFEST) else { panic!("{name}: JSON") };
        let data = head.step_mut("data").unwrap();
        let mut changes = Vec::new();
        rename(data, &["name"], &mut changes);
        rename(data, &["root", "name"], &mut changes);
        let animations = data.get("animations").and_then(Value::items).map_or(0, <[_]>::len);
        for index in 0..animations {
            let index = index.to_string();
            rename(data, &["animations", &index, "root", "name"], &mut changes);
            let animation = data.step_mut("animations").unwrap().step_mut(&index).unwrap();
            let event = Value::from([("time", animation.get("length").unwrap().clone()), ("name", "hit".into())]);
            let count = animation.get("events").and_then(Value::items).map_or(0, <[_]>::len);
            let events = format!("/animations/{index}/events");
            // The exchange format leaves out a list without items, so the whole list is new.
            changes.push(match animation.step_mut("events") {
                Some(list) => {
                    list.push(event);
                    format!("{events}/{count}")
                }
                None => {
                    animation.put("events", [event].into_iter().collect());
                    events
                }
            });
        }
        let packed = encode_edited(&mut Form::of(files).pack(KINDS).unwrap().model).unwrap();
        assert!(model(&packed).order.is_empty(), "{name} is laid out by the walk");
        let known = deviations(&file);
        assert!(deviations(&packed).iter().all(|it| known.contains(it)), "{name}: no new deviation");
        let found = changes_between(kind, file.into(), packed.into()).unwrap();
        let mut found: Vec<String> = found
            .iter()
            .map(|change| match change {
                Change::Set { at, .. } | Change::Insert { at, .. } => at.to_string(),
                other => panic!("{name}: {other:?}"),
            })
            .map(|at| at.strip_suffix("/text").map_or(at.clone(), str::to_owned))
            .collect();
        found.sort();
        changes.sort();
        assert_eq!(found, changes, "{name}");
    }
}

#[test]
fn added_node_is_counted() {
    edited(
        |model| {
            let head = NodeHeader { name: text("added"), flags: NodeFlags::HEADER, ..NodeHeader::default() };
            let kept = (preorder(&model.root).count() as u32, model.root.empties);
            model.root.children.push(Node { head, ..Node::default() });
            kept
        },
        |model, name| {
            let node = model.root.children.last().unwrap();
            let nodes = preorder(&model.root).count() as u32;
            assert_eq!(model.geometry.head.nodes.get(), nodes.wrapping_add(model.geometry.inherited.get()), "{name}");
            let expected = if model.is_alone() { nodes as i32 - 1 } else { -1 };
            assert_eq!(node.head.part_number.get(), expected, "{name}");
        },
        |model, (nodes, empties)| {
            model.root.children.pop();
            // The pointer of an empty table of children is lost while the table has entries.
            model.root.empties = empties;
            assert_eq!(preorder(&model.root).count() as u32, nodes);
        },
    );
}

#[test]
fn animation_can_be_added() {
    edited(
        |model| {
            let mut animation = model.animations.first().cloned().unwrap_or_default();
            animation.geometry.head.name = text("added");
            if model.animations.is_empty() {
                animation.geometry.head.kind = bitexact::aurora::header::GeometryKind::ANIMATION;
                let head = NodeHeader { name: model.root.head.name, flags: NodeFlags::HEADER, ..NodeHeader::default() };
                animation.root = Node { head, ..Node::default() };
            }
            // A deviation of the original must not count twice.
            animation.geometry.inherited = 0.into();
            model.animations.insert(0, animation);
            model.empties
        },
        |model, name| assert_eq!(model.animations[0].geometry.head.name.bytes(), b"added", "{name}"),
        |model, empties| {
            model.animations.remove(0);
            model.empties = empties;
        },
    );
}

#[test]
fn row_can_be_added_to_a_controller() {
    fn first_keyed(node: &mut Node) -> Option<&mut Node> {
        if !node.keys.is_empty() && !bool::from(node.unordered) {
            return Some(node);
        }
        node.children.iter_mut().find_map(first_keyed)
    }
    edited(
        |model| {
            let Some(node) = first_keyed(&mut model.root) else {
                // The model has no controller, so the root gets one.
                let root = &mut model.root;
                let kept = (root.keys.clone(), root.data.clone(), root.empties, root.head);
                model.root.keys = vec![Key { rows: 1.into(), columns: 1.into(), ..Key::default() }].into();
                model.root.data = vec![F32::new(0.0); 2].into();
                return kept;
            };
            let kept = (node.keys.clone(), node.data.clone(), node.empties, node.head);
            let (rows, width) = (node.keys[0].height(), node.keys[0].width());
            node.keys.edit(|keys| keys[0].rows.set(rows as i16 + 1));
            node.data.edit(|data| {
                data.splice(rows + rows * width..rows + rows * width, vec![F32::new(1.0); width]);
                data.insert(rows, F32::new(9.0e9));
            });
            kept
        },
        |_, _| {},
        |model, kept| {
            // If the model had no controller, the root got one.
            let keyed = first_keyed(&mut model.root).is_some();
            let node = if keyed { first_keyed(&mut model.root).unwrap() } else { &mut model.root };
            (node.keys, node.data, node.empties, node.head) = kept;
        },
    );
}

#[test]
fn order_of_pieces_survives_an_edit() {
    for name in ["geometry_first.mdl", "keys_first.mdl", "order.mdl", "gap.mdl"] {
        let bytes = sample(name);
        let mut edited = model(&bytes);
        let (order, keys) = (edited.order.clone(), edited.root.keys.clone());
        assert!(!order.is_empty(), "{name}");
        edited.root.keys =
            vec![Key { kind: bitexact::aurora::controllers::Controller::SCALE, ..Key::default() }].into();
        let mut again = model(&encode_edited(&mut edited).unwrap());
        assert_eq!(again.order.len(), order.len() + 1, "{name}");
        again.root.keys = keys;
        assert!(encode_edited(&mut again).unwrap() == bytes, "{name} is restored");
        assert!(again.order == order, "{name}");
    }
}

#[test]
fn nodes_can_be_added_only_if_no_order_is_kept() {
    let mut model = model(&sample("geometry_first.mdl"));
    let before = encode_edited(&mut model).unwrap().len();
    let head = NodeHeader { flags: NodeFlags::HEADER, ..NodeHeader::default() };
    model.root.children.push(Node { head, ..Node::default() });
    let error = encode_edited(&mut model).unwrap_err();
    assert!(error.to_string().contains("/order: expected"), "{error}");
    model.order.clear();
    let bytes = encode_edited(&mut model).unwrap();
    assert_eq!(bytes.len(), before + 112 + 4);
    assert!(decode::<Model>(bytes).unwrap().model.order.is_empty());
}

#[test]
fn shared_bytes_must_be_edited_for_all_owners() {
    let mut model = model(&sample("shared_streams.mdl"));
    let twice = |model: &mut Model, meshes: &[usize]| {
        for &mesh in meshes {
            let mesh = model.root.children[mesh].mesh.as_mut().unwrap();
            mesh.streams.normals.edit(|normals| normals[0][0] = F32::new(0.5));
        }
        encode_edited(model)
    };
    let error = twice(&mut model, &[0]).unwrap_err();
    assert!(error.to_string().contains("the same bytes"), "{error}");
    twice(&mut model, &[1]).expect("both are edited");
}

#[test]
fn text_model_is_a_kind_of_its_own() {
    for text in ["# made by hand\nnewmodel c_boar\n", "newmodel c_boar\r\n", "filedependancy null\n"] {
        let report = verify(KINDS, "C_BOAR.MDL", text);
        assert_eq!((report.status, report.kind), (Status::Identical, Some("text-model")));
    }
}
