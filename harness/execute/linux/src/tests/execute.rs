//! `execve` as the kernel sees it. Numbers from execve(2), Linux and its error numbers.

use std::sync::Arc;

use types::elf::PT_INTERP;
use types::{Bytes, Image, ImageKind, Pc, Segment};

use super::*;
use crate::contents::Contents;
use crate::programs::Programs;
use crate::signals::IGNORE;

const CLOSE_ON_EXEC: u64 = 0o2_000_000;

/// Takes `S` as a static program and `D` followed by a path as one with that interpreter.
#[derive(Debug)]
struct Letters(Abi);

impl Programs for Letters {
    fn load(&self, program: u32, path: &str, bytes: &[u8]) -> Option<Arc<Image>> {
        let (kind, name_size) = match bytes.first()? {
            b'S' => (ImageKind::Executable, 0),
            b'D' => (ImageKind::Dynamic, bytes.len() as u64 - 1),
            _ => return None,
        };
        let interpreter =
            Segment { file_offset: 1, file_size: name_size, ..Segment::new(PT_INTERP, 4, 0, Bytes::new()) };
        Some(Arc::new(Image {
            segments: vec![interpreter],
            ..Image::new(format!("{path} {program}"), self.0, kind, Pc(0))
        }))
    }
}

/// A guest with files, all of them executable.
fn with(abi: Abi, files: &[(&str, &str)]) -> Guest {
    let mut guest = Guest::new(abi);
    guest.kernel.processes.images = Some(Arc::new(Letters(abi)));
    for (path, text) in files {
        let body = crate::tree::Body::File(Contents::Own(text.as_bytes().to_vec()));
        guest.kernel.files.tree.put_at(path, body, 0o755).expect("a place");
    }
    guest
}

impl Guest {
    /// `execve` with two arguments and one variable.
    fn execute(&mut self, path: &str) -> Result<u64, Refusal> {
        for (offset, text) in [(0x400, "zero\0"), (0x410, "one\0"), (0x420, "A=b\0")] {
            self.memory.write(PAGE_AT + offset, text.as_bytes());
        }
        self.put(PAGE_AT + 0x600, &[PAGE_AT + 0x400, PAGE_AT + 0x410, 0, PAGE_AT + 0x420, 0]);
        let path = self.path(path);
        let arguments = [path, PAGE_AT + 0x600, PAGE_AT + 0x618, 0, 0, 0];
        self.kernel.serve(Call::Execve, arguments, &mut self.registers, &mut self.memory)
    }

    /// The program that the process has become: its image, its interpreter's, and its texts.
    fn become_program(&mut self) -> String {
        let program = self.kernel.processes.take_program().expect("a program");
        self.kernel.begin_program(&program, PAGE_AT + 0xf00).expect("it begins");
        let texts = program.arguments.iter().chain(&program.environment).map(|text| String::from_utf8_lossy(text));
        let texts: Vec<_> = texts.collect();
        let loader = program.interpreter.map_or(String::new(), |image| format!(" by {}", image.name));
        format!("{}{loader}: {}", program.image.name, texts.join(" "))
    }

    fn exe(&mut self) -> String {
        let link = self.path("/proc/self/exe");
        let size = self.call(Call::Readlink, &[link, PAGE_AT + 0x700, 64]) as usize;
        String::from_utf8_lossy(self.memory.read(PAGE_AT + 0x700, size).expect("in memory")).into_owned()
    }
}

#[test]
fn what_the_file_is_decides_what_the_process_becomes() {
    each(|guest| {
        let files = [
            ("/bin/s", "S"),
            ("/bin/d", "D/lib/ld\0"),
            ("/lib/ld", "S"),
            ("/script", "#! /bin/s  -x y \nrest"),
            ("/of", "#!/script"),
            ("/loop", "#!/loop\n"),
            ("/other", "other"),
            ("/lost", "D/no\0"),
        ];
        let mut guest = with(guest.abi, &files);
        for (path, becomes) in [
            ("/bin/s", "/bin/s 1: zero one A=b"),
            ("/bin/../bin/d", "/bin/d 2 by /lib/ld 2: zero one A=b"),
            ("script", "/bin/s 3: /bin/s -x y script one A=b"),
            ("/of", "/bin/s 4: /bin/s -x y /script /of one A=b"),
        ] {
            assert_eq!(guest.execute(path), Err(Refusal::Becomes), "{path}");
            assert_eq!(guest.become_program(), becomes);
        }
        // ENOENT, EACCES, ENOEXEC, and for a script that is its own interpreter as well.
        for (path, errno) in [("/no", 2), ("/lost", 2), ("/tmp", 13), ("/dev/null", 13), ("/other", 8), ("/loop", 8)] {
            assert_eq!(guest.execute(path).map(|value| value as i64), Ok(-errno), "{path}");
        }
        guest.kernel.processes.images = None;
        assert!(matches!(guest.execute("/bin/s"), Err(Refusal::Ends(StopReason::NewProcess, _))));
    });
}

#[test]
fn a_program_keeps_descriptors_and_ignored_signals_and_its_maker_keeps_all() {
    each(|guest| {
        let mut guest = with(guest.abi, &[("/bin/s", "S")]);
        let null = guest.path("/dev/null");
        assert_eq!(guest.call(Call::Openat, &[-100i64 as u64, null, 0]), 3);
        assert_eq!(guest.call(Call::Openat, &[-100i64 as u64, null, CLOSE_ON_EXEC]), 4);
        for (signal, handler) in [(10, IGNORE), (12, 0x4000)] {
            guest.kernel.process.signals.action(signal).expect("a signal").handler = handler;
        }
        let before = (guest.call(Call::Brk, &[0]), guest.exe());
        guest.fork();
        assert_eq!(guest.execute("/bin/s"), Err(Refusal::Becomes));
        guest.become_program();
        assert_eq!((guest.kernel.process.program(), guest.exe()), (1, "/bin/s".to_owned()));
        let handler =
            |guest: &mut Guest, signal| guest.kernel.process.signals.action(signal).expect("a signal").handler;
        assert_eq!((handler(&mut guest, 10), handler(&mut guest, 12)), (IGNORE, 0));
        assert_eq!((guest.call(Call::Close, &[3]), guest.call(Call::Close, &[4])), (0, -9));
        // Its mappings are below those of its maker, and later ones of that are below these.
        let map = |guest: &mut Guest| guest.call(Call::Mmap, &[0, 4096, 3, ANONYMOUS_PRIVATE, u64::MAX, 0]);
        let its = map(&mut guest);
        assert_eq!(guest.kernel.end_process(0), Some(1));
        assert_eq!((guest.kernel.process.program(), guest.call(Call::Brk, &[0]), guest.exe()), (0, before.0, before.1));
        assert_eq!((handler(&mut guest, 12), guest.call(Call::Close, &[4])), (0x4000, 0));
        assert!(map(&mut guest) < its);
    });
}

#[test]
fn a_file_without_a_name_is_executed_unless_its_flags_forbid_that() {
    const EMPTY_PATH: u64 = 0x1000;
    const NOT_EXECUTABLE: u64 = 8;
    each(|guest| {
        let mut guest = with(guest.abi, &[]);
        let name = guest.path("name");
        for (flags, expected) in [(0, Err(Refusal::Becomes)), (NOT_EXECUTABLE, Ok(-13i64 as u64))] {
            let file = guest.call(Call::MemfdCreate, &[name, flags]) as u64;
            guest.memory.write(PAGE_AT + 0x400, b"S\0");
            assert_eq!(guest.call(Call::Write, &[file, PAGE_AT + 0x400, 1]), 1);
            let arguments = [file, PAGE_AT + 0x401, 0, 0, EMPTY_PATH, 0];
            let answer = guest.kernel.serve(Call::Execveat, arguments, &mut guest.registers, &mut guest.memory);
            assert_eq!(answer, expected);
        }
        assert_eq!(guest.call(Call::MemfdCreate, &[name, 1 << 10]), -22);
    });
}
