//! Space for resources that an edit has made longer or shorter.
//!
//! Headers and data entries store the available space, so they do not change as long as everything fits. Otherwise, the
//! steps of the spec apply. A resource that shrinks keeps its position and is followed by zeros. A resource that grows
//! takes zeros that follow it, or moves after the last resource. The section grows by whole units. If it reaches the
//! next section in memory, the relocations move, because only the headers refer to them.
//!
//! Source: `zipper-messages.md`, section 7.

use core::ops::Range;

use field::{Block, Fault, Integer as _, Pad, U32, wide};

use super::header::{DEBUG, Directory, OptionalHeader, RELOCATIONS, RESOURCES, SIGNATURES};
use super::resources::{Resource, Resources, Section, to_multiple};
use super::section::Body;
use super::{Dll, tree};

type Fit<T = ()> = core::result::Result<T, Fault>;

/// Makes space in a DLL.
///
/// # Errors
/// Returns an error if there is not enough space.
pub(super) fn fit(dll: &mut Dll) -> Fit {
    let image = dll.image();
    let found = dll.sections.iter_mut().enumerate().find_map(|(index, it)| {
        let section = it.place(image);
        match &mut it.body {
            Body::Resources(resources) => Some((index, section, resources)),
            _ => None,
        }
    });
    let Some((index, section, resources)) = found else { return Ok(()) };
    let Some(end) = resources.fit(section)? else { return Ok(()) };
    let Dll { sections, optional, directories, nt, .. } = dll;

    let before = image_end(sections, optional);
    let Some(head) = sections.get_mut(index).map(|section| &mut section.head) else { return Ok(()) };
    if end > section.room {
        let unit = u64::from(optional.file_alignment.get()).max(1);
        let more = (end - section.room).next_multiple_of(unit);
        head.raw_size = add(head.raw_size, more)?;
        optional.initialized_size = add(optional.initialized_size, more)?;
        // These tables hold file offsets that would not be updated.
        let has = |directory: usize| directories.get(directory).is_some_and(|it: &Directory| it.size.get() > 0);
        if has(SIGNATURES) || has(DEBUG) || nt.symbol_table.get() > 0 {
            let expected =
                format!("resources of at most {} bytes, because other tables contain file offsets", section.room);
            return Err(Fault::Outside { found: end.into(), expected });
        }
    }
    if end > head.end() - head.begin() {
        head.virtual_size = number(end)?;
    }
    let (begin, memory_end) = (head.begin(), head.end());
    directories.edit(|directories| {
        let size = end.saturating_sub(section.root);
        match directories.get_mut(RESOURCES) {
            Some(directory) if u64::from(directory.size.get()) < size => number(size).map(|size| directory.size = size),
            _ => Ok(()),
        }
    })?;
    make_way(dll, begin, memory_end)?;
    let Dll { sections, optional, .. } = dll;
    let after = image_end(sections, optional);
    if before != after {
        optional.image_size = number(after)?;
    }
    Ok(())
}

/// Returns the end of an image in memory.
pub(super) fn image_end(sections: &[super::section::Section], optional: &OptionalHeader) -> u64 {
    align(sections.iter().map(|section| section.head.end()).max().unwrap_or(0), optional)
}

/// Returns the next address at which a section can begin.
fn align(address: u64, optional: &OptionalHeader) -> u64 {
    let unit = u64::from(optional.section_alignment.get()).max(1);
    address.checked_next_multiple_of(unit).unwrap_or(u64::MAX)
}

/// Moves relocations in memory if a section with this begin and end overlaps them.
fn make_way(dll: &mut Dll, begin: u64, end: u64) -> Fit {
    let Dll { sections, optional, directories, .. } = dll;
    let mut next: Vec<_> = sections.iter_mut().map(|it| &mut it.head).filter(|head| head.begin() > begin).collect();
    next.sort_by_key(|head| head.begin());
    let (first, others) = match next.as_mut_slice() {
        [first, others @ ..] if first.begin() < end => (first, others),
        _ => return Ok(()),
    };
    let directory = directories.get(RELOCATIONS).copied().unwrap_or_default();
    let told = u64::from(directory.address.get()) == first.begin();
    let untold = directory.address.get() == 0 && first.name.bytes() == b".reloc";
    if !others.is_empty() || !(told || untold) {
        let expected = format!("a section that ends at {} in memory, where the next begins", first.begin());
        return Err(Fault::Outside { found: end.into(), expected });
    }
    first.virtual_address = number(align(end, optional))?;
    let address = first.virtual_address;
    directories.edit(|directories| {
        if let (true, Some(directory)) = (told, directories.get_mut(RELOCATIONS)) {
            *directory = Directory { address, ..*directory };
        }
    });
    Ok(())
}

fn number(value: u64) -> Fit<U32> {
    U32::of(value).ok_or(Fault::TooLarge { value, field: "u32" })
}

fn add(number: U32, more: u64) -> Fit<U32> {
    self::number(u64::from(number.get()) + more)
}

impl Resources {
    /// Makes space for every resource in a section, and returns the end of the last byte in use, or `None` if no length
    /// has changed.
    fn fit(&mut self, section: Section) -> Fit<Option<u64>> {
        let places = self.places(section);
        if places.len() != self.resources.len() {
            return Err(Fault::Count { expected: wide(places.len()), found: wide(self.resources.len()) });
        }
        let length = |it: &Resource| it.length().map_err(|error| error.fault().clone());
        let lengths = self.resources.iter().map(length).collect::<Fit<Vec<u64>>>()?;
        let old = |place: &Range<u64>| place.end - place.start;
        if let Some(outside) = places.iter().map(|place| place.end).find(|&end| end > section.room) {
            let expected = format!("resources that end at or before {} in their section", section.room);
            return Err(Fault::Outside { found: outside.into(), expected });
        }
        let changed: Vec<usize> = (0..)
            .zip(places.iter().zip(&lengths))
            .filter(|(_, (place, length))| old(place) != **length)
            .map(|(index, _)| index)
            .collect();
        if changed.is_empty() {
            return Ok(None);
        }
        let shared = |place: &Range<u64>| {
            self.stated(section).any(|told| told != *place && told.start < place.end && place.start < told.end)
        };
        for (place, length) in changed.iter().filter_map(|&index| places.get(index).zip(lengths.get(index))) {
            if shared(place) || *length == 0 {
                let expected = if *length == 0 {
                    "at least 1 byte".into()
                } else {
                    format!("{} bytes, because other resources are in them", old(place))
                };
                return Err(Fault::Outside { found: (*length).into(), expected });
            }
        }
        let mut strip = Strip::new(tree::end(&self.tree), &places, &self.gaps(&places), &self.rest);
        for index in changed {
            strip.resize(index, lengths.get(index).copied().unwrap_or(0));
        }
        let moves: Vec<(Range<u64>, Range<u64>)> =
            strip.places().map(|(index, place)| (places.get(index).cloned().unwrap_or_default(), place)).collect();
        self.tell(section, &moves)?;
        self.put(&strip);
        Ok(Some(strip.end()))
    }

    /// Returns the bytes before each resource.
    fn gaps(&self, places: &[Range<u64>]) -> Vec<Vec<u8>> {
        let mut end = tree::end(&self.tree);
        let gap = |(resource, place): (&Resource, &Range<u64>)| {
            let zeros = usize::try_from(place.start.saturating_sub(end)).unwrap_or(0);
            end = place.end;
            if bool::from(resource.loose) { resource.gap.to_vec() } else { vec![0; zeros] }
        };
        self.resources.iter().zip(places).map(gap).collect()
    }

    /// Updates the data entries of resources that have moved or changed length.
    fn tell(&mut self, section: Section, moves: &[(Range<u64>, Range<u64>)]) -> Fit {
        for node in &mut self.tree {
            let entry = &mut node.data;
            let told = section.place_of(entry);
            if let Some((_, now)) = moves.iter().find(|(before, _)| *before == told) {
                entry.address = number(section.address + now.start)?;
                entry.size = number(now.end - now.start)?;
            }
        }
        Ok(())
    }

    /// Puts the resources into their new order, with the bytes between them.
    fn put(&mut self, strip: &Strip) {
        let mut resources: Vec<Option<Resource>> = core::mem::take(&mut self.resources).into_iter().map(Some).collect();
        let mut end = strip.first;
        for (piece, (index, place)) in strip.pieces.iter().zip(strip.places()) {
            let Some(mut resource) = resources.get_mut(index).and_then(Option::take) else { continue };
            let zeros = piece.gap.iter().all(|&byte| byte == 0) && wide(piece.gap.len()) == to_multiple(end);
            resource.loose = (!zeros).into();
            resource.gap = if zeros { Block::default() } else { piece.gap.clone().into() };
            resource.padding = Pad::default();
            end = place.end;
            self.resources.push(resource);
        }
        self.rest = strip.rest.clone().into();
    }
}

/// The resources of a section and the bytes between them.
struct Strip {
    /// The offset in the section.
    first: u64,
    pieces: Vec<Piece>,
    /// The bytes after the last resource; endless zeros follow them.
    rest: Vec<u8>,
}

/// A resource, and the bytes before it.
struct Piece {
    gap: Vec<u8>,
    index: usize,
    length: u64,
}

impl Strip {
    fn new(first: u64, places: &[Range<u64>], gaps: &[Vec<u8>], rest: &[u8]) -> Self {
        let pieces = places.iter().zip(gaps).enumerate().map(|(index, (place, gap))| Piece {
            gap: gap.clone(),
            index,
            length: place.end - place.start,
        });
        Self { first, pieces: pieces.collect(), rest: rest.to_vec() }
    }

    /// Returns the byte range of each resource.
    fn places(&self) -> impl Iterator<Item = (usize, Range<u64>)> {
        let mut at = self.first;
        self.pieces.iter().map(move |piece| {
            let begin = at + wide(piece.gap.len());
            at = begin + piece.length;
            (piece.index, begin..at)
        })
    }

    fn end(&self) -> u64 {
        self.places().last().map_or(self.first, |(_, place)| place.end) + wide(self.rest.len())
    }

    /// Changes the length of a resource. All others keep their positions.
    fn resize(&mut self, index: usize, length: u64) {
        let Some(at) = self.pieces.iter().position(|piece| piece.index == index) else { return };
        let before = self.pieces.get(at).map_or(0, |piece| piece.length);
        let last = at + 1 == self.pieces.len();
        let behind = match self.pieces.get_mut(at + 1) {
            Some(next) => &mut next.gap,
            None => &mut self.rest,
        };
        let freed = usize::try_from(before.saturating_sub(length)).unwrap_or(0);
        let wanted = usize::try_from(length.saturating_sub(before)).unwrap_or(usize::MAX);
        let zeros = behind.iter().position(|&byte| byte != 0).unwrap_or(behind.len());
        let endless = last && zeros == behind.len();
        if wanted > zeros && !endless {
            return self.move_behind(at, length);
        }
        behind.drain(..wanted.min(zeros));
        // The last resource is followed by zeros anyway.
        if !endless {
            behind.splice(0..0, core::iter::repeat_n(0, freed));
        }
        if let Some(piece) = self.pieces.get_mut(at) {
            piece.length = length;
        }
    }

    /// Moves a resource to the end, after any bytes after the last resource, and leaves zeros in its old position.
    fn move_behind(&mut self, at: usize, length: u64) {
        let Piece { mut gap, index, length: before } = self.pieces.remove(at);
        gap.resize(gap.len() + usize::try_from(before).unwrap_or(0), 0);
        let behind = match self.pieces.get_mut(at) {
            Some(next) => &mut next.gap,
            None => &mut self.rest,
        };
        behind.splice(0..0, gap);
        let align = usize::try_from(to_multiple(self.end())).unwrap_or(0);
        let mut gap = core::mem::take(&mut self.rest);
        gap.resize(gap.len() + align, 0);
        self.pieces.push(Piece { gap, index, length });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three resources of 8 bytes from offset 16 onward, each followed by the given bytes.
    fn strip(gaps: [&[u8]; 3]) -> Strip {
        let mut at = 16;
        let mut place = |gap: &[u8]| {
            let place = at..at + 8;
            at += 8 + wide(gap.len());
            place
        };
        let places = gaps.map(&mut place);
        Strip::new(16, &places, &[vec![], gaps[0].to_vec(), gaps[1].to_vec()], gaps[2])
    }

    fn places(strip: &Strip) -> Vec<(usize, Range<u64>)> {
        strip.places().collect()
    }

    #[test]
    fn shrinking_resource_leaves_zeros_and_can_grow_back() {
        let mut it = strip([&[0; 2], b"xy", b""]);
        it.resize(1, 5);
        assert_eq!(places(&it), [(0, 16..24), (1, 26..31), (2, 36..44)]);
        assert_eq!(it.pieces[2].gap, b"\0\0\0xy");
        it.resize(1, 8);
        assert_eq!(it.pieces[2].gap, b"xy");
        it.resize(2, 4);
        assert_eq!((it.end(), it.rest.len()), (40, 0));
    }

    #[test]
    fn growing_resource_takes_zeros_or_moves_to_the_end() {
        let mut it = strip([&[0; 2], &[0; 1], b""]);
        it.resize(0, 10);
        assert_eq!(places(&it), [(0, 16..26), (1, 26..34), (2, 35..43)]);
        it.resize(1, 10);
        assert_eq!(places(&it), [(0, 16..26), (2, 35..43), (1, 44..54)]);
        assert_eq!(it.pieces[1].gap, [0; 9]);
        it.resize(1, 1000);
        assert_eq!(it.end(), 1044);
    }

    #[test]
    fn foreign_bytes_keep_their_positions() {
        let mut it = strip([b"", b"", b"\0\0foreign"]);
        it.resize(2, 10);
        assert_eq!((places(&it)[2].clone(), &it.rest[..]), ((2, 32..42), &b"foreign"[..]));
        it.resize(2, 11);
        assert_eq!(places(&it)[2], (2, 52..63));
        assert_eq!(it.pieces[2].gap, [&[0; 10][..], b"foreign\0\0\0"].concat());
    }
}
