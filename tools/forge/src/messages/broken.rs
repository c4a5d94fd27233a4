//! Broken files. Source: zipper-messages.md, section 2.

use super::samples::{Shape, ordinary};
use super::{Spec, build};
use crate::random::Random;
use crate::sample::LIES;
use crate::{Broken, Size};

/// Returns files that must be refused.
pub fn broken(seed: u64) -> Vec<Broken> {
    let plain = ordinary(&mut Random::named(seed, "broken Mech3Msg.dll"), Shape::MechWarrior, Size::Small);
    let broken = |name: &str, why: &str, edit: &dyn Fn(&mut Spec)| {
        let mut spec = plain.clone();
        edit(&mut spec);
        Broken::new("messages", name, build(&spec), why)
    };
    let lies = LIES.into_iter().flat_map(|lie| {
        [
            broken(&format!("messages_pointer_{lie:08x}.dll"), "a section outside the file", &|spec| {
                spec.section(b".text").pointer = Some(lie);
            }),
            broken(&format!("messages_raw_size_{lie:08x}.dll"), "a section longer than the file", &|spec| {
                spec.section(b".reloc").raw_size = Some(lie);
            }),
        ]
    });
    let others = [
        broken("messages.dll", "the NT header in the first header", &|spec| spec.e_lfanew = Some(60)),
        broken("Messages.dll", "the NT header outside the file", &|spec| spec.e_lfanew = Some(0x7FFF_FFFF)),
        broken("mECH3MSG.dll", "the NT header before the file", &|spec| spec.e_lfanew = Some(0x8000_0000)),
        broken("strings.dll", "a program for OS/2", &|spec| spec.signature = *b"NE\0\0"),
        broken("Strings.dll", "a program with addresses of 64 bits", &|spec| spec.magic = 0x020B),
        broken("langui.dll", "an optional header without room for its fields", &|spec| spec.optional_size = Some(95)),
        broken("LangUI.dll", "more data directories than the header has room for", &|spec| {
            spec.directory_count = Some(17);
        }),
        broken("language.dll", "more sections than the file has room for", &|spec| spec.section_count = Some(0xFFFF)),
        broken("messages_pointer_in_header.dll", "a section that begins in the header", &|spec| {
            spec.section(b".text").pointer = Some(0x10);
        }),
        broken("messages_raw_size_1.dll", "a section with one byte more than there is", &|spec| {
            spec.section(b".reloc").raw_size = Some(0x201);
        }),
    ];
    let file = build(&plain);
    let headers = 64 + plain.stub.len();
    let cuts = [
        ("MESSAGES.dll", 1, "the file ends in its signature"),
        ("mech3msg.dll", 63, "the file ends in the first header"),
        ("Mech3Msg.dll", headers + 3, "the file ends in the NT signature"),
        ("MECH3MSG.dll", headers + 24 + 95, "the file ends in the optional header"),
        ("STRINGS.dll", headers + 24 + 223, "the file ends in the data directories"),
        ("LANGUI.dll", headers + 24 + 224 + 60, "the file ends in the section table"),
        ("messages_cut.dll", file.len() - 1, "the file ends before its last byte"),
        ("messages_cut_at_last.dll", file.len() - 0x200, "the file ends before the last section"),
    ];
    let cuts = cuts.map(|(name, at, why)| Broken::new("messages", name, file[..at].into(), why));
    lies.chain(others).chain(cuts).collect()
}
