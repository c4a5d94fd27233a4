//! Sections: keys, resources, or raw bytes.

use bytes::Bytes;

use field::build::Tape;
use field::names;
use field::{Block, Label, Payload, Result, Run, as_read, lay, wide};

use super::header::SectionHeader;
use super::keys::{Found, Keys, Names, Room};
use super::resources::{self, Resources};
use super::tree::{self, Parts};

/// The kind of a section with keys.
pub(super) const KEYS: &str = "keys";
/// The kind of a section with resources.
pub(super) const RESOURCES: &str = "resources";

names! {
    /// The content type of a section.
    pub struct Holds(U8: u8) {
        /// Raw bytes.
        BYTES = 0;
        /// Keys.
        KEYS = 1;
        /// Resources.
        RESOURCES = 2;
    }
}

/// A section kept as raw bytes: code, imports, relocations.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The bytes up to the last one that is not zero.
    pub bytes: Block,
    /// The zeros after them.
    pub zeros: Block,
}

/// The contents of a section.
#[derive(Clone, Debug)]
pub enum Body {
    /// Raw bytes.
    Code(Code),
    /// Keys.
    Keys(Keys),
    /// Resources.
    Resources(Resources),
}

/// A section.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The name, position and size.
    pub head: SectionHeader,
    /// The content type.
    pub holds: Holds,
    /// The contents.
    pub body: Body,
}

impl Default for Body {
    fn default() -> Self {
        Self::Code(Code::default())
    }
}

impl Payload for Code {
    fn kind(&self) -> &'static str {
        "opaque"
    }

    fn recognize(_: &Label, _: &Bytes) -> Self {
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

/// The properties of the image that sections depend on.
#[derive(Clone, Copy)]
pub(super) struct Image {
    pub(super) base: u64,
    /// The address of the resource tree, relative to the image base.
    pub(super) resources: Option<u64>,
}

impl Section {
    /// Returns the position of the section.
    pub(super) fn place(&self, image: Image) -> resources::Section {
        let address = self.head.begin();
        let root = image.resources.unwrap_or(address).saturating_sub(address);
        resources::Section { address, root, room: self.head.room() }
    }

    /// Determines the content type in read mode, and returns the parts of the resource tree or the table of keys if the section has one.
    fn look(&mut self, t: &Tape<'_>, base: u64, root: Option<u64>) -> Result<(Parts, Option<Found>)> {
        let bytes = t.look(t.position(), self.head.room()).map_err(|fault| t.error(fault))?;
        let visible = usize::try_from(self.head.visible()).ok().and_then(|visible| bytes.get(..visible));
        if let Some(root) = root {
            if let Ok(parts) = tree::find(bytes, root) {
                self.holds = Holds::RESOURCES;
                return Ok((parts, None));
            }
        } else if let Some(found) = visible.and_then(|bytes| Found::find(bytes, base)) {
            self.holds = Holds::KEYS;
            return Ok((Parts::default(), Some(found)));
        }
        Ok(<_>::default())
    }
}

impl Body {
    /// Returns an empty body of a content type.
    fn of(holds: Holds) -> Self {
        match holds {
            Holds::KEYS => Self::Keys(Keys::default()),
            Holds::RESOURCES => Self::Resources(Resources::default()),
            _ => Self::default(),
        }
    }
}

/// The properties of the DLL that a section depends on.
pub(super) struct Within<'a> {
    pub(super) label: Label,
    pub(super) image: Image,
    pub(super) names: &'a Names,
}

lay! {
    impl Lay for Code {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let length = up_to_zeros(t.ahead(t.remaining()));
            t.run("bytes", Run::Opaque, as_read(length), at!(self.bytes))?;
            let zeros = t.read_or(t.remaining(), wide(self.zeros.len()));
            t.run("zeros", Run::Padding(zeros), zeros, at!(self.zeros))
        }
    }

    /// Lays out the contents of a section.
    impl LayBy<Within<'_>> for Section {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, Within { label, image, names }: Within<'_>) -> Result {
            let (section, head) = (self.place(image), self.head);
            let (room, base) = (head.room(), image.base + head.begin());
            let holds_root = |root: &u64| (head.begin()..head.end()).contains(root);
            let root = image.resources.filter(holds_root).map(|_| section.root);
            let (mut parts, mut found) = (Parts::default(), None);
            t.read(at!(*self), |it, t| {
                (parts, found) = it.look(t, base, root)?;
                Ok(())
            })?;
            t.choose(at!(self.body), |_| Body::of(self.holds));
            match at!(self.body) {
                Body::Code(code) => {
                    let found = wide(code.bytes.len()) + wide(code.zeros.len());
                    t.agree("sections", room, found)?;
                    t.entry(label, room, at!(*code))?;
                    t.expect("sections", || {
                        let fault = tree::find(&[&*code.bytes, &code.zeros].concat(), root?).err()?;
                        Some(("a tree of resources".into(), fault.to_string().into()))
                    });
                    Ok(())
                }
                Body::Keys(keys) => {
                    let room = Room { base, visible: head.visible(), room, found };
                    t.part(label, KEYS, |t| keys.lay_by(t, room))
                }
                Body::Resources(resources) => {
                    let parts = &parts;
                    t.part(label, RESOURCES, |t| resources.lay_by(t, resources::Within { section, parts, names }))
                }
            }
        }
    }
}

/// Returns the number of bytes up to the last one that is not zero.
pub(super) fn up_to_zeros(bytes: &[u8]) -> u64 {
    wide(bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1))
}
