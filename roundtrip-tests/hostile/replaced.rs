//! A folder that `unpack --force` replaces is the old or the new one at any moment (A9), and its other contents are
//! left alone.

use std::fs;
use std::os::unix::fs::symlink;
use std::panic::resume_unwind;
use std::process::{Command, Stdio};
use std::time::Instant;

use forge::archive::{Content, Entry, Spec, build};
use forge::reader::{self, float, list};

use super::{Desk, map};
use crate::modder::kills::kills;

/// Returns an archive of many readers.
pub(crate) fn archive(entries: usize, value: f32) -> Vec<u8> {
    let entry = |nth: usize| {
        let data = reader::build(&reader::Spec::new(list([float(value), float(nth as f32)])));
        Entry { flags: 2, time: 1, ..Entry::new(format!("{nth}.zrd").as_bytes(), data) }
    };
    build(&Spec::new(2, Content::Readers, (0..entries).map(entry).collect()))
}

/// Returns which of the two archives a folder holds, and checks that it is complete.
fn whole(desk: &Desk, old: &[u8], new: &[u8]) -> &'static str {
    let packed = desk.run(&["pack", "form", "packed.zbd", "--force"]);
    assert_eq!(packed.code, Some(0), "the folder is not whole: {packed:?} {:?}", desk.names(""));
    match desk.read("packed.zbd") {
        it if it == old => "old",
        it if it == new => "new",
        _ => panic!("neither the old nor the new one"),
    }
}

/// How many folders are replaced at once: each call mostly waits for the disk and for the delay of its renames, which
/// leaves the processors to the others.
const AT_ONCE: u32 = 3;

#[test]
fn killed_process_leaves_the_old_or_the_new_folder() {
    let (old, new) = (archive(300, 0.5), archive(300, 1.5));
    // If renames can be delayed, the time between two of them is long enough to be hit. With -D, the killed process is
    // the program.
    let slow = cfg!(target_os = "linux") && super::has_strace();
    if !slow {
        eprintln!("there is no strace to make renames slow: that the process is killed between two of them is luck");
    }
    let rounds = kills(150);
    let counts = std::thread::scope(|scope| {
        let (old, new) = (&old, &new);
        let kill = |first| move || killed(slow, old, new, (first..rounds).step_by(AT_ONCE as usize));
        let threads = Vec::from_iter((0..AT_ONCE).map(|first| scope.spawn(kill(first))));
        let counts = threads.into_iter().map(|it| it.join().unwrap_or_else(|panic| resume_unwind(panic)));
        counts.fold([0, 0], |[early, late], [more_early, more_late]| [early + more_early, late + more_late])
    });
    assert!(counts[0] > 0 && counts[1] > 0, "it was always too early or too late: {counts:?}");
}

/// Kills a call in each of the rounds, and returns how many kills left the folder before the call, and the one after it.
fn killed(slow: bool, old: &[u8], new: &[u8], rounds: impl Iterator<Item = u32>) -> [u32; 2] {
    let desk = Desk::new();
    desk.write("old.zbd", old);
    desk.write("new.zbd", new);
    desk.ok(&["unpack", "old.zbd", "form"]);
    let unpack = |file| {
        let program = desk.command(&["unpack", file, "form", "--force", "-q"]);
        let mut command = if slow { Command::new("strace") } else { desk.command(&[]) };
        if slow {
            let calls = "rename,renameat,renameat2";
            let inject = format!("inject={calls}:delay_exit=30000");
            command.args(["-D", "-f", "-o", "trace", "-e", &format!("trace={calls}"), "-e", &inject]);
            command.current_dir(desk.path("")).arg(program.get_program());
        }
        command.args(program.get_args()).stderr(Stdio::null()).spawn().unwrap()
    };
    let begun = Instant::now();
    assert!(unpack("old.zbd").wait().unwrap().success());
    let time = begun.elapsed();
    let (mut counts, mut now) = ([0, 0], "old");
    for round in rounds {
        let file = if now == "old" { "new.zbd" } else { "old.zbd" };
        let mut child = unpack(file);
        // Most kills are near the end, when the two folders are swapped.
        std::thread::sleep(time * (40 + round % 65) / 100);
        child.kill().unwrap();
        child.wait().unwrap();
        let before = now;
        now = whole(&desk, old, new);
        counts[usize::from(before != now)] += 1;
    }
    // Leftovers of killed processes are beside the folder and do no harm.
    desk.ok(&["unpack", "new.zbd", "form", "--force"]);
    assert_eq!(whole(&desk, old, new), "new");
    counts
}

#[cfg(target_os = "linux")]
#[test]
fn edited_folder_survives_failing_renames() {
    if !super::has_strace() {
        eprintln!("skipped: there is no strace to let renames fail; the tests of exchange::folder::swap do without");
        return;
    }
    let desk = Desk::new();
    desk.write("m1.zmap", &map());
    for (faults, code, left_aside) in [
        ("-e inject=rename,renameat,renameat2:error=EIO:when=2+", 0, false),
        ("-e inject=rename,renameat,renameat2:error=EIO", 2, false),
        ("-e inject=renameat2:error=EINVAL", 0, false),
        ("-e inject=renameat2:error=EINVAL -e inject=rename,renameat:error=EIO:when=2", 2, false),
        ("-e inject=renameat2:error=EINVAL -e inject=rename,renameat:error=EIO:when=2+", 2, true),
        ("-e inject=renameat2:error=EINVAL -e inject=rename,renameat:signal=KILL:when=2", 137, true),
    ] {
        desk.ok(&["unpack", "m1.zmap", "form"]);
        desk.write("form/mine.txt", b"an evening's work");
        let said = desk.shell(&format!("strace -f -o trace {faults} $B unpack m1.zmap form --force; exit $?"));
        let killed = said.code.is_none() || said.code == Some(137);
        assert!(said.code == Some(code) || code == 137 && killed, "{faults}: {said:?}");
        assert_eq!(!desk.path("form").exists(), left_aside, "{faults}: {:?}", desk.names(""));
        if left_aside {
            assert!(killed || said.err.contains("run this again to restore it"), "{said:?}");
            // The next call restores the folder, even one that is then refused because it lacks --force.
            let next = desk.run(&["unpack", "m1.zmap", "form"]);
            assert!(next.err.contains("form: restored, because an earlier unpack was interrupted"), "{next:?}");
            assert!(next.err.contains("use --force to replace it"), "{next:?}");
        }
        if code != 0 {
            assert_eq!(desk.read("form/mine.txt"), b"an evening's work", "{faults}");
        }
        fs::remove_dir_all(desk.path("form")).unwrap();
        for name in desk.names("").iter().filter(|name| name.starts_with(".bitexact-")) {
            assert_eq!(code, 137, "{faults}: {name} is left");
            fs::remove_dir_all(desk.path(name)).unwrap();
        }
    }
}

#[test]
fn displaced_folder_is_put_back_by_the_next_call() {
    let desk = Desk::unpacked();
    fs::rename(desk.path("map"), desk.path(".map.bitexact-old")).unwrap();
    let said = desk.ok(&["pack", "map", "new.zmap"]);
    assert!(said.err.starts_with("map: restored, because an earlier unpack was interrupted"), "{said:?}");
    assert!(desk.read("new.zmap") == map());
    assert_eq!(desk.names(""), ["m1.zmap", "map", "new.zmap"]);
}

#[test]
fn current_folder_is_filled_but_not_replaced() {
    let desk = Desk::new();
    desk.write("m1.zmap", &map());
    fs::create_dir(desk.path("here")).unwrap();
    let said = desk.shell("cd here && $B unpack ../m1.zmap . && ls -a && cd .. && $B -q pack here new.zmap");
    assert_eq!((said.code, said.out()), (Some(0), ".\n..\n.schema\nbitexact.json\n"), "{said:?}");
    assert!(desk.read("new.zmap") == map());
    // An edited folder is not empty; a shell in it would be left in a deleted folder.
    desk.write("here/inner/x", b"");
    for (folder, name) in [("here", "."), ("here/inner", ".."), ("here", "../here")] {
        let said = desk.shell(&format!("M=$PWD/m1.zmap; cd {folder} && $B unpack $M {name} --force"));
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.err.contains("is the current folder or contains it"), "{said:?}");
    }
    assert_eq!(desk.names("here"), [".schema", "bitexact.json", "inner"]);
}

#[test]
fn links_and_pipes_in_a_folder_are_refused_and_not_followed() {
    for make in
        ["ln -s /etc/passwd map/more.txt", "ln -s /etc map/folder", "mkfifo map/pipe", "ln -s nowhere map/x.json"]
    {
        let desk = Desk::unpacked();
        desk.shell(make);
        let name = make.rsplit(' ').next().unwrap();
        let said = desk.run(&["pack", "map", "new.zmap"]);
        assert_eq!(said.code, Some(2), "{make}: {said:?}");
        assert!(said.err.starts_with(&format!("bitexact: {name}: expected the file of an entry, found ")), "{said:?}");
        assert!(!desk.path("new.zmap").exists());
    }
    // A link to the folder itself is what the user typed.
    let desk = Desk::unpacked();
    symlink("map", desk.path("link")).unwrap();
    desk.ok(&["pack", "link", "new.zmap"]);
}
