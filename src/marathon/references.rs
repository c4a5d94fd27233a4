//! The indices into other tables of a level, physics model or collection: which fields of which records they are.
//!
//! Source: `marathon-map.md`, `marathon-physics.md`, `marathon-shapes.md`, `marathon-terminals.md`.

use bitflags::Flags as _;

use field::Step;

use super::map::{
    Annotation, EarlyObject, EarlyPolygon, EarlySide, Endpoint, Line, Liquid, Object, Platform, PlatformPlan, Polygon,
    Side,
};
use super::names::{ControlPanel, EarlyPolygonKind, PolygonKind, SideFlags};
use super::physics::{EarlyMonster, EarlyProjectile, EarlyWeapon, Monster, Projectile};
use super::shapes::{Frame, FrameItem};
use super::tables::Table::{
    AmbientSounds, Bitmaps, Effects, Lights, Lines, Liquids, Objects, Platforms, Points, Polygons, Projectiles,
    RandomSounds, Sides, Terminals,
};
use super::tables::{Leads, Reference, Refers, To, or_none, references, size_of_field, to};
use super::terminal::{Group, GroupKind};

references! {
    Endpoint {
        supporting_polygon => Always(or_none(Polygons));
    }
    Line {
        endpoints => Always(to(Points));
        clockwise_side => Always(or_none(Sides));
        counterclockwise_side => Always(or_none(Sides));
        clockwise_polygon => Always(or_none(Polygons));
        counterclockwise_polygon => Always(or_none(Polygons));
    }
    Side {
        permutation => By(|side| side.flags.contains(SideFlags::CONTROL_PANEL).then(|| panel(side.control_panel)).flatten());
        polygon => Always(to(Polygons));
        line => Always(to(Lines));
        primary_light => Always(to(Lights));
        secondary_light => Always(to(Lights));
        transparent_light => Always(to(Lights));
    }
    // Other panels have other values, and the field that is the polygon in later games is not an index.
    EarlySide {
        line => Always(to(Lines));
        primary_light => Always(to(Lights));
        secondary_light => Always(to(Lights));
        transparent_light => Always(to(Lights));
    }
    Annotation {
        polygon => Always(to(Polygons));
    }
    Object {
        polygon => Always(to(Polygons));
    }
    EarlyObject {
        polygon => Always(to(Polygons));
    }
    PlatformPlan {
        polygon => Always(to(Polygons));
    }
    Platform {
        polygon => Always(to(Polygons));
    }
    Liquid {
        light => Always(to(Lights));
    }
    Group {
        permutation => By(|group| match group.kind {
            GroupKind::INTRALEVEL_TELEPORT => Some(to(Polygons)),
            GroupKind::CAMERA => Some(to(Objects)),
            _ => None,
        });
    }
    Projectile {
        detonation_effect => Always(or_none(Effects));
        contrail_effect => Always(or_none(Effects));
        media_promotion => Always(or_none(Projectiles));
    }
    EarlyProjectile {
        detonation_effect => Always(or_none(Effects));
        contrail_effect => Always(or_none(Effects));
    }
    // Without those of later weapons: the ball shoots projectile 1000 in every model.
    EarlyWeapon {
        projectile => Always(or_none(Projectiles));
    }
    Frame {
        bitmap => Always(or_none(Bitmaps));
    }
    FrameItem {
        frame.bitmap => Always(or_none(Bitmaps));
    }
}

/// Declares the references of polygons: what the permutation of a platform leads to, and what Marathon does not have.
macro_rules! polygons {
    ($polygon:ty { kind: $kind:ident, platform { $($platform:tt)* } later { $($later:tt)* } }) => {
        references! {
            $polygon {
                permutation => By(|polygon| match polygon.kind {
                    $($platform)*
                    $kind::LIGHT_ON_TRIGGER | $kind::LIGHT_OFF_TRIGGER => Some(to(Lights)),
                    $kind::PLATFORM_ON_TRIGGER | $kind::PLATFORM_OFF_TRIGGER => Some(to(Polygons)),
                    $kind::TELEPORTER => Some(to(Polygons)),
                    _ => None,
                });
                endpoints => By(|polygon| to(Points).first(polygon.vertex_count.get()));
                lines => By(|polygon| to(Lines).first(polygon.vertex_count.get()));
                floor_light => Always(to(Lights));
                ceiling_light => Always(to(Lights));
                adjacent_polygons => By(|polygon| or_none(Polygons).first(polygon.vertex_count.get()));
                sides => By(|polygon| or_none(Sides).first(polygon.vertex_count.get()));
                $($later)*
            }
        }
    };
}

polygons! {
    Polygon {
        kind: PolygonKind,
        platform {
            PolygonKind::PLATFORM => Some(to(Platforms)),
        }
        later {
            media => Always(or_none(Liquids));
            // Leftover memory if there is no liquid.
            media_light => By(|polygon| if polygon.media.get() == -1 { None } else { Some(to(Lights)) });
            ambient_sound => Always(or_none(AmbientSounds));
            random_sound => Always(or_none(RandomSounds));
        }
    }
}

polygons! {
    EarlyPolygon {
        kind: EarlyPolygonKind,
        // A platform is not always one of those in the level: in six of 37 levels, 18 are not.
        platform {}
        later {}
    }
}

/// Declares the references of monsters, and what Marathon does not have.
macro_rules! monsters {
    ($monster:ty { later { $($later:tt)* } }) => {
        references! {
            $monster {
                impact_effect => Always(or_none(Effects));
                melee_impact_effect => Always(or_none(Effects));
                $($later)*
                melee_attack.projectile => Always(or_none(Projectiles));
                ranged_attack.projectile => Always(or_none(Projectiles));
            }
        }
    };
}

monsters! {
    Monster {
        later {
            contrail_effect => Always(or_none(Effects));
        }
    }
}
monsters! {
    EarlyMonster {
        later {}
    }
}

/// Returns the target of the permutation of a control panel.
fn panel(panel: ControlPanel) -> Option<To> {
    match panel {
        ControlPanel::WATER_LIGHT_SWITCH
        | ControlPanel::LAVA_LIGHT_SWITCH
        | ControlPanel::SEWAGE_LIGHT_SWITCH
        | ControlPanel::PFHOR_LIGHT_SWITCH
        | ControlPanel::JJARO_LIGHT_SWITCH => Some(to(Lights)),
        ControlPanel::WATER_PLATFORM_SWITCH
        | ControlPanel::LAVA_PLATFORM_SWITCH
        | ControlPanel::SEWAGE_PLATFORM_SWITCH
        | ControlPanel::PFHOR_PLATFORM_SWITCH
        | ControlPanel::JJARO_PLATFORM_SWITCH => Some(to(Polygons)),
        ControlPanel::WATER_TERMINAL
        | ControlPanel::LAVA_TERMINAL
        | ControlPanel::SEWAGE_TERMINAL
        | ControlPanel::PFHOR_TERMINAL
        | ControlPanel::JJARO_TERMINAL => Some(to(Terminals)),
        _ => None,
    }
}
