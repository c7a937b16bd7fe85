//! `core` on programs of every target: the file has the state that `trace` prints for the same
//! step. It is decoded here by the layouts of the kernel's headers.

use serde_json::Value;

use crate::command::support::{Folder, bytes_of, frozen, run};

/// A program of each target, offsets of PC and SP in the registers of NT_PRSTATUS, and true if
/// numbers are little-endian: `user_regs_struct` (rip, rsp), `user_pt_regs` (pc, sp), `s390_regs`
/// (psw.addr, r15).
const PROGRAMS: [(&str, usize, usize, bool); 4] = [
    ("x86_64/gas-2.47.50--v3--gcc12-O2--exe", 16 * 8, 19 * 8, true),
    ("aarch64/gas-2.47.50--v3--gcc12-O2--exe", 32 * 8, 31 * 8, true),
    ("aarch64_be/gas-2.47.50--v3--gcc12-O2--exe", 32 * 8, 31 * 8, false),
    ("s390x/gas-2.47.50--v3--gcc12-O2--exe", 8, 16 + 15 * 8, false),
];
/// Offset of the registers in `struct elf_prstatus`, on all targets.
const REGISTERS: usize = 112;
const STEP: usize = 5000;

/// A core file in a byte order.
struct Core {
    bytes: Vec<u8>,
    is_little: bool,
}

impl Core {
    fn number(&self, at: usize, size: usize) -> usize {
        let mut bytes = self.bytes[at..at + size].to_vec();
        if self.is_little {
            bytes.reverse();
        }
        bytes.iter().fold(0, |all, byte| all << 8 | usize::from(*byte))
    }

    fn long(&self, at: usize) -> usize {
        self.number(at, 8)
    }

    /// Offsets of the program headers.
    fn segments(&self) -> impl Iterator<Item = usize> {
        let first = self.long(32);
        (0..self.number(56, 2)).map(move |nth| first + 56 * nth)
    }

    /// Offset of the description of a note.
    fn note(&self, kind: usize) -> usize {
        let notes = self.segments().find(|at| self.number(*at, 4) == 4).expect("PT_NOTE");
        let mut at = self.long(notes + 8);
        let end = at + self.long(notes + 32);
        while at < end {
            let [name, size] = [0, 4].map(|field| self.number(at + field, 4).next_multiple_of(4));
            if self.number(at + 8, 4) == kind {
                return at + 12 + name;
            }
            at += 12 + name + size;
        }
        panic!("no note {kind}");
    }

    /// A value of the auxiliary vector.
    fn auxiliary(&self, kind: usize) -> usize {
        let first = self.note(6);
        let at = (0..40).map(|pair| first + 16 * pair).find(|at| self.long(*at) == kind);
        self.long(at.expect("the value") + 8)
    }

    /// The word of the program's memory at an address.
    fn memory(&self, address: usize) -> Option<usize> {
        let loaded = self.segments().filter(|at| self.number(*at, 4) == 1);
        let spans = loaded.map(|at| (self.long(at + 16), self.long(at + 32), self.long(at + 8)));
        spans.into_iter().find(|(start, size, _)| (*start..start + size).contains(&address)).map(
            |(start, _, offset)| {
                assert_eq!((offset % 4096, start % 4096), (0, 0));
                self.long(offset + address - start)
            },
        )
    }
}

#[test]
fn a_core_file_has_the_state_of_its_step() {
    let folder = Folder::new();
    for (name, pc, sp, is_little) in PROGRAMS {
        let (path, out) = (frozen(name), folder.path("core"));
        let ran = run(&["core", &path, "--at", &STEP.to_string(), "--out", &out]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.stderr);
        let traced = run(&["trace", "--format", "json", "--step-limit", &STEP.to_string(), &path]);
        let step: Value = serde_json::from_str(traced.stdout.lines().nth(STEP - 1).expect("the step")).expect("JSON");
        let of = |key: &str| step["step"][key].as_u64().expect("a number") as usize;

        let core = Core { bytes: std::fs::read(&out).expect("the core file"), is_little };
        let status = core.note(1) + REGISTERS;
        assert_eq!((core.long(status + pc), core.long(status + sp)), (of("pc"), of("sp")), "{name}");
        // The caller of the executing function is at the beginning of the callers; the CFA of
        // s390x is 160 bytes above its SP.
        let first = ran.stdout.lines().nth(2).expect("a caller");
        assert!(first.trim_start().starts_with(&format!("{:#x} ", of("ra"))), "{name}: {first}");
        let bias = if name.starts_with("s390x") { 160 } else { 0 };
        assert!(first.ends_with(&format!(", SP {:#x}", of("cfa") - bias)), "{name}: {first}");
        assert_eq!(ran.stdout.lines().count(), 2 + of("depth"), "{name}");
        // The code at PC is there; AT_ENTRY is the entry of the file.
        let file = Core { bytes: std::fs::read(&path).expect("the program"), is_little };
        assert!(core.memory(of("pc") & !7).is_some(), "{name}");
        assert_eq!(core.auxiliary(9), file.long(24), "{name}: AT_ENTRY");
    }
}

/// A segment without bytes in the file, as of `.bss` alone, is no mapping of a file.
#[test]
fn only_segments_with_bytes_are_mappings_of_files() {
    let mut file = Core { bytes: bytes_of(PROGRAMS[0].0), is_little: true };
    let is_data = |at: &usize| file.number(*at, 4) == 1 && file.number(at + 4, 4) == 6;
    let data = file.segments().find(is_data).expect("a PT_LOAD of data");
    let mapped = |bytes: &[u8]| {
        let folder = Folder::new();
        let (path, out) = (folder.write("program", bytes), folder.path("core"));
        let ran = run(&["core", &path, "--at", "1", "--out", &out]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let core = Core { bytes: std::fs::read(&out).expect("the core file"), is_little: true };
        let files = core.note(0x4649_4c45);
        let entries: Vec<usize> = (0..core.long(files)).map(|nth| files + 16 + 24 * nth).collect();
        assert!(entries.iter().all(|at| core.long(*at) < core.long(at + 8)), "an empty mapping");
        entries.len()
    };
    let whole = mapped(&file.bytes);
    // p_filesz.
    file.bytes[data + 32..data + 40].fill(0);
    assert_eq!(mapped(&file.bytes), whole - 1);
}

/// A debugger moves a position-independent program only if AT_PHNUM is the number of its program
/// headers.
#[test]
fn a_dynamically_linked_program_has_its_own_program_headers() {
    const PROGRAM: &str = "/bin/true";
    const LOADER: &[u8] = b"/lib64/ld-linux-x86-64.so.2";
    let bytes = std::fs::read(PROGRAM).unwrap_or_default();
    if !cfg!(target_arch = "x86_64") || !bytes.windows(LOADER.len()).any(|part| part == LOADER) {
        return;
    }
    let folder = Folder::new();
    let out = folder.path("core");
    let ran = run(&["core", PROGRAM, "--at", "1000", "--out", &out]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let core = Core { bytes: std::fs::read(&out).expect("the core file"), is_little: true };
    let file = Core { bytes, is_little: true };
    assert_eq!(core.auxiliary(5), file.number(56, 2), "AT_PHNUM");
}
