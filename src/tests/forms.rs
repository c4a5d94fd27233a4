//! The exchange format of every sample, packed on one thread and on several.

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::registry::{KINDS, recognize};
use exchange::{About, Form, print};
use field::encode;
use passes::Sha;

/// Unpacks all samples: the name of each, its bytes and its files.
fn forms() -> Vec<(String, Bytes, BTreeMap<String, Bytes>)> {
    let form = |sample: forge::Sample| {
        let bytes = Bytes::from(sample.bytes);
        let (kind, _) = recognize(KINDS, &sample.name, &bytes)?;
        let model = (kind.decode)(bytes.clone()).ok()?.model;
        let about = About { kind, games: &[], sha256: Sha::of(&bytes), deviations: &[] };
        let contents = print::contents_within(&model, about, 1, (u64::MAX, 0)).ok()?;
        Some((sample.name, bytes, contents.files))
    };
    forge::samples(7, forge::Size::Tiny).into_iter().filter_map(form).collect()
}

fn packed(threads: usize, files: BTreeMap<String, Bytes>) -> Result<Bytes, String> {
    let form = Form::parse_on(threads, files)?;
    let packed = form.pack(KINDS).map_err(|error| error.to_string())?;
    encode(&packed.model).map(Bytes::from).map_err(|error| error.to_string())
}

#[test]
fn form_packs_equally_on_one_and_several_threads() {
    let (mut formed, mut changed) = (0, 0);
    for (name, bytes, files) in forms() {
        for threads in [1, 3] {
            assert_eq!(packed(threads, files.clone()).as_ref(), Ok(&bytes), "{name} on {threads}");
        }
        formed += 1;
        // Errors must be equal, too: for a missing file, and for an unexpected member.
        for file in files.keys().take(4) {
            let mut fewer = files.clone();
            let Some(text) = fewer.remove(file).filter(|_| file.ends_with(".json")) else { continue };
            let mut more = fewer.clone();
            let text = String::from_utf8(text.to_vec()).expect("is UTF-8");
            if let Some((before, after)) = text.rsplit_once('}') {
                let comma = if before.ends_with('{') { "" } else { ", " };
                more.insert(file.clone(), format!("{before}{comma}\"surplus\": 1}}{after}").into());
            }
            for files in [fewer, more] {
                let [one, several] = [1, 3].map(|threads| packed(threads, files.clone()));
                assert_eq!(one, several, "{name}: {file}");
                changed += u32::from(one.is_err());
            }
        }
    }
    assert!(formed > 50 && changed > 100, "{formed} {changed}");
}

#[test]
fn raw_entries_without_a_kind_pack_equally_on_one_and_several_threads() {
    let mut compared = Vec::new();
    for (name, _, mut files) in forms() {
        let is_raw = |(file, _): &(&String, &Bytes)| file.ends_with(".bin");
        if files.iter().filter(is_raw).count() == 0 {
            continue;
        }
        for (file, contents) in &mut files {
            if file.ends_with(".bin") {
                // They begin like a motion, but are none.
                *contents = [&[4, 0, 0, 0][..], &[0xFF; 12], b"\0\0\x80\xBF\0\0\x80\x3F"].concat().into();
            } else if file.ends_with(".json") {
                let text = String::from_utf8(contents.to_vec()).expect("is UTF-8");
                *contents = text.replace("\"kind\": \"opaque\",", "").into();
            }
        }
        let [one, several] = [1, 3].map(|threads| packed(threads, files.clone()));
        assert_eq!(one, several, "{name}");
        compared.push(name);
    }
    assert!(compared.len() > 10 && compared.iter().any(|name| name == "Mission.102.sav"), "{compared:?}");
}
