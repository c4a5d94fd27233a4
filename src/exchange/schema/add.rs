//! Adds the schemas to the files of a model.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::{POINTER, Part, SCHEMAS, View};
use crate::exchange::{Contents, Listed, WRITTEN};

impl Contents {
    /// Adds the schemas, to each document the path of its own, and the [list](WRITTEN) of all files.
    #[must_use]
    pub fn with_schemas(mut self) -> Self {
        let mut schemas = BTreeMap::new();
        for (file, view) in &self.views {
            let Some(text) = self.files.get_mut(file).filter(|text| text.starts_with(b"{")) else { continue };
            let up = "../".repeat(file.matches('/').count());
            *text = pointed(text, &format!("{up}{SCHEMAS}/{}", view.file()));
            for view in [view, &View { kind: view.kind, part: Part::Whole }] {
                if !schemas.contains_key(&view.file()) {
                    schemas.extend(view.schema().map(|schema| (view.file(), schema)));
                }
            }
        }
        self.files.extend(schemas.into_iter().map(|(file, schema)| (format!("{SCHEMAS}/{file}"), schema)));
        self.list();
        self
    }

    /// Removes the files that are not `wanted`, except for those of the schemas.
    pub fn keep_only(&mut self, wanted: impl Fn(&str) -> bool) {
        self.files
            .retain(|path, _| path.strip_prefix(SCHEMAS).is_some_and(|rest| rest.starts_with('/')) || wanted(path));
        self.list();
    }

    /// Makes the [list](WRITTEN) of all files.
    fn list(&mut self) {
        let list = Listed::of(&self.files).print();
        self.files.insert(WRITTEN.to_owned(), list);
    }
}

/// Returns the text of an object with a first member that names its schema.
fn pointed(text: &[u8], path: &str) -> Bytes {
    let inner = text.get(1..).unwrap_or_default();
    let member = format!("\"{POINTER}\": \"{path}\"");
    let (before, after) = match inner.first() {
        Some(b'}') => ("", ""),
        Some(b'\n') => ("\n  ", ","),
        _ => ("", ", "),
    };
    [b"{", before.as_bytes(), member.as_bytes(), after.as_bytes(), inner].concat().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_member_is_the_schema() {
        for (text, expected) in [
            ("{}\n", "{\"$schema\": \"a\"}\n"),
            ("{\"b\": 1}\n", "{\"$schema\": \"a\", \"b\": 1}\n"),
            ("{\n  \"b\": 1\n}\n", "{\n  \"$schema\": \"a\",\n  \"b\": 1\n}\n"),
        ] {
            assert_eq!(pointed(text.as_bytes(), "a"), expected);
        }
    }
}
