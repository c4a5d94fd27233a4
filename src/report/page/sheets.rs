//! The images in files, on contact sheets inside the page: by `--images`.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, html};

use super::Section;
use super::words::{more, path};
use crate::report::{HtmlReport, Sheet};

pub(super) fn section(run: &HtmlReport) -> Option<Section> {
    let sheets = &run.sheets;
    let body = html! {
        p .note { "All images of a file, each with its name below it." }
        @for sheet in &sheets.shown { (figure(sheet)) }
        (more("sheets.more", sheets.more()))
    };
    (sheets.total > 0).then_some(Section::new("images", "Images", body))
}

fn figure(Sheet { path: name, png }: &Sheet) -> Markup {
    // The width and the height are the first fields of the first chunk, IHDR.
    let side = |at: usize| png.get(at..)?.first_chunk().map(|word| u32::from_be_bytes(*word));
    let picture = format!("data:image/png;base64,{}", STANDARD.encode(png));
    html! {
        figure .sheet {
            figcaption { (path(name)) }
            img src=(picture) alt="All images of this file, with their names." width=[side(16)] height=[side(20)] loading="lazy";
        }
    }
}
