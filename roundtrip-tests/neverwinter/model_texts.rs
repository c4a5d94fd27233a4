//! Compiled models as text: every model comes back from it, edits change nothing else, and any text is compiled. Source: `nwn-mdl-text.md`,
//! sections 8 to 10.

use bitexact::aurora::model::Model;
use bitexact::aurora::node::Node;
use bitexact::kind::TextForm;

use super::*;

fn form() -> &'static TextForm {
    kind("mdl").text.expect("models have a text form")
}

/// Returns a model as text.
pub(super) fn text(file: &[u8]) -> String {
    let text = form().write(file).expect("a text");
    assert!((form().is_text)(&text) && !(form().is_text)(file));
    String::from_utf8(text).expect("UTF-8")
}

pub(super) fn compiled(text: &str) -> Result<Vec<u8>, String> {
    (form().read)(text.as_bytes())
}

pub(super) fn decoded(file: &[u8]) -> Model {
    decode::<Model>(file.to_vec()).expect("a model").model
}

/// Returns a text without what only this program reads, except for the name of the compiler.
pub(super) fn plain(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("#bitexact ") || line.starts_with("#bitexact compiler"));
    let lines = lines.filter(|line| !line.trim_start().starts_with("#bitexact ") || line.contains("compiler"));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Returns the models of the samples, then those of the corpora.
pub(super) fn models() -> (Vec<(String, Vec<u8>)>, usize) {
    let forged = forge::samples(harness::SEED, forge::Size::Small).into_iter().filter(|it| it.kind == "mdl");
    let mut all: Vec<_> = forged.map(|it| (it.name, it.bytes)).collect();
    let count = all.len();
    let Some(corpora) = harness::corpora() else {
        eprintln!("no corpora beside the project: only the models of the forge are tested");
        return (all, count);
    };
    for folder in ["nwn", "nwn-pairs", "nwn-install", "wild"] {
        for file in files(&corpora.join(folder)).into_iter().flatten() {
            let bytes = file.read().unwrap();
            if bytes.starts_with(&[0; 4]) && decode::<Model>(bytes.to_vec()).is_ok() {
                all.push((file.shown(), bytes.to_vec()));
            }
        }
    }
    (all, count)
}

#[test]
fn every_model_comes_back_from_its_text() {
    let (all, forged) = models();
    let real = all.len() - forged;
    let (mut refused, mut size, mut marks) = (Vec::new(), 0, 0);
    for (nth, (name, file)) in all.iter().enumerate() {
        match form().write(file) {
            Ok(text) => {
                assert_eq!((form().read)(&text).as_ref(), Ok(file), "{name}");
                let longest = text.split(|byte| *byte == b'\n').map(<[u8]>::len).max();
                assert!(longest <= Some(180), "{name}: {longest:?}");
                if nth >= forged {
                    size += file.len();
                    let text = String::from_utf8(text).unwrap();
                    marks += text.len() - plain(&text).len();
                }
            }
            Err(why) => refused.push(format!("{name}: {why}")),
        }
    }
    eprintln!("{real} real models, {size} bytes, {marks} bytes of marks");
    assert!(refused.is_empty(), "{refused:#?}");
    assert!(forged >= 10 && (real == 0 || real >= 90), "{forged} and {real}");
}

/// Returns what a text says of a node: parts, name, faces, positions of vertices, places in the texture.
fn said(node: &Node) -> String {
    let mesh = node.mesh.as_ref().map(|mesh| {
        let faces: Vec<_> = mesh.faces.iter().map(|face| (face.vertices, face.surface)).collect();
        let [places, ..] = &mesh.streams.coordinates;
        (faces, mesh.streams.vertices.to_vec(), places.to_vec(), mesh.head.diffuse, mesh.head.shadow)
    });
    format!("{:?} {} {mesh:?}", node.head.flags, node.head.name)
}

#[test]
fn a_plain_text_compiles_to_a_model_that_differs_only_in_last_bits() {
    let (all, forged) = models();
    let (mut same, mut nodes, mut normals, mut vertices) = (0, 0, 0, 0);
    for (name, file) in all.iter().skip(forged) {
        let again = compiled(&plain(&text(file))).unwrap_or_else(|why| panic!("{name}: {why}"));
        let (before, after) = (decoded(file), decoded(&again));
        assert_eq!(before.animations.len(), after.animations.len(), "{name}");
        for ((_, before), (_, after)) in before.nodes().zip(after.nodes()) {
            nodes += 1;
            same += usize::from(said(before) == said(after));
            let (Some(one), Some(other)) = (&before.mesh, &after.mesh) else { continue };
            for (one, other) in one.streams.normals.iter().zip(other.streams.normals.iter()) {
                vertices += 1;
                normals +=
                    usize::from(one.iter().zip(other).all(|(one, other)| (one.get() - other.get()).abs() < 1e-4));
            }
        }
    }
    eprintln!("{same} of {nodes} nodes, {normals} of {vertices} normals");
    assert!(
        same * 1000 >= nodes * 995 && normals * 1000 >= vertices * 990,
        "{same} of {nodes}, {normals} of {vertices}"
    );
}

/// Source: `nwn-pairs/SOURCES.md`; `nwn-mdl-text.md`, section 10.1.
#[test]
fn a_text_by_hand_compiles_to_the_model_beside_it() {
    let Some(corpora) = harness::corpora() else {
        return eprintln!("no corpora beside the project: nothing is tested");
    };
    for name in ["codi_osyA", "codi_osyB"] {
        let file = fs::read(corpora.join(format!("nwn-pairs/{name}.mdl"))).unwrap();
        let text = fs::read(corpora.join(format!("nwn-pairs/{name}.text.mdl"))).unwrap();
        let after = (form().read)(&text).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(after.len(), file.len(), "{name}");
        let differ = file.iter().zip(&after).filter(|(one, other)| one != other).count();
        eprintln!("{name}: {differ} of {} bytes differ", file.len());
        // Leftover memory after the names of events; without the super model, part numbers and node counts.
        let most = if name == "codi_osyA" { 156 } else { 45 * 4 + 4 };
        assert!(differ <= most, "{name}: {differ}");
    }
}

/// The file has fewer vertices than its text alone would give, so that no line about them counts any more.
#[test]
fn a_moved_vertex_of_a_mesh_with_shared_vertices_gives_a_whole_model() {
    let (all, forged) = models();
    let mut moved = 0;
    for (name, file) in all.iter().take(forged) {
        let text = text(file);
        for (place, line) in
            text.match_indices("\n    verts ").filter_map(|(at, _)| Some((at, text[at + 1..].lines().nth(1)?)))
        {
            let from = at_line(&text, place, line);
            let edited = format!("{}      7.25 8.5 9.75{}", &text[..from], &text[from + line.len()..]);
            let again = compiled(&edited).unwrap_or_else(|why| panic!("{name}: {why}"));
            let model = decode::<Model>(again.clone()).unwrap_or_else(|why| panic!("{name}: {why}")).model;
            assert!(bitexact::field::encode(&model).unwrap() == again, "{name}");
            for (_, node) in model.nodes() {
                let Some(mesh) = &node.mesh else { continue };
                let count = mesh.streams.vertices.len();
                for face in mesh.faces.iter().flat_map(|face| face.vertices) {
                    assert!(usize::from(face.get()) < count, "{name}: {} of {count}", face.get());
                }
            }
            moved += 1;
        }
    }
    assert!(moved > 10, "{moved}");
}

/// Returns where a line after a place begins.
fn at_line(text: &str, place: usize, line: &str) -> usize {
    place + text[place..].find(line).unwrap()
}

#[test]
fn an_edit_changes_nothing_else() {
    let (all, _) = models();
    let mut edited = 0;
    for (name, file) in &all {
        let shown = text(file);
        let Some(line) = shown.lines().find(|line| line.trim_start().starts_with("shininess ")) else { continue };
        let new = shown.replacen(&format!("{line}\n"), "    shininess 12.25\n", 1);
        let after = compiled(&new).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(after.len(), file.len(), "{name}");
        let differ: Vec<usize> = (0..file.len()).filter(|at| file[*at] != after[*at]).collect();
        let span = differ.last().zip(differ.first()).map_or(0, |(last, first)| last - first);
        assert!(span < 4, "{name}: {differ:?}");
        edited += usize::from(!differ.is_empty());
    }
    assert!(edited > 3, "{edited}");
}

pub(super) const SQUARE: &str = "# a remark\r
newmodel square\r
setsupermodel square NULL\r
classification TILE\r
setanimationscale 1\r
beginmodelgeom square\r
node dummy square\r
  parent NULL\r
endnode\r
Node Trimesh floor\r
  parent SQUARE\r
  position 1 2 3\r
  orientation 0 0 2 1.5707963\r
  Ambient 0.5 0.5 0.5\r
  bitmap Mtl #1\r
  unheardof 1 2 3\r
  verts 4\r
    0 0 2\r
\r
    4 0 2\r
    4 4 2\r
    0 4 2\r
  faces 2\r
    0 1 2  1  0 0 0  7\r
    0 2 3  1  0 0 0  7\r
endnode\r
endmodelgeom square\r
newanim walk square\r
  length 2\r
  event 1.5 hit\r
  event 0.5 snd_footstep\r
  node dummy square\r
    parent NULL\r
  endnode\r
  node dummy floor\r
    parent square\r
    positionkey 2\r
      0 0 0 0\r
      2 1 0 0\r
    orientationkey\r
      0 0 0 1 0\r
    endlist\r
  endnode\r
doneanim walk square\r
donemodel square\r
after the end
";

#[test]
fn a_text_by_hand_compiles_by_the_rules() {
    let model = decoded(&compiled(SQUARE).unwrap());
    assert_eq!((model.head.classification.get(), model.head.radius.get()), (2, 7.0));
    let floor = &model.root.children[0];
    let mesh = floor.mesh.as_ref().unwrap();
    let head = &mesh.head;
    let vector = |it: [bitexact::field::F32; 3]| it.map(|it| it.get());
    assert_eq!(mesh.streams.vertices.len(), 4);
    assert!(mesh.streams.normals.iter().all(|it| vector(*it) == [0.0, 0.0, 1.0]));
    assert!(mesh.streams.colors.iter().all(|it| it.map(|it| it.get()) == [0xFF; 4]));
    assert_eq!((vector(head.box_min), vector(head.box_max)), ([0.0; 3], [4.0, 4.0, 2.0]));
    assert_eq!((vector(head.average), head.area.get()), ([2.0, 2.0, 2.0], 16.0));
    assert_eq!((vector(head.ambient), vector(head.diffuse)), ([0.5; 3], [0.8; 3]));
    assert_eq!(head.textures[0], "Mtl");
    let faces: Vec<_> = mesh.faces.iter().map(|it| (it.adjacent.map(|it| it.get()), it.distance.get())).collect();
    assert_eq!(faces, [([-1, -1, 1], -2.0), ([0, -1, -1], -2.0)]);
    assert!(mesh.faces.iter().all(|it| it.surface.get() == 7));
    let keys: Vec<_> = floor.keys.iter().map(|key| (key.kind.get(), key.rows.get(), key.columns.get())).collect();
    assert_eq!(keys, [(8, 1, 3), (20, 1, 4)]);
    let values: Vec<f32> = floor.data.iter().map(|it| it.get()).collect();
    assert_eq!(values[..4], [0.0, 1.0, 2.0, 3.0]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    assert!(
        values[5..].iter().zip([0.0, 0.0, half, half]).all(|(one, other)| (one - other).abs() < 1e-6),
        "{values:?}"
    );
    let walk = &model.animations[0];
    let events: Vec<_> = walk.events.iter().map(|event| (event.time.get(), event.name.to_string())).collect();
    assert_eq!(events, [(0.5, "snd_footstep".to_owned()), (1.5, "hit".to_owned())]);
    let moved = &walk.root.children[0];
    assert_eq!((moved.head.part_number.get(), moved.keys.len(), moved.data.len()), (1, 2, 2 + 6 + 1 + 4));
    // What is written is read again.
    let file = compiled(SQUARE).unwrap();
    assert_eq!(compiled(&text(&file)), Ok(file));
}

#[test]
fn a_wrong_text_is_refused_with_its_line() {
    let wrong = |old: &str, new: &str| compiled(&SQUARE.replacen(old, new, 1)).unwrap_err();
    for (old, new, expected) in [
        ("newmodel square", "", "expected a line newmodel NAME"),
        ("donemodel", "", "expected donemodel"),
        ("parent SQUARE", "parent nobody", "line 11: expected the name of a node before this one as its parent"),
        ("0 2 3  1", "0 2 4  1", "line 25: expected a number from 0 to 3, found 4"),
        ("faces 2", "faces 3", "expected 3 rows of faces, found 2"),
        ("4 4 2", "4 x 2", "line 21: expected a number, found x"),
        ("position 1 2 3", "position 1 2", "line 12: expected 3 values of position"),
        (
            "Trimesh floor",
            "Trimesh a_name_of_more_than_thirty_one_bytes",
            "line 10: expected a name of at most 31 bytes",
        ),
        ("parent SQUARE", "parent NULL", "line 11: expected only one node with the parent NULL"),
        ("unheardof 1 2 3", "#bitexact mesh.unheardof 0:0", "line 16: no part of a model is mesh.unheardof"),
        ("unheardof 1 2 3", "#bitexact mesh.radius zz", "line 16: expected what `bitexact export` writes"),
    ] {
        let why = wrong(old, new);
        assert!(why.contains(expected), "{new}: {why}");
    }
}

#[test]
fn commands_take_a_model_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let file = compiled(SQUARE).unwrap();
    fs::write(at("square.mdl"), &file).unwrap();
    let ok = |args: &[&str]| prints(0, folder.path(), args);
    // A text has the extension of the file, which it must not replace.
    let (code, _, err) = run(folder.path(), &["export", "square.mdl", "square.mdl", "--force"]);
    assert!(code == 2 && err.contains("refusing to overwrite a game file"), "{err}");
    ok(&["export", "square.mdl", "square.text.mdl"]);
    ok(&["export", "square.mdl", "square.text.mdl", "--force"]);
    let shown = fs::read_to_string(at("square.text.mdl")).unwrap();
    assert_eq!(shown, text(&file));
    assert!(ok(&["import", "square.mdl", "square.text.mdl"]).contains("square.mdl: no changes, file not written"));
    fs::write(at("square.text.mdl"), shown.replacen("bitmap Mtl", "bitmap stone", 1)).unwrap();
    let said = ok(&["import", "square.mdl", "square.text.mdl"]);
    assert!(said.contains("\"Mtl\" → \"stone\"") && said.contains("1 change,"), "{said}");
    ok(&["pack", "square.text.mdl", "new.mdl"]);
    assert_eq!(fs::read(at("new.mdl")).unwrap(), fs::read(at("square.mdl")).unwrap());
    // In a container, only a text that was exported becomes a model; the game reads others as they are.
    fs::create_dir(at("src")).unwrap();
    fs::copy(at("square.text.mdl"), at("src/square.mdl")).unwrap();
    fs::write(at("src/hand.mdl"), SQUARE).unwrap();
    fs::copy(at("new.mdl"), at("src/binary.mdl")).unwrap();
    ok(&["pack", "--new", "hak", "src", "new.hak"]);
    let hak = decode::<Erf>(fs::read(at("new.hak")).unwrap()).unwrap().model;
    let found: Vec<_> = hak.entries().map(|it| (it.name(), it.bytes().unwrap())).collect();
    let binary = fs::read(at("new.mdl")).unwrap();
    let expected = [("binary.mdl", &binary), ("hand.mdl", &SQUARE.as_bytes().to_vec()), ("square.mdl", &binary)];
    assert_eq!(found.iter().map(|(name, bytes)| (name.as_str(), bytes)).collect::<Vec<_>>(), expected);
    ok(&["patch", "new.hak", "--replace", "binary.mdl=square.text.mdl"]);
    ok(&["unpack", "--loose", "new.hak", "src", "--force"]);
    assert!(fs::read(at("src/square.mdl")).unwrap().starts_with(b"#bitexact compiler"));
    assert_eq!(fs::read(at("src/binary.mdl")).unwrap(), binary);
}
