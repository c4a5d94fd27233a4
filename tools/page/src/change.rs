//! Edits of a file, each proven, and undone one by one.

use bitexact::edit::diff::{self, Changes, Held};
use bitexact::edit::{Batch, BatchError, Comparison, Edit, changes_between, prove};
use bitexact::exchange::{Form, parse};
use bitexact::field::{Address, Value, encode};
use bitexact::json::{Compact, Describe as _, Document};
use bitexact::kind::named;
use bitexact::media::Replaced;
use bitexact::mods::{About, ModFile, Origin, Picture, make_of};
use bitexact::passes::Sha;
use bitexact::registry::KINDS;
use bytes::Bytes;

use crate::open::{Done, Opened};

/// Further edits, after those of a batch.
type Further<'a> = dyn Fn(&mut Edit) -> Result<(), BatchError> + 'a;

/// The memory that the states of a file may take, in bytes. The oldest are forgotten first, except for the file as it was opened.
const KEPT: usize = 256 << 20;

/// The states of a file.
pub struct History {
    original: Bytes,
    undo: Vec<Bytes>,
    redo: Vec<Bytes>,
    edits: usize,
}

impl History {
    pub(crate) fn of(original: Bytes) -> Self {
        Self { original, undo: Vec::new(), redo: Vec::new(), edits: 0 }
    }

    pub(crate) fn is_edited(&self) -> bool {
        self.edits > 0
    }

    pub(crate) fn undone_by(&self) -> usize {
        self.undo.len()
    }

    pub(crate) fn redone_by(&self) -> usize {
        self.redo.len()
    }

    fn push(&mut self, before: Bytes) {
        self.undo.push(before);
        self.redo.clear();
        self.edits += 1;
        while self.undo.len() > 1 && self.undo.iter().map(Bytes::len).sum::<usize>() > KEPT {
            self.undo.remove(0);
        }
    }
}

/// Edits that are made together.
#[derive(Default)]
struct Wishes {
    batch: Batch,
    rename: Vec<(String, String)>,
    remove: Vec<String>,
}

impl Wishes {
    /// Reads `{"set": [[place, value]], "insert": …, "delete": [place], "rename": [[old, new]], "remove": [entry], "retype": true}`.
    fn read(text: &str) -> Done<Self> {
        let json = parse(text.as_bytes()).map_err(|why| why.to_string())?;
        let Value::Object(members) = &json else { return Err("expected an object".to_owned()) };
        let mut wishes = Self::default();
        for (name, value) in members {
            match (name.as_str(), value) {
                ("set", Value::List(pairs)) => wishes.batch.set = pairs.iter().map(placed).collect::<Done<_>>()?,
                ("insert", Value::List(pairs)) => {
                    wishes.batch.insert = pairs.iter().map(placed).collect::<Done<_>>()?
                }
                ("delete", Value::List(places)) => {
                    wishes.batch.delete =
                        places.iter().map(|it| Ok(Address::from(text_of(it)?))).collect::<Done<_>>()?;
                }
                ("recompute", Value::List(places)) => {
                    wishes.batch.recompute =
                        places.iter().map(|it| Ok(Address::from(text_of(it)?))).collect::<Done<_>>()?;
                }
                ("rename", Value::List(pairs)) => wishes.rename = pairs.iter().map(texts).collect::<Done<_>>()?,
                ("remove", Value::List(entries)) => {
                    wishes.remove = entries.iter().map(|it| text_of(it).map(str::to_owned)).collect::<Done<_>>()?;
                }
                ("retype", Value::Bool(retype)) => wishes.batch.retype = *retype,
                (name, _) => return Err(format!("{name}: no such edit")),
            }
        }
        Ok(wishes)
    }
}

fn text_of(json: &Value) -> Done<&str> {
    json.text().ok_or_else(|| format!("expected a text, found {}", Compact(json)))
}

fn placed(json: &Value) -> Done<(Address, Value)> {
    match json {
        Value::List(pair) => match pair.as_slice() {
            [place, value] => Ok((Address::from(text_of(place)?), value.clone())),
            _ => Err(format!("expected a place and a value, found {}", Compact(json))),
        },
        _ => Err(format!("expected a place and a value, found {}", Compact(json))),
    }
}

fn texts(json: &Value) -> Done<(String, String)> {
    let (place, value) = match json {
        Value::List(pair) => match pair.as_slice() {
            [one, other] => (text_of(one)?, text_of(other)?),
            _ => return Err(format!("expected two texts, found {}", Compact(json))),
        },
        _ => return Err(format!("expected two texts, found {}", Compact(json))),
    };
    Ok((place.to_owned(), value.to_owned()))
}

impl Opened {
    /// Makes edits: all, or none. Returns the values that were recomputed, and the warnings and deviations that are new.
    ///
    /// # Errors
    /// Returns an error if an edit does not fit, or if the file would not round-trip.
    pub fn edit(&mut self, wishes: &str) -> Done<Value> {
        let wishes = Wishes::read(wishes)?;
        let entries = |edit: &mut Edit| -> Result<(), BatchError> {
            for (old, new) in &wishes.rename {
                edit.rename(old, new)?;
            }
            for entry in &wishes.remove {
                edit.remove(entry)?;
            }
            Ok(())
        };
        let has_entries = !(wishes.rename.is_empty() && wishes.remove.is_empty());
        let entries = has_entries.then_some(&entries as _);
        self.make(&wishes.batch, entries)
    }

    /// Replaces the contents of an entry by a file with this extension: an image, a sound, text, JSON or bytes.
    ///
    /// # Errors
    /// Returns an error as [`edit`](Self::edit) does.
    pub fn replace(&mut self, entry: &str, extension: &str, file: &Bytes) -> Done<Value> {
        let entries = |edit: &mut Edit| -> Result<(), BatchError> {
            if edit.show(entry, extension, file.clone())? {
                return Ok(());
            }
            let refuse = |why: String| BatchError::Refusal(bitexact::edit::Refusal::new(entry, why));
            if extension == "png" {
                return Err(refuse("not an image, so a PNG cannot replace it".to_owned()));
            }
            let text = edit.kind_of(entry).and_then(|kind| named(KINDS, &kind)).and_then(|kind| kind.text);
            let document = match (extension, text) {
                ("json", _) => Document::Json(parse(file).map_err(|why| refuse(why.to_string()))?),
                (_, Some(text)) if text.is_source(file) => Document::Raw((text.read)(file).map_err(refuse)?.into()),
                _ => Document::Raw(file.clone()),
            };
            Ok(edit.replace(entry, document)?)
        };
        self.make(&Batch::default(), Some(&entries))
    }

    /// Adds an entry from a file with this extension.
    ///
    /// # Errors
    /// Returns an error as [`edit`](Self::edit) does.
    pub fn add(&mut self, entry: &str, extension: &str, file: &Bytes) -> Done<Value> {
        let entries = |edit: &mut Edit| -> Result<(), BatchError> {
            if edit.add_shown(entry, extension, file.clone())? {
                return Ok(());
            }
            let refuse = |why: String| BatchError::Refusal(bitexact::edit::Refusal::new(entry, why));
            let document = match extension {
                "json" => Document::Json(parse(file).map_err(|why| refuse(why.to_string()))?),
                _ => Document::Raw(file.clone()),
            };
            Ok(edit.add(entry, document)?)
        };
        self.make(&Batch::default(), Some(&entries))
    }

    /// Makes the changes that `diff --json` has printed.
    ///
    /// # Errors
    /// Returns an error as [`edit`](Self::edit) does.
    pub fn apply(&mut self, changes: &[u8]) -> Done<Value> {
        let changes = diff::read(changes)?;
        let kind = self.kind.name;
        if changes.kind != kind {
            return Err(format!("expected changes of a file of kind {kind}, found those of kind {}", changes.kind));
        }
        let entries = diff::held(&self.model, &self.bytes).map_err(|why| why.to_string())?;
        let whole = Held::of(kind, &self.bytes);
        let held = |entry: &str| if entry.is_empty() { Some(whole) } else { entries.get(entry).copied() };
        let all = |edit: &mut Edit| -> Result<(), BatchError> { Ok(diff::apply(&changes.changes, edit, held)?) };
        self.make(&Batch::default(), Some(&all))
    }

    fn make(&mut self, batch: &Batch, entries: Option<&Further<'_>>) -> Done<Value> {
        let batched = batch.apply(KINDS, (self.about(), &self.model, &self.name), entries);
        let batched = batched.map_err(|why| why.to_string())?;
        self.take(batched.bytes, batched.model, &batched.recomputed)
    }

    /// Replaces one of the [`media`](Self::media) of an entry, or of the file itself, and packs again.
    ///
    /// # Errors
    /// Returns an error as [`edit`](Self::edit) does.
    pub fn repack(&mut self, entry: &str, path: &str, file: Bytes) -> Done<Value> {
        if let Some(inner) = self.inner(entry)? {
            inner.repack("", path, file)?;
            let whole = inner.bytes.clone();
            return self.replace(entry, "", &whole);
        }
        self.medium("", path)?;
        let mut files = self.unpacked.as_ref().map(|unpacked| unpacked.files.clone()).unwrap_or_default();
        files.insert(path.to_owned(), file);
        let packed = Form::parse(files)?.pack(KINDS).map_err(|why| why.to_string())?;
        let bytes = Bytes::from(encode(&packed.model).map_err(|why| why.to_string())?);
        let model = prove(KINDS, self.kind, &packed.model, (&self.name, &bytes))?;
        self.take(bytes, model, &packed.recomputed)
    }

    /// Takes over an edited file. Returns what the edit has brought.
    fn take(&mut self, bytes: Bytes, model: bitexact::kind::Model, recomputed: &[Replaced]) -> Done<Value> {
        let said = |why: bitexact::field::Error| why.to_string();
        let compared = Comparison::of(self.kind, (&self.bytes, &self.model), (&bytes, &model)).map_err(said)?;
        let deviations = compared.new_deviations().map_err(said)?;
        let warnings = compared.new_warnings(&self.name).map_err(said)?;
        let told = Value::from([
            ("recomputed", recomputed.iter().map(replaced).collect()),
            (
                "deviations",
                deviations
                    .iter()
                    .map(|it| {
                        let (place, expected, found) =
                            (it.first_place.to_string(), it.expected.describe(), it.found.describe());
                        Value::from(format!("{place}: expected {expected}, found {found}"))
                    })
                    .collect(),
            ),
            ("warnings", warnings.iter().map(ToString::to_string).collect()),
        ]);
        if bytes != self.bytes {
            let before = self.bytes.clone();
            self.become_edited(bytes, model);
            self.history.push(before);
        }
        Ok(told)
    }

    /// Takes the last edit back, or makes it again. Returns `false` if there is none.
    ///
    /// # Errors
    /// Returns an error if the file no longer decodes, which is a bug.
    pub fn step(&mut self, is_redo: bool) -> Done<bool> {
        let target = if is_redo { self.history.redo.pop() } else { self.history.undo.pop() };
        let Some(target) = target else { return Ok(false) };
        let Self { model, .. } = Self::open(&self.name, target.clone())?;
        let now = self.bytes.clone();
        self.become_edited(target, model);
        match is_redo {
            true => (self.history.undo.push(now), self.history.edits += 1),
            false => (self.history.redo.push(now), self.history.edits -= 1),
        };
        Ok(true)
    }

    /// Returns the changes since the file was opened, as `diff --json` prints them.
    ///
    /// # Errors
    /// Returns an error if the files cannot be compared.
    pub fn changes(&self) -> Done<String> {
        let old = self.history.original.clone();
        let changes = changes_between(self.kind, old, self.bytes.clone()).map_err(|why| why.to_string())?;
        let changes = diff::without_layout(changes);
        let changes = Changes::of(self.kind.name, changes);
        serde_json::to_string(&changes).map_err(|why| why.to_string())
    }

    /// Returns the file as it was opened.
    #[must_use]
    pub fn original(&self) -> &Bytes {
        &self.history.original
    }

    /// Returns the SHA-256 of the file with all edits, as a text.
    #[must_use]
    pub fn sha256(&self) -> String {
        Sha::of(&self.bytes).to_string()
    }
}

fn replaced(it: &Replaced) -> Value {
    Value::from([("place", it.place.as_str().into()), ("was", it.was.clone()), ("now", it.now.clone())])
}

/// Files that become a mod, and what it says about itself.
#[derive(Default)]
pub struct Making {
    files: Vec<(String, Option<Bytes>, Option<Bytes>)>,
    about: About,
    picture: Option<Picture>,
}

impl Making {
    /// Adds a file: its path in the game, the original, and the edited one.
    pub fn add(&mut self, path: String, old: Option<Bytes>, new: Option<Bytes>) {
        self.files.push((path, old, new));
    }

    /// Takes what the mod says about itself, as `mod.json` has it.
    ///
    /// # Errors
    /// Returns an error if the text is something else.
    pub fn about(&mut self, text: &str) -> Done<()> {
        self.about = serde_json::from_str(text).map_err(|why| why.to_string())?;
        Ok(())
    }

    /// Takes the picture of the mod.
    ///
    /// # Errors
    /// Returns an error if it is neither a PNG nor a JPEG.
    pub fn picture(&mut self, name: &str, bytes: Bytes) -> Done<()> {
        self.picture = Some(Picture::of(name, bytes).map_err(|why| why.to_string())?);
        Ok(())
    }

    /// Returns the mod that turns the files into the edited ones, as `mod make` writes it to a `.bxmod`. `origin` is the game of the files,
    /// if their folder shows it.
    ///
    /// # Errors
    /// Returns an error if a path is not one of a game, or if nothing differs.
    pub fn finish(&self, origin: Option<Origin>) -> Done<Vec<u8>> {
        let mut file = make_of(&self.files).map_err(|why| why.to_string())?.file;
        if file.files.is_empty() {
            return Err("nothing differs, so there is no mod to make".to_owned());
        }
        file.about = self.about.clone();
        file.about.made_for = origin.or_else(|| Origin::of_files(&file));
        file.package(self.picture.as_ref()).map_err(|why| why.to_string())
    }
}

/// A mod that was read.
pub struct Mod(ModFile);

impl Mod {
    /// Reads the text of a mod.
    ///
    /// # Errors
    /// Returns an error if it is none.
    pub fn read(name: &str, text: &[u8]) -> Done<Self> {
        ModFile::read(name, text).map(Self).map_err(|why| why.to_string())
    }

    /// Returns what the mod says about itself, and the files that it changes, in words. `here` is the game that it is applied to.
    #[must_use]
    pub fn told(&self, here: Option<&Origin>) -> Value {
        let About { title, author, version, description, made_for, .. } = &self.0.about;
        let text = |it: &Option<String>| it.as_deref().map_or(Value::Null, Value::from);
        let differs = here.and_then(|here| made_for.as_ref()?.differs(here));
        let files = self.0.files.iter();
        let files = files.map(|it| Value::from([("path", it.path.as_str().into()), ("words", it.to_string().into())]));
        Value::from([
            ("title", text(title)),
            ("author", text(author)),
            ("version", text(version)),
            ("description", text(description)),
            ("made_for", made_for.as_ref().map_or(Value::Null, |it| it.to_string().into())),
            ("differs", text(&differs)),
            ("files", files.collect()),
        ])
    }

    /// Returns a file after the mod, or `None` if the mod removes it.
    ///
    /// # Errors
    /// Returns an error if the mod does not fit the file.
    pub fn apply(&self, path: &str, old: Option<&Bytes>) -> Done<Option<Bytes>> {
        let edit = self.0.files.iter().find(|it| it.path == path);
        let edit = edit.ok_or_else(|| format!("{path}: the mod has no such file"))?;
        edit.apply_to(old).map_err(|why| why.to_string())
    }
}
