//! Two HAKs in one: what each has, what differs, and rows that both append to one table.

use forge::nwn::resources::{Erf as Container, build_erf, resource};

use super::loose::listed;
use super::*;

const BASE: &str = "2DA V2.0\r\n\r\n   LABEL   MASTER\r\n0  a       ****\r\n1  b       0\r\n";

fn table(rows: &[&str]) -> Vec<u8> {
    let rows: String = rows.iter().map(|row| format!("{row}\r\n")).collect();
    format!("{BASE}{rows}").into_bytes()
}

/// Returns a creature with an appearance.
fn creature(appearance: u16) -> Vec<u8> {
    let spell = Struct { id: 0, fields: vec![("Spell", gff::Value::Word(2, 2))] };
    build(&Spec::new(
        b"UTC ",
        vec![
            ("Appearance_Type", gff::Value::Word(2, appearance.into())),
            ("SpecAbilityList", gff::Value::List(vec![spell])),
            ("Tag", string(b"b")),
        ],
    ))
}

fn hak(resources: Vec<forge::nwn::resources::Resource>) -> Vec<u8> {
    build_erf(&Container::new(b"HAK ", resources))
}

#[test]
fn two_haks_are_joined_with_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let call = |args: &[&str]| {
        let (code, out, err) = run(folder.path(), args);
        (code, out + &err)
    };
    let spells = |rows: &[&str]| String::from_utf8(table(rows)).unwrap().replace("MASTER", "Master").into_bytes();
    let first = hak(vec![
        resource("appearance", 2017, table(&["2  own     ****"])),
        resource("spells", 2017, spells(&["2  fire    ****"])),
        resource("same", 2009, b"x".to_vec()),
        resource("talk", 2009, b"one".to_vec()),
        resource("longer", 2017, table(&[])),
    ]);
    let second = hak(vec![
        resource("appearance", 2017, table(&["2  theirs  ****", "3  more    ****"])),
        resource("spells", 2017, spells(&["2  ice     0", "3  colder  2"])),
        resource("same", 2009, b"x".to_vec()),
        resource("talk", 2009, b"two".to_vec()),
        resource("longer", 2017, table(&["2  c       1"])),
        resource("boar", 2027, creature(3)),
        resource("sow", 2027, creature(1)),
    ]);
    fs::write(at("first.hak"), &first).unwrap();
    fs::write(at("second.hak"), &second).unwrap();
    let both = ["pack", "--new", "hak", "first.hak", "both.hak", "--with", "second.hak"];
    let (code, said) = call(&both);
    assert!(code == 2 && !at("both.hak").exists(), "{said}");
    for why in [
        "appearance.2da: differs in first.hak and second.hak: after 2 equal rows, they append 1 and 2; --renumber",
        "talk.nss: differs in first.hak and second.hak; --favor first or --favor last decides",
    ] {
        assert!(said.contains(why), "{why}: {said}");
    }
    let (code, said) = call(&[&both[..], &["--favor", "first", "--renumber"]].concat());
    assert_eq!(code, 0, "{said}");
    for line in [
        "first.hak: 5 resources",
        "second.hak: 2 resources",
        "in several with the same content: 1",
        "longer.2da: taken from second.hak, whose table has the rows of the other one and more",
        "talk.nss: differs; taken from first.hak",
        "appearance.2da: second.hak: rows 2 to 3 become 3 to 4; 1 value that names them followed",
        "spells.2da: second.hak: rows 2 to 3 become 3 to 4; 3 values that name them followed",
        "numbers of these rows in scripts did not follow: 2 scripts",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let found: BTreeMap<String, Vec<u8>> = listed(&fs::read(at("both.hak")).unwrap())
        .into_iter()
        .map(|(name, kind, data)| (format!("{name}.{kind}"), data))
        .collect();
    assert_eq!(found["talk.2009"], b"one");
    assert_eq!(found["appearance.2017"], table(&["2  own     ****", "3  theirs  ****", "4  more    ****"]));
    // A row of the base is still named, the second one by its new number.
    assert_eq!(found["spells.2017"], spells(&["2  fire    ****", "3  ice     0", "4  colder  3"]));
    let word = |file: &[u8], label: &str| tree(file).get(label).unwrap().get("value").unwrap().clone();
    assert_eq!(word(&found["boar.2027"], "Appearance_Type"), Value::from(4_i64));
    assert_eq!(word(&found["sow.2027"], "Appearance_Type"), Value::from(1_i64));
    let spell = word(&found["boar.2027"], "SpecAbilityList");
    assert_eq!(spell.items().unwrap()[0].get("Spell").unwrap().get("value").unwrap(), &Value::from(3_i64));
    // The same again, and the other way around.
    let before = fs::read(at("both.hak")).unwrap();
    call(&[&both[..], &["--favor", "first", "--renumber", "--force"]].concat());
    assert!(fs::read(at("both.hak")).unwrap() == before);
    let (code, said) = call(&[&both[..], &["--favor", "last", "--force"]].concat());
    assert!(code == 0 && said.contains("talk.nss: differs; taken from second.hak"), "{said}");
    // A folder joins, too, and edited rows are no appended ones.
    fs::create_dir(at("src")).unwrap();
    fs::write(at("src/longer.2da"), String::from_utf8(table(&["2  c       1"])).unwrap().replace("0  a", "0  z"))
        .unwrap();
    let (code, said) = call(&["pack", "--new", "hak", "second.hak", "c.hak", "--with", "src", "--renumber"]);
    assert!(code == 2 && said.contains("longer.2da: differs in second.hak and src: row 0 was edited"), "{said}");
    // Nor does a decision about one of them drop rows that both append.
    for (folder, row, edited) in [("x", "2  own     ****", "0  a"), ("y", "2  theirs  ****", "0  z")] {
        fs::create_dir(at(folder)).unwrap();
        let text = String::from_utf8(table(&[row])).unwrap().replace("0  a", edited);
        fs::write(at(folder).join("appearance.2da"), text).unwrap();
    }
    let both = ["pack", "--new", "hak", "x", "d.hak", "--with", "y", "--renumber", "--favor"];
    for favor in ["first", "last"] {
        let (code, said) = call(&[&both[..], &[favor]].concat());
        assert!(code == 2 && !at("d.hak").exists(), "{said}");
        assert!(
            said.contains("x and y: row 0 was edited, and both append rows, some of them dropped by --favor"),
            "{said}"
        );
    }
}

#[test]
fn conflicts_of_git_are_not_packed() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    let marked = |end: &str| format!("2DA V2.0\n\n A\n0 1\n<<<<<<< HEAD\n1 2\n=======\n1 3\n{end}\n2 4\n");
    for name in ["a.2da", "a.nss", "a.utc.json"] {
        fs::write(folder.path().join("src").join(name), marked(">>>>>>> other")).unwrap();
        let (code, out, err) = run(folder.path(), &["pack", "--new", "hak", "src", "a.hak"]);
        assert!(code == 2 && err.contains(&format!("{name}: line 5: begins a conflict of Git")), "{out}{err}");
        fs::remove_file(folder.path().join("src").join(name)).unwrap();
    }
    // A tree of fields with the extension of another one is packed, with a note.
    let boar = fs::read(crate::harness::golden_install().join("nwn/override/c_boar.utc")).unwrap();
    fs::write(folder.path().join("src/boar.uti"), boar).unwrap();
    let (code, _, err) = run(folder.path(), &["pack", "--new", "hak", "src", "b.hak"]);
    assert!(code == 0 && err.contains("boar.uti: has the fields of a .utc, by its `__data_type`"), "{err}");
    // A line of a comment is none.
    fs::write(folder.path().join("src/a.nss"), "// x\n<<<<<<< b\n").unwrap();
    assert_eq!(run(folder.path(), &["pack", "--new", "hak", "src", "a.hak"]).0, 0);
}

/// Returns a folder with two HAKs of the same base, and the arguments that join them.
fn two(
    first: Vec<forge::nwn::resources::Resource>,
    second: Vec<forge::nwn::resources::Resource>,
) -> (tempfile::TempDir, impl Fn(&[&str]) -> (i32, String)) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("first.hak"), hak(first)).unwrap();
    let descriptions = vec![(0, b"By somebody".to_vec())];
    let second = Container { descriptions, ..Container::new(b"HAK ", second) };
    fs::write(folder.path().join("second.hak"), build_erf(&second)).unwrap();
    let path = folder.path().to_owned();
    let call = move |more: &[&str]| {
        let args = [&["pack", "--new", "hak", "first.hak", "both.hak", "--with", "second.hak"], more].concat();
        let (code, out, err) = run(&path, &args);
        (code, out + &err)
    };
    (folder, call)
}

fn joined(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let all = listed(&fs::read(folder.join("both.hak")).unwrap());
    all.into_iter().map(|(name, kind, data)| (format!("{name}.{kind}"), data)).collect()
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    let rows: Vec<String> = (2..256).map(|nth| format!("{nth} own 0")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let boar =
        build(&Spec::new(b"UTC ", vec![("Appearance_Type", gff::Value::Word(2, 2)), ("Race", gff::Value::Word(0, 2))]));
    let (folder, call) = two(
        vec![resource("racialtypes", 2017, table(&rows)), resource("appearance", 2017, table(&["2 own ****"]))],
        vec![
            resource("racialtypes", 2017, table(&["2 theirs 0"])),
            resource("appearance", 2017, table(&["2 theirs ****"])),
            resource("boar", 2027, boar.clone()),
        ],
    );
    let (code, said) = call(&["--renumber"]);
    let why = "second.hak: boar.utc: /Race/value: row 2 of racialtypes.2da becomes 256, but the field holds at most 255; take rows out";
    assert!(code == 2 && said.contains(why) && !folder.path().join("both.hak").exists(), "{said}");
    // A tree that cannot be read can name rows, too.
    let (folder, call) = two(
        vec![resource("appearance", 2017, table(&["2 own ****"]))],
        vec![
            resource("appearance", 2017, table(&["2 theirs ****"])),
            resource("boar", 2027, boar[..boar.len() - 1].to_vec()),
        ],
    );
    let (code, said) = call(&["--renumber"]);
    assert!(code == 2 && said.contains("second.hak: boar.utc: cannot be read, so that numbers"), "{said}");
    assert!(!folder.path().join("both.hak").exists());
    // Bits beyond the type of a field are kept, and are none of the number.
    let (_folder, call) = two(
        vec![resource("appearance", 2017, table(&["2 own ****"]))],
        vec![
            resource("appearance", 2017, table(&["2 theirs ****"])),
            resource(
                "boar",
                2027,
                build(&Spec::new(b"UTC ", vec![("Appearance_Type", gff::Value::Word(2, 0x1_0002))])),
            ),
        ],
    );
    let (code, said) = call(&["--renumber"]);
    let why = "second.hak: boar.utc: /Appearance_Type/word: names a row of appearance.2da, whose rows move, but has bits beyond its type";
    assert!(code == 2 && said.contains(why), "{said}");
}

/// Source: `nwn-2da.md`, section 8.
#[test]
fn the_number_for_none_is_no_row_and_old_and_new_labels_follow() {
    let rows: Vec<String> = (2..256).map(|nth| format!("{nth} theirs 0")).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let property = |param: u32| Struct { id: 0, fields: vec![("Param1", gff::Value::Word(0, param))] };
    let item = |params: [u32; 2]| {
        let list = gff::Value::List(params.map(property).into());
        build(&Spec::new(b"UTI ", vec![("PropertiesList", list), ("Tag", string(b"b"))]))
    };
    let creature = |[wings, tail, sounds]: [u32; 3]| {
        let fields = [
            ("Wings", gff::Value::Word(4, wings)),
            ("Tail_New", gff::Value::Word(4, tail)),
            ("SoundSetFile", gff::Value::Word(2, sounds)),
        ];
        build(&Spec::new(b"UTC ", fields.into()))
    };
    let own = |name: &'static str| resource(name, 2017, table(&["2 own ****"]));
    let theirs = |name: &'static str| resource(name, 2017, table(&["2 theirs ****"]));
    let (folder, call) = two(
        vec![own("iprp_paramtable"), own("wingmodel"), own("tailmodel"), own("soundset")],
        vec![
            resource("iprp_paramtable", 2017, table(&rows)),
            theirs("wingmodel"),
            theirs("tailmodel"),
            theirs("soundset"),
            resource("sword", 2025, item([255, 3])),
            resource("boar", 2027, creature([2, 2, 65_535])),
        ],
    );
    let (code, said) = call(&["--renumber"]);
    assert_eq!(code, 0, "{said}");
    let all = joined(folder.path());
    let same =
        |found: &[u8], expected: &[u8]| assert_eq!(without_layout(&tree(found)), without_layout(&tree(expected)));
    same(&all["sword.2025"], &item([255, 4]));
    same(&all["boar.2027"], &creature([3, 3, 65_535]));
    assert!(
        said.contains("iprp_paramtable.2da: second.hak: rows 2 to 255 become 3 to 256; 1 value that names them"),
        "{said}"
    );
}

#[test]
fn numbers_follow_in_each_form() {
    let one = Struct { id: 0, fields: vec![("Appearance", gff::Value::Word(5, 2))] };
    let encounter =
        build(&Spec::new(b"UTE ", vec![("CreatureList", gff::Value::List(vec![one])), ("Tag", string(b"b"))]));
    let domains = |cells: [&str; 3]| {
        let [a, b, c] = cells;
        format!("2DA V2.0\r\n\r\n LABEL Level_1 GrantedFeat\r\n0 a {a} {b}\r\n1 b **** {c}\r\n").into_bytes()
    };
    let (folder, call) = two(
        vec![
            resource("appearance", 2017, table(&["2 own ****"])),
            resource("feat", 2017, table(&["2 own ****"])),
            resource("spells", 2017, table(&["2 own ****"])),
            resource("ownthings", 2017, table(&["2 own ****"])),
        ],
        vec![
            resource("appearance", 2017, table(&["2 theirs ****"])),
            resource("feat", 2017, table(&["2 theirs ****"])),
            resource("spells", 2017, table(&["2 theirs ****"])),
            resource("ownthings", 2017, table(&["2 theirs ****"])),
            resource("domains", 2017, domains(["\"2\"", "0x02", "1"])),
            resource("camp", 2040, encounter),
            resource("run", 2009, b"void main() {}".to_vec()),
            resource("RUN", 2010, b"NCS V1.0".to_vec()),
            resource("other", 2010, b"NCS V1.0".to_vec()),
            resource("readme", 10, b"hello".to_vec()),
        ],
    );
    let (code, said) = call(&["--renumber"]);
    assert_eq!(code, 0, "{said}");
    for line in [
        "appearance.2da: second.hak: row 2 becomes 3; 1 value that names it followed",
        "feat.2da: second.hak: row 2 becomes 3; 1 value that names it followed",
        "spells.2da: second.hak: row 2 becomes 3; 1 value that names it followed",
        "ownthings.2da: second.hak: row 2 becomes 3; no field or column that names rows of this table is known; look for what names it",
        "numbers of these rows in scripts did not follow: 2 scripts",
        "second.hak: its date and descriptions are not taken: the new container has those of the first one",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let found = joined(folder.path());
    assert_eq!(found["domains.2017"], domains(["\"3\"", "0x03", "1"]));
    assert_eq!(found["readme.10"], b"hello");
    let camp = tree(&found["camp.2040"]);
    let one = &camp.get("CreatureList").unwrap().get("value").unwrap().items().unwrap()[0];
    assert_eq!(one.get("Appearance").unwrap().get("value").unwrap(), &Value::from(3_i64));
}

#[test]
fn tables_that_differ_in_defaults_or_labels_are_not_the_same() {
    let text = String::from_utf8(table(&[])).unwrap();
    for other in [text.replacen("\r\n\r\n", "\r\nDEFAULT: 5\r\n", 1), text.replace("1  b", "7  b")] {
        assert_ne!(other, text);
        let (_folder, call) =
            two(vec![resource("a", 2017, table(&[]))], vec![resource("a", 2017, other.clone().into_bytes())]);
        let (code, said) = call(&[]);
        let why = "a.2da: differs in first.hak and second.hak: their columns, labels of rows or defaults are not the same; --favor first";
        assert!(code == 2 && said.contains(why), "{said}");
    }
    let other = text.replace("  ", " ");
    let (folder, call) = two(vec![resource("a", 2017, table(&[]))], vec![resource("a", 2017, other.into_bytes())]);
    let (code, said) = call(&[]);
    let why = "a.2da: taken from first.hak; the others differ only in spaces or line ends";
    assert!(code == 0 && said.contains(why) && !said.contains("and more"), "{said}");
    assert_eq!(joined(folder.path())["a.2017"], table(&[]));
}

/// What compiling leaves out is said by the path of each source.
#[test]
fn notes_of_all_sources_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    // Without the name of a compiler, the text stays a text.
    let text = super::model_texts::SQUARE.replacen("  unheardof 1 2 3\r\n", "  animverts 1\r\n   0 0 0\r\n", 1);
    let text = format!("#bitexact compiler B\r\n{text}");
    for (source, name) in [("one", "square"), ("two", "other")] {
        fs::create_dir(folder.path().join(source)).unwrap();
        let text = text.replace("SQUARE", name).replace("square", name);
        fs::write(folder.path().join(source).join(format!("{name}.mdl")), text).unwrap();
    }
    for (more, paths) in [(&[][..], &["square.mdl"][..]), (&["--with", "two"], &["square.mdl", "other.mdl"])] {
        let args = [&["pack", "--new", "hak", "one", "both.hak", "--force"], more].concat();
        let (code, out, err) = run(folder.path(), &args);
        assert_eq!(code, 0, "{out}{err}");
        let said = out + &err;
        let lines: Vec<&str> =
            said.lines().filter(|line| line.contains("line 17: animverts of floor is not compiled")).collect();
        assert_eq!(lines.len(), paths.len(), "{said}");
        for (line, (folder, name)) in lines.iter().zip(["one", "two"].iter().zip(paths)) {
            assert!(line.replace('\\', "/").starts_with(&format!("{folder}/{name}: ")), "{line}");
        }
    }
}

/// Every pair of containers beside the project that are two states of one.
#[test]
fn real_haks_are_joined() {
    let Some(corpora) = harness::corpora() else {
        return eprintln!("no corpora beside the project: nothing is tested");
    };
    let folder = tempfile::tempdir().unwrap();
    let haks: Vec<_> = files(&corpora.join("nwn-install")).unwrap();
    let haks: Vec<_> =
        haks.iter().filter(|file| file.name().starts_with("Grim3") && file.name().ends_with(".hak")).collect();
    let mut joined = 0;
    for pair in haks.windows(2) {
        let paths = [pair[0], pair[1]].map(|file| (file.shown(), listed(&file.read().unwrap())));
        let places: Vec<_> = pair
            .iter()
            .enumerate()
            .map(|(nth, file)| {
                let path = folder.path().join(format!("{nth}.hak"));
                fs::write(&path, file.read().unwrap()).unwrap();
                path.display().to_string()
            })
            .collect();
        let (code, out, err) = run(
            folder.path(),
            &["pack", "--new", "hak", &places[0], "out.hak", "--with", &places[1], "--favor", "first", "--force"],
        );
        assert_eq!(code, 0, "{paths:?}: {out}{err}");
        let all = listed(&fs::read(folder.path().join("out.hak")).unwrap());
        let key = |one: &(String, u16, Vec<u8>)| (one.0.to_lowercase(), one.1);
        let [(_, first), (_, second)] = &paths;
        let expected: std::collections::BTreeSet<_> = first.iter().chain(second).map(key).collect();
        assert_eq!(all.iter().map(key).collect::<std::collections::BTreeSet<_>>(), expected);
        for one in &all {
            assert!(first.contains(one) || second.contains(one), "{}", one.0);
        }
        joined += 1;
    }
    assert!(joined >= 6, "{joined}");
}
