use super::super::arrangement::Part;
use crate::{Arrangement, Block, Fault, Lay, Places, Result, Run, Tape, decode};

#[test]
fn table_inside_an_item_is_refused() {
    #[derive(Default)]
    struct Inside(Option<(Part, Fault)>);
    impl Lay for Inside {
        fn lay(&mut self, t: &mut Tape<'_>) -> Result {
            self.0 = Arrangement::find(t, 0, &Places { items: vec![0..2, 4..4], table: Some(1..4) }).err();
            t.rest("bytes", Run::Opaque, &mut Block::default())
        }
    }
    let found = decode::<Inside>(vec![0; 4]).expect("decodes").model.0;
    let expected = "an offset from 2, after the entries".to_owned();
    assert_eq!(found, Some((Part::Table, Fault::Outside { found: 1, expected })));
}

/// A thousand items without bytes, which a file can claim to have at no cost.
#[derive(Debug, Default)]
struct Thousand(Arrangement);

impl Lay for Thousand {
    fn lay(&mut self, t: &mut Tape<'_>) -> Result {
        if t.reading() {
            let found = Arrangement::find_items(t, 0, vec![0..0; 1000]);
            self.0 = found.map_err(|(_, fault)| t.error(fault))?;
        }
        Ok(())
    }
}

#[test]
fn memory_of_items_is_charged_before_it_is_taken() {
    let fits = |memory: &u64| crate::decode_within::<Thousand>(Vec::new(), *memory).is_ok();
    let needed = (1..1000).map(|it| it * 1000).find(fits).expect("fits");
    // About 240 bytes for each, where a size takes eight.
    assert!((230_000..250_000).contains(&needed), "{needed}");
}
