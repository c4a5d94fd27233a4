//! The text of a JSON file.

use field::Value;
use json::Lines;

/// Returns a value as formatted text, with a line end.
#[must_use]
pub fn print(json: &Value) -> Vec<u8> {
    let mut lines = Lines::new();
    lines.json(json);
    finish(lines)
}

/// Returns the text of a file, with a line end.
pub(super) fn finish(lines: Lines) -> Vec<u8> {
    let mut text = lines.finish();
    text.push(b'\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use json::parse;

    #[test]
    fn long_lists_have_one_item_or_many_numbers_per_line() {
        let rows: Value = (0..2).map(|row| (0..12).map(|it| 1_000_000 * row + it).collect::<Value>()).collect();
        let numbers: Value = (0..40).collect();
        let json = Value::from([("rows", rows), ("numbers", numbers), ("none", Value::List(vec![]))]);
        let text = print(&json);
        assert_eq!(
            String::from_utf8_lossy(&text),
            "\
{
  \"rows\": [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    [
      1000000, 1000001, 1000002, 1000003, 1000004, 1000005, 1000006, 1000007, 1000008, 1000009,
      1000010, 1000011
    ]
  ],
  \"numbers\": [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
    27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39
  ],
  \"none\": []
}
"
        );
        assert_eq!(parse(&text).expect("parses"), json);
    }

    #[test]
    fn byte_order_mark_is_not_part_of_the_text() {
        assert_eq!(parse(b"\xEF\xBB\xBF[1]\n").expect("parses"), Value::List(vec![1.into()]));
        for text in [b"\xFF\xFE[\x001\0]\0", b"\xFE\xFF\0[\x001\0]"] {
            assert_eq!(
                parse(text).expect_err("UTF-16").to_string(),
                "expected UTF-8, found UTF-16; save the file as UTF-8"
            );
        }
    }

    #[test]
    fn errors_report_the_line() {
        let error = parse(b"{\n  \"a\": [1,\n  2\n}\n").expect_err("no JSON");
        assert_eq!((error.line(), error.column()), (4, 1));
    }
}
