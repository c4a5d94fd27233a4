//! Places that begin with a name: `@dust/emitter` instead of `/root/children/0/emitter`.

#[cfg(feature = "exchange")]
use std::cell::RefCell;

use field::{Address, Error, walk};
use kind::{Kind, Named};
use passes::{NameAt, names, spans};

use super::advice;
#[cfg(feature = "exchange")]
use super::by_key::{LastList, by_keys};

/// Returns the label of an entry in its container.
pub(crate) fn label_of(entry: &str) -> &str {
    entry.rsplit_once('!').map_or(entry, |(_, label)| label)
}

/// Finds what places of a model with names in them lead to.
pub struct Resolver<'m, M: ?Sized> {
    model: &'m M,
    kind: &'m Kind,
    kinds: &'static [Kind],
    #[cfg(feature = "exchange")]
    last: RefCell<LastList>,
}

impl<'m, M: walk::Lay + ?Sized> Resolver<'m, M> {
    /// Creates a resolver for places of this model.
    #[must_use]
    pub fn new(model: &'m M, (kind, kinds): (&'m Kind, &'static [Kind])) -> Self {
        Self {
            model,
            kind,
            kinds,
            #[cfg(feature = "exchange")]
            last: RefCell::default(),
        }
    }

    /// Returns the place that a place with `@NAME` leads to, at its beginning or among its keys; other places stay as they are. The inner
    /// error is the reason why there is none.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn resolve(&self, place: &Address) -> Result<Result<Address, String>, Error> {
        let found = by_name(self.model, (self.kind, self.kinds), place)?;
        #[cfg(feature = "exchange")]
        if let Ok(found) = found {
            return by_keys(self.model, found, &mut self.last.borrow_mut());
        }
        Ok(found)
    }
}

/// Returns `true` if [`Resolver::resolve`] looks into the model for a place, and `false` if the place stays as it is.
#[must_use]
pub fn has_names(place: &Address) -> bool {
    #[cfg(feature = "exchange")]
    let is_inside = super::by_key::has_names(&place.keys);
    #[cfg(not(feature = "exchange"))]
    let is_inside = false;
    place.entry.starts_with('@') || is_inside
}

/// Does the same as [`Resolver::resolve`] for a single place.
///
/// # Errors
/// Returns an error if the model cannot be laid out.
pub fn resolve<M: walk::Lay + ?Sized>(
    model: &M,
    about: (&Kind, &'static [Kind]),
    place: &Address,
) -> Result<Result<Address, String>, Error> {
    Resolver::new(model, about).resolve(place)
}

/// Returns the place that a place beginning with `@NAME` leads to.
fn by_name<M: walk::Lay + ?Sized>(
    model: &M,
    (kind, kinds): (&Kind, &'static [Kind]),
    place: &Address,
) -> Result<Result<Address, String>, Error> {
    let Some(name) = place.entry.strip_prefix('@') else { return Ok(Ok(place.clone())) };
    let (entries, known) = all_names(model, (kind, kinds))?;
    let found = having(name, &entries, &known);
    Ok(match found.as_slice() {
        [one] => Ok(Address { keys: [one.keys.clone(), place.keys.clone()].concat(), ..one.clone() }),
        [] => {
            let all: Vec<String> = entries
                .iter()
                .map(|entry| label_of(entry).to_owned())
                .chain(known.into_iter().map(|it| it.text))
                .collect();
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            Err(advice::no_name(name, &all))
        }
        several => {
            let places: Vec<String> = several.iter().map(ToString::to_string).collect();
            Err(format!("several have this name: {}; use one of these places", advice::listed(&places)))
        }
    })
}

/// Returns everything in a model that has a name: entries, nodes and definitions.
///
/// # Errors
/// Returns an error if the model cannot be laid out.
#[cfg(feature = "exchange")]
pub(super) fn named<M: walk::Lay + ?Sized>(
    model: &M,
    (kind, kinds): (&Kind, &'static [Kind]),
    name: &str,
) -> Result<Vec<Address>, Error> {
    let (entries, known) = all_names(model, (kind, kinds))?;
    Ok(having(name, &entries, &known))
}

/// Returns the entries of a model, and the other names that `@` leads to.
fn all_names<M: walk::Lay + ?Sized>(
    model: &M,
    (kind, kinds): (&Kind, &'static [Kind]),
) -> Result<(Vec<String>, Vec<NameAt>), Error> {
    let mut known = names(model, kind, kinds)?;
    known.retain(|it| it.of != Named::OtherNode);
    Ok((spans(model)?.into_keys().collect(), known))
}

/// Returns what has a name: the entries, or else the objects, or else those whose names differ only in case.
fn having(name: &str, entries: &[String], known: &[NameAt]) -> Vec<Address> {
    let mut found: Vec<Address> =
        entries.iter().filter(|entry| label_of(entry) == name).map(Address::of_entry).collect();
    if found.is_empty() {
        found = holders(known, |text| text == name);
    }
    if found.is_empty() {
        found = holders(known, |text| text.eq_ignore_ascii_case(name));
    }
    found
}

/// Returns the objects whose names fit: of several kinds of names, those of the first.
fn holders(known: &[NameAt], fits: impl Fn(&str) -> bool) -> Vec<Address> {
    let fitting: Vec<_> = known.iter().filter(|it| fits(&it.text)).collect();
    let first = fitting.iter().map(|it| it.rank).min();
    fitting.into_iter().filter(|it| Some(it.rank) == first).map(NameAt::holder).collect()
}

/// Returns the places of the name of a node, and of all names that refer to it.
///
/// # Errors
/// Returns an error if the model cannot be laid out.
pub fn node_names<M: walk::Lay + ?Sized>(
    model: &M,
    (kind, kinds): (&Kind, &'static [Kind]),
    name: &str,
) -> Result<Result<Vec<Address>, String>, Error> {
    let mut known = names(model, kind, kinds)?;
    known.retain(|it| it.of != Named::Itself);
    let found: Vec<Address> = known.iter().filter(|it| it.text == name).map(|it| it.place.clone()).collect();
    if found.is_empty() {
        let all: Vec<&str> = known.iter().map(|it| it.text.as_str()).collect();
        return Ok(Err(advice::no_name(name, &all)));
    }
    Ok(Ok(found))
}

#[cfg(test)]
mod tests {
    use super::has_names;

    #[test]
    fn only_places_that_may_have_a_name_are_looked_up() {
        for place in ["@tree:/name", "@tree", "/nodes/@tree/name", "a.2da:/rows/3/label/@x", "/rows/3/COST"] {
            // Those in lists are known only with the exchange format.
            let is_known = place.starts_with('@') || cfg!(feature = "exchange");
            assert_eq!(has_names(&place.into()), is_known, "{place}");
        }
        for place in ["/nodes/3/name", "a.utc:/Str", "a.2da", "/rows/3/label", "/rows/3/cells", "/rows/COST", ""] {
            assert!(!has_names(&place.into()), "{place}");
        }
    }
}
