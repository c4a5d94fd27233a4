//! Reader data in binary form (`.zrd`): one value, most often a list of lists. Source: zipper-reader.md, section 2.

mod samples;

use crate::bytes::Bytes;
pub use samples::{broken, ordinary, samples};

/// A binary reader file. Source: zipper-reader.md, section 2.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The one value.
    pub root: Value,
    /// Bytes after the value.
    pub trailing: Vec<u8>,
}

/// A value. Source: zipper-reader.md, section 2.
#[derive(Clone, Debug)]
pub enum Value {
    /// Tag 1.
    Int(i32),
    /// Tag 2, as bits.
    Float(u32),
    /// Tag 3.
    String {
        /// `None`: the length of the string.
        length: Option<u32>,
        /// Not terminated.
        bytes: Vec<u8>,
    },
    /// Tag 4.
    List {
        /// `None`: one more than the number of values.
        count: Option<u32>,
        /// In file order.
        values: Vec<Value>,
    },
    /// An unknown tag without contents.
    Unknown(u32),
}

impl Spec {
    /// Creates a file with computed values.
    pub fn new(root: Value) -> Self {
        Self { root, trailing: vec![] }
    }
}

/// Creates a float with computed values.
pub fn float(value: f32) -> Value {
    Value::Float(value.to_bits())
}

/// Creates a string with computed values.
pub fn string(bytes: &[u8]) -> Value {
    Value::String { length: None, bytes: bytes.into() }
}

/// Creates a list with computed values.
pub fn list(values: impl Into<Vec<Value>>) -> Value {
    Value::List { count: None, values: values.into() }
}

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let mut out = Bytes::new();
    write(&spec.root, &mut out);
    out.raw(&spec.trailing);
    out.finish()
}

fn write(value: &Value, out: &mut Bytes) {
    match value {
        Value::Int(value) => out.le_u32(1).le_i32(*value),
        Value::Float(bits) => out.le_u32(2).le_u32(*bits),
        Value::String { length, bytes } => out.le_u32(3).le_u32(length.unwrap_or(bytes.len() as u32)).raw(bytes),
        Value::List { count, values } => {
            out.le_u32(4).le_u32(count.unwrap_or(values.len() as u32 + 1));
            values.iter().for_each(|value| write(value, out));
            out
        }
        Value::Unknown(tag) => out.le_u32(*tag),
    };
}

/// Returns an empty list inside `depth` lists, as bytes: dropping such a deep [`Value`] would overflow the stack.
pub fn nested(depth: usize) -> Vec<u8> {
    let mut out = [4, 0, 0, 0, 2, 0, 0, 0].repeat(depth);
    out.extend([4, 0, 0, 0, 1, 0, 0, 0]);
    out
}

#[cfg(test)]
mod tests {
    use super::{Spec, Value, build, float, list, nested, string};

    /// Source: zipper-archives.md, section 8.
    #[test]
    fn worked_example_is_built() {
        let inner = list([string(b"KEY"), list([Value::Int(1), float(-0.5)]), list([])]);
        #[rustfmt::skip]
        let expected = [
            0x04, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00,
            0x03, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x4B, 0x45, 0x59, 0x04, 0x00, 0x00, 0x00, 0x03,
            0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00,
            0x00, 0x00, 0xBF, 0x04, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
        ];
        assert_eq!(build(&Spec::new(list([inner]))), expected);
    }

    #[test]
    fn lists_nest() {
        assert_eq!(nested(2), build(&Spec::new(list([list([list([])])]))));
    }
}
