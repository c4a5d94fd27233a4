//! The numbers with names in saves of Crimson Skies.
//!
//! Source: `zipper-saves.md`, sections 5.2 and 5.3.

use field::{flags, names};

flags! {
    /// The objectives of a mission that are met. Source: `zipper-saves.md`, section 5.2.
    pub struct Objectives(U32: u32) {
        /// The mission is won.
        WON = 1;
        /// The objective of priority 1.
        PRIORITY_1 = 1 << 1;
        /// The objective of priority 2.
        PRIORITY_2 = 1 << 2;
        /// The objective of priority 3.
        PRIORITY_3 = 1 << 3;
        /// The objective of priority 4.
        PRIORITY_4 = 1 << 4;
        /// The objective of priority 5.
        PRIORITY_5 = 1 << 5;
        /// The objective of priority 6.
        PRIORITY_6 = 1 << 6;
        /// The objective of priority 7.
        PRIORITY_7 = 1 << 7;
        /// The objective of priority 8.
        PRIORITY_8 = 1 << 8;
        /// The objective of priority 9.
        PRIORITY_9 = 1 << 9;
        /// The objective of priority 10.
        PRIORITY_10 = 1 << 10;
        /// The objective of priority 11.
        PRIORITY_11 = 1 << 11;
        /// The objective of priority 12.
        PRIORITY_12 = 1 << 12;
        /// The objective of priority 13.
        PRIORITY_13 = 1 << 13;
        /// The objective of priority 14.
        PRIORITY_14 = 1 << 14;
        /// The objective of priority 15.
        PRIORITY_15 = 1 << 15;
        /// The objective of priority 16.
        PRIORITY_16 = 1 << 16;
        /// The objective of priority 17.
        PRIORITY_17 = 1 << 17;
        /// Objective 18, which has no text.
        OBJECTIVE_18 = 1 << 18;
        /// Objective 19, which has no text.
        OBJECTIVE_19 = 1 << 19;
        /// Objective 20, which has no text.
        OBJECTIVE_20 = 1 << 20;
        /// Objective 21, which has no text.
        OBJECTIVE_21 = 1 << 21;
        /// Objective 22, which has no text.
        OBJECTIVE_22 = 1 << 22;
        /// Objective 23, which has no text.
        OBJECTIVE_23 = 1 << 23;
        /// Objective 24, which has no text.
        OBJECTIVE_24 = 1 << 24;
        /// Objective 25, which has no text.
        OBJECTIVE_25 = 1 << 25;
        /// Objective 26, which has no text.
        OBJECTIVE_26 = 1 << 26;
        /// Objective 27, which has no text.
        OBJECTIVE_27 = 1 << 27;
        /// Objective 28, which has no text.
        OBJECTIVE_28 = 1 << 28;
        /// Objective 29, which has no text.
        OBJECTIVE_29 = 1 << 29;
        /// Objective 30, which has no text.
        OBJECTIVE_30 = 1 << 30;
    }
}

names! {
    /// An airframe. Source: `zipper-saves.md`, section 5.3.
    pub struct Airframe(I32: i32) {
        /// The autogyro.
        HOPLITE = 0;
        /// The Hellhound.
        HELLHOUND = 1;
        /// The Balmoral.
        BALMORAL = 2;
        /// The Bloodhawk.
        BLOODHAWK = 3;
        /// The Brigand.
        BRIGAND = 4;
        /// The Devastator.
        DEVASTATOR = 5;
        /// The Firebrand.
        FIREBRAND = 6;
        /// The Fury.
        FURY = 7;
        /// The Kestrel.
        KESTREL = 8;
        /// The Peacemaker.
        PEACEMAKER = 9;
        /// The Warhawk.
        WARHAWK = 10;
    }
}

names! {
    /// A decal of a plane: the image of a world's texture package whose name begins with this number in two digits, such as
    /// `00bbomber_logo1`. Source: `zipper-saves.md`, section 5.3, and `zipper-textures.md`, section 2.6.
    pub struct Decal(I32: i32) {
        /// Logo `00…`.
        LOGO_00 = 0;
        /// Logo `01…`.
        LOGO_01 = 1;
        /// Logo `02…`.
        LOGO_02 = 2;
        /// Logo `03…`.
        LOGO_03 = 3;
        /// Logo `04…`.
        LOGO_04 = 4;
        /// Logo `05…`.
        LOGO_05 = 5;
        /// Logo `06…`.
        LOGO_06 = 6;
        /// Logo `07…`.
        LOGO_07 = 7;
        /// Logo `08…`.
        LOGO_08 = 8;
        /// Logo `09…`.
        LOGO_09 = 9;
        /// Logo `10…`.
        LOGO_10 = 10;
        /// Logo `11…`.
        LOGO_11 = 11;
        /// Logo `12…`.
        LOGO_12 = 12;
        /// Logo `13…`.
        LOGO_13 = 13;
        /// Logo `14…`.
        LOGO_14 = 14;
        /// Logo `15…`.
        LOGO_15 = 15;
        /// Logo `16…`.
        LOGO_16 = 16;
        /// Logo `17…`.
        LOGO_17 = 17;
        /// Logo `18…`.
        LOGO_18 = 18;
        /// Logo `19…`.
        LOGO_19 = 19;
        /// Logo `20…`.
        LOGO_20 = 20;
        /// Nose art `21…`.
        NOSE_ART_21 = 21;
        /// Nose art `22…`.
        NOSE_ART_22 = 22;
        /// Nose art `23…`.
        NOSE_ART_23 = 23;
        /// Nose art `24…`.
        NOSE_ART_24 = 24;
        /// Nose art `25…`.
        NOSE_ART_25 = 25;
        /// Nose art `26…`.
        NOSE_ART_26 = 26;
        /// Nose art `27…`.
        NOSE_ART_27 = 27;
        /// Nose art `28…`.
        NOSE_ART_28 = 28;
        /// Nose art `29…`.
        NOSE_ART_29 = 29;
        /// Nose art `30…`.
        NOSE_ART_30 = 30;
        /// Nose art `31…`.
        NOSE_ART_31 = 31;
        /// Nose art `32…`.
        NOSE_ART_32 = 32;
        /// Nose art `33…`.
        NOSE_ART_33 = 33;
        /// Nose art `34…`.
        NOSE_ART_34 = 34;
        /// Nose art `35…`.
        NOSE_ART_35 = 35;
        /// Nose art `36…`.
        NOSE_ART_36 = 36;
        /// Nose art `37…`.
        NOSE_ART_37 = 37;
        /// Nose art `38…`.
        NOSE_ART_38 = 38;
        /// Nose art `39…`.
        NOSE_ART_39 = 39;
        /// Nose art `40…`.
        NOSE_ART_40 = 40;
        /// Nose art `41…`.
        NOSE_ART_41 = 41;
        /// Nose art `42…`.
        NOSE_ART_42 = 42;
        /// Nose art `43…`.
        NOSE_ART_43 = 43;
        /// Nose art `44…`.
        NOSE_ART_44 = 44;
        /// Nose art `45…`.
        NOSE_ART_45 = 45;
        /// Nose art `46…`.
        NOSE_ART_46 = 46;
        /// Nose art `47…`.
        NOSE_ART_47 = 47;
        /// Nose art `48…`.
        NOSE_ART_48 = 48;
        /// Nose art `49…`.
        NOSE_ART_49 = 49;
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
    /// The ammunition of a gun: caliber and ammunition add up to the number of the weapon. Source: `zipper-saves.md`, section 5.3.
    pub struct Ammunition(I32: i32) {
        /// Slugs.
        SLUG = 0;
        /// Dumdum bullets.
        DUMDUM = 1;
        /// Armor-piercing bullets.
        ARMOR_PIERCING = 2;
        /// Magnesium bullets.
        MAGNESIUM = 3;
        /// There is no gun.
        NO_GUN = 4;
    }
}

names! {
    /// The ordnance of a pylon; any other number leaves it empty. Source: `zipper-saves.md`, section 5.3.
    pub struct Ordnance(I32: i32) {
        /// The armor-piercing rocket, `wep_05`.
        ARMOR_PIERCING = 0;
        /// The high-explosive rocket, `wep_06`.
        HIGH_EXPLOSIVE = 1;
        /// The flak rocket, `wep_07`.
        FLAK = 2;
        /// The sonic rocket, `wep_08`.
        SONIC = 3;
        /// The flash rocket, `wep_09`.
        FLASH = 4;
        /// The flash rocket to the rear, `wep_15`.
        REAR_FLASH = 5;
        /// The smoke screen, `wep_13`.
        SMOKE_SCREEN = 6;
        /// The choker, `wep_12`.
        CHOKER = 7;
        /// The beeper, `wep_10`.
        BEEPER = 8;
        /// The seeker, `wep_11`.
        SEEKER = 9;
        /// The aerial torpedo, `wep_14`.
        AERIAL_TORPEDO = 10;
        /// No ordnance.
        NONE = 11;
    }
}
