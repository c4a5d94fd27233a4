//! The tree of a GFF: structs and fields without the numbers under which the file stores them.

use field::wide;

use super::keys::Label;
use super::sections::{LIST, Row, STRUCT, Sections, has_data, index};

/// A tree, with structs and fields in the order of a walk: a field comes before everything below it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tree {
    pub(super) file_type: [u8; 4],
    /// The first is the root.
    pub(super) structs: Vec<Struct>,
    pub(super) fields: Vec<Field>,
}

/// A struct.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Struct {
    pub(super) id: u32,
    /// Its fields in the tree.
    pub(super) fields: Vec<usize>,
    /// The field that it belongs to; the root has none.
    pub(super) parent: Option<usize>,
}

/// A field.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    pub(super) label: Label,
    pub(super) kind: u32,
    /// The struct that it belongs to.
    pub(super) owner: usize,
    pub(super) value: Value,
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// A word in the field itself.
    Word(u32),
    /// The data, with the lengths in it.
    Data(Vec<u8>),
    /// One struct in the tree.
    Struct(usize),
    /// Structs in the tree.
    List(Vec<usize>),
}

/// The numbers under which a file stores the structs and fields of a tree, and the indices of the labels of its fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Numbers {
    pub(super) structs: Vec<u32>,
    pub(super) fields: Vec<u32>,
    pub(super) labels: Vec<u32>,
}

impl Tree {
    /// Returns the tree of a GFF that can be laid out, and its numbers.
    pub(super) fn of(it: &Sections<'_>) -> (Self, Numbers) {
        let file_type = it.bytes.first_chunk().copied().unwrap_or_default();
        let mut tree = Self { file_type, ..Self::default() };
        let mut numbers = Numbers::default();
        tree.add_struct(it, 0, None, &mut numbers);
        (tree, numbers)
    }

    /// Adds a struct and everything below it. The depth has been checked.
    fn add_struct(&mut self, it: &Sections<'_>, number: u32, parent: Option<usize>, numbers: &mut Numbers) -> usize {
        let row = it.structure(index(number));
        let own = self.push_struct(row.id, parent);
        numbers.structs.push(number);
        for stored in it.fields_of(row) {
            let Row { kind, label, value } = it.row(index(stored));
            numbers.fields.push(stored);
            numbers.labels.push(label);
            let field = self.push_field(own, it.label(label), kind);
            let value = match kind {
                STRUCT => Value::Struct(self.add_struct(it, value, Some(field), numbers)),
                LIST => {
                    let items = it.items_of(value);
                    Value::List(items.map(|item| self.add_struct(it, item, Some(field), numbers)).collect())
                }
                _ if has_data(kind) => {
                    let data = it.data_of(kind, value).ok().and_then(|range| it.bytes.get(range));
                    Value::Data(data.unwrap_or_default().to_vec())
                }
                _ => Value::Word(value),
            };
            self.set(field, value);
        }
        own
    }

    /// Adds a struct without fields.
    pub(super) fn push_struct(&mut self, id: u32, parent: Option<usize>) -> usize {
        self.structs.push(Struct { id, fields: Vec::new(), parent });
        self.structs.len() - 1
    }

    /// Adds a field to a struct.
    pub(super) fn push_field(&mut self, owner: usize, label: Label, kind: u32) -> usize {
        let field = self.fields.len();
        self.fields.push(Field { label, kind, owner, value: Value::Word(0) });
        if let Some(owner) = self.structs.get_mut(owner) {
            owner.fields.push(field);
        }
        field
    }

    /// Sets the value of a field.
    pub(super) fn set(&mut self, field: usize, value: Value) {
        if let Some(field) = self.fields.get_mut(field) {
            field.value = value;
        }
    }

    /// Returns the fields of a struct.
    pub(super) fn fields_of(&self, it: usize) -> &[usize] {
        self.structs.get(it).map(|it| &it.fields[..]).unwrap_or_default()
    }

    /// Returns the structs below a field.
    pub(super) fn below(&self, field: usize) -> &[usize] {
        match self.fields.get(field).map(|it| &it.value) {
            Some(Value::Struct(one)) => core::slice::from_ref(one),
            Some(Value::List(items)) => items,
            _ => &[],
        }
    }

    /// Returns a text that is the same for trees of the same shape: labels and types, but neither ids nor values.
    pub(super) fn shape(&self) -> Vec<u8> {
        let mut shape = Vec::new();
        for (index, field) in self.fields.iter().enumerate() {
            shape.extend_from_slice(&field.label);
            shape.extend_from_slice(&field.kind.to_le_bytes());
            shape.extend_from_slice(&wide(field.owner).to_le_bytes());
            if let Value::Struct(_) | Value::List(_) = field.value {
                shape.extend_from_slice(&wide(self.below(index).len()).to_le_bytes());
            }
        }
        shape.extend_from_slice(&wide(self.structs.len()).to_le_bytes());
        shape
    }

    /// Returns a text that is the same only for equal trees.
    pub(super) fn content(&self) -> Vec<u8> {
        let mut content = self.shape();
        content.extend_from_slice(&self.file_type);
        content.extend(self.structs.iter().flat_map(|it| it.id.to_le_bytes()));
        for field in &self.fields {
            match &field.value {
                Value::Word(word) => content.extend_from_slice(&word.to_le_bytes()),
                Value::Data(data) => content.extend_from_slice(data),
                Value::Struct(_) | Value::List(_) => {}
            }
        }
        content
    }
}
