//! Replaces one folder by another without ever losing the files that a user has edited.
//!
//! If the system can exchange two names in one step, that suffices. Otherwise the old folder is first moved aside, under a name by
//! which a later call finds it and moves it back if its place is empty.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use output::folder_of;

/// The file system operations used. Tests let any of them fail.
trait Steps {
    /// Exchanges the names of two paths.
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()>;
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
}

struct Disk;

impl Steps for Disk {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
    }

    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    fn exchange(&self, _: &Path, _: &Path) -> io::Result<()> {
        Err(ErrorKind::Unsupported.into())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }
}

/// Puts a folder in its place. The old folder ends up at the path of the new one.
///
/// # Errors
/// Returns an error if that fails. The old folder is then still in place, or the message reports its location.
pub(super) fn put(new: &Path, folder: &Path) -> io::Result<()> {
    put_by(&Disk, new, folder)
}

fn put_by(steps: &impl Steps, new: &Path, folder: &Path) -> io::Result<()> {
    if fs::symlink_metadata(folder).is_err() {
        return steps.rename(new, folder);
    }
    match steps.exchange(new, folder) {
        // Not every file system supports this, and sandboxes forbid the call.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::Unsupported | ErrorKind::InvalidInput | ErrorKind::PermissionDenied
            ) =>
        {
            one_after_the_other(steps, new, folder)
        }
        done => done,
    }
}

fn one_after_the_other(steps: &impl Steps, new: &Path, folder: &Path) -> io::Result<()> {
    let aside = aside(folder).ok_or(ErrorKind::InvalidInput)?;
    let shown = aside.display();
    if fs::symlink_metadata(&aside).is_ok() {
        let why = format!("an interrupted run left the earlier folder as {shown}; move it away or delete it");
        return Err(io::Error::new(ErrorKind::AlreadyExists, why));
    }
    steps.rename(folder, &aside)?;
    if let Err(error) = steps.rename(new, folder) {
        return Err(match steps.rename(&aside, folder) {
            Ok(()) => error,
            Err(_) => io::Error::new(
                error.kind(),
                format!("{error}; the earlier folder is {shown}; run this again to restore it"),
            ),
        });
    }
    steps.rename(&aside, new).map_err(|error| {
        io::Error::new(error.kind(), format!("the new folder is in place, and the old one is {shown}: {error}"))
    })
}

/// Returns the name under which a folder is moved aside.
fn aside(folder: &Path) -> Option<PathBuf> {
    let mut name = std::ffi::OsString::from(".");
    name.push(folder.file_name()?);
    name.push(".bitexact-old");
    Some(folder_of(folder).join(name))
}

/// Moves a folder back that was moved aside for one that never arrived. Returns `true` if there was one.
///
/// # Errors
/// Returns an error if it exists but cannot be moved back.
pub fn recover(folder: &Path) -> io::Result<bool> {
    // A link leads to its original place.
    let real = fs::read_link(folder).map_or_else(|_| folder.to_owned(), |to| folder_of(folder).join(to));
    let Some(aside) = aside(&real).filter(|aside| aside.is_dir()) else { return Ok(false) };
    if fs::symlink_metadata(&real).is_ok() {
        return Ok(false);
    }
    fs::rename(aside, real).map(|()| true)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// A file system on which one step fails, or every step from then on, as if the process was killed.
    struct Failing {
        exchanges: bool,
        left: Cell<usize>,
        recovers: bool,
    }

    impl Failing {
        fn step(&self) -> io::Result<()> {
            match self.left.get().checked_sub(1) {
                Some(left) => {
                    self.left.set(left);
                    Ok(())
                }
                None => {
                    if self.recovers {
                        self.left.set(usize::MAX);
                    }
                    Err(io::Error::other("injected"))
                }
            }
        }
    }

    impl Steps for Failing {
        fn exchange(&self, one: &Path, other: &Path) -> io::Result<()> {
            if !self.exchanges {
                return Err(ErrorKind::Unsupported.into());
            }
            self.step()?;
            let aside = other.with_file_name("exchange");
            fs::rename(other, &aside).and_then(|()| fs::rename(one, other)).and_then(|()| fs::rename(aside, one))
        }

        fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
            self.step()?;
            fs::rename(from, to)
        }
    }

    fn desk() -> tempfile::TempDir {
        let desk = tempfile::tempdir().expect("a folder");
        for name in ["old", "new"] {
            let folder = desk.path().join(if name == "old" { "map" } else { "staged" });
            fs::create_dir(&folder).expect("a folder");
            fs::write(folder.join("says"), name).expect("a file");
        }
        desk
    }

    fn says(folder: &Path) -> Option<String> {
        fs::read_to_string(folder.join("says")).ok()
    }

    #[test]
    fn folder_is_old_or_new_whatever_step_fails() {
        for (exchanges, steps) in [(true, 1), (false, 3)] {
            for (recovers, failing) in [true, false].into_iter().flat_map(|it| (0..=steps).map(move |at| (it, at))) {
                let desk = desk();
                let (new, folder) = (desk.path().join("staged"), desk.path().join("map"));
                let outcome = put_by(&Failing { exchanges, left: Cell::new(failing), recovers }, &new, &folder);
                assert_eq!(outcome.is_ok(), failing == steps, "{outcome:?}");
                // The caller never deletes edited files, unless the new folder is in its place.
                let came = says(&folder).as_deref() == Some("new");
                assert_eq!(came, failing == steps || failing == 2, "{failing}");
                assert!(came || says(&new).as_deref() == Some("new"), "the old one is not where it would be deleted");
                let recovered = recover(&folder).expect("it can be put back");
                assert_eq!(says(&folder).as_deref(), Some(if came { "new" } else { "old" }));
                let message = outcome.err().map(|error| error.to_string()).unwrap_or_default();
                assert_eq!(recovered, message.contains("run this again to restore it"), "{message}");
                if came && failing < steps {
                    assert!(message.contains(".map.bitexact-old"), "{message}");
                    assert_eq!(says(&desk.path().join(".map.bitexact-old")).as_deref(), Some("old"));
                }
            }
        }
    }

    #[test]
    fn leftover_of_earlier_call_is_not_replaced() {
        let desk = desk();
        let (new, folder) = (desk.path().join("staged"), desk.path().join("map"));
        fs::create_dir(desk.path().join(".map.bitexact-old")).expect("a folder");
        let steps = Failing { exchanges: false, left: Cell::new(9), recovers: true };
        let why = put_by(&steps, &new, &folder).expect_err("refused").to_string();
        assert!(why.contains("an interrupted run left") && says(&folder).as_deref() == Some("old"), "{why}");
        assert!(!recover(&folder).expect("nothing to do"), "there is a folder in its place");
    }

    #[test]
    fn disk_exchanges_two_folders() {
        let desk = desk();
        let (new, folder) = (desk.path().join("staged"), desk.path().join("map"));
        put(&new, &folder).expect("it is put");
        assert_eq!([&folder, &new].map(|it| says(it)), ["new", "old"].map(|it| Some(it.to_owned())));
        put(&new, &desk.path().join("other")).expect("it is put where nothing was");
        assert_eq!(says(&desk.path().join("other")).as_deref(), Some("old"));
    }
}
