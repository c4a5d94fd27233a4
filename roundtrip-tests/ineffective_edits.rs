//! Edited values that would have no effect are refused with their place, or reported.

use crate::harness::form::{Exchange, pack, unpack};
use crate::harness::{self, unpacked};
use bitexact::edit::misread;
use bitexact::exchange::{About, Form, MANIFEST};
use bitexact::field::{Value, encode};
use bitexact::json::Document;
use bitexact::passes::Sha;
use bitexact::registry::KINDS;
use forge::Size;

/// The seed of the samples: the edited values have the same places as in the samples that the mutator draws.
const SEED: u64 = 1;

/// The unpacked folder of a tiny sample, to be edited and packed.
struct Edited {
    kind: &'static bitexact::registry::Kind,
    bytes: Vec<u8>,
    form: Exchange,
}

/// The outcome of an edit, in words: `refused …`, `misread …`, or `told …` with all places.
type Outcome = String;

impl Edited {
    fn new(kind: &str, name: &str) -> Self {
        let kind = harness::kind(kind);
        let mut samples = forge::samples(SEED, Size::Tiny).into_iter();
        let bytes = samples.find(|it| it.kind == kind.name && it.name == name).expect(name).bytes;
        let form = form(kind, &bytes);
        Self { kind, bytes, form }
    }

    /// Edits the value at a pointer in a file of the folder.
    fn edit(mut self, file: &str, pointer: &str, edit: impl FnOnce(&mut Value)) -> Self {
        let Some(Document::Json(json)) = self.form.files.get_mut(file) else { panic!("no {file}") };
        let keys = pointer.split('/').filter(|key| !key.is_empty());
        edit(keys.fold(json, |json, key| json.step_mut(key).unwrap_or_else(|| panic!("no {pointer} at {key}"))));
        self
    }

    fn set(self, file: &str, pointer: &str, value: impl Into<Value>) -> Self {
        self.edit(file, pointer, |json| *json = value.into())
    }

    fn without(self, file: &str, pointer: &str, member: &str) -> Self {
        self.edit(file, pointer, |json| assert!(json.take_member(member).is_some(), "no {member}"))
    }

    /// Repeats an item of a list at its end.
    fn again(self, file: &str, pointer: &str, item: usize) -> Self {
        self.edit(file, pointer, |json| {
            let item = json.items().unwrap()[item].clone();
            json.push(item);
        })
    }

    /// Returns the outcome, and the packed file if there is one.
    fn packed(self) -> (Outcome, Vec<u8>) {
        let form = Exchange::parse(self.form.contents()).expect("it is a form");
        let packed = match pack(form) {
            Ok(packed) => packed,
            Err(error) => return (format!("refused {error}"), Vec::new()),
        };
        let bytes = encode(&packed.model).expect("encodes");
        match misread(&packed.model, self.kind, &bytes.clone().into()).expect("it decodes") {
            Some(refusal) => (format!("misread {refusal}"), Vec::new()),
            None => {
                let told: Vec<_> = packed.recomputed.iter().map(|told| told.place.to_string()).collect();
                (format!("told {}", told.join(" ")), bytes)
            }
        }
    }

    /// Returns the outcome of an edit of the JSON beside an image.
    fn beside(self, file: &str, pointer: &str, edit: impl FnOnce(&mut Value)) -> (Outcome, Vec<u8>) {
        let mut contents = unpacked(self.kind, &self.bytes);
        let mut json = bitexact::exchange::parse(&contents[file]).expect("JSON");
        edit(pointer.split('/').fold(&mut json, |json, key| json.step_mut(key).expect(key)));
        contents.insert(file.to_owned(), bitexact::exchange::print(&json).into());
        match Form::parse(contents).and_then(|form| form.pack(KINDS).map_err(|error| error.to_string())) {
            Err(error) => (format!("refused {error}"), Vec::new()),
            Ok(packed) => {
                let told: Vec<_> = packed.recomputed.iter().map(|told| told.place.to_string()).collect();
                (format!("told {}", told.join(" ")), encode(&packed.model).expect("encodes"))
            }
        }
    }

    fn puts(self, file: &str, pointer: &str, value: impl Into<Value>) -> (Outcome, Vec<u8>) {
        self.beside(file, pointer, |json| *json = value.into())
    }

    /// Checks the beginning of the outcome.
    fn comes_to(self, expected: &str) {
        let (outcome, _) = self.packed();
        assert!(outcome.starts_with(expected), "{outcome}, not {expected}");
    }

    /// Checks that the folder packs, and that all these places are reported.
    fn tells(self, places: &[&str]) {
        let (outcome, _) = self.packed();
        let told: Vec<&str> = outcome.strip_prefix("told ").unwrap_or_else(|| panic!("{outcome}")).split(' ').collect();
        assert!(places.iter().all(|place| told.contains(place)), "{outcome}, not {places:?}");
    }
}

fn form(kind: &'static bitexact::registry::Kind, bytes: &[u8]) -> Exchange {
    let model = (kind.decode)(bytes.to_vec().into()).expect("decodes").model;
    unpack(&model, About { kind, games: &[], sha256: Sha::of(bytes), deviations: &[] }).expect("unpacks").exchange
}

#[test]
fn unedited_values_are_not_reported() {
    for (kind, name) in [("mdl", "stray.mdl"), ("macbinary", "no_final_padding_data_only.scen")] {
        let edited = Edited::new(kind, name);
        let bytes = edited.bytes.clone();
        assert_eq!(edited.packed(), ("told ".to_owned(), bytes), "{name}");
    }
}

#[test]
fn value_kept_by_a_removed_fact_is_reported() {
    let stray = || Edited::new("mdl", "stray.mdl");
    stray().set(MANIFEST, "data/root/stray", "").tells(&["/root/keys_at"]);
    stray().without(MANIFEST, "data/root", "stray").tells(&["/root/keys_at"]);
    let allocated = Edited::new("mdl", "allocated.mdl");
    allocated.set(MANIFEST, "data/root/miscounted", "").tells(&["/root/children_allocated"]);
    let vertices = Edited::new("mdl", "no_streams.mdl").set(MANIFEST, "data/root/children/0/miscounted", "");
    vertices.tells(&["/root/children/0/mesh/vertices_used"]);
}

#[test]
fn fact_derived_from_others_is_reported() {
    let edited = Edited::new("mdl", "cursors_in_disorder.mdl").without(MANIFEST, "data/order/33", "stray");
    edited.tells(&["/order/33/live"]);
}

#[test]
fn value_kept_in_new_leftover_memory_is_reported() {
    let edited = Edited::new("mdl", "cursors_in_disorder.mdl").set(MANIFEST, "data/order/35/stray", "");
    edited.tells(&["/order/35/mesh/list_counts_at", "/order/35/live"]);
}

#[test]
fn piece_of_an_unknown_part_is_dropped_and_reported() {
    let piece = bitexact::exchange::parse(br#"{"of": {"tree": 0, "node": 1, "item": 0, "part": 200}}"#).expect("JSON");
    let edited = Edited::new("mdl", "shared_name.mdl").edit(MANIFEST, "data/order", |order| order.push(piece));
    edited.tells(&["/order"]);
}

#[test]
fn flags_of_a_node_of_unknown_size_are_refused_at_its_piece() {
    let flags = "HEADER | SKIN | ANIM";
    let edited = Edited::new("mdl", "aabb_order.mdl").set(MANIFEST, "data/order/3/parts", flags);
    let both = edited.set(MANIFEST, "data/order/3/flags", flags);
    both.comes_to("refused /order/3/parts: expected parts whose size is known, found ");
}

#[test]
fn value_without_a_stable_result_is_refused() {
    let edited = Edited::new("mdl", "stray.mdl").set(MANIFEST, "data/root/children/0/mesh/coordinates_at/kept/3", 0);
    edited.comes_to("refused /root/children/0/mesh/coordinates_at: ");
}

#[test]
fn list_longer_than_its_counterpart_is_refused() {
    let edited = Edited::new("mdl", "stray.mdl").edit(MANIFEST, "data/raw", |raw| raw.push(Value::Object(Vec::new())));
    edited.comes_to("refused /raw: ");
}

#[test]
fn stream_longer_than_the_vertices_is_refused() {
    let edited = Edited::new("mdl", "gap.mdl").again(MANIFEST, "data/order/11/coordinates", 0);
    edited.comes_to("misread /order/");
}

#[test]
fn unreferenced_part_of_the_tree_is_refused() {
    let edited = Edited::new("messages", "messages_payload_outside.dll").again("%2Ersrc.json", "tree", 3);
    edited.comes_to("misread .rsrc:/tree/");
}

#[test]
fn moved_resources_report_the_bytes_after_them() {
    let edited = Edited::new("messages", "messages_slack.dll");
    let edited = edited.set("%2Ersrc.json", "resources/0/table/messages/0/text", "long ".repeat(20));
    edited.tells(&[".rsrc:/rest", ".rsrc:/resources"]);
}

#[test]
fn units_that_are_valid_text_are_refused() {
    let edited = Edited::new("messages", "strings_surrogates.dll");
    let edited = edited.set("%2Ersrc.json", "resources/0/strings/2/units/0", 0x41);
    edited.comes_to("refused %252Ersrc.json:/resources/0/strings/2: ");
}

#[test]
fn free_slot_in_use_is_refused() {
    let edited = Edited::new("gamez", "model_scattered.zbd").set(MANIFEST, "data/models/slots/2/parent_count", 7);
    edited.comes_to("misread /models/slots/2/next_free: would be read back as 4 bytes of /models/slots/2");
}

#[test]
fn number_of_corners_in_flags_is_reported() {
    let edited = Edited::new("gamez", "model_lights_null.zbd");
    let edited = edited.set(MANIFEST, "data/models/slots/0/polygons/0/flags", "SHOW_BACKFACE | NORMALS | 0x7");
    edited.tells(&["/models/slots/0/polygons/0/flags"]);
}

#[test]
fn pointer_to_a_removed_value_is_reported() {
    let anim = || Edited::new("anim", "cs_c1_m01_mis_anim.zbd");
    anim().without(MANIFEST, "data/definitions/1", "damage_sequence").tells(&["/definitions/1/damage_seq_ptr"]);
}

#[test]
fn padding_with_a_wrong_computed_value_is_refused() {
    let edited = Edited::new("macbinary", "no_final_padding_data_only.scen");
    edited.set(MANIFEST, "data/resource_padding/computed", 0).comes_to("misread /resource_padding: ");
}

#[test]
fn row_addresses_must_match_the_number_of_rows() {
    let shapes = || Edited::new("shapes", "shp_addresses.shpA");
    let (file, bitmap) = ("collection 1.json", "bitmaps/0");
    let (outcome, bytes) = shapes().without(file, bitmap, "row_addresses").packed();
    assert_eq!(outcome, "told ");
    let Some(Document::Json(json)) = form(harness::kind("shapes"), &bytes).files.remove(file) else { panic!("{file}") };
    assert_eq!(json.step("bitmaps").and_then(|it| it.step("0")?.get("row_addresses")), None);
    shapes().again(file, "bitmaps/0/row_addresses", 0).comes_to("refused collection 1.json:/bitmaps/0/row_addresses: ");
}

#[test]
fn redundant_pieces_are_reported() {
    let edited = Edited::new("wad", "gaps_everywhere.sceA");
    let pieces = |json: &mut Value| {
        let Value::List(items) = json else { panic!("a list") };
        items.retain(|item| item.get("gap").is_none());
        items.sort_by_key(|item| item.get("item").and_then(Value::whole).unwrap_or(u64::MAX));
    };
    edited.edit(MANIFEST, "data/pieces", pieces).tells(&["/pieces"]);
}

#[test]
fn entry_that_resembles_another_kind_is_refused_unless_its_kind_is_left_out() {
    let wave = forge::samples(SEED, Size::Tiny).into_iter().find(|it| it.kind == "wave").expect("a wave").bytes;
    let edit = |kind: bool| {
        let mut edited = Edited::new("archive", "pm_sounds_one_byte_each.zbd");
        let Some(raw @ Document::Raw(_)) = edited.form.files.get_mut("dropship_00.wav.bin") else { panic!("no entry") };
        *raw = Document::Raw(wave.clone().into());
        if kind { edited } else { edited.without(MANIFEST, "data/entries/0", "kind") }
    };
    edit(true).comes_to("misread dropship_00.wav: would be read back as ");
    edit(false).comes_to("told ");
}

#[test]
fn count_that_contradicts_its_list_is_refused() {
    let edited = Edited::new("motion", "version_3.motion");
    let edited = edited.edit(MANIFEST, "data", |data| data.put("frame_count", 976_232_388.into()));
    edited.comes_to("refused /frame_count: ");
}

#[test]
fn unstorable_row_of_a_shape_is_reported_at_its_list() {
    let rows = || Edited::new("shapes", "shp_rows.shpA");
    let (file, stored) = ("collection 1.json", "bitmaps/0/stored");
    let told = rows().puts(file, &format!("{stored}/0/pixels/1"), 0).0;
    assert_eq!(told, format!("told {file}: /{stored}"));
    let swapped = rows().beside(file, stored, |json| {
        let items = json.items().unwrap();
        *json = items.iter().rev().cloned().collect();
    });
    let (why, _) = swapped;
    assert!(why.contains("/stored: expected rows in ascending order, found "), "{why}");
}

#[test]
fn checksum_of_neither_palette_is_reported() {
    let picture = Edited::new("picture", "01605.pct").puts(MANIFEST, "data/opcodes/2/palette_crc32", "0d304a78");
    assert_eq!(picture.0, format!("told {MANIFEST}: /opcodes/2/palette_crc32"));
    let shape = Edited::new("shapes", "shp_rows.shpA").puts("collection 1.json", "bitmaps/0/palette_crc32", "00000000");
    assert_eq!(shape.0, "told collection 1.json: /bitmaps/0/palette_crc32");
    let texture =
        Edited::new("texture", "texture_palette_second.zbd").puts("rock02_2.json", "palette_crc32", "9c2c4c0f");
    assert_eq!(texture.0, "told rock02_2.json: /palette_crc32");
}

#[test]
fn image_with_a_shared_palette_must_have_indices() {
    let colors = Edited::new("texture", "texture_palette_index_low.zbd").puts("grnd00_4.json", "palette_count", 0);
    let (why, _) = colors;
    assert!(
        why.contains("/palette_count: expected at least 1, because /flags name a shared palette, found 0"),
        "{why}"
    );
}

#[test]
fn unpacked_shape_with_swapped_sequences_packs() {
    let edited = Edited::new("shapes", "shp_bitmaps_first.shpA");
    let (kind, file) = (edited.kind, "collection 1.json");
    let (outcome, bytes) = edited.beside(file, "pieces", |json| {
        let mut pieces = json.items().unwrap().to_vec();
        pieces.swap(3, 5);
        *json = pieces.into();
    });
    assert_eq!(outcome, "told ");
    let again = form(kind, &bytes);
    let Document::Json(json) = &again.files[file] else { panic!("{file}") };
    let sequences = json.get("sequences").and_then(Value::items).unwrap();
    let names: Vec<_> = sequences.iter().map(|it| it.get("name").and_then(Value::text)).collect();
    assert_eq!(names, [Some("walking"), Some("dying")]);
    let form = Form::parse(unpacked(kind, &bytes)).expect("it is a form");
    let packed = form.pack(KINDS).expect("it packs");
    assert_eq!(encode(&packed.model).expect("encodes"), bytes);
}

#[test]
fn row_of_a_shape_with_default_values_is_reported() {
    let (file, stored) = ("collection 1.json", "bitmaps/0/stored");
    let (outcome, bytes) = Edited::new("shapes", "shp_rows.shpA").puts(file, &format!("{stored}/1/pixels/0"), 0);
    assert_eq!(outcome, format!("told {file}: /{stored}"));
    let again = unpacked(harness::kind("shapes"), &bytes);
    let json = bitexact::exchange::parse(&again[file]).expect("JSON");
    let rows = stored.split('/').fold(&json, |json, key| json.step(key).expect(key)).items().unwrap();
    assert_eq!(rows.iter().map(|it| it.get("row").and_then(Value::whole)).collect::<Vec<_>>(), [Some(0), Some(2)]);
}
