//! Trees of fields with labels (GFF). Source: nwn-gff.md, sections 1, 2 and 4.

use crate::bytes::Bytes;

/// A struct.
#[derive(Clone, Debug)]
pub struct Struct {
    /// Any number; the root has -1.
    pub id: i32,
    /// The label and the value of each field.
    pub fields: Vec<(&'static str, Value)>,
}

/// The value of a field.
#[derive(Clone, Debug)]
pub enum Value {
    /// A type with its word in the field itself.
    Word(u32, u32),
    /// A type with data, and the data with its lengths.
    Data(u32, Vec<u8>),
    /// A struct.
    Struct(Struct),
    /// A list of structs.
    List(Vec<Struct>),
}

/// A file.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The type.
    pub kind: [u8; 4],
    /// The root.
    pub root: Struct,
    /// `true` if the words left behind are removed whatever their number; `None`: by the rule of section 4.
    pub packed: Option<bool>,
    /// `true` if a list is numbered after everything below it, as in neverwinter.nim.
    pub lists_last: bool,
    /// Labels that no field uses, after the others.
    pub unused_labels: Vec<&'static str>,
    /// Data that no field owns.
    pub unowned: Vec<u8>,
    /// `true` if all empty strings have the same four bytes of data. Source: nwn-gff.md, section 9.1.
    pub shares_empty: bool,
    /// The index of a struct without fields. 0xFFFFFFFF in files of the game.
    pub none: u32,
    /// Bytes after the last section.
    pub tail: Vec<u8>,
    /// `true` if the last byte is missing.
    pub is_short: bool,
}

impl Spec {
    /// Creates a file as the game writes it.
    pub fn new(kind: &[u8; 4], fields: Vec<(&'static str, Value)>) -> Self {
        Self {
            kind: *kind,
            root: Struct { id: -1, fields },
            packed: None,
            lists_last: false,
            unused_labels: vec![],
            unowned: vec![],
            shares_empty: false,
            none: u32::MAX,
            tail: vec![],
            is_short: false,
        }
    }
}

/// A string of type 10.
pub fn string(text: &[u8]) -> Value {
    Value::Data(10, [&(text.len() as u32).to_le_bytes()[..], text].concat())
}

/// A reference to a resource.
pub fn resref(text: &[u8]) -> Value {
    Value::Data(11, [&[text.len() as u8][..], text].concat())
}

/// Texts by language, and the number of a text in the talk table.
pub fn localized(strref: u32, texts: &[(u32, &[u8])]) -> Value {
    let mut inner = Bytes::new();
    inner.le_u32(strref).le_u32(texts.len() as u32);
    for (id, text) in texts {
        inner.le_u32(*id).le_u32(text.len() as u32).raw(text);
    }
    let inner = inner.finish();
    Value::Data(12, [&(inner.len() as u32).to_le_bytes()[..], &inner].concat())
}

/// Any bytes.
pub fn void(bytes: &[u8]) -> Value {
    Value::Data(13, [&(bytes.len() as u32).to_le_bytes()[..], bytes].concat())
}

#[derive(Default)]
struct Writer {
    structs: Vec<[u32; 3]>,
    fields: Vec<[u32; 3]>,
    labels: Vec<[u8; 16]>,
    data: Vec<u8>,
    /// The field numbers of each struct: where they begin in the words.
    field_words: Vec<u32>,
    begins: Vec<usize>,
    /// The field with each list, and where that begins in the words.
    list_words: Vec<u32>,
    lists: Vec<(usize, usize)>,
    left: usize,
    lists_last: bool,
    shares_empty: bool,
    /// The offset of the data of the first empty string.
    empty: Option<u32>,
    none: u32,
}

/// Appends a word to the list at `begin`, which is moved to the end first if it is not there.
fn grow(words: &mut Vec<u32>, begin: &mut usize, length: usize, word: u32) -> usize {
    let mut left = 0;
    if *begin + length != words.len() {
        left = length;
        let list = words[*begin..*begin + length].to_vec();
        *begin = words.len();
        words.extend(list);
    }
    words.push(word);
    left
}

impl Writer {
    fn add_struct(&mut self, of: &Struct) -> u32 {
        let number = self.structs.len();
        self.structs.push([of.id as u32, self.none, 0]);
        self.begins.push(0);
        self.fill(number, of);
        number as u32
    }

    fn fill(&mut self, number: usize, of: &Struct) {
        for (label, value) in &of.fields {
            self.add_field(number, label, value);
        }
    }

    fn add_field(&mut self, owner: usize, label: &str, value: &Value) {
        if self.lists_last
            && let Value::List(items) = value
        {
            let numbers: Vec<u32> = items.iter().map(|item| self.add_struct(item)).collect();
            let field = self.number(owner, label, 15, (self.list_words.len() * 4) as u32);
            self.lists.push((field, self.list_words.len()));
            self.list_words.push(numbers.len() as u32);
            self.list_words.extend(numbers);
            return;
        }
        match value {
            Value::Word(kind, word) => _ = self.number(owner, label, *kind, *word),
            Value::Data(10, data) if self.shares_empty && *data == [0; 4] && self.empty.is_some() => {
                self.number(owner, label, 10, self.empty.unwrap_or_default());
            }
            Value::Data(kind, data) => {
                let offset = self.data.len() as u32;
                if (*kind, &data[..]) == (10, &[0; 4]) {
                    self.empty = Some(offset);
                }
                self.number(owner, label, *kind, offset);
                self.data.extend(data);
            }
            Value::Struct(inner) => {
                let field = self.number(owner, label, 14, 0);
                let number = self.add_struct(inner);
                self.fields[field][2] = number;
            }
            Value::List(items) => {
                let field = self.number(owner, label, 15, 0);
                let (list, mut begin) = (self.lists.len(), self.list_words.len());
                self.lists.push((field, begin));
                self.list_words.push(0);
                for (count, item) in items.iter().enumerate() {
                    let number = self.structs.len() as u32;
                    self.left += grow(&mut self.list_words, &mut begin, count + 1, number);
                    self.list_words[begin] = count as u32 + 1;
                    self.lists[list].1 = begin;
                    self.add_struct(item);
                }
            }
        }
    }

    /// Adds a field to its struct.
    fn number(&mut self, owner: usize, label: &str, kind: u32, value: u32) -> usize {
        let mut bytes = [0; 16];
        bytes[..label.len()].copy_from_slice(label.as_bytes());
        let at = self.labels.iter().position(|it| *it == bytes).unwrap_or_else(|| {
            self.labels.push(bytes);
            self.labels.len() - 1
        });
        let number = self.fields.len();
        self.fields.push([kind, at as u32, value]);
        let [_, data, count] = &mut self.structs[owner];
        match *count {
            0 => *data = number as u32,
            1 => {
                self.begins[owner] = self.field_words.len();
                self.field_words.extend([*data, number as u32]);
            }
            more => self.left += grow(&mut self.field_words, &mut self.begins[owner], more as usize, number as u32),
        }
        *count += 1;
        if *count > 1 {
            *data = (self.begins[owner] * 4) as u32;
        }
        number
    }

    fn pack(&mut self) {
        let old = std::mem::take(&mut self.field_words);
        for [_, data, count] in self.structs.iter_mut().filter(|it| it[2] > 1) {
            let begin = *data as usize / 4;
            *data = (self.field_words.len() * 4) as u32;
            self.field_words.extend(&old[begin..begin + *count as usize]);
        }
        let old = std::mem::take(&mut self.list_words);
        self.lists.sort_unstable();
        for (_, begin) in &mut self.lists {
            let list = &old[*begin..=*begin + old[*begin] as usize];
            *begin = self.list_words.len();
            self.list_words.extend(list);
        }
    }
}

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let mut writer =
        Writer { lists_last: spec.lists_last, shares_empty: spec.shares_empty, none: spec.none, ..Writer::default() };
    writer.add_struct(&spec.root);
    for label in &spec.unused_labels {
        let mut bytes = [0; 16];
        bytes[..label.len()].copy_from_slice(label.as_bytes());
        writer.labels.push(bytes);
    }
    writer.data.extend(&spec.unowned);
    let words = writer.field_words.len() + writer.list_words.len();
    let rows = writer.structs.len() + writer.fields.len();
    let size = 56 + rows * 12 + writer.labels.len() * 16 + writer.data.len() + words * 4;
    if spec.packed.unwrap_or(writer.left > 0 && 100 * 4 * writer.left >= size) {
        writer.pack();
    }
    for &(field, begin) in &writer.lists {
        writer.fields[field][2] = (begin * 4) as u32;
    }
    let mut out = Bytes::new();
    out.raw(&spec.kind).raw(b"V3.2");
    let mut offset = 56;
    for (count, each) in [
        (writer.structs.len(), 12),
        (writer.fields.len(), 12),
        (writer.labels.len(), 16),
        (writer.data.len(), 1),
        (writer.field_words.len() * 4, 1),
        (writer.list_words.len() * 4, 1),
    ] {
        out.le_u32(offset as u32).le_u32(count as u32);
        offset += count * each;
    }
    for word in writer.structs.iter().chain(&writer.fields).flatten() {
        out.le_u32(*word);
    }
    out.raw(writer.labels.as_flattened()).raw(&writer.data);
    for word in writer.field_words.iter().chain(&writer.list_words) {
        out.le_u32(*word);
    }
    out.raw(&spec.tail);
    if spec.is_short {
        out.truncate(out.len() - 1);
    }
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: nwn-gff.md, section 4: the second field of the root comes after two of a struct, so that its list is moved.
    #[test]
    fn lists_that_are_not_last_are_moved() {
        let inner = Struct { id: 7, fields: vec![("A", Value::Word(0, 1)), ("B", Value::Word(0, 2))] };
        let fields = vec![("X", Value::Word(5, 9)), ("L", Value::List(vec![inner])), ("Y", Value::Word(5, 8))];
        let file = build(&Spec { packed: Some(false), ..Spec::new(b"GFF ", fields.clone()) });
        let words: Vec<u32> =
            file[file.len() - 36..].chunks(4).map(|it| u32::from_le_bytes(it.try_into().expect("4"))).collect();
        // X and L; A and B; X, L and Y; the list.
        assert_eq!(words, [0, 1, 2, 3, 0, 1, 4, 1, 1]);
        let packed = build(&Spec::new(b"GFF ", fields));
        assert_eq!(packed.len(), file.len() - 8);
        assert_eq!(
            packed[packed.len() - 28..packed.len() - 8].iter().step_by(4).copied().collect::<Vec<_>>(),
            [0, 1, 4, 2, 3]
        );
    }
}
