//! Terminals as texts with markup, as people write them.
//!
//! ```text
//! #LOGON 1600 lines=1
//! #PICTURE 1604 lines=18
//! $BTo:$b Durandal
//! Their ships are $C2burning$C0.
//! #END
//! ```
//!
//! A line with `#` begins a group: its kind, its permutation unless that is -1, then `lines=` and `flags=` where they are not
//! 0. Below it stands its text. `$B $I $U` begin thick, slanted and underlined letters, `$b $i $u` end them, `$C0` to `$C9`
//! color them: what changes at one place is one face. A line that ends with a lone `$` goes on in the next. `$$` is a dollar,
//! `$#` a `#` at the start of a line, `$x1B` a character that no line can have.
//!
//! Where texts begin, how long they are and where faces begin follows. A text ends with a NUL that is not shown.

use bitflags::Flags as _;

use crate::exchange::{Around, Exchange, Files, Medium, Part};
use crate::field::{
    Document, I16be, Json, Lay, Mac, Result as Laid, Style as _, Tape, U16be, decode_text, encode_text, load, visit,
};
use crate::tree::Tree;

use super::{Color, Face, FaceFlags, Group, GroupFlags, GroupKind, Terminal};

/// The terminals of a level.
pub static MEDIUM: Medium = Medium { kind: "terminals", parts, files: &[("markup", ".txt")], export, import };

/// Signs for letters that begin to look so, and bits of a face.
const FACES: [(u8, u8, u16); 3] = [(b'B', b'b', 1), (b'I', b'i', 2), (b'U', b'u', 4)];

fn parts(document: &Json) -> Vec<Part> {
    let count = document.get("terminals").and_then(Json::items).map_or(0, <[Json]>::len);
    let part = |nth: usize| {
        let name = (count > 1).then(|| format!("terminal {nth}"));
        Part { way: vec!["terminals".to_owned(), nth.to_string()], name }
    };
    (0..count).map(part).collect()
}

/// A terminal without the others.
#[derive(Default)]
struct Loose(Terminal);

impl Lay for Loose {
    fn lay(&mut self, t: &mut Tape<'_>) -> Laid {
        self.0.lay(t)
    }
}

fn terminal(json: &Json) -> Result<Terminal, String> {
    let given = load::<Loose>(json.clone(), &mut Exchange::default());
    given.map(|given| given.model.0).map_err(|error| error.to_string())
}

fn export(around: &Around<'_>) -> Option<(Json, Files)> {
    let terminal = terminal(around.part).ok()?;
    let markup = write(&terminal)?;
    let read = read(&markup).ok()?;
    let same = *read.groups == *terminal.groups && *read.faces == *terminal.faces && read.text == terminal.text();
    let mut left = around.part.clone();
    for told in ["groups", "faces", "text"] {
        left.take_member(told);
    }
    same.then(|| (left, vec![Some(markup.into_bytes().into())]))
}

fn import(files: &Files, around: &Around<'_>) -> Result<Json, String> {
    let mut part = around.part.clone();
    for told in ["groups", "faces", "text"] {
        part.take_member(told);
    }
    let mut terminal = terminal(&part)?;
    let file = files.first().and_then(Option::as_deref).unwrap_or_default();
    let Script { groups, faces, text } = read(core::str::from_utf8(file).map_err(|_| "not a text in UTF-8")?)?;
    terminal.set_text(&text);
    (terminal.groups, terminal.faces) = (groups.into(), faces.into());
    let mut tree = Tree::documents(false);
    visit(&mut Loose(terminal), &mut tree).map_err(|error| error.to_string())?;
    match tree.finish().0 {
        Document::Json(json) => Ok(json),
        Document::Raw(_) => Err("a terminal is no raw bytes".to_owned()),
    }
}

/// The markup; nothing where groups do not follow each other, or faces are out of order.
fn write(terminal: &Terminal) -> Option<String> {
    let text = terminal.text();
    let mut faces = terminal.faces.iter().peekable();
    let (mut at, mut looks) = (0_usize, (0, 0));
    let mut markup = Vec::new();
    for group in &*terminal.groups {
        if usize::from(group.text_start.get()) != at {
            return None;
        }
        let kind = group.kind.name().map_or_else(|| group.kind.get().to_string(), str::to_owned);
        markup.extend(format!("#{kind}").bytes());
        for (word, value) in [(" ", (group.permutation.get(), -1)), (" lines=", (group.maximum_line_count.get(), 0))] {
            if value.0 != value.1 {
                markup.extend(format!("{word}{}", value.0).bytes());
            }
        }
        if group.flags.bits() != 0 {
            markup.extend(format!(" flags={:?}", group.flags).replace(" | ", "|").bytes());
        }
        markup.push(b'\n');
        let end = at.checked_add(group.text_length.get().into())?;
        let (last, shown) = text.get(at..end)?.split_last()?;
        if *last != 0 {
            return None;
        }
        for (index, letter) in (at..).zip(shown.iter().map(Some).chain([None])) {
            while let Some(face) = faces.next_if(|face| usize::from(face.text_index.get()) == index) {
                put_face(face, &mut looks, &mut markup);
            }
            letter.into_iter().for_each(|letter| put_letter(*letter, &mut markup));
        }
        if markup.last() != Some(&b'\n') {
            markup.extend(b"$\n");
        }
        at = end;
    }
    let all = at == text.len() && faces.next().is_none();
    all.then(|| decode_text(Mac::PAGE, &markup))
}

fn put_face(face: &Face, looks: &mut (u16, u16), markup: &mut Vec<u8>) {
    let (bits, color) = (face.face.bits(), face.color.get());
    for (on, off, bit) in FACES {
        if (bits ^ looks.0) & bit != 0 {
            markup.extend([b'$', if bits & bit == 0 { off } else { on }]);
        }
    }
    if color != looks.1 || bits == looks.0 {
        markup.extend(format!("$C{color}").bytes());
    }
    *looks = (bits, color);
}

fn put_letter(letter: u8, markup: &mut Vec<u8>) {
    let starts = markup.last().is_none_or(|last| *last == b'\n');
    match letter {
        b'\r' => markup.push(b'\n'),
        b'$' => markup.extend(b"$$"),
        b'#' if starts => markup.extend(b"$#"),
        0..0x20 | 0x7F => markup.extend(format!("$x{letter:02X}").bytes()),
        letter => markup.push(letter),
    }
}

/// What a markup says.
#[derive(Debug, Default)]
struct Script {
    groups: Vec<Group>,
    faces: Vec<Face>,
    text: Vec<u8>,
}

fn read(markup: &str) -> Result<Script, String> {
    let mut script = Script::default();
    let mut looks = (0, 0);
    for (nth, line) in (1..).zip(markup.lines()) {
        let wrong = |why: String| format!("line {nth}: {why}");
        if let Some(head) = line.strip_prefix('#') {
            script.end().map_err(wrong)?;
            let text_start = script.position().map_err(wrong)?;
            script.groups.push(Group { text_start, ..group(head).map_err(wrong)? });
            continue;
        }
        if script.groups.is_empty() {
            return Err(wrong("a text before the first group".to_owned()));
        }
        let foreign = || wrong(format!("characters of {} were expected", Mac::PAGE.name()));
        let goes_on = script.line(&encode_text(Mac::PAGE, line).ok_or_else(foreign)?, &mut looks).map_err(wrong)?;
        if !goes_on {
            script.text.push(b'\r');
        }
    }
    script.end()?;
    Ok(script)
}

/// What the line says that begins a group.
fn group(head: &str) -> Result<Group, String> {
    let mut words = head.split_whitespace();
    let kind = words.next().unwrap_or_default();
    let named = (0..=16).map(GroupKind::new).find(|it| it.name().is_some_and(|name| name.eq_ignore_ascii_case(kind)));
    let number = |word: &str| word.parse::<i16>().map_err(|_| format!("{word} is no number of 16 bits"));
    let kind = match named {
        Some(kind) => kind,
        None => GroupKind::new(number(kind).map_err(|_| format!("{kind:?} is no kind of group"))?),
    };
    let mut group = Group { kind, permutation: I16be::new(-1), ..Group::default() };
    for word in words {
        match word.split_once('=') {
            None => group.permutation = I16be::new(number(word)?),
            Some(("lines", count)) => group.maximum_line_count = I16be::new(number(count)?),
            Some(("flags", names)) => group.flags = flags(names)?,
            Some(_) => return Err(format!("{word}: lines= or flags= were expected")),
        }
    }
    Ok(group)
}

fn flags(names: &str) -> Result<GroupFlags, String> {
    let known = names.split('|').map(|name| match name.strip_prefix("0x") {
        Some(digits) => u16::from_str_radix(digits, 16).ok().map(GroupFlags::from_bits_retain),
        None => GroupFlags::from_name(name),
    });
    let all: Option<Vec<GroupFlags>> = known.collect();
    let all = all.ok_or_else(|| format!("{names} are no flags of a group"))?;
    Ok(GroupFlags::from_bits_retain(all.iter().fold(0, |bits, flag| bits | flag.bits())))
}

impl Script {
    /// Where the text ends.
    fn position(&self) -> Result<U16be, String> {
        let at = u16::try_from(self.text.len());
        at.map(U16be::new).map_err(|_| "a terminal has at most 65535 bytes".to_owned())
    }

    /// Ends the text of the last group.
    fn end(&mut self) -> Result<(), String> {
        if self.groups.is_empty() {
            return Ok(());
        }
        self.text.push(0);
        let end = self.position()?.get();
        if let Some(group) = self.groups.last_mut() {
            group.text_length = U16be::new(end.saturating_sub(group.text_start.get()));
        }
        Ok(())
    }

    /// Reads a line; says whether it goes on in the next.
    fn line(&mut self, line: &[u8], looks: &mut (u16, u16)) -> Result<bool, String> {
        let mut rest = line;
        while let Some((letter, behind)) = rest.split_first() {
            rest = behind;
            if *letter != b'$' {
                self.text.push(*letter);
                continue;
            }
            let Some((sign, behind)) = rest.split_first() else { return Ok(true) };
            rest = behind;
            let face = FACES.iter().find(|(on, off, _)| [on, off].contains(&sign));
            match (face, sign) {
                (Some((on, _, bit)), _) => looks.0 = if sign == on { looks.0 | bit } else { looks.0 & !bit },
                (None, b'$' | b'#') => {
                    self.text.push(*sign);
                    continue;
                }
                (None, b'C') => {
                    let digit = rest.split_first().filter(|(digit, _)| digit.is_ascii_digit());
                    let (digit, behind) = digit.ok_or("$C without the number of a color")?;
                    (looks.1, rest) = ((digit - b'0').into(), behind);
                }
                (None, b'x') => {
                    let digits = rest.split_at_checked(2);
                    let value =
                        digits.and_then(|(digits, _)| u8::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok());
                    self.text.push(value.ok_or("$x without two digits")?);
                    rest = digits.map(|(_, behind)| behind).unwrap_or_default();
                    continue;
                }
                _ => return Err(format!("${} is no sign; a dollar is $$", sign.escape_ascii())),
            }
            self.face(*looks)?;
        }
        Ok(false)
    }

    /// How letters look from here on.
    fn face(&mut self, (bits, color): (u16, u16)) -> Result<(), String> {
        let text_index = self.position()?;
        let face = Face { text_index, face: FaceFlags::from_bits_retain(bits), color: Color::new(color) };
        match self.faces.last_mut().filter(|last| last.text_index == text_index) {
            Some(last) => *last = face,
            None => self.faces.push(face),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARKUP: &str = "\
#UNFINISHED
#LOGON 1600 lines=1
#PICTURE 1604 lines=18 flags=OBJECT_ON_RIGHT|0x8
$BTo:$b Dürandal $$ #
$# ends $C2here$
#INFORMATION
$C2

$x09tab$
#17 3
text
$I$C0$
";

    #[test]
    fn what_is_read_is_written() {
        let Script { groups, faces, text } = read(MARKUP).expect("it is read");
        let mut terminal = Terminal { groups: groups.into(), faces: faces.into(), ..Terminal::default() };
        terminal.set_text(&text);
        assert_eq!(text, b"\0\0To: D\x9Frandal $ #\r# ends here\0\r\r\ttab\0text\r\0");
        assert_eq!(write(&terminal).as_deref(), Some(MARKUP));
        let faces: Vec<_> =
            terminal.faces.iter().map(|it| (it.text_index.get(), it.face.bits(), it.color.get())).collect();
        assert_eq!(faces, [(2, 1, 0), (5, 0, 0), (26, 0, 2), (31, 0, 2), (43, 2, 0)]);
        let groups: Vec<_> =
            terminal.groups.iter().map(|it| (it.kind.get(), it.text_start.get(), it.text_length.get())).collect();
        assert_eq!(groups, [(1, 0, 1), (0, 1, 1), (12, 2, 29), (4, 31, 7), (17, 38, 6)]);
    }

    #[test]
    fn what_no_markup_says_has_none() {
        let script = || read("#LOGON\nabc\n#END\n").expect("it is read");
        let write = |edit: &dyn Fn(&mut Script)| {
            let mut script = script();
            edit(&mut script);
            let Script { groups, faces, text } = script;
            let mut terminal = Terminal { groups: groups.into(), faces: faces.into(), ..Terminal::default() };
            terminal.set_text(&text);
            write(&terminal)
        };
        assert!(write(&|_| {}).is_some());
        assert_eq!(write(&|script| script.text.push(0)), None, "a text behind the groups");
        assert_eq!(write(&|script| script.groups[1].text_start = U16be::new(2)), None, "texts that overlap");
        assert_eq!(write(&|script| script.text[4] = b'x'), None, "a text without its NUL");
        let face = Face { text_index: U16be::new(9), ..Face::default() };
        assert_eq!(write(&|script| script.faces.push(face)), None, "a face behind the text");
    }

    #[test]
    fn a_wrong_markup_is_refused_with_its_line() {
        for (markup, why) in [
            ("text\n", "line 1: a text before the first group"),
            ("#LOGON\n#LOGIN\n", "line 2: \"LOGIN\" is no kind of group"),
            ("#LOGON\na $z\n", "line 2: $z is no sign; a dollar is $$"),
            ("#LOGON\n$Cx\n", "line 2: $C without the number of a color"),
            ("#LOGON x\n", "line 1: x is no number of 16 bits"),
            ("#LOGON\n\u{4E00}\n", "line 2: characters of macintosh were expected"),
        ] {
            assert_eq!(read(markup).map(drop), Err(why.to_owned()));
        }
        assert!(read(&format!("#LOGON\n{}\n", "x".repeat(65535))).is_err());
    }
}
