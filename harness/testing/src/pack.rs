//! Builders of archives and compressed files; formats that no library writes are encoded here.

use std::io::Write as _;

/// A member of an archive: its name and bytes.
pub type NamedBytes<'m> = (&'m str, &'m [u8]);

/// A GNU `ar` archive: names of more than 15 bytes are in a table.
pub fn ar(members: &[NamedBytes<'_>]) -> Vec<u8> {
    gnu(b"!<arch>\n", members)
}

/// A thin `ar` archive, whose members have sizes but no contents.
pub fn thin(members: &[NamedBytes<'_>]) -> Vec<u8> {
    gnu(b"!<thin>\n", members)
}

fn gnu(magic: &[u8; 8], members: &[NamedBytes<'_>]) -> Vec<u8> {
    let thin = magic == b"!<thin>\n";
    let (mut table, mut names) = (Vec::new(), Vec::new());
    for (name, _) in members {
        if name.len() <= 15 && !thin && !name.contains('/') {
            names.push(format!("{name}/"));
        } else {
            names.push(format!("/{}", table.len()));
            table.extend(format!("{name}/\n").bytes());
        }
    }
    let mut out = magic.to_vec();
    put(&mut out, "/", &[0; 4], true);
    put(&mut out, "//", &table, true);
    for ((_, bytes), name) in members.iter().zip(names) {
        put(&mut out, &name, bytes, !thin);
    }
    out
}

/// A BSD `ar` archive: names precede the contents, after a symbol table.
pub fn bsd_ar(members: &[NamedBytes<'_>]) -> Vec<u8> {
    let mut out = b"!<arch>\n".to_vec();
    for (name, bytes) in [&[("__.SYMDEF SORTED", &[0; 8][..])], members].concat() {
        let padded = name.len().next_multiple_of(4) + 4;
        let mut named = name.as_bytes().to_vec();
        named.resize(padded, 0);
        put(&mut out, &format!("#1/{padded}"), &[&named, bytes].concat(), true);
    }
    out
}

fn put(out: &mut Vec<u8>, name: &str, bytes: &[u8], there: bool) {
    let header = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, "100644", bytes.len());
    assert_eq!(header.len(), 60, "{name}");
    out.extend(header.bytes());
    if there {
        out.extend(bytes);
        out.resize(out.len().next_multiple_of(2), b'\n');
    }
}

/// A tar archive. Names of up to 100 bytes are stored unchanged, since the library would refuse
/// some.
pub fn tar(members: &[NamedBytes<'_>]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        let field = &mut header.as_gnu_mut().expect("of GNU").name;
        field[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append(&header, *bytes).expect("a member");
    }
    builder.into_inner().expect("an archive")
}

/// A Debian package: its data is compressed by `pack`, with the suffix `more`.
pub fn deb(more: &str, pack: fn(&[u8]) -> Vec<u8>, members: &[NamedBytes<'_>]) -> Vec<u8> {
    let control = pack(&tar(&[("./control", b"Package: x\n")]));
    let (control_name, data_name) = (format!("control.tar{more}"), format!("data.tar{more}"));
    let data = pack(&tar(members));
    let mut out = b"!<arch>\n".to_vec();
    for (name, bytes) in [("debian-binary", &b"2.0\n"[..]), (&control_name, &control), (&data_name, &data)] {
        put(&mut out, name, bytes, true);
    }
    out
}

/// Compresses with gzip.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("written");
    encoder.finish().expect("written")
}

/// Compresses with Zstandard.
pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// An .xz stream (1.2) with one block of uncompressed chunks.
pub fn xz(bytes: &[u8]) -> Vec<u8> {
    const FLAGS: [u8; 2] = [0, 1];
    let crc = |bytes: &[u8]| {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        crc.sum().to_le_bytes()
    };
    let number = |mut value: usize| {
        let mut bytes = Vec::new();
        while value >= 0x80 {
            bytes.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
        bytes
    };
    let header = [2, 0, 0x21, 1, 0x16, 0, 0, 0];
    let mut block = [&header[..], &crc(&header)].concat();
    for (nth, chunk) in bytes.chunks(1 << 16).enumerate() {
        block.push(if nth == 0 { 1 } else { 2 });
        block.extend(u16::try_from(chunk.len() - 1).expect("a chunk").to_be_bytes());
        block.extend(chunk);
    }
    block.push(0);
    let unpadded = block.len() + 4;
    block.resize(block.len().next_multiple_of(4), 0);
    block.extend(crc(bytes));
    let mut index = [vec![0, 1], number(unpadded), number(bytes.len())].concat();
    index.resize(index.len().next_multiple_of(4), 0);
    index.extend(crc(&index));
    let size = u32::try_from(index.len() / 4 - 1).expect("a small index").to_le_bytes();
    let footer = [&size[..], &FLAGS].concat();
    [&b"\xfd7zXZ\0"[..], &FLAGS, &crc(&FLAGS), &block, &index, &crc(&footer), &footer, b"YZ"].concat()
}

/// An ELF magic number, followed by `blocks` blocks of 128 KiB of zeros, each encoded in four bytes
/// of a zstd frame (RFC 8878, 3.1.1).
pub fn bomb(blocks: u32) -> Vec<u8> {
    const SIZE: u32 = 128 << 10;
    // No content size, no checksum; a window of 128 KiB.
    let mut out = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3];
    let mut block = |last: bool, kind: u32, size: u32, bytes: &[u8]| {
        out.extend((size << 3 | kind << 1 | u32::from(last)).to_le_bytes().into_iter().take(3));
        out.extend(bytes);
    };
    block(false, 0, 4, b"\x7fELF");
    (0..blocks).for_each(|nth| block(nth + 1 == blocks, 1, SIZE, &[0]));
    out
}
