//! The error type of the library: a place, an expected value and the one found.

use core::fmt::{self, Display};

use super::place::{Label, Place};
use super::spot::Spot;

/// The reason why bytes could not be laid out, or a model could not be written.
///
/// It prints as one line, `0x00aa71b0: /parts/199/rotations: expected 2000 records of 16 bytes, found only 31995 bytes`; the program puts
/// the file before it. In a document of the exchange format it has a line and a column instead of an offset,
/// `weapons.zrd.json:3:9: /0/1: expected a number, a text or a list, found true`; the program puts the folder before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq)]
struct Inner {
    /// `None` if the error is in the exchange format.
    offset: Option<u64>,
    /// `None` if the error is in bytes, or in values that do not come from text.
    spot: Option<Spot>,
    place: Place,
    /// The keys that lead on from the place to an unexpected member.
    surplus: Vec<String>,
    fault: Fault,
}

/// The fault that an error reports.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// More data was announced than remains.
    Ends {
        /// The number of records.
        count: u64,
        /// The minimum size of a record, in bytes.
        each: u64,
        /// The number of bytes that remain.
        remain: u64,
    },
    /// An offset or length points outside the possible range.
    Outside {
        /// The offset or length.
        found: i128,
        /// The possible values, for people.
        expected: String,
    },
    /// A value that determines the layout of the rest is not one of the known ones.
    Unknown {
        /// The value found.
        found: String,
        /// The known values.
        expected: String,
    },
    /// The data is nested too deep.
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// Bytes remain after the expected end.
    Surplus {
        /// The number of extra bytes.
        bytes: u64,
    },
    /// A list or block of a model has a different length from the one that the rest of the model states.
    Count {
        /// The length that the rest of the model states.
        expected: u64,
        /// The actual length.
        found: u64,
    },
    /// Decoding the file would take more memory than allowed.
    Memory {
        /// The memory allowed for the file and its model, in bytes.
        limit: u64,
    },
    /// A count, length or offset does not fit its field.
    TooLarge {
        /// The value.
        value: u64,
        /// The type of the field.
        field: &'static str,
    },
    /// The end of the file is missing, by the part of it that is left.
    Cut {
        /// What was found there.
        found: String,
        /// What the end of a whole file is.
        expected: String,
    },
    /// An image, sound or text beside a document of the exchange format cannot be imported.
    Beside {
        /// The wrong file: the document, or one beside it.
        file: String,
        /// The reason.
        why: String,
    },
}

impl Error {
    /// Returns `true` if more memory would be needed than allowed.
    #[must_use]
    pub fn is_memory(&self) -> bool {
        matches!(self.0.fault, Fault::Memory { .. })
    }

    /// Creates an error at a place.
    #[must_use]
    pub fn new(offset: u64, place: Place, fault: Fault) -> Self {
        Self(Box::new(Inner { offset: Some(offset), spot: None, place, surplus: Vec::new(), fault }))
    }

    /// Creates an error in the exchange format, which has no offsets.
    #[must_use]
    pub fn in_exchange(place: Place, fault: Fault) -> Self {
        Self(Box::new(Inner { offset: None, spot: None, place, surplus: Vec::new(), fault }))
    }

    /// Adds the position in the text of a document, if it is known.
    #[must_use]
    pub fn with_spot(mut self, spot: Option<Spot>) -> Self {
        self.0.spot = spot.or(self.0.spot);
        self
    }

    /// Adds the keys that lead on from the place to an unexpected member.
    #[must_use]
    pub(crate) fn with_surplus(mut self, keys: Vec<String>) -> Self {
        self.0.surplus = keys;
        self
    }

    /// Returns the error of a part at the place of the part.
    #[must_use]
    pub fn within(mut self, part: &Place) -> Self {
        self.0.place = part.join(&self.0.place);
        self
    }

    /// Returns the keys that lead on from the place to an unexpected member; they are empty if the value itself is wrong.
    pub fn surplus(&self) -> &[String] {
        &self.0.surplus
    }

    /// Returns `true` if the error is an unexpected member, and these keys lead to it, or to what holds it.
    #[must_use]
    pub fn is_surplus(&self, keys: &[String]) -> bool {
        let surplus = &self.0.surplus;
        !surplus.is_empty() && !keys.is_empty() && (keys.ends_with(surplus) || surplus.starts_with(keys))
    }

    /// Returns the file, line and column of the error in the unpacked folder, or `None` if it is not in the text of a document.
    #[must_use]
    pub fn spot(&self) -> Option<&Spot> {
        self.0.spot.as_ref()
    }

    /// Returns the file offset of the error, or `None` if it is in the exchange format.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// Returns the place that could not be laid out.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.0.place
    }

    /// Returns the fault.
    #[must_use]
    pub fn fault(&self) -> &Fault {
        &self.0.fault
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.0.spot, self.0.offset) {
            // An offset in a file that does not exist yet would not help.
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
                let entries = self.0.place.labels().iter().rposition(is_file).map_or(0, |last| last + 1);
                write!(f, "{}: {fault}", self.0.place.inside(entries))
            }
        }
    }
}

/// A size of memory for people: `1.5 GiB`.
pub(super) struct Size(pub(super) u64);

impl Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(60, "EiB"), (50, "PiB"), (40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];
        let Some((power, unit)) = units.into_iter().find(|(power, _)| self.0 >> power > 0) else {
            return write!(f, "{} B", self.0);
        };
        let tenths = (u128::from(self.0) * 10 + (1 << (power - 1))) >> power;
        write!(f, "{}.{} {unit}", tenths / 10, tenths % 10)
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
            Self::Unknown { found, expected } | Self::Cut { found, expected } => {
                write!(f, "expected {expected}, found {found}")
            }
            Self::TooDeep { limit } => write!(f, "nested more than {limit} levels deep"),
            Self::Surplus { bytes } => write!(f, "expected the end of the data, found {bytes} extra byte{}", s(*bytes)),
            Self::Memory { limit } => {
                let (limit, more) = (Size(*limit), limit.saturating_mul(2).div_ceil(1 << 30));
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

/// The result of laying out a model.
pub type Result<T = ()> = core::result::Result<T, Error>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_to_a_tenth_of_their_unit() {
        let shown = |size: u64| Size(size).to_string();
        let units = [0, 10, 20, 30, 40, 50, 60].map(|power| shown(1 << power));
        assert_eq!(units, ["1 B", "1.0 KiB", "1.0 MiB", "1.0 GiB", "1.0 TiB", "1.0 PiB", "1.0 EiB"]);
        assert_eq!([0, 1023, 1075, 1076, 1536].map(shown), ["0 B", "1023 B", "1.0 KiB", "1.1 KiB", "1.5 KiB"]);
        assert_eq!(shown(u64::MAX), "16.0 EiB");
    }

    #[test]
    fn memory_error_says_what_would_be_enough() {
        let error = Error::new(7, Place::default(), Fault::Memory { limit: 3 << 29 });
        assert_eq!(
            [error.offset(), Error::in_exchange(Place::default(), Fault::TooDeep { limit: 9 }).offset()],
            [Some(7), None]
        );
        assert!(error.is_memory() && !Error::new(0, Place::default(), Fault::TooDeep { limit: 9 }).is_memory());
        let text = error.to_string();
        assert!(text.contains("the limit of 1.5 GiB; use --memory 3GiB or more"), "{text}");
    }

    #[test]
    fn surplus_member_is_the_end_of_its_keys() {
        let keys = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let error = Error::in_exchange(Place::default(), Fault::TooDeep { limit: 9 });
        assert!(error.surplus().is_empty() && !error.is_surplus(&keys("a b")) && !error.is_surplus(&[]));
        let surplus = error.with_surplus(keys("b c"));
        assert_eq!(surplus.surplus(), keys("b c"));
        assert_eq!(
            ["a b c", "b c", "c", "b c d", ""].map(|it| surplus.is_surplus(&keys(it))),
            [true, true, false, false, false]
        );
    }
}
