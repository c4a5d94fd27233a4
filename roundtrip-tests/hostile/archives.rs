//! Archives whose files are verified without being unpacked: names that lead out of them, links, cut ones, and more than they could hold.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use tar::{EntryType, Header};

use super::{Desk, Said, map};

/// An archive that `fill` fills.
fn tar(fill: impl FnOnce(&mut tar::Builder<Vec<u8>>)) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    fill(&mut tar);
    tar.into_inner().unwrap()
}

/// A header whose name no program refuses.
fn header(name: &str, kind: EntryType, size: usize) -> Header {
    let mut header = Header::new_gnu();
    header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
    header.set_entry_type(kind);
    header.set_size(size as u64);
    header.set_cksum();
    header
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut gz = GzEncoder::new(Vec::new(), Compression::best());
    gz.write_all(bytes).unwrap();
    gz.finish().unwrap()
}

fn verify(desk: &Desk, file: &str, bytes: &[u8]) -> Said {
    desk.write(file, bytes);
    desk.run(&["verify", "-v", "--json", file])
}

/// The status and the reason of the row of a path.
fn row(said: &Said, path: &str) -> (String, String) {
    let rows = said.out().lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let row = rows.into_iter().find(|row| row["path"] == path);
    let row = row.unwrap_or_else(|| panic!("{path} is missing in {}{}", said.out(), said.err));
    (row["status"].as_str().unwrap().to_owned(), row["error"].to_string())
}

#[test]
fn files_of_archives_are_verified_where_they_are() {
    let desk = Desk::new();
    let plain = tar(|tar| {
        tar.append(&header("rc/maps/", EntryType::Directory, 0), &[][..]).unwrap();
        tar.append(&header("./rc/maps/m1.zmap", EntryType::Regular, map().len()), &*map()).unwrap();
        // A name beyond 100 bytes, which has a header of its own.
        let long = format!("rc/{}/m2.zmap", "d".repeat(150));
        tar.append_data(&mut header("", EntryType::Regular, map().len()), long, &*map()).unwrap();
    });
    for (name, bytes) in [("a.tar", plain.clone()), ("a.tar.gz", gz(&plain)), ("a.tgz", gz(&plain))] {
        let said = verify(&desk, name, &bytes);
        assert_eq!(said.code, Some(0), "{}", said.err);
        for path in [format!("{name}/rc/maps/m1.zmap"), format!("{name}/rc/{}/m2.zmap", "d".repeat(150))] {
            assert_eq!(row(&said, &path).0, "identical", "{name}");
        }
    }
    assert_eq!(std::fs::read_dir(desk.path("")).unwrap().count(), 3, "nothing was written beside the archives");
}

#[test]
fn names_that_lead_out_and_links_are_reported() {
    let desk = Desk::new();
    let bytes = tar(|tar| {
        for name in ["../out.zmap", "a/../../out.zmap", "C:\\out.zmap"] {
            tar.append(&header(name, EntryType::Regular, map().len()), &*map()).unwrap();
        }
        tar.append(&header("old.zmap", EntryType::Regular, 5), &b"older"[..]).unwrap();
        tar.append(&header("old.zmap", EntryType::Regular, map().len()), &*map()).unwrap();
        for (name, kind, link) in [
            ("again.zmap", EntryType::Link, "old.zmap"),
            ("none.zmap", EntryType::Link, "absent.zmap"),
            ("soft.zmap", EntryType::Symlink, "/etc/passwd"),
        ] {
            let mut header = header(name, kind, 0);
            header.set_link_name(link).unwrap();
            header.set_cksum();
            tar.append(&header, &[][..]).unwrap();
        }
    });
    let said = verify(&desk, "a.tar", &bytes);
    assert_eq!(said.code, Some(2), "{}", said.err);
    // The newest file of a name counts, and another name of it is the same file.
    assert_eq!(row(&said, "a.tar/old.zmap").0, "identical");
    assert_eq!(row(&said, "a.tar/again.zmap").0, "identical");
    assert!(row(&said, "a.tar/none.zmap").1.contains("is another name of absent.zmap"));
    assert!(row(&said, "a.tar/soft.zmap").1.contains("is a link to /etc/passwd; unpack the archive"));
    assert_eq!(said.out().matches("expected a path inside the archive").count(), 3);
}

#[test]
fn what_is_whole_in_a_cut_archive_is_verified() {
    let desk = Desk::new();
    let plain = tar(|tar| {
        for name in ["m1.zmap", "m2.zmap"] {
            tar.append(&header(name, EntryType::Regular, map().len()), &*map()).unwrap();
        }
    });
    let second = 512 + map().len().next_multiple_of(512);
    for cut in [second + 100, second + 512 + 100] {
        let said = verify(&desk, "a.tar", &plain[..cut]);
        assert_eq!(row(&said, "a.tar/m1.zmap").0, "identical", "cut at {cut}");
        assert_ne!(said.code, Some(0), "cut at {cut}");
    }
    let packed = gz(&plain);
    for cut in (20..packed.len()).step_by(37) {
        let said = verify(&desk, "a.tar.gz", &packed[..cut]);
        assert_ne!(said.code, Some(0), "cut at {cut}");
    }
    let said = verify(&desk, "a.tar.gz", &packed[..packed.len() - 4]);
    assert_eq!(row(&said, "a.tar.gz/m2.zmap").0, "identical");
    assert!(row(&said, "a.tar.gz").1.contains("cannot be decompressed after"));
}

#[test]
fn files_of_a_zip_without_its_list_are_verified() {
    use zip::write::{SimpleFileOptions, ZipWriter};
    let desk = Desk::new();
    let fill = |add: &mut dyn FnMut(&str, &[u8])| {
        for (name, contents) in [("maps/m1.zmap", map()), ("../m2.zmap", map()), ("m3.zmap", map())] {
            add(name, &contents);
        }
    };
    let options = SimpleFileOptions::default();
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.add_directory("maps", options).unwrap();
    fill(&mut |name, contents| {
        zip.start_file(name, options).unwrap();
        zip.write_all(contents).unwrap();
    });
    let whole = zip.finish().unwrap().into_inner();
    let list = whole.windows(4).position(|at| at == b"PK\x01\x02").unwrap();
    for cut in [list - 20, list, list + 30, whole.len() - 8] {
        let said = verify(&desk, "a.zip", &whole[..cut]);
        assert_eq!(said.code, Some(2), "cut at {cut}: {}", said.err);
        assert_eq!(row(&said, "a.zip/maps/m1.zmap").0, "identical", "cut at {cut}");
        assert_eq!(row(&said, "a.zip/m3.zmap").0 == "identical", cut >= list, "cut at {cut}");
        assert!(row(&said, "a.zip/..?m2.zmap").1.contains("expected a path inside the archive"));
        assert!(row(&said, "a.zip").1.contains("expected a whole .zip"), "cut at {cut}");
    }
    for cut in (4..whole.len()).step_by(97) {
        assert_ne!(verify(&desk, "a.zip", &whole[..cut]).code, Some(0), "cut at {cut}");
    }
    // What was packed from a pipe states no sizes before its files.
    let mut zip = ZipWriter::new_stream(Vec::new());
    fill(&mut |name, contents| {
        zip.start_file(name, options).unwrap();
        zip.write_all(contents).unwrap();
    });
    let piped = zip.finish().unwrap().into_inner();
    let said = verify(&desk, "a.zip", &piped[..piped.len() - 8]);
    assert!(row(&said, "a.zip").1.contains("expected a whole .zip"), "{}", said.out());
}

#[test]
fn archives_after_the_end_of_one_are_verified_too() {
    let desk = Desk::new();
    let one = |name: &str| tar(|tar| tar.append(&header(name, EntryType::Regular, map().len()), &*map()).unwrap());
    let said = verify(&desk, "a.tar", &[one("m1.zmap"), one("m2.zmap")].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(row(&said, "a.tar/m2.zmap").0, "identical");
}

#[test]
fn headers_with_changed_bytes_end_no_program() {
    let desk = Desk::new();
    let plain = tar(|tar| tar.append(&header("m1.zmap", EntryType::Regular, map().len()), &*map()).unwrap());
    for at in (0..512).step_by(7) {
        for with in [0, b'7', 0x80, 0xFF] {
            let mut bytes = plain.clone();
            bytes[at] = with;
            let said = verify(&desk, "a.tar", &bytes);
            assert!(matches!(said.code, Some(0..=2)), "{with} at {at}: {:?} {}", said.code, said.err);
            assert!(!said.err.contains("panicked"), "{with} at {at}: {}", said.err);
        }
    }
}

#[test]
fn compressed_archives_have_a_largest_size() {
    let desk = Desk::new();
    let first = tar(|tar| tar.append(&header("m1.zmap", EntryType::Regular, map().len()), &*map()).unwrap());
    // 160 MB of zeros in 160 kB, in members that gzip allows to follow each other.
    let zeros = gz(&vec![0; 1 << 22]);
    let bytes: Vec<u8> = std::iter::once(gz(&first)).chain((0..40).map(|_| zeros.clone())).flatten().collect();
    let said = verify(&desk, "a.tar.gz", &bytes);
    assert_ne!(said.code, Some(0));
    assert!(said.err.contains("expected at most") && said.err.contains("7-Zip"), "{}", said.err);
}
