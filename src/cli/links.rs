//! `inspect --links`: the resources of a container that nothing in it names, and the names that no resource of it has.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context as _;
use bitexact::aurora::erf::Erf;
use bitexact::field::{Value, decode, visit, wide};
use bitexact::output::printable::counted;
use bitexact::passes::Strings;
use bitexact::registry::{KINDS, recognize};
use bitexact::verify::SCHEMA;
use bytes::Bytes;
use json::Compact;

use super::out::Out;

/// The name of the resource that the game loads first.
const FIRST: &str = "module.ifo";

/// Prints both.
pub(super) fn links(file: &Path, json: bool, out: &mut Out) -> anyhow::Result<()> {
    let path = file.display();
    let bytes = Bytes::from(super::read(file).with_context(|| path.to_string())?);
    let erf = decode::<Erf>(bytes.clone()).map_err(anyhow::Error::from);
    let erf = erf.with_context(|| format!("{path}: expected a module, HAK or ERF"))?.model;
    let mut resources = Vec::new();
    for (name, kind, range) in erf.resources() {
        let range = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
        let content = range.and_then(|(start, end)| bytes.get(start..end)).map(|part| bytes.slice_ref(part));
        resources.push((name.to_lowercase(), format!("{name}.{}", kind.extension()), content.unwrap_or_default()));
    }
    let names: BTreeSet<&str> = resources.iter().map(|(name, ..)| name.as_str()).collect();
    let mut used: BTreeSet<&str> = BTreeSet::new();
    // The first place of each name, and the number of places.
    let mut missing: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for (own, file, content) in &resources {
        let mut strings = Strings::default();
        let model = recognize(KINDS, file, content).and_then(|(kind, _)| (kind.decode)(content.clone()).ok());
        match model {
            Some(decoded) => {
                visit(&decoded.model, &mut strings)?;
            }
            None => strings.words(content),
        }
        // A resource that names itself is not used by that.
        let found = strings.all().iter().filter_map(|it| names.get(it.as_str())).copied();
        used.extend(found.filter(|name| name != own));
        for (place, name) in strings.names().iter().filter(|(_, name)| !names.contains(name.as_str())) {
            missing.entry(name.clone()).or_insert_with(|| (format!("{file}:{place}"), 0)).1 += 1;
        }
    }
    for (name, file, _) in &resources {
        if used.contains(name.as_str()) || file.eq_ignore_ascii_case(FIRST) {
            continue;
        }
        match json {
            true => out.json(&Compact(&Value::from([("schema", SCHEMA.into()), ("unused", file.as_str().into())]))),
            false => out.line(format_args!("unused: {file}")),
        }
    }
    for (name, (place, places)) in missing {
        match json {
            true => out.json(&Compact(&Value::from([
                ("schema", SCHEMA.into()),
                ("missing", name.into()),
                ("place", place.into()),
                ("places", places.into()),
            ]))),
            false => {
                let count = counted(wide(places), "place");
                out.line(format_args!("missing: {name} ({count}, first {place})"));
            }
        }
    }
    Ok(())
}
