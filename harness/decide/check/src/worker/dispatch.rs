//! Passes the steps of a process to the judges of its objects.

use judge::Judge;
use types::elf::{PF_X, PT_LOAD};
use types::memo::{Memo, Note};
use types::{Image, Observer, Step, ThreadId};

use super::objects::{Objects, Owner};

/// Passes each step to the judge of the object that contains its PC, and after control left an
/// object also to that object's judge, so that it sees its calls and returns.
pub(crate) struct Dispatch<'j, 'p, 'o> {
    /// Code of the objects of each program: first address, first address after it, and judge.
    programs: Vec<Vec<(u64, u64, Owner)>>,
    /// The program that executes, as an index.
    now: usize,
    program: &'j mut Judge<'p>,
    objects: &'j mut [Judge<'o>],
    /// Code that contains the last step: its index in the program, and judge.
    at: Option<(usize, usize)>,
    /// Thread of the last step.
    thread: ThreadId,
}

impl<'j, 'p, 'o> Dispatch<'j, 'p, 'o> {
    /// Creates the dispatcher for the program and the objects, whose judges are in the same order.
    pub(crate) fn new(image: &Image, all: &Objects, program: &'j mut Judge<'p>, objects: &'j mut [Judge<'o>]) -> Self {
        let mut programs: Vec<Vec<(u64, u64, Owner)>> = Vec::new();
        let of_objects = all.all.iter().map(|object| (&object.image, &object.programs));
        for (owner, (image, of)) in std::iter::once((image, &all.of_program)).chain(of_objects).enumerate() {
            let segments = image.segments.iter().filter(|one| one.kind == PT_LOAD && one.flags & PF_X != 0);
            // The page that replaces imported functions is in no file, and in a process another
            // object may be mapped there.
            let segments = segments.filter(|one| one.file_size > 0);
            let code = segments.map(|one| (one.address, one.address.saturating_add(one.memory_size), owner));
            let code: Vec<(u64, u64, Owner)> = code.collect();
            for program in of.iter().map(|program| *program as usize) {
                programs.resize_with(programs.len().max(program + 1), Vec::new);
                programs.iter_mut().skip(program).take(1).for_each(|all| all.extend_from_slice(&code));
            }
        }
        Dispatch { programs, now: 0, program, objects, at: None, thread: ThreadId::FIRST }
    }

    /// Code of the program that executes.
    #[inline]
    fn code(&self) -> &[(u64, u64, Owner)] {
        self.programs.get(self.now).map(Vec::as_slice).unwrap_or_default()
    }

    #[cold]
    fn find(&self, pc: u64) -> Option<(usize, Owner)> {
        let inside = |(start, end, _): &(u64, u64, Owner)| (*start..*end).contains(&pc);
        let index = self.code().iter().position(inside)?;
        Some((index, self.code().get(index)?.2))
    }

    fn show(&mut self, owner: usize, step: &Step<'_>) {
        match owner.checked_sub(1).map(|index| self.objects.get_mut(index)) {
            None => self.program.step(step),
            Some(Some(judge)) => judge.step(step),
            Some(None) => {}
        }
    }
}

impl Observer for Dispatch<'_, '_, '_> {
    #[inline]
    fn step(&mut self, step: &Step<'_>) {
        let pc = step.pc.0;
        if step.thread != self.thread {
            // Control did not reach this PC from the other object.
            (self.at, self.thread, self.now) = (None, step.thread, step.thread.program() as usize);
        }
        if let Some((index, owner)) = self.at
            && self.code().get(index).is_some_and(|(start, end, _)| pc.wrapping_sub(*start) < end - start)
        {
            return self.show(owner, step);
        }
        let left = self.at.map(|(_, owner)| owner);
        self.at = self.find(pc);
        let entered = self.at.map(|(_, owner)| owner);
        if let Some(owner) = left.filter(|_| left != entered) {
            self.show(owner, step);
            // It is not counted as a separate step.
            match owner.checked_sub(1) {
                None => self.program.uncount_step(),
                Some(index) => self.objects.iter_mut().skip(index).take(1).for_each(Judge::uncount_step),
            }
        }
        if let Some(owner) = entered {
            self.show(owner, step);
        }
    }
}

/// Steps that stay in an object are recognised by its judge. Notes are that judge's own, so only it
/// can compare them.
impl Memo for Dispatch<'_, '_, '_> {
    fn note(&mut self) -> Option<Note> {
        let (_, owner) = self.at?;
        match owner.checked_sub(1) {
            None => self.program.note(),
            Some(index) => self.objects.get_mut(index)?.note(),
        }
    }

    #[inline]
    fn hit(&mut self, note: Note, step: &Step<'_>) -> bool {
        let Some((index, owner)) = self.at else { return false };
        let stays = self.code().get(index).is_some_and(|(start, end, _)| step.pc.0.wrapping_sub(*start) < end - start);
        match owner.checked_sub(1) {
            _ if !stays => false,
            None => self.program.hit(note, step),
            Some(index) => self.objects.get_mut(index).is_some_and(|judge| judge.hit(note, step)),
        }
    }

    fn are_alike(&self, _: Note, _: Note) -> bool {
        false
    }

    fn hit_alike(&mut self, _: Note) {}
}
