//! Alignment: zeros up to a multiple.

use super::block::Block;
use super::error::Fault;
use super::limits;

/// Zeros up to a multiple, or what a file has in their place.
///
/// A padding that deviates is kept as long as the rule asks for as many zeros as it did; when an edit changes that, it is
/// zeros again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pad {
    /// Rare, so that the many that hold nothing take little memory.
    kept: Option<Box<Kept>>,
}

/// What a file has instead of so many zeros.
#[derive(Clone, Debug, PartialEq)]
struct Kept {
    bytes: Block,
    computed: u64,
}

impl Pad {
    /// How many zeros lead to the next multiple of `of`, counted from `start`.
    pub(super) fn wanted(at: u64, start: u64, of: u64) -> u64 {
        let length = at.saturating_sub(start);
        length.checked_next_multiple_of(of).unwrap_or(at).saturating_sub(length)
    }

    /// The padding that a file has where so many zeros are wanted.
    pub(super) fn read(bytes: Block, wanted: u64) -> Self {
        let zeros = bytes.iter().all(|&byte| byte == 0) && super::wide(bytes.len()) == wanted;
        if zeros && wanted <= limits::PADDING { Self::default() } else { Self::kept(bytes, wanted) }
    }

    /// The padding that has these bytes where so many zeros are wanted.
    pub(super) fn kept(bytes: Block, computed: u64) -> Self {
        Self { kept: Some(Box::new(Kept { bytes, computed })) }
    }

    /// The bytes that were kept, where so many zeros are wanted now and were not then.
    pub(super) fn given_up(&self, wanted: u64) -> Option<&Block> {
        self.kept.as_ref().filter(|kept| kept.computed != wanted).map(|kept| &kept.bytes)
    }

    /// The bytes to lay where so many zeros are wanted.
    pub(super) fn bytes(&self, wanted: u64) -> Result<Block, Fault> {
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
    fn zeros_are_made_only_where_few_are_wanted() {
        let pad = Pad::default();
        assert_eq!(pad.bytes(3).expect("a few").bytes(), [0, 0, 0]);
        assert!(pad.bytes(limits::PADDING).is_ok() && pad.bytes(limits::PADDING + 1).is_err());
        let kept = Pad::read(vec![0, 1].into(), 2);
        assert_eq!(kept.bytes(2).expect("its own").bytes(), [0, 1]);
        assert_eq!(kept.bytes(1).expect("zeros").bytes(), [0]);
    }

    #[test]
    fn what_is_not_as_wanted_is_kept_until_something_else_is_wanted() {
        assert_eq!(Pad::read(vec![0; 2].into(), 2), Pad::default());
        for (bytes, wanted) in [(vec![0; 1], 2), (vec![0, 1], 2), (vec![0; (1 << 20) + 1], (1 << 20) + 1)] {
            let pad = Pad::read(bytes.into(), wanted);
            assert_eq!(pad.given_up(wanted), None);
            assert!(pad.given_up(wanted - 1).is_some());
        }
    }
}
