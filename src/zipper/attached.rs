//! The nodes that the animations of Recoil are attached to, which the world beside them must have.
//!
//! Known from the program alone: no mission that was sold is at hand. That the node is the one that a definition names is concluded from the
//! addresses beside its names.
//!
//! Source: [`zipper-anim.md`](formats::zipper_anim), sections 6 and 10.

use std::collections::{BTreeMap, HashSet};

use bytes::Bytes;

use super::anim::{Anim, Body as Animations, Status};
use super::gamez::{Body, Gamez, World, games};
use field::{Place, Step, decode, wide};
use kind::Format as _;
use lint::{Warning, traps};

traps! { TRAPS:
    ATTACHED = "attach-node" in Addition:
        "a definition is attached to a node that the world beside it does not have" =>
        "Recoil refuses the whole file, and nothing in the mission is animated", "zipper-anim.md, section 10 (engine)";
}

/// The number of a definition, and the name of the node that it is attached to.
type NamedNode = (usize, Vec<u8>);

/// What a file says about attached nodes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Attached {
    /// The nodes that definitions are attached to: the number of the definition, and the name of the node.
    Definitions(Vec<(usize, Vec<u8>)>),
    /// The names of the nodes of a world.
    World(HashSet<Vec<u8>>),
}

impl Attached {
    /// Returns what a file of Recoil says about attached nodes; `None` for other files, and those that do not decode.
    #[must_use]
    pub fn of(file: &Bytes) -> Option<Self> {
        if Anim::recognize(file).is_some() {
            let Animations::Recoil(animations) = decode::<Anim>(file.clone()).ok()?.model.body else { return None };
            // The first definition is a placeholder, and the game skips inactive ones.
            let all = animations.definitions.iter().enumerate().skip(1);
            let used = all.filter(|(_, it)| it.state.status != Status::NOT_ACTIVE);
            let named = used.map(|(number, it)| (number, it.names.name.bytes().to_vec()));
            return Some(Self::Definitions(named.filter(|(_, name)| !name.is_empty()).collect()));
        }
        Gamez::recognize(file)?;
        match decode::<Gamez>(file.clone()).ok()?.model.body {
            Body::RecoilDemo(world) => Some(Self::World(names(&world))),
            Body::Recoil(world) => Some(Self::World(names(&world))),
            _ => None,
        }
    }
}

/// Returns the names of the nodes of a world.
fn names<G: games::Layouts>(world: &World<G>) -> HashSet<Vec<u8>> {
    let used = world.nodes.slots.iter().filter(|node| node.base.head.is_used());
    used.map(|node| node.base.head.name.bytes().to_vec()).collect()
}

/// The files of missions: a mission is a folder.
#[derive(Clone, Debug, Default)]
pub struct Missions(BTreeMap<String, Mission>);

#[derive(Clone, Debug, Default)]
struct Mission {
    /// The path of each file with animations, and what they are attached to.
    animations: Vec<(String, Vec<NamedNode>)>,
    nodes: HashSet<Vec<u8>>,
    has_world: bool,
}

impl Missions {
    /// Records a file by its path, with `/` between the parts.
    pub fn see(&mut self, path: &str, attached: Attached) {
        let (folder, _) = path.rsplit_once('/').unwrap_or_default();
        let mission = self.0.entry(folder.to_lowercase()).or_default();
        match attached {
            Attached::Definitions(all) => mission.animations.push((path.to_owned(), all)),
            Attached::World(nodes) => {
                mission.nodes.extend(nodes);
                mission.has_world = true;
            }
        }
    }

    /// Returns the warnings of animations whose world is in the same folder, each with the path of its file.
    pub fn warnings(&self) -> impl Iterator<Item = (&str, Warning)> {
        let missions = self.0.values().filter(|mission| mission.has_world);
        missions.flat_map(|mission| {
            mission.animations.iter().filter_map(|(path, all)| {
                let mut lost = all.iter().filter(|(_, name)| !mission.nodes.contains(name));
                let (number, name) = lost.next()?;
                let place =
                    Place::default().with([Step::Name("definitions"), Step::Index(wide(*number)), Step::Name("name")]);
                let mut warning = Warning::of(&ATTACHED, place, String::from_utf8_lossy(name).into_owned());
                warning.count += wide(lost.count());
                Some((path.as_str(), warning))
            })
        })
    }
}
