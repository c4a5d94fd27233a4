//! Lights and liquids. Source: `marathon-lint.md`, sections 1 and 2.

use bitflags::Flags as _;

use field::Step;
use lint::{Warnings, traps};

use super::super::super::names::LightFlags;
use super::super::{Light, Liquid, Pulse};
use super::survey::record;

traps! { TRAPS:
    ENDLESS = "light-endless" in Addition:
        "the periods of a light add up to nothing in one of its states" => "the game freezes when the light changes to this state",
        "marathon-lint.md, section 2 (engine)";
    PERIOD = "light-period" in File:
        "a period of a light is negative" => "the game freezes, or the light changes at wrong times",
        "marathon-lint.md, section 2 (engine)";
    DELTA = "light-delta" in File:
        "a random part of a light is -1" => "the engine divides by zero", "marathon-lint.md, section 1 (engine)";
    UPSIDE_DOWN = "liquid-upside-down" in Addition:
        "the low level of a liquid is above its high one" => "it falls when its light gets brighter",
        "marathon-lint.md, section 2 (engine)";
}

/// Returns the six states of a light, with their names.
pub(super) fn pulses(light: &Light) -> [(&'static str, &Pulse); 6] {
    [
        ("primary_active", &light.primary_active),
        ("secondary_active", &light.secondary_active),
        ("becoming_active", &light.becoming_active),
        ("primary_inactive", &light.primary_inactive),
        ("secondary_inactive", &light.secondary_inactive),
        ("becoming_inactive", &light.becoming_inactive),
    ]
}

pub(super) fn lint(out: &mut Warnings<'_>, lights: &[Light]) {
    for (index, light) in lights.iter().enumerate() {
        let place = record("lights", index);
        for (name, pulse) in pulses(light) {
            let field = |field| [&place[..], &[Step::Name(name), Step::Name(field)]].concat();
            if pulse.period.get() < 0 {
                out.warn(&PERIOD, &field("period"), pulse.period.get().to_string());
            }
            if pulse.delta_period.get() == -1 {
                out.warn(&DELTA, &field("delta_period"), "");
            }
            if pulse.delta_intensity.get() == -1 {
                out.warn(&DELTA, &field("delta_intensity"), "");
            }
        }
        let length = |pulse: &Pulse| i32::from(pulse.period.get()) + i32::from(pulse.delta_period.get());
        // A light without states goes through all of them.
        let rounds: &[&[&Pulse]] = match light.flags.contains(LightFlags::STATELESS) {
            true => &[&pulses(light).map(|(_, pulse)| pulse)],
            false => &[
                &[&light.primary_active, &light.secondary_active],
                &[&light.primary_inactive, &light.secondary_inactive],
            ],
        };
        if rounds.iter().any(|round| round.iter().map(|pulse| length(pulse)).sum::<i32>() <= 0) {
            out.warn(&ENDLESS, &place, "");
        }
    }
}

pub(super) fn liquids(out: &mut Warnings<'_>, liquids: &[Liquid]) {
    for (index, liquid) in liquids.iter().enumerate() {
        let [low, high] = [liquid.low, liquid.high].map(|it| it.get());
        if low > high {
            out.warn(
                &UPSIDE_DOWN,
                &[&record("liquids", index)[..], &[Step::Name("low")]].concat(),
                format!("{low}, high {high}"),
            );
        }
    }
}
