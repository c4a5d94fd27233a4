use crate::record;
use crate::{Block, Datum, Place, Result, U32, Value, Visitor, encode, lay, visit};

record! {
    struct Pair: 8 {
        first: U32,
        second: U32,
    }
}

/// Two numbers, of which the second should be twice the first, and a block of as many rows as the first says.
#[derive(Debug, Default)]
struct Double {
    pair: Pair,
    rows: Block<U32>,
}

lay! {
    impl Lay for Double {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fields(at!(self.pair))?;
            let (first, second) = (self.pair.first.get(), self.pair.second.get());
            t.expect("second", || (second != 2 * first).then(|| ((2 * first).into(), second.into())));
            t.block("rows", first, at!(self.rows))
        }
    }
}

/// Collects what a walk judges.
#[derive(Default)]
struct Judged {
    counts: bool,
    held: Vec<String>,
    broken: Vec<String>,
}

impl Visitor for Judged {
    fn data(&mut self, _: &Datum<'_>) -> Result {
        Ok(())
    }

    fn judges(&self) -> bool {
        true
    }

    fn counts(&self) -> bool {
        self.counts
    }

    fn holds(&mut self, place: &Place) {
        self.held.push(place.to_string());
    }

    fn deviates(&mut self, place: &Place, _: u64, expected: Value, found: Value) {
        self.broken.push(format!("{place} {expected:?} {found:?}"));
    }
}

#[test]
fn invariants_that_hold_are_told_to_those_who_count() {
    let judged = |second: u32, counts: bool| {
        let pair = Pair { first: U32::new(2), second: U32::new(second) };
        let mut judged = Judged { counts, ..Judged::default() };
        visit(&Double { pair, rows: Block::from(vec![U32::default(); 2]) }, &mut judged).expect("visits");
        (judged.held, judged.broken)
    };
    assert_eq!(judged(4, true), (vec!["/second".to_owned()], vec![]));
    assert_eq!(judged(4, false), (vec![], vec![]));
    for counts in [true, false] {
        assert_eq!(judged(5, counts), (vec![], vec!["/second Integer(4) Integer(5)".to_owned()]));
    }
}

#[test]
fn block_of_another_length_is_not_written() {
    let encoded = |rows: usize| {
        let pair = Pair { first: U32::new(2), second: U32::new(4) };
        encode(&Double { pair, rows: Block::from(vec![U32::default(); rows]) }).map_err(|error| error.to_string())
    };
    assert_eq!(encoded(2).map(|file| file.len()), Ok(16));
    let pair = Pair { first: U32::new(2), second: U32::new(4) };
    let long = Double { pair, rows: Block::from(vec![U32::default(); 3]) };
    assert!(visit(&long, &mut Judged::default()).is_err());
    assert_eq!(encoded(3), Err("0x00000008: /rows: expected 2 records, found 3".to_owned()));
}
