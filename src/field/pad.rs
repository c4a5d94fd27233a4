//! Alignment: zeros up to a multiple of a size.

use bytes::Bytes;

use super::block::Block;
use super::error::Fault;
use super::limits;
use super::visit::Run;

/// Zeros up to a multiple of a size, or the bytes that a file has in their place.
///
/// A deviating padding is preserved as long as the rule requires the same number of zeros; when an edit changes that number, it
/// becomes zeros.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pad {
    /// Boxed because it is rare, so that the many paddings without it take little memory.
    kept: Option<Box<Kept>>,
}

/// The bytes that a file has instead of a number of zeros.
#[derive(Clone, Debug, PartialEq)]
struct Kept {
    bytes: Block,
    computed: u64,
}

/// The zeros of most paddings, which need no allocation.
static ZEROS: [u8; 512] = [0; 512];

impl Pad {
    /// Returns the number of zeros up to the next multiple of `of`, counted from `start`.
    pub(super) fn wanted(at: u64, start: u64, of: u64) -> u64 {
        let length = at - start;
        // Nothing is a multiple of 0.
        length.checked_next_multiple_of(of).map_or(0, |end| end - length)
    }

    /// Returns `true` if bytes that a file has where this number of zeros is required need not be preserved.
    pub(super) fn is_usual(bytes: &[u8], wanted: u64) -> bool {
        Run::Padding(wanted).is_as_expected(bytes) && wanted <= limits::PADDING
    }

    /// Returns the padding that has these bytes where this number of zeros is required.
    pub fn kept(bytes: Block, computed: u64) -> Self {
        Self { kept: Some(Box::new(Kept { bytes, computed })) }
    }

    /// Returns the preserved bytes if a different number of zeros is required now.
    pub(super) fn given_up(&self, wanted: u64) -> Option<&Block> {
        self.kept.as_ref().filter(|kept| kept.computed != wanted).map(|kept| &kept.bytes)
    }

    /// Returns the zeros to write where this number of them is required, unless other bytes are preserved or they are many.
    pub(super) fn zeros(&self, wanted: u64) -> Option<&'static [u8]> {
        let zeros = ZEROS.get(..usize::try_from(wanted).ok()?)?;
        self.kept.as_ref().is_none_or(|kept| kept.computed != wanted).then_some(zeros)
    }

    /// Returns the bytes to write where this number of zeros is required.
    pub(super) fn bytes(&self, wanted: u64) -> Result<Block, Fault> {
        if let Some(zeros) = self.zeros(wanted) {
            return Ok(Block::shared(Bytes::from_static(zeros)));
        }
        match self.kept.as_deref() {
            Some(Kept { bytes, computed }) if *computed == wanted => Ok(bytes.clone()),
            _ => match usize::try_from(wanted) {
                Ok(zeros) if wanted <= limits::PADDING => Ok(vec![0; zeros].into()),
                _ => Err(Fault::Outside {
                    found: wanted.into(),
                    expected: format!("at most {} zeros of padding", limits::PADDING),
                }),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_lead_to_the_next_multiple() {
        assert_eq!([0, 4, 5, 8].map(|at| Pad::wanted(100 + at, 100, 4)), [0, 0, 3, 0]);
        assert_eq!(Pad::wanted(105, 100, 0), 0, "nothing is a multiple of 0");
    }

    #[test]
    fn zeros_are_created_only_up_to_a_limit() {
        let pad = Pad::default();
        assert_eq!(pad.bytes(3).expect("a few").bytes(), [0, 0, 0]);
        assert!(pad.bytes(limits::PADDING).is_ok() && pad.bytes(limits::PADDING + 1).is_err());
        let kept = Pad::kept(vec![0, 1].into(), 2);
        assert_eq!(kept.bytes(2).expect("its own").bytes(), [0, 1]);
        assert_eq!(kept.bytes(1).expect("zeros").bytes(), [0]);
    }

    #[test]
    fn deviating_padding_is_kept_until_the_required_length_changes() {
        assert!(Pad::is_usual(&[0; 2], 2));
        for (bytes, wanted) in [(vec![0; 1], 2), (vec![0, 1], 2), (vec![0; (1 << 20) + 1], (1 << 20) + 1)] {
            assert!(!Pad::is_usual(&bytes, wanted));
            let pad = Pad::kept(bytes.into(), wanted);
            assert_eq!(pad.given_up(wanted), None);
            assert!(pad.given_up(wanted - 1).is_some());
        }
    }
}
