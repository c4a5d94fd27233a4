use crate::Compact;
use crate::{JsonText, Loading};
use field::record;
use field::{F32, LoadError, Shaped, Step, Text, U8, U32};

record! {
    /// A rule over a field below it.
    struct Late: 8 {
        double: U32 => |it| it.single.get() * 2,
        single: U32,
    }
}

record! {
    /// A field that follows from another, and one that need not.
    struct Ruled: 12 {
        free: U32,
        exact: U32 => |it| it.free.get() + 1,
        advisory: F32 as Advisory => |_| 0.5,
    }
}

/// Loads a record from the text of a document.
fn load<T: Shaped>(text: &str, loading: &mut Loading) -> Result<T, LoadError> {
    let mut record = bytemuck::Zeroable::zeroed();
    let text = JsonText::index(text.to_owned().into()).expect("is JSON");
    loading.load(&T::SHAPE, &text, text.root(), field::bytes_of_mut(&mut record))?;
    Ok(record)
}

#[test]
fn rule_can_read_a_later_field() {
    let late: Late = load(r#"{"single": 3}"#, &mut Loading::default()).expect("loads");
    assert_eq!(late.double.get(), 6);
}

#[test]
fn value_is_kept_until_its_rule_computes_another() {
    let mut loading = Loading::default();
    let kept = r#"{"single": 3, "double": {"kept": 5, "computed": 6}}"#;
    let late: Late = load(kept, &mut loading).expect("loads");
    assert!(late.double.get() == 5 && loading.replaced.is_empty());
    let late: Late = load(&kept.replace('3', "4"), &mut loading).expect("loads");
    let recomputed = loading
        .replaced
        .iter()
        .map(|it| (Compact(&it.was).to_string(), Compact(&it.now).to_string()))
        .collect::<Vec<_>>();
    assert_eq!((late.double.get(), recomputed), (8, vec![("5".to_owned(), "8".to_owned())]));
}

#[test]
fn advisory_value_is_computed_on_request() {
    let load = |value: &str| {
        let text = format!(r#"{{"free": 0, "advisory": {value}}}"#);
        load::<Ruled>(&text, &mut Loading::default()).map(|it| it.advisory.get())
    };
    assert_eq!([load("0.25"), load(r#"{"recompute": true}"#)], [Ok(0.25), Ok(0.5)]);
    assert!(load(r#"{"recompute": false}"#).is_err());
}

#[test]
fn unknown_members_of_a_record_are_refused() {
    let refused = |exact: &str, more: &str| {
        let text = format!(r#"{{"free": 0, "advisory": 0.5, "exact": {exact}{more}}}"#);
        load::<Ruled>(&text, &mut Loading::default()).err().map(|it| (it.steps, it.expected, it.found))
    };
    let kept = r#"{"kept": 5, "computed": 1}"#;
    assert_eq!(refused(kept, ""), None);
    let no = |steps, member: &str, found: &str| Some((steps, format!("no {member}"), found.to_owned()));
    assert_eq!(refused(kept, r#", "more": 1"#), no(vec![], "member more", "1"));
    assert_eq!(refused(kept, r#", "more": {}"#), no(vec![], "member more", "an object"));
    let exact = vec![Step::Name("exact")];
    assert_eq!(refused(r#"{"kept": 5, "computed": 1, "by": "me"}"#, ""), no(exact, "member by", "\"me\""));
}

#[test]
fn fields_are_found_in_any_order() {
    for text in
        [r#"{"free": 1, "advisory": 0.5}"#, r#"{"advisory": 0.5, "free": 1}"#, r#"{"\u0066ree": 1, "advisory": 0.5}"#]
    {
        let ruled: Ruled = load(text, &mut Loading::default()).expect("loads");
        assert_eq!((ruled.free.get(), ruled.advisory.get()), (1, 0.5), "{text}");
    }
}

#[test]
fn array_refuses_a_list_of_another_length() {
    assert!(load::<[U8; 2]>("[1, 2]", &mut Loading::default()).is_ok());
    for list in ["[1]", "[1, 2, 3]"] {
        let misfit = load::<[U8; 2]>(list, &mut Loading::default()).map(|it| it.map(U8::get));
        assert!(misfit.is_err_and(|it| it.expected == "a list of 2"), "{list}");
    }
    let misfit = load::<[U8; 3]>(r#"[1, 2, "x"]"#, &mut Loading::default()).map(|it| it.map(U8::get));
    assert!(misfit.is_err_and(|it| it.steps == [Step::Index(2)]));
}

#[test]
fn tail_replaced_by_longer_text_is_reported() {
    let mut loading = Loading::default();
    let load = |text: &str, loading: &mut Loading| load::<Text<8>>(text, loading).expect("loads");
    let shorter = load(r#"{"text": "abcd", "tail": "01 02 03"}"#, &mut loading);
    assert_eq!((shorter, loading.replaced.len()), (Text::new(*b"abcd\0\x01\x02\x03"), 0));
    let longer = load(r#"{"text": "abcdef", "tail": "01 02 03"}"#, &mut loading);
    assert_eq!(longer, Text::new(*b"abcdef\0\x03"));
    let recomputed: Vec<_> = loading.replaced.iter().map(|it| Compact(&it.now).to_string()).collect();
    assert_eq!(recomputed, [r#"{"text":"abcdef","tail":"03"}"#]);
}
