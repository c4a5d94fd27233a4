//! Files of a kind as text that people write: a second view of their content, without any loss.

use bytes::Bytes;

/// What is made of a text.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Made {
    /// The file.
    pub file: Vec<u8>,
    /// What of the text is not in the file, and why, a line each.
    pub notes: Vec<String>,
}

impl From<Vec<u8>> for Made {
    fn from(file: Vec<u8>) -> Self {
        Self { file, notes: Vec::new() }
    }
}

/// Makes a file of a text and the files that it builds upon, the nearest one first.
type Make = fn(&[u8], &[Bytes]) -> Result<Made, String>;

/// The text form of a kind. A file that the text cannot hold is refused, and so is a text with more than the file can hold.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TextForm {
    /// The extension of such texts, in lower case.
    pub extension: &'static str,
    /// Returns `true` if some bytes are such a text, and not a file of the kind.
    pub is_text: fn(&[u8]) -> bool,
    /// Returns `true` if the game reads such a text too, and nothing in it says that it is meant to become a file of the kind: then it stays a
    /// text in a container.
    pub stays: fn(&[u8]) -> bool,
    /// Returns the file of a text.
    pub read: fn(&[u8]) -> Result<Vec<u8>, String>,
    /// Makes a file of a text that can build upon other files, or of which something can be left out.
    make: Option<Make>,
    /// Returns a file as text, which is not proven yet.
    print: fn(&[u8]) -> Result<Vec<u8>, String>,
}

impl TextForm {
    /// Declares a text form.
    pub const fn new(
        extension: &'static str,
        is_text: fn(&[u8]) -> bool,
        print: fn(&[u8]) -> Result<Vec<u8>, String>,
        read: fn(&[u8]) -> Result<Vec<u8>, String>,
    ) -> Self {
        Self { extension, is_text, stays: |_| false, read, make: None, print }
    }

    /// Declares which texts the game reads too.
    pub const fn with_files(self, stays: fn(&[u8]) -> bool) -> Self {
        Self { stays, ..self }
    }

    /// Declares how a file is made of a text and the files that it builds upon.
    pub const fn with_others(self, make: Make) -> Self {
        Self { make: Some(make), ..self }
    }

    /// Makes a file of a text and the files that it builds upon, the nearest one first: the super models of a model.
    ///
    /// # Errors
    /// Returns an error if the text is wrong, or if it does not build upon these files.
    pub fn make(&self, text: &[u8], others: &[Bytes]) -> Result<Made, String> {
        match self.make {
            Some(make) => make(text, others),
            None if others.is_empty() => (self.read)(text).map(Made::from),
            None => Err("only a model has a super model".to_owned()),
        }
    }

    /// Returns a file as text, from which the same file has been made again.
    ///
    /// # Errors
    /// Returns an error if no text can hold the file.
    pub fn write(&self, file: &[u8]) -> Result<Vec<u8>, String> {
        let text = (self.print)(file)?;
        match (self.read)(&text)? == file {
            true => Ok(text),
            false => Err("the text would not become the same file".to_owned()),
        }
    }

    /// Returns `true` if some bytes are such a text that becomes a file of the kind in a container.
    #[must_use]
    pub fn is_source(&self, bytes: &[u8]) -> bool {
        (self.is_text)(bytes) && !(self.stays)(bytes)
    }
}

/// Takes a text, the file that was compiled from it, and that file after edits.
type TakeBack = fn(&[u8], &[u8], &[u8]) -> Result<Vec<u8>, String>;

/// Texts that the game reads as they are, and that are drawn and edited as the files that are compiled from them.
#[derive(Clone, Copy, Debug)]
pub struct Compiles {
    /// The kind of the compiled files.
    pub kind: &'static str,
    /// Compiles a text.
    pub compile: fn(&[u8]) -> Result<Vec<u8>, String>,
    /// Returns a text with the changes between the file that was compiled from it and an edited one. All else in it stays.
    pub take_back: TakeBack,
}
