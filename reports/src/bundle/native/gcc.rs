//! A source for GCC's test suite, with scans of the assembly.

use results::bundle::{Bundle, Check, DirectiveBug};

use super::{options, unanchored};
use crate::bundle::words::machine_of_gcc;

/// The source with its DejaGnu directives.
pub(super) fn of_gcc(bundle: &Bundle, source: &str) -> Option<String> {
    let Check::Directive { after, directive, earlier: false, fault, .. } = &bundle.check else { return None };
    let words = options(bundle, bundle.commands.first()?);
    let scan = match fault {
        DirectiveBug::Absent => "scan-assembler",
        DirectiveBug::Early => "scan-assembler-not",
    };
    // Tcl replaces nothing between braces, and a backslash is literal. GCC separates words by tabs
    // and blanks.
    let (after, directive) = (tcl(after), tcl(directive));
    let name = machine_of_gcc(bundle.abi);
    Some(format!(
        "/* {{ dg-do compile {{ target {name} }} }} */\n/* {{ dg-options \"{words}\" }} */\n{source}\n\
         /* {{ dg-final {{ {scan} {{(?n)^\\s*{after}\\s*\\n(\\s*\\..*\\n)*\\s*{directive}}} }} }} */\n"
    ))
}

/// A regular expression for lines whose words are separated by one blank, adapted to GCC's
/// assembly.
fn tcl(expression: &str) -> String {
    let (core, rest) = unanchored(expression);
    core.replace(", ", r",\s*").replace(' ', r"\s+") + rest
}
