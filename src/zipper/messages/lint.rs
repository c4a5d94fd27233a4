//! The trap of string libraries: font tags.
//!
//! Source: `zipper-messages.md`, section 5.

use field::{Step, wide};
use lint::{Entries, Lint, Watch, lint_as, traps};

use super::Dll;
use super::resources::{Holds, Resources};
use super::section::{Body, Section};
use super::strings::{lossy, split};

traps! { TRAPS:
    FONT_TAG = "font-tag" in Change:
        "the font tag at the beginning of a string was changed" => "Crimson Skies shows the string in another font",
        "zipper-messages.md, section 5 (measured)";
}

/// The longest tag, in letters.
const TAG: usize = 32;

/// Returns the tag that a string begins with, such as `[COUR9]`, or nothing.
fn tag(text: &str) -> &str {
    let end = text.strip_prefix('[').and_then(|rest| rest.find(']')).filter(|end| *end <= TAG);
    end.and_then(|end| text.get(..end + 2)).unwrap_or_default()
}

impl Lint for Dll {
    fn each_entry(&self, pass: &mut Entries<'_>) {
        pass.items(&self.arrangement, self.labels().into_iter().zip(self.sections.iter().map(Some)));
    }
}

lint_as!(Section, it => match &it.body {
    Body::Resources(resources) => resources,
    _ => &(),
});

impl Lint for Resources {
    fn watch(&self, out: &mut Watch<'_>) {
        let blocks = self.resources.iter().enumerate().filter(|(_, it)| it.holds == Holds::STRINGS);
        let all: Vec<(usize, String, usize, String)> = blocks
            .flat_map(|(block, it)| {
                // A resource that grows moves behind the others, so it is known by its path.
                let path = format!("{:?}", it.path);
                let texts = split(&it.strings).unwrap_or_default().into_iter().map(lossy).enumerate();
                texts.map(move |(nth, text)| (block, path.clone(), nth, text)).collect::<Vec<_>>()
            })
            .collect();
        // The strings of other games have no tags.
        if all.iter().all(|(.., text)| tag(text).is_empty()) {
            return;
        }
        for (block, path, nth, text) in all.iter().filter(|(.., text)| !text.is_empty()) {
            let steps =
                [Step::Name("resources"), Step::Index(wide(*block)), Step::Name("strings"), Step::Index(wide(*nth))];
            let key = format!("{path} {nth}");
            out.watch(&FONT_TAG, &steps, Some(key.as_bytes()), tag(text).as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_at_the_beginning() {
        let all = ["[COUR9]Launch", "[] empty", "none", "[open", "a [B]", "[A]"];
        assert_eq!(all.map(tag), ["[COUR9]", "[]", "", "", "", "[A]"]);
    }
}
