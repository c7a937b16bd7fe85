//! Registers that a call preserves and that a table does not restore, in the states of one
//! function.

use rustc_hash::FxHashMap;
use types::{RegisterSet, Unrestored};

use super::graph::{Node, Trust};
use super::standing::{Standing, Standings};
use super::walk::trace::Trace;

/// The suspects of each node, by its number. Their states are certain, and their frame is right.
pub(super) fn suspects(trace: &Trace<'_>, standings: &Standings) -> Vec<(usize, Unrestored)> {
    let nodes = &trace.graph.nodes;
    // More certain paths are executed first, so that a path through an assumption shows only states
    // that no other reaches, such as after a call that never returns. Where the CFA is right, the
    // path does not decide whether a slot is below SP.
    let is_certain = |node: &Node| node.doubt != Trust::Supposed;
    let shown = |node: &Node| match is_certain(node) {
        true => node.compared.unrestored,
        false => node.compared.unrestored.dead_only(),
    };
    let has_any = |node: &Node| !node.compared.wrong && !shown(node).all().is_empty();
    if !nodes.iter().any(has_any) {
        return Vec::new();
    }
    let is_sure = |id: usize| matches!(standings.of_nodes.get(id), Some(Standing::Sure | Standing::Owner(_)));
    // A path that does not restore a register which others restore does not exist, such as after a
    // call that never returns.
    let restored = trace.graph.restored(&standings.well);
    let by_all = restored_by_all(nodes, &standings.of_nodes);
    // At one PC there is one row: of two states the one that the row describes is real, unless the
    // other leads to a good end.
    let mut right: FxHashMap<u64, RegisterSet> = FxHashMap::default();
    let all = nodes.first().map_or(RegisterSet::NONE, |entry| entry.held.saved.intact);
    for (_, node) in nodes.iter().enumerate().filter(|(id, node)| is_sure(*id) && !node.compared.wrong) {
        for instruction in trace.parts.instructions(node) {
            let set = right.entry(instruction.pc).or_default();
            *set = set.and(all.without(node.compared.unrestored.all()));
        }
    }
    let one = |(id, node): (usize, &Node)| {
        let is_well = standings.well.get(id).copied().unwrap_or(false);
        let excuses = trace.parts.instructions(node).iter().filter_map(|one| right.get(&one.pc).copied());
        let excused = excuses.reduce(RegisterSet::and).unwrap_or_default();
        let restores = restored.get(id).copied().unwrap_or_default();
        let Unrestored { wrong, dead, missing } = shown(node);
        let (wrong, missing) = match is_well {
            true => (wrong.common(restores), missing.common(restores)),
            false => (wrong.without(excused), missing.common(by_all).without(excused)),
        };
        let suspects = Unrestored { wrong: wrong.and(dead), dead, missing };
        (id, suspects)
    };
    let found = nodes.iter().enumerate().filter(|(id, node)| is_sure(*id) && has_any(node)).map(one);
    found.filter(|(_, suspects)| !suspects.all().is_empty()).collect()
}

/// The registers that have the caller's values at each return.
fn restored_by_all(nodes: &[Node], standings: &[Standing]) -> RegisterSet {
    let returns = nodes
        .iter()
        .zip(standings)
        .filter(|(node, standing)| node.leaves_well && node.returns && **standing == Standing::Sure);
    returns.map(|(node, _)| node.restored).reduce(RegisterSet::common).unwrap_or_default()
}
