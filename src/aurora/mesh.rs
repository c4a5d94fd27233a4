//! Meshes: settings, faces, index lists, and streams of values per vertex.

use core::ops::{Deref, DerefMut};
use std::sync::LazyLock;

use field::{
    self, Block, Class, Direction, F32, Fault, I16, I32, Judge, Result, Shape, Shaped, Stale, Text, U8, U16, U32, lay,
    wide,
};
use field::{names, record};

use super::flags::{Kinds, PieceKind, Things};
use super::mesh_types::{LayMeshType as _, MeshType, per_vertex};
use super::pointers::{Access as _, NO_ARRAY, Part, Parts, each_part};
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

    /// Returns the kinds that its parts can have, even of parts that are empty. Streams that have not been made can be left out.
    pub(super) fn kinds(&self, only_made: bool) -> Kinds {
        let streams = Kinds::STREAMS.only_if(!only_made || self.streams.0.is_some());
        Kinds::MESH.and(self.mesh_type.kinds()).and(streams)
    }

    /// Returns the number of its bytes in the raw data.
    pub(super) fn stream_bytes(&self) -> u64 {
        let mut bytes = 0;
        each_part(self, self.kinds(true), |kind, _, part| bytes += if kind.is_raw() { part.length } else { 0 });
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

/// Returns a stream, given its name, its pointer and the size of a value. Its values exist if the mesh has any streams.
///
/// The length of a stream of unknown type follows from the next part in the file; until it is found, any number stands for it.
macro_rules! stream {
    ($name:expr, $pointer:expr, $bytes:expr, $streams:ident.$($field:tt)+) => {{
        let stated = per_vertex($pointer, $bytes);
        let values: Option<at!(dyn Vector)> = match at!($streams.0) {
            Some(set) => Some(at!(set.$($field)+)),
            None => None,
        };
        Tape::vector($name, at!($pointer), stated, values)
    }};
}

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
        fn part<'a: 'a>(it: at!('a Self), kind: PieceKind, item: usize) -> Option<Part<'a, Tape<'t>>> {
            let Mesh { head, mesh_type, faces, lists, streams } = it;
            let vertices = u64::from(head.vertices_used.get());
            Some(match kind {
                PieceKind::FACES => {
                    let array = [at!(head.faces_at), at!(head.faces_used), at!(head.faces_allocated)];
                    Tape::array((Things::FACES, "faces"), array, size_of::<Face>(), faces)
                }
                PieceKind::LIST_COUNTS => {
                    let table = [at!(head.list_counts_at), at!(head.list_counts_used), at!(head.list_counts_allocated)];
                    Tape::table(Things::LIST_COUNTS, table, lists.len())
                }
                PieceKind::LISTS => {
                    let table = [at!(head.lists_at), at!(head.lists_used), at!(head.lists_allocated)];
                    Tape::table(Things::LISTS, table, lists.len())
                }
                PieceKind::LIST => {
                    let list = lists.into_iter().nth(item)?;
                    let (length, null) = (wide(list.vertices.bytes().len()), list.stray.get().wrapping_sub(1));
                    Tape::item(at!(list.pointer), (length, null), at!(list.vertices))
                }
                PieceKind::VERTICES => stream!((Things::VERTICES, "vertices"), head.vertices_at, vertices * 12, streams.vertices),
                PieceKind::COORDINATES_0 => stream!((Things::COORDINATES_0, "coordinates"), head.coordinates_at[0], vertices * 8, streams.coordinates[0]),
                PieceKind::COORDINATES_1 => stream!((Things::COORDINATES_1, "coordinates_1"), head.coordinates_at[1], vertices * 8, streams.coordinates[1]),
                PieceKind::COORDINATES_2 => stream!((Things::COORDINATES_2, "coordinates_2"), head.coordinates_at[2], vertices * 8, streams.coordinates[2]),
                PieceKind::COORDINATES_3 => stream!((Things::COORDINATES_3, "coordinates_3"), head.coordinates_at[3], vertices * 8, streams.coordinates[3]),
                PieceKind::NORMALS => stream!((Things::NORMALS, "normals"), head.normals_at, vertices * 12, streams.normals),
                PieceKind::COLORS => stream!((Things::COLORS, "colors"), head.colors_at, vertices * 4, streams.colors),
                PieceKind::STREAM_0 => stream!((Things::STREAMS, "stream_0"), head.streams_at[0], vertices, streams.others[0]),
                PieceKind::STREAM_1 => stream!((Things::STREAMS, "stream_1"), head.streams_at[1], vertices, streams.others[1]),
                PieceKind::STREAM_2 => stream!((Things::STREAMS, "stream_2"), head.streams_at[2], vertices, streams.others[2]),
                PieceKind::STREAM_3 => stream!((Things::STREAMS, TANGENTS), head.streams_at[3], vertices, streams.tangents),
                PieceKind::STREAM_4 => stream!((Things::STREAMS, "stream_4"), head.streams_at[4], vertices, streams.others[3]),
                PieceKind::STREAM_5 => stream!((Things::STREAMS, "bitangent_signs"), head.streams_at[5], vertices, streams.bitangent_signs),
                _ => return Tape::mesh_type_part(mesh_type, kind, item, vertices),
            })
        }
    }

    impl LayMesh for Tape<'_> {
        fn mesh_streams(&mut self, it: at!(Mesh)) -> Result {
            self.build(at!(it.streams), |streams, _| {
                streams.make();
                Ok(())
            })?;
            for kind in it.kinds(true).filter(|kind| kind.is_raw() && !kind.has_items()) {
                if let Some((name, values)) = Self::values(at!(*it), kind, 0) {
                    values.lay_by(self, Named(name))?;
                }
            }
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
