//! Containers of resources: ERF with its relatives, BIF, KEY. Sources: nwn-erf.md and nwn-key-bif.md.

use std::borrow::Cow;

use crate::bytes::{Bytes, field};

/// A resource of an ERF.
#[derive(Clone, Debug)]
pub struct Resource {
    /// The name.
    pub name: Cow<'static, [u8]>,
    /// The number of the type.
    pub kind: u16,
    /// The data.
    pub data: Vec<u8>,
}

/// Creates a resource.
pub fn resource(name: impl Into<Cow<'static, str>>, kind: u16, data: Vec<u8>) -> Resource {
    let name = match name.into() {
        Cow::Borrowed(name) => Cow::Borrowed(name.as_bytes()),
        Cow::Owned(name) => Cow::Owned(name.into_bytes()),
    };
    Resource { name, kind, data }
}

/// An ERF. Source: nwn-erf.md, section 1.
#[derive(Clone, Debug)]
pub struct Erf {
    /// The type word.
    pub kind: [u8; 4],
    /// The version: `V1.0`, `V1.1` or `E1.0`.
    pub version: [u8; 4],
    /// Language and text of each description.
    pub descriptions: Vec<(u32, Vec<u8>)>,
    /// `None`: the size of the descriptions.
    pub descriptions_size: Option<u32>,
    /// `None`: 160.
    pub descriptions_offset: Option<u32>,
    /// The number of a text in the talk table, or leftover memory.
    pub strref: u32,
    /// The object id and reserved bytes.
    pub reserved: Vec<u8>,
    /// In the order of the keys.
    pub resources: Vec<Resource>,
    /// `None`: none; else 8 bytes per key, which begin with these.
    pub slack: Option<Vec<u8>>,
    /// Bytes before the resource list.
    pub gap: Vec<u8>,
    /// Indices of resources in the order of the data; empty: the order of the keys.
    pub data_order: Vec<usize>,
    /// Bytes after the data.
    pub trailing: Vec<u8>,
    /// Changes of words at the end: offsets and values.
    pub lies: Vec<(usize, u32)>,
}

impl Erf {
    /// Creates an ERF as the toolset writes it.
    pub fn new(kind: &[u8; 4], resources: Vec<Resource>) -> Self {
        Self {
            kind: *kind,
            version: *b"V1.0",
            descriptions: vec![],
            descriptions_size: None,
            descriptions_offset: None,
            strref: u32::MAX,
            reserved: vec![0; 116],
            resources,
            slack: None,
            gap: vec![],
            data_order: vec![],
            trailing: vec![],
            lies: vec![],
        }
    }
}

/// Writes an ERF.
pub fn build_erf(spec: &Erf) -> Vec<u8> {
    let count = spec.resources.len();
    let enhanced = spec.version == *b"E1.0";
    let (key, slot) = if enhanced { (44, 16) } else { (if spec.version == *b"V1.1" { 40 } else { 24 }, 8) };
    let descriptions: usize = spec.descriptions.iter().map(|(_, text)| text.len() + 8).sum();
    let slack = if spec.slack.is_some() { 8 * count } else { 0 };
    let (keys, list) = (160 + descriptions, 160 + descriptions + key * count + slack + spec.gap.len());
    let mut out = Bytes::new();
    out.raw(&spec.kind).raw(&spec.version).le_u32(spec.descriptions.len() as u32);
    out.le_u32(spec.descriptions_size.unwrap_or(descriptions as u32)).le_u32(count as u32);
    out.le_u32(spec.descriptions_offset.unwrap_or(160)).le_u32(keys as u32).le_u32(list as u32);
    out.le_u32(104).le_u32(200).le_u32(spec.strref).raw(&spec.reserved);
    for (language, text) in &spec.descriptions {
        out.le_u32(*language).le_u32(text.len() as u32).raw(text);
    }
    for (at, resource) in spec.resources.iter().enumerate() {
        let blank = resource.name.is_empty() && resource.kind == 0;
        let mut name = resource.name.to_vec();
        name.resize(if key == 40 { 32 } else { 16 }, 0);
        out.raw(&name).le_u32(if blank { 0 } else { at as u32 }).le_u16(resource.kind).le_u16(0);
        out.fill(0x5A, if enhanced { 20 } else { 0 });
    }
    if let Some(bytes) = &spec.slack {
        out.raw(bytes).fill(0, slack - bytes.len());
    }
    out.raw(&spec.gap);
    let table = out.len();
    out.fill(0, slot * count);
    let mut places = vec![(0, 0); count];
    let order: Vec<usize> = (0..count).collect();
    for &at in if spec.data_order.is_empty() { &order } else { &spec.data_order } {
        places[at] = (out.len() as u32, spec.resources[at].data.len() as u32);
        out.raw(&spec.resources[at].data);
    }
    for (at, (offset, size)) in places.into_iter().enumerate() {
        let resource = &spec.resources[at];
        let blank = resource.name.is_empty() && resource.kind == 0;
        let mut row = Bytes::new();
        row.le_u32(if blank { 0 } else { offset }).le_u32(size);
        if enhanced {
            row.le_u32(u32::from(resource.data.starts_with(b"XRES"))).le_u32(64);
        }
        out.patch(table + at * slot, row.written());
    }
    out.raw(&spec.trailing);
    for (at, value) in &spec.lies {
        out.patch(*at, &value.to_le_bytes());
    }
    out.finish()
}

/// A BIF. Source: nwn-key-bif.md, section 2.
#[derive(Clone, Debug)]
pub struct Bif {
    /// `true` for the Enhanced Edition.
    pub is_enhanced: bool,
    /// `true` if the upper bits of an id repeat the index.
    pub repeats: bool,
    /// Type and data of each resource.
    pub resources: Vec<(u32, Vec<u8>)>,
    /// Bytes after the data.
    pub trailing: Vec<u8>,
    /// Changes of words at the end: offsets and values.
    pub lies: Vec<(usize, u32)>,
}

/// Writes a BIF.
pub fn build_bif(spec: &Bif) -> Vec<u8> {
    let (head, slot) = if spec.is_enhanced { (44, 24) } else { (20, 16) };
    let mut out = Bytes::new();
    out.raw(if spec.is_enhanced { b"BIFFE1  " } else { b"BIFFV1  " });
    out.le_u32(spec.resources.len() as u32).le_u32(0).le_u32(head);
    if spec.is_enhanced {
        out.raw(b"0123456789abcdef01234567");
    }
    let mut offset = head + slot * spec.resources.len() as u32;
    for (at, (kind, data)) in (0_u32..).zip(&spec.resources) {
        out.le_u32(if spec.repeats { at.wrapping_mul(0x10_0001) } else { at })
            .le_u32(offset)
            .le_u32(data.len() as u32)
            .le_u32(*kind);
        if spec.is_enhanced {
            out.le_u32(0).le_u32(data.len() as u32);
        }
        offset += data.len() as u32;
    }
    spec.resources.iter().for_each(|(_, data)| _ = out.raw(data));
    out.raw(&spec.trailing);
    for (at, value) in &spec.lies {
        out.patch(*at, &value.to_le_bytes());
    }
    out.finish()
}

/// A KEY. Source: nwn-key-bif.md, section 1.
#[derive(Clone, Debug)]
pub struct Key {
    /// `true` for the Enhanced Edition.
    pub is_enhanced: bool,
    /// The last bytes of the header: leftover memory.
    pub leftover: [u8; 32],
    /// Path and size of each BIF; the path usually ends in a NUL.
    pub files: Vec<(Vec<u8>, u32)>,
    /// Name, type and id of each resource.
    pub keys: Vec<(Cow<'static, [u8]>, u16, u32)>,
    /// Bytes after the paths.
    pub gap: Vec<u8>,
    /// Bytes after the keys.
    pub trailing: Vec<u8>,
    /// Changes of words at the end: offsets and values.
    pub lies: Vec<(usize, u32)>,
}

/// Writes a KEY.
pub fn build_key(spec: &Key) -> Vec<u8> {
    let names = 64 + 12 * spec.files.len();
    let keys = names + spec.files.iter().map(|(name, _)| name.len()).sum::<usize>() + spec.gap.len();
    let mut out = Bytes::new();
    out.raw(if spec.is_enhanced { b"KEY E1  " } else { b"KEY V1  " });
    out.le_u32(spec.files.len() as u32).le_u32(spec.keys.len() as u32).le_u32(64).le_u32(keys as u32);
    out.le_u32(102).le_u32(156).raw(&spec.leftover);
    let mut offset = names;
    for (name, size) in &spec.files {
        out.le_u32(*size).le_u32(offset as u32).le_u16(name.len() as u16).le_u16(1);
        offset += name.len();
    }
    spec.files.iter().for_each(|(name, _)| _ = out.raw(name));
    out.raw(&spec.gap);
    for (name, kind, id) in &spec.keys {
        out.raw(&padded(name)).le_u16(*kind).le_u32(*id);
        out.fill(7, if spec.is_enhanced { 20 } else { 0 });
    }
    out.raw(&spec.trailing);
    for (at, value) in &spec.lies {
        out.patch(*at, &value.to_le_bytes());
    }
    out.finish()
}

/// Returns a name of 16 bytes, which needs no NUL.
fn padded(name: &[u8]) -> [u8; 16] {
    if name.len() < 16 { field(name, b"") } else { name.try_into().expect("at most 16 bytes") }
}
