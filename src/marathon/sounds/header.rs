//! A sound: its header and its samples.
//!
//! Source: `marathon-sounds.md`, section 2.

use field::{Block, Fault, FourCc, I16be, Result, Run, U8, U16be, U32be, lay, wide};
use field::{names, record};

use super::super::numbers::UnsignedFixed;

names! {
    /// The type of a sound's header, and the storage of its samples. Source: `marathon-sounds.md`, section 2.
    pub struct Form(U8: u8) {
        /// 8 bits, one channel.
        STANDARD = 0;
        /// Like `EXTENDED`, in a named format.
        COMPRESSED = 0xFE;
        /// 8 or 16 bits, any number of channels.
        EXTENDED = 0xFF;
    }
}

record! {
    /// The header of a sound of 8 bits and one channel, 22 bytes. Source: `marathon-sounds.md`, section 2.
    pub struct StandardHeader: 22 {
        sample_pointer: U32be as Pointer,
        /// In bytes.
        length: U32be as Outside,
        /// Samples per second.
        rate: UnsignedFixed,
        loop_start: U32be,
        loop_end: U32be,
        encoding: U8 = 0,
        base_note: U8,
    }
}

record! {
    /// The header of a sound of any number of bits and channels, 64 bytes. Source: `marathon-sounds.md`, section 2.
    pub struct ExtendedHeader: 64 {
        sample_pointer: U32be as Pointer,
        channels: U32be,
        /// Samples per second.
        rate: UnsignedFixed,
        loop_start: U32be,
        loop_end: U32be,
        encoding: U8 = 0xFF,
        base_note: U8,
        frames: U32be as Outside,
        /// The rate as an 80-bit float.
        rate_extended: [U8; 10] => |r| extended(r.rate),
        marker_pointer: U32be as Pointer,
        instrument_pointer: U32be as Pointer,
        aes_pointer: U32be as Pointer,
        /// In bits: 8 or 16.
        sample_size: U16be,
        future: [U8; 14] = [U8::new(0); 14],
    }
}

record! {
    /// The header of a sound in a named format, 64 bytes. Source: `marathon-sounds.md`, section 2.
    pub struct CompressedHeader: 64 {
        sample_pointer: U32be as Pointer,
        channels: U32be,
        /// Samples per second.
        rate: UnsignedFixed,
        loop_start: U32be,
        loop_end: U32be,
        encoding: U8 = 0xFE,
        base_note: U8,
        frames: U32be as Outside,
        /// The rate as an 80-bit float.
        rate_extended: [U8; 10] => |r| extended(r.rate),
        marker_pointer: U32be as Pointer,
        /// `twos` for signed samples.
        format: FourCc,
        future: U32be = 0,
        state_pointer: U32be as Pointer,
        leftover_pointer: U32be as Pointer,
        compression_id: I16be,
        packet_size: U16be,
        synthesizer_id: U16be,
        /// In bits: 8 or 16.
        sample_size: U16be,
    }
}

/// Converts a rate to an 80-bit float: exponent, then 64 bits, the first of which is always set.
fn extended(rate: UnsignedFixed) -> [U8; 10] {
    let rate = rate.get();
    let mut bytes = [0; 10];
    if let Some(highest) = rate.checked_ilog2() {
        // The highest of the 32 bits is worth 2^15.
        let exponent = u16::try_from(highest + 16383 - 16).unwrap_or(u16::MAX);
        let mantissa = rate.wrapping_shl(31_u32 - highest);
        let all = exponent.to_be_bytes().into_iter().chain(mantissa.to_be_bytes());
        bytes.iter_mut().zip(all).for_each(|(to, from)| *to = from);
    }
    bytes.map(U8::new)
}

/// A sound.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sound {
    /// The type of header.
    pub form: Form,
    /// The header, if it is a standard one.
    pub standard: StandardHeader,
    /// The header, if it is an extended one.
    pub extended: ExtendedHeader,
    /// The header, if it is a compressed one.
    pub compressed: CompressedHeader,
    /// The samples.
    pub samples: Block,
}

impl Sound {
    /// Bytes of the shortest header.
    pub(super) const SHORTEST: u64 = 22;

    /// Returns the number of channels, and bits per sample.
    #[must_use]
    pub fn layout(&self) -> (u32, u16) {
        match self.form {
            Form::EXTENDED => (self.extended.channels.get(), self.extended.sample_size.get()),
            Form::COMPRESSED => (self.compressed.channels.get(), self.compressed.sample_size.get()),
            _ => (1, 8),
        }
    }

    /// Returns the start and the end of the loop.
    fn ends(&self) -> [u64; 2] {
        let (start, end) = match self.form {
            Form::EXTENDED => (self.extended.loop_start, self.extended.loop_end),
            Form::COMPRESSED => (self.compressed.loop_start, self.compressed.loop_end),
            _ => (self.standard.loop_start, self.standard.loop_end),
        };
        [start, end].map(|it| it.get().into())
    }

    /// Returns the samples of one channel per second, with 16 fractional bits.
    #[must_use]
    pub fn rate(&self) -> u32 {
        match self.form {
            Form::EXTENDED => self.extended.rate.get(),
            Form::COMPRESSED => self.compressed.rate.get(),
            _ => self.standard.rate.get(),
        }
    }

    /// Returns the bytes per sample of all channels, or an error if the header does not specify a known format.
    fn frame(&self) -> core::result::Result<u64, (&'static str, Fault)> {
        let (channels, bits) = self.layout();
        match bits {
            _ if channels == 0 => Err(("channels", Fault::Outside { found: 0, expected: "at least 1".into() })),
            8 | 16 => Ok(u64::from(channels) * u64::from(bits / 8)),
            _ => Err(("sample_size", Fault::Unknown { found: bits.to_string(), expected: "8 or 16".into() })),
        }
    }
}

lay! {
    impl Lay for Sound {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.seen_fact("form", at!(self.form), |t| {
                t.ahead(Self::SHORTEST).get(20).copied().map(Form::new).unwrap_or_default()
            })?;
            t.when_whole(|t| count(at!(*self), t))?;
            let length = match self.form {
                Form::STANDARD => {
                    t.fields(at!(self.standard))?;
                    t.stated("length", self.standard.length)?
                }
                Form::EXTENDED | Form::COMPRESSED => {
                    let frames = if self.form == Form::EXTENDED {
                        t.fields(at!(self.extended))?;
                        self.extended.frames
                    } else {
                        t.fields(at!(self.compressed))?;
                        self.compressed.frames
                    };
                    let frame = self.frame().map_err(|(field, fault)| t.error_in(field, fault))?;
                    t.stated("frames", frames)?.saturating_mul(frame)
                }
                other => {
                    let (found, expected) = (format!("{other:?}"), "0, 254 or 255".to_owned());
                    return Err(t.error_in("encoding", Fault::Unknown { found, expected }));
                }
            };
            let [start, end] = self.ends();
            t.expect("loop_end", || (end > length).then(|| (format!("at most {length}, in the samples").into(), end.into())));
            t.expect("loop_start", || (start > end).then(|| (format!("at most {end}, before loop_end").into(), start.into())));
            t.run("samples", Run::Samples, length, at!(self.samples))
        }
    }

    /// Updates the number of samples in the header.
    fn count(sound: at!(Sound), t: &Tape<'_>) -> Result {
        let bytes = wide(sound.samples.len());
        if sound.form == Form::STANDARD {
            return t.computed("length", at!(sound.standard.length), bytes);
        }
        let frame = sound.frame().map_err(|(field, fault)| t.error_in(field, fault))?;
        if !bytes.is_multiple_of(frame) {
            let expected = bytes.next_multiple_of(frame);
            return Err(t.error_in("samples", Fault::Count { expected, found: bytes }));
        }
        match sound.form {
            Form::COMPRESSED => t.computed("frames", at!(sound.compressed.frames), bytes / frame),
            _ => t.computed("frames", at!(sound.extended.frames), bytes / frame),
        }
    }
}

impl StandardHeader {
    /// Creates a header for this many samples per second, with 16 fractional bits.
    #[must_use]
    pub fn of(rate: u32) -> Self {
        Self { rate: UnsignedFixed::new(rate), base_note: U8::new(60), ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_stored_as_80_bit_floats() {
        let rate = |fixed: u32| extended(UnsignedFixed::new(fixed)).map(U8::get);
        // 22,050 is 1.0101… times 2^14.
        assert_eq!(rate(22050 << 16), [0x40, 0x0D, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]);
        assert_eq!(rate(0x56EE_8BA3), [0x40, 0x0D, 0xAD, 0xDD, 0x17, 0x46, 0, 0, 0, 0]);
        assert_eq!(rate(1 << 16), [0x3F, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(rate(0), [0; 10]);
    }
}
