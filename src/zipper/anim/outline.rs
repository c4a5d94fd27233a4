//! Animation definitions as a script that people can read: what is defined, by which sequences, in which events.
//!
//! Everything is named as in the exchange form, and what is as expected is left out; so are pointers. An index that stands
//! for a name is shown as the name.

use core::fmt::Write as _;

use crate::exchange::document::values;
use crate::field::{Json, Members, Result, quote};
use crate::kind::{Outline, counted};

use super::Anim;
use super::events::EventType;

/// Items of a list that are shown in a line.
const ITEMS: usize = 8;
/// What an animation refers to, by lists of the exchange form.
const REFERENCES: [&str; 9] =
    ["node_path", "objects", "nodes", "lights", "puffers", "dynamic_sounds", "static_sounds", "effects", "script_ids"];

/// What else a definition has in lines of its own.
const LISTS: [&str; 5] = ["activ_prereqs", "anim_refs", "reset_sequence", "damage_sequence", "sequences"];

/// The lines.
pub(super) fn script(anim: &mut Anim) -> Result<Vec<String>> {
    let file = values(anim)?;
    let mut outline = Outline::default();
    let items = |name: &str| file.get(name).and_then(Json::items).unwrap_or_default().iter().enumerate();
    items("sources").for_each(|(_, source)| outline.line(0, format_args!("source {}", member(source, "path"))));
    items("definitions").for_each(|(index, item)| definition(&mut outline, index, item));
    for (index, it) in items("scripts") {
        let frames = it.get("frames").and_then(Json::items).map_or(0, <[_]>::len);
        let own = inline(it, &["frames"]);
        outline.line(0, format_args!("script {index}: {}{}", counted(frames, "frame", "s"), behind(", ", &own)));
    }
    items("messages").for_each(|(_, message)| outline.line(0, format_args!("message {}", inline(message, &[]))));
    Ok(outline.finish())
}

fn definition(outline: &mut Outline, index: usize, definition: &Json) {
    let name = match member(definition, "anim_name") {
        name if name.is_empty() => "without a name".to_owned(),
        name => name,
    };
    let own = inline(definition, &[&["anim_name"], &REFERENCES[..], &LISTS].concat());
    outline.line(0, format_args!("definition {index} {name}{}", behind(": ", &own)));
    for list in REFERENCES {
        let items = definition.get(list).and_then(Json::items).unwrap_or_default();
        // The first item of most is a placeholder without a name.
        let names = items.iter().map(|item| if item.get("name").is_some() { member(item, "name") } else { word(item) });
        let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
        if !names.is_empty() {
            outline.line(1, format_args!("{list}: {}", names.join(", ")));
        }
    }
    let items = |list: &str| definition.get(list).and_then(Json::items).unwrap_or_default();
    items("activ_prereqs").iter().for_each(|it| outline.line(1, format_args!("needs {}", inline(it, &[]))));
    items("anim_refs").iter().for_each(|it| outline.line(1, format_args!("refers to {}", inline(it, &[]))));
    let special = ["reset_sequence", "damage_sequence"].into_iter().filter_map(|name| definition.get(name));
    special.chain(items("sequences")).for_each(|it| sequence(outline, it));
}

fn sequence(outline: &mut Outline, sequence: &Json) {
    let events = sequence.get("events").and_then(Json::items).unwrap_or_default();
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
        outline.line(nested.saturating_add(2), format_args!("{}{kind}{payload}{more}", start(event)));
        if is(EventType::IF) || is(EventType::ELSE) || is(EventType::ELSEIF) {
            nested = nested.saturating_add(1);
        }
    }
    rest.iter().for_each(|rest| outline.line(2, rest));
}

/// When an event begins, where that is not at once after the one before.
fn start(event: &Json) -> String {
    let (since, time) = (member(event, "start_offset"), member(event, "start_time"));
    match (since.as_str(), time.as_str()) {
        ("EVENT", "0.0" | "-0.0") => String::new(),
        _ => format!("{since} + {time}: "),
    }
}

/// The plain members of an object in a line, but for some.
fn inline(object: &Json, without: &[&str]) -> String {
    let Json::Object(members) = object else { return word(object) };
    let mut line = String::new();
    for (name, value) in members {
        if without.contains(&name.as_ref()) || name.ends_with("_ptr") || is_name(members, name) {
            continue;
        }
        let comma = if line.is_empty() { "" } else { ", " };
        let _ = match value.items() {
            Some(items @ [Json::Object(_), ..]) => write!(line, "{comma}{name} ({})", items.len()),
            _ => match word(name_of(members, name).unwrap_or(value)) {
                word if word.is_empty() => Ok(()),
                word => write!(line, "{comma}{name} {word}"),
            },
        };
    }
    line
}

/// The name that a member stands for.
fn name_of<'a>(members: &'a Members, name: &str) -> Option<&'a Json> {
    members.iter().find_map(|(key, value)| (key.strip_suffix("_name") == Some(name)).then_some(value))
}

/// Whether a member is the name that another stands for.
fn is_name(members: &Members, name: &str) -> bool {
    name.strip_suffix("_name").is_some_and(|index| members.iter().any(|(key, _)| key == index))
}

fn member(object: &Json, name: &str) -> String {
    object.get(name).map(word).unwrap_or_default()
}

/// A value in a few words.
fn word(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::Text(text) => text.to_string(),
        Json::Bytes(bytes) => quote(bytes),
        Json::List(items) => {
            let words: Vec<String> = items.iter().take(ITEMS).map(word).collect();
            let more = items.len().saturating_sub(ITEMS);
            let more = if more > 0 { format!(" … {more} more") } else { String::new() };
            if words.is_empty() { String::new() } else { format!("({}{more})", words.join(" ")) }
        }
        Json::Object(_) => match value.get("text").or_else(|| value.get("kept")) {
            // What is left in memory behind a text, and what a rule would give, are for other views.
            Some(own) => word(own),
            None => match inline(value, &[]) {
                line if line.is_empty() => line,
                line => format!("({line})"),
            },
        },
        plain => plain.to_string(),
    }
}

/// A text behind something, where there is one.
fn behind(something: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{something}{text}") }
}
