use std::cell::RefCell;

use crate::{Datum, Detail, Fault, Lay, Result, Tape, U32, Visitor, decode, visit, walk};

/// What a walk says about its visitor.
#[derive(Default)]
struct Walked(RefCell<Vec<&'static str>>);

impl walk::Lay for Walked {
    fn lay(&self, t: &mut walk::Tape<'_>) -> Result {
        let mut counts = false;
        t.judge_each(|| true, |_| counts = true);
        let says = [
            ("judging", t.judging()),
            ("counting", counts),
            ("labelling", t.labelling()),
            ("coarse", t.is_coarse()),
            ("bytes", t.wants_bytes_only()),
            ("sizing", t.sizing()),
            ("given", t.exists("number", false) || t.remaining() > 0 || !t.ahead(1).is_empty()),
        ];
        *self.0.borrow_mut() = says.iter().filter(|(_, is)| *is).map(|(name, _)| *name).collect();
        Ok(())
    }
}

/// A visitor that needs these things.
struct Needs(&'static [&'static str], Detail);

impl Visitor for Needs {
    fn data(&mut self, _: &Datum<'_>) -> Result {
        Ok(())
    }

    fn judges(&self) -> bool {
        self.0.contains(&"judging")
    }

    fn counts(&self) -> bool {
        self.0.contains(&"counting")
    }

    fn detail(&self) -> Detail {
        self.1
    }
}

#[test]
fn walk_knows_what_its_visitor_needs() {
    let said = |needs: &'static [&'static str], detail: Detail| {
        let model = Walked::default();
        visit(&model, &mut Needs(needs, detail)).expect("visits");
        model.0.into_inner()
    };
    assert_eq!(said(&[], Detail::Bytes), ["coarse", "bytes", "sizing"]);
    assert_eq!(said(&["judging"], Detail::Bytes), ["judging", "coarse", "sizing"]);
    assert_eq!(said(&[], Detail::Steps), ["coarse", "sizing"]);
    assert_eq!(said(&["counting"], Detail::Steps), ["counting", "sizing"]);
    assert_eq!(said(&[], Detail::Entries), ["labelling", "sizing"]);
    for need in [&["judging"][..], &["counting"], &[]] {
        assert_eq!(said(need, Detail::Places), [need, &["labelling", "sizing"]].concat(), "{need:?}");
    }
}

/// A visitor that asks for nothing.
struct Nothing;

impl Visitor for Nothing {
    fn data(&mut self, _: &Datum<'_>) -> Result {
        Ok(())
    }
}

#[test]
fn visitor_needs_nothing_but_places_unless_it_says_so() {
    let model = Walked::default();
    visit(&model, &mut Nothing).expect("visits");
    assert_eq!(model.0.into_inner(), ["labelling", "sizing"]);
    assert!(!Nothing.wants_facts());
}

/// A model that asks for more memory than there is.
#[derive(Debug, Default)]
struct Greedy(U32);

impl Lay for Greedy {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        t.charge(1 << 60)?;
        t.value("number", &mut self.0)
    }
}

#[test]
fn memory_beyond_the_limit_is_refused_before_it_is_taken() {
    let error = decode::<Greedy>(vec![0; 4]).expect_err("is refused");
    assert!(error.is_memory() && matches!(error.fault(), Fault::Memory { .. }), "{error}");
}
