//! Models go through the real Blender and come back: unedited to the bit, edited with that edit only.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{harness, programs};

/// Runs Blender on files with edits, and returns its rows and the results.
fn trips(trips: &[(&Path, &str)], folder: &Path) -> Option<Vec<(Value, Option<Vec<u8>>)>> {
    let addon = harness::root().join("tools/blender");
    let script = harness::root().join("roundtrip-tests/scenes/blender.py");
    let targets: Vec<_> = (0..trips.len()).map(|number| folder.join(format!("{number}"))).collect();
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let mut args = ["-b", "--factory-startup", "--python-exit-code", "3", "-P"].map(str::to_owned).to_vec();
    args.extend([text(&script), "--".to_owned(), text(&addon)]);
    for ((file, edit), target) in trips.iter().zip(&targets) {
        args.extend([text(file), (*edit).to_owned(), text(target)]);
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let program = env!("CARGO_BIN_EXE_bitexact");
    let here = format!("BITEXACT={program}");
    let all = [&[here.as_str(), "blender"][..], &args].concat();
    // Without Blender, `env` would fail and not say why.
    programs::other_program("blender", &["--version"])?;
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
    let edits = [(&*world, "move"), (&*world, "delete"), (&*world, "rename"), (&*boar, "move"), (&*boar, "rename")];
    let edits: Vec<_> = edits.into_iter().filter(|(file, _)| file.exists()).collect();
    let folder = tempfile::tempdir().unwrap();
    let Some(rows) = trips(&edits, folder.path()) else { return };
    for ((file, edit), (row, result)) in edits.iter().zip(&rows) {
        let told = row["told"].as_str().unwrap_or_else(|| panic!("{row}"));
        let words = match *edit {
            "move" => "/vertices/",
            "delete" => "/polygons",
            _ => "renamed",
        };
        assert!(told.contains(words), "{row}");
        let lines = told.lines().filter(|line| line.contains(" → ") && !line.starts_with("recomputed")).count();
        assert!(lines < 40, "{edit} changes {lines} values: {told}");
        assert!(result.as_ref().is_some_and(|result| *result != fs::read(file).unwrap()), "{row}");
    }
}
