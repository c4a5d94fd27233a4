//! The common interface of both tapes for functions that only judge a part that was laid out.

use super::super::error::{Error, Fault, Result};
use super::super::json::Json;
use super::super::number::Integer;
use super::super::place::Step;
use crate::lay;

/// A tape of either type, for functions that only judge and that more than one structure calls.
pub(crate) trait Judge {
    /// Returns `true` if invariants are judged.
    fn judging(&self) -> bool;

    /// Returns `true` if invariants that hold are counted, too, so that [`judged`](Self::judged) must be called for each.
    fn counting(&self) -> bool;

    /// Creates an error in a field of the last record.
    fn error_in(&self, name: &'static str, fault: Fault) -> Error;

    /// Returns a count, length or offset of the last record.
    fn stated<W: Integer>(&self, name: &'static str, value: W) -> Result<u64>;

    /// Returns the bytes of the file from an offset onward if the model was just read from it, so that they are also those of the model.
    fn fresh(&self, start: u64) -> Option<&[u8]>;

    /// Reports whether an invariant holds at an offset, and at a place these steps further in from here.
    fn judged(&mut self, offset: u64, steps: &[Step], broken: Option<(Json, Json)>);

    /// Reports the expected and the found value if an invariant does not hold in the last part.
    fn expect(&mut self, name: &'static str, broken: impl FnOnce() -> Option<(Json, Json)>);
}

lay! {
    impl Judge for Tape<'_> {
        fn judging(&self) -> bool {
            Tape::judging(self)
        }

        fn counting(&self) -> bool {
            Tape::counting(self)
        }

        fn error_in(&self, name: &'static str, fault: Fault) -> Error {
            Tape::error_in(self, name, fault)
        }

        fn stated<W: Integer>(&self, name: &'static str, value: W) -> Result<u64> {
            Tape::stated(self, name, value)
        }

        fn fresh(&self, start: u64) -> Option<&[u8]> {
            Tape::fresh(self, start)
        }

        fn judged(&mut self, offset: u64, steps: &[Step], broken: Option<(Json, Json)>) {
            Tape::judged(self, offset, steps, broken);
        }

        fn expect(&mut self, name: &'static str, broken: impl FnOnce() -> Option<(Json, Json)>) {
            Tape::expect(self, name, broken);
        }
    }
}
