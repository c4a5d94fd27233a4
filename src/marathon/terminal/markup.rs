//! Terminals as text with markup, for editing.
//!
//! ```text
//! #LOGON 1600 lines=1
//! #PICTURE 1604 lines=18
//! $BTo:$b Durandal
//! Their ships are $C2burning$C0.
//! #END
//! ```
//!
//! A line with `#` begins a group: its kind, its permutation unless that is -1, then `lines=` and `flags=` if they are not 0. Its text is
//! on the lines below. `$B $I $U` begin bold, italic and underlined letters, `$b $i $u` end them, `$C0` to `$C9` set their color: changes
//! at one place form one face, except for those after a `$,`. A line that ends with a lone `$` continues in the next. `$$` is a dollar,
//! `$#` a `#` at the start of a line, `$x1B` a character that no line can contain.
//!
//! The starts and lengths of texts and the starts of faces are computed. A text ends with a NUL that is not shown, unless its group is
//! `open`. Bytes outside of groups are listed by the next group: `skip=0D`; those after all groups by a last line, `#REST`.

use std::collections::HashSet;

use bitflags::Flags as _;

use exchange::document::values;
use field::{I16be, Mac, Style as _, U16be, Value, decode_text, encode_text, unhex};
use json::recompute::fill_in;
use json::{NoFiles, load, utf8};
use media::{Around, Files, Imported, Location, Medium, MediumError, first};

use super::{Color, Face, FaceFlags, Group, GroupFlags, GroupKind, Terminal};

/// The terminals of a level.
pub static MEDIUM: Medium = Medium {
    kind: "terminals",
    looks_around: false,
    is_whole: false,
    parts,
    files: &[("markup", ".txt")],
    determined: &DETERMINED,
    export,
    import,
};

/// The signs that turn a style on and off, and the bits of a face.
const FACES: [(u8, u8, u16); 3] = [(b'B', b'b', 1), (b'I', b'i', 2), (b'U', b'u', 4)];

/// Marks a group whose text does not end with a NUL.
const OPEN: &str = "open";
/// Begins the bytes after all groups.
const REST: &str = "REST";

fn parts(document: &Value) -> Vec<Location> {
    let count = document.get("terminals").and_then(Value::items).map_or(0, <[Value]>::len);
    let part = |nth: usize| {
        let name = (count > 1).then(|| format!("terminal {nth}"));
        Location { way: vec!["terminals".to_owned(), nth.to_string()], name }
    };
    (0..count).map(part).collect()
}

/// The members that the markup contains.
const DETERMINED: [&str; 3] = ["groups", "faces", "text"];

fn terminal(json: &Value) -> Result<Terminal, MediumError> {
    Ok(load::<Terminal>(json, &mut NoFiles).map(|given| given.model)?)
}

fn export(around: &Around<'_>) -> Option<(Value, Files)> {
    let terminal = terminal(around.part).ok()?;
    let markup = write(&terminal)?;
    let read = read(&markup).ok()?;
    let same = *read.groups == *terminal.groups && *read.faces == *terminal.faces && read.text == terminal.text();
    let left = around.part.without(&DETERMINED);
    same.then(|| (left, vec![Some(markup.into_bytes().into())]))
}

fn import(files: &Files, around: &Around<'_>) -> Result<Imported, MediumError> {
    let mut terminal = terminal(&around.part.without(&DETERMINED))?;
    let file = utf8(first(files)?)?;
    let Script { groups, faces, text, .. } = read(file)?;
    terminal.set_text(&text);
    (terminal.groups, terminal.faces) = (groups.into(), faces.into());
    let said = fill_in(&mut terminal).and_then(|()| values(&terminal));
    let mut said = said.map_err(|error| error.to_string())?;
    // The rest of the JSON stays as given: values kept there are recomputed with all the others.
    let mut part = around.part.without(&DETERMINED);
    DETERMINED
        .into_iter()
        .filter_map(|name| Some((name, said.take_member(name)?)))
        .for_each(|(name, it)| part.put(name, it));
    Ok(part.into())
}

/// Returns the markup, or `None` if groups or faces overlap or are out of order.
fn write(terminal: &Terminal) -> Option<String> {
    let text = terminal.text();
    let mut faces = Faces { left: terminal.faces.iter().peekable(), looks: (0, 0), at: None };
    let (mut at, mut markup) = (0_usize, Vec::new());
    for group in &*terminal.groups {
        let start = usize::from(group.text_start.get());
        let skipped = text.get(at..start)?;
        let end = start.checked_add(group.text_length.get().into())?;
        let own = text.get(start..end)?;
        let shown = own.strip_suffix(&[0]);
        put_head(group, skipped, shown.is_none(), &mut markup);
        for (index, letter) in (start..).zip(shown.unwrap_or(own).iter().map(Some).chain(shown.map(|_| None))) {
            faces.put(index, &mut markup);
            letter.into_iter().for_each(|letter| put_letter(*letter, &mut markup));
        }
        if markup.last() != Some(&b'\n') {
            markup.extend(b"$\n");
        }
        at = end;
    }
    let rest = text.get(at..)?;
    if !rest.is_empty() {
        markup.extend(format!("#{REST} skip={}\n", digits(rest)).bytes());
    }
    faces.left.next().is_none().then(|| decode_text(Mac::PAGE, &markup))
}

/// Returns bytes in hexadecimal.
fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

fn put_head(group: &Group, skipped: &[u8], is_open: bool, markup: &mut Vec<u8>) {
    let kind = group.kind.name().map_or_else(|| group.kind.get().to_string(), str::to_owned);
    let mut words = vec![format!("#{kind}")];
    let mut word = |is_there: bool, word: String| words.extend(is_there.then_some(word));
    let (permutation, lines) = (group.permutation.get(), group.maximum_line_count.get());
    word(permutation != -1, permutation.to_string());
    word(lines != 0, format!("lines={lines}"));
    word(group.flags.bits() != 0, format!("flags={:?}", group.flags).replace(" | ", "|"));
    word(!skipped.is_empty(), format!("skip={}", digits(skipped)));
    word(is_open, OPEN.to_owned());
    markup.extend(words.join(" ").bytes());
    markup.push(b'\n');
}

/// The faces that are still to be written.
struct Faces<'a> {
    left: core::iter::Peekable<core::slice::Iter<'a, Face>>,
    /// Bits and color of the last face.
    looks: (u16, u16),
    /// The start of the last face.
    at: Option<usize>,
}

impl Faces<'_> {
    /// Writes the faces that begin here.
    fn put(&mut self, index: usize, markup: &mut Vec<u8>) {
        while let Some(face) = self.left.next_if(|face| usize::from(face.text_index.get()) == index) {
            if self.at.replace(index) == Some(index) {
                markup.extend(b"$,");
            }
            let (bits, color) = (face.face.bits(), face.color.get());
            for (on, off, bit) in FACES {
                if (bits ^ self.looks.0) & bit != 0 {
                    markup.extend([b'$', if bits & bit == 0 { off } else { on }]);
                }
            }
            if color != self.looks.1 || bits == self.looks.0 {
                markup.extend(format!("$C{color}").bytes());
            }
            self.looks = (bits, color);
        }
    }
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

/// The contents of a markup file.
#[derive(Debug, Default)]
struct Script {
    groups: Vec<Group>,
    faces: Vec<Face>,
    text: Vec<u8>,
    /// Bits and color of the current letters.
    looks: (u16, u16),
    /// `true` if the next face is separate from the last.
    is_apart: bool,
    /// `None` if no group is being read, or whether its text is open.
    group: Option<bool>,
}

/// The line that begins a group.
#[derive(Debug, Default)]
struct Head {
    group: Group,
    /// Bytes before the text of the group.
    skip: Vec<u8>,
    is_open: bool,
}

fn read(markup: &str) -> Result<Script, String> {
    let mut script = Script::default();
    for (nth, line) in (1..).zip(markup.lines()) {
        script.read(line).map_err(|why| format!("line {nth}: {why}"))?;
    }
    script.end()?;
    Ok(script)
}

fn head(words: &str) -> Result<Head, String> {
    let mut words = words.split_whitespace();
    let kind = words.next().unwrap_or_default();
    let mut head = Head::default();
    if kind != REST {
        head.group = Group { kind: self::kind(kind)?, permutation: I16be::new(-1), ..Group::default() };
    }
    let mut seen = HashSet::new();
    for word in words {
        let member = match word.split_once('=') {
            None if word == OPEN => OPEN,
            None => "a permutation",
            Some((member, _)) => member,
        };
        if !seen.insert(member) {
            return Err(format!("{word}: expected {member} once, found it again"));
        }
        let number = |word: &str| word.parse::<i16>().map_err(|_| format!("expected a 16-bit number, found {word}"));
        match word.split_once('=') {
            None if word == OPEN => head.is_open = true,
            None => head.group.permutation = I16be::new(number(word)?),
            Some(("lines", count)) => head.group.maximum_line_count = I16be::new(number(count)?),
            Some(("flags", names)) => head.group.flags = flags(names)?,
            Some(("skip", digits)) => {
                head.skip = unhex(digits).ok_or_else(|| format!("expected bytes in hexadecimal, found {digits}"))?;
            }
            Some(_) => return Err(format!("expected lines=, flags= or skip=, found {word}")),
        }
    }
    Ok(head)
}

fn kind(word: &str) -> Result<GroupKind, String> {
    let mut known = (0..=16).map(GroupKind::new);
    let named = known.find(|it| it.name().is_some_and(|name| name.eq_ignore_ascii_case(word)));
    let kind = named.or_else(|| word.parse().ok().map(GroupKind::new));
    kind.ok_or_else(|| format!("{word:?} is not a type of group"))
}

fn flags(names: &str) -> Result<GroupFlags, String> {
    let known = names.split('|').map(|name| match name.strip_prefix("0x") {
        Some(digits) => u16::from_str_radix(digits, 16).ok().map(GroupFlags::from_bits_retain),
        None => GroupFlags::from_name(name),
    });
    let all: Option<Vec<GroupFlags>> = known.collect();
    let all = all.ok_or_else(|| format!("{names} are not flags of a group"))?;
    Ok(GroupFlags::from_bits_retain(all.iter().fold(0, |bits, flag| bits | flag.bits())))
}

impl Script {
    /// Reads a line.
    fn read(&mut self, line: &str) -> Result<(), String> {
        if let Some(words) = line.strip_prefix('#') {
            self.end()?;
            let Head { group, skip, is_open } = head(words)?;
            self.text.extend(skip);
            if words.split_whitespace().next() != Some(REST) {
                let text_start = self.position()?;
                self.groups.push(Group { text_start, ..group });
                self.group = Some(is_open);
            }
            return Ok(());
        }
        if self.group.is_none() {
            return Err("text outside a group".to_owned());
        }
        let line = encode_text(Mac::PAGE, line);
        if !self.line(&line.ok_or_else(|| format!("expected characters of {}", Mac::PAGE.name()))?)? {
            self.text.push(b'\r');
        }
        Ok(())
    }

    /// Returns the end of the text so far.
    fn position(&self) -> Result<U16be, String> {
        let at = u16::try_from(self.text.len());
        at.map(U16be::new).map_err(|_| "a terminal has at most 65535 bytes".to_owned())
    }

    /// Ends the text of the last group.
    fn end(&mut self) -> Result<(), String> {
        let Some(is_open) = self.group.take() else { return Ok(()) };
        if !is_open {
            self.text.push(0);
        }
        let end = self.position()?.get();
        if let Some(group) = self.groups.last_mut() {
            group.text_length = U16be::new(end - group.text_start.get());
        }
        Ok(())
    }

    /// Reads a line of text; returns `true` if it continues in the next.
    fn line(&mut self, line: &[u8]) -> Result<bool, String> {
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
                (Some((on, _, bit)), _) if sign == on => self.looks.0 |= bit,
                (Some((_, _, bit)), _) => self.looks.0 &= !bit,
                (None, b',') => {
                    self.is_apart = true;
                    continue;
                }
                (None, b'$' | b'#') => {
                    self.text.push(*sign);
                    continue;
                }
                (None, b'C') => {
                    let digit = rest.split_first().filter(|(digit, _)| digit.is_ascii_digit());
                    let (digit, behind) = digit.ok_or("$C without the number of a color")?;
                    (self.looks.1, rest) = ((digit - b'0').into(), behind);
                }
                (None, b'x') => {
                    let digits = rest.split_at_checked(2);
                    let value =
                        digits.and_then(|(digits, _)| u8::from_str_radix(core::str::from_utf8(digits).ok()?, 16).ok());
                    self.text.push(value.ok_or("$x without two digits")?);
                    rest = digits.map(|(_, behind)| behind).unwrap_or_default();
                    continue;
                }
                _ => return Err(format!("${} is not a sign; write a dollar as $$", sign.escape_ascii())),
            }
            self.face()?;
        }
        Ok(false)
    }

    /// Begins a face with the current style here.
    fn face(&mut self) -> Result<(), String> {
        let (bits, color) = self.looks;
        let is_apart = core::mem::take(&mut self.is_apart);
        let text_index = self.position()?;
        let face = Face { text_index, face: FaceFlags::from_bits_retain(bits), color: Color::new(color) };
        match self.faces.last_mut().filter(|last| last.text_index == text_index && !is_apart) {
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
#UNFINISHED skip=0D open
#LOGON 1600 lines=1 skip=00
#PICTURE 1604 lines=18 flags=OBJECT_ON_RIGHT|0x8
$BTo:$b Dürandal $$ #
$# ends $C2here$
#INFORMATION
$C2

$x09tab$
#17 3
$C7$,$Itext
$I$C0$
#REST skip=0041
";

    fn terminal_of(script: Script) -> Terminal {
        let Script { groups, faces, text, .. } = script;
        let mut terminal = Terminal { groups: groups.into(), faces: faces.into(), ..Terminal::default() };
        terminal.set_text(&text);
        terminal
    }

    #[test]
    fn markup_round_trips() {
        let terminal = terminal_of(read(MARKUP).expect("it is read"));
        assert_eq!(terminal.text(), b"\r\0\0To: D\x9Frandal $ #\r# ends here\0\r\r\ttab\0text\r\0\0A");
        let faces = terminal.faces.iter().map(|it| (it.text_index.get(), it.face.bits(), it.color.get()));
        let expected = [(3, 1, 0), (6, 0, 0), (27, 0, 2), (32, 0, 2), (39, 0, 7), (39, 2, 7), (44, 2, 0)];
        assert_eq!(faces.collect::<Vec<_>>(), expected);
        let groups = terminal.groups.iter().map(|it| (it.kind.get(), it.text_start.get(), it.text_length.get()));
        let expected = [(1, 1, 0), (0, 2, 1), (12, 3, 29), (4, 32, 7), (17, 39, 6)];
        assert_eq!(groups.collect::<Vec<_>>(), expected);
        let again = write(&terminal).expect("it is written");
        assert_eq!(again, MARKUP.replace("$I$C0$", "$C0$"), "what changes nothing is not said");
        assert_eq!(write(&terminal_of(read(&again).expect("it is read"))).as_deref(), Some(&*again));
    }

    #[test]
    fn terminal_that_markup_cannot_express_has_none() {
        let write = |edit: &dyn Fn(&mut Script)| {
            let mut script = read("#LOGON\nabc\n#END\n").expect("it is read");
            edit(&mut script);
            write(&terminal_of(script))
        };
        assert!(write(&|_| {}).is_some());
        assert_eq!(write(&|script| script.groups[1].text_start = U16be::new(2)), None, "texts that overlap");
        assert_eq!(write(&|script| script.groups[1].text_length = U16be::new(9)), None, "a text that is not there");
        let face = Face { text_index: U16be::new(9), ..Face::default() };
        assert_eq!(write(&|script| script.faces.push(face)), None, "a face behind the text");
    }

    #[test]
    fn invalid_markup_is_refused_with_its_line() {
        for (markup, why) in [
            ("text\n", "line 1: text outside a group"),
            ("#LOGON\n#REST skip=41\ntext\n", "line 3: text outside a group"),
            ("#LOGON\n#LOGIN\n", "line 2: \"LOGIN\" is not a type of group"),
            ("#LOGON\na $z\n", "line 2: $z is not a sign; write a dollar as $$"),
            ("#LOGON\n$Cx\n", "line 2: $C without the number of a color"),
            ("#LOGON x\n", "line 1: expected a 16-bit number, found x"),
            ("#LOGON skip=4\n", "line 1: expected bytes in hexadecimal, found 4"),
            ("#LOGON width=3\n", "line 1: expected lines=, flags= or skip=, found width=3"),
            ("#LOGON\n#LOGON 7 lines=1 lines=2\n", "line 2: lines=2: expected lines once, found it again"),
            ("#LOGON 7 8\n", "line 1: 8: expected a permutation once, found it again"),
            ("#LOGON open 7 open\n", "line 1: open: expected open once, found it again"),
            ("#LOGON\n\u{4E00}\n", "line 2: expected characters of macintosh"),
        ] {
            assert_eq!(read(markup).map(drop), Err(why.to_owned()));
        }
        assert!(read(&format!("#LOGON\n{}\n", "x".repeat(65535))).is_err());
    }
}
