//! Values that a table, or the machine, gives for one frame, with the row that they come from.

use std::borrow::Cow;

use types::{Claim, Equations, RowFault};

/// Values that a table, or the machine, gives at one step.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Values {
    /// CFA: an address.
    pub cfa: Option<u64>,
    /// Return address, without pointer authentication.
    pub ra: Option<u64>,
    /// The caller's FP.
    pub fp: Option<u64>,
    /// The row, or why there is no answer.
    pub row: Claim,
}

impl Values {
    /// A row without values, since nothing was executed.
    pub fn from_row(row: Claim) -> Values {
        Values { cfa: None, ra: None, fp: None, row }
    }
}

impl schemars::JsonSchema for Values {
    fn schema_name() -> Cow<'static, str> {
        "Values".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Written::json_schema(generator)
    }
}

/// Form in results: the row as text for people, and in parts for programs.
#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Written {
    cfa: Option<u64>,
    ra: Option<u64>,
    fp: Option<u64>,
    row: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Equations")]
    equations: Option<Equations>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "RowFault")]
    flaw: Option<RowFault>,
}

impl From<Written> for Values {
    fn from(written: Written) -> Values {
        let Written { cfa, ra, fp, row, equations, flaw } = written;
        let row = match equations {
            Some(equations) => Claim::Row(equations, flaw),
            None => Claim::without_row(&row).unwrap_or(Claim::Printed(row)),
        };
        Values { cfa, ra, fp, row }
    }
}

impl From<Values> for Written {
    fn from(values: Values) -> Written {
        let Values { cfa, ra, fp, row } = values;
        let (equations, flaw) = row.row().map_or((None, None), |(equations, flaw)| (Some(equations.clone()), flaw));
        Written { cfa, ra, fp, row: row.to_string(), equations, flaw }
    }
}
