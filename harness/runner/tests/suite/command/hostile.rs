//! Files made to be expensive: the memory of the command is proportional to the contents of the
//! file and to the step limit.

use generators::code::Function;
use generators::elf::{self, FileKind, PF_R, PF_W, PF_X};
use generators::sample::Sample;
use types::{Abi, SframeVersion};

use crate::command::support::{Folder, measured, program_with, run};

/// Code that a program generates and executes for ever: no table covers it, and nothing about it is
/// stored.
#[test]
fn code_made_at_run_time() {
    const MOST_MEMORY: u64 = 128 << 20;
    let abi = Abi::Amd64;
    let functions = vec![Function::leaf(abi, "leaf").padded(abi, 1, 64), Function::start(abi, "_start", "leaf")];
    let sample = Sample::new(abi, SframeVersion::V2Errata1, FileKind::Executable, functions);
    let mut sample = sample.expect("a sample");
    // lea 0x200(%rip),%rax; movw $0xfeeb,(%rax); jmp *%rax: writes `jmp .` past the end of the
    // segment, in its page.
    let code = [0x48, 0x8d, 0x05, 0x00, 0x02, 0, 0, 0x66, 0xc7, 0x00, 0xeb, 0xfe, 0xff, 0xe0];
    sample.text[..code.len()].copy_from_slice(&code);
    let mut file = sample.elf().expect("a file");
    file.segments[0].flags = PF_R | PF_W | PF_X;
    let folder = Folder::new();
    let path = folder.write("selfmade", &elf::write(&file).expect("a file"));
    let (ran, peak) =
        measured(program_with(&["check", "--no-explore", "--format", "json", "--step-limit", "1000000", &path]));
    let json = ran.json();
    assert_eq!(json["undecided"][0]["reason"], "step-limit", "{json}");
    assert_eq!(json["summary"]["steps_executed"], 1_000_000);
    assert!(peak < MOST_MEMORY, "{peak} bytes of memory");
}

/// An AMD64 file of this type and size with many sections, and segments, each of which is the whole
/// file; all sections have the same name.
fn overlapping(kind: u16, size: u64, sections: u16, segments: u16, name: usize) -> Vec<u8> {
    let headers = 64 + 64 * u64::from(sections + 2);
    let names_at = headers + 56 * u64::from(segments);
    let mut bytes = vec![0; size as usize];
    let mut put = |at: u64, width: usize, value: u64| {
        bytes[at as usize..at as usize + width].copy_from_slice(&value.to_le_bytes()[..width]);
    };
    for (at, width, value) in [
        (0, 4, 0x464c_457f),
        (4, 3, 0x1_0102),
        (16, 2, kind.into()),
        (18, 2, 62),
        (20, 4, 1),
        (32, 8, headers),
        (40, 8, 64),
        (52, 2, 64),
        (54, 2, 56),
        (56, 2, segments.into()),
        (58, 2, 64),
        (60, 2, u64::from(sections) + 2),
        (62, 2, u64::from(sections) + 1),
    ] {
        put(at, width, value);
    }
    for index in 1..=u64::from(sections) {
        let at = 64 + 64 * index;
        for (field, width, value) in [(0, 4, 1), (4, 4, 1), (8, 8, 2), (32, 8, size), (48, 8, 1)] {
            put(at + field, width, value);
        }
    }
    let last = 64 + 64 * (u64::from(sections) + 1);
    for (field, width, value) in [(4, 4, 3), (24, 8, names_at), (32, 8, name as u64 + 2)] {
        put(last + field, width, value);
    }
    for index in 0..u64::from(segments) {
        let at = headers + 56 * index;
        for (field, width, value) in [(0, 4, 1), (4, 4, 5), (16, 8, index << 32), (32, 8, size), (40, 8, size)] {
            put(at + field, width, value);
        }
    }
    bytes[names_at as usize + 1..][..name].fill(b'n');
    bytes
}

/// Headers that refer to the same bytes a thousand times: four gigabytes if each were copied.
#[test]
fn sections_and_segments_that_overlap() {
    let folder = Folder::new();
    for (what, bytes) in [
        ("sections overlap", overlapping(1, 4_000_000, 1000, 0, 2)),
        ("segments overlap", overlapping(2, 4_000_000, 1, 1000, 2)),
        ("program headers", overlapping(2, 4_000_000, 1, 2000, 2)),
        ("overlap", overlapping(1, 3_000_000, 20_000, 0, 200_000)),
    ] {
        let path = folder.write("overlap", &bytes);
        let (ran, peak) = measured(program_with(&["check", &path]));
        assert_eq!(ran.code, Some(3), "{what}: {ran:?}");
        assert!(ran.stdout.contains(what), "{what}: {}", ran.stdout);
        assert!(peak < 100 << 20, "{what}: {} MiB", peak >> 20);
    }
    // A section that is the whole file, and a segment too, as `objcopy -I binary` may make.
    let path = folder.write("once", &overlapping(2, 100_000, 1, 1, 2));
    assert!(!run(&["check", &path]).stdout.contains("overlap"));
}
