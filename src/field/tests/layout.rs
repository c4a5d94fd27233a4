use crate::record;
use crate::{Class, F32, Item, Opaque, Padding, Record as _, Shaped, Stale, Text, U8, U32, Value};

record! {
    /// Bytes of every class, a different number of each.
    struct All: 42 {
        semantic: [U8; 3],
        derived: [U8; 4] as Outside,
        reserved: [U8; 5] = [U8::new(1); 5],
        pointer: [U8; 6] as Pointer,
        stale: Stale<7>,
        padding: Padding<8>,
        opaque: Opaque<9>,
    }
}

record! {
    /// A rule over a field below it.
    struct Late: 8 {
        double: U32 => |it| it.single.get() * 2,
        single: U32,
    }
}

record! {
    struct Texts: 16 {
        name: Text<8>,
        forgotten: Text<8> as Stale,
    }
}

#[test]
fn census_counts_every_byte_by_its_class() {
    assert_eq!(Item::of::<All>().census, Some([3, 4, 5, 6, 7, 8, 9]));
    assert_eq!(Item::of::<[All; 3]>().census, Some([9, 12, 15, 18, 21, 24, 27]));
    assert_eq!(Item::of::<[All; 3]>().size, 126);
    assert_eq!(Class::ALL.map(Class::name), All::LAYOUT.fields.iter().map(|it| it.name).collect::<Vec<_>>()[..]);
}

#[test]
fn class_of_a_tail_is_unknown_without_its_text() {
    assert_eq!(Item::of::<Texts>().census, None);
    assert_eq!(Item::of::<[Text<8>; 2]>().census, None);
    let [name, forgotten] = Texts::LAYOUT.fields else { panic!("two fields") };
    assert_eq!(name.shape.census(name.class), None);
    assert_eq!(forgotten.shape.census(forgotten.class), Some([0, 0, 0, 0, 8, 0, 0]));
}

record! {
    struct Count: 4 {
        count: U32 as Outside,
    }
}

record! {
    struct Constant: 4 {
        always: U32 = 1,
    }
}

record! {
    struct Pointer: 4 {
        ptr: U32 as Pointer,
    }
}

#[test]
fn item_has_one_class_if_all_its_bytes_do() {
    let items = [
        Item::of::<U32>(),
        Item::of::<Count>(),
        Item::of::<Constant>(),
        Item::of::<Pointer>(),
        Item::of::<Stale<7>>(),
        Item::of::<Padding<8>>(),
        Item::of::<Opaque<9>>(),
    ];
    assert_eq!(items.map(|it| it.only_class), Class::ALL.map(Some));
    assert_eq!([Item::of::<All>(), Item::of::<Text<8>>()].map(|it| it.only_class), [None, None]);
}

#[test]
fn items_with_a_rule_are_ruled() {
    assert_eq!([Item::of::<All>(), Item::of::<[Late; 2]>()].map(|it| it.ruled), [true, true]);
    assert_eq!([Item::of::<U32>(), Item::of::<Texts>(), Item::of::<[U32; 2]>()].map(|it| it.ruled), [false; 3]);
}

record! {
    /// One field for each type of rule.
    struct Ruled: 20 {
        free: U32,
        pointer: U32 as Pointer,
        constant: U32 = 7,
        exact: U32 => |it| it.free.get() + 1,
        advisory: F32 as Advisory => |_| 0.5,
    }
}

fn ruled(fields: [u32; 4], advisory: f32) -> Ruled {
    let [free, pointer, constant, exact] = fields.map(U32::new);
    Ruled { free, pointer, constant, exact, advisory: advisory.into() }
}

#[test]
fn expected_values_are_shown_only_by_show_all() {
    let show = |it: Ruled| Ruled::SHAPE.show(crate::bytes_of(&it));
    let [free, advisory] = [("free", 1.into()), ("advisory", 0.5.into())];
    assert_eq!(show(ruled([1, 0, 7, 2], 0.5)), Value::from([free.clone(), advisory.clone()]));
    let odd = ruled([1, 9, 8, 3], 0.5);
    let [constant, pointer] = [("constant", 8.into()), ("pointer", 9.into())];
    let shown = [free.clone(), constant.clone(), ("exact", Value::kept(3, 2)), advisory.clone(), pointer.clone()];
    assert_eq!(show(odd), Value::from(shown));
    let all = <[Ruled; 1]>::SHAPE.show_all(crate::bytes_of(&odd));
    assert_eq!(all, Value::List(vec![Value::from([free, pointer, constant, ("exact", 3.into()), advisory])]));
    let blank = Value::from([("free", 0.into()), ("advisory", 0.0.into())]);
    assert_eq!(Value::Object(Ruled::LAYOUT.blank()), blank);
}

#[test]
fn field_holds_if_it_equals_its_computed_value() {
    let holds =
        |it: Ruled| Ruled::LAYOUT.fields.iter().map(|field| field.holds(crate::bytes_of(&it))).collect::<Vec<_>>();
    assert_eq!(holds(ruled([1, 9, 7, 2], 0.5)), [true; 5]);
    assert_eq!(holds(ruled([1, 9, 8, 3], 0.25)), [true, true, false, false, false]);
}

#[test]
fn nan_never_agrees_with_a_rule() {
    let agrees = |bits: u32| F32::SHAPE.agrees(&bits.to_le_bytes(), &bits.to_le_bytes());
    assert_eq!([0, 0x3F80_0000, 0x7FC0_0000, 0x7FC1_0101].map(agrees), [true, true, false, false]);
    let pair = [F32::new(1.0), F32::new(f32::NAN)];
    assert!(!<[F32; 2]>::SHAPE.agrees(crate::bytes_of(&pair), crate::bytes_of(&pair)));
}

#[test]
fn bytes_of_text_are_counted_by_class() {
    /// Counts semantic, stale and padding bytes.
    fn count<T: Shaped>(class: Class, bytes: &[u8]) -> [usize; 3] {
        let mut sums = [0; 7];
        T::SHAPE.count(class, bytes, &mut sums);
        assert_eq!(sums.iter().sum::<usize>(), bytes.len());
        let [semantic, _, _, _, stale, padding, _] = sums;
        [semantic, stale, padding]
    }
    let text = Class::Semantic;
    assert_eq!(count::<Texts>(text, b"a\0XXXXXXYYYYYYYY"), [2, 14, 0]);
    assert_eq!(count::<[Text<4>; 2]>(text, b"a\0\0\0bb\0X"), [5, 1, 2]);
    // The class of a whole applies to its parts.
    assert_eq!(count::<Texts>(Class::Stale, &[0; 16]), [0, 16, 0]);
    assert_eq!(count::<[Text<4>; 2]>(Class::Stale, &[0; 8]), [0, 8, 0]);
    assert_eq!(count::<Text<4>>(Class::Padding, &[0; 4]), [0, 0, 4]);
    assert_eq!(count::<[U8; 5]>(text, &[0; 5]), [5, 0, 0]);
}

#[test]
fn memory_of_a_value_grows_with_its_parts() {
    assert_eq!([U32::SHAPE, Text::<8>::SHAPE, Text::<9>::SHAPE].map(|it| it.memory()), [0, 0, 18]);
    let list = |shape: crate::Shape| shape.memory();
    let size = size_of::<Value>();
    assert!(list(<[U32; 10]>::SHAPE) >= 10 * size && list(<[U32; 10]>::SHAPE) < 20 * size);
    assert!(list(<[Text<9>; 10]>::SHAPE) >= list(<[U32; 10]>::SHAPE) + 10 * 18);
    let record = Ruled::SHAPE.memory();
    assert!(record >= 2 * size && Ruled::LAYOUT.memory() == record, "{record}");
}
