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
//! Texts are resources: a message table in Recoil and MechWarrior 3, blocks of 16 strings in Crimson Skies. Keys in `.data`
//! say which id the game asks for. What the headers say of sizes and places is kept as the room that there was; a text that
//! outgrows it makes room.
//!
//! Source: `zipper-messages.md`.

mod edit;
mod fit;
pub mod header;
pub mod keys;
mod recognise;
pub mod resources;
pub mod section;
pub mod strings;
pub mod table;
pub mod tree;

use crate::field::{
    Block, Datum, Detail, Fault, Json, Label, Lay, Pad, Place, Places, Result, Run, Spread, Step, Tape, Truth, Visitor,
    size, visit, wide,
};
use crate::format::binrw_over_lay;

use header::{Directory, DosHeader, NtHeader, OptionalHeader, RESOURCES, SectionHeader};
use keys::Names;
use resources::Resources;
use section::{Body, Image, Section};

pub use edit::Unset;

/// A message or string DLL.
#[derive(Clone, Debug, Default)]
pub struct Dll {
    /// The first header.
    pub dos: DosHeader,
    /// The program behind it.
    pub stub: Block,
    /// The NT header.
    pub nt: NtHeader,
    /// Whether the image has a checksum.
    pub checksummed: Truth,
    /// The optional header.
    pub optional: OptionalHeader,
    /// The data directories.
    pub directories: Block<Directory>,
    /// What stands between them and the sections' headers.
    pub optional_rest: Block,
    /// The sections.
    pub sections: Vec<Section>,
    /// Zeros up to where the headers end.
    pub padding: Pad,
    /// How the sections lie in the file.
    pub spread: Spread,
    /// What stands behind the last section.
    pub trailing: Block,
}

impl Lay for Dll {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        let mut places = Places::default();
        if t.filling() {
            self.make_room(t)?;
            let begin = size(|t| self.lay_headers(t, &Places::default(), None));
            let lengths: Vec<u64> = self.sections.iter().map(|section| section.head.room()).collect();
            places = self.spread.places(begin, &lengths, None);
        }
        let checksum = if t.judging() { Some(self.expected_checksum()?) } else { None };
        self.lay_headers(t, &places, checksum)?;
        if t.reading() {
            self.find_sections(t)?;
        }
        let labels = if t.labelling() { self.labels() } else { Vec::new() };
        let image = self.image();
        let names = if t.labelling() && !t.building() { self.names() } else { Names::default() };
        let Self { sections, spread, trailing, .. } = self;
        spread.lay_items(t, "sections", sections, |t, item, section| {
            section.lay(t, labels.get(item).cloned().unwrap_or_default(), image, &names)
        })?;
        t.rest("trailing", Run::Surplus, trailing)
    }
}

impl Dll {
    /// Makes room for resources that have become longer or shorter, and says what that changes.
    fn make_room(&mut self, t: &mut Tape<'_>) -> Result {
        let was = t.settling().then(|| self.clone());
        fit::fit(self).map_err(|fault| t.error_in("sections", fault))?;
        let Some(was) = was else { return Ok(()) };
        let item = |name, index| move |here: &Place| here.with([Step::Name(name), Step::Index(index)]);
        t.tell(|here| here.with([Step::Name("optional")]), &was.optional, &self.optional);
        for (index, (was, now)) in (0..).zip(was.directories.iter().zip(self.directories.iter())) {
            t.tell(item("directories", index), was, now);
        }
        for (index, (was, now)) in (0..).zip(was.sections.iter().zip(&self.sections)) {
            t.tell(item("sections", index), &was.head, &now.head);
        }
        for (label, (was, now)) in self.labels().into_iter().zip(was.sections.iter().zip(&self.sections)) {
            let (Body::Resources(was), Body::Resources(now)) = (&was.body, &now.body) else { continue };
            let here = |place: &Place| place.with_entry(label.clone());
            let place = here(t.place()).with([Step::Name("resources")]);
            t.tell_value(place, was.arrangement(), now.arrangement());
            let rest = |it: &Resources| Json::Bytes(it.rest.to_vec());
            t.tell_value(here(t.place()).with([Step::Name("rest")]), rest(was), rest(now));
            for (index, (was, now)) in (0..).zip(was.tree.iter().zip(&now.tree)) {
                let node = |place: &Place| here(place).with([Step::Name("tree"), Step::Index(index)]);
                t.tell(node, &was.data, &now.data);
            }
        }
        Ok(())
    }

    /// What sections are called.
    fn labels(&self) -> Vec<Label> {
        Label::table_of_roles("sections", self.sections.iter().map(|it| it.head.name.bytes().to_vec()))
    }

    fn lay_headers(&mut self, t: &mut Tape<'_>, places: &Places, checksum: Option<u32>) -> Result {
        let start = t.position();
        self.lay_first(t)?;
        self.lay_optional(t, checksum)?;
        let Self { nt, optional, sections, padding, .. } = self;
        let mut places = places.items.iter();
        t.list("sections", nt.section_count.get().into(), wide(size_of::<SectionHeader>()), sections, |t, section| {
            let head = &mut section.head;
            let mut rules = SectionHeader { raw_pointer: 0.into(), ..*head };
            if let Some(place) = places.next().filter(|place| !place.is_empty()) {
                t.fill("raw_pointer", &mut head.raw_pointer, place.start)?;
                rules.raw_pointer = head.raw_pointer;
            }
            t.fields_by(head, Some(&rules))?;
            t.fact("holds", &mut section.holds)
        })?;
        // Bytes of a section are no padding, wherever the headers are said to end.
        let pointers = sections.iter().filter(|section| section.head.room() > 0);
        let first = pointers.map(|section| start.saturating_add(section.head.raw_pointer.get().into())).min();
        let most = first.map_or(t.remaining(), |first| first.saturating_sub(t.position()).min(t.remaining()));
        t.window(most, |t| t.pad("padding", start, optional.headers_size.get().max(1).into(), padding))
    }

    /// Lays the first header, what stands behind it, and the NT header.
    fn lay_first(&mut self, t: &mut Tape<'_>) -> Result {
        let Self { dos, stub, nt, optional_rest, directories, sections, .. } = self;
        let dos_size = wide(size_of::<DosHeader>());
        let mut stub_size = 0;
        t.group("dos", |t| {
            t.fill("nt_offset", &mut dos.nt_offset, wide(stub.len()).saturating_add(dos_size))?;
            t.fields(dos)?;
            known(t, "magic", dos.magic.get(), DosHeader::MAGIC)?;
            let offset = t.stated("nt_offset", dos.nt_offset)?;
            if !t.reading() {
                stub_size = wide(stub.len());
                return Ok(());
            }
            let outside = |expected: String| t.error_in("nt_offset", Fault::Outside { found: offset.into(), expected });
            stub_size = offset.checked_sub(dos_size).ok_or_else(|| outside(format!("at least {dos_size}")))?;
            t.room(stub_size, 1).map_err(|_| outside(format!("at most {}", t.remaining().saturating_add(dos_size))))
        })?;
        t.run("stub", Run::Opaque, stub_size, stub)?;
        t.group("nt", |t| {
            let optional = size_of::<OptionalHeader>()
                .saturating_add(directories.bytes().len())
                .saturating_add(optional_rest.len());
            t.fill("optional_size", &mut nt.optional_size, wide(optional))?;
            t.fill("section_count", &mut nt.section_count, wide(sections.len()))?;
            t.fields(nt)?;
            known(t, "signature", nt.signature.get(), NtHeader::SIGNATURE)
        })
    }

    fn lay_optional(&mut self, t: &mut Tape<'_>, checksum: Option<u32>) -> Result {
        let Self { nt, checksummed, optional, directories, optional_rest, sections, .. } = self;
        t.fact("checksummed", checksummed)?;
        let mut count = 0;
        t.group("optional", |t| {
            t.fill("directory_count", &mut optional.directory_count, wide(directories.len()))?;
            let rules = checksum.map(|checksum| OptionalHeader { checksum: checksum.into(), ..*optional });
            t.fields_by(optional, rules.as_ref())?;
            known(t, "magic", optional.magic.get(), OptionalHeader::PE32)?;
            let (end, image_size) = (fit::image_end(sections, optional), u64::from(optional.image_size.get()));
            t.expect("image_size", || (end != image_size).then(|| (end.into(), image_size.into())));
            count = t.stated("directory_count", optional.directory_count)?;
            Ok(())
        })?;
        if t.reading() {
            *checksummed = (optional.checksum.get() != 0).into();
        }
        let least = wide(size_of::<OptionalHeader>());
        let size = u64::from(nt.optional_size.get());
        let rest = size.checked_sub(least).and_then(|left| left.checked_sub(count.checked_mul(8)?));
        let rest = rest.unwrap_or_default();
        if t.reading() && size != least.saturating_add(count.saturating_mul(8)).saturating_add(rest) {
            let expected = format!("room for {count} data directories");
            return Err(t.error_in("directory_count", Fault::Outside { found: size.into(), expected }));
        }
        t.block("directories", count, directories)?;
        let rest = if t.reading() { rest } else { wide(optional_rest.len()) };
        t.run("optional_rest", Run::Opaque, rest, optional_rest)
    }

    /// In read mode, finds where the sections lie.
    fn find_sections(&mut self, t: &Tape<'_>) -> Result {
        let ranges = self.sections.iter().map(|Section { head, .. }| {
            let begin = u64::from(head.raw_pointer.get());
            begin..begin.saturating_add(head.room())
        });
        self.spread = Spread::find_items(t, 0, ranges.collect()).map_err(|(item, fault)| {
            let headers = self.sections.len().saturating_sub(item).saturating_mul(size_of::<SectionHeader>());
            let offset = t.position().saturating_sub(wide(headers));
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

    /// What the checksum should be. Source: `zipper-messages.md`, section 7.5.
    fn expected_checksum(&mut self) -> Result<u32> {
        if !bool::from(self.checksummed) {
            return Ok(0);
        }
        let stored = core::mem::take(&mut self.optional.checksum);
        let mut sum = Sum::default();
        let outcome = visit(self, &mut sum);
        self.optional.checksum = stored;
        outcome.map(|length| sum.finish(length))
    }
}

/// In read mode, refuses a magic that says that other fields follow.
fn known<N: PartialEq + core::fmt::LowerHex>(t: &Tape<'_>, name: &'static str, found: N, expected: N) -> Result {
    if t.reading() && found != expected {
        let hex = |number: &N| format!("{number:#x}");
        return Err(t.error_in(name, Fault::Unknown { found: hex(&found), expected: hex(&expected) }));
    }
    Ok(())
}

/// Sums the words of an image, with every carry added again.
#[derive(Default)]
struct Sum(u64);

impl Sum {
    fn finish(self, length: u64) -> u32 {
        // Carries can be added when all is summed as well as at once.
        let folded = if self.0 == 0 { 0 } else { (self.0 - 1) % 0xFFFF + 1 };
        u32::try_from(folded.saturating_add(length)).unwrap_or(u32::MAX)
    }
}

impl Visitor for Sum {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        for (offset, byte) in (datum.offset..).zip(datum.bytes) {
            self.0 = self.0.saturating_add(u64::from(*byte) << if offset % 2 == 0 { 0 } else { 8 });
        }
        Ok(())
    }

    fn detail(&self) -> Detail {
        Detail::Bytes
    }
}

binrw_over_lay!(Dll);
