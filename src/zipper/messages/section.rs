//! A section: keys, resources, or bytes that are not looked into.

use bytes::Bytes;

use crate::field::{Block, Fault, Label, Lay, Payload, Result, Run, Tape, wide};
use crate::names;

use super::header::SectionHeader;
use super::keys::{self, Keys, Names};
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

    /// Lays what a section holds.
    pub(super) fn lay(&mut self, t: &mut Tape<'_>, label: Label, image: Image, names: &Names) -> Result {
        let section = self.place(image);
        let Self { head, holds, body } = self;
        let (room, base) = (head.room(), image.base.saturating_add(head.begin()));
        let here = image.resources.filter(|resources| (head.begin()..head.end()).contains(resources));
        let mut parts = Parts::default();
        if t.reading() {
            let bytes = t.peek(t.position(), room).map_err(|fault| t.error(fault))?;
            let visible = usize::try_from(head.visible()).ok().and_then(|visible| bytes.get(..visible));
            if here.is_some() {
                if let Ok(found) = tree::find(&bytes, section.root) {
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
                    let fault =
                        here.and_then(|_| tree::find(&[&*code.bytes, &code.zeros].concat(), section.root).err())?;
                    Some(("a tree of resources".into(), fault.to_string().into()))
                });
                Ok(())
            }
            Body::Keys(keys) => t.part(label, "keys", |t| keys.lay(t, base, head.visible(), room)),
            Body::Resources(resources) => t.part(label, "resources", |t| resources.lay(t, section, &parts, names)),
        }
    }
}
