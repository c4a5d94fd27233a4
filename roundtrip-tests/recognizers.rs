//! No recognizer takes for its kind what the decoder of that kind refuses at once.
//!
//! A file that is recognized by its content and then refused in its first fields was never of that kind: a white image is no resource
//! fork. The law holds for every kind of the registry, over bytes that no game has written: constants, noise, numbers, texts, and the
//! images of other programs.

use bitexact::registry::{KINDS, recognize};
use bitexact::verify::{Status, verify};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

/// The number of bytes at the beginning of a file, in which no decoder may refuse what its recognizer has taken.
const FIRST: u64 = 128;

/// The sizes of the larger inputs: those of records, of powers of two, and of an image of 256 by 256 pixels.
const SIZES: [usize; 17] =
    [100, 128, 129, 160, 200, 256, 257, 286, 300, 384, 512, 1000, 1024, 4096, 10_004, 65_554, 196_626];

/// Returns texts, and images, sounds and programs of other programs.
fn others() -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    let mut add = |what: String, bytes: Vec<u8>| all.push((what, bytes));
    texts(&mut add);
    images(&mut add);
    all
}

/// Returns bytes that nobody has written for a game, each with what they are.
fn strangers() -> Vec<(String, Vec<u8>)> {
    let mut all = vec![("nothing".to_owned(), Vec::new())];
    let mut add = |what: String, bytes: Vec<u8>| all.push((what, bytes));
    for byte in 0..=255_u8 {
        for size in (1..=64).chain([128, 256, 1024]) {
            add(format!("{size} bytes of {byte:#04x}"), vec![byte; size]);
        }
    }
    for size in SIZES {
        for byte in [0, 1, 2, 3, 4, 7, 8, 16, 0x20, 0x41, 0x7F, 0x80, 0xFE, 0xFF] {
            add(format!("{size} bytes of {byte:#04x}"), vec![byte; size]);
        }
    }
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for size in (1..=64).chain(SIZES) {
        for round in 0..if size <= 1024 { 24 } else { 4 } {
            let mut noise =
                |most: u32| -> Vec<u8> { (0..size).map(|_| u8::try_from(random.next_u32() % most).unwrap()).collect() };
            let (any, bits, small) = (noise(256), noise(2), noise(5));
            add(format!("{size} bytes of white and black, {round}"), bits.iter().map(|bit| bit * 0xFF).collect());
            add(format!("{size} bytes of noise, {round}"), any);
            add(format!("{size} bits, {round}"), bits);
            for (name, big) in [("little", false), ("big", true)] {
                let word = |byte: &u8| if big { [0, 0, 0, *byte] } else { [*byte, 0, 0, 0] };
                add(format!("{size} small {name}-endian numbers, {round}"), small.iter().flat_map(word).collect());
            }
            add(format!("{size} small numbers, {round}"), small);
        }
    }
    for size in SIZES {
        let count = u32::try_from(size / 4).unwrap();
        add(format!("{size} bytes that count"), (0..size).map(|at| u8::try_from(at % 256).unwrap()).collect());
        add(format!("{size} bytes of little-endian numbers in a row"), (0..count).flat_map(u32::to_le_bytes).collect());
        add(format!("{size} bytes of big-endian numbers in a row"), (0..count).flat_map(u32::to_be_bytes).collect());
    }
    all.extend(others());
    all
}

/// Adds texts of many kinds and lengths.
fn texts(add: &mut impl FnMut(String, Vec<u8>)) {
    let texts: [(&str, &str); 17] = [
        ("prose", "The quick brown fox jumps over the lazy dog, again and again.\n"),
        ("settings", "[general]\r\nname=two words\r\n; a remark\r\n"),
        ("JSON", "{\"a\": [1, 2.5, null, true], \"b\": {\"c\": \"d\"}}\n"),
        ("XML", "<?xml version=\"1.0\"?>\n<root><a b=\"c\">text</a></root>\n"),
        ("a web page", "<!DOCTYPE html>\n<html><head><title>404</title></head><body>Not found</body></html>\n"),
        ("Lisp", "(defun square (x) (* x x))\n"),
        ("Lisp with a name in quotes", "(setq greeting \"hello there\")\n"),
        ("Lisp with signs of its own", "(let ((x '(1 2 3)) (y #'car)) `(,x ,@y))\n"),
        ("a list of words", "(one two three)\n"),
        ("a sum", "(+ 1 2)\n"),
        ("an S-expression", "((name \"x\") (size 1 2 3))\n"),
        ("a remark in parentheses", "(c) 1999 by nobody\n"),
        ("C", "#include <stdio.h>\nint main(void) { return 0; }\n"),
        ("a table", "name\tsize\tdate\nx\t1\t2000-01-01\n"),
        ("a key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n"),
        ("UTF-8", "Größe – ß – 日本語\n"),
        ("numbers", "0.10 0x1F -0 +1 1e5 007\n"),
    ];
    for (name, text) in texts {
        for times in [1, 2, 3, 10, 100, 1000] {
            add(format!("{times} times {name}"), text.repeat(times).into_bytes());
        }
        for size in 1..text.len().min(40) {
            add(format!("{size} bytes of {name}"), text.as_bytes()[..size].to_vec());
        }
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        add(format!("{name} in UTF-16"), [&[0xFF, 0xFE][..], &wide].concat());
        add(format!("{name} with a mark"), [&[0xEF, 0xBB, 0xBF][..], text.as_bytes()].concat());
    }
}

/// Adds images, sounds and programs of other programs, whose first bytes are small numbers.
fn images(add: &mut impl FnMut(String, Vec<u8>)) {
    type Fill = fn(usize) -> u8;
    let fills: [(&str, Fill); 4] = [
        ("black", |_| 0),
        ("white", |_| 0xFF),
        ("gray", |_| 0x80),
        ("with a gradient", |at| u8::try_from(at / 3 % 256).unwrap()),
    ];
    let sides = [(1_u16, 1_u16), (2, 2), (16, 16), (64, 64), (256, 256), (640, 480), (1024, 2)];
    for ((width, height), (fill, pixel)) in sides.into_iter().flat_map(|side| fills.map(|fill| (side, fill))) {
        let pixels = |each: usize| (0..usize::from(width) * usize::from(height) * each).map(pixel).collect::<Vec<u8>>();
        let [w, h] = [width, height].map(u16::to_le_bytes);
        for (kind, depth, map) in [(2, 24, 0), (2, 32, 0), (3, 8, 0), (1, 8, 1), (10, 24, 0), (10, 32, 0), (11, 8, 0)] {
            for flags in [0_u8, 8, 0x20, 0x28] {
                let map_size = if map == 1 { [0, 1, 24] } else { [0, 0, 0] };
                let head = [&[0, map, kind, 0, 0][..], &map_size, &[0; 4], &w, &h, &[depth, flags]].concat();
                let body = if map == 1 {
                    pixels(1).into_iter().chain([pixel(0); 768]).collect()
                } else {
                    pixels(usize::from(depth) / 8)
                };
                add(
                    format!("a Targa image {fill}, {width} x {height}, type {kind}, {depth} bits, {flags:#x}"),
                    [head, body].concat(),
                );
            }
        }
        let body = pixels(3);
        let size = u32::try_from(54 + body.len()).unwrap().to_le_bytes();
        let [long_w, long_h] = [width, height].map(|side| u32::from(side).to_le_bytes());
        let head =
            [&b"BM"[..], &size, &[0; 4], &[54, 0, 0, 0, 40, 0, 0, 0], &long_w, &long_h, &[1, 0, 24, 0], &[0; 24]]
                .concat();
        add(format!("a bitmap {fill}, {width} x {height}"), [&head[..], &body].concat());
        // The same without its file header, as in a resource of a program.
        add(format!("a bitmap without its header {fill}, {width} x {height}"), [&head[14..], &body].concat());
        add(format!("pixels {fill}, {width} x {height}"), body.clone());
        let pcx = [&[10, 5, 1, 8, 0, 0, 0, 0][..], &w, &h, &[0; 116], &pixels(1)].concat();
        add(format!("a PCX image {fill}, {width} x {height}"), pcx);
        add(format!("an icon {fill}, {width} x {height}"), [&[0, 0, 1, 0, 1, 0][..], &w, &h, &body].concat());
        add(format!("a TIFF image {fill}, {width} x {height}"), [&b"MM\0*\0\0\0\x08"[..], &body].concat());
        add(format!("samples {fill}, {width} x {height}"), pixels(2));
    }
    for (name, head) in [
        ("MPEG", &b"\0\0\x01\xBA"[..]),
        ("MPEG", b"\0\0\x01\xB3"),
        ("font", b"\0\x01\0\0"),
        ("GIF", b"GIF89a"),
        ("JPEG", b"\xFF\xD8\xFF\xE0"),
        ("ZIP", b"PK\x03\x04"),
        ("MP3", b"\xFF\xFB\x90\x00"),
        ("program", b"MZ\x90\0\x03\0\0\0"),
        ("RIFF", b"RIFF\0\0\0\0"),
    ] {
        for (byte, size) in [0, 1, 0xFF].into_iter().flat_map(|byte| [16, 128, 286, 4096].map(|size| (byte, size))) {
            add(format!("{name}, then {size} bytes of {byte:#04x}"), [head, &vec![byte; size]].concat());
        }
    }
}

#[test]
fn what_is_recognized_is_not_refused_in_its_first_fields() {
    let mut wrong = Vec::new();
    for (what, bytes) in strangers() {
        for kind in KINDS.iter().filter(|kind| (kind.recognize)(&bytes).is_some()) {
            if let Err(error) = (kind.decode)(bytes.clone().into())
                && error.offset().is_none_or(|offset| offset < FIRST)
            {
                wrong.push(format!("{what} is recognized as {}, but refused: {error}", kind.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong[..wrong.len().min(60)].join("\n"));
}

/// The shortest files of a game can be any small numbers, but no text and no image of another program.
#[test]
fn texts_and_images_of_other_programs_are_not_taken_for_files_of_a_game() {
    let taken = others().into_iter().filter_map(|(what, bytes)| {
        let (kind, _) = recognize(KINDS, "stranger", &bytes)?;
        Some(format!("{what}: {}", kind.name))
    });
    assert_eq!(taken.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn white_image_is_no_resource_fork() {
    let head = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 24, 0];
    let report = verify(KINDS, "white.tga", [&head[..], &[0xFF; 196_608]].concat());
    assert_eq!((report.status, report.kind), (Status::Foreign, Some("targa")));
}
