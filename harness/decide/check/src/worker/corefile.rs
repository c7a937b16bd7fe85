//! Writes a core file of one file's execution, in this process.

use std::fs::File;
use std::io::{self, BufWriter, Seek as _, Write as _};

use linux::core_file::{MappedFile, Region, Registers, Stopped};
use linux::{PAGE, Register};
use machine::{Plan, Snapshot, SnapshotPages, Unicorn};
use types::elf::PT_LOAD;
use types::memo::NoMemo;
use types::{Abi, Bytes, Frame, Image, ImageSection, Step, Unknown};

use super::error::CheckError;
use super::load::Program;
use super::stopped::{Stops, run_until};
use crate::corefile::{Caller, Options, Place, Written};

/// Writes the core file of a step. The file is executed three times: to learn what it maps, to
/// find the step, and up to it.
pub(super) fn write(name: &str, bytes: &Bytes, options: &Options, stops: Stops<'_>) -> Result<Written, CheckError> {
    let program = Program::from_entry(name, bytes, &options.inputs)?.executable()?;
    let first = program.plan(&options.inputs, options.step_limit)?;
    let mut initial_sp = None;
    let mut begins = |step: &Step<'_>| {
        initial_sp.get_or_insert(step.regs.sp);
    };
    let ran = run_until(Unicorn::default(), &first, 1, stops, &mut NoMemo(&mut begins))?;
    let objects = program.objects(&ran.mapped, &first.world);
    let functions = objects.functions();
    let images: Vec<&Image> = std::iter::once(&program.image).chain(objects.all.iter().map(|one| &one.image)).collect();

    let mut search = Search::new(options, &images)?;
    let plan = Plan { functions: &functions, ..program.plan(&options.inputs, options.step_limit)? };
    run_until(Unicorn::default(), &plan, 2, stops, &mut NoMemo(&mut |step: &Step<'_>| search.step(step)))?;
    let (steps, visits) = (search.seen, search.visited);
    let written = search.found.ok_or(CheckError::NotReached { steps, visits })?;
    let plan = Plan { step_limit: written.step - 1, ..plan };
    let (_, snapshot) = machine::run_to(&plan, &mut |_: &Step<'_>| {})?;
    let mut command = vec![program_path(name)];
    command.extend(options.inputs.arguments.iter().cloned());
    let (registers, auxiliary) = (registers(&snapshot), auxiliary(&snapshot, initial_sp.unwrap_or_default()).to_vec());
    let memory: Vec<Region> = snapshot.memory.into_iter().map(region).collect();
    let stopped = Stopped {
        abi: program.image.abi,
        registers: &registers,
        memory: &memory,
        auxiliary: &auxiliary,
        files: &files(&images, &command[0]),
        command: &command,
    };
    save(&stopped, options).map_err(|error| CheckError::Core { path: options.out.clone(), error })?;
    Ok(written)
}

fn save(stopped: &Stopped<'_>, options: &Options) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(&options.out)?);
    stopped.write(&mut out)?;
    out.flush()?;
    // The last page may be a hole.
    let size = out.stream_position()?;
    out.get_ref().set_len(size)
}

/// The program's path on this machine, if it is a file here.
fn program_path(name: &str) -> String {
    std::fs::canonicalize(name).map_or_else(|_| name.to_owned(), |path| path.to_string_lossy().into_owned())
}

/// An observer that looks for the step.
struct Search<'a> {
    images: &'a [&'a Image],
    /// The number of the step, if it is given.
    step: Option<u64>,
    addresses: Vec<u64>,
    /// The visit that is looked for, from 1.
    visit: u64,
    /// Number of visits so far.
    visited: u64,
    seen: u64,
    found: Option<Written>,
}

impl<'a> Search<'a> {
    fn new(options: &Options, images: &'a [&'a Image]) -> Result<Search<'a>, CheckError> {
        let (step, addresses) = match &options.place {
            Place::Step(step) => (Some(*step), Vec::new()),
            // Of the run, or of the program's file.
            Place::Address(address) => {
                let bias = images.first().map_or(0, |program| program.bias);
                (None, vec![*address, address.wrapping_add(bias)])
            }
            Place::Named { name, offset } => {
                let named = images.iter().flat_map(|image| starts(image, name));
                let addresses: Vec<u64> = named.map(|start| start.wrapping_add(*offset)).collect();
                if addresses.is_empty() {
                    let all =
                        images.iter().flat_map(|image| image.symbols.iter().map(|symbol| symbol.name.to_string()));
                    return Err(CheckError::Place(Unknown::new("function or section", name, all)));
                }
                (None, addresses)
            }
        };
        Ok(Search { images, step, addresses, visit: options.visit, visited: 0, seen: 0, found: None })
    }

    fn step(&mut self, step: &Step<'_>) {
        self.seen += 1;
        let is_here = self.step == Some(self.seen) || self.addresses.contains(&step.pc.0);
        if self.found.is_some() || !is_here {
            return;
        }
        self.visited += 1;
        if self.step.is_none() && self.visited < self.visit {
            return;
        }
        let caller = |frame: &Frame| Caller {
            ra: frame.ra.0,
            place: self.place(frame.ra.0),
            sp: frame.cfa.wrapping_add_signed(step.regs.abi.facts().caller_sp_minus_cfa),
        };
        self.found = Some(Written {
            step: self.seen,
            pc: step.pc.0,
            place: self.place(step.pc.0),
            callers: step.frames.iter().map(caller).collect(),
        });
    }

    /// An address as a place in the file that it belongs to.
    fn place(&self, address: u64) -> String {
        let holds = |image: &&&Image| pages(image).any(|(_, start, end)| (start..end).contains(&address));
        self.images.iter().find(holds).map_or_else(|| format!("{address:#x}"), |image| image.place(address))
    }
}

/// Addresses of the functions, other labels in code or the section of a name.
fn starts<'i>(image: &'i Image, name: &'i str) -> impl Iterator<Item = u64> + 'i {
    let in_code = |address| image.section_at(address).is_some_and(ImageSection::is_code);
    let symbols = image.symbols.iter().filter(move |symbol| *symbol.name == *name);
    let addresses = symbols.map(|symbol| symbol.address).filter(move |address| in_code(*address));
    addresses.chain(image.section(name).map(|section| section.address))
}

/// File offset, start and end of the whole pages of each loaded segment with bytes in the file.
fn pages(image: &Image) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
    image.segments.iter().filter(|segment| segment.kind == PT_LOAD && segment.file_size > 0).map(|segment| {
        let start = segment.address & !(PAGE - 1);
        let end = segment.address.saturating_add(segment.file_size).saturating_add(PAGE - 1) & !(PAGE - 1);
        (segment.file_offset & !(PAGE - 1), start, end)
    })
}

fn files(images: &[&Image], program: &str) -> Vec<MappedFile> {
    let mut files = Vec::new();
    for (number, image) in images.iter().enumerate() {
        let path = if number == 0 { program } else { &image.name };
        let of = |(offset, start, end)| MappedFile { path: path.to_owned(), addresses: start..end, offset };
        files.extend(pages(image).map(of));
    }
    files.sort_by_key(|file| file.addresses.start);
    files
}

fn region(pages: SnapshotPages) -> Region {
    Region { address: pages.address, flags: pages.access.0, bytes: pages.bytes }
}

fn registers(snapshot: &Snapshot) -> Registers {
    let of = |register| snapshot.register(register);
    let (thread_pointer, numbered) = match snapshot.abi() {
        Abi::Amd64 => (of(Register::ThreadPointer), 0..0),
        Abi::Aarch64 | Abi::Aarch64Be => (0, 0..0),
        Abi::S390x => (0, 0..16),
    };
    Registers {
        pc: snapshot.pc.0,
        general: snapshot.general(),
        flags: of(Register::Flags),
        thread_pointer,
        access: numbered.clone().map(|number| of(Register::Access(number)) as u32).collect(),
        floats: numbered.map(|number| of(Register::VectorHigh(number))).collect(),
    }
}

/// The auxiliary vector above the initial SP: after the count of arguments, their addresses and a
/// zero, those of the environment and a zero; pairs of words up to a pair of type 0.
fn auxiliary(snapshot: &Snapshot, sp: u64) -> &[u8] {
    let Some(stack) = snapshot.bytes_at(sp) else { return &[] };
    let is_zero = |word: &[u8]| word.iter().all(|byte| *byte == 0);
    let mut words = stack.chunks_exact(8).enumerate().skip(1);
    for _ in 0..2 {
        if !words.by_ref().any(|(_, word)| is_zero(word)) {
            return &[];
        }
    }
    let Some((first, _)) = words.next() else { return &[] };
    let pairs = stack.get(first * 8..).unwrap_or_default();
    let end = pairs.chunks_exact(16).position(|pair| is_zero(&pair[..8]));
    end.and_then(|last| pairs.get(..(last + 1) * 16)).unwrap_or_default()
}
