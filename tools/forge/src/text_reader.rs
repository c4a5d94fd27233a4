//! Reader data in text form (`.zrd`): lists in parentheses. Source: zipper-reader.md, section 4.
//!
//! Files of this kind cannot be broken: any text splits into tokens.

mod samples;

use crate::bytes::Bytes;
pub use samples::{ordinary, samples};

/// A text reader file. Source: zipper-reader.md, section 4.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The text between line ends; lines that contain a line end are valid too.
    pub lines: Vec<Vec<u8>>,
    /// CR LF.
    pub line_end: &'static [u8],
    /// `true` if the last line has a line end too.
    pub ends_last: bool,
}

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let mut out = Bytes::new();
    for line in &spec.lines {
        out.raw(line).raw(spec.line_end);
    }
    if !spec.ends_last {
        out.truncate(out.len() - spec.line_end.len());
    }
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::{Spec, build};

    #[test]
    fn last_line_may_lack_its_end() {
        let spec = Spec { lines: vec![b"(".into(), b")".into()], line_end: b"\r\n", ends_last: true };
        assert_eq!(build(&spec), b"(\r\n)\r\n");
        assert_eq!(build(&Spec { ends_last: false, ..spec }), b"(\r\n)");
    }
}
