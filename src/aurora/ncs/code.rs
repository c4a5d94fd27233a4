//! Bytes as instructions, and where jumps end. Source: `nwn-ncs.md`, sections 2 and 5.

use field::{Class, Step, Tell, wide};

use super::opcodes::{Form, Opcode};

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction<'c> {
    /// Its offset in the code.
    pub(super) at: usize,
    /// Its opcode.
    pub(super) opcode: &'static Opcode,
    /// Its type.
    pub(super) kind: u8,
    /// The form of its operands.
    pub(super) form: Form,
    /// Its operands.
    pub(super) operands: &'c [u8],
}

/// The instructions of code, up to the first that is unknown or not complete.
#[derive(Clone, Debug)]
pub(super) struct Instructions<'c> {
    code: &'c [u8],
    at: usize,
}

/// Returns the instructions of code.
pub(super) const fn instructions(code: &[u8]) -> Instructions<'_> {
    Instructions { code, at: 0 }
}

impl<'c> Iterator for Instructions<'c> {
    type Item = Instruction<'c>;

    #[inline]
    fn next(&mut self) -> Option<Instruction<'c>> {
        let (&[code, kind], rest) = self.code.get(self.at..)?.split_first_chunk()?;
        let opcode = Opcode::of(code)?;
        let form = opcode.form(kind)?;
        let length = match form {
            Form::Record(None) => 0,
            Form::Record(Some(layout)) | Form::State(layout) => layout.size,
            Form::Jump => 4,
            Form::Text => usize::from(u16::from_be_bytes(*rest.first_chunk()?)).checked_add(2)?,
        };
        let one = Instruction { at: self.at, opcode, kind, form, operands: rest.get(..length)? };
        self.at = one.end();
        Some(one)
    }
}

/// The end of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The instruction at this offset.
    Instruction(usize),
    /// The end of the code.
    End,
    /// Inside an instruction, or outside the code: the distance.
    Elsewhere(i64),
}

impl<'c> Instruction<'c> {
    /// Returns the offset of the next instruction.
    pub(super) const fn end(&self) -> usize {
        self.at + 2 + self.operands.len()
    }

    /// Returns the distance from its beginning to the place where it jumps, or where its delayed action begins.
    pub(super) fn distance(&self) -> Option<i64> {
        match self.form {
            Form::Jump => self.operands.first_chunk().map(|bytes| i32::from_be_bytes(*bytes).into()),
            Form::State(_) => Some(self.kind.into()),
            Form::Record(_) | Form::Text => None,
        }
    }

    /// Returns where its jump ends, if it has one. `is_start` returns `true` if an instruction begins at an offset.
    pub(super) fn target(&self, length: usize, is_start: impl Fn(usize) -> bool) -> Option<Target> {
        let distance = self.distance()?;
        let at = i64::try_from(self.at).unwrap_or(i64::MAX).checked_add(distance);
        Some(match at.and_then(|at| usize::try_from(at).ok()) {
            Some(at) if is_start(at) => Target::Instruction(at),
            Some(at) if at == length => Target::End,
            _ => Target::Elsewhere(distance),
        })
    }

    /// Returns the text of its operands.
    pub(super) fn text(&self) -> &'c [u8] {
        self.operands.get(2..).unwrap_or_default()
    }

    /// Returns the number of its bytes that follow from the others: distances, and the length of text.
    const fn derived(&self) -> usize {
        match self.form {
            Form::Record(_) => 0,
            Form::Text => 2,
            Form::Jump => 4,
            Form::State(_) => 1,
        }
    }
}

/// Returns the bytes of complete instructions at the beginning of some bytes, by class.
pub(super) fn census(code: &[u8]) -> [usize; 7] {
    let (mut end, mut derived) = (0, 0_usize);
    for one in instructions(code) {
        end = one.end();
        derived += one.derived();
    }
    [end - derived, derived, 0, 0, 0, 0, 0]
}

/// Returns for each offset of code whether an instruction begins there.
pub(super) fn starts(code: &[u8]) -> Vec<bool> {
    let mut starts = vec![false; code.len()];
    for one in instructions(code) {
        if let Some(start) = starts.get_mut(one.at) {
            *start = true;
        }
    }
    starts
}

/// Calls back for every part of code, in order.
pub(super) fn owners(code: &[u8], tell: Tell<'_>) {
    for (nth, one) in (0..).zip(instructions(code)) {
        let mut put = |name: &'static str, class: Class, from: usize, length: usize| {
            let at = one.at + from;
            if let Some(part @ [_, ..]) = code.get(at..).and_then(|rest| rest.get(..length)) {
                tell(&[Step::Index(nth), Step::Name(name)], class, part);
            }
        };
        put("op", Class::Semantic, 0, if let Form::State(_) = one.form { 1 } else { 2 });
        match one.form {
            Form::Record(None) => {}
            Form::Record(Some(layout)) | Form::State(layout) => {
                put("to", Class::Derived, 1, one.derived());
                for field in layout.fields {
                    put(field.name, Class::Semantic, field.offset + 2, field.shape.size());
                }
            }
            Form::Jump => put("to", Class::Derived, 2, 4),
            Form::Text => {
                put("value", Class::Derived, 2, 2);
                put("value", Class::Semantic, 4, one.text().len());
            }
        }
    }
    let end = census(code).iter().sum();
    if let Some(rest @ [_, ..]) = code.get(end..) {
        tell(&[], Class::Opaque, rest);
    }
}

/// Returns the step to an instruction of the code with this number.
pub(super) fn step(nth: usize) -> Step {
    Step::Index(wide(nth))
}
