//! Scenes as glTF 2.0: one file, `.glb` (binary) or `.gltf` (text, the same numbers in base64).
//!
//! | part of a `.glb` | bytes |
//! |---|---|
//! | `glTF`, 2, length of all | 12 |
//! | length, `JSON`, that text, spaces to a multiple of 4 | |
//! | length, `BIN` and a NUL, the numbers, zeros to a multiple of 4 | |
//!
//! Source: the specification of glTF 2.0, <https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html>.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value, json};

use super::marks::mark;
use super::read::OURS;
use super::{Animation, Channel, Image, Material, Mesh, Node, Opacity, Primitive, Scene, Skin, TooLarge, Values};

/// Constants of the specification.
const FLOAT: u32 = 5126;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

/// The alignment of everything in the file, in bytes.
const ALIGNMENT: usize = 4;

/// The use of an accessor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// Positions of vertices, which need bounds.
    Positions,
    /// Other values of vertices.
    Vertices,
    /// Times of animations, which need bounds.
    Times,
    /// Values of animations and skins.
    Values,
}

/// The buffer of numbers, with its views and accessors.
#[derive(Default)]
struct Writer {
    buffer: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Scene {
    /// Returns the scene as a `.glb` file.
    ///
    /// # Errors
    /// Returns an error if the file would be larger than 4 GB.
    pub fn glb(&self) -> Result<Vec<u8>, TooLarge> {
        let (mut root, mut buffer) = self.parts();
        buffer.resize(buffer.len().next_multiple_of(ALIGNMENT), 0);
        if !buffer.is_empty() {
            root.insert("buffers".to_owned(), json!([{ "byteLength": buffer.len() }]));
        }
        let mut text = Value::Object(root).to_string().into_bytes();
        text.resize(text.len().next_multiple_of(ALIGNMENT), b' ');
        let chunks = [(*b"JSON", text), (*b"BIN\0", buffer)];
        let chunks: Vec<_> = chunks.into_iter().filter(|(_, bytes)| !bytes.is_empty()).collect();
        let length = chunks.iter().map(|(_, bytes)| bytes.len().saturating_add(8)).fold(12, usize::saturating_add);
        let word = |number: usize| u32::try_from(number).map(u32::to_le_bytes).map_err(|_| TooLarge);
        let mut file = Vec::with_capacity(length);
        file.extend_from_slice(b"glTF");
        file.extend_from_slice(&2_u32.to_le_bytes());
        file.extend_from_slice(&word(length)?);
        for (kind, bytes) in chunks {
            file.extend_from_slice(&word(bytes.len())?);
            file.extend_from_slice(&kind);
            file.extend_from_slice(&bytes);
        }
        Ok(file)
    }

    /// Returns the scene as a self-contained `.gltf` file.
    ///
    /// # Errors
    /// Returns an error if it would hold more than 4 GB.
    pub fn gltf(&self) -> Result<Vec<u8>, TooLarge> {
        let (mut root, buffer) = self.parts();
        u32::try_from(buffer.len()).map_err(|_| TooLarge)?;
        if !buffer.is_empty() {
            let uri = format!("data:application/octet-stream;base64,{}", BASE64.encode(&buffer));
            root.insert("buffers".to_owned(), json!([{ "byteLength": buffer.len(), "uri": uri }]));
        }
        Ok(Value::Object(root).to_string().into_bytes())
    }

    /// Returns the JSON without the buffer, and the contents of the buffer.
    fn parts(&self) -> (Map<String, Value>, Vec<u8>) {
        let mut writer = Writer::default();
        let meshes: Vec<Value> = self.meshes.iter().map(|mesh| writer.mesh(mesh)).collect();
        let skins: Vec<Value> = self.skins.iter().map(|skin| writer.skin(skin)).collect();
        let animations: Vec<Value> = self.animations.iter().map(|animation| writer.animation(animation)).collect();
        let images: Vec<Value> = self.images.iter().map(|image| writer.image(image)).collect();
        let textures = (0..images.len()).map(|source| json!({ "sampler": 0, "source": source })).collect();
        // Repeats in all directions, which is the default of a sampler.
        let samplers = if images.is_empty() { Vec::new() } else { vec![json!({})] };
        let mut asset = json!({ "version": "2.0", "generator": concat!("bitexact ", env!("CARGO_PKG_VERSION")) });
        let left_out: Map<String, Value> =
            self.left_out.iter().map(|(what, count)| ((*what).to_owned(), json!(count))).collect();
        let note = "this does not contain everything in the file; `bitexact import` takes changes back into the file";
        insert(&mut asset, "extras", json!({ OURS: { "note": note, "left_out": left_out } }));
        let mut root = Map::new();
        root.insert("asset".to_owned(), asset);
        let mut scenes = Vec::new();
        if !self.roots.is_empty() {
            root.insert("scene".to_owned(), json!(0));
            scenes.push(json!({ "nodes": self.roots }));
        }
        let lists = [
            ("scenes", scenes),
            ("nodes", self.nodes.iter().map(node).collect()),
            ("meshes", meshes),
            ("materials", self.materials.iter().map(|material| self.material(material)).collect()),
            ("textures", textures),
            ("samplers", samplers),
            ("images", images),
            ("skins", skins),
            ("animations", animations),
            ("accessors", writer.accessors),
            ("bufferViews", writer.views),
        ];
        // glTF does not allow empty lists.
        let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
        root.extend(lists.map(|(name, list)| (name.to_owned(), Value::Array(list))));
        (root, writer.buffer)
    }

    fn material(&self, material: &Material) -> Value {
        // Neither metallic nor glossy.
        let mut surface = json!({ "baseColorFactor": material.color, "metallicFactor": 0.0, "roughnessFactor": 1.0 });
        let image = material.image.and_then(|index| Some((index, self.images.get(index)?)));
        if let Some((index, _)) = image {
            insert(&mut surface, "baseColorTexture", json!({ "index": index }));
        }
        let [.., opacity] = material.color;
        let mode = match image.map(|(_, image)| image.opacity).unwrap_or_default() {
            _ if opacity < 1.0 => "BLEND",
            Opacity::Opaque => "OPAQUE",
            Opacity::Holes => "MASK",
            Opacity::Blended => "BLEND",
        };
        let mut json = json!({
            "name": material.name, "pbrMetallicRoughness": surface, "alphaMode": mode,
            "doubleSided": material.two_sided,
        });
        let mut extras = Map::new();
        if let Some(texture) = &material.texture {
            extras.insert("texture".to_owned(), json!(texture));
        }
        note(&mut json, material.place.as_deref(), &extras);
        json
    }
}

impl Writer {
    /// Appends bytes to the buffer and returns the index of their view.
    fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        self.buffer.resize(self.buffer.len().next_multiple_of(ALIGNMENT), 0);
        let mut view = json!({ "buffer": 0, "byteOffset": self.buffer.len(), "byteLength": bytes.len() });
        if let Some(target) = target {
            insert(&mut view, "target", json!(target));
        }
        self.buffer.extend_from_slice(bytes);
        self.views.push(view);
        self.views.len().saturating_sub(1)
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len().saturating_sub(1)
    }

    /// Appends values to the buffer and returns the index of their accessor.
    fn values<const N: usize>(&mut self, values: &[[f32; N]], of: Use) -> usize {
        let bytes: Vec<u8> = values.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        let target = matches!(of, Use::Positions | Use::Vertices).then_some(ARRAY_BUFFER);
        let view = self.view(&bytes, target);
        let kind = match N {
            1 => "SCALAR",
            2 => "VEC2",
            3 => "VEC3",
            4 => "VEC4",
            _ => "MAT4",
        };
        let mut accessor = json!({ "bufferView": view, "componentType": FLOAT, "count": values.len(), "type": kind });
        if let (Use::Positions | Use::Times, Some(&first)) = (of, values.first()) {
            let (mut low, mut high) = (first, first);
            for value in values {
                low.iter_mut().zip(value).for_each(|(low, value)| *low = low.min(*value));
                high.iter_mut().zip(value).for_each(|(high, value)| *high = high.max(*value));
            }
            insert(&mut accessor, "min", json!(low.as_slice()));
            insert(&mut accessor, "max", json!(high.as_slice()));
        }
        self.accessor(accessor)
    }

    fn mesh(&mut self, mesh: &Mesh) -> Value {
        let primitives: Vec<Value> = mesh.primitives.iter().map(|primitive| self.primitive(primitive)).collect();
        let mut json = json!({ "name": mesh.name, "primitives": primitives });
        note(&mut json, mesh.place.as_deref(), &Map::new());
        json
    }

    fn primitive(&mut self, primitive: &Primitive) -> Value {
        let Primitive { material, positions, normals, coordinates, colors, joints, weights, vertices, indices, .. } =
            primitive;
        let mut attributes = json!({ "POSITION": self.values(positions, Use::Positions) });
        if !normals.is_empty() {
            insert(&mut attributes, "NORMAL", json!(self.values(normals, Use::Vertices)));
        }
        if !coordinates.is_empty() {
            insert(&mut attributes, "TEXCOORD_0", json!(self.values(coordinates, Use::Vertices)));
        }
        if !vertices.is_empty() {
            if coordinates.is_empty() {
                // Sets of coordinates are numbered without a gap.
                let none = vec![[0.0; 2]; positions.len()];
                insert(&mut attributes, "TEXCOORD_0", json!(self.values(&none, Use::Vertices)));
            }
            let marks: Vec<[f32; 2]> = vertices.iter().map(|&vertex| mark(vertex)).collect();
            insert(&mut attributes, "TEXCOORD_1", json!(self.values(&marks, Use::Vertices)));
            let numbers: Vec<[f32; 1]> = marks.iter().map(|[number, _]| [*number]).collect();
            insert(&mut attributes, "_VERTEX", json!(self.values(&numbers, Use::Vertices)));
        }
        if !colors.is_empty() {
            insert(&mut attributes, "COLOR_0", json!(self.values(colors, Use::Vertices)));
        }
        if !joints.is_empty() {
            let bytes: Vec<u8> = joints.iter().flatten().flat_map(|joint| joint.to_le_bytes()).collect();
            let view = self.view(&bytes, Some(ARRAY_BUFFER));
            let joints = self.accessor(json!({
                "bufferView": view, "componentType": UNSIGNED_SHORT, "count": joints.len(), "type": "VEC4",
            }));
            insert(&mut attributes, "JOINTS_0", json!(joints));
            insert(&mut attributes, "WEIGHTS_0", json!(self.values(weights, Use::Vertices)));
        }
        let bytes: Vec<u8> = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        let view = self.view(&bytes, Some(ELEMENT_ARRAY_BUFFER));
        let indices = self.accessor(
            json!({ "bufferView": view, "componentType": UNSIGNED_INT, "count": indices.len(), "type": "SCALAR" }),
        );
        let mut json = json!({ "attributes": attributes, "indices": indices });
        if let Some(material) = material {
            insert(&mut json, "material", json!(material));
        }
        json
    }

    fn skin(&mut self, skin: &Skin) -> Value {
        let binds = self.values(&skin.inverse_binds, Use::Values);
        json!({ "name": skin.name, "joints": skin.joints, "inverseBindMatrices": binds })
    }

    fn image(&mut self, image: &Image) -> Value {
        json!({ "name": image.name, "mimeType": "image/png", "bufferView": self.view(&image.png, None) })
    }

    fn animation(&mut self, animation: &Animation) -> Value {
        let mut samplers = Vec::new();
        let mut channels = Vec::new();
        for Channel { node, times, values, .. } in &animation.channels {
            let times: Vec<[f32; 1]> = times.iter().map(|&time| [time]).collect();
            let input = self.values(&times, Use::Times);
            let (path, output) = match values {
                Values::Translation(values) => ("translation", self.values(values, Use::Values)),
                Values::Rotation(values) => ("rotation", self.values(values, Use::Values)),
                Values::Scale(values) => ("scale", self.values(values, Use::Values)),
            };
            channels.push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": path } }));
            samplers.push(json!({ "input": input, "output": output }));
        }
        let mut json = json!({ "name": animation.name, "channels": channels, "samplers": samplers });
        note(&mut json, animation.place.as_deref(), &Map::new());
        json
    }
}

fn node(node: &Node) -> Value {
    let Node { name, transform, mesh, skin, children, place, extras } = node;
    let mut json = json!({ "name": name });
    let usual = super::Transform::default();
    if transform.translation != usual.translation {
        insert(&mut json, "translation", json!(transform.translation));
    }
    if transform.rotation != usual.rotation {
        insert(&mut json, "rotation", json!(transform.rotation));
    }
    if transform.scale != usual.scale {
        insert(&mut json, "scale", json!(transform.scale));
    }
    if let Some(mesh) = mesh {
        insert(&mut json, "mesh", json!(mesh));
    }
    if let Some(skin) = skin {
        insert(&mut json, "skin", json!(skin));
    }
    if !children.is_empty() {
        insert(&mut json, "children", json!(children));
    }
    note(&mut json, place.as_deref(), extras);
    json
}

/// Adds the place of something in the file, and values that glTF does not have.
fn note(to: &mut Value, place: Option<&str>, values: &Map<String, Value>) {
    let place = place.map(|place| ("place".to_owned(), json!(place)));
    // Importers fail on null.
    let values = values.iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| (name.clone(), value.clone()));
    let all: Map<String, Value> = place.into_iter().chain(values).collect();
    if !all.is_empty() {
        insert(to, "extras", json!({ OURS: all }));
    }
}

fn insert(object: &mut Value, name: &str, value: Value) {
    if let Value::Object(members) = object {
        members.insert(name.to_owned(), value);
    }
}
