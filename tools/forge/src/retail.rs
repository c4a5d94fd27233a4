//! Installs of retail size: every file of a game, each in the largest size generated for its kind.
//!
//! The paths are from zipper-installs.md, sections 2 to 5. Files of one kind and game have equal contents: only names and sizes matter for
//! measurements.

use std::collections::BTreeMap;
use std::io;

use crate::{Sample, Size, samples};

// Paths, with braces for alternatives, and the sample at each path.

const RECOIL: &[(&str, &str)] = &[
    ("messages.dll", "messages.dll"),
    ("zbd/interp.zbd", "rc_interp.zbd"),
    ("zbd/image.zbd", "rc_image.zbd"),
    ("zbd/zrdr.zbd", "rc_zrdr.zbd"),
    ("zbd/soundsl.zbd", "rc_soundsl.zbd"),
    ("zbd/soundsm.zbd", "rc_soundsm.zbd"),
    ("zbd/soundsh.zbd", "rc_soundsh.zbd"),
    ("zbd/m{1,2,3,4,5,6,7,8,9,10,11,12,13}/gamez.zbd", "rc_m1_gamez.zbd"),
    ("zbd/m{1,2,3,4,5,6,7,8,9,10,11,12,13}/anim.zbd", "rc_m1_anim.zbd"),
    ("zbd/m{1,2,3,4,5,6,7,8,9,10,11,12,13}/zrdr.zbd", "rc_m1_zrdr.zbd"),
    ("zbd/m{1,2,3,4,5,6,7,8,9,10,11,12}/texture2.zbd", "rc_m1_texture2.zbd"),
    ("zbd/m{1,2,3,4,5,6,7,8,9,10,11,12}/texture{4,6,8}.zbd", "rc_m1_texture8.zbd"),
    ("zbd/m{1,2,3,4,5,6,7,8,9,10,11,12}/rtexture4.zbd", "rc_m1_rtexture4.zbd"),
    ("maps/m{1,2,3,4,5,6,7,8,9,10,11,12}.zmap", "m1.zmap"),
    ("video/intro_01.avi", "Campaign.avi"),
];

const MECHWARRIOR_3: &[(&str, &str)] = &[
    ("Mech3Msg.dll", "Mech3Msg.dll"),
    ("DefaultCtlConfig.zrd", "DefaultCtlConfig.zrd"),
    ("zbd/interp.zbd", "mw_interp.zbd"),
    ("zbd/mechlib.zbd", "mw_mechlib.zbd"),
    ("zbd/motion.zbd", "mw_motion.zbd"),
    ("zbd/reader.zbd", "mw_reader.zbd"),
    ("zbd/rimage.zbd", "mw_rimage.zbd"),
    ("zbd/rmechtex{,16}.zbd", "mw_rmechtex.zbd"),
    ("zbd/rmechtexs.zbd", "mw_rmechtexs.zbd"),
    ("zbd/soundsH.zbd", "mw_soundsH.zbd"),
    ("zbd/soundsL.zbd", "mw_soundsL.zbd"),
    ("zbd/mech_engine_np.wav", "mech_engine_np.wav"),
    ("zbd/{c1,c2,c3,c4,c4b,t1}/anim.zbd", "mw_c1_anim.zbd"),
    ("zbd/{c1,c2,c3,c4,c4b,t1}/gamez.zbd", "mw_c1_gamez.zbd"),
    ("zbd/{c1,c2,c3,c4,c4b,t1}/reader.zbd", "mw_c1_reader.zbd"),
    ("zbd/{c1,c2,c3,c4,c4b,t1}/texture{1,2,}.zbd", "mw_c1_texture.zbd"),
    ("zbd/{c1,c2,c3,c4,c4b,t1}/rtexture{2,3,}.zbd", "mw_c1_rtexture.zbd"),
    ("zbd/{c1,c2,c3,c4}/readeria{1,2,3}.zbd", "mw_c1_readerm1.zbd"),
    ("zbd/{c1,c2,c3,c4}/readerm{1,2,3,p1,p2}.zbd", "mw_c1_readerm1.zbd"),
    ("zbd/t1/reader{ia1,m1,m2,m3,m4,mp1}.zbd", "mw_c1_readerm1.zbd"),
    ("zbd/c4b/readerm{4,5,6}.zbd", "mw_c1_readerm1.zbd"),
    ("video/{intro,Campaign,c1,c1m1,c1m2,c1m3,c1m4,c2,c2m1,c2m2}.avi", "Campaign.avi"),
    ("video/{c2m3,c2m4,c3,c3m1,c3m2,c3m4,c3m5,c3m6,c4win}.avi", "Campaign.avi"),
];

const PIRATES_MOON: &[(&str, &str)] = &[
    ("Mech3Msg.dll", "pm_Mech3Msg.dll"),
    ("zbd/interp.zbd", "pm_interp.zbd"),
    ("zbd/mechlib.zbd", "pm_mechlib.zbd"),
    ("zbd/motion.zbd", "pm_motion.zbd"),
    ("zbd/reader.zbd", "pm_reader.zbd"),
    ("zbd/rimage.zbd", "pm_rimage.zbd"),
    ("zbd/soundsH.zbd", "pm_soundsH.zbd"),
    ("zbd/soundsL.zbd", "pm_soundsL.zbd"),
    ("zbd/{c1,c2,c3,c4}/anim.zbd", "pm_c1_anim.zbd"),
    ("zbd/{c1,c2,c3,c4}/gamez.zbd", "pm_c1_gamez.zbd"),
    ("zbd/{c1,c2,c3,c4}/reader.zbd", "pm_c1_reader.zbd"),
    ("zbd/{c1,c2,c3,c4}/{,r}texture{2,3,}.zbd", "pm_c1_texture.zbd"),
    ("zbd/{c1,c2,c3,c4}/readerm{1,2,3,4,p1,p2}.zbd", "pm_c1_readerm1.zbd"),
    ("video/intro.avi", "Campaign.avi"),
];

const CRIMSON_SKIES: &[(&str, &str)] = &[
    ("strings.dll", "strings.dll"),
    ("GOSDATA/ASSETS/BINARIES/langui.dll", "langui.dll"),
    ("GOSDATA/ASSETS/crimson.rof", "crimson.rof"),
    ("GOSDATA/ASSETS/crimptch.rof", "crimptch.rof"),
    ("ZBD/interp.zbd", "cs_interp.zbd"),
    ("ZBD/planes.zbd", "cs_planes.zbd"),
    ("ZBD/rimage.zbd", "cs_rimage.zbd"),
    ("ZBD/soundsh.zbd", "cs_soundsh.zbd"),
    ("ZBD/soundsl.zbd", "cs_soundsl.zbd"),
    ("ZBD/zrdr.zbd", "cs_zrdr.zbd"),
    ("ZBD/{C1,C1B,C1C,C2,C2B,C3,C4,C5}/cam_anim.zbd", "cs_c1_cam_anim.zbd"),
    ("ZBD/{C1,C1B,C1C,C2,C2B,C3,C4,C5}/gamez.zbd", "cs_c1_gamez.zbd"),
    ("ZBD/{C1,C1B,C1C,C2,C2B,C3,C4,C5}/zrdr.zbd", "cs_m01_zrdr.zbd"),
    ("ZBD/{C1,C1B,C1C,C2,C2B,C3,C4,C5}/{texture,rtexture2,rtexture4,rtexture6}.zbd", "cs_c1_texture.zbd"),
    ("ZBD/{C1,C1B,C1C,C2,C2B,C3,C4,C5}/rtexture{8,15}.zbd", "cs_c1_rtexture15.zbd"),
    ("ZBD/{C1,C1B,C1C,C2,C2B,C3,C4,C5}/{M01,M02,M03,IA1,MP1,MP2}/mis_anim.zbd", "cs_c1_m01_mis_anim.zbd"),
    ("ZBD/{C1,C1B,C1C,C2,C2B,C3,C4,C5}/{M01,M02,M03,IA1,MP1,MP2}/zrdr.zbd", "cs_m01_zrdr.zbd"),
];

/// The Zipper games, by their codes.
pub const RETAIL: &[&str] = &["rc", "mw", "pm", "cs"];

/// Passes the files of a game to `put`, one after another, with their paths in the install.
///
/// # Errors
/// Returns an error if `put` fails.
///
/// # Panics
/// Panics if the code of the game is unknown.
pub fn retail(seed: u64, game: &str, mut put: impl FnMut(&str, &[u8]) -> io::Result<()>) -> io::Result<()> {
    let table = match game {
        "rc" => RECOIL,
        "mw" => MECHWARRIOR_3,
        "pm" => PIRATES_MOON,
        "cs" => CRIMSON_SKIES,
        other => panic!("no game is called {other}"),
    };
    let named = |sample: Sample| (sample.name, sample.bytes);
    let samples: BTreeMap<String, Vec<u8>> = samples(seed, Size::Retail).into_iter().map(named).collect();
    for (paths, sample) in table {
        let bytes = samples.get(*sample).unwrap_or_else(|| panic!("no sample is called {sample}"));
        alternatives(paths).iter().try_for_each(|path| put(path, bytes))?;
    }
    Ok(())
}

/// Expands the braces in paths.
fn alternatives(paths: &str) -> Vec<String> {
    let Some((before, rest)) = paths.split_once('{') else { return vec![paths.to_owned()] };
    let (words, behind) = rest.split_once('}').expect("a brace ends");
    let endings = alternatives(behind);
    let path = |word: &str| endings.iter().map(|ending| format!("{before}{word}{ending}")).collect::<Vec<_>>();
    words.split(',').flat_map(path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_are_expanded() {
        assert_eq!(alternatives("a{1,2}b{,c}"), ["a1b", "a1bc", "a2b", "a2bc"]);
    }

    #[test]
    fn paths_are_unique() {
        for table in [RECOIL, MECHWARRIOR_3, PIRATES_MOON, CRIMSON_SKIES] {
            let paths: Vec<_> = table.iter().flat_map(|(paths, _)| alternatives(paths)).collect();
            let distinct: std::collections::BTreeSet<_> = paths.iter().map(|path| path.to_lowercase()).collect();
            assert_eq!(distinct.len(), paths.len());
        }
    }
}
