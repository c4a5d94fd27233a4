//! Every limit of the library, each with its reason.

/// How deep lists may lie in lists.
///
/// The deepest retail reader file nests 6 levels, forged ones 41; worker threads have stacks that hold this many.
pub const NESTING: usize = 1024;

/// How deep values may lie in values of the exchange form: the fields around a list that is [`NESTING`] deep, and it.
pub const NESTING_OF_JSON: usize = NESTING + 64;

/// How deep nodes of a model may lie in one another.
///
/// 13 in files seen; the walk through a model recurses, and a thread of a test has a stack of 2 MB.
pub const NODES: usize = 256;

/// How many containers may lie in one another (a wad in a data fork in a MacBinary file is 2).
pub const CONTAINERS: usize = 8;

/// Stack of a worker thread, in bytes: holds [`NESTING`] levels in a debug build with room to spare.
pub const STACK: usize = 64 << 20;

/// The memory in bytes that all jobs together may take at their peaks, and any file alone, unless `--memory` sets another limit or
/// the system has less.
///
/// Jobs wait for each other by the worst case of their files ([`crate::registry::Memory`]). A file alone is refused only if it really
/// takes more ([`super::memory`]).
pub const MEMORY: u64 = 8 << 30;

/// How many times a file the memory is that one `verify` of a file of a game takes at most, and through its exchange form: the
/// goals of the benchmark, and what a kind takes that says nothing else.
pub const MEMORY_FACTOR: u64 = 3;
/// See [`MEMORY_FACTOR`].
pub const MEMORY_FACTOR_OF_EXCHANGE: u64 = 20;

/// How many times a file the memory is to be that one `verify` through the exchange form takes, once no tree of JSON stands between model
/// and text: the goal of the next step.
pub const MEMORY_FACTOR_OF_STEP_2: u64 = 6;

/// What one `verify` takes besides, whatever the size of the file.
pub const MEMORY_BASE: u64 = 64 << 20;

/// How many bytes the results may take that wait until those of earlier files are printed.
///
/// A row of an entry takes some hundred bytes, so this is the rows of a hundred thousand.
pub const HELD: u64 = 32 << 20;

/// How many zeros are made to align something.
///
/// Files seen align to 64 KB at most; a larger number is a wrong value of an edit. What a file has is kept, however long.
pub const PADDING: u64 = 1 << 20;

/// How many pixels a picture may have, as on 2,048 by 2,048: a few bytes of a packed one can stand for any number of them.
///
/// The largest picture of a game fills a screen of 640 by 480, the largest texture is 256 by 256. A larger image of a game
/// stays in the JSON, where it takes the room that it has in its file.
pub const PIXELS: usize = 1 << 22;

/// How many pixels a contact sheet may have: a gigabyte and a half. No package of a game comes near.
pub const SHEET_PIXELS: usize = 1 << 29;

/// How many raw bytes a message or an outline quotes.
pub const QUOTE: usize = 24;
