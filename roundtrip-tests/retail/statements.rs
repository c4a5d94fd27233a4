//! Statements of others about retail installs: arithmetic that needs no file, and facts that are checked on an install that
//! the environment variable `BITEXACT_INSTALL` names.
//!
//! Source: `vectors-cs.md` (ids that begin with `cs`) and `vectors-rc-mw-pm.md`; an id contains the number of the section.

mod arithmetic;
mod crimson_skies;
mod fact;
mod facts;
mod install;
mod left;
mod mechwarrior;
mod recoil;
mod tally;
mod worlds;

use std::collections::BTreeSet;
use std::path::Path;

use bitexact::kind::Game;

use fact::Fact;
use facts::statements;
use install::{File, Retail};

/// A statement about an install of a game.
#[derive(Clone)]
struct Statement {
    id: String,
    game: Game,
    /// A file without which the statement does not apply, because it is about another edition.
    needs: &'static str,
    /// The pattern of the paths of the files, in lower case.
    files: String,
    fact: Fact,
    expected: u64,
}

/// How a statement fares on an install.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Closure {
    Held,
    Failed(u64),
    /// The install is of another game or edition, or has no such file.
    NotApplicable,
}

impl Statement {
    /// Returns the row of the statement in the table.
    fn row(&self, closure: &Closure) -> String {
        let Self { id, files, fact, expected, .. } = self;
        let closure = match closure {
            Closure::Held => "held".to_owned(),
            Closure::Failed(found) => format!("FAILED: {found}"),
            Closure::NotApplicable => "did not apply".to_owned(),
        };
        format!("{id:24} {files} {fact:?} = {expected}: {closure}")
    }
}

/// With `BITEXACT_INSTALL`, prints how every statement fares on the installs below that folder, and fails if one does not hold.
#[test]
fn statements_hold_on_a_retail_install() {
    let Some(folder) = std::env::var_os("BITEXACT_INSTALL") else {
        return eprintln!("BITEXACT_INSTALL names no install: the statements about retail files are not checked");
    };
    let installs = Retail::read(Path::new(&folder));
    assert!(!installs.is_empty(), "{}: no install of a known game", Path::new(&folder).display());
    let mut failed = 0;
    for install in &installs {
        let (mut held, mut other) = (0, 0);
        for statement in statements() {
            let closure = install.check(&statement);
            match closure {
                Closure::Held => held += 1,
                Closure::Failed(_) => failed += 1,
                Closure::NotApplicable => other += 1,
            }
            if closure != Closure::NotApplicable {
                println!("{}", statement.row(&closure));
            }
        }
        println!("{}: {held} held, {failed} failed, {other} did not apply", install.game.title());
    }
    assert_eq!(failed, 0, "see the table above, or run it with --nocapture");
}

/// Writes the sample installs, and files that they lack.
fn write_installs(folder: &Path) {
    let write = |path: &str, bytes: &[u8]| {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    let install = forge::install(forge::INSTALL_SEED);
    install.iter().for_each(|(path, bytes)| write(path, bytes));
    write("mw/Mech3.exe", b"MZ");
    let (_, animations) = install.iter().find(|(path, _)| path == "rc/zbd/m1/anim.zbd").unwrap();
    write("rc/zbd/m2/anim.zbd", &[animations, &[0; 4][..]].concat());
    let (_, rof) = install.iter().find(|(path, _)| path.ends_with("crimson.rof")).unwrap();
    let member = File::new("crimson.rof".to_owned(), rof.clone()).decoded("*").unwrap();
    write("cs/GOSDATA/ASSETS/GRAPHICS/font.tga", &member);
    let saves = forge::save::samples(0, forge::Size::Small);
    let save = &saves.iter().find(|it| it.name == "Mission.102.sav").unwrap().bytes;
    for name in ["Persist.000", "Status.dat", "AutoSave.sav", "Mission.102"] {
        write(&format!("cs/Pilots/Nathan/{name}"), save);
    }
    write("cs/Pilots/Nathan/Planes/Fury", &[0; 204]);
}

/// Forged installs have other numbers, but everything that the statements count.
#[test]
fn forged_installs_have_what_the_statements_count() {
    let forged = tempfile::tempdir().unwrap();
    write_installs(forged.path());
    let installs = Retail::read(forged.path());
    assert_eq!(installs.len(), 5);
    let (mut shapes, mut read) = (BTreeSet::new(), BTreeSet::new());
    for statement in statements() {
        // Any file of this name stands for that of the statement, and any value and any entry for those in it.
        let name = statement.files.rsplit('/').next().unwrap();
        let name = if name.ends_with("_anim.zbd") { "_anim.zbd" } else { name };
        let any = Statement { files: format!("*{name}"), needs: "", fact: statement.fact.of_any(), ..statement };
        let shape = (any.game.code(), any.fact);
        shapes.insert(shape);
        if installs.iter().filter_map(|install| install.count(&any)).any(|count| count > 0) {
            read.insert(shape);
        }
    }
    let unread: Vec<_> = shapes.difference(&read).collect();
    assert!(unread.is_empty(), "{unread:#?}");
}

/// A statement that was counted by a loop, or moved to another table, is still one.
#[test]
fn no_statement_is_lost_or_given_twice() {
    let all = statements();
    let ids: BTreeSet<_> = all.iter().map(|it| (it.game.code(), &it.id)).collect();
    assert_eq!((all.len(), ids.len()), (839, 839));
}

#[test]
fn closures_are_told_apart() {
    let bytes = |count: usize| Retail {
        game: Game::CrimsonSkies,
        files: vec![File::new("ebusetup.sem".to_owned(), vec![0; count])],
    };
    let of = |files: &str, needs| Statement {
        id: "cs-1".to_owned(),
        game: Game::CrimsonSkies,
        needs,
        files: files.to_owned(),
        fact: Fact::Bytes,
        expected: 0,
    };
    assert_eq!(bytes(0).check(&of("ebusetup.sem", "")), Closure::Held);
    assert_eq!(bytes(3).check(&of("*.sem", "")), Closure::Failed(3));
    assert_eq!(bytes(0).check(&of("other", "")), Closure::NotApplicable);
    assert_eq!(bytes(0).check(&of("*.sem", "zbd/*")), Closure::NotApplicable);
    assert_eq!(of("*.sem", "").row(&Closure::Failed(3)), format!("{:24} *.sem Bytes = 0: FAILED: 3", "cs-1"));
}
