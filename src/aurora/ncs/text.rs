//! Compiled scripts as text that people read and change: an instruction on each line, and labels where jumps end. The bytes of a script
//! come back from it. Source: `nwn-ncs.md`, section 6.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use field::{GAME_TEXT, Layout, Members, Record as _, Shape, Value, decode};
use json::{Describe as _, Flat, parse, unmarked, utf8};
use kind::TextForm;

use super::code::{Instruction, Target, instructions, starts};
use super::json::{END, load};
use super::opcodes::{Form, Numbered, Opcode};
use super::{HEAD, MAGIC, MARKER, Ncs};

/// Compiled scripts as text.
pub static TEXT: TextForm = TextForm::new("asm", is_text, write, read);

/// The first line that is no comment.
const FIRST: &str = "ncs \"V1.0\"";

/// Returns `true` if the first line that is no comment is that of a script.
fn is_text(bytes: &[u8]) -> bool {
    let Ok(text) = unmarked(bytes) else { return false };
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.into_iter().find(|line| !line.is_empty() && !line.starts_with(b";"));
    first.and_then(|line| line.strip_prefix(FIRST.as_bytes())).is_some_and(|rest| {
        let rest = rest.trim_ascii_start();
        rest.is_empty() || rest.starts_with(b";")
    })
}

fn write(file: &[u8]) -> Result<Vec<u8>, String> {
    let script = decode::<Ncs>(file.to_vec()).map_err(|error| error.to_string())?.model;
    if !file.starts_with(MAGIC) || file.get(MAGIC.len()) != Some(&MARKER) {
        return Err("a text cannot hold a damaged header; compare the file with another copy".to_owned());
    }
    let mut text = format!("{FIRST}\n");
    let size = script.head.size.get();
    if usize::try_from(size).ok() != Some(HEAD + script.code.len() + script.rest.len()) {
        put(&mut text, format_args!("size {size}\n"));
    }
    put_code(&mut text, &script.code);
    for (name, bytes) in [("rest", &script.rest), ("tail", &script.trailing)] {
        for line in bytes.chunks(BYTES_OF_LINE) {
            let digits: String = line.iter().map(|byte| format!("{byte:02x}")).collect();
            put(&mut text, format_args!("{name} {digits}\n"));
        }
    }
    Ok(text.into_bytes())
}

/// The number of bytes that are no instructions on a line.
const BYTES_OF_LINE: usize = 32;

/// Writes to a text in memory, which cannot fail.
fn put(text: &mut String, what: core::fmt::Arguments<'_>) {
    text.write_fmt(what).unwrap_or_default();
}

/// Writes instructions. The label of one has its index, as in JSON, so that places and labels agree.
fn put_code(text: &mut String, code: &[u8]) {
    let starts = starts(code);
    let target = |one: &Instruction<'_>| one.target(code.len(), |at| starts.get(at) == Some(&true));
    let targets: HashSet<usize> = instructions(code)
        .filter_map(|one| match target(&one)? {
            Target::Instruction(at) => Some(at),
            Target::End | Target::Elsewhere(_) => None,
        })
        .collect();
    let labelled = instructions(code).enumerate().filter(|(_, one)| targets.contains(&one.at));
    let labels: HashMap<usize, usize> = labelled.map(|(nth, one)| (one.at, nth)).collect();
    for one in instructions(code) {
        if let Some(nth) = labels.get(&one.at) {
            put(text, format_args!("L{nth}:\n"));
        }
        put(text, format_args!("{INDENT}{}", one.opcode.title(one.kind)));
        match target(&one) {
            None => {}
            Some(Target::Instruction(at)) => {
                labels.get(&at).into_iter().for_each(|nth| put(text, format_args!(" L{nth}")))
            }
            Some(Target::End) => put(text, format_args!(" {END}")),
            Some(Target::Elsewhere(distance)) => put(text, format_args!(" @{distance:+}")),
        }
        match one.form {
            Form::Record(Some(layout)) | Form::State(layout) => put_operands(text, layout, one.operands),
            Form::Text => put_string(text, &GAME_TEXT.decode(one.text())),
            Form::Record(None) | Form::Jump => {}
        }
        text.push('\n');
    }
}

/// The blanks before an instruction.
const INDENT: &str = "        ";

/// Writes numbers: those of objects and locations in hexadecimal.
fn put_operands(text: &mut String, layout: &'static Layout, operands: &[u8]) {
    let is_number_of = layout.name == Numbered::LAYOUT.name;
    let mut one = Vec::with_capacity(16);
    for field in layout.fields {
        let Some(bytes) = field.of(operands) else { continue };
        match <[u8; 4]>::try_from(bytes) {
            Ok(number) if is_number_of => put(text, format_args!(" {:#010x}", u32::from_be_bytes(number))),
            _ => {
                one.clear();
                if let Shape::Leaf(leaf) = field.shape {
                    (leaf.put)(bytes, &mut Flat::new(&mut one));
                }
                put(text, format_args!(" {}", String::from_utf8_lossy(&one).trim_matches('"')));
            }
        }
    }
}

/// Writes a string in quotes, with escapes for what cannot be seen.
fn put_string(text: &mut String, string: &str) {
    text.push_str(" \"");
    for it in string.chars() {
        match it {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            // No-break spaces and soft hyphens are not told from others by sight.
            _ if it.is_control() || matches!(it, '\u{A0}' | '\u{AD}') => {
                put(text, format_args!("\\x{:02x}", u32::from(it)))
            }
            _ => text.push(it),
        }
    }
    text.push('"');
}

/// A word of a line.
#[derive(Clone, Debug, PartialEq)]
enum Word<'t> {
    /// A word without quotes.
    Plain(&'t str),
    /// The content of a word in quotes, without escapes.
    Quoted(String),
}

impl<'t> Word<'t> {
    /// Returns a word without quotes.
    const fn plain(&self) -> Option<&'t str> {
        match self {
            Self::Plain(word) => Some(word),
            Self::Quoted(_) => None,
        }
    }

    /// Describes the word in an error.
    fn describe(&self) -> String {
        match self {
            Self::Plain(word) => (*word).to_owned(),
            Self::Quoted(text) => Value::from(text.as_str()).describe(),
        }
    }
}

/// Splits a line into words at blanks; a semicolon outside quotes begins a comment.
fn words(line: &str) -> Result<Vec<Word<'_>>, String> {
    let (mut words, mut rest) = (Vec::new(), line.trim());
    while !rest.is_empty() && !rest.starts_with(';') {
        if let Some(quoted) = rest.strip_prefix('"') {
            let (text, after) = unquoted(quoted)?;
            words.push(Word::Quoted(text));
            if !after.is_empty() && !after.starts_with([' ', '\t', ';']) {
                return Err(format!("expected a blank after a string, found {}", Value::from(after).describe()));
            }
            rest = after.trim_start();
        } else {
            let end = rest.find([' ', '\t', ';']).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            words.push(Word::Plain(word));
            rest = after.trim_start();
        }
    }
    Ok(words)
}

/// Returns a string without its escapes, and what follows its second quote.
fn unquoted(quoted: &str) -> Result<(String, &str), String> {
    let (mut text, mut rest) = (String::new(), quoted.chars());
    loop {
        match rest.next() {
            None => return Err("a string has no quote at its end".to_owned()),
            Some('"') => return Ok((text, rest.as_str())),
            Some('\\') => text.push(match rest.next() {
                Some(it @ ('"' | '\\')) => it,
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                Some('x') => {
                    let byte = rest.as_str().get(..2).and_then(hex_byte);
                    let byte = byte.ok_or("expected two hexadecimal digits after \\x, such as \\xe9")?;
                    rest.nth(1);
                    GAME_TEXT.decode(&[byte]).chars().next().unwrap_or(char::from(byte))
                }
                _ => return Err("expected \\\", \\\\, \\n, \\r, \\t or \\xNN after a backslash in a string".to_owned()),
            }),
            Some(it) => text.push(it),
        }
    }
}

/// Returns the byte of two hexadecimal digits.
fn hex_byte(digits: &str) -> Option<u8> {
    let is_hex = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hex.then(|| u8::from_str_radix(digits, 16).ok())?
}

/// A script that is read line by line.
#[derive(Default)]
struct Assembly<'t> {
    size: Option<u32>,
    /// The instructions, with the numbers of their lines.
    items: Vec<(usize, Members)>,
    /// The label where each jump ends, with the index of the instruction.
    jumps: Vec<(usize, &'t str)>,
    /// The index of the instruction that follows each label.
    labels: HashMap<&'t str, usize>,
    rest: Vec<u8>,
    tail: Vec<u8>,
}

fn read(text: &[u8]) -> Result<Vec<u8>, String> {
    let text = utf8(text)?;
    let mut assembly = Assembly::default();
    let mut is_first = true;
    for (number, line) in (1..).zip(text.lines()) {
        let at = |why: String| format!("line {number}: {why}");
        let words = words(line).map_err(at)?;
        match &words[..] {
            [] => {}
            [Word::Plain("ncs"), Word::Quoted(version)] if is_first && version == "V1.0" => is_first = false,
            _ if is_first => return Err(at(format!("expected {FIRST} on the first line"))),
            words => assembly.line(number, words).map_err(at)?,
        }
    }
    if is_first {
        return Err(format!("expected {FIRST} on the first line"));
    }
    assembly.assemble()
}

impl<'t> Assembly<'t> {
    /// Takes the words of a line.
    fn line(&mut self, number: usize, words: &[Word<'t>]) -> Result<(), String> {
        match words {
            [Word::Plain("size"), Word::Plain(size)] if self.is_empty() && self.size.is_none() => {
                self.size = Some(size.parse().map_err(|_| format!("expected a number of 32 bits, found {size}"))?);
            }
            [Word::Plain("size"), ..] => return Err("expected size NUMBER once, before all instructions".to_owned()),
            [Word::Plain("rest"), digits @ ..] if self.tail.is_empty() => bytes(digits, &mut self.rest)?,
            [Word::Plain("tail"), digits @ ..] => bytes(digits, &mut self.tail)?,
            _ if !self.rest.is_empty() || !self.tail.is_empty() => {
                return Err("expected only tail after rest, and nothing else after tail".to_owned());
            }
            [Word::Plain(label), rest @ ..] if label.ends_with(':') => {
                self.label(label.strip_suffix(':').unwrap_or(label))?;
                if let [_, ..] = rest {
                    return self.instruction(number, rest);
                }
            }
            words => self.instruction(number, words)?,
        }
        Ok(())
    }

    /// Returns `true` if there is no instruction and no label yet.
    fn is_empty(&self) -> bool {
        self.items.is_empty() && self.labels.is_empty()
    }

    fn label(&mut self, label: &'t str) -> Result<(), String> {
        if label.is_empty() || label.starts_with('@') || label == END || label.contains([':', '"']) {
            return Err(format!("expected a name without @, : and quotes as a label, and not {END}"));
        }
        match self.labels.insert(label, self.items.len()) {
            None => Ok(()),
            Some(_) => Err(format!("expected a label only once, found {label}: again")),
        }
    }

    fn instruction(&mut self, number: usize, words: &[Word<'t>]) -> Result<(), String> {
        let Some((name, mut operands)) = words.split_first() else { return Ok(()) };
        let expected = || format!("expected an instruction such as JSR or CONST.S, found {}", name.describe());
        let title = name.plain().ok_or_else(expected)?;
        let (opcode, kind) = Opcode::titled(title).ok_or_else(expected)?;
        let form = opcode.form(kind).ok_or("expected a constant of type I, F, S, O, E2 or E7")?;
        let mut members = Members::with_capacity(4);
        members.push(("op".into(), title.into()));
        if let Form::Jump | Form::State(_) = form {
            let Some((Word::Plain(to), rest)) = operands.split_first() else {
                return Err(format!("expected a label after {title}"));
            };
            self.jumps.push((self.items.len(), to));
            operands = rest;
        }
        match (form, operands) {
            (Form::Record(Some(layout)) | Form::State(layout), _) => {
                let names: Vec<&str> = layout.fields.iter().map(|field| field.name).collect();
                if names.len() != operands.len() {
                    let (of, found) = (names.join(", "), operands.len());
                    return Err(format!("expected {} after {title}, found {found}: {of}", names.len()));
                }
                for (name, operand) in names.into_iter().zip(operands) {
                    members.push((name.into(), number_of(operand)?));
                }
            }
            (Form::Text, [Word::Quoted(text)]) => members.push(("value".into(), text.as_str().into())),
            (Form::Text, _) => return Err(format!("expected a string in quotes after {title}")),
            (Form::Record(None) | Form::Jump, []) => {}
            (Form::Record(None) | Form::Jump, [other, ..]) => {
                return Err(format!("expected the end of the line, found {}", other.describe()));
            }
        }
        self.items.push((number, members));
        Ok(())
    }

    /// Returns the bytes of the script.
    fn assemble(mut self) -> Result<Vec<u8>, String> {
        let count = self.items.len();
        // Several labels can be at one instruction: all jumps there name it by its index.
        let name = |nth: usize| if nth < count { format!("L{nth}") } else { END.to_owned() };
        for (from, to) in &self.jumps {
            let Some((number, members)) = self.items.get_mut(*from) else { continue };
            let to = match (to, self.labels.get(to)) {
                (_, Some(nth)) => name(*nth),
                (&END, None) => END.to_owned(),
                (to, None) if to.starts_with('@') => (*to).to_owned(),
                (to, None) => return Err(format!("line {number}: no instruction has the label {to}")),
            };
            members.push(("to".into(), to.into()));
        }
        let jumps: HashSet<usize> = self.jumps.iter().filter_map(|(_, to)| self.labels.get(to).copied()).collect();
        for nth in jumps {
            if let Some((_, members)) = self.items.get_mut(nth) {
                members.push(("label".into(), name(nth).into()));
            }
        }
        let (lines, items): (Vec<usize>, Vec<Value>) =
            self.items.into_iter().map(|(line, members)| (line, Value::Object(members))).unzip();
        let code = load(&Value::List(items), &mut Vec::new()).map_err(|wrong| {
            let nth = match wrong.steps.first() {
                Some(field::Step::Index(nth)) => usize::try_from(*nth).ok(),
                _ => None,
            };
            let line = nth.and_then(|nth| lines.get(nth)).map_or_else(String::new, |line| format!("line {line}: "));
            format!("{line}expected {}, found {}", wrong.expected, wrong.found)
        })?;
        let size = match self.size {
            Some(size) => size,
            None => u32::try_from(HEAD + code.len() + self.rest.len()).map_err(|_| "a script larger than 4 GiB")?,
        };
        Ok([MAGIC, &[MARKER][..], &size.to_be_bytes(), &code, &self.rest, &self.tail].concat())
    }
}

/// Appends the bytes of hexadecimal digits.
fn bytes(words: &[Word<'_>], out: &mut Vec<u8>) -> Result<(), String> {
    let wrong = || "expected bytes in hexadecimal, such as 2d00".to_owned();
    for word in words {
        let digits = word.plain().filter(|digits| digits.len() % 2 == 0).ok_or_else(wrong)?;
        for pair in digits.as_bytes().chunks(2) {
            out.push(core::str::from_utf8(pair).ok().and_then(hex_byte).ok_or_else(wrong)?);
        }
    }
    if words.is_empty() { Err(wrong()) } else { Ok(()) }
}

/// Returns a number: decimal, hexadecimal after `0x`, or the bits of a float after `f32:`.
fn number_of(word: &Word<'_>) -> Result<Value, String> {
    let wrong = || format!("expected a number, found {}", word.describe());
    let text = word.plain().ok_or_else(wrong)?;
    if let Ok(number) = text.parse::<i64>() {
        return Ok(number.into());
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return u32::from_str_radix(digits, 16).map(Value::from).map_err(|_| wrong());
    }
    if text.starts_with("f32:") {
        return Ok(text.into());
    }
    parse(text.as_bytes()).ok().filter(|json| matches!(json, Value::Integer(_) | Value::Float(_))).ok_or_else(wrong)
}
