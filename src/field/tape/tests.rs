use super::*;
use crate::{Label, Payload, Run, U8, encode, lay, limits};

/// `(`, then a boxed payload to the end; `)` ends it; any other byte is data.
#[derive(Clone, Debug, Default, PartialEq)]
struct Nest {
    open: U8,
    inner: Inner,
}

#[derive(Clone, Debug, PartialEq)]
enum Inner {
    Nest(Box<Nest>),
    Bytes(Block),
}

impl Default for Inner {
    fn default() -> Self {
        Self::Bytes(Block::default())
    }
}

impl Payload for Inner {
    fn kind(&self) -> &'static str {
        if matches!(self, Self::Nest(_)) { "nest" } else { "opaque" }
    }

    fn recognize(_: &Label, bytes: &Bytes) -> Self {
        if bytes.starts_with(b"(") { Self::Nest(Box::default()) } else { Self::opaque() }
    }

    fn opaque() -> Self {
        Self::default()
    }

    fn of_kind(kind: &str) -> Option<Self> {
        [Self::Nest(Box::default()), Self::opaque()].into_iter().find(|inner| inner.kind() == kind)
    }

    fn raw(&self) -> Option<&'static str> {
        None
    }
}

lay! {
    impl Lay for Inner {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            match self {
                Self::Nest(nest) => nest.lay(t),
                Self::Bytes(bytes) => t.rest("bytes", Run::Opaque, bytes),
            }
        }
    }

    impl Lay for Nest {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.value("open", at!(self.open))?;
            if t.reading() && t.remaining() == 1 {
                return t.group("end", |t| Err(t.error(Fault::Surplus { bytes: 1 })));
            }
            t.entry(Label::role("in"), t.remaining(), at!(self.inner))
        }
    }
}

#[test]
fn containers_nest_to_the_limit_and_deeper_ones_are_kept_as_bytes() {
    let file = vec![b'('; 20];
    let decoded = decode::<Nest>(file.clone()).expect("the outermost decodes");
    let [undecoded] = decoded.undecoded.as_slice() else { panic!("one entry is noted: {:?}", decoded.undecoded) };
    assert_eq!(undecoded.entry.steps().len(), limits::CONTAINERS + 1);
    assert_eq!(undecoded.error.fault(), &Fault::TooDeep { limit: limits::CONTAINERS });
    assert_eq!(encode(&decoded.model).expect("encodes"), file);
}

#[test]
fn undecoded_entry_is_kept_and_reported_once() {
    let decoded = decode::<Nest>(b"((x".to_vec()).expect("decodes");
    assert_eq!(decoded.model.inner, Inner::Bytes(vec![b'(', b'x'].into_iter().collect::<Vec<u8>>().into()));
    let [undecoded] = decoded.undecoded.as_slice() else { panic!("one entry is noted: {:?}", decoded.undecoded) };
    assert_eq!(undecoded.entry.entry(), "in");
    assert_eq!(undecoded.error.to_string(), "0x00000002: in:/end: expected the end of the data, found 1 extra byte");
}

#[test]
fn count_is_checked_before_allocation() {
    #[derive(Default)]
    struct Many(Vec<U8>);
    impl Lay for Many {
        fn lay(&mut self, t: &mut Tape<'_>) -> Result {
            t.list("items", u64::MAX, 2, &mut self.0, |t, item| t.value("item", item))
        }
    }
    let error = decode::<Many>(vec![0; 5]).err().expect("refused");
    assert_eq!(
        error.to_string(),
        "0x00000000: /items: expected 18446744073709551615 records of 2 bytes, found only 5 bytes"
    );
}

#[test]
fn memory_of_an_undecoded_entry_grows_with_its_place() {
    let memory = |name: &str| {
        let entry = Place::default().with_entry(Label::role(name));
        let error = Error::new(0, entry.clone(), Fault::TooDeep { limit: 9 });
        Undecoded { entry, error }.memory()
    };
    let size = u64::try_from(size_of::<Undecoded>()).expect("fits");
    assert!((size..size + 2000).contains(&memory("a")), "{}", memory("a"));
    assert!((memory("a") + 1998..=memory("a") + 2002).contains(&memory(&"a".repeat(1001))));
}
