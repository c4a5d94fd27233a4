use crate::Compact;
use crate::recompute::encode_edited;
use crate::{NoFiles, load};
use field::record;
use field::{Arrangement, Block, Datum, Place, Result, Run, Step, U8, Value, Visitor, decode, lay, visit, wide};

record! {
    struct Slot: 2 {
        offset: U8 as Outside,
        length: U8 as Outside,
    }
}

/// Three slots, then the items that they describe.
struct Table {
    slots: Vec<Slot>,
    items: Vec<Block>,
    arrangement: Arrangement,
}

impl Default for Table {
    fn default() -> Self {
        Self { slots: vec![Slot::default(); 3], items: vec![Block::default(); 3], arrangement: Arrangement::default() }
    }
}

lay! {
    impl Lay for Table {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let places = t.from_sizes(|| {
                let sizes: Vec<_> = self.items.iter().map(|item| wide(item.len())).collect();
                Ok(self.arrangement.places(6, &sizes, None)?.items)
            })?;
            for (slot, range) in at!(self.slots).into_iter().zip(places.iter().flatten()) {
                t.computed("offset", at!(slot.offset), range.start)?;
                t.computed("length", at!(slot.length), range.end - range.start)?;
            }
            t.each("slots", at!(self.slots), |t, slot| t.fields(slot))?;
            t.read(at!(*self), |table, t| {
                let range = |slot: &Slot| slot.offset.get().into()..(slot.offset.get() + slot.length.get()).into();
                let found = Arrangement::find_items(t, 0, table.slots.iter().map(range).collect());
                let found = found.map_err(|(item, fault)| t.error_at(wide(item) * 2, [Step::Name("slots")], fault));
                table.arrangement = found?;
                Ok(())
            })?;
            let (count, items) = (self.items.len(), at!(self.items));
            t.arranged(at!(self.arrangement), "slots", count, |t, index| {
                let item = at!(*items).into_iter().nth(index);
                item.map_or(Ok(()), |item| t.nth("items", index, |t| t.rest("bytes", Run::Opaque, item)))
            })
        }
    }
}

/// Deviations as text.
#[derive(Default)]
struct Deviations(Vec<String>);

impl Visitor for Deviations {
    fn data(&mut self, _: &Datum<'_>) -> Result {
        Ok(())
    }

    fn deviates(&mut self, place: &Place, _: u64, expected: Value, found: Value) {
        self.0.push(format!("{place}: {}, {}", Compact(&expected), Compact(&found)));
    }

    fn judges(&self) -> bool {
        true
    }
}

fn table(file: &[u8]) -> Table {
    decode::<Table>(file.to_vec()).expect("decodes").model
}

#[test]
fn items_in_another_order_keep_their_order_and_gaps() {
    let file = [9, 1, 6, 2, 10, 1, b'b', b'b', b'-', b'a', b'c'];
    let mut table = table(&file);
    assert_eq!(table.items.iter().map(|item| item.to_vec()).collect::<Vec<_>>(), [&b"a"[..], b"bb", b"c"]);
    assert_eq!(table.arrangement.overlapping().count(), 0);
    assert_eq!(encode_edited(&mut table).expect("encodes"), file);
    let mut deviations = Deviations::default();
    visit(&table, &mut deviations).expect("visits");
    assert_eq!(deviations.0, [r#"/slots: "the order of the table", "item 0 after item 1""#]);
    // A longer item moves everything after it, and the gap stays.
    table.items[1].edit(|bytes| bytes.push(b'B'));
    assert!(field::encode(&table).is_err(), "its offsets have not been filled in");
    assert_eq!(encode_edited(&mut table).expect("encodes"), [10, 1, 6, 3, 11, 1, b'b', b'b', b'B', b'-', b'a', b'c']);
    // The position of a new item is not known.
    table.slots.push(Slot::default());
    table.items.push(Block::default());
    let error = encode_edited(&mut table).expect_err("one too many");
    assert_eq!(error.to_string(), "0x00000008: /slots: expected 3 records, found 4");
}

#[test]
fn overlapping_item_round_trips_and_cannot_be_moved() {
    let file = [6, 3, 8, 2, 7, 1, b'a', b'b', b'c', b'd'];
    let mut table = table(&file);
    assert_eq!(table.arrangement.overlapping().collect::<Vec<_>>(), [2, 1]);
    assert_eq!(encode_edited(&mut table).expect("encodes"), file);
    table.items[0].edit(|bytes| bytes.push(b'C'));
    let error = encode_edited(&mut table).expect_err("what overlaps it would move");
    assert_eq!(error.to_string(), "0x0000000a: /slots: expected 3 bytes before it, because it overlaps them, found 4");
}

#[test]
fn orderly_items_need_no_pieces() {
    let file = [6, 1, 7, 0, 7, 2, b'a', b'b', b'c'];
    let mut table = table(&file);
    assert_eq!(table.arrangement, Arrangement::default());
    assert_eq!(encode_edited(&mut table).expect("encodes"), file);
}

#[test]
fn item_outside_the_file_is_refused() {
    let refused = |file: &[u8]| decode::<Table>(file.to_vec()).err().map(|error| error.to_string());
    let before = refused(&[5, 1, 6, 1, 7, 1, 1, 2]);
    assert_eq!(before.as_deref(), Some("0x00000000: /slots: expected an offset from 6, found 5"));
    let behind = refused(&[6, 1, 7, 1, 8, 1, 1, 2]);
    assert_eq!(behind.as_deref(), Some("0x00000004: /slots: expected 1 byte, found 0"));
}

#[test]
fn impossible_overlap_is_refused() {
    let encoded = |two: [u32; 3], one: [u32; 3]| {
        let over = |item: u32, [laid, back, shared]: [u32; 3]| {
            format!(r#"{{"item": {item}, "laid": {laid}, "back": {back}, "shared": {shared}}}"#)
        };
        let pieces = format!(r#"{{"overlap": {}}}, {{"overlap": {}, "own": "64"}}"#, over(2, two), over(1, one));
        let json = format!(r#"{{"items": [{{"bytes": "61 62 63"}}], "pieces": [{{"item": 0}}, {pieces}]}}"#);
        let mut model = load::<Table>(&crate::parse(json.as_bytes()).expect("is JSON"), &mut NoFiles)?.model;
        encode_edited(&mut model)
    };
    let refused = |two, one| encoded(two, one).err().map(|error| error.to_string());
    assert_eq!(encoded([3, 2, 1], [3, 1, 1]), Ok(vec![6, 3, 8, 2, 7, 1, b'a', b'b', b'c', b'd']));
    let least = "0x00000009: /pieces/1/overlap/back: expected at most 3, the number of bytes before it, found 4";
    assert_eq!(refused([3, 4, 1], [3, 1, 1]).as_deref(), Some(least));
    let most = "0x00000009: /pieces/1/overlap/shared: expected 2, the distance of its beginning from the end, found 3";
    assert_eq!(refused([3, 2, 3], [3, 1, 1]).as_deref(), Some(most));
    let own = "0x00000009: /pieces/2/overlap/shared: expected 1, the distance of its beginning from the end, found 0";
    assert_eq!(refused([3, 2, 1], [3, 1, 0]).as_deref(), Some(own));
}

#[test]
fn existing_list_must_be_given_in_full() {
    let error = load::<Table>(&Value::from([("slots", vec![Value::Object(vec![]); 2].into())]), &mut NoFiles).err();
    assert_eq!(error.map(|it| it.to_string()).as_deref(), Some("/slots: expected 3 records, found 2"));
}

#[test]
fn piece_that_is_no_part_is_refused() {
    let encoded = |pieces: &str| {
        let json =
            format!(r#"{{"items": [{{"bytes": "61"}}, {{"bytes": "62"}}, {{"bytes": "63"}}], "pieces": {pieces}}}"#);
        let mut model = load::<Table>(&crate::parse(json.as_bytes()).expect("is JSON"), &mut NoFiles)?.model;
        encode_edited(&mut model)
    };
    let refused = |pieces| encoded(pieces).expect_err("not the parts").to_string();
    let none = refused(r#"[{"item": 1}, {}, {"item": 0}]"#);
    assert_eq!(none, "/pieces/1: expected an item, the table, a gap or an overlap, found none of them");
    let behind = refused(r#"[{"item": 1}, {"item": 3}, {"item": 0}]"#);
    assert_eq!(behind, "/pieces/1: expected an item below 3, found item 3");
    let table = refused(r#"[{"item": 1}, {"table": true}, {"item": 0}]"#);
    assert_eq!(table, "/pieces/1: expected an item, because the table is not among them, found the table");
}

#[test]
fn pieces_of_another_number_of_items_follow_it() {
    let encoded = |pieces: &str| {
        let json =
            format!(r#"{{"items": [{{"bytes": "61"}}, {{"bytes": "62"}}, {{"bytes": "63"}}], "pieces": {pieces}}}"#);
        let mut given = load::<Table>(&crate::parse(json.as_bytes()).expect("is JSON"), &mut NoFiles).expect("fits");
        let replaced = given.recomputation.replaced.iter();
        let replaced: Vec<_> =
            replaced.map(|it| format!("{} {} {}", it.place, Compact(&it.was), Compact(&it.now))).collect();
        (encode_edited(&mut given.model).expect("encodes"), replaced.join(", "))
    };
    let file = vec![8, 1, 6, 1, 9, 1, b'b', b'-', b'a', b'c'];
    let (two, four) = (
        r#"[{"item": 1}, {"gap": "2d"}, {"item": 0}]"#,
        r#"[{"item": 3}, {"item": 1}, {"gap": "2d"}, {"item": 0}, {"item": 2}]"#,
    );
    assert_eq!(encoded(two), (file.clone(), "/pieces 3 4".to_owned()));
    assert_eq!(encoded(four), (file, "/pieces 5 4".to_owned()));
}

#[test]
fn parts_that_are_not_among_the_sizes_have_no_places() {
    let file = [9, 1, 6, 2, 10, 1, b'b', b'b', b'-', b'a', b'c'];
    let arrangement = table(&file).arrangement;
    let places = |sizes: &[u64]| arrangement.places(6, sizes, None).map(|places| places.items);
    assert_eq!(places(&[1, 2, 1]), Ok(vec![9..10, 6..8, 10..11]));
    let error = places(&[1, 2]).expect_err("one has no size").to_string();
    assert_eq!(error, "/pieces/3: expected an item below 2, found item 2");
}
