//! Regions, and files made of them.

use std::collections::HashMap;

use crate::bytes::Bytes;

/// The section that a region belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The model data, counted from offset 12.
    Model,
    /// The raw data after it.
    Raw,
}

/// A structure or vector.
#[derive(Clone, Debug)]
pub struct Region {
    /// Its name in links.
    pub name: String,
    /// The section that it belongs to.
    pub section: Section,
    /// Its bytes, with zeros for links.
    pub bytes: Vec<u8>,
    /// Its links: an offset in it, and the target region.
    pub links: Vec<(usize, String)>,
}

impl Region {
    /// Creates a region of zeros.
    pub fn new(name: impl Into<String>, section: Section, size: usize) -> Self {
        Self { name: name.into(), section, bytes: vec![0; size], links: vec![] }
    }

    /// Overwrites bytes.
    pub fn put(&mut self, at: usize, bytes: &[u8]) -> &mut Self {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        self
    }

    /// Overwrites a word.
    pub fn word(&mut self, at: usize, value: u32) -> &mut Self {
        self.put(at, &value.to_le_bytes())
    }

    /// Overwrites floats.
    pub fn floats(&mut self, at: usize, values: &[f32]) -> &mut Self {
        values.iter().enumerate().for_each(|(index, value)| _ = self.word(at + 4 * index, value.to_bits()));
        self
    }

    /// Adds a link.
    pub fn link(&mut self, at: usize, to: impl Into<String>) -> &mut Self {
        self.links.push((at, to.into()));
        self
    }

    /// Overwrites an array of this many entries: pointer, used, allocated. Source: nwn-mdl.md, section 1.
    pub fn array(&mut self, at: usize, to: impl Into<String>, count: usize) -> &mut Self {
        self.link(at, to).word(at + 4, count as u32).word(at + 8, count as u32)
    }

    /// Removes the links at an offset, and writes a word there.
    pub fn unlink(&mut self, at: usize, value: u32) -> &mut Self {
        self.links.retain(|link| link.0 != at);
        self.word(at, value)
    }
}

/// A model as regions.
#[derive(Clone, Debug)]
pub struct File {
    /// 0.
    pub zero: u32,
    /// Amounts to add to the sizes in the header.
    pub lies: [u32; 2],
    /// The regions of each section, in their order.
    pub regions: Vec<Region>,
    /// Bytes after the raw data.
    pub trailing: Vec<u8>,
}

impl File {
    /// Returns the region of this name.
    pub fn region(&mut self, name: &str) -> &mut Region {
        let found = self.regions.iter_mut().find(|region| region.name == name);
        found.unwrap_or_else(|| panic!("no region {name}"))
    }

    /// Removes a region.
    pub fn take(&mut self, name: &str) -> Region {
        let at = self.regions.iter().position(|region| region.name == name).expect("a region of this name");
        self.regions.remove(at)
    }

    /// Inserts a region before another one.
    pub fn put_before(&mut self, name: &str, region: Region) {
        let at = self.regions.iter().position(|region| region.name == name).expect("a region of this name");
        self.regions.insert(at, region);
    }

    /// Redirects all links from one region to another, and removes the first.
    pub fn share(&mut self, name: &str, with: &str) {
        self.take(name);
        let links = self.regions.iter_mut().flat_map(|region| &mut region.links);
        links.filter(|link| link.1 == name).for_each(|link| link.1 = with.into());
    }

    /// Returns the start of every region in its section, and the sizes of the two sections.
    fn places(&self) -> (Vec<usize>, [usize; 2]) {
        let mut ends = [0, 0];
        let starts = self.regions.iter().map(|region| {
            let end = &mut ends[region.section as usize];
            *end += region.bytes.len();
            *end - region.bytes.len()
        });
        (starts.collect(), ends)
    }

    /// Returns the offset of a region in the file.
    pub fn offset(&self, name: &str) -> usize {
        let (starts, ends) = self.places();
        let at = self.regions.iter().position(|region| region.name == name).expect("a region of this name");
        12 + starts[at] + if self.regions[at].section == Section::Raw { ends[0] } else { 0 }
    }

    /// Writes the file.
    pub fn write(&self) -> Vec<u8> {
        let (starts, ends) = self.places();
        let mut by_name = HashMap::new();
        for (region, start) in self.regions.iter().zip(starts) {
            by_name.entry(region.name.as_str()).or_insert(start as u32);
        }
        let start = |name: &str| *by_name.get(name).unwrap_or_else(|| panic!("no region {name}"));
        let mut out = Bytes::new();
        out.le_u32(self.zero);
        ends.iter().zip(self.lies).for_each(|(&size, lie)| _ = out.le_u32((size as u32).wrapping_add(lie)));
        for section in [Section::Model, Section::Raw] {
            for region in self.regions.iter().filter(|region| region.section == section) {
                let at = out.len();
                out.raw(&region.bytes);
                region.links.iter().for_each(|(offset, to)| _ = out.patch(at + offset, &start(to).to_le_bytes()));
            }
        }
        out.raw(&self.trailing);
        out.finish()
    }
}
