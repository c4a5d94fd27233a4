use super::*;
use crate::document::{Body, Group};
use crate::text;
use field::record;
use field::walk::{Lay, Tape};
use field::{Block, DescribedIn, F32, Integer as _, Label, Result, Run, Style as _, U32, Value, Windows};
use kind::Parts;

record! {
    /// Some fields.
    struct Slot: 12 {
        number: U32,
        always: U32 = 7,
        weight: F32,
    }
}

/// A model that lays out its parts in an unusual order.
struct Odd(fn(&mut Tape<'_>) -> Result);

impl Lay for Odd {
    fn lay(&self, t: &mut Tape<'_>) -> Result {
        (self.0)(t)
    }
}

fn slot(number: u32) -> Slot {
    Slot { number: U32::new(number), weight: F32::new(0.5), ..Slot::default() }
}

fn number(t: &mut Tape<'_>, name: &'static str, number: u64) -> Result {
    t.value(name, &U32::of(number).unwrap_or_default())
}

/// The text of each file.
type Texts = Vec<(String, String)>;

/// Returns the documents of a model as printed from its bytes, and as printed from their values.
fn both(lay: fn(&mut Tape<'_>) -> Result) -> (Texts, Texts) {
    let text = |text: Vec<u8>| String::from_utf8(text).expect("is UTF-8");
    let mut recorder = Recorder::documents(false, Meter::new(u64::MAX, 0));
    let end = visit(&Odd(lay), &mut recorder).expect("is laid out");
    let Recorded { root, entered, .. } = recorder.finish("odd", end).expect("there is memory");
    let all = entered.into_iter().chain([("root".to_owned(), root)]).map(|(file, entered)| match entered.content {
        Content::Doc(doc) => {
            let value = DocValue::Node(Id::ROOT);
            let [alone, shared] = [1, 3].map(|threads| text(lines::print(&doc, value, threads, Vec::new())));
            assert_eq!(alone, shared);
            ((file.clone(), alone), (file, text(text::print(&value.json(&doc)))))
        }
        Content::Raw(bytes) => ((file.clone(), text(bytes.to_vec())), (file, text(bytes.to_vec()))),
    });
    all.unzip()
}

#[test]
fn reentered_groups_are_continued() {
    let (ours, theirs) = both(|t| {
        t.group("head", |t| number(t, "first", 1))?;
        t.each("slots", &[1, 2, 3], |t, it| {
            t.fields(&slot(*it))?;
            t.each("inner", &[10, 20], |t, it| number(t, "one", *it))
        })?;
        t.group("head", |t| number(t, "second", 2))?;
        t.each("slots", &[4, 5, 6], |t, it| number(t, "more", *it))?;
        t.nth("slots", 1, |t| number(t, "last", 9))
    });
    assert_eq!(ours, theirs);
    assert!(theirs.iter().any(|(_, text)| text.contains("\"second\": 2") && text.contains("\"last\": 9")));
}

#[test]
fn long_lists_print_equally_on_several_threads() {
    let (ours, theirs) = both(|t| {
        let all: Vec<u32> = (0..700).collect();
        t.each("slots", &all, |t, it| {
            t.fields(&slot(*it))?;
            t.each("inner", &[10, 20], |t, it| number(t, "one", *it))
        })
    });
    assert_eq!(ours, theirs);
    assert!(theirs.iter().any(|(_, text)| text.contains("\"number\": 699")));
}

#[test]
fn items_come_in_any_order() {
    let (ours, theirs) = both(|t| {
        for index in [2, 0, 3, 1] {
            t.nth("items", index, |t| number(t, "at", index.try_into().unwrap_or(0)))?;
        }
        (0..4).rev().try_for_each(|index| t.nth("items", index, |t| number(t, "again", 5)))
    });
    assert_eq!(ours, theirs);
    assert!(theirs.iter().all(|(_, text)| text.contains("{\"at\": 0, \"again\": 5}")));
}

#[test]
fn block_of_records_can_be_reentered() {
    let (ours, theirs) = both(|t| {
        t.block("slots", 3_u64, &Block::from(vec![slot(1), slot(2), slot(3)]))?;
        t.each("slots", &[4, 5, 6], |t, it| number(t, "more", *it))
    });
    assert_eq!(ours, theirs);
    assert!(theirs.iter().all(|(_, text)| text.contains("\"more\": 6")));
}

#[test]
fn rows_of_entries_name_their_files() {
    let (ours, theirs) = both(|t| {
        t.part(Label::nth("table", 1), "late", |t| number(t, "a", 1))?;
        t.part(Label::role("own"), "member", |t| number(t, "a", 2))?;
        t.part(Label::role("own"), "member", |t| number(t, "a", 2))?;
        t.group("here", |t| {
            number(t, "before", 1)?;
            t.part(Label { described_in: DescribedIn::Here, ..Label::role("own") }, "here", |t| t.fields(&slot(1)))?;
            number(t, "after", 1)
        })?;
        t.block("table", 2_u64, &Block::from(vec![slot(1), slot(2)]))?;
        t.part(Label::nth("table", 0), "early", |t| number(t, "a", 3))
    });
    assert_eq!(ours, theirs);
    assert!(theirs.iter().any(|(_, text)| text.contains("{\"kind\": \"late\", \"file\": \"1.json\", \"number\": 2")));
}

#[test]
fn whole_value_with_members_beside_it_becomes_a_member() {
    let (ours, theirs) = both(|t| {
        t.coded_rest(&NUMBERS, &Block::from(vec![1, 2, 3, 4]))?;
        t.run("trailing", Run::Opaque, 1_u64, &Block::from(vec![5]))
    });
    assert_eq!(ours, theirs);
    assert_eq!(
        theirs.first().map(|(_, text)| text.as_str()),
        Some("{\"value\": [1, 2, 3, 4], \"trailing\": \"05\"}\n")
    );
    let (ours, theirs) = both(|t| t.coded_rest(&NUMBERS, &Block::from(vec![1, 2, 3, 4])));
    assert_eq!(ours, theirs);
    let (ours, theirs) = both(|t| t.coded_rest(&NUMBERS, &Block::from(vec![0; 4])));
    assert_eq!((ours.as_slice(), theirs.as_slice()), (&[("root".to_owned(), "{}\n".to_owned())][..], ours.as_slice()));
}

static NUMBERS: field::Codec = field::Codec {
    name: "numbers",
    owners: |bytes, tell| tell(&[], field::Class::Semantic, bytes),
    show: |bytes| if bytes.iter().all(|byte| *byte == 0) { Value::Null } else { bytes.iter().copied().collect() },
    print: None,
    load: |_, _| Ok(Vec::new()),
    merge: None,
    dense: None,
};

/// Returns the text of a document and of its parts.
fn parts(lay: fn(&mut Tape<'_>) -> Result, named: &[Parts]) -> Texts {
    let mut recorder = Recorder::documents(false, Meter::new(u64::MAX, 0));
    let end = visit(&Odd(lay), &mut recorder).expect("is laid out");
    let Content::Doc(mut doc) = recorder.finish("odd", end).expect("there is memory").root.content else {
        panic!("a document")
    };
    let files = parts::split(&mut doc, Id::ROOT, "", named, &mut Names::default());
    let files = files.into_iter().map(|(file, id, _)| (file, id)).chain([(MANIFEST.to_owned(), Id::ROOT)]).collect();
    let texts = texts(vec![(doc, files)], 1).expect("nothing is missing").into_iter();
    texts.map(|(file, text)| (file, String::from_utf8(text.to_vec()).expect("is UTF-8"))).collect()
}

fn name(t: &mut Tape<'_>, name: &[u8]) -> Result {
    t.text_of("name", Windows::PAGE, wide(name.len()), &Block::from(name.to_vec()))
}

#[test]
fn large_members_and_items_are_parts() {
    let texts = parts(
        |t| {
            number(t, "version", 27)?;
            t.each("models", &[1, 2, 3], |t, model| {
                t.fields(&slot(*model))?;
                t.each("points", &[0; 2_000], |t, it| number(t, "x", *it))
            })?;
            t.each("nodes", &[0; 600], |t, it| number(t, "x", *it))
        },
        &[],
    );
    let files: Vec<_> = texts.iter().map(|(file, _)| file.as_str()).collect();
    assert_eq!(
        files,
        ["models/0000.json", "models/0001.json", "models/0002.json", "models.json", "nodes.json", MANIFEST]
    );
    let text = |file: &str| texts.iter().find(|(it, _)| it == file).map(|(_, text)| text.as_str()).unwrap_or_default();
    assert!(
        text("models/0001.json")
            .starts_with("{\n  \"number\": 2,\n  \"weight\": 0.5,\n  \"points\": [\n    {\"x\": 0},")
    );
    assert_eq!(
        text("models.json"),
        "[{\"file\": \"models/0000.json\"}, {\"file\": \"models/0001.json\"}, {\"file\": \"models/0002.json\"}]\n"
    );
    assert_eq!(
        text(MANIFEST),
        "{\"version\": 27, \"models\": {\"file\": \"models.json\"}, \"nodes\": {\"file\": \"nodes.json\"}}\n"
    );
}

#[test]
fn items_named_by_a_kind_are_files_even_if_small() {
    let texts = parts(
        |t| t.each("definitions", &[&b""[..], b"a/b"], |t, own: &&[u8]| name(t, own)),
        &[Parts { list: "definitions", name: "name" }],
    );
    let files: Vec<_> = texts.iter().map(|(file, _)| file.as_str()).collect();
    assert_eq!(files, ["definitions/0000.json", "definitions/0001 a%2Fb.json", MANIFEST]);
}

#[test]
fn part_that_was_never_put_is_not_null() {
    let printed = |doc: Doc, id: Id| texts(vec![(doc, vec![("odd.json".to_owned(), id)])], 1);
    let mut doc = Doc::default();
    let list = doc.push(Id::ROOT, Some("items".into()), Body::Group(Group::of(true)));
    let second = doc.keep_value(2.into());
    doc.put_item(list, 1, second);
    let (whole, other) = (doc.clone(), doc.push(list, None, Body::Group(Group::of(false))));
    let expected = "odd.json:/: expected a value in every place of the document, found nothing";
    assert_eq!(printed(whole.clone(), Id::ROOT).expect_err("the first item").to_string(), expected);
    let mut filled = whole.clone();
    let first = filled.keep_value(1.into());
    filled.put_item(list, 0, first);
    let texts = printed(filled.clone(), Id::ROOT).expect("both items");
    assert_eq!(texts[0].1.to_vec(), b"{\"items\": [1, 2]}\n");
    assert_eq!(printed(filled, other).expect_err("a node of another document").to_string(), expected);
}
