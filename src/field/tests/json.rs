use serde::Deserialize as _;

use crate::field::{Json, limits};

fn read(text: &str) -> Json {
    serde_json::from_str(text).expect("reads")
}

#[test]
fn what_is_left_is_found_where_it_stands() {
    let left = read(r#"{"a":null,"b":[null,[],{"c":{},"d":[7]}]}"#);
    let mut keys = Vec::new();
    assert_eq!(left.first_left(&mut keys), Some(&Json::Integer(7)));
    assert_eq!(keys, ["b", "2", "d", "0"]);
    assert!(!left.is_spent());
    for spent in ["null", "[]", "{}", r#"[null,{"a":[]}]"#] {
        let spent = read(spent);
        assert!(spent.is_spent() && spent.first_left(&mut Vec::new()).is_none(), "{spent}");
    }
}

#[test]
fn a_list_is_taken_only_with_its_items() {
    for taken in ["null", "[]", "[null,null]", r#"{"a":[null],"b":{}}"#] {
        assert!(read(taken).is_taken(), "{taken}");
    }
    for left in ["[{}]", "[[]]", r#"{"a":[null,{}]}"#, "0"] {
        assert!(!read(left).is_taken(), "{left}");
    }
}

#[test]
fn bytes_are_their_hexadecimal_text() {
    let bytes = Json::Bytes(vec![0x0A, 0xFF]);
    assert_eq!([bytes == read(r#""0a ff""#), read(r#""0a ff""#) == bytes], [true; 2]);
    assert_eq!([bytes == read(r#""0a fe""#), read(r#""""#) == bytes], [false; 2]);
}

#[test]
fn json_holds_the_deepest_list_and_not_much_more_on_the_stack_of_a_worker() {
    let deep = |levels: usize| {
        let text = "[".repeat(levels) + &"]".repeat(levels);
        let mut json = serde_json::Deserializer::from_str(&text);
        json.disable_recursion_limit();
        Json::deserialize(&mut json).is_ok()
    };
    let read = move || (deep(limits::NESTING + 8), deep(2 * limits::NESTING));
    let worker = std::thread::Builder::new().stack_size(limits::STACK).spawn(read).expect("starts");
    assert_eq!(worker.join().expect("ends"), (true, false));
}

#[test]
fn a_value_is_another_than_what_it_does_not_say() {
    let [text, whole, float] = [Json::from("a"), Json::from(1), Json::from(1.0)];
    assert!(text == "a" && text != "b" && whole != "a");
    assert!(whole == 1 && whole != 2 && float != 1);
}
