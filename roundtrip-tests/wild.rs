//! Files as people have them: sound ones that are odd, and foreign ones that look like those of a game.
//!
//! Each form is made here or in the forge from its description; the real files beside the project are tested in addition.

use bitexact::exchange::{self, MANIFEST};
use bitexact::json::Compact;
use bitexact::registry::KINDS;
use bitexact::verify::{Status, VerifyOptions, verify, verify_with};

use crate::harness::{self, kind, packed, sample, unpacked};

/// Checks that a file comes back by every way.
fn comes_back(name: &str, bytes: &[u8], wanted: &str) {
    for via in [false, true] {
        let report = verify_with(KINDS, name, bytes.to_vec(), VerifyOptions::default().via_exchange(via));
        assert_eq!(
            (report.status, report.kind),
            (Status::Identical, Some(wanted)),
            "{name}, {via}: {:?}",
            report.failure
        );
        assert!(!report.is_damaged(), "{name}: {:?}", report.damage);
    }
    assert_eq!(packed(unpacked(kind(wanted), bytes)).as_deref(), Ok(bytes), "{name}");
}

/// Returns the deviations of a file, each with its place and what was found.
fn deviations(name: &str, bytes: &[u8]) -> Vec<(String, String)> {
    let report = verify(KINDS, name, bytes.to_vec());
    report.deviations.iter().map(|it| (it.place.clone(), Compact(&it.found).to_string())).collect()
}

/// Returns the status and the kind of a file, and checks that it is called neither damaged nor suspect.
fn status(name: &str, bytes: &[u8]) -> (Status, Option<&'static str>) {
    let report = verify(KINDS, name, bytes.to_vec());
    assert!(report.damage.is_empty(), "{name}: {:?}", report.damage);
    (report.status, report.kind)
}

#[test]
fn files_beside_the_project_are_what_they_are() {
    let Some(corpora) = harness::corpora() else {
        return eprintln!("no corpora beside the project: nothing is tested");
    };
    for (name, wanted) in [
        ("bytes-after-code.ncs", "ncs"),
        ("lower-case-signature.2da", "2da"),
        ("nwn2.ssf", "ssf"),
        ("other-order.mdl", "mdl"),
        ("shared-field-data.dlg", "gff"),
        ("text-after-tool-log.mdl", "text-model"),
        ("text-with-nul.mdl", "text-model"),
    ] {
        comes_back(name, &std::fs::read(corpora.join("wild").join(name)).unwrap(), wanted);
    }
    for (name, wanted) in [("bmu.wav", "music"), ("sister-game.mdl", "model-of-sister-game"), ("white.tga", "targa")] {
        let bytes = std::fs::read(corpora.join("wild").join(name)).unwrap();
        assert_eq!(status(name, &bytes), (Status::Foreign, Some(wanted)), "{name}");
    }
}

/// Source: `nwn-other.md`, section 9.
#[test]
fn sounds_of_mp3_frames_are_music() {
    let frames = [&b"\xFF\xFB\x70\xC0"[..], &[0; 309]].concat().repeat(3);
    for bytes in [[&b"BMU V1.0"[..], &frames].concat(), [&b"ID3\x03\0\0\0\0\0\0"[..], &frames].concat(), frames.clone()]
    {
        assert_eq!(status("voice.wav", &bytes), (Status::Foreign, Some("music")));
        assert_eq!(status("voice.bmu", &bytes), (Status::Foreign, Some("music")));
    }
}

/// Source: `nwn-other.md`, section 10.
#[test]
fn models_of_the_sister_game_are_foreign() {
    let model = |raw: u32| {
        let mut bytes = vec![0; 0x400];
        bytes[4..8].copy_from_slice(&(0x400_u32 - 12).to_le_bytes());
        bytes[8..12].copy_from_slice(&raw.to_le_bytes());
        bytes[12..20].copy_from_slice(b"\x70\x36\x41\0\x20\x55\x40\0");
        bytes[0x58] = 2;
        bytes
    };
    // Without raw data in the other file, the sizes are those of this game too.
    for raw in [50_000, 0] {
        assert_eq!(status("door.mdl", &model(raw)), (Status::Foreign, Some("model-of-sister-game")));
    }
    assert_eq!(status("door.wok", b"BWM V1.0\0\0"), (Status::Foreign, Some("walkmesh-of-sister-game")));
    let file = forge::nwn::resources::resource("door", 2002, model(50_000));
    let erf = forge::nwn::resources::build_erf(&forge::nwn::resources::Erf::new(b"MOD ", vec![file]));
    let report = verify(KINDS, "a.mod", erf);
    assert!(report.status == Status::Identical && report.undecoded.is_empty(), "{:?}", report.undecoded);
}

#[test]
fn lisp_is_no_reader_data() {
    for text in ["(defun f (x) (* x x))", "(+ 1 2)", "((name \"x\") (size 1))", "(KEYS)", "(\"a\" (b))"] {
        assert_eq!(status("init.el", text.as_bytes()), (Status::Unknown, None), "{text}");
    }
    let controls = b"; mine\r\n(\r\n\tKEYS\t((CMD_JUMP keya(0x2d)))\r\n)";
    for text in [&controls[..], b"(\"KEYS\"())"] {
        assert_eq!(status("controls", text), (Status::Identical, Some("text-reader")));
    }
    // The name tells it too.
    assert_eq!(status("a.zrd", b"(+ 1 2)"), (Status::Identical, Some("text-reader")));
}

/// Source: `nwn-ssf.md`, Neverwinter Nights 2.
#[test]
fn sound_sets_of_neverwinter_nights_2_are_told_from_those_of_the_sister_game() {
    for (name, odd) in [("ssf_long.ssf", 0), ("ssf_twelve.ssf", 0), ("ssf_full.ssf", 1), ("ssf_sister.ssf", 0)] {
        comes_back(name, &sample(name), "ssf");
        assert_eq!(deviations(name, &sample(name)).len(), odd, "{name}");
    }
    let text = "a damaged set of another game, which is neither of both ";
    let refused = verify(KINDS, "a.ssf", [&b"SSF V1.1"[..], text.as_bytes()].concat());
    assert_eq!(refused.status, Status::Refused);
}

/// Source: `nwn-2da.md`, section 7.
#[test]
fn signatures_in_other_forms_are_kept_and_reported() {
    for (name, found) in [
        ("lower_case.2da", "small letters"),
        ("mark.2da", "a byte order mark before it"),
        ("no_version.2da", "no version"),
    ] {
        comes_back(name, &sample(name), "2da");
        assert_eq!(deviations(name, &sample(name)), [("/".to_owned(), format!("\"{found}\""))], "{name}");
    }
    for (bytes, found) in [
        (&b"\xFF\xFE2\0D\0A\0 \0V\x002\0.\x000\0\n\0"[..], "save it as ANSI, found UTF-16"),
        (b"2DA V2.0\r\rA B\r0 1 2\r", "save it so, found lines that end with CR only"),
    ] {
        let why = verify(KINDS, "a.2da", bytes.to_vec()).failure.unwrap().to_string();
        assert!(why.ends_with(found), "{why}");
    }
}

/// An edit of a cell leaves the signature as it is.
#[test]
fn edit_of_a_table_keeps_its_signature() {
    for name in ["lower_case.2da", "mark.2da", "no_version.2da"] {
        let (code, edited, err) = patched(name, &sample(name), &["--set", "/rows/0/cells/B=\"9\""]);
        let expected = sample(name).escape_ascii().to_string().replace("1 2", "1 9");
        assert_eq!((code, edited.escape_ascii().to_string()), (0, expected), "{name}: {err}");
    }
}

/// Edits a file by the program, and returns its exit code, the file and what it says.
fn patched(name: &str, bytes: &[u8], args: &[&str]) -> (i32, Vec<u8>, String) {
    let folder = tempfile::tempdir().unwrap();
    // A file `nul.mdl` is none on Windows.
    let name = &format!("a-{name}");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bitexact"));
    let output = command.current_dir(folder.path()).args(["patch", name]).args(args).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), std::fs::read(&path).unwrap(), said)
}

/// Source: `nwn-mdl-text.md`, section 2.
#[test]
fn text_models_with_a_nul_or_a_log_are_kept_and_reported() {
    for (name, wanted) in [("nul.mdl", "a byte of 0"), ("log.mdl", "<snoopstart file=c:")] {
        comes_back(name, &sample(name), "text-model");
        let all = deviations(name, &sample(name));
        assert!(all.len() == 1 && all[0].1.contains(wanted), "{name}: {all:?}");
    }
    let line = |text: &[u8]| text.split(|byte| *byte == b'\n').position(|line| line == b"newmodel a").unwrap();
    for name in ["nul.mdl", "log.mdl"] {
        let set = format!("/{}/1=\"b\"", line(&sample(name)));
        let (code, edited, err) = patched(name, &sample(name), &["--set", &set]);
        let expected = sample(name).escape_ascii().to_string().replace("newmodel a", "newmodel b");
        assert_eq!((code, edited.escape_ascii().to_string()), (0, expected), "{name}: {err}");
    }
}

/// A script that is shorter than its header states has lost its end. Source: `nwn-ncs.md`, section 1.
#[test]
fn cut_script_is_damaged() {
    let whole = sample("nw_c2_default1.ncs");
    assert!(!verify(KINDS, "a.ncs", whole.clone()).is_damaged());
    for length in [whole.len() - 2, whole.len() - 3] {
        let cut = verify(KINDS, "a.ncs", whole[..length].to_vec());
        let ids: Vec<_> = cut.damage.iter().map(|it| it.trap.id).collect();
        assert_eq!((cut.status, ids), (Status::Identical, vec!["script-cut"]), "{:?}", cut.failure);
    }
}

/// Source: `marathon-wad.md`, section 8.
#[test]
fn films_that_are_cut_or_converted_have_no_extra_bytes() {
    let ids = |bytes: &[u8]| -> (Status, Vec<&str>) {
        let report = verify(KINDS, "a.filA", bytes.to_vec());
        (report.status, report.damage.iter().map(|it| it.trap.id).collect())
    };
    let saved = sample("a1_saved.filA");
    let beside = harness::corpora().map(|it| std::fs::read(it.join("marathon/films/a1-film-with-saved-game.filA")));
    for film in [saved.clone()].into_iter().chain(beside.and_then(Result::ok)) {
        let runs = u32::from_be_bytes(*film.first_chunk().unwrap()) as usize;
        // A part of the saved game is missing.
        for length in [film.len() - 1, film.len() - 300, runs + (film.len() - runs) / 2] {
            assert_eq!(ids(&film[..length]), (Status::Identical, vec!["file-cut"]), "{length} of {}", film.len());
            let extra = bitexact::passes::extra(kind("film"), &film[..length].to_vec().into(), u64::MAX);
            assert_eq!(extra, None);
        }
        // A part of the runs is missing.
        assert_eq!(ids(&film[..runs - 60]), (Status::Refused, vec!["file-cut"]));
        assert_eq!(ids(&film), (Status::Identical, vec![]));
        let longer = [&film[..], &[0; 70]].concat();
        assert_eq!(ids(&longer), (Status::Identical, vec!["extra-bytes"]));
    }
    for name in ["m2_demo.filA", "mi_demo.filA", "a1_net.filA", "a1_saved.filA"] {
        let lossy = String::from_utf8_lossy(&sample(name)).into_owned().into_bytes();
        assert_eq!(ids(&lossy).1, ["file-as-unicode"], "{name}");
    }
}

/// Source: `nwn-gff.md`, section 9.1.
#[test]
fn data_that_fields_share_are_kept_until_an_edit_gives_each_its_own() {
    let file = sample("gff_shared.dlg");
    comes_back("gff_shared.dlg", &file, "gff");
    let shared = deviations("gff_shared.dlg", &file);
    assert!(shared.iter().all(|(_, found)| found == "\"those of another field\"") && !shared.is_empty(), "{shared:?}");
    let tree = |bytes: &[u8]| {
        exchange::parse(&unpacked(kind("gff"), bytes)[MANIFEST]).unwrap().get("data").unwrap().without(&["__layout"])
    };
    let (code, edited, err) = patched("gff_shared.dlg", &file, &["--set", "/Sound/value=\"vs_hello\""]);
    assert_eq!(code, 0, "{err}");
    for said in
        ["data of other fields in 4 fields, and 61 bytes of data that no field has", "data of its own for each field"]
    {
        assert!(err.contains(said), "{err}");
    }
    // Only this field has another value.
    let mut wanted = tree(&file);
    *wanted.step_mut("Sound").unwrap().step_mut("value").unwrap() = "vs_hello".into();
    assert_eq!(tree(&edited), wanted);
    let report = verify(KINDS, "gff_shared.dlg", edited);
    assert_eq!((report.status, report.deviations.len()), (Status::Identical, 0), "{:?}", report.deviations);
}
