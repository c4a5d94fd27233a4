//! BinHex 4: a Mac file as text, `*.hqx`, as the text form of a MacBinary file.
//!
//! After a line that says so, six bits per character between two colons. The bytes are runs: 0x90 and a number repeat the byte before, 0x90
//! and 0 are the byte 0x90. They hold a header, the data fork and the resource fork, each with a CRC.
//!
//! BinHex has no dates, no place of an icon and no comment. A MacBinary file with such values becomes the same file again by its header, which
//! is written as text before that line, where decoders look for nothing.
//!
//! Source: [`marathon-images.md`](formats::marathon_images), section 1.1.

use field::macros::read_head;
use field::{U8, U16be, bytes_of, memory, wide};
use kind::TextForm;

use super::macbinary::{BLOCK, Header, crc};

/// The text form of a MacBinary file.
pub static TEXT: TextForm = TextForm::new("hqx", is_text, write, read);

/// The beginning of the line before the characters.
const MARK: &[u8] = b"(This file must be converted with BinHex";
/// How far the line is looked for: mails and archives have text before it.
const LOOKED: usize = 1 << 16;
/// Begins the line with a header of MacBinary.
const HEADER: &str = "bitexact MacBinary header: ";
/// The characters for six bits.
const ALPHABET: &[u8; 64] = b"!\"#$%&'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr";
/// Characters in a line.
const LINE: usize = 64;
/// Marks a run.
const RUN: u8 = 0x90;
/// The longest name of a Mac file in BinHex.
const MOST_OF_NAME: usize = 63;

fn is_text(bytes: &[u8]) -> bool {
    mark(bytes).is_some()
}

/// Returns the offset of the line before the characters.
fn mark(bytes: &[u8]) -> Option<usize> {
    let head = bytes.get(..LOOKED.min(bytes.len()))?;
    memchr::memmem::find(head, MARK)
}

/// The parts of a file that BinHex holds.
struct Parts<'a> {
    header: Header,
    data: &'a [u8],
    resource: &'a [u8],
}

/// Returns a MacBinary file as text.
fn write(file: &[u8]) -> Result<Vec<u8>, String> {
    let header: Header = read_head(file).ok_or("a MacBinary file begins with a header of 128 bytes")?;
    if header.second_header_length.get() > 0 || header.comment_length.get() > 0 {
        return Err("BinHex cannot hold a second header or a comment".to_owned());
    }
    let cut = "a fork ends after the end of the file";
    let fork = |from: u64, length: u32| -> Option<&[u8]> {
        let from = usize::try_from(from).ok()?;
        file.get(from..from.checked_add(usize::try_from(length).ok()?)?)
    };
    let data = fork(BLOCK, header.data_length.get()).ok_or(cut)?;
    let resource = fork(BLOCK + wide(data.len()).next_multiple_of(BLOCK), header.resource_length.get()).ok_or(cut)?;
    let parts = Parts { header, data, resource };
    let text = parts.text("")?;
    if read(&text).is_ok_and(|same| same == file) {
        return Ok(text);
    }
    let digits: String = bytes_of(&header).iter().map(|byte| format!("{byte:02x}")).collect();
    parts.text(&format!("{HEADER}{digits}\n\n"))
}

impl Parts<'_> {
    fn text(&self, before: &str) -> Result<Vec<u8>, String> {
        let Self { header, data, resource } = self;
        let name = header.name.bytes().filter(|name| (1..=MOST_OF_NAME).contains(&name.len()));
        let name = name.ok_or("BinHex needs a name of 1 to 63 bytes")?;
        let length = u8::try_from(name.len()).map_err(|_| "the name is too long")?;
        let flags = [header.finder_flags_high.get(), header.finder_flags_low.get()];
        let lengths = [header.data_length, header.resource_length];
        let own = [
            &[length][..],
            name,
            &[0],
            &header.file_type.0,
            &header.creator.0,
            &flags,
            bytes_of(&lengths[0]),
            bytes_of(&lengths[1]),
        ]
        .concat();
        let mut stream = Vec::new();
        for part in [&*own, data, resource] {
            put_runs(part, &crc(part).to_be_bytes(), &mut stream);
        }
        let mut text = before.as_bytes().to_vec();
        text.extend_from_slice(b"(This file must be converted with BinHex 4.0)\n\n");
        let characters = core::iter::once(b':').chain(characters(&stream)).chain(core::iter::once(b':'));
        for (nth, character) in characters.enumerate() {
            if nth > 0 && nth.is_multiple_of(LINE) {
                text.push(b'\n');
            }
            text.push(character);
        }
        text.push(b'\n');
        Ok(text)
    }
}

/// Writes bytes and their CRC as runs. Each part has runs of its own, as the first program writes them.
fn put_runs(part: &[u8], crc: &[u8], out: &mut Vec<u8>) {
    /// The shortest run that is shorter as one.
    const SHORTEST: usize = 4;
    let bytes = [part, crc].concat();
    for run in bytes.chunk_by(|one, other| one == other).flat_map(|run| run.chunks(255)) {
        let Some(&byte) = run.first() else { continue };
        let literal = [byte, 0];
        let literal = literal.get(..if byte == RUN { 2 } else { 1 }).unwrap_or_default();
        match u8::try_from(run.len()) {
            Ok(length) if run.len() >= SHORTEST => {
                out.extend_from_slice(literal);
                out.extend_from_slice(&[RUN, length]);
            }
            _ => run.iter().for_each(|_| out.extend_from_slice(literal)),
        }
    }
}

/// Returns bytes as characters of six bits each, the last one filled with zeros.
fn characters(bytes: &[u8]) -> impl Iterator<Item = u8> {
    bytes.chunks(3).flat_map(|chunk| {
        let group = chunk.iter().chain([0; 2].iter()).take(3).fold(0_u32, |group, byte| group << 8 | u32::from(*byte));
        let count = chunk.len() + 1;
        [18_u32, 12, 6, 0]
            .into_iter()
            .take(count)
            .filter_map(move |shift| ALPHABET.get(usize::try_from(group >> shift & 0x3F).ok()?).copied())
    })
}

/// Returns the MacBinary file of a text.
fn read(text: &[u8]) -> Result<Vec<u8>, String> {
    let at = mark(text).ok_or("expected the line that begins BinHex, found none")?;
    let (before, rest) = text.split_at_checked(at).ok_or("the text ends")?;
    let line =
        rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).ok_or("expected characters after the line")?;
    let mut runs =
        Runs { rest: rest.get(line..).unwrap_or_default(), bits: 0, held: 0, last: None, repeat: 0, is_open: false };
    let [length] = runs.take("the name")?;
    let name = (0..length).map(|_| runs.next("the name")).collect::<Result<Vec<u8>, String>>()?;
    let [version] = runs.take("the version")?;
    let file_type: [u8; 4] = runs.take("the type")?;
    let creator: [u8; 4] = runs.take("the creator")?;
    let [flags_high, flags_low] = runs.take("the flags")?;
    let [data_length, resource_length] = [runs.take::<4>("a length")?, runs.take::<4>("a length")?];
    if !(1..=MOST_OF_NAME).contains(&name.len()) {
        return Err(format!("expected a name of 1 to 63 bytes, found {}", name.len()));
    }
    let own = [
        &[length][..],
        &name,
        &[version],
        &file_type,
        &creator,
        &[flags_high, flags_low],
        &data_length,
        &resource_length,
    ]
    .concat();
    runs.check("the header", &own)?;
    let [data_length, resource_length] = [data_length, resource_length].map(u32::from_be_bytes);
    memory::fits(u64::from(data_length) + u64::from(resource_length)).map_err(|error| error.to_string())?;
    let mut fork = |what: &str, length: u32| -> Result<Vec<u8>, String> {
        let fork = (0..length).map(|_| runs.next(what)).collect::<Result<Vec<u8>, String>>()?;
        runs.check(what, &fork)?;
        Ok(fork)
    };
    let (data, resource) = (fork("the data fork", data_length)?, fork("the resource fork", resource_length)?);
    let mut header = header_before(before)?;
    let mut field = [0; 64];
    for (to, from) in field.iter_mut().zip(core::iter::once(&length).chain(&name)) {
        *to = *from;
    }
    if header.name.bytes() != Some(&name) {
        header.name = bytemuck::must_cast(field);
    }
    (header.file_type.0, header.creator.0) = (file_type, creator);
    (header.finder_flags_high, header.finder_flags_low) = (U8::new(flags_high), U8::new(flags_low));
    (header.data_length, header.resource_length) = (data_length.into(), resource_length.into());
    header.crc = U16be::new(crc(bytes_of(&header).get(..124).unwrap_or_default()));
    let mut file = bytes_of(&header).to_vec();
    for part in [data, resource] {
        file.extend_from_slice(&part);
        file.resize(file.len().next_multiple_of(128), 0);
    }
    Ok(file)
}

/// Returns the header that is stated before the characters, or that of a new file of MacBinary II.
fn header_before(text: &[u8]) -> Result<Header, String> {
    let stated = String::from_utf8_lossy(text);
    let Some((_, digits)) = stated.split_once(HEADER) else {
        return Ok(Header { version: U8::new(129), version_needed: U8::new(129), ..Header::default() });
    };
    let digits = digits.lines().next().unwrap_or_default().trim();
    let bytes = field::unhex(digits);
    let header = bytes.as_deref().filter(|bytes| bytes.len() == size_of::<Header>()).and_then(read_head::<Header>);
    header.ok_or_else(|| format!("expected 256 hexadecimal digits after \"{}\"", HEADER.trim_end()))
}

/// The bytes of a text, run by run.
struct Runs<'a> {
    rest: &'a [u8],
    bits: u32,
    held: u32,
    last: Option<u8>,
    repeat: u8,
    is_open: bool,
}

impl Runs<'_> {
    /// Returns the next byte before runs are expanded.
    fn stored(&mut self, what: &str) -> Result<u8, String> {
        loop {
            if self.held >= 8 {
                self.held -= 8;
                let byte = self.bits >> self.held & 0xFF;
                return u8::try_from(byte).map_err(|error| error.to_string());
            }
            let (first, rest) = self.rest.split_first().ok_or_else(|| format!("the text ends in {what}"))?;
            self.rest = rest;
            match first {
                b'\n' | b'\r' | b' ' | b'\t' => {}
                b':' if !self.is_open => self.is_open = true,
                b':' => return Err(format!("the characters end in {what}")),
                _ if !self.is_open => {
                    return Err(format!("expected \":\" before the characters, found {}", shown(*first)));
                }
                other => {
                    let value = ALPHABET.iter().position(|it| it == other).and_then(|it| u32::try_from(it).ok());
                    let value = value
                        .ok_or_else(|| format!("{what}: expected a character of BinHex, found {}", shown(*other)))?;
                    (self.bits, self.held) = (self.bits << 6 | value, self.held + 6);
                }
            }
        }
    }

    /// Returns the next byte.
    fn next(&mut self, what: &str) -> Result<u8, String> {
        if let (Some(last), 1..) = (self.last, self.repeat) {
            self.repeat -= 1;
            return Ok(last);
        }
        loop {
            let byte = self.stored(what)?;
            if byte != RUN {
                self.last = Some(byte);
                return Ok(byte);
            }
            match (self.stored(what)?, self.last) {
                (0, _) => {
                    self.last = Some(RUN);
                    return Ok(RUN);
                }
                // The byte before the run is its first.
                (1, Some(_)) => {}
                (count, Some(last)) => {
                    self.repeat = count - 2;
                    return Ok(last);
                }
                (_, None) => return Err(format!("{what}: begins with a run of nothing")),
            }
        }
    }

    fn take<const N: usize>(&mut self, what: &str) -> Result<[u8; N], String> {
        let mut bytes = [0; N];
        for byte in &mut bytes {
            *byte = self.next(what)?;
        }
        Ok(bytes)
    }

    /// Reads the CRC of a part, and compares it.
    fn check(&mut self, what: &str, part: &[u8]) -> Result<(), String> {
        let (stated, found) = (u16::from_be_bytes(self.take(what)?), crc(part));
        match stated == found {
            true => Ok(()),
            false => Err(format!("{what}: expected a CRC of {found:04x}, found {stated:04x}; the text is damaged")),
        }
    }
}

fn shown(byte: u8) -> String {
    format!("\"{}\"", byte.escape_ascii())
}
