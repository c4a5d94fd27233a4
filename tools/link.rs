//! How the program is linked.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=tools/link.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found.split(',').any(|part| part == value));
    // The tables of the program hold tens of thousands of addresses. At a fixed place in memory they are final in the file; otherwise every
    // start would write all of them, in two of three pages that it touches. A static program says it in the flags of its release.
    let is_linux = is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu");
    if is_linux && is("CARGO_CFG_TARGET_ARCH", "x86_64") && !is("CARGO_CFG_TARGET_FEATURE", "crt-static") {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
