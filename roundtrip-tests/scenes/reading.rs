//! glTF files from elsewhere are read, or refused with a reason.

use bitexact::media::gltf::Scene;
use forge::Size;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use super::scene;
use crate::harness;

#[test]
fn broken_files_are_refused_without_a_panic() {
    let mut random = ChaCha8Rng::seed_from_u64(harness::SEED);
    let mut below = |limit: usize| (random.next_u64() % limit as u64) as usize;
    let (mut read, mut refused) = (0, 0);
    for sample in forge::samples(harness::SEED, Size::Tiny) {
        if !matches!(sample.kind, "gamez" | "mdl") {
            continue;
        }
        let Ok(scene) = scene(&sample.name, sample.bytes, &[]) else { continue };
        for file in [scene.glb().unwrap(), scene.gltf().unwrap()] {
            for _ in 0..20 {
                let mut file = file.clone();
                match below(3) {
                    0 => file.truncate(below(file.len())),
                    _ => (0..1 + below(8)).for_each(|_| {
                        let at = below(file.len());
                        file[at] = b"0123456789,{}[]\"-\0\xFF"[below(19)];
                    }),
                }
                match Scene::read(&file) {
                    Ok(_) => read += 1,
                    Err(why) => {
                        assert!(!why.is_empty());
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(read > 100 && refused > 100, "{read} read, {refused} refused");
}

#[test]
fn files_that_cannot_be_read_are_refused_with_a_reason() {
    for (text, words) in [
        ("{", "not a glTF file"),
        (r#"{"asset": {"version": "1.0"}}"#, "expected glTF 2.0"),
        (r#"{"asset": {"version": "2.0"}, "buffers": [{"uri": "model.bin"}]}"#, "in another file, model.bin"),
        (
            r#"{"asset": {"version": "2.0"}, "extensionsRequired": ["KHR_draco_mesh_compression"]}"#,
            "without compression",
        ),
        (r#"{"asset": {"version": "2.0"}, "nodes": [{"children": [0, 0]}]}"#, "has another parent"),
        (r#"{"asset": {"version": "2.0"}, "nodes": [{"mesh": 3}]}"#, "missing mesh"),
        (
            r#"{"asset": {"version": "2.0"}, "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4000000000, "type": "VEC3"}],
                "bufferViews": [{"buffer": 0, "byteLength": 0}],
                "buffers": [{"byteLength": 0, "uri": "data:application/octet-stream;base64,"}]}"#,
            "longer than its buffer view",
        ),
    ] {
        let why = Scene::read(text.as_bytes()).expect_err(text);
        assert!(why.contains(words), "{why}");
    }
}
