//! A Mac resource fork, in a wrapper or alone. Source: marathon-images.md, section 3.

mod samples;

use crate::bytes::Bytes;
pub use samples::{broken, samples};
pub(crate) use samples::{shapes, sounds};

/// A resource fork.
#[derive(Clone, Debug)]
pub struct Spec {
    /// System and application area: leftover memory in all known forks. If empty, the data begin directly after the header.
    pub garbage: Vec<u8>,
    /// `None`: the actual offset of the data, 256.
    pub data_offset: Option<u32>,
    /// Bytes before the data.
    pub data_gap: Vec<u8>,
    /// `None`: the length of the data.
    pub data_length: Option<u32>,
    /// `None`: the length of the map.
    pub map_length: Option<u32>,
    /// `None`: a second copy of the header.
    pub copy: Option<[u8; 16]>,
    /// A stale handle.
    pub next_map: u32,
    /// A stale file number.
    pub file_reference: u16,
    /// 0.
    pub fork_attributes: u16,
    /// Bytes between the header of the map and the list of types.
    pub type_gap: Vec<u8>,
    /// Bytes between the references and the names.
    pub name_gap: Vec<u8>,
    /// `None`: the actual offset of the names, from the start of the map.
    pub name_list: Option<u16>,
    /// Types without resources, after the others, with the stored offset of their references.
    pub empty_types: Vec<([u8; 4], u16)>,
    /// `true` if consecutive resources of one type share one entry in the list of types.
    pub merge_types: bool,
    /// In the order of the map; resources of one type are consecutive.
    pub resources: Vec<Resource>,
    /// Indices of the resources in the order of their data; empty: the order of the map.
    pub data_order: Vec<usize>,
    /// Indices of the resources in the order of their names; empty: the order of the map.
    pub name_order: Vec<usize>,
    /// `true` if the map comes before the data.
    pub map_first: bool,
    /// At the end.
    pub trailing: Vec<u8>,
}

/// A resource.
#[derive(Clone, Debug)]
pub struct Resource {
    /// Its type.
    pub kind: [u8; 4],
    /// Its number within the type.
    pub id: i16,
    /// Its name, if it has one.
    pub name: Option<Vec<u8>>,
    /// 0 or 0x20 in known forks.
    pub attributes: u8,
    /// A stale handle.
    pub handle: u32,
    /// The content.
    pub data: Vec<u8>,
    /// `None`: its own data; else those of the resource at this index.
    pub data_of: Option<usize>,
    /// `None`: its own name; else the end of the name of the resource at this index, from this byte onward.
    pub name_of: Option<(usize, u16)>,
}

impl Resource {
    /// Creates a resource without a name.
    pub fn new(kind: &[u8; 4], id: i16, data: Vec<u8>) -> Self {
        Self { kind: *kind, id, name: None, attributes: 0, handle: 0, data, data_of: None, name_of: None }
    }

    /// Adds a name.
    pub fn named(self, name: &[u8]) -> Self {
        Self { name: Some(name.to_vec()), ..self }
    }
}

impl Spec {
    /// Creates a fork with computed values.
    pub fn new(garbage: Vec<u8>, resources: Vec<Resource>) -> Self {
        Self {
            garbage,
            data_offset: None,
            data_gap: vec![],
            data_length: None,
            map_length: None,
            copy: None,
            next_map: 0x00D7_ED6C,
            file_reference: 0x1434,
            fork_attributes: 0,
            type_gap: vec![],
            name_gap: vec![],
            name_list: None,
            empty_types: vec![],
            merge_types: true,
            resources,
            data_order: vec![],
            name_order: vec![],
            map_first: false,
            trailing: vec![],
        }
    }

    fn order(&self, given: &[usize]) -> Vec<usize> {
        if given.is_empty() { (0..self.resources.len()).collect() } else { given.to_vec() }
    }
}

/// Writes the fork.
pub fn build(spec: &Spec) -> Vec<u8> {
    let (data, offsets) = data(spec);
    let begin = 16 + spec.garbage.len() + spec.data_gap.len();
    let map_length = map(spec, &offsets, &[0; 16]).len();
    let (data_at, map_at) = if spec.map_first { (begin + map_length, begin) } else { (begin, begin + data.len()) };
    let data_length = spec.data_length.unwrap_or(data.len() as u32);
    let map_length = spec.map_length.unwrap_or(map_length as u32);
    let header = [spec.data_offset.unwrap_or(data_at as u32), map_at as u32, data_length, map_length];
    let header = header.map(u32::to_be_bytes).concat();
    let map = map(spec, &offsets, &header);
    let mut out = Bytes::new();
    out.raw(&header).raw(&spec.garbage).raw(&spec.data_gap);
    if spec.map_first {
        out.raw(&map).raw(&data);
    } else {
        out.raw(&data).raw(&map);
    }
    out.raw(&spec.trailing);
    out.finish()
}

/// Returns the data, and the offset of each resource in them.
fn data(spec: &Spec) -> (Vec<u8>, Vec<u32>) {
    let mut out = Bytes::new();
    let mut offsets = vec![0; spec.resources.len()];
    for index in spec.order(&spec.data_order) {
        let resource = &spec.resources[index];
        if resource.data_of.is_none() {
            offsets[index] = out.len() as u32;
            out.be_u32(resource.data.len() as u32).raw(&resource.data);
        }
    }
    for (index, resource) in spec.resources.iter().enumerate() {
        if let Some(other) = resource.data_of {
            offsets[index] = offsets[other];
        }
    }
    (out.finish(), offsets)
}

/// Returns the map.
fn map(spec: &Spec, data_offsets: &[u32], header: &[u8]) -> Vec<u8> {
    let types: Vec<_> = spec.resources.chunk_by(|a, b| spec.merge_types && a.kind == b.kind).collect();
    let count = types.len() + spec.empty_types.len();
    let references = 2 + 8 * count;
    let type_list = 28 + spec.type_gap.len();
    let names = type_list + references + 12 * spec.resources.len() + spec.name_gap.len();
    let mut out = Bytes::new();
    out.raw(spec.copy.as_ref().map_or(header, |copy| copy));
    out.be_u32(spec.next_map).be_u16(spec.file_reference).be_u16(spec.fork_attributes).be_u16(type_list as u16);
    out.be_u16(spec.name_list.unwrap_or(names as u16)).raw(&spec.type_gap).be_u16((count as u16).wrapping_sub(1));
    let mut at = references;
    for group in &types {
        out.raw(&group[0].kind).be_u16(group.len() as u16 - 1).be_u16(at as u16);
        at += 12 * group.len();
    }
    for (kind, references) in &spec.empty_types {
        out.raw(kind).be_u16(0xFFFF).be_u16(*references);
    }
    let mut pascal = Bytes::new();
    let shift = spec.name_list.map_or(0, |told| names as u16 - told);
    let mut name_offsets = vec![0xFFFF; spec.resources.len()];
    for index in spec.order(&spec.name_order) {
        if let (Some(name), None) = (&spec.resources[index].name, spec.resources[index].name_of) {
            name_offsets[index] = pascal.len() as u16 + shift;
            pascal.u8(name.len() as u8).raw(name);
        }
    }
    for (index, resource) in spec.resources.iter().enumerate() {
        if let Some((other, within)) = resource.name_of {
            name_offsets[index] = name_offsets[other] + within;
        }
    }
    for (resource, (name, data)) in spec.resources.iter().zip(name_offsets.iter().zip(data_offsets)) {
        out.be_i16(resource.id)
            .be_u16(*name)
            .be_u32(u32::from(resource.attributes) << 24 | data)
            .be_u32(resource.handle);
    }
    out.raw(&spec.name_gap).raw(pascal.written());
    out.finish()
}

/// Returns a fork with one `STR ` resource, like that of the Marathon map. Source: marathon-wad.md, section 1.
pub fn one_string(garbage: Vec<u8>, text: &[u8]) -> Vec<u8> {
    let mut data = vec![text.len() as u8];
    data.extend_from_slice(text);
    build(&Spec::new(garbage, vec![Resource::new(b"STR ", 128, data)]))
}

#[cfg(test)]
mod tests {
    use super::{Resource, Spec, build, one_string};

    /// Source: marathon-wad.md, section 1: the resource fork of the Marathon map has 319 bytes and one `STR `.
    #[test]
    fn single_string_has_the_size_of_the_retail_fork() {
        let fork = one_string(vec![0; 240], b"Marathon");
        assert_eq!(fork.len(), 319);
        assert_eq!(fork[..16], fork[269..285]);
        assert_eq!(&fork[256..269], b"\0\0\0\x09\x08Marathon");
    }

    /// Source: marathon-images.md, section 3.
    #[test]
    fn types_references_and_names_are_listed() {
        let resources = [
            Resource::new(b"TEXT", 1, vec![7]).named(b"ab"),
            Resource { attributes: 0x20, ..Resource::new(b"clut", -2, vec![8; 3]) },
        ];
        let spec = Spec { data_order: vec![1, 0], ..Spec::new(vec![], resources.into()) };
        let fork = build(&spec);
        assert_eq!(&fork[16..28], [0, 0, 0, 3, 8, 8, 8, 0, 0, 0, 1, 7]);
        let map = &fork[28..];
        assert_eq!(&map[24..30], [0, 28, 0, 70, 0, 1]);
        assert_eq!(&map[30..46], b"TEXT\0\0\0\x12clut\0\0\0\x1E");
        assert_eq!(&map[46..58], [0, 1, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0]);
        assert_eq!(&map[58..70], [0xFF, 0xFE, 0xFF, 0xFF, 0x20, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(&map[70..], b"\x02ab");
    }
}
