//! Rules that scripts of the game follow, and that a script need not follow to be laid out. Source: `nwn-ncs.md`, sections 3 and 5.

use field::{Judge, Step, wide};
use lint::{Lint, Warnings, traps};

use super::code::{Instruction, Target, instructions, starts, step};
use super::{Ncs, length_of};

traps! { TRAPS:
    JUMP_TARGET = "jump-target" in File:
        "a jump does not end at the beginning of an instruction" =>
        "the game runs other bytes as instructions, or stops the script",
        "nwn-ncs.md, section 5 (measured)";
    CUT = "script-cut" in Damage:
        "a script is shorter than its header states" => "its end is lost: compare the file with another copy",
        "nwn-ncs.md, section 1 (checked)";
}

/// Calls back for each jump, with the number of its instruction, and with the place where it ends if no instruction begins there.
fn each_jump(code: &[u8], mut tell: impl FnMut(usize, Instruction<'_>, Option<String>)) {
    let starts = starts(code);
    let is_start = |at: usize| starts.get(at) == Some(&true);
    for (nth, one) in instructions(code).enumerate() {
        match one.target(code.len(), is_start) {
            None => {}
            Some(Target::Instruction(_)) => tell(nth, one, None),
            Some(Target::End) => tell(nth, one, Some("the end of the code".to_owned())),
            Some(Target::Elsewhere(distance)) => tell(nth, one, Some(format!("@{distance:+}"))),
        }
    }
}

/// Reports types and jumps that no script of the game has.
pub(super) fn judge(code: &[u8], start: u64, t: &mut Judge<'_>) {
    let place = |nth: usize, name: &'static str| [Step::Name("code"), step(nth), Step::Name(name)];
    for (nth, one) in instructions(code).enumerate() {
        let suits = one.opcode.suits(one.kind);
        let broken = || (format!("a type of {}", one.opcode.name).into(), format!("{:#04x}", one.kind).into());
        t.judged(start + wide(one.at) + 1, &place(nth, "op"), (!suits).then(broken));
    }
    each_jump(code, |nth, one, found| {
        let broken = found.map(|found| ("the beginning of an instruction".into(), found.into()));
        t.judged(start + wide(one.at), &place(nth, "to"), broken);
    });
}

impl Lint for Ncs {
    fn has_signs(&self) -> bool {
        true
    }

    /// Warns of a script that is shorter than its header states, and of jumps that do not end at the beginning of an instruction.
    fn lint(&self, out: &mut Warnings<'_>) {
        let (stated, bytes) = (self.head.size.get(), length_of(self));
        if u64::from(stated) > wide(bytes) {
            out.warn(&CUT, &[Step::Name("size")], format!("{bytes} bytes of {stated}"));
        }
        each_jump(&self.code, |nth, one, found| {
            if let Some(found) = found {
                let name = one.opcode.name;
                out.warn(&JUMP_TARGET, &[Step::Name("code"), step(nth), Step::Name("to")], format!("{name}, {found}"));
            }
        });
    }
}
