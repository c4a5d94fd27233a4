//! The headers of a portable executable.

use bitflags::Flags as _;

use field::{Text, U8, U16, U32};
use field::{flags, record};

record! {
    /// The DOS header, 64 bytes, for a program that prints that it cannot run. Source: `zipper-messages.md`, section 2.
    pub struct DosHeader: 64 {
        magic: U16 = DosHeader::MAGIC,
        last_page: U16,
        pages: U16,
        relocations: U16,
        paragraphs: U16,
        memory_least: U16,
        memory_most: U16,
        stack_segment: U16,
        stack_pointer: U16,
        checksum: U16,
        instruction_pointer: U16,
        code_segment: U16,
        relocation_table: U16,
        overlay: U16,
        unk_1c: [U16; 4],
        oem_id: U16,
        oem_info: U16,
        unk_28: [U16; 10],
        /// The offset of the NT header.
        nt_offset: U32 as Outside,
    }
}

impl DosHeader {
    /// `MZ`.
    pub const MAGIC: u16 = 0x5A4D;
}

flags! {
    /// The properties of an image.
    pub struct ImageFlags(U16: u16) {
        /// The image has no relocations.
        RELOCS_STRIPPED = 0x0001;
        /// The image is executable.
        EXECUTABLE = 0x0002;
        /// The image has no line numbers.
        LINE_NUMBERS_STRIPPED = 0x0004;
        /// The image has no symbols.
        SYMBOLS_STRIPPED = 0x0008;
        /// The machine has 32-bit words.
        MACHINE_32BIT = 0x0100;
        /// The image is a library.
        DLL = 0x2000;
    }
}

record! {
    /// The NT header up to the optional header, 24 bytes. Source: `zipper-messages.md`, section 2.
    pub struct NtHeader: 24 {
        signature: U32 = NtHeader::SIGNATURE,
        machine: U16 = 0x014C,
        section_count: U16 as Outside,
        /// In seconds since 1970.
        time: U32,
        symbol_table: U32 = 0,
        symbol_count: U32 = 0,
        optional_size: U16 as Outside,
        characteristics: ImageFlags,
    }
}

impl NtHeader {
    /// `PE` and two zeros.
    pub const SIGNATURE: u32 = 0x4550;
}

record! {
    /// The optional header up to the data directories, 96 bytes. Source: `zipper-messages.md`, section 2.
    pub struct OptionalHeader: 96 {
        magic: U16 = OptionalHeader::PE32,
        linker: [U8; 2],
        code_size: U32,
        initialized_size: U32 as Derived,
        uninitialized_size: U32,
        entry_point: U32,
        code_base: U32,
        data_base: U32,
        image_base: U32,
        section_alignment: U32,
        file_alignment: U32,
        system_version: [U16; 2],
        image_version: [U16; 2],
        subsystem_version: [U16; 2],
        unk_34: U32 = 0,
        /// The end of the last section in memory, rounded up to the section alignment.
        image_size: U32 as Derived,
        headers_size: U32,
        /// 0, or the checksum of section 7.5.
        checksum: U32 as Outside,
        subsystem: U16,
        characteristics: U16,
        stack_reserve: U32,
        stack_commit: U32,
        heap_reserve: U32,
        heap_commit: U32,
        loader_flags: U32 = 0,
        directory_count: U32 as Outside,
    }
}

impl OptionalHeader {
    /// An image with 32-bit addresses; other images have different fields.
    pub const PE32: u16 = 0x010B;
}

record! {
    /// A data directory, 8 bytes: the position of a table in memory. Source: `zipper-messages.md`, section 2.
    pub struct Directory: 8 {
        address: U32 as Derived,
        size: U32 as Derived,
    }
}

/// The data directory of resources.
pub const RESOURCES: usize = 2;
/// The data directory of signatures, the only one whose address is a file offset.
pub const SIGNATURES: usize = 4;
/// The data directory of relocations.
pub const RELOCATIONS: usize = 5;
/// The data directory of debug data, which holds offsets in the file.
pub const DEBUG: usize = 6;

flags! {
    /// The contents and permissions of a section.
    pub struct SectionFlags(U32: u32) {
        /// Code.
        CODE = 0x20;
        /// Initialized data.
        INITIALIZED = 0x40;
        /// Uninitialized data, without bytes in the file.
        UNINITIALIZED = 0x80;
        /// The section is not needed after loading.
        DISCARDABLE = 0x0200_0000;
        /// The section can be executed.
        EXECUTE = 0x2000_0000;
        /// The section can be read.
        READ = 0x4000_0000;
        /// The section can be written.
        WRITE = 0x8000_0000;
    }
}

record! {
    /// A section header, 40 bytes. Source: `zipper-messages.md`, section 2.
    pub struct SectionHeader: 40 {
        name: Text<8>,
        virtual_size: U32 as Derived,
        virtual_address: U32 as Derived,
        /// The space in the file; the contents may be shorter.
        raw_size: U32 as Derived,
        raw_pointer: U32 as Outside,
        relocations: U32 = 0,
        line_numbers: U32 = 0,
        relocation_count: U16 = 0,
        line_number_count: U16 = 0,
        characteristics: SectionFlags,
    }
}

impl SectionHeader {
    /// Returns the number of bytes in the file.
    #[must_use]
    pub fn room(&self) -> u64 {
        let flags = self.characteristics;
        let without = flags.contains(SectionFlags::UNINITIALIZED) && !flags.contains(SectionFlags::INITIALIZED);
        if without { 0 } else { self.raw_size.get().into() }
    }

    /// Returns the start in memory, relative to the image base.
    #[must_use]
    pub fn begin(&self) -> u64 {
        self.virtual_address.get().into()
    }

    /// Returns the end in memory, relative to the image base.
    #[must_use]
    pub fn end(&self) -> u64 {
        let size = match self.virtual_size.get() {
            0 => self.raw_size.get(),
            size => size,
        };
        self.begin() + u64::from(size)
    }

    /// Returns the number of bytes in the file that are loaded into memory.
    #[must_use]
    pub fn visible(&self) -> u64 {
        self.room().min(self.end() - self.begin())
    }
}
