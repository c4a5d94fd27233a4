//! Editing a model by places: only the parts that are edited are shown and loaded again.
//!
//! What an edit changes is what the exchange form has there, and it is checked in the same way. What follows from it is
//! settled.

mod outside;
mod survey;
mod value;

use crate::address::Address;
use crate::field::{Error, Json, Lay, Piece, Told, Which, settle, visit, walk};

use outside::Again;
use survey::{Survey, Surveyed, Way};

pub(crate) use outside::sort;
pub use value::{recompute, set};

/// Values of a model that are being edited.
#[derive(Debug)]
pub struct Values {
    surveyed: Surveyed,
    /// What each address leads to: a part, and the keys in there.
    ways: Vec<Way>,
    /// What has been set at which of them.
    set: Vec<(usize, Json)>,
}

/// Edits that have been made in a model, and which the file of it has to say.
#[derive(Debug)]
pub struct Made {
    /// Values that were kept and that rules have replaced.
    pub told: Vec<Told>,
    pieces: Vec<Piece>,
    outside: u64,
    ways: Vec<Way>,
    set: Vec<(usize, Json)>,
}

impl Values {
    /// Finds what is at some places. Returns nothing if one of them is no part that can be loaded alone.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid.
    pub fn open<M: walk::Lay + ?Sized>(model: &M, places: &[Address]) -> Result<Option<Self>, Error> {
        let mut survey = Survey::new(places);
        visit(model, &mut survey)?;
        let Some((surveyed, ways)) = survey.finish() else { return Ok(None) };
        Ok(Some(Self { surveyed, ways, set: Vec::new() }))
    }

    /// Sets what is at the place of this number, as [`set`] does.
    ///
    /// # Errors
    /// Returns why not.
    pub fn set(&mut self, number: usize, value: Json, retyped: bool) -> Result<(), String> {
        self.set.push((number, value.clone()));
        let (whole, keys) = self.part(number)?;
        set(whole, keys, value, retyped)
    }

    /// Lets a rule give what is at the place of this number, as [`recompute`] does.
    ///
    /// # Errors
    /// Returns why not.
    pub fn recompute(&mut self, number: usize) -> Result<(), String> {
        let (whole, keys) = self.part(number)?;
        recompute(whole, keys)
    }

    /// The part that the address of this number leads to, and the keys in there.
    fn part(&mut self, number: usize) -> Result<(&mut Json, &[String]), String> {
        let part = self
            .ways
            .get(number)
            .and_then(|(piece, keys)| Some((&mut self.surveyed.pieces.get_mut(*piece)?.json, keys.as_slice())));
        part.ok_or_else(|| "nothing at this place".to_owned())
    }

    /// Loads the parts into the model that they were found in, and settles what follows from them. If the edits do not fit, the
    /// model must not be used again.
    ///
    /// # Errors
    /// Returns an error if an edit does not fit where it is, or if the model cannot be laid with it.
    pub fn load<M: Lay + ?Sized>(self, model: &mut M) -> Result<Made, Error> {
        let Self { surveyed: Surveyed { pieces, deviating, outside }, ways, set } = self;
        let settlement = crate::field::edit(model, pieces.clone(), deviating)?;
        let told = settle(model, &settlement)?;
        Ok(Made { told, pieces, outside, ways, set })
    }
}

impl Made {
    /// Whether a model that has been read again says what has been set, and is otherwise made of the same parts. A value can
    /// decide what others are, and a format can make it say something else: neither is an edit of this value alone.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid.
    pub fn is_said_by<M: walk::Lay + ?Sized>(&self, model: &M) -> Result<bool, Error> {
        let mut again = Again::of(self.pieces.clone());
        visit(model, &mut again)?;
        let (outside, pieces) = again.finish();
        let is_said = |(number, value): &(usize, Json)| {
            let Some((piece, keys)) = self.ways.get(*number) else { return false };
            let Some(Piece { json, which, .. }) = pieces.get(*piece) else { return false };
            // What is in a list that is loaded as a whole is said by its parts, and the last of a list is not known by its key.
            let is_shown = *which != Which::Step && keys.last().is_none_or(|key| key != "-");
            let found = keys.iter().try_fold(json, |json, key| json.step(key));
            !is_shown || says(found, value)
        };
        // Of values that are set twice, the last counts.
        let is_last = |nth: usize, number: usize| {
            self.set.iter().skip(nth.saturating_add(1)).all(|(it, _)| !self.is_same(*it, number))
        };
        let all_said = self.set.iter().enumerate().all(|(nth, it)| !is_last(nth, it.0) || is_said(it));
        Ok(outside == self.outside && all_said)
    }

    /// Whether two addresses lead to the same value, or one into the other.
    fn is_same(&self, one: usize, other: usize) -> bool {
        match (self.ways.get(one), self.ways.get(other)) {
            (Some((one, keys)), Some((other, others))) => {
                one == other && (keys.starts_with(others) || others.starts_with(keys))
            }
            _ => false,
        }
    }
}

/// Whether what is found is what has been set: a value that a rule gives is not there, and one that is kept says so.
fn says(found: Option<&Json>, value: &Json) -> bool {
    match found {
        // What was set is what is expected, or it would be there.
        None => true,
        Some(found) => {
            found == value || found.get("kept").is_some_and(|kept| Some(kept) == value.get("kept") || kept == value)
        }
    }
}
