//! Loops and conditions. The stream is flat: no event knows how deep it lies.

use crate::field::{F32, I16, I32, Judge, Result, U16, U32, lay};
use crate::{flags, record};

use super::super::arrays::{Arrays, remark};
use super::super::trial::Trial;
use super::Body;

/// An event that says all by its type, 0 bytes. Source: `zipper-anim-events.md`, sections 32 and 34.
#[derive(Clone, Copy, Debug, Default)]
pub struct Empty;

impl Body for Empty {
    fn fits(bytes: &[u8]) -> bool {
        bytes.is_empty()
    }

    fn tried(_: &mut Trial<'_>) -> Option<()> {
        Some(())
    }
}

flags! {
    /// What ends a loop. Source: `zipper-anim-events.md`, section 30.
    pub struct LoopFlags(U32: u32) {
        /// So many passes.
        COUNT = 1;
        /// So much time.
        RUN_TIME = 2;
    }
}

record! {
    /// How often a loop runs, 4 bytes.
    pub struct LoopCount: 4 {
        /// -1 and 0 for ever.
        passes: I16,
        pad: U16 = 0,
    }
}

/// How long a loop runs.
#[derive(Clone, Debug)]
pub enum LoopFor {
    /// So many passes.
    Count(LoopCount),
    /// So many seconds.
    RunTime(F32),
    /// Nobody knows.
    Unknown(U32),
}

impl Default for LoopFor {
    fn default() -> Self {
        Self::Unknown(U32::default())
    }
}

/// Runs the events again, 8 bytes. Source: `zipper-anim-events.md`, section 30.
#[derive(Clone, Debug, Default)]
pub struct Loop {
    /// What ends it.
    pub flags: LoopFlags,
    /// When.
    pub end: LoopFor,
}

impl LoopFor {
    fn of(flags: LoopFlags) -> Self {
        match flags {
            LoopFlags::COUNT => Self::Count(LoopCount::default()),
            LoopFlags::RUN_TIME => Self::RunTime(F32::default()),
            _ => Self::default(),
        }
    }
}

impl Body for Loop {
    fn fits(bytes: &[u8]) -> bool {
        bytes.len() == 8
    }

    fn tried(it: &mut Trial<'_>) -> Option<()> {
        let flags = it.value::<LoopFlags>()?;
        match LoopFor::of(*flags) {
            LoopFor::Count(_) => it.record::<LoopCount>().map(drop),
            LoopFor::RunTime(_) => it.value::<F32>().map(drop),
            LoopFor::Unknown(_) => it.value::<U32>().map(drop),
        }
    }
}

flags! {
    /// What is asked; one at a time. Source: `zipper-anim-events.md`, section 31.
    pub struct Condition(U32: u32) {
        /// A number drawn.
        RANDOM_WEIGHT = 0x1;
        /// How far the player is: the square of metres.
        PLAYER_RANGE = 0x2;
        /// How fine animations are to be.
        ANIMATION_LOD = 0x4;
        /// How much is over the player.
        PLAYER_UNDERCOVER = 0x8;
        /// How much is over a node; in Crimson Skies, below it where negative.
        NODE_UNDERCOVER = 0x10;
        /// Whether a graphics card draws.
        HW_RENDER = 0x20;
        /// Whether the player sees with his own eyes.
        PLAYER_1ST_PERSON = 0x40;
        /// Whether the player is lower.
        PLAYER_BELOW_ALT = 0x80;
        /// Whether a node is lower.
        NODE_BELOW_ALT = 0x100;
        /// Whether the player looks along: the square of radians.
        PLAYER_LINED_UP = 0x200;
        /// How fast the player is, from and to.
        PLAYER_SPEED = 0x400;
        /// How much health is left.
        ANIM_HEALTH = 0x800;
        /// The same, from and to.
        ANIM_HEALTH_RANGE = 0x1000;
        /// Whether a node is active.
        NODE_ACTIVE = 0x2000;
    }
}

record! {
    /// What is asked of which node, 8 bytes.
    pub struct ConditionHead: 8 {
        condition: Condition,
        node: I32,
    }
}

/// What is compared with.
#[derive(Clone, Debug)]
pub enum Value {
    /// A measure.
    Real(F32),
    /// A choice, or a word that nobody understands.
    Whole(U32),
}

impl Default for Value {
    fn default() -> Self {
        Self::Whole(U32::default())
    }
}

impl Value {
    fn of(condition: Condition) -> Self {
        match condition {
            Condition::ANIMATION_LOD | Condition::HW_RENDER | Condition::PLAYER_1ST_PERSON | Condition::NODE_ACTIVE => {
                Self::default()
            }
            condition if is_known(condition) => Self::Real(F32::default()),
            _ => Self::default(),
        }
    }
}

impl Value {
    /// Goes on after a value of this type.
    fn tried(&self, it: &mut Trial<'_>) -> Option<()> {
        match self {
            Self::Real(_) => it.value::<F32>().map(drop),
            Self::Whole(_) => it.value::<U32>().map(drop),
        }
    }
}

/// Whether just one thing is asked that has a name.
fn is_known(condition: Condition) -> bool {
    <Condition as bitflags::Flags>::FLAGS.iter().any(|flag| *flag.value() == condition)
}

/// Asks something in Recoil and MechWarrior 3, 12 bytes. Source: `zipper-anim-events.md`, section 31.
#[derive(Clone, Debug, Default)]
pub struct Condition12 {
    /// What.
    pub head: ConditionHead,
    /// The answer.
    pub value: Value,
}

impl Body for Condition12 {
    fn fits(bytes: &[u8]) -> bool {
        bytes.len() == 12
    }

    fn tried(it: &mut Trial<'_>) -> Option<()> {
        Self::asked(it).map(drop)
    }

    fn refer(&self, t: &mut impl Judge, arrays: Arrays<'_>) {
        // The node is only named: in many files it lies outside the array (`zipper-anim-events.md`, section 0.1).
        remark(t, &self.head, arrays);
    }
}

impl Condition12 {
    /// Goes through the parts of one; what it asks.
    fn asked(it: &mut Trial<'_>) -> Option<Condition> {
        let head = it.record::<ConditionHead>()?;
        Value::of(head.condition).tried(it)?;
        Some(head.condition)
    }
}

record! {
    /// What stands in the place of a second value, 4 bytes.
    pub struct NoSecond: 4 {
        second: U32 = 0,
    }
}

/// The end of a range.
#[derive(Clone, Debug)]
pub enum Second {
    /// That of a condition with a range, or a word that nobody understands.
    Value(Value),
    /// None.
    None(NoSecond),
}

impl Default for Second {
    fn default() -> Self {
        Self::Value(Value::default())
    }
}

/// Asks something in Pirate's Moon and Crimson Skies, 16 bytes. Source: `zipper-anim-events.md`, section 31.
#[derive(Clone, Debug, Default)]
pub struct Condition16 {
    /// What, and the answer.
    pub first: Condition12,
    /// The end of the range, where the condition has one.
    pub second: Second,
}

impl Second {
    fn of(condition: Condition) -> Self {
        match condition {
            Condition::PLAYER_SPEED | Condition::ANIM_HEALTH_RANGE => Self::Value(Value::Real(F32::default())),
            condition if is_known(condition) => Self::None(NoSecond::default()),
            _ => Self::default(),
        }
    }
}

impl Body for Condition16 {
    fn fits(bytes: &[u8]) -> bool {
        bytes.len() == 16
    }

    fn tried(it: &mut Trial<'_>) -> Option<()> {
        match Second::of(Condition12::asked(it)?) {
            Second::Value(value) => value.tried(it),
            Second::None(_) => it.record::<NoSecond>().map(drop),
        }
    }

    fn refer(&self, t: &mut impl Judge, arrays: Arrays<'_>) {
        self.first.refer(t, arrays);
    }
}

lay! {
    impl Lay for Empty {
        fn lay(self: at!(Self), _: &mut Tape<'_>) -> Result {
            Ok(())
        }
    }

    impl Lay for Loop {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.value("flags", at!(self.flags))?;
            t.choose(at!(self.end), || LoopFor::of(self.flags));
            match at!(self.end) {
                LoopFor::Count(count) => t.fields(count),
                LoopFor::RunTime(seconds) => t.value("run_time", seconds),
                LoopFor::Unknown(word) => t.value("unk_04", word),
            }
        }
    }

    impl LayBy<&'static str> for Value {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, name: &'static str) -> Result {
            match self {
                Self::Real(value) => t.value(name, value),
                Self::Whole(value) => t.value(name, value),
            }
        }
    }

    impl Lay for Condition12 {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            t.fields(at!(self.head))?;
            t.choose(at!(self.value), || Value::of(self.head.condition));
            self.value.lay_by(t, "value")
        }
    }

    impl Lay for Condition16 {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            self.first.lay(t)?;
            t.choose(at!(self.second), || Second::of(self.first.head.condition));
            match at!(self.second) {
                Second::Value(value) => value.lay_by(t, "second"),
                Second::None(none) => t.fields(none),
            }
        }
    }
}
