//! Reads a GFF from JSON. Source: `nwn-gff.md`, section 7.

use field::{CodePage, GAME_TEXT, LoadError, Loaded, Step, Value, encode_text, near_single, wide};
use json::{Compact, Describe as _};

use super::json::{EXACT, extended};
use super::keys::{Keys, MOST_DEEP, intern};
use super::layout;
use super::sections::{DOUBLE, FLOAT, LIST, LOCSTRING, RESREF, STRING, STRUCT, TYPES, VOID};
use super::tree::{self, Tree};
use crate::base64;
use crate::pages::page_of;

/// Reads a GFF, and returns whether parts of `__layout` no longer fitted.
pub(super) fn load(json: &Value) -> Loaded<(Vec<u8>, bool)> {
    let Value::Object(members) = json else { return Err(LoadError::new(Vec::new(), "an object", json.describe())) };
    let mut loader = Loader { tree: Tree::default(), way: Vec::new() };
    let (mut kind, mut layout) = (None, None);
    let fields = members.iter().filter(|(key, value)| {
        match key.as_str() {
            "__data_type" => kind = Some(value),
            layout::KEY => layout = Some(value),
            _ => return true,
        }
        false
    });
    let fields: Vec<_> = fields.collect();
    loader.step("__data_type", |loader| {
        let text = kind.and_then(Value::text).and_then(|text| encode_text(field::MACINTOSH, text));
        let four = text.and_then(|text| <[u8; 4]>::try_from(text).ok());
        loader.tree.file_type = four.ok_or_else(|| loader.misfit("four characters", kind.unwrap_or(&Value::Null)))?;
        Ok(())
    })?;
    if let Some(version) = json.get("__version") {
        return loader.step("__version", |loader| Err(loader.misfit("no member __version: all are V3.2", version)));
    }
    loader.structure(fields.into_iter().map(|(key, value)| (key.as_str(), value)), None)?;
    layout::load(&loader.tree, layout)
}

struct Loader {
    tree: Tree,
    /// The steps to the value that is read.
    way: Vec<Step>,
}

impl Loader {
    fn step<T>(&mut self, key: &str, load: impl FnOnce(&mut Self) -> Loaded<T>) -> Loaded<T> {
        let step = intern(key).map(Step::Name);
        self.way.extend(step);
        let outcome = load(self)?;
        self.way.truncate(self.way.len() - usize::from(step.is_some()));
        Ok(outcome)
    }

    fn misfit(&self, expected: impl Into<String>, found: &Value) -> LoadError {
        LoadError::new(self.way.clone(), expected, found.describe())
    }

    fn misfit_of_text(&self, expected: impl Into<String>, found: &Value) -> LoadError {
        LoadError::new(self.way.clone(), expected, found.describe_text())
    }

    /// Reads the members of a struct, and returns its index in the tree.
    fn structure<'j>(
        &mut self,
        members: impl Iterator<Item = (&'j str, &'j Value)>,
        parent: Option<(usize, usize)>,
    ) -> Loaded<usize> {
        let depth = parent.map_or(1, |(_, depth)| depth + 1);
        if depth > MOST_DEEP {
            return Err(self.misfit(format!("at most {MOST_DEEP} levels"), &Value::Object(Vec::new())));
        }
        let own = self.tree.push_struct(u32::MAX, parent.map(|(field, _)| field));
        let mut keys = Keys::default();
        for (key, value) in members {
            if key == "__struct_id" {
                let id = self.step(key, |loader| loader.id(value))?;
                if let Some(own) = self.tree.structs.get_mut(own) {
                    own.id = id;
                }
                continue;
            }
            // The longest label, as its field holds it.
            const LONGEST: usize = 16;
            let plain = key.split_once('#').map_or(key, |(plain, _)| plain);
            if plain.chars().count() > LONGEST {
                return Err(self.misfit(format!("a label of at most {LONGEST} characters"), &Value::from(key)));
            }
            let Some(label) = keys.label(key).filter(|_| !key.starts_with("__")) else {
                let expected = format!(
                    "no member {key}, or a label of at most 16 characters; #2 after it only if it is the second"
                );
                return Err(LoadError { surplus: vec![key.to_owned()], ..self.misfit(expected, value) });
            };
            self.step(key, |loader| {
                let Value::Object(of) = value else { return Err(loader.misfit(new_field(value), value)) };
                let name = value.get("type").and_then(Value::text);
                let kind = name.and_then(|name| TYPES.iter().position(|it| *it == name));
                let Some(kind) = kind.and_then(|kind| u32::try_from(kind).ok()) else {
                    let found = value.get("type").unwrap_or(&Value::Null);
                    return loader
                        .step("type", |loader| Err(loader.misfit(format!("one of {}", TYPES.join(", ")), found)));
                };
                let field = loader.tree.push_field(own, label, kind);
                let loaded = loader.value(of, value, (field, kind, depth))?;
                loader.tree.set(field, loaded);
                Ok(())
            })?;
        }
        Ok(own)
    }

    /// Reads a number of 32 bits with sign.
    fn id(&self, json: &Value) -> Loaded<u32> {
        let id = json.integer().and_then(|it| i32::try_from(it).ok()).map(i32::cast_unsigned);
        id.ok_or_else(|| self.misfit("a whole number of 32 bits with sign", json))
    }

    /// Reads a number of 32 bits, or -1, which is all bits.
    fn number(&self, json: &Value) -> Loaded<u32> {
        let word = json.integer().and_then(|it| if it == -1 { Some(u32::MAX) } else { u32::try_from(it).ok() });
        word.ok_or_else(|| self.misfit("a whole number of 32 bits, or -1", json))
    }

    /// Reads the value of a field.
    fn value(
        &mut self,
        of: &[(smol_str::SmolStr, Value)],
        whole: &Value,
        at: (usize, u32, usize),
    ) -> Loaded<tree::Value> {
        let (field, kind, depth) = at;
        // The places of values: one of them, and in a struct or a localized string what neverwinter.nim writes beside them.
        let allowed: &[&str] = match kind {
            0..=5 => &["value", "word"],
            FLOAT | DOUBLE => &["value", "bits"],
            STRING | RESREF => &["value", "bytes64"],
            LOCSTRING => &["value", "id", "raw64"],
            VOID => &["value64", "value"],
            STRUCT => &["value", "__struct_id"],
            16..=18 => &["value64"],
            _ => &["value"],
        };
        if let Some((key, value)) = of.iter().find(|(key, _)| key != "type" && !allowed.contains(&key.as_str())) {
            return Err(LoadError::surplus(self.way.clone(), vec![key.to_string()], value.describe()));
        }
        let main = of.iter().filter(|(key, _)| !matches!(key.as_str(), "type" | "id" | "__struct_id"));
        let main: Vec<_> = main.collect();
        let [(key, value)] = main[..] else {
            // A localized string without texts can consist of its id.
            return match (main.is_empty(), kind, whole.get("id")) {
                (true, LOCSTRING, Some(id)) => self.localized(&[], Some(id)),
                (true, ..) => self.step("value", |loader| Err(loader.misfit("a value", &Value::Null))),
                _ => Err(self.misfit(format!("only one of {}", allowed.join(", ")), whole)),
            };
        };
        let beside = |name: &str| whole.get(name);
        self.step(key, |loader| match (kind, key.as_str()) {
            (_, "word") => loader.number(value).map(tree::Value::Word),
            (FLOAT, "bits") => loader.bits(value, 8).map(|bits| tree::Value::Word(u32::try_from(bits).unwrap_or(0))),
            (DOUBLE, "bits") => loader.bits(value, 16).map(|bits| tree::Value::Data(bits.to_le_bytes().to_vec())),
            (LOCSTRING, "raw64") => loader.bytes(value).and_then(|bytes| loader.counted(&bytes, value)),
            (VOID, "value64") => loader.bytes(value).and_then(|bytes| loader.counted(&bytes, value)),
            // One character per byte, as in early versions of neverwinter.nim.
            (VOID, _) => {
                let text = value.text().map(|text| text.chars().map(|it| u8::try_from(u32::from(it)).ok()).collect());
                let bytes: Option<Option<Vec<u8>>> = text;
                let bytes = bytes.flatten().ok_or_else(|| loader.misfit("characters of one byte each", value))?;
                loader.counted(&bytes, value)
            }
            (16..=18, _) => {
                let bytes = loader.bytes(value)?;
                let size = [16, 12, 8].get(usize::try_from(kind).unwrap_or(0) - 16).copied();
                match size == Some(bytes.len()) {
                    true => Ok(tree::Value::Data(bytes)),
                    false => Err(loader.misfit(format!("{} bytes in base64", size.unwrap_or(0)), value)),
                }
            }
            (STRING, _) => loader.counted(&loader.text(key, GAME_TEXT, value)?, value),
            (RESREF, _) => {
                let text = loader.text(key, GAME_TEXT, value)?;
                let length = u8::try_from(text.len()).map_err(|_| loader.misfit_of_text("at most 255 bytes", value))?;
                Ok(tree::Value::Data([&[length][..], &text].concat()))
            }
            (LOCSTRING, _) => match value {
                Value::Object(members) => loader.localized(members, beside("id")),
                _ => Err(loader.misfit("an object of texts", value)),
            },
            (STRUCT, _) => {
                let Value::Object(members) = value else { return Err(loader.misfit("an object", value)) };
                let (inner, outer) = (value.get("__struct_id"), beside("__struct_id"));
                if let (Some(inner), Some(outer)) = (inner, outer)
                    && inner != outer
                {
                    return loader.step("__struct_id", |loader| {
                        Err(loader
                            .misfit(format!("{}, as beside the value; remove one of them", Compact(outer)), inner))
                    });
                }
                let id = outer.filter(|_| inner.is_none()).map(|id| ("__struct_id", id));
                let members = members.iter().map(|(key, value)| (key.as_str(), value));
                loader.structure(id.into_iter().chain(members), Some((field, depth))).map(tree::Value::Struct)
            }
            (LIST, _) => {
                let items = value.items().ok_or_else(|| loader.misfit("a list", value))?;
                let mut list = Vec::new();
                for (nth, item) in items.iter().enumerate() {
                    loader.way.push(Step::Index(wide(nth)));
                    let Value::Object(members) = item else { return Err(loader.misfit("an object", item)) };
                    let members = members.iter().map(|(key, value)| (key.as_str(), value));
                    list.push(loader.structure(members, Some((field, depth)))?);
                    loader.way.pop();
                }
                Ok(tree::Value::List(list))
            }
            (FLOAT, _) => near_single(loader.float(value)?)
                .map(|float| tree::Value::Word(float.to_bits()))
                .ok_or_else(|| loader.misfit("a number that a float of 32 bits can be near to", value)),
            (DOUBLE, _) => loader.float(value).map(|value| tree::Value::Data(value.to_le_bytes().to_vec())),
            (6, _) => {
                let text = value.text().filter(|text| text.bytes().all(|it| it.is_ascii_digit()));
                let whole = value.whole().or_else(|| text?.parse().ok());
                let whole = whole.ok_or_else(|| loader.misfit("a whole number of 64 bits", value))?;
                loader.spelled(value, whole > EXACT, whole.to_string())?;
                Ok(tree::Value::Data(whole.to_le_bytes().to_vec()))
            }
            (7, _) => {
                let whole = value.integer().or_else(|| value.text()?.parse().ok());
                let whole = whole.ok_or_else(|| loader.misfit("a whole number of 64 bits with sign", value))?;
                loader.spelled(value, whole.unsigned_abs() > EXACT, whole.to_string())?;
                Ok(tree::Value::Data(whole.to_le_bytes().to_vec()))
            }
            _ => {
                let word = value.integer().and_then(|whole| extended(kind, whole));
                let name = super::sections::type_name(kind);
                word.map(tree::Value::Word)
                    .ok_or_else(|| loader.misfit(format!("a whole number that fits a {name}"), value))
            }
        })
    }

    /// Checks that the text of a large number has its usual spelling.
    fn spelled(&self, json: &Value, is_large: bool, usual: String) -> Loaded {
        match json.text() {
            Some(text) if is_large && text != usual => Err(self.misfit(usual, json)),
            _ => Ok(()),
        }
    }

    fn float(&self, json: &Value) -> Loaded<f64> {
        let value = match json {
            Value::Float(value) => Some(*value),
            Value::Text(text) => text.parse().ok().filter(|_| !text.starts_with("f32:")),
            other => other.integer().map(|it| it.to_string()).and_then(|it| it.parse().ok()),
        };
        value.filter(|it: &f64| it.is_finite()).ok_or_else(|| self.misfit("a number, or bits in place of value", json))
    }

    fn bits(&self, json: &Value, digits: usize) -> Loaded<u64> {
        let text = json.text().filter(|text| text.len() == digits && text.bytes().all(|it| it.is_ascii_hexdigit()));
        let bits = text.and_then(|text| u64::from_str_radix(text, 16).ok());
        bits.ok_or_else(|| self.misfit(format!("{digits} hexadecimal digits"), json))
    }

    fn bytes(&self, json: &Value) -> Loaded<Vec<u8>> {
        json.text().and_then(base64::decode).ok_or_else(|| self.misfit("bytes in base64", json))
    }

    /// Reads text, given as such or as bytes.
    fn text(&self, key: &str, page: &'static CodePage, json: &Value) -> Loaded<Vec<u8>> {
        if key == "bytes64" {
            return self.bytes(json);
        }
        let text = json.text().and_then(|text| encode_text(page, text));
        text.ok_or_else(|| self.misfit_of_text(format!("characters of {}", page.name()), json))
    }

    /// Reads a localized string. The number of its text in the talk table can be among the texts or beside them.
    fn localized(&mut self, members: &[(smol_str::SmolStr, Value)], beside: Option<&Value>) -> Loaded<tree::Value> {
        let mut strref = beside.map(|id| self.number(id)).transpose()?;
        let (mut count, mut strings) = (0_u32, Vec::new());
        for (key, value) in members {
            self.step(key, |loader| {
                if key == "id" {
                    let id = loader.number(value)?;
                    return match strref.replace(id).filter(|before| *before != id) {
                        Some(before) => Err(loader.misfit(format!("{before}, as beside the value"), value)),
                        None => Ok(()),
                    };
                }
                let id = key.parse::<u32>().ok().filter(|id| id.to_string() == *key);
                let Some(id) = id else {
                    return Err(LoadError {
                        surplus: vec![key.to_string()],
                        ..loader.misfit("a number of a language, or id", value)
                    });
                };
                let text = match value.only("bytes64") {
                    Some(bytes) => loader.step("bytes64", |loader| loader.bytes(bytes))?,
                    None => loader.text(key, page_of(id / 2), value)?,
                };
                strings.extend_from_slice(&id.to_le_bytes());
                strings.extend_from_slice(&loader.length(text.len(), value)?);
                strings.extend_from_slice(&text);
                count += 1;
                Ok(())
            })?;
        }
        let head = [strref.unwrap_or(u32::MAX).to_le_bytes(), count.to_le_bytes()].concat();
        self.counted(&[head, strings].concat(), &Value::Object(Vec::new()))
    }

    /// Returns bytes after their number, which has 32 bits.
    fn counted(&self, bytes: &[u8], value: &Value) -> Loaded<tree::Value> {
        Ok(tree::Value::Data([&self.length(bytes.len(), value)?[..], bytes].concat()))
    }

    fn length(&self, bytes: usize, value: &Value) -> Loaded<[u8; 4]> {
        let length = u32::try_from(bytes).map_err(|_| self.misfit("less than 4 GB of data", value))?;
        Ok(length.to_le_bytes())
    }
}

/// Returns what is expected instead of a bare value: the object of a field with its type.
fn new_field(value: &Value) -> String {
    let of = match value {
        Value::Integer(_) => "int",
        Value::Text(_) => "cexostring",
        _ => return "an object with type and value".to_owned(),
    };
    format!("an object with type and value, such as {{\"type\":{of:?},\"value\":{}}}", Compact(value))
}
