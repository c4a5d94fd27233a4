use crate::record;
use crate::{Class, F32, Item, Record as _, Text, U8, U32};

record! {
    /// A rule of each type. The constants fill two words of eight bytes.
    struct Ruled: 28 {
        first: [U32; 2] = [U32::new(1); 2],
        second: [U32; 2] = [U32::new(1); 2],
        free: U32,
        exact: U32 => |it| it.free.get() + 1,
        advisory: F32 as Advisory => |_| 0.5,
    }
}

record! {
    /// Fields that the container fills in.
    struct Counted: 12 {
        count: U32 as Outside,
        scale: F32 as Outside,
        free: U32,
    }
}

record! {
    struct Inner: 4 {
        constant: U32 = 7,
    }
}

record! {
    struct Agreeing: 8 {
        free: U32,
        inner: Inner = Inner { constant: U32::new(7) },
    }
}

record! {
    struct Conflicting: 4 {
        inner: Inner = Inner { constant: U32::new(8) },
    }
}

record! {
    struct NoNumber: 4 {
        constant: F32 = F32::new(f32::NAN),
    }
}

record! {
    struct Named: 13 {
        constant: U8 = 1,
        names: [Text<4>; 2],
        stale: Text<4> as Stale,
    }
}

fn words<const N: usize>(words: [u32; N]) -> Vec<u8> {
    words.iter().flat_map(|it| it.to_le_bytes()).collect()
}

#[test]
fn record_deviates_if_one_of_its_fields_does() {
    let deviates = |it: [u32; 7]| Ruled::LAYOUT.template().deviates(&words(it), None);
    let half = 0.5_f32.to_bits();
    assert!(!deviates([1, 1, 1, 1, 5, 6, half]));
    for odd in [
        [2, 1, 1, 1, 5, 6, half],
        [1, 1, 1, 2, 5, 6, half],
        // Differences that would cancel each other.
        [3, 1, 3, 1, 5, 6, half],
        [1, 1, 1, 1, 5, 5, half],
        [1, 1, 1, 1, 5, 6, 0],
    ] {
        assert!(deviates(odd), "{odd:?}");
    }
}

#[test]
fn record_deviates_from_the_values_of_its_container() {
    let template = Counted::LAYOUT.template();
    let deviates = |it: [u32; 3], rules: [u32; 3]| template.deviates(&words(it), Some(&words(rules)));
    let (one, nan) = (1.0_f32.to_bits(), f32::NAN.to_bits());
    assert!(!template.deviates(&words([3, one, 9]), None));
    assert!(!deviates([3, one, 9], [3, one, 0]));
    assert!(deviates([3, one, 9], [4, one, 9]));
    assert!(deviates([3, one, 9], [3, 0, 9]));
    // A value that is no number agrees with nothing, not even with itself.
    assert!(deviates([3, nan, 9], [3, nan, 9]));
}

#[test]
fn nested_constants_agree_or_no_record_does() {
    assert!(!Agreeing::LAYOUT.template().deviates(&words([1, 7]), None));
    assert!(Agreeing::LAYOUT.template().deviates(&words([1, 8]), None));
    assert!([7, 8].iter().all(|it| Conflicting::LAYOUT.template().deviates(&words([*it]), None)));
    assert!(NoNumber::LAYOUT.template().deviates(&words([f32::NAN.to_bits()]), None));
}

#[test]
fn bytes_of_a_record_are_counted_by_class() {
    let mut sums = [1; 7];
    Named::LAYOUT.template().count(b"\x01ab\0XabcdY\0\0\0", &mut sums);
    let counted: Vec<_> = Class::ALL.iter().zip(sums).map(|(class, sum)| (class.name(), sum - 1)).collect();
    assert_eq!(counted.iter().map(|(_, sum)| sum).sum::<usize>(), Item::of::<Named>().size);
    let of = |name: &str| counted.iter().find(|(it, _)| *it == name).map(|(_, sum)| *sum);
    assert_eq!(["semantic", "stale"].map(of), [Some(7), Some(5)], "{counted:?}");
}
