//! Where a tape is, and errors there.

use super::super::error::{Error, Fault, Result};
use super::super::number::Whole;
use super::super::place::{Place, Step};
use super::super::tape::wide;
use super::lay;

lay! {
    impl Tape<'_> {
        /// What is being laid.
        #[must_use]
        pub fn place(&self) -> &Place {
            &self.place
        }

        /// Where in the file the tape is.
        #[must_use]
        pub fn position(&self) -> u64 {
            self.at
        }

        /// An error here.
        #[must_use]
        pub fn error(&self, fault: Fault) -> Error {
            self.fail(self.at, self.place.clone(), fault)
        }

        /// An error at a place; the exchange form has no offsets.
        fn fail(&self, offset: u64, place: Place, fault: Fault) -> Error {
            if self.loading() { self.in_exchange(place, fault) } else { Error::new(offset, place, fault) }
        }

        /// An error in a field of the record laid last, or in a part of the model about to be laid.
        #[must_use]
        pub fn error_in(&self, name: &'static str, fault: Fault) -> Error {
            let offset = self.last.and_then(|(layout, start)| {
                let field = layout.fields.iter().find(|field| field.name == name)?;
                start.checked_add(wide(field.offset))
            });
            self.fail(offset.unwrap_or(self.at), self.place.with([Step::Name(name)]), fault)
        }

        /// An error elsewhere: at an offset, so many steps in from here.
        #[must_use]
        pub fn error_at(&self, offset: u64, steps: impl IntoIterator<Item = Step>, fault: Fault) -> Error {
            self.fail(offset, self.place.with(steps), fault)
        }

        /// A count, length or offset of the record laid last.
        ///
        /// # Errors
        /// When it is negative.
        pub fn stated<W: Whole>(&self, name: &'static str, value: W) -> Result<u64> {
            value.wide().ok_or_else(|| {
                self.error_in(name, Fault::Outside { found: value.signed(), expected: "a number from 0".to_owned() })
            })
        }
    }
}
