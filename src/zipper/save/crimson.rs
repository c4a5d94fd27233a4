//! Save games of Crimson Skies, as far as they are known: a header, the settings of the campaign, and its planes.
//!
//! Entries are named `owner/key` as in Recoil, but nearly all of them have other layouts, so only a name and the exact length
//! together determine what an entry is.
//!
//! Source: `zipper-saves.md`, section 5.

use crate::field::{I32, Opaque, Result, Text, U8, U16, U32, lay, lay_record};
use crate::{flags, names, record};

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
    /// `PlayerVehicle`, 4 bytes. Source: `zipper-saves.md`, section 5.2.
    pub struct PlayerVehicle: 4 {
        value: U32 = 4,
    }
}

names! {
    /// A gun. Source: `zipper-saves.md`, section 5.3.
    pub struct Gun(I32: i32) {
        /// Caliber 30.
        CALIBER_30 = 0;
        /// Caliber 40.
        CALIBER_40 = 1;
        /// Caliber 50.
        CALIBER_50 = 2;
        /// Caliber 60.
        CALIBER_60 = 3;
        /// Caliber 70.
        CALIBER_70 = 4;
        /// No gun.
        NONE = 5;
    }
}

names! {
    /// The ammunition of a gun, 0 to 3. Source: `zipper-saves.md`, section 5.3.
    pub struct Ammunition(I32: i32) {
        /// There is no gun.
        NO_GUN = 4;
    }
}

names! {
    /// The ordnance of a pylon. Source: `zipper-saves.md`, section 5.3.
    pub struct Ordnance(I32: i32) {
        /// No ordnance.
        NONE = 11;
    }
}

record! {
    /// A plane, 204 bytes. Source: `zipper-saves.md`, section 5.3.
    pub struct Plane: 204 {
        owned: I32,
        name: Text<40>,
        /// 0 to 10.
        airframe: I32,
        unk_30: Opaque<4>,
        /// Left and right wing, 0 to 4 each.
        hardpoints: [I32; 2],
        unk_3c: Opaque<4>,
        /// 0 to 13.
        paint_pattern: I32,
        /// 0 to 26 each.
        colors: [I32; 3],
        /// The shade of each color.
        shades: [I32; 3],
        /// Nose, tail, wing, 0 to 49 each.
        decals: [I32; 3],
        /// Each color as red, green, blue and 0.
        color_rgb: [[U8; 4]; 3],
        /// Times 5.
        armor: [I32; 4],
        /// The family of the gun in each slot.
        gun_families: [U8; 4],
        guns: [Gun; 4],
        ammunition: [Ammunition; 4],
        /// Four pylons on the left, four on the right.
        ordnance: [Ordnance; 8],
        unk_c8: Opaque<4>,
    }
}

record! {
    /// The result of a mission, 84 bytes. Source: `zipper-saves.md`, section 5.2.
    pub struct MissionResult: 84 {
        /// The first bit is the primary objective.
        objectives: U32,
        /// In milliseconds.
        time: I32,
        /// By class of weapon.
        shots: [U8; 12],
        /// By class of weapon.
        hits: [U8; 12],
        total_shots: U16,
        total_hits: U16,
        unk_24: Opaque<4>,
        money: I32,
        airframe: I32,
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
        /// For each mission, the last attempt and the best.
        results: [[MissionResult; 2]; 24],
        unk_28d0: Opaque<4>,
        default_save_name: Text<368>,
    }
}

lay! {
    lay_record!(Header, PlayerVehicle, UiData);
}

/// Returns the kind of an entry with this name and content, or `None` if it is not known.
pub(in crate::zipper) fn kind_of(name: &[u8], bytes: &[u8]) -> Option<&'static str> {
    let (owner, key) =
        name.iter().position(|&byte| byte == b'/').and_then(|at| name.split_at_checked(at)).unwrap_or((name, b""));
    Some(match (owner, key, bytes.len()) {
        (b"zSaveHeader", b"", 12) => "save-crimson-header",
        (b"PlayerVehicle", _, 4) => "save-crimson-player-vehicle",
        (_, b"/UIData", 10820) => "save-crimson-ui-data",
        _ => return None,
    })
}
