//! glTF 2.0 files as scenes: `.glb`, or `.gltf` with the numbers in its text.
//!
//! A scene that has been read has the places that the file carries, and no left-out parts. Of images, only the names are read; the matrices of skins are not.
//!
//! Memory is counted before it is allocated: any number of primitives and channels can share the numbers of a few bytes.
//!
//! Source: the specification of glTF 2.0, <https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html>.

use core::cell::Cell;
use core::mem::{replace, take};
use core::ops::Range;
use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use serde_json::Value;

use super::json::{self, Accessor, Buffer, Components, Document, FLOAT, TRIANGLES, View};
use super::marks::{numbered, vertex};
use super::refusal::why_not;
use super::vector::{is_finite, narrow, unit};
use super::{Animation, Channel, Material, Mesh, NEW, Node, Primitive, Scene, Skin, Transform, Values};
use field::limits;
use field::memory::{self, Meter};
use field::wide;

type Read<T> = Result<T, String>;

/// A file whose meshes and channels are read one by one, because all of them take more memory than the file.
pub struct Given {
    /// The scene; its meshes have no primitives, its animations no channels.
    pub(crate) scene: Scene,
    /// The channels of each animation.
    pub(crate) tracks: Vec<Vec<Track>>,
    /// For each node, `true` if it is a camera, a light, or anything else that only an extension knows.
    pub(crate) others: Vec<bool>,
    file: File,
}

/// The numbers of a file, and where they are.
struct File {
    meshes: Vec<json::Mesh<'static>>,
    accessors: Vec<Accessor>,
    views: Vec<View>,
    /// The contents of each buffer.
    buffers: Vec<Bytes>,
    /// `false` if a version of Blender has written the file that takes colors from the wrong corners, unless the add-on of this
    /// program has prevented that.
    has_colors: bool,
    meter: Meter,
    /// The bytes of the file whose corners of triangles and keys may still be read; see [`limits::GLTF_VALUES`].
    left: Cell<usize>,
}

/// A channel of an animation, whose keys are read when they are needed.
#[derive(Debug)]
pub(crate) struct Track {
    /// The node.
    pub(crate) node: usize,
    /// The type of its values.
    pub(crate) path: &'static str,
    /// The accessors of times and values.
    input: usize,
    output: usize,
    keys: usize,
    /// `true` if each key has two tangents, around its value.
    has_tangents: bool,
}

impl Scene {
    /// Reads a scene from a glTF file.
    ///
    /// # Errors
    /// Returns the reason, as a sentence without the name of the file, if it is not glTF 2.0, is broken, has its numbers in other files,
    /// or uses an extension that moves geometry elsewhere.
    pub fn read(file: &[u8]) -> Result<Self, String> {
        let given = Given::read(Bytes::copy_from_slice(file))?;
        let meshes = (0..given.file.meshes.len()).map(|at| given.read_mesh(at)).collect::<Read<Vec<_>>>()?;
        let channels = given.tracks.iter().map(|tracks| tracks.iter().map(|track| given.channel(track)).collect());
        let channels = channels.collect::<Read<Vec<Vec<Channel>>>>()?;
        let animations = given.scene.animations.into_iter().zip(channels);
        let animations = animations.map(|(animation, channels)| Animation { channels, ..animation }).collect();
        Ok(Self { meshes, animations, ..given.scene })
    }
}

impl Given {
    /// Reads everything but the primitives of meshes.
    ///
    /// # Errors
    /// As for [`Scene::read`].
    pub fn read(file: Bytes) -> Read<Self> {
        let length = file.len();
        let meter = Meter::new(memory::allowed(), wide(length));
        let (text, begin, numbers) = chunks(&file)?;
        meter.charge(json::weight(text)).map_err(|fault| fault.to_string())?;
        let document: Document<'static> = serde_json::from_slice(text).map_err(|error| why_not(text, begin, &error))?;
        let chunk = numbers.map(|numbers| only(file, numbers));
        let version = &document.asset.version;
        if !version.starts_with("2.") {
            return Err(format!("/asset/version: expected glTF 2.0, found {version:?}; export as glTF 2.0"));
        }
        for extension in &document.extensions_required {
            if extension.contains("compression") || extension.contains("quantization") {
                return Err(format!("/extensionsRequired: uses {extension}; export without compression"));
            }
        }
        let buffers =
            document.buffers.iter().enumerate().map(|(index, buffer)| contents(index, buffer, chunk.as_ref(), &meter));
        let buffers = buffers.collect::<Read<Vec<_>>>()?;
        let is_mended = document.scenes.iter().any(|it| it.extras.bitexact_colors.is_some_and(|it| it != 0));
        let has_colors = is_mended || !document.asset.generator.contains("Blender I/O v3.4.");
        let names = image_names(&document);
        let Document { scenes, nodes, meshes, materials, skins, animations, accessors, buffer_views: views, .. } =
            document;
        let left = Cell::new(length);
        let file = File { meshes, accessors, views, buffers, has_colors, meter, left };
        let others = nodes.iter().map(|node| node.camera.is_some() || node.extensions.is_some()).collect();
        let mut tracks = Vec::with_capacity(animations.len());
        let mut named = Vec::with_capacity(animations.len());
        for (at, mut animation) in animations.into_iter().enumerate() {
            tracks.push(file.tracks(at, &mut animation, nodes.len())?);
            let place = animation.extras.place().map(str::to_owned);
            named.push(Animation { name: animation.name.into_owned(), place, channels: Vec::new() });
        }
        let mut scene = Scene { animations: named, ..file.scene(nodes, (materials, &names), skins)? };
        keep_shown(&mut scene, &scenes)?;
        Ok(Self { scene, tracks, others, file })
    }

    /// Returns `true` if the add-on for Blender has found the normals of a mesh unedited, whatever Blender has made of them.
    pub(crate) fn has_same_normals(&self, mesh: usize) -> bool {
        self.file.meshes.get(mesh).is_some_and(|mesh| mesh.extras.bitexact_normals == Some(0))
    }

    /// Reads a mesh and computes something of it. The memory for the mesh and for `each` of its triangles is counted before, and again
    /// free after.
    ///
    /// # Errors
    /// Returns the reason, with the place in the file, if the mesh is missing or broken, or the limits do not allow it.
    pub(crate) fn with_mesh<T>(&self, at: usize, each: usize, then: impl FnOnce(Mesh) -> Read<T>) -> Read<T> {
        let taken = self.file.meter.taken();
        let corners = self.of_primitives(at, |file, primitive| file.corners(primitive))?;
        for &corners in &corners {
            self.charge(corners / 3, each)?;
        }
        for corners in corners {
            self.file.count(corners).map_err(|why| format!("/meshes/{at}: {why}"))?;
        }
        let made = then(self.read_mesh(at)?);
        self.file.meter.release_to(taken);
        made
    }

    /// Counts memory that an import keeps, for that many items of a size in bytes.
    ///
    /// # Errors
    /// Returns an error if the limit does not allow it.
    pub(crate) fn charge(&self, count: usize, each: usize) -> Read<()> {
        charge(&self.file.meter, count, each)
    }

    fn read_mesh(&self, at: usize) -> Read<Mesh> {
        let Mesh { name, place, .. } =
            self.scene.meshes.get(at).cloned().ok_or_else(|| format!("/meshes/{at}: is missing"))?;
        Ok(Mesh { name, place, primitives: self.of_primitives(at, File::primitive)? })
    }

    /// Computes something of each primitive of a mesh.
    fn of_primitives<T>(&self, at: usize, of: impl Fn(&File, &json::Primitive) -> Read<T>) -> Read<Vec<T>> {
        let mesh = self.file.meshes.get(at).ok_or_else(|| format!("/meshes/{at}: is missing"))?;
        let all = mesh.primitives.iter().enumerate().map(|(nth, it)| {
            of(&self.file, it).map_err(|why| format!("/meshes/{at}/primitives/{nth} ({}): {why}", mesh.name))
        });
        all.collect()
    }

    /// Reads the keys of a channel. Their memory is counted until [`with_channel`](Self::with_channel) ends.
    ///
    /// # Errors
    /// Returns the reason if the limits do not allow it.
    pub(crate) fn channel(&self, track: &Track) -> Read<Channel> {
        let Track { node, path, input, output, keys, has_tangents } = *track;
        self.file.count(keys).map_err(|why| format!("/accessors/{output}: {why}"))?;
        let times = self.file.values::<1>(input, false)?.into_iter().map(|[time]| time).collect();
        let values = match path {
            "translation" => Values::Translation(self.file.values(output, has_tangents)?),
            "scale" => Values::Scale(self.file.values(output, has_tangents)?),
            _ => Values::Rotation(self.file.values(output, has_tangents)?),
        };
        Ok(Channel { node, times, values, place: None })
    }

    /// Reads the keys of a channel and computes something of them. Their memory is free again after, unless `then` returns `true`,
    /// because it keeps them.
    ///
    /// # Errors
    /// Returns the reason if the limits do not allow it, and the errors of `then`.
    pub(crate) fn with_channel<T>(&self, track: &Track, then: impl FnOnce(Channel) -> Read<(T, bool)>) -> Read<T> {
        let taken = self.file.meter.taken();
        let (made, is_kept) = then(self.channel(track)?)?;
        if !is_kept {
            self.file.meter.release_to(taken);
        }
        Ok(made)
    }
}

/// Counts memory that is about to be allocated, for that many items of a size in bytes.
fn charge(meter: &Meter, count: usize, each: usize) -> Read<()> {
    meter.charge_all(count, each).map_err(|fault| fault.to_string())
}

/// Returns an empty list for this many items.
fn list<T>(meter: &Meter, count: usize) -> Read<Vec<T>> {
    charge(meter, count, size_of::<T>())?;
    Ok(Vec::with_capacity(count))
}

/// Takes out the nodes that none of the scenes shows, as if they were deleted. A file without scenes shows all.
fn keep_shown(scene: &mut Scene, scenes: &[json::Root<'_>]) -> Read<()> {
    if scenes.is_empty() {
        return Ok(());
    }
    let mut is_shown = vec![false; scene.nodes.len()];
    let mut waiting = Vec::new();
    for (at, it) in scenes.iter().enumerate() {
        if let Some(node) = it.nodes.iter().find(|&&node| node >= is_shown.len()) {
            return Err(format!("/scenes/{at}/nodes: node {node} is missing"));
        }
        waiting.extend(it.nodes.iter().copied());
    }
    while let Some(at) = waiting.pop() {
        let (Some(is_shown), Some(node)) = (is_shown.get_mut(at), scene.nodes.get(at)) else { continue };
        if !replace(is_shown, true) {
            waiting.extend(node.children.iter().copied());
        }
    }
    let is_hidden = |at: usize| !is_shown.get(at).copied().unwrap_or_default();
    for (_, node) in scene.nodes.iter_mut().enumerate().filter(|(at, _)| is_hidden(*at)) {
        *node = Node::default();
    }
    scene.roots.retain(|&root| !is_hidden(root));
    Ok(())
}

/// Keeps only these bytes of a file in memory, if nothing else needs the others.
fn only(file: Bytes, range: Range<usize>) -> Bytes {
    if !file.is_unique() {
        return file.slice(range);
    }
    let mut bytes = Vec::from(file);
    bytes.truncate(range.end);
    bytes.drain(..range.start);
    bytes.shrink_to_fit();
    bytes.into()
}

/// Splits a `.glb` file into its text, with the offset where that begins, and the place of its numbers; a `.gltf` file is all text.
#[expect(clippy::type_complexity, reason = "the parts of a file, used once")]
fn chunks(file: &[u8]) -> Read<(&[u8], Option<usize>, Option<Range<usize>>)> {
    if !file.starts_with(b"glTF") {
        return Ok((file, None, None));
    }
    let (mut at, mut text, mut numbers) = (12, None, None);
    while let Some((length, after)) = file.get(at..).and_then(|rest| rest.split_first_chunk::<4>()) {
        let cut = || {
            let length = file.len();
            format!("cut off: the chunk at offset {at} goes beyond the end of the file at {length}; export again")
        };
        let length = usize::try_from(u32::from_le_bytes(*length)).map_err(|_| cut())?;
        let (kind, after) = after.split_first_chunk::<4>().ok_or_else(cut)?;
        let chunk = after.get(..length).ok_or_else(cut)?;
        match kind {
            b"JSON" if text.is_none() => text = Some((chunk, at + 8)),
            b"BIN\0" if numbers.is_none() => numbers = Some(at + 8..at + 8 + length),
            _ => {}
        }
        at += 8 + length;
    }
    let (text, begin) = text.ok_or("has no chunk JSON; export again")?;
    Ok((text, Some(begin), numbers))
}

fn contents(index: usize, buffer: &Buffer, chunk: Option<&Bytes>, meter: &Meter) -> Read<Bytes> {
    let Some(uri) = &buffer.uri else {
        let chunk = chunk.filter(|_| index == 0);
        let missing = || format!("/buffers/{index}: has no contents; export as .glb");
        return chunk.cloned().ok_or_else(missing);
    };
    let data = uri.split_once(";base64,").filter(|(head, _)| head.starts_with("data:"));
    let Some((_, data)) = data else {
        return Err(format!(
            "/buffers/{index}/uri: its numbers are in another file, {uri}; export as .glb, which is a single file"
        ));
    };
    charge(meter, data.len(), 1)?;
    Ok(BASE64.decode(data).map_err(|error| not_base64(index, data, &error))?.into())
}

/// Returns why the text of a buffer holds no numbers.
fn not_base64(index: usize, data: &str, error: &base64::DecodeError) -> String {
    use base64::DecodeError::{InvalidByte, InvalidLastSymbol, InvalidLength, InvalidPadding};
    let found = match *error {
        InvalidByte(at, _) | InvalidLastSymbol(at, _) => {
            let letter = data.get(at..).and_then(|rest| rest.chars().next());
            letter.map_or_else(|| "half a letter".to_owned(), |letter| format!("{letter:?} as letter {}", at + 1))
        }
        InvalidLength(count) => format!("{count} letters, which is no whole number of bytes"),
        InvalidPadding => "an end without its = signs".to_owned(),
    };
    format!("/buffers/{index}/uri: expected Base64, found {found}; export again, or as .glb")
}

fn number(index: Option<u32>) -> Option<usize> {
    usize::try_from(index?).ok()
}

impl File {
    fn scene(
        &self,
        nodes: Vec<json::Node<'_>>,
        (materials, names): (Vec<json::Material<'_>>, &[Option<String>]),
        skins: Vec<json::Skin<'_>>,
    ) -> Read<Scene> {
        let nodes = (0..).zip(nodes).map(|(at, it)| node(at, it)).collect::<Read<Vec<_>>>()?;
        let mut below = HashSet::new();
        for (at, node) in nodes.iter().enumerate() {
            if let Some(child) = node.children.iter().find(|&&child| child >= nodes.len() || !below.insert(child)) {
                return Err(format!("/nodes/{at}/children: node {child} is missing or has another parent too"));
            }
            if let Some(mesh) = node.mesh.filter(|&mesh| mesh >= self.meshes.len()) {
                let count = self.meshes.len();
                return Err(format!("/nodes/{at}/mesh: refers to a missing mesh, {mesh} of {count}"));
            }
            if let Some(skin) = node.skin.filter(|&skin| skin >= skins.len()) {
                return Err(format!("/nodes/{at}/skin: refers to a missing skin, {skin} of {}", skins.len()));
            }
        }
        let roots = (0..nodes.len()).filter(|node| !below.contains(node)).collect();
        let mut bound = Vec::with_capacity(skins.len());
        for (at, skin) in skins.into_iter().enumerate() {
            if let Some(joint) = skin.joints.iter().find(|&&joint| joint >= nodes.len()) {
                return Err(format!("/skins/{at}/joints: node {joint} is missing"));
            }
            let (name, joints) = (skin.name.into_owned(), skin.joints.into_owned());
            bound.push(Skin { name, joints, inverse_binds: Vec::new() });
        }
        let meshes = self.meshes.iter().map(|mesh| Mesh {
            name: mesh.name.as_ref().to_owned(),
            place: mesh.extras.place().map(str::to_owned),
            primitives: Vec::new(),
        });
        let (meshes, materials) = (meshes.collect(), materials.into_iter().map(|it| material(it, names)).collect());
        Ok(Scene { nodes, roots, meshes, materials, skins: bound, ..Scene::default() })
    }

    /// Returns the number of corners that a primitive has, whose values are all there.
    fn corners(&self, primitive: &json::Primitive) -> Read<usize> {
        let at =
            number(primitive.indices).map(|at| (at, 1)).or(number(primitive.attributes.positions).map(|at| (at, 3)));
        let Some((at, components)) = at else { return Ok(0) };
        let rows = self.accessor(at)?;
        rows.layout(components)?;
        Ok(rows.count)
    }

    /// Counts values that are about to be read.
    fn count(&self, values: usize) -> Read<()> {
        let left = self.left.get().checked_sub(values.div_ceil(limits::GLTF_VALUES));
        self.left.set(left.ok_or_else(|| {
            let most = limits::GLTF_VALUES;
            format!(
                "its triangles or keys share the same numbers too often: there are more than {most} corners and keys for each byte \
                 of the file; delete copies of meshes and channels"
            )
        })?);
        Ok(())
    }

    fn primitive(&self, primitive: &json::Primitive) -> Read<Primitive> {
        let json::Primitive { attributes: of, indices, material, mode } = primitive;
        if mode.is_some_and(|mode| mode != TRIANGLES) {
            return Err("consists of points or lines, expected triangles; convert it to a mesh".to_owned());
        }
        let at = number(of.positions).ok_or("has no POSITION; export with positions")?;
        let count = self.length(at)?;
        let mut indices = match number(*indices) {
            Some(at) => self.indices(at)?,
            None => {
                // Checks the count against the bytes that there are.
                self.accessor(at)?.layout(3)?;
                let mut indices = list(&self.meter, count)?;
                indices.extend(0..u32::try_from(count).map_err(|_| "has too many vertices")?);
                indices
            }
        };
        if let Some(wrong) = indices.iter().find(|&&it| usize::try_from(it).is_ok_and(|it| it >= count)) {
            return Err(format!("has a triangle without a vertex: expected less than {count}, found {wrong}"));
        }
        if !indices.len().is_multiple_of(3) {
            return Err(format!("has a triangle without a vertex: {} indices are not triangles", indices.len()));
        }
        // Primitives can share the accessors of many vertices; only their own ones are read.
        let mut used = list(&self.meter, indices.len())?;
        used.extend_from_slice(&indices);
        used.sort_unstable();
        used.dedup();
        for index in &mut indices {
            *index = used.binary_search(index).ok().and_then(|at| u32::try_from(at).ok()).unwrap_or(NEW);
        }
        let lists = Lists { count, used: &used, file: self };
        let positions = lists.of::<3>(of.positions)?;
        if !positions.iter().all(is_finite) {
            return Err("has a position that is not finite; correct or delete that vertex".to_owned());
        }
        let colors = match of.colors.filter(|_| self.has_colors) {
            Some(at)
                if number(Some(at))
                    .and_then(|at| self.accessors.get(at))
                    .is_some_and(|it| it.kind == Components::Vec3) =>
            {
                lists.of::<3>(Some(at))?.into_iter().map(|[red, green, blue]| [red, green, blue, 1.0]).collect()
            }
            at => lists.of::<4>(at)?,
        };
        let (mut coordinates, marks) = (lists.of::<2>(of.coordinates)?, lists.of::<2>(of.marks)?);
        let numbers = |marks: &[[f32; 2]]| -> Vec<u32> { marks.iter().map(|&it| vertex(it)).collect() };
        let is_marked = |numbers: &[u32]| numbers.iter().any(|&mark| mark != NEW);
        let mut vertices = numbers(&marks);
        // Without the texture coordinates before them, the marks come first.
        if marks.is_empty() && is_marked(&numbers(&coordinates)) {
            vertices = numbers(&take(&mut coordinates));
        }
        if !is_marked(&vertices) {
            vertices = lists.of::<1>(of.vertices)?.into_iter().map(|[it]| numbered(it).unwrap_or(NEW)).collect();
        }
        let (joints, weights) = lists.bindings(of)?;
        Ok(Primitive {
            material: number(*material),
            normals: lists.of::<3>(of.normals)?,
            coordinates,
            colors,
            joints,
            weights,
            vertices: if vertices.is_empty() { vec![NEW; positions.len()] } else { vertices },
            positions,
            indices,
            ..Primitive::default()
        })
    }

    /// Returns the channels of an animation, whose keys are all there.
    fn tracks(&self, at: usize, animation: &mut json::Animation<'_>, nodes: usize) -> Read<Vec<Track>> {
        let mut tracks = Vec::new();
        for (nth, channel) in take(&mut animation.channels).into_iter().enumerate() {
            let wrong = |why: &str| format!("/animations/{at}/channels/{nth}: {why}");
            let sampler = channel.sampler.and_then(|sampler| animation.samplers.get(sampler));
            let sampler = sampler.ok_or_else(|| wrong("has no sampler"))?;
            // Channels without a node are for extensions.
            let Some(node) = channel.target.node else { continue };
            if node >= nodes {
                return Err(wrong(&format!("node {node} is missing")));
            }
            let input = number(sampler.input).ok_or_else(|| wrong("its sampler has no input"))?;
            let output = number(sampler.output).ok_or_else(|| wrong("its sampler has no output"))?;
            let (path, components) = match &*channel.target.path {
                "translation" => ("translation", 3),
                "rotation" => ("rotation", 4),
                "scale" => ("scale", 3),
                _ => continue,
            };
            let (times, values) = (self.accessor(input)?, self.accessor(output)?);
            times.layout(1)?;
            values.layout(components)?;
            let keys = times.count;
            // Of a cubic curve, only the values on it are read, which are between its tangents.
            let is_cubic = sampler.interpolation.as_deref() == Some("CUBICSPLINE");
            let has_tangents = is_cubic && keys.checked_mul(3) == Some(values.count);
            if !has_tangents && values.count != keys {
                return Err(wrong(&format!("expected {keys} values, one for each time, found {}", values.count)));
            }
            tracks.push(Track { node, path, input, output, keys, has_tangents });
        }
        Ok(tracks)
    }

    /// Returns the number of values of an accessor, which is not yet checked against its bytes.
    fn length(&self, at: usize) -> Read<usize> {
        let accessor = self.accessors.get(at).ok_or_else(|| format!("/accessors/{at}: is missing"))?;
        accessor.count.ok_or_else(|| format!("/accessors/{at}: has no count"))
    }

    /// Finds the bytes of an accessor.
    fn accessor(&self, at: usize) -> Read<Rows<'_>> {
        let wrong = |why: &str| format!("/accessors/{at}: {why}");
        let count = self.length(at)?;
        let accessor = self.accessors.get(at).ok_or_else(|| wrong("is missing"))?;
        if accessor.sparse.is_some() {
            return Err(wrong("is sparse, which is not supported; export without sparse accessors"));
        }
        let view = number(accessor.buffer_view).and_then(|view| self.views.get(view));
        let view = view.ok_or_else(|| wrong("has no buffer view"))?;
        let buffer = self.buffers.get(view.buffer).ok_or_else(|| wrong("has no buffer"))?;
        let end = view.byte_length.and_then(|length| view.byte_offset.checked_add(length));
        let bytes = end.and_then(|end| buffer.get(view.byte_offset..end)).ok_or_else(|| {
            let (length, from) = (buffer.len(), view.byte_offset);
            wrong(&format!("lies outside its buffer, whose {length} bytes its view goes beyond from {from}"))
        })?;
        let bytes = bytes.get(accessor.byte_offset..).unwrap_or_default();
        let size = size_of_component(accessor.component_type)
            .ok_or_else(|| wrong(&format!("has an unknown type of components, {}", accessor.component_type)))?;
        Ok(Rows { at, accessor, bytes, stride: view.byte_stride, count, size })
    }

    /// Returns all values of an accessor, or of three each the one in the middle.
    fn values<const N: usize>(&self, at: usize, is_middle: bool) -> Read<Vec<[f32; N]>> {
        let rows = self.accessor(at)?;
        let (first, step) = if is_middle { (1, 3) } else { (0, 1) };
        let mut values = list(&self.meter, rows.count / step)?;
        values.extend(rows.rows(N)?.skip(first).step_by(step).map(|row| rows.value(row)));
        Ok(values)
    }

    fn indices(&self, at: usize) -> Read<Vec<u32>> {
        let rows = self.accessor(at)?;
        if rows.accessor.component_type == FLOAT {
            return Err(format!("/accessors/{at}: has an unknown type of components, expected whole numbers"));
        }
        let number = |row: &[u8]| row.iter().rev().fold(0_u32, |sum, &byte| sum << 8 | u32::from(byte));
        let values = rows.rows(1)?;
        let mut indices = list(&self.meter, rows.count)?;
        indices.extend(values.map(number));
        Ok(indices)
    }
}

/// The bytes of an accessor from its first value on.
struct Rows<'a> {
    /// The number of the accessor.
    at: usize,
    accessor: &'a Accessor,
    bytes: &'a [u8],
    stride: Option<usize>,
    count: usize,
    /// The bytes of a component.
    size: usize,
}

impl<'a> Rows<'a> {
    /// Returns the bytes of each value of this many components, if they are all there.
    fn rows(&self, components: usize) -> Read<impl Iterator<Item = &'a [u8]> + use<'a>> {
        let (each, stride) = self.layout(components)?;
        Ok(self.bytes.chunks(stride).take(self.count).filter_map(move |row| row.get(..each)))
    }

    /// Returns the bytes of a value and the distance of values.
    fn layout(&self, components: usize) -> Read<(usize, usize)> {
        let Self { at, accessor, bytes, count, size, .. } = self;
        let found = accessor.kind.count();
        if found != components {
            return Err(format!("/accessors/{at}: expected values of {components} components, found {found}"));
        }
        let each = size * components;
        let stride = self.stride.unwrap_or(each);
        let needed = match count.checked_sub(1) {
            Some(before) => before.checked_mul(stride).and_then(|start| start.checked_add(each)),
            None => Some(0),
        };
        if stride < each || needed.is_none_or(|needed| needed > bytes.len()) {
            let bytes = bytes.len();
            return Err(format!(
                "/accessors/{at}: is longer than its buffer view: {count} values at distances of {stride} bytes, in {bytes} bytes"
            ));
        }
        Ok((each, stride))
    }

    fn value<const N: usize>(&self, row: &[u8]) -> [f32; N] {
        let mut value = [0.0; N];
        for (to, from) in value.iter_mut().zip(row.chunks_exact(self.size)) {
            *to = component(self.accessor.component_type, from, self.accessor.normalized);
        }
        value
    }
}

/// Lists of values of vertices, all as long as that of the positions.
struct Lists<'a> {
    count: usize,
    /// The vertices to read, in ascending order.
    used: &'a [u32],
    file: &'a File,
}

/// The joints and weights of vertices.
type Bindings = (Vec<[u16; 4]>, Vec<[f32; 4]>);

impl Lists<'_> {
    fn of<const N: usize>(&self, at: Option<u32>) -> Read<Vec<[f32; N]>> {
        let Some(at) = number(at) else { return Ok(Vec::new()) };
        let rows = self.file.accessor(at)?;
        if rows.count != self.count {
            return Err(format!(
                "/accessors/{at}: expected {} values, one for each position, found {}",
                self.count, rows.count
            ));
        }
        let (each, stride) = rows.layout(N)?;
        let row = |&vertex: &u32| {
            let start = usize::try_from(vertex).ok()?.checked_mul(stride)?;
            Some(rows.value(rows.bytes.get(start..start.checked_add(each)?)?))
        };
        let mut values = list(&self.file.meter, self.used.len())?;
        values.extend(self.used.iter().filter_map(row));
        Ok(values)
    }

    fn bindings(&self, of: &json::Attributes) -> Read<Bindings> {
        let more = self.of::<4>(of.more_weights)?;
        if of.more_joints.is_some() && more.iter().flatten().any(|&weight| weight > 0.0) {
            let why = "has a vertex with more than 4 joints; limit them to 4 (in Blender: Weights > Limit Total)";
            return Err(why.to_owned());
        }
        let (joints, weights) = (self.of::<4>(of.joints)?, self.of::<4>(of.weights)?);
        if joints.len() != weights.len() {
            return Err("has joints without weights, or weights without joints; export both".to_owned());
        }
        let joint = |part: f32| numbered(part).and_then(|joint| u16::try_from(joint).ok()).unwrap_or(u16::MAX);
        Ok((joints.into_iter().map(|joints| joints.map(joint)).collect(), weights))
    }
}

fn size_of_component(kind: u32) -> Option<usize> {
    match kind {
        5120 | 5121 => Some(1),
        5122 | 5123 => Some(2),
        5125 | FLOAT => Some(4),
        _ => None,
    }
}

fn component(kind: u32, bytes: &[u8], is_normalized: bool) -> f32 {
    let (value, most) = match (kind, bytes) {
        (5120, &[a]) => (f32::from(i8::from_le_bytes([a])), 127.0),
        (5121, &[a]) => (f32::from(a), 255.0),
        (5122, &[a, b]) => (f32::from(i16::from_le_bytes([a, b])), 32767.0),
        (5123, &[a, b]) => (f32::from(u16::from_le_bytes([a, b])), 65535.0),
        (FLOAT, &[a, b, c, d]) => return f32::from_le_bytes([a, b, c, d]),
        (_, &[a, b, c, d]) => return narrow(f64::from(u32::from_le_bytes([a, b, c, d]))),
        _ => return f32::NAN,
    };
    if is_normalized { (value / most).max(-1.0) } else { value }
}

fn node(at: usize, node: json::Node<'_>) -> Read<Node> {
    let usual = Transform::default();
    let transform = match node.matrix.as_deref() {
        Some([xx, xy, xz, _, yx, yy, yz, _, zx, zy, zz, _, x, y, z, _]) => {
            let rows = [[*xx, *xy, *xz], [*yx, *yy, *yz], [*zx, *zy, *zz]];
            let found = Transform::of_rows(rows, [*x, *y, *z]).filter(|(_, exact)| *exact);
            let wrong =
                || format!("/nodes/{at}/matrix: node {:?} has a matrix that shears or is not finite", node.name);
            found.ok_or_else(wrong)?.0
        }
        None => Transform {
            translation: node.translation.unwrap_or(usual.translation),
            rotation: match node.rotation {
                Some(turn) => unit(turn).ok_or_else(|| {
                    format!("/nodes/{at}/rotation: node {:?} has a quaternion without a rotation, {turn:?}", node.name)
                })?,
                None => usual.rotation,
            },
            scale: node.scale.unwrap_or(usual.scale),
        },
    };
    Ok(Node {
        transform,
        mesh: node.mesh,
        skin: node.skin,
        place: node.extras.place().map(str::to_owned),
        extras: node.extras.into_values(),
        name: node.name.into_owned(),
        children: node.children.into_owned(),
    })
}

/// Returns the name of the image of each texture: its own, or the last part of its path.
fn image_names(document: &Document<'_>) -> Vec<Option<String>> {
    let name = |texture: &json::Texture| {
        let image = document.images.get(texture.source?)?;
        let path = image.uri.as_deref().filter(|uri| !uri.starts_with("data:"));
        let file = path.and_then(|path| path.rsplit(['/', '\\']).next());
        [Some(&*image.name), file].into_iter().flatten().find(|name| !name.is_empty()).map(str::to_owned)
    };
    document.textures.iter().map(name).collect()
}

fn material(material: json::Material<'_>, names: &[Option<String>]) -> Material {
    let image = material.pbr_metallic_roughness.base_color_texture.as_ref();
    let image = image.map(|it| names.get(it.index).cloned().flatten().unwrap_or_else(|| material.name.to_string()));
    let place = material.extras.place().map(str::to_owned);
    let told = material.extras.into_values().remove("texture");
    Material {
        color: material.pbr_metallic_roughness.base_color_factor.unwrap_or([1.0; 4]),
        two_sided: material.double_sided,
        texture: image.or_else(|| told.as_ref().and_then(Value::as_str).map(str::to_owned)),
        place,
        name: material.name.into_owned(),
        ..Material::default()
    }
}
