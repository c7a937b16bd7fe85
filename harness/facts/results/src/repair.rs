//! The repair of a function's wrong rows, as reported.

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
}

impl Repair {
    /// The edits; none if there is no repair.
    pub fn edits(&self) -> &[RepairEdit] {
        match self {
            Repair::Edits { edits, .. } => edits,
            Repair::None(_) => &[],
        }
    }

    /// The edits in normal form; `None` if there are none.
    pub fn normal_form(&self) -> Option<String> {
        match self {
            Repair::Edits { edits, .. } => {
                Some(edits.iter().map(|edit| edit.normal_form.as_str()).collect::<Vec<_>>().join("; "))
            }
            Repair::None(_) => None,
        }
    }
}
