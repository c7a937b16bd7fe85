//! Page permissions for the emulator. Without page tables the emulator assumes that every page is
//! executable, and then each store takes its slow path, which checks whether code was overwritten:
//! a fifth of a run's time.
#![allow(unsafe_code, reason = "a C callback that is handed the guest as a pointer")]

use std::ffi::c_void;

use unicorn_engine::{HookType, MemType, Prot, TlbEntry, uc_engine};

use crate::core::Core;
use crate::end::{End, Reason};
use crate::engine::Engine;
use crate::error::MachineError;
use crate::layout::{Access, PAGE, Span};
use crate::memory::{Memory, prot};
use crate::target::{EngineTarget, Page, PageAccess, PageState};

/// Installs the hook that reports pages to the emulator when it first accesses them. The emulator
/// itself also checks the permissions of memory.
///
/// # Safety
/// `core` points to a guest that stays in place and is not borrowed while it executes.
pub(crate) unsafe fn install(core: *mut Core) -> Result<(), MachineError> {
    // SAFETY: by this function's contract; the callback has the type that its kind of hook calls,
    // and takes a `*mut Core`.
    unsafe {
        (*core).engine.hook(HookType::TLB_FILL, on_page as *mut c_void, core.cast::<c_void>())?;
        (*core).engine.ask_for_pages()
    }
}

/// Reports a page that the emulator accesses: its address is unchanged, and it is executable if
/// memory allows that or the access is a fetch. Or raises an interrupt of the processor: see
/// [`Core::execute`].
///
/// A page that memory does not allow to read or to write is a substitute page for this kind of
/// access: many of the emulator's functions (`mvc`, `dc zva`, atomic instructions) check no other
/// permission than this one.
unsafe extern "C" fn on_page(
    _: *mut uc_engine,
    address: u64,
    kind: u32,
    page: *mut TlbEntry,
    core: *mut c_void,
) -> bool {
    // SAFETY: `install` was given this pointer, and the guest executes, so nothing else borrows it.
    let core = unsafe { &mut *core.cast::<Core>() };
    let (memory, wanted) = (&core.memory, protection(kind));
    if wanted == Prot::EXEC
        && let Err(error) = core.deadly.search(core.kernel.abi(), address & !(PAGE - 1), &core.engine, memory)
    {
        core.finish(End::undecided(Reason::Stopped, address, error.to_string()));
        return false;
    }
    let memory = &core.memory;
    let mut paddr = match (core.engine.target().page)(&access(address, wanted, |at| memory.access(at))) {
        Page::At(paddr) => paddr,
        Page::Outside => core.outside.page(address),
        Page::Raises(number) => {
            core.accesses.page_fault = Some((number, address));
            return false;
        }
    };
    let found = core.memory.access(paddr);
    let mut perms = permissions(found, wanted);
    if !core.accesses.are_watched && (found.is_none() || perms.0 & wanted.0 == 0) && wanted != Prot::EXEC {
        // Some of the emulator's functions would report that late.
        core.accesses.is_refused = true;
        return false;
    }
    if perms.0 & wanted.0 == 0 {
        (paddr, perms) = (core.outside.page(address), wanted);
    }
    // SAFETY: the emulator provides memory for the result.
    unsafe { page.write(TlbEntry { paddr, perms }) };
    true
}

/// The access to a page that the emulator asks for.
fn access(address: u64, wanted: Prot, at: impl Fn(u64) -> Option<Access>) -> PageAccess {
    let fetches = wanted == Prot::EXEC;
    let found = match at(address) {
        None => PageState::Absent,
        Some(_) if fetches => PageState::Usable,
        Some(access) if prot(access).0 & wanted.0 == 0 => PageState::Protected,
        Some(_) => PageState::Usable,
    };
    PageAccess { address, fetches, found }
}

/// The permissions of a page for the emulator. One that is fetched from or not mapped is reported
/// by the emulator itself if it may not be used so.
fn permissions(access: Option<Access>, wanted: Prot) -> Prot {
    let has = access.map_or(Prot::READ.0 | Prot::WRITE.0, |access| prot(access).0);
    Prot(if wanted == Prot::EXEC { has | wanted.0 } else { has })
}

/// The permission that an access needs.
fn protection(kind: u32) -> Prot {
    match kind {
        kind if kind == MemType::FETCH as u32 => Prot::EXEC,
        kind if kind == MemType::WRITE as u32 => Prot::WRITE,
        _ => Prot::READ,
    }
}

/// Pages of a guest whose mappings do not change and which handles no signal.
pub(crate) struct FixedPages {
    target: &'static EngineTarget,
    /// Address of the first byte and of the byte after the last, sorted.
    runs: Vec<(u64, u64, Access)>,
}

impl FixedPages {
    /// The pages of a guest.
    pub(crate) fn new(target: &'static EngineTarget, memory: &Memory) -> FixedPages {
        let parts = memory.spans().flat_map(Span::uniform_parts);
        let run = |part: Span| part.runs.first().map(|run| (part.base, part.end(), run.access));
        FixedPages { target, runs: parts.filter_map(run).collect() }
    }

    fn access(&self, address: u64) -> Option<Access> {
        let upto = self.runs.partition_point(|(base, ..)| *base <= address);
        let (_, end, access) = self.runs.get(upto.checked_sub(1)?)?;
        (address < *end).then_some(*access)
    }
}

/// Installs the hook that [`install`] installs, for a processor whose instructions may fail without
/// an address.
///
/// # Safety
/// `pages` stays in place and unchanged as long as the engine is used.
pub(crate) unsafe fn install_fixed(engine: &mut Engine, pages: *const FixedPages) -> Result<(), MachineError> {
    // SAFETY: by this function's contract; the callback has the type that its kind of hook calls.
    unsafe { engine.hook(HookType::TLB_FILL, on_fixed_page as *mut c_void, pages.cast_mut().cast::<c_void>())? };
    engine.ask_for_pages()
}

/// As `on_page`, but each access that memory does not allow fails at its instruction.
unsafe extern "C" fn on_fixed_page(
    _: *mut uc_engine,
    address: u64,
    kind: u32,
    page: *mut TlbEntry,
    pages: *mut c_void,
) -> bool {
    // SAFETY: `install_fixed` was given this pointer, which nothing writes through.
    let pages = unsafe { &*pages.cast_const().cast::<FixedPages>() };
    let wanted = protection(kind);
    let Page::At(paddr) = (pages.target.page)(&access(address, wanted, |at| pages.access(at))) else { return false };
    let perms = permissions(pages.access(paddr), wanted);
    // SAFETY: the emulator provides memory for the result.
    unsafe { page.write(TlbEntry { paddr, perms }) };
    perms.0 & wanted.0 != 0
}

/// Pages at addresses that programs use and that no memory can have, each mapped to a page where
/// nothing is ever mapped: the emulator reports the latter when it is accessed.
#[derive(Default)]
pub(crate) struct Outside {
    pages: Vec<u64>,
    next: usize,
}

/// Address of the first such page: above everything that programs map.
const FIRST: u64 = (1 << 48) - 2 * MOST as u64 * PAGE;
/// Maximum number of such pages; the emulator keeps no more either.
const MOST: usize = 1 << 12;

impl Outside {
    /// The substitute page for an address.
    fn page(&mut self, address: u64) -> u64 {
        let at = self.next % MOST;
        self.next = at + 1;
        match self.pages.get_mut(at) {
            Some(page) => *page = address,
            None => self.pages.push(address),
        }
        FIRST + at as u64 * PAGE
    }

    /// The program's address for an address that the emulator reports.
    pub(crate) fn named(&self, reported: u64) -> u64 {
        let at = reported.checked_sub(FIRST).map(|offset| (offset / PAGE) as usize);
        at.and_then(|at| self.pages.get(at)).map_or(reported, |page| page + reported % PAGE)
    }
}
