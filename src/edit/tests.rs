use std::collections::VecDeque;

use bytes::Bytes;

use super::editor::{Deviating, Piece, Which, edit};
use crate::registry::KINDS;
use field::record;
use field::{Address, Block, Integer as _, Label, Lay, Payload, Result, Step, Tape, Truth, U32, lay, wide};
use json::Compact;
use json::recompute::{recompute, recompute_at};
use json::{Kept, Recomputation, ReplacedValue};
use kind::{Kind, Model, named};

/// A generated file, decoded.
pub(super) struct Sample {
    pub(super) kind: &'static Kind,
    pub(super) name: String,
    pub(super) bytes: Bytes,
    pub(super) model: Model,
}

/// Returns every tiny generated file.
pub(super) fn samples() -> impl Iterator<Item = Sample> {
    forge::samples(7, forge::Size::Tiny).into_iter().map(|sample| {
        let (kind, bytes) = (named(KINDS, sample.kind).expect("it is a kind"), Bytes::from(sample.bytes));
        let model = (kind.decode)(bytes.clone()).expect("it decodes").model;
        Sample { kind, name: sample.name, bytes, model }
    })
}

/// Returns a generated archive.
pub(super) fn archive() -> Sample {
    samples().find(|it| it.kind.name == "archive").expect("there is one")
}

record! {
    /// A field for each type of rule.
    struct Row: 16 {
        count: U32 as Outside,
        number: U32,
        double: U32 => |it| it.number.get() * 2,
        about: U32 as Advisory => |it| it.number.get() + 1,
    }
}

record! {
    /// Records in a field, with values that are only compared.
    struct Nested: 12 {
        rows: [Single; 3],
    }
}

record! {
    struct Single: 4 {
        always: U32 as Advisory => |_| 9,
    }
}

/// A record whose first field is the number of rows, a value, a record of records, and the rows.
#[derive(Clone, Default)]
struct Sheet {
    odd: Truth,
    head: Row,
    lone: U32,
    nested: Nested,
    inner: U32,
    rows: Block<Row>,
}

lay! {
    impl Lay for Sheet {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let count = wide(self.rows.len());
            let rules = Row { count: U32::of(count).unwrap_or_default(), ..self.head };
            t.fact("odd", at!(self.odd))?;
            t.fields_ruled(at!(self.head), |_| rules)?;
            t.value("lone", at!(self.lone))?;
            t.value("nested", at!(self.nested))?;
            t.group("group", |t| t.value("inner", at!(self.inner)))?;
            let rows = t.rules(|| Ok(Block::from(vec![Row::default(); self.rows.len()])))?;
            t.block_by("rows", count, at!(self.rows), rows.as_ref())
        }
    }
}

fn row([count, number, double, about]: [u32; 4]) -> Row {
    let [count, number, double, about] = [count, number, double, about].map(U32::new);
    Row { count, number, double, about }
}

fn sheet() -> Sheet {
    let rows = [1, 2, 3].map(|it| row([0, it, it * 2, it + 1])).to_vec();
    let nested = Nested { rows: [9, 9, 9].map(|it| Single { always: U32::new(it) }) };
    Sheet {
        odd: true.into(),
        head: row([3, 5, 10, 6]),
        lone: U32::new(1),
        nested,
        inner: U32::new(4),
        rows: Block::from(rows),
    }
}

fn numbers(row: &Row) -> [u32; 4] {
    [row.count, row.number, row.double, row.about].map(U32::get)
}

fn shown(replaced: &[ReplacedValue]) -> Vec<String> {
    replaced.iter().map(|it| format!("{} {} {}", it.place, Compact(&it.was), Compact(&it.now))).collect()
}

fn piece(steps: &[Step], which: Which, json: &str) -> Piece {
    Piece { entry: 0, steps: steps.to_vec(), which, json: json::parse(json.as_bytes()).expect("is JSON") }
}

/// Returns the sheet after edits, and what was replaced about it.
fn edited(pieces: Vec<Piece>, deviating: Deviating) -> Result<(Sheet, Vec<String>)> {
    let mut model = sheet();
    let recomputation = edit(&mut model, pieces, deviating)?;
    let replaced = recompute(&mut model, &recomputation)?;
    Ok((model, shown(&replaced)))
}

const ROWS: [Step; 1] = [Step::Name("rows")];

#[test]
fn parts_are_loaded_in_place_and_rules_follow() {
    let head = piece(&[], Which::Fields("count"), r#"{"number": 7, "about": 1}"#);
    let lone = piece(&[Step::Name("lone")], Which::Datum, "2");
    let rows = [
        piece(&ROWS, Which::Row(2), r#"{"count": 0, "number": 8, "about": 4}"#),
        piece(&ROWS, Which::Row(0), r#"{"count": 0, "number": 6, "about": 2}"#),
    ];
    let (model, replaced) = edited([head, lone].into_iter().chain(rows).collect(), VecDeque::new()).expect("edits");
    assert_eq!((numbers(&model.head), model.lone.get(), replaced), ([3, 7, 14, 1], 2, vec![]));
    let rows: Vec<_> = model.rows.iter().map(numbers).collect();
    assert_eq!(rows, [[0, 6, 12, 2], [0, 2, 4, 3], [0, 8, 16, 4]]);
}

#[test]
fn values_with_a_rule_wait_until_everything_is_recomputed() {
    let mut model = sheet();
    let head = piece(&[], Which::Fields("count"), r#"{"number": 7, "about": 1}"#);
    let recomputation = edit(&mut model, vec![head], VecDeque::new()).expect("edits");
    assert_eq!(numbers(&model.head), [3, 7, 10, 1]);
    recompute(&mut model, &recomputation).expect("recomputes");
    assert_eq!(numbers(&model.head), [3, 7, 14, 1]);
    // A count that the edit states is no length that would be zero in the meantime.
    let head = piece(&[], Which::Fields("count"), r#"{"count": {"kept": 8, "computed": 3}, "number": 7, "about": 1}"#);
    let (model, replaced) = edited(vec![head], VecDeque::new()).expect("edits");
    assert_eq!((numbers(&model.head), replaced), ([8, 7, 14, 1], vec![]));
}

#[test]
fn block_of_another_length_and_the_target_of_a_step_are_loaded() {
    let rows = piece(&ROWS, Which::Datum, r#"[{"count": 0, "number": 8, "about": 4}]"#);
    let group = piece(&[Step::Name("group")], Which::Step, r#"{"inner": 6}"#);
    let (model, replaced) = edited(vec![rows, group], VecDeque::new()).expect("edits");
    assert_eq!(model.rows.iter().map(numbers).collect::<Vec<_>>(), [[0, 8, 16, 4]]);
    assert_eq!((model.head.count.get(), model.inner.get(), replaced), (1, 6, vec![]));
    let surplus = piece(&[Step::Name("group")], Which::Step, r#"{"inner": 6, "outer": 7}"#);
    assert!(edited(vec![surplus], VecDeque::new()).is_err());
}

#[test]
fn part_at_no_place_is_refused() {
    for (steps, which) in [
        (&[Step::Name("alone")][..], Which::Datum),
        (&[], Which::Fields("number")),
        (&ROWS, Which::Row(3)),
        (&[Step::Name("lone")], Which::Row(0)),
        (&[Step::Name("alone")], Which::Step),
    ] {
        let error = edited(vec![piece(steps, which, "1")], VecDeque::new()).map(|_| ()).expect_err("is refused");
        assert!(error.to_string().contains("expected a"), "{error}");
    }
    let other_entry = Piece { entry: 1, ..piece(&[Step::Name("lone")], Which::Datum, "2") };
    assert!(edited(vec![other_entry], VecDeque::new()).is_err());
}

#[test]
fn preserved_values_stay_until_their_rule_computes_others() {
    let double = |computed: u32| Kept {
        steps: vec![Step::Name("double")],
        computed: Some(computed.to_le_bytes().to_vec()),
        value: 99_u32.to_le_bytes().to_vec(),
    };
    // The record is the first that is numbered, the rows are the second.
    let deviating = |computed: [u32; 2]| {
        let [head, rows] = computed.map(double);
        VecDeque::from([(0, vec![(8, head)]), (1, vec![(16 + 8, rows)])])
    };
    let (model, replaced) = edited(vec![], deviating([10, 4])).expect("edits");
    assert_eq!((numbers(&model.head), replaced), ([3, 5, 99, 6], vec![]));
    assert_eq!(model.rows.iter().map(|it| it.double.get()).collect::<Vec<_>>(), [2, 99, 6]);
    let (model, replaced) = edited(vec![], deviating([11, 5])).expect("edits");
    assert_eq!(
        (numbers(&model.head), replaced),
        ([3, 5, 10, 6], vec!["/double 99 10".into(), "/rows/1/double 99 4".into()])
    );
    let unused = VecDeque::from([(7, vec![(0, double(1))])]);
    assert!(edited(vec![], unused).is_err());
}

#[test]
fn stated_facts_must_not_change_without_a_word() {
    let mut model = sheet();
    let recomputation = edit(&mut model, vec![], VecDeque::new()).expect("edits");
    assert_eq!(shown(&recompute(&mut model, &recomputation).expect("recomputes")), [""; 0]);
    model.odd = false.into();
    assert_eq!(shown(&recompute(&mut model, &recomputation).expect("recomputes")), ["/odd true false"]);
    // The usual value is not stated.
    let recomputation = edit(&mut model, vec![], VecDeque::new()).expect("edits");
    assert!(recomputation.facts.is_empty());
}

#[test]
fn only_wanted_values_are_recomputed() {
    let mut odd = sheet();
    odd.head = row([3, 5, 11, 7]);
    odd.rows = Block::from([1, 2, 3].map(|it| row([0, it, 0, 0])).to_vec());
    odd.nested = Nested { rows: [1, 2, 9].map(|it| Single { always: U32::new(it) }) };
    let recomputed = |places: &[&str]| {
        let mut model = odd.clone();
        let places: Vec<Address> = places.iter().map(|place| Address::from(*place)).collect();
        let (replaced, without) = recompute_at(&mut model, Recomputation::default(), &places).expect("recomputes");
        let rows: Vec<_> = model.rows.iter().map(|it| it.about.get()).collect();
        let nested = model.nested.rows.map(|it| it.always.get());
        (
            shown(&replaced),
            without.into_iter().map(Address::to_string).collect::<Vec<_>>(),
            model.head.about.get(),
            rows,
            nested,
        )
    };
    let none = Vec::<String>::new;
    assert_eq!(recomputed(&["/about"]), (vec!["/about 7 6".into()], none(), 6, vec![0, 0, 0], [1, 2, 9]));
    assert_eq!(recomputed(&["/rows/1/about"]), (vec!["/rows/1/about 0 3".into()], none(), 7, vec![0, 3, 0], [1, 2, 9]));
    let (replaced, without, about, rows, nested) = recomputed(&["/rows", "/nested"]);
    assert_eq!((replaced.len(), without, about, rows, nested), (2 * 3 + 2, none(), 7, vec![2, 3, 4], [9, 9, 9]));
    assert_eq!(
        recomputed(&["/nested/rows/1"]),
        (vec!["/nested/rows/1/always 2 9".into()], none(), 7, vec![0, 0, 0], [1, 9, 9])
    );
    let (replaced, without, ..) = recomputed(&["/number", "/lone", "/about"]);
    assert_eq!((replaced.len(), without), (1, vec!["/number".to_owned(), "/lone".to_owned()]));
}

#[test]
fn container_replaces_a_preserved_count() {
    let kept = Kept { steps: vec![Step::Name("count")], computed: None, value: 8_u32.to_le_bytes().to_vec() };
    let recomputation =
        |kept: Kept| Recomputation { kept: [(0, kept)].into_iter().collect(), ..Recomputation::default() };
    let recomputed = |kept: Kept| {
        let mut model = sheet();
        let replaced = recompute(&mut model, &recomputation(kept)).expect("recomputes");
        (model.head.count.get(), shown(&replaced))
    };
    assert_eq!(recomputed(kept.clone()), (8, vec![]));
    let computed = |value: u32| Kept { computed: Some(value.to_le_bytes().to_vec()), ..kept.clone() };
    assert_eq!(recomputed(computed(3)), (8, vec![]));
    assert_eq!(recomputed(computed(4)), (3, vec!["/count 8 3".to_owned()]));
}

/// A row in an entry that other programs can read.
#[derive(Clone, Default)]
struct Song(Row);

impl Lay for Song {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        let rules = self.0;
        t.fields_ruled(&mut self.0, |_| rules)
    }
}

impl Payload for Song {
    fn kind(&self) -> &'static str {
        "song"
    }

    fn recognize(_: &Label, _: &bytes::Bytes) -> Self {
        Self::default()
    }

    fn opaque() -> Self {
        Self::default()
    }

    fn of_kind(_: &str) -> Option<Self> {
        Some(Self::default())
    }

    fn raw(&self) -> Option<&'static str> {
        Some("wav")
    }
}

struct Album(Vec<Song>);

impl Lay for Album {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        for (index, song) in self.0.iter_mut().enumerate() {
            t.entry(Label::nth("songs", index), t.remaining(), song)?;
        }
        Ok(())
    }
}

#[test]
fn entry_that_other_programs_read_stays_as_it_is_unless_it_is_edited() {
    let mut album = Album(vec![Song(row([0, 1, 99, 0])); 3]);
    let number = Piece { entry: 2, ..piece(&[], Which::Fields("count"), r#"{"count": 0, "number": 7, "about": 0}"#) };
    let recomputation = edit(&mut album, vec![number], VecDeque::new()).expect("edits");
    assert_eq!(recompute(&mut album, &recomputation).map(|replaced| replaced.len()), Ok(0));
    assert_eq!(
        album.0.iter().map(|it| numbers(&it.0)).collect::<Vec<_>>(),
        [[0, 1, 99, 0], [0, 7, 14, 0], [0, 1, 99, 0]]
    );
}

/// A number in an entry of its own, and one after it.
#[derive(Debug, Default)]
struct TwoNumbers {
    inner: U32,
    after: U32,
}

impl Lay for TwoNumbers {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        t.part(Label::role("in"), "number", |t| t.value("number", &mut self.inner))?;
        t.value("number", &mut self.after)
    }
}

#[test]
fn edits_reach_the_value_in_their_entry() {
    let edited = |entries: &[usize]| {
        let mut model = TwoNumbers::default();
        let steps = vec![Step::Name("number")];
        let piece =
            |(&entry, nth): (&usize, i64)| Piece { entry, steps: steps.clone(), which: Which::Datum, json: nth.into() };
        edit(&mut model, entries.iter().zip(1..).map(piece).collect(), [].into())
            .map(|_| (model.inner.get(), model.after.get()))
    };
    assert_eq!(edited(&[0]), Ok((0, 1)));
    assert_eq!(edited(&[1]), Ok((1, 0)));
    assert_eq!(edited(&[1, 0]), Ok((1, 2)));
    assert!(edited(&[2]).is_err());
}

/// Items that have a number or not.
#[derive(Debug, Default)]
struct Bag(Vec<Option<U32>>);

impl Lay for Bag {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        t.list("items", wide(self.0.len()), 0, &mut self.0, |t, item| {
            if t.exists("extra", item.is_some()) {
                t.value("extra", item.get_or_insert_default())?;
            } else {
                *item = None;
            }
            Ok(())
        })
    }
}

#[test]
fn members_decide_what_an_item_of_a_loaded_list_holds() {
    let edited = |json: &str| {
        let mut model = Bag(vec![None, Some(U32::new(7))]);
        edit(&mut model, vec![piece(&[Step::Name("items")], Which::Step, json)], [].into())
            .map(|_| model.0.into_iter().map(|it| it.map(U32::get)).collect::<Vec<_>>())
    };
    assert_eq!(edited(r#"[{"extra": 5}, {}, {"extra": 6}]"#), Ok(vec![Some(5), None, Some(6)]));
    assert_eq!(edited("[]"), Ok(vec![]));
    assert!(edited(r#"[{"other": 5}]"#).is_err());
}
