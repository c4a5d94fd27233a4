//! Message tables: strings by id, in blocks of consecutive ids.
//!
//! | part | bytes |
//! |---|---|
//! | number of blocks | 4 |
//! | [`BlockHeader`]s | 12 |
//! | entries, block by block: [`MessageHeader`], text, CR LF, NULs | 4 + text |
//!
//! The stored length of an entry is its space. An entry whose string no longer fits gets the smallest length that holds
//! it.
//!
//! Source: [`zipper-messages.md`](formats::zipper_messages), section 4.

use core::ops::Range;
use std::borrow::Cow;

use bytes::Bytes;

use field::{CodePage, WINDOWS_1252};

use field::build::{LayBy as _, Tape, read_part};
use field::macros::{read_head, split_head};
use field::{
    Arrangement, Block, Class, Fault, Integer as _, LazyItem, LazyList, Pad, Place, Record as _, Result, Run, Step,
    Truth, U8, U16, U32, decode_text, encode_text, first_nul, lay, wide,
};
use field::{names, record};

use super::keys::Names;

record! {
    /// The ids of a block and the offset of its entries, 12 bytes. Source: `zipper-messages.md`, section 4.
    pub struct BlockHeader: 12 {
        low_id: U32,
        /// The last id.
        high_id: U32,
        offset: U32 as Outside,
    }
}

record! {
    /// The header of an entry, 4 bytes. Source: `zipper-messages.md`, section 4.
    pub struct MessageHeader: 4 {
        /// The length of the whole entry, including this header and the unused space after the string.
        length: U16 as Derived,
        flags: U16 = 0,
    }
}

record! {
    /// The end of a string, 3 bytes.
    pub struct LineEnd: 3 {
        cr: U8 = b'\r',
        lf: U8 = b'\n',
        nul: U8 = 0,
    }
}

names! {
    /// The code page of the strings, chosen by language. If any string of a table does not round-trip in it, the page
    /// is Windows-1252, in which every string does. Source: `zipper-messages.md`, section 4.
    pub struct CodePageId(U16: u16) {
        /// Western languages, and any language not listed below.
        WINDOWS_1252 = 0;
        /// Japanese.
        SHIFT_JIS = 932;
        /// Simplified Chinese.
        GBK = 936;
        /// Korean.
        EUC_KR = 949;
        /// Traditional Chinese.
        BIG5 = 950;
        /// Czech, Hungarian, Polish.
        WINDOWS_1250 = 1250;
        /// Russian.
        WINDOWS_1251 = 1251;
    }
}

impl CodePageId {
    /// Returns the code page of a Windows language id.
    #[must_use]
    pub fn of(language: u32) -> Self {
        match (language & 0x3FF, language >> 10) {
            (0x11, _) => Self::SHIFT_JIS,
            (0x12, _) => Self::EUC_KR,
            (0x04, 1 | 3 | 5) => Self::BIG5,
            (0x04, _) => Self::GBK,
            (0x05 | 0x0E | 0x15, _) => Self::WINDOWS_1250,
            (0x19, _) => Self::WINDOWS_1251,
            _ => Self::WINDOWS_1252,
        }
    }

    /// Returns the encoding of the strings.
    #[must_use]
    pub fn encoding(self) -> &'static CodePage {
        #[cfg(feature = "code-pages")]
        for (page, encoding) in &PAGES {
            if *page == self {
                return encoding;
            }
        }
        WINDOWS_1252
    }
}

/// Code pages other than that of western Europe. Without the feature, strings are decoded as Windows-1252, which preserves all bytes.
#[cfg(feature = "code-pages")]
static PAGES: [(CodePageId, CodePage); 6] = [
    (CodePageId::SHIFT_JIS, CodePage::of("Shift_JIS", encoding_rs::SHIFT_JIS)),
    (CodePageId::GBK, CodePage::of("GBK", encoding_rs::GBK)),
    (CodePageId::EUC_KR, CodePage::of("EUC-KR", encoding_rs::EUC_KR)),
    (CodePageId::BIG5, CodePage::of("Big5", encoding_rs::BIG5)),
    (CodePageId::WINDOWS_1250, CodePage::of("windows-1250", encoding_rs::WINDOWS_1250)),
    (CodePageId::WINDOWS_1251, CodePage::of("windows-1251", encoding_rs::WINDOWS_1251)),
];

/// A message.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// The id that its block assigns to it; for display, and to check that messages and blocks still match.
    pub id: U32,
    /// Length and flags.
    pub head: MessageHeader,
    /// `true` if the string is not followed by a line end and NUL.
    pub bare: Truth,
    /// The string.
    pub text: Block,
    /// The end of the string.
    pub end: LineEnd,
    /// NULs up to the end of the entry.
    pub room: Pad,
}

/// A message table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The code page of the strings.
    pub page: CodePageId,
    /// The blocks.
    pub blocks: Vec<BlockHeader>,
    /// The placement of the blocks in the table.
    pub arrangement: Arrangement,
    /// The messages of each block.
    pub messages: Vec<LazyList<Message>>,
    /// Bytes after the last message.
    pub trailing: Block,
}

impl BlockHeader {
    /// Returns the number of messages.
    #[must_use]
    pub fn count(&self) -> u64 {
        (u64::from(self.high_id.get()) + 1).saturating_sub(self.low_id.get().into())
    }

    /// Returns the ids of the messages.
    pub fn ids(&self) -> impl Iterator<Item = u32> + use<> {
        self.low_id.get()..=self.high_id.get()
    }
}

/// Returns the offset of the first block, given the number of blocks.
fn blocks_begin(count: usize) -> u64 {
    wide(count * size_of::<BlockHeader>() + size_of::<U32>())
}

impl Table {
    /// Returns the byte ranges of the blocks of a table, or the error that prevents walking them.
    pub(super) fn find(bytes: &[u8]) -> core::result::Result<Vec<Range<u64>>, Fault> {
        let mut left = bytes.len() / size_of::<MessageHeader>();
        let ends = |count: u64, at: usize| Fault::Ends { count, each: 4, remain: wide(bytes.len().saturating_sub(at)) };
        let (count, heads) = bytes.split_first_chunk::<4>().ok_or_else(|| ends(1, 0))?;
        let count = u32::from_le_bytes(*count);
        let heads = usize::try_from(count).ok().and_then(|count| heads.get(..count.checked_mul(12)?));
        let heads = heads.ok_or(Fault::Ends { count: count.into(), each: 12, remain: wide(bytes.len()) - 4 })?;
        let mut ranges = Vec::with_capacity(heads.len() / 12);
        for head in heads.as_chunks::<12>().0 {
            let head: BlockHeader = bytemuck::must_cast(*head);
            let begin = usize::try_from(head.offset.get()).unwrap_or(usize::MAX);
            let mut at = begin;
            for index in 0..head.count() {
                // Blocks may share messages, but the limit keeps the time to walk them linear.
                left = left.checked_sub(1).ok_or_else(|| ends(head.count() - index, at))?;
                let length = bytes.get(at..).and_then(<[u8]>::first_chunk).map(|length| u16::from_le_bytes(*length));
                let length = length.filter(|&length| length >= 4).ok_or_else(|| ends(1, at))?;
                at += usize::from(length);
                if at > bytes.len() {
                    return Err(ends(1, at - usize::from(length)));
                }
            }
            ranges.push(wide(begin)..wide(at));
        }
        Ok(ranges)
    }

    /// Sets the code page of a language in read mode, if every string of the table round-trips in it.
    pub(super) fn choose_page(&mut self, language: u32) {
        let page = CodePageId::of(language);
        if page == CodePageId::WINDOWS_1252 {
            return;
        }
        let gives_back = |message: &Message| {
            let text = decode_text(page.encoding(), &message.text);
            encode_text(page.encoding(), &text).is_some_and(|bytes| *bytes == *message.text)
        };
        let mut messages = self.messages.iter().flat_map(LazyList::iter);
        if cfg!(feature = "code-pages") && messages.all(|message| gives_back(&message)) {
            self.page = page;
        }
    }

    /// Returns every message with its id.
    pub fn messages(&self) -> impl Iterator<Item = (u32, Cow<'_, Message>)> {
        self.blocks.iter().zip(&self.messages).flat_map(|(head, messages)| head.ids().zip(messages.iter()))
    }

    /// Returns the message with an id, or `None` if there is none.
    pub fn message_mut(&mut self, id: u32) -> Option<&mut Message> {
        self.blocks.iter().zip(&mut self.messages).find_map(|(head, messages)| {
            let index = id.checked_sub(head.low_id.get())?;
            messages.to_mut().get_mut(usize::try_from(index).ok()?)
        })
    }
}

/// Returns the id of the `nth` message of a block that begins with an id. No block has more messages than there are ids.
fn nth_id(low_id: u32, nth: usize) -> u32 {
    u32::try_from(nth).map_or(u32::MAX, |nth| low_id.wrapping_add(nth))
}

/// Returns the length that the messages of a block need. Those that were read have it.
fn length(messages: &LazyList<Message>) -> u64 {
    match messages.parts() {
        Ok(bytes) => wide(bytes.len()),
        Err(messages) => messages.iter().map(Message::needed).sum(),
    }
}

impl LazyItem for Message {
    /// The id of the first message of the block.
    type By = u32;

    const SMALLEST: u64 = Self::HEAD;

    fn length(bytes: &[u8]) -> Option<usize> {
        let head: MessageHeader = read_head(bytes)?;
        Some(head.length.get().into()).filter(|length| (size_of::<MessageHeader>()..=bytes.len()).contains(length))
    }

    fn parse(bytes: Bytes, low_id: u32, nth: usize) -> Self {
        let read = |it: &mut Self, t: &mut Tape<'_>| it.lay_by(t, CodePageId::default());
        // Any bytes of the length in their header can be read. The fallback keeps bytes too.
        let message = read_part(bytes.clone(), read).unwrap_or_else(|_| {
            let (head, text) = split_head(&bytes).unwrap_or_default();
            Self { head, bare: true.into(), text: text.to_vec().into(), ..Self::default() }
        });
        Self { id: nth_id(low_id, nth).into(), ..message }
    }
}

impl Message {
    /// The length of the header.
    const HEAD: u64 = 4;

    /// Counts the bytes of an entry by class and returns the offset of its last part, or `None` if it deviates.
    fn count_as_expected(entry: &[u8], sums: &mut [usize; 7]) -> Option<usize> {
        let (head, rest): (MessageHeader, _) = split_head(entry)?;
        let (0, true) = (head.flags.get(), entry.len().is_multiple_of(4)) else { return None };
        let (text, room) = first_nul(rest).and_then(|end| rest.split_at_checked(end + 1))?;
        let text = text.strip_suffix(b"\r\n\0")?.len();
        if !Run::Padding(wide(room.len())).is_as_expected(room) {
            return None;
        }
        MessageHeader::LAYOUT.template().count(field::bytes_of(&head), sums);
        Class::Semantic.count(text, sums);
        LineEnd::LAYOUT.template().count(&[], sums);
        Class::Padding.count(room.len(), sums);
        let end = size_of::<MessageHeader>() + text;
        Some(if room.is_empty() { end } else { end + size_of::<LineEnd>() })
    }

    /// Sets the length to the one that the string needs.
    fn fit(&mut self, t: &mut Tape<'_>) -> Result {
        let (was, value) = (self.head, self.needed());
        let too_large = || t.error_in("length", Fault::TooLarge { value, field: U16::LEAF.name });
        self.head.length = U16::of(value).ok_or_else(too_large)?;
        t.report_replaced(Place::clone, &was, &self.head);
        Ok(())
    }

    /// Returns the length that the entry needs: the current one if the string fits, else the smallest that holds it. If
    /// the end of the string is not known, it fills the whole entry.
    fn needed(&self) -> u64 {
        let end = if bool::from(self.bare) { 0 } else { wide(size_of::<LineEnd>()) };
        let least = wide(self.text.len()) + end + Self::HEAD;
        let room = u64::from(self.head.length.get());
        match self.head.flags.get() {
            0 if least <= room => room,
            0 => least.next_multiple_of(4),
            _ => least,
        }
    }

    /// Returns the length of the string in the bytes after the header of an entry, and `true` if no line end and NUL
    /// follow it. A string that its flags do not mark as ANSI fills the whole entry.
    fn split(bytes: &[u8], flags: u16) -> (u64, bool) {
        let end = first_nul(bytes).filter(|_| flags == 0);
        let text = end.and_then(|end| bytes.get(..end));
        match (text, text.and_then(|text| text.strip_suffix(b"\r\n"))) {
            (_, Some(text)) => (wide(text.len()), false),
            (Some(text), None) => (wide(text.len()), true),
            (None, None) => (wide(bytes.len()), true),
        }
    }
}

lay! {
    /// All entries of a table must be readable, and their number must match the ids of its blocks.
    impl LayBy<&Names> for Table {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, names: &Names) -> Result {
            let start = t.position();
            t.fact("code_page", at!(self.page))?;
            let lengths: Vec<u64> = self.messages.iter().map(length).collect();
            let places = self.arrangement.places(blocks_begin(self.blocks.len()), &lengths, None);
            let mut places = places.map_err(|error| error.within(t.place()))?.items.into_iter();
            let count = t.number::<U32>("block_count", wide(self.blocks.len()))?;
            t.list("blocks", count, wide(size_of::<BlockHeader>()), at!(self.blocks), |t, head| {
                let mut rules = *head;
                if let Some(place) = places.next() {
                    let value = place.start;
                    let too_large = || t.error_in("offset", Fault::TooLarge { value, field: U32::LEAF.name });
                    rules.offset = U32::of(value).ok_or_else(too_large)?;
                    if head.count() > 0 {
                        t.computed("offset", at!(head.offset), value)?;
                    }
                }
                let (low, high) = (rules.low_id.get(), rules.high_id.get());
                t.fields_by(head, Some(&rules))?;
                t.expect("high_id", || (high < low).then(|| (format!("at least {low}").into(), high.into())));
                Ok(())
            })?;
            let blocks = self.blocks.len();
            t.as_many(at!(self.messages), blocks)?;
            t.read(at!(self.arrangement), |arrangement, t| {
                let length = t.position() - start + t.remaining();
                let table = t.peek(start, length).map_err(|fault| t.error(fault))?;
                let ranges = Table::find(&table).map_err(|fault| t.error(fault))?;
                *arrangement = Arrangement::find_items(t, start, ranges).map_err(|(item, fault)| {
                    t.error_at(start, [Step::Name("blocks"), Step::Index(wide(item)), Step::Name("offset")], fault)
                })?;
                Ok(())
            })?;
            all_messages(self, t, names)?;
            t.rest("trailing", Run::Surplus, at!(self.trailing))
        }
    }

    fn all_messages(it: at!(Table), t: &mut Tape<'_>, names: &Names) -> Result {
        let Table { page, blocks, arrangement, messages, trailing: _ } = it;
        // All messages are one list, because the division into blocks does not matter to readers.
        let mut index = 0_usize;
        let lists = wide(messages.len());
        t.arranged(arrangement, "blocks", messages.len(), |t, item| {
            let Some(messages) = at!(*messages).into_iter().nth(item) else { return Ok(()) };
            let head = blocks.get(item).ok_or_else(|| {
                t.error_in("blocks", Fault::Count { expected: lists, found: wide(blocks.len()) })
            })?;
            let (first, begin) = (index, t.position());
            let is_of = |t: &Tape<'_>, id: u32, message: &Message, (at, steps): (u64, &[Step])| {
                let found = message.id.get();
                let fault = || Fault::Unknown { found: found.to_string(), expected: id.to_string() };
                if found == id { Ok(()) } else { Err(t.error_at(at, steps.iter().copied(), fault())) }
            };
            let count = (head.count(), head.low_id.get());
            t.encoded_from(("messages", first), count, Message::count_as_expected, at!(*messages), |t, nth, message| {
                let id = nth_id(head.low_id.get(), nth);
                t.fact("id", at!(message.id))?;
                t.when_whole(|t| is_of(t, id, message, (t.position(), &[Step::Name("id")])))?;
                t.label("key", || names.get(&id).map(|name| name.as_str().into()));
                message.lay_by(t, *page)
            })?;
            index += messages.len();
            // The others are not looked at if they are still encoded.
            t.when_whole(|t| messages.iter().next().map_or(Ok(()), |message| {
                let steps = [Step::Name("messages"), Step::Index(wide(first)), Step::Name("id")];
                is_of(t, head.low_id.get(), &message, (begin, &steps))
            }))
        })
    }

    impl LayBy<CodePageId> for Message {
        fn lay_by(self: at!(Self), t: &mut Tape<'_>, page: CodePageId) -> Result {
            let start = t.position();
            t.when_recomputing(at!(*self), Message::fit)?;
            let needed = self.needed();
            t.computed("length", at!(self.head.length), needed)?;
            t.fields(at!(self.head))?;
            t.fact("bare", at!(self.bare))?;
            let room = t.read_or(t.stated("length", self.head.length)?, self.needed());
            let odd = !room.is_multiple_of(4);
            t.expect("length", || odd.then(|| ("a multiple of 4".into(), room.into())));
            let inside = room.saturating_sub(Message::HEAD);
            let flags = self.head.flags.get();
            t.window(inside, |t| {
                let mut length = wide(self.text.len());
                t.read(at!(self.bare), |is_bare, t| {
                    let (text, bare) = Message::split(t.ahead(inside), flags);
                    (length, *is_bare) = (text, bare.into());
                    Ok(())
                })?;
                t.text_of("text", page.encoding(), length, at!(self.text))?;
                if bool::from(self.bare) {
                    t.expect("text", || Some(("a line end and a NUL after the text".into(), "none".into())));
                } else {
                    t.fields(at!(self.end))?;
                }
                t.load(at!(*self), Message::fit)?;
                let needed = self.needed();
                t.pad("room", start, needed.max(1), at!(self.room))
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use field::decode;
    use json::recompute::encode_edited;

    #[derive(Clone, Debug, Default)]
    struct Whole(Table);

    lay! {
        impl Lay for Whole {
            fn lay(self: at!(Self), t: &mut Tape<'_>) -> Result {
                self.0.lay_by(t, &Names::default())
            }
        }
    }

    /// The table of the spec: ids 1 `OK`, 2 `Cancel`, 20 `Quit?`.
    fn table() -> Vec<u8> {
        let head = [2_u32, 1, 2, 0x1C, 20, 20, 0x38].map(u32::to_le_bytes).concat();
        let entries = b"\x0C\0\0\0OK\r\n\0\0\0\0\x10\0\0\0Cancel\r\n\0\0\0\0\x0C\0\0\0Quit?\r\n\0";
        [&head[..], entries].concat()
    }

    #[test]
    fn example_table_of_the_spec_decodes() {
        let Whole(table) = decode(table()).expect("decodes").model;
        let texts: Vec<_> = table.messages().map(|(id, it)| (id, it.text.to_vec())).collect();
        assert_eq!(texts, [(1, b"OK".to_vec()), (2, b"Cancel".to_vec()), (20, b"Quit?".to_vec())]);
    }

    #[test]
    fn string_keeps_its_entry_length_until_it_outgrows_it() {
        let mut whole: Whole = decode(table()).expect("decodes").model;
        let set = |whole: &mut Whole, id, text: &[u8]| {
            whole.0.message_mut(id).expect("there").text = text.to_vec().into();
            encode_edited(whole).expect("encodes")
        };
        // A string of four bytes and its end fit in the entry of a two-byte string.
        assert_eq!(set(&mut whole, 1, b"Okay"), [&table()[..0x20], b"Okay\r\n\0\0", &table()[0x28..]].concat());
        assert_eq!(set(&mut whole, 1, b"OK"), table());
        let longer = set(&mut whole, 1, b"Okay!!");
        assert_eq!(longer[0x18..0x1C], 0x3C_u32.to_le_bytes());
        assert_eq!(longer[0x1C..0x30], *b"\x10\0\0\0Okay!!\r\n\0\0\0\0\x10\0\0\0");
        assert_eq!(longer[0x30..], table()[0x2C..]);
    }
}
