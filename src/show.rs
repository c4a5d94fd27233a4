//! What `inspect` shows: a model, or what is at a place in it, as JSON for people.

use crate::address::Address;
use crate::field::{Error, Json, quote, visit, walk};
use crate::tree::Tree;

/// Raw bytes up to so many are shown whole.
const LONG: usize = 64;

/// What is at a place of a model (in the notation of places; empty for all), at most so many items of each list; nothing
/// where there is no such place.
///
/// # Errors
/// When the model cannot be laid.
pub fn show<M: walk::Lay + ?Sized>(model: &M, place: &str, most: usize) -> Result<Option<Json>, Error> {
    let address = Address::from(place);
    let entries = address.entries().map(|entry| format!("{entry}!"));
    let keys: Vec<String> = entries.chain(address.keys.iter().cloned()).collect();
    // What is as expected is left out, unless it is asked for.
    for all in [false, true] {
        let mut tree = Tree::whole(all);
        visit(model, &mut tree)?;
        if let Some(mut value) = tree.value(&keys) {
            shorten(&mut value, most);
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// Leaves out what is too much for people.
fn shorten(value: &mut Json, most: usize) {
    match value {
        Json::List(items) => {
            let more = items.len().saturating_sub(most);
            items.truncate(most);
            items.iter_mut().for_each(|item| shorten(item, most));
            if more > 0 {
                items.push(format!("… {more} more").into());
            }
        }
        Json::Object(members) => members.iter_mut().for_each(|(_, value)| shorten(value, most)),
        Json::Bytes(bytes) if bytes.len() > LONG => *value = quote(bytes).into(),
        _ => {}
    }
}
