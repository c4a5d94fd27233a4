//! The HTML report as a browser shows it: pictures, images, several installs, and nothing wider than the window.

use std::fs;
use std::path::Path;
use std::process::Command;

use roxmltree::{Document, Node};

use crate::harness::golden_install;

/// Returns the page about some paths below the sample install.
fn page(folder: &Path, args: &[&str]) -> String {
    let page = folder.join("page.html");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bitexact"));
    command.current_dir(golden_install()).args(["verify", "-q", "--force", "--html"]).arg(&page).args(args);
    let output = command.output().unwrap();
    assert!(output.status.code().is_some_and(|code| code < 2), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(page).unwrap()
}

/// Returns the body of a page, which is also XML.
fn body(page: &str) -> Document<'_> {
    let (_, body) = page.split_once("</head>").expect("a head");
    Document::parse(body.strip_suffix("</html>").expect("an end")).unwrap()
}

fn class<'a>(page: &'a Document<'a>, class: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    page.descendants().filter(move |it| it.attribute("class").is_some_and(|is| is.split(' ').any(|is| is == class)))
}

/// Returns the bars of a path: where each begins, and its width.
fn bars(path: &str) -> Vec<(u64, u64)> {
    let number = |text: &str| text.split(|it: char| !it.is_ascii_digit()).next().unwrap().parse().unwrap();
    let bars = path.split('M').skip(1);
    bars.map(|bar| (number(bar), number(bar.split_once('h').expect("a width").1))).collect()
}

#[test]
fn picture_of_a_file_has_an_owner_for_every_part() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path(), &["rc", "cs"]);
    let page = body(&page);
    let mut files = 0;
    for picture in class(&page, "strip") {
        files += 1;
        let size = picture.attribute("viewBox").unwrap().split(' ').nth(2).unwrap().parse::<u64>().unwrap();
        assert!((1..=128).contains(&size));
        let paths = picture.children().filter(|it| it.has_tag_name("path"));
        let mut all: Vec<_> = paths.flat_map(|it| bars(it.attribute("d").unwrap())).collect();
        all.sort_unstable();
        let end = all.iter().fold(0, |end, (begin, width)| {
            assert_eq!(*begin, end, "without gaps");
            begin + width
        });
        assert_eq!(end, size);
        // It is read aloud as shares.
        let label = picture.attribute("aria-label").unwrap();
        assert!(picture.attribute("role") == Some("img") && label.contains('%'), "{label}");
        let title = picture.children().find(|it| it.has_tag_name("title")).expect("a title");
        assert_eq!(title.text(), Some(label));
    }
    assert!(files > 10);
}

#[test]
fn picture_shows_where_the_classes_are() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path(), &["rc/zbd/m1/texture8.zbd"]);
    let page = body(&page);
    let strip = class(&page, "strip").next().expect("a picture");
    let of = |class: &str| strip.children().find(|it| it.attribute("class") == Some(class));
    // A package begins with its table and goes on with pixels.
    let pixels = bars(of("semantic").expect("pixels").attribute("d").unwrap());
    let (begin, width) = pixels.last().unwrap();
    assert!(*begin > 0 && begin + width == 128, "{pixels:?}");
}

#[test]
fn images_are_on_the_page_on_request_only() {
    let folder = tempfile::tempdir().unwrap();
    let plain = page(folder.path(), &["rc/zbd/m1"]);
    assert!(!plain.contains("<image"));
    let with_images = page(folder.path(), &["--images", "rc/zbd/m1"]);
    assert!(!["http:", "https:", "url(", "@import", "<script"].iter().any(|it| with_images.contains(it)));
    let page = body(&with_images);
    let sheets: Vec<_> = class(&page, "sheet").collect();
    assert!(!sheets.is_empty());
    for sheet in sheets {
        let image = sheet.descendants().find(|it| it.has_tag_name("image")).expect("the whole sheet");
        let data = image.attribute("href").unwrap().strip_prefix("data:image/png;base64,").expect("inside the page");
        use base64::Engine as _;
        let png = base64::engine::general_purpose::STANDARD.decode(data).unwrap();
        let decoded = image::load_from_memory(&png).expect("an image");
        let side = |name: &str| image.attribute(name).unwrap().parse::<u32>().unwrap();
        assert_eq!([side("width"), side("height")], [decoded.width(), decoded.height()]);
        // Each image is a part of the sheet, with its name as text.
        let tiles: Vec<_> = sheet.descendants().filter(|it| it.has_tag_name("use")).collect();
        let id = format!("#{}", image.attribute("id").unwrap());
        for tile in &tiles {
            assert_eq!(tile.attribute("href"), Some(&*id));
            let view = tile.parent().unwrap();
            let part: Vec<u32> = view.attribute("viewBox").unwrap().split(' ').map(|it| it.parse().unwrap()).collect();
            assert!(part[0] + part[2] <= decoded.width() && part[1] + part[3] <= decoded.height(), "{part:?}");
            let name = view.next_sibling().and_then(|it| it.text()).unwrap();
            assert!(!name.is_empty());
        }
        assert!(!tiles.is_empty());
    }
}

#[test]
fn many_images_are_on_pages_that_load_when_opened() {
    let folder = tempfile::tempdir().unwrap();
    let package = fs::read(golden_install().join("rc/zbd/m1/texture8.zbd")).unwrap();
    for nth in 0..90 {
        let inner = folder.path().join(format!("games/t{nth}"));
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join("texture8.zbd"), &package).unwrap();
    }
    let run = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bitexact"));
        command
            .current_dir(folder.path())
            .args(["verify", "--html", "my report.html", "--images", "."])
            .output()
            .unwrap()
    };
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let first = run();
    assert_eq!(first.status.code(), Some(0), "{}", String::from_utf8_lossy(&first.stderr));
    let page = read("my report.html");
    assert!(!page.contains("<image") && page.len() < 2_000_000, "{} bytes", page.len());
    let frame = body(&page).descendants().find(|it| it.has_tag_name("iframe")).map(|it| {
        let attribute = |name: &str| it.attribute(name).unwrap().to_owned();
        // It is loaded only when what is around it is opened.
        let is_folded = it.ancestors().any(|it| it.has_tag_name("details") && it.attribute("open").is_none());
        (attribute("src"), attribute("loading"), is_folded)
    });
    assert_eq!(frame, Some(("my%20report.images-1.html".to_owned(), "lazy".to_owned(), true)));
    let images = read("my report.images-1.html");
    assert_eq!(images.matches("<image ").count(), 90);
    assert!(!["http:", "https:", "url(", "@import", "<script"].iter().any(|it| images.contains(it)));
    // Neither is a file of the next run, which replaces both.
    let second = run();
    assert_eq!((second.status.code(), &second.stdout), (Some(0), &first.stdout));
    assert!(read("my report.html") == page && read("my report.images-1.html") == images);
    // Anything else in the place of a page stays.
    fs::write(folder.path().join("my report.images-1.html"), "mine").unwrap();
    let third = run();
    let words = String::from_utf8_lossy(&third.stderr).into_owned();
    assert!(third.status.code() == Some(2) && words.contains("is not an earlier report"), "{words}");
    assert_eq!(read("my report.images-1.html"), "mine");
}

#[test]
fn several_installs_have_a_table_that_leads_to_each() {
    let folder = tempfile::tempdir().unwrap();
    let text = page(folder.path(), &["rc", "cs", "mw"]);
    let several = body(&text);
    let table = class(&several, "installs").next().expect("a table");
    let links: Vec<_> = table.descendants().filter(|it| it.has_tag_name("a")).collect();
    assert_eq!(links.len(), 3);
    for (link, root) in links.iter().zip(["rc", "cs", "mw"]) {
        let target = link.attribute("href").unwrap().strip_prefix('#').unwrap();
        let article = several.descendants().find(|it| it.attribute("id") == Some(target)).expect("the certificate");
        assert_eq!(article.attribute("data-of"), Some(&*format!("install.{root}")));
    }
    let text = page(folder.path(), &["rc"]);
    assert!(class(&body(&text), "installs").next().is_none(), "one install needs no table");
}

/// A script that a copy of the page runs in the browser: it lists what is wider than the window.
const MEASURE: &str = "<script>addEventListener('load', () => {
    const wide = document.documentElement.clientWidth;
    // What is inside of a picture is cut off at its sides.
    const all = [...document.querySelectorAll('body *')].filter(it => !it.ownerSVGElement);
    const over = all.filter(it => it.getBoundingClientRect().right > wide + 1);
    const said = [document.documentElement.scrollWidth, wide, over.slice(0, 5).map(it => it.outerHTML.slice(0, 80))];
    document.body.innerHTML = '<pre id=\"said\"></pre>';
    document.getElementById('said').textContent = JSON.stringify(said);
})</script>";

#[test]
fn nothing_is_wider_than_the_window() {
    let Some(browser) = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|it| Command::new(it).arg("--version").output().is_ok_and(|output| output.status.success()))
    else {
        eprintln!("chromium: not installed, the page is not measured");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    // With files that fail, a snapshot from which everything differs, and all sections.
    let odd = folder.path().join("odd");
    fs::create_dir(&odd).unwrap();
    for broken in forge::broken(crate::harness::SEED).into_iter().step_by(90) {
        fs::write(odd.join(broken.name.replace(['/', ' '], "_")), &broken.bytes).unwrap();
    }
    fs::write(odd.join(format!("{}.txt", "a_long_name_without_a_space_".repeat(7))), b"?").unwrap();
    let odd = odd.to_str().unwrap();
    for (name, args) in [
        ("all", &["--rules", "--images", ".", odd][..]),
        ("against", &["--against", "../install.sha256", "rc"]),
        ("one", &["rc/zbd/m1/texture8.zbd"]),
    ] {
        let text = page(folder.path(), args);
        let path = folder.path().join(format!("{name}.html"));
        fs::write(&path, text.replace("</body>", &format!("{MEASURE}</body>"))).unwrap();
        for width in [360, 1000, 1400] {
            // The window of a headless browser cannot be narrower than 500 pixels, the frame in it can.
            let frame = folder.path().join("frame.html");
            let source = format!("{name}.html");
            fs::write(
                &frame,
                format!("<iframe id=f src={source} style='width:{width}px;height:900px;border:0'></iframe>{READ}"),
            )
            .unwrap();
            let output = Command::new(browser)
                .args(["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"])
                .args(["--virtual-time-budget=20000", "--window-size=1500,900", "--dump-dom"])
                .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
                .arg(&frame)
                .output()
                .unwrap();
            let dom = String::from_utf8_lossy(&output.stdout).into_owned();
            let said = dom.split_once("<pre id=\"read\">").and_then(|it| Some(it.1.split_once("</pre>")?.0));
            let said = said
                .unwrap_or_else(|| panic!("{name} at {width}: {dom:.500}{}", String::from_utf8_lossy(&output.stderr)));
            let (content, window, wide): (u64, u64, Vec<String>) = serde_json::from_str(said).unwrap();
            // A scroll bar takes its part of the window.
            assert!((width - 20..=width).contains(&window), "{window}");
            assert!(content <= window && wide.is_empty(), "{name} at {width}: {content} in {window}, {wide:?}");
        }
    }
}

/// A script that copies what the page in the frame has measured.
const READ: &str = "<pre id=read></pre><script>const f = document.getElementById('f');
const read = () => { const it = f.contentDocument && f.contentDocument.getElementById('said');
    if (it) document.getElementById('read').textContent = it.textContent; else setTimeout(read, 50); };
f.addEventListener('load', () => setTimeout(read, 50));</script>";
