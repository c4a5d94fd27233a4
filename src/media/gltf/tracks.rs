//! The differences of animations.

use std::collections::HashMap;

use super::alike::is_same_name;
use super::edits::{Edits, NodeEdit, Pairs, TrackEdit};
use super::read::{Given, Track};
use super::{Animation, Channel, Node, Scene, Values};

/// Tolerances: of times in seconds, of values, and of values that lie between keys.
const NEAR_TIME: f32 = 1e-3;
const NEAR: f32 = 1e-4;
const NEAR_BETWEEN: f32 = 5e-3;
/// The longest distance of keys that a program has sampled, in seconds: programs sample 24 times per second or more often.
const LONGEST_STEP: f32 = 0.05;

impl Values {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Translation(values) | Self::Scale(values) => values.len(),
            Self::Rotation(values) => values.len(),
        }
    }

    pub(super) fn path(&self) -> &'static str {
        match self {
            Self::Translation(_) => "translation",
            Self::Rotation(_) => "rotation",
            Self::Scale(_) => "scale",
        }
    }

    fn at(&self, nth: usize) -> Option<[f32; 4]> {
        match self {
            Self::Translation(values) | Self::Scale(values) => values.get(nth).map(|&[x, y, z]| [x, y, z, 0.0]),
            Self::Rotation(values) => values.get(nth).copied(),
        }
    }
}

impl Channel {
    /// Returns the value at a time.
    fn between(&self, time: f32) -> Option<[f32; 4]> {
        let next = self.times.partition_point(|&it| it < time);
        let Some(before) = next.checked_sub(1) else { return self.values.at(0) };
        let (Some(from), Some(to)) = (self.values.at(before), self.values.at(next)) else {
            return self.values.at(before);
        };
        let (start, end) = (self.times.get(before)?, self.times.get(next)?);
        let part = ((time - start) / (end - start)).clamp(0.0, 1.0);
        let sign = if self.is_rotation() && inner(from, to) < 0.0 { -1.0 } else { 1.0 };
        let mut value = from;
        value.iter_mut().zip(to).for_each(|(from, to)| *from += (to * sign - *from) * part);
        let size = if self.is_rotation() { inner(value, value).sqrt() } else { 1.0 };
        Some(value.map(|it| it / size))
    }

    fn is_rotation(&self) -> bool {
        matches!(self.values, Values::Rotation(_))
    }

    fn is_near(&self, one: [f32; 4], other: [f32; 4], near: f32) -> bool {
        let sign = if self.is_rotation() && inner(one, other) < 0.0 { -1.0 } else { 1.0 };
        let size = one.iter().fold(1.0_f32, |size, value| size.max(value.abs()));
        one.iter().zip(other).all(|(one, other)| (one - other * sign).abs() <= near * size)
    }

    /// Returns `true` if a value lies on the curve, at whatever time.
    fn passes(&self, value: [f32; 4]) -> bool {
        let all = || (0..self.values.len()).filter_map(|nth| self.values.at(nth));
        let ends = all().any(|end| self.is_near(end, value, NEAR_BETWEEN));
        ends || all().zip(all().skip(1)).any(|(from, to)| {
            let sign = if self.is_rotation() && inner(from, to) < 0.0 { -1.0 } else { 1.0 };
            let turn = if self.is_rotation() && inner(from, value) < 0.0 { -1.0 } else { 1.0 };
            let (mut way, mut rest) = (to.map(|it| it * sign), value.map(|it| it * turn));
            way.iter_mut().zip(from).for_each(|(way, from)| *way -= from);
            rest.iter_mut().zip(from).for_each(|(rest, from)| *rest -= from);
            let square = inner(way, way);
            let part = if square > 0.0 { (inner(way, rest) / square).clamp(0.0, 1.0) } else { 0.0 };
            let mut on = from;
            on.iter_mut().zip(way).for_each(|(on, way)| *on += way * part);
            let size = if self.is_rotation() { inner(on, on).sqrt() } else { 1.0 };
            self.is_near(on.map(|it| it / size), value, NEAR_BETWEEN)
        })
    }

    /// Returns `true` if another channel has the same keys.
    fn has_keys_of(&self, other: &Self) -> bool {
        let near = |(one, other): (&f32, &f32)| (one - other).abs() <= NEAR_TIME;
        let values = || (0..self.times.len()).filter_map(|nth| Some((self.values.at(nth)?, other.values.at(nth)?)));
        self.times.len() == other.times.len()
            && self.times.iter().zip(&other.times).all(near)
            && values().all(|(one, other)| self.is_near(one, other, NEAR))
    }

    /// Returns `true` if another channel is the same curve: with more keys, or with keys at even distances.
    fn is_sampled_by(&self, other: &Self) -> bool {
        let (was, now) = (&self.times, &other.times);
        let ends = |times: &[f32]| times.first().copied().zip(times.last().copied());
        let has_ends = ends(was).zip(ends(now)).is_some_and(|((from, to), (first, last))| {
            (from - first).abs() <= NEAR_TIME && (to - last).abs() <= NEAR_TIME
        });
        let is_denser = now.len() > was.len() && other.holds(self);
        now.len() != was.len() && self.holds(other) && (is_denser || has_ends && other.is_even())
    }

    /// Returns `true` if the keys are those of a program that samples: at even, short distances, but for the first and the last.
    fn is_even(&self) -> bool {
        let mut steps: Vec<f32> =
            self.times.iter().zip(self.times.iter().skip(1)).map(|(one, next)| next - one).collect();
        steps.sort_by(f32::total_cmp);
        let most = steps.last().copied().unwrap_or_default();
        let uneven = steps.iter().filter(|step| (most - **step).abs() > NEAR_TIME).count();
        most <= LONGEST_STEP && uneven <= 2 && uneven * 2 < steps.len()
    }

    /// Returns `true` if all values are the same.
    fn is_still(&self) -> bool {
        let first = self.values.at(0);
        (0..self.values.len()).all(|nth| first.zip(self.values.at(nth)).is_some_and(|(a, b)| self.is_near(a, b, NEAR)))
    }

    /// Returns `true` if all keys of another channel lie on this one.
    fn holds(&self, other: &Self) -> bool {
        other.times.iter().enumerate().all(|(nth, &time)| match (self.between(time), other.values.at(nth)) {
            (Some(one), Some(other)) => self.is_near(one, other, NEAR_BETWEEN),
            _ => false,
        })
    }
}

/// Returns `true` if two quaternions are the same rotation but for the last digits.
pub fn is_same_turn(one: [f32; 4], other: [f32; 4]) -> bool {
    let sign = if inner(one, other) < 0.0 { -1.0 } else { 1.0 };
    one.iter().zip(other).all(|(one, other)| (one - other * sign).abs() <= 1e-5)
}

fn inner(one: [f32; 4], other: [f32; 4]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// The channels of both scenes, by their nodes.
pub(super) struct Poses<'s> {
    file: &'s Given,
    fresh: HashMap<usize, Vec<&'s Channel>>,
    given: HashMap<usize, Vec<&'s Track>>,
}

impl<'s> Poses<'s> {
    pub(super) fn of(scene: &'s Scene, file: &'s Given) -> Self {
        let (mut fresh, mut given): (HashMap<_, Vec<_>>, HashMap<_, Vec<_>>) = (HashMap::new(), HashMap::new());
        for channel in scene.animations.iter().flat_map(|animation| &animation.channels) {
            fresh.entry(channel.node).or_default().push(channel);
        }
        for track in file.tracks.iter().flatten() {
            given.entry(track.node).or_default().push(track);
        }
        Self { file, fresh, given }
    }

    /// Returns `true` if a value of a node lies on one of its curves.
    fn is_pose(&self, [made, given]: [usize; 2], path: &str, value: [f32; 4]) -> Result<bool, String> {
        let is_of = |channel: &Channel| channel.values.path() == path && channel.passes(value);
        if self.fresh.get(&made).into_iter().flatten().any(|channel| is_of(channel)) {
            return Ok(true);
        }
        for track in self.given.get(&given).into_iter().flatten().filter(|track| track.path == path) {
            if self.file.with_channel(track, |channel| Ok((is_of(&channel), false)))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Forgets the parts of a changed transform that are a pose of an animation, and returns 1 if there are any.
    pub(super) fn forget(&self, edit: &mut NodeEdit, node: &Node, other: usize) -> Result<usize, String> {
        let was = (edit.translation.is_some(), edit.turned.is_some());
        let nodes = [edit.node, other];
        if !self.fresh.contains_key(&edit.node) && !self.given.contains_key(&other) {
            return Ok(0);
        }
        if let Some([x, y, z]) = edit.translation
            && self.is_pose(nodes, "translation", [x, y, z, 0.0])?
        {
            edit.translation = None;
        }
        if let Some(turned) = &mut edit.turned {
            let [wide, high, deep] = turned.scale;
            if self.is_pose(nodes, "rotation", turned.rotation)? {
                turned.rotation = node.transform.rotation;
            }
            if self.is_pose(nodes, "scale", [wide, high, deep, 0.0])? {
                turned.scale = node.transform.scale;
            }
        }
        let usual = |turned: &super::Transform| {
            let same =
                turned.scale.iter().zip(node.transform.scale).all(|(a, b)| (a - b).abs() <= NEAR * b.abs().max(1.0));
            is_same_turn(turned.rotation, node.transform.rotation) && same
        };
        if edit.turned.as_ref().is_some_and(usual) {
            edit.turned = None;
        }
        Ok(usize::from(was != (edit.translation.is_some(), edit.turned.is_some())))
    }
}

/// Finds the channels whose keys have changed.
pub(super) fn compare(fresh: &Scene, file: &Given, pairs: &Pairs, edits: &mut Edits) -> Result<(), String> {
    let owners: HashMap<usize, usize> =
        pairs.iter().enumerate().filter_map(|(index, pair)| Some(((*pair)?, index))).collect();
    let given = &file.scene;
    let mut taken = vec![false; given.animations.len()];
    for (index, animation) in fresh.animations.iter().enumerate() {
        let found = find(animation, given, &taken).and_then(|(nth, now)| Some((nth, now, file.tracks.get(nth)?)));
        let Some((nth, now, tracks)) = found else {
            edits.ignore("animations that the glTF file does not have, which stay unchanged", 1);
            continue;
        };
        if let Some(taken) = taken.get_mut(nth) {
            *taken = true;
        }
        if !is_same_name(&now.name, &animation.name) {
            edits.names.push((index, now.name.clone()));
        }
        compare_one((index, animation), (file, tracks), &owners, fresh, edits)?;
    }
    let new = given.animations.iter().zip(&file.tracks).zip(&taken);
    match new.into_iter().find(|((_, tracks), taken)| !**taken && !tracks.is_empty()) {
        Some(((it, _), _)) => Err(format!("animation {:?} is new; new animations cannot be imported", it.name)),
        None => Ok(()),
    }
}

fn find<'g>(animation: &Animation, given: &'g Scene, taken: &[bool]) -> Option<(usize, &'g Animation)> {
    let free = || given.animations.iter().enumerate().filter(|(nth, _)| taken.get(*nth) == Some(&false));
    free()
        .find(|(_, it)| it.place.is_some() && it.place == animation.place)
        .or_else(|| free().find(|(_, it)| it.name == animation.name))
        .or_else(|| free().find(|(_, it)| is_same_name(&it.name, &animation.name)))
}

fn compare_one(
    (index, animation): (usize, &Animation),
    (file, tracks): (&Given, &[Track]),
    owners: &HashMap<usize, usize>,
    fresh: &Scene,
    edits: &mut Edits,
) -> Result<(), String> {
    let mut known: HashMap<(usize, &str), &Track> = HashMap::new();
    for track in tracks {
        match owners.get(&track.node) {
            Some(node) => {
                known.insert((*node, track.path), track);
            }
            None => edits.ignore("channels of animations for nodes that the file does not have", 1),
        }
    }
    for (nth, channel) in animation.channels.iter().enumerate() {
        let Some(other) = known.remove(&(channel.node, channel.values.path())) else {
            if edits.deleted.contains(&channel.node) {
                continue;
            }
            edits.ignore("channels of animations that the glTF file does not have, which stay unchanged", 1);
            continue;
        };
        let edit = file.with_channel(other, |other| {
            let edit = compare_keys((animation, channel), other, fresh, edits)?;
            let is_kept = edit.is_some();
            Ok((edit, is_kept))
        })?;
        if let Some((times, values)) = edit {
            edits.tracks.push(TrackEdit { animation: index, channel: nth, times, values });
        }
    }
    // Programs that sample add channels for what does not move.
    let rest = |node: usize, path: &str| {
        let transform = fresh.nodes.get(node)?.transform;
        let ([x, y, z], [u, v, w]) = (transform.translation, transform.scale);
        Some(match path {
            "translation" => [x, y, z, 0.0],
            "scale" => [u, v, w, 0.0],
            _ => transform.rotation,
        })
    };
    for ((node, path), track) in known {
        let rest = rest(node, path);
        let moves = file.with_channel(track, |channel| {
            let mut values = (0..channel.values.len()).filter_map(|nth| channel.values.at(nth));
            let is_near = |value| rest.is_some_and(|rest| channel.is_near(rest, value, NEAR_BETWEEN));
            Ok((!values.all(is_near), false))
        })?;
        if moves {
            let node = fresh.nodes.get(node).map(|node| node.name.as_str()).unwrap_or_default();
            return Err(format!(
                "animation {:?}: the {path} of node {node:?} moves now; new channels cannot be imported",
                animation.name
            ));
        }
    }
    Ok(())
}

/// Returns the new keys of a channel that has just been made, if those given for it are others.
fn compare_keys(
    (animation, channel): (&Animation, &Channel),
    other: Channel,
    fresh: &Scene,
    edits: &mut Edits,
) -> Result<Option<(Vec<f32>, Values)>, String> {
    if channel.has_keys_of(&other) || channel.is_sampled_by(&other) {
        return Ok(None);
    }
    // Programs leave out keys that repeat a value.
    if other.times.len() < channel.times.len() && channel.is_still() && channel.holds(&other) {
        let count = channel.times.len() - other.times.len();
        edits.ignore("keys that repeat the value before them, which stay unchanged", count);
        return Ok(None);
    }
    let node = fresh.nodes.get(channel.node).map(|node| node.name.as_str()).unwrap_or_default();
    if other.times.len() > channel.times.len() * 2 + 2 {
        return Err(format!(
            "animation {:?}: the {} of node {node:?} has {} keys instead of {}; export without sampling animations \
             (in Blender: Animation > Always Sample Animations)",
            animation.name,
            channel.values.path(),
            other.times.len(),
            channel.times.len()
        ));
    }
    let is_sound = other.times.iter().all(|time| time.is_finite() && *time >= 0.0)
        && other.times.is_sorted_by(|one, next| one < next);
    if !is_sound {
        return Err(format!("animation {:?}: the times of node {node:?} are not in order", animation.name));
    }
    Ok(Some((other.times, other.values)))
}
