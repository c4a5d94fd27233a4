//! Tests of leaves, put into text and loaded from it.

use crate::{Flat, Token};
use field::macros::{load_flags, load_name};
use field::{Leaf, Shape, Shaped as _, Text, flags, names};

flags! {
    /// Two known bits.
    struct Tracks(U32: u32) {
        ROTATION = 4;
        TRANSLATION = 8;
    }
}
names! {
    /// Two known values.
    struct Fork(U16be: u16) {
        DATA = 1;
        RESOURCE = 2;
    }
}

fn leaf(shape: Shape) -> &'static Leaf {
    if let Shape::Leaf(leaf) = shape { leaf } else { panic!("a leaf") }
}

#[test]
fn names_are_set_and_printed_without_a_value_in_between() {
    let mut word = [7; 4];
    for (text, set) in [("\"ROTATION\"", Some(4)), ("12]", Some(12)), ("\"ROTATION | TRANSLATION\",", Some(12))] {
        assert_eq!(
            load_flags::<Tracks>(&Token(text.as_bytes()), &mut word).is_ok().then_some(u32::from_le_bytes(word)),
            set,
            "{text}"
        );
    }
    assert!(load_flags::<Tracks>(&Token(b"\"TURN\""), &mut word).is_err() && word == 12_u32.to_le_bytes());
    for bits in [0_u32, 4, 0x800C] {
        let text = Flat::of(leaf(Tracks::SHAPE), &bits.to_le_bytes());
        assert_eq!(text, crate::Compact(&Tracks::SHAPE.show(&bits.to_le_bytes())).to_string().into_bytes());
    }
    let known = [("DATA", Fork::DATA), ("RESOURCE", Fork::RESOURCE)];
    let mut short = [7; 2];
    assert!(load_name(field::U16be::OF, &known, &Token(b"\"RESOURCE\""), &mut short).is_ok() && short == [0, 2]);
    assert!(load_name(field::U16be::OF, &known, &Token(b"9,"), &mut short).is_ok() && short == [0, 9]);
    assert!(load_name(field::U16be::OF, &known, &Token(b"\"FORK\""), &mut short).is_err() && short == [0, 9]);
}

#[test]
fn values_of_fixed_types_are_read_and_printed() {
    let printed = |shape, bytes: &[u8]| String::from_utf8(Flat::of(leaf(shape), bytes)).expect("is UTF-8");
    let truth = field::Truth::SHAPE;
    assert_eq!([&[0][..], &[1], &[7]].map(|it| printed(truth, it)), ["false", "true", "true"]);
    let code = leaf(field::FourCc::SHAPE);
    let mut bytes = [0; 4];
    assert!(code.set(&"abcd".into(), &mut bytes).is_ok() && bytes == *b"abcd");
    assert!(["abc", "abcde", ""].iter().all(|it| code.set(&(*it).into(), &mut bytes).is_err()));
    let scan = |text, bytes: &mut _| (leaf(Text::<4>::SHAPE).load)(&Token(text), bytes);
    assert!(scan(b"\"abcd\"", &mut bytes).is_ok() && scan(b"\"ab\"", &mut bytes).is_ok() && bytes == *b"ab\0\0");
    assert!(scan(b"\"abcde\"", &mut bytes).is_err() && scan(b"7", &mut bytes).is_err());
}
