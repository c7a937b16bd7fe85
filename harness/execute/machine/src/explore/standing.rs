//! Which states of an executed function a real execution can reach.

use isa::flow::{Flow, Marks};
use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::{self, Graph, Node, NodeId};
use super::walk::trace::Trace;

/// Evidence that a function is entered as by a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Evidence {
    /// Code calls the function.
    Called,
    /// The function's address is known to others, which may use a convention of their own.
    Known,
    /// No evidence.
    None,
}

/// Whether a real execution can reach a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// A real execution can reach the state.
    Sure,
    /// A real execution can reach the state, but not with this value of FP.
    ButForFp,
    /// A real execution can reach the state if no other function reaches the part of the code that
    /// it is in: a branch that is never taken may lead into another function's part.
    Owner(u64),
    /// A real execution cannot reach the state if the function is entered by a call: the function
    /// drops words that no call pushes.
    OtherEntry,
    /// Not known.
    Unsure,
}

/// How a function is entered, apart from calls of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entered {
    /// By the ABI's convention: it has a global name, it returns as after a call, and most rows of
    /// a table are right under that assumption. Excludes GCC's `__morestack`: nearly all its rows
    /// skip the caller.
    AsNamed,
    /// The function returns as after a call, but may have a convention of its own.
    Returns,
    /// The function may be a part that is jumped into.
    Unknown,
}

/// The standings of a function.
pub(super) struct Standings {
    /// The way it is entered.
    pub(super) entered: Entered,
    pub(super) of_nodes: Vec<Standing>,
    /// The nodes that lead to a good end.
    pub(super) well: Vec<bool>,
}

/// The standings of a function that was executed.
pub(super) fn standings(trace: &Trace<'_>, evidence: Evidence) -> Standings {
    let graph: &Graph = &trace.graph;
    let tables = trace.by_tables();
    let by_table = |pc| tables.as_ref().is_none_or(|tables| tables.contains(&pc));
    let ends = graph.ends(by_table);
    let is_return = |from: &Node, to: &Node| trace.parts.is_return(from, to);
    let possible = graph.possible(evidence == Evidence::Called, &ends, by_table, is_return);
    // Without a known call, the range is a function if it returns as after a call, or a table
    // describes it as called; nothing contradicts that, and a table is right somewhere under that
    // assumption. Padding before a landing-pad part does not count: compilers give it the row of a
    // call.
    let begins = || graph.get(0).is_some_and(|node| trace.parts.survey.functions.is_callable(node.pc));
    let pads = |node: &Node| trace.parts.instructions(node).iter().all(|one| one.insn.marks.any(Marks::NOP));
    let agrees = || graph.nodes.iter().any(|node| !node.compared.wrong && !pads(node));
    let is_sound = ends.badly.first() == Some(&false) && ends.loses_fp.first() == Some(&false);
    let is_mostly_right = || {
        let right = graph.nodes.iter().filter(|node| !node.compared.wrong && !pads(node)).count();
        right > graph.nodes.iter().filter(|node| node.compared.wrong).count()
    };
    let is_named = graph.get(0).is_some_and(|node| trace.parts.survey.entries.is_named(node.pc));
    let entered = match is_sound && graph.returns() {
        true if is_named && is_mostly_right() => Entered::AsNamed,
        true => Entered::Returns,
        false => Entered::Unknown,
    };
    let is_function = evidence != Evidence::None || ((graph.returns() || begins()) && is_sound && agrees());
    let home = graph.get(0).map_or(0, |node| node.part);
    // Code that is entered by a jump with words pushed for it drops them in the end.
    let starts = |set: &[bool]| set.first() == Some(&true);
    if evidence != Evidence::Called && starts(&ends.drops_words) && !starts(&ends.well) {
        let of_nodes = vec![Standing::OtherEntry; graph.nodes.len()];
        return Standings { entered: Entered::Unknown, of_nodes, well: ends.well };
    }
    let begun: FxHashSet<u64> =
        graph.nodes.iter().filter(|node| node.pc == trace.parts.start(node.part)).map(|node| node.pc).collect();
    // Whatever a function does in the end, it begins with these, if it is called at all.
    let is_entered = evidence != Evidence::None
        && !starts(&ends.well)
        && begins()
        && graph.get(0).is_some_and(|node| !node.compared.wrong);
    // SP is the function's own, and FP is its own or the caller's: neither is made up. One that is
    // set before the caller's is saved may be meant for the caller (a shared part of prologues).
    let is_own = |node: &Node| {
        let entry = graph.get(0).map_or(node.tracked, |node| node.tracked);
        let fp = node.tracked.fp;
        let is_saved = node.held.fp_slot.is_some();
        let has_own_fp = fp == entry.fp || (is_saved && (node.tracked.sp..=entry.sp).contains(&fp));
        has_own_fp && !node.held.on_other_stack && !node.held.sp_is_made_up
    };
    let is_plain = |node: &Node| {
        let last = trace.parts.instructions(node).last();
        is_own(node) && last.is_some_and(|one| one.insn.flow == Flow::Next)
    };
    let first_line = if is_entered { graph.first_line(is_plain) } else { Vec::new() };
    let as_called = parts_entered_as_called(trace);
    let is_callable = |node: &Node| trace.parts.survey.functions.is_callable(trace.parts.start(node.part));
    // A row that finds the caller by another register may describe the frame that the code is about
    // to restore, as that of `__longjmp`.
    let names_another = |node: &Node| trace.parts.survey.places.watched.has(node.pc);
    // A function that others call, and that this one jumps to with a frame of its own (`jmp
    // __x86_indirect_thunk_rax` of a computed goto): its rows are those of its calls.
    let is_of_a_function = |id: usize, node: &Node| {
        let start = trace.parts.start(node.part);
        node.part != home
            && node.compared.wrong
            && as_called.get(id) != Some(&true)
            && is_callable(node)
            && trace.parts.survey.is_entry(start)
    };
    let one = |(id, node): (usize, &Node)| {
        let is = |set: &[bool]| set.get(id).copied().unwrap_or(false);
        if is_of_a_function(id, node) {
            Standing::Unsure
        } else if is_own(node) && !names_another(node) && NodeId::try_from(id).is_ok_and(|id| first_line.contains(&id))
        {
            Standing::Sure
        } else if !is_function || !is(&possible) || node.held.on_other_stack {
            Standing::Unsure
        } else if is(&ends.well) {
            Standing::Sure
        } else if is(&ends.badly) || is(&ends.elsewhere) || (node.held.landed && trace.call.landings_differ) {
            Standing::Unsure
        } else if node.part == home && is(&ends.loses_fp) {
            Standing::ButForFp
        } else if node.part == home || (is(&as_called) && is_callable(node)) {
            Standing::Sure
        } else {
            // From one part into the next, the owner is unknown.
            let before = graph.get(node.parent).map_or(home, |parent| parent.part);
            let part = trace.parts.start(node.part);
            // If a table describes its start as called, it is a function, unless a throw lands in
            // it: then its start is padding.
            let is_part =
                !trace.parts.survey.functions.is_callable(part) || (node.held.landed && !begun.contains(&part));
            if is_part && (before == home || before == node.part) { Standing::Owner(part) } else { Standing::Unsure }
        }
    };
    let mut of_nodes: Vec<Standing> = graph.nodes.iter().enumerate().map(one).collect();
    if graph.nodes.iter().any(|node| node.compared.wrong) {
        doubt_hints(trace, &ends.well, &mut of_nodes);
        doubt_sp(trace, &ends.well, &mut of_nodes);
        doubt_fp(trace, &mut of_nodes);
    }
    Standings { entered, of_nodes, well: ends.well }
}

/// The nodes of other parts at whose start SP, FP and link register were as at the function's
/// entry, when it jumped there: whether a part or a function, it was entered as by a call.
fn parts_entered_as_called(trace: &Trace<'_>) -> Vec<bool> {
    let graph: &Graph = &trace.graph;
    let mut all: Vec<bool> = Vec::with_capacity(graph.nodes.len());
    for node in &graph.nodes {
        // A node is after its parent in the list.
        let is_so = match (graph.get(0), graph.get(node.parent)) {
            (Some(entry), Some(parent)) if parent.part == entry.part && node.part != entry.part => {
                node.pc == trace.parts.start(node.part)
                    && node.tracked == entry.tracked
                    && node.held.of_frame() == entry.held.of_frame()
            }
            (Some(_), Some(parent)) if parent.part == node.part => {
                all.get(node.parent as usize).copied().unwrap_or(false)
            }
            _ => false,
        };
        all.push(is_so);
    }
    all
}

/// Marks states of code that data refer to, where a table is right in another state, and so may be
/// the real one: unless only this one leads to a good end.
fn doubt_hints(trace: &Trace<'_>, well: &[bool], standings: &mut [Standing]) {
    let graph = &trace.graph;
    let is = |id: usize| well.get(id).copied().unwrap_or(false);
    // A node is after its parent in the list.
    let mut guessed: Vec<bool> = Vec::with_capacity(graph.nodes.len());
    for node in &graph.nodes {
        let follows = guessed.get(node.parent as usize).copied().unwrap_or(false);
        guessed.push(follows || node.entered == graph::Entered::ByHint);
    }
    // The instructions at which a table is right, with whether such a state leads to a good end.
    let mut right: FxHashMap<u64, bool> = FxHashMap::default();
    for (id, node) in graph.nodes.iter().enumerate().filter(|(_, node)| !node.compared.wrong) {
        pcs(trace, node).for_each(|pc| *right.entry(pc).or_default() |= is(id));
    }
    for (id, ((node, guessed), standing)) in graph.nodes.iter().zip(guessed).zip(standings).enumerate() {
        let other = right.get(&node.pc).copied().filter(|_| guessed && node.compared.wrong);
        if other.is_some_and(|ends_well| ends_well || !is(id)) {
            *standing = Standing::Unsure;
        }
    }
}

/// Marks states that differ only in SP. If control reaches an instruction with two SPs and a table
/// is right about one, the other is taken to lie on a path that does not exist, such as after a
/// call that never returns; the nodes after it are doubted too. A path that leads to a good end is
/// kept.
fn doubt_sp(trace: &Trace<'_>, well: &[bool], standings: &mut [Standing]) {
    let graph = &trace.graph;
    let right = graph.nodes.iter().filter(|node| !node.compared.wrong);
    let right = right.flat_map(|node| pcs(trace, node).map(|pc| (pc, node.tracked.sp)));
    let right: FxHashMap<u64, u64> = right.collect();
    let with_another = |node: &Node| right.get(&node.pc).is_some_and(|sp| *sp != node.tracked.sp);
    // A node is after its parent in the list.
    let mut doubted = Vec::with_capacity(graph.nodes.len());
    for (node, (well, standing)) in graph.nodes.iter().zip(well.iter().zip(standings)) {
        let follows = doubted.get(node.parent as usize).copied().unwrap_or(false);
        let is_doubted = !well && (follows || (node.compared.wrong && with_another(node)));
        doubted.push(is_doubted);
        if is_doubted && node.compared.wrong && *standing == Standing::Sure {
            *standing = Standing::Unsure;
        }
    }
}

/// Marks states that differ only in FP. If control reaches an instruction with two FPs and a table
/// is right about one, the other is taken to lie on a path that does not exist, through branches
/// that exclude each other: at one PC there is only one row, so one FP must be right.
fn doubt_fp(trace: &Trace<'_>, standings: &mut [Standing]) {
    let graph = &trace.graph;
    let sure = |suspect: bool, standings: &[Standing]| -> Vec<usize> {
        let all = graph.nodes.iter().zip(standings).enumerate();
        all.filter(|(_, (node, is))| node.compared.wrong == suspect && **is == Standing::Sure)
            .map(|(id, _)| id)
            .collect()
    };
    let suspects = sure(true, standings);
    if suspects.is_empty() {
        return;
    }
    let right = sure(false, standings).into_iter().filter_map(|id| graph.nodes.get(id));
    let right = right.flat_map(|node| pcs(trace, node).map(|pc| (pc, node.tracked.sp)));
    let right: FxHashSet<(u64, u64)> = right.collect();
    for id in suspects {
        let doubted = graph.nodes.get(id).is_some_and(|node| right.contains(&(node.pc, node.tracked.sp)));
        if let Some(standing) = standings.get_mut(id).filter(|_| doubted) {
            *standing = Standing::ButForFp;
        }
    }
}

/// The instructions of a node: in another state the stretch may be divided at others of them.
fn pcs(trace: &Trace<'_>, node: &Node) -> impl Iterator<Item = u64> {
    trace.parts.instructions(node).iter().map(|one| one.pc)
}
