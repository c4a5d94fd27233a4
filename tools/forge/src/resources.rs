//! A Mac resource fork, for the wrappers that carry one. Source: marathon-images.md, section 3.

use crate::bytes::Bytes;

/// A resource fork.
#[derive(Clone, Debug)]
pub struct Spec {
    /// System and application area: left-over memory in all known forks.
    pub garbage: [u8; 240],
    /// A stale handle.
    pub next_map: u32,
    /// A stale file number.
    pub file_reference: u16,
    /// In the order of the map; those of one type together.
    pub resources: Vec<Resource>,
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
}

/// Writes the fork.
pub fn build(spec: &Spec) -> Vec<u8> {
    let data_length: usize = spec.resources.iter().map(|resource| 4 + resource.data.len()).sum();
    let map = map(spec);
    let mut out = Bytes::new();
    let header = [256, 256 + data_length, data_length, map.len() + 16].map(|word| (word as u32).to_be_bytes()).concat();
    out.raw(&header).raw(&spec.garbage);
    for resource in &spec.resources {
        out.be_u32(resource.data.len() as u32).raw(&resource.data);
    }
    out.raw(&header).raw(&map);
    out.finish()
}

/// The map without the copy of the header at its start.
fn map(spec: &Spec) -> Vec<u8> {
    let types: Vec<_> = spec.resources.chunk_by(|a, b| a.kind == b.kind).collect();
    let references = 2 + 8 * types.len();
    let names = 28 + references + 12 * spec.resources.len();
    let mut out = Bytes::new();
    out.be_u32(spec.next_map).be_u16(spec.file_reference).be_u16(0).be_u16(28).be_u16(names as u16);
    out.be_u16((types.len() as u16).wrapping_sub(1));
    let mut at = references;
    for group in &types {
        out.raw(&group[0].kind).be_u16(group.len() as u16 - 1).be_u16(at as u16);
        at += 12 * group.len();
    }
    let mut pascal = Bytes::new();
    let mut data = 0u32;
    for resource in &spec.resources {
        let name = if resource.name.is_some() { pascal.len() as u16 } else { 0xFFFF };
        out.be_i16(resource.id)
            .be_u16(name)
            .be_u32(u32::from(resource.attributes) << 24 | data)
            .be_u32(resource.handle);
        if let Some(name) = &resource.name {
            pascal.u8(name.len() as u8).raw(name);
        }
        data += 4 + resource.data.len() as u32;
    }
    out.raw(pascal.written());
    out.finish()
}

/// A fork with one `STR ` resource, as the Marathon map has it. Source: marathon-wad.md, section 1.
pub fn one_string(garbage: Vec<u8>, text: &[u8]) -> Vec<u8> {
    let mut data = vec![text.len() as u8];
    data.extend_from_slice(text);
    let resource = Resource { kind: *b"STR ", id: 128, name: None, attributes: 0, handle: 0, data };
    let garbage = garbage.try_into().expect("240 bytes");
    build(&Spec { garbage, next_map: 0x00D7_ED6C, file_reference: 0x1434, resources: vec![resource] })
}

#[cfg(test)]
mod tests {
    use super::one_string;

    /// Source: marathon-wad.md, section 1: the resource fork of the Marathon map has 319 bytes and one `STR `.
    #[test]
    fn has_the_size_of_the_retail_fork() {
        let fork = one_string(vec![0; 240], b"Marathon");
        assert_eq!(fork.len(), 319);
        assert_eq!(fork[..16], fork[269..285]);
        assert_eq!(&fork[256..269], b"\0\0\0\x09\x08Marathon");
    }
}
