//! What is the same to other programs: names that they number, and colors that they store in bytes.

use super::vector::screen;

/// The tolerance of colors on the screen, which Blender 3.4 stores in bytes.
const NEAR_COLOR: f32 = 0.6 / 255.0;

/// Returns the name without the number that importers append to repeated names.
fn stem(name: &str) -> &str {
    let numbered = name.rsplit_once('.').filter(|(stem, number)| {
        !stem.is_empty() && number.len() == 3 && number.bytes().all(|digit| digit.is_ascii_digit())
    });
    numbered.map_or(name, |(stem, _)| stem)
}

/// Returns `true` if both are the same name to programs that number repeated names.
pub(super) fn is_same_name(one: &str, other: &str) -> bool {
    one == other || stem(one) == stem(other)
}

pub(super) fn is_near_color([r, g, b, a]: [f32; 4], [nr, ng, nb, na]: [f32; 4]) -> bool {
    let near = |was: f32, now: f32| (was - now).abs() <= NEAR_COLOR;
    let colors = [(r, nr), (g, ng), (b, nb)].map(|(was, now)| (screen(was), screen(now)));
    colors.into_iter().all(|(was, now)| near(was, now)) && near(a, na)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_after_names_do_not_matter() {
        assert_eq!(["a.001", "a", "a.01", ".001", "a.b.012"].map(stem), ["a", "a", "a.01", ".001", "a.b"]);
        assert!(is_same_name("met.001", "met.002") && is_same_name("met", "met.001") && !is_same_name("met", "mat"));
    }
}
