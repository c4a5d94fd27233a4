//! Odd values are preserved and reported, data that cannot be laid out is refused, and bugs of bitexact are not hidden.

use bitexact::field::{Block, Place, Result, Run, U32, build, visit, walk};
use bitexact::json::Compact;
use bitexact::kind::{Format, Game};
use bitexact::lint::Lint;
use bitexact::passes::Map;
use bitexact::registry::{KINDS, Kind};
use bitexact::verify::{Failure, Report, Status, verify};
use forge::{Size, wad};

use crate::harness;

fn verified(name: &str, bytes: Vec<u8>) -> Report {
    let report = verify(KINDS, name, bytes);
    assert_eq!(report.status, Status::Identical, "{name}: {:?}", report.failure);
    assert_eq!(report.rewritten, report.sha256, "{name}");
    report
}

/// Returns the deviations of a file as `place: expected, found`.
fn deviations(name: &str, bytes: Vec<u8>) -> Vec<String> {
    let report = verified(name, bytes);
    let line = |it: &bitexact::passes::Deviation| {
        format!("{}: {}, {}", it.first_place, Compact(&it.expected), Compact(&it.found))
    };
    report.deviations.iter().map(line).collect()
}

#[test]
fn deviations_are_reported_exactly_for_the_generated_ones() {
    let mut wrong = Vec::new();
    for size in [Size::Tiny, Size::Small] {
        for sample in forge::samples(harness::SEED, size) {
            let (name, trap) = (sample.name, sample.trap);
            let report = verified(&name, sample.bytes);
            let deviations = report.deviations;
            if deviations.is_empty() == sample.deviates {
                let says = if sample.deviates { "a deviation" } else { "none" };
                wrong.push(format!("{name} ({size:?}, {trap:?}): the forge says {says}, found {deviations:?}"));
            }
        }
    }
    let advice = "if a new rule is meant, mark the sample `reported` in tools/forge, or let it obey the rule";
    assert!(wrong.is_empty(), "{}\n{advice}", wrong.join("\n"));
}

#[test]
fn games_match_those_of_the_forge() {
    for sample in forge::samples(harness::SEED, Size::Small) {
        let report = verified(&sample.name, sample.bytes);
        assert_eq!(report.kind, Some(sample.kind), "{}", sample.name);
        let games: Vec<_> = report.games.iter().map(|game| game.code()).collect();
        assert!(sample.games.iter().all(|game| games.contains(game)), "{}: {games:?}", sample.name);
        // Content alone distinguishes these; for other kinds it can leave several games open.
        if ["motion", "wad", "zmap"].contains(&sample.kind) {
            assert_eq!(games, sample.games, "{}", sample.name);
        }
    }
}

#[test]
fn broken_files_never_pass() {
    let broken = forge::broken(harness::SEED);
    assert!(broken.len() > 100);
    for file in broken {
        let length = file.bytes.len() as u64;
        let report = verify(KINDS, &file.name, file.bytes);
        match (report.status, report.failure) {
            (Status::Refused, Some(Failure::Decode(error))) => {
                assert!(error.offset().is_some_and(|offset| offset <= length), "{}: {error}", file.name);
                // A `.scen` file is a wad or a wrapper of one.
                assert!(report.kind == Some(file.kind) || file.name.ends_with(".scen"), "{}", file.name);
            }
            // A broken wrapper is recognized neither by its name nor by its content.
            (Status::Unknown, None) => assert!(file.kind == "macbinary" || file.kind == "applesingle"),
            (status, failure) => panic!("{} is {status:?}, though {}: {failure:?}", file.name, file.why),
        }
    }
}

fn level() -> wad::Entry {
    let chunk = |tag: &[u8; 4], data: &[u8]| wad::Chunk {
        gap: vec![],
        tag: *tag,
        next: None,
        length: None,
        patch_offset: 0,
        data: data.to_vec(),
    };
    wad::Entry { chunks: vec![chunk(b"PNTS", &[1; 12]), chunk(b"NOTE", b"")], ..wad::Entry::default() }
}

#[test]
fn wrong_checksum_is_reported_with_both_values() {
    let mut spec = wad::Spec::new(2, 1, b"Arrival", vec![level()]);
    assert_eq!(deviations("a.sceA", wad::build(&spec)), [""; 0]);
    let right = u32::from_be_bytes(wad::build(&spec)[68..72].try_into().unwrap());
    spec.checksum = Some(0x3C9);
    assert_eq!(deviations("a.sceA", wad::build(&spec)), [format!("/checksum: {right}, {}", 0x3C9)]);
}

#[test]
fn gaps_and_trailing_bytes_are_reported_with_their_places() {
    let mut spec = wad::Spec::new(2, 1, b"Arrival", vec![level(), level()]);
    spec.entries[1].gap = vec![0xAB; 3];
    spec.entries[1].chunks[1].gap = vec![0; 2];
    spec.trailing = b"tail".to_vec();
    let found = deviations("a.sceA", wad::build(&spec));
    assert_eq!(
        found,
        [
            r#"/pieces/1/gap: "nothing", "3 bytes: ab ab ab""#,
            r#"1:/chunks/0/gap: "nothing", "2 bytes: 00 00""#,
            r#"/trailing: "nothing", "4 bytes: 74 61 69 6c""#,
        ]
    );
}

/// Returns the kind recognized by content alone.
fn told(bytes: &[u8]) -> Option<&'static str> {
    verify(KINDS, "nameless", bytes.to_vec()).kind
}

#[test]
fn lengths_of_a_map_must_tile_it() {
    let mut map = vec![0; 32];
    map[0] = 5;
    let head = map.clone();
    map.extend([0xFF, 0x80, 0x00, 1, 0, 0, 0]);
    map.extend([0; 12]);
    map.extend((-1_i32).to_le_bytes());
    assert_eq!(told(&map), Some("zmap"));
    let [mut version, mut points] = [map.clone(), map.clone()];
    version[0] = 6;
    points[35] = 2;
    for other in [version, points, head, [map, vec![0]].concat()] {
        assert_eq!(told(&other), None);
    }
}

#[test]
fn header_and_directory_of_a_wad_must_be_consistent() {
    let wad = wad::build(&wad::Spec::new(2, 1, b"Arrival", vec![level()]));
    assert_eq!(told(&wad), Some("wad"));
    let directory = i32::from_be_bytes(wad[72..76].try_into().unwrap()) as usize;
    // The data version, the offset of the directory, the number of entries, and the length of the first.
    for (at, value) in [(2, [0, 3].as_slice()), (72, &[0, 0, 0, 4]), (76, &[0, 0]), (directory + 4, &[0, 0, 0, 4])] {
        let mut other = wad.clone();
        other[at..at + value.len()].copy_from_slice(value);
        assert_eq!(told(&other), None, "{value:?} at {at}");
    }
}

#[test]
fn looping_chain_of_chunks_is_refused() {
    for (chunk, next, found) in [
        (0, 4, "0x00000084: 0:/chunks/0/next: expected 0, or from 28 to less than 44, found 4"),
        (1, 0x1C, "0x000000a0: 0:/chunks/1/next: expected 0, found 28"),
    ] {
        let mut spec = wad::Spec::new(2, 1, b"Arrival", vec![level()]);
        spec.entries[0].chunks[chunk].next = Some(next);
        let report = verify(KINDS, "a.sceA", wad::build(&spec));
        assert_eq!(report.status, Status::Refused);
        let Some(Failure::Decode(error)) = report.failure else { panic!("{:?}", report.failure) };
        assert_eq!(error.to_string(), found);
    }
}

#[test]
fn errors_in_a_chunk_are_reported_under_its_tag() {
    let wad = wad::build(&wad::Spec::new(2, 1, b"Arrival", vec![level()]));
    let model = (harness::kind("wad").decode)(wad.into()).unwrap().model;
    let mut map = Map::default();
    visit(&model, &mut map).unwrap();
    let places: Vec<_> = map.stretches.iter().map(|it| it.place.to_string()).collect();
    assert!(places.iter().any(|it| it.starts_with("0!PNTS:/")), "{places:?}");
}

#[test]
fn truncated_map_is_refused_by_its_name() {
    let map = forge::samples(harness::SEED, Size::Small).into_iter().find(|it| it.name == "m1.zmap").unwrap();
    let cut = map.bytes[..map.bytes.len() - 5].to_vec();
    let report = verify(KINDS, "M1.ZMAP", cut.clone());
    assert_eq!((report.status, report.kind), (Status::Refused, Some("zmap")));
    assert_eq!(verify(KINDS, "m1.dat", cut).status, Status::Unknown);
}

/// A format with a bug: it does not write its last byte.
#[derive(Clone, Default)]
struct Forgetful {
    number: U32,
    bytes: Block,
}

impl build::Lay for Forgetful {
    fn lay(&mut self, t: &mut build::Tape<'_>) -> Result {
        t.value("number", &mut self.number)?;
        t.rest("bytes", Run::Opaque, &mut self.bytes)
    }
}

impl walk::Lay for Forgetful {
    fn lay(&self, t: &mut walk::Tape<'_>) -> Result {
        t.value("number", &self.number)?;
        let mut bytes = self.bytes.clone();
        bytes.edit(Vec::pop);
        t.rest("bytes", Run::Opaque, &bytes)
    }
}

/// A format that swaps two bytes when it writes.
#[derive(Clone, Default)]
struct Swapped(U32);

impl build::Lay for Swapped {
    fn lay(&mut self, t: &mut build::Tape<'_>) -> Result {
        t.value("number", &mut self.0)
    }
}

impl walk::Lay for Swapped {
    fn lay(&self, t: &mut walk::Tape<'_>) -> Result {
        t.value("number", &U32::from(self.0.get().rotate_left(16)))
    }
}

mod uncounted {
    use bitexact::field::{Block, Result, Run, U32, lay};
    use bitexact::record;

    record! {
        /// A magic and a length.
        pub(super) struct Head: 8 { magic: U32, length: U32 as Outside }
    }

    /// A format that reads any length and states the computed one.
    #[derive(Clone, Debug, Default)]
    pub(super) struct Uncounted {
        head: Head,
        bytes: Block,
    }

    lay! {
        impl Lay for Uncounted {
            fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
                t.computed("length", at!(self.head.length), self.bytes.len() as u64)?;
                t.fields(at!(self.head))?;
                t.rest("bytes", Run::Opaque, at!(self.bytes))
            }
        }
    }
}
use uncounted::Uncounted;

/// A format that panics.
#[derive(Clone, Default)]
struct Panics;

impl build::Lay for Panics {
    fn lay(&mut self, _: &mut build::Tape<'_>) -> Result {
        panic!("planted")
    }
}

impl walk::Lay for Panics {
    fn lay(&self, _: &mut walk::Tape<'_>) -> Result {
        panic!("planted")
    }
}

macro_rules! planted {
    ($($format:ty, $magic:literal;)*) => { $(
        impl Lint for $format {}

        impl Format for $format {
            const NAME: &'static str = "planted";
            const TITLE: &'static str = "a planted bug";
            const GAMES: &'static [Game] = &[];
            const CLAIMS: &'static [&'static str] = &[];

            fn recognize(file: &[u8]) -> Option<Vec<Game>> {
                file.starts_with($magic).then(Vec::new)
            }
        }
    )* };
}
planted! {
    Forgetful, b"forg";
    Swapped, b"swap";
    Uncounted, b"unco";
    Panics, b"pani";
}

static PLANTED: &[Kind] =
    &[Kind::of::<Forgetful>(), Kind::of::<Swapped>(), Kind::of::<Uncounted>(), Kind::of::<Panics>()];

fn differs(file: &[u8]) -> (u64, Option<String>) {
    let report = verify(PLANTED, "planted", file.to_vec());
    assert_eq!(report.status, Status::Different);
    assert_ne!(report.rewritten, report.sha256);
    match report.failure {
        Some(Failure::Differs { offset, place }) => (offset, place.as_ref().map(Place::to_string)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn dropped_byte_is_different_even_at_the_end() {
    assert_eq!(differs(b"forget me"), (8, None));
}

#[test]
fn swapped_field_is_different_with_its_place() {
    assert_eq!(differs(b"swap"), (0, Some("/number".to_owned())));
}

#[test]
fn model_that_cannot_be_encoded_is_different_though_its_bytes_are_the_same() {
    let file = |length: u32| [b"unco", &length.to_le_bytes()[..], b"abc"].concat();
    assert_eq!(verify(PLANTED, "planted", file(3)).status, Status::Identical);
    let report = verify(PLANTED, "planted", file(4));
    assert_eq!((report.status, &report.rewritten), (Status::Different, &report.sha256));
    let Some(Failure::Decode(error)) = report.failure else { panic!("{:?}", report.failure) };
    assert!(error.to_string().starts_with("0x00000000: /length: expected 3"), "{error}");
    let model = bitexact::field::decode::<Uncounted>(file(4)).unwrap().model;
    assert_eq!(bitexact::field::encode(&model).unwrap_err().to_string(), error.to_string());
}

#[test]
fn panic_is_reported_as_internal_error() {
    let report = verify(PLANTED, "planted", b"panic".to_vec());
    assert!(report.is_internal());
    assert_eq!(report.failure, Some(Failure::Internal("planted".to_owned())));
    assert_eq!(report.bytes, 5);
}
