//! `execve`: a process becomes another program.

use std::sync::Arc;

use types::elf::{PF_X, PT_INTERP, PT_LOAD};
use types::{Image, ImageKind, StopReason};

use super::files::HERE;
use crate::descriptors::What;
use crate::errno::{Errno, Refusal};
use crate::kernel::{Kernel, Mapped};
use crate::memory::{Memory, PAGE};
use crate::programs::NewProgram;
use crate::space::Space;
use crate::threads::Own;
use crate::tree::{Body, Last, NodeId, TOP};

/// `AT_SYMLINK_NOFOLLOW`, `AT_EMPTY_PATH` (Linux `include/uapi/linux/fcntl.h`).
const NO_FOLLOW: u64 = 0x100;
const EMPTY_PATH: u64 = 0x1000;
/// Maximum size of arguments and environment in bytes, and of one of them (Linux
/// `include/uapi/linux/binfmts.h`, `fs/exec.c`: a quarter of the stack).
const MOST_BYTES: usize = 2 << 20;
const MOST_STRING: usize = 128 << 10;
/// Maximum length of the first line of a script, and maximum number of scripts that are
/// interpreters of scripts (Linux `include/uapi/linux/binfmts.h`, `fs/exec.c`).
const FIRST_LINE: usize = 256;
const MOST_SCRIPTS: usize = 5;
/// Maximum number of programs.
const MOST_PROGRAMS: u32 = 1 << 14;
const EXECUTE: u32 = 0o111;
/// The link to the file of the program.
const EXECUTABLE: &[u8] = b"/proc/self/exe";

/// An executable file, and its path without symbolic links.
struct Executable {
    node: NodeId,
    path: Vec<u8>,
}

impl Kernel {
    /// `execveat`, and `execve` with `HERE` and without flags.
    pub(crate) fn execve(
        &mut self,
        folder: u64,
        [path, arguments, environment, flags]: [u64; 4],
        memory: &dyn Memory,
    ) -> Result<Refusal, Refusal> {
        let name = self.path(path, memory)?;
        let mut file = self.executable(folder, path, &name, flags, memory)?;
        let Some(programs) = self.programs.clone() else {
            return Err(Refusal::Ends(StopReason::NewProcess, "it executes another program"));
        };
        if self.threads.has_others() {
            return Err(Refusal::Ends(StopReason::NewProcess, "it executes another program while it has threads"));
        }
        let program = self.processes.programs + 1;
        if program == MOST_PROGRAMS {
            return Err(Refusal::Ends(StopReason::NewProcess, "it executes more programs than are followed"));
        }
        let mut arguments = self.strings(arguments, memory)?;
        let environment = self.strings(environment, memory)?;
        if arguments.iter().chain(&environment).map(|text| text.len() + 9).sum::<usize>() > MOST_BYTES {
            return Err(Errno::TooBig.into());
        }
        if arguments.is_empty() {
            arguments.push(Vec::new());
        }
        let mut script = name.clone();
        for _ in 0..MOST_SCRIPTS {
            let Some((interpreter, argument)) = first_line(self.contents(file.node)?) else { break };
            let rest = arguments.split_off(arguments.len().min(1));
            arguments = [interpreter.clone()].into_iter().chain(argument).chain([script]).chain(rest).collect();
            file = self.found_program(&interpreter)?;
            script = interpreter;
        }
        let load = |kernel: &Kernel, file: &Executable| {
            let path = String::from_utf8_lossy(&file.path).into_owned();
            let image = programs.load(program, &path, kernel.contents(file.node)?);
            Ok::<_, Refusal>((image.ok_or(Errno::NotExecutable)?, path))
        };
        let (image, path) = load(self, &file)?;
        let (interpreter, interpreter_path) = match image.kind {
            ImageKind::Executable => (None, String::new()),
            // A dynamic linker.
            ImageKind::Shared if image.entry.0 != image.bias => (None, String::new()),
            ImageKind::Dynamic => {
                let name = interpreter_of(&image, self.contents(file.node)?).ok_or(Errno::NotExecutable)?;
                let file = self.found_program(&name)?;
                let (image, path) = load(self, &file)?;
                (Some(image), path)
            }
            ImageKind::Shared | ImageKind::Relocatable => return Err(Errno::NotExecutable.into()),
        };
        let paths = [path, interpreter_path];
        let becomes = NewProgram { image, interpreter, arguments, environment, name, paths };
        self.processes.becomes = Some(Box::new(becomes));
        Ok(Refusal::Becomes)
    }

    /// Takes the program that the process becomes.
    pub fn take_program(&mut self) -> Option<NewProgram> {
        self.processes.becomes.take().map(|program| *program)
    }

    /// The process is another program now, whose image ends at `image_end`: its handlers, its
    /// descriptors that are closed on `execve`, and its mappings are gone.
    ///
    /// # Errors
    /// The file tree is full.
    pub fn begin_program(&mut self, program: &NewProgram, image_end: u64) -> Result<(), crate::memory::Denied> {
        self.processes.programs += 1;
        self.processes.program = self.processes.programs;
        let now = self.processes.now;
        self.processes.lent.retain(|_, child| *child != now);
        for number in self.descriptors.between(0, u64::MAX) {
            if self.descriptors.closes_on_exec(number) == Ok(true) {
                // It is open, so that this does not fail.
                let _closed = self.close(number);
            }
        }
        self.signals.begin_program();
        self.timers.made.clear();
        self.threads.own = Own::default();
        self.processes.shares_memory = false;
        self.space = Space::after(image_end, &self.space);
        let images = [Some(&program.image), program.interpreter.as_ref()];
        for (image, path) in images.into_iter().zip(&program.paths) {
            self.mapped.extend(image.into_iter().flat_map(|image| mapped(image, path, self.processes.program)));
        }
        let [path, _] = &program.paths;
        self.set_executable(path.as_bytes()).map_err(|_| "the file tree is full".into())
    }

    /// Makes `/proc/self/exe` lead to a path.
    pub(crate) fn set_executable(&mut self, path: &[u8]) -> Result<(), Errno> {
        let link = self.tree.find(TOP, EXECUTABLE, Last::Keep)?.node.ok_or(Errno::NoEntry)?;
        self.tree.node_mut(link)?.body = Body::Link(path.to_vec());
        Ok(())
    }

    /// The path that `/proc/self/exe` leads to.
    pub(crate) fn executable_path(&mut self) -> Vec<u8> {
        let link = self.tree.find(TOP, EXECUTABLE, Last::Keep).ok().and_then(|place| place.node);
        match link.and_then(|link| self.tree.node(link).ok()).map(|node| &node.body) {
            Some(Body::Link(target)) => target.clone(),
            _ => Vec::new(),
        }
    }

    /// The file that a call names.
    fn executable(
        &mut self,
        folder: u64,
        path: u64,
        name: &[u8],
        flags: u64,
        memory: &dyn Memory,
    ) -> Result<Executable, Refusal> {
        if flags & !(NO_FOLLOW | EMPTY_PATH) != 0 {
            return Err(Errno::Invalid.into());
        }
        if name.is_empty() && flags & EMPTY_PATH != 0 && folder as u32 != HERE as u32 {
            let What::Node(node) = self.descriptors.get(folder)?.what else { return Err(Errno::Access.into()) };
            let source = self.tree.node(node)?.source.as_ref().map(|source| [b"/", &source[..]].concat());
            let path = source.unwrap_or_else(|| format!("/dev/fd/{}", folder as u32).into_bytes());
            return self.checked(Executable { node, path });
        }
        let last = if flags & NO_FOLLOW == 0 { Last::Follow } else { Last::Keep };
        // Notes a name that is not there.
        self.found(folder, path, last, memory)?;
        let base = self.base(folder, name)?;
        self.located(base, name, last)
    }

    /// The file of a script's or a program's interpreter.
    fn found_program(&mut self, path: &[u8]) -> Result<Executable, Refusal> {
        self.located(self.folder, path, Last::Follow)
    }

    fn located(&mut self, base: NodeId, path: &[u8], last: Last) -> Result<Executable, Refusal> {
        let place = self.tree.find(base, path, last)?;
        let node = place.node.ok_or(Errno::NoEntry)?;
        let folder = self.tree.path(place.folder)?;
        let slash: &[u8] = if folder.ends_with(b"/") { b"" } else { b"/" };
        self.checked(Executable { node, path: [&folder, slash, &place.name].concat() })
    }

    /// Reads a file that may be executed.
    fn checked(&mut self, file: Executable) -> Result<Executable, Refusal> {
        let node = self.tree.node(file.node)?;
        match &node.body {
            Body::File(_) | Body::Unread { .. } if node.mode & EXECUTE != 0 => {}
            Body::Link(_) => return Err(Errno::Loop.into()),
            _ => return Err(Errno::Access.into()),
        }
        self.tree.open_file(file.node)?;
        Ok(file)
    }

    fn contents(&self, node: NodeId) -> Result<&[u8], Errno> {
        match &self.tree.node(node)?.body {
            Body::File(bytes) => Ok(bytes),
            _ => Err(Errno::Access),
        }
    }

    /// The strings of an array of pointers that ends with a null pointer.
    fn strings(&self, mut at: u64, memory: &dyn Memory) -> Result<Vec<Vec<u8>>, Errno> {
        let mut all = Vec::new();
        // As on Linux, no array is an empty one.
        while at != 0 && all.len() < MOST_BYTES / 9 {
            let string = self.word(at, memory)?;
            if string == 0 {
                return Ok(all);
            }
            all.push(string_at(string, memory)?);
            at = at.wrapping_add(8);
        }
        if at == 0 { Ok(all) } else { Err(Errno::TooBig) }
    }
}

fn string_at(address: u64, memory: &dyn Memory) -> Result<Vec<u8>, Errno> {
    let mut string = Vec::new();
    while string.len() < MOST_STRING {
        let rest = memory.rest(address.wrapping_add(string.len() as u64)).ok_or(Errno::Fault)?;
        let rest = rest.get(..MOST_STRING).unwrap_or(rest);
        match rest.iter().position(|byte| *byte == 0) {
            Some(end) => {
                string.extend(rest.iter().take(end));
                return Ok(string);
            }
            None => string.extend_from_slice(rest),
        }
    }
    Err(Errno::TooBig)
}

/// The interpreter that the first line of a script names, and its argument (Linux
/// `fs/binfmt_script.c`).
fn first_line(bytes: &[u8]) -> Option<(Vec<u8>, Option<Vec<u8>>)> {
    let line = bytes.get(..FIRST_LINE).unwrap_or(bytes).strip_prefix(b"#!")?;
    let line = line.split(|byte| *byte == b'\n').next()?.trim_ascii();
    let end = line.iter().position(|byte| matches!(byte, b' ' | b'\t')).unwrap_or(line.len());
    let (interpreter, argument) = line.split_at(end);
    let argument = argument.trim_ascii_start();
    let argument = (!argument.is_empty()).then(|| argument.to_vec());
    (!interpreter.is_empty()).then(|| (interpreter.to_vec(), argument))
}

fn interpreter_of(image: &Image, bytes: &[u8]) -> Option<Vec<u8>> {
    let named = image.segments.iter().find(|segment| segment.kind == PT_INTERP)?;
    let start = usize::try_from(named.file_offset).ok()?;
    let name = bytes.get(start..start.checked_add(usize::try_from(named.file_size).ok()?)?)?;
    Some(name.split(|byte| *byte == 0).next()?.to_vec())
}

/// The executable mappings of an image.
fn mapped<'a>(image: &'a Arc<Image>, path: &'a str, program: u32) -> impl Iterator<Item = Mapped> + 'a {
    let code = image.segments.iter().filter(|segment| segment.kind == PT_LOAD && segment.flags & PF_X != 0);
    code.map(move |segment| Mapped {
        path: path.to_owned(),
        base: segment.address & !(PAGE - 1),
        offset: segment.file_offset & !(PAGE - 1),
        program,
    })
}
