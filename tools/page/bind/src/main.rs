//! `bind IN.wasm OUT`: writes the JavaScript of a WebAssembly module, and the module, to a folder.

use wasm_bindgen_cli_support::Bindgen;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (Some(module), Some(folder)) = (arguments.next(), arguments.next()) else {
        eprintln!("expected a module and a folder");
        std::process::exit(2);
    };
    let mut bindgen = Bindgen::new();
    let done = bindgen
        .input_path(module)
        .web(true)
        .and_then(|bindgen| bindgen.typescript(true).remove_name_section(true).generate(folder));
    if let Err(why) = done {
        eprintln!("{why:#}");
        std::process::exit(1);
    }
}
