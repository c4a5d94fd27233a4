//! Loops and conditions. The stream is flat: events do not store their nesting depth.

use field::{F32, I16, Judge, Result, U16, U32, lay};
use field::{flags, record};

use super::super::arrays::Arrays;
use super::super::trial::Trial;
use super::{Body, NodeIndex32};

/// An event without a payload, 0 bytes. Source: `zipper-anim-events.md`, sections 32 and 34.
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
    /// The condition that ends a loop. Source: `zipper-anim-events.md`, section 30.
    pub struct LoopFlags(U32: u32) {
        /// A number of passes.
        COUNT = 1;
        /// A run time.
        RUN_TIME = 2;
    }
}

record! {
    /// The number of passes of a loop, 4 bytes.
    pub struct LoopCount: 4 {
        /// -1 and 0 mean endless.
        passes: I16,
        pad: U16 = 0,
    }
}

/// The duration of a loop.
#[derive(Clone, Debug)]
pub enum LoopFor {
    /// A number of passes.
    Count(LoopCount),
    /// A number of seconds.
    RunTime(F32),
    /// A word whose meaning is not yet known.
    Unknown(U32),
}

impl Default for LoopFor {
    fn default() -> Self {
        Self::Unknown(U32::default())
    }
}

/// Repeats the events, 8 bytes. Source: `zipper-anim-events.md`, section 30.
#[derive(Clone, Debug, Default)]
pub struct Loop {
    /// The condition that ends it.
    pub flags: LoopFlags,
    /// The number of passes or seconds.
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
    /// The quantity to test, one at a time. Source: `zipper-anim-events.md`, section 31.
    pub struct Condition(U32: u32) {
        /// A random number.
        RANDOM_WEIGHT = 0x1;
        /// The distance of the player, as the square of meters.
        PLAYER_RANGE = 0x2;
        /// The level of detail of animations.
        ANIMATION_LOD = 0x4;
        /// The height of the cover above the player.
        PLAYER_UNDERCOVER = 0x8;
        /// The height of the cover above a node; in Crimson Skies, a negative height is below it.
        NODE_UNDERCOVER = 0x10;
        /// Rendering by a graphics card.
        HW_RENDER = 0x20;
        /// The first-person view of the player.
        PLAYER_1ST_PERSON = 0x40;
        /// The player is below an altitude.
        PLAYER_BELOW_ALT = 0x80;
        /// A node is below an altitude.
        NODE_BELOW_ALT = 0x100;
        /// The player is lined up, as the square of radians.
        PLAYER_LINED_UP = 0x200;
        /// The speed of the player, as a range.
        PLAYER_SPEED = 0x400;
        /// The remaining health.
        ANIM_HEALTH = 0x800;
        /// The remaining health, as a range.
        ANIM_HEALTH_RANGE = 0x1000;
        /// A node is active.
        NODE_ACTIVE = 0x2000;
    }
}

record! {
    /// The condition and its node, 8 bytes.
    pub struct ConditionHeader: 8 {
        condition: Condition,
        node: NodeIndex32,
    }
}

/// The value to compare with.
#[derive(Clone, Debug)]
pub enum Value {
    /// A measurement.
    Real(F32),
    /// A choice, or a word whose meaning is not yet known.
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
    /// Checks a value of this type.
    fn tried(&self, it: &mut Trial<'_>) -> Option<()> {
        match self {
            Self::Real(_) => it.value::<F32>().map(drop),
            Self::Whole(_) => it.value::<U32>().map(drop),
        }
    }
}

/// Returns `true` if exactly one condition with a name is set.
fn is_known(condition: Condition) -> bool {
    <Condition as bitflags::Flags>::FLAGS.iter().any(|flag| *flag.value() == condition)
}

/// Tests a condition in Recoil and MechWarrior 3, 12 bytes. Source: `zipper-anim-events.md`, section 31.
#[derive(Clone, Debug, Default)]
pub struct Condition12 {
    /// The condition and its node.
    pub head: ConditionHeader,
    /// The value to compare with.
    pub value: Value,
}

impl Body for Condition12 {
    fn fits(bytes: &[u8]) -> bool {
        bytes.len() == 12
    }

    fn tried(it: &mut Trial<'_>) -> Option<()> {
        Self::asked(it).map(drop)
    }

    /// The node is not judged: in many files it is outside the array (`zipper-anim-events.md`, section 0.1).
    fn refer(&self, _: &mut Judge<'_>, _: Arrays<'_>) {}
}

impl Condition12 {
    /// Checks the parts of a condition and returns its flags, or `None` if a part has a deviation.
    fn asked(it: &mut Trial<'_>) -> Option<Condition> {
        let head = it.record::<ConditionHeader>()?;
        Value::of(head.condition).tried(it)?;
        Some(head.condition)
    }
}

record! {
    /// The unused field of a condition without a range, 4 bytes.
    pub struct NoSecond: 4 {
        second: U32 = 0,
    }
}

/// The end of a range.
#[derive(Clone, Debug)]
pub enum Second {
    /// The second value of a condition with a range, or a word whose meaning is not yet known.
    Value(Value),
    /// No second value.
    None(NoSecond),
}

impl Default for Second {
    fn default() -> Self {
        Self::Value(Value::default())
    }
}

/// Tests a condition in Pirate's Moon and Crimson Skies, 16 bytes. Source: `zipper-anim-events.md`, section 31.
#[derive(Clone, Debug, Default)]
pub struct Condition16 {
    /// The condition and its first value.
    pub first: Condition12,
    /// The end of the range, if the condition has one.
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

    fn refer(&self, t: &mut Judge<'_>, arrays: Arrays<'_>) {
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
            t.choose(at!(self.end), |_| LoopFor::of(self.flags));
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
            t.choose(at!(self.value), |_| Value::of(self.head.condition));
            self.value.lay_by(t, "value")
        }
    }

    impl Lay for Condition16 {
        fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
            self.first.lay(t)?;
            t.choose(at!(self.second), |_| Second::of(self.first.head.condition));
            match at!(self.second) {
                Second::Value(value) => value.lay_by(t, "second"),
                Second::None(none) => t.fields(none),
            }
        }
    }
}
