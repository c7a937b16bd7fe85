//! The executed part of one function: a graph of nodes, each a run of instructions in one state,
//! and of the control flow between them. The whole graph shows which nodes a real execution can
//! reach.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use types::{Compared, PacKey, Past, RegisterSet};

use super::guest::Tracked;
use super::saved::Saved;

/// Limits of the check whether only a call's return leads to an address: number of calls, and of
/// nodes. Each check walks all edges.
const MOST_RETURNS: usize = 64;
const MOST_NODES: usize = 1 << 14;

/// Index of a node.
pub(super) type NodeId = u32;

/// A run of instructions with one SP, FP and link register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Address of the first instruction.
    pub(super) pc: u64,
    /// The instructions: number of the function's part, and indices of the first and last one. The
    /// last may be a branch.
    pub(super) part: u32,
    pub(super) first: u32,
    pub(super) last: u32,
    /// The node executed before this one; a node without predecessor is its own parent.
    pub(super) parent: NodeId,
    /// How control came from that node.
    pub(super) entered: Entered,
    pub(super) tracked: Tracked,
    pub(super) held: Held,
    /// The lowest certainty on the path to the node.
    pub(super) doubt: Trust,
    /// Another node has the same state: this one differs in the registers that a call preserves.
    pub(super) again: bool,
    /// The comparison with the tables.
    pub(super) compared: Compared,
    /// That comparison depends on a register that a call of another file may have changed.
    pub(super) reads_unkept: bool,
    /// The node ends in a return to the caller, or in a jump to another function with all values as
    /// at the entry.
    pub(super) leaves_well: bool,
    /// The node ends in a return, in a jump to the start of a known function, or in an indirect
    /// jump after the function gave back its stack.
    pub(super) returns: bool,
    /// The registers that a call preserves and that have the caller's values at that return.
    pub(super) restored: RegisterSet,
    /// The node returns with a wrong SP or return address: no function does so, so its state is
    /// impossible.
    pub(super) leaves_badly: bool,
    /// The node returns with SP and return address as at the entry, and another FP.
    pub(super) loses_fp: bool,
    /// The node drops words that no call pushes: SP is above the CFA of a call.
    pub(super) drops_words: bool,
}

/// How control comes from a node to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entered {
    /// By its last instruction.
    Executed,
    /// In place of its first instruction, by a kernel's table.
    ByTable,
    /// From some instruction with the same values: data refer to the next one.
    ByHint,
}

/// Where the function keeps the caller's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Held {
    /// The return address as stored, and the key that signed it.
    pub(super) raw_ra: u64,
    pub(super) signed_by: Option<PacKey>,
    pub(super) signed_with_pc: bool,
    /// The link register holds the address after a call.
    pub(super) link_of_call: bool,
    /// Stack slots of the saved FP and return address.
    pub(super) fp_slot: Option<u64>,
    pub(super) ra_slot: Option<u64>,
    /// Stack slot of the saved SP.
    pub(super) sp_slot: Option<u64>,
    /// FP, if it was set from SP: it does not walk through the frame as a pointer then.
    pub(super) frame_pointer: Option<u64>,
    /// SP was set to a made-up value: an allocation of made-up size, or another stack.
    pub(super) sp_is_made_up: bool,
    /// SP was loaded from made-up memory or a made-up register: another stack, from which the way
    /// back to the function's own is unknown.
    pub(super) on_other_stack: bool,
    /// A call threw. SP may have differed at that call: the unwinder discards pushed arguments.
    pub(super) landed: bool,
    pub(super) past: Past,
    /// The other registers that a call preserves.
    pub(super) saved: Saved,
}

impl Held {
    /// This, without the registers other than SP, FP and link register.
    pub(super) fn of_frame(self) -> Held {
        Held { saved: Saved::default(), ..self }
    }
}

/// Certainty that control takes an edge, the most certain first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trust {
    /// The instruction can take the edge.
    Certain,
    /// A callee returns, unless a jump table leads to the code after the call.
    UnlessByTable,
    /// Under an assumption without evidence: that a callee returns, or that SP differs between
    /// iterations.
    Supposed,
}

/// Nodes and edges of one function.
#[derive(Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    edges: Vec<(NodeId, NodeId, Trust)>,
    /// For each edge, the registers that a call preserves and that have the caller's values.
    intact: Vec<RegisterSet>,
}

impl Graph {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.intact.clear();
    }

    pub(super) fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId::try_from(self.nodes.len() - 1).unwrap_or(NodeId::MAX)
    }

    pub(super) fn connect(&mut self, from: NodeId, to: NodeId, trust: Trust, intact: RegisterSet) {
        self.edges.push((from, to, trust));
        self.intact.push(intact);
    }

    pub(super) fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id as usize)
    }

    /// The nodes from the entry to `to`, in order.
    pub(super) fn path(&self, to: NodeId) -> Vec<NodeId> {
        let mut path = vec![to];
        let mut at = to;
        while let Some(node) = self.get(at) {
            if node.parent == at || path.len() > self.nodes.len() {
                break;
            }
            at = node.parent;
            path.push(at);
        }
        path.reverse();
        path
    }

    /// The nodes from the entry on that each execution of the function passes, up to the first
    /// whose end `continues` denies, that has several successors, or that another node leads to.
    pub(super) fn first_line(&self, continues: impl Fn(&Node) -> bool) -> Vec<NodeId> {
        let mut line = Vec::new();
        let mut at = 0;
        while let Some(node) = self.get(at) {
            if self.edges.iter().any(|(from, to, _)| *to == at && line.last() != Some(from)) {
                break;
            }
            line.push(at);
            let mut after = self.edges.iter().filter(|(from, _, _)| *from == at);
            match (after.next(), after.next()) {
                (Some((_, next, Trust::Certain)), None) if continues(node) => at = *next,
                _ => break,
            }
        }
        line
    }

    /// The ends that each node leads to. `by_table` returns whether a jump table may lead to an
    /// address.
    pub(super) fn ends(&self, by_table: impl Fn(u64) -> bool) -> Ends {
        let back = self.sorted(|(from, to, _)| Some((*to, *from)));
        let certain = self.sorted(|edge| self.is_certain(edge, &by_table).then_some((edge.1, edge.0)));
        Ends {
            well: self.closure(|node| node.leaves_well, &back),
            badly: self.closure(|node| node.leaves_badly, &certain),
            loses_fp: self.closure(|node| node.loses_fp, &back),
            drops_words: self.closure(|node| node.drops_words, &certain),
            elsewhere: self.closure(|node| node.held.sp_is_made_up, &back),
        }
    }

    /// The nodes that a real execution can reach. An assumption counts if it leads to a good end:
    /// an impossible path does not restore the caller's stack. It also counts if only the return of
    /// one call leads to that code: compilers emit no unreachable code. `called`: the function is
    /// certainly entered as by a call. `is_return` returns whether an edge is the return of a call.
    pub(super) fn possible(
        &self,
        called: bool,
        ends: &Ends,
        by_table: impl Fn(u64) -> bool,
        is_return: impl Fn(&Node, &Node) -> bool,
    ) -> Vec<bool> {
        let well = |id: NodeId| ends.well.get(id as usize).copied().unwrap_or(false);
        // A function that never returns, such as `main`, has neither a good nor a bad end.
        if !called && !well(0) && ends.badly.first() != Some(&false) {
            return vec![false; self.nodes.len()];
        }
        let mut returns = FxHashSet::default();
        let mut tried = FxHashSet::default();
        loop {
            let goes = |edge: &(NodeId, NodeId, Trust)| {
                let returns = || self.is_edge(edge, |from, to| returns.contains(&to.pc) && is_return(from, to));
                (self.is_certain(edge, &by_table) || well(edge.1) || returns()).then_some((edge.0, edge.1))
            };
            let possible = self.reached_from_entry(&self.sorted(goes));
            let is = |id: NodeId| possible.get(id as usize).copied().unwrap_or(false);
            let open = |edge: &&(NodeId, NodeId, Trust)| {
                is(edge.0) && !is(edge.1) && self.is_edge(edge, |from, to| !by_table(to.pc) && is_return(from, to))
            };
            let places = self.edges.iter().filter(open).filter_map(|(_, to, _)| self.get(*to)).map(|node| node.pc);
            let new: BTreeSet<u64> = places.filter(|pc| !tried.contains(pc)).collect();
            if new.is_empty() || tried.len() + new.len() > MOST_RETURNS || self.nodes.len() > MOST_NODES {
                return possible;
            }
            returns.extend(new.iter().copied().filter(|pc| self.is_only_way(*pc, &is_return)));
            tried.extend(new);
        }
    }

    /// Returns true if control reaches `pc` only by the return of the call before it.
    fn is_only_way(&self, pc: u64, is_return: impl Fn(&Node, &Node) -> bool) -> bool {
        let others = self.sorted(|edge| {
            let returns = self.is_edge(edge, |from, to| to.pc == pc && is_return(from, to));
            (!returns).then_some((edge.0, edge.1))
        });
        let reached = self.reached_from_entry(&others);
        !self.nodes.iter().zip(reached).any(|(node, reached)| reached && node.pc == pc)
    }

    fn is_edge(&self, (from, to, _): &(NodeId, NodeId, Trust), is_so: impl Fn(&Node, &Node) -> bool) -> bool {
        self.get(*from).zip(self.get(*to)).is_some_and(|(from, to)| is_so(from, to))
    }

    /// Nodes that can be reached from the entry.
    fn reached_from_entry(&self, edges: &[(NodeId, NodeId)]) -> Vec<bool> {
        let mut entry = true;
        self.closure(|_| std::mem::take(&mut entry), edges)
    }

    fn is_certain(&self, (_, to, trust): &(NodeId, NodeId, Trust), by_table: impl Fn(u64) -> bool) -> bool {
        match trust {
            Trust::Certain => true,
            Trust::Supposed => false,
            Trust::UnlessByTable => self.get(*to).is_some_and(|node| !by_table(node.pc)),
        }
    }

    /// For each node, the registers that a call preserves and that a path from it restores: they
    /// have the caller's values at a good end, or before one where paths join. `well`: the nodes
    /// that lead to a good end.
    pub(super) fn restored(&self, well: &[bool]) -> Vec<RegisterSet> {
        let ends = |node: &Node| if node.leaves_well { node.restored } else { RegisterSet::NONE };
        let mut restored: Vec<RegisterSet> = self.nodes.iter().map(ends).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for ((from, to, _), intact) in self.edges.iter().zip(&self.intact).rev() {
                let Some(next) = self.get(*to) else { continue };
                let (after, leads_well) = (restored.get(*to as usize), well.get(*to as usize) == Some(&true));
                // That a path which had a register intact restores it shows nothing of others.
                let of_others = next.held.saved.intact.without(*intact);
                let after = after.copied().unwrap_or_default().without(of_others);
                let here = if leads_well { after.and(*intact) } else { after };
                if let Some(place) = restored.get_mut(*from as usize).filter(|set| !here.without(**set).is_empty()) {
                    *place = place.and(here);
                    changed = true;
                }
            }
        }
        restored
    }

    /// Returns true if the function has a good end.
    pub(super) fn ends_well(&self) -> bool {
        self.nodes.iter().any(|node| node.leaves_well)
    }

    /// Returns true if the function returns to the caller, directly or by a tail call.
    pub(super) fn returns(&self) -> bool {
        self.nodes.iter().any(|node| node.returns)
    }

    fn sorted(&self, one: impl Fn(&(NodeId, NodeId, Trust)) -> Option<(NodeId, NodeId)>) -> Vec<(NodeId, NodeId)> {
        let mut edges: Vec<(NodeId, NodeId)> = self.edges.iter().filter_map(one).collect();
        edges.sort_unstable();
        edges
    }

    /// Nodes that can be reached from the nodes that `from` selects, by sorted edges.
    fn closure(&self, from: impl FnMut(&Node) -> bool, edges: &[(NodeId, NodeId)]) -> Vec<bool> {
        let mut reached: Vec<bool> = self.nodes.iter().map(from).collect();
        let mut work: Vec<NodeId> = (0..).zip(&reached).filter(|(_, reached)| **reached).map(|(id, _)| id).collect();
        while let Some(id) = work.pop() {
            for to in successors(edges, id) {
                if let Some(place) = reached.get_mut(to as usize).filter(|place| !**place) {
                    *place = true;
                    work.push(to);
                }
            }
        }
        reached
    }
}

/// The nodes that a node leads to, by sorted edges.
fn successors(edges: &[(NodeId, NodeId)], node: NodeId) -> impl Iterator<Item = NodeId> {
    let begin = edges.partition_point(|(from, _)| *from < node);
    edges.iter().skip(begin).take_while(move |(from, _)| *from == node).map(|(_, to)| *to)
}

/// For each kind of end, the nodes that lead to it.
pub(super) struct Ends {
    /// A good end.
    pub(super) well: Vec<bool>,
    /// A bad end, without an edge of [`Trust::Supposed`].
    pub(super) badly: Vec<bool>,
    /// A return with another FP.
    pub(super) loses_fp: Vec<bool>,
    /// An end with SP above the CFA, without an edge of [`Trust::Supposed`].
    pub(super) drops_words: Vec<bool>,
    /// Another stack, or an allocation of made-up size. Without a good end the function continues
    /// elsewhere (longjmp, a context switch), and has loaded registers of a made-up frame.
    pub(super) elsewhere: Vec<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(pc: u64, parent: NodeId) -> Node {
        let tracked = Tracked { sp: 0x1000, fp: 0, link: 0 };
        let held = Held {
            raw_ra: 0,
            signed_by: None,
            signed_with_pc: false,
            link_of_call: false,
            fp_slot: None,
            ra_slot: None,
            sp_slot: None,
            frame_pointer: None,
            sp_is_made_up: false,
            on_other_stack: false,
            landed: false,
            past: Past::Plain,
            saved: Saved::default(),
        };
        Node {
            pc,
            part: 0,
            first: 0,
            last: 0,
            parent,
            entered: Entered::Executed,
            tracked,
            held,
            doubt: Trust::Certain,
            again: false,
            compared: Compared::default(),
            reads_unkept: false,
            leaves_well: false,
            returns: false,
            restored: RegisterSet::NONE,
            leaves_badly: false,
            loses_fp: false,
            drops_words: false,
        }
    }

    /// Tests a call at 0x10, the code after it at 0x20, a loop back from 0x30; with `other`, a
    /// branch at 0x10 leads to 0x20 too, with another SP.
    fn possible(other: bool, table: bool) -> Vec<bool> {
        let mut graph = Graph::default();
        for (pc, parent) in [(0x10, 0), (0x20, 0), (0x30, 1)] {
            graph.add(node(pc, parent));
        }
        graph.connect(0, 1, Trust::Supposed, RegisterSet::NONE);
        graph.connect(1, 2, Trust::Certain, RegisterSet::NONE);
        graph.connect(2, 1, Trust::Certain, RegisterSet::NONE);
        if other {
            let id = graph.add(Node { tracked: Tracked { sp: 0xff8, fp: 0, link: 0 }, ..node(0x20, 0) });
            graph.connect(0, id, Trust::Certain, RegisterSet::NONE);
        }
        let is_return = |from: &Node, to: &Node| from.pc == 0x10 && to.pc == 0x20 && to.tracked.sp == 0x1000;
        let ends = graph.ends(|_| table);
        graph.possible(true, &ends, |_| table, is_return)
    }

    #[test]
    fn a_return_is_possible_where_it_is_the_only_way() {
        assert_eq!(possible(false, false), [true, true, true]);
        assert_eq!(possible(true, false), [true, false, false, true]);
        assert_eq!(possible(false, true), [true, false, false], "a table may lead there");
    }
}
