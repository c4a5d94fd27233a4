//! The members of a file that hold names, so that people can find things and rename them.

use field::Step;

/// A member that holds a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Name {
    /// Its place in the exchange format, with `*` for an index and `**` for any number of steps into `children`.
    pub at: &'static str,
    /// What is named.
    pub of: Named,
    /// A field that a record must have beside the name, if there are others at the same place.
    pub beside: Option<&'static str>,
}

/// What a name is the name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Named {
    /// The object that holds the name.
    Itself,
    /// The node that holds the name; others can refer to it.
    Node,
    /// A node elsewhere.
    OtherNode,
}

impl Name {
    /// The name of the object that holds it.
    #[must_use]
    pub const fn itself(at: &'static str) -> Self {
        Self { at, of: Named::Itself, beside: None }
    }

    /// The name of the node that holds it.
    #[must_use]
    pub const fn node(at: &'static str) -> Self {
        Self { at, of: Named::Node, beside: None }
    }

    /// The name of a node elsewhere.
    #[must_use]
    pub const fn other_node(at: &'static str) -> Self {
        Self { at, of: Named::OtherNode, beside: None }
    }

    /// The same name, only in records with this field.
    #[must_use]
    pub const fn beside(self, field: &'static str) -> Self {
        Self { beside: Some(field), ..self }
    }

    /// Returns `true` if steps lead to such a name.
    #[must_use]
    pub fn is_at(&self, steps: &[Step]) -> bool {
        let keys: Vec<&str> = self.at.split('/').skip(1).collect();
        fits(&keys, steps)
    }
}

fn fits(keys: &[&str], steps: &[Step]) -> bool {
    match (keys, steps) {
        ([], []) => true,
        (["**", rest @ ..], [Step::Name("children"), Step::Index(_), further @ ..]) => {
            fits(keys, further) || fits(rest, steps)
        }
        (["**", rest @ ..], _) => fits(rest, steps),
        (["*", rest @ ..], [Step::Index(_), further @ ..]) => fits(rest, further),
        ([key, rest @ ..], [Step::Name(name), further @ ..]) => key == name && fits(rest, further),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_at_their_places() {
        let name = Name::node("/animations/*/root/**/name");
        let root = [Step::Name("animations"), Step::Index(7), Step::Name("root")];
        let child = [Step::Name("children"), Step::Index(1)];
        let last = [Step::Name("name")];
        assert!(name.is_at(&[&root[..], &last].concat()));
        assert!(name.is_at(&[&root[..], &child, &child, &last].concat()));
        assert!(!name.is_at(&[&root[..], &child, &child].concat()));
        assert!(!name.is_at(&[&root[..], &[Step::Name("flares"), Step::Index(1)], &last].concat()));
    }
}
