//! The library's one error: where, what was expected, what was found.

use core::fmt::{self, Display};

use bytesize::ByteSize;

use super::json_text::Spot;
use super::place::{Label, Place};

/// Why bytes could not be laid out, or a model could not be written.
///
/// It prints as one line, `0x00aa71b0: /parts/199/rotations: 2000 records of 16 bytes, 31995 bytes remain`; the program puts
/// the file before it. In a document of the exchange form it has a line and a column instead of an offset,
/// `weapons.zrd.json:3:9: /0/1: expected a number, a text or a list, found true`; the program puts the folder before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq)]
struct Inner {
    /// Nothing where the trouble is in the exchange form.
    offset: Option<u64>,
    /// None where the trouble is in bytes, or in values that no text has.
    spot: Option<Spot>,
    place: Place,
    /// The keys that lead on from the place to a member that is too much.
    surplus: Vec<String>,
    fault: Fault,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// More was announced than there is.
    Ends {
        /// How many records.
        count: u64,
        /// Bytes a record takes at least.
        each: u64,
        /// Bytes that remain.
        remain: u64,
    },
    /// Something points to where nothing can lie.
    Outside {
        /// Where it points, or how long it is.
        found: i128,
        /// What would have been possible, in words.
        expected: String,
    },
    /// A value without which the rest cannot be laid out is not one of those known.
    Unknown {
        /// What was found.
        found: String,
        /// What would have been understood.
        expected: String,
    },
    /// More levels than the limit.
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// Bytes are left where everything should have been read.
    Surplus {
        /// How many bytes.
        bytes: u64,
    },
    /// A list or block of a model has another length than the rest of the model says.
    Count {
        /// What the rest of the model says.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// What is made of the file would take more memory than allowed.
    Memory {
        /// The memory that is allowed for the file and what is made of it, in bytes.
        limit: u64,
    },
    /// A count, length or offset does not fit its field.
    TooLarge {
        /// The value.
        value: u64,
        /// The type of the field.
        field: &'static str,
    },
    /// An image, sound or text beside a document of the exchange form cannot be what it stands for.
    Beside {
        /// The file that is wrong: the document, or one beside it.
        file: String,
        /// What is wrong.
        why: String,
    },
}

impl Error {
    /// Returns `true` if more memory would be needed than is allowed.
    #[must_use]
    pub fn is_memory(&self) -> bool {
        matches!(self.0.fault, Fault::Memory { .. })
    }

    /// An error at a place.
    #[must_use]
    pub fn new(offset: u64, place: Place, fault: Fault) -> Self {
        Self(Box::new(Inner { offset: Some(offset), spot: None, place, surplus: Vec::new(), fault }))
    }

    /// An error in the exchange form of a file, which has no offsets.
    #[must_use]
    pub fn in_exchange(place: Place, fault: Fault) -> Self {
        Self(Box::new(Inner { offset: None, spot: None, place, surplus: Vec::new(), fault }))
    }

    /// Adds where in the text of a document it is, if that is known.
    #[must_use]
    pub(crate) fn with_spot(mut self, spot: Option<Spot>) -> Self {
        self.0.spot = spot.or(self.0.spot);
        self
    }

    /// Adds the keys that lead on from the place to a member that is too much.
    #[must_use]
    pub(crate) fn with_surplus(mut self, keys: Vec<String>) -> Self {
        self.0.surplus = keys;
        self
    }

    /// Returns the keys that lead on from the place to a member that is too much; none if it is the value that is wrong.
    pub(crate) fn surplus(&self) -> &[String] {
        &self.0.surplus
    }

    /// Returns the file, line and column of the error in the unpacked folder, or `None` if it is not in the text of a document.
    #[must_use]
    pub fn spot(&self) -> Option<&Spot> {
        self.0.spot.as_ref()
    }

    /// The offset in the file where the trouble starts; nothing where it is in the exchange form.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// The field that could not be laid out.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.0.place
    }

    /// What is wrong.
    #[must_use]
    pub fn fault(&self) -> &Fault {
        &self.0.fault
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.0.spot, self.0.offset) {
            // An offset in a file that is yet to be made would lead nobody anywhere.
            (Some(spot), _) => write!(f, "{spot}: ")?,
            (None, Some(offset)) => write!(f, "{offset:#010x}: ")?,
            (None, None) => {}
        }
        // The name of a file is printed once.
        let is_named = |file: &str| self.0.spot.as_ref().is_some_and(|spot| spot.file() == file);
        let is_file = |label: &Label| label.twin == 0 && core::str::from_utf8(&label.name).is_ok_and(is_named);
        match &self.0.fault {
            Fault::Beside { file, why } if is_named(file) => f.write_str(why),
            fault @ Fault::Beside { .. } => fault.fmt(f),
            fault => {
                let entries = self.0.place.labels().iter().rposition(is_file).map_or(0, |last| last.saturating_add(1));
                write!(f, "{}: {fault}", self.0.place.inside(entries))
            }
        }
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ends { count: bytes, each: 1, remain } | Self::Ends { count: 1, each: bytes, remain } => {
                write!(f, "expected {bytes} byte{}, found {remain}", s(*bytes))
            }
            Self::Ends { count, each, remain } => {
                write!(f, "expected {count} records of {each} bytes, found only {remain} byte{}", s(*remain))
            }
            Self::Outside { found, expected } => write!(f, "expected {expected}, found {found}"),
            Self::Unknown { found, expected } => write!(f, "expected {expected}, found {found}"),
            Self::TooDeep { limit } => write!(f, "nested more than {limit} levels deep"),
            Self::Surplus { bytes } => write!(f, "expected the end of the data, found {bytes} extra byte{}", s(*bytes)),
            Self::Memory { limit } => {
                let (limit, more) = (ByteSize(*limit), limit.saturating_mul(2).div_ceil(1 << 30));
                write!(f, "takes more memory than the limit of {limit}; use --memory {more}GiB or more to allow it")
            }
            Self::Count { expected, found } => write!(f, "expected {expected} record{}, found {found}", s(*expected)),
            Self::Beside { file, why } => write!(f, "{file}: {why}"),
            Self::TooLarge { value, field } => write!(f, "{value} does not fit in {field}"),
        }
    }
}

/// Returns the plural ending for a number.
const fn s(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

impl core::error::Error for Error {}

/// What a lay comes to.
pub type Result<T = ()> = core::result::Result<T, Error>;
