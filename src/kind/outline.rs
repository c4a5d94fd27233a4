//! A summary of a file for people: lines indented by their depth.

use core::fmt::Display;

/// The maximum indentation of lines; deeper ones state their depth.
const INDENT: usize = 32;

/// The lines so far.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    lines: Vec<String>,
}

impl Outline {
    /// Adds a line.
    pub fn line(&mut self, depth: usize, text: impl Display) {
        let indent = "  ".repeat(depth.min(INDENT));
        self.lines.push(match depth > INDENT {
            true => format!("{indent}({depth} deep) {text}"),
            false => format!("{indent}{text}"),
        });
    }

    /// Returns the lines.
    #[must_use]
    pub fn finish(self) -> Vec<String> {
        self.lines
    }
}

/// Returns a number of items in words: `1 child`, `2 children`.
#[must_use]
pub fn counted(count: usize, what: &str, many: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_lines_state_their_depth() {
        let mut outline = Outline::default();
        outline.line(1, "a");
        outline.line(1_000_000, "b");
        let lines = outline.finish();
        assert_eq!(lines[0], "  a");
        assert_eq!(lines[1].trim_start(), "(1000000 deep) b");
        assert_eq!(lines[1].len(), 2 * INDENT + "(1000000 deep) b".len());
    }
}
