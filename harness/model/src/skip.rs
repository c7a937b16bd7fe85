//! What a sweep passes by: what is no ELF file that can be judged.

use crate::named::named;

named! {
    /// What a file is that is not judged.
    pub enum Skip {
        /// It begins with `#!`.
        Script = "script",
        /// Nothing but text.
        Text = "text",
        /// Nothing at all.
        Empty = "empty",
        /// An archive that holds no ELF file.
        Archive = "archive-without-elf",
        /// A compressed file that holds no ELF file.
        Compressed = "compressed-without-elf",
        /// Packed in a way that is not read: zip, bzip2, lzma, lz4, 7z, cpio, rpm.
        OtherArchive = "other-archive",
        /// A program of Windows or DOS.
        Pe = "pe",
        /// An object of macOS; a class of Java begins like one.
        MachO = "mach-o",
        /// LLVM's intermediate code.
        Bitcode = "llvm-bitcode",
        /// Other bytes.
        Data = "data",
        /// A link: what it leads to is judged where it stands, or there is nothing.
        Link = "link",
        /// A device, pipe or socket.
        Special = "special-file",
        /// An ELF32 file.
        Elf32 = "elf32",
        /// An ELF file for a machine that SFrame has no ABI for.
        Machine = "elf-of-another-machine",
        /// An ELF file of a type that holds no code: a core file.
        ElfType = "elf-without-code",
        /// An ELF file with neither `.sframe` nor `.eh_frame` nor `.debug_frame`.
        NoTable = "elf-without-table",
    }
}
