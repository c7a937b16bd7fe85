//! The kind of a file, detected from its first bytes.

use std::io::{self, Read};

use types::Skip;

/// Number of first bytes that are examined; a shorter file is examined completely.
pub const HEAD: usize = 1024;

/// Kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An ELF file.
    Elf,
    /// A file that contains others.
    Holder(Holder),
    /// Any other file.
    Other(Skip),
}

/// Kind of a file that contains others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// An `ar` archive.
    Ar,
    /// A thin `ar` archive, whose members are separate files.
    ThinAr,
    /// A `tar` archive.
    Tar,
    /// A compressed file.
    Compressed(Compression),
    /// A bootable kernel of x86 (`vmlinuz`), with the place of the compressed `vmlinux`.
    Kernel(Payload),
}

/// The place of a compressed file in another, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payload {
    /// Offset in the file.
    pub offset: u64,
    /// Number of bytes.
    pub length: u64,
}

/// Compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// RFC 1952.
    Gzip,
    /// The .xz file format.
    Xz,
    /// RFC 8878.
    Zstd,
}

/// Magic numbers, and the kind of file that each identifies.
const MAGICS: [(&[u8], Kind); 21] = [
    (b"\x7fELF", Kind::Elf),
    (b"!<arch>\n", Kind::Holder(Holder::Ar)),
    (b"!<thin>\n", Kind::Holder(Holder::ThinAr)),
    (b"\x1f\x8b", Kind::Holder(Holder::Compressed(Compression::Gzip))),
    (b"\xfd7zXZ\0", Kind::Holder(Holder::Compressed(Compression::Xz))),
    (b"\x28\xb5\x2f\xfd", Kind::Holder(Holder::Compressed(Compression::Zstd))),
    (b"#!", Kind::Other(Skip::Script)),
    (b"MZ", Kind::Other(Skip::Pe)),
    (b"\xfe\xed\xfa\xce", Kind::Other(Skip::MachO)),
    (b"\xfe\xed\xfa\xcf", Kind::Other(Skip::MachO)),
    (b"\xce\xfa\xed\xfe", Kind::Other(Skip::MachO)),
    (b"\xcf\xfa\xed\xfe", Kind::Other(Skip::MachO)),
    (b"BC\xc0\xde", Kind::Other(Skip::Bitcode)),
    (b"BZh", Kind::Other(Skip::OtherArchive)),
    (b"PK\x03\x04", Kind::Other(Skip::OtherArchive)),
    (b"7z\xbc\xaf\x27\x1c", Kind::Other(Skip::OtherArchive)),
    (b"LZIP", Kind::Other(Skip::OtherArchive)),
    (b"\x04\x22\x4d\x18", Kind::Other(Skip::OtherArchive)),
    (b"\x5d\x00\x00", Kind::Other(Skip::OtherArchive)),
    (b"070701", Kind::Other(Skip::OtherArchive)),
    (b"\xed\xab\xee\xdb", Kind::Other(Skip::OtherArchive)),
];

/// Offset and magic of a tar header, for POSIX.1 and GNU alike.
const USTAR: (usize, &[u8]) = (257, b"ustar");

/// Magic of the header of a bootable kernel (Linux Documentation/arch/x86/boot.rst).
const KERNEL: (usize, &[u8]) = (0x202, b"HdrS");

impl Payload {
    /// The payload of a bootable kernel: `setup_sects` (0 means 4), and since version 2.08
    /// `payload_offset`, which counts from the code after the setup, and `payload_length` (Linux
    /// Documentation/arch/x86/boot.rst).
    fn from_kernel(head: &[u8]) -> Option<Payload> {
        let (at, magic) = KERNEL;
        let word = |at: usize| Some(u64::from(u32::from_le_bytes(*head.get(at..)?.first_chunk()?)));
        let version = u16::from_le_bytes(*head.get(0x206..)?.first_chunk()?);
        let sectors = head.get(0x1f1).map(|count| if *count == 0 { 4 } else { u64::from(*count) })?;
        let offset = word(0x248).filter(|offset| *offset > 0)?;
        let is_kernel = head.get(at..)?.starts_with(magic) && version >= 0x208;
        is_kernel.then_some(Payload { offset: (sectors + 1) * 512 + offset, length: word(0x24c)? })
    }

    /// The compressed file alone. After any but gzip, Linux writes the size of the contents (its
    /// scripts/Makefile.lib, `size_append`).
    pub(crate) fn read<'r>(self, from: &'r mut dyn Read) -> io::Result<impl Read + 'r> {
        io::copy(&mut (&mut *from).take(self.offset), &mut io::sink())?;
        let mut magic = [0; 2];
        from.read_exact(&mut magic)?;
        let size = if magic == *b"\x1f\x8b" { 0 } else { 4 };
        Ok(io::Cursor::new(magic).chain(from.take(self.length.saturating_sub(2 + size))))
    }
}

impl Kind {
    /// Kind of a file; `head` are its first [`HEAD`] bytes, or all if it is shorter.
    pub fn from_head(head: &[u8]) -> Kind {
        if head.is_empty() {
            return Kind::Other(Skip::Empty);
        }
        if let Some(payload) = Payload::from_kernel(head) {
            return Kind::Holder(Holder::Kernel(payload));
        }
        if let Some((_, kind)) = MAGICS.into_iter().find(|(magic, _)| head.starts_with(magic)) {
            return kind;
        }
        let (at, magic) = USTAR;
        if head.get(at..).is_some_and(|rest| rest.starts_with(magic)) {
            return Kind::Holder(Holder::Tar);
        }
        let text = |byte: &u8| matches!(byte, b'\t'..=b'\r' | 0x1b | b' '..) && *byte != 0x7f;
        Kind::Other(if head.iter().all(text) { Skip::Text } else { Skip::Data })
    }
}

#[cfg(test)]
mod tests {
    use types::Skip;

    use super::{Holder, Kind};

    #[test]
    fn first_bytes_decide() {
        for (head, kind) in [
            (&b""[..], Kind::Other(Skip::Empty)),
            (b"\x7fELF\x02", Kind::Elf),
            (b"\x7fEL", Kind::Other(Skip::Data)),
            (b"!<arch>\nx", Kind::Holder(Holder::Ar)),
            (b"#!/bin/sh\n", Kind::Other(Skip::Script)),
            (b"MZ\x90", Kind::Other(Skip::Pe)),
            (b"plain \xc3\xa9\n", Kind::Other(Skip::Text)),
            (b"a\0b", Kind::Other(Skip::Data)),
        ] {
            assert_eq!(Kind::from_head(head), kind, "{head:?}");
        }
        let mut tar = vec![b'a'; 512];
        tar[257..262].copy_from_slice(b"ustar");
        assert_eq!(Kind::from_head(&tar), Kind::Holder(Holder::Tar));
    }
}
