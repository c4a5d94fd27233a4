use crate::Compact;
use crate::recompute::{fill_in, recompute, recompute_at};
use crate::{NoFiles, Recomputation, load};
use field::record;
use field::{Address, Lay, Result, Tape, Text, U32, Value, change, decode};

/// What a tape that builds a model says about its mode.
#[derive(Debug, Default)]
struct Modes {
    number: U32,
    sum: U32,
    said: Vec<String>,
}

impl Lay for Modes {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        let (mut builds, mut computes, mut is_asked) = (false, false, false);
        t.choose(&mut builds, |_| true);
        t.when_whole(|_| {
            computes = true;
            Ok(())
        })?;
        t.when_asked(&mut is_asked, |it, _| {
            *it = true;
            Ok(())
        })?;
        let says = [
            ("reading", t.reading()),
            ("loading", t.loading()),
            ("building", builds),
            ("computing", computes),
            ("sizing", t.from_sizes(|| Ok(()))?.is_some()),
            ("judging", t.rules(|| Ok(()))?.is_some()),
            ("recomputes", is_asked),
        ];
        self.said = says.iter().filter(|(_, is)| *is).map(|(name, _)| (*name).to_owned()).collect();
        t.follow(&mut self.said, |said, _| {
            said.push("follows".to_owned());
            Ok(())
        })?;
        t.value("number", &mut self.number)?;
        let now = U32::new(self.number.get() + 1);
        t.recompute("sum", &mut self.sum, |sum, _| Ok(change(sum, now)))?;
        t.value("sum", &mut self.sum)
    }
}

#[test]
fn tape_knows_what_it_builds_from() {
    let read = decode::<Modes>(vec![1, 0, 0, 0, 5, 0, 0, 0]).expect("decodes").model;
    assert_eq!(read.said, ["reading", "building"]);
    let json: Value = crate::parse(r#"{"number": 1, "sum": 5}"#.as_bytes()).expect("is JSON");
    let given = load::<Modes>(&json, &mut NoFiles).expect("loads");
    assert_eq!(given.model.said, ["loading", "building", "follows"]);
    let mut model = given.model;
    assert_eq!(recompute(&mut model, &given.recomputation), Ok(vec![]));
    assert_eq!((model.said.join(" "), model.sum.get()), ("computing sizing judging".to_owned(), 5));
    let replaced = |places: &[&str]| {
        let mut model = Modes { number: U32::new(1), sum: U32::new(5), ..Modes::default() };
        let places: Vec<Address> = places.iter().map(|place| Address::from(*place)).collect();
        let (replaced, without) = recompute_at(&mut model, Recomputation::default(), &places).expect("recomputes");
        assert!(model.said.contains(&"recomputes".to_owned()), "{:?}", model.said);
        let replaced: Vec<_> =
            replaced.iter().map(|it| format!("{} {} {}", it.place, Compact(&it.was), Compact(&it.now))).collect();
        (replaced, without.len(), model.sum.get())
    };
    assert_eq!(replaced(&["/sum"]), (vec!["/sum 5 2".to_owned()], 0, 2));
    assert_eq!(replaced(&["/number"]), (vec![], 1, 5));
    let same = |number: u32| {
        let mut value = U32::new(7);
        change(&mut value, U32::new(number)).map(|(was, now)| format!("{} {}", Compact(&was), Compact(&now)))
    };
    assert_eq!([same(7), same(8)], [None, Some("7 8".to_owned())]);
}

/// A number that follows from a length after it.
#[derive(Debug, Default)]
struct Early {
    early: U32,
    length: U32,
    items: Vec<U32>,
}

impl Lay for Early {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        let later = self.length;
        t.when_recomputing(&mut self.early, |early, _| {
            *early = later;
            Ok(())
        })?;
        t.value("early", &mut self.early)?;
        let length = u64::try_from(self.items.len()).unwrap_or_default();
        t.computed("length", &mut self.length, length)?;
        t.value("length", &mut self.length)?;
        t.each("items", &mut self.items, |t, item| t.value("number", item))
    }
}

/// The offset of a part that comes later.
#[derive(Debug, Default)]
struct Moving {
    offset: U32,
    noted: u64,
    items: Vec<U32>,
    last: U32,
}

impl Lay for Moving {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        t.computed("offset", &mut self.offset, self.noted)?;
        t.value("offset", &mut self.offset)?;
        t.each("items", &mut self.items, |t, item| t.value("number", item))?;
        t.begins(&mut self.noted)?;
        t.value("last", &mut self.last)
    }
}

#[test]
fn values_that_follow_from_later_ones_are_filled_in_until_they_agree() {
    let early = || Early { items: vec![U32::default(); 3], ..Early::default() };
    let moving = || Moving { items: vec![U32::default(); 3], ..Moving::default() };
    let (mut first, mut second) = (early(), moving());
    assert_eq!(recompute(&mut first, &Recomputation::default()), Ok(vec![]));
    assert_eq!(recompute(&mut second, &Recomputation::default()), Ok(vec![]));
    assert_eq!([first.early, first.length, second.offset].map(U32::get), [3, 3, 16]);
    let (mut first, mut second) = (early(), moving());
    fill_in(&mut first).expect("fills in");
    fill_in(&mut second).expect("fills in");
    assert_eq!([first.early, first.length, second.offset].map(U32::get), [3, 3, 16]);
}

record! {
    struct Tailed: 8 {
        name: Text<8>,
    }
}

impl Lay for Tailed {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        t.fields(self)
    }
}

#[test]
fn tail_that_a_longer_text_has_replaced_is_told() {
    let replaced = |text: &str| {
        let json: Value = crate::parse(text.as_bytes()).expect("is JSON");
        let mut given = load::<Tailed>(&json, &mut NoFiles).expect("loads");
        let replaced = recompute(&mut given.model, &given.recomputation).expect("recomputes");
        replaced.iter().map(|it| format!("{} {}", it.place, Compact(&it.now))).collect::<Vec<_>>()
    };
    assert_eq!(replaced(r#"{"name": {"text": "abcd", "tail": "01 02 03"}}"#), [""; 0]);
    assert_eq!(
        replaced(r#"{"name": {"text": "abcdef", "tail": "01 02 03"}}"#),
        [r#"/name {"text":"abcdef","tail":"03"}"#]
    );
}
