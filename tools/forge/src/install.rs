//! A small install of every game.

use crate::{Sample, Size, samples};

/// The seed of the install the tests keep.
pub const INSTALL_SEED: u64 = 1994;

/// Where each file lies, and the sample it is. Files of Recoil: zipper-installs.md.
const LAYOUT: [(&str, &str); 44] = [
    ("rc/maps/m1.zmap", "m1.zmap"),
    ("rc/maps/m2.zmap", "m2.zmap"),
    ("rc/maps/m3.zmap", "m3.zmap"),
    ("rc/maps/M4.ZMAP", "trailing_2.zmap"),
    ("rc/maps/m5.zmap", "no_points.zmap"),
    ("rc/maps/m6.zmap", "nan.zmap"),
    // The maps of multiplayer missions are copies of the first.
    ("rc/maps/m7.zmap", "m1.zmap"),
    ("mw/zbd/motion/thor_walk.motion", "thor_walk.motion"),
    ("mw/zbd/motion/orion_landf.motion", "orion_landf.motion"),
    ("mw/zbd/motion/strider_stand.motion", "strider_stand.motion"),
    ("mw/zbd/motion/thor_stand.motion", "no_parts.motion"),
    ("mw/zbd/motion/annihilator_walk.motion", "nan.motion"),
    ("mw/zbd/motion/vulture_walk.motion", "last_frame_sign.motion"),
    ("pm/zbd/motion/vulture_stand.motion", "vulture_stand.motion"),
    ("pm/zbd/motion/thor_stand.motion", "thor_stand.motion"),
    ("pm/zbd/motion/orion_walk.motion", "rotations_only.motion"),
    ("pm/zbd/motion/strider_walk.motion", "unk16.motion"),
    ("pm/zbd/motion/thor_landf.motion", "trailing.motion"),
    ("m1/Map.scen", "Map.scen"),
    ("m1/Maps/No Padding.scen", "no_final_padding.scen"),
    ("m1/Maps/Comment.scen", "comment.scen"),
    ("m1/Maps/Stale Padding.scen", "padding.scen"),
    ("m1/Maps/By the Rule.scen", "m1_map_by_the_rule.scen"),
    ("m1/Resources/demos.resource", "demos.resource"),
    ("m2/Map.sceA", "m2_map_merged.sceA"),
    ("m2/Maps/Never Burn Money.sceA", "m2_map_a.sceA"),
    ("m2/Maps/Older Tail.sceA", "trailing_older.sceA"),
    ("m2/Maps/Wrong Checksum.sceA", "checksum_wrong.sceA"),
    ("m2/Maps/Other Order.sceA", "file_order.sceA"),
    ("m2/Maps/Full Name.sceA", "name_full.sceA"),
    ("m2/Maps/._Never Burn Money.sceA", "._double_map.sceA"),
    ("m2/Physics Models/Standard.phyA", "m2_standard.phyA"),
    ("m2/Resources/stale.rsrc", "stale_finder.rsrc"),
    ("m2/Resources/gap.rsrc", "gap.rsrc"),
    ("mi/Map.sceA", "mi_map.sceA"),
    ("mi/Maps/Processed.sceA", "m2_map_processed.sceA"),
    ("mi/Maps/Own Physics.sceA", "mi_map_physics.sceA"),
    ("mi/Maps/In One.sceA", "single_map.sceA"),
    ("mi/Maps/Gaps.sceA", "gaps_everywhere.sceA"),
    ("mi/Maps/Short Headers.sceA", "sizes_12_8.sceA"),
    ("mi/Maps/Same Range.sceA", "same_range.sceA"),
    ("mi/Maps/Fresh Memory.sceA", "unused_cd.sceA"),
    ("mi/Physics Models/Standard.phyA", "mi_standard.phyA"),
    ("mi/Saved Games/Bob.sgaA", "mi_saved.sgaA"),
];

/// The install: paths with `/` and files, less than 2 MB in all. Every file is readable, not every file is ordinary.
pub fn install(seed: u64) -> Vec<(String, Vec<u8>)> {
    let samples = samples(seed, Size::Small);
    let bytes =
        |name: &str| samples.iter().find(|sample| sample.name == name).map(|Sample { bytes, .. }| bytes.clone());
    LAYOUT
        .iter()
        .map(|&(path, name)| (path.into(), bytes(name).expect("every file of the layout is a sample")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{INSTALL_SEED, install};
    use std::collections::BTreeSet;

    #[test]
    fn is_small_and_always_the_same() {
        let files = install(INSTALL_SEED);
        assert!(files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() < 2_000_000);
        assert_eq!(files, install(INSTALL_SEED));
    }

    #[test]
    fn has_one_file_for_a_path_whatever_the_case() {
        let files = install(INSTALL_SEED);
        assert_eq!(files.iter().map(|(path, _)| path.to_lowercase()).collect::<BTreeSet<_>>().len(), files.len());
    }
}
