//! Contents of the resources of containers.

use bytes::Bytes;

use field::record;
use field::{Block, Label, Payload as _, Result, Run, lay};
use kind::{Format, payloads};
use lint::{Lint, Warnings, no_traps, of_text};

use super::bif::Bif;
use super::binary_2da::Binary2da;
use super::erf::Erf;
use super::gff::Gff;
use super::key::Key;
use super::lines::LINES;
use super::ltr::Ltr;
use super::model::Model;
use super::ncs::Ncs;
use super::plt::Plt;
use super::ssf::Ssf;
use super::text::{TextModel, Tileset};
use super::tlk::Tlk;
use super::two_da::TwoDa;

record! {
    /// The beginning of a compressed buffer, 16 bytes. Source: `nwn-other.md`, section 8.
    pub struct CompressedHeader: 16 {
        magic: field::FourCc,
        version: field::U32 = 3,
        /// 0 none, 1 zlib, 2 Zstandard.
        algorithm: field::U32,
        uncompressed_size: field::U32,
    }
}

/// A compressed buffer of the Enhanced Edition. Other programs would compress it to different bytes, so these stay.
#[derive(Clone, Debug, Default)]
pub struct Compressed {
    /// Algorithm and size.
    pub head: CompressedHeader,
    /// The rest; without data if the size is 0.
    pub data: Block,
}

/// A text that the game or its toolset reads, in Windows-1252. It is shown as a list of lines.
#[derive(Clone, Debug, Default)]
pub struct PlainText {
    /// The text.
    pub text: Block,
}

/// A file of a kind that other programs know.
#[derive(Clone, Debug, Default)]
pub struct Foreign {
    /// The file.
    pub bytes: Block,
}

lay! {
    impl Lay for Compressed {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fields(at!(self.head))?;
            t.rest("data", Run::Packed, at!(self.data))
        }
    }

    impl Lay for PlainText {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.coded_rest(&LINES, at!(self.text))
        }
    }

    impl Lay for Foreign {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.rest("bytes", Run::Opaque, at!(self.bytes))
        }
    }
}

impl Lint for PlainText {
    fn lint(&self, out: &mut Warnings<'_>) {
        of_text(&self.text, out);
        super::texture_settings::lint(&self.text, out);
    }
}

no_traps!(Key, Tlk, Ssf, Plt, Ltr, Binary2da, Compressed, Foreign);

payloads! {
    /// The contents of a resource.
    pub enum Payload {
        Model(Box<Model>) = Model::NAME;
        Gff(Box<Gff>) = Gff::NAME;
        TwoDa(Box<TwoDa>) = TwoDa::NAME, raw TwoDa::RAW;
        Ncs(Box<Ncs>) = Ncs::NAME;
        Erf(Box<Erf>) = Erf::NAME;
        Bif(Box<Bif>) = Bif::NAME;
        Key(Box<Key>) = Key::NAME;
        Tlk(Box<Tlk>) = Tlk::NAME;
        Ssf(Box<Ssf>) = Ssf::NAME;
        Plt(Box<Plt>) = Plt::NAME;
        Ltr(Box<Ltr>) = Ltr::NAME;
        Binary2da(Box<Binary2da>) = Binary2da::NAME;
        TextModel(Box<TextModel>) = TextModel::NAME, raw TextModel::RAW;
        Tileset(Box<Tileset>) = Tileset::NAME, raw Tileset::RAW;
        Compressed(Box<Compressed>) = "compressed";
        Script(PlainText) = "script", raw Some("nss");
        TextureSettings(PlainText) = "texture-settings", raw Some("txi");
        PlainText(PlainText) = "plain-text", raw Some("txt");
        Targa(Foreign) = "targa", raw Some("tga");
        Dds(Foreign) = "dds", raw Some("dds");
        Bmp(Foreign) = "bmp", raw Some("bmp");
        Sound(Foreign) = "sound", raw Some("wav");
        Film(Foreign) = "film", raw Some("bik");
        Wfx(Foreign) = "sound-effect", raw Some("wfx");
    }
}

/// The kinds of resources that are only texts or foreign, by extension.
const BY_EXTENSION: [(&str, &str); 22] = [
    ("nss", "script"),
    ("txi", "texture-settings"),
    ("txt", "plain-text"),
    ("ini", "plain-text"),
    ("ids", "plain-text"),
    ("lua", "plain-text"),
    ("ndb", "plain-text"),
    ("mtr", "plain-text"),
    ("shd", "plain-text"),
    ("sql", "plain-text"),
    ("jui", "plain-text"),
    ("tml", "plain-text"),
    ("dft", "plain-text"),
    ("tga", "targa"),
    ("dds", "dds"),
    ("bmp", "bmp"),
    ("wav", "sound"),
    ("bmu", "sound"),
    ("mpg", "film"),
    ("mve", "film"),
    ("bik", "film"),
    ("wfx", "sound-effect"),
];

/// Returns the games that a file can belong to, if it is of a kind.
type Recognize = fn(&[u8]) -> Option<Vec<kind::Game>>;

impl Payload {
    /// Returns an empty payload of the kind that the type and the content of a resource indicate.
    fn fitting(label: &Label, bytes: &Bytes) -> Self {
        let name = label.name.to_ascii_lowercase();
        let extension = name.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
        let named = |names: &[&str]| names.iter().any(|name| name.as_bytes() == extension);
        if named(&["mdl"]) && Model::recognize(bytes).is_some() {
            return Self::Model(Box::default());
        } else if named(&["mdl", "wok", "pwk", "dwk"]) && TextModel::suits(bytes) {
            return Self::TextModel(Box::default());
        } else if named(&["set"]) && Tileset::suits(bytes) {
            return Self::Tileset(Box::default());
        } else if is_compressed(bytes) {
            return Self::Compressed(Box::default());
        }
        Self::of_content(bytes).unwrap_or_else(|| {
            let known = BY_EXTENSION.iter().find(|(of, _)| of.as_bytes() == extension);
            let known = known.and_then(|(_, kind)| Self::of_kind(kind)).unwrap_or_default();
            // Text can be empty; a file of another program cannot.
            if bytes.is_empty() && !known.is_plain_text() { Self::default() } else { known }
        })
    }

    /// Returns `true` for text that any bytes can be.
    const fn is_plain_text(&self) -> bool {
        matches!(self, Self::Script(_) | Self::TextureSettings(_) | Self::PlainText(_))
    }

    /// Returns an empty payload of the kind that the first bytes indicate.
    fn of_content(bytes: &Bytes) -> Option<Self> {
        let is: [(Recognize, &str); 11] = [
            (Gff::recognize, Gff::NAME),
            (TwoDa::recognize, TwoDa::NAME),
            (Ncs::recognize, Ncs::NAME),
            (Erf::recognize, Erf::NAME),
            (Bif::recognize, Bif::NAME),
            (Key::recognize, Key::NAME),
            (Tlk::recognize, Tlk::NAME),
            (Ssf::recognize, Ssf::NAME),
            (Plt::recognize, Plt::NAME),
            (Ltr::recognize, Ltr::NAME),
            (Binary2da::recognize, Binary2da::NAME),
        ];
        is.into_iter().find(|(recognize, _)| recognize(bytes).is_some()).and_then(|(_, kind)| Self::of_kind(kind))
    }
}

/// Returns `true` for a compressed buffer: a magic, version 3 and a known algorithm.
fn is_compressed(bytes: &[u8]) -> bool {
    let head: Option<CompressedHeader> = field::macros::read_head(bytes);
    head.is_some_and(|head| {
        let is_magic = [b"XRES", b"SERX", b"NSYC", b"CYSN"].contains(&&head.magic.0);
        is_magic && head.version.get() == 3 && head.algorithm.get() <= 2
    })
}
