//! What is missing or does not fit is an error or a deviation, never a default.

use crate::Compact;
use crate::recompute::encode_edited;
use field::record;
use field::walk::sizes;
use field::{Datum, Fault, I16, Label, Place, Result, U8, U32, Value, Visitor, decode, encode, lay, size, visit};

record! {
    struct Head: 2 {
        /// The length of the part.
        length: U8 as Outside,
        /// A number that the container computes.
        about: U8 as Outside,
    }
}

/// A part that can only be written if its number is not negative.
#[derive(Clone, Default)]
struct Part {
    number: I16,
}

/// Two things, and their number.
struct Counted(I16);

/// A part after its length.
#[derive(Clone, Default)]
struct Integer {
    head: Head,
    /// The value of the number about it.
    about: U32,
    part: Part,
    /// The number of labels.
    labels: usize,
}

lay! {
    impl Lay for Part {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.value("number", at!(self.number))?;
            t.stated("number", self.number).map(|_| ())
        }
    }

    impl Lay for Counted {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.computed("count", at!(self.0), 2)?;
            t.value("count", at!(self.0))
        }
    }

    impl Lay for Integer {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            if let Some(length) = t.from_sizes(|| size(&self.part))? {
                t.computed("length", at!(self.head.length), length)?;
            }
            let about = t.rule("about", self.about.get().into(), self.head.about)?;
            let rules = Head { about, ..self.head };
            t.fields_by(at!(self.head), Some(&rules))?;
            t.value("value", at!(self.about))?;
            let labels = vec![Label::role("part"); self.labels];
            let label = t.label_of("parts", &labels, 0)?;
            t.part(label, "part", |t| self.part.lay(t))
        }
    }
}

fn whole(about: u32, number: i16) -> Integer {
    let head = Head { length: U8::new(2), about: U8::new(7) };
    Integer { head, about: U32::new(about), part: Part { number: I16::new(number) }, labels: 1 }
}

#[test]
fn part_that_cannot_be_written_has_no_size() {
    assert_eq!(size(&whole(7, 1)), Ok(8));
    let parts = [1, -1].map(|number| Part { number: I16::new(number) });
    let expected = "number: expected a number from 0, found -1";
    assert_eq!(size(&parts[1]).expect_err("negative").to_string(), format!("/{expected}"));
    assert_eq!(sizes("parts", &parts, size).expect_err("negative").to_string(), format!("/parts/1/{expected}"));
    // Its own layout reports it, at its place.
    let recomputed = encode_edited(&mut whole(7, -1)).expect_err("negative").to_string();
    assert_eq!(recomputed, "0x00000008: part:/number: expected a number from 0, found -1");
    // Its container does not go on without its size.
    let walked = encode(&whole(7, -1)).expect_err("negative").to_string();
    assert_eq!(walked, "/number: expected a number from 0, found -1");
}

#[test]
fn negative_count_is_said_as_it_is() {
    let error = encode(&Counted(I16::new(-5))).expect_err("not recomputed");
    assert_eq!(error.to_string(), "0x00000000: /count: expected 2, found -5");
}

/// Deviations as text.
#[derive(Default)]
struct Deviations(Vec<String>);

impl Visitor for Deviations {
    fn data(&mut self, _: &Datum<'_>) -> Result {
        Ok(())
    }

    fn deviates(&mut self, place: &Place, at: u64, expected: Value, found: Value) {
        self.0.push(format!("{at} {place}: {}, {}", Compact(&expected), Compact(&found)));
    }

    fn judges(&self) -> bool {
        true
    }
}

#[test]
fn computed_value_that_does_not_fit_is_a_deviation() {
    let deviations = |about| {
        let mut deviations = Deviations::default();
        visit(&whole(about, 1), &mut deviations).expect("it is written as it is");
        deviations.0
    };
    assert_eq!(deviations(7), Vec::<String>::new());
    assert_eq!(deviations(256), ["0 /about: 256, 7"]);
    let error = encode_edited(&mut whole(256, 1)).expect_err("it cannot be recomputed");
    assert_eq!(error.to_string(), "0x00000000: /about: 256 does not fit in u8");
}

#[test]
fn entry_without_its_label_is_refused() {
    let mut unlabelled = Integer { labels: 0, ..whole(7, 1) };
    assert_eq!(size(&unlabelled), Ok(8), "no place shows its label");
    let expected = Fault::Unknown { found: "none".to_owned(), expected: "a label of the entry".to_owned() };
    let error = encode_edited(&mut unlabelled).expect_err("a place needs it");
    assert_eq!((error.place().to_string(), error.fault()), ("/parts/0".to_owned(), &expected));
    let error = decode::<Integer>(vec![2, 7, 7, 0, 0, 0, 1, 0]).err().expect("a place needs it");
    assert_eq!((error.place().to_string(), error.fault()), ("/parts/0".to_owned(), &expected));
}
