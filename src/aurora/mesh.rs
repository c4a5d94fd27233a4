//! Meshes: settings, faces, index lists, and streams of values per vertex.

use core::ops::{Deref, DerefMut};
use std::sync::LazyLock;

use field::{
    self, Block, Class, Direction, F32, Fault, I16, I32, Judge, Result, Shape, Shaped, Stale, Text, U8, U16, U32, lay,
    wide,
};
use field::{names, record};

use super::flags::{PieceKind, Things};
use super::mesh_types::{LayMeshType as _, MeshType, per_vertex};
use super::pointers::{NO_ARRAY, Part, PartName, Parts, Visit, Visited, each_part, key};
pub use super::vectors::Stream;
use super::vectors::{Element, LayVectors as _, Named, TANGENTS, Vector};
use super::{Vec2, Vec3};

names! {
    /// The meaning of the index lists of a mesh. Source: `nwn-mdl.md`, sections 4.5 and 10.
    pub struct TriangleMode(U8: u8) {
        /// Three vertices per triangle.
        TRIANGLES = 3;
        /// Strips of triangles.
        STRIPS = 4;
    }
}

record! {
    /// A mesh, 512 bytes after the node header. Source: `nwn-mdl.md`, section 4.5.
    pub struct MeshHeader: 512 {
        functions: [U32; 2] as Pointer,
        faces_at: U32 as Outside,
        faces_used: U32 as Outside,
        faces_allocated: U32 as Outside,
        /// The minimum of all vertices and the origin.
        box_min: Vec3 as Derived,
        /// The maximum of all vertices and the origin.
        box_max: Vec3 as Derived,
        /// The largest distance of a vertex from the average point.
        radius: F32 as Derived,
        /// The mean of the distinct positions of vertices.
        average: Vec3 as Derived,
        diffuse: Vec3,
        ambient: Vec3,
        specular: Vec3,
        shininess: F32,
        shadow: U32,
        beaming: U32,
        render: U32,
        transparency_hint: U32,
        unk_74: U32 = 0,
        textures: [Text<64>; 4],
        tile_fade: U32,
        unk_17c: [U32; 3] = NO_ARRAY,
        unk_188: [U32; 3] = NO_ARRAY,
        list_counts_at: U32 as Outside,
        list_counts_used: U32 as Outside,
        list_counts_allocated: U32 as Outside,
        lists_at: U32 as Outside,
        lists_used: U32 as Outside,
        lists_allocated: U32 as Outside,
        unk_1ac: I32 = -1,
        unk_1b0: U32 = 0,
        /// Leftover memory in meshes without vertices.
        triangle_mode: TriangleMode,
        unk_1b5: Stale<3>,
        unk_1b8: U32 = 0,
        vertices_at: U32 as Outside,
        vertices_used: U16 as Outside,
        texture_count: U16,
        coordinates_at: [U32; 4] as Outside,
        normals_at: U32 as Outside,
        colors_at: U32 as Outside,
        streams_at: [U32; 6] as Outside,
        light_mapped: U8,
        rotate_texture: U8,
        unk_1f6: Stale<2>,
        /// The area of all faces; 0 in skins and danglymeshes.
        area: F32 as Derived,
        unk_1fc: U32 = 0,
    }
}

record! {
    /// A face, 32 bytes. Source: `nwn-mdl.md`, section 4.5.
    pub struct Face: 32 {
        normal: Vec3 as Derived,
        distance: F32 as Derived,
        surface: I32,
        /// The face across each edge, or -1.
        adjacent: [I16; 3] as Derived,
        vertices: [U16; 3],
    }
}

/// A vertex in an index list; the faces list it too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Corner(pub U16);

impl Shaped for Corner {
    const SHAPE: Shape = U16::SHAPE;
    const CLASS: Class = Class::Derived;
}

/// An index list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct List {
    pub(super) pointer: U32,
    /// The pointer of a list without vertices, plus one: 0 if that is -1, as usual.
    pub stray: U32,
    /// The vertices.
    pub vertices: Block<Corner>,
}

/// The streams of a mesh. Most meshes of animations have none.
#[derive(Clone, Debug, Default)]
pub struct Streams(Option<Box<StreamSet>>);

impl Deref for Streams {
    type Target = StreamSet;

    fn deref(&self) -> &StreamSet {
        static NONE: LazyLock<StreamSet> = LazyLock::new(StreamSet::default);
        self.0.as_deref().unwrap_or(&NONE)
    }
}

impl DerefMut for Streams {
    fn deref_mut(&mut self) -> &mut StreamSet {
        self.0.get_or_insert_default()
    }
}

impl Streams {
    /// Makes them, so that they can be filled.
    pub(super) fn make(&mut self) {
        self.0.get_or_insert_default();
    }
}

impl PartialEq for Streams {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

/// Values for each vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StreamSet {
    /// Positions.
    pub vertices: Block<Vec3>,
    /// Sets of texture coordinates.
    pub coordinates: [Block<Vec2>; 4],
    /// Normals.
    pub normals: Block<Vec3>,
    /// Colors.
    pub colors: Block<[U8; 4]>,
    /// Tangents, in files of the Enhanced Edition. Source: `nwn-mdl.md`, section 4.5.
    pub tangents: Stream<Vec3>,
    /// The sign of each bitangent, 1 or -1, in files of the Enhanced Edition.
    pub bitangent_signs: Stream<F32>,
    /// The first, second, third and fifth of six streams, of unknown type.
    pub others: [Block; 4],
}

/// A mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Its settings.
    pub head: MeshHeader,
    /// Its type.
    pub mesh_type: MeshType,
    /// Its faces.
    pub faces: Block<Face>,
    /// Its index lists; for triangles, the vertices of all faces.
    pub lists: Vec<List>,
    /// Values for each vertex.
    pub streams: Streams,
}

impl Mesh {
    /// Returns the number of vertices in the streams, or `None` if there are none.
    pub(super) fn vertex_count(&self) -> Option<usize> {
        let StreamSet { vertices, coordinates, normals, colors, .. } = &*self.streams;
        let lengths = [vertices.len(), normals.len(), colors.len()].into_iter();
        let lengths = lengths.chain(coordinates.iter().map(|set| set.len())).chain(self.mesh_type.vertex_count());
        lengths.into_iter().find(|&length| length > 0)
    }

    /// Returns the number of its bytes in the raw data.
    pub(super) fn stream_bytes(&self) -> u64 {
        let mut bytes = 0;
        each_part(self, |part| {
            bytes += if part.kind.is_raw() { part.length } else { 0 };
        });
        bytes
    }

    /// Reports values that do not follow from the vertices and faces.
    pub(super) fn judge(&self, t: &mut Judge<'_>) {
        let (head, streams) = (&self.head, &*self.streams);
        t.expect("box_min", || {
            let least = |axis: usize| {
                let values = streams.vertices.iter().filter_map(|at| at.get(axis));
                values.map(|it| it.get()).fold(0.0, f32::min)
            };
            let least = [0, 1, 2].map(least);
            let found = head.box_min.map(F32::get);
            (!streams.vertices.is_empty() && found != least).then(|| (shown(least).into(), shown(found).into()))
        });
        t.expect("box_max", || {
            let most = |axis: usize| {
                let values = streams.vertices.iter().filter_map(|at| at.get(axis));
                values.map(|it| it.get()).fold(0.0, f32::max)
            };
            let most = [0, 1, 2].map(most);
            let found = head.box_max.map(F32::get);
            (!streams.vertices.is_empty() && found != most).then(|| (shown(most).into(), shown(found).into()))
        });
        t.expect("texture_count", || {
            let sets = streams.coordinates.iter().filter(|set| !set.is_empty()).count();
            (usize::from(head.texture_count.get()) != sets).then(|| (sets.into(), head.texture_count.get().into()))
        });
        t.expect("lists_at", || {
            let list = match self.lists.as_slice() {
                [] if self.faces.is_empty() => return None,
                // Strips are not the faces one by one.
                [_] if head.triangle_mode.get() == 4 => return None,
                [list] => list,
                lists => return Some(("one index list".into(), lists.len().into())),
            };
            let faces = self.faces.iter().flat_map(|face| face.vertices);
            let same = list.vertices.iter().map(|corner| corner.0).eq(faces);
            (!same).then(|| ("the vertices of the faces".into(), "different vertices".into()))
        });
    }
}

/// The streams in the order of the walk: their names, and the size of a value. The length of one of unknown type follows from the next part
/// in the file; until it is found, any number stands for it.
const STREAMS: [(PartName, u64); 13] = [
    (key!(VERTICES, "vertices"), 12),
    (key!(COORDINATES_0, "coordinates"), 8),
    (key!(COORDINATES_1, "coordinates_1"), 8),
    (key!(COORDINATES_2, "coordinates_2"), 8),
    (key!(COORDINATES_3, "coordinates_3"), 8),
    (key!(NORMALS, "normals"), 12),
    (key!(COLORS, "colors"), 4),
    ((PieceKind::STREAM_0, Things::STREAMS, "stream_0"), 1),
    ((PieceKind::STREAM_1, Things::STREAMS, "stream_1"), 1),
    ((PieceKind::STREAM_2, Things::STREAMS, "stream_2"), 1),
    ((PieceKind::STREAM_3, Things::STREAMS, TANGENTS), 1),
    ((PieceKind::STREAM_4, Things::STREAMS, "stream_4"), 1),
    ((PieceKind::STREAM_5, Things::STREAMS, "bitangent_signs"), 1),
];

fn shown([x, y, z]: [f32; 3]) -> String {
    format!("{x} {y} {z}")
}

impl Element for Corner {}
impl Element for Face {}

/// Lays out the parts of a mesh.
pub(super) trait LayMesh: Direction {
    /// Lays out the part of a mesh in the raw data.
    fn mesh_streams(&mut self, it: Self::At<'_, Mesh>) -> Result;

    /// Lays out the pointers to the index lists of a mesh.
    fn mesh_lists(&mut self, it: Self::At<'_, Mesh>) -> Result;
}

lay! {
    impl Lay for List {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fact("stray", at!(self.stray))?;
            self.vertices.lay_by(t, Named("vertices"))
        }
    }

    impl<'t> Parts<Tape<'t>> for Mesh {
        fn parts<'a, E>(it: at!('a Self), visit: &mut impl Visit<'a, Tape<'t>, E>) -> Visited<E> {
            let Mesh { head, mesh_type, faces, lists, streams } = it;
            let vertices = u64::from(head.vertices_used.get());
            Tape::mesh_type_parts(mesh_type, vertices, visit)?;
            let counts = [Some(at!(head.faces_used)), Some(at!(head.faces_allocated))];
            visit.array(key!(FACES, "faces"), at!(head.faces_at), counts, size_of::<Face>(), faces)?;
            let counts = [Some(at!(head.list_counts_used)), Some(at!(head.list_counts_allocated))];
            visit.table(key!(LIST_COUNTS), at!(head.list_counts_at), counts, lists.len())?;
            let counts = [Some(at!(head.lists_used)), Some(at!(head.lists_allocated))];
            visit.table(key!(LISTS), at!(head.lists_at), counts, lists.len())?;
            let [uv_0, uv_1, uv_2, uv_3] = at!(head.coordinates_at);
            let [stream_0, stream_1, stream_2, stream_3, stream_4, stream_5] = at!(head.streams_at);
            let pointers = [
                at!(head.vertices_at), uv_0, uv_1, uv_2, uv_3, at!(head.normals_at), at!(head.colors_at),
                stream_0, stream_1, stream_2, stream_3, stream_4, stream_5,
            ];
            for ((pointer, values), (key, each)) in pointers.into_iter().zip(vectors(streams)).zip(STREAMS) {
                let stated = per_vertex(*pointer, vertices * each);
                visit.vector(key, pointer, stated, values)?;
            }
            for (index, list) in lists.into_iter().enumerate() {
                let (bytes, null) = (wide(list.vertices.bytes().len()), list.stray.get().wrapping_sub(1));
                let pointer = at!(list.pointer);
                visit.item((PieceKind::LIST, index), pointer, (bytes, null), Some(at!(list.vertices)))?;
            }
            Ok(())
        }
    }

    /// Returns the values of each stream, in the order of [`STREAMS`].
    fn vectors(it: at!(Streams)) -> [Option<at!(dyn Vector)>; 13] {
        let Some(set) = at!(it.0) else { return [const { None }; 13] };
        let StreamSet {
            vertices,
            coordinates: [first, second, third, fourth],
            normals,
            colors,
            tangents,
            bitangent_signs,
            others: [stream_0, stream_1, stream_2, stream_4],
        } = at!(**set);
        [
            Some(vertices), Some(first), Some(second), Some(third), Some(fourth), Some(normals), Some(colors),
            Some(stream_0), Some(stream_1), Some(stream_2), Some(tangents), Some(stream_4), Some(bitangent_signs),
        ]
    }

    impl LayMesh for Tape<'_> {
        fn mesh_streams(&mut self, it: at!(Mesh)) -> Result {
            self.build(at!(it.streams), |streams, _| {
                streams.make();
                Ok(())
            })?;
            Mesh::parts(at!(*it), &mut |part: Part<'_, Self>| match part.values {
                Some(vector) if part.kind.is_raw() && part.kind != PieceKind::LIST => {
                    vector.lay_by(self, Named(part.name))
                }
                _ => Ok(()),
            })?;
            let expected = wide(it.lists.len());
            self.items_of("lists", None, at!(it.lists))?;
            let found = wide(it.lists.len());
            if expected == found { Ok(()) } else { Err(self.error_in("lists", Fault::Count { expected, found })) }
        }

        fn mesh_lists(&mut self, it: at!(Mesh)) -> Result {
            for list in at!(it.lists) {
                let stored = list.pointer.get().into();
                self.counted("list", at!(list.pointer), Some(stored))?;
            }
            Ok(())
        }
    }
}
