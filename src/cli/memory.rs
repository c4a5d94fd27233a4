//! The memory limit of a run: that of `--memory`, or that of the machine.

use std::fs;
use std::path::Path;

use bitexact::field::{limits, memory};
use bytesize::ByteSize;

/// Sets the limit of the run.
pub(crate) fn limit(wanted: Option<ByteSize>) {
    memory::allow(wanted.map_or_else(by_default, |wanted| wanted.as_u64()));
}

/// Returns [`limits::MEMORY`], or less if less is available to the process.
fn by_default() -> u64 {
    [limits(), available(), of_group()].into_iter().flatten().fold(limits::MEMORY, u64::min)
}

/// The address space that a thread takes: its stack, and the amount that the allocator reserves for it.
#[cfg(unix)]
const THREAD: u64 = 128 << 20;
/// The minimum limit, so that small files pass even if almost no memory is left.
#[cfg(unix)]
const LEAST: u64 = 16 << 20;

/// Returns half of what the lowest limit of the shell (`ulimit -v`, `ulimit -d`) leaves after the threads. The other half is for
/// fragmentation in the allocator and for the program itself.
#[cfg(unix)]
fn limits() -> Option<u64> {
    use rustix::process::{Resource, getrlimit};
    let limits = [Resource::As, Resource::Data].map(|resource| getrlimit(resource).current);
    let bytes = limits.into_iter().flatten().min()?;
    // Four threads belong to the program: one waits, one runs, one finds files, one hashes.
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get).saturating_add(4);
    let threads = bitexact::field::wide(threads).saturating_mul(THREAD);
    Some((bytes.saturating_sub(threads) / 2).max(LEAST))
}

#[cfg(not(unix))]
const fn limits() -> Option<u64> {
    None
}

/// Returns the memory that Linux can give to programs without swapping.
fn available() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1 << 10)
}

/// Returns the memory that the control group of a container can still use.
fn of_group() -> Option<u64> {
    let number = |file| fs::read_to_string(Path::new("/sys/fs/cgroup").join(file)).ok()?.trim().parse::<u64>().ok();
    Some(number("memory.max")?.saturating_sub(number("memory.current").unwrap_or(0)))
}
