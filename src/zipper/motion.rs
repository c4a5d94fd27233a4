//! Motions: the movement of the parts of a 'Mech, as loose files or entries of `motion.zbd` (MechWarrior 3, Pirate's
//! Moon).
//!
//! | part | bytes |
//! |---|---|
//! | [`Header`], number of frames, [`HeaderEnd`] | 24 |
//! | per part: name after its length, [`Tracks`], the tracks, one value per frame plus one | 8 + name + 28 per frame |
//!
//! Every part of a motion has the same number of frames. In retail files, the last frame of a track repeats the first,
//! but not always to the bit (`-0.0 == 0.0`), so it is preserved. Not yet understood: `unk16`, `unk20`.
//!
//! Source: [`zipper-motion.md`](formats::zipper_motion).

use bitflags::Flags as _;

use field::macros::split_head;
use field::{Block, Change, F32, Fault, Result, Run, Shaped, U32, change, lay, wide};
use field::{flags, record};
use kind::{Format, Game, binrw_over_lay};

use super::{Quaternion, Vec3};

record! {
    /// The header up to the number of frames, 8 bytes. Source: `zipper-motion.md`, section 1.
    pub struct Header: 8 {
        version: U32 = 4,
        /// In seconds; in the samples it does not depend on the number of frames, so it is never recomputed.
        loop_time: F32,
    }
}

record! {
    /// The header after the number of frames, 12 bytes. Source: `zipper-motion.md`, section 1.
    pub struct HeaderEnd: 12 {
        part_count: U32 as Outside,
        unk16: F32 = -1.0,
        unk20: F32 = 1.0,
    }
}

flags! {
    /// The tracks of a part, in file order. Source: `zipper-motion.md`, section 1.
    pub struct Tracks(U32: u32) {
        /// Never set; the size of such a track is not known, so a part with it is refused.
        SCALE = 2;
        /// Four floats per frame.
        ROTATION = 4;
        /// Three floats per frame, before the rotations.
        TRANSLATION = 8;
    }
}

record! {
    /// The flag word of a part, 4 bytes. Source: `zipper-motion.md`, section 1.
    pub struct PartHeader: 4 {
        flags: Tracks = Tracks::BOTH,
    }
}

impl Tracks {
    /// The tracks of every retail part.
    pub const BOTH: Self = Self(U32::new(12));
}

/// The movement of one part.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// The name of the node that the part moves, such as `lthigh`.
    pub name: Block,
    /// The tracks that follow.
    pub head: PartHeader,
    /// The position in each frame.
    pub translations: Block<Vec3>,
    /// The rotation in each frame.
    pub rotations: Block<Quaternion>,
}

/// A motion.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    /// Version and time.
    pub head: Header,
    /// The number of stored frames minus one; it can be chosen freely only if no track determines it.
    pub frame_count: U32,
    /// Number of parts and two constants.
    pub head_end: HeaderEnd,
    /// The parts, in file order; names may repeat.
    pub parts: Vec<Part>,
    /// Bytes after the last part.
    pub trailing: Block,
}

impl Motion {
    /// Returns `true` if some bytes begin like a motion (`zipper-archives.md`, section 7, test 3).
    #[must_use]
    pub fn begins(bytes: &[u8]) -> bool {
        bytes
            .get(..24)
            .is_some_and(|head| head.starts_with(&4_u32.to_le_bytes()) && head.ends_with(b"\0\0\x80\xBF\0\0\x80\x3F"))
    }

    /// Returns the number of frames in the tracks, or `None` if there is no track.
    fn frames(&self) -> Option<u64> {
        self.parts.iter().find_map(|part| {
            let tracks = part.head.flags;
            if tracks.contains(Tracks::TRANSLATION) {
                Some(wide(part.translations.len()))
            } else {
                tracks.contains(Tracks::ROTATION).then(|| wide(part.rotations.len()))
            }
        })
    }
}

lay! {
    impl Lay for Motion {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            let frames = self.frames();
            if frames == Some(0) {
                // The file stores frames minus one, so it cannot store a track without frames.
                return Err(t.error_in("parts", Fault::Count { expected: 1, found: 0 }));
            }
            t.fields(at!(self.head))?;
            t.counted("frame_count", at!(self.frame_count), frames.map(|frames| frames - 1))?;
            let none = self.frame_count.get() == 0;
            t.expect("frame_count", || none.then(|| ("at least 1".into(), 0.into())));
            t.computed("part_count", at!(self.head_end.part_count), wide(self.parts.len()))?;
            t.fields(at!(self.head_end))?;
            let frames = t.stated("frame_count", self.frame_count)? + 1;
            let parts = t.stated("part_count", self.head_end.part_count)?;
            t.list("parts", parts, 8, at!(self.parts), |t, part| {
                t.text::<U32>("name_length", "name", field::GAME_TEXT, at!(part.name))?;
                t.fields(at!(part.head))?;
                let tracks = part.head.flags;
                if Tracks::BOTH.contains(tracks) {
                    let present = |track| if tracks.contains(track) { frames } else { 0 };
                    track(t, "translations", present(Tracks::TRANSLATION), at!(part.translations))?;
                    track(t, "rotations", present(Tracks::ROTATION), at!(part.rotations))
                } else {
                    Err(t.error_in(
                        "flags",
                        Fault::Unknown { expected: "tracks whose size is known".into(), found: format!("{tracks:?}") },
                    ))
                }
            })?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }

    /// Lays out a track. A motion loops: its last frame equals its first (to the bit in every sample, numerically in
    /// retail files).
    fn track<T: Shaped>(t: &mut Tape<'_>, name: &'static str, frames: u64, track: at!(Block<T>)) -> Result {
        t.recompute(name, at!(*track), |track, _| Ok(close(track)))?;
        t.block(name, frames, track)?;
        t.expect(name, || {
            let (first, last) = (field::bytes_of(track.first()?), field::bytes_of(track.last()?));
            (first != last).then(|| (T::SHAPE.show(first), T::SHAPE.show(last)))
        });
        Ok(())
    }
}

/// Makes the last frame of a track equal to the first one.
fn close<T: Shaped>(track: &mut Block<T>) -> Change {
    let first = *track.first()?;
    track.edit(|frames| change(frames.last_mut()?, first))
}

impl Format for Motion {
    const NAME: &'static str = "motion";
    const TITLE: &'static str = "'Mech motion";
    const GAMES: &'static [Game] = &[Game::MechWarrior3, Game::PiratesMoon];
    const CLAIMS: &'static [&'static str] = &["*.motion"];

    /// Checks the version and constants of the header, and that the parts end exactly at the end of the file. (An
    /// archive of motions begins with the header of its first motion.)
    fn recognize(file: &[u8]) -> Option<Vec<Game>> {
        let (_, rest): (Header, _) = Self::begins(file).then(|| split_head(file))??;
        let (frames, rest): (U32, _) = split_head(rest)?;
        let (head_end, mut rest): (HeaderEnd, _) = split_head(rest)?;
        for _ in 0..head_end.part_count.get() {
            let (length, named): (U32, _) = split_head(rest)?;
            let (head, tracks): (PartHeader, _) = split_head(named.get(usize::try_from(length.get()).ok()?..)?)?;
            let size = |track, size| if head.flags.contains(track) { size } else { 0 };
            let frame = size(Tracks::TRANSLATION, size_of::<Vec3>()) + size(Tracks::ROTATION, size_of::<Quaternion>());
            rest = tracks.get(usize::try_from(frames.get()).ok()?.checked_add(1)?.checked_mul(frame)?..)?;
        }
        rest.is_empty().then(|| Self::GAMES.to_vec())
    }
}

binrw_over_lay!(Motion);

#[cfg(test)]
mod tests {
    use super::*;
    use field::{decode, encode};
    use json::recompute::fill_in;

    /// `zipper-motion.md`, section 3.
    const WORKED: &str = "04000000 8988083D 01000000 01000000 000080BF 0000803F 03000000 686970 0C000000 \
        00000000 0000B040 00000000 00000000 0000B040 00000000 \
        0000803F 00000000 00000000 00000000 0000803F 00000000 00000000 00000000";

    fn worked() -> Vec<u8> {
        let digits: Vec<u8> = WORKED.bytes().filter(u8::is_ascii_hexdigit).collect();
        let pairs = digits.chunks_exact(2).map(|pair| std::str::from_utf8(pair).expect("ascii"));
        pairs.map(|pair| u8::from_str_radix(pair, 16).expect("hex")).collect()
    }

    #[test]
    fn worked_example_round_trips() {
        let file = worked();
        assert_eq!(file.len(), 91);
        let motion = decode::<Motion>(file.clone()).expect("decodes").model;
        assert_eq!(motion.parts.len(), 1);
        let part = &motion.parts[0];
        assert_eq!(part.name.bytes(), b"hip");
        assert_eq!(part.translations[1].map(F32::get), [0.0, 5.5, 0.0]);
        assert_eq!(part.rotations[0].map(F32::get), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(encode(&motion).expect("encodes"), file);
    }

    #[test]
    fn counts_follow_the_lists() {
        let mut motion = decode::<Motion>(worked()).expect("decodes").model;
        motion.parts[0].translations.edit(|track| track.push(Vec3::default()));
        let error = fill_in(&mut motion).expect_err("the tracks differ");
        assert_eq!(error.to_string(), "0x00000047: /parts/0/rotations: expected 3 records, found 2");
        motion.parts[0].rotations.edit(|track| track.push(Quaternion::default()));
        fill_in(&mut motion).expect("the tracks agree");
        assert_eq!(encode(&motion).expect("encodes").len(), 91 + 28);
        assert_eq!(motion.frame_count.get(), 2);
    }
}
