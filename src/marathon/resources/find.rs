//! Finds the parts of a fork by its map, in read mode.

use core::ops::Range;

use field::{Block, Fault, Nth, Record, Result, Step, Tape, Truth, U16be, wide};

use super::map::{BlockHeader, Header, MapHeader, Reference, TypeCount, TypeHeader};
use super::{Areas, Item, RESOURCES, Resource, ResourceFork, Type};

/// An error in a fork, with its place.
pub(super) struct Wrong {
    /// Offset from the start of the fork.
    offset: u64,
    steps: Vec<Step>,
    fault: Fault,
}

/// A fork being examined.
struct Fork<'a>(&'a [u8]);

impl Fork<'_> {
    /// Reads a record of the fork. `steps` are the path of the field that specifies its location.
    fn record<R: Record>(&self, offset: u64, steps: &[Step]) -> core::result::Result<R, Wrong> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let bytes = self.0.get(from..).and_then(|rest| rest.get(..size_of::<R>()));
        let remain = wide(self.0.len()).saturating_sub(offset);
        let fault = Fault::Ends { count: 1, each: wide(size_of::<R>()), remain };
        let wrong = Wrong { offset: offset.min(wide(self.0.len())), steps: steps.to_vec(), fault };
        bytes.and_then(field::macros::read_pod).ok_or(wrong)
    }
}

/// The locations of the names of resources, `None` for those without.
type Names = Vec<Option<Range<u64>>>;

/// Converts a stored number, which is one less than a count, to the count.
fn counted(last: U16be) -> u16 {
    last.get().wrapping_add(1)
}

/// Returns the length of a record.
fn length<R: Record>() -> u64 {
    wide(size_of::<R>())
}

impl ResourceFork {
    /// Finds the resources by the map in read mode, and returns the locations of all parts.
    pub(super) fn find(&mut self, t: &Tape<'_>, start: u64) -> Result<Vec<Range<u64>>> {
        let remaining = t.position() + t.remaining() - start;
        let fork = t.peek(start, remaining).map_err(|fault| t.error(fault))?;
        let found = self.survey(&fork).map_err(|wrong| t.error_at(start + wrong.offset, wrong.steps, wrong.fault))?;
        // Each takes 12 bytes in the map, so memory is charged after the map has been found.
        t.charge(wide(self.resources.len() * size_of::<Resource>()))?;
        Ok(found)
    }

    /// Creates the types and resources listed in a map; returns the locations of the parts, in the order of the items.
    pub(super) fn survey(&mut self, bytes: &[u8]) -> core::result::Result<Vec<Range<u64>>, Wrong> {
        let fork = Fork(bytes);
        let head: Header = fork.record(0, &[Step::Name("map_offset")])?;
        let map_start = u64::from(head.map_offset.get());
        let map: MapHeader = fork.record(map_start, &[Step::Name("map_offset")])?;
        let areas =
            [("data_length", head.data_offset, head.data_length), ("map_length", head.map_offset, head.map_length)];
        for (field, begin, told) in areas {
            let remain = wide(bytes.len()).saturating_sub(begin.get().into());
            if u64::from(told.get()) > remain {
                let fault = Fault::Ends { count: told.get().into(), each: 1, remain };
                return Err(Wrong { offset: 0, steps: vec![Step::Name(field)], fault });
            }
        }
        let type_list = map_start + u64::from(map.type_list.get());
        let steps = [Step::Name("map"), Step::Name("type_list")];
        let types: TypeCount = fork.record(type_list, &steps)?;
        let types = u64::from(counted(types.last_type));
        self.types.clear();
        self.resources.clear();
        let mut references = Vec::new();
        for index in 0..types {
            let at = type_list + length::<TypeCount>() + index * length::<TypeHeader>();
            let head: TypeHeader = fork.record(at, &steps)?;
            let count = counted(head.last);
            let first = type_list + u64::from(head.references.get());
            let end = first + u64::from(count) * length::<Reference>();
            if count > 0 {
                references.push(first..end);
            }
            // Overlapping lists could contain more references than the file has space for.
            let told = references.iter().map(|list| list.end - list.start).sum::<u64>();
            if count > 0 && (told > wide(bytes.len()) || end > wide(bytes.len())) {
                let remain = wide(bytes.len()).saturating_sub(first);
                let fault = Fault::Ends { count: count.into(), each: length::<Reference>(), remain };
                return Err(Wrong { offset: at, steps: steps.to_vec(), fault });
            }
            let no_references = if count == 0 { head.references } else { U16be::default() };
            self.types.push(Type { code: head.code, count: U16be::new(count), no_references, head });
            for nth in 0..u64::from(count) {
                let reference: Reference = fork.record(first + nth * length::<Reference>(), &steps)?;
                self.resources.push(Resource { code: head.code, reference, ..Resource::default() });
            }
        }
        let (data, names) = self.look_up(&fork, head, map_start + u64::from(map.name_list.get()))?;
        let types_end = type_list + length::<TypeCount>() + types * length::<TypeHeader>();
        let map = map_start..map_start + length::<MapHeader>();
        self.lies(&data, [&map, &(type_list..types_end)].into_iter().chain(&references), &names)?;
        let told = self.types.iter().map(|of| (of.code, of.count));
        self.types_differ = !told.eq(runs(&self.resources).iter().map(|run| (run.code, run.count)));
        self.areas = Areas::default();
        let mut lists = references.into_iter();
        let ranges = self.items().into_iter().map(|item| match item {
            Item::Data(index) => data.get(index).cloned().unwrap_or_default(),
            Item::Map => map.clone(),
            Item::Types => type_list..types_end,
            Item::References(from, to) if from == to => 0..0,
            Item::References(..) => lists.next().unwrap_or_default(),
            Item::Name(index) => names.get(index).cloned().flatten().unwrap_or_default(),
        });
        let ranges: Vec<Range<u64>> = ranges.collect();
        // No part lies in the header; where the parts end is checked with their contents.
        let begin = length::<Header>();
        if let Some(range) = ranges.iter().find(|range| !range.is_empty() && range.start < begin) {
            let fault = Fault::Outside { found: range.start.into(), expected: format!("an offset from {begin}") };
            return Err(Wrong { offset: 4, steps: vec![Step::Name("map_offset")], fault });
        }
        let first = ranges.iter().filter(|range| !range.is_empty()).map(|range| range.start).min().unwrap_or(0);
        self.lacks_areas = Truth::from(first < length::<Header>() + length::<Areas>());
        Ok(ranges)
    }

    /// Returns the locations of data and names, and sets their orders.
    fn look_up(
        &mut self,
        fork: &Fork<'_>,
        head: Header,
        name_list: u64,
    ) -> core::result::Result<(Vec<Range<u64>>, Names), Wrong> {
        let (mut data, mut names) = (Vec::new(), Vec::new());
        for (index, resource) in (0..).zip(&mut self.resources) {
            let steps = |field| [Step::Name(RESOURCES), Step::Index(index), Step::Name(field)];
            let [high, middle, low] = resource.reference.data_offset.map(|byte| byte.get());
            let at = u64::from(head.data_offset.get()) + u64::from(u32::from_be_bytes([0, high, middle, low]));
            let block: BlockHeader = fork.record(at, &steps("data_offset"))?;
            data.push(at..at + length::<BlockHeader>() + u64::from(block.length.get()));
            let name_offset = resource.reference.name_offset.get();
            if name_offset == u16::MAX {
                names.push(None);
                continue;
            }
            resource.name = Some(Block::default());
            let at = name_list + u64::from(name_offset);
            let long = usize::try_from(at).ok().and_then(|at| fork.0.get(at)).copied();
            let fault = || Fault::Ends { count: 1, each: 1, remain: 0 };
            let long = long.ok_or_else(|| Wrong {
                offset: wide(fork.0.len()),
                steps: steps("name_offset").to_vec(),
                fault: fault(),
            })?;
            names.push(Some(at..at + 1 + u64::from(long)));
        }
        let data_orders = orders(data.iter().map(|range| range.start));
        let name_orders = orders(names.iter().flatten().map(|range| range.start));
        for (resource, order) in self.resources.iter_mut().zip(data_orders) {
            resource.data_order = order;
        }
        let named = self.resources.iter_mut().filter(|resource| resource.name.is_some());
        for (resource, order) in named.zip(name_orders) {
            resource.name_order = order;
        }
        Ok((data, names))
    }

    /// Marks names that begin inside other parts; refuses a map with lists that do.
    fn lies<'r>(
        &mut self,
        data: &[Range<u64>],
        lists: impl Iterator<Item = &'r Range<u64>>,
        names: &[Option<Range<u64>>],
    ) -> core::result::Result<(), Wrong> {
        // Of parts at the same offset, data come first and names last, as in the usual order.
        let data = data.iter().map(|range| (range.clone(), 0, 0));
        let lists = lists.map(|range| (range.clone(), 1, 0));
        let names = names.iter().enumerate().filter_map(|(index, range)| Some((range.clone()?, 2, index)));
        let mut parts: Vec<(Range<u64>, u8, usize)> = data.chain(lists).chain(names).collect();
        parts.sort_by_key(|(range, what, index)| (range.start, *what, *index));
        let mut end = 0;
        for (range, what, index) in parts {
            if range.start < end && what == 1 {
                let expected = format!("an offset from {end}, after the part before");
                let fault = Fault::Outside { found: range.start.into(), expected };
                let steps = vec![Step::Name("map"), Step::Name("type_list")];
                return Err(Wrong { offset: range.start, steps, fault });
            }
            if let (true, 2, Some(resource)) = (range.start < end, what, self.resources.get_mut(index)) {
                resource.name_is_shared = Truth::from(true);
            }
            end = end.max(range.end);
        }
        Ok(())
    }
}

/// Returns the rank of each offset, or no ranks if the offsets are in order.
pub(super) fn orders(offsets: impl Iterator<Item = u64>) -> Vec<Nth> {
    let mut order: Vec<(u64, usize)> = offsets.zip(0..).collect();
    let count = order.len();
    if order.is_sorted() {
        return vec![Nth::default(); count];
    }
    order.sort_unstable();
    let mut ranks = vec![Nth::default(); count];
    for (place, (_, index)) in order.into_iter().enumerate() {
        if let Some(rank) = ranks.get_mut(index) {
            *rank = Nth::new(place);
        }
    }
    ranks
}

/// Returns the types of resources in order, with one item per run of the same type.
pub(super) fn runs(resources: &[Resource]) -> Vec<Type> {
    let runs = resources.chunk_by(|one, next| one.code == next.code);
    let of = |run: &[Resource]| {
        let code = run.first().map(|resource| resource.code).unwrap_or_default();
        let count = U16be::new(u16::try_from(run.len()).unwrap_or(u16::MAX));
        Type { code, count, ..Type::default() }
    };
    runs.map(of).collect()
}
