//! Controllers: values of a node that change over time.
#![allow(missing_docs, reason = "the names are all there is to say")]

use bitflags::Flags as _;
use json::Describe as _;

use field::build::Tape;
use field::macros::read_pod;
use field::{
    Block, Class, Codec, F32, Fault, Field, I16, LoadError, Loaded, Record, Shape, Shaped, Stale, Step, Tell, U8,
    Value, wide,
};
use field::{names, record};

use super::flags::NodeFlags;
use super::vectors::Element;

/// Declares the values that controllers of a type of node control: those of every node, and its own.
macro_rules! controllers {
    ($($(#[$meta:meta])* $name:ident, $key:ident { $($own:ident = $number:literal;)* })*) => { $(
        names! {
            $(#[$meta])*
            pub struct $name(I32: i32) {
                POSITION = 8;
                ORIENTATION = 20;
                SCALE = 36;
                $($own = $number;)*
            }
        }

        key! {
            /// A controller of such a node, 12 bytes. Source: `nwn-mdl.md`, section 4.2.
            $key, $name
        }
    )* };
}

/// Declares a controller: its numbers have different meanings for meshes, lights and emitters.
macro_rules! key {
    ($(#[$meta:meta])* $name:ident, $kind:ty) => {
        record! {
            $(#[$meta])*
            pub struct $name: 12 {
                kind: $kind,
                rows: I16,
                /// The index of the first time in the values.
                time_index: I16 as Derived,
                /// The index of the first row in the values.
                data_index: I16 as Derived,
                /// The number of values in a row. With 0x10 set, rows are points of a Bézier curve with three times as many. -1: none.
                columns: U8,
                unk_0b: Stale<1>,
            }
        }
    };
}

key! {
    /// A controller, 12 bytes. Source: `nwn-mdl.md`, section 4.2.
    Key, Controller
}

names! {
    /// The value that a controller controls, for every node. Source: `nwn-mdl.md`, section 4.2.
    pub struct Controller(I32: i32) {
        /// The position of the node.
        POSITION = 8;
        /// Its rotation: x, y, z, w.
        ORIENTATION = 20;
        /// Its scale.
        SCALE = 36;
    }
}

controllers! {
    /// The value that a controller of an emitter controls. Source: `nwn-mdl.md`, section 4.2.
    EmitterController, EmitterKey {
        ALPHA_END = 80;
        ALPHA_START = 84;
        BIRTH_RATE = 88;
        BOUNCE = 92;
        COLOR_END = 96;
        COLOR_START = 108;
        COMBINE_TIME = 120;
        DRAG = 124;
        FPS = 128;
        FRAME_END = 132;
        FRAME_START = 136;
        GRAV = 140;
        LIFE = 144;
        MASS = 148;
        P2P_BEZIER2 = 152;
        P2P_BEZIER3 = 156;
        PARTICLE_ROTATION = 160;
        RANDOM_VELOCITY = 164;
        SIZE_START = 168;
        SIZE_END = 172;
        SIZE_START_Y = 176;
        SIZE_END_Y = 180;
        SPREAD = 184;
        THRESHOLD = 188;
        VELOCITY = 192;
        X_SIZE = 196;
        Y_SIZE = 200;
        BLUR_LENGTH = 204;
        LIGHTNING_DELAY = 208;
        LIGHTNING_RADIUS = 212;
        LIGHTNING_SCALE = 216;
        DETONATE = 228;
        ALPHA_MID = 464;
        COLOR_MID = 468;
        PERCENT_START = 480;
        PERCENT_MID = 481;
        PERCENT_END = 482;
        SIZE_MID = 484;
        SIZE_MID_Y = 488;
    }
    /// The value that a controller of a light controls. Source: `nwn-mdl.md`, section 4.2.
    LightController, LightKey {
        COLOR = 76;
        RADIUS = 88;
        SHADOW_RADIUS = 96;
        VERTICAL_DISPLACEMENT = 100;
        MULTIPLIER = 140;
    }
    /// The value that a controller of a mesh controls. Source: `nwn-mdl.md`, section 4.2.
    MeshController, MeshKey {
        SELF_ILLUMINATION_COLOR = 100;
        ALPHA = 128;
    }
}

/// The type of a node, which decides what its controllers control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeType {
    Emitter,
    Light,
    Mesh,
    Other,
}

impl NodeType {
    /// Returns the type of a node with these flags.
    pub(super) fn of(node: NodeFlags) -> Self {
        match node {
            node if node.contains(NodeFlags::EMITTER) => Self::Emitter,
            node if node.contains(NodeFlags::LIGHT) => Self::Light,
            node if node.contains(NodeFlags::MESH) => Self::Mesh,
            _ => Self::Other,
        }
    }
}

impl Controller {
    /// Returns the name of the value for a node with these flags, or `None` if the number is unknown.
    #[must_use]
    pub fn title(self, node: NodeFlags) -> Option<String> {
        let number = self.get();
        let name = match NodeType::of(node) {
            NodeType::Emitter => EmitterController::new(number).name(),
            NodeType::Light => LightController::new(number).name(),
            NodeType::Mesh => MeshController::new(number).name(),
            NodeType::Other => self.name(),
        };
        name.map(|name| name.to_ascii_lowercase().replace('_', " "))
    }
}

impl Element for Key {}

impl Key {
    /// Returns `true` if its rows are points of Bézier curves, with three times as many values.
    #[must_use]
    pub fn is_bezier(&self) -> bool {
        self.columns.get() != 0xFF && self.columns.get() & 0x10 != 0
    }

    /// Returns the number of floats in a row.
    #[must_use]
    pub fn width(&self) -> usize {
        match self.columns.get() {
            0xFF => 0,
            columns if self.is_bezier() => usize::from(columns & 0x0F) * 3,
            columns => (columns & 0x0F).into(),
        }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.rows.get().try_into().unwrap_or(0)
    }

    /// Returns the number of its times and values.
    fn length(&self) -> usize {
        self.height() * (self.width() + 1)
    }
}

/// Returns the keys with the positions of their times and values if the values of each follow those of the one before.
fn in_order(keys: &[Key]) -> impl Iterator<Item = (&Key, usize, usize)> {
    let mut at = 0;
    keys.iter().map(move |key| {
        let times = at;
        at += key.length();
        (key, times, times + key.height())
    })
}

/// Returns the keys with the indices of these positions.
///
/// # Errors
/// Returns the number of a key, the name of its index and the position if that does not fit.
fn arranged(keys: &[Key]) -> Result<Vec<Key>, (usize, &'static str, usize)> {
    let arranged = |(number, (key, times, values)): (usize, (&Key, usize, usize))| {
        let index = |name, at: usize| i16::try_from(at).map(I16::new).map_err(|_| (number, name, at));
        Ok(Key { time_index: index("time_index", times)?, data_index: index("data_index", values)?, ..*key })
    };
    in_order(keys).enumerate().map(arranged).collect()
}

/// Returns `true` if the values of each key follow those of the one before.
pub(super) fn ordered(keys: &[Key]) -> bool {
    in_order(keys).all(|(key, times, _)| ordered_key(key, times))
}

/// Returns `true` if the times of a key are at this position, and its values after them.
fn ordered_key(key: &Key, times: usize) -> bool {
    let is_at = |index: I16, at: usize| usize::try_from(index.get()) == Ok(at);
    is_at(key.time_index, times) && is_at(key.data_index, times + key.height())
}

/// Updates the indices so that the values of each key follow those of the one before, and reports the changes.
///
/// # Errors
/// Returns an error if an index does not fit its field.
pub(super) fn order(t: &mut Tape<'_>, keys: &mut Block<Key>) -> field::Result {
    if ordered(keys) {
        return Ok(());
    }
    let in_order = arranged(keys).map_err(|(key, name, at)| {
        let steps = [Step::Name("keys"), Step::Index(wide(key)), Step::Name(name)];
        t.error_at(t.position(), steps, Fault::TooLarge { value: wide(at), field: "i16" })
    })?;
    for (index, (was, now)) in (0..).zip(keys.iter().zip(&in_order)) {
        t.report_replaced(|here| here.with([Step::Name("keys"), Step::Index(index)]), was, now);
    }
    *keys = in_order.into();
    Ok(())
}

/// Returns what is expected and found if controllers do not match their values.
pub(super) fn mismatch(keys: &[Key], data: &[F32]) -> Option<(&'static str, String)> {
    let mut end = 0;
    for (key, begin, _) in in_order(keys) {
        if !ordered_key(key, begin) {
            return Some(("values in the order of the controllers", format!("{} at {:?}", key.data_index.get(), key)));
        }
        let rows = data.get(begin..).and_then(|data| data.get(..key.height())).unwrap_or_default();
        if let Some((_, late)) = rows.iter().zip(rows.iter().skip(1)).find(|(before, after)| before.get() > after.get())
        {
            return Some(("ascending times", late.get().to_string()));
        }
        end = begin + key.length();
    }
    // Values without a controller are dead. Four files seen have such values, which is no mismatch.
    (!keys.is_empty() && end != data.len()).then(|| ("as many values as the controllers have", data.len().to_string()))
}

/// The number of floats of all controllers of a node for which every index fits.
const MOST: usize = 0x7FFF;

/// Returns `true` if the exchange format can show controllers with their rows: their values are complete, and in their order.
pub(super) fn is_regular(keys: &[Key], data: &[F32]) -> bool {
    let lengths = || keys.iter().map(Key::length);
    !keys.is_empty()
        && data.len() <= MOST
        && lengths().sum::<usize>() == data.len()
        && keys.iter().all(|key| key.rows.get() >= 0)
        && ordered(keys)
}

/// Returns regular controllers as one value in the order of the file, with the number of its bytes by class.
pub(super) fn joined(keys: &Block<Key>, data: &Block<F32>) -> (Block, [usize; 7]) {
    let mut census = [0; 7];
    keys.iter().for_each(|key| Key::SHAPE.count(Class::Semantic, field::bytes_of(key), &mut census));
    Class::Semantic.count(data.bytes().len(), &mut census);
    ([keys.bytes(), data.bytes()].concat().into(), census)
}

/// Returns the records and the floats of such a value.
pub(super) fn split(joined: &[u8]) -> (Block<Key>, Block<F32>) {
    let (keys, data) = halves(joined);
    (read(keys), read(data))
}

fn read<T: Shaped>(bytes: &[u8]) -> Block<T> {
    bytes.chunks_exact(size_of::<T>()).filter_map(read_pod).collect::<Vec<T>>().into()
}

/// Returns the bytes of the records and of the floats: there are as many records as have all floats.
fn halves(joined: &[u8]) -> (&[u8], &[u8]) {
    let mut length = 0_usize;
    let mut records = joined.chunks_exact(size_of::<Key>()).filter_map(read_pod::<Key>);
    let count = records.position(|key| {
        length += size_of::<Key>() + key.length() * size_of::<F32>();
        length >= joined.len()
    });
    let count = count.map_or(0, |last| last + 1);
    joined.split_at_checked(count * size_of::<Key>()).unwrap_or((joined, &[]))
}

/// Returns each record, its bytes, its times and the values of its rows.
fn controllers(joined: &[u8]) -> impl Iterator<Item = (Key, &[u8], &[u8], &[u8])> {
    let (keys, mut data) = halves(joined);
    keys.chunks_exact(size_of::<Key>()).map(move |bytes| {
        let key: Key = read_pod(bytes).unwrap_or_default();
        let mut next = |floats: usize| {
            let (here, rest) = data.split_at_checked(floats * size_of::<F32>()).unwrap_or((data, &[]));
            data = rest;
            here
        };
        let times = next(key.height());
        (key, bytes, times, next(key.height() * key.width()))
    })
}

/// Declares the encoding of the controllers of a type of node.
macro_rules! codecs {
    ($($name:ident, $key:ty;)*) => { $(
        static $name: Codec = Codec {
            name: "controllers",
            owners,
            show: show::<$key>,
            print: Some(|bytes, sink| sink.value(show::<$key>(bytes))),
            load: |json, _| load::<$key>(json),
            merge: None,
            dense: None,
        };
    )* };
}
codecs! {
    OF_EMITTER, EmitterKey;
    OF_LIGHT, LightKey;
    OF_MESH, MeshKey;
    OF_OTHERS, Key;
}

impl NodeType {
    /// Returns the encoding of the controllers of such a node.
    pub(super) fn codec(self) -> &'static Codec {
        match self {
            Self::Emitter => &OF_EMITTER,
            Self::Light => &OF_LIGHT,
            Self::Mesh => &OF_MESH,
            Self::Other => &OF_OTHERS,
        }
    }
}

fn owners(joined: &[u8], tell: Tell<'_>) {
    let step = |index: usize| Step::Index(wide(index));
    for (index, (key, bytes, ..)) in controllers(joined).enumerate() {
        for field in Key::LAYOUT.fields {
            let value = field.of(bytes).unwrap_or_default();
            // What is not shown belongs to the controller as a whole.
            let shown = is_shown(&key, field, value) || field.name == ROWS;
            let steps: &[Step] = if shown { &[step(index), Step::Name(field.name)] } else { &[step(index)] };
            tell(steps, field.class, value);
        }
    }
    for (index, (key, _, times, values)) in controllers(joined).enumerate() {
        let of = |row: usize, column: usize| [step(index), Step::Name(ROWS), step(row), step(column)];
        for (row, time) in times.chunks_exact(size_of::<F32>()).enumerate() {
            tell(&of(row, 0), Class::Semantic, time);
        }
        for (row, values) in values.chunks_exact(key.width().max(1) * size_of::<F32>()).enumerate() {
            for (value, column) in values.chunks_exact(size_of::<F32>()).zip(1..) {
                tell(&of(row, column), Class::Semantic, value);
            }
        }
    }
}

/// The member of a controller with its type.
const KIND: &str = "kind";
/// The member of a controller that has its rows: for each the time, then the values.
const ROWS: &str = "rows";
/// The member with the number of values in a row, which is absent if a row shows it.
const COLUMNS: &str = "columns";
/// Up to this many columns, a row has as many values.
const PLAIN: u8 = 15;
/// The members that follow from the rows.
const COMPUTED: [&str; 3] = [ROWS, "time_index", "data_index"];

/// Returns `true` if a field of a controller is shown; the others follow from its rows.
fn is_shown(key: &Key, field: &Field, value: &[u8]) -> bool {
    let is_free = match field.name {
        COLUMNS if key.height() > 0 => key.columns.get() > PLAIN,
        COLUMNS => key.columns.get() > 0,
        name => !COMPUTED.contains(&name),
    };
    is_free && !field.is_usual(value)
}

fn show<K: Record>(joined: &[u8]) -> Value {
    let floats =
        |bytes: &[u8]| bytes.chunks_exact(size_of::<F32>()).map(|bytes| F32::OF.show(bytes)).collect::<Vec<Value>>();
    let one = |(key, bytes, times, values): (Key, &[u8], &[u8], &[u8])| {
        let fields = K::LAYOUT.fields.iter().filter_map(|field| {
            let value = field.of(bytes).filter(|value| is_shown(&key, field, value))?;
            Some((field.name.into(), field.shape.show(value)))
        });
        let mut values = floats(values).into_iter();
        let rows = floats(times)
            .into_iter()
            .map(|time| Value::List(core::iter::once(time).chain(values.by_ref().take(key.width())).collect()));
        let rows = (ROWS.into(), rows.collect());
        Value::Object(fields.chain([rows]).collect())
    };
    controllers(joined).map(one).collect()
}

fn load<K: Record>(json: Value) -> Loaded<Vec<u8>> {
    let Value::List(items) = json else { return Err(misfit([], "a list", &json)) };
    let (mut keys, mut data) = (Vec::with_capacity(items.len()), Vec::new());
    for (index, item) in (0..).zip(items) {
        let (key, times, values) = load_one::<K>(item).map_err(|misfit| {
            let steps = [Step::Index(index)].into_iter().chain(misfit.steps).collect();
            LoadError { steps, ..misfit }
        })?;
        keys.push(key);
        data.extend(times);
        data.extend(values);
    }
    if data.len() > MOST {
        let expected = format!("at most {MOST} times and values");
        return Err(LoadError::new(Vec::new(), expected, data.len().to_string()));
    }
    let keys = arranged(&keys).map_err(|(key, name, at)| {
        let steps = vec![Step::Index(wide(key)), Step::Name(name)];
        LoadError::new(steps, format!("at most {}", i16::MAX), at.to_string())
    })?;
    Ok([bytemuck::cast_slice(&keys), bytemuck::cast_slice::<F32, u8>(&data)].concat())
}

/// Loads a controller: its record without indices, its times and its values.
fn load_one<K: Record>(json: Value) -> Loaded<(Key, Vec<F32>, Vec<F32>)> {
    let Value::Object(members) = json else { return Err(misfit([], "an object", &json)) };
    let (mut key, mut rows, mut given) = (Key::default(), Vec::new(), Vec::new());
    for (name, value) in members {
        let field = K::LAYOUT.fields.iter().find(|field| field.name == name);
        match (field.filter(|field| !COMPUTED.contains(&field.name)), value) {
            (_, Value::List(items)) if name == ROWS => rows = items,
            (_, value) if name == ROWS => return Err(misfit([Step::Name(ROWS)], "a list", &value)),
            (Some(field), value) => {
                let end = field.offset + field.shape.size();
                let bytes = field::bytes_of_mut(&mut key).get_mut(field.offset..end).unwrap_or_default();
                if let Shape::Leaf(leaf) = field.shape {
                    let refuse = |expected: String| misfit([Step::Name(field.name)], &expected, &value);
                    leaf.set(&value, bytes).map_err(refuse)?;
                }
                given.push(field.name);
            }
            (None, value) => return Err(LoadError::surplus(Vec::new(), vec![name.into()], value.describe())),
        }
    }
    if !given.contains(&KIND) {
        return Err(misfit([Step::Name(KIND)], "a value", &Value::Null));
    }
    if !given.contains(&COLUMNS) {
        let columns = rows.first().and_then(Value::items).map_or(0, |row| row.len().saturating_sub(1));
        let columns = u8::try_from(columns).ok().filter(|columns| *columns <= PLAIN);
        let refuse = || {
            let expected = format!("a time and at most {PLAIN} values, or a member columns that states how many");
            misfit(row(0), &expected, rows.first().unwrap_or(&Value::Null))
        };
        key.columns.set(columns.ok_or_else(refuse)?);
    }
    key.rows.set(i16::try_from(rows.len()).unwrap_or(i16::MAX));
    let expected = match key.width() {
        0 => "a time without values".to_owned(),
        1 => "a time and a value".to_owned(),
        width => format!("a time and {width} values"),
    };
    let (mut times, mut values) = (Vec::with_capacity(rows.len()), Vec::new());
    for (index, it) in (0..).zip(rows) {
        let items = it.items().filter(|items| items.len() == key.width() + 1);
        for (column, item) in (0..).zip(items.ok_or_else(|| misfit(row(index), &expected, &it))?) {
            let mut float = F32::default();
            let [rows, index] = row(index);
            let refuse = |expected: String| misfit([rows, index, Step::Index(column)], &expected, item);
            F32::OF.set(item, field::bytes_of_mut(&mut float)).map_err(refuse)?;
            if column == 0 { times.push(float) } else { values.push(float) }
        }
    }
    Ok((key, times, values))
}

/// Returns the steps to a row.
fn row(index: u64) -> [Step; 2] {
    [Step::Name(ROWS), Step::Index(index)]
}

fn misfit<const N: usize>(steps: [Step; N], expected: &str, found: &Value) -> LoadError {
    LoadError::new(steps.to_vec(), expected, found.describe())
}

#[cfg(test)]
mod tests {
    use super::*;
    use json::Compact;

    /// Returns the value of controllers: for each its type, its columns, its times and its values.
    fn value(controllers: &[(i32, u8, &[f32], &[f32])]) -> Vec<u8> {
        let key = |(kind, columns, times, _): &(i32, u8, &[f32], &[f32])| Key {
            kind: Controller::new(*kind),
            rows: I16::new(i16::try_from(times.len()).expect("small")),
            columns: U8::new(*columns),
            ..Key::default()
        };
        let keys: Vec<Key> = controllers.iter().map(key).collect();
        let data =
            controllers.iter().flat_map(|(.., times, values)| times.iter().chain(*values).copied().map(F32::new));
        let (keys, data) = (arranged(&keys).expect("small"), data.collect::<Vec<F32>>());
        assert!(is_regular(&keys, &data));
        [bytemuck::cast_slice(&keys), bytemuck::cast_slice::<F32, u8>(&data)].concat()
    }

    #[test]
    fn index_that_does_not_fit_is_neither_in_order_nor_made() {
        let [first, last] = [0, 32767].map(|at| Key {
            rows: I16::new(32767),
            columns: U8::new(1),
            time_index: I16::new(at),
            data_index: I16::new(32767),
            ..Key::default()
        });
        // The values of the second one would begin at 65,534.
        assert_eq!((ordered(&[first]), ordered(&[first, last])), (true, false));
        assert_eq!(arranged(&[first]), Ok(vec![first]));
        assert_eq!(arranged(&[first, last]), Err((1, "time_index", 65534)));
    }

    #[test]
    fn controllers_are_shown_by_rows_and_round_trip() {
        let bezier: Vec<f32> = (0..9_u8).map(f32::from).collect();
        for (controllers, shown) in [
            (
                &[(8, 3, &[0.0, 0.5][..], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0][..]), (80, 1, &[0.0], &[-0.0])][..],
                r#"[{"kind":"POSITION","rows":[[0.0,1.0,2.0,3.0],[0.5,4.0,5.0,6.0]]},{"kind":"ALPHA_END","rows":[[0.0,-0.0]]}]"#,
            ),
            (
                &[(999, 0x13, &[0.0], &bezier)],
                r#"[{"kind":999,"columns":19,"rows":[[0.0,0.0,1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0]]}]"#,
            ),
            (
                &[(999, 0x18, &[0.0], &[1.0; 24])],
                r#"[{"kind":999,"columns":24,"rows":[[0.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0]]}]"#,
            ),
            (&[(228, 0xFF, &[1.0, 2.0], &[])], r#"[{"kind":"DETONATE","columns":255,"rows":[[1.0],[2.0]]}]"#),
            (
                &[(36, 1, &[], &[]), (36, 0, &[], &[])],
                r#"[{"kind":"SCALE","columns":1,"rows":[]},{"kind":"SCALE","rows":[]}]"#,
            ),
        ] {
            let bytes = value(controllers);
            let json = show::<EmitterKey>(&bytes);
            assert_eq!(Compact(&json).to_string(), shown);
            assert_eq!(load::<EmitterKey>(json), Ok(bytes.clone()));
            let mut owned = Vec::new();
            owners(&bytes, &mut |_, _, bytes| owned.extend_from_slice(bytes));
            assert_eq!(owned, bytes);
        }
    }

    #[test]
    fn rows_that_do_not_fit_are_refused() {
        for (text, place, expected) in [
            (r#"[{"rows": []}]"#, "0/kind", "a value"),
            (r#"[{"kind": 8, "rows": [[0.0, 1.0], [0.0]]}]"#, "0/rows/1", "a time and a value"),
            (r#"[{"kind": 8, "rows": [[0.0, "x"]]}]"#, "0/rows/0/1", "a float"),
            (r#"[{"kind": 8, "columns": 3, "rows": [[0.0]]}]"#, "0/rows/0", "a time and 3 values"),
            (r#"[{"kind": 8, "time_index": 3, "rows": []}]"#, "0", "no member time_index"),
            (r#"[{"kind": 8, "rows": 1}]"#, "0/rows", "a list"),
        ] {
            let misfit = load::<Key>(json::parse(text.as_bytes()).expect("JSON")).expect_err(text);
            let place_of = field::Place::default().with(misfit.steps);
            assert_eq!(place_of.to_string(), format!("/{place}"), "{text}");
            assert!(misfit.expected.starts_with(expected), "{text}: {}", misfit.expected);
        }
    }
}
