//! The texts of a talk table as CSV, for translators: a row for each entry that is not blank.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::Tlk;
use field::{Address, Value, decode};
use kind::{Drawing, Export, ExportError, Imported, Model, model_of};
use media::csv::{self, TextRow};

/// The export.
pub const EXPORT: Export =
    Export { extension: "csv", shows: "the texts, for a spreadsheet", draw: |file, _| draw(file), levels: None };

/// The columns. The last one is only for people, and cannot be edited.
const COLUMNS: [&str; 3] = ["number", "text", "sound"];
/// The flag of an entry that has a text (`nwn-tlk.md`).
const HAS_TEXT: u64 = 1;

fn draw(file: Bytes) -> Result<Drawing, ExportError> {
    let table = decode::<Tlk>(file)?.model.json();
    let mut rows = vec![COLUMNS.map(str::to_owned).to_vec()];
    let mut undecoded = 0;
    for (number, entry) in entries(&table) {
        let text = |name: &str| entry.get(name).map_or(Some(""), Value::text);
        let Some(said) = text("text") else {
            undecoded += 1;
            continue;
        };
        rows.push(vec![number.to_owned(), said.to_owned(), text("sound").unwrap_or_default().to_owned()]);
    }
    let file = csv::write(rows).map_err(ExportError::content)?;
    let left_out = (undecoded > 0).then_some(("texts that have bytes of another encoding", undecoded));
    Ok(Drawing { left_out: left_out.into_iter().collect(), ..Drawing::from(file) })
}

/// Returns the entries of a table by their numbers.
fn entries(table: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let members = match table.get("entries") {
        Some(Value::Object(members)) => members.as_slice(),
        _ => &[],
    };
    members.iter().map(|(number, entry)| (number.as_str(), entry))
}

/// What to do about an edited sound.
const HINT: &str = "import takes only texts; `bitexact patch --set` changes /entries/NUMBER/sound";

/// Takes the texts of a file. An entry without a row stays, and a new one beyond the last raises the count. Sounds cannot be edited.
pub fn import(model: &Model, file: Bytes) -> Result<Imported, ExportError> {
    let table = model_of::<Tlk>(model)?.json();
    let now: BTreeMap<&str, &Value> = entries(&table).collect();
    let (mut imported, mut count) = (Imported::default(), 0);
    let [numbers, _, sound] = COLUMNS;
    for row in csv::texts(&file, numbers, &[sound]).map_err(ExportError::Content)? {
        let TextRow { line, key: given, text, .. } = &row;
        let number: u32 = given.parse().map_err(|_| {
            ExportError::content(format_args!("line {line}: expected the number of an entry, found {given:?}"))
        })?;
        let now = now.get(number.to_string().as_str()).copied();
        let was = now.and_then(|entry| entry.get(sound)).and_then(Value::text).unwrap_or_default();
        row.is_unedited(0, (sound, was), HINT).map_err(ExportError::Content)?;
        set(&mut imported, number, now, text);
        count = count.max(if text.is_empty() { 0 } else { u64::from(number) + 1 });
    }
    if table.get("count").and_then(Value::whole).is_some_and(|stated| stated < count) {
        imported.set(Address::from("/count"), count);
    }
    Ok(imported)
}

/// Sets the text of an entry, if it is another one.
fn set(imported: &mut Imported, number: u32, now: Option<&Value>, text: &str) {
    let place = Address::from("/entries").with(number.to_string());
    let Some(entry) = now else {
        if !text.is_empty() {
            imported.set(place, Value::from([("flags", HAS_TEXT.into()), ("text", text.into())]));
        }
        return;
    };
    let old = entry.get("text");
    if old.is_none() && text.is_empty() {
        return;
    }
    let Some(text) = csv::changed(old.and_then(Value::text), text) else { return };
    if text.is_empty() {
        imported.edits.push(kind::ImportedEdit::Delete(place.with("text")));
        return;
    }
    imported.set(place.with("text"), text);
    let flags = entry.get("flags").and_then(Value::whole).filter(|flags| flags & HAS_TEXT == 0);
    if let Some(flags) = flags {
        imported.set(place.with("flags"), flags | HAS_TEXT);
    }
}
