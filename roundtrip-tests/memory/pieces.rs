//! Models of Neverwinter with thousands of pieces of one type: the work grows linearly with their number.

use std::slice;

use allocation_counter::measure;
use bitexact::aurora::mesh_types::MeshType;
use bitexact::aurora::model::Model;
use bitexact::aurora::node::Node;
use bitexact::field::decode;
use bitexact::recompute::encode_edited;
use bitexact::verify::{Status, VerifyOptions, verify_with};
use bytes::Bytes;
use forge::mdl::MANY;

use crate::{harness, worked};

/// The smallest number of pieces.
const PIECES: usize = 2000;
/// The least time that is measured: some kernels count it in steps of 4 ms.
const SECONDS: f64 = 0.02;

/// Checks that a job over models with two and four times the pieces takes about as many times the work, for each type of pieces, both in the
/// order of the walk and in the opposite order. Also checks one result of each.
fn is_linear<T>(what: &str, without: &[&str], job: impl Fn(Bytes) -> T, check: impl Fn(&str, Bytes, T)) {
    for (pieces, file) in MANY.into_iter().filter(|(pieces, _)| !without.contains(pieces)) {
        for order in ["walk", "opposite"] {
            let [once, twice, four_times] = [1, 2, 4].map(|times| {
                let mut file = file(PIECES * times);
                if order == "opposite" {
                    file.regions[1..].reverse();
                }
                Bytes::from(file.write())
            });
            let name = format!("{what}, {pieces}, {order}");
            let mut done = None;
            let mut allocated = |file: &Bytes| measure(|| done = Some(job(file.clone()))).bytes_total;
            let (double, bytes) = (allocated(&twice), allocated(&once));
            check(&name, once.clone(), done.unwrap());
            eprintln!("{name}: {bytes} bytes, {double}");
            // Quadratic work would take four times as much. A growing hash table makes jumps.
            assert!(double < bytes * 5 / 2, "{name}: {bytes} bytes for {PIECES} pieces, {double} for twice as many");
            let seconds = |file: &Bytes| {
                let begun = worked();
                let mut jobs = 0.0;
                while worked() - begun < SECONDS {
                    drop(job(file.clone()));
                    jobs += 1.0;
                }
                (worked() - begun) / jobs
            };
            // Quadratic work would take 16 times as long.
            let linear = (0..3).any(|_| {
                let (seconds, times) = (seconds(&once), seconds(&four_times));
                eprintln!("{name}: {seconds:.3} s, {times:.3} s");
                times < seconds * 8.0
            });
            assert!(linear, "{name}: four times as many pieces take more than eight times as long");
        }
    }
}

#[test]
fn models_of_many_pieces_are_verified_in_linear_time() {
    let kind = slice::from_ref(harness::kind("mdl"));
    let verified = |file| verify_with(kind, "model.mdl", file, VerifyOptions::default().via_exchange(true)).status;
    is_linear("verify", &[], verified, |name, _, status| assert_eq!(status, Status::Identical, "{name}"));
}

/// Removes the pieces of a tree of nodes that can be removed: not the nodes, whose number must stay the same in a kept order.
fn strip(node: &mut Node) {
    (node.keys, node.data) = Default::default();
    if let Some(light) = &mut node.light {
        light.flares.clear();
    }
    if let Some(mesh) = &mut node.mesh {
        mesh.lists.clear();
        mesh.faces = Default::default();
        mesh.streams = Default::default();
        if let MeshType::Aabb(tree) = &mut mesh.mesh_type {
            tree.entries.clear();
        }
    }
    node.children.iter_mut().for_each(strip);
}

/// The results of an edit that removes pieces of a model and adds them again.
struct Edited {
    original: Model,
    /// The file without the pieces.
    stripped: Vec<u8>,
    /// The number of pieces in the order without them.
    pieces: usize,
    /// The file with all pieces.
    full: Vec<u8>,
}

fn edited(file: Bytes) -> Edited {
    let original = decode::<Model>(file).unwrap().model;
    let mut model = original.clone();
    strip(&mut model.root);
    for animation in &mut model.animations {
        animation.events = Default::default();
    }
    let stripped = encode_edited(&mut model).unwrap();
    let pieces = model.order.len();
    let mut full = Model { order: model.order, ..original.clone() };
    let full = encode_edited(&mut full).unwrap();
    Edited { original, stripped, pieces, full }
}

#[test]
fn many_pieces_are_removed_and_added_in_linear_time() {
    // Only nodes can be removed from a model of children.
    is_linear("edit", &["children"], edited, |name, file, Edited { mut original, stripped, pieces, full }| {
        assert!(stripped.len() + PIECES < file.len(), "{name}: {} bytes are left of {}", stripped.len(), file.len());
        if !name.ends_with("opposite") {
            assert!(original.order.is_empty() && full == file, "{name}: the file is restored");
            return;
        }
        let mut again = decode::<Model>(full).unwrap().model;
        let before = original.order.len();
        assert!(pieces + PIECES / 4 < before, "{name}: {pieces} pieces are left of {before}");
        assert_eq!(again.order.len(), before, "{name}");
        // New pieces are next to those that they follow in the walk, so only the order is different.
        (original.order, again.order) = Default::default();
        let [original, again] = [original, again].map(|mut model| encode_edited(&mut model).unwrap());
        assert!(original == again, "{name}: the model is restored");
    });
}
