//! Whether the exchange form that is printed straight from the bytes of a model is that of its tree of values.

use std::collections::BTreeMap;

use bitexact::exchange::{About, Contents, Exchange, contents, pack, unpack};
use bitexact::field::{Document, encode};
use bitexact::proof::Sha;
use bitexact::registry::KINDS;
use bytes::Bytes;

use crate::harness::Case;

/// Compares the documents of both forms, their texts, the files of their entries, and what they pack to.
pub(crate) fn printed(case: &Case) -> Result<(), String> {
    let decoded = || (case.kind.decode)(case.bytes.clone().into()).map_err(|error| error.to_string());
    let report = bitexact::verify::verify(KINDS, case.name.rsplit('/').next().unwrap_or_default(), case.bytes.clone());
    let sha256 = Sha::of(&case.bytes);
    let about = About { kind: case.kind, games: &report.games, sha256, deviations: &report.deviations };
    let tree = unpack(&decoded()?.model, about).map_err(|error| error.to_string())?;
    let Contents { files, entries } = contents(&decoded()?.model, about).map_err(|error| error.to_string())?;
    if entries != tree.files {
        return Err("the entries have other files".to_owned());
    }
    let expected = tree.exchange.contents();
    let (ours, theirs) = (Exchange::parse(files.clone())?, Exchange::parse(expected.clone())?);
    same_documents(&ours.files, &theirs.files)?;
    same_texts(&files, &expected)?;
    let packed = pack(KINDS, ours).map_err(|error| error.to_string())?;
    let bytes = encode(&packed.model).map_err(|error| error.to_string())?;
    if bytes == case.bytes { Ok(()) } else { Err("it packs to other bytes".to_owned()) }
}

fn same_documents(ours: &BTreeMap<String, Document>, theirs: &BTreeMap<String, Document>) -> Result<(), String> {
    if !ours.keys().eq(theirs.keys()) {
        return Err(format!("the documents are {:?}, expected {:?}", ours.keys(), theirs.keys()));
    }
    for (file, document) in ours {
        let same = match (document, &theirs[file]) {
            (Document::Json(ours), Document::Json(theirs)) => ours == theirs,
            (Document::Raw(ours), Document::Raw(theirs)) => ours == theirs,
            _ => false,
        };
        if !same {
            return Err(format!("{file}: another document"));
        }
    }
    Ok(())
}

fn same_texts(ours: &BTreeMap<String, Bytes>, theirs: &BTreeMap<String, Bytes>) -> Result<(), String> {
    if !ours.keys().eq(theirs.keys()) {
        return Err(format!("the files are {:?}, expected {:?}", ours.keys(), theirs.keys()));
    }
    let Some((file, text)) = ours.iter().find(|(file, text)| theirs[*file] != **text) else { return Ok(()) };
    let (ours, theirs) = (String::from_utf8_lossy(text), String::from_utf8_lossy(&theirs[file]));
    let line = ours.lines().zip(theirs.lines()).enumerate().find(|(_, (ours, theirs))| ours != theirs);
    Err(match line {
        Some((nth, (ours, theirs))) => format!("{file}:{}: expected {theirs:?}, found {ours:?}", nth + 1),
        None => format!("{file}: expected {} bytes, found {}", theirs.len(), ours.len()),
    })
}
