//! Records to the end of a chunk.

use field::{Block, Fault, Result, Run, Shaped, as_read, lay, wide};

/// Records, and trailing bytes if the length is not a multiple of the record size.
#[derive(Clone, Debug, Default)]
pub struct Array<R: Shaped> {
    /// All complete records.
    pub records: Block<R>,
    /// The bytes after them, fewer than a record.
    pub rest: Block,
}

/// Trailing bytes after records of this size. They must be shorter than a record: longer ones would be another record.
pub(super) struct AfterRecords {
    pub(super) each: usize,
}

lay! {
    /// Lays out the records under a name, with the values that their level computes.
    impl<R: Shaped> LayBy<(&'static str, Option<&Block<R>>)> for Array<R> {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, by: (&'static str, Option<&Block<R>>)) -> Result {
            let ((name, rules), each) = (by, size_of::<R>());
            let room = t.remaining().checked_div(wide(each)).unwrap_or(0);
            t.block_by(name, as_read(room), at!(self.records), rules)?;
            self.rest.lay_by(t, AfterRecords { each })
        }
    }

    impl LayBy<AfterRecords> for Block {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, AfterRecords { each }: AfterRecords) -> Result {
            t.rest("rest", Run::Surplus, self)?;
            if self.len() >= each {
                let found = i128::from(wide(self.len()));
                return Err(t.error_in("rest", Fault::Outside { found, expected: format!("fewer than {each} bytes") }));
            }
            Ok(())
        }
    }
}
