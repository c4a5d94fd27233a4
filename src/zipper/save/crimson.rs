//! Save games of Crimson Skies, as far as they are known: a header, the settings of the campaign, and its planes.
//!
//! Entries are named `owner/key` as in Recoil, but nearly all of them have other layouts, so only a name and the exact length
//! together determine what an entry is.
//!
//! Source: [`zipper-saves.md`](formats::zipper_saves), section 5.

mod lint;
mod names;

pub use names::{Airframe, Ammunition, Decal, Gun, Objectives, Ordnance};

pub use lint::TRAPS;

use field::{I32, Opaque, Result, Text, U8, U16, U32, lay};
use field::{flags, record};
use kind::lay_record;

flags! {
    /// The file of a save that a header belongs to. Source: `zipper-saves.md`, section 5.1.
    pub struct Categories(U32: u32) {
        /// `Persist.NNN`: what lasts from mission to mission.
        PERSIST = 0x1;
        /// `Status.dat`: the pilot.
        STATUS = 0x2;
        /// `AutoSave.sav` and other saves.
        SAVE = 0x1_0000;
        /// `Mission.NNN`: the state of a mission.
        MISSION = 0x2_0000;
    }
}

record! {
    /// `zSaveHeader`, 12 bytes. Source: `zipper-saves.md`, section 5.1.
    pub struct Header: 12 {
        /// The length of the header.
        length: U32 = 12,
        format: U32 = 2,
        categories: Categories,
    }
}

record! {
    /// `PlayerVehicle`, 4 bytes, in `Persist.NNN`, which the game writes but does not read. Source: `zipper-saves.md`, sections 5.1 and 5.2.
    pub struct PlayerVehicle: 4 {
        value: U32 = 4,
    }
}

record! {
    /// A plane, 204 bytes. Source: `zipper-saves.md`, section 5.3.
    pub struct Plane: 204 {
        owned: I32,
        name: Text<40>,
        airframe: Airframe,
        unk_30: Opaque<4>,
        /// Left and right wing, 0 to 4 each.
        hardpoints: [I32; 2],
        unk_3c: Opaque<4>,
        /// 0 to 13; the icon of 13 is numbered 11.
        paint_pattern: I32,
        /// 0 to 26 each.
        colors: [I32; 3],
        /// The shade of each color.
        shades: [I32; 3],
        /// Nose, tail, wing.
        decals: [Decal; 3],
        /// Each color as red, green, blue and 0. The game computes it from color and shade before each save.
        color_rgb: [[U8; 4]; 3] as Derived,
        /// Times 5.
        armor: [I32; 4],
        /// The family of the gun in each slot.
        gun_families: [U8; 4],
        guns: [Gun; 4],
        /// That of no gun in exactly the slots without a gun.
        ammunition: [Ammunition; 4],
        /// Four pylons on the left, four on the right; none past the hardpoints of a wing.
        ordnance: [Ordnance; 8],
        unk_c8: Opaque<4>,
    }
}

record! {
    /// A number for each airframe, 12 bytes. Source: `zipper-saves.md`, section 5.2.
    pub struct ByAirframe: 12 {
        hoplite: U8,
        hellhound: U8,
        balmoral: U8,
        bloodhawk: U8,
        brigand: U8,
        devastator: U8,
        firebrand: U8,
        fury: U8,
        kestrel: U8,
        peacemaker: U8,
        warhawk: U8,
        /// The game never writes it.
        unused: U8 as Padding = 0,
    }
}

record! {
    /// The result of a mission, 84 bytes: the last attempt, or the best of all attempts. Source: `zipper-saves.md`, section 5.2.
    pub struct MissionResult: 84 {
        objectives: Objectives,
        /// In milliseconds.
        time: I32,
        /// The enemies that the player shot down.
        kills: ByAirframe,
        /// The aces that the player shot down.
        ace_kills: ByAirframe,
        gun_shots: U16,
        gun_hits: U16,
        unk_24: Opaque<4>,
        money: I32,
        airframe: Airframe,
        plane: Text<36>,
    }
}

record! {
    /// `UIData`, 10820 bytes: the campaign. Source: `zipper-saves.md`, section 5.2.
    pub struct UiData: 10820 {
        mission_index: I32,
        unk_04: Opaque<4>,
        screen_state: I32,
        profile_folder: Text<260>,
        /// Video and detail settings.
        unk_110: Opaque<76>,
        screen_width: U32,
        screen_height: U32,
        unk_164: Opaque<432>,
        pilot_name: Text<32>,
        unk_334: Opaque<4>,
        missions_completed: I32,
        pilot_plane: I32,
        wingman_plane: I32,
        memento_image: Text<260>,
        money: I32,
        /// The last one is the copy that the hangar works on.
        planes: [Plane; 26],
        unk_1904: Opaque<12>,
        /// For each mission, the last attempt and the best of all.
        results: [[MissionResult; 2]; 24],
        unk_28d0: Opaque<4>,
        default_save_name: Text<368>,
    }
}

lay! {
    lay_record!(Header, PlayerVehicle, UiData);
}

/// Returns the kind of an entry with this name and content, or `None` if it is not known.
pub(crate) fn kind_of(name: &[u8], bytes: &[u8]) -> Option<&'static str> {
    let (owner, key) =
        name.iter().position(|&byte| byte == b'/').and_then(|at| name.split_at_checked(at)).unwrap_or((name, b""));
    Some(match (owner, key, bytes.len()) {
        (b"zSaveHeader", b"", 12) => "save-crimson-header",
        (b"PlayerVehicle", _, 4) => "save-crimson-player-vehicle",
        (_, b"/UIData", 10820) => "save-crimson-ui-data",
        _ => return None,
    })
}
