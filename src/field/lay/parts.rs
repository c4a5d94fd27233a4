//! What a structure can name that comes to other parts.

use encoding_rs::Encoding;

use super::super::block::Block;
use super::super::error::{Fault, Result};
use super::super::layout::{Record, Shaped};
use super::super::number::Whole;
use super::super::place::{Label, Step};
use super::super::tape::wide;
use super::super::visit::{Group, Payload};
use super::lay;

lay! {
    impl Tape<'_> {
        /// Lays a record whose fields are members of the object here.
        ///
        /// # Errors
        /// When the file ends inside it, or the visitor stops.
        pub fn fields<R: Record>(&mut self, record: at!(R)) -> Result {
            self.fields_by(record, None)
        }

        /// Lays a record as a member of its own.
        ///
        /// # Errors
        /// When the file ends inside it, or the visitor stops.
        pub fn record<R: Record>(&mut self, name: &'static str, record: at!(R)) -> Result {
            self.group(name, |t| t.fields(record))
        }

        /// Lays a number that is kept nowhere but in what it counts, and gives it.
        ///
        /// # Errors
        /// When the file ends inside it, what the model says does not fit it, or the visitor stops.
        pub fn number<W: Whole>(&mut self, name: &'static str, says: u64) -> Result<u64> {
            // What does not fit is refused, with its place, where it is laid.
            let number = at!(W::of(says).unwrap_or_default());
            self.counted(name, number, Some(says))?;
            self.stated(name, *number)
        }

        /// Lays `count` values of fixed shape as one block.
        ///
        /// # Errors
        /// When fewer remain in the file, or the model holds another number of them.
        pub fn block<T: Shaped>(&mut self, name: &'static str, count: u64, block: at!(Block<T>)) -> Result {
            self.block_by(name, count, block, None)
        }

        /// Lays a text with its length before it, which is kept only as that of the text.
        ///
        /// # Errors
        /// When the file ends inside it, or the length does not fit its field.
        pub fn text<L: Whole>(
            &mut self,
            length_name: &'static str,
            name: &'static str,
            page: &'static Encoding,
            text: at!(Block),
        ) -> Result {
            let length = self.number::<L>(length_name, wide(text.len()))?;
            self.text_of(name, page, length, text)
        }

        /// What follows from the sizes of other parts, where it is filled in or compared: not while a size is taken.
        pub fn plan<T>(&self, plan: impl FnOnce() -> T) -> Option<T> {
            self.filling().then(plan)
        }

        /// Lays members of an object of their own.
        ///
        /// # Errors
        /// Those of `lay`.
        pub fn group(&mut self, name: &'static str, lay: impl FnOnce(&mut Self) -> Result) -> Result {
            self.nest(Step::Name(name), Group::Object, lay)
        }

        /// Lays one item of a list that the format itself goes through, in file order.
        ///
        /// # Errors
        /// Those of `lay`.
        pub fn nth(&mut self, name: &'static str, index: usize, lay: impl FnOnce(&mut Self) -> Result) -> Result {
            self.nest(Step::Name(name), Group::List, |t| t.nest(Step::Index(wide(index)), Group::Object, lay))
        }

        /// Lays one item of a list that the format itself goes through.
        ///
        /// # Errors
        /// When the list has no such item; those of `lay`.
        pub fn nth_of<T>(
            &mut self,
            name: &'static str,
            index: usize,
            items: at!([T]),
            lay: impl FnOnce(&mut Self, at!(T)) -> Result,
        ) -> Result {
            let found = wide(items.len());
            match at!(*items).into_iter().nth(index) {
                Some(item) => self.nth(name, index, |t| lay(t, item)),
                None => Err(self.error_in(name, Fault::Count { expected: wide(index).saturating_add(1), found })),
            }
        }

        /// Lays an entry of `length` bytes by its payload. One that does not decode is kept as it is, and noted.
        ///
        /// # Errors
        /// When fewer bytes remain; those of the payload.
        pub fn entry<P: Payload + Lay>(&mut self, label: Label, length: u64, payload: at!(P)) -> Result {
            self.entry_by(label, length, payload, P::recognise, <P as Lay>::lay)
        }
    }
}
