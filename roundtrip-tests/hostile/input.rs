//! Hostile input: mods with unknown members, and images of a few bytes that expand to a gigabyte (A12).

use super::{Desk, map, sample};

#[test]
fn unknown_members_at_the_top_of_a_mod_are_refused_with_their_place() {
    let desk = Desk::new();
    desk.write("m1.zmap", &map());
    let change = r#""changes":[{"do":"set","at":"/version","new":6}]"#;
    desk.write("good.json", format!(r#"{{"schema":3,"kind":"zmap",{change}}}"#).as_bytes());
    desk.write("bad.json", format!("{{\"schema\":1,\"kind\":\"zmap\",\n\"chanegs\":[],{change}}}").as_bytes());
    let said = desk.run(&["patch", "m1.zmap", "--apply", "bad.json"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(
        said.err.contains("bad.json: unknown field `chanegs`, expected ") && said.err.contains(" at line 2 column "),
        "{said:?}"
    );
    assert!(desk.read("m1.zmap") == map());
    desk.ok(&["patch", "m1.zmap", "--apply", "good.json"]);
}

/// Returns a PNG of a few kilobytes whose pixels are all 0.
fn bomb(side: u32) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, side, side);
    encoder.set_depth(png::BitDepth::One);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&vec![0; side.div_ceil(8) as usize * side as usize]).unwrap();
    writer.finish().unwrap();
    file
}

#[test]
fn image_with_more_pixels_than_any_game_has_is_refused_at_once() {
    let desk = Desk::new();
    desk.write("t.zbd", &sample("mw_rimage.zbd"));
    desk.write("bomb.png", &bomb(8192));
    assert!(desk.read("bomb.png").len() < 30_000, "{}", desk.read("bomb.png").len());
    let list = desk.ok(&["unpack", "t.zbd", "t"]);
    assert!(list.err.contains("files"), "{list:?}");
    let png = desk.names("t").into_iter().find(|name| name.ends_with(".png")).expect("an image");
    let entry = png.strip_suffix(".png").unwrap();
    let begun = std::time::Instant::now();
    // On Linux, the program must not need more memory than this.
    #[cfg(target_os = "linux")]
    let said = desk.shell(&format!("ulimit -v 700000; $B patch t.zbd --replace {entry}=bomb.png -o new.zbd"));
    #[cfg(not(target_os = "linux"))]
    let said = desk.run(&["patch", "t.zbd", "--replace", &format!("{entry}=bomb.png"), "-o", "new.zbd"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.err.contains("expected an image of at most 4194304 pixels, found 8192 by 8192"), "{said:?}");
    assert!(begun.elapsed() < std::time::Duration::from_secs(3), "{:?}", begun.elapsed());
}

#[cfg(target_os = "linux")]
#[test]
fn file_larger_than_memory_is_unreadable_and_stops_nothing() {
    let desk = Desk::new();
    desk.write("a.zmap", &map());
    desk.write("z.zmap", &map());
    std::fs::File::create(desk.path("b.zmap")).unwrap().set_len(3 << 30).unwrap();
    // By default, the limit is what the shell allows. Beyond it, the system decides.
    for (limit, why) in [("", "has 3.0 GiB, more than the memory limit of "), ("--memory 8GiB", "out of memory\n")] {
        let said = desk.shell(&format!("ulimit -v 1500000; $B verify -v -j1 {limit} ."));
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.out().contains(&format!("unreadable    ./b.zmap: {why}")), "{said:?}");
        assert!(
            said.out().contains("failed:  1 of 3 files cannot be read; the other 2 come back bit for bit\n"),
            "{said:?}"
        );
    }
}
