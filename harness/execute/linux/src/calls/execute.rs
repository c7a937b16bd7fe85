//! `execve`: a process becomes another program.

use types::elf::PT_INTERP;
use types::{Image, ImageKind, StopReason};

use super::files::HERE;
use super::stat::{EMPTY_PATH, NO_FOLLOW};
use crate::caller::Caller;
use crate::descriptors::What;
use crate::errno::{Errno, Refusal};
use crate::files::Files;
use crate::process::Process;
use crate::processes::Processes;
use crate::programs::NewProgram;
use crate::tree::{Body, Last, NodeId};

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

/// An executable file, and its path without symbolic links.
struct Executable {
    node: NodeId,
    path: Vec<u8>,
}

/// `execveat`, and `execve` with `HERE` and without flags.
pub(crate) fn execve(
    files: &mut Files,
    process: &Process,
    processes: &mut Processes,
    folder: u64,
    [path, arguments, environment, flags]: [u64; 4],
    caller: &mut Caller<'_>,
) -> Result<Refusal, Refusal> {
    let name = caller.path(path)?;
    let mut file = executable(files, folder, path, &name, flags, caller)?;
    let Some(images) = processes.images.clone() else {
        return Err(Refusal::Ends(StopReason::NewProcess, "it executes another program"));
    };
    if process.threads.has_others() {
        return Err(Refusal::Ends(StopReason::NewProcess, "it executes another program while it has threads"));
    }
    let program = processes.programs + 1;
    if program == MOST_PROGRAMS {
        return Err(Refusal::Ends(StopReason::NewProcess, "it executes more programs than are followed"));
    }
    let mut arguments = strings(arguments, caller)?;
    let environment = strings(environment, caller)?;
    if arguments.iter().chain(&environment).map(|text| text.len() + 9).sum::<usize>() > MOST_BYTES {
        return Err(Errno::TooBig.into());
    }
    if arguments.is_empty() {
        arguments.push(Vec::new());
    }
    let mut script = name.clone();
    for _ in 0..MOST_SCRIPTS {
        let Some((interpreter, argument)) = first_line(contents(files, file.node)?) else { break };
        let rest = arguments.split_off(arguments.len().min(1));
        arguments = [interpreter.clone()].into_iter().chain(argument).chain([script]).chain(rest).collect();
        file = found_program(files, &interpreter)?;
        script = interpreter;
    }
    let load = |files: &Files, file: &Executable| {
        let path = String::from_utf8_lossy(&file.path).into_owned();
        let image = images.load(program, &path, contents(files, file.node)?);
        Ok::<_, Refusal>((image.ok_or(Errno::NotExecutable)?, path))
    };
    let (image, path) = load(files, &file)?;
    let (interpreter, interpreter_path) = match image.kind {
        ImageKind::Executable => (None, String::new()),
        // A dynamic linker.
        ImageKind::Shared if image.entry.0 != image.bias => (None, String::new()),
        ImageKind::Dynamic => {
            let name = interpreter_of(&image, contents(files, file.node)?).ok_or(Errno::NotExecutable)?;
            let file = found_program(files, &name)?;
            let (image, path) = load(files, &file)?;
            (Some(image), path)
        }
        ImageKind::Shared | ImageKind::Relocatable => return Err(Errno::NotExecutable.into()),
    };
    let paths = [path, interpreter_path];
    let becomes = NewProgram { image, interpreter, arguments, environment, name, paths };
    processes.becomes = Some(Box::new(becomes));
    Ok(Refusal::Becomes)
}

/// The file that a call names.
fn executable(
    files: &mut Files,
    folder: u64,
    path: u64,
    name: &[u8],
    flags: u64,
    caller: &mut Caller<'_>,
) -> Result<Executable, Refusal> {
    if flags & !(NO_FOLLOW | EMPTY_PATH) != 0 {
        return Err(Errno::Invalid.into());
    }
    if name.is_empty() && flags & EMPTY_PATH != 0 && folder as u32 != HERE as u32 {
        let What::Node(node) = files.descriptors.get(folder)?.what else { return Err(Errno::Access.into()) };
        let source = files.tree.node(node)?.source.as_ref().map(|source| [b"/", &source[..]].concat());
        let path = source.unwrap_or_else(|| format!("/dev/fd/{}", folder as u32).into_bytes());
        return checked(files, Executable { node, path });
    }
    let last = if flags & NO_FOLLOW == 0 { Last::Follow } else { Last::Keep };
    // Notes a name that is not there.
    files.found(folder, path, last, caller)?;
    let base = files.base(folder, name)?;
    located(files, base, name, last)
}

/// The file of a script's or a program's interpreter.
fn found_program(files: &mut Files, path: &[u8]) -> Result<Executable, Refusal> {
    located(files, files.folder, path, Last::Follow)
}

fn located(files: &mut Files, base: NodeId, path: &[u8], last: Last) -> Result<Executable, Refusal> {
    let place = files.tree.find(base, path, last)?;
    let node = place.node.ok_or(Errno::NoEntry)?;
    let path = files.tree.path_of(&place)?;
    checked(files, Executable { node, path })
}

/// Reads a file that may be executed.
fn checked(files: &mut Files, file: Executable) -> Result<Executable, Refusal> {
    let node = files.tree.node(file.node)?;
    match &node.body {
        Body::File(_) | Body::Unread { .. } if node.mode & EXECUTE != 0 => {}
        Body::Link(_) => return Err(Errno::Loop.into()),
        _ => return Err(Errno::Access.into()),
    }
    files.tree.open_file(file.node)?;
    Ok(file)
}

fn contents(files: &Files, node: NodeId) -> Result<&[u8], Errno> {
    match &files.tree.node(node)?.body {
        Body::File(bytes) => Ok(bytes),
        _ => Err(Errno::Access),
    }
}

/// The strings of an array of pointers that ends with a null pointer.
fn strings(mut at: u64, caller: &Caller<'_>) -> Result<Vec<Vec<u8>>, Errno> {
    let mut all = Vec::new();
    // As on Linux, no array is an empty one.
    while at != 0 && all.len() < MOST_BYTES / 9 {
        let string = caller.word(at)?;
        if string == 0 {
            return Ok(all);
        }
        all.push(caller.string(string, MOST_STRING)?.ok_or(Errno::TooBig)?);
        at = at.wrapping_add(8);
    }
    if at == 0 { Ok(all) } else { Err(Errno::TooBig) }
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
