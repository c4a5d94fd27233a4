//! Expectations about several fields together.

use bitflags::Flags;

use field::{Judge, Record, Rule, U32, Value};

/// Expects a pointer exactly if its array has elements.
pub(super) fn pointed(pointer: U32, count: u64) -> Option<(Value, Value)> {
    match (pointer.get(), count) {
        (0, 1..) => Some(("a pointer".into(), 0.into())),
        (pointer @ 1.., 0) => Some((0.into(), pointer.into())),
        _ => None,
    }
}

/// Expects the values of another record in every field without a rule of its own.
pub(super) fn like<R: Record>(t: &mut Judge<'_>, found: &R, expected: &R) {
    if field::bytes_of(found) != field::bytes_of(expected) {
        for field in R::LAYOUT.fields.iter().filter(|field| matches!(field.rule, Rule::Free | Rule::Outside)) {
            t.expect(field.name, || {
                let (found, expected) = (field.of(field::bytes_of(found))?, field.of(field::bytes_of(expected))?);
                (found != expected).then(|| (field.shape.show(expected), field.shape.show(found)))
            });
        }
    }
}

/// The name of a field, and a function that returns its bytes.
type Named<R> = (&'static str, fn(&R) -> &[u8]);

/// Fields that are meaningful only if one of some flags is set.
pub(super) struct Gate<R: 'static, F: 'static> {
    /// The flags.
    pub(super) flags: &'static [F],
    /// The fields.
    pub(super) fields: &'static [Named<R>],
    /// The value of every word of the fields otherwise.
    pub(super) unset: u32,
}

/// A record with such fields. Written by [`gates!`].
pub(super) trait Gated: Record {
    /// Its flags.
    type Flags: Flags + Copy + 'static;
    /// The gates, by flags.
    const GATES: &'static [Gate<Self, Self::Flags>];

    /// Returns `true` if no field holds a value although its flags are not set: [`stray`] would find none.
    fn is_gated(&self, flags: Self::Flags) -> bool;
}

/// Returns `true` if every word of a field holds this value.
#[inline]
pub(super) fn holds(field: &[u8], word: u32) -> bool {
    match word {
        0 => field.iter().fold(0, |bits, byte| bits | byte) == 0,
        word => field.chunks(size_of::<u32>()).all(|found| word.to_le_bytes().starts_with(found)),
    }
}

/// Returns the fields that hold a value although their flags are not set: the name of each, its bytes, and the expected value of every
/// word.
pub(super) fn stray<R: Gated>(record: &R, flags: R::Flags) -> impl Iterator<Item = (&'static str, &[u8], u32)> {
    let closed = R::GATES.iter().filter(move |gate| !gate.flags.iter().any(|flag| flags.intersects(*flag)));
    let fields = closed.flat_map(move |gate| gate.fields.iter().map(|(name, of)| (*name, of(record), gate.unset)));
    fields.filter(|(_, found, unset)| !holds(found, *unset))
}

/// Expects the unset value in fields whose flags are not set.
pub(super) fn judge<R: Gated>(t: &mut Judge<'_>, record: &R, flags: R::Flags) {
    for (name, found, unset) in stray(record, flags) {
        let expected: Vec<u8> = unset.to_le_bytes().into_iter().cycle().take(found.len()).collect();
        let field = R::LAYOUT.fields.iter().find(|field| field.name == name);
        t.expect(name, || field.map(|field| (field.shape.show(&expected), field.shape.show(found))));
    }
}

/// Declares which flags open which fields of a record: `FLAG | FLAG => field, field;`, or `FLAG => field = word;` if the
/// field holds a word other than 0 while the flag is not set.
macro_rules! gates {
    ($record:ty, $flags:ty: $($bit:ident $(| $more:ident)* => $($field:ident),+ $(= $unset:expr)?;)*) => {
        impl $crate::anim::expect::Gated for $record {
            type Flags = $flags;
            const GATES: &'static [$crate::anim::expect::Gate<Self, $flags>] =
                &[$($crate::anim::expect::Gate {
                    flags: &[<$flags>::$bit $(, <$flags>::$more)*],
                    fields: &[$((stringify!($field), |record| field::bytes_of(&record.$field))),+],
                    unset: 0 $(| $unset)?,
                }),*];

            fn is_gated(&self, flags: $flags) -> bool {
                use ::bitflags::Flags as _;
                use $crate::anim::expect::holds;
                $((flags.intersects(<$flags>::$bit) $(|| flags.intersects(<$flags>::$more))* || {
                    let unset = 0 $(| $unset)?;
                    $(holds(field::bytes_of(&self.$field), unset))&&+
                }))&&*
            }
        }
    };
}
pub(super) use gates;
