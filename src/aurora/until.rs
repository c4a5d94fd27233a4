//! The bytes before a part whose offset a header states.

use crate::field::{Fault, Result, Tape, U32};

/// Returns the number of bytes between the position and an offset that the header states.
pub(super) fn until(t: &Tape<'_>, name: &'static str, offset: U32, start: u64) -> Result<u64> {
    let at = t.position() - start;
    let offset = u64::from(offset.get());
    offset.checked_sub(at).filter(|length| *length <= t.remaining()).ok_or_else(|| {
        let end = at + t.remaining();
        let expected = format!("an offset from {at}, the end of the part before it, to {end}");
        t.error_in(name, Fault::Outside { found: offset.into(), expected })
    })
}
