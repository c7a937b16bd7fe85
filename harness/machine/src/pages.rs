//! Page permissions for the emulator. Without page tables the emulator assumes that every page is
//! executable, and then each store takes its slow path, which checks whether code was overwritten:
//! a fifth of a run's time.
#![allow(unsafe_code, reason = "a C callback that is handed the guest as a pointer")]

use std::ffi::c_void;

use unicorn_engine::{HookType, MemType, Prot, TlbEntry, uc_engine};

use crate::core::Core;
use crate::error::MachineError;
use crate::layout::{Access, PAGE};
use crate::target::{Page, PageAccess};

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
unsafe extern "C" fn on_page(
    _: *mut uc_engine,
    address: u64,
    kind: u32,
    page: *mut TlbEntry,
    core: *mut c_void,
) -> bool {
    // SAFETY: `install` was given this pointer, and the guest executes, so nothing else borrows it.
    let core = unsafe { &mut *core.cast::<Core>() };
    let (fetches, is_mapped) = (kind == MemType::FETCH as u32, core.memory.holds(address, 1));
    let paddr = match (core.engine.target().page)(&PageAccess { address, fetches, is_mapped }) {
        Page::At(paddr) => paddr,
        Page::Outside => core.outside.page(address),
        Page::Raises(number) => {
            core.page_fault = Some((number, address));
            return false;
        }
    };
    let is_code = fetches || core.memory.accessible(paddr, 1, Access::EXECUTE).is_some();
    let perms = Prot::READ | Prot::WRITE | if is_code { Prot::EXEC } else { Prot::NONE };
    // SAFETY: the emulator provides memory for the result.
    unsafe { page.write(TlbEntry { paddr, perms }) };
    true
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
