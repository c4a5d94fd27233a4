#![doc = include_str!("index.md")]
#![doc = ""]
#![doc = include_str!("links.md")]

/// Declares the pages. The targets of the links between them are in one file.
macro_rules! pages {
    ($($file:literal => $name:ident,)*) => {$(
        #[doc = include_str!($file)]
        #[doc = ""]
        #[doc = include_str!("links.md")]
        pub mod $name {}
    )*};
}

pages! {
    "counts-marathon.md" => counts_marathon,
    "marathon-1-resources.md" => marathon_1_resources,
    "marathon-enums.md" => marathon_enums,
    "marathon-images.md" => marathon_images,
    "marathon-lint.md" => marathon_lint,
    "marathon-map.md" => marathon_map,
    "marathon-physics.md" => marathon_physics,
    "marathon-shapes.md" => marathon_shapes,
    "marathon-sounds-patch.md" => marathon_sounds_patch,
    "marathon-sounds.md" => marathon_sounds,
    "marathon-terminals.md" => marathon_terminals,
    "marathon-wad.md" => marathon_wad,
    "nwn-2da.md" => nwn_2da,
    "nwn-erf.md" => nwn_erf,
    "nwn-gff.md" => nwn_gff,
    "nwn-installs.md" => nwn_installs,
    "nwn-key-bif.md" => nwn_key_bif,
    "nwn-mdl-text.md" => nwn_mdl_text,
    "nwn-mdl.md" => nwn_mdl,
    "nwn-ncs.md" => nwn_ncs,
    "nwn-other.md" => nwn_other,
    "nwn-ssf.md" => nwn_ssf,
    "nwn-tlk.md" => nwn_tlk,
    "vectors-cs.md" => vectors_cs,
    "vectors-rc-mw-pm.md" => vectors_rc_mw_pm,
    "zipper-anim-events.md" => zipper_anim_events,
    "zipper-anim.md" => zipper_anim,
    "zipper-archives.md" => zipper_archives,
    "zipper-editing.md" => zipper_editing,
    "zipper-gamez.md" => zipper_gamez,
    "zipper-installs.md" => zipper_installs,
    "zipper-interp.md" => zipper_interp,
    "zipper-mechlib.md" => zipper_mechlib,
    "zipper-messages.md" => zipper_messages,
    "zipper-models.md" => zipper_models,
    "zipper-motion.md" => zipper_motion,
    "zipper-nodes.md" => zipper_nodes,
    "zipper-other.md" => zipper_other,
    "zipper-reader.md" => zipper_reader,
    "zipper-saves.md" => zipper_saves,
    "zipper-sounds.md" => zipper_sounds,
    "zipper-textures.md" => zipper_textures,
    "zipper-zmap.md" => zipper_zmap,
}
