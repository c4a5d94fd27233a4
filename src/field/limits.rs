//! Every limit of the library, each with its reason.

/// The maximum nesting depth of lists.
///
/// The deepest retail reader file nests 6 levels, synthetic ones 41; worker threads have stacks that hold this many.
pub const NESTING: usize = 1024;

/// The maximum nesting depth of the nodes of a model.
///
/// 13 in files seen; the walk through a model recurses, and a test thread has a stack of 2 MB.
pub const NODES: usize = 256;

/// The maximum nesting depth of containers (a wad in a data fork in a MacBinary file is 2).
pub const CONTAINERS: usize = 8;

/// The stack of a worker thread, in bytes: holds [`NESTING`] levels in a debug build with space to spare.
pub const STACK: usize = 64 << 20;

/// The peak memory in bytes that all jobs together may take, and any file alone, unless `--memory` sets another limit or the system
/// has less.
///
/// Jobs wait for each other by the worst case of their files (`kind::Memory`). A file alone is refused only if it really
/// takes more ([`super::memory`]).
pub const MEMORY: u64 = 8 << 30;

/// The maximum memory that `verify` takes for a game file, as a multiple of the file size, without the exchange format: the goal of
/// the benchmark, and the default for kinds.
pub const MEMORY_FACTOR: u64 = 3;
/// The maximum memory for `verify` through the exchange format; see [`MEMORY_FACTOR`].
pub const MEMORY_FACTOR_OF_EXCHANGE: u64 = 20;

/// The goal for `verify` through the exchange format once there is no tree of JSON between model and text, as a multiple of the file
/// size.
pub const MEMORY_FACTOR_OF_STEP_2: u64 = 6;

/// The memory that `verify` takes in addition, regardless of the file size, in bytes.
pub const MEMORY_BASE: u64 = 64 << 20;

/// The maximum memory of results that wait for those of earlier files to be printed, in bytes.
///
/// A row of an entry takes some hundred bytes, so this holds a hundred thousand rows.
pub const HELD: u64 = 32 << 20;

/// The maximum number of zeros inserted for alignment.
///
/// Files seen align to 64 KB at most; a larger number comes from a wrong edit. Padding in an existing file is preserved at any length.
pub const PADDING: u64 = 1 << 20;

/// The maximum number of pixels of an image, as in 2,048 by 2,048: a few compressed bytes can encode any number of them.
///
/// The largest image of a game fills a screen of 640 by 480, the largest texture is 256 by 256. A larger image of a game stays in
/// the JSON, where it takes no more space than in its file.
pub const PIXELS: usize = 1 << 22;

/// The maximum number of pixels of a contact sheet, which then takes 1.5 GB. No package of a game comes near.
pub const SHEET_PIXELS: usize = 1 << 29;

/// The maximum number of corners of triangles and of keys that an import reads for each byte of a glTF file.
///
/// A corner or key that others do not share takes at least a byte. Linked copies of a mesh share theirs; hostile files share a few
/// numbers any number of times.
pub const GLTF_VALUES: usize = 16;

/// The number of raw bytes that a message or an outline quotes.
pub const QUOTE: usize = 24;

/// The memory that an allocation takes in addition to the requested bytes.
pub(crate) const ALLOCATION: usize = 16;
