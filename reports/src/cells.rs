//! The wrong cells in a finding's window: the table of each, and the wrong fields.

use results::{Blame, Finding, Source, Values, WindowLine, WrongRow};
use spec::RuleGroup;
use types::Aspect;

/// The index of a table's column after the truth: 1 for `.sframe` and 2 for `.eh_frame`.
pub(crate) type Table = usize;

const SFRAME: Table = 1;
const EH_FRAME: Table = 2;

/// The fields of a row that may be wrong separately, in the order of its equations.
pub(crate) const FIELDS: [Aspect; 3] = [Aspect::Cfa, Aspect::Ra, Aspect::Fp];

/// The wrong row that covers an instruction, else the first one.
pub(crate) fn row_at(found: &Finding, pc: u64) -> Option<&WrongRow> {
    let covers = |row: &&WrongRow| row.ranges.iter().any(|(start, end)| (*start..*end).contains(&pc));
    found.evidence.rows.iter().find(covers).or(found.evidence.rows.first())
}

/// The tables that are wrong: both if a compiler's directives made both wrong.
pub(crate) fn charged(found: &Finding) -> Vec<Table> {
    let one = match (found.evidence.rows.first().map(|row| row.wrong), found.rule().group()) {
        (Some(Source::EhFrame), _) | (None, RuleGroup::EhFrame) => EH_FRAME,
        _ => SFRAME,
    };
    let wrong = || found.shown.window.iter().filter(|line| line.wrong);
    let alike = found.blame() == Blame::Compiler && wrong().all(|line| line.sframe == line.eh_frame);
    if alike { vec![SFRAME, EH_FRAME] } else { vec![one] }
}

/// The wrong cells at an instruction: the table, and the wrong fields of its row; no field means
/// the whole row.
pub(crate) fn wrong_cells(found: &Finding, at: &WindowLine) -> Vec<(Table, Vec<Aspect>)> {
    if !at.wrong {
        return Vec::new();
    }
    // Values are known only for the first address, which shows the first row.
    let is_first = match (row_at(found, at.pc), found.evidence.rows.first()) {
        (Some(row), Some(first)) => std::ptr::eq(row, first),
        _ => true,
    };
    let right = if at.truth.is_empty() { None } else { Some(&*at.truth) };
    let cell = |table: Table| {
        let (text, values) = if table == EH_FRAME {
            (&at.eh_frame, &found.evidence.eh_frame)
        } else {
            (&at.sframe, &found.evidence.sframe)
        };
        let is_wrong = |field: &Aspect| {
            let differs = is_first && differs(found.evidence.truth.as_ref(), values.as_ref(), *field);
            let value = term(text, *field);
            value.is_some()
                && (*field == found.evidence.field
                    || differs && right.is_some_and(|right| term(right, *field) != value))
        };
        (table, FIELDS.into_iter().filter(is_wrong).collect())
    };
    charged(found).into_iter().map(cell).collect()
}

/// Returns true if a row's value differs from the truth.
pub(crate) fn differs(truth: Option<&Values>, given: Option<&Values>, field: Aspect) -> bool {
    let get = |values: &Values| match field {
        Aspect::Cfa => values.cfa,
        Aspect::Ra => values.ra,
        Aspect::Fp => values.fp,
        Aspect::Registers | Aspect::Structure | Aspect::Coverage => None,
    };
    let both = truth.and_then(get).zip(given.and_then(get));
    both.is_some_and(|(truth, given)| truth != given)
}

/// The right-hand side of an equation in a printed row.
fn term(row: &str, field: Aspect) -> Option<&str> {
    row.split(' ').find_map(|word| word.strip_prefix(field.name())?.strip_prefix('='))
}

#[cfg(test)]
mod tests {
    use results::{Blame, Finding, Shape, Values, WindowLine};
    use spec::RuleId;
    use types::{Aspect, Claim};

    use super::wrong_cells;

    fn found(field: Aspect, fp: u64) -> (Finding, WindowLine) {
        let values = |cfa, fp| Some(Values { cfa: Some(cfa), ra: Some(1), fp: Some(fp), row: Claim::NoRow });
        let mut found = Finding::new(RuleId::RowCfaMatchesTruth, Blame::Assembler, "f", Shape::Rule);
        found.evidence.field = field;
        (found.evidence.truth, found.evidence.sframe) = (values(0x7010, 0x7100), values(0x7008, fp));
        let line = WindowLine {
            truth: "cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]".to_owned(),
            sframe: "cfa=rsp+8 ra=[cfa-8] fp=same".to_owned(),
            wrong: true,
            ..WindowLine::default()
        };
        (found, line)
    }

    #[test]
    fn the_frame_pointer_is_marked_beside_the_cfa_where_its_value_is_another() {
        let (finding, line) = found(Aspect::Cfa, 0x7200);
        assert_eq!(wrong_cells(&finding, &line), [(1, vec![Aspect::Cfa, Aspect::Fp])]);
        // Another location that holds the same value is right.
        let (finding, line) = found(Aspect::Cfa, 0x7100);
        assert_eq!(wrong_cells(&finding, &line), [(1, vec![Aspect::Cfa])]);
    }

    #[test]
    fn a_row_without_equations_is_wrong_as_a_whole_and_a_right_one_has_no_mark() {
        let (finding, line) = found(Aspect::Fp, 0x7200);
        let none = WindowLine { sframe: "no row".to_owned(), ..line.clone() };
        assert_eq!(wrong_cells(&finding, &none), [(1, vec![])]);
        assert_eq!(wrong_cells(&finding, &WindowLine { wrong: false, ..line }), []);
    }
}
