//! Values that an edit of others has shifted.

use bytes::Bytes;

use crate::zipper::reader::Reader;
use field::decode;
use lint::{Addresses, changed};

fn list(items: &[&[u8]]) -> Reader {
    let count = u32::try_from(items.len() + 1).expect("few items").to_le_bytes();
    let bytes = [&[4, 0, 0, 0][..], &count, &items.concat()].concat();
    decode::<Reader>(Bytes::from(bytes)).expect("a list").model
}

fn changes(before: &Reader, after: &Reader) -> Vec<String> {
    let addresses = Addresses::default();
    let found = changed((before, &addresses), (after, &addresses), &|_| false).expect("both are laid out");
    found.iter().map(|it| it.first_place.to_string()).collect()
}

#[test]
fn values_that_others_have_shifted_are_compared() {
    let (integer, float, text) = (b"\x01\0\0\0\x01\0\0\0", b"\x02\0\0\0\0\0\x20\x40", b"\x03\0\0\0\x01\0\0\0a");
    let before = list(&[integer, float, text]);
    assert_eq!(changes(&before, &list(&[integer, float, text])), [""; 0]);
    assert_eq!(changes(&before, &list(&[float, integer, text])), ["/0", "/1"]);
    // The types are the same in their order, but one is at another place.
    assert_eq!(changes(&before, &list(&[text, integer, float])), ["/1"]);
}
