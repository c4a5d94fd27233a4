//! Message and string DLLs: `messages.dll`, `Mech3Msg.dll`, `strings.dll`, `langui.dll`, `language.dll`.
//!
//! | part | bytes |
//! |---|---|
//! | [`DosHeader`] and its program | 64 and more |
//! | [`NtHeader`], [`OptionalHeader`], [`Directory`] table | 24, 96, 8 each |
//! | [`SectionHeader`]s | 40 |
//! | zeros up to the file alignment | |
//! | sections: [`Keys`], [`Resources`], or bytes | |
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
pub mod strings;
pub mod table;

use bytes::Bytes;

use crate::field::{
    Block, Datum, Detail, Fault, Label, Lay, Pad, Payload, Places, Result, Run, Spread, Step, Tape, Truth, Visitor,
    size, visit, wide,
};
use crate::format::binrw_over_lay;
use crate::names;

use header::{Directory, DosHeader, NtHeader, OptionalHeader, RESOURCES, SectionHeader};
use keys::{Keys, Names};
use resources::Resources;

pub use edit::Unset;

names! {
    /// How a section is looked into.
    pub struct Holds(U8: u8) {
        /// Not at all.
        BYTES = 0;
        /// Keys.
        KEYS = 1;
        /// Resources.
        RESOURCES = 2;
    }
}

/// A section that is not looked into: code, imports, relocations.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// What it is, up to the last byte that is not zero.
    pub bytes: Block,
    /// The zeros behind.
    pub zeros: Block,
}

/// What a section holds.
#[derive(Clone, Debug)]
pub enum Body {
    /// Anything.
    Code(Code),
    /// Keys.
    Keys(Keys),
    /// Resources.
    Resources(Resources),
}

/// A section.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// Its name, where it lies, how long it is.
    pub head: SectionHeader,
    /// How it is looked into.
    pub holds: Holds,
    /// What it holds.
    pub body: Body,
}

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

impl Default for Body {
    fn default() -> Self {
        Self::Code(Code::default())
    }
}

impl Lay for Code {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        let mut length = wide(self.bytes.len());
        if t.reading() {
            let bytes = t.ahead(t.remaining());
            length = wide(bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last.saturating_add(1)));
        }
        t.run("bytes", Run::Opaque, length, &mut self.bytes)?;
        let zeros = if t.reading() { t.remaining() } else { wide(self.zeros.len()) };
        t.run("zeros", Run::Padding(zeros), zeros, &mut self.zeros)
    }
}

impl Payload for Code {
    fn kind(&self) -> &'static str {
        "opaque"
    }

    fn recognise(_: &Label, _: &Bytes) -> Self {
        Self::default()
    }

    fn opaque() -> Self {
        Self::default()
    }

    fn of_kind(kind: &str) -> Option<Self> {
        (kind == "opaque").then(Self::default)
    }

    fn raw(&self) -> Option<&'static str> {
        Some("bin")
    }
}

/// What sections are looked into by.
#[derive(Clone, Copy)]
struct Image {
    base: u64,
    /// Where the tree of resources lies, counted from the image base.
    resources: Option<u64>,
}

impl Lay for Dll {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        let mut places = Places::default();
        if t.filling() {
            fit::fit(self).map_err(|fault| t.error_in("sections", fault))?;
            let begin = size(|t| self.lay_headers(t, &Places::default(), None));
            let lengths: Vec<u64> = self.sections.iter().map(|section| section.head.room()).collect();
            places = self.spread.places(begin, &lengths, None);
        }
        let checksum = if t.judging() { Some(self.expected_checksum()?) } else { None };
        self.lay_headers(t, &places, checksum)?;
        if t.reading() {
            self.find_sections(t)?;
        }
        let labels = match t.labelling() {
            true => Label::table_of_roles("sections", self.sections.iter().map(|it| it.head.name.bytes().to_vec())),
            false => Vec::new(),
        };
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

impl Section {
    /// Where it lies.
    fn place(&self, image: Image) -> resources::Section {
        let address = self.head.begin();
        let root = image.resources.unwrap_or(address).saturating_sub(address);
        resources::Section { address, root, room: self.head.room() }
    }

    /// Lays what a section holds.
    fn lay(&mut self, t: &mut Tape<'_>, label: Label, image: Image, names: &Names) -> Result {
        let section = self.place(image);
        let Self { head, holds, body } = self;
        let (room, base) = (head.room(), image.base.saturating_add(head.begin()));
        let here = image.resources.filter(|resources| (head.begin()..head.end()).contains(resources));
        let mut parts = resources::Parts::default();
        if t.reading() {
            let bytes = t.peek(t.position(), room).map_err(|fault| t.error(fault))?;
            let visible = usize::try_from(head.visible()).ok().and_then(|visible| bytes.get(..visible));
            if here.is_some() {
                if let Ok(found) = resources::find_tree(&bytes, section.root) {
                    (parts, *holds) = (found, Holds::RESOURCES);
                }
            } else if visible.is_some_and(|bytes| keys::Found::find(bytes, base).is_some()) {
                *holds = Holds::KEYS;
            }
        }
        if t.building() {
            *body = match *holds {
                Holds::KEYS => Body::Keys(Keys::default()),
                Holds::RESOURCES => Body::Resources(Resources::default()),
                _ => Body::default(),
            };
        }
        match body {
            Body::Code(code) => {
                let found = wide(code.bytes.len()).saturating_add(wide(code.zeros.len()));
                if t.filling() && found != room {
                    let fault = Fault::Count { expected: room, found };
                    return Err(t.error_in("sections", fault));
                }
                t.entry(label, room, code)?;
                t.expect("sections", || {
                    let fault = here.and_then(|_| {
                        resources::find_tree(&[&*code.bytes, &code.zeros].concat(), section.root).err()
                    })?;
                    Some(("a tree of resources".into(), fault.to_string().into()))
                });
                Ok(())
            }
            Body::Keys(keys) => t.part(label, "keys", |t| keys.lay(t, base, head.visible(), room)),
            Body::Resources(resources) => t.part(label, "resources", |t| resources.lay(t, section, &parts, names)),
        }
    }
}

binrw_over_lay!(Dll);
