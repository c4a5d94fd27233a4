//! Ordinary reader files, others with traps, and broken files.

use super::{Spec, Value, build, float, list, nested, string};
use crate::random::Random;
use crate::sample::{LIES, Trap, cuts, kept, reported};
use crate::{Broken, Sample, Size};

/// The trap that is too large for the tiny samples.
const LARGE: &str = "trailing_long.zrd";

const KEYS: [&[u8]; 12] = [
    b"NAME",
    b"POSITION",
    b"ROTATION",
    b"OBJECTIVES",
    b"WEAPONS",
    b"FOG_STATE",
    b"TARGETS",
    b"MAX_SPEED",
    b"EFFECT",
    b"TEXT",
    b"NODES",
    b"SOUND",
];

const WORDS: [&[u8]; 8] =
    [b"thor", b"MSG_OBJECTIVE_01", b"c1_m1", b"tree pine", b"on", b"gun_l.flt", b"dropship-2", b"..\\data\\c1"];

/// Returns a typical reader file: a list that holds one list, in which keys and values alternate.
pub fn ordinary(random: &mut Random, size: Size) -> Spec {
    let keys = match size {
        Size::Tiny => 1,
        Size::Small => 12,
        Size::Retail => 60,
    };
    let depth = if size == Size::Tiny { 0 } else { 3 };
    Spec::new(list([list(dictionary(random, keys, depth))]))
}

fn dictionary(random: &mut Random, keys: i32, depth: u32) -> Vec<Value> {
    (0..keys).flat_map(|_| [string(random.one_of(&KEYS)), value(random, depth)]).collect()
}

/// Returns the value of a key: often a list, even of only one item.
fn value(random: &mut Random, depth: u32) -> Value {
    match random.below(if depth == 0 { 6 } else { 8 }) {
        0 => list([Value::Int(random.between(-5000, 5000))]),
        1 => list([0; 3].map(|_| float(random.real(-4000.0, 4000.0)))),
        2 => list([string(random.one_of(&WORDS))]),
        3 => string(random.one_of(&WORDS)),
        4 => float(random.between(-100, 100) as f32 / 10.0),
        5 => list([]),
        _ => {
            let keys = random.between(1, 4);
            list(dictionary(random, keys, depth - 1))
        }
    }
}

/// Returns reader files of a size class. Source of the traps: zipper-reader.md, section 2.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, size, trap: Option<&Trap<Spec>>| {
        Sample::of(
            name,
            "reader",
            &["rc", "mw", "pm", "cs"],
            ordinary(&mut Random::named(seed, name), size),
            trap,
            build,
        )
    };
    let plain = ["objectives.zrd", "weapons.zrd", "dfn_thor.zrd"].into_iter().map(|name| sample(name, size, None));
    let odd = TRAPS
        .iter()
        .filter(|trap| size != Size::Tiny || trap.name != LARGE)
        .map(|trap| sample(trap.name, size.of_traps(), Some(trap)));
    let deep = [("nested_41.zrd", 41), ("nested_1000.zrd", 1000)].into_iter().map(|(name, depth)| Sample {
        bytes: nested(depth),
        trap: Some("lists that lie deep in lists"),
        ..sample(name, Size::Tiny, None)
    });
    plain.chain(odd).chain(deep).collect()
}

const TRAPS: [Trap<Spec>; 32] = [
    kept("root_int.zrd", "an integer, and nothing else", |spec| spec.root = Value::Int(-2)),
    kept("root_float.zrd", "-0.0, and nothing else", |spec| spec.root = float(-0.0)),
    kept("root_string.zrd", "a string, and nothing else", |spec| spec.root = string(b"Bare string 1")),
    kept("root_string_empty.zrd", "an empty string, and nothing else", |spec| spec.root = string(b"")),
    kept("root_list_empty.zrd", "an empty list, and nothing else", |spec| spec.root = list([])),
    kept("root_list_of_many.zrd", "an outer list that holds keys and values itself", |spec| {
        spec.root = list([string(b"KEY"), Value::Int(7), list([]), float(0.25), string(b"KEY"), list([Value::Int(7)])])
    }),
    kept("root_list_of_int.zrd", "an outer list that holds one integer", |spec| spec.root = list([Value::Int(5)])),
    kept("root_list_of_string.zrd", "an outer list that holds one string", |spec| spec.root = list([string(b"KEY")])),
    kept("ints.zrd", "the smallest and the largest integers", |spec| {
        spec.root = list([i32::MIN, -1, 0, 1, i32::MAX].map(Value::Int));
    }),
    kept("int_and_float.zrd", "the same numbers as integers and as floats", |spec| {
        spec.root =
            list([Value::Int(1), float(1.0), Value::Int(0), float(0.0), Value::Int(16_777_217), float(16_777_216.0)])
    }),
    kept("int_that_is_a_float.zrd", "the bits of a float in an integer, and of an integer in a float", |spec| {
        spec.root = list([Value::Int(1.0f32.to_bits() as i32), Value::Float(1)]);
    }),
    kept("nan.zrd", "quiet and signalling NaNs, each with a payload", |spec| {
        spec.root = list([0xFFC1_2345, 0x7FA0_0001, 0x7FC0_0000, 0xFFFF_FFFF].map(Value::Float));
    }),
    kept("infinities.zrd", "both infinities", |spec| {
        spec.root = list([0x7F80_0000, 0xFF80_0000].map(Value::Float));
    }),
    kept("negative_zero.zrd", "-0.0 beside 0.0", |spec| spec.root = list([float(-0.0), float(0.0)])),
    kept("denormals.zrd", "the smallest and the largest denormal", |spec| {
        spec.root = list([0x0000_0001, 0x807F_FFFF].map(Value::Float));
    }),
    kept("many_digits.zrd", "floats that six digits do not tell apart", |spec| {
        spec.root = list([0x3DCC_CCCC, 0x3DCC_CCCD, 0x3DCC_CCCE, 0x7F7F_FFFF, 0x0080_0000].map(Value::Float));
    }),
    kept("empty_string.zrd", "empty strings", |spec| spec.root = list([string(b""), list([string(b"")])])),
    kept("high_bytes.zrd", "strings that are not ASCII, and not UTF-8 either", |spec| {
        spec.root = list([string(b"Gel\xE4nde"), string(b"\x80\xFF\xC3"), string("für".as_bytes())]);
    }),
    kept("nul_in_string.zrd", "strings with NULs in them", |spec| {
        spec.root = list([string(b"\0"), string(b"two\0parts\0")]);
    }),
    kept("quote_in_string.zrd", "strings with quotation marks and backslashes", |spec| {
        spec.root = list([string(b"\""), string(b"say \"no\""), string(b"c:\\new\\table")]);
    }),
    kept("control_in_string.zrd", "strings with line ends and control bytes", |spec| {
        spec.root = list([string(b"line\r\nfeed"), string(b"\x01\t\x1B\x7F"), string(b" ( ) ; ")]);
    }),
    kept("all_bytes.zrd", "a string of all bytes", |spec| {
        spec.root = list([string(&(0..=255).collect::<Vec<u8>>())]);
    }),
    kept("string_like_a_value.zrd", "a string that would be a value itself", |spec| {
        spec.root = list([string(&build(spec))]);
    }),
    kept("string_like_a_float.zrd", "strings that look like numbers and like a float's bits", |spec| {
        spec.root = list([string(b"1"), string(b"1.0"), string(b"f32:7fa00001"), string(b"null")]);
    }),
    kept("empty_lists.zrd", "lists of nothing but empty lists", |spec| {
        spec.root = list([list([]), list([list([]), list([])]), list([])]);
    }),
    kept("repeated_keys.zrd", "a key that occurs again, with its value bare and in a list", |spec| {
        spec.root =
            list([list([string(b"KEY"), Value::Int(1), string(b"KEY"), list([Value::Int(1)]), string(b"KEY")])]);
    }),
    kept("long_list.zrd", "a list of 500 values", |spec| {
        spec.root = list((0..500).map(Value::Int).collect::<Vec<_>>());
    }),
    kept("long_string.zrd", "a string of 3,000 bytes", |spec| spec.root = string(&b"abc".repeat(1000))),
    reported("trailing_1.zrd", "one byte after the value", |spec| spec.trailing = vec![0]),
    reported("trailing_4.zrd", "a tag after the value", |spec| spec.trailing = vec![4, 0, 0, 0]),
    reported(LARGE, "one byte after a list of so many values that it is in a file of its own", |spec| {
        spec.root = list((0..5001).map(Value::Int).collect::<Vec<_>>());
        spec.trailing = vec![0];
    }),
    reported("trailing_value.zrd", "another value after the value", |spec| {
        spec.trailing = build(&Spec::new(Value::Int(1)));
    }),
];

/// Returns files that must be refused.
pub fn broken(_: u64) -> Vec<Broken> {
    let broken = |name: &str, why: &str, root: Value| {
        Broken::new("reader", &format!("{name}.zrd"), build(&Spec::new(root)), why)
    };
    let short = |length| Value::String { length: Some(length), bytes: b"KEY".into() };
    let few = |count| Value::List { count: Some(count), values: vec![Value::Int(1), Value::Int(2)] };
    let lies = LIES.into_iter().flat_map(|lie| {
        [
            broken(&format!("string_length_{lie:08x}"), "a string longer than the file", list([short(lie)])),
            broken(&format!("root_string_length_{lie:08x}"), "a string longer than the file", short(lie)),
            broken(&format!("list_count_{lie:08x}"), "more values than the file has room for", list([few(lie)])),
            broken(&format!("root_list_count_{lie:08x}"), "more values than the file has room for", few(lie)),
        ]
    });
    let tags = [0, 5, 0x0100_0000, u32::MAX].into_iter().flat_map(|tag| {
        let value = || list([Value::Int(1), Value::Unknown(tag), Value::Int(2)]);
        [
            broken(&format!("tag_{tag:08x}"), "a tag that no engine knows", list([value()])),
            broken(&format!("root_tag_{tag:08x}"), "a tag that no engine knows", Value::Unknown(tag)),
        ]
    });
    let others = [
        broken("count_0", "a list that counts less than itself", few(0)),
        broken("count_0_within", "a list that counts less than itself, in a list", list([string(b"KEY"), few(0)])),
        broken("one_byte_more", "a string of one byte more than there is", list([short(4)])),
        broken("one_value_more", "a list of one value more than there is", list([few(4)])),
        Broken::new("reader", "nested_100000.zrd", nested(100_000), "lists that lie deeper than any limit"),
        Broken::new("reader", "never_closed.zrd", nested(99_999)[..8 * 99_999].into(), "lists that never end"),
    ];
    let file = build(&Spec::new(list([list([string(b"KEY"), Value::Int(1), float(-0.5)])])));
    let places = [
        (0, "at its start"),
        (3, "in a tag"),
        (4, "before a count"),
        (7, "in a count"),
        (16, "before the values"),
        (22, "in a string length"),
        (25, "in a string"),
        (27, "before an integer"),
        (33, "in an integer"),
        (42, "before its last byte"),
    ];
    lies.chain(tags).chain(others).chain(cuts("reader", "zrd", &file, &places)).collect()
}
