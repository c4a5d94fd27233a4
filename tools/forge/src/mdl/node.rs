//! Nodes of every type, and the walk through them.

use super::Profile;
use super::file::{Region, Section};
use super::geometry::Out;
use super::mesh::{self, Mesh};

/// A node. Source: nwn-mdl.md, section 4.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its name.
    pub name: &'static str,
    /// Its part number.
    pub part: i32,
    /// Its type and data.
    pub body: Body,
    /// In table order.
    pub children: Vec<Node>,
    /// Its controllers.
    pub keys: Vec<Key>,
    /// Floats that no key refers to.
    pub dead: Vec<f32>,
}

/// The type of a node.
#[derive(Clone, Debug)]
pub enum Body {
    /// Only a position.
    Dummy,
    /// A light.
    Light(Light),
    /// An emitter of particles.
    Emitter,
    /// A reference to a different model.
    Reference(&'static str),
    /// A mesh of any type.
    Mesh(Mesh),
}

/// The properties of a light that are not defaults.
#[derive(Clone, Debug, Default)]
pub struct Light {
    /// Names of the textures of its lens flares.
    pub flares: Vec<&'static str>,
}

/// A controller. Source: nwn-mdl.md, section 4.2.
#[derive(Clone, Debug)]
pub struct Key {
    /// The controlled property.
    pub kind: i32,
    /// Values per row; 0x10 is a flag.
    pub columns: u8,
    /// The time of each row.
    pub times: Vec<f32>,
    /// The rows.
    pub values: Vec<f32>,
}

impl Key {
    /// Creates a controller.
    pub fn new(kind: i32, times: &[f32], columns: u8, values: &[f32]) -> Self {
        Self { kind, columns, times: times.into(), values: values.into() }
    }
}

impl Node {
    /// Creates a node without children and controllers.
    pub fn new(name: &'static str, part: i32, body: Body) -> Self {
        Self { name, part, body, children: vec![], keys: vec![], dead: vec![] }
    }

    /// Returns the number of nodes in the tree.
    pub fn count(&self) -> u32 {
        1 + self.children.iter().map(Self::count).sum::<u32>()
    }

    /// Returns the flag word and the size. Source: nwn-mdl.md, section 4.
    fn flags(&self) -> (u32, usize) {
        match &self.body {
            Body::Dummy => (0x001, 0x70),
            Body::Light(_) => (0x003, 0xCC),
            Body::Emitter => (0x005, 0x148),
            Body::Reference(_) => (0x011, 0xB4),
            Body::Mesh(mesh) => mesh.shape.flags(),
        }
    }
}

/// Returns the function addresses of a node header. Source: nwn-mdl.md, section 4.1.
fn functions(flags: u32, profile: Profile) -> [u32; 8] {
    match (flags, profile) {
        (0x001, Profile::A) => [0x40CB70, 0x40CBD0, 0x40CBE0, 0x40CBF0, 0x40CC10, 0x40CC20, 0, 0],
        (0x001, Profile::B) => [0x46B9E0, 0x46B9F0, 0x46BA04, 0x46BA14, 0x46BA30, 0x46BA40, 0, 0],
        (0x003, Profile::A) => [0x40DB70, 0x40DB80, 0x40DB90, 0x40DBA0, 0x40DBC0, 0x40DBD0, 0, 0],
        (0x003, Profile::B) => [0x46DBB8, 0x46DBC8, 0x46DBDC, 0x46DBEC, 0x46DC08, 0x46DC18, 0, 0],
        (0x005, Profile::A) => [0x40CB70, 0x40D9B0, 0x40D9C0, 0x40D9D0, 0x40D9F0, 0x40DA00, 0, 0],
        (0x005, Profile::B) => [0x46DBB8, 0x46DA00, 0x46DA14, 0x46DA24, 0x46DA40, 0x46DA50, 0, 0],
        (0x011, Profile::A) => [0x40CB70, 0x40DF30, 0x40CBE0, 0x40DF40, 0x40DF60, 0x40DF70, 0, 0],
        (0x011, Profile::B) => [0x46B9E0, 0x46E178, 0x46BA04, 0x46E18C, 0x46E1A8, 0x46E1B8, 0, 0],
        (0x061, Profile::A) => [0x40D710, 0x40D790, 0x40D7A0, 0x40E310, 0x40D7B0, 0x40D7C0, 0x40D7D0, 0x40D7E0],
        (0x061, Profile::B) => [0x46D394, 0x46D3A4, 0x46D3B8, 0x46E7E8, 0x46D3C8, 0x46D3D8, 0x46D3EC, 0x46D3FC],
        (0x121, Profile::A) => [0x40E040, 0x40E080, 0x40E090, 0x40E310, 0x40E330, 0x40E0A0, 0x40E0C0, 0x40E0B0],
        (0x121, Profile::B) => [0x46E2B4, 0x46E2C4, 0x46E2D8, 0x46E7E8, 0x46E804, 0x46E2E8, 0x46E2FC, 0x46E30C],
        (0x221, Profile::A) => [0x40E660, 0x40E6E0, 0x40E300, 0x40E310, 0x40E330, 0x40E6F0, 0x40E350, 0x40D7E0],
        (_, Profile::A) => [0x40E2E0, 0x40E2F0, 0x40E300, 0x40E310, 0x40E330, 0x40E340, 0x40E350, 0x40D7E0],
        (_, Profile::B) => [0x46E7B4, 0x46E7C4, 0x46E7D8, 0x46E7E8, 0x46E804, 0x46E814, 0x46E828, 0x46E838],
    }
}

/// Writes a node and its children. Source: nwn-mdl.md, sections 4 and 5.
pub(super) fn node(out: &mut Out, path: &str, node: &Node, animated: bool) {
    let (flags, size) = node.flags();
    let within = |name: &str| format!("{path}/{name}");
    let mut head = Region::new(path, Section::Model, size);
    let functions = functions(flags, out.profile);
    functions[..6].iter().enumerate().for_each(|(index, &function)| _ = head.word(4 * index, function));
    head.put(0x1C, &node.part.to_le_bytes()).word(0x6C, flags);
    out.text(&mut head, 0x20, 32, node.name.as_bytes());
    let data: Vec<u32> = match node.keys.is_empty() {
        true => node.dead.iter().map(|value| value.to_bits()).collect(),
        false => node.keys.iter().flat_map(|key| key.times.iter().chain(&key.values)).map(|it| it.to_bits()).collect(),
    };
    out.cursor_array(&mut head, 0x48, &within("children"), node.children.len());
    out.null_array(&mut head, 0x54, &within("keys"), node.keys.len());
    if !data.is_empty() {
        head.array(0x60, within("data"), data.len());
    }
    match &node.body {
        Body::Dummy => out.model(head),
        Body::Light(light) => self::light(out, path, head, light),
        Body::Emitter => {
            emitter(out, &mut head, animated);
            out.model(head);
        }
        Body::Reference(to) => {
            out.text(&mut head, 0x70, 64, to.as_bytes());
            head.word(0xB0, u32::from(!animated));
            out.model(head);
        }
        Body::Mesh(mesh) => {
            head.word(0x70, functions[6]).word(0x74, functions[7]);
            mesh::mesh(out, path, head, mesh, animated);
        }
    }
    let mut table = Region::new(within("children"), Section::Model, 4 * node.children.len());
    (0..node.children.len()).for_each(|index| _ = table.link(4 * index, format!("{path}/{index}")));
    out.model(table);
    for (index, child) in node.children.iter().enumerate() {
        self::node(out, &format!("{path}/{index}"), child, animated);
    }
    let mut keys = Region::new(within("keys"), Section::Model, 12 * node.keys.len());
    let mut end = 0;
    for (at, key) in (0..).step_by(12).zip(&node.keys) {
        let rows = key.times.len();
        keys.put(at, &key.kind.to_le_bytes()).put(at + 4, &(rows as i16).to_le_bytes());
        keys.put(at + 6, &(end as i16).to_le_bytes()).put(at + 8, &((end + rows) as i16).to_le_bytes());
        keys.put(at + 10, &[key.columns]);
        out.garbage(&mut keys, at + 11, 1);
        end += rows + key.values.len();
    }
    out.model(keys);
    out.words(within("data"), &data);
}

/// Writes the rest of a light. Source: nwn-mdl.md, section 4.3.
fn light(out: &mut Out, path: &str, mut head: Region, light: &Light) {
    let within = |name: &str| format!("{path}/{name}");
    let count = light.flares.len();
    out.null_array(&mut head, 0x80, &within("sizes"), count);
    out.null_array(&mut head, 0x8C, &within("positions"), count);
    out.null_array(&mut head, 0x98, &within("shifts"), count);
    out.null_array(&mut head, 0xA4, &within("flares"), count);
    head.floats(0x70, &[if count > 0 { 20.0 } else { 0.0 }]);
    [5, 0, 1, 1, 1, 0, 1].iter().enumerate().for_each(|(index, &word)| _ = head.word(0xB0 + 4 * index, word));
    out.model(head);
    let mut table = Region::new(within("flares"), Section::Model, 4 * count);
    (0..count).for_each(|index| _ = table.link(4 * index, format!("{path}/flare/{index}")));
    out.model(table);
    for (index, name) in light.flares.iter().enumerate() {
        let name = [name.as_bytes(), b"\0"].concat();
        out.vector(format!("{path}/flare/{index}"), Section::Model, name);
    }
    let floats = |each: usize| (0..each * count).map(|index| (index as f32 / 4.0).to_bits()).collect::<Vec<_>>();
    out.words(within("sizes"), &floats(1));
    out.words(within("positions"), &floats(1));
    out.words(within("shifts"), &floats(3));
}

/// Writes the rest of an emitter. Source: nwn-mdl.md, section 4.4.
fn emitter(out: &mut Out, head: &mut Region, animated: bool) {
    head.floats(0x70, &[0.0, 2.5, 1.5]).word(0x84, 1);
    if animated && out.profile == Profile::A {
        // Not cleared, from the first byte: there may be no NUL at all.
        out.garbage(head, 0x7C, 8);
        out.garbage(head, 0x88, 0x128 - 0x88);
        head.put(0x88, &[0xCD; 32]);
    } else {
        head.word(0x7C, 4).word(0x80, 4);
        for (at, size, text) in
            [(0x88, 32, "Fountain"), (0xA8, 32, "Normal"), (0xC8, 32, "Lighten"), (0xE8, 64, "fxpa_smoke01")]
        {
            out.text(head, at, size, text.as_bytes());
        }
    }
    head.put(0x128, b"Fx_Rockchunksml").word(0x138, 1).put(0x140, &2_u16.to_le_bytes()).word(0x144, 0x142);
    out.garbage(head, 0x142, 2);
}
