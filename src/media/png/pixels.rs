//! What is written to a PNG file, and how large it may be.

use core::fmt::{self, Display};

use field::limits;

/// An error in reading or writing a PNG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The file is not a PNG, or is damaged.
    Unreadable(String),
    /// The file cannot be written.
    Unwritable(String),
    /// The image has no pixels, which a PNG cannot express.
    Empty,
    /// The image has more pixels than an image can have, or than bitexact reads.
    TooLarge {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
    },
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(why) => write!(f, "not a readable PNG: {why}"),
            Self::Unwritable(why) => write!(f, "cannot write a PNG: {why}"),
            Self::Empty => f.write_str("an image without pixels cannot be a PNG"),
            Self::TooLarge { width, height } => {
                write!(f, "expected an image of at most {} pixels, found {width} by {height}", limits::PIXELS)
            }
        }
    }
}

impl core::error::Error for Error {}

/// The layout of the bytes of a file to be written.
#[derive(Clone, Debug)]
pub enum Pixels {
    /// Gray.
    Grey,
    /// Red, green, blue.
    Rgb,
    /// Red, green, blue, opacity.
    Rgba,
    /// Indices into a palette of three bytes per color.
    Indexed(Vec<u8>),
}

impl Pixels {
    /// Returns the number of bytes of a pixel.
    pub(super) const fn channels(&self) -> usize {
        match self {
            Self::Grey | Self::Indexed(_) => 1,
            Self::Rgb => 3,
            Self::Rgba => 4,
        }
    }
}

/// Returns the sides of an image, or an error if it is too large.
pub fn sides((width, height): (u32, u32)) -> Result<(u16, u16), Error> {
    match (u16::try_from(width), u16::try_from(height)) {
        (Ok(wide), Ok(high)) if usize::from(wide) * usize::from(high) <= limits::PIXELS => Ok((wide, high)),
        _ => Err(Error::TooLarge { width, height }),
    }
}
