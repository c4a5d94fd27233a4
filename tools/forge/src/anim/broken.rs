//! Files that cannot be laid out. Source: zipper-anim.md, sections 2, 8 and 12.

use super::samples::worked;
use super::traps::door;
use super::{Game, Spec, build};
use crate::Broken;
use crate::sample::{LIES, cuts};

/// Returns files that must be refused; all except for the shortest begin with the signature, and are recognized without a name.
pub fn broken(_: u64) -> Vec<Broken> {
    Game::ALL.into_iter().flat_map(of).collect()
}

fn of(game: Game) -> Vec<Broken> {
    let broken = |name: &str, why: &str, edit: &dyn Fn(&mut Spec)| {
        let mut spec = worked(game, game.newer());
        edit(&mut spec);
        Broken::new("anim", &format!("{}_{name}_anim.zbd", game.code()), build(&spec), why)
    };
    let count = |at: usize| {
        move |spec: &mut Spec| {
            let at = spec.game.counts() + at;
            door(spec).patches.push((at, vec![0xFF]));
        }
    };
    let lies = LIES.into_iter().flat_map(|lie| {
        let sources = broken(&format!("sources_{lie:08x}"), "more sources than the file has room for", &|spec| {
            spec.source_count = Some(lie)
        });
        let size = broken(&format!("size_{lie:08x}"), "a sequence longer than the file", &|spec| {
            door(spec).sequences[0].size = Some(lie)
        });
        let script = game.newer().then(|| {
            [
                broken(&format!("scripts_{lie:08x}"), "more scripts than the file has room for", &|spec| {
                    spec.script_count = Some(lie)
                }),
                broken(&format!("script_{lie:08x}"), "a script longer than the file", &|spec| {
                    spec.scripts[0].data_len = Some(lie)
                }),
                broken(&format!("node_path_{lie:08x}"), "a path longer than the file", &|spec| {
                    door(spec).patches.push((36, lie.to_le_bytes().into()))
                }),
            ]
        });
        let messages = (!game.newer()).then(|| {
            broken(&format!("messages_{lie:08x}"), "more messages than the file has room for", &|spec| {
                spec.msg_count = Some(lie)
            })
        });
        let bases = (game == Game::CrimsonSkies).then(|| {
            broken(&format!("bases_{lie:08x}"), "more bases than the file has room for", &|spec| {
                spec.base_count = Some(lie)
            })
        });
        [sources, size].into_iter().chain(script.into_iter().flatten()).chain(messages).chain(bases).collect::<Vec<_>>()
    });
    let effects = game.newer().then(|| {
        broken("effects", "effects, whose size nobody knows", &|spec| {
            let at = spec.game.counts() + 7;
            door(spec).patches.push((at, vec![1]));
        })
    });
    let others = [
        broken("version", "a version that is none of the four", &|spec| spec.version = Some(40)),
        broken("definitions", "more definitions than the file has room for", &|spec| spec.def_count = Some(0xFFFF)),
        broken("sequences", "more sequences than the file has room for", &count(0)),
        broken("objects", "more objects than the file has room for", &count(1)),
        broken("nodes", "more nodes than the file has room for", &count(2)),
        broken("lights", "more lights than the file has room for", &count(3)),
        broken("prerequisites", "more prerequisites than the file has room for", &count(game.of(7, 8, 8, 8))),
        broken("references", "more references than the file has room for", &count(game.of(9, 10, 10, 10))),
    ];
    let file = build(&worked(game, false));
    let info = game.of(180, 180, 184, 448);
    let record = game.of(612, 628, 560, 828);
    let places = [
        (7, "in the version"),
        (11, "in the counts"),
        (100, "in a source"),
        (info + 9, "in the info"),
        (record - 1, "in the zero record"),
        (record, "before a definition"),
        (record + 200, "in a definition"),
        (file.len() - 60, "in a sequence head"),
        (file.len() - 1, "before its last byte"),
    ];
    let cuts = cuts("anim", "zbd", &file, &places).into_iter();
    let cuts =
        cuts.map(|cut| Broken { name: format!("{}_{}_anim.zbd", game.code(), &cut.name[..cut.name.len() - 4]), ..cut });
    let head = (game == Game::Recoil)
        .then(|| Broken::new("anim", "anim.zbd", file[..3].into(), "the file ends in the signature"));
    lies.chain(effects).chain(others).chain(cuts).chain(head).collect()
}
