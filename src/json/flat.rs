//! Values on one line, however long: the text of a leaf, straight from its bytes.

use field::{CodePage, Leaf, Nest, Sink, Value};

use super::lines::put_json;
use super::print::{brackets, put_encoded, put_fixed, put_float, put_hex, put_name, put_text, put_whole};

/// Text to which a value is added on one line, however long.
pub struct Flat<'t> {
    text: &'t mut Vec<u8>,
    open: Vec<Nest>,
}

impl<'t> Flat<'t> {
    /// Returns a sink that adds to this text.
    pub fn new(text: &'t mut Vec<u8>) -> Self {
        Self { text, open: Vec::new() }
    }

    /// Returns the text of the value of a leaf.
    pub fn of(leaf: &Leaf, bytes: &[u8]) -> Vec<u8> {
        let mut text = Vec::with_capacity(24);
        (leaf.put)(bytes, &mut Flat::new(&mut text));
        text
    }

    /// Returns the text, to which a value is about to be added.
    #[inline]
    fn item(&mut self) -> &mut Vec<u8> {
        if self.open.last().is_some_and(|nest| *nest != Nest::Object) {
            self.next();
        }
        self.text
    }

    fn next(&mut self) {
        if !matches!(self.text.last(), Some(b'[' | b'{')) {
            self.text.extend_from_slice(b", ");
        }
    }
}

impl Sink for Flat<'_> {
    fn truth(&mut self, value: bool) {
        self.item().extend_from_slice(if value { b"true" } else { b"false" });
    }

    fn whole(&mut self, value: i64) {
        put_whole(value, self.item());
    }

    fn float(&mut self, value: f32) {
        put_float(value, self.item());
    }

    fn fixed(&mut self, parts: i64) {
        put_fixed(parts, self.item());
    }

    fn text(&mut self, text: &str) {
        put_text(text, self.item());
    }

    fn encoded(&mut self, page: &'static CodePage, bytes: &[u8]) {
        put_encoded(page, bytes, self.item());
    }

    fn hex(&mut self, bytes: &[u8]) {
        put_hex(bytes, self.item());
    }

    fn value(&mut self, value: Value) {
        put_json(&value, self.item());
    }

    fn begin(&mut self, nest: Nest) {
        self.item().push(brackets(nest)[0]);
        self.open.push(nest);
    }

    fn name(&mut self, name: &str) {
        self.next();
        put_name(name, self.text);
    }

    fn end(&mut self) {
        let nest = self.open.pop();
        self.text.extend(nest.map(|nest| brackets(nest)[1]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_values_print_on_one_line() {
        let mut text = Vec::new();
        {
            let mut flat = Flat::new(&mut text);
            flat.begin(Nest::List);
            flat.begin(Nest::Plain);
            flat.end();
            flat.begin(Nest::Object);
            flat.name("a");
            flat.truth(true);
            flat.name("b");
            flat.begin(Nest::Plain);
            flat.whole(-1);
            flat.fixed(0x18000);
            flat.end();
            flat.end();
            flat.value(Value::from([("c", "[".into())]));
            flat.text("{");
            flat.hex(&[1, 2]);
            flat.end();
        }
        assert_eq!(String::from_utf8_lossy(&text), r#"[[], {"a": true, "b": [-1, 1.5]}, {"c": "["}, "{", "01 02"]"#);
    }
}
