//! Adds the schemas to the files of a model.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::pointer::pointed;
use super::{Part, SCHEMAS, View};
use crate::{Contents, Listed, WRITTEN};

impl Contents {
    /// Adds the schemas, to each document the path of its own, and the [list](WRITTEN) of all files.
    #[must_use]
    pub fn with_schemas(mut self) -> Self {
        self.add_schemas();
        self.list();
        self
    }

    /// Adds the schemas, and to each document the path of its own.
    pub fn add_schemas(&mut self) {
        let mut schemas = BTreeMap::new();
        for (file, view) in &self.views {
            let Some(text) = self.files.get_mut(file).filter(|text| text.starts_with(b"{")) else { continue };
            if !self.are_pointed {
                *text = pointed(text, &view.pointer(file));
            }
            for view in [view, &View { kind: view.kind, part: Part::Whole }] {
                if !schemas.contains_key(&view.file()) {
                    schemas.extend(view.schema().map(|schema| (view.file(), schema)));
                }
            }
        }
        self.files.extend(schemas.into_iter().map(|(file, schema)| (format!("{SCHEMAS}/{file}"), schema)));
    }

    /// Removes the files that are not `wanted`, except for those of the schemas.
    pub fn keep_only(&mut self, wanted: impl Fn(&str) -> bool) {
        self.files
            .retain(|path, _| path.strip_prefix(SCHEMAS).is_some_and(|rest| rest.starts_with('/')) || wanted(path));
        self.list();
    }

    /// Makes the [list](WRITTEN) of all files.
    fn list(&mut self) {
        self.files = self.listed();
    }

    /// Returns the files, and the [list](WRITTEN) of them.
    #[must_use]
    pub fn listed(&self) -> BTreeMap<String, Bytes> {
        let mut files = self.files.clone();
        files.insert(WRITTEN.to_owned(), Listed::of(&self.files).print());
        files
    }
}
