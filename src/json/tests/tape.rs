use crate::Compact;
use crate::recompute::recompute;
use crate::{Content, Documents, Given, JsonText, NoFiles, Recomputation, load};
use field::record;
use field::{Datum, Label, Lay, Pad, Place, Result, Step, Tape, Truth, U32, Value, Visitor, lay, visit};

record! {
    struct Pair: 8 {
        a: U32,
        b: U32,
    }
}

/// Two numbers. The format can write only one digit of the first, so it removes the others one by one.
#[derive(Default)]
struct Noted {
    odd: Truth,
    pair: Pair,
}

lay! {
    impl Lay for Noted {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fact("odd", at!(self.odd))?;
            t.group("pair", |t| {
                assert_eq!(t.place().to_string(), "/pair");
                t.fields(at!(self.pair))
            })?;
            t.label("sum", || Some((self.pair.a.get() + self.pair.b.get()).into()));
            t.load(at!(self.pair), Pair::shorten)?;
            t.when_recomputing(at!(self.pair), Pair::shorten)
        }
    }
}

impl Pair {
    fn shorten(&mut self, t: &mut Tape<'_>) -> Result {
        while self.a.get() > 9 {
            let was = *self;
            self.a = U32::new(was.a.get() / 10);
            t.report_replaced(|place| place.with([Step::Name("pair")]), &was, self);
        }
        Ok(())
    }
}

/// Collects facts.
#[derive(Default)]
struct Facts {
    wanted: bool,
    told: Vec<String>,
}

impl Visitor for Facts {
    fn data(&mut self, _: &Datum<'_>) -> Result {
        Ok(())
    }

    fn fact(&mut self, place: &Place, fact: Value) {
        self.told.push(format!("{place} {}", Compact(&fact)));
    }

    fn wants_facts(&self) -> bool {
        self.wanted
    }
}

fn given(text: &str) -> Given<Noted> {
    load(&crate::parse(text.as_bytes()).expect("is JSON"), &mut NoFiles).expect("loads")
}

fn recomputed(model: &mut Noted, recomputation: &Recomputation) -> Result<Vec<String>> {
    let replaced = recompute(model, recomputation)?;
    Ok(replaced.iter().map(|it| format!("{} {} {}", it.place, Compact(&it.was), Compact(&it.now))).collect())
}

#[test]
fn facts_are_visited_if_unusual_and_labels_if_wanted() {
    let told = |odd: bool, wanted: bool| {
        let mut facts = Facts { wanted, ..Facts::default() };
        visit(&Noted { odd: odd.into(), pair: Pair::default() }, &mut facts).expect("visits");
        facts.told
    };
    assert_eq!(told(false, false), [""; 0]);
    assert_eq!(told(true, false), ["/odd true"]);
    assert_eq!(told(true, true), ["/odd true", "/sum 0"]);
}

#[test]
fn labels_follow_and_that_is_reported() {
    let says = |text: &str| {
        let Given { mut model, recomputation, .. } = given(text);
        recomputed(&mut model, &recomputation).map_err(|error| error.to_string())
    };
    assert_eq!(says(r#"{"pair": {"a": 1, "b": 2}}"#), Ok(vec![]));
    assert_eq!(says(r#"{"pair": {"a": 1, "b": 2}, "sum": 3}"#), Ok(vec![]));
    assert_eq!(says(r#"{"pair": {"a": 1, "b": 2}, "sum": 4}"#), Ok(vec!["/sum 4 3".to_owned()]));
}

#[test]
fn changes_by_a_format_are_merged_when_recomputing_but_not_when_loading() {
    let mut model = Noted { odd: true.into(), pair: Pair { a: U32::new(123), b: U32::new(7) } };
    assert_eq!(recomputed(&mut model, &Recomputation::default()), Ok(vec!["/pair/a 123 1".to_owned()]));
    let Given { mut model, recomputation, .. } = given(r#"{"odd": true, "pair": {"a": 123, "b": 7}}"#);
    assert!(bool::from(model.odd) && model.pair.a.get() == 1 && model.pair.b.get() == 7);
    let replaced = recomputed(&mut model, &recomputation);
    assert_eq!(replaced, Ok(vec!["/pair/a 123 12".to_owned(), "/pair/a 12 1".to_owned()]));
}

#[test]
fn obsolete_padding_is_dropped_and_reported() {
    #[derive(Debug, Default)]
    struct Padded(U32, Pad);
    impl Lay for Padded {
        fn lay(&mut self, t: &mut Tape<'_>) -> Result {
            t.value("number", &mut self.0)?;
            t.pad("pad", 0, 4, &mut self.1)
        }
    }
    let given = |json: &str| load::<Padded>(&crate::parse(json.as_bytes()).expect("is JSON"), &mut NoFiles);
    let error = given(r#"{"number": 1, "pad": {"kept": "ff", "computed": 3, "more": 1}}"#).expect_err("says more");
    assert!(error.to_string().starts_with("/pad: expected kept bytes, or a number of zeros, found"), "{error}");
    let given = given(r#"{"number": 1, "pad": {"kept": "ff", "computed": 3}}"#);
    let Given { mut model, recomputation, .. } = given.expect("loads");
    let replaced = recompute(&mut model, &recomputation).expect("recomputes");
    let [replaced] = replaced.as_slice() else { panic!("one is replaced: {replaced:?}") };
    assert_eq!(replaced.place.to_string(), "/pad");
    assert!(replaced.was == "1 byte: ff" && replaced.now == "0 zeros", "{replaced:?}");
}

#[test]
fn part_of_another_kind_is_refused() {
    #[derive(Debug, Default)]
    struct Integer(U32);
    impl Lay for Integer {
        fn lay(&mut self, t: &mut Tape<'_>) -> Result {
            t.part(Label::role("in"), "number", |t| t.value("number", &mut self.0))
        }
    }
    struct One;
    impl Documents for One {
        fn take(&mut self, _: &str) -> core::result::Result<Content, String> {
            Ok(Content::Text(JsonText::of(&Value::from([("number", 7.into())]))))
        }
    }
    let loaded = |kind: &str| {
        let row = Value::from([("kind", kind.into()), ("file", "in.json".into())]);
        load::<Integer>(&Value::from([("in", row)]), &mut One).map(|given| given.model.0.get())
    };
    assert_eq!(loaded("number"), Ok(7));
    let error = loaded("text").expect_err("is another kind");
    assert_eq!(error.to_string(), "in.json:/: expected number, found text");
    let error = load::<Integer>(&Value::Object(Vec::new()), &mut One).expect_err("there is no file");
    assert_eq!(error.to_string(), "in:/file: expected the file of an entry, found nothing");
}

/// Reads a list of objects, one of which contains a group, and then reads the list again for more of their members.
#[derive(Debug, Default)]
struct Twice {
    items: Vec<(U32, U32)>,
}

impl Lay for Twice {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        t.list("items", 0_u64, 0, &mut self.items, |t, item| t.value("first", &mut item.0))?;
        t.group("in", |_| Ok(()))?;
        t.each("items", &mut self.items, |t, item| t.group("in", |t| t.value("second", &mut item.1)))
    }
}

#[test]
fn members_read_earlier_stay_read_when_a_value_is_reentered() {
    let load = |text: &str| load::<Twice>(&crate::parse(text.as_bytes()).expect("is JSON"), &mut NoFiles);
    let items: Vec<_> = (0..3).map(|it| format!(r#"{{"in": {{"second": {it}}}, "first": 1}}"#)).collect();
    let read = load(&format!(r#"{{"items": [{}]}}"#, items.join(","))).expect("loads").model;
    assert_eq!(read.items.iter().map(|it| (it.0.get(), it.1.get())).collect::<Vec<_>>(), [(1, 0), (1, 1), (1, 2)]);
}

#[test]
fn unread_members_are_refused_with_their_place() {
    let left = |more: &str, item: &str, inner: &str| {
        let text = format!(r#"{{"items": [{{"first": 1, "in": {{"second": 2{inner}}}{item}}}]{more}}}"#);
        let given = load::<Twice>(&crate::parse(text.as_bytes()).expect("is JSON"), &mut NoFiles);
        given.err().map(|error| error.to_string())
    };
    let no = |member: &str, found: &str| Some(format!("/: expected no member {member}, found {found}"));
    assert_eq!(left("", "", ""), None);
    assert_eq!(left(r#", "in": {}"#, "", ""), None);
    assert_eq!(left(r#", "more": []"#, "", ""), no("more", "a list of 0"));
    assert_eq!(left(r#", "more": [{"a": 1}]"#, "", ""), no("more/0/a", "1"));
    assert_eq!(left(r#", "in": {"more": {}}"#, "", ""), no("in/more", "an object"));
    assert_eq!(left("", r#", "more": 0"#, ""), no("items/0/more", "0"));
    assert_eq!(left("", "", r#", "more": "x""#), no("items/0/in/more", "\"x\""));
}

#[test]
fn duplicate_name_is_refused() {
    for count in [0, 2, 40] {
        let items = || ("items".into(), Value::List(Vec::new()));
        let more = (0..count).map(|it| (format!("m{it}").into(), it.into()));
        let json = Value::Object([items()].into_iter().chain(more).chain([items()]).collect());
        let error = load::<Twice>(&json, &mut NoFiles).expect_err("a name stands twice");
        assert_eq!(error.to_string(), "/items: expected no second member items, found a list of 0");
    }
}
