//! Tables in the binary form of the sister games, `2DA V2.b`. Source: [`nwn-2da.md`](formats::nwn_2da), section 4.

use field::record;
use field::{self, Block, Fault, GAME_TEXT, Result, Run, Text, U16, U32, as_read, lay, wide};
use kind::{Format, Game, binrw_over_lay};

record! {
    /// The first line, 9 bytes. Source: `nwn-2da.md`, section 4.
    pub struct Header: 9 {
        magic: Text<9>,
    }
}

/// A table.
#[derive(Clone, Debug, Default)]
pub struct Binary2da {
    /// The magic.
    pub head: Header,
    /// The names of the columns, each with a tab after it.
    pub columns: Block,
    /// The end of the names.
    pub zero: field::U8,
    /// The number of rows.
    pub row_count: U32,
    /// The labels of the rows, each with a tab after it.
    pub labels: Block,
    /// The offsets of the cells in the data.
    pub offsets: Block<U16>,
    /// The size of the data, or 0.
    pub data_size: U16,
    /// The cells, each with a NUL after it.
    pub data: Block,
}

/// The first line.
const MAGIC: &[u8] = b"2DA V2.b\n";

lay! {
    impl Lay for Binary2da {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fields(at!(self.head))?;
            if self.head.magic.bytes() != MAGIC {
                let found = self.head.magic.bytes().escape_ascii().to_string();
                return Err(t.error_in("magic", Fault::Unknown { found, expected: "2DA V2.b and a line end".into() }));
            }
            let found = t.ahead(t.remaining()).iter().position(|byte| *byte == 0);
            let length = found.map_or(0, wide);
            t.text_of("columns", GAME_TEXT, as_read(length), at!(self.columns))?;
            t.value("zero", at!(self.zero))?;
            t.value("row_count", at!(self.row_count))?;
            let rows = u64::from(self.row_count.get());
            let ends = |t: &field::Tape<'_>| t.error_in("row_count", Fault::Ends { count: rows, each: 1, remain: t.remaining() });
            let found = t.seen(|t| after_tabs(t.ahead(t.remaining()), rows).ok_or_else(|| ends(t))).transpose()?;
            let length = found.unwrap_or(0);
            t.text_of("labels", GAME_TEXT, as_read(length), at!(self.labels))?;
            let columns = wide(self.columns.iter().filter(|byte| **byte == b'\t').count());
            let cells = rows.saturating_mul(columns);
            t.block("offsets", as_read(cells), at!(self.offsets))?;
            t.value("data_size", at!(self.data_size))?;
            t.rest("data", Run::Opaque, at!(self.data))
        }
    }
}

/// Returns the length of this many texts that end in a tab.
fn after_tabs(bytes: &[u8], count: u64) -> Option<u64> {
    let Some(last) = count.checked_sub(1) else { return Some(0) };
    let mut tabs = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\t');
    tabs.nth(usize::try_from(last).ok()?).map(|(at, _)| wide(at) + 1)
}

impl Format for Binary2da {
    const NAME: &'static str = "binary-2da";
    const TITLE: &'static str = "table in binary form (2DA V2.b)";
    const GAMES: &'static [Game] = &[Game::Neverwinter];
    const CLAIMS: &'static [&'static str] = &[];

    /// Checks for the first line.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        file.starts_with(MAGIC).then(|| Self::GAMES.to_vec())
    }
}

binrw_over_lay!(Binary2da);
