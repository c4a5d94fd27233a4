//! Meshes of every type. Source: nwn-mdl.md, sections 4.5 to 4.9.

use super::Profile;
use super::file::{Region, Section};
use super::geometry::Out;

/// A mesh.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// The type of mesh.
    pub shape: Shape,
    /// Positions; without any it is an empty mesh.
    pub vertices: Vec<[f32; 3]>,
    /// Three vertices each.
    pub faces: Vec<[u16; 3]>,
    /// The number of sets of texture coordinates.
    pub textures: usize,
    /// The name of its texture.
    pub bitmap: &'static str,
    /// 3 triangles, 4 strips.
    pub mode: u8,
    /// `None`: a single list with the vertices of the faces.
    pub lists: Option<Vec<Vec<u16>>>,
    /// Which of the six streams after the colors are present, and their sizes per vertex.
    pub streams: Vec<(usize, usize)>,
}

/// Types of meshes.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A plain mesh.
    Plain,
    /// Bound to bones: the number of nodes, the bones as preorder numbers, and the maximum number of bones.
    Skin(usize, Vec<i16>, usize),
    /// With sets of vertices and of texture coordinates.
    Anim(u32, u32),
    /// A danglymesh.
    Dangly,
    /// A walkmesh.
    Aabb,
}

impl Shape {
    /// Returns the flag word and the size of the node. Source: nwn-mdl.md, sections 4 and 8.
    pub(super) fn flags(&self) -> (u32, usize) {
        match self {
            Self::Plain => (0x021, 0x270),
            Self::Skin(_, _, room) => (0x061, 0x2B0 + 2 * room),
            Self::Anim(..) => (0x0A1, 0x2A8),
            Self::Dangly => (0x121, 0x288),
            Self::Aabb => (0x221, 0x274),
        }
    }
}

impl Mesh {
    /// Creates an empty mesh.
    pub fn empty(shape: Shape) -> Self {
        Self { shape, vertices: vec![], faces: vec![], textures: 0, bitmap: "", mode: 0, lists: None, streams: vec![] }
    }

    /// Creates a sheet of `side` by `side` squares, or one triangle for 0.
    pub fn sheet(shape: Shape, side: usize) -> Self {
        let at = |x: usize, y: usize| [x as f32 - 1.5, y as f32 * 0.5, ((x * 7 + y * 5) % 4) as f32 * 0.25];
        let (vertices, faces) = if side == 0 {
            (vec![at(0, 0), at(1, 0), at(1, 1)], vec![[0, 1, 2]])
        } else {
            let vertices = (0..=side).flat_map(|y| (0..=side).map(move |x| at(x, y))).collect();
            let square = |x: usize, y: usize| {
                let [a, b] = [y, y + 1].map(|y| (y * (side + 1) + x) as u16);
                [[a, a + 1, b + 1], [a, b + 1, b]]
            };
            (vertices, (0..side).flat_map(|y| (0..side).flat_map(move |x| square(x, y))).collect())
        };
        Self { vertices, faces, textures: 1, bitmap: "c_boar", mode: 3, ..Self::empty(shape) }
    }

    fn corner(&self, index: u16) -> [f32; 3] {
        self.vertices[usize::from(index)]
    }

    /// Returns the cross product of two edges of a face.
    fn cross(&self, face: [u16; 3]) -> [f32; 3] {
        let [a, b, c] = face.map(|index| self.corner(index));
        let [u, v] = [b, c].map(|to| [to[0] - a[0], to[1] - a[1], to[2] - a[2]]);
        [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    }

    /// Returns the face on the other side of an edge, or -1.
    fn neighbor(&self, own: usize, edge: [u16; 2]) -> i16 {
        let other = self.faces.iter().enumerate().find(|&(index, face)| {
            index != own && edge.iter().all(|&end| face.iter().any(|&corner| self.corner(corner) == self.corner(end)))
        });
        other.map_or(-1, |(index, _)| index as i16)
    }

    fn face(&self, index: usize) -> Vec<u8> {
        let face = self.faces[index];
        let cross = self.cross(face);
        let norm = length(cross);
        let normal = cross.map(|axis| axis / norm);
        let distance = -dot(normal, self.corner(face[0]));
        let mut bytes: Vec<u8> = normal.iter().chain(&[distance]).flat_map(|it| it.to_le_bytes()).collect();
        bytes.extend(1_i32.to_le_bytes());
        let [a, b, c] = face;
        bytes.extend([[a, b], [b, c], [c, a]].iter().flat_map(|&edge| self.neighbor(index, edge).to_le_bytes()));
        bytes.extend(face.iter().flat_map(|corner| corner.to_le_bytes()));
        bytes
    }

    /// Returns box, radius and mean. The box encloses all vertices and the origin, the mean is that of distinct positions.
    fn bounds(&self) -> [f32; 10] {
        let mut bounds = [0.0; 10];
        let mut places: Vec<[u32; 3]> = self.vertices.iter().map(|it| it.map(f32::to_bits)).collect();
        places.sort_unstable();
        places.dedup();
        let mean = [0, 1, 2].map(|axis| {
            bounds[axis] = self.vertices.iter().fold(0.0, |least, it| it[axis].min(least));
            bounds[3 + axis] = self.vertices.iter().fold(0.0, |most, it| it[axis].max(most));
            places.iter().map(|it| f32::from_bits(it[axis])).sum::<f32>() / places.len() as f32
        });
        let away = |it: &[f32; 3]| length([it[0] - mean[0], it[1] - mean[1], it[2] - mean[2]]);
        bounds[6] = self.vertices.iter().map(away).fold(0.0, f32::max);
        bounds[7..].copy_from_slice(&mean);
        bounds
    }
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn length(a: [f32; 3]) -> f32 {
    dot(a, a).sqrt()
}

fn bytes<const N: usize>(words: &[[f32; N]]) -> Vec<u8> {
    words.as_flattened().iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Writes a mesh after its node header, with its data in both sections.
pub(super) fn mesh(out: &mut Out, path: &str, mut head: Region, mesh: &Mesh, animated: bool) {
    let within = |name: &str| format!("{path}/{name}");
    let empty = mesh.vertices.is_empty();
    out.null_array(&mut head, 0x78, &within("faces"), mesh.faces.len());
    if !empty {
        head.floats(0x84, &mesh.bounds());
    } else if out.profile == Profile::B {
        [0xA0, 0xA4, 0xA8].iter().for_each(|&at| _ = head.word(at, 0xFFC0_0000));
    }
    head.floats(0xAC, &[0.8, 0.8, 0.8, 0.2, 0.2, 0.2, 0.0, 0.0, 0.0, 1.0]);
    head.word(0xD4, 1).word(0xDC, 1);
    out.text(&mut head, 0xE8, 64, mesh.bitmap.as_bytes());
    [0x128, 0x168, 0x1A8].iter().for_each(|&at| out.text(&mut head, at, 64, b""));
    let lists = match (&mesh.lists, empty) {
        (Some(lists), _) => lists.clone(),
        (None, true) => vec![],
        (None, false) => vec![mesh.faces.concat()],
    };
    out.cursor_array(&mut head, 0x204, &within("counts"), lists.len());
    out.cursor_array(&mut head, 0x210, &within("lists"), lists.len());
    head.word(0x21C, u32::MAX);
    if empty && animated {
        out.garbage(&mut head, 0x224, 4);
    } else {
        head.put(0x224, &[mesh.mode]);
    }
    out.garbage(&mut head, 0x266, 2);
    head.put(0x230, &(mesh.vertices.len() as u16).to_le_bytes()).put(0x232, &(mesh.textures as u16).to_le_bytes());
    [0x22C, 0x234, 0x238, 0x23C, 0x240, 0x244, 0x248].iter().for_each(|&at| _ = head.word(at, u32::MAX));
    (0..6).for_each(|index| _ = head.word(0x24C + 4 * index, u32::MAX));
    if !empty || out.profile == Profile::A {
        head.link(0x22C, within("vertices")).link(0x244, within("normals"));
    }
    (0..mesh.textures).for_each(|set| _ = head.link(0x234 + 4 * set, within(&format!("coordinates/{set}"))));
    let plain = matches!(mesh.shape, Shape::Plain | Shape::Aabb);
    if plain && !empty {
        head.link(0x248, within("colors"));
        let area = mesh.faces.iter().map(|&face| length(mesh.cross(face)) / 2.0).sum::<f32>();
        head.floats(0x268, &[area]);
    }
    mesh.streams.iter().for_each(|(index, _)| _ = head.link(0x24C + 4 * index, within(&format!("streams/{index}"))));
    match &mesh.shape {
        Shape::Plain => out.model(head),
        Shape::Skin(nodes, bones, room) => skin(out, path, head, *nodes, bones, *room, mesh.vertices.len()),
        Shape::Anim(vertices, textures) => anim(out, path, head, [*vertices, *textures], mesh.vertices.len()),
        Shape::Dangly => {
            out.cursor_array(&mut head, 0x270, &within("constraints"), mesh.vertices.len());
            match animated {
                true => out.garbage(&mut head, 0x27C, 12),
                false => _ = head.floats(0x27C, &[0.25, 3.0, 8.0]),
            }
            out.model(head);
            let constraints: Vec<_> = (0..mesh.vertices.len()).map(|it| ((it * 17 % 256) as f32).to_bits()).collect();
            out.words(within("constraints"), &constraints);
        }
        Shape::Aabb => {
            if !empty {
                head.link(0x270, within("aabb/0"));
            }
            out.model(head);
            if !empty {
                aabb(out, path, mesh, &mut (0..mesh.faces.len() as i32).collect::<Vec<_>>(), &mut 0);
            }
        }
    }
    let faces = (0..mesh.faces.len()).flat_map(|index| mesh.face(index)).collect();
    out.vector(within("faces"), Section::Model, faces);
    out.words(within("counts"), &lists.iter().map(|list| list.len() as u32).collect::<Vec<_>>());
    let mut table = Region::new(within("lists"), Section::Model, 4 * lists.len());
    (0..lists.len()).for_each(|index| _ = table.link(4 * index, within(&format!("indices/{index}"))));
    out.model(table);
    raw(out, path, mesh, &lists);
}

/// Writes the raw data of a mesh. Source: nwn-mdl.md, section 5.2.
fn raw(out: &mut Out, path: &str, mesh: &Mesh, lists: &[Vec<u16>]) {
    let mut vector = |name: &str, bytes| out.vector(format!("{path}/{name}"), Section::Raw, bytes);
    let count = mesh.vertices.len();
    if let Shape::Skin(_, bones, _) = &mesh.shape {
        let two = bones.len() > 1;
        vector("weights", bytes(&vec![if two { [0.75, 0.25, 0.0, 0.0] } else { [1.0, 0.0, 0.0, 0.0] }; count]));
        let slots = [0, if two { 1 } else { -1 }, -1, -1].map(i16::to_le_bytes);
        vector("slots", slots.as_flattened().repeat(count));
    }
    vector("vertices", bytes(&mesh.vertices));
    for set in 0..mesh.textures {
        vector(&format!("coordinates/{set}"), bytes(&vec![[0.5, set as f32]; count]));
    }
    vector("normals", bytes(&vec![[0.0, 0.0, 1.0]; count]));
    if matches!(mesh.shape, Shape::Plain | Shape::Aabb) {
        vector("colors", vec![0xFF; 4 * count]);
    }
    for (index, size) in &mesh.streams {
        vector(&format!("streams/{index}"), vec![0x3F; size * count]);
    }
    for (index, list) in lists.iter().enumerate() {
        vector(&format!("indices/{index}"), list.iter().flat_map(|corner| corner.to_le_bytes()).collect());
    }
}

/// Writes the rest of a skin. Source: nwn-mdl.md, section 4.6.
fn skin(out: &mut Out, path: &str, mut head: Region, nodes: usize, bones: &[i16], room: usize, vertices: usize) {
    let within = |name: &str| format!("{path}/{name}");
    if vertices > 0 {
        head.link(0x27C, within("weights")).link(0x280, within("slots"));
    }
    head.link(0x284, within("map")).word(0x288, nodes as u32);
    head.array(0x28C, within("rotations"), nodes).array(0x298, within("translations"), nodes);
    head.array(0x2A4, within("constants"), nodes);
    out.garbage(&mut head, 0x2B0, 2 * room);
    bones.iter().enumerate().for_each(|(slot, bone)| _ = head.put(0x2B0 + 2 * slot, &bone.to_le_bytes()));
    out.model(head);
    let slot = |node: usize| bones.iter().position(|&bone| bone == node as i16).map_or(-1, |slot| slot as i16);
    out.vector(within("map"), Section::Model, (0..nodes).flat_map(|node| slot(node).to_le_bytes()).collect());
    out.vector(within("rotations"), Section::Model, bytes(&vec![[-1.0, 0.0, 0.0, 0.0]; nodes]));
    out.vector(within("translations"), Section::Model, bytes(&vec![[0.0, -0.0, 1.25]; nodes]));
    let mut constants = Region::new(within("constants"), Section::Model, 4 * nodes);
    out.garbage(&mut constants, 0, 4 * nodes);
    out.model(constants);
}

/// Writes the rest of an animated mesh. Source: nwn-mdl.md, section 4.7.
fn anim(out: &mut Out, path: &str, mut head: Region, sets: [u32; 2], vertices: usize) {
    let names = ["animated_vertices", "animated_coordinates"].map(|name| format!("{path}/{name}"));
    head.floats(0x270, &[0.1]);
    for (index, &count) in sets.iter().enumerate() {
        head.word(0x2A0 + 4 * index, count);
        if count as usize * vertices > 0 {
            head.link(0x298 + 4 * index, &names[index]);
        }
    }
    out.model(head);
    let [moved, shifted] = sets.map(|count| count as usize * vertices);
    let [moving, shifting] = names;
    out.vector(moving, Section::Model, bytes(&vec![[1.0, 2.0, 3.0]; moved]));
    out.vector(shifting, Section::Model, bytes(&vec![[0.25, 0.75]; shifted]));
}

/// Writes the entries of some faces, in preorder, and returns the number of the first. Source: nwn-mdl.md, section 4.9.
fn aabb(out: &mut Out, path: &str, mesh: &Mesh, faces: &mut [i32], next: &mut usize) -> usize {
    let own = *next;
    *next += 1;
    let corners = faces.iter().flat_map(|&face| mesh.faces[face as usize]).map(|corner| mesh.corner(corner));
    let mut bounds = [f32::MAX, f32::MAX, f32::MAX, f32::MIN, f32::MIN, f32::MIN];
    for corner in corners {
        for axis in 0..3 {
            bounds[axis] = corner[axis].min(bounds[axis]);
            bounds[3 + axis] = corner[axis].max(bounds[3 + axis]);
        }
    }
    let at = out.regions.len();
    let mut entry = Region::new(format!("{path}/aabb/{own}"), Section::Model, 0x28);
    entry.floats(0, &bounds);
    out.model(entry);
    if let [face] = faces {
        let face = *face as u32;
        out.regions[at].word(0x20, face);
    } else {
        let axis = if bounds[3] - bounds[0] >= bounds[4] - bounds[1] { 0 } else { 1 };
        faces.sort_by(|&a, &b| {
            let middle =
                |face: i32| mesh.faces[face as usize].map(|corner| mesh.corner(corner)[axis]).iter().sum::<f32>();
            middle(a).total_cmp(&middle(b)).then(a.cmp(&b))
        });
        let (low, high) = faces.split_at_mut(faces.len() / 2);
        let [left, right] = [low, high].map(|half| format!("{path}/aabb/{}", aabb(out, path, mesh, half, next)));
        out.regions[at].link(0x18, left).link(0x1C, right).word(0x20, u32::MAX).word(0x24, 1 << axis);
    }
    own
}
