//! The executed part of one function: stretches of instructions in one state each, and how control
//! went from one to the next. Which of it a real execution could do follows from the whole.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use types::{Compared, PacKey, Past};

use super::guest::Tracked;

/// Calls of one function of which it is asked whether their return alone leads on, and the size up
/// to which it is: each takes a look at all edges.
const MOST_RETURNS: usize = 64;
const MOST_NODES: usize = 1 << 14;

/// Index of a node.
pub(super) type NodeId = u32;

/// Instructions in a row with one SP, FP and link register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The first instruction.
    pub(super) pc: u64,
    /// Where its instructions are: which of the function's parts, and the first and last there. The
    /// last may be a branch.
    pub(super) part: u32,
    pub(super) first: u32,
    pub(super) last: u32,
    /// The node executed before it; itself where the function is entered.
    pub(super) parent: NodeId,
    pub(super) tracked: Tracked,
    pub(super) held: Held,
    /// What tables have for it.
    pub(super) compared: Compared,
    /// It ends in a return to the caller, or in a jump to another function with everything as it
    /// was at the entry.
    pub(super) leaves_well: bool,
    /// In a return, or in a jump to where a function is known to begin.
    pub(super) returns: bool,
    /// It returns with SP or return address other than they were: no function does, so its state is
    /// none that there is.
    pub(super) leaves_badly: bool,
    /// It returns with SP and return address as they were, and another FP.
    pub(super) loses_fp: bool,
    /// It drops words that no call leaves: SP is above the CFA that a call makes.
    pub(super) drops_words: bool,
}

/// The caller's values as the function holds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Held {
    /// The return address as it is kept, and the key that signed it.
    pub(super) raw_ra: u64,
    pub(super) signed_by: Option<PacKey>,
    pub(super) signed_with_pc: bool,
    /// Where on the stack FP and return address are saved.
    pub(super) fp_slot: Option<u64>,
    pub(super) ra_slot: Option<u64>,
    /// Where SP is.
    pub(super) sp_slot: Option<u64>,
    /// SP was set to a value that is made up: room of some size, or another stack.
    pub(super) sp_is_made_up: bool,
    /// SP was loaded from made-up memory or a made-up register: another stack, and nothing is known
    /// of how the function's own is found there.
    pub(super) on_other_stack: bool,
    /// A call threw. SP may have been another when it was made: the unwinder takes what was pushed
    /// for it.
    pub(super) landed: bool,
    pub(super) past: Past,
}

/// How sure it is that control goes some way, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trust {
    /// The instruction can.
    Certain,
    /// A callee returns, if no table leads to the code after the call.
    UnlessByTable,
    /// Only if something holds that nothing shows: that a callee comes back, that SP may differ
    /// from one time to the next.
    Supposed,
}

/// Nodes and edges of one function.
#[derive(Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    edges: Vec<(NodeId, NodeId, Trust)>,
}

impl Graph {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    pub(super) fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId::try_from(self.nodes.len() - 1).unwrap_or(NodeId::MAX)
    }

    pub(super) fn connect(&mut self, from: NodeId, to: NodeId, trust: Trust) {
        self.edges.push((from, to, trust));
    }

    pub(super) fn get(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id as usize)
    }

    /// The nodes from the entry to this one, in order.
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

    /// What each node leads to. `by_table`: whether a table leads to an address, for all that is
    /// known.
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

    /// The nodes that a real execution can reach. An assumption counts if it leads to a
    /// good end: a path that went wrong does not give the stack back as the caller had it; and
    /// where nothing but the return of one call leads: compilers leave no code that nothing
    /// reaches. `called`: that the function is entered as by a call is certain. `is_return`:
    /// whether control goes from one node to the other by the return of a call.
    pub(super) fn possible(
        &self,
        called: bool,
        ends: &Ends,
        by_table: impl Fn(u64) -> bool,
        is_return: impl Fn(&Node, &Node) -> bool,
    ) -> Vec<bool> {
        let well = |id: NodeId| ends.well.get(id as usize).copied().unwrap_or(false);
        // One that never returns, as `main` may, has no end of either kind.
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

    /// Returns true if nothing but the return of the call before it leads to an address.
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

    /// Everything that can be reached from the entry.
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

    /// Returns true if the function has a good end.
    pub(super) fn ends_well(&self) -> bool {
        self.nodes.iter().any(|node| node.leaves_well)
    }

    /// Returns true if it returns to the caller in some way, or has another function do so.
    pub(super) fn returns(&self) -> bool {
        self.nodes.iter().any(|node| node.returns)
    }

    fn sorted(&self, one: impl Fn(&(NodeId, NodeId, Trust)) -> Option<(NodeId, NodeId)>) -> Vec<(NodeId, NodeId)> {
        let mut edges: Vec<(NodeId, NodeId)> = self.edges.iter().filter_map(one).collect();
        edges.sort_unstable();
        edges
    }

    /// Everything that can be reached from some nodes by edges, which are sorted.
    fn closure(&self, from: impl FnMut(&Node) -> bool, edges: &[(NodeId, NodeId)]) -> Vec<bool> {
        let mut reached: Vec<bool> = self.nodes.iter().map(from).collect();
        let mut work: Vec<NodeId> = (0..).zip(&reached).filter(|(_, reached)| **reached).map(|(id, _)| id).collect();
        while let Some(id) = work.pop() {
            let begin = edges.partition_point(|(from, _)| *from < id);
            for (_, to) in edges.iter().skip(begin).take_while(|(from, _)| *from == id) {
                if let Some(place) = reached.get_mut(*to as usize).filter(|place| !**place) {
                    *place = true;
                    work.push(*to);
                }
            }
        }
        reached
    }
}

/// What nodes lead to.
pub(super) struct Ends {
    /// A good end.
    pub(super) well: Vec<bool>,
    /// A bad end, and nothing on the way to it is only supposed.
    pub(super) badly: Vec<bool>,
    /// A return with another FP.
    pub(super) loses_fp: Vec<bool>,
    /// An end above the CFA, as `badly`.
    pub(super) drops_words: Vec<bool>,
    /// Another stack, or room of a made-up size. If no good end is reached either, a function
    /// continues somewhere else (longjmp, a switch of contexts), and has loaded registers of a
    /// frame that is made up.
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
            fp_slot: None,
            ra_slot: None,
            sp_slot: None,
            sp_is_made_up: false,
            on_other_stack: false,
            landed: false,
            past: Past::Plain,
        };
        Node {
            pc,
            part: 0,
            first: 0,
            last: 0,
            parent,
            tracked,
            held,
            compared: Compared::default(),
            leaves_well: false,
            returns: false,
            leaves_badly: false,
            loses_fp: false,
            drops_words: false,
        }
    }

    /// A call at 0x10, the code after it at 0x20, a loop back from 0x30; with `other`, a branch at
    /// 0x10 leads to 0x20 too, with another SP.
    fn possible(other: bool, table: bool) -> Vec<bool> {
        let mut graph = Graph::default();
        for (pc, parent) in [(0x10, 0), (0x20, 0), (0x30, 1)] {
            graph.add(node(pc, parent));
        }
        graph.connect(0, 1, Trust::Supposed);
        graph.connect(1, 2, Trust::Certain);
        graph.connect(2, 1, Trust::Certain);
        if other {
            let id = graph.add(Node { tracked: Tracked { sp: 0xff8, fp: 0, link: 0 }, ..node(0x20, 0) });
            graph.connect(0, id, Trust::Certain);
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
