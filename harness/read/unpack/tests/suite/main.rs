//! Files found in archives and compressed files, valid and broken.

use std::ops::ControlFlow;

use testing::pack::{NamedBytes, ar, bomb, bsd_ar, deb, gzip, tar, thin, xz, zstd};
use types::Skip;
use unpack::{Member, Walk};

/// The magic number and bytes that distinguish files.
const ONE: &[u8] = b"\x7fELF one";
const TWO: &[u8] = b"\x7fELF two, of an odd size!";
const LONG: &str = "a-name-of-more-than-fifteen-bytes.o";

/// All files found, as text: `NAME elf BYTES`, `NAME skip KIND`, `NAME at PATH`, `NAME failed WHY`.
fn found(bytes: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    let mut visit = |name: &str, what: Member<'_>| {
        found.push(match what {
            Member::Elf(from) => {
                let mut bytes = Vec::new();
                match from.read_to_end(&mut bytes) {
                    Ok(_) => format!("{name} elf {}", String::from_utf8_lossy(&bytes[4..]).trim()),
                    Err(error) => format!("{name} unread {error}"),
                }
            }
            Member::Other(skip) => format!("{name} skip {}", skip.name()),
            Member::Elsewhere(path) => format!("{name} at {}", String::from_utf8_lossy(&path)),
            Member::Failed(error) => format!("{name} failed {error}"),
        });
        ControlFlow::Continue(())
    };
    assert!(Walk::new(bytes.len() as u64, &mut visit).through("f", &mut &*bytes).is_continue());
    found
}

const MEMBERS: [NamedBytes<'static>; 3] = [("one.o", ONE), (LONG, TWO), ("read.me", b"text\n")];

fn expected(prefix: &str) -> Vec<String> {
    vec![
        format!("{prefix}!one.o elf one"),
        format!("{prefix}!{LONG} elf two, of an odd size!"),
        format!("{prefix}!read.me skip text"),
    ]
}

#[test]
fn archives_of_every_kind() {
    assert_eq!(found(&ar(&MEMBERS)), expected("f"));
    assert_eq!(found(&bsd_ar(&MEMBERS)), expected("f"));
    assert_eq!(found(&tar(&MEMBERS)), expected("f"));
    assert_eq!(found(&thin(&[("sub/one.o", ONE)])), ["f!sub/one.o at sub/one.o"]);
    assert_eq!(found(b"!<arch>\n"), ["f skip archive-without-elf"]);
    assert_eq!(found(&ar(&MEMBERS[2..])), ["f!read.me skip text", "f skip archive-without-elf"]);
}

#[test]
fn compressed_files_of_every_kind() {
    let large: Vec<u8> = [b"\x7fELF", b"0123456789abcdef".repeat(20_000).as_slice()].concat();
    let text = String::from_utf8_lossy(&large[4..]).into_owned();
    for pack in [gzip, zstd, xz] {
        assert_eq!(found(&pack(ONE)), ["f elf one"]);
        assert_eq!(found(&pack(&large)), [format!("f elf {text}")]);
        assert_eq!(found(&[pack(&large[..99]), pack(&large[99..])].concat()), [format!("f elf {text}")], "two streams");
        assert_eq!(found(&pack(b"text\n")), ["f skip compressed-without-elf"]);
        assert_eq!(found(&pack(&tar(&MEMBERS))), expected("f"));
    }
    // Padding between xz streams, and a skippable zstd frame.
    assert_eq!(found(&[&xz(ONE)[..], &[0; 8], &xz(b"+")].concat()), ["f elf one+"]);
    let skippable = [&[0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
    assert_eq!(found(&[zstd(ONE), skippable, zstd(b"+")].concat()), ["f elf one+"]);
}

#[test]
fn kernels() {
    let image = |packed: &[u8], magic: &[u8; 4]| {
        let mut image = vec![0; 5 * 512 + 0x300];
        image[..2].copy_from_slice(b"MZ");
        image[0x202..0x206].copy_from_slice(magic);
        image[0x206..0x208].copy_from_slice(&0x20f_u16.to_le_bytes());
        image[0x248..0x24c].copy_from_slice(&0x300_u32.to_le_bytes());
        image[0x24c..0x250].copy_from_slice(&(packed.len() as u32).to_le_bytes());
        [&image, packed, b"rest"].concat()
    };
    for (pack, size) in [(gzip as fn(&[u8]) -> Vec<u8>, &b""[..]), (xz, b"size"), (zstd, b"size")] {
        let packed = [&pack(ONE)[..], size].concat();
        assert_eq!(found(&image(&packed, b"HdrS")), ["f elf one"]);
        assert_eq!(found(&image(&packed, b"none")), ["f skip pe"]);
    }
    assert_eq!(found(&image(b"LZ4 or LZMA", b"HdrS")), ["f skip compressed-without-elf"]);
    let ends = image(b"\x1f", b"HdrS");
    assert!(found(&ends[..ends.len() - 4])[0].starts_with("f failed "));
}

/// Made by xz 5.4.1 from the magic number and a kibibyte of zeros: data that really is compressed.
#[test]
fn a_stream_of_the_tool_itself() {
    const STREAM: &[u8] = include_bytes!("zeros.xz");
    let all = found(STREAM);
    assert_eq!(all, [format!("f elf {}", "\0".repeat(1024))]);
}

#[test]
fn packages_and_nests() {
    for (more, pack) in [("", <[u8]>::to_vec as fn(&[u8]) -> Vec<u8>), (".gz", gzip), (".xz", xz), (".zst", zstd)] {
        let members =
            [("./usr/lib/one.so", ONE), ("./lib/modules/two.ko.xz", &xz(TWO)), ("./usr/lib/x.a", &ar(&MEMBERS))];
        let data = format!("f!data.tar{more}");
        let mut all = vec![
            "f!debian-binary skip text".to_owned(),
            format!("f!control.tar{more}!./control skip text"),
            format!("{data}!./usr/lib/one.so elf one"),
            format!("{data}!./lib/modules/two.ko.xz elf two, of an odd size!"),
        ];
        all.extend(expected(&format!("{data}!./usr/lib/x.a")));
        assert_eq!(found(&deb(more, pack, &members)), all);
    }
    let deep = (0..12).fold(ONE.to_vec(), |inner, _| tar(&[("t", &inner)]));
    let all = found(&deep);
    assert!(all.len() == 2 && all[0].ends_with("failed nested more than 8 deep, the maximum"), "{all:?}");
    assert_eq!(
        found(&ar(&[("t.a", &thin(&[("one.o", ONE)]))]))[0],
        "f!t.a!one.o failed a member of a thin archive in an archive: its file is not there"
    );
}

/// Truncated at every byte: no panic and no silence, and members before the cut are found.
#[test]
fn truncated_files() {
    let members = [("one.o", ONE), ("two.o", TWO)];
    for whole in [ar(&members), bsd_ar(&members), deb(".xz", xz, &members), gzip(&tar(&members)), zstd(ONE), xz(ONE)] {
        let sound = found(&whole);
        for length in (9..whole.len() - 1).step_by(7) {
            let cut = found(&whole[..length]);
            let is_reported = cut.iter().any(|one| one.contains(" failed ") || one.contains(" unread "));
            // Truncated at the end of a member, an archive is valid.
            let rest = cut.iter().all(|one| sound.contains(one) || one.contains(" skip ") || one.contains(" at "));
            assert!(is_reported || rest, "{length} of {}: {cut:?}", whole.len());
        }
    }
    let whole = ar(&members);
    let cut = &whole[..whole.len() - 20];
    let why = format!("f failed truncated: a member at offset {:#x} is incomplete", cut.len());
    assert_eq!(found(cut).last(), Some(&why));
}

#[test]
fn archives_that_lie() {
    let mut names = ar(&MEMBERS);
    let at = names.windows(5).position(|bytes| bytes == b"/0   ").expect("a long name");
    names[at + 1..at + 3].copy_from_slice(b"99");
    assert_eq!(
        found(&names).last().expect("something"),
        &format!("f failed malformed: a name is not in the table of names (offset {:#x})", at)
    );
    let mut size = ar(&MEMBERS);
    let at = size.windows(6).position(|bytes| bytes == b"one.o/").expect("a name");
    size[at + 48] = b'x';
    assert_eq!(found(&size), [format!("f failed malformed: the size of a member is not a number (offset {at:#x})")]);
    // The bytes of a name, of as many as there are.
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::GNULongName);
    header.set_size(1 << 40);
    header.set_cksum();
    let long = [header.as_bytes().as_slice(), &vec![b'n'; 3 << 20]].concat();
    assert_eq!(found(&gzip(&long)), ["f failed the name of a member has more than 1048576 bytes"]);
}

#[test]
fn bombs() {
    let small = found(&bomb(100));
    assert!(small[0].starts_with("f elf"), "12 MiB are none");
    let large = found(&bomb(600));
    assert_eq!(large.len(), 1);
    assert!(large[0].starts_with("f unread decompression bomb: 2413 bytes expand to more than 67591464"), "{large:?}");
    // In an archive: the rest of it is not read.
    let inner = [("bomb.ko.zst", &bomb(600)[..]), ("one.o", ONE)];
    let all = found(&ar(&inner));
    assert_eq!(all.len(), 2, "{all:?}");
    assert!(all[1].starts_with("f failed decompression bomb: "), "{all:?}");
}

#[test]
fn kinds_that_are_passed_by() {
    for (bytes, kind) in [
        (&b""[..], Skip::Empty),
        (b"#!/bin/sh\n", Skip::Script),
        (b"MZ\x90\0", Skip::Pe),
        (b"BC\xc0\xde", Skip::Bitcode),
        (b"BZh9", Skip::OtherArchive),
        (b"a\0b", Skip::Data),
    ] {
        assert_eq!(found(bytes), [format!("f skip {}", kind.name())]);
    }
}
