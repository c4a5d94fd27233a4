//! A small install of every game.

use crate::{Sample, Size, samples};

/// The seed of the install in the tests.
pub const INSTALL_SEED: u64 = 1994;

// The path of each file, and its sample. Files of the Zipper games: zipper-installs.md, sections 2 to 5.

const MAPS: &[(&str, &str)] = &[
    ("rc/maps/m1.zmap", "m1.zmap"),
    ("rc/maps/m2.zmap", "m2.zmap"),
    ("rc/maps/m3.zmap", "m3.zmap"),
    ("rc/maps/M4.ZMAP", "trailing_2.zmap"),
    ("rc/maps/m5.zmap", "no_points.zmap"),
    ("rc/maps/m6.zmap", "nan.zmap"),
    // The maps of multiplayer missions are copies of the first.
    ("rc/maps/m7.zmap", "m1.zmap"),
];

const ZIPPER: &[(&str, &str)] = &[
    ("rc/messages.dll", "messages.dll"),
    ("mw/Mech3Msg.dll", "Mech3Msg.dll"),
    ("pm/Mech3Msg.dll", "pm_Mech3Msg.dll"),
    ("cs/strings.dll", "strings.dll"),
    ("cs/GOSDATA/ASSETS/BINARIES/langui.dll", "langui.dll"),
    ("cs/GOSDATA/ASSETS/BINARIES/language.dll", "language.dll"),
    ("rc/zbd/interp.zbd", "rc_interp.zbd"),
    ("rc/zbd/soundsl.zbd", "rc_soundsl.zbd"),
    ("rc/zbd/soundsm.zbd", "archive_gap_old_table.zbd"),
    ("rc/zbd/soundsh.zbd", "rc_soundsh.zbd"),
    ("rc/zbd/zrdr.zbd", "rc_zrdr.zbd"),
    ("rc/zbd/m1/zrdr.zbd", "rc_m1_zrdr.zbd"),
    ("rc/zbd/m1/anim.zbd", "rc_m1_anim.zbd"),
    ("rc/zbd/m2/anim.zbd", "rc_event_42_anim.zbd"),
    ("rc/zbd/m2/zrdr.zbd", "reader_roots.zbd"),
    ("rc/zbd/m3/zrdr.zbd", "reader_time_2.zbd"),
    ("rc/zbd/image.zbd", "rc_image.zbd"),
    ("rc/zbd/m1/texture2.zbd", "rc_m1_texture2.zbd"),
    ("rc/zbd/m1/texture8.zbd", "rc_m1_texture8.zbd"),
    ("rc/zbd/m1/rtexture4.zbd", "rc_m1_rtexture4.zbd"),
    ("rc/zbd/m2/texture2.zbd", "texture_mixed.zbd"),
    ("rc/SavedGames/quick.sav", "quick.sav"),
    ("rc/SavedGames/short.sav", "save_short.sav"),
    ("rc/zbd/m1/gamez.zbd", "rc_m1_gamez.zbd"),
    ("rc/zbd/m6/gamez.zbd", "node_freed.zbd"),
    // The files of the demos of 1998 are not published.
    ("rc-demo/zbd/m1/gamez.zbd", "rc_demo_gamez.zbd"),
    ("mw/DefaultCtlConfig.zrd", "DefaultCtlConfig.zrd"),
    ("mw/zbd/interp.zbd", "mw_interp.zbd"),
    ("mw/zbd/mechlib.zbd", "mw_mechlib.zbd"),
    ("mw/zbd/c1/gamez.zbd", "mw_c1_gamez.zbd"),
    ("mw/zbd/c3/gamez.zbd", "cell_mid_mw.zbd"),
    ("mw/zbd/motion.zbd", "mw_motion.zbd"),
    ("mw/zbd/motion/thor_stand.motion", "no_parts.motion"),
    ("mw/zbd/motion/vulture_walk.motion", "last_frame_sign.motion"),
    ("mw/zbd/reader.zbd", "mw_reader.zbd"),
    ("mw/zbd/soundsH.zbd", "mw_soundsH.zbd"),
    ("mw/zbd/soundsL.zbd", "mw_soundsL.zbd"),
    ("mw/zbd/mech_engine_np.wav", "mech_engine_np.wav"),
    ("mw/zbd/soil_mud_2s.wav", "soil_mud_2s.wav"),
    ("mw/zbd/soil_water_2s.wav", "pad_not_zero.wav"),
    ("mw/zbd/c1/reader.zbd", "mw_c1_reader.zbd"),
    ("mw/zbd/c1/anim.zbd", "mw_c1_anim.zbd"),
    ("mw/zbd/c3/anim.zbd", "mw_delta_outlier_anim.zbd"),
    ("mw/zbd/c1/readerm1.zbd", "mw_c1_readerm1.zbd"),
    ("mw/zbd/c1/readermp1.zbd", "reader_within.zbd"),
    ("mw/zbd/rimage.zbd", "mw_rimage.zbd"),
    ("mw/zbd/rmechtex.zbd", "mw_rmechtex.zbd"),
    ("mw/zbd/rmechtexs.zbd", "mw_rmechtexs.zbd"),
    ("mw/zbd/c1/texture.zbd", "mw_c1_texture.zbd"),
    ("mw/zbd/c1/rtexture.zbd", "mw_c1_rtexture.zbd"),
    ("mw/zbd/c1/rtexture2.zbd", "texture_file_order.zbd"),
    ("mw/zbd/c1/rtexture3.zbd", "texture_trailing.zbd"),
    ("mw/pilots/games/quick.mw3", "quick.mw3"),
    ("mw/video/Campaign.avi", "Campaign.avi"),
    ("mw/video/c1m1.avi", "c1m1.avi"),
    ("pm/zbd/interp.zbd", "pm_interp.zbd"),
    ("pm/zbd/mechlib.zbd", "pm_mechlib.zbd"),
    ("pm/zbd/c1/gamez.zbd", "pm_c1_gamez.zbd"),
    ("pm/zbd/motion.zbd", "pm_motion.zbd"),
    ("pm/zbd/motion/thor_landf.motion", "trailing.motion"),
    ("pm/zbd/reader.zbd", "pm_reader.zbd"),
    ("pm/zbd/soundsH.zbd", "pm_soundsH.zbd"),
    ("pm/zbd/soundsL.zbd", "pm_soundsL.zbd"),
    ("pm/zbd/c1/reader.zbd", "pm_c1_reader.zbd"),
    ("pm/zbd/c1/anim.zbd", "pm_c1_anim.zbd"),
    ("pm/zbd/c1/readerm1.zbd", "pm_c1_readerm1.zbd"),
    ("pm/zbd/c1/readerm2.zbd", "pm_reader_crc_wrong.zbd"),
    ("pm/zbd/c1/readermp1.zbd", "pm_reader_crc_is_1_unnamed.zbd"),
    ("pm/zbd/rimage.zbd", "pm_rimage.zbd"),
    ("pm/zbd/c1/texture.zbd", "pm_c1_texture.zbd"),
    ("pm/video/intro.avi", "silent.avi"),
    ("cs/ZBD/interp.zbd", "cs_interp.zbd"),
    ("cs/ZBD/soundsl.zbd", "cs_soundsl.zbd"),
    ("cs/ZBD/soundsh.zbd", "cs_soundsh.zbd"),
    ("cs/ZBD/zrdr.zbd", "cs_zrdr.zbd"),
    ("cs/ZBD/planes.zbd", "cs_planes.zbd"),
    ("cs/ZBD/C1/gamez.zbd", "cs_c1_gamez.zbd"),
    ("cs/ZBD/C4/gamez.zbd", "node_free_head_cs.zbd"),
    ("cs/ZBD/C1/zrdr.zbd", "reader_names.zbd"),
    ("cs/ZBD/C1/cam_anim.zbd", "cs_c1_cam_anim.zbd"),
    ("cs/ZBD/C1/M01/mis_anim.zbd", "cs_c1_m01_mis_anim.zbd"),
    ("cs/ZBD/C1/M02/mis_anim.zbd", "cs_event_46_anim.zbd"),
    ("cs/ZBD/C1/M01/zrdr.zbd", "cs_m01_zrdr.zbd"),
    ("cs/ZBD/rimage.zbd", "cs_rimage.zbd"),
    ("cs/ZBD/C1/texture.zbd", "cs_c1_texture.zbd"),
    ("cs/ZBD/C1/rtexture15.zbd", "cs_c1_rtexture15.zbd"),
    ("cs/GOSDATA/ASSETS/crimson.rof", "crimson.rof"),
    ("cs/GOSDATA/ASSETS/crimptch.rof", "rof_backwards.rof"),
];

const MARATHON: &[(&str, &str)] = &[
    ("m1/Map.scen", "Map.scen"),
    ("m1/Physics.phys", "Physics.phys"),
    ("m1/Physics Models/Other Size.phys", "physics_other_size.phys"),
    ("m1/Films/Arrival.filA", "m1_arrival.filA"),
    ("m1/Maps/No Padding.scen", "no_final_padding.scen"),
    ("m1/Maps/Comment.scen", "comment.scen"),
    ("m1/Maps/Stale Padding.scen", "padding.scen"),
    ("m1/Maps/By the Rule.scen", "m1_map_by_the_rule.scen"),
    ("m1/Resources/demos.resource", "demos.resource"),
    ("m1/Shapes.shps", "Shapes.shps"),
    ("m1/Sounds.sndz", "Sounds.sndz"),
    ("m2/Map.sceA", "m2_map_merged.sceA"),
    ("m2/Images.imgA", "Images.imgA"),
    ("m2/Shapes.shpA", "Shapes.shpA"),
    ("m2/Sounds.sndA", "Sounds.sndA"),
    ("m2/Resources/texts.rsrc", "Texts.rsrc"),
    ("m2/Resources/odd.rsrc", "fork_name_gap.rsrc"),
    ("m2/Resources/PICT/01604.pct", "01604.pct"),
    ("m2/Resources/PICT/01605.pct", "01605.pct"),
    ("m2/Resources/PICT/01606.pct", "pict_packed_oddly.pct"),
    ("m2/Plugins/Enforcer.ShPa", "Enforcer.ShPa"),
    ("m2/Maps/Never Burn Money.sceA", "m2_map_a.sceA"),
    ("m2/Maps/Older Tail.sceA", "trailing_older.sceA"),
    ("m2/Maps/Other Order.sceA", "file_order.sceA"),
    ("m2/Maps/Full Name.sceA", "name_full.sceA"),
    ("m2/Maps/._Never Burn Money.sceA", "._double_map.sceA"),
    ("m2/Maps/Stale Areas.sceA", "area_0.sceA"),
    ("m2/Maps/Terminals.sceA", "terminal_roman.sceA"),
    ("m2/Maps/Overlay.sceA", "m2_overlay.sceA"),
    ("m2/Films/Waterloo Waterpark.filA", "m2_demo.filA"),
    ("m2/Physics Models/Standard.phyA", "m2_standard.phyA"),
    ("m2/Resources/stale.rsrc", "stale_finder.rsrc"),
    ("m2/Resources/gap.rsrc", "gap.rsrc"),
    ("mi/Map.sceA", "mi_map.sceA"),
    ("mi/Maps/Processed.sceA", "m2_map_processed.sceA"),
    ("mi/Maps/Own Physics.sceA", "mi_map_physics.sceA"),
    ("mi/Maps/In One.sceA", "single_map.sceA"),
    ("mi/Maps/Gaps.sceA", "gaps_everywhere.sceA"),
    ("mi/Maps/Short Headers.sceA", "sizes_12_8.sceA"),
    ("mi/Maps/Wrong Checksum.sceA", "checksum_wrong.sceA"),
    ("mi/Maps/Same Range.sceA", "same_range.sceA"),
    ("mi/Maps/Fresh Memory.sceA", "unused_cd.sceA"),
    ("mi/Physics Models/Standard.phyA", "mi_standard.phyA"),
    ("mi/Saved Games/Bob.sgaA", "mi_saved.sgaA"),
    ("mi/Saved Games/Bob with Picture.sgaA", "mi_saved_picture.sgaA"),
    ("mi/Films/Four Players.filA", "mi_demo.filA"),
    ("mi/Films/From a Saved Game.filA", "a1_saved.filA"),
    ("mi/Films/Unmarked.filA", "film_no_marks.filA"),
];

// Source: nwn-installs.md, section 1.
const AURORA: &[(&str, &str)] = &[
    ("nwn/chitin.key", "chitin.key"),
    ("nwn/xp1.key", "xp1.key"),
    ("nwn/dialog.tlk", "dialog.tlk"),
    ("nwn/data/2da.bif", "data_2da.bif"),
    ("nwn/hak/content.hak", "content.hak"),
    ("nwn/hak/slack.hak", "slack_zeros.hak"),
    ("nwn/modules/Prelude.mod", "module.mod"),
    ("nwn/modules/Old Keys.mod", "slack_stale.mod"),
    ("nwn/erf/export.erf", "stale_strref.erf"),
    ("nwn/tlk/custom.tlk", "running.tlk"),
    ("nwn/localvault/boar.bic", "gff_order.utc"),
    ("nwn/override/appearance.2da", "appearance.2da"),
    ("nwn/override/c_boar.ssf", "c_boar.ssf"),
    ("nwn/override/c_boar.utc", "boar.utc"),
    ("nwn/override/cloak.plt", "cloak.plt"),
    ("nwn/override/creaturepalcus.itp", "gff_double_labels.uti"),
    ("nwn/override/elff.ltr", "elff.ltr"),
    ("nwn/override/nw_c2_default1.ncs", "nw_c2_default1.ncs"),
    ("nwn/override/plc_hand.mdl", "plc_hand.mdl"),
    ("nwn/override/plc_hand.pwk", "plc_hand.pwk"),
    ("nwn/override/table.2da", "table.b.2da"),
    ("nwn/override/tde01.set", "tde01.set"),
    ("nwn/override/c_boar.mdl", "c_boar.mdl"),
    ("nwn/override/c_doll.mdl", "geometry_first.mdl"),
    ("nwn/override/c_worm.mdl", "skin_18.mdl"),
    ("nwn/override/plc_chest.mdl", "gap.mdl"),
    ("nwn/override/plc_chests.mdl", "shared_streams.mdl"),
    ("nwn/override/plc_marker.mdl", "plc_marker_b.mdl"),
    ("nwn/override/plc_sun.mdl", "flares.mdl"),
    ("nwn/override/tms01_a01_01.mdl", "tms01_a01_01.mdl"),
    ("nwn/override/vff_howl.mdl", "vff_howl.mdl"),
];

/// Returns the install: paths with `/` and files, less than 2 MB in total. Every file is readable, but some are unusual.
pub fn install(seed: u64) -> Vec<(String, Vec<u8>)> {
    let samples = samples(seed, Size::Small);
    let bytes =
        |name: &str| samples.iter().find(|sample| sample.name == name).map(|Sample { bytes, .. }| bytes.clone());
    let files = [MAPS, ZIPPER, MARATHON, AURORA].into_iter().flatten();
    files.map(|&(path, name)| (path.into(), bytes(name).expect("every file of the layout is a sample"))).collect()
}

#[cfg(test)]
mod tests {
    use super::{INSTALL_SEED, install};
    use std::collections::BTreeSet;

    #[test]
    fn install_is_small_and_reproducible() {
        let files = install(INSTALL_SEED);
        assert!(files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() < 2_000_000);
        assert_eq!(files, install(INSTALL_SEED));
    }

    #[test]
    fn paths_are_unique_regardless_of_case() {
        let files = install(INSTALL_SEED);
        assert_eq!(files.iter().map(|(path, _)| path.to_lowercase()).collect::<BTreeSet<_>>().len(), files.len());
    }
}
