//! A section: keys, resources, or bytes that are not looked into.

use bytes::Bytes;

use crate::field::build::Tape;
use crate::field::{Block, Fault, Label, Payload, Result, Run, lay, wide};
use crate::names;

use super::header::SectionHeader;
use super::keys::{self, Keys, Names, Room};
use super::resources::{self, Resources};
use super::tree::{self, Parts};

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

impl Default for Body {
    fn default() -> Self {
        Self::Code(Code::default())
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
pub(super) struct Image {
    pub(super) base: u64,
    /// Where the tree of resources lies, counted from the image base.
    pub(super) resources: Option<u64>,
}

impl Section {
    /// Where it lies.
    pub(super) fn place(&self, image: Image) -> resources::Section {
        let address = self.head.begin();
        let root = image.resources.unwrap_or(address).saturating_sub(address);
        resources::Section { address, root, room: self.head.room() }
    }

    /// In read mode, finds out how it is looked into; gives the parts of the tree of resources if it has one.
    fn look(&mut self, t: &Tape<'_>, base: u64, root: Option<u64>) -> Result<Parts> {
        let bytes = t.peek(t.position(), self.head.room()).map_err(|fault| t.error(fault))?;
        let visible = usize::try_from(self.head.visible()).ok().and_then(|visible| bytes.get(..visible));
        if let Some(root) = root {
            if let Ok(parts) = tree::find(&bytes, root) {
                self.holds = Holds::RESOURCES;
                return Ok(parts);
            }
        } else if visible.is_some_and(|bytes| keys::Found::find(bytes, base).is_some()) {
            self.holds = Holds::KEYS;
        }
        Ok(Parts::default())
    }
}

impl Body {
    /// Nothing yet of a section that is looked into so.
    fn of(holds: Holds) -> Self {
        match holds {
            Holds::KEYS => Self::Keys(Keys::default()),
            Holds::RESOURCES => Self::Resources(Resources::default()),
            _ => Self::default(),
        }
    }
}

/// What a DLL says of a section.
pub(super) struct Within<'a> {
    pub(super) label: Label,
    pub(super) image: Image,
    pub(super) names: &'a Names,
}

lay! {
    impl Lay for Code {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let length = t.seen(|t| up_to_zeros(t.ahead(t.remaining()))).unwrap_or(wide(self.bytes.len()));
            t.run("bytes", Run::Opaque, length, at!(self.bytes))?;
            let zeros = t.told(t.remaining(), wide(self.zeros.len()));
            t.run("zeros", Run::Padding(zeros), zeros, at!(self.zeros))
        }
    }

    /// Lays what a section holds.
    impl LayBy<Within<'_>> for Section {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, Within { label, image, names }: Within<'_>) -> Result {
            let (section, head) = (self.place(image), self.head);
            let (room, base) = (head.room(), image.base.saturating_add(head.begin()));
            let holds_root = |root: &u64| (head.begin()..head.end()).contains(root);
            let root = image.resources.filter(holds_root).map(|_| section.root);
            let mut parts = Parts::default();
            t.read(at!(*self), |it, t| {
                parts = it.look(t, base, root)?;
                Ok(())
            })?;
            t.choose(at!(self.body), || Body::of(self.holds));
            match at!(self.body) {
                Body::Code(code) => {
                    let found = wide(code.bytes.len()).saturating_add(wide(code.zeros.len()));
                    if t.filling() && found != room {
                        return Err(t.error_in("sections", Fault::Count { expected: room, found }));
                    }
                    t.entry(label, room, at!(*code))?;
                    t.expect("sections", || {
                        let fault = tree::find(&[&*code.bytes, &code.zeros].concat(), root?).err()?;
                        Some(("a tree of resources".into(), fault.to_string().into()))
                    });
                    Ok(())
                }
                Body::Keys(keys) => {
                    let room = Room { base, visible: head.visible(), room };
                    t.part(label, "keys", |t| keys.lay_by(t, room))
                }
                Body::Resources(resources) => {
                    let parts = &parts;
                    t.part(label, "resources", |t| resources.lay_by(t, resources::Within { section, parts, names }))
                }
            }
        }
    }
}

/// How many bytes there are up to the last that is not zero.
pub(super) fn up_to_zeros(bytes: &[u8]) -> u64 {
    wide(bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last.saturating_add(1)))
}
