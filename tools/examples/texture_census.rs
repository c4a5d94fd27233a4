//! Lists all textures of an install as CSV.
//!
//! ```sh
//! cargo run --example texture_census -- "Program Files/MechWarrior 3" > textures.csv
//! ```

use std::env;
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

use bitexact::install::walk;
use bitexact::registry::Typed;

fn main() -> Result<(), Box<dyn Error>> {
    env::args().skip(1).try_for_each(|folder| census(folder.as_ref(), &mut io::stdout()))
}

/// Writes a row for each texture of the packages below a folder.
pub(crate) fn census(folder: &Path, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    writeln!(out, "package,texture,width,height,colors")?;
    for found in walk(folder)? {
        // Files of other kinds, and those of no kind, have no textures.
        let Ok(file) = bitexact::open(&found.path) else { continue };
        let Typed::Package(package) = file.typed() else { continue };
        let shown = found.path.strip_prefix(folder)?.display().to_string();
        for (slot, image) in package.directory.iter().zip(&package.images) {
            let colors = image.head.palette_count.get();
            writeln!(out, "{shown},{},{},{},{colors}", slot.name, image.head.width, image.head.height)?;
        }
    }
    Ok(())
}
