//! Lists the meshes of worlds, 'Mech libraries and Neverwinter models.
//!
//! ```sh
//! cargo run --example list_meshes -- gamez.zbd mechlib.zbd c_boar.mdl
//! ```

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::{env, fs};

use bitexact::aurora::model::Model;
use bitexact::field::decode;
use bitexact::kind::MeshRef;
use bitexact::registry::{KINDS, recognize};
use bitexact::zipper::archive::Archive;
use bitexact::zipper::gamez::Gamez;

fn main() -> Result<(), Box<dyn Error>> {
    env::args().skip(1).try_for_each(|path| list(path.as_ref(), &mut io::stdout()))
}

/// Writes a line for each mesh of a file.
pub(crate) fn list(path: &Path, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let file = fs::read(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // The content determines the kind; the name only helps if the content leaves it open.
    let (kind, _) = recognize(KINDS, &name, &file).ok_or("an unknown kind of file")?;
    match kind.name {
        "gamez" => print(decode::<Gamez>(file)?.model.meshes(), out),
        "archive" => print(decode::<Archive>(file)?.model.meshes(), out),
        "mdl" => print(decode::<Model>(file)?.model.meshes(), out),
        other => Err(format!("no meshes in files of the kind {other}").into()),
    }
}

fn print<'a>(meshes: impl Iterator<Item = MeshRef<'a>>, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    for mesh in meshes {
        let entry = mesh.entry.map(|entry| format!("{entry}: ")).unwrap_or_default();
        let name = mesh.name.unwrap_or_else(|| "(no node)".to_owned());
        writeln!(out, "{entry}{name}: {} vertices, {} faces", mesh.vertices.len(), mesh.faces)?;
    }
    Ok(())
}
