//! Scenes as glTF 2.0: one file, `.glb` (binary) or `.gltf` (text, the same numbers in base64).
//!
//! | part of a `.glb` | bytes |
//! |---|---|
//! | `glTF`, 2, length of all | 12 |
//! | length, `JSON`, that text, spaces to a multiple of 4 | |
//! | length, `BIN` and a NUL, the numbers, zeros to a multiple of 4 | |
//!
//! A world has tens of thousands of primitives with a few vertices each. So the primitives of a mesh that have the same types of values
//! share accessors, and all numbers of the same size and use share a view: otherwise the text would be four times the numbers.
//!
//! Source: the specification of glTF 2.0, <https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html>.

use std::borrow::Cow;
use std::io::{self, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::json::{
    self, ARRAY_BUFFER, Accessor, Asset, Attributes, Bound, Bounded, Buffer, CLAMP_TO_EDGE, Components, Document,
    ELEMENT_ARRAY_BUFFER, Extras, FLOAT, Note, UNSIGNED_INT, UNSIGNED_SHORT, View,
};
use super::marks::mark;
use super::{
    Animation, Channel, Image, Material, Mesh, Node, Opacity, Primitive, Scene, Skin, TooLarge, Transform, Values,
};

/// The alignment of everything in the file, in bytes.
const ALIGNMENT: usize = 4;

/// What the numbers of a view are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// Values of vertices, each of this many bytes.
    Vertices(usize),
    Indices,
    /// Matrices of skins.
    Binds,
    /// Times and values of animations.
    Keys,
    Image,
}

/// The numbers of a file, view by view, with their accessors.
#[derive(Default)]
struct Writer<'s> {
    views: Vec<Contents<'s>>,
    accessors: Vec<Bounded>,
}

/// The contents of a view, which are written only into the file itself: the numbers of a world take more memory than the world.
struct Contents<'s> {
    of: Use,
    /// Their length in bytes.
    length: usize,
    parts: Vec<Part<'s>>,
}

/// Numbers are put together up to about this many bytes before they are written, because most parts have few.
const MOST: usize = 1 << 16;

/// Appends numbers.
type Part<'s> = Box<dyn FnOnce(&mut Vec<u8>) + 's>;

/// Which lists of values a primitive has: normals, coordinates, colors, joints, numbers of vertices.
type Has = [bool; 5];

impl Scene {
    /// Returns the scene as a `.glb` file.
    ///
    /// # Errors
    /// Returns an error if the file would be larger than 4 GB.
    pub fn glb(&self) -> Result<Vec<u8>, TooLarge> {
        let glb = self.to_glb()?;
        let mut file = Vec::with_capacity(glb.length());
        // Nothing can prevent writing to memory.
        glb.write(&mut file).map_err(|_| TooLarge)?;
        Ok(file)
    }

    /// Returns the scene as a `.glb` file that is not written yet.
    ///
    /// # Errors
    /// Returns an error if the file would be larger than 4 GB.
    pub fn to_glb(&self) -> Result<Glb<'_>, TooLarge> {
        let (mut document, views) = self.parts();
        let numbers = document.buffers.iter().map(|buffer| buffer.byte_length.next_multiple_of(ALIGNMENT)).sum();
        document.buffers.iter_mut().for_each(|buffer| buffer.byte_length = numbers);
        // Two passes over the text take less than a text that grows in memory.
        let mut text = Length(0);
        serde_json::to_writer(&mut text, &document).map_err(|_| TooLarge)?;
        let glb = Glb { document, views, text: text.0, numbers };
        word(glb.length()).map(|_| glb)
    }

    /// Returns the scene as a self-contained `.gltf` file.
    ///
    /// # Errors
    /// Returns an error if it would hold more than 4 GB.
    pub fn gltf(&self) -> Result<Vec<u8>, TooLarge> {
        let (mut document, views) = self.parts();
        let mut numbers = Vec::new();
        // Nothing can prevent writing to memory.
        put(views, &mut numbers).map_err(|_| TooLarge)?;
        for buffer in &mut document.buffers {
            word(numbers.len())?;
            buffer.byte_length = numbers.len();
            buffer.uri = Some(format!("data:application/octet-stream;base64,{}", BASE64.encode(&numbers)));
        }
        drop(numbers);
        serde_json::to_vec(&document).map_err(|_| TooLarge)
    }

    /// Returns the text, and the contents of its views.
    fn parts(&self) -> (Document<'_, Bounded>, Vec<Contents<'_>>) {
        let mut writer = Writer::default();
        let meshes = self.meshes.iter().map(|mesh| writer.mesh(mesh)).collect();
        let skins = self.skins.iter().map(|skin| writer.skin(skin)).collect();
        let animations = self.animations.iter().map(|animation| writer.animation(animation)).collect();
        let images: Vec<_> = self.images.iter().map(|image| writer.image(image)).collect();
        let (textures, samplers) = self.textures();
        let Writer { views, accessors } = writer;
        let mut end: usize = 0;
        let buffer_views = views.iter().map(|&Contents { of, length, .. }| {
            let byte_offset = end.next_multiple_of(ALIGNMENT);
            end = byte_offset + length;
            let (byte_stride, target) = match of {
                Use::Vertices(size) => (Some(size), Some(ARRAY_BUFFER)),
                Use::Indices => (None, Some(ELEMENT_ARRAY_BUFFER)),
                Use::Binds | Use::Keys | Use::Image => (None, None),
            };
            View { buffer: 0, byte_offset, byte_length: Some(length), byte_stride, target }
        });
        let buffer_views: Vec<View> = buffer_views.collect();
        let note = "this does not contain everything in the file; `bitexact import` takes changes back into the file";
        let about = Note { note: Some(note), left_out: Some(&self.left_out), ..Note::default() };
        let document = Document {
            asset: Asset {
                version: "2.0".into(),
                generator: concat!("bitexact ", env!("CARGO_PKG_VERSION")).into(),
                extras: Extras::of(about),
            },
            scene: (!self.roots.is_empty()).then_some(0),
            scenes: match self.roots.as_slice() {
                [] => Vec::new(),
                roots => vec![json::Root { nodes: roots.into(), ..json::Root::default() }],
            },
            nodes: self.nodes.iter().map(node).collect(),
            meshes,
            materials: self.materials.iter().map(|material| self.material(material)).collect(),
            textures,
            samplers,
            images,
            skins,
            animations,
            accessors,
            buffers: if buffer_views.is_empty() { Vec::new() } else { vec![Buffer { byte_length: end, uri: None }] },
            buffer_views,
            ..Document::default()
        };
        (document, views)
    }

    /// Returns a texture for each image, and the samplers that they use.
    fn textures(&self) -> (Vec<json::Texture>, Vec<json::Wrapping>) {
        let mut modes: Vec<[bool; 2]> = Vec::new();
        let textures = self.images.iter().enumerate().map(|(source, Image { clamped, .. })| {
            let sampler = modes.iter().position(|mode| mode == clamped).unwrap_or_else(|| {
                modes.push(*clamped);
                modes.len() - 1
            });
            json::Texture { sampler: Some(sampler), source: Some(source) }
        });
        let textures = textures.collect();
        let wrapping = |clamped: [bool; 2]| {
            let [wrap_s, wrap_t] = clamped.map(|is_clamped| is_clamped.then_some(CLAMP_TO_EDGE));
            json::Wrapping { wrap_s, wrap_t }
        };
        (textures, modes.into_iter().map(wrapping).collect())
    }

    fn material<'s>(&'s self, material: &'s Material) -> json::Material<'s> {
        let image = material.image.and_then(|index| Some((index, self.images.get(index)?)));
        let [.., opacity] = material.color;
        let alpha_mode = match image.map(|(_, image)| image.opacity).unwrap_or_default() {
            _ if opacity < 1.0 => "BLEND",
            Opacity::Opaque => "OPAQUE",
            Opacity::Holes => "MASK",
            Opacity::Blended => "BLEND",
        };
        let surface = json::Surface {
            base_color_factor: Some(material.color),
            base_color_texture: image.map(|(index, _)| json::Reference { index }),
            // Neither metallic nor glossy.
            metallic_factor: 0.0,
            roughness_factor: 1.0,
        };
        let place = material.place.as_deref().map(Cow::from);
        json::Material {
            name: material.name.as_str().into(),
            pbr_metallic_roughness: surface,
            alpha_mode,
            double_sided: material.two_sided,
            extras: Extras::of(Note { place, texture: material.texture.as_deref(), ..Note::default() }),
        }
    }
}

/// A `.glb` file that is not written yet: that of a world takes more memory than the world.
pub struct Glb<'s> {
    document: Document<'s, Bounded>,
    views: Vec<Contents<'s>>,
    /// The length of the text, and of the numbers, which is aligned.
    text: usize,
    numbers: usize,
}

impl Glb<'_> {
    /// Returns its length in bytes.
    #[must_use]
    pub fn length(&self) -> usize {
        let numbers = if self.numbers > 0 { self.numbers + 8 } else { 0 };
        20 + self.text.next_multiple_of(ALIGNMENT) + numbers
    }

    /// Writes it.
    ///
    /// # Errors
    /// Returns an error if `to` does.
    pub fn write(self, to: &mut impl io::Write) -> io::Result<()> {
        let word = |number| word(number).map_err(io::Error::other);
        let text = self.text.next_multiple_of(ALIGNMENT);
        to.write_all(&[&b"glTF"[..], &2_u32.to_le_bytes(), &word(self.length())?, &word(text)?, b"JSON"].concat())?;
        let mut buffered = io::BufWriter::with_capacity(MOST, &mut *to);
        serde_json::to_writer(&mut buffered, &self.document)?;
        buffered.write_all(b"   ".get(..text - self.text).unwrap_or_default())?;
        buffered.flush()?;
        drop(buffered);
        drop(self.document);
        if self.numbers > 0 {
            to.write_all(&[word(self.numbers)?, *b"BIN\0"].concat())?;
        }
        put(self.views, to)
    }
}

/// Counts the bytes that are written to it.
struct Length(usize);

impl io::Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns a number as files have it.
fn word(number: usize) -> Result<[u8; 4], TooLarge> {
    u32::try_from(number).map(u32::to_le_bytes).map_err(|_| TooLarge)
}

/// Writes views, each aligned.
fn put(views: Vec<Contents<'_>>, to: &mut impl io::Write) -> io::Result<()> {
    let mut bytes = Vec::new();
    for view in views {
        for part in view.parts {
            part(&mut bytes);
            if bytes.len() >= MOST {
                to.write_all(&bytes)?;
                bytes.clear();
            }
        }
        bytes.resize(bytes.len() + view.length.next_multiple_of(ALIGNMENT) - view.length, 0);
        to.write_all(&bytes)?;
        bytes.clear();
    }
    Ok(())
}

impl<'s> Writer<'s> {
    /// Appends values to the view for their use, each of this many bytes, and returns the number of their accessor.
    fn accessor(&mut self, of: Use, bounded: Bounded, size: usize, part: Part<'s>) -> u32 {
        let number = self.views.iter().position(|view| view.of == of).unwrap_or_else(|| {
            self.views.push(Contents { of, length: 0, parts: Vec::new() });
            self.views.len() - 1
        });
        let mut byte_offset = 0;
        if let Some(view) = self.views.get_mut(number) {
            byte_offset = view.length;
            view.length += bounded.accessor.count.unwrap_or_default() * size;
            view.parts.push(part);
        }
        let accessor = Accessor { buffer_view: Some(index(number)), byte_offset, ..bounded.accessor };
        self.accessors.push(Bounded { accessor, ..bounded });
        index(self.accessors.len() - 1)
    }

    /// Appends values and returns the number of their accessor, with bounds if that needs them.
    fn values<const N: usize>(
        &mut self,
        of: Use,
        is_bounded: bool,
        values: impl Iterator<Item = [f32; N]> + Clone + 's,
    ) -> u32 {
        let (mut low, mut high) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
        let mut count: usize = 0;
        for value in values.clone() {
            count += 1;
            low.iter_mut().zip(value).for_each(|(low, value)| *low = low.min(value));
            high.iter_mut().zip(value).for_each(|(high, value)| *high = high.max(value));
        }
        let (min, max) = if is_bounded && count > 0 { (Bound::of(&low), Bound::of(&high)) } else { (None, None) };
        let kind = Components::of(N);
        let accessor = Accessor { component_type: FLOAT, kind, count: Some(count), ..Accessor::default() };
        let part = Box::new(move |bytes: &mut Vec<u8>| {
            values.for_each(|value| value.iter().for_each(|part| bytes.extend_from_slice(&part.to_le_bytes())));
        });
        self.accessor(of, Bounded { accessor, min, max }, size_of::<[f32; N]>(), part)
    }

    fn vertices<const N: usize>(
        &mut self,
        is_bounded: bool,
        values: impl Iterator<Item = [f32; N]> + Clone + 's,
    ) -> Option<u32> {
        Some(self.values(Use::Vertices(size_of::<[f32; N]>()), is_bounded, values))
    }

    fn mesh(&mut self, mesh: &'s Mesh) -> json::Mesh<'s> {
        let mut pools: Vec<(Has, usize)> = Vec::new();
        // The pool of each primitive, and its first vertex there.
        let mut places: Vec<(usize, u32)> = Vec::with_capacity(mesh.primitives.len());
        for primitive in &mesh.primitives {
            let has = has(primitive);
            let known = pools.iter().position(|(known, _)| *known == has);
            let at = known.unwrap_or_else(|| {
                pools.push((has, 0));
                pools.len() - 1
            });
            if let Some((_, vertices)) = pools.get_mut(at) {
                places.push((at, index(*vertices)));
                *vertices += primitive.positions.len();
            }
        }
        let pools: Vec<Attributes> = pools.iter().map(|(has, _)| self.pool(*has, mesh)).collect();
        let primitives = mesh.primitives.iter().zip(places).map(|(primitive, (pool, first))| json::Primitive {
            attributes: pools.get(pool).copied().unwrap_or_default(),
            indices: Some(self.indices(&primitive.indices, first)),
            material: primitive.material.map(index),
            mode: None,
        });
        let primitives = primitives.collect();
        json::Mesh { name: mesh.name.as_str().into(), primitives, extras: placed(mesh.place.as_deref()) }
    }

    /// Appends the vertices of the primitives of a mesh that have these lists.
    fn pool(&mut self, lists: Has, mesh: &'s Mesh) -> Attributes {
        let [normals, coordinates, colors, joints, vertices] = lists;
        let all = move || mesh.primitives.iter().filter(move |primitive| has(primitive) == lists);
        let mut attributes = Attributes {
            positions: self.vertices(true, all().flat_map(|it| &it.positions).copied()),
            ..Attributes::default()
        };
        if normals {
            attributes.normals = self.vertices(false, all().flat_map(|it| &it.normals).copied());
        }
        if coordinates {
            attributes.coordinates = self.vertices(false, all().flat_map(|it| &it.coordinates).copied());
        }
        if vertices {
            if !coordinates {
                // Sets of coordinates are numbered without a gap.
                attributes.coordinates = self.vertices(false, all().flat_map(|it| &it.positions).map(|_| [0.0; 2]));
            }
            let marks = move || all().flat_map(|it| &it.vertices).map(|&vertex| mark(vertex));
            attributes.marks = self.vertices(false, marks());
            attributes.vertices = self.vertices(false, marks().map(|[number, _]| [number]));
        }
        if colors {
            attributes.colors = self.vertices(false, all().flat_map(|it| &it.colors).copied());
        }
        if joints {
            let values = all().flat_map(|it| &it.joints);
            let (component_type, count) = (UNSIGNED_SHORT, Some(values.clone().count()));
            let accessor = Accessor { component_type, kind: Components::Vec4, count, ..Accessor::default() };
            let part = Box::new(move |bytes: &mut Vec<u8>| {
                values.for_each(|joints| bytes.extend(joints.iter().flat_map(|joint| joint.to_le_bytes())));
            });
            let size = size_of::<[u16; 4]>();
            attributes.joints = Some(self.accessor(Use::Vertices(size), accessor.into(), size, part));
            attributes.weights = self.vertices(false, all().flat_map(|it| &it.weights).copied());
        }
        attributes
    }

    /// Appends the vertices of triangles, counted from a first one.
    fn indices(&mut self, indices: &'s [u32], first: u32) -> u32 {
        let accessor = Accessor { component_type: UNSIGNED_INT, count: Some(indices.len()), ..Accessor::default() };
        let part = Box::new(move |bytes: &mut Vec<u8>| {
            bytes.extend(indices.iter().flat_map(|&vertex| vertex.saturating_add(first).to_le_bytes()));
        });
        self.accessor(Use::Indices, accessor.into(), size_of::<u32>(), part)
    }

    fn skin(&mut self, skin: &'s Skin) -> json::Skin<'s> {
        let binds = self.values(Use::Binds, false, skin.inverse_binds.iter().copied());
        json::Skin {
            name: skin.name.as_str().into(),
            joints: skin.joints.as_slice().into(),
            inverse_bind_matrices: Some(binds),
        }
    }

    fn image(&mut self, image: &'s Image) -> json::Image<'s> {
        let part: Part<'s> = Box::new(|bytes| bytes.extend_from_slice(&image.png));
        self.views.push(Contents { of: Use::Image, length: image.png.len(), parts: vec![part] });
        let buffer_view = index(self.views.len() - 1);
        json::Image { name: image.name.as_str().into(), uri: None, mime_type: "image/png", buffer_view }
    }

    fn animation(&mut self, animation: &'s Animation) -> json::Animation<'s> {
        let mut json = json::Animation {
            name: animation.name.as_str().into(),
            extras: placed(animation.place.as_deref()),
            ..json::Animation::default()
        };
        for Channel { node, times, values, .. } in &animation.channels {
            let input = self.values(Use::Keys, true, times.iter().map(|&time| [time]));
            let output = match values {
                Values::Translation(values) | Values::Scale(values) => {
                    self.values(Use::Keys, false, values.iter().copied())
                }
                Values::Rotation(values) => self.values(Use::Keys, false, values.iter().copied()),
            };
            let target = json::Target { node: Some(*node), path: values.path().into() };
            json.channels.push(json::Channel { sampler: Some(json.samplers.len()), target });
            json.samplers.push(json::Curve { input: Some(input), output: Some(output), interpolation: None });
        }
        json
    }
}

fn has(primitive: &Primitive) -> Has {
    let Primitive { normals, coordinates, colors, joints, vertices, .. } = primitive;
    [normals.is_empty(), coordinates.is_empty(), colors.is_empty(), joints.is_empty(), vertices.is_empty()]
        .map(|it| !it)
}

/// Returns a number as files have it. Those that do not fit belong to files of more than 4 GB, which are refused.
fn index(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn placed(place: Option<&str>) -> Extras<'_> {
    Extras::of(Note { place: place.map(Cow::from), ..Note::default() })
}

fn node(node: &Node) -> json::Node<'_> {
    let Node { name, transform: Transform { translation, rotation, scale }, mesh, skin, children, place, extras } =
        node;
    let usual = Transform::default();
    let place = place.as_deref().map(Cow::from);
    json::Node {
        name: name.as_str().into(),
        translation: Some(*translation).filter(|it| *it != usual.translation),
        rotation: Some(*rotation).filter(|it| *it != usual.rotation),
        scale: Some(*scale).filter(|it| *it != usual.scale),
        matrix: None,
        camera: None,
        extensions: None,
        mesh: *mesh,
        skin: *skin,
        children: children.as_slice().into(),
        extras: Extras::of(Note { place, values: Some(Cow::Borrowed(extras)), ..Note::default() }),
    }
}
