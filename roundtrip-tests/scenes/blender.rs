//! Models go through the real Blender and come back: unedited to the bit, edited with that edit only.

use std::fs;
use std::path::Path;

use bitexact::aurora::model::Model as Mdl;
use bitexact::aurora::scene::of_model;
use bitexact::field::decode;
use bitexact::media::gltf::{Channel, Values};
use forge::Size;
use serde_json::Value;

use crate::{harness, programs};

/// Runs Blender on files with edits, and returns its rows and the results.
fn trips(trips: &[(&Path, &str)], folder: &Path) -> Option<Vec<(Value, Option<Vec<u8>>)>> {
    let addon = harness::root().join("tools/blender");
    let script = harness::root().join("roundtrip-tests/scenes/blender.py");
    let targets: Vec<_> = (0..trips.len()).map(|number| folder.join(format!("{number}"))).collect();
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    // Blender itself, or a Python that has it as a module.
    let python = std::env::var("BITEXACT_BPY").ok();
    let options: &[&str] = match python {
        Some(_) => &[],
        None => &["-b", "--factory-startup", "--python-exit-code", "3", "-P"],
    };
    let mut args: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
    args.extend([text(&script), "--".to_owned(), text(&addon)]);
    for ((file, edit), target) in trips.iter().zip(&targets) {
        args.extend([text(file), (*edit).to_owned(), text(target)]);
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let program = env!("CARGO_BIN_EXE_bitexact");
    let here = format!("BITEXACT={program}");
    let blender = python.as_deref().unwrap_or("blender");
    let all = [&[here.as_str(), blender][..], &args].concat();
    // Without Blender, `env` would fail and not say why.
    programs::other_program(blender, &["--version"])?;
    let output = programs::other_program("env", &all)?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let rows = said.lines().filter_map(|line| line.strip_prefix("ROW "));
    let rows: Vec<Value> = rows.map(|row| serde_json::from_str(row).unwrap()).collect();
    assert_eq!(rows.len(), trips.len(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    Some(rows.into_iter().zip(targets.iter().map(|target| fs::read(target).ok())).collect())
}

/// Returns the sample files with models.
fn files() -> Vec<std::path::PathBuf> {
    let files = bitexact::install::files(&harness::golden_install()).unwrap();
    let has_models = |name: &str| name.ends_with(".mdl") || name.starts_with("gamez") || name == "mechlib.zbd";
    // Models in text are texts.
    let is_binary = |path: &std::path::Path| !fs::read(path).unwrap().starts_with(b"#");
    let files = files.into_iter().filter(|file| has_models(&file.name()) && is_binary(&file.path));
    files.map(|file| file.path).collect()
}

#[test]
fn unedited_models_come_back_from_blender_to_the_bit() {
    let mut files = files();
    if let Some(corpora) = harness::corpora() {
        let more = ["c_kenku_b", "c_hagatha", "c_bodak", "ttd01_a04_03", "vim_bonblue"];
        files.extend(more.map(|name| corpora.join("nwn").join(format!("{name}.mdl"))));
    }
    let folder = tempfile::tempdir().unwrap();
    let all: Vec<_> = files.iter().map(|file| (file.as_path(), "none")).collect();
    let Some(rows) = trips(&all, folder.path()) else { return };
    eprintln!("Blender {}: {} files", rows[0].0["version"], rows.len());
    for (file, (row, result)) in files.iter().zip(&rows) {
        assert!(result.as_ref() == Some(&fs::read(file).unwrap()), "{row}");
    }
}

#[test]
fn edits_in_blender_change_what_they_edit() {
    let golden = harness::golden_install();
    let files = files();
    let boar =
        files.iter().find(|file| file.ends_with("c_boar.mdl")).cloned().unwrap_or_else(|| golden.join("c_boar.mdl"));
    let world = golden.join("pm/zbd/c1/gamez.zbd");
    let [pool, recoil] = ["mw/zbd/c1/gamez.zbd", "rc/zbd/m1/gamez.zbd"].map(|file| golden.join(file));
    let library = golden.join("mw/zbd/mechlib.zbd");
    let edits = [
        (&*world, "move"),
        (&*world, "delete"),
        (&*world, "rename"),
        (&*world, "drop"),
        (&*world, "copy"),
        (&*pool, "drop"),
        (&*pool, "copy"),
        (&*pool, "link"),
        (&*recoil, "add"),
        (&*library, "drop"),
        (&*library, "copy"),
        (&*boar, "move"),
        (&*boar, "rename"),
        (&*boar, "drop"),
        (&*boar, "add"),
        (&*boar, "copy"),
    ];
    let edits: Vec<_> = edits.into_iter().filter(|(file, _)| file.exists()).collect();
    let folder = tempfile::tempdir().unwrap();
    let Some(rows) = trips(&edits, folder.path()) else { return };
    for ((file, edit), (row, result)) in edits.iter().zip(&rows) {
        let told = row["told"].as_str().unwrap_or_else(|| panic!("{row}"));
        let words = match *edit {
            "move" => "/vertices/",
            "delete" => "/polygons",
            "drop" if file.ends_with("gamez.zbd") => "→ \"EMPTY\"",
            "drop" => "removed an object",
            "add" | "copy" | "link" => "added an object",
            _ => "renamed",
        };
        assert!(told.contains(words), "{row}");
        let lines = told.lines().filter(|line| line.contains(" → ") && !line.starts_with("recomputed")).count();
        // A node of a library that is deleted between others of the same name moves those after it.
        let moves = *edit == "drop" && file.ends_with("mechlib.zbd");
        assert!(lines < 40 || moves, "{edit} changes {lines} values: {told}");
        assert!(result.as_ref().is_some_and(|result| *result != fs::read(file).unwrap()), "{row}");
    }
}

/// Returns the keys of a channel as lists of numbers.
fn keys(channel: &Channel) -> Vec<Vec<f32>> {
    match &channel.values {
        Values::Translation(values) | Values::Scale(values) => values.iter().map(|it| it.to_vec()).collect(),
        Values::Rotation(values) => values.iter().map(|it| it.to_vec()).collect(),
    }
}

/// Returns `true` if numbers agree to within rounding, as they are or with the opposite sign, which is the same rotation.
fn are_near(one: &[f32], other: &[f32]) -> bool {
    let near = |sign: f32| one.iter().zip(other).all(|(one, other)| (one - other * sign).abs() < 1e-3);
    one.len() == other.len() && (near(1.0) || one.len() == 4 && near(-1.0))
}

#[test]
fn changed_key_in_blender_changes_that_key_only() {
    let folder = tempfile::tempdir().unwrap();
    let samples = forge::samples(harness::SEED, Size::Small).into_iter().filter(|it| it.kind == "mdl");
    let has_keys = |bytes: &[u8]| {
        let scene = of_model(&decode::<Mdl>(bytes.to_vec()).unwrap().model);
        let mut channels = scene.animations.iter().flat_map(|it| &it.channels);
        channels.any(|it| !matches!(it.values, Values::Scale(_)) && it.times.len() > 3)
    };
    let files: Vec<_> = samples
        .filter(|it| has_keys(&it.bytes))
        .map(|sample| {
            let path = folder.path().join(&sample.name);
            fs::write(&path, &sample.bytes).unwrap();
            path
        })
        .collect();
    let edits: Vec<_> = files.iter().map(|file| (file.as_path(), "key")).collect();
    let Some(rows) = trips(&edits, folder.path()) else { return };
    let mut edited = 0;
    for (file, (row, result)) in files.iter().zip(&rows) {
        let Some(result) = result else {
            // Pieces in an order of their own cannot be edited.
            assert!(row["error"].as_str().unwrap().contains("order of their own"), "{row}");
            continue;
        };
        let before = fs::read(file).unwrap();
        assert_eq!(before.len(), result.len(), "{row}");
        let bytes = (0..before.len()).filter(|&at| before[at] != result[at]).count();
        assert!((1..=16).contains(&bytes), "{bytes} bytes: {row}");
        let [before, after] = [before, result.clone()].map(|it| of_model(&decode::<Mdl>(it).unwrap().model));
        let mut changed = Vec::new();
        for (was, now) in before.animations.iter().zip(&after.animations) {
            for (was, now) in was.channels.iter().zip(&now.channels) {
                assert_eq!(was.times, now.times, "{row}");
                let pairs = keys(was).into_iter().zip(keys(now)).enumerate();
                let different = pairs.filter(|(_, (was, now))| was != now);
                changed.extend(different.map(|(nth, (_, now))| (after.nodes[was.node].name.clone(), nth, now)));
            }
        }
        assert_eq!((before.nodes == after.nodes, before.meshes == after.meshes), (true, true), "{row}");
        let [(node, nth, value)] = &changed[..] else { panic!("{changed:?}: {row}") };
        let expected: Vec<f32> = serde_json::from_value(row["of"]["value"].clone()).unwrap();
        assert!(row["of"]["node"].as_str().unwrap().starts_with(node.as_str()), "{node}: {row}");
        assert!(Some(*nth as u64) == row["of"]["key"].as_u64() && are_near(value, &expected), "{value:?}: {row}");
        edited += 1;
    }
    eprintln!("{edited} of {} files", rows.len());
    assert!(edited > 0, "{rows:?}");
}
