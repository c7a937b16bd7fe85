//! The beginning of threads, processes and programs, and the change from one process to another.

use std::mem::replace;

use types::ThreadId;
use types::elf::{PF_X, PT_LOAD};

use crate::kernel::Kernel;
use crate::mappings::Mapped;
use crate::memory::{Denied, Memory, PAGE};
use crate::processes::{Ended, Forked, PIPE, Suspended};
use crate::programs::NewProgram;
use crate::record::Record;
use crate::registers::Registers;
use crate::space::Space;
use crate::threads::{Made, Own};

impl Kernel {
    /// Sets the registers, which are copies of the parent's, to the initial values of a new thread.
    pub fn begin_thread(&self, made: &Made, registers: &mut dyn Registers) -> Result<(), Denied> {
        self.begin(registers, Some(made.stack), made.pointer)
    }

    /// Sets the registers of a new thread or process: the result of the call, and a stack and a
    /// thread pointer of its own, if any.
    fn begin(&self, registers: &mut dyn Registers, stack: Option<u64>, pointer: Option<u64>) -> Result<(), Denied> {
        registers.write(self.target.result, 0)?;
        if let Some(stack) = stack {
            registers.write(self.abi.facts().sp.into(), stack)?;
        }
        match (self.target.thread_pointer, pointer) {
            (_, None) => Ok(()),
            ([one], Some(pointer)) => registers.write(*one, pointer),
            (halves, Some(pointer)) => {
                let mut halves = halves.iter().zip([32, 0]);
                halves.try_for_each(|(half, shift)| registers.write(*half, pointer >> shift & 0xffff_ffff))
            }
        }
    }

    /// The process that was made executes: sets the registers and memory, which are those of the
    /// one that made it, to what it begins with.
    pub fn begin_child(
        &mut self,
        forked: &Forked,
        registers: &mut dyn Registers,
        memory: &mut dyn Memory,
    ) -> Result<(), Denied> {
        self.begin(registers, forked.stack, forked.pointer)?;
        if let Some(at) = forked.number_at {
            memory.write(at, Record::new(self.abi.facts().order).u32(forked.child.0).bytes());
        }
        let child = self.process.fork(forked.child, Own { clear_at: forked.clear_at, ..Own::default() });
        let maker = Suspended { process: replace(&mut self.process, child), files: self.files.share() };
        self.processes.add_maker(maker, forked);
        self.files.pipes.widen(PIPE);
        Ok(())
    }

    /// The process that executes has ended with this status: returns the one that executes now,
    /// its parent if that can.
    pub fn end_process(&mut self, status: i32) -> Option<u32> {
        let (number, parent) = (self.process.number, self.process.parent);
        let child = Ended { process: number, how: self.process.how_ended(status) };
        self.files.close_all(|_, _| true);
        if number == ThreadId::FIRST.0 {
            self.processes.status = Some(status);
        }
        self.processes.return_memory(number);
        let orphans = self.processes.others.values_mut().filter(|other| other.process.parent == number);
        orphans.for_each(|orphan| orphan.process.parent = 0);
        let able = self.processes.in_turn(number);
        let next = able.iter().find(|process| **process == parent).or(able.first()).copied()?;
        let suspended = self.processes.others.remove(&next)?;
        let _over = self.exchange(suspended);
        if !self.processes.has_others() {
            self.files.pipes.narrow();
        }
        if parent == next {
            self.process.lose_child(child);
        } else if let Some(parent) = self.processes.other(parent) {
            parent.lose_child(child);
        }
        Some(next)
    }

    /// The process whose memory the one that executes uses, until this ends or becomes another
    /// program.
    pub fn lender(&self) -> Option<u32> {
        let mut lent = self.processes.lent.iter();
        lent.find(|(_, child)| **child == self.process.number).map(|(lender, _)| *lender)
    }

    /// Executes another process, and returns the one that has executed.
    fn exchange(&mut self, next: Suspended) -> Suspended {
        let Suspended { mut process, files } = next;
        if process.program != self.process.program {
            // The link is there.
            let _led = self.files.set_executable(&process.executable);
            process.space.go_below(&self.process.space);
        }
        Suspended { process: replace(&mut self.process, process), files: self.files.exchange(files) }
    }

    /// Another process executes. Does nothing if there is none of this number.
    pub(crate) fn change_process(&mut self, number: u32) {
        let Some(suspended) = self.processes.others.remove(&number) else { return };
        let before = self.exchange(suspended);
        self.processes.others.insert(before.process.number, before);
    }

    /// The process is another program now, whose image ends at `image_end`: its handlers, its
    /// descriptors that are closed on `execve`, and its mappings are gone.
    pub fn begin_program(&mut self, program: &NewProgram, image_end: u64) -> Result<(), Denied> {
        self.processes.programs += 1;
        let number = self.processes.programs;
        self.processes.return_memory(self.process.number);
        self.files.close_all(|descriptors, number| descriptors.closes_on_exec(number) == Ok(true));
        let [path, _] = &program.paths;
        let process = &mut self.process;
        process.signals.begin_program();
        process.timers.made.clear();
        process.threads.own = Own::default();
        process.space = Space::after(image_end, &process.space);
        (process.program, process.executable) = (number, path.as_bytes().to_vec());
        let images = [Some(&program.image), program.interpreter.as_ref()];
        for (image, path) in images.into_iter().zip(&program.paths) {
            let segments = image.into_iter().flat_map(|image| &image.segments);
            let code = segments.filter(|segment| segment.kind == PT_LOAD && segment.flags & PF_X != 0);
            self.mappings.executable.extend(code.map(|segment| Mapped {
                path: path.clone(),
                base: segment.address & !(PAGE - 1),
                offset: segment.file_offset & !(PAGE - 1),
                program: number,
            }));
        }
        self.files.set_executable(path.as_bytes()).map_err(|_| "the file tree is full".into())
    }
}
