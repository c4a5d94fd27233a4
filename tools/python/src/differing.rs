//! The values of a file that Python has changed in memory.

use ::field::{Layout, Shape, hex};
use bitexact::field::{Address, Value};

use crate::index::{Holds, Slot};

/// The maximum number of rows of a block that are changed one by one.
const FEW: usize = 64;

/// Adds the values of a slot that differ.
pub(crate) fn differing(slot: Slot, place: &Address, (old, new): (&[u8], &[u8]), set: &mut Vec<(Address, Value)>) {
    match slot.holds {
        Holds::Fields(layout) => of_record(layout, place, (old, new), set),
        Holds::Value(item) => of_shape(&item.shape, place.clone(), (old, new), set),
        Holds::Block(item) => {
            let size = item.size.max(1);
            let rows = || old.chunks_exact(size).zip(new.chunks_exact(size)).enumerate();
            let many = rows().filter(|(_, (old, new))| old != new).nth(FEW).is_some();
            // What its container computes is not in a list of records, so these are changed one by one.
            if many && !matches!(item.shape, Shape::Record(_)) {
                set.push((place.clone(), new.chunks_exact(size).map(|row| item.shape.show(row)).collect()));
                return;
            }
            for (index, (old, new)) in rows().filter(|(_, (old, new))| old != new) {
                of_shape(&item.shape, place.with(index.to_string()), (old, new), set);
            }
        }
        Holds::Raw => set.push((place.clone(), hex(new).into())),
        Holds::Count(_) | Holds::Text(_) | Holds::Coded(_) => {}
    }
}

fn of_shape(shape: &Shape, place: Address, (old, new): (&[u8], &[u8]), set: &mut Vec<(Address, Value)>) {
    match shape {
        Shape::Record(layout) => of_record(layout, &place, (old, new), set),
        shape => set.push((place, shape.show(new))),
    }
}

fn of_record(layout: &'static Layout, place: &Address, (old, new): (&[u8], &[u8]), set: &mut Vec<(Address, Value)>) {
    for field in layout.fields {
        if let (Some(was), Some(now)) = (field.of(old), field.of(new))
            && was != now
        {
            of_shape(field.shape_in(new), place.with(field.name), (was, now), set);
        }
    }
}
