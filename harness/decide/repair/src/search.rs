//! The search for the right rows that need the fewest edits, from the first boundary to the last.

use std::cell::Cell;
use std::rc::Rc;

use types::Pc;

use crate::edit::{Edit, edits};
use crate::function::{Boundary, FARTHEST, Function};
use crate::options::{Choice, Settable, choices, settable};
use crate::path::{Did, Path, Removed, Segment, Step, Target};
use crate::row::{Part, Row};

/// The edits that make a function's rows right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The edits, in order of addresses.
    pub edits: Vec<Edit>,
    /// The rows after them, one for each boundary.
    pub rows: Vec<Row>,
}

/// Why a function has no repair.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRepair {
    /// No row is wrong.
    #[error("no row is wrong")]
    Nothing,
    /// More edits are needed than can be distinguished from other ways to have right rows.
    #[error("several repairs: edits at more than {MOST_PLACES} places up to {:#x}", .0.0)]
    Several(Pc),
    /// The function has too many instructions.
    #[error("more than {MOST_BOUNDARIES} instructions")]
    TooLarge,
    /// The functions of the file need too much work.
    #[error("not searched: the file has too many wrong rows")]
    Work,
}

/// Maximum number of places with edits between rows that are right.
const MOST_PLACES: u32 = 3;

/// Maximum number of edits of a function.
const MOST_OF_ALL: u32 = 24;

/// Maximum number of instructions.
const MOST_BOUNDARIES: usize = 8_000;

/// Maximum number of rows that are made for the functions of a file. A debug build makes 300,000 in
/// a second.
const MOST_WORK: usize = 4_000_000;

/// Maximum number of paths at a boundary.
const MOST_PATHS: usize = 48;

/// Maximum number of states that a boundary may restore.
const MOST_STATES: usize = 32;

/// Maximum number of rows of a boundary after one path.
const MOST_ROWS: usize = 64;

/// The work that the search may still do for the functions of a file: the number of rows that it
/// makes.
#[derive(Clone, Debug)]
pub struct Budget {
    left: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::new(MOST_WORK)
    }
}

impl Budget {
    /// A budget of this number of rows.
    pub fn new(left: usize) -> Budget {
        Budget { left }
    }

    /// Finds the smallest edits that make each row right where the truth is known.
    ///
    /// # Errors
    /// No row is wrong, no small repair exists, or the work is done.
    pub fn repair(&mut self, function: &Function) -> Result<Repair, NoRepair> {
        search(function, self)
    }

    fn spend(&mut self, work: usize) -> Result<(), NoRepair> {
        self.left = self.left.checked_sub(work).ok_or(NoRepair::Work)?;
        Ok(())
    }
}

/// Finds the smallest edits that make each row of one function right, as [`Budget::repair`].
///
/// # Errors
/// As those of [`Budget::repair`].
pub fn repair(function: &Function) -> Result<Repair, NoRepair> {
    Budget::default().repair(function)
}

fn search(function: &Function, budget: &mut Budget) -> Result<Repair, NoRepair> {
    let is_wrong = |boundary: &Boundary| boundary.facts.as_ref().is_some_and(|facts| !facts.allow(&boundary.row));
    if !function.boundaries.iter().any(is_wrong) {
        return Err(NoRepair::Nothing);
    }
    if function.boundaries.len() > MOST_BOUNDARIES {
        return Err(NoRepair::TooLarge);
    }
    let parts = function.parts();
    let wrong: Vec<usize> =
        function.boundaries.iter().enumerate().filter(|(_, boundary)| is_wrong(boundary)).map(|(at, _)| at).collect();
    let mut search =
        Search { function, settable: Vec::new(), parts, remembered: function.remembered(), made: Cell::default() };
    let mut paths = vec![Path::new(function.initial.clone())];
    for (index, boundary) in function.boundaries.iter().enumerate() {
        let ahead = wrong.get(wrong.partition_point(|at| *at < index));
        let is_far = ahead.is_none_or(|ahead| index.saturating_add(FARTHEST) < *ahead);
        // The cheapest path has the table's rows again, and nothing is wrong for long.
        let best = paths.first().filter(|path| is_far && *path.row == *function.row_before(index));
        if let Some(path) = best.filter(|path| path.removed.is_empty()) {
            paths = vec![continued(path, index, Candidate::unchanged(&boundary.row), function)];
            continue;
        }
        search.settable = search.parts.iter().map(|part| settable(function, index, *part)).collect();
        let mut next: Vec<Path> = Vec::new();
        for path in &paths {
            search.extend(path, index, boundary, &mut next);
        }
        budget.spend(search.made.take())?;
        if next.is_empty() {
            return Err(NoRepair::Several(boundary.pc));
        }
        next.sort_by_key(|path| (path.cost, path.badness));
        next.truncate(MOST_PATHS);
        paths = next;
    }
    let best = paths.into_iter().next().ok_or(NoRepair::Nothing)?;
    let rows = best.rows(function.boundaries.len());
    Ok(Repair { edits: edits(function, &best, &rows), rows: rows.iter().map(|row| Row::clone(row)).collect() })
}

struct Search<'a> {
    function: &'a Function,
    parts: Vec<Part>,
    /// What a directive may set at the boundary, of each part.
    settable: Vec<Vec<Settable>>,
    /// Where states were in force that directives remember.
    remembered: Option<Vec<usize>>,
    /// Number of rows that were made.
    made: Cell<usize>,
}

/// A row that may follow a path.
#[derive(Clone)]
struct Candidate {
    row: Row,
    steps: Vec<Step>,
    removed: Vec<Removed>,
    cost: u32,
    badness: u32,
}

impl Search<'_> {
    /// Adds the continuations of a path over a boundary to those of other paths.
    fn extend(&self, path: &Path, index: usize, boundary: &Boundary, next: &mut Vec<Path>) {
        let states = self.by_states(path, index, boundary);
        let mut all: Vec<Candidate> = Vec::new();
        if self.function.restores_state(index) {
            // Other directives there change the restored state.
            for state in &states {
                let after = Path { row: Rc::new(state.row.clone()), ..path.clone() };
                all.extend(self.by_parts(&after, index).into_iter().map(|parts| state.clone().and(parts)));
            }
            all.retain(|candidate| self.is_allowed(index, &candidate.row));
        } else {
            all = self.by_parts(path, index);
            all.retain(|candidate| self.admits(path, index, &candidate.row));
            // A state is restored as a whole, though a part of it may be right before.
            all.extend(states.into_iter().filter(|candidate| self.is_allowed(index, &candidate.row)));
        }
        for candidate in all {
            let continued = continued(path, index, candidate, self.function);
            if continued.island > MOST_PLACES || continued.cost > MOST_OF_ALL {
                continue;
            }
            let is_same = |other: &&mut Path| other.row == continued.row && other.removed == continued.removed;
            let rank = |path: &Path| (path.cost, path.island, path.badness);
            match next.iter_mut().find(is_same) {
                Some(other) if rank(&continued) < rank(other) => *other = continued,
                Some(_) => {}
                None => next.push(continued),
            }
        }
    }

    /// Rows of which each part is chosen for itself.
    fn by_parts(&self, path: &Path, index: usize) -> Vec<Candidate> {
        let mut rows = vec![Candidate::unchanged(&path.row)];
        for (part, settable) in self.parts.iter().zip(&self.settable) {
            let choices = choices(self.function, index, path, *part, settable);
            let allowed = choices.iter().filter(|choice| self.function.allows(index, *part, choice.value));
            let allowed: Vec<&Choice> = allowed.collect();
            let mut combined: Vec<Candidate> = Vec::with_capacity(rows.len());
            for row in &rows {
                combined.extend(allowed.iter().map(|choice| row.with(index, *part, choice, self.function)));
            }
            self.made.set(self.made.get().saturating_add(combined.len()));
            combined.sort_by_key(|row| (row.cost, row.badness));
            combined.truncate(MOST_ROWS);
            rows = combined;
        }
        rows
    }

    /// Rows that are a state from before.
    fn by_states(&self, path: &Path, index: usize, boundary: &Boundary) -> Vec<Candidate> {
        let function = self.function;
        let (table, before) = (&boundary.row, function.row_before(index));
        let is_barrier = function.is_barrier(index);
        let changes = self.parts.iter().filter(|part| table.get(**part) != before.get(**part)).count();
        // The state that the table restores.
        let mut starts = path.segments().map(|segment| segment.start);
        let restored = starts.find(|start| function.is_restored_from(index, *start));
        let given = boundary.given.as_ref().map(|given| given.restores_state);
        let restored = restored.filter(|_| given.unwrap_or(changes > 1 || (changes == 1 && is_barrier)));
        // A state may be restored that nothing changed.
        let may_restore = restored.is_some() || (is_barrier && given.is_none());
        let mut all: Vec<Candidate> = Vec::new();
        let mut add = |row: &Rc<Row>, did: Option<Did>, removed: Vec<Removed>, badness: u32| {
            let did = did.map(|did| Step { index, part: None, did });
            let cost = u32::from(did.as_ref().is_some_and(|step| !matches!(step.did, Did::Complete(_))));
            let steps = did.into_iter().collect();
            all.push(Candidate { row: Row::clone(row), steps, removed, cost, badness });
        };
        let mut end = index;
        let remembered = self.last_remembered(index);
        let mut states: Vec<(&Rc<Segment>, usize, u32)> = Vec::new();
        for segment in path.segments().take(MOST_STATES) {
            let range = segment.start..end;
            end = segment.start;
            let last = range.end.saturating_sub(1).max(range.start);
            let distance = remembered.map_or(0, |at| at.abs_diff(at.clamp(range.start, last)));
            let is_remembered = self.remembered.as_ref().is_none_or(|all| all.iter().any(|at| range.contains(at)));
            states.push((segment, distance, if is_remembered { 1 } else { 3 }));
        }
        let right = states.iter().filter(|(segment, ..)| self.is_allowed(index, &segment.row));
        let nearest = right.map(|(_, distance, _)| *distance).min().unwrap_or(0);
        for (segment, distance, badness) in states {
            let is_restored = function.is_restored_from(index, segment.start);
            let target = Target::State(Rc::clone(&segment.row));
            match restored {
                // A row like it may be in force elsewhere too.
                _ if is_restored && may_restore => {
                    add(&segment.row, None, Vec::new(), if distance <= nearest { 0 } else { 2 });
                }
                // The state nearest to the one that is remembered.
                Some(_) if is_barrier => {
                    let badness = if distance <= nearest { 1 } else { 4 };
                    add(&segment.row, Some(Did::Remember(segment.start)), Vec::new(), badness);
                }
                None if is_barrier && changes == 0 => match path.removed_at(&target) {
                    Some(from) => add(&segment.row, Some(Did::Complete(from)), Vec::new(), 0),
                    None => add(&segment.row, Some(Did::Insert), Vec::new(), badness),
                },
                Some(_) | None => {}
            }
        }
        if restored.is_some() {
            let removed = Removed { index, target: Target::State(Rc::new(table.clone())) };
            add(&path.row, Some(Did::Delete), vec![removed], 1);
        }
        all
    }

    /// The boundary nearest before one at which a state is in force that a directive remembers.
    fn last_remembered(&self, index: usize) -> Option<usize> {
        self.remembered.iter().flatten().copied().filter(|at| *at < index).max()
    }

    /// Returns true if a row is not known to be wrong.
    fn is_allowed(&self, index: usize, row: &Row) -> bool {
        self.parts.iter().all(|part| self.function.allows(index, *part, row.get(*part)))
    }

    /// Returns true if a row may follow a path: it is not known to be wrong, and a row that was
    /// right is changed only where that leads to a wrong one.
    fn admits(&self, path: &Path, index: usize, row: &Row) -> bool {
        let function = self.function;
        let (table, before) = (function.at(index).map(|boundary| &boundary.row), function.row_before(index));
        self.parts.iter().all(|part| {
            let value = row.get(*part);
            let begins = || path.row.get(*part) == before.get(*part);
            let differs = table.is_some_and(|table| table.get(*part) != value);
            function.allows(index, *part, value)
                && !(differs
                    && function.is_right(index, *part)
                    && begins()
                    && !function.leads_to_wrong(index, *part, value)
                    && !function.is_needed(index, *part, value))
        })
    }
}

impl Candidate {
    /// A row without an edit.
    fn unchanged(row: &Row) -> Candidate {
        Candidate { row: row.clone(), steps: Vec::new(), removed: Vec::new(), cost: 0, badness: 0 }
    }

    /// Further steps that lead from its row to another one.
    fn and(mut self, then: Candidate) -> Candidate {
        self.steps.extend(then.steps);
        self.removed.extend(then.removed);
        let (cost, badness) = (self.cost.saturating_add(then.cost), self.badness.saturating_add(then.badness));
        Candidate { row: then.row, cost, badness, ..self }
    }

    fn with(&self, index: usize, part: Part, choice: &Choice, function: &Function) -> Candidate {
        let mut row = self.row.clone();
        row.set(part, choice.value);
        let (mut steps, mut removed) = (self.steps.clone(), self.removed.clone());
        if let Some(did) = choice.did {
            steps.push(Step { index, part: Some(part), did });
            if did == Did::Delete {
                let value = function.at(index).map_or(choice.value, |boundary| boundary.row.get(part));
                removed.push(Removed { index, target: Target::Part(part, value) });
            }
        }
        let (cost, badness) = (self.cost.saturating_add(choice.cost()), self.badness.saturating_add(choice.badness));
        Candidate { row, steps, removed, cost, badness }
    }
}

/// A path with a row for one more boundary.
fn continued(path: &Path, index: usize, candidate: Candidate, function: &Function) -> Path {
    let Candidate { row, steps, removed, cost, badness } = candidate;
    let (table, before) = (function.at(index).map(|boundary| &boundary.row), function.row_before(index));
    let mut path = path.clone();
    path.cost = path.cost.saturating_add(cost);
    path.badness = path.badness.saturating_add(badness);
    path.island = path.island.saturating_add(cost.min(1));
    path.removed.extend(removed);
    for step in &steps {
        if let Did::Complete(from) = step.did {
            path.removed.retain(|removed| removed.index != from);
        }
    }
    path.steps.extend(steps);
    let is_new = *path.row != row;
    path.row = if is_new { Rc::new(row) } else { path.row };
    if table == Some(&*path.row) {
        path.island = 0;
        path.removed.clear();
    }
    if is_new || path.segments.is_none() || table != Some(before) {
        let segment = Segment { start: index, row: Rc::clone(&path.row), before: path.segments.take() };
        path.segments = Some(Rc::new(segment));
    }
    path
}
