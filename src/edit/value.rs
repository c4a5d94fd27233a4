//! What an edit does to a value of the exchange form.

use crate::field::Json;

/// Sets the value that keys lead to. Where one is there, the new one has to be of the same type, unless it is `retyped`. `-`
/// as the last key of a list is the place behind its last item.
///
/// # Errors
/// Returns why not, if there is no such place, or a value of another type.
pub fn set(whole: &mut Json, keys: &[String], value: Json, retyped: bool) -> Result<(), String> {
    let Some((last, way)) = keys.split_last() else {
        if !retyped {
            is_alike(whole, &value)?;
        }
        *whole = value;
        return Ok(());
    };
    let inside = way.iter().try_fold(&mut *whole, |json, key| json.step_mut(key).ok_or_else(|| no(key)))?;
    match (inside.step_mut(last), value) {
        (Some(old), value) => {
            if !retyped {
                is_alike(old, &value)?;
            }
            *old = value;
        }
        (None, value) => match inside {
            // A field that is as expected is not there until it is said.
            Json::Object(members) => members.push((last.clone().into(), value)),
            Json::List(items) if last == "-" => items.push(value),
            other => return Err(format!("no {last} in {}", other.describe())),
        },
    }
    Ok(())
}

fn no(key: &str) -> String {
    format!("no {key} here")
}

/// Lets a rule give the value anew that keys lead to, also one that is only compared otherwise. Without a value, a rule gives
/// it already.
///
/// # Errors
/// Returns why not, if there is no such place.
pub fn recompute(whole: &mut Json, keys: &[String]) -> Result<(), String> {
    let Some((last, way)) = keys.split_last() else {
        *whole = Json::from([("recompute", true.into())]);
        return Ok(());
    };
    let inside = way.iter().try_fold(&mut *whole, |json, key| json.step_mut(key).ok_or_else(|| no(key)))?;
    match inside.step_mut(last) {
        // What is kept though a rule gives something else; without it, the rule gives it.
        Some(kept) if kept.computed().is_some() => drop(inside.take_member(last)),
        Some(value) => *value = Json::from([("recompute", true.into())]),
        None => {}
    }
    Ok(())
}

/// Refuses a value of another type than the one that is there.
fn is_alike(old: &Json, new: &Json) -> Result<(), String> {
    match (old, new) {
        _ if same_type(old, new) => Ok(()),
        (Json::Float(_), Json::Integer(value)) => Err(format!(
            "expected a float like {old}, found {value}; write {value}.0, or use --retype to change the type"
        )),
        (old, new) => {
            let (old, new) = (old.describe(), new.describe());
            Err(format!("expected a value like {old}, found {new}; use --retype to change the type"))
        }
    }
}

fn same_type(old: &Json, new: &Json) -> bool {
    match (old, new) {
        // What JSON cannot say is text, a name can be a number, and what is kept can be set.
        (Json::Float(_), Json::Text(text)) | (Json::Text(text), Json::Float(_)) => text.starts_with("f32:"),
        (Json::Bytes(_), Json::Text(_)) => true,
        (Json::Object(_), _) => old.get("kept").is_some() || matches!(new, Json::Object(_)),
        _ => core::mem::discriminant(old) == core::mem::discriminant(new),
    }
}
