//! Memory and time are bounded for inputs beside the game file too: glTF files that share a few numbers any number of times or nest
//! their nodes, and lists of hashes.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use bitexact::field::limits;
use bitexact::kind::ExportOptions;
use bitexact::registry::{KINDS, recognize};
use serde_json::{Map, Value, json};

use crate::harness::{self, sample};

/// A run of the program: its exit code, its messages, and if `/usr/bin/time` is installed its peak memory in bytes and its seconds of
/// work, which other programs do not lengthen.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) said: String,
    spent: Option<(u64, f64)>,
}

impl Run {
    /// Checks that the memory limit was reached and kept.
    pub(crate) fn is_refused_by_memory(&self, limit: u64, what: &str) {
        assert_eq!(self.code, 2, "{what}: {}", self.said);
        assert!(self.said.contains("takes more memory than the limit of "), "{what}: {}", self.said);
        self.keeps(limit, what);
    }

    /// Checks that the program took no more than the limit, besides what it takes for any file.
    pub(crate) fn keeps(&self, limit: u64, what: &str) {
        if let Some((peak, _)) = self.spent {
            eprintln!("{what}: {peak} bytes of {limit}");
            assert!(peak < limit + limits::MEMORY_BASE, "{what}: {peak} bytes, where the limit is {limit}");
        }
    }

    /// Adds a run that follows.
    #[cfg(unix)]
    pub(crate) fn and(self, next: Self) -> Self {
        let spent =
            self.spent.zip(next.spent).map(|((peak, seconds), (other, more))| (peak.max(other), seconds + more));
        Self { code: self.code.max(next.code), said: self.said + &next.said, spent }
    }
}

/// Runs the program in a folder.
pub(crate) fn run(folder: &Path, args: &[&str]) -> Run {
    let program = env!("CARGO_BIN_EXE_bitexact");
    let timed = ["-q", "-f", "%M %U %S", "-o", "spent", program];
    let mut command = match cfg!(unix) && Path::new("/usr/bin/time").exists() {
        true => {
            let mut command = Command::new("/usr/bin/time");
            command.args(timed);
            command
        }
        false => {
            eprintln!("/usr/bin/time: not installed, memory and time are not measured");
            Command::new(program)
        }
    };
    let output = command.args(args).current_dir(folder).output().unwrap();
    let said = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap()).concat();
    let spent = std::fs::read_to_string(folder.join("spent")).ok().map(|spent| {
        let mut spent = spent.split_whitespace();
        let peak = spent.next().unwrap().parse::<u64>().unwrap() << 10;
        (peak, spent.map(|seconds| seconds.parse::<f64>().unwrap()).sum())
    });
    Run { code: output.status.code().unwrap(), said, spent }
}

/// An exported glTF file, to be edited as no program would.
#[derive(Clone)]
struct Glb {
    name: &'static str,
    original: Vec<u8>,
    document: Value,
    numbers: Vec<u8>,
}

/// The file of each kind with an import.
const FILES: [&str; 3] = ["gamez.zbd", "mechlib.zbd", "boar.mdl"];

impl Glb {
    fn of(name: &'static str) -> Self {
        let original = match name {
            "boar.mdl" => sample("c_boar.mdl"),
            "gamez.zbd" => std::fs::read(harness::golden_install().join("rc/zbd/m1/gamez.zbd")).unwrap(),
            _ => std::fs::read(harness::golden_install().join("mw/zbd/mechlib.zbd")).unwrap(),
        };
        let (kind, _) = recognize(KINDS, name, &original).unwrap();
        let export = kind.exports.iter().find(|export| export.extension == "glb").unwrap();
        let glb = (export.draw)(original.clone().into(), &ExportOptions::default()).unwrap().file;
        let length = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
        let text = &glb[20..20 + length(12)];
        let at = 20 + length(12);
        let numbers = glb[at + 8..][..length(at)].to_vec();
        Self { name, original, document: serde_json::from_slice(text).unwrap(), numbers }
    }

    fn list(&mut self, name: &str) -> &mut Vec<Value> {
        self.document.as_object_mut().unwrap().entry(name).or_insert_with(|| json!([])).as_array_mut().unwrap()
    }

    /// Adds a list of zeros, and returns its accessor.
    fn zeros(&mut self, count: usize, (kind, size): (u32, usize), (form, components): (&str, usize)) -> usize {
        let length = count * size * components;
        self.numbers.resize(self.numbers.len().next_multiple_of(4), 0);
        let view = json!({"buffer": 0, "byteOffset": self.numbers.len(), "byteLength": length});
        self.numbers.resize(self.numbers.len() + length, 0);
        let view_at = self.list("bufferViews").len();
        self.list("bufferViews").push(view);
        let accessor = json!({"bufferView": view_at, "componentType": kind, "count": count, "type": form});
        self.list("accessors").push(accessor);
        self.list("accessors").len() - 1
    }

    /// Lets the first mesh consist of this many copies of a primitive with this many indices, which they share.
    fn with_primitives(mut self, copies: usize, indices: usize) -> Self {
        let indices = self.zeros(indices, (5125, 4), ("SCALAR", 1));
        let mut primitive = self.document["meshes"][0]["primitives"][0].clone();
        primitive["indices"] = indices.into();
        self.document["meshes"][0]["primitives"] = vec![primitive; copies].into();
        self
    }

    /// Adds nodes each of which is inside the one before, and returns the first.
    fn nest(&mut self, depth: usize) -> usize {
        let first = self.list("nodes").len();
        for at in first..first + depth {
            let mut node = json!({"name": format!("deep{at}")});
            if at + 1 < first + depth {
                node["children"] = json!([at + 1]);
            }
            self.list("nodes").push(node);
        }
        first
    }

    /// Returns a node that has a place and a mesh or, in the model, a place.
    fn node(&self) -> usize {
        let nodes = self.document["nodes"].as_array().unwrap();
        nodes.iter().position(|node| node.get("extras").is_some() && node.get("mesh").is_some()).unwrap()
    }

    fn put_below(&mut self, parent: usize, child: usize) {
        let node = self.document["nodes"][parent].as_object_mut().unwrap();
        node.entry("children").or_insert_with(|| json!([])).as_array_mut().unwrap().push(child.into());
    }

    /// Imports the edited file, without writing a result.
    fn import(&mut self, options: &[&str]) -> Run {
        let folder = tempfile::tempdir().unwrap();
        self.document["buffers"][0]["byteLength"] = self.numbers.len().into();
        let mut text = serde_json::to_vec(&self.document).unwrap();
        text.resize(text.len().next_multiple_of(4), b' ');
        self.numbers.resize(self.numbers.len().next_multiple_of(4), 0);
        let length = |length: usize| u32::try_from(length).unwrap().to_le_bytes();
        let all = length(28 + text.len() + self.numbers.len());
        let (text_length, numbers_length) = (length(text.len()), length(self.numbers.len()));
        let glb: [&[u8]; 9] =
            [b"glTF\x02\0\0\0", &all, &text_length, b"JSON", &text, &numbers_length, b"BIN\0", &self.numbers, b""];
        std::fs::write(folder.path().join("edited.glb"), glb.concat()).unwrap();
        std::fs::write(folder.path().join(self.name), &self.original).unwrap();
        run(folder.path(), &[&["import", self.name, "edited.glb", "-n"], options].concat())
    }
}

/// A limit that a small file keeps easily, as an option and in bytes.
const SMALL: ([&str; 2], u64) = (["--memory", "100MB"], 100_000_000);

#[test]
fn shared_indices_are_counted_for_each_primitive() {
    for name in FILES {
        let export = Glb::of(name);
        let said = export.clone().import(&SMALL.0);
        assert!(said.code == 0 && said.said.contains("no changes"), "{name}: {}", said.said);
        export.clone().with_primitives(1000, 3000).import(&SMALL.0).is_refused_by_memory(SMALL.1, name);
    }
    let said = Glb::of("gamez.zbd").with_primitives(2, 3000).import(&SMALL.0);
    assert!(said.code == 0 && said.said.contains("/polygons/1999"), "{}", said.said);
    said.keeps(SMALL.1, "2000 new triangles");
}

/// The limit must also be enough for what the new triangles become: edits, JSON, a model, messages.
#[test]
fn new_triangles_are_counted_until_they_are_in_the_file() {
    let mut least = None;
    for limit in [60, 80, 100, 140, 200, 300] {
        let mut export = Glb::of("gamez.zbd").with_primitives(4, 7500);
        let said = export.import(&["--memory", &format!("{limit}MB")]);
        if said.code == 0 {
            least = Some(limit);
            said.keeps(limit * 1_000_000, "10,000 new triangles");
            break;
        }
        said.is_refused_by_memory(limit * 1_000_000, "10,000 new triangles");
    }
    assert!(least.is_some_and(|least| least > 60), "{least:?}");
}

#[test]
fn copies_of_new_meshes_are_bounded_by_the_size_of_the_file() {
    let mut export = Glb::of("gamez.zbd");
    let indices = export.zeros(6000, (5121, 1), ("SCALAR", 1));
    let mut mesh = export.document["meshes"][0].clone();
    mesh.as_object_mut().unwrap().remove("extras");
    mesh["primitives"] = json!([mesh["primitives"][0]]);
    mesh["primitives"][0]["indices"] = indices.into();
    let at = export.list("meshes").len();
    export.list("meshes").push(mesh);
    let parent = export.node();
    for copy in 0..400 {
        let node = export.list("nodes").len();
        export.list("nodes").push(json!({"name": format!("copy{copy}"), "mesh": at}));
        export.put_below(parent, node);
    }
    let said = export.import(&["--memory", "8GiB"]);
    assert!(said.code == 2 && said.said.contains("share the same numbers too often"), "{}", said.said);
}

#[test]
fn shared_keys_take_memory_once() {
    for name in FILES {
        let mut export = Glb::of(name);
        let times = export.zeros(30_000, (5126, 4), ("SCALAR", 1));
        let values = export.zeros(30_000, (5126, 4), ("VEC3", 3));
        let count = export.list("nodes").len();
        let channels: Vec<Value> = (0..1000)
            .map(|nth| json!({"sampler": 0, "target": {"node": nth % count, "path": "translation"}}))
            .collect();
        let animation = json!({"name": "x", "samplers": [{"input": times, "output": values}], "channels": channels});
        export.list("animations").push(animation);
        let said = export.import(&SMALL.0);
        assert_eq!(said.code, 2, "{name}: {}", said.said);
        assert!(said.said.contains("is new"), "{name}: {}", said.said);
        said.keeps(SMALL.1, name);
    }
}

#[test]
fn empty_nodes_are_counted_before_they_are_read() {
    for name in FILES {
        let mut export = Glb::of(name);
        export.list("nodes").extend(vec![Value::Object(Map::new()); 300_000]);
        export.import(&SMALL.0).is_refused_by_memory(SMALL.1, name);
    }
}

/// Checks that four times as much takes about four times as much work, of the program and of the system for it.
pub(crate) fn is_linear(what: &str, of: impl Fn(usize) -> Run) {
    let [once, four_times] = [1, 4].map(|times| {
        let best = (0..2).filter_map(|_| Some(of(times).spent?.1)).min_by(f64::total_cmp);
        best.unwrap_or_default()
    });
    eprintln!("{what}: {once} s, {four_times} s");
    // Quadratic work would take 16 times as long. The clock has steps of 0.01 s.
    assert!(four_times < (once + 0.05) * 8.0, "{what}: {once} s, {four_times} s");
}

#[test]
fn nested_nodes_take_time_by_their_number() {
    for name in FILES {
        is_linear(name, |times| {
            let mut export = Glb::of(name);
            let first = export.nest(10_000 * times);
            export.document["scenes"][0]["nodes"].as_array_mut().unwrap().push(first.into());
            let said = export.import(&[]);
            assert!(said.code == 0 && said.said.contains("no changes"), "{name}: {}", said.said);
            said
        });
    }
}

/// Returns an export with new nodes, each inside the one before, below a node of the file.
fn with_nested(name: &'static str, depth: usize) -> Glb {
    let mut export = Glb::of(name);
    let first = export.nest(depth);
    let parent = export.node();
    export.put_below(parent, first);
    export
}

#[test]
fn nested_new_nodes_of_a_model_are_refused_without_a_crash() {
    let said = with_nested("boar.mdl", 100_000).import(&["--memory", "4GiB"]);
    assert!(said.code == 2 && said.said.contains("at most 256 levels deep"), "{}", said.said);
    let said = with_nested("boar.mdl", 50).import(&[]);
    assert_eq!(said.code, 0, "{}", said.said);
}

#[test]
fn nested_new_nodes_take_time_by_their_number() {
    for name in ["gamez.zbd", "mechlib.zbd"] {
        is_linear(name, |times| {
            let said = with_nested(name, 500 * times).import(&["-q"]);
            assert_eq!(said.code, 0, "{name}: {}", said.said);
            said
        });
    }
}

#[test]
fn shared_indices_take_time_by_their_number() {
    is_linear("primitives", |times| {
        let said = Glb::of("gamez.zbd").with_primitives(times, 3000).import(&[]);
        assert_eq!(said.code, 0, "{}", said.said);
        said
    });
}

/// A limit that a short list keeps, and the number of lines of a long one.
const LIST: ([&str; 2], u64, usize) = (["--memory", "64MB"], 64_000_000, 120_000);

/// Returns a list of that many hashes, by this program.
fn hashes(lines: usize, digits: usize) -> String {
    let mut list = String::new();
    for line in 0..lines {
        writeln!(list, "{line:0digits$x}  {line:x}.zbd").unwrap();
    }
    list
}

#[test]
fn lists_of_known_files_are_counted_as_they_are_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("gamez.zbd"), Glb::of("gamez.zbd").original).unwrap();
    let mut dat = "<?xml version=\"1.0\"?>\n<datafile><game name=\"a\">\n".to_owned();
    for line in 0..LIST.2 {
        writeln!(dat, "<rom name=\"{line:x}.zbd\" size=\"3\" crc=\"{line:08x}\"/>").unwrap();
    }
    dat.push_str("</game></datafile>\n");
    for (what, list) in [("sums", hashes(LIST.2, 64)), ("checksums", hashes(LIST.2, 8)), ("dat", dat)] {
        std::fs::write(folder.path().join("list"), list).unwrap();
        let args = ["verify", "--known", "list", "gamez.zbd"];
        run(folder.path(), &[&args[..], &LIST.0].concat()).is_refused_by_memory(LIST.1, what);
        let said = run(folder.path(), &[&args[..], &["--memory", "600MB"]].concat());
        assert_eq!(said.code, 0, "{what}: {}", said.said);
        said.keeps(600_000_000, what);
    }
    std::fs::write(folder.path().join("list"), hashes(1000, 64)).unwrap();
    let said = run(folder.path(), &[&["verify", "--known", "list", "gamez.zbd"][..], &LIST.0].concat());
    assert_eq!(said.code, 0, "{}", said.said);
}

#[test]
fn snapshots_and_lists_to_compare_with_are_counted_as_they_are_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("gamez.zbd"), Glb::of("gamez.zbd").original).unwrap();
    let snapshot = run(folder.path(), &["snapshot", "gamez.zbd", "-o", "snapshot"]);
    assert_eq!(snapshot.code, 0, "{}", snapshot.said);
    let snapshot = std::fs::read_to_string(folder.path().join("snapshot")).unwrap();
    let (row, summary) = snapshot.split_once('\n').unwrap();
    let mut rows = String::new();
    let count = LIST.2 / 8;
    for line in 0..count {
        writeln!(rows, "{}", row.replacen("gamez.zbd", &format!("{line:x}.zbd"), 1)).unwrap();
    }
    let mut summary: Value = serde_json::from_str(summary).unwrap();
    summary["summary"]["files"] = count.into();
    writeln!(rows, "{summary}").unwrap();
    for (what, list) in [("sums", hashes(LIST.2, 64)), ("snapshot", rows)] {
        std::fs::write(folder.path().join("list"), &list).unwrap();
        let args = ["verify", "--against", "list", "gamez.zbd"];
        run(folder.path(), &[&args[..], &LIST.0].concat()).is_refused_by_memory(LIST.1, what);
        let said = run(folder.path(), &[&args[..], &["--memory", "600MB", "-q"]].concat());
        assert_eq!(said.code, 1, "{what}: {}", said.said.chars().take(300).collect::<String>());
        said.keeps(600_000_000, what);
    }
}

/// Returns an archive of that many empty files, whose names are as short as possible.
fn zip_of(files: u32) -> Vec<u8> {
    let (mut zip, mut list) = (Vec::new(), Vec::new());
    for file in 0..files {
        let name = format!("{file:x}");
        let length = u16::try_from(name.len()).unwrap().to_le_bytes();
        // Version 1.0, no flags, not compressed, the first day of 1980, empty: the same in both places.
        let about = [&[10, 0, 0, 0, 0, 0, 0, 0, 0x21, 0][..], &[0; 12], &length, &[0, 0]].concat();
        let at = u32::try_from(zip.len()).unwrap().to_le_bytes();
        list.extend([&b"PK\x01\x02\x0A\0"[..], &about, &[0; 10], &at, name.as_bytes()].concat());
        zip.extend([&b"PK\x03\x04"[..], &about, name.as_bytes()].concat());
    }
    let (at, size) = (zip.len() as u64, list.len() as u64);
    zip.extend(list);
    // The end of an archive of any size, where it is, and the end of a small one, which points there.
    let end = zip.len() as u64;
    let counts = [u64::from(files), u64::from(files), size, at].map(u64::to_le_bytes).concat();
    zip.extend([&b"PK\x06\x06\x2C\0\0\0\0\0\0\0\x2D\0\x2D\0"[..], &[0; 8], &counts].concat());
    zip.extend([&b"PK\x06\x07\0\0\0\0"[..], &end.to_le_bytes(), &[1, 0, 0, 0]].concat());
    zip.extend([&b"PK\x05\x06\0\0\0\0"[..], &[0xFF; 12], &[0, 0]].concat());
    zip
}

#[test]
fn lists_of_archives_are_counted_as_they_are_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("many.zip"), zip_of(200_000)).unwrap();
    let pack = |limit: &str| run(folder.path(), &["--memory", limit, "pack", "many.zip", "new.zbd"]);
    pack("20MB").is_refused_by_memory(20_000_000, "a list of 200,000 names");
    // With more memory, all of it is read, and the manifest is missed.
    let said = pack("200MB");
    assert!(said.code == 2 && said.said.contains("bitexact.json"), "{}", said.said);
    said.keeps(200_000_000, "200,000 names");
}
