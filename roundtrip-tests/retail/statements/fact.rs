//! What a statement counts.

/// Places in a file, with indices and the names of entries as `*`; a number is the index itself.
type Places = &'static [&'static str];

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Is {
    Number(u64),
    /// Text up to its first NUL.
    Text(&'static str),
}

/// What a statement counts in the files of an install. Entries, texts and sizes are given by [patterns](fits).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fact {
    /// The files.
    Files,
    /// The files of a kind.
    Kind(&'static str),
    /// The bytes of the files.
    Bytes,
    /// The files of other sizes.
    OtherSizes(&'static [u64]),
    /// The files with the bytes of the first file of a pattern.
    Like(&'static str),
    /// The beginning of the SHA-256 of the one file, as a number of eight hexadecimal digits.
    Sha,
    /// The last digits of the SHA-256 of the one file.
    ShaEnd(usize),
    /// The words that occur one after the other from an offset.
    Words(u64, &'static [&'static str]),
    /// The items of lists and blocks at these places.
    Records(Places),
    /// The entries of a kind.
    Entries(&'static str),
    /// The bytes of an entry.
    EntryBytes(&'static str),
    /// The offset of an entry.
    EntryStart(&'static str),
    /// The beginning of the SHA-256 of an entry.
    EntrySha(&'static str),
    /// The entries of other sizes.
    OtherEntrySizes(&'static str, &'static [u64]),
    /// The bytes of an entry after decompression.
    DecodedBytes(&'static str),
    /// The beginning of the SHA-256 of an entry after decompression.
    DecodedSha(&'static str),
    /// The files with the bytes of an entry, after decompression, of the file of a pattern.
    Twin(&'static str, &'static str),
    /// The sum of the values of fields, most often of one.
    Sum(Places),
    /// The number of values of which the bits of a mask are these.
    Values(Places, u64, u64),
    /// The number of values of which the bits of a mask are others.
    Others(Places, u64, u64),
    /// The number of values from one number to another. Positive floats are in the order of their bits.
    Within(Places, u64, u64),
    /// The lowest value.
    Lowest(Places),
    /// The highest value.
    Highest(Places),
    /// The number of different values.
    Different(Places),
    /// The number of texts, up to the first NUL. With a NUL in the pattern, it is that of the whole field and one more NUL.
    Texts(Places, &'static [&'static str]),
    /// The number of texts that match no pattern.
    OtherTexts(Places, &'static [&'static str]),
    /// The number of different texts.
    DifferentTexts(Places, &'static [&'static str]),
    /// The number of texts that differ in more than case.
    FoldedTexts(Places),
    /// The records of which fields have these values.
    With(Places, &'static [(&'static str, Is)]),
    /// The offset of the first field below these places.
    Start(Places),
    /// The bytes of all fields below these places.
    Length(Places),
    /// The stored addresses outside a range; null is none.
    Addresses(u64, u64),
    /// The matrices of Crimson Skies that formula B misses by more than 1e-4.
    MissesFormulaB,
    /// The deviations at a place.
    Deviations(&'static str),
    /// The first number of a string in a DLL, given that they come in blocks of 16.
    FirstString,
    /// The last number of a string in a DLL.
    LastString,
    /// The least that one of the files has of a fact.
    Least(&'static Fact),
    /// The most that one of the files has of a fact.
    Most(&'static Fact),
}

impl Fact {
    /// Returns what is counted in a single file.
    pub(super) fn inner(self) -> Self {
        match self {
            Self::Least(fact) | Self::Most(fact) => fact.inner(),
            other => other,
        }
    }

    /// Returns the places whose values it needs.
    pub(super) fn places(self) -> Places {
        match self.inner() {
            Self::Sum(places) | Self::Lowest(places) | Self::Highest(places) | Self::Different(places) => places,
            Self::Values(places, ..) | Self::Others(places, ..) | Self::Within(places, ..) => places,
            Self::Texts(places, _) | Self::OtherTexts(places, _) => places,
            Self::DifferentTexts(places, _) | Self::FoldedTexts(places) => places,
            _ => &[],
        }
    }

    /// Returns a fact of the same shape that any file with such contents has, whatever its values and names.
    pub(super) fn of_any(self) -> Self {
        let any = |places: Places| -> Places {
            // A test makes a few of them, once.
            Vec::leak(places.iter().map(|place| &*String::leak(starred(place))).collect())
        };
        match self {
            Self::OtherSizes(_) => Self::OtherSizes(&[]),
            Self::Words(..) => Self::Words(0, &[""]),
            Self::EntryBytes(_) => Self::EntryBytes("*"),
            Self::EntryStart(_) => Self::EntryStart("*"),
            Self::EntrySha(_) => Self::EntrySha("*"),
            Self::OtherEntrySizes(..) => Self::OtherEntrySizes("*", &[]),
            Self::DecodedBytes(_) => Self::DecodedBytes("*"),
            Self::DecodedSha(_) => Self::DecodedSha("*"),
            Self::Twin(archive, _) => Self::Twin(archive, "*"),
            Self::Sum(places) => Self::Values(any(places), 0, 0),
            Self::Values(places, ..) => Self::Values(any(places), 0, 0),
            Self::Others(places, ..) => Self::Others(any(places), 0, 1),
            Self::Within(places, ..) => Self::Within(any(places), 0, u64::MAX),
            Self::Lowest(places) | Self::Highest(places) => Self::Values(any(places), 0, 0),
            Self::Texts(places, _) => Self::Texts(any(places), &["*"]),
            Self::DifferentTexts(places, _) => Self::DifferentTexts(any(places), &["*"]),
            Self::OtherTexts(places, _) => Self::OtherTexts(any(places), &[]),
            Self::With(places, _) => Self::With(any(places), &[]),
            Self::Addresses(..) => Self::Addresses(u64::MAX, 0),
            // No sample of an install has most deviations.
            // Nor are their matrices far from a formula.
            Self::MissesFormulaB => {
                Self::Values(&["/nodes/slots/*/object/transform", "/nodes/slots/*/object/transform/*"], 0, 0)
            }
            Self::Deviations(place) => Self::Values(Vec::leak(vec![place, String::leak(format!("{place}/*"))]), 0, 0),
            Self::Least(fact) | Self::Most(fact) => fact.of_any(),
            other => other,
        }
    }
}

/// Returns a place with its indices as `*`.
pub(super) fn starred(place: &str) -> String {
    let is_index = |step: &str| !step.is_empty() && step.bytes().all(|it| it.is_ascii_digit());
    // A section of a program is no entry of a list.
    let is_entry = |step: &str| step.ends_with(':') && !step.starts_with('.');
    let starred = |step| {
        if is_index(step) {
            "*"
        } else if is_entry(step) {
            "*:"
        } else {
            step
        }
    };
    place.split('/').map(starred).collect::<Vec<_>>().join("/")
}

/// Returns `true` if a text matches a pattern with stars, which stand for anything.
pub(super) fn fits(pattern: &str, text: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else { return pattern == text };
    let after = after.trim_start_matches('*');
    let Some(rest) = text.strip_prefix(before) else { return false };
    match after.contains('*') {
        false => rest.ends_with(after),
        true => rest.char_indices().any(|(at, _)| rest.get(at..).is_some_and(|rest| fits(after, rest))),
    }
}

#[test]
fn stars_stand_for_anything() {
    for (pattern, text, expected) in [
        ("zbd/*/mp*/mis_anim.zbd", "zbd/c1/mp2/mis_anim.zbd", true),
        ("zbd/*/mp*/mis_anim.zbd", "zbd/c1/m02/mis_anim.zbd", false),
        ("zbd/**.zbd", "zbd/c1/texture.zbd", true),
        ("*", "", true),
        ("a*", "b", false),
        ("a", "ab", false),
        ("*ab", "ab", true),
        ("ab*ba", "aba", false),
    ] {
        assert_eq!(fits(pattern, text), expected, "{pattern} {text}");
    }
    assert_eq!(starred("*:/parts/12/rotations"), "*:/parts/*/rotations");
    assert_eq!([starred("fire101:/width"), starred(".rsrc:/data")], ["*:/width", ".rsrc:/data"]);
}
