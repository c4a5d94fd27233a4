use crate::field::{
    Block, Datum, Json, Lay, Place, Result, Run, Spread, Step, Tape, U8, Visitor, decode, encode, size, visit, wide,
};
use crate::record;

record! {
    struct Slot: 2 {
        offset: U8 as Outside,
        length: U8 as Outside,
    }
}

/// Three slots, then what they tell of.
#[derive(Default)]
struct Table {
    slots: [Slot; 3],
    items: [Block; 3],
    spread: Spread,
}

impl Lay for Table {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        if t.filling() {
            let sizes = self.items.each_mut().map(|item| size(|t| t.rest("bytes", Run::Opaque, item)));
            let places = self.spread.places(6, &sizes, None);
            for (slot, range) in self.slots.iter_mut().zip(&places.items) {
                t.fill("offset", &mut slot.offset, range.start)?;
                t.fill("length", &mut slot.length, range.end - range.start)?;
            }
        }
        t.each("slots", &mut self.slots, |t, slot| t.fields(slot))?;
        if t.reading() {
            let range = |slot: &Slot| slot.offset.get().into()..(slot.offset.get() + slot.length.get()).into();
            let found = Spread::find_items(t, 0, self.slots.iter().map(range).collect());
            self.spread = found.map_err(|(item, fault)| t.error_at(wide(item) * 2, [Step::Name("slots")], fault))?;
        }
        self.spread.lay_items(t, "slots", &mut self.items, |t, _, item| t.rest("bytes", Run::Opaque, item))
    }
}

/// What does not hold, in words.
#[derive(Default)]
struct Deviations(Vec<String>);

impl Visitor for Deviations {
    fn data(&mut self, _: &Datum<'_>) -> Result {
        Ok(())
    }

    fn deviates(&mut self, place: &Place, _: u64, expected: Json, found: Json) {
        self.0.push(format!("{place}: {expected}, {found}"));
    }

    fn judges(&self) -> bool {
        true
    }
}

fn table(file: &[u8]) -> Table {
    decode::<Table>(file.to_vec()).expect("decodes").model
}

#[test]
fn items_in_another_order_keep_it_and_the_gaps_between_them() {
    let file = [9, 1, 6, 2, 10, 1, b'b', b'b', b'-', b'a', b'c'];
    let mut table = table(&file);
    assert_eq!(table.items.each_ref().map(|item| item.to_vec()), [b"a".to_vec(), b"bb".to_vec(), b"c".to_vec()]);
    assert_eq!(table.spread.overlapping().count(), 0);
    assert_eq!(encode(&mut table).expect("encodes"), file);
    let mut deviations = Deviations::default();
    visit(&mut table, &mut deviations).expect("visits");
    assert_eq!(deviations.0, [r#"/slots: "the order of the table", "item 0 behind item 1""#]);
    // What grows moves what stands behind it, and the gap stays.
    table.items[1].edit(|bytes| bytes.push(b'B'));
    assert_eq!(encode(&mut table).expect("encodes"), [10, 1, 6, 3, 11, 1, b'b', b'b', b'B', b'-', b'a', b'c']);
}

#[test]
fn an_item_that_begins_inside_another_says_so_and_cannot_be_moved() {
    let file = [6, 3, 8, 2, 7, 1, b'a', b'b', b'c', b'd'];
    let mut table = table(&file);
    assert_eq!(table.spread.overlapping().collect::<Vec<_>>(), [2, 1]);
    assert_eq!(encode(&mut table).expect("encodes"), file);
    table.items[0].edit(|bytes| bytes.push(b'C'));
    let error = encode(&mut table).expect_err("what overlaps it would move");
    assert_eq!(error.to_string(), "0x0000000a: /slots: expected 3 bytes before it, for it overlaps them, found 4");
}

#[test]
fn orderly_items_need_nothing_kept() {
    let file = [6, 1, 7, 0, 7, 2, b'a', b'b', b'c'];
    let mut table = table(&file);
    assert_eq!(table.spread, Spread::default());
    assert_eq!(encode(&mut table).expect("encodes"), file);
}

#[test]
fn an_item_outside_the_file_is_refused() {
    let refused = |file: &[u8]| decode::<Table>(file.to_vec()).err().map(|error| error.to_string());
    let before = refused(&[5, 1, 6, 1, 7, 1, 1, 2]);
    assert_eq!(before.as_deref(), Some("0x00000000: /slots: expected an offset from 6, found 5"));
    let behind = refused(&[6, 1, 7, 1, 8, 1, 1, 2]);
    assert_eq!(behind.as_deref(), Some("0x00000004: /slots: 1 bytes, 0 bytes remain"));
}
