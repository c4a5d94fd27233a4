//! The order of a directory that Crimson Skies can search.
//!
//! The game folds the name that it looks for to lower case, and searches the directory by halves: an image is found only if all names are
//! in lower case, each after the one before it, by bytes. Source: `zipper-textures.md`, section 3 (engine).

use super::Slot;

/// The number of images from which an order is one.
const LEAST: usize = 2;

/// Returns the index of the first name that breaks the order, or `None`.
fn first_out(directory: &[Slot]) -> Option<usize> {
    let mut before: Option<&[u8]> = None;
    directory.iter().position(|slot| {
        let name = slot.name.bytes();
        let is_next = before.is_none_or(|before| before < name) && !name.iter().any(u8::is_ascii_uppercase);
        before = Some(name);
        !is_next
    })
}

/// Returns `true` if Crimson Skies finds every image.
pub(super) fn is_in_order(directory: &[Slot]) -> bool {
    directory.len() >= LEAST && first_out(directory).is_none()
}

/// Returns the index of the first name that breaks the order, and what is expected instead of it, or `None`.
pub(super) fn broken(directory: &[Slot]) -> Option<(usize, String)> {
    let index = first_out(directory)?;
    let before = index.checked_sub(1).and_then(|before| directory.get(before));
    let after = before.map_or_else(String::new, |before| format!(" after {:?}", before.name.to_string()));
    let expected = format!(
        "a name in lower case{after}, because Crimson Skies finds no other; set /in_order to false to give that up"
    );
    Some((index, expected))
}

#[cfg(feature = "exchange")]
pub(super) use arrange::arrange;

#[cfg(feature = "exchange")]
mod arrange {
    use field::{GAME_TEXT, Value};
    use kind::Moved;

    const LIST: &str = "directory";

    /// Returns the name of an image, given its entry in the directory.
    fn name(entry: &Value) -> &str {
        let name = entry.get("name");
        name.and_then(|name| name.text().or_else(|| name.get("text")?.text())).unwrap_or_default()
    }

    /// Puts the images of a package in order, if its directory is to have one, and returns those that moved. Images that are not end to end
    /// stay where they are, because the list of their places has their indices.
    pub(in super::super) fn arrange(package: &mut Value) -> Vec<Moved> {
        if package.get("in_order") != Some(&Value::Bool(true)) || package.get(field::PIECES).is_some() {
            return Vec::new();
        }
        let Some(Value::List(directory)) = package.step_mut(LIST) else { return Vec::new() };
        let key = |entry: &Value| {
            let name = name(entry);
            GAME_TEXT.encode(name).unwrap_or_else(|| name.into())
        };
        let mut items: Vec<(Vec<u8>, usize, Value)> = Vec::with_capacity(directory.len());
        items.extend(
            core::mem::take(directory).into_iter().enumerate().map(|(index, entry)| (key(&entry), index, entry)),
        );
        // Images with equal names keep their order.
        items.sort_by(|one, other| one.0.cmp(&other.0));
        let indices: Vec<usize> = items.iter().map(|(_, index, _)| *index).collect();
        let stay = ascending(&indices);
        let moved = items.iter().enumerate().zip(&stay).filter(|(_, stays)| !**stays);
        let moved = moved.map(|((to, (_, from, entry)), _)| Moved {
            list: LIST,
            name: name(entry).to_owned(),
            from: *from,
            to,
        });
        let moved = moved.collect();
        *directory = items.into_iter().map(|(.., entry)| entry).collect();
        moved
    }

    /// Returns which of some numbers belong to a longest ascending choice of them.
    fn ascending(numbers: &[usize]) -> Vec<bool> {
        // The positions of the lowest last number of a choice of each length, and the position before each in its choice.
        let (mut last, mut before): (Vec<usize>, Vec<Option<usize>>) = (Vec::new(), Vec::new());
        let number = |at: &usize| numbers.get(*at).copied().unwrap_or_default();
        for (at, own) in numbers.iter().enumerate() {
            let length = last.partition_point(|other| number(other) < *own);
            before.push(length.checked_sub(1).and_then(|shorter| last.get(shorter)).copied());
            match last.get_mut(length) {
                Some(slot) => *slot = at,
                None => last.push(at),
            }
        }
        let mut chosen = vec![false; numbers.len()];
        let mut next = last.last().copied();
        while let Some(at) = next {
            if let Some(slot) = chosen.get_mut(at) {
                *slot = true;
            }
            next = before.get(at).copied().flatten();
        }
        chosen
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn fewest_numbers_move() {
            for (numbers, stay) in [
                (&[][..], &[][..]),
                (&[0, 1, 2], &[true; 3]),
                (&[3, 0, 1, 2], &[false, true, true, true]),
                (&[1, 2, 0, 3], &[true, true, false, true]),
                (&[2, 1, 0], &[false, false, true]),
            ] {
                assert_eq!(ascending(numbers), stay, "{numbers:?}");
            }
        }
    }
}
