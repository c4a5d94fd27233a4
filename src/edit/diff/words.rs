//! Changes as text for people.

use core::fmt::{self, Display};

use similar::TextDiff;

use crate::field::Json;

use super::Change;

impl Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |value: &Option<Json>| value.as_ref().map_or_else(|| "by rule".to_owned(), short);
        match self {
            Self::Set { at, old, new } => write!(f, "{at}: {} → {}", word(old), word(new)),
            Self::Insert { at, new } => write!(f, "{at}: added {}", short(new)),
            Self::Delete { at, old } => write!(f, "{at}: removed {}", short(old)),
            // The numbers of duplicate names depend on how many there are.
            Self::Rename { entry, to } if name(entry) == name(to) => write!(f, "{entry}: renumbered to {to}"),
            Self::Rename { entry, to } => write!(f, "{entry}: renamed to {to}"),
            Self::Move { entry, from, to } => write!(f, "{entry}: moved from {from} to {to}"),
            Self::Add { entry, content, .. } => {
                write!(f, "{entry}: added ({}, {} bytes)", content.kind, content.bytes)
            }
            Self::Remove { entry, kind, bytes, .. } => write!(f, "{entry}: removed ({kind}, {bytes} bytes)"),
            Self::Replace { entry, bytes, content, words, .. } => {
                let name = if entry.is_empty() { "/" } else { entry };
                write!(f, "{name}: {} bytes → {} bytes ({}){words}", bytes, content.bytes, content.kind)
            }
        }
    }
}

/// Returns the name of an entry in its container, without the number of a duplicate name.
fn name(entry: &str) -> &str {
    let label = entry.rsplit('!').next().unwrap_or_default();
    label.split('#').next().unwrap_or_default()
}

/// Returns a value as text, or a summary if it is long.
fn short(value: &Json) -> String {
    match value {
        Json::List(items) if items.len() <= 4 && value.to_string().len() <= 60 => value.to_string(),
        Json::Object(_) if value.get("kept").is_some() => {
            let [kept, computed] =
                [value.get("kept"), value.computed()].map(|it| it.map(Json::describe).unwrap_or_default());
            format!("{kept} (kept; the rule gives {computed})")
        }
        Json::Object(_) if value.to_string().len() <= 60 => value.to_string(),
        other => other.describe(),
    }
}

/// Describes the difference of bytes that have no fields: the lines if both are text, else the number of differing bytes.
pub(super) fn inside(old: &[u8], new: &[u8]) -> String {
    let text = |bytes| core::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    if let (Some(old), Some(new)) = (text(old), text(new)) {
        return format!("\n{}", lines(old, new));
    }
    let mut differing = old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new).map(|(index, _)| index);
    match differing.next() {
        Some(first) if old.len() == new.len() => match differing.count().saturating_add(1) {
            1 => format!(", 1 byte differs, at 0x{first:x}"),
            count => format!(", {count} bytes differ, first at 0x{first:x}"),
        },
        _ => String::new(),
    }
}

/// Returns the lines that differ.
fn lines(old: &str, new: &str) -> String {
    let diff = TextDiff::from_lines(old, new);
    let text = diff.unified_diff().context_radius(0).to_string();
    text.lines()
        .filter(|line| !line.starts_with("@@"))
        .map(|line| format!("  {line}\n"))
        .collect::<String>()
        .trim_end()
        .to_owned()
}
