//! Updates the map to the locations of the parts of a fork.

use core::ops::Range;

use field::walk::{in_item, size};
use field::{Fault, Integer as _, Nth, Result, Step, Tape, U8, U16be, U32be, Value, wide};

use super::find::{orders, runs};
use super::map::{Areas, Header, MapHeader, Reference, TypeCount, TypeHeader};
use super::{Item, RESOURCES, Resource, ResourceFork, Type};

/// Returns the indices in order of their ranks.
fn in_order(ranks: impl Iterator<Item = (usize, Nth)>) -> Vec<usize> {
    let mut order: Vec<(Nth, usize)> = ranks.map(|(index, rank)| (rank, index)).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, index)| index).collect()
}

impl ResourceFork {
    /// Returns the parts after the header, in the usual order.
    pub(super) fn items(&self) -> Vec<Item> {
        let resources = || self.resources.iter().enumerate();
        let data = in_order(resources().map(|(index, resource)| (index, resource.data_order)));
        let mut items: Vec<Item> = data.into_iter().map(Item::Data).collect();
        items.extend([Item::Map, Item::Types]);
        let mut first = 0;
        for of in &self.types {
            let end = usize::from(of.count.get()) + first;
            items.push(Item::References(first, end));
            first = end;
        }
        let named = resources().filter(|(_, resource)| resource.name.is_some());
        items.extend(in_order(named.map(|(index, resource)| (index, resource.name_order))).into_iter().map(Item::Name));
        items
    }

    /// Returns the types of the resources.
    pub(super) fn runs(&self) -> core::result::Result<Vec<Type>, Fault> {
        let runs = runs(&self.resources);
        let all: u64 = runs.iter().map(|run| u64::from(run.count.get())).sum();
        match wide(self.resources.len()) {
            count if count == all => Ok(runs),
            value => Err(Fault::TooLarge { value, field: "u16" }),
        }
    }

    /// Drops orders equal to that of the map, and renumbers the others, in load mode: resources may have been added or removed.
    pub(super) fn tidy_orders(&mut self, t: &mut Tape<'_>) {
        let all: Vec<usize> = (0..self.resources.len()).collect();
        let named = self.resources.iter().enumerate().filter(|(_, resource)| resource.name.is_some());
        let named: Vec<usize> = named.map(|(index, _)| index).collect();
        self.tidy(t, &all, "data_order", |resource| &mut resource.data_order);
        self.tidy(t, &named, "name_order", |resource| &mut resource.name_order);
    }

    fn tidy(&mut self, t: &mut Tape<'_>, indices: &[usize], field: &'static str, order: fn(&mut Resource) -> &mut Nth) {
        let given = indices.iter().filter_map(|&index| Some((index, *order(self.resources.get_mut(index)?))));
        let given: Vec<(usize, Nth)> = given.collect();
        let mut places = vec![0; self.resources.len()];
        for (place, index) in (0..).zip(in_order(given.iter().copied())) {
            if let Some(slot) = places.get_mut(index) {
                *slot = place;
            }
        }
        let tidied = orders(given.iter().map(|&(index, _)| places.get(index).copied().unwrap_or_default()));
        for ((index, was), now) in given.into_iter().zip(tidied) {
            if let Some(resource) = self.resources.get_mut(index) {
                *order(resource) = now;
            }
            let shown = |nth: Nth| nth.get().map_or(Value::Null, |nth| i64::try_from(nth).unwrap_or(i64::MAX).into());
            let place = t.place().with([Step::Name(RESOURCES), Step::Index(wide(index)), Step::Name(field)]);
            t.report_replaced_value(place, shown(was), shown(now));
        }
    }

    /// Updates the locations in the map.
    pub(super) fn recompute(&mut self, t: &Tape<'_>) -> Result {
        let items = self.items();
        let Some(places) = t.from_sizes(|| self.places(&items))? else { return Ok(()) };
        let (map, types) = (place_of(Item::Map, &items, &places), place_of(Item::Types, &items, &places));
        t.computed("map_offset", &mut self.head.map_offset, map.start)?;
        let type_list = match types.start.checked_sub(map.start) {
            Some(type_list) => type_list,
            // Pieces without the types are refused when they are laid out.
            None if types.is_empty() => 0,
            None => {
                let expected = format!("the types at or after {}, where the map begins", map.start);
                return Err(t.error_in("type_list", Fault::Outside { found: types.start.into(), expected }));
            }
        };
        t.computed("type_list", &mut self.map.type_list, type_list)?;
        let last = |count: usize| wide(count).checked_sub(1).unwrap_or(u16::MAX.into());
        t.computed("last_type", &mut self.type_count.last_type, last(self.types.len()))?;
        let told: u64 = self.types.iter().map(|of| u64::from(of.count.get())).sum();
        if told != wide(self.resources.len()) {
            let found = wide(self.resources.len());
            return Err(t.error_in("types", Fault::Count { expected: told, found }));
        }
        let data_offset = u64::from(self.head.data_offset.get());
        let name_list = map.start + u64::from(self.map.name_list.get());
        let mut heads = self.types.iter_mut();
        for resource in &mut self.resources {
            resource.reference.name_offset = U16be::new(u16::MAX);
        }
        for (item, place) in items.iter().zip(&places) {
            match *item {
                Item::Data(index) => {
                    let Some(resource) = self.resources.get_mut(index) else { continue };
                    // Pieces without the item, which have no place for it, are refused when they are laid out.
                    let length = (place.end - place.start).saturating_sub(4);
                    t.computed("length", &mut resource.block.length, length)?;
                    resource.reference.data_offset = short(t, place.start.wrapping_sub(data_offset))?;
                }
                Item::References(from, to) => {
                    let Some(of) = heads.next() else { continue };
                    of.head = TypeHeader { code: of.code, references: of.no_references, ..of.head };
                    t.computed("last", &mut of.head.last, last(to - from))?;
                    if from < to {
                        let offset = place.start.wrapping_sub(types.start);
                        t.computed("references", &mut of.head.references, offset)?;
                    }
                }
                Item::Name(index) => {
                    let Some(resource) = self.resources.get_mut(index) else { continue };
                    t.computed(
                        "name_offset",
                        &mut resource.reference.name_offset,
                        place.start.wrapping_sub(name_list),
                    )?;
                }
                Item::Map | Item::Types => {}
            }
        }
        Ok(())
    }

    /// Returns both headers with their computed values.
    pub(super) fn rules(&self, items: &[Item], places: &[Range<u64>]) -> (Header, MapHeader) {
        let (map, types) = (place_of(Item::Map, items, places), place_of(Item::Types, items, places));
        let data_offset = u64::from(self.head.data_offset.get());
        let (mut data_end, mut map_end, mut lists_end) = (data_offset, map.end, types.end);
        for (item, place) in items.iter().zip(places) {
            match *item {
                Item::Data(_) => data_end = data_end.max(place.end),
                Item::References(from, to) if from < to => lists_end = lists_end.max(place.end),
                Item::Name(_) => map_end = map_end.max(place.end),
                Item::References(..) | Item::Map | Item::Types => {}
            }
        }
        map_end = map_end.max(lists_end);
        let or = |value: u64, found: U32be| U32be::of(value).unwrap_or(found);
        let head = Header {
            data_length: or(data_end.saturating_sub(data_offset), self.head.data_length),
            map_length: or(map_end.saturating_sub(map.start), self.head.map_length),
            ..self.head
        };
        let map = MapHeader {
            data_offset_again: self.head.data_offset,
            map_offset_again: self.head.map_offset,
            data_length_again: self.head.data_length,
            map_length_again: self.head.map_length,
            name_list: U16be::of(lists_end.saturating_sub(map.start)).unwrap_or(self.map.name_list),
            ..self.map
        };
        (head, map)
    }

    /// Returns the locations of the parts.
    ///
    /// # Errors
    /// Returns an error if one of them cannot be written.
    pub(super) fn places(&self, items: &[Item]) -> Result<Vec<Range<u64>>> {
        let length = |item: &Item| match *item {
            Item::Data(index) => {
                let content = self.resources.get(index).and_then(|resource| resource.content.as_ref());
                Ok(in_item(RESOURCES, index, content.map_or(Ok(0), size))? + 4)
            }
            Item::Map => Ok(wide(size_of::<MapHeader>())),
            Item::Types => Ok(wide(size_of::<TypeCount>() + self.types.len() * size_of::<TypeHeader>())),
            Item::References(from, to) => Ok(wide((to - from) * size_of::<Reference>())),
            Item::Name(index) => {
                let name = self.resources.get(index).and_then(|resource| resource.name.as_ref());
                Ok(name.map_or(0, |name| wide(name.len()) + 1))
            }
        };
        let lengths = items.iter().map(length).collect::<Result<Vec<u64>>>()?;
        let areas = if bool::from(self.lacks_areas) { 0 } else { size_of::<Areas>() };
        Ok(self.arrangement.places(wide(size_of::<Header>() + areas), &lengths, None)?.items)
    }
}

/// Returns the location of an item.
fn place_of(wanted: Item, items: &[Item], places: &[Range<u64>]) -> Range<u64> {
    let mut all = items.iter().zip(places);
    all.find(|(item, _)| **item == wanted).map_or(0..0, |(_, place)| place.clone())
}

/// Returns an offset as three bytes.
fn short(t: &Tape<'_>, value: u64) -> Result<[U8; 3]> {
    match u32::try_from(value).map(u32::to_be_bytes) {
        Ok([0, high, middle, low]) => Ok([high, middle, low].map(U8::new)),
        _ => Err(t.error_in("data_offset", Fault::TooLarge { value, field: "u24" })),
    }
}
