//! Lists of free slots, and null addresses.

use field::{Judge, U32};

/// Follows the list of free slots from `head`. Returns the first error, or `None` if the list contains exactly these slots.
///
/// Three checks guarantee that the walk ends: each slot must exist, be free, and not have come before.
/// Source: `zipper-gamez.md`, sections 3 and 9.
pub(super) fn broken_list(free: &[Option<u32>], head: u32, end: u32) -> Option<String> {
    let mut left: usize = free.iter().flatten().count();
    let mut seen = vec![false; free.len()];
    let (mut slot, mut before) = (head, None);
    while slot != end {
        let known = usize::try_from(slot).ok().and_then(|at| Some((free.get(at)?, seen.get_mut(at)?)));
        let whence = before.map_or("the head".to_owned(), |before| format!("slot {before}"));
        match known {
            None => return Some(format!("{whence} leads to slot {slot}, which does not exist")),
            Some((None, _)) => return Some(format!("{whence} leads to slot {slot}, which is in use")),
            Some((_, true)) => return Some(format!("{whence} leads to slot {slot} again")),
            Some((Some(next), seen)) => {
                *seen = true;
                left -= 1;
                (before, slot) = (Some(slot), *next);
            }
        }
    }
    (left > 0).then(|| format!("a list that lacks {left} of them"))
}

/// Returns the slot at which a list of all free slots begins: the only one to which no other leads. Returns `None` if there are several.
pub(super) fn first_free(free: &[Option<u32>], end: u32) -> Option<u32> {
    let mut is_next = vec![false; free.len()];
    for next in free.iter().flatten() {
        if let Some(is_next) = usize::try_from(*next).ok().and_then(|next| is_next.get_mut(next)) {
            *is_next = true;
        }
    }
    let mut first = (0..).zip(free.iter().zip(is_next)).filter(|(_, (slot, is_next))| slot.is_some() && !is_next);
    match (first.next(), first.next()) {
        (None, _) => free.iter().all(Option::is_none).then_some(end),
        (Some((slot, _)), None) => Some(slot),
        _ => None,
    }
}

/// Reports a null address of present data, or another address of absent data.
#[inline]
pub(super) fn null_where_nothing(t: &mut Judge<'_>, name: &'static str, address: U32, something: bool) {
    // Nearly every address is as expected, so this is checked before `t` is asked whether to report it.
    if (address.get() != 0) != something {
        let expected = if something { "an address".into() } else { 0.into() };
        t.expect(name, || Some((expected, address.get().into())));
    }
}

#[cfg(test)]
mod tests {
    use super::broken_list;

    /// Source: the worked check of `zipper-nodes.md`, section 1.4: eight slots, 0 to 4 used, then 3 deleted.
    #[test]
    fn broken_list_reports_the_first_wrong_link() {
        const END: u32 = 0x00FF_FFFF;
        let mut free = [None, None, None, Some(5), None, Some(6), Some(7), Some(END)];
        assert_eq!(broken_list(&free, 3, END), None);
        assert_eq!(broken_list(&free, 5, END), Some("a list that lacks 1 of them".to_owned()));
        assert_eq!(broken_list(&free, 8, END), Some("the head leads to slot 8, which does not exist".to_owned()));
        assert_eq!(broken_list(&free, END, END), Some("a list that lacks 4 of them".to_owned()));
        free[5] = Some(3);
        assert_eq!(broken_list(&free, 3, END), Some("slot 5 leads to slot 3 again".to_owned()));
        free[5] = Some(4);
        assert_eq!(broken_list(&free, 3, END), Some("slot 5 leads to slot 4, which is in use".to_owned()));
        assert_eq!(broken_list(&[None], END, END), None);
    }
}
