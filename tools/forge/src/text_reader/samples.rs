//! Ordinary text reader files, and files with traps.

use super::{Spec, build};
use crate::random::Random;
use crate::sample::{Trap, kept, reported};
use crate::{Sample, Size};

const COMMANDS: [&str; 10] = [
    "CMD_THROTTLE_UP",
    "CMD_THROTTLE_DOWN",
    "CMD_TWIST_LEFT",
    "CMD_TWIST_RIGHT",
    "CMD_FIRE_WEAPON",
    "CMD_NEXT_TARGET",
    "CMD_ZOOM",
    "CMD_JUMP_JETS",
    "CMD_EJECT",
    "CMD_SHUT_DOWN",
];

const AXES: [(&str, &str); 4] = [("Throttle", "Z"), ("Twist", "Rz"), ("Pitch", "Y"), ("LR", "X")];

/// Returns the only known file of its type, `DefaultCtlConfig.zrd`: keys, then axes. Source: zipper-reader.md, section 4.3.
pub fn ordinary(random: &mut Random, size: Size) -> Spec {
    let (keys, axes) = match size {
        Size::Tiny => (2, 1),
        Size::Small => (10, 4),
        Size::Retail => (90, 4),
    };
    let mut lines = vec!["(".into(), "\tKEYS".into(), "\t(".into()];
    lines.extend((0..keys).map(|at| key(random, COMMANDS[at % COMMANDS.len()])));
    lines.extend(["\t)", "\tAXES", "\t("].map(String::from));
    lines.extend(AXES[..axes].iter().map(|(name, axis)| {
        let [slope, intercept] = [0; 2].map(|_| f64::from(random.between(-4, 4)) / 4.0);
        format!("\t\t({name}\tjoystick({axis})\tslope({slope:.6})\tintercept({intercept:.6})\tdeadzone(0.050000))")
    }));
    lines.extend(["\t)", ")"].map(String::from));
    Spec { lines: lines.into_iter().map(String::into_bytes).collect(), line_end: b"\r\n", ends_last: true }
}

/// Returns a command with its keys and buttons, each of which can be missing.
fn key(random: &mut Random, command: &str) -> String {
    // Alt 0x100, Ctrl 0x200, Shift 0x400.
    let modifier = random.one_of(&[0, 0, 0x100, 0x200, 0x400]);
    let code = modifier | (1 + random.below(0x58));
    let mut line = format!("\t\t({command}");
    if random.below(8) != 0 {
        line += &format!("\tkeya(0x{code:x})");
    }
    if random.below(3) == 0 {
        line += &format!("\tkeyb(0x{:x})", 1 + random.below(0x58));
    }
    if random.below(3) == 0 {
        line += &format!("\tjoybtn(0x{:x})", random.below(16));
    }
    line + ")"
}

/// Returns text reader files of a size class. Source of the traps: zipper-reader.md, sections 4.1, 4.2 and 4.4.
pub fn samples(seed: u64, size: Size) -> Vec<Sample> {
    let sample = |name: &str, size, trap: Option<&Trap<Spec>>| {
        Sample::of(name, "text-reader", &["mw"], ordinary(&mut Random::named(seed, name), size), trap, build)
    };
    let odd = TRAPS.iter().map(|trap| sample(trap.name, size.of_traps(), Some(trap)));
    [sample("DefaultCtlConfig.zrd", size, None)].into_iter().chain(odd).collect()
}

const TRAPS: [Trap<Spec>; 29] = [
    kept("text_lf.zrd", "line ends without CR", |spec| spec.line_end = b"\n"),
    kept("text_cr.zrd", "line ends without LF", |spec| spec.line_end = b"\r"),
    kept("text_one_line.zrd", "blanks instead of line ends", |spec| spec.line_end = b" "),
    kept("text_mixed_line_ends.zrd", "line ends of all three kinds", |spec| {
        spec.lines[1].push(b'\n');
        spec.lines[2].splice(0..0, *b"\r\r\n");
    }),
    kept("text_no_last_line_end.zrd", "no end of the last line", |spec| spec.ends_last = false),
    kept("text_blanks.zrd", "blanks instead of tabs, at line ends too", |spec| {
        for line in &mut spec.lines {
            let at = line.iter().take_while(|&&byte| byte == b'\t').count();
            line.splice(..at, b"    ".repeat(at));
            line.extend(b"  ");
        }
    }),
    kept("text_blank_start.zrd", "blank lines before the first list", |spec| {
        spec.lines.splice(0..0, [b"".to_vec(), b" \t".to_vec()]);
    }),
    kept("text_blank_end.zrd", "blank lines after the last list, the last without an end", |spec| {
        spec.lines.extend([b"".to_vec(), b"\t ".to_vec()]);
        spec.ends_last = false;
    }),
    kept(
        "text_comments.zrd",
        "comments in lines, on lines of their own, with parentheses and quotation marks",
        |spec| {
            spec.lines[1].extend(b"\t; the keys (not \"all\" of them");
            spec.lines.insert(3, b";".into());
            spec.lines.insert(3, b"\t\t;; (CMD_NOTHING keya(0x1))".into());
        },
    ),
    kept("text_comment_first.zrd", "a comment before the first list", |spec| {
        spec.lines.insert(0, b"; Default controls".into());
    }),
    kept("text_comment_last.zrd", "a comment after the last list that no line end ends", |spec| {
        spec.lines.push(b"; end".into());
        spec.ends_last = false;
    }),
    kept("text_comment_lf.zrd", "comments that LF alone ends, and a CR within one", |spec| {
        spec.line_end = b"\n";
        spec.lines[1].extend(b" ; one\rand the same");
    }),
    kept("text_comment_only.zrd", "a comment, and no list", |spec| spec.lines = vec![b"; nothing here".into()]),
    kept("text_comment_in_token.zrd", "a semicolon in a token, where it may or may not start a comment", |spec| {
        spec.lines[1] = b"\tKEYS;here".into();
    }),
    kept("text_quotes.zrd", "tokens quoted as a whole and in parts", |spec| {
        spec.lines[1] = b"\t\"KEYS\" KE\"YS\" \"KE\"\"YS\" \"\"KEYS".into();
    }),
    kept("text_quoted_delimiters.zrd", "quoted blanks, parentheses, semicolons and line ends", |spec| {
        spec.lines[1] = b"\t\"two words\" \"(\" \")) ;\" \"line\r\nend\" a\"\t\"b".into();
    }),
    kept("text_empty_string.zrd", "empty strings", |spec| spec.lines[1] = b"\t\"\" (\"\") \"\"\"\"".into()),
    kept("text_quoted_numbers.zrd", "numbers in quotation marks, which are strings", |spec| {
        spec.lines[1] = b"\t\"1\" \"-0.500000\" 1\"\" \"0\"x10".into();
    }),
    kept("text_integers.zrd", "integers in every spelling, and some beyond 32 bits", |spec| {
        spec.lines[1] = b"\t0 -0 +1 007 -2147483648 2147483647 2147483648 99999999999999999999 + -".into();
    }),
    kept("text_hexadecimal.zrd", "hexadecimal numbers in every spelling", |spec| {
        spec.lines[1] = b"\t0x0 0x1e 0x1E 0xffffffff 0x100000000 -0x1 0X1 0x 0xg".into();
    }),
    kept("text_floats.zrd", "floats in every spelling, and what is none", |spec| {
        spec.lines[1] =
            b"\t0.5 .5 5. -.5 +0.500000 -0.0 . 1e5 1.5e5 inf nan 1.2.3 999999999999999999999999999999999999999.0"
                .into();
    }),
    kept("text_calls.zrd", "parentheses with and without a blank before them", |spec| {
        spec.lines[1] = b"\tjoybtn(0x6) joybtn (0x6) joybtn( 0x6 ) joybtn\t()(()())".into();
    }),
    kept("text_two_lists.zrd", "a second list after the first", |spec| {
        let again = spec.lines.clone();
        spec.lines.extend(again);
    }),
    kept("text_token_of_255.zrd", "the longest token there can be", |spec| spec.lines[1] = b"K".repeat(255)),
    reported("text_token_of_256.zrd", "a token that is too long", |spec| spec.lines[1] = b"K".repeat(256)),
    reported("text_high_bytes.zrd", "bytes that are not ASCII, in a token, a string and a comment", |spec| {
        spec.lines[1] = b"\tSchl\xFCssel \"\x80 \xFF\" ; f\xC3\xBCr".into();
    }),
    reported("text_never_closed.zrd", "a list that never ends", |spec| drop(spec.lines.pop())),
    reported("text_closed_twice.zrd", "a list that ends once too often", |spec| spec.lines.push(b")".into())),
    reported("text_quote_open.zrd", "a quotation mark that none follows", |spec| spec.lines.push(b"\"KEYS".into())),
];
