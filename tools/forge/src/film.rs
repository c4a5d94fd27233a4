//! Game recordings: the actions of players, tick by tick. Source: marathon-wad.md, section 8.

mod samples;

use crate::bytes::{Bytes, field};
pub(crate) use samples::film;
pub use samples::{broken, samples};

/// A game recording. Source: marathon-wad.md, section 8.
#[derive(Clone, Debug)]
pub struct Spec {
    /// `None`: the length of header and runs.
    pub length: Option<i32>,
    /// `None`: the number of players with flags.
    pub player_count: Option<i16>,
    /// Index of the level.
    pub level: i16,
    /// The checksum field of the map.
    pub map_checksum: u32,
    /// The engine version that made the recording.
    pub version: i16,
    /// The bytes of unused players.
    pub unused_players: u8,
    /// The bytes after the names of players.
    pub name_tail: Vec<u8>,
    /// The action flags of each player in each tick.
    pub flags: Vec<Vec<u32>>,
    /// Replaces the runs computed from the flags.
    pub runs: Option<Vec<(i16, u32)>>,
    /// Bytes after the runs, within the length.
    pub rest: Vec<u8>,
    /// Type and content of the extension.
    pub extension: Option<(u32, Vec<u8>)>,
    /// `None`: the length of the extension, including these 8 bytes.
    pub extension_length: Option<u32>,
    /// Bytes at the end of the file.
    pub trailing: Vec<u8>,
}

impl Spec {
    /// Creates a recording with computed values.
    pub fn new(version: i16, map_checksum: u32, flags: Vec<Vec<u32>>) -> Self {
        Self {
            length: None,
            player_count: None,
            level: 0,
            map_checksum,
            version,
            unused_players: 0,
            name_tail: vec![],
            flags,
            runs: None,
            rest: vec![],
            extension: None,
            extension_length: None,
            trailing: vec![],
        }
    }
}

/// Writes the file.
pub fn build(spec: &Spec) -> Vec<u8> {
    let runs = spec.runs.clone().unwrap_or_else(|| runs(&spec.flags));
    let mut out = Bytes::new();
    out.be_i32(spec.length.unwrap_or((352 + 6 * runs.len() + spec.rest.len()) as i32));
    out.be_i16(spec.player_count.unwrap_or(spec.flags.len() as i16)).be_i16(spec.level);
    out.be_u32(spec.map_checksum).be_i16(spec.version);
    for player in 0..8 {
        match player < spec.flags.len() {
            true => out.be_i16(player as i16).be_u16(0x8000).be_i16(2).raw(&field::<34>(b"Bob", &spec.name_tail)),
            false => out.fill(spec.unused_players, 40),
        };
    }
    out.be_i32(0x7FFF_FFFF).be_i16(1).be_u16(0x102C).be_i16(0).be_i16(-21846).be_i16(2).fill(0, 4);
    runs.iter().for_each(|&(count, flags)| _ = out.be_i16(count).be_u32(flags));
    out.raw(&spec.rest);
    if let Some((purpose, content)) = &spec.extension {
        out.be_u32(spec.extension_length.unwrap_or(content.len() as u32 + 8)).be_u32(*purpose).raw(content);
    }
    out.raw(&spec.trailing);
    out.finish()
}

/// Returns rounds of 256 ticks, each with a block per player; the last one has marks. An action that continues after the end of a block is
/// split into several runs.
fn runs(flags: &[Vec<u32>]) -> Vec<(i16, u32)> {
    let mut runs = vec![];
    let rounds = flags.iter().map(|flags| flags.len() / 256 + 1).max().unwrap_or(0);
    for round in 0..rounds {
        for player in flags {
            let ticks = player.chunks(256).nth(round).unwrap_or_default();
            runs.extend(ticks.chunk_by(|a, b| a == b).map(|run| (run.len() as i16, run[0])));
            if round + 1 == rounds {
                if player.len() % 256 == 0 {
                    runs.push((0, 0xFFFF_FFFF));
                }
                runs.push((257, 0));
            }
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::{Spec, build, runs};

    #[test]
    fn runs_do_not_cross_blocks() {
        let flags = [vec![1; 300], vec![2; 10]];
        assert_eq!(runs(&flags), [(256, 1), (10, 2), (44, 1), (257, 0), (257, 0)]);
        assert_eq!(runs(&[vec![1; 256]]), [(256, 1), (0, 0xFFFF_FFFF), (257, 0)]);
    }

    #[test]
    fn header_has_352_bytes() {
        let film = build(&Spec::new(2, 0x2D71_CCB4, vec![vec![]]));
        assert_eq!((film.len(), &film[..14]), (364, &[0, 0, 1, 108, 0, 1, 0, 0, 0x2D, 0x71, 0xCC, 0xB4, 0, 2][..]));
    }
}
