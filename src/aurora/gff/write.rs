//! Writes a GFF as the game and its toolset do: they number things while they add them, depth first.
//!
//! Lists of indices grow in place, or are copied to the end of their section if they are no longer the last; the words left behind stay
//! in the file unless they are 1% of it. Source: `nwn-gff.md`, section 4.

use std::collections::HashMap;

use super::keys::Label;
use super::sections::{HEAD, LABEL, NONE, ROW, index};
use super::tree::{Tree, Value};
use crate::part;

/// How a file deviates from the order of a walk.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Order {
    /// The number of each field.
    pub(super) fields: Option<Vec<u32>>,
    /// The number of each struct.
    pub(super) structs: Option<Vec<u32>>,
    /// The labels, if they are not those of the fields in the order of first use.
    pub(super) labels: Option<Vec<Label>>,
    /// The index of the label of each field, if it is not the first that is equal.
    pub(super) label_of: Option<Vec<u32>>,
    /// `true` if no words are left behind, whatever their number; `false` if they stay.
    pub(super) packed: Option<bool>,
}

/// Words to which lists are added that grow.
#[derive(Default)]
struct Words {
    words: Vec<u32>,
    /// The number of words left behind.
    left: usize,
}

impl Words {
    /// Appends a word to the list at `begin` of this length, and returns where the list begins now.
    fn grow(&mut self, begin: usize, length: usize, word: u32) -> usize {
        let begin = match begin + length == self.words.len() {
            true => begin,
            false => {
                let list = part(&self.words, begin..begin + length).to_vec();
                self.left += length;
                let moved = self.words.len();
                self.words.extend(list);
                moved
            }
        };
        self.words.push(word);
        begin
    }
}

/// An event of writing.
#[derive(Clone, Copy)]
enum Event {
    Struct(usize),
    Field(usize),
}

/// Adds the events of a struct and everything below it, in the order of a walk. The depth has been checked.
fn emit(tree: &Tree, it: usize, events: &mut Vec<Event>) {
    events.push(Event::Struct(it));
    for &field in tree.fields_of(it) {
        events.push(Event::Field(field));
        tree.below(field).iter().for_each(|&below| emit(tree, below, events));
    }
}

/// Sorts events by the numbers of the fields. A struct comes just before its first field, an empty one after the event before it.
fn sort(tree: &Tree, events: &mut Vec<Event>, numbers: &[u32]) {
    let number = |field: usize| numbers.get(field).copied().unwrap_or(NONE);
    let mut before = (0, 0);
    let mut keyed: Vec<_> = events
        .iter()
        .enumerate()
        .map(|(at, &event)| {
            let key = match event {
                Event::Field(field) => (number(field), 1),
                Event::Struct(it) => {
                    let fields = tree.fields_of(it);
                    fields.iter().map(|&field| number(field)).min().map_or((before.0, 2), |first| (first, 0))
                }
            };
            before = key;
            (key, at, event)
        })
        .collect();
    keyed.sort_by_key(|(key, at, _)| (*key, *at));
    *events = keyed.into_iter().map(|(.., event)| event).collect();
}

/// The file as it grows.
struct Writer<'a> {
    tree: &'a Tree,
    order: &'a Order,
    labels: Vec<Label>,
    known: HashMap<Label, u32>,
    data: Vec<u8>,
    field_words: Words,
    list_words: Words,
    /// The number of each struct, when it has one.
    structs: Vec<Option<u32>>,
    /// Where the index list of each struct begins, and the number of fields added.
    lists_of_structs: Vec<(usize, usize)>,
    /// Where the list of each field begins, if it has been added.
    lists_of_fields: Vec<Option<usize>>,
    /// Label and value of each field, by its number.
    rows: Vec<(u32, u32, u32)>,
}

/// Returns a file with this tree, or `None` if the order does not fit it.
pub(super) fn write(tree: &Tree, order: &Order) -> Option<Vec<u8>> {
    let mut events = Vec::with_capacity(tree.structs.len() + tree.fields.len());
    emit(tree, 0, &mut events);
    if let Some(numbers) = &order.fields {
        (numbers.len() == tree.fields.len()).then_some(())?;
        sort(tree, &mut events, numbers);
    }
    let mut writer = Writer {
        tree,
        order,
        labels: order.labels.clone().unwrap_or_default(),
        known: HashMap::new(),
        data: Vec::new(),
        field_words: Words::default(),
        list_words: Words::default(),
        structs: vec![None; tree.structs.len()],
        lists_of_structs: vec![(0, 0); tree.structs.len()],
        lists_of_fields: vec![None; tree.fields.len()],
        rows: Vec::with_capacity(tree.fields.len()),
    };
    for (at, label) in (0..).zip(&writer.labels) {
        writer.known.entry(*label).or_insert(at);
    }
    // The tree's fields in the order of their numbers.
    let mut in_order = Vec::with_capacity(tree.fields.len());
    let mut created = 0_u32;
    for event in events {
        match event {
            Event::Struct(it) => {
                let number = match &order.structs {
                    Some(numbers) => *numbers.get(it)?,
                    None => created,
                };
                created = created.checked_add(1)?;
                writer.add_struct(it, number)?;
            }
            Event::Field(field) => {
                let number = u32::try_from(in_order.len()).ok()?;
                if order.fields.as_ref().is_some_and(|numbers| numbers.get(field) != Some(&number)) {
                    return None;
                }
                in_order.push(field);
                writer.add_field(field, number)?;
            }
        }
    }
    writer.finish(&in_order)
}

impl Writer<'_> {
    fn add_struct(&mut self, it: usize, number: u32) -> Option<()> {
        *self.structs.get_mut(it)? = Some(number);
        let Some(parent) = self.tree.structs.get(it)?.parent else { return Some(()) };
        let begin = match self.tree.fields.get(parent)?.value {
            Value::List(_) => (*self.lists_of_fields.get(parent)?)?,
            _ => return Some(()),
        };
        let length = index(*self.list_words.words.get(begin)?).checked_add(1)?;
        let begin = self.list_words.grow(begin, length, number);
        let count = self.list_words.words.get_mut(begin)?;
        *count = count.checked_add(1)?;
        *self.lists_of_fields.get_mut(parent)? = Some(begin);
        Some(())
    }

    fn add_field(&mut self, field: usize, number: u32) -> Option<()> {
        let it = self.tree.fields.get(field)?;
        let label = match (&self.order.label_of, self.known.get(&it.label)) {
            (Some(of), _) => *of.get(field).filter(|of| self.labels.get(index(**of)) == Some(&it.label))?,
            (None, Some(known)) => *known,
            (None, None) => {
                let new = u32::try_from(self.labels.len()).ok()?;
                self.labels.push(it.label);
                self.known.insert(it.label, new);
                new
            }
        };
        let (begin, count) = self.lists_of_structs.get_mut(it.owner)?;
        self.structs.get(it.owner)?.as_ref()?;
        match *count {
            0 => *begin = index(number),
            1 => {
                let first = u32::try_from(*begin).ok()?;
                *begin = self.field_words.words.len();
                self.field_words.words.extend([first, number]);
            }
            more => *begin = self.field_words.grow(*begin, more, number),
        }
        *count = count.checked_add(1)?;
        let value = match &it.value {
            Value::Word(word) => *word,
            Value::Data(data) => {
                let offset = u32::try_from(self.data.len()).ok()?;
                self.data.extend_from_slice(data);
                offset
            }
            Value::Struct(_) => 0,
            Value::List(_) => {
                *self.lists_of_fields.get_mut(field)? = Some(self.list_words.words.len());
                self.list_words.words.push(0);
                0
            }
        };
        self.rows.push((it.kind, label, value));
        Some(())
    }

    /// Packs both sections of indices: lists in the order of the numbers of their owners, without words left behind.
    fn pack(&mut self, in_order: &[usize]) -> Option<()> {
        let mut by_number: Vec<usize> = (0..self.structs.len()).collect();
        by_number.sort_by_key(|it| self.structs.get(*it).copied().flatten());
        let mut words = Vec::with_capacity(self.field_words.words.len());
        for it in by_number {
            let (begin, count) = self.lists_of_structs.get_mut(it)?;
            if *count > 1 {
                let list = self.field_words.words.get(*begin..begin.checked_add(*count)?)?;
                *begin = words.len();
                words.extend_from_slice(list);
            }
        }
        self.field_words.words = words;
        let mut words = Vec::with_capacity(self.list_words.words.len());
        for &field in in_order {
            if let Some(begin) = self.lists_of_fields.get_mut(field)? {
                let length = index(*self.list_words.words.get(*begin)?).checked_add(1)?;
                let list = self.list_words.words.get(*begin..begin.checked_add(length)?)?;
                *begin = words.len();
                words.extend_from_slice(list);
            }
        }
        self.list_words.words = words;
        Some(())
    }

    fn finish(mut self, in_order: &[usize]) -> Option<Vec<u8>> {
        let sizes = |writer: &Self| {
            let (field_words, list_words) = (writer.field_words.words.len(), writer.list_words.words.len());
            let rows = writer.structs.len().checked_add(writer.rows.len())?.checked_mul(ROW)?;
            let labels = writer.labels.len().checked_mul(LABEL)?;
            let words = field_words.checked_add(list_words)?.checked_mul(4)?;
            [HEAD, rows, labels, writer.data.len(), words].into_iter().try_fold(0_usize, usize::checked_add)
        };
        let left = self.field_words.left.checked_add(self.list_words.left)?.checked_mul(4)?;
        let by_rule = left > 0 && left.checked_mul(100)? >= sizes(&self)?;
        if self.order.packed.unwrap_or(by_rule) {
            self.pack(in_order)?;
        }
        let mut structs = vec![[NONE; 3]; self.structs.len()];
        for (it, (number, (begin, count))) in
            self.tree.structs.iter().zip(self.structs.iter().zip(&self.lists_of_structs))
        {
            let data = match *count {
                0 => NONE,
                1 => u32::try_from(*begin).ok()?,
                _ => u32::try_from(begin.checked_mul(4)?).ok()?,
            };
            *structs.get_mut(index((*number)?))? = [it.id, data, u32::try_from(*count).ok()?];
        }
        for (row, &field) in self.rows.iter_mut().zip(in_order) {
            match &self.tree.fields.get(field)?.value {
                Value::Struct(one) => row.2 = (*self.structs.get(*one)?)?,
                Value::List(_) => row.2 = u32::try_from((*self.lists_of_fields.get(field)?)?.checked_mul(4)?).ok()?,
                Value::Word(_) | Value::Data(_) => {}
            }
        }
        let mut file = Vec::with_capacity(sizes(&self)?);
        file.extend_from_slice(&self.tree.file_type);
        file.extend_from_slice(b"V3.2");
        let words = |it: &Words| it.words.len().checked_mul(4);
        let sections = [
            (structs.len(), structs.len().checked_mul(ROW)?),
            (self.rows.len(), self.rows.len().checked_mul(ROW)?),
            (self.labels.len(), self.labels.len().checked_mul(LABEL)?),
            (self.data.len(), self.data.len()),
            (words(&self.field_words)?, words(&self.field_words)?),
            (words(&self.list_words)?, words(&self.list_words)?),
        ];
        let mut offset = HEAD;
        for (count, size) in sections {
            file.extend_from_slice(&u32::try_from(offset).ok()?.to_le_bytes());
            file.extend_from_slice(&u32::try_from(count).ok()?.to_le_bytes());
            offset = offset.checked_add(size)?;
        }
        let mut put = |word: u32| file.extend_from_slice(&word.to_le_bytes());
        structs.into_iter().flatten().for_each(&mut put);
        self.rows.iter().flat_map(|&(kind, label, value)| [kind, label, value]).for_each(&mut put);
        file.extend_from_slice(self.labels.as_flattened());
        file.extend_from_slice(&self.data);
        let words = self.field_words.words.iter().chain(&self.list_words.words);
        file.extend(words.flat_map(|word| word.to_le_bytes()));
        Some(file)
    }
}
