//! On Windows, a window that Explorer has opened for the program stays open until its user has read it.

/// Waits for Enter if Explorer has started the program, as for files dropped on it: the window would close with the program.
///
/// To ask whether the console belongs to this process alone takes unsafe code or an unmaintained crate, so its parent decides, as in other
/// programs.
#[cfg(windows)]
pub(crate) fn hold() {
    use std::io::{IsTerminal as _, stderr, stdin};
    if stdin().is_terminal() && stderr().is_terminal() && parent().is_some_and(|it| is_explorer(&it)) {
        super::out::complain("");
        super::out::complain("Press Enter to close this window.");
        // There is nothing left to do if no line can be read.
        let _ = stdin().read_line(&mut String::new());
    }
}

/// Does nothing: other systems open no window for a program of the command line.
#[cfg(not(windows))]
pub(crate) fn hold() {}

/// Returns the name of the program that has started this one, while it runs.
#[cfg(windows)]
fn parent() -> Option<String> {
    use winsafe::{HPROCESSLIST, co};
    let mut list = HPROCESSLIST::CreateToolhelp32Snapshot(co::TH32CS::SNAPPROCESS, None).ok()?;
    let processes: Vec<(u32, u32, String)> = list
        .iter_processes()
        .filter_map(|it| it.ok().map(|it| (it.th32ProcessID, it.th32ParentProcessID, it.szExeFile())))
        .collect();
    let (_, parent, _) = processes.iter().find(|(id, ..)| *id == std::process::id())?;
    processes.iter().find(|(id, ..)| id == parent).map(|(.., name)| name.clone())
}

#[cfg(any(windows, test))]
fn is_explorer(program: &str) -> bool {
    program.rsplit(['\\', '/']).next().is_some_and(|name| name.eq_ignore_ascii_case("explorer.exe"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn explorer_is_told_from_shells() {
        assert!(super::is_explorer("explorer.exe") && super::is_explorer("C:\\Windows\\Explorer.EXE"));
        assert!(!["cmd.exe", "powershell.exe", "WindowsTerminal.exe", ""].iter().any(|it| super::is_explorer(it)));
    }

    #[cfg(windows)]
    #[test]
    fn program_that_started_the_tests_is_found_if_it_runs() {
        // Its name depends on how the tests are run; that of the tests themselves would be a mistake.
        assert!(super::parent().is_none_or(|name| !name.is_empty() && !super::is_explorer(&name)));
    }
}
