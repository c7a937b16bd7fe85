//! The start of the program, in assembly, without caller and frame pointer; and functions that
//! compiler options need.

use super::Program;
use super::texts::text;
use super::writer::Writer;

/// Writes `test`, which returns 0 if the result is the computed one, `_start`, and the functions
/// that the options of `ci/options.yaml` need.
pub(super) fn write(program: &Program, to: &mut Writer) {
    let first = program.functions.first().map_or(0, |first| first.number);
    to.line(&format!("volatile unsigned input = {}u;", program.input));
    to.line("KEEP int test(void)");
    to.open("{");
    to.line("unsigned x = input;");
    to.line(&format!("return f{first}({}) != {}u;", to.arguments(first), program.result()));
    to.close();
    to.text(text(&format!("start {}", program.target.family())));
    to.text(text("guarded"));
}
