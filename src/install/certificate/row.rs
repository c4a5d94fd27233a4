//! The row of an install in `verify --json`.

use super::{Certificate, Checked, Missing, Unfound};
use crate::install::zipper::Moved;
use crate::verify::SCHEMA;
use field::Value;

impl Certificate {
    /// Returns its row in the output of `verify --json`.
    #[must_use]
    pub fn row(&self) -> Value {
        let text = |text: &str| Value::from(text);
        let pairs = |pairs: &[(String, String)], key: &'static str| -> Value {
            pairs.iter().map(|(path, other)| Value::from([("path", text(path)), (key, text(other))])).collect()
        };
        let missing = |it: &Missing| {
            let always = [("path", text(&it.path)), ("why", it.why.code().into())];
            let detail = it.named_in.as_deref().or(it.why.detail()).map(|detail| ("detail", detail.into()));
            let found = it.found.as_deref().map(|found| ("found", found.into()));
            let home = it.home.as_deref().map(|home| ("home", home.into()));
            object(always.into_iter().chain(detail).chain(found).chain(home))
        };
        let moved = |it: &Moved| {
            Value::from([("path", text(&it.path)), ("from", text(&it.from)), ("proven", it.is_proven.into())])
        };
        let each = |of: fn(&Checked) -> &[String], key: &'static str| -> Value {
            let files = self.files.iter().filter(|file| file.is_doubtful() && !of(file).is_empty());
            let row = |file: &Checked| {
                Value::from([("path", text(&file.path)), (key, of(file).iter().map(String::as_str).collect())])
            };
            files.map(row).collect()
        };
        let unread = self.unread().map(|(path, why)| Value::from([("path", text(path)), ("why", text(why))])).collect();
        let standing = &self.standing;
        let resized = self.resized.iter().map(|(path, why)| format!("{path}: {why}"));
        let findings = resized.chain(self.notes.iter().cloned()).map(Value::from).collect();
        let about = [
            ("root", text(&self.root)),
            ("game", self.game.map_or(Value::Null, |game| game.code().into())),
            ("edition", text(&self.edition)),
            ("evidence", text(&self.basis)),
            ("verdict", self.verdict().word().into()),
            ("sentence", Value::from(self.sentence())),
            ("files", self.count().into()),
            ("failed", self.failed().into()),
            ("damaged", self.damaged().into()),
            ("suspect", self.suspect().into()),
            ("as_sold", standing.as_sold.into()),
            ("as_listed", standing.as_listed.into()),
            ("differ", pairs(&standing.differ, "why")),
            ("mixed_up", standing.mixed_up.iter().map(String::as_str).collect()),
            ("copies", pairs(&standing.copies, "of")),
            ("alike", pairs(&self.alike, "of")),
            ("rivals", pairs(&self.rivals, "of")),
            ("not_read", unread),
            ("checksums", each(|file| &file.checksums, "places")),
            ("undecoded", each(|file| &file.undecoded, "entries")),
            ("caveats", self.caveats.iter().map(|caveat| caveat.words()).collect()),
            ("unknown", standing.unknown.into()),
            ("moved", standing.moved.iter().map(moved).collect()),
            ("missing", self.missing.iter().map(missing).collect()),
            ("unlisted", self.unexpected.iter().map(String::as_str).collect()),
            ("findings", findings),
        ];
        let keyed = self.keyed.map(|(language, replaced)| {
            [("language", language.map_or(Value::Null, Value::from)), ("replaced", replaced.into())]
        });
        let games =
            (!self.games.is_empty()).then(|| ("games", self.games.iter().map(|game| game.code()).collect::<Value>()));
        let list = self.list.iter().flat_map(|list| {
            let sha256 = list.sha256.map(|sha256| ("sha256", Value::from(sha256.to_string())));
            let about = [("name", text(&list.name)), ("entries", list.entries.into())];
            let sources = ("sources", list.sources.iter().map(String::as_str).collect::<Value>());
            let unfound = |it: &Unfound| {
                object([("path", text(&it.path))].into_iter().chain(it.why.map(|why| ("why", why.code().into()))))
            };
            let about = object(about.into_iter().chain(sha256).chain([sources]));
            [("list", about), ("not_found", self.unfound.iter().map(unfound).collect::<Value>())]
        });
        let digest = self.digest().map(|sha256| ("sha256_of_list", Value::from(sha256.to_string())));
        let about = object(about.into_iter().chain(games).chain(list).chain(keyed.into_iter().flatten()).chain(digest));
        Value::from([("schema", SCHEMA.into()), ("install", about)])
    }
}

fn object(members: impl Iterator<Item = (&'static str, Value)>) -> Value {
    Value::Object(members.map(|(key, value)| (key.into(), value)).collect())
}
