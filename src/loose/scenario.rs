//! Scenarios as folders: a folder for each level, with its map, its physics model and its patches of shapes and sounds as files of their
//! own, as the games' editors and other tools take them; and back, to the same bytes.
//!
//! ```text
//! scenario.json
//! 00 Arrival/00 Arrival.sceA
//! 00 Arrival/00 Arrival.phyA
//! 00 Arrival/00 Arrival.ShPa
//! 00 Arrival/00 Arrival.SnPa
//! ```
//!
//! `scenario.json` lists the folders in the order of the levels, and the chunks of each. Without it, folders are levels in the order of
//! their names, and are numbered anew.
//!
//! Source: [`marathon-wad.md`](crate::guide::formats::marathon_wad), sections 2 and 3; `marathon-sounds-patch.md`, section 3.

use std::collections::{BTreeMap, HashMap, HashSet};

use bytes::Bytes;

use crate::edit::changes_between;
use crate::marathon::chunk::Content;
use crate::marathon::names::DataVersion;
use crate::marathon::wad::{Chunk, ChunkHeader, ChunkPatch, Entry, Header, LEVEL_DATA, Slot, SlotHeader, Wad};
use crate::registry::KINDS;
use exchange::parse;
use field::{Block, FourCc, Mac, Style as _, Value, decode, decode_text, encode, memory, wide};
use json::recompute::encode_edited;
use kind::{Format as _, named};
use output::plain_name;
use output::printable::counted;

/// The file that lists the folders.
pub const LIST: &str = "scenario.json";
/// What `LIST` says it is.
const WORD: &str = "scenario";

/// The chunks that are files of their own, with their extensions.
const PATCHES: [([u8; 4], &str); 2] = [(*b"ShPa", "ShPa"), (*b"SnPa", "SnPa")];
/// The chunks of a physics model.
const PHYSICS: [[u8; 4]; 5] = [*b"MNpx", *b"FXpx", *b"PRpx", *b"PXpx", *b"WPpx"];
/// The extension of a map, in lower case.
const MAP: &str = "scea";
/// The extension of a physics model.
const MODEL: &str = "phya";

/// The reasons why a scenario cannot be split, or merged.
type Errors = Vec<String>;

/// Returns the files of a scenario, by their paths below its folder, after it has been merged from them again.
///
/// # Errors
/// Returns the reasons if the file is no wad, or would not be merged to the same bytes: it has bytes that no level holds.
pub fn split(file: &Bytes) -> Result<BTreeMap<String, Bytes>, Vec<String>> {
    let wad = decode::<Wad>(file.clone()).map_err(one)?.model;
    let (mut files, mut levels) = (BTreeMap::new(), Vec::new());
    for (index, (entry, slot)) in wad.entries.iter().zip(&wad.directory).enumerate() {
        let folder = folder(index, entry);
        let path = |end: &str| format!("{folder}/{folder}.{end}");
        let tags: Vec<Value> = entry.chunks.iter().map(|chunk| chunk.head.tag.text().into()).collect();
        levels.push(Value::from([("folder", folder.as_str().into()), ("chunks", Value::List(tags))]));
        let mut own = entry.clone();
        for (tag, end) in PATCHES {
            if let Some(patch) = take_only(&mut own, tag) {
                files.insert(path(end), encode(&patch.payload).map_err(one)?.into());
            }
        }
        let models: Vec<Chunk> = PHYSICS.into_iter().filter_map(|tag| take_only(&mut own, tag)).collect();
        if !models.is_empty() {
            let head =
                Header { data_version: DataVersion::MARATHON_OR_PHYSICS, application_data_size: 0.into(), ..wad.head };
            let index = Slot { index: 0.into(), ..Slot::default() };
            files.insert(path("phyA"), of_levels(head, vec![(Entry { chunks: models }, index)]).map_err(one)?);
        }
        if own.chunks.is_empty() {
            return Err(vec![format!(
                "entry {index}: is no level, but patches or physics only; `unpack` without --loose takes it"
            )]);
        }
        files.insert(path("sceA"), of_levels(wad.head, vec![(own, slot.clone())]).map_err(one)?);
    }
    let list = Value::from([("bitexact", WORD.into()), ("levels", Value::List(levels))]);
    files.insert(LIST.to_owned(), exchange::print(&list).into());
    let again = merge(&files)?;
    match again == *file {
        true => Ok(files),
        false => Err(vec![differs(file, &again)]),
    }
}

/// Returns why a scenario would not be merged to the same bytes.
fn differs(file: &Bytes, again: &Bytes) -> String {
    let kind = named(KINDS, Wad::NAME);
    let changes = kind.and_then(|kind| changes_between(kind, again.clone(), file.clone()).ok()).unwrap_or_default();
    let found = changes.first().map_or_else(|| "the file is laid out in another way".to_owned(), ToString::to_string);
    format!(
        "would not be merged to the same bytes, because no level holds this: {found}; `unpack` without --loose keeps everything"
    )
}

/// Returns the scenario of the files in a folder, by their paths.
///
/// # Errors
/// Returns the reasons if a file is not what its name says, or if the scenario would be too large.
pub fn merge(files: &BTreeMap<String, Bytes>) -> Result<Bytes, Vec<String>> {
    memory::fits(files.values().map(|file| wide(file.len())).sum()).map_err(one)?;
    let mut folders: BTreeMap<&str, Vec<(&str, &Bytes)>> = BTreeMap::new();
    let mut errors = Errors::new();
    for (path, file) in files {
        match path.split_once('/') {
            Some((folder, name)) => folders.entry(folder).or_default().push((name, file)),
            None if path == LIST => {}
            None => errors.push(format!("{path}: is in the folder of no level; move it there, or away")),
        }
    }
    let listed = files.get(LIST).map(|list| listed(list)).transpose()?;
    let order: Vec<(&str, Vec<FourCc>)> = match &listed {
        Some(listed) => listed.iter().map(|(folder, tags)| (folder.as_str(), tags.clone())).collect(),
        None => folders.keys().map(|folder| (*folder, Vec::new())).collect(),
    };
    let mut named = HashSet::new();
    for (folder, _) in &order {
        match (folders.contains_key(folder), named.insert(*folder)) {
            (false, _) => errors.push(format!("{LIST}: names the folder {folder:?}, which is not there")),
            (true, false) => errors.push(format!("{LIST}: names the folder {folder:?} twice")),
            (true, true) => {}
        }
    }
    let unlisted = folders.keys().filter(|folder| !order.iter().any(|(listed, _)| listed == *folder));
    errors.extend(unlisted.map(|folder| format!("{folder}: is not in {LIST}; add it there, or delete that file")));
    let mut read = Vec::new();
    for (folder, tags) in &order {
        match level(folder, folders.get(folder).map(Vec::as_slice).unwrap_or_default(), tags) {
            Ok(level) => read.push((*folder, level)),
            Err(why) => errors.push(why),
        }
    }
    let is_new = listed.is_none();
    let head = read.first().map(|(_, (head, ..))| *head).map(|head| if is_new { with_levels(head) } else { head });
    // The map of an editor can lack the data of its level in the row, which the others have.
    let rows = read.iter().map(|(_, (head, ..))| head.application_data_size).find(|size| size.get() != 0);
    let head = head.map(|head| match (head.application_data_size.get(), rows) {
        (0, Some(application_data_size)) => Header { application_data_size, ..head },
        _ => head,
    });
    let mut levels = Vec::new();
    for (nth, (folder, (of, entry, slot))) in read.into_iter().enumerate() {
        let Some(head) = &head else { break };
        let versions = |of: &Header| (of.version.get(), of.data_version.get());
        if versions(&of) != versions(head) {
            let (found, expected) = (versions(&of), versions(head));
            errors.push(format!(
                "{folder}: expected a map of version {} with data of version {}, as the first has, found {} with {}",
                expected.0, expected.1, found.0, found.1
            ));
        }
        match slot_for(head, &entry, slot, is_new.then_some(nth)) {
            Ok(slot) => levels.push((entry, slot)),
            Err(why) => errors.push(format!("{folder}: {why}")),
        }
    }
    let mut numbers = HashMap::new();
    for ((folder, _), (_, slot)) in order.iter().zip(&levels) {
        let number = slot.index.get();
        if let Some(other) =
            numbers.insert(number, *folder).filter(|_| head.is_some_and(|head| head.version.get() >= 2))
        {
            errors.push(format!(
                "{folder}: expected another number than {number}, which {other} has; delete {LIST} to number all levels again, or give its \
                 map another one (`bitexact patch MAP --set /directory/0/index=N`)"
            ));
        }
    }
    match (head, errors.is_empty()) {
        (_, false) => Err(errors),
        (None, true) => Err(vec!["expected folders of levels, each with a .sceA, found none".to_owned()]),
        (Some(head), true) => of_levels(head, levels).map_err(one),
    }
}

fn one(why: impl core::fmt::Display) -> Errors {
    vec![why.to_string()]
}

/// Returns the folders and chunks that the list names.
fn listed(list: &[u8]) -> Result<Vec<(String, Vec<FourCc>)>, Errors> {
    let wrong = |why: &str| vec![format!("{LIST}: {why}")];
    let json = parse(list).map_err(|error| wrong(&error.to_string()))?;
    if json.get("bitexact").and_then(Value::text) != Some(WORD) {
        return Err(wrong("expected a list that `bitexact unpack --loose` has written"));
    }
    let level = |level: &Value| {
        let tag = |tag: &Value| {
            let bytes = field::encode_text(Mac::PAGE, tag.text()?)?;
            Some(FourCc(bytes.try_into().ok()?))
        };
        let tags: Option<Vec<FourCc>> = level.list("chunks").iter().map(tag).collect();
        Some((level.get("folder")?.text()?.to_owned(), tags?))
    };
    let levels: Option<Vec<_>> = json.list("levels").iter().map(level).collect();
    levels.ok_or_else(|| wrong("expected a folder and tags of four letters for each level"))
}

/// Reads the files of a level: the header of its map, its chunks in the order of `tags`, and its row.
fn level(folder: &str, files: &[(&str, &Bytes)], tags: &[FourCc]) -> Result<(Header, Entry, Slot), String> {
    let (mut map, mut more) = (None, Vec::new());
    for (name, file) in files {
        let shown = format!("{folder}/{name}");
        let end = name.rsplit_once('.').map_or("", |(_, end)| end).to_lowercase();
        let patch = PATCHES.iter().find(|(_, extension)| extension.to_lowercase() == end);
        match (&*end, patch) {
            (MAP, _) => {
                let wad = single(&shown, file)?;
                if map.replace(wad).is_some() {
                    return Err(format!("{shown}: is a second map of this level"));
                }
            }
            (MODEL, _) => more.extend(single(&shown, file)?.1.chunks),
            (_, Some((tag, _))) => more.push(Chunk {
                head: ChunkHeader { tag: FourCc(*tag), ..ChunkHeader::default() },
                payload: Content::Opaque(Block::from(file.to_vec())),
                ..Chunk::default()
            }),
            _ => return Err(format!("{shown}: expected a .sceA, .phyA, .ShPa or .SnPa")),
        }
    }
    let (head, mut entry, slot) =
        map.ok_or_else(|| format!("{folder}: expected a map, a file NAME.sceA, found none"))?;
    let mut tags_beside = HashSet::new();
    if let Some(twice) = more
        .iter()
        .find(|it| entry.chunks.iter().any(|own| own.head.tag == it.head.tag) || !tags_beside.insert(it.head.tag.0))
    {
        return Err(format!("{folder}: two files have a chunk {}; move one of them away", twice.head.tag.text()));
    }
    entry.chunks.extend(more);
    let mut order: Vec<FourCc> = tags.to_vec();
    let mut ranked: Vec<(usize, Chunk)> = Vec::new();
    for chunk in entry.chunks {
        // Each tag of the list is that of one chunk.
        let rank = order.iter().position(|tag| *tag == chunk.head.tag);
        if let Some(tag) = rank.and_then(|rank| order.get_mut(rank)) {
            *tag = FourCc::default();
        }
        ranked.push((rank.unwrap_or(usize::MAX), chunk));
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    Ok((head, Entry { chunks: ranked.into_iter().map(|(_, chunk)| chunk).collect() }, slot))
}

/// Reads a wad of one entry.
fn single(shown: &str, file: &Bytes) -> Result<(Header, Entry, Slot), String> {
    let wad = decode::<Wad>(file.clone()).map_err(|error| format!("{shown}: {error}"))?.model;
    if !wad.trailing.is_empty() {
        return Err(format!(
            "{shown}: has {} after its end, which no scenario can hold; `unpack` and `pack` without them",
            counted(wide(wad.trailing.len()), "byte")
        ));
    }
    match (<[Entry; 1]>::try_from(wad.entries), <[Slot; 1]>::try_from(wad.directory)) {
        (Ok([entry]), Ok([slot])) => Ok((wad.head, entry, slot)),
        (Err(entries), _) => Err(format!("{shown}: expected one level, found {}", entries.len())),
        (_, Err(rows)) => Err(format!("{shown}: expected one row, found {}", rows.len())),
    }
}

/// Returns the header of a scenario whose rows repeat the data of the levels, as the games list them.
fn with_levels(head: Header) -> Header {
    match head.known_sizes() {
        Ok(sizes) if sizes.slot > 8 => Header { application_data_size: 74.into(), ..head },
        _ => head,
    }
}

/// Returns the row of a level in a directory with this header. `number` numbers it anew.
fn slot_for(head: &Header, entry: &Entry, slot: Slot, number: Option<usize>) -> Result<Slot, String> {
    let sizes = head
        .known_sizes()
        .map_err(|(field, found, expected)| format!("{field}: expected {expected}, found {found}"))?;
    let mut slot = Slot { head: SlotHeader::default(), ..slot };
    if let Some(number) = number {
        slot.index = i16::try_from(number).map_err(|_| "too many levels".to_owned())?.into();
    }
    match sizes.application_data {
        0 => (slot.level, slot.application_data) = (None, Block::default()),
        LEVEL_DATA if slot.level.is_none() => slot.level = Some(entry.repeated()),
        LEVEL_DATA => {}
        size if wide(slot.application_data.len()) == size => {}
        size => {
            return Err(format!("expected {size} bytes of application data, found {}", slot.application_data.len()));
        }
    }
    Ok(slot)
}

/// Returns a wad of some levels, with a checksum by its rule.
fn of_levels(head: Header, levels: Vec<(Entry, Slot)>) -> field::Result<Bytes> {
    let (entries, directory) = levels.into_iter().unzip();
    let mut wad = Wad { head, entries, directory, ..Wad::default() };
    encode_edited(&mut wad)?;
    wad.head.checksum = wad.rules(None, &wad.places()?)?.checksum;
    Ok(encode(&wad)?.into())
}

/// Returns the name of the folder of a level: its index, and its name.
fn folder(index: usize, entry: &Entry) -> String {
    let name = entry.level().map(|level| decode_text(Mac::PAGE, level.level_name.bytes())).unwrap_or_default();
    format!("{index:02} {}", plain_name(&name)).trim_end().to_owned()
}

/// Takes the only chunk with a tag out. `None` if there is none, or if several have it, or bytes follow it that no file would hold.
fn take_only(entry: &mut Entry, tag: [u8; 4]) -> Option<Chunk> {
    let mut found = entry.chunks.iter().enumerate().filter(|(_, chunk)| chunk.head.tag.0 == tag);
    let (nth, chunk) = found.next()?;
    let is_plain = chunk.gap.is_empty() && chunk.patch == ChunkPatch::default();
    (found.next().is_none() && is_plain).then_some(())?;
    Some(entry.chunks.remove(nth))
}
