//! Folders whose files are in memory, so that no disk is measured.

use std::env;
use std::path::{Path, PathBuf};

/// The memory file system of Linux.
const SHARED_MEMORY: &str = "/dev/shm";

/// Returns a folder in memory if the system has one, or else its folder for temporary files.
#[must_use]
pub fn memory_folder() -> PathBuf {
    let shared = PathBuf::from(SHARED_MEMORY);
    if shared.is_dir() { shared } else { env::temp_dir() }
}

/// Returns a warning if a folder is not in a memory file system, or if this cannot be detected.
#[must_use]
pub fn warning(folder: &Path) -> Option<String> {
    let shown = folder.display();
    match is_in_memory(folder) {
        Some(true) => None,
        Some(false) => Some(format!("{shown} is not in a memory file system: the figures include the disk")),
        None => {
            Some(format!("cannot detect whether {shown} is in a memory file system: the figures may include the disk"))
        }
    }
}

/// Returns `true` if a folder is in a memory file system, or `None` if this cannot be detected.
#[cfg(target_os = "linux")]
fn is_in_memory(folder: &Path) -> Option<bool> {
    /// The types of tmpfs and of ramfs in `statfs(2)`.
    const MAGICS: [u32; 2] = [0x0102_1994, 0x8584_58f6];
    // The type is a signed or unsigned word of 32 or 64 bits, depending on the architecture; the magics have 32.
    rustix::fs::statfs(folder).ok().map(|about| MAGICS.contains(&(about.f_type as u32)))
}

#[cfg(not(target_os = "linux"))]
fn is_in_memory(_: &Path) -> Option<bool> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn folders_outside_memory_are_reported() {
        // Every Linux has /proc, and it is neither tmpfs nor ramfs.
        let warning = warning(Path::new("/proc")).unwrap_or_default();
        assert!(warning.starts_with("/proc is not in a memory file system"), "{warning}");
    }

    #[test]
    fn shared_memory_is_a_memory_file_system() {
        match Path::new(SHARED_MEMORY).is_dir() {
            true => assert_eq!(warning(Path::new(SHARED_MEMORY)), None),
            false => eprintln!("skipped: {SHARED_MEMORY} does not exist"),
        }
    }
}
