//! The changes of a file, as JSON that can be applied.

use serde::{Deserialize, Serialize};

use super::common_parts::is_marked;
use field::{Address, CodePage, Value};
use json::LAYOUT;
use passes::Sha;

/// The schema version of [`Changes`]. Changes of any other version are refused.
pub const SCHEMA: u32 = 3;

/// A set of changes that can be applied to another file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Changes {
    /// The schema version.
    pub schema: u32,
    /// The kind of file that the changes apply to.
    pub kind: String,
    /// The encoding of the texts in the changes, if one was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// The changes, applied one after the other.
    pub changes: Vec<Change>,
}

impl Changes {
    /// Returns changes of a file of a kind, whose texts are in the chosen encoding.
    #[must_use]
    pub fn of(kind: &str, changes: Vec<Change>) -> Self {
        let encoding = CodePage::chosen().map(|page| page.name().to_owned());
        Self { schema: SCHEMA, kind: kind.to_owned(), encoding, changes }
    }

    /// Returns the encoding in which to apply them: the stated one, which the chosen one must be, or else the chosen one.
    ///
    /// # Errors
    /// Returns the reason, as a sentence without the file, if another one is chosen, or the stated one is not known.
    pub fn page(&self) -> Result<Option<&'static CodePage>, String> {
        let Some(name) = &self.encoding else { return Ok(CodePage::chosen()) };
        let page = CodePage::named(name).ok_or_else(|| format!("its texts are in {name}, which is not known"))?;
        match CodePage::chosen() {
            Some(chosen) if chosen.name() != page.name() => Err(format!(
                "expected --encoding {}, that of its texts, found {}; leave the option out",
                page.name(),
                chosen.name()
            )),
            _ => Ok(Some(page)),
        }
    }
}

/// A change of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum Change {
    /// Changes a value.
    Set {
        /// The place of the value.
        at: Address,
        /// The old value, or `None` if its rule computed it.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "json::serde")]
        old: Option<Value>,
        /// The new value, or `None` if its rule computes it.
        #[serde(default, skip_serializing_if = "Option::is_none", with = "json::serde")]
        new: Option<Value>,
    },
    /// Puts the fields of an object into another order, which has no meaning but is kept.
    Order {
        /// The place of the object.
        at: Address,
        /// The names of its fields in the old order.
        old: Vec<String>,
        /// The names of its fields in the new order.
        new: Vec<String>,
    },
    /// Inserts an item into a list.
    Insert {
        /// The place of the new item.
        at: Address,
        /// The number of items that the list has before, or `None` if it can have any. Another number means that the place is unclear.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        length: Option<usize>,
        /// The item.
        #[serde(with = "json::serde")]
        new: Value,
    },
    /// Deletes an item of a list.
    Delete {
        /// The old place of the item.
        at: Address,
        /// The item.
        #[serde(with = "json::serde")]
        old: Value,
    },
    /// Renames an entry.
    Rename {
        /// The entry.
        entry: String,
        /// Its new label.
        to: String,
    },
    /// Moves an entry within its table.
    Move {
        /// The entry.
        entry: String,
        /// The old index.
        from: usize,
        /// The new index.
        to: usize,
    },
    /// Adds an entry.
    Add {
        /// The entry.
        entry: String,
        /// The place that lists the entry, most often an item of a table.
        at: Address,
        /// The contents of that table row.
        #[serde(with = "json::serde")]
        row: Value,
        /// The contents of the entry.
        content: Content,
    },
    /// Removes an entry.
    Remove {
        /// The entry.
        entry: String,
        /// The hash of its contents.
        sha256: String,
        /// The kind of its contents.
        kind: String,
        /// The size of its contents.
        bytes: u64,
    },
    /// Replaces the contents of an entry by contents that have no parts in common with them.
    Replace {
        /// The entry.
        entry: String,
        /// The hash of the old contents.
        sha256: String,
        /// The size of the old contents.
        bytes: u64,
        /// The new contents.
        content: Content,
        /// For display: the lines that differ, or the number of differing bytes.
        #[serde(skip)]
        words: String,
    },
}

/// The contents of an entry: its document, and those of the entries in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content {
    /// The kind.
    pub kind: String,
    /// The size in the file.
    pub bytes: u64,
    /// The files of the exchange format, the entry's own first.
    #[serde(with = "json::serde")]
    pub files: Vec<(String, Value)>,
}

/// Returns `true` if a place holds how a file deviates from the layout that follows from its values.
pub(super) fn is_of_layout(at: &Address) -> bool {
    at.keys.last().is_some_and(|key| key == LAYOUT)
}

impl Change {
    /// Returns the entry that the change is in, or an empty text for the file itself.
    #[must_use]
    pub fn entry(&self) -> &str {
        match self {
            Self::Set { at, .. } | Self::Order { at, .. } | Self::Insert { at, .. } | Self::Delete { at, .. } => {
                &at.entry
            }
            Self::Rename { entry, .. }
            | Self::Move { entry, .. }
            | Self::Add { entry, .. }
            | Self::Remove { entry, .. }
            | Self::Replace { entry, .. } => entry,
        }
    }

    /// Returns `true` if the change is only one of the layout: of the order of fields, or of what a file keeps beside its values.
    #[must_use]
    pub fn is_of_layout(&self) -> bool {
        match self {
            Self::Order { .. } => true,
            Self::Set { at, .. } => is_of_layout(at),
            _ => false,
        }
    }

    /// Returns the change for lists of any length: if several mods insert items, their places are found from all of them.
    #[cfg(feature = "mods")]
    pub(crate) fn of_any_length(mut self) -> Self {
        if let Self::Insert { length, .. } = &mut self {
            *length = None;
        }
        self
    }

    /// Returns `true` if another change is the same, perhaps with the members of its values in another order, or with an added entry in
    /// another row.
    #[cfg(feature = "mods")]
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let by_name = |change: &Self| {
            let mut change = change.clone();
            change.values_mut().into_iter().for_each(|value| *value = json::by_name(value));
            // An entry is found by its name, so that its row may be at another place.
            if let Self::Add { at, .. } = &mut change {
                at.keys.pop();
            }
            change
        };
        self == other || by_name(self) == by_name(other)
    }

    /// Returns the values in the change.
    fn values_mut(&mut self) -> Vec<&mut Value> {
        match self {
            Self::Set { old, new, .. } => old.iter_mut().chain(new).collect(),
            Self::Insert { new, .. } => vec![new],
            Self::Delete { old, .. } => vec![old],
            Self::Add { row, content, .. } => content.files.iter_mut().map(|(_, json)| json).chain([row]).collect(),
            Self::Replace { content, .. } => content.files.iter_mut().map(|(_, json)| json).collect(),
            Self::Order { .. } | Self::Rename { .. } | Self::Move { .. } | Self::Remove { .. } => Vec::new(),
        }
    }

    /// Returns `true` if the change omits a part that both models have.
    pub(super) fn is_marked(&self) -> bool {
        let values: Vec<&Value> = match self {
            Self::Set { old, new, .. } => old.iter().chain(new).collect(),
            Self::Insert { new, .. } => vec![new],
            Self::Delete { old, .. } => vec![old],
            Self::Add { row, content, .. } => content.files.iter().map(|(_, json)| json).chain([row]).collect(),
            Self::Replace { content, .. } => content.files.iter().map(|(_, json)| json).collect(),
            Self::Order { .. } | Self::Rename { .. } | Self::Move { .. } | Self::Remove { .. } => Vec::new(),
        };
        values.into_iter().any(is_marked)
    }
}

/// The contents of an entry, as a change checks them before removing or replacing the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The kind.
    pub kind: &'static str,
    /// The hash.
    pub sha256: Sha,
    /// The size.
    pub bytes: u64,
}

impl Held {
    /// Describes the bytes of an entry of this kind.
    #[must_use]
    pub fn of(kind: &'static str, bytes: &[u8]) -> Self {
        Self { kind, sha256: Sha::of(bytes), bytes: field::wide(bytes.len()) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::common_parts::MARK;
    use super::*;

    fn json(text: &str) -> Value {
        json::parse(text.as_bytes()).expect("JSON")
    }

    /// Returns a change of each type with this value, and its place in a list.
    fn with(value: &Value, row: &str) -> Vec<Change> {
        let (at, entry) = (Address::from("/a"), || "b".to_owned());
        let content = Content { kind: "gff".to_owned(), bytes: 3, files: vec![("b.json".to_owned(), value.clone())] };
        let empty = Content { files: Vec::new(), ..content.clone() };
        let (sha256, words) = (String::new(), String::new());
        vec![
            Change::Set { at: at.clone(), old: Some(value.clone()), new: None },
            Change::Set { at: at.clone(), old: None, new: Some(value.clone()) },
            Change::Insert { at: at.clone(), length: None, new: value.clone() },
            Change::Delete { at, old: value.clone() },
            Change::Add { entry: entry(), at: row.into(), row: value.clone(), content: empty },
            Change::Add { entry: entry(), at: row.into(), row: Value::Null, content: content.clone() },
            Change::Replace { entry: entry(), sha256, bytes: 2, content, words },
        ]
    }

    #[test]
    #[cfg(feature = "mods")]
    fn change_is_the_same_whatever_the_order_of_members_and_the_row_of_an_entry() {
        let [one, other] = [r#"{"a": [{"b": 1, "c": 2}], "d": 3}"#, r#"{"d": 3, "a": [{"c": 2, "b": 1}]}"#].map(json);
        for (one, other) in with(&one, "/entries/1").iter().zip(with(&other, "/entries/2")) {
            assert!(one != &other && one.is_same(&other), "{one:?}");
        }
        let different = json(r#"{"a": [{"b": 1, "c": 9}], "d": 3}"#);
        for (one, other) in with(&one, "/entries/1").iter().zip(with(&different, "/entries/1")) {
            assert!(!one.is_same(&other), "{one:?}");
        }
        let [here, there] = ["/entries/1", "/other/1"].map(|row| with(&one, row));
        assert!(here[4].is_same(&here[4]) && !here[4].is_same(&there[4]));
    }

    #[test]
    fn part_that_both_models_have_is_known_in_every_change() {
        let mark = Value::from(format!("{MARK}7"));
        let list = Value::List(vec![1.into(), Value::Object(vec![("inner".into(), mark.clone())])]);
        for value in [&mark, &list] {
            assert!(with(value, "/entries/1").iter().all(Change::is_marked), "{value:?}");
        }
        let plain = json(r#"{"a": [{"b": "alike"}, 1]}"#);
        assert!(!with(&plain, "/entries/1").iter().any(Change::is_marked));
        assert!(!Change::Rename { entry: "a".to_owned(), to: MARK.to_owned() }.is_marked());
    }

    #[test]
    fn encoding_of_changes_must_be_the_chosen_one() {
        let changes = |encoding: Option<&str>| Changes {
            encoding: encoding.map(str::to_owned),
            ..Changes::of("gff", Vec::new())
        };
        let page = |encoding, chosen: Option<&str>| {
            let chosen = chosen.map(|name| CodePage::named(name).expect("it is known"));
            let changes = changes(encoding);
            CodePage::during_or(chosen, || changes.page().map(|page| page.map(CodePage::name)))
        };
        let [russian, polish] = ["windows-1251", "windows-1250"];
        assert_eq!(page(None, None), Ok(None));
        assert_eq!(page(None, Some(polish)), Ok(Some(polish)));
        assert_eq!(page(Some(russian), None), Ok(Some(russian)));
        assert_eq!(page(Some(russian), Some(russian)), Ok(Some(russian)));
        assert!(
            page(Some(russian), Some(polish)).is_err_and(|why| why.starts_with("expected --encoding windows-1251"))
        );
        assert!(page(Some("none"), None).is_err_and(|why| why.ends_with("which is not known")));
    }
}
