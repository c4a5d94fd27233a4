//! The payloads of events: a record for each type and layout, and the one table that maps types and games to them.
//!
//! All are structures of fixed size, except for scripts with inline frames and lists of scripts. Flags determine the meaning
//! of a field, never its presence. Indices refer to the arrays of the definition, including the placeholder: 0 is none, -1
//! not yet found.
//!
//! Source: [`zipper-anim-events.md`](formats::zipper_anim_events).

mod call;
mod camera;
mod connector;
mod flow;
mod light;
mod motion;
mod object;
mod puffer;
mod screen;
mod script;
mod sound;
mod various;

pub use call::{
    AnimationWait, CallAnimation, CallAnimationEnd, CallAnimationFlags, CallAnimationHeader, InvalidateAnimation,
    NoWait, ResetAnimation, SequenceCall, StopAnimation, StopAnimationNewer, StopAnimationUnmeasured,
};
pub use camera::{CameraFlags, CameraFromTo, CameraState};
pub use connector::{CallObjectConnector, CallObjectConnectorFlags, ObjectConnector, ObjectConnectorFlags};
pub use flow::{
    Condition, Condition12, Condition16, ConditionHeader, Empty, Loop, LoopCount, LoopFlags, LoopFor, NoSecond, Second,
    Value,
};
pub use light::{LightAnimation, LightState112, LightState120, LightState140, LightStateFlags, LightType};
pub use motion::{ObjectMotion240, ObjectMotion320, ObjectMotionFlags, ObjectMotionFromTo, ObjectMotionFromToFlags};
pub use object::{
    ObjectActiveState, ObjectChild, ObjectCycleTexture, ObjectOpacityFromTo, ObjectOpacityState, ObjectRotateState,
    ObjectScaleState, ObjectTranslateState, RotateFlags,
};
pub use puffer::{
    IntervalType, PufferColor, PufferGrowth, PufferState580, PufferState584, PufferStateFlags, PufferTexture,
};
pub use screen::{FbfxColorFromTo, FbfxCsinwaveFlags, FbfxCsinwaveFromTo, FogFlags, FogState};
pub use script::{
    InlineScript20, InlineScript24, ListedScript, PoolScript, ScriptHead20, ScriptHead24, ScriptOfList, ScriptsOfList,
};
pub use sound::{Effect, Sound, SoundAdjust, SoundNode, SoundNodeFlags};
pub use various::{AnimVerbose, Callback, DetonateWeapon, TopMessage};

use crate::Vec3;
use field::names;
use field::{self, Block, F32, Judge, Result, Run, lay, wide};
use kind::Game;

use super::arrays::{Arrays, refer};
use super::expect::judge;
use super::trial::Trial;

macro_rules! node_index {
    ($($name:ident($store:ident: $of:ty);)*) => { $(
        names! {
            /// The index of a node of the definition; two nodes have numbers of their own. Source: `zipper-anim-events.md`, section 0.1.
            pub struct $name($store: $of) as Index {
                /// The node that the definition runs on.
                MAIN_ROOT_NODE = -100;
                /// The node that its caller passed.
                INPUT_NODE = -200;
            }
        }
    )* };
}
node_index! {
    NodeIndex(I16: i16);
    NodeIndex32(I32: i32);
}

names! {
    /// The index of a sound of the definition. Source: `zipper-anim-events.md`, section 0.1.
    pub struct SoundIndex(I16: i16) as Index {}
}
names! {
    /// The index of an effect of the definition. Source: `zipper-anim-events.md`, section 0.1.
    pub struct EffectIndex(I16: i16) as Index {}
}
names! {
    /// The index of another animation to which the definition refers. Source: `zipper-anim-events.md`, section 0.1.
    pub struct AnimRefIndex(I16: i16) as Index {}
}

/// A possible payload.
trait Body: field::walk::Lay + Default {
    /// Returns `true` if these bytes can be such a payload.
    fn fits(bytes: &[u8]) -> bool;

    /// `true` if a payload can take much more memory than its bytes.
    const IS_LARGE: bool = false;

    /// Checks the parts of a payload in the order of [`lay`](field::walk::Lay::lay). Returns `None` if one has a deviation.
    fn tried(it: &mut Trial<'_>) -> Option<()>;

    /// Returns its length in bytes.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    fn length(&self) -> Result<u64> {
        field::walk::size(self)
    }

    /// Reports the names of the elements that its indices refer to.
    fn refer(&self, t: &mut Judge<'_>, arrays: Arrays<'_>) {
        let _ = (t, arrays);
    }
}

macro_rules! events {
    (
        plain { $($plain:ident),* $(,)? }
        gated { $($gated:ident),* $(,)? }
        large plain { $($large:ident),* $(,)? }
        large gated { $($wide:ident),* $(,)? }
        own { $($own:ident),* $(,)? }
        table { $($number:literal $name:ident: $rc:tt $mw:tt $pm:tt $cs:tt;)* }
    ) => {
        names! {
            /// The type of an event.
            pub struct EventType(U8: u8) {
                $(#[doc = concat!("Type ", $number, ".")] $name = $number;)*
            }
        }

        /// The payload of an event.
        #[derive(Clone, Debug)]
        #[allow(missing_docs, reason = "each holds the record of its name")]
        pub enum Payload {
            $($plain($plain),)*
            $($gated($gated),)*
            $($large(Box<$large>),)*
            $($wide(Box<$wide>),)*
            $($own($own),)*
            /// A payload of an unknown type or size.
            Opaque(Block),
        }

        $(events! { @body $plain |_, _| Some(()) })*
        $(events! { @body $large |_, _| Some(()) })*
        $(events! { @body $gated |it, record| it.gates(record, record.flags) })*
        $(events! { @body $wide |it, record| it.gates(record, record.flags) })*

        impl Payload {
            /// Returns the payload of events of this type, or `None` if it is not known.
            pub(super) fn known(kind: EventType, game: Game) -> Option<&'static Known> {
                // A table, because this runs once or twice per event and a `match` would be a jump that is predicted badly.
                static KNOWN: [[Option<&Known>; 4]; 64] = {
                    let mut known = [[None; 4]; 64];
                    $(known[$number] = [events!(@of $rc), events!(@of $mw), events!(@of $pm), events!(@of $cs)];)*
                    known
                };
                let [rc, mw, pm, cs] = KNOWN.get(usize::from(kind.get()))?;
                *match game {
                    Game::Recoil => rc,
                    Game::MechWarrior3 => mw,
                    Game::PiratesMoon => pm,
                    Game::CrimsonSkies => cs,
                    _ => return None,
                }
            }

            /// Reports the names of the elements that its indices refer to.
            pub(super) fn refer(&self, t: &mut Judge<'_>, arrays: Arrays<'_>) {
                match self {
                    $(Self::$plain(payload) => payload.refer(t, arrays),)*
                    $(Self::$gated(payload) => payload.refer(t, arrays),)*
                    $(Self::$large(payload) => payload.refer(t, arrays),)*
                    $(Self::$wide(payload) => payload.refer(t, arrays),)*
                    $(Self::$own(payload) => payload.refer(t, arrays),)*
                    Self::Opaque(_) => {}
                }
            }

            /// Returns its length in bytes.
            pub(super) fn length(&self) -> Result<u64> {
                match self {
                    $(Self::$plain(payload) => payload.length(),)*
                    $(Self::$gated(payload) => payload.length(),)*
                    $(Self::$large(payload) => payload.length(),)*
                    $(Self::$wide(payload) => payload.length(),)*
                    $(Self::$own(payload) => payload.length(),)*
                    Self::Opaque(bytes) => Ok(wide(bytes.len())),
                }
            }
        }

        lay! {
            $(events! { @plain $plain })*
            $(events! { @plain $large })*
            $(events! { @gated $gated })*
            $(events! { @gated $wide })*

            impl Lay for Payload {
                fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
                    match self {
                        $(Self::$plain(payload) => payload.lay(t),)*
                        $(Self::$gated(payload) => payload.lay(t),)*
                        $(Self::$large(payload) => payload.lay(t),)*
                        $(Self::$wide(payload) => payload.lay(t),)*
                        $(Self::$own(payload) => payload.lay(t),)*
                        Self::Opaque(bytes) => t.run("bytes", Run::Opaque, wide(bytes.len()), bytes),
                    }
                }
            }
        }
    };
    (@plain $record:ident) => {
        impl Lay for $record {
            fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
                t.fields(self)
            }
        }
    };
    (@gated $record:ident) => {
        impl Lay for $record {
            fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
                t.fields(self)?;
                t.judge(|t| judge(t, self, self.flags));
                Ok(())
            }
        }
    };
    (@body $record:ident |$it:pat_param, $found:pat_param| $gates:expr) => {
        impl Body for $record {
            fn fits(bytes: &[u8]) -> bool {
                bytes.len() == size_of::<Self>()
            }
            fn length(&self) -> Result<u64> {
                Ok(wide(size_of::<Self>()))
            }
            fn tried(it: &mut Trial<'_>) -> Option<()> {
                let record = it.record::<Self>()?;
                let ($it, $found) = (&*it, record);
                $gates?;
                it.indices(record)
            }
            fn refer(&self, t: &mut Judge<'_>, arrays: Arrays<'_>) {
                refer(t, self, arrays);
            }
        }
    };
    (@of -) => { None };
    (@of $body:ident) => { Some(const { &Known::of::<$body>(|| Payload::$body(<_>::default())) }) };
}

/// A known payload.
#[derive(Debug)]
pub(super) struct Known {
    /// The empty payload.
    pub(super) empty: fn() -> Payload,
    /// Returns `true` if these bytes can be such a payload.
    pub(super) fits: fn(&[u8]) -> bool,
    /// `true` if it can take much more memory than its bytes.
    pub(super) is_large: bool,
    /// Checks the parts of a payload. Returns `None` if one has a deviation.
    pub(super) tried: fn(&mut Trial<'_>) -> Option<()>,
}

impl Known {
    const fn of<B: Body>(empty: fn() -> Payload) -> Self {
        Self { empty, fits: B::fits, is_large: B::IS_LARGE, tried: B::tried }
    }
}

events! {
    plain {
        AnimVerbose, Callback, DetonateWeapon, Effect, FbfxColorFromTo, InvalidateAnimation,
        ListedScript, ObjectActiveState, ObjectChild, ObjectCycleTexture, ObjectOpacityFromTo, ObjectOpacityState,
        ObjectScaleState, ObjectTranslateState, PoolScript, ResetAnimation, SequenceCall, Sound,
        StopAnimation, StopAnimationNewer, StopAnimationUnmeasured, TopMessage,
    }
    gated { CallObjectConnector, CameraState, FogState, ObjectConnector, ObjectRotateState, SoundNode }
    // Boxed, so that large payloads do not increase the size of every event.
    large plain { LightAnimation, SoundAdjust }
    large gated {
        CameraFromTo, FbfxCsinwaveFromTo, LightState112, LightState120, LightState140, ObjectMotion240, ObjectMotion320,
        ObjectMotionFromTo, PufferState580, PufferState584,
    }
    own { CallAnimation, Condition12, Condition16, Empty, InlineScript20, InlineScript24, Loop, ScriptsOfList }
    table {
        // Types that the format specs do not describe are `-`: kept as raw bytes. Source: `zipper-anim-events.md`, section 0.4.
        // type                      Recoil              MechWarrior 3       Pirate's Moon       Crimson Skies
        1  SOUND:                    Sound               Sound               Sound               Sound;
        2  SOUND_NODE:               SoundNode           SoundNode           SoundNode           SoundNode;
        3  EFFECT:                   Effect              Effect              Effect              -;
        4  LIGHT_STATE:              LightState112       LightState120       LightState140       LightState140;
        5  LIGHT_ANIMATION:          LightAnimation      LightAnimation      LightAnimation      LightAnimation;
        6  OBJECT_ACTIVE_STATE:      ObjectActiveState   ObjectActiveState   ObjectActiveState   ObjectActiveState;
        7  OBJECT_TRANSLATE_STATE:   ObjectTranslateState ObjectTranslateState ObjectTranslateState ObjectTranslateState;
        8  OBJECT_SCALE_STATE:       ObjectScaleState    ObjectScaleState    ObjectScaleState    ObjectScaleState;
        9  OBJECT_ROTATE_STATE:      ObjectRotateState   ObjectRotateState   ObjectRotateState   ObjectRotateState;
        10 OBJECT_MOTION:            ObjectMotion240     ObjectMotion320     ObjectMotion320     ObjectMotion320;
        11 OBJECT_MOTION_FROM_TO:    ObjectMotionFromTo  ObjectMotionFromTo  ObjectMotionFromTo  ObjectMotionFromTo;
        12 OBJECT_MOTION_SI_SCRIPT:  InlineScript20      InlineScript24      PoolScript          ListedScript;
        13 OBJECT_OPACITY_STATE:     ObjectOpacityState  ObjectOpacityState  ObjectOpacityState  ObjectOpacityState;
        14 OBJECT_OPACITY_FROM_TO:   ObjectOpacityFromTo ObjectOpacityFromTo ObjectOpacityFromTo ObjectOpacityFromTo;
        15 OBJECT_ADD_CHILD:         ObjectChild         ObjectChild         ObjectChild         ObjectChild;
        16 OBJECT_DELETE_CHILD:      ObjectChild         ObjectChild         ObjectChild         ObjectChild;
        17 OBJECT_CYCLE_TEXTURE:     ObjectCycleTexture  ObjectCycleTexture  ObjectCycleTexture  ObjectCycleTexture;
        18 OBJECT_CONNECTOR:         ObjectConnector     ObjectConnector     ObjectConnector     ObjectConnector;
        19 CALL_OBJECT_CONNECTOR:    CallObjectConnector CallObjectConnector CallObjectConnector CallObjectConnector;
        20 CAMERA_STATE:             CameraState         CameraState         CameraState         CameraState;
        21 CAMERA_FROM_TO:           CameraFromTo        CameraFromTo        CameraFromTo        CameraFromTo;
        22 CALL_SEQUENCE:            SequenceCall        SequenceCall        SequenceCall        SequenceCall;
        23 STOP_SEQUENCE:            SequenceCall        SequenceCall        SequenceCall        SequenceCall;
        24 CALL_ANIMATION:           CallAnimation       CallAnimation       CallAnimation       CallAnimation;
        25 STOP_ANIMATION:           StopAnimation       StopAnimation       StopAnimationNewer  StopAnimationUnmeasured;
        26 RESET_ANIMATION:          ResetAnimation      ResetAnimation      ResetAnimation      ResetAnimation;
        27 INVALIDATE_ANIMATION:     ResetAnimation      ResetAnimation      ResetAnimation      InvalidateAnimation;
        28 FOG_STATE:                FogState            FogState            FogState            FogState;
        30 LOOP:                     Loop                Loop                Loop                Loop;
        31 IF:                       Condition12         Condition12         Condition16         Condition16;
        32 ELSE:                     Empty               Empty               Empty               Empty;
        33 ELSEIF:                   Condition12         Condition12         Condition16         Condition16;
        34 ENDIF:                    Empty               Empty               Empty               Empty;
        35 CALLBACK:                 Callback            Callback            Callback            Callback;
        36 FBFX_COLOR_FROM_TO:       FbfxColorFromTo     FbfxColorFromTo     FbfxColorFromTo     FbfxColorFromTo;
        37 FBFX_CSINWAVE_FROM_TO:    FbfxCsinwaveFromTo  -                   FbfxCsinwaveFromTo  FbfxCsinwaveFromTo;
        38 TOP_MESSAGE:              TopMessage          -                   -                   -;
        39 ANIM_VERBOSE:             AnimVerbose         -                   AnimVerbose         AnimVerbose;
        41 DETONATE_WEAPON:          DetonateWeapon      DetonateWeapon      DetonateWeapon      DetonateWeapon;
        42 PUFFER_STATE:             -                   PufferState580      PufferState584      PufferState584;
        46 SOUND_ADJUST:             -                   -                   -                   SoundAdjust;
        47 OBJECT_MOTION_SI_SCRIPTS: -                   -                   -                   ScriptsOfList;
    }
}

impl Default for Payload {
    fn default() -> Self {
        Self::Opaque(Block::default())
    }
}

/// Returns the rate of change per second. Source: `zipper-anim-events.md`, section 0.3.
///
/// The compiler used unrounded numbers, so the last bit of a stored value occasionally differs.
fn delta(from: F32, to: F32, run_time: F32) -> f32 {
    let (from, to, run_time) = (from.get(), to.get(), run_time.get());
    if to == from || run_time == 0.0 { 0.0 } else { (to - from) / run_time }
}

/// Returns the rate of change per second of a vector.
fn deltas(from: Vec3, to: Vec3, run_time: F32) -> Vec3 {
    let ([x, y, z], [to_x, to_y, to_z]) = (from, to);
    [delta(x, to_x, run_time), delta(y, to_y, run_time), delta(z, to_z, run_time)].map(Into::into)
}
