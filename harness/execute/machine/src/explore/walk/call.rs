//! The call that is explored: the values that the function was entered with.

use std::cell::Cell;

use rustc_hash::FxHashMap;
use types::{AbiFacts, Reg};

use crate::explore::graph::{Graph, Node};
use crate::explore::guest::{Entered, Guest, Tracked};

/// How the function was entered, and what its paths have shown of that.
pub(in crate::explore) struct Call {
    facts: &'static AbiFacts,
    pub(super) entered: Entered,
    pub(super) number: u64,
    /// A path returns from an interrupt one word above SP at the entry: below the return address
    /// was an error code.
    pub(super) has_error_code: bool,
    /// SP at each landing pad.
    pub(super) landings: FxHashMap<u64, u64>,
    /// SP differs between throws to one landing pad: not all calls of a site can throw, and it is
    /// unknown which.
    pub(in crate::explore) landings_differ: bool,
    /// SP before the first allocation of made-up size. All such allocations are below it, so that a
    /// path with several of them is not a new state.
    room: Cell<Option<u64>>,
    /// The slot in the caller's frame from which an unknown return address was loaded.
    pub(in crate::explore) handed_ra: Cell<Option<u64>>,
}

impl Call {
    pub(super) fn new(facts: &'static AbiFacts, entered: Entered, number: u64, has_error_code: bool) -> Call {
        Call {
            facts,
            entered,
            number,
            has_error_code,
            landings: FxHashMap::default(),
            landings_differ: false,
            room: Cell::new(None),
            handed_ra: Cell::new(None),
        }
    }

    /// The CFA of the function's frame.
    pub(super) fn cfa(&self) -> u64 {
        self.entered.call_sp.wrapping_add_signed(self.facts.cfa_minus_sp_at_entry)
    }

    /// Returns true if SP, FP and return address are as at the entry.
    pub(in crate::explore) fn is_as_entered(&self, guest: &Guest, graph: &Graph) -> bool {
        guest.tracked().fp == self.entered.fp && self.is_on_return(guest, graph)
    }

    /// Returns true if the return address was popped: SP is the CFA, and a register holds it.
    pub(in crate::explore) fn has_popped_ra(&self, guest: &Guest) -> bool {
        let holds_ra = |reg| guest.register(Reg(reg)) == self.entered.ra;
        !self.facts.link_register && guest.tracked().sp == self.cfa() && (0..self.facts.general_registers).any(holds_ra)
    }

    /// Returns true if SP and return address are as at the entry.
    pub(in crate::explore) fn is_on_return(&self, guest: &Guest, graph: &Graph) -> bool {
        let Tracked { sp, link, .. } = guest.tracked();
        let ra = match self.facts.link_register {
            // An authenticating return uses the signed address.
            true => link == self.entered.ra || self.is_signed(link, graph),
            // It was moved, and something else stored in its place.
            false => guest.stack(sp).read(sp) == Ok(self.entered.ra),
        };
        sp == self.entered.call_sp && ra
    }

    /// The SP that allocations of made-up size are below.
    pub(in crate::explore) fn room_at(&self, node: &Node) -> u64 {
        let sp = node.tracked.sp;
        match self.room.get() {
            Some(room) if node.held.sp_is_made_up || sp >= room => room,
            Some(_) => sp,
            None => {
                self.room.set(Some(sp));
                sp
            }
        }
    }

    fn is_signed(&self, link: u64, graph: &Graph) -> bool {
        let mut last = graph.nodes.iter().rev().take(64);
        link != self.entered.ra && last.any(|node| node.held.signed_by.is_some() && node.held.raw_ra == link)
    }
}
