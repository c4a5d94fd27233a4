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

/// Checks that a job over models with two and four times the pieces takes about as many times the work, for each type of pieces, both in the
/// order of the walk and in the opposite order.
fn is_linear(what: &str, job: impl Fn(Bytes)) {
    for (pieces, file) in MANY {
        for order in ["walk", "opposite"] {
            let [once, twice, four_times] = [1, 2, 4].map(|times| {
                let mut file = file(PIECES * times);
                if order == "opposite" {
                    file.regions[1..].reverse();
                }
                Bytes::from(file.write())
            });
            let name = format!("{what}, {pieces}, {order}");
            let allocated = |file: &Bytes| measure(|| job(file.clone())).bytes_total;
            let (bytes, double) = (allocated(&once), allocated(&twice));
            eprintln!("{name}: {bytes} bytes, {double}");
            // Quadratic work would take four times as much. A growing hash table makes jumps.
            assert!(double < bytes * 5 / 2, "{name}: {bytes} bytes for {PIECES} pieces, {double} for twice as many");
            let seconds = |file: &Bytes| {
                let begun = worked();
                job(file.clone());
                worked() - begun
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
    is_linear("verify", |file| {
        let how = VerifyOptions::default().via_exchange(true);
        assert_eq!(verify_with(kind, "model.mdl", file, how).status, Status::Identical);
    });
}

/// Removes the pieces of a tree of nodes that can be removed.
fn strip(node: &mut Node) {
    (node.keys, node.data) = Default::default();
    if let Some(light) = &mut node.light {
        light.flares.clear();
    }
    if let Some(mesh) = &mut node.mesh {
        mesh.lists.clear();
        if let MeshType::Aabb(tree) = &mut mesh.mesh_type {
            tree.entries.clear();
        }
    }
    node.children.iter_mut().for_each(strip);
}

#[test]
fn many_pieces_are_removed_and_added_in_linear_time() {
    is_linear("edit", |file| {
        let mut model = decode::<Model>(file).unwrap().model;
        let mut full = model.clone();
        strip(&mut model.root);
        for animation in &mut model.animations {
            animation.events = Default::default();
        }
        encode_edited(&mut model).unwrap();
        full.order = model.order;
        let bytes = encode_edited(&mut full).unwrap();
        assert_eq!(decode::<Model>(bytes).unwrap().model.order.len(), full.order.len());
    });
}
