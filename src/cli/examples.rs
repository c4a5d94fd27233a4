//! The examples in the help of every command, and the topic `places`.

/// The end of the help of the program.
pub(crate) const HELP: &str = "A path alone is verified: `bitexact \"MechWarrior 3\"`. \
    `bitexact help places` explains how places in a file are written.";

pub(crate) const VERIFY: &str = "Examples:
  bitexact verify \"MechWarrior 3\"
  bitexact verify \"MechWarrior 3\" --html report.html
  bitexact verify zbd --against before.jsonl --strict";

pub(crate) const INSPECT: &str = "Examples:
  bitexact inspect gamez.zbd
  bitexact inspect reader.zbd weapons.zrd:/0/1
  bitexact inspect \"MechWarrior 3\" --find vexsha
  bitexact inspect zbd --find 685 --only script";

pub(crate) const LS: &str = "Examples:
  bitexact ls reader.zbd
  bitexact ls reader.zbd --json";

pub(crate) const CAT: &str = "Examples:
  bitexact cat sounds.zbd horn.wav > horn.wav
  bitexact cat interp.zbd!c1.gs --text";

pub(crate) const UNPACK: &str = "Examples:
  bitexact unpack reader.zbd
  bitexact unpack reader.zbd weapons --only 'w*.zrd'
  bitexact unpack \"MechWarrior 3\" mw3
  bitexact unpack --loose=json town.mod town
  bitexact unpack --salvage cut.mod rest";

pub(crate) const PACK: &str = "Examples:
  bitexact pack reader.zbd.unpacked --force
  bitexact pack reader new.zbd
  bitexact pack mw3 \"MechWarrior 3\"
  bitexact pack --new mod town town.mod";

pub(crate) const PATCH: &str = "Examples:
  bitexact patch reader.zbd --set weapons.zrd:/0/1=7.5
  bitexact patch gamez.zbd --set @sunlight/light/range_far=300 -o new.zbd
  bitexact patch boar.utc --set \"/FirstName=Old Boar\" --set /Str=18
  bitexact patch interp.zbd --replace c1.gs=c1.gs --backup
  bitexact patch \"MechWarrior 3\" -n --everywhere weapons.zrd:/@LASER/COST=90
  bitexact patch \"MechWarrior 3\" --replace sky=sky.png
  bitexact patch reader.zbd --trim";

pub(crate) const DIFF: &str = "Examples:
  bitexact diff old.zbd new.zbd
  bitexact diff \"MechWarrior 3\" mine --stat
  bitexact diff --json old.zbd new.zbd";

pub(crate) const MERGE: &str = "Examples:
  bitexact merge original.zbd mine.zbd yours.zbd -o both.zbd
  bitexact merge original.mod mine.mod yours.mod --favor theirs -o both.mod
  git config merge.bitexact.driver 'bitexact merge %O %A %B --path %P'";

pub(crate) const TEXTCONV: &str = "Examples:
  bitexact textconv gamez.zbd
  git config diff.bitexact.textconv 'bitexact textconv'";

pub(crate) const MODS: &str = "Examples:
  bitexact mod make original mine -o cool.bxmod --title Cool --author Ann --version 1.0
  bitexact mod show cool.bxmod
  bitexact mod check \"MechWarrior 3\" cool.bxmod more.bxmod
  bitexact mod apply \"MechWarrior 3\" cool.bxmod more.bxmod
  bitexact mod apply nwn a.bxmod b.bxmod --renumber
  bitexact mod undo \"MechWarrior 3\" cool.bxmod";

pub(crate) const LINT: &str = "Examples:
  bitexact lint \"MechWarrior 3\"
  bitexact lint --list";

pub(crate) const EXPORT: &str = "Examples:
  bitexact export gamez.zbd
  bitexact export texture.zbd sheet.png
  bitexact export texture.zbd!sky01_4 sky.png
  bitexact export sounds.zbd!horn.wav horn.wav
  bitexact export dialog.tlk texts.csv
  bitexact export reader.zbd!weapons.zrd weapons.zrd
  bitexact export greet.ncs greet.asm";

pub(crate) const IMPORT: &str = "Examples:
  bitexact import c_cat.mdl c_cat.glb -n
  bitexact import cats.hak!c_cat.mdl c_cat.glb --backup
  bitexact import greet.ncs greet.asm
  bitexact import dialog.tlk texts.csv --backup";

pub(crate) const SNAPSHOT: &str = "Examples:
  bitexact snapshot \"MechWarrior 3\" -o before.jsonl
  bitexact snapshot zbd --sha256sum";

pub(crate) const SCHEMA: &str = "Examples:
  bitexact schema archive";

pub(crate) const FORMATS: &str = "Examples:
  bitexact formats";

pub(crate) const COMPLETIONS: &str = "Examples:
  bitexact completions bash";

pub(crate) const MAN: &str = "Examples:
  bitexact man pages";

/// The text of `bitexact help places`.
pub(crate) const PLACES: &str = "\
A place names a value in a file. Errors, deviations, `diff` and `inspect --map` print places;
`inspect`, `patch` and mods take them.

  /nodes/slots/12/object/rotate     the value that these names and indices lead to; indices count from 0
  weapons.zrd:/0/1                  a value in the entry weapons.zrd; `bitexact ls` lists the entries
  0!OBJS:/objects/0/x               a value in an entry of an entry
  twin.zrd#2:/0                     in the second of several entries named twin.zrd
  @vexsha_87/object/translate       in what has this name: a node, an entry or a definition
  /animations/0/events/-            with --set, a new last item of a list
  /                                 the whole file

Quote places in a shell, because ! and # mean something to some shells: 'sounds.zbd!horn.wav'.
An entry can be given as FILE!ENTRY: `inspect`, `patch`, `unpack`, `export`, `import` and `cat` take it
for a file. For a place that does not exist, the error names the part of it that does, and similar
names.
";

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    use super::super::Call;
    use super::*;

    #[test]
    fn every_command_has_examples_that_it_accepts() {
        for command in Call::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let lines: Vec<&str> = help.lines().skip(1).collect();
            assert!(help.starts_with("Examples:\n") && !lines.is_empty(), "{}", command.get_name());
            for line in lines {
                let mut words = shell_words::split(line).expect("closed quotes");
                // Git calls what it is given, with a file at the end for `textconv`.
                if words.starts_with(&["git".to_owned(), "config".to_owned()]) {
                    let call = words.pop().unwrap_or_default();
                    let file = words.iter().any(|word| word.ends_with(".textconv")).then(|| "FILE".to_owned());
                    words = shell_words::split(&call).expect("closed quotes");
                    words.extend(file);
                }
                let words: Vec<String> = words.into_iter().take_while(|word| word != ">").collect();
                assert_eq!(words.get(1).map(String::as_str), Some(command.get_name()), "{line}");
                if let Err(error) = Call::try_parse_from(&words) {
                    panic!("{line}: {error}");
                }
            }
        }
    }

    #[test]
    fn topic_fits_a_terminal() {
        assert!(PLACES.lines().all(|line| line.chars().count() <= 110));
    }
}
