//! The keywords of text models, each with the field that it stands for: a text is written and read by the same tables.
//!
//! Source: `nwn-mdl-text.md`, sections 3 and 4.

use core::mem::offset_of;

use bitflags::Flags as _;

use crate::controllers::{Controller, EmitterController, LightController, MeshController, NodeType};
use crate::flags::NodeFlags;
use crate::header::{AnimationHeader, ModelHeader};
use crate::mesh::MeshHeader;
use crate::mesh_types::{AnimHeader, DanglyHeader};
use crate::node::NodeHeader;
use crate::parts::{Emitter, LightHeader, Reference};
use field::{Text, encode_text, single};
use json::put_whole;

use super::profile::Profile;

/// A keyword for a field of a record.
pub(super) struct Word {
    pub(super) keyword: &'static str,
    /// Other spellings, which are only read.
    pub(super) other: &'static [&'static str],
    /// The offset in the record.
    at: usize,
    form: Form,
    /// Set if it is written even if the value is the one of a text without the keyword.
    pub(super) always: bool,
}

/// How a value is written.
enum Form {
    /// Some floats.
    Floats(usize),
    /// A whole number of some bytes.
    Whole(usize),
    /// A name in a field of some bytes.
    Name(usize),
    /// A word for a byte. The last word stands for all that are unknown.
    Byte(&'static [(&'static str, u8)]),
    /// A word for four bytes.
    Long(&'static [(&'static str, u32)]),
    /// Some bits of four bytes.
    Bits(u32),
}

/// Declares the keywords of a record.
macro_rules! words {
    ($($(#[$meta:meta])* $name:ident = $record:ty {
        $($keyword:literal $(| $other:literal)* : $field:ident $(+ $more:literal)?, $form:expr $(, $always:ident)?;)*
    })*) => { $(
        $(#[$meta])*
        pub(super) static $name: &[Word] = &[$(Word {
            keyword: $keyword,
            other: &[$($other),*],
            at: offset_of!($record, $field) $(+ $more)?,
            form: { use Form::*; $form },
            always: false $(|| words!(@$always))?,
        }),*];
    )* };
    (@always) => { true };
}

words! {
    /// Of a model.
    MODEL = ModelHeader {
        "setsupermodel": super_model, Name(64);
        "classification": classification, Byte(CLASSES), always;
        "ignorefog": fog, Whole(1);
        "setanimationscale": animation_scale, Floats(1), always;
        "bmin": box_min, Floats(3);
        "bmax": box_max, Floats(3);
        "radius": radius, Floats(1);
    }
    /// Of an animation.
    ANIMATION = AnimationHeader {
        "length" | "animlength": length, Floats(1), always;
        "transtime": transition, Floats(1), always;
        "animroot": animation_root, Name(64), always;
    }
    /// Of every node.
    NODE = NodeHeader {
        "inheritcolor": inherit_color, Whole(4);
    }
    /// Of a mesh.
    MESH = MeshHeader {
        "ambient": ambient, Floats(3), always;
        "diffuse": diffuse, Floats(3), always;
        "specular": specular, Floats(3), always;
        "shininess": shininess, Floats(1), always;
        "shadow": shadow, Whole(4), always;
        "beaming": beaming, Whole(4);
        "render": render, Whole(4), always;
        "transparencyhint": transparency_hint, Whole(4);
        "renderhint": unk_74, Long(HINTS);
        "bitmap" | "texture0": textures, Name(64), always;
        "texture1": textures + 64, Name(64);
        "texture2": textures + 128, Name(64);
        "texture3" | "materialname": textures + 192, Name(64);
        "tilefade": tile_fade, Whole(4);
        "lightmapped": light_mapped, Whole(1);
        "rotatetexture": rotate_texture, Whole(1);
    }
    /// Of an animated mesh.
    ANIM = AnimHeader {
        "sampleperiod": sample_period, Floats(1);
    }
    /// Of a danglymesh.
    DANGLY = DanglyHeader {
        "displacement": displacement, Floats(1), always;
        "tightness": tightness, Floats(1), always;
        "period": period, Floats(1), always;
    }
    /// Of a light.
    LIGHT = LightHeader {
        "flareradius": flare_radius, Floats(1);
        "lightpriority": priority, Whole(4), always;
        "ambientonly": ambient_only, Whole(4), always;
        "ndynamictype" | "isdynamic": dynamic_type, Whole(4), always;
        "affectdynamic": affect_dynamic, Whole(4), always;
        "shadow": shadow, Whole(4), always;
        "generateflare": generate_flare, Whole(4);
        "fadinglight": fading, Whole(4), always;
    }
    /// Of an emitter.
    EMITTER = Emitter {
        "deadspace": dead_space, Floats(1);
        "blastradius": blast_radius, Floats(1);
        "blastlength": blast_length, Floats(1);
        "xgrid": x_grid, Whole(4), always;
        "ygrid": y_grid, Whole(4), always;
        "spawntype": space_type, Whole(4), always;
        "update": update, Name(32), always;
        "render": render, Name(32), always;
        "blend": blend, Name(32), always;
        "texture": texture, Name(64), always;
        "chunkname" | "chunk": chunk_name, Name(16);
        "twosidedtex": two_sided, Whole(4);
        "loop": looping, Whole(4);
        "renderorder": render_order, Whole(2);
        "p2p": flags, Bits(1);
        "p2p_sel": flags, Bits(2);
        "affectedbywind": flags, Bits(4);
        "m_istinted": flags, Bits(8);
        "bounce": flags, Bits(0x10);
        "random": flags, Bits(0x20);
        "inherit": flags, Bits(0x40);
        "inheritvel": flags, Bits(0x80);
        "inherit_local": flags, Bits(0x100);
        "splat": flags, Bits(0x200);
        "inherit_part": flags, Bits(0x400);
    }
    /// Of a reference.
    REFERENCE = Reference {
        "refmodel": model, Name(64), always;
        "reattachable": reattachable, Whole(4), always;
    }
}

const CLASSES: &[(&str, u8)] =
    &[("effect", 1), ("effects", 1), ("tile", 2), ("character", 4), ("door", 8), ("other", 0)];
const HINTS: &[(&str, u32)] = &[("None", 1), ("NormalAndSpecMapped", 2), ("NormalTangents", 3)];

/// Returns a number as a word of a text: its value is a double, which the engine and its tools round to a float.
pub(super) fn float(word: &str) -> Result<f32, String> {
    let is = |part: &str| word.to_ascii_uppercase().contains(part);
    match word.parse::<f64>() {
        Ok(value) => Ok(single(value)),
        // How programs of Microsoft write what is no number.
        Err(_) if is("#QNAN") || is("#IND") || is("#SNAN") => Ok(f32::NAN),
        Err(_) if is("#INF") => Ok(if word.starts_with('-') { f32::NEG_INFINITY } else { f32::INFINITY }),
        Err(_) => Err(format!("expected a number, found {word}")),
    }
}

/// Writes a float as the shortest decimal that is read as the same float.
pub(super) fn put_float(value: f32, text: &mut Vec<u8>) {
    if value.is_finite() {
        text.extend_from_slice(zmij::Buffer::new().format_finite(value).as_bytes());
    } else if value.is_nan() {
        text.extend_from_slice(b"nan");
    } else {
        text.extend_from_slice(if value < 0.0 { b"-inf" } else { b"inf" });
    }
}

/// Returns a whole number, whose bits are those of a negative one too.
pub(super) fn whole(word: &str) -> Result<i64, String> {
    if let Ok(value) = word.parse::<i64>() {
        return Ok(value);
    }
    match word.to_ascii_lowercase().as_str() {
        "true" => Ok(1),
        "false" => Ok(0),
        _ => {
            let value = float(word)?.trunc();
            format!("{value:.0}").parse().map_err(|_| format!("expected a whole number, found {word}"))
        }
    }
}

/// Returns a whole number as some bytes, with a sign or without.
///
/// # Errors
/// Returns an error if it does not fit.
pub(super) fn within(value: i64, bytes: usize) -> Result<Vec<u8>, String> {
    let bits = u32::try_from(bytes * 8).unwrap_or(u32::MAX);
    let most = 1_i64.checked_shl(bits).unwrap_or(i64::MAX);
    if value < -most / 2 || value >= most {
        return Err(format!("expected a whole number of {bits} bits, found {value}"));
    }
    Ok(value.to_le_bytes().into_iter().take(bytes).collect())
}

/// Returns a name in a field of some bytes as a word of a text, or `None` if no text gives it: it may have no NUL.
pub(super) fn name_in<const N: usize>(field: &Text<N>) -> Option<&str> {
    name(field.bytes()).filter(|_| !field.is_full())
}

/// Returns bytes as a word of a text, or `None` if no word of a text is these bytes.
pub(super) fn name(bytes: &[u8]) -> Option<&str> {
    let is_word = !bytes.is_empty() && bytes.iter().all(u8::is_ascii_graphic) && !bytes.starts_with(b"#");
    core::str::from_utf8(bytes).ok().filter(|_| is_word)
}

/// Returns the keywords of all fields.
pub(super) fn keywords() -> impl Iterator<Item = &'static str> {
    let all = [MODEL, ANIMATION, NODE, MESH, ANIM, DANGLY, LIGHT, EMITTER, REFERENCE];
    all.into_iter().flatten().map(|word| word.keyword)
}

/// Returns the word that stands for all unknown ones, if a word is one of these.
pub(super) fn stands_for(words: &[Word], keyword: &str, value: &str) -> Option<&'static str> {
    let Form::Byte(all) = Word::of(words, keyword)?.form else { return None };
    let is_known = all.iter().any(|(known, _)| known.eq_ignore_ascii_case(value));
    all.last().filter(|_| !is_known).map(|(word, _)| *word)
}

impl Word {
    /// Returns the word of a keyword.
    pub(super) fn of<'w>(words: &'w [Self], keyword: &str) -> Option<&'w Self> {
        let is = |known: &&str| known.eq_ignore_ascii_case(keyword);
        words.iter().find(|word| is(&word.keyword) || word.other.iter().any(&is))
    }

    fn size(&self) -> usize {
        match self.form {
            Form::Floats(count) => count * 4,
            Form::Whole(bytes) | Form::Name(bytes) => bytes,
            Form::Byte(_) => 1,
            Form::Long(_) | Form::Bits(_) => 4,
        }
    }

    fn field<'r>(&self, record: &'r [u8]) -> &'r [u8] {
        record.get(self.at..).and_then(|rest| rest.get(..self.size())).unwrap_or_default()
    }

    fn long(&self, record: &[u8]) -> u32 {
        self.field(record).first_chunk().map_or(0, |word| u32::from_le_bytes(*word))
    }

    /// Returns `true` if a record has the same value as another one.
    pub(super) fn is_same(&self, record: &[u8], other: &[u8]) -> bool {
        match self.form {
            Form::Bits(bits) => self.long(record) & bits == self.long(other) & bits,
            Form::Name(_) => text_of(self.field(record)) == text_of(self.field(other)),
            _ => self.field(record) == self.field(other),
        }
    }

    /// Returns the value of a record as words, or `None` if there are none for it.
    pub(super) fn show(&self, record: &[u8]) -> Option<Vec<u8>> {
        let (field, mut text) = (self.field(record), Vec::new());
        match self.form {
            Form::Floats(_) => {
                for (nth, float) in field.as_chunks().0.iter().enumerate() {
                    if nth > 0 {
                        text.push(b' ');
                    }
                    put_float(f32::from_le_bytes(*float), &mut text);
                }
            }
            Form::Whole(_) => {
                let value = field.iter().rev().fold(0_u64, |all, byte| (all << 8) | u64::from(*byte));
                put_whole(value, &mut text);
            }
            // The last byte is that of a NUL.
            Form::Name(size) => {
                text.extend_from_slice(text_of(field).and_then(name).filter(|it| it.len() < size)?.as_bytes());
            }
            Form::Byte(all) => {
                let (word, _) = all.iter().find(|(_, byte)| field == [*byte])?;
                text.extend_from_slice(word.as_bytes());
            }
            Form::Long(all) => {
                let (word, _) = all.iter().find(|(_, value)| self.long(record) == *value)?;
                text.extend_from_slice(word.as_bytes());
            }
            Form::Bits(bits) => text.push(if self.long(record) & bits == 0 { b'0' } else { b'1' }),
        }
        Some(text)
    }

    /// Sets the value of a record.
    pub(super) fn set(&self, words: &[&str], record: &mut [u8]) -> Result<(), String> {
        let short = || format!("expected {} after {}", self.expected(), self.keyword);
        let first = || words.first().copied().ok_or_else(short);
        let old = self.long(record);
        let value: Vec<u8> = match self.form {
            Form::Floats(count) => {
                // Unfinished exports have this for a vector.
                if words.first().is_some_and(|it| it.eq_ignore_ascii_case("undefined")) {
                    return Ok(());
                }
                let words = words.get(..count).ok_or_else(short)?;
                words.iter().map(|it| float(it).map(f32::to_le_bytes)).collect::<Result<Vec<_>, _>>()?.concat()
            }
            Form::Whole(bytes) => within(whole(first()?)?, bytes)?,
            Form::Name(size) => {
                let name = first()?;
                let bytes = encode_text(field::GAME_TEXT, name).filter(|it| it.len() < size);
                let bytes = bytes.ok_or_else(|| {
                    format!("expected a name of at most {} bytes after {}, found {name}", size - 1, self.keyword)
                })?;
                bytes.into_iter().chain(core::iter::repeat(0)).take(size).collect()
            }
            Form::Byte(all) => {
                let word = first()?;
                let known = all.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).or(all.last());
                known.map(|(_, byte)| *byte).into_iter().collect()
            }
            Form::Long(all) => {
                let word = first()?;
                let known = all.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, value)| *value);
                known.map_or_else(|| within(whole(word)?, 4), |value| Ok(value.to_le_bytes().to_vec()))?
            }
            Form::Bits(bits) => (if whole(first()?)? == 0 { old & !bits } else { old | bits }).to_le_bytes().to_vec(),
        };
        let field = record.get_mut(self.at..).and_then(|rest| rest.get_mut(..value.len())).unwrap_or_default();
        field.iter_mut().zip(value).for_each(|(to, from)| *to = from);
        Ok(())
    }

    fn expected(&self) -> String {
        match self.form {
            Form::Floats(1) => "a number".to_owned(),
            Form::Floats(count) => format!("{count} numbers"),
            Form::Whole(_) | Form::Bits(_) => "a whole number".to_owned(),
            Form::Name(_) | Form::Byte(_) | Form::Long(_) => "a word".to_owned(),
        }
    }
}

/// Returns the text before the first NUL, or `None` if there is no NUL.
fn text_of(field: &[u8]) -> Option<&[u8]> {
    field::first_nul(field).and_then(|end| field.get(..end))
}

/// Returns `true` for a type of node that the game has; some are dummies in files.
pub(super) fn is_kind(kind: &str) -> bool {
    let is = |known: &&str| known.eq_ignore_ascii_case(kind);
    NODES.iter().any(|(known, _)| is(known)) || ["camera", "patch", "pwk", "dwk"].iter().any(is)
}

/// The types of nodes, with the parts that each has.
const NODES: &[(&str, u32)] = &[
    ("dummy", 0x001),
    ("trimesh", 0x021),
    ("danglymesh", 0x121),
    ("skin", 0x061),
    ("animmesh", 0x0A1),
    ("aabb", 0x221),
    ("light", 0x003),
    ("emitter", 0x005),
    ("reference", 0x011),
];

/// Returns the parts of a type of node. Words that are no type stand for a dummy.
pub(super) fn flags_of(kind: &str) -> NodeFlags {
    let known = NODES.iter().find(|(word, _)| word.eq_ignore_ascii_case(kind));
    NodeFlags::from_bits_retain(known.map_or(1, |(_, flags)| *flags))
}

/// Returns the type of a node: the one with these parts, or else the one that has most of them.
pub(super) fn kind_of(flags: NodeFlags) -> &'static str {
    let bits = flags.bits();
    let fitting = NODES.iter().filter(|(_, of)| bits & of == *of).max_by_key(|(_, of)| of.count_ones());
    fitting.map_or("dummy", |(word, _)| word)
}

/// The keyword of a controller.
pub(super) struct Control {
    pub(super) keyword: &'static str,
    other: &'static str,
    /// The number of what it controls, for one type of node, in models of `nwnmdlcomp`.
    number: i32,
    /// Its number in the other models, if that is another one.
    in_game: Option<i32>,
    /// The number of values in a row.
    pub(super) columns: u8,
    of: Option<NodeType>,
}

/// Declares the keywords of controllers, each with the constant of its number. Values in three stages have other numbers in the game.
macro_rules! controls {
    (@other) => { "" };
    (@other $other:literal) => { $other };
    (@columns) => { 1 };
    (@columns $columns:literal) => { $columns };
    (@game) => { None };
    (@game $number:literal) => { Some($number) };
    ($($of:expr, $numbers:ty => { $($keyword:literal $(| $other:literal)? = $number:ident $(/ $in_game:literal)? $(, $columns:literal)?;)* })*) => {
        static CONTROLS: &[Control] = &[$($(Control {
            keyword: $keyword,
            other: controls!(@other $($other)?),
            number: <$numbers>::$number.get(),
            in_game: controls!(@game $($in_game)?),
            columns: controls!(@columns $($columns)?),
            of: $of,
        }),*),*];
    };
}

controls! {
    None, Controller => {
        "position" = POSITION, 3;
        "orientation" = ORIENTATION, 4;
        "scale" = SCALE;
    }
    Some(NodeType::Mesh), MeshController => {
        "selfillumcolor" | "setfillumcolor" = SELF_ILLUMINATION_COLOR, 3;
        "alpha" = ALPHA;
    }
    Some(NodeType::Light), LightController => {
        "color" = COLOR, 3;
        "radius" = RADIUS;
        "shadowradius" = SHADOW_RADIUS;
        "verticaldisplacement" = VERTICAL_DISPLACEMENT;
        "multiplier" = MULTIPLIER;
    }
    Some(NodeType::Emitter), EmitterController => {
        "alphaend" = ALPHA_END;
        "alphastart" = ALPHA_START;
        "birthrate" = BIRTH_RATE;
        "bounce_co" = BOUNCE;
        "colorend" = COLOR_END, 3;
        "colorstart" = COLOR_START, 3;
        "combinetime" = COMBINE_TIME;
        "drag" = DRAG;
        "fps" = FPS;
        "frameend" = FRAME_END;
        "framestart" = FRAME_START;
        "grav" = GRAV;
        "lifeexp" = LIFE;
        "mass" = MASS;
        "p2p_bezier2" = P2P_BEZIER2;
        "p2p_bezier3" = P2P_BEZIER3;
        "particlerot" = PARTICLE_ROTATION;
        "randvel" = RANDOM_VELOCITY;
        "sizestart" = SIZE_START;
        "sizeend" = SIZE_END;
        "sizestart_y" = SIZE_START_Y;
        "sizeend_y" = SIZE_END_Y;
        "spread" = SPREAD;
        "threshold" = THRESHOLD;
        "velocity" = VELOCITY;
        "xsize" = X_SIZE;
        "ysize" = Y_SIZE;
        "blurlength" = BLUR_LENGTH;
        "lightningdelay" = LIGHTNING_DELAY;
        "lightningradius" = LIGHTNING_RADIUS;
        "lightningscale" = LIGHTNING_SCALE;
        "detonate" = DETONATE;
        "alphamid" = ALPHA_MID / 448;
        "colormid" = COLOR_MID / 452, 3;
        "percentstart" = PERCENT_START / 464;
        "percentmid" = PERCENT_MID / 465;
        "percentend" = PERCENT_END / 466;
        "sizemid" = SIZE_MID / 468;
        "sizemid_y" = SIZE_MID_Y / 472;
    }
}

/// The rows of a controller in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    /// One on the line itself, at the time 0.
    Own,
    /// Rows with times.
    Timed,
    /// Rows with times and three points of a curve each.
    Bezier,
}

impl Control {
    /// Returns the keywords of all controllers.
    pub(super) fn keywords() -> impl Iterator<Item = &'static str> {
        CONTROLS.iter().map(|control| control.keyword)
    }

    /// Returns its number in models of a compiler.
    pub(super) fn number(&self, profile: Profile) -> i32 {
        self.in_game.filter(|_| profile != Profile::B).unwrap_or(self.number)
    }

    /// Returns the controller with a number for a type of node.
    pub(super) fn numbered(number: i32, of: NodeType, profile: Profile) -> Option<&'static Self> {
        CONTROLS.iter().find(|it| it.number(profile) == number && it.of.is_none_or(|it| it == of))
    }

    /// Returns the controller of a keyword for a type of node, and which rows follow.
    pub(super) fn named(keyword: &str, of: NodeType) -> Option<(&'static Self, Rows)> {
        let is = |known: &str, word: &str| !known.is_empty() && known.eq_ignore_ascii_case(word);
        let find = |word: &str| {
            let fits = |it: &&Self| (is(it.keyword, word) || is(it.other, word)) && it.of.is_none_or(|it| it == of);
            CONTROLS.iter().find(fits)
        };
        let without = |word: &str, end: &str| {
            let stem = word.len().checked_sub(end.len()).and_then(|at| word.split_at_checked(at));
            stem.filter(|(_, rest)| rest.eq_ignore_ascii_case(end)).map(|(stem, _)| stem.to_owned())
        };
        if let Some(control) = find(keyword) {
            return Some((control, Rows::Own));
        }
        let stem = without(keyword, "key")?;
        let curve = || without(&stem, "bezier").and_then(|stem| find(&stem));
        // A list of a model seen doubles the ending.
        let timed = find(&stem).or_else(|| find(&without(&stem, "key")?));
        timed.map(|it| (it, Rows::Timed)).or_else(|| Some((curve()?, Rows::Bezier)))
    }

    /// Returns `true` if its values are rotations.
    pub(super) fn is_turn(&self) -> bool {
        self.number == ORIENTATION
    }

    /// Returns the columns of its key, with the mark of curves.
    pub(super) fn columns_of(&self, rows: Rows) -> u8 {
        self.columns | if rows == Rows::Bezier { BEZIER } else { 0 }
    }
}

/// The mark of curves in the columns of a key. Source: `nwn-mdl.md`, section 4.2.
const BEZIER: u8 = 0x10;

/// The number of the controller of rotations.
pub(super) const ORIENTATION: i32 = Controller::ORIENTATION.get();
