//! Message and string DLLs: `messages.dll`, `Mech3Msg.dll`, `strings.dll`, `langui.dll`, `language.dll`.
//!
//! | part | bytes |
//! |---|---|
//! | [`DosHeader`] and its program | 64 and more |
//! | [`NtHeader`], [`OptionalHeader`], [`Directory`] table | 24, 96, 8 each |
//! | [`SectionHeader`]s | 40 |
//! | zeros up to the file alignment | |
//! | sections: [`Keys`](keys::Keys), [`Resources`], or bytes | |
//! | trailing bytes | |
//!
//! Strings are resources: a message table in Recoil and MechWarrior 3, blocks of 16 strings in Crimson Skies. Keys in
//! `.data` map names to the ids that the game asks for. The sizes and positions in the headers are preserved as long as
//! everything fits; a longer string makes space for itself.
//!
//! Source: [`zipper-messages.md`](formats::zipper_messages).

#[cfg(feature = "export")]
pub mod csv;
mod edit;
mod fit;
pub mod header;
pub mod keys;
mod lint;
mod recognize;
pub mod resources;
pub mod section;
pub mod strings;
pub mod table;
pub mod tree;

use core::fmt::LowerHex;
use core::ops::Range;

use field::build::Tape;
use field::walk::LayBy;
use field::{
    self, Arrangement, Block, Datum, Detail, Fault, Label, Pad, Payload, Place, Result, Run, Step, Truth, Value,
    Visitor, lay, wide,
};
use kind::{Container, Contents, binrw_over_lay, encode_with, own};

use header::{Directory, DosHeader, NtHeader, OptionalHeader, RESOURCES, SectionHeader};
use keys::Names;
use resources::Resources;
use section::{Body, Image, Section, Within};

pub use edit::Unset;

/// A message or string DLL.
#[derive(Clone, Debug, Default)]
pub struct Dll {
    /// The DOS header.
    pub dos: DosHeader,
    /// The program after the DOS header.
    pub stub: Block,
    /// The NT header.
    pub nt: NtHeader,
    /// `true` if the image has a checksum.
    pub checksummed: Truth,
    /// The optional header.
    pub optional: OptionalHeader,
    /// The data directories.
    pub directories: Block<Directory>,
    /// Bytes between the data directories and the section headers.
    pub optional_rest: Block,
    /// The sections.
    pub sections: Vec<Section>,
    /// Zeros up to the end of the headers.
    pub padding: Pad,
    /// The placement of the sections in the file.
    pub arrangement: Arrangement,
    /// Bytes after the last section.
    pub trailing: Block,
}

impl Dll {
    /// Makes space for resources whose length has changed, and reports the resulting changes.
    fn make_room(&mut self, t: &mut Tape<'_>) -> Result {
        let was = self.clone();
        fit::fit(self).map_err(|fault| t.error_in("sections", fault))?;
        let item = |name, index| move |here: &Place| here.with([Step::Name(name), Step::Index(index)]);
        t.report_replaced(|here| here.with([Step::Name("optional")]), &was.optional, &self.optional);
        for (index, (was, now)) in (0..).zip(was.directories.iter().zip(self.directories.iter())) {
            t.report_replaced(item("directories", index), was, now);
        }
        for (index, (was, now)) in (0..).zip(was.sections.iter().zip(&self.sections)) {
            t.report_replaced(item("sections", index), &was.head, &now.head);
        }
        for (label, (was, now)) in self.labels().into_iter().zip(was.sections.iter().zip(&self.sections)) {
            let (Body::Resources(was), Body::Resources(now)) = (&was.body, &now.body) else { continue };
            let here = |place: &Place| place.with_entry(label.clone());
            let place = here(t.place()).with([Step::Name("resources")]);
            t.report_replaced_value(place, was.arrangement(), now.arrangement());
            let rest = |it: &Resources| Value::of_bytes(it.rest.to_vec());
            t.report_replaced_value(here(t.place()).with([Step::Name("rest")]), rest(was), rest(now));
            for (index, (was, now)) in (0..).zip(was.tree.iter().zip(&now.tree)) {
                let node = |place: &Place| here(place).with([Step::Name("tree"), Step::Index(index)]);
                t.report_replaced(node, &was.data, &now.data);
            }
        }
        Ok(())
    }

    /// Returns the labels of the sections.
    fn labels(&self) -> Vec<Label> {
        Label::table_of_roles("sections", self.sections.iter().map(|it| it.head.name.bytes().to_vec()))
    }

    /// Finds the byte ranges of the sections in read mode.
    fn find_sections(&mut self, t: &Tape<'_>) -> Result {
        let ranges = self.sections.iter().map(|Section { head, .. }| {
            let begin = u64::from(head.raw_pointer.get());
            begin..begin + head.room()
        });
        self.arrangement = Arrangement::find_items(t, 0, ranges.collect()).map_err(|(item, fault)| {
            let headers = (self.sections.len() - item) * size_of::<SectionHeader>();
            let offset = t.position() - wide(headers);
            t.error_at(offset, [Step::Name("sections"), Step::Index(wide(item)), Step::Name("raw_pointer")], fault)
        })?;
        Ok(())
    }

    fn directory(&self, index: usize) -> Option<&Directory> {
        self.directories.get(index).filter(|directory| directory.size.get() > 0)
    }

    fn image(&self) -> Image {
        let resources = self.directory(RESOURCES).map(|directory| directory.address.get().into());
        Image { base: self.optional.image_base.get().into(), resources }
    }

    /// Returns the expected checksum of a DLL whose counts, lengths and offsets are up to date. Source:
    /// `zipper-messages.md`, section 7.5.
    fn expected_checksum(&self) -> Result<u32> {
        if !bool::from(self.checksummed) {
            return Ok(0);
        }
        let before = size_of::<DosHeader>() + self.stub.len() + size_of::<NtHeader>();
        let stored = wide(before + core::mem::offset_of!(OptionalHeader, checksum));
        let mut sum = Sum { stored: stored..stored + 4, sum: 0 };
        let length = field::walk::visit(self, &mut sum)?;
        Ok(sum.finish(length))
    }
}

/// Header values that depend on the rest of the file.
#[derive(Clone, Copy, Default)]
struct Beside<'a> {
    /// The byte ranges of the sections.
    places: &'a [Range<u64>],
    /// The expected checksum, if the model is being judged.
    checksum: Option<u32>,
}

lay! {
    impl Lay for Dll {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.when_recomputing(at!(*self), |dll, t| {
                dll.make_room(t)?;
                t.fill_in(dll)
            })?;
            let places = t.from_sizes(|| {
                let begin = field::walk::size_by(self, Beside::default())?;
                let lengths: Vec<u64> = self.sections.iter().map(|section| section.head.room()).collect();
                Ok(self.arrangement.places(begin, &lengths, None)?.items)
            })?;
            let places: Vec<Range<u64>> = places.into_iter().flatten().collect();
            let checksum = t.rules(|| self.expected_checksum())?;
            self.lay_by(t, Beside { places: &places, checksum })?;
            t.read(at!(*self), |dll, t| dll.find_sections(t))?;
            let (labels, names) = t.for_labels(|| Ok((self.labels(), self.names())))?;
            let image = self.image();
            t.arranged_entries(at!(self.arrangement), "sections", &labels, at!(self.sections), |t, label, _, section| {
                section.lay_by(t, Within { label, image, names: &names })
            })?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }

    /// Lays out the headers.
    impl LayBy<Beside<'_>> for Dll {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, Beside { places, checksum }: Beside<'_>) -> Result {
            let start = t.position();
            first(self, t)?;
            optional(self, t, checksum)?;
            let mut places = places.iter();
            let count = self.nt.section_count.get();
            t.list("sections", count, wide(size_of::<SectionHeader>()), at!(self.sections), |t, section| {
                let mut rules = SectionHeader { raw_pointer: 0.into(), ..section.head };
                if let Some(place) = places.next().filter(|place| !place.is_empty()) {
                    t.computed("raw_pointer", at!(section.head.raw_pointer), place.start)?;
                    rules.raw_pointer = section.head.raw_pointer;
                }
                t.fields_by(at!(section.head), Some(&rules))?;
                t.fact("holds", at!(section.holds))
            })?;
            // Padding must not cover bytes of a section, even if the stored size of the headers does.
            let pointers = self.sections.iter().filter(|section| section.head.room() > 0);
            let first = pointers.map(|section| start + u64::from(section.head.raw_pointer.get())).min();
            let most = first.map_or(t.remaining(), |first| first.saturating_sub(t.position()).min(t.remaining()));
            let size = self.optional.headers_size.get().max(1).into();
            t.window(most, |t| t.pad("padding", start, size, at!(self.padding)))
        }
    }

    /// Lays out the DOS header, the bytes after it, and the NT header.
    fn first(it: at!(Dll), t: &mut Tape<'_>) -> Result {
        let mut stub = wide(it.stub.len());
        t.group("dos", |t| {
            t.computed("nt_offset", at!(it.dos.nt_offset), stub + wide(size_of::<DosHeader>()))?;
            t.fields(at!(it.dos))?;
            known(t, "magic", it.dos.magic.get(), DosHeader::MAGIC)?;
            let offset = t.stated("nt_offset", it.dos.nt_offset)?;
            stub = t.seen(|t| stub_length(t, offset)).transpose()?.unwrap_or(stub);
            Ok(())
        })?;
        t.run("stub", Run::Opaque, stub, at!(it.stub))?;
        t.group("nt", |t| {
            let optional = size_of::<OptionalHeader>() + it.directories.bytes().len() + it.optional_rest.len();
            t.computed("optional_size", at!(it.nt.optional_size), wide(optional))?;
            t.computed("section_count", at!(it.nt.section_count), wide(it.sections.len()))?;
            t.fields(at!(it.nt))?;
            known(t, "signature", it.nt.signature.get(), NtHeader::SIGNATURE)
        })
    }

    fn optional(it: at!(Dll), t: &mut Tape<'_>, checksum: Option<u32>) -> Result {
        t.fact("checksummed", at!(it.checksummed))?;
        let mut count = 0;
        t.group("optional", |t| {
            t.computed("directory_count", at!(it.optional.directory_count), wide(it.directories.len()))?;
            let rules = checksum.map(|checksum| OptionalHeader { checksum: checksum.into(), ..it.optional });
            t.fields_by(at!(it.optional), rules.as_ref())?;
            known(t, "magic", it.optional.magic.get(), OptionalHeader::PE32)?;
            let (end, size) = (fit::image_end(&it.sections, &it.optional), u64::from(it.optional.image_size.get()));
            t.expect("image_size", || (end != size).then(|| (end.into(), size.into())));
            count = t.stated("directory_count", it.optional.directory_count)?;
            Ok(())
        })?;
        t.read(at!(*it), |it, _| {
            it.checksummed = (it.optional.checksum.get() != 0).into();
            Ok(())
        })?;
        let rest = t.seen(|t| behind_directories(t, it.nt.optional_size.get().into(), count)).transpose()?;
        t.block("directories", count, at!(it.directories))?;
        t.run("optional_rest", Run::Opaque, rest.unwrap_or(wide(it.optional_rest.len())), at!(it.optional_rest))
    }

    /// Refuses an unexpected magic in read mode, because different fields would follow.
    fn known<N: PartialEq + LowerHex>(t: &Tape<'_>, name: &'static str, found: N, expected: N) -> Result {
        let hex = |number: &N| format!("{number:#x}");
        t.refuse(name, found != expected, || Fault::Unknown { found: hex(&found), expected: hex(&expected) })
    }
}

/// Returns the length of the program after the DOS header, given the offset of the NT header.
fn stub_length(t: &Tape<'_>, offset: u64) -> Result<u64> {
    let dos = wide(size_of::<DosHeader>());
    let outside = |expected: String| t.error_in("nt_offset", Fault::Outside { found: offset.into(), expected });
    let length = offset.checked_sub(dos).ok_or_else(|| outside(format!("at least {dos}")))?;
    t.room(length, 1).map_err(|_| outside(format!("at most {}", t.remaining() + dos)))?;
    Ok(length)
}

/// Returns the number of bytes after the data directories in an optional header of this size.
fn behind_directories(t: &Tape<'_>, size: u64, count: u64) -> Result<u64> {
    let left = size.checked_sub(wide(size_of::<OptionalHeader>()));
    let rest = left.and_then(|left| left.checked_sub(count.checked_mul(wide(size_of::<Directory>()))?));
    rest.ok_or_else(|| {
        let expected = format!("room for {count} data directories");
        t.error_in("directory_count", Fault::Outside { found: size.into(), expected })
    })
}

/// Sums the words of an image, adding every carry back.
struct Sum {
    sum: u64,
    /// The position of the stored checksum, which counts as 0.
    stored: Range<u64>,
}

impl Sum {
    fn finish(self, length: u64) -> u32 {
        // Adding all carries at the end gives the same sum.
        let folded = if self.sum == 0 { 0 } else { (self.sum - 1) % 0xFFFF + 1 };
        u32::try_from(folded + length).unwrap_or(u32::MAX)
    }
}

impl Visitor for Sum {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        for (offset, byte) in (datum.offset..).zip(datum.bytes) {
            let counts = if self.stored.contains(&offset) { 0 } else { u64::from(*byte) };
            self.sum += counts << if offset % 2 == 0 { 0 } else { 8 };
        }
        Ok(())
    }

    fn detail(&self) -> Detail {
        Detail::Bytes
    }
}

binrw_over_lay!(Dll);

impl Container for Dll {
    type Content = Section;

    /// Returns the sections.
    fn labeled(&self) -> Vec<(Label, &Section)> {
        own(&self.arrangement, self.labels().into_iter().zip(&self.sections))
    }
}

impl Contents<Dll> for Section {
    fn kind(&self) -> &'static str {
        match &self.body {
            Body::Code(code) => Payload::kind(code),
            Body::Keys(_) => section::KEYS,
            Body::Resources(_) => section::RESOURCES,
        }
    }

    fn bytes(&self, dll: &Dll) -> Result<Vec<u8>> {
        let (image, names) = (dll.image(), Names::default());
        encode_with(|t| LayBy::lay_by(self, t, Within { label: Label::here(), image, names: &names }))
    }
}
