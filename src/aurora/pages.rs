//! The code pages of languages. Source: `nwn-gff.md`, section 7.1.

use field::{CodePage, WINDOWS_1252, decode_text, encode_text};

/// Returns the code page of a language, unless another is chosen.
pub(super) fn page_of(language: u32) -> &'static CodePage {
    CodePage::chosen().unwrap_or_else(|| usual_page(language))
}

/// Returns the code page of a language.
pub(super) fn usual_page(language: u32) -> &'static CodePage {
    #[cfg(feature = "code-pages")]
    {
        static PAGES: [(u32, CodePage); 5] = [
            (5, CodePage::of("windows-1250", encoding_rs::WINDOWS_1250)),
            (128, CodePage::of("EUC-KR", encoding_rs::EUC_KR)),
            (129, CodePage::of("Big5", encoding_rs::BIG5)),
            (130, CodePage::of("GBK", encoding_rs::GBK)),
            (131, CodePage::of("Shift_JIS", encoding_rs::SHIFT_JIS)),
        ];
        if let Some((_, page)) = PAGES.iter().find(|(of, _)| *of == language) {
            return page;
        }
    }
    let _ = language;
    WINDOWS_1252
}

/// Returns the name of a language. Source: `nwn-tlk.md`.
pub fn name_of(language: u32) -> Option<&'static str> {
    Some(match language {
        0 => "English",
        1 => "French",
        2 => "German",
        3 => "Italian",
        4 => "Spanish",
        5 => "Polish",
        128 => "Korean",
        129 => "Chinese (traditional)",
        130 => "Chinese (simplified)",
        131 => "Japanese",
        _ => return None,
    })
}

/// Returns bytes as text, or `None` if the text would not encode to the same bytes.
pub(super) fn decode_exactly(page: &'static CodePage, bytes: &[u8]) -> Option<String> {
    let text = decode_text(page, bytes);
    (encode_text(page, &text).as_deref() == Some(bytes)).then_some(text)
}
