use crate::field::{
    Datum, Document, Documents, Given, Json, Lay, Place, Result, Settlement, Step, Tape, Truth, U32, Visitor, load,
    settle, visit,
};
use crate::record;

record! {
    struct Pair: 8 {
        a: U32,
        b: U32,
    }
}

/// Two numbers, the first of one digit: it loses the others, one after another, so that it can be written.
#[derive(Default)]
struct Noted {
    odd: Truth,
    pair: Pair,
}

impl Lay for Noted {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        t.fact("odd", &mut self.odd)?;
        t.group("pair", |t| {
            assert_eq!(t.place().to_string(), "/pair");
            t.fields(&mut self.pair)
        })?;
        t.remark("sum", || Some((self.pair.a.get() + self.pair.b.get()).into()));
        while (t.loading() || t.settling()) && self.pair.a.get() > 9 {
            let was = self.pair;
            self.pair.a = U32::new(was.a.get() / 10);
            t.tell(|place| place.with([Step::Name("pair")]), &was, &self.pair);
        }
        Ok(())
    }
}

/// What is said of no byte.
#[derive(Default)]
struct Facts {
    wanted: bool,
    told: Vec<String>,
}

impl Visitor for Facts {
    fn data(&mut self, _: &Datum<'_>) -> Result {
        Ok(())
    }

    fn fact(&mut self, place: &Place, fact: Json) {
        self.told.push(format!("{place} {fact}"));
    }

    fn wants_facts(&self) -> bool {
        self.wanted
    }
}

struct NoDocuments;

impl Documents for NoDocuments {
    fn take(&mut self, file: &str) -> core::result::Result<Document, String> {
        Err(format!("no {file}"))
    }
}

fn given(text: &str) -> Given<Noted> {
    load(serde_json::from_str(text).expect("is JSON"), &mut NoDocuments).expect("loads")
}

fn settled(model: &mut Noted, settlement: &Settlement) -> Result<Vec<String>> {
    let told = settle(model, settlement)?;
    Ok(told.iter().map(|it| format!("{} {} {}", it.place, it.was, it.now)).collect())
}

#[test]
fn facts_are_told_where_they_are_not_as_usual_and_remarks_where_they_are_wanted() {
    let told = |odd: bool, wanted: bool| {
        let mut facts = Facts { wanted, ..Facts::default() };
        visit(&mut Noted { odd: odd.into(), pair: Pair::default() }, &mut facts).expect("visits");
        facts.told
    };
    assert_eq!(told(false, false), [""; 0]);
    assert_eq!(told(true, false), ["/odd true"]);
    assert_eq!(told(true, true), ["/odd true", "/sum 0"]);
}

#[test]
fn a_remark_has_to_be_true() {
    let says = |text: &str| {
        let Given { mut model, settlement, .. } = given(text);
        settled(&mut model, &settlement).map_err(|error| error.to_string())
    };
    assert_eq!(says(r#"{"pair": {"a": 1, "b": 2}}"#), Ok(vec![]));
    assert_eq!(says(r#"{"pair": {"a": 1, "b": 2}, "sum": 3}"#), Ok(vec![]));
    let wrong = says(r#"{"pair": {"a": 1, "b": 2}, "sum": 4}"#);
    assert_eq!(wrong, Err("/sum: expected 3, found 4".to_owned()));
}

#[test]
fn what_a_format_changes_is_told_once_when_it_settles_and_every_time_when_it_loads() {
    let mut model = Noted { odd: true.into(), pair: Pair { a: U32::new(123), b: U32::new(7) } };
    assert_eq!(settled(&mut model, &Settlement::default()), Ok(vec!["/pair/a 123 1".to_owned()]));
    let Given { mut model, settlement, .. } = given(r#"{"odd": true, "pair": {"a": 123, "b": 7}}"#);
    assert!(bool::from(model.odd) && model.pair.a.get() == 1 && model.pair.b.get() == 7);
    let told = settled(&mut model, &settlement);
    assert_eq!(told, Ok(vec!["/pair/a 123 12".to_owned(), "/pair/a 12 1".to_owned()]));
}
