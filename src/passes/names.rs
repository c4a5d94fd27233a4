//! Searches a model for things by their names.

use field::{Address, Datum, Error, Group, Layout, Place, Result, Step, Value, Visitor, What, visit, walk};
use kind::{Kind, Name, Named};

/// A name in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NameAt {
    /// The place of the name.
    pub place: Address,
    /// The name.
    pub text: String,
    /// What it is the name of.
    pub of: Named,
    /// The rank of such names among those of the kind: the first are the most important ones.
    pub rank: usize,
}

impl NameAt {
    /// Returns the place of the object that holds the name.
    #[must_use]
    pub fn holder(&self) -> Address {
        self.place.outer().map_or_else(|| self.place.clone(), |(holder, _)| holder)
    }
}

/// Returns the names in a model of a kind, and in its entries, in file order.
///
/// # Errors
/// Returns an error if the model cannot be laid out.
pub fn names<M: walk::Lay + ?Sized>(
    model: &M,
    kind: &Kind,
    kinds: &'static [Kind],
) -> core::result::Result<Vec<NameAt>, Error> {
    let mut gather = Gather { kinds, open: vec![kind.names], found: Vec::new() };
    visit(model, &mut gather)?;
    Ok(gather.found)
}

struct Gather {
    kinds: &'static [Kind],
    /// The members that hold names in the file and in each open entry.
    open: Vec<&'static [Name]>,
    found: Vec<NameAt>,
}

impl Gather {
    fn look(&mut self, place: &Place, layout: Option<&Layout>, text: impl FnOnce() -> Option<Value>) {
        let names = self.open.last().copied().unwrap_or_default();
        let steps = place.pointer();
        let has = |field| layout.is_some_and(|layout| layout.fields.iter().any(|it| it.name == field));
        let is_it = |name: &Name| name.is_at(steps) && name.beside.is_none_or(has);
        let Some((rank, name)) = names.iter().enumerate().find(|(_, name)| is_it(name)) else { return };
        let Some(json) = text() else { return };
        let Some(text) = json.text().or_else(|| json.get("text")?.text()) else { return };
        let keys = steps.iter().map(|step| match step {
            Step::Name(name) => (*name).to_owned(),
            Step::Index(index) => index.to_string(),
            Step::Entry => String::new(),
        });
        let place = Address { entry: place.container(), keys: keys.collect() };
        self.found.push(NameAt { place, text: text.to_owned(), of: name.of, rank });
    }
}

impl Visitor for Gather {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        if self.open.last().is_some_and(|names| !names.is_empty()) {
            let layout = if let What::Fields(layout, _) = datum.what { Some(layout) } else { None };
            datum.owners(&mut |owner| self.look(owner.place, layout, || Some(owner.leaf?.show(owner.bytes))));
        }
        Ok(())
    }

    fn fact(&mut self, place: &Place, fact: Value) {
        self.look(place, None, || Some(fact));
    }

    fn wants_facts(&self) -> bool {
        true
    }

    fn enter(&mut self, group: Group, _: &Place, _: u64) {
        if let Group::Entry { kind, .. } = group {
            self.open.push(self.kinds.iter().find(|it| it.name == kind).map_or(&[], |kind| kind.names));
        }
    }

    fn leave(&mut self, group: Group, _: &Place, _: u64) {
        if let Group::Entry { .. } = group {
            self.open.pop();
        }
    }
}
