//! The images in files, on contact sheets: by `--images`. Few of them are inside the page; many are on pages of their own beside it, which
//! the browser loads when they are opened.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, html};

use super::words::{grouped, more, path, s, short};
use super::{Section, framed};
use crate::report::{HtmlReport, Sheet};
use field::wide;
use media::Placed;

/// The most bytes of images inside the page, so that a page of a large install stays small.
const INSIDE: usize = 1 << 20;
/// The bytes of images from which on a page of images is full, so that each opens at once.
const FULL: usize = 4 << 20;

/// Returns the images by page, or `None` if they are inside the page itself.
pub(super) fn groups(run: &HtmlReport) -> Option<Vec<&[Sheet]>> {
    let sheets = &run.sheets.shown[..];
    let size = |sheets: &[Sheet]| sheets.iter().map(|it| it.png.len()).sum::<usize>();
    if size(sheets) <= INSIDE {
        return None;
    }
    let mut held = 0;
    Some(
        sheets
            .chunk_by(|one, _| {
                held += one.png.len();
                let is_full = held >= FULL;
                held = if is_full { 0 } else { held };
                !is_full
            })
            .collect(),
    )
}

/// Returns the images, or if the page has a file name, links to the pages with them.
pub(super) fn section(run: &HtmlReport, name: Option<&str>) -> Option<Section> {
    let sheets = &run.sheets;
    let body = html! {
        p .note { "All images of each file, with their names." }
        @if let Some((name, groups)) = name.zip(groups(run)) {
            @for (nth, sheets) in (1..).zip(groups) { (linked(&page_name(name, nth), sheets)) }
        } @else {
            @for (nth, sheet) in sheets.shown.iter().enumerate() { (figure(nth, sheet)) }
        }
        (more("sheets.more", sheets.more()))
    };
    (sheets.total > 0).then_some(Section::new("images", "Images", body))
}

/// Returns a page of images as something to unfold, which is loaded only then.
fn linked(name: &str, sheets: &[Sheet]) -> Markup {
    let (count, bytes) = (wide(sheets.len()), wide(sheets.iter().map(|it| it.png.len()).sum()));
    let href = encoded(name);
    html! {
        details .rule .pages {
            summary {
                span .what {
                    @if let [first, .., last] = sheets { (path(&first.path)) " to " (path(&last.path)) }
                    @else { @for sheet in sheets { (path(&sheet.path)) } }
                }
                span .counts { (grouped(count)) " file" (s(count)) ", " (grouped(bytes)) " bytes of images" }
            }
            p .note { "In " a href=(href) { (name) } ", beside this page." }
            iframe src=(href) title={ "Images: " (name) } loading="lazy" {}
        }
    }
}

/// Returns the page with some images, for the report with this title.
pub(super) fn page(sheets: &[Sheet], title: &str) -> String {
    let figures = html! { main { @for (nth, sheet) in sheets.iter().enumerate() { (figure(nth, sheet)) } } };
    framed(&format!("Images – {title}"), &figures)
}

/// Returns the file name of a page of images, from 1, beside the report with this file name.
pub(super) fn page_name(name: &str, nth: usize) -> String {
    match name.rsplit_once('.') {
        Some((stem, ending)) => format!("{stem}.images-{nth}.{ending}"),
        None => format!("{name}.images-{nth}"),
    }
}

/// Returns a file name for the address of a link.
fn encoded(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let one = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    // A name with a colon could be taken for a scheme.
    name.bytes().map(one).collect()
}

/// Returns the images of a file, each a part of its sheet, with its name as text, so that it can be searched, copied and read aloud.
fn figure(nth: usize, Sheet { path: name, png, images }: &Sheet) -> Markup {
    // The width and the height are the first fields of the first chunk, IHDR.
    let side = |at: usize| png.get(at..)?.first_chunk().map(|word| u32::from_be_bytes(*word));
    let (picture, id) = (format!("data:image/png;base64,{}", STANDARD.encode(png)), format!("sheet-{nth}"));
    html! {
        figure .sheet {
            figcaption { (path(name)) }
            svg .whole-sheet aria-hidden="true" width="0" height="0" {
                defs { image id=(id) href=(picture) width=[side(16)] height=[side(20)] {} }
            }
            ul .tiles {
                @for Placed { name, left, top, width, height } in images {
                    li {
                        svg viewBox={ (left) " " (top) " " (width) " " (height) } width=(width) height=(height) aria-hidden="true" {
                            use href={ "#" (id) } {}
                        }
                        span { (short(name)) }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_images_are_named_after_the_report() {
        assert_eq!(page_name("my report.html", 2), "my report.images-2.html");
        assert_eq!(page_name("report", 1), "report.images-1");
        assert_eq!(encoded("a b#1:ü.html"), "a%20b%231%3A%C3%BC.html");
    }

    #[test]
    fn few_images_are_inside_and_many_on_pages_of_some_megabytes() {
        let of = |sizes: &[usize]| {
            let mut run = HtmlReport::default();
            sizes.iter().for_each(|size| run.sheet("a.zbd", vec![0; *size].into()));
            groups(&run).map(|groups| groups.iter().map(|group| group.len()).collect::<Vec<_>>())
        };
        assert_eq!(of(&[INSIDE / 2, INSIDE / 2]), None);
        assert_eq!(of(&[INSIDE, 1]), Some(vec![2]));
        assert_eq!(of(&[FULL, 1, FULL - 2, 1, 5]), Some(vec![1, 3, 1]));
    }
}
