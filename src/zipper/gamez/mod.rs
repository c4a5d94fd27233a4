//! Worlds: `gamez.zbd` of every game, and the planes of Crimson Skies, `planes.zbd`.
//!
//! | part | module |
//! |---|---|
//! | header | [`header`] |
//! | texture directory | [`textures`] |
//! | materials | [`materials`] |
//! | models | [`models`] |
//! | nodes | [`nodes`] |
//!
//! The engines wrote their arrays out of memory unchanged, including addresses and the free slots of pools. The
//! sections follow each other without gaps. Their offsets in the header are a rule; reading does not depend on them.
//!
//! Source: [`zipper-gamez.md`](formats::zipper_gamez), [`zipper-models.md`](formats::zipper_models),
//! [`zipper-nodes.md`](formats::zipper_nodes).

pub mod arithmetic;
mod free;
pub mod games;
pub mod header;
mod iter;
mod lint;
pub mod materials;
pub mod models;
pub mod nodes;
mod outline;
pub(crate) mod pool;
pub mod textures;

pub use iter::NodeRef;

use games::{CrimsonSkies, Layouts, MechWarrior3, PiratesMoon, Recoil, RecoilDemo};
use header::{MAGIC, Sections, Signature};
use materials::{Materials, MaterialsContext};
use models::{Models, Scene};
use nodes::Nodes;

use crate::games::by_game;
use ::lint::lint_as;
use field::{Block, Change, Fault, Result, Run, U32, change, lay, wide};
use kind::{Format, Game, Name, binrw_over_lay};

/// The contents of a world, in the records of its game.
#[derive(Clone, Debug, Default)]
pub struct World<G: Layouts> {
    /// The build time.
    pub build: G::Build,
    /// Counts, and offsets of the sections.
    pub sections: Sections,
    /// The texture directory.
    pub textures: Vec<G::Texture>,
    /// Materials.
    pub materials: Materials,
    /// Models.
    pub models: Models<G>,
    /// Nodes.
    pub nodes: Nodes<G>,
    /// Bytes after the last node.
    pub trailing: Block,
    /// The offsets of the sections when they were last laid out: textures, materials, models, nodes.
    begin: [u64; 4],
}

by_game! {
    /// A world, by its version.
    pub enum Body(World), u32 {
        RecoilDemo = RecoilDemo::VERSION,
        Recoil = Recoil::VERSION,
        MechWarrior3 = MechWarrior3::VERSION,
        PiratesMoon = PiratesMoon::VERSION,
        CrimsonSkies = CrimsonSkies::VERSION,
    }
}

/// A world.
#[derive(Clone, Debug, Default)]
pub struct Gamez {
    /// Magic and version.
    pub signature: Signature,
    /// Everything else.
    pub body: Body,
}

lay! {
    impl Lay for Gamez {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fields(at!(self.signature))?;
            let version = self.signature.version.get();
            t.build(at!(self.body), |body, t| {
                let (found, expected) = (version.to_string(), "13, 15, 27, 41 or 42".to_owned());
                let unknown = || t.error_in("version", Fault::Unknown { found, expected });
                *body = Body::of(version).ok_or_else(unknown)?;
                Ok(())
            })?;
            self.body.lay(t)
        }
    }

    impl<G: Layouts> Lay for World<G> {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.recompute("node_free_head", at!(*self), |world, _| Ok(world.follow_free_list()))?;
            t.fields(at!(self.build))?;
            let Self { sections, textures, materials, models, nodes, begin, .. } = self;
            t.computed("texture_count", at!(sections.texture_count), wide(textures.len()))?;
            t.computed("node_array_size", at!(sections.node_array_size), nodes.size())?;
            let [textures_at, materials_at, models_at, nodes_at] = *begin;
            let rules = Sections {
                textures_offset: t.rule("textures_offset", textures_at, sections.textures_offset)?,
                materials_offset: t.rule("materials_offset", materials_at, sections.materials_offset)?,
                models_offset: t.rule("models_offset", models_at, sections.models_offset)?,
                nodes_offset: t.rule("nodes_offset", nodes_at, sections.nodes_offset)?,
                ..*sections
            };
            t.fields_by(at!(*sections), Some(&rules))?;
            let texture_count = t.stated("texture_count", sections.texture_count)?;
            let node_array_size = t.stated("node_array_size", sections.node_array_size)?;
            t.judge(|t| nodes.judge_free_list(t, sections.node_free_head));
            let [textures_at, materials_at, models_at, nodes_at] = begin;
            t.begins(textures_at)?;
            let smallest = wide(size_of::<G::Texture>());
            t.list("textures", texture_count, smallest, at!(*textures), |t, texture| t.fields(texture))?;
            t.begins(materials_at)?;
            let models_offset = sections.models_offset.get();
            t.group("materials", |t| materials.lay_by(t, MaterialsContext::<G> { textures, models_offset }))?;
            t.begins(models_at)?;
            let changing = materials.changing();
            t.group("models", |t| models.lay_by(t, Scene { changing: &changing, placed: true }))?;
            t.begins(nodes_at)?;
            t.group("nodes", |t| nodes.lay_by(t, node_array_size))?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }
}

impl<G: Layouts> World<G> {
    /// Returns for each material whether it is cycled.
    pub(crate) fn changing(&self) -> Vec<bool> {
        self.materials.changing()
    }

    /// Sets the first free slot of the nodes if their links are right.
    fn follow_free_list(&mut self) -> Change {
        change(&mut self.sections.node_free_head, U32::new(self.nodes.first_free()?))
    }
}

impl Gamez {
    /// Returns the version that a file begins with, or `None`.
    fn version(file: &[u8]) -> Option<u32> {
        file.strip_prefix(&MAGIC.to_le_bytes())?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
    }

    /// Returns the version of a world if only the demos of its game have it. Source: `zipper-installs.md`, section 4.1.
    pub fn demo_version(file: &[u8]) -> Option<u32> {
        Self::version(file).filter(|version| *version == RecoilDemo::VERSION)
    }
}

lint_as!(Gamez, it => &it.body);

impl Format for Gamez {
    const NAME: &'static str = "gamez";
    const TITLE: &'static str = "world (textures, materials, models, nodes)";
    const GAMES: &'static [Game] = super::games::ALL;
    const CLAIMS: &'static [&'static str] = &["gamez*.zbd", "planes*.zbd"];
    const NAMES: &'static [Name] = &[
        Name::node("/nodes/slots/*/name"),
        Name::itself("/materials/slots/*/texture"),
        Name::itself("/textures/*/name"),
    ];
    const TRAPS: &'static [&'static ::lint::Trap] = lint::TRAPS;

    /// Checks the magic. The version selects the game; an unknown version can belong to any of them.
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        file.starts_with(&MAGIC.to_le_bytes()).then(|| Body::games(Self::version(file).unwrap_or_default()))
    }

    /// Returns the tree of nodes.
    fn outline(&mut self) -> Result<Option<Vec<String>>> {
        Ok(Some(outline::tree(self)))
    }
}

binrw_over_lay!(Gamez);

#[cfg(test)]
mod tests {
    use super::*;
    use field::{F32, decode, walk};
    use header::Timestamp;
    use json::Recomputation;
    use json::recompute::recompute;
    use materials::{MaterialSlot, MaterialsHeader};
    use models::ModelsHeader;

    /// Source: `zipper-gamez.md`, section 3: the offsets of sections in retail files.
    #[test]
    fn sections_of_retail_files_begin_where_the_records_end() {
        let textures = |header: usize, each: usize, count: usize| header + each * count;
        let early = size_of::<Signature>() + size_of::<Sections>();
        let late = early + size_of::<Timestamp>();
        assert_eq!(textures(early, size_of::<<Recoil as Layouts>::Texture>(), 612), 22068);
        let later = size_of::<<PiratesMoon as Layouts>::Texture>();
        for (count, materials) in [(437, 19268), (396, 17464), (362, 15968), (400, 17640), (565, 24900), (298, 13152)] {
            assert_eq!(textures(late, later, count), materials);
        }
        // Recoil's sixth mission has 5000 material slots and no cycles.
        assert_eq!(size_of::<MaterialsHeader>() + 5000 * size_of::<MaterialSlot>(), 242_084 - 22068);
    }

    /// Source: `zipper-models.md`, section 7, and `zipper-nodes.md`, section 13: the offsets of data in retail files.
    #[test]
    fn data_of_retail_files_begin_after_the_slots() {
        assert_eq!(103_388 + size_of::<ModelsHeader>() + Models::<CrimsonSkies>::SLOT * 2250, 337_400);
        assert_eq!(2_299_168 + Nodes::<Recoil>::SLOT * 16000, 5_435_168);
        for (nodes, count, data) in [
            (4_881_228, 3317, 5_584_432),
            (4_326_296, 7064, 5_823_864),
            (5_107_144, 8289, 6_864_412),
            (5_259_292, 11438, 7_684_148),
            (4_909_452, 5793, 6_137_568),
            (3_833_584, 5755, 5_053_644),
        ] {
            assert_eq!(nodes + Nodes::<CrimsonSkies>::SLOT * count, data);
        }
        // The planes: objects, LODs, and a parent and a child for every node except the roots.
        let object = size_of::<nodes::ObjectHeader>() + size_of::<nodes::ObjectMatrices>();
        let lod = size_of::<<CrimsonSkies as Layouts>::Lod>();
        assert_eq!(3230 * object + 87 * lod + 4 * (3289 + 3289), 6_083_868 - 5_584_432);
    }

    fn sample() -> Gamez {
        let sample =
            forge::samples(7, forge::Size::Small).into_iter().find(|it| it.kind == "gamez" && it.games == ["mw"]);
        decode(sample.expect("a sample").bytes).expect("it decodes").model
    }

    fn world(gamez: &mut Gamez) -> &mut World<MechWarrior3> {
        if let Body::MechWarrior3(world) = &mut gamez.body { world } else { panic!("of MechWarrior 3") }
    }

    #[test]
    fn offsets_are_recomputed_when_a_model_has_grown() {
        let mut gamez = sample();
        let before = world(&mut gamez).sections.nodes_offset.get();
        let mesh = &mut world(&mut gamez).models.slots[0].model.mesh;
        mesh.vertices.edit(|points| points.extend([[F32::new(0.0); 3]; 2]));
        recompute(&mut gamez, &Recomputation::default()).expect("it recomputes");
        assert_eq!(world(&mut gamez).sections.nodes_offset.get(), before + 24);
        walk::encode(&gamez).expect("it is walked");
    }

    #[test]
    fn world_without_the_data_of_a_node_is_refused_until_offsets_are_recomputed() {
        let mut gamez = sample();
        let slots = &mut world(&mut gamez).nodes.slots;
        let object = slots.iter_mut().find(|node| matches!(node.class, nodes::Class::Object(_)));
        object.expect("an object").class = nodes::Class::Empty;
        let error = walk::encode(&gamez).expect_err("what follows has moved").to_string();
        assert!(error.contains("; recompute the model after a change, found "), "{error}");
    }

    /// Source: `zipper-nodes.md`, sections 6.6 to 6.8: the sizes of the class data.
    #[test]
    fn class_data_have_the_sizes_of_the_spec() {
        fn sizes<G: Layouts>() -> [u64; 3] {
            let of = |class: nodes::NodeClass| walk::size(&nodes::Class::<G>::of(class)).expect("a size");
            [nodes::NodeClass::WORLD, nodes::NodeClass::LIGHT, nodes::NodeClass::LOD].map(of)
        }
        assert_eq!(sizes::<Recoil>(), [172, 228, 80]);
        assert_eq!(sizes::<MechWarrior3>(), [188, 208, 80]);
        assert_eq!(sizes::<PiratesMoon>(), [204, 256, 92]);
        assert_eq!(sizes::<CrimsonSkies>(), sizes::<PiratesMoon>());
    }
}
