use crate::Compact;
use std::rc::Rc;

use crate::recompute::recompute;
use crate::{Content, Documents, Given, JsonText, NoFiles, load};
use field::{Block, Lay, Record as _, Referents, Result, Roster, Tape, U32, Value, wide};
use field::{names, record};

fn json(text: &str) -> Value {
    crate::parse(text.as_bytes()).expect("is JSON")
}

/// Parts of documents, by name, loaded on this number of threads.
struct Parts(usize);

impl Documents for Parts {
    fn threads(&self) -> usize {
        self.0
    }

    fn take(&mut self, file: &str) -> core::result::Result<Content, String> {
        Err(format!("no {file}"))
    }

    fn take_part(&mut self, file: &str) -> Option<JsonText> {
        let nth: i64 = file.strip_suffix(".json")?.parse().ok()?;
        Some(JsonText::of(&Value::from([("first", nth.into()), ("second", (10 * nth).into())])))
    }
}

record! {
    struct Pair: 8 {
        first: U32,
        second: U32,
    }
}

/// Items and rows that can be in files of their own; each item also knows its index.
#[derive(Debug, Default)]
struct Lists {
    items: Vec<(U32, U32, usize)>,
    rows: Block<Pair>,
}

impl Lay for Lists {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        t.list_apart("items", 0, 0, &mut self.items, |t, index, item| {
            item.2 = index;
            t.value("first", &mut item.0)?;
            t.value("second", &mut item.1)
        })?;
        let count = wide(self.rows.len());
        t.block("rows", count, &mut self.rows)
    }
}

#[test]
fn items_in_files_of_their_own_are_loaded_on_any_number_of_threads() {
    for threads in [1, 2, 3] {
        let given = |text: &str| load::<Lists>(&json(text), &mut Parts(threads)).map(|given| given.model);
        let here = r#"{"first": 7, "second": 8}"#;
        let part = |nth: usize| format!(r#"{{"file": "{nth}.json"}}"#);
        let list = format!("[{}, {here}, {}]", part(3), part(1));
        let rows = format!("[{}, {here}, {}]", part(4), part(2));
        let lists = given(&format!(r#"{{"items": {list}, "rows": {rows}}}"#)).expect("loads");
        let items: Vec<_> = lists.items.iter().map(|it| (it.0.get(), it.1.get(), it.2)).collect();
        assert_eq!(items, [(3, 30, 0), (7, 8, 1), (1, 10, 2)], "{threads}");
        let pairs: Vec<_> = lists.rows.iter().map(|it| (it.first.get(), it.second.get())).collect();
        assert_eq!(pairs, [(4, 40), (7, 8), (2, 20)], "{threads}");
        let plain = given(&format!(r#"{{"items": [{here}], "rows": [{here}, {here}]}}"#)).expect("loads");
        assert_eq!((plain.items.len(), plain.rows.len()), (1, 2));
        // A surplus member is found in any item.
        for nth in 0..3 {
            let item = |at: usize| if at == nth { r#"{"first": 1, "second": 2, "third": 3}"# } else { here };
            let text = format!(r#"{{"items": [{}, {}, {}], "rows": []}}"#, item(0), item(1), item(2));
            let error = given(&text).expect_err("is refused").to_string();
            assert!(error.contains(&format!("no member items/{nth}/third")), "{threads}: {error}");
        }
    }
}

names! {
    /// An index.
    struct Position(U32: u32) as Index {
        NONE = 0xFFFF_FFFF;
    }
}

record! {
    struct Referring: 12 {
        first: Position,
        second: Position,
        third: Position,
    }
}

/// An index that is given by a name.
#[derive(Debug, Default)]
struct Indexed {
    refers: bool,
    three: Referring,
    later: Referring,
}

#[derive(Debug)]
struct Names(Roster);

impl Referents for Names {
    fn of_field(&self, field: &str) -> Option<&Roster> {
        ["first", "second"].contains(&field).then_some(&self.0)
    }
}

fn things() -> Rc<dyn Referents> {
    Rc::new(Names(["a", "b", "c"].into_iter().map(Some).collect()))
}

impl Lay for Indexed {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        if self.refers {
            t.refer_to(|| Some(things()), |t| t.fields(&mut self.three))?;
        } else {
            t.fields(&mut self.three)?;
        }
        // What lies outside of the part refers to nothing with a name.
        t.record("later", &mut self.later)
    }
}

#[test]
fn indices_are_shown_with_the_names_of_things() {
    let named = |first: u32, second: u32| {
        let pair = Referring { first: Position::new(first), second: Position::new(9), third: Position::new(second) };
        let names = Names(["a", "b", "b"].into_iter().map(Some).collect());
        let named = Referring::LAYOUT.named_indices(field::bytes_of(&pair), &names);
        named.map(|(field, index)| format!("{} {}", field.name, Compact(&index))).collect::<Vec<_>>()
    };
    assert_eq!(named(0, 0), ["first \"a\""]);
    // Two things with one name, and none.
    assert_eq!([named(1, 0), named(7, 0)], [vec![""; 0], vec![]]);
    assert_eq!(Pair::LAYOUT.named_indices(&[0; 8], &Names(Roster::default())).count(), 0);
}

#[test]
fn names_are_taken_for_indices_where_things_have_names() {
    let recomputed = |three: [&str; 3], later: &str, refers: bool| {
        let [first, second, third] = three;
        let later = format!(r#"{{"first": {later}, "second": 0, "third": 0}}"#);
        let text = format!(r#"{{"first": {first}, "second": {second}, "third": {third}, "later": {later}}}"#);
        let Given { mut model, recomputation, .. } = load::<Indexed>(&json(&text), &mut NoFiles)?;
        model.refers = refers;
        recompute(&mut model, &recomputation)?;
        Ok::<_, field::Error>([model.three.first, model.three.second, model.three.third].map(Position::get))
    };
    let (b, d) = (r#""b""#, r#""d""#);
    assert_eq!(recomputed([b, "1", "7"], "0", true), Ok([1, 1, 7]));
    assert_eq!(recomputed(["2", b, "7"], "0", true), Ok([2, 1, 7]));
    let error = |three: [&str; 3], later: &str, refers: bool| {
        recomputed(three, later, refers).expect_err("is refused").to_string()
    };
    let unknown = error([d, "1", "1"], "0", true);
    assert!(unknown.contains("/first: expected an index or one of 3 names") && unknown.contains(d), "{unknown}");
    let two = error([d, r#""e""#, "1"], "0", true);
    assert!(two.contains("/first:") && two.contains(d), "{two}");
    for (three, later, refers) in [([b, "1", "1"], "0", false), (["1", "1", b], "0", true), (["1", "1", "1"], b, true)]
    {
        let lost = error(three, later, refers);
        assert!(lost.contains("expected a number, found \"b\""), "{lost}");
    }
}

#[test]
fn source_without_files_has_none() {
    let mut none = NoFiles;
    assert!(none.take("a.json").is_err() && none.take_part("a.json").is_none() && none.media("archive").is_none());
    let document = Value::from([("a", 1.into())]);
    assert_eq!(none.with_media("archive", "a.json", document.clone())(None), Ok(document));
    assert!(none.of_medium(("archive", true), "a.json", &bytes::Bytes::new()).is_none());
    assert_eq!(none.threads(), 1);
}
