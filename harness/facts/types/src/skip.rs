//! Files that a sweep skips.

use crate::named;

named! {
    /// Why a sweep skips a file.
    pub enum Skip {
        /// A script: the file begins with `#!`.
        Script = "script",
        /// A text file.
        Text = "text",
        /// An empty file.
        Empty = "empty",
        /// An archive that holds no ELF file.
        Archive = "archive-without-elf",
        /// A compressed file that holds no ELF file.
        Compressed = "compressed-without-elf",
        /// An archive in a format that is not read: zip, bzip2, lzma, lz4, 7z, cpio, rpm.
        OtherArchive = "other-archive",
        /// A Windows or DOS program.
        Pe = "pe",
        /// A macOS object, or a Java class, which has the same magic.
        MachO = "mach-o",
        /// LLVM bitcode.
        Bitcode = "llvm-bitcode",
        /// Other data.
        Data = "data",
        /// A symbolic link: its target is judged under its own name, or does not exist.
        Link = "link",
        /// A device, pipe or socket.
        Special = "special-file",
        /// An ELF32 file.
        Elf32 = "elf32",
        /// An ELF file for a machine that SFrame has no ABI for.
        Machine = "elf-of-another-machine",
        /// An ELF file of a type without code: a core file.
        ElfType = "elf-without-code",
        /// An ELF file with neither `.sframe` nor `.eh_frame` nor `.debug_frame`.
        NoTable = "elf-without-table",
        /// An ELF file without `.sframe` in which nothing was executed: there is no second table to
        /// compare with.
        NoSframe = "elf-without-sframe",
    }
}

impl Skip {
    /// Describes the file, and what to do, for the person who named it.
    pub const fn hint(self) -> &'static str {
        match self {
            Skip::Script => "a script, perhaps around the program that is meant",
            Skip::Text => "text, perhaps a linker script in place of a library",
            Skip::Empty => "an empty file",
            Skip::Archive => "an archive that holds no ELF file",
            Skip::Compressed => "a compressed file that holds no ELF file",
            Skip::OtherArchive => "packed in a way that is not read here: unpack it first",
            Skip::Pe => "a program of Windows or DOS",
            Skip::MachO => "an object of macOS",
            Skip::Bitcode => "LLVM's intermediate code: an object of -flto, compile it without",
            Skip::Data => "no magic number of a known format",
            Skip::Link => "a link that leads nowhere",
            Skip::Special => "a device, pipe or socket",
            Skip::Elf32 => "an ELF32 file",
            Skip::Machine => "an ELF file for another machine",
            Skip::ElfType => "an ELF file without code, as a core file is",
            Skip::NoTable => "an ELF file without any unwind table",
            Skip::NoSframe => "an ELF file without .sframe, of which nothing is executed",
        }
    }
}
