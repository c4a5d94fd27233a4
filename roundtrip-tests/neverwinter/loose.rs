//! Containers from loose files, and loose files from containers. Source: `nwn-erf.md`, section 8.2.

use bitexact::loose::{CONTAINER, Date, Loose, LooseForm, Loosened};
use bytes::Bytes;
use forge::nwn::resources::{Erf as Container, build_erf, resource};

use super::*;

/// A resource as another program sees it: its name, its type and its bytes.
pub(super) type One = (String, u16, Vec<u8>);

/// Returns the resources of a container. Written from the format spec, without the library.
pub(super) fn listed(file: &[u8]) -> Vec<One> {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let key = if &file[4..8] == b"V1.1" { 40 } else { 24 };
    let (count, keys, table) = (word(16), word(24), word(28));
    let one = |nth: usize| -> One {
        let (at, slot) = (keys + nth * key, table + nth * 8);
        let name = file[at..at + key - 8].split(|byte| *byte == 0).next().unwrap();
        let kind = u16::from_le_bytes(file[at + key - 4..at + key - 2].try_into().unwrap());
        let data = &file[word(slot)..word(slot) + word(slot + 4)];
        (name.iter().map(|byte| char::from(*byte)).collect(), kind, data.to_vec())
    };
    (0..count).map(one).filter(|(name, kind, _)| !name.is_empty() || *kind != 0).collect()
}

/// Returns the type word of a container.
fn word_of(file: &[u8]) -> [u8; 4] {
    file[..4].try_into().unwrap()
}

/// Returns resources in the order of a new container, which has repeated ones once.
fn sorted(mut all: Vec<One>) -> Vec<One> {
    all.sort_by_key(|(name, kind, _)| (name.to_lowercase(), *kind));
    all.dedup();
    all
}

fn loosened(file: &[u8], form: LooseForm) -> BTreeMap<String, Bytes> {
    Loosened::of(&file.to_vec().into()).expect("loose files").files(form)
}

fn built(files: BTreeMap<String, Bytes>, word: [u8; 4]) -> Vec<u8> {
    Loose::of(files).and_then(|loose| loose.build(word, None)).expect("a container").to_vec()
}

/// Returns the containers beside the project that can be edited.
fn real_containers() -> Vec<(String, Vec<u8>)> {
    let Some(corpora) = harness::corpora() else {
        eprintln!("no corpora beside the project: only the containers of the forge are tested");
        return Vec::new();
    };
    let folders = ["nwn-install", "wild", "nwn"].map(|folder| corpora.join(folder));
    let all = folders.iter().filter_map(|folder| files(folder).ok()).flatten();
    let all = all.map(|file| (file.shown(), file.read().unwrap().to_vec()));
    let all = all.filter(|(path, _)| !path.contains("/hostile/") && !path.contains("\\hostile\\"));
    all.filter(|(_, bytes)| decode::<Erf>(bytes.clone()).is_ok() && &bytes[4..8] != b"E1.0").collect()
}

fn forged_containers() -> Vec<(String, Vec<u8>)> {
    let forged = forge::samples(harness::SEED, forge::Size::Small).into_iter().filter(|it| it.kind == "erf");
    forged.map(|it| (it.name, it.bytes)).collect()
}

#[test]
fn containers_are_built_again_from_their_loose_files() {
    let (mut refused, mut trees) = (Vec::new(), 0);
    let (forged, real) = (forged_containers(), real_containers());
    let (mut counts, first_real) = ([0, 0], forged.len());
    for (nth, (path, file)) in forged.into_iter().chain(real).enumerate() {
        let loose = match Loosened::of(&Bytes::from(file.clone())) {
            Ok(loose) => loose,
            Err(why) => {
                refused.push(format!("{path}: {}", why.join("; ")));
                continue;
            }
        };
        let expected = sorted(listed(&file));
        for form in [LooseForm::Raw, LooseForm::Json] {
            let files = loose.files(form);
            assert_eq!(files.len(), expected.len() + 1, "{path}");
            trees += files.keys().filter(|path| path.ends_with(".json")).count();
            // Folders do not matter.
            let nested = files.iter().map(|(path, bytes)| match path == CONTAINER {
                true => (path.clone(), bytes.clone()),
                false => (format!("{}/{path}", path.len() % 3), bytes.clone()),
            });
            let (first, second) = (built(files.clone(), word_of(&file)), built(nested.collect(), word_of(&file)));
            assert!(first == second, "{path}: folders matter");
            assert_eq!(listed(&first), expected, "{path}");
            // The header has the same date and text number, and the descriptions are the same.
            let text_of = |file: &[u8]| {
                let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
                let start = if word(8) == 0 { 160 } else { word(20) };
                file[start..word(24)].to_vec()
            };
            assert_eq!((&first[..12], &first[32..44]), (&file[..12], &file[32..44]), "{path}");
            assert_eq!(text_of(&first), text_of(&file), "{path}");
            assert_eq!(loosened(&first, form), files, "{path}");
            let [before, after] = [&file, &first].map(|bytes| verify(KINDS, &path, bytes.clone()));
            assert_eq!(after.status, Status::Identical, "{path}");
            assert!(after.deviations.len() <= before.deviations.len(), "{path}: {:?}", after.deviations);
        }
        counts[usize::from(nth >= first_real)] += 1;
    }
    let reasons = ["two different resources", "cannot be edited", "would not be packed", "lies outside"];
    assert!(refused.iter().all(|why| reasons.iter().any(|reason| why.contains(reason))), "{refused:#?}");
    eprintln!("built twice from loose files: {} forged containers, {} real ones", counts[0], counts[1]);
    // Each real one can be built; forged ones make 50.
    let real = if harness::corpora().is_some() { 42 } else { 0 };
    assert!(counts[1] == real && counts[0] >= 8 && refused.len() < 8, "{counts:?} {refused:#?}");
    assert!(trees >= 2, "{trees} trees");
}

#[test]
fn trees_of_fields_are_json_files_of_their_own() {
    let form = kind("gff").text.unwrap();
    let mut count = 0;
    let forged = forge::samples(harness::SEED, forge::Size::Small).into_iter().filter(|it| it.kind == "gff");
    let mut all: Vec<_> = forged.map(|it| (it.name, it.bytes)).collect();
    for (path, file) in real_containers() {
        let entries = decode::<Erf>(file).unwrap().model;
        let trees = entries.entries().filter(|entry| entry.kind() == "gff");
        all.extend(trees.map(|entry| (format!("{path}!{}", entry.name()), entry.bytes().unwrap())));
    }
    for (path, file) in all {
        let text = form.write(&file).unwrap_or_else(|why| panic!("{path}: {why}"));
        assert!((form.is_text)(&text) && !(form.is_text)(&file), "{path}");
        assert_eq!((form.read)(&text).as_ref(), Ok(&file), "{path}");
        count += 1;
    }
    assert!(count >= if harness::corpora().is_some() { 900 } else { 10 }, "{count}");
}

#[test]
fn numbers_of_64_bits_are_numbers_in_such_a_file() {
    let form = kind("gff").text.unwrap();
    let eight = |kind: u32, bytes: [u8; 8]| gff::Value::Data(kind, bytes.to_vec());
    for (value, shown) in [
        (eight(9, 0.1_f64.to_le_bytes()), "0.1"),
        // No number of JSON here is this close to one of 32 bits.
        (eight(9, f64::from_bits(0x3FB9_9999_9999_999B).to_le_bytes()), "\"0.10000000000000002\""),
        (eight(9, 1e300_f64.to_le_bytes()), "\"1e300\""),
        (eight(9, (-0.0_f64).to_le_bytes()), "-0.0"),
        (eight(9, f64::from(0.1_f32).to_le_bytes()), "0.10000000149011612"),
        (eight(7, i64::MIN.to_le_bytes()), "-9223372036854775808"),
        (eight(6, (1_u64 << 60).to_le_bytes()), "1152921504606846976"),
        (eight(6, u64::MAX.to_le_bytes()), "\"18446744073709551615\""),
    ] {
        let file = build(&Spec::new(b"UTC ", vec![("Value", value)]));
        let text = String::from_utf8(form.write(&file).unwrap()).unwrap();
        assert!(
            text.contains(&format!("\"value\": {shown}}}")) || text.contains(&format!("\"value\": {shown}\n")),
            "{text}"
        );
        assert_eq!((form.read)(text.as_bytes()), Ok(file), "{text}");
    }
    let wrong = (form.read)(br#"{"__data_type": "UTC ", "Tag": {"type": "cexostring", "value": 1}}"#);
    let why = "/Tag/value: expected characters of windows-1252, found 1 at line 1 column 64";
    assert_eq!(wrong, Err(why.to_owned()));
}

/// What a HAK says about itself.
const HAK: &[u8] =
    br#"{"kind": "HAK ", "version": "V1.0", "build_year": 0, "build_day": 0, "description_strref": -1, "object_id": "", "descriptions": []}"#;

fn of(files: &[(&str, &[u8])]) -> Result<Loose, Vec<String>> {
    Loose::of(files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec().into())).collect())
}

#[test]
fn a_new_container_is_written_by_the_rules() {
    let loose = of(&[
        ("nss/B.nss", b"void main() {}"),
        ("a.utc", b"creature"),
        ("a.nss", b""),
        ("README.md", b"about"),
        ("x/License", b"terms"),
        ("b.3003", b"other"),
    ])
    .unwrap();
    assert_eq!(loose.others, ["README.md", "x/License"]);
    let file = loose.build(*b"HAK ", "2026-11-30".parse().ok()).unwrap();
    let expected =
        [("a", 2009, &b""[..]), ("a", 2027, b"creature"), ("B", 2009, b"void main() {}"), ("b", 3003, b"other")];
    assert_eq!(listed(&file), expected.map(|(name, kind, data)| (name.to_owned(), kind, data.to_vec())));
    let head: Vec<u32> = file[..44].chunks(4).map(|it| u32::from_le_bytes(it.try_into().unwrap())).collect();
    assert_eq!(&file[..8], b"HAK V1.0");
    assert_eq!(head[2..], [0, 0, 4, 160, 160, 160 + 4 * 24, 126, 333, u32::MAX]);
    assert!(file[44..160].iter().all(|byte| *byte == 0));
    let without = loose.build(*b"MOD ", None).unwrap();
    assert_eq!((&without[..4], &without[32..40]), (&b"MOD "[..], &[0; 8][..]));
    let none = of(&[]).unwrap().build(*b"MOD ", None).unwrap();
    assert_eq!((none.len(), listed(&none)), (160, vec![]));
    assert_eq!(verify(KINDS, "a.mod", none.to_vec()).deviations, []);
}

#[test]
fn files_that_are_no_resources_are_refused_with_their_paths() {
    let said = |files: &[(&str, &[u8])]| {
        of(files).and_then(|loose| loose.build(*b"MOD ", None)).map(drop).expect_err("an error").join("\n")
    };
    for (files, why) in [
        (&[("a/b.utcc", &b""[..])][..], "a/b.utcc: no resource has this extension"),
        (&[("Makefile.utcc", b""), ("c", b"")], "c: no resource has this extension"),
        (&[("b.json", b"{}")], "b.json: no resource has this extension"),
        (&[("b.2da.json", b"{}")], "b.2da.json: no resource has this extension"),
        (&[("b.tlk.json", b"{}")], "b.tlk.json: its content is not the text form of .tlk; `bitexact export` writes"),
        (&[("b.utc.json", b"{}")], "b.utc.json: has no `__data_type`, with which the JSON of a .utc begins"),
        (&[("b.utc.json", b" ")], "b.utc.json: is empty; `bitexact export` writes this form"),
        (&[("b.utc.json", br#"{"__data_type": 1}"#)], "b.utc.json: /__data_type: expected four characters, found 1"),
        (&[("b.asm", b"ncs \"V1.0\"\nRETURN\n")], "b.asm: line 2: expected an instruction"),
        (&[("x/.utc", b"")], "x/.utc: expected a name before the extension"),
        (&[("a.utc", b"1"), ("x/A.utc", b"2")], "a.utc and x/A.utc: would be the same resource"),
        (&[("a.utc", b"1"), ("a.utc.json", br#"{"__data_type": "UTC "}"#)], "a.utc and a.utc.json: would be the same"),
        (
            &[("a_name_of_17_char.utc", b"1")],
            "a_name_of_17_char.utc: a_name_of_17_char cannot be the name of a resource, which has at most 16",
        ),
        (&[("λ.utc", b"1")], "λ.utc: λ cannot be the name of a resource"),
        (&[(CONTAINER, b"[]")], "container.json: expected an object"),
        (&[(CONTAINER, b"{\"kind\": \"MOD \"}")], "container.json: /version: expected a value"),
        (&[(CONTAINER, HAK)], "container.json: expected the type \"MOD \", found \"HAK \""),
        (&[(CONTAINER, b"{\"kind\": \"MOD \", \"vers\": 1}")], "container.json: "),
    ] {
        let found = said(files);
        assert!(found.starts_with(why), "{files:?}: {found}");
    }
    assert_eq!(said(&[("a.x1", b""), ("a.x2", b"")]).lines().count(), 2, "all errors are told");
    assert!("2026-02-29".parse::<Date>().is_err());
}

#[test]
fn names_of_32_characters_are_kept_where_the_container_has_them() {
    let mut erf = Container::new(b"HAK ", vec![resource("a_name_of_more_than_16", 2027, b"x".to_vec())]);
    erf.version = *b"V1.1";
    let file = build_erf(&erf);
    let files = loosened(&file, LooseForm::Raw);
    assert!(files.contains_key("a_name_of_more_than_16.utc"));
    assert_eq!(listed(&built(files, *b"HAK ")), listed(&file));
}

#[test]
fn deviations_and_encodings_of_new_containers_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let module = build_erf(&Container::new(b"MOD ", vec![resource("c_boar", 2027, sample("boar.utc"))]));
    fs::write(at("a.mod"), module).unwrap();
    let ok = |args: &[&str]| prints(0, folder.path(), args);
    ok(&["unpack", "--loose=json", "a.mod", "src"]);
    let pack = || ok(&["pack", "--new", "mod", "src", "b.mod", "-n"]);
    let said = pack();
    assert!(!said.contains("deviation: ") && !said.contains("text-encoding"), "{said}");
    let text = fs::read_to_string(at("src/c_boar.utc.json")).unwrap();
    let long = "item_0_item_0_item_0_item";
    assert!(text.contains("\"item_0\""), "{text}");
    fs::write(at("src/c_boar.utc.json"), text.replacen("\"item_0\"", &format!("\"{long}\""), 1)).unwrap();
    fs::write(at("src/start.nss"), "// λ\nvoid main() { }\n").unwrap();
    let said = pack();
    let place = "deviation: c_boar.utc:/ItemList/value/0/TemplateResRef: expected \"at most 16 bytes\", found \"25\"";
    assert!(said.contains(place), "{said}");
    assert!(said.contains("warning: start.nss:/: the text is in another encoding than the game reads"), "{said}");
}

#[test]
fn commands_keep_a_module_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let ok = |args: &[&str]| prints(0, folder.path(), args);
    let refused = |args: &[&str]| prints(2, folder.path(), args);
    let boar = sample("boar.utc");
    let module = |scripts: &[(&'static str, &[u8])]| {
        let mut all = vec![resource("module", 2014, sample("module.ifo")), resource("c_boar", 2027, boar.clone())];
        all.extend(scripts.iter().map(|(name, text)| resource(*name, 2009, text.to_vec())));
        build_erf(&Container::new(b"MOD ", all))
    };
    fs::write(at("a.mod"), module(&[("one", b"1"), ("two", b"2")])).unwrap();
    let said = ok(&["unpack", "--loose=json", "a.mod", "src"]);
    assert!(said.contains("src: wrote 4 resources; `bitexact pack --new` builds a container from them"), "{said}");
    assert!(at("src/c_boar.utc.json").is_file() && at("src/one.nss").is_file() && at("src/container.json").is_file());
    let said = ok(&["pack", "--new", "mod", "src", "b.mod"]);
    assert!(said.contains("b.mod: built from 4 resources, "), "{said}");
    assert_eq!(sorted(listed(&fs::read(at("a.mod")).unwrap())), listed(&fs::read(at("b.mod")).unwrap()));
    assert!(refused(&["pack", "--new", "mod", "src", "b.mod"]).contains("already exists"));
    ok(&["pack", "--new", "mod", "src", "b.mod", "--force", "--date", "2026-11-30"]);
    assert_eq!(fs::read(at("b.mod")).unwrap()[32..40], [126, 0, 0, 0, 77, 1, 0, 0]);
    // A wrong file, and nothing is written.
    fs::write(at("src/notes.doc"), "x").unwrap();
    let said = refused(&["pack", "--new", "mod", "src", "c.mod"]);
    assert!(said.contains("notes.doc: no resource has this extension") && !at("c.mod").exists(), "{said}");
    fs::remove_file(at("src/notes.doc")).unwrap();
    assert!(refused(&["pack", "--new", "mod", "src", "src/c.mod"]).contains("is inside src"));
    assert!(refused(&["pack", "--new", "hak", "src", "c.hak"]).contains("expected the type \"HAK \", found \"MOD \""));
    // The module changes in the toolset; files stay in the folders where people have put them.
    fs::create_dir(at("src/nss")).unwrap();
    fs::rename(at("src/one.nss"), at("src/nss/one.nss")).unwrap();
    fs::rename(at("src/c_boar.utc.json"), at("src/nss/c_boar.utc.json")).unwrap();
    fs::write(at("src/README.md"), "about").unwrap();
    let before = fs::read(at("src/nss/c_boar.utc.json")).unwrap();
    fs::write(at("a.mod"), module(&[("one", b"1 edited"), ("three", b"3")])).unwrap();
    assert!(refused(&["unpack", "--loose=json", "a.mod", "src"]).contains("is not empty; use --force"));
    let said = ok(&["unpack", "--loose=json", "a.mod", "src", "--force"]);
    assert!(said.contains("src: wrote 2 files of 4 resources; 3 unchanged") && said.contains("two.nss"), "{said}");
    assert_eq!(fs::read(at("src/nss/one.nss")).unwrap(), b"1 edited");
    assert_eq!(fs::read(at("src/nss/three.nss")).unwrap(), b"3");
    assert_eq!(fs::read(at("src/nss/c_boar.utc.json")).unwrap(), before);
    assert!(at("src/two.nss").is_file() && at("src/README.md").is_file());
    // A file that is no JSON any more becomes JSON again.
    fs::write(at("src/nss/c_boar.utc.json"), "").unwrap();
    fs::write(at("b.mod"), module(&[("one", b"1 edited"), ("three", b"3")])).unwrap();
    ok(&["unpack", "--loose=json", "b.mod", "src", "--force"]);
    assert_eq!(fs::read(at("src/nss/c_boar.utc.json")).unwrap(), before);
    fs::remove_file(at("src/two.nss")).unwrap();
    let said = ok(&["pack", "--new", "mod", "src", "d.mod"]);
    assert!(said.contains("README.md"), "{said}");
    assert_eq!(sorted(listed(&fs::read(at("a.mod")).unwrap())), listed(&fs::read(at("d.mod")).unwrap()));
    // A resource alone.
    fs::write(at("boar.utc"), &boar).unwrap();
    ok(&["export", "boar.utc"]);
    ok(&["pack", "boar.utc.json", "again.utc"]);
    assert_eq!(fs::read(at("again.utc")).unwrap(), boar);
    let text = fs::read_to_string(at("boar.utc.json")).unwrap();
    fs::write(at("boar.utc.json"), text.replacen("\"ChallengeRating\"", "\"ChallengeRatinG\"", 1)).unwrap();
    let said = ok(&["import", "boar.utc", "boar.utc.json"]);
    assert!(said.contains("ChallengeRatinG"), "{said}");
}

#[test]
fn a_project_of_nasher_is_built_from_its_sources() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for inner in ["src/nss", "src/ifo", "lib"] {
        fs::create_dir_all(at(inner)).unwrap();
    }
    let project = "[Package]\nname = \"Town\"\n\n[Sources]\ninclude = \"src/**/*.{nss,json}\"\nexclude = \"**/test_*\"\n\n[Target]\nname = \"town\"\n";
    let ifo = kind("gff").text.unwrap().write(&sample("module.ifo")).unwrap();
    let files: [(&str, &[u8]); 6] = [
        ("nasher.cfg", project.as_bytes()),
        ("src/nss/greet.nss", b"void main() {}"),
        ("src/nss/test_it.nss", b""),
        ("src/ifo/module.ifo.json", &ifo),
        ("lib/other.nss", b""),
        ("notes.doc", b""),
    ];
    files.iter().for_each(|(path, bytes)| fs::write(at(path), bytes).unwrap());
    let (code, out, err) = run(folder.path(), &["pack", "--new", "mod", ".", "town.mod"]);
    assert_eq!(code, 0, "{out}{err}");
    let town = fs::read(at("town.mod")).unwrap();
    let expected = [("greet", 2009, b"void main() {}".to_vec()), ("module", 2014, sample("module.ifo"))];
    assert_eq!(listed(&town), expected.map(|(name, kind, data)| (name.to_owned(), kind, data)));
    // New files come into the folders of their types below src.
    let new = Container::new(
        b"MOD ",
        vec![resource("hail", 2009, b"x".to_vec()), resource("boar", 2027, sample("boar.utc"))],
    );
    fs::write(at("new.hak"), build_erf(&new)).unwrap();
    let (code, out, err) = run(folder.path(), &["unpack", "--loose=json", "new.hak", ".", "--force"]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(at("src/nss/hail.nss").is_file() && at("src/boar.utc.json").is_file(), "{out}{err}");
    // Only what would be packed again is said to be gone.
    let gone = err.lines().find(|line| line.contains("not in the container any more")).unwrap();
    assert!(gone.contains("greet.nss") && gone.contains("module.ifo.json"), "{gone}");
    assert!(
        !["test_it.nss", "other.nss", "notes.doc", "town.mod", "new.hak"].iter().any(|it| gone.contains(it)),
        "{gone}"
    );
}
