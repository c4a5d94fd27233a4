//! The strings and messages of a library as CSV, for translators.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::Dll;
use exchange::show;
use field::{Address, Value, decode};
use kind::{Drawing, Export, ExportError, Imported, Model, model_of};
use media::csv::{self, TextRow};

/// The export.
pub const EXPORT: Export =
    Export { extension: "csv", shows: "the texts, for a spreadsheet", draw: |file, _| draw(file), levels: None };

/// The columns. The place says which text it is; number and key are for people, and cannot be edited.
const COLUMNS: [&str; 4] = ["place", "number", "key", "text"];
/// The section with the resources.
const SECTION: &str = ".rsrc";
/// The number of strings in a resource.
const STRINGS: u64 = 16;

/// A text of a library.
struct Said {
    place: Address,
    number: Option<u64>,
    key: String,
    /// `None` if it has bytes that are no text.
    text: Option<String>,
}

/// Returns the texts of a library, in the order of the file: all messages, and the strings that are not empty.
fn texts(dll: &Dll) -> Result<Vec<Said>, ExportError> {
    let section = show(dll, &format!("{SECTION}:/"), usize::MAX)?.unwrap_or_default();
    let top = Address::of_entry(SECTION).with("resources");
    let mut all = Vec::new();
    for (nth, resource) in section.list("resources").iter().enumerate() {
        let place = top.with(nth.to_string());
        let block = resource.list("path").get(1).and_then(Value::whole);
        for (at, string) in resource.list("strings").iter().enumerate() {
            let number =
                block.and_then(|block| block.checked_sub(1)?.checked_mul(STRINGS)?.checked_add(field::wide(at)));
            let text = string.text().map(str::to_owned);
            if text.as_deref() != Some("") {
                all.push(Said { place: place.with("strings").with(at.to_string()), number, key: String::new(), text });
            }
        }
        let messages = resource.get("table").map_or(&[][..], |table| table.list("messages"));
        for (at, message) in messages.iter().enumerate() {
            let number = message.get("id").and_then(Value::whole);
            let key = message.get("key").and_then(Value::text).unwrap_or("").to_owned();
            let text = message.get("text").and_then(Value::text).map(str::to_owned);
            let place = place.with("table").with("messages").with(at.to_string()).with("text");
            all.push(Said { place, number, key, text });
        }
    }
    Ok(all)
}

fn draw(file: Bytes) -> Result<Drawing, ExportError> {
    let mut rows = vec![COLUMNS.map(str::to_owned)];
    let mut undecoded = 0;
    for Said { place, number, key, text } in texts(&decode::<Dll>(file)?.model)? {
        match text {
            Some(text) => {
                let number = number.map_or(String::new(), |number| number.to_string());
                rows.push([place.to_string(), number, key, text]);
            }
            None => undecoded += 1,
        }
    }
    let file = csv::write(rows).map_err(ExportError::content)?;
    let left_out = (undecoded > 0).then_some(("texts that have bytes of another encoding", undecoded));
    Ok(Drawing { left_out: left_out.into_iter().collect(), ..Drawing::from(file) })
}

/// What to do about an edited number or key.
const HINT: &str = "import takes only texts; export the table again for the right numbers and keys";

/// Takes the texts of a file. A text without a row stays.
pub fn import(model: &Model, file: Bytes) -> Result<Imported, ExportError> {
    let now = texts(model_of::<Dll>(model)?)?.into_iter().map(|it| (it.place.to_string(), it));
    let now: BTreeMap<String, Said> = now.collect();
    let mut imported = Imported::default();
    let [places, number, key, _] = COLUMNS;
    for row in csv::texts(&file, places, &[number, key]).map_err(ExportError::Content)? {
        let TextRow { line, key: place, text, .. } = &row;
        let Some(said) = now.get(place) else {
            let why =
                format!("line {line}: {place}: the file has no text at this place; export it again for all places");
            return Err(ExportError::Content(why));
        };
        let numbered = said.number.map_or(String::new(), |number| number.to_string());
        for (nth, was) in [(number, &*numbered), (key, &*said.key)].into_iter().enumerate() {
            row.is_unedited(nth, was, HINT).map_err(ExportError::Content)?;
        }
        if let Some(text) = csv::changed(said.text.as_deref(), text) {
            imported.set(said.place.clone(), text);
        }
    }
    Ok(imported)
}
