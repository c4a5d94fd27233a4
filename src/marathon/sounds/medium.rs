//! Samples of sounds as WAV files.
//!
//! 16-bit samples are big-endian, as read by the engine. The rate of a WAV file is an integer; if the rate of the sound is not, the JSON
//! keeps it for as long as the file has the nearest integer rate.

use field::{Value, wide};
use json::{Compact, Describe as _};
use media::wav::{Wav, loops};
use media::{Around, Files, Imported, Location, Medium, MediumError, Replaced, first, record};

use super::header::{CompressedHeader, ExtendedHeader, Form, StandardHeader};

/// The sounds of resources, and those of groups.
pub static MEDIA: [Medium; 2] = [
    Medium {
        kind: "sound",
        looks_around: false,
        is_whole: false,
        parts: of_resource,
        files: FILES,
        determined: &DETERMINED,
        export,
        import,
    },
    Medium {
        kind: "sounds",
        looks_around: false,
        is_whole: false,
        parts: of_group,
        files: FILES,
        determined: &DETERMINED,
        export,
        import,
    },
];

const FILES: &[(&str, &str)] = &[("wave", ".wav")];
/// The members that a WAV file contains besides the rate.
const DETERMINED: [&str; 3] = ["samples", CHANNELS, BITS];
const CHANNELS: &str = "channels";
const BITS: &str = "sample_size";
const RATE: &str = "rate";

fn of_resource(document: &Value) -> Vec<Location> {
    let part = Location { way: vec!["sound".to_owned()], name: None };
    document.get("sound").map(|_| part).into_iter().collect()
}

fn of_group(document: &Value) -> Vec<Location> {
    let count = document.get("sounds").and_then(Value::items).map_or(0, <[Value]>::len);
    let part = |nth: usize| Location {
        way: vec!["sounds".to_owned(), nth.to_string()],
        name: (count > 1).then(|| format!("sound {nth}")),
    };
    (0..count).map(part).collect()
}

/// Returns the form of a sound.
fn form(part: &Value) -> Result<Form, MediumError> {
    let Some(told) = part.get("form") else { return Ok(Form::default()) };
    let mut forms = [Form::STANDARD, Form::EXTENDED, Form::COMPRESSED].into_iter();
    let form = forms.find(|form| form.name().is_some() && told.text() == form.name());
    form.ok_or_else(|| MediumError::at("form", format!("expected the format of a sound, found {}", told.describe())))
}

/// The description of samples in the header of a sound.
struct Said {
    form: Form,
    channels: u16,
    bits: u16,
    /// With 16 fractional bits.
    rate: u32,
}

impl Said {
    fn of(part: &Value) -> Result<Self, MediumError> {
        let short = |channels: u32| {
            let most = || {
                MediumError::at(CHANNELS, format!("expected at most 65535, as a WAV file can have, found {channels}"))
            };
            u16::try_from(channels).map_err(|_| most())
        };
        Ok(match form(part)? {
            Form::EXTENDED => {
                let head: ExtendedHeader = record(part)?;
                let (channels, bits) = (short(head.channels.get())?, head.sample_size.get());
                Self { form: Form::EXTENDED, channels, bits, rate: head.rate.get() }
            }
            Form::COMPRESSED => {
                let head: CompressedHeader = record(part)?;
                let (channels, bits) = (short(head.channels.get())?, head.sample_size.get());
                Self { form: Form::COMPRESSED, channels, bits, rate: head.rate.get() }
            }
            form => Self { form, channels: 1, bits: 8, rate: record::<StandardHeader>(part)?.rate.get() },
        })
    }

    /// Returns the samples per second, rounded.
    fn rate(&self) -> u32 {
        rounded(self.rate)
    }

    /// Converts samples to the byte order and sign of WAV, or back.
    fn turn(&self, samples: &[u8]) -> Vec<u8> {
        match self.bits {
            8 if self.form == Form::COMPRESSED => samples.iter().map(|sample| sample ^ 0x80).collect(),
            16 => samples.as_chunks::<2>().0.iter().flat_map(|[one, other]| [*other, *one]).collect(),
            _ => samples.to_vec(),
        }
    }

    /// Returns the members that remain for a sound of `bytes` bytes: without its samples, and without its loop if that is at the end.
    fn left(&self, part: &Value, bytes: usize) -> Value {
        let mut left = part.without(&["samples"]);
        if self.form == Form::EXTENDED {
            left = left.without(&[CHANNELS, BITS]);
        }
        match fixed(self.rate()) {
            Some(rate) if rate == self.rate => _ = left.take_member(RATE),
            Some(rate) => left.put(RATE, Value::kept(shown(self.rate), shown(rate))),
            None => {}
        }
        let told = LOOP.map(|name| left.get(name).and_then(Value::whole));
        if told == self.end(bytes).map(Some) { left.without(&LOOP) } else { left }
    }

    /// Returns the default loop of a sound of `bytes` bytes: its last two samples.
    fn end(&self, bytes: usize) -> [u64; 2] {
        let frame = (u64::from(self.channels) * u64::from(self.bits / 8)).max(1);
        let frames = wide(bytes) / frame;
        [frames.saturating_sub(2), frames.saturating_sub(1)]
    }
}

/// Rounds a rate with 16 fractional bits.
fn rounded(rate: u32) -> u32 {
    u32::try_from((u64::from(rate) + 0x8000) >> 16).unwrap_or(u32::MAX)
}

/// Converts an integer rate to one with 16 fractional bits.
fn fixed(rate: u32) -> Option<u32> {
    rate.checked_mul(1 << 16)
}

/// Returns a rate with 16 fractional bits as JSON.
fn shown(rate: u32) -> Value {
    Value::Fixed(rate.into())
}

/// The members for the loop of a sound.
const LOOP: [&str; 2] = ["loop_start", "loop_end"];

fn export(around: &Around<'_>) -> Option<(Value, Files)> {
    let said = Said::of(around.part).ok()?;
    let samples = around.part.get("samples").map_or(Some(Vec::new()), |samples| Some(samples.bytes()?.into_owned()))?;
    let Said { channels, bits, .. } = said;
    let frame = usize::from(channels) * usize::from(bits / 8);
    if !matches!(bits, 8 | 16) || frame == 0 || !samples.len().is_multiple_of(frame) {
        return None;
    }
    let wav = Wav { channels, rate: said.rate(), bits, is_float: false, samples: said.turn(&samples) }.write()?;
    Some((said.left(around.part, samples.len()), vec![Some(wav.into())]))
}

fn import(files: &Files, around: &Around<'_>) -> Result<Imported, MediumError> {
    let wav = Wav::read(first(files)?)?;
    let mut part = match around.part.get("samples").and_then(Value::bytes) {
        Some(samples) => Said::of(&with_loop(around.part, [0; 2]))?.left(around.part, samples.len()),
        None => around.part.clone(),
    };
    if form(&part)? == Form::EXTENDED && wav.channels > 0 && matches!(wav.bits, 8 | 16) {
        for (name, value) in [(CHANNELS, wav.channels), (BITS, wav.bits)] {
            if part.get(name).is_none() {
                part.put(name, value.into());
            }
        }
    }
    let is_replacement = around.part.get("samples").is_some();
    let mut replaced = Vec::new();
    if let Some(ends) = looped(first(files)?)? {
        let differs = LOOP.into_iter().zip(ends).filter_map(|(name, end)| {
            let stated = part.get(name).filter(|stated| stated.whole() != Some(end))?;
            Some((name, end, stated.clone()))
        });
        for (name, end, was) in differs.collect::<Vec<_>>() {
            if is_replacement {
                replaced.push(Replaced { place: format!("/{name}"), was, now: end.into() });
                continue;
            }
            let stated = was.describe();
            let why = format!(
                "expected {end}, as the loop of the WAV file has it, found {stated}; remove loop_start and loop_end to take those of the file"
            );
            return Err(MediumError::at(name, why));
        }
        LOOP.into_iter().zip(ends).for_each(|(name, end)| part.put(name, end.into()));
    }
    let (rate, of_rate) = rate(part.take_member(RATE), wav.rate)?;
    replaced.extend(of_rate);
    part.put(RATE, shown(rate));
    let said = Said::of(&with_loop(&part, [0; 2]))?;
    if (wav.channels, wav.bits) != (said.channels, said.bits) {
        let (is, should) = ((wav.channels, wav.bits), (said.channels, said.bits));
        let why = format!(
            "expected {} channel{} of {} bits, found {} of {}",
            should.0,
            if should.0 == 1 { "" } else { "s" },
            should.1,
            is.0,
            is.1,
        );
        return Err(why.into());
    }
    let samples = said.turn(&wav.samples);
    let mut part = with_loop(&part, said.end(samples.len()));
    part.put("samples", Value::of_bytes(samples));
    Ok(Imported { part, replaced })
}

/// Returns the loop of a WAV file, if it states one.
fn looped(file: &[u8]) -> Result<Option<[u64; 2]>, MediumError> {
    match loops(file).as_slice() {
        [] => Ok(None),
        [ends] => Ok(Some(ends.map(u64::from))),
        more => Err(format!("expected one loop at most, found {}; remove the others", more.len()).into()),
    }
}

/// Returns the rate of a sound whose WAV file has this many samples per second, and the value that it replaces.
fn rate(stated: Option<Value>, file: u32) -> Result<(u32, Option<Replaced>), MediumError> {
    let of_file = || fixed(file).ok_or_else(|| format!("expected at most 65535 samples per second, found {file}"));
    let number = |json: Option<&Value>| json.and_then(Value::fixed).and_then(|rate| u32::try_from(rate).ok());
    let Some(stated) = stated else { return Ok((of_file()?, None)) };
    let expected =
        || MediumError::at(RATE, format!("expected a decimal of at most 65535.99998, found {}", stated.describe()));
    if let (Value::Object(members), Some(before)) = (&stated, stated.computed()) {
        let both = (members.len() == 2).then(|| Some((number(stated.get("kept"))?, number(Some(before))?))).flatten();
        let (kept, before) = both.ok_or_else(expected)?;
        let now = of_file()?;
        let (place, was) = (format!("/{RATE}"), shown(kept));
        return Ok(if before == now { (kept, None) } else { (now, Some(Replaced { place, was, now: shown(now) })) });
    }
    match number(Some(&stated)).ok_or_else(expected)? {
        rate if rounded(rate) == file => Ok((rate, None)),
        rate => {
            let why = format!(
                "expected {file} samples per second as in the WAV file, found {}; remove it to use the rate of the file",
                Compact(&shown(rate))
            );
            Err(MediumError::at(RATE, why))
        }
    }
}

/// Returns the sound with this loop if it has none.
fn with_loop(part: &Value, ends: [u64; 2]) -> Value {
    let mut part = part.clone();
    // If only one of them is present, the other is missing rather than left to the rule.
    if LOOP.iter().all(|name| part.get(name).is_none()) {
        LOOP.into_iter().zip(ends).for_each(|(name, end)| part.put(name, end.into()));
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts that a part round-trips, and returns its file.
    fn back(part: &Value) -> Wav {
        let around =
            |part| Around { part, way: &[], document: &Value::Null, row: &Value::Null, container: &Value::Null };
        let (left, files) = export(&around(part)).expect("a file");
        let again = import(&files, &around(&left)).expect("a sound");
        for name in ["samples", "loop_start", "loop_end", "rate"] {
            assert_eq!(again.part.get(name), part.get(name), "{name}");
        }
        assert_eq!(again.replaced, []);
        Wav::read(files[0].as_ref().expect("a file")).expect("it is read")
    }

    fn part(form: Option<&str>, head: &[(&'static str, u32)], samples: &[u8]) -> Value {
        let mut json = Value::from([("samples", Value::of_bytes(samples.to_vec()))]);
        form.into_iter().for_each(|form| json.put("form", form.into()));
        let value = |name, value: u32| if name == RATE { shown(value) } else { value.into() };
        head.iter().for_each(|(name, it)| json.put(*name, value(*name, *it)));
        json
    }

    #[test]
    fn eight_bit_samples_are_unchanged() {
        let head = [("rate", 0x2B77_45D1), ("loop_start", 1), ("loop_end", 2), ("base_note", 60)];
        let wav = back(&part(None, &head, &[128, 255, 0]));
        assert_eq!(wav, Wav { channels: 1, rate: 0x2B77, bits: 8, is_float: false, samples: vec![128, 255, 0] });
    }

    #[test]
    fn more_channels_than_a_wav_file_can_have_are_refused() {
        let head = [("rate", 22050 << 16), ("base_note", 60), ("channels", 65537), ("sample_size", 8)];
        let sound = part(Some("EXTENDED"), &head, &[]);
        let around =
            Around { part: &sound, way: &[], document: &Value::Null, row: &Value::Null, container: &Value::Null };
        let wav =
            Wav { channels: 1, rate: 22050, bits: 8, is_float: false, samples: vec![128] }.write().expect("a file");
        let refused = import(&vec![Some(wav.into())], &around).expect_err("too many channels");
        assert!(refused.to_string().contains("at most 65535"), "{refused}");
        assert!(export(&around).is_none());
    }

    #[test]
    fn sixteen_bit_samples_are_swapped_and_signed_ones_shifted() {
        let head = [("rate", 22050 << 16), ("loop_start", 0), ("loop_end", 9), ("base_note", 60), ("channels", 2)];
        let with = |bits: u32| [&head[..], &[("sample_size", bits)]].concat();
        assert_eq!(back(&part(Some("EXTENDED"), &with(16), &[1, 2, 3, 4])).samples, [2, 1, 4, 3]);
        let more = [("compression_id", 0), ("packet_size", 0), ("synthesizer_id", 0)];
        let mut signed = part(Some("COMPRESSED"), &[&with(8)[..], &more].concat(), &[0x80, 0x7F]);
        signed.put("format", "twos".into());
        assert_eq!(back(&signed).samples, [0, 255]);
    }
}
