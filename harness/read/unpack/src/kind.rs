//! The kind of a file, detected from its first bytes.

use types::Skip;

/// Number of first bytes that are examined; a shorter file is examined completely.
pub const HEAD: usize = 512;

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

impl Kind {
    /// Kind of a file; `head` are its first [`HEAD`] bytes, or all if it is shorter.
    pub fn from_head(head: &[u8]) -> Kind {
        if head.is_empty() {
            return Kind::Other(Skip::Empty);
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
