//! What was executed of one function: stretches of instructions in one state each, and how control went from one to the next. Which of it
//! a real execution could do follows from the whole.

use model::{PacKey, Past};

use super::guest::Tracked;

/// Index of a node.
pub(super) type NodeId = u32;

/// Instructions in a row with one SP, FP and link register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The first instruction.
    pub(super) pc: u64,
    /// Where its instructions are: which of the function's parts, and the first and last there. The last may be a branch.
    pub(super) part: u32,
    pub(super) first: u32,
    pub(super) last: u32,
    /// What was executed before it; itself where the function is entered.
    pub(super) parent: NodeId,
    pub(super) tracked: Tracked,
    pub(super) held: Held,
    /// A table is not right about it.
    pub(super) suspect: bool,
    /// It ends in a return to the caller, or in a jump to another function with everything as it was at the entry.
    pub(super) leaves_well: bool,
    /// In a return, or in a jump to where a function is known to begin.
    pub(super) returns: bool,
    /// It returns with SP, FP or return address other than they were: no function does, so its state is none that there is.
    pub(super) leaves_badly: bool,
}

/// The caller's values as the function holds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Held {
    /// The return address as it is kept, and the key that signed it.
    pub(super) raw_ra: u64,
    pub(super) signed_by: Option<PacKey>,
    /// Where on the stack FP and return address are saved.
    pub(super) fp_slot: Option<u64>,
    pub(super) ra_slot: Option<u64>,
    /// Where SP is.
    pub(super) sp_slot: Option<u64>,
    /// SP was set to a value that is made up: room of some size, or another stack.
    pub(super) sp_is_made_up: bool,
    /// A call threw. SP may have been another when it was made: the unwinder takes what was pushed for it.
    pub(super) landed: bool,
    pub(super) past: Past,
}

/// How sure it is that control goes some way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// The instruction can.
    Certain,
    /// Only if something holds that nothing shows: that a callee comes back, that SP may differ from one time to the next.
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

    /// Which nodes a real execution can come to. What is only supposed counts where it leads to a good end: a path that went wrong does not
    /// give the stack back as the caller had it. `called`: that the function is entered as by a call is certain.
    pub(super) fn possible(&self, called: bool) -> Vec<bool> {
        let (ends_well, ends_badly) = (self.ending_well(), self.ending_badly());
        let well = |id: NodeId| ends_well.get(id as usize).copied().unwrap_or(false);
        // One that never returns, as `main` may, has no end of either kind.
        if !called && !well(0) && ends_badly.first() != Some(&false) {
            return vec![false; self.nodes.len()];
        }
        let mut entry = true;
        let is_entry = |_: &Node| std::mem::take(&mut entry);
        self.closure(is_entry, false, |(_, to, trust)| *trust == Trust::Certain || well(*to))
    }

    /// Which nodes a good end can be come to from.
    pub(super) fn ending_well(&self) -> Vec<bool> {
        self.closure(|node| node.leaves_well, true, |_| true)
    }

    /// Whether the function has a good end.
    pub(super) fn ends_well(&self) -> bool {
        self.nodes.iter().any(|node| node.leaves_well)
    }

    /// Whether it returns to the caller in some way, or has another function do so.
    pub(super) fn returns(&self) -> bool {
        self.nodes.iter().any(|node| node.returns)
    }

    /// Which nodes a bad end can be come to from.
    pub(super) fn ending_badly(&self) -> Vec<bool> {
        self.closure(|node| node.leaves_badly, true, |_| true)
    }

    /// Which nodes lead to another stack and to no good end: the last of a function that goes on somewhere else (longjmp, a switch of
    /// contexts). It has loaded registers of a frame that is made up.
    pub(super) fn leaving(&self) -> Vec<bool> {
        let elsewhere = self.closure(|node| node.held.sp_is_made_up, true, |_| true);
        elsewhere.iter().zip(self.ending_well()).map(|(elsewhere, well)| *elsewhere && !well).collect()
    }

    /// Everything that can be come to from some nodes, backwards or forwards, by some of the edges.
    fn closure(
        &self,
        mut from: impl FnMut(&Node) -> bool,
        backwards: bool,
        by: impl Fn(&(NodeId, NodeId, Trust)) -> bool,
    ) -> Vec<bool> {
        let mut edges: Vec<(NodeId, NodeId)> = self
            .edges
            .iter()
            .filter(|edge| by(edge))
            .map(|(a, b, _)| if backwards { (*b, *a) } else { (*a, *b) })
            .collect();
        edges.sort_unstable();
        let mut reached: Vec<bool> = self.nodes.iter().map(&mut from).collect();
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
