//! Pictures and sounds of usual types, as the kinds of the games can hold them.

use std::io::Cursor;

use anyhow::{Context as _, bail};
use bitexact::media::wav::Wav;
use bytes::Bytes;
use image::{DynamicImage, ImageFormat};

/// A file that was converted, with a note of what it was.
pub(crate) struct Converted {
    pub(crate) content: Bytes,
    pub(crate) note: String,
}

/// The types of pictures that are read. A TGA has no mark, so its name decides.
const PICTURES: [(&str, ImageFormat, &str); 8] = [
    ("png", ImageFormat::Png, "PNG"),
    ("jpg", ImageFormat::Jpeg, "JPEG"),
    ("jpeg", ImageFormat::Jpeg, "JPEG"),
    ("tga", ImageFormat::Tga, "TGA"),
    ("bmp", ImageFormat::Bmp, "BMP"),
    ("dib", ImageFormat::Bmp, "BMP"),
    ("dds", ImageFormat::Dds, "DDS"),
    ("gif", ImageFormat::Gif, "GIF"),
];

/// Returns the type of a picture, by its first bytes or else by its extension.
fn format(extension: &str, file: &[u8]) -> Option<(ImageFormat, &'static str)> {
    let known = image::guess_format(file).ok();
    let by_name = || PICTURES.iter().find(|(end, ..)| extension.eq_ignore_ascii_case(end)).map(|it| it.1);
    let format = known.or_else(by_name)?;
    PICTURES.iter().find(|it| it.1 == format).map(|it| (it.1, it.2))
}

/// Returns a picture in another type, or `None` if it has that type, or is of no known one.
pub(crate) fn picture(extension: &str, file: &Bytes, to: &str) -> anyhow::Result<Option<Converted>> {
    let Some((is, name)) = format(extension, file) else { return Ok(None) };
    let wanted = PICTURES.iter().find(|(end, ..)| to.eq_ignore_ascii_case(end));
    let Some((_, to, wanted)) = wanted.filter(|it| it.1 != is) else { return Ok(None) };
    let read = match is {
        // The game has a DDS of its own, which no other program reads.
        ImageFormat::Dds => match bitexact::aurora::scene::picture(file) {
            Some(png) => image::load_from_memory_with_format(&png, ImageFormat::Png),
            None => image::load_from_memory_with_format(file, is),
        },
        _ => image::load_from_memory_with_format(file, is),
    };
    let read = read.with_context(|| format!("expected a picture, found a damaged {name}"))?;
    let (width, height) = (read.width(), read.height());
    let plain = match (read.color().has_alpha(), read) {
        (true, read) => DynamicImage::from(read.into_rgba8()),
        (false, read) => DynamicImage::from(read.into_rgb8()),
    };
    let mut content = Cursor::new(Vec::new());
    match to {
        ImageFormat::Dds => {
            bail!("{name} cannot be converted to DDS, which is compressed; the game also takes NAME.tga")
        }
        // The games read no compressed ones.
        ImageFormat::Tga => plain.write_with_encoder(image::codecs::tga::TgaEncoder::new(&mut content).disable_rle()),
        to => plain.write_to(&mut content, *to),
    }
    .with_context(|| format!("cannot write {wanted}"))?;
    let note = format!("converted from {name} to {wanted}, {width} × {height}");
    Ok(Some(Converted { content: content.into_inner().into(), note }))
}

/// Returns a sound with as many channels and bits, at its own rate, or `None` if it has them.
pub(crate) fn sound(file: &[u8], channels: Option<u16>, bits: u16) -> Result<Option<Converted>, String> {
    let wav = Wav::read(file)?;
    let channels = channels.unwrap_or(wav.channels);
    if (wav.channels, wav.bits, wav.is_float) == (channels, bits, false) {
        return Ok(None);
    }
    let (was, now) = (said(&wav), wav.converted(channels, bits).ok_or("cannot convert such a sound")?);
    let file = now.write().ok_or("the sound is too long")?;
    Ok(Some(Converted { content: file.into(), note: format!("converted from {was} to {}", said(&now)) }))
}

/// Returns a sound for an archive whose games play 8 and 16 bits, or `None` if it is one.
pub(crate) fn played(file: &[u8]) -> Option<Converted> {
    let wav = Wav::read(file).ok()?;
    let is_played = matches!(wav.bits, 8 | 16) && !wav.is_float;
    if is_played { None } else { sound(file, None, 16).ok()? }
}

/// Describes the samples of a sound.
fn said(wav: &Wav) -> String {
    let channels = match wav.channels {
        1 => "mono".to_owned(),
        2 => "stereo".to_owned(),
        more => format!("{more} channels"),
    };
    format!("{} bits{}, {channels}", wav.bits, if wav.is_float { " (float)" } else { "" })
}
