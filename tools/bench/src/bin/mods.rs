//! `mods`: checks that the time to apply a mod is linear in its size.

use bench::{heading, row};
use bitexact::edit::Edit;
use bitexact::edit::diff::{apply, entries, read};
use bitexact::exchange::About;
use bitexact::field::encode;
use bitexact::passes::Sha;
use bitexact::registry::{KINDS, named};
use bytes::Bytes;
use clap::Parser;
use cpu_time::ThreadTime;
use forge::mods::{SORTS, archive, changes};

/// Apply mods of many changes to an archive of as many entries, and show the processor time of each
#[derive(Parser)]
struct Cli {
    /// Number of changes
    #[arg(value_name = "COUNT", default_values_t = [5000, 10_000, 50_000])]
    counts: Vec<usize>,
}

/// Returns the seconds for making the changes, and for everything: unpack, hash the entries, make the changes, pack, encode.
fn times(sort: &str, count: usize) -> [f64; 2] {
    let kind = named(KINDS, "archive").expect("the registry has it");
    let file = Bytes::from(archive(count));
    let changes = changes(sort, count, &|bytes| Sha::of(bytes).to_string());
    let start = ThreadTime::now();
    let changes = read(changes.as_bytes()).expect("a mod").changes;
    let model = (kind.decode)(file.clone()).expect("an archive").model;
    let about = About { kind, games: &[], sha256: Sha::of(&file), deviations: &[] };
    let mut edit = Edit::of(&model, about).expect("it is laid out");
    let hashes = entries(kind, &file).expect("it has entries");
    let made = ThreadTime::now();
    apply(&changes, &mut edit, |entry| hashes.get(entry).copied()).expect("it is for this file");
    let made = made.elapsed();
    encode(&edit.pack(KINDS).expect("it packs").model).expect("it can be written");
    [made.as_secs_f64(), start.elapsed().as_secs_f64()]
}

fn main() {
    let Cli { counts } = Cli::parse();
    println!("{}\n", heading());
    let titles: Vec<String> = counts.iter().map(|count| format!("{count}, s")).collect();
    let titles: Vec<&str> = ["changes"].into_iter().chain(titles.iter().map(String::as_str)).collect();
    println!("{}", row(&titles));
    println!("{}", row(std::iter::once("---").chain(counts.iter().map(|_| "--:")).collect::<Vec<_>>()));
    for sort in SORTS {
        let times = counts.iter().map(|&count| times(sort, count)).map(|[made, all]| format!("{made:.2} of {all:.2}"));
        let cells: Vec<String> = [sort.to_owned()].into_iter().chain(times).collect();
        println!("{}", row(cells.iter().map(String::as_str).collect::<Vec<_>>()));
    }
}
