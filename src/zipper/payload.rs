//! Contents of archive entries.

use bytes::Bytes;

use field::record;
use field::{self, Label, Result, U8, lay};
use kind::{Format, lay_record, payloads};
use lint::no_traps;

use super::bm::Bm;
use super::gamez::games::{MechWarrior3, PiratesMoon};
use super::mechlib::{LibraryFormat, LibraryMaterials, LibraryVersion, Mech, is_pirates_moon};
use super::motion::Motion;
use super::reader::Reader;
use super::save::{self, crimson, mech3, recoil};
use super::wave::Wave;

record! {
    /// An entry that only holds a place in the table, 1 byte. Source: `zipper-sounds.md`, section 1.
    pub struct Placeholder: 1 {
        zero: U8 = 0,
    }
}

lay! {
    lay_record!(Placeholder);
}

payloads! {
    /// The contents of an entry.
    pub enum Payload {
        Wave(Box<Wave>) = Wave::NAME, raw Wave::RAW;
        Motion(Box<Motion>) = Motion::NAME;
        Reader(Reader) = Reader::NAME;
        Bm(Box<Bm>) = Bm::NAME;
        LibraryFormat(LibraryFormat) = "mechlib-format";
        LibraryVersion(LibraryVersion) = "mechlib-version";
        LibraryMaterials(LibraryMaterials) = "mechlib-materials";
        Mech(Mech<MechWarrior3>) = "mech-27";
        LaterMech(Mech<PiratesMoon>) = "mech-41";
        Placeholder(Placeholder) = "placeholder";
        Mission(Box<recoil::Mission>) = "save-mission";
        Activation(Box<recoil::Activation>) = "save-activation";
        Running(Box<recoil::Running>) = "save-running";
        Vehicle(Box<recoil::Vehicle>) = "save-vehicle";
        Timer(Box<recoil::Timer>) = "save-timer";
        Player(Box<recoil::Player>) = "save-player";
        Pickup(Box<recoil::Pickup>) = "save-pickup";
        Mine(Box<recoil::Mine>) = "save-mine";
        Crater(Box<recoil::Crater>) = "save-crater";
        Quicksand(Box<recoil::Quicksand>) = "save-quicksand";
        Dummy(Box<recoil::Dummy>) = "save-dummy";
        World(Box<recoil::World>) = "save-world";
        Weapons(Box<recoil::Weapons>) = "save-weapons";
        LateMission(Box<recoil::LateMission>) = "save-late-mission";
        SaveHeader(Box<mech3::Header>) = "save-header";
        MechActivation(Box<mech3::Activation>) = "save-mech-activation";
        CrimsonHeader(Box<crimson::Header>) = "save-crimson-header";
        CrimsonPlayerVehicle(Box<crimson::PlayerVehicle>) = "save-crimson-player-vehicle";
        CrimsonUiData(Box<crimson::UiData>) = "save-crimson-ui-data";
    }
}

no_traps!(Motion, Bm, LibraryFormat, LibraryVersion, LibraryMaterials, Placeholder, mech3::Header, mech3::Activation);
no_traps!(recoil::Mission, recoil::Activation, recoil::Running, recoil::Vehicle, recoil::Timer, recoil::Player);
no_traps!(recoil::Pickup, recoil::Mine, recoil::Crater, recoil::Quicksand, recoil::Dummy, recoil::World);
no_traps!(recoil::Weapons, recoil::LateMission, crimson::Header, Mech<MechWarrior3>, Mech<PiratesMoon>);

impl Payload {
    /// Returns an empty payload for an entry in a save game of Crimson Skies, where a layout of Recoil may fit only by chance.
    pub(super) fn of_crimson_skies(label: &Label, bytes: &Bytes) -> Self {
        crimson::kind_of(&label.name, bytes).and_then(field::Payload::of_kind).unwrap_or_default()
    }

    /// Returns an empty payload of the kind that the name and content of an entry indicate.
    fn fitting(label: &Label, bytes: &Bytes) -> Self {
        let name = label.name.to_ascii_lowercase();
        let named = |ending: &[u8]| name.ends_with(ending);
        // The state of a mission may begin like a motion, so it is tried first.
        if let Some(saved) = save::kind_of(&label.name, bytes).and_then(field::Payload::of_kind) {
            saved
        } else if Wave::begins(bytes) {
            Self::Wave(Box::default())
        } else if Motion::begins(bytes) {
            Self::Motion(Box::default())
        } else if Reader::begins(bytes) && (named(b".zrd") || Reader::extent(bytes) == Some(bytes.len())) {
            Self::Reader(Reader::default())
        } else if named(b".bm") && Bm::fits(bytes) {
            Self::Bm(Box::default())
        } else if name == b"format" && bytes.len() == size_of::<LibraryFormat>() {
            Self::LibraryFormat(LibraryFormat::default())
        } else if name == b"version" && bytes.len() == size_of::<LibraryVersion>() {
            Self::LibraryVersion(LibraryVersion::default())
        } else if name == b"materials" {
            Self::LibraryMaterials(LibraryMaterials::default())
        } else if named(b".flt") {
            if is_pirates_moon(bytes) { Self::LaterMech(Mech::default()) } else { Self::Mech(Mech::default()) }
        } else if **bytes == [0] {
            Self::Placeholder(Placeholder::default())
        } else {
            Self::default()
        }
    }
}
