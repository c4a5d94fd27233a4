//! Khronos' own validator accepts every export of the sample install and the corpora.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;

use bitexact::registry::{KINDS, recognize};
use bitexact::zipper::texture::Package;
use forge::Size;
use serde_json::Value;

use super::{renamed, scene};
use crate::{harness, programs};

/// A script that prints a line of JSON per issue of every file in a folder.
const SCRIPT: &str = "
const [validator, fs, path] = [require(process.argv[1]), require('fs'), require('path')];
(async () => {
    const folder = process.argv[2];
    for (const file of fs.readdirSync(folder).sort()) {
        const bytes = new Uint8Array(fs.readFileSync(path.join(folder, file)));
        const report = await validator.validateBytes(bytes, { maxIssues: 0 });
        for (const { code, severity, pointer, message } of report.issues.messages)
            console.log(JSON.stringify({ file, code, severity, pointer, message }));
        console.log(JSON.stringify({ file, done: true }));
    }
})();
";

/// The severity of warnings in the validator.
const WARNING: u64 = 1;

/// Issues that are not errors: coordinates and materials from the game's file that are unused here, and images with the
/// sizes of the game's file.
const EXPECTED: [&str; 2] = ["IMAGE_NPOT_DIMENSIONS", "UNUSED_OBJECT"];

#[test]
fn khronos_validator_accepts_exports() {
    let Some(validator) = programs::npm_package("gltf-validator", "2.0.0-dev.3.10") else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut exported = 0;
    // Equal exports count once.
    let mut known = HashSet::new();
    let mut export = |name: &str, bytes: Vec<u8>, packages: &dyn Fn() -> Vec<Package>| {
        if !matches!(recognize(KINDS, name, &bytes), Some((kind, _)) if ["gamez", "archive", "mdl"].contains(&kind.name))
        {
            return;
        }
        let Ok(scene) = scene(name, bytes, &packages()) else { return };
        let glb = scene.glb().unwrap();
        if !known.insert(glb.clone()) {
            return;
        }
        for (extension, bytes) in [("glb", glb), ("gltf", scene.gltf().unwrap())] {
            fs::write(folder.path().join(format!("{exported:03} {name}.{extension}")), bytes).unwrap();
        }
        exported += 1;
    };
    for size in [Size::Tiny, Size::Small] {
        for sample in forge::samples(harness::SEED, size) {
            export(&sample.name, sample.bytes, &Vec::new);
        }
    }
    let mut roots = vec![harness::golden_install()];
    match harness::corpora() {
        Some(corpora) => roots.extend(["nwn", "nwn-install", "zipper"].map(|it| corpora.join(it))),
        None => eprintln!("corpora: absent, their exports are not validated"),
    }
    for root in roots {
        for file in bitexact::install::files(&root).unwrap() {
            export(&file.name(), file.read().unwrap(), &|| renamed(&file.path));
        }
    }
    eprintln!("{exported} different exports, each as .glb and as .gltf");
    let expected = if harness::corpora().is_some() { 200 } else { 60 };
    assert!(exported >= expected, "{exported} exports, expected {expected}");
    let [validator, place] = [&validator, folder.path()].map(|it| it.to_str().unwrap());
    let Some(output) = programs::other_program("node", &["-e", SCRIPT, validator, place]) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut done = 0;
    let mut issues: BTreeMap<(u64, String), BTreeSet<String>> = BTreeMap::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        match line["severity"].as_u64() {
            Some(severity) => {
                let code = line["code"].as_str().unwrap().to_owned();
                issues.entry((severity, code)).or_default().insert(line.to_string());
            }
            None => done += 1,
        }
    }
    assert_eq!(done, 2 * exported, "every file is validated");
    for ((severity, code), lines) in &issues {
        eprintln!("severity {severity}: {code}: {}", lines.len());
    }
    let wrong: Vec<_> = issues
        .iter()
        .filter(|((severity, code), _)| *severity <= WARNING || !EXPECTED.contains(&code.as_str()))
        .map(|((_, code), lines)| format!("{code}: {} times, first {}", lines.len(), lines.first().unwrap()))
        .collect();
    assert!(wrong.is_empty(), "of {exported} exports:\n{}", wrong.join("\n"));
}
