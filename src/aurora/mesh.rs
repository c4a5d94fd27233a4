//! Meshes: settings, faces, index lists, and streams of values per vertex.

use core::ops::{Deref, DerefMut};
use std::sync::LazyLock;

use bitflags::Flags as _;

use field::{
    self, Block, Class, Direction, F32, Fault, I16, I32, Judge, Result, Shape, Shaped, Stale, Text, U8, U16, U32, lay,
    wide,
};
use field::{names, record};

use super::flags::{PieceKind, Things};
use super::mesh_types::{LayMeshType as _, MeshType};
use super::pointers::{Binder, Empties, NO_ARRAY};
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
    /// Returns `true` if it has only settings.
    pub(super) fn is_empty(&self) -> bool {
        if self.streams.0.is_none() {
            return self.faces.is_empty() && self.lists.is_empty() && self.mesh_type.is_empty();
        }
        let StreamSet { vertices, coordinates, normals, colors, tangents, bitangent_signs, others } = &*self.streams;
        self.faces.is_empty()
            && self.lists.is_empty()
            && vertices.is_empty()
            && normals.is_empty()
            && colors.is_empty()
            && coordinates.iter().all(|set| set.is_empty())
            && tangents.is_empty()
            && bitangent_signs.is_empty()
            && others.iter().all(|stream| stream.is_empty())
            && self.mesh_type.is_empty()
    }

    /// Returns the number of vertices in the streams, or `None` if there are none.
    pub(super) fn vertex_count(&self) -> Option<usize> {
        let StreamSet { vertices, coordinates, normals, colors, .. } = &*self.streams;
        let lengths = [vertices.len(), normals.len(), colors.len()].into_iter();
        let lengths = lengths.chain(coordinates.iter().map(|set| set.len())).chain(self.mesh_type.vertex_count());
        lengths.into_iter().find(|&length| length > 0)
    }

    pub(super) fn bind(&mut self, empties: &mut Empties, b: &mut Binder<'_>) -> core::result::Result<(), Fault> {
        if b.fills() {
            match self.vertex_count() {
                Some(count) => {
                    let value = u16::try_from(count);
                    let value = value.map_err(|_| Fault::TooLarge { value: wide(count), field: "u16" })?;
                    self.head.vertices_used.set(value);
                }
                None if empties.miscounted.contains(Things::VERTICES) => {}
                None => self.head.vertices_used.set(0),
            }
        }
        let vertices = u64::from(self.head.vertices_used.get());
        self.mesh_type.bind(empties, b, vertices)?;
        let head = &mut self.head;
        let array = [&mut head.faces_at, &mut head.faces_used, &mut head.faces_allocated];
        b.array(empties, Things::FACES, PieceKind::FACES, array, (wide(self.faces.len()), wide(size_of::<Face>())))?;
        let lists = (wide(self.lists.len()), 4);
        let array = [&mut head.list_counts_at, &mut head.list_counts_used, &mut head.list_counts_allocated];
        b.array(empties, Things::LIST_COUNTS, PieceKind::LIST_COUNTS, array, lists)?;
        let array = [&mut head.lists_at, &mut head.lists_used, &mut head.lists_allocated];
        b.array(empties, Things::LISTS, PieceKind::LISTS, array, lists)?;
        if head.list_counts_used != head.lists_used {
            let expected = format!("{} index lists", head.list_counts_used.get());
            return Err(Fault::Unknown { found: head.lists_used.get().to_string(), expected });
        }
        self.bind_streams(empties, b, vertices)?;
        if b.sized() {
            for (index, list) in self.lists.iter_mut().enumerate() {
                let length = wide(list.vertices.bytes().len());
                match length {
                    0 => list.pointer.set(list.stray.get().wrapping_sub(1)),
                    _ => b.pointer(
                        &mut Empties::default(),
                        Things::LISTS,
                        (PieceKind::LIST, index),
                        &mut list.pointer,
                        length,
                    )?,
                }
            }
        }
        Ok(())
    }

    fn bind_streams(
        &mut self,
        empties: &mut Empties,
        b: &mut Binder<'_>,
        vertices: u64,
    ) -> core::result::Result<(), Fault> {
        const SETS: [Things; 4] =
            [Things::COORDINATES_0, Things::COORDINATES_1, Things::COORDINATES_2, Things::COORDINATES_3];
        let (head, streams) = (&mut self.head, &*self.streams);
        let stream =
            |b: &mut Binder<'_>, empties: &mut Empties, thing, part, pointer: &mut U32, length: usize, each: u64| {
                let counted = if pointer.get() == u32::MAX { 0 } else { vertices * each };
                let bytes = if b.sized() { wide(length) } else { counted };
                b.pointer(empties, thing, (part, 0), pointer, bytes)
            };
        stream(
            b,
            empties,
            Things::VERTICES,
            PieceKind::VERTICES,
            &mut head.vertices_at,
            streams.vertices.bytes().len(),
            12,
        )?;
        let sets =
            head.coordinates_at.iter_mut().zip(&streams.coordinates).zip(SETS.into_iter().zip(PieceKind::COORDINATES));
        for ((pointer, set), (thing, part)) in sets {
            stream(b, empties, thing, part, pointer, set.bytes().len(), 8)?;
        }
        stream(
            b,
            empties,
            Things::NORMALS,
            PieceKind::NORMALS,
            &mut head.normals_at,
            streams.normals.bytes().len(),
            12,
        )?;
        stream(b, empties, Things::COLORS, PieceKind::COLORS, &mut head.colors_at, streams.colors.bytes().len(), 4)?;
        // One bit covers all six pointers. If they do not agree, all pointers are kept in the record.
        let (mut alike, mut first) = (true, None);
        let [stream_0, stream_1, stream_2, stream_4] = &streams.others;
        let (tangents, signs) = (streams.tangents.bytes().len(), streams.bitangent_signs.bytes().len());
        let lengths = [stream_0.len(), stream_1.len(), stream_2.len(), tangents, stream_4.len(), signs];
        for ((pointer, length), part) in head.streams_at.iter_mut().zip(lengths).zip(PieceKind::STREAMS) {
            let bytes = match b.sized() {
                true => wide(length),
                false if pointer.get() == u32::MAX => 0,
                // The length is found later. It follows from the next part in the file.
                false => vertices,
            };
            if b.fills() || bytes > 0 {
                b.pointer(empties, Things::STREAMS, (part, 0), pointer, bytes)?;
                continue;
            }
            let mut one = Empties::default();
            b.pointer(&mut one, Things::STREAMS, (part, 0), pointer, bytes)?;
            alike &= *first.get_or_insert(one) == one && one.stray.is_empty();
        }
        if let Some(one) = first {
            empties.stray.set(Things::STREAMS, !alike);
            empties.at_cursor.set(Things::STREAMS, alike && !one.at_cursor.is_empty());
        }
        Ok(())
    }

    /// Returns the number of its bytes in the raw data.
    pub(super) fn stream_bytes(&self) -> u64 {
        let lists = self.lists.iter().map(|list| wide(list.vertices.bytes().len())).sum::<u64>();
        let vectors = PieceKind::RAW.iter().filter_map(|&part| field::walk::Tape::mesh_vector(self, part));
        lists + vectors.map(|(_, vector)| wide(vector.bytes().len())).sum::<u64>()
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

fn shown([x, y, z]: [f32; 3]) -> String {
    format!("{x} {y} {z}")
}

impl Element for Corner {}
impl Element for Face {}

/// Lays out the parts of a mesh.
pub(super) trait LayMesh: Direction {
    /// Returns the name and the values of a part of a mesh, or `None` if it has no such part.
    fn mesh_vector<'a>(
        it: Self::At<'a, Mesh>,
        part: PieceKind,
    ) -> Option<(&'static str, Self::At<'a, dyn Vector + 'a>)>
    where
        'a: 'a;

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

    impl LayMesh for Tape<'_> {
        fn mesh_vector<'a>(it: at!('a Mesh), part: PieceKind) -> Option<(&'static str, at!('a dyn Vector))>
        where
            'a: 'a,
        {
            let Mesh { mesh_type, faces, streams, .. } = it;
            let StreamSet {
                vertices,
                coordinates: [first, second, third, fourth],
                normals,
                colors,
                tangents,
                bitangent_signs,
                others: [stream_0, stream_1, stream_2, stream_4],
            } = at!(**streams);
            Some(match part {
                PieceKind::FACES => ("faces", faces),
                PieceKind::VERTICES => ("vertices", vertices),
                PieceKind::COORDINATES_0 => ("coordinates", first),
                PieceKind::COORDINATES_1 => ("coordinates_1", second),
                PieceKind::COORDINATES_2 => ("coordinates_2", third),
                PieceKind::COORDINATES_3 => ("coordinates_3", fourth),
                PieceKind::NORMALS => ("normals", normals),
                PieceKind::COLORS => ("colors", colors),
                PieceKind::STREAM_0 => ("stream_0", stream_0),
                PieceKind::STREAM_1 => ("stream_1", stream_1),
                PieceKind::STREAM_2 => ("stream_2", stream_2),
                PieceKind::STREAM_3 => (TANGENTS, tangents),
                PieceKind::STREAM_4 => ("stream_4", stream_4),
                PieceKind::STREAM_5 => ("bitangent_signs", bitangent_signs),
                _ => return Self::mesh_type_vector(mesh_type, part),
            })
        }

        fn mesh_streams(&mut self, it: at!(Mesh)) -> Result {
            for &part in PieceKind::RAW {
                if let Some((name, vector)) = Self::mesh_vector(at!(*it), part) {
                    vector.lay_by(self, Named(name))?;
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
