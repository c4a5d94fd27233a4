//! The order of the members of objects: a field is found by its name, so another order is another layout of the same values.

use field::{Members, Value};

use super::describe::Describe as _;

/// Returns `true` if a member says something about its object, and is not a field of it: it has no place among the fields.
fn is_about_object(name: &str) -> bool {
    name.starts_with("__")
}

/// Returns the names of the fields of an object in order.
pub fn field_names(members: &Members) -> Vec<&str> {
    members.iter().map(|(name, _)| name.as_str()).filter(|name| !is_about_object(name)).collect()
}

/// Returns a value with the members of all objects in the order of their names, so that values that differ only in the order of members
/// are equal.
pub fn by_name(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Members = members.iter().map(|(name, value)| (name.clone(), by_name(value))).collect();
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
            Value::Object(members)
        }
        Value::List(items) => Value::List(items.iter().map(by_name).collect()),
        plain => plain.clone(),
    }
}

/// Puts the fields of an object into a new order. Members about the object itself keep their places.
///
/// # Errors
/// Returns an error if it is not an object, if its fields are not in the old order, or if the new order does not have the same
/// fields.
pub fn reorder(object: &mut Value, old: &[String], new: &[String]) -> Result<(), String> {
    let Value::Object(members) = object else { return Err(format!("expected an object, found {}", object.describe())) };
    let found = field_names(members);
    if found != old {
        let (expected, found) = (old.join(", "), found.join(", "));
        return Err(format!("expected the fields in the order {expected}, found {found}"));
    }
    let sorted = |names: &[String]| {
        let mut names = names.to_vec();
        names.sort();
        names
    };
    if sorted(old) != sorted(new) {
        return Err(format!("expected another order of {}, found {}", old.join(", "), new.join(", ")));
    }
    let place = |name: &str| new.iter().position(|it| it == name);
    let mut fields: Members = members.iter().filter(|(name, _)| !is_about_object(name)).cloned().collect();
    fields.sort_by_key(|(name, _)| place(name));
    let slots = members.iter_mut().filter(|(name, _)| !is_about_object(name));
    slots.zip(fields).for_each(|(slot, field)| *slot = field);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Value {
        crate::parse(text.as_bytes()).expect("JSON")
    }

    #[test]
    fn values_by_name_have_no_order() {
        let (one, other) = (r#"[{"a":1,"b":{"c":[2],"d":3}}]"#, r#"[{"b":{"d":3,"c":[2]},"a":1}]"#);
        assert_ne!(json(one), json(other));
        assert_eq!(by_name(&json(one)), by_name(&json(other)));
        assert_ne!(by_name(&json("[1,2]")), by_name(&json("[2,1]")), "a list has an order");
    }

    #[test]
    fn fields_get_a_new_order_among_the_other_members() {
        let mut it = json(r#"{"__struct_id":4,"a":1,"b":2,"__layout":{},"c":3}"#);
        let names = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        for (old, new, why) in [
            ("a c b", "c a b", "expected the fields in the order a, c, b, found a, b, c"),
            ("a b c", "c a", "expected another order of a, b, c, found c, a"),
            ("a b c", "c a a", "expected another order of a, b, c, found c, a, a"),
        ] {
            assert_eq!(reorder(&mut it, &names(old), &names(new)), Err(why.to_owned()));
        }
        assert_eq!(reorder(&mut it, &names("a b c"), &names("c a b")), Ok(()));
        assert_eq!(crate::Compact(&it).to_string(), r#"{"__struct_id":4,"c":3,"a":1,"__layout":{},"b":2}"#);
        assert!(reorder(&mut json("[]"), &[], &[]).is_err());
    }
}
