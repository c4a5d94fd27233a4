//! Signs of damage that need no known hashes: lost bytes read back as zeros, and gaps where no tool of the games leaves one.
//!
//! A file with lost bytes can decode and come back bit for bit.

use core::ops::Range;

use bytes::Bytes;

use field::{
    Class, Datum, Detail, Error, Fault, Group, Item, Leaf, Place, Result, Run, Shape, Step, Takes, Visitor, What, wide,
};
use kind::Kind;
use lint::{Counted, Scope, Trap, Warning, traps};

use super::spoiled::{self, Decoder};
use super::zeros::{END, LONG, PIECE, end_zeros, has_zeros, is_lost_end, zeros};

traps! { TRAPS:
    STUB = "film-stub" in Damage:
        "a film is a part of the installer, not a film" =>
        "the game crashes when it plays the film: replace it by the file from the disc, or delete it",
        "zipper-other.md, section 6 (measured)";
    FILE_OF_ZEROS = "zeros-in-file" in Damage:
        "a file consists of zeros, or has a long run of them where values are expected" =>
        "the bytes are lost: compare the file with another copy",
        "zipper-installs.md, section 8 (checked)";
    FILE_CUT = "file-cut" in Damage:
        "a file ends before the end of a part" => "its end is lost: compare the file with another copy",
        "zipper-installs.md, section 8 (checked)";
    ENTRY_OF_ZEROS = "zeros-in-entry" in Damage:
        "an entry consists of zeros only" => "the entry is lost: compare the file with another copy",
        "zipper-installs.md, section 8 (checked)";
    PACKED = "zeros-in-packed" in Damage:
        "a compressed stream contains a long run of zeros" => "the stream is lost from there: compare the file with another copy",
        "zipper-other.md, section 1 (measured)";
    PIXELS = "zeros-in-pixels" in Doubt:
        "an image contains a long run of zeros" => "it can be black, or lost: look at it, or compare the file with another copy",
        "zipper-installs.md, section 8 (checked)";
    LOST_GAP = "zeros-in-gap" in Damage:
        "a long run of zeros belongs to no part of the file" => "what was there is lost: compare the file with another copy",
        "zipper-installs.md, section 8 (checked)";
    END_OF_ZEROS = "zeros-at-end" in Doubt:
        "the second half of a file is nothing but zeros" =>
        "it can be black, silent or blank, or lost: compare the file with another copy", "zipper-installs.md, section 8 (checked)";
    WORDS = "word-repeated" in Damage:
        "a word, or a byte of a text, is repeated over a long run of bytes" =>
        "a disk or a tool has written it in place of bytes that it could not read: compare the file with another copy",
        "zipper-installs.md, section 8 (checked)";
    FILLED = "byte-in-samples" in Doubt:
        "a long run of one byte in a sound" => "a sound can be so silent, or the bytes are lost: compare the file with another copy",
        "zipper-installs.md, section 8 (checked)";
    GAP = "unowned-gap" in Doubt:
        "a long run of bytes belongs to no part of the file" =>
        "the game does not read it: something may have overwritten an offset or a length", "zipper-installs.md, section 8 (checked)";
}

/// The least number of zeros in an image that are reported. Smaller black areas are common.
const BLACK: usize = 32 << 10;

/// Returns `true` if many values of this shape in a row can be 0: numbers of one sort, such as positions, colors and probabilities.
fn is_numbers(shape: &Shape) -> bool {
    let is_float = |shape: &Shape| matches!(shape, Shape::Leaf(Leaf { takes: Takes::Float, .. }));
    match shape {
        Shape::Leaf(_) => true,
        Shape::Array(of, _) => is_numbers(of),
        Shape::Record(layout) => layout.fields.iter().all(|field| is_float(&field.shape)),
    }
}

/// Returns `true` if bytes of this class are not zero for long.
const fn is_telling(class: Class) -> bool {
    matches!(class, Class::Semantic | Class::Derived)
}

/// A long run of one word or byte, which a failing disk or the tool that read it has written in place of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Filling {
    run: Range<usize>,
    word: Vec<u8>,
}

/// The bytes that a filling is looked for in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Among {
    /// A sound, in which few bytes in a row are alike but those of silence.
    Samples,
    /// A text, in which only blanks and ornaments are repeated.
    Text,
    /// Any other bytes, among them images, which have large areas of one color.
    Any,
}

impl Among {
    const fn of(run: Run) -> Self {
        if matches!(run, Run::Samples) { Self::Samples } else { Self::Any }
    }

    /// Returns `true` if bytes are lost where this word is repeated, or may be.
    fn is_filling(self, word: &[u8]) -> bool {
        match word {
            [byte] => match self {
                Self::Samples => FILLERS.contains(byte),
                Self::Text => !matches!(byte, 0 | b'\t' | b'\n' | b'\r' | b' '..=b'~'),
                Self::Any => false,
            },
            word => is_word(word),
        }
    }
}

/// The bytes that disks are formatted with, and that tools and memory are filled with. None of them is silence, but FF, which is -1 in a
/// sound of 16 bits.
const FILLERS: [u8; 11] = [0xFF, 0xF6, 0xE5, 0xAA, 0x55, 0xA5, 0x5A, 0xCC, 0xCD, 0xDD, 0xFE];
/// The words that memory is filled with, as bytes in both orders; those of 64 bits are two of them.
const WORDS_OF_MEMORY: [[u8; 4]; 4] =
    [[0xDE, 0xAD, 0xBE, 0xEF], [0xEF, 0xBE, 0xAD, 0xDE], [0xBA, 0xAD, 0xF0, 0x0D], [0x0D, 0xF0, 0xAD, 0xBA]];

/// Returns `true` for a word of at least five characters, most of them letters, or one that memory is filled with. Shorter words are
/// colors.
fn is_word(word: &[u8]) -> bool {
    let letters = word.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let is_text = word.len() >= 5 && letters >= 4 && word.iter().all(|byte| (b' '..=b'~').contains(byte));
    let is_of_memory = || {
        let twice = word.repeat(2);
        WORDS_OF_MEMORY.iter().any(|known| memchr::memmem::find(&twice, known).is_some())
    };
    is_text || word.len() == 4 && is_of_memory()
}

impl Filling {
    /// Returns `true` for a word, `false` for a single byte.
    fn is_word(&self) -> bool {
        self.word.len() > 1
    }

    fn trap(&self, among: Among) -> &'static Trap {
        if among == Among::Samples && !self.is_word() { &FILLED } else { &WORDS }
    }

    /// Returns the values found, for bytes that begin at this offset.
    fn found(&self, offset: u64) -> String {
        let is_text = self.is_word() && self.word.iter().all(u8::is_ascii);
        let word = if is_text {
            format!("\"{}\"", self.word.escape_ascii())
        } else {
            self.word.iter().map(|byte| format!("{byte:02X}")).collect()
        };
        format!("{} bytes of {word} from {:#x}", self.run.len(), offset + wide(self.run.start))
    }
}

/// The longest word of a filling.
const WORD: usize = 16;

/// Returns the first long run of a byte or a word in some bytes that nothing but lost bytes explains. Every long run contains a whole piece
/// of 512 bytes that begins at a multiple of half its length, so the other pieces need no look.
fn filling(bytes: &[u8], among: Among) -> Option<Filling> {
    let is_repeated = |piece: &[u8], period: usize| piece.get(period..) == piece.get(..piece.len() - period);
    let mut at = 0_usize;
    while let Some(piece) = bytes.get(at..at + PIECE) {
        let period = (1..=WORD).find(|period| is_repeated(piece, *period));
        let Some(period) = period else {
            at += LONG / 2;
            continue;
        };
        let follows = |at: &usize| bytes.get(*at) == at.checked_sub(period).and_then(|before| bytes.get(before));
        let end = (at + PIECE..bytes.len()).take_while(follows).last().map_or(at + PIECE, |last| last + 1);
        let precedes = |at: &usize| bytes.get(*at) == bytes.get(*at + period);
        let begin = (0..at).rev().take_while(precedes).last().unwrap_or(at);
        let word = bytes.get(begin..begin + period)?;
        if end - begin >= LONG && among.is_filling(word) {
            return Some(Filling { run: begin..end, word: word.to_vec() });
        }
        at = end;
    }
    None
}

/// Returns `true` if a file has a long run of a word over whatever parts.
pub fn has_words(file: &[u8]) -> bool {
    filling(file, Among::Any).is_some()
}

/// Zeros in a row, over as many parts of a file as they extend.
#[derive(Debug, Default)]
struct Zeros {
    begin: u64,
    bytes: u64,
    /// The number of them where values are expected.
    telling: u64,
    /// The first part where values are expected.
    place: Option<Place>,
    /// The number of entries that begin among them.
    entries: u64,
}

/// A quick look for signs of damage, while a file is verified.
#[derive(Clone, Copy, Debug, Default)]
pub struct Suspicion(bool);

impl Suspicion {
    /// Looks at some bytes of a file.
    pub fn data(&mut self, datum: &Datum<'_>) {
        if self.0 {
            return;
        }
        self.0 = match datum.what {
            What::Run(run) => match run {
                Run::Samples => zeros(datum.bytes, PIECE).is_some() || filling(datum.bytes, Among::Samples).is_some(),
                Run::Opaque | Run::Packed => zeros(datum.bytes, PIECE).is_some(),
                Run::Pixels => zeros(datum.bytes, BLACK).is_some(),
                Run::Surplus => datum.bytes.len() >= LONG,
                Run::Padding(_) | Run::Overlap(_) => false,
            },
            What::Text(_) => datum.bytes.len() >= LONG && filling(datum.bytes, Among::Text).is_some(),
            _ => false,
        };
    }

    /// Returns `true` if there is a reason for [`Damage`].
    pub const fn is_justified(self) -> bool {
        self.0
    }
}

/// A visitor that collects the signs of damage in bytes, which no model reports.
#[derive(Debug, Default)]
pub struct Damage {
    found: Counted,
    /// The kinds of the open entries.
    entries: Vec<&'static str>,
    /// The zeros at the end of what was walked so far.
    zeros: Zeros,
    /// `true` if anything was found that is certain.
    is_damaged: bool,
    /// Where other bytes follow the file, which are no part of it.
    end: Option<u64>,
    /// A run of a word over whatever parts, until its place is found.
    words: Option<Filling>,
}

impl Damage {
    /// Creates a visitor of a file, given the warnings of its model, that leaves out these bytes at the end, which follow the file.
    pub fn besides(known: &[Warning], file: &[u8], extra: Option<&Range<usize>>) -> Self {
        let is_damaged = known.iter().any(|it| it.trap.scope == Scope::Damage);
        let whole = file.get(..extra.map_or(file.len(), |extra| extra.start)).unwrap_or(file);
        let words = filling(whole, Among::Any);
        Self { is_damaged, end: extra.map(|extra| wide(extra.start)), words, ..Self::default() }
    }

    /// Returns the signs of damage in file order.
    pub fn finish(mut self) -> Vec<Warning> {
        let Zeros { begin, bytes, telling, entries, place } = core::mem::take(&mut self.zeros);
        let is_end = is_lost_end(bytes, begin + bytes);
        let trap = match telling {
            // A black image or a silent sound can be half of a file, but no entry begins with zeros.
            _ if is_end && (telling >= wide(END) || entries > 0) => Some(&FILE_OF_ZEROS),
            _ if is_end && !self.is_damaged => Some(&END_OF_ZEROS),
            telling if telling >= wide(LONG) => Some(&FILE_OF_ZEROS),
            _ => None,
        };
        if let Some(trap) = trap {
            self.found.add(trap, place.unwrap_or_default(), format!("{bytes} bytes from {begin:#x}"));
        }
        self.found.list
    }

    /// Adds the next bytes of the file, where values are expected if `is_telling`.
    fn next(&mut self, place: &Place, offset: u64, bytes: &[u8], is_telling: bool) {
        let lead = bytes.iter().take_while(|byte| **byte == 0).count();
        self.more_zeros(place, offset, lead, is_telling);
        if lead == bytes.len() {
            return;
        }
        self.end_zeros();
        let trail = end_zeros(bytes);
        let end = bytes.len() - trail;
        let at = |index: usize| offset + wide(index);
        if is_telling && let Some(run) = bytes.get(lead..end).and_then(|inner| zeros(inner, LONG)) {
            self.more_zeros(place, at(lead + run.start), run.len(), true);
            self.end_zeros();
        }
        self.more_zeros(place, at(end), trail, is_telling);
    }

    fn more_zeros(&mut self, place: &Place, offset: u64, count: usize, is_telling: bool) {
        if self.zeros.bytes == 0 {
            self.zeros.begin = offset;
        }
        self.zeros.bytes += wide(count);
        if is_telling && count > 0 {
            self.zeros.telling += wide(count);
            self.zeros.place.get_or_insert_with(|| place.clone());
        }
    }

    /// Ends the run of zeros, and reports it if it is long where values are expected.
    fn end_zeros(&mut self) {
        let Zeros { begin, bytes, telling, place, .. } = core::mem::take(&mut self.zeros);
        if let Some(place) = place.filter(|_| telling >= wide(LONG)) {
            self.is_damaged = true;
            self.found.add(&FILE_OF_ZEROS, place, format!("{bytes} bytes from {begin:#x}"));
        }
    }

    /// Adds the parts of the next data.
    fn parts(&mut self, datum: &Datum<'_>) {
        let is_telling = match datum.what {
            What::Fields(..) if datum.bytes.len() >= PIECE => {
                return datum.owners(&mut |it| self.next(it.place, it.offset, it.bytes, is_telling(it.class)));
            }
            // The places of all parts take much time and memory.
            What::Coded(codec, _) if codec.dense.is_some_and(|dense| has_zeros(dense(datum.bytes))) => {
                // What has no place in it belongs to no value: a blank entry of a table.
                let depth = datum.place.steps().len();
                return datum.owners(&mut |it| {
                    let is_telling = is_telling(it.class) && it.place.steps().len() > depth;
                    self.next(it.place, it.offset, it.bytes, is_telling);
                });
            }
            What::Fields(..) | What::Value(_) | What::Count(_) | What::Text(_) => true,
            What::Block(Item { shape, only_class, .. }, _) => !is_numbers(shape) && only_class.is_none_or(is_telling),
            What::Coded(..) | What::Run(_) | What::AsExpected(_) => false,
        };
        self.next(datum.place, datum.offset, datum.bytes, is_telling);
    }

    /// Reports a byte or a word that is repeated.
    fn filled(&mut self, among: Among, place: &Place, offset: u64, bytes: &[u8]) {
        if let Some(filling) = filling(bytes, among) {
            let trap = filling.trap(among);
            self.is_damaged |= trap.scope == Scope::Damage;
            self.found.add(trap, place.clone(), filling.found(offset));
            if filling.is_word() {
                self.words = None;
            }
        }
    }

    /// Reports the run of a word over whatever parts at the first of them.
    fn spread(&mut self, datum: &Datum<'_>) {
        let end = datum.offset + wide(datum.bytes.len());
        if let Some(words) = self.words.take_if(|words| wide(words.run.start) < end) {
            self.is_damaged = true;
            self.found.add(&WORDS, datum.place.clone(), words.found(0));
        }
    }

    fn run(&mut self, run: Run, place: &Place, offset: u64, bytes: &[u8]) {
        if let Run::Opaque | Run::Samples | Run::Packed | Run::Pixels = run {
            self.filled(Among::of(run), place, offset, bytes);
        }
        let mut report = |trap: &'static Trap, zeros: Range<usize>| {
            self.is_damaged |= trap.scope == Scope::Damage;
            let at = offset + wide(zeros.start);
            let found = format!("{} bytes from {at:#x}, of {}", zeros.len(), bytes.len());
            self.found.add(trap, place.clone(), found);
        };
        let is_entry = self.entries.last().is_some_and(|kind| *kind == "opaque");
        let is_end = place.steps() == [Step::Name("trailing")];
        let all = bytes.iter().all(|&byte| byte == 0);
        match run {
            Run::Opaque if is_entry && all && bytes.len() >= PIECE => report(&ENTRY_OF_ZEROS, 0..bytes.len()),
            Run::Packed => zeros(bytes, PIECE).into_iter().for_each(|run| report(&PACKED, run)),
            Run::Pixels => zeros(bytes, BLACK).into_iter().for_each(|run| report(&PIXELS, run)),
            Run::Surplus if bytes.len() >= LONG && all => report(&LOST_GAP, 0..bytes.len()),
            // Editors leave older contents at the end of a file.
            Run::Surplus if bytes.len() >= LONG && !is_end => report(&GAP, 0..bytes.len()),
            _ => {}
        }
    }
}

impl Visitor for Damage {
    fn data(&mut self, datum: &Datum<'_>) -> Result {
        if self.end.is_some_and(|end| datum.offset >= end) {
            return Ok(());
        }
        self.parts(datum);
        match datum.what {
            What::Run(run) => self.run(run, datum.place, datum.offset, datum.bytes),
            What::Text(_) if datum.bytes.len() >= LONG => {
                self.filled(Among::Text, datum.place, datum.offset, datum.bytes);
            }
            _ => {}
        }
        self.spread(datum);
        Ok(())
    }

    fn enter(&mut self, group: Group, _: &Place, _: u64) {
        if let Group::Entry { kind, .. } = group {
            self.zeros.entries += u64::from(self.zeros.bytes > 0);
            self.entries.push(kind);
        }
    }

    fn leave(&mut self, group: Group, _: &Place, _: u64) {
        if let Group::Entry { .. } = group {
            self.entries.pop();
        }
    }

    fn detail(&self) -> Detail {
        Detail::Places
    }
}

/// Returns the sign of damage of a file that decodes although its end is missing.
pub fn of_cut(kind: &Kind, file: &[u8]) -> Option<Warning> {
    let found = |whole: usize| format!("{} bytes of {whole}", file.len());
    spoiled::whole(kind, file).map(|whole| Warning::of(&FILE_CUT, Place::default(), found(whole)))
}

/// Returns the signs of damage in a file that does not decode. Bytes are missing only if nothing else explains the error.
pub fn of_error(error: &Error, file: &Bytes, decoder: Decoder<'_>) -> Option<Warning> {
    if let Some(warning) = spoiled::of_error(decoder, file, error) {
        return Some(warning);
    }
    let bytes = &**file;
    let zeros = end_zeros(bytes);
    if is_lost_end(wide(zeros), wide(bytes.len())) {
        return Some(of_zeros(bytes.len() - zeros..bytes.len(), bytes));
    }
    match *error.fault() {
        Fault::Cut { .. } => Some(Warning::of(&FILE_CUT, error.place().clone(), format!("{} bytes", bytes.len()))),
        Fault::Ends { count, each, remain }
            if !is_beyond_cut(count.saturating_mul(each).saturating_sub(remain), wide(bytes.len())) =>
        {
            let found = format!("{} bytes of {} remain", remain, count.saturating_mul(each));
            Some(Warning::of(&FILE_CUT, error.place().clone(), found))
        }
        // The numbers that are wrong in such a file are nearly always offsets.
        Fault::Outside { found, .. } if is_beyond(found, bytes.len()) => {
            let found = format!("{found} is expected in {} bytes", bytes.len());
            Some(Warning::of(&FILE_CUT, error.place().clone(), found))
        }
        _ => of_bytes(None, bytes),
    }
}

/// Returns `true` if more is said to be missing than a file of this size can lack. A wrong number can announce any length, but a file that
/// is cut at a fourth lacks no more than three times what it has.
pub const fn is_beyond_cut(missing: u64, bytes: u64) -> bool {
    missing > bytes.saturating_mul(3)
}

/// Returns `true` if an offset is behind the end of a file, but not farther than three times its size.
fn is_beyond(offset: i128, bytes: usize) -> bool {
    let bytes = i128::from(wide(bytes));
    offset > bytes && offset <= bytes * 4
}

fn of_zeros(run: Range<usize>, bytes: &[u8]) -> Warning {
    let found = format!("{} bytes from {:#x}, of {}", run.len(), run.start, bytes.len());
    Warning::of(&FILE_OF_ZEROS, Place::default(), found)
}

/// Returns the signs of damage in a file of no supported kind, which may have a name of one.
pub fn of_stranger(kind: Option<&str>, bytes: &[u8], is_claimed: bool) -> Option<Warning> {
    let cut = || {
        let end = end_of_program(bytes).filter(|end| kind == Some("program") && wide(bytes.len()) < *end)?;
        let found = format!("{} bytes of {end} remain", bytes.len());
        Some(Warning::of(&FILE_CUT, Place::default(), found))
    };
    of_bytes(kind, bytes).or_else(cut).or_else(|| spoiled::of_claimed(bytes).filter(|_| is_claimed))
}

/// Returns the end of the last section of a program of Windows by its header, or `None` for other programs.
fn end_of_program(bytes: &[u8]) -> Option<u64> {
    let word = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    let half = |at: usize| Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    let header = usize::try_from(word(0x3C)?).ok()?;
    bytes.get(header..)?.starts_with(b"PE\0\0").then_some(())?;
    let (count, optional) = (usize::from(half(header + 6)?), usize::from(half(header + 20)?));
    let table = header + 24 + optional;
    let end = |section: usize| Some((word(section + 8)?, word(section + 16)?, word(section + 20)?));
    let ends = (0..count).map(|nth| match end(table + 40 * nth) {
        // It has no bytes in the file.
        Some((_, 0, _) | (_, _, 0)) => Some(0),
        // The size in the file is rounded up, and the last section can lack the padding.
        Some((0, size, start)) => u64::from(size).checked_add(start.into()),
        Some((used, size, start)) => u64::from(size.min(used)).checked_add(start.into()),
        // The table itself is cut.
        None => Some(wide(table + 40 * count)),
    });
    ends.flatten().max()
}

/// Returns the signs of damage in a file that is of no supported kind, or does not decode.
pub(crate) fn of_bytes(kind: Option<&str>, bytes: &[u8]) -> Option<Warning> {
    if kind == Some("compressed-film") {
        return Some(Warning::of(
            &STUB,
            Place::default(),
            format!("it begins with ISc(, not RIFF; {} bytes", bytes.len()),
        ));
    }
    let run = zeros(bytes, PIECE).filter(|run| run.end == bytes.len() && (run.start == 0 || run.len() >= LONG));
    run.map(|run| of_zeros(run, bytes)).or_else(|| {
        // Of bytes that nobody understands, a byte can be anything, such as a white image.
        let filling = filling(bytes, Among::Any)?;
        Some(Warning::of(&WORDS, Place::default(), filling.found(0)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_end_with_their_last_section() {
        let mut program = b"MZ".to_vec();
        program.resize(0x40, 0);
        program[0x3C] = 0x40;
        program.extend(b"PE\0\0\x4C\x01\x01\0");
        program.resize(0x40 + 24, 0);
        program.extend([0; 16]);
        program.extend([0x00, 0x02, 0, 0, 0x00, 0x04, 0, 0]);
        program.resize(0x600, 1);
        assert_eq!(end_of_program(&program), Some(0x600));
        assert!(of_stranger(Some("program"), &program, false).is_none());
        for cut in [0x5FF, 0x300, 0x60] {
            let sign = of_stranger(Some("program"), &program[..cut], false).expect("cut");
            assert_eq!(sign.trap.id, "file-cut");
        }
        assert_eq!(end_of_program(b"MZ a program"), None);
    }

    #[test]
    fn sections_without_bytes_or_padding_lose_nothing() {
        let program = |sections: &[[u32; 3]], bytes: usize| {
            let mut program = b"MZ".to_vec();
            program.resize(0x40, 0);
            program[0x3C] = 0x40;
            program.extend(b"PE\0\0\x4C\x01");
            program.extend(u16::try_from(sections.len()).expect("few sections").to_le_bytes());
            program.resize(0x40 + 24, 0);
            for [used, size, start] in sections {
                program.extend([0; 8]);
                program.extend([*used, 0, *size, *start].into_iter().flat_map(u32::to_le_bytes));
                program.extend([0; 16]);
            }
            program.resize(bytes, 1);
            program
        };
        // One that is not in the file: its size counts from nowhere.
        let virtual_only = program(&[[0x100, 0x200, 0x400], [0x9000, 0x9000, 0]], 0x600);
        assert_eq!(end_of_program(&virtual_only), Some(0x500));
        assert!(of_stranger(Some("program"), &virtual_only, false).is_none());
        // One whose size is rounded past the end.
        let unpadded = program(&[[0x123, 0x200, 0x400]], 0x523);
        assert_eq!(end_of_program(&unpadded), Some(0x523));
        assert!(of_stranger(Some("program"), &unpadded, false).is_none());
        assert_eq!(of_stranger(Some("program"), &unpadded[..0x522], false).expect("cut").trap.id, "file-cut");
        // One that has more memory than bytes.
        assert_eq!(end_of_program(&program(&[[0x9000, 0x200, 0x400]], 0x600)), Some(0x600));
    }

    #[test]
    fn long_runs_of_a_word_are_found_exactly() {
        let found = |bytes: &[u8]| filling(bytes, Among::Samples).map(|it| (it.run, it.word));
        let mut bytes: Vec<u8> = (0..20_000_u32).map(|at| u8::try_from(at * at / 7 % 251).unwrap_or(0)).collect();
        assert_eq!(found(&bytes), None);
        for (at, byte) in bytes[5001..5001 + 4104].iter_mut().enumerate() {
            *byte = b"BADSECT!"[at % 8];
        }
        let (run, word) = found(&bytes).expect("a run");
        assert!(run.start <= 5001 && run.start > 4993 && run.end >= 9105 && run.end < 9113, "{run:?}");
        assert_eq!((word.len(), word.contains(&b'!')), (8, true));
        bytes[..4200].fill(0xFF);
        assert_eq!(found(&bytes), Some((0..4200, vec![0xFF])));
        for silence in [&[0x80; 9000][..], &[0; 9000], &b"abc".repeat(3000), &b"0123456".repeat(2000)] {
            assert_eq!(found(silence), None);
        }
        assert_eq!(found(&[0xFF; 4000]), None, "it is short");
    }

    #[test]
    fn the_shortest_run_is_found_at_any_offset_and_after_shorter_ones() {
        let bytes: Vec<u8> = (0..16_000_u32).map(|at| u8::try_from(at * at / 7 % 251).unwrap_or(0)).collect();
        for at in (0..6_000).step_by(131) {
            for (begin, length) in [(at, LONG), (at + 5_000, LONG + 1)] {
                let mut bytes = bytes.clone();
                bytes[at..at + 600].fill(0x80);
                bytes[begin..begin + length].fill(0xF6);
                let run = filling(&bytes, Among::Samples).map(|it| it.run).expect("a run");
                assert!(run.start <= begin && run.end >= begin + length && run.len() < length + 20, "{run:?}");
            }
        }
    }

    #[test]
    fn a_byte_is_a_filling_by_what_is_around_it() {
        let found = |bytes: &[u8], among| filling(bytes, among).is_some();
        for (byte, among, is) in [
            (0xFF, [Among::Samples, Among::Text, Among::Any], [true, true, false]),
            (0xF6, [Among::Samples, Among::Text, Among::Any], [true, true, false]),
            (0x41, [Among::Samples, Among::Text, Among::Any], [false, false, false]),
            (b' ', [Among::Samples, Among::Text, Among::Any], [false, false, false]),
            (0x03, [Among::Samples, Among::Text, Among::Any], [false, true, false]),
        ] {
            assert_eq!(among.map(|among| found(&[byte; LONG], among)), is, "{byte:02X}");
        }
        let memory = b"\xEF\xBE\xAD\xDE\xEF\xBE\xAD\xDE".repeat(513);
        let filling = filling(&memory[1..], Among::Any).expect("a run of a word of 64 bits");
        assert_eq!(filling.found(1), "4103 bytes of BEADDEEF from 0x1");
        assert!(!found(&b"\x12\x34\x56\x78".repeat(2000), Among::Any), "two colors in turn");
    }

    #[test]
    fn files_of_zeros_and_film_stubs_are_damaged() {
        let id = |kind, bytes: &[u8]| of_bytes(kind, bytes).map(|it| it.trap.id);
        assert_eq!(id(Some("compressed-film"), b"ISc("), Some("film-stub"));
        assert_eq!(id(None, &[0; 600]), Some("zeros-in-file"));
        assert_eq!(id(None, &[&[1; 600][..], &[0; 4096]].concat()), Some("zeros-in-file"));
        assert_eq!(id(None, &[&[1; 600][..], &[0; 600]].concat()), None, "short, and not the whole file");
        assert_eq!(id(None, &[&[0; 8000][..], &[1]].concat()), None, "something follows");
    }
}
