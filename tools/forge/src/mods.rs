//! Mods of an archive for `bitexact patch --apply`, each with many changes of one type.

use crate::archive::{Content, Entry, Spec, build};
use crate::reader::{self, Value, list};

/// The types of changes.
pub const SORTS: [&str; 8] =
    ["sets", "renames", "moves to the front", "moves anywhere", "adds", "removes", "replaces", "all in turn"];

/// Numbers coprime to the measured counts: multiplying by them permutes the order.
const STRIDES: [usize; 2] = [7919, 104_729];

fn name(at: usize) -> String {
    format!("e{at:06}.zrd")
}

fn data(at: usize) -> Vec<u8> {
    reader::build(&reader::Spec::new(list([Value::Int(at as i32)])))
}

/// Returns an archive of `count` readers, each with its own number.
pub fn archive(count: usize) -> Vec<u8> {
    let entry = |at: usize| Entry { flags: 2, ..Entry::new(name(at).as_bytes(), data(at)) };
    build(&Spec::new(1, Content::Readers, (0..count).map(entry).collect()))
}

/// Returns a mod of an archive of `count` readers, with about as many changes; `sha256` returns a hash in hexadecimal.
pub fn changes(sort: &str, count: usize, sha256: &dyn Fn(&[u8]) -> String) -> String {
    let content = |at: usize| {
        let new = at + count;
        format!(r#""content": {{"kind": "reader", "bytes": 16, "files": [["x{new}.zrd.json", [{new}]]]}}"#)
    };
    let was = |at: usize| format!(r#""sha256": "{}", "bytes": 16"#, sha256(&data(at)));
    let set = |at: usize| format!(r#"{{"do": "set", "at": "{}:/0", "old": {at}, "new": -1}}"#, name(at));
    let rename = |at: usize| format!(r#"{{"do": "rename", "entry": "{}", "to": "r{at}.zrd"}}"#, name(at));
    let add = |at: usize| {
        let (to, content) = (at * STRIDES[0] % count, content(at));
        let row = format!(r#"{{"name": "n{at}.zrd", "flags": 0, "comment": "", "time": "0x0000000000000000"}}"#);
        format!(r#"{{"do": "add", "entry": "n{at}.zrd", "at": "/entries/{to}", "row": {row}, {content}}}"#)
    };
    let remove = |at: usize| format!(r#"{{"do": "remove", "entry": "{}", "kind": "reader", {}}}"#, name(at), was(at));
    let replace = |at: usize| format!(r#"{{"do": "replace", "entry": "{}", {}, {}}}"#, name(at), was(at), content(at));
    // The positions of the readers after the changes so far, because a move contains the old position.
    let mut order: Vec<Option<usize>> = (0..count).map(Some).collect();
    let one = |at: usize| match sort {
        "sets" => set(at),
        "renames" => rename(at),
        "moves to the front" => shift(&mut order, at, 0),
        "moves anywhere" => shift(&mut order, at * STRIDES[0] % count, at * STRIDES[1] % count),
        "adds" => add(at),
        "removes" => remove(at * STRIDES[0] % count),
        "replaces" => replace(at),
        "all in turn" => match at % 6 {
            0 => set(at),
            1 => rename(at),
            2 => shift(&mut order, at, at * STRIDES[1] % count / 2),
            3 => {
                order.insert(at * STRIDES[0] % count, None);
                add(at)
            }
            4 => {
                order.retain(|other| *other != Some(at));
                remove(at)
            }
            _ => replace(at),
        },
        _ => panic!("{sort} is no sort of change"),
    };
    // An archive without entries is not recognized.
    let changes: Vec<String> = (1..count).map(one).collect();
    format!(r#"{{"schema": 3, "kind": "archive", "changes": [{}]}}"#, changes.join(",\n"))
}

/// Returns the move of a reader.
fn shift(order: &mut Vec<Option<usize>>, at: usize, to: usize) -> String {
    let from = order.iter().position(|other| *other == Some(at)).expect("it has not been removed");
    let moved = order.remove(from);
    order.insert(to, moved);
    format!(r#"{{"do": "move", "entry": "{}", "from": {from}, "to": {to}}}"#, name(at))
}
