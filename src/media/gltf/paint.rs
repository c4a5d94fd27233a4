//! The materials of a scene that has been through another program: those of the file, and new ones.

use std::collections::HashMap;

use super::alike::{is_near_color, is_same_name};
use super::{Material, Scene};

/// The material of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Paint {
    /// A material of the file, by its number in the scene that has just been made.
    Known(usize),
    /// A new one, by its number among those given.
    New(usize),
}

/// A material that the file does not have.
#[derive(Clone, Debug)]
pub struct NewMaterial {
    /// Its name.
    pub name: String,
    /// Linear red, green and blue, and opacity.
    pub color: [f32; 4],
    /// The name of its image, without an extension; `None` if it has only a color.
    pub texture: Option<String>,
}

/// Which materials of two scenes are the same.
pub(super) struct Paints {
    /// For each material that has just been made, the first one with its place.
    made: Vec<usize>,
    given: Vec<Paint>,
}

impl Paints {
    /// A given material is one of the file if it has its place. Programs give copies the place of their original: a copy with another
    /// color or image is new, as long as one with that place is as it was. Some materials have been made twice, with and without an image.
    pub(super) fn of(fresh: &Scene, given: &Scene) -> Self {
        let mut first: HashMap<&str, usize> = HashMap::new();
        let made = fresh.materials.iter().enumerate();
        let made = made
            .map(|(at, material)| material.place.as_deref().map_or(at, |place| *first.entry(place).or_insert(at)))
            .collect();
        let known = |material: &Material| first.get(material.place.as_deref()?).copied();
        let is_as_before = |material: &Material| {
            let was = known(material).and_then(|known| fresh.materials.get(known));
            was.is_some_and(|was| is_alike(was, material))
        };
        let unchanged: Vec<&str> = {
            let all = given.materials.iter().filter(|material| is_as_before(material));
            let mut all: Vec<&str> = all.filter_map(|material| material.place.as_deref()).collect();
            all.sort_unstable();
            all
        };
        let of_place = |scene: &Scene| {
            let mut counts: HashMap<String, usize> = HashMap::new();
            for place in scene.materials.iter().filter_map(|material| material.place.clone()) {
                let count = counts.entry(place).or_default();
                *count += 1;
            }
            counts
        };
        let (made_counts, given_counts) = (of_place(fresh), of_place(given));
        let has_copies = |place: &str| given_counts.get(place) > made_counts.get(place);
        let is_kept = |place: &str| unchanged.binary_search(&place).is_ok() && has_copies(place);
        let paint = |(at, material): (usize, &Material)| match (known(material), material.place.as_deref()) {
            (Some(known), Some(place)) if is_as_before(material) || !is_kept(place) => Paint::Known(known),
            _ => Paint::New(at),
        };
        let given = given.materials.iter().enumerate().map(paint).collect();
        Self { made, given }
    }

    /// Returns that of a triangle that has just been made.
    fn made(&self, material: Option<usize>) -> Option<Paint> {
        self.made.get(material?).copied().map(Paint::Known)
    }

    /// Returns that of a given triangle.
    pub(super) fn given(&self, material: Option<usize>) -> Option<Paint> {
        self.given.get(material?).copied()
    }

    /// Returns `true` if a made and a given triangle have the same.
    pub(super) fn is_same(&self, was: Option<usize>, now: Option<usize>) -> bool {
        match (self.made(was), self.given(now)) {
            // Importers give a material to triangles without one.
            (None, None | Some(Paint::New(_))) => true,
            (was, now) => was == now,
        }
    }

    /// Returns that of a given triangle of a mesh that has just been made.
    ///
    /// # Errors
    /// Returns the reason, as a sentence without the mesh, if it has none.
    pub(super) fn required(&self, material: Option<usize>) -> Result<Paint, String> {
        self.given(material).ok_or_else(|| "a polygon has no material any more".to_owned())
    }
}

/// Returns `true` if a given material looks like one that has just been made.
fn is_alike(was: &Material, now: &Material) -> bool {
    let has_image = was.texture.is_some() || now.texture.is_some();
    has_its_image(was, now) && (has_image || is_near_color(was.color, now.color))
}

/// Returns `true` if a given material has the image of one that has just been made.
pub(super) fn has_its_image(was: &Material, now: &Material) -> bool {
    match (&was.texture, &now.texture) {
        (Some(was), Some(now)) => is_same_image(was, now),
        // A program that drops the image keeps the material.
        (_, None) => true,
        (None, Some(_)) => false,
    }
}

/// Returns `true` if both are names of the same image to games and to programs: without regard to case and extension.
pub fn is_same_image(one: &str, other: &str) -> bool {
    let bare = |name: &str| without_extension(name).to_lowercase();
    let (one, other) = (bare(one), bare(other));
    one == other || is_same_name(&one, &other)
}

/// Returns the name of an image without `.tif` or the like, and without the further dots before it.
pub fn without_extension(name: &str) -> &str {
    let stem = name.rsplit_once('.').filter(|(stem, extension)| {
        !stem.is_empty() && (1..=4).contains(&extension.len()) && !extension.bytes().all(|it| it.is_ascii_digit())
    });
    stem.map_or(name, |(stem, _)| stem.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(materials: &[(&str, Option<&str>, Option<&str>, f32)]) -> Scene {
        let made = |&(name, texture, place, red): &(&str, Option<&str>, Option<&str>, f32)| Material {
            name: name.to_owned(),
            color: [red, 1.0, 1.0, 1.0],
            texture: texture.map(str::to_owned),
            place: place.map(str::to_owned),
            ..Material::default()
        };
        Scene { materials: materials.iter().map(made).collect(), ..Scene::default() }
    }

    #[test]
    fn copies_that_differ_are_new_if_the_original_stays() {
        let fresh = scene(&[("rock.tif", Some("rock.tif"), Some("/0"), 1.0), ("red", None, Some("/1"), 0.5)]);
        let given = scene(&[
            ("rock", Some("ROCK"), Some("/0"), 1.0),
            ("rock.001", Some("moss.png"), Some("/0"), 1.0),
            ("red", None, Some("/1"), 0.25),
            ("mine", None, None, 0.0),
            ("of another file", None, Some("/7"), 0.0),
        ]);
        let paints = Paints::of(&fresh, &given);
        use Paint::{Known, New};
        assert_eq!(paints.given, [Known(0), New(1), Known(1), New(3), New(4)]);
        assert!(paints.is_same(Some(0), Some(0)) && !paints.is_same(Some(0), Some(1)));
        assert!(paints.is_same(None, Some(3)) && !paints.is_same(None, Some(0)) && !paints.is_same(Some(0), None));
    }

    #[test]
    fn extensions_and_case_of_images_do_not_matter() {
        for (one, other, same) in [
            ("bldhwk..tif", "BLDHWK", true),
            ("a.001", "a", true),
            ("a.png", "a.tga", true),
            ("a", "b", false),
            ("v1.2", "v1.3", false),
        ] {
            assert_eq!(is_same_image(one, other), same, "{one} {other}");
        }
    }
}
