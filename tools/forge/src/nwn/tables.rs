//! Tables and texts: 2DA, models and tilesets as text, talk tables. Sources: nwn-2da.md, nwn-tlk.md, nwn-other.md.

use super::sample;
use crate::bytes::{Bytes, field};
use crate::{Broken, Sample, Size};

/// Returns a table of this many rows, as the game has them.
pub fn two_da(rows: usize) -> Vec<u8> {
    let mut text = "2DA V2.0\r\n\r\n          Label          Name     Icon        Value \r\n".to_owned();
    for row in 0..rows {
        text += &format!("{row:<10}Type_{row:<9} {:<8} ir_{row:<8} {}.50\r\n", 1000 + row, row % 7);
    }
    text.into_bytes()
}

/// An entry of a talk table.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// The flags.
    pub flags: u32,
    /// The sound.
    pub sound: [u8; 16],
    /// Volume and pitch.
    pub variances: [u32; 2],
    /// The text.
    pub text: Vec<u8>,
    /// The length of the sound, as bits.
    pub length: u32,
    /// `None`: the running offset, or 0 without text.
    pub offset: Option<u32>,
    /// `None`: the length of the text.
    pub size: Option<u32>,
}

/// A talk table. Source: nwn-tlk.md.
#[derive(Clone, Debug, Default)]
pub struct Tlk {
    /// The language.
    pub language: u32,
    /// The entries.
    pub entries: Vec<Text>,
    /// `true` if the offset of an entry without text is the running one.
    pub is_running: bool,
    /// Bytes before the texts.
    pub gap: Vec<u8>,
    /// Bytes after the texts.
    pub tail: Vec<u8>,
}

/// Writes a talk table.
pub fn tlk(spec: &Tlk) -> Vec<u8> {
    let mut out = Bytes::new();
    let count = spec.entries.len();
    out.raw(b"TLK V3.0").le_u32(spec.language).le_u32(count as u32).le_u32((20 + 40 * count + spec.gap.len()) as u32);
    let mut at = 0;
    for it in &spec.entries {
        let offset = if it.text.is_empty() && !spec.is_running { 0 } else { at };
        out.le_u32(it.flags).raw(&it.sound).le_u32(it.variances[0]).le_u32(it.variances[1]);
        out.le_u32(it.offset.unwrap_or(offset)).le_u32(it.size.unwrap_or(it.text.len() as u32)).le_u32(it.length);
        at += it.text.len() as u32;
    }
    out.raw(&spec.gap);
    spec.entries.iter().for_each(|it| _ = out.raw(&it.text));
    out.raw(&spec.tail);
    out.finish()
}

fn text(flags: u32, text: &[u8]) -> Text {
    Text { flags, text: text.into(), ..Text::default() }
}

/// Returns an ordinary talk table.
fn talk(size: Size) -> Tlk {
    let count = match size {
        Size::Tiny => 6,
        Size::Small => 400,
        Size::Retail => 44_001,
    };
    let entries = (0..count).map(|at| match at % 5 {
        0 => text(1, format!("Text {at} of the game\nin two lines").as_bytes()),
        1 => Text { flags: 7, sound: field(b"vs_nkmtripm_warn", b""), length: 1.5f32.to_bits(), ..text(7, b"Halt!") },
        _ => Text::default(),
    });
    Tlk { entries: entries.collect(), ..Tlk::default() }
}

type TableTrap = (&'static str, &'static str, bool, &'static [u8]);

const TABLES: &[TableTrap] = &[
    ("lf.2da", "line ends without CR", false, b"2DA V2.0\n\n A B\n0 1 2\n1 3 4\n"),
    ("no_last_end.2da", "a last line without an end", false, b"2DA V2.0\r\n\r\n A B\r\n0 1 2"),
    ("mixed_ends.2da", "line ends of both kinds", false, b"2DA V2.0\r\n\n A B\n0 1 2\r\n1 **** 4\n"),
    ("tabs.2da", "tabs, and blanks at line ends", false, b"2DA\tV2.0 \t\r\n\r\n\tA\tB\t\r\n0\t1\t2 \t \r\n"),
    (
        "labels.2da",
        "labels that are not the numbers of the rows",
        false,
        b"2DA V2.0\r\n\r\n A\r\n7 x\r\n7 y\r\nz w\r\n",
    ),
    (
        "quotes.2da",
        "quoted cells, empty ones, and a quote in a cell",
        false,
        b"2DA V2.0\n\n A B\n0 \"two words\" \"\"\n1 a\"b c\"d ***\n",
    ),
    ("default.2da", "a default", false, b"2DA V2.0\nDEFAULT: 10\n A B\n0 1 2\n"),
    ("default_bare.2da", "a default without a blank", false, b"2DA V2.0\ndefault:****  \n A B\n0 1 2\n"),
    ("no_blank_line.2da", "columns in the second line", false, b"2DA V2.0\n A B\n0 1 2\n"),
    (
        "blank_lines.2da",
        "blank lines before the columns, between rows and at the end",
        false,
        b"2DA V2.0\n\n\n A B\n0 1 2\n \n1 3 4\n\n\n",
    ),
    ("numbers.2da", "numbers in all spellings", false, b"2DA V2.0\n\n A B\n0 0.10 0x1F\n1 -0 +1\n2 1e5 007\n"),
    ("high_bytes.2da", "bytes that are not ASCII", false, b"2DA V2.0\n\n A B\n0 Caf\xE9 \x81\x8D\n"),
    ("more_cells.2da", "a row with more cells than columns", true, b"2DA V2.0\n\n A B\n0 1 2 3 4\n1 5 6\n"),
    ("fewer_cells.2da", "rows with fewer cells than columns", true, b"2DA V2.0\n\n A B\n0 1\n1\n2 5 6\n"),
    ("same_columns.2da", "two columns with the same name", true, b"2DA V2.0\n\n A A\n0 1 2\n"),
    ("no_rows.2da", "a table without rows", false, b"2DA V2.0\n\n A B\n"),
    ("empty_rows.2da", "empty rows at the end", false, b"2DA V2.0\n\n A B\n0 1 2\n1 **** ****\n2 **** ****\n"),
    ("lower_case.2da", "a signature in small letters", true, b"2da v2.0\n\n A B\n0 1 2\n"),
    ("mark.2da", "a byte order mark before the signature", true, b"\xEF\xBB\xBF2DA V2.0\r\n\r\n A B\r\n0 1 2\r\n"),
    ("no_version.2da", "a signature without a version", true, b"2DA\r\n\r\n A B\r\n0 1 2\r\n"),
    ("end_of_file.2da", "a mark of the end of the file", false, b"2DA V2.0\r\n\r\n A B\r\n0 1 2\r\n\x1A"),
];

const TEXTS: &[(&str, &str, Option<&str>, &[u8])] = &[
    ("plc_hand.mdl", "text-model", None, b"# Exported from a tool\r\nnewmodel plc_hand\r\nsetsupermodel plc_hand NULL\r\nbeginmodelgeom plc_hand\r\n  node trimesh mesh\r\n    verts 3\r\n       0.0   -0.50  1e-005\r\n\t1 2\t 3\r\n      0.10 .5 -.5\r\n  endnode\r\nendmodelgeom plc_hand\r\ndonemodel plc_hand\r\n"),
    ("tile.wok", "text-model", Some("a walkmesh without a last line end, with LF"), b"#NWmax\nbeginwalkmeshgeom tile\nnode aabb tile\n parent NULL\nendnode\nendwalkmeshgeom  tile "),
    ("plc_hand.pwk", "text-model", Some("a walkmesh of a placeable, with a high byte in a remark"), b"# \xA9 by me\r\nnode dummy hand_use01\r\n\r\nendnode\r\n"),
    ("door.dwk", "text-model", Some("a walkmesh of a door that begins with blanks"), b"  \r\nnode dummy door\r\nendnode"),
    ("tde01.set", "set", None, b"[GENERAL]\r\nName=tde01\r\nType=SET\r\nVersion=V1.0\r\nInterior=1\r\n\r\n[GRASS]\r\nGrass=0\r\n\r\n[TILES]\r\nCount=1\r\n[TILE0]\r\nModel=tde01_a01\r\nDoors=0\r\n"),
    ("odd.set", "set", Some("comments, spaces around signs, blank values, keys twice, no last line end"), b"[GENERAL]\n; made by hand\nName = two words \nBorder=\nBorder = x=y\n junk without a sign \n=value\n[TILE7]\n[tile9]"),
];

/// Returns tables and texts of a size class.
pub fn samples(_seed: u64, size: Size) -> Vec<Sample> {
    let rows = match size {
        Size::Tiny => 3,
        Size::Small => 200,
        Size::Retail => 15_000,
    };
    let mut samples = vec![sample("appearance.2da", "2da", two_da(rows), None)];
    samples.extend(
        TABLES
            .iter()
            .map(|&(name, words, deviates, bytes)| sample(name, "2da", bytes.to_vec(), Some((words, deviates)))),
    );
    samples.extend(
        TEXTS
            .iter()
            .map(|&(name, kind, words, bytes)| sample(name, kind, bytes.to_vec(), words.map(|words| (words, false)))),
    );
    // Source: nwn-mdl-text.md, section 2.
    let model = "# mdl file\nnewmodel a\nbeginmodelgeom a\nnode dummy a\nendnode\nendmodelgeom a\ndonemodel a\n";
    let log = format!("<snoopstart file=c:\\a.mdl>\nChecking node a\n{model}</snoopstart>\n</snoopend>\n");
    samples.push(sample(
        "nul.mdl",
        "text-model",
        format!("{model}\0").into_bytes(),
        Some(("a NUL after a model", true)),
    ));
    samples.push(sample("log.mdl", "text-model", log.into_bytes(), Some(("the log of a tool around a model", true))));
    samples.push(sample("dialog.tlk", "tlk", tlk(&talk(size)), None));
    let small = size.of_traps();
    let mut add = |name: &str, words, deviates, edit: &dyn Fn(&mut Tlk)| {
        let mut spec = talk(small);
        edit(&mut spec);
        samples.push(sample(name, "tlk", tlk(&spec), Some((words, deviates))));
    };
    add("running.tlk", "running offsets of entries without text", false, &|spec| spec.is_running = true);
    add("no_entries.tlk", "a table without entries", false, &|spec| spec.entries.clear());
    add("flags.tlk", "flags that do not follow from the content", false, &|spec| {
        for (flags, it) in (0..).zip(&mut spec.entries) {
            it.flags = [1, 7, 3, 0, 6][flags % 5];
        }
    });
    add("line_ends.tlk", "texts with CR, and with bytes of another code page", false, &|spec| {
        spec.entries[0].text = b"one\r\ntwo\x81\x8D \xCF\xF0\xE8\xE2\xE5\xF2".to_vec();
    });
    add("utf_8.tlk", "texts in UTF-8", false, &|spec| {
        for (at, text) in [(0, "Prêtre"), (5, "Привет")] {
            spec.entries[at].text = text.as_bytes().to_vec();
        }
    });
    add("japanese.tlk", "a Japanese table, with a text that is not in its code page", false, &|spec| {
        spec.language = 131;
        spec.entries[0].text = b"\x93\xFA\x96{\x8C\xEA".to_vec();
        spec.entries.push(text(1, b"\x81"));
    });
    add("sounds.tlk", "names of sounds with other bytes, and negative and odd lengths", false, &|spec| {
        for (at, it) in spec.entries.iter_mut().enumerate().take(4) {
            it.sound = [[0xC0; 16], *b"name\0rest\0\0\0\0\0\0\0", *b"                ", [0; 16]][at];
            it.length = [(-1.0f32).to_bits(), 0x7FC0_0001, 0x8000_0000, 0x3F80_0000][at];
        }
    });
    add("variances.tlk", "volumes and pitches", true, &|spec| spec.entries[0].variances = [1, 2]);
    add("shared.tlk", "equal texts that share their bytes", true, &|spec| {
        let size = spec.entries[0].text.len() as u32;
        spec.entries.push(Text { flags: 1, offset: Some(0), size: Some(size), ..Text::default() });
    });
    add("tlk_gap.tlk", "bytes before and after the texts", true, &|spec| {
        spec.gap = vec![1, 2, 3];
        spec.tail = vec![4, 5];
    });
    samples
}

/// Returns files that must be refused.
pub fn broken() -> Vec<Broken> {
    let table =
        |name: &str, bytes: &[u8], why: &str| Broken::new("2da", &format!("2da_{name}.2da"), bytes.to_vec(), why);
    let mut broken = vec![
        table("version", b"2DA V1.0\n\n A\n0 1\n", "another version"),
        table("no_columns", b"2DA V2.0\n\n  \n", "no columns"),
        table("nul", b"2DA V2.0\n\n A\n0 \0\n", "a NUL"),
        table("utf_16", b"\xFF\xFE2\0D\0A\0 \0V\x002\0.\x000\0\n\0", "UTF-16"),
        table("cr", b"2DA V2.0\r\rA B\r0 1 2\r", "lines that end with CR only"),
        table("header", b"2DAV2.0\n\n A\n0 1\n", "no blank before the version"),
    ];
    let file = tlk(&talk(Size::Tiny));
    for (name, why, at, value) in [
        ("version", "another version", 4, u32::from_le_bytes(*b"V4.0")),
        ("count", "more entries than the file has room for", 12, u32::MAX),
        ("texts", "texts that begin in the table", 16, 21),
        ("outside", "texts outside the file", 16, u32::MAX),
        ("offset", "a text outside the file", 48, 0x7FFF_FFFF),
        ("size", "a text longer than the file", 52, u32::MAX),
    ] {
        let mut file = file.clone();
        file[at..at + 4].copy_from_slice(&value.to_le_bytes());
        broken.push(Broken::new("tlk", &format!("tlk_{name}.tlk"), file, why));
    }
    broken
}
