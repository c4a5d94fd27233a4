//! What both tapes can be asked and told of a part that was laid: for functions that only judge it.

use super::super::error::{Error, Fault, Result};
use super::super::json::Json;
use super::super::number::Whole;
use super::super::place::Step;
use super::lay;

/// A tape of either kind, as far as judging goes: for functions that change nothing and that more than one structure calls.
pub(crate) trait Judge {
    /// Whether anyone judges.
    fn judging(&self) -> bool;

    /// Whether invariants that hold are counted, so that [`judged`](Self::judged) is to be called for each.
    fn counting(&self) -> bool;

    /// An error in a field of the record laid last.
    fn error_in(&self, name: &'static str, fault: Fault) -> Error;

    /// A count, length or offset of the record laid last.
    fn stated<W: Whole>(&self, name: &'static str, value: W) -> Result<u64>;

    /// Whether remarks can be of use.
    fn remarking(&self) -> bool;

    /// Reports whether an invariant holds at an offset, so many steps in from here.
    fn judged(&mut self, offset: u64, steps: &[Step], broken: Option<(Json, Json)>);

    /// Reports what is expected and found when an invariant does not hold in the part laid last.
    fn expect(&mut self, name: &'static str, broken: impl FnOnce() -> Option<(Json, Json)>);

    /// Says something for people beside a field.
    fn remark(&mut self, name: &'static str, remark: impl FnOnce() -> Option<Json>);
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

        fn stated<W: Whole>(&self, name: &'static str, value: W) -> Result<u64> {
            Tape::stated(self, name, value)
        }

        fn remarking(&self) -> bool {
            !self.reading() && self.labelling()
        }

        fn judged(&mut self, offset: u64, steps: &[Step], broken: Option<(Json, Json)>) {
            Tape::judged(self, offset, steps, broken);
        }

        fn expect(&mut self, name: &'static str, broken: impl FnOnce() -> Option<(Json, Json)>) {
            Tape::expect(self, name, broken);
        }

        fn remark(&mut self, name: &'static str, remark: impl FnOnce() -> Option<Json>) {
            Tape::remark(self, name, remark);
        }
    }
}
