//! Values of a model that are edited by place, without the exchange format of the rest of it.

#[cfg(feature = "exchange")]
use super::diff::{Change, changes_of_fields};
use super::editor::{Piece, Which, edit};
use super::find_parts::{FoundParts, PartFinder, Way};
use super::other_parts::Again;
#[cfg(feature = "exchange")]
use super::typed::typed_at;
#[cfg(feature = "exchange")]
use super::value;
use super::value::{new_entry, set};
use field::{Address, Error, Lay, Value, Visitor, visit, walk};
use json::{ReplacedValue, recompute::recompute};

/// Values of a model that are being edited.
#[derive(Debug)]
pub struct Values {
    found_parts: FoundParts,
    /// The target of each address: a part, and the keys in it.
    ways: Vec<Way>,
    /// The values that have been set, with the numbers of their addresses.
    set: Vec<(usize, Value)>,
    /// The places of the parts, and what they held.
    #[cfg(feature = "exchange")]
    before: Vec<Option<(Address, Value)>>,
}

/// Edits made to a model, which its file must contain when it is read again.
#[derive(Debug)]
pub struct Made {
    /// Preserved values that rules have replaced.
    pub replaced: Vec<ReplacedValue>,
    pieces: Vec<Piece>,
    outside: u64,
    ways: Vec<Way>,
    set: Vec<(usize, Value)>,
    #[cfg(feature = "exchange")]
    before: Vec<Option<(Address, Value)>>,
}

impl Values {
    /// Finds the values at some places. Returns `None` if one of them is not a part that can be loaded alone.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn open<M: walk::Lay + ?Sized>(model: &M, places: &[Address]) -> Result<Option<Self>, Error> {
        let places: Vec<&Address> = places.iter().collect();
        Ok(Self::find((&places, &[]), |finder| visit(model, finder).map(drop))?.0)
    }

    /// Finds the values at some places, and the lists of items that are to be deleted or inserted, by a walk, and returns its result. The
    /// addresses of items are numbered after the others.
    pub(super) fn find<T>(
        (places, items): (&[&Address], &[&Address]),
        walk: impl FnOnce(&mut dyn Visitor) -> Result<T, Error>,
    ) -> Result<(Option<Self>, T), Error> {
        let mut finder = PartFinder::of(places, items);
        let outcome = walk(&mut finder)?;
        let found = finder.finish().map(|(found_parts, ways)| Self {
            #[cfg(feature = "exchange")]
            before: contents(&found_parts.pieces, &ways, |number| places.iter().chain(items).nth(number).copied()),
            found_parts,
            ways,
            set: Vec::new(),
        });
        Ok((found, outcome))
    }

    /// Sets the value at the address with this number, as [`set`] does.
    ///
    /// # Errors
    /// Returns an error if the value cannot be set.
    pub fn set(&mut self, number: usize, value: Value, retyped: bool) -> Result<(), String> {
        let (whole, keys) = self.part(number)?;
        let value = new_entry(whole, keys, value);
        self.set.push((number, value.clone()));
        let (whole, keys) = self.part(number)?;
        set(whole, keys, value, retyped)
    }

    /// Sets the value at the address with this number to what a person has typed.
    ///
    /// # Errors
    /// Returns an error if the word is neither JSON nor the text that the value takes, or if the value cannot be set.
    #[cfg(feature = "exchange")]
    pub(super) fn set_typed(&mut self, number: usize, word: &str, retyped: bool) -> Result<(), String> {
        let (whole, keys) = self.part(number)?;
        let value = typed_at(whole, keys, word, (retyped, false))?;
        self.set(number, value, retyped)
    }

    /// Deletes the item or member at the address with this number, as [`delete`](value::delete) does.
    ///
    /// # Errors
    /// Returns an error if there is none.
    #[cfg(feature = "exchange")]
    pub(super) fn delete(&mut self, number: usize) -> Result<Value, String> {
        let (whole, keys) = self.part(number)?;
        value::delete(whole, keys)
    }

    /// Inserts an item before the one at the address with this number, as [`insert`](value::insert) does.
    ///
    /// # Errors
    /// Returns an error if there is no such list, or if it is shorter.
    #[cfg(feature = "exchange")]
    pub(super) fn insert(&mut self, number: usize, value: Value) -> Result<(), String> {
        let (whole, keys) = self.part(number)?;
        value::insert(whole, keys, value)
    }

    /// Inserts what a person has typed before the item at the address with this number.
    ///
    /// # Errors
    /// Returns an error if the word is neither JSON nor the text that the list takes, or if there is no such list.
    #[cfg(feature = "exchange")]
    pub(super) fn insert_typed(&mut self, number: usize, word: &str) -> Result<(), String> {
        let (whole, keys) = self.part(number)?;
        let value = typed_at(whole, keys, word, (false, true))?;
        value::insert(whole, keys, value)
    }

    /// Returns the value at the address with this number, or `None` if it is as expected.
    pub(crate) fn get(&self, number: usize) -> Option<&Value> {
        let (piece, keys) = self.ways.get(number)?;
        let whole = &self.found_parts.pieces.get(*piece)?.json;
        keys.iter().try_fold(whole, |json, key| json.step(key))
    }

    /// Returns the part that holds the address with this number, and the keys in that part.
    fn part(&mut self, number: usize) -> Result<(&mut Value, &[String]), String> {
        let part = self
            .ways
            .get(number)
            .and_then(|(piece, keys)| Some((&mut self.found_parts.pieces.get_mut(*piece)?.json, keys.as_slice())));
        part.ok_or_else(|| "nothing at this place".to_owned())
    }

    /// Loads the parts back into their model, and recomputes the values that depend on them. If the edits do not fit, the model must
    /// not be used again.
    ///
    /// # Errors
    /// Returns an error if an edit does not fit its place, or if the edited model cannot be laid out.
    pub fn load<M: Lay + ?Sized>(self, model: &mut M) -> Result<Made, Error> {
        let FoundParts { pieces, deviating, outside } = self.found_parts;
        let recomputation = edit(model, pieces.clone(), deviating)?;
        let replaced = recompute(model, &recomputation)?;
        Ok(Made {
            replaced,
            pieces,
            outside,
            ways: self.ways,
            set: self.set,
            #[cfg(feature = "exchange")]
            before: self.before,
        })
    }
}

impl Made {
    /// Returns `true` if a model that has been read again contains the values that were set, and otherwise consists of the same
    /// parts. A value can decide what other data are, and a format can change the value itself: neither is an edit of one value.
    ///
    /// # Errors
    /// Returns an error if the model cannot be laid out.
    pub fn is_in<M: walk::Lay + ?Sized>(&self, model: &M) -> Result<bool, Error> {
        let mut again = self.again();
        visit(model, &mut again)?;
        Ok(self.found_in(again).is_some())
    }

    /// Returns a visitor that finds the parts in a model that has been read again.
    pub(super) fn again(&self) -> Again {
        Again::of(self.pieces.clone())
    }

    /// Returns the edited parts of the model that this visitor has seen, if [`is_in`](Self::is_in) is true for it.
    pub(super) fn found_in(&self, again: Again) -> Option<Vec<Piece>> {
        let (outside, pieces) = again.finish();
        let is_said = |(number, value): &(usize, Value)| {
            let Some((piece, keys)) = self.ways.get(*number) else { return false };
            let Some(Piece { json, which, .. }) = pieces.get(*piece) else { return false };
            // A list loaded as a whole is compared by its parts, and the last item of a list is not known by its key.
            let is_shown = *which != Which::Step && keys.last().is_none_or(|key| key != "-");
            let found = keys.iter().try_fold(json, |json, key| json.step(key));
            !is_shown || matches_set(found, value)
        };
        // If a value is set twice, the last one counts.
        let is_last =
            |nth: usize, number: usize| self.set.iter().skip(nth + 1).all(|(it, _)| !self.is_same(*it, number));
        let all_said = self.set.iter().enumerate().all(|(nth, it)| !is_last(nth, it.0) || is_said(it));
        (outside == self.outside && all_said).then_some(pieces)
    }

    /// Returns what has changed in the parts, now that these are as read back, or `None` if something else may have: a preserved value, or
    /// more than fields.
    #[cfg(feature = "exchange")]
    pub(super) fn changes(&self, pieces: &[Piece]) -> Option<Vec<Change>> {
        let is_fields = |it: &Piece| match it.which {
            Which::Fields(_) | Which::Row(_) => true,
            Which::Datum => matches!(it.json, Value::Integer(_) | Value::Float(_) | Value::Named(..)),
            Which::Step => false,
        };
        let are_fields = pieces.iter().all(is_fields);
        if !are_fields || !self.replaced.is_empty() {
            return None;
        }
        let mut changes = Vec::new();
        for (before, piece) in self.before.iter().zip(pieces) {
            let (at, before) = before.as_ref()?;
            changes.extend(changes_of_fields(before, &piece.json, at));
        }
        Some(changes)
    }

    /// Returns `true` if two addresses lead to the same value, or one into the other.
    fn is_same(&self, one: usize, other: usize) -> bool {
        match (self.ways.get(one), self.ways.get(other)) {
            (Some((one, keys)), Some((other, others))) => {
                one == other && (keys.starts_with(others) || others.starts_with(keys))
            }
            _ => false,
        }
    }
}

/// Returns the places of parts, and what they hold. Each is on the way to one of the places.
#[cfg(feature = "exchange")]
fn contents<'p>(
    pieces: &[Piece],
    ways: &[Way],
    place: impl Fn(usize) -> Option<&'p Address>,
) -> Vec<Option<(Address, Value)>> {
    let content = |(part, piece): (usize, &Piece)| {
        let place = ways.iter().position(|(it, _)| *it == part).and_then(&place)?;
        Some((piece.address(place.entry.clone()), piece.json.clone()))
    };
    pieces.iter().enumerate().map(content).collect()
}

/// Returns `true` if the value found is the one that was set: a computed value is absent, and a preserved one is marked as kept.
fn matches_set(found: Option<&Value>, value: &Value) -> bool {
    match found {
        // The value that was set is the expected one, or it would be present.
        None => true,
        Some(found) => {
            found == value || found.get("kept").is_some_and(|kept| Some(kept) == value.get("kept") || kept == value)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use field::{Block, Integer as _, Label, Run, U32, lay, record, wide};

    #[test]
    fn value_is_found_as_it_was_set_or_as_kept_or_not_at_all() {
        let value = |text: &str| json::parse(text.as_bytes()).expect("JSON");
        let found = |found: &str, set: &str| matches_set(Some(&value(found)), &value(set));
        assert!(matches_set(None, &value("7")), "it is the expected one");
        assert!(found("7", "7"));
        assert!(!found("8", "7"));
        assert!(found(r#"{"kept": 7, "computed": 9}"#, "7"));
        assert!(found(r#"{"kept": 7, "computed": 9}"#, r#"{"kept": 7, "computed": 8}"#), "only what is kept was set");
        assert!(!found(r#"{"kept": 8, "computed": 7}"#, "7"));
        assert!(!found(r#"{"kept": 8, "computed": 9}"#, r#"{"kept": 7, "computed": 9}"#));
    }

    record! {
        /// A record that waits for its container.
        struct Head: 12 {
            count: U32 as Outside,
            number: U32,
            double: U32 => |it| it.number.get() * 2,
        }
    }

    record! {
        struct Cell: 8 {
            x: U32,
            y: U32,
        }
    }

    /// A part of each type.
    #[derive(Clone, Default)]
    struct Sheet {
        head: Head,
        lone: U32,
        cell: Cell,
        inner: U32,
        rows: Block<Cell>,
        marks: Block<U32>,
        items: Vec<U32>,
        raw: Block,
        tail: Head,
        ruled: Block<Head>,
        gap: Block,
        boxes: Vec<U32>,
    }

    lay! {
        impl Lay for Sheet {
            fn lay(self: at!(Self), t: &mut Tape<'_>) -> field::Result {
                let rules = Head { count: U32::of(wide(self.rows.len())).expect("it fits"), ..self.head };
                let last = Head { count: U32::of(wide(self.items.len())).expect("it fits"), ..self.tail };
                t.fields_ruled(at!(self.head), |_| rules)?;
                t.value("lone", at!(self.lone))?;
                t.value("cell", at!(self.cell))?;
                t.group("group", |t| t.value("inner", at!(self.inner)))?;
                t.block("rows", wide(self.rows.len()), at!(self.rows))?;
                t.block("marks", wide(self.marks.len()), at!(self.marks))?;
                t.list("items", wide(self.items.len()), 4, at!(self.items), |t, it| t.value("n", it))?;
                t.run("raw", Run::Opaque, wide(self.raw.len()), at!(self.raw))?;
                t.group("tail", |t| t.fields_ruled(at!(self.tail), |_| last))?;
                let rules = t.rules(|| Ok(self.ruled.iter().map(|row| Head { count: U32::new(7), ..*row }).collect()))?;
                t.block_by("ruled", wide(self.ruled.len()), at!(self.ruled), rules.as_ref())?;
                t.run("gap", Run::Padding(wide(self.gap.len())), wide(self.gap.len()), at!(self.gap))?;
                t.list("boxes", wide(self.boxes.len()), 4, at!(self.boxes), |t, it| {
                    t.part(Label::role("box"), "box", |t| t.value("n", it))
                })
            }
        }
    }

    fn head([count, number, double]: [u32; 3]) -> Head {
        let [count, number, double] = [count, number, double].map(U32::new);
        Head { count, number, double }
    }

    fn cell([x, y]: [u32; 2]) -> Cell {
        Cell { x: U32::new(x), y: U32::new(y) }
    }

    fn sheet() -> Sheet {
        Sheet {
            head: head([2, 5, 10]),
            lone: U32::new(1),
            cell: cell([7, 8]),
            inner: U32::new(4),
            rows: Block::from([[20, 21], [22, 23]].map(cell).to_vec()),
            marks: Block::from([30, 31].map(U32::new).to_vec()),
            items: [40, 41].map(U32::new).to_vec(),
            raw: Block::from(vec![9_u8; 3]),
            tail: head([2, 6, 12]),
            ruled: Block::from([[7, 1, 2], [7, 2, 4], [7, 3, 6]].map(head).to_vec()),
            gap: Block::from(vec![0_u8; 2]),
            boxes: vec![U32::new(50)],
        }
    }

    fn addresses(places: &[&str]) -> Vec<Address> {
        places.iter().map(|place| Address::from(*place)).collect()
    }

    /// Returns the part of the only place, the keys in it, and the value there.
    fn part(found: Option<Values>) -> Option<(Which, String, Option<String>)> {
        let found = found?;
        let (piece, keys) = found.ways.first()?;
        let value = found.get(0).map(|value| json::Compact(value).to_string());
        Some((found.found_parts.pieces.get(*piece)?.which, keys.join("/"), value))
    }

    #[test]
    fn each_place_is_in_the_smallest_part_that_can_be_loaded() {
        let at = |place: &str| part(Values::open(&sheet(), &addresses(&[place])).expect("is laid out"));
        let is =
            |which: Which, keys: &str, value: Option<&str>| Some((which, keys.to_owned(), value.map(str::to_owned)));
        let fields = Which::Fields("count");
        assert_eq!(at("/number"), is(fields, "number", Some("5")));
        assert_eq!(at("/double"), is(fields, "double", None));
        assert_eq!(at("/tail/number"), is(fields, "number", Some("6")));
        assert_eq!(at("/lone"), is(Which::Datum, "", Some("1")));
        assert_eq!(at("/cell"), is(Which::Datum, "", Some(r#"{"x":7,"y":8}"#)));
        assert_eq!(at("/cell/y"), is(Which::Datum, "y", Some("8")));
        assert_eq!(at("/group/inner"), is(Which::Datum, "", Some("4")));
        assert_eq!(at("/rows/1"), is(Which::Row(1), "", Some(r#"{"x":22,"y":23}"#)));
        assert_eq!(at("/rows/0/y"), is(Which::Row(0), "y", Some("21")));
        assert_eq!(at("/marks/1"), is(Which::Row(1), "", Some("31")));
        assert_eq!(at("/marks"), is(Which::Datum, "", Some("[30,31]")));
        assert_eq!(at("/rows/-"), is(Which::Datum, "-", None));
        assert_eq!(at("/items"), is(Which::Step, "", Some(r#"[{"n":40},{"n":41}]"#)));
        assert_eq!(at("/items/1"), is(Which::Step, "1", Some(r#"{"n":41}"#)));
        assert_eq!(at("/items/-"), is(Which::Step, "-", None));
        assert_eq!(at("box:/n"), is(Which::Datum, "", Some("50")));
        assert_eq!(at("/items/1/n"), is(Which::Datum, "", Some("41")));
        assert_eq!(at("/raw"), is(Which::Datum, "", Some(r#""09 09 09""#)).or(at("/raw")));
        for place in [
            "",
            "/none",
            "/group",
            "/rows/2",
            "/rows/x",
            "/marks/2",
            "/items/x",
            "/items/2/n",
            "/raw/0",
            // What is in an entry is not loaded with the list around it.
            "/boxes",
            "/boxes/0",
            "/gap",
            "/tail",
            "/none/number",
        ] {
            assert_eq!(at(place), None, "{place}");
        }
        let without = Sheet { raw: Block::default(), ..sheet() };
        assert_eq!(part(Values::open(&without, &addresses(&["/raw"])).expect("is laid out")), None);
    }

    #[test]
    fn list_of_an_item_is_one_part() {
        let at = |place: &str| {
            let (items, model) = (addresses(&[place]), sheet());
            let items: Vec<&Address> = items.iter().collect();
            part(Values::find((&[], &items), |finder| visit(&model, finder).map(drop)).expect("is laid out").0)
        };
        assert_eq!(at("/rows/1").map(|it| (it.0, it.1)), Some((Which::Datum, "1".to_owned())));
        assert_eq!(at("/marks/7").map(|it| (it.0, it.1)), Some((Which::Datum, "7".to_owned())));
        assert_eq!(at("/items/1").map(|it| (it.0, it.1)), Some((Which::Step, "1".to_owned())));
        assert_eq!(at("/rows/1/x").map(|it| (it.0, it.1)), Some((Which::Row(1), "x".to_owned())));
        assert_eq!(at("/group/1"), None);
    }

    #[test]
    fn block_is_one_part_or_has_rows_but_not_both() {
        let open = |places: &[&str]| Values::open(&sheet(), &addresses(places)).expect("is laid out");
        assert!(open(&["/rows", "/rows/1/x"]).is_none() && open(&["/rows/1/x", "/rows/-"]).is_none());
        let both = open(&["/rows/0/x", "/rows/1/x", "/rows/1/y", "/marks"]).expect("are parts");
        assert_eq!(both.found_parts.pieces.len(), 3);
        assert_eq!((both.get(1), both.get(2)), (Some(&22.into()), Some(&23.into())));
    }

    #[test]
    fn value_that_is_as_expected_is_known_where_the_part_has_it() {
        let places = [
            "/double",
            "/rows/1/y",
            "/rows/1/z",
            "/lone",
            "/lone/x",
            "/none",
            "/cell/z",
            "/ruled/1/double",
            "/ruled/1/x",
        ];
        let places = addresses(&places);
        let mut finder = PartFinder::new(&places);
        visit(&sheet(), &mut finder).expect("is laid out");
        let found = finder.values();
        let lone = Some(Some(1.into()));
        assert_eq!(found, [Some(None), Some(Some(23.into())), None, lone, None, None, None, Some(None), None]);
    }

    /// Edits the sheet, and returns it with what the edit must have made.
    fn edited(mut model: Sheet, edits: &[(&str, Value)]) -> (Sheet, Made) {
        let places: Vec<&str> = edits.iter().map(|(place, _)| *place).collect();
        let mut values = Values::open(&model, &addresses(&places)).expect("is laid out").expect("are parts");
        for (number, (_, value)) in edits.iter().enumerate() {
            values.set(number, value.clone(), false).expect("it fits");
        }
        let made = values.load(&mut model).expect("is laid out");
        (model, made)
    }

    #[test]
    fn model_with_the_values_that_were_set_and_the_same_parts_is_the_edited_one() {
        let edits = [("/number", 9.into()), ("/rows/1/y", 33.into()), ("/items/0/n", 44.into())];
        let (model, made) = edited(sheet(), &edits);
        assert_eq!(
            (model.head, model.rows.get(1), model.items[0].get()),
            (head([2, 9, 18]), Some(&cell([22, 33])), 44)
        );
        let is_in = |model: &Sheet| made.is_in(model).expect("is laid out");
        assert!(is_in(&model));
        // What is not edited can have any value, but must be there.
        assert!(is_in(&Sheet { lone: U32::new(2), marks: Block::from(vec![U32::new(1)]), ..model.clone() }));
        assert!(!is_in(&Sheet { items: model.items[..1].to_vec(), ..model.clone() }), "an item less");
        assert!(!is_in(&Sheet { raw: Block::default(), ..model.clone() }), "no bytes");
        assert!(!is_in(&Sheet { marks: Block::default(), ..model.clone() }), "no marks");
        for other in [
            Sheet { head: head([2, 8, 16]), ..model.clone() },
            Sheet { rows: Block::from([[22, 33], [22, 23]].map(cell).to_vec()), ..model.clone() },
            Sheet { items: [40, 44].map(U32::new).to_vec(), ..model.clone() },
        ] {
            assert!(!is_in(&other), "a value is not the one that was set");
        }
    }

    #[test]
    fn last_of_several_values_at_a_place_counts() {
        let (model, made) = edited(sheet(), &[("/cell/x", 1.into()), ("/cell/x", 2.into())]);
        assert!(model.cell == cell([2, 8]) && made.is_in(&model).expect("is laid out"));
        assert!(!made.is_in(&Sheet { cell: cell([1, 8]), ..model }).expect("is laid out"));
        let whole = || json::parse(br#"{"x": 5, "y": 6}"#).expect("JSON");
        let (model, made) = edited(sheet(), &[("/cell", whole()), ("/cell/y", 7.into())]);
        assert!(model.cell == cell([5, 7]) && made.is_in(&model).expect("is laid out"));
        let (model, made) = edited(sheet(), &[("/cell/y", 7.into()), ("/cell", whole())]);
        assert!(model.cell == cell([5, 6]) && made.is_in(&model).expect("is laid out"));
        // Values beside it, and in another part, count all.
        let (model, made) = edited(sheet(), &[("/cell/x", 1.into()), ("/cell/y", 2.into()), ("/lone", 3.into())]);
        assert!(made.is_in(&model).expect("is laid out"));
        assert!(!made.is_in(&Sheet { cell: cell([9, 2]), ..model.clone() }).expect("is laid out"));
        assert!(!made.is_in(&Sheet { cell: cell([1, 9]), ..model }).expect("is laid out"));
    }

    #[test]
    fn preserved_value_of_another_record_stays() {
        let odd = Sheet { tail: head([2, 6, 77]), ..sheet() };
        let (model, made) = edited(odd.clone(), &[("/lone", 3.into())]);
        assert!(model.tail == head([2, 6, 77]) && made.replaced.is_empty());
        let (model, made) =
            edited(odd.clone(), &[("/number", 3.into()), ("/rows/0/x", 4.into()), ("/marks/0", 4.into())]);
        assert!(model.tail == head([2, 6, 77]) && made.replaced.is_empty());
        let (model, made) = edited(odd, &[("/tail/number", 3.into())]);
        assert_eq!((model.tail, made.replaced.len()), (head([2, 3, 6]), 1));
        // Those of other rows stay, whichever row is edited.
        let odd = [[7, 1, 20], [9, 2, 40], [7, 3, 60]];
        let odd = Sheet { ruled: Block::from(odd.map(head).to_vec()), ..sheet() };
        let rows = |edits: &[(&str, Value)]| {
            let (model, made) = edited(odd.clone(), edits);
            (model.ruled.iter().copied().collect::<Vec<_>>(), made.replaced.len())
        };
        let [first, second, third] = [[7, 1, 20], [9, 2, 40], [7, 3, 60]].map(head);
        assert_eq!(rows(&[("/lone", 3.into())]), (vec![first, second, third], 0));
        assert_eq!(rows(&[("/ruled/0/number", 5.into())]), (vec![head([7, 5, 10]), second, third], 1));
        assert_eq!(rows(&[("/ruled/1/number", 5.into())]), (vec![first, head([9, 5, 10]), third], 1));
        let both = [("/ruled/2/number", 5.into()), ("/ruled/0/number", 6.into())];
        assert_eq!(rows(&both), (vec![head([7, 6, 12]), second, head([7, 5, 10])], 2));
    }

    #[test]
    fn only_what_is_asked_for_is_recomputed() {
        let mut model = Sheet { head: head([2, 5, 11]), tail: head([2, 6, 77]), ..sheet() };
        let places = addresses(&["/double", "/lone"]);
        let recomputed = super::super::recompute::recompute(&mut model, &places).expect("is laid out");
        assert_eq!((model.head, model.tail), (head([2, 5, 10]), head([2, 6, 77])));
        assert_eq!((recomputed.replaced.len(), recomputed.idle), (1, vec![&places[1]]));
    }

    #[test]
    #[cfg(feature = "exchange")]
    fn changes_are_known_if_they_are_those_of_fields() {
        let changes = |model: Sheet, edits: &[(&str, Value)]| {
            let (model, made) = edited(model, edits);
            let mut again = made.again();
            visit(&model, &mut again).expect("is laid out");
            let pieces = made.found_in(again).expect("it is the edited one");
            made.changes(&pieces).map(|found| found.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        let edits = [("/number", 9.into()), ("/rows/1/y", 33.into()), ("/lone", 2.into()), ("/cell/x", 7.into())];
        let said = ["/number: 5 → 9", "/lone: 1 → 2", "/rows/1/y: 23 → 33"].map(str::to_owned);
        assert_eq!(changes(sheet(), &edits[..3]), Some(said.to_vec()));
        assert_eq!(changes(sheet(), &edits), None, "a record is more than a field");
        assert_eq!(changes(sheet(), &[("/items/0", json::parse(br#"{"n": 1}"#).expect("JSON"))]), None);
        let odd = Sheet { head: head([2, 5, 11]), ..sheet() };
        assert_eq!(changes(odd, &edits[..1]), None, "a preserved value is replaced");
    }
}
