//! Headers of a model, and the walk through it.

use super::Profile;
use super::file::{File, Region, Section};
use super::node::{Node, node};
use crate::random::Random;

/// A model. Source: nwn-mdl.md, sections 3 and 5.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The program that compiled it.
    pub profile: Profile,
    /// Its name.
    pub name: &'static str,
    /// 1 effect, 2 tile, 4 character, 8 door.
    pub classification: u8,
    /// `NULL`, or the model whose animations it inherits.
    pub super_model: &'static str,
    /// The amount by which the node count exceeds the number of nodes: the nodes of the super model plus one.
    pub inherited: u32,
    /// In table order.
    pub animations: Vec<Animation>,
    /// The root.
    pub geometry: Node,
}

/// An animation. Source: nwn-mdl.md, section 3.3.
#[derive(Clone, Debug)]
pub struct Animation {
    /// Its name.
    pub name: &'static str,
    /// Seconds.
    pub length: f32,
    /// Times in seconds, and names.
    pub events: Vec<(f32, &'static str)>,
    /// The amount by which the node count exceeds the number of nodes.
    pub surplus: u32,
    /// The root.
    pub root: Node,
}

/// The regions of a model while they are written.
pub(super) struct Out {
    pub(super) profile: Profile,
    pub(super) random: Random,
    pub(super) regions: Vec<Region>,
}

impl Out {
    /// Appends a region of the model data.
    pub(super) fn model(&mut self, region: Region) {
        self.regions.push(region);
    }

    /// Appends a vector of words in the model data.
    pub(super) fn words(&mut self, name: String, words: &[u32]) {
        self.vector(name, Section::Model, words.iter().flat_map(|word| word.to_le_bytes()).collect());
    }

    /// Appends a vector.
    pub(super) fn vector(&mut self, name: String, section: Section, bytes: Vec<u8>) {
        self.regions.push(Region { bytes, ..Region::new(name, section, 0) });
    }

    /// Writes a text field; program A leaves leftover memory after the NUL.
    pub(super) fn text(&mut self, region: &mut Region, at: usize, size: usize, text: &[u8]) {
        if self.profile == Profile::A {
            let garbage = self.random.garbage(size);
            region.put(at, &garbage);
            region.put(at + text.len(), &[0]);
        }
        region.put(at, text);
    }

    /// Writes memory that program A does not clear.
    pub(super) fn garbage(&mut self, region: &mut Region, at: usize, size: usize) {
        if self.profile == Profile::A {
            let garbage = self.random.garbage(size);
            region.put(at, &garbage);
        }
    }

    /// Writes an array; if it is empty, program A sets its pointer to where it would be.
    pub(super) fn cursor_array(&self, region: &mut Region, at: usize, to: &str, count: usize) {
        if count > 0 || self.profile == Profile::A {
            region.array(at, to, count);
        }
    }

    /// Writes an array; if it is empty, its pointer is null.
    pub(super) fn null_array(&self, region: &mut Region, at: usize, to: &str, count: usize) {
        if count > 0 {
            region.array(at, to, count);
        }
    }
}

/// Returns the regions of a model, in the order of the walk. Source: nwn-mdl.md, section 5.1.
pub fn regions(spec: &Spec, random: Random) -> File {
    let mut out = Out { profile: spec.profile, random, regions: vec![] };
    let mut head = Region::new("model", Section::Model, 0xE8);
    let count = spec.geometry.count() + spec.inherited;
    let functions = [(0x40_BBC0, 0x40_BBD0), (0x46_AB0C, 0x46_AB1C)];
    geometry(&mut out, &mut head, spec.name, "geometry", count, 2, functions);
    head.put(0x72, &[spec.classification, 1]);
    out.cursor_array(&mut head, 0x78, "animations", spec.animations.len());
    if spec.profile == Profile::A {
        head.word(0x84, 0x025E_5F20);
    }
    head.floats(0x88, &[-5.0, -5.0, -1.0, 5.0, 5.0, 10.0, 7.0, 1.0]);
    out.text(&mut head, 0xA8, 64, spec.super_model.as_bytes());
    out.model(head);
    let mut table = Region::new("animations", Section::Model, 4 * spec.animations.len());
    (0..spec.animations.len()).for_each(|index| _ = table.link(4 * index, format!("animation/{index}")));
    out.model(table);
    for (index, animation) in spec.animations.iter().enumerate() {
        let (name, root) = (format!("animation/{index}"), format!("animation/{index}/root"));
        let mut head = Region::new(&name, Section::Model, 0xC4);
        let count = animation.root.count() + animation.surplus;
        let functions = [(0x40_B6C0, 0x44_E700), (0x46_A144, 0x4C_64E4)];
        geometry(&mut out, &mut head, animation.name, &root, count, 5, functions);
        head.floats(0x70, &[animation.length, 0.25]);
        out.text(&mut head, 0x78, 64, spec.name.as_bytes());
        let events = format!("{name}/events");
        out.null_array(&mut head, 0xB8, &events, animation.events.len());
        out.model(head);
        let mut vector = Region::new(events, Section::Model, 0x24 * animation.events.len());
        for (index, (time, event)) in animation.events.iter().enumerate() {
            // The bytes after the name are leftovers in files of both programs.
            let garbage = out.random.garbage(32);
            vector.floats(0x24 * index, &[*time]).put(0x24 * index + 4, &garbage);
            vector.put(0x24 * index + 4, event.as_bytes()).put(0x24 * index + 4 + event.len(), &[0]);
        }
        out.model(vector);
        node(&mut out, &root, &animation.root, true);
    }
    node(&mut out, "geometry", &spec.geometry, false);
    File { zero: 0, lies: [0; 2], regions: out.regions, trailing: vec![] }
}

/// Writes the common beginning of the headers of models and animations. Source: nwn-mdl.md, section 3.1.
fn geometry(
    out: &mut Out,
    head: &mut Region,
    name: &str,
    root: &str,
    count: u32,
    kind: u8,
    functions: [(u32, u32); 2],
) {
    let (first, second) = functions[out.profile as usize];
    head.word(0, first).word(4, second).link(0x48, root).word(0x4C, count).put(0x6C, &[kind]);
    out.text(head, 8, 64, name.as_bytes());
    out.garbage(head, 0x6D, 3);
}

/// Writes a model as its compiler would.
pub fn build(spec: &Spec, random: Random) -> Vec<u8> {
    regions(spec, random).write()
}

#[cfg(test)]
mod tests {
    use super::super::node::{Body, Key};
    use super::*;

    /// The offsets of `plc_dustmotes.mdl`. Source: nwn-mdl.md, section 5.4.
    #[test]
    fn worked_example_is_laid_out() {
        let floats = |keys: usize, more: usize| {
            let mut keys = vec![Key::new(88, &[0.0], 1, &[1.0]); keys];
            keys[0] = Key::new(8, &[0.0], 3, &vec![0.0; 3 + more]);
            keys[0].columns = 3 + more as u8;
            keys
        };
        let dust = |keys| Node { keys, ..Node::new("dust", 1, Body::Emitter) };
        let inner = vec![Node::new("ignore_NGon01", -1, Body::Dummy), dust(floats(1, 2))];
        let spec = Spec {
            profile: Profile::B,
            name: "plc_dustmotes",
            classification: 4,
            super_model: "NULL",
            inherited: 0,
            animations: vec![Animation {
                name: "default",
                length: 1.0,
                events: vec![],
                surplus: 0,
                root: Node { children: inner, ..Node::new("plc_dustmotes", 0, Body::Dummy) },
            }],
            geometry: Node { children: vec![dust(floats(33, 7))], ..Node::new("plc_dustmotes", 0, Body::Dummy) },
        };
        let file = regions(&spec, Random::new(0));
        let at = |name: &str| file.offset(name) - 12;
        assert_eq!([at("animations"), at("animation/0"), at("animation/0/root")], [0xE8, 0xEC, 0x1B0]);
        assert_eq!([at("animation/0/root/children"), at("animation/0/root/0")], [0x220, 0x228]);
        assert_eq!([at("animation/0/root/1"), at("animation/0/root/1/keys")], [0x298, 0x3E0]);
        assert_eq!([at("animation/0/root/1/data"), at("geometry"), at("geometry/children")], [0x3EC, 0x404, 0x474]);
        assert_eq!([at("geometry/0"), at("geometry/0/keys"), at("geometry/0/data")], [0x478, 0x5C0, 0x74C]);
        assert_eq!(file.write().len(), 2180);
    }
}
