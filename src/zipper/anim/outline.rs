//! Animation definitions as a readable script: definitions, their sequences and events.
//!
//! Names are those of the exchange format. Values that are as expected are left out, and so are pointers. An index is shown as
//! the name of its element.

use core::fmt::Write as _;

use exchange::document::values;
use field::{Members, Result, Value, quote};
use json::Compact;
use kind::{Outline, counted};

use super::Anim;
use super::events::EventType;

/// The number of items of a list that are shown in a line.
const ITEMS: usize = 8;
/// The references of an animation, by lists of the exchange format.
const REFERENCES: [&str; 9] =
    ["node_path", "objects", "nodes", "lights", "puffers", "dynamic_sounds", "static_sounds", "effects", "script_ids"];

/// The other lists of a definition that are shown in their own lines.
const LISTS: [&str; 5] = ["activ_prereqs", "anim_refs", "reset_sequence", "damage_sequence", "sequences"];

pub(super) fn script(anim: &mut Anim) -> Result<Vec<String>> {
    let file = values(anim)?;
    let mut outline = Outline::default();
    let items = |name: &str| file.list(name).iter().enumerate();
    items("sources").for_each(|(_, source)| outline.line(0, format_args!("source {}", member(source, "path"))));
    items("definitions").for_each(|(index, item)| definition(&mut outline, index, item));
    for (index, it) in items("scripts") {
        let frames = it.get("frames").and_then(Value::items).map_or(0, <[_]>::len);
        let own = inline(it, &["frames"]);
        outline.line(0, format_args!("script {index}: {}{}", counted(frames, "frame", "s"), behind(", ", &own)));
    }
    items("messages").for_each(|(_, message)| outline.line(0, format_args!("message {}", inline(message, &[]))));
    Ok(outline.finish())
}

fn definition(outline: &mut Outline, index: usize, definition: &Value) {
    let name = match member(definition, "anim_name") {
        name if name.is_empty() => "without a name".to_owned(),
        name => name,
    };
    let own = inline(definition, &[&["anim_name"], &REFERENCES[..], &LISTS].concat());
    outline.line(0, format_args!("definition {index} {name}{}", behind(": ", &own)));
    for list in REFERENCES {
        let items = definition.list(list);
        // The first item of most lists is a placeholder without a name.
        let names = items.iter().map(|item| if item.get("name").is_some() { member(item, "name") } else { word(item) });
        let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
        if !names.is_empty() {
            outline.line(1, format_args!("{list}: {}", names.join(", ")));
        }
    }
    definition.list("activ_prereqs").iter().for_each(|it| outline.line(1, format_args!("needs {}", inline(it, &[]))));
    definition.list("anim_refs").iter().for_each(|it| outline.line(1, format_args!("refers to {}", inline(it, &[]))));
    let special = ["reset_sequence", "damage_sequence"].into_iter().filter_map(|name| definition.get(name));
    special.chain(definition.list("sequences")).for_each(|it| sequence(outline, it));
}

fn sequence(outline: &mut Outline, sequence: &Value) {
    let events = sequence.list("events");
    let rest = sequence.get("rest").map(|rest| format!("rest: {}", word(rest)));
    let name = member(sequence, "name");
    if name.is_empty() && events.is_empty() && rest.is_none() {
        return;
    }
    let states = format!("{}, reset to {}", member(sequence, "seq_state"), member(sequence, "reset_state"));
    let more = inline(sequence, &["name", "seq_state", "reset_state", "events", "rest"]);
    outline.line(1, format_args!("sequence {name} ({states}{})", behind(", ", &more)));
    let mut nested = 0_usize;
    for event in events {
        let kind = member(event, "event_type");
        let is = |of: EventType| of.name() == Some(kind.as_str());
        if is(EventType::ELSE) || is(EventType::ELSEIF) || is(EventType::ENDIF) {
            nested = nested.saturating_sub(1);
        }
        let payload = event.get("payload").map(|payload| inline(payload, &[])).unwrap_or_default();
        let more = inline(event, &["event_type", "start_offset", "start_time", "payload"]);
        let (payload, more) = (behind(" ", &payload), behind(", ", &more));
        outline.line(nested + 2, format_args!("{}{kind}{payload}{more}", start(event)));
        if is(EventType::IF) || is(EventType::ELSE) || is(EventType::ELSEIF) {
            nested += 1;
        }
    }
    rest.iter().for_each(|rest| outline.line(2, rest));
}

/// Returns the start time of an event, or an empty string if it starts directly after the previous one.
fn start(event: &Value) -> String {
    let (since, time) = (member(event, "start_offset"), member(event, "start_time"));
    match (since.as_str(), time.as_str()) {
        ("EVENT", "0.0" | "-0.0") => String::new(),
        _ => format!("{since} + {time}: "),
    }
}

/// Returns the plain members of an object in a line, except for some.
fn inline(object: &Value, without: &[&str]) -> String {
    let Value::Object(members) = object else { return word(object) };
    let mut line = String::new();
    for (name, value) in members {
        if without.contains(&name.as_ref()) || name.ends_with("_ptr") || is_name(members, name) {
            continue;
        }
        let comma = if line.is_empty() { "" } else { ", " };
        let _ = match value.items() {
            Some(items @ [Value::Object(_), ..]) => write!(line, "{comma}{name} ({})", items.len()),
            _ => match word(name_of(members, name).unwrap_or(value)) {
                word if word.is_empty() => Ok(()),
                word => write!(line, "{comma}{name} {word}"),
            },
        };
    }
    line
}

/// Returns the name of the element that a member refers to.
fn name_of<'a>(members: &'a Members, name: &str) -> Option<&'a Value> {
    members.iter().find_map(|(key, value)| (key.strip_suffix("_name") == Some(name)).then_some(value))
}

/// Returns `true` if a member is the name of the element that another member refers to.
fn is_name(members: &Members, name: &str) -> bool {
    name.strip_suffix("_name").is_some_and(|index| members.iter().any(|(key, _)| key == index))
}

fn member(object: &Value, name: &str) -> String {
    object.get(name).map(word).unwrap_or_default()
}

/// Returns a value in a few words.
fn word(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Text(text) | Value::Named(Some(text), _) => text.to_string(),
        Value::Bytes(bytes) => quote(bytes),
        Value::List(items) => {
            let words: Vec<String> = items.iter().take(ITEMS).map(word).collect();
            let more = items.len().saturating_sub(ITEMS);
            let more = if more > 0 { format!(" … {more} more") } else { String::new() };
            if words.is_empty() { String::new() } else { format!("({}{more})", words.join(" ")) }
        }
        Value::Object(_) => match value.get("text").or_else(|| value.get("kept")) {
            // Leftover memory after a string, and the value that a rule would give, are shown elsewhere.
            Some(own) => word(own),
            None => match inline(value, &[]) {
                line if line.is_empty() => line,
                line => format!("({line})"),
            },
        },
        plain => Compact(plain).to_string(),
    }
}

/// Returns a string after a separator, or an empty string if it is empty.
fn behind(something: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{something}{text}") }
}
