//! Where fields put their values, and where their values come from: in memory, as text, or in any other form.

use std::borrow::Cow;

use smol_str::SmolStr;

use super::code_page::CodePage;
use super::decimal::{as_single, decimal, nearest_single};
use super::fixed;
use super::hex::hex;
use super::value::Value;

/// A list or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nest {
    /// A list of values of which one is a list or an object.
    List,
    /// A list of plain values, or an empty one.
    Plain,
    /// An object.
    Object,
}

/// What takes values, one after another: a value in memory, or text that is written.
///
/// A value is plain, or it is what comes between [`begin`](Self::begin) and [`end`](Self::end). A member of an object is its
/// [`name`](Self::name) and then its value.
pub trait Sink {
    /// Puts a Boolean.
    fn truth(&mut self, value: bool);

    /// Puts an integer.
    fn whole(&mut self, value: i64);

    /// Puts a float, to the bit.
    fn float(&mut self, value: f32);

    /// Puts a number in parts of 65,536.
    fn fixed(&mut self, parts: i64);

    /// Puts a string.
    fn text(&mut self, text: &str);

    /// Puts bytes of a code page as a string.
    fn encoded(&mut self, page: &'static CodePage, bytes: &[u8]) {
        self.text(&page.decode(bytes));
    }

    /// Puts raw bytes, shown as hexadecimal digits.
    fn hex(&mut self, bytes: &[u8]);

    /// Puts any value.
    fn value(&mut self, value: Value);

    /// Begins a list or an object.
    fn begin(&mut self, nest: Nest);

    /// Puts the name of a member.
    fn name(&mut self, name: &str);

    /// Ends the list or object that was begun last.
    fn end(&mut self);
}

/// A value that a field is set from. It returns `None` for what it is not.
pub trait Source {
    /// Returns the Boolean.
    fn truth(&self) -> Option<bool>;

    /// Returns the integer.
    fn whole(&self) -> Option<i64>;

    /// Returns the nearest float of a number that is not written as an integer.
    fn float(&self) -> Option<f32>;

    /// Returns the nearest number in parts of 65,536 of a number that is not written as an integer.
    fn fixed(&self) -> Option<i64>;

    /// Returns the string. Raw bytes are one of hexadecimal digits.
    fn text(&self) -> Option<Cow<'_, str>>;

    /// Returns the whole value, or null if there is none.
    fn value(&self) -> Cow<'_, Value>;
}

/// A value that is built in memory.
#[derive(Default)]
pub(super) struct Shown {
    value: Value,
    open: Vec<Value>,
    names: Vec<SmolStr>,
}

impl Shown {
    /// Returns what is put into the sink.
    pub(super) fn of(put: impl FnOnce(&mut dyn Sink)) -> Value {
        let mut shown = Self::default();
        put(&mut shown);
        shown.value
    }
}

impl Sink for Shown {
    fn truth(&mut self, value: bool) {
        self.value(Value::Bool(value));
    }

    fn whole(&mut self, value: i64) {
        self.value(Value::Integer(value));
    }

    fn float(&mut self, value: f32) {
        self.value(value.into());
    }

    fn fixed(&mut self, parts: i64) {
        self.value(Value::Fixed(parts));
    }

    fn text(&mut self, text: &str) {
        self.value(text.into());
    }

    fn hex(&mut self, bytes: &[u8]) {
        self.value(hex(bytes).into());
    }

    fn value(&mut self, value: Value) {
        match self.open.last_mut() {
            Some(Value::List(items)) => items.push(value),
            Some(Value::Object(members)) => members.push((self.names.pop().unwrap_or_default(), value)),
            _ => self.value = value,
        }
    }

    fn begin(&mut self, nest: Nest) {
        self.open.push(if nest == Nest::Object { Value::Object(Vec::new()) } else { Value::List(Vec::new()) });
    }

    fn name(&mut self, name: &str) {
        self.names.push(name.into());
    }

    fn end(&mut self) {
        let inner = self.open.pop();
        inner.into_iter().for_each(|inner| self.value(inner));
    }
}

/// Returns a decimal as it is written: as that of a float of 32 bits, if it is one.
fn written(value: f64) -> f64 {
    as_single(value).map_or(value, decimal)
}

/// Stricter than the methods of the same names of [`Value`] itself, which take what people mean: a number for its name, bytes for none.
impl Source for Value {
    fn truth(&self) -> Option<bool> {
        if let Self::Bool(truth) = self { Some(*truth) } else { None }
    }

    fn whole(&self) -> Option<i64> {
        if let Self::Integer(value) | Self::Named(None, value) = self { Some(*value) } else { None }
    }

    fn float(&self) -> Option<f32> {
        match self {
            Self::Float(value) => as_single(*value).or_else(|| nearest_single(*value)),
            Self::Fixed(parts) => nearest_single(fixed::shortest(*parts)),
            _ => None,
        }
    }

    fn fixed(&self) -> Option<i64> {
        match self {
            Self::Float(value) if value.is_finite() => Some(fixed::nearest(written(*value))),
            Self::Fixed(parts) => Some(*parts),
            _ => None,
        }
    }

    fn text(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Bytes(bytes) => Some(hex(bytes).into()),
            other => other.text().map(Cow::Borrowed),
        }
    }

    fn value(&self) -> Cow<'_, Value> {
        Cow::Borrowed(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_memory_are_what_was_put() {
        let value = Shown::of(|sink| {
            sink.begin(Nest::Object);
            sink.name("list");
            sink.begin(Nest::List);
            sink.whole(1);
            sink.begin(Nest::Plain);
            sink.truth(true);
            sink.end();
            sink.end();
            sink.name("float");
            sink.float(0.5);
            sink.name("fixed");
            sink.fixed(3);
            sink.name("text");
            sink.encoded(crate::MACINTOSH, b"\xA5");
            sink.name("hex");
            sink.hex(&[1, 255]);
            sink.end();
        });
        let list = Value::List(vec![1.into(), Value::List(vec![true.into()])]);
        let all = [
            ("list", list),
            ("float", 0.5.into()),
            ("fixed", Value::Fixed(3)),
            ("text", "\u{2022}".into()),
            ("hex", "01 ff".into()),
        ];
        assert_eq!(value, Value::from(all));
        assert_eq!(Shown::of(|_| {}), Value::Null);
    }

    #[test]
    fn values_in_memory_are_asked_for_what_they_are() {
        let asked = |value: Value| {
            let source: &dyn Source = &value;
            let text = source.text().map(Cow::into_owned);
            (source.truth(), source.whole(), source.float(), source.fixed(), text)
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(asked(Value::Null), (None, None, None, None, None));
        assert_eq!(asked(true.into()), (Some(true), None, None, None, None));
        assert_eq!(asked(7.into()), (None, Some(7), None, None, None));
        assert_eq!(asked(Value::Named(None, 7)), (None, Some(7), None, None, None));
        assert_eq!(asked(Value::Named(Some("A".into()), 7)), (None, None, None, None, some("A")));
        assert_eq!(asked(0.5.into()), (None, None, Some(0.5), Some(0x8000), None));
        assert_eq!(asked(Value::Fixed(0x8000)), (None, None, Some(0.5), Some(0x8000), None));
        assert_eq!(asked("f32:7fc00000".into()), (None, None, None, None, some("f32:7fc00000")));
        assert_eq!(asked(Value::of_bytes(vec![1, 2])), (None, None, None, None, some("01 02")));
        // A number that would become zero, or infinite, is no float.
        assert_eq!([1e-60, 1e39, f64::NAN].map(|value| Source::float(&Value::Float(value))), [None; 3]);
        assert_eq!([f64::INFINITY, f64::NAN].map(|value| Source::fixed(&Value::Float(value))), [None; 2]);
    }
}
