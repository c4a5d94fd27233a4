//! Tape methods that are composed of others.

use crate::CodePage;

use super::super::block::Block;
use super::super::codec::Codec;
use super::super::count::{Count, as_read};
use super::super::error::{Fault, Result};
use super::super::layout::{Item, Record, Shaped};
use super::super::number::Integer;
use super::super::payload::Payload;
use super::super::place::{Label, Step};
use super::super::visit::{Group, Run, What};
use super::super::wide::wide;
use crate::lay;

lay! {
    impl Tape<'_> {
        /// Lays out a record whose fields are members of the current object, with the record that the container's rules compute (only
        /// its outside fields count).
        ///
        /// # Errors
        /// Returns an error if the file ends inside it, or if the visitor stops.
        pub fn fields_by<R: Record>(&mut self, record: at!(R), rules: Option<&R>) -> Result {
            self.last = Some((R::LAYOUT, self.at));
            self.fixed(record, What::Fields(R::LAYOUT, rules.map(bytemuck::bytes_of)))
        }

        /// Lays out a record whose fields are members of the current object.
        ///
        /// # Errors
        /// Returns an error if the file ends inside it, or if the visitor stops.
        pub fn fields<R: Record>(&mut self, record: at!(R)) -> Result {
            self.fields_by(record, None)
        }

        /// Lays out a record as a named member.
        ///
        /// # Errors
        /// Returns an error if the file ends inside it, or if the visitor stops.
        pub fn record<R: Record>(&mut self, name: &'static str, record: at!(R)) -> Result {
            self.group(name, |t| t.fields(record))
        }

        /// Lays out one value of fixed shape.
        ///
        /// # Errors
        /// Returns an error if the file ends inside it, or if the visitor stops.
        pub fn value<T: Shaped>(&mut self, name: &'static str, value: at!(T)) -> Result {
            self.step(Step::Name(name), |t| t.fixed(value, What::Value(const { &Item::of::<T>() })))
        }

        /// Lays out a number that the model does not store because it follows from what the number counts, and returns it.
        ///
        /// # Errors
        /// Returns an error if the file ends inside it, if the number does not fit, or if the visitor stops.
        pub fn number<W: Integer>(&mut self, name: &'static str, says: u64) -> Result<u64> {
            // A number that does not fit is refused, with its place, when it is laid out.
            let number = at!(W::of(says).unwrap_or_default());
            self.counted(name, number, Some(says))?;
            self.stated(name, *number)
        }

        /// Lays out `count` values of fixed shape as one block, with the records that the container's rules compute (only their outside
        /// fields count).
        ///
        /// # Errors
        /// Returns an error if fewer remain in the file, or if the model holds a different number of them.
        pub fn block_by<T: Shaped>(
            &mut self,
            name: &'static str,
            count: impl Into<Count>,
            block: at!(Block<T>),
            rules: Option<&Block<T>>,
        ) -> Result {
            let count = self.count_of(count, block.len());
            let what = What::Block(const { &Item::of::<T>() }, rules.map(Block::bytes));
            self.step(Step::Name(name), |t| t.blob(count, block, what))
        }

        /// Lays out `count` values of fixed shape as one block.
        ///
        /// # Errors
        /// Returns an error if fewer remain in the file, or if the model holds a different number of them.
        pub fn block<T: Shaped>(
            &mut self,
            name: &'static str,
            count: impl Into<Count>,
            block: at!(Block<T>),
        ) -> Result {
            self.block_by(name, count, block, None)
        }

        /// Lays out records by another layout of their size, `As`.
        ///
        /// # Errors
        /// Returns an error if fewer remain in the file, or if the model holds a different number of them.
        pub fn block_as<As: Record, R: Record>(
            &mut self,
            name: &'static str,
            count: impl Into<Count>,
            block: at!(Block<R>),
        ) -> Result {
            let mut other = block.clone().recast::<As>();
            self.block(name, count, at!(other)).map(|()| self.put(block, other.recast()))
        }

        /// Returns the number of items of a part that has so many in the model.
        pub(in crate) fn count_of(&self, count: impl Into<Count>, has: usize) -> u64 {
            count.into().of(wide(has), self.reading())
        }

        /// Lays out raw bytes.
        ///
        /// # Errors
        /// Returns an error if fewer remain in the file, or if the model holds a different number of them.
        pub fn run(&mut self, name: &'static str, run: Run, length: impl Into<Count>, bytes: at!(Block)) -> Result {
            let length = self.count_of(length, bytes.len());
            self.step(Step::Name(name), |t| {
                // A gap without bytes is omitted.
                let nothing = length == 0 && bytes.is_empty() && !matches!(run, Run::Overlap(1..));
                if nothing && !t.loading() { Ok(()) } else { t.blob(length, bytes, What::Run(run)) }
            })
        }

        /// Lays out raw bytes up to the end of the data being read.
        ///
        /// # Errors
        /// Returns an error if the visitor stops.
        pub fn rest(&mut self, name: &'static str, run: Run, bytes: at!(Block)) -> Result {
            self.run(name, run, as_read(self.remaining()), bytes)
        }

        /// Lays out a value in its own encoding, with these counts of bytes by class, as the whole contents of the current place.
        fn coded(&mut self, codec: &'static Codec, census: [usize; 7], bytes: at!(Block)) -> Result {
            self.blob(wide(census.iter().sum()), bytes, What::Coded(codec, &census))
        }

        /// Lays out the bytes up to the end of the data being read, as a value in its own encoding.
        ///
        /// # Errors
        /// Returns an error if the visitor stops.
        pub fn coded_rest(&mut self, codec: &'static Codec, text: at!(Block)) -> Result {
            let length = self.count_of(as_read(self.remaining()), text.len());
            self.coded(codec, [usize::try_from(length).unwrap_or(usize::MAX), 0, 0, 0, 0, 0, 0], text)
        }

        /// Lays out a value in its own encoding as a named member.
        ///
        /// # Errors
        /// Returns an error if fewer bytes remain in the file, or if the model holds a different number of them.
        pub fn coded_of(
            &mut self,
            name: &'static str,
            codec: &'static Codec,
            census: [usize; 7],
            bytes: at!(Block),
        ) -> Result {
            self.step(Step::Name(name), |t| t.coded(codec, census, bytes))
        }

        /// Lays out a value in its own encoding that ends where its bytes say, as a named member or, without a name, as the whole contents
        /// of the current place.
        ///
        /// `check` looks for it at the beginning of some bytes, and counts its bytes by class, or returns the offset, the steps and the cause
        /// of an error. It sees the file when that is read, and the value after it has been loaded.
        ///
        /// # Errors
        /// Returns an error if `check` does, or if a loaded value has more bytes.
        pub fn coded_checked(
            &mut self,
            name: Option<&'static str>,
            codec: &'static Codec,
            census: at!([usize; 7]),
            bytes: at!(Block),
            check: impl Fn(&[u8]) -> core::result::Result<[usize; 7], (usize, Vec<Step>, Fault)>,
        ) -> Result {
            let start = self.at;
            let mut lay = |t: &mut Self| {
                let wrong = |(at, steps, fault)| t.error_at(start + wide(at), steps, fault);
                if let Some(found) = t.seen(|t| check(t.ahead(t.remaining()))).transpose().map_err(wrong)? {
                    t.put(at!(*census), found);
                }
                t.coded(codec, *census, at!(*bytes))?;
                t.follow(at!(*census), |census, t| {
                    *census = check(bytes).map_err(|(_, steps, fault)| t.error_at(start, steps, fault))?;
                    let surplus = wide(bytes.len().abs_diff(census.iter().sum()));
                    if surplus == 0 { Ok(()) } else { Err(t.error(Fault::Surplus { bytes: surplus })) }
                })
            };
            if let Some(name) = name { self.step(Step::Name(name), lay) } else { lay(self) }
        }

        /// Lays out text whose length is stored elsewhere.
        ///
        /// # Errors
        /// Returns an error if fewer bytes remain in the file, or if the model holds a different number of them.
        pub fn text_of(
            &mut self,
            name: &'static str,
            page: &'static CodePage,
            length: impl Into<Count>,
            text: at!(Block),
        ) -> Result {
            let length = self.count_of(length, text.len());
            self.step(Step::Name(name), |t| t.blob(length, text, What::Text(page)))
        }

        /// Lays out text preceded by its length, which the model stores only as the length of the text.
        ///
        /// # Errors
        /// Returns an error if the file ends inside it, or if the length does not fit its field.
        pub fn text<L: Integer>(
            &mut self,
            length_name: &'static str,
            name: &'static str,
            page: &'static CodePage,
            text: at!(Block),
        ) -> Result {
            let length = self.number::<L>(length_name, wide(text.len()))?;
            self.text_of(name, page, length, text)
        }

        /// Lays out a [fact](Self::fact) that the file shows: `see` looks for it in read mode.
        ///
        /// # Errors
        /// Returns an error if the exchange format has a value of another type there.
        pub fn seen_fact<T: Shaped + Default + PartialEq>(
            &mut self,
            name: &'static str,
            fact: at!(T),
            see: impl FnOnce(&crate::Tape<'_>) -> T,
        ) -> Result {
            if let Some(seen) = self.seen(see) {
                self.put(at!(*fact), seen);
            }
            self.fact(name, fact)
        }

        /// Names a count, length or offset that the model determines: when the model is recomputed, the field is set to it. A walk compares the
        /// two; they are equal unless the model was changed and not recomputed.
        ///
        /// # Errors
        /// Returns an error if the value does not fit the field, or if it does not match in a walk.
        pub fn computed<W: Integer>(&self, name: &'static str, field: at!(W), value: u64) -> Result {
            self.computed_by(name, field, || Ok(value))
        }

        /// Returns what rules of a container give if they are compared or set, or `None` if they need not be computed, or cannot yet be.
        /// They can depend on the sizes of other parts.
        ///
        /// # Errors
        /// Returns an error if such a part cannot be written.
        pub fn rules<T>(&self, rules: impl FnOnce() -> Result<T>) -> Result<Option<T>> {
            if self.judging() { self.from_sizes(rules) } else { Ok(None) }
        }

        /// Lays out a record whose fields are members of the current object, with what rules of its container give for it.
        ///
        /// # Errors
        /// Returns an error if the file ends inside it, or if the visitor stops.
        pub fn fields_ruled<R: Record>(&mut self, record: at!(R), rules: impl FnOnce(&R) -> R) -> Result {
            let rules = self.rules(|| Ok(rules(record)))?;
            self.fields_by(record, rules.as_ref())
        }

        /// Returns a value computed from the sizes of other parts if it is set, compared or judged, or `None` while sizes are
        /// measured.
        ///
        /// # Errors
        /// Returns an error if one of these parts cannot be written.
        pub fn from_sizes<T>(&self, value: impl FnOnce() -> Result<T>) -> Result<Option<T>> {
            if self.sizing() { self.sized(value()) } else { Ok(None) }
        }

        /// Lays out the items of an existing list.
        pub(in crate) fn items<T>(
            &mut self,
            items: at!([T]),
            mut each: impl FnMut(&mut Self, at!(T)) -> Result,
        ) -> Result {
            for (index, item) in (0..).zip(items) {
                self.nest(Step::Index(index), Group::Object, |t| each(t, item))?;
            }
            Ok(())
        }

        /// Lays out members of a named object.
        ///
        /// # Errors
        /// Returns an error if `lay` does.
        pub fn group(&mut self, name: &'static str, lay: impl FnOnce(&mut Self) -> Result) -> Result {
            self.nest(Step::Name(name), Group::Object, lay)
        }

        /// Lays out one item of a list that the format itself walks, in file order.
        ///
        /// # Errors
        /// Returns an error if `lay` does.
        pub fn nth(&mut self, name: &'static str, index: usize, lay: impl FnOnce(&mut Self) -> Result) -> Result {
            self.nest(Step::Name(name), Group::List, |t| t.nest(Step::Index(wide(index)), Group::Object, lay))
        }

        /// Lays out one item of a list that the format itself walks.
        ///
        /// # Errors
        /// Returns an error if the list has no such item, or if `lay` does.
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
                None => Err(self.error_in(name, Fault::Count { expected: wide(index) + 1, found })),
            }
        }

        /// Lays out an entry that may not exist: in a file, `exists` says it.
        ///
        /// # Errors
        /// Returns an error if [`entry`](Self::entry) does.
        pub fn optional_entry<P: Payload + Lay>(
            &mut self,
            label: Label,
            exists: bool,
            length: u64,
            payload: at!(Option<P>),
        ) -> Result {
            self.build(at!(*payload), |payload, t| {
                let exists = if t.reading() { exists } else { t.has_entry(&label)? };
                *payload = exists.then(P::default);
                Ok(())
            })?;
            match payload {
                Some(payload) => self.entry(label, length, payload),
                None => Ok(()),
            }
        }

        /// Lays out an entry of `length` bytes by its payload. One that does not decode is kept as raw bytes and reported.
        ///
        /// # Errors
        /// Returns an error if fewer bytes remain, or if the payload does.
        pub fn entry<P: Payload + Lay>(&mut self, label: Label, length: u64, payload: at!(P)) -> Result {
            self.entry_by(label, length, payload, P::recognize, <P as Lay>::lay)
        }
    }
}
