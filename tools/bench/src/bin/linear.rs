//! `linear`: checks that time is linear in the size.

use std::collections::BTreeSet;
use std::slice;
use std::time::Duration;

use bench::{Grown, grown, heading, row};
use bitexact::registry::{KINDS, Kind};
use bitexact::verify::{VerifyOptions, verify_with};
use clap::Parser;
use cpu_time::ThreadTime;
use forge::{INSTALL_SEED, Size, samples};

/// Verify generated files in which one list is 1, 2 and 4 times as long, and show the time per byte of the longest over that of the
/// shortest: 1 if time is linear, 4 if it is quadratic. Shows the worst lists of each kind
#[derive(Parser)]
struct Cli {
    /// Only files of this kind
    #[arg(long, value_name = "K")]
    kind: Option<String>,
    /// Number of lists to show per kind
    #[arg(long, value_name = "N", default_value = "2")]
    worst: usize,
}

/// The time per byte of the larger files over that of the smallest.
struct Ratios {
    list: String,
    bytes: [usize; 3],
    plain: [f64; 2],
    exchange: [f64; 2],
}

impl Ratios {
    fn of(grown: Grown, kind: &'static Kind) -> Self {
        let time = |via_exchange: bool| {
            let each = grown.files.each_ref().map(|file| time_of_byte(kind, file, via_exchange));
            [each[1] / each[0], each[2] / each[0]]
        };
        let (plain, exchange) = (time(false), time(true));
        Self { list: grown.list, bytes: grown.files.each_ref().map(Vec::len), plain, exchange }
    }

    fn worst(&self) -> f64 {
        self.plain[1].max(self.exchange[1])
    }
}

fn main() {
    let cli = Cli::parse();
    println!("{}\n", heading());
    println!("{}", row(["kind", "list", "bytes", "verify, 2×", "4×", "via exchange, 2×", "4×"]));
    println!("{}", row(["---", "---", "--:", "--:", "--:", "--:", "--:"]));
    let mut none = Vec::new();
    let samples = samples(INSTALL_SEED, Size::Small);
    for kind in KINDS.iter().filter(|kind| cli.kind.as_deref().is_none_or(|only| only == kind.name)) {
        let mut known: BTreeSet<String> = BTreeSet::new();
        let mut ratios = Vec::new();
        for sample in samples.iter().filter(|it| it.trap.is_none() && it.kind == kind.name) {
            for grown in grown(sample, &|list| known.contains(list)) {
                known.insert(grown.list.clone());
                ratios.push(Ratios::of(grown, kind));
            }
        }
        ratios.sort_by(|one, other| other.worst().total_cmp(&one.worst()));
        if ratios.is_empty() {
            none.push(kind.name);
        }
        for it in ratios.iter().take(cli.worst) {
            let [plain_2, plain_4, exchange_2, exchange_4] =
                [it.plain[0], it.plain[1], it.exchange[0], it.exchange[1]].map(|ratio| format!("{ratio:.2}"));
            let bytes = it.bytes.map(|bytes| bytes.to_string()).join(", ");
            let lists = format!("{} of {}", it.list, ratios.len());
            println!("{}", row([kind.name, &lists, &bytes, &plain_2, &plain_4, &exchange_2, &exchange_4]));
        }
    }
    println!("\nWithout a list that can be repeated: {}", none.join(", "));
}

/// Returns the least processor time of several runs, per byte.
fn time_of_byte(kind: &'static Kind, file: &[u8], via_exchange: bool) -> f64 {
    let name = kind.claims.first().copied().unwrap_or("x").replace('*', "x");
    let how = VerifyOptions::default().via_exchange(via_exchange);
    let run = || {
        let start = ThreadTime::now();
        let _ = verify_with(slice::from_ref(kind), &name, file.to_vec(), how);
        start.elapsed()
    };
    let mut least = run();
    for _ in 0..if least > Duration::from_millis(100) { 1 } else { 3 } {
        least = least.min(run());
    }
    least.as_secs_f64() / file.len() as f64
}
