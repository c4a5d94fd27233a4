//! Renames a node of a world and writes the world to another file.
//!
//! ```sh
//! cargo run --example rename_node -- gamez.zbd OLD NEW renamed.zbd
//! ```

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use bitexact::field::{decode, encode};
use bitexact::zipper::gamez::Gamez;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [world, old, new, output] = &arguments[..] else {
        return Err("usage: rename_node WORLD OLD NEW OUTPUT".into());
    };
    rename(world.as_ref(), old, new, output.as_ref())
}

/// Renames the first node with the name `old`. Animations that refer to it by this name are other files and keep it.
pub(crate) fn rename(world: &Path, old: &str, new: &str, output: &Path) -> Result<(), Box<dyn Error>> {
    let mut gamez: Gamez = decode(fs::read(world)?)?.model;
    let found = gamez.nodes().find(|node| node.head.name == old).map(|node| node.index);
    let node = found.and_then(|index| gamez.node_mut(index)).ok_or("no node has this name")?;
    // Fails if the name is too long or has characters that the code page of the games lacks.
    node.name.set(new)?;
    fs::write(output, encode(&gamez)?)?;
    Ok(())
}
