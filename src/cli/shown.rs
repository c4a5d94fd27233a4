//! One image, sound or text of a file, as `unpack` would write it, and the refusal that names what can be written.

use std::path::Path;

use anyhow::{Context as _, bail};
use bitexact::aurora::scene;
use bitexact::edit::{Edit, Shown};
use bitexact::field::{Address, Value, wide};
use bitexact::kind::{Kind, named};
use bitexact::output::printable::counted;
use bitexact::passes::spans;
use bitexact::registry::KINDS;
use bytes::Bytes;

use super::out::Out;
use super::source::{Source, entry_of, name_of};

/// The kinds whose bytes are text that any editor opens.
const TEXTS: [&str; 6] = ["script", "texture-settings", "plain-text", "2da", "text-model", "set"];
/// The kinds of images of other programs, and the extension of the file that can be made of each.
const IMAGES: [&str; 2] = ["targa", "dds"];

/// A part of a file that can be written as a file of its own.
pub(crate) struct Piece {
    /// Its place.
    at: Address,
    /// The extension of the file.
    pub(crate) extension: String,
    content: Bytes,
    /// The endings of the files that hold what this one cannot.
    others: Vec<&'static str>,
}

impl Piece {
    fn of(at: Address, extension: impl Into<String>, content: impl Into<Bytes>) -> Self {
        Self { at, extension: extension.into(), content: content.into(), others: Vec::new() }
    }
}

/// Returns the parts of the file, or of one entry, that files of their own can hold.
pub(crate) fn pieces(source: &Source, at: &Address) -> anyhow::Result<Vec<Piece>> {
    let entry = at.entry.as_str();
    let mut edit = Edit::of(&source.model, source.about())?;
    let shown = edit.shown(entry)?.into_iter();
    let piece =
        |it: Shown| Piece { at: it.at, extension: it.extension.to_owned(), content: it.content, others: it.others };
    let mut pieces: Vec<Piece> = shown.map(piece).collect();
    let (kind, bytes) = match entry {
        "" => (source.kind.name, source.bytes.clone()),
        _ => entry_of(source, entry)?,
    };
    let whole = |extension: &str, content: Bytes| Piece::of(Address::of_entry(entry), extension, content);
    let has = |pieces: &[Piece], extension: &str| pieces.iter().any(|it| it.extension.eq_ignore_ascii_case(extension));
    if !has(&pieces, "txt") {
        let text = match TEXTS.contains(&kind) {
            true => Some(bytes.clone()),
            false => edit.get(&Address::of_entry(entry)).and_then(|json| text_of(kind, json)),
        };
        pieces.extend(text.map(|text| whole("txt", text)));
    }
    if IMAGES.contains(&kind)
        && let Some(png) = scene::picture(&bytes)
    {
        pieces.push(whole("png", png.into()));
    }
    // The bytes of the entry, under its own extension.
    let own = entry.rsplit(['!', '/', '\\']).next().and_then(|name| name.rsplit_once('.')).map(|(_, end)| end);
    let raw = named(KINDS, kind).and_then(|kind| kind.raw);
    for extension in own.into_iter().chain(raw).filter(|it| !entry.is_empty() && is_extension(it)) {
        if !has(&pieces, extension) {
            pieces.push(whole(extension, bytes.clone()));
        }
    }
    Ok(pieces.into_iter().filter(|piece| piece.at.keys.starts_with(&at.keys)).collect())
}

/// Returns `true` for the end of a name that is an extension, and no number of a duplicate or the like.
fn is_extension(end: &str) -> bool {
    (1..=8).contains(&end.len()) && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Returns the text of an entry that is only text in a document: a line for each string.
fn text_of(kind: &str, json: &Value) -> Option<Bytes> {
    let lines: Vec<&str> = match kind {
        "string" | "text" => {
            let text = json.get("text")?.text()?;
            // A line feed would come back as the end of a line.
            return (!text.contains('\n')).then(|| text.replace('\r', "\n").into_bytes().into());
        }
        "string-list" => {
            let strings = json.get("strings").and_then(Value::items)?.iter();
            strings.map(|it| it.get("text").and_then(Value::text)).collect::<Option<_>>()?
        }
        _ => return None,
    };
    // A line cannot hold the end of one.
    if lines.iter().any(|line| line.contains(['\r', '\n'])) {
        return None;
    }
    Some(lines.iter().flat_map(|line| [line, "\n"]).collect::<String>().into_bytes().into())
}

/// Returns the value of an entry that is only text in a document, from its text.
pub(crate) fn value_of(kind: &str, old: &Value, text: &str) -> Option<Value> {
    let text = text.replace("\r\n", "\n");
    let before = text_of(kind, old)?;
    let mut new = old.clone();
    if before == text.as_bytes() {
        return Some(new);
    }
    let (name, value) = match kind {
        "string" | "text" => ("text", text.replace('\n', "\r").into()),
        "string-list" => ("strings", text.lines().map(|line| Value::from([("text", line.into())])).collect()),
        _ => return None,
    };
    new.take_member(name);
    new.put(name, value);
    text_of(kind, &new).map(|_| new)
}

/// Returns the only part that is a file with this extension, or `None` if there is none.
pub(crate) fn only(pieces: Vec<Piece>, form: &str, path: &Path) -> anyhow::Result<Option<Piece>> {
    let mut fitting = pieces.into_iter().filter(|piece| piece.extension.eq_ignore_ascii_case(form));
    let (first, others) = (fitting.next(), fitting.count());
    match first {
        Some(first) if others > 0 => {
            let keys = first.at.keys.join("/");
            let file = path.display();
            let (container, only) = match file.to_string().split_once('!') {
                Some((container, entry)) => (container.to_owned(), format!(" --only \"{entry}\"")),
                None => (file.to_string(), String::new()),
            };
            bail!(
                "{file}: has {} as .{form}; name one, such as \"{file}:/{keys}\", or write all with \
                 `bitexact unpack \"{container}\"{only}`",
                counted(wide(others + 1), "part"),
            )
        }
        first => Ok(first),
    }
}

impl Piece {
    /// Writes the part to a file.
    pub(crate) fn write(&self, (path, target): (&Path, &Path), out: &Out) -> anyhow::Result<()> {
        bitexact::output::write(target, &self.content).with_context(|| target.display().to_string())?;
        let size = counted(wide(self.content.len()), "byte");
        for other in &self.others {
            out.say(format_args!(
                "omitted: {}; `bitexact unpack` writes that too",
                if *other == "/alpha.png" { "the opacity, which is an image of its own" } else { *other }
            ));
        }
        let place = path.display().to_string();
        let (_, entry) = place.split_once('!').unwrap_or_default();
        let name = target.display();
        let back = match entry {
            "" => String::new(),
            entry => format!("; `patch --replace \"{entry}={name}\"` takes it back"),
        };
        out.say(format_args!("{name}: wrote {size}{back}"));
        Ok(())
    }

    pub(crate) fn content(&self) -> &Bytes {
        &self.content
    }
}

/// Returns the refusal to export a file or an entry with an extension: what it can be exported as, and what else can be done with it.
pub(crate) fn refusal(
    source: &Source,
    (name, kind): (&str, Option<&Kind>),
    at: &Address,
    (file, form): (&Path, &str),
) -> anyhow::Result<String> {
    let drawn = kind.map_or(&[][..], |kind| kind.exports).iter();
    let drawn = drawn.map(|it| format!(".{} ({})", it.extension, it.shows));
    let text = kind.and_then(|kind| kind.text).map(|it| format!(".{} (text)", it.extension));
    let mut forms: Vec<String> = drawn.chain(text).collect();
    for piece in pieces(source, at)? {
        let form = format!(".{}", piece.extension);
        if !forms.iter().any(|it| it.starts_with(&form)) {
            forms.push(form);
        }
    }
    let said = match (form, forms.join(", ")) {
        ("", forms) if forms.is_empty() => format!("{name} has no exports"),
        ("", forms) => format!("the extension selects the format; {name} can be exported as {forms}"),
        (form, forms) if forms.is_empty() => format!("cannot export {name} as .{form}"),
        (form, forms) => format!("cannot export {name} as .{form}, only as {forms}"),
    };
    Ok(format!("{said}; {}", ways(source, at, file)?))
}

/// Returns what can be done with a file or an entry that has no such export, as commands.
pub(crate) fn ways(source: &Source, at: &Address, file: &Path) -> anyhow::Result<String> {
    let shown = file.display();
    if !at.entry.is_empty() {
        let entry = &at.entry;
        return Ok(format!(
            "`bitexact unpack \"{shown}\" --only \"{entry}\"` writes JSON to read, and `bitexact inspect \"{shown}!{entry}\"` shows it"
        ));
    }
    let first = spans(&source.model)?.into_iter().min_by_key(|(_, span)| span.begin);
    Ok(match first {
        Some((inner, _)) => format!(
            "an entry is exported by its name, such as \"{shown}!{inner}\", and `bitexact unpack \"{shown}\"` writes all"
        ),
        None => {
            format!("`bitexact unpack \"{shown}\"` writes JSON to edit, and `bitexact inspect \"{shown}\"` shows it")
        }
    })
}

/// Returns the name of the file that an export of a part goes to: that of the entry.
pub(crate) fn default_name(file: &Path, at: &Address, extension: &str) -> String {
    let name = match at.entry.rsplit(['!', '\\', '/']).next().filter(|name| !name.is_empty()) {
        Some(name) => name.to_owned(),
        None => name_of(file),
    };
    match name.rsplit_once('.') {
        Some((_, end)) if end.eq_ignore_ascii_case(extension) => name,
        Some((stem, end)) if is_extension(end) && !stem.is_empty() => format!("{stem}.{extension}"),
        _ => format!("{name}.{extension}"),
    }
}
