//! `forge`: writes the samples and the install to disk.

use clap::{Parser, Subcommand, ValueEnum};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Generates faithful sample files from the format specs
#[derive(Parser)]
#[command(version)]
struct Cli {
    /// Seed that determines the files
    #[arg(long, global = true, default_value_t = forge::INSTALL_SEED)]
    seed: u64,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Write the small install of every game
    Install {
        /// Folder to write it to
        dir: PathBuf,
    },
    /// Write all samples, and below `broken` the files that must be refused
    Samples {
        /// Folder to write them to
        dir: PathBuf,
        /// Size class of the samples
        #[arg(long, value_enum, default_value_t = Size::Small)]
        size: Size,
    },
    /// Write files with the counts of retail files but little in them, at least one of every kind
    TrueSize {
        /// Folder to write them to
        dir: PathBuf,
    },
    /// Write the install of a game in retail size
    Retail {
        /// Game: rc, mw, pm or cs
        #[arg(value_parser = clap::builder::PossibleValuesParser::new(forge::RETAIL))]
        game: String,
        /// Folder to write it to
        dir: PathBuf,
    },
    /// Write files made of the smallest records, at least one of every kind
    Amplified {
        /// Folder to write them to
        dir: PathBuf,
        /// Approximate size of each file in bytes
        bytes: usize,
    },
    /// Print the digests of the install, in `sha256sum` format
    Manifest,
}

#[derive(Clone, Copy, ValueEnum)]
enum Size {
    Tiny,
    Small,
    Retail,
}

fn main() -> io::Result<()> {
    let Cli { seed, command } = Cli::parse();
    match command {
        Command::Install { dir } => forge::install(seed).iter().try_for_each(|(path, bytes)| write(&dir, path, bytes)),
        Command::Samples { dir, size } => {
            let size = match size {
                Size::Tiny => forge::Size::Tiny,
                Size::Small => forge::Size::Small,
                Size::Retail => forge::Size::Retail,
            };
            forge::samples(seed, size).iter().try_for_each(|sample| write(&dir, &sample.name, &sample.bytes))?;
            forge::broken(seed).iter().try_for_each(|broken| write(&dir.join("broken"), &broken.name, &broken.bytes))
        }
        Command::TrueSize { dir } => {
            forge::true_size::true_size().try_for_each(|file| write(&dir, file.name, &file.bytes(seed)))
        }
        Command::Retail { game, dir } => forge::retail(seed, &game, |path, bytes| write(&dir, path, bytes)),
        Command::Amplified { dir, bytes } => {
            forge::amplified(bytes).iter().try_for_each(|sample| write(&dir, &sample.name, &sample.bytes))
        }
        Command::Manifest => forge::install(seed).iter().try_for_each(|(path, bytes)| {
            let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            writeln!(io::stdout(), "{digest}  {path}")
        }),
    }
}

fn write(dir: &Path, path: &str, bytes: &[u8]) -> io::Result<()> {
    let path = dir.join(path);
    fs::create_dir_all(path.parent().unwrap_or(dir))?;
    fs::write(path, bytes)
}
