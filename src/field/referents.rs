//! The names of the things that indices refer to: an index is shown as a name, and a name is taken for the index.

use core::fmt::Debug;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::layout::{Field, Layout, Leaf, Shape};
use super::value::Value;

/// The things that the indices in the records of a part refer to.
pub trait Referents: Debug {
    /// Returns those of a field, or `None` if it does not refer to things with names here.
    fn of_field(&self, field: &str) -> Option<&Roster>;
}

/// The names of a list. Only a name that occurs once refers to an index.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    names: Vec<Option<SmolStr>>,
    /// The indices of names, or `None` for one that occurs more than once.
    by_name: FxHashMap<SmolStr, Option<usize>>,
}

impl<N: Into<SmolStr>> FromIterator<Option<N>> for Roster {
    /// Creates a roster of the names at the indices 0, 1, and so on.
    fn from_iter<I: IntoIterator<Item = Option<N>>>(names: I) -> Self {
        let names: Vec<Option<SmolStr>> = names.into_iter().map(|name| name.map(Into::into)).collect();
        let mut by_name = FxHashMap::default();
        for (index, name) in names.iter().enumerate() {
            if let Some(name) = name {
                by_name.entry(name.clone()).and_modify(|at| *at = None).or_insert(Some(index));
            }
        }
        Self { names, by_name }
    }
}

impl Roster {
    /// Returns the name that refers to an index, or `None` if there is none.
    #[must_use]
    pub fn name(&self, index: i64) -> Option<&SmolStr> {
        let index = usize::try_from(index).ok()?;
        let name = self.names.get(index)?.as_ref()?;
        (self.by_name.get(name) == Some(&Some(index))).then_some(name)
    }

    /// Returns the index to which a name refers.
    ///
    /// # Errors
    /// Returns what is expected instead if nothing or more than one thing has this name.
    pub fn index(&self, name: &str) -> Result<i64, String> {
        match self.by_name.get(name) {
            Some(Some(index)) => i64::try_from(*index).map_err(|_| "an index".to_owned()),
            Some(None) => {
                let named = self.names.iter().enumerate().filter(|(_, it)| it.as_deref() == Some(name));
                let indices: Vec<_> = named.take(MOST).map(|(index, _)| index.to_string()).collect();
                Err(format!("an index, because several have this name: {}", indices.join(", ")))
            }
            None => {
                let names: Vec<_> = self.names.iter().flatten().map(|name| format!("\"{name}\"")).take(MOST).collect();
                let more = if self.by_name.len() > MOST { ", …" } else { "" };
                Err(match &names[..] {
                    [] => "an index, because nothing here has a name".to_owned(),
                    [name] => format!("an index or {name}"),
                    names => format!("an index or one of {} names: {}{more}", self.by_name.len(), names.join(", ")),
                })
            }
        }
    }
}

/// The maximum number of names or indices that an error lists.
const MOST: usize = 8;

impl Field {
    /// Returns the leaf of a field that holds an index to which a name can refer.
    pub const fn index_leaf(&self) -> Option<&'static Leaf> {
        match self.shape {
            Shape::Leaf(leaf) if leaf.refers => Some(leaf),
            _ => None,
        }
    }
}

impl Layout {
    /// Returns the fields of a record whose indices have names, with both.
    pub fn named_indices<'a>(
        &'static self,
        record: &'a [u8],
        referents: &'a dyn Referents,
    ) -> impl Iterator<Item = (&'static Field, Value)> + 'a {
        let fields = if self.refers { self.fields } else { &[] };
        fields.iter().filter_map(|field| {
            let (leaf, bytes) = (field.index_leaf()?, field.of(record)?);
            let (Value::Integer(index) | Value::Named(None, index)) = leaf.show(bytes) else { return None };
            let name = referents.of_field(field.name)?.name(index)?;
            // Numbers can have names of their own, which win.
            let mut other = bytes.to_vec();
            let is_free = leaf.set(&Value::Text(name.clone()), &mut other).is_err();
            is_free.then(|| (field, Value::Named(Some(name.clone()), index)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_of_a_name_lists_what_would_be_right() {
        let error = |names: &[&str], name: &str| {
            names.iter().map(|it| Some(*it)).collect::<Roster>().index(name).expect_err("no index")
        };
        assert_eq!(error(&[], "x"), "an index, because nothing here has a name");
        assert_eq!(error(&["a"], "x"), "an index or \"a\"");
        assert_eq!(error(&["a", "b", "a"], "a"), "an index, because several have this name: 0, 2");
        let all = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
        assert!(error(&all[..8], "x").ends_with("\"h\""));
        assert!(error(&all, "x").ends_with("\"h\", …"));
    }
}
