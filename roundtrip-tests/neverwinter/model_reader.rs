//! What is compiled, as another program reads it: `pip install rollnw` in a virtual environment, whose Python `BITEXACT_ROLLNW` names.

use super::model_texts::{compiled, models, plain, text};
use super::*;

/// Returns the values of a model as JSON.
pub(super) fn values(file: &[u8]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.mdl"), file).unwrap();
    let (code, out, err) = run(folder.path(), &["inspect", "a.mdl", "--json", "--fields"]);
    assert_eq!(code, 0, "{err}");
    parse(out.as_bytes()).unwrap().get("value").unwrap().clone()
}

/// Returns a text whose model is brighter and elsewhere.
fn edited(text: &str) -> String {
    let line = |line: &str| match line.trim_start().split_once(' ') {
        Some(("position", _)) => "    position 1.5 -2.25 3.125\n".to_owned(),
        Some(("diffuse", _)) => "    diffuse 0.25 0.5 0.75\n".to_owned(),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// Writes each real model, compiled from its text alone, and edited as text; the texts themselves; and real texts compiled. Returns the paths
/// of pairs of a model and its values; texts end in `.text.mdl`.
fn pairs(folder: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    let mut put = |name: String, file: &[u8], values: &Value| {
        let path = folder.join(name);
        let json = path.with_extension("json");
        fs::write(&json, print(values)).unwrap();
        fs::write(&path, file).unwrap();
        paths.extend([path, json]);
    };
    let (all, forged) = models();
    for (nth, (name, file)) in all.iter().enumerate().skip(forged) {
        put(format!("{nth}.mdl"), file, &values(file));
        let shown = text(file);
        put(format!("{nth}-text.text.mdl"), shown.as_bytes(), &values(file));
        for (what, of) in [("plain", plain(&shown)), ("edited", edited(&shown))] {
            let again = compiled(&of).unwrap_or_else(|why| panic!("{name}: {why}"));
            put(format!("{nth}-{what}.mdl"), &again, &values(&again));
        }
    }
    for (nth, (name, real)) in super::text_models::real_texts().into_iter().enumerate() {
        let file = compiled(&real).unwrap_or_else(|why| panic!("{name}: {why}"));
        put(format!("by-hand-{nth}.mdl"), &file, &values(&file));
    }
    paths
}

/// Every value that another reader shows is the one that the files have, and a wrong one is noticed.
fn all_agree(paths: &[PathBuf], ask: impl Fn(&[PathBuf]) -> (bool, String, String)) {
    if paths.is_empty() {
        return eprintln!("no corpora beside the project: no independent reader is asked");
    }
    for chunk in paths.chunks(200) {
        let (is_read, said, why) = ask(chunk);
        assert!(is_read && !said.contains("is not read"), "{said}{why}");
        eprintln!("{} models: {said}", chunk.len() / 2);
    }
    let wrong = fs::read_to_string(&paths[1]).unwrap().replacen("\"animation_scale\": ", "\"animation_scale\": 1", 1);
    fs::write(&paths[1], wrong).unwrap();
    let (is_read, _, why) = ask(&paths[..2]);
    assert!(!is_read && why.contains("the other program reads"), "{why}");
}

#[test]
fn models_are_read_by_an_independent_reader() {
    let Some(python) = std::env::var_os("BITEXACT_ROLLNW") else {
        return eprintln!("BITEXACT_ROLLNW names no Python with rollnw: no independent reader is asked");
    };
    let folder = tempfile::tempdir().unwrap();
    all_agree(&pairs(folder.path()), |paths| ask_reader(&python, "neverwinter_models.py", folder.path(), paths));
}

/// A second one: `cargo build --release` in `tools/nwnrs`, whose program `BITEXACT_NWNRS` names. It reads compiled models.
#[test]
fn compiled_models_are_read_by_a_second_reader() {
    let Some(program) = std::env::var_os("BITEXACT_NWNRS") else {
        return eprintln!("BITEXACT_NWNRS names no program of tools/nwnrs: no second reader is asked");
    };
    let folder = tempfile::tempdir().unwrap();
    let all = pairs(folder.path());
    let is_compiled = |pair: &&[PathBuf]| !pair[0].to_string_lossy().ends_with(".text.mdl");
    let compiled: Vec<PathBuf> = all.chunks(2).filter(is_compiled).flatten().cloned().collect();
    all_agree(&compiled, |paths| {
        let args = [core::slice::from_ref(&PathBuf::from(&program)), paths].concat();
        ask_reader("python3".as_ref(), "neverwinter_nwnrs.py", folder.path(), &args)
    });
}
