use super::*;

fn gamez(version: u8) -> Vec<u8> {
    vec![0x22, 0x12, 0x97, 0x02, version, 0, 0, 0]
}

fn installs(files: &[(&str, &[u8])]) -> Vec<Install> {
    let mut survey = Survey::default();
    for (path, bytes) in files {
        let size = field::wide(bytes.len());
        survey.see(Seen::new(*path, Facts::of(path, bytes)).with_content(size, Some(Sha::of(bytes)), None));
    }
    survey.installs(None)
}

#[test]
fn data_identifies_the_game_regardless_of_case_and_location() {
    let found = installs(&[
        ("games/One/ZBD/c1/GameZ.zbd", &gamez(27)),
        ("games/Two/zbd/c1/gamez.zbd", &gamez(41)),
        ("games/Two/mech3.exe", b"MZ"),
        ("games/readme.txt", b"no install"),
    ]);
    let told: Vec<_> = found.iter().map(|install| (install.root.as_str(), install.game)).collect();
    assert_eq!(told, [("games/One/", Some(Game::MechWarrior3)), ("games/Two/", Some(Game::PiratesMoon))]);
    assert_eq!(found[0].files, [("games/One/ZBD/c1/GameZ.zbd".to_owned(), Some(Why::Always))]);
}

#[test]
fn names_identify_the_game_without_data() {
    let game = |name: &str| installs(&[(name, b""), ("zbd/x.zbd", b"")])[0].game;
    assert_eq!(game("Messages.DLL"), Some(Game::Recoil));
    assert_eq!(game("strings.dll"), Some(Game::CrimsonSkies));
    assert_eq!(game("Mech3Msg.dll"), None, "which two games have");
}

#[test]
fn file_of_an_option_is_missing_for_that_reason() {
    let found = installs(&[("zbd/c1/gamez.zbd", &gamez(27)), ("zbd/soundsL.zbd", b""), ("Notes.doc", b"")]);
    let [install] = &found[..] else { panic!("one install") };
    let why = |path: &str| install.missing.iter().find(|(missing, _)| missing == path).map(|(_, why)| *why);
    assert_eq!(why("zbd/soundsl.zbd"), None);
    assert_eq!(why("zbd/soundsh.zbd"), Some(Why::Option("sound, high")));
    assert_eq!(why("zbd/c3/readermp3.zbd"), Some(Why::Patch("1.2")));
    assert_eq!(why("video/intro.avi"), Some(Why::Disc));
    assert_eq!(why("zbd/interp.zbd"), Some(Why::Always));
    assert!(install.unexplained().any(|path| path == "zbd/interp.zbd"));
    // No single package of textures is required, only one of each chapter.
    let textures: Vec<&str> = install.unexplained().filter(|path| path.contains("texture")).collect();
    assert_eq!(textures.len(), 6);
    assert!(
        textures.iter().all(|path| path.ends_with("/{texture1,texture2,texture,rtexture2,rtexture3,rtexture}.zbd"))
    );
    assert!(install.unexplained().any(|path| path == "zbd/{rmechtex,rmechtex16,rmechtexs}.zbd"));
    assert!(install.unexplained().all(|path| path != "zbd/{soundsl,soundsh}.zbd"), "one of them is there");
    assert_eq!(install.files[2], ("Notes.doc".to_owned(), None));
}

#[test]
fn names_identify_the_edition() {
    let edition = |more: &str| installs(&[("zbd/c1/gamez.zbd", &gamez(27)), (more, b"")])[0].edition.to_string();
    assert_eq!(edition("zbd/soundsM.zbd"), "demo");
    assert_eq!(edition("Mech3.icd"), "German");
    assert_eq!(edition("ZBD/c3/readermp4.zbd".replace("ZBD", "zbd").as_str()), "patched to 1.2");
    assert_eq!(edition("zbd/mech_engine_np.wav"), "patched to 1.2");
    assert_eq!(edition("zbd/soundsH.zbd"), "");
}

/// Source: `zipper-installs.md`, section 4.1.
#[test]
fn seeds_12_edition_of_1998_lacks_no_later_missions() {
    let world = &gamez(15)[..];
    let files = [("zbd/m1/gamez.zbd", world), ("zbd/m6/gamez.zbd", world), ("zbd/m10/gamez.zbd", world)];
    let [early, late] = [&files[..2], &files].map(|files| installs(files).remove(0));
    assert_eq!([early.edition.to_string(), late.edition.to_string()], ["edition of 1998", ""]);
    let missions = |install: &Install| install.unexplained().filter(|path| is_mission_after(path, 6)).count();
    // Their data, four packages of textures each, a fifth of the last one, and their maps, but for the world that is there.
    assert_eq!([missions(&early), missions(&late)], [0, 7 * 3 + 7 * 4 + 1 + 6 - 1]);
    assert!(early.unexplained().any(|path| path == "maps/m6.zmap"));
}

/// Source: `zipper-installs.md`, sections 2.2 and 5.
#[test]
fn sizes_tell_the_language_of_files_without_a_known_hash() {
    let edition = |version: u8, path: &str, bytes: u64| {
        let mut survey = Survey::default();
        survey.see(Seen::new("zbd/c1/gamez.zbd", Facts::of("zbd/c1/gamez.zbd", &gamez(version))));
        survey.see(Seen::new(path, Facts::default()).with_content(bytes, None, None));
        survey.installs(None)[0].edition.to_string()
    };
    assert_eq!(edition(27, "zbd/soundsH.zbd", 92_824_738), "English");
    assert_eq!(edition(27, "zbd/rimage.zbd", 41_914_526), "German");
    assert_eq!(edition(42, "zbd/RIMAGE.ZBD", 37_970_361), "English");
    assert_eq!(edition(42, "zbd/rimage.zbd", 37_970_362), "");
}
