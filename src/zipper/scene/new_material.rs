//! New materials of worlds and 'Mech libraries: with a color, or with a texture.
//!
//! Source: `zipper-gamez.md`, sections 4 and 5, `zipper-mechlib.md`, section 2, and `zipper-editing.md`, sections 2 and 3.

use std::collections::BTreeMap;

use bitflags::Flags as _;

use super::new_node::ADDRESS;
use super::shown::record;
use crate::gamez::World;
use crate::gamez::games::Layouts;
use crate::gamez::materials::{MaterialFlags, MaterialSlot, TextureIndex, packed_rgb};
use crate::gamez::textures::{FileName, Texture as _};
use crate::mechlib::{LibraryMaterials, MaterialHeader};
use field::{Address, F32, Style as _, U8, Value, Windows, encode_text};
use kind::{Imported, ImportedEdit};
use media::gltf::Scene;
use media::gltf::edits::Edits;
use media::gltf::paint::{NewMaterial, Paint, is_same_image, without_extension};
use media::gltf::vector::screen;

/// The textures of a world that the engine loads. Source: `zipper-editing.md`, section 3.
const TEXTURES: usize = 4096;
/// What usually follows the name of a texture.
const EXTENSION: &str = ".tif";

/// The materials that polygons of an edited file have.
pub(super) struct Materials<'s> {
    drawn: &'s Scene,
    /// The new ones, by their numbers in the glTF file: their numbers in the file.
    made: BTreeMap<usize, (i32, bool)>,
}

impl Materials<'_> {
    /// Returns the number of a material in the file.
    pub(super) fn number(&self, paint: Paint) -> Result<i32, String> {
        let number = match paint {
            Paint::New(at) => self.made.get(&at).map(|(number, _)| *number),
            Paint::Known(at) => {
                let place = self.drawn.materials.get(at).and_then(|it| it.place.as_deref()).map(Address::from);
                place.and_then(|place| place.keys.last()?.parse().ok())
            }
        };
        number.ok_or_else(|| "internal error: a material without a place".to_owned())
    }

    /// Returns `true` if a material has a texture.
    pub(super) fn is_textured(&self, paint: Paint) -> bool {
        match paint {
            Paint::New(at) => self.made.get(&at).is_some_and(|(_, is_textured)| *is_textured),
            Paint::Known(at) => self.drawn.materials.get(at).is_some_and(|it| it.texture.is_some()),
        }
    }
}

/// A new material, as both kinds of files have it.
struct Made {
    alpha: U8,
    color: [F32; 3],
    /// The name of its texture, without an extension.
    texture: Option<String>,
}

impl Made {
    /// A material has a texture if it has an image, or the name of one of the file.
    fn of(new: &NewMaterial, is_known: impl Fn(&str) -> bool) -> Self {
        let named = || Some(without_extension(&new.name)).filter(|name| is_known(name));
        let texture = new.texture.as_deref().or_else(named).map(str::to_owned);
        let whole = |part: f32| (part * 255.0).round().clamp(0.0, 255.0);
        let [red, green, blue, alpha] = new.color;
        let alpha = (0..=u8::MAX).find(|&byte| f32::from(byte) >= whole(alpha)).unwrap_or(u8::MAX);
        match texture {
            Some(_) => Self { alpha: U8::new(u8::MAX), color: [F32::new(255.0); 3], texture },
            None => Self {
                alpha: U8::new(alpha),
                color: [red, green, blue].map(|part| F32::new(whole(screen(part)))),
                texture,
            },
        }
    }

    fn flags(&self, always: MaterialFlags) -> MaterialFlags {
        if self.texture.is_some() { always.union(MaterialFlags::TEXTURED) } else { always }
    }
}

/// Adds the new materials of a world: each takes the first free slot, which comes after those in use, and a texture that the directory
/// lacks is appended to it.
pub(super) fn of_world<'s, G: Layouts>(
    world: &World<G>,
    drawn: &'s Scene,
    edits: &Edits,
    to: &mut Imported,
) -> Result<Materials<'s>, String> {
    let mut made = BTreeMap::new();
    let (used, free) = (world.materials.slots.len(), world.materials.free.len());
    let count = edits.materials.len();
    if count == 0 {
        return Ok(Materials { drawn, made });
    }
    if !world.materials.has_whole_lists() {
        return Err(format!(
            "{count} materials are new, but the lists of slots in /materials are broken, and a new one could take the place of another; \
             give the meshes materials of the file"
        ));
    }
    if count > free {
        return Err(format!(
            "{count} materials are new, but /materials has {free} free slots; give some meshes materials of the file"
        ));
    }
    let mut names: Vec<String> = world.textures.iter().map(|texture| texture.name().shown()).collect();
    let known = names.len();
    let always = if G::FREE_MATERIAL == 0 { MaterialFlags::default() } else { MaterialFlags::ALWAYS };
    for (nth, (&at, new)) in edits.materials.iter().enumerate() {
        let wrong = |why: &str| format!("material {:?} is new: {why}", new.name);
        let material = Made::of(new, |name| names.iter().any(|known| is_same_image(known, name)));
        let mut index = 0;
        if let Some(texture) = &material.texture {
            let position = names.iter().position(|known| is_same_image(known, texture));
            index = position.unwrap_or(names.len());
            if position.is_none() {
                if names.len() >= TEXTURES {
                    return Err(wrong(&format!("the engine loads no more than {TEXTURES} textures")));
                }
                let name = file_name(texture).map_err(|why| wrong(&why))?;
                to.set(Address::from("/textures/-"), entry::<G>(&name));
                names.push(name);
            }
        }
        let slot = MaterialSlot {
            alpha: material.alpha,
            flags: material.flags(always),
            rgb: packed_rgb(material.flags(always)).into(),
            color: material.color,
            texture_index: TextureIndex::new(i32::try_from(index).map_err(|_| wrong("there are too many textures"))?),
            ..MaterialSlot::default()
        };
        let number = i16::try_from(used + nth).map_err(|_| wrong("links reach no more than 32,767 materials"))?;
        to.edits.push(ImportedEdit::Delete(Address::from("/materials/free").with(nth.to_string())));
        to.set(Address::from("/materials/slots/-"), record(bytemuck::must_cast_ref::<_, G::Material>(&slot)));
        made.insert(at, (i32::from(number), material.texture.is_some()));
    }
    to.ignore(IMAGES, names.len() - known);
    Ok(Materials { drawn, made })
}

/// The images of new textures are in packages.
const IMAGES: &str =
    "images of new materials: add each to the texture packages (`bitexact patch PACKAGE --add NAME=IMAGE.png`)";

/// Adds the new materials of a library.
pub(super) fn of_library<'s>(
    library: Option<(&str, &LibraryMaterials)>,
    drawn: &'s Scene,
    edits: &Edits,
    to: &mut Imported,
) -> Result<Materials<'s>, String> {
    let mut made = BTreeMap::new();
    if edits.materials.is_empty() {
        return Ok(Materials { drawn, made });
    }
    let (label, library) = library.ok_or("its new materials have no place: it has no entry `materials`")?;
    let mut names: Vec<String> = drawn.materials.iter().filter_map(|material| material.texture.clone()).collect();
    let known = names.len();
    for (nth, (&at, new)) in edits.materials.iter().enumerate() {
        let wrong = |why: &str| format!("material {:?} is new: {why}", new.name);
        let material = Made::of(new, |name| names.iter().any(|known| is_same_image(known, name)));
        let is_textured = material.texture.is_some();
        let head = MaterialHeader {
            alpha: material.alpha,
            flags: material.flags(MaterialFlags::ALWAYS),
            rgb: packed_rgb(material.flags(MaterialFlags::ALWAYS)).into(),
            color: material.color,
            texture_ptr: if is_textured { ADDRESS } else { 0 }.into(),
            ..MaterialHeader::default()
        };
        let mut json = record(&head);
        if let Some(texture) = &material.texture {
            let name = names.iter().find(|known| is_same_image(known, texture)).unwrap_or(texture).clone();
            encode_text(Windows::PAGE, &name)
                .ok_or_else(|| wrong("the name of its image does not fit; use ASCII letters"))?;
            json.put("texture", name.clone().into());
            if !names.contains(&name) {
                names.push(name);
            }
        }
        to.set(Address::from(format!("{label}:/materials/-")), json);
        let number = i16::try_from(library.materials.len() + nth).map_err(|_| wrong("there are too many materials"))?;
        made.insert(at, (i32::from(number), is_textured));
    }
    to.ignore(IMAGES, names.len() - known);
    Ok(Materials { drawn, made })
}

/// Returns the name of a new texture in the directory of a world.
fn file_name(texture: &str) -> Result<String, String> {
    let fits = |name: &String| {
        let bytes = encode_text(Windows::PAGE, name)?;
        (FileName::of(&bytes).name() == bytes).then_some(())
    };
    let names = [format!("{texture}{EXTENSION}"), texture.to_owned()];
    let name = names.into_iter().find(|name| fits(name).is_some());
    name.ok_or_else(|| {
        format!("its image {texture:?} has a name of more than 19 letters; give the image a shorter name")
    })
}

/// Returns a texture of the directory that is to be loaded on first use. Source: `zipper-gamez.md`, section 4.
fn entry<G: Layouts>(name: &str) -> Value {
    let mut json = Value::Object(Vec::new());
    if !G::NODE_POOL {
        // Not loaded yet.
        json.put("image_ptr", 0.into());
    }
    json.put("name", name.to_owned().into());
    json.put("mip_index", (-1).into());
    json
}
