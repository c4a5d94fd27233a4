//! Tests of values and their text.

use serde_core::Deserialize as _;

use crate::{Compact, Parsed};
use field::{Value, limits, single};

fn parsed(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map(|Parsed(json)| json).map_err(|error| error.to_string())
}

fn read(text: &str) -> Value {
    parsed(text).expect("reads")
}

fn text(json: &Value) -> String {
    Compact(json).to_string()
}

#[test]
fn null_is_refused() {
    let error = parsed(r#"{"a": null}"#).expect_err("null is no value");
    assert!(error.contains("expected a value, found null"), "{error}");
}

#[test]
fn list_is_taken_only_if_its_items_are() {
    let none = || Value::Null;
    for taken in [none(), read("[]"), read("{}"), vec![none(), none()].into(), Value::from([("a", none())])] {
        assert!(taken.is_taken(), "{taken:?}");
    }
    for left in ["[{}]", "[[]]", r#"{"a":{}}"#, r#"{"a":[]}"#, "0"] {
        assert!(!read(left).is_taken(), "{left}");
    }
}

#[test]
fn bytes_equal_their_hexadecimal_text() {
    let bytes = Value::of_bytes(vec![0x0A, 0xFF]);
    assert_eq!([bytes == read(r#""0a ff""#), read(r#""0a ff""#) == bytes], [true; 2]);
    assert_eq!([bytes == read(r#""0a fe""#), read(r#""""#) == bytes], [false; 2]);
}

#[test]
fn json_nests_to_its_limit_on_the_stack_of_a_worker() {
    let deep = |levels: usize| {
        let text = "[".repeat(levels) + &"]".repeat(levels);
        let mut json = serde_json::Deserializer::from_str(&text);
        json.disable_recursion_limit();
        Parsed::deserialize(&mut json).is_ok()
    };
    let read = move || (deep(limits::NESTING + 8), deep(2 * limits::NESTING));
    let worker = std::thread::Builder::new().stack_size(limits::STACK).spawn(read).expect("starts");
    assert_eq!(worker.join().expect("ends"), (true, false));
}

#[test]
fn value_never_equals_another_type() {
    let [text, whole, float] = [Value::from("a"), Value::from(1), Value::from(1.0)];
    assert!(text == "a" && text != "b" && whole != "a");
    assert!(whole == 1 && whole != 2 && float != 1);
}

#[test]
fn duplicate_names_are_refused_in_small_and_large_objects() {
    let object = |names: &mut dyn Iterator<Item = usize>| {
        let members: Vec<String> = names.map(|name| format!(r#""{name}":0"#)).collect();
        parsed(&format!("{{{}}}", members.join(",")))
    };
    for count in [2, 16, 17, 40] {
        assert!(object(&mut (0..count)).is_ok());
        for again in [0, count - 1] {
            let twice = object(&mut (0..count).chain([again]));
            assert!(twice.is_err_and(|why| why.starts_with(&format!("duplicate key \"{again}\""))), "{count}");
        }
    }
}

#[test]
fn list_items_can_be_put_in_any_order() {
    let item = |name: &'static str, value: i64| Value::from([(name, value.into())]);
    let mut list = Value::List(Vec::new());
    list.put_item(2, item("a", 2));
    list.put_item(0, item("a", 0));
    list.put_item(1, 1.into());
    list.put_item(2, item("b", 3));
    list.put_item(3, Value::List(Vec::new()));
    assert_eq!(text(&list), r#"[{"a":0},1,{"a":2,"b":3},[]]"#);
}

#[test]
fn put_members_extend_objects_and_without_removes_them() {
    let mut object = read("{}");
    for more in [r#"{"a":{"x":0}}"#, r#"{"a":{"y":1},"b":2}"#] {
        let Value::Object(more) = read(more) else { panic!("{more}") };
        object.put_all(more);
    }
    assert_eq!(object, read(r#"{"a":{"x":0,"y":1},"b":2}"#));
    assert_eq!(object.without(&["a", "c"]), read(r#"{"b":2}"#));
    assert_eq!(read("[0]").without(&["0"]), read("[0]"));
}

#[test]
fn memory_of_a_value_grows_with_all_that_it_holds() {
    let list = |items: usize| Value::from(vec![Value::Integer(0); items]).memory();
    let object = |text: &str| Value::from([("name", Value::Text(text.into()))]).memory();
    let size = u64::try_from(size_of::<Value>()).expect("fits");
    assert_eq!(Value::Integer(0).memory(), size);
    assert!(list(100) >= list(0) + 100 * size, "{}", list(100));
    assert!(object(&"a".repeat(1000)) >= object("a") + 1000);
    assert!(Value::of_bytes(vec![0; 100]).memory() >= 300);
}

#[test]
fn floats_print_shortest_and_exact() {
    assert_eq!(text(&Value::from(0.1_f32)), "0.1");
    assert_eq!(text(&Value::from(-0.0_f32)), "-0.0");
    assert_eq!(Value::from(f32::from_bits(0x7FA0_0001)), "f32:7fa00001");
    assert_eq!(Value::from(f32::NEG_INFINITY), "f32:ff800000");
    for bits in [0, 1, 0x8000_0000, 0x0080_0000, 0x7F7F_FFFF, 0x3DCC_CCCD, 0x4B80_0001, 0xCF00_0000] {
        let text = text(&Value::from(f32::from_bits(bits)));
        match parsed(&text) {
            Ok(Value::Float(value)) => assert_eq!(single(value).to_bits(), bits, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn integers_are_not_floats() {
    assert_eq!(parsed("1"), Ok(Value::Integer(1)));
    assert_eq!(parsed("1.0"), Ok(Value::Float(1.0)));
    assert_eq!(parsed("4294967295"), Ok(Value::Integer(4_294_967_295)));
}

#[test]
fn invalid_values_are_refused() {
    assert!(parsed("1e39").is_err_and(|error| error.contains("too large")));
    assert!(parsed(r#"{"a": 1, "a": 2}"#).is_err_and(|error| error.contains("duplicate")));
}

#[test]
fn members_keep_their_order() {
    let order = r#"{"b":[1,{"a":"x"}],"a":true}"#;
    assert_eq!(parsed(order).map(|json| text(&json)), Ok(order.to_owned()));
}
