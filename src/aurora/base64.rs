//! Bytes as text in base64, in one spelling only.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

pub(super) fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}
