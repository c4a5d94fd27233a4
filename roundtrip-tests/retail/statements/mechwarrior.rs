//! Statements about MechWarrior 3. Source: `vectors-rc-mw-pm.md`, section 5.

use super::fact::Fact::{Bytes, Most, Others, Records, Texts, Within};
use super::facts::{ALL, Row};

const VERTICES: &[&str] = &["/models/slots/*/vertices", "/models/slots/*/normals", "/models/slots/*/morphs"];
/// The most nodes and models that a file has.
const MOST: u64 = 20_000;

#[rustfmt::skip]
pub(super) const ROWS: &[Row<'_>] = &[
    ("mw-5-vertices", "zbd/**gamez.zbd", Most(&Records(VERTICES)), 77_559),
    ("mw-5-more-nodes", "zbd/**gamez.zbd", Within(&["/node_array_size"], MOST + 1, ALL), 0),
    ("mw-5-more-models", "zbd/**gamez.zbd", Within(&["/models/array_size"], MOST + 1, ALL), 0),
    ("mw-5-mechlib-classes", "zbd/mechlib.zbd", Others(&["*:/nodes/*/class"], ALL, 5), 0),
    ("mw-5-mechlib-roots", "zbd/mechlib.zbd", Others(&["*:/nodes/0/parent_array_size"], ALL, 0), 0),
    ("mw-5-readers", "zbd/**reader*.zbd", Texts(&["/entries/*/name"], &["*_easy*", "*_hard*"]), 0),
];

/// A program of version 1.2.
pub(super) const PATCHED: &[Row<'_>] = &[("mw-5-program", "mech3.exe", Bytes, 2_384_384)];
