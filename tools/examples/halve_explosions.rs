//! Halves the damage of all explosions in a physics model of Marathon.
//!
//! ```sh
//! cargo run --example halve_explosions -- Physics.phys Halved.phys
//! ```

use std::env;
use std::error::Error;
use std::path::Path;

use bitexact::marathon::physics::{Definitions, Physics};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [model, output] = &arguments[..] else { return Err("usage: halve_explosions MODEL OUTPUT".into()) };
    println!("{} explosions", halve(model.as_ref(), output.as_ref())?);
    Ok(())
}

/// Halves the damage of the projectiles that hurt around them, and returns their number.
pub(crate) fn halve(model: &Path, output: &Path) -> Result<usize, Box<dyn Error>> {
    let mut file = bitexact::open(model)?;
    let physics: &mut Physics = file.model_mut()?.ok_or("expected a physics model of Marathon")?;
    let mut halved = 0;
    for block in &mut physics.blocks {
        let Definitions::Projectiles(projectiles) = &mut block.definitions else { continue };
        projectiles.edit(|all| {
            for projectile in all.iter_mut().filter(|it| it.area_of_effect.get() > 0) {
                projectile.damage.base = (projectile.damage.base.get() / 2).into();
                projectile.damage.random = (projectile.damage.random.get() / 2).into();
                halved += 1;
            }
        });
    }
    file.save(output)?;
    Ok(halved)
}
