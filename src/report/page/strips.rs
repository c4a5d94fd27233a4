//! A picture of each of the largest files: which class owns the bytes, from the beginning to the end.

use maud::{Markup, html};

use super::Section;
use super::words::{more, number, path, s, share};
use crate::report::{HtmlReport, Pictured};
use field::{Class, wide};

/// The height of the picture.
const HEIGHT: usize = 10;

pub(super) fn section(run: &HtmlReport) -> Option<Section> {
    let files = &run.pictured;
    let body = html! {
        p .note {
            "Each picture is a file from its beginning to its end, in up to 128 parts of equal size. A part has the color and the "
            "height of the class that owns most of its bytes."
        }
        ul .inline aria-hidden="true" { @for class in Class::ALL { li { (swatch(class)) " " (class.name()) } } }
        @for file in &files.shown { (picture(file)) }
        (more("pictured.more", files.more()))
    };
    (files.total > 0).then_some(Section::expert("files", "Owners of the bytes of each file", body))
}

/// Returns the height of a class, so that classes are told apart without color as well.
const fn height(class: Class) -> usize {
    match class {
        Class::Opaque => HEIGHT,
        Class::Semantic => 8,
        Class::Derived => 7,
        Class::Reserved => 6,
        Class::Pointer => 5,
        Class::Stale => 4,
        Class::Padding => 2,
    }
}

/// Returns a sample of a class for the legend.
fn swatch(class: Class) -> Markup {
    let size = format!("0 0 {HEIGHT} {HEIGHT}");
    html! { svg .sample viewBox=(size) { path .(class.name()) d=(bars(&[class; HEIGHT], class)) {} } }
}

fn picture(Pictured { path: name, kind, bytes, census, strip }: &Pictured) -> Markup {
    let present = || Class::ALL.into_iter().filter(|class| census.of(*class) > 0);
    let shares: Vec<String> =
        present().map(|class| format!("{} {}", class.name(), share(census.of(class), census.total()))).collect();
    let shares = shares.join(", ");
    html! {
        figure .pictured data-of="pictured" {
            figcaption { (path(name)) " " span .soft { (kind) ", " (number(".bytes", *bytes)) " byte" (s(*bytes)) } }
            svg .strip viewBox={ "0 0 " (strip.parts.len()) " " (HEIGHT) } preserveAspectRatio="none" role="img" aria-label=(shares) {
                title { (shares) }
                @for class in present() {
                    @let bars = bars(&strip.parts, class);
                    @if !bars.is_empty() { path .(class.name()) d=(bars) {} }
                }
            }
        }
    }
}

/// Returns the path of a bar for each run of parts with this class.
fn bars(parts: &[Class], class: Class) -> String {
    let (mut bars, mut at, height) = (String::new(), 0_u64, height(class));
    let top = HEIGHT.saturating_sub(height);
    for run in parts.chunk_by(|one, other| one == other) {
        let width = run.len();
        if run.first() == Some(&class) {
            bars.push_str(&format!("M{at} {top}h{width}v{height}h-{width}z"));
        }
        at += wide(width);
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_of_parts_is_one_bar() {
        let parts = [Class::Padding, Class::Semantic, Class::Semantic, Class::Padding];
        assert_eq!(bars(&parts, Class::Semantic), "M1 2h2v8h-2z");
        assert_eq!(bars(&parts, Class::Padding), "M0 8h1v2h-1zM3 8h1v2h-1z");
        assert_eq!(bars(&parts, Class::Opaque), "");
    }
}
