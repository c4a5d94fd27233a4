//! The sources of a project of nasher, another program for modules: what its `nasher.cfg` includes and excludes.

use std::collections::BTreeMap;

use anyhow::{Context as _, bail};
use bytes::Bytes;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

/// The file that describes a project.
pub(crate) const PROJECT: &str = "nasher.cfg";

/// The folder of the sources, unless the project names others.
pub(crate) const SOURCES: &str = "src/";

/// The file `container.json`, which is no source of nasher.
const OWN: &str = bitexact::loose::CONTAINER;

/// What begins and ends a text of several lines.
const TEXT: &str = "\"\"\"";

/// The globs of a section.
#[derive(Debug, Default, PartialEq)]
struct Globs {
    include: Vec<String>,
    exclude: Vec<String>,
}

/// Returns the files that a project includes.
pub(crate) fn sources(files: BTreeMap<String, Bytes>) -> anyhow::Result<BTreeMap<String, Bytes>> {
    let Some(project) = files.get(PROJECT) else { return Ok(files) };
    let globs = globs(&String::from_utf8_lossy(project)).context(PROJECT)?;
    let (include, exclude) = (set(&globs.include).context(PROJECT)?, set(&globs.exclude).context(PROJECT)?);
    let is_source = |path: &str| match globs.include.is_empty() {
        true => path.starts_with(SOURCES),
        false => include.is_match(path),
    };
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let is_excluded = |path: &str| exclude.is_match(path) || exclude.is_match(name(path));
    let mut sources = files;
    sources.retain(|path, _| path == OWN || (is_source(path) && !is_excluded(path)));
    if sources.keys().all(|path| path == OWN) {
        match globs.include.as_slice() {
            [] => bail!("{PROJECT}: no file is in {SOURCES}, where sources are if it has no `include`"),
            include => bail!("{PROJECT}: no file fits its `include` ({})", include.join(", ")),
        }
    }
    Ok(sources)
}

fn set(globs: &[String]) -> anyhow::Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let glob = glob.strip_prefix("./").unwrap_or(glob);
        set.add(GlobBuilder::new(glob).case_insensitive(true).literal_separator(true).build()?);
    }
    Ok(set.build()?)
}

/// Returns the globs of the whole project, or of its only target that has some.
fn globs(project: &str) -> anyhow::Result<Globs> {
    let (mut package, mut targets, mut section) = (Globs::default(), Vec::<Globs>::new(), String::new());
    let mut in_text = false;
    for (number, line) in (1..).zip(project.lines().map(str::trim)) {
        // A text of several lines is between three quotes.
        if line.matches(TEXT).count() % 2 == 1 {
            in_text = !in_text;
            continue;
        }
        if in_text {
            continue;
        }
        if let Some(name) = line.strip_prefix('[') {
            let Some((name, _)) = name.split_once(']') else {
                bail!("line {number}: expected a section such as [target], found {line}");
            };
            section = name.trim().to_lowercase();
            if section == "target" {
                targets.push(Globs::default());
            }
            continue;
        }
        let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with(['#', ';'])) else { continue };
        let globs = match section.as_str() {
            "package" | "package.sources" | "sources" => Some(&mut package),
            "target" | "target.sources" => targets.last_mut(),
            _ => None,
        };
        let Some(globs) = globs else { continue };
        let value = value.trim();
        let value = match value.strip_prefix('"').map(|value| value.split_once('"')) {
            None => value,
            Some(Some((value, _))) => value,
            Some(None) => bail!("line {number}: expected a quotation mark at the end of {value}"),
        };
        match key.trim().to_lowercase().as_str() {
            "include" => globs.include.push(value.to_owned()),
            "exclude" | "filter" => globs.exclude.push(value.to_owned()),
            _ => {}
        }
    }
    let mut with_globs: Vec<Globs> = targets.into_iter().filter(|it| *it != Globs::default()).collect();
    with_globs.dedup();
    match with_globs.len() {
        0 => Ok(package),
        1 => {
            let mut target = with_globs.remove(0);
            if target.include.is_empty() {
                target.include = package.include;
                target.exclude.extend(package.exclude);
            }
            Ok(target)
        }
        _ => bail!("its targets have different sources; name the folder of one of them instead"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(project: &str, paths: &[&str]) -> Vec<String> {
        let files = paths.iter().map(|path| ((*path).to_owned(), Bytes::new()));
        let files = files.chain([(PROJECT.to_owned(), Bytes::from(project.to_owned()))]).collect();
        sources(files).expect("sources").into_keys().collect()
    }

    const PATHS: [&str; 6] =
        ["README.md", "container.json", "src/are/a.are.json", "src/nss/a.nss", "src/nss/test/b.nss", "lib/c.nss"];

    #[test]
    fn globs_of_the_package_or_of_its_target_select_files() {
        for (project, expected) in [
            ("[Package]\nname = \"Town\"\n", &PATHS[1..5]),
            ("[Package]\n[Sources]\ninclude = \"src/**/*.{nss,json}\"\nexclude = \"src/**/test/*\"\n", &PATHS[1..4]),
            (
                "[Package]\n[Package.Sources]\n# include = \"x\"\ninclude = \"./src/nss/*.nss\"\n",
                &["container.json", "src/nss/a.nss"],
            ),
            ("[Sources]\ninclude = \"src/**\"\n[Target]\nname = \"a\"\nfilter = \"*.nss\"\n", &PATHS[1..3]),
            (
                "[Sources]\ninclude = \"src/**\"\n[Target]\nname = \"a\"\ninclude = \"lib/*\"\n",
                &["container.json", "lib/c.nss"],
            ),
        ] {
            assert_eq!(kept(project, &PATHS), expected, "{project}");
        }
        // No other line of a text of several is one.
        let text = "[Package]\ndescription = \"\"\"\n[Sources\ninclude = \"x\n\"\"\"\n[Sources]\ninclude = \"lib/*\"\n";
        assert_eq!(kept(text, &PATHS), ["container.json", "lib/c.nss"]);
        let refused = |project: &str, paths: &[&str]| {
            let files = paths.iter().map(|path| ((*path).to_owned(), Bytes::new()));
            let files = files.chain([(PROJECT.to_owned(), Bytes::from(project.to_owned()))]).collect();
            format!("{:#}", sources(files).expect_err("refused"))
        };
        assert_eq!(
            refused("[Package]\n[Sources\n", &PATHS),
            "nasher.cfg: line 2: expected a section such as [target], found [Sources"
        );
        assert!(refused("[Sources]\ninclude = \"src/*\n", &PATHS).contains("line 2: expected a quotation mark"));
        assert_eq!(
            refused("[Sources]\ninclude = \"nope/*\"\n", &PATHS),
            "nasher.cfg: no file fits its `include` (nope/*)"
        );
        assert!(refused("[Package]\n", &PATHS[..2]).contains("no file is in src/"));
        assert!(globs("[Target]\ninclude = \"a\"\n[Target]\ninclude = \"b\"\n").is_err());
        assert_eq!(kept("[Target]\ninclude = \"lib/*\"\n[Target]\n", &PATHS), ["container.json", "lib/c.nss"]);
    }
}
