//! The text of a glTF file, the same for reading and writing. What a file does not have takes no place in the text.
//!
//! Only what this program writes or needs is declared: the rest of a file from another program is skipped.
//!
//! Source: the specification of glTF 2.0, <https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html>.

use core::fmt;
use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use field::wide;

/// Constants of the specification: types of components, and uses of views.
pub(super) const FLOAT: u32 = 5126;
pub(super) const UNSIGNED_SHORT: u32 = 5123;
pub(super) const UNSIGNED_INT: u32 = 5125;
pub(super) const ARRAY_BUFFER: u32 = 34962;
pub(super) const ELEMENT_ARRAY_BUFFER: u32 = 34963;
pub(super) const TRIANGLES: u32 = 4;
pub(super) const CLAMP_TO_EDGE: u32 = 33071;

/// A whole file, read with accessors, and written with accessors and their bounds.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "A: Default + Deserialize<'de>"))]
pub(super) struct Document<'s, A = Accessor> {
    pub(super) asset: Asset<'s>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) extensions_required: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scene: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) scenes: Vec<Root<'s>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) nodes: Vec<Node<'s>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) meshes: Vec<Mesh<'s>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) materials: Vec<Material<'s>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) textures: Vec<Texture>,
    #[serde(skip_serializing_if = "Vec::is_empty", skip_deserializing)]
    pub(super) samplers: Vec<Wrapping>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) images: Vec<Image<'s>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) skins: Vec<Skin<'s>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) animations: Vec<Animation<'s>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) accessors: Vec<A>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buffer_views: Vec<View>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buffers: Vec<Buffer>,
}

/// Returns the most memory that the scene of a text takes, without the numbers of its accessors.
///
/// An object is at most a node, or a map of values in `extras`; an item is at most one of these values. Lists have room for twice as
/// many.
pub(super) fn weight(text: &[u8]) -> u64 {
    let of = |byte: u8| match byte {
        b'{' => 2 * size_of::<Node<'_>>(),
        b'[' | b',' => 2 * size_of::<Value>(),
        _ => 1,
    };
    text.iter().map(|&byte| wide(of(byte))).sum()
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Asset<'s> {
    pub(super) version: Cow<'s, str>,
    pub(super) generator: Cow<'s, str>,
    #[serde(skip_deserializing)]
    pub(super) extras: Extras<'s>,
}

/// A scene.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Root<'s> {
    pub(super) nodes: Cow<'s, [usize]>,
    #[serde(skip_serializing_if = "Extras::is_empty", deserialize_with = "any_extras")]
    pub(super) extras: Extras<'s>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Node<'s> {
    pub name: Cow<'s, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scale: Option<[f32; 3]>,
    #[serde(skip_serializing)]
    pub(super) matrix: Option<Box<[f32; 16]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skin: Option<usize>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) children: Cow<'s, [usize]>,
    /// Cameras and lights, which only other programs write.
    #[serde(skip_serializing)]
    pub(super) camera: Option<IgnoredAny>,
    #[serde(skip_serializing)]
    pub(super) extensions: Option<IgnoredAny>,
    #[serde(skip_serializing_if = "Extras::is_empty", deserialize_with = "any_extras")]
    pub(super) extras: Extras<'s>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Mesh<'s> {
    pub(super) name: Cow<'s, str>,
    pub(super) primitives: Vec<Primitive>,
    #[serde(skip_serializing_if = "Extras::is_empty", deserialize_with = "any_extras")]
    pub(super) extras: Extras<'s>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) indices: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) material: Option<u32>,
    #[serde(skip_serializing)]
    pub(super) mode: Option<u32>,
}

/// The accessors of the values of vertices.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Attributes {
    #[serde(rename = "POSITION", skip_serializing_if = "Option::is_none")]
    pub(super) positions: Option<u32>,
    #[serde(rename = "NORMAL", skip_serializing_if = "Option::is_none")]
    pub(super) normals: Option<u32>,
    #[serde(rename = "TEXCOORD_0", skip_serializing_if = "Option::is_none")]
    pub(super) coordinates: Option<u32>,
    /// The last set of texture coordinates, if there are more. Reading takes any number for it.
    #[serde(rename = "TEXCOORD_1", skip_serializing_if = "Option::is_none")]
    pub(super) marks: Option<u32>,
    #[serde(rename = "_VERTEX", skip_serializing_if = "Option::is_none")]
    pub(super) vertices: Option<u32>,
    #[serde(rename = "COLOR_0", skip_serializing_if = "Option::is_none")]
    pub(super) colors: Option<u32>,
    #[serde(rename = "JOINTS_0", skip_serializing_if = "Option::is_none")]
    pub(super) joints: Option<u32>,
    #[serde(rename = "WEIGHTS_0", skip_serializing_if = "Option::is_none")]
    pub(super) weights: Option<u32>,
    /// The second four joints and weights, which only other programs write.
    #[serde(skip)]
    pub(super) more_joints: Option<u32>,
    #[serde(skip)]
    pub(super) more_weights: Option<u32>,
}

impl<'de> Deserialize<'de> for Attributes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(AnyAttributes)
    }
}

struct AnyAttributes;

impl<'de> Visitor<'de> for AnyAttributes {
    type Value = Attributes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the accessors of attributes")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Attributes, A::Error> {
        let (mut all, mut last) = (Attributes::default(), 0);
        while let Some((name, accessor)) = map.next_entry::<Cow<'de, str>, u32>()? {
            let place = match &*name {
                "POSITION" => &mut all.positions,
                "NORMAL" => &mut all.normals,
                "TEXCOORD_0" => &mut all.coordinates,
                "_VERTEX" => &mut all.vertices,
                "COLOR_0" => &mut all.colors,
                "JOINTS_0" => &mut all.joints,
                "WEIGHTS_0" => &mut all.weights,
                "JOINTS_1" => &mut all.more_joints,
                "WEIGHTS_1" => &mut all.more_weights,
                name => match name.strip_prefix("TEXCOORD_").and_then(|set| set.parse::<u32>().ok()) {
                    Some(set) if set > last => {
                        last = set;
                        &mut all.marks
                    }
                    _ => continue,
                },
            };
            *place = Some(accessor);
        }
        Ok(all)
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Material<'s> {
    pub(super) name: Cow<'s, str>,
    pub(super) pbr_metallic_roughness: Surface,
    #[serde(skip_deserializing)]
    pub(super) alpha_mode: &'static str,
    pub(super) double_sided: bool,
    #[serde(skip_serializing_if = "Extras::is_empty", deserialize_with = "any_extras")]
    pub(super) extras: Extras<'s>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Surface {
    pub(super) base_color_factor: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) base_color_texture: Option<Reference>,
    pub(super) metallic_factor: f32,
    pub(super) roughness_factor: f32,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Reference {
    pub(super) index: usize,
}

/// A texture; one whose image only an extension knows has no source.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Texture {
    #[serde(skip_serializing_if = "Option::is_none", skip_deserializing)]
    pub(super) sampler: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source: Option<usize>,
}

/// A sampler; without a mode, the image repeats in that direction.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Wrapping {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) wrap_s: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) wrap_t: Option<u32>,
}

/// An image, of which only the name is read.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Image<'s> {
    pub(super) name: Cow<'s, str>,
    /// Its path, which only other programs write.
    #[serde(skip_serializing)]
    pub(super) uri: Option<String>,
    #[serde(skip_deserializing)]
    pub(super) mime_type: &'static str,
    #[serde(skip_deserializing)]
    pub(super) buffer_view: u32,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Skin<'s> {
    pub(super) name: Cow<'s, str>,
    pub(super) joints: Cow<'s, [usize]>,
    pub(super) inverse_bind_matrices: Option<u32>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Animation<'s> {
    pub(super) name: Cow<'s, str>,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<Curve>,
    #[serde(skip_serializing_if = "Extras::is_empty", deserialize_with = "any_extras")]
    pub(super) extras: Extras<'s>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Channel {
    pub(super) sampler: Option<usize>,
    pub(super) target: Target,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Target {
    pub(super) node: Option<usize>,
    pub(super) path: Cow<'static, str>,
}

/// A sampler of an animation.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Curve {
    pub(super) input: Option<u32>,
    pub(super) output: Option<u32>,
    #[serde(skip_serializing)]
    pub(super) interpolation: Option<Cow<'static, str>>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Accessor {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) buffer_view: Option<u32>,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
    pub(super) count: Option<usize>,
    #[serde(rename = "type")]
    pub(super) kind: Components,
    #[serde(skip_serializing)]
    pub(super) normalized: bool,
    #[serde(skip_serializing)]
    pub(super) sparse: Option<IgnoredAny>,
}

/// An accessor with its bounds, which are only written: a world has tens of thousands of them.
#[derive(Debug, Default, Serialize)]
pub(super) struct Bounded {
    #[serde(flatten)]
    pub(super) accessor: Accessor,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) min: Option<Bound>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max: Option<Bound>,
}

impl From<Accessor> for Bounded {
    fn from(accessor: Accessor) -> Self {
        Self { accessor, ..Self::default() }
    }
}

/// A bound of times or of points.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Bound {
    Time([f32; 1]),
    Point([f32; 3]),
}

impl Bound {
    pub(super) fn of(value: &[f32]) -> Option<Self> {
        match *value {
            [time] => Some(Self::Time([time])),
            [x, y, z] => Some(Self::Point([x, y, z])),
            _ => None,
        }
    }
}

/// The components of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Components {
    #[default]
    Scalar,
    Vec2,
    Vec3,
    Vec4,
    Mat2,
    Mat3,
    Mat4,
}

impl Components {
    /// Returns their number.
    pub(super) fn count(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Vec2 => 2,
            Self::Vec3 => 3,
            Self::Vec4 | Self::Mat2 => 4,
            Self::Mat3 => 9,
            Self::Mat4 => 16,
        }
    }

    /// Returns those of vectors with this many numbers, or of a matrix of 16.
    pub(super) fn of(count: usize) -> Self {
        match count {
            1 => Self::Scalar,
            2 => Self::Vec2,
            3 => Self::Vec3,
            4 => Self::Vec4,
            _ => Self::Mat4,
        }
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct View {
    pub(super) buffer: usize,
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) byte_offset: usize,
    pub(super) byte_length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) byte_stride: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none", skip_deserializing)]
    pub(super) target: Option<u32>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Buffer {
    pub(super) byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri: Option<String>,
}

/// Additional information.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Extras<'s> {
    /// That of this program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bitexact: Option<Note<'s>>,
    /// Set by the add-on for Blender if colors are exported as they are.
    #[serde(skip_serializing)]
    pub(super) bitexact_colors: Option<i64>,
    /// Set by the add-on for Blender to 0 if the normals of a mesh are those that Blender made when it opened the file.
    #[serde(skip_serializing)]
    pub(super) bitexact_normals: Option<i64>,
}

impl Extras<'_> {
    fn is_empty(&self) -> bool {
        self.bitexact.is_none()
    }
}

/// Reads additional information, which can be anything in files of other programs.
fn any_extras<'de, 's, D: Deserializer<'de>>(deserializer: D) -> Result<Extras<'s>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Any<T> {
        Known(T),
        Other(IgnoredAny),
    }
    Ok(match Any::deserialize(deserializer)? {
        Any::Known(extras) => extras,
        Any::Other(_) => Extras::default(),
    })
}

/// The place of something in the game's file, and values that glTF does not have.
#[derive(Debug, Default)]
pub(super) struct Note<'s> {
    pub(super) place: Option<Cow<'s, str>>,
    pub(super) texture: Option<&'s str>,
    pub(super) note: Option<&'s str>,
    pub(super) left_out: Option<&'s BTreeMap<&'static str, usize>>,
    pub(super) values: Option<Cow<'s, Map<String, Value>>>,
}

/// What is read of a note.
#[derive(Deserialize)]
struct Known {
    place: Option<String>,
    #[serde(flatten)]
    values: Map<String, Value>,
}

impl<'de> Deserialize<'de> for Note<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Known { place, values } = Known::deserialize(deserializer)?;
        Ok(Self { place: place.map(Cow::from), values: Some(Cow::Owned(values)), ..Self::default() })
    }
}

impl Serialize for Note<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { place, texture, note, left_out, values } = self;
        let mut map = serializer.serialize_map(None)?;
        let texts = [("note", *note), ("place", place.as_deref()), ("texture", *texture)];
        for (name, text) in texts {
            text.map_or(Ok(()), |text| map.serialize_entry(name, text))?;
        }
        left_out.map_or(Ok(()), |counts| map.serialize_entry("left_out", counts))?;
        // Importers fail on null.
        for (name, value) in values.iter().flat_map(|values| values.iter()).filter(|(_, value)| !value.is_null()) {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'s> Extras<'s> {
    /// Returns the place of something and more about it, or nothing if there is neither.
    pub(super) fn of(note: Note<'s>) -> Self {
        let is_empty = note.place.is_none()
            && note.texture.is_none()
            && note.note.is_none()
            && note.values.as_ref().is_none_or(|values| values.values().all(Value::is_null));
        Self { bitexact: (!is_empty).then_some(note), ..Self::default() }
    }

    /// Returns the place.
    pub(super) fn place(&self) -> Option<&str> {
        self.bitexact.as_ref()?.place.as_deref()
    }

    /// Returns the values that glTF does not have.
    pub(super) fn into_values(self) -> Map<String, Value> {
        self.bitexact.and_then(|note| note.values).map(Cow::into_owned).unwrap_or_default()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(value: &usize) -> bool {
    *value == 0
}
