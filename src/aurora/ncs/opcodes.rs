//! The instructions of compiled scripts: a line for each opcode, a record for each form of operands. Source: `nwn-ncs.md`, sections 2
//! to 4.

use field::record;
use field::{F32be, I32be, Layout, Record as _, U8, U16be, U32be};

record! {
    /// A place on the stack and a number of bytes, 6 bytes.
    pub struct Copied: 6 {
        offset: I32be,
        size: U16be,
    }
}
record! {
    /// A place on the stack, 4 bytes.
    pub struct Moved: 4 {
        offset: I32be,
    }
}
record! {
    /// A routine of the engine, a row of `nwscript.nss`, and its number of arguments, 3 bytes.
    pub struct Called: 3 {
        routine: U16be,
        arguments: U8,
    }
}
record! {
    /// The size of two structs, 2 bytes.
    pub struct Compared: 2 {
        size: U16be,
    }
}
record! {
    /// The bytes to drop off the top of the stack, and those among them to keep, 6 bytes.
    pub struct Dropped: 6 {
        size: U16be,
        keep_offset: U16be,
        keep_size: U16be,
    }
}
record! {
    /// The bytes that a delayed action keeps, 8 bytes.
    pub struct Stored: 8 {
        globals: I32be,
        locals: I32be,
    }
}
record! {
    /// The operand of an instruction that no known script has, 4 bytes.
    pub struct Unseen: 4 {
        operand: I32be,
    }
}
record! {
    /// A whole number, 4 bytes.
    pub struct Whole: 4 {
        value: I32be,
    }
}
record! {
    /// A float, 4 bytes.
    pub struct Real: 4 {
        value: F32be,
    }
}
record! {
    /// The number of an object or a location, 4 bytes.
    pub struct Numbered: 4 {
        value: U32be,
    }
}

/// The form of the operands of an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// A record, or nothing.
    Record(Option<&'static Layout>),
    /// Text after its length.
    Text,
    /// The distance to another instruction.
    Jump,
    /// A record; the distance to another instruction is in place of the type.
    State(&'static Layout),
}

/// The rule for the form of the operands.
#[derive(Clone, Copy, Debug)]
enum Operands {
    /// One form.
    Always(Form),
    /// A constant of the type.
    Constant,
    /// A size if structs are compared.
    Compared,
}

/// The rule for the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Types {
    /// One type, which is not shown.
    Only(u8),
    /// Any type with a name.
    Any,
    /// The distance to another instruction.
    Distance,
}

/// What the instructions with one opcode have in common.
#[derive(Debug)]
pub(super) struct Opcode {
    /// The opcode.
    pub(super) code: u8,
    /// Its name.
    pub(super) name: &'static str,
    /// Its types.
    pub(super) types: Types,
    operands: Operands,
}

macro_rules! opcodes {
    ($($code:literal $name:ident: $types:tt $operands:tt;)*) => {
        static OPCODES: &[Opcode] = &[$(Opcode {
            code: $code,
            name: stringify!($name),
            types: opcodes!(@types $types),
            operands: opcodes!(@operands $operands),
        }),*];
    };
    (@types any) => { Types::Any };
    (@types distance) => { Types::Distance };
    (@types $only:literal) => { Types::Only($only) };
    (@operands -) => { Operands::Always(Form::Record(None)) };
    (@operands constant) => { Operands::Constant };
    (@operands compared) => { Operands::Compared };
    (@operands jump) => { Operands::Always(Form::Jump) };
    (@operands state) => { Operands::Always(Form::State(Stored::LAYOUT)) };
    (@operands $record:ident) => { Operands::Always(Form::Record(Some($record::LAYOUT))) };
}

// Source: `nwn-ncs.md`, section 2.
opcodes! {
    0x01 CPDOWNSP: 0x01 Copied;
    0x02 RSADD: any -;
    0x03 CPTOPSP: 0x01 Copied;
    0x04 CONST: any constant;
    0x05 ACTION: 0x00 Called;
    0x06 LOGAND: any -;
    0x07 LOGOR: any -;
    0x08 INCOR: any -;
    0x09 EXCOR: any -;
    0x0A BOOLAND: any -;
    0x0B EQUAL: any compared;
    0x0C NEQUAL: any compared;
    0x0D GEQ: any -;
    0x0E GT: any -;
    0x0F LT: any -;
    0x10 LEQ: any -;
    0x11 SHLEFT: any -;
    0x12 SHRIGHT: any -;
    0x13 USHRIGHT: any -;
    0x14 ADD: any -;
    0x15 SUB: any -;
    0x16 MUL: any -;
    0x17 DIV: any -;
    0x18 MOD: any -;
    0x19 NEG: any -;
    0x1A COMP: any -;
    0x1B MOVSP: 0x00 Moved;
    0x1C STOREIP: 0x00 Unseen;
    0x1D JMP: 0x00 jump;
    0x1E JSR: 0x00 jump;
    0x1F JZ: 0x00 jump;
    0x20 RETN: 0x00 -;
    0x21 DESTRUCT: 0x01 Dropped;
    0x22 NOT: any -;
    0x23 DECSP: any Moved;
    0x24 INCSP: any Moved;
    0x25 JNZ: 0x00 jump;
    0x26 CPDOWNBP: 0x01 Copied;
    0x27 CPTOPBP: 0x01 Copied;
    0x28 DECBP: any Moved;
    0x29 INCBP: any Moved;
    0x2A SAVEBP: 0x00 -;
    0x2B RESTOREBP: 0x00 -;
    0x2C STORESTATE: distance state;
    0x2D NOP: 0x00 -;
}

/// The type of integers.
const INT: u8 = 0x03;
/// The type of floats.
const FLOAT: u8 = 0x04;
/// The type of strings.
const STRING: u8 = 0x05;
/// The type of objects.
const OBJECT: u8 = 0x06;
/// The type of locations, which are engine structure 2.
const LOCATION: u8 = 0x12;
/// The type of JSON, which is engine structure 7.
const JSON: u8 = 0x17;
/// The type of two structs.
const STRUCTS: u8 = 0x24;

/// The names of types: values, pairs, and pairs of equal engine structures. Source: `nwn-ncs.md`, section 3.
const TYPES: [(u8, &str); 34] = [
    (INT, "I"),
    (FLOAT, "F"),
    (STRING, "S"),
    (OBJECT, "O"),
    (0x10, "E0"),
    (0x11, "E1"),
    (LOCATION, "E2"),
    (0x13, "E3"),
    (0x14, "E4"),
    (0x15, "E5"),
    (0x16, "E6"),
    (JSON, "E7"),
    (0x18, "E8"),
    (0x19, "E9"),
    (0x20, "II"),
    (0x21, "FF"),
    (0x22, "OO"),
    (0x23, "SS"),
    (STRUCTS, "TT"),
    (0x25, "IF"),
    (0x26, "FI"),
    (0x30, "E0E0"),
    (0x31, "E1E1"),
    (0x32, "E2E2"),
    (0x33, "E3E3"),
    (0x34, "E4E4"),
    (0x35, "E5E5"),
    (0x36, "E6E6"),
    (0x37, "E7E7"),
    (0x38, "E8E8"),
    (0x39, "E9E9"),
    (0x3A, "VV"),
    (0x3B, "VF"),
    (0x3C, "FV"),
];

impl Opcode {
    /// Returns an opcode, or `None` if no instruction has it.
    pub(super) fn of(code: u8) -> Option<&'static Self> {
        OPCODES.get(usize::from(code.checked_sub(1)?))
    }

    /// Returns an opcode by its name.
    fn named(name: &str) -> Option<&'static Self> {
        OPCODES.iter().find(|it| it.name == name)
    }

    /// Returns the form of the operands of an instruction of a type, or `None` if it is not known.
    pub(super) const fn form(&self, kind: u8) -> Option<Form> {
        Some(match (self.operands, kind) {
            (Operands::Always(form), _) => form,
            (Operands::Constant, INT) => Form::Record(Some(Whole::LAYOUT)),
            (Operands::Constant, FLOAT) => Form::Record(Some(Real::LAYOUT)),
            (Operands::Constant, STRING | JSON) => Form::Text,
            (Operands::Constant, OBJECT | LOCATION) => Form::Record(Some(Numbered::LAYOUT)),
            (Operands::Constant, _) => return None,
            (Operands::Compared, STRUCTS) => Form::Record(Some(Compared::LAYOUT)),
            (Operands::Compared, _) => Form::Record(None),
        })
    }

    /// Returns `true` if instructions are expected to have a type.
    pub(super) fn suits(&self, kind: u8) -> bool {
        match self.types {
            Types::Only(only) => kind == only,
            Types::Any => type_name(kind).is_some(),
            Types::Distance => true,
        }
    }

    /// Returns its name with a type, such as `CONST.S`: a type without a name in hexadecimal, the only one not at all.
    pub(super) fn title(&self, kind: u8) -> String {
        let name = self.name;
        match (self.types, type_name(kind)) {
            (Types::Distance, _) => name.to_owned(),
            (Types::Only(only), _) if only == kind => name.to_owned(),
            (_, Some(kind)) => format!("{name}.{kind}"),
            (_, None) => format!("{name}.x{kind:02x}"),
        }
    }

    /// Returns the opcode and the type of such a name; the type is 0 if it is a distance.
    pub(super) fn titled(title: &str) -> Option<(&'static Self, u8)> {
        let (name, kind) = title.split_once('.').map_or((title, None), |(name, kind)| (name, Some(kind)));
        let opcode = Self::named(name)?;
        let kind = match (opcode.types, kind) {
            (Types::Distance, None) => 0,
            (Types::Only(only), None) => only,
            (Types::Distance, Some(_)) | (Types::Any, None) => return None,
            (_, Some(kind)) => type_named(kind)?,
        };
        Some((opcode, kind))
    }
}

/// Returns the name of a type.
fn type_name(kind: u8) -> Option<&'static str> {
    TYPES.iter().find_map(|(of, name)| (*of == kind).then_some(*name))
}

/// Returns the type with a name, or with a number as `x` and two hexadecimal digits.
fn type_named(name: &str) -> Option<u8> {
    if let Some((kind, _)) = TYPES.iter().find(|(_, it)| *it == name) {
        return Some(*kind);
    }
    let digits = name.strip_prefix('x').filter(|digits| digits.len() == 2)?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u8::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opcodes_are_in_order() {
        assert!(OPCODES.iter().zip(1..).all(|(opcode, code)| opcode.code == code));
        assert_eq!((OPCODES.len(), Opcode::of(0).is_none(), Opcode::of(0x2E).is_none()), (0x2D, true, true));
    }

    #[test]
    fn every_title_is_read_back() {
        for opcode in OPCODES {
            for kind in 0..=u8::MAX {
                let title = opcode.title(kind);
                let (again, read) = Opcode::titled(&title).expect(&title);
                let expected = if opcode.types == Types::Distance { 0 } else { kind };
                assert_eq!((again.code, read), (opcode.code, expected), "{title}");
            }
        }
        for wrong in ["", "CONST", "JSR.", "JSR.x1", "JSR.x123", "JSR.+1", "STORESTATE.x10", "const.S", "CONST.s"] {
            assert!(Opcode::titled(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn titles_name_types() {
        let title = |code, kind| Opcode::of(code).expect("an opcode").title(kind);
        assert_eq!([title(0x04, 5), title(0x1E, 0), title(0x1E, 5)], ["CONST.S", "JSR", "JSR.S"]);
        assert_eq!([title(0x0B, 0x30), title(0x0B, 0x10), title(0x14, 0x70)], ["EQUAL.E0E0", "EQUAL.E0", "ADD.x70"]);
        assert_eq!([title(0x01, 1), title(0x01, 0), title(0x2C, 16)], ["CPDOWNSP", "CPDOWNSP.x00", "STORESTATE"]);
    }
}
