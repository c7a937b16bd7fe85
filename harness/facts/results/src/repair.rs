//! The repair of a function's wrong rows, as reported.

use spec::RuleId;

/// An edit of CFI directives.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct RepairEdit {
    /// What is done.
    pub action: RepairAction,
    /// The directive that is added, moved or removed; of a changed one what it should be.
    pub directive: String,
    /// The edit with registers and numbers: `insert .cfi_restore %rbp after pop %rbp`.
    pub edit: String,
    /// Address of the instruction before which the directive belongs.
    pub pc: u64,
    /// Address of the instruction after which it belongs; absent at the entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub after: Option<u64>,
    /// Of a directive that is moved: address of the instruction before which it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub from: Option<u64>,
    /// The address `pc` as `function+0x12`.
    pub place: String,
    /// What is the same wherever one bug shows: registers by role, no numbers.
    pub normal_form: String,
    /// State of the frame before the edit: `CFA by FP, FP and RA saved`.
    pub frame: String,
}

/// What is done to a directive.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum RepairAction {
    /// It is missing.
    Insert,
    /// It should not be there.
    Delete,
    /// An operand is wrong.
    Change,
    /// It is at another place.
    Move,
}

/// The repair of the function of a finding about rows.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Repair {
    /// Edits that make all rows of the function right.
    Edits {
        /// The edits, by address.
        edits: Vec<RepairEdit>,
        /// The rows that they change.
        rows: Vec<RepairedRow>,
    },
    /// Why there is none.
    None(String),
}

/// A row after a repair.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct RepairedRow {
    /// First address.
    pub pc_start: u64,
    /// First address after it.
    pub pc_end: u64,
    /// The row as text.
    pub row: String,
}

impl RepairEdit {
    /// The edit and where it is: `insert .cfi_restore %rbp after pop %rbp, at f+0x12`.
    pub fn sentence(&self) -> String {
        format!("{}, at {}", self.edit, self.place)
    }

    /// What is wrong, as a title: ``missing `.cfi_restore %rbp` after `pop %rbp` ``.
    pub fn title(&self) -> String {
        self.titled(&self.edit, &self.directive)
    }

    /// The same of every place that shows the bug: registers by role, no numbers.
    pub fn title_of_any(&self) -> String {
        let (_, rest) = self.normal_form.split_once(' ').unwrap_or_default();
        let at = [" after ", " before ", " at the entry"].iter().filter_map(|word| rest.find(word)).min();
        self.titled(&self.normal_form, at.and_then(|at| rest.get(..at)).unwrap_or(rest))
    }

    /// The rule about the field that the directive changes, of the table of another rule.
    pub fn rule(&self, of: RuleId) -> RuleId {
        let mut words = self.normal_form.split([' ', ',']).skip(1).filter(|word| *word != "of");
        let field = match (words.next().unwrap_or_default(), words.next().unwrap_or_default()) {
            (".cfi_negate_ra_state", _) => "signed",
            (directive, "RA") if !directive.starts_with(".cfi_def_cfa") => "ra",
            (directive, "FP") if !directive.starts_with(".cfi_def_cfa") => "fp",
            (directive, "S" | "R") if !directive.starts_with(".cfi_def_cfa") => "register",
            _ => "cfa",
        };
        let (table, _) = of.name().split_once('/').unwrap_or_default();
        format!("{table}/{field}-matches-truth").parse().unwrap_or(of)
    }

    fn titled(&self, edit: &str, directive: &str) -> String {
        let at = edit.split_once(' ').and_then(|(_, rest)| rest.strip_prefix(directive)).unwrap_or_default().trim();
        let (word, instruction) = at.split_once(' ').unwrap_or_default();
        let place = if at == "at the entry" { at.to_owned() } else { format!("{word} `{instruction}`") };
        match self.action {
            RepairAction::Insert => format!("missing `{directive}` {place}"),
            RepairAction::Delete => format!("wrong `{directive}` {place}"),
            RepairAction::Change => format!("wrong operand {place}: expected `{directive}`"),
            RepairAction::Move if self.from > Some(self.pc) => format!("late `{directive}`, expected {place}"),
            RepairAction::Move => format!("misplaced `{directive}`, expected {place}"),
        }
    }
}

impl Repair {
    /// The edits; empty if there are none.
    pub fn edits(&self) -> &[RepairEdit] {
        match self {
            Repair::Edits { edits, .. } => edits,
            Repair::None(_) => &[],
        }
    }
}
