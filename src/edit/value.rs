//! The effect of an edit on a value of the exchange format.

use crate::field::Json;

/// Sets the value at these keys. An existing value keeps its type unless `retyped` is true. `-` as the last key of a list is the
/// place after its last item.
///
/// # Errors
/// Returns an error if there is no such place, or if the existing value has a different type.
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
            // A field whose value is as expected is absent until it is set.
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

/// Recomputes the value at these keys from its rule, even if the rule is normally only checked. An absent value is already
/// computed by its rule.
///
/// # Errors
/// Returns an error if there is no such place.
pub fn recompute(whole: &mut Json, keys: &[String]) -> Result<(), String> {
    let Some((last, way)) = keys.split_last() else {
        *whole = Json::from([("recompute", true.into())]);
        return Ok(());
    };
    let inside = way.iter().try_fold(&mut *whole, |json, key| json.step_mut(key).ok_or_else(|| no(key)))?;
    match inside.step_mut(last) {
        // A preserved value that differs from the computed one; without it, the rule computes the value.
        Some(kept) if kept.computed().is_some() => drop(inside.take_member(last)),
        Some(value) => *value = Json::from([("recompute", true.into())]),
        None => {}
    }
    Ok(())
}

/// Returns an error if a value has a different type from the existing one.
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
        // Values that JSON cannot represent are strings, a name can be a number, and a preserved value can be set.
        (Json::Float(_), Json::Text(text)) | (Json::Text(text), Json::Float(_)) => text.starts_with("f32:"),
        (Json::Bytes(_), Json::Text(_)) => true,
        (Json::Object(_), _) => old.get("kept").is_some() || matches!(new, Json::Object(_)),
        _ => core::mem::discriminant(old) == core::mem::discriminant(new),
    }
}
