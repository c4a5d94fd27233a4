//! The records of a fork. Source: `marathon-images.md`, section 3.

use field::{FourCc, I16be, Stale, U8, U16be, U32be};
use field::{flags, record};

record! {
    /// The beginning of a fork, 16 bytes. Source: `marathon-images.md`, section 3.
    pub struct Header: 16 {
        data_offset: U32be = 256,
        map_offset: U32be as Outside,
        data_length: U32be as Outside,
        map_length: U32be as Outside,
    }
}

record! {
    /// The bytes between the header and the data, 240 bytes: leftover memory in all known forks. Source: `marathon-images.md`, section 3.
    pub struct Areas: 240 {
        system_area: Stale<112>,
        application_area: Stale<128>,
    }
}

record! {
    /// The header of the data of a resource, 4 bytes. Source: `marathon-images.md`, section 3.
    pub struct BlockHeader: 4 {
        length: U32be as Outside,
    }
}

record! {
    /// The header of the map, 28 bytes; it begins with a copy of the fork's header. Source: `marathon-images.md`, section 3.
    pub struct MapHeader: 28 {
        data_offset_again: U32be as Outside,
        map_offset_again: U32be as Outside,
        data_length_again: U32be as Outside,
        map_length_again: U32be as Outside,
        next_map: U32be as Pointer,
        file_reference: U16be as Pointer,
        fork_attributes: U16be,
        /// From the start of the map.
        type_list: U16be as Outside,
        /// From the start of the map.
        name_list: U16be as Outside,
    }
}

record! {
    /// The beginning of the list of types, 2 bytes. Source: `marathon-images.md`, section 3.
    pub struct TypeCount: 2 {
        /// One less than the number of types; 65535 for none.
        last_type: U16be as Outside,
    }
}

record! {
    /// A type, 8 bytes. Source: `marathon-images.md`, section 3.
    pub struct TypeHeader: 8 {
        code: FourCc as Outside,
        /// One less than the number of resources of this type.
        last: U16be as Outside,
        /// Offset of the references, from the start of the list of types.
        references: U16be as Outside,
    }
}

flags! {
    /// Memory management of a resource. Source: `marathon-sounds.md`, section 3.
    pub struct Attributes(U8: u8) {
        /// Can be discarded and loaded again.
        PURGEABLE = 0x20;
    }
}

record! {
    /// The map's row for a resource, 12 bytes. Source: `marathon-images.md`, section 3.
    pub struct Reference: 12 {
        id: I16be,
        /// Offset in the list of names; 65535 for none.
        name_offset: U16be as Outside,
        attributes: Attributes,
        /// From the start of the data.
        data_offset: [U8; 3] as Outside,
        handle: U32be as Pointer,
    }
}
