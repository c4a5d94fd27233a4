//! Unusual properties of DLLs. Source: zipper-messages.md, sections 2 to 8.

use super::resources::{Block, Content, Leaf, Message, Messages, strings};
use super::{Checksum, Held, Key, Section, Spec};
use crate::sample::{Trap, kept, reported};

fn message(spec: &mut Spec, text: &[u8]) {
    first(spec).text = [text, b"\r\n"].concat();
}

fn first(spec: &mut Spec) -> &mut Message {
    &mut spec.resources().messages().blocks[0].messages[0]
}

/// Replaces the strings of the first block.
fn set_strings(spec: &mut Spec, texts: &[(usize, &[u16])]) {
    let mut all: [&[u16]; 16] = [&[]; 16];
    texts.iter().for_each(|&(at, text)| all[at] = text);
    spec.resources().leaves[0].content = Content::Raw(strings(all));
}

fn add(spec: &mut Spec, path: [u32; 3], bytes: &[u8]) {
    spec.resources().leaves.push(Leaf::new(path, 0, Content::Raw(bytes.into())));
}

/// Traps of DLLs with a message table.
pub(super) const TABLES: &[Trap<Spec>] = &[
    kept("messages_empty.dll", "a message without text", |spec| message(spec, b"")),
    kept("messages_line_end.dll", "a message that is a line end, and one that ends in two", |spec| {
        message(spec, b"\r\n");
        spec.resources().messages().blocks[0].messages.push(Message::new(b"two\r\n\r\n"));
    }),
    kept("messages_holes.dll", "bytes that Windows-1252 has no character for", |spec| {
        message(spec, b"\x81\x8D\x8F\x90\x9D");
    }),
    kept("messages_inserts.dll", "inserts, tabs and quotation marks", |spec| message(spec, b"%1!s!\t\"%%\" %n%0")),
    kept("messages_four_nuls.dll", "a message with a whole word of NULs", |spec| message(spec, b"OK")),
    kept("messages_room.dll", "an entry with more room than it needs", |spec| first(spec).length = Some(64)),
    kept("messages_long.dll", "a message of 2,000 bytes", |spec| message(spec, &b"long ".repeat(400))),
    kept("messages_touching.dll", "two blocks whose ids touch", |spec| {
        let table = spec.resources().messages();
        let last = table.blocks.last().expect("there are blocks");
        let low = last.low + last.messages.len() as u32;
        table.blocks.push(Block { low, messages: vec![Message::new(b"next")], ..Block::default() });
    }),
    kept("messages_ids.dll", "the lowest id and the highest", |spec| {
        let block = |low| Block { low, messages: vec![Message::new(b"end")], ..Block::default() };
        let blocks = &mut spec.resources().messages().blocks;
        blocks.insert(0, block(0));
        blocks.push(block(u32::MAX));
    }),
    kept("messages_none.dll", "a table without blocks", |spec| spec.resources().messages().blocks.clear()),
    kept("messages_japanese.dll", "messages in Japanese", |spec| {
        spec.resources().leaves[0].path[2] = 1041;
        message(spec, b"\x93\xFA\x96\x7B\x8C\xEA");
    }),
    kept("messages_russian.dll", "messages in Russian", |spec| {
        spec.resources().leaves[0].path[2] = 1049;
        message(spec, b"\xCF\xF0\xE8\xE2\xE5\xF2");
    }),
    kept("messages_two_languages.dll", "two message tables", |spec| {
        let table = Messages::new(vec![(1, Message::new(b"Oui")), (2, Message::new(b"Non"))]);
        let language = spec.resources().leaves[0].path[2] + 5;
        spec.resources().leaves.push(Leaf::new([11, 1, language], 0, Content::Messages(table)));
    }),
    kept("messages_directory_words.dll", "directories with a time and a version", |spec| {
        (spec.resources().time, spec.resources().version) = (0x12CE_A600, (0, 0));
    }),
    kept("messages_key_alone.dll", "a key without a message", |spec| {
        spec.keys().keys.push(Key::new(b"MSG_LOST", 70_000))
    }),
    kept("messages_message_alone.dll", "a message without a key", |spec| _ = spec.keys().keys.pop()),
    kept("messages_key_pairs.dll", "a pair of which nothing is left but its id", |spec| {
        spec.keys().keys.insert(1, Key { address: Some(0), ..Key::new(b"", 77) });
    }),
    kept("messages_no_tail.dll", "nothing behind the keys", |spec| spec.keys().tail.clear()),
    kept("MESSAGES.DLL", "no keys, so that nothing but the name tells whose it is", |spec| {
        spec.section(b".data").content = Held::Raw(vec![0x11; 40]);
    }),
    kept("messages_checksum.dll", "a checksum", |spec| spec.checksum = Checksum::Right),
    kept("messages_image_base.dll", "another image base", |spec| spec.image_base = 0x6A00_0000),
    kept("messages_addresses.dll", "sections far apart in memory", |spec| {
        spec.section(b".rsrc").address = Some(0x4_0000);
    }),
    kept("messages_stub.dll", "a program of another length before the header", |spec| {
        spec.stub = vec![0xCC; 24];
    }),
    kept("messages_directories.dll", "ten data directories", |spec| {
        (spec.directory_count, spec.optional_size) = (Some(10), Some(224));
    }),
    kept("messages_more_header.dll", "bytes between data directories and sections", |spec| {
        spec.optional_rest = vec![0xEE; 8];
    }),
    kept("messages_unused_section.dll", "a section without bytes in the file", |spec| {
        let bss = Section { virtual_size: Some(64), ..Section::new(b".bss", 0xC000_0080, Held::Raw(vec![])) };
        spec.sections.push(bss);
    }),
    reported("messages_no_line_end.dll", "a message without a line end behind it", |spec| {
        first(spec).text = b"cut".into();
    }),
    reported("messages_no_nul.dll", "a message without a NUL behind it", |spec| {
        *first(spec) = Message { text: b"full\r\n".into(), length: Some(10), ..Message::default() };
    }),
    reported("messages_odd_length.dll", "an entry whose length is no multiple of 4", |spec| {
        *first(spec) = Message { length: Some(11), ..Message::new(b"four") };
    }),
    reported("messages_no_room.dll", "an entry of nothing but its head", |spec| {
        *first(spec) = Message { length: Some(4), ..Message::default() };
    }),
    reported("messages_tail.dll", "leftover memory behind a message", |spec| first(spec).tail = b"older text".into()),
    reported("messages_unicode.dll", "a message that says it is Unicode", |spec| {
        let text = "Größe\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        *first(spec) = Message { text, flags: 1, tail: vec![0], ..Message::default() };
    }),
    reported("messages_flags.dll", "a message with flags that nobody knows", |spec| first(spec).flags = 0x8000),
    reported("messages_gap.dll", "bytes between blocks", |spec| {
        let table = spec.resources().messages();
        let block =
            Block { low: 80_000, messages: vec![Message::new(b"far")], gap: b"lost".into(), ..Block::default() };
        table.blocks.push(block);
    }),
    reported("messages_order.dll", "blocks that lie in another order than their headers", |spec| {
        let table = spec.resources().messages();
        table.blocks =
            [90_000, 80_000].map(|low| Block { low, messages: vec![Message::new(b"far")], ..Block::default() }).into();
        (table.blocks[0].offset, table.blocks[1].offset) = (Some(40), Some(28));
    }),
    reported("messages_shared.dll", "two blocks with the same messages", |spec| {
        let table = spec.resources().messages();
        let blocks = [1, 11].map(|low| Block { low, high: Some(low), offset: Some(28), ..Block::default() });
        table.blocks = blocks.into();
        table.blocks[1].messages.push(Message::new(b"both"));
        spec.keys().keys.truncate(1);
    }),
    reported("messages_high_below_low.dll", "a block that ends before it begins", |spec| {
        spec.resources().messages().blocks.push(Block { low: 9, high: Some(5), ..Block::default() });
    }),
    reported("messages_trailing.dll", "bytes behind the last message", |spec| {
        spec.resources().messages().trailing = b"more".into();
    }),
    reported("messages_blocks_lie.dll", "more blocks than there is room for", |spec| {
        spec.resources().messages().block_count = Some(u32::MAX);
    }),
    reported("messages_ids_lie.dll", "more messages than there is room for", |spec| {
        spec.resources().messages().blocks[0].high = Some(u32::MAX);
    }),
    reported("messages_offset_lies.dll", "a block outside the table", |spec| {
        spec.resources().messages().blocks[0].offset = Some(u32::MAX);
    }),
    reported("messages_length_lies.dll", "an entry longer than the table", |spec| first(spec).told = Some(0xFFFC)),
    reported("messages_length_0.dll", "an entry without room for its head", |spec| {
        first(spec).told = Some(0);
    }),
    reported("messages_checksum_wrong.dll", "a checksum that is wrong", |spec| {
        spec.checksum = Checksum::Wrong(0x0001_2345);
    }),
    reported("messages_image_size.dll", "a size in memory that is wrong", |spec| spec.image_size = Some(0x0100_0000)),
    reported("messages_overlay.dll", "bytes behind the last section", |spec| spec.overlay = b"overlay".into()),
    reported("messages_section_gap.dll", "bytes between sections", |spec| spec.section(b".rsrc").gap = vec![0x77; 16]),
    reported("messages_header_rest.dll", "bytes behind the section table", |spec| spec.header_rest = b"bound".into()),
    reported("messages_slack.dll", "bytes behind the resources that nobody owns", |spec| {
        spec.section(b".rsrc").slack = b"foreign".into();
    }),
    reported("messages_key_pad.dll", "bytes behind a key that are not zeros", |spec| {
        spec.keys().keys[0] = Key { pad: Some(vec![0xCC; 3]), ..Key::new(b"MSG_PAD_NOT_ZERO", 100_000) };
    }),
    reported("messages_key_not_aligned.dll", "a key right behind another", |spec| {
        spec.keys().keys[1] = Key { pad: Some(vec![]), ..Key::new(b"MSG_AT_ODD_PLACE", 100_001) };
    }),
    reported("messages_payload_gap.dll", "bytes before the message table", |spec| {
        spec.resources().gap = b"gap!".into()
    }),
    reported("messages_root.dll", "a language that leads to the root again", |spec| {
        spec.resources().patches = vec![(0x30 + 20, 0x8000_0000)];
    }),
    reported("messages_tree_outside.dll", "a directory outside the section", |spec| {
        spec.resources().patches = vec![(0x18 + 20, 0x80FF_FFFF)];
    }),
    reported("messages_payload_outside.dll", "a message table outside the section", |spec| {
        spec.resources().leaves[0].rva = Some(0xFFFF_FFF0);
    }),
    reported("messages_payload_too_long.dll", "a message table longer than the section", |spec| {
        spec.resources().leaves[0].size = Some(0x7FFF_FFFF);
    }),
];

/// Traps of DLLs with string blocks.
pub(super) const STRINGS: &[Trap<Spec>] = &[
    kept("strings_none.dll", "a block without any string", |spec| set_strings(spec, &[])),
    kept("strings_surrogates.dll", "halves of characters", |spec| {
        set_strings(spec, &[(2, &[0xD800, 0x41]), (3, &[0xDC00]), (15, &[0xD83D, 0xDE80])]);
    }),
    kept("strings_controls.dll", "NULs and control characters in strings", |spec| {
        set_strings(spec, &[(0, &[0x41, 0, 0x42]), (1, &[0xFEFF, 0xFFFF]), (9, &[0x0D, 0x0A, 0x09])]);
    }),
    kept("strings_long.dll", "a string of 700 characters", |spec| set_strings(spec, &[(7, &[0x2603; 700])])),
    kept("strings_types.dll", "a manifest, and a type that nobody knows", |spec| {
        add(spec, [24, 1, 1033], b"<assembly/>");
        add(spec, [0x7777, 3, 0], b"?");
    }),
    kept("strings_languages.dll", "one block in two languages", |spec| {
        let leaf = spec.resources().leaves[0].clone();
        spec.resources().leaves.insert(1, Leaf { path: [6, leaf.path[1], 1041], ..leaf });
    }),
    kept("strings_empty_resource.dll", "a resource without bytes", |spec| add(spec, [255, 2, 1033], b"")),
    kept("strings_named.dll", "a resource with a name", |spec| {
        add(spec, [10, 0, 1033], b"named");
        spec.resources().leaves.last_mut().expect("just added").name = Some("CURSOR_1");
    }),
    reported("strings_trailing.dll", "bytes behind the sixteenth string", |spec| {
        let Content::Raw(block) = &mut spec.resources().leaves[0].content else { return };
        block.extend(b"tail");
    }),
    reported("strings_count_lies.dll", "a string longer than its block", |spec| {
        let Content::Raw(block) = &mut spec.resources().leaves[0].content else { return };
        block[0] = 0xFF;
        block[1] = 0x7F;
    }),
    reported("strings_short.dll", "a block of fifteen strings", |spec| {
        spec.resources().leaves[0].content = Content::Raw(vec![0; 30]);
    }),
    reported("strings_gap.dll", "bytes between two resources that are not zeros", |spec| {
        spec.resources().leaves[0].content = Content::Raw(vec![0; 33]);
        spec.resources().leaves[0].size = Some(32);
        spec.resources().leaves[0].pad = Some(vec![0xBB; 3]);
    }),
    reported("strings_shared.dll", "two resources that show the same bytes", |spec| {
        spec.resources().leaves.push(Leaf::new([256, 1, 1033], 0, Content::Same(0)));
    }),
    reported("strings_elsewhere.dll", "a resource in another section", |spec| {
        let elsewhere = Leaf::new([256, 1, 1033], 0, Content::Raw(vec![]));
        spec.resources().leaves.push(Leaf { rva: Some(0x1000), size: Some(8), ..elsewhere });
    }),
];
