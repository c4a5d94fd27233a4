//! Names of the numbers of the trilogy. Numbers without a name and unknown bits are preserved.
//!
//! Source: [`marathon-enums.md`](formats::marathon_enums).

mod collections;
mod effects;
mod items;
mod level;
mod monsters;
mod physics;
mod play;
mod scenery;
mod sounds;
mod surfaces;
mod things;

pub use collections::{Collection, EarlyCollection, EarlyShape, PatchedCollection, Shape};
pub use effects::{EffectKind, ProjectileKind};
pub use items::Item;
pub use level::{
    DataVersion, EntryPointFlags, Environment, EnvironmentFlags, Landscape, MissionFlags, ShortEntryPointFlags,
};
pub use monsters::MonsterKind;
pub use physics::{
    DamageFlags, DamageKind, DamageKinds, EarlyMonsterClasses, EarlyProjectileFlags, EffectFlags, MediaDetonation,
    MonsterClasses, MonsterFlags, ProjectileFlags, ShellCasing, WeaponClass, WeaponFlags,
};
pub use play::{ActionFlags, Difficulty, GameKind, GameOptions, Recording};
pub use scenery::Scenery;
pub use sounds::{AmbientSound, RandomSound, Sound, SoundIndex};
pub use surfaces::{
    ControlPanel, EarlyPolygonKind, EndpointFlags, LineFlags, PolygonFlags, PolygonKind, SideFlags, SideKind,
    TransferMode,
};
pub use things::{
    ActivationBias, EarlyLightKind, EarlyLightMode, FrequencyFlags, LightFlags, LightFunction, LightKind, MediaFlags,
    MediaKind, ObjectFlags, ObjectGroup, PlatformFlags, PlatformKind, PlatformSpeed, PlatformState, RandomSoundFlags,
};
