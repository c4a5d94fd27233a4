//! Checks derived from the layout of a record for its bytes as a whole, so that most records are judged and counted at once.

use std::sync::OnceLock;

use super::layout::{Class, Layout, Mask, Rule, Shape, Template, plus};

impl Mask {
    fn of(bytes: &[u8]) -> Self {
        let last = bytes.len().saturating_sub(WORD);
        let mut words = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            // The last word lies in the record as a whole, so that it need not be put together from its bytes.
            let from = at.min(last);
            let bits = word(bytes, from);
            if bits != 0 {
                words.push((from, bits));
            }
            at += WORD;
        }
        Self(words)
    }

    /// Returns `true` if two records agree in the bits of the mask.
    #[inline]
    fn agrees(&self, one: &[u8], other: &[u8]) -> bool {
        self.0.iter().fold(0, |differ, &(at, bits)| differ | ((word(one, at) ^ word(other, at)) & bits)) == 0
    }
}

const WORD: usize = size_of::<u64>();

/// Returns the word at an offset of a record; one that is shorter than a word continues with zeros.
#[inline]
fn word(record: &[u8], at: usize) -> u64 {
    let rest = record.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(word) => u64::from_ne_bytes(*word),
        None => short_word(rest),
    }
}

/// Returns a record shorter than a word as a word that continues with zeros: of at most three pieces, since byte by byte takes longer
/// than all else that is done with such a record.
fn short_word(record: &[u8]) -> u64 {
    let (mut word, mut rest, mut bits) = (0, record, 0);
    if let Some((four, after)) = rest.split_first_chunk() {
        (word, rest, bits) = (u64::from(u32::from_le_bytes(*four)), after, 32);
    }
    if let Some((two, after)) = rest.split_first_chunk() {
        (word, rest, bits) = (word | u64::from(u16::from_le_bytes(*two)) << bits, after, bits + 16);
    }
    if let Some(&one) = rest.first() {
        word |= u64::from(one) << bits;
    }
    u64::from_ne_bytes(word.to_le_bytes())
}

/// A template under construction.
struct Draft {
    constant: Vec<u8>,
    outside: Vec<u8>,
    template: Template,
}

impl Template {
    /// Returns the template of a layout, which is made only once.
    ///
    /// A record has a place for it of its own, but no code of its own.
    pub fn once(made: &'static OnceLock<Self>, layout: &'static Layout) -> &'static Self {
        made.get_or_init(|| Self::of(layout))
    }

    /// Creates the template of a layout.
    #[must_use]
    pub fn of(layout: &'static Layout) -> Self {
        let zeros = vec![0; layout.size];
        let template = Self {
            expected: zeros.clone(),
            constants: Mask::default(),
            outside: Mask::default(),
            floats: Vec::new(),
            computed: Vec::new(),
            never_agrees: false,
            fixed: [0; 7],
            texts: Vec::new(),
        };
        let mut draft = Draft { constant: zeros.clone(), outside: zeros, template };
        for field in layout.fields {
            if matches!(field.rule, Rule::Outside) {
                let size = field.shape.size();
                let at = field.offset..field.offset + size;
                draft.outside.get_mut(at).unwrap_or_default().fill(0xFF);
                let ones = vec![0xFF; size];
                draft.template.floats.extend((!field.shape.agrees(&ones, &ones)).then_some(field));
            }
        }
        draft.record(layout, 0, Class::Semantic);
        let Draft { constant, outside, mut template } = draft;
        template.constants = Mask::of(&constant);
        template.outside = Mask::of(&outside);
        template
    }

    /// Returns `true` if a field of a record differs from its rule; `rules` is the record as computed by the rules of its container.
    #[must_use]
    pub fn deviates(&self, record: &[u8], rules: Option<&[u8]>) -> bool {
        self.never_agrees
            || !self.constants.agrees(record, &self.expected)
            || rules.is_some_and(|rules| {
                !self.outside.agrees(record, rules)
                    || self.floats.iter().any(|field| {
                        field
                            .of(record)
                            .zip(field.of(rules))
                            .is_some_and(|(found, rule)| !field.shape.agrees(found, rule))
                    })
            })
            || self.computed.iter().any(|(at, field)| !field.is_as_computed(record.get(at.clone()).unwrap_or_default()))
    }

    /// Counts the bytes of a record by class.
    pub fn count(&self, record: &[u8], sums: &mut [usize; 7]) {
        *sums = plus(*sums, self.fixed, 1);
        for (at, split) in &self.texts {
            let text = record.get(at.clone()).unwrap_or_default();
            let (own, tail) = split(text);
            Class::Semantic.count(own, sums);
            tail.count(text.len().saturating_sub(own), sums);
        }
    }
}

impl Draft {
    fn record(&mut self, layout: &'static Layout, start: usize, class: Class) {
        for field in layout.fields {
            let at = start + field.offset;
            let range = at..at + field.shape.size();
            match field.rule {
                Rule::Free | Rule::Outside => {}
                Rule::Constant(write) => {
                    let mut value = vec![0; range.len()];
                    write(&mut value);
                    self.template.never_agrees |= !field.shape.agrees(&value, &value);
                    self.constant(at, &value);
                }
                Rule::Exact(_) | Rule::Advisory(_) => {
                    self.template.computed.push((start..start + layout.size, field));
                }
            }
            self.shape(&field.shape, at, if class == Class::Semantic { field.class } else { class });
        }
    }

    /// Expects some bytes. If they conflict with bytes expected already, such as those of a nested field, no record agrees.
    fn constant(&mut self, at: usize, value: &[u8]) {
        for (at, value) in (at..).zip(value) {
            if let (Some(expected), Some(mask)) = (self.template.expected.get_mut(at), self.constant.get_mut(at)) {
                self.template.never_agrees |= *mask != 0 && *expected != *value;
                (*expected, *mask) = (*value, 0xFF);
            }
        }
    }

    fn shape(&mut self, shape: &'static Shape, at: usize, class: Class) {
        match shape {
            Shape::Record(layout) => self.record(layout, at, class),
            Shape::Array(of, count) => {
                for index in 0..*count {
                    self.shape(of, at + of.size() * index, class);
                }
            }
            Shape::Leaf(leaf) => match leaf.tail {
                Some(split) if class == Class::Semantic => {
                    self.template.texts.push((at..at + leaf.size, split));
                }
                _ => self.template.fixed = plus(self.template.fixed, class.one(), leaf.size),
            },
        }
    }
}
