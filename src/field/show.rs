//! Values of leaves and records in memory.

use smol_str::SmolStr;

use super::layout::{Expected, Field, Layout, Leaf, Rule, Shape, Takes};
use super::sink::Shown;
use super::value::{Members, Value};

impl Leaf {
    /// Returns the value in `bytes` as people see it.
    #[must_use]
    pub fn show(&self, bytes: &[u8]) -> Value {
        let shown = |leaf: &Self| Shown::of(|sink| (leaf.put)(bytes, sink));
        let value = shown(self);
        let Some(number) = self.number else { return value };
        let (name, number) = match value {
            Value::Text(name) => (Some(name), shown(number)),
            number => (None, number),
        };
        number.integer().map_or(Value::Null, |number| Value::Named(name, number))
    }

    /// Sets the value, or returns what is expected instead; the bytes are then unspecified.
    ///
    /// # Errors
    /// Returns an error with the expected value.
    pub fn set(&self, value: &Value, bytes: &mut [u8]) -> Result<(), String> {
        (self.load)(value, bytes).map_err(|expected| match (expected, self.takes) {
            (Expected::Other(expected), _) => expected,
            (Expected::Name, Takes::Names(names)) => format!("a number or one of {}", names().join(", ")),
            (Expected::Name, _) => "a number".to_owned(),
        })
    }
}

impl Shape {
    /// Returns the value in `bytes` as people see it, without the values that rules compute (reserved and exact fields that agree).
    #[must_use]
    pub fn show(&self, bytes: &[u8]) -> Value {
        match self {
            Self::Leaf(leaf) => leaf.show(bytes),
            Self::Record(layout) => Value::Object(layout.show(bytes, None)),
            Self::Array(of, _) => bytes.chunks_exact(of.size().max(1)).map(|one| of.show(one)).collect(),
        }
    }

    /// Returns the value in `bytes` as people see it, in full.
    #[must_use]
    pub fn show_all(&self, bytes: &[u8]) -> Value {
        match self {
            Self::Leaf(leaf) => leaf.show(bytes),
            Self::Record(layout) => Value::Object(layout.show_all(bytes)),
            Self::Array(of, _) => bytes.chunks_exact(of.size().max(1)).map(|one| of.show_all(one)).collect(),
        }
    }
}

impl Layout {
    /// Returns the fields that a reader could not compute, as values by name; `rules` is the record that its container's rules
    /// compute.
    ///
    /// A field that differs from its exact rule shows both values, as `{"kept": 401.0, "computed": 400.0}`.
    #[must_use]
    pub fn show(&self, bytes: &[u8], rules: Option<&[u8]>) -> Members {
        let mut members = Members::with_capacity(self.fields.len());
        self.shown(bytes, rules, &mut Vec::new(), |field, found, computed| {
            let shape = field.shape_in(bytes);
            let found = shape.show(found);
            let value = match computed {
                Some(expected) => Value::kept(found, shape.show(expected)),
                None => found,
            };
            members.push((SmolStr::new_static(field.name), value));
            true
        });
        members
    }

    /// Returns the fields that no rule computes, as zeros.
    #[must_use]
    pub fn blank(&self) -> Members {
        let free = self.fields.iter().filter(|field| matches!(field.rule, Rule::Free | Rule::Advisory(_)));
        let blank = |field: &Field| {
            let zeros = vec![0; field.shape.size()];
            (!field.is_usual(&zeros)).then(|| (SmolStr::new_static(field.name), field.shape.show(&zeros)))
        };
        free.filter_map(blank).collect()
    }

    /// Returns all fields as values by name.
    #[must_use]
    pub fn show_all(&self, bytes: &[u8]) -> Members {
        let field = |field: &'static Field| {
            Some((SmolStr::new_static(field.name), field.shape_in(bytes).show_all(field.of(bytes)?)))
        };
        self.fields.iter().filter_map(field).collect()
    }
}
