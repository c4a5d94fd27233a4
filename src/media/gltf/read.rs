//! glTF 2.0 files as scenes: `.glb`, or `.gltf` with the numbers in its text.
//!
//! A scene that has been read has the places that the file carries, and no left-out parts. Skins, images and the weights of vertices
//! are not read.
//!
//! Source: the specification of glTF 2.0, <https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html>.

use std::borrow::Cow;
use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value};

use super::marks::{numbered, vertex};
use super::vector::is_finite;
use super::{Animation, Channel, Material, Mesh, NEW, Node, Primitive, Scene, Transform, Values};

/// The name of everything that belongs to this program in additional information.
pub(super) const OURS: &str = "bitexact";

type Read<T> = Result<T, String>;

/// A file with its numbers.
struct File<'a> {
    root: Value,
    /// The contents of each buffer.
    buffers: Vec<Cow<'a, [u8]>>,
}

impl Scene {
    /// Reads a scene from a glTF file.
    ///
    /// # Errors
    /// Returns the reason, as a sentence without the name of the file, if it is not glTF 2.0, is broken, has its numbers in other files,
    /// or uses an extension that moves geometry elsewhere.
    pub fn read(file: &[u8]) -> Result<Self, String> {
        let (text, chunk) = chunks(file)?;
        let root: Value = serde_json::from_slice(text).map_err(|error| format!("not a glTF file: {error}"))?;
        let version = root.pointer("/asset/version").and_then(Value::as_str).unwrap_or_default();
        if !version.starts_with("2.") {
            return Err(format!("expected glTF 2.0, found version {version:?}"));
        }
        for extension in list(&root, "extensionsRequired").iter().filter_map(Value::as_str) {
            if extension.contains("compression") || extension.contains("quantization") {
                return Err(format!("uses {extension}; export without compression"));
            }
        }
        let buffers = list(&root, "buffers").iter().enumerate().map(|(index, buffer)| contents(index, buffer, chunk));
        let buffers = buffers.collect::<Read<Vec<_>>>()?;
        File { root, buffers }.scene()
    }
}

/// Splits a `.glb` file into its text and its numbers; a `.gltf` file is all text.
fn chunks(file: &[u8]) -> Read<(&[u8], Option<&[u8]>)> {
    if !file.starts_with(b"glTF") {
        return Ok((file, None));
    }
    let (mut rest, mut text, mut numbers) = (file.get(12..).unwrap_or_default(), None, None);
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let cut = || "cut off in the middle of a chunk".to_owned();
        let length = usize::try_from(u32::from_le_bytes(*length)).map_err(|_| cut())?;
        let (kind, after) = after.split_first_chunk::<4>().ok_or_else(cut)?;
        let (chunk, after) = after.split_at_checked(length).ok_or_else(cut)?;
        match kind {
            b"JSON" if text.is_none() => text = Some(chunk),
            b"BIN\0" if numbers.is_none() => numbers = Some(chunk),
            _ => {}
        }
        rest = after;
    }
    Ok((text.ok_or("has no text")?, numbers))
}

fn contents<'a>(index: usize, buffer: &Value, chunk: Option<&'a [u8]>) -> Read<Cow<'a, [u8]>> {
    let Some(uri) = buffer.get("uri").and_then(Value::as_str) else {
        let chunk = chunk.filter(|_| index == 0).ok_or_else(|| format!("/buffers/{index}: has no contents"))?;
        return Ok(chunk.into());
    };
    let data = uri.split_once(";base64,").filter(|(head, _)| head.starts_with("data:"));
    let Some((_, data)) = data else {
        return Err(format!("its numbers are in another file, {uri}; export as .glb, which is a single file"));
    };
    Ok(BASE64.decode(data).map_err(|error| format!("/buffers/{index}/uri: {error}"))?.into())
}

fn list<'v>(of: &'v Value, name: &str) -> &'v [Value] {
    of.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn index(of: &Value, name: &str) -> Option<usize> {
    usize::try_from(of.get(name)?.as_u64()?).ok()
}

fn name(of: &Value) -> String {
    of.get("name").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Returns the additional information of this program.
fn ours(of: &Value) -> Option<&Map<String, Value>> {
    of.get("extras")?.get(OURS)?.as_object()
}

fn place(of: &Value) -> Option<String> {
    Some(ours(of)?.get("place")?.as_str()?.to_owned())
}

fn floats<const N: usize>(of: &Value, name: &str) -> Option<[f32; N]> {
    let list = of.get(name)?.as_array()?;
    let mut found = [0.0; N];
    (list.len() == N).then_some(())?;
    for (to, from) in found.iter_mut().zip(list) {
        *to = super::vector::narrow(from.as_f64()?);
    }
    Some(found)
}

impl File<'_> {
    fn scene(&self) -> Read<Scene> {
        let nodes = list(&self.root, "nodes").iter().map(node).collect::<Read<Vec<_>>>()?;
        let mut below = HashSet::new();
        for (at, node) in nodes.iter().enumerate() {
            if let Some(child) = node.children.iter().find(|&&child| child >= nodes.len() || !below.insert(child)) {
                return Err(format!("/nodes/{at}: node {child} is missing or has another parent too"));
            }
        }
        let roots = (0..nodes.len()).filter(|node| !below.contains(node)).collect();
        let meshes = list(&self.root, "meshes").iter().enumerate();
        let meshes = meshes.map(|(at, mesh)| self.mesh(at, mesh)).collect::<Read<Vec<_>>>()?;
        if let Some(node) = nodes.iter().find(|node| node.mesh.is_some_and(|mesh| mesh >= meshes.len())) {
            return Err(format!("node {:?} refers to a missing mesh", node.name));
        }
        let animations = list(&self.root, "animations").iter().enumerate();
        let animations = animations.map(|(at, it)| self.animation(at, it, nodes.len())).collect::<Read<Vec<_>>>()?;
        let materials = list(&self.root, "materials").iter().map(material).collect();
        Ok(Scene { nodes, roots, meshes, materials, animations, ..Scene::default() })
    }

    /// Returns `false` if a version of Blender has written the file that takes colors from the wrong corners, unless the add-on of this
    /// program has prevented that.
    fn has_colors(&self) -> bool {
        let generator = self.root.pointer("/asset/generator").and_then(Value::as_str).unwrap_or_default();
        let is_mended = self.root.pointer("/scenes/0/extras/bitexact_colors").is_some_and(|it| it.as_u64() != Some(0));
        is_mended || !generator.contains("Blender I/O v3.4.")
    }

    fn mesh(&self, at: usize, mesh: &Value) -> Read<Mesh> {
        let primitives = list(mesh, "primitives").iter().enumerate();
        let primitives = primitives.map(|(nth, it)| {
            self.primitive(it).map_err(|why| format!("/meshes/{at}/primitives/{nth} ({}): {why}", name(mesh)))
        });
        Ok(Mesh { name: name(mesh), place: place(mesh), primitives: primitives.collect::<Read<Vec<_>>>()? })
    }

    fn primitive(&self, primitive: &Value) -> Read<Primitive> {
        if primitive.get("mode").and_then(Value::as_u64).is_some_and(|mode| mode != 4) {
            return Err("consists of points or lines, expected triangles".to_owned());
        }
        let attributes = primitive.get("attributes").ok_or("has no attributes")?;
        let of = |name: &str| index(attributes, name);
        let positions = self.values::<3>(of("POSITION").ok_or("has no positions")?)?;
        let (count, mut lists) = (positions.len(), Lists { count: positions.len(), file: self });
        let normals = lists.of::<3>(of("NORMAL"))?;
        let mut sets = Vec::new();
        while let Some(set) = of(&format!("TEXCOORD_{}", sets.len())) {
            sets.push(lists.of::<2>(Some(set))?);
        }
        let colors = match of("COLOR_0").filter(|_| self.has_colors()) {
            Some(at) if self.components(at) == 3 => {
                lists.of::<3>(Some(at))?.into_iter().map(|[red, green, blue]| [red, green, blue, 1.0]).collect()
            }
            at => lists.of::<4>(at)?,
        };
        let named = lists.of::<1>(of("_VERTEX"))?;
        let vertices: Vec<u32> = match sets.last() {
            Some(marks) if marks.iter().any(|&mark| vertex(mark) != NEW) => {
                marks.iter().map(|&mark| vertex(mark)).collect()
            }
            _ => named.into_iter().map(|[number]| numbered(number).unwrap_or(NEW)).collect(),
        };
        let vertices = if vertices.is_empty() { vec![NEW; count] } else { vertices };
        let indices = match index(primitive, "indices") {
            Some(at) => self.indices(at)?,
            None => (0..u32::try_from(count).map_err(|_| "has too many vertices")?).collect(),
        };
        if !indices.len().is_multiple_of(3) || indices.iter().any(|&it| usize::try_from(it).is_ok_and(|it| it >= count))
        {
            return Err("has a triangle without a vertex".to_owned());
        }
        if !positions.iter().all(is_finite) {
            return Err("has a position that is not finite".to_owned());
        }
        let coordinates = if sets.is_empty() { Vec::new() } else { sets.swap_remove(0) };
        let material = index(primitive, "material");
        Ok(Primitive { material, positions, normals, coordinates, colors, vertices, indices, ..Primitive::default() })
    }

    fn animation(&self, at: usize, animation: &Value, nodes: usize) -> Read<Animation> {
        let mut channels = Vec::new();
        for channel in list(animation, "channels") {
            let sampler = index(channel, "sampler").and_then(|sampler| list(animation, "samplers").get(sampler));
            let sampler = sampler.ok_or_else(|| format!("/animations/{at}: a channel has no sampler"))?;
            let target = channel.get("target").unwrap_or(&Value::Null);
            let Some(node) = index(target, "node").filter(|&node| node < nodes) else { continue };
            let curve = sampler.get("interpolation").and_then(Value::as_str).unwrap_or("LINEAR");
            let of =
                |name: &str| index(sampler, name).ok_or_else(|| format!("/animations/{at}: a sampler has no {name}"));
            let times: Vec<f32> = self.values::<1>(of("input")?)?.into_iter().map(|[time]| time).collect();
            let output = of("output")?;
            // Of a cubic curve, only the values on it are read, which are between its tangents.
            let middle = |all: usize, nth: usize| curve != "CUBICSPLINE" || all != times.len() * 3 || nth % 3 == 1;
            let values = match target.get("path").and_then(Value::as_str) {
                Some("translation") => Values::Translation(picked(self.values(output)?, middle)),
                Some("rotation") => Values::Rotation(picked(self.values(output)?, middle)),
                Some("scale") => Values::Scale(picked(self.values(output)?, middle)),
                _ => continue,
            };
            if values.len() != times.len() {
                return Err(format!("/animations/{at}: {} times but {} values", times.len(), values.len()));
            }
            channels.push(Channel { node, times, values, place: None });
        }
        Ok(Animation { name: name(animation), place: place(animation), channels })
    }

    /// Returns the bytes of an accessor from its first value on, the distance of values, their type and number.
    fn accessor(&self, at: usize) -> Read<(&Value, &[u8], Option<usize>, usize)> {
        let wrong = |why: &str| format!("/accessors/{at}: {why}");
        let accessor = list(&self.root, "accessors").get(at).ok_or_else(|| wrong("is missing"))?;
        if accessor.get("sparse").is_some() {
            return Err(wrong("is sparse, which is not supported"));
        }
        let view = index(accessor, "bufferView").and_then(|view| list(&self.root, "bufferViews").get(view));
        let view = view.ok_or_else(|| wrong("has no buffer view"))?;
        let buffer = self.buffers.get(index(view, "buffer").unwrap_or(0)).ok_or_else(|| wrong("has no buffer"))?;
        let begin = index(view, "byteOffset").unwrap_or(0);
        let end = index(view, "byteLength").and_then(|length| begin.checked_add(length));
        let bytes = end.and_then(|end| buffer.get(begin..end)).ok_or_else(|| wrong("lies outside its buffer"))?;
        let bytes = bytes.get(index(accessor, "byteOffset").unwrap_or(0)..).unwrap_or_default();
        let count = index(accessor, "count").ok_or_else(|| wrong("has no count"))?;
        Ok((accessor, bytes, index(view, "byteStride"), count))
    }

    /// Returns the number of components of a value of an accessor.
    fn components(&self, at: usize) -> usize {
        let kind = list(&self.root, "accessors").get(at).and_then(|it| it.get("type")).and_then(Value::as_str);
        match kind {
            Some("SCALAR") => 1,
            Some("VEC2") => 2,
            Some("VEC3") => 3,
            Some("VEC4") => 4,
            _ => 0,
        }
    }

    fn values<const N: usize>(&self, at: usize) -> Read<Vec<[f32; N]>> {
        let (accessor, bytes, stride, count) = self.accessor(at)?;
        let wrong = |why: &str| format!("/accessors/{at}: {why}");
        if self.components(at) != N {
            return Err(wrong(&format!("expected values of {N} components")));
        }
        let is_normalized = accessor.get("normalized").and_then(Value::as_bool).unwrap_or(false);
        let kind = accessor.get("componentType").and_then(Value::as_u64).unwrap_or_default();
        let size = size_of_component(kind).ok_or_else(|| wrong("has an unknown type"))?;
        let each = size.saturating_mul(N);
        let rows =
            rows(bytes, stride.unwrap_or(each), each, count).ok_or_else(|| wrong("is longer than its buffer view"))?;
        let row = |row: &[u8]| {
            let mut value = [0.0; N];
            for (to, from) in value.iter_mut().zip(row.chunks_exact(size)) {
                *to = component(kind, from, is_normalized);
            }
            value
        };
        Ok(rows.map(row).collect())
    }

    fn indices(&self, at: usize) -> Read<Vec<u32>> {
        let (accessor, bytes, stride, count) = self.accessor(at)?;
        let kind = accessor.get("componentType").and_then(Value::as_u64).unwrap_or_default();
        let wrong = |why: &str| format!("/accessors/{at}: {why}");
        let size = size_of_component(kind).filter(|_| kind != FLOAT).ok_or_else(|| wrong("has an unknown type"))?;
        let rows =
            rows(bytes, stride.unwrap_or(size), size, count).ok_or_else(|| wrong("is longer than its buffer view"))?;
        let number = |row: &[u8]| row.iter().rev().fold(0_u32, |sum, &byte| sum << 8 | u32::from(byte));
        Ok(rows.map(number).collect())
    }
}

/// Lists of values of vertices, all as long as that of the positions.
struct Lists<'a> {
    count: usize,
    file: &'a File<'a>,
}

impl Lists<'_> {
    fn of<const N: usize>(&mut self, at: Option<usize>) -> Read<Vec<[f32; N]>> {
        let Some(at) = at else { return Ok(Vec::new()) };
        let values = self.file.values::<N>(at)?;
        if values.len() == self.count {
            Ok(values)
        } else {
            Err(format!("{} positions but {} values in accessor {at}", self.count, values.len()))
        }
    }
}

const FLOAT: u64 = 5126;

fn size_of_component(kind: u64) -> Option<usize> {
    match kind {
        5120 | 5121 => Some(1),
        5122 | 5123 => Some(2),
        5125 | FLOAT => Some(4),
        _ => None,
    }
}

/// Returns the rows of an accessor, if they are all there.
fn rows(bytes: &[u8], stride: usize, each: usize, count: usize) -> Option<impl Iterator<Item = &[u8]>> {
    let needed = match count.checked_sub(1) {
        Some(before) => before.checked_mul(stride)?.checked_add(each)?,
        None => 0,
    };
    if stride < each || each == 0 {
        return None;
    }
    let bytes = bytes.get(..needed)?;
    Some(bytes.chunks(stride).filter_map(move |row| row.get(..each)))
}

fn component(kind: u64, bytes: &[u8], is_normalized: bool) -> f32 {
    let (value, most) = match (kind, bytes) {
        (5120, &[a]) => (f32::from(i8::from_le_bytes([a])), 127.0),
        (5121, &[a]) => (f32::from(a), 255.0),
        (5122, &[a, b]) => (f32::from(i16::from_le_bytes([a, b])), 32767.0),
        (5123, &[a, b]) => (f32::from(u16::from_le_bytes([a, b])), 65535.0),
        (FLOAT, &[a, b, c, d]) => return f32::from_le_bytes([a, b, c, d]),
        (_, &[a, b, c, d]) => return super::vector::narrow(f64::from(u32::from_le_bytes([a, b, c, d]))),
        _ => return f32::NAN,
    };
    if is_normalized { (value / most).max(-1.0) } else { value }
}

fn picked<const N: usize>(all: Vec<[f32; N]>, is_wanted: impl Fn(usize, usize) -> bool) -> Vec<[f32; N]> {
    let count = all.len();
    all.into_iter().enumerate().filter(|(nth, _)| is_wanted(count, *nth)).map(|(_, value)| value).collect()
}

fn node(node: &Value) -> Read<Node> {
    let usual = Transform::default();
    let transform = match floats::<16>(node, "matrix") {
        Some([xx, xy, xz, _, yx, yy, yz, _, zx, zy, zz, _, x, y, z, _]) => {
            let rows = [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]];
            let found = Transform::of_rows(rows, [x, y, z]).filter(|(_, exact)| *exact);
            found.ok_or_else(|| format!("node {:?} has a matrix that shears or is not finite", name(node)))?.0
        }
        None => Transform {
            translation: floats(node, "translation").unwrap_or(usual.translation),
            rotation: floats(node, "rotation").and_then(super::vector::unit).unwrap_or(usual.rotation),
            scale: floats(node, "scale").unwrap_or(usual.scale),
        },
    };
    let children = list(node, "children").iter().map(|child| child.as_u64().and_then(|it| usize::try_from(it).ok()));
    Ok(Node {
        name: name(node),
        transform,
        mesh: index(node, "mesh"),
        skin: index(node, "skin"),
        children: children.map(|child| child.unwrap_or(usize::MAX)).collect(),
        place: place(node),
        extras: ours(node).cloned().unwrap_or_default(),
    })
}

fn material(material: &Value) -> Material {
    let surface = material.get("pbrMetallicRoughness").unwrap_or(&Value::Null);
    Material {
        name: name(material),
        color: floats(surface, "baseColorFactor").unwrap_or([1.0; 4]),
        two_sided: material.get("doubleSided").and_then(Value::as_bool).unwrap_or(false),
        place: place(material),
        ..Material::default()
    }
}
