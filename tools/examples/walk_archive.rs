//! Lists the entries of an archive, with details of the sounds and motions among them.
//!
//! ```sh
//! cargo run --example walk_archive -- soundsH.zbd
//! ```

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::{env, fs};

use bitexact::field::decode;
use bitexact::kind::Container as _;
use bitexact::zipper::Payload;
use bitexact::zipper::archive::Archive;

fn main() -> Result<(), Box<dyn Error>> {
    env::args().skip(1).try_for_each(|path| walk(path.as_ref(), &mut io::stdout()))
}

/// Writes a line for each entry of an archive. Other containers have the same methods.
pub(crate) fn walk(path: &Path, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let archive: Archive = decode(fs::read(path)?)?.model;
    for entry in archive.entries() {
        // Each kind that decodes has a variant; bytes that do not decode are `Payload::Opaque`.
        let more = match entry.content {
            Payload::Motion(motion) => format!(", {} s", motion.head.loop_time),
            Payload::LibraryVersion(version) => format!(", version {}", version.version),
            Payload::Opaque(_) => ", not decoded".to_owned(),
            _ => String::new(),
        };
        writeln!(out, "{}: {}, {} bytes{more}", entry.name(), entry.kind(), entry.bytes()?.len())?;
    }
    Ok(())
}
