//! One image, sound or text of a file, exported and taken back, and files of usual types that are converted.

use std::fs;
use std::io::Cursor;

use bitexact::media::wav::Wav;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

use super::Desk;
use crate::harness::golden_install;

fn golden(path: &str) -> Vec<u8> {
    fs::read(golden_install().join(path)).unwrap()
}

/// Returns a desk with files of the sample install, by the last part of their paths.
fn desk(paths: &[&str]) -> Desk {
    let desk = Desk::of(&[]);
    for path in paths {
        desk.write(path.rsplit('/').next().unwrap(), &golden(path));
    }
    desk
}

/// Returns a picture of a few colors in a format.
fn picture(format: ImageFormat) -> Vec<u8> {
    let image = RgbImage::from_fn(8, 4, |x, y| Rgb([200 - (x as u8 / 4) * 100, 40, (y as u8 / 2) * 80]));
    let mut file = Cursor::new(Vec::new());
    DynamicImage::from(image).write_to(&mut file, format).unwrap();
    file.into_inner()
}

#[test]
fn a_part_is_what_unpack_writes_and_goes_back() {
    let files = ["cs/ZBD/rimage.zbd", "mw/zbd/soundsH.zbd", "mw/zbd/interp.zbd", "m2/Sounds.sndA", "m2/Images.imgA"];
    let desk = desk(&[&files[..], &["m2/Map.sceA", "m2/Resources/texts.rsrc", "nwn/hak/content.hak"]].concat());
    for (file, entry, out, unpacked) in [
        ("rimage.zbd", "sky01_3", "a.png", "sky01_3.png"),
        ("soundsH.zbd", "radio_09.wav", "a.wav", "radio_09.wav"),
        ("interp.zbd", "c3.gs", "a.txt", "c3.gs"),
        ("Sounds.sndA", "3:/sounds/1", "b.wav", "3/sound 1.wav"),
        ("Images.imgA", "PICT 1000", "b.png", "PICT 1000.png"),
        ("Map.sceA", "0!term:/terminals/0", "b.txt", "0/term/terminal 0.txt"),
        ("content.hak", "start.nss", "c.txt", "start.nss"),
        ("content.hak", "c_boar.utc", "c_boar.utc.json", "c_boar.utc.json"),
    ] {
        desk.ok(&["export", &format!("{file}!{entry}"), out, "--force"]);
        let dir = format!("{file}.unpacked");
        desk.ok(&["unpack", file, &dir, "--force", "-q"]);
        let written = desk.read(&format!("{dir}/{unpacked}"));
        let found = desk.read(out);
        let is_json = out.ends_with(".json");
        assert!(is_json || found == written, "{file}!{entry}");
        let said = desk.ok(&["patch", file, "-n", "--replace", &format!("{entry}={out}")]);
        assert!(said.err.contains("no changes"), "{entry}: {}{}", said.out, said.err);
    }
    // The bytes of an entry, under its own extension.
    desk.ok(&["export", "content.hak!c_boar.utc", "c_boar.utc"]);
    let bytes = desk.run_bytes(&["cat", "content.hak", "c_boar.utc"]);
    assert!(desk.read("c_boar.utc") == bytes && bytes.starts_with(b"UTC V3.2"));
    // Without a second argument, the file is named after the entry.
    desk.ok(&["export", "rimage.zbd!sky01_3"]);
    assert!(desk.read("sky01_3.png") == desk.read("a.png"));
}

#[test]
fn strings_are_lines_of_text() {
    let desk = desk(&["m2/Resources/texts.rsrc"]);
    let list = "STR%23 129";
    assert_eq!(desk.ok(&["cat", "--text", "texts.rsrc", list]).out, "kill\n\nshoot\n");
    desk.ok(&["export", &format!("texts.rsrc!{list}"), "list.txt"]);
    desk.write("list.txt", "kill\r\nnåme\r\n".as_bytes());
    desk.write("text.txt", "Größe\nzwei".as_bytes());
    let replace = format!("{list}=list.txt");
    desk.ok(&["patch", "texts.rsrc", "--replace", &replace, "--replace", "TEXT 128=text.txt"]);
    assert_eq!(desk.ok(&["cat", "--text", "texts.rsrc", list]).out, "kill\nnåme\n");
    assert!(desk.run_bytes(&["cat", "texts.rsrc", "TEXT 128"]) == b"Gr\x9A\xA7e\rzwei");
}

#[test]
fn refusals_name_a_command_that_works() {
    let desk =
        desk(&["m2/Sounds.sndA", "mw/zbd/soundsH.zbd", "rc/maps/m1.zmap", "nwn/dialog.tlk", "cs/ZBD/rimage.zbd"]);
    let refused = |args: &[&str]| {
        let said = desk.run(args);
        assert_eq!(said.code, 2, "{args:?}: {}", said.err);
        said.err
    };
    let said = refused(&["export", "Sounds.sndA!3", "a.wav"]);
    assert!(said.contains("has 3 parts as .wav; name one, such as \"Sounds.sndA!3:/sounds/0\""), "{said}");
    let command = said.split('`').nth(1).expect("a command");
    let words = shell_words::split(command).unwrap();
    let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    desk.ok(&words);
    assert!(desk.path("Sounds.sndA.unpacked/3/sound 1.wav").is_file());
    let said = refused(&["export", "soundsH.zbd", "a.wav"]);
    let example = said.split('"').nth(1).expect("an example").to_owned();
    desk.ok(&["export", &example, "a.wav"]);
    let said = refused(&["export", "soundsH.zbd"]);
    assert!(
        said.contains("has no models to export; an entry is exported by its name, such as \"soundsH.zbd!"),
        "{said}"
    );
    let said = refused(&["export", "m1.zmap", "a.png"]);
    assert!(said.contains("`bitexact unpack \"m1.zmap\"` writes JSON to edit"), "{said}");
    let said = refused(&["export", "dialog.tlk", "a.txt"]);
    assert!(said.contains("only as .csv (the texts, for a spreadsheet), .json (text)"), "{said}");
    let said = refused(&["cat", "--text", "rimage.zbd", "sky01_3"]);
    assert!(said.contains("cannot export image as .txt, only as .png"), "{said}");
    let said = refused(&["patch", "Sounds.sndA", "-n", "--replace", "3=a.wav"]);
    assert!(said.contains("3: has 3 images, sounds or texts; name one, such as 3:/sounds/0"), "{said}");
    let said = refused(&["patch", "Sounds.sndA", "-n", "--replace", "3:/sounds/9=a.wav"]);
    assert!(said.contains("no image, sound or text there; the first one is at 3:/sounds/0"), "{said}");
}

#[test]
fn pictures_of_usual_types_are_converted_with_a_note() {
    let desk = desk(&["cs/ZBD/rimage.zbd", "nwn/hak/content.hak"]);
    desk.write("my.png", &picture(ImageFormat::Png));
    desk.ok(&["patch", "rimage.zbd", "-q", "-o", "png.zbd", "--replace", "sky01_3=my.png"]);
    for (file, format, name) in
        [("my.bmp", ImageFormat::Bmp, "BMP"), ("my.tga", ImageFormat::Tga, "TGA"), ("my.gif", ImageFormat::Gif, "GIF")]
    {
        desk.write(file, &picture(format));
        let replace = format!("sky01_3={file}");
        let said = desk.ok(&["patch", "rimage.zbd", "-o", "new.zbd", "--force", "--replace", &replace]);
        assert!(said.err.contains(&format!("{file}: converted from {name} to PNG, 8 × 4\n")), "{}", said.err);
        assert!(desk.read("new.zbd") == desk.read("png.zbd"), "{file}");
    }
    // Other colors of a lossy file, but an image of its size.
    desk.write("my.jpg", &picture(ImageFormat::Jpeg));
    let said = desk.ok(&["patch", "rimage.zbd", "-n", "--add", "new=my.jpg"]);
    assert!(said.err.contains("my.jpg: converted from JPEG to PNG, 8 × 4") && said.out.contains("new: added (image"));
    // A resource is of the type that its name says.
    let said = desk.ok(&["patch", "content.hak", "-o", "b.hak", "--add", "new.tga=my.png"]);
    assert!(said.err.contains("my.png: converted from PNG to TGA, 8 × 4"), "{}", said.err);
    desk.ok(&["export", "b.hak!new.tga", "back.png"]);
    let [one, other] = ["my.png", "back.png"].map(|file| image::load_from_memory(&desk.read(file)).unwrap().to_rgb8());
    assert!(one == other);
    let said = desk.run(&["patch", "content.hak", "-n", "--add", "new.dds=my.png"]);
    assert!(said.code == 2 && said.err.contains("cannot be converted to DDS") && said.err.contains("NAME.tga"));
    let said = desk.run(&["patch", "content.hak", "-n", "--replace", "start.nss=my.jpg"]);
    assert!(said.err.contains("start.nss: not an image, so a JPEG cannot replace it"), "{}", said.err);
    desk.write("cut.jpg", &picture(ImageFormat::Jpeg)[..40]);
    let said = desk.run(&["patch", "rimage.zbd", "-n", "--replace", "sky01_3=cut.jpg"]);
    assert!(said.code == 2 && said.err.contains("cut.jpg: expected a picture, found a damaged JPEG"), "{}", said.err);
}

#[test]
fn sounds_of_any_depth_are_converted_with_a_note() {
    let desk = desk(&["m2/Sounds.sndA", "mw/zbd/soundsH.zbd"]);
    let wav = |channels, bits, samples: &[u8]| {
        let wav = Wav { channels, rate: 44100, bits, is_float: false, samples: samples.to_vec() };
        wav.write().unwrap()
    };
    desk.write("stereo.wav", &wav(2, 16, &[0, 0x40, 0, 0xC0, 0xFF, 0x7F, 0xFF, 0x7F]));
    desk.write("deep.wav", &wav(1, 24, &[0xFF, 0xFF, 0x7F, 0, 0, 0x80]));
    let said = desk.ok(&["patch", "Sounds.sndA", "-o", "a.sndA", "--replace", "3:/sounds/1=stereo.wav"]);
    assert!(said.err.contains("stereo.wav: converted from 16 bits, stereo to 8 bits, mono"), "{}", said.err);
    desk.ok(&["export", "a.sndA!3:/sounds/1", "back.wav"]);
    let expected = Wav { channels: 1, rate: 44100, bits: 8, is_float: false, samples: vec![128, 255] };
    assert_eq!(Wav::read(&desk.read("back.wav")), Ok(expected));
    let said = desk.ok(&["patch", "soundsH.zbd", "-o", "a.zbd", "--replace", "radio_09.wav=deep.wav"]);
    assert!(said.err.contains("deep.wav: converted from 24 bits, mono to 16 bits, mono"), "{}", said.err);
    let back = Wav::read(&desk.run_bytes(&["cat", "a.zbd", "radio_09.wav"])).unwrap();
    assert_eq!((back.bits, back.samples), (16, vec![0xFF, 0x7F, 0, 0x80]));
    // What the game plays is not touched.
    let said = desk.ok(&["patch", "soundsH.zbd", "-o", "b.zbd", "--replace", "radio_09.wav=stereo.wav"]);
    assert!(!said.err.contains("converted"), "{}", said.err);
    assert!(desk.run_bytes(&["cat", "b.zbd", "radio_09.wav"]) == desk.read("stereo.wav"));
}

#[test]
fn fields_are_lines_and_tables_are_tables() {
    let desk = desk(&["nwn/override/c_boar.utc", "nwn/override/appearance.2da", "mw/zbd/soundsH.zbd"]);
    let said = desk.ok(&["inspect", "c_boar.utc"]).out;
    for line in
        ["FirstName        Boar  (cexolocstring)", "Str              14  (byte)", "fortbonus        -2  (short)"]
    {
        assert!(said.lines().any(|it| it == line), "{line}\n{said}");
    }
    assert_eq!(desk.ok(&["inspect", "c_boar.utc", "/Str"]).out, "14  (byte)\n");
    let said = desk.ok(&["inspect", "appearance.2da"]).out;
    let lines: Vec<&str> = said.lines().skip(1).collect();
    assert_eq!(lines[..2], ["    Label    Name  Icon   Value", "0   Type_0   1000  ir_0   0.50"]);
    assert!(lines.len() == 42 && lines[41].ends_with(" more; --all prints them"), "{said}");
    assert_eq!(desk.ok(&["inspect", "--all", "appearance.2da"]).out.lines().count(), 202);
    // What machines read is whole.
    let said = desk.ok(&["inspect", "--json", "soundsH.zbd"]).out;
    assert!(!said.contains(" …") && said.len() > 2 * golden("mw/zbd/soundsH.zbd").len());
}
