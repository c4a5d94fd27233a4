//! Other crates can declare records: this one depends on bitexact, but neither on bytemuck nor on binrw nor on bitflags.

use bitexact::field::{F32, Flags as _, Record};
use bitexact::{flags, names, record};

flags! {
    /// Flags.
    pub struct Flags(U32: u32) {
        /// One.
        ONE = 1;
    }
}

names! {
    /// A kind.
    pub struct Kind(U16be: u16) {
        /// The first.
        FIRST = 1;
    }
}

record! {
    /// A record.
    pub struct Light: 14 {
        flags: Flags,
        kind: Kind = Kind::FIRST,
        near: F32,
        double: F32 => |it| it.near.get() * 2.0,
    }
}

#[test]
fn records_are_declared_without_the_crates_that_the_macros_use() {
    let light = Light { flags: Flags::ONE, near: 1.5.into(), ..Light::default() };
    assert_eq!((light.kind.name(), light.near.to_string()), (Some("FIRST"), "1.5".to_owned()));
    assert_eq!(Light::LAYOUT.fields.len(), 4);
    assert!(light.flags.contains(Flags::ONE) && format!("{light:?}").contains("ONE"));
}
