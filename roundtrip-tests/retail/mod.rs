//! What is known of retail files: damage, known files, editions, moves, and the statements of others about retail installs.

mod copies;
mod damage;
mod editions;
mod known;
mod lost;
mod moves;
mod spoiled;
mod statements;
mod verdicts;

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::harness;

/// The output of a call.
struct Said {
    code: i32,
    out: String,
    err: String,
}

/// A folder with files.
struct Desk(tempfile::TempDir);

impl Desk {
    fn of<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let desk = Self(tempfile::tempdir().unwrap());
        files.into_iter().for_each(|(path, bytes)| desk.write(path, bytes));
        desk
    }

    /// Copies the sample install of a game to a folder of its name.
    fn golden(game: &str) -> Self {
        let install = forge::install(forge::INSTALL_SEED);
        let start = format!("{game}/");
        Self::of(install.iter().filter(|(path, _)| path.starts_with(&start)).map(|(path, bytes)| (&**path, &bytes[..])))
    }

    fn path(&self, path: &str) -> std::path::PathBuf {
        self.0.path().join(path)
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn rename(&self, from: &str, to: &str) {
        let to = self.path(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        // By a third name: Wine does nothing for a name that differs only in case.
        fs::rename(self.path(from), self.path("third")).unwrap();
        fs::rename(self.path("third"), to).unwrap();
    }

    fn run(&self, args: &[&str]) -> Said {
        run(self.0.path(), args)
    }

    /// Returns the exit code and the rows of `verify --json`.
    fn rows(&self, args: &[&str]) -> (i32, Vec<Value>) {
        let said = self.run(&[&["verify", "--json"], args].concat());
        (said.code, said.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect())
    }

    /// Returns the row of the one install.
    fn install(&self, args: &[&str]) -> Value {
        let (_, rows) = self.rows(args);
        let mut installs = rows.into_iter().filter_map(|mut row| row.get_mut("install").map(Value::take));
        let install = installs.next().expect("an install");
        assert!(installs.next().is_none(), "only one");
        install
    }
}

fn run(folder: &Path, args: &[&str]) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bitexact"));
    let output = harness::output_of(command.current_dir(folder).env_remove("COLUMNS").args(args));
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    Said { code: output.status.code().expect("not killed"), out, err }
}

/// Returns the texts of a member in a list of rows.
fn texts<'a>(list: &'a Value, member: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|it| it[member].as_str().unwrap()).collect()
}

/// Every contradiction of earlier versions to what was measured on retail files, and the test that shows it gone.
const CONTRADICTIONS: &[(&str, &str)] = &[
    ("seeds 11: the offset of a ROF name is opaque", "seeds_11_offsets_of_rof_names_follow_the_names"),
    (
        "seeds 11: saves of Crimson Skies are those of MechWarrior 3",
        "seeds_11_saves_of_crimson_skies_are_not_those_of_other_games",
    ),
    ("seeds 11: planes are unknown", "seeds_11_saves_of_crimson_skies_are_not_those_of_other_games"),
    ("seeds 11: the material head deviates", "seeds_11_material_head_of_crimson_skies_may_state_the_used_slots"),
    ("seeds 11: the last word of event 46 is unknown", "seeds_11_event_46_ends_with_its_run_time"),
    ("seeds 11: the bits of an image are a number", "seeds_11_image_word_has_names"),
    ("seeds 11: the comment of an archive is free text", "seeds_11_comment_of_an_archive_repeats_the_name"),
    ("seeds 11: a name keeps its dot and misses its image", "seeds_11_dots_at_the_end_of_a_stem_do_not_matter"),
    ("seeds 11: a lower-case name in a ROF archive is silent", "seeds_11_offsets_of_rof_names_follow_the_names"),
    ("seeds 11: one mip level is resized alone", "seeds_11_resized_level_of_a_chain_warns"),
    ("seeds 12: the edition of 1998 lacks 27 files", "seeds_12_edition_of_1998_lacks_no_later_missions"),
    ("seeds 12: the edition of 1998 lacks 27 files (layout)", "forged_editions_of_recoil_lack_nothing_they_never_had"),
    ("seeds 12: bounds of models leave out lights", "seeds_12_bounds_of_recoil_include_lights"),
    ("seeds 12: fields of levels and lights have no names", "seeds_12_fields_of_levels_and_lights_have_names"),
    ("seeds 12: a film stub is foreign without advice", "film_stub_is_damaged_with_advice"),
];

#[test]
fn every_contradiction_has_its_test() {
    let root = harness::root();
    let mut sources = String::new();
    for folder in ["src", "roundtrip-tests"] {
        for file in bitexact::install::files(&root.join(folder)).unwrap() {
            if file.path.extension().is_some_and(|it| it == "rs") {
                sources.push_str(&fs::read_to_string(&file.path).unwrap());
            }
        }
    }
    for (statement, test) in CONTRADICTIONS {
        assert!(
            sources.contains(&format!("#[test]\nfn {test}()"))
                || sources.contains(&format!("#[test]\n    fn {test}()")),
            "{statement}: {test}"
        );
    }
}
