//! Files of a kind as text that people write: a second view of their content, without any loss.

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
    /// Returns a file as text, which is not proven yet.
    print: fn(&[u8]) -> Result<Vec<u8>, String>,
}

impl TextForm {
    /// Declares a text form.
    pub(crate) const fn new(
        extension: &'static str,
        is_text: fn(&[u8]) -> bool,
        print: fn(&[u8]) -> Result<Vec<u8>, String>,
        read: fn(&[u8]) -> Result<Vec<u8>, String>,
    ) -> Self {
        Self { extension, is_text, stays: |_| false, read, print }
    }

    /// Declares which texts the game reads too.
    pub(crate) const fn with_files(self, stays: fn(&[u8]) -> bool) -> Self {
        Self { stays, ..self }
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
