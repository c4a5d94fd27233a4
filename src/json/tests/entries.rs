use crate::Compact;
use bytes::Bytes;

use crate::recompute::recompute;
use crate::{Content, Documents, Given, Import, JsonText, Media, ReplacedValue, load};
use field::{Block, Label, Lay, Payload, Result, Run, Tape, Truth, U32, Value, lay};

/// A number that can be odd, another item in an entry of its own, or bytes.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    Number(Truth, U32),
    Boxed(Box<Item>),
    Bytes(Block),
}

impl Default for Item {
    fn default() -> Self {
        Self::Bytes(Block::default())
    }
}

impl Payload for Item {
    fn kind(&self) -> &'static str {
        match self {
            Self::Number(..) => "number",
            Self::Boxed(_) => "box",
            Self::Bytes(_) => "opaque",
        }
    }

    fn recognize(_: &Label, bytes: &Bytes) -> Self {
        if bytes.starts_with(b"N") { Self::Number(Truth::default(), U32::default()) } else { Self::opaque() }
    }

    fn opaque() -> Self {
        Self::default()
    }

    fn of_kind(kind: &str) -> Option<Self> {
        let number = Self::Number(Truth::default(), U32::default());
        [number, Self::Boxed(Box::default()), Self::opaque()].into_iter().find(|item| item.kind() == kind)
    }

    fn raw(&self) -> Option<&'static str> {
        None
    }
}

lay! {
    impl Lay for Item {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            match self {
                Self::Number(odd, number) => {
                    t.fact("odd", odd)?;
                    t.value("number", number)
                }
                Self::Boxed(item) => t.entry(Label::role("in"), t.remaining(), at!(**item)),
                Self::Bytes(bytes) => t.rest("bytes", Run::Opaque, bytes),
            }
        }
    }
}

/// Items in files of their own, of which the last can be forgotten.
#[derive(Debug, Default)]
struct Folder {
    forgets: Truth,
    items: Vec<Item>,
}

impl Lay for Folder {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        t.value("forgets", &mut self.forgets)?;
        t.load(&mut self.items, |items, t| {
            let count = t.given("items", 0)?;
            *items = t.make(count)?;
            Ok(())
        })?;
        let labels: Vec<Label> = (0..self.items.len()).map(|it| Label::nth("items", it)).collect();
        let mut prepared = t.prepare(&labels, Item::recognize)?;
        let laid = self.items.len() - usize::from(bool::from(self.forgets));
        for ((item, label), prepared) in self.items.iter_mut().zip(labels).zip(&mut prepared).take(laid) {
            t.entry_prepared(label, t.remaining(), item, Item::recognize, prepared.take())?;
        }
        t.all_laid(&prepared)
    }
}

/// Returns the row of a number in this file.
fn number_in(file: &str) -> Value {
    Value::from([("kind", "number".into()), ("file", file.into())])
}

/// Files of numbers, boxes, images and bytes, loaded on this number of threads.
struct Files(usize, Media);

impl Documents for Files {
    fn threads(&self) -> usize {
        self.0
    }

    fn take(&mut self, file: &str) -> core::result::Result<Content, String> {
        let (nth, end) = file.split_once('.').ok_or("no end")?;
        let nth: i64 = nth.parse().map_err(|_| "no number")?;
        let text = |json: Value| Ok(Content::Text(JsonText::of(&json)));
        let boxed = |row: Value| text(Value::from([("in", row)]));
        match end {
            "json" => text(Value::from([("number", nth.into()), ("odd", (nth % 2 == 1).into())])),
            // An item in an image, in a document, and in a document that a part names.
            "box" => boxed(number_in(&format!("{nth}.png"))),
            "box2" => boxed(number_in(&format!("{nth}.json"))),
            "box3" => boxed(Value::from([("file", "row.json".into())])),
            "png" | "bin" => Ok(Content::Raw(Bytes::from(format!("{nth}")))),
            _ => Err(format!("no {file}")),
        }
    }

    fn take_part(&mut self, file: &str) -> Option<JsonText> {
        (file == "row.json").then(|| JsonText::of(&number_in("4.json")))
    }

    fn media(&self, kind: &str) -> Option<Media> {
        (kind == "number").then_some(self.1)
    }

    fn with_media(&mut self, _: &str, _: &str, document: Value) -> Import {
        Box::new(move |container| {
            if let Some((row, container)) = container {
                assert_eq!(Compact(container).to_string(), IN_CONTAINER);
                assert_eq!(row.get("kind"), Some(&"number".into()));
            }
            let number = document.get("number").and_then(Value::integer).unwrap_or_default();
            let odd = document.get("odd").cloned().unwrap_or_default();
            Ok(Value::from([("number", (number + 100).into()), ("odd", odd)]))
        })
    }

    fn of_medium(&mut self, _: (&str, bool), file: &str, content: &Bytes) -> Option<Import> {
        let number = String::from_utf8_lossy(content).parse::<i64>().unwrap_or_default() + 200;
        let import: Import = Box::new(move |_| Ok(Value::from([("number", number.into())])));
        Some(import).filter(|_| file.ends_with(".png"))
    }
}

fn given(threads: usize, rows: &[&str]) -> Result<Given<Folder>> {
    given_or_forgotten(threads, false, rows)
}

fn given_or_forgotten(threads: usize, forgets: bool, rows: &[&str]) -> Result<Given<Folder>> {
    let text = format!(r#"{{"forgets": {forgets}, "items": [{}]}}"#, rows.join(", "));
    load::<Folder>(&crate::parse(text.as_bytes()).expect("is JSON"), &mut Files(threads, Media::Alone))
}

/// The container of numbers that need it.
const IN_CONTAINER: &str =
    r#"{"forgets":false,"items":[{"kind":"number","file":"4.json"},{"kind":"number","file":"5.json"}]}"#;

const ROWS: [&str; 7] = [
    r#"{"kind": "number", "file": "4.json"}"#,
    r#"{"kind": "number", "file": "5.json"}"#,
    r#"{"kind": "number", "file": "6.png"}"#,
    r#"{"kind": "box", "file": "8.box"}"#,
    r#"{"kind": "box", "file": "9.box2"}"#,
    r#"{"kind": "box", "file": "4.box3"}"#,
    r#"{"file": "7.bin"}"#,
];

#[test]
fn entries_are_loaded_equally_on_any_number_of_threads() {
    let number = |odd: bool, number: u32| Item::Number(odd.into(), U32::new(number));
    let expected = [
        number(false, 104),
        number(true, 105),
        number(false, 206),
        Item::Boxed(Box::new(number(false, 208))),
        Item::Boxed(Box::new(number(true, 109))),
        Item::Boxed(Box::new(number(false, 104))),
        Item::Bytes(Block::from(vec![b'7'])),
    ];
    for threads in [1, 2, 4] {
        let Given { mut model, recomputation, .. } = given(threads, &ROWS).expect("loads");
        assert_eq!(model.items, expected, "{threads}");
        let shown = |replaced: Vec<ReplacedValue>| {
            replaced
                .iter()
                .map(|it| format!("{} {} {}", it.place, Compact(&it.was), Compact(&it.now)))
                .collect::<Vec<_>>()
        };
        assert_eq!(shown(recompute(&mut model, &recomputation).expect("recomputes")), [""; 0]);
        if let Some(item) = model.items.get_mut(1) {
            *item = number(false, 105);
        }
        assert_eq!(
            shown(recompute(&mut model, &recomputation).expect("recomputes")),
            ["1:/odd true false"],
            "{threads}"
        );
    }
}

#[test]
fn entries_that_do_not_fit_are_refused_on_any_number_of_threads() {
    for threads in [1, 2] {
        let refused = |row: &str| given(threads, &[ROWS[0], row]).map(|_| ()).expect_err(row).to_string();
        for (row, why) in [
            (r#"{"file": "5.json"}"#, "expected a kind that this entry can have, found nothing"),
            (r#"{"kind": "text", "file": "5.json"}"#, "expected a kind that this entry can have, found text"),
            (r#"{"kind": "text", "file": "5.bin"}"#, "expected a kind that this entry can have, found text"),
            (r#"{"kind": "number", "file": "5.txt"}"#, "no 5.txt"),
            (r#"{"kind": "number", "file": "4.json", "more": 1}"#, "no member items/1/more"),
            (r#"{"kind": "number"}"#, "expected the file of an entry, found nothing"),
        ] {
            let error = refused(row);
            assert!(error.contains(why), "{threads}: {error}");
        }
    }
}

#[test]
fn rows_and_containers_can_be_put_together_from_parts() {
    for threads in [1, 2] {
        let text = format!(r#"{{"forgets": false, "items": [{{"file": "row.json"}}, {}]}}"#, ROWS[1]);
        let json: Value = crate::parse(text.as_bytes()).expect("is JSON");
        let given = load::<Folder>(&json, &mut Files(threads, Media::InContainer)).expect("loads");
        let numbers = [(false, 104), (true, 105)].map(|(odd, it)| Item::Number(odd.into(), U32::new(it)));
        assert_eq!(given.model.items, numbers, "{threads}");
    }
}

#[test]
fn prepared_entry_that_is_not_laid_out_is_refused() {
    let error = given_or_forgotten(2, true, &ROWS).map(|_| ()).expect_err("is refused").to_string();
    assert!(error.contains("expected the file of an entry, found 7.bin"), "{error}");
    assert!(given_or_forgotten(2, false, &ROWS).is_ok());
}

/// Rows with a size, each with an item in a file of its own.
#[derive(Debug, Default)]
struct Rows(Vec<(U32, Item)>);

impl Lay for Rows {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        let mut index = 0;
        t.list("items", 0_u64, 0, &mut self.0, |t, (size, item)| {
            t.value("size", size)?;
            index += 1;
            t.entry(Label::nth("items", index - 1), t.remaining(), item)
        })
    }
}

#[test]
fn row_of_an_entry_is_read_from_within_and_from_outside() {
    let given = |more: &str| {
        let row = |nth: usize| format!(r#"{{"size": {nth}, "kind": "number", "file": "{nth}.json"{more}}}"#);
        let text = format!(r#"{{"items": [{}, {}]}}"#, row(4), row(5));
        load::<Rows>(&crate::parse(text.as_bytes()).expect("is JSON"), &mut Files(1, Media::Alone))
    };
    let rows = given("").expect("loads").model.0;
    let expected = [(4, false, 104), (5, true, 105)]
        .map(|(size, odd, it)| (U32::new(size), Item::Number(odd.into(), U32::new(it))));
    assert_eq!(rows, expected);
    let error = given(r#", "more": 1"#).expect_err("is refused").to_string();
    assert!(error.contains("no member items/0/more"), "{error}");
}
