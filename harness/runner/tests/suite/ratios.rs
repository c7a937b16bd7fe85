//! The committed table of ratios has the lines that the benchmark measures.

#[path = "../../benches/ratios/goals.rs"]
mod goals;

use std::path::Path;

use goals::{GOALS, HEAD};

#[test]
fn the_table_has_the_lines_and_goals_of_the_command() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("harness/runner/benches/ratios/results.md");
    let text = std::fs::read_to_string(path).expect("the table");
    let table: Vec<&str> =
        text.lines().skip_while(|line| *line != HEAD).take_while(|line| line.starts_with('|')).collect();
    let cells = |line: &&str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let lines: Vec<Vec<String>> = table.iter().skip(2).map(cells).collect();
    let rows: Vec<[&str; 3]> = lines.iter().map(|cells| [&*cells[0], &*cells[1], &*cells[5]]).collect();
    let goals: Vec<String> = GOALS.iter().map(|goal| goal.least.to_string()).collect();
    let expected: Vec<[&str; 3]> =
        GOALS.iter().zip(&goals).map(|(line, goal)| [line.what, line.yardstick, goal]).collect();
    assert_eq!(rows, expected);
    // A goal is met if the ratio is.
    for (cells, goal) in lines.iter().zip(&GOALS) {
        let met = match cells[4].parse::<f64>() {
            Ok(ratio) => {
                if ratio >= goal.least {
                    "yes"
                } else {
                    "no"
                }
            }
            Err(_) => "absent",
        };
        assert_eq!(cells[6], met, "{cells:?}");
    }
}
