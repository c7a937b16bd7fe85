//! An edit of directives, and its normal form.

use std::rc::Rc;

use types::{Abi, CfaRule, Pc, Reg, ValueRule};

use crate::directive::{Directive, role};
use crate::function::{Function, Remembers};
use crate::path::{Did, Path, Step};
use crate::row::{Part, Row, Value};

/// An edit of a function's directives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is done.
    pub action: Action,
    /// The directive that is added, moved or removed; of a changed one what it should be.
    pub directive: Directive,
    /// Where the directive should stand; where it stands if it is removed or changed.
    pub at: Place,
    /// The right row before that place.
    pub state: Row,
}

/// What is done to a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// It is missing.
    Insert,
    /// It should not be there.
    Delete,
    /// An operand is wrong.
    Change,
    /// Another place.
    Move {
        /// That place.
        from: Place,
    },
}

impl Action {
    fn name(self) -> &'static str {
        match self {
            Action::Insert => "insert",
            Action::Delete => "delete",
            Action::Change => "change",
            Action::Move { .. } => "move",
        }
    }
}

/// A place of directives: between two instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The instruction before it; `None` at the entry.
    pub after: Option<Pc>,
    /// The instruction after it.
    pub before: Pc,
}

impl Edit {
    /// The edit without numbers and addresses, registers by role. `instruction` gives the
    /// instruction at an address in that form.
    pub fn normal_form(&self, abi: Abi, instruction: impl Fn(Pc) -> String) -> String {
        let directive = self.directive.normal_form(abi);
        format!("{} {directive} {}", self.action.name(), self.after(instruction))
    }

    /// The edit as a source needs it.
    pub fn text(&self, abi: Abi, instruction: impl Fn(Pc) -> String) -> String {
        let place = match self.action {
            Action::Move { from } if from.before > self.at.before => format!("before {}", instruction(self.at.before)),
            _ => self.after(instruction),
        };
        format!("{} {} {place}", self.action.name(), self.directive.text(abi))
    }

    /// The instruction after which the directive belongs is the same wherever one bug shows.
    fn after(&self, instruction: impl Fn(Pc) -> String) -> String {
        match self.at.after {
            Some(pc) => format!("after {}", instruction(pc)),
            None => "at the entry".to_owned(),
        }
    }

    /// The state of the frame at the edit: the base of the CFA, and what is saved.
    pub fn frame(&self, abi: Abi) -> String {
        let facts = abi.facts();
        let base = match self.state.get(Part::Cfa) {
            Value::Cfa(CfaRule::Register { reg, .. }) => role(abi, reg),
            Value::Cfa(CfaRule::Memory { .. } | CfaRule::Expression(_)) => "an expression".to_owned(),
            _ => "nothing".to_owned(),
        };
        let is_saved = |reg: Reg| match self.state.get(Part::Register(reg)) {
            Value::Rule(ValueRule::AtCfa(_)) => Some(role(abi, reg)),
            _ => None,
        };
        let saved: Vec<String> = [facts.fp, facts.ra].into_iter().filter_map(is_saved).collect();
        let saved = if saved.is_empty() { "nothing".to_owned() } else { saved.join(" and ") };
        format!("CFA by {base}, {saved} saved")
    }
}

/// The edits of a path that has these rows.
pub(crate) fn edits(function: &Function, path: &Path, rows: &[Rc<Row>]) -> Vec<Edit> {
    let of = Edits { function, rows };
    let completed: Vec<usize> = path
        .steps
        .iter()
        .filter_map(|step| match step.did {
            Did::Complete(from) => Some(from),
            Did::Insert | Did::Delete | Did::Change | Did::Remember(_) => None,
        })
        .collect();
    let is_half = |step: &Step| step.did == Did::Delete && completed.contains(&step.index);
    let mut all: Vec<Edit> = Vec::new();
    for step in path.steps.iter().filter(|step| !is_half(step)) {
        let edit = of.edit(step);
        let restores = |edit: &&Edit| edit.directive == Directive::RestoreState && edit.action == Action::Insert;
        all.extend(edit.as_ref().filter(restores).and_then(|_| of.forgotten(step.index)));
        all.extend(edit);
    }
    all.sort_by_key(|edit| edit.at.before);
    all
}

struct Edits<'a> {
    function: &'a Function,
    rows: &'a [Rc<Row>],
}

impl Edits<'_> {
    fn edit(&self, step: &Step) -> Option<Edit> {
        let Step { index, part, did } = *step;
        let (table, before) = (&self.function.at(index)?.row, self.function.row_before(index));
        let (right, right_before) = (self.rows.get(index)?, self.right_before(index));
        let at = self.place(index)?;
        let (action, directive) = match (part, did) {
            (None, Did::Remember(start)) => return self.remember(index, start),
            (None, Did::Insert) => match self.unmatched(index).and_then(|from| self.place(from)) {
                Some(from) => (Action::Move { from }, Directive::RestoreState),
                None => (self.late(index, None), Directive::RestoreState),
            },
            (None, Did::Delete) => (Action::Delete, Directive::RestoreState),
            (None, Did::Complete(from)) => (Action::Move { from: self.place(from)? }, Directive::RestoreState),
            (None, Did::Change) => return None,
            (Some(part), did) => {
                let initial = self.function.initial.get(part);
                let right_one = Directive::new(part, right_before.get(part), right.get(part), initial);
                match did {
                    Did::Delete => (Action::Delete, Directive::new(part, before.get(part), table.get(part), initial)),
                    Did::Complete(from) => (Action::Move { from: self.place(from)? }, right_one),
                    Did::Change => (Action::Change, right_one),
                    Did::Insert | Did::Remember(_) => match self.late(index, Some(part)) {
                        Action::Insert => (self.early(index, part), right_one),
                        late => (late, right_one),
                    },
                }
            }
        };
        Some(Edit { action, directive, at, state: right_before.clone() })
    }

    /// A directive that is missing, or one that stands later: the table's next one sets the same.
    fn late(&self, index: usize, part: Option<Part>) -> Action {
        let of = |row: &Row| match part {
            Some(part) => row.clone().only(part),
            None => row.clone(),
        };
        let right = |index: usize| self.rows.get(index).map(|row| of(row));
        let same = right(index);
        let kept = (index.saturating_add(1)..self.rows.len()).take_while(|next| right(*next) == same);
        let table = |index: usize| self.function.at(index).map(|boundary| of(&boundary.row));
        let mut last = index;
        for next in kept {
            if table(next) != table(next.saturating_sub(1)) {
                let from = self.place(next).filter(|_| table(next) == same);
                return from.map_or(Action::Insert, |from| Action::Move { from });
            }
            last = next;
        }
        // Another directive at the next place replaces it.
        let next = last.saturating_add(1);
        let is_passed = part.is_some_and(|part| {
            let value = self.rows.get(index).map(|row| row.get(part));
            self.function.passed(next, part).iter().any(|passed| Some(*passed) == value)
        });
        let from = self.place(next).filter(|_| is_passed);
        from.map_or(Action::Insert, |from| Action::Move { from })
    }

    /// A directive that is missing, or one that stands earlier, where it changes nothing.
    fn early(&self, index: usize, part: Part) -> Action {
        let right = self.rows.get(index).map(|row| row.get(part));
        let changes_nothing = |earlier: &usize| {
            self.function.directive(*earlier, part).is_some_and(|set| set.old == set.new && Some(set.new) == right)
        };
        let from = (0..index).rev().find(changes_nothing).and_then(|from| self.place(from));
        from.map_or(Action::Insert, |from| Action::Move { from })
    }

    /// The `.cfi_remember_state` that is missing too, if no state is remembered at a boundary.
    fn forgotten(&self, index: usize) -> Option<Edit> {
        let mut depth = 0_isize;
        for boundary in self.function.boundaries.get(..index)? {
            let given = boundary.given.as_ref()?;
            let change = isize::from(given.remembers.is_some()).saturating_sub(isize::from(given.restores_state));
            depth = depth.saturating_add(change);
        }
        let right = self.rows.get(index)?;
        let last = (0..index).rev().find(|before| self.rows.get(*before) == Some(right)).filter(|_| depth <= 0)?;
        let (at, state) = (self.place(last)?, self.right_before(last).clone());
        Some(Edit { action: Action::Insert, directive: Directive::RememberState, at, state })
    }

    /// The later `.cfi_restore_state` for which no state is remembered any more if one is inserted.
    fn unmatched(&self, index: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (at, boundary) in self.function.boundaries.iter().enumerate() {
            let given = boundary.given.as_ref()?;
            let is_before = given.remembers == Some(Remembers::Before);
            depth = depth.saturating_add(usize::from(is_before));
            for _ in 0..usize::from(given.restores_state).saturating_add(usize::from(at == index)) {
                match depth.checked_sub(1) {
                    Some(left) => depth = left,
                    None => return Some(at).filter(|at| *at > index),
                }
            }
            depth = depth.saturating_add(usize::from(given.remembers.is_some() && !is_before));
        }
        None
    }

    /// A `.cfi_remember_state` that remembers the wrong state: it belongs into the last place at
    /// which the state was right.
    fn remember(&self, index: usize, start: usize) -> Option<Edit> {
        let table = &self.function.at(index)?.row;
        let mut earlier = (0..index).rev();
        let from = earlier.find(|earlier| self.function.at(*earlier).is_some_and(|at| at.row == *table))?;
        let right = self.rows.get(start)?;
        let last = (start..index).take_while(|next| self.rows.get(*next) == Some(right)).last()?;
        let (at, from) = (self.place(last)?, self.place(from)?);
        let state = self.right_before(last).clone();
        Some(Edit { action: Action::Move { from }, directive: Directive::RememberState, at, state })
    }

    fn right_before(&self, index: usize) -> &Row {
        index.checked_sub(1).and_then(|before| self.rows.get(before)).map_or(&self.function.initial, |row| row)
    }

    fn place(&self, index: usize) -> Option<Place> {
        let after = index.checked_sub(1).and_then(|before| self.function.at(before)).map(|boundary| boundary.pc);
        Some(Place { after, before: self.function.at(index)?.pc })
    }
}
