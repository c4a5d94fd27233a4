//! Code as JSON: a list of instructions. A jump names the label of the instruction where it ends, so that it follows when instructions
//! change. Source: `nwn-ncs.md`, section 6.

use std::collections::{HashMap, HashSet};

use field::{
    GAME_TEXT, Layout, LoadError, Loaded, Members, ReplacedField, Shape, Step, Value, decode_text, encode_text,
};
use json::Describe as _;

use super::code::{Instruction, Target, instructions, starts, step};
use super::opcodes::{Form, Opcode};

/// The end of the code, to which a jump can lead although no instruction begins there.
pub(super) const END: &str = "end";

/// Returns the label of an instruction.
fn label_of(nth: usize) -> String {
    format!("L{nth}")
}

/// Returns code as JSON.
pub(super) fn show(code: &[u8]) -> Value {
    let starts = starts(code);
    let target = |one: &Instruction<'_>| one.target(code.len(), |at| starts.get(at) == Some(&true));
    let mut targets: Vec<usize> = instructions(code)
        .filter_map(|one| match target(&one)? {
            Target::Instruction(at) => Some(at),
            Target::End | Target::Elsewhere(_) => None,
        })
        .collect();
    targets.sort_unstable();
    targets.dedup();
    // The label of an instruction has its index, so that another jump does not rename it.
    let all: Vec<usize> = instructions(code).map(|one| one.at).collect();
    let label = |at: usize| {
        targets.binary_search(&at).ok()?;
        all.binary_search(&at).ok().map(label_of)
    };
    let shown = |one: Instruction<'_>| {
        let mut members = Members::with_capacity(4);
        members.extend(label(one.at).map(|label| ("label".into(), label.into())));
        members.push(("op".into(), one.opcode.title(one.kind).into()));
        if let (Some(target), Some(distance)) = (target(&one), one.distance()) {
            let to = match target {
                Target::Instruction(at) => label(at).unwrap_or_else(|| format!("@{distance:+}")),
                Target::End => END.to_owned(),
                Target::Elsewhere(distance) => format!("@{distance:+}"),
            };
            members.push(("to".into(), to.into()));
        }
        match one.form {
            Form::Record(Some(layout)) | Form::State(layout) => members.extend(layout.show(one.operands, None)),
            Form::Text => members.push(("value".into(), decode_text(GAME_TEXT, one.text()).into())),
            Form::Record(None) | Form::Jump => {}
        }
        Value::Object(members)
    };
    instructions(code).map(shown).collect()
}

/// Gives the labels of a new document the names in the old one, so that jumps to the same instruction are the same. The labels of other
/// instructions get names that no old one has.
#[cfg(feature = "exchange")]
pub(super) fn align(old: &Value, new: &mut Value, pairs: kind::Pairs<'_>) {
    let (Some(Value::List(before)), Some(Value::List(after))) = (old.get("code"), new.step_mut("code")) else { return };
    let plain = |item: &Value| json::Compact(&item.without(&["label", "to"])).to_string();
    let texts = |items: &[Value]| items.iter().map(plain).collect::<Vec<_>>();
    let pairs = pairs(&texts(before), &texts(after));
    let label = |item: Option<&Value>| item.and_then(|item| item.get("label")?.text()).map(str::to_owned);
    let name = |(nth, item): (usize, &Value)| {
        let own = label(Some(item))?;
        let known = pairs.get(&nth).and_then(|of| label(before.get(*of)));
        Some((own, known.unwrap_or_else(|| format!("N{nth}"))))
    };
    let names: HashMap<String, String> = after.iter().enumerate().filter_map(name).collect();
    for item in after.iter_mut() {
        for member in ["label", "to"] {
            let value = item.step_mut(member);
            let known = value.as_ref().and_then(|value| names.get(value.text()?));
            if let (Some(name), Some(value)) = (known, value) {
                *value = name.as_str().into();
            }
        }
    }
}

/// Returns code from JSON, and reports what no byte holds: labels to which no jump leads, and distances to what a label names.
pub(super) fn load(json: &Value, replaced: &mut Vec<ReplacedField>) -> Loaded<Vec<u8>> {
    let Value::List(items) = json else {
        return Err(LoadError::new(Vec::new(), "a list of instructions", json.describe()));
    };
    let (mut code, mut jumps, mut labels) = (Vec::new(), Vec::new(), HashMap::new());
    let mut starts = Vec::with_capacity(items.len());
    for (nth, item) in items.iter().enumerate() {
        let at = code.len();
        starts.push(at);
        let loader = Loader { nth, item };
        if let Some(label) = loader.label()?
            && labels.insert(label, at).is_some()
        {
            return Err(loader.misfit("label", "the label of one instruction", "two of them"));
        }
        if let Some(to) = loader.instruction(&mut code)? {
            jumps.push((at, loader, to));
        }
    }
    let used: HashSet<&str> = jumps.iter().map(|(_, _, to)| *to).collect();
    for (nth, label) in items.iter().enumerate().filter_map(|(nth, item)| Some((nth, item.get("label")?))) {
        if label.text().is_some_and(|label| !used.contains(label)) {
            let steps = vec![step(nth), Step::Name("label")];
            replaced.push(ReplacedField { steps, was: label.clone(), now: Value::Null });
        }
    }
    labels.insert(END, code.len());
    for (at, loader, to) in jumps {
        let distance = loader.distance(to, at, &labels)?;
        loader.put(&mut code, at, distance)?;
        let target = i64::try_from(at).ok().and_then(|at| usize::try_from(at.checked_add(distance)?).ok());
        if let Some(target) = target.filter(|_| to.starts_with('@')) {
            let label = starts.binary_search(&target).ok().map(label_of);
            if let Some(label) = label.or_else(|| (target == code.len()).then(|| END.to_owned())) {
                let steps = vec![step(loader.nth), Step::Name("to")];
                replaced.push(ReplacedField { steps, was: to.into(), now: label.into() });
            }
        }
    }
    Ok(code)
}

/// Reads an instruction.
struct Loader<'j> {
    nth: usize,
    item: &'j Value,
}

impl<'j> Loader<'j> {
    fn misfit(&self, name: &'static str, expected: impl Into<String>, found: impl Into<String>) -> LoadError {
        LoadError::new(vec![step(self.nth), Step::Name(name)], expected, found.into())
    }

    /// Returns the error of a member that does not fit.
    fn wrong(&self, name: &'static str, expected: impl Into<String>) -> LoadError {
        self.misfit(name, expected, self.item.get(name).unwrap_or(&Value::Null).describe())
    }

    /// Returns its label.
    fn label(&self) -> Loaded<Option<&'j str>> {
        let Some(label) = self.item.get("label") else { return Ok(None) };
        match label.text().filter(|label| !label.is_empty() && !label.starts_with('@') && *label != END) {
            Some(label) => Ok(Some(label)),
            None => Err(self.wrong("label", format!("a name that does not begin with @, and is not \"{END}\""))),
        }
    }

    /// Puts its bytes at the end of code, with zeros for its distance. Returns the target of its jump.
    fn instruction(&self, code: &mut Vec<u8>) -> Loaded<Option<&'j str>> {
        let Value::Object(members) = self.item else {
            let expected = "an instruction such as {\"op\": \"CONST.S\", \"value\": \"text\"}";
            return Err(LoadError::new(vec![step(self.nth)], expected, self.item.describe()));
        };
        let titled = self.item.get("op").and_then(Value::text).and_then(Opcode::titled);
        let (opcode, kind) = titled.ok_or_else(|| self.wrong("op", "an instruction such as JSR or CONST.S"))?;
        let Some(form) = opcode.form(kind) else {
            return Err(self.wrong("op", "a constant of type I, F, S, O, E2 or E7"));
        };
        let is_known = |name: &str| match (name, form) {
            ("label" | "op", _) | ("to", Form::Jump | Form::State(_)) | ("value", Form::Text) => true,
            (_, Form::Record(Some(layout)) | Form::State(layout)) => layout.fields.iter().any(|it| it.name == name),
            (_, Form::Record(None) | Form::Jump | Form::Text) => false,
        };
        if let Some((name, value)) = members.iter().find(|(name, _)| !is_known(name)) {
            return Err(LoadError::surplus(vec![step(self.nth)], vec![name.to_string()], value.describe()));
        }
        code.extend([opcode.code, kind]);
        match form {
            Form::Record(None) => Ok(None),
            Form::Record(Some(layout)) => self.record(layout, code).map(|()| None),
            Form::Text => self.text(code).map(|()| None),
            Form::Jump => {
                code.extend([0; 4]);
                self.to().map(Some)
            }
            Form::State(layout) => {
                self.record(layout, code)?;
                self.to().map(Some)
            }
        }
    }

    fn record(&self, layout: &Layout, code: &mut Vec<u8>) -> Loaded {
        for field in layout.fields {
            let begin = code.len();
            code.resize(begin + field.shape.size(), 0);
            if let (Shape::Leaf(leaf), Some(bytes)) = (field.shape, code.get_mut(begin..)) {
                let value = self.item.get(field.name).unwrap_or(&Value::Null);
                leaf.set(value, bytes).map_err(|expected| self.wrong(field.name, expected))?;
            }
        }
        Ok(())
    }

    fn text(&self, code: &mut Vec<u8>) -> Loaded {
        let text = self.item.get("value").and_then(Value::text).ok_or_else(|| self.wrong("value", "a string"))?;
        let lacking = || self.wrong("value", format!("characters of {}", GAME_TEXT.name()));
        let text = encode_text(GAME_TEXT, text).ok_or_else(lacking)?;
        let Ok(length) = u16::try_from(text.len()) else {
            let found = format!("{} bytes", text.len());
            return Err(self.misfit("value", "a string of at most 65535 bytes", found));
        };
        code.extend(length.to_be_bytes());
        code.extend(text);
        Ok(())
    }

    fn to(&self) -> Loaded<&'j str> {
        self.item.get("to").and_then(Value::text).ok_or_else(|| self.wrong("to", "the label of an instruction"))
    }

    /// Returns the distance of its jump from its own offset.
    fn distance(&self, to: &str, at: usize, labels: &HashMap<&str, usize>) -> Loaded<i64> {
        let offset = |at: usize| i64::try_from(at).unwrap_or(i64::MAX);
        match (to.strip_prefix('@'), labels.get(to)) {
            (Some(distance), _) => {
                let is_signed = distance.starts_with(['+', '-']);
                let distance = distance.parse().ok().filter(|_| is_signed);
                distance.ok_or_else(|| self.wrong("to", "a distance such as @+6 or @-6"))
            }
            (None, Some(target)) => Ok(offset(*target) - offset(at)),
            (None, None) => Err(self.wrong("to", "the label of an instruction; give it this \"label\"")),
        }
    }

    /// Puts a distance into its bytes.
    fn put(&self, code: &mut [u8], at: usize, distance: i64) -> Loaded {
        let mut put = |at: usize, bytes: &[u8]| {
            let room = code.get_mut(at..).unwrap_or_default();
            room.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        };
        let is_state = self
            .item
            .get("op")
            .and_then(Value::text)
            .and_then(Opcode::titled)
            .is_some_and(|(opcode, kind)| matches!(opcode.form(kind), Some(Form::State(_))));
        let far = |most: &str| self.misfit("to", format!("a distance of {most}"), format!("{distance} bytes"));
        if is_state {
            let distance = u8::try_from(distance).map_err(|_| far("0 to 255 bytes"))?;
            put(at + 1, &[distance]);
        } else {
            let distance = i32::try_from(distance).map_err(|_| far("32 bits"))?;
            put(at + 2, &distance.to_be_bytes());
        }
        Ok(())
    }
}
