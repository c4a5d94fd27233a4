//! Records to the end of a chunk.

use crate::field::{Block, Fault, Result, Run, Shaped, Tape, wide};

/// Records, and what is left where the length is no multiple of theirs.
#[derive(Clone, Debug, Default)]
pub struct Array<R: Shaped> {
    /// As many as there is room for.
    pub records: Block<R>,
    /// The bytes behind them, fewer than a record.
    pub rest: Block,
}

impl<R: Shaped> Array<R> {
    /// Lays the records under a name, with what their level makes of them.
    ///
    /// # Errors
    /// When the visitor stops.
    pub(super) fn lay(&mut self, t: &mut Tape<'_>, name: &'static str, rules: Option<&Block<R>>) -> Result {
        let room = t.remaining().checked_div(wide(size_of::<R>())).unwrap_or(0);
        let count = if t.reading() { room } else { wide(self.records.len()) };
        t.block_by(name, count, &mut self.records, rules)?;
        lay_rest(t, size_of::<R>(), &mut self.rest)
    }
}

/// Lays what is left where a length is no multiple of that of a record: so many bytes would be another one.
pub(super) fn lay_rest(t: &mut Tape<'_>, each: usize, rest: &mut Block) -> Result {
    t.rest("rest", Run::Surplus, rest)?;
    if !t.reading() && rest.len() >= each {
        let found = i128::from(wide(rest.len()));
        return Err(t.error_in("rest", Fault::Outside { found, expected: format!("fewer than {each} bytes") }));
    }
    Ok(())
}
