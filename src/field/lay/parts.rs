//! What a structure can name that comes to other parts.

use crate::field::Page;

use super::super::block::Block;
use super::super::coding::Coding;
use super::super::error::{Fault, Result};
use super::super::layout::{Item, Record, Shaped};
use super::super::number::Whole;
use super::super::place::{Label, Step};
use super::super::tape::wide;
use super::super::visit::{Group, Payload, Run, What};
use super::lay;

lay! {
    impl Tape<'_> {
        /// Lays a record whose fields are members of the object here, with the record as the container's rules would have it
        /// (of which only the outside fields count).
        ///
        /// # Errors
        /// When the file ends inside it, or the visitor stops.
        pub fn fields_by<R: Record>(&mut self, record: at!(R), rules: Option<&R>) -> Result {
            self.last = Some((R::LAYOUT, self.at));
            self.fixed(record, What::Fields(R::LAYOUT, rules.map(bytemuck::bytes_of)))
        }

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

        /// Lays one value of fixed shape.
        ///
        /// # Errors
        /// When the file ends inside it, or the visitor stops.
        pub fn value<T: Shaped>(&mut self, name: &'static str, value: at!(T)) -> Result {
            self.step(Step::Name(name), |t| t.fixed(value, What::Value(const { &Item::of::<T>() })))
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

        /// Lays `count` values of fixed shape as one block, with the records as the container's rules would have them (of
        /// which only the outside fields count).
        ///
        /// # Errors
        /// When fewer remain in the file, or the model holds another number of them.
        pub fn block_by<T: Shaped>(
            &mut self,
            name: &'static str,
            count: u64,
            block: at!(Block<T>),
            rules: Option<&Block<T>>,
        ) -> Result {
            let what = What::Block(const { &Item::of::<T>() }, rules.map(Block::bytes));
            self.step(Step::Name(name), |t| t.blob(count, block, what))
        }

        /// Lays `count` values of fixed shape as one block.
        ///
        /// # Errors
        /// When fewer remain in the file, or the model holds another number of them.
        pub fn block<T: Shaped>(&mut self, name: &'static str, count: u64, block: at!(Block<T>)) -> Result {
            self.block_by(name, count, block, None)
        }

        /// Lays raw bytes up to the end of what is being read.
        ///
        /// # Errors
        /// When the visitor stops.
        pub fn rest(&mut self, name: &'static str, run: Run, bytes: at!(Block)) -> Result {
            self.run(name, run, self.told(self.remaining(), wide(bytes.len())), bytes)
        }

        /// Lays a value in an encoding of its own, of so many bytes by class, as the whole that is being laid.
        ///
        /// # Errors
        /// When fewer bytes remain in the file, or the model holds another number of them.
        pub fn coded(&mut self, coding: &'static Coding, census: [usize; 7], bytes: at!(Block)) -> Result {
            self.blob(wide(census.iter().sum()), bytes, What::Coded(coding, census))
        }

        /// The same, as a member.
        ///
        /// # Errors
        /// When fewer bytes remain in the file, or the model holds another number of them.
        pub fn coded_of(
            &mut self,
            name: &'static str,
            coding: &'static Coding,
            census: [usize; 7],
            bytes: at!(Block),
        ) -> Result {
            self.step(Step::Name(name), |t| t.coded(coding, census, bytes))
        }

        /// Lays a text whose length is told elsewhere.
        ///
        /// # Errors
        /// When fewer bytes remain in the file, or the model holds another number of them.
        pub fn text_of(&mut self, name: &'static str, page: &'static Page, length: u64, text: at!(Block)) -> Result {
            self.step(Step::Name(name), |t| t.blob(length, text, What::Text(page)))
        }

        /// Lays a text up to the end of what is being read.
        ///
        /// # Errors
        /// When the visitor stops.
        pub fn rest_text(&mut self, name: &'static str, page: &'static Page, text: at!(Block)) -> Result {
            self.text_of(name, page, self.told(self.remaining(), wide(text.len())), text)
        }

        /// Lays a text with its length before it, which is kept only as that of the text.
        ///
        /// # Errors
        /// When the file ends inside it, or the length does not fit its field.
        pub fn text<L: Whole>(
            &mut self,
            length_name: &'static str,
            name: &'static str,
            page: &'static Page,
            text: at!(Block),
        ) -> Result {
            let length = self.number::<L>(length_name, wide(text.len()))?;
            self.text_of(name, page, length, text)
        }

        /// What follows from the sizes of other parts, where it is filled in or compared: not while a size is taken.
        pub fn plan<T>(&self, plan: impl FnOnce() -> T) -> Option<T> {
            self.filling().then(plan)
        }

        /// Lays the items of a list that is there.
        pub(in crate::field) fn items<T>(
            &mut self,
            items: at!([T]),
            mut each: impl FnMut(&mut Self, at!(T)) -> Result,
        ) -> Result {
            for (index, item) in (0..).zip(items) {
                self.nest(Step::Index(index), Group::Object, |t| each(t, item))?;
            }
            Ok(())
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
